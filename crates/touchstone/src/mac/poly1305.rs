//! Poly1305: D. Bernstein's one-time MAC. Poly1305 evaluates a polynomial, whose coefficients
//! are the message, at a secret point in the field of 2¹³⁰ − 5 elements. Keys have 32 bytes,
//! tags have 16 bytes.
//!
//! Constant-time on processors with constant-time multiplication.
//!
//! | kernel | needs | technique |
//! |---|---|---|
//! | `ifma` | AVX-512 and IFMA | eight blocks in eight lanes, three limbs of 44 bits |
//! | `avx2` | AVX2 | four blocks in four lanes, five limbs of 26 bits |
//! | `portable` | – | one block after the other, in words of 64 bits |
//!
//! Let r be the secret point. A kernel with `n` lanes multiplies each lane by rⁿ for each group
//! of blocks, and at the end multiplies lane `i` by rⁿ⁻ⁱ. So the sum of the lanes is the value
//! of the polynomial. The portable kernel computes short messages, because the powers of r take
//! as much time as some blocks.
//!
//! - [RFC8439] ChaCha20 and Poly1305 for IETF Protocols, RFC 8439, 2018, §2.5
//!
//! [RFC8439]: https://www.rfc-editor.org/rfc/rfc8439

use zeroize::ZeroizeOnDrop;

use super::OneTimeMac;
use crate::Tag;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::kernel::kernels;
use crate::machinery::tail::number;
#[cfg(target_arch = "x86_64")]
use crate::machinery::unknown::unknown;
use crate::wipe::wipe;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod ifma;

kernels! {
    /// The kernels: implementations of Poly1305 for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "ifma" = Ifma(cpu::Ifma),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

/// The state of Poly1305 on the only message of a key.
///
/// ```
/// use touchstone::mac::Poly1305;
///
/// let mut mac = Poly1305::new(&[0x42; 32]);
/// mac.update(b"Attack at dawn");
/// let tag = mac.finalize();
/// ```
#[derive(Clone)]
pub struct Poly1305 {
    kernel: Kernel,
    field: Field,
    /// The powers of r. They are computed when a piece of the message is so long that a kernel
    /// needs them.
    #[cfg(target_arch = "x86_64")]
    powers: Option<Powers>,
    /// The second half of the key, which is added to the value of the polynomial at the end.
    s: u128,
    /// The bytes of the message after the last whole block. Only the first `held` bytes are
    /// valid.
    rest: [u8; 16],
    held: usize,
}

/// The secret point r, and the value of the polynomial so far.
#[derive(Clone)]
struct Field {
    r: [u64; 2],
    /// The number 5/4 · r[1], which is whole because the two lowest bits of r[1] are zero. The
    /// product of h[1] and r[1] has the weight 2¹²⁸ = 2¹³⁰ / 4, and 2¹³⁰ equals 5 modulo 2¹³⁰
    /// − 5.
    r1_folded: u64,
    /// The value of the polynomial in words of 64 bits. The value is less than 2¹³¹.
    h: [u64; 3],
}

impl Field {
    /// Makes the field from the first half of the key. Sets the bits of r to zero that must be
    /// zero, [RFC8439] §2.5.1.
    #[inline]
    fn new(r: &[u8; 16]) -> Self {
        let r = u128::from_le_bytes(*r) & 0x0ffffffc_0ffffffc_0ffffffc_0fffffff;
        let r = [r as u64, (r >> 64) as u64];
        Self {
            r,
            r1_folded: r[1] + (r[1] >> 2),
            h: [0; 3],
        }
    }

    /// Computes h = (h + block) · r for each block. `high` is the bit above the 128 bits of a
    /// block.
    #[inline]
    fn absorb(&mut self, blocks: &[[u8; 16]], high: u64) {
        let [r0, r1] = self.r.map(u128::from);
        let folded = u128::from(self.r1_folded);
        let [mut h0, mut h1, mut h2] = self.h;
        for block in blocks {
            let block = u128::from_le_bytes(*block);
            let (sum, carry) = (u128::from(h0) | u128::from(h1) << 64).overflowing_add(block);
            let (a, b) = (u128::from(sum as u64), sum >> 64);
            let c = h2 + high + u64::from(carry);
            let d0 = a * r0 + b * folded;
            let d1 = a * r1 + b * r0 + u128::from(c * self.r1_folded) + (d0 >> 64);
            let d2 = c * self.r[0] + (d1 >> 64) as u64;
            // 2¹³⁰ equals 5 in the field, so the bits from 2¹³⁰ on are added to the lowest bits
            // five times.
            let low = u128::from(d0 as u64) | d1 << 64;
            let (low, carry) = low.overflowing_add(u128::from((d2 & !3) + (d2 >> 2)));
            h0 = low as u64;
            h1 = (low >> 64) as u64;
            h2 = (d2 & 3) + u64::from(carry);
        }
        self.h = [h0, h1, h2];
    }

    /// Calls a function with r and the powers after it, `number` in all. Each comes from the one
    /// before, as blocks are absorbed: r has fewer bits than other numbers, so this takes less time than
    /// other products.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn powers(&self, number: usize, mut each: impl FnMut(usize, Limbs)) {
        let mut power = Self {
            h: [self.r[0], self.r[1], 0],
            ..*self
        };
        each(1, limbs(power.h));
        for exponent in 2..=number {
            power.absorb(&[[0; 16]], 0);
            each(exponent, limbs(power.h));
        }
    }

    /// Returns the lowest 128 bits of the polynomial's value modulo 2¹³⁰ − 5.
    fn value(&self) -> u128 {
        let [h0, h1, h2] = self.h;
        // `h2` is at most 4, so this addition gives a value below 2¹³⁰ + 5.
        let (low, carry) =
            (u128::from(h0) | u128::from(h1) << 64).overflowing_add(u128::from(5 * (h2 >> 2)));
        let h2 = (h2 & 3) + u64::from(carry);
        // The difference h + 5 − 2¹³⁰ is the reduced value if the difference is not negative.
        let (reduced, carry) = low.overflowing_add(5);
        let over = (h2 + u64::from(carry)) >> 2;
        let keep = u128::from(over).wrapping_sub(1);
        low & keep | reduced & !keep
    }
}

