//! Authenticated encryption, of whole messages and of messages in pieces.

use core::borrow::Borrow;
use core::sync::atomic::{Ordering, fence};

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;

use inout::InOutBuf;

use super::block::{self, Backwards, Forwards, Rekey, Row, Source, with_source};
use super::cipher::{halves, rekey_both};
use super::depth::{self, Depth, OfCipher};
use super::{Error, Options, Start};
#[cfg(feature = "ascon")]
use crate::aead::AsconAead128;
#[cfg(feature = "phelix")]
use crate::aead::Phelix;
#[cfg(feature = "salsa20")]
use crate::aead::XSalsa20Poly1305;
#[cfg(feature = "aegis")]
use crate::aead::aegis::Group;
#[cfg(feature = "aegis")]
use crate::aead::{Aegis, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4};
#[cfg(feature = "aes")]
use crate::aead::{
    Aes128Ccm, Aes128Eax, Aes128Gcm, Aes128GcmSiv, Aes128Ocb, Aes192Ccm, Aes192Eax, Aes192Gcm,
    Aes192GcmSiv, Aes192Ocb, Aes256Ccm, Aes256Eax, Aes256Gcm, Aes256GcmSiv, Aes256Ocb,
};
use crate::aead::{Ccm, Eax, Engine, Gcm, GcmSiv, InPieces, Ocb, Siv, ccm};
#[cfg(feature = "chacha")]
use crate::aead::{ChaCha20Poly1305, ChaChaPoly1305, XChaCha20Poly1305};
#[cfg(feature = "aes")]
use crate::block::aes::{Aes, AesEncrypt};
#[allow(unused_imports, reason = "the features choose the rows below")]
use crate::block::*;
use crate::buffer::Words;
use crate::mac::SHORTEST_TAG;
#[cfg(feature = "chacha")]
use crate::stream::StreamKey;
use crate::{FusedDecrypt, FusedEncrypt, KeyLengths, Keyed};

/// An authenticated mode by name.
struct Mode {
    name: &'static str,
    kind: Kind,
    /// Whether the mode works only with block ciphers with 16-byte blocks.
    sixteen: bool,
    /// Whether the key consists of two keys, one after the other.
    two_keys: bool,
    /// The lengths of nonces in bytes.
    nonces: KeyLengths,
    /// The length of the usual tag in bytes, for a block of the given length.
    tag: fn(usize) -> usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Gcm,
    Ccm,
    Eax,
    Ocb,
    Siv,
}

const ANY: KeyLengths = KeyLengths::every(1, 0, usize::MAX);

static MODES: &[Mode] = &[
    #[cfg(feature = "gcm")]
    mode("gcm", Kind::Gcm, KeyLengths::every(1, 1, usize::MAX)),
    #[cfg(feature = "ccm")]
    mode("ccm", Kind::Ccm, KeyLengths::every(1, 7, 13)),
    #[cfg(feature = "eax")]
    Mode {
        sixteen: false,
        tag: |block| block,
        ..mode("eax", Kind::Eax, ANY)
    },
    #[cfg(feature = "ocb")]
    mode("ocb", Kind::Ocb, KeyLengths::every(1, 1, 15)),
    #[cfg(feature = "siv")]
    Mode {
        two_keys: true,
        ..mode("siv", Kind::Siv, ANY)
    },
];

const fn mode(name: &'static str, kind: Kind, nonces: KeyLengths) -> Mode {
    Mode {
        name,
        kind,
        sixteen: true,
        two_keys: false,
        nonces,
        tag: |_| 16,
    }
}

