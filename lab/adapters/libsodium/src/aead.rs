//! Authenticated encryption by `crypto_aead_…` and `crypto_secretbox_easy`.
#![allow(unsafe_code)]

use std::ptr;

use touchstone_worker::{
    AEADS, Contract, Direction, Failure, Memory, Message, Offer, Plan, Text, Work, Written, done,
    offer, stays_in_place,
};

use crate::ffi::{Api, Open, Seal, Sodium, ok};

/// The length of a tag in bytes. It is the same for all AEADs of libsodium in this worker.
const TAG: usize = 16;

#[derive(Clone, Copy)]
enum Form {
    /// AES-256-GCM. The key schedule is computed before the messages.
    Gcm,
    /// An AEAD that takes the key with each message.
    Keyed(Seal, Open),
    /// NaCl's secretbox: the tag is before the ciphertext, and there is no associated data.
    Box,
}

#[derive(Clone, Copy)]
pub(crate) struct Aead {
    api: Api,
    form: Form,
    way: Direction,
    nonce: usize,
}

impl Plan for Aead {
    type Library = Sodium;
    /// The key of 32 bytes, or AES's key schedule.
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = AEADS;

    fn find(sodium: &Sodium, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation)?;
        let api = sodium.api;
        let (form, nonce) = match (primitive, stem) {
            // SAFETY: the function takes no arguments. It returns whether the CPU has AES and
            // CLMUL instructions.
            ("aes-256", "gcm") if unsafe { (api.crypto_aead_aes256gcm_is_available)() } != 0 => {
                (Form::Gcm, 12)
            }
            ("chacha20-poly1305", "aead") => {
                let seal = api.crypto_aead_chacha20poly1305_ietf_encrypt;
                (
                    Form::Keyed(seal, api.crypto_aead_chacha20poly1305_ietf_decrypt),
                    12,
                )
            }
            ("xchacha20-poly1305", "aead") => {
                let seal = api.crypto_aead_xchacha20poly1305_ietf_encrypt;
                (
                    Form::Keyed(seal, api.crypto_aead_xchacha20poly1305_ietf_decrypt),
                    24,
                )
            }
            ("xsalsa20-poly1305", "aead") => (Form::Box, 24),
            _ => return None,
        };
        Some(Self {
            api,
            form,
            way,
            nonce,
        })
    }

    fn api(&self, primitive: &str, _: &str) -> String {
        match self.form {
            Form::Gcm => "crypto_aead_aes256gcm_…_afternm".into(),
            Form::Keyed(..) => format!("crypto_aead_{}_ietf", primitive.replace('-', "")),
            Form::Box => "crypto_secretbox_easy".into(),
        }
    }

    fn offer(&self, primitive: &str, operation: &str) -> Offer {
        let in_place = stays_in_place(operation) && !matches!(self.form, Form::Box);
        offer(primitive, operation, &self.api(primitive, operation))
            .taking(Contract::InPlace, in_place)
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        if let Form::Box = self.form {
            work.need_aad(0)?;
        }
        work.shape(16)
            .nonce(self.nonce)
            .tag(TAG)
            .fit(work, 32)
            .map(|_| self)
    }

    fn make(&self) -> Result<Memory, Failure> {
        Ok(Memory::new(match self.form {
            // SAFETY: the function takes no arguments.
            Form::Gcm => unsafe { (self.api.crypto_aead_aes256gcm_statebytes)() },
            _ => 32,
        }))
    }

    fn set_key(&self, room: &mut Memory, key: &[u8]) -> Result<(), Failure> {
        let room = room.at(0);
        // SAFETY: the memory has room for the schedule, or for the key.
        unsafe {
            if let Form::Gcm = self.form {
                let code = (self.api.crypto_aead_aes256gcm_beforenm)(room, key.as_ptr());
                return ok("crypto_aead_aes256gcm_beforenm", code);
            }
            ptr::copy_nonoverlapping(key.as_ptr(), room.cast(), 32);
        }
        Ok(())
    }

    #[inline(always)]
    fn transform(&self, key: &mut Memory, message: &Message<'_>, mut text: Text<'_>) -> Written {
        let (api, encrypt) = (&self.api, self.way.is_encrypt());
        let key = key.at(0).cast_const();
        let (nonce, aad) = (message.nonce.as_ptr(), message.aad.as_ptr());
        let (length, (from, to)) = (text.length(), text.pointers());
        let (given, aad_bytes) = (length as u64, message.aad.len() as u64);
        self.way.without_tag(length, TAG)?;
        let (seal, open) = match self.form {
            Form::Gcm => (
                api.crypto_aead_aes256gcm_encrypt_afternm as Seal,
                api.crypto_aead_aes256gcm_decrypt_afternm as Open,
            ),
            Form::Keyed(seal, open) => (seal, open),
            Form::Box => {
                let run = self
                    .way
                    .choose(api.crypto_secretbox_easy, api.crypto_secretbox_open_easy);
                // SAFETY: nonce and key have the lengths that the function reads, and the
                // output is 256 bytes longer than the input.
                let code = unsafe { run(to, from, given, nonce, key.cast()) };
                if !encrypt {
                    return refuse(code).map(|()| length - TAG);
                }
                ok("crypto_secretbox_easy", code)?;
                return Ok(length + TAG);
            }
        };
        let (none, mut made) = (ptr::null_mut(), 0);
        let out = &mut made;
        // SAFETY: nonce and key have the lengths that the function reads, and the output is 256
        // bytes longer than the input. NULL means that there is no secret nonce.
        unsafe {
            if encrypt {
                let code = seal(to, out, from, given, aad, aad_bytes, none, nonce, key);
                ok("crypto_aead_encrypt", code)?;
            } else {
                refuse(open(to, out, none, from, given, aad, aad_bytes, nonce, key))?;
            }
        }
        Ok(made as usize)
    }
}

/// Converts the return code of a decrypting function into a `Result`. These functions return -1
/// for a forgery, and have no other error.
#[inline]
fn refuse(code: i32) -> Result<(), Failure> {
    done(code == 0, || Failure::Rejected)
}
