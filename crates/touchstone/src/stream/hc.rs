//! HC-128 and HC-256: stream ciphers by H. Wu. HC-128 is one of eSTREAM's portfolio.
//!
//! | type | key and nonce in bytes | tables | source |
//! |---|---|---|---|
//! | [`Hc128`] | 16 and 16 | two of 512 words | [HC128] |
//! | [`Hc256`] | 32 and 32 | two of 1024 words | [HC256] |
//!
//! Each nonce needs a new set-up of the tables, which takes thousands of steps. **Not
//! constant-time**: the state is tables that change, and secrets choose the entries that
//! are read. The kernels differ in the set-up alone, because each step writes entries that the
//! next steps read.
//!
//! | kernel | needs | technique |
//! |---|---|---|
//! | `sha-ni` | SHA-NI | the set-up's words by SHA-256's instructions |
//! | `portable` | – | |
//!
//! - [HC128] H. Wu: The stream cipher HC-128, eSTREAM, 2008
//! - [HC256] H. Wu: A new stream cipher HC-256, FSE 2004
//!
//! [HC128]: https://www.ecrypt.eu.org/stream/p3ciphers/hc/hc128_p3.pdf
//! [HC256]: https://www.ecrypt.eu.org/stream/p3ciphers/hc/hc256_p3.pdf

#[cfg(target_arch = "x86_64")]
mod shani;

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::keystream::{Keystream, Source, set_words};
use super::{StreamKey, keystream_type};
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::kernel::kernels;
use crate::machinery::each::each;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, InvalidNonceLength, Kernel as _, KeyLengths, Keyed};

kernels! {
    /// The kernels that compute HC-128 and HC-256.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "sha-ni" = ShaNi(cpu::Sha),
    }
}

/// Length of a block of the keystream in bytes: sixteen steps of HC-128, and one of HC-256.
const BLOCK_128: usize = 64;
const BLOCK_256: usize = 4;

/// The functions f₁ and f₂ of [HC128] §2.1 and [HC256] §2.1, which SHA-256 uses too.
fn f1(x: u32) -> u32 {
    x.rotate_right(7) ^ x.rotate_right(18) ^ x >> 3
}

fn f2(x: u32) -> u32 {
    x.rotate_right(17) ^ x.rotate_right(19) ^ x >> 10
}

/// A key of HC-128.
#[derive(Clone)]
pub struct Hc128 {
    key: [u8; 16],
    kernel: Kernel,
}

debug!([] Hc128, "Hc128");

/// A key of HC-256.
#[derive(Clone)]
pub struct Hc256 {
    key: [u8; 32],
    kernel: Kernel,
}

debug!([] Hc256, "Hc256");

/// The keystream of one nonce of HC-128.
#[derive(Clone)]
pub struct Hc128Stream(Keystream<Tables<512>, [u8; BLOCK_128]>);

/// The keystream of one nonce of HC-256.
#[derive(Clone)]
pub struct Hc256Stream(Keystream<Tables<1024>, [u8; BLOCK_256]>);

/// The two tables P and Q of `N` words each.
#[derive(Clone)]
struct Tables<const N: usize> {
    tables: [[u32; N]; 2],
    /// The number of the next step, modulo 2N. Each table is used for N steps.
    step: usize,
}

impl Hc128Stream {
    /// The initialization, [HC128] §2.2.
    fn begin(&mut self, key: &Hc128, nonce: &[u8; 16]) {
        let mut words = [0; 16];
        for (words, part) in words.chunks_mut(4).zip([&key.key, &key.key, nonce, nonce]) {
            set_words(words, part);
        }
        self.0.restart();
        let state = &mut self.0.source;
        state.fill(key.kernel, &mut words);
        for _ in 0..1024 / 16 {
            state.steps_128::<true>();
        }
    }
}

impl Hc256Stream {
    /// The initialization, [HC256] §2.2.
    fn begin(&mut self, key: &Hc256, nonce: &[u8; 32]) {
        let mut words = [0; 16];
        set_words(&mut words[..8], &key.key);
        set_words(&mut words[8..], nonce);
        self.0.restart();
        let state = &mut self.0.source;
        state.fill(key.kernel, &mut words);
        for _ in 0..4096 {
            state.step_256();
        }
    }
}

