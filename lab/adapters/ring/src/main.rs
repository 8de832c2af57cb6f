//! Worker for the crate `ring`, which is linked in. See `../README.md`.
#![forbid(unsafe_code)]

mod fill;
mod keys;

use std::process::ExitCode;

use ring::aead::{self, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use ring::{digest, hkdf, hmac, pbkdf2};
use touchstone_worker::public::put;
use touchstone_worker::{
    Adapter, Cell, Contract, Failure, Library, Offer, Work, locked_version, offer, public, random,
    serve_linked, stays_in_place,
};

/// Cargo's lock file, which has the versions of the linked crates.
const LOCK: &str = include_str!("../../../../Cargo.lock");

const AEADS: &[(&str, &str, &aead::Algorithm)] = &[
    ("aes-128", "gcm", &aead::AES_128_GCM),
    ("aes-256", "gcm", &aead::AES_256_GCM),
    ("chacha20-poly1305", "aead", &aead::CHACHA20_POLY1305),
];

const HASHES: &[(&str, &digest::Algorithm)] = &[
    ("sha-1", &digest::SHA1_FOR_LEGACY_USE_ONLY),
    ("sha-256", &digest::SHA256),
    ("sha-384", &digest::SHA384),
    ("sha-512", &digest::SHA512),
    ("sha-512-256", &digest::SHA512_256),
];

const HMACS: &[(&str, hmac::Algorithm)] = &[
    ("hmac-sha-1", hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY),
    ("hmac-sha-256", hmac::HMAC_SHA256),
    ("hmac-sha-384", hmac::HMAC_SHA384),
    ("hmac-sha-512", hmac::HMAC_SHA512),
];

const HKDFS: &[(&str, hkdf::Algorithm)] = &[
    ("hkdf-sha-1", hkdf::HKDF_SHA1_FOR_LEGACY_USE_ONLY),
    ("hkdf-sha-256", hkdf::HKDF_SHA256),
    ("hkdf-sha-384", hkdf::HKDF_SHA384),
    ("hkdf-sha-512", hkdf::HKDF_SHA512),
];

const PBKDF2S: &[(&str, pbkdf2::Algorithm)] = &[
    ("pbkdf2-hmac-sha-1", pbkdf2::PBKDF2_HMAC_SHA1),
    ("pbkdf2-hmac-sha-256", pbkdf2::PBKDF2_HMAC_SHA256),
    ("pbkdf2-hmac-sha-384", pbkdf2::PBKDF2_HMAC_SHA384),
    ("pbkdf2-hmac-sha-512", pbkdf2::PBKDF2_HMAC_SHA512),
];

#[derive(Clone, Copy)]
struct Ring;

impl Adapter for Ring {
    fn library(&self) -> Library {
        Library {
            name: "ring".into(),
            version: locked_version(LOCK, "ring").unwrap_or("?").into(),
            path: String::new(),
            licence: "Apache-2.0 AND ISC".into(),
            language: "Rust, C, assembly".into(),
            note: "linked in; no release since March 2025".into(),
            ..Library::default()
        }
    }

    fn offers(&self) -> Vec<Offer> {
        let mut rows = Vec::new();
        for (primitive, mode, _) in AEADS {
            for (way, api) in [
                ("encrypt", "LessSafeKey::seal_in_place_separate_tag"),
                ("decrypt", "LessSafeKey::open_in_place"),
            ] {
                let operation = format!("{mode}-{way}");
                let mut row = offer(primitive, &operation, api)
                    .taking(Contract::InPlace, stays_in_place(&operation));
                row.note = "works in place: the copy of the message is in the call".into();
                rows.push(row);
            }
        }
        rows.extend(
            HASHES
                .iter()
                .map(|(id, _)| offer(id, "hash", "digest::digest")),
        );
        rows.extend(HMACS.iter().map(|(id, _)| offer(id, "mac", "hmac::sign")));
        rows.extend(
            HKDFS
                .iter()
                .map(|(id, _)| offer(id, "derive", "hkdf::Salt::extract, Prk::expand")),
        );
        rows.extend(
            PBKDF2S
                .iter()
                .map(|(id, _)| offer(id, "derive", "pbkdf2::derive")),
        );
        rows.push(offer(
            "ed25519",
            "generate-key",
            "rand::generate, Ed25519KeyPair::from_seed_unchecked",
        ));
        rows.extend(public::offers(self));
        rows.extend(random::offers(&fill::FILL));
        rows
    }

    fn cell(&self, work: &Work) -> Result<Cell, Failure> {
        aead_cell(work)
            .or_else(|| hash_cell(work))
            .or_else(|| mac_cell(work))
            .or_else(|| kdf_cell(work))
            .or_else(|| generator_cell(work))
            .or_else(|| public::cell(self, work))
            .or_else(|| random::cell(&fill::FILL, work))
            .unwrap_or_else(|| Err(Failure::not_offered(work)))
    }
}

fn find<T: Copy>(table: &[(&str, T)], primitive: &str) -> Option<T> {
    let (_, value) = table.iter().find(|(id, _)| *id == primitive)?;
    Some(*value)
}

fn aead_cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let (mode, way) = work.mode()?;
    let (.., algorithm) = AEADS
        .iter()
        .find(|(id, m, _)| (*id, *m) == (work.primitive.as_str(), mode))?;
    let lengths = work
        .need_key(algorithm.key_len())
        .and_then(|()| work.need_nonce(aead::NONCE_LEN))
        .and_then(|()| work.need_tag(algorithm.tag_len(), algorithm.tag_len()));
    let schedule = move |key: &[u8]| {
        let key = UnboundKey::new(algorithm, key).map_err(Failure::failed)?;
        Ok(LessSafeKey::new(key))
    };
    Some(lengths.map(|_| {
        Cell::keyed(schedule, move |key, message, text| {
            let nonce = Nonce::try_assume_unique_for_key(message.nonce).map_err(Failure::failed)?;
            let (length, aad) = (text.length(), Aad::from(message.aad));
            let output = text.moved();
            let data = &mut output[..length];
            if way.is_encrypt() {
                let tag = key.seal_in_place_separate_tag(nonce, aad, data);
                let tag = tag.map_err(Failure::failed)?;
                Ok(length + put(tag.as_ref(), &mut output[length..])?)
            } else {
                let opened = key.open_in_place(nonce, aad, data);
                opened
                    .map(|plain| plain.len())
                    .map_err(|_| Failure::Rejected)
            }
        })
    }))
}

