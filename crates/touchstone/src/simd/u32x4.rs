//! Four 32-bit numbers in one `xmm` register.

use core::arch::asm;
use core::arch::x86_64::*;

use super::U8x16;

/// A register of four 32-bit numbers.
#[derive(Clone, Copy)]
pub(crate) struct U32x4(pub(crate) __m128i);

impl U32x4 {
    /// Computes four rounds of SHA-1. `FUNCTION` (0 to 3) selects the round function and the
    /// constant, which are the same for twenty rounds.
    #[inline]
    #[target_feature(enable = "sha")]
    pub(crate) fn sha1_rounds4<const FUNCTION: i32>(self, words: Self) -> Self {
        Self(_mm_sha1rnds4_epu32::<FUNCTION>(self.0, words.0))
    }

    /// Adds the next word `e` of SHA-1 to the first of four message words, which is in the
    /// highest lane. The highest lane of `self` has the word `a` of four rounds before; the
    /// instruction computes `e` from this `a`.
    #[inline]
    #[target_feature(enable = "sha")]
    pub(crate) fn sha1_next_e(self, words: Self) -> Self {
        Self(_mm_sha1nexte_epu32(self.0, words.0))
    }

    /// Computes the first part of four words of SHA-1's message schedule.
    #[inline]
    #[target_feature(enable = "sha")]
    pub(crate) fn sha1_message1(self, next: Self) -> Self {
        Self(_mm_sha1msg1_epu32(self.0, next.0))
    }

    /// Computes the last part of four words of SHA-1's message schedule.
    #[inline]
    #[target_feature(enable = "sha")]
    pub(crate) fn sha1_message2(self, last: Self) -> Self {
        Self(_mm_sha1msg2_epu32(self.0, last.0))
    }

    #[inline(always)]
    pub(crate) fn load(words: &[u32; 4]) -> Self {
        // SAFETY: the reference covers the 16 bytes, at any alignment.
        Self(unsafe { _mm_loadu_si128(words.as_ptr().cast()) })
    }

    /// Loads sixteen bytes.
    #[inline(always)]
    pub(crate) fn load_bytes(bytes: &[u8; 16]) -> Self {
        U8x16::load(bytes).into()
    }

