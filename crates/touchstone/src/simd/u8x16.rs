//! Sixteen bytes in one `xmm` register, which are one AES block.

use core::arch::asm;
use core::arch::x86_64::*;

/// A register of sixteen bytes.
#[derive(Clone, Copy)]
pub(crate) struct U8x16(pub(super) __m128i);

impl U8x16 {
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn zero() -> Self {
        Self(_mm_setzero_si128())
    }

    #[inline(always)]
    pub(crate) fn load(bytes: &[u8; 16]) -> Self {
        // SAFETY: the reference covers the 16 bytes, at any alignment.
        Self(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    pub(crate) fn store(self, bytes: &mut [u8; 16]) {
        // SAFETY: the reference covers the 16 bytes, at any alignment.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), self.0) }
    }

    /// Loads one block. Wider registers have the same method for more blocks.
    #[inline(always)]
    pub(crate) fn load_blocks([block]: &[[u8; 16]; 1]) -> Self {
        Self::load(block)
    }

    #[inline(always)]
    pub(crate) fn store_blocks(self, [block]: &mut [[u8; 16]; 1]) {
        self.store(block);
    }

    /// Loads the first block, or zeros if the slice is empty.
    #[inline(always)]
    pub(crate) fn load_some(blocks: &[[u8; 16]]) -> Self {
        Self::load(blocks.first().unwrap_or(&[0; 16]))
    }

    #[inline(always)]
    pub(crate) fn store_some(self, blocks: &mut [[u8; 16]]) {
        if let Some(block) = blocks.first_mut() {
            self.store(block);
        }
    }

    #[inline(always)]
    pub(crate) fn splat(block: Self) -> Self {
        block
    }

    /// Moves every block up by one place and puts the last block of `before` first. This
    /// register has only one block, so the result is `before`.
    #[inline(always)]
    pub(crate) fn shifted_in(self, before: Self) -> Self {
        before
    }

    /// Returns the bytes of `number`, the least significant byte first.
    #[inline(always)]
    pub(crate) fn from_u128(number: u128) -> Self {
        Self::load(&number.to_le_bytes())
    }

    /// Returns the bytes of two numbers, the least significant byte first.
    #[inline(always)]
    pub(crate) fn from_halves(low: u64, high: u64) -> Self {
        // SAFETY: every x86-64 processor has SSE2.
        Self(unsafe { _mm_set_epi64x(high.cast_signed(), low.cast_signed()) })
    }

    #[inline(always)]
    pub(crate) fn to_u128(self) -> u128 {
        let mut bytes = [0; 16];
        self.store(&mut bytes);
        u128::from_le_bytes(bytes)
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn xor(self, other: Self) -> Self {
        Self(_mm_xor_si128(self.0, other.0))
    }

    /// Returns the XOR of two blocks.
    #[inline(always)]
    pub(crate) fn xor_blocks(a: &[u8; 16], b: &[u8; 16]) -> [u8; 16] {
        let mut sum = [0; 16];
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { Self::load(a).xor(Self::load(b)) }
            .apart()
            .store(&mut sum);
        sum
    }

    /// Returns the same bytes in a register of its own, so that compilers do not change the order of a
    /// sum of which the bytes are a part.
    #[inline(always)]
    pub(crate) fn apart(mut self) -> Self {
        // SAFETY: the assembly contains no instruction, so the bytes keep their values.
        unsafe {
            asm!("/* {0} */", inout(xmm_reg) self.0, options(pure, nomem, nostack, preserves_flags));
        }
        self
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(_mm_and_si128(self.0, other.0))
    }

    /// Adds the registers as two 64-bit numbers each.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn add_u64(self, other: Self) -> Self {
        Self(_mm_add_epi64(self.0, other.0))
    }

    /// Moves every byte up by `N` places and fills the lowest places with zeros.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn up<const N: i32>(self) -> Self {
        Self(_mm_slli_si128::<N>(self.0))
    }

    /// Returns the lower half of `self`, followed by the lower half of `high`.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn low_halves(self, high: Self) -> Self {
        Self(_mm_unpacklo_epi64(self.0, high.0))
    }

