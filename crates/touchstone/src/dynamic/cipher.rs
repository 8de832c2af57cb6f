//! Ciphers whose ciphertext is as long as the message: a block cipher in a mode, or a
//! stream cipher.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use inout::InOutBuf;

use super::block::{self, Backward, Backwards, Forward, Forwards, Rekey, Row, Source, with_source};
use super::{Depth, Error, Options, Start, clean_deep};
use crate::block::Block;
#[cfg(feature = "aes")]
use crate::block::aes::{
    Aes128Decrypt, Aes128Encrypt, Aes192Decrypt, Aes192Encrypt, Aes256Decrypt, Aes256Encrypt,
};
use crate::buffer::{self, Words};
use crate::fuse;
#[cfg(feature = "aes")]
use crate::keyed::Unkeyed;
use crate::mode::*;
use crate::stream::*;
use crate::{Kernel, KeyLengths, Keyed, wipe};

/// Encryption or decryption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From plaintext to ciphertext.
    Encrypt,
    /// From ciphertext to plaintext.
    Decrypt,
}

/// The pieces in which [`Cipher::apply`] takes a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pieces {
    /// Pieces of any length.
    Any,
    /// Whole blocks of this many bytes.
    Blocks(usize),
    /// Only the whole message in one call, of at least this many bytes.
    Whole(usize),
}

/// A mode of operation by name.
struct Mode {
    name: &'static str,
    kind: Kind,
    /// Whether the mode has an initialization vector, which is as long as a block.
    iv: bool,
    pieces: fn(usize) -> Pieces,
    /// Whether the key consists of two keys, one after the other, and blocks must have 16
    /// bytes (XTS).
    xts: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ecb,
    Cbc,
    Cfb,
    Cfb8,
    Ofb,
    Ctr,
    EcbCts,
    CbcCs1,
    CbcCs2,
    CbcCs3,
    Xts,
}

const fn mode(name: &'static str, kind: Kind, iv: bool, pieces: fn(usize) -> Pieces) -> Mode {
    let xts = matches!(kind, Kind::Xts);
    Mode {
        name,
        kind,
        iv,
        pieces,
        xts,
    }
}

static MODES: &[Mode] = &[
    #[cfg(feature = "ecb")]
    mode("ecb", Kind::Ecb, false, Pieces::Blocks),
    #[cfg(feature = "cbc")]
    mode("cbc", Kind::Cbc, true, Pieces::Blocks),
    #[cfg(feature = "cfb")]
    mode("cfb", Kind::Cfb, true, |_| Pieces::Any),
    #[cfg(feature = "cfb")]
    mode("cfb8", Kind::Cfb8, true, |_| Pieces::Any),
    #[cfg(feature = "ofb")]
    mode("ofb", Kind::Ofb, true, |_| Pieces::Any),
    #[cfg(feature = "ctr")]
    mode("ctr", Kind::Ctr, true, |_| Pieces::Any),
    #[cfg(feature = "ecb")]
    mode("ecb-cts", Kind::EcbCts, false, Pieces::Whole),
    #[cfg(feature = "cbc")]
    mode("cbc-cs1", Kind::CbcCs1, true, Pieces::Whole),
    #[cfg(feature = "cbc")]
    mode("cbc-cs2", Kind::CbcCs2, true, Pieces::Whole),
    #[cfg(feature = "cbc")]
    mode("cbc-cs3", Kind::CbcCs3, true, Pieces::Whole),
    #[cfg(feature = "xts")]
    mode("xts", Kind::Xts, true, Pieces::Whole),
];

/// A stream cipher by name.
struct StreamRow {
    id: &'static str,
    keys: KeyLengths,
    nonces: KeyLengths,
    kernels: &'static [&'static str],
    best: fn() -> &'static str,
    start: Start<Box<dyn Process>>,
    depth: Depth,
}

/// How deep the set-up of a new object of this key leaves something at least: large keys and
/// keystreams are moved about.
const fn moved<K: StreamKey>() -> usize {
    if size_of::<K>() + size_of::<K::Stream>() > 1024 {
        2 * wipe::FRAMES
    } else {
        0
    }
}

