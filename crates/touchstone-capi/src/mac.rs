//! Message authentication codes (MACs), with a nonce and without.
#![allow(unsafe_code)]
#![allow(non_camel_case_types, reason = "the name in C")]

use alloc::vec::Vec;
use core::ffi::{c_char, c_int, c_void};

use touchstone::KeyLengths;
use touchstone::dynamic::{Mac, MacAlgorithm, NonceMac, NonceMacAlgorithm, Options};

use crate::aead::SHORTEST_TAG;
use crate::memory::*;
use crate::status::*;

#[derive(Clone, Copy)]
enum Algorithm {
    Plain(MacAlgorithm),
    WithNonce(NonceMacAlgorithm),
}

impl Algorithm {
    fn find(name: &str) -> Result<Self> {
        match Mac::find(name) {
            Ok(algorithm) => Ok(Self::Plain(algorithm)),
            Err(_) => Ok(Self::WithNonce(NonceMac::find(name)?)),
        }
    }

    fn key_lengths(self) -> KeyLengths {
        match self {
            Self::Plain(algorithm) => algorithm.key_lengths(),
            Self::WithNonce(algorithm) => algorithm.key_lengths(),
        }
    }

    fn nonce_lengths(self) -> KeyLengths {
        match self {
            Self::Plain(_) => KeyLengths::exactly(0),
            Self::WithNonce(algorithm) => algorithm.nonce_lengths(),
        }
    }

    fn longest_tag(self) -> usize {
        match self {
            Self::Plain(algorithm) => algorithm.longest_tag(),
            Self::WithNonce(algorithm) => algorithm.longest_tag(),
        }
    }

    fn has_tag(self, size: usize) -> bool {
        match self {
            Self::Plain(algorithm) => (1..=algorithm.longest_tag()).contains(&size),
            Self::WithNonce(algorithm) => algorithm.has_tag(size),
        }
    }
}

enum Keyed {
    Plain(Mac),
    WithNonce {
        mac: NonceMac,
        nonce: Vec<u8>,
        /// Whether `nonce` was set for the current message and no tag has used this nonce yet.
        ready: bool,
    },
}

pub struct touchstone_mac {
    algorithm: Algorithm,
    tag: usize,
    mac: Option<Keyed>,
}

impl touchstone_mac {
    fn new(name: &str) -> Result<Self> {
        let algorithm = Algorithm::find(name)?;
        Ok(Self {
            algorithm,
            tag: algorithm.longest_tag(),
            mac: None,
        })
    }

    fn set_tag_size(&mut self, size: usize) -> Result<()> {
        if self.mac.is_some() {
            return Err(Error(TOUCHSTONE_ERROR_STATE));
        }
        if !self.algorithm.has_tag(size) {
            return Err(Error(TOUCHSTONE_ERROR_TAG_LENGTH));
        }
        self.tag = size;
        Ok(())
    }

    #[inline(always)]
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        match &mut self.mac {
            Some(Keyed::Plain(mac)) => Ok(mac.rekey(key)?),
            Some(Keyed::WithNonce { mac, ready, .. }) => {
                mac.rekey(key)?;
                *ready = false;
                Ok(())
            }
            None => self.set_first_key(key),
        }
    }

    #[inline(never)]
    fn set_first_key(&mut self, key: &[u8]) -> Result<()> {
        let options = Options::default();
        self.mac = Some(match self.algorithm {
            Algorithm::Plain(algorithm) => {
                Keyed::Plain(algorithm.with(key, &options)?.with_insecure_tag(self.tag)?)
            }
            Algorithm::WithNonce(algorithm) => Keyed::WithNonce {
                mac: algorithm.with(key, &options)?.with_tag(self.tag)?,
                nonce: Vec::new(),
                ready: false,
            },
        });
        Ok(())
    }

    fn set_nonce(&mut self, new: &[u8]) -> Result<()> {
        let keyed = self.mac.as_mut().ok_or(Error(TOUCHSTONE_ERROR_STATE))?;
        if !self.algorithm.nonce_lengths().contains(new.len()) {
            return Err(Error(TOUCHSTONE_ERROR_IV_LENGTH));
        }
        if let Keyed::WithNonce { nonce, ready, .. } = keyed {
            nonce.clear();
            nonce.extend_from_slice(new);
            *ready = true;
        }
        Ok(())
    }

    /// Returns the MAC with its key, or an error if no key was set.
    fn keyed(&mut self) -> Result<&mut Keyed> {
        self.mac.as_mut().ok_or(Error(TOUCHSTONE_ERROR_STATE))
    }

    /// Returns the MAC if it can make or check a tag of this length now: the key is set, and
    /// the nonce is set if the MAC needs a nonce.
    fn complete(&mut self, tag: usize) -> Result<&mut Keyed> {
        match &mut self.mac {
            None | Some(Keyed::WithNonce { ready: false, .. }) => {
                Err(Error(TOUCHSTONE_ERROR_STATE))
            }
            Some(_) if tag != self.tag => Err(Error(TOUCHSTONE_ERROR_TAG_LENGTH)),
            Some(keyed) => Ok(keyed),
        }
    }
}

impl Keyed {
    fn update(&mut self, input: &[u8]) -> Result<()> {
        match self {
            Self::Plain(mac) => mac.update(input)?,
            Self::WithNonce { mac, .. } => mac.update(input),
        }
        Ok(())
    }

