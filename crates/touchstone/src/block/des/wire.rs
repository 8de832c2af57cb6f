//! The index of a plane, which depends only on the salt. Its range is checked once, so
//! that the rounds need no check.
#![allow(unsafe_code)]

use core::marker::PhantomData;

/// The plane of a half that is loaded for an input.
pub(super) struct Wire<Lanes> {
    /// The plane's distance in bytes from the first plane, so that one addition finds it.
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
        // SAFETY: the constructor `from` accepts only the indices of the 32 planes.
        unsafe { *half.as_ptr().byte_add(self.bytes) }
    }
}
