//! Modes of operation over any block cipher of one block size, behind one trait
//! each for ciphers, AEADs and MACs: one arm a mode.

use std::ptr::NonNull;

use touchstone::aead::{Ccm, Eax, Gcm, Ocb, Siv};
use touchstone::block::{Block, Both, Message};
use touchstone::hidden::AeadEngine as Aead;
use touchstone::mac::cmac::Omac;
use touchstone::mode::*;
use touchstone::{FusedDecrypt, FusedEncrypt, InOutBuf, Mac};

use crate::status::*;

pub(crate) type Forwards<B> = dyn FusedEncrypt<Block = B> + Send + Sync;
pub(crate) type Backwards<B> = dyn FusedDecrypt<Block = B> + Send + Sync;

/// What sets a key up, on the heap.
pub(crate) type Started<T> = Result<Box<T>>;

/// Sets keys up for a block cipher.
pub(crate) trait Source<B> {
    fn forwards(&self, key: &[u8]) -> Result<Box<Forwards<B>>>;
    fn backwards(&self, key: &[u8]) -> Result<Box<Backwards<B>>>;
}

/// Blocks of 16 bytes can do what others cannot.
pub(crate) trait Width: Block {
    fn sixteen(source: &dyn Source<Self>) -> Option<&dyn Source<[u8; 16]>> {
        let _ = source;
        None
    }
}

impl Width for [u8; 8] {}
impl Width for [u8; 16] {
    fn sixteen(source: &dyn Source<Self>) -> Option<&dyn Source<[u8; 16]>> {
        Some(source)
    }
}
impl Width for [u8; 32] {}
impl Width for [u8; 64] {}
impl Width for [u8; 128] {}

/// How a message may be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cuts {
    Anywhere,
    Blocks,
    Nowhere,
}

/// What a mode is called, and how it is used.
pub(crate) struct Mode {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) cuts: Cuts,
    /// Length of the initialization vector, given the block size.
    pub(crate) iv: fn(usize) -> usize,
    /// Whether there are blocks of this size only.
    pub(crate) only: Option<usize>,
    pub(crate) keys: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Ecb,
    Cbc,
    Cfb,
    Cfb8,
    Ofb,
    Ctr,
    /// The three other rules of counters.
    CtrLittle,
    CtrHalf,
    CtrLittleHalf,
    EcbCts,
    CbcCs1,
    CbcCs2,
    CbcCs3,
    Xts,
}

const fn mode(name: &'static str, kind: Kind, cuts: Cuts) -> Mode {
    Mode {
        name,
        kind,
        cuts,
        iv: |block| block,
        only: None,
        keys: 1,
    }
}

pub(crate) static MODES: &[Mode] = &[
    Mode {
        iv: |_| 0,
        ..mode("ecb", Kind::Ecb, Cuts::Blocks)
    },
    mode("cbc", Kind::Cbc, Cuts::Blocks),
    mode("cfb", Kind::Cfb, Cuts::Anywhere),
    mode("cfb8", Kind::Cfb8, Cuts::Anywhere),
    mode("ofb", Kind::Ofb, Cuts::Anywhere),
    mode("ctr", Kind::Ctr, Cuts::Anywhere),
    Mode {
        iv: |_| 0,
        ..mode("ecb-cts", Kind::EcbCts, Cuts::Nowhere)
    },
    mode("cbc-cs1", Kind::CbcCs1, Cuts::Nowhere),
    mode("cbc-cs2", Kind::CbcCs2, Cuts::Nowhere),
    mode("cbc-cs3", Kind::CbcCs3, Cuts::Nowhere),
    Mode {
        only: Some(16),
        keys: 2,
        ..mode("xts", Kind::Xts, Cuts::Nowhere)
    },
];

/// One of many messages: its initialization vector and its data.
pub(crate) type One<'m> = (&'m [u8], InOutBuf<'m, 'm, u8>);

