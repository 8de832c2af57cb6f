//! DES by tables: on machines without AVX2 faster than [`Des`](super::Des) on single blocks,
//! and **not constant-time**. The key and the data determine which table entries the code reads.
//! Another program that shares a cache with this program can find out which entries were read,
//! and from them the key and the data.
//!
//! This form is meant for serial modes and for crypt(3), where users accept the risk of leaked
//! keys. No other code of this crate selects this form for the user.
//!
//! Each half of a block is stored after the expansion E: eight groups of six bits, one group in
//! each byte. E and P are linear. Therefore a table for each S-box can contain the S-box's
//! output after P and E: an entry is the change that the S-box makes to the other half. A round
//! reads eight entries and XORs them to the other half. A salt exchanges inputs of the S-boxes.
//! This exchange is linear too, so it is applied once to all entries of the tables, and the
//! rounds need no exchange.

use super::{Block, E, KEY_BITS, Keys, P_INVERSE};
use crate::debug::debug;
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, FixedKey, InOutBuf, InvalidKeyLength, Kernel as _,
    KeyLengths, Keyed,
};
use zeroize::ZeroizeOnDrop;

/// The S-boxes, [FIPS46](super) "Primitive functions S1 … S8", row after row.
#[rustfmt::skip]
pub(super) const S: [[u8; 64]; 8] = [
    [14,4,13,1,2,15,11,8,3,10,6,12,5,9,0,7, 0,15,7,4,14,2,13,1,10,6,12,11,9,5,3,8,
     4,1,14,8,13,6,2,11,15,12,9,7,3,10,5,0, 15,12,8,2,4,9,1,7,5,11,3,14,10,0,6,13],
    [15,1,8,14,6,11,3,4,9,7,2,13,12,0,5,10, 3,13,4,7,15,2,8,14,12,0,1,10,6,9,11,5,
     0,14,7,11,10,4,13,1,5,8,12,6,9,3,2,15, 13,8,10,1,3,15,4,2,11,6,7,12,0,5,14,9],
    [10,0,9,14,6,3,15,5,1,13,12,7,11,4,2,8, 13,7,0,9,3,4,6,10,2,8,5,14,12,11,15,1,
     13,6,4,9,8,15,3,0,11,1,2,12,5,10,14,7, 1,10,13,0,6,9,8,7,4,15,14,3,11,5,2,12],
    [7,13,14,3,0,6,9,10,1,2,8,5,11,12,4,15, 13,8,11,5,6,15,0,3,4,7,2,12,1,10,14,9,
     10,6,9,0,12,11,7,13,15,1,3,14,5,2,8,4, 3,15,0,6,10,1,13,8,9,4,5,11,12,7,2,14],
    [2,12,4,1,7,10,11,6,8,5,3,15,13,0,14,9, 14,11,2,12,4,7,13,1,5,0,15,10,3,9,8,6,
     4,2,1,11,10,13,7,8,15,9,12,5,6,3,0,14, 11,8,12,7,1,14,2,13,6,15,0,9,10,4,5,3],
    [12,1,10,15,9,2,6,8,0,13,3,4,14,7,5,11, 10,15,4,2,7,12,9,5,6,1,13,14,0,11,3,8,
     9,14,15,5,2,8,12,3,7,0,4,10,1,13,11,6, 4,3,2,12,9,5,15,10,11,14,1,7,6,0,8,13],
    [4,11,2,14,15,0,8,13,3,12,9,7,5,10,6,1, 13,0,11,7,4,9,1,10,14,3,5,12,2,15,8,6,
     1,4,11,13,12,3,7,14,10,15,6,8,0,5,9,2, 6,11,13,8,1,4,10,7,9,5,0,15,14,2,3,12],
    [13,2,8,4,6,15,11,1,10,9,3,14,5,0,12,7, 1,15,13,8,10,3,7,4,12,5,6,11,0,14,9,2,
     7,11,4,1,9,12,14,2,0,6,10,13,15,3,5,8, 2,1,14,7,4,10,8,13,15,12,9,0,3,5,6,11],
];

/// Returns the output of an S-box for its six inputs. The first input is the highest bit of
/// `x`.
pub(super) const fn s(box_: usize, x: usize) -> u8 {
    S[box_][16 * (x >> 4 & 2 | x & 1) + (x >> 1 & 15)]
}

/// For each S-box and each value of its inputs, the output after the permutation P and the
/// expansion E. Zeros follow after the last S-box, so that the start of any S-box's entries
/// plus any byte is a valid index.
pub(super) type Tables = [u64; 7 * 64 + 256];

