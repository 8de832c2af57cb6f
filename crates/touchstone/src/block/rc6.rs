//! RC6 with words of 32 bits and 20 rounds, a finalist of the competition for AES: blocks of 16
//! bytes, keys of up to 255 bytes. Words are little-endian.
//!
//! Constant-time on processors whose multiplication and whose rotation by a secret distance
//! take constant time, as on all current x86 and ARM processors.
//!
//! | kernel | needs | blocks per call |
//! |---|---|---|
//! | `portable` | – | 4 |
//!
//! - [RC6] R. Rivest, M. Robshaw, R. Sidney, Y. Yin: The RC6 Block Cipher, version 1.1, 1998
//!
//! [RC6]: https://people.csail.mit.edu/rivest/pubs/RRSY98.pdf

use zeroize::ZeroizeOnDrop;

use super::rc5;
use crate::debug::debug;
use crate::machinery::four_words::{little, little_bytes};
use crate::machinery::portable::portable_cipher;
use crate::wipe::wipe;
use crate::{InvalidKeyLength, KeyLengths, Keyed};

/// RC6-32/20, with a key of up to 255 bytes.
#[derive(Clone)]
pub struct Rc6 {
    kernel: Kernel,
    keys: Keys,
}

debug!([] Rc6, "Rc6");

type Block = [u8; 16];

const ROUNDS: usize = 20;

/// The table S, [RC6](self) §2.1: a pair of keys before the rounds, a pair for each round, and
/// a pair after the rounds.
type Keys = [[u32; 2]; ROUNDS + 2];

/// Returns x (2 x + 1), rotated by 5 bits, which is the logarithm of the word's width.
fn quadratic(x: u32) -> u32 {
    x.wrapping_mul(x.wrapping_mul(2).wrapping_add(1))
        .rotate_left(5)
}

impl Rc6 {
    /// Encrypts a block, [RC6](self) §2.2.
    #[inline(always)]
    fn forwards(&self, block: Block) -> Block {
        let [before, rounds @ .., after] = &self.keys;
        let [mut a, mut b, mut c, mut d] = little(&block);
        b = b.wrapping_add(before[0]);
        d = d.wrapping_add(before[1]);
        for key in rounds {
            let (t, u) = (quadratic(b), quadratic(d));
            a = (a ^ t).rotate_left(u % 32).wrapping_add(key[0]);
            c = (c ^ u).rotate_left(t % 32).wrapping_add(key[1]);
            (a, b, c, d) = (b, c, d, a);
        }
        little_bytes([a.wrapping_add(after[0]), b, c.wrapping_add(after[1]), d])
    }

    #[inline(always)]
    fn backwards(&self, block: Block) -> Block {
        let [before, rounds @ .., after] = &self.keys;
        let [mut a, mut b, mut c, mut d] = little(&block);
        a = a.wrapping_sub(after[0]);
        c = c.wrapping_sub(after[1]);
        for key in rounds.iter().rev() {
            (a, b, c, d) = (d, a, b, c);
            let (t, u) = (quadratic(b), quadratic(d));
            c = c.wrapping_sub(key[1]).rotate_right(t % 32) ^ u;
            a = a.wrapping_sub(key[0]).rotate_right(u % 32) ^ t;
        }
        little_bytes([a, b.wrapping_sub(before[0]), c, d.wrapping_sub(before[1])])
    }
}

impl Keyed for Rc6 {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 0, 255);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let mut keys = [[0; 2]; ROUNDS + 2];
        // The key schedule is the key schedule of RC5 for a longer table, [RC6](self) §2.1.
        rc5::schedule_any(key, keys.as_flattened_mut());
        Ok(Self { kernel, keys })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

portable_cipher!(Rc6, Block);

impl Drop for Rc6 {
    fn drop(&mut self) {
        wipe(&mut self.keys, [0; 2]);
    }
}

impl ZeroizeOnDrop for Rc6 {}
