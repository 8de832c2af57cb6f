//! Stream ciphers: `crypto_stream_…_xor_ic`, and `crypto_stream_…` for bare
//! keystream.
#![allow(unsafe_code)]

use touchstone_worker::{Cell, Contract, Failure, Message, Offer, Operation, Text, Work, offer};

use crate::ffi::{Api, Keystream, Sodium, Xor, XorFrom, exactly, ok};

/// Primitive, and its name in libsodium.
const STREAM: &[(&str, &str)] = &[
    ("salsa20", "salsa20"),
    ("salsa20-12", "salsa2012"),
    ("salsa20-8", "salsa208"),
    ("xsalsa20", "xsalsa20"),
    ("chacha20", "chacha20"),
    ("xchacha20", "xchacha20"),
];

/// How the number of the first block is passed.
#[derive(Clone, Copy)]
enum Crypt {
    /// Not at all: it is 0.
    First(Xor),
    From(XorFrom),
    /// ChaCha20 with a nonce of 12 bytes: 32 bits of it.
    Ietf,
}

#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    crypt: Crypt,
    keystream: Keystream,
    number: u64,
    /// Bytes of keystream, if keystream without a message is requested.
    length: Option<usize>,
}

impl Plan {
    fn find(api: Api, work: &Work) -> Option<Result<Self, Failure>> {
        let bare = match work.operation.as_str() {
            "stream-encrypt" => false,
            "stream-keystream" => true,
            _ => return None,
        };
        let nonce = work.nonce.len();
        let (crypt, keystream, wanted) = match work.primitive.as_str() {
            "salsa20" => (
                Crypt::From(api.crypto_stream_salsa20_xor_ic),
                api.crypto_stream_salsa20 as Keystream,
                8,
            ),
            "salsa20-12" => (
                Crypt::First(api.crypto_stream_salsa2012_xor),
                api.crypto_stream_salsa2012 as Keystream,
                8,
            ),
            "salsa20-8" => (
                Crypt::First(api.crypto_stream_salsa208_xor),
                api.crypto_stream_salsa208 as Keystream,
                8,
            ),
            "xsalsa20" => (
                Crypt::From(api.crypto_stream_xsalsa20_xor_ic),
                api.crypto_stream_xsalsa20 as Keystream,
                24,
            ),
            "chacha20" if nonce == 8 => (
                Crypt::From(api.crypto_stream_chacha20_xor_ic),
                api.crypto_stream_chacha20 as Keystream,
                8,
            ),
            "chacha20" => (
                Crypt::Ietf,
                api.crypto_stream_chacha20_ietf as Keystream,
                12,
            ),
            "xchacha20" => (
                Crypt::From(api.crypto_stream_xchacha20_xor_ic),
                api.crypto_stream_xchacha20 as Keystream,
                24,
            ),
            _ => return None,
        };
        let plan = Self {
            api,
            crypt,
            keystream,
            number: work.cost("counter").unwrap_or(0),
            length: bare.then(|| work.length.unwrap_or(64)),
        };
        Some(
            exactly("key", work.key.len(), 32)
                .and_then(|()| exactly("nonce", nonce, wanted))
                .and_then(|()| plan.fit(work)),
        )
    }

    /// The library ends the process where a 32-bit block number would overflow.
    fn fit(self, work: &Work) -> Result<Self, Failure> {
        let blocks = work.input.len().div_ceil(64) as u64;
        let most = match self.crypt {
            _ if self.length.is_some() => 0,
            Crypt::First(_) => 0,
            Crypt::From(_) => u64::MAX,
            Crypt::Ietf => (1 << 32) - blocks.min(1 << 32),
        };
        if self.number > most || (matches!(self.crypt, Crypt::Ietf) && self.number >= 1 << 32) {
            return Err(Failure::unsupported(format_args!(
                "a first block number of {}",
                self.number
            )));
        }
        Ok(self)
    }
}

pub(crate) fn offers(_: &Sodium) -> Vec<Offer> {
    STREAM
        .iter()
        .flat_map(|(id, name)| {
            let end = if matches!(*id, "salsa20-12" | "salsa20-8") {
                "_xor"
            } else {
                "_xor_ic"
            };
            [
                offer(id, "stream-encrypt", &format!("crypto_stream_{name}{end}"))
                    .taking(Contract::InPlace, true),
                offer(id, "stream-keystream", &format!("crypto_stream_{name}")),
            ]
        })
        .collect()
}

pub(crate) fn cell(sodium: &Sodium, work: &Work) -> Option<Result<Cell, Failure>> {
    let plan = Plan::find(sodium.api, work)?;
    Some(plan.map(|plan| Cell::new(move || Ok(Stream { plan, key: [0; 32] }))))
}

struct Stream {
    plan: Plan,
    /// The key, which is passed with every message.
    key: [u8; 32],
}

impl Operation for Stream {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.key.copy_from_slice(key);
        Ok(())
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, mut text: Text<'_>) -> Result<usize, Failure> {
        let Plan {
            api,
            crypt,
            keystream,
            number,
            length,
        } = &self.plan;
        let (nonce, key) = (message.nonce.as_ptr(), self.key.as_ptr());
        let (given, (from, to)) = (text.length(), text.pointers());
        // SAFETY: nonce and key have the lengths that the function reads; the output has
        // room for the input, or for the requested length.
        unsafe {
            if let Some(length) = *length {
                ok("crypto_stream", keystream(to, length as u64, nonce, key))?;
                return Ok(length);
            }
            let bytes = given as u64;
            let code = match *crypt {
                Crypt::First(xor) => xor(to, from, bytes, nonce, key),
                Crypt::From(xor) => xor(to, from, bytes, nonce, *number, key),
                Crypt::Ietf => {
                    let xor = api.crypto_stream_chacha20_ietf_xor_ic;
                    xor(to, from, bytes, nonce, *number as u32, key)
                }
            };
            ok("crypto_stream_xor", code)?;
        }
        Ok(given)
    }
}
