//! GHASH and POLYVAL with VPCLMULQDQ on 512-bit registers.
//!
//! Let H be the hash key and G = H⁴. The message is split into four polynomials in G. Each of
//! the four 128-bit places of a register computes one polynomial:
//!
//! ```text
//!   place        3         2         1         0
//!            | block 3 | block 2 | block 1 | block 0 |
//!            | block 7 | block 6 | block 5 | block 4 |  …
//!   at the end · H¹       · H²      · H³      · H⁴       and their sum
//! ```
//!
//! The *pending* sums are the values of the four polynomials before the multiplication at the
//! end. One step processes eight registers of the message: it adds the pending sums times G⁸
//! and the first seven registers times G⁷ … G, reduces once, and adds the eighth register. If
//! the number of blocks is not a multiple of four, the first register begins with empty places,
//! which are zeros. Zeros before a message do not change the hash.
#![allow(unsafe_code)]

use super::{MIDDLE, Powers, Table};
use crate::cpu::Avx512;
use crate::simd::{U8x16, U8x64};
use crate::wipe::wipe;

/// Sums of products in the field that are not reduced yet. Each place of a register has one
/// sum.
#[derive(Clone, Copy)]
pub(crate) struct Sum {
    low: U8x64,
    middle: U8x64,
    high: U8x64,
}

impl Sum {
    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    pub(crate) fn zero() -> Self {
        Self {
            low: U8x64::zero(),
            middle: U8x64::zero(),
            high: U8x64::zero(),
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    pub(crate) fn add(&mut self, a: U8x64, b: U8x64) {
        self.low = self.low.xor(a.clmul::<0x00>(b));
        self.high = self.high.xor(a.clmul::<0x11>(b));
        let middle = self.middle.xor(a.clmul::<0x01>(b));
        self.middle = middle.xor(a.clmul::<0x10>(b));
    }

    /// Adds a product by three multiplications, as Karatsuba has it: `b` is also given as the XOR of
    /// its halves, in the lower half of every place. The sum then needs [`crossed`](Self::crossed),
    /// and must have no product by [`add`](Self::add). AMD's processors start a multiplication in every
    /// second cycle, so three take less time than four, and the two other instructions are free.
    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    fn add_crossed(&mut self, a: U8x64, (b, halves): (U8x64, U8x64)) {
        self.low = self.low.xor(a.clmul::<0x00>(b));
        self.high = self.high.xor(a.clmul::<0x11>(b));
        let crossed = a.xor(a.swap_halves()).clmul::<0x00>(halves);
        self.middle = self.middle.xor(crossed);
    }

    /// Adds two products as [`add`](Self::add) does, with a three-input XOR for both where it can: fewer
    /// instructions than by three multiplications each. Intel's processors start a multiplication in every
    /// cycle, on the port that also swaps halves.
    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    fn add_both(&mut self, [a, c]: [U8x64; 2], [b, d]: [U8x64; 2]) {
        self.low = self.low.xor3(a.clmul::<0x00>(b), c.clmul::<0x00>(d));
        self.high = self.high.xor3(a.clmul::<0x11>(b), c.clmul::<0x11>(d));
        let middle = self.middle.xor3(a.clmul::<0x01>(b), c.clmul::<0x01>(d));
        self.middle = middle.xor3(a.clmul::<0x10>(b), c.clmul::<0x10>(d));
    }

    /// Adds a product, by four multiplications if `BY_FOUR` is true and by three if not. All products of
    /// a sum must be added in the same way.
    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    pub(crate) fn add_one<const BY_FOUR: bool>(&mut self, a: U8x64, b: (U8x64, U8x64)) {
        if BY_FOUR {
            self.add(a, b.0);
        } else {
            self.add_crossed(a, b);
        }
    }

    /// Adds two products like [`add_one`](Self::add_one).
    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    pub(crate) fn add_two<const BY_FOUR: bool>(
        &mut self,
        [a, c]: [U8x64; 2],
        [b, d]: [(U8x64, U8x64); 2],
    ) {
        if BY_FOUR {
            self.add_both([a, c], [b.0, d.0]);
        } else {
            self.add_crossed(a, b);
            self.add_crossed(c, d);
        }
    }

    /// Returns the sum of products that were added with the same `BY_FOUR`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn added<const BY_FOUR: bool>(self) -> Self {
        if BY_FOUR { self } else { self.crossed() }
    }

    /// Returns the sum of products that [`add_crossed`](Self::add_crossed) has added.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn crossed(self) -> Self {
        Self {
            middle: self.middle.xor3(self.low, self.high),
            ..self
        }
    }

