//! Fuzzes exported runs: every verb must be able to show a run that can be imported.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone_lab::bundle::Bundle;
use touchstone_lab::{export, report};

fuzz_target!(|data: &[u8]| {
    if let Ok(bundle) = Bundle::parse(data) {
        let summary = bundle.summary().expect("a checked run has a summary");
        report::render(std::slice::from_ref(&summary), &[]).expect("a run has a report");
        assert!(!export::csv(&summary).is_empty());
    }
});
