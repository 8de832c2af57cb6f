//! What is asked of libc, and state that C shares between calls.
#![allow(unsafe_code)]

use core::cell::UnsafeCell;
use core::ffi::{CStr, c_char, c_int};
use touchstone_password::Error;

/// Sets errno.
pub(crate) fn set_errno(code: c_int) {
    // SAFETY: libc gives a valid pointer to this thread's errno.
    unsafe { *libc::__errno_location() = code };
}

/// Sets errno to what crypt(3) documents for an error.
pub(crate) fn fail(error: Error) {
    set_errno(match error {
        Error::PhraseTooLong | Error::OutputTooSmall => libc::ERANGE,
        Error::Memory => libc::ENOMEM,
        // Every other error is an argument's.
        _ => libc::EINVAL,
    });
}

/// Fills a buffer from the operating system, or sets errno.
pub(crate) fn random(buffer: &mut [u8]) -> bool {
    let mut done = 0;
    while done < buffer.len() {
        let rest = &mut buffer[done..];
        // SAFETY: the pointer and the length are those of a live slice.
        match unsafe { libc::getrandom(rest.as_mut_ptr().cast(), rest.len(), 0) } {
            // SAFETY: as in `set_errno`.
            n if n < 0 && unsafe { *libc::__errno_location() } == libc::EINTR => {}
            n if n < 0 => return false,
            n => done += n as usize,
        }
    }
    true
}

/// The bytes of a C string, without its end.
///
/// # Safety
///
/// `string` is null or a string that ends and that nobody writes to while the
/// bytes are used.
pub(crate) unsafe fn bytes<'s>(string: *const c_char) -> Option<&'s [u8]> {
    // SAFETY: not null, and the caller's promise.
    (!string.is_null()).then(|| unsafe { CStr::from_ptr(string) }.to_bytes())
}

/// What C calls a static buffer.
pub(crate) struct Shared<T>(UnsafeCell<T>);

// SAFETY: the functions that use these are documented, here and by POSIX, as not
// to be called from several threads at once.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    pub(crate) fn get(&self) -> *mut T {
        self.0.get()
    }
}

#[cfg(panic = "abort")]
mod alone {
    //! What `std` would provide.

    use core::alloc::{GlobalAlloc, Layout};

    struct Malloc;

    /// What malloc aligns to.
    const ALIGNED: usize = align_of::<libc::max_align_t>();

    // SAFETY: malloc, aligned_alloc and free are such an allocator.
    unsafe impl GlobalAlloc for Malloc {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            let size = layout.size();
            if layout.align() <= ALIGNED {
                // SAFETY: any size may be asked for.
                unsafe { libc::malloc(size) }.cast()
            } else {
                // SAFETY: a layout's alignment is a power of two.
                unsafe { libc::memalign(layout.align(), size) }.cast()
            }
        }

        unsafe fn dealloc(&self, pointer: *mut u8, _: Layout) {
            // SAFETY: it came from `alloc`.
            unsafe { libc::free(pointer.cast()) };
        }
    }

    #[global_allocator]
    static MALLOC: Malloc = Malloc;

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
        // SAFETY: it may be called at any time.
        unsafe { libc::abort() }
    }
}
