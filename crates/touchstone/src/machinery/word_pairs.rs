//! Ciphers whose blocks are two big-endian words of 32 bits: conversions, and modes that keep both
//! words in registers from one block to the next block.

use inout::InOutBuf;

use crate::buffer;
#[cfg(target_arch = "x86_64")]
use crate::wipe::wipe;

/// CBC encryption. The two words of the previous output stay in registers from block to block.
#[inline(always)]
pub(crate) fn chained_words(
    chain: &mut [u8; 8],
    blocks: InOutBuf<'_, '_, [u8; 8]>,
    single: impl Fn([u32; 2]) -> [u32; 2],
) {
    let [mut a, mut b] = words(*chain);
    for mut block in blocks {
        let [c, d] = words(*block.get_in());
        [a, b] = single([a ^ c, b ^ d]);
        *block.get_out() = bytes([a, b]);
    }
    *chain = bytes([a, b]);
}

/// A mode in which the inputs of the cipher for all blocks are known before the cipher starts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Counter mode; the state is the next counter.
    Ctr,
    /// CBC decryption; the state is the previous block of ciphertext.
    CbcDecrypt,
    /// CFB decryption; the state is the previous block of ciphertext.
    CfbDecrypt,
}

/// Runs a mode on groups of `N` blocks. If two or more blocks remain, they are filled up to a
/// group, because a group takes little longer than a pair.
#[inline(always)]
pub(crate) fn modes_on_words<const N: usize>(
    mode: Mode,
    state: &mut [u8; 8],
    blocks: InOutBuf<'_, '_, [u8; 8]>,
    group: impl Fn([[u32; 2]; N]) -> [[u32; 2]; N],
    pair: impl Fn([[u32; 2]; 2]) -> [[u32; 2]; 2],
    single: impl Fn([[u32; 2]; 1]) -> [[u32; 2]; 1],
) {
    let mut number = u64::from_be_bytes(*state);
    let (groups, mut rest) = buffer::chunks(blocks);
    for mut blocks in groups {
        *blocks.get_out() = mode.work(&mut number, *blocks.get_in(), N, &group);
    }
    match *rest.get_in() {
        [] => {}
        [a] => rest
            .get_out()
            .copy_from_slice(&mode.work(&mut number, [a], 1, single)),
        [a, b] => rest
            .get_out()
            .copy_from_slice(&mode.work(&mut number, [a, b], 2, pair)),
        ref more => {
            let n = more.len();
            let mut blocks = [[0; 8]; N];
            blocks[..n].copy_from_slice(more);
            let blocks = mode.work(&mut number, blocks, n, &group);
            rest.get_out().copy_from_slice(&blocks[..n]);
        }
    }
    *state = number.to_be_bytes();
}

/// The smallest number of blocks that take less time as two sets than as one set and a rest.
#[cfg(target_arch = "x86_64")]
const TWO_SETS: usize = 70;

/// Splits blocks into sets of 64 blocks and a rest. The last set may have fewer blocks, but `least`, or
/// [`TWO_SETS`] together with the set before.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn sets_and_rest<'i, 'o>(
    blocks: InOutBuf<'i, 'o, [u8; 8]>,
    least: usize,
) -> (InOutBuf<'i, 'o, [u8; 8]>, InOutBuf<'i, 'o, [u8; 8]>) {
    let odd = blocks.len() % 64;
    let two = blocks.len() % 128 >= TWO_SETS;
    let rest = if odd < least && !two { odd } else { 0 };
    let sets = blocks.len() - rest;
    blocks.split_at(sets)
}

/// Runs a mode, or ECB without a mode, on sets of 64 blocks for kernels that take one or two sets at
/// once. Fills up the last sets.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn modes_on_sets(
    mode: Option<Mode>,
    state: &mut [u8; 8],
    blocks: InOutBuf<'_, '_, [u8; 8]>,
    two: impl Fn(&[[u8; 8]; 128]) -> [[u8; 8]; 128],
    one: impl Fn(&[[u8; 8]; 64]) -> [[u8; 8]; 64],
) {
    let (twos, rest) = buffer::chunks(blocks);
    for mut blocks in twos {
        *blocks.get_out() = Mode::on_sets(mode, state, blocks.get_in(), 128, &two);
    }
    if rest.len() >= TWO_SETS {
        return Mode::on_filled_sets(mode, state, rest, two);
    }
    let (ones, rest) = buffer::chunks(rest);
    for mut blocks in ones {
        *blocks.get_out() = Mode::on_sets(mode, state, blocks.get_in(), 64, &one);
    }
    if !rest.is_empty() {
        Mode::on_filled_sets(mode, state, rest, one);
    }
}

