//! OCB3 with AES instructions, eight registers at a time. One macro writes the code for all
//! register widths, as for the [parallel modes](super::parallel).
//!
//! If the number of blocks so far is a multiple of 32, the offset of each of the next 32 blocks
//! is the current offset XOR an entry of the [table](crate::fuse::ocb_offsets::Table). So an
//! offset costs one XOR before the first round, which also adds the first round key, and one
//! XOR before the last round. If the number of blocks so far is not a multiple of 32, single
//! blocks are computed until it is. This happens only for a message that comes in pieces.
#![allow(unsafe_code)]

use super::{RoundKeys, rounds};
use crate::cpu::Aes;
use crate::fuse::ocb_offsets::{Start, stretched};
use crate::simd::U8x16;

/// Encrypts the blocks before those of the message: the nonce's block and the end of the associated
/// data at once, even if there is none, and then the offset of the last bytes. All are numbers in
/// registers, because a load of a block that two stores just wrote waits for both.
pub(super) fn start<const KEY: usize>(
    _: Aes,
    keys: &RoundKeys,
    nonce: u128,
    bottom: u32,
    start: &mut Start,
) {
    // SAFETY: the token proves AES-NI.
    return unsafe { entry::<KEY>(keys, nonce, bottom, start) };

    #[target_feature(enable = "aes,ssse3")]
    fn entry<const KEY: usize>(keys: &RoundKeys, nonce: u128, bottom: u32, start: &mut Start) {
        let key = |round: usize| U8x16::from_u128(keys[round]);
        let mut nonce = U8x16::from_u128(nonce.swap_bytes()).xor(key(0));
        let mut header = U8x16::load(&start.header).xor(key(0));
        for round in 1..const { rounds(KEY) } {
            nonce = nonce.aes_enc(key(round));
            header = header.aes_enc(key(round));
        }
        let last = key(const { rounds(KEY) });
        header.aes_enc_last(last).store(&mut start.header);
        let top = nonce.aes_enc_last(last).to_u128().swap_bytes();
        let offset = U8x16::from_u128(stretched(top, bottom).swap_bytes()).apart();
        offset.store(&mut start.offset);
        if start.has_last {
            let mut x = U8x16::load(&start.last).xor(offset).xor(key(0));
            for round in 1..const { rounds(KEY) } {
                x = x.aes_enc(key(round));
            }
            x.aes_enc_last(last).store(&mut start.last);
        }
    }
}

