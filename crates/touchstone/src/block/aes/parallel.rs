//! AES with hardware instructions: the modes whose blocks do not depend on each other.
//!
//! The kernels differ only in the width of their registers. Rust cannot make a function generic
//! over CPU features. So one macro writes all kernels. Its arguments are the lane type, the
//! number of blocks in a register, and the number of registers that are computed at once.
//!
//! ```text
//!   64 bytes: | block 3 | block 2 | block 1 | block 0 |    U8x64, vaes512
//!   32 bytes:                     | block 1 | block 0 |    U8x32, vaes256
//!   16 bytes:                               | block 0 |    U8x16, aes-ni
//! ```
//!
//! - **Short messages.** Blocks that do not fill all registers are processed in groups of
//!   four, two and one registers. These groups are independent, so the processor computes them
//!   at the same time. The last register is loaded and stored in part. If a call has fewer
//!   blocks than one register holds, the kernel with the next smaller registers computes them,
//!   because masked loads have a latency.
//! - **Counters** stay in a register with the least significant byte first. A shuffle
//!   reverses the bytes of each counter to make the big-endian counter block.
//! - **Chains.** To decrypt a block in CBC, the code needs the ciphertext block before it. A
//!   shift by one block across two registers gives all these preceding blocks. So no block is
//!   read twice, and the mode works in place.
//! - **Tweaks** of XTS are powers of x times the first tweak. The state is a register of
//!   tweaks, one for each block of a register. Register *j* of a group of *N* gets the state
//!   times x^(j·blocks), and after the group the state is multiplied by x^(N·blocks). If a part
//!   of an exponent is a multiple of 8, this part is a shift by bytes, which uses another port
//!   than the rounds. Eight registers of 32 bytes share two reductions
//!   ([`even_powers`](crate::simd::U8x32::even_powers)), and each of eight registers of 16 bytes is
//!   made from the one before ([`powers`](U8x16::powers)).
//! - **Ciphertext stealing** of XTS needs two encryptions, one after the other. The first
//!   encryption takes the last whole block, which is in the last register. The code starts this
//!   register before other registers that come earlier in the message. The tweaks of this
//!   register are the state times x^(number of blocks in those earlier registers).
//! - **CFB-8 decryption.** To decrypt byte *r* of a block, the cipher encrypts 16 bytes of
//!   ciphertext: the bytes of the block before from byte *r* on, and then the first *r* bytes
//!   of this block. `palignr` by *r* makes this input. Sixteen registers of such inputs, one
//!   for each *r*, give the keystream of one register of blocks. A tree of unpacking
//!   instructions joins the sixteen keystream bytes of each block.

use crate::simd::U8x16;

/// Returns byte indices for a shuffle that moves the bytes of a block up by `up` places, or
/// down if `up` is negative. The shuffle fills the free places with zeros.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn moved(up: isize) -> U8x16 {
    /// A shuffle gives zero for an index with the top bit set.
    const PLACES: [u8; 48] = {
        let mut places = [0x80; 48];
        let mut place = 0;
        while place < 16 {
            places[16 + place] = place as u8;
            place += 1;
        }
        places
    };
    let from = 16usize.wrapping_add_signed(-up).min(32);
    PLACES[from..]
        .first_chunk()
        .map_or(U8x16::zero(), U8x16::load)
}

