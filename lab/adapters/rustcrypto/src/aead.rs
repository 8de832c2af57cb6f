//! Authenticated encryption by the crate `aead`: the calls with separate input, output and tag.

use std::ops::Add;
use std::sync::Arc;

use aead::{AeadCore, AeadInOut, Nonce, Tag};
use aes_gcm::AesGcm;
use aes_siv::siv::Siv;
use ccm::Ccm;
use cipher::array::ArraySize;
use cipher::consts::*;
use cipher::typenum::{Sum, Unsigned};
use cipher::{BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, InOutBuf, KeyInit};
use cmac::Cmac;
use eax::Eax;
use ocb3::Ocb3;
use touchstone_worker::{
    Cell, Contract, Failure, Message, Offer, Text, Work, Written, offer, stays_in_place,
};

use crate::block::{FromWork, ROWS, block_ciphers, check, takes_key};
use crate::keying::{self, Keying, Over, Plain, bad_length, bad_nonce, in_out};
use crate::versions;

/// Rows: a mode of a block cipher, and its crate.
const MODES: &[(&str, &str)] = &[
    ("gcm", "aes-gcm"),
    ("ccm", "ccm"),
    ("ocb", "ocb3"),
    ("eax", "eax"),
    ("gcm-siv", "aes-gcm-siv"),
    ("siv", "aes-siv"),
];

/// Rows: the id of an AEAD that is not a mode of a block cipher, and its crate.
const OWN: &[(&str, &str)] = &[
    ("chacha20-poly1305", "chacha20poly1305"),
    ("xchacha20-poly1305", "chacha20poly1305"),
    ("ascon-aead128", "ascon-aead"),
    ("deoxys-i-128", "deoxys"),
    ("deoxys-i-256", "deoxys"),
    ("deoxys-ii-128", "deoxys"),
    ("deoxys-ii-256", "deoxys"),
];

pub(crate) fn offers() -> Vec<Offer> {
    let mut rows = Vec::new();
    let of_blocks = ROWS.iter().flat_map(|(id, krate)| {
        MODES
            .iter()
            .map(move |(mode, with)| (*id, *mode, versions::api(&[krate, with])))
    });
    let own = OWN
        .iter()
        .map(|(id, krate)| (*id, "aead", versions::named(krate)));
    for (primitive, mode, api) in of_blocks.chain(own) {
        for way in ["encrypt", "decrypt"] {
            let operation = format!("{mode}-{way}");
            let work = Work {
                primitive: primitive.to_owned(),
                operation: operation.clone(),
                ..Work::default()
            };
            if cell(&work).is_none() {
                continue;
            }
            let in_place = stays_in_place(&operation);
            let mut row = offer(primitive, &operation, &api).taking(Contract::InPlace, in_place);
            row.note = match mode {
                "aead" if primitive.starts_with("ascon") => {
                    "ascon-aead is not of RustCrypto since 0.6; RustCrypto's ascon-aead128 0.1.1 does not compile"
                }
                "eax" => "the eax crate keeps the key, not the schedule: key set-up is in every call",
                "siv" => "the aes-siv crate keeps its second key unscheduled: half of the key set-up is in every call",
                _ => "",
            }
            .into();
            rows.push(row);
        }
    }
    rows
}

/// The parameters that select one of the crates' types. The lengths of nonce and tag are part
/// of such a type.
struct Shape<'a> {
    primitive: &'a str,
    mode: &'a str,
    encrypt: bool,
    nonce: usize,
    tag: usize,
}

type Found = Option<Result<Cell, Failure>>;

pub(crate) fn cell(work: &Work) -> Found {
    let (mode, way) = work.mode()?;
    let encrypt = way.is_encrypt();
    let shape = Shape {
        primitive: &work.primitive,
        mode,
        encrypt,
        nonce: work.nonce.len(),
        tag: work.tag.unwrap_or(16),
    };
    if mode == "aead" {
        return own(&shape);
    }
    let found = over_block(work, &shape)?;
    let key_bytes = if mode == "siv" {
        work.key.len() / 2
    } else {
        work.key.len()
    };
    Some(check(work, key_bytes).and(found))
}

