//! DES and triple DES: blocks of 8 bytes, keys of 8, 16 and 24 bytes. **Broken**: a search
//! finds a DES key within days. As blocks have only 64 bits, encrypted messages leak
//! information after some gigabytes under one key, however long the key is. [SP800-67] allows 8
//! MiB for each key, and forbids new applications since 2024. These ciphers exist here for old
//! data that is encrypted with DES or triple DES.
//!
//! The lowest bit of each key byte is a parity bit by [FIPS46]. This library ignores the parity
//! bits, as all other libraries do. [`Des::is_weak`] finds the keys that must not be used.
//!
//! Every kernel is constant-time: no secret is an index of a table in memory. [`table`] has the
//! classic form of DES with tables, which is not constant-time, and is the fastest for single
//! blocks on machines without AVX2. A program gets this form only if it names [`table`].
//! [`crypt`] has the variant of DES that crypt(3) uses.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 512 | bitsliced, S-boxes of ternary gates; counters made as planes |
//! | | | 64, 16 | for shorter calls and serial modes: S-boxes looked up in registers |
//! | `avx2` | AVX2 | 256 | bitsliced |
//! | | | 32 | for shorter calls: S-boxes looked up in registers |
//! | | | 4 | for a few blocks and serial modes: a byte for each bit, S-boxes of blends |
//! | `portable` | – | 64 | bitsliced in 64-bit words |
//! | | | 1 | up to 4 blocks: all S-boxes side by side in one word |
//!
//! - [FIPS46] Data Encryption Standard (DES), NIST FIPS 46-3, 1999
//! - [SP800-67] Recommendation for the Triple Data Encryption Algorithm (TDEA)
//!   Block Cipher, NIST SP 800-67 Rev. 2, 2017
//!
//! [FIPS46]: https://csrc.nist.gov/files/pubs/fips/46-3/final/docs/fips46-3.pdf
//! [SP800-67]: https://doi.org/10.6028/NIST.SP.800-67r2

use core::hint::black_box;

use zeroize::ZeroizeOnDrop;

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::kernel::kernels;
use crate::machinery::operation::{CBC_DECRYPT, CTR, ECB};
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, FixedKey, InOutBuf, InvalidKeyLength, KeyLengths,
    Keyed,
};

use crate::fuse::unfused;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod binary;
mod bitslice;
#[cfg(target_arch = "x86_64")]
mod bytes;
pub mod crypt;
#[cfg(target_arch = "x86_64")]
mod order;
#[cfg(target_arch = "x86_64")]
mod places;
mod portable;
mod salts;
#[cfg(target_arch = "x86_64")]
mod shuffle;
mod single;
pub mod table;
#[cfg(target_arch = "x86_64")]
mod ternary;
mod wire;

/// DES, with a key of 8 bytes.
#[derive(Clone)]
pub struct Des(Cipher<1>);

debug!([] Des, "Des");

/// Triple DES with two keys, 16 bytes together. Encryption encrypts with the first key,
/// decrypts with the second key, and encrypts with the first key again.
#[derive(Clone)]
pub struct DesEde2(Cipher<3>);

debug!([] DesEde2, "DesEde2");

/// Triple DES with three keys, 24 bytes together. Encryption encrypts with the first key,
/// decrypts with the second key, and encrypts with the third key.
#[derive(Clone)]
pub struct DesEde3(Cipher<3>);

debug!([] DesEde3, "DesEde3");

/// The name that the crate `des` gives to [`DesEde2`].
pub type TdesEde2 = DesEde2;
/// The name that the crate `des` gives to [`DesEde3`].
pub type TdesEde3 = DesEde3;

#[derive(Clone)]
struct Cipher<const PASSES: usize> {
    kernel: Kernel,
    keys: Keys<PASSES>,
}

type Block = [u8; 8];

/// The 16 round keys of each DES pass, in the order in which encryption uses the passes and the
/// rounds. A round key has six bits in each of its eight bytes. The lowest byte belongs to
/// S-box S1, the next byte to S2, and so on. The highest of the six bits belongs to the first
/// input of the S-box. (The kernel `avx512` keeps its round keys in another form, see
/// [`avx512::placed_schedule`].)
type Keys<const PASSES: usize> = [[u64; 16]; PASSES];