macro_rules! stream_rows {
    ($($(#[$cfg:meta])* $id:literal = $Key:ident $(, $seek:ident)?;)*) => {
        static STREAMS: &[StreamRow] = &[$($(#[$cfg])* StreamRow {
            id: $id,
            keys: <$Key as Keyed>::KEY_LENGTHS,
            nonces: <$Key as StreamKey>::NONCE_LENGTHS,
            kernels: <<$Key as Keyed>::Kernel as Kernel>::NAMES,
            best: block::best::<<$Key as Keyed>::Kernel>,
            start: Start(|options, key| {
                wipe::after_moves::<$Key, _>(MOVES, || -> Result<Box<dyn Process>, Error> {
                    let key = <$Key as Keyed>::with_kernel(block::kernel(options)?, key)?;
                    Ok(Box::new(Stream::<$Key> {
                        key,
                        stream: None,
                        begun: false,
                        seek: seek_of!($($seek)?),
                    }))
                })
            }),
            depth: Depth::of($id).with_new(moved::<$Key>()),
        }),*];
    };
}

macro_rules! seek_of {
    () => {
        None
    };
    (seek) => {
        Some(|stream, byte| stream.seek(byte))
    };
}

crate::stream::streams!(stream_rows!);

/// Names of the stream ciphers.
pub(super) fn stream_names() -> impl Iterator<Item = &'static str> {
    STREAMS.iter().map(|row| row.id)
}

/// An algorithm that was found by its name.
#[derive(Clone, Copy)]
enum Found {
    Mode(&'static Row, &'static Mode),
    Stream(&'static StreamRow),
}

fn find(name: &str) -> Result<Found, Error> {
    let over = |mode: &'static Mode| {
        let row = block::split(name, mode.name).filter(|row| !mode.xts || row.block == 16)?;
        Some(Found::Mode(row, mode))
    };
    let stream = || STREAMS.iter().find(|row| row.id == name);
    MODES
        .iter()
        .find_map(over)
        .or_else(|| stream().map(Found::Stream))
        .ok_or(Error::Name)
}

/// A cipher with a key, in one direction, and a message in progress.
pub struct Cipher {
    found: Found,
    process: Box<dyn Process>,
    depth: Depth,
    /// Whether a message needs an initialization vector or a nonce.
    needs_iv: bool,
    /// Whether a message has been started.
    ready: bool,
}

/// An algorithm that was found by its name and has no key yet.
#[derive(Clone, Copy)]
pub struct CipherAlgorithm(Found);

impl CipherAlgorithm {
    /// The key lengths in bytes.
    pub fn key_lengths(self) -> KeyLengths {
        match self.0 {
            Found::Mode(row, mode) if mode.xts => row.keys.twice(),
            Found::Mode(row, _) => row.keys,
            Found::Stream(row) => row.keys,
        }
    }

    /// The lengths of initialization vectors or nonces in bytes; 0 if there is none.
    pub fn iv_lengths(self) -> KeyLengths {
        self.0.iv_lengths()
    }

    /// The pieces in which [`Cipher::apply`] takes a message.
    pub fn pieces(self) -> Pieces {
        match self.0 {
            Found::Mode(row, mode) => (mode.pieces)(row.block),
            Found::Stream(_) => Pieces::Any,
        }
    }

    /// The length of a block in bytes; 1 for a stream cipher.
    pub fn block(self) -> usize {
        match self.0 {
            Found::Mode(row, _) => row.block,
            Found::Stream(_) => 1,
        }
    }

    /// Whether the algorithm has a parameter of this name, see [`Options::parameter`].
    pub fn has_parameter(self, name: &str) -> bool {
        match self.0 {
            Found::Mode(_, mode) if mode.kind == Kind::Ctr && name == "counter" => true,
            Found::Mode(row, _) => row.parameter == Some(name),
            Found::Stream(_) => false,
        }
    }

    /// Sets up a key.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`], [`Error::Parameter`], [`Error::Kernel`].
    pub fn with(
        self,
        direction: Direction,
        key: &[u8],
        options: &Options<'_>,
    ) -> Result<Cipher, Error> {
        let Self(found) = self;
        let depth = found.depth(direction, options);
        let process = match found {
            Found::Stream(row) => {
                if options.parameter.is_some() {
                    return Err(Error::Parameter);
                }
                depth.clean_new(row.start.with(options, key))?
            }
            Found::Mode(row, mode) => {
                let forwards = direction == Direction::Encrypt;
                with_source!((row.source)(), |source| {
                    depth.clean_new(start(row, mode, source, options, forwards, key))?
                })
            }
        };
        let needs_iv = found.iv_lengths().max != 0;
        Ok(Cipher {
            found,
            process,
            depth,
            needs_iv,
            ready: !needs_iv,
        })
    }
}

impl core::fmt::Debug for CipherAlgorithm {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let name = match self.0 {
            Found::Mode(row, mode) => (row.id, mode.name),
            Found::Stream(row) => (row.id, ""),
        };
        f.debug_tuple("CipherAlgorithm").field(&name).finish()
    }
}

