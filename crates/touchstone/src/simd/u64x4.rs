//! Thirty-two bytes in one `ymm` register, as bit planes or as four 64-bit numbers.

use core::arch::asm;
use core::arch::x86_64::*;

/// A register of four 64-bit numbers.
#[derive(Clone, Copy)]
pub(crate) struct U64x4(pub(crate) __m256i);

impl U64x4 {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn zero() -> Self {
        Self(_mm256_setzero_si256())
    }

    /// Returns a register with `number` in every place.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn splat(number: u64) -> Self {
        Self(_mm256_set1_epi64x(number as i64))
    }

    /// Returns a register with `number` in both halves of each 64-bit number.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn splat_u32(number: u32) -> Self {
        Self(_mm256_set1_epi32(number as i32))
    }

    /// Returns a register with `byte` in every byte.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn splat_u8(byte: u8) -> Self {
        Self(_mm256_set1_epi8(byte.cast_signed()))
    }

    /// Returns the sixteen bytes twice.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn splat_row(bytes: &[u8; 16]) -> Self {
        // SAFETY: the reference covers the 16 bytes, at any alignment.
        let row = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
        Self(_mm256_broadcastsi128_si256(row))
    }

    /// Looks up each byte in the table of its half of the register: the entry whose number is the
    /// lower four bits of the byte, or zero if the byte's highest bit is 1.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn look_up_16(self, table: Self) -> Self {
        Self(_mm256_shuffle_epi8(table.0, self.0))
    }

    /// Returns, for each byte, the byte of `yes` if bit 6 of this byte is 1, or else the byte of
    /// `no`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn by_bit_6(self, yes: Self, no: Self) -> Self {
        let bit_7 = _mm256_add_epi8(self.0, self.0);
        Self(_mm256_blendv_epi8(no.0, yes.0, bit_7))
    }

    /// Loads four numbers, each with its least significant byte first.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load(numbers: &[[u8; 8]; 4]) -> Self {
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        Self(unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_u64(numbers: &[u64; 4]) -> Self {
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        Self(unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn store_u64(self, numbers: &mut [u64; 4]) {
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), self.0) }
    }

    /// Loads four big-endian numbers.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_be(bytes: &[u8; 32]) -> Self {
        let turn = _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        let numbers = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
        Self(_mm256_shuffle_epi8(
            numbers,
            _mm256_broadcastsi128_si256(turn),
        ))
    }

    /// Loads the little-endian words of blocks. Register `i` of the result has word `i` of each
    /// block, or zeros if the blocks have fewer words.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn words_le<const BYTES: usize, const WORDS: usize>(
        blocks: [&[u8; BYTES]; 4],
    ) -> [Self; WORDS] {
        let mut words = [Self::zero(); WORDS];
        let loaded = &mut words[..WORDS.min(BYTES / 8)];
        let (squares, rest) = loaded.as_chunks_mut::<4>();
        for (s, square) in squares.iter_mut().enumerate() {
            for (row, block) in square.iter_mut().zip(blocks) {
                *row = Self::load(&block.as_chunks().0.as_chunks().0[s]);
            }
            Self::transpose(square);
        }
        let first = 4 * squares.len();
        for (i, word) in rest.iter_mut().enumerate() {
            *word = Self::load(&blocks.map(|block| block.as_chunks().0[first + i]));
        }
        words
    }

    /// Loads the little-endian words of blocks of four, eight or sixteen words.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn from_blocks_le<const BYTES: usize, const WORDS: usize>(
        blocks: &[[u8; BYTES]; 4],
    ) -> [Self; WORDS] {
        Self::words_le(blocks.each_ref())
    }

    /// Stores registers as [`from_blocks_le`](Self::from_blocks_le) loads them.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn to_blocks_le<const BYTES: usize, const WORDS: usize>(
        mut words: [Self; WORDS],
        blocks: &mut [[u8; BYTES]; 4],
    ) {
        for (s, square) in words.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            Self::transpose(square);
            for (row, block) in square.iter().zip(&mut *blocks) {
                row.store(&mut block.as_chunks_mut().0.as_chunks_mut().0[s]);
            }
        }
    }

    /// Loads sixteen big-endian words of four blocks. Register `i` of the result has word `i`
    /// of each block.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn words_be(blocks: [&[u8; 128]; 4]) -> [Self; 16] {
        let mut words = [Self::zero(); 16];
        for i in 0..4 {
            let mut rows = [Self::zero(); 4];
            for (row, block) in rows.iter_mut().zip(blocks) {
                *row = Self::load_be(&block.as_chunks().0[i]);
            }
            Self::transpose(&mut rows);
            words[4 * i..][..4].copy_from_slice(&rows);
        }
        words
    }

    /// Returns registers of which register `w` has word `w` of each row. The number of words is a
    /// multiple of 4.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn from_rows<const WORDS: usize>(rows: &[[u64; WORDS]; 4]) -> [Self; WORDS] {
        const { assert!(WORDS.is_multiple_of(4)) };
        let mut words = [Self::zero(); WORDS];
        for (s, square) in words.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            for (word, row) in square.iter_mut().zip(rows) {
                *word = Self::load_u64(&row.as_chunks().0[s]);
            }
            Self::transpose(square);
        }
        words
    }

    /// Stores registers as [`from_rows`](Self::from_rows) loads them.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn to_rows<const WORDS: usize>(
        mut words: [Self; WORDS],
        rows: &mut [[u64; WORDS]; 4],
    ) {
        for (s, square) in words.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            Self::transpose(square);
            for (word, row) in square.iter().zip(&mut *rows) {
                word.store_u64(&mut row.as_chunks_mut().0[s]);
            }
        }
    }

    /// Transposes a matrix of 4 × 4 numbers: number `i` of row `j` becomes number `j` of row
    /// `i`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn transpose(rows: &mut [Self; 4]) {
        let [a, b, c, d] = *rows;
        let (ab, cd) = (a.zip_even(b).0, c.zip_even(d).0);
        let (ab_odd, cd_odd) = (a.zip_odd(b).0, c.zip_odd(d).0);
        rows[0].0 = _mm256_permute2x128_si256::<0x20>(ab, cd);
        rows[1].0 = _mm256_permute2x128_si256::<0x20>(ab_odd, cd_odd);
        rows[2].0 = _mm256_permute2x128_si256::<0x31>(ab, cd);
        rows[3].0 = _mm256_permute2x128_si256::<0x31>(ab_odd, cd_odd);
    }

    /// Returns, for each bit, the value that at least two of the three inputs have.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn majority(self, b: Self, c: Self) -> Self {
        self.and(b).or(self.or(b).and(c))
    }

    /// Number `i` of the result is the number that the three lowest bits of number `i` of `places`
    /// name: 0 to 3 in `self`, 4 to 7 in `high`.
    #[inline]
    #[target_feature(enable = "avx2,avx512f,avx512vl")]
    pub(crate) fn pick(self, high: Self, places: Self) -> Self {
        Self(_mm256_permutex2var_epi64(self.0, places.0, high.0))
    }

    /// Adds σ₀ of SHA-512's words 1 to 4 to words 0 to 3. The first word of `next` is word 4.
    #[inline]
    #[target_feature(enable = "avx2,sha512")]
    pub(crate) fn sha512_message1(self, next: Self) -> Self {
        Self(_mm256_sha512msg1_epi64(
            self.0,
            _mm256_castsi256_si128(next.0),
        ))
    }

    /// Adds σ₁ of SHA-512's words 14 to 17 to what words 16 to 19 are so far. The last two words of
    /// `before` are words 14 and 15.
    #[inline]
    #[target_feature(enable = "avx2,sha512")]
    pub(crate) fn sha512_message2(self, before: Self) -> Self {
        Self(_mm256_sha512msg2_epi64(self.0, before.0))
    }

    /// Does two rounds of SHA-512, and returns the new a, b, e, f. `self` is c, d, g, h. The lower
    /// half of `sums` has the sums of constant and word.
    #[inline]
    #[target_feature(enable = "avx2,sha512")]
    pub(crate) fn sha512_rounds2(self, abef: Self, sums: Self) -> Self {
        Self(_mm256_sha512rnds2_epi64(
            self.0,
            abef.0,
            _mm256_castsi256_si128(sums.0),
        ))
    }

    /// Returns the lower halves of both registers, and their upper halves.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn halves(self, high: Self) -> [Self; 2] {
        [
            Self(_mm256_permute2x128_si256::<0x20>(self.0, high.0)),
            Self(_mm256_permute2x128_si256::<0x31>(self.0, high.0)),
        ]
    }

    /// Permutes the numbers. The result's numbers `3-2-1-0` are the numbers that `PLACES`
    /// names, two bits for each.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn permute<const PLACES: i32>(self) -> Self {
        Self(_mm256_permute4x64_epi64::<PLACES>(self.0))
    }

    /// Returns the last three numbers of `self`, and then the first number of `next`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn window_1(self, next: Self) -> Self {
        let middle = _mm256_permute2x128_si256::<0x21>(self.0, next.0);
        Self(_mm256_alignr_epi8::<8>(middle, self.0))
    }

    /// Returns the last two numbers, and then two zeros.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn move_down_2(self) -> Self {
        Self(_mm256_permute2x128_si256::<0x81>(self.0, self.0))
    }

    /// Returns two zeros, and then the first two numbers.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn move_up_2(self) -> Self {
        Self(_mm256_permute2x128_si256::<0x08>(self.0, self.0))
    }

    /// Rotates each number left by `n`. With AVX-512 VL, the compiler makes one instruction of
    /// this method.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn rotate_left_by(self, n: u32) -> Self {
        let (up, down) = (n.cast_signed(), (64 - n).cast_signed());
        Self(_mm256_or_si256(
            _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(up)),
            _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(down)),
        ))
    }

    /// (self ⊕ newest), rotated left by `n`. With `ROTATES`, rotations take one cycle, and this is a
    /// sum and a rotation. Otherwise only two shifts, side by side, and one function of three bits
    /// wait for `newest`: where a rotation takes two cycles, as on Zen 4, this is a cycle faster, but
    /// more instructions share the ports of shifts. A
    /// rotation by 32 bits is a permutation, which takes one cycle.
    #[inline]
    #[target_feature(enable = "avx2,avx512f,avx512vl")]
    pub(crate) fn xor_rotate<const ROTATES: bool>(self, newest: Self, n: u32) -> Self {
        if n == 32 {
            return Self(_mm256_shuffle_epi32::<0b10_11_00_01>(self.xor(newest).0));
        }
        if ROTATES {
            return self.xor(newest).rotate_left_by(n);
        }
        let (up, down) = (n.cast_signed(), (64 - n).cast_signed());
        let up = _mm256_sll_epi64(newest.0, _mm_cvtsi32_si128(up));
        let down = _mm256_srl_epi64(newest.0, _mm_cvtsi32_si128(down));
        let mut result = self.rotate_left_by(n).0;
        // The compiler would join the shifts.
        // SAFETY: the instruction uses only these registers.
        unsafe {
            asm!(
                "vpternlogq {0}, {1}, {2}, 0x96",
                inout(ymm_reg) result,
                in(ymm_reg) up,
                in(ymm_reg) down,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        Self(result)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn store(self, numbers: &mut [[u8; 8]; 4]) {
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), self.0) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn subtract(self, other: Self) -> Self {
        Self(_mm256_sub_epi64(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn add(self, other: Self) -> Self {
        Self(_mm256_add_epi64(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn shift_left<const BITS: i32>(self) -> Self {
        Self(_mm256_slli_epi64::<BITS>(self.0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn shift_right<const BITS: i32>(self) -> Self {
        Self(_mm256_srli_epi64::<BITS>(self.0))
    }

    /// Returns the same numbers, of which the compiler then knows no bits. Where a compiler knows that the
    /// upper halves are zero, it takes [`product`](Self::product) for a product of 64 bits, forgets what it
    /// knew, and takes three instructions more.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn unknown(mut self) -> Self {
        // SAFETY: the assembly contains no instruction, so the numbers keep their values.
        unsafe {
            asm!("/* {0} */", inout(ymm_reg) self.0, options(pure, nomem, nostack, preserves_flags));
        }
        self
    }

    /// Returns the products of the lower halves of the numbers.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn product(self, other: Self) -> Self {
        Self(_mm256_mul_epu32(self.0, other.0))
    }

    /// Returns the numbers of `self` with even indices, each followed by the number of `other`
    /// with the same index.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn zip_even(self, other: Self) -> Self {
        Self(_mm256_unpacklo_epi64(self.0, other.0))
    }

    /// Returns the numbers of `self` with odd indices, each followed by the number of `other`
    /// with the same index.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn zip_odd(self, other: Self) -> Self {
        Self(_mm256_unpackhi_epi64(self.0, other.0))
    }

    /// Returns the sum of all numbers.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn sum(self) -> u64 {
        let mut numbers = [[0; 8]; 4];
        self.store(&mut numbers);
        numbers.map(u64::from_le_bytes).iter().sum()
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(_mm256_and_si256(self.0, other.0))
    }

    /// Returns self ∧ ¬other.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn and_not(self, other: Self) -> Self {
        Self(_mm256_andnot_si256(other.0, self.0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn or(self, other: Self) -> Self {
        Self(_mm256_or_si256(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn xor(self, other: Self) -> Self {
        Self(_mm256_xor_si256(self.0, other.0))
    }

    /// Returns (self ⊕ other) ∧ mask.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn differ(self, other: Self, mask: Self) -> Self {
        self.xor(other).and(mask)
    }

    /// Returns self ⊕ (¬b ∧ c).
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn xor_not_and(self, b: Self, c: Self) -> Self {
        self.xor(c.and_not(b))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn xor_both(self, a: Self, b: Self) -> Self {
        self.xor(a).xor(b)
    }

    /// Returns, for each bit, the bit of `yes` where `self` has a 1, and the bit of `no`
    /// elsewhere.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn select(self, yes: Self, no: Self) -> Self {
        yes.xor(no).and(self).xor(no)
    }

    /// Returns all ones in each number in which bit `bit` is set, and zeros in the other
    /// numbers.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn has_bit(self, bit: u32) -> Self {
        let bit = Self::splat(1 << bit);
        Self(_mm256_cmpeq_epi64(self.and(bit).0, bit.0))
    }

    /// Splits both registers into units of `BITS` bits and exchanges the odd units of
    /// `self` with the even units of `other`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn exchange<const BITS: i32>(self, other: Self) -> (Self, Self) {
        let even = Self::splat(u64::MAX / ((1 << BITS) + 1));
        let swap = Self(_mm256_srli_epi64::<BITS>(self.0)).xor(other).and(even);
        let back = Self(_mm256_slli_epi64::<BITS>(swap.0));
        (self.xor(back), other.xor(swap))
    }
}