/// For each of the 48 inputs of the S-boxes, the number of the bit of the half R that the
/// expansion E copies to this input: [FIPS46] "E bit-selection table". Bits are numbered from 0
/// here, and from 1 in the standard.
const E: [usize; 48] = {
    let mut e = [0; 48];
    let mut i = 0;
    while i < 48 {
        e[i] = (4 * (i / 6) + 31 + i % 6) % 32;
        i += 1;
    }
    e
};

/// The permutation P of the 32 output bits of the S-boxes, [FIPS46] "P".
#[rustfmt::skip]
const P: [usize; 32] = [
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10,
    2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25,
];

/// The inverse of P: for each output bit of the S-boxes, the number of the bit of the half to
/// which P moves this output bit.
const P_INVERSE: [usize; 32] = {
    let mut inverse = [0; 32];
    let mut i = 0;
    while i < 32 {
        inverse[P[i] - 1] = i;
        i += 1;
    }
    inverse
};

/// The key bits that the key registers C and D receive: [FIPS46] "Permuted choice 1".
#[rustfmt::skip]
const PC1: [[usize; 28]; 2] = [
    [57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18,
     10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36],
    [63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22,
     14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4],
];

/// The bits of the key registers that form a round key: [FIPS46] "Permuted choice 2". The first
/// row selects from C, the second row selects from D.
#[rustfmt::skip]
const PC2: [[usize; 24]; 2] = [
    [14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10,
     23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2],
    [41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48,
     44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32],
];

/// For each round, the total number of bits by which the key registers C and D are rotated,
/// this round included: [FIPS46] "Key schedule".
const TURNS: [usize; 16] = {
    let mut turns = [0; 16];
    let mut sum = 0;
    let mut round = 0;
    while round < 16 {
        sum += if matches!(round, 0 | 1 | 8 | 15) {
            1
        } else {
            2
        };
        turns[round] = sum;
        round += 1;
    }
    turns
};

/// The key schedule as a table of masks. Every bit of the key registers C and D has a row of
/// sixteen masks, one mask for each round key. A mask has ones at those bits of the round key
/// which are copies of the register's bit. [`sum`] computes a round key as the XOR of the masks
/// of all register bits that are 1.
const SCHEDULE: [[[u32; 16]; 28]; 2] = {
    let mut schedule = [[[0; 16]; 28]; 2];
    let mut half = 0;
    while half < 2 {
        let mut round = 0;
        while round < 16 {
            let mut i = 0;
            while i < 24 {
                let from = (PC2[half][i] - 1 - 28 * half + TURNS[round]) % 28;
                schedule[half][from][round] |= 1 << (8 * (i / 6) + 5 - i % 6);
                i += 1;
            }
            round += 1;
        }
        half += 1;
    }
    schedule
};

/// Computes the key registers C and D from a key; the lowest bit of each number is the
/// register's first bit. Write the key as a matrix of bits with one key byte in each row:
/// permuted choice 1 (PC-1) then reads the columns from bottom to top. A transposition of the
/// matrix makes each column a byte.
#[inline]
fn permuted_choice_1(key: &Block) -> [u32; 2] {
    let columns = table::transpose(u64::from_be_bytes(*key)).to_be_bytes();
    let [a, b, c, shared, d, e, f, _] = columns;
    let half = |bytes, rest: u8| u32::from_le_bytes(bytes) | u32::from(rest) << 24;
    [
        half([a, b, c, 0], shared & 15),
        half([f, e, d, 0], shared >> 4),
    ]
}

/// Computes the 16 round keys of one DES pass, in the order of encryption.
#[inline(always)]
fn sum(key: &Block) -> [u64; 16] {
    let mut words = [[0u32; 16]; 2];
    for ((word, half), table) in words.iter_mut().zip(permuted_choice_1(key)).zip(&SCHEDULE) {
        for (i, gives) in table.iter().enumerate() {
            // `black_box` hides from the compiler that `mask` is either zero or all ones. A
            // compiler that knew these two values would replace the AND with a branch on a
            // secret bit.
            let mask = black_box((half >> i & 1).wrapping_neg());
            for (word, gives) in word.iter_mut().zip(gives) {
                *word ^= gives & mask;
            }
        }
    }
    let mut keys = [0; 16];
    for (round, key) in keys.iter_mut().enumerate() {
        *key = u64::from(words[0][round]) | u64::from(words[1][round]) << 32;
    }
    keys
}