/// An AEAD with a type of its own. Either it is not a mode of a block cipher, or it is a mode that
/// is very fast on short messages, where a call of the cipher by a pointer would take a noticeable
/// part of the time.
struct Own {
    id: &'static str,
    keys: KeyLengths,
    nonces: KeyLengths,
    tags: &'static [usize],
    tag: usize,
    tag_first: bool,
    best: fn() -> &'static str,
    start: Start<Arc<dyn Seal>>,
    /// The cipher and the mode, if the AEAD is a mode of a block cipher.
    mode: Option<(OfCipher, &'static str)>,
    /// The depth of an AEAD that is none.
    depth: Depth,
}

/// The modes in [`OWN`].
const OWN_MODES: &[&str] = &["gcm", "ccm", "eax", "ocb", "gcm-siv"];

macro_rules! own {
    ($($(#[$cfg:meta])* $id:literal = $Type:ty $(, key: $key:literal)? $(, in $place:ident)?;)*) => {
        static OWN: &[Own] = &[$($(#[$cfg])* Own {
            id: $id,
            keys: own!(@ <$Type as Keyed>::KEY_LENGTHS $(, $key)?),
            nonces: <$Type as Engine>::NONCES,
            tags: <$Type as Engine>::TAGS,
            tag: <$Type as Engine>::TAG,
            tag_first: <$Type as Engine>::TAG_FIRST,
            best: block::best::<<$Type as Keyed>::Kernel>,
            start: Start(|options, key| {
                $(KeyLengths::exactly($key).check(key)?;)?
                keyed!($Type, block::kernel(options)?, key $(, $place)?)
            }),
            mode: OfCipher::split($id, OWN_MODES),
            depth: Depth::of($id),
        }),*];
    };
    (@ $all:expr) => { $all };
    (@ $all:expr, $key:literal) => { KeyLengths::exactly($key) };
}

/// An object with a key. The key may be set up in the place where the object lies.
macro_rules! keyed {
    ($Type:ty, $kernel:expr, $key:ident) => {
        Ok(Arc::new(<$Type>::with_kernel($kernel, $key)?))
    };
    ($Type:ty, $kernel:expr, $key:ident, place) => {{
        let mut seal: Arc<dyn Seal> = <$Type>::unkeyed($kernel);
        only(&mut seal).ok_or(Error::Order)?.rekey($key)?;
        Ok(seal)
    }};
}

own! {
    #[cfg(all(feature = "aes", feature = "gcm"))]
    "aes-128-gcm" = Aes128Gcm, in place;
    #[cfg(all(feature = "aes", feature = "gcm"))]
    "aes-192-gcm" = Aes192Gcm, in place;
    #[cfg(all(feature = "aes", feature = "gcm"))]
    "aes-256-gcm" = Aes256Gcm, in place;
    #[cfg(all(feature = "aes", feature = "ccm"))]
    "aes-128-ccm" = Aes128Ccm;
    #[cfg(all(feature = "aes", feature = "ccm"))]
    "aes-192-ccm" = Aes192Ccm;
    #[cfg(all(feature = "aes", feature = "ccm"))]
    "aes-256-ccm" = Aes256Ccm;
    #[cfg(all(feature = "aes", feature = "eax"))]
    "aes-128-eax" = Aes128Eax;
    #[cfg(all(feature = "aes", feature = "eax"))]
    "aes-192-eax" = Aes192Eax;
    #[cfg(all(feature = "aes", feature = "eax"))]
    "aes-256-eax" = Aes256Eax;
    #[cfg(all(feature = "aes", feature = "ocb"))]
    "aes-128-ocb" = Aes128Ocb;
    #[cfg(all(feature = "aes", feature = "ocb"))]
    "aes-192-ocb" = Aes192Ocb;
    #[cfg(all(feature = "aes", feature = "ocb"))]
    "aes-256-ocb" = Aes256Ocb;
    #[cfg(all(feature = "aes", feature = "gcm-siv"))]
    "aes-128-gcm-siv" = Aes128GcmSiv;
    #[cfg(all(feature = "aes", feature = "gcm-siv"))]
    "aes-192-gcm-siv" = Aes192GcmSiv;
    #[cfg(all(feature = "aes", feature = "gcm-siv"))]
    "aes-256-gcm-siv" = Aes256GcmSiv;
    // The RFC defines GCM-SIV with AES. Libgcrypt and Nettle also have these.
    #[cfg(all(feature = "camellia", feature = "gcm-siv"))]
    "camellia-128-gcm-siv" = GcmSiv<Camellia128>;
    #[cfg(all(feature = "camellia", feature = "gcm-siv"))]
    "camellia-192-gcm-siv" = GcmSiv<Camellia192>;
    #[cfg(all(feature = "camellia", feature = "gcm-siv"))]
    "camellia-256-gcm-siv" = GcmSiv<Camellia256>;
    #[cfg(all(feature = "serpent", feature = "gcm-siv"))]
    "serpent-128-gcm-siv" = GcmSiv<Serpent>, key: 16;
    #[cfg(all(feature = "serpent", feature = "gcm-siv"))]
    "serpent-192-gcm-siv" = GcmSiv<Serpent>, key: 24;
    #[cfg(all(feature = "serpent", feature = "gcm-siv"))]
    "serpent-256-gcm-siv" = GcmSiv<Serpent>, key: 32;
    #[cfg(all(feature = "sm4", feature = "gcm-siv"))]
    "sm4-gcm-siv" = GcmSiv<Sm4>;
    #[cfg(all(feature = "twofish", feature = "gcm-siv"))]
    "twofish-128-gcm-siv" = GcmSiv<Twofish>, key: 16;
    #[cfg(all(feature = "twofish", feature = "gcm-siv"))]
    "twofish-192-gcm-siv" = GcmSiv<Twofish>, key: 24;
    #[cfg(all(feature = "twofish", feature = "gcm-siv"))]
    "twofish-256-gcm-siv" = GcmSiv<Twofish>, key: 32;
    #[cfg(feature = "chacha")]
    "chacha20-poly1305" = ChaCha20Poly1305;
    #[cfg(feature = "chacha")]
    "xchacha20-poly1305" = XChaCha20Poly1305;
    #[cfg(feature = "salsa20")]
    "xsalsa20-poly1305" = XSalsa20Poly1305;
    #[cfg(feature = "aegis")]
    "aegis-128l" = Aegis128L;
    #[cfg(feature = "aegis")]
    "aegis-128x2" = Aegis128X2;
    #[cfg(feature = "aegis")]
    "aegis-128x4" = Aegis128X4;
    #[cfg(feature = "aegis")]
    "aegis-256" = Aegis256;
    #[cfg(feature = "aegis")]
    "aegis-256x2" = Aegis256X2;
    #[cfg(feature = "aegis")]
    "aegis-256x4" = Aegis256X4;
    #[cfg(feature = "ascon")]
    "ascon-aead128" = AsconAead128;
    #[cfg(feature = "phelix")]
    "phelix" = Phelix;
}

#[derive(Clone, Copy)]
enum Found {
    Mode(&'static Row, &'static Mode),
    Own(&'static Own),
}

fn find(name: &str) -> Result<Found, Error> {
    let own = OWN.iter().find(|row| row.id == name).map(Found::Own);
    let over = |mode: &'static Mode| {
        let row = block::split(name, mode.name).filter(|row| !mode.sixteen || row.block == 16)?;
        Some(Found::Mode(row, mode))
    };
    own.or_else(|| MODES.iter().find_map(over))
        .ok_or(Error::Name)
}

/// An algorithm that was found by its name and has no key yet.
#[derive(Clone, Copy)]
pub struct AeadAlgorithm(Found);

impl AeadAlgorithm {
    /// The key lengths in bytes.
    pub fn key_lengths(self) -> KeyLengths {
        match self.0 {
            Found::Mode(row, mode) if mode.two_keys => row.keys.twice(),
            Found::Mode(row, _) => row.keys,
            Found::Own(row) => row.keys,
        }
    }

    /// The nonce lengths in bytes.
    pub fn nonce_lengths(self) -> KeyLengths {
        match self.0 {
            Found::Mode(_, mode) => mode.nonces,
            Found::Own(row) => row.nonces,
        }
    }

    /// The length of the longest tag, which is the usual one, in bytes.
    pub fn longest_tag(self) -> usize {
        self.0.tag()
    }

    /// Whether tags may have this length in bytes.
    pub fn has_tag(self, length: usize) -> bool {
        match self.0 {
            Found::Mode(row, mode) => match mode.kind {
                Kind::Gcm => matches!(length, 4 | 8 | 12..=16),
                Kind::Ccm => matches!(length, 4..=16) && length.is_multiple_of(2),
                Kind::Eax => (1..=row.block).contains(&length),
                Kind::Ocb => (1..=16).contains(&length),
                Kind::Siv => length == 16,
            },
            Found::Own(row) => row.tags.contains(&length),
        }
    }

    /// Sets up a key, with tags of the longest length.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`], [`Error::Parameter`], [`Error::Kernel`].
    pub fn with(self, key: &[u8], options: &Options<'_>) -> Result<Aead, Error> {
        let Self(found) = self;
        if options.parameter.is_some() {
            return Err(Error::Parameter);
        }
        let depth = found.depth(options);
        let nonces = self.nonce_lengths();
        let seal = match found {
            Found::Own(row) => depth.clean_new(row.start.with(options, key))?,
            Found::Mode(row, mode) => with_source!((row.source)(), |source| {
                depth.clean_new(start(row, mode.kind, source, options, key))?
            }),
        };
        Ok(Aead {
            seal,
            found,
            depth,
            nonce: if nonces.contains(12) { 12 } else { nonces.min },
            tag: found.tag(),
        })
    }
}

impl core::fmt::Debug for AeadAlgorithm {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let name = match self.0 {
            Found::Mode(row, mode) => (row.id, mode.name),
            Found::Own(row) => (row.id, ""),
        };
        f.debug_tuple("AeadAlgorithm").field(&name).finish()
    }
}

/// Returns the object if nothing else owns it. [`Arc::get_mut`] would look for a `Weak`, too, by an
/// atomic exchange, which takes longer than the keys of many algorithms.
#[allow(unsafe_code)]
fn only(seal: &mut Arc<dyn Seal>) -> Option<&mut dyn Seal> {
    if Arc::strong_count(seal) != 1 {
        return None;
    }
    // What the owners before have done comes before this.
    fence(Ordering::Acquire);
    // SAFETY: no other `Arc` owns the object, none can come from this one while it is borrowed, and
    // nothing makes a `Weak`.
    Some(unsafe { &mut *Arc::as_ptr(seal).cast_mut() })
}

/// An authenticated cipher with a key. The program fixes the length of tags when it makes
/// the object; a message must never choose it.
pub struct Aead {
    seal: Arc<dyn Seal>,
    found: Found,
    depth: Depth,
    /// The usual length of a nonce in bytes.
    nonce: usize,
    tag: usize,
}

impl Aead {
    /// The names of all algorithms of this type.
    pub fn names() -> impl Iterator<Item = String> {
        let over = block::rows().flat_map(|row| {
            let modes = MODES.iter().filter(|mode| !mode.sixteen || row.block == 16);
            modes.map(|mode| format!("{}-{}", row.id, mode.name))
        });
        let over = over.filter(|name| OWN.iter().all(|row| row.id != name));
        over.chain(OWN.iter().map(|row| String::from(row.id)))
    }

    /// Finds an algorithm by its name, without a key.
    ///
    /// # Errors
    ///
    /// [`Error::Name`].
    pub fn find(name: &str) -> Result<AeadAlgorithm, Error> {
        find(name).map(AeadAlgorithm)
    }

    /// The key lengths of the algorithm with this name, in bytes.
    pub fn key_lengths(name: &str) -> Result<KeyLengths, Error> {
        Ok(Self::find(name)?.key_lengths())
    }

    /// The nonce lengths of the algorithm with this name, in bytes.
    pub fn nonce_lengths(name: &str) -> Result<KeyLengths, Error> {
        Ok(Self::find(name)?.nonce_lengths())
    }

    /// The length of the longest tag of the algorithm with this name, which is the usual
    /// one, in bytes.
    pub fn longest_tag(name: &str) -> Result<usize, Error> {
        Ok(find(name)?.tag())
    }

    /// The name of the kernel that computes the algorithm with this name on this machine.
    pub fn kernel(name: &str) -> Result<&'static str, Error> {
        Ok(match find(name)? {
            Found::Mode(row, _) => (row.best)(),
            Found::Own(row) => (row.best)(),
        })
    }

    /// Sets up a key for the algorithm with this name, with tags of the longest length.
    ///
    /// # Errors
    ///
    /// [`Error::Name`], [`Error::KeyLength`].
    pub fn new(name: &str, key: &[u8]) -> Result<Self, Error> {
        Self::with(name, key, &Options::default())
    }

    /// [`new`](Self::new) with options.
    ///
    /// # Errors
    ///
    /// The errors of [`new`](Self::new), [`Error::Parameter`], [`Error::Kernel`].
    pub fn with(name: &str, key: &[u8], options: &Options<'_>) -> Result<Self, Error> {
        Self::find(name)?.with(key, options)
    }

    /// Chooses a shorter tag of at least 4 bytes.
    ///
    /// # Errors
    ///
    /// [`Error::TagLength`] for a length that the algorithm does not allow.
    pub fn with_tag(self, length: usize) -> Result<Self, Error> {
        if length < SHORTEST_TAG {
            return Err(Error::TagLength);
        }
        self.with_insecure_tag(length)
    }

    /// [`with_tag`](Self::with_tag) that also allows tags of 1 to 3 bytes. An attacker
    /// forges such a tag within seconds. Only for known answers and old protocols.
    ///
    /// # Errors
    ///
    /// [`Error::TagLength`] for a length that the algorithm does not allow.
    pub fn with_insecure_tag(mut self, length: usize) -> Result<Self, Error> {
        if length != self.tag && !AeadAlgorithm(self.found).has_tag(length) {
            return Err(Error::TagLength);
        }
        self.tag = length;
        Ok(self)
    }

    /// Replaces this key by another one, with the same kernel. This is faster than a new object,
    /// because it uses the same memory again.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`], and [`Error::Order`] while a message in pieces uses the key; then the
    /// key is unchanged.
    #[inline]
    pub fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        let seal = only(&mut self.seal).ok_or(Error::Order)?;
        self.depth.clean_rekey(seal.rekey(key))
    }

