//! Tests that the tables of lengths and kernels in docs/algorithms.md agree with the library's
//! lists.

use std::fmt::Write as _;
use std::path::Path;

use touchstone::KeyLengths;
use touchstone::dynamic::{self, Cipher, Hash, Mac, NonceMac};

const BEGIN: &str = "<!-- list -->\n";
const END: &str = "<!-- end -->\n";

/// Parts of kernels' names that mean instructions which valgrind cannot run.
const NOT_IN_VALGRIND: &[&str] = &["avx512", "vaes", "sha-ni", "sha512", "gfni"];

#[test]
fn lengths_and_kernels_are_those_of_the_list() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/algorithms.md");
    let text = std::fs::read_to_string(&path).expect("the page can be read");
    let (before, rest) = text.split_once(BEGIN).expect("the tables have a beginning");
    let (_, after) = rest.split_once(END).expect("the tables have an end");
    let wanted = format!("{before}{BEGIN}{}{END}{after}", tables());
    if std::env::var_os("TOUCHSTONE_WRITE_DOCS").is_some() {
        std::fs::write(&path, &wanted).expect("the page can be written");
        return;
    }
    assert!(
        text == wanted,
        "{} differs from the library's list: TOUCHSTONE_WRITE_DOCS=1 writes it anew",
        path.display()
    );
}

fn tables() -> String {
    let mut text = String::new();
    let ciphers: Vec<&str> = dynamic::block_ciphers().collect();
    let rows = ciphers.iter().map(|id| {
        let name = format!("{id}-ecb");
        let cipher = Cipher::find(&name).expect("a name");
        let kernels = Cipher::kernels(&name).expect("a name");
        let figures = format!("{} | {}", cipher.block(), lengths(cipher.key_lengths()));
        (*id, figures, kernels)
    });
    table(&mut text, "block ciphers", "block | key", rows);

    let rows = dynamic::stream_ciphers().map(|id| {
        let cipher = Cipher::find(id).expect("a name");
        let kernels = Cipher::kernels(id).expect("a name");
        let (keys, nonces) = (lengths(cipher.key_lengths()), lengths(cipher.iv_lengths()));
        (id, format!("{keys} | {nonces}"), kernels)
    });
    table(&mut text, "stream ciphers", "key | nonce", rows);

    let rows = Hash::names().map(|id| {
        let hash = Hash::new(id).expect("a name");
        let output = hash
            .output()
            .map_or("any".to_owned(), |size| size.to_string());
        let kernels = Hash::kernels(id).expect("a name");
        (id, format!("{} | {output}", hash.block()), kernels)
    });
    table(&mut text, "hashes", "block | digest", rows);

    let over_cipher = |name: &str| ciphers.iter().any(|id| name.starts_with(&format!("{id}-")));
    text.push_str("| MACs | key | nonce | tag |\n|---|---|---|---|\n");
    for name in Mac::names() {
        if !over_cipher(&name) && !name.starts_with("hmac-") {
            let mac = Mac::find(&name).expect("a name");
            let (keys, tag) = (lengths(mac.key_lengths()), mac.longest_tag());
            let _ = writeln!(text, "| `{name}` | {keys} | none | {tag} |");
        }
    }
    for name in NonceMac::names().filter(|name| !over_cipher(name)) {
        let mac = NonceMac::find(&name).expect("a name");
        let (keys, nonces) = (lengths(mac.key_lengths()), lengths(mac.nonce_lengths()));
        let _ = writeln!(
            text,
            "| `{name}` | {keys} | {nonces} | {} |",
            mac.longest_tag()
        );
    }
    let hashes = Mac::names()
        .filter(|name| name.starts_with("hmac-"))
        .count();
    let _ = write!(
        text,
        "\n{} block ciphers, {} stream ciphers, {} hashes; HMAC, HKDF and PBKDF2 over {hashes} of \
         the hashes: {} names with all modes.\n",
        ciphers.len(),
        dynamic::stream_ciphers().count(),
        Hash::names().count(),
        dynamic::names().count(),
    );
    text
}

/// Writes the table of a family: id, lengths, kernels, and the kernels that valgrind cannot
/// run.
fn table<'a>(
    text: &mut String,
    family: &str,
    figures: &str,
    rows: impl Iterator<Item = (&'a str, String, &'static [&'static str])>,
) {
    let columns = "---|".repeat(figures.split('|').count());
    let _ = writeln!(
        text,
        "| {family} | {figures} | kernels | not run for constant time |"
    );
    let _ = writeln!(text, "|---|{columns}---|---|");
    for (id, figures, kernels) in rows {
        let lacking = |kernel: &&&str| NOT_IN_VALGRIND.iter().any(|part| kernel.contains(part));
        let lacking: Vec<&str> = kernels.iter().filter(lacking).copied().collect();
        let lacking = if lacking.is_empty() {
            "–".to_owned()
        } else {
            lacking.join(", ")
        };
        let _ = writeln!(
            text,
            "| `{id}` | {figures} | {} | {lacking} |",
            kernels.join(", ")
        );
    }
    text.push('\n');
}

fn lengths(of: KeyLengths) -> String {
    let KeyLengths { min, max, step } = of;
    match (max - min) / step.max(1) {
        0 if max == 0 => "none".to_owned(),
        0 => max.to_string(),
        1 => format!("{min}, {max}"),
        _ if max > 1 << 16 => format!("{min} or more"),
        _ if step == 1 => format!("{min}–{max}"),
        _ => format!("{min}–{max} by {step}"),
    }
}
