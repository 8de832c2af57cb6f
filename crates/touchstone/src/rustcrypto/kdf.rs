//! The traits `Kdf` and `Pbkdf` of `kdf` 0.1, for the functions of [`kdf`].
//!
//! A function of `kdf` has two inputs: a secret, and an input that need not be secret. The
//! types below hold the other inputs of the functions.
//!
//! | type | input that need not be secret | `Pbkdf` |
//! |---|---|---|
//! | [`Hkdf`] | the purpose, which RFC 5869 names `info` | |
//! | [`Kdf1`] [`Kdf2`] [`Kdf3`] | the purpose | |
//! | [`CounterMode`] [`FeedbackMode`] [`DoublePipelineMode`] | the context | |
//! | [`Pbkdf1`] [`SaltedS2k`] [`IteratedS2k`] | the salt, 8 bytes | yes |
//! | [`Pbkdf2`] `BcryptPbkdf` `Scrypt` `Argon2` | the salt | yes |
//!
//! A call returns the error of the trait where the function of this crate returns a
//! [`KdfError`](crate::kdf::KdfError). The output is then unchanged.
//!
//! ```
//! use kdf::Kdf;
//! use touchstone::hash::Sha256;
//! use touchstone::rustcrypto::kdf::Hkdf;
//!
//! let mut key = [0; 16];
//! Hkdf::<Sha256>::new(b"salt").derive_key(&[0x42; 32], b"client writes", &mut key)?;
//! # Ok::<(), kdf::Error>(())
//! ```

use core::fmt;
use core::marker::PhantomData;

use ::kdf::{Error, Kdf, Pbkdf, Result};

use crate::kdf::{self, counted, s2k, sp800_108};
use crate::{HashFunction, Mac};