/// A message under way.
pub(crate) trait Process: Send {
    fn iv(&mut self, iv: &[u8]) -> Result<()>;
    fn update(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<()>;
    /// Goes to a byte of the message.
    fn seek(&mut self, byte: u64) -> Result<()>;
    /// Whole messages, of which all lengths have been checked.
    fn many(&mut self, messages: Vec<One<'_>>) -> Result<()>;
}

/// What a mode does with many messages.
type Many<M> = fn(&mut M, Vec<One<'_>>) -> Result<()>;

/// A mode and what it does.
struct Running<M> {
    mode: M,
    iv: fn(&mut M, &[u8]) -> Result<()>,
    update: fn(&mut M, InOutBuf<'_, '_, u8>) -> Result<()>,
    seek: Option<fn(&mut M, u64)>,
    many: Option<Many<M>>,
}

fn running<M: Send + 'static>(
    mode: M,
    iv: fn(&mut M, &[u8]) -> Result<()>,
    update: fn(&mut M, InOutBuf<'_, '_, u8>) -> Result<()>,
) -> Running<M> {
    Running {
        mode,
        iv,
        update,
        seek: None,
        many: None,
    }
}

impl<M: Send> Process for Running<M> {
    fn iv(&mut self, iv: &[u8]) -> Result<()> {
        (self.iv)(&mut self.mode, iv)
    }
    fn update(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<()> {
        (self.update)(&mut self.mode, data)
    }
    fn seek(&mut self, byte: u64) -> Result<()> {
        let seek = self.seek.ok_or(Error(TOUCHSTONE_ERROR_NAME))?;
        seek(&mut self.mode, byte);
        Ok(())
    }
    fn many(&mut self, messages: Vec<One<'_>>) -> Result<()> {
        if let Some(many) = self.many {
            return many(&mut self.mode, messages);
        }
        for (iv, data) in messages {
            if !iv.is_empty() {
                (self.iv)(&mut self.mode, iv)?;
            }
            (self.update)(&mut self.mode, data)?;
        }
        Ok(())
    }
}

fn block<B: Block>(bytes: &[u8]) -> Result<B> {
    B::try_from(bytes).map_err(|_| Error(TOUCHSTONE_ERROR_IV_LENGTH))
}

/// A key on the heap that is lent to the mode beside it, so that what modes call
/// is dispatched by the library's own `&C`, fused kernels and all.
struct Lender<T: ?Sized>(NonNull<T>);

// SAFETY: it owns a `T` as a `Box` does.
#[allow(unsafe_code)]
unsafe impl<T: ?Sized + Send> Send for Lender<T> {}
// SAFETY: it shares a `T` as a `Box` does.
#[allow(unsafe_code)]
unsafe impl<T: ?Sized + Sync> Sync for Lender<T> {}

impl<T: ?Sized> Drop for Lender<T> {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: made by `Box::into_raw` in `lent`, and what was lent is dropped
        // before.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// What uses a key, and the key: dropped in this order.
struct Lent<M, T: ?Sized> {
    mode: M,
    _key: Lender<T>,
}

/// A mode that uses a key. `mode` must put the reference nowhere but into its
/// result.
#[allow(unsafe_code)]
fn lent<T: ?Sized + 'static, M>(key: Box<T>, mode: impl FnOnce(&'static T) -> M) -> Lent<M, T> {
    let key = Lender(NonNull::from(Box::leak(key)));
    // SAFETY: the mode is dropped before the key, and nothing else can get at the
    // reference, for fields are private and all uses are in this file.
    let mode = mode(unsafe { key.0.as_ref() });
    Lent { mode, _key: key }
}

impl<M, T: ?Sized> Lent<M, T> {
    /// The key.
    #[allow(unsafe_code)]
    fn key(&self) -> &T {
        // SAFETY: it lives as long as this does, and nobody changes it.
        unsafe { self._key.0.as_ref() }
    }
}

/// Messages as the library has them, if they are whole blocks.
fn batch<'m, B: Block>(messages: Vec<One<'m>>) -> Result<Vec<Message<'m, 'm, B>>> {
    let one = |(iv, data)| Ok(Message::inout(&block(iv)?, data)?);
    messages.into_iter().map(one).collect()
}

/// Sets a key up in a mode.
pub(crate) fn start<B: Width>(
    source: &dyn Source<B>,
    kind: Kind,
    encrypt: bool,
    key: &[u8],
) -> Result<Box<dyn Process>> {
    let forwards = || source.forwards(key);
    let backwards = || source.backwards(key);

    /// A mode with a chain: what it is, and what it does with the next bytes.
    macro_rules! chain {
        ($key:expr, $Mode:ident, |$m:ident, $data:ident| $update:expr) => {
            running(
                lent($key, |key| $Mode::new(key, &B::ZERO)),
                |lent, iv| {
                    lent.mode.reset(&block(iv)?);
                    Ok(())
                },
                |lent, $data| {
                    let $m = &mut lent.mode;
                    $update;
                    Ok(())
                },
            )
        };
    }
    /// A chain that many messages can go through side by side.
    macro_rules! side_by_side {
        ($Mode:ident::$many:ident, |$m:ident, $data:ident| $update:expr) => {{
            let one = chain!(forwards()?, $Mode, |$m, $data| $update);
            Box::new(Running {
                many: Some(
                    |lent: &mut Lent<$Mode<&'static Forwards<B>>, Forwards<B>>, messages| {
                        $Mode::$many(&lent.key(), &mut batch::<B>(messages)?);
                        Ok(())
                    },
                ),
                ..one
            })
        }};
    }
    /// Counter mode by a rule.
    macro_rules! counter {
        ($rule:expr) => {{
            let one = running(
                lent(forwards()?, |key| Ctr::with_rule(key, &B::ZERO, $rule)),
                |lent, iv| {
                    lent.mode.reset(&block(iv)?);
                    Ok(())
                },
                |lent, data| {
                    lent.mode.apply_inout(data);
                    Ok(())
                },
            );
            Box::new(Running {
                seek: Some(|lent: &mut Lent<Ctr<_, _>, _>, byte| lent.mode.seek(byte.into())),
                ..one
            })
        }};
    }
    /// A mode of which a call is a message: what it does with it.
    macro_rules! whole {
        ($key:expr, $iv:ty, |$k:ident, $v:ident, $data:ident| $update:expr) => {
            running(
                ($key, <$iv>::ZERO),
                |state, iv| {
                    state.1 = block(iv)?;
                    Ok(())
                },
                |state, $data| {
                    let ($k, $v) = state;
                    $update?;
                    Ok(())
                },
            )
        };
    }
    macro_rules! steal {
        ($Mode:ident) => {
            if encrypt {
                Box::new(whole!(forwards()?, B, |k, iv, data| $Mode::new(&**k)
                    .encrypt_inout(iv, data)))
            } else {
                Box::new(whole!(backwards()?, B, |k, iv, data| $Mode::new(&**k)
                    .decrypt_inout(iv, data)))
            }
        };
    }

