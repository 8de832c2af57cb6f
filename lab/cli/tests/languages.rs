//! Tests workers in other languages. The makefiles in their folders build the workers, and the
//! command runs them. If a language is not installed, its test prints this and passes.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Adapters in one folder. The folder of the first adapter contains the program.
struct Language {
    adapters: tempfile::TempDir,
    names: &'static [&'static str],
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap()
}

fn source(adapter: &str) -> PathBuf {
    root().join("lab/adapters").join(adapter)
}

fn make(adapter: &str, arguments: &[&str]) -> std::process::Output {
    Command::new("make")
        .args(["--no-print-directory", "-C"])
        .arg(source(adapter))
        .args(arguments)
        .output()
        .expect("make is what the repository is built with")
}

impl Language {
    /// Builds the first adapter and copies the manifests into one folder. Returns `None` if a
    /// tool of the language is absent.
    fn new(tools: &[&str], names: &'static [&'static str]) -> Option<Self> {
        if let Some(absent) = tools.iter().find(|tool| {
            Command::new("sh")
                .args(["-c", &format!("command -v {tool}")])
                .output()
                .is_ok_and(|output| !output.status.success())
        }) {
            eprintln!("SKIPPED: {}, for want of {absent}", names.join(" and "));
            return None;
        }
        let adapters = tempfile::tempdir().unwrap();
        for name in names {
            let folder = adapters.path().join(name);
            std::fs::create_dir(&folder).unwrap();
            std::fs::copy(
                source(name).join("adapter.toml"),
                folder.join("adapter.toml"),
            )
            .unwrap();
        }
        let language = Self { adapters, names };
        let out = format!("OUT={}", language.folder().display());
        let built = make(names[0], &[&out]);
        assert!(
            built.status.success(),
            "{}",
            String::from_utf8_lossy(&built.stderr)
        );
        // A second build must not change any file.
        let made = || {
            let files = std::fs::read_dir(language.folder()).unwrap().flatten();
            let mut files: Vec<_> = files
                .map(|file| {
                    (
                        file.file_name(),
                        file.metadata().unwrap().modified().unwrap(),
                    )
                })
                .collect();
            files.sort();
            files
        };
        let before = made();
        assert!(make(names[0], &[&out]).status.success());
        assert_eq!(made(), before, "make builds what is up to date");
        Some(language)
    }

    fn folder(&self) -> PathBuf {
        self.adapters.path().join(self.names[0])
    }

    /// Runs the command, which must succeed, and returns its output.
    fn touchstone(&self, arguments: &[&str]) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_touchstone"))
            .env("TOUCHSTONE_ADAPTERS", self.adapters.path())
            .env("TOUCHSTONE_VECTORS", root().join("vectors"))
            .env("TOUCHSTONE_STORE", self.adapters.path().join("runs.sqlite"))
            .args(arguments)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    /// Checks that every library gives at least this number of right answers for the matching
    /// algorithms, and no wrong answer.
    fn verifies(&self, algorithm: &str, least: i64) {
        let table = self.touchstone(&["verify", "--algorithm", algorithm, "--format", "json"]);
        let tables: serde_json::Value = serde_json::from_str(&table).unwrap();
        let rows = tables["tables"][0]["rows"].as_array().unwrap();
        assert_eq!(rows.len(), self.names.len(), "{table}");
        for row in rows {
            assert!(row["right"].as_i64() >= Some(least), "{row}");
            assert_eq!(row["wrong"].as_i64(), Some(0), "{row}");
        }
    }

    /// Checks that each library's worker passes `touchstone check-worker`: the first library with an
    /// algorithm of each kind, the others, which have the same program, with a few. With all
    /// algorithms, key generation alone takes many minutes, and Java compiles the code of each cell.
    fn conforms(&self, program: &str, libraries: &[&str]) {
        let program = self.folder().join(program);
        let few = "^(aes-128 gcm-|hmac-sha-256|blake2b )";
        let each = "^(aes-128 (cbc|ctr|gcm|xts)|chacha20|sha-256 |sha-1 |hmac-sha-256|blake2b |scrypt |\
                    ed25519 |ecdsa-p256|ecdh-p256|x25519|integer )";
        for (i, library) in libraries.iter().enumerate() {
            let chosen = if i == 0 { each } else { few };
            let program = program.to_str().unwrap();
            let arguments = ["check-worker", "--algorithm", chosen, program, library];
            let table = self.touchstone(&arguments);
            assert!(table.contains("yes"), "{table}");
        }
    }

    /// Checks that a cell of every contract can be timed, and a cell with two threads.
    fn measures(&self, algorithm: &str) {
        let profile = self.adapters.path().join("short.toml");
        std::fs::write(
            &profile,
            "target = 0.5\nrounds = [3, 5]\nsample_us = 20\nseconds = 60\n\
             [[work]]\nprimitives = \".*\"\noperations = \".*\"\n\
             contracts = [\"hot\", \"keyed\", \"rekeyed\", \"setup\"]\nsizes = [1024]\n\
             [[work]]\nprimitives = \".*\"\noperations = \".*\"\n\
             contracts = [\"hot\"]\nsizes = [1024]\nthreads = [2]\n",
        )
        .unwrap();
        let profile = profile.to_str().unwrap();
        self.touchstone(&["run", "--profile", profile, "--algorithm", algorithm]);
        let store =
            touchstone_lab::store::Store::open(&self.adapters.path().join("runs.sqlite")).unwrap();
        let mut failures = store.failures(1).unwrap();
        failures.retain(|failure| failure.kind != "absent");
        assert!(failures.is_empty(), "{failures:?}");
        let cells = store.cells(1).unwrap();
        for name in self.names {
            let own: Vec<_> = cells.iter().filter(|cell| cell.library == *name).collect();
            let threads = own.iter().filter(|cell| cell.task.threads == 2).count();
            assert!(own.len() >= 4, "{name} has {} cells", own.len());
            assert!(
                threads == 1 || own.iter().all(|cell| cell.task.threads == 1),
                "{name}"
            );
            assert!(own.iter().all(|cell| !cell.samples.is_empty()), "{name}");
        }
    }
}

#[test]
fn go_is_verified_and_timed() {
    let Some(go) = Language::new(&["go"], &["go", "go-x"]) else {
        return;
    };
    let lints = make("go", &["check"]);
    assert!(
        lints.status.success(),
        "{}{}",
        String::from_utf8_lossy(&lints.stdout),
        String::from_utf8_lossy(&lints.stderr)
    );
    go.verifies(
        "^(aes-128 xts|aes-128 gcm|chacha20-poly1305|sha-256 hash|blake2b hash)",
        100,
    );
    go.conforms("touchstone-adapter-go", &["std", "x"]);
    go.measures("^(aes-128 gcm-encrypt|chacha20-poly1305 aead-encrypt)");
}

#[test]
fn java_is_verified_and_timed() {
    let Some(java) = Language::new(&["java", "javac", "jar", "mvn"], &["java", "bouncycastle"])
    else {
        return;
    };
    java.verifies(
        "^(aes-128 gcm|chacha20-poly1305|sha-256 hash|hmac-sha-1 mac)",
        1000,
    );
    java.conforms("touchstone-adapter-java", &["jca", "bouncycastle"]);
    java.measures("^(aes-128 gcm-encrypt)");
}
