//! Block ciphers in every mode: one row a cipher.

use touchstone::block::gost28147::SBoxes;
use touchstone::block::rc2::EffectiveBits;
use touchstone::block::{Message as Chain, *};
use touchstone::mac::{CbcMac, Cmac};
use touchstone::mode::{CbcCs1, CbcCs2, CbcCs3, CbcDecrypt, CbcEncrypt, Ctr, Ecb};
use touchstone::mode::{Cfb8Decrypt, Cfb8Encrypt, CfbDecrypt, CfbEncrypt, Ofb};
use touchstone::{
    DataError, DigestBytes as _, FusedDecrypt, FusedEncrypt, InOutBuf, InvalidKeyLength, Kernel,
    Keyed, KeyedWith, Mac,
};
use touchstone_worker::{Batch, Cell, Contract, Failure, Message, Offer, Operation, Work, offer};

macro_rules! ciphers {
    ($($id:literal = $encrypt:ty, $decrypt:ty $(, |$work:ident| $parameter:expr)?;)*) => {
        pub(crate) fn offers() -> Vec<Offer> {
            [$(offers_of::<$encrypt>($id)),*].concat()
        }

        pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
            match work.primitive.as_str() {
                $($id => cell!(work, $encrypt, $decrypt $(, |$work| $parameter)?),)*
                _ => None,
            }
        }
    };
}

/// The cell of a cipher by its key, or with a parameter too if the work has one.
macro_rules! cell {
    ($given:ident, $encrypt:ty, $decrypt:ty) => {
        cell_of::<$encrypt, $decrypt>($given, ByKey, ByKey)
    };
    ($given:ident, $encrypt:ty, $decrypt:ty, |$work:ident| $parameter:expr) => {
        match (|$work: &Work| -> Result<_, Failure> { Ok($parameter) })($given) {
            Ok(Some(parameter)) => cell_of(
                $given,
                move |key: &[u8]| <$encrypt>::from_slice_with(parameter, key),
                move |key: &[u8]| <$decrypt>::from_slice_with(parameter, key),
            ),
            Ok(None) => cell_of::<$encrypt, $decrypt>($given, ByKey, ByKey),
            Err(failure) => Some(Err(failure)),
        }
    };
}

ciphers! {
    "aes-128" = Aes128Encrypt, Aes128Decrypt;
    "aes-192" = Aes192Encrypt, Aes192Decrypt;
    "aes-256" = Aes256Encrypt, Aes256Decrypt;
    "anubis" = AnubisEncrypt, AnubisDecrypt;
    "anubis-original" = AnubisOriginalEncrypt, AnubisOriginalDecrypt;
    "aria-128" = Aria128Encrypt, Aria128Decrypt;
    "aria-192" = Aria192Encrypt, Aria192Decrypt;
    "aria-256" = Aria256Encrypt, Aria256Decrypt;
    "camellia-128" = Camellia128, Camellia128;
    "camellia-192" = Camellia192, Camellia192;
    "camellia-256" = Camellia256, Camellia256;
    "kuznyechik" = KuznyechikEncrypt, KuznyechikDecrypt;
    "seed" = Seed, Seed;
    "serpent-128" = Serpent, Serpent;
    "serpent-192" = Serpent, Serpent;
    "serpent-256" = Serpent, Serpent;
    "twofish-128" = Twofish, Twofish;
    "twofish-192" = Twofish, Twofish;
    "twofish-256" = Twofish, Twofish;
    "shacal2" = Shacal2, Shacal2;
    "sm4" = Sm4, Sm4;
    "blowfish" = Blowfish, Blowfish;
    "cast5" = Cast5, Cast5;
    "des" = Des, Des;
    "des-ede2" = DesEde2, DesEde2;
    "des-ede3" = DesEde3, DesEde3;
    "gost28147" = Gost28147, Gost28147;
    "gost28147-r3411-cryptopro" = Gost28147, Gost28147, |_work| Some(SBoxes::R3411_CRYPTO_PRO);
    "gost28147-test" = Gost28147, Gost28147, |_work| Some(SBoxes::TEST);
    "idea" = IdeaEncrypt, IdeaDecrypt;
    "magma" = Magma, Magma;
    "rc2" = Rc2, Rc2, |work| cost(work, "effective-bits", EffectiveBits::new)?;
    "rc5-32-12" = Rc5, Rc5, |work| cost(work, "rounds", |n| u8::try_from(n).ok())?;
    "tea" = Tea, Tea;
    "xtea" = Xtea, Xtea, |work| cost(work, "rounds", |n| u8::try_from(n).ok())?;
}

