//! Key derivation by `gcry_kdf_derive`, and, since version 1.10, by `gcry_kdf_open` to
//! `gcry_kdf_close`.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_ulong, c_void};
use std::ptr;

use touchstone_worker::{Derivation, Failure, Message, Plan, Work, Written};

use crate::digest::{HASHES, bytes};
use crate::ffi::{Api, Gcrypt, Open, works};

#[derive(Clone, Copy)]
enum Kind {
    /// PBKDF2: the number of the digest, the iterations.
    Pbkdf2(c_int, c_ulong),
    /// scrypt: the costs N and p. The cost r is always 8.
    Scrypt(c_int, c_ulong),
    /// Argon2: the number of the variant; the passes, the memory in KiB and the lanes.
    Argon2(c_int, [c_ulong; 3]),
    /// HKDF: the number of the HMAC.
    Hkdf(c_int),
}

impl Kind {
    /// Returns the function with the costs for a trial.
    fn find(primitive: &str) -> Option<Self> {
        let hash = |id: &str| HASHES.iter().find(|(known, ..)| *known == id);
        Some(match Derivation::named(primitive)? {
            Derivation::Pbkdf2(id) => Self::Pbkdf2(hash(id)?.1, 1),
            Derivation::Hkdf(id) => Self::Hkdf(hash(id)?.2),
            Derivation::Scrypt => Self::Scrypt(2, 1),
            Derivation::Argon2("d") => Self::Argon2(0, [1, 8, 1]),
            Derivation::Argon2("i") => Self::Argon2(1, [1, 8, 1]),
            Derivation::Argon2(_) => Self::Argon2(2, [1, 8, 1]),
        })
    }

