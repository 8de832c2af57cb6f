//! SHACAL-2 encryption with SHA-NI, four or two blocks interleaved.
//!
//! `sha256rnds2` does two rounds on a state in two registers. One register has the words a b e
//! f, the other register has c d g h, from the highest lane down ([SDM] vol. 2, SHA256RNDS2).
//! The instruction's result is the new a b e f. The old a b e f is the new c d g h. The round
//! keys are the same for all blocks and are loaded once. There is no such instruction for
//! decryption.
//!
//! - [SDM] Intel 64 and IA-32 Architectures Software Developer's Manual
//!
//! [SDM]: https://www.intel.com/sdm
#![allow(unsafe_code)]

use inout::InOutBuf;

use super::{Block, K, RoundKeys};
use crate::cpu::Sha;
use crate::machinery::groups::and_singles;
use crate::machinery::serial::Mode;
use crate::simd::U32x4;

pub(super) fn encrypt(_: Sha, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    let whole = blocks.len() / 4 * 4;
    let (fours, few) = blocks.split_at(whole);
    // SAFETY: the token proves SHA-NI, SSSE3 and SSE4.1.
    let one = |one| unsafe { encrypt_1(keys, &[one])[0] };
    // SAFETY: the token proves SHA-NI, SSSE3 and SSE4.1.
    and_singles(fours, |four| unsafe { encrypt_4(keys, &four) }, one);
    // SAFETY: the token proves SHA-NI, SSSE3 and SSE4.1.
    and_singles(few, |two| unsafe { encrypt_2(keys, &two) }, one);
}

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn encrypt_4(keys: &RoundKeys, blocks: &[Block; 4]) -> [Block; 4] {
    interleaved(keys, blocks)
}

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn encrypt_2(keys: &RoundKeys, blocks: &[Block; 2]) -> [Block; 2] {
    interleaved(keys, blocks)
}

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn encrypt_1(keys: &RoundKeys, blocks: &[Block; 1]) -> [Block; 1] {
    interleaved(keys, blocks)
}

/// Encrypts in a serial mode. From block to block, the chaining value stays in the instruction's order
/// of words.
pub(super) fn chained(
    _: Sha,
    keys: &RoundKeys,
    mode: Mode,
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    // SAFETY: the token proves SHA-NI, SSSE3 and SSE4.1.
    unsafe { entry(keys, mode, chain, blocks) }

    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn entry(keys: &RoundKeys, mode: Mode, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        let mut sum = load(chain);
        for mut block in blocks {
            let data = load(block.get_in());
            let output;
            (output, sum) = match mode {
                Mode::Cbc => {
                    let output = one(keys, xor(sum, data));
                    (output, output)
                }
                Mode::Cfb => {
                    let output = xor(one(keys, sum), data);
                    (output, output)
                }
                Mode::Ofb => {
                    let key = one(keys, sum);
                    (xor(key, data), key)
                }
            };
            store(output, block.get_out());
        }
        store(sum, chain);
    }
}

/// Computes CBC-MAC.
pub(super) fn absorbed(_: Sha, keys: &RoundKeys, chain: &mut Block, blocks: &[Block]) {
    // SAFETY: the token proves SHA-NI, SSSE3 and SSE4.1.
    unsafe { entry(keys, chain, blocks) }

    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn entry(keys: &RoundKeys, chain: &mut Block, blocks: &[Block]) {
        let mut sum = load(chain);
        for block in blocks {
            sum = one(keys, xor(sum, load(block)));
        }
        store(sum, chain);
    }
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn one(keys: &RoundKeys, state: [U32x4; 2]) -> [U32x4; 2] {
    let mut state = [state];
    rounds(keys, &mut state);
    state[0]
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn xor(a: [U32x4; 2], b: [U32x4; 2]) -> [U32x4; 2] {
    [a[0].xor(b[0]), a[1].xor(b[1])]
}

/// Computes the key schedule, which is the message schedule of SHA-256, with four words in each
/// step.
pub(super) fn expand(_: Sha, key: &[u8; 64], keys: &mut RoundKeys) {
    // SAFETY: the token proves SHA-NI, SSSE3 and SSE4.1.
    unsafe { entry(key, keys) }

    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn entry(key: &[u8; 64], keys: &mut RoundKeys) {
        let mut w = [U32x4::load(&[0; 4]); 4];
        for (w, bytes) in w.iter_mut().zip(key.as_chunks().0) {
            *w = U32x4::load_be(bytes);
        }
        let (keys, _) = keys.as_chunks_mut();
        for (i, (key, k)) in keys.iter_mut().zip(K.as_chunks().0).enumerate() {
            let [a, b, c, d] = w;
            a.add(U32x4::load(k)).store(key);
            if i < 12 {
                let seven_before = c.window_1(d);
                w = [
                    b,
                    c,
                    d,
                    a.sha256_message1(b).add(seven_before).sha256_message2(d),
                ];
            } else {
                w = [b, c, d, a];
            }
        }
    }
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn interleaved<const N: usize>(keys: &RoundKeys, blocks: &[Block; N]) -> [Block; N] {
    let mut states = [[U32x4::load(&[0; 4]); 2]; N];
    for n in 0..N {
        states[n] = load(&blocks[n]);
    }
    rounds(keys, &mut states);
    let mut output = [[0; 32]; N];
    for n in 0..N {
        store(states[n], &mut output[n]);
    }
    output
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn load(block: &Block) -> [U32x4; 2] {
    let (halves, _) = block.as_chunks();
    // The loaded registers have the words d c b a and h g f e, from the highest lane down. The
    // code changes them to the order of the instruction.
    let (low, high) = (U32x4::load_be(&halves[0]), U32x4::load_be(&halves[1]));
    let abef = high.low_halves(low).permute::<0b10_11_00_01>();
    let cdgh = high.high_halves(low).permute::<0b10_11_00_01>();
    [abef, cdgh]
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn store([abef, cdgh]: [U32x4; 2], block: &mut Block) {
    let abef = abef.permute::<0b10_11_00_01>();
    let cdgh = cdgh.permute::<0b10_11_00_01>();
    let (halves, _) = block.as_chunks_mut();
    abef.high_halves(cdgh).store_be(&mut halves[0]);
    abef.low_halves(cdgh).store_be(&mut halves[1]);
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn rounds<const N: usize>(keys: &RoundKeys, states: &mut [[U32x4; 2]; N]) {
    for four in keys.as_chunks().0 {
        let low = U32x4::load(four);
        let high = low.permute::<0b00_00_11_10>();
        for [abef, cdgh] in &mut *states {
            *cdgh = cdgh.sha256_rounds2(*abef, low);
        }
        for [abef, cdgh] in &mut *states {
            *abef = abef.sha256_rounds2(*cdgh, high);
        }
    }
}
