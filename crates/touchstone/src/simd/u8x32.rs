//! Thirty-two bytes in one `ymm` register, which are two AES blocks.

use core::arch::x86_64::*;

use super::{U8x16, U32x8, U64x4};

/// A register of thirty-two bytes.
#[derive(Clone, Copy)]
pub(crate) struct U8x32(pub(super) __m256i);

impl U8x32 {
    /// Returns the two blocks of 64 bytes whose quarters are the halves of four registers. Each
    /// block is two registers.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn blocks_of_rows([a, b, c, d]: [U32x8; 4]) -> [[Self; 2]; 2] {
        let ([low, low_of_next], [high, high_of_next]) = (U32x8::halves(a, b), U32x8::halves(c, d));
        [
            [low.into(), high.into()],
            [low_of_next.into(), high_of_next.into()],
        ]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn zero() -> Self {
        Self(_mm256_setzero_si256())
    }

    /// Returns a register with `block` in every place.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn splat(block: U8x16) -> Self {
        Self(_mm256_broadcastsi128_si256(block.0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_blocks(blocks: &[[u8; 16]; 2]) -> Self {
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        Self(unsafe { _mm256_loadu_si256(blocks.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn store_blocks(self, blocks: &mut [[u8; 16]; 2]) {
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        unsafe { _mm256_storeu_si256(blocks.as_mut_ptr().cast(), self.0) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load(bytes: &[u8; 32]) -> Self {
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        Self(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn store(self, bytes: &mut [u8; 32]) {
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), self.0) }
    }

    /// Returns a register with `byte` in every place.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn splat_u8(byte: u8) -> Self {
        Self(_mm256_set1_epi8(byte.cast_signed()))
    }

    /// Uses each byte as an index of a table of 256 entries, in constant time. The table must
    /// have been changed by [`in_steps`](Self::in_steps).
    ///
    /// A byte shuffle gives zero where the highest bit of an index is set. The loop looks all
    /// indices up in each row of 16 entries, one row after the other, and subtracts 16 from all
    /// indices after each row. After its own row an index is below zero, so its highest bit is
    /// set and all later rows give zero. The result for each index is therefore the XOR of the
    /// entries that the index finds in all rows up to its own row. [`in_steps`](Self::in_steps)
    /// stores the rows such that this XOR is the right entry.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn lookup(self, table: &[u8; 256]) -> Self {
        let (rows, _) = table.as_chunks::<16>();
        let mut place = _mm256_and_si256(self.0, _mm256_set1_epi8(0x7f));
        let (mut low, mut high) = (Self::zero(), Self::zero());
        for row in 0..8 {
            let (a, b) = (U8x16::load(&rows[row]), U8x16::load(&rows[8 + row]));
            low = low.xor(Self::splat(a).shuffle(Self(place)));
            high = high.xor(Self::splat(b).shuffle(Self(place)));
            place = _mm256_sub_epi8(place, _mm256_set1_epi8(16));
        }
        Self(_mm256_blendv_epi8(low.0, high.0, self.0))
    }

    /// Changes a table for [`lookup`](Self::lookup): in each half of the table, every row of 16
    /// entries except the first row is replaced by its XOR with the row before.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn in_steps(table: &mut [u8; 256]) {
        for half in table.as_chunks_mut::<128>().0 {
            let mut before = Self::zero();
            for rows in half.as_chunks_mut().0 {
                let entries = Self::load(rows);
                entries.xor(entries.shifted_in(before)).store(rows);
                before = entries;
            }
        }
    }

    /// Multiplies each byte by the same 8 × 8 bit matrix: bit `i` of the result is the
    /// XOR of the bits of the input that byte 7 − `i` of the matrix selects.
    #[inline]
    #[target_feature(enable = "avx2,gfni")]
    pub(crate) fn affine(self, matrix: u64) -> Self {
        self.affine_plus::<0>(matrix)
    }

    /// Multiplies each byte by the same matrix as [`affine`](Self::affine) does, and then XORs
    /// `CONSTANT`.
    #[inline]
    #[target_feature(enable = "avx2,gfni")]
    pub(crate) fn affine_plus<const CONSTANT: i32>(self, matrix: u64) -> Self {
        let matrix = _mm256_set1_epi64x(matrix.cast_signed());
        Self(_mm256_gf2p8affine_epi64_epi8::<CONSTANT>(self.0, matrix))
    }

    /// Replaces each byte by its inverse in the field of AES, and then multiplies and adds as
    /// [`affine_plus`](Self::affine_plus) does.
    #[inline]
    #[target_feature(enable = "avx2,gfni")]
    pub(crate) fn inverse_affine_plus<const CONSTANT: i32>(self, matrix: u64) -> Self {
        let matrix = _mm256_set1_epi64x(matrix.cast_signed());
        Self(_mm256_gf2p8affineinv_epi64_epi8::<CONSTANT>(self.0, matrix))
    }

    /// Multiplies each byte by the 8 × 8 bit matrix that the same eight bytes of `matrices` are. The
    /// highest byte of a matrix is the row that gives bit 0 of the product.
    #[inline]
    #[target_feature(enable = "avx2,gfni")]
    pub(crate) fn affine_by(self, matrices: Self) -> Self {
        Self(_mm256_gf2p8affine_epi64_epi8::<0>(self.0, matrices.0))
    }

    /// Replaces each byte by its inverse in the field of AES, and then multiplies as
    /// [`affine_by`](Self::affine_by) does.
    #[inline]
    #[target_feature(enable = "avx2,gfni")]
    pub(crate) fn inverse_affine_by(self, matrices: Self) -> Self {
        Self(_mm256_gf2p8affineinv_epi64_epi8::<0>(self.0, matrices.0))
    }

    /// Returns the lower four bits of each byte in one register, and the upper four bits in
    /// another register.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn nibbles(self) -> [Self; 2] {
        let mask = _mm256_set1_epi8(15);
        [
            Self(_mm256_and_si256(self.0, mask)),
            Self(_mm256_and_si256(_mm256_srli_epi16::<4>(self.0), mask)),
        ]
    }

    /// Applies an affine map to each byte. `map` has the images of the values of the lower four bits, and
    /// what the upper four bits add.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn mapped(self, map: &[[u8; 16]; 2]) -> Self {
        let [low, high] = self.nibbles();
        let [of_low, of_high] = map.each_ref().map(|row| Self::splat(U8x16::load(row)));
        of_low.shuffle(low).xor(of_high.shuffle(high))
    }

    /// Applies the S-box of AES to each byte, and permutes the bytes of each block as ShiftRows does.
    #[inline]
    #[target_feature(enable = "avx2,aes")]
    pub(crate) fn aes_s_box(self) -> Self {
        let zero = U8x16::zero();
        Self::join([
            self.block(0).aes_enc_last(zero),
            self.block(1).aes_enc_last(zero),
        ])
    }

    /// Undoes [`aes_s_box`](Self::aes_s_box).
    #[inline]
    #[target_feature(enable = "avx2,aes")]
    pub(crate) fn aes_inverse_s_box(self) -> Self {
        let zero = U8x16::zero();
        Self::join([
            self.block(0).aes_dec_last(zero),
            self.block(1).aes_dec_last(zero),
        ])
    }

    /// The same as [`aes_s_box`](Self::aes_s_box), by one instruction of VAES.
    #[inline]
    #[target_feature(enable = "avx2,vaes")]
    pub(crate) fn vaes_s_box(self) -> Self {
        Self(_mm256_aesenclast_epi128(self.0, _mm256_setzero_si256()))
    }

    /// Undoes [`vaes_s_box`](Self::vaes_s_box).
    #[inline]
    #[target_feature(enable = "avx2,vaes")]
    pub(crate) fn vaes_inverse_s_box(self) -> Self {
        Self(_mm256_aesdeclast_epi128(self.0, _mm256_setzero_si256()))
    }

    /// Returns the lower half of `self` and the upper half of `other`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn with_upper(self, other: Self) -> Self {
        Self(_mm256_blend_epi32::<0xf0>(self.0, other.0))
    }

    /// Returns the upper half of `self`, and then the lower half of `other`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn upper_and_lower(self, other: Self) -> Self {
        Self(_mm256_permute2x128_si256::<0x21>(self.0, other.0))
    }

