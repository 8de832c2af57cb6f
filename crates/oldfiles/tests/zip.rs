//! ZIP: files of 7-Zip, Info-ZIP and pyzipper, the commands that are here, and faults.

mod common;

use std::process::Command;

use common::{FOX, accepting, faults, file, open, program, run, sample};
use oldfiles::{
    Authentication, Error, Format, Kind, Secrets, Settings, Warning, identify, identify_file,
};

const PHRASE: &str = "test1234";

fn secrets() -> Secrets {
    Secrets::passphrase(PHRASE)
}

/// Names and contents.
fn files(bytes: &[u8], settings: &Settings) -> (Vec<(String, Vec<u8>)>, oldfiles::Report) {
    let (report, memory) = open(Format::Zip, bytes, &secrets(), settings)
        .unwrap_or_else(|(error, _)| panic!("{error}"));
    let files = memory
        .entries
        .into_iter()
        .filter(|(entry, _)| entry.kind == Kind::File);
    (
        files
            .map(|(entry, data)| (entry.name.expect("a name"), data))
            .collect(),
        report,
    )
}

fn fox() -> (String, Vec<u8>) {
    ("a.txt".to_owned(), FOX.to_vec())
}

#[test]
fn aes_of_other_programs() {
    let long = ("sub/b.txt".to_owned(), vec![b'x'; 3000]);
    let three = ("a.txt".to_owned(), FOX.repeat(3));
    for (name, cipher, expected) in [
        ("7z-aes256.zip", "aes-256", vec![fox(), long]),
        ("7z-aes128.zip", "aes-128", vec![fox()]),
        ("pyzipper-ae1.zip", "aes-192", vec![three.clone()]),
        ("pyzipper-ae2.zip", "aes-256", vec![three]),
    ] {
        let bytes = file(&format!("zip/{name}"));
        assert_eq!(identify(&bytes), Some(Format::Zip));
        let (files, report) = files(&bytes, &Settings::default());
        assert_eq!(files, expected, "{name}");
        assert!(
            report.cipher.starts_with(cipher),
            "{name}: {}",
            report.cipher
        );
        assert_eq!(report.authentication, Authentication::Yes, "{name}");
    }
}

#[test]
fn traditional_encryption_and_none() {
    for name in ["zip-traditional.zip", "7z-traditional.zip", "zip-plain.zip"] {
        let bytes = file(&format!("zip/{name}"));
        let (error, memory) =
            open(Format::Zip, &bytes, &secrets(), &Settings::default()).expect_err("not accepted");
        assert!(matches!(error, Error::Unauthenticated), "{name}");
        assert!(memory.entries.is_empty());
        let (files, report) = files(&bytes, &accepting());
        assert_eq!(files[0], fox(), "{name}");
        assert_eq!(report.authentication, Authentication::Checksum);
        let weak = report
            .warnings
            .iter()
            .any(|one| matches!(one, Warning::WeakCipher(_)));
        assert_eq!(weak, name != "zip-plain.zip");
    }
}

#[test]
fn wrong_passphrases() {
    let settings = accepting();
    for name in ["7z-aes256.zip", "pyzipper-ae1.zip"] {
        let bytes = file(&format!("zip/{name}"));
        let (error, memory) = open(
            Format::Zip,
            &bytes,
            &Secrets::passphrase("wrong"),
            &settings,
        )
        .expect_err("wrong");
        assert!(matches!(error, Error::WrongSecret), "{name}: {error}");
        assert!(memory.entries.is_empty());
        let (error, _) =
            open(Format::Zip, &bytes, &Secrets::default(), &settings).expect_err("none");
        assert!(matches!(error, Error::SecretMissing { .. }));
    }
    let bytes = file("zip/7z-traditional.zip");
    for phrase in (0..300).map(|number| format!("wrong {number}")) {
        let (error, _) = open(
            Format::Zip,
            &bytes,
            &Secrets::passphrase(&phrase),
            &settings,
        )
        .expect_err("wrong");
        let wrong = matches!(error, Error::WrongSecret | Error::WrongSecretOrDamaged);
        assert!(wrong, "{phrase}: {error}");
    }
}

