//! Block ciphers in modes without authentication, and key wrap.

use std::marker::PhantomData;

use aes_kw::{AesKw, AesKwp};
use cipher::common::InnerInit;
use cipher::consts::{U8, U16};
use cipher::{
    Array, Block, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt,
    BlockSizeUser, InnerIvInit, Iv, IvSizeUser, StreamCipher, StreamCipherCoreWrapper,
};
use ctr::{CtrCore, CtrFlavor, flavors};
use cts::{CbcCs1, CbcCs2, CbcCs3, Decrypt as _, Encrypt as _};
use digest::block_buffer::BlockSizes;
use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};
use xts_mode::Xts128;

use crate::block::{FromWork, ROWS, block_ciphers, check};
use crate::keying::{EffectiveBits, Keying, Plain, bad_key, bad_length, bad_nonce, keyed};
use crate::versions;

/// Operation, and the crate of its mode; none where `cipher` itself has it.
const MODES: &[(&str, &str)] = &[
    ("ecb-encrypt", "cipher"),
    ("ecb-decrypt", "cipher"),
    ("cbc-encrypt", "cbc"),
    ("cbc-decrypt", "cbc"),
    ("cfb-encrypt", "cfb-mode"),
    ("cfb-decrypt", "cfb-mode"),
    ("cfb8-encrypt", "cfb8"),
    ("cfb8-decrypt", "cfb8"),
    ("ofb-encrypt", "ofb"),
    ("ctr-encrypt", "ctr"),
    ("cbc-cs1-encrypt", "cts"),
    ("cbc-cs1-decrypt", "cts"),
    ("cbc-cs2-encrypt", "cts"),
    ("cbc-cs2-decrypt", "cts"),
    ("cbc-cs3-encrypt", "cts"),
    ("cbc-cs3-decrypt", "cts"),
    ("xts-encrypt", "xts-mode"),
    ("xts-decrypt", "xts-mode"),
    ("kw-encrypt", "aes-kw"),
    ("kw-decrypt", "aes-kw"),
    ("kwp-encrypt", "aes-kw"),
    ("kwp-decrypt", "aes-kw"),
];

pub(crate) fn offers() -> Vec<Offer> {
    let mut rows = Vec::new();
    for (primitive, krate) in ROWS {
        for (operation, mode) in MODES {
            let work = Work {
                primitive: (*primitive).to_owned(),
                operation: (*operation).to_owned(),
                ..Work::default()
            };
            if find(&work).is_none() {
                continue;
            }
            let mut row = offer(primitive, operation, &versions::api(&[krate, mode]));
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

/// The groups of 16-byte ciphers differ for the AEAD module only.
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

/// The table names three types; two are enough for these.
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

/// Modes for blocks of any size. There is no counter mode, because the widest counter of
/// the `ctr` crate has 128 bits.
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

/// A mode over a scheduled cipher. The mode object borrows the cipher, so a
/// message costs its IV set-up and no key set-up.
trait Mode<C>: 'static {
    fn run(cipher: &C, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure>;
}

fn simple<C, K, M>(keying: K) -> Cell
where
    C: 'static,
    K: Keying<C>,
    M: Mode<C>,
{
    Cell::new(move || {
        Ok(InMode {
            keying,
            cipher: None::<C>,
            mode: PhantomData::<M>,
        })
    })
}

struct InMode<C, K, M> {
    keying: K,
    cipher: Option<C>,
    mode: PhantomData<M>,
}

impl<C, K: Keying<C>, M: Mode<C>> Operation for InMode<C, K, M> {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.cipher = Some(self.keying.schedule(key)?);
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        M::run(keyed(&mut self.cipher)?, message, output)
    }
}

/// The nonce as an IV of the mode's size.
fn iv<'a, M: IvSizeUser>(message: &Message<'a>) -> Result<&'a Iv<M>, Failure> {
    <&Iv<M>>::try_from(message.nonce).map_err(|_| bad_nonce(message.nonce))
}

type Blocks<'a, C> = (&'a [Block<C>], &'a mut [Block<C>]);