    fn reset(&mut self) {
        match self {
            Self::Plain(mac) => mac.reset(),
            Self::WithNonce { mac, ready, .. } => {
                mac.reset();
                *ready = false;
            }
        }
    }

    fn finalize(&mut self, tag: &mut [u8]) -> Result<()> {
        match self {
            Self::Plain(mac) => mac.finalize(tag)?,
            Self::WithNonce { mac, nonce, ready } => {
                mac.finalize(nonce, tag)?;
                *ready = false;
            }
        }
        Ok(())
    }

    /// Ends the message and checks its tag. The message ends even if the tag is wrong.
    fn verify(&mut self, tag: &[u8]) -> Result<()> {
        match self {
            Self::Plain(mac) => mac.verify(tag)?,
            Self::WithNonce { mac, nonce, ready } => {
                let verdict = mac.verify(nonce, tag);
                *ready = !matches!(verdict, Ok(()) | Err(touchstone::dynamic::Error::Forged));
                verdict?;
            }
        }
        Ok(())
    }

    /// Writes the tag of a whole message. This message is separate from a message that comes in
    /// pieces.
    fn message(&mut self, input: &[u8], tag: &mut [u8]) -> Result<()> {
        match self {
            Self::Plain(mac) => mac.mac(input, tag)?,
            Self::WithNonce { mac, nonce, ready } => {
                mac.mac(nonce, input, tag)?;
                *ready = false;
            }
        }
        Ok(())
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_new(
    mac: *mut *mut touchstone_mac,
    name: *const c_char,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { give(mac, text(name).and_then(touchstone_mac::new)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_free(mac: *mut touchstone_mac) {
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { take(mac) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_set_tag_size(
    mac: *mut touchstone_mac,
    size: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
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
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(mac) }.and_then(|mac| mac.set_tag_size(size)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_set_key(
    mac: *mut touchstone_mac,
    key: *const c_void,
    key_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        // SAFETY: the caller fulfils the contract in the header.
        mac.set_key(unsafe { bytes(key, key_len) }?)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_set_nonce(
    mac: *mut touchstone_mac,
    nonce: *const c_void,
    nonce_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        // SAFETY: the caller fulfils the contract in the header.
        mac.set_nonce(unsafe { bytes(nonce, nonce_len) }?)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_update(
    mac: *mut touchstone_mac,
    input: *const c_void,
    len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        // SAFETY: the caller fulfils the contract in the header.
        let input = unsafe { bytes(input, len) }?;
        mac.keyed()?.update(input)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_final(
    mac: *mut touchstone_mac,
    tag: *mut c_void,
    tag_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        let mac = mac.complete(tag_len)?;
        // SAFETY: the caller fulfils the contract in the header.
        mac.finalize(unsafe { output(tag, tag_len, &[]) }?)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_verify(
    mac: *mut touchstone_mac,
    tag: *const c_void,
    tag_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        // SAFETY: the caller fulfils the contract in the header.
        let tag = unsafe { bytes(tag, tag_len) }?;
        mac.complete(tag_len)?.verify(tag)
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
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        let mac = mac.complete(tag_len)?;
        // SAFETY: the caller fulfils the contract in the header.
        unsafe {
            let input = bytes(input, len)?;
            let tag = output(tag, tag_len, &[input])?;
            mac.message(input, tag)
        }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_reset(mac: *mut touchstone_mac) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        mac.keyed()?.reset();
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
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(mac) }.and_then(|mac| {
        let size = mac.tag;
        let Keyed::Plain(mac) = mac.keyed()? else {
            return Err(Error(TOUCHSTONE_ERROR_NAME));
        };
        if count.checked_mul(size) != Some(tags_len) {
            return Err(Error(TOUCHSTONE_ERROR_OUTPUT_LENGTH));
        }
        // SAFETY: the caller fulfils the contract in the header.
        unsafe {
            let inputs = many(inputs, lens, count)?;
            let tags = output(tags, tags_len, &inputs)?;
            Ok(mac.mac_many(&inputs, tags)?)
        }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_tag_size(mac: *const touchstone_mac) -> usize {
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { shared(mac) }.map_or(0, |mac| mac.tag)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_key_sizes(
    mac: *const touchstone_mac,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { shared(mac) }.map(|mac| {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe { put_lengths(mac.algorithm.key_lengths(), min, max, step) }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_nonce_sizes(
    mac: *const touchstone_mac,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { shared(mac) }.map(|mac| {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe { put_lengths(mac.algorithm.nonce_lengths(), min, max, step) }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_key_sizes_of(
    name: *const c_char,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { text(name) }.and_then(|name| {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe { put_lengths(Algorithm::find(name)?.key_lengths(), min, max, step) };
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_nonce_sizes_of(
    name: *const c_char,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { text(name) }.and_then(|name| {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe { put_lengths(Algorithm::find(name)?.nonce_lengths(), min, max, step) };
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_mac_tag_size_of(name: *const c_char) -> usize {
    // SAFETY: the caller fulfils the contract in the header.
    let size = unsafe { text(name) }.and_then(Algorithm::find);
    size.map_or(0, Algorithm::longest_tag)
}
