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
//! - **Tweaks** of XTS are powers of x times the first. Register *j* of *N* has the
//!   next tweaks times x^(j·blocks), and N that follow go on by x^(N·blocks). Whole
//!   bytes of that are shifts of bytes, which do not take the place of a round.
//! - **CFB of bytes, backwards.** What is encrypted for byte *r* of a block are the
//!   last bytes of the block before from *r* on, and then the first of the block:
//!   `palignr` by *r*. Sixteen registers make the keystream of one, a byte of each
//!   block apiece, which a tree of unpacking puts together.

/// What is done with the blocks; constants, because enums cannot be const
/// parameters.
pub(super) const ENCRYPT: u8 = 0;
pub(super) const DECRYPT: u8 = 1;
pub(super) const CTR: u8 = 2;
pub(super) const CBC_DECRYPT: u8 = 3;
pub(super) const CFB_DECRYPT: u8 = 4;
pub(super) const XTS_ENCRYPT: u8 = 5;
pub(super) const XTS_DECRYPT: u8 = 6;
/// Counter mode of which the first 32 bits count, little-endian.
pub(super) const CTR_LE32: u8 = 7;

macro_rules! parallel {
    (
        $Token:ty, $Lane:ident, $blocks:literal blocks, $wide:literal registers, $features:literal
        $(, less by $narrow:ident)?
    ) => {
        use crate::block::aes::parallel::{
            CBC_DECRYPT, CFB_DECRYPT, CTR, CTR_LE32, DECRYPT, ENCRYPT, XTS_DECRYPT, XTS_ENCRYPT,
        };
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
            unsafe { each_register::<ENCRYPT, KEY>(keys, 0, blocks); }
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
            unsafe { each_register::<DECRYPT, KEY>(keys, 0, blocks); }
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
            unsafe { each_register::<CTR, KEY>(keys, counter, blocks); }
        }

        /// Counter mode of GCM-SIV; the counter is as the block has it.
        pub(super) fn ctr_le32<const KEY: usize>(
            token: $Token,
            keys: &RoundKeys,
            counter: u128,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            $(if blocks.len() < $blocks {
                return $narrow::ctr_le32::<KEY>(token.into(), keys, counter, blocks);
            })?
            let _ = token;
            // SAFETY: the token proves every feature that `each_register` names.
            unsafe { each_register::<CTR_LE32, KEY>(keys, counter, blocks); }
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
            unsafe { each_register::<CBC_DECRYPT, KEY>(keys, before, blocks); }
        }

        pub(super) fn cfb_decrypt<const KEY: usize>(
            token: $Token,
            keys: &RoundKeys,
            chain: &mut Block,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            $(if blocks.len() < $blocks {
                return $narrow::cfb_decrypt::<KEY>(token.into(), keys, chain, blocks);
            })?
            let _ = token;
            let before = u128::from_le_bytes(*chain);
            *chain = *blocks.get_in().last().unwrap_or(chain);
            // SAFETY: the token proves every feature that `each_register` names.
            unsafe { each_register::<CFB_DECRYPT, KEY>(keys, before, blocks); }
        }

        pub(super) fn xts_encrypt<const KEY: usize>(
            token: $Token,
            keys: &RoundKeys,
            tweak: &mut Block,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            $(if blocks.len() < $blocks {
                return $narrow::xts_encrypt::<KEY>(token.into(), keys, tweak, blocks);
            })?
            let _ = token;
            let first = u128::from_le_bytes(*tweak);
            // SAFETY: the token proves every feature that `each_register` names.
            *tweak = unsafe { each_register::<XTS_ENCRYPT, KEY>(keys, first, blocks) };
        }

        pub(super) fn xts_decrypt<const KEY: usize>(
            token: $Token,
            keys: &RoundKeys,
            tweak: &mut Block,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            $(if blocks.len() < $blocks {
                return $narrow::xts_decrypt::<KEY>(token.into(), keys, tweak, blocks);
            })?
            let _ = token;
            let first = u128::from_le_bytes(*tweak);
            // SAFETY: the token proves every feature that `each_register` names.
            *tweak = unsafe { each_register::<XTS_DECRYPT, KEY>(keys, first, blocks) };
        }

        /// Cipher feedback of single bytes, backwards.
        pub(super) fn cfb8_decrypt<const KEY: usize>(
            token: $Token,
            keys: &RoundKeys,
            chain: &mut Block,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            $(if blocks.len() < $blocks {
                return $narrow::cfb8_decrypt::<KEY>(token.into(), keys, chain, blocks);
            })?
            let _ = token;
            let before = u128::from_le_bytes(*chain);
            *chain = *blocks.get_in().last().unwrap_or(chain);
            // SAFETY: the token proves every feature that `bytes` names.
            unsafe { bytes::<KEY>(keys, before, blocks) }
        }

        #[target_feature(enable = $features)]
        fn bytes<const KEY: usize>(
            keys: &RoundKeys,
            before: u128,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            let mut before = Lanes::splat(One::from_u128(before));
            let (registers, mut rest) = buffer::chunks(blocks);
            for mut register in registers {
                let data = Lanes::load_blocks(register.get_in());
                let out = data.xor(bytes_keystream::<KEY>(keys, data, data.shifted_in(before)));
                out.store_blocks(register.get_out());
                before = data;
            }
            if !rest.is_empty() {
                let data = Lanes::load_some(rest.get_in());
                let out = data.xor(bytes_keystream::<KEY>(keys, data, data.shifted_in(before)));
                out.store_some(rest.get_out());
            }
        }

        /// What is added to each byte of a register; `before` is the block before
        /// each of its blocks.
        #[inline]
        #[target_feature(enable = $features)]
        fn bytes_keystream<const KEY: usize>(
            keys: &RoundKeys,
            data: Lanes,
            before: Lanes,
        ) -> Lanes {
            let low = half_keystream::<KEY>(keys, data, before);
            // The same, eight bytes on.
            let middle = data.after::<8>(before);
            let high = half_keystream::<KEY>(keys, data.after::<8>(data), middle);
            low.pair_u64(high)
        }

        /// The lower half of each block of [`bytes_keystream`].
        #[inline]
        #[target_feature(enable = $features)]
        fn half_keystream<const KEY: usize>(
            keys: &RoundKeys,
            data: Lanes,
            before: Lanes,
        ) -> Lanes {
            let mut x = [
                before,
                data.after::<1>(before),
                data.after::<2>(before),
                data.after::<3>(before),
                data.after::<4>(before),
                data.after::<5>(before),
                data.after::<6>(before),
                data.after::<7>(before),
            ];
            let first = Lanes::splat(One::from_u128(keys[0]));
            for x in &mut x {
                *x = x.xor(first);
            }
            for key in &keys[1..const { rounds(KEY) }] {
                let key = Lanes::splat(One::from_u128(*key));
                for x in &mut x {
                    *x = x.aes_enc(key);
                }
            }
            let last = Lanes::splat(One::from_u128(keys[const { rounds(KEY) }]));
            for x in &mut x {
                *x = x.aes_enc_last(last);
            }
            let [a, b, c, d, e, f, g, h] = x;
            let low = a.pair_u8(b).pair_u16(c.pair_u8(d));
            let high = e.pair_u8(f).pair_u16(g.pair_u8(h));
            low.pair_u32(high)
        }

        /// The block that `state` begins with at the end: in XTS, the next tweak.
        #[target_feature(enable = $features)]
        fn each_register<const WHAT: u8, const KEY: usize>(
            keys: &RoundKeys,
            state: u128,
            blocks: InOutBuf<'_, '_, Block>,
        ) -> Block {
            let first = One::from_u128(state);
            let mut state = Lanes::splat(first);
            if WHAT == CTR || WHAT == CTR_LE32 {
                let mut places: Register = [[0; 16]; $blocks];
                let mut place = 0;
                while place < $blocks {
                    places[place][0] = place as u8;
                    place += 1;
                }
                let places = Lanes::load_blocks(&places);
                state = if WHAT == CTR {
                    state.add_u64(places)
                } else {
                    state.add_u32(places)
                };
            }
            if WHAT == XTS_ENCRYPT || WHAT == XTS_DECRYPT {
                let mut tweaks = [first; $blocks];
                for (place, tweak) in tweaks.iter_mut().enumerate().skip(1) {
                    *tweak = first.times_x(place as i32);
                }
                state = Lanes::join(tweaks);
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
            let mut next: Register = [[0; 16]; $blocks];
            if WHAT == XTS_ENCRYPT || WHAT == XTS_DECRYPT {
                state.store_blocks(&mut next);
            }
            let past = rest.len();
            if past != 0 {
                let mut x = [Lanes::load_some(rest.get_in())];
                work::<WHAT, KEY, 1>(keys, state, &mut x);
                x[0].store_some(rest.get_out());
            }
            *next.get(past).unwrap_or(&[0; 16])
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
        /// the next counters or tweaks, or the blocks before.
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
            if WHAT == CTR_LE32 {
                let step = Lanes::splat(One::from_u128($blocks));
                for x in &mut x {
                    *x = *state;
                    *state = state.add_u32(step);
                }
            }
            let mut tweaks = [*state; N];
            if WHAT == XTS_ENCRYPT || WHAT == XTS_DECRYPT {
                for place in 1..N {
                    let bits = place * $blocks;
                    let bytes = bits / 8 * 8;
                    tweaks[place] = if bytes == 0 {
                        state.times_x(bits as i32)
                    } else {
                        tweaks[(bits - bytes) / $blocks].times_x(bytes as i32)
                    };
                }
                *state = state.times_x((N * $blocks) as i32);
                for (x, tweak) in x.iter_mut().zip(&tweaks) {
                    *x = x.xor(*tweak);
                }
            }
            if WHAT == CFB_DECRYPT {
                for x in &mut x {
                    let before = x.shifted_in(*state);
                    *state = *x;
                    *x = before;
                }
            }
            let first = Lanes::splat(One::from_u128(keys[0]));
            for x in &mut x {
                *x = x.xor(first);
            }
            for key in &keys[1..const { rounds(KEY) }] {
                let key = Lanes::splat(One::from_u128(*key));
                for x in &mut x {
                    *x = if WHAT == DECRYPT || WHAT == CBC_DECRYPT || WHAT == XTS_DECRYPT {
                        x.aes_dec(key)
                    } else {
                        x.aes_enc(key)
                    };
                }
            }
            let last = Lanes::splat(One::from_u128(keys[const { rounds(KEY) }]));
            for ((x, data), tweak) in x.iter_mut().zip(data).zip(&tweaks) {
                *x = match WHAT {
                    ENCRYPT => x.aes_enc_last(last),
                    DECRYPT => x.aes_dec_last(last),
                    // Adding the data to the key takes it off the chain.
                    CTR | CTR_LE32 | CFB_DECRYPT => x.aes_enc_last(last.xor(*data)),
                    XTS_ENCRYPT => x.aes_enc_last(last.xor(*tweak)),
                    XTS_DECRYPT => x.aes_dec_last(last.xor(*tweak)),
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
