//! AES with AES-NI: the modes in which each block depends on the result of the block before.
//!
//! The time of one message is the latency of a chain of rounds, so the chain must contain only
//! rounds. Let k₀ and kₙ be the first and the last round key, L the result of the last round
//! before kₙ is added, and *p* a block of input. If the key operand of the last round is kₙ ⊕
//! k₀ ⊕ *p*, the result of this round is the state of the next block after its first round key.
//! The output is computed from this state, outside of the chain:
//!
//! | mode | next state | output |
//! |---|---|---|
//! | CBC | L ⊕ kₙ ⊕ k₀ ⊕ next p | state ⊕ k₀ ⊕ next p |
//! | CFB | L ⊕ kₙ ⊕ k₀ ⊕ p | state ⊕ k₀ |
//! | OFB | L ⊕ kₙ ⊕ k₀ | state ⊕ k₀ ⊕ p |
//!
//! Libgcrypt computes CBC in the same way. The CBC-MAC of the AEADs is in
//! [`ctr_mac`](super::ctr_mac), which interleaves it with counter mode. Eight messages are
//! interleaved, each with a chain of its own. When a message ends, the next message takes its
//! place. When no message is left to start, the remaining messages are processed four, two or
//! one at a time. With VAES, `many512` processes sixteen messages at once, and this module
//! computes the rest.
#![allow(unsafe_code)]

use core::arch::asm;

use inout::{InOut, InOutBuf};

use super::aesni::but_last_round;
use super::{Block, RoundKeys, rounds};
use crate::cpu::Aes;
use crate::fuse::{Absorbed, Message};
use crate::machinery::unknown::again;
use crate::simd::U8x16;

/// The modes. They are constants because a const parameter cannot be an enum.
pub(super) const CBC: u8 = 0;
pub(super) const CFB: u8 = 1;
pub(super) const OFB: u8 = 2;
pub(super) const MAC: u8 = 3;

/// Loads the round key of one round.
#[inline(always)]
fn key(keys: &RoundKeys, round: usize) -> U8x16 {
    U8x16::from_u128(keys[round])
}

/// Encrypts one message in `MODE`: [`CBC`], [`CFB`] or [`OFB`].
#[inline]
pub(super) fn one<const MODE: u8, const KEY: usize>(
    _: Aes,
    keys: &RoundKeys,
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    // SAFETY: the token proves AES-NI.
    unsafe {
        if MODE == CBC {
            cbc::<KEY>(keys, chain, blocks);
        } else {
            feedback::<MODE, KEY>(keys, chain, blocks);
        }
    }
}

/// Computes all rounds of AES except the last round. The round keys are operands in memory, also in
/// a loop: one block needs no more instructions then, and no key goes to the stack for want of
/// registers.
#[inline]
#[target_feature(enable = "aes")]
fn but_last<const KEY: usize>(keys: &RoundKeys, mut state: U8x16) -> U8x16 {
    let keys = again(keys);
    for round in 1..const { rounds(KEY) } {
        state = state.aes_enc(key(keys, round));
    }
    state
}

/// CBC, in assembly, which leaves ciphertext in one register and nothing in the others, as
/// [`but_last_round`] says.
fn cbc<const KEY: usize>(keys: &RoundKeys, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
    if blocks.is_empty() {
        return;
    }
    let n = blocks.len();
    let (input, output) = blocks.into_raw();
    // SAFETY: the caller has proved AES-NI. The code reads `rounds(KEY) + 1` round keys, whose
    // addresses are multiples of 16, and reads and writes `n` blocks, which is not 0, at the pointers
    // of the buffer and one at `chain`.
    unsafe {
        asm!(
            "movdqu {x}, [{chain}]",
            "movdqu {share}, [{input}]",
            "pxor {x}, {share}",
            "pxor {x}, [{keys}]",
            "dec {n}",
            "jz 3f",
            "2:",
            "add {input}, 16",
            "movdqu {share}, [{input}]",
            "pxor {share}, [{keys}]",
            "movdqa {out}, {share}",
            "pxor {out}, [{keys} + 16 * {rounds}]",
            but_last_round!("aesenc"),
            "aesenclast {x}, {out}",
            "movdqa {out}, {x}",
            "pxor {out}, {share}",
            "movdqu [{output}], {out}",
            "add {output}, 16",
            "dec {n}",
            "jnz 2b",
            "3:",
            but_last_round!("aesenc"),
            "aesenclast {x}, [{keys} + 16 * {rounds}]",
            "movdqu [{output}], {x}",
            "movdqu [{chain}], {x}",
            "pxor {x}, {x}",
            "pxor {share}, {share}",
            "pxor {out}, {out}",
            x = out(xmm_reg) _,
            share = out(xmm_reg) _,
            out = out(xmm_reg) _,
            n = inout(reg) n => _,
            keys = in(reg) keys.as_ptr(),
            chain = in(reg) chain.as_mut_ptr(),
            input = inout(reg) input => _,
            output = inout(reg) output => _,
            rounds = const rounds(KEY),
            options(nostack)
        );
    }
}

