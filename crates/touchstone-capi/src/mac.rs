//! Message authentication codes.
#![allow(unsafe_code)]
#![allow(non_camel_case_types, reason = "the name in C")]

use std::ffi::{c_char, c_int, c_void};

use touchstone::dynamic::{Mac, MacAlgorithm, Options};

use crate::aead::SHORTEST_TAG;
use crate::memory::*;
use crate::status::*;

pub struct touchstone_mac {
    algorithm: MacAlgorithm,
    tag: usize,
    mac: Option<Mac>,
}

impl touchstone_mac {
    /// The MAC with its key, for tags of this length.
    fn keyed(&mut self, tag: usize) -> Result<&mut Mac> {
        let mac = self.mac.as_mut().ok_or(Error(TOUCHSTONE_ERROR_STATE))?;
        if tag == self.tag {
            Ok(mac)
        } else {
            Err(Error(TOUCHSTONE_ERROR_TAG_LENGTH))
        }
    }

    fn set_tag_size(&mut self, size: usize) -> Result<()> {
        if self.mac.is_some() {
            return Err(Error(TOUCHSTONE_ERROR_STATE));
        }
        if !(1..=self.algorithm.longest_tag()).contains(&size) {
            return Err(Error(TOUCHSTONE_ERROR_TAG_LENGTH));
        }
        self.tag = size;
        Ok(())
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_new(
    mac: *mut *mut touchstone_mac,
    name: *const c_char,
) -> c_int {
    let new = |name| {
        let algorithm = Mac::find(name)?;
        Ok(touchstone_mac {
            algorithm,
            tag: algorithm.longest_tag(),
            mac: None,
        })
    };
    // SAFETY: by the caller's contract.
    unsafe { give(mac, text(name).and_then(new)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_free(mac: *mut touchstone_mac) {
    // SAFETY: by the caller's contract.
    unsafe { take(mac) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_set_tag_size(
    mac: *mut touchstone_mac,
    size: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        if size < SHORTEST_TAG {
            return Err(Error(TOUCHSTONE_ERROR_TAG_LENGTH));
        }
        mac.set_tag_size(size)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_set_tag_size_insecure(
    mac: *mut touchstone_mac,
    size: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(mac) }.and_then(|mac| mac.set_tag_size(size)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_set_key(
    mac: *mut touchstone_mac,
    key: *const c_void,
    key_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        // SAFETY: as above.
        let key = unsafe { bytes(key, key_len) }?;
        let keyed = mac.algorithm.with(key, &Options::default())?;
        mac.mac = Some(keyed.with_insecure_tag(mac.tag)?);
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_update(
    mac: *mut touchstone_mac,
    input: *const c_void,
    len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        // SAFETY: as above.
        let input = unsafe { bytes(input, len) }?;
        Ok(mac.keyed(mac.tag)?.update(input)?)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_final(
    mac: *mut touchstone_mac,
    tag: *mut c_void,
    tag_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        let mac = mac.keyed(tag_len)?;
        // SAFETY: as above.
        Ok(mac.finalize(unsafe { output(tag, tag_len, &[]) }?)?)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_verify(
    mac: *mut touchstone_mac,
    tag: *const c_void,
    tag_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        // SAFETY: as above.
        let tag = unsafe { bytes(tag, tag_len) }?;
        Ok(mac.keyed(tag_len)?.verify(tag)?)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_message(
    mac: *mut touchstone_mac,
    input: *const c_void,
    len: usize,
    tag: *mut c_void,
    tag_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        let mac = mac.keyed(tag_len)?;
        // SAFETY: as above.
        unsafe {
            let input = bytes(input, len)?;
            let tag = output(tag, tag_len, &[input])?;
            mac.update(input)?;
            Ok(mac.finalize(tag)?)
        }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_reset(mac: *mut touchstone_mac) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        mac.keyed(mac.tag)?.reset();
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_many(
    mac: *mut touchstone_mac,
    inputs: *const *const c_void,
    lens: *const usize,
    count: usize,
    tags: *mut c_void,
    tags_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        let size = mac.tag;
        let mac = mac.keyed(size)?;
        if count.checked_mul(size) != Some(tags_len) {
            return Err(Error(TOUCHSTONE_ERROR_OUTPUT_LENGTH));
        }
        // SAFETY: as above.
        unsafe {
            let inputs = many(inputs, lens, count)?;
            let tags = output(tags, tags_len, &inputs)?;
            Ok(mac.mac_many(&inputs, tags)?)
        }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_tag_size(mac: *const touchstone_mac) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(mac) }.map_or(0, |mac| mac.tag)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_key_sizes(
    mac: *const touchstone_mac,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { shared(mac) }.map(|mac| {
        // SAFETY: as above.
        unsafe { put_lengths(mac.algorithm.key_lengths(), min, max, step) }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_key_sizes_of(
    name: *const c_char,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { text(name) }.and_then(|name| {
        // SAFETY: as above.
        unsafe { put_lengths(Mac::key_lengths(name)?, min, max, step) };
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_tag_size_of(name: *const c_char) -> usize {
    // SAFETY: by the caller's contract.
    let size = unsafe { text(name) }.and_then(|name| Ok(Mac::longest_tag(name)?));
    size.unwrap_or(0)
}