/// One of many messages.
pub struct Message<'a> {
    /// The initialization vector or nonce.
    pub iv: &'a [u8],
    /// The data, in place or from one buffer to another.
    pub data: InOutBuf<'a, 'a, u8>,
}

crate::debug::debug!([] Message<'_>, "Message");

impl Cipher {
    /// The names of all algorithms of this type.
    pub fn names() -> impl Iterator<Item = String> {
        let over = block::rows().flat_map(|row| {
            let modes = MODES.iter().filter(|mode| !mode.xts || row.block == 16);
            modes.map(|mode| format!("{}-{}", row.id, mode.name))
        });
        over.chain(STREAMS.iter().map(|row| String::from(row.id)))
    }

    /// Finds an algorithm by its name, without a key.
    ///
    /// # Errors
    ///
    /// [`Error::Name`].
    pub fn find(name: &str) -> Result<CipherAlgorithm, Error> {
        find(name).map(CipherAlgorithm)
    }

    /// The key lengths of the algorithm with this name, in bytes.
    pub fn key_lengths(name: &str) -> Result<KeyLengths, Error> {
        Ok(Self::find(name)?.key_lengths())
    }

    /// The lengths of initialization vectors or nonces of the algorithm with this name,
    /// in bytes; 0 if there is none.
    pub fn iv_lengths(name: &str) -> Result<KeyLengths, Error> {
        Ok(find(name)?.iv_lengths())
    }

    /// The name of the kernel that computes the algorithm with this name on this machine.
    pub fn kernel(name: &str) -> Result<&'static str, Error> {
        Ok(match find(name)? {
            Found::Mode(row, _) => (row.best)(),
            Found::Stream(row) => (row.best)(),
        })
    }

    /// The names of all kernels of this algorithm in this build, the preferred one first.
    pub fn kernels(name: &str) -> Result<&'static [&'static str], Error> {
        Ok(match find(name)? {
            Found::Mode(row, _) => row.kernels,
            Found::Stream(row) => row.kernels,
        })
    }

    /// Sets up a key for the algorithm with this name.
    ///
    /// # Errors
    ///
    /// [`Error::Name`], [`Error::KeyLength`].
    pub fn new(name: &str, direction: Direction, key: &[u8]) -> Result<Self, Error> {
        Self::with(name, direction, key, &Options::default())
    }

    /// [`new`](Self::new) with options.
    ///
    /// # Errors
    ///
    /// The errors of [`new`](Self::new), [`Error::Parameter`], [`Error::Kernel`].
    pub fn with(
        name: &str,
        direction: Direction,
        key: &[u8],
        options: &Options<'_>,
    ) -> Result<Self, Error> {
        Self::find(name)?.with(direction, key, options)
    }

    /// The pieces in which [`apply`](Self::apply) takes a message.
    pub fn pieces(&self) -> Pieces {
        CipherAlgorithm(self.found).pieces()
    }

    /// The length of a block in bytes; 1 for a stream cipher.
    pub fn block(&self) -> usize {
        CipherAlgorithm(self.found).block()
    }

    /// Replaces this key by another one, with the same kernel and parameter. This is faster than a
    /// new object, because it uses the same memory again. The message in progress is discarded.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`]; then the key is unchanged.
    #[inline]
    pub fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        self.depth.clean_rekey(self.process.rekey(key))?;
        self.ready = !self.needs_iv;
        Ok(())
    }

    /// Encrypts or decrypts a whole message by one indirect call, in place or from one
    /// buffer to another. The call does [`set_iv`](Self::set_iv) and
    /// [`apply_inout`](Self::apply_inout). The message in progress is discarded.
    ///
    /// # Errors
    ///
    /// [`Error::NonceLength`], [`Error::MessageLength`].
    #[inline]
    pub fn message_inout(&mut self, iv: &[u8], data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        self.ready = !self.needs_iv;
        let length = data.len();
        let result = self.process.message(iv, Words::of(data));
        self.depth.clean(length, result)
    }

    /// Starts a message with its initialization vector, which may be a nonce, a first
    /// counter block or a tweak. Algorithms without one, such as ECB, do not need this
    /// call.
    ///
    /// # Errors
    ///
    /// [`Error::NonceLength`].
    pub fn set_iv(&mut self, iv: &[u8]) -> Result<(), Error> {
        if !self.found.iv_lengths().contains(iv.len()) {
            return Err(Error::NonceLength);
        }
        if !iv.is_empty() {
            self.depth.clean_piece(self.process.iv(iv))?;
        }
        self.ready = true;
        Ok(())
    }

    /// Encrypts or decrypts the next piece of the message in place.
    ///
    /// # Errors
    ///
    /// [`Error::Order`] if the initialization vector is missing; [`Error::MessageLength`]
    /// for a piece that [`pieces`](Self::pieces) does not allow.
    pub fn apply(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.apply_inout(data.into())
    }

    /// [`apply`](Self::apply) from one buffer to another.
    ///
    /// # Errors
    ///
    /// The errors of [`apply`](Self::apply), [`Error::OutputLength`].
    pub fn apply_into(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), Error> {
        self.apply_inout(buffer::pair(input, output)?)
    }

    /// [`apply`](Self::apply), in place or from one buffer to another.
    ///
    /// # Errors
    ///
    /// The errors of [`apply`](Self::apply).
    pub fn apply_inout(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        if !self.ready {
            return Err(Error::Order);
        }
        let result = self.process.update(Words::of(data));
        self.depth.clean_piece(result)?;
        if let Found::Mode(_, mode) = self.found
            && mode.iv
            && matches!(self.pieces(), Pieces::Whole(_))
        {
            self.ready = false;
        }
        Ok(())
    }

    /// Moves to byte `byte` of the message, counted from 0, without computing the bytes
    /// between.
    ///
    /// # Errors
    ///
    /// [`Error::Name`] if the algorithm cannot seek; [`Error::Order`] if the
    /// initialization vector is missing.
    pub fn seek(&mut self, byte: u64) -> Result<(), Error> {
        if !self.ready {
            return Err(Error::Order);
        }
        self.depth.clean_piece(self.process.seek(byte))
    }

    /// Encrypts or decrypts many whole messages, each with its own initialization vector.
    /// In serial modes this is several times as fast as one message after the other. A
    /// message in progress is discarded.
    ///
    /// # Errors
    ///
    /// [`Error::NonceLength`] or [`Error::MessageLength`] if any message has a wrong
    /// length; then no message has been changed.
    pub fn apply_many(&mut self, messages: Vec<Message<'_>>) -> Result<(), Error> {
        let (lengths, pieces) = (self.found.iv_lengths(), self.pieces());
        for message in &messages {
            if !lengths.contains(message.iv.len()) {
                return Err(Error::NonceLength);
            }
            let good = match pieces {
                Pieces::Any => true,
                Pieces::Blocks(block) => message.data.len().is_multiple_of(block),
                Pieces::Whole(least) => message.data.len() >= least,
            };
            if !good {
                return Err(Error::MessageLength);
            }
        }
        clean_deep(|| self.process.many(messages))?;
        self.ready = !self.needs_iv;
        Ok(())
    }
}

