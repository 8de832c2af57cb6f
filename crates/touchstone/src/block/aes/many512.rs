//! AES with VAES on 512-bit registers, for many messages in serial modes, in which each block
//! needs the result of the block before. Sixteen messages are processed at once, four in each
//! register, up to the end of the shortest message. [`serial`] computes the remaining blocks.
#![allow(unsafe_code)]

use core::ptr;

use super::serial::{self, Lane};
use super::{Block, RoundKeys, rounds};
use crate::cpu::Avx512;
use crate::fuse::{Absorbed, Message};
use crate::simd::{U8x16, U8x64};

const LANES: usize = 16;

/// Encrypts many messages in the mode `MODE`, one of the constants of [`serial`].
pub(super) fn many<const MODE: u8, const KEY: usize>(
    token: Avx512,
    keys: &RoundKeys,
    messages: &mut [Message<'_, '_, Block>],
) {
    let (groups, _) = messages.as_chunks_mut::<LANES>();
    for group in groups {
        let n = shared(group.iter().map(|message| message.blocks.len()));
        let places = group.each_mut().map(|message| Place {
            buffer: message.blocks.reborrow().into_raw(),
            chain: &mut message.chain,
        });
        // SAFETY: the token proves every feature that `together` names, and no
        // message is shorter than `n` blocks.
        unsafe { together::<MODE, KEY>(keys, places, n) };
    }
    let lanes = messages.chunks_mut(LANES).flat_map(|group| {
        let n = shared(group.iter().map(|message| message.blocks.len()));
        group.iter_mut().map(move |message| {
            let (_, blocks) = message.blocks.reborrow().split_at(n);
            Lane {
                left: blocks.len(),
                blocks: blocks.into_iter(),
                chain: &mut message.chain,
            }
        })
    });
    serial::by_eights::<MODE, KEY, _>(token.into(), keys, lanes);
}

pub(super) fn cbc_mac_many<const KEY: usize>(
    token: Avx512,
    keys: &RoundKeys,
    messages: &mut [Absorbed<'_, Block>],
) {
    let (groups, _) = messages.as_chunks_mut::<LANES>();
    for group in groups {
        let n = shared(group.iter().map(|message| message.blocks.len()));
        let places = group.each_mut().map(|message| Place {
            buffer: (message.blocks.as_ptr(), ptr::null_mut()),
            chain: &mut message.chain,
        });
        // SAFETY: the token proves every feature that `together` names, no message is
        // shorter than `n` blocks, and MAC writes none.
        unsafe { together::<{ serial::MAC }, KEY>(keys, places, n) };
    }
    let lanes = messages.chunks_mut(LANES).flat_map(|group| {
        let n = shared(group.iter().map(|message| message.blocks.len()));
        group.iter_mut().map(move |message| {
            let blocks = &message.blocks[n..];
            Lane {
                left: blocks.len(),
                blocks: blocks.iter(),
                chain: &mut message.chain,
            }
        })
    });
    serial::by_eights::<{ serial::MAC }, KEY, _>(token.into(), keys, lanes);
}

/// Returns the number of blocks that a group of messages can process at once. This is the
/// length of the shortest message if the group is full, and 0 if not.
fn shared(lengths: impl ExactSizeIterator<Item = usize>) -> usize {
    match lengths.len() {
        LANES => lengths.min().unwrap_or(0),
        _ => 0,
    }
}

/// The start of a message's input and output, and the chain value of the message.
struct Place<'m> {
    buffer: (*const Block, *mut Block),
    chain: &'m mut Block,
}

/// Processes the first `n` blocks of every message.
///
/// # Safety
///
/// Both pointers of every message must be valid for `n` blocks: the input's pointer for reads,
/// the output's pointer for writes (except in mode `MAC`). The two pointers must be equal, or
/// their blocks must not overlap.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,aes,vaes")]
unsafe fn together<const MODE: u8, const KEY: usize>(
    keys: &RoundKeys,
    mut places: [Place<'_>; LANES],
    n: usize,
) {
    const {
        assert!(
            MODE == serial::CBC
                || MODE == serial::CFB
                || MODE == serial::OFB
                || MODE == serial::MAC
        )
    };
    let mut chains = [U8x64::zero(); LANES / 4];
    for (chain, four) in chains.iter_mut().zip(places.as_chunks::<4>().0) {
        *chain = U8x64::join(four.each_ref().map(|place| U8x16::load(place.chain)));
    }
    let buffers = places.each_ref().map(|place| place.buffer);
    let (fours, _) = buffers.as_chunks::<4>();
    let key = |round: usize| U8x64::splat(U8x16::from_u128(keys[round]));
    for at in 0..n {
        let mut data = [U8x64::zero(); LANES / 4];
        for (data, four) in data.iter_mut().zip(fours) {
            // SAFETY: `at` is below `n`, and the caller guarantees `n` blocks of input.
            *data = U8x64::join(four.map(|(input, _)| U8x16::load(unsafe { &*input.add(at) })));
        }
        let mut x = chains;
        for (x, data) in x.iter_mut().zip(&data) {
            *x = if MODE == serial::CBC || MODE == serial::MAC {
                x.xor3(*data, key(0))
            } else {
                x.xor(key(0))
            };
        }
        for round in 1..const { rounds(KEY) } {
            for x in &mut x {
                *x = x.aes_enc(key(round));
            }
        }
        let last = key(const { rounds(KEY) });
        for ((x, chain), (data, four)) in x.iter().zip(&mut chains).zip(data.iter().zip(fours)) {
            let block = x.aes_enc_last(last);
            let out = if MODE == serial::CFB || MODE == serial::OFB {
                block.xor(*data)
            } else {
                block
            };
            *chain = if MODE == serial::OFB { block } else { out };
            if MODE != serial::MAC {
                for (block, (_, output)) in out.blocks().into_iter().zip(four) {
                    // SAFETY: `at` is below `n`, and the caller guarantees `n` blocks of
                    // output.
                    block.store(unsafe { &mut *output.add(at) });
                }
            }
        }
    }
    for (chain, four) in chains.iter().zip(places.as_chunks_mut::<4>().0) {
        for (block, place) in chain.blocks().into_iter().zip(four) {
            block.store(place.chain);
        }
    }
}