/// The container around the encrypted data is not authenticated. Whatever is changed there, the
/// data that is written is the genuine data.
#[test]
fn every_change_is_found_or_harmless() {
    let bytes = file("zip/7z-aes128.zip");
    faults(
        Format::Zip,
        &bytes,
        &secrets(),
        &Settings::default(),
        |_| true,
    );
    // The salt, the verifier, the data and the tag lie between the local header and the directory.
    let directory = bytes
        .windows(4)
        .position(|four| four == b"PK\x01\x02")
        .expect("a directory");
    let local = 30 + usize::from(bytes[26]) + usize::from(bytes[28]);
    for at in local..directory {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        let opened = open(Format::Zip, &changed, &secrets(), &Settings::default());
        let (error, memory) = opened.expect_err("forged");
        assert!(
            matches!(error, Error::WrongSecret | Error::Damaged { .. }),
            "{at}: {error}"
        );
        assert!(memory.entries.is_empty(), "{at}");
    }
}

/// A name that goes up, in an archive that is otherwise right.
#[test]
fn hostile_names() {
    let mut bytes = file("zip/7z-aes128.zip");
    let name = b"a.txt";
    let places: Vec<usize> = (0..bytes.len() - name.len())
        .filter(|&at| bytes[at..].starts_with(name))
        .collect();
    assert_eq!(places.len(), 2);
    for hostile in [b"../ab", b"/abcd", b"a/../", b"C:abc", b"a\0abc"] {
        for &at in &places {
            bytes[at..at + name.len()].copy_from_slice(hostile);
        }
        let (error, memory) =
            open(Format::Zip, &bytes, &secrets(), &Settings::default()).expect_err("refused");
        let refused = matches!(error, Error::HostileName { .. } | Error::Malformed { .. });
        assert!(refused, "{hostile:?}: {error}");
        assert!(memory.entries.is_empty());
    }
}

#[test]
fn an_archive_behind_a_program() {
    let archive = file("zip/7z-aes128.zip");
    let program = [&sample(1000)[..], &archive].concat();
    assert_eq!(identify(&program), None);
    let found = identify_file(&mut std::io::Cursor::new(&program)).expect("readable");
    assert_eq!(found, Some(Format::Zip));
    assert_eq!(files(&program, &Settings::default()).0, [fox()]);
    let nothing = identify_file(&mut std::io::Cursor::new(sample(1000))).expect("readable");
    assert_eq!(nothing, None);
}

#[test]
fn the_commands() {
    let folder = tempfile::tempdir().expect("a folder");
    let content = sample(200_000);
    std::fs::write(folder.path().join("data.bin"), &content).expect("written");
    let expected = [("data.bin".to_owned(), content)];
    let cases: [(&str, &[&str]); 6] = [
        (
            "7z",
            &[
                "a",
                "-tzip",
                "-mem=AES256",
                "-ptest1234",
                "a.zip",
                "data.bin",
            ],
        ),
        (
            "7z",
            &[
                "a",
                "-tzip",
                "-mem=AES192",
                "-mm=BZip2",
                "-ptest1234",
                "b.zip",
                "data.bin",
            ],
        ),
        (
            "7z",
            &[
                "a",
                "-tzip",
                "-mem=AES128",
                "-mm=Copy",
                "-ptest1234",
                "c.zip",
                "data.bin",
            ],
        ),
        (
            "7z",
            &[
                "a",
                "-tzip",
                "-mem=ZipCrypto",
                "-ptest1234",
                "d.zip",
                "data.bin",
            ],
        ),
        ("zip", &["-P", "test1234", "e.zip", "data.bin"]),
        ("zip", &["-0", "-P", "test1234", "f.zip", "data.bin"]),
    ];
    for (name, arguments) in cases {
        if program(name, "--help").is_none() {
            continue;
        }
        let mut command = Command::new(name);
        command.args(arguments).current_dir(folder.path());
        run(&mut command, b"").expect(name);
        let archive = arguments[arguments.len() - 2];
        let bytes = std::fs::read(folder.path().join(archive)).expect("written");
        assert_eq!(
            files(&bytes, &accepting()).0,
            expected,
            "{name} {arguments:?}"
        );
    }
}
