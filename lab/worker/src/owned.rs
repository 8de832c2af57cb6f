//! Objects of C libraries that the worker frees.

use std::ffi::c_void;

use crate::Failure;

/// An object that a C library made. Dropping `Owned` calls the function that frees the object; some
/// of these functions return a code, which only says whether the object was valid.
pub struct Owned<T = c_void, R = ()> {
    /// The object.
    pub object: *mut T,
    free: unsafe extern "C" fn(*mut T) -> R,
}

#[allow(unsafe_code)]
impl<T, R> Owned<T, R> {
    /// Takes ownership of a new object. NULL means that the library had no memory for it.
    ///
    /// # Safety
    ///
    /// The object is NULL, or `free` may be called with it, and nobody else frees it.
    pub unsafe fn new(
        object: *mut T,
        free: unsafe extern "C" fn(*mut T) -> R,
    ) -> Result<Self, Failure> {
        if object.is_null() {
            return Err(Failure::failed("no memory for an object"));
        }
        Ok(Self { object, free })
    }

    /// Takes ownership of a new object that a successful `make` writes to its argument.
    ///
    /// # Safety
    ///
    /// As for [`Owned::new`].
    pub unsafe fn made(
        free: unsafe extern "C" fn(*mut T) -> R,
        make: impl FnOnce(&mut *mut T) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let mut object = std::ptr::null_mut();
        make(&mut object)?;
        // SAFETY: the caller guarantees the arguments.
        unsafe { Self::new(object, free) }
    }
}

impl<T, R> Drop for Owned<T, R> {
    fn drop(&mut self) {
        // SAFETY: the caller of `new` guarantees that the object is freed here, and only here.
        #[allow(unsafe_code)]
        unsafe {
            (self.free)(self.object);
        }
    }
}

/// A structure of a C library in memory of the worker. Dropping `Cleared` calls the function that
/// frees what the structure refers to.
pub struct Cleared<T> {
    /// The structure.
    pub value: T,
    clear: unsafe extern "C" fn(*mut T),
}

#[allow(unsafe_code)]
impl<T> Cleared<T> {
    /// Takes ownership of a structure.
    ///
    /// # Safety
    ///
    /// The structure is initialised and may be moved, `clear` may be called with it, and nobody else
    /// clears it.
    pub unsafe fn new(value: T, clear: unsafe extern "C" fn(*mut T)) -> Self {
        Self { value, clear }
    }
}

impl<T> Drop for Cleared<T> {
    fn drop(&mut self) {
        // SAFETY: the caller of `new` guarantees that the structure is cleared here, and only here.
        #[allow(unsafe_code)]
        unsafe {
            (self.clear)(&mut self.value);
        }
    }
}