pub(super) static TABLES: Tables = {
    // For each bit of a half, the bits to which the expansion E copies it.
    let mut e = [0; 32];
    let mut i = 0;
    while i < 48 {
        e[E[i]] |= (KEY_BITS[i] as u64) << (32 * (i / 24));
        i += 1;
    }
    let mut tables = [0; 7 * 64 + 256];
    let mut at = 0;
    while at < 512 {
        let (box_, x) = (at / 64, at % 64);
        let mut bit = 0;
        while bit < 4 {
            if s(box_, x) >> (3 - bit) & 1 == 1 {
                tables[at] |= e[P_INVERSE[4 * box_ + bit]];
            }
            bit += 1;
        }
        at += 1;
    }
    tables
};

/// The XOR of each entry of [`TABLES`] and the same entry for a salt with all bits set.
static SALTED: Tables = {
    let mut salted = TABLES;
    let mut at = 0;
    while at < salted.len() {
        salted[at] ^= salted[at].rotate_left(32);
        at += 1;
    }
    salted
};

/// Computes the tables for a salt, from the salt's mask. The caller must inline this function
/// into code with vector features.
#[inline(always)]
pub(super) fn salt_each(mask: u64) -> Tables {
    let mask = mask | mask << 32;
    core::array::from_fn(|at| TABLES[at] ^ SALTED[at] & mask)
}

/// Returns the left and the right half of a block after IP, with four bits of the half in each
/// byte.
#[inline(always)]
pub(super) fn halves(block: &Block) -> [u64; 2] {
    let x = transpose(u64::from_le_bytes(*block)).swap_bytes();
    let spread = |x: u64| x >> 4 & 0x000f_000f_000f_000f | (x & 0x000f_000f_000f_000f) << 8;
    [spread(x >> 8), spread(x)]
}

/// Makes a block from its two halves: applies the inverse of IP.
#[inline(always)]
pub(super) fn block([left, right]: [u64; 2]) -> Block {
    let join = |x: u64| (x & 0x000f_000f_000f_000f) << 4 | x >> 8 & 0x000f_000f_000f_000f;
    transpose((join(left) << 8 | join(right)).swap_bytes()).to_le_bytes()
}

/// Transposes a matrix of 8 × 8 bits: exchanges bit `j` of byte `i` with bit `i` of byte
/// `j`.
#[inline(always)]
pub(super) fn transpose(mut x: u64) -> u64 {
    for (step, mask) in [
        (7, 0x00aa_00aa_00aa_00aa),
        (14, 0x0000_cccc_0000_cccc),
        (28, 0x0000_0000_f0f0_f0f0),
    ] {
        let swap = (x >> step ^ x) & mask;
        x ^= swap ^ swap << step;
    }
    x
}

/// Computes the expansion E: adds to each group of four bits the neighbouring bit on each side.
#[inline(always)]
pub(super) fn expand(half: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    half << 1 | (half.rotate_left(8) & ONES) << 5 | half.rotate_right(8) >> 3 & ONES
}

/// Reverses the expansion E: keeps the middle four bits of each group of six.
#[inline(always)]
fn contract(half: u64) -> u64 {
    half >> 1 & 0x0f0f_0f0f_0f0f_0f0f
}

/// Returns the mask for a salt of crypt(3). Bit `i` of the salt exchanges inputs `i` and `i` +
/// 24 of the S-boxes.
pub(super) fn salt_mask(salt: u32) -> u64 {
    (0..24).fold(0, |mask, i| {
        mask | u64::from((salt >> i & 1).wrapping_neg() & KEY_BITS[i])
    })
}

#[inline(always)]
pub(super) fn salted(half: u64, mask: u64) -> u64 {
    let swap = (half >> 32 ^ half) & mask;
    half ^ swap ^ swap << 32
}

/// Computes a round: returns the XOR of `left` and the S-boxes' outputs for `right`.
///
/// No two S-boxes have an output bit in common, so an OR or an addition of their outputs equals
/// the XOR. Compilers turn several operations of the same kind into a chain, in which each
/// operation waits for the one before. If the code mixes XOR, OR and addition, compilers keep
/// the tree of operations that the code has, and independent operations run at the same time.
#[inline(always)]
fn round(tables: &Tables, left: u64, right: u64) -> u64 {
    let entry = |box_: usize, x: u64| tables[64 * box_ + x as usize];
    let byte = |shift: u32| u64::from((right >> shift) as u8);
    let low = u64::from(right as u32);
    // The S-boxes are in the order in which their inputs become available. A direct read of the
    // second byte of a register is slow, so no S-box takes its input in this way.
    let (s1, s8) = (entry(0, byte(0)), entry(7, right >> 56));
    let (s5, s4) = (entry(4, byte(32)), entry(3, low >> 24));
    let (s3, s7) = (entry(2, low >> 16 & 0xff), entry(6, byte(48)));
    let (s6, s2) = (entry(5, byte(40)), entry(1, right >> 8 & 63));
    let early = left ^ s1 ^ (s8 | s5);
    (early ^ (s4 | s3)) ^ (s7.wrapping_add(s6) | s2)
}

