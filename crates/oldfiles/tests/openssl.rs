//! `openssl enc`: all ciphers, digests and key derivations of the command that is here, and the
//! guesses.

mod common;

use std::process::Command;

use common::{FOX, accepting, open, program, run, sample};
use oldfiles::{
    Authentication, Derivation, Error, Format, Parameters, Passphrase, Salt, Secrets, Settings,
    Warning, identify,
};

const PHRASE: &str = "test1234";

/// A file of `openssl enc`, or why the command does not make it.
fn make(arguments: &[&str], content: &[u8]) -> Result<Vec<u8>, String> {
    let mut command = Command::new("openssl");
    command
        .arg("enc")
        .args(arguments)
        .args(["-pass", &format!("pass:{PHRASE}")]);
    command.args(["-provider", "legacy", "-provider", "default"]);
    run(&mut command, content)
}

fn settings(cipher: &str, derivation: Option<Derivation>) -> Settings {
    Settings {
        openssl: Parameters {
            cipher: (!cipher.is_empty()).then(|| cipher.to_owned()),
            derivation,
            ..Parameters::default()
        },
        ..accepting()
    }
}

fn old(digest: &str) -> Derivation {
    Derivation::BytesToKey {
        digest: digest.to_owned(),
    }
}

fn new(digest: &str, iterations: u32) -> Derivation {
    Derivation::Pbkdf2 {
        digest: digest.to_owned(),
        iterations,
    }
}

fn secrets() -> Secrets {
    Secrets::passphrase(PHRASE)
}

fn content(bytes: &[u8], settings: &Settings) -> Vec<u8> {
    let (report, memory) = open(Format::OpensslEnc, bytes, &secrets(), settings)
        .unwrap_or_else(|(error, _)| panic!("{:?}: {error}", settings.openssl));
    assert_eq!(report.authentication, Authentication::No);
    memory.entries[0].1.clone()
}

const FAMILIES: &[&str] = &[
    "aes-128",
    "aes-192",
    "aes-256",
    "aria-128",
    "aria-192",
    "aria-256",
    "camellia-128",
    "camellia-192",
    "camellia-256",
    "sm4",
    "seed",
    "bf",
    "cast5",
    "des",
    "des-ede",
    "des-ede3",
    "idea",
    "rc2",
    "rc5",
];
const OTHERS: &[&str] = &[
    "rc2-64-cbc",
    "rc2-40-cbc",
    "rc4",
    "rc4-40",
    "chacha20",
    "des3",
    "aes256",
    "bf",
    "cast",
    "des-ede",
    "des-ede3",
    "blowfish",
    "camellia128",
];

#[test]
fn every_cipher_of_the_command() {
    if program("openssl", "version").is_none() {
        return;
    }
    let modes = ["cbc", "ecb", "cfb", "cfb8", "ofb", "ctr"];
    let all = FAMILIES
        .iter()
        .flat_map(|family| modes.map(|mode| format!("{family}-{mode}")));
    let plain = sample(5000);
    let mut opened = 0;
    for cipher in all.chain(OTHERS.iter().map(|&name| name.to_owned())) {
        let dash = format!("-{cipher}");
        match make(&[&dash, "-md", "sha256"], &plain) {
            Ok(made) => {
                assert_eq!(identify(&made), Some(Format::OpensslEnc));
                assert_eq!(
                    content(&made, &settings(&cipher, Some(old("sha256")))),
                    plain,
                    "{cipher}"
                );
                opened += 1;
            }
            Err(_) => println!("SKIPPED: this openssl makes no {cipher}"),
        }
    }
    // Every build has AES in six modes, and ChaCha20.
    assert!(opened >= 19, "{opened}");
}

#[test]
fn every_digest_and_derivation() {
    if program("openssl", "version").is_none() {
        return;
    }
    let mut opened = 0;
    for digest in [
        "md4",
        "md5",
        "sha1",
        "sha224",
        "sha256",
        "sha384",
        "sha512",
        "sha512-224",
        "sha512-256",
        "sha3-224",
        "sha3-256",
        "sha3-384",
        "sha3-512",
        "blake2b512",
        "blake2s256",
        "rmd160",
        "whirlpool",
        "sm3",
    ] {
        let two = [
            (old(digest), vec!["-aes-256-cbc", "-md", digest]),
            (
                new(digest, 1234),
                vec!["-aes-256-cbc", "-md", digest, "-pbkdf2", "-iter", "1234"],
            ),
        ];
        for (derivation, arguments) in two {
            match make(&arguments, FOX) {
                Ok(made) => {
                    assert_eq!(
                        content(&made, &settings("aes-256-cbc", Some(derivation))),
                        FOX,
                        "{digest}"
                    );
                    opened += 1;
                }
                Err(_) => println!("SKIPPED: this openssl has no {digest}"),
            }
        }
    }
    assert!(opened >= 12, "{opened}");
}