    /// Fixes the order of instructions at this point. Without this, the compiler would move the
    /// products away from the AES rounds between which the code puts them.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn in_step(&mut self, x: &mut [U8x64; 8]) {
        U8x64::together(x, [&mut self.low, &mut self.middle, &mut self.high]);
    }

    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    pub(crate) fn reduce(self) -> U8x64 {
        let modulus = U8x64::splat(U8x16::from_u128(MIDDLE as u128));
        let cleared = self.low.swap_halves().xor(self.low.clmul::<0x00>(modulus));
        let middle = self.middle.xor(cleared);
        let cleared = middle.swap_halves().xor(middle.clmul::<0x00>(modulus));
        self.high.xor(cleared)
    }

    /// Returns the reduced sum of all four places.
    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    pub(crate) fn fold(self) -> U8x16 {
        self.reduce().fold()
    }
}

#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
fn dot(a: U8x64, b: U8x64) -> U8x64 {
    let mut sum = Sum::zero();
    sum.add(a, b);
    sum.reduce()
}

/// The powers G⁸ … G¹ of G = H⁴, for points without a [`Table`]. Messages of less than [`LONG`]
/// bytes need only G² and G¹, which are H⁸ and H⁴. For longer messages the other powers are
/// computed while the processor executes the first rounds of AES.
pub(crate) struct Steps([U8x16; 8]);

/// The smallest length in bytes of a message that can take three registers.
pub(crate) const LONG: usize = 177;

impl Steps {
    /// Computes the powers that a message of `length` bytes needs.
    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    pub(crate) fn new(powers: &Powers, length: usize) -> Self {
        let (two, one) = (U8x16::from_u128(powers[0]), U8x16::from_u128(powers[4]));
        if length >= LONG {
            // Multiplies (G², G¹, G², G¹) by (G², G², 1, 1), place by place.
            let unit = U8x64::splat(U8x16::from_u128(ONE));
            let low = U8x64::splat(one).with(0, two).with(2, two);
            let low = dot(low, unit.with(0, two).with(1, two));
            let [eight, seven, six, five] = dot(low, U8x64::splat(low.first())).blocks();
            let [four, three, ..] = low.blocks();
            Self([eight, seven, six, five, four, three, two, one])
        } else {
            let none = U8x16::zero();
            Self([none, none, none, none, none, none, two, one])
        }
    }

    /// Returns Gⁿ in every place of a register, for n from 1 to 8.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn step(&self, n: usize) -> U8x64 {
        U8x64::splat(self.0[8 - n])
    }

    /// Returns Gⁿ in every place of a register, for n from 1 to 8, and the XOR of its halves.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn factor(&self, n: usize) -> (U8x64, U8x64) {
        let step = self.step(n);
        (step, step.xor(step.swap_halves()))
    }
}

impl Drop for Steps {
    #[inline]
    fn drop(&mut self) {
        wipe(&mut self.0, U8x16::load(&[0; 16]));
    }
}

/// Returns the powers Hⁿ to H¹ and the three zeros after them. `powers` must be an array of
/// consecutive powers of H, from Hⁿ or higher down to H¹, and then three zeros.
#[inline(always)]
pub(crate) fn falling<const N: usize>(powers: &[u128; N], n: usize) -> &[u128] {
    &powers[const { N - 3 } - n..]
}

/// Returns Hⁿ and the next three lower powers in a register. The zeros after H¹ go to places in
/// which the data is zero.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn four<const N: usize>(powers: &[u128; N], n: usize) -> U8x64 {
    match falling(powers, n).first_chunk() {
        Some(four) => U8x64::load_u128s(four),
        None => U8x64::zero(),
    }
}

pub(super) fn powers(_: Avx512, h: u128, powers: &mut Powers) {
    // SAFETY: the token proves AVX-512 with VPCLMULQDQ.
    unsafe { entry(h, powers) }

    #[target_feature(enable = "avx512f,vpclmulqdq,pclmulqdq")]
    fn entry(h: u128, powers: &mut Powers) {
        powers_of(U8x16::from_u128(h), powers);
    }
}

/// Computes all powers of the hash key `one`, and returns the last four, H⁴ … H¹, in a
/// register.
#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq,pclmulqdq")]
pub(crate) fn powers_of(one: U8x16, powers: &mut Powers) -> U8x64 {
    use super::clmul::dot as dot1;
    let two = dot1(one, one);
    let (three, four) = (dot1(two, one), dot1(two, two));
    // `low` is the register of the powers H⁴ … H¹.
    let low = U8x64::from_block(four)
        .with(1, three)
        .with(2, two)
        .with(3, one);
    let four = U8x64::splat(four);
    let high = dot(low, four);
    low.store_u128s(&mut powers[4..]);
    high.store_u128s(&mut powers[..4]);
    low
}

impl Table {
    /// Returns Gⁿ in every place of a register, for n from 1 to 8, and the XOR of its halves.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn factor(&self, n: usize) -> (U8x64, U8x64) {
        (self.step(n), U8x64::splat_u64(self.halves[n - 1]))
    }

    /// Computes this table from the first powers of the hash key.
    #[inline]
    pub(crate) fn set(&mut self, _: Avx512, powers: &Powers) {
        // SAFETY: the token proves AVX-512 with VPCLMULQDQ.
        unsafe { table(powers, self) }
    }

    /// Returns Gⁿ in every place of a register, for n from 1 to 8.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn step(&self, n: usize) -> U8x64 {
        U8x64::splat(U8x16::from_u128(self.powers[place(n)]))
    }
}

