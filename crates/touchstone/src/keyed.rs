//! What every algorithm with a key has in common.

use crate::kernel::Kernel;
use crate::key_length::{InvalidKeyLength, KeyLengths};

/// An algorithm that is set up with a key.
pub trait Keyed: Sized {
    /// The ways in which this algorithm can be computed here.
    #[doc(hidden)]
    type Kernel: Kernel;

    /// Lengths of the keys that it takes.
    const KEY_LENGTHS: KeyLengths;

    /// Sets a key up, for the fastest kernel that this machine has.
    fn new(key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::with_kernel(Self::Kernel::best(), key)
    }

    /// Sets a key up for one kernel; for tests and measurements.
    #[doc(hidden)]
    fn with_kernel(kernel: Self::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength>;

    /// Sets another key up in the place of this one, as [`new`](Self::new) does; a
    /// parameter beyond the key has its usual value then. Faster than a new object, because
    /// nothing is moved. An error leaves everything as it is.
    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        *self = Self::with_kernel(self.kernel_in_use(), key)?;
        Ok(())
    }

    /// The kernel that this key was set up for.
    #[doc(hidden)]
    fn kernel_in_use(&self) -> Self::Kernel;

    /// The name of the kernel that computes this algorithm with this key, such as
    /// `"vaes512"` or `"portable"`. The page of each algorithm lists its kernels.
    fn kernel(&self) -> &'static str {
        self.kernel_in_use().name()
    }

    /// The name of the kernel that [`new`](Self::new) chooses on this machine.
    fn best_kernel() -> &'static str {
        Self::Kernel::best().name()
    }
}

/// An algorithm with a parameter beyond the key, to which [`Keyed::new`] gives
/// its usual value: RC2's effective bits, RC5's rounds, the S-boxes of GOST
/// 28147-89.
///
/// A parameter is a type of its own that has right values only, so here as there
/// nothing but the length of the key can be wrong.
pub trait KeyedWith: Keyed {
    /// What is to be chosen.
    type Parameter: Clone;

    /// Sets a key up, for the fastest kernel that this machine has.
    fn new_with(parameter: Self::Parameter, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::with_kernel_and(Self::Kernel::best(), parameter, key)
    }

    /// Sets a key up for one kernel; for tests and measurements.
    #[doc(hidden)]
    fn with_kernel_and(
        kernel: Self::Kernel,
        parameter: Self::Parameter,
        key: &[u8],
    ) -> Result<Self, InvalidKeyLength>;
}
