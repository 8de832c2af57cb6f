//! Fuzzes manifests of adapters, which users may write.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone_lab::adapters::Manifest;

fuzz_target!(|text: &str| {
    if let Ok(manifest) = Manifest::parse(text) {
        assert!(!manifest.command.is_empty());
    }
});
