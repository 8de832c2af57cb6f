//! Replaces Rust's standard library: memory comes from the C library's `malloc`, and a panic
//! calls the C library's `abort`. Without the standard library and its code for backtraces, a
//! static program is smaller.
#![allow(unsafe_code)]

use core::alloc::{GlobalAlloc, Layout};
use core::ffi::{c_int, c_void};
use core::panic::PanicInfo;
use core::ptr::null_mut;

unsafe extern "C" {
    // These functions are defined by POSIX.1-2017.
    fn malloc(size: usize) -> *mut c_void;
    fn posix_memalign(memory: *mut *mut c_void, align: usize, size: usize) -> c_int;
    fn free(memory: *mut c_void);
    fn abort() -> !;
}

/// The alignment of memory from `malloc`, for 16 bytes or more (System V ABI, x86-64:
/// `max_align_t`).
const ALIGNED: usize = 2 * size_of::<usize>();

pub(crate) struct Malloc;

// SAFETY: `malloc` and `posix_memalign` return NULL, or memory of this size and alignment that
// is valid until `free`.
unsafe impl GlobalAlloc for Malloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (size, align) = (layout.size(), layout.align());
        if align <= ALIGNED && align <= size {
            // SAFETY: `malloc` may be called with any size.
            return unsafe { malloc(size) }.cast();
        }
        let mut memory = null_mut();
        // SAFETY: the alignment is a power of two and a multiple of a pointer's size.
        match unsafe { posix_memalign(&mut memory, align.max(size_of::<usize>()), size) } {
            0 => memory.cast(),
            _ => null_mut(),
        }
    }

    unsafe fn dealloc(&self, memory: *mut u8, _: Layout) {
        // SAFETY: the pointer came from `alloc`, by the contract of `GlobalAlloc`.
        unsafe { free(memory.cast()) }
    }
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: `abort` takes no arguments and may be called at any time.
    unsafe { abort() }
}
