//! The deterministic random bit generators (DRBGs) of NIST [SP800-90A]: HMAC_DRBG, Hash_DRBG
//! and CTR_DRBG. CTR_DRBG with Triple DES, which NIST has withdrawn, is not here.
//!
//! | type | mechanism | section | over | seed |
//! |---|---|---|---|---|
//! | [`HmacDrbg`] | HMAC_DRBG | 10.1.2 | SHA-1, SHA-2 | – |
//! | [`HashDrbg`] | Hash_DRBG | 10.1.1 | SHA-1, SHA-2 | 55 bytes; 111 for SHA-384 and SHA-512 |
//! | [`CtrDrbg`] | CTR_DRBG | 10.2.1 | AES | 32, 40 or 48 bytes, by the length of the key |
//!
//! ```
//! use touchstone::hash::Sha256;
//! use touchstone::random::drbg::HmacDrbg;
//!
//! # let (entropy, nonce) = ([0x42; 32], [7; 16]);
//! // `entropy` comes from a source of entropy, such as a chip.
//! let mut generator = HmacDrbg::<Sha256>::new(&entropy, &nonce, b"key server 3")?;
//! let mut key = [0; 32];
//! generator.generate(&mut key, b"")?;
//! # Ok::<(), touchstone::random::drbg::DrbgError>(())
//! ```
//!
//! With the feature `random`, `Drbg::from_system` takes the entropy from the system.
//!
//! Output of one call is not output of two calls in pieces: each call changes the state, so that
//! an attacker who reads the state cannot compute earlier output ([SP800-90A] calls this
//! backtracking resistance). Prediction resistance is a call of [`Drbg::reseed`] before a call of
//! [`Drbg::generate`]: the additional input then belongs to `reseed`, §9.3.1.
//!
//! These generators notice no fork: parent and child give the same bytes until one of them gets
//! other entropy or other additional input. The generator `Generator` of [`random`](super) does
//! notice.
//!
//! - [SP800-90A] Recommendation for Random Number Generation Using Deterministic Random Bit
//!   Generators, NIST SP 800-90A Rev. 1, 2015
//!
//! [SP800-90A]: https://doi.org/10.6028/NIST.SP.800-90Ar1

use core::fmt;

use zeroize::ZeroizeOnDrop;

use crate::{Kernel, KeyLengths};

mod ctr;
mod hash;
mod hmac;

pub use ctr::{CtrDrbg, CtrMechanism};
pub use hash::{HashDrbg, HashMechanism};
pub use hmac::{HmacDrbg, HmacMechanism};

/// The most bytes of one call of [`Drbg::generate`]: 2^19 bits, [SP800-90A](self) tables 2 and 3.
pub const MOST_OUTPUT: usize = 1 << 16;

/// The most calls of [`Drbg::generate`] between two seeds, [SP800-90A](self) tables 2 and 3.
pub const RESEED_INTERVAL: u64 = 1 << 48;

/// The most bytes of the inputs of one call together. The standard allows 2^32 bytes for each input,
/// and the derivation function of CTR_DRBG one byte less for all.
const MOST_INPUT: usize = u32::MAX as usize;

/// A mechanism of [SP800-90A](self): what its functions do with the state. [`Drbg`] checks all
/// lengths and counts the calls.
pub trait Mechanism: ZeroizeOnDrop + Sized + sealed::Sealed {
    /// The type of the kernels: implementations for different CPU features.
    #[doc(hidden)]
    type Kernel: Kernel;

    /// The name of the mechanism, for `Debug`.
    #[doc(hidden)]
    const NAME: &'static str;

    /// The security strength in bytes, [SP800-90A](self) tables 2 and 3.
    const STRENGTH: usize;

    /// The lengths in bytes that entropy may have. The entropy must be as hard to guess as as many
    /// random bytes as the shortest length.
    const ENTROPY: KeyLengths;

    /// Whether the mechanism takes a nonce.
    const TAKES_NONCE: bool;

    /// The most bytes of a personalisation string and of additional input.
    const MOST_ADDITIONAL: usize;

    /// Makes the first state.
    #[doc(hidden)]
    fn instantiate(
        kernel: Self::Kernel,
        entropy: &[u8],
        nonce: &[u8],
        personalisation: &[u8],
    ) -> Self;

    /// Adds entropy and additional input to the state.
    #[doc(hidden)]
    fn reseed(&mut self, entropy: &[u8], additional: &[u8]);