    /// The length of the tags in bytes.
    pub fn tag(&self) -> usize {
        self.tag
    }

    /// Whether a sealed message begins with the tag (as in SIV) or ends with it.
    pub fn tag_first(&self) -> bool {
        match self.found {
            Found::Mode(_, mode) => mode.kind == Kind::Siv,
            Found::Own(row) => row.tag_first,
        }
    }

    /// Encrypts a message, in place or from one buffer to another, and writes its tag.
    ///
    /// # Errors
    ///
    /// [`Error::NonceLength`], [`Error::MessageLength`], [`Error::TagLength`] for a tag of another
    /// length than [`tag`](Self::tag).
    #[inline(always)]
    pub fn encrypt_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        if tag.len() != self.tag {
            return Err(Error::TagLength);
        }
        let length = data.len();
        let result = self.seal.encrypt(nonce, aad, Words::of(data), tag);
        if let Ok(Left::Nothing) = result {
            return Ok(());
        }
        let length = depth::with_aad(nonce.len() == self.nonce, aad.len(), length);
        self.depth.clean(length, result.map(drop))
    }

    /// Decrypts a message, in place or from one buffer to another, if its tag is right.
    ///
    /// # Errors
    ///
    /// [`Error::Forged`]; then the output is wiped. The errors of
    /// [`encrypt_inout`](Self::encrypt_inout); then the output is unchanged.
    #[inline(always)]
    pub fn decrypt_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), Error> {
        if tag.len() != self.tag {
            return Err(Error::TagLength);
        }
        let length = data.len();
        let result = self.seal.decrypt(nonce, aad, Words::of(data), tag);
        if let Ok(Left::Nothing) = result {
            return Ok(());
        }
        let length = match result {
            Ok(_) => depth::with_aad(nonce.len() == self.nonce, aad.len(), length),
            Err(_) => depth::RARE,
        };
        self.depth.clean(length, result.map(drop))
    }
}

