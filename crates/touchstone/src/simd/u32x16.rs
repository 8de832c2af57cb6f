//! Sixteen 32-bit numbers in one `zmm` register.

use core::arch::asm;
use core::arch::x86_64::*;

use super::{U32x4, U32x8};

/// A register of sixteen 32-bit numbers.
#[derive(Clone, Copy)]
pub(crate) struct U32x16(pub(crate) __m512i);

impl U32x16 {
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat(number: u32) -> Self {
        Self(_mm512_set1_epi32(number.cast_signed()))
    }

    /// Returns the four numbers in every four lanes.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat_row(words: &[u32; 4]) -> Self {
        // SAFETY: the reference covers the 16 bytes, at any alignment.
        let row = unsafe { _mm_loadu_si128(words.as_ptr().cast()) };
        Self(_mm512_broadcast_i32x4(row))
    }

    /// [`splat_row`](Self::splat_row) for numbers in general registers.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat_words(words: [u32; 4]) -> Self {
        let [a, b, c, d] = words.map(u32::cast_signed);
        let row = _mm_setr_epi32(a, b, c, d);
        Self(_mm512_broadcast_i32x4(row))
    }

    /// Returns word `I` in every lane. `asm!` keeps compilers from loading several words at once,
    /// which would wait for the stores of each, and from keeping the result on the stack for
    /// [`add_word`](Self::add_word).
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat_word<const I: usize>(words: &[u32; 16]) -> Self {
        const { assert!(I < 16) };
        let result;
        // SAFETY: the instruction loads one of the words, and uses no other memory.
        unsafe {
            asm!(
                "vpbroadcastd {}, dword ptr [{} + 4 * {}]",
                out(zmm_reg) result, in(reg) words, const I,
                options(pure, readonly, nostack, preserves_flags)
            );
        }
        Self(result)
    }

    /// Adds word `I` in every lane.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn add_word<const I: usize>(self, words: &[u32; 16]) -> Self {
        const { assert!(I < 16) };
        let mut result = self;
        // SAFETY: the instruction loads one of the words, and uses no other memory.
        unsafe {
            asm!(
                "vpaddd {0}, {0}, dword ptr [{1} + 4 * {2}]{{1to16}}",
                inout(zmm_reg) result.0, in(reg) words, const I,
                options(pure, readonly, nostack, preserves_flags)
            );
        }
        result
    }

    /// Adds numbers of 64 bits, each in two lanes, the lower half first.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn add_u64(self, other: Self) -> Self {
        Self(_mm512_add_epi64(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load(words: &[u32; 16]) -> Self {
        // SAFETY: the reference covers the 64 bytes, at any alignment.
        Self(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn store(self, words: &mut [u32; 16]) {
        // SAFETY: the reference covers the 64 bytes, at any alignment.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
    }

    /// The four quarters, the lowest lanes first.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn quarters(self) -> [U32x4; 4] {
        [
            U32x4(_mm512_castsi512_si128(self.0)),
            U32x4(_mm512_extracti32x4_epi32::<1>(self.0)),
            U32x4(_mm512_extracti32x4_epi32::<2>(self.0)),
            U32x4(_mm512_extracti32x4_epi32::<3>(self.0)),
        ]
    }

    /// Loads sixteen big-endian numbers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn load_be(bytes: &[u8; 64]) -> Self {
        // SAFETY: the reference covers the 64 bytes, at any alignment.
        Self(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }).swap_bytes()
    }

    /// Stores sixteen big-endian numbers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn store_be(self, bytes: &mut [u8; 64]) {
        // SAFETY: the reference covers the 64 bytes, at any alignment.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), self.swap_bytes().0) }
    }

    /// Reverses the order of the bytes of each number.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn swap_bytes(self) -> Self {
        let turn = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
        Self(_mm512_shuffle_epi8(self.0, _mm512_broadcast_i32x4(turn)))
    }

    /// Transposes sixteen blocks of sixteen little-endian words: element `i` of the result has
    /// word `i` of every block, one block in each lane.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn words_le(blocks: [&[u8; 64]; 16]) -> [Self; 16] {
        let mut words = [Self::splat(0); 16];
        for (words, block) in words.iter_mut().zip(blocks) {
            // SAFETY: the reference covers the 64 bytes, at any alignment.
            *words = Self(unsafe { _mm512_loadu_si512(block.as_ptr().cast()) });
        }
        Self::transpose(&mut words);
        words
    }

    /// Transposes sixteen blocks of sixteen big-endian words, as [`words_le`](Self::words_le)
    /// does for little-endian words.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn words_be(blocks: [&[u8; 64]; 16]) -> [Self; 16] {
        let mut words = [Self::splat(0); 16];
        for (words, block) in words.iter_mut().zip(blocks) {
            *words = Self::load_be(block);
        }
        Self::transpose(&mut words);
        words
    }

    /// Returns, for each bit, the bit of `yes` where `self` has a 1, and the bit of `no`
    /// elsewhere.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn choose(self, yes: Self, no: Self) -> Self {
        self.ternary::<0xca>(yes, no)
    }

    /// Returns, for each bit, the bit of `self` where `mask` has a 1, and the bit of `other`
    /// elsewhere. On Zen 5 this takes two cycles from `self`, and three from the others.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn chosen(self, mask: Self, other: Self) -> Self {
        self.ternary::<0xe2>(mask, other)
    }

    /// Returns b ⊕ (self ∨ ¬c).
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn or_not_xor(self, b: Self, c: Self) -> Self {
        self.ternary::<0x39>(b, c)
    }

    /// Returns the same numbers. Compilers change the order of additions, but not across this method:
    /// what is added to the result is added last.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn apart(self) -> Self {
        let mut result = self;
        // SAFETY: the assembly contains no instruction, so the register keeps its value.
        unsafe {
            asm!(
                "/* {} */",
                inout(zmm_reg) result.0,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        result
    }

    /// Returns the same numbers. The compiler does not change the order of calls of this method: it
    /// computes these numbers before those of the next call. Without this it orders the code such that
    /// few registers are needed, and finishes one register's steps before it begins another's.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn in_turn(self) -> Self {
        let mut result = self;
        // SAFETY: the assembly contains no instruction, so the register keeps its value.
        unsafe {
            asm!(
                "/* {} */",
                inout(zmm_reg) result.0,
                options(nostack, preserves_flags)
            );
        }
        result
    }

    /// Returns, for each bit, the value that at least two of the three inputs have.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn majority(self, b: Self, c: Self) -> Self {
        let mut result = self;
        // `asm!` hides the function from compilers. Compilers write this function as two
        // instructions if they already have an AND or OR of two of its inputs.
        // SAFETY: the instruction uses only these registers.
        unsafe {
            asm!(
                "vpternlogd {}, {}, {}, 0xe8",
                inout(zmm_reg) result.0, in(zmm_reg) b.0, in(zmm_reg) c.0,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        result
    }

    /// Returns self ⊕ (b ∨ ¬c).
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn xor_or_not(self, b: Self, c: Self) -> Self {
        self.ternary::<0x2d>(b, c)
    }

    /// Rotates each number left by `n`. The compiler must know `n` where it inlines the call.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn rotate_left_by(self, n: u32) -> Self {
        Self(_mm512_rolv_epi32(self.0, Self::splat(n).0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn add(self, other: Self) -> Self {
        Self(_mm512_add_epi32(self.0, other.0))
    }

    /// Adds `other` in the lanes where the lane of `a`, without a sign, is less than that of `b`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn add_where_less(self, other: Self, a: Self, b: Self) -> Self {
        let less = _mm512_cmplt_epu32_mask(a.0, b.0);
        Self(_mm512_mask_add_epi32(self.0, less, self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn subtract(self, other: Self) -> Self {
        Self(_mm512_sub_epi32(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn rotate_right<const N: i32>(self) -> Self {
        Self(_mm512_ror_epi32::<N>(self.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn shift_right<const N: u32>(self) -> Self {
        Self(_mm512_srli_epi32::<N>(self.0))
    }

    /// Computes any function of three bits. For bits a of `self`, b and c, the result is bit
    /// 4a + 2b + c of `TABLE`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn ternary<const TABLE: i32>(self, b: Self, c: Self) -> Self {
        Self(_mm512_ternarylogic_epi32::<TABLE>(self.0, b.0, c.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn xor3(self, b: Self, c: Self) -> Self {
        self.ternary::<0x96>(b, c)
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

    /// Returns self ∧ ¬other.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn and_not(self, other: Self) -> Self {
        Self(_mm512_andnot_si512(other.0, self.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn or(self, other: Self) -> Self {
        Self(_mm512_or_si512(self.0, other.0))
    }

    /// Returns the upper half of the register, in both halves of the result.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn high_half(self) -> Self {
        Self(_mm512_shuffle_i64x2::<0b11_10_11_10>(self.0, self.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn rotate_left<const N: i32>(self) -> Self {
        Self(_mm512_rol_epi32::<N>(self.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn shift_left<const N: u32>(self) -> Self {
        Self(_mm512_slli_epi32::<N>(self.0))
    }

    /// Returns the numbers with even index of `a` and `b` in one register, and the numbers with
    /// odd index in another register.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn part(a: Self, b: Self) -> [Self; 2] {
        [a.take::<0b10_00_10_00>(b), a.take::<0b11_01_11_01>(b)]
    }

    /// Joins two registers, the inverse of [`part`](Self::part).
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn join(even: Self, odd: Self) -> [Self; 2] {
        [
            Self(_mm512_unpacklo_epi32(even.0, odd.0)),
            Self(_mm512_unpackhi_epi32(even.0, odd.0)),
        ]
    }

    /// Puts pairs of numbers of `low` into lanes 0 and 1 of every four lanes, and pairs
    /// of `high` into lanes 2 and 3.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn from_pairs([low, high]: [U32x8; 2]) -> Self {
        let turns = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
        let (low, high) = (
            _mm512_castsi256_si512(low.0),
            _mm512_castsi256_si512(high.0),
        );
        Self(_mm512_permutex2var_epi64(low, turns, high))
    }

    /// Splits a register, the inverse of [`from_pairs`](Self::from_pairs).
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn to_pairs(self) -> [U32x8; 2] {
        let sorted = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        let sorted = _mm512_permutexvar_epi64(sorted, self.0);
        [
            U32x8(_mm512_castsi512_si256(sorted)),
            U32x8(_mm512_extracti64x4_epi64::<1>(sorted)),
        ]
    }

    /// Returns `self` with lanes 1 and 3 of each group of four from `other`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn with_odd_lanes(self, other: Self) -> Self {
        Self(_mm512_mask_blend_epi32(0xaaaa, self.0, other.0))
    }

    /// Returns one lane of every four in the other three lanes, and zero in its own. `LANE` is as in
    /// [`permute`](Self::permute), with this lane four times.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn to_others<const LANE: i32>(self) -> Self {
        let others = const { !(0x1111 << (LANE & 3)) };
        Self(_mm512_maskz_shuffle_epi32::<LANE>(others, self.0))
    }

    /// Takes, of every four lanes, two lanes of `self` and then two lanes of `other`. `LANES` has two bits
    /// for each of the result's lanes `3-2-1-0`: the index of the source lane.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn take<const LANES: i32>(self, other: Self) -> Self {
        let (a, b) = (_mm512_castsi512_ps(self.0), _mm512_castsi512_ps(other.0));
        Self(_mm512_castps_si512(_mm512_shuffle_ps::<LANES>(a, b)))
    }

    /// Moves each number with even index to the next lane. Zeros take its place.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn up_in_pairs(self) -> Self {
        Self(_mm512_slli_epi64::<32>(self.0))
    }

    /// Moves each number with odd index to the lane before. Zeros take its place.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn down_in_pairs(self) -> Self {
        Self(_mm512_srli_epi64::<32>(self.0))
    }

    /// Permutes the lanes within each group of four. `LANES` has two bits for each of the
    /// result's lanes `3-2-1-0`: the index of the source lane.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn permute<const LANES: i32>(self) -> Self {
        Self(_mm512_shuffle_epi32::<LANES>(self.0))
    }

    /// Exchanges lanes 0 and 1 with lanes 2 and 3 in each group of four.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn swap_pairs(self) -> Self {
        Self(_mm512_shuffle_epi32::<0b01_00_11_10>(self.0))
    }

    /// Returns `low` in lanes 0 and 1 of each group of four, and `high` in lanes 2 and 3.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat_pairs(low: u32, high: u32) -> Self {
        let low = _mm512_set1_epi32(low.cast_signed());
        Self(_mm512_mask_set1_epi32(low, 0xcccc, high.cast_signed()))
    }

    /// Adds `other` in lanes 2 and 3 of each group of four. Lanes 0 and 1 do not change.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn add_high_pairs(self, other: Self) -> Self {
        Self(_mm512_mask_add_epi32(self.0, 0xcccc, self.0, other.0))
    }

    /// Rotates lanes 0 and 1 of each group of four left by `LOW`, lanes 2 and 3 by
    /// `HIGH`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn rotate_pairs<const LOW: u32, const HIGH: u32>(self) -> Self {
        let by = Self::splat_pairs(LOW, HIGH);
        Self(_mm512_rolv_epi32(self.0, by.0))
    }

    /// Transposes blocks of four words: register `w` of the result has word `w` of every block.
    /// Block `i` of register `r` moves to lane 4`i` + `r`. The function is its own inverse.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn transpose4(x: [Self; 4]) -> [Self; 4] {
        let [a, b, c, d] = x;
        let (ab, cd) = (
            _mm512_unpacklo_epi32(a.0, b.0),
            _mm512_unpacklo_epi32(c.0, d.0),
        );
        let (ab_high, cd_high) = (
            _mm512_unpackhi_epi32(a.0, b.0),
            _mm512_unpackhi_epi32(c.0, d.0),
        );
        [
            Self(_mm512_unpacklo_epi64(ab, cd)),
            Self(_mm512_unpackhi_epi64(ab, cd)),
            Self(_mm512_unpacklo_epi64(ab_high, cd_high)),
            Self(_mm512_unpackhi_epi64(ab_high, cd_high)),
        ]
    }

    /// Returns registers of which register `w` has word `w` of each row.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn from_rows<const WORDS: usize>(rows: &[[u32; WORDS]; 16]) -> [Self; WORDS] {
        let mut words = [Self::splat(0); WORDS];
        let (quads, rest) = words.as_chunks_mut::<4>();
        for (q, quad) in quads.iter_mut().enumerate() {
            for (r, x) in quad.iter_mut().enumerate() {
                let row = |i: usize| U32x4::load(&rows[4 * i + r].as_chunks().0[q]).0;
                let low = _mm512_castsi128_si512(row(0));
                let low = _mm512_inserti32x4::<1>(low, row(1));
                let low = _mm512_inserti32x4::<2>(low, row(2));
                x.0 = _mm512_inserti32x4::<3>(low, row(3));
            }
            *quad = Self::transpose4(*quad);
        }
        for (w, word) in rest.iter_mut().enumerate() {
            let mut numbers = [0; 16];
            for (number, row) in numbers.iter_mut().zip(rows) {
                *number = row[4 * quads.len() + w];
            }
            *word = Self::load(&numbers);
        }
        words
    }

    /// Stores registers as [`from_rows`](Self::from_rows) loads them.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn to_rows<const WORDS: usize>(words: [Self; WORDS], rows: &mut [[u32; WORDS]; 16]) {
        let (quads, rest) = words.as_chunks::<4>();
        for (q, quad) in quads.iter().enumerate() {
            for (r, x) in Self::transpose4(*quad).into_iter().enumerate() {
                for (i, quarter) in x.quarters().into_iter().enumerate() {
                    quarter.store(&mut rows[4 * i + r].as_chunks_mut().0[q]);
                }
            }
        }
        for (w, word) in rest.iter().enumerate() {
            let mut numbers = [0; 16];
            word.store(&mut numbers);
            for (number, row) in numbers.iter().zip(&mut *rows) {
                row[4 * quads.len() + w] = *number;
            }
        }
    }

    /// Transposes sixteen blocks of eight words, two in each register: register `w` of the
    /// result has word `w` of every block. The order of the lanes is only for
    /// [`from_words8`](Self::from_words8).
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn to_words8([a, b, c, d, e, f, g, h]: [Self; 8]) -> [Self; 8] {
        // In each register of `low` and `high`, the quarters 0 and 2 have a word of blocks, and
        // the quarters 1 and 3 have the word that is four words further.
        let low = Self::transpose4([a, b, c, d]);
        let high = Self::transpose4([e, f, g, h]);
        let mut words = low;
        let mut further = high;
        for w in 0..4 {
            let (a, b) = (low[w].0, high[w].0);
            words[w].0 = _mm512_shuffle_i32x4::<0b10_00_10_00>(a, b);
            further[w].0 = _mm512_shuffle_i32x4::<0b11_01_11_01>(a, b);
        }
        let ([a, b, c, d], [e, f, g, h]) = (words, further);
        [a, b, c, d, e, f, g, h]
    }

    /// Transposes words back to blocks, the inverse of [`to_words8`](Self::to_words8).
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn from_words8([a, b, c, d, e, f, g, h]: [Self; 8]) -> [Self; 8] {
        let lower = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
        let upper = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
        let (words, further) = ([a, b, c, d], [e, f, g, h]);
        let (mut low, mut high) = (words, further);
        for w in 0..4 {
            low[w].0 = _mm512_permutex2var_epi64(words[w].0, lower, further[w].0);
            high[w].0 = _mm512_permutex2var_epi64(words[w].0, upper, further[w].0);
        }
        let [a, b, c, d] = Self::transpose4(low);
        let [e, f, g, h] = Self::transpose4(high);
        [a, b, c, d, e, f, g, h]
    }

    /// Transposes a matrix of 16 × 16 numbers: number `i` of row `j` becomes number `j`
    /// of row `i`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn transpose(rows: &mut [Self; 16]) {
        // First the code interleaves numbers, then pairs of numbers, of neighbouring rows
        // within 128 bits. Then it exchanges the 128-bit quarters of rows whose distance is
        // four and eight.
        let mut x = *rows;
        for i in 0..8 {
            let (a, b) = (rows[2 * i].0, rows[2 * i + 1].0);
            x[2 * i].0 = _mm512_unpacklo_epi32(a, b);
            x[2 * i + 1].0 = _mm512_unpackhi_epi32(a, b);
        }
        let mut y = x;
        for i in 0..4 {
            for j in 0..2 {
                let (a, b) = (x[4 * i + j].0, x[4 * i + 2 + j].0);
                y[4 * i + 2 * j].0 = _mm512_unpacklo_epi64(a, b);
                y[4 * i + 2 * j + 1].0 = _mm512_unpackhi_epi64(a, b);
            }
        }
        for j in 0..4 {
            let (a, b, c, d) = (y[j].0, y[4 + j].0, y[8 + j].0, y[12 + j].0);
            let (ab_even, ab_odd) = (
                _mm512_shuffle_i32x4::<0b10_00_10_00>(a, b),
                _mm512_shuffle_i32x4::<0b11_01_11_01>(a, b),
            );
            let (cd_even, cd_odd) = (
                _mm512_shuffle_i32x4::<0b10_00_10_00>(c, d),
                _mm512_shuffle_i32x4::<0b11_01_11_01>(c, d),
            );
            rows[j].0 = _mm512_shuffle_i32x4::<0b10_00_10_00>(ab_even, cd_even);
            rows[4 + j].0 = _mm512_shuffle_i32x4::<0b10_00_10_00>(ab_odd, cd_odd);
            rows[8 + j].0 = _mm512_shuffle_i32x4::<0b11_01_11_01>(ab_even, cd_even);
            rows[12 + j].0 = _mm512_shuffle_i32x4::<0b11_01_11_01>(ab_odd, cd_odd);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::U32x16;
    use crate::cpu::Avx512;

    #[test]
    fn transposing_exchanges_rows_and_columns() {
        if Avx512::detect().is_none() {
            std::println!("SKIPPED: registers of 64 bytes, because AVX-512 is not there");
            return;
        }
        // SAFETY: the test detected the features above.
        unsafe { check() }

        #[target_feature(enable = "avx512f")]
        fn check() {
            let mut rows = [U32x16::splat(0); 16];
            for i in 0..16 {
                let mut row = [0; 16];
                for j in 0..16 {
                    row[j] = (100 * i + j) as u32;
                }
                rows[i] = U32x16::load(&row);
            }
            U32x16::transpose(&mut rows);
            for i in 0..16 {
                let mut row = [0; 16];
                rows[i].store(&mut row);
                for j in 0..16 {
                    assert_eq!(row[j], (100 * j + i) as u32);
                }
            }
        }
    }
}
