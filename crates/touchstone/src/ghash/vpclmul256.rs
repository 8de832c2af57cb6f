//! GHASH and POLYVAL with VPCLMULQDQ on 256-bit registers, for machines without AVX-512.
//!
//! Let H be the hash key and G = H². The message is split into two polynomials in G, and each of the
//! two places of a register computes one of them, as [`vpclmul512`](super::vpclmul512) does with four.
//! The *pending* sums are the values of the two polynomials before the multiplication by H² and H¹ at
//! the end. One step adds the pending sums times G⁴ and three registers times G³ … G, reduces once, and
//! adds the fourth register. If the number of blocks is odd, the first register begins with an empty
//! place.
#![allow(unsafe_code)]

use super::{MIDDLE, Powers, Table, clmul};
use crate::cpu::Vpclmul256;
use crate::simd::{U8x16, U8x32};

/// Sums of products in the field that are not reduced yet. Each place of a register has one
/// sum.
#[derive(Clone, Copy)]
pub(crate) struct Sum {
    low: U8x32,
    middle: U8x32,
    high: U8x32,
}

impl Sum {
    #[inline]
    #[target_feature(enable = "avx2,vpclmulqdq")]
    pub(crate) fn zero() -> Self {
        Self {
            low: U8x32::zero(),
            middle: U8x32::zero(),
            high: U8x32::zero(),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,vpclmulqdq")]
    pub(crate) fn add(&mut self, a: U8x32, b: U8x32) {
        self.low = self.low.xor(a.clmul::<0x00>(b));
        self.high = self.high.xor(a.clmul::<0x11>(b));
        let middle = a.clmul::<0x01>(b).xor(a.clmul::<0x10>(b));
        self.middle = self.middle.xor(middle);
    }

    /// Adds a product by three multiplications, as Karatsuba has it: `b` is also given as the XOR of
    /// its halves, in the lower half of every place. The sum then needs [`crossed`](Self::crossed),
    /// and must have no product by [`add`](Self::add).
    #[inline]
    #[target_feature(enable = "avx2,vpclmulqdq")]
    pub(crate) fn add_crossed(&mut self, a: U8x32, (b, halves): (U8x32, U8x32)) {
        self.low = self.low.xor(a.clmul::<0x00>(b));
        self.high = self.high.xor(a.clmul::<0x11>(b));
        let crossed = a.xor(a.swap_halves()).clmul::<0x00>(halves);
        self.middle = self.middle.xor(crossed);
    }

    /// Returns the sum of products that [`add_crossed`](Self::add_crossed) has added.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn crossed(self) -> Self {
        Self {
            middle: self.middle.xor3(self.low, self.high),
            ..self
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,vpclmulqdq")]
    pub(crate) fn reduce(self) -> U8x32 {
        let modulus = U8x32::splat(U8x16::from_u128(MIDDLE as u128));
        let cleared = self.low.swap_halves().xor(self.low.clmul::<0x00>(modulus));
        let middle = self.middle.xor(cleared);
        let cleared = middle.swap_halves().xor(middle.clmul::<0x00>(modulus));
        self.high.xor(cleared)
    }

    /// Returns the reduced sum of both places.
    #[inline]
    #[target_feature(enable = "avx2,vpclmulqdq,pclmulqdq")]
    pub(crate) fn fold(self) -> U8x16 {
        clmul::Sum::of(self.low.fold(), self.middle.fold(), self.high.fold()).reduce()
    }
}

#[inline]
#[target_feature(enable = "avx2,vpclmulqdq")]
fn dot(a: U8x32, b: U8x32) -> U8x32 {
    let mut sum = Sum::zero();
    sum.add(a, b);
    sum.reduce()
}

/// Returns Hⁿ and the next lower power in a register. `powers` must be an array of consecutive powers of
/// H, from Hⁿ or higher down to H¹, and then three zeros. A zero after H¹ goes to a place in which the
/// data is not part of the message.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn two<const N: usize>(powers: &[u128; N], n: usize) -> U8x32 {
    match powers
        .get(const { N - 3 } - n..)
        .and_then(|powers| powers.first_chunk())
    {
        Some(two) => U8x32::load_u128s(two),
        None => U8x32::zero(),
    }
}

impl Table {
    /// Computes this table from the first powers of the hash key, for two blocks in a register.
    #[inline]
    pub(crate) fn set_for_two(&mut self, token: Vpclmul256, powers: &Powers) {
        self.for_two = Some(token);
        // SAFETY: the token proves VPCLMULQDQ.
        unsafe { table(powers, self) }
    }
}

/// Returns the index of H²ⁿ in [`Table::powers`].
pub(crate) const fn place(n: usize) -> usize {
    26 - 2 * n
}

#[target_feature(enable = "avx2,vpclmulqdq")]
fn table(powers: &Powers, table: &mut Table) {
    let by8 = U8x32::splat(U8x16::from_u128(powers[0]));
    let (given, _) = powers.as_chunks::<2>();
    let (places, _) = table.powers[2..].as_chunks_mut::<2>();
    for (i, given) in given[..4].iter().enumerate() {
        let low = U8x32::load_u128s(given);
        let middle = dot(low, by8);
        low.store_u128s(&mut places[8 + i]);
        middle.store_u128s(&mut places[4 + i]);
        dot(middle, by8).store_u128s(&mut places[i]);
    }
    for (n, halves) in table.halves.iter_mut().enumerate() {
        let power = table.powers[place(n + 1)];
        *halves = power as u64 ^ (power >> 64) as u64;
    }
}

pub(super) fn update(_: Vpclmul256, powers: &Powers, reversed: bool, sum: &mut u128, data: &[u8]) {
    // SAFETY: the token proves VPCLMULQDQ.
    *sum = unsafe { entry(powers, reversed, U8x16::from_u128(*sum), data) }.to_u128();
}

/// Returns POLYVAL as a function of the powers, of the hash of the data before, and of data.
#[inline(always)]
pub(crate) fn polyval(token: Vpclmul256) -> impl Fn(&Powers, u128, &[u8]) -> u128 {
    move |powers, mut sum, data| {
        if !data.is_empty() {
            update(token, powers, false, &mut sum, data);
        }
        sum
    }
}

/// Hashes `data`, which must not be empty.
#[target_feature(enable = "avx2,vpclmulqdq,pclmulqdq")]
pub(crate) fn entry(powers: &Powers, reversed: bool, sum: U8x16, data: &[u8]) -> U8x16 {
    let turn = U8x32::splat(clmul::turn(reversed));
    let (pending, rest) = steps(powers, turn, sum, data);
    let mut product = Sum::zero();
    let registers = rest.len().div_ceil(32);
    product.add(pending, two(powers, 2 * registers + 2));
    for (i, register) in rest.chunks(32).enumerate() {
        let register = U8x32::load_part(register).shuffle(turn);
        product.add(register, two(powers, 2 * (registers - i)));
    }
    product.fold()
}

/// Returns the pending sums of `data`, which must not be empty.
#[inline]
#[target_feature(enable = "avx2,vpclmulqdq,pclmulqdq")]
pub(crate) fn absorb(powers: &Powers, turn: U8x32, sum: U8x16, data: &[u8]) -> U8x32 {
    let (mut pending, rest) = steps(powers, turn, sum, data);
    let by = U8x32::splat(U8x16::from_u128(powers[6]));
    for register in rest.chunks(32) {
        pending = dot(pending, by).xor(U8x32::load_part(register).shuffle(turn));
    }
    pending
}

/// Returns the pending sums of all but at most three registers at the end of the data, and the data of
/// these registers. `sum` is the hash of the data before `data`.
#[inline]
#[target_feature(enable = "avx2,vpclmulqdq,pclmulqdq")]
fn steps<'a>(powers: &Powers, turn: U8x32, sum: U8x16, data: &'a [u8]) -> (U8x32, &'a [u8]) {
    let odd = data.len().div_ceil(16) % 2 == 1;
    let (begin, rest) = data.split_at(data.len().min(if odd { 16 } else { 32 }));
    let mut pending = if odd {
        let begin = match begin.try_into() {
            Ok(block) => U8x16::load(block),
            Err(_) => U8x16::load_part(begin),
        };
        U8x32::from_last(begin.shuffle(turn.first()).xor(sum))
    } else {
        let begin = U8x32::load_part(begin).shuffle(turn);
        begin.xor(U8x32::from_block(sum))
    };

    let (steps, rest) = rest.as_chunks::<128>();
    if !steps.is_empty() {
        let mut factors = [(U8x32::zero(), U8x32::zero()); 4];
        for (n, factor) in factors.iter_mut().enumerate() {
            let power = U8x32::splat(U8x16::from_u128(powers[2 * (3 - n)]));
            *factor = (power, power.xor(power.swap_halves()));
        }
        for four in steps {
            // Only the products of the pending sums depend on the step before, so these products
            // are added last.
            let (registers, _) = four.as_chunks::<32>();
            let mut product = Sum::zero();
            for i in 0..3 {
                let register = U8x32::load(&registers[i]).shuffle(turn);
                product.add_crossed(register, factors[2 - i]);
            }
            product.add_crossed(pending, factors[3]);
            let last = U8x32::load(&registers[3]).shuffle(turn);
            pending = product.crossed().reduce().xor(last);
        }
    }
    match rest.split_first_chunk() {
        // Four registers, of which the last one is not full.
        Some((first, later)) if rest.len() > 96 => {
            let by = U8x32::splat(U8x16::from_u128(powers[6]));
            let first = U8x32::load(first).shuffle(turn);
            (dot(pending, by).xor(first), later)
        }
        _ => (pending, rest),
    }
}