impl core::fmt::Debug for Cipher {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Cipher").finish_non_exhaustive()
    }
}

impl Found {
    fn depth(self, direction: Direction, options: &Options<'_>) -> Depth {
        match self {
            Self::Mode(row, mode) => row.depth(mode.name, direction == Direction::Decrypt, options),
            Self::Stream(row) => {
                let kernel = options.kernel.unwrap_or_else(row.best);
                row.depth.with_kernel(kernel)
            }
        }
    }

    fn iv_lengths(self) -> KeyLengths {
        match self {
            Self::Mode(row, mode) if mode.iv => KeyLengths::exactly(row.block),
            Self::Mode(..) => KeyLengths::exactly(0),
            Self::Stream(row) => row.nonces,
        }
    }
}

/// A message in progress. The lengths of initialization vectors are already checked.
trait Process: Send {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error>;
    /// A whole message.
    fn message(&mut self, iv: &[u8], data: Words<'_, '_>) -> Result<(), Error>;
    /// Starts a message. The length of the initialization vector has been checked.
    fn iv(&mut self, iv: &[u8]) -> Result<(), Error>;
    fn update(&mut self, data: Words<'_, '_>) -> Result<(), Error>;
    fn seek(&mut self, byte: u64) -> Result<(), Error>;
    /// Processes whole messages, whose lengths are already checked.
    fn many(&mut self, messages: Vec<Message<'_>>) -> Result<(), Error>;
}

/// Copies of a keystream's state that its start leaves on the stack at most.
const MOVES: usize = 6;

/// A stream cipher and the keystream of a nonce.
struct Stream<K: StreamKey> {
    key: K,
    stream: Option<K::Stream>,
    /// Whether the keystream is that of a message in progress.
    begun: bool,
    seek: Option<fn(&mut K::Stream, u64)>,
}

impl<K: StreamKey> Stream<K> {
    /// The keystream. If the cipher takes no nonce, its only keystream.
    fn stream(&mut self) -> Result<&mut K::Stream, Error> {
        if !self.begun {
            self.stream = Some(self.key.stream_from_slice(&[])?);
            self.begun = true;
        }
        self.stream.as_mut().ok_or(Error::Order)
    }
}

impl<K: StreamKey + Send> Process for Stream<K>
where
    K::Stream: Send,
{
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        self.stream = None;
        self.begun = false;
        wipe::after_moves::<K, _>(MOVES, || Ok(self.key.rekey(key)?))
    }

