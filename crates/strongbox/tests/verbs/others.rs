//! Files of other programs: written, named and opened.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::place::Place;

/// A genuine file of another program.
fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../oldfiles/tests/files")
        .join(name)
}

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
    for (folder, names) in [
        ("fca", &["FCA", "FCA256", "FZCA"][..]),
        ("pea", &["PEA"]),
        ("openssl", &["openssl enc"]),
        ("zip", &["ZIP"]),
        ("gpg", &["OpenPGP"]),
    ] {
        let mut found = 0;
        for entry in fs::read_dir(sample(folder)).unwrap() {
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
    let bytes = fs::read(sample("pea/eax.pea")).unwrap();
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

/// Files are checked as far as their format allows, from a file and from a pipe, and nothing is
/// written.
#[test]
fn verify_checks_every_format() {
    let place = Place::new();
    fs::write(place.path("phrase"), "test1234\n").unwrap();
    let before = place.names();
    let accept = "--accept-unauthenticated";
    for (name, options, said) in [
        ("fca/fca128-eax-a44.txt.fca", "", "complete and genuine"),
        ("fca/fzca-eax-a44.txt.fca", "", "complete and genuine"),
        (
            "fca/t_fct-hmac-a44.fca",
            "--cipher twofish",
            "complete and genuine",
        ),
        ("pea/eax.pea", "", "complete and genuine"),
        ("gpg/aes256.gpg", "", "complete and genuine"),
        ("gpg/ocb-chunks.gpg", "", "complete and genuine"),
        ("zip/pyzipper-ae2.zip", "", "complete and genuine"),
        ("zip/zip-traditional.zip", accept, "by its checksum"),
        ("openssl/aes-256-cbc-sha256.enc", accept, "nobody can tell"),
    ] {
        let file = sample(name);
        let arguments = format!("verify --passphrase-file phrase {options}");
        let arguments: Vec<&str> = arguments.split_ascii_whitespace().collect();
        for piped in [false, true] {
            let mut command = place.command();
            command.args(&arguments);
            if piped {
                command.arg("-").stdin(File::open(&file).unwrap());
            } else {
                command.arg(&file);
            }
            let output = command.output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{name}: {output:?}");
            assert!(text.contains(said), "{name}: {text}");
        }
        let json = place
            .command()
            .args(&arguments)
            .arg(&file)
            .arg("--json")
            .output();
        let value: serde_json::Value = serde_json::from_slice(&json.unwrap().stdout).unwrap();
        assert_eq!(
            value["genuine"],
            said.contains("genuine"),
            "{name}: {value}"
        );
        // The authenticated ones, with one bit less.
        let mut bytes = fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(place.path("damaged"), &bytes).unwrap();
        let output = place
            .command()
            .args(&arguments)
            .arg("damaged")
            .output()
            .unwrap();
        assert!(
            !output.status.success() || said == "nobody can tell",
            "{name}"
        );
        fs::remove_file(place.path("damaged")).unwrap();
        assert_eq!(place.names(), before);
    }
    fs::copy(sample("fca/fca128-eax-a44.txt.fca"), place.path("a.fca")).unwrap();
    place.fails("verify a.fca --passphrase-file wrong", 4);
    place.fails("verify a.fca --passphrase-file phrase --from sbsign1x", 2);
}

/// Formats that are read more than once come from a pipe, too; archives need a folder.
#[test]
fn old_files_come_from_pipes() {
    let place = Place::new();
    fs::write(place.path("phrase"), "test1234\n").unwrap();
    let piped = |name: &str, arguments: &str| {
        let mut command = place.command();
        command.args(arguments.split(' '));
        command.stdin(File::open(sample(name)).unwrap());
        command.output().unwrap()
    };
    let fox = b"The quick brown fox jumps over the lazy dog.";
    for name in [
        "fca/fca256-eax-a44.txt.fca",
        "gpg/twofish-bzip2.asc",
        "gpg/aes256.gpg",
    ] {
        let output = piped(name, "open --passphrase-file phrase");
        assert_eq!(output.stdout, fox, "{name}: {output:?}");
    }
    let output = piped("pea/eax.pea", "open --passphrase-file phrase");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let output = piped("pea/eax.pea", "open -o out --passphrase-file phrase");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fs::read(place.path("out/docs/a.txt")).unwrap(), fox);
    let output = piped("zip/7z-aes256.zip", "inspect -");
    assert!(String::from_utf8_lossy(&output.stdout).contains("ZIP"));
    // Nothing is written of a file that is not genuine.
    let mut bytes = fs::read(sample("gpg/ocb-chunks.gpg")).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(place.path("damaged"), bytes).unwrap();
    let mut command = place.command();
    command.args(["open", "-", "--passphrase-file", "phrase"]);
    let output = command
        .stdin(File::open(place.path("damaged")).unwrap())
        .output()
        .unwrap();
    assert!(
        output.stdout.is_empty() && !output.status.success(),
        "{output:?}"
    );
}

/// An error names the option by which its cause is removed.
#[test]
fn errors_name_the_option_that_helps() {
    let place = Place::new();
    fs::write(place.path("phrase"), "test1234\n").unwrap();
    place.write("a", 100_000);
    place.done("keygen --x25519 -q -o curve");
    let curve = place.done("keygen --public curve");
    place.done(&format!("seal a --format age -r {}", curve.trim()));
    place.done("seal a --format fca --passphrase-file phrase");
    for (name, options, code, said) in [
        (
            "openssl/aes-256-cbc-sha256.enc",
            "",
            5,
            "--accept-unauthenticated",
        ),
        ("fca/t_fcs256-eax-a44.fca", "", 2, "--cipher serpent"),
        ("pea/keyfile.pea", "", 4, "--keyfile"),
        (
            "openssl/aes-256-cbc-sha256.enc",
            "--accept-unauthenticated --cipher aes-128-cbc",
            4,
            "--digest",
        ),
    ] {
        fs::copy(sample(name), place.path("x")).unwrap();
        let text = place.fails(
            format!("open x -o y --passphrase-file phrase {options}").trim_end(),
            code,
        );
        assert!(text.contains(said), "{name}: {text}");
    }
    let text = place.fails(
        "open a.fca -o y --passphrase-file phrase --max-size 1000",
        5,
    );
    assert!(text.contains("--max-size"), "{text}");
    let text = place.fails("open a.age -o y --passphrase-file phrase", 4);
    assert!(text.contains("--identity"), "{text}");
    place.done("seal a -f --format age --passphrase-file phrase");
    let text = place.fails("open a.age -o y --passphrase-file phrase --kdf-memory 8", 5);
    assert!(text.contains("--kdf-memory"), "{text}");
}

/// A passphrase with letters that code pages write differently.
#[test]
fn passphrases_have_an_encoding() {
    let place = Place::new();
    let content = place.write("a", 1000);
    fs::write(place.path("phrase"), "päss-üw\n").unwrap();
    let old = sample("fca/pwlatin1.fca");
    let verify = |options: &str| {
        let options = options.split_ascii_whitespace();
        let mut command = place.command();
        command
            .args(["verify", "--passphrase-file", "phrase"])
            .arg(&old);
        command.args(options).output().unwrap().status.code()
    };
    assert_eq!(verify(""), Some(0));
    assert_eq!(verify("--passphrase-encoding latin-1"), Some(0));
    assert_eq!(verify("--passphrase-encoding cp850"), Some(4));
    assert_eq!(verify("--passphrase-encoding cp866"), Some(2));
    assert_eq!(verify("--passphrase-encoding klingon"), Some(2));
    // A file for a program of DOS.
    place.done("seal a --format fca --passphrase-encoding cp850 --passphrase-file phrase");
    fs::write(place.path("bytes"), b"p\x84ss-\x81w\n").unwrap();
    place.done("open a.fca -o b --passphrase-file bytes");
    assert_eq!(fs::read(place.path("b")).unwrap(), content);
    place.fails(
        "open a.fca -o c --passphrase-encoding utf-8 --passphrase-file phrase",
        4,
    );
    place.fails(
        "seal a -f --passphrase-encoding cp850 --passphrase-file phrase",
        2,
    );
}
