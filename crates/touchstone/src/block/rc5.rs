//! RC5 with words of 32 bits: blocks of 8 bytes, keys of up to 255, and up to 255
//! rounds. **Outdated** as all ciphers with blocks of 64 bits: a key leaks after
//! some gigabytes ([SWEET32]). The usual 12 rounds have been broken in theory,
//! from 2^44 chosen blocks ([BK]).
//!
//! [`Rc5::new`](crate::Keyed::new) has 12 rounds, and [`Rc5::with_rounds`] any
//! number: no more than a few are a toy.
//!
//! Constant-time where rotation by a secret distance is, as on all current x86 and
//! ARM.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `portable` | – | 4 | blocks interleaved |
//!
//! - [RC5] R. Rivest: The RC5 Encryption Algorithm, FSE 1994
//! - [BK] A. Biryukov, E. Kushilevitz: Improved Cryptanalysis of RC5, EUROCRYPT '98
//! - [SWEET32] K. Bhargavan, G. Leurent: On the Practical (In-)Security of 64-bit
//!   Block Ciphers, CCS 2016
//!
//! [RC5]: https://doi.org/10.1007/3-540-60590-8_7
//! [BK]: https://doi.org/10.1007/BFb0054119
//! [SWEET32]: https://doi.org/10.1145/2976749.2978423

use zeroize::ZeroizeOnDrop;

use super::groups;
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, InOutBuf, InvalidKeyLength, KeyLengths, Keyed,
    KeyedWith,
};

/// RC5-32, with a key of up to 255 bytes.
#[derive(Clone)]
pub struct Rc5 {
    kernel: Kernel,
    rounds: u8,
    keys: [[u32; 2]; 256],
}

type Block = [u8; 8];

/// S, one pair of keys before the first round and one for each.
type Keys = [[u32; 2]];

/// How many blocks are in flight.
const LANES: usize = 4;

/// [RC5](self) §4.3: e − 2 in binary, made odd.
const P: u32 = 0xb7e1_5163;
/// [RC5](self) §4.3: the golden ratio less one in binary, made odd.
const Q: u32 = 0x9e37_79b9;

/// [RC5](self) §4.1.
#[inline(always)]
fn encrypt<const N: usize>(keys: &Keys, blocks: [Block; N]) -> [Block; N] {
    let mut x = split(blocks);
    let Some(([s, t], rounds)) = keys.split_first() else {
        return blocks;
    };
    for [a, b] in &mut x {
        (*a, *b) = (a.wrapping_add(*s), b.wrapping_add(*t));
    }
    for [s, t] in rounds {
        for [a, b] in &mut x {
            *a = (*a ^ *b).rotate_left(*b % 32).wrapping_add(*s);
        }
        for [a, b] in &mut x {
            *b = (*b ^ *a).rotate_left(*a % 32).wrapping_add(*t);
        }
    }
    join(x)
}

/// [RC5](self) §4.2.
#[inline(always)]
fn decrypt<const N: usize>(keys: &Keys, blocks: [Block; N]) -> [Block; N] {
    let mut x = split(blocks);
    let Some(([s, t], rounds)) = keys.split_first() else {
        return blocks;
    };
    for [s, t] in rounds.iter().rev() {
        for [a, b] in &mut x {
            *b = b.wrapping_sub(*t).rotate_right(*a % 32) ^ *a;
        }
        for [a, b] in &mut x {
            *a = a.wrapping_sub(*s).rotate_right(*b % 32) ^ *b;
        }
    }
    for [a, b] in &mut x {
        (*a, *b) = (a.wrapping_sub(*s), b.wrapping_sub(*t));
    }
    join(x)
}

#[inline(always)]
fn split<const N: usize>(blocks: [Block; N]) -> [[u32; 2]; N] {
    let mut x = [[0; 2]; N];
    for (x, block) in x.iter_mut().zip(&blocks) {
        let both = u64::from_le_bytes(*block);
        *x = [both as u32, (both >> 32) as u32];
    }
    x
}

#[inline(always)]
fn join<const N: usize>(x: [[u32; 2]; N]) -> [Block; N] {
    let mut blocks = [[0; 8]; N];
    for ([a, b], block) in x.iter().zip(&mut blocks) {
        *block = (u64::from(*b) << 32 | u64::from(*a)).to_le_bytes();
    }
    blocks
}

kernels! {
    /// How RC5 is computed.
    pub enum Kernel {}
}

impl Rc5 {
    /// Sets a key up for any number of rounds.
    pub fn with_rounds(rounds: u8, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::new_with(rounds, key)
    }

    #[inline(always)]
    fn keys(&self) -> &Keys {
        &self.keys[..=usize::from(self.rounds)]
    }
}

impl Keyed for Rc5 {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 0, 255);

    /// 12 rounds.
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::with_kernel_and(kernel, 12, key)
    }

    fn kernel(&self) -> Kernel {
        self.kernel
    }
}

impl KeyedWith for Rc5 {
    /// The number of rounds.
    type Parameter = u8;

    /// [RC5](self) §4.3.
    fn with_kernel_and(kernel: Kernel, rounds: u8, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let mut bytes = [0; 256];
        bytes[..key.len()].copy_from_slice(key);
        let mut l = [0; 64];
        for (word, bytes) in l.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        let l = &mut l[..key.len().div_ceil(4).max(1)];

        let mut this = Self {
            kernel,
            rounds,
            keys: [[0; 2]; 256],
        };
        let s = this.keys[..=usize::from(rounds)].as_flattened_mut();
        let mut word = P;
        for s in &mut *s {
            *s = word;
            word = word.wrapping_add(Q);
        }
        let (mut a, mut b) = (0u32, 0u32);
        let (mut i, mut j) = (0, 0);
        for _ in 0..3 * s.len().max(l.len()) {
            a = s[i].wrapping_add(a.wrapping_add(b)).rotate_left(3);
            s[i] = a;
            let sum = a.wrapping_add(b);
            b = l[j].wrapping_add(sum).rotate_left(sum % 32);
            l[j] = b;
            i = if i + 1 == s.len() { 0 } else { i + 1 };
            j = if j + 1 == l.len() { 0 } else { j + 1 };
        }
        wipe(l, 0);
        wipe(&mut bytes, 0);
        Ok(this)
    }
}

impl BlockCipher for Rc5 {
    type Block = Block;
}

impl BlockEncrypt for Rc5 {
    #[inline]
    fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        let keys = self.keys();
        match self.kernel {
            Kernel::Portable => groups::and_singles::<LANES, _>(
                blocks,
                |group| encrypt(keys, group),
                |block| encrypt(keys, [block])[0],
            ),
        }
    }

    #[inline]
    fn encrypt_block(&self, block: &mut Block) {
        [*block] = encrypt(self.keys(), [*block]);
    }
}

impl BlockDecrypt for Rc5 {
    #[inline]
    fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        let keys = self.keys();
        match self.kernel {
            Kernel::Portable => groups::and_singles::<LANES, _>(
                blocks,
                |group| decrypt(keys, group),
                |block| decrypt(keys, [block])[0],
            ),
        }
    }
}

impl Drop for Rc5 {
    fn drop(&mut self) {
        let n = usize::from(self.rounds);
        wipe(&mut self.keys[..=n], [0; 2]);
    }
}

impl ZeroizeOnDrop for Rc5 {}