    /// Returns the lower halves of `self` and `other`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn lower_two(self, other: Self) -> Self {
        Self(_mm256_permute2x128_si256::<0x20>(self.0, other.0))
    }

    /// Returns the upper halves of `self` and `other`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn upper_two(self, other: Self) -> Self {
        Self(_mm256_permute2x128_si256::<0x31>(self.0, other.0))
    }

    /// Splits words into planes of their bytes: plane `b` has byte `b` of every word. Number
    /// 4`l` + `d` of register `m` gives byte 16`l` + 4`m` + `d` of each plane.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn to_planes(words: [U32x8; 4]) -> [Self; 4] {
        let together = U8x16::load(&[0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]);
        let together = Self::splat(together);
        let mut planes = words;
        for m in 0..4 {
            planes[m] = Self::from(words[m]).shuffle(together).into();
        }
        let [a, b, c, d] = U32x8::transpose4(planes);
        [a.into(), b.into(), c.into(), d.into()]
    }

    /// Joins planes to words, the inverse of [`to_planes`](Self::to_planes).
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn to_words([a, b, c, d]: [Self; 4]) -> [U32x8; 4] {
        let (ab, ab_high) = (
            _mm256_unpacklo_epi8(a.0, b.0),
            _mm256_unpackhi_epi8(a.0, b.0),
        );
        let (cd, cd_high) = (
            _mm256_unpacklo_epi8(c.0, d.0),
            _mm256_unpackhi_epi8(c.0, d.0),
        );
        [
            U32x8(_mm256_unpacklo_epi16(ab, cd)),
            U32x8(_mm256_unpackhi_epi16(ab, cd)),
            U32x8(_mm256_unpacklo_epi16(ab_high, cd_high)),
            U32x8(_mm256_unpackhi_epi16(ab_high, cd_high)),
        ]
    }

    /// Permutes the bytes of a plane so that [`to_words`](Self::to_words) gives the words
    /// in order.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn turn_u32(self) -> Self {
        let from = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
        Self(_mm256_permutevar8x32_epi32(self.0, from))
    }

    /// Loads at most two blocks. Missing blocks are zero and are not read.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_some(blocks: &[[u8; 16]]) -> Self {
        match blocks {
            [] => Self::zero(),
            [block] => Self(_mm256_zextsi128_si256(U8x16::load(block).0)),
            [a, b, ..] => Self::load_blocks(&[*a, *b]),
        }
    }

    /// Stores the first blocks of the register, as many as the slice has.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn store_some(self, blocks: &mut [[u8; 16]]) {
        if let Some((two, _)) = blocks.split_first_chunk_mut() {
            self.store_blocks(two);
        } else if let [block] = blocks {
            U8x16(_mm256_castsi256_si128(self.0)).store(block);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b.xor(c))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn xor(self, other: Self) -> Self {
        Self(_mm256_xor_si256(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(_mm256_and_si256(self.0, other.0))
    }

    /// Returns, for each byte, the byte of `yes` if the highest bit of this byte is 1, or else the byte
    /// of `no`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn by_sign(self, yes: Self, no: Self) -> Self {
        Self(_mm256_blendv_epi8(no.0, yes.0, self.0))
    }

    /// Returns a byte of ones where the registers' bytes are equal, or else a byte of zeros.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn equal(self, other: Self) -> Self {
        Self(_mm256_cmpeq_epi8(self.0, other.0))
    }

    /// Returns the highest bit of each byte. The first byte gives the lowest bit.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn signs(self) -> u32 {
        _mm256_movemask_epi8(self.0).cast_unsigned()
    }

    /// Returns the upper sixteen bytes, and then the lower sixteen.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn exchange_halves(self) -> Self {
        let halves;
        // The compiler would take `vpermq`, which has twice the latency on Zen 3.
        // SAFETY: the instruction uses only these registers.
        unsafe {
            core::arch::asm!(
                "vperm2i128 {0}, {1}, {1}, 1",
                lateout(ymm_reg) halves,
                in(ymm_reg) self.0,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        Self(halves)
    }

    /// Shifts each 64-bit number left by a number of bits of its own.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn shift_numbers_left(self, bits: [u64; 4]) -> Self {
        Self(_mm256_sllv_epi64(self.0, U64x4::load_u64(&bits).0))
    }

    /// Adds bytes from 0 to 14 modulo 15. If one of two bytes is from 0xa0 on, the result is from 0x80 on.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn sum_modulo_15(self, other: Self) -> Self {
        let sum = _mm256_adds_epu8(self.0, other.0);
        Self(_mm256_min_epu8(
            sum,
            _mm256_sub_epi8(sum, _mm256_set1_epi8(15)),
        ))
    }

    /// Adds the registers as four 64-bit numbers each.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn add_u64(self, other: Self) -> Self {
        Self(_mm256_add_epi64(self.0, other.0))
    }

    /// Permutes the bytes of each block: byte `i` of the result is byte `places[i]` of
    /// the block, or zero if the top bit of `places[i]` is set.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn shuffle(self, places: Self) -> Self {
        Self(_mm256_shuffle_epi8(self.0, places.0))
    }

    /// Moves every block up by one place and puts the last block of `before` first.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn shifted_in(self, before: Self) -> Self {
        Self(_mm256_permute2x128_si256::<0x21>(before.0, self.0))
    }

    /// Returns, in each block, the bytes of `before` from byte `N` on, followed by the first
    /// `N` bytes of `self`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn after<const N: i32>(self, before: Self) -> Self {
        Self(_mm256_alignr_epi8::<N>(self.0, before.0))
    }

    /// Interleaves, in each block, the lowest eight bytes of `self` and `other`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn pair_u8(self, other: Self) -> Self {
        Self(_mm256_unpacklo_epi8(self.0, other.0))
    }

    /// Interleaves, in each block, the lowest four 16-bit words of `self` and `other`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn pair_high_u8(self, other: Self) -> Self {
        Self(_mm256_unpackhi_epi8(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn pair_u16(self, other: Self) -> Self {
        Self(_mm256_unpacklo_epi16(self.0, other.0))
    }

    /// Interleaves, in each block, the lowest two 32-bit words of `self` and `other`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn pair_u32(self, other: Self) -> Self {
        Self(_mm256_unpacklo_epi32(self.0, other.0))
    }

    /// Returns, in each block, the lowest 64-bit word of `self`, followed by the lowest 64-bit
    /// word of `other`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn pair_u64(self, other: Self) -> Self {
        Self(_mm256_unpacklo_epi64(self.0, other.0))
    }

    /// Returns the product of each block with x^`n`, for `n` below 58, modulo x^128 + x^7 +
    /// x^2 + x + 1. The bits are numbered as in XTS: the lowest bit of the lowest byte is the
    /// coefficient of x^0.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn times_x(self, n: i32) -> Self {
        let up = _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(n));
        // `out` has the bits that leave each 64-bit half at the top. The bits that leave the
        // lower half enter the upper half.
        let out = _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(64 - n));
        let up = _mm256_xor_si256(up, _mm256_bslli_epi128::<8>(out));
        let out = _mm256_bsrli_epi128::<8>(out);
        let twice = _mm256_xor_si256(out, _mm256_slli_epi64::<1>(out));
        let more = _mm256_xor_si256(_mm256_slli_epi64::<2>(out), _mm256_slli_epi64::<7>(out));
        Self(_mm256_xor_si256(up, _mm256_xor_si256(twice, more)))
    }

    /// Sets place k of `powers` to the product of each block with x^(2k), and returns the product with
    /// x¹⁶.
    ///
    /// In each half of the register, the top 32 bits of the block are in four words. Shifts by other
    /// distances give the bits that leave the block for four powers, so four reductions modulo the
    /// polynomial take as many instructions as one. A shift by one or two bytes is one instruction.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn even_powers(self, powers: &mut [Self; 8]) -> Self {
        /// Byte shuffles that move a word to the lowest place. Zeros fill the other places.
        const TO_LOWEST: [[u8; 16]; 4] = {
            let mut places = [[0x80; 16]; 4];
            let mut byte = 0;
            while byte < 16 {
                places[byte / 4][byte % 4] = byte as u8;
                byte += 1;
            }
            places
        };
        /// Multiplies polynomials of at most 16 bits by the polynomial 0x87.
        #[inline]
        #[target_feature(enable = "avx2")]
        fn reductions(out: __m256i) -> __m256i {
            let twice = _mm256_xor_si256(out, _mm256_slli_epi32::<1>(out));
            let more = _mm256_xor_si256(_mm256_slli_epi32::<2>(out), _mm256_slli_epi32::<7>(out));
            _mm256_xor_si256(twice, more)
        }
        let word = |all: __m256i, place: usize| {
            Self(all).shuffle(Self::splat(U8x16::load(&TO_LOWEST[place])))
        };
        let top = _mm256_shuffle_epi32::<0xff>(self.0);
        let shifts = _mm256_setr_epi32(16, 30, 28, 26, 16, 30, 28, 26);
        let of_bits = reductions(_mm256_srlv_epi32(top, shifts));
        let shifts = _mm256_setr_epi32(24, 22, 20, 18, 24, 22, 20, 18);
        let bytes = _mm256_srlv_epi32(top, shifts);
        let of_bytes = reductions(_mm256_and_si256(bytes, _mm256_set1_epi32(255)));

        let lower = _mm256_bslli_epi128::<8>(self.0);
        powers[0] = self;
        powers[1] = Self(_mm256_xor_si256(
            _mm256_slli_epi64::<2>(self.0),
            _mm256_srli_epi64::<62>(lower),
        ));
        powers[2] = Self(_mm256_xor_si256(
            _mm256_slli_epi64::<4>(self.0),
            _mm256_srli_epi64::<60>(lower),
        ));
        powers[3] = Self(_mm256_xor_si256(
            _mm256_slli_epi64::<6>(self.0),
            _mm256_srli_epi64::<58>(lower),
        ));
        for k in 1..4 {
            powers[k] = powers[k].xor(word(of_bits, k));
        }
        for k in 4..8 {
            let shifted = Self(_mm256_bslli_epi128::<1>(powers[k - 4].0));
            powers[k] = shifted.xor(word(of_bytes, k - 4));
        }
        Self(_mm256_bslli_epi128::<2>(self.0)).xor(word(of_bits, 0))
    }

    /// Returns the lower block if `place` is 0, and the upper block otherwise.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn block(self, place: usize) -> U8x16 {
        U8x16(if place == 0 {
            _mm256_castsi256_si128(self.0)
        } else {
            _mm256_extracti128_si256::<1>(self.0)
        })
    }

    /// Replaces the lower block if `place` is 0, and the upper block otherwise. Keeps the other
    /// block.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn with(self, place: usize, block: U8x16) -> Self {
        Self(if place == 0 {
            _mm256_inserti128_si256::<0>(self.0, block.0)
        } else {
            _mm256_inserti128_si256::<1>(self.0, block.0)
        })
    }

    /// Joins two blocks, the lower block first.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn join([low, high]: [U8x16; 2]) -> Self {
        Self(_mm256_set_m128i(high.0, low.0))
    }

    in_step!(ymm_reg, "avx");

    /// Computes one round of AES encryption of each block.
    #[inline]
    #[target_feature(enable = "vaes")]
    pub(crate) fn aes_enc(self, key: Self) -> Self {
        Self(_mm256_aesenc_epi128(self.0, key.0))
    }

    /// Computes the last round of AES encryption.
    #[inline]
    #[target_feature(enable = "vaes")]
    pub(crate) fn aes_enc_last(self, key: Self) -> Self {
        Self(_mm256_aesenclast_epi128(self.0, key.0))
    }

    /// Computes one round of AES decryption, of the equivalent inverse cipher.
    #[inline]
    #[target_feature(enable = "vaes")]
    pub(crate) fn aes_dec(self, key: Self) -> Self {
        Self(_mm256_aesdec_epi128(self.0, key.0))
    }

    /// Computes the last round of AES decryption.
    #[inline]
    #[target_feature(enable = "vaes")]
    pub(crate) fn aes_dec_last(self, key: Self) -> Self {
        Self(_mm256_aesdeclast_epi128(self.0, key.0))
    }
}