/// Input and output as blocks.
fn blocks<'a, C: BlockSizeUser>(
    input: &'a [u8],
    output: &'a mut [u8],
) -> Result<Blocks<'a, C>, Failure> {
    let (from, rest) = Array::slice_as_chunks(input);
    if !rest.is_empty() {
        return Err(bad_length(input));
    }
    let (to, _) = Array::slice_as_chunks_mut(&mut output[..input.len()]);
    Ok((from, to))
}

/// The b2b calls fail only if the lengths differ, which cannot happen here: both buffers
/// are cut to the same length.
fn unequal<E>(_: E) -> Failure {
    Failure::failed("buffers of different lengths")
}

/// One mode: its name, what it needs of the cipher, and one message.
macro_rules! mode {
    ($name:ident: $bound:ident, |$cipher:ident, $message:ident, $output:ident| $run:block) => {
        struct $name;

        impl<C: $bound + 'static> Mode<C> for $name {
            #[inline]
            fn run(
                $cipher: &C,
                $message: &Message<'_>,
                $output: &mut [u8],
            ) -> Result<usize, Failure> {
                $run
                Ok($message.input.len())
            }
        }
    };
}

mode!(EcbEncrypt: BlockCipherEncrypt, |cipher, message, output| {
    let (from, to) = blocks::<C>(message.input, output)?;
    cipher.encrypt_blocks_b2b(from, to).map_err(unequal)?;
});

mode!(EcbDecrypt: BlockCipherDecrypt, |cipher, message, output| {
    let (from, to) = blocks::<C>(message.input, output)?;
    cipher.decrypt_blocks_b2b(from, to).map_err(unequal)?;
});

mode!(CbcEncrypt: BlockCipherEncrypt, |cipher, message, output| {
    let (from, to) = blocks::<C>(message.input, output)?;
    let iv = iv::<cbc::Encryptor<&C>>(message)?;
    cbc::Encryptor::inner_iv_init(cipher, iv)
        .encrypt_blocks_b2b(from, to)
        .map_err(unequal)?;
});

mode!(CbcDecrypt: BlockCipherDecrypt, |cipher, message, output| {
    let (from, to) = blocks::<C>(message.input, output)?;
    let iv = iv::<cbc::Decryptor<&C>>(message)?;
    cbc::Decryptor::inner_iv_init(cipher, iv)
        .decrypt_blocks_b2b(from, to)
        .map_err(unequal)?;
});

mode!(CfbEncrypt: BlockCipherEncrypt, |cipher, message, output| {
    let iv = iv::<cfb_mode::Encryptor<&C>>(message)?;
    cfb_mode::Encryptor::inner_iv_init(cipher, iv)
        .encrypt_b2b(message.input, &mut output[..message.input.len()])
        .map_err(unequal)?;
});

mode!(CfbDecrypt: BlockCipherEncrypt, |cipher, message, output| {
    let iv = iv::<cfb_mode::Decryptor<&C>>(message)?;
    cfb_mode::Decryptor::inner_iv_init(cipher, iv)
        .decrypt_b2b(message.input, &mut output[..message.input.len()])
        .map_err(unequal)?;
});

mode!(Cfb8Encrypt: BlockCipherEncrypt, |cipher, message, output| {
    let iv = iv::<cfb8::Encryptor<&C>>(message)?;
    cfb8::Encryptor::inner_iv_init(cipher, iv)
        .encrypt_b2b(message.input, &mut output[..message.input.len()])
        .map_err(unequal)?;
});

mode!(Cfb8Decrypt: BlockCipherEncrypt, |cipher, message, output| {
    let iv = iv::<cfb8::Decryptor<&C>>(message)?;
    cfb8::Decryptor::inner_iv_init(cipher, iv)
        .decrypt_b2b(message.input, &mut output[..message.input.len()])
        .map_err(unequal)?;
});

struct Ofb;

impl<C> Mode<C> for Ofb
where
    C: BlockCipherEncrypt + 'static,
    C::BlockSize: BlockSizes,
{
    #[inline]
    fn run(cipher: &C, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let iv = iv::<ofb::OfbCore<&C>>(message)?;
        StreamCipherCoreWrapper::from_core(ofb::OfbCore::inner_iv_init(cipher, iv))
            .try_apply_keystream_b2b(message.input, &mut output[..message.input.len()])
            .map_err(|_| bad_length(message.input))?;
        Ok(message.input.len())
    }
}

