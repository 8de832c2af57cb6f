//! `struct crypt_data`, the memory that callers of the reentrant functions own.

use core::ffi::c_char;
use touchstone_password::OUTPUT_SIZE;

/// `struct crypt_data`: 32768 bytes that the caller owns.
#[repr(C)]
pub struct CryptData {
    /// Where the hash, or the failure token, comes.
    pub output: [c_char; 384],
    /// The caller may keep a setting here.
    pub setting: [c_char; 384],
    /// The caller may keep a phrase here.
    pub input: [c_char; 512],
    /// Nothing yet.
    pub reserved: [c_char; 767],
    /// To be 0 at first, says the documentation; not looked at.
    pub initialized: c_char,
    /// Scratch space; here only [`setkey_r`](crate::touchstone_libcrypt_setkey_r) uses it.
    pub internal: [c_char; 30720],
}

/// As programs have compiled it in.
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