/// Writes a type for each function. The arguments are: the type with its parameters, the bound
/// of the parameters, the hash function or the MAC, the inputs that the type holds, the word
/// `password` if the secret may be a password, and the call.
macro_rules! functions {
    ($(
        $(#[doc = $doc:literal])+
        $(#[cfg($($cfg:tt)*)])?
        $Type:ident [$($parameter:tt)*] [$($bound:tt)*] over $Over:ty {
            $($field:ident: $Field:ty),* $(,)?
        } $($password:ident)?
        |$this:ident, $secret:ident, $other:ident, $key:ident| $call:expr;
    )*) => {$(
        $(#[doc = $doc])+
        $(#[cfg($($cfg)*)])?
        pub struct $Type<$($parameter)*> {
            $($field: $Field,)*
            over: PhantomData<fn() -> $Over>,
        }

        $(#[cfg($($cfg)*)])?
        impl<$($parameter)*> $Type<$($parameter)*> {
            /// Holds the inputs that are not inputs of a call.
            #[allow(clippy::new_without_default, reason = "most functions have no default inputs")]
            #[must_use]
            pub const fn new($($field: $Field),*) -> Self {
                Self { $($field,)* over: PhantomData }
            }
        }

        $(#[cfg($($cfg)*)])?
        impl<$($parameter)*> Clone for $Type<$($parameter)*> {
            fn clone(&self) -> Self {
                *self
            }
        }

        $(#[cfg($($cfg)*)])?
        impl<$($parameter)*> Copy for $Type<$($parameter)*> {}

        $(#[cfg($($cfg)*)])?
        impl<$($parameter)*> fmt::Debug for $Type<$($parameter)*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut shown = f.debug_struct(stringify!($Type));
                $(shown.field(stringify!($field), &self.$field);)*
                shown.finish()
            }
        }

        $(#[cfg($($cfg)*)])?
        impl<$($parameter)*> Kdf for $Type<$($parameter)*> where $($bound)* {
            fn derive_key(&self, $secret: &[u8], $other: &[u8], $key: &mut [u8]) -> Result<()> {
                let $this = self;
                $call.map_err(|_| Error)
            }
        }

        functions!(@ $($password)? $(#[cfg($($cfg)*)])? [$($parameter)*] $Type<$($parameter)*>, $($bound)*);
    )*};
    (@ password $(#[cfg($($cfg:tt)*)])? [$($parameter:tt)*] $Type:ty, $($bound:tt)*) => {
        $(#[cfg($($cfg)*)])?
        impl<$($parameter)*> Pbkdf for $Type where $($bound)* {}
    };
    (@ $($none:tt)*) => {};
}

functions! {
    /// [`hkdf`](kdf::hkdf()) with a salt, which may be empty.
    Hkdf ['a, H] [H: HashFunction] over H { salt: &'a [u8] }
    |this, secret, purpose, key| kdf::hkdf::<H>(secret, this.salt, purpose, key);

    /// [`kdf1`](counted::kdf1).
    Kdf1 [H] [H: HashFunction] over H {}
    |_this, secret, purpose, key| counted::kdf1::<H>(secret, purpose, key);

    /// [`kdf2`](counted::kdf2).
    Kdf2 [H] [H: HashFunction] over H {}
    |_this, secret, purpose, key| counted::kdf2::<H>(secret, purpose, key);

    /// [`kdf3`](counted::kdf3).
    Kdf3 [H] [H: HashFunction] over H {}
    |_this, secret, purpose, key| counted::kdf3::<H>(secret, purpose, key);

    /// [`counter_mode`](sp800_108::counter_mode) with a label.
    CounterMode ['a, M] [M: Mac] over M { label: &'a [u8] }
    |this, secret, context, key| {
        sp800_108::counter_mode::<M>(secret, this.label, context, key)
    };

    /// [`feedback_mode`](sp800_108::feedback_mode) with an IV and a label.
    FeedbackMode ['a, M] [M: Mac] over M { iv: &'a [u8], label: &'a [u8] }
    |this, secret, context, key| {
        sp800_108::feedback_mode::<M>(secret, this.iv, this.label, context, key)
    };

    /// [`double_pipeline_mode`](sp800_108::double_pipeline_mode) with a label.
    DoublePipelineMode ['a, M] [M: Mac] over M { label: &'a [u8] }
    |this, secret, context, key| {
        sp800_108::double_pipeline_mode::<M>(secret, this.label, context, key)
    };

    /// [`pbkdf1`](kdf::pbkdf1) with a number of iterations. **Only for old data.**
    Pbkdf1 [H] [H: HashFunction] over H { iterations: u32 } password
    |this, password, salt, key| match salt.try_into() {
        Ok(salt) => kdf::pbkdf1::<H>(password, salt, this.iterations, key),
        Err(_) => return Err(Error),
    };

    /// [`pbkdf2`](kdf::pbkdf2) with a number of iterations.
    Pbkdf2 [M] [M: Mac + Clone] over M { iterations: u32 } password
    |this, password, salt, key| kdf::pbkdf2::<M>(password, salt, this.iterations, key);

    /// [`salted`](s2k::salted), the salted S2K of OpenPGP. **Only for old data.**
    SaltedS2k [H] [H: HashFunction] over H {} password
    |_this, password, salt, key| {
        salt.try_into().map(|salt| s2k::salted::<H>(password, salt, key))
    };

    /// [`iterated`](s2k::iterated), the iterated and salted S2K of OpenPGP, with the number of
    /// bytes to hash.
    IteratedS2k [H] [H: HashFunction] over H { bytes: u32 } password
    |this, password, salt, key| {
        salt.try_into().map(|salt| s2k::iterated::<H>(password, salt, this.bytes, key))
    };

    /// [`bcrypt_pbkdf`](kdf::bcrypt_pbkdf()) with a number of iterations.
    #[cfg(all(feature = "blowfish", feature = "sha2"))]
    BcryptPbkdf [] [] over () { iterations: u32 } password
    |this, password, salt, key| kdf::bcrypt_pbkdf(password, salt, this.iterations, key);

    /// [`scrypt`](kdf::scrypt()) with its costs N, r and p.
    #[cfg(all(feature = "alloc", feature = "sha2"))]
    Scrypt [] [] over () { n: u64, r: u32, p: u32 } password
    |this, password, salt, key| kdf::scrypt(password, salt, this.n, this.r, this.p, key);

    /// [`argon2`](kdf::argon2::argon2) with its variant, costs, secret and data.
    #[cfg(feature = "argon2")]
    Argon2 ['a] [] over () { variant: kdf::argon2::Variant, costs: kdf::argon2::Costs<'a> } password
    |this, password, salt, key| {
        kdf::argon2::argon2(this.variant, password, salt, &this.costs, key)
    };
}
