//! AES in the modes that have functions of their own: without EVP's context, and without
//! its checks for each message.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::mem::MaybeUninit;

use aws_lc_sys::*;
use touchstone_worker::{
    Cell, Contract, Direction, Failure, Message, Offer, Operation, Text, Work, offer,
};

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
            let ways = if mode.symmetric() { 1 } else { 2 };
            rows.extend(
                Direction::BOTH[..ways].iter().map(|way| {
                    offer(primitive, &way.of(name), api).taking(Contract::InPlace, true)
                }),
            );
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
    let lengths = work
        .need_key(*key)
        .and_then(|()| work.need_nonce(16))
        .and_then(|()| work.need_blocks(if mode == Mode::Cbc { 16 } else { 1 }));
    Some(lengths.map(|()| {
        Cell::new(move || {
            Ok(Aes {
                key: MaybeUninit::zeroed(),
                mode,
                encrypt,
            })
        })
    }))
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
    fn transform(&mut self, message: &Message<'_>, mut text: Text<'_>) -> Result<usize, Failure> {
        // The functions write the next message's IV over this one's.
        let mut iv: [u8; 16] = message.nonce.try_into().map_err(Failure::failed)?;
        let (length, (input, output)) = (text.length(), text.pointers());
        let (key, iv) = (self.key.as_ptr(), iv.as_mut_ptr());
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