/// What a call for a whole message has left of a secret on the stack and in registers.
#[derive(Clone, Copy)]
enum Left {
    Nothing,
    Something,
}

/// The lengths that CCM needs before a message in pieces starts. Other modes ignore them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Announced {
    /// The length of the associated data in bytes.
    pub aad: u64,
    /// The length of the message in bytes.
    pub data: u64,
}

/// Encrypts a message in pieces. This object shares the key with its [`Aead`].
pub struct Encryptor(Message);

/// Decrypts a message in pieces. This object shares the key with its [`Aead`].
pub struct Decryptor(Message);

/// A message in pieces.
struct Message {
    stream: Box<dyn Stream>,
    depth: Depth,
    tag: usize,
}

impl Message {
    fn begin(
        aead: &Aead,
        nonce: &[u8],
        announced: Announced,
        forwards: bool,
    ) -> Result<Self, Error> {
        let key = Arc::clone(&aead.seal);
        let stream = aead
            .depth
            .clean_piece(key.begin(nonce, aead.tag, announced, forwards))?;
        Ok(Self {
            stream,
            depth: aead.depth,
            tag: aead.tag,
        })
    }

    fn aad(&mut self, data: &[u8]) -> Result<(), Error> {
        self.depth.clean_piece(self.stream.aad(data))
    }

