//! What is left of a passphrase in `strongbox` when it writes its answer: nothing.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]
#![allow(missing_docs)]

#[path = "../../touchstone/tests/common/residue.rs"]
mod residue;

use std::io::{ErrorKind, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64ct::{Base64, Encoding};
use residue::{Request, part_in};
use strongbox::{Randomness, System};

/// Starts the command with a passphrase on standard input, and returns when the command waits for
/// somebody to read its answer. The socket for the answer is full.
fn answering(folder: &Path, arguments: &[&str], phrase: &[u8]) -> (Child, UnixStream) {
    let (reader, mut writer) = UnixStream::pair().expect("two sockets");
    writer.set_nonblocking(true).expect("a socket");
    loop {
        match writer.write(&[0]) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => panic!("{error}"),
        }
    }
    writer.set_nonblocking(false).expect("a socket");
    let mut child = Command::new(env!("CARGO_BIN_EXE_strongbox"))
        .args(arguments)
        .args(["--passphrase-fd", "0", "--json"])
        .env("STRONGBOX_KDF", "memory=1024,passes=1,lanes=1")
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(OwnedFd::from(writer))
        .spawn()
        .expect("the command starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(phrase).expect("the command reads");
    drop(input);
    // System call 1 is write, and its first argument 1 is standard output.
    let waits = || {
        let call = std::fs::read_to_string(format!("/proc/{}/syscall", child.id()));
        call.is_ok_and(|call| call.starts_with("1 0x1 "))
    };
    let start = Instant::now();
    while !waits() {
        assert!(start.elapsed() < Duration::from_secs(60), "{arguments:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
    (child, reader)
}

/// Whether this profile uses more of the stack than the library overwrites.
fn skipped() -> bool {
    if cfg!(debug_assertions) {
        println!(
            "SKIPPED: the search of memory, because this profile uses more of the stack; make secrets"
        );
    }
    cfg!(debug_assertions)
}

/// Searches the memory of a waiting command for secrets, ends the command, and checks that the
/// search found nothing of them, but an argument, which the command keeps.
fn check((mut child, reader): (Child, UnixStream), what: &str, secrets: &[&[u8]]) {
    let part = |secret: &[u8]| {
        let request = Request {
            name: what.to_owned(),
            secret: secret.to_vec(),
            message: Vec::new(),
        };
        part_in(child.id(), &request)
    };
    let left: Vec<_> = secrets.iter().map(|secret| part(secret)).collect();
    let kept = part(b"--passphrase-fd");
    child.kill().expect("a process");
    child.wait().expect("a process");
    drop(reader);
    assert!(left.iter().all(Option::is_none), "{what}: {left:?}");
    assert!(kept.is_some(), "{what}: the search sees nothing");
}

#[test]
fn nothing_is_left_of_a_passphrase() {
    if skipped() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("content"), [7; 100_000]).expect("a file");
    for round in 0..3 {
        let mut phrase = [0; 40];
        System::new()
            .and_then(|mut random| random.fill(&mut phrase))
            .expect("random bytes");
        phrase.iter_mut().for_each(|byte| *byte = b' ' + *byte % 95);
        for arguments in [
            &["seal", "content", "--force"][..],
            &["verify", "content.sbx"],
            &["open", "content.sbx", "--force", "--output", "opened"],
        ] {
            let waiting = answering(folder.path(), arguments, &phrase);
            check(
                waiting,
                &format!("round {round}, {arguments:?}"),
                &[&phrase],
            );
        }
    }
}

/// The private exponent in a private key file of OpenSSH without a passphrase: the third number
/// after the name of the kind, which the file has twice.
fn exponent(file: &Path) -> Vec<u8> {
    let text = std::fs::read_to_string(file).expect("a file");
    let lines = text.lines().filter(|line| !line.starts_with("-----"));
    let bytes = Base64::decode_vec(&lines.collect::<String>()).expect("base64");
    let kind = b"ssh-rsa";
    let place = bytes.windows(kind.len()).rposition(|part| part == kind);
    let mut rest = &bytes[place.expect("an RSA key") + kind.len()..];
    let mut numbers = std::iter::from_fn(|| {
        let (length, after) = rest.split_first_chunk()?;
        let (number, after) = after.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        rest = after;
        Some(number)
    });
    numbers.nth(2).expect("a private exponent").to_vec()
}

#[test]
fn nothing_is_left_of_keys() {
    if skipped() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("content"), [7; 100_000]).expect("a file");
    for option in ["", "--x25519", "--format=age"] {
        let done = |arguments: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_strongbox"));
            command.args(arguments).current_dir(folder.path());
            let output = command.output().expect("the command starts");
            assert!(output.status.success(), "{arguments:?}");
            String::from_utf8(output.stdout).expect("text")
        };
        let mut keygen = vec!["keygen", "-q", "-f", "-o", "key"];
        let mut seal = vec!["seal", "content", "-q", "-f", "-o", "sealed"];
        match option {
            "--x25519" => keygen.push(option),
            "--format=age" => seal.push(option),
            _ => {}
        }
        done(&keygen);
        let public = done(&["keygen", "--public", "key"]);
        seal.extend(["-r", public.trim()]);
        done(&seal);
        let text = std::fs::read_to_string(folder.path().join("key")).expect("a file");
        let text = text.lines().find(|line| !line.starts_with('#'));
        let text = text.expect("a secret key");
        let (_, seed) = oldfiles::keys::bech32::decode(text).expect("a secret key");
        let open = ["open", "sealed", "-i", "key", "-f", "-o", "opened"];
        // The beginning of the text is in the program.
        let (_, digits) = text.rsplit_once('1').expect("a secret key");
        let waiting = answering(folder.path(), &open, b"not asked for");
        check(waiting, option, &[&seed, digits.as_bytes()]);
    }
}

#[test]
fn nothing_is_left_of_an_rsa_key() {
    if skipped() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder.path());
        command.status().is_ok_and(|status| status.success())
    };
    let make = ["-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", "id"];
    if !run("ssh-keygen", &make) {
        println!("SKIPPED: keys of ssh-keygen: it is not installed");
        return;
    }
    let exponent = exponent(&path("id"));
    let phrase = b"a phrase that nothing else has";
    let text = std::str::from_utf8(phrase).expect("text");
    let lock = ["-q", "-p", "-a", "2", "-P", "", "-N", text, "-f", "id"];
    assert!(run("ssh-keygen", &lock));
    std::fs::write(path("content"), [7; 100_000]).expect("a file");
    let seal = ["seal", "content", "--format", "age", "-R", "id.pub"];
    assert!(run(env!("CARGO_BIN_EXE_strongbox"), &seal));
    let open = ["open", "content.age", "-i", "id", "--output", "opened"];
    // As the file has the exponent, and as words in memory have it.
    let reversed: Vec<u8> = exponent.iter().rev().copied().collect();
    let waiting = answering(folder.path(), &open, phrase);
    check(waiting, "an RSA key", &[phrase, &exponent, &reversed]);
    assert!(path("opened").exists());
}
