//! HC-128 and HC-256: stream ciphers by H. Wu. HC-128 is one of eSTREAM's portfolio.
//!
//! | type | key and nonce in bytes | tables | source |
//! |---|---|---|---|
//! | [`Hc128`] | 16 and 16 | two of 512 words | [HC128] |
//! | [`Hc256`] | 32 and 32 | two of 1024 words | [HC256] |
//!
//! Each nonce needs a new set-up of the tables, which takes thousands of steps. **Not
//! constant-time**: the state is tables that change, and secrets choose the entries that
//! are read. The only kernel is portable, because each step writes entries that the next
//! steps read.
//!
//! - [HC128] H. Wu: The stream cipher HC-128, eSTREAM, 2008
//! - [HC256] H. Wu: A new stream cipher HC-256, FSE 2004
//!
//! [HC128]: https://www.ecrypt.eu.org/stream/p3ciphers/hc/hc128_p3.pdf
//! [HC256]: https://www.ecrypt.eu.org/stream/p3ciphers/hc/hc256_p3.pdf

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::keystream::{Keystream, Source, set_words};
use super::{StreamKey, keystream_type};
use crate::debug::debug;
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, Kernel as _, KeyLengths, Keyed};

kernels! {
    /// The kernels that compute HC-128 and HC-256.
    enum Kernel {}
}

/// Length of a block of the keystream in bytes, which is one step.
const BLOCK: usize = 4;

/// The functions f₁ and f₂ of [HC128] §2.1 and [HC256] §2.1, which SHA-256 uses too.
fn f1(x: u32) -> u32 {
    x.rotate_right(7) ^ x.rotate_right(18) ^ x >> 3
}

fn f2(x: u32) -> u32 {
    x.rotate_right(17) ^ x.rotate_right(19) ^ x >> 10
}

/// Expands key and nonce to the words W. The first 16 are `words`.
fn lengthen<const N: usize>(words: [u32; 16]) -> [u32; N] {
    let mut w = [0u32; N];
    w[..16].copy_from_slice(&words);
    for i in 16..N {
        w[i] = f2(w[i - 2])
            .wrapping_add(w[i - 7])
            .wrapping_add(f1(w[i - 15]))
            .wrapping_add(w[i - 16])
            .wrapping_add(i as u32);
    }
    w
}

/// A key of HC-128.
#[derive(Clone)]
pub struct Hc128([u8; 16]);

debug!([] Hc128, "Hc128");

/// A key of HC-256.
#[derive(Clone)]
pub struct Hc256([u8; 32]);

debug!([] Hc256, "Hc256");

/// The keystream of one nonce of HC-128.
#[derive(Clone)]
pub struct Hc128Stream(Keystream<Tables<512>, [u8; BLOCK]>);

/// The keystream of one nonce of HC-256.
#[derive(Clone)]
pub struct Hc256Stream(Keystream<Tables<1024>, [u8; BLOCK]>);

/// The two tables P and Q of `N` words each.
#[derive(Clone)]
struct Tables<const N: usize> {
    tables: [[u32; N]; 2],
    /// The number of the next step, modulo 2N. Each table is used for N steps.
    step: usize,
}

impl Hc128 {
    /// Sets a key up.
    pub fn new(key: &[u8; 16]) -> Self {
        Self(*key)
    }

    /// The keystream for a nonce.
    pub fn stream(&self, nonce: &[u8; 16]) -> Hc128Stream {
        let mut words = [0; 16];
        for (i, part) in [&self.0, &self.0, nonce, nonce].into_iter().enumerate() {
            set_words(&mut words[4 * i..4 * i + 4], part);
        }
        // The initialization, [HC128] §2.2.
        let mut w = lengthen::<1280>(words);
        let mut state = Tables::new(&w[256..]);
        wipe(&mut words, 0);
        wipe(&mut w, 0);
        for step in 0..1024 {
            let sum = state.step_128();
            let (which, j) = (step / 512, step % 512);
            state.tables[which][j] = sum;
        }
        Hc128Stream(Keystream::new(state))
    }
}

impl Hc256 {
    /// Sets a key up.
    pub fn new(key: &[u8; 32]) -> Self {
        Self(*key)
    }

