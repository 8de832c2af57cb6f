//! What is left of secrets in a C program that has called libtouchstone: nothing.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

#[path = "../../../touchstone/tests/common/residue.rs"]
mod residue;

use std::path::{Path, PathBuf};
use std::process::Command;

use residue::{Client, Request, runs};
use touchstone::dynamic::{Aead, Cipher, Drbg, Hash, KeyWrap, Mac, NonceMac, derivations};
use touchstone_password::Method;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Kinds of padding.
const PADDINGS: &[&str] = &["pkcs7", "iso7816-4", "ansi-x9.23", "zero"];

/// What touchstone.h has besides the functions that the client calls: they take no secret, or, as
/// `touchstone_random` and the generators with a seed of the system, give one that no search can
/// know.
const WITHOUT_SECRET: &[&str] = &[
    "touchstone_aead_set_tag_size",
    "touchstone_cipher_piece_size",
    "touchstone_cipher_set_parameter",
    "touchstone_crypt_gensalt",
    "touchstone_drbg_set_reseed_interval",
    "touchstone_drbg_system_new",
    "touchstone_generator_new",
    "touchstone_generator_reseed",
    "touchstone_hash_block_size",
    "touchstone_kernel",
    "touchstone_mac_set_tag_size",
    "touchstone_random",
    "touchstone_strerror",
    "touchstone_version",
    "touchstone_wipe",
];

/// Cheap settings of every method of crypt(3).
const SETTINGS: &[&str] = &[
    "ab",
    "abababababababababab",
    "_/...CCCC",
    "$1$abcdefgh",
    "$3$",
    "$5$rounds=1000$saltstring",
    "$6$rounds=1000$saltstring",
    "$2a$04$abcdefghijklmnopqrstuu",
    "$2b$04$abcdefghijklmnopqrstuu",
    "$2x$04$abcdefghijklmnopqrstuu",
    "$2y$04$abcdefghijklmnopqrstuu",
    "$sha1$12$GGXpNqoJvglVTkGU",
    "$md5,rounds=12$9ZLwtuTO$",
    "$7$66..../....SodiumChloride",
    "$y$j75$LdJMENpBABJJ3hIHjB1Bi.",
    "$gy$j75$LdJMENpBABJJ3hIHjB1Bi.",
];

fn random(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("random bytes");
}

/// A phrase has no zero byte but its last, and the methods of DES drop the highest bits.
fn random_phrase(bytes: &mut [u8]) {
    let Some((end, phrase)) = bytes.split_last_mut() else {
        return;
    };
    random(phrase);
    phrase.iter_mut().for_each(|byte| *byte = b' ' + *byte % 95);
    *end = 0;
}

/// The lengths of the secret and the message in a request.
const BOTH: [usize; 2] = [512, 8192];
const PHRASE: [usize; 2] = [0, 41];

fn request(name: String, lengths: [usize; 2], fill: impl Fn(&mut [u8])) -> Request {
    let [secret, message] = lengths.map(|length| {
        let mut bytes = vec![0; length];
        fill(&mut bytes);
        bytes
    });
    Request {
        name,
        secret,
        message,
    }
}

/// The library, and a program that is bound to it when it starts or at each first call.
fn program(folder: &Path, binding: &str) -> PathBuf {
    let built = std::env::current_exe().expect("a path");
    let built = built
        .parent()
        .expect("a folder")
        .join("libtouchstone_capi.so");
    for name in ["libtouchstone.so", "libtouchstone.so.0"] {
        std::fs::copy(&built, folder.join(name)).expect("the library");
    }
    let program = folder.join(binding);
    let status = Command::new("cc")
        .args(["-std=gnu99", "-O1", "-Wall", "-Wextra", "-Werror"])
        .arg("-I")
        .arg(Path::new(ROOT).join("include"))
        .arg("-I")
        .arg(Path::new(ROOT).join("../touchstone/tests/common"))
        .arg(Path::new(ROOT).join("tests/secrets/client.c"))
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(folder)
        .arg("-ltouchstone")
        .arg(format!("-Wl,-rpath,{},-z,{binding}", folder.display()))
        .status()
        .expect("cc runs");
    assert!(status.success(), "cc fails");
    program
}

/// A new method of crypt(3) needs a setting here.
#[test]
fn every_method_has_a_setting() {
    for method in Method::ALL {
        let of = |setting: &&str| Method::identify(setting.as_bytes()) == Some(method);
        assert!(SETTINGS.iter().any(of), "{method:?}");
    }
}

/// A new function of touchstone.h needs a call in client.c, or a place in [`WITHOUT_SECRET`].
#[test]
fn every_function_is_called() {
    let read = |path: &str| std::fs::read_to_string(Path::new(ROOT).join(path)).expect("a file");
    let (header, client) = (read("include/touchstone.h"), read("tests/secrets/client.c"));
    let declared = header.rsplit("begin declarations").next().expect("a mark");
    let mut functions = 0;
    for before in declared.split('(') {
        let name = before
            .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
            .next();
        let name = name.unwrap_or_default();
        let queries = ["_name", "_sizes", "_sizes_of", "_size_of", "_insecure"];
        if !name.starts_with("touchstone_") || queries.iter().any(|end| name.ends_with(end)) {
            continue;
        }
        let called = client.contains(&format!("{name}("));
        assert!(called != WITHOUT_SECRET.contains(&name), "{name}");
        functions += 1;
    }
    assert!(functions > 50, "{functions}");
}

