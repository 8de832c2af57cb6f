//! Tests the built library with clients in C, C++ and Python, and tests which symbols it
//! exports.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Makes a folder with the library as it is installed: the shared object under its names.
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

const STRICT: [&str; 5] = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-O1"];

/// Compiles a program in C89 and links it with the shared library.
fn compiled(library: &Path, source: &Path) -> PathBuf {
    let program = source.with_extension("program");
    run(Command::new("cc")
        .arg("-std=c89")
        .args(STRICT)
        .arg("-I")
        .arg(Path::new(ROOT).join("include"))
        .arg(source)
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(library)
        .arg("-ltouchstone")
        .arg(format!("-Wl,-rpath,{}", library.display())));
    program
}

fn manual() -> String {
    std::fs::read_to_string(Path::new(ROOT).join("../../docs/c-api.md")).unwrap()
}

/// Returns the code blocks of the manual, `docs/c-api.md`, in one language.
fn blocks(language: &str) -> Vec<String> {
    let manual = manual();
    let begin = format!("```{language}\n");
    let blocks = manual.split(&begin).skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap().to_owned())
        .collect()
}

#[test]
fn programs_of_the_manual_run() {
    if !available("cc") {
        return;
    }
    let library = installed();
    let programs = blocks("c");
    assert_eq!(programs.len(), 12, "programs in docs/c-api.md");
    for (i, text) in programs.iter().enumerate() {
        let source = library.path().join(format!("task{i}.c"));
        std::fs::write(&source, text).unwrap();
        run(&mut Command::new(compiled(library.path(), &source)));
    }
}

/// Checks that a program finds the library by the name in the library (its SONAME), not by the
/// name of the file that was linked.
#[test]
fn soname_is_versioned() {
    if available("cc") && available("readelf") {
        let library = installed();
        let source = library.path().join("a.c");
        std::fs::write(&source, &blocks("c")[0]).unwrap();
        let program = compiled(library.path(), &source);
        let needed = run(Command::new("readelf").arg("-d").arg(program));
        assert!(needed.contains("[libtouchstone.so.0]"), "{needed}");
    }
}

/// Checks that every installed compiler accepts the header, with the oldest and the newest
/// standard.
#[test]
fn every_compiler_takes_the_header() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("a.c");
    std::fs::write(
        &source,
        "#include <touchstone.h>\nint main(void) { return 0; }\n",
    )
    .unwrap();
    for (compiler, extra) in [
        ("gcc", &["-std=c89"][..]),
        ("gcc", &["-std=c2x"]),
        ("clang", &["-std=c89"]),
        ("tcc", &[]),
        ("g++", &["-x", "c++", "-std=c++98", "-Wno-long-long"]),
        ("g++", &["-x", "c++", "-std=c++20"]),
    ] {
        if available(compiler) {
            run(Command::new(compiler)
                .args(extra)
                .args(STRICT)
                .arg("-I")
                .arg(Path::new(ROOT).join("include"))
                .args(["-c", "-o"])
                .arg(folder.path().join("a.o"))
                .arg(&source));
        }
    }
}

/// Checks that the header and the Rust sources declare the same functions: a compiler accepts
/// the two sets of declarations together, and their constants are equal.
#[test]
fn header_is_that_of_the_sources() {
    let config = cbindgen::Config {
        usize_is_size_t: true,
        style: cbindgen::Style::Both,
        ..cbindgen::Config::default()
    };
    let mut builder = cbindgen::Builder::new()
        .with_config(config)
        .with_language(cbindgen::Language::C);
    for file in std::fs::read_dir(Path::new(ROOT).join("src")).unwrap() {
        builder = builder.with_src(file.unwrap().path());
    }
    let mut text = Vec::new();
    builder.generate().unwrap().write(&mut text);
    let text = String::from_utf8(text).unwrap();
    let mut both = String::from("#include <touchstone.h>\n");
    let mut constants = 0;
    for line in text.lines() {
        if let Some(constant) = line.strip_prefix("#define TOUCHSTONE_") {
            let (name, value) = constant.split_once(' ').unwrap();
            both += &format!("_Static_assert(TOUCHSTONE_{name} == ({value}), \"{name}\");\n");
            constants += 1;
        } else {
            both += &format!("{line}\n");
        }
    }
    assert!(constants > 20, "{text}");
    let functions = |text: &str| -> std::collections::BTreeSet<String> {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "_(".contains(c)));
        words
            .filter_map(|word| word.split_once('('))
            .filter(|(name, _)| name.starts_with("touchstone_"))
            .map(|(name, _)| name.to_owned())
            .collect()
    };
    let header = std::fs::read_to_string(Path::new(ROOT).join("include/touchstone.h")).unwrap();
    assert!(header.lines().count() < 1000);
    assert_eq!(functions(&header), functions(&text));
    if available("cc") {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("both.c");
        std::fs::write(&source, both).unwrap();
        run(Command::new("cc")
            .args(["-std=c11", "-Werror", "-fsyntax-only", "-I"])
            .arg(Path::new(ROOT).join("include"))
            .arg(source));
    }
}

