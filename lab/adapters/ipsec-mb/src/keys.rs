//! Key schedules, as jobs point to them.
#![allow(unsafe_code)]

use std::ffi::c_void;

use touchstone_worker::Failure;

use crate::ffi::{Handle, Manager};

/// A place for the schedules of any algorithm here.
#[repr(C, align(64))]
pub(crate) struct Keys {
    /// AES: round keys forwards. HMAC: the state after the inner padding. DES:
    /// three schedules. Otherwise the key itself.
    pub(crate) first: [u8; 448],
    /// AES: round keys backwards, or CMAC's two subkeys. HMAC: outer padding.
    pub(crate) second: [u8; 256],
    /// Triple DES: where the schedules are.
    pub(crate) three: [*const c_void; 3],
}

/// How a key is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetUp {
    /// No key.
    None,
    /// AES in both directions. The number is that of the key's 64-bit words, minus two.
    Aes(usize),
    /// AES-CMAC of such a key.
    Cmac(usize),
    Des,
    DesEde3,
    /// HMAC over one of [`Manager::one_block`].
    Hmac(usize),
    /// The key is used without a schedule.
    Plain(usize),
}

/// 0, 1, 2 for AES with 128, 192 and 256 bits.
pub(crate) fn aes_size(primitive: &str) -> Option<usize> {
    ["aes-128", "aes-192", "aes-256"]
        .iter()
        .position(|id| *id == primitive)
}

impl SetUp {
    /// Whether a key may be so long.
    pub(crate) fn takes(self, bytes: usize) -> bool {
        match self {
            Self::None => bytes == 0,
            Self::Aes(size) | Self::Cmac(size) => bytes == 16 + 8 * size,
            Self::Des => bytes == 8,
            Self::DesEde3 => bytes == 24,
            // The library has no MD5 of a whole message, with which a longer key
            // would be cut.
            Self::Hmac(MD5) => bytes <= 64,
            Self::Hmac(_) => true,
            Self::Plain(length) => bytes == length,
        }
    }
}

/// MD5 in [`Manager::one_block`].
const MD5: usize = 5;

impl Keys {
    pub(crate) fn new() -> Self {
        Self {
            first: [0; 448],
            second: [0; 256],
            three: [std::ptr::null(); 3],
        }
    }

    /// Schedules a key that [`SetUp::takes`].
    #[inline]
    pub(crate) fn set(&mut self, up: SetUp, handle: &Handle, key: &[u8]) -> Result<(), Failure> {
        let manager: &Manager = handle.get();
        let (first, second) = (self.first.as_mut_ptr(), self.second.as_mut_ptr());
        // SAFETY: key lengths were checked when the cell was made. 15 round keys
        // of 16 bytes, three DES schedules of 128 and two subkeys of 16 fit
        // their places, which are aligned to 16 and 64.
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
