//! The command as a user meets it: exit codes, and files that appear whole or not at all.

mod place;

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use place::{Place, names};

#[test]
fn files_come_back_with_mode_and_time() {
    let place = Place::new();
    let content = place.write("letter", 100_000);
    fs::set_permissions(place.path("letter"), fs::Permissions::from_mode(0o640)).unwrap();
    let before = fs::metadata(place.path("letter")).unwrap();
    place.done("seal letter --passphrase-file phrase");
    let sealed = fs::metadata(place.path("letter.sbx")).unwrap();
    assert_eq!(sealed.permissions().mode() & 0o777, 0o600);
    place.done("verify letter.sbx --passphrase-file phrase");
    place.done("open letter.sbx -o back --passphrase-file phrase");
    let after = fs::metadata(place.path("back")).unwrap();
    assert_eq!(fs::read(place.path("back")).unwrap(), content);
    assert_eq!(after.permissions().mode(), before.permissions().mode());
    assert_eq!(after.modified().unwrap(), before.modified().unwrap());
    fs::remove_file(place.path("letter")).unwrap();
    fs::rename(place.path("letter.sbx"), place.path("x")).unwrap();
    place.done("open x --stored-name --passphrase-file phrase");
    assert_eq!(fs::read(place.path("letter")).unwrap(), content);
}

