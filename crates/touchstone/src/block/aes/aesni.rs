//! AES by AES-NI: one block a register, eight in flight.
//!
//! The parallel modes are [`parallel`]'s; here are the serial one and the key
//! schedule.
//!
//! - **CBC, forwards.** Only the rounds are on the chain. With k₀ and kₙ the first
//!   and last round keys, the ciphertext block is L ⊕ kₙ and the next state is
//!   L ⊕ kₙ ⊕ (p ⊕ k₀); giving the last round kₙ ⊕ p ⊕ k₀ for a key makes the
//!   next state at once, and the ciphertext off the chain (as libgcrypt does).
//! - **Key set-up.** `aesenclast` on a word in all four columns is SubWord, as
//!   ShiftRows then moves equals to equals, and its key the round constant; this
//!   has a fraction of the latency of `aeskeygenassist`, which is microcode on
//!   many machines.
#![allow(unsafe_code)]

use super::RCON;
use super::parallel::parallel;
use crate::block::Message;
use crate::cpu::Aes;
use crate::simd::U8x16;
use inout::InOutBufIter;

parallel!(Aes, U8x16, 1 blocks, 8 registers, "aes,ssse3");

/// One round key.
#[inline(always)]
fn key(keys: &RoundKeys, round: usize) -> U8x16 {
    U8x16::from_u128(keys[round])
}

pub(super) fn cbc_encrypt<const KEY: usize>(
    _: Aes,
    keys: &RoundKeys,
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    // SAFETY: the token proves AES-NI.
    unsafe { entry::<KEY>(keys, chain, blocks) }

    #[target_feature(enable = "aes")]
    fn entry<const KEY: usize>(
        keys: &RoundKeys,
        chain: &mut Block,
        mut blocks: InOutBuf<'_, '_, Block>,
    ) {
        let (first, last) = (key(keys, 0), key(keys, const { rounds(KEY) }));
        // What enters the first round.
        let Some(block) = blocks.get_in().first() else {
            return;
        };
        let mut state = U8x16::load(block).xor(first).xor(U8x16::load(chain));
        for i in 1..blocks.len() {
            for round in 1..const { rounds(KEY) } {
                state = state.aes_enc(key(keys, round));
            }
            // p ⊕ k₀
            let share = U8x16::load(&blocks.get_in()[i]).xor(first);
            state = state.aes_enc_last(last.xor(share));
            state.xor(share).store(&mut blocks.get_out()[i - 1]);
        }
        for round in 1..const { rounds(KEY) } {
            state = state.aes_enc(key(keys, round));
        }
        state = state.aes_enc_last(last);
        state.store(chain);
        if let Some(block) = blocks.get_out().last_mut() {
            state.store(block);
        }
    }
}

/// CBC, forwards, over many messages: eight interleaved, each on its own chain.
/// A message that ends gives its lane to the next; when none waits, the others
/// go on by fours, twos and ones.
pub(super) fn cbc_encrypt_many<const KEY: usize>(
    token: Aes,
    keys: &RoundKeys,
    messages: &mut [Message<'_, '_, Block>],
) {
    let lanes = messages.iter_mut().map(|message| Lane {
        left: message.blocks.len(),
        blocks: message.blocks.reborrow().into_iter(),
        chain: &mut message.chain,
    });
    let lanes = through::<KEY, 8>(token, keys, lanes.filter(|lane| lane.left != 0));
    let lanes = through::<KEY, 4>(token, keys, lanes.into_iter().flatten());
    let lanes = through::<KEY, 2>(token, keys, lanes.into_iter().flatten());
    through::<KEY, 1>(token, keys, lanes.into_iter().flatten());
}

/// What is left of a message.
struct Lane<'m> {
    chain: &'m mut Block,
    blocks: InOutBufIter<'m, 'm, Block>,
    left: usize,
}

