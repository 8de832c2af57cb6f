//! AES by the functions `AES_…`, in the modes that have such a function. These functions need
//! no EVP context, and make none of EVP's checks for each message.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::mem::MaybeUninit;

use aws_lc_sys::*;
use touchstone_worker::{Direction, Failure, Message, Plan, Text, Work, Written};

use crate::AwsLc;

/// Rows: the primitive, and the length of its key in bytes.
const KEYS: &[(&str, usize)] = &[("aes-128", 16), ("aes-192", 24), ("aes-256", 32)];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Cbc,
    Cfb,
    Cfb8,
    Ofb,
    Ctr,
}

#[derive(Clone, Copy)]
pub(crate) struct Aes {
    mode: Mode,
    way: Direction,
    key: usize,
}

/// Computes the key schedule for encryption or for decryption.
pub(crate) fn set_key(
    schedule: &mut MaybeUninit<AES_KEY>,
    key: &[u8],
    way: Direction,
) -> Result<(), Failure> {
    let (start, bits, to) = (key.as_ptr(), key.len() as u32 * 8, schedule.as_mut_ptr());
    // SAFETY: the key has the length that is passed in bits.
    let code = unsafe {
        match way {
            Direction::Encrypt => AES_set_encrypt_key(start, bits, to),
            Direction::Decrypt => AES_set_decrypt_key(start, bits, to),
        }
    };
    match code {
        0 => Ok(()),
        _ => Err(Failure::failed(format_args!(
            "AES_set_…_key answered {code}"
        ))),
    }
}

/// Returns the length of an AES key in bytes.
pub(crate) fn key_bytes(primitive: &str) -> Option<usize> {
    KEYS.iter()
        .find(|(id, _)| *id == primitive)
        .map(|(_, bytes)| *bytes)
}

impl Plan for Aes {
    type Library = AwsLc;
    type Object = MaybeUninit<AES_KEY>;
    const OPERATIONS: &'static [&'static str] = &[
        "cbc-encrypt",
        "cbc-decrypt",
        "cfb-encrypt",
        "cfb-decrypt",
        "cfb8-encrypt",
        "cfb8-decrypt",
        "ofb-encrypt",
        "ctr-encrypt",
    ];
    const IN_PLACE: bool = true;

    fn find(_: &AwsLc, primitive: &str, operation: &str) -> Option<Self> {
        let (mode, way) = Direction::split(operation)?;
        let mode = match mode {
            "cbc" => Mode::Cbc,
            "cfb" => Mode::Cfb,
            "cfb8" => Mode::Cfb8,
            "ofb" => Mode::Ofb,
            _ => Mode::Ctr,
        };
        let key = key_bytes(primitive)?;
        Some(Self { mode, way, key })
    }

    fn api(&self, _: &str, _: &str) -> String {
        match self.mode {
            Mode::Cbc => "AES_cbc_encrypt",
            Mode::Cfb => "AES_cfb128_encrypt",
            Mode::Cfb8 => "AES_cfb8_encrypt",
            Mode::Ofb => "AES_ofb128_encrypt",
            Mode::Ctr => "AES_ctr128_encrypt",
        }
        .into()
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        work.shape(16).fit(work, self.key).map(|_| self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        Ok(MaybeUninit::zeroed())
    }

    fn set_key(&self, schedule: &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        // Only CBC decryption runs the block cipher backwards. In the other modes, encryption
        // and decryption both encrypt blocks.
        match self.mode {
            Mode::Cbc => set_key(schedule, key, self.way),
            _ => set_key(schedule, key, Direction::Encrypt),
        }
    }

    #[inline(always)]
    fn transform(
        &self,
        schedule: &mut Self::Object,
        message: &Message<'_>,
        mut text: Text<'_>,
    ) -> Written {
        // The functions overwrite the IV, so each message uses a copy of its nonce.
        let mut iv: [u8; 16] = message.nonce.try_into().map_err(Failure::failed)?;
        let (length, (input, output)) = (text.length(), text.pointers());
        let (key, iv) = (schedule.as_ptr(), iv.as_mut_ptr());
        let way = c_int::from(self.way.is_encrypt());
        let mut place = 0;
        // SAFETY: the key schedule is complete, the IV is one block long, the output has room
        // for the input, and for CBC the input is whole blocks.
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
