//! Stream ciphers: `crypto_stream_…_xor_ic` for messages, `crypto_stream_…` for keystream.
#![allow(unsafe_code)]

use touchstone_worker::{
    Contract, Failure, Message, Offer, Plan, STREAMS, Text, Work, Written, offer,
};

use crate::ffi::{Api, Keystream, Sodium, Xor, XorFrom, ok};

/// Rows: the primitive, and its name in libsodium.
const STREAM: &[(&str, &str)] = &[
    ("salsa20", "salsa20"),
    ("salsa20-12", "salsa2012"),
    ("salsa20-8", "salsa208"),
    ("xsalsa20", "xsalsa20"),
    ("chacha20", "chacha20"),
    ("xchacha20", "xchacha20"),
];

/// The function of a stream cipher, by how it takes the number of the first block.
#[derive(Clone, Copy)]
enum Crypt {
    /// The function has no such parameter: the first block is always number 0.
    First(Xor),
    From(XorFrom),
    /// ChaCha20 with a nonce of 12 bytes: the block number has 32 bits.
    Ietf,
}

#[derive(Clone, Copy)]
pub(crate) struct Stream {
    api: Api,
    crypt: Crypt,
    keystream: Keystream,
    name: &'static str,
    nonce: usize,
    number: u64,
    /// Bytes of keystream, if keystream without a message is requested.
    length: Option<usize>,
}

impl Plan for Stream {
    type Library = Sodium;
    /// The key, which is an argument of the call for each message.
    type Object = [u8; 32];
    const OPERATIONS: &'static [&'static str] = STREAMS;

    fn find(sodium: &Sodium, primitive: &str, operation: &str) -> Option<Self> {
        let (api, row) = (sodium.api, STREAM.iter().find(|(id, _)| *id == primitive)?);
        let from = Crypt::From;
        let (crypt, keystream, nonce) = match primitive {
            "salsa20" => (
                from(api.crypto_stream_salsa20_xor_ic),
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
                from(api.crypto_stream_xsalsa20_xor_ic),
                api.crypto_stream_xsalsa20 as Keystream,
                24,
            ),
            "chacha20" => (
                from(api.crypto_stream_chacha20_xor_ic),
                api.crypto_stream_chacha20 as Keystream,
                8,
            ),
            _ => (
                from(api.crypto_stream_xchacha20_xor_ic),
                api.crypto_stream_xchacha20 as Keystream,
                24,
            ),
        };
        let length = (operation == "stream-keystream").then_some(64);
        let (name, number) = (row.1, 0);
        STREAMS.contains(&operation).then_some(Self {
            api,
            crypt,
            keystream,
            name,
            nonce,
            number,
            length,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        let end = match (self.length, self.crypt) {
            (Some(_), _) => "",
            (None, Crypt::First(_)) => "_xor",
            (None, _) => "_xor_ic",
        };
        format!("crypto_stream_{}{end}", self.name)
    }

    fn offer(&self, primitive: &str, operation: &str) -> Offer {
        offer(primitive, operation, &self.api(primitive, operation))
            .taking(Contract::InPlace, self.length.is_none())
    }

    /// If a 32-bit block number overflows, the library aborts the process. So the worker checks
    /// the message's length.
    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        if work.primitive == "chacha20" && work.nonce.len() != 8 {
            (self.crypt, self.nonce) = (Crypt::Ietf, 12);
            self.keystream = self.api.crypto_stream_chacha20_ietf;
        }
        work.shape(1).nonce(self.nonce).fit(work, 32)?;
        let blocks = work.input.len().div_ceil(64) as u64;
        let most = match self.crypt {
            _ if self.length.is_some() => 0,
            Crypt::First(_) => 0,
            Crypt::From(_) => u64::MAX,
            Crypt::Ietf => (1 << 32) - blocks.clamp(1, 1 << 32),
        };
        self.number = work.first_block(most)?;
        self.length = self.length.map(|usual| work.length.unwrap_or(usual));
        Ok(self)
    }

    fn make(&self) -> Result<[u8; 32], Failure> {
        Ok([0; 32])
    }

    fn set_key(&self, kept: &mut [u8; 32], key: &[u8]) -> Result<(), Failure> {
        kept.copy_from_slice(key);
        Ok(())
    }

    #[inline(always)]
    fn transform(&self, key: &mut [u8; 32], message: &Message<'_>, mut text: Text<'_>) -> Written {
        let (nonce, key) = (message.nonce.as_ptr(), key.as_ptr());
        let (given, (from, to)) = (text.length(), text.pointers());
        // SAFETY: nonce and key have the lengths that the function reads; the output has
        // room for the input, or for the requested length.
        unsafe {
            if let Some(length) = self.length {
                ok(
                    "crypto_stream",
                    (self.keystream)(to, length as u64, nonce, key),
                )?;
                return Ok(length);
            }
            let (bytes, number) = (given as u64, self.number);
            let code = match self.crypt {
                Crypt::First(xor) => xor(to, from, bytes, nonce, key),
                Crypt::From(xor) => xor(to, from, bytes, nonce, number, key),
                Crypt::Ietf => {
                    let xor = self.api.crypto_stream_chacha20_ietf_xor_ic;
                    xor(to, from, bytes, nonce, number as u32, key)
                }
            };
            ok("crypto_stream_xor", code)?;
        }
        Ok(given)
    }
}
