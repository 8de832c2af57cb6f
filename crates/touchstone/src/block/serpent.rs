//! Serpent, a finalist of the AES competition with a large security margin: blocks of 16 bytes,
//! keys of 16, 24 or 32 bytes.
//!
//! Every kernel is constant-time, because the S-boxes are circuits. Keys and blocks have the
//! byte order of the submission's final form, least significant byte first, as in all libraries
//! and in NESSIE's vectors. The submission's own lists of answers print keys and blocks as
//! numbers, in the opposite order.
//!
//! | kernel | needs | blocks at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 64 | word-sliced, S-boxes of seven or eight ternary gates, or of two levels |
//! | `avx2` | AVX2 | 32 | word-sliced, S-boxes of 13 to 16 binary gates, or of three or four levels |
//! | `portable` | – | 2 | the same circuits on 32-bit words; one block: S-boxes of three or four levels |
//!
//! - [SERPENT] R. Anderson, E. Biham, L. Knudsen: Serpent, a proposal for the
//!   Advanced Encryption Standard, 1998
//!
//! [SERPENT]: https://www.cl.cam.ac.uk/~rja14/Papers/serpent.pdf

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::kernel::kernels;
#[cfg(target_arch = "x86_64")]
use crate::simd::{U32x8, U32x16};
use crate::wipe::wipe;
use crate::{InvalidKeyLength, KeyLengths, Keyed};
use zeroize::ZeroizeOnDrop;

use crate::machinery::shell::shell;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod binary;
mod levels;
mod portable;
mod rounds;
#[cfg(target_arch = "x86_64")]
mod schedule;
#[cfg(target_arch = "x86_64")]
mod shallow;
#[cfg(target_arch = "x86_64")]
mod ternary;

use binary::{INPUTS, OUTPUTS};

/// Serpent, with a key of 16, 24 or 32 bytes.
#[derive(Clone)]
pub struct Serpent {
    kernel: Kernel,
    keys: RoundKeys,
}

debug!([] Serpent, "Serpent");

type Block = [u8; 16];

/// Round keys in the order of encryption. The circuits of the S-boxes take some inputs
/// complemented and leave some outputs complemented; the round keys contain corrections for
/// these complements. Except in the first and the last round key, words 0 and 2 are already
/// rotated, because the code adds them after the linear transformation has rotated these words
/// of the state.
type RoundKeys = [[u32; 4]; 33];

/// The S-boxes of [SERPENT] appendix A.5. The tests compare the circuits with these tables.
#[cfg(test)]
const S: [[u8; 16]; 8] = [
    [3, 8, 15, 1, 10, 6, 5, 11, 14, 13, 4, 2, 7, 0, 9, 12],
    [15, 12, 2, 7, 9, 0, 5, 10, 1, 11, 14, 8, 6, 13, 3, 4],
    [8, 6, 7, 9, 3, 12, 10, 15, 13, 1, 14, 4, 0, 11, 5, 2],
    [0, 15, 11, 8, 12, 9, 6, 3, 13, 1, 2, 4, 10, 7, 5, 14],
    [1, 15, 8, 3, 12, 0, 11, 6, 2, 5, 4, 10, 9, 14, 7, 13],
    [15, 5, 2, 11, 4, 10, 9, 12, 0, 3, 14, 8, 13, 6, 7, 1],
    [7, 2, 12, 5, 8, 4, 6, 11, 14, 9, 1, 15, 13, 3, 10, 0],
    [1, 13, 15, 0, 14, 8, 2, 11, 7, 4, 12, 10, 9, 3, 5, 6],
];

kernels! {
    /// The kernels: implementations of Serpent for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

impl Keyed for Serpent {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(8, 16, 32);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let mut this = Self {
            kernel,
            keys: [[0; 4]; 33],
        };
        this.rekey(key)?;
        Ok(this)
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => avx512::expand(token, key, &mut self.keys),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::expand(token, key, &mut self.keys),
            Kernel::Portable => portable::expand(key, &mut self.keys),
        }
        Ok(())
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

shell!(
    Serpent,
    avx512: Avx512 from 2 blocks,
    avx2: Avx2 from 2 blocks
);

impl Drop for Serpent {
    fn drop(&mut self) {
        wipe(&mut self.keys, [0; 4]);
    }
}

impl ZeroizeOnDrop for Serpent {}

/// The first 24 rounds of Serpent, which the stream cipher Sosemanuk uses, with a key of at
/// most 32 bytes.
#[derive(Clone)]
pub(crate) struct Serpent24(RoundKeys);

impl Serpent24 {
    pub(crate) fn new(key: &[u8]) -> Self {
        let mut this = Self([[0; 4]; 33]);
        portable::expand(key, &mut this.0);
        this
    }

    /// Returns the states of a block after 12, 18 and 24 rounds, as four words each.
    pub(crate) fn states(&self, block: &Block) -> [[u32; 4]; 3] {
        portable::states(&self.0, block)
    }

    /// Applies the S-box S2 to four words: bit *i* of the four words is one input of the S-box.
    #[inline(always)]
    pub(crate) fn s2(words: [u32; 4]) -> [u32; 4] {
        portable::box_2(words)
    }

    /// [`Serpent24::s2`] in each lane.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn s2_of_lanes(words: [U32x16; 4]) -> [U32x16; 4] {
        avx512::box_2(words)
    }

    /// [`Serpent24::s2`] in each of eight lanes.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn s2_of_eight_lanes(words: [U32x8; 4]) -> [U32x8; 4] {
        avx2::box_2(words)
    }
}

impl Drop for Serpent24 {
    fn drop(&mut self) {
        wipe(&mut self.0, [0; 4]);
    }
}
