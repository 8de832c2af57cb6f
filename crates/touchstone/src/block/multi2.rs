//! MULTI2, the block cipher of Japan's digital television: blocks of 8 bytes, keys of 40 (a system
//! key of 32 bytes and a data key of 8), words big-endian. A key has 128 rounds here, as in
//! LibTomCrypt; [`Multi2::with_rounds`] accepts any number but 0.
//!
//! **Outdated**: [MULTI2] finds weaknesses of the key schedule, and as with all ciphers with blocks
//! of 64 bits, messages leak after some gigabytes under one key ([SWEET32]).
//!
//! Constant-time: the cipher consists of additions, rotations and bitwise functions.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 64 | four registers for each half |
//! | `avx2` | AVX2 | 32 | four registers for each half |
//! | `portable` | – | 8 | arrays of 32-bit lanes, which compilers turn into vectors |
//!
//! - [MULTI2] J.-P. Aumasson, J. Nakahara, P. Sepehrdad: Cryptanalysis of the ISDB Scrambling
//!   Algorithm (MULTI2), FSE 2009
//! - [SWEET32] K. Bhargavan, G. Leurent: On the Practical (In-)Security of 64-bit
//!   Block Ciphers, CCS 2016
//!
//! [MULTI2]: https://doi.org/10.1007/978-3-642-03317-9_18
//! [SWEET32]: https://doi.org/10.1145/2976749.2978423

use core::num::NonZeroU32;

use crate::debug::debug;
use crate::machinery::lanes::{Kernel, Lanes, lane_cipher, load, store};
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed, KeyedWith};

/// MULTI2, with a key of 40 bytes.
#[derive(Clone)]
pub struct Multi2 {
    kernel: Kernel,
    rounds: NonZeroU32,
    /// The eight words of key of eight rounds, which repeat.
    keys: [u32; 8],
}

debug!([] Multi2, "Multi2");

/// The number of rounds that [`Keyed::from_slice`] uses.
const ROUNDS: NonZeroU32 = NonZeroU32::new(128).unwrap();

type Block = [u8; 8];

/// Computes round `i` of [MULTI2](self), which changes one half by the other half. Each round is
/// its own inverse.
#[inline(always)]
fn round<const N: usize>(x: &mut [[u32; N]; 2], i: u32, keys: &[u32; 8]) {
    let [left, right] = x;
    let keys = &keys[(i & 4) as usize..][..4];
    match i % 4 {
        0 => {
            for n in 0..N {
                right[n] ^= left[n];
            }
        }
        1 => {
            for n in 0..N {
                let y = right[n].wrapping_add(keys[0]);
                let y = y.rotate_left(1).wrapping_add(y).wrapping_sub(1);
                left[n] ^= y.rotate_left(4) ^ y;
            }
        }
        2 => {
            for n in 0..N {
                let y = left[n].wrapping_add(keys[1]);
                let y = y.rotate_left(2).wrapping_add(y).wrapping_add(1);
                let y = (y.rotate_left(8) ^ y).wrapping_add(keys[2]);
                let y = y.rotate_left(1).wrapping_sub(y);
                right[n] ^= y.rotate_left(16) ^ (y | left[n]);
            }
        }
        _ => {
            for n in 0..N {
                let y = right[n].wrapping_add(keys[3]);
                left[n] ^= y.rotate_left(2).wrapping_add(y).wrapping_add(1);
            }
        }
    }
}

/// Splits blocks into halves, in lanes.
#[inline(always)]
fn halves<const N: usize>(blocks: [Block; N]) -> [[u32; N]; 2] {
    load(&blocks).map(|lanes: [u32; N]| lanes.map(u32::swap_bytes))
}

/// Joins the halves of blocks, the inverse of [`halves`].
#[inline(always)]
fn joined<const N: usize>(x: [[u32; N]; 2]) -> [Block; N] {
    store(&x.map(|lanes| lanes.map(u32::swap_bytes)))
}

impl Multi2 {
    /// Sets a key up for a number of rounds. Without rounds, the ciphertext would be the plaintext.
    ///
    /// ```compile_fail,E0308
    /// let cipher = touchstone::block::Multi2::with_rounds(0, &[7; 40]);
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidKeyLength`] if the key does not have 40 bytes.
    pub fn with_rounds(rounds: NonZeroU32, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::from_slice_with(rounds, key)
    }
}

impl Lanes for Multi2 {
    const LEAST: [usize; 2] = [3, 5];

    #[inline(always)]
    fn encrypt_lanes<const N: usize>(&self, blocks: [Block; N]) -> [Block; N] {
        let mut x = halves(blocks);
        for i in 0..self.rounds.get() {
            round(&mut x, i, &self.keys);
        }
        joined(x)
    }

    #[inline(always)]
    fn decrypt_lanes<const N: usize>(&self, blocks: [Block; N]) -> [Block; N] {
        let mut x = halves(blocks);
        for i in (0..self.rounds.get()).rev() {
            round(&mut x, i, &self.keys);
        }
        joined(x)
    }
}

lane_cipher!([] Multi2, Block, wipes keys with 0);

impl FixedKey for Multi2 {
    type Key = [u8; 40];
}

impl Keyed for Multi2 {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(40);

    /// Uses 128 rounds.
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::with_kernel_and(kernel, ROUNDS, key)
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl KeyedWith for Multi2 {
    /// The number of rounds.
    type Parameter = NonZeroU32;

    /// Sets up a key, [MULTI2](self): nine rounds with the system key change the data key, and each
    /// round but the first gives a word of the working key.
    fn with_kernel_and(
        kernel: Kernel,
        rounds: NonZeroU32,
        key: &[u8],
    ) -> Result<Self, InvalidKeyLength> {
        let key: &[u8; 40] = Self::KEY_LENGTHS.array(key)?;
        let (words, _) = key.as_chunks();
        let mut words: [u32; 10] = core::array::from_fn(|i| u32::from_be_bytes(words[i]));
        let [system @ .., left, right] = &mut words;
        let mut x = [[*left], [*right]];
        round(&mut x, 0, system);
        let mut keys = [0; 8];
        for (i, key) in (1..).zip(&mut keys) {
            round(&mut x, i, system);
            // The odd rounds change the left half.
            [*key] = x[(i + 1) as usize % 2];
        }
        wipe(x.as_flattened_mut(), 0);
        wipe(&mut words, 0);
        Ok(Self {
            kernel,
            rounds,
            keys,
        })
    }
}
