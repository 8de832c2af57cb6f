//! Kernels for GFNI, with AVX-512 or AVX2, of ciphers whose S-boxes act on bytes. A kernel computes 64
//! blocks of 16 bytes at once. A plane is a register that has the byte at one position of every
//! block, so there are sixteen planes. [`sliced`](super::sliced) describes how to write such a
//! kernel.
//!
//! A cipher passes two pieces of code, one for encryption and one for decryption, which change
//! the sixteen planes. The kernels are constant-time. Calls with too few blocks use the
//! cipher's tables.
//!
//! A second module has planes of 32 bytes without AVX-512, and a third one without GFNI, too: S-boxes that
//! are an inversion between affine maps use the last round of AES for the inversion and byte shuffles for
//! the maps. The third one can have another beside it for up to 16 blocks, with planes of 16 bytes. With GFNI
//! a cipher can have modules of another kind for few blocks, in rows
//! (`block/camellia/gfni_rows.rs`).

/// Writes one module of a cipher. The first words say which:
///
/// - `whole`: the module `avx512`, which is the cipher's kernel, and `whole beside few` if another module
///   takes shorter messages;
/// - `avx2`: the module `avx2_gfni`; `aes`: `avx2_aes`; `vaes`: `avx2_vaes`; and with `halves` after the
///   last two, the modules of the same names that end in `_few_blocks`, whose planes have 16 bytes;
/// - `bytes`: a module for AVX2 alone, whose maps are byte shuffles.
///
/// The arguments are: the type of the keys, the smallest number of blocks for which the kernel is used, and
/// for each direction the code that changes the planes. A last argument may name a function that computes
/// a few groups in words, because with planes most lanes would be empty. With `aes in sets` the code changes
/// an array of one or two sets of planes: two sets take turns where a round is a long chain of dependent
/// instructions.
#[cfg(target_arch = "x86_64")]
macro_rules! planes {
    (bytes: $($rest:tt)*) => {
        $crate::machinery::planes::planes!(
            Avx2, U8x32 as U32x8, 2 blocks a register, "avx2", $($rest)*
        );
    };
    (avx2: $($rest:tt)*) => {
        $crate::machinery::planes::planes!(
            Gfni, U8x32 as U32x8, 2 blocks a register, "avx2,gfni" USE_OF_WHOLE, $($rest)*
        );
    };
    (
        aes in sets: $Keys:ty, from $least:literal blocks,
        forwards |$keys:ident, $sets:ident| $forwards:block
        backwards |$keys_too:ident, $sets_too:ident| $backwards:block
    ) => {
        $crate::machinery::sliced::sliced!(
            $crate::cpu::Avx2Aes, $Keys, U8x32 as U32x8,
            2 blocks a register, 8 groups, "avx2,aes"
        );

        $crate::machinery::planes::split!(from $least blocks);

        $crate::machinery::planes::conversions!("avx2,aes");
        $crate::machinery::planes::sets!(
            "avx2,aes", $Keys, forwards |$keys, $sets| $forwards
        );
        $crate::machinery::planes::sets!(
            "avx2,aes", $Keys, backwards |$keys_too, $sets_too| $backwards
        );
    };
    (aes halves: $($rest:tt)*) => {
        $crate::machinery::planes::planes!(
            Avx2Aes, U8x16 as U32x4, 1 blocks a register, "avx2,aes" USE_OF_FEW, $($rest)*
        );
    };
    (aes: $($rest:tt)*) => {
        $crate::machinery::planes::planes!(
            Avx2Aes, U8x32 as U32x8, 2 blocks a register, "avx2,aes" USE_OF_WHOLE, $($rest)*
        );
    };
    (vaes halves: $($rest:tt)*) => {
        $crate::machinery::planes::planes!(
            Vaes256, U8x16 as U32x4, 1 blocks a register, "avx2,aes,vaes" USE_OF_FEW, $($rest)*
        );
    };
    (vaes: $($rest:tt)*) => {
        $crate::machinery::planes::planes!(
            Vaes256, U8x32 as U32x8, 2 blocks a register, "avx2,aes,vaes" USE_OF_WHOLE, $($rest)*
        );
    };
    (whole: $($rest:tt)*) => {
        $crate::machinery::planes::planes!(
            Avx512, U8x64 as U32x16, 4 blocks a register,
            "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,vpclmulqdq" USE, $($rest)*
        );
    };
    (whole beside few: $($rest:tt)*) => {
        $crate::machinery::planes::planes!(
            Avx512, U8x64 as U32x16, 4 blocks a register,
            "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,vpclmulqdq" USE_OF_WHOLE, $($rest)*
        );
    };
    (
        $Token:ident, $Bytes:ident as $Words:ident, $blocks:literal blocks a register,
        $features:literal $($USE:ident)?,
        $Keys:ty, from $least:literal blocks,
        $(in words by $few:ident up to $words:literal groups,)?
        forwards |$keys:ident, $planes:ident| $forwards:block
        backwards |$keys_too:ident, $planes_too:ident| $backwards:block
    ) => {
        $crate::machinery::sliced::sliced!(
            $($USE:)? $crate::cpu::$Token, $Keys, $Bytes as $Words,
            $blocks blocks a register, 4 groups, $features
        );

        $crate::machinery::planes::split!(from $least blocks);

        $crate::machinery::planes::conversions!($features);
        $crate::machinery::planes::direction!(
            $features $($USE)?, $Keys, forwards |$keys, $planes| $forwards
            $(, $few::<false> up to $words)?
        );
        $crate::machinery::planes::direction!(
            $features $($USE)?, $Keys, backwards |$keys_too, $planes_too| $backwards
            $(, $few::<true> up to $words)?
        );
    };
}

