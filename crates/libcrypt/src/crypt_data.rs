//! `struct crypt_data`, the memory that callers of the reentrant functions provide.

use core::ffi::c_char;
use touchstone_password::OUTPUT_SIZE;

/// `struct crypt_data` of `<crypt.h>`: 32768 bytes that belong to the caller.
#[repr(C)]
pub struct CryptData {
    /// The crypt functions write the hash or the failure token here.
    pub output: [c_char; 384],
    /// The caller may keep a setting here.
    pub setting: [c_char; 384],
    /// The caller may keep a phrase here.
    pub input: [c_char; 512],
    /// This field is unused.
    pub reserved: [c_char; 767],
    /// The documentation asks the caller to set this to 0; this library does not read it.
    pub initialized: c_char,
    /// Scratch space. In this library only [`setkey_r`](crate::touchstone_libcrypt_setkey_r)
    /// uses the scratch space, to store its key.
    pub internal: [c_char; 30720],
}

/// Checks the layout with which existing programs have been compiled.
const _: () = {
    assert!(size_of::<CryptData>() == 32768 && align_of::<CryptData>() == 1);
    assert!(core::mem::offset_of!(CryptData, output) == 0);
    assert!(core::mem::offset_of!(CryptData, setting) == 384);
    assert!(core::mem::offset_of!(CryptData, input) == 768);
    assert!(core::mem::offset_of!(CryptData, reserved) == 1280);
    assert!(core::mem::offset_of!(CryptData, initialized) == 2047);
    assert!(core::mem::offset_of!(CryptData, internal) == 2048);
    assert!(OUTPUT_SIZE == 384);
};
