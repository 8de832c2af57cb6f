//! Files of other programs: written, named and opened.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::place::Place;

#[test]
fn files_of_other_programs_are_written_named_and_opened() {
    let place = Place::new();
    let content = place.write("a", 100_000);
    place.done("keygen --x25519 -q -o curve");
    let curve = place.done("keygen --public curve");
    for (format, name) in [
        ("fca", "FCA"),
        ("fca-hmac", "FCA"),
        ("fca256", "FCA256"),
        ("fca256-hmac", "FCA256"),
        ("fzca", "FZCA"),
        ("fzca-hmac", "FZCA"),
        ("age", "age"),
    ] {
        place.done(&format!(
            "seal a -f -o b --format {format} --passphrase-file phrase"
        ));
        assert!(
            place
                .done("inspect b")
                .contains(&format!("format      {name}")),
            "{format}"
        );
        place.done("open b -f -o c --passphrase-file phrase");
        assert!(fs::read(place.path("c")).unwrap() == content, "{format}");
        place.fails("open b -o d --passphrase-file wrong", 4);
        let mut bytes = fs::read(place.path("b")).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(place.path("b"), &bytes).unwrap();
        place.fails("open b -o d --passphrase-file phrase", 1);
        assert!(!place.path("d").exists());
    }
    place.done(&format!("seal a --format age --armor -r {}", curve.trim()));
    place.done("open a.age -f -o c -i curve");
    assert!(fs::read(place.path("c")).unwrap() == content);
    place.fails("seal a -o d --format fca -r age1x", 2);
    place.fails(&format!("seal a -o d --format fca -r {}", curve.trim()), 2);
}

/// The twins of FCA: the cipher is named when a file is made and when it is opened.
#[test]
fn twins_of_fca_are_written() {
    let place = Place::new();
    let content = place.write("a", 10_000);
    for cipher in ["twofish", "serpent"] {
        for format in ["fca", "fca256-hmac"] {
            place.done(&format!(
                "seal a -f -o b --format {format} --cipher {cipher} --passphrase-file phrase"
            ));
            place.done(&format!(
                "open b -f -o c --cipher {cipher} --passphrase-file phrase"
            ));
            assert!(
                fs::read(place.path("c")).unwrap() == content,
                "{cipher} {format}"
            );
            let output = place.run("open b -f -o c --passphrase-file phrase");
            let said = String::from_utf8_lossy(&output.stderr);
            match format {
                // EAX tells the ciphers apart, and the message names the right one.
                "fca" => {
                    assert_eq!(output.status.code(), Some(2), "{said}");
                    assert!(said.contains(cipher), "{said}");
                }
                // HMAC does not, and the command warns.
                _ => {
                    assert!(
                        output.status.success() && said.contains("warning"),
                        "{said}"
                    );
                    assert!(fs::read(place.path("c")).unwrap() != content);
                }
            }
        }
    }
    place.fails("seal a -o d --cipher serpent --passphrase-file phrase", 2);
    place.fails(
        "seal a -o d --format age --cipher aes --passphrase-file phrase",
        2,
    );
}

/// Every genuine file of another program is named, whatever its name is.
#[test]
fn inspect_names_every_format() {
    let place = Place::new();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../oldfiles/tests/files");
    for (folder, names) in [
        ("fca", &["FCA", "FCA256", "FZCA"][..]),
        ("pea", &["PEA"]),
        ("openssl", &["openssl enc"]),
        ("zip", &["ZIP"]),
        ("gpg", &["OpenPGP"]),
    ] {
        let mut found = 0;
        for entry in fs::read_dir(samples.join(folder)).unwrap() {
            let bytes = fs::read(entry.unwrap().path()).unwrap();
            fs::write(place.path("x"), bytes).unwrap();
            let output = place.run("inspect x");
            let said = String::from_utf8_lossy(&output.stdout);
            let named = |name: &&str| said.contains(&format!("format      {name}"));
            assert!(names.iter().any(named), "{folder}: {said}");
            found += 1;
        }
        assert!(found > 0, "{folder}");
    }
}

/// An archive in volumes is opened by its first one.
#[test]
fn volumes_are_found_beside_the_first() {
    let place = Place::new();
    let sample = "../oldfiles/tests/files/pea/eax.pea";
    let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(sample)).unwrap();
    // The sample has checks of 4 bytes, CRC-32, at the end of its only volume.
    let (archive, _) = bytes.split_at(bytes.len() - 4);
    fs::write(place.path("phrase"), "test1234\n").unwrap();
    for (number, part) in archive.chunks(100).enumerate() {
        let check = touchstone::checksum::Crc32::digest(part).to_le_bytes();
        let name = format!("box.{:06}.PEA", number + 1);
        fs::write(place.path(&name), [part, &check].concat()).unwrap();
    }
    assert!(place.done("inspect box.000001.PEA").contains("PEA"));
    place.done("open box.000001.PEA -o out --passphrase-file phrase");
    assert!(place.path("out/docs/a.txt").exists());
    fs::remove_file(place.path("box.000002.PEA")).unwrap();
    place.fails("open box.000001.PEA -o other --passphrase-file phrase", 1);
    assert!(!place.path("other").exists());
}

#[test]
fn other_programs_files_are_opened() {
    let place = Place::new();
    let content = place.write("a", 100_000);
    for (program, arguments, options) in [
        (
            "openssl",
            "enc -aes-256-cbc -pbkdf2 -in a -out b -pass file:phrase",
            " --accept-unauthenticated",
        ),
        (
            "gpg",
            "--homedir . --batch --pinentry-mode loopback --passphrase-file phrase -o b -c a",
            "",
        ),
    ] {
        let made = Command::new(program)
            .args(arguments.split(' '))
            .current_dir(&place.0)
            .output();
        if !made.is_ok_and(|output| output.status.success()) {
            println!("SKIPPED: files of {program}: it is not installed, or has failed");
            continue;
        }
        place.done(&format!("open b -f -o c --passphrase-file phrase{options}"));
        assert!(fs::read(place.path("c")).unwrap() == content, "{program}");
        if program == "openssl" {
            place.fails("open b -o d --passphrase-file phrase", 5);
        }
        fs::remove_file(place.path("b")).unwrap();
    }
}
