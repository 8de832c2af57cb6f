//! The failure token: the text that stands where a hash would be.
#![allow(unsafe_code)]

use core::ffi::c_char;

/// Writes `*0`, which is no hash; or `*1`, if the setting is `*0`, so that the two
/// never compare equal. As much of it as fits.
///
/// # Safety
///
/// `setting` is null or a string; `size` bytes can be written at `output`.
pub(crate) unsafe fn failure_token(setting: *const c_char, output: *mut c_char, size: usize) {
    // SAFETY: a string has an end, and what is before it can be read.
    let same =
        !setting.is_null() && unsafe { *setting as u8 == b'*' && *setting.add(1) as u8 == b'0' };
    let token = [b'*', if same { b'1' } else { b'0' }];
    if size == 0 {
        return;
    }
    let len = token.len().min(size - 1);
    // SAFETY: `len + 1` is at most `size`.
    unsafe {
        output.copy_from_nonoverlapping(token.as_ptr().cast(), len);
        *output.add(len) = 0;
    }
}
