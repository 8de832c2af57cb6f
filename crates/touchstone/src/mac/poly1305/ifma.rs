//! Poly1305 with AVX-512 and IFMA: eight blocks at once, with a register for each limb of 44
//! bits and a lane for each block. IFMA gives the lower and the upper 52 bits of a product of
//! two limbs. The upper bits have the weight 2⁵² = 2⁴⁴ · 2⁸, so 2⁸ times the upper bits are
//! added to the next limb.
#![allow(unsafe_code)]

use super::{LIMB, Limbs, Powers, TOP, one_by_one, product};
use crate::cpu;
use crate::simd::U64x8;

/// The smallest number of blocks for which this kernel is faster than the portable form. `powers`
/// says whether the powers of r are there already.
#[inline]
pub(super) fn least(powers: bool) -> usize {
    if powers { 14 } else { 19 }
}

/// For each block of a group, the lane that holds this block. This is the order in which
/// `zip_even` joins the halves of the group.
const LANE: [usize; 8] = [0, 2, 4, 6, 1, 3, 5, 7];

/// Adds all blocks to the message. The returned rest is always empty.
#[inline]
pub(super) fn absorb<'b>(
    _: cpu::Ifma,
    h: &mut Limbs,
    powers: &Powers,
    blocks: &'b [[u8; 16]],
) -> &'b [[u8; 16]] {
    // SAFETY: the token proves the features.
    unsafe { lanes(h, powers, blocks) };
    &[]
}

/// For each number of blocks, the lanes that hold them, as bits.
const LANES: [u8; 9] = {
    let mut lanes = [0; 9];
    let mut n = 0;
    while n < 8 {
        lanes[n + 1] = lanes[n] | 1 << LANE[7 - n];
        n += 1;
    }
    lanes
};

#[derive(Clone, Copy)]
struct Numbers([U64x8; 3]);

/// A factor in each lane, and 20 times the limbs 1 and 2 of the factor.
struct Factors([U64x8; 3], [U64x8; 2]);

/// The sums of the lower and of the upper halves of products, one for each limb.
struct Sums([U64x8; 3], [U64x8; 3]);

/// The number of groups from which on the powers r²⁴ and r³² save more time than they take.
const LONG: usize = 16;

#[target_feature(enable = "avx512f,avx512dq,avx512vbmi2,avx512ifma")]
fn lanes(h: &mut Limbs, Powers(powers): &Powers, blocks: &[[u8; 16]]) {
    let (first, groups) = blocks.as_rchunks::<8>();
    let eight = one_by_one(&powers[7]);
    let eighth = Factors::splat(eight);
    // The factors of the last step. A load of numbers that were just stored waits until the stores
    // are in the cache, so this comes first.
    let mut each = [[0; 8]; 3];
    for (i, lane) in LANE.iter().enumerate() {
        for (limb, each) in powers[7 - i].iter().zip(&mut each) {
            each[*lane] = *limb;
        }
    }
    let each = Factors::of(each.map(|limb| U64x8::load(&limb.map(u64::to_le_bytes))));

    // A group of fewer than eight blocks comes first. Zeros fill the lanes before its blocks,
    // and add nothing.
    let (mut sum, mut groups) = match (first.len(), groups) {
        (0, [group, groups @ ..]) => (Numbers::load(group), groups),
        _ => (Numbers::load(first), groups),
    };
    // The value of the polynomial so far is added to the first block.
    let first = 1 << LANE[(8 - first.len()) % 8];
    for (limb, h) in sum.0.iter_mut().zip(*h) {
        *limb = limb.add(U64x8::splat_in(first, h));
    }

    // Only the products of `sum` depend on the step before, so these products are added last.
    if groups.len() > 1 {
        let sixteen = product(eight, eight);
        let sixteenth = Factors::splat(sixteen);
        if groups.len() >= LONG {
            let twenty_fourth = Factors::splat(product(sixteen, eight));
            let thirty_second = Factors::splat(product(sixteen, sixteen));
            while let [one, two, three, four, rest @ ..] = groups {
                let mut sums = Sums::zero();
                sums.add(&Numbers::load(one), &twenty_fourth);
                sums.add(&Numbers::load(two), &sixteenth);
                sums.add(&Numbers::load(three), &eighth);
                let last = Numbers::load(four);
                sums.add(&sum, &thirty_second);
                sum = sums.carry().plus(&last);
                groups = rest;
            }
        }
        while let [one, two, rest @ ..] = groups {
            let mut sums = Sums::zero();
            sums.add(&Numbers::load(one), &eighth);
            let last = Numbers::load(two);
            sums.add(&sum, &sixteenth);
            sum = sums.carry().plus(&last);
            groups = rest;
        }
    }
    if let [one] = groups {
        let last = Numbers::load(one);
        let mut sums = Sums::zero();
        sums.add(&sum, &eighth);
        sum = sums.carry().plus(&last);
    }

    let mut sums = Sums::zero();
    sums.add(&sum, &each);
    *h = sums.carry().0.map(|limb| limb.sum());
}

