//! Threefish-256, Threefish-512 and Threefish-1024, the block ciphers of
//! [Skein](crate::hash::skein): blocks and keys of 32, 64 and 128 bytes, and a tweak of 16
//! bytes. Constant-time.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 32 (Threefish-256), 16 (-512), 8 (-1024) | a block in each lane |
//! | `avx2` | AVX2 | 8 (Threefish-256 and -512), 4 (-1024) | the same |
//! | `portable` | – | 1 | as in the paper |
//!
//! - [SKEIN] N. Ferguson, S. Lucks, B. Schneier et al.: The Skein Hash Function Family,
//!   version 1.3, 2010
//!
//! [SKEIN]: https://www.schneier.com/wp-content/uploads/2015/01/skein.pdf

use zeroize::ZeroizeOnDrop;

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::kernel::kernels;
use crate::machinery::each::each;
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, FixedKey, InOutBuf, InvalidKeyLength, KeyLengths,
    Keyed, KeyedWith,
};

#[cfg(target_arch = "x86_64")]
mod lanes;

kernels! {
    /// The kernels: implementations of Threefish for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

/// Returns the rotation distances, [SKEIN] §3.3.2, table 4, for each of eight rounds and each
/// pair of words. After eight rounds the distances repeat.
pub(crate) const fn rotations(words: usize) -> [[u32; 8]; 8] {
    match words {
        4 => [
            [14, 16, 0, 0, 0, 0, 0, 0],
            [52, 57, 0, 0, 0, 0, 0, 0],
            [23, 40, 0, 0, 0, 0, 0, 0],
            [5, 37, 0, 0, 0, 0, 0, 0],
            [25, 33, 0, 0, 0, 0, 0, 0],
            [46, 12, 0, 0, 0, 0, 0, 0],
            [58, 22, 0, 0, 0, 0, 0, 0],
            [32, 32, 0, 0, 0, 0, 0, 0],
        ],
        8 => [
            [46, 36, 19, 37, 0, 0, 0, 0],
            [33, 27, 14, 42, 0, 0, 0, 0],
            [17, 49, 36, 39, 0, 0, 0, 0],
            [44, 9, 54, 56, 0, 0, 0, 0],
            [39, 30, 34, 24, 0, 0, 0, 0],
            [13, 50, 10, 17, 0, 0, 0, 0],
            [25, 29, 39, 43, 0, 0, 0, 0],
            [8, 35, 56, 22, 0, 0, 0, 0],
        ],
        _ => [
            [24, 13, 8, 47, 8, 17, 22, 37],
            [38, 19, 10, 55, 49, 18, 23, 52],
            [33, 4, 51, 13, 34, 41, 59, 17],
            [5, 20, 48, 41, 47, 28, 16, 25],
            [41, 9, 37, 31, 12, 47, 44, 30],
            [16, 34, 56, 51, 4, 53, 42, 41],
            [31, 44, 47, 46, 19, 42, 44, 25],
            [9, 48, 35, 52, 23, 31, 37, 20],
        ],
    }
}

/// Returns, for each place, the number of the word that moves to this place after a round,
/// [SKEIN] §3.3.1, table 3.
const fn permutation(words: usize) -> [usize; 16] {
    match words {
        4 => [0, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        8 => [2, 1, 4, 7, 6, 5, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0],
        _ => [0, 9, 2, 13, 6, 11, 4, 15, 10, 7, 12, 3, 14, 5, 8, 1],
    }
}

/// Returns the places of the two words that round `round` mixes as its pair `j`. The code does
/// not move the words: it applies the permutation to the numbers of the places. After four
/// rounds every word is in its own place again.
pub(crate) const fn pair(words: usize, round: usize, j: usize) -> (usize, usize) {
    let (mut a, mut b) = (2 * j % words, (2 * j + 1) % words);
    let mut i = 0;
    while i < round % 4 {
        (a, b) = (permutation(words)[a], permutation(words)[b]);
        i += 1;
    }
    (a, b)
}

/// Returns the number of groups of eight rounds, [SKEIN] §3.3. A round key is added before
/// every four rounds.
pub(crate) const fn eights(words: usize) -> usize {
    if words == 16 { 10 } else { 9 }
}

/// The constant C₂₄₀, [SKEIN] §3.3.2: the word after the words of a key is the XOR of them all and
/// this constant.
pub(crate) const PARITY: u64 = 0x1bd1_1bda_a9fc_1a22;

/// A key and a tweak, from which the round keys are made, [SKEIN] §3.3.2.
#[derive(Clone, Copy)]
pub(crate) struct Schedule<const WORDS: usize> {
    /// The words of the key and one word more, which is the XOR of the key's words and a
    /// constant. Then follow the same words again, so that each round key is a slice of this
    /// array.
    words: [u64; 34],
    tweak: [u64; 3],
}

impl<const WORDS: usize> Schedule<WORDS> {
    const EMPTY: Self = Self {
        words: [0; 34],
        tweak: [0; 3],
    };

    pub(crate) const fn new(key: &[u64; WORDS], tweak: [u64; 2]) -> Self {
        let mut schedule = Self::EMPTY;
        schedule.set(key);
        schedule.set_tweak(tweak);
        schedule
    }

    /// Replaces the key.
    #[inline(always)]
    const fn set(&mut self, key: &[u64; WORDS]) {
        const {
            assert!(WORDS == 4 || WORDS == 8 || WORDS == 16);
        }
        let mut sum = PARITY;
        each!(I < WORDS => {
            self.words[I] = key[I];
            self.words[WORDS + 1 + I] = key[I];
            sum ^= key[I];
        });
        self.words[WORDS] = sum;
        self.words[2 * WORDS + 1] = sum;
    }

    /// Replaces the tweak.
    #[inline(always)]
    pub(crate) const fn set_tweak(&mut self, [low, high]: [u64; 2]) {
        self.tweak = [low, high, low ^ high];
    }

    /// Returns the key.
    pub(crate) fn key(&self) -> [u64; WORDS] {
        core::array::from_fn(|i| self.words[i])
    }

    /// Encrypts a block and XORs the block to the result, which becomes the key. The words of the
    /// new key go from registers to their places one by one: a copy of them would read two words at
    /// a time, and such a load waits until the stores of single words have reached the cache. The
    /// function is not inlined, because the compiler would then keep the round keys in registers,
    /// of which there are too few. The length of the block is part of the type: the compiler loads a
    /// slice through a copy.
    #[inline(never)]
    pub(crate) fn feed<const BLOCK: usize>(&mut self, block: &[u8; BLOCK]) {
        let block = words(block);
        let mut x = self.encrypt_inlined(block);
        each!(I < WORDS => x[I] ^= block[I]);
        self.set(&x);
    }

    /// Encrypts one block, [SKEIN] §3.3.
    #[inline]
    pub(crate) const fn encrypt(&self, x: [u64; WORDS]) -> [u64; WORDS] {
        self.encrypt_inlined(x)
    }

    /// [`encrypt`](Self::encrypt), inlined in any case, so that the words stay in registers.
    #[inline(always)]
    const fn encrypt_inlined(&self, mut x: [u64; WORDS]) -> [u64; WORDS] {
        each!(N < eights(WORDS) => {
            self.add_key(2 * N, &mut x);
            each!(D in 0 1 2 3 => Self::round::<D>(&mut x));
            self.add_key(2 * N + 1, &mut x);
            each!(D in 4 5 6 7 => Self::round::<D>(&mut x));
        });
        self.add_key(2 * eights(WORDS), &mut x);
        x
    }

    /// Decrypts one block, [SKEIN] §3.3.
    #[inline]
    fn decrypt(&self, mut x: [u64; WORDS]) -> [u64; WORDS] {
        each!(N < eights(WORDS) => {
            self.subtract_key(2 * (eights(WORDS) - N), &mut x);
            each!(D in 7 6 5 4 => Self::round_back::<D>(&mut x));
            self.subtract_key(2 * (eights(WORDS) - N) - 1, &mut x);
            each!(D in 3 2 1 0 => Self::round_back::<D>(&mut x));
        });
        self.subtract_key(0, &mut x);
        x
    }

    // The rounds and the round keys are functions and not nested `each!`: a compiler needs a
    // minute for the ten thousand statements into which those would expand.

    /// Adds the round key with number `s`.
    #[inline(always)]
    const fn add_key(&self, s: usize, x: &mut [u64; WORDS]) {
        each!(I < WORDS => x[I] = x[I].wrapping_add(self.words[s % (WORDS + 1) + I]));
        x[WORDS - 3] = x[WORDS - 3].wrapping_add(self.tweak[s % 3]);
        x[WORDS - 2] = x[WORDS - 2].wrapping_add(self.tweak[(s + 1) % 3]);
        x[WORDS - 1] = x[WORDS - 1].wrapping_add(s as u64);
    }

    /// Subtracts the round key with number `s`.
    #[inline(always)]
    fn subtract_key(&self, s: usize, x: &mut [u64; WORDS]) {
        each!(I < WORDS => x[I] = x[I].wrapping_sub(self.words[s % (WORDS + 1) + I]));
        x[WORDS - 3] = x[WORDS - 3].wrapping_sub(self.tweak[s % 3]);
        x[WORDS - 2] = x[WORDS - 2].wrapping_sub(self.tweak[(s + 1) % 3]);
        x[WORDS - 1] = x[WORDS - 1].wrapping_sub(s as u64);
    }

    /// Mixes the words by round `D` of eight.
    #[inline(always)]
    const fn round<const D: usize>(x: &mut [u64; WORDS]) {
        each!(J < WORDS / 2 => {
            let (a, b) = const { pair(WORDS, D, J) };
            x[a] = x[a].wrapping_add(x[b]);
            x[b] = x[b].rotate_left(const { rotations(WORDS)[D][J % 8] }) ^ x[a];
        });
    }

    /// Takes back round `D` of eight.
    #[inline(always)]
    fn round_back<const D: usize>(x: &mut [u64; WORDS]) {
        each!(J < WORDS / 2 => {
            let (a, b) = const { pair(WORDS, D, J) };
            x[b] = (x[b] ^ x[a]).rotate_right(const { rotations(WORDS)[D][J % 8] });
            x[a] = x[a].wrapping_sub(x[b]);
        });
    }
}

/// Converts bytes to words, least significant byte first.
#[inline(always)]
pub(crate) fn words<const WORDS: usize>(bytes: &[u8]) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

/// A tweak of 16 bytes, which may be public. Each tweak gives another cipher.
pub type Tweak = [u8; 16];

// In a row stand the numbers of words and bytes of a block, and for the kernels `avx512` and `avx2` the
// groups that are computed at once, and the smallest number of blocks for which the kernel is faster than
// `portable`.
macro_rules! ciphers {
    ($(
        $(#[$meta:meta])*
        $Cipher:ident $words:literal $size:literal,
        $wide:literal from $few_wide:literal, $narrow:literal from $few_narrow:literal;
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $Cipher {
            kernel: Kernel,
            schedule: Schedule<$words>,
        }

        debug!([] $Cipher, stringify!($Cipher));

        impl $Cipher {
            /// Sets up a key and a tweak.
            pub fn with_tweak(tweak: Tweak, key: &[u8]) -> Result<Self, InvalidKeyLength> {
                Self::from_slice_with(tweak, key)
            }

            /// Replaces the tweak and keeps the key.
            pub fn set_tweak(&mut self, tweak: Tweak) {
                self.schedule.set_tweak(words(&tweak));
            }

            /// Encrypts one block after the other.
            fn encrypt_each(&self, blocks: InOutBuf<'_, '_, [u8; $size]>) {
                Self::each(blocks, |x| self.schedule.encrypt(x));
            }

            /// Decrypts one block after the other.
            fn decrypt_each(&self, blocks: InOutBuf<'_, '_, [u8; $size]>) {
                Self::each(blocks, |x| self.schedule.decrypt(x));
            }

            #[inline(always)]
            fn each(
                blocks: InOutBuf<'_, '_, [u8; $size]>,
                one: impl Fn([u64; $words]) -> [u64; $words],
            ) {
                for mut block in blocks {
                    let x = one(words(block.get_in()));
                    let output = block.get_out().as_chunks_mut().0;
                    for (bytes, word) in output.iter_mut().zip(x) {
                        *bytes = word.to_le_bytes();
                    }
                }
            }
        }

        impl FixedKey for $Cipher {
            type Key = [u8; $size];
        }

        impl Keyed for $Cipher {
            type Kernel = Kernel;
            const KEY_LENGTHS: KeyLengths = KeyLengths::exactly($size);

            /// Sets up a key with the tweak zero.
            fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
                Self::with_kernel_and(kernel, [0; 16], key)
            }

            fn kernel_in_use(&self) -> Kernel {
                self.kernel
            }
        }

        impl KeyedWith for $Cipher {
            type Parameter = Tweak;

            fn with_kernel_and(
                kernel: Kernel,
                tweak: Tweak,
                key: &[u8],
            ) -> Result<Self, InvalidKeyLength> {
                Self::KEY_LENGTHS.check(key)?;
                let mut key = words(key);
                let schedule = Schedule::new(&key, words(&tweak));
                wipe(&mut key, 0);
                Ok(Self { kernel, schedule })
            }
        }

        impl BlockCipher for $Cipher {
            type Block = [u8; $size];
        }

        impl Sealed for $Cipher {}

        impl BlockEncrypt for $Cipher {
            #[inline]
            fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, [u8; $size]>) {
                match self.kernel {
                    #[cfg(target_arch = "x86_64")]
                    Kernel::Avx512(token) if blocks.len() >= $few_wide => {
                        let rest = lanes::wide::all::<_, _, $wide, false>(token, &self.schedule, $few_wide, blocks);
                        self.encrypt_each(rest);
                    }
                    #[cfg(target_arch = "x86_64")]
                    Kernel::Avx2(token) if blocks.len() >= $few_narrow => {
                        let rest = lanes::narrow::all::<_, _, $narrow, false>(token, &self.schedule, $few_narrow, blocks);
                        self.encrypt_each(rest);
                    }
                    _ => self.encrypt_each(blocks),
                }
            }
        }

        impl FusedEncrypt for $Cipher {}

        impl BlockDecrypt for $Cipher {
            #[inline]
            fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, [u8; $size]>) {
                match self.kernel {
                    #[cfg(target_arch = "x86_64")]
                    Kernel::Avx512(token) if blocks.len() >= $few_wide => {
                        let rest = lanes::wide::all::<_, _, $wide, true>(token, &self.schedule, $few_wide, blocks);
                        self.decrypt_each(rest);
                    }
                    #[cfg(target_arch = "x86_64")]
                    Kernel::Avx2(token) if blocks.len() >= $few_narrow => {
                        let rest = lanes::narrow::all::<_, _, $narrow, true>(token, &self.schedule, $few_narrow, blocks);
                        self.decrypt_each(rest);
                    }
                    _ => self.decrypt_each(blocks),
                }
            }
        }

        impl FusedDecrypt for $Cipher {}

        impl Drop for $Cipher {
            fn drop(&mut self) {
                wipe(core::slice::from_mut(&mut self.schedule), Schedule::EMPTY);
            }
        }

        impl ZeroizeOnDrop for $Cipher {}
    )*};
}

ciphers! {
    /// Threefish-256: blocks and keys of 32 bytes.
    Threefish256 4 32, 4 from 2, 2 from 3;
    /// Threefish-512: blocks and keys of 64 bytes.
    Threefish512 8 64, 2 from 2, 2 from 3;
    /// Threefish-1024: blocks and keys of 128 bytes.
    Threefish1024 16 128, 1 from 2, 1 from 2;
}