/// Computes DES without IP and its inverse `passes` times, and returns the halves of the block.
///
/// Each half is stored with the key of its next round already XORed to it, so that no round has
/// to wait for the XOR with its key.
#[inline(always)]
fn rounds(
    tables: &Tables,
    keys: &[u64; 16],
    passes: u32,
    backwards: bool,
    [left, right]: [u64; 2],
) -> [u64; 2] {
    let key = |round: usize| keys[if backwards { 15 - round } else { round }];
    // `next` has for each round the XOR of its round key and the round key two rounds later,
    // which belongs to the same half. For the last two rounds of a pass, the later key belongs
    // to the next pass.
    let next: [u64; 16] =
        core::array::from_fn(|round| key(round) ^ key([round + 2, 1, 0][round.saturating_sub(13)]));
    let (mut left, mut right) = (left ^ key(1), right ^ key(0));
    for _ in 0..passes {
        for i in (0..16).step_by(2) {
            left = round(tables, left, right);
            right = round(tables, right ^ next[i], left);
            left ^= next[i + 1];
        }
        (left, right) = (right, left);
    }
    [left ^ key(1), right ^ key(0)]
}

/// Computes DES `passes` times for each set of round keys; the sets are in the order of use. IP
/// and its inverse are applied only once.
#[inline(always)]
pub(super) fn cipher<'k>(
    tables: &Tables,
    mask: u64,
    keys: impl Iterator<Item = &'k [u64; 16]>,
    passes: u32,
    backwards: bool,
    data: &mut Block,
) {
    let start = halves(data).map(|half| salted(expand(half), mask));
    let end = keys.fold(start, |halves, keys| {
        rounds(tables, keys, passes, backwards, halves)
    });
    *data = block(end.map(|half| contract(salted(half, mask))));
}

/// The only kernel of DES by tables. All CPUs can run it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel;

impl crate::Kernel for Kernel {
    const NAMES: &'static [&'static str] = &["table"];

    fn available() -> impl Iterator<Item = Self> {
        core::iter::once(Self)
    }

    #[inline]
    fn best() -> Self {
        Self
    }

    fn name(self) -> &'static str {
        "table"
    }
}

/// DES by tables; **not constant-time**.
#[derive(Clone)]
pub struct Des(Keys<1>);

debug!([] Des, "Des");

/// Triple DES with two keys, by tables; **not constant-time**.
#[derive(Clone)]
pub struct DesEde2(Keys<3>);

debug!([] DesEde2, "DesEde2");

/// Triple DES with three keys, by tables; **not constant-time**.
#[derive(Clone)]
pub struct DesEde3(Keys<3>);

debug!([] DesEde3, "DesEde3");

macro_rules! ciphers {
    ($($Cipher:ident $length:literal;)*) => {$(
        impl FixedKey for $Cipher {
            type Key = [u8; $length];
        }

        impl Keyed for $Cipher {
            type Kernel = Kernel;
            const KEY_LENGTHS: KeyLengths = KeyLengths::exactly($length);

            fn with_kernel(_: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
                let key: &[u8; $length] = Self::KEY_LENGTHS.array(key)?;
                Ok(Self(super::$Cipher::keys(|key| super::Kernel::best().schedule(key), key)))
            }

            fn kernel_in_use(&self) -> Kernel {
                Kernel
            }
        }

        impl BlockCipher for $Cipher {
            type Block = Block;
        }

        impl Sealed for $Cipher {}

        impl BlockEncrypt for $Cipher {
            #[inline]
            fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
                for mut block in blocks {
                    let mut data = *block.get_in();
                    cipher(&TABLES, 0, self.0.iter(), 1, false, &mut data);
                    *block.get_out() = data;
                }
            }
        }

        impl FusedEncrypt for $Cipher {}

        impl BlockDecrypt for $Cipher {
            #[inline]
            fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
                for mut block in blocks {
                    let mut data = *block.get_in();
                    cipher(&TABLES, 0, self.0.iter().rev(), 1, true, &mut data);
                    *block.get_out() = data;
                }
            }
        }

        impl FusedDecrypt for $Cipher {}

        impl Drop for $Cipher {
            fn drop(&mut self) {
                wipe(self.0.as_flattened_mut(), 0);
            }
        }

        impl ZeroizeOnDrop for $Cipher {}
    )*};
}

ciphers! {
    Des 8;
    DesEde2 16;
    DesEde3 24;
}
