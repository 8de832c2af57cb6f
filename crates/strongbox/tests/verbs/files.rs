//! Files and folders: they come back whole, in parts, after damage, or not at all.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::Duration;

use crate::place::Place;

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
