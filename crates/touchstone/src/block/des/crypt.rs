//! What crypt(3) makes of DES: a salt that exchanges inputs of the S-boxes, and
//! the cipher again and again, here with IP and its inverse done once.
//!
//! Bit *i* of the salt, of 24, exchanges the *i*-th input of all S-boxes with the
//! *i* + 24-th ([FIPS46](super) "E bit-selection table"). A salt of zero is DES.
//!
//! [`Crypt`] is for one block at a time, by tables and not constant-time;
//! [`crypt_many`] and [`crypt_many_salts`] are for many keys, constant-time, by
//! the kernels of [`Des`](super::Des) with a key in every lane.

use super::salts::Salts;
use super::table::{self, Tables};
use super::{Block, Kernel};
use crate::buffer::same_number;
use crate::debug::debug;
use crate::wipe::wipe;
use crate::{DataError, Kernel as _};
use zeroize::ZeroizeOnDrop;

/// Salted and iterated DES on single blocks, by tables: **not constant-time**
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
    /// Sets a key up, parity ignored, with a salt of 24 bits; higher ones are
    /// ignored.
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

    /// Takes another key and keeps the salt.
    #[inline]
    pub fn set_key(&mut self, key: &[u8; 8]) {
        self.keys = Kernel::best().schedule(key);
    }

    /// Takes another salt and keeps the key; costs nothing if it is the same.
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

/// Encrypts the zero block `count` times with each key, all with one salt; for
/// each key the result is in the same place of `out`.
///
/// With a count of 25 and the first eight characters of a password, each shifted
/// left by one, for a key, this is the heart of crypt(3).
pub fn crypt_many(
    keys: &[[u8; 8]],
    salt: u32,
    count: u32,
    out: &mut [[u8; 8]],
) -> Result<(), DataError> {
    crypt_many_with(Kernel::best(), keys, salt, count, out)
}

/// [`crypt_many`] with a salt for each key.
pub fn crypt_many_salts(
    keys: &[[u8; 8]],
    salts: &[u32],
    count: u32,
    out: &mut [[u8; 8]],
) -> Result<(), DataError> {
    crypt_many_salts_with(Kernel::best(), keys, salts, count, out)
}

/// [`crypt_many`] by one kernel; for tests and measurements.
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

/// [`crypt_many_salts`] by one kernel; for tests and measurements.
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

/// The tables of a salt, given its mask.
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