fn hash_cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let algorithm = find(HASHES, &work.primitive).filter(|_| work.operation == "hash")?;
    Some(Ok(Cell::run(
        || Ok(()),
        move |(), message, text| {
            let answer = digest::digest(algorithm, message.input);
            put(answer.as_ref(), text.apart()?.1)
        },
    )))
}

fn mac_cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let algorithm = find(HMACS, &work.primitive).filter(|_| work.operation == "mac")?;
    let whole = algorithm.digest_algorithm().output_len();
    let schedule = move |key: &[u8]| Ok(hmac::Key::new(algorithm, key));
    Some(work.need_tag(whole, ..=whole).map(|tag| {
        Cell::keyed(schedule, move |key, message, text| {
            let answer = hmac::sign(key, message.input);
            put(&answer.as_ref()[..tag], text.apart()?.1)
        })
    }))
}

fn kdf_cell(work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "derive" {
        return None;
    }
    if let Some(algorithm) = find(HKDFS, &work.primitive) {
        return Some(Ok(work.derived(move |message, output| {
            let prk = hkdf::Salt::new(algorithm, message.nonce).extract(message.input);
            let info = [message.aad];
            let key = prk.expand(&info, Bytes(output.len()));
            let key = key.map_err(|_| Failure::unsupported("an output of this length"))?;
            key.fill(output).map_err(Failure::failed)
        })));
    }
    let algorithm = find(PBKDF2S, &work.primitive)?;
    let iterations = work.need_cost("iterations").and_then(|n| {
        std::num::NonZeroU32::new(n).ok_or_else(|| Failure::unsupported("no iterations"))
    });
    Some(iterations.map(|iterations| {
        work.derived(move |message, output| {
            pbkdf2::derive(algorithm, iterations, message.nonce, message.input, output);
            Ok(())
        })
    }))
}

/// An output length in bytes, in the type that [`hkdf::Prk::expand`] takes.
struct Bytes(usize);

impl hkdf::KeyType for Bytes {
    fn len(&self) -> usize {
        self.0
    }
}

/// Length of a private or public key of Ed25519 in bytes (RFC 8032, 5.1.5).
const ED25519_KEY: usize = 32;

fn generator_cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let is_known =
        (work.primitive.as_str(), work.operation.as_str()) == ("ed25519", "generate-key");
    is_known.then(|| {
        let cell = Cell::run(
            || Ok(SystemRandom::new()),
            |random, _, text| {
                let seed = ring::rand::generate(random).map_err(Failure::failed)?;
                let seed: [u8; ED25519_KEY] = seed.expose();
                let pair = Ed25519KeyPair::from_seed_unchecked(&seed).map_err(Failure::failed)?;
                let output = text.apart()?.1;
                put(&seed, output)?;
                put(pair.public_key().as_ref(), &mut output[ED25519_KEY..])?;
                Ok(2 * ED25519_KEY)
            },
        );
        Ok(cell.gives(&[("key", ED25519_KEY), ("public", ED25519_KEY)]))
    })
}

fn main() -> ExitCode {
    serve_linked("ring is", Ring)
}