    #[inline(always)]
    pub(crate) fn store(self, words: &mut [u32; 4]) {
        // SAFETY: the reference covers the 16 bytes, at any alignment.
        unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), self.0) }
    }

    /// Loads four big-endian numbers.
    #[inline]
    #[target_feature(enable = "ssse3")]
    pub(crate) fn load_be(bytes: &[u8; 16]) -> Self {
        let turn = U8x16::load(&[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]);
        Self(U8x16::load(bytes).shuffle(turn).0)
    }

    /// Stores the lanes as four big-endian numbers.
    #[inline]
    #[target_feature(enable = "ssse3")]
    pub(crate) fn store_be(self, bytes: &mut [u8; 16]) {
        let turn = U8x16::load(&[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]);
        U8x16(self.0).shuffle(turn).store(bytes);
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn splat(number: u32) -> Self {
        Self(_mm_set1_epi32(number.cast_signed()))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    pub(crate) fn xor3(self, b: Self, c: Self) -> Self {
        Self(_mm_ternarylogic_epi32::<0x96>(self.0, b.0, c.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    pub(crate) fn rotate_left<const N: i32>(self) -> Self {
        Self(_mm_rol_epi32::<N>(self.0))
    }

    /// For each bit: the bit of `yes` where `self` has a 1, else the bit of `no`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    pub(crate) fn choose(self, yes: Self, no: Self) -> Self {
        Self(_mm_ternarylogic_epi32::<0xca>(self.0, yes.0, no.0))
    }

    /// Rotates each number left by `n`. With AVX-512 VL, the compiler makes one instruction of
    /// this method.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn rotate_left_by(self, n: u32) -> Self {
        let (up, down) = (n.cast_signed(), (32 - n).cast_signed());
        Self(_mm_or_si128(
            _mm_sll_epi32(self.0, _mm_cvtsi32_si128(up)),
            _mm_srl_epi32(self.0, _mm_cvtsi32_si128(down)),
        ))
    }

    /// (self ⊕ newest), rotated left by `n`. With `ROTATES`, rotations take one cycle, and this is a
    /// sum and a rotation. Otherwise only two shifts, side by side, and one function of three bits
    /// wait for `newest`: where a rotation takes two cycles, as on Zen 4, this is a cycle faster, but
    /// more instructions share the ports of shifts.
    #[inline]
    #[target_feature(enable = "avx2,avx512f,avx512vl")]
    pub(crate) fn xor_rotate<const ROTATES: bool>(self, newest: Self, n: u32) -> Self {
        if ROTATES {
            return self.xor(newest).rotate_left_by(n);
        }
        let (up, down) = (n.cast_signed(), (32 - n).cast_signed());
        let up = _mm_sll_epi32(newest.0, _mm_cvtsi32_si128(up));
        let down = _mm_srl_epi32(newest.0, _mm_cvtsi32_si128(down));
        let mut result = self.rotate_left_by(n).0;
        // The compiler would join the shifts.
        // SAFETY: the instruction uses only these registers.
        unsafe {
            asm!(
                "vpternlogd {0}, {1}, {2}, 0x96",
                inout(xmm_reg) result,
                in(xmm_reg) up,
                in(xmm_reg) down,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        Self(result)
    }

    /// Returns lanes 2 and 3 of `self`, then lanes 0 and 1 of `high`.
    #[inline]
    #[target_feature(enable = "ssse3")]
    pub(crate) fn window_2(self, high: Self) -> Self {
        Self(_mm_alignr_epi8::<8>(high.0, self.0))
    }

    /// Returns lane 3 of `self`, then lanes 0, 1 and 2 of `high`.
    #[inline]
    #[target_feature(enable = "ssse3")]
    pub(crate) fn window_3(self, high: Self) -> Self {
        Self(_mm_alignr_epi8::<12>(high.0, self.0))
    }

    /// Returns lanes 1, 2 and 3, then zero.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn move_down_1(self) -> Self {
        Self(_mm_bsrli_si128::<4>(self.0))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn shift_left<const BITS: i32>(self) -> Self {
        Self(_mm_slli_epi32::<BITS>(self.0))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn shift_right<const BITS: i32>(self) -> Self {
        Self(_mm_srli_epi32::<BITS>(self.0))
    }

    /// A zero, then lanes 0, 1 and 2.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn move_up_1(self) -> Self {
        Self(_mm_bslli_si128::<4>(self.0))
    }

    /// Two zeros, then lanes 0 and 1.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn move_up_2(self) -> Self {
        Self(_mm_bslli_si128::<8>(self.0))
    }

    /// Returns three zeros, then lane 0.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn move_up_3(self) -> Self {
        Self(_mm_bslli_si128::<12>(self.0))
    }

    /// Transposes a matrix of 4 × 4 numbers: number `i` of row `j` becomes number `j` of
    /// row `i`.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn transpose4([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        let (ab, cd) = (
            Self(_mm_unpacklo_epi32(a.0, b.0)),
            Self(_mm_unpacklo_epi32(c.0, d.0)),
        );
        let (ab_high, cd_high) = (
            Self(_mm_unpackhi_epi32(a.0, b.0)),
            Self(_mm_unpackhi_epi32(c.0, d.0)),
        );
        [
            ab.low_halves(cd),
            ab.high_halves(cd),
            ab_high.low_halves(cd_high),
            ab_high.high_halves(cd_high),
        ]
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn xor(self, other: Self) -> Self {
        Self(_mm_xor_si128(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn add(self, other: Self) -> Self {
        Self(_mm_add_epi32(self.0, other.0))
    }

    /// self ⊕ (other, rotated left by `n`), as two sums of a shifted number each. One of the shifts may
    /// wait for its port for a cycle, and the sum with the other shift goes ahead meanwhile. The compiler
    /// would join the shifts first, and the sum would wait for both.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn xor_rotation_of(self, other: Self, n: u32) -> Self {
        let (up, down) = (n.cast_signed(), (32 - n).cast_signed());
        let up = _mm_sll_epi32(other.0, _mm_cvtsi32_si128(up));
        let down = _mm_srl_epi32(other.0, _mm_cvtsi32_si128(down));
        let first = U8x16(_mm_xor_si128(self.0, up)).apart();
        Self(_mm_xor_si128(first.0, down))
    }

    /// [`splat_words`](Self::splat_words) for numbers in memory.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn splat_row(words: &[u32; 4]) -> Self {
        Self::load(words)
    }

    /// The four numbers, as wider registers repeat them.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn splat_words(words: [u32; 4]) -> Self {
        let [a, b, c, d] = words.map(u32::cast_signed);
        Self(_mm_setr_epi32(a, b, c, d))
    }

    /// Adds numbers of 64 bits, each in two lanes, the lower half first.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn add_u64(self, other: Self) -> Self {
        Self(_mm_add_epi64(self.0, other.0))
    }

    /// Returns `self` with lanes 1 and 3 of `other`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn with_odd_lanes(self, other: Self) -> Self {
        Self(_mm_blend_epi32::<0b1010>(self.0, other.0))
    }

    /// Returns `self` with lanes 2 and 3 of `other`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn with_upper_lanes(self, other: Self) -> Self {
        Self(_mm_blend_epi32::<0b1100>(self.0, other.0))
    }

    /// Returns `self` with lanes 1 and 2 of `other`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn with_middle_lanes(self, other: Self) -> Self {
        Self(_mm_blend_epi32::<0b0110>(self.0, other.0))
    }

    /// Permutes the lanes. `LANES` has two bits for each of the result's lanes `3-2-1-0`: the
    /// index of the source lane.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn permute<const LANES: i32>(self) -> Self {
        Self(_mm_shuffle_epi32::<LANES>(self.0))
    }

    /// Returns lanes 1, 2 and 3 of `self`, then lane 0 of `high`.
    #[inline]
    #[target_feature(enable = "ssse3")]
    pub(crate) fn window_1(self, high: Self) -> Self {
        Self(_mm_alignr_epi8::<4>(high.0, self.0))
    }

    /// Returns the lower half of `self`, followed by the lower half of `high`.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn low_halves(self, high: Self) -> Self {
        Self(_mm_unpacklo_epi64(self.0, high.0))
    }

    /// Returns the upper half of `self`, followed by the upper half of `high`.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn high_halves(self, high: Self) -> Self {
        Self(_mm_unpackhi_epi64(self.0, high.0))
    }

    /// Computes two rounds of SHA-256. `self` has the state words c d g h, and `abef` has the
    /// words a b e f. The result has the new a b e f.
    #[inline]
    #[target_feature(enable = "sha")]
    pub(crate) fn sha256_rounds2(self, abef: Self, words_and_constants: Self) -> Self {
        Self(_mm_sha256rnds2_epu32(self.0, abef.0, words_and_constants.0))
    }

    /// Computes the first half of four words of SHA-256's message schedule.
    #[inline]
    #[target_feature(enable = "sha")]
    pub(crate) fn sha256_message1(self, next: Self) -> Self {
        Self(_mm_sha256msg1_epu32(self.0, next.0))
    }

    /// Computes the second half of four words of SHA-256's message schedule.
    #[inline]
    #[target_feature(enable = "sha")]
    pub(crate) fn sha256_message2(self, last: Self) -> Self {
        Self(_mm_sha256msg2_epu32(self.0, last.0))
    }
}

