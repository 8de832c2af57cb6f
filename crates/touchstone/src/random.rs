//! Generators of random bytes.
//!
//! | generator | bytes | use | feature |
//! |---|---|---|---|
//! | `Generator` | seeded by the system, different after a fork | keys, nonces, everything secret | `random` |
//! | [`HmacDrbg`](drbg::HmacDrbg) [`HashDrbg`](drbg::HashDrbg) [`CtrDrbg`](drbg::CtrDrbg) | follow from entropy of the program or of the system | the same where NIST SP 800-90A is required | – |
//! | `Seeded` | follow from a seed, from any position | tests, simulations, data that can be made again | `random` |
//! | `salsar::Salsar` | follow from a seed, as in W. Ehrhardt's unit of this name | old simulations | `random`, `salsa20` |
//!
#![cfg_attr(feature = "random", doc = "```")]
#![cfg_attr(not(feature = "random"), doc = "```ignore")]
//! use touchstone::random::Generator;
//!
//! let mut generator = Generator::new()?;
//! let (mut key, mut nonce) = ([0; 32], [0; 12]);
//! generator.fill(&mut key)?;
//! generator.fill(&mut nonce)?;
//! # assert_ne!(key, [0; 32]);
//! # Ok::<(), touchstone::random::SystemError>(())
//! ```
//!
//! `Generator` is ChaCha20 with fast key erasure, [FKE]: each run of the cipher makes the
//! next key before any output, and `fill` wipes the output in the buffer that it returns. So an
//! attacker who reads the memory of a program cannot compute earlier output. The generator
//! takes new bytes from the system after each MiB of output, and after a fork, so parent and
//! child never give the same output. If a whole machine is copied (a snapshot that is started
//! twice), both copies give the same output until they have taken new bytes. A program that
//! knows of such a copy should call `Generator::reseed`.
//!
//! - [FKE] D. Bernstein: Fast-key-erasure random-number generators, 2017
//!
//! [FKE]: https://blog.cr.yp.to/20170723-random.html

pub mod drbg;
#[cfg(feature = "random")]
mod fork;
#[cfg(feature = "random")]
mod generator;
#[cfg(all(feature = "random", feature = "salsa20"))]
pub mod salsar;
#[cfg(feature = "random")]
mod seeded;

#[cfg(feature = "random")]
pub use generator::{Generator, SystemError};
#[cfg(feature = "random")]
pub use seeded::Seeded;

/// Implements the traits of `rand_core`.
#[cfg(feature = "rand_core")]
macro_rules! rand_core_traits {
    (
        [$($generics:tt)*] $Generator:ty, $Error:ty, |$this:ident, $output:ident| $fill:expr
    ) => {
        impl<$($generics)*> rand_core::TryRng for $Generator {
            type Error = $Error;

            fn try_next_u32(&mut self) -> Result<u32, $Error> {
                let mut bytes = [0; 4];
                self.try_fill_bytes(&mut bytes)?;
                Ok(u32::from_le_bytes(bytes))
            }

            fn try_next_u64(&mut self) -> Result<u64, $Error> {
                let mut bytes = [0; 8];
                self.try_fill_bytes(&mut bytes)?;
                Ok(u64::from_le_bytes(bytes))
            }

            fn try_fill_bytes(&mut self, $output: &mut [u8]) -> Result<(), $Error> {
                let $this = self;
                $fill
            }
        }

        impl<$($generics)*> rand_core::TryCryptoRng for $Generator {}
    };
}
#[cfg(feature = "rand_core")]
use rand_core_traits;