    fn update(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        self.depth.clean_piece(self.stream.update(data))
    }

    fn check(&self, tag: &[u8]) -> Result<(), Error> {
        if tag.len() == self.tag {
            Ok(())
        } else {
            Err(Error::TagLength)
        }
    }
}

impl Aead {
    /// Starts a message that is encrypted in pieces.
    ///
    /// # Errors
    ///
    /// [`Error::NonceLength`]; [`Error::Name`] for a mode that reads a message twice (SIV, GCM-SIV).
    pub fn encryptor(&self, nonce: &[u8], announced: Announced) -> Result<Encryptor, Error> {
        Message::begin(self, nonce, announced, true).map(Encryptor)
    }

    /// Starts a message that is decrypted in pieces.
    ///
    /// # Errors
    ///
    /// The errors of [`encryptor`](Self::encryptor).
    pub fn decryptor(&self, nonce: &[u8], announced: Announced) -> Result<Decryptor, Error> {
        Message::begin(self, nonce, announced, false).map(Decryptor)
    }
}

impl Encryptor {
    /// Adds the next piece of associated data.
    ///
    /// # Errors
    ///
    /// [`Error::Order`] after the first data; [`Error::MessageLength`] for too much data.
    pub fn aad(&mut self, data: &[u8]) -> Result<(), Error> {
        self.0.aad(data)
    }

    /// Encrypts the next piece of data, in place or from one buffer to another. With OCB
    /// each piece except the last must be whole blocks.
    ///
    /// # Errors
    ///
    /// [`Error::MessageLength`].
    pub fn encrypt_inout(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        self.0.update(data)
    }

    /// Ends the message and writes its tag.
    ///
    /// # Errors
    ///
    /// [`Error::TagLength`] if `tag` does not have the length [`Aead::tag`];
    /// [`Error::MessageLength`] if the message is shorter than its start announced.
    pub fn finish(mut self, tag: &mut [u8]) -> Result<(), Error> {
        self.0.check(tag)?;
        self.0.depth.clean_piece(self.0.stream.finish(tag))
    }
}

