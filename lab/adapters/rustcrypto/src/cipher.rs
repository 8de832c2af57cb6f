//! Block ciphers in modes without authentication, and key wrap.

use std::marker::PhantomData;

use aes_kw::{AesKw, AesKwp};
use cipher::array::ArraySize;
use cipher::common::InnerInit;
use cipher::consts::{U8, U16};
use cipher::inout::InOutBuf;
use cipher::{
    Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt,
    BlockSizeUser, InnerIvInit, Iv, IvSizeUser, StreamCipher, StreamCipherCore,
    StreamCipherCoreWrapper,
};
use ctr::{CtrCore, CtrFlavor, flavors};
use cts::{CbcCs1, CbcCs2, CbcCs3, Decrypt as _, Encrypt as _};
use digest::block_buffer::BlockSizes;
use touchstone_worker::{
    BLOCK_MODES, Cell, Contract, Failure, Offer, Text, Work, Written, offer, stays_in_place,
};
use xts_mode::Xts128;

use crate::block::{FromWork, ROWS, block_ciphers, check};
use crate::keying::{self, EffectiveBits, Keying, Plain, bad_key, bad_length, bad_nonce, in_out};
use crate::versions;

/// Returns the crate of a mode. The crate `cipher` itself contains ECB.
fn mode_crate(operation: &str) -> &'static str {
    match operation
        .rsplit_once('-')
        .map_or(operation, |(mode, _)| mode)
    {
        "ecb" => "cipher",
        "cbc" => "cbc",
        "cfb" => "cfb-mode",
        "cfb8" => "cfb8",
        "ofb" => "ofb",
        "ctr" => "ctr",
        "xts" => "xts-mode",
        "kw" | "kwp" => "aes-kw",
        _ => "cts",
    }
}

pub(crate) fn offers() -> Vec<Offer> {
    let mut rows = Vec::new();
    for (primitive, krate) in ROWS {
        for operation in BLOCK_MODES {
            let work = Work {
                primitive: (*primitive).to_owned(),
                operation: (*operation).to_owned(),
                ..Work::default()
            };
            if find(&work).is_none() {
                continue;
            }
            let api = versions::api(&[krate, mode_crate(operation)]);
            let mut row = offer(primitive, operation, &api)
                .taking(Contract::InPlace, stays_in_place(operation));
            if operation.starts_with("xts") {
                row.note =
                    "xts-mode is not of RustCrypto; in place only: the copy is in the call".into();
            }
            if *primitive == "xtea" {
                row.note =
                    "the crate reads and writes words little-endian, unlike XTEA elsewhere".into();
            }
            rows.push(row);
        }
    }
    rows
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let cell = find(work)?;
    let key_bytes = if work.operation.starts_with("xts") {
        work.key.len() / 2
    } else {
        work.key.len()
    };
    Some(check(work, key_bytes).map(|()| cell))
}

macro_rules! dispatch {
    ($($group:ident: $id:literal, $krate:literal, $keys:expr, $enc:ty, $dec:ty, $both:ty, $keying:ident;)*) => {
        fn find(work: &Work) -> Option<Cell> {
            match work.primitive.as_str() {
                $($id => $group::<$enc, $dec, $both, $keying>(
                    &work.operation,
                    $keying::from_work(work),
                ),)*
                _ => None,
            }
        }
    };
}
block_ciphers!(dispatch);

/// Only the module `aead` distinguishes the groups of ciphers with 16-byte blocks.
use self::{b16 as aes, b16 as modern};

