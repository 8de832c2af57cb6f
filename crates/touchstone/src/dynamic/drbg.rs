//! The generators of NIST SP 800-90A.

use alloc::boxed::Box;

use super::block::{best, kernel};
use super::{Error, Options};
#[cfg(feature = "aes")]
use crate::block::{Aes128Encrypt, Aes192Encrypt, Aes256Encrypt};
#[cfg(feature = "sha1")]
use crate::hash::Sha1;
#[cfg(feature = "sha2")]
use crate::hash::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use crate::random::drbg::{self, CtrMechanism, DrbgError, HashMechanism, HmacMechanism, Mechanism};
use crate::wipe;
use crate::{DigestBytes, HashFunction, Kernel, KeyLengths};

/// A generator without its type.
trait Generate: Send + Sync {
    fn reseed(&mut self, entropy: &[u8], additional: &[u8]) -> Result<(), DrbgError>;
    fn generate(&mut self, output: &mut [u8], additional: &[u8]) -> Result<(), DrbgError>;
    fn set_reseed_interval(&mut self, calls: u64);
}

impl<M: Mechanism + Send + Sync> Generate for drbg::Drbg<M> {
    fn reseed(&mut self, entropy: &[u8], additional: &[u8]) -> Result<(), DrbgError> {
        self.reseed(entropy, additional)
    }

    fn generate(&mut self, output: &mut [u8], additional: &[u8]) -> Result<(), DrbgError> {
        self.generate(output, additional)
    }

    fn set_reseed_interval(&mut self, calls: u64) {
        self.set_reseed_interval(calls);
    }
}

type Made = Result<Box<dyn Generate>, Error>;

struct Row {
    id: &'static str,
    strength: usize,
    entropy: KeyLengths,
    takes_nonce: bool,
    kernels: &'static [&'static str],
    best: fn() -> &'static str,
    /// Makes a generator from entropy, a nonce and a personalisation string.
    new: fn(&Options<'_>, [&[u8]; 3]) -> Made,
    depth: Depth,
}

/// How many bytes of the stack are overwritten after the calls of an object: what tests/stack.rs
/// measures with the kernel that leaves most, and [`MARGIN`].
#[derive(Clone, Copy)]
struct Depth {
    /// The longest output after which `short` is enough.
    longest: usize,
    /// After a short output without additional input.
    short: usize,
    /// After a longer output without additional input.
    long: usize,
    /// After a reseed, or a call with additional input and a short output.
    input: usize,
    /// After a seed.
    new: usize,
}

/// What another build may leave deeper.
const MARGIN: usize = 512;

const CTR: Depth = Depth {
    longest: 80,
    short: 1320 + MARGIN,
    long: 2584 + MARGIN,
    input: 5800 + MARGIN,
    new: 6632 + MARGIN,
};

/// Without the derivation function.
const CTR_OF_SEED: Depth = Depth {
    input: 1432 + MARGIN,
    new: 1936 + MARGIN,
    ..CTR
};

/// The depths of Hash_DRBG: one digest, or several at once.
const fn of_hash(digest: usize, block: usize) -> Depth {
    let (short, long) = if block > 64 {
        (1352, 8784)
    } else {
        (904, 5728)
    };
    Depth {
        longest: digest,
        short: short + MARGIN,
        long: long + MARGIN,
        input: long + MARGIN,
        new: long + MARGIN,
    }
}

/// The depths of HMAC_DRBG.
const fn of_hmac(block: usize) -> Depth {
    let (depth, new) = if block > 64 {
        (2864, 4336)
    } else {
        (1896, 2792)
    };
    Depth {
        longest: usize::MAX,
        short: depth + MARGIN,
        long: depth + MARGIN,
        input: depth + MARGIN,
        new: new + MARGIN,
    }
}