impl Decryptor {
    /// Adds the next piece of associated data.
    ///
    /// # Errors
    ///
    /// [`Error::Order`] after the first data; [`Error::MessageLength`] for too much data.
    pub fn aad(&mut self, data: &[u8]) -> Result<(), Error> {
        self.0.aad(data)
    }

    /// Decrypts the next piece of data, in place or from one buffer to another. A program
    /// must not act on the data before [`verify`](Self::verify) has confirmed that it is
    /// genuine.
    ///
    /// # Errors
    ///
    /// [`Error::MessageLength`].
    pub fn decrypt_unverified_inout(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        self.0.update(data)
    }

    /// Ends the message and checks that all data and associated data is genuine.
    ///
    /// # Errors
    ///
    /// [`Error::Forged`] if it is not; the errors of [`Encryptor::finish`].
    pub fn verify(mut self, tag: &[u8]) -> Result<(), Error> {
        self.0.check(tag)?;
        self.0.depth.clean_piece(self.0.stream.verify(tag))
    }
}

impl core::fmt::Debug for Encryptor {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Encryptor").finish_non_exhaustive()
    }
}

impl core::fmt::Debug for Decryptor {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Decryptor").finish_non_exhaustive()
    }
}

impl core::fmt::Debug for Aead {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Aead").finish_non_exhaustive()
    }
}

impl Found {
    fn depth(self, options: &Options<'_>) -> Depth {
        match self {
            Self::Mode(row, mode) => row.depth(mode.name, false, options),
            Self::Own(own) => {
                let best = (own.best)();
                let kernel = options.kernel.unwrap_or(best);
                match &own.mode {
                    Some((cipher, mode)) => Depth::of_mode(cipher, mode, false, kernel, best),
                    None => own.depth.with_kernel(kernel),
                }
            }
        }
    }

    fn tag(self) -> usize {
        match self {
            Self::Mode(row, mode) => (mode.tag)(row.block),
            Self::Own(row) => row.tag,
        }
    }
}

/// A message in pieces, in one direction.
trait Stream: Send {
    fn aad(&mut self, data: &[u8]) -> Result<(), Error>;
    fn update(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), Error>;
    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error>;
    fn verify(&mut self, tag: &[u8]) -> Result<(), Error>;
}

impl<M: InPieces<Pieces: Send>, K: Borrow<M> + Send> Stream for crate::aead::Encryptor<M, K> {
    fn aad(&mut self, data: &[u8]) -> Result<(), Error> {
        Ok(self.aad(data)?)
    }

    fn update(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        Ok(self.encrypt_inout(data)?)
    }

    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        Ok(self.end(tag)?)
    }

    fn verify(&mut self, _: &[u8]) -> Result<(), Error> {
        Err(Error::Order)
    }
}

impl<M: InPieces<Pieces: Send>, K: Borrow<M> + Send> Stream for crate::aead::Decryptor<M, K> {
    fn aad(&mut self, data: &[u8]) -> Result<(), Error> {
        Ok(self.aad(data)?)
    }

    fn update(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        Ok(self.decrypt_unverified_inout(data)?)
    }

    fn finish(&mut self, _: &mut [u8]) -> Result<(), Error> {
        Err(Error::Order)
    }

    fn verify(&mut self, tag: &[u8]) -> Result<(), Error> {
        Ok(self.check(tag)?)
    }
}

/// A mode that may accept messages in pieces.
trait Begin {
    fn begin(
        self: Arc<Self>,
        nonce: &[u8],
        tag: usize,
        announced: Announced,
        forwards: bool,
    ) -> Result<Box<dyn Stream>, Error>;
}