/// A parameter, if the work has it.
fn cost<P>(
    work: &Work,
    name: &str,
    parameter: impl Fn(usize) -> Option<P>,
) -> Result<Option<P>, Failure> {
    let Some(number) = work.cost(name) else {
        return Ok(None);
    };
    let given = usize::try_from(number).ok().and_then(parameter);
    given
        .map(Some)
        .ok_or_else(|| Failure::unsupported(format_args!("{name} {number}")))
}

/// Operation and the call that is timed.
const MODES: &[(&str, &str)] = &[
    ("ecb-encrypt", "Ecb::encrypt_into"),
    ("ecb-decrypt", "Ecb::decrypt_into"),
    ("cbc-encrypt", "CbcEncrypt::encrypt_into"),
    ("cbc-decrypt", "CbcDecrypt::decrypt_into"),
    ("cbc-cs1-encrypt", "CbcCs1::encrypt_into"),
    ("cbc-cs1-decrypt", "CbcCs1::decrypt_into"),
    ("cbc-cs2-encrypt", "CbcCs2::encrypt_into"),
    ("cbc-cs2-decrypt", "CbcCs2::decrypt_into"),
    ("cbc-cs3-encrypt", "CbcCs3::encrypt_into"),
    ("cbc-cs3-decrypt", "CbcCs3::decrypt_into"),
    ("cfb-encrypt", "CfbEncrypt::encrypt_into"),
    ("cfb-decrypt", "CfbDecrypt::decrypt_into"),
    ("cfb8-encrypt", "Cfb8Encrypt::encrypt_into"),
    ("cfb8-decrypt", "Cfb8Decrypt::decrypt_into"),
    ("ofb-encrypt", "Ofb::apply_into"),
    ("ctr-encrypt", "Ctr::apply_into"),
    ("cmac", "Cmac::mac"),
    ("cbc-mac", "CbcMac::mac"),
];

/// Operations with a call for many messages, and that call.
const MANY: &[(&str, &str)] = &[
    ("cbc-encrypt", "CbcEncrypt::encrypt_many"),
    ("cfb-encrypt", "CfbEncrypt::encrypt_many"),
    ("ofb-encrypt", "Ofb::apply_many"),
    ("cmac", "Cmac::mac_many"),
    ("cbc-mac", "CbcMac::mac_many"),
];

fn offers_of<C: Keyed>(id: &str) -> Vec<Offer> {
    let kernel = C::Kernel::best().name();
    MODES
        .iter()
        .map(|(operation, api)| {
            let many = MANY.iter().find(|(known, _)| known == operation);
            Offer {
                kernel: kernel.to_owned(),
                api: match many {
                    Some((_, many)) => format!("{api}; many: {many}"),
                    None => (*api).to_owned(),
                },
                contracts: many.map(|_| Contract::Many).into_iter().collect(),
                ..offer(id, operation, "")
            }
        })
        .collect()
}