/// For each bit of each round key, the number of the key bit that is copied to it, if the key
/// is read as a little-endian number. `places` has the positions of the inputs of each S-box in
/// its byte of a round key. The entries for the two unused bits in each byte are arbitrary.
#[cfg(target_arch = "x86_64")]
const fn selection(places: &[[usize; 6]; 8]) -> [[u8; 64]; 16] {
    let mut selection = [[0; 64]; 16];
    let mut at = 0;
    while at < 16 * 48 {
        let (round, i) = (at / 48, at % 48);
        let half = i / 24;
        let from = (PC2[half][i % 24] - 1 - 28 * half + TURNS[round]) % 28;
        let bit = PC1[half][from] - 1;
        let to = 8 * (i / 6) + places[i / 6][i % 6];
        selection[round][to] = (bit / 8 * 8 + 7 - bit % 8) as u8;
        at += 1;
    }
    selection
}

/// Reverses the order of the round keys: DES decrypts with the round keys in reverse order.
fn reversed(mut keys: [u64; 16]) -> [u64; 16] {
    keys.reverse();
    keys
}

/// Returns whether a DES key is weak or semi-weak. The key registers C and D of such a key each
/// have 28 equal bits, or bits that alternate between 0 and 1. The key then has at most two
/// different round keys.
fn is_weak(key: &Block) -> bool {
    let weak = |half: u32| {
        // The XOR of each bit with the bit two positions above it.
        (half ^ half >> 2) & ((1 << 26) - 1) == 0
    };
    permuted_choice_1(key).into_iter().all(weak)
}

/// Returns whether two DES keys are equal if their parity bits are ignored.
fn same(a: &Block, b: &Block) -> bool {
    (u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b)) & 0xfefe_fefe_fefe_fefe == 0
}

/// For each of the 48 inputs of the S-boxes, the bit of half a round key that is XORed to this
/// input.
const KEY_BITS: [u32; 48] = {
    let mut bits = [0; 48];
    let mut i = 0;
    while i < 48 {
        bits[i] = 1 << (8 * (i / 6 % 4) + 5 - i % 6);
        i += 1;
    }
    bits
};

/// For each of the 48 inputs of the S-boxes, a word of ones if the circuit of the S-box takes
/// the complement of this input, or else a word of zeros. `complemented` has a byte of flags
/// for each S-box.
const fn flips(complemented: &[u8; 8]) -> [u32; 48] {
    let mut flips = [0; 48];
    let mut i = 0;
    while i < 48 {
        let flip = bitslice::complements(complemented, i / 6, i % 6);
        flips[i] = (flip as u32).wrapping_neg();
        i += 1;
    }
    flips
}

/// Expands round keys to masks, in the order in which the rounds use them. Each of the 48
/// inputs of the S-boxes gets a word of zeros or of ones, which is one bit of the round key.
/// The word is complemented if the word of `flips` for this input is all ones. The caller must
/// inline this function into code with vector features.
#[inline(always)]
fn masks<const PASSES: usize>(
    keys: &Keys<PASSES>,
    backwards: bool,
    flips: &[u32; 48],
) -> [[[u32; 48]; 16]; PASSES] {
    let mut masks = [[[0; 48]; 16]; PASSES];
    for (pass, masks) in masks.iter_mut().enumerate() {
        for (round, masks) in masks.iter_mut().enumerate() {
            let key = if backwards {
                keys[PASSES - 1 - pass][15 - round]
            } else {
                keys[pass][round]
            };
            let halves = [key as u32, (key >> 32) as u32];
            for (h, half) in halves.into_iter().enumerate() {
                for i in 24 * h..24 * h + 24 {
                    let bit = u32::from(half & KEY_BITS[i] == KEY_BITS[i]);
                    masks[i] = bit.wrapping_neg() ^ flips[i];
                }
            }
        }
    }
    masks
}

