//! GHASH and POLYVAL: the polynomial hash functions of GCM and GCM-SIV.
//!
//! Both functions use the message as the coefficients of a polynomial over GF(2¹²⁸) and
//! evaluate the polynomial at a secret point, the hash key H. The two functions differ in the
//! order of bits. So all kernels compute POLYVAL, and GHASH is POLYVAL on blocks with reversed
//! bytes at the point H·x ([RFC8452] appendix A). A field element is a `u128` whose bit *i* is
//! the coefficient of xⁱ, modulo x¹²⁸ + x¹²⁷ + x¹²⁶ + x¹²¹ + 1. The product is the function
//! `dot` of [RFC8452], a·b·x⁻¹²⁸. The product is reduced from the low end, as in Montgomery's
//! method. The code adds the multiple of the modulus that clears the lowest 64 bits, and then a
//! second multiple that clears the next 64 bits.
//!
//! Every kernel is constant-time: no secret is an index of a table in memory.
//!
//! | kernel | needs | blocks per reduction | technique |
//! |---|---|---|---|
//! | `vpclmul512` | AVX-512 | 32 | four polynomials in step 4, one in each place |
//! | `vpclmul256` | VPCLMULQDQ | 8 | two polynomials in step 2, one in each place |
//! | `clmul` | PCLMULQDQ | 8 | powers of the point |
//! | `portable` | – | 1 | carry-less products by integer products of every fifth bit |
//!
//! - [SP800-38D] Galois/Counter Mode (GCM) and GMAC, NIST SP 800-38D, 2007
//! - [RFC8452] AES-GCM-SIV: Nonce Misuse-Resistant Authenticated Encryption, 2019
//!
//! [SP800-38D]: https://doi.org/10.6028/NIST.SP.800-38D
//! [RFC8452]: https://www.rfc-editor.org/rfc/rfc8452

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::kernel::kernels;
use crate::wipe::wipe;
use zeroize::ZeroizeOnDrop;

#[cfg(target_arch = "x86_64")]
pub(crate) mod clmul;
#[cfg(target_arch = "x86_64")]
pub(crate) mod vpclmul256;
#[cfg(target_arch = "x86_64")]
pub(crate) mod vpclmul512;

type Block = [u8; 16];

kernels! {
    /// The kernels: implementations of GHASH and POLYVAL for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "vpclmul512" = Vpclmul512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "vpclmul256" = Vpclmul256(cpu::Vpclmul256),
        #[cfg(target_arch = "x86_64")]
        "clmul" = Clmul(cpu::Clmul),
    }
}

/// The powers H⁸ … H¹ of the hash key and then three zeros, so that a kernel can load four
/// consecutive powers that begin at any power. The portable kernel uses only the first element,
/// which is H there.
pub(crate) type Powers = [u128; 11];

/// The hash key H (the point at which the polynomial is evaluated), and the order of bytes in a
/// block, which differs between GHASH and POLYVAL.
#[derive(Clone)]
#[doc(hidden)]
pub struct Point {
    pub(crate) kernel: Kernel,
    pub(crate) powers: Powers,
    reversed: bool,
}

debug!([] Point, "Point");

/// More powers of the hash key H, for kernels that compute them at key set-up.
#[derive(Clone)]
#[doc(hidden)]
pub struct Table {
    /// H³², H²⁸, H²⁴, H²³ … H¹, three zeros. So a kernel can load four powers that begin at any power
    /// up to H²⁴, and every fourth power up to H³².
    pub(crate) powers: [u128; 29],
    /// The XOR of the halves of H⁴, H⁸ … H³², or of H², H⁴ … H¹⁶ for kernels with two blocks in a
    /// register, which do not use H³² and H²⁸.
    pub(crate) halves: [u64; 8],
    /// The longest data in bytes that `gcm_seal` and `gcm_open` of the cipher take; 0 if the kernel has
    /// no such functions.
    pub(crate) short: usize,
    /// What proves the instructions of the kernels that have two blocks in a register, if the table is
    /// for these.
    #[cfg(target_arch = "x86_64")]
    pub(crate) for_two: Option<cpu::Vpclmul256>,
}