fn b16<E, D, B, K>(operation: &str, keying: K) -> Option<Cell>
where
    E: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + 'static,
    D: BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + 'static,
    B: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + 'static,
    K: Keying<E> + Keying<D> + Keying<B>,
{
    match operation {
        "ctr-encrypt" => Some(simple::<E, K, Ctr<flavors::Ctr128BE>>(keying)),
        "kw-encrypt" => Some(simple::<E, K, KwEncrypt>(keying)),
        "kw-decrypt" => Some(simple::<D, K, KwDecrypt>(keying)),
        "kwp-encrypt" => Some(simple::<E, K, KwpEncrypt>(keying)),
        "kwp-decrypt" => Some(simple::<D, K, KwpDecrypt>(keying)),
        "xts-encrypt" => Some(xts::<B, K, true>(keying)),
        "xts-decrypt" => Some(xts::<B, K, false>(keying)),
        _ => any::<E, D, K>(operation, keying),
    }
}

#[allow(clippy::extra_unused_type_parameters)]
fn b8<E, D, B, K>(operation: &str, keying: K) -> Option<Cell>
where
    E: BlockCipherEncrypt + BlockSizeUser<BlockSize = U8> + 'static,
    D: BlockCipherDecrypt + 'static,
    K: Keying<E> + Keying<D>,
{
    match operation {
        "ctr-encrypt" => Some(simple::<E, K, Ctr<flavors::Ctr64BE>>(keying)),
        _ => any::<E, D, K>(operation, keying),
    }
}

/// The table names three types for each cipher. These modes need two of them.
#[allow(clippy::extra_unused_type_parameters)]
fn wide<E, D, B, K>(operation: &str, keying: K) -> Option<Cell>
where
    E: BlockCipherEncrypt + 'static,
    E::BlockSize: BlockSizes,
    D: BlockCipherDecrypt + 'static,
    K: Keying<E> + Keying<D>,
{
    any::<E, D, K>(operation, keying)
}

/// Modes for blocks of any length. CTR is absent, because the widest counter of the crate `ctr`
/// has 128 bits.
fn any<E, D, K>(operation: &str, keying: K) -> Option<Cell>
where
    E: BlockCipherEncrypt + 'static,
    E::BlockSize: BlockSizes,
    D: BlockCipherDecrypt + 'static,
    K: Keying<E> + Keying<D>,
{
    Some(match operation {
        "ecb-encrypt" => simple::<E, K, EcbEncrypt>(keying),
        "ecb-decrypt" => simple::<D, K, EcbDecrypt>(keying),
        "cbc-encrypt" => simple::<E, K, CbcEncrypt>(keying),
        "cbc-decrypt" => simple::<D, K, CbcDecrypt>(keying),
        "cfb-encrypt" => simple::<E, K, CfbEncrypt>(keying),
        "cfb-decrypt" => simple::<E, K, CfbDecrypt>(keying),
        "cfb8-encrypt" => simple::<E, K, Cfb8Encrypt>(keying),
        "cfb8-decrypt" => simple::<E, K, Cfb8Decrypt>(keying),
        "ofb-encrypt" => simple::<E, K, Ofb>(keying),
        "cbc-cs1-encrypt" => simple::<E, K, Cs1Encrypt>(keying),
        "cbc-cs1-decrypt" => simple::<D, K, Cs1Decrypt>(keying),
        "cbc-cs2-encrypt" => simple::<E, K, Cs2Encrypt>(keying),
        "cbc-cs2-decrypt" => simple::<D, K, Cs2Decrypt>(keying),
        "cbc-cs3-encrypt" => simple::<E, K, Cs3Encrypt>(keying),
        "cbc-cs3-decrypt" => simple::<D, K, Cs3Decrypt>(keying),
        _ => return None,
    })
}

/// A mode with a cipher whose key is set. The mode's object borrows the cipher, so a message
/// costs the set-up of its IV but no key set-up.
trait Mode<C>: 'static {
    fn run(cipher: &C, nonce: &[u8], text: Text<'_>) -> Written;
}

fn simple<C, K, M>(keying: K) -> Cell
where
    C: 'static,
    K: Keying<C>,
    M: Mode<C>,
{
    keying::cell(keying, |cipher: &mut C, message, text| {
        M::run(cipher, message.nonce, text)
    })
}

