//! Calls of libc, and static data that C functions share between calls.
#![allow(unsafe_code)]

use core::cell::UnsafeCell;
use core::ffi::{CStr, c_char, c_int};
use touchstone_password::Error;

/// Sets errno.
pub(crate) fn set_errno(code: c_int) {
    // SAFETY: libc gives a valid pointer to this thread's errno.
    unsafe { *libc::__errno_location() = code };
}

/// Sets errno to the code that crypt(3) documents for an error.
pub(crate) fn fail(error: Error) {
    set_errno(match error {
        Error::PhraseTooLong | Error::OutputTooSmall => libc::ERANGE,
        Error::Memory => libc::ENOMEM,
        // All other errors are caused by the arguments.
        _ => libc::EINVAL,
    });
}

/// Fills a buffer with random bytes from the operating system. If this fails, the function
/// returns `false` and sets errno.
pub(crate) fn random(buffer: &mut [u8]) -> bool {
    let mut done = 0;
    while done < buffer.len() {
        let rest = &mut buffer[done..];
        // SAFETY: the pointer and the length come from a slice that is still alive.
        match unsafe { libc::getrandom(rest.as_mut_ptr().cast(), rest.len(), 0) } {
            // SAFETY: libc gives a valid pointer to this thread's errno.
            n if n < 0 && unsafe { *libc::__errno_location() } == libc::EINTR => {}
            n if n < 0 => return false,
            n => done += n as usize,
        }
    }
    true
}

/// Returns the bytes of a C string, without the final zero.
///
/// # Safety
///
/// `string` is null, or points to a string that ends with a zero byte. Nobody writes to this
/// string while the returned slice is used.
pub(crate) unsafe fn bytes<'s>(string: *const c_char) -> Option<&'s [u8]> {
    // SAFETY: `string` is not null; the caller promises the rest of the contract.
    (!string.is_null()).then(|| unsafe { CStr::from_ptr(string) }.to_bytes())
}

/// A static buffer as in C: code can write to the buffer without a lock.
pub(crate) struct Shared<T>(UnsafeCell<T>);

// SAFETY: the documentation of the functions that use these buffers, here and in POSIX, says
// that only one thread at a time may call them.
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
    //! The allocator and the panic handler, which `std` would otherwise provide.

    use core::alloc::{GlobalAlloc, Layout};

    struct Malloc;

    /// The alignment of memory from malloc, in bytes.
    const ALIGNED: usize = align_of::<libc::max_align_t>();

    // SAFETY: malloc, memalign and free keep the contract of `GlobalAlloc`.
    unsafe impl GlobalAlloc for Malloc {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            let size = layout.size();
            if layout.align() <= ALIGNED {
                // SAFETY: malloc may be called with any size.
                unsafe { libc::malloc(size) }.cast()
            } else {
                // SAFETY: the alignment of a `Layout` is a power of two.
                unsafe { libc::memalign(layout.align(), size) }.cast()
            }
        }

        unsafe fn dealloc(&self, pointer: *mut u8, _: Layout) {
            // SAFETY: `pointer` came from `alloc`, which got it from malloc or memalign.
            unsafe { libc::free(pointer.cast()) };
        }
    }

    #[global_allocator]
    static MALLOC: Malloc = Malloc;

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
        // SAFETY: abort may be called at any time.
        unsafe { libc::abort() }
    }
}