/// Returns the index of Gⁿ in [`Table::powers`], for n from 1 to 8.
#[inline(always)]
fn place(n: usize) -> usize {
    if n > 6 { 8 - n } else { 26 - 4 * n }
}

#[target_feature(enable = "avx512f,vpclmulqdq")]
fn table(powers: &Powers, table: &mut Table) {
    let Table {
        powers: table,
        halves,
        ..
    } = table;
    let all = |power: U8x64| U8x64::splat(power.first());
    // Each register holds four powers of H. The register's name gives the highest of these
    // powers.
    let (h8, h4) = (four(powers, 8), four(powers, 4));
    let by = all(h8);
    let (h16, h12) = (dot(h8, by), dot(h4, by));
    let by = all(h16);
    let (h24, h20) = (dot(h8, by), dot(h4, by));
    let [h32, h28, ..] = dot(by, by.with(1, h12.first())).blocks();
    (table[0], table[1]) = (h32.to_u128(), h28.to_u128());
    let (places, _) = table[2..].as_chunks_mut::<4>();
    for (register, place) in [h24, h20, h16, h12, h8, h4].iter().zip(places) {
        register.store_u128s(place);
    }
    for (n, halves) in halves.iter_mut().enumerate() {
        let power = table[place(n + 1)];
        *halves = power as u64 ^ (power >> 64) as u64;
    }
}

/// x¹²⁸, the neutral element of the product `dot`.
const ONE: u128 = super::MODULUS;

pub(super) fn update(token: Avx512, powers: &Powers, reversed: bool, sum: &mut u128, data: &[u8]) {
    // SAFETY: the token proves AVX-512 with VPCLMULQDQ.
    *sum = unsafe {
        if token.multiplies_quickly() {
            entry::<true>(powers, reversed, *sum, data)
        } else {
            entry::<false>(powers, reversed, *sum, data)
        }
    };

    #[target_feature(enable = "avx512f,avx512bw,vpclmulqdq,pclmulqdq")]
    fn entry<const BY_FOUR: bool>(powers: &Powers, reversed: bool, sum: u128, data: &[u8]) -> u128 {
        let turn = U8x64::splat(super::clmul::turn(reversed));
        let steps = Steps::new(powers, data.len());
        let sum = U8x16::from_u128(sum);
        let pending = absorb::<BY_FOUR>(|n| steps.factor(n), turn, sum, data);
        let mut product = Sum::zero();
        product.add(pending, four(powers, 4));
        product.fold().to_u128()
    }
}

/// Returns the pending sums of `data`, which must not be empty. `sum` is the hash of the data
/// before `data`, and `factor` returns Gⁿ and the XOR of its halves, for n from 1 to 8. `BY_FOUR` is that
/// of [`Sum::add_one`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq,pclmulqdq")]
pub(crate) fn absorb<const BY_FOUR: bool>(
    factor: impl Fn(usize) -> (U8x64, U8x64),
    turn: U8x64,
    sum: U8x16,
    data: &[u8],
) -> U8x64 {
    let blocks = data.len().div_ceil(16);
    let first = (blocks + 3) % 4 + 1;
    let (begin, rest) = data.split_at(data.len().min(16 * first));
    let begin = U8x64::load_bytes(begin).shuffle(turn);
    let begin = begin.xor(U8x64::from_block(sum));
    let mut pending = begin.to_the_end(first);

    let (steps, rest) = rest.as_chunks::<512>();
    for eight in steps {
        // Only the products of the pending sums depend on the step before, so these products
        // are added last.
        let (registers, _) = eight.as_chunks::<64>();
        let register = |i: usize| U8x64::load_bytes_64(&registers[i]).shuffle(turn);
        let mut product = Sum::zero();
        for i in [0, 2, 4] {
            let two = [register(i), register(i + 1)];
            product.add_two::<BY_FOUR>(two, [factor(7 - i), factor(6 - i)]);
        }
        product.add_two::<BY_FOUR>([register(6), pending], [factor(1), factor(8)]);
        pending = product.added::<BY_FOUR>().reduce().xor(register(7));
    }

    let (whole, part) = rest.as_chunks::<64>();
    let registers = rest.len().div_ceil(64);
    if registers != 0 {
        let mut product = Sum::zero();
        let mut last = U8x64::zero();
        for (i, register) in whole.iter().enumerate() {
            last = U8x64::load_bytes_64(register).shuffle(turn);
            if i + 1 != registers {
                product.add_one::<BY_FOUR>(last, factor(registers - 1 - i));
            }
        }
        if !part.is_empty() {
            last = U8x64::load_bytes(part).shuffle(turn);
        }
        product.add_one::<BY_FOUR>(pending, factor(registers));
        pending = product.added::<BY_FOUR>().reduce().xor(last);
    }
    pending
}
