//! Fuzzes campaign files, which users write: a file is read, or the mistake in it is named.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use touchstone_lab::campaign::file::Campaign;

fuzz_target!(|text: &str| {
    let path = Path::new("campaign.toml");
    match Campaign::parse(path, text) {
        Ok(campaign) => assert!(!campaign.libraries.is_empty()),
        Err(mistake) => assert!(mistake.to_string().contains("campaign.toml")),
    }
});
