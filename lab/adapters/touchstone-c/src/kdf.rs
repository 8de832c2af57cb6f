//! Key derivation. The C interface has no handle for it: each call takes the algorithm's name.
#![allow(unsafe_code)]

use std::ffi::CString;

use touchstone_worker::{Failure, Message, Plan, Work, Written, c_string};

use crate::ffi::{Api, Touchstone, p, p_mut};

#[derive(Clone)]
pub(crate) struct Kdf {
    api: Api,
    name: CString,
    iterations: u32,
    length: usize,
}

impl Plan for Kdf {
    type Library = Touchstone;
    type Object = ();
    const OPERATIONS: &'static [&'static str] = &["derive"];

    fn primitives(library: &Touchstone, _: &str) -> Vec<String> {
        library.derivations.clone()
    }

    fn find(library: &Touchstone, primitive: &str, _: &str) -> Option<Self> {
        let name = library.derivations.iter().find(|id| *id == primitive)?;
        Some(Self {
            api: library.api,
            name: c_string(name),
            iterations: 0,
            length: 0,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "touchstone_derive".into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let iterations = work.cost("iterations").unwrap_or(0);
        self.iterations = iterations.try_into().map_err(Failure::unsupported)?;
        self.length = work.length.unwrap_or(0);
        Ok(self)
    }

    fn make(&self) -> Result<(), Failure> {
        Ok(())
    }

    #[inline(always)]
    fn process(&self, (): &mut (), message: &Message<'_>, output: &mut [u8]) -> Written {
        let Message {
            nonce: salt,
            aad: info,
            input: secret,
            ..
        } = *message;
        // SAFETY: the name is a C string, and each length is the length of its bytes.
        let code = unsafe {
            (self.api.touchstone_derive)(
                self.name.as_ptr(),
                p(secret),
                secret.len(),
                p(salt),
                salt.len(),
                p(info),
                info.len(),
                self.iterations,
                p_mut(&mut output[..self.length]),
                self.length,
            )
        };
        self.api.check(code).map(|()| self.length)
    }
}
