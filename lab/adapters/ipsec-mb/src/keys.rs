//! Key schedules in the forms to which jobs point.
#![allow(unsafe_code)]

use std::ffi::c_void;

use touchstone_worker::Failure;

use crate::ffi::{Handle, Manager};

/// Memory for the key schedule of any algorithm in this worker.
#[repr(C, align(64))]
pub(crate) struct Keys {
    /// For AES, the round keys for encryption. For HMAC, the state after the inner padding. For
    /// DES and triple DES, the schedules of one or three keys. Otherwise the key itself.
    pub(crate) first: [u8; 448],
    /// For AES, the round keys for decryption, or CMAC's two subkeys. For HMAC, the state after
    /// the outer padding.
    pub(crate) second: [u8; 256],
    /// For triple DES, pointers to the three schedules.
    pub(crate) three: [*const c_void; 3],
}

/// How the key of an operation is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetUp {
    /// The operation has no key.
    None,
    /// AES for both directions. The number is the key's length in 64-bit words, minus two.
    Aes(usize),
    /// AES-CMAC. The number has the same meaning as in `Aes`.
    Cmac(usize),
    Des,
    DesEde3,
    /// HMAC. The number is the index of the hash function in [`Manager::one_block`].
    Hmac(usize),
    /// The key is used without a schedule. The number is the key's length in bytes.
    Plain(usize),
}

/// Returns 0, 1 or 2 for AES with a key of 128, 192 or 256 bits.
pub(crate) fn aes_size(primitive: &str) -> Option<usize> {
    ["aes-128", "aes-192", "aes-256"]
        .iter()
        .position(|id| *id == primitive)
}

impl SetUp {
    /// Returns whether the set-up accepts a key of this length in bytes.
    pub(crate) fn takes(self, bytes: usize) -> bool {
        match self {
            Self::None => bytes == 0,
            Self::Aes(size) | Self::Cmac(size) => bytes == 16 + 8 * size,
            Self::Des => bytes == 8,
            Self::DesEde3 => bytes == 24,
            // HMAC hashes a key that is longer than a block. The library has no MD5 of a whole
            // message, so it cannot hash such a key.
            Self::Hmac(MD5) => bytes <= 64,
            Self::Hmac(_) => true,
            Self::Plain(length) => bytes == length,
        }
    }
}

/// The index of MD5 in [`Manager::one_block`].
const MD5: usize = 5;

impl Keys {
    pub(crate) fn new() -> Self {
        Self {
            first: [0; 448],
            second: [0; 256],
            three: [std::ptr::null(); 3],
        }
    }

    /// Computes the schedule of a key that [`SetUp::takes`] accepted.
    #[inline]
    pub(crate) fn set(&mut self, up: SetUp, handle: &Handle, key: &[u8]) -> Result<(), Failure> {
        let manager: &Manager = handle.get();
        let (first, second) = (self.first.as_mut_ptr(), self.second.as_mut_ptr());
        // SAFETY: key lengths were checked when the cell was made. The fields have room for 15
        // round keys of 16 bytes, for three DES schedules of 128 bytes and for two subkeys of
        // 16 bytes, and both are aligned to 64 bytes.
        unsafe {
            match up {
                SetUp::None => {}
                SetUp::Aes(size) => {
                    manager.aes_keys[size](key.as_ptr(), first.cast(), second.cast());
                }
                SetUp::Cmac(size) => {
                    let mut backwards = Aligned([0; 256]);
                    let unused = backwards.0.as_mut_ptr().cast();
                    manager.aes_keys[size](key.as_ptr(), first.cast(), unused);
                    let subkeys = match size {
                        0 => manager.cmac_subkeys_128,
                        _ => manager.cmac_subkeys_256,
                    };
                    subkeys(first.cast(), second.cast(), second.add(16).cast());
                }
                SetUp::Des => {
                    (manager.des_key)(first.cast(), key.as_ptr());
                }
                SetUp::DesEde3 => {
                    for third in 0..3 {
                        let schedule = first.add(128 * third);
                        (manager.des_key)(schedule.cast(), key.as_ptr().add(8 * third));
                        self.three[third] = schedule.cast();
                    }
                }
                SetUp::Hmac(hash) => {
                    let block = if matches!(hash, 3 | 4) { 128 } else { 64 };
                    let mut padded = [0; 128];
                    if key.len() <= block {
                        padded[..key.len()].copy_from_slice(key);
                    } else {
                        manager.whole[hash](key.as_ptr(), key.len() as u64, padded.as_mut_ptr());
                    }
                    for (pad, state) in [(0x36, first), (0x5c, second)] {
                        let block = padded.map(|byte| byte ^ pad);
                        manager.one_block[hash](block.as_ptr(), state.cast());
                    }
                }
                SetUp::Plain(_) => self.first[..key.len()].copy_from_slice(key),
            }
        }
        Ok(())
    }
}

#[repr(C, align(16))]
struct Aligned([u8; 256]);
