//! The common parts of Camellia's kernels with GFNI for few blocks: the round on *rows*, and the keys in
//! the form that the round needs. A row is the byte at one position of four blocks. A *half* of a block is
//! two registers, whose 16 bytes have four rows each, for the same four blocks:
//!
//! ```text
//!   even:   a₀ b₀ a₂ b₂        a₀ … a₃: the first four bytes of the half
//!   odd:    a₁ b₁ a₃ b₃        b₁ b₂ b₃ b₀: the last four bytes
//! ```
//!
//! The bytes aᵢ and bᵢ enter the same S-box, so each eight bytes of a register do. An instruction of GFNI
//! takes a matrix for each eight bytes: one instruction computes all S-boxes of a register. P is then, from
//! [RFC3713](super) §2.4.1, with indices modulo 4,
//!
//! ```text
//!   aᵢ:   aᵢ + aᵢ₊₂ + aᵢ₊₃ + bᵢ + bᵢ₊₂ + bᵢ₊₃
//!   bᵢ:   aᵢ₋₁ + aᵢ + bᵢ₊₁ + bᵢ₊₂ + bᵢ₊₃
//! ```
//!
//! All bytes are stored as their images under the affine map with which their S-box begins. So a₃ and b₃,
//! which enter s₄, have other images than the rest, and P must add such images to them. Each register of
//! outputs of S-boxes is computed three times: with the usual images, with the images for s₄ in the upper
//! eight bytes, and with those in the lower eight bytes. Shuffles that move rows within 16 bytes bring the
//! outputs to their places.
//!
//! A round is a chain of an affine map, two shuffles (or a shuffle and a choice) and two XORs of three
//! values: 3, 2, 2, 2 and 2 cycles on Zen 5, 9 to 11 in all (14 were measured). It has 32 instructions for
//! four blocks in each 16 bytes, with AVX2 38. [`planes`](crate::machinery::planes) of the same length have
//! four times as many blocks and 38 instructions in a round: they are faster from 33 blocks on (with AVX2,
//! from 17).
//!
//! As in [`gfni`](super::gfni), each half is stored XORed with a mask, and FL maps a mask as it maps the
//! half.
#![allow(unsafe_code)]

use core::mem::MaybeUninit;
use core::slice;

use super::gfni::S1;
use super::masks::{self, Place, Scheduled};
use super::{BOXES, P, Subkeys, groups};
use crate::cpu::{Avx512, Gfni};
use crate::machinery::field::Affine;
use crate::wipe::wipe;

/// The keys of one direction.
pub(super) struct Schedule {
    /// The masks that a call XORs to its input.
    pub(super) first: [u64; 2],
    /// For each round, the change of the mask of the half that the round changes, and [`CONSTANT`]. (To
    /// write zeros first would take as long as a round, and rows of these bytes more than they save.)
    rounds: [MaybeUninit<u64>; 24],
    /// The keys of FL for the first half and of FL⁻¹ for the second half, between the groups of six rounds.
    layers: [[u64; 2]; 3],
    /// The mask that a call XORs to the first half of its output. The mask of the second half is zero after
    /// the last round.
    pub(super) last: u64,
    /// The number of groups of six rounds whose keys are there.
    groups: usize,
}

impl Schedule {
    /// The changes in the rounds, six for each group.
    #[inline(always)]
    pub(super) fn groups(&self) -> &[[u64; 6]] {
        // SAFETY: `with` writes six changes for each group.
        unsafe { slice::from_raw_parts(self.rounds.as_ptr().cast(), self.groups) }
    }

    /// The keys of FL and FL⁻¹ before a group that is not the first one.
    #[inline(always)]
    pub(super) fn layer(&self, group: usize) -> [u64; 2] {
        self.layers[group - 1]
    }
}

impl Drop for Schedule {
    fn drop(&mut self) {
        wipe(&mut self.first, 0);
        wipe(&mut self.rounds[..6 * self.groups], MaybeUninit::new(0));
        wipe(&mut self.layers, [0; 2]);
        wipe(slice::from_mut(&mut self.last), 0);
    }
}

macro_rules! scheduled {
    ($($Token:ty)*) => {
        $(impl Scheduled<Schedule> for $Token {
            #[inline(never)]
            fn with<const KEY: usize, const BACKWARDS: bool>(
                self,
                keys: &Subkeys,
                work: impl FnOnce(&Schedule),
            ) {
                let mut this = Schedule {
                    first: [0; 2],
                    rounds: [MaybeUninit::uninit(); 24],
                    layers: [[0; 2]; 3],
                    last: 0,
                    groups: 0,
                };
                masks::each::<KEY, BACKWARDS>(keys, [BEFORE; 2], |place, key| match place {
                    Place::First(half) => this.first[half] = key,
                    Place::Round(round) => _ = this.rounds[round].write(key ^ CONSTANT),
                    Place::Layer(group, half) => this.layers[group][half] = key,
                    Place::Last => this.last = key,
                });
                this.groups = const { groups(KEY) };
                work(&this);
            }
        })*
    };
}
scheduled!(Avx512 Gfni);

