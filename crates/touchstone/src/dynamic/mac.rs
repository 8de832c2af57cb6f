//! Message authentication codes.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;

use super::block::{self, Forwards, Rekey, Source, with_source};
use super::{Depth, Error, Options, Start};
#[cfg(feature = "gost28147")]
use crate::block::gost28147::SBoxes;
use crate::block::*;
use crate::constant_time::equal;
use crate::hash::*;
#[cfg(feature = "blake3")]
use crate::mac::Blake3Mac;
#[cfg(feature = "gost28147")]
use crate::mac::GostMac;
#[cfg(feature = "blake2")]
use crate::mac::blake2::{Blake2bKeyed, Blake2sKeyed};
use crate::mac::cmac::Omac;
#[cfg(feature = "sha3")]
use crate::mac::kmac::{Kmac128Keyed, Kmac256Keyed};
#[cfg(feature = "skein")]
use crate::mac::skein::{Skein256Keyed, Skein512Keyed, Skein1024Keyed};
use crate::mac::{
    CbcMac, Dmac, HalfSipHash, Hmac, Pmac, Poly1305, RetailMac, SHORTEST_TAG, SipHash,
};
use crate::wipe::{self, wipe};
use crate::{DigestBytes, KeyLengths, Keyed, KeyedWith as _, mac};

/// MACs over any block cipher.
#[cfg(feature = "block-macs")]
static MODES: &[(&str, Kind)] = &[
    ("cmac", Kind::Cmac),
    ("omac2", Kind::Omac2),
    ("cbc-mac", Kind::CbcMac),
    ("dmac", Kind::Dmac),
    ("pmac", Kind::Pmac),
];
#[cfg(not(feature = "block-macs"))]
static MODES: &[(&str, Kind)] = &[];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Cmac,
    Omac2,
    CbcMac,
    Dmac,
    Pmac,
}

/// The longest tag in bytes: the tag of HMAC with Skein-1024.
pub(super) const LONGEST_TAG: usize = 128;

/// A MAC that is not in `MODES`, because it does not work with every block cipher.
struct Row {
    id: &'static str,
    keys: KeyLengths,
    output: usize,
    best: fn() -> &'static str,
    start: Start<Box<dyn Authenticate>>,
    depth: Depth,
}

