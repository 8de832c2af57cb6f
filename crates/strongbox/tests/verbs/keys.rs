//! Keys: who can open a file, and keys of other programs.

use std::fs;
use std::process::Command;

use crate::place::Place;

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

/// Makes keys by another program. If that is not there, the test says what is skipped.
fn made(place: &Place, program: &str, arguments: &[&str]) -> bool {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(&place.0)
        .output();
    let made = output.is_ok_and(|output| output.status.success());
    if !made {
        println!("SKIPPED: keys of {program}: it is not installed");
    }
    made
}

#[test]
fn keys_of_other_programs_open_files() {
    let place = Place::new();
    let content = place.write("a", 1000);
    let made = |program: &str, arguments: &[&str]| made(&place, program, arguments);
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

/// RSA keys of SSH are for age files; a strongbox refuses them, and says what to do.
#[test]
fn rsa_keys_of_ssh_open_age_files() {
    let place = Place::new();
    let content = place.write("a", 100_000);
    for (name, phrase, bits) in [
        ("plain", "", "2048"),
        ("locked", "correct horse", "2048"),
        ("short", "", "1024"),
    ] {
        let arguments = ["-q", "-t", "rsa", "-b", bits, "-N", phrase, "-f", name];
        if !made(&place, "ssh-keygen", &arguments) {
            return;
        }
    }
    place.done("keygen --x25519 -q -o curve");
    let curve = place.done("keygen --public curve");
    place.done(&format!(
        "seal a --format age -R plain.pub -R locked.pub -r {}",
        curve.trim()
    ));
    let said = place.done("inspect a.age");
    assert_eq!(said.matches("ssh-rsa, tag ").count(), 2, "{said}");
    for (name, keys) in [
        ("b", "-i plain"),
        ("c", "-i locked --passphrase-file phrase"),
        ("d", "-i curve"),
    ] {
        place.done(&format!("open a.age -o {name} {keys}"));
        assert!(fs::read(place.path(name)).unwrap() == content, "{keys}");
    }
    place.fails("open a.age -o e -i locked --passphrase-file wrong", 4);
    let said = place.fails("open a.age -o e -i short", 2);
    assert!(said.contains("1024 bits"), "{said}");
    let said = place.fails("seal a -o e --format age -R short.pub", 2);
    assert!(said.contains("1024 bits"), "{said}");
    let said = place.fails("seal a -o e -R plain.pub", 2);
    assert!(said.contains("--format age"), "{said}");
    place.done("seal a -f --format age -R plain.pub");
    place.fails("open a.age -o e -i curve", 4);
    let mut bytes = fs::read(place.path("a.age")).unwrap();
    bytes[200] ^= 1;
    fs::write(place.path("a.age"), &bytes).unwrap();
    assert_ne!(place.run("open a.age -o e -i plain").status.code(), Some(0));
    assert!(!place.path("e").exists());
}

#[test]
fn sealed_keys_ask_for_their_passphrase() {
    let place = Place::new();
    let content = place.write("a", 1000);
    place.done("keygen -q -o id --passphrase-file phrase");
    let text = fs::read_to_string(place.path("id")).unwrap();
    assert!(!text.contains("SECRET"), "{text}");
    // The costs of the environment, and those of the option.
    assert!(place.done("inspect id").contains("memory=64,passes=1"));
    place.done("keygen -q -o id3 --passphrase-file phrase --kdf memory=128,passes=2,lanes=1");
    assert!(place.done("inspect id3").contains("memory=128,passes=2"));
    let public = place.run("keygen -o id2 --passphrase-file phrase");
    let said = String::from_utf8(public.stderr).unwrap();
    let key = said.trim().rsplit(' ').next().unwrap();
    place.done(&format!("seal a -r {key}"));
    place.done("open a.sbx -o b -i id2 --passphrase-file phrase");
    assert_eq!(fs::read(place.path("b")).unwrap(), content);
    place.fails("open a.sbx -o c -i id2 --passphrase-file wrong", 4);
    place.fails("open a.sbx -o c -i id --passphrase-file phrase", 4);
}

/// Without costs, they are measured, and the key's header has them.
#[test]
fn a_sealed_key_has_costs_of_this_machine() {
    let place = Place::new();
    let content = place.write("a", 1000);
    let keygen = |arguments: &str| {
        let mut command = place.command();
        command.env_remove("STRONGBOX_KDF");
        let arguments = format!("keygen --passphrase-file phrase --json {arguments}");
        let output = command.args(arguments.split(' ')).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    let said = keygen("-o id --memory 1024");
    assert_eq!(said["kdf"]["memory"], 1024);
    // Three passes, the default's, take milliseconds with a MiB; a second has more.
    let passes = said["kdf"]["passes"].as_u64().unwrap();
    assert!(passes > 3, "{said}");
    let recorded = place.done("inspect id");
    assert!(
        recorded.contains(&format!("memory=1024,passes={passes},")),
        "{recorded}"
    );
    let key = said["public"].as_str().unwrap();
    place.done(&format!("seal a -r {key}"));
    place.done("open a.sbx -o b -i id --passphrase-file phrase");
    assert_eq!(fs::read(place.path("b")).unwrap(), content);
    // Costs that are given are not measured.
    let said = keygen("-o id2 --kdf memory=64,passes=1,lanes=1");
    assert_eq!(said["kdf"]["passes"], 1);
    place.fails("keygen --calibrate --memory 4194304", 2);
}
