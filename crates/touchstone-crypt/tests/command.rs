//! Runs the command as a script would.
#![allow(missing_docs)]

use assert_cmd::Command;

fn command(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut command = Command::cargo_bin("touchstone-crypt").unwrap();
    let output = command.args(arguments).write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn a_hash_is_verified() {
    for method in [
        "yescrypt",
        "gost-yescrypt",
        "bcrypt",
        "sha512crypt",
        "md5crypt",
        "descrypt",
    ] {
        let cost = if method.ends_with("yescrypt") {
            "1"
        } else {
            "0"
        };
        let (code, hash, _) = command(&["hash", "-m", method, "-c", cost], "a phrase\nmore\n");
        assert_eq!(code, 0, "{method}");
        let hash = hash.trim();
        assert_eq!(command(&["verify", hash], "a phrase").0, 0, "{method}");
        assert_eq!(command(&["verify", hash], "a Phrase").0, 1, "{method}");
    }
}

#[test]
fn settings_hashes_and_files() {
    let (code, hash, _) = command(&["hash", "--setting", "ar"], "foob");
    assert_eq!((code, hash.as_str()), (0, "arlEKn0OzVJn.\n"));
    let file = std::env::temp_dir().join(format!("touchstone-crypt-{}", std::process::id()));
    std::fs::write(&file, hash).unwrap();
    let path = file.to_str().unwrap();
    assert_eq!(
        command(&["verify", "--hash-file", path], "foob\n").1,
        "right\n"
    );
    std::fs::remove_file(file).unwrap();
    let (code, setting, _) = command(&["gensalt", "-m", "bcrypt", "-c", "12"], "");
    assert_eq!((code, setting.trim().len()), (0, 29));
    assert!(setting.starts_with("$2b$12$"));
    assert!(
        command(&["identify", "$y$j9T$abc"], "")
            .1
            .contains("crypt-yescrypt")
    );
    assert_eq!(command(&["identify", "$zz$"], "").0, 1);
}

#[test]
fn mistakes_are_told_apart_from_wrong_phrases() {
    for (arguments, input) in [
        (&["verify", "nonsense!"][..], "a"),
        (&["hash", "-m", "bcrypt", "-c", "99"], "a"),
        (&["hash", "-m", "rot13"], "a"),
        (&["hash", "--setting", "$6$rounds=1$a"], "a"),
        (&["hash", "-m", "descrypt"], "a\0b"),
        (&["cert", "/nowhere/libcrypt.so.1"], ""),
        (&[], ""),
    ] {
        let (code, out, err) = command(arguments, input);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(!err.is_empty());
    }
}

#[test]
fn an_empty_phrase_is_one_only_where_that_is_asked_for() {
    for input in ["", "\n"] {
        let (code, out, err) = command(&["hash", "-m", "md5crypt"], input);
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(err.contains("--empty"), "{err}");
        let (code, hash, _) = command(&["hash", "-m", "md5crypt", "--empty"], input);
        assert_eq!(code, 0);
        assert_eq!(command(&["verify", hash.trim()], input).0, 2);
        assert_eq!(command(&["verify", "--empty", hash.trim()], input).0, 0);
    }
}

#[test]
fn a_file_without_end_is_refused() {
    let (code, _, err) = command(&["verify", "--hash-file", "/dev/zero"], "a");
    assert_eq!(code, 2);
    assert!(err.contains("longer than any hash"), "{err}");
}

#[test]
fn a_cost_out_of_range_is_an_error() {
    for (method, cost) in [
        ("yescrypt", "12"),
        ("gost-yescrypt", "99999999999"),
        ("scrypt", "5"),
        ("bcrypt", "3"),
        ("sha512crypt", "999"),
        ("sha256crypt", "1000000000"),
        ("sha1crypt", "4294967296"),
        ("sunmd5", "1"),
        ("sunmd5", "4294901760"),
        ("bsdicrypt", "16777216"),
        ("md5crypt", "1"),
        ("descrypt", "25"),
        ("nt", "1"),
    ] {
        let (code, out, err) = command(&["gensalt", "-m", method, "-c", cost], "");
        assert_eq!((code, out.as_str()), (2, ""), "{method} {cost}");
        assert!(err.contains("range"), "{method}: {err}");
    }
    for (method, least, most) in [
        ("yescrypt", "1", "11"),
        ("scrypt", "6", "11"),
        ("bcrypt", "4", "31"),
        ("sha512crypt", "1000", "999999999"),
        ("sha1crypt", "4", "4294967295"),
        ("sunmd5", "32768", "4294901759"),
        ("bsdicrypt", "1", "16777215"),
    ] {
        for cost in [least, most] {
            let (code, _, err) = command(&["gensalt", "-m", method, "-c", cost], "");
            assert_eq!(code, 0, "{method} {cost}: {err}");
        }
    }
}

#[test]
fn an_answer_that_cannot_be_written_is_an_error() {
    for arguments in [
        &["gensalt"][..],
        &["identify", "$y$j9T$abc"],
        &["completions", "bash"],
        &["cert", "--quick"],
        &["--help"],
        &["hash", "--help"],
        &["--version"],
    ] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        let program = env!("CARGO_BIN_EXE_touchstone-crypt");
        let start = |out: std::process::Stdio| {
            let mut command = std::process::Command::new(program);
            let output = command.args(arguments).stdout(out).output().unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            assert!(!error.contains("panicked"), "{arguments:?}: {error}");
            (output.status.code(), error)
        };
        let (code, error) = start(full.into());
        if arguments[0] == "cert" && code == Some(2) {
            println!("SKIPPED: {error}");
            continue;
        }
        assert_eq!(code, Some(3), "{arguments:?}: {error}");
        assert!(error.contains("No space left"), "{arguments:?}: {error}");
        let closed = start(closed.into());
        assert_eq!(closed, (Some(141), String::new()), "{arguments:?}");
    }
}

#[test]
fn man_pages_and_completions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    assert_eq!(command(&["man", path], "").0, 0);
    for (page, wanted) in [
        ("touchstone-crypt.1", "Exit status"),
        ("touchstone-crypt-verify.1", "hash\\-file"),
        ("touchstone-crypt-cert.1", "quick"),
    ] {
        let text = std::fs::read_to_string(folder.path().join(page)).unwrap();
        assert!(text.contains(wanted), "{page}: {text}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let (code, text, _) = command(&["completions", shell], "");
        assert_eq!(code, 0);
        assert!(text.contains("gensalt"), "{shell}");
    }
}

#[test]
fn the_systems_library_is_certified() {
    let (code, out, err) = command(&["cert", "--quick"], "");
    if code == 2 {
        println!("SKIPPED: {err}");
        return;
    }
    assert_eq!(code, 0, "{out}");
    assert!(
        out.contains("ok       setkey and encrypt, both ways: 344"),
        "{out}"
    );
}