    /// Fills the output, and changes the state. `counter` is 1 for the first call after a seed.
    #[doc(hidden)]
    fn generate(&mut self, counter: u64, output: &mut [u8], additional: &[u8]);
}

mod sealed {
    pub trait Sealed {}
}

/// A generator of [SP800-90A](self). [`HmacDrbg`], [`HashDrbg`] and [`CtrDrbg`] are names for the
/// generators of each mechanism. A generator cannot be cloned, because the copy would give the same
/// bytes.
pub struct Drbg<M: Mechanism> {
    mechanism: M,
    /// The number of calls since the last seed, plus one: the standard's `reseed_counter`.
    counter: u64,
    interval: u64,
}

impl<M: Mechanism> Drbg<M> {
    /// Makes a generator: the function Instantiate of [SP800-90A](self) §9.1, with the highest
    /// security strength of the mechanism.
    ///
    /// The entropy has at least [`Mechanism::STRENGTH`] bytes, or exactly as many as the seed for
    /// CTR_DRBG without a derivation function, and comes from a source of entropy. The nonce is
    /// random and half as long as the strength, or does not repeat more often than such a random
    /// number would, §8.6.7; CTR_DRBG without a derivation function takes none. The personalisation
    /// string may be empty. It is not secret, and should differ from generator to generator.
    ///
    /// # Errors
    ///
    /// [`DrbgError::EntropyLength`], [`DrbgError::NonceLength`], [`DrbgError::InputLength`].
    pub fn new(entropy: &[u8], nonce: &[u8], personalisation: &[u8]) -> Result<Self, DrbgError> {
        Self::with_kernel(M::Kernel::best(), entropy, nonce, personalisation)
    }

    /// Makes a generator with the given kernel; for tests and measurements.
    #[doc(hidden)]
    pub fn with_kernel(
        kernel: M::Kernel,
        entropy: &[u8],
        nonce: &[u8],
        personalisation: &[u8],
    ) -> Result<Self, DrbgError> {
        Self::check_entropy(entropy)?;
        if !M::TAKES_NONCE && !nonce.is_empty() {
            return Err(DrbgError::NonceLength { given: nonce.len() });
        }
        Self::check_additional(personalisation)?;
        check_all(&[entropy, nonce, personalisation])?;
        Ok(Self {
            mechanism: M::instantiate(kernel, entropy, nonce, personalisation),
            counter: 1,
            interval: RESEED_INTERVAL,
        })
    }

    /// Makes a generator with entropy and a nonce from the system.
    ///
    /// # Errors
    ///
    /// [`DrbgError::System`] if the system gives no random bytes; [`DrbgError::InputLength`].
    #[cfg(feature = "random")]
    pub fn from_system(personalisation: &[u8]) -> Result<Self, DrbgError> {
        let nonce = if M::TAKES_NONCE { M::STRENGTH / 2 } else { 0 };
        with_system(M::ENTROPY.min + nonce, |seed| {
            let (entropy, nonce) = seed.split_at(M::ENTROPY.min);
            Self::new(entropy, nonce, personalisation)
        })?
    }

    /// Adds entropy: the function Reseed of [SP800-90A](self) §9.2. The entropy has the length that
    /// [`new`](Self::new) takes. The additional input may be empty.
    ///
    /// # Errors
    ///
    /// [`DrbgError::EntropyLength`], [`DrbgError::InputLength`]; then the state is unchanged.
    pub fn reseed(&mut self, entropy: &[u8], additional: &[u8]) -> Result<(), DrbgError> {
        Self::check_entropy(entropy)?;
        Self::check_additional(additional)?;
        check_all(&[entropy, additional])?;
        self.mechanism.reseed(entropy, additional);
        self.counter = 1;
        Ok(())
    }

    /// Adds entropy from the system.
    ///
    /// # Errors
    ///
    /// [`DrbgError::System`], [`DrbgError::InputLength`]; then the state is unchanged.
    #[cfg(feature = "random")]
    pub fn reseed_from_system(&mut self, additional: &[u8]) -> Result<(), DrbgError> {
        with_system(M::ENTROPY.min, |entropy| self.reseed(entropy, additional))?
    }