/// Converts the nonce into an IV of the mode's length.
fn iv<M: IvSizeUser>(nonce: &[u8]) -> Result<&Iv<M>, Failure> {
    <&Iv<M>>::try_from(nonce).map_err(|_| bad_nonce(nonce))
}

/// Converts a text into blocks.
fn blocks<N: ArraySize>(text: Text<'_>) -> Result<InOutBuf<'_, '_, Array<u8, N>>, Failure> {
    let length = text.length();
    let (blocks, rest) = in_out(text)?.into_chunks();
    if rest.is_empty() {
        Ok(blocks)
    } else {
        Err(Failure::length("a message", length))
    }
}

/// Defines a mode: its name, the traits that the cipher needs, and the processing of a message.
macro_rules! mode {
    ($name:ident: $bound:ident, |$cipher:ident, $nonce:ident, $text:ident| $run:expr) => {
        struct $name;

        impl<C: $bound + 'static> Mode<C> for $name {
            #[inline]
            fn run($cipher: &C, $nonce: &[u8], $text: Text<'_>) -> Written {
                let length = $text.length();
                $run;
                Ok(length)
            }
        }
    };
}

mode!(EcbEncrypt: BlockCipherEncrypt, |cipher, nonce, text| {
    let _ = nonce;
    cipher.encrypt_blocks_inout(blocks(text)?);
});

mode!(EcbDecrypt: BlockCipherDecrypt, |cipher, nonce, text| {
    let _ = nonce;
    cipher.decrypt_blocks_inout(blocks(text)?);
});

/// Defines modes with an IV: the mode's type, its method, and the form of the text that the
/// method takes.
macro_rules! with_iv {
    ($($name:ident: $bound:ident, $mode:ty, $call:ident, $form:ident;)*) => {$(
        mode!($name: $bound, |cipher, nonce, text| {
            let iv = iv::<$mode>(nonce)?;
            <$mode>::inner_iv_init(cipher, iv).$call($form(text)?)
        });
    )*};
}
with_iv! {
    CbcEncrypt: BlockCipherEncrypt, cbc::Encryptor<&C>, encrypt_blocks_inout, blocks;
    CbcDecrypt: BlockCipherDecrypt, cbc::Decryptor<&C>, decrypt_blocks_inout, blocks;
    CfbEncrypt: BlockCipherEncrypt, cfb_mode::Encryptor<&C>, encrypt_inout, in_out;
    CfbDecrypt: BlockCipherEncrypt, cfb_mode::Decryptor<&C>, decrypt_inout, in_out;
    Cfb8Encrypt: BlockCipherEncrypt, cfb8::Encryptor<&C>, encrypt_inout, in_out;
    Cfb8Decrypt: BlockCipherEncrypt, cfb8::Decryptor<&C>, decrypt_inout, in_out;
}

/// Defines modes with ciphertext stealing, which refuse a message that is too short.
macro_rules! stealing {
    ($($name:ident: $bound:ident, $mode:ident, $call:ident;)*) => {$(
        mode!($name: $bound, |cipher, nonce, text| {
            let (iv, length) = (iv::<$mode<&C>>(nonce)?, text.length());
            $mode::inner_iv_init(cipher, iv)
                .$call(in_out(text)?)
                .map_err(|_| Failure::length("a message", length))?
        });
    )*};
}
stealing! {
    Cs1Encrypt: BlockCipherEncrypt, CbcCs1, encrypt_inout;
    Cs1Decrypt: BlockCipherDecrypt, CbcCs1, decrypt_inout;
    Cs2Encrypt: BlockCipherEncrypt, CbcCs2, encrypt_inout;
    Cs2Decrypt: BlockCipherDecrypt, CbcCs2, decrypt_inout;
    Cs3Encrypt: BlockCipherEncrypt, CbcCs3, encrypt_inout;
    Cs3Decrypt: BlockCipherDecrypt, CbcCs3, decrypt_inout;
}

struct Ofb;

