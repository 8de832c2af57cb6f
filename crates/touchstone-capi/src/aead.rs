//! Authenticated encryption of whole messages.
#![allow(unsafe_code)]
#![allow(non_camel_case_types, reason = "the name in C")]

use std::ffi::{c_char, c_int, c_void};

use touchstone::dynamic::{Aead, AeadAlgorithm, Options};

use crate::memory::*;
use crate::status::*;

/// Tags below this many bytes need a call that says `insecure`.
pub(crate) const SHORTEST_TAG: usize = 4;

pub struct touchstone_aead {
    algorithm: AeadAlgorithm,
    tag: usize,
    aead: Option<Aead>,
}

impl touchstone_aead {
    fn keyed(&self) -> Result<&Aead> {
        self.aead.as_ref().ok_or(Error(TOUCHSTONE_ERROR_STATE))
    }

    fn set_tag_size(&mut self, size: usize) -> Result<()> {
        if self.aead.is_some() {
            return Err(Error(TOUCHSTONE_ERROR_STATE));
        }
        if !self.algorithm.has_tag(size) {
            return Err(Error(TOUCHSTONE_ERROR_TAG_LENGTH));
        }
        self.tag = size;
        Ok(())
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_new(
    aead: *mut *mut touchstone_aead,
    name: *const c_char,
) -> c_int {
    let new = |name| {
        let algorithm = Aead::find(name)?;
        Ok(touchstone_aead {
            algorithm,
            tag: algorithm.longest_tag(),
            aead: None,
        })
    };
    // SAFETY: by the caller's contract.
    unsafe { give(aead, text(name).and_then(new)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_free(aead: *mut touchstone_aead) {
    // SAFETY: by the caller's contract.
    unsafe { take(aead) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_set_tag_size(
    aead: *mut touchstone_aead,
    size: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(aead) }.and_then(|aead| {
        if size < SHORTEST_TAG {
            return Err(Error(TOUCHSTONE_ERROR_TAG_LENGTH));
        }
        aead.set_tag_size(size)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_set_tag_size_insecure(
    aead: *mut touchstone_aead,
    size: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(aead) }.and_then(|aead| aead.set_tag_size(size)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_set_key(
    aead: *mut touchstone_aead,
    key: *const c_void,
    key_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(aead) }.and_then(|aead| {
        // SAFETY: as above.
        let key = unsafe { bytes(key, key_len) }?;
        let keyed = aead.algorithm.with(key, &Options::default())?;
        aead.aead = Some(keyed.with_insecure_tag(aead.tag)?);
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_encrypt(
    aead: *const touchstone_aead,
    nonce: *const c_void,
    nonce_len: usize,
    aad: *const c_void,
    aad_len: usize,
    input: *const c_void,
    output: *mut c_void,
    len: usize,
    tag: *mut c_void,
    tag_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { shared(aead) }.and_then(|aead| {
        let keyed = aead.keyed()?;
        if tag_len != aead.tag {
            return Err(Error(TOUCHSTONE_ERROR_TAG_LENGTH));
        }
        // SAFETY: as above; the tag is apart from everything that is borrowed.
        unsafe {
            let (nonce, aad) = (bytes(nonce, nonce_len)?, bytes(aad, aad_len)?);
            let data = Pair::new(input, output, len, &[nonce, aad])?;
            if data.meets(tag, tag_len) {
                return Err(Error(TOUCHSTONE_ERROR_OVERLAP));
            }
            let tag = crate::memory::output(tag, tag_len, &[nonce, aad])?;
            Ok(keyed.encrypt_inout(nonce, aad, data.bytes(), tag)?)
        }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_decrypt(
    aead: *const touchstone_aead,
    nonce: *const c_void,
    nonce_len: usize,
    aad: *const c_void,
    aad_len: usize,
    input: *const c_void,
    output: *mut c_void,
    len: usize,
    tag: *const c_void,
    tag_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { shared(aead) }.and_then(|aead| {
        let keyed = aead.keyed()?;
        if tag_len != aead.tag {
            return Err(Error(TOUCHSTONE_ERROR_TAG_LENGTH));
        }
        // SAFETY: as above.
        unsafe {
            let (nonce, aad) = (bytes(nonce, nonce_len)?, bytes(aad, aad_len)?);
            let tag = bytes(tag, tag_len)?;
            let data = Pair::new(input, output, len, &[nonce, aad, tag])?;
            Ok(keyed.decrypt_inout(nonce, aad, data.bytes(), tag)?)
        }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_tag_size(aead: *const touchstone_aead) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(aead) }.map_or(0, |aead| aead.tag)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_key_sizes(
    aead: *const touchstone_aead,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { shared(aead) }.map(|aead| {
        // SAFETY: as above.
        unsafe { put_lengths(aead.algorithm.key_lengths(), min, max, step) }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_nonce_sizes(
    aead: *const touchstone_aead,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { shared(aead) }.map(|aead| {
        // SAFETY: as above.
        unsafe { put_lengths(aead.algorithm.nonce_lengths(), min, max, step) }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_key_sizes_of(
    name: *const c_char,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { text(name) }.and_then(|name| {
        // SAFETY: as above.
        unsafe { put_lengths(Aead::key_lengths(name)?, min, max, step) };
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_nonce_sizes_of(
    name: *const c_char,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { text(name) }.and_then(|name| {
        // SAFETY: as above.
        unsafe { put_lengths(Aead::nonce_lengths(name)?, min, max, step) };
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_tag_size_of(name: *const c_char) -> usize {
    // SAFETY: by the caller's contract.
    let size = unsafe { text(name) }.and_then(|name| Ok(Aead::longest_tag(name)?));
    size.unwrap_or(0)
}
