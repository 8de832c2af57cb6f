//! HIGHT, South Korea's block cipher for small devices, ISO/IEC 18033-3: blocks of 8 bytes, keys of
//! 16. **Outdated**, as all ciphers with blocks of 64 bits: messages leak after some gigabytes
//! under one key ([SWEET32]).
//!
//! Constant-time: the cipher consists of additions, rotations and XORs of bytes.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 64 | a register for each byte of a block |
//! | `avx2` | AVX2 | 32 | a register for each byte of a block |
//! | `portable` | – | 8 | arrays of 8-bit lanes, which compilers turn into vectors |
//!
//! The paper numbers bytes from the right. Here, as in KISA's program, byte 0 of the paper is the
//! first byte of a block and of a key.
//!
//! - [HIGHT] D. Hong and others: HIGHT: A New Block Cipher Suitable for Low-Resource Device, CHES
//!   2006
//! - [SWEET32] K. Bhargavan, G. Leurent: On the Practical (In-)Security of 64-bit
//!   Block Ciphers, CCS 2016
//!
//! [HIGHT]: https://doi.org/10.1007/11894063_4
//! [SWEET32]: https://doi.org/10.1145/2976749.2978423

use crate::debug::debug;
use crate::machinery::each::each;
use crate::machinery::lanes::{Kernel, Lanes, lane_cipher, load, store};
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

/// HIGHT, with a key of 16 bytes.
#[derive(Clone)]
pub struct Hight {
    kernel: Kernel,
    /// The keys that change the even bytes before the rounds, and after them.
    whitening: [[u8; 4]; 2],
    rounds: [RoundKey; 32],
}

debug!([] Hight, "Hight");

type Block = [u8; 8];
type RoundKey = [u8; 4];

/// [HIGHT](self): the constants δ, which a linear register of seven bits generates.
const DELTA: [u8; 128] = {
    let mut constants = [0x5a; 128];
    let mut i = 1;
    while i < 128 {
        let last = constants[i - 1];
        let bit = (last >> 3 ^ last) & 1;
        constants[i] = last >> 1 | bit << 6;
        i += 1;
    }
    constants
};

/// Computes the function F₀ of [HIGHT](self).
#[inline(always)]
fn f0(x: u8) -> u8 {
    x.rotate_left(1) ^ x.rotate_left(2) ^ x.rotate_left(7)
}

/// Computes the function F₁ of [HIGHT](self).
#[inline(always)]
fn f1(x: u8) -> u8 {
    x.rotate_left(3) ^ x.rotate_left(4) ^ x.rotate_left(6)
}

/// Returns the place of byte `j` in round `i`. The bytes stay in their places, and each round
/// counts the bytes from another place.
const fn place(i: usize, j: usize) -> usize {
    (8 + j - i % 8) % 8
}

/// Computes a round of [HIGHT](self): each even byte changes the byte after it.
#[inline(always)]
fn round<const I: usize, const N: usize>(x: &mut [[u8; N]; 8], key: RoundKey) {
    each!(J in 0 2 => {
        let from = const { [place(I, 2 * J), place(I, 2 * J + 2)] };
        let to = const { [place(I, 2 * J + 1), place(I, 2 * J + 3)] };
        for n in 0..N {
            x[to[0]][n] = x[to[0]][n].wrapping_add(f1(x[from[0]][n]) ^ key[J]);
        }
        for n in 0..N {
            x[to[1]][n] ^= f0(x[from[1]][n]).wrapping_add(key[J + 1]);
        }
    });
}

/// Computes the inverse of [`round`].
#[inline(always)]
fn round_back<const I: usize, const N: usize>(x: &mut [[u8; N]; 8], key: RoundKey) {
    each!(J in 0 2 => {
        let from = const { [place(I, 2 * J), place(I, 2 * J + 2)] };
        let to = const { [place(I, 2 * J + 1), place(I, 2 * J + 3)] };
        for n in 0..N {
            x[to[0]][n] = x[to[0]][n].wrapping_sub(f1(x[from[0]][n]) ^ key[J]);
        }
        for n in 0..N {
            x[to[1]][n] ^= f0(x[from[1]][n]).wrapping_add(key[J + 1]);
        }
    });
}

/// Adds two bytes of `key` to the bytes 0 and 4, and XORs two bytes to the bytes 2 and 6. The bytes
/// are counted from `first`. With `back`, subtracts and does not add.
#[inline(always)]
fn whiten<const N: usize>(x: &mut [[u8; N]; 8], first: usize, key: &[u8; 4], back: bool) {
    for (i, key) in key.iter().enumerate() {
        for byte in &mut x[(first + 2 * i) % 8] {
            *byte = match (i % 2, back) {
                (0, false) => byte.wrapping_add(*key),
                (0, true) => byte.wrapping_sub(*key),
                _ => *byte ^ key,
            };
        }
    }
}

impl Lanes for Hight {
    const LEAST: [usize; 2] = [2, 4];

    #[inline(always)]
    fn encrypt_lanes<const N: usize>(&self, blocks: [Block; N]) -> [Block; N] {
        let mut x = load(&blocks);
        whiten(&mut x, 0, &self.whitening[0], false);
        for keys in self.rounds.as_chunks::<8>().0 {
            each!(I in 0 1 2 3 4 5 6 7 => round::<I, N>(&mut x, keys[I]));
        }
        // The last round does not move the bytes, so they are counted from byte 1.
        whiten(&mut x, 1, &self.whitening[1], false);
        x.rotate_left(1);
        store(&x)
    }

    #[inline(always)]
    fn decrypt_lanes<const N: usize>(&self, blocks: [Block; N]) -> [Block; N] {
        let mut x = load(&blocks);
        x.rotate_right(1);
        whiten(&mut x, 1, &self.whitening[1], true);
        for keys in self.rounds.as_chunks::<8>().0.iter().rev() {
            each!(I in 7 6 5 4 3 2 1 0 => round_back::<I, N>(&mut x, keys[I]));
        }
        whiten(&mut x, 0, &self.whitening[0], true);
        store(&x)
    }
}

lane_cipher!([] Hight, Block, wipes whitening with [0; 4], rounds with [0; 4]);

impl FixedKey for Hight {
    type Key = [u8; 16];
}

impl Keyed for Hight {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    /// Sets up a key by the key schedule of [HIGHT](self): the subkeys are the bytes of the key,
    /// each half rotated, plus the constants.
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let key: &[u8; 16] = Self::KEY_LENGTHS.array(key)?;
        let mut rounds = [[0; 4]; 32];
        for (i, subkey) in rounds.as_flattened_mut().iter_mut().enumerate() {
            let (turn, half, j) = (i / 16, i / 8 % 2, i % 8);
            *subkey = key[8 * half + (8 + j - turn) % 8].wrapping_add(DELTA[i]);
        }
        let whitening = [
            [key[12], key[13], key[14], key[15]],
            [key[0], key[1], key[2], key[3]],
        ];
        Ok(Self {
            kernel,
            whitening,
            rounds,
        })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}