fn cell_of<E, D>(
    work: &Work,
    encrypt: impl SetUp<E>,
    decrypt: impl SetUp<D>,
) -> Option<Result<Cell, Failure>>
where
    E: Keyed + FusedEncrypt + 'static,
    D: Keyed + FusedDecrypt + 'static,
{
    let cut = work.tag;
    Some(match work.operation.as_str() {
        "ecb-encrypt" => keyed_by(work, encrypt, |cipher: &E, m, out| {
            done(
                m,
                Ecb::new(cipher).encrypt_into(m.input, &mut out[..m.input.len()]),
            )
        }),
        "ecb-decrypt" => keyed_by(work, decrypt, |cipher: &D, m, out| {
            done(
                m,
                Ecb::new(cipher).decrypt_into(m.input, &mut out[..m.input.len()]),
            )
        }),
        "cbc-encrypt" => many_by(
            work,
            encrypt,
            |cipher: &E, m, out| {
                let mut mode = CbcEncrypt::new(cipher, &block(m.nonce)?);
                done(m, mode.encrypt_into(m.input, &mut out[..m.input.len()]))
            },
            |cipher, batch, out| chains(batch, out, |all| CbcEncrypt::encrypt_many(cipher, all)),
        ),
        "cbc-decrypt" => keyed_by(work, decrypt, |cipher: &D, m, out| {
            let mut mode = CbcDecrypt::new(cipher, &block(m.nonce)?);
            done(m, mode.decrypt_into(m.input, &mut out[..m.input.len()]))
        }),
        "cbc-cs1-encrypt" => keyed_by(work, encrypt, |cipher: &E, m, out| {
            let (mode, out) = (CbcCs1::new(cipher), &mut out[..m.input.len()]);
            done(m, mode.encrypt_into(&block(m.nonce)?, m.input, out))
        }),
        "cbc-cs1-decrypt" => keyed_by(work, decrypt, |cipher: &D, m, out| {
            let (mode, out) = (CbcCs1::new(cipher), &mut out[..m.input.len()]);
            done(m, mode.decrypt_into(&block(m.nonce)?, m.input, out))
        }),
        "cbc-cs2-encrypt" => keyed_by(work, encrypt, |cipher: &E, m, out| {
            let (mode, out) = (CbcCs2::new(cipher), &mut out[..m.input.len()]);
            done(m, mode.encrypt_into(&block(m.nonce)?, m.input, out))
        }),
        "cbc-cs2-decrypt" => keyed_by(work, decrypt, |cipher: &D, m, out| {
            let (mode, out) = (CbcCs2::new(cipher), &mut out[..m.input.len()]);
            done(m, mode.decrypt_into(&block(m.nonce)?, m.input, out))
        }),
        "cbc-cs3-encrypt" => keyed_by(work, encrypt, |cipher: &E, m, out| {
            let (mode, out) = (CbcCs3::new(cipher), &mut out[..m.input.len()]);
            done(m, mode.encrypt_into(&block(m.nonce)?, m.input, out))
        }),
        "cbc-cs3-decrypt" => keyed_by(work, decrypt, |cipher: &D, m, out| {
            let (mode, out) = (CbcCs3::new(cipher), &mut out[..m.input.len()]);
            done(m, mode.decrypt_into(&block(m.nonce)?, m.input, out))
        }),
        "cfb-encrypt" => many_by(
            work,
            encrypt,
            |cipher: &E, m, out| {
                let mut mode = CfbEncrypt::new(cipher, &block(m.nonce)?);
                done(m, mode.encrypt_into(m.input, &mut out[..m.input.len()]))
            },
            |cipher, batch, out| chains(batch, out, |all| CfbEncrypt::encrypt_many(cipher, all)),
        ),
        "cfb-decrypt" => keyed_by(work, encrypt, |cipher: &E, m, out| {
            let mut mode = CfbDecrypt::new(cipher, &block(m.nonce)?);
            done(m, mode.decrypt_into(m.input, &mut out[..m.input.len()]))
        }),
        "cfb8-encrypt" => keyed_by(work, encrypt, |cipher: &E, m, out| {
            let mut mode = Cfb8Encrypt::new(cipher, &block(m.nonce)?);
            done(m, mode.encrypt_into(m.input, &mut out[..m.input.len()]))
        }),
        "cfb8-decrypt" => keyed_by(work, encrypt, |cipher: &E, m, out| {
            let mut mode = Cfb8Decrypt::new(cipher, &block(m.nonce)?);
            done(m, mode.decrypt_into(m.input, &mut out[..m.input.len()]))
        }),
        "ofb-encrypt" => many_by(
            work,
            encrypt,
            |cipher: &E, m, out| {
                let mut mode = Ofb::new(cipher, &block(m.nonce)?);
                done(m, mode.apply_into(m.input, &mut out[..m.input.len()]))
            },
            |cipher, batch, out| chains(batch, out, |all| Ofb::apply_many(cipher, all)),
        ),
        "cmac" => encrypt.mac(
            work,
            Cmac::with_cipher,
            move |mac: &Cmac<E>, m, out| Ok(tag(mac, m, out, cut)),
            move |mac, batch, out| {
                tags(
                    batch,
                    out,
                    cut,
                    <E::Block as Block>::Tag::ZERO,
                    |inputs, macs| mac.mac_many(inputs, macs),
                )
            },
        ),
        "cbc-mac" => encrypt.mac(
            work,
            CbcMac::with_cipher,
            move |mac: &CbcMac<E>, m, out| Ok(tag(mac, m, out, cut)),
            move |mac, batch, out| {
                tags(
                    batch,
                    out,
                    cut,
                    <E::Block as Block>::Tag::ZERO,
                    |inputs, macs| mac.mac_many(inputs, macs),
                )
            },
        ),
        "ctr-encrypt" => keyed_by(work, encrypt, |cipher: &E, m, out| {
            let mut mode = Ctr::new(cipher, &block(m.nonce)?);
            done(m, mode.apply_into(m.input, &mut out[..m.input.len()]))
        }),
        _ => return None,
    })
}

