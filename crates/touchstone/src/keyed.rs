//! The trait of all algorithms with a key.

use crate::byte_array::ByteArray;
use crate::kernel::Kernel;
use crate::key_length::{InvalidKeyLength, KeyLengths};

/// An algorithm that is set up with a key.
pub trait Keyed: Sized {
    /// The type of the kernels: implementations of this algorithm for different CPU features.
    #[doc(hidden)]
    type Kernel: Kernel;

    /// The key lengths that this algorithm accepts, in bytes.
    const KEY_LENGTHS: KeyLengths;

    /// Sets up a key for the fastest kernel that this machine can run. If the length of the key
    /// is known at compile time, use [`FixedKey::new`], which cannot fail.
    ///
    /// # Errors
    ///
    /// [`InvalidKeyLength`] if the key's length is not one of
    /// [`KEY_LENGTHS`](Self::KEY_LENGTHS).
    fn from_slice(key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::with_kernel(Self::Kernel::best(), key)
    }

    /// Sets up a key for the given kernel; for tests and measurements.
    #[doc(hidden)]
    fn with_kernel(kernel: Self::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength>;

    /// Replaces the key of this object, as [`from_slice`](Self::from_slice) sets up a key. A
    /// parameter besides the key, as in [`KeyedWith`], gets its usual value again. `rekey` is
    /// faster than a new object, because it does not move the object in memory. After an error
    /// the object keeps its old key.
    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        *self = Self::with_kernel(self.kernel_in_use(), key)?;
        Ok(())
    }

    /// Returns the kernel for which this key was set up.
    #[doc(hidden)]
    fn kernel_in_use(&self) -> Self::Kernel;

    /// Returns the name of the kernel that computes this algorithm with this key, such as
    /// `"vaes512"` or `"portable"`. The page of each algorithm lists its kernels.
    fn kernel(&self) -> &'static str {
        self.kernel_in_use().name()
    }

    /// Returns the name of the kernel that [`from_slice`](Self::from_slice) chooses on this
    /// machine.
    fn best_kernel() -> &'static str {
        Self::Kernel::best().name()
    }
}

/// A type whose objects can exist before they have a key, so that an object on the heap gets its key
/// there. An object that is made elsewhere and moved to the heap takes longer: the copy of round keys that
/// were just stored waits for the stores, and leaves the round keys on the stack.
#[cfg(all(feature = "dynamic", feature = "aes"))]
pub(crate) trait Unkeyed: Keyed {
    /// Makes an object whose key is all zeros and unusable, until [`Keyed::rekey`] sets the first one up.
    fn unkeyed(kernel: Self::Kernel) -> Self;
}

/// An algorithm whose keys are arrays of one length, so that the compiler checks the length. If
/// a cipher accepts several lengths, the array has the usual length: 32 bytes for ChaCha20.
///
/// ```
/// use touchstone::block::Aes256;
/// use touchstone::{FixedKey, Keyed};
///
/// let key = [0x42; 32];
/// let cipher = Aes256::new(&key);
///
/// // The compiler does not know the length of this key:
/// let read_from_a_file: &[u8] = &key[..31];
/// assert!(Aes256::from_slice(read_from_a_file).is_err());
/// ```
pub trait FixedKey: Keyed {
    /// The type of the key, an array of bytes.
    type Key: ByteArray;

    /// Sets up a key for the fastest kernel that this machine can run.
    #[inline]
    fn new(key: &Self::Key) -> Self {
        const { assert!(Self::KEY_LENGTHS.contains(Self::Key::LENGTH)) };
        right_length(Self::from_slice(key.as_ref()))
    }

    /// Returns a random key.
    ///
    /// ```
    /// # #[derive(Clone)] struct Rng(u8);
    /// # impl rand_core::TryRng for Rng {
    /// #     type Error = core::convert::Infallible;
    /// #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { Ok(4) }
    /// #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { Ok(4) }
    /// #     fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
    /// #         bytes.fill(self.0);
    /// #         Ok(())
    /// #     }
    /// # }
    /// # impl rand_core::TryCryptoRng for Rng {}
    /// # let mut rng = Rng(4);
    /// use touchstone::aead::Aes256Gcm;
    /// use touchstone::{Aead, FixedKey};
    ///
    /// // `rng` is a generator of the crate `rand`, for example.
    /// let key = Aes256Gcm::generate_key(&mut rng);
    /// let nonce = Aes256Gcm::generate_nonce(&mut rng);
    /// let tag = Aes256Gcm::new(&key).encrypt(&nonce, b"", &mut [])?;
    /// # Ok::<(), touchstone::AeadError>(())
    /// ```
    #[cfg(feature = "rand_core")]
    fn generate_key<R: rand_core::CryptoRng + ?Sized>(rng: &mut R) -> Self::Key {
        Self::Key::random(rng)
    }

