//! Fuzzes workloads, which users may write: if a workload can be read, its numbers are usable.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone_lab::workload::Workload;

fuzz_target!(|text: &str| {
    if let Ok(workload) = Workload::parse("fuzz", text) {
        assert!(workload.messages().is_finite());
        assert!(!workload.algorithms().is_empty());
        assert!(!workload.choices().is_empty());
    }
});