    /// Returns the function with the work's costs.
    fn fit(self, work: &Work) -> Result<Self, Failure> {
        let number = |name| work.factor::<c_ulong>(name);
        Ok(match self {
            Self::Pbkdf2(digest, _) => Self::Pbkdf2(digest, number("iterations")?),
            Self::Hkdf(mac) => Self::Hkdf(mac),
            Self::Argon2(variant, _) => Self::Argon2(
                variant,
                [number("iterations")?, number("memory")?, number("lanes")?],
            ),
            Self::Scrypt(..) => {
                let (n, r, p) = (number("n")?, number("r")?, number("p")?);
                if r != 8 {
                    return Err(Failure::unsupported("an r that is not 8"));
                }
                let n = c_int::try_from(n)
                    .ok()
                    .filter(|n| *n > 1 && n.count_ones() == 1)
                    .ok_or_else(|| Failure::unsupported(format_args!("n = {n}")))?;
                Self::Scrypt(n, p)
            }
        })
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Kdf {
    api: Api,
    kind: Kind,
    length: usize,
}

impl Plan for Kdf {
    type Library = Gcrypt;
    /// The secret of Argon2.
    type Object = Vec<u8>;
    const OPERATIONS: &'static [&'static str] = &["derive"];

    fn find(gcrypt: &Gcrypt, primitive: &str, operation: &str) -> Option<Self> {
        let (api, kind, length) = (gcrypt.api, Kind::find(primitive)?, 32);
        if let Kind::Pbkdf2(digest, _) = kind
            && bytes(api, digest) == 0
        {
            return None;
        }
        let plan = Self { api, kind, length };
        let message = Message {
            nonce: &[1; 16],
            input: &[2; 16],
            ..Message::default()
        };
        (operation == "derive" && works(plan, 0, &message)).then_some(plan)
    }

    fn api(&self, _: &str, _: &str) -> String {
        match self.kind {
            Kind::Pbkdf2(..) | Kind::Scrypt(..) => "gcry_kdf_derive",
            Kind::Argon2(..) | Kind::Hkdf(_) => "gcry_kdf_open, compute, final, close",
        }
        .into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        match self.kind {
            Kind::Scrypt(..) => "r is always 8",
            Kind::Argon2(..) => "lanes one after the other",
            _ => "",
        }
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.kind = self.kind.fit(work)?;
        self.length = work.length.unwrap_or(32);
        Ok(self)
    }

    fn make(&self) -> Result<Vec<u8>, Failure> {
        Ok(Vec::new())
    }

    fn set_key(&self, kept: &mut Vec<u8>, key: &[u8]) -> Result<(), Failure> {
        key.clone_into(kept);
        Ok(())
    }

    fn process(&self, key: &mut Vec<u8>, message: &Message<'_>, output: &mut [u8]) -> Written {
        const PBKDF2: c_int = 34;
        const SCRYPT: c_int = 48;
        const ARGON2: c_int = 64;
        const HKDF: c_int = 98;
        let length = self.length as c_ulong;
        let (input, salt, data) = (message.input, message.nonce, message.aad);
        match self.kind {
            Kind::Pbkdf2(digest, iterations) => {
                self.derive(message, output, [PBKDF2, digest], iterations)?;
            }
            Kind::Scrypt(n, p) => self.derive(message, output, [SCRYPT, n], p)?,
            Kind::Argon2(variant, [passes, memory, lanes]) => {
                let costs = [length, passes, memory, lanes];
                let strings = [input, salt, key, data];
                self.compute(strings, output, [ARGON2, variant], &costs)?;
            }
            // HKDF uses the salt as the key of its first HMAC, and so does this interface.
            Kind::Hkdf(mac) => {
                let strings = [input, &[], salt, data];
                self.compute(strings, output, [HKDF, mac], &[length])?;
            }
        }
        Ok(self.length)
    }
}

impl Kdf {
    /// Derives a key by `gcry_kdf_derive`.
    fn derive(
        &self,
        message: &Message<'_>,
        output: &mut [u8],
        [kdf, below]: [c_int; 2],
        iterations: c_ulong,
    ) -> Result<(), Failure> {
        let (run, length, to) = (self.api.gcry_kdf_derive, self.length, output.as_mut_ptr());
        let (input, given) = (message.input.as_ptr(), message.input.len());
        let (salt, salted) = (message.nonce.as_ptr(), message.nonce.len());
        // SAFETY: each length is the length of its slice, and the worker's output has room for
        // the requested length.
        let error = unsafe {
            run(
                input, given, kdf, below, salt, salted, iterations, length, to,
            )
        };
        self.api.ok("gcry_kdf_derive", error)
    }

    /// Derives a key by `gcry_kdf_open`, `gcry_kdf_compute`, `gcry_kdf_final`,
    /// `gcry_kdf_close`.
    fn compute(
        &self,
        [input, salt, key, data]: [&[u8]; 4],
        output: &mut [u8],
        [kdf, below]: [c_int; 2],
        costs: &[c_ulong],
    ) -> Result<(), Failure> {
        let api = &self.api;
        let (Some(open), Some(compute), Some(finish), Some(close)) = (
            api.gcry_kdf_open,
            api.gcry_kdf_compute,
            api.gcry_kdf_final,
            api.gcry_kdf_close,
        ) else {
            return Err(Failure::unsupported("before libgcrypt 1.10"));
        };
        let mut handle: *mut c_void = ptr::null_mut();
        // SAFETY: each length is the length of its slice, and the slices outlive the handle. A
        // successful call writes the handle, and its owner frees the handle. NULL means that no
        // threads are used. The worker's output has room for the requested length.
        unsafe {
            let error = open(
                &mut handle,
                kdf,
                below,
                costs.as_ptr(),
                costs.len() as u32,
                input.as_ptr(),
                input.len(),
                salt.as_ptr(),
                salt.len(),
                key.as_ptr(),
                key.len(),
                data.as_ptr(),
                data.len(),
            );
            api.ok("gcry_kdf_open", error)?;
            let open = Open::new(handle, close)?;
            api.ok("gcry_kdf_compute", compute(open.object, ptr::null()))?;
            let error = finish(open.object, self.length, output.as_mut_ptr());
            api.ok("gcry_kdf_final", error)
        }
    }
}