    Ok(match (kind, encrypt) {
        (Kind::Ecb, true) => Box::new(whole!(forwards()?, B, |k, _v, data| Ecb::new(&**k)
            .encrypt_inout(data))),
        (Kind::Ecb, false) => Box::new(whole!(backwards()?, B, |k, _v, data| Ecb::new(&**k)
            .decrypt_inout(data))),
        (Kind::Cbc, true) => {
            side_by_side!(CbcEncrypt::encrypt_many, |m, data| m.encrypt_inout(data)?)
        }
        (Kind::Cbc, false) => {
            Box::new(chain!(backwards()?, CbcDecrypt, |m, data| m.decrypt_inout(data)?))
        }
        (Kind::Cfb, true) => {
            Box::new(chain!(forwards()?, CfbEncrypt, |m, data| m.encrypt_inout(data)))
        }
        (Kind::Cfb, false) => {
            Box::new(chain!(forwards()?, CfbDecrypt, |m, data| m.decrypt_inout(data)))
        }
        (Kind::Cfb8, true) => {
            Box::new(chain!(forwards()?, Cfb8Encrypt, |m, data| m.encrypt_inout(data)))
        }
        (Kind::Cfb8, false) => {
            Box::new(chain!(forwards()?, Cfb8Decrypt, |m, data| m.decrypt_inout(data)))
        }
        (Kind::Ofb, _) => Box::new(chain!(forwards()?, Ofb, |m, data| m.apply_inout(data))),
        (Kind::Ctr, _) => counter!(ctr::BigEndian),
        (Kind::CtrLittle, _) => counter!(ctr::LittleEndian),
        (Kind::CtrHalf, _) => counter!(ctr::BigEndianHalf),
        (Kind::CtrLittleHalf, _) => counter!(ctr::LittleEndianHalf),
        (Kind::EcbCts, true) => Box::new(whole!(forwards()?, B, |k, _v, data| EcbSteal::new(&**k)
            .encrypt_inout(data))),
        (Kind::EcbCts, false) => {
            Box::new(whole!(backwards()?, B, |k, _v, data| EcbSteal::new(&**k)
                .decrypt_inout(data)))
        }
        (Kind::CbcCs1, _) => steal!(CbcCs1),
        (Kind::CbcCs2, _) => steal!(CbcCs2),
        (Kind::CbcCs3, _) => steal!(CbcCs3),
        (Kind::Xts, _) => {
            let source = B::sixteen(source).ok_or(Error(TOUCHSTONE_ERROR_NAME))?;
            let (data, tweak) = halves(key)?;
            let tweak = source.forwards(tweak)?;
            if encrypt {
                let pair = (source.forwards(data)?, tweak);
                Box::new(whole!(pair, [u8; 16], |k, iv, data| Xts::with_ciphers(
                    &*k.0, &*k.1
                )
                .encrypt_inout(iv, data)))
            } else {
                let pair = (source.backwards(data)?, tweak);
                Box::new(whole!(pair, [u8; 16], |k, iv, data| Xts::with_ciphers(
                    &*k.0, &*k.1
                )
                .decrypt_inout(iv, data)))
            }
        }
    })
}