/// The map of the S-box s₄ before the inversion: s₄ rotates its input first.
const FOURTH: Affine = {
    let mut table = [0; 256];
    let mut x = 0;
    while x < 256 {
        table[x] = S1.before.apply((x as u8).rotate_left(1));
        x += 1;
    }
    Affine::of(&table)
};

/// The matrices from bytes to their images, of the even and the odd register.
pub(super) const IMAGE: [[u64; 2]; 2] = {
    let ([usual, _], [fourth, _]) = (S1.before.basis(), FOURTH.basis());
    [[usual; 2], [usual, fourth]]
};

/// The matrices from images to their bytes.
pub(super) const BACK: [[u64; 2]; 2] = {
    let ([_, usual], [_, fourth]) = (S1.before.basis(), FOURTH.basis());
    [[usual; 2], [usual, fourth]]
};

/// The bytes whose images are the constants of the maps before the inversion, for the positions of a half.
/// The round keys contain these bytes.
const BEFORE: u64 = {
    let (mut sum, mut position) = (0, 0);
    while position < 8 {
        let before = if BOXES[position] == 4 {
            FOURTH
        } else {
            S1.before
        };
        let mut x = 0;
        while before.linear(x) != before.constant as u8 {
            x += 1;
        }
        sum |= (x as u64) << (56 - 8 * position);
        position += 1;
    }
    sum
};

/// Returns the output of an S-box after the inversion, without its constant if `linear`.
const fn after(number: usize, x: u8, linear: bool) -> u8 {
    let y = if linear {
        S1.after.linear(x)
    } else {
        S1.after.apply(x)
    };
    match number {
        2 => y.rotate_left(1),
        3 => y.rotate_left(7),
        _ => y,
    }
}

/// The matrices after the inversion, of the even and the odd register: to the usual images, and to the
/// images for s₄ in the upper or in the lower eight bytes.
pub(super) const AFTER: [[[u64; 2]; 3]; 2] = {
    const fn matrix(number: usize, to: Affine) -> u64 {
        let mut table = [0; 256];
        let mut x = 0;
        while x < 256 {
            table[x] = to.linear(after(number, x as u8, true));
            x += 1;
        }
        Affine::of(&table).matrix
    }
    let mut matrices = [[[0; 2]; 3]; 2];
    let mut register = 0;
    while register < 2 {
        let mut half = 0;
        while half < 2 {
            let number = 1 + register + 2 * half;
            let usual = matrix(number, S1.before);
            matrices[register][0][half] = usual;
            matrices[register][1][half] = usual;
            matrices[register][2][half] = usual;
            matrices[register][2 - half][half] = matrix(number, FOURTH);
            half += 1;
        }
        register += 1;
    }
    matrices
};

/// What F adds because of the constants of the S-boxes.
const CONSTANT: u64 = {
    let mut sum = 0;
    let mut from = 0;
    while from < 8 {
        let constant = after(BOXES[from], 0, false) as u64;
        let mut to = 0;
        while to < 8 {
            if P[to] >> (7 - from) & 1 == 1 {
                sum ^= constant << (56 - 8 * to);
            }
            to += 1;
        }
        from += 1;
    }
    sum
};

/// The matrices that shift a byte left by one bit, and that move its highest bit to the lowest place.
pub(super) const SHIFTS: [u64; 2] = {
    let mut tables = [[0; 256]; 2];
    let mut x = 0;
    while x < 256 {
        tables[0][x] = (x << 1) as u8;
        tables[1][x] = (x >> 7) as u8;
        x += 1;
    }
    [Affine::of(&tables[0]).matrix, Affine::of(&tables[1]).matrix]
};

/// The positions in a half of the rows of the even and the odd register.
const POSITIONS: [[u8; 4]; 2] = [[0, 7, 2, 5], [1, 4, 3, 6]];

/// For the even and the odd register, where the bytes of a half's key are that each row needs, if the
/// lowest byte is first.
pub(super) const SPREAD: [[u8; 16]; 2] = {
    let mut places = [[0; 16]; 2];
    let mut i = 0;
    while i < 32 {
        places[i / 16][i % 16] = 7 - POSITIONS[i / 16][i % 16 / 4];
        i += 1;
    }
    places
};

/// Gathers rows a₀ a₂ a₁ a₃, or b₀ b₂ b₁ b₃, from the first or the second words of four blocks' halves.
pub(super) const TOGETHER: [[u8; 16]; 2] = {
    let mut places = [[0; 16]; 2];
    let mut i = 0;
    while i < 32 {
        let (word, row) = (i / 16, i % 16 / 4);
        let position = POSITIONS[row / 2][row % 2 * 2 + word] % 4;
        places[word][i % 16] = 4 * (i % 4) as u8 + position;
        i += 1;
    }
    places
};

