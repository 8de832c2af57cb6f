//! Poly1305 with AVX-512 and IFMA: eight blocks at once, with a register for each limb of 44
//! bits and a lane for each block. IFMA gives the lower and the upper 52 bits of a product of
//! two limbs. The upper bits have the weight 2⁵² = 2⁴⁴ · 2⁸, so 2⁸ times the upper bits are
//! added to the next limb.
#![allow(unsafe_code)]

use super::{Field, LIMB, Limbs, Powers, TOP};
use crate::cpu;
use crate::simd::U64x8;

/// The smallest number of blocks that this kernel takes. `powers` says whether the powers of r are
/// there already: then it is faster than the portable form from ten blocks on. If not, it is so from
/// 14 blocks on, but messages of up to 16 blocks shall not leave its frame on the stack: to clear it
/// takes all of them more time than a few of them gain.
#[inline]
pub(super) fn least(powers: bool) -> usize {
    if powers { 10 } else { 17 }
}

/// For each block of a group, the lane that holds this block. This is the order in which
/// `zip_even` joins the halves of the group.
const LANE: [usize; 8] = [0, 2, 4, 6, 1, 3, 5, 7];

/// Adds all blocks to the message. The returned rest is always empty.
#[inline]
pub(super) fn absorb<'b>(
    _: cpu::Ifma,
    h: &mut Limbs,
    powers: &mut Powers,
    r: Option<&Field>,
    blocks: &'b [[u8; 16]],
) -> &'b [[u8; 16]] {
    // SAFETY: the token proves the features.
    unsafe { lanes(h, powers, r, blocks) };
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
fn lanes(h: &mut Limbs, powers: &mut Powers, r: Option<&Field>, blocks: &[[u8; 16]]) {
    let (first, groups) = blocks.as_rchunks::<8>();
    let each = match r {
        Some(field) => Numbers::powers(field, powers),
        None => Numbers(powers.0.each_ref().map(|limbs| U64x8::load_u64(limbs))),
    };
    let eight = each.splat_first();
    let eighth = Factors::of(&eight);

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

    // Only the products of `sum` depend on the step before, so these products are added last. An odd
    // group comes first, while r¹⁶ is computed.
    if !groups.len().is_multiple_of(2)
        && let [one, rest @ ..] = groups
    {
        let mut sums = Sums::zero();
        sums.add(&sum, &eighth);
        sum = sums.carry(&Numbers::load(one));
        groups = rest;
    }
    if !groups.is_empty() {
        let sixteen = eight.times(&eighth);
        let sixteenth = Factors::of(&sixteen);
        if groups.len() >= LONG {
            let twenty_fourth = Factors::of(&sixteen.times(&eighth));
            let thirty_second = Factors::of(&sixteen.times(&sixteenth));
            while let [one, two, three, four, rest @ ..] = groups {
                let mut sums = Sums::zero();
                sums.add(&Numbers::load(one), &twenty_fourth);
                sums.add(&Numbers::load(two), &sixteenth);
                sums.add(&Numbers::load(three), &eighth);
                let last = Numbers::load(four);
                sums.add(&sum, &thirty_second);
                sum = sums.carry(&last);
                groups = rest;
            }
        }
        while let [one, two, rest @ ..] = groups {
            let mut sums = Sums::zero();
            sums.add(&Numbers::load(one), &eighth);
            let last = Numbers::load(two);
            sums.add(&sum, &sixteenth);
            sum = sums.carry(&last);
            groups = rest;
        }
    }

    *h = sum.times(&Factors::of(&each)).0.map(|limb| limb.sum());
}

impl Numbers {
    /// Computes the powers r⁸ to r of a message, each in the lane of the block that it is the factor of,
    /// and stores them. r² is computed in words. A step multiplies all powers so far by the highest:
    /// so few steps take less time than seven in words.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vbmi2,avx512ifma")]
    fn powers(field: &Field, powers: &mut Powers) -> Self {
        let mut first = [[0; 3]; 2];
        field.powers(2, |exponent, power| first[exponent - 1] = power);
        let [one, two] = first;
        // The exponents in the lanes from 0 on are 2 2 1 1 2 2 1 1, 4 4 3 3 2 2 1 1, 8 4 7 3 6 2 5 1.
        let mut all = Self([U64x8::zero(); 3]);
        for (limb, (one, two)) in all.0.iter_mut().zip(one.into_iter().zip(two)) {
            *limb = U64x8::splat(two).replace_in(0b1100_1100, U64x8::splat(one));
        }
        let square = Factors::of(&Self(two.map(|limb| U64x8::splat(limb))));
        all = all.replace_in(0b0000_1111, &all.times(&square));
        let fourth = Factors::of(&all.splat_first());
        all = all.replace_in(0b0101_0101, &all.times(&fourth));
        for (limb, stored) in all.0.iter().zip(&mut powers.0) {
            limb.store_u64(stored);
        }
        all
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn splat_first(&self) -> Self {
        Self(self.0.map(|limb| limb.splat_first()))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn replace_in(&self, lanes: u8, other: &Self) -> Self {
        let [a, b, c] = self.0;
        let [d, e, f] = other.0;
        Self([
            a.replace_in(lanes, d),
            b.replace_in(lanes, e),
            c.replace_in(lanes, f),
        ])
    }

    /// Returns the products of each lane.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn times(&self, factors: &Factors) -> Self {
        let mut sums = Sums::zero();
        sums.add(self, factors);
        sums.carry(&Self([U64x8::zero(); 3]))
    }

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
}

/// Loads up to four blocks as numbers of 64 bits, in the last places of a register.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_half(blocks: &[[u8; 16]]) -> U64x8 {
    U64x8::load_last(blocks.as_flattened().as_chunks().0)
}

impl Factors {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn of(numbers: &Numbers) -> Self {
        let [_, b, c] = numbers.0;
        let twenty = |limb: U64x8| limb.shift_left::<4>().add(limb.shift_left::<2>());
        Self(numbers.0, [twenty(b), twenty(c)])
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

    /// Returns the sums plus other numbers, with limbs little longer than 45 bits. The next step waits
    /// for the result, so the carries of all limbs are taken at once: a limb that receives a carry
    /// gives none of it. Only limb 0 receives so much that its carry is taken after that.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn carry(self, plus: &Numbers) -> Numbers {
        let Self([low0, low1, low2], [high0, high1, high2]) = self;
        let [plus0, plus1, plus2] = plus.0;
        let limb = U64x8::splat(LIMB);
        let h1 = low1.add(high0.shift_left::<8>());
        let h2 = low2.add(high1.shift_left::<8>());
        // `high2` has the weight 2¹⁴⁰, and 2¹³⁰ equals 5 modulo 2¹³⁰ − 5.
        let over = high2.shift_left::<10>().add(h2.shift_right::<42>());
        let h0 = low0.and(limb).add(over).add(over.shift_left::<2>());
        let h1_plus = h1.and(limb).add(low0.shift_right::<44>()).add(plus1);
        let h2_plus = h2.and(U64x8::splat(TOP)).add(h1.shift_right::<44>());
        Numbers([
            h0.and(limb).add(plus0),
            h1_plus.add(h0.shift_right::<44>()),
            h2_plus.add(plus2),
        ])
    }
}