/// Two keys of one length.
fn halves(key: &[u8]) -> Result<(&[u8], &[u8])> {
    if key.len().is_multiple_of(2) {
        Ok(key.split_at(key.len() / 2))
    } else {
        Err(Error(TOUCHSTONE_ERROR_KEY_LENGTH))
    }
}

/// What an authenticated mode is called, and how it is used.
pub(crate) struct AeadMode {
    pub(crate) name: &'static str,
    pub(crate) kind: AeadKind,
    /// Whether there are blocks of this size only.
    pub(crate) only: Option<usize>,
    pub(crate) keys: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AeadKind {
    Gcm,
    Ccm,
    Eax,
    Ocb,
    Siv,
}

const fn aead_mode(name: &'static str, kind: AeadKind) -> AeadMode {
    AeadMode {
        name,
        kind,
        only: Some(16),
        keys: 1,
    }
}

pub(crate) static AEAD_MODES: &[AeadMode] = &[
    aead_mode("gcm", AeadKind::Gcm),
    aead_mode("ccm", AeadKind::Ccm),
    AeadMode {
        only: None,
        ..aead_mode("eax", AeadKind::Eax)
    },
    aead_mode("ocb", AeadKind::Ocb),
    AeadMode {
        keys: 2,
        ..aead_mode("siv", AeadKind::Siv)
    },
];

/// Authenticated encryption with a key, of whole messages.
pub(crate) trait Seal: Send + Sync {
    /// Length of the longest tag.
    fn tag(&self) -> usize;
    fn encrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<()>;
    fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<()>;
}

impl<M: Aead + Send + Sync, T: ?Sized + Send + Sync> Seal for Lent<M, T> {
    fn tag(&self) -> usize {
        M::TAG
    }
    fn encrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<()> {
        Ok(self.mode.encrypt_inout(nonce, aad, data, tag)?)
    }
    fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<()> {
        Ok(self.mode.decrypt_inout(nonce, aad, data, tag)?)
    }
}

/// An authenticated mode that is a type of its own.
impl<M: Aead + Send + Sync> Seal for Whole<M> {
    fn tag(&self) -> usize {
        M::TAG
    }
    fn encrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<()> {
        Ok(self.0.encrypt_inout(nonce, aad, data, tag)?)
    }
    fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<()> {
        Ok(self.0.decrypt_inout(nonce, aad, data, tag)?)
    }
}

/// Sets a key up in an authenticated mode.
pub(crate) fn start_aead<B: Width>(
    source: &dyn Source<B>,
    kind: AeadKind,
    key: &[u8],
) -> Result<Box<dyn Seal>> {
    if kind == AeadKind::Eax {
        return Ok(Box::new(lent(source.forwards(key)?, Eax::with_cipher)));
    }
    let source = B::sixteen(source).ok_or(Error(TOUCHSTONE_ERROR_NAME))?;
    Ok(match kind {
        AeadKind::Gcm => Box::new(lent(source.forwards(key)?, Gcm::with_cipher)),
        AeadKind::Ccm => Box::new(lent(source.forwards(key)?, Ccm::with_cipher)),
        AeadKind::Eax => Box::new(lent(source.forwards(key)?, Eax::with_cipher)),
        AeadKind::Ocb => {
            let pair = Box::new((source.forwards(key)?, source.backwards(key)?));
            Box::new(lent(pair, |pair| {
                Ocb::with_cipher(Both::of(&*pair.0, &*pair.1))
            }))
        }
        AeadKind::Siv => {
            let (mac, data) = halves(key)?;
            let pair = Box::new((source.forwards(mac)?, source.forwards(data)?));
            Box::new(lent(pair, |pair| Siv::with_ciphers(&*pair.0, &*pair.1)))
        }
    })
}

/// What a MAC over a block cipher is called.
pub(crate) static MAC_MODES: &[(&str, MacKind)] =
    &[("cmac", MacKind::Cmac), ("omac2", MacKind::Omac2)];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MacKind {
    Cmac,
    Omac2,
}

/// A MAC with a key, and a message under way.
pub(crate) trait Authenticate: Send {
    fn update(&mut self, data: &[u8]);
    /// Ends the message: hands the MAC to `done`.
    fn end(&mut self, done: &mut dyn FnMut(&[u8]));
    fn reset(&mut self);
    /// The MACs of whole messages, one after the other to `done`.
    fn many(&self, messages: &[&[u8]], done: &mut dyn FnMut(&[u8])) -> Result<()>;
}

impl<B: Block, const VERSION: u8> Authenticate
    for Lent<Omac<&'static Forwards<B>, VERSION>, Forwards<B>>
{
    fn update(&mut self, data: &[u8]) {
        self.mode.update(data);
    }
    fn end(&mut self, done: &mut dyn FnMut(&[u8])) {
        done(self.mode.finalize().as_ref());
    }
    fn reset(&mut self) {
        self.mode.reset();
    }
    fn many(&self, messages: &[&[u8]], done: &mut dyn FnMut(&[u8])) -> Result<()> {
        let mut macs = vec![B::ZERO.into(); messages.len()];
        self.mode.mac_many(messages, &mut macs)?;
        macs.iter().for_each(|mac| done(mac.as_ref()));
        Ok(())
    }
}

/// What is a type of its own.
pub(crate) struct Whole<M>(pub(crate) M);

impl<M: Mac + Send> Authenticate for Whole<M> {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
    fn end(&mut self, done: &mut dyn FnMut(&[u8])) {
        done(self.0.finalize().as_ref());
    }
    fn reset(&mut self) {
        self.0.reset();
    }
    fn many(&self, messages: &[&[u8]], done: &mut dyn FnMut(&[u8])) -> Result<()> {
        let mut macs = vec![self.0.mac(b""); messages.len()];
        self.0.mac_many(messages, &mut macs)?;
        macs.iter().for_each(|mac| done(mac.as_ref()));
        Ok(())
    }
}

/// Sets a key up in a MAC over a block cipher.
pub(crate) fn start_mac<B: Width>(
    source: &dyn Source<B>,
    kind: MacKind,
    key: &[u8],
) -> Result<Box<dyn Authenticate>> {
    let key = source.forwards(key)?;
    Ok(match kind {
        MacKind::Cmac => Box::new(lent(key, Omac::<_, 1>::with_cipher)),
        MacKind::Omac2 => Box::new(lent(key, Omac::<_, 2>::with_cipher)),
    })
}

/// Keys wrapped by a cipher: whether with padding, whether backwards. The answer is
/// how many bytes of the output count.
pub(crate) fn wrap<B: Width>(
    source: &dyn Source<B>,
    (padded, encrypt): (bool, bool),
    key: &[u8],
    input: &[u8],
    output: &mut [u8],
) -> Result<usize> {
    let source = B::sixteen(source).ok_or(Error(TOUCHSTONE_ERROR_NAME))?;
    let whole = output.len();
    Ok(match (encrypt, padded) {
        (true, false) => {
            KeyWrap::new(&*source.forwards(key)?).wrap_into(input, output)?;
            whole
        }
        (true, true) => {
            KeyWrap::new(&*source.forwards(key)?).wrap_padded_into(input, output)?;
            whole
        }
        (false, false) => {
            KeyWrap::new(&*source.backwards(key)?).unwrap_into(input, output)?;
            whole
        }
        (false, true) => {
            KeyWrap::new(&*source.backwards(key)?).unwrap_padded_into(input, output)?
        }
    })
}