/// A row of a mechanism.
macro_rules! row {
    ($id:expr, $Mechanism:ty, $depth:expr) => {
        Row {
            id: $id,
            strength: <$Mechanism>::STRENGTH,
            entropy: <$Mechanism>::ENTROPY,
            takes_nonce: <$Mechanism>::TAKES_NONCE,
            kernels: <<$Mechanism as Mechanism>::Kernel as Kernel>::NAMES,
            best: best::<<$Mechanism as Mechanism>::Kernel>,
            new: |options, [entropy, nonce, personalisation]| {
                let kernel = kernel(options)?;
                Ok(Box::new(drbg::Drbg::<$Mechanism>::with_kernel(
                    kernel,
                    entropy,
                    nonce,
                    personalisation,
                )?))
            },
            depth: $depth,
        }
    };
}

#[cfg(feature = "aes")]
static OVER_AES: &[Row] = &[
    row!("ctr-drbg-aes-128", CtrMechanism<Aes128Encrypt, true>, CTR),
    row!("ctr-drbg-aes-192", CtrMechanism<Aes192Encrypt, true>, CTR),
    row!("ctr-drbg-aes-256", CtrMechanism<Aes256Encrypt, true>, CTR),
    row!("ctr-drbg-aes-128-no-df", CtrMechanism<Aes128Encrypt, false>, CTR_OF_SEED),
    row!("ctr-drbg-aes-192-no-df", CtrMechanism<Aes192Encrypt, false>, CTR_OF_SEED),
    row!("ctr-drbg-aes-256-no-df", CtrMechanism<Aes256Encrypt, false>, CTR_OF_SEED),
];
#[cfg(not(feature = "aes"))]
static OVER_AES: &[Row] = &[];