kernels! {
    /// The kernels: implementations of DES for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

/// The largest number of blocks that the portable kernel computes one after the other. For so
/// few blocks, a bitsliced group would leave most of its lanes empty and take more time.
const SINGLY: usize = 4;

impl Kernel {
    /// Computes the 16 round keys of one DES pass, in the order of encryption.
    #[inline]
    fn schedule(self, key: &Block) -> [u64; 16] {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => avx512::schedule(token, key),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::schedule(token, key),
            Kernel::Portable => sum(key),
        }
    }

    /// Computes the 16 round keys of one DES pass, as the kernel keeps them.
    #[inline]
    fn kept(self, key: &Block) -> [u64; 16] {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => avx512::placed_schedule(token, key),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::outer_schedule(token, key),
            Kernel::Portable => self.schedule(key),
        }
    }
}

impl<const PASSES: usize> Cipher<PASSES> {
    #[inline]
    fn run<const WHAT: u8>(
        &self,
        backwards: bool,
        state: &mut Block,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        let keys = &self.keys;
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => {
                avx512::cipher::<WHAT, PASSES>(token, keys, backwards, state, blocks);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => {
                avx2::cipher::<WHAT, PASSES>(token, keys, backwards, state, blocks);
            }
            Kernel::Portable => portable::cipher::<WHAT, PASSES>(keys, backwards, state, blocks),
        }
    }
}

impl<const PASSES: usize> Drop for Cipher<PASSES> {
    fn drop(&mut self) {
        wipe(self.keys.as_flattened_mut(), 0);
    }
}

/// Computes a serial mode.
macro_rules! serial {
    ($this:expr, $chain:expr, $blocks:expr, $MODE:ident, $unfused:ident) => {
        match $this.0.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => {
                avx512::serial::<{ order::$MODE }, _>(token, &$this.0.keys, $chain, $blocks);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => {
                avx2::serial::<{ order::$MODE }, _>(token, &$this.0.keys, $chain, $blocks);
            }
            Kernel::Portable => unfused::$unfused($this, $chain, $blocks),
        }
    };
}

macro_rules! ciphers {
    ($($Cipher:ident $length:literal, $passes:literal passes, |$schedule:ident, $key:ident| $keys:expr, weak: $weak:expr;)*) => {$(
        impl FixedKey for $Cipher {
            type Key = [u8; $length];
        }

        impl Keyed for $Cipher {
            type Kernel = Kernel;
            const KEY_LENGTHS: KeyLengths = KeyLengths::exactly($length);

            fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
                let key: &[u8; $length] = Self::KEY_LENGTHS.array(key)?;
                let keys = Self::keys(|key| kernel.kept(key), key);
                Ok(Self(Cipher { kernel, keys }))
            }

            fn kernel_in_use(&self) -> Kernel {
                self.0.kernel
            }
        }

        impl $Cipher {
            #[inline]
            fn keys($schedule: impl Fn(&Block) -> [u64; 16], key: &[u8; $length]) -> Keys<{ $passes }> {
                let ($key, _) = key.as_chunks::<8>();
                $keys
            }

            /// Returns whether `key` must not be used. A DES key must not be used if its round
            /// keys repeat: a second encryption, with the same key or with another key, then
            /// undoes the first. These are the weak and the semi-weak keys of [SP800-67]
            /// §3.3.2. A triple DES key must not contain a weak or semi-weak DES key.
            /// Neighbouring DES keys of a triple DES key must not be equal, because the
            /// operations with equal keys cancel. Parity bits are ignored. `new` accepts all
            /// keys; programs that choose keys can call this function to test a key.
            ///
            /// [SP800-67]: https://doi.org/10.6028/NIST.SP.800-67r2
            #[must_use]
            pub fn is_weak(key: &[u8; $length]) -> bool {
                let ($key, _) = key.as_chunks::<8>();
                $weak
            }
        }

        impl BlockCipher for $Cipher {
            type Block = Block;
        }

        impl Sealed for $Cipher {}

        impl BlockEncrypt for $Cipher {
            #[inline]
            fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
                self.0.run::<ECB>(false, &mut [0; 8], blocks);
            }
        }

        impl FusedEncrypt for $Cipher {
            #[inline]
            fn ctr_blocks(&self, counter: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
                self.0.run::<CTR>(false, counter, blocks);
            }

            unfused::ctr_bytes_method!();

            #[inline]
            fn cbc_encrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
                serial!(self, chain, blocks, CBC, cbc_encrypt);
            }

            #[inline]
            fn cfb_encrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
                serial!(self, chain, blocks, CFB, cfb_encrypt);
            }

            #[inline]
            fn ofb_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
                serial!(self, chain, blocks, OFB, ofb);
            }

            #[inline]
            fn cbc_mac_blocks(&self, chain: &mut Block, blocks: &[Block]) {
                match self.0.kernel {
                    #[cfg(target_arch = "x86_64")]
                    Kernel::Avx512(token) => avx512::absorb(token, &self.0.keys, chain, blocks),
                    #[cfg(target_arch = "x86_64")]
                    Kernel::Avx2(token) => avx2::absorb(token, &self.0.keys, chain, blocks),
                    Kernel::Portable => unfused::cbc_mac(self, chain, blocks),
                }
            }
        }

        impl BlockDecrypt for $Cipher {
            #[inline]
            fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
                self.0.run::<ECB>(true, &mut [0; 8], blocks);
            }
        }

        impl FusedDecrypt for $Cipher {
            #[inline]
            fn cbc_decrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
                self.0.run::<CBC_DECRYPT>(true, chain, blocks);
            }
        }

        impl ZeroizeOnDrop for $Cipher {}
    )*};
}