macro_rules! rows {
    ($name:ident; $($(#[$cfg:meta])* ($id:expr) $Mac:ty $(, $place:ident)?;)*) => {
        static $name: &[Row] = &[$($(#[$cfg])* Row {
            id: $id,
            keys: <$Mac as Keyed>::KEY_LENGTHS,
            output: <<$Mac as mac::Mac>::Output as DigestBytes>::SIZE,
            best: block::best::<<$Mac as Keyed>::Kernel>,
            start: Start(|options, key| keyed!($Mac, block::kernel(options)?, key $(, $place)?)),
            depth: Depth::of($id)$(.$place(size_of::<$Mac>()))?,
        }),*];
    };
}

/// An object with a key. The key may be set up in the place where the object lies.
macro_rules! keyed {
    ($Mac:ty, $kernel:expr, $key:ident) => {
        wipe::after_moves::<$Mac, _>(MOVES, || -> Result<Box<dyn Authenticate>, Error> {
            Ok(Box::new(<$Mac as Keyed>::with_kernel($kernel, $key)?))
        })
    };
    ($Mac:ty, $kernel:expr, $key:ident, in_place) => {{
        let mut mac = Box::new(<$Mac>::unkeyed($kernel));
        Rekey::rekey(&mut *mac, $key)?;
        Ok(mac)
    }};
}

/// Copies of a state that a key set-up leaves on the stack at most.
pub(super) const MOVES: usize = 6;

rows! {
    OWN;
    #[cfg(feature = "des")]
    ("des-ede2-retail-mac") RetailMac<Des>;
    ("siphash-1-3") SipHash<1, 3, 8>;
    ("siphash-1-3-128") SipHash<1, 3, 16>;
    ("siphash-2-4") SipHash<2, 4, 8>;
    ("siphash-2-4-128") SipHash<2, 4, 16>;
    ("siphash-4-8") SipHash<4, 8, 8>;
    ("siphash-4-8-128") SipHash<4, 8, 16>;
    ("halfsiphash-2-4") HalfSipHash<2, 4, 4>;
    ("halfsiphash-2-4-64") HalfSipHash<2, 4, 8>;
    #[cfg(feature = "blake3")]
    ("blake3-mac") Blake3Mac;
}

#[cfg(feature = "gost28147")]
macro_rules! gost_rows {
    ($($id:literal $boxes:expr;)*) => {
        static GOST: &[Row] = &[$(Row {
            id: concat!($id, "-gost-mac"),
            keys: <GostMac<'static> as Keyed>::KEY_LENGTHS,
            output: <<GostMac<'static> as mac::Mac>::Output as DigestBytes>::SIZE,
            best: block::best::<<GostMac<'static> as Keyed>::Kernel>,
            start: Start(|options, key| GostMacBy::start($boxes, options, key)),
            depth: Depth::of(concat!($id, "-gost-mac")),
        }),*];
    };
}
#[cfg(feature = "gost28147")]
gost_rows! {
    "gost28147" SBoxes::CRYPTO_PRO_A;
    "gost28147-r3411-cryptopro" SBoxes::R3411_CRYPTO_PRO;
    "gost28147-test" SBoxes::TEST;
}
#[cfg(not(feature = "gost28147"))]
static GOST: &[Row] = &[];

macro_rules! hmac_rows {
    ($($(#[$cfg:meta])* $id:literal = $Hash:ty;)*) => {
        rows! { HMACS; $($(#[$cfg])* (concat!("hmac-", $id)) Hmac<$Hash>, in_place;)* }
    };
}
crate::hash::hashes!(hmac_rows!);

/// MACs that compute a different tag for each length.
macro_rules! of_length_rows {
    ($($(#[$cfg:meta])* $id:literal $Keyed:ident $Kernel:ty;)*) => {
        static OF_LENGTH: &[Row] = &[$($(#[$cfg])* Row {
            id: $id,
            keys: $Keyed::KEY_LENGTHS,
            output: $Keyed::LONGEST,
            best: block::best::<$Kernel>,
            start: Start(|options, key| {
                wipe::after_moves::<$Keyed, _>(MOVES, || -> Result<Box<dyn Authenticate>, Error> {
                    Ok(Box::new($Keyed::new(block::kernel(options)?, key, $Keyed::LONGEST)?))
                })
            }),
            depth: Depth::of($id),
        }),*];

        $($(#[$cfg])* impl Authenticate for $Keyed {
            fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
                wipe::after_moves::<Self, _>(MOVES, || Ok($Keyed::rekey(self, key)?))
            }

            fn set_length(&mut self, length: usize) {
                wipe::after_moves::<Self, _>(MOVES, || $Keyed::set_length(self, length));
            }

            fn update(&mut self, data: &[u8]) -> Result<(), Error> {
                $Keyed::update(self, data);
                Ok(())
            }

            fn end(&mut self, tag: &mut [u8]) -> Result<(), Error> {
                $Keyed::end(self, tag);
                Ok(())
            }

            fn reset(&mut self) {
                $Keyed::reset(self);
            }

            fn whole(&mut self, message: &[u8], tag: &mut [u8]) -> Result<(), Error> {
                $Keyed::whole(self, message, tag);
                Ok(())
            }

            fn many(&self, messages: &[&[u8]], size: usize, tags: &mut [u8]) -> Result<(), Error> {
                self.many_into(messages, size, tags);
                Ok(())
            }
        })*
    };
}
of_length_rows! {
    #[cfg(feature = "sha3")]
    "kmac-128" Kmac128Keyed keccak::Kernel;
    #[cfg(feature = "sha3")]
    "kmac-256" Kmac256Keyed keccak::Kernel;
    #[cfg(feature = "blake2")]
    "blake2b-mac" Blake2bKeyed blake2::Kernel;
    #[cfg(feature = "blake2")]
    "blake2s-mac" Blake2sKeyed blake2::Kernel;
    #[cfg(feature = "skein")]
    "skein-256-mac" Skein256Keyed skein::Kernel;
    #[cfg(feature = "skein")]
    "skein-512-mac" Skein512Keyed skein::Kernel;
    #[cfg(feature = "skein")]
    "skein-1024-mac" Skein1024Keyed skein::Kernel;
}

static ONE_TIME: &[Row] = &[Row {
    id: "poly1305",
    keys: KeyLengths::exactly(32),
    output: 16,
    best: block::best::<<Poly1305 as mac::OneTimeMac>::Kernel>,
    start: Start(|options, key| {
        let kernel = block::kernel(options)?;
        let key = KeyLengths::exactly(32).array(key)?;
        let mac = mac::OneTimeMac::with_kernel(kernel, key);
        Ok(Box::new(OneMessage {
            kernel,
            mac: Some(mac),
            started: false,
        }))
    }),
    depth: Depth::of("poly1305"),
}];

#[derive(Clone, Copy)]
enum Found {
    Over(&'static block::Row, Kind),
    Own(&'static Row),
}

fn own() -> impl Iterator<Item = &'static Row> {
    [OWN, GOST, OF_LENGTH, HMACS, ONE_TIME]
        .into_iter()
        .flatten()
}

fn find(name: &str) -> Result<Found, Error> {
    let over = |(mode, kind): &(&str, Kind)| Some(Found::Over(block::split(name, mode)?, *kind));
    own()
        .find(|row| row.id == name)
        .map(Found::Own)
        .or_else(|| MODES.iter().find_map(over))
        .ok_or(Error::Name)
}

/// An algorithm that was found by its name and has no key yet.
#[derive(Clone, Copy)]
pub struct MacAlgorithm(Found);

impl MacAlgorithm {
    /// The key lengths in bytes.
    pub fn key_lengths(self) -> KeyLengths {
        match self.0 {
            Found::Over(row, Kind::Dmac) => row.keys.twice(),
            Found::Over(row, _) => row.keys,
            Found::Own(row) => row.keys,
        }
    }

    /// The length of the full tag in bytes.
    pub fn longest_tag(self) -> usize {
        match self.0 {
            Found::Over(row, _) => row.block,
            Found::Own(row) => row.output,
        }
    }

    /// The name of the kernel that computes the algorithm on this machine.
    pub fn kernel(self) -> &'static str {
        match self.0 {
            Found::Over(row, _) => (row.best)(),
            Found::Own(row) => (row.best)(),
        }
    }

    /// Whether each key may be used for one message only.
    pub fn is_one_time(self) -> bool {
        matches!(self.0, Found::Own(row) if ONE_TIME.iter().any(|one| one.id == row.id))
    }

    /// Sets up a key, with full tags.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`], [`Error::Parameter`], [`Error::Kernel`].
    pub fn with(self, key: &[u8], options: &Options<'_>) -> Result<Mac, Error> {
        let Self(found) = self;
        if options.parameter.is_some() {
            return Err(Error::Parameter);
        }
        let depth = match found {
            Found::Over(row, kind) => {
                let mode = MODES.iter().find(|(_, other)| *other == kind);
                row.depth(mode.map_or("", |(name, _)| name), false, options)
            }
            Found::Own(row) => {
                let kernel = options.kernel.unwrap_or_else(row.best);
                row.depth.with_kernel(kernel)
            }
        };
        let (state, whole) = match found {
            Found::Own(row) => (depth.clean_new(row.start.with(options, key))?, row.output),
            Found::Over(row, kind) => {
                let state = with_source!((row.source)(), |source| {
                    depth.clean_new(start(kind, source, options, key))?
                });
                (state, row.block)
            }
        };
        Ok(Mac {
            state,
            depth,
            whole,
            tag: whole,
        })
    }
}

impl core::fmt::Debug for MacAlgorithm {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let name = match self.0 {
            Found::Over(row, kind) => (row.id, Some(kind)),
            Found::Own(row) => (row.id, None),
        };
        f.debug_tuple("MacAlgorithm").field(&name).finish()
    }
}

/// A MAC with a key, and a message in progress. The program fixes the length of tags when
/// it makes the object; a message must never choose it.
pub struct Mac {
    state: Box<dyn Authenticate>,
    depth: Depth,
    whole: usize,
    tag: usize,
}

impl Mac {
    /// The names of all algorithms of this type.
    pub fn names() -> impl Iterator<Item = String> {
        let over = block::rows()
            .flat_map(|row| MODES.iter().map(|(mode, _)| format!("{}-{mode}", row.id)));
        over.chain(own().map(|row| String::from(row.id)))
    }

    /// Finds an algorithm by its name, without a key.
    ///
    /// # Errors
    ///
    /// [`Error::Name`].
    pub fn find(name: &str) -> Result<MacAlgorithm, Error> {
        find(name).map(MacAlgorithm)
    }

    /// The key lengths of the algorithm with this name, in bytes.
    pub fn key_lengths(name: &str) -> Result<KeyLengths, Error> {
        Ok(Self::find(name)?.key_lengths())
    }

    /// The length of the full tag of the algorithm with this name, in bytes.
    pub fn longest_tag(name: &str) -> Result<usize, Error> {
        Ok(Self::find(name)?.longest_tag())
    }

    /// The name of the kernel that computes the algorithm with this name on this machine.
    pub fn kernel(name: &str) -> Result<&'static str, Error> {
        Ok(Self::find(name)?.kernel())
    }

    /// Sets up a key for the MAC with this name, with full tags.
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

    /// Truncates tags to their first `length` bytes, at least 4. KMAC, BLAKE2 and Skein compute a
    /// different tag for each length. A message in progress of BLAKE2 or Skein is discarded.
    ///
    /// # Errors
    ///
    /// [`Error::TagLength`] if `length` is less than 4, or more than the length of the full tag.
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
    /// [`Error::TagLength`] if `length` is 0, or more than the length of the full tag.
    pub fn with_insecure_tag(mut self, length: usize) -> Result<Self, Error> {
        if !(1..=self.whole).contains(&length) {
            return Err(Error::TagLength);
        }
        self.tag = length;
        self.state.set_length(length);
        self.depth.clean_piece(());
        Ok(self)
    }

    /// The length of the tags in bytes.
    pub fn tag(&self) -> usize {
        self.tag
    }

    /// Adds the next piece of the message.
    ///
    /// # Errors
    ///
    /// [`Error::Order`] after the only message of a one-time key.
    pub fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.depth.clean_piece(self.state.update(data))
    }

    /// Ends the message and writes its tag. The next message then starts with the same
    /// key.
    ///
    /// # Errors
    ///
    /// [`Error::TagLength`] if `tag` does not have the length [`tag`](Self::tag);
    /// [`Error::Order`] as in [`update`](Self::update).
    pub fn finalize(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        if tag.len() != self.tag {
            return Err(Error::TagLength);
        }
        self.depth.clean_piece(self.state.end(tag))
    }

    /// Ends the message and checks that `tag` is its tag.
    ///
    /// # Errors
    ///
    /// [`Error::Forged`] if it is not; the errors of [`finalize`](Self::finalize).
    pub fn verify(&mut self, tag: &[u8]) -> Result<(), Error> {
        if tag.len() != self.tag {
            return Err(Error::TagLength);
        }
        // The comparison holds parts of the right tag.
        let genuine = wipe::after(self.depth.after_piece(), || -> Result<_, Error> {
            let mut made = [0; LONGEST_TAG];
            let made = &mut made[..tag.len()];
            self.state.end(made)?;
            Ok(equal(made, tag))
        })?;
        if genuine { Ok(()) } else { Err(Error::Forged) }
    }

    /// Writes the tag of a whole message by one indirect call. The message in progress does
    /// not affect it. A one-time key cannot be used again.
    ///
    /// # Errors
    ///
    /// The errors of [`finalize`](Self::finalize).
    #[inline]
    pub fn mac(&mut self, message: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        if tag.len() != self.tag {
            return Err(Error::TagLength);
        }
        self.depth
            .clean(message.len(), self.state.whole(message, tag))
    }

    /// Replaces this key by another one, with the same kernel. This is faster than a new object,
    /// because it uses the same memory again. The message in progress is discarded.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`]; then the key is unchanged.
    #[inline]
    pub fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        self.depth.clean_rekey(self.state.rekey(key))
    }

    /// Discards the message in progress.
    pub fn reset(&mut self) {
        self.state.reset();
        self.depth.clean_piece(());
    }

    /// Writes the tags of many whole messages, one after the other. The message in
    /// progress is unchanged.
    ///
    /// # Errors
    ///
    /// [`Error::OutputLength`] if `tags` does not have the length of all tags;
    /// [`Error::Order`] for a one-time key.
    pub fn mac_many(&self, messages: &[&[u8]], tags: &mut [u8]) -> Result<(), Error> {
        if messages.len().checked_mul(self.tag) != Some(tags.len()) {
            return Err(Error::OutputLength);
        }
        self.depth
            .clean_many(|| self.state.many(messages, self.tag, tags))
    }
}

impl core::fmt::Debug for Mac {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Mac").finish_non_exhaustive()
    }
}

/// A MAC with a key, and a message in progress. The caller passes a slice for the tag, whose length
/// is already checked. The tag is as long as the slice: it is the beginning of the full tag. KMAC,
/// BLAKE2 and Skein are the exceptions: they compute a different tag for each length.
trait Authenticate: Send {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error>;
    /// Sets the length of tags, for MACs that must know it before the message.
    fn set_length(&mut self, _length: usize) {}
    fn update(&mut self, data: &[u8]) -> Result<(), Error>;
    /// Ends the message, and starts the next one.
    fn end(&mut self, tag: &mut [u8]) -> Result<(), Error>;
    fn reset(&mut self);
    /// Computes the tag of a whole message. The message in progress does not affect it.
    fn whole(&mut self, message: &[u8], tag: &mut [u8]) -> Result<(), Error>;
    /// Writes the tags of whole messages, one after the other, `size` bytes for each.
    fn many(&self, messages: &[&[u8]], size: usize, tags: &mut [u8]) -> Result<(), Error>;
}

/// Writes the beginning of a whole tag. The compiler knows the length of the whole one, and needs no
/// call to copy all of it.
#[inline]
fn cut<T: DigestBytes>(whole: T, tag: &mut [u8]) {
    if tag.len() == whole.as_ref().len() {
        tag.copy_from_slice(whole.as_ref());
    } else {
        cut_shorter(whole, tag);
    }
}

/// Not inlined, because compilers join two copies to one whose length they do not know. By value, so
/// that a short tag stays in registers unless it is cut.
#[inline(never)]
fn cut_shorter<T: DigestBytes>(whole: T, tag: &mut [u8]) {
    tag.copy_from_slice(&whole.as_ref()[..tag.len()]);
}

/// Any MAC whose key may be used for many messages, and whose tags may be truncated.
impl<M: Many + Rekey> Authenticate for M {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        Rekey::rekey(self, key)
    }

    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        Many::update(self, data);
        Ok(())
    }

    fn end(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        wipe::after_moves::<M, _>(1, || cut(self.finalize(), tag));
        Ok(())
    }

    fn reset(&mut self) {
        Many::reset(self);
    }

    fn whole(&mut self, message: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        // Compilers call the closure below by a pointer to all of its variables.
        if wipe::moves_little::<M>(1) {
            cut(self.mac(message), tag);
        } else {
            wipe::after_moves::<M, _>(1, || cut(self.mac(message), tag));
        }
        Ok(())
    }

    fn many(&self, messages: &[&[u8]], size: usize, tags: &mut [u8]) -> Result<(), Error> {
        let mut whole = vec![M::Output::ZERO; messages.len()];
        self.mac_many(messages, &mut whole)?;
        for (whole, tag) in whole.iter().zip(tags.chunks_exact_mut(size)) {
            cut(*whole, tag);
        }
        wipe(&mut whole, M::Output::ZERO);
        Ok(())
    }
}

/// [`mac::Mac`] without the key set-up, for boxed ciphers.
trait Many {
    type Output: DigestBytes;
    fn update(&mut self, data: &[u8]);
    fn finalize(&mut self) -> Self::Output;
    fn reset(&mut self);
    fn mac(&self, message: &[u8]) -> Self::Output;
    fn mac_many(&self, messages: &[&[u8]], tags: &mut [Self::Output]) -> Result<(), Error>;
}

/// MACs that set their keys up themselves.
macro_rules! typed {
    ($($(#[$cfg:meta])* [$($generics:tt)*] $Mac:ty;)*) => {$(
        $(#[$cfg])*
        impl<$($generics)*> Many for $Mac {
            type Output = <$Mac as mac::Mac>::Output;
            fn update(&mut self, data: &[u8]) {
                mac::Mac::update(self, data);
            }
            fn finalize(&mut self) -> Self::Output {
                mac::Mac::finalize(self)
            }
            fn reset(&mut self) {
                mac::Mac::reset(self);
            }
            #[inline]
            fn mac(&self, message: &[u8]) -> Self::Output {
                mac::Mac::mac(self, message)
            }
            fn mac_many(&self, messages: &[&[u8]], tags: &mut [Self::Output]) -> Result<(), Error> {
                Ok(mac::Mac::mac_many(self, messages, tags)?)
            }
        }

        $(#[$cfg])*
        impl<$($generics)*> Rekey for $Mac {
            fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
                Ok(Keyed::rekey(self, key)?)
            }
        }
    )*};
}

typed! {
    #[cfg(feature = "des")]
    [] RetailMac<Des>;
    #[cfg(feature = "blake3")]
    [] Blake3Mac;
    [H: HashFunction + Send + Sync] Hmac<H>;
    [const C: usize, const D: usize, const N: usize] SipHash<C, D, N>;
    [const C: usize, const D: usize, const N: usize] HalfSipHash<C, D, N>;
}

#[cfg(feature = "gost28147")]
impl Many for GostMacBy {
    type Output = <GostMac<'static> as mac::Mac>::Output;
    fn update(&mut self, data: &[u8]) {
        mac::Mac::update(&mut self.mac, data);
    }
    fn finalize(&mut self) -> Self::Output {
        mac::Mac::finalize(&mut self.mac)
    }
    fn reset(&mut self) {
        mac::Mac::reset(&mut self.mac);
    }
    fn mac(&self, message: &[u8]) -> Self::Output {
        mac::Mac::mac(&self.mac, message)
    }
    fn mac_many(&self, messages: &[&[u8]], tags: &mut [Self::Output]) -> Result<(), Error> {
        Ok(mac::Mac::mac_many(&self.mac, messages, tags)?)
    }
}

/// The MAC of GOST 28147-89, and the S-boxes with which its next key is set up.
#[cfg(feature = "gost28147")]
struct GostMacBy {
    mac: GostMac<'static>,
    boxes: &'static SBoxes,
}

#[cfg(feature = "gost28147")]
impl GostMacBy {
    fn start(
        boxes: &'static SBoxes,
        options: &Options<'_>,
        key: &[u8],
    ) -> Result<Box<dyn Authenticate>, Error> {
        let mac = GostMac::with_kernel_and(block::kernel(options)?, boxes, key)?;
        Ok(Box::new(Self { mac, boxes }))
    }
}

#[cfg(feature = "gost28147")]
impl Rekey for GostMacBy {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        Ok(self.mac.rekey_and(self.boxes, key)?)
    }
}

/// A MAC over a block cipher that was chosen by name. Every method calls the method of the
/// MAC's own type that has the same name.
impl<B: Block, const VERSION: u8> Many for Omac<Forwards<B>, VERSION> {
    type Output = B::Tag;

    fn update(&mut self, data: &[u8]) {
        self.update(data);
    }

    fn finalize(&mut self) -> Self::Output {
        self.finalize()
    }

    fn reset(&mut self) {
        self.reset();
    }

    fn mac(&self, message: &[u8]) -> Self::Output {
        self.mac(message)
    }

    fn mac_many(&self, messages: &[&[u8]], tags: &mut [Self::Output]) -> Result<(), Error> {
        Ok(self.mac_many(messages, tags)?)
    }
}

impl<B: Block, const VERSION: u8> Rekey for Omac<Forwards<B>, VERSION> {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        self.rekey_by(|cipher| cipher.rekey(key))
    }
}

/// Implements [`Many`] for MACs whose methods take and return blocks.
macro_rules! of_blocks {
    ($($Mac:ident)*) => {$(
        impl<B: Block> Many for $Mac<Forwards<B>> {
            type Output = B::Tag;

            fn update(&mut self, data: &[u8]) {
                self.take(data);
            }

            fn finalize(&mut self) -> Self::Output {
                self.end().into()
            }

            fn reset(&mut self) {
                self.forget();
            }

            fn mac(&self, message: &[u8]) -> Self::Output {
                self.once(message).into()
            }

            fn mac_many(&self, messages: &[&[u8]], tags: &mut [Self::Output]) -> Result<(), Error> {
                self.many(messages, B::of_tags(tags));
                Ok(())
            }
        }
    )*};
}
of_blocks! { CbcMac Dmac }

impl<B: Block> Rekey for CbcMac<Forwards<B>> {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        self.rekey_by(|cipher| cipher.rekey(key))
    }
}

