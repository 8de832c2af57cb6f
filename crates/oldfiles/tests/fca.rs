//! FCA, FCA256 and FZCA: files that the genuine programs made, files of our own, and faults.
//! `tests/files/README.md` names the sources.

mod common;

use common::{FOX, accepting, faults, file, open, plain, sample};
use oldfiles::{
    Error, FcaCipher, FcaMode, FcaOptions, Format, Passphrase, Secrets, Settings, Warning,
    identify, seal_fca,
};

const PHRASE: &str = "test1234";

fn with(cipher: FcaCipher) -> Settings {
    Settings {
        fca_cipher: cipher,
        ..Settings::default()
    }
}

#[test]
fn genuine_files_are_opened() {
    for (name, format, cipher, content) in [
        ("fca128-eax-a44.txt.fca", Format::Fca, FcaCipher::Aes, FOX),
        ("fca128-eax-empty.txt.fca", Format::Fca, FcaCipher::Aes, b""),
        ("fca128-hmac-a44.txt.fca", Format::Fca, FcaCipher::Aes, FOX),
        (
            "fca256-eax-a44.txt.fca",
            Format::Fca256,
            FcaCipher::Aes,
            FOX,
        ),
        (
            "fca256-hmac-b70000.bin.fca",
            Format::Fca256,
            FcaCipher::Aes,
            &sample(70_000),
        ),
        ("fzca-eax-a44.txt.fca", Format::Fzca, FcaCipher::Aes, FOX),
        ("fzca-hmac-empty.txt.fca", Format::Fzca, FcaCipher::Aes, b""),
        ("t_fct-hmac-a44.fca", Format::Fca, FcaCipher::Twofish, FOX),
        (
            "t_fcs256-eax-a44.fca",
            Format::Fca256,
            FcaCipher::Serpent,
            FOX,
        ),
    ] {
        let bytes = file(&format!("fca/{name}"));
        assert_eq!(identify(&bytes), Some(format), "{name}");
        assert_eq!(
            plain(format, &bytes, PHRASE, &with(cipher)),
            content,
            "{name}"
        );
    }
}

/// The passphrase "päss-üw" was typed on a system with Latin-1.
#[test]
fn a_passphrase_is_tried_in_all_encodings() {
    let bytes = file("fca/pwlatin1.fca");
    let secrets = Secrets::passphrase("päss-üw");
    let (report, memory) =
        open(Format::Fca, &bytes, &secrets, &Settings::default()).expect("Latin-1");
    assert_eq!(memory.entries[0].1, FOX);
    assert!(report.warnings.contains(&Warning::Encoding("latin-1")));
    let utf8 = Settings {
        encodings: vec![oldfiles::Encoding::Utf8],
        ..Settings::default()
    };
    let (error, _) = open(Format::Fca, &bytes, &secrets, &utf8).expect_err("UTF-8 alone");
    assert!(matches!(error, Error::WrongSecret));
    let bytes_of_it = Secrets {
        passphrases: vec![Passphrase::bytes(b"p\xe4ss-\xfcw")],
        ..Secrets::default()
    };
    assert!(open(Format::Fca, &bytes, &bytes_of_it, &utf8).is_ok());
}

/// The header does not tell the cipher: HMAC mode accepts the wrong one, EAX refuses it and tells
/// the right one.
#[test]
fn twins() {
    let secrets = Secrets::passphrase(PHRASE);
    let twofish = file("fca/t_fct-hmac-a44.fca");
    let (report, memory) = open(Format::Fca, &twofish, &secrets, &with(FcaCipher::Aes))
        .expect("the MAC does not depend on the cipher");
    assert_ne!(memory.entries[0].1, FOX);
    assert!(report.warnings.contains(&Warning::CipherNotRecorded));
    let serpent = file("fca/t_fcs256-eax-a44.fca");
    let (error, _) = open(Format::Fca256, &serpent, &secrets, &with(FcaCipher::Aes))
        .expect_err("EAX depends on the cipher");
    assert!(
        matches!(error, Error::OtherCipher { cipher: "serpent" }),
        "{error}"
    );
}

#[test]
fn wrong_passphrases() {
    let bytes = file("fca/fca128-eax-a44.txt.fca");
    let settings = Settings::default();
    let (error, _) = open(
        Format::Fca,
        &bytes,
        &Secrets::passphrase("wrong"),
        &settings,
    )
    .expect_err("a wrong passphrase");
    assert!(matches!(error, Error::WrongSecret));
    let (error, _) =
        open(Format::Fca, &bytes, &Secrets::default(), &settings).expect_err("no passphrase");
    assert!(matches!(error, Error::SecretMissing { .. }));
    let both = Secrets {
        passphrases: vec![Passphrase::text("wrong"), Passphrase::text(PHRASE)],
        ..Secrets::default()
    };
    assert!(open(Format::Fca, &bytes, &both, &settings).is_ok());
}

