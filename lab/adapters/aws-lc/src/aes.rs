//! AES in the modes that have functions of their own: without EVP's context, and without
//! its checks for each message.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::mem::MaybeUninit;

use aws_lc_sys::*;
use touchstone_worker::{Cell, Direction, Failure, Message, Offer, Operation, Work, offer};

/// Primitive and key bytes.
const KEYS: &[(&str, usize)] = &[("aes-128", 16), ("aes-192", 24), ("aes-256", 32)];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Cbc,
    Cfb,
    Cfb8,
    Ofb,
    Ctr,
}

/// A mode's operations without the way, the mode, and the function.
const MODES: &[(&str, Mode, &str)] = &[
    ("cbc", Mode::Cbc, "AES_cbc_encrypt"),
    ("cfb", Mode::Cfb, "AES_cfb128_encrypt"),
    ("cfb8", Mode::Cfb8, "AES_cfb8_encrypt"),
    ("ofb", Mode::Ofb, "AES_ofb128_encrypt"),
    ("ctr", Mode::Ctr, "AES_ctr128_encrypt"),
];

impl Mode {
    /// Whether decryption is the same function, so that only one is offered.
    fn symmetric(self) -> bool {
        matches!(self, Self::Ofb | Self::Ctr)
    }
}

pub(crate) fn offers() -> Vec<Offer> {
    let mut rows = Vec::new();
    for (primitive, _) in KEYS {
        for (name, mode, api) in MODES {
            rows.push(offer(primitive, &format!("{name}-encrypt"), api));
            if !mode.symmetric() {
                rows.push(offer(primitive, &format!("{name}-decrypt"), api));
            }
        }
    }
    rows
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let (_, key) = KEYS.iter().find(|(id, _)| *id == work.primitive)?;
    let (name, way) = Direction::split(&work.operation)?;
    let (_, mode, _) = MODES.iter().find(|(id, ..)| *id == name)?;
    let (mode, encrypt) = (*mode, way.is_encrypt());
    if mode.symmetric() && !encrypt {
        return None;
    }
    let refused = |what: &str, bytes: usize| {
        Some(Err(Failure::unsupported(format_args!(
            "{what} of {bytes} bytes"
        ))))
    };
    if work.key.len() != *key {
        return refused("a key", work.key.len());
    }
    if work.nonce.len() != 16 {
        return refused("an IV", work.nonce.len());
    }
    if mode == Mode::Cbc && !work.input.len().is_multiple_of(16) {
        return refused("a message", work.input.len());
    }
    Some(Ok(Cell::new(move || {
        Ok(Aes {
            key: MaybeUninit::zeroed(),
            mode,
            encrypt,
        })
    })))
}

struct Aes {
    key: MaybeUninit<AES_KEY>,
    mode: Mode,
    encrypt: bool,
}

impl Operation for Aes {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // All modes but CBC run the cipher forwards both ways.
        let set = if self.encrypt || self.mode != Mode::Cbc {
            AES_set_encrypt_key
        } else {
            AES_set_decrypt_key
        };
        // SAFETY: the key is as long as stated in bits.
        let code = unsafe { set(key.as_ptr(), key.len() as u32 * 8, self.key.as_mut_ptr()) };
        match code {
            0 => Ok(()),
            _ => Err(Failure::failed(format_args!(
                "AES_set_…_key answered {code}"
            ))),
        }
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        // The functions write the next message's IV over this one's.
        let mut iv: [u8; 16] = message.nonce.try_into().map_err(Failure::failed)?;
        let (input, length) = (message.input.as_ptr(), message.input.len());
        let (output, key, iv) = (output.as_mut_ptr(), self.key.as_ptr(), iv.as_mut_ptr());
        let way = c_int::from(self.encrypt);
        let mut place = 0;
        // SAFETY: the key is scheduled, the IV has a block, the output has room for the
        // input, and for CBC the input is whole blocks.
        unsafe {
            match self.mode {
                Mode::Cbc => AES_cbc_encrypt(input, output, length, key, iv, way),
                Mode::Cfb => AES_cfb128_encrypt(input, output, length, key, iv, &mut place, way),
                Mode::Cfb8 => AES_cfb8_encrypt(input, output, length, key, iv, &mut place, way),
                Mode::Ofb => AES_ofb128_encrypt(input, output, length, key, iv, &mut place),
                Mode::Ctr => {
                    let (mut keystream, mut place) = ([0; 16], 0);
                    let keystream = keystream.as_mut_ptr();
                    AES_ctr128_encrypt(input, output, length, key, iv, keystream, &mut place);
                }
            }
        }
        Ok(length)
    }
}
