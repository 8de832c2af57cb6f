//! Sixty-four bytes in one `zmm` register, which are four AES blocks.

use core::arch::asm;
use core::arch::x86_64::*;

use super::{U8x16, U32x16, U64x8};

/// A register of sixty-four bytes.
#[derive(Clone, Copy)]
pub(crate) struct U8x64(pub(super) __m512i);

impl U8x64 {
    /// Returns the four blocks of 64 bytes whose quarters are the quarters of four registers.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn blocks_of_rows([a, b, c, d]: [U32x16; 4]) -> [[Self; 1]; 4] {
        let low = (
            _mm512_shuffle_i32x4::<0b01_00_01_00>(a.0, b.0),
            _mm512_shuffle_i32x4::<0b01_00_01_00>(c.0, d.0),
        );
        let high = (
            _mm512_shuffle_i32x4::<0b11_10_11_10>(a.0, b.0),
            _mm512_shuffle_i32x4::<0b11_10_11_10>(c.0, d.0),
        );
        [
            [Self(_mm512_shuffle_i32x4::<0b10_00_10_00>(low.0, low.1))],
            [Self(_mm512_shuffle_i32x4::<0b11_01_11_01>(low.0, low.1))],
            [Self(_mm512_shuffle_i32x4::<0b10_00_10_00>(high.0, high.1))],
            [Self(_mm512_shuffle_i32x4::<0b11_01_11_01>(high.0, high.1))],
        ]
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn zero() -> Self {
        Self(_mm512_setzero_si512())
    }

