//! Worker for the crate `graviola`, which is linked in. See `../README.md`.
#![forbid(unsafe_code)]

mod fill;
mod keys;

use std::process::ExitCode;

use graviola::aead::{AesGcm, ChaCha20Poly1305, XChaCha20Poly1305};
use graviola::hashing::hmac::Hmac;
use graviola::hashing::{Hash, Sha256, Sha384, Sha512, sha3};
use touchstone_worker::public::{accepted, put};
use touchstone_worker::{
    Adapter, Cell, Contract, Direction, Failure, Library, Message, Offer, Text, Work,
    locked_version, offer, public, random, serve, stays_in_place,
};

/// Cargo's lock file, which has the versions of the linked crates.
const LOCK: &str = include_str!("../../../../Cargo.lock");

/// Rows: the primitive, the mode, the lengths of key and nonce in bytes.
const AEADS: &[(&str, &str, usize, usize)] = &[
    ("aes-128", "gcm", 16, 12),
    ("aes-256", "gcm", 32, 12),
    ("chacha20-poly1305", "aead", 32, 12),
    ("xchacha20-poly1305", "aead", 32, 24),
];

struct Graviola;

impl Adapter for Graviola {
    fn library(&self) -> Library {
        Library {
            name: "Graviola".into(),
            version: locked_version(LOCK, "graviola").unwrap_or("?").into(),
            path: String::new(),
            licence: "Apache-2.0 OR ISC OR MIT-0".into(),
            language: "Rust, assembly".into(),
            note: "linked in; wipes its stack and vector registers in every call".into(),
            ..Library::default()
        }
    }

    fn offers(&self) -> Vec<Offer> {
        let mut rows = Vec::new();
        for (primitive, mode, ..) in AEADS {
            for way in ["encrypt", "decrypt"] {
                let operation = format!("{mode}-{way}");
                let mut row = offer(primitive, &operation, way)
                    .taking(Contract::InPlace, stays_in_place(&operation));
                row.note = "works in place: the copy of the message is in the call".into();
                rows.push(row);
            }
        }
        for id in ["sha-256", "sha-384", "sha-512"] {
            rows.push(offer(id, "hash", "Hash::hash"));
            rows.push(offer(
                &format!("hmac-{id}"),
                "mac",
                "Hmac::clone, update, finish",
            ));
        }
        for id in ["sha3-256", "sha3-512"] {
            rows.push(offer(id, "hash", "new, update, finish"));
        }
        for id in ["shake128", "shake256"] {
            rows.push(offer(id, "xof", "new, read"));
        }
        rows.extend(public::offers(&keys::Keys));
        rows.extend(random::offers(&fill::FILL));
        rows
    }

    fn cell(&self, work: &Work) -> Result<Cell, Failure> {
        aead_cell(work)
            .or_else(|| hash_cell(work))
            .or_else(|| mac_cell(work))
            .or_else(|| public::cell(&keys::Keys, work))
            .or_else(|| random::cell(&fill::FILL, work))
            .unwrap_or_else(|| Err(Failure::not_offered(work)))
    }
}

fn aead_cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let (mode, way) = work.mode()?;
    let (id, _, key, nonce) = AEADS
        .iter()
        .find(|(id, m, ..)| (*id, *m) == (work.primitive.as_str(), mode))?;
    let lengths = work
        .need_key(*key)
        .and_then(|()| work.need_nonce(*nonce))
        .and_then(|()| work.need_tag(16, 16));
    let encrypt = way.is_encrypt();
    Some(lengths.map(|_| match *id {
        "chacha20-poly1305" => sealed::<ChaCha20Poly1305, 12>(encrypt),
        "xchacha20-poly1305" => sealed::<XChaCha20Poly1305, 24>(encrypt),
        _ => sealed::<AesGcm, 12>(encrypt),
    }))
}

/// The common interface of the three ciphers. `NONCE` is the length of the nonce in bytes.
trait Aead<const NONCE: usize>: Sized + Send + 'static {
    fn new(key: &[u8]) -> Result<Self, Failure>;
    fn seal(&self, nonce: &[u8; NONCE], aad: &[u8], data: &mut [u8], tag: &mut [u8; 16]);
    fn open(&self, nonce: &[u8; NONCE], aad: &[u8], data: &mut [u8], tag: &[u8]) -> bool;
}

