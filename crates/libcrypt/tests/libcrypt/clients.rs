//! Runs programs of the system with our shared object in place of the system's libcrypt.

use crate::object::{SETTINGS, folder, ours_path, system_path};
use std::path::Path;
use std::process::{Command, Stdio};

/// The environment variables with which a program in our object's folder loads the object.
/// The path is relative, because the loader would split a path with spaces (ld.so(8)).
fn ways() -> [(&'static str, &'static str); 2] {
    [
        ("LD_LIBRARY_PATH", "."),
        ("LD_PRELOAD", "./libtouchstone-crypt.so"),
    ]
}

/// Returns the output of a program, which must be the same with the system's libcrypt and with
/// our libcrypt. Returns `None` if the program is not installed.
fn same_output(program: &str, arguments: &[&str]) -> Option<String> {
    let run = |way: Option<&(&str, &str)>| {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null());
        command.current_dir(folder()).envs(way.copied());
        let output = command.output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        output.status.success().then_some(text)
    };
    let wanted = run(None)?;
    for way in ways() {
        assert_eq!(
            run(Some(&way)).as_ref(),
            Some(&wanted),
            "{program} by {}",
            way.0
        );
    }
    Some(wanted)
}

/// Checks in the memory map of the process in `/proc` that the loader really uses our object.
#[test]
fn the_loader_takes_ours() {
    let script = "crypt('a', 'ab'); open M, '/proc/self/maps'; print grep /crypt/, <M>";
    for (key, value) in ways() {
        let Ok(output) = Command::new("perl")
            .args(["-e", script])
            .current_dir(folder())
            .env(key, value)
            .output()
        else {
            println!("SKIPPED: no perl");
            return;
        };
        let maps = String::from_utf8_lossy(&output.stdout).into_owned();
        let folder = folder().to_str().expect("a path in UTF-8");
        assert!(maps.contains(folder), "{key}: {maps}");
    }
}

#[test]
fn perl() {
    let script = "for my $s (@ARGV) { print crypt('phrase', $s), qq(\\n) }";
    let arguments = [&["-e", script, "x", "*0"], SETTINGS].concat();
    match same_output("perl", &arguments) {
        Some(text) => assert_eq!(text.lines().count(), SETTINGS.len() + 2),
        None => println!("SKIPPED: no perl"),
    }
}

#[test]
fn python() {
    let script = "import crypt, sys, warnings\n\
        for m in crypt.methods: assert crypt.crypt('p', crypt.mksalt(m)).startswith('$') or m is crypt.METHOD_CRYPT\n\
        for s in sys.argv[1:]: print(crypt.crypt('phrase', s))";
    let arguments = [&["-W", "ignore", "-c", script], SETTINGS].concat();
    let pythons = ["/usr/bin/python3", "python3", "python3.11"];
    if !pythons
        .iter()
        .any(|python| same_output(python, &arguments).is_some())
    {
        println!("SKIPPED: no Python with a crypt module");
    }
}

#[test]
fn htpasswd() {
    // htpasswd -d calls crypt(3). Each run makes a new salt, so the test does not compare
    // outputs: htpasswd verifies the hashes that it made.
    let made = Command::new("htpasswd")
        .args(["-ndb", "user", "phrase"])
        .output();
    let Ok(made) = made else {
        println!("SKIPPED: no htpasswd");
        return;
    };
    let line = String::from_utf8_lossy(&made.stdout).into_owned();
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    for (key, value) in ways() {
        std::fs::write(file.path(), line.trim()).expect("the file can be written");
        let status = Command::new("htpasswd")
            .args([
                "-vb",
                file.path().to_str().expect("UTF-8"),
                "user",
                "phrase",
            ])
            .current_dir(folder())
            .env(key, value)
            .stderr(Stdio::null())
            .status();
        assert!(status.expect("htpasswd runs").success(), "{key}");
        let again = Command::new("htpasswd")
            .args(["-ndb", "user", "phrase"])
            .current_dir(folder())
            .env(key, value)
            .output();
        let again = String::from_utf8_lossy(&again.expect("htpasswd runs").stdout).into_owned();
        std::fs::write(file.path(), again.trim()).expect("the file can be written");
        let status = Command::new("htpasswd")
            .args([
                "-vb",
                file.path().to_str().expect("UTF-8"),
                "user",
                "phrase",
            ])
            .stderr(Stdio::null())
            .status();
        assert!(status.expect("htpasswd runs").success(), "{key}");
    }
}

/// Tests chpasswd, su and PAM. These programs run as root and ignore the environment. So the
/// test binds our object over the system's object in a mount namespace of its own.
#[test]
#[ignore = "needs root and touches mounts: make libcrypt-clients"]
fn logging_in() {
    // SAFETY: the call only asks for the user of this process.
    if unsafe { libc::geteuid() } != 0 {
        println!("SKIPPED: not root");
        return;
    }
    let Some(system) = system_path() else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/libcrypt/login.sh");
    let work = tempfile::tempdir().expect("a temporary folder");
    let output = Command::new("unshare")
        .args(["--mount", "--propagation", "private", "sh"])
        .arg(script)
        .arg(ours_path())
        .arg(system)
        .arg(work.path())
        .output()
        .expect("unshare runs");
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}{}", String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(77) {
        println!("SKIPPED: no mount namespaces here");
        return;
    }
    assert!(output.status.success());
}
