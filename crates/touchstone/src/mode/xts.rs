//! XTS, a mode for storage: [IEEE1619], [SP800-38E].
//!
//! Each call processes one data unit of at least one block, for example a sector of a disk. The
//! tweak is the unit's number, `number.to_le_bytes()` of a `u128`, or any 16 bytes. A short
//! last block uses ciphertext stealing. Equal data gives another ciphertext in another unit
//! only because the tweak differs. If a unit is written twice, an observer sees which blocks
//! changed.
//!
//! ```
//! use touchstone::block::Aes256;
//! use touchstone::mode::Xts;
//! use touchstone::FixedKey;
//!
//! let mut key = [7; 64];
//! key[32..].fill(9);
//! let disk = Xts::<Aes256>::new(&key);
//! let mut sector = [0; 512];
//! disk.encrypt(&1234u128.to_le_bytes(), &mut sector)?;
//! disk.decrypt(&1234u128.to_le_bytes(), &mut sector)?;
//! assert_eq!(sector, [0; 512]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Two keys
//!
//! The key consists of the key for data and the key for tweaks, of equal length. FIPS 140
//! requires two different keys. If the two are equal, an attacker who chooses ciphertexts can
//! learn the encrypted tweak of a unit and use this tweak against the same unit. This type
//! accepts equal keys, because there is data that was encrypted with equal keys. Programs that
//! must refuse equal keys can call [`distinct_keys`].
//!
//! - [IEEE1619] IEEE Standard for Cryptographic Protection of Data on
//!   Block-Oriented Storage Devices, IEEE 1619, 2018
//! - [SP800-38E] The XTS-AES Mode for Confidentiality on Storage Devices, NIST SP
//!   800-38E, 2010
//!
//! [IEEE1619]: https://doi.org/10.1109/IEEESTD.2019.8637988
//! [SP800-38E]: https://doi.org/10.6028/NIST.SP.800-38E

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::{at_least_a_block, shapes};
use crate::byte_array::Doubled;
use crate::debug::debug;
use crate::wipe::wipe;
use crate::{
    BlockCipher, DataError, FixedKey, FusedDecrypt, FusedEncrypt, InvalidKeyLength, KeyLengths,
    Keyed, buffer,
};

type Unit = [u8; 16];

/// XTS with the cipher `D` for data and the cipher `T` for tweaks. Both are the same algorithm.
/// The types differ if the algorithm has a type for each direction: `Xts<Aes128Decrypt,
/// Aes128Encrypt>` only decrypts.
#[derive(Clone)]
pub struct Xts<D, T = D> {
    data: D,
    tweak: T,
}

debug!([D: core::fmt::Debug, T] Xts<D, T>, "Xts", cipher = data);

/// Returns whether the two halves of an XTS key differ, as FIPS 140 requires. The time depends
/// only on the length of the key.
pub fn distinct_keys(key: &[u8]) -> bool {
    let (data, tweak) = key.split_at(key.len() / 2);
    crate::constant_time::matches(data, tweak).is_err()
}

impl<D, T> Xts<D, T> {
    /// Makes the mode from two ciphers that are set up with keys.
    #[inline]
    pub fn with_ciphers(data: D, tweak: T) -> Self {
        Self { data, tweak }
    }
}

impl<D, T> Xts<D, T>
where
    D: FusedEncrypt<Block = Unit>,
    T: FusedEncrypt<Block = Unit>,
{
    shapes! {
        /// Encrypts a data unit in place.
        encrypt encrypt_into encrypt_inout(&, tweak: &Unit)
    }

    /// Does the same as [`encrypt`](Self::encrypt), in place or from one buffer to another.
    #[inline]
    pub fn encrypt_inout(&self, tweak: &Unit, data: InOutBuf<'_, '_, u8>) -> Result<(), DataError> {
        at_least_a_block::<Unit>(data.len())?;
        let mut tweak = *tweak;
        self.tweak.encrypt_block(&mut tweak);
        self.data.xts_encrypt(&tweak, data);
        wipe(&mut tweak, 0);
        Ok(())
    }
}

impl<D, T> Xts<D, T>
where
    D: FusedDecrypt<Block = Unit>,
    T: FusedEncrypt<Block = Unit>,
{
    shapes! {
        /// Decrypts a data unit in place.
        decrypt decrypt_into decrypt_inout(&, tweak: &Unit)
    }

    /// Does the same as [`decrypt`](Self::decrypt), in place or from one buffer to another.
    #[inline]
    pub fn decrypt_inout(&self, tweak: &Unit, data: InOutBuf<'_, '_, u8>) -> Result<(), DataError> {
        at_least_a_block::<Unit>(data.len())?;
        let mut tweak = *tweak;
        self.tweak.encrypt_block(&mut tweak);
        self.data.xts_decrypt(&tweak, data);
        wipe(&mut tweak, 0);
        Ok(())
    }
}

impl<D, T> FixedKey for Xts<D, T>
where
    D: FixedKey + BlockCipher<Block = Unit>,
    T: Keyed<Kernel = D::Kernel> + FusedEncrypt<Block = Unit>,
    D::Key: Doubled,
{
    type Key = <D::Key as Doubled>::Twice;
}

crate::keyed::with_new! {
    [D: FixedKey<Key: Doubled> + BlockCipher<Block = Unit>,
     T: Keyed<Kernel = D::Kernel> + FusedEncrypt<Block = Unit>] Xts<D, T>;
}

impl<D, T> Keyed for Xts<D, T>
where
    D: Keyed + BlockCipher<Block = Unit>,
    T: Keyed<Kernel = D::Kernel> + FusedEncrypt<Block = Unit>,
{
    type Kernel = D::Kernel;
    const KEY_LENGTHS: KeyLengths = D::KEY_LENGTHS.twice();

    #[inline]
    fn with_kernel(kernel: Self::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let (data, tweak) = key.split_at(key.len() / 2);
        Ok(Self {
            data: D::with_kernel(kernel, data)?,
            tweak: T::with_kernel(kernel, tweak)?,
        })
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let (data, tweak) = key.split_at(key.len() / 2);
        self.data.rekey(data)?;
        self.tweak.rekey(tweak)?;
        Ok(())
    }

    fn kernel_in_use(&self) -> Self::Kernel {
        self.data.kernel_in_use()
    }
}

impl<D: ZeroizeOnDrop, T: ZeroizeOnDrop> ZeroizeOnDrop for Xts<D, T> {}
