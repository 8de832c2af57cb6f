//! Eight 32-bit numbers in one `ymm` register.

use core::arch::asm;
use core::arch::x86_64::*;

use super::{U8x16, U32x4};

/// A register of eight 32-bit numbers.
#[derive(Clone, Copy)]
pub(crate) struct U32x8(pub(crate) __m256i);

impl U32x8 {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn splat(number: u32) -> Self {
        Self(_mm256_set1_epi32(number.cast_signed()))
    }

    /// Returns the four numbers in every four lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn splat_row(words: &[u32; 4]) -> Self {
        // SAFETY: the reference covers the 16 bytes, at any alignment.
        let row = unsafe { _mm_loadu_si128(words.as_ptr().cast()) };
        Self(_mm256_broadcastsi128_si256(row))
    }

    /// [`splat_row`](Self::splat_row) for numbers in general registers.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn splat_words(words: [u32; 4]) -> Self {
        let [a, b, c, d] = words.map(u32::cast_signed);
        let row = _mm_setr_epi32(a, b, c, d);
        Self(_mm256_broadcastsi128_si256(row))
    }

    /// Adds numbers of 64 bits, each in two lanes, the lower half first.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn add_u64(self, other: Self) -> Self {
        Self(_mm256_add_epi64(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load(words: &[u32; 8]) -> Self {
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    /// Loads eight little-endian numbers.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_le(bytes: &[u8; 32]) -> Self {
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        Self(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
    }

    /// Lane `i` of the result is the lane that lane `i` of `places` names: 0 to 7 in `self`, 8 to
    /// 15 in `high`.
    #[inline]
    #[target_feature(enable = "avx2,avx512f,avx512vl")]
    pub(crate) fn pick(self, high: Self, places: Self) -> Self {
        Self(_mm256_permutex2var_epi32(self.0, places.0, high.0))
    }

    /// The lower and the upper four numbers.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn rows(self) -> [U32x4; 2] {
        [
            U32x4(_mm256_castsi256_si128(self.0)),
            U32x4(_mm256_extracti128_si256::<1>(self.0)),
        ]
    }

    /// Transposes eight blocks of sixteen little-endian words: element `i` of the result has
    /// word `i` of every block, one block in each lane.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn words_le(blocks: [&[u8; 64]; 8]) -> [Self; 16] {
        let mut words = [Self::splat(0); 16];
        for half in 0..2 {
            let mut rows = [Self::splat(0); 8];
            for (row, block) in rows.iter_mut().zip(blocks) {
                let bytes = &block.as_chunks::<32>().0[half];
                // SAFETY: the reference covers the 32 bytes, at any alignment.
                *row = Self(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) });
            }
            Self::transpose(&mut rows);
            words[8 * half..8 * half + 8].copy_from_slice(&rows);
        }
        words
    }

    /// Transposes eight blocks of sixteen big-endian words, as [`words_le`](Self::words_le)
    /// does for little-endian words.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn words_be(blocks: [&[u8; 64]; 8]) -> [Self; 16] {
        let turn = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
        let turn = _mm256_broadcastsi128_si256(turn);
        let mut words = Self::words_le(blocks);
        for word in &mut words {
            word.0 = _mm256_shuffle_epi8(word.0, turn);
        }
        words
    }

    /// Transposes a matrix of 8 × 8 numbers: number `i` of row `j` becomes number `j` of
    /// row `i`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn transpose(rows: &mut [Self; 8]) {
        let [a, b, c, d, e, f, g, h] = *rows;
        // First the code transposes four words of four rows within 128 bits, then it exchanges
        // halves of registers.
        let low = Self::transpose4([a, b, c, d]);
        let high = Self::transpose4([e, f, g, h]);
        for i in 0..4 {
            rows[i].0 = _mm256_permute2x128_si256::<0x20>(low[i].0, high[i].0);
            rows[4 + i].0 = _mm256_permute2x128_si256::<0x31>(low[i].0, high[i].0);
        }
    }

    /// Returns, for each bit, the bit of `yes` where `self` has a 1, and the bit of `no`
    /// elsewhere.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn choose(self, yes: Self, no: Self) -> Self {
        self.and(yes.xor(no)).xor(no)
    }

    /// Returns, for each bit, the bit of `self` where `mask` has a 1, and the bit of `other`
    /// elsewhere.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn chosen(self, mask: Self, other: Self) -> Self {
        mask.choose(self, other)
    }

    /// Returns b ⊕ (self ∨ ¬c).
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn or_not_xor(self, b: Self, c: Self) -> Self {
        b.xor_or_not(self, c)
    }

    /// Returns the same numbers. Compilers change the order of additions, but not across this method:
    /// what is added to the result is added last.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn apart(self) -> Self {
        let mut result = self;
        // SAFETY: the assembly contains no instruction, so the register keeps its value.
        unsafe {
            asm!(
                "/* {} */",
                inout(ymm_reg) result.0,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        result
    }

    /// Returns the same numbers. The compiler does not change the order of calls of this method: it
    /// computes these numbers before those of the next call. Without this it orders the code such that
    /// few registers are needed, and finishes one register's steps before it begins another's.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn in_turn(self) -> Self {
        let mut result = self;
        // SAFETY: the assembly contains no instruction, so the register keeps its value.
        unsafe {
            asm!(
                "/* {} */",
                inout(ymm_reg) result.0,
                options(nostack, preserves_flags)
            );
        }
        result
    }

    /// Returns, for each bit, the value that at least two of the three inputs have.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn majority(self, b: Self, c: Self) -> Self {
        self.and(b).or(c.and(self.or(b)))
    }

    /// Returns self ⊕ (b ∨ ¬c).
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn xor_or_not(self, b: Self, c: Self) -> Self {
        // The term b ∨ ¬c equals ¬(c ∧ ¬b).
        self.xor(c.and_not(b)).xor(Self::splat(u32::MAX))
    }

    /// Rotates each number left by `n`. The compiler must know `n` where it inlines the call.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn rotate_left_by(self, n: u32) -> Self {
        let (up, down) = (n.cast_signed(), (32 - n).cast_signed());
        Self(_mm256_or_si256(
            _mm256_sll_epi32(self.0, _mm_cvtsi32_si128(up)),
            _mm256_srl_epi32(self.0, _mm_cvtsi32_si128(down)),
        ))
    }

    /// (self ⊕ newest), rotated left by `n`. Only two shifts, side by side, and one function of three
    /// bits wait for `newest`. Where a rotation takes two cycles, as on Zen 4, this is a cycle
    /// faster than a sum and a rotation, but more instructions share the ports of shifts.
    #[inline]
    #[target_feature(enable = "avx2,avx512f,avx512vl")]
    pub(crate) fn xor_rotate(self, newest: Self, n: u32) -> Self {
        let (up, down) = (n.cast_signed(), (32 - n).cast_signed());
        let up = _mm256_sll_epi32(newest.0, _mm_cvtsi32_si128(up));
        let down = _mm256_srl_epi32(newest.0, _mm_cvtsi32_si128(down));
        let mut result = self.rotate_left_by(n).0;
        // The compiler would join the shifts.
        // SAFETY: the instruction uses only these registers.
        unsafe {
            asm!(
                "vpternlogd {0}, {1}, {2}, 0x96",
                inout(ymm_reg) result,
                in(ymm_reg) up,
                in(ymm_reg) down,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        Self(result)
    }

    /// self ⊕ (other, rotated left by `n`), as two sums of a shifted number each. One of the shifts may
    /// wait for its port for a cycle, and the sum with the other shift goes ahead meanwhile. The compiler
    /// would join the shifts first, and the sum would wait for both.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn xor_rotation_of(self, other: Self, n: u32) -> Self {
        let (up, down) = (n.cast_signed(), (32 - n).cast_signed());
        let up = Self(_mm256_sll_epi32(other.0, _mm_cvtsi32_si128(up)));
        let down = Self(_mm256_srl_epi32(other.0, _mm_cvtsi32_si128(down)));
        self.xor(up).apart().xor(down)
    }

    /// Returns the lower halves of `a` and `b` in one register, and their upper halves in
    /// another register.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn halves(a: Self, b: Self) -> [Self; 2] {
        [
            Self(_mm256_permute2x128_si256::<0x20>(a.0, b.0)),
            Self(_mm256_permute2x128_si256::<0x31>(a.0, b.0)),
        ]
    }

    /// Returns `self` with lanes 1 and 3 of each group of four from `other`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn with_odd_lanes(self, other: Self) -> Self {
        Self(_mm256_blend_epi32::<0b1010_1010>(self.0, other.0))
    }

    /// Returns `self` with lanes 2 and 3 of each group of four from `other`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn with_upper_lanes(self, other: Self) -> Self {
        Self(_mm256_blend_epi32::<0b1100_1100>(self.0, other.0))
    }

    /// Returns `self` with lanes 1 and 2 of each group of four from `other`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn with_middle_lanes(self, other: Self) -> Self {
        Self(_mm256_blend_epi32::<0b0110_0110>(self.0, other.0))
    }

    /// Returns the numbers with even index of `a` and `b`, of every four lanes, in one register, and the
    /// numbers with odd index in another register.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn part(a: Self, b: Self) -> [Self; 2] {
        [a.take::<0b10_00_10_00>(b), a.take::<0b11_01_11_01>(b)]
    }

    /// Joins two registers, the inverse of [`part`](Self::part).
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn join(even: Self, odd: Self) -> [Self; 2] {
        [
            Self(_mm256_unpacklo_epi32(even.0, odd.0)),
            Self(_mm256_unpackhi_epi32(even.0, odd.0)),
        ]
    }

    /// Returns one lane of every four in the other three lanes, and zero in its own. `LANE` is as in
    /// [`permute`](Self::permute), with this lane four times.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn to_others<const LANE: i32>(self) -> Self {
        /// The bytes of the lane, and none in its own place.
        const fn places(lane: i32) -> [u8; 16] {
            let lane = (lane & 3) as usize;
            let mut places = [0x80; 16];
            let mut i = 0;
            while i < 16 {
                if i / 4 != lane {
                    places[i] = (4 * lane + i % 4) as u8;
                }
                i += 1;
            }
            places
        }
        let places = U8x16::load(const { &places(LANE) });
        Self(_mm256_shuffle_epi8(
            self.0,
            _mm256_broadcastsi128_si256(places.0),
        ))
    }

    /// Takes, of every four lanes, two lanes of `self` and then two lanes of `other`. `LANES` has two bits
    /// for each of the result's lanes `3-2-1-0`: the index of the source lane.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn take<const LANES: i32>(self, other: Self) -> Self {
        let (a, b) = (_mm256_castsi256_ps(self.0), _mm256_castsi256_ps(other.0));
        Self(_mm256_castps_si256(_mm256_shuffle_ps::<LANES>(a, b)))
    }

    /// Moves each number with even index to the next lane. Zeros take its place.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn up_in_pairs(self) -> Self {
        Self(_mm256_slli_epi64::<32>(self.0))
    }

    /// Moves each number with odd index to the lane before. Zeros take its place.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn down_in_pairs(self) -> Self {
        Self(_mm256_srli_epi64::<32>(self.0))
    }

    /// Permutes the lanes within each group of four. `LANES` has two bits for each of the
    /// result's lanes `3-2-1-0`: the index of the source lane.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn permute<const LANES: i32>(self) -> Self {
        Self(_mm256_shuffle_epi32::<LANES>(self.0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn store(self, words: &mut [u32; 8]) {
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }

    /// Adds `other` in the lanes where the lane of `a`, without a sign, is less than that of `b`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn add_where_less(self, other: Self, a: Self, b: Self) -> Self {
        let not_less = Self(_mm256_cmpeq_epi32(_mm256_max_epu32(a.0, b.0), a.0));
        self.add(other.and_not(not_less))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn subtract(self, other: Self) -> Self {
        Self(_mm256_sub_epi32(self.0, other.0))
    }

    /// Reverses the bytes of each number.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn swap_bytes(self) -> Self {
        let turn = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
        Self(_mm256_shuffle_epi8(
            self.0,
            _mm256_broadcastsi128_si256(turn),
        ))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn add(self, other: Self) -> Self {
        Self(_mm256_add_epi32(self.0, other.0))
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

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b.xor(c))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn shift_left<const N: i32>(self) -> Self {
        Self(_mm256_slli_epi32::<N>(self.0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn shift_right<const N: i32>(self) -> Self {
        Self(_mm256_srli_epi32::<N>(self.0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn rotate_left<const N: i32>(self) -> Self {
        // `N` is a constant, so this compiles to a shift by an immediate value.
        let low = _mm256_srl_epi32(self.0, _mm_cvtsi32_si128(32 - N));
        Self(_mm256_or_si256(_mm256_slli_epi32::<N>(self.0), low))
    }

    /// Returns registers of which register `w` has word `w` of each row.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn from_rows<const WORDS: usize>(rows: &[[u32; WORDS]; 8]) -> [Self; WORDS] {
        let mut words = [Self::splat(0); WORDS];
        let (quads, rest) = words.as_chunks_mut::<4>();
        for (q, quad) in quads.iter_mut().enumerate() {
            for (r, x) in quad.iter_mut().enumerate() {
                let row = |i: usize| U32x4::load(&rows[4 * i + r].as_chunks().0[q]).0;
                x.0 = _mm256_set_m128i(row(1), row(0));
            }
            *quad = Self::transpose4(*quad);
        }
        for (w, word) in rest.iter_mut().enumerate() {
            let mut numbers = [0; 8];
            for (number, row) in numbers.iter_mut().zip(rows) {
                *number = row[4 * quads.len() + w];
            }
            *word = Self::load(&numbers);
        }
        words
    }

    /// Stores registers as [`from_rows`](Self::from_rows) loads them.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn to_rows<const WORDS: usize>(words: [Self; WORDS], rows: &mut [[u32; WORDS]; 8]) {
        let (quads, rest) = words.as_chunks::<4>();
        for (q, quad) in quads.iter().enumerate() {
            for (r, x) in Self::transpose4(*quad).into_iter().enumerate() {
                for (i, half) in x.rows().into_iter().enumerate() {
                    half.store(&mut rows[4 * i + r].as_chunks_mut().0[q]);
                }
            }
        }
        for (w, word) in rest.iter().enumerate() {
            let mut numbers = [0; 8];
            word.store(&mut numbers);
            for (number, row) in numbers.iter().zip(&mut *rows) {
                row[4 * quads.len() + w] = *number;
            }
        }
    }

    /// Transposes blocks of four words: register `w` of the result has word `w` of every block.
    /// Block `i` of register `r` moves to lane 4`i` + `r`. The function is its own inverse.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn transpose4(x: [Self; 4]) -> [Self; 4] {
        let [a, b, c, d] = x;
        let (ab, cd) = (
            _mm256_unpacklo_epi32(a.0, b.0),
            _mm256_unpacklo_epi32(c.0, d.0),
        );
        let (ab_high, cd_high) = (
            _mm256_unpackhi_epi32(a.0, b.0),
            _mm256_unpackhi_epi32(c.0, d.0),
        );
        [
            Self(_mm256_unpacklo_epi64(ab, cd)),
            Self(_mm256_unpackhi_epi64(ab, cd)),
            Self(_mm256_unpacklo_epi64(ab_high, cd_high)),
            Self(_mm256_unpackhi_epi64(ab_high, cd_high)),
        ]
    }
}
