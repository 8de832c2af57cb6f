//! ABC version 3, a stream cipher submitted to eSTREAM: keys and nonces of 16 bytes. A linear
//! register and a counter-like function give words to a filter, a sum of 33 words that depend on
//! the key.
//!
//! **Outdated**: for one key in 2^24, 2^36 words of keystream give away the state ([ZLW]).
//!
//! **Not constant-time**: data and key choose the table entries that are read. The only kernel is
//! portable.
//!
//! - [ABC] V. Anashin, A. Bogdanov, I. Kizhvatov: ABC: A New Fast Flexible Stream Cipher, version
//!   3, eSTREAM, 2006
//! - [ZLW] H. Zhang, L. Li, X. Wang: Fast correlation attack on stream cipher ABC v3, Science in
//!   China F 51 (2008)
//!
//! [ABC]: https://www.ecrypt.eu.org/stream/p2ciphers/abc/abc_p2.pdf
//! [ZLW]: https://doi.org/10.1007/s11432-008-0064-7

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::keystream::{Keystream, Source, set_words};
use super::{StreamKey, keystream_type};
use crate::debug::debug;
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, Kernel as _, KeyLengths, Keyed};

kernels! {
    /// The kernels that compute ABC.
    enum Kernel {}
}

/// The bytes of keystream that are computed at a time: four words.
const BLOCK: usize = 16;

/// A key of ABC.
#[derive(Clone)]
pub struct Abc(State);

debug!([] Abc, "Abc");

/// The keystream for one nonce.
#[derive(Clone)]
pub struct AbcStream(Keystream<State, [u8; BLOCK]>);

#[derive(Clone)]
struct State {
    registers: Registers,
    filter: Filter,
}

/// The state that changes from word to word, and the coefficients of the function that changes it.
#[derive(Clone)]
struct Registers {
    /// The linear register A.
    z: [u32; 4],
    /// The state of the function B, and its coefficients.
    x: u32,
    d: [u32; 3],
}

/// The filter C, [ABC](self): a constant plus one coefficient for each bit of the input that is
/// set. A table for each byte has the sums, and the first table has the constant too.
#[derive(Clone)]
struct Filter([[u32; 256]; 4]);

impl Filter {
    const fn new(coefficients: &[u32; 32], constant: u32) -> Self {
        let mut tables = [[0; 256]; 4];
        let mut i = 0;
        while i < 4 {
            tables[i][0] = if i == 0 { constant } else { 0 };
            let mut x = 1;
            while x < 256usize {
                // The sum without the lowest bit of `x`, and the coefficient of this bit.
                let bit = x.trailing_zeros() as usize;
                tables[i][x] = tables[i][x & (x - 1)].wrapping_add(coefficients[8 * i + bit]);
                x += 1;
            }
            i += 1;
        }
        Self(tables)
    }

    #[inline(always)]
    fn map(&self, x: u32) -> u32 {
        let bytes = x.to_le_bytes();
        (0..4).fold(0u32, |sum, i| {
            sum.wrapping_add(self.0[i][usize::from(bytes[i])])
        })
    }
}

impl Drop for Filter {
    fn drop(&mut self) {
        wipe(self.0.as_flattened_mut(), 0);
    }
}

/// The coefficients of the filter of the key set-up, [ABC](self).
#[rustfmt::skip]
const COEFFICIENTS: [u32; 32] = [
    0x8bbc_7b0a, 0xe774_a906, 0x1304_0ec0, 0xea14_9bd0, 0x32e3_281d, 0x38c1_5589, 0xbdc9_2ea9, 0x6b58_7ba0,
    0xe100_9816, 0xeaa8_4751, 0x77f1_ce29, 0xeb94_ad46, 0xffd6_24d0, 0x8958_1695, 0xf0bb_fbd3, 0x8340_4b20,
    0x9e66_abea, 0x798c_e417, 0x8d1a_dfb3, 0xb8c6_bf9f, 0x3bba_d552, 0x923d_dd55, 0xa646_1e22, 0xcbf8_25b8,
    0x1139_265e, 0xb9cf_4535, 0xe7c8_7f14, 0xf4f8_55d3, 0x7c77_f154, 0x46c0_f13c, 0x2d12_29e6, 0xcf39_0000,
];

