//! Profiles, which users write: a profile that can be read can be planned.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone_lab::profile::Profile;

fuzz_target!(|text: &str| {
    if let Ok(profile) = Profile::parse("fuzz", text) {
        let masks = profile.masks();
        assert!(!masks.contains(""));
        assert_eq!(profile.has("aes-128", "cbc-encrypt"), profile.has("aes-128", "cbc-encrypt"));
    }
});
