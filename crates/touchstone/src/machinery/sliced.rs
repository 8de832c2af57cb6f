//! Kernels that compute many blocks at once, with one register for each word (or byte) of a block
//! and one lane for each block. This module contains everything that the ciphers share: loading,
//! transposing, and the modes.
//!
//! ```text
//!   loaded:       register r, in units of 16 bytes  | block 4r+3 | … | block 4r |
//!   word-sliced:  register w, lane 4i + r           word w of block i of register r
//! ```
//!
//! A cipher gives a lane type, a number of groups, and two functions, `forwards` (encryption) and
//! `backwards` (decryption). A group is four registers of blocks. The macro adds the loading, the
//! transposing, the modes and the incomplete last group. [`shell`](super::shell) decides which
//! calls use a kernel and which calls use the portable form.
//!
//! # How to write a word-sliced kernel
//!
//! 1. Predict the time of a round, as the larger of two figures: its instructions divided by the
//!    instructions that start in a cycle, and the latency of its longest chain of dependent
//!    instructions. In a cycle, Zen 5 starts four logical operations or additions, two shifts or
//!    rotations, or two shuffles across a register, each on 64 bytes. A shuffle across a register
//!    has a latency of two cycles, a shuffle by bytes of five.
//! 2. Write the round for one group of words, `fn step(x: [Lanes; 4], …)`. Use methods of the lane
//!    type, `#[inline]`, and the kernel's features.
//! 3. Interleave groups by a `for` over `&mut [[Lanes; 4]; N]` *within* a round. If the chain of
//!    dependent instructions takes n times as long as the instructions alone, use 2n groups: a
//!    scheduler has room for some hundred instructions, and half of them wait. If the groups do not
//!    fit into the registers (four groups of Serpent for AVX2), storing some registers to the stack
//!    still takes less time than waiting: Serpent takes 3.9 cycles a byte with four groups and 4.8
//!    with fewer.
//! 4. Write a round key as `Lanes::splat(word)` outside of that loop: then one broadcast from
//!    memory serves all groups.
//! 5. `ternary` takes three inputs: an XOR of three values, a choice or a majority is one
//!    instruction. LLVM finds most of these by itself.
//! 6. Constants that can be moved through linear layers, such as complements, belong in the round
//!    keys, at key set-up.
//! 7. Loop over the period of the parts that differ from round to round (eight S-boxes), and unroll
//!    one period by a macro with literals. Code for all rounds without a loop is too long for the
//!    processor's cache of decoded instructions.
//! 8. Usually one block is faster in the portable form, and two blocks are faster in the lanes.
//!    Measure this threshold for the `shell`.
//!
//! # How to write a byte-sliced kernel
//!
//! 1. Slice by bytes where the cipher looks bytes up in tables or multiplies bytes by constants.
//!    With AVX-512 a table of 256 entries takes two `lookup`s of 128 entries and a choice by the
//!    top bit, and a product is one `affine`. With AVX2 a table takes 41 operations, 16 of them
//!    shuffles, and two products take nine, four of them shuffles.
//! 2. Slice by words where the cipher adds or rotates words. The conversions `to_planes` and
//!    `to_words` take eight unpacking instructions for four registers. That is less than the
//!    carries between bytes would take, because Zen 5 starts four unpacking instructions a cycle.
//! 3. The order of lanes is free, but two registers that are combined must have the same order.
//!    Unpacking permutes the lanes, so always use `to_planes` and `to_words` as a pair.
//! 4. Lookups and affine maps share two ports of the processor: count them apart from the other
//!    instructions. Prefer `affine` to a second table, and tables in memory to tables in registers,
//!    because a load is free. Join XORs to XORs of three values.
//! 5. A set of planes has 64 blocks. Fill up a shorter run as soon as computing its blocks one by
//!    one takes longer. Say so in the documentation if a single block uses tables. If the bytes of
//!    a word are looked up in different tables, sixteen blocks in words need as many lookups as in
//!    planes, and their chain is shorter: Twofish's kernel computes them in words.
//! 6. All phases of a round need the same two ports, and the chain of a round is long. So let two
//!    sets of planes (8 groups) alternate round by round. Keep one set on the stack if necessary;
//!    loads and stores have ports of their own.
//! 7. Measure, then read the loop with `objdump -d`. Look for calls, and for masks that are
//!    computed again in each round. A helper function is not inlined if it lacks the features, or
//!    if too many places call it; in the second case make it a macro. In an earlier version of
//!    Twofish such calls took a quarter of the time.