/// Counter mode; the flavour is as wide as the block.
struct Ctr<F>(PhantomData<F>);

impl<C, F> Mode<C> for Ctr<F>
where
    C: BlockCipherEncrypt + 'static,
    C::BlockSize: BlockSizes,
    F: CtrFlavor<C::BlockSize> + 'static,
{
    #[inline]
    fn run(cipher: &C, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let iv = iv::<CtrCore<&C, F>>(message)?;
        StreamCipherCoreWrapper::from_core(CtrCore::<&C, F>::inner_iv_init(cipher, iv))
            .try_apply_keystream_b2b(message.input, &mut output[..message.input.len()])
            .map_err(|_| bad_length(message.input))?;
        Ok(message.input.len())
    }
}

/// Ciphertext stealing: one type of the crate, both ways.
macro_rules! stealing {
    ($($mode:ident: $encrypt:ident, $decrypt:ident;)*) => {$(
        mode!($encrypt: BlockCipherEncrypt, |cipher, message, output| {
            let iv = iv::<$mode<&C>>(message)?;
            $mode::inner_iv_init(cipher, iv)
                .encrypt_b2b(message.input, &mut output[..message.input.len()])
                .map_err(|_| bad_length(message.input))?;
        });

        mode!($decrypt: BlockCipherDecrypt, |cipher, message, output| {
            let iv = iv::<$mode<&C>>(message)?;
            $mode::inner_iv_init(cipher, iv)
                .decrypt_b2b(message.input, &mut output[..message.input.len()])
                .map_err(|_| bad_length(message.input))?;
        });
    )*};
}
stealing! {
    CbcCs1: Cs1Encrypt, Cs1Decrypt;
    CbcCs2: Cs2Encrypt, Cs2Decrypt;
    CbcCs3: Cs3Encrypt, Cs3Decrypt;
}

/// XTS under K1 ‖ K2.
fn xts<C, K, const ENCRYPT: bool>(keying: K) -> Cell
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + 'static,
    K: Keying<C>,
{
    Cell::new(move || {
        Ok(Xts::<C, K, ENCRYPT> {
            keying,
            cipher: None,
        })
    })
}

struct Xts<C, K, const ENCRYPT: bool> {
    keying: K,
    cipher: Option<Xts128<C>>,
}

impl<C, K, const ENCRYPT: bool> Operation for Xts<C, K, ENCRYPT>
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16>,
    K: Keying<C>,
{
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        if !key.len().is_multiple_of(2) {
            return Err(bad_key(key));
        }
        let (data, tweak) = key.split_at(key.len() / 2);
        self.cipher = Some(Xts128::new(
            self.keying.schedule(data)?,
            self.keying.schedule(tweak)?,
        ));
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let cipher = keyed(&mut self.cipher)?;
        let tweak =
            <&Array<u8, U16>>::try_from(message.nonce).map_err(|_| bad_nonce(message.nonce))?;
        let length = message.input.len();
        // The crate asserts what is checked here.
        if length < 16 {
            return Err(bad_length(message.input));
        }
        let sector = &mut output[..length];
        sector.copy_from_slice(message.input);
        if ENCRYPT {
            cipher.encrypt_sector(sector, *tweak);
        } else {
            cipher.decrypt_sector(sector, *tweak);
        }
        Ok(length)
    }
}

/// Key wrap: the object borrows the cipher as the other modes do.
macro_rules! wrap {
    ($($name:ident: $bound:ident, $object:ident, $call:ident;)*) => {$(
        struct $name;

        impl<C> Mode<C> for $name
        where
            C: $bound + BlockSizeUser<BlockSize = U16> + 'static,
        {
            #[inline]
            fn run(
                cipher: &C,
                message: &Message<'_>,
                output: &mut [u8],
            ) -> Result<usize, Failure> {
                if !message.nonce.is_empty() {
                    return Err(bad_nonce(message.nonce));
                }
                $object::inner_init(cipher)
                    .$call(message.input, output)
                    .map(<[u8]>::len)
                    .map_err(|error| match error {
                        aes_kw::Error::IntegrityCheckFailed => Failure::Rejected,
                        _ => bad_length(message.input),
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
