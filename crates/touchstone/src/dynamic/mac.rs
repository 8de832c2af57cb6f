//! Message authentication codes.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;

use super::block::{self, Source, with_source};
use super::{Error, Options};
use crate::block::*;
use crate::constant_time::equal;
use crate::hash::*;
#[cfg(feature = "gost28147")]
use crate::mac::GostMac;
use crate::mac::cmac::Omac;
use crate::mac::{CbcMac, Hmac, OneTimeMac, Poly1305, RetailMac, SHORTEST_TAG};
use crate::wipe::wipe;
use crate::{DigestBytes, KeyLengths, Keyed, mac};

/// The MACs that take any block cipher.
static MODES: &[(&str, Kind)] = &[("cmac", Kind::Cmac), ("omac2", Kind::Omac2)];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Cmac,
    Omac2,
}

/// Sets up a key.
type Start = fn(&Options<'_>, &[u8]) -> Result<Box<dyn Authenticate>, Error>;

/// A MAC that does not take every block cipher.
struct Row {
    id: &'static str,
    keys: KeyLengths,
    output: usize,
    best: fn() -> &'static str,
    start: Start,
}

macro_rules! rows {
    ($name:ident; $($(#[$cfg:meta])* ($id:expr) $Mac:ty;)*) => {
        static $name: &[Row] = &[$($(#[$cfg])* Row {
            id: $id,
            keys: <$Mac as Keyed>::KEY_LENGTHS,
            output: <<$Mac as mac::Mac>::Output as DigestBytes>::SIZE,
            best: block::best::<<$Mac as Keyed>::Kernel>,
            start: |options, key| {
                Ok(Box::new(<$Mac as Keyed>::with_kernel(block::kernel(options)?, key)?))
            },
        }),*];
    };
}

rows! {
    OVER_CIPHERS;
    #[cfg(feature = "aes")]
    ("aes-128-cbc-mac") CbcMac<Aes128Encrypt>;
    #[cfg(feature = "aes")]
    ("aes-192-cbc-mac") CbcMac<Aes192Encrypt>;
    #[cfg(feature = "aes")]
    ("aes-256-cbc-mac") CbcMac<Aes256Encrypt>;
    #[cfg(feature = "des")]
    ("des-cbc-mac") CbcMac<Des>;
    #[cfg(feature = "des")]
    ("des-ede2-cbc-mac") CbcMac<DesEde2>;
    #[cfg(feature = "des")]
    ("des-ede3-cbc-mac") CbcMac<DesEde3>;
    #[cfg(feature = "des")]
    ("des-ede2-retail-mac") RetailMac<Des>;
    #[cfg(feature = "gost28147")]
    ("gost28147-gost-mac") GostMac<'static>;
}

macro_rules! hmac_rows {
    ($($(#[$cfg:meta])* $id:literal = $Hash:ty;)*) => {
        rows! { HMACS; $($(#[$cfg])* (concat!("hmac-", $id)) Hmac<$Hash>;)* }
    };
}
crate::hash::hashes!(hmac_rows!);

static ONE_TIME: &[Row] = &[Row {
    id: "poly1305",
    keys: KeyLengths::exactly(32),
    output: 16,
    best: || "portable",
    start: |_, key| {
        let key = KeyLengths::exactly(32).array(key)?;
        Ok(Box::new(OneMessage(Some(Poly1305::new(key)))))
    },
}];

#[derive(Clone, Copy)]
enum Found {
    Over(&'static block::Row, Kind),
    Own(&'static Row),
}

fn own() -> impl Iterator<Item = &'static Row> {
    OVER_CIPHERS.iter().chain(HMACS).chain(ONE_TIME)
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
        let (state, whole) = match found {
            Found::Own(row) => ((row.start)(options, key)?, row.output),
            Found::Over(row, kind) => {
                let state = with_source!((row.source)(), |source| {
                    start(kind, source, options, key)?
                });
                (state, row.block)
            }
        };
        Ok(Mac {
            state,
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
    whole: usize,
    tag: usize,
}

impl Mac {
    /// The names of all algorithms of this type.
    pub fn names() -> impl Iterator<Item = String> {
        let over = block::ROWS
            .iter()
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
        Ok(match find(name)? {
            Found::Over(row, _) => (row.best)(),
            Found::Own(row) => (row.best)(),
        })
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

    /// Truncates tags to their first `length` bytes, at least 4.
    ///
    /// # Errors
    ///
    /// [`Error::TagLength`] for a shorter length, or for one above the full tag's.
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
    /// [`Error::TagLength`] for 0, or for a length above the full tag's.
    pub fn with_insecure_tag(mut self, length: usize) -> Result<Self, Error> {
        if !(1..=self.whole).contains(&length) {
            return Err(Error::TagLength);
        }
        self.tag = length;
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
        self.state.update(data)
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
        let n = self.tag;
        self.state
            .end(&mut |whole| tag.copy_from_slice(&whole[..n]))
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
        let mut genuine = false;
        self.state
            .end(&mut |whole| genuine = equal(&whole[..tag.len()], tag))?;
        if genuine { Ok(()) } else { Err(Error::Forged) }
    }

    /// Discards the message in progress.
    pub fn reset(&mut self) {
        self.state.reset();
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
        let mut places = tags.chunks_exact_mut(self.tag);
        self.state.many(messages, &mut |whole| {
            if let Some(place) = places.next() {
                place.copy_from_slice(&whole[..place.len()]);
            }
        })
    }
}

impl core::fmt::Debug for Mac {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Mac").finish_non_exhaustive()
    }
}

/// Receives the full tag of a message.
type Done<'a> = &'a mut dyn FnMut(&[u8]);

/// A MAC with a key, and a message in progress.
trait Authenticate: Send {
    fn update(&mut self, data: &[u8]) -> Result<(), Error>;
    /// Ends the message and starts the next one.
    fn end(&mut self, done: Done<'_>) -> Result<(), Error>;
    fn reset(&mut self);
    /// Passes the tags of whole messages to `done`, one after the other.
    fn many(&self, messages: &[&[u8]], done: Done<'_>) -> Result<(), Error>;
}

/// Any MAC whose key serves many messages. A boxed cipher cannot set up a key by itself,
/// so the trait here is [`Many`].
impl<M: Many + Send> Authenticate for M {
    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        Many::update(self, data);
        Ok(())
    }

    fn end(&mut self, done: Done<'_>) -> Result<(), Error> {
        done(self.finalize().as_ref());
        Ok(())
    }

    fn reset(&mut self) {
        Many::reset(self);
    }

    fn many(&self, messages: &[&[u8]], done: Done<'_>) -> Result<(), Error> {
        let mut tags = vec![M::Output::ZERO; messages.len()];
        self.mac_many(messages, &mut tags)?;
        tags.iter().for_each(|tag| done(tag.as_ref()));
        wipe(&mut tags, M::Output::ZERO);
        Ok(())
    }
}

/// [`mac::Mac`] without the key set-up, for boxed ciphers.
trait Many {
    type Output: DigestBytes;
    fn update(&mut self, data: &[u8]);
    fn finalize(&mut self) -> Self::Output;
    fn reset(&mut self);
    fn mac_many(&self, messages: &[&[u8]], tags: &mut [Self::Output]) -> Result<(), Error>;
}

macro_rules! many {
    ($([$($generics:tt)*] $Mac:ty;)*) => {$(
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
            fn mac_many(&self, messages: &[&[u8]], tags: &mut [Self::Output]) -> Result<(), Error> {
                Ok(mac::Mac::mac_many(self, messages, tags)?)
            }
        }
    )*};
}

many! {
    [C: Keyed + FusedEncrypt] CbcMac<C>;
    [C: Keyed + FusedEncrypt + FusedDecrypt] RetailMac<C>;
    [H: HashFunction] Hmac<H>;
}

#[cfg(feature = "gost28147")]
many! { [] GostMac<'static>; }

impl<C: FusedEncrypt, const VERSION: u8> Many for Omac<C, VERSION> {
    type Output = <C::Block as Block>::Tag;

    fn update(&mut self, data: &[u8]) {
        self.update(data);
    }

    fn finalize(&mut self) -> Self::Output {
        self.finalize()
    }

    fn reset(&mut self) {
        self.reset();
    }

    fn mac_many(&self, messages: &[&[u8]], tags: &mut [Self::Output]) -> Result<(), Error> {
        Ok(self.mac_many(messages, tags)?)
    }
}

/// A MAC with a one-time key, or `None` after its message.
struct OneMessage<M>(Option<M>);

impl<M: OneTimeMac + Send> Authenticate for OneMessage<M> {
    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.0.as_mut().ok_or(Error::Order)?.update(data);
        Ok(())
    }

    fn end(&mut self, done: Done<'_>) -> Result<(), Error> {
        done(self.0.take().ok_or(Error::Order)?.finalize().as_ref());
        Ok(())
    }

    fn reset(&mut self) {
        self.0 = None;
    }

    fn many(&self, _: &[&[u8]], _: Done<'_>) -> Result<(), Error> {
        Err(Error::Order)
    }
}

/// Sets up a key for a MAC with a block cipher.
fn start<B: Block>(
    kind: Kind,
    source: &dyn Source<B>,
    options: &Options<'_>,
    key: &[u8],
) -> Result<Box<dyn Authenticate>, Error> {
    let key = source.forwards(options, key)?;
    Ok(match kind {
        Kind::Cmac => Box::new(Omac::<_, 1>::with_cipher(key)),
        Kind::Omac2 => Box::new(Omac::<_, 2>::with_cipher(key)),
    })
}
