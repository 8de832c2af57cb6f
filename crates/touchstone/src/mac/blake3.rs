//! BLAKE3 with a key of 32 bytes, [BLAKE3] §2.3. The key takes the place of the initial value, so
//! it costs no compression. A shorter tag is the beginning of the longer one.
//!
//! The MAC is constant-time. [`Blake3::with_key`] gives tags of more than 32 bytes.
//!
//! - [BLAKE3] J. O'Connor, J.-P. Aumasson, S. Neves, Z. Wilcox-O'Hearn: BLAKE3: One Function,
//!   Fast Everywhere, 2021
//!
//! [BLAKE3]: https://github.com/BLAKE3-team/BLAKE3-specs/blob/master/blake3.pdf

use super::Mac;
use crate::hash::blake3::Kernel;
use crate::hash::{Blake3, HashFunction, state_type};
use crate::{Digest, FixedKey, InvalidKeyLength, KeyLengths, Keyed};

/// BLAKE3 with a key, [BLAKE3](self).
///
/// ```
/// use touchstone::Mac;
/// use touchstone::mac::Blake3Mac;
///
/// let mac = Blake3Mac::new(b"a key of exactly thirty-two byte");
/// let tag = mac.mac(b"Attack at dawn");
/// assert!(mac.verify(b"Attack at dawn", &tag).is_ok());
/// ```
#[derive(Clone)]
pub struct Blake3Mac(Blake3);

impl Keyed for Blake3Mac {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(32);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let key = Self::KEY_LENGTHS.array(key)?;
        Ok(Self(Blake3::with_kernel_and_key(kernel, key)))
    }

    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        self.0.set_key(Self::KEY_LENGTHS.array(key)?);
        Ok(())
    }

    fn kernel_in_use(&self) -> Kernel {
        self.0.kernel_in_use()
    }
}

impl FixedKey for Blake3Mac {
    type Key = [u8; 32];
}

impl Mac for Blake3Mac {
    type Output = Digest<32>;

    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finalize(&mut self) -> Digest<32> {
        self.0.finalize_reset()
    }

    fn reset(&mut self) {
        self.0.restart();
    }

    fn mac(&self, message: &[u8]) -> Digest<32> {
        self.0.digest_of(message)
    }
}

state_type!(Blake3Mac);
