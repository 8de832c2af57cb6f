//! The trait of all algorithms with a key.

use crate::kernel::Kernel;
use crate::key_length::{InvalidKeyLength, KeyLengths};

/// An algorithm that is set up with a key.
pub trait Keyed: Sized {
    /// The type that chooses among this algorithm's implementations.
    #[doc(hidden)]
    type Kernel: Kernel;

    /// The key lengths that this algorithm takes, in bytes.
    const KEY_LENGTHS: KeyLengths;

    /// Sets a key up for the fastest kernel that this machine can run.
    fn new(key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::with_kernel(Self::Kernel::best(), key)
    }

    /// Sets a key up for the given kernel; for tests and measurements.
    #[doc(hidden)]
    fn with_kernel(kernel: Self::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength>;

    /// Replaces this key by another one, as [`new`](Self::new) sets it up. A parameter
    /// beyond the key, as in [`KeyedWith`], goes back to its usual value. `rekey` is
    /// faster than a new object, because it does not move the object. After an error the
    /// old key remains.
    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        *self = Self::with_kernel(self.kernel_in_use(), key)?;
        Ok(())
    }

    /// The kernel for which this key was set up.
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

/// An algorithm with a parameter besides the key: RC2's effective bits, RC5's rounds, or
/// the S-boxes of GOST 28147-89. [`Keyed::new`] gives the parameter its usual value.
///
/// The parameter has a type of its own that can hold valid values only, so a wrong key
/// length remains the only possible error.
pub trait KeyedWith: Keyed {
    /// The type of the parameter.
    type Parameter: Clone;

    /// Sets a key up with a parameter, for the fastest kernel that this machine can run.
    fn new_with(parameter: Self::Parameter, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::with_kernel_and(Self::Kernel::best(), parameter, key)
    }

    /// Sets a key up with a parameter, for the given kernel; for tests and measurements.
    #[doc(hidden)]
    fn with_kernel_and(
        kernel: Self::Kernel,
        parameter: Self::Parameter,
        key: &[u8],
    ) -> Result<Self, InvalidKeyLength>;
}
