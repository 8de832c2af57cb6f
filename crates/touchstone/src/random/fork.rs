//! Counts the forks of a process, so that a generator notices that its process is a copy of
//! another process.
//!
//! On Linux, a page of memory shows the fork: the kernel fills this page with zeros in every
//! child (`MADV_WIPEONFORK`, Linux 4.14; madvise(2)). On other systems, and if the kernel
//! refuses such a page, the process number (PID) shows the fork.
#![allow(unsafe_code)]

use core::sync::atomic::{AtomicU64, Ordering};

/// The number of forks so far, plus one.
static GENERATION: AtomicU64 = AtomicU64::new(1);

/// Returns the count of forks. In a process that is a copy of this process, the count is
/// higher.
pub(super) fn generation() -> u64 {
    if is_copy() {
        GENERATION.fetch_add(1, Ordering::Relaxed);
    }
    GENERATION.load(Ordering::Relaxed)
}

/// Returns whether this process became a copy since the last call. If two threads call this
/// function at the same time, both may get `true`. The count then grows by two, which does no
/// harm.
#[cfg(unix)]
fn is_copy() -> bool {
    #[cfg(target_os = "linux")]
    if let Some(page) = page::mark() {
        return page.load(Ordering::Relaxed) == 0 && page.swap(1, Ordering::Relaxed) == 0;
    }
    by_process()
}

/// Returns `false`: other systems have no fork.
#[cfg(not(unix))]
fn is_copy() -> bool {
    false
}

#[cfg(unix)]
fn by_process() -> bool {
    use core::sync::atomic::AtomicI32;
    static PROCESS: AtomicI32 = AtomicI32::new(0);
    // SAFETY: the function has no conditions.
    let now = unsafe { libc::getpid() };
    PROCESS.swap(now, Ordering::Relaxed) != now
}

#[cfg(target_os = "linux")]
mod page {
    use core::ptr;
    use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

    /// The value whose address means that the kernel refused a page.
    static REFUSED: AtomicU32 = AtomicU32::new(0);

    /// The address of the number at the start of the page. The address is null before the first
    /// call.
    static PAGE: AtomicPtr<AtomicU32> = AtomicPtr::new(ptr::null_mut());

    /// Returns the number that is zero in a new child. The page is never unmapped.
    pub(super) fn mark() -> Option<&'static AtomicU32> {
        let mut page = PAGE.load(Ordering::Acquire);
        if page.is_null() {
            page = map().unwrap_or(ptr::from_ref(&REFUSED).cast_mut());
            let none = ptr::null_mut();
            if let Err(first) =
                PAGE.compare_exchange(none, page, Ordering::AcqRel, Ordering::Acquire)
            {
                // Another thread stored its page first, so this page stays unused.
                page = first;
            }
        }
        if ptr::eq(page, &REFUSED) {
            return None;
        }
        // SAFETY: the page is mapped for ever, readable and writable, aligned, and used by
        // atomic accesses only.
        Some(unsafe { &*page })
    }

    /// Maps a page that the kernel fills with zeros in every child.
    #[cold]
    fn map() -> Option<*mut AtomicU32> {
        const SIZE: usize = 4096;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping at a place of the kernel's choice changes no other memory.
        let page = unsafe { libc::mmap(ptr::null_mut(), SIZE, access, flags, -1, 0) };
        if page == libc::MAP_FAILED {
            return None;
        }
        // SAFETY: the call above made this page, and nothing uses the page yet.
        if unsafe { libc::madvise(page, SIZE, libc::MADV_WIPEONFORK) } != 0 {
            // SAFETY: the call above made this page, and nothing uses the page yet.
            unsafe { libc::munmap(page, SIZE) };
            return None;
        }
        Some(page.cast())
    }
}