/// A message's tag, of `cut` bytes or whole.
pub(crate) fn tag(
    mac: &impl Mac,
    message: &Message<'_>,
    output: &mut [u8],
    cut: Option<usize>,
) -> usize {
    let tag = mac.mac(message.input);
    let tag = tag.as_ref();
    let n = cut.unwrap_or(tag.len()).min(tag.len());
    output[..n].copy_from_slice(&tag[..n]);
    n
}

/// Many messages of whole blocks by one call, each with its nonce for a chain.
fn chains<B: Block>(
    batch: &Batch<'_>,
    output: &mut [u8],
    call: impl FnOnce(&mut [Chain<'_, '_, B>]),
) -> Result<usize, Failure> {
    let length = batch.length();
    if length == 0 || !length.is_multiple_of(B::SIZE) {
        return Err(Failure::unsupported(
            "many messages that are not whole blocks",
        ));
    }
    let mut all = Vec::with_capacity(batch.messages);
    for ((nonce, input), out) in batch
        .nonces()
        .zip(batch.inputs())
        .zip(output.chunks_exact_mut(length))
    {
        let bytes = InOutBuf::new(input, out).map_err(Failure::failed)?;
        all.push(Chain {
            chain: block(nonce)?,
            blocks: B::split(bytes).0,
        });
    }
    call(&mut all);
    Ok(length)
}

/// The tags of many messages by one call.
fn tags<T: AsRef<[u8]> + Copy>(
    batch: &Batch<'_>,
    output: &mut [u8],
    cut: Option<usize>,
    none: T,
    call: impl FnOnce(&[&[u8]], &mut [T]) -> Result<(), DataError>,
) -> Result<usize, Failure> {
    let inputs: Vec<&[u8]> = batch.inputs().collect();
    let mut tags = vec![none; batch.messages];
    call(&inputs, &mut tags).map_err(Failure::unsupported)?;
    let whole = none.as_ref().len();
    let length = cut.map_or(whole, |cut| cut.min(whole));
    for (tag, out) in tags.iter().zip(output.chunks_exact_mut(length)) {
        out.copy_from_slice(&tag.as_ref()[..length]);
    }
    Ok(length)
}

pub(crate) fn block<B: Block>(nonce: &[u8]) -> Result<B, Failure> {
    B::try_from(nonce)
        .map_err(|_| Failure::unsupported(format_args!("an IV of {} bytes", nonce.len())))
}

pub(crate) fn done(message: &Message<'_>, result: Result<(), DataError>) -> Result<usize, Failure> {
    match result {
        Ok(()) => Ok(message.input.len()),
        Err(error) => Err(Failure::unsupported(error)),
    }
}