macro_rules! aead {
    ($type:ty, $nonce:literal, |$key:ident| $new:expr) => {
        impl Aead<$nonce> for $type {
            fn new($key: &[u8]) -> Result<Self, Failure> {
                $new
            }

            #[inline]
            fn seal(&self, nonce: &[u8; $nonce], aad: &[u8], data: &mut [u8], tag: &mut [u8; 16]) {
                self.encrypt(nonce, aad, data, tag);
            }

            #[inline]
            fn open(&self, nonce: &[u8; $nonce], aad: &[u8], data: &mut [u8], tag: &[u8]) -> bool {
                self.decrypt(nonce, aad, data, tag).is_ok()
            }
        }
    };
}
aead!(AesGcm, 12, |key| Ok(Self::new(key)));
aead!(ChaCha20Poly1305, 12, |key| Ok(Self::new(
    key.try_into().map_err(Failure::failed)?
)));
aead!(XChaCha20Poly1305, 24, |key| Ok(Self::new(
    key.try_into().map_err(Failure::failed)?
)));

fn sealed<A: Aead<NONCE>, const NONCE: usize>(encrypt: bool) -> Cell {
    Cell::keyed(A::new, move |key, message, text| {
        let nonce: &[u8; NONCE] = message.nonce.try_into().map_err(Failure::failed)?;
        if encrypt {
            let length = text.length();
            let (data, rest) = text.moved().split_at_mut(length);
            let tag: &mut [u8; 16] = (&mut rest[..16]).try_into().map_err(Failure::failed)?;
            key.seal(nonce, message.aad, data, tag);
            return Ok(length + 16);
        }
        let (input, output) = text.apart()?;
        let length = Direction::Decrypt.without_tag(input.len(), 16)?;
        let (data, tag) = input.split_at(length);
        output[..length].copy_from_slice(data);
        let opened = key.open(nonce, message.aad, &mut output[..length], tag);
        accepted(opened, length)
    })
}

fn hash_cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let length = work.length.unwrap_or(32);
    Some(Ok(
        match (work.primitive.as_str(), work.operation.as_str()) {
            ("sha-256", "hash") => hash(Sha256::hash),
            ("sha-384", "hash") => hash(Sha384::hash),
            ("sha-512", "hash") => hash(Sha512::hash),
            ("sha3-256", "hash") => hash(|input| {
                let mut context = sha3::Sha3_256Context::new();
                context.update(input);
                context.finish()
            }),
            ("sha3-512", "hash") => hash(|input| {
                let mut context = sha3::Sha3_512Context::new();
                context.update(input);
                context.finish()
            }),
            ("shake128", "xof") => xof(length, |input, output| {
                sha3::Shake128::new(&[input]).read(output);
            }),
            ("shake256", "xof") => xof(length, |input, output| {
                sha3::Shake256::new(&[input]).read(output);
            }),
            _ => return None,
        },
    ))
}

fn hash<D: AsRef<[u8]>>(call: impl Fn(&[u8]) -> D + Copy + Send + Sync + 'static) -> Cell {
    let run = move |(): &mut (), message: &Message<'_>, text: Text<'_>| {
        put(call(message.input).as_ref(), text.apart()?.1)
    };
    Cell::run(|| Ok(()), run)
}

fn xof(length: usize, read: fn(&[u8], &mut [u8])) -> Cell {
    let run = move |(): &mut (), message: &Message<'_>, text: Text<'_>| {
        read(message.input, &mut text.apart()?.1[..length]);
        Ok(length)
    };
    Cell::run(|| Ok(()), run)
}

fn mac_cell(work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "mac" {
        return None;
    }
    Some(match work.primitive.strip_prefix("hmac-")? {
        "sha-256" => mac::<Sha256>(work, 32),
        "sha-384" => mac::<Sha384>(work, 48),
        "sha-512" => mac::<Sha512>(work, 64),
        _ => return None,
    })
}

fn mac<H>(work: &Work, whole: usize) -> Result<Cell, Failure>
where
    H: Hash + 'static,
    Hmac<H>: Clone + Send,
{
    let tag = work.need_tag(whole, ..=whole)?;
    let schedule = |key: &[u8]| Ok(Hmac::<H>::new(key));
    Ok(Cell::keyed(schedule, move |mac, message, text| {
        let mut mac = mac.clone();
        mac.update(message.input);
        let answer = mac.finish();
        put(&answer.as_ref()[..tag], text.apart()?.1)
    }))
}

fn main() -> ExitCode {
    serve(|path| {
        if !path.is_empty() {
            return Err("graviola is linked in; there is no object to load".into());
        }
        // On a CPU without the instructions that the library uses, the library's functions
        // panic.
        if !graviola::util::is_cpu_supported() {
            return Err(
                "this CPU lacks what graviola is written for (AES, AVX2, ADX, BMI2 …)".into(),
            );
        }
        Ok(Graviola)
    })
}
