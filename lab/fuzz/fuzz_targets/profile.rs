//! Fuzzes profiles, which users may write: if a profile can be read, its tasks can be planned.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone_lab::profile::Profile;

fuzz_target!(|text: &str| {
    if let Ok(profile) = Profile::parse("fuzz", text) {
        let masks = profile.masks();
        assert!(!masks.contains(""));
        // Only cells of the profile may count for ranks.
        for (primitive, operation) in [("aes-128", "cbc-encrypt"), ("sha-256", "hash")] {
            let counts = profile.counts(primitive, operation, 16);
            assert!(!counts || profile.has(primitive, operation));
        }
    }
});
