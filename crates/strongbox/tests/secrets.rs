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

#[test]
fn nothing_is_left_of_a_passphrase() {
    if cfg!(debug_assertions) {
        println!(
            "SKIPPED: the search of memory, because this profile uses more of the stack; make secrets"
        );
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
        let request = |secret: &[u8]| Request {
            name: format!("round {round}"),
            secret: secret.to_vec(),
            message: Vec::new(),
        };
        for arguments in [
            &["seal", "content", "--force"][..],
            &["verify", "content.sbx"],
            &["open", "content.sbx", "--force", "--output", "opened"],
        ] {
            let (mut child, reader) = answering(folder.path(), arguments, &phrase);
            let left = part_in(child.id(), &request(&phrase));
            // The search sees what the command has kept: an argument.
            let kept = part_in(child.id(), &request(b"--passphrase-fd"));
            child.kill().expect("a process");
            child.wait().expect("a process");
            drop(reader);
            assert_eq!(left, None, "{arguments:?}");
            assert!(kept.is_some(), "{arguments:?}: the search sees nothing");
        }
    }
}
