//! Memory at chosen addresses: for contexts whose memory the caller of a C library must provide,
//! and for messages.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

/// The memory of one or more contexts. Each context begins at a multiple of 16 bytes and is not
/// initialised, as if a C program had got the memory from `malloc`.
pub struct Memory {
    /// The start of a leaked box with this many chunks. The field is a bare pointer, because the
    /// library writes through the pointers that `at` returns for as long as the contexts exist.
    start: *mut MaybeUninit<Chunk>,
    chunks: usize,
    free: Option<Free>,
}

/// A function of a library that frees what a context refers to; it may return a code.
#[derive(Clone, Copy)]
enum Free {
    Mute(unsafe extern "C" fn(*mut c_void)),
    Code(unsafe extern "C" fn(*mut c_void) -> c_int),
}

/// A piece of memory of sixteen bytes, at an address that is a multiple of sixteen.
#[repr(C, align(16))]
struct Chunk([u8; 16]);

impl Memory {
    /// Memory for this many bytes.
    pub fn new(bytes: usize) -> Self {
        let chunks = bytes.div_ceil(16);
        Self {
            start: Box::into_raw(Box::<[Chunk]>::new_uninit_slice(chunks)).cast(),
            chunks,
            free: None,
        }
    }

    /// Says that the first context is initialised: dropping the memory then calls `free`.
    ///
    /// # Safety
    ///
    /// The context is initialised, nobody else frees it, and `free` is the function for it.
    #[allow(unsafe_code)]
    pub unsafe fn freed_by(&mut self, free: unsafe extern "C" fn(*mut c_void)) {
        self.free = Some(Free::Mute(free));
    }

    /// Like [`Memory::freed_by`], with a function that returns a code, which only says whether the
    /// context was valid.
    ///
    /// # Safety
    ///
    /// As for [`Memory::freed_by`].
    #[allow(unsafe_code)]
    pub unsafe fn freed_by_code(&mut self, free: unsafe extern "C" fn(*mut c_void) -> c_int) {
        self.free = Some(Free::Code(free));
    }

    /// Returns the address of the context at this offset.
    #[inline]
    pub fn at(&mut self, offset: usize) -> *mut c_void {
        debug_assert!(offset < self.chunks * size_of::<Chunk>());
        self.start.cast::<u8>().wrapping_add(offset).cast()
    }

    /// Memory for two contexts of `bytes` bytes each: one with the key set, and a copy of it for
    /// each message.
    pub fn twice(bytes: usize) -> Self {
        Self::new(2 * room(bytes))
    }

    /// Copies the first of two contexts of `bytes` bytes over the second, and returns the second. A
    /// message begins in this way if the library cannot restart a context with the same key.
    #[inline]
    pub fn restart(&mut self, bytes: usize) -> *mut c_void {
        let (keyed, running) = (self.at(0), self.at(room(bytes)));
        debug_assert!(room(bytes) + bytes <= self.chunks * size_of::<Chunk>());
        // SAFETY: both contexts are in the memory (`twice`) and do not overlap.
        #[allow(unsafe_code)]
        unsafe {
            std::ptr::copy_nonoverlapping(keyed.cast::<u8>(), running.cast::<u8>(), bytes);
        }
        running
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let context = self.start.cast();
        // SAFETY: the caller of `freed_by` guarantees that the context is freed here, and only here.
        #[allow(unsafe_code)]
        unsafe {
            match self.free {
                Some(Free::Mute(free)) => free(context),
                Some(Free::Code(free)) => _ = free(context),
                None => {}
            }
        }
        let whole = std::ptr::slice_from_raw_parts_mut(self.start, self.chunks);
        // SAFETY: start and length belong to the box that `new` leaked.
        #[allow(unsafe_code)]
        drop(unsafe { Box::from_raw(whole) });
    }
}

/// Bytes that begin at a chosen place in a memory page. Without this, the place would depend on all
/// earlier allocations, and its effect on the time can be larger than the effect that is to be
/// measured.
pub(crate) struct Placed {
    room: Vec<u8>,
    start: usize,
    length: usize,
    offset: usize,
}

/// CPUs compare addresses modulo this number to find out early whether a load and a store are the
/// same bytes.
const PAGE: usize = 4096;

impl Placed {
    /// Copies these bytes to a place that begins `offset` bytes after the start of a page.
    pub(crate) fn new(bytes: impl AsRef<[u8]>, offset: usize) -> Self {
        let bytes = bytes.as_ref();
        let mut room = vec![0; bytes.len() + 2 * PAGE];
        let start = (offset + PAGE - room.as_ptr().addr() % PAGE) % PAGE;
        room[start..][..bytes.len()].copy_from_slice(bytes);
        Self {
            room,
            start,
            length: bytes.len(),
            offset,
        }
    }
}

/// The copy begins at the same place of another page.
impl Clone for Placed {
    fn clone(&self) -> Self {
        Self::new(&**self, self.offset)
    }
}

impl Deref for Placed {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.room[self.start..][..self.length]
    }
}

impl DerefMut for Placed {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.room[self.start..][..self.length]
    }
}

/// Returns the size of a context, rounded up to an offset at which the next context may begin.
pub fn room(bytes: usize) -> usize {
    bytes.next_multiple_of(16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placed_bytes_and_their_copies_are_where_they_are_to_be() {
        for length in [0, 1, 5000] {
            for offset in [0, 64, 2048, PAGE - 1] {
                let bytes: Vec<u8> = (0..length).map(|i| i as u8).collect();
                let placed = Placed::new(&bytes, offset);
                let copy = placed.clone();
                for one in [&placed, &copy] {
                    assert_eq!(one[..], bytes[..]);
                    assert_eq!(one.as_ptr().addr() % PAGE, offset);
                }
            }
        }
    }
}
