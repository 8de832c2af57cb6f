//! Ciphers: a block cipher in a mode that keeps a message as long as it is.
#![allow(unsafe_code)]
#![allow(non_camel_case_types, reason = "the name that C sees")]

use std::ffi::{c_char, c_int};

use crate::memory::{bytes, exclusive, give, inout, many_inout, shared, take, text};
use crate::mode::{Cuts, Kind, Mode, One, Process};
use crate::registry::{self, Cipher};
use crate::status::*;

/// Direction: from ciphertext to plaintext.
pub const TOUCHSTONE_DECRYPT: c_int = 0;
/// Direction: from plaintext to ciphertext.
pub const TOUCHSTONE_ENCRYPT: c_int = 1;

/// Counters are the whole block, most significant byte first: what CTR has unless the
/// parameter `"counter"` chooses another rule.
pub const TOUCHSTONE_COUNTER_BIG_ENDIAN: c_int = 0;
/// Counters are the whole block, least significant byte first.
pub const TOUCHSTONE_COUNTER_LITTLE_ENDIAN: c_int = 1;
/// Counters are the last half of the block, most significant byte first; the first
/// half stays.
pub const TOUCHSTONE_COUNTER_BIG_ENDIAN_HALF: c_int = 2;
/// Counters are the first half of the block, least significant byte first; the last
/// half stays.
pub const TOUCHSTONE_COUNTER_LITTLE_ENDIAN_HALF: c_int = 3;

/// A cipher in a mode and a direction; its key, once set; and a message under way.
/// One thread at a time may use it.
pub struct touchstone_cipher {
    cipher: &'static Cipher,
    mode: &'static Mode,
    /// The mode's own, or CTR by another rule.
    kind: Kind,
    encrypt: bool,
    parameter: Option<u64>,
    running: Option<Box<dyn Process>>,
    iv: Iv,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Iv {
    Missing,
    Set,
}

impl touchstone_cipher {
    pub(crate) fn new(name: &str, direction: c_int) -> Result<Self> {
        let (cipher, mode) = registry::cipher_mode(name)?;
        let encrypt = match direction {
            TOUCHSTONE_ENCRYPT => true,
            TOUCHSTONE_DECRYPT => false,
            _ => return Err(Error(TOUCHSTONE_ERROR_PARAMETER)),
        };
        Ok(Self {
            cipher,
            mode,
            kind: mode.kind,
            encrypt,
            parameter: None,
            running: None,
            iv: Iv::Missing,
        })
    }

    fn iv_size(&self) -> usize {
        (self.mode.iv)(self.cipher.block)
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let start = self.cipher.start;
        self.running = Some(start(self.parameter, self.kind, self.encrypt, key)?);
        self.iv = Iv::Missing;
        Ok(())
    }

    fn set_iv(&mut self, iv: &[u8]) -> Result<()> {
        let right = self.iv_size();
        let running = self.running.as_mut().ok_or(Error(TOUCHSTONE_ERROR_STATE))?;
        if iv.len() != right {
            return Err(Error(TOUCHSTONE_ERROR_IV_LENGTH));
        }
        if right != 0 {
            running.iv(iv)?;
        }
        self.iv = Iv::Set;
        Ok(())
    }

    /// # Safety
    ///
    /// As of `touchstone_cipher_update`.
    unsafe fn update(&mut self, input: *const u8, output: *mut u8, len: usize) -> Result<()> {
        let needs_iv = self.iv_size() != 0;
        let running = self.running.as_mut().ok_or(Error(TOUCHSTONE_ERROR_STATE))?;
        if needs_iv && self.iv == Iv::Missing {
            return Err(Error(TOUCHSTONE_ERROR_STATE));
        }
        // SAFETY: by the contract.
        running.update(unsafe { inout(input, output, len, &[]) }?)?;
        if self.mode.cuts == Cuts::Nowhere {
            self.iv = Iv::Missing;
        }
        Ok(())
    }
}

/// A cipher by its name, `"aes-128-cbc"`, and a direction, TOUCHSTONE_ENCRYPT or
/// TOUCHSTONE_DECRYPT; NULL if there is none of this name. To be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_new(
    name: *const c_char,
    direction: c_int,
) -> *mut touchstone_cipher {
    // SAFETY: by the caller's contract.
    let name = unsafe { text(name) };
    give(name.and_then(|name| touchstone_cipher::new(name, direction)))
}

/// Wipes a cipher and its key; NULL is good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_free(cipher: *mut touchstone_cipher) {
    // SAFETY: by the caller's contract.
    unsafe { take(cipher) }
}