macro_rules! sliced {
    // With one of the following words, which is a parameter of `forwards` and `backwards` then, these have
    // code for each operation on whole groups. Such code has one caller, so compilers inline it, and all
    // blocks stay in registers.
    (USE: $($kernel:tt)*) => {
        $crate::machinery::sliced::sliced!(
            @ [inline] [USE: WHAT, ANY, ANY] $($kernel)*
        );
    };
    // The same for kernels that rarely get fewer than whole groups: the frame of whole ones has no room for
    // a copy of the last ones.
    (USE_OF_WHOLE: $($kernel:tt)*) => {
        $crate::machinery::sliced::sliced!(
            @ [inline(never)] [USE_OF_WHOLE: WHAT, ANY, ANY] $($kernel)*
        );
    };
    // The same also for the last groups, if they are few.
    (USE_OF_FEW: $($kernel:tt)*) => {
        $crate::machinery::sliced::sliced!(
            @ [inline] [USE_OF_FEW: WHAT, WHAT, ANY] $($kernel)*
        );
    };
    (
        @ [$last:meta] [$($USE:ident: $own:ident, $few:ident, $any:ident)?]
        $Token:ty, $Keys:ty, $Bytes:ident as $Words:ident,
        $blocks:literal blocks a register, $most:literal groups, $features:literal
    ) => {
        #[allow(unused_imports, reason = "a kernel uses some of them itself")]
        use crate::buffer;
        use crate::fuse::ocb_offsets::{Higher, Walk};
        use crate::machinery::operation::{
            CBC_DECRYPT, CFB_DECRYPT, CTR, DECRYPT, ENCRYPT, OCB_DECRYPT, OCB_ENCRYPT, XTS_DECRYPT,
            XTS_ENCRYPT,
        };
        use crate::wipe::wipe;
        use inout::{InOut, InOutBuf};

        type Block = [u8; 16];
        type Bytes = crate::simd::$Bytes;
        type Lanes = crate::simd::$Words;
        /// The blocks that one register holds.
        type Register = [Block; $blocks];

        $(
            /// For code that several operations share, in place of one operation.
            const $any: u8 = u8::MAX;
        )?

        /// The number of blocks in a group, which is four registers.
        const GROUP: usize = 4 * $blocks;

        /// The number of blocks in a turn of OCB3. The offset of each block in a turn is the offset
        /// before the turn XOR an entry of a table.
        const TURN: usize = 32;

        pub(super) fn encrypt(_: $Token, keys: &$Keys, blocks: InOutBuf<'_, '_, Block>) {
            // SAFETY: the token proves the features.
            unsafe {
                each_block::<ENCRYPT>(keys, 0, blocks);
            }
        }

        pub(super) fn decrypt(_: $Token, keys: &$Keys, blocks: InOutBuf<'_, '_, Block>) {
            // SAFETY: the token proves the features.
            unsafe {
                each_block::<DECRYPT>(keys, 0, blocks);
            }
        }

        /// Counter mode. The lower half of `counter` must not overflow within this call.
        pub(super) fn ctr(_: $Token, keys: &$Keys, counter: u128, blocks: InOutBuf<'_, '_, Block>) {
            // SAFETY: the token proves the features.
            unsafe {
                each_block::<CTR>(keys, counter, blocks);
            }
        }

        pub(super) fn cbc_decrypt(
            token: $Token,
            keys: &$Keys,
            chain: &mut Block,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            chained::<CBC_DECRYPT>(token, keys, chain, blocks);
        }

        pub(super) fn cfb_decrypt(
            token: $Token,
            keys: &$Keys,
            chain: &mut Block,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            chained::<CFB_DECRYPT>(token, keys, chain, blocks);
        }

        /// CBC or CFB decryption.
        #[inline(always)]
        fn chained<const WHAT: u8>(
            _: $Token,
            keys: &$Keys,
            chain: &mut Block,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            let before = u128::from_le_bytes(*chain);
            *chain = *blocks.get_in().last().unwrap_or(chain);
            // SAFETY: the token proves the features.
            unsafe {
                each_block::<WHAT>(keys, before, blocks);
            }
        }

        /// XTS on whole blocks. `tweak` is the tweak of the first block, and then receives that of
        /// the block after the last one.
        pub(super) fn xts_encrypt(
            token: $Token,
            keys: &$Keys,
            tweak: &mut Block,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            tweaked::<XTS_ENCRYPT>(token, keys, tweak, blocks);
        }

        /// Undoes [`xts_encrypt`].
        pub(super) fn xts_decrypt(
            token: $Token,
            keys: &$Keys,
            tweak: &mut Block,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            tweaked::<XTS_DECRYPT>(token, keys, tweak, blocks);
        }

        /// XTS in one direction.
        #[inline(always)]
        fn tweaked<const WHAT: u8>(
            _: $Token,
            keys: &$Keys,
            tweak: &mut Block,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            let first = u128::from_le_bytes(*tweak);
            // SAFETY: the token proves the features.
            let next = unsafe { each_block::<WHAT>(keys, first, blocks) };
            *tweak = next.to_le_bytes();
        }

        /// Splits `blocks` into the blocks that the kernel takes in OCB3, and the blocks after them.
        /// The kernel takes as many blocks at once as fill it. If these are not whole turns, it takes
        /// none.
        #[inline(always)]
        pub(super) fn split_turns<'i, 'o>(
            blocks: InOutBuf<'i, 'o, Block>,
        ) -> (InOutBuf<'i, 'o, Block>, InOutBuf<'i, 'o, Block>) {
            const AT_ONCE: usize = $most * GROUP;
            let whole = if AT_ONCE.is_multiple_of(TURN) {
                blocks.len() / AT_ONCE * AT_ONCE
            } else {
                0
            };
            blocks.split_at(whole)
        }

        /// OCB3 on the first blocks from [`split_turns`]. The number of blocks of the message before
        /// them must be a multiple of 32.
        pub(super) fn ocb_encrypt(
            _: $Token,
            keys: &$Keys,
            walk: &mut Walk<'_, Block>,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            // SAFETY: the token proves the features.
            unsafe { turns::<OCB_ENCRYPT>(keys, walk, blocks) }
        }

        /// Undoes [`ocb_encrypt`].
        pub(super) fn ocb_decrypt(
            _: $Token,
            keys: &$Keys,
            walk: &mut Walk<'_, Block>,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            // SAFETY: the token proves the features.
            unsafe { turns::<OCB_DECRYPT>(keys, walk, blocks) }
        }

        /// OCB3 in one direction.
        #[target_feature(enable = $features)]
        fn turns<const WHAT: u8>(
            keys: &$Keys,
            walk: &mut Walk<'_, Block>,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            debug_assert!(walk.index.is_multiple_of(TURN as u64));
            let higher = walk.higher((blocks.len() / TURN) as u64);
            let mut sum = Bytes::from_block(crate::simd::U8x16::load(&walk.sum));
            let (groups, _) = buffer::chunks::<_, GROUP>(blocks);
            for group in buffer::chunks::<_, $most>(groups).0 {
                let offsets = offsets::<$most>(walk, &higher);
                work::<WHAT, $most $(, $any)?>(keys, &mut sum, &offsets, group);
            }
            sum.fold().store(&mut walk.sum);
        }

        /// Returns the offsets of OCB3 for `N` groups of blocks, which are whole turns.
        #[inline]
        #[target_feature(enable = $features)]
        fn offsets<const N: usize>(
            walk: &mut Walk<'_, Block>,
            higher: &Higher<Block>,
        ) -> [[Bytes; 4]; N] {
            let mut offsets = [[Bytes::zero(); 4]; N];
            let steps = walk.table.steps.as_chunks::<$blocks>().0.as_chunks::<4>().0;
            for turn in offsets.chunks_mut(TURN / GROUP) {
                let base = crate::simd::U8x16::load(&walk.offset);
                walk.index += TURN as u64;
                let next = crate::simd::U8x16::load(&higher.at(walk));
                for (group, steps) in turn.iter_mut().zip(steps) {
                    for (offset, step) in group.iter_mut().zip(steps) {
                        *offset = Bytes::splat(base).xor(Bytes::load_blocks(step));
                    }
                }
                if let Some([.., last]) = turn.last_mut() {
                    *last = last.xor(Bytes::from_last(next));
                    last.block($blocks - 1).store(&mut walk.offset);
                }
            }
            offsets
        }

        /// Runs one operation on all blocks. `state` is the first counter for CTR, the ciphertext
        /// block before the first block for CBC and CFB, or the first tweak for XTS. Returns the
        /// next tweak for XTS.
        #[target_feature(enable = $features)]
        fn each_block<const WHAT: u8>(
            keys: &$Keys,
            state: u128,
            blocks: InOutBuf<'_, '_, Block>,
        ) -> u128 {
            let one = crate::simd::U8x16::from_u128(state);
            let mut tweak: Block = state.to_le_bytes();
            let mut state = Bytes::splat(one);
            if WHAT == XTS_ENCRYPT || WHAT == XTS_DECRYPT {
                let mut tweaks: Register = [[0; 16]; $blocks];
                for slot in &mut tweaks {
                    *slot = tweak;
                    tweak = $crate::fuse::unfused::next_tweak(tweak);
                }
                state = Bytes::load_blocks(&tweaks);
            }
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
                let tweaks = tweaks::<WHAT, $most>(&mut state);
                work::<WHAT, $most $(, $own)?>(keys, &mut state, &tweaks, group);
            }
            if $most > 4 {
                let (groups, fewer) = buffer::chunks::<_, 4>(registers);
                for group in groups {
                    let tweaks = tweaks::<WHAT, 4>(&mut state);
                    work::<WHAT, 4 $(, $any)?>(keys, &mut state, &tweaks, group);
                }
                registers = fewer;
            }
            if registers.is_empty() && rest.is_empty() {
                return state.block(0).to_u128();
            }

            match registers.len() + usize::from(!rest.is_empty()) {
                1 => last::<WHAT, 1 $(, $few)?>(keys, &mut state, registers, rest),
                2 => last::<WHAT, { if $most < 2 { $most } else { 2 } } $(, $few)?>(
                    keys, &mut state, registers, rest,
                ),
                3..=4 => last::<WHAT, { if $most < 4 { $most } else { 4 } } $(, $any)?>(
                    keys, &mut state, registers, rest,
                ),
                _ => last::<WHAT, $most $(, $any)?>(keys, &mut state, registers, rest),
            }
            state.block(0).to_u128()
        }

        /// Runs the operation on the last groups. If they are fewer than `N` whole ones, works on a copy of
        /// them, which is filled up to `N` groups.
        #[$last]
        #[target_feature(enable = $features)]
        #[allow(clippy::modulo_one, reason = "a register can be one block")]
        fn last<const WHAT: u8, const N: usize $(, const $USE: u8)?>(
            keys: &$Keys,
            state: &mut Bytes,
            registers: InOutBuf<'_, '_, [Block; GROUP]>,
            mut rest: InOutBuf<'_, '_, Block>,
        ) {
            let (mut full, mut registers) = buffer::chunks::<_, N>(registers);
            let (whole, odd) = (registers.len(), rest.len());
            let copied = full.is_empty();
            let mut copy = core::mem::MaybeUninit::uninit();
            let data = if copied {
                let copy: &mut [_; N] = copy.write([[[0; 16]; GROUP]; N]);
                copy[..whole].copy_from_slice(registers.get_in());
                if let Some(part) = copy.get_mut(whole) {
                    copy_in(rest.get_in(), part);
                }
                InOut::from(copy)
            } else {
                full.get(0)
            };
            let tweaks = tweaks::<WHAT, N>(state);
            work::<WHAT, N $(, $USE)?>(keys, state, &tweaks, data);
            if !copied {
                return;
            }
            // SAFETY: written above.
            let copy = unsafe { copy.assume_init_mut() };
            if WHAT == XTS_ENCRYPT || WHAT == XTS_DECRYPT {
                let blocks = whole * GROUP + odd;
                if let Some(next) = tweaks.as_flattened().get(blocks / $blocks) {
                    *state = Bytes::splat(next.block(blocks % $blocks));
                }
            }
            registers.get_out().copy_from_slice(&copy[..whole]);
            if let Some(part) = copy.get(whole) {
                copy_out(part, rest.get_out());
            }
            wipe(copy, [[0; 16]; GROUP]);
        }

        /// Copies blocks, of which there are at most as many as in a group, and zeros after them. Each
        /// store is as wide as the load that reads it: a load that needs the bytes of two stores would
        /// wait until both are in the cache.
        #[inline]
        #[target_feature(enable = $features)]
        fn copy_in(from: &[Block], to: &mut [Block; GROUP]) {
            for (r, register) in to.as_chunks_mut().0.iter_mut().enumerate() {
                // On Zen 5 a load with an empty mask takes 70 ns, if its address is not mapped.
                let some = match from.get(r * $blocks..) {
                    None | Some([]) => Bytes::zero(),
                    Some(some) => Bytes::load_some(some),
                };
                some.store_blocks(register);
            }
        }

        /// Copies the first blocks of a group.
        #[inline]
        #[target_feature(enable = $features)]
        fn copy_out(from: &[Block; GROUP], to: &mut [Block]) {
            for (r, register) in from.as_chunks().0.iter().enumerate() {
                if let Some(some @ [_, ..]) = to.get_mut(r * $blocks..) {
                    Bytes::load_blocks(register).store_some(some);
                }
            }
        }

        /// Returns the tweaks of XTS for `N` groups, and advances `state` to the tweaks after them.
        #[inline]
        #[target_feature(enable = $features)]
        fn tweaks<const WHAT: u8, const N: usize>(state: &mut Bytes) -> [[Bytes; 4]; N] {
            let mut tweaks = [[Bytes::zero(); 4]; N];
            if WHAT == XTS_ENCRYPT || WHAT == XTS_DECRYPT {
                // Each group's tweaks come from its first one: a chain through all of them would
                // take longer than their computation.
                for [first, second, third, fourth] in &mut tweaks {
                    *first = *state;
                    *second = state.times_x($blocks);
                    *third = state.times_x(2 * $blocks);
                    *fourth = state.times_x(3 * $blocks);
                    *state = state.times_x(4 * $blocks);
                }
            }
            tweaks
        }

        /// Replaces `N` groups of blocks by the output of the operation. `state` has the next
        /// counters for CTR, the last ciphertext block before these groups for CBC and CFB, or the
        /// checksum for OCB3. `tweaks` has the tweaks of XTS or the offsets of OCB3.
        #[inline]
        #[target_feature(enable = $features)]
        fn work<const WHAT: u8, const N: usize $(, const $USE: u8)?>(
            keys: &$Keys,
            state: &mut Bytes,
            tweaks: &[[Bytes; 4]; N],
            mut data: InOut<'_, '_, [[Block; GROUP]; N]>,
        ) {
            let tweaked =
                const { matches!(WHAT, XTS_ENCRYPT | XTS_DECRYPT | OCB_ENCRYPT | OCB_DECRYPT) };
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
                    } else if WHAT == CFB_DECRYPT {
                        before::<N>(data.get_in(), *state, i, r)
                    } else {
                        Bytes::load_blocks(&data.get_in()[i].as_chunks().0[r])
                    };
                    if WHAT == OCB_ENCRYPT {
                        *state = state.xor(registers[r]);
                    }
                    if tweaked {
                        registers[r] = registers[r].xor(tweaks[i][r]);
                    }
                }
                let [a, b, c, d] = registers;
                x[i] = Lanes::transpose4([a.into(), b.into(), c.into(), d.into()]);
            }
            if matches!(WHAT, DECRYPT | CBC_DECRYPT | XTS_DECRYPT | OCB_DECRYPT) {
                backwards::<N $(, $USE)?>(keys, &mut x);
            } else {
                forwards::<N $(, $USE)?>(keys, &mut x);
            }
            let last = data.get_in()[N - 1][GROUP - 1];
            // Starts at the last block: if CBC works in place, a block replaces the ciphertext
            // block that the block after it still needs.
            for i in (0..N).rev() {
                let registers = Lanes::transpose4(x[i]);
                for r in (0..4).rev() {
                    let mut y: Bytes = registers[r].into();
                    if WHAT == CTR || WHAT == CFB_DECRYPT {
                        y = y.xor(Bytes::load_blocks(&data.get_in()[i].as_chunks().0[r]));
                    }
                    if WHAT == CBC_DECRYPT {
                        y = y.xor(before::<N>(data.get_in(), *state, i, r));
                    }
                    if tweaked {
                        y = y.xor(tweaks[i][r]);
                    }
                    if WHAT == OCB_DECRYPT {
                        *state = state.xor(y);
                    }
                    y.store_blocks(&mut data.get_out()[i].as_chunks_mut().0[r]);
                }
            }
            if WHAT == CBC_DECRYPT || WHAT == CFB_DECRYPT {
                *state = Bytes::splat(crate::simd::U8x16::load(&last));
            }
        }

        /// Returns, for each ciphertext block in register `r` of group `i`, the ciphertext block
        /// directly before the block in the message: CBC decryption adds that block. Before the
        /// first block of the message stands `state`, the IV.
        #[inline]
        #[target_feature(enable = $features)]
        fn before<const N: usize>(
            data: &[[Block; GROUP]; N],
            state: Bytes,
            i: usize,
            r: usize,
        ) -> Bytes {
            let flat = data.as_flattened();
            let at = i * GROUP + r * $blocks;
            if at == 0 {
                Bytes::load_blocks(&flat.as_chunks().0[0]).shifted_in(state)
            } else {
                Bytes::load_blocks(&flat[at - 1..].as_chunks().0[0])
            }
        }
    };
    ($($kernel:tt)*) => {
        $crate::machinery::sliced::sliced!(@ [inline] [] $($kernel)*);
    };
}
pub(crate) use sliced;
