//! AES by instructions: the modes whose blocks do not wait for each other.
//!
//! The kernels differ in the width of a register and in nothing else. Features
//! cannot be generic, so the kernels are written once as a macro over the lane
//! type, the number of blocks that a register holds, and the number of registers
//! in flight.
//!
//! ```text
//!   64 bytes: | block 3 | block 2 | block 1 | block 0 |    U8x64, vaes512
//!   32 bytes:                     | block 1 | block 0 |    U8x32, vaes256
//!   16 bytes:                               | block 0 |    U8x16, aes-ni
//! ```
//!
//! - **Short messages.** What does not fill all registers goes through four, two
//!   and one of them; these do not wait for each other, so the processor overlaps
//!   them. The last register is loaded and stored in part, and what is less than
//!   one register goes to the narrower kernel: masks have a latency.
//! - **Counters** stay in a register, least significant byte first, and are turned
//!   by a shuffle.
//! - **Chains.** CBC needs each block's predecessor: a shift by one block through
//!   two registers, so that nothing is read twice and in place works.

/// What is done with the blocks; constants, because enums cannot be const
/// parameters.
pub(super) const ENCRYPT: u8 = 0;
pub(super) const DECRYPT: u8 = 1;
pub(super) const CTR: u8 = 2;
pub(super) const CBC_DECRYPT: u8 = 3;

macro_rules! parallel {
    (
        $Token:ty, $Lane:ident, $blocks:literal blocks, $wide:literal registers, $features:literal
        $(, less by $narrow:ident)?
    ) => {
        use crate::block::aes::parallel::{CBC_DECRYPT, CTR, DECRYPT, ENCRYPT};
        use crate::block::aes::{Block, RoundKeys, rounds};
        use crate::buffer;
        use inout::InOutBuf;

        type One = crate::simd::U8x16;
        type Lanes = crate::simd::$Lane;
        type Register = [Block; $blocks];

        pub(super) fn encrypt<const KEY: usize>(
            token: $Token,
            keys: &RoundKeys,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            $(if blocks.len() < $blocks {
                return $narrow::encrypt::<KEY>(token.into(), keys, blocks);
            })?
            let _ = token;
            // SAFETY: the token proves every feature that `each_register` names.
            unsafe { each_register::<ENCRYPT, KEY>(keys, 0, blocks) }
        }

        pub(super) fn decrypt<const KEY: usize>(
            token: $Token,
            keys: &RoundKeys,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            $(if blocks.len() < $blocks {
                return $narrow::decrypt::<KEY>(token.into(), keys, blocks);
            })?
            let _ = token;
            // SAFETY: the token proves every feature that `each_register` names.
            unsafe { each_register::<DECRYPT, KEY>(keys, 0, blocks) }
        }

        /// Counter mode; the lower half of `counter` must not overflow on the way.
        pub(super) fn ctr<const KEY: usize>(
            token: $Token,
            keys: &RoundKeys,
            counter: u128,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            $(if blocks.len() < $blocks {
                return $narrow::ctr::<KEY>(token.into(), keys, counter, blocks);
            })?
            let _ = token;
            // SAFETY: the token proves every feature that `each_register` names.
            unsafe { each_register::<CTR, KEY>(keys, counter, blocks) }
        }

        pub(super) fn cbc_decrypt<const KEY: usize>(
            token: $Token,
            keys: &RoundKeys,
            chain: &mut Block,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            $(if blocks.len() < $blocks {
                return $narrow::cbc_decrypt::<KEY>(token.into(), keys, chain, blocks);
            })?
            let _ = token;
            let before = u128::from_le_bytes(*chain);
            *chain = *blocks.get_in().last().unwrap_or(chain);
            // SAFETY: the token proves every feature that `each_register` names.
            unsafe { each_register::<CBC_DECRYPT, KEY>(keys, before, blocks) }
        }

        #[target_feature(enable = $features)]
        fn each_register<const WHAT: u8, const KEY: usize>(
            keys: &RoundKeys,
            state: u128,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            let mut state = Lanes::splat(One::from_u128(state));
            if WHAT == CTR {
                let mut places: Register = [[0; 16]; $blocks];
                let mut place = 0;
                while place < $blocks {
                    places[place][0] = place as u8;
                    place += 1;
                }
                state = state.add_u64(Lanes::load_blocks(&places));
            }
            let state = &mut state;
            let (registers, mut rest) = buffer::chunks(blocks);
            let (groups, registers) = buffer::chunks(registers);
            groups_of::<WHAT, KEY, $wide>(keys, state, groups);
            let (groups, registers) = buffer::chunks(registers);
            groups_of::<WHAT, KEY, 4>(keys, state, groups);
            let (groups, registers) = buffer::chunks(registers);
            groups_of::<WHAT, KEY, 2>(keys, state, groups);
            let (groups, _) = buffer::chunks(registers);
            groups_of::<WHAT, KEY, 1>(keys, state, groups);
            if !rest.is_empty() {
                let mut x = [Lanes::load_some(rest.get_in())];
                work::<WHAT, KEY, 1>(keys, state, &mut x);
                x[0].store_some(rest.get_out());
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn groups_of<const WHAT: u8, const KEY: usize, const N: usize>(
            keys: &RoundKeys,
            state: &mut Lanes,
            groups: InOutBuf<'_, '_, [Register; N]>,
        ) {
            for mut group in groups {
                let mut x = [Lanes::zero(); N];
                for (x, register) in x.iter_mut().zip(group.get_in()) {
                    *x = Lanes::load_blocks(register);
                }
                work::<WHAT, KEY, N>(keys, state, &mut x);
                for (x, register) in x.iter().zip(group.get_out()) {
                    x.store_blocks(register);
                }
            }
        }

        /// Replaces what registers hold by what the output shall hold. `state` is
        /// the next counters, or the blocks before.
        #[inline]
        #[target_feature(enable = $features)]
        fn work<const WHAT: u8, const KEY: usize, const N: usize>(
            keys: &RoundKeys,
            state: &mut Lanes,
            data: &mut [Lanes; N],
        ) {
            let mut x = *data;
            if WHAT == CTR {
                let turn = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
                let turn = Lanes::splat(One::load(&turn));
                let step = Lanes::splat(One::from_u128($blocks));
                for x in &mut x {
                    *x = state.shuffle(turn);
                    *state = state.add_u64(step);
                }
            }
            let first = Lanes::splat(One::from_u128(keys[0]));
            for x in &mut x {
                *x = x.xor(first);
            }
            for key in &keys[1..const { rounds(KEY) }] {
                let key = Lanes::splat(One::from_u128(*key));
                for x in &mut x {
                    *x = if WHAT == DECRYPT || WHAT == CBC_DECRYPT {
                        x.aes_dec(key)
                    } else {
                        x.aes_enc(key)
                    };
                }
            }
            let last = Lanes::splat(One::from_u128(keys[const { rounds(KEY) }]));
            for (x, data) in x.iter_mut().zip(data) {
                *x = match WHAT {
                    ENCRYPT => x.aes_enc_last(last),
                    DECRYPT => x.aes_dec_last(last),
                    // Adding the data to the key takes it off the chain.
                    CTR => x.aes_enc_last(last.xor(*data)),
                    _ => {
                        let before = data.shifted_in(*state);
                        *state = *data;
                        x.aes_dec_last(last.xor(before))
                    }
                };
                *data = *x;
            }
        }
    };
}
pub(super) use parallel;
