//! Keys in the library's form.
#![allow(unsafe_code)]

use std::ptr;

use aws_lc_sys::*;
use touchstone_worker::{Failure, Owned};

use crate::digest::Md;

/// Bytes of a key of Ed25519 and of X25519.
pub(crate) const KEY: usize = 32;

/// A key, and what a program keeps with it.
pub(crate) enum Key {
    /// Seed and public key, the library's form of a private key.
    Ed25519([u8; 2 * KEY]),
    Ed25519Public([u8; KEY]),
    /// The factor and the point.
    X25519([u8; KEY], [u8; KEY]),
    /// A context, a key, the hash, and whether the padding is PSS. A scheme that hashes itself has
    /// no hash.
    Signature(Owned<EVP_MD_CTX>, Owned<EVP_PKEY>, Option<Md>, bool),
    /// A context with the key.
    Encryption(Owned<EVP_PKEY_CTX>),
    /// A context with the key, and the other side's key.
    Agreement(Owned<EVP_PKEY_CTX>, Owned<EVP_PKEY>),
    /// A context with the key, and the length of a ciphertext.
    Encapsulation(Owned<EVP_PKEY_CTX>, usize),
}

/// Makes a context with a key.
pub(crate) fn context(key: &Owned<EVP_PKEY>) -> Result<Owned<EVP_PKEY_CTX>, Failure> {
    // SAFETY: the key is live, and the context takes a reference to it. The context's owner frees it.
    unsafe {
        Owned::new(
            EVP_PKEY_CTX_new(key.object, ptr::null_mut()),
            EVP_PKEY_CTX_free,
        )
    }
}
