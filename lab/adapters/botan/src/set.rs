//! The parameter sets of ML-KEM, ML-DSA and SLH-DSA.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int};

use crate::ffi::{Api, Handle};

/// Reads a key without structure.
pub(crate) type Load = unsafe extern "C" fn(*mut Handle, *const u8, usize, *const c_char) -> c_int;

/// A parameter set.
pub(crate) struct Set {
    id: &'static str,
    /// Botan's name of the algorithm.
    pub(crate) algorithm: &'static CStr,
    /// Botan's name of the set.
    pub(crate) name: &'static CStr,
}

const fn set(id: &'static str, algorithm: &'static CStr, name: &'static CStr) -> Set {
    Set {
        id,
        algorithm,
        name,
    }
}

const SETS: &[Set] = &[
    set("ml-kem-512", c"ML-KEM", c"ML-KEM-512"),
    set("ml-kem-768", c"ML-KEM", c"ML-KEM-768"),
    set("ml-kem-1024", c"ML-KEM", c"ML-KEM-1024"),
    set("ml-dsa-44", c"ML-DSA", c"ML-DSA-4x4"),
    set("ml-dsa-65", c"ML-DSA", c"ML-DSA-6x5"),
    set("ml-dsa-87", c"ML-DSA", c"ML-DSA-8x7"),
    set("slh-dsa-sha2-128f", c"SLH-DSA", c"SLH-DSA-SHA2-128f"),
    set("slh-dsa-shake-128f", c"SLH-DSA", c"SLH-DSA-SHAKE-128f"),
];

impl Set {
    /// Returns the set of a primitive.
    pub(crate) fn of(primitive: &str) -> Option<&'static Self> {
        SETS.iter().find(|set| set.id == primitive)
    }

    /// Returns the functions that read a private and a public key; `None` if this version of Botan
    /// has none.
    pub(crate) fn loaders(&self, api: &Api) -> Option<[Load; 2]> {
        Some(match self.algorithm.to_bytes() {
            b"ML-KEM" => [
                api.botan_privkey_load_ml_kem?,
                api.botan_pubkey_load_ml_kem?,
            ],
            b"ML-DSA" => [
                api.botan_privkey_load_ml_dsa?,
                api.botan_pubkey_load_ml_dsa?,
            ],
            _ => [
                api.botan_privkey_load_slh_dsa?,
                api.botan_pubkey_load_slh_dsa?,
            ],
        })
    }
}
