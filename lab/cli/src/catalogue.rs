//! What the lab knows of primitives and operations: how to set up the work of
//! a cell. The table is `data/catalogue.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use touchstone_wire::{Data, Work};

#[derive(Debug, Clone, Deserialize)]
struct Row {
    #[serde(default)]
    key: usize,
    #[serde(default)]
    block: usize,
    #[serde(default)]
    nonce: usize,
    #[serde(default)]
    cost: BTreeMap<String, u64>,
    length: Option<usize>,
    #[serde(default)]
    setting: String,
    floor: Option<f64>,
}

/// Families in the order that reports show them, each with its rows.
static CATALOGUE: LazyLock<BTreeMap<String, BTreeMap<String, Row>>> = LazyLock::new(|| {
    toml::from_str(include_str!("../data/catalogue.toml")).expect("the catalogue is well-formed")
});

/// Families in the order that reports show them.
pub const FAMILIES: [&str; 7] = ["block", "aead", "stream", "hash", "mac", "kdf", "password"];

/// Operations that make a tag which their inverse checks; the inverse must be
/// given a genuine message.
const SEALED: [&str; 8] = ["gcm", "ccm", "ocb", "eax", "siv", "gcm-siv", "aead", "kw"];

fn find(primitive: &str) -> Option<(&'static str, &'static Row)> {
    CATALOGUE.iter().find_map(|(family, rows)| {
        let row = rows.get(primitive).or_else(|| {
            rows.iter().find_map(|(id, row)| {
                let stem = id.strip_suffix('*')?;
                primitive.starts_with(stem).then_some(row)
            })
        })?;
        Some((family.as_str(), row))
    })
}

/// The family of a primitive; `other` for one that the catalogue lacks.
pub fn family(primitive: &str) -> &'static str {
    find(primitive).map_or("other", |(family, _)| family)
}

/// The section of a report that an operation belongs to: modes with a tag go
/// with the AEADs, MAC modes of block ciphers with the MACs.
pub fn section(primitive: &str, operation: &str) -> &'static str {
    match operation {
        "cmac" | "gmac" | "cbc-mac" | "gost-mac" | "retail-mac" => "mac",
        _ if family(primitive) == "block" && is_sealed(operation) => "aead",
        _ => family(primitive),
    }
}

/// Whether the operation (in either direction) makes or checks a tag.
pub fn is_sealed(operation: &str) -> bool {
    let stem = stem(operation);
    SEALED.contains(&stem) || stem == "kwp"
}

/// The operation without its direction.
pub fn stem(operation: &str) -> &str {
    operation
        .strip_suffix("-encrypt")
        .or_else(|| operation.strip_suffix("-decrypt"))
        .unwrap_or(operation)
}

/// Whether the operation undoes another.
pub fn is_inverse(operation: &str) -> bool {
    operation.ends_with("-decrypt")
}

/// Bytes in a block; 0 for what is no block cipher.
pub fn block_bytes(primitive: &str) -> u64 {
    find(primitive).map_or(0, |(_, row)| row.block as u64)
}

/// Whether the operation takes a key, so that keyed contracts make sense.
pub fn is_keyed(primitive: &str) -> bool {
    find(primitive).is_some_and(|(_, row)| row.key > 0)
}

/// Whether one call's time does not depend on the input's length in a way
/// that matters: key derivation and password hashing.
pub fn is_sizeless(primitive: &str) -> bool {
    matches!(family(primitive), "kdf" | "password")
}

/// Whether a message may have this many bytes.
pub fn takes(primitive: &str, operation: &str, bytes: usize) -> bool {
    let Some((_, row)) = find(primitive) else {
        return false;
    };
    match stem(operation) {
        "ecb" | "cbc" => bytes > 0 && bytes.is_multiple_of(row.block),
        "xts" | "cbc-cs1" | "cbc-cs2" | "cbc-cs3" => bytes >= row.block,
        "kw" => bytes >= 16 && bytes.is_multiple_of(8),
        "kwp" => bytes >= 1,
        _ => true,
    }
}

/// Bytes of additional authenticated data in timed cells: a TLS 1.2 record's.
pub const AAD_BYTES: usize = 13;

