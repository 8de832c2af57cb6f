//! Message authentication codes, on a message in pieces.
#![allow(unsafe_code)]
#![allow(non_camel_case_types, reason = "the name that C sees")]

use std::ffi::{c_char, c_int};

use zeroize::Zeroize;

use crate::memory::{bytes, bytes_mut, exclusive, give, shared, take, text};
use crate::mode::Authenticate;
use crate::registry::{self, MacRow};
use crate::status::*;

/// A MAC; its key, once set; and a message under way. One thread at a time may use
/// it.
pub struct touchstone_mac {
    row: MacRow,
    state: Option<Box<dyn Authenticate>>,
}

impl touchstone_mac {
    fn state(&mut self) -> Result<&mut Box<dyn Authenticate>> {
        self.state.as_mut().ok_or(Error(TOUCHSTONE_ERROR_STATE))
    }

    /// The MAC of the message, of this length, to `done`.
    fn end(&mut self, len: usize, done: &mut dyn FnMut(&[u8])) -> Result<()> {
        if len == 0 || len > self.row.output() {
            return Err(Error(TOUCHSTONE_ERROR_TAG_LENGTH));
        }
        self.state()?.end(&mut |mac| done(&mac[..len]));
        Ok(())
    }
}

/// A MAC by its name, `"aes-128-cmac"`; NULL if there is none. To be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_new(name: *const c_char) -> *mut touchstone_mac {
    // SAFETY: by the caller's contract.
    let row = unsafe { text(name) }.and_then(registry::mac);
    give(row.map(|row| touchstone_mac { row, state: None }))
}

/// Wipes a MAC and its key; NULL is good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_free(mac: *mut touchstone_mac) {
    // SAFETY: by the caller's contract.
    unsafe { take(mac) }
}

/// Sets a key up, and starts a message. An error leaves the old key and message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_set_key(
    mac: *mut touchstone_mac,
    key: *const u8,
    key_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        // SAFETY: as above.
        let key = unsafe { bytes(key, key_len) }?;
        mac.state = Some(mac.row.start(key)?);
        Ok(())
    }))
}

/// Takes the next piece of the message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_update(
    mac: *mut touchstone_mac,
    input: *const u8,
    len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        // SAFETY: as above.
        let input = unsafe { bytes(input, len) }?;
        mac.state()?.update(input);
        Ok(())
    }))
}

/// Ends the message, writes the first `tag_len` bytes of its MAC, and starts the
/// next message with the same key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_final(
    mac: *mut touchstone_mac,
    tag: *mut u8,
    tag_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        // SAFETY: as above.
        let tag = unsafe { bytes_mut(tag, tag_len, &[]) }?;
        mac.end(tag_len, &mut |right| tag.copy_from_slice(right))
    }))
}

/// Ends the message, and says whether its MAC begins with these bytes, in a time
/// that does not depend on them: TOUCHSTONE_OK or TOUCHSTONE_ERROR_FORGED. The next
/// message has the same key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_verify(
    mac: *mut touchstone_mac,
    tag: *const u8,
    tag_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        // SAFETY: as above.
        let tag = unsafe { bytes(tag, tag_len) }?;
        let mut difference = 0;
        mac.end(tag_len, &mut |right| {
            for (a, b) in right.iter().zip(tag) {
                // The compiler is told nothing that would let it stop early.
                difference = std::hint::black_box(difference | (a ^ b));
            }
        })?;
        let genuine = difference == 0;
        difference.zeroize();
        if genuine {
            Ok(())
        } else {
            Err(Error(TOUCHSTONE_ERROR_FORGED))
        }
    }))
}

/// Forgets the pieces so far, and starts the next message with the same key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_reset(mac: *mut touchstone_mac) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        mac.state()?.reset();
        Ok(())
    }))
}

/// Length of the whole MAC in bytes; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_size(mac: *const touchstone_mac) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(mac) }.map_or(0, |mac| mac.row.output())
}

/// The shortest key in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_key_size_min(mac: *const touchstone_mac) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(mac) }.map_or(0, |mac| mac.row.keys().min)
}

/// The longest key in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_key_size_max(mac: *const touchstone_mac) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(mac) }.map_or(0, |mac| mac.row.keys().max)
}