debug!([] Table, "Table");

impl Table {
    /// Whether `gcm_seal` and `gcm_open` take a message with so many bytes of associated data and of
    /// data. The associated data fill one register at most.
    #[inline(always)]
    pub(crate) const fn takes(&self, aad: usize, data: usize) -> bool {
        data.wrapping_sub(1) < self.short && aad <= 64
    }

    /// Returns a table of zeros, for keys whose kernel does not use the table or has not
    /// computed the table yet.
    #[inline]
    pub(crate) fn none() -> Self {
        Self {
            powers: [0; 29],
            halves: [0; 8],
            short: 0,
            #[cfg(target_arch = "x86_64")]
            for_two: None,
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        wipe(&mut self.powers, 0);
        wipe(&mut self.halves, 0);
    }
}

impl Point {
    /// Makes a point from the hash key `h` of GHASH.
    #[inline]
    pub(crate) fn ghash(kernel: Kernel, h: &Block) -> Self {
        Self::new(kernel, Self::of_ghash(h), true)
    }

    /// Makes a point of GHASH that is zero and unusable, until [`set_ghash`](Self::set_ghash) replaces it.
    #[cfg(all(feature = "aes", feature = "dynamic", feature = "gcm"))]
    #[inline(always)]
    pub(crate) fn unset(kernel: Kernel) -> Self {
        Self {
            kernel,
            powers: [0; 11],
            reversed: true,
        }
    }

    /// Replaces the point by the hash key `h` of GHASH.
    #[inline]
    pub(crate) fn set_ghash(&mut self, h: &Block) {
        self.set(Self::of_ghash(h));
    }

    /// Converts the hash key of GHASH to the point of POLYVAL: mulX of the byte-reversed key,
    /// [RFC8452] appendix A.
    #[inline(always)]
    fn of_ghash(h: &Block) -> u128 {
        let h = u128::from_be_bytes(*h);
        let carry = (h >> 127).wrapping_neg();
        h << 1 ^ carry & MODULUS
    }

    /// Makes a point from the hash key `h` of POLYVAL.
    #[inline]
    pub(crate) fn polyval(kernel: Kernel, h: &Block) -> Self {
        Self::new(kernel, u128::from_le_bytes(*h), false)
    }

    #[inline]
    fn new(kernel: Kernel, h: u128, reversed: bool) -> Self {
        let mut point = Self {
            kernel,
            powers: [0; 11],
            reversed,
        };
        point.set(h);
        point
    }

    #[inline]
    fn set(&mut self, h: u128) {
        let powers = &mut self.powers;
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vpclmul512(token) => vpclmul512::powers(token, h, powers),
            #[cfg(target_arch = "x86_64")]
            Kernel::Vpclmul256(token) => clmul::powers(token.into(), h, powers),
            #[cfg(target_arch = "x86_64")]
            Kernel::Clmul(token) => clmul::powers(token, h, powers),
            Kernel::Portable => powers[0] = h,
        }
    }

    /// Converts a block to a field element.
    #[inline(always)]
    pub(crate) fn element(&self, block: &Block) -> u128 {
        if self.reversed {
            u128::from_be_bytes(*block)
        } else {
            u128::from_le_bytes(*block)
        }
    }

    /// Converts a field element to a block.
    #[inline(always)]
    pub(crate) fn block(&self, element: u128) -> Block {
        if self.reversed {
            element.to_be_bytes()
        } else {
            element.to_le_bytes()
        }
    }

