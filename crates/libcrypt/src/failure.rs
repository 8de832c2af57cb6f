//! The failure token: the text that the crypt functions write in place of a hash.
#![allow(unsafe_code)]

use core::ffi::c_char;

/// Writes the failure token `*0`, which is never a hash of any method. If the setting starts
/// with `*0`, writes `*1`, so that the token never equals the setting. Writes only as much of
/// the token as fits.
///
/// # Safety
///
/// `setting` is null or a string; `size` bytes can be written at `output`.
pub(crate) unsafe fn failure_token(setting: *const c_char, output: *mut c_char, size: usize) {
    // SAFETY: `setting` ends with a zero byte, and the second byte is read only if the
    // first is not zero.
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
