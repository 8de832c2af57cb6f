//! Memory in places that are no accident: contexts that many C libraries leave to
//! their caller, and messages.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

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

    /// Memory of two contexts of so many bytes: a keyed one, and its copy for a message.
    pub fn twice(bytes: usize) -> Self {
        Self::new(2 * room(bytes))
    }

    /// Copies the first of two contexts of so many bytes over the second, and returns the
    /// second: how a message begins where the library cannot restart under a key.
    #[inline]
    pub fn restart(&mut self, bytes: usize) -> *mut c_void {
        let (keyed, running) = (self.at(0), self.at(room(bytes)));
        debug_assert!(room(bytes) + bytes <= self.chunks * size_of::<Chunk>());
        // SAFETY: both are in the memory (`twice`) and do not overlap.
        #[allow(unsafe_code)]
        unsafe {
            std::ptr::copy_nonoverlapping(keyed.cast::<u8>(), running.cast::<u8>(), bytes);
        }
        running
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

/// Bytes from a chosen place in a page on. Where an allocator puts them depends on all
/// that was allocated before, and can be worth more than what is to be measured.
pub(crate) struct Placed {
    room: Vec<u8>,
    start: usize,
    length: usize,
    offset: usize,
}

/// Bytes that loads and stores are told apart by before their addresses are known.
const PAGE: usize = 4096;

impl Placed {
    /// These bytes, from so many bytes after the start of a page on.
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

/// A copy is in the same place of another page.
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

/// A context's size rounded up to where the next may start.
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