/// Chooses what the name leaves open, before the key: `"effective-bits"` of RC2,
/// `"rounds"` of RC5 and XTEA, `"counter"` of CTR, which is one of TOUCHSTONE_COUNTER_.
/// The value is checked with the key, but that of `"counter"` at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_set_parameter(
    cipher: *mut touchstone_cipher,
    name: *const c_char,
    value: u64,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(cipher) }.and_then(|cipher| {
        // SAFETY: as above.
        let name = unsafe { text(name) }?;
        if name == "counter" && cipher.mode.kind == Kind::Ctr {
            cipher.kind = match c_int::try_from(value) {
                Ok(TOUCHSTONE_COUNTER_BIG_ENDIAN) => Kind::Ctr,
                Ok(TOUCHSTONE_COUNTER_LITTLE_ENDIAN) => Kind::CtrLittle,
                Ok(TOUCHSTONE_COUNTER_BIG_ENDIAN_HALF) => Kind::CtrHalf,
                Ok(TOUCHSTONE_COUNTER_LITTLE_ENDIAN_HALF) => Kind::CtrLittleHalf,
                _ => return Err(Error(TOUCHSTONE_ERROR_PARAMETER)),
            };
            return Ok(());
        }
        if cipher.cipher.parameter != Some(name) {
            return Err(Error(TOUCHSTONE_ERROR_PARAMETER));
        }
        cipher.parameter = Some(value);
        Ok(())
    }))
}

/// Sets a key up, and forgets the message under way. XTS takes two keys, one after
/// the other. An error leaves the old key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_set_key(
    cipher: *mut touchstone_cipher,
    key: *const u8,
    key_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(cipher) }.and_then(|cipher| {
        // SAFETY: as above.
        cipher.set_key(unsafe { bytes(key, key_len) }?)
    }))
}

/// Starts a message with its initialization vector (first counter block, tweak).
/// ECB has none, and needs no call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_set_iv(
    cipher: *mut touchstone_cipher,
    iv: *const u8,
    iv_len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(cipher) }.and_then(|cipher| {
        // SAFETY: as above.
        cipher.set_iv(unsafe { bytes(iv, iv_len) }?)
    }))
}

/// Encrypts or decrypts the next `len` bytes of the message into as many. `output`
/// is `input`, or apart from it. What pieces there may be,
/// touchstone_cipher_piece_size tells.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_update(
    cipher: *mut touchstone_cipher,
    input: *const u8,
    output: *mut u8,
    len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(cipher) }.and_then(|cipher| {
        // SAFETY: as above.
        unsafe { cipher.update(input, output, len) }
    }))
}

/// Goes to a byte of the message in CTR, backwards or forwards, without computing what
/// lies between: the next update begins there. TOUCHSTONE_ERROR_NAME in other modes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_seek(
    cipher: *mut touchstone_cipher,
    byte: u64,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(cipher) }.and_then(|cipher| {
        if cipher.mode.kind != Kind::Ctr {
            return Err(Error(TOUCHSTONE_ERROR_NAME));
        }
        let running = cipher.running.as_mut().filter(|_| cipher.iv == Iv::Set);
        running.ok_or(Error(TOUCHSTONE_ERROR_STATE))?.seek(byte)
    }))
}

/// Encrypts or decrypts `count` whole messages, each with its own initialization
/// vector; `ivs` has them one after the other, and is NULL if there are none. Where a
/// mode is serial, as CBC is forwards, this is several times as fast as one by one. An
/// output is its own input, or apart from it, and from all else. Of what the handle had
/// under way, nothing is left.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_many(
    cipher: *mut touchstone_cipher,
    ivs: *const u8,
    inputs: *const *const u8,
    outputs: *const *mut u8,
    lens: *const usize,
    count: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    code(unsafe { exclusive(cipher) }.and_then(|cipher| {
        let size = cipher.iv_size();
        let (unit, block) = (cipher.mode.cuts, cipher.cipher.block);
        let running = cipher
            .running
            .as_mut()
            .ok_or(Error(TOUCHSTONE_ERROR_STATE))?;
        let whole = count.checked_mul(size);
        let whole = whole.ok_or(Error(TOUCHSTONE_ERROR_DATA_LENGTH))?;
        // SAFETY: as above.
        let ivs = unsafe { bytes(ivs, whole) }?;
        // SAFETY: as above.
        let data = unsafe { many_inout(inputs, outputs, lens, count, &[ivs]) }?;
        let good = |len: usize| match unit {
            Cuts::Anywhere => true,
            Cuts::Blocks => len.is_multiple_of(block),
            Cuts::Nowhere => len >= block,
        };
        if !data.iter().all(|data| good(data.len())) {
            return Err(Error(TOUCHSTONE_ERROR_DATA_LENGTH));
        }
        let iv = |i: usize| &ivs[i * size..(i + 1) * size];
        let one = |(i, data)| -> One<'_> { (iv(i), data) };
        running.many(data.into_iter().enumerate().map(one).collect())?;
        cipher.iv = Iv::Missing;
        Ok(())
    }))
}