impl U8x16 {
    /// Splits words into planes of their bytes: plane `b` has byte `b` of every word. Number `d` of
    /// register `m` gives byte 4`m` + `d` of each plane.
    #[inline]
    #[target_feature(enable = "ssse3")]
    pub(crate) fn to_planes(words: [U32x4; 4]) -> [Self; 4] {
        let together = Self::load(&[0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]);
        let mut planes = words;
        for m in 0..4 {
            planes[m] = Self::from(words[m]).shuffle(together).into();
        }
        let [a, b, c, d] = U32x4::transpose4(planes);
        [a.into(), b.into(), c.into(), d.into()]
    }

    /// Joins planes to words, the inverse of [`to_planes`](Self::to_planes).
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn to_words([a, b, c, d]: [Self; 4]) -> [U32x4; 4] {
        let (ab, ab_high) = (_mm_unpacklo_epi8(a.0, b.0), _mm_unpackhi_epi8(a.0, b.0));
        let (cd, cd_high) = (_mm_unpacklo_epi8(c.0, d.0), _mm_unpackhi_epi8(c.0, d.0));
        [
            Self(_mm_unpacklo_epi16(ab, cd)).into(),
            Self(_mm_unpackhi_epi16(ab, cd)).into(),
            Self(_mm_unpacklo_epi16(ab_high, cd_high)).into(),
            Self(_mm_unpackhi_epi16(ab_high, cd_high)).into(),
        ]
    }
}

impl From<U8x16> for U32x4 {
    #[inline(always)]
    fn from(bytes: U8x16) -> Self {
        Self(bytes.0)
    }
}

impl From<U32x4> for U8x16 {
    #[inline(always)]
    fn from(words: U32x4) -> Self {
        Self(words.0)
    }
}
