//! Faults of the system: a full disk at every write, a process that is killed, a terminal that
//! closes, several processes at once, and names that change while a file is written.

mod place;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use place::Place;

/// Runs the command with a limit of the length of files, which acts as a full disk does.
fn limited(place: &Place, arguments: &str, blocks: u32) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" {arguments}");
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &script])
        .arg(env!("CARGO_BIN_EXE_strongbox"));
    shell
        .current_dir(&place.0)
        .env("STRONGBOX_KDF", "memory=64,passes=1,lanes=1");
    shell.output().unwrap()
}

#[test]
fn a_full_disk_leaves_nothing() {
    let place = Place::new();
    place.write("a", 300_000);
    place.done("seal a -o whole --passphrase-file phrase");
    let before = place.names();
    for blocks in [0, 1, 2, 100, 300, 584] {
        for arguments in [
            "seal a -o out --passphrase-file phrase",
            "seal a -o out --zstd --passphrase-file phrase",
            "open whole -o out --passphrase-file phrase",
        ] {
            if blocks > 1 && arguments.contains("zstd") {
                continue;
            }
            let output = limited(&place, arguments, blocks);
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                output.status.code(),
                Some(3),
                "{blocks} blocks: {arguments}: {said}"
            );
            assert_eq!(place.names(), before, "{blocks} blocks: {arguments}");
        }
    }
    assert!(
        limited(&place, "seal a -o out --passphrase-file phrase", 1000)
            .status
            .success()
    );
}

#[test]
fn a_process_that_is_killed_leaves_nothing_or_all() {
    let count = std::env::var("STRONGBOX_KILLS").map_or(20, |count| count.parse().unwrap());
    let place = Place::new();
    let content = place.write("a", 20_000_000);
    place.done("seal a -o whole --passphrase-file phrase");
    let before = place.names();
    let mut finished = 0;
    for number in 0..count {
        let opens = number % 2 == 0;
        let arguments = if opens {
            "open whole -o out --passphrase-file phrase"
        } else {
            "seal a -o out --passphrase-file phrase"
        };
        let mut child = place
            .command()
            .args(arguments.split(' '))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(number * 30_000 / count));
        child.kill().unwrap();
        child.wait().unwrap();
        let out = place.path("out");
        if out.exists() {
            finished += 1;
            if opens {
                assert!(fs::read(&out).unwrap() == content, "point {number}");
            } else {
                place.done("verify out --passphrase-file phrase");
            }
            fs::remove_file(out).unwrap();
        }
        assert_eq!(place.names(), before, "point {number}");
    }
    println!("killed at {count} points; {finished} had finished");
}