/// Takes messages through `N` lanes as long as all of them are full, and gives
/// back those that are not through.
fn through<'m, const KEY: usize, const N: usize>(
    _: Aes,
    keys: &RoundKeys,
    mut waiting: impl Iterator<Item = Lane<'m>>,
) -> [Option<Lane<'m>>; N] {
    let mut lanes = core::array::from_fn(|_| waiting.next());
    while lanes.iter().all(Option::is_some) {
        let left = lanes.iter().flatten().map(|lane| lane.left);
        let n = left.min().unwrap_or(0);
        // SAFETY: the token proves AES-NI.
        unsafe { together::<KEY, N>(keys, &mut lanes, n) };
        for lane in &mut lanes {
            if lane.as_ref().is_some_and(|lane| lane.left == 0) {
                *lane = waiting.next();
            }
        }
    }
    return lanes;

    /// Encrypts the next `n` blocks of every lane.
    #[target_feature(enable = "aes")]
    fn together<const KEY: usize, const N: usize>(
        keys: &RoundKeys,
        lanes: &mut [Option<Lane<'_>>; N],
        n: usize,
    ) {
        let mut x = [U8x16::zero(); N];
        for (x, lane) in x.iter_mut().zip(lanes.iter().flatten()) {
            *x = U8x16::load(lane.chain);
        }
        for _ in 0..n {
            let mut blocks = [const { None }; N];
            for ((x, lane), slot) in x
                .iter_mut()
                .zip(lanes.iter_mut().flatten())
                .zip(&mut blocks)
            {
                if let Some(block) = lane.blocks.next() {
                    *x = x.xor(U8x16::load(block.get_in()).xor(key(keys, 0)));
                    *slot = Some(block);
                }
            }
            for round in 1..const { rounds(KEY) } {
                for x in &mut x {
                    *x = x.aes_enc(key(keys, round));
                }
            }
            for (x, block) in x.iter_mut().zip(&mut blocks) {
                *x = x.aes_enc_last(key(keys, const { rounds(KEY) }));
                if let Some(block) = block {
                    x.store(block.get_out());
                }
            }
        }
        for (x, lane) in x.iter().zip(lanes.iter_mut().flatten()) {
            x.store(lane.chain);
            lane.left -= n;
        }
    }
}

pub(super) fn expand<const KEY: usize>(_: Aes, key: &[u8; KEY], keys: &mut RoundKeys) {
    // SAFETY: the token proves AES-NI and SSSE3.
    unsafe { entry(key, keys) }

    #[target_feature(enable = "aes,ssse3")]
    fn entry(key: &[u8], keys: &mut RoundKeys) {
        match key.as_chunks() {
            ([a], []) => expand_128(U8x16::load(a), keys),
            ([a], b) => {
                let mut low = [0; 16];
                low[..8].copy_from_slice(&b[..8]);
                expand_192(U8x16::load(a), U8x16::load(&low), keys);
            }
            ([a, b, ..], _) => expand_256(U8x16::load(a), U8x16::load(b), keys),
            ([], _) => {}
        }
    }
}

/// SubWord of the word whose bytes `places` names, in all four columns, plus a
/// constant.
#[inline]
#[target_feature(enable = "aes,ssse3")]
fn sub_word(words: U8x16, places: [u8; 4], constant: u32) -> U8x16 {
    let [a, b, c, d] = places;
    let places = [a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d];
    let constant = u128::from(constant) * 0x1_0000_0001_0000_0001_0000_0001;
    words
        .shuffle(U8x16::load(&places))
        .aes_enc_last(U8x16::from_u128(constant))
}

/// Each word plus all before it: the sums w[i-4] ⊕ … of four steps.
#[inline]
#[target_feature(enable = "sse2")]
fn sums(words: U8x16) -> U8x16 {
    let words = words.xor(words.up::<4>());
    words.xor(words.up::<8>())
}

#[inline]
#[target_feature(enable = "aes,ssse3")]
fn expand_128(mut a: U8x16, keys: &mut RoundKeys) {
    keys[0] = a.to_u128();
    for (key, constant) in keys[1..11].iter_mut().zip(RCON) {
        a = sums(a).xor(sub_word(a, [13, 14, 15, 12], constant));
        *key = a.to_u128();
    }
}

/// Six words a step, four in `a` and two in the lower half of `b`: two steps
/// are three round keys.
#[inline]
#[target_feature(enable = "aes,ssse3")]
fn expand_192(mut a: U8x16, mut b: U8x16, keys: &mut RoundKeys) {
    keys[0] = a.to_u128();
    for (keys, constants) in keys[1..13].chunks_exact_mut(3).zip(RCON.chunks_exact(2)) {
        let before = b;
        a = sums(a).xor(sub_word(b, [5, 6, 7, 4], constants[0]));
        b = b.xor(b.up::<4>()).xor(a.splat_top_u32());
        keys[0] = before.low_halves(a).to_u128();
        keys[1] = a.high_low_halves(b).to_u128();
        a = sums(a).xor(sub_word(b, [5, 6, 7, 4], constants[1]));
        b = b.xor(b.up::<4>()).xor(a.splat_top_u32());
        keys[2] = a.to_u128();
    }
}

#[inline]
#[target_feature(enable = "aes,ssse3")]
fn expand_256(mut a: U8x16, mut b: U8x16, keys: &mut RoundKeys) {
    keys[0] = a.to_u128();
    keys[1] = b.to_u128();
    for (pair, constant) in keys[2..14].chunks_exact_mut(2).zip(RCON) {
        a = sums(a).xor(sub_word(b, [13, 14, 15, 12], constant));
        b = sums(b).xor(sub_word(a, [12, 13, 14, 15], 0));
        pair[0] = a.to_u128();
        pair[1] = b.to_u128();
    }
    keys[14] = sums(a)
        .xor(sub_word(b, [13, 14, 15, 12], RCON[6]))
        .to_u128();
}

/// The round keys of the equivalent inverse cipher, [FIPS197] §5.3.5.
pub(super) fn invert<const KEY: usize>(_: Aes, keys: &RoundKeys, inverse: &mut RoundKeys) {
    // SAFETY: the token proves AES-NI.
    unsafe { entry::<KEY>(keys, inverse) }

    #[target_feature(enable = "aes")]
    fn entry<const KEY: usize>(keys: &RoundKeys, inverse: &mut RoundKeys) {
        let last = const { rounds(KEY) };
        inverse[0] = keys[last];
        for round in 1..last {
            inverse[round] = key(keys, last - round).aes_inv_mix_columns().to_u128();
        }
        inverse[last] = keys[0];
    }
}
