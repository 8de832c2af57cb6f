//! Simon with blocks of 8 and of 16 bytes, a block cipher of the NSA for small devices. Words are
//! little-endian and the lower word of a block or a key comes first, as in the NSA's [GUIDE].
//!
//! **Outdated** with blocks of 8 bytes, as all ciphers with blocks of 64 bits: messages leak after
//! some gigabytes under one key ([SWEET32]).
//!
//! Constant-time: the cipher consists of rotations, ANDs and XORs.
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
use crate::{InvalidKeyLength, KeyLengths, Keyed};

/// The sequences z₂, z₃ and z₄ of [SIMON](self), which repeat after 62 bits. The first bit is the
/// lowest.
const Z: [u64; 3] = [
    0x3369_f885_192c_0ef5,
    0x3c2c_e512_07a6_35db,
    0x3dc9_4c3a_046d_678b,
];

macro_rules! ciphers {
    ($(
        $(#[$meta:meta])*
        $Cipher:ident, $Word:ty, [u8; $block:literal], keys of $least:literal to $most:literal,
        ($($words:literal words: $count:literal rounds and sequence $z:literal),*),
        at most $rounds:literal;
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

        impl $Cipher {
            /// XORs the round function of one half, and a round key, to the other half.
            #[inline(always)]
            fn round<const N: usize>(to: &mut [$Word; N], from: &[$Word; N], key: $Word) {
                for n in 0..N {
                    let x = from[n];
                    to[n] ^= x.rotate_left(1) & x.rotate_left(8) ^ x.rotate_left(2) ^ key;
                }
            }
        }

        impl Lanes for $Cipher {
            const LEAST: [usize; 2] = if size_of::<$Word>() == 4 { [4, 7] } else { [5, 12] };

            /// Encrypts blocks by the rounds of [SIMON](self).
            #[inline(always)]
            fn encrypt_lanes<const N: usize>(
                &self,
                blocks: [[u8; $block]; N],
            ) -> [[u8; $block]; N] {
                let [mut y, mut x] = load::<_, $Word, 2, N>(&blocks);
                let (pairs, last) = self.keys[..self.rounds].as_chunks();
                for [first, second] in pairs {
                    Self::round(&mut y, &x, *first);
                    Self::round(&mut x, &y, *second);
                }
                if let [key] = last {
                    Self::round(&mut y, &x, *key);
                    core::mem::swap(&mut x, &mut y);
                }
                store(&[y, x])
            }

            #[inline(always)]
            fn decrypt_lanes<const N: usize>(
                &self,
                blocks: [[u8; $block]; N],
            ) -> [[u8; $block]; N] {
                let [mut y, mut x] = load::<_, $Word, 2, N>(&blocks);
                let (pairs, last) = self.keys[..self.rounds].as_chunks();
                if let [key] = last {
                    core::mem::swap(&mut x, &mut y);
                    Self::round(&mut y, &x, *key);
                }
                for [first, second] in pairs.iter().rev() {
                    Self::round(&mut x, &y, *second);
                    Self::round(&mut y, &x, *first);
                }
                store(&[y, x])
            }
        }

        lane_cipher!([] $Cipher, [u8; $block], wipes keys with 0);

        impl Keyed for $Cipher {
            type Kernel = Kernel;
            const KEY_LENGTHS: KeyLengths = KeyLengths::every($block / 2, $least, $most);

            /// Sets up a key, [SIMON](self): a round key is computed from the keys before it, as
            /// many as the key has words, and a bit of the sequence.
            fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
                Self::KEY_LENGTHS.check(key)?;
                let (chunks, _) = key.as_chunks();
                let words = chunks.len();
                let (rounds, z): (_, u64) = match words {
                    $($words => ($count, Z[$z - 2]),)*
                    _ => unreachable!("the length was checked"),
                };
                let mut keys = [0; $rounds];
                for (word, bytes) in keys.iter_mut().zip(chunks) {
                    *word = <$Word>::from_le_bytes(*bytes);
                }
                for i in words..rounds {
                    let mut sum = keys[i - 1].rotate_right(3);
                    if words == 4 {
                        sum ^= keys[i - 3];
                    }
                    sum ^= sum.rotate_right(1);
                    let bit = (z >> ((i - words) % 62) & 1) as $Word;
                    keys[i] = !3 ^ bit ^ keys[i - words] ^ sum;
                }
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
    /// Simon with blocks of 8 bytes, and keys of 12 or 16.
    Simon64, u32, [u8; 8], keys of 12 to 16,
    (3 words: 42 rounds and sequence 2, 4 words: 44 rounds and sequence 3),
    at most 44;
    /// Simon with blocks of 16 bytes, and keys of 16, 24 or 32.
    Simon128, u64, [u8; 16], keys of 16 to 32,
    (
        2 words: 68 rounds and sequence 2,
        3 words: 69 rounds and sequence 3,
        4 words: 72 rounds and sequence 4
    ),
    at most 72;
}
