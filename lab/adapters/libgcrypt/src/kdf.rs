//! Key derivation: `gcry_kdf_derive`, and `gcry_kdf_open` … `close` since 1.10.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_ulong, c_void};
use std::ptr;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::digest::{HASHES, bytes};
use crate::ffi::{Api, Gcrypt, Open, works};

#[derive(Clone, Copy)]
enum Kind {
    /// With this digest and number of iterations.
    Pbkdf2(c_int, c_ulong),
    /// With this N and p; r is 8.
    Scrypt(c_int, c_ulong),
    /// The variant; passes, KiB and lanes.
    Argon2(c_int, [c_ulong; 3]),
    /// With this HMAC.
    Hkdf(c_int),
}

impl Kind {
    /// The function with costs for a trial.
    fn find(primitive: &str) -> Option<Self> {
        let hash = |id: &str| HASHES.iter().find(|(known, ..)| *known == id);
        Some(match primitive {
            "scrypt" => Self::Scrypt(2, 1),
            "argon2d" => Self::Argon2(0, [1, 8, 1]),
            "argon2i" => Self::Argon2(1, [1, 8, 1]),
            "argon2id" => Self::Argon2(2, [1, 8, 1]),
            _ => {
                if let Some(id) = primitive.strip_prefix("pbkdf2-hmac-") {
                    Self::Pbkdf2(hash(id)?.1, 1)
                } else {
                    Self::Hkdf(hash(primitive.strip_prefix("hkdf-")?)?.2)
                }
            }
        })
    }

    /// The function with the work's costs.
    fn fit(self, work: &Work) -> Result<Self, Failure> {
        let number = |name: &str| {
            let value = work.cost(name).unwrap_or(1);
            c_ulong::try_from(value)
                .ok()
                .filter(|n| *n != 0)
                .ok_or_else(|| Failure::unsupported(format_args!("{name} = {value}")))
        };
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

pub(crate) fn offers(gcrypt: &Gcrypt) -> Vec<Offer> {
    let over_hashes = HASHES
        .iter()
        .flat_map(|(id, ..)| [format!("pbkdf2-hmac-{id}"), format!("hkdf-{id}")]);
    let own = ["scrypt", "argon2d", "argon2i", "argon2id"].map(str::to_owned);
    let message = Message {
        nonce: &[1; 16],
        input: &[2; 16],
        ..Message::default()
    };
    over_hashes
        .chain(own)
        .filter_map(|id| {
            let kind = Kind::find(&id)?;
            if let Kind::Pbkdf2(digest, _) = kind
                && bytes(gcrypt.api, digest) == 0
            {
                return None;
            }
            let object = Kdf::new(gcrypt.api, kind, 32);
            if !works(Ok(object), 0, &message) {
                return None;
            }
            let mut row = offer(
                &id,
                "derive",
                match kind {
                    Kind::Pbkdf2(..) | Kind::Scrypt(..) => "gcry_kdf_derive",
                    Kind::Argon2(..) | Kind::Hkdf(_) => "gcry_kdf_open, compute, final, close",
                },
            );
            row.note = match kind {
                Kind::Scrypt(..) => "r is always 8",
                Kind::Argon2(..) => "lanes one after the other",
                _ => "",
            }
            .into();
            Some(row)
        })
        .collect()
}

pub(crate) fn cell(gcrypt: &Gcrypt, work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "derive" {
        return None;
    }
    let kind = Kind::find(&work.primitive)?.fit(work);
    let (api, length) = (gcrypt.api, work.length.unwrap_or(32));
    Some(kind.map(|kind| Cell::new(move || Ok(Kdf::new(api, kind, length)))))
}

struct Kdf {
    api: Api,
    kind: Kind,
    length: usize,
    /// Argon2's secret.
    key: Vec<u8>,
}

impl Kdf {
    fn new(api: Api, kind: Kind, length: usize) -> Self {
        Self {
            api,
            kind,
            length,
            key: Vec::new(),
        }
    }

    /// `gcry_kdf_derive`.
    fn derive(
        &self,
        message: &Message<'_>,
        output: &mut [u8],
        [kdf, below]: [c_int; 2],
        iterations: c_ulong,
    ) -> Result<(), Failure> {
        // SAFETY: lengths are those of the slices; the worker's output has room for the
        // requested length.
        let error = unsafe {
            (self.api.gcry_kdf_derive)(
                message.input.as_ptr(),
                message.input.len(),
                kdf,
                below,
                message.nonce.as_ptr(),
                message.nonce.len(),
                iterations,
                self.length,
                output.as_mut_ptr(),
            )
        };
        self.api.ok("gcry_kdf_derive", error)
    }

    /// `gcry_kdf_open`, `compute`, `final`, `close`.
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
        // SAFETY: lengths are those of the slices, which outlive the handle; the handle
        // is written on success and freed by its owner; NULL asks for no threads; the
        // worker's output has room for the requested length.
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
            let open = Open { handle, close };
            api.ok("gcry_kdf_compute", compute(open.handle, ptr::null()))?;
            let error = finish(open.handle, self.length, output.as_mut_ptr());
            api.ok("gcry_kdf_final", error)
        }
    }
}

impl Operation for Kdf {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.key.clear();
        self.key.extend_from_slice(key);
        Ok(())
    }

    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
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
                let strings = [input, salt, &self.key, data];
                self.compute(strings, output, [ARGON2, variant], &costs)?;
            }
            // HKDF's salt is the key of its first HMAC, and goes in as that.
            Kind::Hkdf(mac) => {
                let strings = [input, &[], salt, data];
                self.compute(strings, output, [HKDF, mac], &[length])?;
            }
        }
        Ok(self.length)
    }
}