/// A number modulo 2¹³⁰ − 5 in three limbs: Σ `limb[i]` · 2^(44·i).
#[cfg(target_arch = "x86_64")]
type Limbs = [u64; 3];

#[cfg(target_arch = "x86_64")]
const LIMB: u64 = (1 << 44) - 1;
#[cfg(target_arch = "x86_64")]
const TOP: u64 = (1 << 42) - 1;

/// The powers r, r², …, r⁸: for each limb, that of all powers. Each kernel has an order of its own.
#[cfg(target_arch = "x86_64")]
#[derive(Clone)]
struct Powers([[u64; 8]; 3]);

#[cfg(target_arch = "x86_64")]
impl Powers {
    #[inline]
    fn get(&self, place: usize) -> Limbs {
        self.0.each_ref().map(|limbs| limbs[place])
    }
}

#[cfg(target_arch = "x86_64")]
impl Drop for Powers {
    fn drop(&mut self) {
        wipe(&mut self.0, [0; 8]);
    }
}

/// Loads three numbers one after the other. A compiler that knows that they are neighbours loads
/// parts of two at once, and a load of two numbers that were just stored waits until both are in
/// the cache.
#[cfg(target_arch = "x86_64")]
#[inline]
fn one_by_one(numbers: &[u64; 3]) -> [u64; 3] {
    numbers.each_ref().map(|number| *unknown(number))
}

/// Converts a number in words of 64 bits to limbs of 44 bits.
#[cfg(target_arch = "x86_64")]
#[inline]
fn limbs([h0, h1, h2]: [u64; 3]) -> Limbs {
    [h0 & LIMB, (h0 >> 44 | h1 << 20) & LIMB, h1 >> 24 | h2 << 40]
}

