//! Tests which symbols the shared objects export, and which symbols they need.

use crate::object::{folder, ours_path, system_path};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Returns the symbols from `objdump -T`, each as version and name. The version is in
/// parentheses if it is not the default version of the name.
fn table(path: &Path, defined: bool) -> BTreeSet<(String, String)> {
    let output = Command::new("objdump").arg("-T").arg(path).output();
    let output = output.expect("objdump runs");
    assert!(output.status.success());
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter(|line| line.contains("*UND*") != defined && line.contains(" D"))
        .filter_map(|line| {
            // The fields after the tab are section, size, the version if there is one,
            // and the name.
            let words: Vec<&str> = line.split('\t').nth(1)?.split_whitespace().collect();
            match words[..] {
                [_, version, name] => Some((version.into(), name.into())),
                [_, name] => Some((String::new(), name.into())),
                _ => None,
            }
        })
        .collect()
}

#[test]
fn exports_are_libxcrypts_and_freesecs() {
    let Some(system) = system_path() else { return };
    let mut wanted = table(&system, true);
    for name in [
        "FREESEC_1.0",
        "des_cipher",
        "des_setkey",
        "encrypt",
        "setkey",
    ] {
        wanted.insert(("FREESEC_1.0".into(), name.into()));
    }
    assert!(wanted.len() > 20, "{wanted:?}");
    assert_eq!(table(&ours_path(), true), wanted);
}

#[test]
fn the_interposer_has_the_same_names_without_versions() {
    let names = |path: &Path| -> BTreeSet<String> {
        let names = table(path, true).into_iter().map(|(_, name)| name);
        names
            .filter(|n| !n.contains("_2.") && !n.contains("_4.") && !n.contains("_1."))
            .collect()
    };
    let interposer = folder().join("libtouchstone-crypt.so");
    assert_eq!(names(&interposer), names(&ours_path()));
    let versions: BTreeSet<_> = table(&interposer, true)
        .into_iter()
        .map(|(v, _)| v)
        .collect();
    assert_eq!(versions, BTreeSet::from(["Base".to_owned()]));
}

#[test]
fn only_libc_is_needed() {
    for file in ["libcrypt.so.1", "libtouchstone-crypt.so"] {
        let output = Command::new("objdump")
            .arg("-p")
            .arg(folder().join(file))
            .output();
        let text = String::from_utf8(output.expect("objdump runs").stdout).unwrap();
        let field = |key: &str| -> Vec<String> {
            let lines = text
                .lines()
                .filter_map(|line| line.trim().strip_prefix(key));
            lines.map(|value| value.trim().to_owned()).collect()
        };
        assert_eq!(field("NEEDED "), ["libc.so.6"], "{file}");
        assert_eq!(field("SONAME "), [file]);
    }
}
