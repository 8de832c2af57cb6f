//! LEA, South Korea's lightweight block cipher, KS X 3246 and ISO/IEC 29192-2: blocks of 16 bytes,
//! keys of 16, 24 or 32, words little-endian.
//!
//! Constant-time: the cipher consists of additions, rotations and XORs.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 32 | two registers for each word |
//! | `avx2` | AVX2 | 32 | four registers for each word |
//! | `portable` | – | 8 | arrays of 32-bit lanes, which compilers turn into vectors |
//!
//! - [LEA] D. Hong, J.-K. Lee, D.-C. Kim, D. Kwon, K. H. Ryu, D.-G. Lee: LEA: A 128-Bit Block
//!   Cipher for Fast Encryption on Common Processors, WISA 2013
//!
//! [LEA]: https://doi.org/10.1007/978-3-319-05149-9_1

use crate::debug::{by_key, debug};
use crate::machinery::each::each;
use crate::machinery::lanes::{Kernel, Lanes, lane_cipher, load, store};
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

/// LEA with a key of `KEY` bytes: 16, 24 or 32. Another length is a compile error:
///
/// ```compile_fail,E0080
/// let short = <touchstone::block::Lea<8> as touchstone::FixedKey>::new(&[7; 8]);
/// ```
#[derive(Clone)]
pub struct Lea<const KEY: usize> {
    kernel: Kernel,
    keys: [RoundKey; 32],
}

debug!([const KEY: usize] Lea<KEY>, by_key(["Lea128", "Lea192", "Lea256"], KEY));

/// LEA with a key of 16 bytes.
pub type Lea128 = Lea<16>;
/// LEA with a key of 24 bytes.
pub type Lea192 = Lea<24>;
/// LEA with a key of 32 bytes.
pub type Lea256 = Lea<32>;

type Block = [u8; 16];
type RoundKey = [u32; 6];

/// [LEA](self): the constants δ of the key schedule.
const DELTA: [u32; 8] = [
    0xc3ef_e9db,
    0x4462_6b02,
    0x79e2_7c8a,
    0x78df_30ec,
    0x715e_a49e,
    0xc785_da0a,
    0xe04e_f22a,
    0xe5c4_0957,
];

/// Returns the places of the words of a block in round `i`. The words stay in their places, and
/// each round counts the words from another place.
const fn places(i: usize) -> [usize; 4] {
    [i % 4, (i + 1) % 4, (i + 2) % 4, (i + 3) % 4]
}

/// Computes a round of [LEA](self).
#[inline(always)]
fn round<const I: usize, const N: usize>(x: &mut [[u32; N]; 4], key: &RoundKey) {
    let [a, b, c, d] = const { places(I) };
    for n in 0..N {
        let sum = (x[c][n] ^ key[4]).wrapping_add(x[d][n] ^ key[5]);
        x[d][n] = sum.rotate_right(3);
        let sum = (x[b][n] ^ key[2]).wrapping_add(x[c][n] ^ key[3]);
        x[c][n] = sum.rotate_right(5);
        let sum = (x[a][n] ^ key[0]).wrapping_add(x[b][n] ^ key[1]);
        x[b][n] = sum.rotate_left(9);
    }
}

/// Computes the inverse of [`round`].
#[inline(always)]
fn round_back<const I: usize, const N: usize>(x: &mut [[u32; N]; 4], key: &RoundKey) {
    let [a, b, c, d] = const { places(I) };
    for n in 0..N {
        let difference = x[b][n].rotate_right(9).wrapping_sub(x[a][n] ^ key[0]);
        x[b][n] = difference ^ key[1];
        let difference = x[c][n].rotate_left(5).wrapping_sub(x[b][n] ^ key[2]);
        x[c][n] = difference ^ key[3];
        let difference = x[d][n].rotate_left(3).wrapping_sub(x[c][n] ^ key[4]);
        x[d][n] = difference ^ key[5];
    }
}

impl<const KEY: usize> Lea<KEY> {
    /// [LEA](self): 24, 28 or 32 rounds.
    const ROUNDS: usize = {
        assert!(KEY == 16 || KEY == 24 || KEY == 32);
        16 + KEY / 2
    };

    /// The keys of the rounds, four rounds at a time.
    #[inline(always)]
    fn fours(&self) -> &[[RoundKey; 4]] {
        self.keys[..Self::ROUNDS].as_chunks().0
    }
}

impl<const KEY: usize> Lanes for Lea<KEY> {
    const LEAST: [usize; 2] = [4, 7];

    #[inline(always)]
    fn encrypt_lanes<const N: usize>(&self, blocks: [Block; N]) -> [Block; N] {
        let mut x = load(&blocks);
        for four in self.fours() {
            each!(I in 0 1 2 3 => round::<I, N>(&mut x, &four[I]));
        }
        store(&x)
    }

    #[inline(always)]
    fn decrypt_lanes<const N: usize>(&self, blocks: [Block; N]) -> [Block; N] {
        let mut x = load(&blocks);
        for four in self.fours().iter().rev() {
            each!(I in 3 2 1 0 => round_back::<I, N>(&mut x, &four[I]));
        }
        store(&x)
    }
}

lane_cipher!([const KEY: usize] Lea<KEY>, Block, wipes keys with [0; 6]);

impl<const KEY: usize> FixedKey for Lea<KEY> {
    type Key = [u8; KEY];
}

impl<const KEY: usize> Keyed for Lea<KEY> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(KEY);

    /// Sets up a key by the key schedule of [LEA](self): every round changes some words of the key,
    /// which become its round key. With four words of key, the second word stands in three places
    /// of the round key.
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        const ROTATIONS: [u32; 6] = [1, 3, 6, 11, 13, 17];
        Self::KEY_LENGTHS.check(key)?;
        let mut t = [0; 8];
        for (word, bytes) in t.iter_mut().zip(key.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        let words = KEY / 4;
        let each = words.min(6);
        let mut keys = [[0; 6]; 32];
        for (i, round) in keys[..Self::ROUNDS].iter_mut().enumerate() {
            for j in 0..each {
                let word = &mut t[(if words == 8 { each * i } else { 0 } + j) % words];
                let delta = DELTA[i % words].rotate_left((i + j) as u32 % 32);
                *word = word.wrapping_add(delta).rotate_left(ROTATIONS[j]);
                round[j] = *word;
            }
            if words == 4 {
                *round = [round[0], round[1], round[2], round[1], round[3], round[1]];
            }
        }
        wipe(&mut t, 0);
        Ok(Self { kernel, keys })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}