/// Converts limbs of 44 bits to words of 64 bits. The limbs may have up to 60 bits.
#[cfg(target_arch = "x86_64")]
#[inline]
fn words([mut h0, mut h1, mut h2]: Limbs) -> [u64; 3] {
    // The loop runs twice, because the first carry from the highest limb can make another carry
    // into it.
    for _ in 0..2 {
        h1 += h0 >> 44;
        h0 &= LIMB;
        h2 += h1 >> 44;
        h1 &= LIMB;
        h0 += 5 * (h2 >> 42);
        h2 &= TOP;
    }
    h1 += h0 >> 44;
    h0 &= LIMB;
    h2 += h1 >> 44;
    h1 &= LIMB;
    [h0 | h1 << 44, h1 >> 20 | h2 << 24, h2 >> 40]
}

impl Poly1305 {
    /// Starts the only message of a key.
    #[inline]
    pub fn new(key: &[u8; 32]) -> Self {
        OneTimeMac::new(key)
    }

    /// Replaces the key of an object that has no message yet.
    #[cfg(any(feature = "chacha", feature = "salsa20"))]
    #[inline]
    pub(crate) fn set_key(&mut self, key: &[u8; 32]) {
        let (halves, _) = key.as_chunks();
        self.field = Field::new(&halves[0]);
        self.s = u128::from_le_bytes(halves[1]);
    }

    /// Fills the last block of the message up with zeros, [RFC8439] §2.8.1.
    #[cfg(any(feature = "chacha", feature = "salsa20"))]
    #[inline]
    pub(crate) fn pad(&mut self) {
        if self.held != 0 {
            self.rest[self.held..].fill(0);
            self.held = 0;
            self.field.absorb(&[self.rest], 1);
        }
    }

    /// Adds a piece of the message and fills its last block up with zeros. The message so far
    /// must consist of whole blocks.
    #[cfg(feature = "chacha")]
    #[inline]
    pub(crate) fn update_padded(&mut self, data: &[u8]) {
        debug_assert!(self.held == 0);
        let (blocks, rest) = data.as_chunks();
        if !blocks.is_empty() {
            self.absorb(blocks);
        }
        if !rest.is_empty() {
            self.field.absorb(&[number(rest).to_le_bytes()], 1);
        }
    }

    /// Adds whole blocks to the message: with the kernel if the blocks are many, or else one
    /// after the other.
    #[inline]
    fn absorb(&mut self, blocks: &[[u8; 16]]) {
        let blocks = match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Ifma(token) if blocks.len() >= ifma::least(self.powers.is_some()) => self
                .absorb_by(
                    |h, powers, r, blocks| ifma::absorb(token, h, powers, r, blocks),
                    blocks,
                ),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) if blocks.len() >= avx2::LEAST => self.absorb_by(
                |h, powers, r, blocks| avx2::absorb(token, h, powers, r, blocks),
                blocks,
            ),
            _ => blocks,
        };
        self.field.absorb(blocks, 1);
    }

    /// Adds blocks to the message with the function `kernel`, which changes the value of the
    /// polynomial and returns the remaining blocks. The first time it receives r, and writes the
    /// powers where they stay.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn absorb_by<'b>(
        &mut self,
        kernel: impl FnOnce(&mut Limbs, &mut Powers, Option<&Field>, &'b [[u8; 16]]) -> &'b [[u8; 16]],
        blocks: &'b [[u8; 16]],
    ) -> &'b [[u8; 16]] {
        let mut h = limbs(one_by_one(&self.field.h));
        let r = self.powers.is_none().then_some(&self.field);
        let powers = self.powers.get_or_insert(Powers([[0; 8]; 3]));
        let rest = kernel(&mut h, powers, r, blocks);
        self.field.h = words(h);
        wipe(&mut h, 0);
        rest
    }

    /// Adds the next piece of the message.
    #[inline]
    pub fn update(&mut self, data: &[u8]) {
        OneTimeMac::update(self, data);
    }

    /// Ends the message and returns its MAC.
    #[inline]
    pub fn finalize(self) -> Tag<16> {
        OneTimeMac::finalize(self)
    }

    /// Returns the MAC of the only message of a key.
    #[inline]
    pub fn mac(key: &[u8; 32], message: &[u8]) -> Tag<16> {
        Self::new(key).whole(message)
    }
}

