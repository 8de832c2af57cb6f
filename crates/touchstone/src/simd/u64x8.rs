//! Sixty-four bytes in one `zmm` register, as bit planes or as eight 64-bit numbers.

use core::arch::x86_64::*;

/// A register of eight 64-bit numbers.
#[derive(Clone, Copy)]
pub(crate) struct U64x8(pub(crate) __m512i);

impl U64x8 {
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn zero() -> Self {
        Self(_mm512_setzero_si512())
    }

    /// Returns a register with `number` in every place.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat(number: u64) -> Self {
        Self(_mm512_set1_epi64(number as i64))
    }

    /// Returns a register with `number` in both halves of each 64-bit number. The instruction
    /// that uses this value can broadcast it from memory.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat_u32(number: u32) -> Self {
        Self(_mm512_set1_epi32(number as i32))
    }

    /// Loads eight numbers, each with its least significant byte first.
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
    pub(crate) fn load_u64(numbers: &[u64; 8]) -> Self {
        // SAFETY: the reference covers the 64 bytes, at any alignment.
        Self(unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn store_u64(self, numbers: &mut [u64; 8]) {
        // SAFETY: the reference covers the 64 bytes, at any alignment.
        unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), self.0) }
    }

    /// Loads the little-endian words of blocks. Register `i` of the result has word `i` of each
    /// block, or zeros if the blocks have fewer words.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn words_le<const BYTES: usize, const WORDS: usize>(
        blocks: [&[u8; BYTES]; 8],
    ) -> [Self; WORDS] {
        let mut words = [Self::zero(); WORDS];
        let loaded = &mut words[..WORDS.min(BYTES / 8)];
        let (squares, rest) = loaded.as_chunks_mut::<8>();
        for (s, square) in squares.iter_mut().enumerate() {
            for (row, block) in square.iter_mut().zip(blocks) {
                *row = Self::load(&block.as_chunks().0.as_chunks().0[s]);
            }
            Self::transpose(square);
        }
        let first = 8 * squares.len();
        for (i, word) in rest.iter_mut().enumerate() {
            *word = Self::load(&blocks.map(|block| block.as_chunks().0[first + i]));
        }
        words
    }

    /// Loads the little-endian words of blocks of four, eight or sixteen words. Register `i` of the
    /// result has word `i` of each block, in an order that only [`to_blocks_le`](Self::to_blocks_le)
    /// knows.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn from_blocks_le<const BYTES: usize, const WORDS: usize>(
        blocks: &[[u8; BYTES]; 8],
    ) -> [Self; WORDS] {
        if WORDS != 4 {
            return Self::words_le(blocks.each_ref());
        }
        let mut pairs = [Self::zero(); 4];
        for (pair, numbers) in pairs
            .iter_mut()
            .zip(blocks.as_flattened().as_chunks().0.as_chunks().0)
        {
            *pair = Self::load(numbers);
        }
        let [a, b, c, d] = pairs;
        let even = [
            _mm512_unpacklo_epi64(a.0, b.0),
            _mm512_unpacklo_epi64(c.0, d.0),
        ];
        let odd = [
            _mm512_unpackhi_epi64(a.0, b.0),
            _mm512_unpackhi_epi64(c.0, d.0),
        ];
        let mut words = [Self::zero(); WORDS];
        words[0].0 = _mm512_shuffle_i64x2::<0b10_00_10_00>(even[0], even[1]);
        words[1].0 = _mm512_shuffle_i64x2::<0b10_00_10_00>(odd[0], odd[1]);
        words[2].0 = _mm512_shuffle_i64x2::<0b11_01_11_01>(even[0], even[1]);
        words[3].0 = _mm512_shuffle_i64x2::<0b11_01_11_01>(odd[0], odd[1]);
        words
    }

    /// Stores registers as [`from_blocks_le`](Self::from_blocks_le) loads them.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn to_blocks_le<const BYTES: usize, const WORDS: usize>(
        mut words: [Self; WORDS],
        blocks: &mut [[u8; BYTES]; 8],
    ) {
        if WORDS != 4 {
            for (s, square) in words.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                Self::transpose(square);
                for (row, block) in square.iter().zip(&mut *blocks) {
                    row.store(&mut block.as_chunks_mut().0.as_chunks_mut().0[s]);
                }
            }
            return;
        }
        let first = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
        let second = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
        let [w0, w1, w2, w3] = [words[0].0, words[1].0, words[2].0, words[3].0];
        let low = [_mm512_unpacklo_epi64(w0, w1), _mm512_unpacklo_epi64(w2, w3)];
        let high = [_mm512_unpackhi_epi64(w0, w1), _mm512_unpackhi_epi64(w2, w3)];
        let pairs = [
            _mm512_permutex2var_epi64(low[0], first, low[1]),
            _mm512_permutex2var_epi64(high[0], first, high[1]),
            _mm512_permutex2var_epi64(low[0], second, low[1]),
            _mm512_permutex2var_epi64(high[0], second, high[1]),
        ];
        let numbers = blocks.as_flattened_mut().as_chunks_mut().0;
        for (pair, numbers) in pairs.into_iter().zip(numbers.as_chunks_mut().0) {
            Self(pair).store(numbers);
        }
    }

    /// Loads sixteen big-endian words of eight blocks. Register `i` of the result has word `i`
    /// of each block.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn words_be(blocks: [&[u8; 128]; 8]) -> [Self; 16] {
        let mut halves = [[Self::zero(); 8]; 2];
        for (i, block) in blocks.iter().enumerate() {
            let (numbers, _) = block.as_chunks::<8>().0.as_chunks();
            halves[0][i] = Self::load(&numbers[0]).swap_bytes();
            halves[1][i] = Self::load(&numbers[1]).swap_bytes();
        }
        let [low, high] = &mut halves;
        Self::transpose(low);
        Self::transpose(high);
        let mut words = [Self::zero(); 16];
        words.copy_from_slice(halves.as_flattened());
        words
    }

    /// Returns registers of which register `w` has word `w` of each row. The number of words is a
    /// multiple of 8.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn from_rows<const WORDS: usize>(rows: &[[u64; WORDS]; 8]) -> [Self; WORDS] {
        const { assert!(WORDS.is_multiple_of(8)) };
        let mut words = [Self::zero(); WORDS];
        for (s, square) in words.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            for (word, row) in square.iter_mut().zip(rows) {
                *word = Self::load_u64(&row.as_chunks().0[s]);
            }
            Self::transpose(square);
        }
        words
    }

    /// Stores registers as [`from_rows`](Self::from_rows) loads them.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn to_rows<const WORDS: usize>(
        mut words: [Self; WORDS],
        rows: &mut [[u64; WORDS]; 8],
    ) {
        for (s, square) in words.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            Self::transpose(square);
            for (word, row) in square.iter().zip(&mut *rows) {
                word.store_u64(&mut row.as_chunks_mut().0[s]);
            }
        }
    }

    /// Transposes a matrix of 8 × 8 numbers: number `i` of row `j` becomes number `j` of row
    /// `i`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn transpose(rows: &mut [Self; 8]) {
        // First the code interleaves neighbouring rows within 128 bits. Then it transposes the
        // 128-bit quarters of the rows with even columns, and of the rows with odd columns.
        let x = *rows;
        for odd in 0..2 {
            let mut pairs = [x[0].0; 4];
            for i in 0..4 {
                let (a, b) = (x[2 * i].0, x[2 * i + 1].0);
                pairs[i] = match odd {
                    0 => _mm512_unpacklo_epi64(a, b),
                    _ => _mm512_unpackhi_epi64(a, b),
                };
            }
            let [a, b, c, d] = pairs;
            let (ab_even, ab_odd) = (
                _mm512_shuffle_i64x2::<0b10_00_10_00>(a, b),
                _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b),
            );
            let (cd_even, cd_odd) = (
                _mm512_shuffle_i64x2::<0b10_00_10_00>(c, d),
                _mm512_shuffle_i64x2::<0b11_01_11_01>(c, d),
            );
            rows[odd].0 = _mm512_shuffle_i64x2::<0b10_00_10_00>(ab_even, cd_even);
            rows[2 + odd].0 = _mm512_shuffle_i64x2::<0b10_00_10_00>(ab_odd, cd_odd);
            rows[4 + odd].0 = _mm512_shuffle_i64x2::<0b11_01_11_01>(ab_even, cd_even);
            rows[6 + odd].0 = _mm512_shuffle_i64x2::<0b11_01_11_01>(ab_odd, cd_odd);
        }
    }

    /// Returns, for each bit, the value that at least two of the three inputs have.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn majority(self, b: Self, c: Self) -> Self {
        self.ternary::<0xe8>(b, c)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn rotate_left_by(self, n: u32) -> Self {
        Self(_mm512_rolv_epi64(self.0, Self::splat(u64::from(n)).0))
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

    /// Returns (self ⊕ other) ∧ mask.
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

    /// Returns self ⊕ (¬b ∧ c).
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn xor_not_and(self, b: Self, c: Self) -> Self {
        self.ternary::<0xd2>(b, c)
    }

    /// Returns self ⊕ other ⊕ number, with `number` in both halves of each 64-bit number. The
    /// instruction broadcasts `number` from memory.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn add_three(self, other: Self, number: u32) -> Self {
        let number = _mm512_set1_epi32(number as i32);
        Self(_mm512_ternarylogic_epi32::<0x96>(self.0, other.0, number))
    }

    /// Returns, for each bit of `bits`, a word of all ones if the bit is set, or else zero.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    pub(crate) fn bits_as_u32(bits: u16) -> [u32; 16] {
        // SAFETY: both are plain bits, of the same size.
        unsafe { core::mem::transmute(_mm512_movm_epi32(bits)) }
    }

    /// Computes any function of three bits. For bits a of `self`, b and c, the result is bit
    /// 4a + 2b + c of `TABLE`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn ternary<const TABLE: i32>(self, b: Self, c: Self) -> Self {
        Self(_mm512_ternarylogic_epi64::<TABLE>(self.0, b.0, c.0))
    }

    /// Returns, for each bit, the bit of `yes` where `self` has a 1, and the bit of `no`
    /// elsewhere.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn select(self, yes: Self, no: Self) -> Self {
        self.ternary::<0xca>(yes, no)
    }

    /// Returns all ones in each number in which bit `bit` is set, and zeros in the other
    /// numbers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    pub(crate) fn has_bit(self, bit: u32) -> Self {
        let bit = Self::splat(1 << bit);
        Self(_mm512_movm_epi64(_mm512_test_epi64_mask(self.0, bit.0)))
    }

    /// Splits both registers into units of `BITS` bits (8, 16 or 32) and exchanges the
    /// odd units of `self` with the even units of `other`.
    ///
    /// The code uses three instructions: a shift and two selections. These instructions can
    /// start on every vector port. Two shuffles would give the same result. But shuffles have
    /// only one port on Intel's processors, and compilers replace them by instructions with
    /// more latency.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    pub(crate) fn exchange<const BITS: i32>(self, other: Self) -> (Self, Self) {
        const { assert!(BITS == 8 || BITS == 16 || BITS == 32) };
        let (a, b) = (self.0, other.0);
        // `between` has the odd units of `self` in the even places, and the even units of
        // `other` in the odd places.
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

    /// Transposes each number as a matrix of 8 × 8 bits: bit `i` of byte `7 - j` becomes
    /// bit `j` of byte `i`.
    #[inline]
    #[target_feature(enable = "avx512f,gfni")]
    pub(crate) fn turn_bits(self) -> Self {
        // The product of the matrix and a vector with a single 1 is a column of the matrix.
        let columns = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
        Self(_mm512_gf2p8affine_epi64_epi8::<0>(columns, self.0))
    }

    /// Transposes numbers whose bytes are in reverse order, the inverse of
    /// [`turn_bits`](Self::turn_bits): bit `7 - i` of byte `j` becomes bit `j` of byte `i`.
    #[inline]
    #[target_feature(enable = "avx512f,gfni")]
    pub(crate) fn turn_bits_back(self) -> Self {
        let columns = _mm512_set1_epi64(0x0102_0408_1020_4080);
        Self(_mm512_gf2p8affine_epi64_epi8::<0>(columns, self.0))
    }

    /// Multiplies each byte by the 8 × 8 bit matrix in the number of `matrices` with the same
    /// index. The highest byte of the matrix is the row that gives bit 0 of the product.
    #[inline]
    #[target_feature(enable = "avx512f,gfni")]
    pub(crate) fn affine(self, matrices: Self) -> Self {
        Self(_mm512_gf2p8affine_epi64_epi8::<0>(self.0, matrices.0))
    }

    /// Returns a register with `byte` in every place.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(crate) fn splat_u8(byte: u8) -> Self {
        Self(_mm512_set1_epi8(byte as i8))
    }

    /// Adds 0 to the first number, 1 to the second, and so on up to 7.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn counting(self) -> Self {
        Self(_mm512_add_epi64(
            self.0,
            _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
        ))
    }

    /// Reverses the bytes of each number.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn swap_bytes(self) -> Self {
        self.shuffle_numbers([7, 6, 5, 4, 3, 2, 1, 0])
    }

    /// Replaces the bytes of each number: byte `i` of the result is byte `places[i]`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn shuffle_numbers(self, places: [u8; 8]) -> Self {
        let low = i64::from_le_bytes(places);
        let high = low + 0x0808_0808_0808_0808;
        let places = _mm512_set4_epi64(high, low, high, low);
        Self(_mm512_shuffle_epi8(self.0, places))
    }

    /// Returns, for each byte `s` of `starts`, eight bits of the number with the same index,
    /// from bit `s` on. After bit 63 follows bit 0.
    #[inline]
    #[target_feature(enable = "avx512vbmi")]
    pub(crate) fn bits_from(self, starts: Self) -> Self {
        Self(_mm512_multishift_epi64_epi8(starts.0, self.0))
    }

    /// Uses each byte of `self` as an index of `table`, which has 64 bytes.
    #[inline]
    #[target_feature(enable = "avx512vbmi")]
    pub(crate) fn look_up(self, table: Self) -> Self {
        Self(_mm512_permutexvar_epi8(self.0, table.0))
    }

    /// Exchanges byte `j` of number `i` with byte `i` of number `j`.
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

    /// Writes `number` to the places whose bit in `places` is 1.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn with_splat_in(self, places: u8, number: u64) -> Self {
        Self(_mm512_mask_set1_epi64(self.0, places, number as i64))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn subtract(self, other: Self) -> Self {
        Self(_mm512_sub_epi64(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn add(self, other: Self) -> Self {
        Self(_mm512_add_epi64(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn or(self, other: Self) -> Self {
        Self(_mm512_or_si512(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn shift_left<const BITS: u32>(self) -> Self {
        Self(_mm512_slli_epi64::<BITS>(self.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn shift_right<const BITS: u32>(self) -> Self {
        Self(_mm512_srli_epi64::<BITS>(self.0))
    }

    /// Returns 64 bits of a number of 128 bits, from bit `BITS` on. The lower half of the
    /// number is `self`, the upper half is `high`.
    #[inline]
    #[target_feature(enable = "avx512vbmi2")]
    pub(crate) fn bits_of_pair<const BITS: i32>(self, high: Self) -> Self {
        Self(_mm512_shrdi_epi64::<BITS>(self.0, high.0))
    }

    /// Returns self + the lower 52 bits of a · b. The factors are the lower 52 bits of `a` and
    /// `b`.
    #[inline]
    #[target_feature(enable = "avx512ifma")]
    pub(crate) fn add_product_low(self, a: Self, b: Self) -> Self {
        Self(_mm512_madd52lo_epu64(self.0, a.0, b.0))
    }

    /// Returns self + the upper 52 bits of a · b. The factors are the lower 52 bits of `a` and
    /// `b`.
    #[inline]
    #[target_feature(enable = "avx512ifma")]
    pub(crate) fn add_product_high(self, a: Self, b: Self) -> Self {
        Self(_mm512_madd52hi_epu64(self.0, a.0, b.0))
    }

    /// Returns the products of the lower 32 bits of the numbers.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn product(self, other: Self) -> Self {
        Self(_mm512_mul_epu32(self.0, other.0))
    }

    /// Permutes the numbers of each half. The result's numbers `3-2-1-0` are the numbers that
    /// `PLACES` names, two bits for each.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn permute_halves<const PLACES: i32>(self) -> Self {
        Self(_mm512_permutex_epi64::<PLACES>(self.0))
    }

    /// Returns the lower halves of both registers, and their upper halves.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn halves(self, high: Self) -> [Self; 2] {
        [
            Self(_mm512_shuffle_i64x2::<0b01_00_01_00>(self.0, high.0)),
            Self(_mm512_shuffle_i64x2::<0b11_10_11_10>(self.0, high.0)),
        ]
    }

    /// Returns the numbers of `self` with even indices, each followed by the number of `other`
    /// with the same index.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn zip_even(self, other: Self) -> Self {
        Self(_mm512_unpacklo_epi64(self.0, other.0))
    }

    /// Returns the numbers of `self` with odd indices, each followed by the number of `other`
    /// with the same index.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn zip_odd(self, other: Self) -> Self {
        Self(_mm512_unpackhi_epi64(self.0, other.0))
    }

    /// Loads the eight numbers of the slice. If the slice has fewer numbers, the numbers are in
    /// the last places, after zeros.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load_last(numbers: &[[u8; 8]]) -> Self {
        let n = numbers.len().min(8);
        let first = ((1_u32 << n) - 1) as u8;
        let last = !((0xff_u32 >> n) as u8);
        // SAFETY: the instruction reads only the first `n` numbers.
        let numbers = unsafe { _mm512_maskz_loadu_epi64(first, numbers.as_ptr().cast()) };
        Self(_mm512_maskz_expand_epi64(last, numbers))
    }

    /// Stores the last numbers, as many as the slice has, in the order of [`load_last`].
    ///
    /// [`load_last`]: Self::load_last
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn store_last(self, numbers: &mut [[u8; 8]]) {
        let n = numbers.len().min(8);
        let first = ((1_u32 << n) - 1) as u8;
        let last = !((0xff_u32 >> n) as u8);
        let stored = _mm512_maskz_compress_epi64(last, self.0);
        // SAFETY: the instruction writes only the first `n` numbers.
        unsafe { _mm512_mask_storeu_epi64(numbers.as_mut_ptr().cast(), first, stored) }
    }

    /// Returns the first number.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn first(self) -> u64 {
        _mm_cvtsi128_si64(_mm512_castsi512_si128(self.0)) as u64
    }

    /// Returns the first number in every place.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat_first(self) -> Self {
        Self(_mm512_broadcastq_epi64(_mm512_castsi512_si128(self.0)))
    }

    /// Returns the numbers of `other` in the places whose bit in `places` is 1, and those of `self` in
    /// the other places.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn replace_in(self, places: u8, other: Self) -> Self {
        Self(_mm512_mask_blend_epi64(places, self.0, other.0))
    }

    /// Returns `number` in the places whose bit in `places` is 1, and zero in the other places.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat_in(places: u8, number: u64) -> Self {
        Self(_mm512_maskz_set1_epi64(places, number as i64))
    }

    /// Returns the sum of all numbers.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn sum(self) -> u64 {
        _mm512_reduce_add_epi64(self.0) as u64
    }
}
