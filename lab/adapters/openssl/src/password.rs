//! Functions outside EVP: `DES_fcrypt` for traditional crypt(3), and `DES_ecb_encrypt`, which
//! encrypts a single block with a key schedule and without a context.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int};

use touchstone_worker::{Failure, Message, Phrase, Plan, Work, Written};

use crate::ffi::{DesSchedule, OpenSsl};

type SetKey = unsafe extern "C" fn(*const u8, *mut DesSchedule);
type Encrypt = unsafe extern "C" fn(*const u8, *mut u8, *mut DesSchedule, c_int);

/// A single block, and the key for it.
#[derive(Clone)]
pub(crate) struct Block {
    set_key: SetKey,
    encrypt: Encrypt,
}

impl Plan for Block {
    type Library = OpenSsl;
    type Object = DesSchedule;
    const OPERATIONS: &'static [&'static str] = &["des-cipher-1"];

    fn find(ssl: &OpenSsl, primitive: &str, _: &str) -> Option<Self> {
        let (set_key, encrypt) = ssl.api.DES_set_key_unchecked.zip(ssl.api.DES_ecb_encrypt)?;
        (primitive == "des").then_some(Self { set_key, encrypt })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "DES_set_key_unchecked, DES_ecb_encrypt".into()
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        work.need_key(8)?;
        work.need_input(8).map(|()| self)
    }

    fn make(&self) -> Result<DesSchedule, Failure> {
        Ok(DesSchedule::default())
    }

    fn set_key(&self, schedule: &mut DesSchedule, key: &[u8]) -> Result<(), Failure> {
        if key.len() != 8 {
            return Err(Failure::length("a key", key.len()));
        }
        // SAFETY: the function reads 8 bytes of key and writes a key schedule.
        unsafe { (self.set_key)(key.as_ptr(), schedule) };
        Ok(())
    }

    #[inline(always)]
    fn process(
        &self,
        schedule: &mut DesSchedule,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        if message.input.len() != 8 {
            return Err(Failure::unsupported("anything but one block"));
        }
        let (from, to) = (message.input.as_ptr(), output.as_mut_ptr());
        // SAFETY: the input is a block, the output has room for a block, and the schedule is
        // valid.
        unsafe { (self.encrypt)(from, to, schedule, 1) };
        Ok(8)
    }
}

type Fcrypt = unsafe extern "C" fn(*const c_char, *const c_char, *mut c_char) -> *mut c_char;

/// Traditional crypt(3).
#[derive(Clone)]
pub(crate) struct Crypt {
    fcrypt: Fcrypt,
    phrase: Phrase,
}

impl Plan for Crypt {
    type Library = OpenSsl;
    type Object = Phrase;
    const OPERATIONS: &'static [&'static str] = &["crypt"];

    fn find(ssl: &OpenSsl, primitive: &str, _: &str) -> Option<Self> {
        let (fcrypt, phrase) = (ssl.api.DES_fcrypt?, Phrase::default());
        (primitive == "crypt-des").then_some(Self { fcrypt, phrase })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "DES_fcrypt".into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        if work.nonce.contains(&0) {
            return Err(Failure::unsupported("a NUL in a setting"));
        }
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

    #[inline(always)]
    fn process(&self, phrase: &mut Phrase, message: &Message<'_>, output: &mut [u8]) -> Written {
        let mut setting = [0_u8; 3];
        let given = message.nonce.len().min(2);
        setting[..given].copy_from_slice(&message.nonce[..given]);
        let mut hash = [0 as c_char; 14];
        // SAFETY: both strings end in a NUL, and the buffer has the 14 bytes that DES_fcrypt
        // writes.
        let text = unsafe {
            let answer = (self.fcrypt)(
                phrase.with_nul().as_ptr().cast(),
                setting.as_ptr().cast(),
                hash.as_mut_ptr(),
            );
            if answer.is_null() {
                return Err(Failure::Rejected);
            }
            CStr::from_ptr(answer).to_bytes()
        };
        output[..text.len()].copy_from_slice(text);
        Ok(text.len())
    }
}
