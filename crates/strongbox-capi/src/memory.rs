//! Pointers of C, checked and turned into references and slices.
#![allow(unsafe_code)]

use core::ffi::{CStr, c_char, c_int, c_void};

use crate::status::{
    Error, Result, STRONGBOX_ERROR_CALL, STRONGBOX_ERROR_SETTING, STRONGBOX_ERROR_STOPPED,
};

/// The program's function that takes bytes.
pub(crate) type Writer = Option<unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int>;

const NULL: Error = Error(STRONGBOX_ERROR_CALL);

/// Returns the bytes at a pointer.
pub(crate) unsafe fn bytes<'a>(pointer: *const u8, length: usize) -> Result<&'a [u8]> {
    if length == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() || length > isize::MAX as usize {
        return Err(NULL);
    }
    // SAFETY: the header demands that the pointer is valid for the length.
    Ok(unsafe { core::slice::from_raw_parts(pointer, length) })
}

/// Returns a text.
pub(crate) unsafe fn text<'a>(pointer: *const c_char) -> Result<&'a str> {
    if pointer.is_null() {
        return Err(NULL);
    }
    // SAFETY: the header demands that the text ends with a zero byte.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Error(STRONGBOX_ERROR_SETTING))
}

/// Returns the object of a handle.
pub(crate) unsafe fn object<'a, T>(handle: *const T) -> Result<&'a T> {
    // SAFETY: the header demands that a handle comes from its _new function.
    unsafe { handle.as_ref() }.ok_or(NULL)
}

/// Returns the object of a handle, to change.
pub(crate) unsafe fn object_mut<'a, T>(handle: *mut T) -> Result<&'a mut T> {
    // SAFETY: as above, and one thread at a time uses a handle.
    unsafe { handle.as_mut() }.ok_or(NULL)
}

/// Makes a handle, or sets it to NULL.
pub(crate) unsafe fn give<T>(out: *mut *mut T, made: Result<T>) -> Result<()> {
    // SAFETY: the header demands that the pointer to the handle is valid, or NULL.
    let out = unsafe { out.as_mut() }.ok_or(NULL)?;
    *out = core::ptr::null_mut();
    *out = Box::into_raw(Box::new(made?));
    Ok(())
}

/// Frees a handle.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the handle comes from `give`, and is freed once.
        drop(unsafe { Box::from_raw(handle) });
    }
}

/// Gives bytes to the program's function.
pub(crate) unsafe fn write(writer: Writer, context: *mut c_void, bytes: &[u8]) -> Result<()> {
    let writer = writer.ok_or(NULL)?;
    // SAFETY: the function is the program's, for its context.
    if bytes.is_empty() || unsafe { writer(context, bytes.as_ptr(), bytes.len()) } == 0 {
        Ok(())
    } else {
        Err(Error(STRONGBOX_ERROR_STOPPED))
    }
}
