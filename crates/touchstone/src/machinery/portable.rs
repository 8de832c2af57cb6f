//! Writes the traits of a block cipher that has a portable form and no other kernel.

/// Writes the traits of a block cipher from its methods `forwards` and `backwards`, which encrypt
/// and decrypt a block. The cipher's type must have a field `kernel`; its generic parameters stand
/// before it.
macro_rules! portable_cipher {
    ($Cipher:ident, $Block:ty) => {
        $crate::machinery::portable::portable_cipher!([] $Cipher, $Block);
    };
    ([$($generics:tt)*] $Cipher:ty, $Block:ty) => {
        $crate::kernel::kernels! {
            #[doc = concat!("How `", stringify!($Cipher), "` is computed.")]
            enum Kernel {}
        }

        impl<$($generics)*> $crate::BlockCipher for $Cipher {
            type Block = $Block;
        }

        impl<$($generics)*> $crate::fuse::Sealed for $Cipher {}

        impl<$($generics)*> $crate::BlockEncrypt for $Cipher {
            #[inline]
            fn encrypt_blocks(&self, blocks: $crate::InOutBuf<'_, '_, $Block>) {
                let one = |block| self.forwards(block);
                match self.kernel {
                    Kernel::Portable => $crate::machinery::groups::and_singles(
                        blocks,
                        |four: [$Block; 4]| four.map(one),
                        one,
                    ),
                }
            }
        }

        impl<$($generics)*> $crate::FusedEncrypt for $Cipher {}

        impl<$($generics)*> $crate::BlockDecrypt for $Cipher {
            #[inline]
            fn decrypt_blocks(&self, blocks: $crate::InOutBuf<'_, '_, $Block>) {
                let one = |block| self.backwards(block);
                match self.kernel {
                    Kernel::Portable => $crate::machinery::groups::and_singles(
                        blocks,
                        |four: [$Block; 4]| four.map(one),
                        one,
                    ),
                }
            }
        }

        impl<$($generics)*> $crate::FusedDecrypt for $Cipher {}
    };
}
pub(crate) use portable_cipher;
