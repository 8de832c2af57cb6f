//! Ciphers on many blocks at once, a register for each word (or byte) of a block
//! and a lane for each block: what all of them share, that is, everything around
//! the cipher.
//!
//! ```text
//!   loaded:       register r, in units of 16 bytes  | block 4r+3 | … | block 4r |
//!   word-sliced:  register w, lane 4i + r           word w of block i of register r
//! ```
//!
//! A kernel is a lane type, a number of groups of four registers, and two
//! functions that it writes, `forwards` and `backwards`; the macro adds loading,
//! transposing, the modes and the odd blocks at the end. What goes to it, and what
//! to the portable form, is [`shell`](super::shell)'s.
//!
//! # How to write a word-sliced kernel
//!
//! 1. Predict: instructions a round over what starts in a cycle, against the
//!    length of the chain through it. Zen 5 starts four logical operations or
//!    additions, two shifts or rotations, two shuffles across a register, each
//!    on 64 bytes and with a latency of two (shuffles by bytes five).
//! 2. Write the round for one group of words, `fn step(x: [Lanes; 4], …)`, of
//!    methods of the lane type, `#[inline]` and with the kernel's features.
//! 3. Interleave groups by a `for` over `&mut [[Lanes; 4]; N]` *within* a round:
//!    twice as many as the chain is longer than the work, for a scheduler holds
//!    some hundred instructions and half of them wait. Spilling what does not
//!    fit in the registers (Serpent's four groups for AVX2) is cheaper than
//!    idling: Serpent went from 4.8 to 3.9 cycles a byte so.
//! 4. A round key is `Lanes::splat(word)` outside that loop: one broadcast from
//!    memory for all groups.
//! 5. `ternary` takes three inputs: whatever is a sum of three, a choice or a
//!    majority is one instruction; LLVM finds most of them by itself.
//! 6. Complements and other constants that pass linear layers belong in the
//!    round keys, at key set-up.
//! 7. Loop over the period of what varies (eight S-boxes) and unroll it by a
//!    macro with literals; a loop over all rounds is too long for the cache of
//!    decoded instructions.
//! 8. One block goes to the portable form, two already to the lanes: measure that
//!    for the `shell`.
//!
//! # How to write a byte-sliced kernel
//!
//! 1. Byte-slice where bytes are looked up: a table of 256 for all lanes is two
//!    `lookup`s of 128 and a choice by the top bit, whatever the table; and where
//!    bytes are multiplied by constants, which is one `affine`. With AVX2 a lookup
//!    is 16 shuffles in 41 operations, and two products are 4 in 9.
//! 2. Keep words where words are added or rotated. Between both lie eight
//!    unpackings for four registers, `to_planes` and `to_words`: less than what
//!    carries between bytes cost, as Zen 5 starts four a cycle.
//! 3. The order of lanes does not matter, but must be the same wherever two
//!    registers meet. Unpacking permutes them; so that planes undo what words
//!    did, always use the two functions as a pair.
//! 4. Lookups and affine maps share two ports: count them apart from the rest.
//!    Prefer `affine` to a second table, tables in memory to tables in registers
//!    (a load is free), and sums of three.
//! 5. Sixty-four blocks fill the planes; what is less is padded as soon as it
//!    takes longer one by one. Say so where a single block goes by tables. Where
//!    bytes of a word go through different tables, sixteen blocks cost as many
//!    lookups as words, and a shorter chain: Twofish's go so.
//! 6. A round's phases all want the same two ports, and its chain is long: let
//!    two sets of planes take turns, round by round (8 groups), on the stack if
//!    need be; loads and stores have ports of their own.
//! 7. Measure, then look at the loop by `objdump -d`: calls (a helper without the
//!    features, or called from too many places to be inlined: make it a macro; in
//!    Twofish this took a quarter of the time), masks made again in each round.