/// Everything that the library has a name for.
fn everything() -> Vec<String> {
    let of = |family: &'static str| move |name: String| format!("{family} {name}");
    let mut all: Vec<String> = Cipher::names().map(of("encrypt")).collect();
    all.extend(Cipher::names().map(of("decrypt")));
    all.extend(Aead::names().map(of("aead")));
    all.extend(Hash::names().map(String::from).map(of("hash")));
    all.extend(Mac::names().chain(NonceMac::names()).map(of("mac")));
    all.extend(KeyWrap::names().map(of("wrap")));
    all.extend(derivations().map(|name| derivation(&name)));
    all.extend(Drbg::names().map(String::from).map(of("drbg")));
    all.extend(PADDINGS.iter().map(|name| format!("padding {name}")));
    let others = [
        "scrypt",
        "argon2d",
        "argon2i",
        "argon2id",
        "generator",
        "tuple tuplehash128",
        "tuple tuplehashxof256",
        "parallel parallelhash128",
        "parallel parallelhashxof256",
        "equal",
    ];
    all.extend(others.map(String::from));
    all
}

/// The inputs that a key derivation takes, as the documentation of `Derivation` has them.
fn derivation(name: &str) -> String {
    let kind = name.split('-').next().unwrap_or_default();
    let of_mac = ["counter-", "feedback-", "pipeline-"]
        .iter()
        .find_map(|mode| name.split_once(mode));
    let secret = match of_mac {
        Some((_, mac)) => Mac::key_lengths(mac).expect("a MAC").min.max(1),
        None => 100,
    };
    let (salt, info, iterations) = match kind {
        "hkdf" => (8, 20, 0),
        "pbkdf1" | "pbkdf2" | "bcrypt" => (8, 0, 3),
        "s2k" => (8, 0, 5000),
        "kdf1" | "kdf2" | "kdf3" => (0, 20, 0),
        "mgf1" => (0, 0, 0),
        _ if name.contains("feedback") => (8, 20, 0),
        _ => (0, 20, 0),
    };
    let key = if kind == "pbkdf1" { 16 } else { 100 };
    format!("derive {secret} {salt} {info} {iterations} {key} {name}")
}

/// The short search takes one of so many parts of the names for each way to bind, and other parts
/// tomorrow.
const PARTS: usize = 6;

/// Searches for what each of these calls leaves. Gives the number of calls, and what was found.
fn search(program: &Path, wanted: impl Fn(usize, &str) -> bool) -> (usize, Vec<String>) {
    type Fill = fn(&mut [u8]);
    let names = everything().into_iter();
    let names = names.map(|name| (request(name, BOTH, random), random as Fill));
    let phrases = SETTINGS.iter().map(|setting| {
        let name = format!("password {setting}");
        (request(name, PHRASE, random_phrase), random_phrase as Fill)
    });
    let mut client = Client::start(&mut Command::new(program));
    let (mut number, mut left) = (0, Vec::new());
    for (at, (request, mut fill)) in names.chain(phrases).enumerate() {
        if wanted(at, &request.name) {
            let found = client.residue(&request, &mut fill);
            found.iter().for_each(|line| println!("{line}"));
            left.extend(found);
            number += 1;
        }
    }
    (number, left)
}

/// A part of the names for each way to bind. With `TOUCHSTONE_SECRETS_RUNS`, so many runs of all
/// names for each way; with `TOUCHSTONE_SECRETS`, all names that contain this text.
#[test]
fn nothing_is_left() {
    if cfg!(debug_assertions) {
        println!(
            "SKIPPED: the search of memory, because this profile uses more of the stack; make secrets"
        );
        return;
    }
    let only = std::env::var("TOUCHSTONE_SECRETS").unwrap_or_default();
    let only = only.as_str();
    let whole = runs().is_some() || !only.is_empty();
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed();
    let today = (now.expect("a clock").as_secs() / 86400) as usize;
    let folder = tempfile::tempdir().expect("a folder");
    let programs = ["lazy", "now"].map(|binding| (binding, program(folder.path(), binding)));
    for _ in 0..runs().unwrap_or(1) {
        std::thread::scope(|scope| {
            let searches = [0, 1].map(|way| {
                let (binding, program) = &programs[way];
                let part = (today + way * PARTS / 2) % PARTS;
                let wanted = move |at: usize, name: &str| {
                    name.contains(only) && (whole || at % PARTS == part)
                };
                (*binding, scope.spawn(move || search(program, wanted)))
            });
            for (binding, searching) in searches {
                let (number, left) = searching.join().expect("a search");
                println!("{number} searched, bound {binding}; {} places", left.len());
                assert!(number > 0, "nothing was searched");
                assert_eq!(left.first(), None, "bound {binding}, of {}", left.len());
            }
        });
    }
}

#[test]
fn a_planted_leak_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut client = Client::start(&mut Command::new(program(folder.path(), "lazy")));
    for place in [
        "key on the stack",
        "word on the stack",
        "freed heap",
        "vector register",
    ] {
        let request = request(format!("planted {place}"), BOTH, random);
        assert!(!client.residue(&request, &mut random).is_empty(), "{place}");
    }
    let clean = request("planted nowhere".to_owned(), BOTH, random);
    assert_eq!(
        client.residue(&clean, &mut random),
        [""; 0],
        "nothing planted"
    );
}
