//! DES as crypt(3) uses it: a salt exchanges inputs of the S-boxes, and the cipher is
//! iterated. The initial permutation IP and its inverse are done only once.
//!
//! Bit *i* of the 24-bit salt exchanges input *i* of the 48 inputs of all S-boxes with
//! input *i* + 24 ([FIPS46](super) "E bit-selection table"). With a salt of zero the
//! result is DES.
//!
//! [`Crypt`] computes one block at a time, uses tables, and is not constant-time.
//! [`crypt_many`] and [`crypt_many_salts`] compute many keys at once, are constant-time, and
//! use the kernels of [`Des`](super::Des) with one key in each lane.

use super::salts::Salts;
use super::table::{self, Tables};
use super::{Block, Kernel};
use crate::buffer::same_number;
use crate::debug::debug;
use crate::wipe::wipe;
use crate::{DataError, Kernel as _};
use zeroize::ZeroizeOnDrop;

/// DES with a salt and iterations, on single blocks, by tables: **not constant-time**
/// ([`table`]).
#[derive(Clone)]
pub struct Crypt {
    keys: [u64; 16],
    salt: u32,
    mask: u64,
    tables: Tables,
}

debug!([] Crypt, "DesCrypt");

impl Crypt {
    /// Sets up a key and a salt. The parity bits of the key are ignored, and so are the
    /// bits of `salt` above the lowest 24.
    #[must_use]
    #[inline]
    pub fn new(key: &[u8; 8], salt: u32) -> Self {
        let salt = salt & 0xff_ffff;
        let mask = table::salt_mask(salt);
        Self {
            keys: Kernel::best().schedule(key),
            salt,
            mask,
            tables: salted_tables(mask),
        }
    }

    /// Replaces the key and keeps the salt.
    #[inline]
    pub fn set_key(&mut self, key: &[u8; 8]) {
        self.keys = Kernel::best().schedule(key);
    }

    /// Replaces the salt and keeps the key. Takes no time if the salt is the same.
    #[inline]
    pub fn set_salt(&mut self, salt: u32) {
        let salt = salt & 0xff_ffff;
        if salt != self.salt {
            self.salt = salt;
            self.mask = table::salt_mask(salt);
            self.tables = salted_tables(self.mask);
        }
    }

    /// Encrypts a block `count` times, one after the other.
    pub fn encrypt(&self, block: &mut [u8; 8], count: u32) {
        let keys = core::iter::once(&self.keys);
        table::cipher(&self.tables, self.mask, keys, count, false, block);
    }

    /// Decrypts a block `count` times, one after the other.
    pub fn decrypt(&self, block: &mut [u8; 8], count: u32) {
        let keys = core::iter::once(&self.keys);
        table::cipher(&self.tables, self.mask, keys, count, true, block);
    }
}

impl Drop for Crypt {
    fn drop(&mut self) {
        wipe(&mut self.keys, 0);
    }
}

impl ZeroizeOnDrop for Crypt {}

/// Encrypts the zero block `count` times with each key, with one salt for all keys. The
/// result for `keys[i]` is in `out[i]`.
///
/// The traditional crypt(3) uses a count of 25, and as the key the first eight characters
/// of the password, each shifted left by one bit.
pub fn crypt_many(
    keys: &[[u8; 8]],
    salt: u32,
    count: u32,
    out: &mut [[u8; 8]],
) -> Result<(), DataError> {
    crypt_many_with(Kernel::best(), keys, salt, count, out)
}

/// [`crypt_many`] with a salt for each key: `salts[i]` belongs to `keys[i]`.
pub fn crypt_many_salts(
    keys: &[[u8; 8]],
    salts: &[u32],
    count: u32,
    out: &mut [[u8; 8]],
) -> Result<(), DataError> {
    crypt_many_salts_with(Kernel::best(), keys, salts, count, out)
}

/// [`crypt_many`] with the given kernel; for tests and measurements.
#[doc(hidden)]
pub fn crypt_many_with(
    kernel: Kernel,
    keys: &[[u8; 8]],
    salt: u32,
    count: u32,
    out: &mut [[u8; 8]],
) -> Result<(), DataError> {
    same_number(keys.len(), out.len())?;
    kernel.crypt(keys, Salts::One(salt), count, out);
    Ok(())
}

/// [`crypt_many_salts`] with the given kernel; for tests and measurements.
#[doc(hidden)]
pub fn crypt_many_salts_with(
    kernel: Kernel,
    keys: &[[u8; 8]],
    salts: &[u32],
    count: u32,
    out: &mut [[u8; 8]],
) -> Result<(), DataError> {
    same_number(keys.len(), salts.len())?;
    same_number(keys.len(), out.len())?;
    kernel.crypt(keys, Salts::Each(salts), count, out);
    Ok(())
}

/// The tables for a salt, from its mask.
#[inline]
fn salted_tables(mask: u64) -> Tables {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = crate::cpu::Avx2::detect() {
        return super::avx2::salted_tables(token, mask);
    }
    table::salt_each(mask)
}

impl Kernel {
    fn crypt(self, keys: &[Block], salts: Salts<'_>, count: u32, out: &mut [Block]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(token) => super::avx512::crypt(token, keys, salts, count, out),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(token) => super::avx2::crypt(token, keys, salts, count, out),
            Self::Portable => super::portable::crypt(keys, salts, count, out),
        }
    }
}