/// A closed terminal sends SIGHUP, Ctrl-C SIGINT. The process waits for its input all the time.
#[test]
fn a_signal_ends_a_process_that_waits() {
    let place = Place::new();
    let before = place.names();
    for signal in ["HUP", "INT", "TERM"] {
        let arguments = "seal - -o out --passphrase-file phrase";
        let mut child = place
            .command()
            .args(arguments.split(' '))
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // `wait` would close the pipe, and so end the content.
        let input = child.stdin.take();
        std::thread::sleep(Duration::from_millis(300));
        let sent = Command::new("kill")
            .args(["-s", signal, &child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        drop(input);
        assert_eq!(place.names(), before, "{signal}");
    }
}

#[test]
fn two_at_once_do_not_mix() {
    let place = Place::new();
    place.write("a", 3_000_000);
    let seal = || {
        let arguments = "seal a -o out --passphrase-file phrase";
        place
            .command()
            .args(arguments.split(' '))
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    for _ in 0..5 {
        let mut children = [seal(), seal(), seal()];
        let codes = children
            .each_mut()
            .map(|child| child.wait().unwrap().code());
        assert_eq!(
            codes.iter().filter(|code| **code == Some(0)).count(),
            1,
            "{codes:?}"
        );
        assert!(
            codes.iter().all(|code| matches!(code, Some(0 | 3))),
            "{codes:?}"
        );
        place.done("verify out --passphrase-file phrase");
        fs::remove_file(place.path("out")).unwrap();
        assert_eq!(place.names(), ["a", "phrase", "wrong"]);
    }
}

/// The content of every file in the folder, by its name.
fn contents(place: &Place) -> Vec<(String, Vec<u8>)> {
    let read = |name: String| {
        let bytes = fs::read(place.path(&name)).unwrap_or_default();
        (name, bytes)
    };
    place.names().into_iter().map(read).collect()
}

/// Every verb that writes, with a limit that grows by 512 bytes until the verb succeeds: each time
/// before, no file is new, none is gone, and none has changed.
#[test]
fn a_disk_that_is_full_at_every_write_spoils_nothing() {
    for (prepare, arguments) in [
        ("", "seal a -o out --passphrase-file phrase"),
        ("", "seal a -o out --armor --passphrase-file phrase"),
        ("", "seal a -o out --pad --passphrase-file phrase"),
        ("", "seal a -o out --format age --passphrase-file phrase"),
        (
            "",
            "seal a -o out --format fca-hmac --passphrase-file phrase",
        ),
        (
            "seal a -o b --passphrase-file phrase",
            "open b -o out --passphrase-file phrase",
        ),
        (
            "seal a -o b --passphrase-file phrase",
            "open b -o a -f --passphrase-file phrase",
        ),
        (
            "seal a -o b --format fca --passphrase-file phrase",
            "open b -o out --passphrase-file phrase",
        ),
        (
            "seal a -o b --passphrase-file phrase",
            "rekey b --passphrase-file phrase --new-passphrase-file wrong",
        ),
        (
            "seal a -o b --passphrase-file phrase",
            "rekey b --passphrase-file phrase -R public",
        ),
        (
            "seal a -o b --parity --passphrase-file phrase",
            "repair b -o out",
        ),
        ("", "keygen -o out"),
    ] {
        let place = Place::new();
        place.write("a", 5000);
        // Too long a key for the room in a header: the file is written anew.
        place.done("keygen -q -o key");
        fs::write(place.path("public"), place.done("keygen --public key")).unwrap();
        if !prepare.is_empty() {
            place.done(prepare);
        }
        let before = contents(&place);
        let mut failed = 0;
        loop {
            let output = limited(&place, arguments, failed);
            if output.status.success() {
                break;
            }
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                output.status.code(),
                Some(3),
                "{failed}: {arguments}: {said}"
            );
            assert!(contents(&place) == before, "{failed}: {arguments}");
            failed += 1;
            assert!(failed < 100, "{arguments}: {said}");
        }
        assert!(failed > 0, "{arguments} has no limit");
        let after = contents(&place);
        assert!(
            after != before || arguments.contains("-o a "),
            "{arguments}"
        );
    }
}

/// While files are sealed and opened, another process puts links at the place of the result: first
/// nothing, then a link to a file that must stay, again and again.
#[test]
fn links_that_appear_meanwhile_are_not_followed() {
    let place = Place::new();
    place.write("a", 50_000);
    place.done("seal a -o whole --passphrase-file phrase");
    fs::write(place.path("victim"), "stays").unwrap();
    fs::set_permissions(place.path("victim"), fs::Permissions::from_mode(0o640)).unwrap();
    let over = AtomicBool::new(false);
    let (out, link) = (place.path("out"), place.path("link"));
    let mut done = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                let _ = symlink("victim", &link);
                let _ = fs::rename(&link, &out);
                let _ = fs::remove_file(&out);
            }
        });
        for number in 0..40 {
            let force = if number % 4 < 2 { "" } else { " -f" };
            let arguments = match number % 2 {
                0 => format!("seal a -o out{force} --passphrase-file phrase"),
                _ => format!("open whole -o out{force} --passphrase-file phrase"),
            };
            let output = place.run(&arguments);
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(
                matches!(output.status.code(), Some(0 | 3)),
                "{arguments}: {said}"
            );
            done += usize::from(output.status.success());
        }
        over.store(true, Ordering::Relaxed);
    });
    assert!(done > 0);
    assert_eq!(fs::read(place.path("victim")).unwrap(), b"stays");
    let mode = fs::metadata(place.path("victim"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
    let mut names = place.names();
    names.retain(|name| name != "out" && name != "link");
    assert_eq!(names, ["a", "phrase", "victim", "whole", "wrong"]);
}

/// A result is never readable for others while it is written, whatever the umask is, and a file
/// that nobody may replace stays.
#[test]
fn permissions_are_those_of_the_owner_all_the_time() {
    let place = Place::new();
    place.write("a", 100);
    let strongbox = env!("CARGO_BIN_EXE_strongbox");
    let seal = "umask 0; exec \"$0\" seal - -o out --passphrase-file phrase";
    let mut child = Command::new("sh")
        .args(["-c", seal, strongbox])
        .current_dir(&place.0)
        .env("STRONGBOX_KDF", "memory=64,passes=1,lanes=1")
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    // The process has its output open while it waits for its input.
    let files = format!("/proc/{}/fd", child.id());
    let mut seen = 0;
    for _ in 0..200 {
        for entry in fs::read_dir(&files).into_iter().flatten().flatten() {
            let at = fs::read_link(entry.path()).unwrap_or_default();
            let ours = at.starts_with(place.0.path()) && !at.ends_with("phrase");
            let known = fs::metadata(entry.path());
            if let Some(known) = known.ok().filter(|known| ours && known.is_file()) {
                assert_eq!(known.permissions().mode() & 0o077, 0, "{}", at.display());
                seen += 1;
            }
        }
        if seen > 2 {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    assert!(seen > 0, "the output was never seen");
    let mode = fs::metadata(place.path("out"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// A prompt at a terminal that closes: the process ends, and nothing is left.
#[test]
fn a_terminal_that_closes_ends_a_prompt() {
    let place = Place::new();
    place.write("a", 100);
    let before = place.names();
    // The terminal closes when script is killed.
    let terminal = place
        .terminal("exec \"$STRONGBOX\" seal a -o out")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut terminal) = terminal else {
        println!("SKIPPED: a terminal that closes: script(1) is not installed");
        return;
    };
    let input = terminal.stdin.take();
    let typed = place.path("typed");
    let asks = || fs::read_to_string(&typed).is_ok_and(|text| text.contains("New passphrase"));
    for _ in 0..500 {
        if asks() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(asks(), "no prompt came");
    let prompting = || {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let ours = |line: Vec<u8>| line.starts_with(env!("CARGO_BIN_EXE_strongbox").as_bytes());
        let here = |entry: &fs::DirEntry| {
            let folder = fs::read_link(entry.path().join("cwd"));
            folder.is_ok_and(|folder| folder == place.0.path())
        };
        processes
            .filter(here)
            .any(|entry| fs::read(entry.path().join("cmdline")).is_ok_and(ours))
    };
    assert!(prompting());
    terminal.kill().unwrap();
    terminal.wait().unwrap();
    drop(input);
    for _ in 0..500 {
        if !prompting() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!prompting(), "the process still waits");
    fs::remove_file(&typed).unwrap();
    assert_eq!(place.names(), before);
}
