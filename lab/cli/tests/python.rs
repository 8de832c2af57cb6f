//! Tests the example adapter of `docs/adding-a-library.md`, from its folder to its rank.

use std::path::Path;
use std::process::Command;

#[test]
fn the_python_example_is_verified_and_ranked() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: the Python example, for want of python3");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let adapter = folder.path().join("adapters/python-hashlib");
    std::fs::create_dir_all(&adapter).unwrap();
    for file in ["adapter.toml", "adapter.py"] {
        let source = root.join("lab/examples/python-hashlib").join(file);
        std::fs::copy(source, adapter.join(file)).unwrap();
    }
    let touchstone = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_touchstone"))
            .env("TOUCHSTONE_ADAPTERS", folder.path().join("adapters"))
            .env("TOUCHSTONE_VECTORS", root.join("vectors"))
            .env("TOUCHSTONE_STORE", folder.path().join("runs.sqlite"))
            .args(args)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    let verified: serde_json::Value =
        serde_json::from_str(&touchstone(&["verify", "--format", "json"])).unwrap();
    let row = &verified["tables"][0]["rows"][0];
    assert!(row["right"].as_i64().unwrap() > 500, "{row}");
    assert_eq!(row["wrong"].as_i64(), Some(0), "{row}");
    let ranked = touchstone(&["measure", "--algorithm", "^sha-256 hash", "--format", "csv"]);
    assert!(
        ranked
            .lines()
            .filter(|line| line.starts_with("sha-256 hash,"))
            .count()
            >= 4,
        "{ranked}"
    );
}
