//! Pipes, pages of help, and what else surrounds a command.

use std::fs::{self, File};
use std::io::Read;
use std::process::{Command, Stdio};

use crate::place::{Place, names};

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
fn a_text_that_cannot_be_written_is_an_error() {
    let place = Place::new();
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["seal", "--help"],
        &["completions", "bash"],
        &["keygen", "--phrase"],
    ] {
        let start = |out: Stdio| {
            let ended = place
                .command()
                .args(arguments)
                .stdout(out)
                .output()
                .unwrap();
            let error = String::from_utf8(ended.stderr).unwrap();
            (ended.status.code(), error)
        };
        let full = File::options().write(true).open("/dev/full");
        let (code, error) = start(full.unwrap().into());
        assert_eq!(code, Some(3), "{arguments:?}: {error}");
        assert!(error.contains("No space left"), "{arguments:?}: {error}");
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        let ended = start(closed.into());
        assert_eq!(ended, (Some(141), String::new()), "{arguments:?}");
    }
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

/// On a terminal, sealing shows how much is done, the rate and the time left; `--quiet` and a pipe
/// show nothing.
#[test]
fn a_terminal_shows_the_rate_and_the_time_left() {
    let place = Place::new();
    let content = File::create(place.path("a")).unwrap();
    content.set_len(64 << 20).unwrap();
    let shown = |more: &str| {
        let line =
            format!("\"$STRONGBOX\" seal a -o out --passphrase-file phrase {more} && rm out");
        let done = place.terminal(&line).stdin(Stdio::null()).output().ok()?;
        let text = fs::read_to_string(place.path("typed")).unwrap();
        assert!(done.status.success(), "{text}");
        Some(text)
    };
    let Some(text) = shown("") else {
        println!("SKIPPED: progress on a terminal: script(1) is not installed");
        return;
    };
    for part in [" of 64.00 MiB, ", "/s, ", "s left"] {
        assert!(text.contains(part), "{part:?} is not in {text:?}");
    }
    let quiet = shown("--quiet").unwrap();
    assert!(!quiet.contains("left"), "{quiet:?}");
    let piped = place.run("seal a -o out --passphrase-file phrase");
    assert!(piped.status.success());
    assert!(piped.stderr.is_empty());
}