fn own(shape: &Shape<'_>) -> Found {
    macro_rules! pick {
        ($($id:literal => $aead:ty;)*) => {
            match shape.primitive {
                $($id => Some(fixed::<$aead, Plain>(shape, Plain)),)*
                _ => None,
            }
        };
    }
    pick! {
        "chacha20-poly1305" => chacha20poly1305::ChaCha20Poly1305;
        "xchacha20-poly1305" => chacha20poly1305::XChaCha20Poly1305;
        "ascon-aead128" => ascon_aead::AsconAead128;
        "deoxys-i-128" => deoxys::DeoxysI128;
        "deoxys-i-256" => deoxys::DeoxysI256;
        "deoxys-ii-128" => deoxys::DeoxysII128;
        "deoxys-ii-256" => deoxys::DeoxysII256;
    }
}

macro_rules! dispatch {
    ($($group:ident: $id:literal, $krate:literal, $keys:expr, $enc:ty, $dec:ty, $both:ty, $keying:ident;)*) => {
        fn over_block(work: &Work, shape: &Shape<'_>) -> Found {
            match work.primitive.as_str() {
                $($id => dispatch!(@ $group, $enc, $both, $keying, work, shape),)*
                _ => None,
            }
        }
    };
    (@ aes, $enc:ty, $both:ty, $keying:ident, $work:ident, $shape:ident) => {
        aes::<$enc, $both, $keying>($shape, $keying::from_work($work))
    };
    (@ modern, $enc:ty, $both:ty, $keying:ident, $work:ident, $shape:ident) => {
        modern::<$enc, $both, $keying>($shape, $keying::from_work($work))
    };
    (@ $other:ident, $enc:ty, $both:ty, $keying:ident, $work:ident, $shape:ident) => { None };
}
block_ciphers!(dispatch);

