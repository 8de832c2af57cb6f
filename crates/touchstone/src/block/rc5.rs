//! RC5 with words of 32 bits: blocks of 8 bytes, keys of up to 255 bytes, and up to 255 rounds.
//! **Outdated**, as all ciphers with blocks of 64 bits: encrypted messages leak information
//! after some gigabytes under one key ([SWEET32]). [BK] breaks the usual 12 rounds in theory
//! with 2^44 chosen blocks.
//!
//! [`Rc5::from_slice`](crate::Keyed::from_slice) uses 12 rounds. [`Rc5::with_rounds`] accepts
//! 1 to 255 rounds. A small number of rounds gives no security.
//!
//! Constant-time on processors whose rotation by a secret distance takes constant time, as on
//! all current x86 and ARM processors.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 64 | four registers for each half |
//! | `avx2` | AVX2 | 32 | four registers for each half |
//! | `portable` | – | 4 | blocks interleaved |
//!
//! - [RC5] R. Rivest: The RC5 Encryption Algorithm, FSE 1994
//! - [BK] A. Biryukov, E. Kushilevitz: Improved Cryptanalysis of RC5, EUROCRYPT '98
//! - [SWEET32] K. Bhargavan, G. Leurent: On the Practical (In-)Security of 64-bit
//!   Block Ciphers, CCS 2016
//!
//! [RC5]: https://doi.org/10.1007/3-540-60590-8_7
//! [BK]: https://doi.org/10.1007/BFb0054119
//! [SWEET32]: https://doi.org/10.1145/2976749.2978423

use core::num::NonZeroU8;

use zeroize::ZeroizeOnDrop;

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::kernel::kernels;
use crate::machinery::groups;
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, InOutBuf, InvalidKeyLength, KeyLengths, Keyed,
    KeyedWith,
};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

/// RC5-32, with a key of up to 255 bytes.
#[derive(Clone)]
pub struct Rc5 {
    kernel: Kernel,
    rounds: NonZeroU8,
    keys: [[u32; 2]; 256],
}

debug!([] Rc5, "Rc5");

type Block = [u8; 8];

/// The table S: a pair of keys before the first round, and a pair of keys for each round.
type Keys = [[u32; 2]];

/// The number of rounds that [`Keyed::from_slice`] uses.
const ROUNDS: NonZeroU8 = NonZeroU8::new(12).unwrap();

/// The number of blocks that the portable kernel encrypts at once.
const LANES: usize = 4;

/// The constant P, [RC5](self) §4.3: the number e − 2 in binary, made odd.
const P: u32 = 0xb7e1_5163;
/// The constant Q, [RC5](self) §4.3: the golden ratio minus one in binary, made odd.
const Q: u32 = 0x9e37_79b9;

/// The initial values of the table S, [RC5](self) §4.3.
static PROGRESSION: [[u32; 2]; 256] = {
    let mut keys = [[0; 2]; 256];
    let mut i = 0;
    while i < 512 {
        keys[i / 2][i % 2] = P.wrapping_add(Q.wrapping_mul(i as u32));
        i += 1;
    }
    keys
};

/// Encrypts `N` blocks, [RC5](self) §4.1.
#[inline(always)]
fn encrypt<const N: usize>(keys: &Keys, blocks: [Block; N]) -> [Block; N] {
    let [mut a, mut b] = split(blocks);
    let Some(([s, t], rounds)) = keys.split_first() else {
        return blocks;
    };
    for n in 0..N {
        (a[n], b[n]) = (a[n].wrapping_add(*s), b[n].wrapping_add(*t));
    }
    for [s, t] in rounds {
        for n in 0..N {
            a[n] = (a[n] ^ b[n]).rotate_left(b[n] % 32).wrapping_add(*s);
        }
        for n in 0..N {
            b[n] = (b[n] ^ a[n]).rotate_left(a[n] % 32).wrapping_add(*t);
        }
    }
    join([a, b])
}

/// Decrypts `N` blocks, [RC5](self) §4.2.
#[inline(always)]
fn decrypt<const N: usize>(keys: &Keys, blocks: [Block; N]) -> [Block; N] {
    let [mut a, mut b] = split(blocks);
    let Some(([s, t], rounds)) = keys.split_first() else {
        return blocks;
    };
    for [s, t] in rounds.iter().rev() {
        for n in 0..N {
            b[n] = b[n].wrapping_sub(*t).rotate_right(a[n] % 32) ^ a[n];
        }
        for n in 0..N {
            a[n] = a[n].wrapping_sub(*s).rotate_right(b[n] % 32) ^ b[n];
        }
    }
    for n in 0..N {
        (a[n], b[n]) = (a[n].wrapping_sub(*s), b[n].wrapping_sub(*t));
    }
    join([a, b])
}

#[inline(always)]
fn split<const N: usize>(blocks: [Block; N]) -> [[u32; N]; 2] {
    let mut x = [[0; N]; 2];
    for n in 0..N {
        let both = u64::from_le_bytes(blocks[n]);
        (x[0][n], x[1][n]) = (both as u32, (both >> 32) as u32);
    }
    x
}

#[inline(always)]
fn join<const N: usize>([a, b]: [[u32; N]; 2]) -> [Block; N] {
    let mut blocks = [[0; 8]; N];
    for n in 0..N {
        blocks[n] = (u64::from(b[n]) << 32 | u64::from(a[n])).to_le_bytes();
    }
    blocks
}

fn portable_encrypt(keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
    groups::and_pairs::<LANES, _>(
        blocks,
        |group| encrypt(keys, group),
        |pair| encrypt(keys, pair),
        |block| encrypt(keys, [block])[0],
    );
}