#[target_feature(enable = "aes")]
fn feedback<const MODE: u8, const KEY: usize>(
    keys: &RoundKeys,
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let (first, last) = (key(keys, 0), key(keys, const { rounds(KEY) }));
    let both = first.xor(last);
    let mut state = U8x16::load(chain).xor(first);
    for mut block in blocks {
        let data = U8x16::load(block.get_in());
        state = but_last::<KEY>(keys, state);
        let out = if MODE == CFB {
            state = state.aes_enc_last(both.xor(data));
            state.xor(first)
        } else {
            state = state.aes_enc_last(both);
            state.xor(first.xor(data))
        };
        out.store(block.get_out());
    }
    state.xor(first).store(chain);
}

/// Encrypts in the mode CFB-8.
pub(super) fn cfb8<const KEY: usize>(
    _: Aes,
    keys: &RoundKeys,
    chain: &mut Block,
    bytes: InOutBuf<'_, '_, u8>,
) {
    // SAFETY: the token proves AES-NI and SSSE3.
    unsafe { entry::<KEY>(keys, chain, bytes) }

    #[target_feature(enable = "aes,ssse3")]
    fn entry<const KEY: usize>(keys: &RoundKeys, chain: &mut Block, bytes: InOutBuf<'_, '_, u8>) {
        let (first, last) = (key(keys, 0), key(keys, const { rounds(KEY) }));
        let mut window = U8x16::load(chain);
        for mut byte in bytes {
            let data = U8x16::from_u128(u128::from(*byte.get_in()));
            let sum = but_last::<KEY>(keys, window.xor(first)).aes_enc_last(last.xor(data));
            window = sum.after::<1>(window);
            *byte.get_out() = sum.to_u128() as u8;
        }
        window.store(chain);
    }
}

/// Encrypts many messages in `MODE`: [`CBC`], [`CFB`] or [`OFB`].
pub(super) fn many<const MODE: u8, const KEY: usize>(
    token: Aes,
    keys: &RoundKeys,
    messages: &mut [Message<'_, '_, Block>],
) {
    let lanes = messages.iter_mut().map(|message| Lane {
        left: message.blocks.len(),
        blocks: message.blocks.reborrow().into_iter(),
        chain: &mut message.chain,
    });
    by_eights::<MODE, KEY, _>(token, keys, lanes);
}

pub(super) fn cbc_mac_many<const KEY: usize>(
    token: Aes,
    keys: &RoundKeys,
    messages: &mut [Absorbed<'_, Block>],
) {
    let lanes = messages.iter_mut().map(|message| Lane {
        left: message.blocks.len(),
        blocks: message.blocks.iter(),
        chain: &mut message.chain,
    });
    by_eights::<MAC, KEY, _>(token, keys, lanes);
}

/// The part of a message that is still to be processed.
pub(super) struct Lane<'m, I> {
    pub(super) chain: &'m mut Block,
    pub(super) blocks: I,
    pub(super) left: usize,
}

/// A block of a message: its input, and its output if the mode writes an output.
pub(super) trait Place {
    fn input(&self) -> &Block;
    fn output(&mut self) -> Option<&mut Block>;
}

