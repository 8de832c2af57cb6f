//! Code that the tests of the command share: a folder with a store and planted libraries.

#![allow(dead_code)] // Each test program uses only a part of this module.
#![allow(missing_docs, unreachable_pub)]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use touchstone_lab::store::Store;

/// A folder with a store and planted adapters.
pub struct Bench {
    folder: tempfile::TempDir,
}

pub const VECTORS: &str = "# source: RFC 6229, test vectors for RC4, 2011\n# licence: CC0-1.0\n\
    [rc4 stream-encrypt]\n\n\
    key = 0102030405\ninput = 00000000000000000000000000000000\n\
    output = b2396305f03dc027ccc3524a0a1118a8\n";

impl Bench {
    pub fn new(libraries: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let bench = Self { folder };
        let vectors = bench.path("vectors/stream/rc4");
        std::fs::create_dir_all(&vectors).unwrap();
        std::fs::write(vectors.join("rfc6229.vec"), VECTORS).unwrap();
        for (name, fault) in libraries {
            bench.plant(name, fault);
        }
        bench.profile("[16, 1024]");
        bench
    }

    /// Adds a library with a fault, or changes the fault of a library.
    pub fn plant(&self, name: &str, fault: &str) {
        let adapter = self.path("adapters").join(name);
        std::fs::create_dir_all(&adapter).unwrap();
        let manifest = format!(
            "name = \"{name}\"\ncommand = [\"{}\", \"{name}\", \"{fault}\"]\nmemory_mib = 2048\n",
            planted().display()
        );
        std::fs::write(adapter.join("adapter.toml"), manifest).unwrap();
    }

    /// Writes a profile that takes about a second.
    pub fn profile(&self, sizes: &str) {
        let text = format!(
            "target = 0.2\nrounds = [6, 9]\nsample_us = 20\nseconds = 60\n[[work]]\n\
             primitives = \"rc4\"\noperations = \"stream-encrypt\"\n\
             contracts = [\"hot\", \"setup\"]\nsizes = {sizes}\n"
        );
        std::fs::write(self.path("short.toml"), text).unwrap();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn touchstone(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_touchstone"));
        command
            .env("TOUCHSTONE_ADAPTERS", self.path("adapters"))
            .env("TOUCHSTONE_VECTORS", self.path("vectors"))
            .env("TOUCHSTONE_STORE", self.path("runs.sqlite"))
            .env("TOUCHSTONE_PATIENCE", "2")
            .args(args);
        command
    }

    pub fn run(&self) -> Command {
        let profile = self.path("short.toml");
        let mut command = self.touchstone(&["run", "--profile"]);
        command.arg(profile);
        command
    }

    pub fn store(&self) -> Store {
        Store::open(&self.path("runs.sqlite")).unwrap()
    }

    /// Returns the ids of the libraries that have cells of this size in run 1.
    pub fn measured(&self, bytes: u64) -> Vec<String> {
        let mut found: Vec<String> = self
            .store()
            .cells(1)
            .unwrap()
            .into_iter()
            .filter(|cell| cell.task.bytes == bytes)
            .map(|cell| cell.library)
            .collect();
        found.sort();
        found
    }

    pub fn failures(&self) -> Vec<(String, String)> {
        let failures = self.store().failures(1).unwrap();
        failures.into_iter().map(|f| (f.library, f.kind)).collect()
    }
}

pub fn planted() -> PathBuf {
    let binary = Path::new(env!("CARGO_BIN_EXE_touchstone"));
    let path = binary.parent().unwrap().join("examples/planted");
    assert!(
        path.is_file(),
        "run the tests with --workspace, so that {} is built",
        path.display()
    );
    path
}

/// Returns the rows of the first table of this name in a command's JSON document.
pub fn rows<'a>(document: &'a Value, table: &str) -> &'a [Value] {
    let tables = document["tables"].as_array().unwrap();
    let found = tables.iter().find(|one| one["name"] == table);
    let found = found.unwrap_or_else(|| panic!("no table {table}: {document:#}"));
    found["rows"].as_array().unwrap()
}

pub fn stdout(command: &mut Command) -> String {
    let output = command.output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}
