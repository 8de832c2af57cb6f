//! Fuzzes exported runs: if a run can be read, then writing it and reading it again gives the same
//! run. The target `show` also stores and shows the run.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone_lab::bundle::Bundle;

fn written(bundle: &Bundle) -> Vec<u8> {
    let mut bytes = Vec::new();
    bundle.write(&mut bytes).expect("memory can be written");
    bytes
}

fuzz_target!(|data: &[u8]| {
    if let Ok(bundle) = Bundle::parse(data) {
        let bytes = written(&bundle);
        let again = Bundle::parse(&bytes).expect("the lab wrote this run");
        assert_eq!(written(&again), bytes);
    }
});
