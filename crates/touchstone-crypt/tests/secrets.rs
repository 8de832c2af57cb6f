//! What is left of a phrase in `touchstone-crypt` when it writes its answer: nothing.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]
#![allow(missing_docs)]

#[path = "../../touchstone/tests/common/residue.rs"]
mod residue;

use std::io::{ErrorKind, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use residue::{Request, part_in};
use touchstone_password::{OUTPUT_SIZE, hash};

/// A setting of each method, with a low cost.
const SETTINGS: &[&str] = &[
    "ab",
    "_/...CCCC",
    "$1$abcdefgh",
    "$3$",
    "$5$rounds=1000$saltstring",
    "$6$rounds=1000$saltstring",
    "$2b$04$abcdefghijklmnopqrstuu",
    "$sha1$12$GGXpNqoJvglVTkGU",
    "$md5,rounds=12$9ZLwtuTO$",
    "$7$66..../....SodiumChloride",
    "$y$j75$LdJMENpBABJJ3hIHjB1Bi.",
    "$gy$j75$LdJMENpBABJJ3hIHjB1Bi.",
];

/// Starts the command with a phrase, and returns when the command waits for somebody to read its
/// answer. The socket for the answer is full.
fn answering(arguments: &[&str], phrase: &[u8]) -> (Child, UnixStream) {
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
    let mut child = Command::new(env!("CARGO_BIN_EXE_touchstone-crypt"))
        .args(arguments)
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
fn nothing_is_left_of_a_phrase() {
    if cfg!(debug_assertions) {
        println!(
            "SKIPPED: the search of memory, because this profile uses more of the stack; make secrets"
        );
        return;
    }
    for setting in SETTINGS {
        let mut phrase = vec![0; 40];
        getrandom::fill(&mut phrase).expect("random bytes");
        phrase.iter_mut().for_each(|byte| *byte = b' ' + *byte % 95);
        let mut output = [0; OUTPUT_SIZE];
        let stored = hash(&phrase, setting.as_bytes(), &mut output).expect("a hash");
        let request = |secret: &[u8]| Request {
            name: (*setting).to_owned(),
            secret: secret.to_vec(),
            message: Vec::new(),
        };
        for arguments in [&["hash", "--setting", setting][..], &["verify", stored]] {
            let (mut child, reader) = answering(arguments, &phrase);
            let left = part_in(child.id(), &request(&phrase));
            // The search sees what the command has kept: the last argument.
            let kept = part_in(child.id(), &request(stored.as_bytes()));
            child.kill().expect("a process");
            child.wait().expect("a process");
            drop(reader);
            assert_eq!(left, None, "{arguments:?}");
            assert!(kept.is_some(), "{arguments:?}: the search sees nothing");
        }
    }
}