impl Mode {
    /// Runs a mode, or ECB without a mode, on at most `N` blocks, of which there is one at least.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn on_filled_sets<const N: usize>(
        mode: Option<Self>,
        state: &mut [u8; 8],
        mut some: InOutBuf<'_, '_, [u8; 8]>,
        cipher: impl Fn(&[[u8; 8]; N]) -> [[u8; 8]; N],
    ) {
        let n = some.len();
        let mut blocks = [[0; 8]; N];
        blocks[..n].copy_from_slice(some.get_in());
        blocks = Self::on_sets(mode, state, &blocks, n, cipher);
        some.get_out().copy_from_slice(&blocks[..n]);
        wipe(&mut blocks, [0; 8]);
    }

    /// Runs a mode, or ECB without a mode, on sets of blocks, of which the first `n` blocks belong
    /// to the message.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn on_sets<const N: usize>(
        mode: Option<Self>,
        state: &mut [u8; 8],
        data: &[[u8; 8]; N],
        n: usize,
        cipher: impl Fn(&[[u8; 8]; N]) -> [[u8; 8]; N],
    ) -> [[u8; 8]; N] {
        let xor = |a: [u8; 8], b| (u64::from_ne_bytes(a) ^ u64::from_ne_bytes(b)).to_ne_bytes();
        let Some(mode) = mode else {
            return cipher(data);
        };
        if mode == Self::CbcDecrypt {
            let mut output = cipher(data);
            output[0] = xor(output[0], *state);
            for i in 1..N {
                output[i] = xor(output[i], data[i - 1]);
            }
            *state = data[n - 1];
            return output;
        }
        let mut input = [[0; 8]; N];
        if mode == Self::Ctr {
            let number = u64::from_be_bytes(*state);
            for (i, block) in input.iter_mut().enumerate() {
                *block = number.wrapping_add(i as u64).to_be_bytes();
            }
            *state = number.wrapping_add(n as u64).to_be_bytes();
        } else {
            input[0] = *state;
            input[1..].copy_from_slice(&data[..N - 1]);
            *state = data[n - 1];
        }
        let mut output = cipher(&input);
        for i in 0..N {
            output[i] = xor(output[i], data[i]);
        }
        output
    }

    /// Runs the mode on one group, of which the first `n` blocks belong to the message.
    #[inline(always)]
    fn work<const N: usize>(
        self,
        state: &mut u64,
        blocks: [[u8; 8]; N],
        n: usize,
        cipher: impl Fn([[u32; 2]; N]) -> [[u32; 2]; N],
    ) -> [[u8; 8]; N] {
        let data = blocks.map(u64::from_be_bytes);
        let before: [u64; N] = core::array::from_fn(|i| match (self, i) {
            (Self::Ctr, _) => state.wrapping_add(i as u64),
            (_, 0) => *state,
            _ => data[i - 1],
        });
        *state = match self {
            Self::Ctr => state.wrapping_add(n as u64),
            _ => data[n - 1],
        };
        let (input, sum) = match self {
            Self::CbcDecrypt => (data, before),
            _ => (before, data),
        };
        let output = cipher(input.map(|both| [(both >> 32) as u32, both as u32]));
        core::array::from_fn(|i| {
            let [a, b] = output[i];
            ((u64::from(a) << 32 | u64::from(b)) ^ sum[i]).to_be_bytes()
        })
    }
}

/// Splits a block into two big-endian words.
#[inline(always)]
pub(crate) fn words(block: [u8; 8]) -> [u32; 2] {
    let both = u64::from_be_bytes(block);
    [(both >> 32) as u32, both as u32]
}

/// Joins two words to a block; undoes [`words`].
#[inline(always)]
pub(crate) fn bytes([a, b]: [u32; 2]) -> [u8; 8] {
    (u64::from(a) << 32 | u64::from(b)).to_be_bytes()
}

/// The upper and the lower half of a word.
#[inline(always)]
pub(crate) fn halves(word: u32) -> [u16; 2] {
    [(word >> 16) as u16, word as u16]
}

/// Joins two halves to a word; undoes [`halves`].
#[inline(always)]
pub(crate) fn joined([upper, lower]: [u16; 2]) -> u32 {
    u32::from(upper) << 16 | u32::from(lower)
}