/// The filter of the key set-up.
static FIXED: Filter = Filter::new(&COEFFICIENTS, 0xa883_b17d);

impl Registers {
    const ZEROS: Self = Self {
        z: [0; 4],
        x: 0,
        d: [0; 3],
    };

    /// Returns the next word, [ABC](self): a step of A, then B, then C.
    #[inline(always)]
    fn next(&mut self, filter: &Filter) -> u32 {
        let [a, b, c, d] = self.z;
        let sum = c ^ b << 31 ^ a >> 1;
        self.z = [b, c, d, sum];
        let x = (self.x ^ self.d[0]).wrapping_add(self.d[1]) ^ self.d[2];
        self.x = x.wrapping_add(sum);
        filter.map(self.x).rotate_left(16).wrapping_add(b)
    }

    /// Makes the register A nonzero.
    fn nonzero(&mut self) {
        self.z[0] |= 2;
    }

    /// Gives the coefficients of B the low bits with which B has one cycle.
    fn restrict(&mut self) {
        let [d0, d1, d2] = &mut self.d;
        *d0 &= !3;
        *d1 = *d1 & !3 | 1;
        *d2 &= !3;
    }

    /// Adds a key or a nonce, and makes some words of keystream, which are XORed to the state.
    fn add(&mut self, bytes: &[u8; 16], filter: &Filter) {
        let mut words = [0; 4];
        set_words(&mut words, bytes);
        for (z, word) in self.z.iter_mut().zip(words) {
            *z ^= word.rotate_left(16);
        }
        self.x ^= words[0];
        for (d, word) in self.d.iter_mut().rev().zip(&words[1..]) {
            *d ^= word;
        }
        wipe(&mut words, 0);
        self.nonzero();
        self.restrict();

        let word = self.next(filter);
        self.x ^= word;
        for i in 0..3 {
            self.d[i] ^= self.next(filter);
            self.restrict();
        }
        for _ in 0..4 {
            let word = self.next(filter);
            self.z[2] ^= word;
        }
        self.nonzero();
    }
}

impl Drop for Registers {
    fn drop(&mut self) {
        wipe(&mut self.z, 0);
        wipe(core::slice::from_mut(&mut self.x), 0);
        wipe(&mut self.d, 0);
    }
}

impl FixedKey for Abc {
    type Key = [u8; 16];
}

impl Keyed for Abc {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    /// Sets up a key, [ABC](self): the cipher with the fixed filter makes the filter and the state
    /// of the key.
    fn with_kernel(_: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let mut first = Registers::ZEROS;
        first.add(Self::KEY_LENGTHS.array(key)?, &FIXED);
        let mut next = || first.next(&FIXED);
        let constant = next();
        let mut coefficients = [0; 32];
        coefficients.fill_with(&mut next);
        coefficients[31] = coefficients[31] & 0xffff_0000 | 0x0001_0000;
        let mut registers = Registers::ZEROS;
        registers.d.fill_with(&mut next);
        registers.x = next();
        registers.z.fill_with(&mut next);
        registers.nonzero();
        registers.restrict();
        let filter = Filter::new(&coefficients, constant);
        wipe(&mut coefficients, 0);
        Ok(Self(State { registers, filter }))
    }

    fn kernel_in_use(&self) -> Kernel {
        Kernel::best()
    }
}

impl StreamKey for Abc {
    type Stream = AbcStream;
    type Nonce = [u8; 16];

    #[inline]
    fn stream(&self, nonce: &[u8; 16]) -> AbcStream {
        let mut state = self.0.clone();
        state.registers.add(nonce, &state.filter);
        AbcStream(Keystream::new(state))
    }
}

impl Source<[u8; BLOCK]> for State {
    fn apply_blocks(&mut self, blocks: InOutBuf<'_, '_, [u8; BLOCK]>) {
        for mut block in blocks {
            let mut output = *block.get_in();
            for bytes in output.as_chunks_mut().0 {
                let word = self.registers.next(&self.filter);
                *bytes = (u32::from_le_bytes(*bytes) ^ word).to_le_bytes();
            }
            *block.get_out() = output;
        }
    }
}

keystream_type!("AbcStream", [] AbcStream);

impl ZeroizeOnDrop for Abc {}
