//! Message authentication codes, on a message in pieces.
#![allow(unsafe_code)]
#![allow(non_camel_case_types, reason = "the name that C sees")]

use std::ffi::{c_char, c_int};

use zeroize::Zeroize;

use crate::memory::{bytes, bytes_mut, exclusive, give, many, shared, take, text};
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

/// The MACs of `count` whole messages, each cut to its first `tag_len` bytes, one
/// after the other into `tags`. Several times as fast as one by one where many
/// messages can go side by side. The message under way stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_many(
    mac: *const touchstone_mac,
    inputs: *const *const u8,
    lens: *const usize,
    count: usize,
    tags: *mut u8,
    tag_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { shared(mac) }.and_then(|mac| {
        let state = mac.state.as_ref().ok_or(Error(TOUCHSTONE_ERROR_STATE))?;
        if tag_len == 0 || tag_len > mac.row.output() {
            return Err(Error(TOUCHSTONE_ERROR_TAG_LENGTH));
        }
        // SAFETY: as above.
        let messages = unsafe { many(inputs, lens, count) }?;
        let whole = count.checked_mul(tag_len);
        let whole = whole.ok_or(Error(TOUCHSTONE_ERROR_DATA_LENGTH))?;
        // SAFETY: as above.
        let tags = unsafe { bytes_mut(tags, whole, &messages) }?;
        let mut places = tags.chunks_exact_mut(tag_len);
        state.many(&messages, &mut |right| {
            if let Some(place) = places.next() {
                place.copy_from_slice(&right[..tag_len]);
            }
        })
    }))
}

/// The MAC of a whole message, for a function that has a MAC in its name.
///
/// # Safety
///
/// As of `touchstone_mac_update` and `_final`.
pub(crate) unsafe fn named(
    name: &str,
    key: (*const u8, usize),
    input: (*const u8, usize),
    tag: (*mut u8, usize),
) -> c_int {
    code(registry::mac(name).and_then(|row| {
        // SAFETY: by the contract.
        let (key, input) = unsafe { (bytes(key.0, key.1)?, bytes(input.0, input.1)?) };
        let state = Some(row.start(key)?);
        let mut mac = touchstone_mac { row, state };
        // SAFETY: by the contract.
        let out = unsafe { bytes_mut(tag.0, tag.1, &[key, input]) }?;
        mac.state()?.update(input);
        mac.end(tag.1, &mut |right| out.copy_from_slice(right))
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