macro_rules! in_pieces {
    ($($(#[$cfg:meta])* [$($generics:tt)*] $Mode:ty,
       |$key:ident, $nonce:ident, $tag:ident, $announced:ident|
       $encryptor:expr, $decryptor:expr;)*) => {$(
        $(#[$cfg])*
        impl<$($generics)*> Begin for $Mode {
            fn begin(
                self: Arc<Self>,
                $nonce: &[u8],
                $tag: usize,
                $announced: Announced,
                forwards: bool,
            ) -> Result<Box<dyn Stream>, Error> {
                let $key = self;
                if forwards {
                    Ok(Box::new($encryptor))
                } else {
                    Ok(Box::new($decryptor))
                }
            }
        }
    )*};
}

in_pieces! {
    [C: FusedEncrypt<Block = [u8; 16]> + Send + Sync + 'static] Gcm<C>,
        |key, nonce, _tag, _announced|
        Gcm::encryptor_of(key, nonce)?, Gcm::decryptor_of(key, nonce)?;
    [C: FusedEncrypt + Send + Sync + 'static] Eax<C>, |key, nonce, _tag, _announced|
        Eax::encryptor_of(key, nonce), Eax::decryptor_of(key, nonce);
    [C: FusedEncrypt<Block = [u8; 16]> + FusedDecrypt<Block = [u8; 16]> + Send + Sync + 'static]
        Ocb<C>, |key, nonce, tag, _announced|
        Ocb::encryptor_of(key, nonce, tag)?, Ocb::decryptor_of(key, nonce, tag)?;
    [C: FusedEncrypt<Block = [u8; 16]> + Send + Sync + 'static] Ccm<C>,
        |key, nonce, tag, announced|
        Ccm::encryptor_of(key, nonce, lengths(announced, tag))?,
        Ccm::decryptor_of(key, nonce, lengths(announced, tag))?;
    #[cfg(feature = "chacha")]
    [K: StreamKey<Stream: Send> + Send + Sync + 'static] ChaChaPoly1305<K>,
        |key, nonce, _tag, _announced|
        ChaChaPoly1305::encryptor_of(key, nonce)?, ChaChaPoly1305::decryptor_of(key, nonce)?;
    #[cfg(feature = "aegis")]
    [const BLOCKS: usize, const RATE: usize, G: Group] Aegis<BLOCKS, RATE, G>, |key, nonce, _tag, _announced|
        Aegis::encryptor_of(key, nonce)?, Aegis::decryptor_of(key, nonce)?;
    #[cfg(feature = "ascon")]
    [] AsconAead128, |key, nonce, _tag, _announced|
        AsconAead128::encryptor_of(key, nonce)?, AsconAead128::decryptor_of(key, nonce)?;
    #[cfg(feature = "phelix")]
    [] Phelix, |key, nonce, tag, _announced|
        Phelix::encryptor_of(key, nonce, tag)?, Phelix::decryptor_of(key, nonce, tag)?;
}

fn lengths(announced: Announced, tag: usize) -> ccm::Lengths {
    let Announced { aad, data } = announced;
    ccm::Lengths { aad, data, tag }
}

/// Implements the trait for modes that read a message twice and so accept no pieces.
macro_rules! whole_messages {
    ($($(#[$cfg:meta])* [$($generics:tt)*] $Mode:ty;)*) => {$(
        $(#[$cfg])*
        impl<$($generics)*> Begin for $Mode {
            fn begin(
                self: Arc<Self>,
                _: &[u8],
                _: usize,
                _: Announced,
                _: bool,
            ) -> Result<Box<dyn Stream>, Error> {
                Err(Error::Name)
            }
        }
    )*};
}

whole_messages! {
    [C] Siv<C>;
    [C] GcmSiv<C>;
    #[cfg(feature = "salsa20")]
    [] XSalsa20Poly1305;
}

/// Authenticated encryption with a key.
trait Seal: Send + Sync {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error>;
    fn begin(
        self: Arc<Self>,
        nonce: &[u8],
        tag: usize,
        announced: Announced,
        forwards: bool,
    ) -> Result<Box<dyn Stream>, Error>;
    fn encrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: Words<'_, '_>,
        tag: &mut [u8],
    ) -> Result<Left, Error>;
    fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: Words<'_, '_>,
        tag: &[u8],
    ) -> Result<Left, Error>;
}

impl<M: Engine + Begin + Rekey + 'static> Seal for M {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        Rekey::rekey(self, key)
    }

    fn begin(
        self: Arc<Self>,
        nonce: &[u8],
        tag: usize,
        announced: Announced,
        forwards: bool,
    ) -> Result<Box<dyn Stream>, Error> {
        Begin::begin(self, nonce, tag, announced, forwards)
    }

    fn encrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut data: Words<'_, '_>,
        tag: &mut [u8],
    ) -> Result<Left, Error> {
        if !M::SHORT {
            self.encrypt_inout(nonce, aad, data.buffer(), tag)?;
            return Ok(Left::Something);
        }
        if self.encrypt_short(nonce, aad, &mut data, tag) {
            return Ok(Left::Nothing);
        }
        // Out of line, so that a short message needs no frame.
        return longer(self, nonce, aad, data, tag);

        #[inline(never)]
        fn longer<M: Engine>(
            mode: &M,
            nonce: &[u8],
            aad: &[u8],
            data: Words<'_, '_>,
            tag: &mut [u8],
        ) -> Result<Left, Error> {
            mode.encrypt_longer(nonce, aad, data, tag)?;
            Ok(Left::Something)
        }
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut data: Words<'_, '_>,
        tag: &[u8],
    ) -> Result<Left, Error> {
        if !M::SHORT {
            self.decrypt_inout(nonce, aad, data.buffer(), tag)?;
            return Ok(Left::Something);
        }
        return match self.decrypt_short(nonce, aad, &mut data, tag) {
            None => longer(self, nonce, aad, data, tag),
            Some(true) => Ok(Left::Nothing),
            Some(false) => Err(Error::Forged),
        };

        #[inline(never)]
        fn longer<M: Engine>(
            mode: &M,
            nonce: &[u8],
            aad: &[u8],
            data: Words<'_, '_>,
            tag: &[u8],
        ) -> Result<Left, Error> {
            mode.decrypt_longer(nonce, aad, data, tag)?;
            Ok(Left::Something)
        }
    }
}

macro_rules! rekeyed {
    ($($Mode:ident<$Cipher:ty>;)*) => {$(
        impl Rekey for $Mode<$Cipher> {
            fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
                self.rekey_by(|cipher| cipher.rekey(key))
            }
        }
    )*};
}

rekeyed! {
    Gcm<Forwards<[u8; 16]>>;
    Ccm<Forwards<[u8; 16]>>;
    Ocb<Twoway<[u8; 16]>>;
}

impl<B: Block> Rekey for Eax<Forwards<B>> {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        self.rekey_by(|cipher| cipher.rekey(key))
    }
}

impl Rekey for Siv<Forwards<[u8; 16]>> {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        self.rekey_by(|mac, cipher| rekey_both(mac, cipher, key))
    }
}

/// [`Rekey`] of modes with a type of their own.
#[cfg(feature = "aes")]
macro_rules! typed {
    ($($Mode:ident<$Cipher:ident>)*) => {$(
        impl<const KEY: usize> Rekey for $Mode<$Cipher<KEY>> {
            fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
                Ok(Keyed::rekey(self, key)?)
            }
        }
    )*};
}

