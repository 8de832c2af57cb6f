//! Message authentication codes: `update` on the keyed object, then the finalisation that
//! resets the object. The object keeps its key for the next message.

use aes_gcm::AesGcm;
use cipher::array::ArraySize;
use cipher::common::InnerInit;
use cipher::consts::{U8, U12, U16, U32};
use cipher::{BlockCipherEncrypt, BlockSizeUser};
use digest::{FixedOutputReset, MacMarker, Update};
use touchstone_worker::{Cell, Failure, Offer, Work, Written, offer};
use universal_hash::UniversalHash;

use crate::block::{FromWork, ROWS, block_ciphers, check};
use crate::digest::{BLAKE3, hashes};
use crate::keying::{self, EffectiveBits, Keying, Over, Plain, bad_key, bad_length, bad_nonce};
use crate::versions;

/// Rows: a MAC that uses a block cipher, and its crate.
const OVER_BLOCKS: &[(&str, &str)] = &[
    ("cmac", "cmac"),
    ("pmac", "pmac"),
    ("cbc-mac", "cbc-mac"),
    ("retail-mac", "retail-mac"),
    ("gmac", "aes-gcm"),
];

macro_rules! hmacs {
    ($($kind:ident: $id:literal, $krate:literal, $hash:ty;)*) => {
        /// Rows: a hash that HMAC can use, and its crate.
        const HASHES: &[(&str, &str)] = &[$(($id, $krate)),*];

        fn hmac(hash: &str, tag: Option<usize>) -> Option<Cell> {
            match hash {
                $($id => hmacs!(@ $kind, $hash, tag),)*
                _ => None,
            }
        }
    };
    (@ eager, $hash:ty, $tag:ident) => {
        Some(mac::<hmac::HmacReset<$hash>, Plain>(Plain, $tag))
    };
    (@ simple, $hash:ty, $tag:ident) => {
        Some(mac::<hmac::SimpleHmacReset<$hash>, Plain>(Plain, $tag))
    };
    (@ bare, $hash:ty, $tag:ident) => { None };
}
hashes!(hmacs);

pub(crate) fn offers() -> Vec<Offer> {
    let mut rows = Vec::new();
    let mut push = |primitive: &str, operation: &str, api: String, note: &str| {
        let work = Work {
            primitive: primitive.to_owned(),
            operation: operation.to_owned(),
            ..Work::default()
        };
        if cell(&work).is_some() {
            let mut row = offer(primitive, operation, &api);
            row.note = note.to_owned();
            rows.push(row);
        }
    };
    for (id, krate) in HASHES {
        push(
            &format!("hmac-{id}"),
            "mac",
            versions::api(&[krate, "hmac"]),
            "",
        );
    }
    for (id, krate) in ROWS {
        for (operation, with) in OVER_BLOCKS {
            let note = if *operation == "gmac" {
                "GCM of no message with the data as associated data"
            } else {
                ""
            };
            push(id, operation, versions::api(&[krate, with]), note);
        }
    }
    push(
        "poly1305",
        "mac",
        versions::named("poly1305"),
        "whole blocks by UniversalHash::update, the rest by compute_unpadded; the keyed state is cloned",
    );
    push("belt-mac", "mac", versions::named("belt-mac"), "");
    for id in ["blake2b-mac", "blake2s-mac"] {
        push(id, "mac", versions::named("blake2"), "");
    }
    push("blake3-mac", "mac", versions::named("blake3"), BLAKE3);
    rows
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let tag = work.tag;
    match (work.primitive.as_str(), work.operation.as_str()) {
        ("poly1305", "mac") => Some(Ok(poly(tag))),
        ("belt-mac", "mac") => Some(Ok(mac::<belt_mac::BeltMac, Plain>(Plain, tag))),
        ("blake2b-mac", "mac") => Some(match tag {
            None | Some(64) => Ok(mac::<blake2::Blake2bMac512, Plain>(Plain, tag)),
            Some(32) => Ok(mac::<blake2::Blake2bMac<U32>, Plain>(Plain, tag)),
            Some(tag) => Err(Failure::length("a tag", tag)),
        }),
        ("blake2s-mac", "mac") => Some(match tag {
            None | Some(32) => Ok(mac::<blake2::Blake2sMac256, Plain>(Plain, tag)),
            Some(16) => Ok(mac::<blake2::Blake2sMac<U16>, Plain>(Plain, tag)),
            Some(tag) => Err(Failure::length("a tag", tag)),
        }),
        ("blake3-mac", "mac") => Some(Ok(blake3(tag))),
        (primitive, "mac") => hmac(primitive.strip_prefix("hmac-")?, tag).map(Ok),
        // The key of retail MAC is K1 ‖ K2, like the key of `des-ede2`, so the row is under
        // this id.
        ("des-ede2", "retail-mac") => {
            let cell = mac::<retail_mac::RetailMac<des::Des>, Plain>(Plain, tag);
            Some(check(work, work.key.len()).map(|()| cell))
        }
        (_, "cmac" | "pmac" | "cbc-mac" | "gmac") => {
            let cell = over_block(work)?;
            Some(check(work, work.key.len()).map(|()| cell))
        }
        _ => None,
    }
}