impl<const N: usize> Tables<N> {
    const EMPTY: Self = Self {
        tables: [[0; N]; 2],
        step: 0,
    };

    /// Fills the tables with the last 2N of 2.5 N words. `words` are the first 16 words, key and nonce, and
    /// are wiped.
    fn fill(&mut self, kernel: Kernel, words: &mut [u32; 16]) {
        self.step = 0;
        let (groups, _) = self.tables.as_flattened_mut().as_chunks_mut::<16>();
        let skipped = N / 2 / 16;
        kernel.lengthen(words, &mut groups[..skipped - 1], 1);
        words.copy_from_slice(&groups[skipped - 2]);
        kernel.lengthen(words, groups, skipped);
        wipe(words, 0);
    }
}

impl Kernel {
    #[inline(always)]
    fn lengthen(self, before: &[u32; 16], groups: &mut [[u32; 16]], number: usize) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::ShaNi(token) => shani::lengthen(token, before, groups, number),
            Self::Portable => lengthen(before, groups, number),
        }
    }
}

/// Returns the word that stands `back` places before word `i` of a group.
#[inline(always)]
fn back_from(i: usize, back: usize, group: &[u32; 16], before: &[u32; 16]) -> u32 {
    match i.checked_sub(back) {
        Some(place) => group[place],
        None => before[16 + i - back],
    }
}

/// Computes the words W after the words `before` ([HC128] §2.2, [HC256] §2.2). `number` is the number of the
/// first group of 16 words. Each word is stored where it stays: a copy by wide loads would wait until the
/// words are in the cache.
fn lengthen(before: &[u32; 16], groups: &mut [[u32; 16]], number: usize) {
    let mut before = before;
    for (i, group) in groups.iter_mut().enumerate() {
        each!(I < 16 => {
            let at = |back| back_from(I, back, group, before);
            group[I] = f2(at(2))
                .wrapping_add(at(7).wrapping_add(f1(at(15))))
                .wrapping_add(before[I].wrapping_add((16 * (number + i) + I) as u32));
        });
        before = group;
    }
}

impl Tables<512> {
    /// Sixteen steps, [HC128] §2.3. During set-up, the keystream replaces the words of the tables,
    /// [HC128] §2.2.
    #[inline(always)]
    fn steps_128<const SET_UP: bool>(&mut self) -> [u32; 16] {
        let (group, second) = (self.step / 16 % 32, self.step >= 512);
        self.step = (self.step + 16) % 1024;
        let [p, q] = &mut self.tables;
        if second {
            sixteen_128::<true, SET_UP>(q, p, group)
        } else {
            sixteen_128::<false, SET_UP>(p, q, group)
        }
    }
}

/// The sixteen steps of [`Tables::steps_128`] that change a group of words of `table`, which is the
/// `SECOND` table or the first. The words that the steps change have constant indices.
fn sixteen_128<const SECOND: bool, const SET_UP: bool>(
    table: &mut [u32; 512],
    other: &[u32; 512],
    group: usize,
) -> [u32; 16] {
    let (groups, _) = table.as_chunks_mut::<16>();
    let groups: &mut [[u32; 16]; 32] = match groups.try_into() {
        Ok(groups) => groups,
        Err(_) => unreachable!(),
    };
    let (before, group, after) = ((group + 31) % 32, group % 32, (group + 1) % 32);
    let mut keystream = [0; 16];
    // Each word is loaded where it was stored. A wide load of words that were just stored one by one
    // would wait until all of them are in the cache.
    each!(I < 16 => {
        let at = |back| back_from(I, back, &groups[group], &groups[before]);
        let (x, y, w) = (at(3), at(10), at(12));
        let z = *groups[group].get(I + 1).unwrap_or(&groups[after][0]);
        let g = if SECOND {
            (x.rotate_left(10) ^ z.rotate_left(23)).wrapping_add(y.rotate_left(8))
        } else {
            (x.rotate_right(10) ^ z.rotate_right(23)).wrapping_add(y.rotate_right(8))
        };
        let [a, _, b, _] = w.to_le_bytes();
        let h = other[usize::from(a)].wrapping_add(other[256 + usize::from(b)]);
        let word = groups[group][I].wrapping_add(g);
        keystream[I] = h ^ word;
        groups[group][I] = if SET_UP { keystream[I] } else { word };
    });
    keystream
}