/// The last round of AES with a zero key on a plane, forwards (S-box and ShiftRows) or backwards, by
/// AES-NI. A module of a kernel imports this macro or [`vaes`] under the name `last_round`.
#[cfg(target_arch = "x86_64")]
macro_rules! aes {
    (forwards $x:expr) => {
        $x.aes_s_box()
    };
    (backwards $x:expr) => {
        $x.aes_inverse_s_box()
    };
}

/// The same as [`aes`], by the instructions of VAES, which take both halves of a plane at once.
#[cfg(target_arch = "x86_64")]
macro_rules! vaes {
    (forwards $x:expr) => {
        $x.vaes_s_box()
    };
    (backwards $x:expr) => {
        $x.vaes_inverse_s_box()
    };
}

/// Writes the function that divides the blocks of a call between a kernel of [`sliced`] and the
/// tables.
///
/// [`sliced`]: crate::machinery::sliced
#[cfg(target_arch = "x86_64")]
macro_rules! split {
    (from $least:literal blocks) => {
        /// The smallest number of blocks for the kernel.
        pub(super) const LEAST: usize = $least;

        /// Splits `blocks` into the blocks for the kernel, and the last blocks, which are too
        /// few for the kernel.
        #[inline(always)]
        pub(super) fn split<'i, 'o>(
            blocks: InOutBuf<'i, 'o, Block>,
        ) -> (InOutBuf<'i, 'o, Block>, InOutBuf<'i, 'o, Block>) {
            let odd = blocks.len() % (4 * GROUP);
            let many = blocks.len() - if odd < LEAST { odd } else { 0 };
            blocks.split_at(many)
        }
    };
}

/// Computes one direction on blocks in words, as [`direction`] does, but on one set of planes or on two
/// sets: the code gets an array of sets.
#[cfg(target_arch = "x86_64")]
macro_rules! sets {
    ($features:literal, $Keys:ty, $name:ident |$keys:ident, $sets:ident| $work:block) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn $name<const N: usize>($keys: &$Keys, data: &mut [[Lanes; 4]; N]) {
            if let Some((some, [])) = data.split_first_chunk_mut::<8>() {
                let (first, second) = some.split_at_mut(4);
                let mut $sets = [planes_of(first), planes_of(second)];
                $work
                words_of(&$sets[0], first);
                words_of(&$sets[1], second);
            } else {
                let mut $sets = [planes_of(data)];
                $work
                words_of(&$sets[0], data);
            }
        }
    };
}

/// Writes the functions that convert up to four groups of blocks in words to a set of planes, and back.
#[cfg(target_arch = "x86_64")]
macro_rules! conversions {
    ($features:literal) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn planes_of(data: &[[Lanes; 4]]) -> [Bytes; 16] {
            // Short registers have no zeros: LLVM would use an instruction that valgrind 3.19 lacks,
            // so `tests/constant_time.rs` would not run.
            let missing = if GROUP == 4 {
                data[0]
            } else {
                [Lanes::splat(0); 4]
            };
            let mut x = [missing; 4];
            for (x, group) in x.iter_mut().zip(data) {
                *x = *group;
            }
            let mut planes = [Bytes::zero(); 16];
            for w in 0..4 {
                let four = Bytes::to_planes([x[0][w], x[1][w], x[2][w], x[3][w]]);
                planes[4 * w..][..4].copy_from_slice(&four);
            }
            planes
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn words_of(planes: &[Bytes; 16], data: &mut [[Lanes; 4]]) {
            for (w, four) in planes.as_chunks::<4>().0.iter().enumerate() {
                let words = Bytes::to_words(*four);
                for (group, word) in data.iter_mut().zip(words) {
                    group[w] = word;
                }
            }
        }
    };
}