    /// Adds the blocks of `data` to the polynomial whose value so far is `sum`. The last block
    /// is filled up with zeros.
    #[inline]
    pub(crate) fn update(&self, sum: &mut u128, data: &[u8]) {
        if data.is_empty() {
            return;
        }
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vpclmul512(token) => {
                vpclmul512::update(token, &self.powers, self.reversed, sum, data);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Vpclmul256(token) => {
                vpclmul256::update(token, &self.powers, self.reversed, sum, data);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Clmul(token) => clmul::update(token, &self.powers, self.reversed, sum, data),
            Kernel::Portable => {
                for piece in data.chunks(16) {
                    let mut block = [0; 16];
                    block[..piece.len()].copy_from_slice(piece);
                    *sum = dot(*sum ^ self.element(&block), self.powers[0]);
                }
            }
        }
    }

    /// Adds one more coefficient to the polynomial whose value so far is `sum`.
    #[inline]
    pub(crate) fn element_on(&self, sum: &mut u128, element: u128) {
        self.update(sum, &self.block(element));
    }
}

impl Drop for Point {
    fn drop(&mut self) {
        wipe(&mut self.powers, 0);
    }
}

impl ZeroizeOnDrop for Point {}

/// The state of a GHASH or POLYVAL whose data comes in pieces.
#[derive(Clone)]
pub(crate) struct Stream {
    sum: u128,
    buffer: Block,
    used: usize,
}

impl Stream {
    pub(crate) fn new() -> Self {
        Self {
            sum: 0,
            buffer: [0; 16],
            used: 0,
        }
    }

    pub(crate) fn update(&mut self, point: &Point, mut data: &[u8]) {
        if self.used != 0 {
            let (now, later) = data.split_at(data.len().min(16 - self.used));
            self.buffer[self.used..][..now.len()].copy_from_slice(now);
            self.used += now.len();
            if self.used < 16 {
                return;
            }
            self.used = 0;
            point.update(&mut self.sum, &self.buffer);
            data = later;
        }
        let (whole, rest) = data.split_at(data.len() / 16 * 16);
        point.update(&mut self.sum, whole);
        self.buffer[..rest.len()].copy_from_slice(rest);
        self.used = rest.len();
    }

    /// Fills the last block up with zeros and adds this block to the polynomial.
    pub(crate) fn pad(&mut self, point: &Point) {
        point.update(&mut self.sum, &self.buffer[..self.used]);
        self.used = 0;
    }

    /// Returns the value of the hash. The last block contains two lengths in bits; `first` and
    /// `second` are these lengths in bytes.
    pub(crate) fn finish(mut self, point: &Point, first: u64, second: u64) -> Block {
        self.pad(point);
        let mut sum = self.sum;
        let lengths = match point.reversed {
            true => u128::from(first * 8) << 64 | u128::from(second * 8),
            false => u128::from(second * 8) << 64 | u128::from(first * 8),
        };
        point.element_on(&mut sum, lengths);
        point.block(sum)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.sum), 0);
        wipe(&mut self.buffer, 0);
    }
}

/// x¹²⁷ + x¹²⁶ + x¹²¹ + 1, which equals x¹²⁸ modulo the modulus.
const MODULUS: u128 = 1 << 127 | 1 << 126 | 1 << 121 | 1;

/// The modulus without its terms x¹²⁸ and 1, divided by x⁶⁴. The product of this number and the
/// lowest 64 bits of an element gives the multiple of the modulus that clears these bits.
pub(crate) const MIDDLE: u64 = (MODULUS >> 64) as u64;

/// Computes the carry-less product by integer products. Each operand is split into five parts.
/// Each part has every fifth bit of the operand, at most 13 bits. The product of two parts then
/// has sums of at most 13 at every fifth bit, which do not overflow into each other. The lowest
/// bit of each sum is the bit of the carry-less product.
#[inline]
fn clmul_portable(a: u64, b: u64) -> u128 {
    const EVERY_FIFTH: u128 = {
        let mut mask = 0;
        let mut i = 0;
        while i < 128 {
            mask |= 1 << i;
            i += 5;
        }
        mask
    };
    let mut product = 0;
    for k in 0..5 {
        let mut sums = 0;
        for i in 0..5 {
            let x = a & (EVERY_FIFTH << i) as u64;
            let y = b & (EVERY_FIFTH << ((5 + k - i) % 5)) as u64;
            sums ^= u128::from(x) * u128::from(y);
        }
        product ^= sums & EVERY_FIFTH << k;
    }
    product
}

