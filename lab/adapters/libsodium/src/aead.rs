//! Authenticated encryption: `crypto_aead_…` and `crypto_secretbox_easy`.
#![allow(unsafe_code)]

use std::ptr;

use touchstone_worker::{
    Cell, Contract, Direction, Failure, Memory, Message, Offer, Operation, Text, Work, offer,
    stays_in_place,
};

use crate::ffi::{Api, Open, Seal, Sodium, exactly, ok};

/// Every tag of libsodium's here.
const TAG: usize = 16;

/// Primitive, stem of the operation, bytes of nonce, function.
const ROWS: &[(&str, &str, usize, &str)] = &[
    ("aes-256", "gcm", 12, "crypto_aead_aes256gcm_…_afternm"),
    (
        "chacha20-poly1305",
        "aead",
        12,
        "crypto_aead_chacha20poly1305_ietf",
    ),
    (
        "xchacha20-poly1305",
        "aead",
        24,
        "crypto_aead_xchacha20poly1305_ietf",
    ),
    ("xsalsa20-poly1305", "aead", 24, "crypto_secretbox_easy"),
];

#[derive(Clone, Copy)]
enum Form {
    /// AES-256-GCM under a key that is scheduled beforehand.
    Gcm,
    /// The key is passed with each message.
    Keyed(Seal, Open),
    /// The tag before the ciphertext, and no associated data.
    Box,
}

#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    form: Form,
    encrypt: bool,
    nonce: usize,
}

impl Plan {
    fn find(sodium: &Sodium, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation)?;
        let encrypt = way.is_encrypt();
        let (.., nonce, _) = ROWS
            .iter()
            .find(|(id, mode, ..)| (*id, *mode) == (primitive, stem))?;
        let api = sodium.api;
        let form = match primitive {
            // SAFETY: the function takes no arguments; it says whether the CPU has AES
            // and CLMUL.
            "aes-256" if unsafe { (api.crypto_aead_aes256gcm_is_available)() } == 0 => return None,
            "aes-256" => Form::Gcm,
            "chacha20-poly1305" => Form::Keyed(
                api.crypto_aead_chacha20poly1305_ietf_encrypt,
                api.crypto_aead_chacha20poly1305_ietf_decrypt,
            ),
            "xchacha20-poly1305" => Form::Keyed(
                api.crypto_aead_xchacha20poly1305_ietf_encrypt,
                api.crypto_aead_xchacha20poly1305_ietf_decrypt,
            ),
            _ => Form::Box,
        };
        Some(Self {
            api,
            form,
            encrypt,
            nonce: *nonce,
        })
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        exactly("key", work.key.len(), 32)?;
        exactly("nonce", work.nonce.len(), self.nonce)?;
        exactly("tag", work.tag.unwrap_or(TAG), TAG)?;
        if matches!(self.form, Form::Box) && !work.aad.is_empty() {
            return Err(Failure::unsupported("associated data"));
        }
        Ok(self)
    }
}

pub(crate) fn offers(sodium: &Sodium) -> Vec<Offer> {
    ROWS.iter()
        .flat_map(|row| ["encrypt", "decrypt"].map(|way| (row, way)))
        .filter_map(|((id, mode, _, name), way)| {
            let operation = format!("{mode}-{way}");
            Plan::find(sodium, id, &operation)?;
            let in_place = stays_in_place(&operation) && *id != "xsalsa20-poly1305";
            Some(offer(id, &operation, name).taking(Contract::InPlace, in_place))
        })
        .collect()
}

pub(crate) fn cell(sodium: &Sodium, work: &Work) -> Option<Result<Cell, Failure>> {
    let plan = Plan::find(sodium, &work.primitive, &work.operation)?.fit(work);
    Some(plan.map(|plan| {
        Cell::new(move || {
            let bytes = match plan.form {
                // SAFETY: the function takes no arguments.
                Form::Gcm => unsafe { (plan.api.crypto_aead_aes256gcm_statebytes)() },
                _ => 32,
            };
            Ok(Aead {
                plan,
                key: Memory::new(bytes),
            })
        })
    }))
}

struct Aead {
    plan: Plan,
    /// The key's 32 bytes, or its schedule.
    key: Memory,
}

impl Operation for Aead {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let room = self.key.at(0);
        // SAFETY: the memory has room for the schedule, or for the key.
        unsafe {
            if let Form::Gcm = self.plan.form {
                let code = (self.plan.api.crypto_aead_aes256gcm_beforenm)(room, key.as_ptr());
                return ok("crypto_aead_aes256gcm_beforenm", code);
            }
            ptr::copy_nonoverlapping(key.as_ptr(), room.cast(), 32);
        }
        Ok(())
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, mut text: Text<'_>) -> Result<usize, Failure> {
        let Plan {
            api, form, encrypt, ..
        } = &self.plan;
        let key = self.key.at(0).cast_const();
        let (nonce, aad) = (message.nonce.as_ptr(), message.aad.as_ptr());
        let (length, (from, to)) = (text.length(), text.pointers());
        let given = length as u64;
        let aad_bytes = message.aad.len() as u64;
        if !encrypt && length < TAG {
            return Err(Failure::Rejected);
        }
        let (seal, open) = match *form {
            Form::Gcm => (
                api.crypto_aead_aes256gcm_encrypt_afternm as Seal,
                api.crypto_aead_aes256gcm_decrypt_afternm as Open,
            ),
            Form::Keyed(seal, open) => (seal, open),
            Form::Box => {
                let run = if *encrypt {
                    api.crypto_secretbox_easy
                } else {
                    api.crypto_secretbox_open_easy
                };
                // SAFETY: nonce and key have the lengths that the function
                // reads; the output has 256 bytes more than the input.
                let code = unsafe { run(to, from, given, nonce, key.cast()) };
                if !encrypt {
                    return refuse(code).map(|()| length - TAG);
                }
                ok("crypto_secretbox_easy", code)?;
                return Ok(length + TAG);
            }
        };
        let (null, mut written) = (ptr::null_mut(), 0);
        // SAFETY: as above; there is no secret nonce.
        unsafe {
            if *encrypt {
                let code = seal(
                    to,
                    &mut written,
                    from,
                    given,
                    aad,
                    aad_bytes,
                    null,
                    nonce,
                    key,
                );
                ok("crypto_aead_encrypt", code)?;
            } else {
                refuse(open(
                    to,
                    &mut written,
                    null,
                    from,
                    given,
                    aad,
                    aad_bytes,
                    nonce,
                    key,
                ))?;
            }
        }
        Ok(written as usize)
    }
}

/// The opening functions return -1 for a forgery and have no other error.
#[inline]
fn refuse(code: i32) -> Result<(), Failure> {
    if code == 0 {
        Ok(())
    } else {
        Err(Failure::Rejected)
    }
}
