//! bcrypt by `blowfish_bcrypt_hash`.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use touchstone_worker::{Failure, Message, Phrase, Plan, Work, Written};

use crate::ffi::Nettle;

/// `BLOWFISH_BCRYPT_HASH_SIZE`: the length of the hash string with its NUL.
const HASH_SIZE: usize = 61;
/// The length of a setting: `$2b$05$` and 22 characters of salt.
const SETTING_SIZE: usize = 29;

type Bcrypt =
    unsafe extern "C" fn(*mut u8, usize, *const u8, usize, *const u8, c_int, *const u8) -> c_int;

#[derive(Clone)]
pub(crate) struct Crypt {
    bcrypt: Bcrypt,
    phrase: Phrase,
}

impl Plan for Crypt {
    type Library = Nettle;
    /// The phrase. The function reads the byte after the given length, and requires that this byte
    /// is a NUL.
    type Object = Phrase;
    const OPERATIONS: &'static [&'static str] = &["crypt"];

    fn find(nettle: &Nettle, primitive: &str, _: &str) -> Option<Self> {
        let bcrypt = nettle.api.nettle_blowfish_bcrypt_hash?;
        let phrase = Phrase::default();
        (primitive == "crypt-bcrypt").then_some(Self { bcrypt, phrase })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "blowfish_bcrypt_hash".into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.phrase = Phrase::of(work)?;
        Ok(self)
    }

    fn make(&self) -> Result<Phrase, Failure> {
        Ok(self.phrase.clone())
    }

    fn set_key(&self, phrase: &mut Phrase, key: &[u8]) -> Result<(), Failure> {
        phrase.set(key);
        Ok(())
    }

    fn process(&self, phrase: &mut Phrase, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (setting, phrase) = (message.nonce, phrase.with_nul());
        if setting.len() < SETTING_SIZE {
            return Err(Failure::Rejected);
        }
        // SAFETY: the phrase ends in a NUL, and the setting has the length that is passed. The
        // worker's output has at least 256 bytes, which is more than the hash. -1 and NULL mean
        // that cost and salt come from the setting.
        let code = unsafe {
            (self.bcrypt)(
                output.as_mut_ptr(),
                phrase.len() - 1,
                phrase.as_ptr(),
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
