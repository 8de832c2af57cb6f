//! Writes the traits of a cipher that has [`sliced`](super::sliced) kernels. The code decides
//! which function computes which blocks. A kernel computes a call that has at least as many
//! blocks as the kernel's threshold, even if most lanes are empty. The portable form computes
//! shorter calls, and each mode in which a block depends on the block before.

/// Writes the traits of a block cipher from its kernels. A row of the arguments has a kernel,
/// and the smallest number of blocks for which the kernel is faster than `portable`. A last row may
/// name a module that takes the place of `portable` for few blocks, in modes whose blocks are
/// independent. The cipher's type must have the fields `kernel` and `keys`.
macro_rules! shell {
    (
        $Cipher:ty $(, $kernel:ident: $Variant:ident from $few:literal blocks)*
        $(; fewer by $alone:ident: $($Alone:ident up to $up:literal blocks),+)?
    ) => {
        impl $crate::BlockCipher for $Cipher {
            type Block = Block;
        }

        impl $crate::fuse::Sealed for $Cipher {}

        impl $crate::BlockEncrypt for $Cipher {
            #[inline]
            fn encrypt_blocks(&self, blocks: $crate::InOutBuf<'_, '_, Block>) {
                match self.kernel {
                    $(
                        #[cfg(target_arch = "x86_64")]
                        Kernel::$Variant(token) if blocks.len() >= $few => {
                            $kernel::encrypt(token, &self.keys, blocks);
                        }
                    )*
                    _ => $crate::machinery::shell::few!(
                        self, encrypt, blocks $(, $alone: $($Alone up to $up),+)?
                    ),
                }
            }

            #[inline]
            fn encrypt_block(&self, block: &mut Block) {
                use $crate::machinery::four_words::{little, little_bytes};
                *block = little_bytes(portable::single(&self.keys, little(block)));
            }
        }

        impl $crate::fuse::FusedEncrypt for $Cipher {
            #[inline]
            fn ctr_blocks(&self, counter: &mut Block, blocks: $crate::InOutBuf<'_, '_, Block>) {
                match self.kernel {
                    $(
                        #[cfg(target_arch = "x86_64")]
                        Kernel::$Variant(token) if blocks.len() >= $few => {
                            $crate::fuse::unfused::ctr_runs(counter, blocks, |counter, blocks| {
                                $kernel::ctr(token, &self.keys, counter, blocks);
                            });
                        }
                    )*
                    _ => {
                        let next = $crate::fuse::unfused::next;
                        $crate::fuse::unfused::ctr(self, next, counter, blocks);
                    }
                }
            }

            $crate::fuse::unfused::ctr_bytes_method!();

            #[inline]
            fn cfb_decrypt_blocks(
                &self,
                chain: &mut Block,
                blocks: $crate::InOutBuf<'_, '_, Block>,
            ) {
                match self.kernel {
                    $(
                        #[cfg(target_arch = "x86_64")]
                        Kernel::$Variant(token) if blocks.len() >= $few => {
                            $kernel::cfb_decrypt(token, &self.keys, chain, blocks);
                        }
                    )*
                    _ => $crate::fuse::unfused::cfb_decrypt(self, chain, blocks),
                }
            }

            $crate::machinery::shell::xts_method!(
                xts_encrypt, xts_encrypt_by, encrypt, [$($kernel: $Variant from $few),*]
                $(, $alone: $($Alone up to $up),+)?
            );

            $crate::machinery::ocb::method!(
                ocb_encrypt, ocb_encrypt_blocks, encrypt_unfused by encryption,
                [$($kernel: $Variant),*], |this, token, run| run(&this.keys)
            );

            $crate::machinery::shell::serial_methods! {
                cbc_encrypt_blocks = Cbc;
                cfb_encrypt_blocks = Cfb;
                ofb_blocks = Ofb;
            }
        }

        impl $crate::BlockDecrypt for $Cipher {
            #[inline]
            fn decrypt_blocks(&self, blocks: $crate::InOutBuf<'_, '_, Block>) {
                match self.kernel {
                    $(
                        #[cfg(target_arch = "x86_64")]
                        Kernel::$Variant(token) if blocks.len() >= $few => {
                            $kernel::decrypt(token, &self.keys, blocks);
                        }
                    )*
                    _ => $crate::machinery::shell::few!(
                        self, decrypt, blocks $(, $alone: $($Alone up to $up),+)?
                    ),
                }
            }
        }

        impl $crate::fuse::FusedDecrypt for $Cipher {
            #[inline]
            fn cbc_decrypt_blocks(
                &self,
                chain: &mut Block,
                blocks: $crate::InOutBuf<'_, '_, Block>,
            ) {
                match self.kernel {
                    $(
                        #[cfg(target_arch = "x86_64")]
                        Kernel::$Variant(token) if blocks.len() >= $few => {
                            $kernel::cbc_decrypt(token, &self.keys, chain, blocks);
                        }
                    )*
                    _ if blocks.len() <= 1 => {
                        $crate::fuse::unfused::cbc_decrypt_one(self, chain, blocks);
                    }
                    _ => $crate::fuse::unfused::cbc_decrypt(&$crate::fuse::unfused::decryption(self), chain, blocks),
                }
            }

            $crate::machinery::shell::xts_method!(
                xts_decrypt, xts_decrypt_by, decrypt, [$($kernel: $Variant from $few),*]
                $(, $alone: $($Alone up to $up),+)?
            );

            $crate::machinery::ocb::method!(
                ocb_decrypt, ocb_decrypt_blocks, decrypt_unfused by decryption,
                [$($kernel: $Variant),*], |this, token, run| run(&this.keys)
            );
        }
    };
}
pub(crate) use shell;