impl<B: Block> Rekey for Dmac<Forwards<B>> {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        let (first, second) = halves(key)?;
        self.rekey_by(first, second, |cipher, key| cipher.rekey(key))
    }
}

impl<B: Block> Many for Pmac<Forwards<B>> {
    type Output = B::Tag;

    fn update(&mut self, data: &[u8]) {
        self.take(data);
    }

    fn finalize(&mut self) -> Self::Output {
        self.finish().into()
    }

    fn reset(&mut self) {
        self.forget();
    }

    fn mac(&self, message: &[u8]) -> Self::Output {
        self.once(message).into()
    }

    fn mac_many(&self, messages: &[&[u8]], tags: &mut [Self::Output]) -> Result<(), Error> {
        for (message, tag) in messages.iter().zip(tags) {
            *tag = self.once(message).into();
        }
        Ok(())
    }
}

impl<B: Block> Rekey for Pmac<Forwards<B>> {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        self.rekey_by(|cipher| cipher.rekey(key))
    }
}

/// A key for one message only. After the message, `mac` is `None`.
struct OneMessage {
    kernel: <Poly1305 as mac::OneTimeMac>::Kernel,
    mac: Option<Poly1305>,
    /// Whether the message has pieces already.
    started: bool,
}

impl Authenticate for OneMessage {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        let key = KeyLengths::exactly(32).array(key)?;
        self.mac = Some(mac::OneTimeMac::with_kernel(self.kernel, key));
        self.started = false;
        Ok(())
    }

    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.mac.as_mut().ok_or(Error::Order)?.update(data);
        self.started = true;
        Ok(())
    }

    fn end(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        cut(self.mac.as_mut().ok_or(Error::Order)?.end(), tag);
        // Wiped where it lies.
        self.mac = None;
        Ok(())
    }

    fn reset(&mut self) {
        self.mac = None;
    }

    fn whole(&mut self, message: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        if self.started {
            self.update(message)?;
            return self.end(tag);
        }
        cut(self.mac.as_mut().ok_or(Error::Order)?.whole(message), tag);
        self.mac = None;
        Ok(())
    }

    fn many(&self, _: &[&[u8]], _: usize, _: &mut [u8]) -> Result<(), Error> {
        Err(Error::Order)
    }
}

/// Sets up a key for a MAC with a block cipher.
#[inline(never)]
fn start<B: Block>(
    kind: Kind,
    source: &dyn Source<B>,
    options: &Options<'_>,
    key: &[u8],
) -> Result<Box<dyn Authenticate>, Error> {
    let cipher = |key| source.forwards(options, key);
    Ok(match kind {
        Kind::Cmac => Box::new(Omac::<_, 1>::with_cipher(cipher(key)?)),
        Kind::Omac2 => Box::new(Omac::<_, 2>::with_cipher(cipher(key)?)),
        Kind::CbcMac => Box::new(CbcMac::<_>::with_cipher(cipher(key)?)),
        Kind::Dmac => {
            let (first, second) = halves(key)?;
            Box::new(Dmac::<_>::with_ciphers(cipher(first)?, cipher(second)?))
        }
        Kind::Pmac => Box::new(Pmac::with_cipher(cipher(key)?)),
    })
}

/// The two keys of DMAC, which have the same length.
fn halves(key: &[u8]) -> Result<(&[u8], &[u8]), Error> {
    if key.len().is_multiple_of(2) {
        Ok(key.split_at(key.len() / 2))
    } else {
        Err(Error::KeyLength)
    }
}