/// Computes one direction on blocks in words: converts up to four groups of blocks to planes,
/// runs the code on the planes, and converts the planes back to words.
#[cfg(target_arch = "x86_64")]
macro_rules! direction {
    (
        $features:literal $($USE:ident)?, $Keys:ty,
        $name:ident |$keys:ident, $planes:ident| $work:block
        $(, $few:ident::<$back:literal> up to $words:literal)?
    ) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn $name<const N: usize $(, const $USE: u8)?>($keys: &$Keys, data: &mut [[Lanes; 4]; N]) {
            $(if N <= $words {
                return $few::<$back, N>($keys, data);
            })?
            let mut $planes = planes_of(data);
            let $keys = $crate::machinery::unknown::again($keys);
            $work
            words_of(&$planes, data);
        }
    };
}

/// Calls the kernel of a module on the blocks that the module's `split` assigns to it, and
/// returns the remaining blocks of the call.
macro_rules! few_of {
    ($kernel:expr, $blocks:expr, $module:ident: $Variant:ident, |$token:ident, $many:ident| $call:expr) => {
        match $kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::$Variant($token) if $blocks.len() >= $module::LEAST => {
                let ($many, few) = $module::split($blocks);
                if !$many.is_empty() {
                    $call;
                }
                few
            }
            _ => $blocks,
        }
    };
}

/// Writes the methods of [`BlockEncrypt`](crate::BlockEncrypt) for a cipher that has kernels from
/// [`planes`](self). The arguments are: the modules and the variants of the kernels, of each variant
/// the module for most blocks first; code that calls a closure with the keys of these kernels;
/// the code that encrypts blocks that are too few for the kernels; and the code that encrypts
/// one block.
macro_rules! encrypt_methods {
    (
        [$($module:ident: $Variant:ident),+], |$this:ident, $token:ident, $run:ident| $keys:expr,
        |$few:ident| $others:expr, |$one:ident| $single:expr
    ) => {
        #[inline]
        fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
            let $this = self;
            let $few = blocks;
            $(
                let $few = $crate::machinery::planes::few_of!(
                    $this.kernel, $few, $module: $Variant,
                    |$token, many| {
                        let $run = |keys: &_| $module::encrypt($token.into(), keys, many);
                        $keys
                    }
                );
            )+
            $others
        }

        #[inline]
        fn encrypt_block(&self, block: &mut Block) {
            let ($this, $one) = (self, *block);
            *block = $single;
        }
    };
}

/// Writes the methods of [`FusedEncrypt`](crate::fuse::FusedEncrypt) for a cipher with kernels
/// from [`planes`](self). The arguments are the modules, code that calls a closure with their
/// keys, code that encrypts one block, and, if the cipher has it, code for counter mode on blocks that are
/// too few for the kernels.
macro_rules! fused_encrypt_methods {
    (
        [$($module:ident: $Variant:ident),+], |$this:ident, $token:ident, $run:ident| $keys:expr,
        |$one:ident| $single:expr
    ) => {
        $crate::machinery::planes::fused_encrypt_methods!(
            [$($module: $Variant),+], |$this, $token, $run| $keys, |$one| $single,
            ctr |counter, few| unfused::ctr($this, unfused::next, counter, few)
        );
    };
    (
        [$($module:ident: $Variant:ident),+], |$this:ident, $token:ident, $run:ident| $keys:expr,
        |$one:ident| $single:expr, ctr |$counter:ident, $few:ident| $ctr:expr
    ) => {
        #[inline]
        fn ctr_blocks(&self, $counter: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
            let $this = self;
            $(
                let blocks = $crate::machinery::planes::few_of!(
                    $this.kernel, blocks, $module: $Variant,
                    |$token, many| {
                        let $run = |keys: &_| {
                            unfused::ctr_runs($counter, many, |counter, blocks| {
                                $module::ctr($token.into(), keys, counter, blocks);
                            });
                        };
                        $keys
                    }
                );
            )+
            let $few = blocks;
            $ctr
        }

        $crate::fuse::unfused::ctr_bytes_method!();

        #[inline]
        fn cfb_decrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
            let $this = self;
            $(
                let blocks = $crate::machinery::planes::few_of!(
                    $this.kernel, blocks, $module: $Variant,
                    |$token, many| {
                        let $run = |keys: &_| $module::cfb_decrypt($token.into(), keys, chain, many);
                        $keys
                    }
                );
            )+
            unfused::cfb_decrypt($this, chain, blocks);
        }

        #[inline]
        fn xts_encrypt(&self, tweak: &Block, unit: InOutBuf<'_, '_, u8>) {
            let $this = self;
            let apply = |tweak: &mut Block, blocks: InOutBuf<'_, '_, Block>| {
                $(
                    let blocks = $crate::machinery::planes::few_of!(
                        $this.kernel, blocks, $module: $Variant,
                        |$token, many| {
                            let $run = |keys: &_| $module::xts_encrypt($token.into(), keys, tweak, many);
                            $keys
                        }
                    );
                )+
                unfused::xts(&unfused::encryption($this), tweak, blocks);
            };
            unfused::xts_encrypt_by(apply, tweak, unit);
        }

        $crate::machinery::ocb::method!(
            ocb_encrypt, ocb_encrypt_blocks, encrypt_unfused by encryption,
            [$($module: $Variant),+], |$this, $token, $run| $keys
        );

        $crate::machinery::serial::methods!(|$this, $one| $single);
    };
}

