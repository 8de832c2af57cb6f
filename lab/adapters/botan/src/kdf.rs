//! Key derivation: `botan_pwdhash` for passwords, `botan_kdf` for HKDF.
#![allow(unsafe_code)]

use std::ffi::CString;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::digest::{HASHES, hash};
use crate::ffi::{Api, name};
use crate::library::Botan;

enum Kind {
    Pbkdf2(String),
    Scrypt,
    Argon2(&'static str),
    Hkdf(String),
}

impl Kind {
    fn name(&self) -> &str {
        match self {
            Self::Pbkdf2(name) | Self::Hkdf(name) => name,
            Self::Scrypt => "Scrypt",
            Self::Argon2(name) => name,
        }
    }
}

fn find(botan: &Botan, primitive: &str) -> Option<Kind> {
    let kind = match primitive {
        "scrypt" => Kind::Scrypt,
        "argon2d" => Kind::Argon2("Argon2d"),
        "argon2i" => Kind::Argon2("Argon2i"),
        "argon2id" => Kind::Argon2("Argon2id"),
        _ => {
            if let Some(id) = primitive.strip_prefix("pbkdf2-hmac-") {
                Kind::Pbkdf2(format!("PBKDF2({})", hash(botan, id)?))
            } else {
                let id = primitive.strip_prefix("hkdf-")?;
                Kind::Hkdf(format!("HKDF({})", hash(botan, id)?))
            }
        }
    };
    // The cheapest call of each: the interface cannot be asked by name alone.
    let derive = Derive {
        api: botan.api,
        name: name(kind.name()),
        hkdf: matches!(kind, Kind::Hkdf(_)),
        costs: match kind {
            Kind::Pbkdf2(_) => [1, 0, 0],
            Kind::Scrypt => [2, 1, 1],
            Kind::Argon2(_) => [8, 1, 1],
            Kind::Hkdf(_) => [0; 3],
        },
        length: 16,
    };
    let message = Message {
        nonce: &[0; 16],
        input: &[0; 16],
        ..Message::default()
    };
    derive.call(&message, &mut [0; 16]).ok().map(|()| kind)
}

pub(crate) fn offers(botan: &Botan) -> Vec<Offer> {
    let over_hashes = HASHES
        .iter()
        .flat_map(|(id, _)| [format!("pbkdf2-hmac-{id}"), format!("hkdf-{id}")]);
    let own = ["scrypt", "argon2d", "argon2i", "argon2id"].map(str::to_owned);
    over_hashes
        .chain(own)
        .filter_map(|id| {
            let api = match find(botan, &id)? {
                Kind::Hkdf(_) => "botan_kdf",
                _ => "botan_pwdhash",
            };
            Some(Offer {
                note: "the call looks its algorithm up by name".into(),
                ..offer(&id, "derive", api)
            })
        })
        .collect()
}

pub(crate) fn cell(botan: &Botan, work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "derive" {
        return None;
    }
    let kind = find(botan, &work.primitive)?;
    Some(plan(botan.api, &kind, work))
}

fn plan(api: Api, kind: &Kind, work: &Work) -> Result<Cell, Failure> {
    let number = |name| usize::try_from(work.cost(name).unwrap_or(1)).unwrap_or(usize::MAX);
    let costs = match kind {
        Kind::Pbkdf2(_) => [number("iterations"), 0, 0],
        Kind::Scrypt => [number("n"), number("r"), number("p")],
        Kind::Argon2(_) => [number("memory"), number("iterations"), number("lanes")],
        Kind::Hkdf(_) => [0; 3],
    };
    // Argon2's secret and associated data are not in the C interface.
    if !work.key.is_empty() {
        return Err(Failure::unsupported("a key besides the input"));
    }
    if !work.aad.is_empty() && !matches!(kind, Kind::Hkdf(_)) {
        return Err(Failure::unsupported("associated data"));
    }
    // To Botan a count of 0 means "choose for me".
    if !matches!(kind, Kind::Hkdf(_)) && costs[0] == 0 {
        return Err(Failure::unsupported("a cost of 0"));
    }
    let derive = Derive {
        api,
        name: name(kind.name()),
        hkdf: matches!(kind, Kind::Hkdf(_)),
        costs,
        length: work.length.unwrap_or(32),
    };
    Ok(Cell::new(move || Ok(derive.clone())))
}

#[derive(Clone)]
struct Derive {
    api: Api,
    name: CString,
    hkdf: bool,
    costs: [usize; 3],
    length: usize,
}

impl Derive {
    #[inline]
    fn call(&self, message: &Message<'_>, output: &mut [u8]) -> Result<(), Failure> {
        if output.len() < self.length {
            return Err(Failure::failed("no room for the key"));
        }
        let api = &self.api;
        let (salt, info) = (message.nonce, message.aad);
        // An empty password is measured as a C string.
        let secret = if message.input.is_empty() {
            c"".as_ptr().cast()
        } else {
            message.input.as_ptr()
        };
        let [first, second, third] = self.costs;
        // SAFETY: lengths are those of the slices; an empty password is a NUL.
        let (what, code) = unsafe {
            if self.hkdf {
                let code = (api.botan_kdf)(
                    self.name.as_ptr(),
                    output.as_mut_ptr(),
                    self.length,
                    secret,
                    message.input.len(),
                    salt.as_ptr(),
                    salt.len(),
                    info.as_ptr(),
                    info.len(),
                );
                ("botan_kdf", code)
            } else {
                let code = (api.botan_pwdhash)(
                    self.name.as_ptr(),
                    first,
                    second,
                    third,
                    output.as_mut_ptr(),
                    self.length,
                    secret,
                    message.input.len(),
                    salt.as_ptr(),
                    salt.len(),
                );
                ("botan_pwdhash", code)
            }
        };
        api.ok(what, code)
    }
}

impl Operation for Derive {
    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        self.call(message, output)?;
        Ok(self.length)
    }
}
