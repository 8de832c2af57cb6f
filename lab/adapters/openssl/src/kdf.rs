//! Key derivation by `EVP_KDF_derive`.
#![allow(unsafe_code)]

use touchstone_worker::{Derivation, Failure, Message, Plan, Work, Written, c_string};

use crate::digest::HASHES;
use crate::ffi::{Api, Context, Fetched, OpenSsl, Param};

#[derive(Clone, Copy)]
enum Kind {
    Pbkdf2(&'static str),
    Hkdf(&'static str),
    Scrypt,
    Argon2,
}

#[derive(Clone, Copy)]
pub(crate) struct Kdf {
    api: Api,
    kdf: Fetched,
    kind: Kind,
    /// The costs: iterations, N, r, p, memory and lanes.
    costs: [u64; 6],
    length: usize,
}

impl Plan for Kdf {
    type Library = OpenSsl;
    /// The context, and Argon2's secret (RFC 9106, section 3.1).
    type Object = (Context, Vec<u8>);
    const OPERATIONS: &'static [&'static str] = &["derive"];

    fn find(ssl: &OpenSsl, primitive: &str, operation: &str) -> Option<Self> {
        let hash = |id: &str| {
            let (_, name) = HASHES.iter().find(|(known, _)| *known == id)?;
            ssl.fetch(ssl.api.EVP_MD_fetch, name).map(|_| *name)
        };
        let (kind, name) = match Derivation::named(primitive)? {
            Derivation::Pbkdf2(id) => (Kind::Pbkdf2(hash(id)?), "PBKDF2"),
            Derivation::Hkdf(id) => (Kind::Hkdf(hash(id)?), "HKDF"),
            Derivation::Scrypt => (Kind::Scrypt, "SCRYPT"),
            Derivation::Argon2("d") => (Kind::Argon2, "ARGON2D"),
            Derivation::Argon2("i") => (Kind::Argon2, "ARGON2I"),
            Derivation::Argon2(_) => (Kind::Argon2, "ARGON2ID"),
        };
        let (api, kdf) = (ssl.api, ssl.fetch(ssl.api.EVP_KDF_fetch, name)?);
        let (costs, length) = ([1; 6], 32);
        (operation == "derive").then_some(Self {
            api,
            kdf,
            kind,
            costs,
            length,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "EVP_KDF_derive".into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let names = ["iterations", "n", "r", "p", "memory", "lanes"];
        self.costs = names.map(|name| work.cost(name).unwrap_or(1));
        self.length = work.length.unwrap_or(32);
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        let (api, kdf) = (&self.api, self.kdf.get());
        // SAFETY: the context is new, and its owner frees it. The KDF was fetched.
        let context = unsafe { Context::new((api.EVP_KDF_CTX_new)(kdf), api.EVP_KDF_CTX_free)? };
        Ok((context, Vec::new()))
    }

    fn set_key(&self, (_, secret): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        key.clone_into(secret);
        Ok(())
    }

    fn process(
        &self,
        object: &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let (context, secret) = object;
        let Message {
            input, nonce, aad, ..
        } = *message;
        let [iterations, n, r, p, memory, lanes] = &self.costs;
        // The parameter "pkcs5" with the value 1 disables the lower bounds of SP 800-132, which
        // are a policy and not part of PBKDF2.
        let no_policy = 1;
        // scrypt's default limit of memory (32 MiB) is below common costs.
        let most = 1 << 32;
        let digest;
        let params = match self.kind {
            Kind::Pbkdf2(hash) => {
                digest = c_string(hash);
                vec![
                    Param::octets(c"pass", input),
                    Param::octets(c"salt", nonce),
                    Param::number(c"iter", iterations),
                    Param::number(c"pkcs5", &no_policy),
                    Param::text(c"digest", &digest),
                    Param::end(),
                ]
            }
            Kind::Hkdf(hash) => {
                digest = c_string(hash);
                vec![
                    Param::text(c"digest", &digest),
                    Param::octets(c"key", input),
                    Param::octets(c"salt", nonce),
                    Param::octets(c"info", aad),
                    Param::end(),
                ]
            }
            Kind::Scrypt => vec![
                Param::octets(c"pass", input),
                Param::octets(c"salt", nonce),
                Param::number(c"n", n),
                Param::number(c"r", r),
                Param::number(c"p", p),
                Param::number(c"maxmem_bytes", &most),
                Param::end(),
            ],
            Kind::Argon2 => vec![
                Param::octets(c"pass", input),
                Param::octets(c"salt", nonce),
                Param::number(c"iter", iterations),
                Param::number(c"memcost", memory),
                Param::number(c"lanes", lanes),
                Param::octets(c"secret", secret),
                Param::octets(c"ad", aad),
                Param::end(),
            ],
        };
        let (to, params) = (output.as_mut_ptr(), params.as_ptr());
        // SAFETY: the list has its end mark, the values outlive the call, and the worker's
        // output has room for the requested length.
        let code = unsafe { (self.api.EVP_KDF_derive)(context.object, to, self.length, params) };
        self.api.ok("EVP_KDF_derive", code)?;
        Ok(self.length)
    }
}