/// Encrypts or decrypts blocks that are too few for the kernels.
macro_rules! few {
    ($this:ident, $direction:ident, $blocks:ident) => {
        portable::$direction(&$this.keys, $blocks)
    };
    (
        $this:ident, $direction:ident, $blocks:ident,
        $alone:ident: $($Alone:ident up to $up:literal),+
    ) => {
        match $this.kernel {
            $(
                #[cfg(target_arch = "x86_64")]
                Kernel::$Alone(token) if $blocks.len() <= $up => {
                    $alone::$direction(token, &$this.keys, $blocks);
                }
            )+
            _ => portable::$direction(&$this.keys, $blocks),
        }
    };
}
pub(crate) use few;

/// Writes the method of XTS in one direction.
macro_rules! xts_method {
    (
        $xts:ident, $by:ident, $direction:ident,
        [$($kernel:ident: $Variant:ident from $few:literal),*]
        $(, $alone:ident: $($Alone:ident up to $up:literal),+)?
    ) => {
        #[inline]
        fn $xts(&self, tweak: &Block, unit: $crate::InOutBuf<'_, '_, u8>) {
            let apply = |tweak: &mut Block, blocks: $crate::InOutBuf<'_, '_, Block>| {
                match self.kernel {
                    $(
                        #[cfg(target_arch = "x86_64")]
                        Kernel::$Variant(token) if blocks.len() >= $few => {
                            $kernel::$xts(token, &self.keys, tweak, blocks);
                        }
                    )*
                    _ => $crate::fuse::unfused::xts(
                        &|blocks| {
                            $crate::machinery::shell::few!(
                                self, $direction, blocks $(, $alone: $($Alone up to $up),+)?
                            );
                        },
                        tweak,
                        blocks,
                    ),
                }
            };
            $crate::fuse::unfused::$by(apply, tweak, unit);
        }
    };
}
pub(crate) use xts_method;

/// Writes the serial modes from the portable form of one block.
macro_rules! serial_methods {
    ($($method:ident = $Mode:ident;)*) => {$(
        #[inline]
        fn $method(&self, chain: &mut Block, blocks: $crate::InOutBuf<'_, '_, Block>) {
            use $crate::machinery::serial::{Mode, chained_words};
            let single = |x| portable::single(&self.keys, x);
            chained_words(Mode::$Mode, chain, blocks, single);
        }
    )*

        #[inline]
        fn cbc_mac_blocks(&self, chain: &mut Block, blocks: &[Block]) {
            let single = |x| portable::single(&self.keys, x);
            $crate::machinery::serial::absorbed_words(chain, blocks, single);
        }
    };
}
pub(crate) use serial_methods;
