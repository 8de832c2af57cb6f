//! Key derivation: scrypt, Argon2, and HKDF since version 1.0.19.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Failure, Message, Plan, Work, Written};

use crate::ffi::{Api, Argon2, Expand, Extract, Sodium, ok};

#[derive(Clone, Copy)]
enum Kind {
    /// scrypt: the costs N, r and p.
    Scrypt(u64, u32, u32),
    /// Argon2: the function, the algorithm's number, the passes, the memory in bytes.
    Argon2(Argon2, c_int, u64, usize),
    /// HKDF: the functions for extract and expand, and the hash's length in bytes.
    Hkdf(Extract, Expand, usize),
}

impl Kind {
    /// Returns the function with costs of zero, to be replaced by the work's costs.
    fn find(api: &Api, primitive: &str) -> Option<Self> {
        Some(match primitive {
            "scrypt" => Self::Scrypt(0, 0, 0),
            "argon2i" => Self::Argon2(api.crypto_pwhash_argon2i, 1, 0, 0),
            "argon2id" => Self::Argon2(api.crypto_pwhash_argon2id, 2, 0, 0),
            "hkdf-sha-256" => Self::Hkdf(
                api.crypto_kdf_hkdf_sha256_extract?,
                api.crypto_kdf_hkdf_sha256_expand?,
                32,
            ),
            "hkdf-sha-512" => Self::Hkdf(
                api.crypto_kdf_hkdf_sha512_extract?,
                api.crypto_kdf_hkdf_sha512_expand?,
                64,
            ),
            _ => return None,
        })
    }

    /// Returns the function with the work's costs.
    fn fit(self, work: &Work, length: usize) -> Result<Self, Failure> {
        let number = |name: &str| work.cost(name).unwrap_or(1);
        let refuse = |what: String| Err(Failure::Unsupported(what));
        match self {
            Self::Scrypt(..) => {
                let (n, r, p) = (number("n"), number("r"), number("p"));
                let (Ok(r32), Ok(p32)) = (u32::try_from(r), u32::try_from(p)) else {
                    return refuse(format!("r = {r}, p = {p}"));
                };
                if n < 2 || !n.is_power_of_two() || r == 0 || p == 0 {
                    return refuse(format!("n = {n}, r = {r}, p = {p}"));
                }
                Ok(Self::Scrypt(n, r32, p32))
            }
            Self::Argon2(run, algorithm, ..) => {
                let (passes, memory) = (number("iterations"), number("memory"));
                let least = if algorithm == 1 { 3 } else { 1 };
                if number("lanes") != 1 {
                    refuse("more than one lane".into())
                } else if passes < least {
                    refuse(format!("{passes} passes"))
                } else if memory < 8 {
                    refuse(format!("{memory} KiB"))
                } else if work.nonce.len() != 16 {
                    refuse(format!("a salt of {} bytes", work.nonce.len()))
                } else if length < 16 {
                    refuse(format!("an output of {length} bytes"))
                } else if !work.key.is_empty() || !work.aad.is_empty() {
                    refuse("a secret or associated data".into())
                } else {
                    Ok(Self::Argon2(run, algorithm, passes, memory as usize * 1024))
                }
            }
            Self::Hkdf(.., hash) if length > 255 * hash => {
                refuse(format!("an output of {length} bytes"))
            }
            Self::Hkdf(..) => Ok(self),
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Kdf {
    api: Api,
    kind: Kind,
    length: usize,
}

impl Plan for Kdf {
    type Library = Sodium;
    type Object = ();
    const OPERATIONS: &'static [&'static str] = &["derive"];

    fn find(sodium: &Sodium, primitive: &str, operation: &str) -> Option<Self> {
        let (api, kind, length) = (sodium.api, Kind::find(&sodium.api, primitive)?, 32);
        (operation == "derive").then_some(Self { api, kind, length })
    }

    fn api(&self, primitive: &str, _: &str) -> String {
        match self.kind {
            Kind::Scrypt(..) => "crypto_pwhash_scryptsalsa208sha256_ll".into(),
            Kind::Argon2(..) => format!("crypto_pwhash_{primitive}"),
            Kind::Hkdf(.., 32) => "crypto_kdf_hkdf_sha256_extract, expand".into(),
            Kind::Hkdf(..) => "crypto_kdf_hkdf_sha512_extract, expand".into(),
        }
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.length = work.length.unwrap_or(self.length);
        self.kind = self.kind.fit(work, self.length)?;
        Ok(self)
    }

    fn make(&self) -> Result<(), Failure> {
        Ok(())
    }

    fn process(&self, (): &mut (), message: &Message<'_>, output: &mut [u8]) -> Written {
        let (input, given) = (message.input.as_ptr(), message.input.len());
        let (salt, salt_bytes) = (message.nonce.as_ptr(), message.nonce.len());
        let (to, length) = (output.as_mut_ptr(), self.length);
        // SAFETY: each length is the length of its slice, Argon2's salt has 16 bytes, and the
        // worker's output has room for the requested length.
        unsafe {
            match self.kind {
                Kind::Scrypt(n, r, p) => {
                    let run = self.api.crypto_pwhash_scryptsalsa208sha256_ll;
                    let code = run(input, given, salt, salt_bytes, n, r, p, to, length);
                    ok("scrypt", code)?;
                }
                Kind::Argon2(run, algorithm, passes, bytes) => {
                    let (phrase, made, n) = (input.cast(), length as u64, given as u64);
                    let code = run(to, made, phrase, n, salt, passes, bytes, algorithm);
                    ok("crypto_pwhash", code)?;
                }
                Kind::Hkdf(extract, expand, _) => {
                    let mut key = [0; 64];
                    let key = key.as_mut_ptr();
                    ok("extract", extract(key, salt, salt_bytes, input, given))?;
                    let info = message.aad;
                    let code = expand(to, length, info.as_ptr().cast(), info.len(), key);
                    ok("expand", code)?;
                }
            }
        }
        Ok(length)
    }
}