/// Writes a module for one register width. `$turns` is the number of groups of eight registers
/// that hold 32 blocks.
macro_rules! ocb {
    (
        $name:ident, $Token:ty, $Lane:ident, $blocks:literal blocks, $turns:literal turns,
        $features:literal
    ) => {
        pub(super) mod $name {
            use crate::block::aes::{Block, RoundKeys, rounds};
            use crate::buffer;
            use crate::fuse::ocb_offsets::Walk;
            use crate::machinery::operation::{DECRYPT, ENCRYPT, OCB_HASH};
            use crate::machinery::unknown::again;
            use crate::simd::U8x16 as One;
            use inout::{InOut, InOutBuf};

            type Lanes = crate::simd::$Lane;
            type Register = [Block; $blocks];

            /// Computes OCB3 on blocks, if the number of blocks of the message before them is a
            /// multiple of 32.
            pub(in super::super) fn blocks<const WHAT: u8, const KEY: usize>(
                _: $Token,
                keys: &RoundKeys,
                walk: &mut Walk<'_, Block>,
                blocks: InOutBuf<'_, '_, Block>,
            ) {
                debug_assert!(walk.index.is_multiple_of(32));
                // SAFETY: the token proves every feature that `entry` names.
                unsafe { entry::<WHAT, KEY>(keys, walk, blocks) }
            }

            #[target_feature(enable = $features)]
            fn entry<const WHAT: u8, const KEY: usize>(
                keys: &RoundKeys,
                walk: &mut Walk<'_, Block>,
                blocks: InOutBuf<'_, '_, Block>,
            ) {
                let (steps, _) = walk.table.steps.as_chunks::<$blocks>();
                let mut base = One::load(&walk.offset);
                let mut sum = Lanes::from_block(One::load(&walk.sum));
                let (groups, rest) = buffer::chunks::<Block, 32>(blocks);
                if !groups.is_empty() {
                    (base, sum) = long::<WHAT, KEY>(keys, walk, base, sum, groups);
                }

                // Fewer than 32 blocks remain: the code processes whole registers first, then
                // single blocks.
                let left = rest.len();
                let (registers, rest) = buffer::chunks::<Block, $blocks>(rest);
                let n = registers.len();
                for (mut register, step) in registers.into_iter().zip(steps) {
                    let offset = Lanes::splat(base).xor(Lanes::load_blocks(step));
                    let x = Lanes::load_blocks(register.get_in());
                    let x = one::<WHAT, KEY>(keys, offset, x, &mut sum);
                    if WHAT != OCB_HASH {
                        x.store_blocks(register.get_out());
                    }
                }
                let mut sum = sum.fold();
                let steps = &walk.table.steps[n * $blocks..];
                for (mut block, step) in rest.into_iter().zip(steps) {
                    let offset = base.xor(One::load(step));
                    let x = One::load(block.get_in());
                    let x = single::<WHAT, KEY>(keys, offset, x, &mut sum);
                    if WHAT != OCB_HASH {
                        x.store(block.get_out());
                    }
                }
                if let Some(last) = left.checked_sub(1) {
                    base = base.xor(One::load(&walk.table.steps[last]));
                    walk.index += left as u64;
                }
                base.store(&mut walk.offset);
                sum.store(&mut walk.sum);
            }

            /// Processes groups of 32 blocks. A function apart, because it needs a large frame,
            /// which is overwritten after the message.
            #[inline(never)]
            #[target_feature(enable = $features)]
            fn long<const WHAT: u8, const KEY: usize>(
                keys: &RoundKeys,
                walk: &mut Walk<'_, Block>,
                mut base: One,
                mut sum: Lanes,
                groups: InOutBuf<'_, '_, [Block; 32]>,
            ) -> (One, Lanes) {
                let (steps, _) = walk.table.steps.as_chunks::<$blocks>();
                let (steps, _) = steps.as_chunks::<8>();
                let higher = walk.higher(groups.len() as u64);
                for group in groups {
                    walk.index += 32;
                    let next = One::load(&higher.at(walk));
                    let mut turns = turns(group);
                    for turn in 0..$turns {
                        let last = if turn == $turns - 1 {
                            next
                        } else {
                            One::zero()
                        };
                        let input = turns.get_in()[turn];
                        let output;
                        (output, sum) =
                            eight::<WHAT, KEY>(keys, base, &steps[turn], last, &input, sum);
                        if WHAT != OCB_HASH {
                            for i in 0..8 {
                                output[i].store_blocks(&mut turns.get_out()[turn][i]);
                            }
                        }
                    }
                    base = base.xor(next).xor(One::load(&walk.table.steps[31]));
                }
                (base, sum)
            }

            /// Returns a group as registers.
            #[inline(always)]
            fn turns<'a>(
                group: InOut<'a, 'a, [Block; 32]>,
            ) -> InOut<'a, 'a, [[Register; 8]; $turns]> {
                const { assert!(8 * $turns * $blocks == 32) }
                let (input, output) = group.into_raw();
                // SAFETY: both types are 32 blocks, and the pointers are valid for as long as
                // the group is borrowed.
                unsafe { InOut::from_raw(input.cast(), output.cast()) }
            }

            /// Computes OCB3 on eight registers. `last` is XORed to the offset of the last
            /// block.
            #[inline]
            #[target_feature(enable = $features)]
            fn eight<const WHAT: u8, const KEY: usize>(
                keys: &RoundKeys,
                base: One,
                steps: &[Register; 8],
                last: One,
                input: &[Register; 8],
                mut sum: Lanes,
            ) -> ([Lanes; 8], Lanes) {
                let first = Lanes::splat(base.xor(One::from_u128(keys[0])));
                let end = One::from_u128(keys[const { rounds(KEY) }]);
                let end = Lanes::splat(if WHAT == OCB_HASH { end } else { end.xor(base) });
                let last = Lanes::from_last(last);
                // Where there are sixteen registers, the compiler would keep round keys and steps on the
                // stack between the loops.
                let (keys, steps_again) = if $blocks == 4 {
                    (keys, steps)
                } else {
                    (again(keys), again(steps))
                };
                let mut x = [Lanes::zero(); 8];
                for i in 0..8 {
                    let data = Lanes::load_blocks(&input[i]);
                    if WHAT == ENCRYPT {
                        sum = sum.xor(data);
                    }
                    x[i] = data.xor(first).xor(Lanes::load_blocks(&steps[i]));
                }
                x[7] = x[7].xor(last);
                // The compiler would keep the blocks on the stack, and add them after the rounds.
                if $blocks == 2 && WHAT == ENCRYPT {
                    core::mem::swap(&mut x[0], &mut sum);
                    Lanes::in_step(&mut x);
                    core::mem::swap(&mut x[0], &mut sum);
                }
                for round in 1..const { rounds(KEY) } {
                    let key = Lanes::splat(One::from_u128(keys[round]));
                    for x in &mut x {
                        *x = if WHAT == DECRYPT {
                            x.aes_dec(key)
                        } else {
                            x.aes_enc(key)
                        };
                    }
                    // The compiler would finish one register after the other: 5 % slower.
                    if $blocks >= 2 {
                        Lanes::in_step(&mut x);
                    }
                }
                for i in 0..8 {
                    let mut end = end;
                    if WHAT != OCB_HASH {
                        end = end.xor(Lanes::load_blocks(&steps_again[i]));
                        if i == 7 {
                            end = end.xor(last);
                        }
                    }
                    x[i] = if WHAT == DECRYPT {
                        x[i].aes_dec_last(end)
                    } else {
                        x[i].aes_enc_last(end)
                    };
                    if WHAT != ENCRYPT {
                        sum = sum.xor(x[i]);
                    }
                }
                (x, sum)
            }

            /// Computes OCB3 on one register.
            #[inline]
            #[target_feature(enable = $features)]
            fn one<const WHAT: u8, const KEY: usize>(
                keys: &RoundKeys,
                offset: Lanes,
                data: Lanes,
                sum: &mut Lanes,
            ) -> Lanes {
                let mut x = data.xor(offset).xor(Lanes::splat(One::from_u128(keys[0])));
                for round in 1..const { rounds(KEY) } {
                    let key = Lanes::splat(One::from_u128(keys[round]));
                    x = if WHAT == DECRYPT {
                        x.aes_dec(key)
                    } else {
                        x.aes_enc(key)
                    };
                }
                let mut end = Lanes::splat(One::from_u128(keys[const { rounds(KEY) }]));
                if WHAT != OCB_HASH {
                    end = end.xor(offset);
                }
                x = if WHAT == DECRYPT {
                    x.aes_dec_last(end)
                } else {
                    x.aes_enc_last(end)
                };
                *sum = sum.xor(if WHAT == ENCRYPT { data } else { x });
                x
            }

            /// Computes OCB3 on one block.
            #[inline]
            #[target_feature(enable = $features)]
            fn single<const WHAT: u8, const KEY: usize>(
                keys: &RoundKeys,
                offset: One,
                data: One,
                sum: &mut One,
            ) -> One {
                let mut x = data.xor(offset).xor(One::from_u128(keys[0]));
                for round in 1..const { rounds(KEY) } {
                    let key = One::from_u128(keys[round]);
                    x = if WHAT == DECRYPT {
                        x.aes_dec(key)
                    } else {
                        x.aes_enc(key)
                    };
                }
                let mut end = One::from_u128(keys[const { rounds(KEY) }]);
                if WHAT != OCB_HASH {
                    end = end.xor(offset);
                }
                x = if WHAT == DECRYPT {
                    x.aes_dec_last(end)
                } else {
                    x.aes_enc_last(end)
                };
                *sum = sum.xor(if WHAT == ENCRYPT { data } else { x });
                x
            }
        }
    };
}

ocb!(vaes512, crate::cpu::Avx512, U8x64, 4 blocks, 1 turns, "avx512f,avx512bw,avx512vl,aes,vaes");
ocb!(vaes256, crate::cpu::Vaes256, U8x32, 2 blocks, 2 turns, "avx2,aes,vaes");
ocb!(aesni, crate::cpu::Aes, U8x16, 1 blocks, 4 turns, "aes,ssse3");