    /// Fills `output`: the function Generate of [SP800-90A](self) §9.3. The additional input may be
    /// empty.
    ///
    /// # Errors
    ///
    /// [`DrbgError::OutputLength`] for more than [`MOST_OUTPUT`] bytes; [`DrbgError::InputLength`];
    /// [`DrbgError::ReseedNeeded`] if the generator needs new entropy. Then the output and the state
    /// are unchanged.
    #[inline]
    pub fn generate(&mut self, output: &mut [u8], additional: &[u8]) -> Result<(), DrbgError> {
        if output.len() > MOST_OUTPUT {
            let given = output.len();
            return Err(DrbgError::OutputLength { given });
        }
        Self::check_additional(additional)?;
        if self.counter > self.interval {
            return Err(DrbgError::ReseedNeeded);
        }
        self.mechanism.generate(self.counter, output, additional);
        self.counter += 1;
        Ok(())
    }

    /// Sets the number of calls of [`generate`](Self::generate) between two seeds. At first it is
    /// [`RESEED_INTERVAL`], and it never becomes higher.
    pub fn set_reseed_interval(&mut self, calls: u64) {
        self.interval = calls.min(RESEED_INTERVAL);
    }

    fn check_entropy(entropy: &[u8]) -> Result<(), DrbgError> {
        let wanted = M::ENTROPY;
        if wanted.contains(entropy.len()) {
            Ok(())
        } else {
            let given = entropy.len();
            Err(DrbgError::EntropyLength { given, wanted })
        }
    }

    #[inline]
    fn check_additional(input: &[u8]) -> Result<(), DrbgError> {
        if input.len() <= M::MOST_ADDITIONAL {
            Ok(())
        } else {
            Err(DrbgError::InputLength)
        }
    }
}

/// Refuses inputs that are together too long.
fn check_all(inputs: &[&[u8]]) -> Result<(), DrbgError> {
    let sum = inputs
        .iter()
        .try_fold(0usize, |sum, input| sum.checked_add(input.len()));
    match sum {
        Some(sum) if sum <= MOST_INPUT => Ok(()),
        _ => Err(DrbgError::InputLength),
    }
}

/// Calls a function with bytes of the system, at most as many as the longest seed and nonce have.
#[cfg(feature = "random")]
pub(crate) fn with_system<T>(length: usize, call: impl FnOnce(&[u8]) -> T) -> Result<T, DrbgError> {
    let mut room = [0; 64];
    let seed = &mut room[..length];
    getrandom::fill(seed).map_err(|_| DrbgError::System)?;
    let result = call(seed);
    crate::wipe::wipe(&mut room, 0);
    Ok(result)
}

/// Prints only the name of the mechanism.
impl<M: Mechanism> fmt::Debug for Drbg<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(M::NAME).finish_non_exhaustive()
    }
}

impl<M: Mechanism> ZeroizeOnDrop for Drbg<M> {}

#[cfg(feature = "rand_core")]
super::rand_core_traits!([M: Mechanism] Drbg<M>, DrbgError, |this, output| {
    let mut pieces = output.chunks_mut(MOST_OUTPUT);
    pieces.try_for_each(|piece| this.generate(piece, &[]))
});

/// The errors of a [`Drbg`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DrbgError {
    /// The mechanism does not take entropy of this length. Entropy that is shorter than the security
    /// strength would make output that can be guessed.
    EntropyLength {
        /// The length of the refused entropy in bytes.
        given: usize,
        /// The lengths that the mechanism takes.
        wanted: KeyLengths,
    },
    /// The mechanism takes no nonce.
    NonceLength {
        /// The length of the refused nonce in bytes.
        given: usize,
    },
    /// The personalisation string or the additional input is too long, or all inputs together are.
    InputLength,
    /// The output of one call has more bytes than [`MOST_OUTPUT`].
    OutputLength {
        /// The length of the output in bytes.
        given: usize,
    },
    /// The generator has been called as often as one seed allows, and needs [`Drbg::reseed`].
    ReseedNeeded,
    /// The system gave no random bytes.
    System,
}

impl fmt::Display for DrbgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EntropyLength { given, wanted } => {
                write!(f, "entropy of {given} bytes, not {wanted}")
            }
            Self::NonceLength { given } => {
                write!(f, "a nonce of {given} bytes, and the generator takes none")
            }
            Self::InputLength => f.write_str("the inputs of the generator are too long"),
            Self::OutputLength { given } => {
                write!(f, "an output of {given} bytes, more than {MOST_OUTPUT}")
            }
            Self::ReseedNeeded => f.write_str("the generator needs new entropy"),
            Self::System => f.write_str("the system gave no random bytes"),
        }
    }
}

impl core::error::Error for DrbgError {}
