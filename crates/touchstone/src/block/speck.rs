//! Speck with blocks of 8 and of 16 bytes, a block cipher of the NSA for small devices. Words are
//! little-endian and the lower word of a block or a key comes first, as in the NSA's [GUIDE].
//!
//! **Outdated** with blocks of 8 bytes, as all ciphers with blocks of 64 bits: messages leak after
//! some gigabytes under one key ([SWEET32]).
//!
//! Constant-time: the cipher consists of additions, rotations and XORs.
//!
//! | kernel | needs | blocks of 8 or 16 bytes per call | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 64, 32 | four registers for each word |
//! | `avx2` | AVX2 | 32 | four or eight registers for each word |
//! | `portable` | – | 8 | arrays of lanes, which compilers turn into vectors |
//!
//! - [SIMON] R. Beaulieu, D. Shors, J. Smith, S. Treatman-Clark, B. Weeks, L. Wingers: The Simon
//!   and Speck Families of Lightweight Block Ciphers, ePrint 2013/404
//! - [GUIDE] the same: Simon and Speck Implementation Guide, 2019
//! - [SWEET32] K. Bhargavan, G. Leurent: On the Practical (In-)Security of 64-bit
//!   Block Ciphers, CCS 2016
//!
//! [SIMON]: https://eprint.iacr.org/2013/404
//! [GUIDE]: https://nsacyber.github.io/simon-speck/implementations/ImplementationGuide1.1.pdf
//! [SWEET32]: https://doi.org/10.1145/2976749.2978423

use crate::debug::debug;
use crate::machinery::lanes::{Kernel, Lanes, lane_cipher, load, store};
use crate::wipe::wipe;
use crate::{InvalidKeyLength, KeyLengths, Keyed};

macro_rules! ciphers {
    ($(
        $(#[$meta:meta])*
        $Cipher:ident, $Word:ty, [u8; $block:literal], keys of $least:literal to $most:literal,
        rounds: $first:literal and a round for each word of the key, at most $rounds:literal;
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $Cipher {
            kernel: Kernel,
            /// The number of rounds, and their keys.
            rounds: usize,
            keys: [$Word; $rounds],
        }

        debug!([] $Cipher, stringify!($Cipher));

        impl Lanes for $Cipher {
            const LEAST: [usize; 2] = if size_of::<$Word>() == 4 { [5, 7] } else { [7, 13] };

            /// Encrypts blocks by the rounds of [SIMON](self).
            #[inline(always)]
            fn encrypt_lanes<const N: usize>(
                &self,
                blocks: [[u8; $block]; N],
            ) -> [[u8; $block]; N] {
                let [mut y, mut x] = load::<_, $Word, 2, N>(&blocks);
                for key in &self.keys[..self.rounds] {
                    for n in 0..N {
                        x[n] = x[n].rotate_right(8).wrapping_add(y[n]) ^ key;
                        y[n] = y[n].rotate_left(3) ^ x[n];
                    }
                }
                store(&[y, x])
            }

            #[inline(always)]
            fn decrypt_lanes<const N: usize>(
                &self,
                blocks: [[u8; $block]; N],
            ) -> [[u8; $block]; N] {
                let [mut y, mut x] = load::<_, $Word, 2, N>(&blocks);
                for key in self.keys[..self.rounds].iter().rev() {
                    for n in 0..N {
                        y[n] = (y[n] ^ x[n]).rotate_right(3);
                        x[n] = (x[n] ^ key).wrapping_sub(y[n]).rotate_left(8);
                    }
                }
                store(&[y, x])
            }
        }

        lane_cipher!([] $Cipher, [u8; $block], wipes keys with 0);

        impl Keyed for $Cipher {
            type Kernel = Kernel;
            const KEY_LENGTHS: KeyLengths = KeyLengths::every($block / 2, $least, $most);

            /// Sets up a key, [SIMON](self): the cipher's round, with the number of the round as
            /// its key, makes each round key from the one before and a word of the key.
            fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
                Self::KEY_LENGTHS.check(key)?;
                let (chunks, _) = key.as_chunks();
                let mut words = [0; $most / ($block / 2)];
                for (word, bytes) in words.iter_mut().zip(chunks) {
                    *word = <$Word>::from_le_bytes(*bytes);
                }
                let rounds = $first + chunks.len();
                let mut keys = [0; $rounds];
                let (last, others) = words[..chunks.len()].split_at_mut(1);
                let last = &mut last[0];
                for (i, key) in keys[..rounds].iter_mut().enumerate() {
                    *key = *last;
                    let other = &mut others[i % (chunks.len() - 1)];
                    *other = other.rotate_right(8).wrapping_add(*last) ^ i as $Word;
                    *last = last.rotate_left(3) ^ *other;
                }
                wipe(&mut words, 0);
                Ok(Self {
                    kernel,
                    rounds,
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
    /// Speck with blocks of 8 bytes, and keys of 12 or 16.
    Speck64, u32, [u8; 8], keys of 12 to 16,
    rounds: 23 and a round for each word of the key, at most 27;
    /// Speck with blocks of 16 bytes, and keys of 16, 24 or 32.
    Speck128, u64, [u8; 16], keys of 16 to 32,
    rounds: 30 and a round for each word of the key, at most 34;
}
