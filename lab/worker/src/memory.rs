//! Memory for the contexts that many C libraries leave to their caller.

use std::ffi::c_void;
use std::mem::MaybeUninit;

/// The memory of one or more contexts, each at a multiple of 16 bytes, not
/// initialised: as a C program's `malloc` gives it.
pub struct Memory {
    /// From a leaked box of this many chunks. A bare pointer, because the
    /// library keeps writing through the ones that `at` hands out.
    start: *mut MaybeUninit<Chunk>,
    chunks: usize,
}

/// Sixteen bytes on a boundary of sixteen.
#[repr(C, align(16))]
struct Chunk([u8; 16]);

impl Memory {
    /// Room for so many bytes.
    pub fn new(bytes: usize) -> Self {
        let chunks = bytes.div_ceil(16);
        Self {
            start: Box::into_raw(Box::<[Chunk]>::new_uninit_slice(chunks)).cast(),
            chunks,
        }
    }

    /// The context at an offset.
    #[inline]
    pub fn at(&mut self, offset: usize) -> *mut c_void {
        debug_assert!(offset < self.chunks * size_of::<Chunk>());
        self.start.cast::<u8>().wrapping_add(offset).cast()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let whole = std::ptr::slice_from_raw_parts_mut(self.start, self.chunks);
        // SAFETY: start and length are those of the box that `new` leaked.
        #[allow(unsafe_code)]
        drop(unsafe { Box::from_raw(whole) });
    }
}

/// A context's size rounded up to where the next may start.
pub fn room(bytes: usize) -> usize {
    bytes.next_multiple_of(16)
}