    /// The keystream for a nonce.
    pub fn stream(&self, nonce: &[u8; 32]) -> Hc256Stream {
        let mut words = [0; 16];
        set_words(&mut words[..8], &self.0);
        set_words(&mut words[8..], nonce);
        // The initialization, [HC256] §2.2.
        let mut w = lengthen::<2560>(words);
        let mut state = Tables::new(&w[512..]);
        wipe(&mut words, 0);
        wipe(&mut w, 0);
        for _ in 0..4096 {
            state.step_256();
        }
        Hc256Stream(Keystream::new(state))
    }
}

impl<const N: usize> Tables<N> {
    fn new(words: &[u32]) -> Self {
        let mut tables = [[0; N]; 2];
        tables.as_flattened_mut().copy_from_slice(words);
        Self { tables, step: 0 }
    }

    /// The index of this step in the tables, whether it changes the second table, the
    /// table that it changes, and the other table.
    #[inline(always)]
    fn next(&mut self) -> (usize, bool, &mut [u32; N], &[u32; N]) {
        let (j, second) = (self.step % N, self.step >= N);
        self.step = (self.step + 1) % (2 * N);
        let [p, q] = &mut self.tables;
        if second {
            (j, true, q, p)
        } else {
            (j, false, p, q)
        }
    }
}

impl Tables<512> {
    /// One step, [HC128] §2.3.
    #[inline(always)]
    fn step_128(&mut self) -> u32 {
        let (j, second, table, other) = self.next();
        let before = |n: usize| (j + 512 - n) % 512;
        let (x, y, z) = (table[before(3)], table[before(10)], table[before(511)]);
        let g = if second {
            (x.rotate_left(10) ^ z.rotate_left(23)).wrapping_add(y.rotate_left(8))
        } else {
            (x.rotate_right(10) ^ z.rotate_right(23)).wrapping_add(y.rotate_right(8))
        };
        table[j] = table[j].wrapping_add(g);
        let [a, _, b, _] = table[before(12)].to_le_bytes();
        let h = other[usize::from(a)].wrapping_add(other[256 + usize::from(b)]);
        h ^ table[j]
    }
}

impl Tables<1024> {
    /// One step, [HC256] §2.3.
    #[inline(always)]
    fn step_256(&mut self) -> u32 {
        let (j, _, table, other) = self.next();
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
    ($Key:ident, $Stream:ident, $length:literal, $N:literal, $step:ident, $name:literal) => {
        impl FixedKey for $Key {
            type Key = [u8; $length];
        }

        impl Keyed for $Key {
            type Kernel = Kernel;
            const KEY_LENGTHS: KeyLengths = KeyLengths::exactly($length);

            fn with_kernel(_: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
                Self::KEY_LENGTHS.array(key).map(Self::new)
            }

            fn kernel_in_use(&self) -> Kernel {
                Kernel::best()
            }
        }

        impl StreamKey for $Key {
            type Stream = $Stream;
            type Nonce = [u8; $length];

            #[inline]
            fn stream(&self, nonce: &Self::Nonce) -> Self::Stream {
                self.stream(nonce)
            }
        }

        impl Source<[u8; BLOCK]> for Tables<$N> {
            fn apply_blocks(&mut self, blocks: InOutBuf<'_, '_, [u8; BLOCK]>) {
                for mut block in blocks {
                    let sum = u32::from_le_bytes(*block.get_in()) ^ self.$step();
                    *block.get_out() = sum.to_le_bytes();
                }
            }
        }

        keystream_type!($name, [] $Stream);

        impl Drop for $Key {
            fn drop(&mut self) {
                wipe(&mut self.0, 0);
            }
        }

        impl ZeroizeOnDrop for $Key {}
    };
}

cipher!(Hc128, Hc128Stream, 16, 512, step_128, "Hc128Stream");
cipher!(Hc256, Hc256Stream, 32, 1024, step_256, "Hc256Stream");

impl<const N: usize> Drop for Tables<N> {
    fn drop(&mut self) {
        wipe(&mut self.tables, [0; N]);
    }
}
