//! What must hold for every worker of the distribution, whatever its library.
//! `TOUCHSTONE_DIST` says where it is; else it is `dist` at the repository's root.

use std::collections::HashSet;
use std::path::PathBuf;

use touchstone_lab::adapters;
use touchstone_lab::session::{Slot, discover};

/// The libraries of this machine; none, with a word about it, before `make dist`.
fn slots() -> Vec<Slot> {
    let dist = std::env::var_os("TOUCHSTONE_DIST").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../dist"),
        PathBuf::from,
    );
    let folder = dist.join("lib/touchstone/adapters");
    if !folder.is_dir() {
        eprintln!("SKIPPED: {} is not there; make dist", folder.display());
        return Vec::new();
    }
    discover(adapters::manifests(&folder).unwrap())
}

#[test]
fn every_offer_is_made_once_and_names_its_call() {
    let slots = slots();
    for slot in slots.iter().filter(|slot| slot.present()) {
        let mut seen = HashSet::new();
        for offer in &slot.offers {
            let algorithm = (&offer.primitive, &offer.operation);
            assert!(seen.insert(algorithm), "{} twice: {offer:?}", slot.id());
            assert!(!offer.api.is_empty(), "{}: {offer:?}", slot.id());
        }
        assert!(!seen.is_empty(), "{} offers nothing", slot.id());
        eprintln!("{}: {} offers", slot.id(), seen.len());
    }
    // What is linked in is there on every machine.
    for id in ["touchstone", "rustcrypto", "aws-lc", "ring", "graviola"] {
        if let Some(slot) = slots.iter().find(|slot| slot.id() == id) {
            assert!(slot.present(), "{id}: {}", slot.facts.absent);
        }
    }
}

/// RustCrypto is dozens of crates, each with a version of its own.
#[test]
fn rustcrypto_names_a_version_in_every_offer() {
    let slots = slots();
    let Some(slot) = slots.iter().find(|slot| slot.id() == "rustcrypto") else {
        return;
    };
    assert!(slot.offers.len() > 800, "{}", slot.offers.len());
    for offer in &slot.offers {
        assert!(!offer.api.contains('?'), "{offer:?}");
        assert!(
            offer.api.contains(|c: char| c.is_ascii_digit()),
            "{offer:?}"
        );
    }
    assert!(!slot.facts.version.contains('?'));
}
