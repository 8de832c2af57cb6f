//! Key derivation by `botan_pwdhash` (PBKDF2, scrypt, Argon2) and by `botan_kdf` (HKDF).
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::sync::Arc;

use touchstone_worker::{Derivation, Failure, Message, Plan, Work, Written};

use crate::digest::hash;
use crate::ffi::{Api, name};
use crate::library::Botan;

#[derive(Clone)]
pub(crate) struct Derive {
    api: Api,
    name: Arc<CStr>,
    hkdf: bool,
    costs: [usize; 3],
    length: usize,
}

impl Plan for Derive {
    type Library = Botan;
    type Object = ();
    const OPERATIONS: &'static [&'static str] = &["derive"];

    fn find(botan: &Botan, primitive: &str, operation: &str) -> Option<Self> {
        if operation != "derive" {
            return None;
        }
        let derivation = Derivation::named(primitive)?;
        // The C interface cannot tell whether the library has a derivation. So the worker makes
        // a call of least cost for each derivation when it starts.
        let (text, costs) = match derivation {
            Derivation::Pbkdf2(id) => (format!("PBKDF2({})", hash(botan, id)?), [1, 0, 0]),
            Derivation::Hkdf(id) => (format!("HKDF({})", hash(botan, id)?), [0; 3]),
            Derivation::Scrypt => ("Scrypt".to_owned(), [2, 1, 1]),
            Derivation::Argon2(variant) => (format!("Argon2{variant}"), [8, 1, 1]),
        };
        let plan = Self {
            api: botan.api,
            name: name(&text).into(),
            hkdf: matches!(derivation, Derivation::Hkdf(_)),
            costs,
            length: 16,
        };
        let message = Message {
            nonce: &[0; 16],
            input: &[0; 16],
            ..Message::default()
        };
        plan.call(&message, &mut [0; 16]).ok().map(|()| plan)
    }

    fn api(&self, _: &str, _: &str) -> String {
        if self.hkdf {
            "botan_kdf"
        } else {
            "botan_pwdhash"
        }
        .into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        "the call looks its algorithm up by name"
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let number = |name| usize::try_from(work.cost(name).unwrap_or(1)).unwrap_or(usize::MAX);
        self.costs = match Derivation::of(work) {
            Some(Derivation::Pbkdf2(_)) => [number("iterations"), 0, 0],
            Some(Derivation::Scrypt) => [number("n"), number("r"), number("p")],
            Some(Derivation::Argon2(_)) => {
                [number("memory"), number("iterations"), number("lanes")]
            }
            _ => [0; 3],
        };
        // The C interface has no parameters for Argon2's secret and associated data.
        work.need_key(0)?;
        if !self.hkdf {
            work.need_aad(0)?;
            // Botan takes a count of 0 as the request to choose a count itself.
            if self.costs[0] == 0 {
                return Err(Failure::unsupported("a cost of 0"));
            }
        }
        self.length = work.length.unwrap_or(32);
        Ok(self)
    }

    fn make(&self) -> Result<(), Failure> {
        Ok(())
    }

    #[inline(always)]
    fn process(&self, (): &mut (), message: &Message<'_>, output: &mut [u8]) -> Written {
        self.call(message, output)?;
        Ok(self.length)
    }
}

impl Derive {
    #[inline]
    fn call(&self, message: &Message<'_>, output: &mut [u8]) -> Result<(), Failure> {
        if output.len() < self.length {
            return Err(Failure::failed("no room for the key"));
        }
        let (api, name) = (&self.api, self.name.as_ptr());
        let (salt, salted) = (message.nonce.as_ptr(), message.nonce.len());
        let (info, told) = (message.aad.as_ptr(), message.aad.len());
        let (to, length, given) = (output.as_mut_ptr(), self.length, message.input.len());
        // Botan reads a password of length 0 as a C string, so an empty password points to a
        // NUL.
        let secret = if given == 0 {
            c"".as_ptr().cast()
        } else {
            message.input.as_ptr()
        };
        let [a, b, c] = self.costs;
        // SAFETY: each length is the length of its slice. An empty password points to a NUL.
        unsafe {
            if self.hkdf {
                let run = api.botan_kdf;
                let code = run(name, to, length, secret, given, salt, salted, info, told);
                api.ok("botan_kdf", code)
            } else {
                let run = api.botan_pwdhash;
                let code = run(name, a, b, c, to, length, secret, given, salt, salted);
                api.ok("botan_pwdhash", code)
            }
        }
    }
}