/// The work of a timed cell. For a sealed inverse the input still has to be
/// replaced by a genuine message ([`is_sealed`]). `None` for what the catalogue
/// does not know.
pub fn work(primitive: &str, operation: &str, bytes: usize) -> Option<Work> {
    let (family, row) = find(primitive)?;
    let mode = stem(operation);
    let key = match mode {
        "xts" | "siv" => row.key * 2,
        _ => row.key,
    };
    let nonce = match (family, mode) {
        ("block", "cbc" | "cfb" | "cfb8" | "ofb" | "ctr" | "cbc-cs1" | "cbc-cs2" | "cbc-cs3") => {
            row.block
        }
        ("block", "xts" | "eax" | "siv") => 16,
        ("block", "gcm" | "ccm" | "ocb" | "gcm-siv" | "gmac") => 12,
        ("block", _) => 0,
        _ => row.nonce,
    };
    let aad = if is_sealed(operation) && mode != "kw" && mode != "kwp" {
        AAD_BYTES
    } else {
        0
    };
    let (key, input, nonce) = match family {
        // The phrase is the key, so that *rekeyed* alternates phrases.
        "password" => (
            b"touchstone"[..bytes.min(10)].to_vec(),
            Data::default(),
            row.setting.clone().into_bytes(),
        ),
        _ => (counted(key, 7), Data::Painted(bytes), counted(nonce, 0x9d)),
    };
    let length = match operation {
        "xof" => Some(32),
        "stream-keystream" => Some(bytes),
        _ => row.length,
    };
    Some(Work {
        primitive: primitive.to_owned(),
        operation: operation.to_owned(),
        key: Data::Bytes(key),
        nonce: Data::Bytes(nonce),
        aad: Data::Painted(aad),
        input: if operation == "stream-keystream" {
            Data::default()
        } else {
            input
        },
        tag: None,
        length,
        cost: row.cost.iter().map(|(k, v)| (k.clone(), *v)).collect(),
    })
}

/// Whether each call of a cell may take the next nonce: not where the message
/// is tied to its nonce, and not for salts and settings.
pub fn takes_fresh_nonce(primitive: &str, operation: &str) -> bool {
    let tied = is_sealed(operation) && is_inverse(operation);
    !tied && !is_sizeless(primitive)
}

/// Distinct, aperiodic bytes: no weak key of any cipher here, no two equal halves.
fn counted(len: usize, start: u8) -> Vec<u8> {
    (0..len)
        .map(|i| (i as u8).wrapping_mul(29).wrapping_add(start))
        .collect()
}

/// Cycles per byte and core below which a figure cannot be true; `None` for a
/// primitive without a byte count to speak of.
pub fn floor(primitive: &str) -> Option<f64> {
    // Two 64-byte loads and a store per cycle are the most that any core does.
    const MEMORY: f64 = 1.0 / 64.0;
    let (family, row) = find(primitive)?;
    match family {
        "kdf" | "password" => None,
        _ => Some(row.floor.unwrap_or(MEMORY)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_of_the_catalogue_are_the_ones_reports_show() {
        let mut known: Vec<&str> = CATALOGUE.keys().map(String::as_str).collect();
        let mut shown = FAMILIES.to_vec();
        known.sort_unstable();
        shown.sort_unstable();
        assert_eq!(known, shown);
    }

    #[test]
    fn cells_are_set_up_as_their_operation_asks() {
        let xts = work("aes-256", "xts-encrypt", 512).unwrap();
        assert_eq!((xts.key.len(), xts.nonce.len()), (64, 16));
        let key = xts.key.to_vec();
        assert_ne!(key[..32], key[32..], "IEEE 1619 forbids equal halves");
        let cbc = work("des-ede3", "cbc-decrypt", 64).unwrap();
        assert_eq!((cbc.key.len(), cbc.nonce.len(), cbc.aad.len()), (24, 8, 0));
        let gcm = work("aes-128", "gcm-encrypt", 1350).unwrap();
        assert_eq!((gcm.nonce.len(), gcm.aad.len()), (12, 13));
        let hmac = work("hmac-sha3-256", "mac", 64).unwrap();
        assert_eq!(hmac.key.len(), 32);
        assert!(work("no-such", "hash", 1).is_none());
    }

    #[test]
    fn what_a_mode_cannot_take_is_known() {
        assert!(!takes("des", "ecb-encrypt", 12));
        assert!(takes("des", "ctr-encrypt", 12));
        assert!(!takes("aes-128", "xts-decrypt", 15));
        assert!(!takes("shacal2", "cbc-encrypt", 16));
    }
}