#[cfg(feature = "aes")]
typed! { Gcm<AesEncrypt> Ccm<AesEncrypt> Eax<AesEncrypt> Ocb<Aes> }

impl<C: Keyed + Send + Sync> Rekey for GcmSiv<C>
where
    Self: Keyed,
{
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        Ok(Keyed::rekey(self, key)?)
    }
}

/// [`Rekey`] of AEADs that are not modes of a block cipher.
macro_rules! own_keys {
    ($($(#[$cfg:meta])* [$($generics:tt)*] $Type:ty;)*) => {$(
        $(#[$cfg])*
        impl<$($generics)*> Rekey for $Type {
            fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
                Ok(Keyed::rekey(self, key)?)
            }
        }
    )*};
}

own_keys! {
    #[cfg(feature = "chacha")]
    [K: StreamKey + Send + Sync] ChaChaPoly1305<K>;
    #[cfg(feature = "salsa20")]
    [] XSalsa20Poly1305;
    #[cfg(feature = "aegis")]
    [const BLOCKS: usize, const RATE: usize, G: Group] Aegis<BLOCKS, RATE, G>;
    #[cfg(feature = "ascon")]
    [] AsconAead128;
    #[cfg(feature = "phelix")]
    [] Phelix;
}

/// Both directions of a block cipher by name.
type Twoway<B> = crate::block::Both<Forwards<B>, Backwards<B>>;

impl<B: Block> Rekey for Twoway<B> {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        let (encrypt, decrypt) = self.parts_mut();
        encrypt.rekey(key)?;
        decrypt.rekey(key)
    }
}

/// Sets a key up for an authenticated mode.
#[inline(never)]
fn start<B: Block>(
    row: &Row,
    kind: Kind,
    source: &dyn Source<B>,
    options: &Options<'_>,
    key: &[u8],
) -> Result<Arc<dyn Seal>, Error> {
    let sixteen = || row.sixteen();
    let forwards = |key| -> Result<Forwards<[u8; 16]>, Error> { sixteen()?.forwards(options, key) };
    Ok(match kind {
        #[cfg(feature = "gcm")]
        Kind::Gcm => Arc::new(Gcm::with_cipher(forwards(key)?)),
        #[cfg(feature = "ccm")]
        Kind::Ccm => Arc::new(Ccm::with_cipher(forwards(key)?)),
        #[cfg(feature = "eax")]
        Kind::Eax => Arc::new(Eax::with_cipher(source.forwards(options, key)?)),
        #[cfg(feature = "ocb")]
        Kind::Ocb => {
            let backwards: Backwards<[u8; 16]> = sixteen()?.backwards(options, key)?;
            let both = crate::block::Both::of(forwards(key)?, backwards);
            Arc::new(Ocb::with_cipher(both))
        }
        #[cfg(feature = "siv")]
        Kind::Siv => {
            let (mac, data) = halves(key)?;
            Arc::new(Siv::with_ciphers(forwards(mac)?, forwards(data)?))
        }
        #[cfg(not(feature = "modes"))]
        _ => return Err(Error::Name),
    })
}
