//! Hash functions with digests of fixed length or of any length.

use alloc::boxed::Box;
use alloc::vec;

use super::{Depth, Error};
use crate::hash::*;
use crate::wipe::{self, wipe};
use crate::{DataError, DigestBytes, Kernel};

/// Starts a message with the kernel of this name or with the best one.
type Start = fn(Option<&str>) -> Result<Box<dyn Absorb>, Error>;

/// Starts a message with a customisation.
type StartCustomised = fn(&[u8]) -> Result<Box<dyn Absorb>, Error>;

/// A hash function by name.
struct Row {
    id: &'static str,
    block: usize,
    /// The length of the digest in bytes, or `None` if the caller chooses it.
    output: Option<usize>,
    kernels: &'static [&'static str],
    best: fn() -> &'static str,
    start: Start,
    depth: Depth,
    /// Starts a message with a customisation, if the function takes one.
    customised: Option<StartCustomised>,
}

fn kernel<K: Kernel>(name: Option<&str>) -> Result<K, Error> {
    match name {
        None => Ok(K::best()),
        Some(name) => K::available()
            .find(|kernel| kernel.name() == name)
            .ok_or(Error::Kernel),
    }
}

macro_rules! rows {
    ($name:ident; $($(#[$cfg:meta])* $id:literal = $Hash:ty;)*) => {
        static $name: &[Row] = &[$($(#[$cfg])* Row {
            id: $id,
            block: <$Hash as HashFunction>::BLOCK,
            output: Some(<<$Hash as HashFunction>::Output as DigestBytes>::SIZE),
            kernels: <<$Hash as HashFunction>::Kernel as Kernel>::NAMES,
            best: || <<$Hash as HashFunction>::Kernel as Kernel>::best().name(),
            start: |name| Ok(Box::new(<$Hash as HashFunction>::with_kernel(kernel(name)?))),
            depth: Depth::of($id),
            customised: None,
        }),*];
    };
}

macro_rules! hash_rows {
    ($($(#[$cfg:meta])* $id:literal = $Hash:ty;)*) => {
        rows!(HASHES; $($(#[$cfg])* $id = $Hash;)*);
    };
}

macro_rules! long_hash_rows {
    ($($(#[$cfg:meta])* $id:literal = $Hash:ty;)*) => {
        rows!(LONG_HASHES; $($(#[$cfg])* $id = $Hash;)*);
    };
}

macro_rules! extendable_rows {
    ($name:ident; $($(#[$cfg:meta])* $id:literal = $Xof:ty $(, $customised:expr)?;)*) => {
        static $name: &[Row] = &[$($(#[$cfg])* Row {
            id: $id,
            block: <$Xof as Xof>::BLOCK,
            output: None,
            kernels: <<$Xof as Xof>::Kernel as Kernel>::NAMES,
            best: || <<$Xof as Xof>::Kernel as Kernel>::best().name(),
            start: |name| Ok(Extendable::start(<$Xof as Xof>::with_kernel(kernel(name)?))),
            depth: Depth::of($id),
            customised: extendable_rows!(@ $($customised)?),
        }),*];
    };
    (@ $customised:expr) => {
        Some(|customisation| Ok(Extendable::start($customised(customisation))))
    };
    (@) => {
        None
    };
}

macro_rules! xof_rows {
    ($($row:tt)*) => {
        extendable_rows!(XOFS; $($row)*);
    };
}

extendable_rows! {
    CUSTOMISED;
    #[cfg(feature = "sha3")]
    "cshake128" = CShake128, |customisation: &[u8]| CShake128::with_name(b"", customisation);
    #[cfg(feature = "sha3")]
    "cshake256" = CShake256, |customisation: &[u8]| CShake256::with_name(b"", customisation);
    #[cfg(feature = "sha3")]
    "kt128" = Kangaroo<KangarooTwelve<'static>>, <Kangaroo<KangarooTwelve<'_>>>::customised;
    #[cfg(feature = "sha3")]
    "kt256" = Kangaroo<KangarooTwelve256<'static>>, <Kangaroo<KangarooTwelve256<'_>>>::customised;
}

/// Functions with a digest of fixed length that take a customisation, which their papers call a
/// personalisation: the name, and the start of a message.
macro_rules! personalised {
    ($($family:ident $feature:literal: $($id:literal = $Hash:ty),*;)*) => {
        static PERSONALISED: &[(&str, StartCustomised)] = &[$($(
            #[cfg(feature = $feature)]
            ($id, |personal| Ok(Personalised::start(personalised!(@ $family $Hash, personal)))),
        )*)*];
    };
    (@ skein $Hash:ty, $personal:ident) => {
        <$Hash>::with_parameters(&[], $personal)
    };
    (@ blake2 $Hash:ty, $personal:ident) => {
        <$Hash>::with_parameters(&[], &filled(&[])?, &filled($personal)?)?
    };
}
personalised! {
    blake2 "blake2":
        "blake2b" = Blake2b512, "blake2b-160" = Blake2b160, "blake2b-256" = Blake2b256,
        "blake2b-384" = Blake2b384, "blake2s" = Blake2s256, "blake2s-128" = Blake2s128,
        "blake2s-160" = Blake2s160, "blake2s-224" = Blake2s224;
    skein "skein":
        "skein-256" = Skein256_256, "skein-256-512" = Skein256_512,
        "skein-512" = Skein512_512, "skein-512-224" = Skein512_224,
        "skein-512-256" = Skein512_256, "skein-512-384" = Skein512_384,
        "skein-1024" = Skein1024_1024, "skein-1024-256" = Skein1024_256,
        "skein-1024-512" = Skein1024_512;
}

/// Fills a parameter of BLAKE2 up with zeros.
#[cfg(feature = "blake2")]
fn filled<const N: usize>(parameter: &[u8]) -> Result<[u8; N], Error> {
    let mut whole = [0; N];
    let start = whole.get_mut(..parameter.len()).ok_or(Error::Parameter)?;
    start.copy_from_slice(parameter);
    Ok(whole)
}

crate::hash::hashes!(hash_rows!);
crate::hash::long_hashes!(long_hash_rows!);
crate::hash::xofs!(xof_rows!);

/// Writes digests of many messages, one after the other. `hash` computes some of them.
fn many<D: DigestBytes>(
    messages: &[&[u8]],
    output: &mut [u8],
    hash: impl Fn(&[&[u8]], &mut [D]) -> Result<(), DataError>,
) -> Result<(), Error> {
    const LANES: usize = 64;
    let size = D::SIZE;
    let mut digests = vec![D::ZERO; messages.len().min(LANES)];
    for (messages, output) in messages.chunks(LANES).zip(output.chunks_mut(LANES * size)) {
        let digests = &mut digests[..messages.len()];
        hash(messages, digests)?;
        for (to, from) in output.chunks_exact_mut(size).zip(digests) {
            to.copy_from_slice(from.as_ref());
        }
    }
    wipe(&mut digests, D::ZERO);
    Ok(())
}

fn rows() -> impl Iterator<Item = &'static Row> {
    HASHES
        .iter()
        .chain(LONG_HASHES)
        .chain(XOFS)
        .chain(CUSTOMISED)
}

fn find(name: &str) -> Result<&'static Row, Error> {
    rows().find(|row| row.id == name).ok_or(Error::Name)
}

/// A hash function and a message in progress.
pub struct Hash {
    row: &'static Row,
    state: Box<dyn Absorb>,
    depth: Depth,
    /// Whether the message in progress may have begun.
    begun: bool,
}

impl Hash {
    /// The names of all algorithms of this type.
    pub fn names() -> impl Iterator<Item = &'static str> {
        rows().map(|row| row.id)
    }

    /// The name of the kernel that computes the algorithm with this name on this machine.
    pub fn kernel(name: &str) -> Result<&'static str, Error> {
        Ok((find(name)?.best)())
    }

    /// The names of all kernels of this algorithm in this build, the preferred one first.
    pub fn kernels(name: &str) -> Result<&'static [&'static str], Error> {
        Ok(find(name)?.kernels)
    }

    /// Starts a message of the hash function with this name.
    ///
    /// # Errors
    ///
    /// [`Error::Name`].
    pub fn new(name: &str) -> Result<Self, Error> {
        let row = find(name)?;
        Ok(Self {
            row,
            state: (row.start)(None)?,
            depth: row.depth.with_kernel((row.best)()),
            begun: false,
        })
    }

    /// Starts a message of cSHAKE, KangarooTwelve, Skein or BLAKE2 with a customisation, which
    /// every message of this object has. Each customisation gives another function. Skein and
    /// BLAKE2 call it a personalisation. BLAKE2b takes at most 16 bytes and BLAKE2s at most 8;
    /// fewer bytes are filled up with zeros.
    ///
    /// # Errors
    ///
    /// [`Error::Name`], also for a function that takes no customisation; [`Error::Parameter`] for
    /// a customisation that is too long.
    pub fn customised(name: &str, customisation: &[u8]) -> Result<Self, Error> {
        let row = find(name)?;
        let (start, depth) = match row.customised {
            Some(start) => (start, row.depth.with_kernel((row.best)())),
            None => {
                let personalised = PERSONALISED.iter().find(|(id, _)| *id == name);
                // The states are copied, so the depths of the function alone are not enough.
                (personalised.ok_or(Error::Name)?.1, Depth::USUAL)
            }
        };
        Ok(Self {
            row,
            state: start(customisation)?,
            depth,
            begun: false,
        })
    }

    /// [`new`](Self::new) with the kernel of this name; for tests and measurements.
    ///
    /// # Errors
    ///
    /// [`Error::Name`], [`Error::Kernel`].
    pub fn with_kernel(name: &str, kernel: &str) -> Result<Self, Error> {
        let row = find(name)?;
        Ok(Self {
            row,
            state: (row.start)(Some(kernel))?,
            depth: row.depth.with_kernel(kernel),
            begun: false,
        })
    }

    /// The length of the digest in bytes, or `None` if the caller chooses it.
    pub fn output(&self) -> Option<usize> {
        self.row.output
    }

    /// Length in bytes of the blocks in which messages are processed.
    pub fn block(&self) -> usize {
        self.row.block
    }

    /// Adds the next piece of the message. The first call after
    /// [`squeeze`](Self::squeeze) starts the next message.
    pub fn update(&mut self, data: &[u8]) {
        self.begun = true;
        self.state.update(data);
        self.depth.clean_piece(());
    }

    /// Ends the message, writes its digest, and starts the next message. After
    /// [`squeeze`](Self::squeeze) the result is the digest of an empty message.
    ///
    /// # Errors
    ///
    /// [`Error::OutputLength`] if `digest` has another length than the hash's digests.
    pub fn finalize(&mut self, digest: &mut [u8]) -> Result<(), Error> {
        if self.row.output.is_some_and(|size| size != digest.len()) {
            return Err(Error::OutputLength);
        }
        self.begun = false;
        self.state.end(digest);
        self.depth.clean_piece(());
        Ok(())
    }

    /// Writes the next bytes of output. The first call ends the message.
    /// [`reset`](Self::reset) starts the next one.
    ///
    /// # Errors
    ///
    /// [`Error::Name`] for a function whose output has a fixed length.
    pub fn squeeze(&mut self, output: &mut [u8]) -> Result<(), Error> {
        self.begun = true;
        self.depth.clean_piece(self.state.squeeze(output))
    }

    /// The digest of a whole message. A message in progress is discarded.
    ///
    /// # Errors
    ///
    /// [`Error::OutputLength`] if `digest` has another length than the hash's digests.
    pub fn digest(&mut self, message: &[u8], digest: &mut [u8]) -> Result<(), Error> {
        if self.row.output.is_some_and(|size| size != digest.len()) {
            return Err(Error::OutputLength);
        }
        if self.begun {
            self.reset();
        }
        self.state.whole(message, digest);
        self.depth.clean(message.len(), ());
        Ok(())
    }

    /// Hashes many whole messages and writes the digests one after the other. If the hash
    /// has kernels for this, it is several times as fast as one message after the other.
    ///
    /// # Errors
    ///
    /// [`Error::OutputLength`] if `digests` does not have the length of all digests;
    /// [`Error::Name`] for a function whose output length the caller chooses.
    pub fn digest_many(&self, messages: &[&[u8]], digests: &mut [u8]) -> Result<(), Error> {
        let size = self.row.output.ok_or(Error::Name)?;
        if messages.len().checked_mul(size) != Some(digests.len()) {
            return Err(Error::OutputLength);
        }
        self.depth.clean_many(|| self.state.many(messages, digests))
    }

    /// Discards the message in progress.
    pub fn reset(&mut self) {
        self.begun = false;
        self.state.reset();
        self.depth.clean_piece(());
    }
}

/// A copy with the same message so far.
impl Clone for Hash {
    fn clone(&self) -> Self {
        Self {
            row: self.row,
            state: self.depth.clean_piece(self.state.copy()),
            depth: self.depth,
            begun: self.begun,
        }
    }
}

impl core::fmt::Debug for Hash {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Hash").field("name", &self.row.id).finish()
    }
}

/// A message in progress. The lengths of outputs are already checked.
trait Absorb: Send + Sync {
    fn update(&mut self, data: &[u8]);
    /// Ends the message, and starts the next one.
    fn end(&mut self, output: &mut [u8]);
    /// Hashes a whole message. No message is in progress.
    fn whole(&self, message: &[u8], output: &mut [u8]);
    /// Writes the next bytes of output of any length.
    fn squeeze(&mut self, _: &mut [u8]) -> Result<(), Error> {
        Err(Error::Name)
    }
    /// Hashes many messages and writes the digests one after the other.
    fn many(&self, _: &[&[u8]], _: &mut [u8]) -> Result<(), Error> {
        Err(Error::Name)
    }
    fn reset(&mut self);
    fn copy(&self) -> Box<dyn Absorb>;
}

impl<H: HashFunction + Send + Sync + 'static> Absorb for H {
    fn update(&mut self, data: &[u8]) {
        HashFunction::update(self, data);
    }

    fn end(&mut self, output: &mut [u8]) {
        wipe::after_moves::<H, _>(2, || {
            let next = H::with_kernel(self.kernel_in_use());
            output.copy_from_slice(core::mem::replace(self, next).finalize().as_ref());
        });
    }

    /// `digest_with` makes no object that is large, or overwrites what the object leaves.
    fn whole(&self, message: &[u8], output: &mut [u8]) {
        output.copy_from_slice(H::digest_with(self.kernel_in_use(), message).as_ref());
    }

    fn many(&self, messages: &[&[u8]], output: &mut [u8]) -> Result<(), Error> {
        let kernel = self.kernel_in_use();
        many(messages, output, |messages, digests| {
            H::hash_many_with(kernel, messages, digests)
        })
    }

    fn reset(&mut self) {
        *self = H::with_kernel(self.kernel_in_use());
    }

    fn copy(&self) -> Box<dyn Absorb> {
        Box::new(self.clone())
    }
}

/// A hash function whose messages all have the same personalisation.
struct Personalised<H> {
    start: H,
    message: H,
}

impl<H: HashFunction + Send + Sync + 'static> Personalised<H> {
    fn start(start: H) -> Box<dyn Absorb> {
        let message = start.clone();
        Box::new(Self { start, message })
    }
}

impl<H: HashFunction + Send + Sync + 'static> Absorb for Personalised<H> {
    fn update(&mut self, data: &[u8]) {
        self.message.update(data);
    }

    fn end(&mut self, output: &mut [u8]) {
        let message = core::mem::replace(&mut self.message, self.start.clone());
        output.copy_from_slice(message.finalize().as_ref());
    }

    fn whole(&self, message: &[u8], output: &mut [u8]) {
        output.copy_from_slice(H::finish_after(&self.start, message).as_ref());
    }

    fn many(&self, messages: &[&[u8]], output: &mut [u8]) -> Result<(), Error> {
        many(messages, output, |messages, digests: &mut [H::Output]| {
            H::finish_many(core::slice::from_ref(&self.start), messages, digests)
        })
    }

    fn reset(&mut self) {
        self.message = self.start.clone();
    }

    fn copy(&self) -> Box<dyn Absorb> {
        Box::new(Self {
            start: self.start.clone(),
            message: self.message.clone(),
        })
    }
}

/// A function with output of any length, and the start of its messages.
struct Extendable<X: Xof> {
    start: X,
    now: Now<X>,
}

/// A function with output of any length either absorbs a message or gives output.
enum Now<X: Xof> {
    Absorbs(X),
    Squeezes(X::Reader),
}

impl<X: Xof + Send + Sync + 'static> Extendable<X>
where
    X::Reader: Clone + Send + Sync,
{
    fn start(start: X) -> Box<dyn Absorb> {
        let now = Now::Absorbs(start.clone());
        Box::new(Self { start, now })
    }

    /// Takes the message in progress, and starts the next one.
    fn take(&mut self) -> X {
        match core::mem::replace(&mut self.now, Now::Absorbs(self.start.clone())) {
            Now::Absorbs(message) => message,
            Now::Squeezes(_) => self.start.clone(),
        }
    }
}

impl<X: Xof + Send + Sync + 'static> Absorb for Extendable<X>
where
    X::Reader: Clone + Send + Sync,
{
    fn update(&mut self, data: &[u8]) {
        if let Now::Squeezes(_) = self.now {
            Absorb::reset(self);
        }
        if let Now::Absorbs(message) = &mut self.now {
            message.update(data);
        }
    }

    fn end(&mut self, output: &mut [u8]) {
        self.take().finalize_xof().squeeze(output);
    }

    fn whole(&self, message: &[u8], output: &mut [u8]) {
        self.start.squeeze_after(message, output);
    }

    fn squeeze(&mut self, output: &mut [u8]) -> Result<(), Error> {
        if let Now::Absorbs(_) = self.now {
            self.now = Now::Squeezes(self.take().finalize_xof());
        }
        if let Now::Squeezes(reader) = &mut self.now {
            reader.squeeze(output);
        }
        Ok(())
    }

    fn reset(&mut self) {
        self.now = Now::Absorbs(self.start.clone());
    }

    fn copy(&self) -> Box<dyn Absorb> {
        Box::new(Self {
            start: self.start.clone(),
            now: match &self.now {
                Now::Absorbs(message) => Now::Absorbs(message.clone()),
                Now::Squeezes(reader) => Now::Squeezes(reader.clone()),
            },
        })
    }
}

/// KangarooTwelve and its customisation. The type in the module `hash` only borrows the
/// customisation.
#[cfg(feature = "sha3")]
#[derive(Clone, Default)]
struct Kangaroo<X> {
    message: X,
    customisation: alloc::vec::Vec<u8>,
}

#[cfg(feature = "sha3")]
impl<X: Default> Kangaroo<X> {
    fn customised(customisation: &[u8]) -> Self {
        Self {
            message: X::default(),
            customisation: customisation.to_vec(),
        }
    }
}

#[cfg(feature = "sha3")]
macro_rules! kangaroos {
    ($($Kangaroo:ident;)*) => {$(
        impl Xof for Kangaroo<$Kangaroo<'static>> {
            type Kernel = <$Kangaroo<'static> as Xof>::Kernel;
            type Reader = <$Kangaroo<'static> as Xof>::Reader;
            const BLOCK: usize = <$Kangaroo<'static> as Xof>::BLOCK;

            fn with_kernel(kernel: Self::Kernel) -> Self {
                Self {
                    message: Xof::with_kernel(kernel),
                    customisation: alloc::vec::Vec::new(),
                }
            }
            fn update(&mut self, data: &[u8]) {
                self.message.update(data);
            }
            fn finalize_xof(self) -> Self::Reader {
                self.message.finalize_with(&self.customisation)
            }
        }
    )*};
}
#[cfg(feature = "sha3")]
kangaroos! {
    KangarooTwelve;
    KangarooTwelve256;
}
