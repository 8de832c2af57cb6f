//! Poly1305 with AVX2: four blocks at once, with a register for each limb of 26 bits and a lane
//! for each block.
#![allow(unsafe_code)]

use super::{Field, LIMB, Limbs, Powers};
use crate::cpu;
use crate::simd::U64x4;

/// The smallest number of blocks for which this kernel is faster than the portable form.
pub(super) const LEAST: usize = 64;

/// For each block of a group, the lane that holds this block. This is the order in which
/// `zip_even` joins the halves of the group.
const LANE: [usize; 4] = [0, 2, 1, 3];

const LIMB26: u64 = (1 << 26) - 1;

/// Adds groups of four blocks to the message and returns the remaining blocks.
#[inline]
pub(super) fn absorb<'b>(
    _: cpu::Avx2,
    h: &mut Limbs,
    powers: &mut Powers,
    r: Option<&Field>,
    blocks: &'b [[u8; 16]],
) -> &'b [[u8; 16]] {
    if let Some(field) = r {
        field.powers(8, |exponent, power| {
            for (limbs, limb) in powers.0.iter_mut().zip(power) {
                limbs[exponent - 1] = limb;
            }
        });
    }
    let (groups, rest) = blocks.as_chunks();
    // SAFETY: the token proves the features.
    unsafe { lanes(h, powers, groups) };
    rest
}

/// A number in each lane, as five limbs of 26 bits.
type Numbers = [U64x4; 5];

/// A factor in each lane, and 5 times the limbs 1 to 4 of the factor. A limb 5 would have the
/// weight 2¹³⁰, which equals 5 modulo 2¹³⁰ − 5.
struct Factors(Numbers, [U64x4; 4]);

#[target_feature(enable = "avx2")]
fn lanes(h: &mut Limbs, powers: &Powers, groups: &[[[u8; 16]; 4]]) {
    let fourth = Factors::of(&[powers.get(3); 4]);
    let eighth = Factors::of(&[powers.get(7); 4]);
    let [first, groups @ ..] = groups else { return };
    let mut sum = load(first);
    for (sum, h) in sum.iter_mut().zip(short_limbs(*h)) {
        let mut lanes = [[0; 8]; 4];
        lanes[LANE[0]] = h.to_le_bytes();
        *sum = sum.add(U64x4::load(&lanes));
    }
    let (pairs, last) = groups.as_chunks::<2>();
    for [one, two] in pairs {
        let mut sums = Sums::zero();
        sums.add(&sum, &eighth);
        sums.add(&load(one), &fourth);
        sum = plus(&sums.carry(), &load(two));
    }
    for one in last {
        let mut sums = Sums::zero();
        sums.add(&sum, &fourth);
        sum = plus(&sums.carry(), &load(one));
    }
    let mut each = [[0; 3]; 4];
    for (i, lane) in LANE.iter().enumerate() {
        each[*lane] = powers.get(3 - i);
    }
    let mut sums = Sums::zero();
    sums.add(&sum, &Factors::of(&each));
    let [a, b, c, d, e] = sums.carry().map(|limb| limb.sum());
    // The carries between the limbs are added first, so that each limb of 44 bits can be put
    // together from limbs of 26 bits.
    let b = b + (a >> 26);
    let c = c + (b >> 26);
    let d = d + (c >> 26);
    let e = e + (d >> 26);
    let [a, b, c, d] = [a, b, c, d].map(|limb| limb & LIMB26);
    *h = [
        (a | b << 26) & LIMB,
        (b >> 18 | c << 8 | d << 34) & LIMB,
        d >> 10 | e << 16,
    ];
}

/// Returns the limbs of 26 bits of a number whose limbs may be a little longer than 44 bits.
#[inline]
fn short_limbs([a, b, c]: Limbs) -> [u64; 5] {
    let b = b + (a >> 44);
    let c = c + (b >> 44);
    let (a, b) = (a & LIMB, b & LIMB);
    [
        a & LIMB26,
        (a >> 26 | b << 18) & LIMB26,
        b >> 8 & LIMB26,
        (b >> 34 | c << 10) & LIMB26,
        c >> 16,
    ]
}

/// Loads four blocks as numbers, each with the bit 1 above its 128 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn load(group: &[[u8; 16]; 4]) -> Numbers {
    let (halves, _) = group.as_flattened().as_chunks::<32>();
    let [a, b] = [halves[0], halves[1]].map(|half| {
        let mut numbers = [[0; 8]; 4];
        numbers.as_flattened_mut().copy_from_slice(&half);
        U64x4::load(&numbers)
    });
    let (low, high) = (a.zip_even(b), a.zip_odd(b));
    let limb = U64x4::splat(LIMB26);
    let middle = low.shift_right::<52>().or(high.shift_left::<12>());
    [
        low.and(limb),
        low.shift_right::<26>().and(limb),
        middle.and(limb),
        high.shift_right::<14>().and(limb),
        high.shift_right::<40>().or(U64x4::splat(1 << 24)),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn plus(a: &Numbers, b: &Numbers) -> Numbers {
    core::array::from_fn(|i| a[i].add(b[i]).unknown())
}

impl Factors {
    /// Returns the factors of the lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of(lanes: &[Limbs; 4]) -> Self {
        let lanes = lanes.map(short_limbs);
        let limbs: Numbers =
            core::array::from_fn(|i| U64x4::load(&lanes.map(|limbs| limbs[i].to_le_bytes())));
        let [_, rest @ ..] = limbs;
        Self(limbs, rest.map(|limb| limb.add(limb.shift_left::<2>())))
    }
}

/// The sums of products, one for each limb.
struct Sums(Numbers);

impl Sums {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn zero() -> Self {
        Self([U64x4::zero(); 5])
    }

    /// Adds the products of numbers and factors. The limbs of the numbers have at most 28 bits.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn add(&mut self, numbers: &Numbers, factors: &Factors) {
        for j in 0..5 {
            for i in 0..5 {
                let factor = if i >= j {
                    factors.0[i - j]
                } else {
                    factors.1[4 + i - j]
                };
                self.0[i] = self.0[i].add(numbers[j].product(factor));
            }
        }
    }

    /// Returns the sums as numbers whose limbs are little longer than 26 bits. Two chains of
    /// carries run at once: from limb 0 to 1, 2 and 3, and from limb 3 to 4, 0 and 1.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn carry(self) -> Numbers {
        let mut sums = self.0;
        let limb = U64x4::splat(LIMB26);
        macro_rules! carry {
            ($from:literal, $to:literal) => {
                sums[$to] = sums[$to].add(sums[$from].shift_right::<26>());
                sums[$from] = sums[$from].and(limb);
            };
        }
        carry!(0, 1);
        carry!(3, 4);
        carry!(1, 2);
        let over = sums[4].shift_right::<26>();
        sums[4] = sums[4].and(limb);
        sums[0] = sums[0].add(over).add(over.shift_left::<2>());
        carry!(2, 3);
        carry!(0, 1);
        carry!(3, 4);
        sums
    }
}
