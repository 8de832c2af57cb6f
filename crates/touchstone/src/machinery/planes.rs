//! Ciphers on 64 blocks at once, a register for each byte of a block: what AVX-512
//! and GFNI do where S-boxes act on bytes ([`sliced`](super::sliced) says how to write
//! one).
//!
//! A kernel is two blocks of code on the sixteen planes. Whatever goes through it is
//! in constant time; fewer blocks than are worth it stay with the cipher's tables.

/// Writes a kernel, the module `avx512` of a cipher: keys, the least blocks that it is
/// worth its time for, and what each direction does to planes.
#[cfg(target_arch = "x86_64")]
macro_rules! planes {
    (
        $Keys:ty, from $least:literal blocks,
        forwards |$keys:ident, $planes:ident| $forwards:block
        backwards |$keys_too:ident, $planes_too:ident| $backwards:block
    ) => {
        $crate::machinery::sliced::sliced!(
            $crate::cpu::Avx512, $Keys, U8x64 as U32x16,
            4 blocks a register, 4 groups, "avx512f,avx512bw,avx512vl,avx512vbmi,gfni"
        );

        /// The blocks that are worth the lanes, and those that are not.
        #[inline(always)]
        pub(super) fn split<'i, 'o>(
            blocks: InOutBuf<'i, 'o, Block>,
        ) -> (InOutBuf<'i, 'o, Block>, InOutBuf<'i, 'o, Block>) {
            let odd = blocks.len() % (4 * GROUP);
            let many = blocks.len() - if odd < $least { odd } else { 0 };
            blocks.split_at(many)
        }

        $crate::machinery::planes::direction!($Keys, forwards |$keys, $planes| $forwards);
        $crate::machinery::planes::direction!($Keys, backwards |$keys_too, $planes_too| $backwards);
    };
}

/// One direction on words: as planes, what there is filled up to four groups.
#[cfg(target_arch = "x86_64")]
macro_rules! direction {
    ($Keys:ty, $name:ident |$keys:ident, $planes:ident| $work:block) => {
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
        fn $name<const N: usize>($keys: &$Keys, data: &mut [[Lanes; 4]; N]) {
            let mut x = [[Lanes::splat(0); 4]; 4];
            x[..N].copy_from_slice(data);
            let mut $planes = [Bytes::zero(); 16];
            for w in 0..4 {
                let four = Bytes::to_planes([x[0][w], x[1][w], x[2][w], x[3][w]]);
                $planes[4 * w..][..4].copy_from_slice(&four);
            }
            $work
            for (w, four) in $planes.as_chunks::<4>().0.iter().enumerate() {
                let words = Bytes::to_words(*four);
                for m in 0..4 {
                    x[m][w] = words[m];
                }
            }
            data.copy_from_slice(&x[..N]);
        }
    };
}

/// What is left for others of a method's blocks, after the kernel's call for those that
/// are worth the lanes.
macro_rules! few_of {
    ($kernel:expr, $blocks:expr, |$token:ident, $many:ident| $call:expr) => {
        match $kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512($token) => {
                let ($many, few) = avx512::split($blocks);
                if !$many.is_empty() {
                    $call;
                }
                few
            }
            _ => $blocks,
        }
    };
}

/// The methods of [`BlockEncrypt`](crate::BlockEncrypt) of a cipher with such a kernel,
/// its variant `Avx512`: the keys of that kernel, what encrypts the blocks that are too
/// few for it, and what encrypts a single block.
macro_rules! encrypt_methods {
    (|$this:ident| $keys:expr, |$few:ident| $others:expr, |$one:ident| $single:expr) => {
        #[inline]
        fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
            let $this = self;
            let $few = $crate::machinery::planes::few_of!($this.kernel, blocks, |token, many| {
                avx512::encrypt(token, $keys, many)
            });
            $others
        }

        #[inline]
        fn encrypt_block(&self, block: &mut Block) {
            let ($this, $one) = (self, *block);
            *block = $single;
        }
    };
}

/// The methods of [`FusedEncrypt`](crate::fuse::FusedEncrypt) of such a cipher.
macro_rules! fused_encrypt_methods {
    (|$this:ident| $keys:expr, |$one:ident| $single:expr) => {
        #[inline]
        fn ctr_blocks(&self, counter: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
            let $this = self;
            let few = $crate::machinery::planes::few_of!($this.kernel, blocks, |token, many| {
                unfused::ctr_runs(counter, many, |counter, blocks| {
                    avx512::ctr(token, $keys, counter, blocks);
                })
            });
            unfused::ctr($this, unfused::next, counter, few);
        }

        $crate::machinery::serial::methods!(|$this, $one| $single);
    };
}

/// The same of [`BlockDecrypt`](crate::BlockDecrypt).
macro_rules! decrypt_methods {
    (|$this:ident| $keys:expr, |$few:ident| $others:expr, |$one:ident| $single:expr) => {
        #[inline]
        fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
            let $this = self;
            let $few = $crate::machinery::planes::few_of!($this.kernel, blocks, |token, many| {
                avx512::decrypt(token, $keys, many)
            });
            $others
        }

        #[inline]
        fn decrypt_block(&self, block: &mut Block) {
            let ($this, $one) = (self, *block);
            *block = $single;
        }
    };
}

/// The same of [`FusedDecrypt`](crate::fuse::FusedDecrypt).
macro_rules! fused_decrypt_methods {
    (|$this:ident| $keys:expr) => {
        #[inline]
        fn cbc_decrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
            let $this = self;
            let few = $crate::machinery::planes::few_of!($this.kernel, blocks, |token, many| {
                avx512::cbc_decrypt(token, $keys, chain, many)
            });
            if few.len() <= 1 {
                unfused::cbc_decrypt_one($this, chain, few);
            } else {
                unfused::cbc_decrypt($this, chain, few);
            }
        }
    };
}

pub(crate) use {
    decrypt_methods, encrypt_methods, few_of, fused_decrypt_methods, fused_encrypt_methods,
};
#[cfg(target_arch = "x86_64")]
pub(crate) use {direction, planes};