    /// Returns the upper half of `self`, followed by the lower half of `high`.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn high_low_halves(self, high: Self) -> Self {
        let (low, high) = (_mm_castsi128_pd(self.0), _mm_castsi128_pd(high.0));
        Self(_mm_castpd_si128(_mm_shuffle_pd::<0b01>(low, high)))
    }

    /// Returns the highest 32-bit word in all four places.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn splat_top_u32(self) -> Self {
        Self(_mm_shuffle_epi32::<0xff>(self.0))
    }

    /// Returns the bytes of `before` from byte `N` on, followed by the first `N` bytes of
    /// `self`.
    #[inline]
    #[target_feature(enable = "ssse3")]
    pub(crate) fn after<const N: i32>(self, before: Self) -> Self {
        Self(_mm_alignr_epi8::<N>(self.0, before.0))
    }

    /// Permutes bytes: byte `i` of the result is byte `places[i]` of `self`, or zero if
    /// the top bit of `places[i]` is set.
    #[inline]
    #[target_feature(enable = "ssse3")]
    pub(crate) fn shuffle(self, places: Self) -> Self {
        Self(_mm_shuffle_epi8(self.0, places.0))
    }

    /// Interleaves the lowest eight bytes of `self` and `other`.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn pair_u8(self, other: Self) -> Self {
        Self(_mm_unpacklo_epi8(self.0, other.0))
    }

    /// Interleaves the lowest four 16-bit words of `self` and `other`.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn pair_u16(self, other: Self) -> Self {
        Self(_mm_unpacklo_epi16(self.0, other.0))
    }

    /// Interleaves the highest four 16-bit words of `self` and `other`.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn pair_high_u16(self, other: Self) -> Self {
        Self(_mm_unpackhi_epi16(self.0, other.0))
    }

    /// Interleaves the highest two 32-bit words of `self` and `other`.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn pair_high_u32(self, other: Self) -> Self {
        Self(_mm_unpackhi_epi32(self.0, other.0))
    }

    /// Interleaves the lowest two 32-bit words of `self` and `other`.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn pair_u32(self, other: Self) -> Self {
        Self(_mm_unpacklo_epi32(self.0, other.0))
    }

    /// Returns the lowest 64-bit word of `self`, followed by the lowest 64-bit word of `other`.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn pair_u64(self, other: Self) -> Self {
        Self(_mm_unpacklo_epi64(self.0, other.0))
    }

    /// Multiplies each byte by the same 8 × 8 bit matrix, and then XORs `CONSTANT`. Bit `i` of the product
    /// is the XOR of the bits of the input that byte 7 − `i` of the matrix selects.
    #[inline]
    #[target_feature(enable = "gfni")]
    pub(crate) fn affine_plus<const CONSTANT: i32>(self, matrix: u64) -> Self {
        let matrix = _mm_set1_epi64x(matrix.cast_signed());
        Self(_mm_gf2p8affine_epi64_epi8::<CONSTANT>(self.0, matrix))
    }

    /// Replaces each byte by its inverse in the field of AES, and then multiplies and adds as
    /// [`affine_plus`](Self::affine_plus) does.
    #[inline]
    #[target_feature(enable = "gfni")]
    pub(crate) fn inverse_affine_plus<const CONSTANT: i32>(self, matrix: u64) -> Self {
        let matrix = _mm_set1_epi64x(matrix.cast_signed());
        Self(_mm_gf2p8affineinv_epi64_epi8::<CONSTANT>(self.0, matrix))
    }

    /// Returns the product with x^`n`, for `n` below 58, modulo x^128 + x^7 + x^2 + x + 1. The
    /// bits are numbered as in XTS: the lowest bit of the lowest byte is the coefficient of
    /// x^0.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn times_x(self, n: i32) -> Self {
        let up = _mm_sll_epi64(self.0, _mm_cvtsi32_si128(n));
        // `out` has the bits that leave each 64-bit half at the top. The bits that leave the
        // lower half enter the upper half.
        let out = _mm_srl_epi64(self.0, _mm_cvtsi32_si128(64 - n));
        let up = _mm_xor_si128(up, _mm_slli_si128::<8>(out));
        let out = _mm_srli_si128::<8>(out);
        let twice = _mm_xor_si128(out, _mm_slli_epi64::<1>(out));
        let more = _mm_xor_si128(_mm_slli_epi64::<2>(out), _mm_slli_epi64::<7>(out));
        Self(_mm_xor_si128(up, _mm_xor_si128(twice, more)))
    }

    /// Sets place k of `powers` to the product with x^k, and returns the product with x⁸.
    ///
    /// A product with x needs the bits that leave the two halves. In the first register of words, these
    /// are the top bits of two words, and a shift of this register by k bits brings up those of the
    /// product with x^k. So the chain from one product to the next has one addition and one XOR.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn powers(self, powers: &mut [Self; 8]) -> Self {
        let into = _mm_setr_epi32(0x87, 0, 1, 0);
        let mut out = _mm_shuffle_epi32::<0x13>(self.0);
        let mut power = self.0;
        for place in powers {
            *place = Self(power);
            let left = _mm_and_si128(_mm_srai_epi32::<31>(out), into);
            power = _mm_xor_si128(_mm_add_epi64(power, power), left);
            out = _mm_add_epi32(out, out);
        }
        Self(power)
    }

    /// Returns the block in the only place of the register.
    #[inline(always)]
    pub(crate) fn block(self, _place: usize) -> Self {
        self
    }

    /// Returns `block`, which replaces the only block of this register.
    #[inline(always)]
    pub(crate) fn with(self, _place: usize, block: Self) -> Self {
        block
    }

    /// Returns a register of the given block.
    #[inline(always)]
    pub(crate) fn join([block]: [Self; 1]) -> Self {
        block
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b.xor(c))
    }

    /// Applies an affine map to each byte. `map` has the images of the values of the lower four bits, and
    /// what the upper four bits add.
    #[inline]
    #[target_feature(enable = "ssse3")]
    pub(crate) fn mapped(self, map: &[[u8; 16]; 2]) -> Self {
        let mask = Self(_mm_set1_epi8(15));
        let (low, high) = (self.and(mask), Self(_mm_srli_epi16::<4>(self.0)).and(mask));
        let [of_low, of_high] = map.each_ref().map(Self::load);
        of_low.shuffle(low).xor(of_high.shuffle(high))
    }

    /// Applies the S-box of AES to each byte, and permutes the bytes as ShiftRows does.
    #[inline]
    #[target_feature(enable = "aes")]
    pub(crate) fn aes_s_box(self) -> Self {
        self.aes_enc_last(Self::zero())
    }

    /// Undoes [`aes_s_box`](Self::aes_s_box).
    #[inline]
    #[target_feature(enable = "aes")]
    pub(crate) fn aes_inverse_s_box(self) -> Self {
        self.aes_dec_last(Self::zero())
    }

    in_step!(xmm_reg, "sse2");

    /// Computes one round of AES encryption.
    #[inline]
    #[target_feature(enable = "aes")]
    pub(crate) fn aes_enc(self, key: Self) -> Self {
        Self(_mm_aesenc_si128(self.0, key.0))
    }

    /// Computes the last round of AES encryption.
    #[inline]
    #[target_feature(enable = "aes")]
    pub(crate) fn aes_enc_last(self, key: Self) -> Self {
        Self(_mm_aesenclast_si128(self.0, key.0))
    }

    /// Encrypts two blocks, to which the first round key was added, with AES and a key of `KEY` bytes.
    /// In assembly, because the compiler would load each round key once for both blocks, which takes
    /// half as many instructions again as operands in memory.
    #[inline]
    #[target_feature(enable = "aes,avx")]
    pub(crate) fn aes_two<const KEY: usize>([a, b]: [&mut Self; 2], keys: &[u128; 15]) {
        // SAFETY: the code has instructions of AES and AVX, and reads at most the 15 round keys.
        unsafe {
            asm!(
                ".irp n, 1,2,3,4,5,6,7,8,9",
                "vaesenc {a}, {a}, [{keys} + 16 * \\n]",
                "vaesenc {b}, {b}, [{keys} + 16 * \\n]",
                ".endr",
                ".if {rounds} > 10",
                ".irp n, 10,11",
                "vaesenc {a}, {a}, [{keys} + 16 * \\n]",
                "vaesenc {b}, {b}, [{keys} + 16 * \\n]",
                ".endr",
                ".endif",
                ".if {rounds} > 12",
                ".irp n, 12,13",
                "vaesenc {a}, {a}, [{keys} + 16 * \\n]",
                "vaesenc {b}, {b}, [{keys} + 16 * \\n]",
                ".endr",
                ".endif",
                "vaesenclast {a}, {a}, [{keys} + 16 * {rounds}]",
                "vaesenclast {b}, {b}, [{keys} + 16 * {rounds}]",
                a = inout(xmm_reg) a.0,
                b = inout(xmm_reg) b.0,
                keys = in(reg) keys.as_ptr(),
                rounds = const KEY / 4 + 6,
                options(pure, readonly, nostack, preserves_flags)
            );
        }
    }

    /// Computes one round of AES decryption, of the equivalent inverse cipher.
    #[inline]
    #[target_feature(enable = "aes")]
    pub(crate) fn aes_dec(self, key: Self) -> Self {
        Self(_mm_aesdec_si128(self.0, key.0))
    }

    /// Computes the last round of AES decryption.
    #[inline]
    #[target_feature(enable = "aes")]
    pub(crate) fn aes_dec_last(self, key: Self) -> Self {
        Self(_mm_aesdeclast_si128(self.0, key.0))
    }

    /// Computes InvMixColumns, which makes a round key of the equivalent inverse cipher from a
    /// round key of encryption.
    #[inline]
    #[target_feature(enable = "aes")]
    pub(crate) fn aes_inv_mix_columns(self) -> Self {
        Self(_mm_aesimc_si128(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_products_with_x() {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { check() }

        #[target_feature(enable = "sse2")]
        fn check() {
            for n in 0..=255u8 {
                let mut bytes = [0; 16];
                for i in 0..16 {
                    bytes[i] = n.wrapping_mul(151 + i as u8) ^ n.rotate_left(i as u32);
                }
                let x = U8x16::load(&bytes);
                let mut powers = [U8x16::zero(); 8];
                let next = x.powers(&mut powers);
                for k in 0..8 {
                    assert_eq!(powers[k].to_u128(), x.times_x(k as i32).to_u128(), "{k}");
                }
                assert_eq!(next.to_u128(), x.times_x(8).to_u128());
            }
        }
    }
}
