//! age: the testkit of C2SP, files of our own, and the commands `age` and `ssh-keygen`.

mod common;

use std::io::Read;
use std::process::Command;

use common::{FOX, faults, open, program, run, sample};
use oldfiles::{
    AgeOptions, Error, Format, Identity, Passphrase, Recipient, Secrets, Settings, identify,
    seal_age,
};
use touchstone::hash::Sha256;

/// One file of the testkit: the fields before the first empty line, and the age file.
struct Case {
    fields: Vec<(String, String)>,
    file: Vec<u8>,
}

impl Case {
    fn read(bytes: &[u8]) -> Self {
        let end = bytes
            .windows(2)
            .position(|two| two == b"\n\n")
            .expect("an empty line");
        let head = std::str::from_utf8(&bytes[..end]).expect("text");
        let fields: Vec<_> = head
            .lines()
            .map(|line| line.split_once(": ").expect("a field"))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let mut case = Self {
            fields,
            file: bytes[end + 2..].to_vec(),
        };
        match case.field("compressed") {
            None => {}
            Some("zlib") => {
                let mut plain = Vec::new();
                flate2::read::ZlibDecoder::new(&case.file[..])
                    .read_to_end(&mut plain)
                    .expect("zlib");
                case.file = plain;
            }
            Some(other) => panic!("compression {other}"),
        }
        case
    }

    fn field(&self, name: &str) -> Option<&str> {
        let field = self.fields.iter().find(|field| field.0 == name)?;
        Some(&field.1)
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.fields
            .iter()
            .filter(move |field| field.0 == name)
            .map(|field| field.1.as_str())
    }
}

