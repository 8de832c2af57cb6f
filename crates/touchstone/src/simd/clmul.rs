//! Carry-less products, and the other operations that authenticated modes need on registers of
//! 16-byte blocks: exchanged halves, the XOR of all blocks, and loads and stores of any number
//! of bytes.

use core::arch::asm;
use core::arch::x86_64::*;

use super::{U8x16, U8x32, U8x64};

impl U8x16 {
    /// Returns the carry-less product of one 64-bit half of `self` and one half of `other`. Bit
    /// 0 of `HALVES` selects the half of `self`, bit 4 selects the half of `other`; 0 means the
    /// lower half.
    #[inline]
    #[target_feature(enable = "pclmulqdq")]
    pub(crate) fn clmul<const HALVES: i32>(self, other: Self) -> Self {
        Self(_mm_clmulepi64_si128::<HALVES>(self.0, other.0))
    }

    /// Whether all bits are zero.
    #[inline]
    #[target_feature(enable = "avx")]
    pub(crate) fn is_zero(self) -> bool {
        _mm_testz_si128(self.0, self.0) == 1
    }

    /// Exchanges the two 64-bit halves.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn swap_halves(self) -> Self {
        Self(_mm_shuffle_epi32::<0x4e>(self.0))
    }

    /// Adds the registers as four 32-bit numbers each.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(crate) fn add_u32(self, other: Self) -> Self {
        Self(_mm_add_epi32(self.0, other.0))
    }

    /// Returns `block` in the lowest place, which is the only place of this register.
    #[inline(always)]
    pub(crate) fn from_block(block: Self) -> Self {
        block
    }

    /// Returns `block` in the highest place, which is the only place of this register.
    #[inline(always)]
    pub(crate) fn from_last(block: Self) -> Self {
        block
    }

    /// Returns the XOR of all blocks of the register, which is its only block.
    #[inline(always)]
    pub(crate) fn fold(self) -> Self {
        self
    }

    /// Loads at most 16 bytes. The bytes after the end of the slice are zero and are not
    /// read.
    #[inline(always)]
    pub(crate) fn load_bytes(bytes: &[u8]) -> Self {
        let mut block = [0; 16];
        let n = bytes.len().min(16);
        block[..n].copy_from_slice(&bytes[..n]);
        Self::load(&block)
    }

    /// Does what [`load_bytes`](Self::load_bytes) does, without a branch.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    pub(crate) fn load_up_to_16(bytes: &[u8]) -> Self {
        // SAFETY: the mask keeps the load within the slice; masked lanes do not fault.
        Self(unsafe {
            _mm_maskz_loadu_epi8(byte_mask(bytes.len()) as __mmask16, bytes.as_ptr().cast())
        })
    }

    /// Stores the first bytes of the register, as many as the slice has.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    pub(crate) fn store_up_to_16(self, bytes: &mut [u8]) {
        let mask = byte_mask(bytes.len()) as __mmask16;
        // SAFETY: the mask keeps the store within the slice.
        unsafe { _mm_mask_storeu_epi8(bytes.as_mut_ptr().cast(), mask, self.0) }
    }

    /// Returns the first `n` bytes of the register, and zeros.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    pub(crate) fn first_bytes(self, n: usize) -> Self {
        Self(_mm_maskz_mov_epi8(byte_mask(n) as __mmask16, self.0))
    }
}

/// Byte indices for a shuffle that moves the bytes of a block up or down.
static PLACES: [u8; 48] = {
    // A shuffle gives zero for an index with the top bit set.
    let mut places = [0x80; 48];
    let mut place = 0;
    while place < 16 {
        places[16 + place] = place as u8;
        place += 1;
    }
    places
};

/// Some bytes that are set, and then as many zeros.
static SET: [u8; 64] = {
    let mut set = [0; 64];
    let mut place = 0;
    while place < 32 {
        set[place] = 0xff;
        place += 1;
    }
    set
};

/// Blocks of less than 16 bytes, without AVX-512 and in vector registers alone, because these are
/// easy to clear. All branches depend on the length alone.
impl U8x16 {
    /// Moves every byte up by `n` places, up to 16, and fills the lowest places with zeros.
    #[inline]
    #[target_feature(enable = "ssse3")]
    fn moved_up(self, n: usize) -> Self {
        match PLACES.get(16 - n..).and_then(|places| places.first_chunk()) {
            Some(places) => self.shuffle(Self::load(places)),
            None => self,
        }
    }