    fn message(&mut self, iv: &[u8], data: Words<'_, '_>) -> Result<(), Error> {
        self.begun = false;
        let data = data.buffer();
        // The compiler may call the closure below by a pointer to all of its variables, which takes
        // time for a short message.
        if K::IN_PLACE || wipe::moves_little::<K::Stream>(MOVES) {
            return Ok(self.key.apply_message_in(&mut self.stream, iv, data)?);
        }
        wipe::after_moves::<K::Stream, _>(MOVES, || {
            Ok(self.key.apply_message_in(&mut self.stream, iv, data)?)
        })
    }

    fn iv(&mut self, iv: &[u8]) -> Result<(), Error> {
        wipe::after_moves::<K::Stream, _>(MOVES, || {
            self.stream = Some(self.key.stream_from_slice(iv)?);
            self.begun = true;
            Ok(())
        })
    }

    fn update(&mut self, data: Words<'_, '_>) -> Result<(), Error> {
        self.stream()?.apply_inout(data.buffer());
        Ok(())
    }

    fn seek(&mut self, byte: u64) -> Result<(), Error> {
        let seek = self.seek.ok_or(Error::Name)?;
        seek(self.stream()?, byte);
        Ok(())
    }

    fn many(&mut self, messages: Vec<Message<'_>>) -> Result<(), Error> {
        self.stream = None;
        self.begun = false;
        wipe::after_moves::<K::Stream, _>(2 * MOVES, || {
            // One stream after the other: a vector of streams would keep their keystreams in
            // freed memory. The lengths of all nonces have been checked.
            let one = |Message { iv, data }| Some((self.key.stream_from_slice(iv).ok()?, data));
            K::Stream::apply_each(messages.into_iter().filter_map(one));
            Ok(())
        })
    }
}

/// The function by which a mode processes many messages.
type Many<M> = fn(&mut M, Vec<Message<'_>>) -> Result<(), Error>;

/// A mode and its functions. Each message calls `iv` and `update`, and each new key `key`, which are
/// type parameters, so that the compiler can inline them. The other functions are pointers.
struct Running<M, K, I, U> {
    mode: M,
    key: K,
    iv: I,
    update: U,
    seek: Option<fn(&mut M, u64)>,
    many: Option<Many<M>>,
}

impl<M: Send, K, I, U> Running<M, K, I, U>
where
    K: Fn(&mut M, &[u8]) -> Result<(), Error> + Send,
    I: Fn(&mut M, &[u8]) -> Result<(), Error> + Send,
    U: Fn(&mut M, InOutBuf<'_, '_, u8>) -> Result<(), Error> + Send,
{
    fn new(mode: M, key: K, iv: I, update: U) -> Self {
        Self {
            mode,
            key,
            iv,
            update,
            seek: None,
            many: None,
        }
    }
}

impl<M: Send, K, I, U> Process for Running<M, K, I, U>
where
    K: Fn(&mut M, &[u8]) -> Result<(), Error> + Send,
    I: Fn(&mut M, &[u8]) -> Result<(), Error> + Send,
    U: Fn(&mut M, InOutBuf<'_, '_, u8>) -> Result<(), Error> + Send,
{
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        (self.key)(&mut self.mode, key)
    }

    fn message(&mut self, iv: &[u8], data: Words<'_, '_>) -> Result<(), Error> {
        (self.iv)(&mut self.mode, iv)?;
        (self.update)(&mut self.mode, data.buffer())
    }

    fn iv(&mut self, iv: &[u8]) -> Result<(), Error> {
        (self.iv)(&mut self.mode, iv)
    }

    fn update(&mut self, data: Words<'_, '_>) -> Result<(), Error> {
        (self.update)(&mut self.mode, data.buffer())
    }

    fn seek(&mut self, byte: u64) -> Result<(), Error> {
        let seek = self.seek.ok_or(Error::Name)?;
        seek(&mut self.mode, byte);
        Ok(())
    }

    fn many(&mut self, messages: Vec<Message<'_>>) -> Result<(), Error> {
        if let Some(many) = self.many {
            return many(&mut self.mode, messages);
        }
        for message in messages {
            self.message(message.iv, Words::of(message.data))?;
        }
        Ok(())
    }
}

