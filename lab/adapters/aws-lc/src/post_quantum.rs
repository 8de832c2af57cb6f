//! ML-KEM and ML-DSA.
#![allow(unsafe_code)]

use std::ptr;

use aws_lc_sys::*;
use touchstone_worker::public::{Pair, Scheme, Use, unreadable};
use touchstone_worker::{Failure, Owned};

use crate::key::{Key, context};
use crate::ok;

/// Rows: the parameter set, and the library's number of it.
const SETS: &[(&str, i32)] = &[
    ("ml-kem-512", NID_MLKEM512),
    ("ml-kem-768", NID_MLKEM768),
    ("ml-kem-1024", NID_MLKEM1024),
    ("ml-dsa-44", NID_MLDSA44),
    ("ml-dsa-65", NID_MLDSA65),
    ("ml-dsa-87", NID_MLDSA87),
];

/// Returns the library's number of a parameter set.
fn set(name: &str) -> Option<i32> {
    let (_, number) = SETS.iter().find(|(id, _)| *id == name)?;
    Some(*number)
}

fn is_kem(name: &str) -> bool {
    name.starts_with("ml-kem-")
}

pub(crate) fn api(name: &str, what: Use) -> Option<&'static str> {
    set(name)?;
    match (is_kem(name), what) {
        (true, Use::Encapsulate) => Some("EVP_PKEY_encapsulate"),
        (true, Use::Decapsulate) => Some("EVP_PKEY_decapsulate"),
        (true, Use::Generate) => Some("RAND_bytes, EVP_PKEY_keygen_deterministic"),
        (false, Use::Generate) => Some("EVP_PKEY_keygen"),
        (false, Use::Sign) => Some("EVP_DigestSignInit, EVP_DigestSign"),
        (false, Use::Verify) => Some("EVP_DigestVerifyInit, EVP_DigestVerify"),
        _ => None,
    }
}

/// Makes a context that makes keys of a parameter set.
fn maker(name: &str) -> Result<Owned<EVP_PKEY_CTX>, Failure> {
    let number = set(name).ok_or_else(unreadable)?;
    let kind = if is_kem(name) {
        EVP_PKEY_KEM
    } else {
        EVP_PKEY_PQDSA
    };
    // SAFETY: NULL means that there is no engine, and the context's owner frees it.
    unsafe {
        let context = Owned::new(
            EVP_PKEY_CTX_new_id(kind, ptr::null_mut()),
            EVP_PKEY_CTX_free,
        )?;
        let at = context.object;
        if is_kem(name) {
            let code = EVP_PKEY_CTX_kem_set_params(at, number);
            ok("EVP_PKEY_CTX_kem_set_params", code)?;
        } else {
            let code = EVP_PKEY_CTX_pqdsa_set_params(at, number);
            ok("EVP_PKEY_CTX_pqdsa_set_params", code)?;
        }
        ok("EVP_PKEY_keygen_init", EVP_PKEY_keygen_init(at))?;
        Ok(context)
    }
}

/// Makes a key pair of ML-KEM from its seed.
fn from_seed(name: &str, seed: &[u8]) -> Result<Owned<EVP_PKEY>, Failure> {
    let (context, mut made, mut length) = (maker(name)?, ptr::null_mut(), seed.len());
    // SAFETY: the context is live, the length is the slice's, and the key's owner frees it.
    unsafe {
        let make = EVP_PKEY_keygen_deterministic;
        let code = make(context.object, &mut made, seed.as_ptr(), &mut length);
        ok("EVP_PKEY_keygen_deterministic", code)?;
        Owned::new(made, EVP_PKEY_free)
    }
}

pub(crate) fn read(name: &str, what: Use, key: &[u8]) -> Result<Key, Failure> {
    let number = set(name).ok_or_else(unreadable)?;
    let (at, length) = (key.as_ptr(), key.len());
    // SAFETY: the length is the slice's, and the owners free the new objects.
    unsafe {
        let own = |made: *mut EVP_PKEY| {
            if made.is_null() {
                ERR_clear_error();
                return Err(unreadable());
            }
            Owned::new(made, EVP_PKEY_free)
        };
        let key = match what {
            Use::Encapsulate => own(EVP_PKEY_kem_new_raw_public_key(number, at, length))?,
            Use::Decapsulate => from_seed(name, key)?,
            Use::Verify => own(EVP_PKEY_pqdsa_new_raw_public_key(number, at, length))?,
            _ => own(EVP_PKEY_pqdsa_new_raw_private_key(number, at, length))?,
        };
        if is_kem(name) {
            let ciphertext = Scheme::PostQuantum(name).answer_bytes();
            return Ok(Key::Encapsulation(context(&key)?, ciphertext));
        }
        let context = Owned::new(EVP_MD_CTX_new(), EVP_MD_CTX_free)?;
        Ok(Key::Signature(context, key, None, false))
    }
}

/// A new key pair, and its seed if the worker made it.
struct Made {
    key: Owned<EVP_PKEY>,
    seed: Option<[u8; SEED]>,
}

/// The bytes of a seed of ML-KEM.
const SEED: usize = 64;

/// Asks for bytes of a key, whose length the first of two calls returns.
fn bytes_of(
    get: unsafe extern "C" fn(*const EVP_PKEY, *mut u8, *mut usize) -> i32,
    key: &Owned<EVP_PKEY>,
) -> Result<Vec<u8>, Failure> {
    let mut length = 0;
    // SAFETY: the key is live, NULL asks for the length, and then there is room for so many bytes.
    unsafe {
        ok(
            "the length of a key",
            get(key.object, ptr::null_mut(), &mut length),
        )?;
        let mut bytes = vec![0; length];
        ok(
            "the bytes of a key",
            get(key.object, bytes.as_mut_ptr(), &mut length),
        )?;
        bytes.truncate(length);
        Ok(bytes)
    }
}

impl Pair for Made {
    fn public(&self) -> Result<Vec<u8>, Failure> {
        bytes_of(EVP_PKEY_get_raw_public_key, &self.key)
    }

    fn private(&self) -> Result<Vec<u8>, Failure> {
        match &self.seed {
            Some(seed) => Ok(seed.to_vec()),
            None => bytes_of(EVP_PKEY_get_private_seed, &self.key),
        }
    }
}

/// Makes a key pair. The library's own generation of ML-KEM keys keeps no seed, so the worker makes
/// one.
pub(crate) fn generate(name: &str) -> Result<Box<dyn Pair>, Failure> {
    if is_kem(name) {
        let mut seed = [0; SEED];
        // SAFETY: the length is the array's.
        ok("RAND_bytes", unsafe { RAND_bytes(seed.as_mut_ptr(), SEED) })?;
        let key = from_seed(name, &seed)?;
        return Ok(Box::new(Made {
            key,
            seed: Some(seed),
        }));
    }
    let (context, mut made) = (maker(name)?, ptr::null_mut());
    // SAFETY: the context is live, and the key's owner frees it.
    let key = unsafe {
        ok(
            "EVP_PKEY_keygen",
            EVP_PKEY_keygen(context.object, &mut made),
        )?;
        Owned::new(made, EVP_PKEY_free)?
    };
    Ok(Box::new(Made { key, seed: None }))
}
