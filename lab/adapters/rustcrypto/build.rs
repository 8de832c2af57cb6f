//! Writes the version of each crate that Cargo selected, from the workspace's `Cargo.lock`,
//! into the file `versions.rs`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let lock = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("set by Cargo"))
        .ancestors()
        .map(|folder| folder.join("Cargo.lock"))
        .find(|path| path.is_file())
        .expect("Cargo writes Cargo.lock before it builds");
    println!("cargo::rerun-if-changed={}", lock.display());
    println!("cargo::rerun-if-changed=build.rs");

    let text = fs::read_to_string(&lock).expect("Cargo.lock is readable");
    let name = env::var("CARGO_PKG_NAME").expect("set by Cargo");
    let mut rows = String::from("&[\n");
    for (dependency, version) in chosen(&text, &name) {
        rows.push_str(&format!("    ({dependency:?}, {version:?}),\n"));
    }
    rows.push(']');
    let out = PathBuf::from(env::var("OUT_DIR").expect("set by Cargo")).join("versions.rs");
    fs::write(out, rows).expect("OUT_DIR is writable");
}

/// Returns the name and version of every direct dependency of `package`. An entry of the lock
/// file is `"aes"`, or `"aes 0.9.4"` if the lock file holds several versions.
fn chosen(lock: &str, package: &str) -> Vec<(String, String)> {
    let mut versions = HashMap::new();
    let mut dependencies = Vec::new();
    for block in lock.split("[[package]]").skip(1) {
        let field = |key: &str| {
            block.lines().find_map(|line| {
                let value = line.strip_prefix(key)?.strip_prefix(" = \"")?;
                value.strip_suffix('"')
            })
        };
        let (Some(name), Some(version)) = (field("name"), field("version")) else {
            continue;
        };
        versions.insert(name, version);
        if name == package {
            dependencies = block
                .lines()
                .filter_map(|line| line.strip_prefix(" \"")?.strip_suffix("\","))
                .collect();
        }
    }
    dependencies
        .into_iter()
        .filter_map(|entry| match entry.split_once(' ') {
            Some((name, version)) => Some((name, version)),
            None => versions.get(entry).map(|version| (entry, *version)),
        })
        .map(|(name, version)| (name.to_owned(), version.to_owned()))
        .collect()
}
