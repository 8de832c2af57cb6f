//! Makes a cipher for both directions from two types: one type encrypts, the other type
//! decrypts.

/// A block cipher in both directions, which is made of a type that encrypts and a type that
/// decrypts. The ciphers of this crate have types of their own.
#[derive(Clone)]
pub struct Both<E, D> {
    encrypt: E,
    decrypt: D,
}

impl<E, D> Both<E, D> {
    /// Joins a type that encrypts and a type that decrypts. Both must have the same key.
    pub fn of(encrypt: E, decrypt: D) -> Self {
        Self { encrypt, decrypt }
    }

    /// Returns both parts, so that the caller can replace the key of each.
    #[cfg(feature = "dynamic")]
    pub(crate) fn parts_mut(&mut self) -> (&mut E, &mut D) {
        (&mut self.encrypt, &mut self.decrypt)
    }
}

/// The decrypting half of a cipher, which can be made from the encrypting half with the same
/// key.
pub(crate) trait InverseOf<E>: for<'e> From<&'e E> {
    /// Replaces the key of this half by the key of `forward`.
    #[inline]
    fn follow(&mut self, forward: &E) {
        *self = Self::from(forward);
    }
}

/// Writes the types of ciphers that have a type for each direction.
macro_rules! both {
    ($(
        $(#[$meta:meta])*
        $Both:ident $(<const $N:ident: usize>)? = $Encrypt:ty, $Decrypt:ty;
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $Both$(<const $N: usize>)? {
            pub(crate) encrypt: $Encrypt,
            pub(crate) decrypt: $Decrypt,
        }

        $crate::machinery::both::directions!(
            [$(const $N: usize)?] $Both$(<$N>)?, $Encrypt, $Decrypt
        );

        impl$(<const $N: usize>)? $crate::Keyed for $Both$(<$N>)? {
            type Kernel = <$Encrypt as $crate::Keyed>::Kernel;
            const KEY_LENGTHS: $crate::KeyLengths = <$Encrypt as $crate::Keyed>::KEY_LENGTHS;

            #[inline]
            fn with_kernel(
                kernel: Self::Kernel,
                key: &[u8],
            ) -> Result<Self, $crate::InvalidKeyLength> {
                let encrypt = <$Encrypt as $crate::Keyed>::with_kernel(kernel, key)?;
                let decrypt = <$Decrypt>::from(&encrypt);
                Ok(Self { encrypt, decrypt })
            }

            #[inline]
            fn rekey(&mut self, key: &[u8]) -> Result<(), $crate::InvalidKeyLength> {
                $crate::Keyed::rekey(&mut self.encrypt, key)?;
                $crate::machinery::both::InverseOf::follow(&mut self.decrypt, &self.encrypt);
                Ok(())
            }

            fn kernel_in_use(&self) -> Self::Kernel {
                $crate::Keyed::kernel_in_use(&self.encrypt)
            }
        }
    )*};
}
pub(crate) use both;

/// Implements the traits of a block cipher for a type with the fields `encrypt` and `decrypt`.
macro_rules! directions {
    ([$($generics:tt)*] $Both:ty, $Encrypt:ty, $Decrypt:ty) => {
        #[allow(trivial_bounds, reason = "only `Both` is generic over its halves")]
        const _: () = {
            use $crate::cipher::{BlockCipher, BlockDecrypt, BlockEncrypt};
            use $crate::fuse::forward::{decrypt_methods, encrypt_methods};
            use $crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
            use $crate::InOutBuf;

            /// Prints the name of the cipher, which is the same for both directions.
            impl<$($generics)*> core::fmt::Debug for $Both
            where
                $Encrypt: core::fmt::Debug,
            {
                fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    self.encrypt.fmt(f)
                }
            }

            impl<$($generics)*> BlockCipher for $Both
            where
                $Encrypt: BlockCipher,
            {
                type Block = <$Encrypt as BlockCipher>::Block;
            }

            impl<$($generics)*> BlockEncrypt for $Both
            where
                $Encrypt: BlockEncrypt,
            {
                #[inline]
                fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Self::Block>) {
                    self.encrypt.encrypt_blocks(blocks);
                }

                #[inline]
                fn encrypt_block(&self, block: &mut Self::Block) {
                    self.encrypt.encrypt_block(block);
                }
            }

            impl<$($generics)*> BlockDecrypt for $Both
            where
                $Encrypt: BlockCipher,
                $Decrypt: BlockDecrypt<Block = <$Encrypt as BlockCipher>::Block>,
            {
                #[inline]
                fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Self::Block>) {
                    self.decrypt.decrypt_blocks(blocks);
                }

                #[inline]
                fn decrypt_block(&self, block: &mut Self::Block) {
                    self.decrypt.decrypt_block(block);
                }
            }

            impl<$($generics)*> Sealed for $Both {}

            impl<$($generics)*> FusedEncrypt for $Both
            where
                $Encrypt: FusedEncrypt,
            {
                encrypt_methods!(|both| both.encrypt);
            }

            impl<$($generics)*> FusedDecrypt for $Both
            where
                $Encrypt: BlockCipher,
                $Decrypt: FusedDecrypt<Block = <$Encrypt as BlockCipher>::Block>,
            {
                decrypt_methods!(|both| both.decrypt);
            }

            impl<$($generics)*> zeroize::ZeroizeOnDrop for $Both
            where
                $Encrypt: zeroize::ZeroizeOnDrop,
                $Decrypt: zeroize::ZeroizeOnDrop,
            {
            }
        };
    };
}
pub(crate) use directions;

directions!([E, D] Both<E, D>, E, D);
