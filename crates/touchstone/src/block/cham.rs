//! CHAM with blocks of 8 and of 16 bytes, South Korea's block cipher for small devices, as first
//! published in 2017 with 80 and 96 rounds. (The revision of 2019 has more rounds.) Words are
//! little-endian, as in the authors' program.
//!
//! **Outdated** with blocks of 8 bytes, as all ciphers with blocks of 64 bits: messages leak after
//! some gigabytes under one key ([SWEET32]).
//!
//! Constant-time: the cipher consists of additions, rotations and XORs.
//!
//! | kernel | needs | blocks of 8 or 16 bytes per call | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 64, 32 | two registers for each word |
//! | `avx2` | AVX2 | 32 | two or four registers for each word |
//! | `portable` | – | 8 | arrays of lanes, which compilers turn into vectors |
//!
//! - [CHAM] B. Koo, D. Roh, H. Kim, Y. Jung, D.-G. Lee, D. Kwon: CHAM: A Family of Lightweight
//!   Block Ciphers for Resource-Constrained Devices, ICISC 2017
//! - [SWEET32] K. Bhargavan, G. Leurent: On the Practical (In-)Security of 64-bit
//!   Block Ciphers, CCS 2016
//!
//! [CHAM]: https://doi.org/10.1007/978-3-319-78556-1_1
//! [SWEET32]: https://doi.org/10.1145/2976749.2978423

use crate::debug::debug;
use crate::machinery::each::each;
use crate::machinery::lanes::{Kernel, Lanes, lane_cipher, load, store};
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

macro_rules! ciphers {
    ($(
        $(#[$meta:meta])*
        $Cipher:ident, $Word:ty, [u8; $block:literal], keys of $least:literal to $most:literal;
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $Cipher {
            kernel: Kernel,
            /// The words of the key, and twice as many round keys, which repeat.
            words: usize,
            keys: [$Word; 2 * $most / ($block / 4)],
        }

        debug!([] $Cipher, stringify!($Cipher));

        impl $Cipher {
            /// Returns the number of rounds, [CHAM](self): 96 rounds with a key of 32 bytes, and 80
            /// with a shorter key.
            const fn rounds(&self) -> usize {
                if self.words * size_of::<$Word>() == 32 { 96 } else { 80 }
            }

            #[inline(always)]
            fn key(&self, round: usize) -> $Word {
                self.keys[round % (2 * self.words)]
            }

            /// Computes round `first` + `I` of [CHAM](self). The words stay in their places, and
            /// each round counts the words from another place.
            #[inline(always)]
            fn round<const I: usize, const N: usize>(
                &self,
                x: &mut [[$Word; N]; 4],
                first: usize,
            ) {
                let (i, key) = ((first + I) as $Word, self.key(first + I));
                let [left, right] = const { if I % 2 == 0 { [1, 8] } else { [8, 1] } };
                for n in 0..N {
                    let sum = x[(I + 1) % 4][n].rotate_left(left) ^ key;
                    x[I][n] = (x[I][n] ^ i).wrapping_add(sum).rotate_left(right);
                }
            }

            /// Computes the inverse of [`round`](Self::round).
            #[inline(always)]
            fn round_back<const I: usize, const N: usize>(
                &self,
                x: &mut [[$Word; N]; 4],
                first: usize,
            ) {
                let (i, key) = ((first + I) as $Word, self.key(first + I));
                let [left, right] = const { if I % 2 == 0 { [1, 8] } else { [8, 1] } };
                for n in 0..N {
                    let sum = x[(I + 1) % 4][n].rotate_left(left) ^ key;
                    x[I][n] = x[I][n].rotate_right(right).wrapping_sub(sum) ^ i;
                }
            }
        }

        impl Lanes for $Cipher {
            const LEAST: [usize; 2] = [3, 3];

            #[inline(always)]
            fn encrypt_lanes<const N: usize>(
                &self,
                blocks: [[u8; $block]; N],
            ) -> [[u8; $block]; N] {
                let mut x = load(&blocks);
                for first in (0..self.rounds()).step_by(4) {
                    each!(I in 0 1 2 3 => self.round::<I, N>(&mut x, first));
                }
                store(&x)
            }

            #[inline(always)]
            fn decrypt_lanes<const N: usize>(
                &self,
                blocks: [[u8; $block]; N],
            ) -> [[u8; $block]; N] {
                let mut x = load(&blocks);
                for first in (0..self.rounds()).step_by(4).rev() {
                    each!(I in 3 2 1 0 => self.round_back::<I, N>(&mut x, first));
                }
                store(&x)
            }
        }

        lane_cipher!([] $Cipher, [u8; $block], wipes keys with 0);

        impl Keyed for $Cipher {
            type Kernel = Kernel;
            const KEY_LENGTHS: KeyLengths =
                KeyLengths::every(16, $least, $most);

            /// Sets up a key, [CHAM](self): each word of the key gives two round keys.
            fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
                Self::KEY_LENGTHS.check(key)?;
                let (chunks, _) = key.as_chunks();
                let words = chunks.len();
                let mut keys = [0; 2 * $most / ($block / 4)];
                for (i, bytes) in chunks.iter().enumerate() {
                    let word = <$Word>::from_le_bytes(*bytes);
                    let sum = word ^ word.rotate_left(1);
                    keys[i] = sum ^ word.rotate_left(8);
                    keys[(i + words) ^ 1] = sum ^ word.rotate_left(11);
                }
                Ok(Self {
                    kernel,
                    words,
                    keys,
                })
            }

            fn kernel_in_use(&self) -> Kernel {
                self.kernel
            }
        }
    )*};
}

ciphers! {
    /// CHAM with blocks of 8 bytes, and keys of 16.
    Cham64, u16, [u8; 8], keys of 16 to 16;
    /// CHAM with blocks of 16 bytes, and keys of 16 or 32.
    Cham128, u32, [u8; 16], keys of 16 to 32;
}

impl FixedKey for Cham64 {
    type Key = [u8; 16];
}