ciphers! {
    Des 8, 1 passes, |schedule, key| [schedule(&key[0])], weak: is_weak(&key[0]);
    DesEde2 16, 3 passes, |schedule, key| {
        let first = schedule(&key[0]);
        [first, reversed(schedule(&key[1])), first]
    }, weak: key.iter().any(is_weak) || same(&key[0], &key[1]);
    DesEde3 24, 3 passes, |schedule, key| [
        schedule(&key[0]),
        reversed(schedule(&key[1])),
        schedule(&key[2]),
    ], weak: key.iter().any(is_weak) || same(&key[0], &key[1]) || same(&key[1], &key[2]);
}

#[cfg(test)]
mod tests {
    use super::table::{S, s};
    use super::*;

    /// Returns the bit plane of input `i` of an S-box for 64 lanes. Each lane has another one
    /// of the 64 possible inputs.
    pub(super) fn input(i: usize) -> u64 {
        (0..64u64).fold(0, |plane, x| plane | (x >> (5 - i) & 1) << x)
    }

    /// Returns the bit plane of output `i` of S-box `from` for the same 64 lanes, computed from
    /// the standard's table.
    pub(super) fn output(from: usize, i: usize) -> u64 {
        (0..64).fold(0, |plane, x| {
            plane | u64::from(s(from, x) >> (3 - i) & 1) << x
        })
    }

    /// Checks [FIPS46] "Primitive functions": each row of an S-box contains every number from 0
    /// to 15 once.
    #[test]
    fn rows_are_permutations() {
        for row in S.iter().flat_map(|s| s.chunks(16)) {
            assert_eq!(row.iter().fold(0, |seen, &y| seen | 1u32 << y), 0xffff);
        }
    }

    #[test]
    fn columns_are_permuted_choice_1() {
        for bit in 0..64 {
            let key = (1u64 << (63 - bit)).to_be_bytes();
            let wanted = PC1.map(|choice| {
                let place = choice.iter().position(|&chosen| chosen == bit + 1);
                place.map_or(0, |place| 1 << place)
            });
            assert_eq!(permuted_choice_1(&key), wanted, "bit {bit}");
        }
    }

    #[test]
    fn kernels_agree_on_the_key_schedule() {
        // The key schedule is linear, so this test takes each key with a single bit set, and
        // some keys with many bits set.
        let keys = (0..64).map(|bit| 1u64 << bit);
        for key in keys.chain([0, !0, 0x0123_4567_89ab_cdef]) {
            let key = key.to_be_bytes();
            for kernel in <Kernel as crate::Kernel>::available() {
                assert_eq!(kernel.schedule(&key), sum(&key), "{kernel:?} {key:02x?}");
            }
        }
    }
}
