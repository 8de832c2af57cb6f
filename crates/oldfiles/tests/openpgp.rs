//! OpenPGP with a passphrase: files of GnuPG, the command `gpg`, RFC 9580's samples, and faults.

mod common;

use std::path::Path;
use std::process::Command;

use common::{FOX, accepting, faults, file, open, plain, program, run, sample};
use oldfiles::{Authentication, Error, Format, Secrets, Settings, Warning, identify};

const PHRASE: &str = "test1234";

#[test]
fn files_of_gnupg() {
    for name in [
        "aes256.gpg",
        "twofish-bzip2.asc",
        "3des.gpg",
        "ocb-aes256.gpg",
        "ocb-camellia128.gpg",
    ] {
        let bytes = file(&format!("gpg/{name}"));
        assert_eq!(identify(&bytes), Some(Format::OpenPgp), "{name}");
        assert_eq!(
            plain(Format::OpenPgp, &bytes, PHRASE, &Settings::default()),
            FOX,
            "{name}"
        );
    }
}

/// Ten chunks of 1 KiB: each can be forged, exchanged or left out.
#[test]
fn chunks_of_gnupg() {
    let bytes = file("gpg/ocb-chunks.gpg");
    let zeros = vec![0; 10_000];
    assert_eq!(
        plain(Format::OpenPgp, &bytes, PHRASE, &Settings::default()),
        zeros
    );
    let secrets = Secrets::passphrase(PHRASE);
    for at in (200..bytes.len()).step_by(97) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        let opened = open(Format::OpenPgp, &changed, &secrets, &Settings::default());
        let (error, memory) = opened.expect_err("forged");
        assert!(memory.entries.is_empty(), "{at}: {error}");
        let cut = open(
            Format::OpenPgp,
            &bytes[..at],
            &secrets,
            &Settings::default(),
        );
        let (error, memory) = cut.expect_err("cut off");
        assert!(memory.entries.is_empty(), "{at}: {error}");
    }
}

#[test]
fn a_message_without_authentication() {
    let bytes = file("gpg/cast5-no-mdc.gpg");
    let secrets = Secrets::passphrase(PHRASE);
    let (error, memory) =
        open(Format::OpenPgp, &bytes, &secrets, &Settings::default()).expect_err("not accepted");
    assert!(matches!(error, Error::Unauthenticated));
    assert!(memory.entries.is_empty());
    let (report, memory) = open(Format::OpenPgp, &bytes, &secrets, &accepting()).expect("accepted");
    assert_eq!(memory.entries[0].1, FOX);
    assert_eq!(report.authentication, Authentication::No);
    assert!(report.warnings.contains(&Warning::NotAuthenticated));
}

#[test]
fn wrong_passphrases() {
    for name in [
        "aes256.gpg",
        "twofish-bzip2.asc",
        "3des.gpg",
        "ocb-aes256.gpg",
        "ocb-camellia128.gpg",
    ] {
        let bytes = file(&format!("gpg/{name}"));
        let opened =
            |secrets: &Secrets| open(Format::OpenPgp, &bytes, secrets, &Settings::default());
        let (error, memory) = opened(&Secrets::passphrase("wrong")).expect_err("wrong");
        assert!(
            matches!(error, Error::WrongSecretOrDamaged),
            "{name}: {error}"
        );
        assert!(memory.entries.is_empty());
        let (error, _) = opened(&Secrets::default()).expect_err("missing");
        assert!(matches!(error, Error::SecretMissing { .. }));
    }
}

#[test]
fn every_change_is_found() {
    let secrets = Secrets::passphrase(PHRASE);
    for name in ["aes256.gpg", "ocb-aes256.gpg"] {
        let bytes = file(&format!("gpg/{name}"));
        faults(
            Format::OpenPgp,
            &bytes,
            &secrets,
            &Settings::default(),
            |_| false,
        );
    }
}

/// RFC 9580, appendices A.9 to A.11: "Hello, world!" with the passphrase "password", version 2
/// with EAX, OCB and GCM.
#[test]
fn samples_of_rfc_9580() {
    for mode in ["eax", "ocb", "gcm"] {
        let bytes = file(&format!("gpg/rfc9580-{mode}.asc"));
        let secrets = Secrets::passphrase("password");
        let (report, memory) = open(Format::OpenPgp, &bytes, &secrets, &Settings::default())
            .unwrap_or_else(|(error, _)| panic!("{mode}: {error}"));
        assert_eq!(memory.entries[0].1, b"Hello, world!", "{mode}");
        assert!(report.cipher.contains(mode));
    }
}

fn gpg(home: &Path, arguments: &[&str], content: &[u8]) -> Result<Vec<u8>, String> {
    let mut command = Command::new("gpg");
    command.arg("--homedir").arg(home);
    command.args([
        "--batch",
        "--quiet",
        "--pinentry-mode",
        "loopback",
        "--passphrase",
        PHRASE,
    ]);
    command
        .args(["--s2k-count", "65536"])
        .args(arguments)
        .arg("--symmetric");
    run(&mut command, content)
}

#[test]
fn the_command_gpg() {
    if program("gpg", "--version").is_none() {
        return;
    }
    let home = tempfile::tempdir().expect("a folder");
    let whole = sample(300_000);
    let ciphers = [
        "IDEA",
        "3DES",
        "CAST5",
        "BLOWFISH",
        "AES",
        "AES192",
        "AES256",
        "TWOFISH",
        "CAMELLIA128",
        "CAMELLIA192",
        "CAMELLIA256",
    ];
    let mut opened = 0;
    let mut check = |arguments: &[&str], content: &[u8]| match gpg(home.path(), arguments, content)
    {
        Ok(made) => {
            assert_eq!(identify(&made), Some(Format::OpenPgp), "{arguments:?}");
            assert_eq!(
                plain(Format::OpenPgp, &made, PHRASE, &Settings::default()),
                content,
                "{arguments:?}"
            );
            opened += 1;
        }
        Err(error) => println!(
            "SKIPPED: this gpg does not make {arguments:?}: {}",
            error.trim()
        ),
    };
    for cipher in ciphers {
        check(&["--cipher-algo", cipher], &whole);
    }
    for digest in ["SHA1", "RIPEMD160", "SHA224", "SHA256", "SHA384", "SHA512"] {
        check(&["--s2k-digest-algo", digest, "--armor"], FOX);
    }
    for mode in ["0", "1", "3"] {
        check(&["--s2k-mode", mode], FOX);
    }
    for compression in ["none", "zip", "zlib", "bzip2"] {
        check(&["--compress-algo", compression], &whole);
        check(&["--compress-algo", compression], b"");
    }
    assert!(opened >= 10, "{opened}");
}

/// Compressed data that inflates beyond the cap.
#[test]
fn inflation_is_capped() {
    if program("gpg", "--version").is_none() {
        return;
    }
    let home = tempfile::tempdir().expect("a folder");
    let made = match gpg(
        home.path(),
        &["--compress-algo", "bzip2"],
        &vec![0; 8 << 20],
    ) {
        Ok(made) => made,
        Err(error) => {
            println!("SKIPPED: this gpg does not run here: {}", error.trim());
            return;
        }
    };
    assert!(made.len() < 10_000);
    let mut settings = Settings::default();
    settings.limits.plaintext = 1 << 20;
    let (error, _) = open(
        Format::OpenPgp,
        &made,
        &Secrets::passphrase(PHRASE),
        &settings,
    )
    .expect_err("above the cap");
    assert!(
        matches!(
            error,
            Error::Limit {
                what: "plaintext",
                ..
            }
        ),
        "{error}"
    );
}