    /// Moves every byte down by `n` places, up to 16, and fills the highest places with zeros.
    #[inline]
    #[target_feature(enable = "ssse3")]
    fn moved_down(self, n: usize) -> Self {
        match PLACES.get(16 + n..).and_then(|places| places.first_chunk()) {
            Some(places) => self.shuffle(Self::load(places)),
            None => self,
        }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn or(self, other: Self) -> Self {
        Self(_mm_or_si128(self.0, other.0))
    }

    /// Loads 1 to 16 bytes by loads that can overlap. The bytes after the end of the slice are zero
    /// and are not read.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_part(bytes: &[u8]) -> Self {
        let n = bytes.len();
        assert!(0 < n && n <= 16);
        let start = bytes.as_ptr();
        // SAFETY: every load is within the slice, which has at least as many bytes as the branch
        // requires.
        unsafe {
            if n == 16 {
                Self(_mm_loadu_si128(start.cast()))
            } else if n >= 8 {
                let last = Self(_mm_loadl_epi64(start.add(n - 8).cast()));
                Self(_mm_loadl_epi64(start.cast())).or(last.moved_up(n - 8))
            } else if n >= 4 {
                let last = Self(_mm_loadu_si32(start.add(n - 4)));
                Self(_mm_loadu_si32(start)).or(last.moved_up(n - 4))
            } else {
                let byte = |place: usize| {
                    Self(_mm_insert_epi8::<0>(
                        _mm_setzero_si128(),
                        i32::from(*start.add(place)),
                    ))
                };
                let (middle, last) = (byte(n / 2), byte(n - 1));
                byte(0).or(middle.moved_up(n / 2)).or(last.moved_up(n - 1))
            }
        }
    }

    /// Stores the first 1 to 16 bytes, as many as the slice has, by stores that can overlap.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn store_part(self, bytes: &mut [u8]) {
        let n = bytes.len();
        assert!(0 < n && n <= 16);
        let start = bytes.as_mut_ptr();
        // SAFETY: every store is within the slice, which has at least as many bytes as the branch
        // requires.
        unsafe {
            if n == 16 {
                _mm_storeu_si128(start.cast(), self.0);
            } else if n >= 8 {
                _mm_storel_epi64(start.cast(), self.0);
                _mm_storel_epi64(start.add(n - 8).cast(), self.moved_down(n - 8).0);
            } else if n >= 4 {
                _mm_storeu_si32(start, self.0);
                _mm_storeu_si32(start.add(n - 4), self.moved_down(n - 4).0);
            } else {
                let (middle, last) = (self.moved_down(n / 2), self.moved_down(n - 1));
                *start = _mm_extract_epi8::<0>(self.0) as u8;
                *start.add(n / 2) = _mm_extract_epi8::<0>(middle.0) as u8;
                *start.add(n - 1) = _mm_extract_epi8::<0>(last.0) as u8;
            }
        }
    }
}

impl U8x32 {
    /// Returns the carry-less product [`U8x16::clmul`] of each pair of blocks.
    #[inline]
    #[target_feature(enable = "avx2,vpclmulqdq")]
    pub(crate) fn clmul<const HALVES: i32>(self, other: Self) -> Self {
        Self(_mm256_clmulepi64_epi128::<HALVES>(self.0, other.0))
    }

