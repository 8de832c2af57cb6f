//! One 32-bit word in a general register.

/// A word of one lane, with the methods of the wider lane types.
#[derive(Clone, Copy)]
pub(super) struct Word(pub(super) u32);

impl Word {
    #[inline(always)]
    pub(super) fn splat(number: u32) -> Self {
        Self(number)
    }
    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
    #[inline(always)]
    pub(super) fn and_not(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
    #[inline(always)]
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    #[inline(always)]
    pub(super) fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
    #[inline(always)]
    pub(super) fn xor3(self, b: Self, c: Self) -> Self {
        Self(self.0 ^ (b.0 ^ c.0))
    }
    #[inline(always)]
    pub(super) fn shift_left<const N: u32>(self) -> Self {
        Self(self.0 << N)
    }
    #[inline(always)]
    pub(super) fn rotate_left<const N: u32>(self) -> Self {
        Self(self.0.rotate_left(N))
    }
}
