//! Sixty-four bytes as bit planes, or as eight 64-bit numbers.

use core::arch::x86_64::*;

/// Eight 64-bit numbers.
#[derive(Clone, Copy)]
pub(crate) struct U64x8(pub(super) __m512i);

impl U64x8 {
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn zero() -> Self {
        Self(_mm512_setzero_si512())
    }

    /// One number in every place.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat(number: u64) -> Self {
        Self(_mm512_set1_epi64(number as i64))
    }

    /// Half a number, repeated all over; fused with what uses it.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat_u32(number: u32) -> Self {
        Self(_mm512_set1_epi32(number as i32))
    }

    /// Numbers, least significant byte first.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load(numbers: &[[u8; 8]; 8]) -> Self {
        // SAFETY: the reference covers the 64 bytes, at any alignment.
        Self(unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn store(self, numbers: &mut [[u8; 8]; 8]) {
        // SAFETY: the reference covers the 64 bytes, at any alignment.
        unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), self.0) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(_mm512_and_si512(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn xor(self, other: Self) -> Self {
        Self(_mm512_xor_si512(self.0, other.0))
    }

    /// What two differ by where `mask` has ones.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn differ(self, other: Self, mask: Self) -> Self {
        mask.ternary::<0x60>(self, other)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn xor_both(self, a: Self, b: Self) -> Self {
        self.ternary::<0x96>(a, b)
    }

    /// The sum of three, the last half a number, repeated all over; fused with it.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn add_three(self, other: Self, number: u32) -> Self {
        let number = _mm512_set1_epi32(number as i32);
        Self(_mm512_ternarylogic_epi32::<0x96>(self.0, other.0, number))
    }

    /// All ones for each bit that is set.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    pub(crate) fn bits_as_u32(bits: u16) -> [u32; 16] {
        // SAFETY: both are plain bits, of the same size.
        unsafe { core::mem::transmute(_mm512_movm_epi32(bits)) }
    }

    /// Any function of three bits: `TABLE` has its value at 4a + 2b + c.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn ternary<const TABLE: i32>(self, b: Self, c: Self) -> Self {
        Self(_mm512_ternarylogic_epi64::<TABLE>(self.0, b.0, c.0))
    }

    /// Where `self` has ones, `yes`, and elsewhere `no`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn select(self, yes: Self, no: Self) -> Self {
        self.ternary::<0xca>(yes, no)
    }

    /// All ones in each number that has this bit.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    pub(crate) fn has_bit(self, bit: u32) -> Self {
        let bit = Self::splat(1 << bit);
        Self(_mm512_movm_epi64(_mm512_test_epi64_mask(self.0, bit.0)))
    }

    /// Exchanges, in units of `BITS` (8, 16 or 32), the odd ones of the first
    /// with the even ones of the second.
    ///
    /// Three instructions for the two results, a shift and two selections, of which
    /// processors start as many as they have ports. Two shuffles would do, but have
    /// one port on Intel's, and compilers make others of them that take longer.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    pub(crate) fn exchange<const BITS: i32>(self, other: Self) -> (Self, Self) {
        const { assert!(BITS == 8 || BITS == 16 || BITS == 32) };
        let (a, b) = (self.0, other.0);
        // From the first's odd units to even places, and the other way.
        let between = match BITS {
            8 => _mm512_shldi_epi16::<8>(b, a),
            16 => _mm512_shldi_epi32::<16>(b, a),
            _ => _mm512_shldi_epi64::<32>(b, a),
        };
        let (even, odd) = match BITS {
            8 => (
                _mm512_mask_blend_epi8(0xaaaa_aaaa_aaaa_aaaa, a, between),
                _mm512_mask_blend_epi8(0xaaaa_aaaa_aaaa_aaaa, between, b),
            ),
            16 => (
                _mm512_mask_blend_epi16(0xaaaa_aaaa, a, between),
                _mm512_mask_blend_epi16(0xaaaa_aaaa, between, b),
            ),
            _ => (
                _mm512_mask_blend_epi32(0xaaaa, a, between),
                _mm512_mask_blend_epi32(0xaaaa, between, b),
            ),
        };
        (Self(even), Self(odd))
    }

    /// Turns each number as a matrix: bit `i` of byte `7 - j` comes to bit `j` of
    /// byte `i`.
    #[inline]
    #[target_feature(enable = "avx512f,gfni")]
    pub(crate) fn turn_bits(self) -> Self {
        // A matrix times the vectors with one bit each gives its columns.
        let columns = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
        Self(_mm512_gf2p8affine_epi64_epi8::<0>(columns, self.0))
    }

    /// Undoes it, for numbers with their bytes in reverse order: bit `7 - i` of
    /// byte `j` comes to bit `j` of byte `i`.
    #[inline]
    #[target_feature(enable = "avx512f,gfni")]
    pub(crate) fn turn_bits_back(self) -> Self {
        let columns = _mm512_set1_epi64(0x0102_0408_1020_4080);
        Self(_mm512_gf2p8affine_epi64_epi8::<0>(columns, self.0))
    }

    /// Each byte times the matrix of its number, whose highest byte is the row of
    /// bit 0.
    #[inline]
    #[target_feature(enable = "avx512f,gfni")]
    pub(crate) fn affine(self, matrices: Self) -> Self {
        Self(_mm512_gf2p8affine_epi64_epi8::<0>(self.0, matrices.0))
    }

    /// One byte in every place.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(crate) fn splat_u8(byte: u8) -> Self {
        Self(_mm512_set1_epi8(byte as i8))
    }

    /// Adds 0, 1, 2, … to the numbers.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn counting(self) -> Self {
        Self(_mm512_add_epi64(
            self.0,
            _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
        ))
    }

    /// Reads each number from its other end.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn swap_bytes(self) -> Self {
        self.shuffle_numbers([7, 6, 5, 4, 3, 2, 1, 0])
    }

    /// In each number the bytes that `places` name.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn shuffle_numbers(self, places: [u8; 8]) -> Self {
        let low = i64::from_le_bytes(places);
        let high = low + 0x0808_0808_0808_0808;
        let places = _mm512_set4_epi64(high, low, high, low);
        Self(_mm512_shuffle_epi8(self.0, places))
    }

    /// Eight bits of each number from each bit on that `starts` names in a byte,
    /// around its end.
    #[inline]
    #[target_feature(enable = "avx512vbmi")]
    pub(crate) fn bits_from(self, starts: Self) -> Self {
        Self(_mm512_multishift_epi64_epi8(starts.0, self.0))
    }

    /// Entries of a table of 64 bytes.
    #[inline]
    #[target_feature(enable = "avx512vbmi")]
    pub(crate) fn look_up(self, table: Self) -> Self {
        Self(_mm512_permutexvar_epi8(self.0, table.0))
    }

    /// Byte `j` of number `i`, and byte `i` of number `j`, exchanged.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi")]
    pub(crate) fn exchange_numbers(self) -> Self {
        let mut places = [[0; 8]; 8];
        let mut i = 0;
        while i < 64 {
            places[i / 8][i % 8] = (8 * (i % 8) + i / 8) as u8;
            i += 1;
        }
        Self::load(&places).look_up(self)
    }

    /// In every number, byte `i` of number `i`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi")]
    pub(crate) fn diagonal(self) -> Self {
        Self::splat(u64::from_le_bytes([0, 9, 18, 27, 36, 45, 54, 63])).look_up(self)
    }

    /// The first number.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn first(self) -> u64 {
        _mm_cvtsi128_si64(_mm512_castsi512_si128(self.0)) as u64
    }
}