impl Tables<1024> {
    /// One step, [HC256] §2.3.
    #[inline(always)]
    fn step_256(&mut self) -> u32 {
        let j = self.step % 1024;
        let [p, q] = &mut self.tables;
        let (table, other) = if self.step < 1024 { (p, q) } else { (q, p) };
        self.step = (self.step + 1) % 2048;
        let before = |n: usize| (j + 1024 - n) % 1024;
        let (x, y) = (table[before(3)], table[before(1023)]);
        let g =
            (x.rotate_right(10) ^ y.rotate_right(23)).wrapping_add(other[(x ^ y) as usize % 1024]);
        table[j] = table[j].wrapping_add(table[before(10)]).wrapping_add(g);
        let mut h = 0u32;
        for (quarter, byte) in table[before(12)].to_le_bytes().into_iter().enumerate() {
            h = h.wrapping_add(other[256 * quarter + usize::from(byte)]);
        }
        h ^ table[j]
    }
}

macro_rules! cipher {
    ($Key:ident, $Stream:ident, $length:literal, $name:literal) => {
        impl $Key {
            /// Sets a key up.
            pub fn new(key: &[u8; $length]) -> Self {
                Self {
                    key: *key,
                    kernel: Kernel::best(),
                }
            }

            /// The keystream for a nonce.
            pub fn stream(&self, nonce: &[u8; $length]) -> $Stream {
                let mut stream = $Stream::EMPTY;
                stream.begin(self, nonce);
                stream
            }
        }

        impl $Stream {
            const EMPTY: Self = Self(Keystream::new(Tables::EMPTY));
        }

        impl FixedKey for $Key {
            type Key = [u8; $length];
        }

        impl Keyed for $Key {
            type Kernel = Kernel;
            const KEY_LENGTHS: KeyLengths = KeyLengths::exactly($length);

            fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
                Self::KEY_LENGTHS.array(key).map(|key| Self { key: *key, kernel })
            }

            fn kernel_in_use(&self) -> Kernel {
                self.kernel
            }
        }

        impl StreamKey for $Key {
            type Stream = $Stream;
            type Nonce = [u8; $length];
            const IN_PLACE: bool = true;

            #[inline]
            fn stream(&self, nonce: &Self::Nonce) -> Self::Stream {
                self.stream(nonce)
            }

            #[inline]
            fn apply_message_in(
                &self,
                kept: &mut Option<$Stream>,
                nonce: &[u8],
                data: InOutBuf<'_, '_, u8>,
            ) -> Result<(), InvalidNonceLength> {
                let nonce = InvalidNonceLength::array(nonce)?;
                let stream = kept.get_or_insert_with(|| $Stream::EMPTY);
                stream.begin(self, nonce);
                stream.0.apply_inout(data);
                Ok(())
            }
        }

        keystream_type!($name, [] $Stream);

        impl Drop for $Key {
            fn drop(&mut self) {
                wipe(&mut self.key, 0);
            }
        }

        impl ZeroizeOnDrop for $Key {}
    };
}

cipher!(Hc128, Hc128Stream, 16, "Hc128Stream");
cipher!(Hc256, Hc256Stream, 32, "Hc256Stream");

impl Source<[u8; BLOCK_128]> for Tables<512> {
    fn apply_blocks(&mut self, blocks: InOutBuf<'_, '_, [u8; BLOCK_128]>) {
        for mut block in blocks {
            let keystream = self.steps_128::<false>();
            let mut sums = *block.get_in();
            for (bytes, word) in sums.as_chunks_mut().0.iter_mut().zip(keystream) {
                *bytes = (u32::from_le_bytes(*bytes) ^ word).to_le_bytes();
            }
            *block.get_out() = sums;
        }
    }
}

impl Source<[u8; BLOCK_256]> for Tables<1024> {
    fn apply_blocks(&mut self, blocks: InOutBuf<'_, '_, [u8; BLOCK_256]>) {
        for mut block in blocks {
            let sum = u32::from_le_bytes(*block.get_in()) ^ self.step_256();
            *block.get_out() = sum.to_le_bytes();
        }
    }
}

impl<const N: usize> Drop for Tables<N> {
    fn drop(&mut self) {
        wipe(&mut self.tables, [0; N]);
    }
}