macro_rules! parallel {
    (
        $Token:ty, $Lane:ident, $blocks:literal blocks, $wide:literal registers, $features:literal
        $(, less by $narrow:ident)? $(, tweaks by $tweaks:ident)?
    ) => {
        use crate::block::aes::parallel::moved;
        use crate::block::aes::{Block, RoundKeys, rounds};
        use crate::machinery::operation::{
            CBC_DECRYPT, CFB_BYTES, CFB_DECRYPT, CTR, CTR_BYTES, CTR_LE32, DECRYPT, ENCRYPT, XTS_DECRYPT,
            XTS_ENCRYPT,
        };
        use crate::machinery::unknown::again;
        use crate::cipher::Block as _;
        use crate::buffer;
        use inout::InOutBuf;

        type One = crate::simd::U8x16;
        type Lanes = crate::simd::$Lane;
        type Register = [Block; $blocks];

        /// Encrypts a data unit of at least one block in XTS. `tweak` is the tweak of the first
        /// block.
        pub(super) fn xts_encrypt<const KEY: usize>(
            token: $Token,
            keys: &RoundKeys,
            tweak: &Block,
            unit: InOutBuf<'_, '_, u8>,
        ) {
            $(if unit.len() < 16 * $blocks {
                return $narrow::xts_encrypt::<KEY>(token.into(), keys, tweak, unit);
            })?
            let _ = token;
            // SAFETY: the token proves every feature that `data_unit` names.
            unsafe { data_unit::<XTS_ENCRYPT, KEY>(keys, tweak, unit); }
        }

        pub(super) fn xts_decrypt<const KEY: usize>(
            token: $Token,
            keys: &RoundKeys,
            tweak: &Block,
            unit: InOutBuf<'_, '_, u8>,
        ) {
            $(if unit.len() < 16 * $blocks {
                return $narrow::xts_decrypt::<KEY>(token.into(), keys, tweak, unit);
            })?
            let _ = token;
            // SAFETY: the token proves every feature that `data_unit` names.
            unsafe { data_unit::<XTS_DECRYPT, KEY>(keys, tweak, unit); }
        }

        /// Decrypts in the mode CFB-8.
        pub(super) fn cfb8_decrypt<const KEY: usize>(
            token: $Token,
            keys: &RoundKeys,
            chain: &mut Block,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            $(if blocks.len() == 1 {
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

        /// Computes the keystream of CFB-8 decryption for each byte of a register. `before` has
        /// the ciphertext block before each block of `data`.
        #[inline]
        #[target_feature(enable = $features)]
        fn bytes_keystream<const KEY: usize>(
            keys: &RoundKeys,
            data: Lanes,
            before: Lanes,
        ) -> Lanes {
            let low = half_keystream::<KEY>(keys, data, before);
            // The second call computes the keystream for byte 8 and the bytes after it.
            let middle = data.after::<8>(before);
            let high = half_keystream::<KEY>(keys, data.after::<8>(data), middle);
            low.pair_u64(high)
        }

        /// Computes the keystream for the lower half of each block, for [`bytes_keystream`].
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

        #[target_feature(enable = $features)]
        fn data_unit<const WHAT: u8, const KEY: usize>(
            keys: &RoundKeys,
            tweak: &Block,
            unit: InOutBuf<'_, '_, u8>,
        ) {
            let first = One::load(tweak);
            let mut tweaks = [first; $blocks];
            for (place, tweak) in tweaks.iter_mut().enumerate().skip(1) {
                *tweak = first.times_x(place as i32);
            }
            let mut state = Lanes::join(tweaks);
            // The code processes three parts of the data unit's end separately: the short last
            // block, the whole block from which the short block takes ciphertext, and the
            // blocks that fill the register of that whole block.
            let apart = match unit.len() % 16 {
                0 => 0,
                short => {
                    let before = (unit.len() - short).wrapping_sub(16);
                    before % size_of::<Register>() + 16 + short
                }
            };
            let (unit, end) = {
                let n = unit.len().saturating_sub(apart);
                unit.split_at(n)
            };
            let (blocks, _) = Block::split(unit);
            let (registers, rest) = buffer::chunks(blocks);
            let (groups, registers) = buffer::chunks(registers);
            groups_of::<WHAT, KEY, $wide>(keys, &mut state, groups);
            // `steal` does two encryptions, one after the other, and starts before the
            // remaining registers. The remaining registers depend on neither of the two
            // encryptions, so the processor computes these registers while the second
            // encryption waits for the first.
            if !end.is_empty() {
                let between = registers.len() * $blocks;
                steal::<WHAT, KEY>(keys, state.times_x(between as i32), end);
            }
            narrower::<WHAT, KEY>(keys, &mut state, registers);
            some::<WHAT, KEY>(keys, &mut state, rest);
        }

        /// Encrypts or decrypts the end of a data unit with ciphertext stealing: the last whole
        /// blocks, at most a register of them, and the short block after them.
        #[inline]
        #[target_feature(enable = $features)]
        fn steal<const WHAT: u8, const KEY: usize>(
            keys: &RoundKeys,
            mut tweaks: Lanes,
            mut end: InOutBuf<'_, '_, u8>,
        ) {
            let n = end.len() % 16;
            let (to_end, to_front) = (moved(16 - n.cast_signed()), moved(n.cast_signed() - 16));
            let Some(short) = end.get_in().last_chunk().map(|bytes| One::load(bytes)) else {
                return;
            };
            let (mut blocks, _) = Block::split(end.reborrow());
            let place = blocks.len().saturating_sub(1);
            let mut tweak = tweaks.block(place);
            let after = tweak.times_x(1);
            if WHAT == XTS_DECRYPT {
                tweaks = tweaks.with(place, after);
            } else {
                tweak = after;
            }
            let mut x = [Lanes::load_some(blocks.get_in())];
            work::<WHAT, KEY, 1>(keys, &mut tweaks, &mut x);
            x[0].store_some(blocks.get_out());
            let x = x[0].block(place);
            let stolen = x.shuffle(to_end);
            let x = x.xor(stolen.xor(short).shuffle(to_front));
            let x = one_of_xts::<WHAT, KEY>(keys, tweak, x);
            // This store also overwrites the block before the short block. `end` stores that
            // block afterwards.
            if let Some(short) = end.get_out().last_chunk_mut() {
                stolen.store(short);
            }
            let (mut blocks, _) = Block::split(end);
            if let Some(block) = blocks.get_out().last_mut() {
                x.store(block);
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn one_of_xts<const WHAT: u8, const KEY: usize>(
            keys: &RoundKeys,
            tweak: One,
            data: One,
        ) -> One {
            let mut x = data.xor(tweak.xor(One::from_u128(keys[0])));
            for key in &keys[1..const { rounds(KEY) }] {
                let key = One::from_u128(*key);
                x = if WHAT == XTS_DECRYPT {
                    x.aes_dec(key)
                } else {
                    x.aes_enc(key)
                };
            }
            let last = tweak.xor(One::from_u128(keys[const { rounds(KEY) }]));
            if WHAT == XTS_DECRYPT {
                x.aes_dec_last(last)
            } else {
                x.aes_enc_last(last)
            }
        }

        /// Processes registers that are fewer than the widest group has.
        #[inline]
        #[target_feature(enable = $features)]
        fn narrower<const WHAT: u8, const KEY: usize>(
            keys: &RoundKeys,
            state: &mut Lanes,
            registers: InOutBuf<'_, '_, Register>,
        ) {
            let (groups, registers) = buffer::chunks(registers);
            groups_of::<WHAT, KEY, 4>(keys, state, groups);
            let (groups, registers) = buffer::chunks(registers);
            groups_of::<WHAT, KEY, 2>(keys, state, groups);
            let (groups, _) = buffer::chunks(registers);
            groups_of::<WHAT, KEY, 1>(keys, state, groups);
        }

        /// Processes blocks that are fewer than a register holds.
        #[inline]
        #[target_feature(enable = $features)]
        fn some<const WHAT: u8, const KEY: usize>(
            keys: &RoundKeys,
            state: &mut Lanes,
            mut blocks: InOutBuf<'_, '_, Block>,
        ) {
            if !blocks.is_empty() {
                let mut x = [Lanes::load_some(blocks.get_in())];
                work::<WHAT, KEY, 1>(keys, state, &mut x);
                x[0].store_some(blocks.get_out());
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
                // Where there are only 16 registers, the compiler would keep the round keys of a loop on
                // the stack, which a short message pays for. (Counter mode of long messages with
                // AES-256 would lose 5 %.)
                let keys = if $blocks < 4 && WHAT != CTR {
                    again(keys)
                } else {
                    keys
                };
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

        /// Sets each place but the first to the tweaks of its register, and returns the tweaks of the
        /// register after the last place. `state` has the tweaks of the first register.
        #[inline]
        #[target_feature(enable = $features)]
        fn tweaks_of<const N: usize>(state: Lanes, tweaks: &mut [Lanes; N]) -> Lanes {
            $(if let Ok(eight) = <&mut [Lanes; 8]>::try_from(&mut tweaks[..]) {
                return state.$tweaks(eight);
            })?
            for place in 1..N {
                let bits = place * $blocks;
                let bytes = bits / 8 * 8;
                tweaks[place] = if bytes == 0 {
                    state.times_x(bits as i32)
                } else {
                    tweaks[(bits - bytes) / $blocks].times_x(bytes as i32)
                };
            }
            state.times_x((N * $blocks) as i32)
        }

        /// Replaces the input in `data` by the output. `state` has the next counters, the next
        /// tweaks, or the ciphertext block before these registers.
        #[inline]
        #[target_feature(enable = $features)]
        fn work<const WHAT: u8, const KEY: usize, const N: usize>(
            keys: &RoundKeys,
            state: &mut Lanes,
            data: &mut [Lanes; N],
        ) {
            let mut x = *data;
            if WHAT == CTR || WHAT == CTR_BYTES {
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
                *state = tweaks_of::<N>(*state, &mut tweaks);
                for (x, tweak) in x.iter_mut().zip(&tweaks) {
                    *x = x.xor(*tweak);
                }
            }
            if WHAT == CFB_DECRYPT || WHAT == CFB_BYTES {
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
                // With the tweaks and the round keys of AES-256, few of the 32 registers are left, and
                // the compiler would finish one of the eight after the other: 9 % slower. (Shorter
                // keys have room, and lose 2 to 4 % by this. Narrower kernels have 16 registers.)
                let xts = WHAT == XTS_ENCRYPT || WHAT == XTS_DECRYPT;
                if xts && KEY == 32 && $blocks == 4 {
                    if let Ok(x) = <&mut [Lanes; 8]>::try_from(&mut x[..]) {
                        Lanes::in_step(x);
                    }
                }
            }
            let last = Lanes::splat(One::from_u128(keys[const { rounds(KEY) }]));
            for ((x, data), tweak) in x.iter_mut().zip(data).zip(&tweaks) {
                *x = match WHAT {
                    ENCRYPT => x.aes_enc_last(last),
                    DECRYPT => x.aes_dec_last(last),
                    // The XOR of data and round key does not depend on the rounds before, so it
                    // adds no latency.
                    CTR | CTR_BYTES | CTR_LE32 | CFB_DECRYPT | CFB_BYTES => {
                        x.aes_enc_last(last.xor(*data))
                    }
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

/// Writes the functions of the modes that process each register alike. Other modules of the same
/// processor have them in assembly.
macro_rules! each_alike {
    (
        $Token:ty, $blocks:literal blocks, $wide:literal registers, $features:literal
        $(, less by $narrow:ident)?
    ) => {
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

        /// Computes counter mode. The lower half of `counter` must not overflow within this
        /// call.
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

        /// Computes counter mode of GCM-SIV. `counter` is the first counter block, read as a
        /// little-endian number.
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

        /// Returns the state for the first register. In counter mode the state has the counter
        /// of each block of the register. In CBC and CFB decryption it has the ciphertext block
        /// before the first block.
        #[inline]
        #[target_feature(enable = $features)]
        fn first_state<const WHAT: u8>(state: u128) -> Lanes {
            let state = Lanes::splat(One::from_u128(state));
            let mut places: Register = [[0; 16]; $blocks];
            let mut place = 0;
            while place < $blocks {
                places[place][0] = place as u8;
                place += 1;
            }
            let places = Lanes::load_blocks(&places);
            match WHAT {
                CTR | CTR_BYTES => state.add_u64(places),
                CTR_LE32 => state.add_u32(places),
                _ => state,
            }
        }

        #[target_feature(enable = $features)]
        fn each_register<const WHAT: u8, const KEY: usize>(
            keys: &RoundKeys,
            state: u128,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            let mut state = first_state::<WHAT>(state);
            // The splits below take as many instructions as one register.
            let only_one = $blocks > 1 && blocks.len() == $blocks;
            let (registers, rest) = buffer::chunks(blocks);
            if only_one {
                let (one, _) = buffer::chunks(registers);
                return groups_of::<WHAT, KEY, 1>(keys, &mut state, one);
            }
            let (groups, registers) = buffer::chunks(registers);
            groups_of::<WHAT, KEY, $wide>(keys, &mut state, groups);
            narrower::<WHAT, KEY>(keys, &mut state, registers);
            some::<WHAT, KEY>(keys, &mut state, rest);
        }
    };
}
pub(super) use each_alike;