impl<C> Mode<C> for Ofb
where
    C: BlockCipherEncrypt + 'static,
    C::BlockSize: BlockSizes,
{
    #[inline]
    fn run(cipher: &C, nonce: &[u8], text: Text<'_>) -> Written {
        keystream(
            ofb::OfbCore::inner_iv_init(cipher, iv::<ofb::OfbCore<&C>>(nonce)?),
            text,
        )
    }
}

/// CTR. The type `F` states the counter's width, which is the block's width.
struct Ctr<F>(PhantomData<F>);

impl<C, F> Mode<C> for Ctr<F>
where
    C: BlockCipherEncrypt + 'static,
    C::BlockSize: BlockSizes,
    F: CtrFlavor<C::BlockSize> + 'static,
{
    #[inline]
    fn run(cipher: &C, nonce: &[u8], text: Text<'_>) -> Written {
        let iv = iv::<CtrCore<&C, F>>(nonce)?;
        keystream(CtrCore::<&C, F>::inner_iv_init(cipher, iv), text)
    }
}

/// Processes a message by a mode that makes a keystream.
#[inline]
fn keystream<S: StreamCipherCore<BlockSize: BlockSizes>>(core: S, text: Text<'_>) -> Written {
    let length = text.length();
    StreamCipherCoreWrapper::from_core(core)
        .try_apply_keystream_inout(in_out(text)?)
        .map_err(|_| Failure::length("a message", length))?;
    Ok(length)
}

/// XTS with the key K1 ‖ K2.
fn xts<C, K, const ENCRYPT: bool>(keying: K) -> Cell
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + 'static,
    K: Keying<C>,
{
    keying::cell(Halves(keying), |cipher: &mut Xts128<C>, message, text| {
        let tweak =
            <&Array<u8, U16>>::try_from(message.nonce).map_err(|_| bad_nonce(message.nonce))?;
        let length = text.length();
        // The crate panics if the message is shorter than a block.
        if length < 16 {
            return Err(Failure::length("a message", length));
        }
        let sector = &mut text.moved()[..length];
        if ENCRYPT {
            cipher.encrypt_sector(sector, *tweak);
        } else {
            cipher.decrypt_sector(sector, *tweak);
        }
        Ok(length)
    })
}

/// Two ciphers. The key of each is one half of the key.
#[derive(Clone, Copy)]
struct Halves<K>(K);

impl<C, K> Keying<Xts128<C>> for Halves<K>
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16>,
    K: Keying<C>,
{
    fn schedule(self, key: &[u8]) -> Result<Xts128<C>, Failure> {
        if !key.len().is_multiple_of(2) {
            return Err(bad_key(key));
        }
        let (data, tweak) = key.split_at(key.len() / 2);
        Ok(Xts128::new(self.0.schedule(data)?, self.0.schedule(tweak)?))
    }
}

/// Defines key wrap. Like the other modes, its object borrows the cipher.
macro_rules! wrap {
    ($($name:ident: $bound:ident, $object:ident, $call:ident;)*) => {$(
        struct $name;

        impl<C> Mode<C> for $name
        where
            C: $bound + BlockSizeUser<BlockSize = U16> + 'static,
        {
            #[inline]
            fn run(cipher: &C, nonce: &[u8], text: Text<'_>) -> Written {
                if !nonce.is_empty() {
                    return Err(bad_nonce(nonce));
                }
                let (input, output) = text.apart()?;
                $object::inner_init(cipher)
                    .$call(input, output)
                    .map(<[u8]>::len)
                    .map_err(|error| match error {
                        aes_kw::Error::IntegrityCheckFailed => Failure::Rejected,
                        _ => bad_length(input),
                    })
            }
        }
    )*};
}
wrap! {
    KwEncrypt: BlockCipherEncrypt, AesKw, wrap_key;
    KwDecrypt: BlockCipherDecrypt, AesKw, unwrap_key;
    KwpEncrypt: BlockCipherEncrypt, AesKwp, wrap_key;
    KwpDecrypt: BlockCipherDecrypt, AesKwp, unwrap_key;
}