    /// Sets up a key with a parameter, for the fastest kernel that this machine can run.
    #[inline]
    fn new_with(parameter: Self::Parameter, key: &Self::Key) -> Self
    where
        Self: KeyedWith,
    {
        const { assert!(Self::KEY_LENGTHS.contains(Self::Key::LENGTH)) };
        right_length(Self::from_slice_with(parameter, key.as_ref()))
    }
}

/// Writes `new` as a function of the types themselves, which calls [`FixedKey::new`]. The
/// compiler prefers a function of the type to a function of a trait. So `new` is never
/// ambiguous, even if a program imports another trait with a function of this name.
macro_rules! with_new {
    ($($(#[$cfg:meta])* [$($generics:tt)*] $Type:ty;)*) => {$(
        $(#[$cfg])*
        impl<$($generics)*> $Type {
            /// Sets up a key for the fastest kernel that this machine can run. Generic code
            /// calls [`FixedKey::new`](crate::FixedKey::new).
            #[inline]
            pub fn new(key: &<Self as crate::FixedKey>::Key) -> Self {
                crate::FixedKey::new(key)
            }
        }
    )*};
}
pub(crate) use with_new;

/// Writes the key set-up of types that have a block cipher `C` in a field. Such a type must
/// have two functions. `with_cipher` makes the type from a cipher. `rekey_by` replaces the
/// cipher's key and computes the values that the type derives from the cipher.
macro_rules! keyed_by_cipher {
    ($([$($generics:tt)*] $Type:ty, $field:tt;)*) => {$(
        impl<$($generics)*> $crate::FixedKey for $Type
        where
            C: $crate::FixedKey,
        {
            type Key = C::Key;
        }

        impl<$($generics)*> $crate::Keyed for $Type
        where
            C: $crate::Keyed,
        {
            type Kernel = C::Kernel;
            const KEY_LENGTHS: $crate::KeyLengths = C::KEY_LENGTHS;

            #[inline]
            fn with_kernel(
                kernel: C::Kernel,
                key: &[u8],
            ) -> Result<Self, $crate::InvalidKeyLength> {
                C::with_kernel(kernel, key).map(Self::with_cipher)
            }

            #[inline]
            fn rekey(&mut self, key: &[u8]) -> Result<(), $crate::InvalidKeyLength> {
                self.rekey_by(|cipher| cipher.rekey(key))
            }

            fn kernel_in_use(&self) -> C::Kernel {
                self.$field.kernel_in_use()
            }
        }

        impl<$($generics)*> zeroize::ZeroizeOnDrop for $Type where C: zeroize::ZeroizeOnDrop {}
    )*};
}
pub(crate) use keyed_by_cipher;

/// Returns the object of a key whose length is right, so that no error is possible.
#[inline(always)]
fn right_length<T>(keyed: Result<T, InvalidKeyLength>) -> T {
    match keyed {
        Ok(keyed) => keyed,
        Err(_) => unreachable!("`KEY_LENGTHS` contains the length of the array"),
    }
}

/// An algorithm with a parameter besides the key: the effective bits of RC2, the rounds of RC5,
/// or the S-boxes of GOST 28147-89. [`Keyed::from_slice`] gives the parameter its usual value.
///
/// The type of the parameter can contain valid values only, so a wrong length of the key is the
/// only possible error.
pub trait KeyedWith: Keyed {
    /// The type of the parameter.
    type Parameter: Clone;

    /// Sets up a key with a parameter, for the fastest kernel that this machine can run.
    ///
    /// # Errors
    ///
    /// [`InvalidKeyLength`] if the key's length is not one of
    /// [`KEY_LENGTHS`](Keyed::KEY_LENGTHS).
    fn from_slice_with(parameter: Self::Parameter, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::with_kernel_and(Self::Kernel::best(), parameter, key)
    }

    /// Sets up a key with a parameter, for the given kernel; for tests and measurements.
    #[doc(hidden)]
    fn with_kernel_and(
        kernel: Self::Kernel,
        parameter: Self::Parameter,
        key: &[u8],
    ) -> Result<Self, InvalidKeyLength>;

    /// [`Keyed::rekey`] with a parameter.
    #[doc(hidden)]
    fn rekey_and(
        &mut self,
        parameter: Self::Parameter,
        key: &[u8],
    ) -> Result<(), InvalidKeyLength> {
        *self = Self::with_kernel_and(self.kernel_in_use(), parameter, key)?;
        Ok(())
    }
}
