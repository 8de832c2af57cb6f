//! SipHash and HalfSipHash: short MACs for short messages, by J.-P. Aumasson and
//! D. Bernstein.
//!
//! | type | key | MAC in bytes | source |
//! |---|---|---|---|
//! | [`SipHash24`] | 16 | 8 | [SIPHASH] |
//! | [`SipHash24Long`] | 16 | 16 | the authors' code, 2014 |
//! | [`HalfSipHash24`], [`HalfSipHash24Long`] | 8 | 4, 8 | the authors' code, 2016 |
//!
//! [`SipHash`] and [`HalfSipHash`] accept any numbers of rounds: SipHash-1-3 is `SipHash<1, 3,
//! 8>`. HalfSipHash is for 32-bit machines. A search can find the key of HalfSipHash, so
//! HalfSipHash is safe only in hash tables. Both MACs are constant-time. The only kernel is
//! portable.
//!
//! - [SIPHASH] J.-P. Aumasson, D. Bernstein: SipHash: a fast short-input PRF,
//!   INDOCRYPT 2012
//!
//! [SIPHASH]: https://eprint.iacr.org/2012/351

use core::fmt;

use zeroize::ZeroizeOnDrop;

use super::Mac;
use super::pieces::Pieces;
use crate::kernel::kernels;
use crate::machinery::tail::few;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, Kernel as _, KeyLengths, Keyed, Tag};

kernels! {
    /// The kernels: implementations of SipHash.
    enum Kernel {}
}

/// SipHash-2-4 with a MAC of 8 bytes, the usual form.
pub type SipHash24 = SipHash<2, 4, 8>;
/// SipHash-2-4 with a MAC of 16 bytes.
pub type SipHash24Long = SipHash<2, 4, 16>;
/// HalfSipHash-2-4 with a MAC of 4 bytes.
pub type HalfSipHash24 = HalfSipHash<2, 4, 4>;
/// HalfSipHash-2-4 with a MAC of 8 bytes.
pub type HalfSipHash24Long = HalfSipHash<2, 4, 8>;

