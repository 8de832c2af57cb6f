//! Authenticated encryption of whole messages: nothing unverified comes out.
#![allow(unsafe_code)]
#![allow(non_camel_case_types, reason = "the name that C sees")]

use std::ffi::{c_char, c_int};

use crate::memory::{bytes, bytes_mut, exclusive, give, inout, shared, tag_apart, take, text};
use crate::mode::{AeadMode, Seal};
use crate::registry::{self, Cipher};
use crate::status::*;

/// A cipher in an authenticated mode and, once set, its key. Any number of threads
/// may encrypt and decrypt with it at once, while none sets its key.
pub struct touchstone_aead {
    cipher: &'static Cipher,
    mode: &'static AeadMode,
    ready: Option<Box<dyn Seal>>,
}

impl touchstone_aead {
    fn new(name: &str) -> Result<Self> {
        let (cipher, mode) = registry::aead_mode(name)?;
        Ok(Self {
            cipher,
            mode,
            ready: None,
        })
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.ready = Some((self.cipher.aead)(self.mode.kind, key)?);
        Ok(())
    }

    fn ready(&self) -> Result<&dyn Seal> {
        let ready = self.ready.as_deref();
        ready.ok_or(Error(TOUCHSTONE_ERROR_STATE))
    }
}

/// An authenticated cipher by its name, `"aes-128-gcm"`; NULL if there is none. To
/// be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_new(name: *const c_char) -> *mut touchstone_aead {
    // SAFETY: by the caller's contract.
    give(unsafe { text(name) }.and_then(touchstone_aead::new))
}

/// Wipes an authenticated cipher and its key; NULL is good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_free(aead: *mut touchstone_aead) {
    // SAFETY: by the caller's contract.
    unsafe { take(aead) }
}

/// Sets a key up. An error leaves the old key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_set_key(
    aead: *mut touchstone_aead,
    key: *const u8,
    key_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(aead) }.and_then(|aead| {
        // SAFETY: as above.
        aead.set_key(unsafe { bytes(key, key_len) }?)
    }))
}

/// Encrypts a message of `len` bytes into as many and a tag, whose length chooses
/// that of the tag. `output` is `input`, or apart from it; nothing else overlaps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_encrypt(
    aead: *const touchstone_aead,
    nonce: *const u8,
    nonce_len: usize,
    aad: *const u8,
    aad_len: usize,
    input: *const u8,
    output: *mut u8,
    len: usize,
    tag: *mut u8,
    tag_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { shared(aead) }.and_then(|aead| {
        let ready = aead.ready()?;
        // SAFETY: as above.
        let (nonce, aad) = unsafe { (bytes(nonce, nonce_len)?, bytes(aad, aad_len)?) };
        tag_apart((tag, tag_len), (input, output, len))?;
        // SAFETY: as above.
        let tag = unsafe { bytes_mut(tag, tag_len, &[nonce, aad]) }?;
        // SAFETY: as above, and it is apart from the tag.
        let data = unsafe { inout(input, output, len, &[nonce, aad]) }?;
        ready.encrypt(nonce, aad, data, tag)
    }))
}

/// Decrypts a message, if it is genuine. TOUCHSTONE_ERROR_FORGED says that it is
/// not; then `output` is all zeros. Any other error leaves it as it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_decrypt(
    aead: *const touchstone_aead,
    nonce: *const u8,
    nonce_len: usize,
    aad: *const u8,
    aad_len: usize,
    input: *const u8,
    output: *mut u8,
    len: usize,
    tag: *const u8,
    tag_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { shared(aead) }.and_then(|aead| {
        let ready = aead.ready()?;
        // SAFETY: as above.
        let (nonce, aad) = unsafe { (bytes(nonce, nonce_len)?, bytes(aad, aad_len)?) };
        // SAFETY: as above.
        let tag = unsafe { bytes(tag, tag_len) }?;
        // SAFETY: as above.
        let data = unsafe { inout(input, output, len, &[nonce, aad, tag]) }?;
        ready.decrypt(nonce, aad, data, tag)
    }))
}

/// Length of the longest tag in bytes, which is the one to use; 0 before there is
/// a key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_tag_size(aead: *const touchstone_aead) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(aead) }.map_or(0, |aead| aead.ready.as_ref().map_or(0, |r| r.tag()))
}

/// The shortest key in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_key_size_min(aead: *const touchstone_aead) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(aead) }.map_or(0, |a| a.mode.keys * a.cipher.keys.min)
}

/// The longest key in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_key_size_max(aead: *const touchstone_aead) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(aead) }.map_or(0, |a| a.mode.keys * a.cipher.keys.max)
}
