//! One 32-bit word in a general register.

/// A word of one lane, with the methods of the wider lane types.
#[derive(Clone, Copy)]
pub(crate) struct Word(pub(crate) u32);

impl Word {
    #[inline(always)]
    pub(crate) fn splat(number: u32) -> Self {
        Self(number)
    }
    #[inline(always)]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
    #[inline(always)]
    pub(crate) fn and_not(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
    #[inline(always)]
    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    #[inline(always)]
    pub(crate) fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
    #[inline(always)]
    pub(crate) fn xor3(self, b: Self, c: Self) -> Self {
        Self(self.0 ^ (b.0 ^ c.0))
    }
    #[inline(always)]
    pub(crate) fn shift_left<const N: u32>(self) -> Self {
        Self(self.0 << N)
    }
    #[inline(always)]
    pub(crate) fn rotate_left<const N: u32>(self) -> Self {
        Self(self.0.rotate_left(N))
    }
}