/// Undoes [`TOGETHER`].
pub(super) const APART: [[u8; 16]; 2] = {
    let mut places = [[0; 16]; 2];
    let mut i = 0;
    while i < 32 {
        places[i / 16][TOGETHER[i / 16][i % 16] as usize] = (i % 16) as u8;
        i += 1;
    }
    places
};

/// Writes a kernel. A register has rows of four blocks in each 16 bytes.
macro_rules! rows {
    (
        $Token:ident, $Bytes:ident as $Words:ident, $blocks:literal blocks a register,
        $groups:literal groups, $features:literal, from $least:literal blocks
    ) => {
        $crate::machinery::sliced::sliced!(
            USE_OF_FEW: $crate::cpu::$Token, Schedule, $Bytes as $Words,
            $blocks blocks a register, $groups groups, $features
        );

        $crate::machinery::planes::split!(from $least blocks);

        /// A half of a block.
        type Half = [Lanes; 2];

        #[inline]
        #[target_feature(enable = $features)]
        fn in_every_block(bytes: &[u8; 16]) -> Bytes {
            Bytes::splat($crate::simd::U8x16::load(bytes))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn matrices([first, second]: [u64; 2]) -> Bytes {
            Bytes::splat($crate::simd::U8x16::from_halves(first, second))
        }

        /// Returns the rows of a key for a half.
        #[inline]
        #[target_feature(enable = $features)]
        fn spread(key: u64) -> Half {
            let key = Bytes::splat_u64(key);
            [
                key.shuffle(in_every_block(&SPREAD[0])).into(),
                key.shuffle(in_every_block(&SPREAD[1])).into(),
            ]
        }

        /// Multiplies the bytes of a half by matrices.
        #[inline]
        #[target_feature(enable = $features)]
        fn mapped([even, odd]: Half, maps: &[[u64; 2]; 2]) -> Half {
            let [even, odd]: [Bytes; 2] = [even.into(), odd.into()];
            [
                even.affine_by(matrices(maps[0])).into(),
                odd.affine_by(matrices(maps[1])).into(),
            ]
        }

        /// Returns the images of the half with these two words, and a mask.
        #[inline]
        #[target_feature(enable = $features)]
        fn half(words: &[Lanes], mask: &Half) -> Half {
            let a = Bytes::from(words[0]).shuffle(in_every_block(&TOGETHER[0]));
            let b = Bytes::from(words[1]).shuffle(in_every_block(&TOGETHER[1]));
            let [even, odd] = Lanes::join(a.into(), b.into());
            mapped([even.xor(mask[0]), odd.xor(mask[1])], &IMAGE)
        }

        /// Undoes [`half`].
        #[inline]
        #[target_feature(enable = $features)]
        fn words(half: Half, mask: &Half, words: &mut [Lanes]) {
            let [even, odd] = mapped(half, &BACK);
            let [a, b] = Lanes::part(even.xor(mask[0]), odd.xor(mask[1]));
            words[0] = Bytes::from(a).shuffle(in_every_block(&APART[0])).into();
            words[1] = Bytes::from(b).shuffle(in_every_block(&APART[1])).into();
        }

        /// The outputs of the S-boxes of a register, as images: the usual ones, and with those for s₄ in the
        /// upper or in the lower eight bytes.
        #[inline]
        #[target_feature(enable = $features)]
        fn s_boxes(x: Lanes, after: &[[u64; 2]; 3]) -> [Lanes; 3] {
            let x = Bytes::from(x);
            [
                x.inverse_affine_by(matrices(after[0])).into(),
                x.inverse_affine_by(matrices(after[1])).into(),
                x.inverse_affine_by(matrices(after[2])).into(),
            ]
        }

        /// XORs F of each half `FROM` to the other half, [RFC3713](super::super) §2.4.1, and changes the
        /// mask of the other half.
        #[inline]
        #[target_feature(enable = $features)]
        fn round<const FROM: usize, const N: usize>(x: &mut [[Half; 2]; N], change: u64) {
            let change = mapped(spread(change), &IMAGE);
            for halves in x {
                let [even, even_upper, even_lower] = s_boxes(halves[FROM][0], &AFTER[0]);
                let [odd, odd_upper, odd_lower] = s_boxes(halves[FROM][1], &AFTER[1]);
                let to = &mut halves[1 - FROM];
                // a₀ b₀ a₂ b₂ take these:
                let a0_a0_a2_a2 = even.permute::<0b10_10_00_00>();
                let b2_b2_b0_b0 = even.permute::<0b01_01_11_11>();
                let a3_a3_a1_a1 = odd.permute::<0b00_00_10_10>();
                let b3_b3_b1_b1 = odd.permute::<0b01_01_11_11>();
                let b0_0_b2_0 = even.down_in_pairs();
                let a2_b2_a0_b0 = even.permute::<0b01_00_11_10>().apart();
                let a2_b1_a0_b3 = a2_b2_a0_b0.with_odd_lanes(odd);
                to[0] = a2_b1_a0_b3.xor3(
                    a0_a0_a2_a2.xor3(b2_b2_b0_b0, a3_a3_a1_a1),
                    to[0].xor(change[0]).xor3(b3_b3_b1_b1, b0_0_b2_0),
                );
                // a₁ b₁ a₃ b₃ take these, of which the last two are images for s₄:
                let a1_a1_a3_a3 = odd_upper.permute::<0b10_10_00_00>();
                let a0_a0_a2_a2 = even_upper.permute::<0b10_10_00_00>();
                let b0_b0_b2_b2 = even_upper.permute::<0b11_11_01_01>();
                let b3_b3_b1_b1 = odd_lower.permute::<0b01_01_11_11>();
                let b1_0_b3_0 = odd_upper.down_in_pairs();
                let a1_b0_a3_b2 = odd_lower.with_odd_lanes(even_lower).apart();
                let a3_b2_a1_b0 = a1_b0_a3_b2.permute::<0b01_00_11_10>();
                to[1] = a3_b2_a1_b0.xor3(
                    a1_a1_a3_a3.xor3(a0_a0_a2_a2, b0_b0_b2_b2),
                    to[1].xor(change[1]).xor3(b3_b3_b1_b1, b1_0_b3_0),
                );
            }
        }

        /// The part of FL that [RFC3713](super::super) §2.4.2 adds to the second word of a half: (first word
        /// AND key), rotated left by one bit.
        #[inline]
        #[target_feature(enable = $features)]
        fn turned(x: Half, key: &Half) -> Half {
            let even = x[0].and(key[0]).up_in_pairs();
            let odd = x[1].and(key[1]).up_in_pairs();
            let shifted = |row: Lanes, i: usize| Lanes::from(Bytes::from(row).affine(SHIFTS[i]));
            [
                x[0].xor3(
                    shifted(odd.permute::<0b01_10_11_00>(), 0),
                    shifted(even, 1),
                ),
                x[1].xor3(shifted(even, 0), shifted(odd, 1)),
            ]
        }

        /// XORs (second word OR key) to the first word, as FL of [RFC3713](super::super) §2.4.2 does. The
        /// constants of the half and of its mask cancel.
        #[inline]
        #[target_feature(enable = $features)]
        fn or(x: Half, key: &Half) -> Half {
            let even = x[0].and_not(key[0]).down_in_pairs();
            let odd = x[1].and_not(key[1]).down_in_pairs();
            [x[0].xor(odd), x[1].xor(even.permute::<0b11_00_01_10>())]
        }

        /// Encrypts or decrypts, [RFC3713](super::super) §2.3.
        #[inline]
        #[target_feature(enable = $features)]
        fn forwards<const N: usize, const USE: u8>(keys: &Schedule, data: &mut [[Lanes; 4]; N]) {
            let masks = [spread(keys.first[0]), spread(keys.first[1])];
            let mut x = [[[Lanes::splat(0); 2]; 2]; N];
            for (halves, words) in x.iter_mut().zip(&*data) {
                *halves = [half(&words[..2], &masks[0]), half(&words[2..], &masks[1])];
            }
            for (group, six) in keys.groups().iter().enumerate() {
                if group != 0 {
                    let [layer, inverse] = keys.layer(group);
                    let (layer, inverse) = (spread(layer), spread(inverse));
                    for halves in &mut x {
                        let [l, r] = *halves;
                        let (l, r) = (mapped(l, &BACK), mapped(r, &BACK));
                        let l = or(turned(l, &layer), &layer);
                        let r = turned(or(r, &inverse), &inverse);
                        *halves = [mapped(l, &IMAGE), mapped(r, &IMAGE)];
                    }
                }
                for two in six.as_chunks::<2>().0 {
                    round::<0, N>(&mut x, two[0]);
                    round::<1, N>(&mut x, two[1]);
                }
            }
            let (last, nothing) = (spread(keys.last), [Lanes::splat(0); 2]);
            for ([l, r], out) in x.into_iter().zip(data) {
                words(r, &last, &mut out[..2]);
                words(l, &nothing, &mut out[2..]);
            }
        }

        /// The same with the keys of decryption.
        #[inline]
        #[target_feature(enable = $features)]
        fn backwards<const N: usize, const USE: u8>(keys: &Schedule, data: &mut [[Lanes; 4]; N]) {
            forwards::<N, USE>(keys, data);
        }
    };
}
pub(super) use rows;
