//! Authenticated encryption of whole messages: nothing unverified comes out.
#![allow(unsafe_code)]
#![allow(non_camel_case_types, reason = "the name that C sees")]

use std::ffi::{c_char, c_int};

use crate::memory::{bytes, bytes_mut, exclusive, give, inout, shared, tag_apart, take, text};
use crate::mode::Seal;
use crate::registry::{self, AeadRow};
use crate::status::*;

/// A cipher in an authenticated mode and, once set, its key. Any number of threads
/// may encrypt and decrypt with it at once, while none sets its key.
pub struct touchstone_aead {
    row: AeadRow,
    ready: Option<Box<dyn Seal>>,
}

impl touchstone_aead {
    fn new(name: &str) -> Result<Self> {
        let row = registry::aead(name)?;
        Ok(Self { row, ready: None })
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.ready = Some(self.row.start(key)?);
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
        let (head, data) = ((nonce, nonce_len, aad, aad_len), (input, output, len));
        // SAFETY: as above.
        unsafe { encrypt(aead, head, data, (tag, tag_len)) }
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
        let (head, data) = ((nonce, nonce_len, aad, aad_len), (input, output, len));
        // SAFETY: as above.
        unsafe { decrypt(aead, head, data, (tag, tag_len)) }
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
    unsafe { shared(aead) }.map_or(0, |a| a.row.keys().0)
}

/// The longest key in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_key_size_max(aead: *const touchstone_aead) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(aead) }.map_or(0, |a| a.row.keys().1)
}

/// Nonce and associated data with their lengths.
pub(crate) type Head = (*const u8, usize, *const u8, usize);
/// Input, output, and the length of both.
pub(crate) type Data = (*const u8, *mut u8, usize);

/// # Safety
///
/// As of `touchstone_aead_encrypt`.
unsafe fn encrypt(
    aead: &touchstone_aead,
    (nonce, nonce_len, aad, aad_len): Head,
    (input, output, len): Data,
    (tag, tag_len): (*mut u8, usize),
) -> Result<()> {
    let ready = aead.ready()?;
    // SAFETY: by the contract.
    let (nonce, aad) = unsafe { (bytes(nonce, nonce_len)?, bytes(aad, aad_len)?) };
    tag_apart((tag, tag_len), (input, output, len))?;
    // SAFETY: by the contract.
    let tag = unsafe { bytes_mut(tag, tag_len, &[nonce, aad]) }?;
    // SAFETY: by the contract, and it is apart from the tag.
    let data = unsafe { inout(input, output, len, &[nonce, aad]) }?;
    ready.encrypt(nonce, aad, data, tag)
}

/// # Safety
///
/// As of `touchstone_aead_decrypt`.
unsafe fn decrypt(
    aead: &touchstone_aead,
    (nonce, nonce_len, aad, aad_len): Head,
    (input, output, len): Data,
    (tag, tag_len): (*const u8, usize),
) -> Result<()> {
    let ready = aead.ready()?;
    // SAFETY: by the contract.
    let (nonce, aad) = unsafe { (bytes(nonce, nonce_len)?, bytes(aad, aad_len)?) };
    // SAFETY: by the contract.
    let tag = unsafe { bytes(tag, tag_len) }?;
    // SAFETY: by the contract.
    let data = unsafe { inout(input, output, len, &[nonce, aad, tag]) }?;
    ready.decrypt(nonce, aad, data, tag)
}

/// A mode that is ready.
///
/// # Safety
///
/// `key` is NULL or valid for reads of its length.
unsafe fn keyed(name: &str, key: (*const u8, usize)) -> Result<touchstone_aead> {
    let mut aead = touchstone_aead::new(name)?;
    // SAFETY: by the contract.
    aead.set_key(unsafe { bytes(key.0, key.1) }?)?;
    Ok(aead)
}

/// A whole message, for a function that has a mode in its name.
///
/// # Safety
///
/// As of `touchstone_aead_encrypt`.
pub(crate) unsafe fn named_encrypt(
    name: &str,
    key: (*const u8, usize),
    head: Head,
    data: Data,
    tag: (*mut u8, usize),
) -> c_int {
    // SAFETY: by the contract.
    code(unsafe { keyed(name, key) }.and_then(|aead| {
        // SAFETY: by the contract.
        unsafe { encrypt(&aead, head, data, tag) }
    }))
}

/// [`named_encrypt`], backwards.
///
/// # Safety
///
/// As of `touchstone_aead_decrypt`.
pub(crate) unsafe fn named_decrypt(
    name: &str,
    key: (*const u8, usize),
    head: Head,
    data: Data,
    tag: (*const u8, usize),
) -> c_int {
    // SAFETY: by the contract.
    code(unsafe { keyed(name, key) }.and_then(|aead| {
        // SAFETY: by the contract.
        unsafe { decrypt(&aead, head, data, tag) }
    }))
}