impl From<U8x32> for U32x8 {
    #[inline(always)]
    fn from(bytes: U8x32) -> Self {
        Self(bytes.0)
    }
}

impl From<U8x32> for U64x4 {
    #[inline(always)]
    fn from(bytes: U8x32) -> Self {
        Self(bytes.0)
    }
}

impl From<U64x4> for U8x32 {
    #[inline(always)]
    fn from(numbers: U64x4) -> Self {
        Self(numbers.0)
    }
}

impl From<U32x8> for U8x32 {
    #[inline(always)]
    fn from(words: U32x8) -> Self {
        Self(words.0)
    }
}

#[cfg(test)]
mod tests {
    use super::U8x32;
    use crate::cpu::Avx2;

    /// Whether the processor has AVX2. Prints that the test is skipped if not.
    fn has_avx2() -> bool {
        let has = Avx2::detect().is_some();
        if !has {
            std::println!("SKIPPED: registers of 32 bytes, because AVX2 is not there");
        }
        has
    }

    #[test]
    fn lookups_find_every_entry() {
        if !has_avx2() {
            return;
        }
        // SAFETY: the test detected the features above.
        unsafe { check() }

        #[target_feature(enable = "avx2")]
        fn check() {
            let mut table = [0; 256];
            for i in 0..256 {
                table[i] = (i * 167 + (i >> 4)) as u8;
            }
            let mut steps = table;
            U8x32::in_steps(&mut steps);
            for first in 0..8 {
                let mut places = [0; 32];
                for i in 0..32 {
                    places[i] = (32 * first + i) as u8;
                }
                let mut found = [0; 32];
                U8x32::load(&places).lookup(&steps).store(&mut found);
                assert_eq!(found, table[32 * first..][..32]);
            }
        }
    }