    /// Returns a register with `block` in every place.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat(block: U8x16) -> Self {
        Self(_mm512_broadcast_i32x4(block.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load_blocks(blocks: &[[u8; 16]; 4]) -> Self {
        // SAFETY: the reference covers the 64 bytes, at any alignment.
        Self(unsafe { _mm512_loadu_si512(blocks.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn store_blocks(self, blocks: &mut [[u8; 16]; 4]) {
        // SAFETY: the reference covers the 64 bytes, at any alignment.
        unsafe { _mm512_storeu_si512(blocks.as_mut_ptr().cast(), self.0) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load(bytes: &[u8; 64]) -> Self {
        // SAFETY: the reference covers the 64 bytes, at any alignment.
        Self(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn store(self, bytes: &mut [u8; 64]) {
        // SAFETY: the reference covers the 64 bytes, at any alignment.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), self.0) }
    }

    /// Returns a register with `word` in every place.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat_u64(word: u64) -> Self {
        Self(_mm512_set1_epi64(word.cast_signed()))
    }

    /// Returns a register with `byte` in every place.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(crate) fn splat_u8(byte: u8) -> Self {
        Self(_mm512_set1_epi8(byte.cast_signed()))
    }

    /// Returns the lower half of `self`, followed by the upper half of `high`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn low_high(self, high: Self) -> Self {
        Self(_mm512_mask_blend_epi64(0xf0, self.0, high.0))
    }

    /// Uses each byte as an index of a table of 256 entries, in constant time.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(crate) fn lookup(self, table: &[u8; 256]) -> Self {
        let (quarters, _) = table.as_chunks();
        let (a, b) = (Self::load(&quarters[0]), Self::load(&quarters[1]));
        let (c, d) = (Self::load(&quarters[2]), Self::load(&quarters[3]));
        let low = _mm512_permutex2var_epi8(a.0, self.0, b.0);
        let high = _mm512_permutex2var_epi8(c.0, self.0, d.0);
        Self(_mm512_mask_blend_epi8(
            _mm512_movepi8_mask(self.0),
            low,
            high,
        ))
    }

    /// Does what [`lookup`](Self::lookup) does for several registers, with one load of each part of
    /// the table.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(crate) fn look_up_all<const N: usize>(indices: [Self; N], table: &[u8; 256]) -> [Self; N] {
        let (quarters, _) = table.as_chunks();
        let (a, b) = (Self::load(&quarters[0]), Self::load(&quarters[1]));
        let (c, d) = (Self::load(&quarters[2]), Self::load(&quarters[3]));
        let mut found = indices;
        for x in &mut found {
            let low = _mm512_permutex2var_epi8(a.0, x.0, b.0);
            let high = _mm512_permutex2var_epi8(c.0, x.0, d.0);
            x.0 = _mm512_mask_blend_epi8(_mm512_movepi8_mask(x.0), low, high);
        }
        found
    }

    /// Uses each byte as an index of one of four tables, in constant time: byte `n` of each
    /// 32-bit number is an index of table `n`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(crate) fn lookup_by_place(self, tables: &[[u8; 256]; 4]) -> Self {
        // The function of three bits a, b and c that gives b where a is 1, and c where a is 0.
        const CHOICE: i32 = 0xca;
        let odd = Self(_mm512_set1_epi32(0xff00_ff00_u32.cast_signed()));
        let upper = Self(_mm512_set1_epi32(0xffff_0000_u32.cast_signed()));
        let mut halves = [self; 2];
        for h in 0..2 {
            let mut found = [self; 4];
            for n in 0..4 {
                let (quarters, _) = tables[n].as_chunks();
                let (a, b) = (
                    Self::load(&quarters[2 * h]),
                    Self::load(&quarters[2 * h + 1]),
                );
                found[n].0 = _mm512_permutex2var_epi8(a.0, self.0, b.0);
            }
            let lower = odd.ternary::<CHOICE>(found[1], found[0]);
            halves[h] = upper.ternary::<CHOICE>(odd.ternary::<CHOICE>(found[3], found[2]), lower);
        }
        let second = _mm512_movepi8_mask(self.0);
        Self(_mm512_mask_blend_epi8(second, halves[0].0, halves[1].0))
    }

    /// Multiplies each byte by the same 8 × 8 bit matrix: bit `i` of the result is the
    /// XOR of the bits of the input that byte 7 − `i` of the matrix selects.
    #[inline]
    #[target_feature(enable = "avx512f,gfni")]
    pub(crate) fn affine(self, matrix: u64) -> Self {
        let matrix = _mm512_set1_epi64(matrix.cast_signed());
        Self(_mm512_gf2p8affine_epi64_epi8::<0>(self.0, matrix))
    }

    /// Multiplies each byte by the same matrix as [`affine`](Self::affine) does, and then XORs
    /// `CONSTANT`.
    #[inline]
    #[target_feature(enable = "avx512f,gfni")]
    pub(crate) fn affine_plus<const CONSTANT: i32>(self, matrix: u64) -> Self {
        let matrix = _mm512_set1_epi64(matrix.cast_signed());
        Self(_mm512_gf2p8affine_epi64_epi8::<CONSTANT>(self.0, matrix))
    }

    /// Replaces each byte by its inverse in the field of AES, and then multiplies and adds as
    /// [`affine_plus`](Self::affine_plus) does.
    #[inline]
    #[target_feature(enable = "avx512f,gfni")]
    pub(crate) fn inverse_affine_plus<const CONSTANT: i32>(self, matrix: u64) -> Self {
        let matrix = _mm512_set1_epi64(matrix.cast_signed());
        Self(_mm512_gf2p8affineinv_epi64_epi8::<CONSTANT>(self.0, matrix))
    }

    /// Multiplies each byte by the 8 × 8 bit matrix that the same eight bytes of `matrices` are. The
    /// highest byte of a matrix is the row that gives bit 0 of the product.
    #[inline]
    #[target_feature(enable = "avx512f,gfni")]
    pub(crate) fn affine_by(self, matrices: Self) -> Self {
        Self(_mm512_gf2p8affine_epi64_epi8::<0>(self.0, matrices.0))
    }

    /// Replaces each byte by its inverse in the field of AES, and then multiplies as
    /// [`affine_by`](Self::affine_by) does.
    #[inline]
    #[target_feature(enable = "avx512f,gfni")]
    pub(crate) fn inverse_affine_by(self, matrices: Self) -> Self {
        Self(_mm512_gf2p8affineinv_epi64_epi8::<0>(self.0, matrices.0))
    }

    /// Computes any function of three bits. For bits a of `self`, b and c, the result is bit
    /// 4a + 2b + c of `TABLE`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn ternary<const TABLE: i32>(self, b: Self, c: Self) -> Self {
        Self(_mm512_ternarylogic_epi64::<TABLE>(self.0, b.0, c.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn xor3(self, b: Self, c: Self) -> Self {
        Self(_mm512_ternarylogic_epi64::<0x96>(self.0, b.0, c.0))
    }

    /// Splits words into planes of their bytes: plane `b` has byte `b` of every word. Number
    /// 4`l` + `d` of register `m` gives byte 16`l` + 4`m` + `d` of each plane.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn to_planes(words: [U32x16; 4]) -> [Self; 4] {
        let together = U8x16::load(&[0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]);
        let together = Self::splat(together);
        let mut planes = words;
        for m in 0..4 {
            planes[m] = Self::from(words[m]).shuffle(together).into();
        }
        let [a, b, c, d] = U32x16::transpose4(planes);
        [a.into(), b.into(), c.into(), d.into()]
    }

    /// Joins planes to words, the inverse of [`to_planes`](Self::to_planes).
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn to_words([a, b, c, d]: [Self; 4]) -> [U32x16; 4] {
        let (ab, ab_high) = (
            _mm512_unpacklo_epi8(a.0, b.0),
            _mm512_unpackhi_epi8(a.0, b.0),
        );
        let (cd, cd_high) = (
            _mm512_unpacklo_epi8(c.0, d.0),
            _mm512_unpackhi_epi8(c.0, d.0),
        );
        [
            U32x16(_mm512_unpacklo_epi16(ab, cd)),
            U32x16(_mm512_unpackhi_epi16(ab, cd)),
            U32x16(_mm512_unpacklo_epi16(ab_high, cd_high)),
            U32x16(_mm512_unpackhi_epi16(ab_high, cd_high)),
        ]
    }

    /// Treats the register as a matrix of 4 × 4 numbers of 32 bits and transposes it: number
    /// 4`i` + `j` becomes number 4`j` + `i`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn turn_u32(self) -> Self {
        let from = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
        Self(_mm512_permutexvar_epi32(from, self.0))
    }

    /// Rotates each 64-bit number to the left.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn rotate_u64<const BITS: i32>(self) -> Self {
        Self(_mm512_rol_epi64::<BITS>(self.0))
    }

    /// Loads at most 64 bytes. Missing bytes are zero and are not read.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn load_first(bytes: &[u8]) -> Self {
        let mask = match bytes.len() {
            n @ ..64 => !(u64::MAX << n),
            _ => u64::MAX,
        };
        // SAFETY: the mask keeps the load within the slice; masked lanes do not fault.
        Self(unsafe { _mm512_maskz_loadu_epi8(mask, bytes.as_ptr().cast()) })
    }

    /// Replaces the byte with this index, which is less than 64.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn with_byte(self, i: usize, byte: u8) -> Self {
        Self(_mm512_mask_set1_epi8(self.0, 1 << i, byte.cast_signed()))
    }

    /// Replaces the last eight bytes by a little-endian number.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn with_last_u64(self, number: u64) -> Self {
        Self(_mm512_mask_set1_epi64(self.0, 0x80, number.cast_signed()))
    }