    /// Exchanges the two 64-bit halves of each block.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn swap_halves(self) -> Self {
        Self(_mm256_shuffle_epi32::<0x4e>(self.0))
    }

    /// Returns the block in the lower place.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn first(self) -> U8x16 {
        U8x16(_mm256_castsi256_si128(self.0))
    }

    /// Loads eight 32-bit numbers.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_u32s(numbers: &[u32; 8]) -> Self {
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        Self(unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) })
    }

    /// Returns a register with `number` in each half of every place.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn splat_u64(number: u64) -> Self {
        Self(_mm256_set1_epi64x(number.cast_signed()))
    }

    /// Loads two numbers, each with its least significant byte first.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_u128s(numbers: &[u128; 2]) -> Self {
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        Self(unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn store_u128s(self, numbers: &mut [u128; 2]) {
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), self.0) }
    }

    /// Loads 1 to 32 bytes. The bytes after the end of the slice are zero and are not read.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_part(bytes: &[u8]) -> Self {
        if let Ok(bytes) = bytes.try_into() {
            return Self::load(bytes);
        }
        match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) => {
                let high = U8x16::load(last).moved_down(32 - bytes.len());
                Self::join([U8x16::load(first), high])
            }
            _ => Self::from_block(U8x16::load_part(bytes)),
        }
    }

    /// Stores the first 1 to 32 bytes, as many as the slice has.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn store_part(self, bytes: &mut [u8]) {
        if let Ok(bytes) = bytes.try_into() {
            return self.store(bytes);
        }
        let n = bytes.len();
        match bytes.last_chunk_mut() {
            // The second store overwrites what comes before the upper block.
            Some(last) => {
                let high = U8x16(_mm256_extracti128_si256::<1>(self.0));
                high.moved_up(32 - n).store(last);
                if let Some(first) = bytes.first_chunk_mut() {
                    self.first().store(first);
                }
            }
            None => self.first().store_part(bytes),
        }
    }

    /// Returns the first `n` bytes of the register, up to 32, and then zeros.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn first_bytes(self, n: usize) -> Self {
        match SET.get(32 - n..).and_then(|set| set.first_chunk()) {
            Some(set) => self.and(Self::load(set)),
            None => self,
        }
    }

    /// Adds the registers as eight 32-bit numbers each.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn add_u32(self, other: Self) -> Self {
        Self(_mm256_add_epi32(self.0, other.0))
    }

    /// Returns `block` in the lower place and zeros in the upper place.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn from_block(block: U8x16) -> Self {
        Self(_mm256_zextsi128_si256(block.0))
    }

    /// Returns `block` in the upper place and zeros in the lower place.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn from_last(block: U8x16) -> Self {
        Self(_mm256_inserti128_si256::<1>(
            _mm256_setzero_si256(),
            block.0,
        ))
    }

    /// Returns the XOR of the two blocks of the register.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn fold(self) -> U8x16 {
        U8x16(_mm_xor_si128(
            _mm256_castsi256_si128(self.0),
            _mm256_extracti128_si256::<1>(self.0),
        ))
    }
}

