//! The built library under clients in C, C++ and Python, and what it exports.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The library as it is installed: the shared object under its names.
fn installed() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let built = std::env::current_exe().unwrap();
    let built = built.parent().unwrap().join("libtouchstone_capi.so");
    for name in ["libtouchstone.so", "libtouchstone.so.0"] {
        std::fs::copy(&built, folder.path().join(name)).unwrap();
    }
    folder
}

fn available(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        eprintln!("SKIPPED: there is no {program}");
    }
    found
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{text}{errors}");
    text
}

fn compiled(library: &Path, example: &str) -> PathBuf {
    let program = library.join(example);
    run(Command::new("cc")
        .args([
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-Wpedantic",
            "-Werror",
            "-O1",
            "-I",
        ])
        .arg(Path::new(ROOT).join("include"))
        .arg(Path::new(ROOT).join(format!("examples/{example}.c")))
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(library)
        .arg("-ltouchstone")
        .arg(format!("-Wl,-rpath,{}", library.display())));
    program
}

#[test]
fn c_example_runs() {
    if available("cc") {
        let library = installed();
        let output = run(&mut Command::new(compiled(library.path(), "example")));
        assert!(output.contains("aes-128-cbc"), "{output}");
    }
}

/// By the name of the library within it, not of the file that was linked.
#[test]
fn soname_is_versioned() {
    if available("cc") && available("readelf") {
        let library = installed();
        let program = compiled(library.path(), "example");
        let needed = run(Command::new("readelf").arg("-d").arg(program));
        assert!(needed.contains("[libtouchstone.so.0]"), "{needed}");
    }
}

#[test]
fn nothing_leaks() {
    if available("cc") && available("valgrind") {
        let library = installed();
        let program = compiled(library.path(), "churn");
        run(&mut Command::new(&program));
        // valgrind knows no AVX-512, and then the kernels that need it are not
        // chosen; SHA-NI and the like it may not know either.
        let output = Command::new("valgrind")
            .args(["--leak-check=full", "--error-exitcode=9", "--quiet"])
            .arg(&program)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        if errors.contains("nrecognised instruction") {
            eprintln!("SKIPPED: valgrind does not know this machine's instructions");
        } else {
            assert!(output.status.success(), "{errors}");
        }
    }
}

#[test]
fn header_is_cxx_too() {
    if available("c++") {
        let library = installed();
        let source = library.path().join("a.cpp");
        std::fs::write(
            &source,
            "#include <touchstone.h>\nint main() { return touchstone_version()[0] == 0; }\n",
        )
        .unwrap();
        let program = library.path().join("a");
        run(Command::new("c++")
            .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"])
            .arg(Path::new(ROOT).join("include"))
            .arg(&source)
            .arg("-o")
            .arg(&program)
            .arg("-L")
            .arg(library.path())
            .arg("-ltouchstone")
            .arg(format!("-Wl,-rpath,{}", library.path().display())));
        run(&mut Command::new(program));
    }
}

#[test]
fn exports_are_its_own() {
    if available("nm") {
        let library = installed();
        let path = library.path().join("libtouchstone.so");
        let symbols = run(Command::new("nm").args(["-D", "--defined-only"]).arg(path));
        let header = std::fs::read_to_string(Path::new(ROOT).join("include/touchstone.h")).unwrap();
        let mut number = 0;
        for line in symbols.lines() {
            let name = line.split_whitespace().last().unwrap();
            assert!(name.starts_with("touchstone_"), "{line}");
            assert!(
                header.contains(&format!("{name}(")),
                "{name} is not in the header"
            );
            number += 1;
        }
        assert!(number > 50, "{symbols}");
    }
}

/// The ten lines of the manual, as they stand there.
#[test]
fn python_example_of_the_manual_runs() {
    let manual = std::fs::read_to_string(Path::new(ROOT).join("../../docs/c-api.md")).unwrap();
    let code = manual.split("```python\n").nth(1).unwrap();
    let code = code.split("```").next().unwrap();
    assert!(code.lines().count() <= 10, "{code}");
    if available("python3") {
        let library = installed();
        let output = run(Command::new("python3")
            .args(["-c", code])
            .env("LD_LIBRARY_PATH", library.path()));
        assert!(output.contains("ba7816bf"), "{output}");
        assert!(
            output.contains("7649abac8119b246cee98e9b12e9197d"),
            "{output}"
        );
    }
}
