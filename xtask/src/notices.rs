//! The licences of the crates that are linked into the wheel for Python, for the file that the wheel
//! carries. They come from the crates' packages as the lock file has them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

const MANIFEST: &str = "crates/touchstone-python/Cargo.toml";
const FILE: &str = "crates/touchstone-python/LICENSE-THIRD-PARTY";
/// The wheels' processors. Crates for other systems alone are in no wheel.
const TARGETS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

/// Writes the file anew, or fails if it is not what would be written.
pub(crate) fn run(check: bool) -> Result<()> {
    let mut crates = BTreeMap::new();
    for target in TARGETS {
        crates.extend(linked(&metadata(target)?)?);
    }
    let text = text(&crates)?;
    if !check {
        return std::fs::write(FILE, text).with_context(|| format!("cannot write {FILE}"));
    }
    let found = std::fs::read_to_string(FILE).with_context(|| format!("cannot read {FILE}"))?;
    ensure!(
        found == text,
        "{FILE} is not that of the locked crates; write it anew: cargo xtask notices"
    );
    Ok(())
}

fn metadata(target: &str) -> Result<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--locked", "--format-version", "1"])
        .args(["--manifest-path", MANIFEST, "--filter-platform", target])
        .output()
        .context("cannot start cargo metadata")?;
    ensure!(
        output.status.success(),
        "cargo metadata: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// A crate of others: its name with the version, its licence, and its folder.
type Crates = BTreeMap<String, (String, PathBuf)>;

/// Returns the crates of others that are linked: neither those of build scripts, nor macros, which
/// run in the compiler.
fn linked(metadata: &Value) -> Result<Crates> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let id = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages: BTreeMap<String, Value> = list(&metadata["packages"])
        .into_iter()
        .map(|package| (id(&package["id"]), package))
        .collect();
    let nodes: BTreeMap<String, Value> = list(&metadata["resolve"]["nodes"])
        .into_iter()
        .map(|node| (id(&node["id"]), node))
        .collect();
    let mut open = vec![id(&metadata["resolve"]["root"])];
    let (mut seen, mut crates) = (BTreeSet::new(), Crates::new());
    while let Some(next) = open.pop() {
        if !seen.insert(next.clone()) {
            continue;
        }
        let package = packages.get(&next).context("a crate without a package")?;
        let is_macro = |target: &Value| list(&target["kind"]).iter().any(|k| k == "proc-macro");
        if list(&package["targets"]).iter().any(is_macro) {
            continue;
        }
        // Crates of this repository have no source.
        if !package["source"].is_null() {
            let name = format!("{} {}", id(&package["name"]), id(&package["version"]));
            let manifest = PathBuf::from(id(&package["manifest_path"]));
            let folder = manifest.parent().context("a manifest without a folder")?;
            crates.insert(name, (id(&package["license"]), folder.to_owned()));
        }
        let node = nodes.get(&next).context("a crate without dependencies")?;
        for dependency in list(&node["deps"]) {
            if list(&dependency["dep_kinds"])
                .iter()
                .any(|kind| kind["kind"].is_null())
            {
                open.push(id(&dependency["pkg"]));
            }
        }
    }
    Ok(crates)
}

/// Returns the files of a crate that the wheel must carry. Where MIT is one of several licences to
/// choose from, the choice is MIT.
fn files(name: &str, licence: &str, folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("no folder of {name}"))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let file = file.to_lowercase();
        if path.is_file()
            && ["licen", "copying", "copyright", "notice"]
                .iter()
                .any(|start| file.starts_with(start))
        {
            found.push((file, path));
        }
    }
    found.sort();
    let choice = licence.contains("OR") && found.iter().any(|(file, _)| file.ends_with("-mit"));
    if choice {
        found.retain(|(file, _)| file.ends_with("-mit") || !file.starts_with("licen"));
    }
    if found.is_empty() {
        bail!("{name} ({licence}) has no file with its licence");
    }
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// Crates with the same text are named together.
fn text(crates: &Crates) -> Result<String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, (licence, folder)) in crates {
        for path in files(name, licence, folder)? {
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
            let names = texts.entry(lines.join("\n").trim().into()).or_default();
            names.push(format!("{name} ({licence})"));
        }
    }
    let mut notices: Vec<(Vec<String>, String)> = texts
        .into_iter()
        .map(|(text, names)| (names, text))
        .collect();
    notices.sort();
    let mut all = String::from(
        "The licences of the crates that are linked into the extension module. Beside these it has\n\
         Rust's standard library (MIT OR Apache-2.0, the Rust Project's contributors), whose own\n\
         notices are at https://github.com/rust-lang/rust/blob/master/COPYRIGHT.\n",
    );
    for (names, text) in notices {
        all.push_str(&format!("\n\n{}\n\n{text}\n", names.join(", ")));
    }
    Ok(all)
}