/// The longest message for [`Poly1305::short`]. All kernels compute so few blocks by the portable form.
pub(super) const SHORT: usize = 9 * 16 + 15;

impl OneTimeMac for Poly1305 {
    type Kernel = Kernel;
    type Key = [u8; 32];
    type Output = Tag<16>;

    #[inline]
    fn with_kernel(kernel: Kernel, key: &[u8; 32]) -> Self {
        let (halves, _) = key.as_chunks();
        Self {
            kernel,
            field: Field::new(&halves[0]),
            #[cfg(target_arch = "x86_64")]
            powers: None,
            s: u128::from_le_bytes(halves[1]),
            rest: [0; 16],
            held: 0,
        }
    }

    fn update(&mut self, mut data: &[u8]) {
        if self.held != 0 {
            let (now, later) = data.split_at(data.len().min(16 - self.held));
            self.rest[self.held..self.held + now.len()].copy_from_slice(now);
            self.held += now.len();
            if self.held < 16 {
                return;
            }
            self.field.absorb(&[self.rest], 1);
            data = later;
        }
        let (blocks, rest) = data.as_chunks();
        self.absorb(blocks);
        // A copy of so few bytes is a call.
        if !rest.is_empty() {
            self.rest[..rest.len()].copy_from_slice(rest);
        }
        self.held = rest.len();
    }

    fn finalize(mut self) -> Tag<16> {
        self.end()
    }
}

impl Poly1305 {
    /// Ends the message where the object lies, so that no copy of it remains.
    pub(crate) fn end(&mut self) -> Tag<16> {
        if self.held != 0 {
            // [RFC8439] §2.5.1: a short last block ends with a 1, at the place of the bit that
            // a whole block has above its last byte.
            self.rest[self.held..].fill(0);
            self.rest[self.held] = 1;
            self.field.absorb(&[self.rest], 0);
        }
        self.field.value().wrapping_add(self.s).to_le_bytes().into()
    }
}

impl Poly1305 {
    /// Returns the MAC of a whole message. The object must have no pieces of a message.
    #[inline]
    pub(crate) fn whole(&mut self, message: &[u8]) -> Tag<16> {
        if message.len() <= SHORT {
            return self.short(self.s, message);
        }
        OneTimeMac::update(self, message);
        self.end()
    }

    /// Returns the MAC of a message of at most [`SHORT`] bytes, with the second half of the key. Takes
    /// only r from the object.
    #[inline]
    pub(super) fn short(&self, s: u128, message: &[u8]) -> Tag<16> {
        let mut field = Field {
            h: [0; 3],
            ..self.field
        };
        let (blocks, rest) = message.as_chunks();
        field.absorb(blocks, 1);
        if !rest.is_empty() {
            // The bit above the last byte, as in [`end`](Self::end).
            let last = number(rest) | 1 << (8 * rest.len());
            field.absorb(&[last.to_le_bytes()], 0);
        }
        let tag = field.value().wrapping_add(s);
        wipe(&mut field.h, 0);
        tag.to_le_bytes().into()
    }

    /// Starts another message with the same r, for MACs that use one r for many messages.
    pub(super) fn restart(&mut self) {
        wipe(&mut self.field.h, 0);
        wipe(core::slice::from_mut(&mut self.s), 0);
        wipe(&mut self.rest, 0);
        self.held = 0;
    }

    /// Ends the message as [`end`](Self::end) does, with another second half of the key.
    pub(super) fn end_with(&mut self, s: u128) -> Tag<16> {
        self.s = s;
        self.end()
    }
}

impl Drop for Poly1305 {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.s), 0);
        wipe(&mut self.rest, 0);
        wipe(&mut self.field.r, 0);
        wipe(core::slice::from_mut(&mut self.field.r1_folded), 0);
        wipe(&mut self.field.h, 0);
    }
}

debug!([] Poly1305, "Poly1305");

impl ZeroizeOnDrop for Poly1305 {}
