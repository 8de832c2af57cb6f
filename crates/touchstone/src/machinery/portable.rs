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
        $crate::machinery::portable::portable_traits!(
            [$($generics)*] $Cipher, $Block, |cipher, blocks|
            $crate::machinery::groups::$group(blocks, |block| cipher.forwards(block)),
            $crate::machinery::groups::$group(blocks, |block| cipher.backwards(block))
        );
    };
}
pub(crate) use portable_blocks;

/// [`portable_blocks!`] for a cipher with methods `forwards_all` and `backwards_all`, which take an
/// array of blocks. The last argument is the number of blocks of a group.
macro_rules! portable_groups {
    ([$($generics:tt)*] $Cipher:ty, $Block:ty, $group:literal) => {
        $crate::machinery::portable::portable_traits!(
            [$($generics)*] $Cipher, $Block, |cipher, blocks|
            $crate::machinery::groups::and_pairs::<$group, _>(
                blocks,
                |group| cipher.forwards_all(group),
                |pair| cipher.forwards_all(pair),
                |block| cipher.forwards_all([block])[0],
            ),
            $crate::machinery::groups::and_pairs::<$group, _>(
                blocks,
                |group| cipher.backwards_all(group),
                |pair| cipher.backwards_all(pair),
                |block| cipher.backwards_all([block])[0],
            )
        );
    };
}
pub(crate) use portable_groups;

/// Writes the traits from the code that encrypts and the code that decrypts blocks.
macro_rules! portable_traits {
    (
        [$($generics:tt)*] $Cipher:ty, $Block:ty, |$cipher:ident, $blocks:ident|
        $encrypt:expr, $decrypt:expr
    ) => {
        impl<$($generics)*> $crate::BlockCipher for $Cipher {
            type Block = $Block;
        }

        impl<$($generics)*> $crate::fuse::Sealed for $Cipher {}

        impl<$($generics)*> $crate::BlockEncrypt for $Cipher {
            #[inline]
            fn encrypt_blocks(&self, $blocks: $crate::InOutBuf<'_, '_, $Block>) {
                let ($cipher, Kernel::Portable) = (self, self.kernel);
                $encrypt
            }
        }

        impl<$($generics)*> $crate::FusedEncrypt for $Cipher {}

        impl<$($generics)*> $crate::BlockDecrypt for $Cipher {
            #[inline]
            fn decrypt_blocks(&self, $blocks: $crate::InOutBuf<'_, '_, $Block>) {
                let ($cipher, Kernel::Portable) = (self, self.kernel);
                $decrypt
            }
        }

        impl<$($generics)*> $crate::FusedDecrypt for $Cipher {}
    };
}
pub(crate) use portable_traits;
