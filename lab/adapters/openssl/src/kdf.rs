//! Key derivation: `EVP_KDF_derive`.
#![allow(unsafe_code)]

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, c_string, offer};

use crate::digest::HASHES;
use crate::ffi::{Api, Context, OpenSsl, Param};

#[derive(Clone, Copy)]
enum Kind {
    Pbkdf2(&'static str),
    Hkdf(&'static str),
    Scrypt,
    Argon2(&'static str),
}

impl Kind {
    fn evp(self) -> &'static str {
        match self {
            Self::Pbkdf2(_) => "PBKDF2",
            Self::Hkdf(_) => "HKDF",
            Self::Scrypt => "SCRYPT",
            Self::Argon2(name) => name,
        }
    }
}

fn find(ssl: &OpenSsl, primitive: &str) -> Option<Kind> {
    let hash = |id: &str| {
        let (_, name) = HASHES.iter().find(|(known, _)| *known == id)?;
        ssl.fetch(ssl.api.EVP_MD_fetch, name).map(|_| *name)
    };
    let kind = match primitive {
        "scrypt" => Kind::Scrypt,
        "argon2d" => Kind::Argon2("ARGON2D"),
        "argon2i" => Kind::Argon2("ARGON2I"),
        "argon2id" => Kind::Argon2("ARGON2ID"),
        _ => {
            if let Some(id) = primitive.strip_prefix("pbkdf2-hmac-") {
                Kind::Pbkdf2(hash(id)?)
            } else {
                Kind::Hkdf(hash(primitive.strip_prefix("hkdf-")?)?)
            }
        }
    };
    ssl.fetch(ssl.api.EVP_KDF_fetch, kind.evp()).map(|_| kind)
}

pub(crate) fn offers(ssl: &OpenSsl) -> Vec<Offer> {
    let over_hashes = HASHES
        .iter()
        .flat_map(|(id, _)| [format!("pbkdf2-hmac-{id}"), format!("hkdf-{id}")]);
    let own = ["scrypt", "argon2d", "argon2i", "argon2id"].map(str::to_owned);
    over_hashes
        .chain(own)
        .filter(|id| find(ssl, id).is_some())
        .map(|id| offer(&id, "derive", "EVP_KDF_derive"))
        .collect()
}

pub(crate) fn cell(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "derive" {
        return None;
    }
    let kind = find(ssl, &work.primitive)?;
    let kdf = ssl.fetch(ssl.api.EVP_KDF_fetch, kind.evp())?;
    let api = ssl.api;
    let number = |name| work.cost(name).unwrap_or(1);
    let costs = [
        number("iterations"),
        number("n"),
        number("r"),
        number("p"),
        number("memory"),
        number("lanes"),
    ];
    let length = work.length.unwrap_or(32);
    Some(Ok(Cell::new(move || {
        // SAFETY: a fresh context, freed by its owner; the KDF was fetched.
        let context =
            unsafe { Context::new((api.EVP_KDF_CTX_new)(kdf.get()), api.EVP_KDF_CTX_free)? };
        Ok(Kdf {
            api,
            context,
            kind,
            costs,
            length,
            secret: Vec::new(),
        })
    })))
}

struct Kdf {
    api: Api,
    context: Context,
    kind: Kind,
    costs: [u64; 6],
    length: usize,
    /// Argon2's, RFC 9106 section 3.1.
    secret: Vec<u8>,
}

impl Operation for Kdf {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.secret = key.to_vec();
        Ok(())
    }

    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let [iterations, n, r, p, memory, lanes] = &self.costs;
        // SP 800-132's lower bounds are a policy, not PBKDF2: 1 turns them off.
        let no_policy = 1;
        // scrypt's own cap (32 MiB) is below common parameters.
        let most = 1 << 32;
        let digest;
        let params = match self.kind {
            Kind::Pbkdf2(hash) => {
                digest = c_string(hash);
                vec![
                    Param::octets(c"pass", message.input),
                    Param::octets(c"salt", message.nonce),
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
                    Param::octets(c"key", message.input),
                    Param::octets(c"salt", message.nonce),
                    Param::octets(c"info", message.aad),
                    Param::end(),
                ]
            }
            Kind::Scrypt => vec![
                Param::octets(c"pass", message.input),
                Param::octets(c"salt", message.nonce),
                Param::number(c"n", n),
                Param::number(c"r", r),
                Param::number(c"p", p),
                Param::number(c"maxmem_bytes", &most),
                Param::end(),
            ],
            Kind::Argon2(_) => vec![
                Param::octets(c"pass", message.input),
                Param::octets(c"salt", message.nonce),
                Param::number(c"iter", iterations),
                Param::number(c"memcost", memory),
                Param::number(c"lanes", lanes),
                Param::octets(c"secret", &self.secret),
                Param::octets(c"ad", message.aad),
                Param::end(),
            ],
        };
        // SAFETY: the list ends with its mark, its values live until after the call, and
        // the worker's output has room for the requested length.
        let code = unsafe {
            (self.api.EVP_KDF_derive)(
                self.context.object,
                output.as_mut_ptr(),
                self.length,
                params.as_ptr(),
            )
        };
        self.api.ok("EVP_KDF_derive", code)?;
        Ok(self.length)
    }
}
