//! Ciphers: block ciphers in a mode, and stream ciphers.
#![allow(unsafe_code)]
#![allow(non_camel_case_types, reason = "the name in C")]

use alloc::ffi::CString;
use core::ffi::{c_char, c_int, c_void};

use touchstone::dynamic::{Cipher, CipherAlgorithm, Direction, Message, Options, Pieces};

use crate::memory::*;
use crate::status::*;

pub const TOUCHSTONE_DECRYPT: c_int = 0;
pub const TOUCHSTONE_ENCRYPT: c_int = 1;

pub const TOUCHSTONE_COUNTER_BIG_ENDIAN: c_int = 0;
pub const TOUCHSTONE_COUNTER_LITTLE_ENDIAN: c_int = 1;
pub const TOUCHSTONE_COUNTER_BIG_ENDIAN_HALF: c_int = 2;
pub const TOUCHSTONE_COUNTER_LITTLE_ENDIAN_HALF: c_int = 3;

pub struct touchstone_cipher {
    algorithm: CipherAlgorithm,
    direction: Direction,
    parameter: Option<(CString, u64)>,
    cipher: Option<Cipher>,
}

impl touchstone_cipher {
    fn new(name: Result<&str>, direction: c_int) -> Result<Self> {
        let algorithm = Cipher::find(name?)?;
        let direction = match direction {
            TOUCHSTONE_ENCRYPT => Direction::Encrypt,
            TOUCHSTONE_DECRYPT => Direction::Decrypt,
            _ => return Err(Error(TOUCHSTONE_ERROR_PARAMETER)),
        };
        Ok(Self {
            algorithm,
            direction,
            parameter: None,
            cipher: None,
        })
    }

    fn keyed(&mut self) -> Result<&mut Cipher> {
        self.cipher.as_mut().ok_or(Error(TOUCHSTONE_ERROR_STATE))
    }