#[test]
fn exit_codes_tell_what_happened() {
    let place = Place::new();
    place.write("a", 50_000);
    place.done("seal a --passphrase-file phrase");
    place.fails("open a.sbx -o b --passphrase-file wrong", 4);
    place.fails("open a.sbx -o a --passphrase-file phrase", 3);
    place.fails("open a -o b --passphrase-file phrase", 5);
    place.fails("open absent -o b --passphrase-file phrase", 3);
    place.fails("seal a --no-such-option", 2);
    place.fails("seal a -o b --suite rot13 --passphrase-file phrase", 2);
    place.fails("verify a.sbx --passphrase-file phrase --from sbsign1x", 2);
    place.done("keygen --sign -q -o signer");
    let sender = place.done("keygen --public signer");
    place.fails(
        &format!(
            "verify a.sbx --passphrase-file phrase --from {}",
            sender.trim()
        ),
        6,
    );
    let mut bytes = fs::read(place.path("a.sbx")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(place.path("a.sbx"), &bytes).unwrap();
    let said = place.fails("open a.sbx -o b --passphrase-file phrase", 1);
    assert!(said.contains("chunk 1 was changed"), "{said}");
    let json = place.run("open a.sbx -o b --passphrase-file phrase --json");
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(
        (&value["error"], &value["exit"]),
        (&"damaged".into(), &1.into())
    );
    place.fails("seal a -o b --askpass false", 2);
    assert_eq!(place.names(), ["a", "a.sbx", "phrase", "signer", "wrong"]);
}

#[test]
fn hostile_costs_are_refused_before_they_are_spent() {
    let place = Place::new();
    place.write("a", 10);
    place.done("seal a --passphrase-file phrase");
    let mut bytes = fs::read(place.path("a.sbx")).unwrap();
    // The memory in the first record.
    bytes[23..27].fill(0xff);
    fs::write(place.path("a.sbx"), &bytes).unwrap();
    let start = std::time::Instant::now();
    let said = place.fails("open a.sbx -o b --passphrase-file phrase", 5);
    assert!(said.contains("--kdf-memory"), "{said}");
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn recipients_are_added_and_removed() {
    let place = Place::new();
    let content = place.write("a", 50_000);
    for (name, option) in [("hybrid", ""), ("curve", " --x25519")] {
        place.done(&format!("keygen{option} -q -o {name}"));
    }
    let key = |name: &str| {
        place
            .done(&format!("keygen --public {name}"))
            .trim()
            .to_owned()
    };
    place.done(&format!("seal a -r {}", key("curve")));
    place.fails("open a.sbx -o b -i hybrid", 4);
    place.done(&format!("rekey a.sbx -i curve -r {}", key("hybrid")));
    place.done("rekey a.sbx -i hybrid --remove 0 --new-passphrase-file phrase");
    place.fails("open a.sbx -o b -i curve", 4);
    place.fails("rekey a.sbx -i hybrid --only-new", 2);
    for (name, keys) in [("b", "-i hybrid"), ("c", "--passphrase-file phrase")] {
        place.done(&format!("open a.sbx -o {name} {keys}"));
        assert_eq!(fs::read(place.path(name)).unwrap(), content);
    }
    assert_eq!(
        place
            .names()
            .iter()
            .filter(|name| name.starts_with("a."))
            .count(),
        1
    );
}

#[test]
fn keys_of_other_programs_open_files() {
    let place = Place::new();
    let content = place.write("a", 1000);
    let made = |program: &str, arguments: &[&str]| {
        let output = Command::new(program)
            .args(arguments)
            .current_dir(&place.0)
            .output();
        match output {
            Ok(output) if output.status.success() => true,
            _ => {
                println!("SKIPPED: keys of {program}: it is not installed");
                false
            }
        }
    };
    if made(
        "ssh-keygen",
        &["-q", "-t", "ed25519", "-N", "", "-f", "plain"],
    ) && made(
        "ssh-keygen",
        &["-q", "-t", "ed25519", "-N", "correct horse", "-f", "locked"],
    ) {
        place.done("seal a -R plain.pub -R locked.pub");
        place.done("open a.sbx -o b -i plain");
        place.done("open a.sbx -o c -i locked --passphrase-file phrase");
        place.fails("open a.sbx -o d -i locked --passphrase-file wrong", 4);
        assert_eq!(fs::read(place.path("b")).unwrap(), content);
        assert_eq!(fs::read(place.path("c")).unwrap(), content);
    }
    if made("age-keygen", &["-o", "agekey"]) {
        let key = place.done("keygen --public agekey");
        place.done(&format!("seal a -f -r {}", key.trim()));
        place.done("open a.sbx -f -o b -i agekey");
    }
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

#[test]
fn sealed_keys_ask_for_their_passphrase() {
    let place = Place::new();
    let content = place.write("a", 1000);
    place.done("keygen -q -o id --passphrase-file phrase");
    let text = fs::read_to_string(place.path("id")).unwrap();
    assert!(!text.contains("SECRET"), "{text}");
    let public = place.run("keygen -o id2 --passphrase-file phrase");
    let said = String::from_utf8(public.stderr).unwrap();
    let key = said.trim().rsplit(' ').next().unwrap();
    place.done(&format!("seal a -r {key}"));
    place.done("open a.sbx -o b -i id2 --passphrase-file phrase");
    assert_eq!(fs::read(place.path("b")).unwrap(), content);
    place.fails("open a.sbx -o c -i id2 --passphrase-file wrong", 4);
    place.fails("open a.sbx -o c -i id --passphrase-file phrase", 4);
}

#[test]
fn pipes_carry_contents_and_passphrases() {
    let place = Place::new();
    let content = place.write("a", 3_000_000);
    for armor in ["", " --armor"] {
        let seal = format!("seal - -o -{armor} --passphrase-env PHRASE");
        let mut sealer = place
            .command()
            .args(seal.split(' '))
            .env("PHRASE", "correct horse")
            .stdin(File::open(place.path("a")).unwrap())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // The shell opens descriptor 3.
        let output = Command::new("sh")
            .args(["-c", "exec \"$0\" open --passphrase-fd 3 3<phrase"])
            .arg(env!("CARGO_BIN_EXE_strongbox"))
            .current_dir(&place.0)
            .stdin(sealer.stdout.take().unwrap())
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(output.stdout == content);
        assert!(sealer.wait().unwrap().success());
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let place = Place::new();
    place.write("a", 3_000_000);
    place.done("seal a --passphrase-file phrase");
    let mut child = place
        .command()
        .args(["open", "a.sbx", "-o", "-", "--passphrase-file", "phrase"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = child.stdout.take().unwrap();
    output.read_exact(&mut [0; 10]).unwrap();
    drop(output);
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(128 + 13));
    assert!(
        ended.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&ended.stderr)
    );
}

#[test]
fn folders_come_back_and_hostile_targets_stay() {
    let place = Place::new();
    fs::create_dir_all(place.path("docs/sub")).unwrap();
    place.write("docs/sub/a", 20_000);
    symlink("sub/a", place.path("docs/link")).unwrap();
    place.done("seal docs --zstd --pad --passphrase-file phrase");
    place.done("open docs.sbx -o again --passphrase-file phrase");
    let again = fs::read(place.path("again/link")).unwrap();
    assert_eq!(again, fs::read(place.path("docs/sub/a")).unwrap());
    place.fails("open docs.sbx -o again -f --passphrase-file phrase", 3);
    // A link at the output's place is replaced and not followed.
    place.write("victim", 5);
    symlink("victim", place.path("target")).unwrap();
    place.write("b", 10);
    place.done("seal b --passphrase-file phrase");
    place.fails("open b.sbx -o target --passphrase-file phrase", 3);
    place.done("open b.sbx -o target -f --passphrase-file phrase");
    assert_eq!(fs::read(place.path("victim")).unwrap().len(), 5);
    assert!(place.path("target").symlink_metadata().unwrap().is_file());
    // A device keeps its name.
    symlink("/dev/null", place.path("null")).unwrap();
    for target in ["null", "/dev/null", "docs"] {
        place.fails(
            &format!("open b.sbx -f -o {target} --passphrase-file phrase"),
            3,
        );
        place.fails(
            &format!("seal b -f -o {target} --passphrase-file phrase"),
            3,
        );
    }
    assert!(place.path("null").symlink_metadata().unwrap().is_symlink());
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn parts_of_a_file_are_read() {
    let place = Place::new();
    let content = place.write("a", 200_000);
    place.done("seal a --pad --passphrase-file phrase");
    for (part, from, to) in [
        ("5-10", 5, 10),
        ("100000+50", 100_000, 100_050),
        ("199990-", 199_990, 200_000),
    ] {
        let output = place.run(&format!(
            "open a.sbx --range {part} --passphrase-file phrase"
        ));
        assert_eq!(output.stdout, &content[from..to], "{part}");
    }
    place.fails("open a.sbx --range 10-5 --passphrase-file phrase", 2);
}

#[test]
fn a_damaged_file_is_repaired() {
    let place = Place::new();
    let content = place.write("a", 500_000);
    place.done("seal a --parity --passphrase-file phrase");
    let mut bytes = fs::read(place.path("a.sbx")).unwrap();
    bytes[100..20_000].fill(0);
    fs::write(place.path("a.sbx"), &bytes).unwrap();
    place.fails("verify a.sbx --passphrase-file phrase", 4);
    place.done("repair a.sbx -o b.sbx");
    place.done("open b.sbx --passphrase-file phrase");
    assert!(fs::read(place.path("b")).unwrap() == content);
}

#[test]
fn an_interrupted_work_is_resumed() {
    let place = Place::new();
    let content = place.write("a", 3_000_000);
    place.done("seal a -o whole --passphrase-file phrase");
    let part = place.path(".out.strongbox-part");
    for (length, damage) in [
        (0, None),
        (100_000, None),
        (1_000_001, Some(500_000)),
        (3_000_000, None),
    ] {
        let mut begun = content[..length].to_vec();
        if let Some(place) = damage {
            begun[place] ^= 1;
        }
        fs::write(&part, &begun).unwrap();
        fs::set_permissions(&part, fs::Permissions::from_mode(0o600)).unwrap();
        place.done("open whole -o out --resume --passphrase-file phrase");
        assert!(
            fs::read(place.path("out")).unwrap() == content,
            "{length} bytes"
        );
        assert!(!part.exists());
        fs::remove_file(place.path("out")).unwrap();
    }
    // A part that others could have written is not trusted.
    symlink("victim", &part).unwrap();
    place.fails("open whole -o out --resume --passphrase-file phrase", 3);
    fs::remove_file(&part).unwrap();
    fs::write(&part, b"x").unwrap();
    fs::set_permissions(&part, fs::Permissions::from_mode(0o666)).unwrap();
    place.fails("open whole -o out --resume --passphrase-file phrase", 3);
}

#[test]
fn help_and_pages_are_written() {
    let place = Place::new();
    assert!(place.done("--help").contains("Exit status"));
    place.done("man pages");
    assert!(names(&place.path("pages")).contains(&"strongbox-seal.1".to_owned()));
    for shell in ["bash", "zsh", "fish"] {
        assert!(
            place
                .done(&format!("completions {shell}"))
                .contains("strongbox")
        );
    }
    let phrase = place.done("keygen --phrase");
    assert_eq!(
        phrase.trim().split('-').map(str::len).collect::<Vec<_>>(),
        [5; 6]
    );
    let costs = place.done("keygen --calibrate --memory 1024");
    assert!(costs.starts_with("memory=1024,passes="), "{costs}");
}