/// The testkit's word for an error.
fn word(error: &Error, armored: bool) -> &'static str {
    match error {
        Error::WrongSecret | Error::SecretMissing { .. } => "no match",
        Error::Damaged { part: "header" } => "HMAC failure",
        Error::Damaged { part: "payload" }
        | Error::Truncated { part: "payload" }
        | Error::Trailing => "payload failure",
        Error::Malformed { what } if what.starts_with("payload") => "payload failure",
        Error::Malformed { what } if what.starts_with("armor") => "armor failure",
        // A file that does not begin as armor is taken for a binary file.
        Error::OtherFormat { .. } if armored => "armor failure",
        Error::Malformed { .. }
        | Error::Truncated { part: "header" }
        | Error::Limit { .. }
        | Error::Unsupported { .. }
        | Error::OtherFormat { .. } => "header failure",
        other => panic!("{other:?}"),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_testkit_of_c2sp() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/age/testkit");
    let (mut cases, mut wrong) = (0, Vec::new());
    for entry in std::fs::read_dir(folder).expect("the testkit") {
        let path = entry.expect("a file").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let case = Case::read(&std::fs::read(&path).expect("readable"));
        let identities = case
            .all("identity")
            .map(|text| Identity::parse(text).expect("a key"));
        let secrets = Secrets {
            identities: identities.collect(),
            passphrases: case.all("passphrase").map(Passphrase::text).collect(),
            keyfile: None,
        };
        let mut settings = Settings::default();
        settings.limits.memory = 1 << 30;
        let armored = case.field("armored") == Some("yes");
        let (got, memory) = match open(Format::Age, &case.file, &secrets, &settings) {
            Ok((_, memory)) => ("success", memory),
            Err((error, memory)) => (word(&error, armored), memory),
        };
        let expected = case.field("expect").expect("a result");
        if got != expected {
            wrong.push(format!("{name}: {got}, not {expected}"));
        }
        // What was released before an error counts too.
        if let Some(digest) = case.field("payload") {
            let released: Vec<u8> = memory.entries.iter().flat_map(|e| e.1.clone()).collect();
            let made = hex(&*Sha256::digest(&released));
            if made != digest {
                wrong.push(format!(
                    "{name}: {} bytes released, others expected",
                    released.len()
                ));
            }
        }
        cases += 1;
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(cases, 143);
}

fn options(recipients: Vec<Recipient>, armored: bool) -> AgeOptions {
    AgeOptions {
        recipients,
        armored,
        ..AgeOptions::default()
    }
}

fn seal(content: &[u8], options: &AgeOptions) -> Vec<u8> {
    let mut made = Vec::new();
    let count = seal_age(&mut &content[..], &mut made, options).expect("sealed");
    assert_eq!(count, content.len() as u64);
    assert_eq!(identify(&made), Some(Format::Age));
    made
}

fn of(identity: &Identity) -> Secrets {
    Secrets {
        identities: vec![identity.clone()],
        ..Secrets::default()
    }
}

fn content(made: &[u8], secrets: &Secrets) -> Result<Vec<u8>, Error> {
    let (_, memory) = open(Format::Age, made, secrets, &Settings::default()).map_err(|e| e.0)?;
    Ok(memory.entries[0].1.clone())
}

#[test]
fn our_files_are_opened() {
    let one = Identity::generate().expect("a key");
    let two = Identity::generate().expect("a key");
    let hybrid = Identity::generate_hybrid().expect("a key");
    for length in [0, 1, 47, 48, 65_535, 65_536, 65_537, 131_072, 200_000] {
        let plain = sample(length);
        for armored in [false, true] {
            let both = options(vec![one.recipient(), two.recipient()], armored);
            let made = seal(&plain, &both);
            assert_eq!(content(&made, &of(&one)).expect("one"), plain);
            assert_eq!(content(&made, &of(&two)).expect("two"), plain);
            assert!(matches!(
                content(&made, &of(&hybrid)),
                Err(Error::WrongSecret)
            ));
            let made = seal(&plain, &options(vec![hybrid.recipient()], armored));
            assert_eq!(content(&made, &of(&hybrid)).expect("hybrid"), plain);
        }
    }
    let phrase = AgeOptions {
        passphrase: Some(Passphrase::text("päss")),
        work_factor: 10,
        ..AgeOptions::default()
    };
    let made = seal(FOX, &phrase);
    assert_eq!(
        content(&made, &Secrets::passphrase("päss")).expect("opened"),
        FOX
    );
    assert!(matches!(
        content(&made, &Secrets::passphrase("x")),
        Err(Error::WrongSecret)
    ));
    assert!(matches!(
        content(&made, &of(&one)),
        Err(Error::SecretMissing { .. })
    ));
    let mut settings = Settings::default();
    settings.limits.memory = 1 << 19;
    let capped = open(Format::Age, &made, &Secrets::passphrase("päss"), &settings);
    assert!(matches!(
        capped,
        Err((Error::Limit { what: "memory", .. }, _))
    ));
}

#[test]
fn every_change_is_found() {
    let identity = Identity::generate().expect("a key");
    let made = seal(FOX, &options(vec![identity.recipient()], false));
    faults(
        Format::Age,
        &made,
        &of(&identity),
        &Settings::default(),
        |_| false,
    );
    let armored = seal(FOX, &options(vec![identity.recipient()], true));
    // The line feed after the last line may be missing.
    let last = armored.len() - 1;
    faults(
        Format::Age,
        &armored,
        &of(&identity),
        &Settings::default(),
        |at| at == last,
    );
}

#[test]
fn mistakes_of_the_caller() {
    let one = Identity::generate().expect("a key").recipient();
    let hybrid = Identity::generate_hybrid().expect("a key").recipient();
    let seal = |options: &AgeOptions| seal_age(&mut &FOX[..], &mut Vec::new(), options);
    for wrong in [
        AgeOptions::default(),
        options(vec![one.clone(), hybrid], false),
        AgeOptions {
            passphrase: Some(Passphrase::text("x")),
            ..options(vec![one], false)
        },
        AgeOptions {
            passphrase: Some(Passphrase::text("x")),
            work_factor: 31,
            ..AgeOptions::default()
        },
        AgeOptions {
            passphrase: Some(Passphrase::text("")),
            ..AgeOptions::default()
        },
    ] {
        assert!(
            matches!(seal(&wrong), Err(Error::Setting { .. })),
            "{wrong:?}"
        );
    }
    let ecdsa = Recipient::parse("ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTY=");
    assert!(matches!(ecdsa, Err(Error::Unsupported { .. })));
    assert!(matches!(
        Recipient::parse("age1x"),
        Err(Error::Setting { .. })
    ));
    let plugin = Identity::parse("AGE-PLUGIN-YUBIKEY-1QQQQQ");
    assert!(matches!(plugin, Err(Error::Unsupported { .. })));
}

/// The command `age` opens our files, and we open its files.
#[test]
fn the_command_age() {
    let Some(age) = program("age", "--version") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let identity = Identity::generate().expect("a key");
    std::fs::write(
        path("key"),
        identity.secret_text().expect("text").as_bytes(),
    )
    .expect("written");
    let recipient = identity.recipient();
    for length in [0, 44, 65_536, 100_000] {
        let plain = sample(length);
        for armored in [false, true] {
            let made = seal(&plain, &options(vec![recipient.clone()], armored));
            let mut decrypt = Command::new(&age);
            decrypt.arg("--decrypt").arg("--identity").arg(path("key"));
            assert_eq!(run(&mut decrypt, &made).expect("age opens it"), plain);
            let mut encrypt = Command::new(&age);
            encrypt.arg("--recipient").arg(recipient.to_string());
            if armored {
                encrypt.arg("--armor");
            }
            let theirs = run(&mut encrypt, &plain).expect("age makes it");
            assert_eq!(content(&theirs, &of(&identity)).expect("opened"), plain);
        }
    }
    ssh(&age, folder.path());
}

fn ssh(age: &str, folder: &std::path::Path) {
    let Some(keygen) = program("ssh-keygen", "-?") else {
        return;
    };
    let rsa = ["-t", "rsa", "-b", "2048"];
    for (name, kind, phrase) in [
        ("plain", &["-t", "ed25519"][..], ""),
        ("locked", &["-t", "ed25519"], "päss"),
        ("plain-rsa", &rsa, ""),
        ("locked-rsa", &rsa, "päss"),
    ] {
        let path = folder.join(name);
        let mut make = Command::new(&keygen);
        make.args(kind)
            .args(["-q", "-a", "2", "-C", "a comment", "-N", phrase, "-f"])
            .arg(&path);
        run(&mut make, b"").expect("a key");
        let secret = std::fs::read_to_string(&path).expect("readable");
        let public = std::fs::read_to_string(path.with_extension("pub")).expect("readable");
        if !phrase.is_empty() {
            let missing = Identity::parse_file(&secret, None);
            assert!(matches!(missing, Err(Error::SecretMissing { .. })));
            let wrong = Identity::parse_file(&secret, Some(b"x"));
            assert!(matches!(wrong, Err(Error::WrongSecret)));
        }
        let identities = Identity::parse_file(&secret, Some(phrase.as_bytes())).expect("a key");
        let recipient = Recipient::parse(&public).expect("a recipient");
        assert_eq!(identities[0].recipient(), recipient);
        let mut encrypt = Command::new(age);
        encrypt
            .arg("--recipients-file")
            .arg(path.with_extension("pub"));
        let theirs = run(&mut encrypt, FOX).expect("age makes it");
        assert_eq!(content(&theirs, &of(&identities[0])).expect("opened"), FOX);
        let made = seal(FOX, &options(vec![recipient], false));
        assert_eq!(content(&made, &of(&identities[0])).expect("ours"), FOX);
        if phrase.is_empty() {
            let mut decrypt = Command::new(age);
            decrypt.arg("--decrypt").arg("--identity").arg(&path);
            assert_eq!(run(&mut decrypt, &made).expect("age opens it"), FOX);
        }
    }
}