macro_rules! rows {
    ($($(#[$cfg:meta])* $id:literal = $Hash:ty;)*) => {
        static OVER_HASH: &[Row] = &[
            $(
                $(#[$cfg])*
                row!(concat!("hash-drbg-", $id), HashMechanism<$Hash>, of_hash(
                    <<$Hash as HashFunction>::Output as DigestBytes>::SIZE,
                    <$Hash as HashFunction>::BLOCK,
                )),
            )*
            $(
                $(#[$cfg])*
                row!(
                    concat!("hmac-drbg-", $id),
                    HmacMechanism<$Hash>,
                    of_hmac(<$Hash as HashFunction>::BLOCK)
                ),
            )*
        ];
    };
}

// The hash functions that the standard names.
rows! {
    #[cfg(feature = "sha1")]
    "sha-1" = Sha1;
    #[cfg(feature = "sha2")]
    "sha-224" = Sha224;
    #[cfg(feature = "sha2")]
    "sha-256" = Sha256;
    #[cfg(feature = "sha2")]
    "sha-384" = Sha384;
    #[cfg(feature = "sha2")]
    "sha-512" = Sha512;
    #[cfg(feature = "sha2")]
    "sha-512-224" = Sha512_224;
    #[cfg(feature = "sha2")]
    "sha-512-256" = Sha512_256;
}

fn rows() -> impl Iterator<Item = &'static Row> {
    OVER_AES.iter().chain(OVER_HASH)
}

/// A generator that was found by its name and has no seed yet.
#[derive(Clone, Copy)]
pub struct DrbgAlgorithm(&'static Row);

impl DrbgAlgorithm {
    /// The security strength in bytes.
    pub fn strength(self) -> usize {
        self.0.strength
    }

    /// The lengths in bytes that entropy may have.
    pub fn entropy_lengths(self) -> KeyLengths {
        self.0.entropy
    }

    /// Whether the generator takes a nonce.
    pub fn takes_nonce(self) -> bool {
        self.0.takes_nonce
    }

    /// The name of the kernel that computes the generator on this machine.
    pub fn kernel(self) -> &'static str {
        (self.0.best)()
    }

    /// Makes a generator from entropy, a nonce and a personalisation string:
    /// [`random::drbg::Drbg::new`](crate::random::drbg::Drbg::new) has the rules for them.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`] for entropy of a length that the generator does not take;
    /// [`Error::NonceLength`]; [`Error::MessageLength`] for inputs that are too long;
    /// [`Error::Parameter`], [`Error::Kernel`].
    pub fn with(
        self,
        entropy: &[u8],
        nonce: &[u8],
        personalisation: &[u8],
        options: &Options<'_>,
    ) -> Result<Drbg, Error> {
        if options.parameter.is_some() {
            return Err(Error::Parameter);
        }
        let &Row { new, depth, .. } = self.0;
        let made = new(options, [entropy, nonce, personalisation]);
        wipe::stack(depth.new);
        Ok(Drbg {
            generator: made?,
            depth,
        })
    }
}

impl core::fmt::Debug for DrbgAlgorithm {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("DrbgAlgorithm").field(&self.0.id).finish()
    }
}

/// A generator of NIST SP 800-90A: [`random::drbg`](crate::random::drbg) describes them.
pub struct Drbg {
    generator: Box<dyn Generate>,
    depth: Depth,
}

impl Drbg {
    /// The names of all generators.
    pub fn names() -> impl Iterator<Item = &'static str> {
        rows().map(|row| row.id)
    }

    /// Finds a generator by its name, without a seed.
    ///
    /// # Errors
    ///
    /// [`Error::Name`].
    pub fn find(name: &str) -> Result<DrbgAlgorithm, Error> {
        let row = rows().find(|row| row.id == name);
        row.map(DrbgAlgorithm).ok_or(Error::Name)
    }

    /// The names of the kernels that the generator with this name has in this build.
    ///
    /// # Errors
    ///
    /// [`Error::Name`].
    pub fn kernels(name: &str) -> Result<&'static [&'static str], Error> {
        Ok(Self::find(name)?.0.kernels)
    }

    /// Makes a generator with this name from entropy, a nonce and a personalisation string.
    ///
    /// # Errors
    ///
    /// [`Error::Name`]; the errors of [`DrbgAlgorithm::with`].
    pub fn new(
        name: &str,
        entropy: &[u8],
        nonce: &[u8],
        personalisation: &[u8],
    ) -> Result<Self, Error> {
        Self::find(name)?.with(entropy, nonce, personalisation, &Options::default())
    }

    /// Makes a generator with this name, with entropy and a nonce from the system.
    ///
    /// # Errors
    ///
    /// [`Error::Name`]; [`Error::System`] if the system gives no random bytes;
    /// [`Error::MessageLength`].
    #[cfg(feature = "random")]
    pub fn from_system(name: &str, personalisation: &[u8]) -> Result<Self, Error> {
        let algorithm = Self::find(name)?;
        let entropy = algorithm.0.entropy.min;
        let nonce = if algorithm.0.takes_nonce {
            algorithm.0.strength / 2
        } else {
            0
        };
        drbg::with_system(entropy + nonce, |seed| {
            let (entropy, nonce) = seed.split_at(entropy);
            algorithm.with(entropy, nonce, personalisation, &Options::default())
        })?
    }

    /// Adds entropy and additional input.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`] for entropy of a length that the generator does not take;
    /// [`Error::MessageLength`] for inputs that are too long. Then the state is unchanged.
    pub fn reseed(&mut self, entropy: &[u8], additional: &[u8]) -> Result<(), Error> {
        let result = self.generator.reseed(entropy, additional);
        wipe::stack(self.depth.input);
        Ok(result?)
    }

    /// Fills `output`, of at most 2^16 bytes, with the help of additional input.
    ///
    /// # Errors
    ///
    /// [`Error::OutputLength`]; [`Error::MessageLength`] for additional input that is too long;
    /// [`Error::Order`] if the generator needs [`reseed`](Self::reseed). Then the output and the
    /// state are unchanged.
    #[inline]
    pub fn generate(&mut self, output: &mut [u8], additional: &[u8]) -> Result<(), Error> {
        let result = self.generator.generate(output, additional);
        let Depth {
            longest,
            short,
            long,
            input,
            ..
        } = self.depth;
        let depth = if output.len() <= longest { short } else { long };
        wipe::stack(if additional.is_empty() {
            depth
        } else {
            depth.max(input)
        });
        Ok(result?)
    }

    /// Sets the number of calls of [`generate`](Self::generate) between two seeds, at most 2^48.
    pub fn set_reseed_interval(&mut self, calls: u64) {
        self.generator.set_reseed_interval(calls);
    }
}

impl core::fmt::Debug for Drbg {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Drbg").finish_non_exhaustive()
    }
}