/// Converts bytes to a block. Returns a reference, because the compiler copies a block inside of a
/// `Result` by stores of several widths. A load of the block would then wait for these stores.
#[inline(always)]
fn block<B: Block>(bytes: &[u8]) -> Result<&B, Error> {
    match B::of(bytes) {
        ([block], []) => Ok(block),
        _ => Err(Error::NonceLength),
    }
}

/// The whole blocks of messages, in the type that the modes take, and the short last block of each
/// message that has one, with the index of the message.
type Batch<'m, B> = (
    Vec<fuse::Message<'m, 'm, B>>,
    Vec<(usize, InOutBuf<'m, 'm, u8>)>,
);

/// Splits messages into whole blocks and short last blocks.
fn batch<B: Block>(messages: Vec<Message<'_>>) -> Result<Batch<'_, B>, Error> {
    let mut tails = Vec::new();
    let one = |(index, Message { iv, data })| {
        let (blocks, tail) = B::split(data);
        if !tail.is_empty() {
            tails.push((index, tail));
        }
        let chain = *block(iv)?;
        Ok(fuse::Message { chain, blocks })
    };
    let whole = messages.into_iter().enumerate().map(one);
    Ok((whole.collect::<Result<_, Error>>()?, tails))
}

/// A mode with a chain: its type, and the code that processes the next bytes.
macro_rules! chain {
    ($key:expr, $Mode:ident, |$m:ident, $data:ident| $update:expr $(, $many:ident)?) => {
        Box::new(Running {
            many: many!($Mode, |$m, $data| $update $(, $many)?),
            ..Running::new(
                $Mode::new($key, &<_ as Block>::ZERO),
                |mode, key| Rekey::rekey(mode.cipher_mut(), key),
                |mode, iv| {
                    mode.reset(block(iv)?);
                    Ok(())
                },
                |$m, $data| {
                    $update;
                    Ok(())
                },
            )
        })
    };
}

/// A function that processes many messages at once.
macro_rules! many {
    ($Mode:ident, |$m:ident, $data:ident| $update:expr) => {
        None
    };
    ($Mode:ident, |$m:ident, $data:ident| $update:expr, $many:ident) => {
        Some(|$m: &mut $Mode<_>, messages| {
            let (mut messages, tails) = batch(messages)?;
            $Mode::$many($m.cipher_mut(), &mut messages);
            for (index, $data) in tails {
                $m.reset(&messages[index].chain);
                $update;
            }
            // In OFB the end of a chain is keystream.
            for message in &mut messages {
                wipe::wipe(
                    core::slice::from_mut(&mut message.chain),
                    <_ as Block>::ZERO,
                );
            }
            Ok(())
        })
    };
}

/// Counter mode with a rule.
macro_rules! counter {
    ($key:expr, $rule:expr) => {
        Box::new(Running {
            seek: Some(|mode: &mut Ctr<_, _>, byte| mode.seek(byte.into())),
            ..Running::new(
                Ctr::with_rule($key, &<_ as Block>::ZERO, $rule),
                |mode, key| Rekey::rekey(mode.cipher_mut(), key),
                |mode, iv| {
                    mode.reset(block(iv)?);
                    Ok(())
                },
                |mode, data| {
                    mode.apply_inout(data);
                    Ok(())
                },
            )
        })
    };
}

/// A mode that processes a whole message in each call: the code that takes the key,
/// the initialization vector and the message.
macro_rules! whole {
    ($key:expr, $Iv:ty, |$k:ident, $iv:ident, $data:ident| $update:expr, $next:expr) => {
        Box::new(Running::new(
            ($key, <$Iv>::ZERO),
            |state, key| ($next)(&mut state.0, key),
            |state, iv| {
                state.1 = *block(iv)?;
                Ok(())
            },
            |state, $data| {
                let ($k, $iv) = state;
                $update?;
                Ok(())
            },
        ))
    };
}

/// A mode without an initialization vector: the code that takes the key and the
/// message.
macro_rules! bare {
    ($key:expr, |$k:ident, $data:ident| $update:expr) => {
        Box::new(Running::new(
            $key,
            |cipher, key| Rekey::rekey(cipher, key),
            |_, iv| iv.is_empty().then_some(()).ok_or(Error::NonceLength),
            |$k, $data| {
                $update?;
                Ok(())
            },
        ))
    };
}

/// Sets up a key for a mode.
#[inline(never)]
fn start<B: Block>(
    row: &Row,
    mode: &Mode,
    source: &dyn Source<B>,
    options: &Options<'_>,
    encrypt: bool,
    key: &[u8],
) -> Result<Box<dyn Process>, Error> {
    let counter = match options.parameter {
        Some(("counter", rule)) if mode.kind == Kind::Ctr => Some(rule),
        Some((name, _)) if row.parameter != Some(name) => return Err(Error::Parameter),
        _ => None,
    };
    #[cfg(feature = "aes")]
    if let Some(process) = start_aes(row.id, mode.kind, options, encrypt, key) {
        return process;
    }
    let cipher = &Options {
        parameter: options.parameter.filter(|_| counter.is_none()),
        ..*options
    };
    let forwards = || source.forwards(cipher, key);
    let backwards = || source.backwards(cipher, key);
    if counter.unwrap_or(0) == 0
        && let Some(process) = usual(mode.kind, encrypt, forwards, backwards)?
    {
        return Ok(process);
    }

    macro_rules! steal {
        ($Mode:ident) => {
            if encrypt {
                whole!(
                    forwards()?,
                    B,
                    |k, iv, data| $Mode::new(&*k).encrypt_inout(iv, data),
                    |cipher: &mut Forwards<B>, key| cipher.rekey(key)
                )
            } else {
                whole!(
                    backwards()?,
                    B,
                    |k, iv, data| $Mode::new(&*k).decrypt_inout(iv, data),
                    |cipher: &mut Backwards<B>, key| cipher.rekey(key)
                )
            }
        };
    }

    Ok(match (mode.kind, encrypt) {
        #[cfg(feature = "cfb")]
        (Kind::Cfb8, true) => chain!(
            forwards()?,
            Cfb8Encrypt,
            |m, data| m.encrypt_inout(data),
            encrypt_many
        ),
        #[cfg(feature = "cfb")]
        (Kind::Cfb8, false) => chain!(forwards()?, Cfb8Decrypt, |m, data| m.decrypt_inout(data)),
        #[cfg(feature = "ctr")]
        (Kind::Ctr, _) => match counter {
            Some(1) => counter!(forwards()?, ctr::LittleEndian),
            Some(2) => counter!(forwards()?, ctr::BigEndianHalf),
            Some(3) => counter!(forwards()?, ctr::LittleEndianHalf),
            _ => return Err(Error::Parameter),
        },
        #[cfg(feature = "ecb")]
        (Kind::EcbCts, true) => {
            bare!(forwards()?, |k, data| EcbSteal::new(&*k)
                .encrypt_inout(data))
        }
        #[cfg(feature = "ecb")]
        (Kind::EcbCts, false) => {
            bare!(backwards()?, |k, data| EcbSteal::new(&*k)
                .decrypt_inout(data))
        }
        #[cfg(feature = "cbc")]
        (Kind::CbcCs1, _) => steal!(CbcCs1),
        #[cfg(feature = "cbc")]
        (Kind::CbcCs2, _) => steal!(CbcCs2),
        #[cfg(feature = "cbc")]
        (Kind::CbcCs3, _) => steal!(CbcCs3),
        #[cfg(feature = "xts")]
        (Kind::Xts, _) => {
            let source = row.sixteen()?;
            return xts(
                encrypt,
                key,
                |key| source.forwards(cipher, key),
                |key| source.backwards(cipher, key),
            );
        }
        // The modes of `usual`, and those that this build lacks.
        _ => return Err(Error::Name),
    })
}

/// Sets up a key for one of the modes that are used most, with any type of cipher; `None` for another
/// mode.
fn usual<B, E, D>(
    kind: Kind,
    encrypt: bool,
    forwards: impl FnOnce() -> Result<E, Error>,
    backwards: impl FnOnce() -> Result<D, Error>,
) -> Result<Option<Box<dyn Process>>, Error>
where
    B: Block,
    E: Forward<B> + 'static,
    D: Backward<B> + 'static,
{
    Ok(Some(match (kind, encrypt) {
        #[cfg(feature = "ecb")]
        (Kind::Ecb, true) => bare!(forwards()?, |k, data| Ecb::new(&*k).encrypt_inout(data)),
        #[cfg(feature = "ecb")]
        (Kind::Ecb, false) => bare!(backwards()?, |k, data| Ecb::new(&*k).decrypt_inout(data)),
        #[cfg(feature = "cbc")]
        (Kind::Cbc, true) => chain!(
            forwards()?,
            CbcEncrypt,
            |m, data| m.encrypt_inout(data)?,
            encrypt_many
        ),
        #[cfg(feature = "cbc")]
        (Kind::Cbc, false) => chain!(backwards()?, CbcDecrypt, |m, data| m.decrypt_inout(data)?),
        #[cfg(feature = "cfb")]
        (Kind::Cfb, true) => chain!(
            forwards()?,
            CfbEncrypt,
            |m, data| m.encrypt_inout(data),
            encrypt_many
        ),
        #[cfg(feature = "cfb")]
        (Kind::Cfb, false) => chain!(forwards()?, CfbDecrypt, |m, data| m.decrypt_inout(data)),
        #[cfg(feature = "ofb")]
        (Kind::Ofb, _) => chain!(forwards()?, Ofb, |m, data| m.apply_inout(data), apply_many),
        #[cfg(feature = "ctr")]
        (Kind::Ctr, _) => counter!(forwards()?, ctr::BigEndian),
        _ => return Ok(None),
    }))
}

/// Sets up the two keys of XTS, with any type of cipher.
#[cfg(feature = "xts")]
fn xts<E, D>(
    encrypt: bool,
    key: &[u8],
    forwards: impl Fn(&[u8]) -> Result<E, Error>,
    backwards: impl FnOnce(&[u8]) -> Result<D, Error>,
) -> Result<Box<dyn Process>, Error>
where
    E: Forward<[u8; 16]> + 'static,
    D: Backward<[u8; 16]> + 'static,
{
    let (data, tweak) = halves(key)?;
    let tweak = forwards(tweak)?;
    Ok(if encrypt {
        whole!(
            (forwards(data)?, tweak),
            [u8; 16],
            |k, iv, data| Xts::with_ciphers(&k.0, &k.1).encrypt_inout(iv, data),
            |pair: &mut (_, _), key| rekey_both(&mut pair.0, &mut pair.1, key)
        )
    } else {
        whole!(
            (backwards(data)?, tweak),
            [u8; 16],
            |k, iv, data| Xts::with_ciphers(&k.0, &k.1).decrypt_inout(iv, data),
            |pair: &mut (_, _), key| rekey_both(&mut pair.0, &mut pair.1, key)
        )
    })
}

/// Sets up a key of AES for a mode whose messages are often short. Here the mode calls the cipher
/// directly: two more indirect calls, and a buffer that passes through memory, take a fifth of the
/// time of one block.
#[cfg(feature = "aes")]
fn start_aes(
    id: &str,
    kind: Kind,
    options: &Options<'_>,
    encrypt: bool,
    key: &[u8],
) -> Option<Result<Box<dyn Process>, Error>> {
    if options.parameter.is_some() {
        return None;
    }
    return match id {
        "aes-128" => of::<Aes128Encrypt, Aes128Decrypt>(kind, options, encrypt, key),
        "aes-192" => of::<Aes192Encrypt, Aes192Decrypt>(kind, options, encrypt, key),
        "aes-256" => of::<Aes256Encrypt, Aes256Decrypt>(kind, options, encrypt, key),
        _ => Ok(None),
    }
    .transpose();

    fn of<E, D>(
        kind: Kind,
        options: &Options<'_>,
        encrypt: bool,
        key: &[u8],
    ) -> Result<Option<Box<dyn Process>>, Error>
    where
        E: Forward<[u8; 16]> + Unkeyed + 'static,
        D: Backward<[u8; 16]> + Unkeyed + 'static,
    {
        let forwards = || Ok(E::unkeyed(block::kernel(options)?));
        let backwards = || Ok(D::unkeyed(block::kernel(options)?));
        #[cfg(feature = "xts")]
        if kind == Kind::Xts {
            let mut process = xts(encrypt, key, |_| forwards(), |_| backwards())?;
            process.rekey(key)?;
            return Ok(Some(process));
        }
        let mut process = usual(kind, encrypt, forwards, backwards)?;
        if let Some(process) = &mut process {
            process.rekey(key)?;
        }
        Ok(process)
    }
}

/// Replaces the keys of two ciphers by the two halves of a key. If the length is wrong, the first
/// cipher returns an error before anything has changed.
pub(super) fn rekey_both(
    first: &mut (impl Rekey + ?Sized),
    second: &mut (impl Rekey + ?Sized),
    key: &[u8],
) -> Result<(), Error> {
    let (data, tweak) = halves(key)?;
    first.rekey(data)?;
    second.rekey(tweak)
}

/// Splits a key into two keys of equal length.
pub(super) fn halves(key: &[u8]) -> Result<(&[u8], &[u8]), Error> {
    if key.len().is_multiple_of(2) {
        Ok(key.split_at(key.len() / 2))
    } else {
        Err(Error::KeyLength)
    }
}