impl Numbers {
    /// Loads up to eight blocks as numbers in the last lanes, each with the bit 1 above its 128
    /// bits.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vbmi2,avx512ifma")]
    fn load(blocks: &[[u8; 16]]) -> Self {
        let (a, b) = blocks.split_at(blocks.len().saturating_sub(4));
        let (a, b) = (load_half(a), load_half(b));
        let lanes = LANES[blocks.len().min(8)];
        let (low, high) = (a.zip_even(b), a.zip_odd(b));
        Self([
            low.and(U64x8::splat(LIMB)),
            low.bits_of_pair::<44>(high).and(U64x8::splat(LIMB)),
            high.shift_right::<24>().or(U64x8::splat_in(lanes, 1 << 40)),
        ])
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn plus(self, other: &Self) -> Self {
        let [a, b, c] = self.0;
        let [d, e, f] = other.0;
        Self([a.add(d), b.add(e), c.add(f)])
    }
}

/// Loads up to four blocks as numbers of 64 bits, in the last places of a register.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_half(blocks: &[[u8; 16]]) -> U64x8 {
    U64x8::load_last(blocks.as_flattened().as_chunks().0)
}

impl Factors {
    /// Puts the same factor into every lane.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn splat(limbs: Limbs) -> Self {
        Self::of(limbs.map(|limb| U64x8::splat(limb)))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn of(limbs: [U64x8; 3]) -> Self {
        let [_, b, c] = limbs;
        let twenty = |limb: U64x8| limb.shift_left::<4>().add(limb.shift_left::<2>());
        Self(limbs, [twenty(b), twenty(c)])
    }
}

impl Sums {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn zero() -> Self {
        Self([U64x8::zero(); 3], [U64x8::zero(); 3])
    }

    /// Adds the products of numbers and factors, as the function `product` computes them.
    #[inline]
    #[target_feature(enable = "avx512ifma")]
    fn add(&mut self, numbers: &Numbers, factors: &Factors) {
        let [a0, a1, a2] = numbers.0;
        let ([b0, b1, b2], [b1_folded, b2_folded]) = (factors.0, factors.1);
        let terms = [
            [(a0, b0), (a1, b2_folded), (a2, b1_folded)],
            [(a0, b1), (a1, b0), (a2, b2_folded)],
            [(a0, b2), (a1, b1), (a2, b0)],
        ];
        for (i, terms) in terms.into_iter().enumerate() {
            for (a, b) in terms {
                self.0[i] = self.0[i].add_product_low(a, b);
                self.1[i] = self.1[i].add_product_high(a, b);
            }
        }
    }

    /// Returns the sums as numbers whose limbs are little longer than 44 bits.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn carry(self) -> Numbers {
        let Self([low0, low1, low2], [high0, high1, high2]) = self;
        let limb = U64x8::splat(LIMB);
        let h1 = low1
            .add(high0.shift_left::<8>())
            .add(low0.shift_right::<44>());
        let h2 = low2
            .add(high1.shift_left::<8>())
            .add(h1.shift_right::<44>());
        // `high2` has the weight 2¹⁴⁰, and 2¹³⁰ equals 5 modulo 2¹³⁰ − 5.
        let over = high2.shift_left::<10>().add(h2.shift_right::<42>());
        let h0 = low0.and(limb).add(over).add(over.shift_left::<2>());
        Numbers([
            h0.and(limb),
            h1.and(limb).add(h0.shift_right::<44>()),
            h2.and(U64x8::splat(TOP)),
        ])
    }
}