/// Returns the product a·b·x⁻¹²⁸ in the field, the function `dot` of [RFC8452] §3.
fn dot(a: u128, b: u128) -> u128 {
    let (a0, a1) = (a as u64, (a >> 64) as u64);
    let (b0, b1) = (b as u64, (b >> 64) as u64);
    let low = clmul_portable(a0, b0);
    let high = clmul_portable(a1, b1);
    let middle = clmul_portable(a0 ^ a1, b0 ^ b1) ^ low ^ high;
    let cleared = |x: u128| {
        let x0 = u128::from(x as u64);
        x.rotate_left(64) ^ x0 << 63 ^ x0 << 62 ^ x0 << 57
    };
    // `middle` and the cleared `low` both have the weight x⁶⁴ here. After the second clearing,
    // the sum has the weight x¹²⁸.
    high ^ cleared(middle ^ cleared(low))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kernel as _;

    fn hex(text: &str) -> Block {
        u128::from_str_radix(text, 16).unwrap().to_be_bytes()
    }

    #[test]
    fn a_product_of_the_rfc() {
        // The values are the example of [RFC8452] §7.
        let a = u128::from_le_bytes(hex("66e94bd4ef8a2c3b884cfa59ca342b2e"));
        let b = u128::from_le_bytes(hex("ff000000000000000000000000000000"));
        assert_eq!(
            dot(a, b).to_le_bytes(),
            hex("ebe563401e7e91ea3ad6426b8140c394")
        );
    }

    #[test]
    fn an_example_of_the_rfc_in_every_kernel() {
        // The values are the example of [RFC8452] appendix A.
        let h = hex("25629347589242761d31f826ba4b757b");
        let x = [
            hex("4f4f95668c83dfb6401762bb2d01a262"),
            hex("d1a24ddd2721d006bbe45f20d3c9f362"),
        ];
        for kernel in Kernel::available() {
            let polyval = Point::polyval(kernel, &h);
            let mut sum = 0;
            polyval.update(&mut sum, x.as_flattened());
            let wanted = hex("f7a3b47b846119fae5b7866cf5e5b77e");
            assert_eq!(polyval.block(sum), wanted, "{}", kernel.name());

            let ghash = Point::ghash(kernel, &h);
            let mut sum = 0;
            ghash.update(&mut sum, x.as_flattened());
            let wanted = hex("bd9b3997046731fb96251b91f9c99d7a");
            assert_eq!(ghash.block(sum), wanted, "{}", kernel.name());
        }
    }

    #[test]
    fn kernels_agree_at_every_length() {
        let mut data = [0; 1100];
        for (i, byte) in data.iter_mut().enumerate() {
            *byte = (i * 7 % 251) as u8;
        }
        for seed in 0..4 {
            let h: Block = core::array::from_fn(|i| (i as u8).wrapping_mul(37) ^ seed * 0x55 ^ 11);
            let wanted = Point::ghash(Kernel::Portable, &h);
            for kernel in Kernel::available() {
                let given = Point::ghash(kernel, &h);
                for n in 0..data.len() {
                    let (mut a, mut b) = (77, 77);
                    wanted.update(&mut a, &data[..n]);
                    given.update(&mut b, &data[..n]);
                    assert_eq!(a, b, "{} at {n}", kernel.name());
                }
                let mut whole = Stream::new();
                whole.update(&given, &data);
                let mut pieces = Stream::new();
                for piece in data.chunks(23 + usize::from(seed)) {
                    pieces.update(&given, piece);
                }
                assert_eq!(pieces.finish(&given, 3, 4), whole.finish(&given, 3, 4));
            }
        }
    }
}
