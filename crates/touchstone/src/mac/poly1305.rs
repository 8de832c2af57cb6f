//! Poly1305: D. Bernstein's one-time MAC, which evaluates a polynomial at a secret point
//! in the field of 2¹³⁰ − 5 elements. Keys have 32 bytes, tags 16.
//!
//! Numbers are three limbs of 44, 44 and 42 bits. Blocks are processed one after the
//! other.
//!
//! - [RFC8439] ChaCha20 and Poly1305 for IETF Protocols, RFC 8439, 2018, §2.5
//!
//! [RFC8439]: https://www.rfc-editor.org/rfc/rfc8439

use zeroize::ZeroizeOnDrop;

use super::OneTimeMac;
use crate::Tag;
use crate::debug::debug;
use crate::wipe::wipe;

/// Poly1305 on the only message of a key.
///
/// ```
/// use touchstone::mac::Poly1305;
///
/// let mut mac = Poly1305::new(&[0x42; 32]);
/// mac.update(b"Attack at dawn");
/// let tag = mac.finalize();
/// ```
pub struct Poly1305 {
    field: Field,
    /// The second half of the key, which is added at the end.
    s: u128,
    /// The bytes after the last whole block. The first `held` bytes are valid.
    rest: [u8; 16],
    held: usize,
}

/// The value of the polynomial so far. Numbers are three limbs: Σ `limb[i]` · 2^(44·i).
struct Field {
    r: [u64; 3],
    /// 20 · r[1] and 20 · r[2]. Limb 3 has the weight 2¹³² = 4 · 2¹³⁰, and 2¹³⁰ equals 5,
    /// so the limb is added to limb 0 times 20.
    r20: [u64; 2],
    h: [u64; 3],
}

const LIMB: u64 = (1 << 44) - 1;
const TOP: u64 = (1 << 42) - 1;

impl Field {
    /// Sets the bits of r to zero that must be zero, [RFC8439] §2.5.1.
    #[inline]
    fn new(r: &[u8; 16]) -> Self {
        let r = u128::from_le_bytes(*r) & 0x0ffffffc_0ffffffc_0ffffffc_0fffffff;
        let r = limbs(r, 0);
        Self {
            r,
            r20: [20 * r[1], 20 * r[2]],
            h: [0; 3],
        }
    }

    /// Computes h = (h + block) · r for each block. `high` is the bit above the block's
    /// 128 bits.
    #[inline]
    fn absorb(&mut self, blocks: &[[u8; 16]], high: u64) {
        let [r0, r1, r2] = self.r.map(u128::from);
        let [s1, s2] = self.r20.map(u128::from);
        let [mut h0, mut h1, mut h2] = self.h;
        for block in blocks {
            let [m0, m1, m2] = limbs(u128::from_le_bytes(*block), high);
            let (a, b, c) = (h0 + m0, h1 + m1, h2 + m2);
            let (a, b, c) = (u128::from(a), u128::from(b), u128::from(c));
            let d0 = a * r0 + b * s2 + c * s1;
            let d1 = a * r1 + b * r0 + c * s2 + (d0 >> 44);
            let d2 = a * r2 + b * r1 + c * r0 + (d1 >> 44);
            h0 = d0 as u64 & LIMB;
            h1 = d1 as u64 & LIMB;
            h2 = d2 as u64 & TOP;
            h0 += 5 * (d2 >> 42) as u64;
            h1 += h0 >> 44;
            h0 &= LIMB;
        }
        self.h = [h0, h1, h2];
    }

    /// The lowest 128 bits of the value modulo 2¹³⁰ − 5.
    fn value(&self) -> u128 {
        let [mut h0, mut h1, mut h2] = self.h;
        // Twice, because the first pass can carry into the highest limb again.
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
        // h + 5 − 2¹³⁰ is the reduced value if it is not negative.
        let g0 = h0 + 5;
        let g1 = h1 + (g0 >> 44);
        let g2 = (h2 + (g1 >> 44)).wrapping_sub(1 << 42);
        let keep = (g2 >> 63).wrapping_neg();
        let choose = |h: u64, g: u64| h & keep | g & !keep;
        let (h0, h1, h2) = (choose(h0, g0 & LIMB), choose(h1, g1 & LIMB), choose(h2, g2));
        u128::from(h0) | u128::from(h1) << 44 | u128::from(h2) << 88
    }
}

/// Converts a number of 128 bits, and a bit above them, to limbs.
#[inline(always)]
fn limbs(number: u128, high: u64) -> [u64; 3] {
    [
        number as u64 & LIMB,
        (number >> 44) as u64 & LIMB,
        (number >> 88) as u64 | high << 40,
    ]
}

impl Poly1305 {
    /// Starts the only message of a key.
    #[inline]
    pub fn new(key: &[u8; 32]) -> Self {
        OneTimeMac::new(key)
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

    /// The MAC of the only message of a key.
    #[inline]
    pub fn mac(key: &[u8; 32], message: &[u8]) -> Tag<16> {
        let mut mac = Self::new(key);
        mac.update(message);
        mac.finalize()
    }
}

impl OneTimeMac for Poly1305 {
    type Key = [u8; 32];
    type Output = Tag<16>;

    #[inline]
    fn new(key: &[u8; 32]) -> Self {
        let (halves, _) = key.as_chunks();
        Self {
            field: Field::new(&halves[0]),
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
        self.field.absorb(blocks, 1);
        self.rest[..rest.len()].copy_from_slice(rest);
        self.held = rest.len();
    }

    fn finalize(mut self) -> Tag<16> {
        if self.held != 0 {
            // [RFC8439] §2.5.1: after the last byte follows a 1, in place of the bit
            // above a whole block.
            self.rest[self.held..].fill(0);
            self.rest[self.held] = 1;
            self.field.absorb(&[self.rest], 0);
        }
        self.field.value().wrapping_add(self.s).to_le_bytes().into()
    }
}

impl Drop for Poly1305 {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.s), 0);
        wipe(&mut self.rest, 0);
        wipe(&mut self.field.r, 0);
        wipe(&mut self.field.r20, 0);
        wipe(&mut self.field.h, 0);
    }
}

debug!([] Poly1305, "Poly1305");

impl ZeroizeOnDrop for Poly1305 {}