/// Length of the cipher's block in bytes; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_block_size(cipher: *const touchstone_cipher) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(cipher) }.map_or(0, |cipher| cipher.cipher.block)
}

/// Length of the initialization vector in bytes; 0 if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_iv_size(cipher: *const touchstone_cipher) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(cipher) }.map_or(0, |cipher| cipher.iv_size())
}

/// What the lengths of pieces must be multiples of: 1, or the block. 0 says that a
/// message is one piece, of a block or more, and the next one needs its own
/// initialization vector.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_piece_size(cipher: *const touchstone_cipher) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(cipher) }.map_or(0, |cipher| match cipher.mode.cuts {
        Cuts::Anywhere => 1,
        Cuts::Blocks => cipher.cipher.block,
        Cuts::Nowhere => 0,
    })
}

/// The shortest key in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_key_size_min(cipher: *const touchstone_cipher) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(cipher) }.map_or(0, |c| c.mode.keys * c.cipher.keys.min)
}

/// The longest key in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_key_size_max(cipher: *const touchstone_cipher) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(cipher) }.map_or(0, |c| c.mode.keys * c.cipher.keys.max)
}

/// What lies between one length of a key and the next.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_cipher_key_size_step(
    cipher: *const touchstone_cipher,
) -> usize {
    // SAFETY: by the caller's contract.
    unsafe { shared(cipher) }.map_or(0, |c| match c.cipher.keys {
        keys if keys.min == keys.max => 0,
        keys => c.mode.keys * keys.step,
    })
}

/// A whole message in one call.
///
/// # Safety
///
/// As of `touchstone_encrypt`.
unsafe fn once(
    cipher: Result<touchstone_cipher>,
    key: (*const u8, usize),
    iv: (*const u8, usize),
    data: (*const u8, *mut u8, usize),
) -> c_int {
    code(cipher.and_then(|mut cipher| {
        // SAFETY: by the contract.
        cipher.set_key(unsafe { bytes(key.0, key.1) }?)?;
        // SAFETY: by the contract.
        cipher.set_iv(unsafe { bytes(iv.0, iv.1) }?)?;
        // SAFETY: by the contract.
        unsafe { cipher.update(data.0, data.1, data.2) }
    }))
}

/// [`once`] for a function that has a cipher in its name, and an initialization
/// vector of the right length.
///
/// # Safety
///
/// As of `touchstone_encrypt`.
pub(crate) unsafe fn named(
    name: &str,
    direction: c_int,
    key: (*const u8, usize),
    iv: *const u8,
    data: (*const u8, *mut u8, usize),
) -> c_int {
    let cipher = touchstone_cipher::new(name, direction);
    let size = cipher.as_ref().map_or(0, touchstone_cipher::iv_size);
    // SAFETY: by the contract.
    unsafe { once(cipher, key, (iv, size), data) }
}

/// Encrypts a whole message with a cipher by its name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_encrypt(
    name: *const c_char,
    key: *const u8,
    key_len: usize,
    iv: *const u8,
    iv_len: usize,
    input: *const u8,
    output: *mut u8,
    len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    let name = unsafe { text(name) };
    let cipher = name.and_then(|name| touchstone_cipher::new(name, TOUCHSTONE_ENCRYPT));
    // SAFETY: by the caller's contract.
    unsafe { once(cipher, (key, key_len), (iv, iv_len), (input, output, len)) }
}

/// Decrypts a whole message with a cipher by its name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_decrypt(
    name: *const c_char,
    key: *const u8,
    key_len: usize,
    iv: *const u8,
    iv_len: usize,
    input: *const u8,
    output: *mut u8,
    len: usize,
) -> c_int {
    // SAFETY: by the caller's contract.
    let name = unsafe { text(name) };
    let cipher = name.and_then(|name| touchstone_cipher::new(name, TOUCHSTONE_DECRYPT));
    // SAFETY: by the caller's contract.
    unsafe { once(cipher, (key, key_len), (iv, iv_len), (input, output, len)) }
}