#[test]
fn forms_without_header_in_base64_and_without_padding() {
    if program("openssl", "version").is_none() {
        return;
    }
    let cbc = ["-aes-256-cbc", "-md", "sha256"];
    let with = |more: &[&str]| make(&[&cbc, more].concat(), &sample(1000)).expect("made");
    let named = settings("aes-256-cbc", Some(old("sha256")));
    for text in [with(&["-a"]), with(&["-a", "-A"])] {
        assert_eq!(identify(&text), Some(Format::OpensslEnc));
        assert_eq!(content(&text, &named), sample(1000));
    }
    let mut no_salt = named.clone();
    no_salt.openssl.salt = Salt::None;
    assert_eq!(content(&with(&["-nosalt"]), &no_salt), sample(1000));
    no_salt.openssl.base64 = true;
    assert_eq!(content(&with(&["-nosalt", "-a"]), &no_salt), sample(1000));
    // Since 3.0 a salt on the command line is not written to the file; before, it was.
    let made = with(&["-S", "0102030405060708"]);
    let mut known = named.clone();
    if !made.starts_with(b"Salted__") {
        known.openssl.salt = Salt::Known(vec![1, 2, 3, 4, 5, 6, 7, 8]);
    }
    assert_eq!(content(&made, &known), sample(1000));
    let mut no_padding = named;
    no_padding.openssl.no_padding = true;
    let made = make(&[&cbc[..], &["-nopad"]].concat(), &sample(160)).expect("made");
    assert_eq!(content(&made, &no_padding), sample(160));
}

#[test]
fn guesses() {
    if program("openssl", "version").is_none() {
        return;
    }
    for (arguments, expected) in [
        (
            vec!["-aes-256-cbc", "-md", "sha256"],
            "aes-256-cbc, EVP_BytesToKey with sha256",
        ),
        (
            vec!["-aes-256-cbc", "-md", "md5"],
            "aes-256-cbc, EVP_BytesToKey with md5",
        ),
        (
            vec!["-aes-128-cbc", "-pbkdf2"],
            "aes-128-cbc, PBKDF2 with sha256, 10000 iterations",
        ),
        (
            vec!["-des-ede3-cbc", "-md", "sha1"],
            "des-ede3-cbc, EVP_BytesToKey with sha1",
        ),
    ] {
        let text = b"A letter, in words that people read.\n";
        let made = make(&arguments, text).expect("made");
        let (report, memory) = open(Format::OpensslEnc, &made, &secrets(), &settings("", None))
            .unwrap_or_else(|(error, _)| panic!("{expected}: {error}"));
        let guessed = report.warnings.iter().find_map(|warning| match warning {
            Warning::Guessed(all) => Some(all.clone()),
            _ => None,
        });
        assert_eq!(guessed.expect("a guess")[0], expected);
        assert_eq!(memory.entries[0].1, text, "{expected}");
    }
}

/// Files of the kinds above, without the command: AES-256-CBC with SHA-256, OpenSSL 3.0.19.
#[test]
fn refusals() {
    let fox = common::file("openssl/aes-256-cbc-sha256.enc");
    let named = settings("aes-256-cbc", Some(old("sha256")));
    assert_eq!(content(&fox, &named), FOX);
    assert_eq!(content(&fox, &settings("", None)), FOX);
    let refused = |bytes: &[u8], secrets: &Secrets, settings: &Settings| {
        open(Format::OpensslEnc, bytes, secrets, settings)
            .map(|_| ())
            .expect_err("refused")
            .0
    };
    let not_accepted = Settings {
        accept_unauthenticated: false,
        ..named.clone()
    };
    assert!(matches!(
        refused(&fox, &secrets(), &not_accepted),
        Error::Unauthenticated
    ));
    let wrong = refused(&fox, &Secrets::passphrase("wrong"), &named);
    assert!(matches!(wrong, Error::WrongSecretOrDamaged));
    assert!(matches!(
        refused(&fox, &Secrets::default(), &named),
        Error::SecretMissing { .. }
    ));
    for length in [0, 4, 7] {
        let cut = refused(&fox[..length], &secrets(), &named);
        assert!(matches!(cut, Error::Truncated { .. }), "{length}: {cut}");
    }
    for length in [10, 16, 17, 31, 33, 63] {
        let cut = refused(&fox[..length], &secrets(), &named);
        assert!(matches!(cut, Error::Truncated { .. }), "{length}: {cut}");
    }
    assert!(matches!(
        refused(b"no such file", &secrets(), &named),
        Error::OtherFormat { .. }
    ));
    let gcm = settings("aes-256-gcm", Some(old("sha256")));
    assert!(matches!(
        refused(&fox, &secrets(), &gcm),
        Error::Unsupported { .. }
    ));
    let stream = settings("aes-256-ctr", None);
    assert!(matches!(
        refused(&fox, &secrets(), &stream),
        Error::Setting { .. }
    ));
    let mut capped = settings("aes-256-cbc", Some(new("sha256", 2_000_000_000)));
    let limit = refused(&fox, &secrets(), &capped);
    assert!(matches!(
        limit,
        Error::Limit {
            what: "iterations",
            asked: Some(2_000_000_000),
            ..
        }
    ));
    capped.openssl.derivation = Some(new("sha256", 0));
    assert!(matches!(
        refused(&fox, &secrets(), &capped),
        Error::Setting { .. }
    ));
    let both = Secrets {
        passphrases: vec![Passphrase::text("wrong"), Passphrase::text(PHRASE)],
        ..Secrets::default()
    };
    assert!(open(Format::OpensslEnc, &fox, &both, &named).is_ok());
}