/// Writes the methods of [`BlockDecrypt`](crate::BlockDecrypt) for a cipher with kernels from
/// [`planes`](self). The arguments are the same as of `encrypt_methods`.
macro_rules! decrypt_methods {
    (
        [$($module:ident: $Variant:ident),+], |$this:ident, $token:ident, $run:ident| $keys:expr,
        |$few:ident| $others:expr, |$one:ident| $single:expr
    ) => {
        #[inline]
        fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
            let $this = self;
            let $few = blocks;
            $(
                let $few = $crate::machinery::planes::few_of!(
                    $this.kernel, $few, $module: $Variant,
                    |$token, many| {
                        let $run = |keys: &_| $module::decrypt($token.into(), keys, many);
                        $keys
                    }
                );
            )+
            $others
        }

        #[inline]
        fn decrypt_block(&self, block: &mut Block) {
            let ($this, $one) = (self, *block);
            *block = $single;
        }
    };
}

/// Writes the methods of [`FusedDecrypt`](crate::fuse::FusedDecrypt) for a cipher with kernels
/// from [`planes`](self).
macro_rules! fused_decrypt_methods {
    ([$($module:ident: $Variant:ident),+], |$this:ident, $token:ident, $run:ident| $keys:expr) => {
        #[inline]
        fn cbc_decrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
            let $this = self;
            $(
                let blocks = $crate::machinery::planes::few_of!(
                    $this.kernel, blocks, $module: $Variant,
                    |$token, many| {
                        let $run = |keys: &_| $module::cbc_decrypt($token.into(), keys, chain, many);
                        $keys
                    }
                );
            )+
            if blocks.len() <= 1 {
                unfused::cbc_decrypt_one($this, chain, blocks);
            } else {
                unfused::cbc_decrypt(&unfused::decryption($this), chain, blocks);
            }
        }

        #[inline]
        fn xts_decrypt(&self, tweak: &Block, unit: InOutBuf<'_, '_, u8>) {
            let $this = self;
            let apply = |tweak: &mut Block, blocks: InOutBuf<'_, '_, Block>| {
                $(
                    let blocks = $crate::machinery::planes::few_of!(
                        $this.kernel, blocks, $module: $Variant,
                        |$token, many| {
                            let $run = |keys: &_| $module::xts_decrypt($token.into(), keys, tweak, many);
                            $keys
                        }
                    );
                )+
                unfused::xts(&unfused::decryption($this), tweak, blocks);
            };
            unfused::xts_decrypt_by(apply, tweak, unit);
        }

        $crate::machinery::ocb::method!(
            ocb_decrypt, ocb_decrypt_blocks, decrypt_unfused by decryption,
            [$($module: $Variant),+], |$this, $token, $run| $keys
        );
    };
}

#[cfg(target_arch = "x86_64")]
pub(crate) use {aes, conversions, direction, planes, sets, split, vaes};
pub(crate) use {
    decrypt_methods, encrypt_methods, few_of, fused_decrypt_methods, fused_encrypt_methods,
};