    #[inline(always)]
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        match &mut self.cipher {
            Some(cipher) => Ok(cipher.rekey(key)?),
            None => self.set_first_key(key),
        }
    }

    #[inline(never)]
    fn set_first_key(&mut self, key: &[u8]) -> Result<()> {
        let parameter = match &self.parameter {
            None => None,
            Some((name, value)) => {
                let name = name.to_str().map_err(|_| Error(TOUCHSTONE_ERROR_NAME))?;
                Some((name, *value))
            }
        };
        let options = Options {
            parameter,
            ..Options::default()
        };
        self.cipher = Some(self.algorithm.with(self.direction, key, &options)?);
        Ok(())
    }

    /// # Safety
    ///
    /// The contract of [`Pair::bytes`] holds.
    #[inline(always)]
    unsafe fn message(&mut self, iv: &[u8], data: Pair) -> Result<()> {
        // SAFETY: the caller fulfils the contract of this function.
        Ok(self.keyed()?.message_inout(iv, unsafe { data.bytes() })?)
    }

    /// # Safety
    ///
    /// The contract of [`Pair::bytes`] holds.
    unsafe fn update(&mut self, data: Pair) -> Result<()> {
        // SAFETY: the caller fulfils the contract of this function.
        Ok(self.keyed()?.apply_inout(unsafe { data.bytes() })?)
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_new(
    cipher: *mut *mut touchstone_cipher,
    name: *const c_char,
    direction: c_int,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { give(cipher, touchstone_cipher::new(text(name), direction)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_free(cipher: *mut touchstone_cipher) {
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { take(cipher) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_set_parameter(
    cipher: *mut touchstone_cipher,
    name: *const c_char,
    value: u64,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(cipher) }.and_then(|cipher| {
        // SAFETY: the caller fulfils the contract in the header.
        let name = unsafe { text(name) }?;
        if cipher.cipher.is_some() {
            return Err(Error(TOUCHSTONE_ERROR_STATE));
        }
        if !cipher.algorithm.has_parameter(name) {
            return Err(Error(TOUCHSTONE_ERROR_PARAMETER));
        }
        let name = CString::new(name).map_err(|_| Error(TOUCHSTONE_ERROR_NAME))?;
        cipher.parameter = Some((name, value));
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_set_key(
    cipher: *mut touchstone_cipher,
    key: *const c_void,
    key_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(cipher) }.and_then(|cipher| {
        // SAFETY: the caller fulfils the contract in the header.
        cipher.set_key(unsafe { bytes(key, key_len) }?)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_set_iv(
    cipher: *mut touchstone_cipher,
    iv: *const c_void,
    iv_len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(cipher) }.and_then(|cipher| {
        // SAFETY: the caller fulfils the contract in the header.
        let iv = unsafe { bytes(iv, iv_len) }?;
        Ok(cipher.keyed()?.set_iv(iv)?)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_update(
    cipher: *mut touchstone_cipher,
    input: *const c_void,
    output: *mut c_void,
    len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(cipher) }.and_then(|cipher| {
        let data = Pair::new(input, output, len, &[])?;
        // SAFETY: the caller fulfils the contract in the header.
        unsafe { cipher.update(data) }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_message(
    cipher: *mut touchstone_cipher,
    iv: *const c_void,
    iv_len: usize,
    input: *const c_void,
    output: *mut c_void,
    len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(cipher) }.and_then(|cipher| {
        // SAFETY: the caller fulfils the contract in the header, and the initialization vector
        // is not used after `set_iv`.
        unsafe {
            let iv = bytes(iv, iv_len)?;
            let data = Pair::new(input, output, len, &[iv])?;
            cipher.message(iv, data)
        }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_seek(
    cipher: *mut touchstone_cipher,
    byte: u64,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(cipher) }.and_then(|cipher| Ok(cipher.keyed()?.seek(byte)?)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_many(
    cipher: *mut touchstone_cipher,
    ivs: *const c_void,
    iv_len: usize,
    inputs: *const *const c_void,
    outputs: *const *mut c_void,
    lens: *const usize,
    count: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { exclusive(cipher) }.and_then(|cipher| {
        let too_long = Error(TOUCHSTONE_ERROR_DATA_LENGTH);
        let all = count.checked_mul(iv_len).ok_or(too_long)?;
        let cipher = cipher.keyed()?;
        // SAFETY: the caller fulfils the contract in the header.
        let (ivs, pairs) = unsafe {
            let ivs = bytes(ivs, all)?;
            (ivs, many_pairs(inputs, outputs, lens, count, &[ivs])?)
        };
        let messages = pairs.iter().enumerate().map(|(i, pair)| Message {
            iv: &ivs[i * iv_len..][..iv_len],
            // SAFETY: the caller fulfils the contract in the header, and `many_pairs` has
            // checked that no output shares a byte with another buffer.
            data: unsafe { pair.bytes() },
        });
        Ok(cipher.apply_many(messages.collect())?)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_block_size(cipher: *const touchstone_cipher) -> usize {
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { shared(cipher) }.map_or(0, |cipher| cipher.algorithm.block())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_piece_size(cipher: *const touchstone_cipher) -> usize {
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { shared(cipher) }.map_or(0, |cipher| match cipher.algorithm.pieces() {
        Pieces::Any => 1,
        Pieces::Blocks(block) => block,
        // `Pieces::Whole` remains: a call takes a whole message.
        _ => 0,
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_key_sizes(
    cipher: *const touchstone_cipher,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { shared(cipher) }.map(|cipher| {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe { put_lengths(cipher.algorithm.key_lengths(), min, max, step) }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_iv_sizes(
    cipher: *const touchstone_cipher,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { shared(cipher) }.map(|cipher| {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe { put_lengths(cipher.algorithm.iv_lengths(), min, max, step) }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_key_sizes_of(
    name: *const c_char,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { text(name) }.and_then(|name| {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe { put_lengths(Cipher::key_lengths(name)?, min, max, step) };
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_iv_sizes_of(
    name: *const c_char,
    min: *mut usize,
    max: *mut usize,
    step: *mut usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(unsafe { text(name) }.and_then(|name| {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe { put_lengths(Cipher::iv_lengths(name)?, min, max, step) };
        Ok(())
    }))
}

/// Encrypts or decrypts a whole message with a cipher that is found by its name.
///
/// # Safety
///
/// The contract of `touchstone_encrypt` holds.
unsafe fn once(
    (name, direction): (*const c_char, c_int),
    key: (*const c_void, usize),
    iv: (*const c_void, usize),
    data: (*const c_void, *mut c_void, usize),
) -> c_int {
    let run = || {
        // SAFETY: the caller fulfils the contract of this function.
        unsafe {
            let mut cipher = touchstone_cipher::new(text(name), direction)?;
            let (key, iv) = (bytes(key.0, key.1)?, bytes(iv.0, iv.1)?);
            let data = Pair::new(data.0, data.1, data.2, &[key, iv])?;
            cipher.set_key(key)?;
            cipher.message(iv, data)
        }
    };
    code(run())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_encrypt(
    name: *const c_char,
    key: *const c_void,
    key_len: usize,
    iv: *const c_void,
    iv_len: usize,
    input: *const c_void,
    output: *mut c_void,
    len: usize,
) -> c_int {
    let (key, iv, data) = ((key, key_len), (iv, iv_len), (input, output, len));
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { once((name, TOUCHSTONE_ENCRYPT), key, iv, data) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_decrypt(
    name: *const c_char,
    key: *const c_void,
    key_len: usize,
    iv: *const c_void,
    iv_len: usize,
    input: *const c_void,
    output: *mut c_void,
    len: usize,
) -> c_int {
    let (key, iv, data) = ((key, key_len), (iv, iv_len), (input, output, len));
    // SAFETY: the caller fulfils the contract in the header.
    unsafe { once((name, TOUCHSTONE_DECRYPT), key, iv, data) }
}
