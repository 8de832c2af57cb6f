//! Writes the traits of a block cipher that has a portable form and no other kernel.

/// Writes the traits of a block cipher from its methods `forwards` and `backwards`, which encrypt
/// and decrypt a block. The cipher's type must have a field `kernel`.
macro_rules! portable_cipher {
    ($Cipher:ident, $Block:ty) => {
        $crate::kernel::kernels! {
            #[doc = concat!("How ", stringify!($Cipher), " is computed.")]
            enum Kernel {}
        }

        impl $crate::BlockCipher for $Cipher {
            type Block = $Block;
        }

        impl $crate::fuse::Sealed for $Cipher {}

        impl $crate::BlockEncrypt for $Cipher {
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

        impl $crate::FusedEncrypt for $Cipher {}

        impl $crate::BlockDecrypt for $Cipher {
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

        impl $crate::FusedDecrypt for $Cipher {}
    };
}
pub(crate) use portable_cipher;