    #[test]
    fn even_powers_are_products_with_x() {
        if !has_avx2() {
            return;
        }
        // SAFETY: the test detected the features above.
        unsafe { check() }

        #[target_feature(enable = "avx2")]
        fn check() {
            let blocks = |register: U8x32| {
                let mut bytes = [0; 32];
                register.store(&mut bytes);
                bytes
            };
            for n in 0..=255u8 {
                let mut bytes = [0; 32];
                for i in 0..32 {
                    bytes[i] = n.wrapping_mul(151 + i as u8) ^ n.rotate_left(i as u32);
                }
                let x = U8x32::load(&bytes);
                let mut powers = [U8x32::zero(); 8];
                let next = x.even_powers(&mut powers);
                for k in 0..8 {
                    assert_eq!(blocks(powers[k]), blocks(x.times_x(2 * k as i32)), "{k}");
                }
                assert_eq!(blocks(next), blocks(x.times_x(16)));
            }
        }
    }

    #[test]
    fn planes_become_words_again() {
        if !has_avx2() {
            return;
        }
        // SAFETY: the test detected the features above.
        unsafe { check() }

        #[target_feature(enable = "avx2")]
        fn check() {
            let mut planes = [U8x32::zero(); 4];
            for b in 0..4 {
                let mut plane = [0; 32];
                for i in 0..32 {
                    plane[i] = (32 * b + i) as u8;
                }
                planes[b] = U8x32::load(&plane).turn_u32();
            }
            let words = U8x32::to_words(planes);
            let mut again = [[0; 32]; 2];
            for m in 0..4 {
                let mut row = [0; 8];
                words[m].store(&mut row);
                for i in 0..8 {
                    let n = (8 * m + i) as u8;
                    assert_eq!(row[i].to_le_bytes(), [n, 32 + n, 64 + n, 96 + n]);
                }
            }
            let back = U8x32::to_planes(words);
            for b in 0..4 {
                planes[b].store(&mut again[0]);
                back[b].store(&mut again[1]);
                assert_eq!(again[0], again[1]);
            }
        }
    }
}