    /// Loads at most four blocks. Missing blocks are zero and are not read.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load_some(blocks: &[[u8; 16]]) -> Self {
        // SAFETY: the mask keeps the load within the slice; masked lanes do not
        // fault.
        Self(unsafe { _mm512_maskz_loadu_epi64(mask(blocks), blocks.as_ptr().cast()) })
    }

    /// Stores the first blocks of the register, as many as the slice has.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn store_some(self, blocks: &mut [[u8; 16]]) {
        // SAFETY: the mask keeps the store within the slice.
        unsafe { _mm512_mask_storeu_epi64(blocks.as_mut_ptr().cast(), mask(blocks), self.0) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn xor(self, other: Self) -> Self {
        Self(_mm512_xor_si512(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(_mm512_and_si512(self.0, other.0))
    }

    /// Adds the registers byte by byte.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(crate) fn add_u8(self, other: Self) -> Self {
        Self(_mm512_add_epi8(self.0, other.0))
    }

    /// Subtracts `other` byte by byte.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(crate) fn subtract_u8(self, other: Self) -> Self {
        Self(_mm512_sub_epi8(self.0, other.0))
    }

    /// Adds the registers as eight 64-bit numbers each.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn add_u64(self, other: Self) -> Self {
        Self(_mm512_add_epi64(self.0, other.0))
    }

    /// Uses each byte of `self` as an index of `table`, which has 64 bytes.
    #[inline]
    #[target_feature(enable = "avx512vbmi")]
    pub(crate) fn look_up(self, table: Self) -> Self {
        Self(_mm512_permutexvar_epi8(self.0, table.0))
    }

    /// Permutes the bytes of each block: byte `i` of the result is byte `places[i]` of
    /// the block, or zero if the top bit of `places[i]` is set.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(crate) fn shuffle(self, places: Self) -> Self {
        Self(_mm512_shuffle_epi8(self.0, places.0))
    }

    /// Moves every block up by one place and puts the last block of `before` first.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn shifted_in(self, before: Self) -> Self {
        Self(_mm512_alignr_epi64::<6>(self.0, before.0))
    }

    /// Returns, in each block, the bytes of `before` from byte `N` on, followed by the first
    /// `N` bytes of `self`.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(crate) fn after<const N: i32>(self, before: Self) -> Self {
        Self(_mm512_alignr_epi8::<N>(self.0, before.0))
    }

    /// Interleaves, in each block, the lowest eight bytes of `self` and `other`.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(crate) fn pair_u8(self, other: Self) -> Self {
        Self(_mm512_unpacklo_epi8(self.0, other.0))
    }

    /// Interleaves, in each block, the lowest four 16-bit words of `self` and `other`.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(crate) fn pair_u16(self, other: Self) -> Self {
        Self(_mm512_unpacklo_epi16(self.0, other.0))
    }

    /// Interleaves, in each block, the lowest two 32-bit words of `self` and `other`.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(crate) fn pair_u32(self, other: Self) -> Self {
        Self(_mm512_unpacklo_epi32(self.0, other.0))
    }

    /// Returns, in each block, the lowest 64-bit word of `self`, followed by the lowest 64-bit
    /// word of `other`.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(crate) fn pair_u64(self, other: Self) -> Self {
        Self(_mm512_unpacklo_epi64(self.0, other.0))
    }

    /// Returns the product of each block with x^`n`, for `n` below 58, modulo x^128 + x^7 +
    /// x^2 + x + 1. The bits are numbered as in XTS: the lowest bit of the lowest byte is the
    /// coefficient of x^0.
    #[inline]
    #[target_feature(enable = "avx512bw,vpclmulqdq")]
    pub(crate) fn times_x(self, n: i32) -> Self {
        // Shifts of bits need the same port as `vaesenc`, shifts of bytes do not. So the code
        // uses shifts of bytes for multiples of 8.
        match n {
            8 => self.times_x8::<1, 15>(),
            16 => self.times_x8::<2, 14>(),
            24 => self.times_x8::<3, 13>(),
            32 => self.times_x8::<4, 12>(),
            _ => {
                let up = _mm512_sll_epi64(self.0, _mm_cvtsi32_si128(n));
                // `out` has the bits that leave each 64-bit half at the top. The bits that
                // leave the lower half enter the upper half.
                let out = _mm512_srl_epi64(self.0, _mm_cvtsi32_si128(64 - n));
                let around = _mm512_clmulepi64_epi128::<0x01>(out, _mm512_set1_epi64(0x87));
                let across = _mm512_bslli_epi128::<8>(out);
                Self(_mm512_ternarylogic_epi64::<0x96>(up, around, across))
            }
        }
    }

    /// Returns the product of each block with x^(8·`UP`). `DOWN` must be 16 − `UP`.
    #[inline]
    #[target_feature(enable = "avx512bw,vpclmulqdq")]
    fn times_x8<const UP: i32, const DOWN: i32>(self) -> Self {
        let up = _mm512_bslli_epi128::<UP>(self.0);
        let out = _mm512_bsrli_epi128::<DOWN>(self.0);
        let around = _mm512_clmulepi64_epi128::<0x00>(out, _mm512_set1_epi64(0x87));
        Self(_mm512_xor_si512(up, around))
    }

    /// Emits no instruction, but forces the compiler to compute all eleven values before this
    /// point. Without this barrier the compiler orders the code such that few registers are
    /// needed: it finishes some of the values before it begins other values. The processor then
    /// waits for the latency of each value.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn together([a, b, c, d, e, f, g, h]: &mut [Self; 8], [i, j, k]: [&mut Self; 3]) {
        // SAFETY: the assembly contains no instruction, so every register keeps its
        // value.
        unsafe {
            asm!(
                "/* {}{}{}{}{}{}{}{}{}{}{} */",
                inout(zmm_reg) a.0, inout(zmm_reg) b.0, inout(zmm_reg) c.0,
                inout(zmm_reg) d.0, inout(zmm_reg) e.0, inout(zmm_reg) f.0,
                inout(zmm_reg) g.0, inout(zmm_reg) h.0, inout(zmm_reg) i.0,
                inout(zmm_reg) j.0, inout(zmm_reg) k.0,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
    }

    /// Returns the block in place `place` (0 to 3).
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn block(self, place: usize) -> U8x16 {
        let place = _mm512_set1_epi64(2 * place as i64);
        let from = _mm512_or_si512(place, _mm512_setr_epi64(0, 1, 0, 1, 0, 1, 0, 1));
        U8x16(_mm512_castsi512_si128(_mm512_permutexvar_epi64(
            from, self.0,
        )))
    }

    /// Joins four blocks, the lowest block first.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn join([a, b, c, d]: [U8x16; 4]) -> Self {
        let low = _mm512_castsi128_si512(a.0);
        let low = _mm512_inserti32x4::<1>(low, b.0);
        let low = _mm512_inserti32x4::<2>(low, c.0);
        Self(_mm512_inserti32x4::<3>(low, d.0))
    }

    in_step!(zmm_reg, "avx512f");

    /// Computes one round of AES encryption of each block.
    #[inline]
    #[target_feature(enable = "avx512f,vaes")]
    pub(crate) fn aes_enc(self, key: Self) -> Self {
        Self(_mm512_aesenc_epi128(self.0, key.0))
    }

    /// Computes the last round of AES encryption.
    #[inline]
    #[target_feature(enable = "avx512f,vaes")]
    pub(crate) fn aes_enc_last(self, key: Self) -> Self {
        Self(_mm512_aesenclast_epi128(self.0, key.0))
    }

    /// Computes one round of AES decryption, of the equivalent inverse cipher.
    #[inline]
    #[target_feature(enable = "avx512f,vaes")]
    pub(crate) fn aes_dec(self, key: Self) -> Self {
        Self(_mm512_aesdec_epi128(self.0, key.0))
    }

    /// Computes the last round of AES decryption.
    #[inline]
    #[target_feature(enable = "avx512f,vaes")]
    pub(crate) fn aes_dec_last(self, key: Self) -> Self {
        Self(_mm512_aesdeclast_epi128(self.0, key.0))
    }
}

/// Returns a mask with two bits for each block, because each block is two 64-bit lanes.
#[inline(always)]
fn mask(blocks: &[[u8; 16]]) -> __mmask8 {
    0xffu8.unbounded_shr(8 - 2 * blocks.len().min(4) as u32)
}

impl From<U8x64> for U32x16 {
    #[inline(always)]
    fn from(bytes: U8x64) -> Self {
        Self(bytes.0)
    }
}

impl From<U32x16> for U8x64 {
    #[inline(always)]
    fn from(words: U32x16) -> Self {
        Self(words.0)
    }
}

impl From<U8x64> for U64x8 {
    #[inline(always)]
    fn from(bytes: U8x64) -> Self {
        Self(bytes.0)
    }
}

impl From<U64x8> for U8x64 {
    #[inline(always)]
    fn from(numbers: U64x8) -> Self {
        Self(numbers.0)
    }
}
