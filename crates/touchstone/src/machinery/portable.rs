//! Writes the traits of a block cipher that has a portable form and no other kernel.

/// Writes the traits of a block cipher from its methods `forwards` and `backwards`, which
/// encrypt and decrypt a block. The cipher's type must have a field `kernel`. If the type has
/// generic parameters, they are the first argument, in brackets.
macro_rules! portable_cipher {
    ($Cipher:ident, $Block:ty) => {
        $crate::machinery::portable::portable_cipher!([] $Cipher, $Block);
    };
    ([$($generics:tt)*] $Cipher:ty, $Block:ty) => {
        $crate::kernel::kernels! {
            #[doc = concat!("How `", stringify!($Cipher), "` is computed.")]
            enum Kernel {}
        }

        $crate::machinery::portable::portable_blocks!([$($generics)*] $Cipher, $Block, fours);
    };
}
pub(crate) use portable_cipher;

/// [`portable_cipher!`] without the list of kernels, for a file with several sizes of blocks. The
/// last argument is the function of [`groups`](super::groups) that calls the methods.
macro_rules! portable_blocks {
    ([$($generics:tt)*] $Cipher:ty, $Block:ty, $group:ident) => {
        impl<$($generics)*> $crate::BlockCipher for $Cipher {
            type Block = $Block;
        }

        impl<$($generics)*> $crate::fuse::Sealed for $Cipher {}

        impl<$($generics)*> $crate::BlockEncrypt for $Cipher {
            #[inline]
            fn encrypt_blocks(&self, blocks: $crate::InOutBuf<'_, '_, $Block>) {
                let one = |block| self.forwards(block);
                match self.kernel {
                    Kernel::Portable => $crate::machinery::groups::$group(blocks, one),
                }
            }
        }

        impl<$($generics)*> $crate::FusedEncrypt for $Cipher {}

        impl<$($generics)*> $crate::BlockDecrypt for $Cipher {
            #[inline]
            fn decrypt_blocks(&self, blocks: $crate::InOutBuf<'_, '_, $Block>) {
                let one = |block| self.backwards(block);
                match self.kernel {
                    Kernel::Portable => $crate::machinery::groups::$group(blocks, one),
                }
            }
        }

        impl<$($generics)*> $crate::FusedDecrypt for $Cipher {}
    };
}
pub(crate) use portable_blocks;

/// [`portable_blocks!`] for a cipher with methods `forwards_all` and `backwards_all`, which take an
/// array of blocks. The last argument is the number of blocks of a group.
macro_rules! portable_groups {
    ([$($generics:tt)*] $Cipher:ty, $Block:ty, $group:literal) => {
        impl<$($generics)*> $crate::BlockCipher for $Cipher {
            type Block = $Block;
        }

        impl<$($generics)*> $crate::fuse::Sealed for $Cipher {}

        impl<$($generics)*> $crate::BlockEncrypt for $Cipher {
            #[inline]
            fn encrypt_blocks(&self, blocks: $crate::InOutBuf<'_, '_, $Block>) {
                match self.kernel {
                    Kernel::Portable => $crate::machinery::groups::and_pairs::<$group, _>(
                        blocks,
                        |group| self.forwards_all(group),
                        |pair| self.forwards_all(pair),
                        |block| self.forwards_all([block])[0],
                    ),
                }
            }
        }

        impl<$($generics)*> $crate::FusedEncrypt for $Cipher {}

        impl<$($generics)*> $crate::BlockDecrypt for $Cipher {
            #[inline]
            fn decrypt_blocks(&self, blocks: $crate::InOutBuf<'_, '_, $Block>) {
                match self.kernel {
                    Kernel::Portable => $crate::machinery::groups::and_pairs::<$group, _>(
                        blocks,
                        |group| self.backwards_all(group),
                        |pair| self.backwards_all(pair),
                        |block| self.backwards_all([block])[0],
                    ),
                }
            }
        }

        impl<$($generics)*> $crate::FusedDecrypt for $Cipher {}
    };
}
pub(crate) use portable_groups;