macro_rules! dispatch {
    ($($group:ident: $id:literal, $krate:literal, $keys:expr, $enc:ty, $dec:ty, $both:ty, $keying:ident;)*) => {
        fn over_block(work: &Work) -> Option<Cell> {
            match work.primitive.as_str() {
                $($id => dispatch!(@ $group, $enc, $keying, work),)*
                _ => None,
            }
        }
    };
    (@ wide, $enc:ty, $keying:ident, $work:ident) => { None };
    (@ $group:ident, $enc:ty, $keying:ident, $work:ident) => {
        $group::<$enc, $keying>(variant($work), $keying::from_work($work), $work.tag)
    };
}
block_ciphers!(dispatch);

/// AES has no MAC that the other ciphers of the group `modern` lack.
use self::modern as aes;

fn modern<C, K>(operation: &str, keying: K, tag: Option<usize>) -> Option<Cell>
where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + 'static,
    K: Keying<C>,
{
    match operation {
        "gmac" => Some(gmac::<C, K, U12>(keying, tag)),
        // The name for GMAC with a nonce of 16 bytes. It is not an operation of the lab.
        "gmac-16" => Some(gmac::<C, K, U16>(keying, tag)),
        _ => b16::<C, K>(operation, keying, tag),
    }
}

/// Selects the MACs for blocks of any length. The length is part of their types.
macro_rules! over {
    ($operation:ident, $keying:ident, $tag:ident) => {
        match $operation {
            "cmac" => Some(mac::<cmac::Cmac<C>, _>(Inner($keying), $tag)),
            "pmac" => Some(mac::<pmac::Pmac<C>, _>(Inner($keying), $tag)),
            "cbc-mac" => Some(mac::<cbc_mac::CbcMac<C>, _>(Inner($keying), $tag)),
            _ => None,
        }
    };
}

fn b16<C, K>(operation: &str, keying: K, tag: Option<usize>) -> Option<Cell>
where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + 'static,
    K: Keying<C>,
{
    over!(operation, keying, tag)
}

fn b8<C, K>(operation: &str, keying: K, tag: Option<usize>) -> Option<Cell>
where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U8> + 'static,
    K: Keying<C>,
{
    over!(operation, keying, tag)
}

/// Returns the operation, or the name of its variant for the nonce's length.
fn variant(work: &Work) -> &str {
    match (work.operation.as_str(), work.nonce.len()) {
        ("gmac", 16) => "gmac-16",
        (operation, _) => operation,
    }
}

/// GMAC is GCM without a message. The crate has no other interface for GMAC.
fn gmac<C, K, N>(keying: K, tag_bytes: Option<usize>) -> Cell
where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + 'static,
    K: Keying<C>,
    N: ArraySize,
{
    let keying = Over::<C, K>::new(keying);
    keying::cell(keying, move |gcm: &mut AesGcm<C, N>, message, text| {
        let (data, output) = text.apart()?;
        let nonce = message
            .nonce
            .try_into()
            .map_err(|_| bad_nonce(message.nonce))?;
        let none = (&mut [][..]).into();
        let tag = aead::AeadInOut::encrypt_inout_detached(gcm, nonce, data, none)
            .map_err(|_| bad_length(data))?;
        cut(&tag, tag_bytes, output)
    })
}

/// Makes a MAC from its cipher.
#[derive(Clone, Copy)]
struct Inner<K>(K);

impl<M, K> Keying<M> for Inner<K>
where
    M: InnerInit,
    K: Keying<M::Inner>,
{
    #[inline]
    fn schedule(self, key: &[u8]) -> Result<M, Failure> {
        self.0.schedule(key).map(M::inner_init)
    }
}

fn mac<M, K>(keying: K, tag: Option<usize>) -> Cell
where
    M: Update + FixedOutputReset + MacMarker + 'static,
    K: Keying<M>,
{
    keying::cell(keying, move |mac: &mut M, _, text| {
        let (input, output) = text.apart()?;
        mac.update(input);
        cut(&mac.finalize_fixed_reset(), tag, output)
    })
}

/// Writes the first bytes of the tag.
#[inline]
fn cut(whole: &[u8], tag: Option<usize>, output: &mut [u8]) -> Written {
    let tag = tag.unwrap_or(whole.len());
    let part = whole
        .get(..tag)
        .ok_or_else(|| Failure::length("a tag", tag))?;
    output[..tag].copy_from_slice(part);
    Ok(tag)
}

/// Makes a cell for BLAKE3 by the crate's own methods.
fn blake3(tag: Option<usize>) -> Cell {
    keying::cell(Keyed, move |keyed: &mut ::blake3::Hasher, _, text| {
        let (input, output) = text.apart()?;
        keyed.reset();
        keyed.update(input);
        cut(keyed.finalize().as_bytes(), tag, output)
    })
}

/// Sets up a key of BLAKE3.
#[derive(Clone, Copy)]
struct Keyed;

impl Keying<::blake3::Hasher> for Keyed {
    #[inline]
    fn schedule(self, key: &[u8]) -> Result<::blake3::Hasher, Failure> {
        let key = key.try_into().map_err(|_| bad_key(key))?;
        Ok(::blake3::Hasher::new_keyed(key))
    }
}

/// Makes a cell for Poly1305 by the trait `UniversalHash`.
fn poly(tag: Option<usize>) -> Cell {
    keying::cell(Plain, move |keyed: &mut poly1305::Poly1305, _, text| {
        let ((input, output), mut state) = (text.apart()?, keyed.clone());
        let (blocks, rest) = universal_hash::Block::<poly1305::Poly1305>::slice_as_chunks(input);
        state.update(blocks);
        cut(&state.compute_unpadded(rest), tag, output)
    })
}
