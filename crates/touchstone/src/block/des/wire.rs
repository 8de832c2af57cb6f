//! A choice of planes that only the salt makes, without a check in every round.
#![allow(unsafe_code)]

use core::marker::PhantomData;

/// Which plane of a half comes to an input.
pub(super) struct Wire<Lanes> {
    /// From the first, in bytes: one addition finds it.
    bytes: usize,
    lanes: PhantomData<Lanes>,
}

impl<Lanes: Copy> Wire<Lanes> {
    pub(super) fn from(bit: usize) -> Self {
        assert!(bit < 32, "a half has no bit {bit}");
        Self {
            bytes: bit * size_of::<Lanes>(),
            lanes: PhantomData,
        }
    }

    #[inline(always)]
    pub(super) fn of(&self, half: &[Lanes; 32]) -> Lanes {
        // SAFETY: `from` let no number through but those of the 32 planes.
        unsafe { *half.as_ptr().byte_add(self.bytes) }
    }
}