/// How a key is set up.
pub(crate) trait SetUp<C>: Copy + Send + Sync + 'static {
    /// The first key of an object.
    fn first(self, key: &[u8]) -> Result<C, InvalidKeyLength>;

    /// Another key in its place.
    fn next(self, cipher: &mut C, key: &[u8]) -> Result<(), InvalidKeyLength>;

    /// A cell of a MAC over the cipher.
    fn mac<M, F, N>(
        self,
        work: &Work,
        over: fn(C) -> M,
        message: F,
        many: N,
    ) -> Result<Cell, Failure>
    where
        C: 'static,
        M: Keyed + 'static,
        F: Fn(&M, &Message<'_>, &mut [u8]) -> Result<usize, Failure> + Copy + Send + Sync + 'static,
        N: Fn(&M, &Batch<'_>, &mut [u8]) -> Result<usize, Failure> + Copy + Send + Sync + 'static;
}

/// By the key alone.
#[derive(Clone, Copy)]
pub(crate) struct ByKey;

impl<C: Keyed> SetUp<C> for ByKey {
    #[inline]
    fn first(self, key: &[u8]) -> Result<C, InvalidKeyLength> {
        C::from_slice(key)
    }

    #[inline]
    fn next(self, cipher: &mut C, key: &[u8]) -> Result<(), InvalidKeyLength> {
        cipher.rekey(key)
    }

    fn mac<M, F, N>(self, work: &Work, _: fn(C) -> M, message: F, many: N) -> Result<Cell, Failure>
    where
        M: Keyed + 'static,
        F: Fn(&M, &Message<'_>, &mut [u8]) -> Result<usize, Failure> + Copy + Send + Sync + 'static,
        N: Fn(&M, &Batch<'_>, &mut [u8]) -> Result<usize, Failure> + Copy + Send + Sync + 'static,
    {
        many_by(work, ByKey, message, many)
    }
}

/// By the key and a parameter, which the closure has.
impl<C, S> SetUp<C> for S
where
    S: Fn(&[u8]) -> Result<C, InvalidKeyLength> + Copy + Send + Sync + 'static,
{
    #[inline]
    fn first(self, key: &[u8]) -> Result<C, InvalidKeyLength> {
        self(key)
    }

    #[inline]
    fn next(self, cipher: &mut C, key: &[u8]) -> Result<(), InvalidKeyLength> {
        *cipher = self(key)?;
        Ok(())
    }

    fn mac<M, F, N>(
        self,
        work: &Work,
        over: fn(C) -> M,
        message: F,
        many: N,
    ) -> Result<Cell, Failure>
    where
        C: 'static,
        M: Keyed + 'static,
        F: Fn(&M, &Message<'_>, &mut [u8]) -> Result<usize, Failure> + Copy + Send + Sync + 'static,
        N: Fn(&M, &Batch<'_>, &mut [u8]) -> Result<usize, Failure> + Copy + Send + Sync + 'static,
    {
        many_by(work, move |key: &[u8]| self(key).map(over), message, many)
    }
}

/// A cell of a keyed primitive from the function that does one message.
#[allow(dead_code, reason = "for primitives without parameters")]
pub(crate) fn keyed<C, F>(work: &Work, message: F) -> Result<Cell, Failure>
where
    C: Keyed + 'static,
    F: Fn(&C, &Message<'_>, &mut [u8]) -> Result<usize, Failure> + Copy + Send + Sync + 'static,
{
    keyed_by(work, ByKey, message)
}

/// [`keyed`] by the key and what else it takes.
pub(crate) fn keyed_by<C, F>(
    work: &Work,
    set_up: impl SetUp<C>,
    message: F,
) -> Result<Cell, Failure>
where
    C: Keyed + 'static,
    F: Fn(&C, &Message<'_>, &mut [u8]) -> Result<usize, Failure> + Copy + Send + Sync + 'static,
{
    many_by(work, set_up, message, |_, _, _| {
        Err(Failure::unsupported("many messages in one call"))
    })
}

/// [`keyed_by`] with the function that does many messages.
fn many_by<C, F, M>(
    work: &Work,
    set_up: impl SetUp<C>,
    message: F,
    many: M,
) -> Result<Cell, Failure>
where
    C: Keyed + 'static,
    F: Fn(&C, &Message<'_>, &mut [u8]) -> Result<usize, Failure> + Copy + Send + Sync + 'static,
    M: Fn(&C, &Batch<'_>, &mut [u8]) -> Result<usize, Failure> + Copy + Send + Sync + 'static,
{
    if !C::KEY_LENGTHS.contains(work.key.len()) {
        return Err(Failure::unsupported(format_args!(
            "a key of {} bytes",
            work.key.len()
        )));
    }
    Ok(Cell::new(move || {
        Ok(WithKey {
            cipher: None,
            set_up,
            message,
            many,
        })
    }))
}

struct WithKey<C, S, F, M> {
    cipher: Option<C>,
    set_up: S,
    message: F,
    many: M,
}

impl<C, S, F, M> Operation for WithKey<C, S, F, M>
where
    S: SetUp<C>,
    F: Fn(&C, &Message<'_>, &mut [u8]) -> Result<usize, Failure>,
    M: Fn(&C, &Batch<'_>, &mut [u8]) -> Result<usize, Failure>,
{
    #[inline]
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        match &mut self.cipher {
            Some(cipher) => self.set_up.next(cipher, key),
            none => self.set_up.first(key).map(|cipher| *none = Some(cipher)),
        }
        .map_err(Failure::unsupported)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        match &self.cipher {
            Some(cipher) => (self.message)(cipher, message, output),
            None => Err(Failure::failed("no key is set")),
        }
    }

    fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        match &self.cipher {
            Some(cipher) => (self.many)(cipher, batch, output),
            None => Err(Failure::failed("no key is set")),
        }
    }
}