#[test]
fn every_change_is_found() {
    let secrets = Secrets::passphrase(PHRASE);
    for name in [
        "fca128-eax-a44.txt.fca",
        "fca128-hmac-a44.txt.fca",
        "fca256-eax-a44.txt.fca",
    ] {
        let bytes = file(&format!("fca/{name}"));
        let format = identify(&bytes).expect(name);
        // Bit 0 of byte 1 is the mode, and all other bytes are checked or derive the keys. No
        // cut leaves a valid file.
        faults(format, &bytes, &secrets, &Settings::default(), |_| false);
    }
    let zlib = file("fca/fzca-eax-a44.txt.fca");
    faults(Format::Fzca, &zlib, &secrets, &Settings::default(), |_| {
        false
    });
}

/// The header is not authenticated: without the flag of zlib the file opens, and gives the
/// compressed bytes. A report says so each time.
#[test]
fn the_flag_of_compression_is_not_authenticated() {
    let mut bytes = file("fca/fzca-eax-a44.txt.fca");
    bytes[1] ^= 2;
    let (report, memory) = open(
        Format::Fca,
        &bytes,
        &Secrets::passphrase(PHRASE),
        &Settings::default(),
    )
    .expect("the tag does not cover the flags");
    assert!(memory.entries[0].1.starts_with(&[0x78, 0x9c]));
    assert!(report.warnings.contains(&Warning::HeaderNotAuthenticated));
}

#[test]
fn our_files_are_opened() {
    let ciphers = [FcaCipher::Aes, FcaCipher::Twofish, FcaCipher::Serpent];
    for format in [Format::Fca, Format::Fca256, Format::Fzca] {
        for mode in [FcaMode::Eax, FcaMode::Hmac] {
            for cipher in ciphers {
                for length in [0, 1, 15, 16, 17, 65_535, 65_536, 200_001] {
                    let content = sample(length);
                    let options = FcaOptions {
                        format,
                        mode,
                        cipher,
                    };
                    let mut made = Vec::new();
                    let count = seal_fca(&mut &content[..], &mut made, b"phrase", &options);
                    assert_eq!(count.ok(), Some(length as u64));
                    assert_eq!(identify(&made), Some(format));
                    assert_eq!(plain(format, &made, "phrase", &with(cipher)), content);
                }
            }
        }
    }
}

#[test]
fn settings_that_cannot_be() {
    let seal = |phrase: &[u8], format| {
        let options = FcaOptions {
            format,
            mode: FcaMode::Eax,
            cipher: FcaCipher::Aes,
        };
        seal_fca(&mut &b""[..], &mut Vec::new(), phrase, &options)
    };
    assert!(matches!(seal(b"", Format::Fca), Err(Error::Setting { .. })));
    assert!(matches!(
        seal(&[b'x'; 256], Format::Fca),
        Err(Error::Setting { .. })
    ));
    assert!(matches!(
        seal(b"x", Format::Age),
        Err(Error::Setting { .. })
    ));
    assert!(seal(&[b'x'; 255], Format::Fca).is_ok());
}

/// A passphrase of more than 255 bytes opens what the original programs made of it: they cut it.
#[test]
fn long_passphrases_are_cut() {
    let options = FcaOptions {
        format: Format::Fca,
        mode: FcaMode::Eax,
        cipher: FcaCipher::Aes,
    };
    let mut made = Vec::new();
    seal_fca(&mut &FOX[..], &mut made, &[b'x'; 255], &options).expect("sealed");
    let secrets = Secrets::passphrase(&"x".repeat(300));
    let (report, _) = open(Format::Fca, &made, &secrets, &Settings::default()).expect("opened");
    assert!(report.warnings.contains(&Warning::PassphraseCut(255)));
}

/// A small file that inflates to 64 MiB, with a cap of 1 MiB.
#[test]
fn inflation_is_capped() {
    let options = FcaOptions {
        format: Format::Fzca,
        mode: FcaMode::Eax,
        cipher: FcaCipher::Aes,
    };
    let mut made = Vec::new();
    let mut zeros = std::io::Read::take(std::io::repeat(0), 64 << 20);
    seal_fca(&mut zeros, &mut made, b"phrase", &options).expect("sealed");
    assert!(made.len() < 100_000);
    let mut settings = accepting();
    settings.limits.plaintext = 1 << 20;
    let (error, memory) = open(
        Format::Fzca,
        &made,
        &Secrets::passphrase("phrase"),
        &settings,
    )
    .expect_err("above the cap");
    assert!(matches!(error, Error::Limit { what: "plaintext", limit, .. } if limit == 1 << 20));
    assert!(error.to_string().contains("1048576"));
    assert!(memory.entries[0].1.len() <= 1 << 20);
}
