//! Which of the paper's algorithms each library has: its Table 3, from the answers of a run.

use crate::view::exhibit::{Exhibit, Figure};
use crate::view::lens::Lens;
use crate::view::published::Sheet;

/// The paper's name of an algorithm, with prefixes of ids.
type Algorithm = (&'static str, &'static [&'static str]);

/// The columns of the paper's Table 3. Each lists the algorithms with prefixes of the ids
/// (`primitive operation`) that they have here.
const COVERAGE: [(&str, &[Algorithm]); 7] = [
    (
        "ciphers",
        &[
            ("AES", &["aes-"]),
            ("GOST 28147", &["gost28147"]),
            ("Serpent", &["serpent-"]),
            ("TDES", &["des-ede3"]),
            ("Twofish", &["twofish-"]),
        ],
    ),
    (
        "streams",
        &[
            ("Panama", &["panama"]),
            ("RC4", &["rc4"]),
            ("Salsa20", &["salsa20 "]),
            ("Sosemanuk", &["sosemanuk"]),
            ("Turing", &["turing"]),
            ("XSalsa20", &["xsalsa20 "]),
        ],
    ),
    (
        "MACs",
        &[
            ("ANSI X9.19", &["des retail-mac"]),
            ("CBC-MAC", &["aes-128 cbc-mac", "aes-256 cbc-mac"]),
            ("CMAC", &["aes-128 cmac", "aes-256 cmac"]),
            ("DES-MAC", &["des cbc-mac"]),
            ("DMAC", &["dmac"]),
            ("GMAC", &["aes-128 gmac", "aes-256 gmac"]),
            ("GOST 28147 MAC", &["gost28147 mac"]),
            ("HMAC", &["hmac-"]),
            ("UMAC", &["umac-"]),
            ("VMAC", &["vmac-"]),
        ],
    ),
    (
        "hashes",
        &[
            ("GOST 34.11", &["gost94", "streebog-"]),
            ("Keccak", &["keccak-", "sha3-"]),
            ("RIPEMD-256", &["ripemd-256"]),
            ("RIPEMD-320", &["ripemd-320"]),
            ("SHA-1", &["sha-1 "]),
            ("SHA-2", &["sha-256 "]),
            ("Skein-512", &["skein-512 "]),
            ("Tiger", &["tiger"]),
            ("Whirlpool", &["whirlpool"]),
        ],
    ),
    (
        "signatures",
        &[
            ("DSA", &["dsa-"]),
            ("DSS", &["dsa-"]),
            ("ECDSA", &["ecdsa-"]),
            ("ECGDSA", &["ecgdsa-"]),
            ("ECKCDSA", &["eckcdsa-"]),
            ("ECNR", &["ecnr-"]),
            ("GOST 34.10-2001", &["gost-3410-2001"]),
            ("Nyberg-Rueppel", &["nyberg-rueppel-"]),
            ("RSA", SIGNING_BY_RSA),
        ],
    ),
    (
        "encryption",
        &[
            ("ElGamal", &["elgamal-"]),
            ("Nyberg-Rueppel", &["nyberg-rueppel-"]),
            ("RSA", &["rsa-2048-oaep-", "rsa-2048-pkcs1 "]),
        ],
    ),
    (
        "agreement",
        &[("DH", &["dh-"]), ("DH2", &["dh2-"]), ("ECDH", &["ecdh-"])],
    ),
];

const SIGNING_BY_RSA: &[&str] = &["rsa-2048-pkcs1-sha-256 ", "rsa-2048-pss-"];

pub(in crate::view) fn coverage(lens: &Lens<'_>, sheet: &Sheet) -> Exhibit {
    let heads: Vec<&str> = ["library", ">has"]
        .into_iter()
        .chain(COVERAGE.iter().map(|(column, _)| *column))
        .collect();
    let mut exhibit = Exhibit::list("Coverage of the paper's algorithms", &heads);
    let of: usize = COVERAGE
        .iter()
        .map(|(_, algorithms)| algorithms.len())
        .sum();
    for id in lens.libraries() {
        let right: Vec<String> = lens
            .summary
            .verification
            .iter()
            .filter(|row| row.library == *id && row.passed + row.agreed > 0)
            .map(|row| format!("{} {}", row.primitive, row.operation))
            .collect();
        let mut count = 0;
        let mut figures: Vec<Figure> = COVERAGE
            .iter()
            .map(|(_, algorithms)| {
                let has: Vec<&str> = algorithms
                    .iter()
                    .filter(|(_, ids)| ids.iter().any(|id| right.iter().any(|r| r.starts_with(id))))
                    .map(|(name, _)| *name)
                    .collect();
                count += has.len();
                if has.is_empty() {
                    Figure::none()
                } else {
                    Figure::text(has.join(", "))
                }
            })
            .collect();
        figures.insert(0, Figure::text(format!("{count}/{of}")));
        exhibit.library(lens, id, figures);
    }
    for (name, values) in &sheet.rows {
        let count: usize = values
            .iter()
            .filter(|v| *v != "-")
            .map(|v| v.split(", ").count())
            .sum();
        let count = format!("{count}/{of}");
        exhibit.published(name, [count].into_iter().chain(values.iter().cloned()));
    }
    exhibit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::published::Published;

    #[test]
    fn coverage_knows_every_algorithm_of_the_paper() {
        let sheet = Published::open("libraries").unwrap().sheet("3").unwrap();
        let mut seen = 0;
        for (column, algorithms) in COVERAGE {
            for (library, _) in &sheet.rows {
                let cell = sheet.text(library, column);
                for name in cell.split(", ").filter(|name| *name != "–") {
                    assert!(algorithms.iter().any(|(known, _)| *known == name), "{name}");
                    seen += 1;
                }
            }
        }
        assert_eq!(seen, 118);
    }
}
