//! bcrypt by `blowfish_bcrypt_hash`.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::Nettle;

/// `BLOWFISH_BCRYPT_HASH_SIZE`: the length of the hash string with its NUL.
const HASH_SIZE: usize = 61;
/// The length of a setting: `$2b$05$` and 22 characters of salt.
const SETTING_SIZE: usize = 29;

type Bcrypt =
    unsafe extern "C" fn(*mut u8, usize, *const u8, usize, *const u8, c_int, *const u8) -> c_int;

pub(crate) fn offers(nettle: &Nettle) -> Vec<Offer> {
    nettle
        .api
        .nettle_blowfish_bcrypt_hash
        .map(|_| offer("crypt-bcrypt", "crypt", "blowfish_bcrypt_hash"))
        .into_iter()
        .collect()
}

pub(crate) fn cell(nettle: &Nettle, work: &Work) -> Option<Result<Cell, Failure>> {
    if (work.primitive.as_str(), work.operation.as_str()) != ("crypt-bcrypt", "crypt") {
        return None;
    }
    let bcrypt = nettle.api.nettle_blowfish_bcrypt_hash?;
    if [&work.key, &work.input]
        .iter()
        .any(|data| data.to_vec().contains(&0))
    {
        return Some(Err(Failure::unsupported("a NUL in a phrase")));
    }
    let mut phrase = if work.key.is_empty() {
        work.input.to_vec()
    } else {
        work.key.to_vec()
    };
    phrase.push(0);
    Some(Ok(Cell::new(move || {
        Ok(Crypt {
            bcrypt,
            phrase: phrase.clone(),
        })
    })))
}

struct Crypt {
    bcrypt: Bcrypt,
    /// The phrase with a NUL at its end. The function reads the byte after the given length,
    /// and requires that this byte is a NUL.
    phrase: Vec<u8>,
}

impl Operation for Crypt {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // If the key is empty, the message's input is the phrase.
        if !key.is_empty() {
            self.phrase.clear();
            self.phrase.extend_from_slice(key);
            self.phrase.push(0);
        }
        Ok(())
    }

    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let setting = message.nonce;
        if setting.len() < SETTING_SIZE {
            return Err(Failure::Rejected);
        }
        // SAFETY: the phrase ends in a NUL, and the setting has the length that is passed. The
        // worker's output has at least 256 bytes, which is more than the hash. -1 and NULL mean
        // that cost and salt come from the setting.
        let code = unsafe {
            (self.bcrypt)(
                output.as_mut_ptr(),
                self.phrase.len() - 1,
                self.phrase.as_ptr(),
                setting.len(),
                setting.as_ptr(),
                -1,
                ptr::null(),
            )
        };
        if code != 1 {
            return Err(Failure::Rejected);
        }
        Ok(HASH_SIZE - 1)
    }
}
