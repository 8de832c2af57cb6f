//! Checks rules of the repository that no compiler checks: which crates a crate may use, which
//! files a file may use, and that every adapter and every vector file is complete.

mod modules;
mod order;

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail, ensure};

/// For each crate, the crates of this workspace that it may depend on. A crate that is
/// not listed may depend on none of them.
const MAY_USE: &[(&str, &[&str])] = &[
    ("touchstone-crypto", &["touchstone-vectors"]),
    (
        "touchstone-password",
        &["touchstone-crypto", "touchstone-vectors"],
    ),
    (
        "touchstone-libcrypt",
        &[
            "touchstone-crypto",
            "touchstone-password",
            "touchstone-vectors",
        ],
    ),
    (
        "touchstone-crypt",
        &[
            "touchstone-crypto",
            "touchstone-password",
            "touchstone-vectors",
        ],
    ),
    (
        "touchstone-capi",
        &[
            "touchstone-crypto",
            "touchstone-password",
            "touchstone-vectors",
        ],
    ),
    (
        "touchstone-oldfiles",
        &["touchstone-crypto", "touchstone-vectors"],
    ),
    (
        "touchstone-strongbox",
        &["touchstone-crypto", "touchstone-oldfiles"],
    ),
    ("touchstone-strongbox-capi", &["touchstone-strongbox"]),
    ("touchstone-worker", &["touchstone-wire"]),
    ("touchstone-statistics", &["touchstone-wire"]),
    (
        "touchstone-lab",
        &[
            "touchstone-wire",
            "touchstone-worker",
            "touchstone-vectors",
            "touchstone-statistics",
        ],
    ),
    ("xtask", &["touchstone-vectors"]),
];

/// Crates that every adapter may use. The library's own adapter may also use the library.
const ADAPTERS_MAY_USE: &[&str] = &["touchstone-wire", "touchstone-worker"];

/// Cryptographic crates; the lab's command must not depend on any of them.
const CRYPTOGRAPHY: &[&str] = &[
    "aes",
    "cipher",
    "digest",
    "openssl",
    "openssl-sys",
    "ring",
    "aws-lc-sys",
    "sha2",
    "graviola",
];

pub(crate) fn run() -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .context("the workspace's folder")?;
    imports(root)?;
    order::check(root)?;
    adapters(root)?;
    let files = touchstone_vectors::read_tree(&root.join("vectors"))?;
    ensure!(!files.is_empty(), "vectors/ is empty");
    for (path, file) in files {
        ensure!(
            !file.vectors.is_empty(),
            "vectors/{} holds no answers",
            path.display()
        );
    }
    Ok(())
}

/// Checks the dependencies between crates: `touchstone ← capi, libcrypt, adapters`; `wire
/// ← worker ← adapters`; `wire ← cli`.
fn imports(root: &Path) -> anyhow::Result<()> {
    let output = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()))
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(root)
        .output()
        .context("cargo metadata")?;
    ensure!(
        output.status.success(),
        "cargo metadata: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("packages")?;
    let name = |value: &serde_json::Value| value["name"].as_str().unwrap_or_default().to_owned();
    let ours: Vec<String> = packages.iter().map(name).collect();
    for package in packages {
        let this = name(package);
        let dependencies = package["dependencies"].as_array().context("dependencies")?;
        let used: Vec<String> = dependencies.iter().map(name).collect();
        for other in used.iter().filter(|other| ours.contains(other)) {
            let allowed = if let Some(library) = this.strip_prefix("touchstone-adapter-") {
                ADAPTERS_MAY_USE.contains(&other.as_str())
                    || library == "touchstone"
                        && matches!(other.as_str(), "touchstone-crypto" | "touchstone-password")
            } else {
                MAY_USE
                    .iter()
                    .find(|(who, _)| *who == this)
                    .is_some_and(|(_, whom)| whom.contains(&other.as_str()))
            };
            ensure!(
                allowed,
                "{this} must not depend on {other}: see docs/architecture.md"
            );
        }
        if this == "touchstone-lab" {
            let linked = dependencies.iter().filter(|one| one["kind"] != "build");
            for other in linked.map(name) {
                ensure!(
                    !CRYPTOGRAPHY.contains(&other.as_str()),
                    "the lab's command links no cryptography, but depends on {other}"
                );
            }
        }
    }
    Ok(())
}

fn adapters(root: &Path) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(root.join("lab/adapters"))?.flatten() {
        let folder = entry.path();
        if !folder.is_dir() {
            continue;
        }
        for file in ["adapter.toml", "README.md"] {
            if !folder.join(file).is_file() {
                bail!("{} has no {file}", folder.display());
            }
        }
    }
    Ok(())
}