impl Place for InOut<'_, '_, Block> {
    #[inline(always)]
    fn input(&self) -> &Block {
        self.get_in()
    }
    #[inline(always)]
    fn output(&mut self) -> Option<&mut Block> {
        Some(self.get_out())
    }
}

impl Place for &Block {
    #[inline(always)]
    fn input(&self) -> &Block {
        self
    }
    #[inline(always)]
    fn output(&mut self) -> Option<&mut Block> {
        None
    }
}

pub(super) fn by_eights<'m, const MODE: u8, const KEY: usize, I: Iterator<Item: Place>>(
    token: Aes,
    keys: &RoundKeys,
    lanes: impl Iterator<Item = Lane<'m, I>>,
) {
    let lanes = lanes.filter(|lane| lane.left != 0);
    let lanes = through::<MODE, KEY, 8, I>(token, keys, lanes);
    let lanes = through::<MODE, KEY, 4, I>(token, keys, lanes.into_iter().flatten());
    let lanes = through::<MODE, KEY, 2, I>(token, keys, lanes.into_iter().flatten());
    through::<MODE, KEY, 1, I>(token, keys, lanes.into_iter().flatten());
}

/// Processes messages in `N` lanes as long as all lanes are full, and returns the
/// unfinished messages.
fn through<'m, const MODE: u8, const KEY: usize, const N: usize, I: Iterator<Item: Place>>(
    _: Aes,
    keys: &RoundKeys,
    mut waiting: impl Iterator<Item = Lane<'m, I>>,
) -> [Option<Lane<'m, I>>; N] {
    let mut lanes = core::array::from_fn(|_| waiting.next());
    while lanes.iter().all(Option::is_some) {
        let left = lanes.iter().flatten().map(|lane| lane.left);
        let n = left.min().unwrap_or(0);
        // SAFETY: the token proves AES-NI.
        unsafe { together::<MODE, KEY, N, I>(keys, &mut lanes, n) };
        for lane in &mut lanes {
            if lane.as_ref().is_some_and(|lane| lane.left == 0) {
                *lane = waiting.next();
            }
        }
    }
    lanes
}

/// Processes the next `n` blocks of every lane.
#[target_feature(enable = "aes")]
fn together<const MODE: u8, const KEY: usize, const N: usize, I: Iterator<Item: Place>>(
    keys: &RoundKeys,
    lanes: &mut [Option<Lane<'_, I>>; N],
    n: usize,
) {
    let mut chains = [U8x16::zero(); N];
    for (chain, lane) in chains.iter_mut().zip(lanes.iter().flatten()) {
        *chain = U8x16::load(lane.chain);
    }
    for _ in 0..n {
        let mut places = [const { None }; N];
        let mut data = [U8x16::zero(); N];
        for ((data, lane), slot) in data
            .iter_mut()
            .zip(lanes.iter_mut().flatten())
            .zip(&mut places)
        {
            *slot = lane.blocks.next();
            if let Some(place) = slot {
                *data = U8x16::load(place.input());
            }
        }
        let mut x = chains;
        for (x, data) in x.iter_mut().zip(&data) {
            if MODE == CBC || MODE == MAC {
                *x = x.xor(*data);
            }
            *x = x.xor(key(keys, 0));
        }
        for round in 1..const { rounds(KEY) } {
            for x in &mut x {
                *x = x.aes_enc(key(keys, round));
            }
        }
        let last = key(keys, const { rounds(KEY) });
        for ((x, chain), (data, place)) in
            x.iter().zip(&mut chains).zip(data.iter().zip(&mut places))
        {
            let last = if MODE == CFB { last.xor(*data) } else { last };
            *chain = x.aes_enc_last(last);
            if MODE != MAC
                && let Some(place) = place
                && let Some(output) = place.output()
            {
                let out = if MODE == OFB {
                    chain.xor(*data)
                } else {
                    *chain
                };
                out.store(output);
            }
        }
    }
    for (chain, lane) in chains.iter().zip(lanes.iter_mut().flatten()) {
        chain.store(lane.chain);
        lane.left -= n;
    }
}
