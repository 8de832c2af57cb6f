//! A client in C, with the shared library as it is installed.

use std::path::Path;
use std::process::{Command, Stdio};

use strongbox::{KeyKind, SecretKey, System, text};

#[test]
fn a_client_in_c_seals_and_opens() {
    if Command::new("cc").arg("--version").output().is_err() {
        println!("SKIPPED: there is no C compiler");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let built = std::env::current_exe().unwrap();
    let built = built
        .parent()
        .unwrap()
        .join("libtouchstone_strongbox_capi.so");
    for name in ["libstrongbox.so", "libstrongbox.so.0"] {
        std::fs::copy(&built, folder.path().join(name)).unwrap();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = folder.path().join("client");
    let compiled = Command::new("cc")
        .args([
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-pedantic",
            "-Werror",
            "-O1",
            "-I",
        ])
        .arg(root.join("include"))
        .arg(root.join("tests/client.c"))
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(folder.path())
        .arg("-lstrongbox")
        .arg(format!("-Wl,-rpath,{}", folder.path().display()))
        .output()
        .unwrap();
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let key = SecretKey::random(KeyKind::Hybrid, &mut System::new().unwrap()).unwrap();
    let content: Vec<u8> = (0..100_000u32).map(|i| (i % 251) as u8).collect();
    let file = folder.path().join("content");
    std::fs::write(&file, &content).unwrap();
    let output = Command::new(&program)
        .arg(text::secret(&key).unwrap().as_str())
        .arg(text::recipient(&key.recipient()).unwrap())
        .stdin(Stdio::from(std::fs::File::open(&file).unwrap()))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.stdout == content);
}

/// Every function of the header is in the library, and no other function of strongbox.
#[test]
fn the_header_has_every_function() {
    let header =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/include/strongbox.h"));
    let header = header.unwrap();
    let mut declared: Vec<&str> = header
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '(')
        .filter_map(|word| word.split_once('('))
        .map(|(name, _)| name)
        .filter(|name| name.starts_with("strongbox_"))
        .collect();
    declared.sort_unstable();
    declared.dedup();
    let sources = ["status", "settings", "stream"].map(|name| {
        let path = format!("{}/src/{name}.rs", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).unwrap()
    });
    let mut defined: Vec<&str> = sources
        .iter()
        .flat_map(|text| text.split("extern \"C\" fn ").skip(1))
        .map(|rest| rest.split('(').next().unwrap())
        .collect();
    defined.sort_unstable();
    assert_eq!(declared, defined);
}