macro_rules! sliced {
    (
        $Token:ty, $Keys:ty, $Bytes:ident as $Words:ident,
        $blocks:literal blocks a register, $most:literal groups, $features:literal
    ) => {
        #[allow(unused_imports, reason = "a kernel uses some of them itself")]
        use crate::buffer;
        use crate::wipe::wipe;
        use inout::{InOut, InOutBuf};

        type Block = [u8; 16];
        type Bytes = crate::simd::$Bytes;
        type Lanes = crate::simd::$Words;
        /// What one register holds of the data.
        type Register = [Block; $blocks];

        /// Blocks in four of them.
        const GROUP: usize = 4 * $blocks;
        const ENCRYPT: u8 = 0;
        const DECRYPT: u8 = 1;
        const CTR: u8 = 2;
        const CBC_DECRYPT: u8 = 3;

        pub(super) fn encrypt(_: $Token, keys: &$Keys, blocks: InOutBuf<'_, '_, Block>) {
            // SAFETY: the token proves the features.
            unsafe { each_block::<ENCRYPT>(keys, 0, blocks) }
        }

        pub(super) fn decrypt(_: $Token, keys: &$Keys, blocks: InOutBuf<'_, '_, Block>) {
            // SAFETY: the token proves the features.
            unsafe { each_block::<DECRYPT>(keys, 0, blocks) }
        }

        /// Counter mode; the lower half of `counter` must not overflow on the way.
        pub(super) fn ctr(_: $Token, keys: &$Keys, counter: u128, blocks: InOutBuf<'_, '_, Block>) {
            // SAFETY: the token proves the features.
            unsafe { each_block::<CTR>(keys, counter, blocks) }
        }

        pub(super) fn cbc_decrypt(
            _: $Token,
            keys: &$Keys,
            chain: &mut Block,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            let before = u128::from_le_bytes(*chain);
            *chain = *blocks.get_in().last().unwrap_or(chain);
            // SAFETY: the token proves the features.
            unsafe { each_block::<CBC_DECRYPT>(keys, before, blocks) }
        }

        /// `state` is the first counter, or the block before.
        #[target_feature(enable = $features)]
        fn each_block<const WHAT: u8>(keys: &$Keys, state: u128, blocks: InOutBuf<'_, '_, Block>) {
            let one = crate::simd::U8x16::from_u128(state);
            let mut state = Bytes::splat(one);
            if WHAT == CTR {
                let mut places: Register = [[0; 16]; $blocks];
                let mut place = 0;
                while place < $blocks {
                    places[place][0] = place as u8;
                    place += 1;
                }
                state = state.add_u64(Bytes::load_blocks(&places));
            }
            let (registers, rest) = buffer::chunks::<_, GROUP>(blocks);
            let (groups, mut registers) = buffer::chunks::<_, $most>(registers);
            for group in groups {
                work::<WHAT, $most>(keys, &mut state, group);
            }
            if $most > 4 {
                let (groups, fewer) = buffer::chunks::<_, 4>(registers);
                for group in groups {
                    work::<WHAT, 4>(keys, &mut state, group);
                }
                registers = fewer;
            }
            if registers.is_empty() && rest.is_empty() {
                return;
            }

            match registers.len() + usize::from(!rest.is_empty()) {
                1 => last::<WHAT, 1>(keys, &mut state, registers, rest),
                2 => last::<WHAT, { if $most < 2 { $most } else { 2 } }>(
                    keys, &mut state, registers, rest,
                ),
                3..=4 => last::<WHAT, { if $most < 4 { $most } else { 4 } }>(
                    keys, &mut state, registers, rest,
                ),
                _ => last::<WHAT, $most>(keys, &mut state, registers, rest),
            }
        }

        /// What is not whole, in a copy of `N` groups.
        #[inline]
        #[target_feature(enable = $features)]
        fn last<const WHAT: u8, const N: usize>(
            keys: &$Keys,
            state: &mut Bytes,
            mut registers: InOutBuf<'_, '_, [Block; GROUP]>,
            mut rest: InOutBuf<'_, '_, Block>,
        ) {
            let mut copy = [[[0; 16]; GROUP]; N];
            let whole = registers.len();
            copy[..whole].copy_from_slice(registers.get_in());
            let odd = rest.len();
            if let Some(part) = copy.get_mut(whole) {
                part[..odd].copy_from_slice(rest.get_in());
            }
            work::<WHAT, N>(keys, state, InOut::from(&mut copy));
            registers.get_out().copy_from_slice(&copy[..whole]);
            if let Some(part) = copy.get(whole) {
                rest.get_out().copy_from_slice(&part[..odd]);
            }
            wipe(&mut copy, [[0; 16]; GROUP]);
        }

        /// Replaces `N` groups by what the output shall hold. `state` is the next
        /// counters, or the blocks before.
        #[inline]
        #[target_feature(enable = $features)]
        fn work<const WHAT: u8, const N: usize>(
            keys: &$Keys,
            state: &mut Bytes,
            mut data: InOut<'_, '_, [[Block; GROUP]; N]>,
        ) {
            let mut x = [[Lanes::splat(0); 4]; N];
            for i in 0..N {
                let mut registers = [Bytes::zero(); 4];
                for r in 0..4 {
                    registers[r] = if WHAT == CTR {
                        let turn = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
                        let turn = Bytes::splat(crate::simd::U8x16::load(&turn));
                        let counters = state.shuffle(turn);
                        let step = Bytes::splat(crate::simd::U8x16::from_u128($blocks));
                        *state = state.add_u64(step);
                        counters
                    } else {
                        Bytes::load_blocks(&data.get_in()[i].as_chunks().0[r])
                    };
                }
                let [a, b, c, d] = registers;
                x[i] = Lanes::transpose4([a.into(), b.into(), c.into(), d.into()]);
            }
            if WHAT == DECRYPT || WHAT == CBC_DECRYPT {
                backwards::<N>(keys, &mut x);
            } else {
                forwards::<N>(keys, &mut x);
            }
            let last = data.get_in()[N - 1][GROUP - 1];
            // From the end, as CBC reads the blocks before those that it replaces.
            for i in (0..N).rev() {
                let registers = Lanes::transpose4(x[i]);
                for r in (0..4).rev() {
                    let mut y: Bytes = registers[r].into();
                    if WHAT == CTR {
                        y = y.xor(Bytes::load_blocks(&data.get_in()[i].as_chunks().0[r]));
                    }
                    if WHAT == CBC_DECRYPT {
                        let flat = data.get_in().as_flattened();
                        let at = i * GROUP + r * $blocks;
                        y = y.xor(if at == 0 {
                            Bytes::load_blocks(&flat.as_chunks().0[0]).shifted_in(*state)
                        } else {
                            Bytes::load_blocks(&flat[at - 1..].as_chunks().0[0])
                        });
                    }
                    y.store_blocks(&mut data.get_out()[i].as_chunks_mut().0[r]);
                }
            }
            if WHAT == CBC_DECRYPT {
                *state = Bytes::splat(crate::simd::U8x16::load(&last));
            }
        }
    };
}
pub(crate) use sliced;
