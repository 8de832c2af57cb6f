//! Counter mode and CBC-MAC in one loop with AES-NI, for the AEADs EAX and CCM.
//!
//! CBC-MAC is a chain: the encryption of each block waits for the encryption of the block
//! before. The time of the chain is the latency of all rounds of all blocks. The processor
//! computes counter mode while it waits. The loop does eight blocks of counter mode, and then
//! eight steps of the chain. The processor executes instructions out of order, so it starts the
//! next eight counter blocks during the chain. Wider registers would not save time here, so
//! all machines with AES-NI use this code.
//!
//! The key operand of the last round of a block also contains the next block of the message, as
//! [`serial`](super::serial) describes. So the chain contains only rounds.
#![allow(unsafe_code)]

use super::{Block, RoundKeys, rounds};
use crate::buffer;
use crate::cpu::Aes;
use crate::machinery::unknown::again;
use crate::simd::U8x16;
use inout::InOutBuf;

#[inline(always)]
fn key(keys: &RoundKeys, round: usize) -> U8x16 {
    U8x16::from_u128(keys[round])
}

/// Computes only CBC-MAC, without counter mode.
pub(super) fn mac<const KEY: usize>(_: Aes, keys: &RoundKeys, chain: &mut Block, blocks: &[Block]) {
    // SAFETY: the token proves AES-NI.
    unsafe { entry::<KEY>(keys, chain, blocks) }

    #[target_feature(enable = "aes")]
    fn entry<const KEY: usize>(keys: &RoundKeys, chain: &mut Block, blocks: &[Block]) {
        let mut state = U8x16::load(chain).xor(key(keys, 0));
        state = links::<KEY>(keys, state, blocks);
        state.xor(key(keys, 0)).store(chain);
    }
}

/// Processes blocks in the CBC-MAC chain. `state`, and the value that is returned, is the chain
/// value XOR the first round key.
#[inline]
#[target_feature(enable = "aes")]
fn links<const KEY: usize>(keys: &RoundKeys, mut state: U8x16, blocks: &[Block]) -> U8x16 {
    let Some((first, rest)) = blocks.split_first() else {
        return state;
    };
    let last = key(keys, const { rounds(KEY) }).xor(key(keys, 0));
    state = state.xor(U8x16::load(first));
    for block in rest {
        // So that no key goes to the stack for want of registers.
        let keys = again(keys);
        for round in 1..const { rounds(KEY) } {
            state = state.aes_enc(key(keys, round));
        }
        state = state.aes_enc_last(last.xor(U8x16::load(block)));
    }
    for round in 1..const { rounds(KEY) } {
        state = state.aes_enc(key(keys, round));
    }
    state.aes_enc_last(last)
}

/// Computes counter mode and CBC-MAC on the same blocks. The lower half of `counter` must not
/// overflow within this call.
pub(super) fn ctr_mac<const KEY: usize, const OUTPUT: bool>(
    _: Aes,
    keys: &RoundKeys,
    counter: u128,
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    // SAFETY: the token proves AES-NI and SSSE3.
    unsafe { entry::<KEY, OUTPUT>(keys, counter, chain, blocks) }

    #[target_feature(enable = "aes,ssse3")]
    fn entry<const KEY: usize, const OUTPUT: bool>(
        keys: &RoundKeys,
        counter: u128,
        chain: &mut Block,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        let mut counter = U8x16::from_u128(counter);
        let mut state = U8x16::load(chain).xor(key(keys, 0));
        let (groups, rest) = buffer::chunks(blocks);
        group::<KEY, OUTPUT, 8>(keys, &mut counter, &mut state, groups);
        let (groups, rest) = buffer::chunks(rest);
        group::<KEY, OUTPUT, 4>(keys, &mut counter, &mut state, groups);
        let (groups, _) = buffer::chunks(rest);
        group::<KEY, OUTPUT, 1>(keys, &mut counter, &mut state, groups);
        state.xor(key(keys, 0)).store(chain);
    }

    #[inline]
    #[target_feature(enable = "aes,ssse3")]
    fn group<const KEY: usize, const OUTPUT: bool, const N: usize>(
        keys: &RoundKeys,
        counter: &mut U8x16,
        state: &mut U8x16,
        groups: InOutBuf<'_, '_, [Block; N]>,
    ) {
        let turn = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
        let turn = U8x16::load(&turn);
        let one = U8x16::from_u128(1);
        for mut group in groups {
            let input = *group.get_in();
            let mut x = [U8x16::zero(); N];
            for x in &mut x {
                *x = counter.shuffle(turn).xor(key(keys, 0));
                *counter = counter.add_u64(one);
            }
            for round in 1..const { rounds(KEY) } {
                for x in &mut x {
                    *x = x.aes_enc(key(keys, round));
                }
            }
            let last = key(keys, const { rounds(KEY) });
            let output = group.get_out();
            for i in 0..N {
                x[i] = x[i].aes_enc_last(last.xor(U8x16::load(&input[i])));
                x[i].store(&mut output[i]);
            }
            *state = links::<KEY>(keys, *state, if OUTPUT { output } else { &input });
        }
    }
}