#[test]
fn nothing_leaks() {
    if available("cc") && available("valgrind") {
        let library = installed();
        let source = library.path().join("churn.c");
        std::fs::copy(Path::new(ROOT).join("examples/churn.c"), &source).unwrap();
        let program = compiled(library.path(), &source);
        run(&mut Command::new(&program));
        // valgrind does not know AVX-512, so the library chooses no kernels that need AVX-512.
        // Some versions of valgrind do not know SHA-NI and similar instructions either.
        let output = Command::new("valgrind")
            .args([
                "--leak-check=full",
                "--track-origins=yes",
                "--error-exitcode=9",
                "--quiet",
            ])
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

/// Checks that the Python example in the manual runs as it is written there.
#[test]
fn python_example_of_the_manual_runs() {
    let code = &blocks("python")[0];
    assert!(code.lines().count() <= 10, "{code}");
    if available("python3") {
        let library = installed();
        let output = run(Command::new("python3")
            .args(["-c", code.as_str()])
            .env("LD_LIBRARY_PATH", library.path()));
        assert!(output.contains("ba7816bf"), "{output}");
        assert!(
            output.contains("7649abac8119b246cee98e9b12e9197d"),
            "{output}"
        );
    }
}

/// Checks that every family of algorithms that is a feature of the library in Rust is also a
/// feature of this crate.
#[test]
fn every_family_is_a_feature() {
    let read = |path: &str| std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap();
    let rust = read("../touchstone/Cargo.toml");
    let (_, families) = rust.split_once("\ndefault = [").unwrap();
    let (families, _) = families.split_once(']').unwrap();
    let c = read("Cargo.toml");
    let families: Vec<_> = families.split('"').skip(1).step_by(2).collect();
    assert!(families.len() > 30, "{families:?}");
    for family in families {
        let line = format!("\n{family} = [\"touchstone/{family}\"]\n");
        assert!(c.contains(&line), "{family}");
    }
}

/// Makes the static library as it is installed.
fn archive(folder: &Path) -> PathBuf {
    let built = std::env::current_exe().unwrap();
    let built = built.parent().unwrap().join("libtouchstone_capi.a");
    let archive = folder.join("libtouchstone.a");
    run(Command::new(Path::new(ROOT).join("../../tools/static.sh"))
        .arg(built)
        .arg(&archive));
    archive
}

/// Returns the libraries that a static Rust archive needs, as touchstone.pc lists them.
fn private_libraries() -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(ROOT).join("touchstone.pc.in")).unwrap();
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("Libs.private: "));
    line.unwrap().split(' ').map(str::to_owned).collect()
}

#[test]
fn the_archive_defines_its_functions_alone_and_links_statically() {
    if ["cc", "ld", "objcopy", "nm"].into_iter().all(available) {
        let folder = tempfile::tempdir().unwrap();
        let archive = archive(folder.path());
        let symbols = run(Command::new("nm")
            .args(["-g", "--defined-only"])
            .arg(&archive));
        let names: Vec<_> = symbols
            .lines()
            .filter_map(|line| line.split(' ').nth(2))
            .collect();
        assert!(names.len() > 70, "{symbols}");
        assert!(
            names.iter().all(|name| name.starts_with("touchstone_")),
            "{symbols}"
        );
        let source = folder.path().join("a.c");
        std::fs::write(&source, &blocks("c")[0]).unwrap();
        let program = folder.path().join("a");
        run(Command::new("cc")
            .args(["-static", "-I"])
            .arg(Path::new(ROOT).join("include"))
            .arg(source)
            .arg(archive)
            .args(private_libraries())
            .arg("-o")
            .arg(&program));
        run(&mut Command::new(program));
    }
}

/// Links one program with both static libraries. Neither library may use the symbols of the
/// other.
#[test]
fn both_archives_link_into_one_program() {
    if !["cc", "ld", "objcopy", "nm"].into_iter().all(available) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let ours = archive(folder.path());
    let target = folder.path().join("target");
    run(Command::new(env!("CARGO"))
        .args([
            "rustc",
            "--quiet",
            "--package",
            "touchstone-libcrypt",
            "--lib",
        ])
        .args(["--crate-type", "staticlib", "--target-dir"])
        .arg(&target)
        .current_dir(Path::new(ROOT).join("../..")));
    let source = folder.path().join("both.c");
    std::fs::write(
        &source,
        r#"
#include <string.h>
#include <touchstone.h>
char *touchstone_libcrypt_crypt(const char *phrase, const char *setting);
int touchstone_libcrypt_setkey(const char *key);
int touchstone_libcrypt_encrypt(char *block, int edflag);
int main(void)
{
    unsigned char key[8] = {0}, block[8] = {0};
    char bits[64] = {0}, hash[TOUCHSTONE_CRYPT_SIZE];
    int i;
    if (touchstone_encrypt("des-ecb", key, 8, NULL, 0, block, block, 8))
        return 1;
    touchstone_libcrypt_setkey(bits);
    touchstone_libcrypt_encrypt(bits, 0);
    for (i = 0; i < 64; i++)
        if (bits[i] != (block[i / 8] >> (7 - i % 8) & 1))
            return 2;
    if (touchstone_crypt("password", "ab", hash, sizeof hash))
        return 3;
    return strcmp(hash, touchstone_libcrypt_crypt("password", "ab")) != 0;
}
"#,
    )
    .unwrap();
    let program = folder.path().join("both");
    run(Command::new("cc")
        .arg("-I")
        .arg(Path::new(ROOT).join("include"))
        .arg(source)
        .arg(ours)
        .arg(target.join("debug/libtouchstone_libcrypt.a"))
        .args(private_libraries())
        .arg("-o")
        .arg(&program));
    run(&mut Command::new(program));
}
