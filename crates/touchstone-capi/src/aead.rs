//! Authenticated encryption of whole messages and of messages in pieces.
#![allow(unsafe_code)]
#![allow(non_camel_case_types, reason = "the name in C")]

use core::ffi::{c_char, c_int, c_void};

use touchstone::dynamic::{Aead, AeadAlgorithm, Announced, Decryptor, Encryptor, Options};

use crate::memory::*;
use crate::status::*;

/// The length in bytes of the shortest tag that needs no function whose name ends in
/// `_insecure`.
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

    #[inline(never)]
    fn set_first_key(&mut self, key: &[u8]) -> Result<()> {
        let keyed = self.algorithm.with(key, &Options::default())?;
        self.aead = Some(keyed.with_insecure_tag(self.tag)?);
        Ok(())
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
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { give(aead, text(name).and_then(new)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_free(aead: *mut touchstone_aead) {
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { take(aead) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_set_tag_size(
    aead: *mut touchstone_aead,
    size: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
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
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(aead) }.and_then(|aead| aead.set_tag_size(size)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_set_key(
    aead: *mut touchstone_aead,
    key: *const c_void,
    key_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(aead) }.and_then(|aead| {
        // SAFETY: the caller fulfils the contract in the header.
        let key = unsafe { bytes(key, key_len) }?;
        if let Some(keyed) = &mut aead.aead {
            match keyed.rekey(key) {
                // A message in pieces still uses the old key, so the new key needs memory of
                // its own.
                Err(touchstone::dynamic::Error::Order) => {}
                done => return Ok(done?),
            }
        }
        aead.set_first_key(key)
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
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { shared(aead) }.and_then(|aead| {
        let keyed = aead.keyed()?;
        if tag_len != aead.tag {
            return Err(Error(TOUCHSTONE_ERROR_TAG_LENGTH));
        }
        // SAFETY: the caller fulfils the contract in the header, and the tag shares no byte
        // with anything that is borrowed.
        unsafe {
            let (nonce, aad) = (bytes(nonce, nonce_len)?, bytes(aad, aad_len)?);
            let data = Pair::new(input, output, len, &[nonce, aad])?;
            data.apart_from(tag, tag_len)?;
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
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { shared(aead) }.and_then(|aead| {
        let keyed = aead.keyed()?;
        if tag_len != aead.tag {
            return Err(Error(TOUCHSTONE_ERROR_TAG_LENGTH));
        }
        // SAFETY: the caller fulfils the contract in the header.
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
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { shared(aead) }.map_or(0, |aead| aead.tag)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_key_sizes(
    aead: *const touchstone_aead,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { shared(aead) }.map(|aead| {
        // SAFETY: the caller fulfils the contract in the header.
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
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { shared(aead) }.map(|aead| {
        // SAFETY: the caller fulfils the contract in the header.
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
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { text(name) }.and_then(|name| {
        // SAFETY: the caller fulfils the contract in the header.
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
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { text(name) }.and_then(|name| {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe { put_lengths(Aead::nonce_lengths(name)?, min, max, step) };
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_aead_tag_size_of(name: *const c_char) -> usize {
    // SAFETY: the caller fulfils the contract in the header.
    let size = unsafe { text(name) }.and_then(|name| Ok(Aead::longest_tag(name)?));
    size.unwrap_or(0)
}

/// A message in pieces. The message owns its key, so the key lives as long as the message.
struct InPieces<M> {
    /// The message, or `None` after the end of the message.
    message: Option<M>,
    tag: usize,
}

impl<M> InPieces<M> {
    fn message(&mut self) -> Result<&mut M> {
        self.message.as_mut().ok_or(Error(TOUCHSTONE_ERROR_STATE))
    }

    /// Refuses a tag of a wrong length, before the message ends.
    fn check(&mut self, tag_len: usize) -> Result<()> {
        self.message()?;
        if tag_len == self.tag {
            Ok(())
        } else {
            Err(Error(TOUCHSTONE_ERROR_TAG_LENGTH))
        }
    }

    /// Returns the message, and removes it from this object.
    fn end(&mut self) -> Result<M> {
        self.message.take().ok_or(Error(TOUCHSTONE_ERROR_STATE))
    }
}

/// Starts a message in pieces. `start` makes the message from the key and the nonce.
///
/// # Safety
///
/// The contract of `touchstone_encryptor_new` holds.
unsafe fn begin<M>(
    aead: *const touchstone_aead,
    nonce: *const c_void,
    nonce_len: usize,
    start: impl FnOnce(&Aead, &[u8]) -> core::result::Result<M, touchstone::dynamic::Error>,
) -> Result<InPieces<M>> {
    // SAFETY: the caller fulfils the contract of this function.
    let (aead, nonce) = unsafe { (shared(aead)?, bytes(nonce, nonce_len)?) };
    Ok(InPieces {
        message: Some(start(aead.keyed()?, nonce)?),
        tag: aead.tag,
    })
}

pub struct touchstone_encryptor(InPieces<Encryptor>);

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_encryptor_new(
    encryptor: *mut *mut touchstone_encryptor,
    aead: *const touchstone_aead,
    nonce: *const c_void,
    nonce_len: usize,
    aad_total: u64,
    total: u64,
) -> c_int {
    let announced = Announced {
        aad: aad_total,
        data: total,
    };
    // SAFETY: the caller fulfils the contract in the header.
    unsafe {
        let message = begin(aead, nonce, nonce_len, |aead, nonce| {
            aead.encryptor(nonce, announced)
        });
        give(encryptor, message.map(touchstone_encryptor))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_encryptor_free(encryptor: *mut touchstone_encryptor) {
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { take(encryptor) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_encryptor_aad(
    encryptor: *mut touchstone_encryptor,
    aad: *const c_void,
    aad_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(encryptor) }.and_then(|encryptor| {
        // SAFETY: the caller fulfils the contract in the header.
        let aad = unsafe { bytes(aad, aad_len) }?;
        Ok(encryptor.0.message()?.aad(aad)?)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_encryptor_update(
    encryptor: *mut touchstone_encryptor,
    input: *const c_void,
    output: *mut c_void,
    len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(encryptor) }.and_then(|encryptor| {
        let message = encryptor.0.message()?;
        let data = Pair::new(input, output, len, &[])?;
        // SAFETY: the caller fulfils the contract in the header.
        Ok(message.encrypt_inout(unsafe { data.bytes() })?)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_encryptor_finish(
    encryptor: *mut touchstone_encryptor,
    tag: *mut c_void,
    tag_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(encryptor) }.and_then(|encryptor| {
        encryptor.0.check(tag_len)?;
        // SAFETY: the caller fulfils the contract in the header.
        let tag = unsafe { output(tag, tag_len, &[]) }?;
        Ok(encryptor.0.end()?.finish(tag)?)
    }))
}

pub struct touchstone_decryptor(InPieces<Decryptor>);

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_decryptor_new(
    decryptor: *mut *mut touchstone_decryptor,
    aead: *const touchstone_aead,
    nonce: *const c_void,
    nonce_len: usize,
    aad_total: u64,
    total: u64,
) -> c_int {
    let announced = Announced {
        aad: aad_total,
        data: total,
    };
    // SAFETY: the caller fulfils the contract in the header.
    unsafe {
        let message = begin(aead, nonce, nonce_len, |aead, nonce| {
            aead.decryptor(nonce, announced)
        });
        give(decryptor, message.map(touchstone_decryptor))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_decryptor_free(decryptor: *mut touchstone_decryptor) {
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { take(decryptor) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_decryptor_aad(
    decryptor: *mut touchstone_decryptor,
    aad: *const c_void,
    aad_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(decryptor) }.and_then(|decryptor| {
        // SAFETY: the caller fulfils the contract in the header.
        let aad = unsafe { bytes(aad, aad_len) }?;
        Ok(decryptor.0.message()?.aad(aad)?)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_decryptor_update_unverified(
    decryptor: *mut touchstone_decryptor,
    input: *const c_void,
    output: *mut c_void,
    len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(decryptor) }.and_then(|decryptor| {
        let message = decryptor.0.message()?;
        let data = Pair::new(input, output, len, &[])?;
        // SAFETY: the caller fulfils the contract in the header.
        Ok(message.decrypt_unverified_inout(unsafe { data.bytes() })?)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_decryptor_verify(
    decryptor: *mut touchstone_decryptor,
    tag: *const c_void,
    tag_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(decryptor) }.and_then(|decryptor| {
        decryptor.0.check(tag_len)?;
        // SAFETY: the caller fulfils the contract in the header.
        let tag = unsafe { bytes(tag, tag_len) }?;
        Ok(decryptor.0.end()?.verify(tag)?)
    }))
}
