//! GHASH and POLYVAL with PCLMULQDQ: multiplies eight blocks by the powers H⁸ … H¹ of the hash
//! key, and reduces the sum of the products once.
#![allow(unsafe_code)]

use super::{MIDDLE, Powers};
use crate::cpu::Clmul;
use crate::simd::U8x16;

/// A sum of products in the field that is not reduced yet.
#[derive(Clone, Copy)]
pub(crate) struct Sum {
    low: U8x16,
    middle: U8x16,
    high: U8x16,
}

impl Sum {
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn zero() -> Self {
        Self {
            low: U8x16::zero(),
            middle: U8x16::zero(),
            high: U8x16::zero(),
        }
    }

    /// Returns a sum of these three parts.
    #[inline(always)]
    pub(super) fn of(low: U8x16, middle: U8x16, high: U8x16) -> Self {
        Self { low, middle, high }
    }

    #[inline]
    #[target_feature(enable = "pclmulqdq,sse2")]
    pub(crate) fn add(&mut self, a: U8x16, b: U8x16) {
        self.low = self.low.xor(a.clmul::<0x00>(b));
        self.high = self.high.xor(a.clmul::<0x11>(b));
        let middle = a.clmul::<0x01>(b).xor(a.clmul::<0x10>(b));
        self.middle = self.middle.xor(middle);
    }

    /// Adds a product that takes three multiplications, after Karatsuba. The middle part is complete
    /// after [`with_middle`](Self::with_middle). AMD's processors take two cycles for a multiplication,
    /// as long as for all that this form has more.
    #[inline]
    #[target_feature(enable = "pclmulqdq,sse2")]
    fn add_by_three(&mut self, a: U8x16, b: U8x16) {
        let halves = |x: U8x16| x.xor(x.swap_halves());
        self.low = self.low.xor(a.clmul::<0x00>(b));
        self.high = self.high.xor(a.clmul::<0x11>(b));
        self.middle = self.middle.xor(halves(a).clmul::<0x00>(halves(b)));
    }

    /// Returns the sum after [`add_by_three`](Self::add_by_three), with its middle part.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn with_middle(self) -> Self {
        Self {
            middle: self.middle.xor(self.low).xor(self.high),
            ..self
        }
    }

    #[inline]
    #[target_feature(enable = "pclmulqdq,sse2")]
    pub(crate) fn reduce(self) -> U8x16 {
        let modulus = U8x16::from_u128(MIDDLE as u128);
        let cleared = self.low.swap_halves().xor(self.low.clmul::<0x00>(modulus));
        let middle = self.middle.xor(cleared);
        let cleared = middle.swap_halves().xor(middle.clmul::<0x00>(modulus));
        self.high.xor(cleared)
    }
}

#[inline]
#[target_feature(enable = "pclmulqdq,sse2")]
pub(crate) fn dot(a: U8x16, b: U8x16) -> U8x16 {
    let mut sum = Sum::zero();
    sum.add(a, b);
    sum.reduce()
}

pub(super) fn powers(_: Clmul, h: u128, powers: &mut Powers) {
    // SAFETY: the token proves PCLMULQDQ.
    unsafe { entry(h, powers) }

    #[target_feature(enable = "pclmulqdq,sse2")]
    fn entry(h: u128, powers: &mut Powers) {
        powers_of(U8x16::from_u128(h), powers);
    }
}

#[inline]
#[target_feature(enable = "pclmulqdq,sse2")]
pub(crate) fn powers_of(one: U8x16, powers: &mut Powers) {
    let two = dot(one, one);
    let (three, four) = (dot(two, one), dot(two, two));
    let all = [
        dot(four, four),
        dot(four, three),
        dot(four, two),
        dot(four, one),
        four,
        three,
        two,
        one,
    ];
    for (power, place) in all.into_iter().zip(powers) {
        *place = power.to_u128();
    }
}

pub(super) fn update(_: Clmul, powers: &Powers, reversed: bool, sum: &mut u128, data: &[u8]) {
    // SAFETY: the token proves PCLMULQDQ and SSSE3.
    *sum = unsafe { entry(powers, reversed, U8x16::from_u128(*sum), data) }.to_u128();
}

/// Returns POLYVAL as a function of the powers, of the hash of the data before, and of data.
#[inline(always)]
pub(crate) fn polyval(_: Clmul) -> impl Fn(&Powers, u128, &[u8]) -> u128 {
    // SAFETY: the token proves PCLMULQDQ and SSSE3.
    |powers, sum, data| unsafe { entry(powers, false, U8x16::from_u128(sum), data) }.to_u128()
}

/// Returns the byte indices for a shuffle. If `reversed` is true, the shuffle reverses the
/// bytes of a block; otherwise it changes nothing.
#[inline(always)]
pub(crate) fn turn(reversed: bool) -> U8x16 {
    let mut places = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    if reversed {
        places.reverse();
    }
    U8x16::load(&places)
}

#[target_feature(enable = "pclmulqdq,ssse3")]
pub(crate) fn entry(powers: &Powers, reversed: bool, mut sum: U8x16, data: &[u8]) -> U8x16 {
    let turn = turn(reversed);
    let (groups, rest) = data.as_chunks::<128>();
    for group in groups {
        let (blocks, _) = group.as_chunks::<16>();
        let mut product = Sum::zero();
        let mut before = sum;
        for (block, power) in blocks.iter().zip(powers) {
            let block = U8x16::load(block).shuffle(turn).xor(before);
            before = U8x16::zero();
            product.add_by_three(block, U8x16::from_u128(*power));
        }
        sum = product.with_middle().reduce();
    }
    if !rest.is_empty() {
        let mut product = Sum::zero();
        let (whole, last) = rest.as_chunks::<16>();
        let mut before = sum;
        for (block, power) in whole.iter().zip(&powers[8 - rest.len().div_ceil(16)..]) {
            let block = U8x16::load(block).shuffle(turn).xor(before);
            before = U8x16::zero();
            product.add(block, U8x16::from_u128(*power));
        }
        if !last.is_empty() {
            let block = U8x16::load_bytes(last).shuffle(turn).xor(before);
            product.add(block, U8x16::from_u128(powers[7]));
        }
        sum = product.reduce();
    }
    sum
}
