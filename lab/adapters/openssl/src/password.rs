//! Functions outside EVP: `DES_fcrypt` for traditional crypt(3), and `DES_ecb_encrypt`, which
//! encrypts a single block with a key schedule and without a context.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int};

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{DesSchedule, OpenSsl};

pub(crate) fn offers(ssl: &OpenSsl) -> Vec<Offer> {
    let crypt = ssl
        .api
        .DES_fcrypt
        .map(|_| offer("crypt-des", "crypt", "DES_fcrypt"));
    let one_block = ssl.api.DES_set_key_unchecked.zip(ssl.api.DES_ecb_encrypt);
    let block = one_block.map(|_| {
        let api = "DES_set_key_unchecked, DES_ecb_encrypt";
        offer("des", "des-cipher-1", api)
    });
    crypt.into_iter().chain(block).collect()
}

pub(crate) fn cell(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    match (work.primitive.as_str(), work.operation.as_str()) {
        ("crypt-des", "crypt") => crypt(ssl, work),
        ("des", "des-cipher-1") => block(ssl, work),
        _ => None,
    }
}

fn block(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let (set_key, encrypt) = ssl.api.DES_set_key_unchecked.zip(ssl.api.DES_ecb_encrypt)?;
    if work.key.len() != 8 || work.input.len() != 8 {
        return Some(Err(Failure::unsupported("anything but 8 bytes")));
    }
    Some(Ok(Cell::new(move || {
        Ok(Block {
            set_key,
            encrypt,
            schedule: DesSchedule::default(),
        })
    })))
}

struct Block {
    set_key: unsafe extern "C" fn(*const u8, *mut DesSchedule),
    encrypt: unsafe extern "C" fn(*const u8, *mut u8, *mut DesSchedule, c_int),
    schedule: DesSchedule,
}

impl Operation for Block {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        if key.len() != 8 {
            return Err(Failure::unsupported("a key that is not of 8 bytes"));
        }
        // SAFETY: the function reads 8 bytes of key and writes a key schedule.
        unsafe { (self.set_key)(key.as_ptr(), &mut self.schedule) };
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        if message.input.len() != 8 {
            return Err(Failure::unsupported("anything but one block"));
        }
        // SAFETY: the input is a block, the output has room for a block, and the schedule is
        // valid.
        unsafe {
            (self.encrypt)(
                message.input.as_ptr(),
                output.as_mut_ptr(),
                &mut self.schedule,
                1,
            );
        }
        Ok(8)
    }
}

fn crypt(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let fcrypt = ssl.api.DES_fcrypt?;
    if [&work.key, &work.input, &work.nonce]
        .iter()
        .any(|data| data.to_vec().contains(&0))
    {
        return Some(Err(Failure::unsupported("a NUL in a C string")));
    }
    let mut phrase = if work.key.is_empty() {
        work.input.to_vec()
    } else {
        work.key.to_vec()
    };
    phrase.push(0);
    Some(Ok(Cell::new(move || {
        Ok(Crypt {
            fcrypt,
            phrase: phrase.clone(),
        })
    })))
}

struct Crypt {
    fcrypt: unsafe extern "C" fn(*const c_char, *const c_char, *mut c_char) -> *mut c_char,
    /// The phrase with a NUL at its end, because the function takes a C string.
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

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let mut setting = [0_u8; 3];
        let given = message.nonce.len().min(2);
        setting[..given].copy_from_slice(&message.nonce[..given]);
        let mut hash = [0 as c_char; 14];
        // SAFETY: both strings end in a NUL, and the buffer has the 14 bytes that DES_fcrypt
        // writes.
        let text = unsafe {
            let answer = (self.fcrypt)(
                self.phrase.as_ptr().cast(),
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