/// Writes one of the two MACs from its word type, its initial state and the rotations of a
/// round.
macro_rules! siphash {
    (
        $(#[$meta:meta])* $Name:ident($name:literal), $Word:ident of $word:literal bytes,
        $start:expr, rotations $rotations:expr, flags of a short MAC $flag:literal,
        results are $result:expr
    ) => {
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $Name<const C: usize, const D: usize, const N: usize> {
            /// The state after the key.
            start: [$Word; 4],
            v: [$Word; 4],
            /// The length of the message so far, modulo 256. The last block contains this
            /// length.
            length: u8,
            pieces: Pieces<$word>,
        }

        impl<const C: usize, const D: usize, const N: usize> $Name<C, D, N> {
            /// Whether the MAC has two words. If this is false, the MAC has one word.
            const LONG: bool = N == 2 * $word;

            /// Sets a key up.
            pub fn new(key: &[u8; 2 * $word]) -> Self {
                const { assert!(N == $word || N == 2 * $word) };
                let (words, _) = key.as_chunks();
                let k = [$Word::from_le_bytes(words[0]), $Word::from_le_bytes(words[1])];
                let mut v = $start;
                for i in 0..4 {
                    v[i] ^= k[i % 2];
                }
                if Self::LONG {
                    v[1] ^= 0xee;
                }
                Self { start: v, v, length: 0, pieces: Pieces::new() }
            }

            #[inline(always)]
            fn rounds(v: &mut [$Word; 4], number: usize) {
                const R: [u32; 6] = $rotations;
                for _ in 0..number {
                    v[0] = v[0].wrapping_add(v[1]);
                    v[2] = v[2].wrapping_add(v[3]);
                    v[1] = v[1].rotate_left(R[0]) ^ v[0];
                    v[3] = v[3].rotate_left(R[1]) ^ v[2];
                    v[0] = v[0].rotate_left(R[4]);
                    v[2] = v[2].wrapping_add(v[1]);
                    v[0] = v[0].wrapping_add(v[3]);
                    v[1] = v[1].rotate_left(R[2]) ^ v[2];
                    v[3] = v[3].rotate_left(R[3]) ^ v[0];
                    v[2] = v[2].rotate_left(R[5]);
                }
            }

            #[inline(always)]
            fn absorb(v: &mut [$Word; 4], word: $Word) {
                v[3] ^= word;
                Self::rounds(v, C);
                v[0] ^= word;
            }

            /// The bytes of a message after its whole blocks, as a number. They come from the last
            /// bytes of the message as long as a block: a copy of so few bytes is a call.
            #[inline(always)]
            fn rest(message: &[u8]) -> $Word {
                let held = message.len() % $word;
                if let Some(end) = message.last_chunk() {
                    let unused = 8 * ($word - held) as u32;
                    return $Word::from_le_bytes(*end).checked_shr(unused).unwrap_or(0);
                }
                few(message) as $Word
            }

            /// Ends the message and returns its MAC. The last block consists of the remaining
            /// bytes and the length.
            #[inline(always)]
            fn end(mut v: [$Word; 4], rest: $Word, length: u8) -> Tag<N> {
                let last = rest | $Word::from(length) << (8 * ($word - 1));
                Self::absorb(&mut v, last);
                v[2] ^= if Self::LONG { 0xee } else { $flag };
                let result: fn(&[$Word; 4]) -> $Word = $result;
                let mut mac = [0; N];
                for (i, word) in mac.as_chunks_mut::<$word>().0.iter_mut().enumerate() {
                    if i == 1 {
                        v[1] ^= 0xdd;
                    }
                    Self::rounds(&mut v, D);
                    *word = result(&v).to_le_bytes();
                }
                mac.into()
            }
        }

        impl<const C: usize, const D: usize, const N: usize> FixedKey for $Name<C, D, N> {
            type Key = [u8; 2 * $word];
        }

        impl<const C: usize, const D: usize, const N: usize> Keyed for $Name<C, D, N> {
            type Kernel = Kernel;
            const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(2 * $word);

            fn with_kernel(_: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
                Self::KEY_LENGTHS.array(key).map(Self::new)
            }

            fn kernel_in_use(&self) -> Kernel {
                Kernel::best()
            }
        }

        impl<const C: usize, const D: usize, const N: usize> Mac for $Name<C, D, N> {
            type Output = Tag<N>;

            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.length = self.length.wrapping_add(data.len() as u8);
                let v = &mut self.v;
                self.pieces.update(data, |blocks| {
                    for block in blocks {
                        Self::absorb(v, $Word::from_le_bytes(*block));
                    }
                });
            }

            #[inline]
            fn finalize(&mut self) -> Tag<N> {
                let (rest, _) = self.pieces.padded();
                let mac = Self::end(self.v, $Word::from_le_bytes(rest), self.length);
                self.reset();
                mac
            }

            #[inline]
            fn reset(&mut self) {
                self.v = self.start;
                self.length = 0;
                self.pieces = Pieces::new();
            }

            #[inline(always)]
            fn mac(&self, message: &[u8]) -> Tag<N> {
                let mut v = self.start;
                for block in message.as_chunks().0 {
                    Self::absorb(&mut v, $Word::from_le_bytes(*block));
                }
                Self::end(v, Self::rest(message), message.len() as u8)
            }
        }

        /// Prints only the name, because the state contains the key.
        impl<const C: usize, const D: usize, const N: usize> fmt::Debug for $Name<C, D, N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct($name).finish_non_exhaustive()
            }
        }

        impl<const C: usize, const D: usize, const N: usize> Drop for $Name<C, D, N> {
            fn drop(&mut self) {
                wipe(&mut self.start, 0);
                wipe(&mut self.v, 0);
            }
        }

        impl<const C: usize, const D: usize, const N: usize> ZeroizeOnDrop for $Name<C, D, N> {}
    };
}

siphash!(
    /// SipHash with `C` rounds for each block of 8 bytes, `D` rounds at the end of the message,
    /// and a MAC of `N` bytes, 8 or 16.
    SipHash("SipHash"), u64 of 8 bytes,
    // The text "somepseudorandomlygeneratedbytes", [SIPHASH] §2.1.
    [0x736f_6d65_7073_6575, 0x646f_7261_6e64_6f6d, 0x6c79_6765_6e65_7261, 0x7465_6462_7974_6573],
    rotations [13, 16, 17, 21, 32, 32], flags of a short MAC 0xff,
    results are |v| v[0] ^ v[1] ^ v[2] ^ v[3]
);

siphash!(
    /// HalfSipHash with `C` rounds for each block of 4 bytes, `D` rounds at the end of the
    /// message, and a MAC of `N` bytes, 4 or 8. **Insecure**: the key has only 64 bits.
    HalfSipHash("HalfSipHash"), u32 of 4 bytes,
    [0, 0, 0x6c79_6765, 0x7465_6462],
    rotations [5, 8, 13, 7, 16, 16], flags of a short MAC 0xff,
    results are |v| v[1] ^ v[3]
);
