//! The command as scripts use it.
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