/// Returns an AEAD with AES. AES has modes that the other ciphers lack, and all lengths of
/// nonce and tag for which the crates have types. The unusual lengths use one virtual call,
/// which keeps the program small.
fn aes<E, B, K>(shape: &Shape<'_>, keying: K) -> Found
where
    E: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + KeyInit + Clone + 'static,
    E::KeySize: Add,
    Sum<E::KeySize, E::KeySize>: ArraySize,
    B: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + 'static,
    K: Keying<E> + Keying<B>,
    Plain: Keying<Siv<E, Cmac<E>>>,
{
    /// A row is a tag length, a column is a nonce length.
    macro_rules! grid {
        ($cipher:ident, $mode:ident, $order:ident, [$($tag:ident)*] $nonces:tt) => {
            Some(match shape.tag {
                $($tag::USIZE => grid!(@ $cipher, $mode, $order, $tag, $nonces),)*
                tag => Err(Failure::length("a tag", tag)),
            })
        };
        (@ $cipher:ident, $mode:ident, $order:ident, $tag:ident, [$($nonce:ident)*]) => {
            match shape.nonce {
                $($nonce::USIZE => Ok(rare::<$order!($mode, $cipher, $nonce, $tag), _>(
                    shape.encrypt,
                    Over::<$cipher, K>::new(keying),
                )),)*
                nonce => Err(Failure::length("a nonce", nonce)),
            }
        };
    }
    macro_rules! nonce_tag {
        ($mode:ident, $cipher:ident, $nonce:ident, $tag:ident) => { $mode<$cipher, $nonce, $tag> };
    }
    macro_rules! tag_nonce {
        ($mode:ident, $cipher:ident, $nonce:ident, $tag:ident) => { $mode<$cipher, $tag, $nonce> };
    }

    match (shape.mode, shape.nonce, shape.tag) {
        ("gcm" | "ccm" | "ocb", 12, 16) => modern::<E, B, K>(shape, keying),
        ("gcm", _, 16) => grid!(E, AesGcm, nonce_tag, [U16] [
            U1 U2 U4 U6 U8 U10 U11 U13 U14 U15 U16 U17 U18 U19 U20 U24 U32 U48 U60 U64 U128 U256 U257
        ]),
        ("gcm", ..) => {
            grid!(E, AesGcm, nonce_tag, [U12 U13 U14 U15] [U1 U8 U12 U16 U60 U128])
        }
        ("ccm", ..) => grid!(E, Ccm, tag_nonce,
            [U4 U6 U8 U10 U12 U14 U16] [U7 U8 U9 U10 U11 U12 U13]),
        ("ocb", _, 16) => {
            grid!(B, Ocb3, nonce_tag, [U16] [U6 U7 U8 U9 U10 U11 U13 U14 U15])
        }
        ("ocb", ..) => grid!(B, Ocb3, nonce_tag, [U8 U12] [U12]),
        // RFC 8452 defines no AES-GCM-SIV with AES-192.
        ("gcm-siv", ..) if E::key_size() != 24 => Some(fixed::<aes_gcm_siv::AesGcmSiv<E>, _>(
            shape,
            Over::<E, K>::new(keying),
        )),
        ("siv", _, tag) if tag != 16 => {
            Some(Err(Failure::unsupported("a tag that is not 16 bytes")))
        }
        ("siv", ..) => {
            let encrypt = shape.encrypt;
            Some(Ok(keying::cell(Plain, move |siv, message, text| {
                siv_cmac::<E>(siv, encrypt, message, text)
            })))
        }
        _ => modern::<E, B, K>(shape, keying),
    }
}

/// Returns GCM, CCM, OCB or EAX with any cipher that has blocks of 16 bytes, for the usual
/// lengths of nonce and tag.
fn modern<E, B, K>(shape: &Shape<'_>, keying: K) -> Found
where
    E: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + KeyInit + Clone + 'static,
    B: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + 'static,
    K: Keying<E> + Keying<B>,
{
    match (shape.mode, shape.nonce, shape.tag) {
        ("gcm", 12, 16) => Some(fixed::<AesGcm<E, U12>, _>(shape, Over::<E, K>::new(keying))),
        ("ccm", 12, 16) => Some(fixed::<Ccm<E, U16, U12>, _>(
            shape,
            Over::<E, K>::new(keying),
        )),
        ("ocb", 12, 16) => Some(fixed::<Ocb3<B, U12>, _>(shape, Over::<B, K>::new(keying))),
        // The crate accepts only keys of the one length that the cipher's type declares.
        ("eax", _, tag) if takes_key(shape.primitive, E::key_size()) => match tag {
            8 => Some(fixed::<Eax<E, U8>, _>(shape, Plain)),
            12 => Some(fixed::<Eax<E, U12>, _>(shape, Plain)),
            _ => Some(fixed::<Eax<E>, _>(shape, Plain)),
        },
        ("gcm" | "ccm" | "ocb", ..) => Some(Err(Failure::unsupported(
            "a nonce that is not 12 bytes or a tag that is not 16: the crates have them, this worker does not",
        ))),
        _ => None,
    }
}

/// Makes a cell for a type whose nonce and tag lengths must equal the work's lengths.
fn fixed<A, K>(shape: &Shape<'_>, keying: K) -> Result<Cell, Failure>
where
    A: AeadInOut + 'static,
    K: Keying<A>,
{
    if shape.nonce != A::NonceSize::USIZE {
        return Err(Failure::length("a nonce", shape.nonce));
    }
    if shape.tag != A::TagSize::USIZE {
        return Err(Failure::length("a tag", shape.tag));
    }
    Ok(cell_of::<A, K>(shape.encrypt, keying))
}

fn cell_of<A, K>(encrypt: bool, keying: K) -> Cell
where
    A: AeadInOut + 'static,
    K: Keying<A>,
{
    if encrypt {
        keying::cell(keying, |aead: &mut A, message, text| {
            aead.seal(message, text)
        })
    } else {
        keying::cell(keying, |aead: &mut A, message, text| {
            aead.open(message, text.apart()?.1)
        })
    }
}

fn rare<A, K>(encrypt: bool, keying: K) -> Cell
where
    A: AeadInOut + 'static,
    K: Keying<A>,
{
    let make: Make = Arc::new(move |key| Ok(Box::new(keying.schedule(key)?) as Box<dyn Shaped>));
    let run = move |aead: &mut Box<dyn Shaped>, message: &Message<'_>, text: Text<'_>| {
        if encrypt {
            aead.seal(message, text)
        } else {
            aead.open(message, text.apart()?.1)
        }
    };
    Cell::keyed(move |key: &[u8]| make(key), run)
}

type Make = Arc<dyn Fn(&[u8]) -> Result<Box<dyn Shaped>, Failure> + Send + Sync>;

/// Processes one message, for types with any lengths of nonce and tag.
trait Shaped {
    fn seal(&self, message: &Message<'_>, text: Text<'_>) -> Written;

    fn open(&self, message: &Message<'_>, output: &mut [u8]) -> Written;
}

impl<A: AeadInOut> Shaped for A {
    #[inline]
    fn seal(&self, message: &Message<'_>, text: Text<'_>) -> Written {
        let nonce = nonce_of::<A>(message)?;
        let length = text.length();
        let (text, rest) = text.with_rest();
        let tag = self
            .encrypt_inout_detached(nonce, message.aad, in_out(text)?)
            .map_err(|_| Failure::length("a message", length))?;
        rest[..A::TagSize::USIZE].copy_from_slice(&tag);
        Ok(length + A::TagSize::USIZE)
    }

    #[inline]
    fn open(&self, message: &Message<'_>, output: &mut [u8]) -> Written {
        let nonce = nonce_of::<A>(message)?;
        let length = message
            .input
            .len()
            .checked_sub(A::TagSize::USIZE)
            .ok_or(Failure::Rejected)?;
        let (data, end) = message.input.split_at(length);
        let tag = <&Tag<A>>::try_from(end).map_err(|_| Failure::Rejected)?;
        let buffer =
            InOutBuf::new(data, &mut output[..length]).map_err(|_| bad_length(message.input))?;
        self.decrypt_inout_detached(nonce, message.aad, buffer, tag)
            .map_err(|_| Failure::Rejected)?;
        Ok(length)
    }
}

fn nonce_of<'a, A: AeadCore>(message: &Message<'a>) -> Result<&'a Nonce<A>, Failure> {
    <&Nonce<A>>::try_from(message.nonce).map_err(|_| bad_nonce(message.nonce))
}

/// Processes a message in SIV. SIV takes several strings of associated data; the nonce is the
/// last string.
#[inline]
fn siv_cmac<C>(
    siv: &mut Siv<C, Cmac<C>>,
    encrypt: bool,
    message: &Message<'_>,
    text: Text<'_>,
) -> Written
where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + KeyInit,
{
    let (input, output) = text.apart()?;
    let both = [message.aad, message.nonce];
    let strings = match (message.aad.is_empty(), message.nonce.is_empty()) {
        (true, true) => &both[..0],
        (false, true) => &both[..1],
        (_, false) => &both[..],
    };
    if encrypt {
        let total = input.len() + U16::USIZE;
        let (front, data) = output[..total].split_at_mut(U16::USIZE);
        let buffer = InOutBuf::new(input, data).map_err(|_| bad_length(input))?;
        let tag = siv
            .encrypt_inout_detached(strings, buffer)
            .map_err(|_| bad_length(input))?;
        front.copy_from_slice(&tag);
        Ok(total)
    } else {
        let (front, data) = message
            .input
            .split_at_checked(U16::USIZE)
            .ok_or(Failure::Rejected)?;
        let tag = <&aes_siv::Tag>::try_from(front).map_err(|_| Failure::Rejected)?;
        let buffer =
            InOutBuf::new(data, &mut output[..data.len()]).map_err(|_| bad_length(input))?;
        siv.decrypt_inout_detached(strings, buffer, tag)
            .map_err(|_| Failure::Rejected)?;
        Ok(data.len())
    }
}