fn portable_decrypt(keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
    groups::and_pairs::<LANES, _>(
        blocks,
        |group| decrypt(keys, group),
        |pair| decrypt(keys, pair),
        |block| decrypt(keys, [block])[0],
    );
}

kernels! {
    /// The kernels: implementations of RC5 for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

impl Rc5 {
    /// Sets up a key for `rounds` rounds. Without rounds, the ciphertext would be the plaintext
    /// plus two words of the key.
    ///
    /// ```compile_fail,E0308
    /// let cipher = touchstone::block::Rc5::with_rounds(0, &[7; 16]);
    /// ```
    pub fn with_rounds(rounds: NonZeroU8, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::from_slice_with(rounds, key)
    }

    #[inline(always)]
    fn keys(&self) -> &Keys {
        &self.keys[..=usize::from(self.rounds.get())]
    }
}

impl Keyed for Rc5 {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 0, 255);

    /// Sets up a key for 12 rounds.
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::with_kernel_and(kernel, ROUNDS, key)
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        if self.rounds == ROUNDS {
            return self.schedule(key);
        }
        *self = Self::with_kernel(self.kernel, key)?;
        Ok(())
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl KeyedWith for Rc5 {
    /// The number of rounds.
    type Parameter = NonZeroU8;

    fn with_kernel_and(
        kernel: Kernel,
        rounds: NonZeroU8,
        key: &[u8],
    ) -> Result<Self, InvalidKeyLength> {
        let keys = [[0; 2]; 256];
        let mut this = Self {
            kernel,
            rounds,
            keys,
        };
        this.schedule(key)?;
        Ok(this)
    }
}

impl Rc5 {
    fn schedule(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let used = &mut self.keys[..=usize::from(self.rounds.get())];
        match key.try_into() {
            Ok(key) if used.len() > 1 => schedule_usual(key, used),
            _ => schedule_any(key, used.as_flattened_mut()),
        }
        Ok(())
    }
}

/// Computes the key schedule, [RC5](self) §4.3, for keys of 16 bytes and at least one round.
/// The table S is then not shorter than the array L of the key's words. L stays in registers:
/// after each step its words move up by one place, so that each step works on the first word.
fn schedule_usual(key: &[u8; 16], s: &mut Keys) {
    let mut l = [0u32; 4];
    for (word, bytes) in l.iter_mut().zip(key.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    s.copy_from_slice(&PROGRESSION[..s.len()]);
    // `early` is a word of S plus the word before it: the part of the sum that does not depend
    // on the last word of L. The loop passes `early` from pair to pair. Otherwise compilers
    // would add the last word of L before the other terms, which makes the chain of dependent
    // instructions longer.
    let (mut early, mut b) = (s[0][0], 0u32);
    for _ in 0..3 {
        for i in 0..s.len() {
            let next = if i + 1 == s.len() { 0 } else { i + 1 };
            let first = early.wrapping_add(b).rotate_left(3);
            let sum = first.wrapping_add(b);
            let l0 = l[0].wrapping_add(sum).rotate_left(sum % 32);

            let early_too = s[i][1].wrapping_add(first);
            let second = early_too.wrapping_add(l0).rotate_left(3);
            let sum = second.wrapping_add(l0);
            b = l[1].wrapping_add(sum).rotate_left(sum % 32);

            s[i] = [first, second];
            early = s[next][0].wrapping_add(second);
            l = [l[2], l[3], l0, b];
        }
    }
    wipe(&mut l, 0);
}

/// Computes the key schedule, [RC5](self) §4.3, for all key lengths and all numbers of rounds.
pub(super) fn schedule_any(key: &[u8], s: &mut [u32]) {
    let mut l = [0u32; 64];
    for (word, bytes) in l.iter_mut().zip(key.chunks(4)) {
        for byte in bytes.iter().rev() {
            *word = *word << 8 | u32::from(*byte);
        }
    }
    let l = &mut l[..key.len().div_ceil(4).max(1)];
    s.copy_from_slice(&PROGRESSION.as_flattened()[..s.len()]);
    let (mut a, mut b) = (0u32, 0u32);
    let (mut i, mut j) = (0, 0);
    for _ in 0..3 * s.len().max(l.len()) {
        a = s[i].wrapping_add(a).wrapping_add(b).rotate_left(3);
        s[i] = a;
        let sum = a.wrapping_add(b);
        b = l[j].wrapping_add(sum).rotate_left(sum % 32);
        l[j] = b;
        i = if i + 1 == s.len() { 0 } else { i + 1 };
        j = if j + 1 == l.len() { 0 } else { j + 1 };
    }
    wipe(l, 0);
}

impl BlockCipher for Rc5 {
    type Block = Block;
}

impl Sealed for Rc5 {}

impl BlockEncrypt for Rc5 {
    #[inline]
    fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        let keys = self.keys();
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => avx512::encrypt(token, keys, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::encrypt(token, keys, blocks),
            Kernel::Portable => portable_encrypt(keys, blocks),
        }
    }

    #[inline]
    fn encrypt_block(&self, block: &mut Block) {
        [*block] = encrypt(self.keys(), [*block]);
    }
}

impl FusedEncrypt for Rc5 {}

impl BlockDecrypt for Rc5 {
    #[inline]
    fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        let keys = self.keys();
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => avx512::decrypt(token, keys, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::decrypt(token, keys, blocks),
            Kernel::Portable => portable_decrypt(keys, blocks),
        }
    }
}

impl FusedDecrypt for Rc5 {}

impl Drop for Rc5 {
    fn drop(&mut self) {
        let n = usize::from(self.rounds.get());
        wipe(&mut self.keys[..=n], [0; 2]);
    }
}

impl ZeroizeOnDrop for Rc5 {}