impl U8x64 {
    /// Returns `block` in the highest place and zeros in the other three places.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn from_last(block: U8x16) -> Self {
        Self::zero().with(3, block)
    }

    /// Returns `block` in the lowest place and zeros in the other three places.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn from_block(block: U8x16) -> Self {
        Self(_mm512_zextsi128_si512(block.0))
    }

    /// Returns the four blocks of the register, the lowest first.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn blocks(self) -> [U8x16; 4] {
        [
            U8x16(_mm512_extracti32x4_epi32::<0>(self.0)),
            U8x16(_mm512_extracti32x4_epi32::<1>(self.0)),
            U8x16(_mm512_extracti32x4_epi32::<2>(self.0)),
            U8x16(_mm512_extracti32x4_epi32::<3>(self.0)),
        ]
    }

    /// Returns the block in the lowest place.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn first(self) -> U8x16 {
        U8x16(_mm512_castsi512_si128(self.0))
    }

    /// Returns the block in the highest place.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn last(self) -> U8x16 {
        U8x16(_mm512_extracti32x4_epi32::<3>(self.0))
    }

    /// Returns the carry-less product [`U8x16::clmul`] of each pair of blocks.
    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    pub(crate) fn clmul<const HALVES: i32>(self, other: Self) -> Self {
        Self(_mm512_clmulepi64_epi128::<HALVES>(self.0, other.0))
    }

    /// Exchanges the two 64-bit halves of each block.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn swap_halves(self) -> Self {
        Self(_mm512_shuffle_epi32::<0x4e>(self.0))
    }

    /// Adds the registers as sixteen 32-bit numbers each.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn add_u32(self, other: Self) -> Self {
        Self(_mm512_add_epi32(self.0, other.0))
    }

    /// Returns the XOR of the four blocks of the register.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn fold(self) -> U8x16 {
        let two = _mm256_xor_si256(
            _mm512_castsi512_si256(self.0),
            _mm512_extracti64x4_epi64::<1>(self.0),
        );
        U8x16(_mm_xor_si128(
            _mm256_castsi256_si128(two),
            _mm256_extracti128_si256::<1>(two),
        ))
    }

    /// Moves the lowest `blocks` blocks to the highest places and puts zeros below them.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn to_the_end(self, blocks: usize) -> Self {
        let places = 0xff00u32.unbounded_shr(2 * blocks.min(4) as u32) as __mmask8;
        Self(_mm512_maskz_expand_epi64(places, self.0))
    }

    /// Replaces the block in place `place` by `block` and keeps the other three blocks.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn with(self, place: usize, block: U8x16) -> Self {
        let mask = 15u32.unbounded_shl(4 * place as u32) as __mmask16;
        Self(_mm512_mask_broadcast_i32x4(self.0, mask, block.0))
    }

    /// Loads four numbers, each with its least significant byte first.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load_u128s(numbers: &[u128; 4]) -> Self {
        // SAFETY: the reference covers the 64 bytes, at any alignment.
        Self(unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn store_u128s(self, numbers: &mut [u128]) {
        if let Some(numbers) = numbers.first_chunk_mut::<4>() {
            // SAFETY: the reference covers the 64 bytes, at any alignment.
            unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), self.0) }
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load_bytes_64(bytes: &[u8; 64]) -> Self {
        // SAFETY: the reference covers the 64 bytes, at any alignment.
        Self(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) })
    }

    /// Loads at most 64 bytes. The bytes after the end of the slice are zero and are not
    /// read.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn load_bytes(bytes: &[u8]) -> Self {
        // SAFETY: the mask keeps the load within the slice; masked lanes do not
        // fault.
        Self(unsafe { _mm512_maskz_loadu_epi8(byte_mask(bytes.len()), bytes.as_ptr().cast()) })
    }

    /// Loads at most 64 bytes from `place` on. The bytes after the end of the slice are zero and are
    /// not read.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn load_from(bytes: &[u8], place: usize) -> Self {
        let mask = byte_mask(bytes.len().saturating_sub(place));
        let bytes = bytes.as_ptr().wrapping_add(place);
        // SAFETY: the mask keeps the load within the slice; masked lanes do not fault.
        Self(unsafe { _mm512_maskz_loadu_epi8(mask, bytes.cast()) })
    }

    /// Stores the register from `place` on, but nothing after the end of the slice.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn store_from(self, bytes: &mut [u8], place: usize) {
        let mask = byte_mask(bytes.len().saturating_sub(place));
        let bytes = bytes.as_mut_ptr().wrapping_add(place);
        // SAFETY: the mask keeps the store within the slice.
        unsafe { _mm512_mask_storeu_epi8(bytes.cast(), mask, self.0) }
    }

    /// Stores the first bytes of the register, as many as the slice has.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn store_bytes(self, bytes: &mut [u8]) {
        // SAFETY: the mask keeps the store within the slice.
        unsafe {
            _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), byte_mask(bytes.len()), self.0);
        }
    }

    /// Returns the first `n` bytes of the register, then zeros.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn cut(self, n: usize) -> Self {
        Self(_mm512_maskz_mov_epi8(byte_mask(n), self.0))
    }

    /// Returns the first `n` bytes of the register, then those of `under`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn over(self, n: usize, under: Self) -> Self {
        Self(_mm512_mask_mov_epi8(under.0, byte_mask(n), self.0))
    }
}

/// Returns a mask with one bit for each of the first `n` bytes. `n` must be below 256: BZHI takes the
/// lowest byte of `n`, and gives all bits from 64 on. A larger `n` gives too few bits, so no load or
/// store leaves a slice. (A function with its feature would not be inlined.)
#[inline]
#[target_feature(enable = "avx512bw")]
fn byte_mask(n: usize) -> __mmask64 {
    debug_assert!(n < 256);
    let mask: u64;
    // SAFETY: the instruction changes `mask` alone. Processors with AVX-512 have it, and the tokens
    // of AVX-512 prove it.
    unsafe {
        asm!(
            "bzhi {mask}, {all}, {n}",
            mask = lateout(reg) mask,
            all = in(reg) u64::MAX,
            n = in(reg) n,
            options(pure, nomem, nostack)
        );
    }
    mask
}
