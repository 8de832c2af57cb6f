//! SHACAL-2, by H. Handschuh and D. Naccache, recommended by NESSIE: the compression function
//! of SHA-256 as a block cipher. Blocks of 32 bytes, keys of 16 to 64 bytes.
//!
//! A key shorter than 64 bytes is filled up with zeros, so keys that differ only in zeros at
//! the end are the same key. Every kernel is constant-time.
//!
//! | kernel | needs | blocks at once | technique |
//! |---|---|---|---|
//! | `sha-ni-avx512` | SHA-NI and AVX-512 | 32, or 16 | one block in each lane; SHA-NI encrypts up to eight more |
//! | `sha-ni` | SHA-NI | 4 | SHA-NI encrypts; decryption as `avx2` where the processor has AVX2 |
//! | `avx2` | AVX2 | 8 | one block in each lane, from 3 blocks on |
//! | `portable` | – | 1 | words in registers |
//!
//! - [SHACAL] H. Handschuh, D. Naccache: SHACAL: A Family of Block Ciphers,
//!   submission to NESSIE, 2001
//! - [FIPS180] Secure Hash Standard (SHS), NIST FIPS 180-4, 2015
//!
//! [SHACAL]: https://www.cosic.esat.kuleuven.be/nessie/updatedPhase2Specs/SHACAL/shacal-tweak.pdf
//! [FIPS180]: https://doi.org/10.6028/NIST.FIPS.180-4

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::kernel::kernels;
#[cfg(target_arch = "x86_64")]
use crate::machinery::serial::Mode;
use crate::roots::CUBE_ROOTS;
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, InOutBuf, InvalidKeyLength, KeyLengths, Keyed,
};
use zeroize::ZeroizeOnDrop;

use crate::fuse::unfused;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod shani;

/// SHACAL-2, with a key of 16 to 64 bytes.
#[derive(Clone)]
pub struct Shacal2 {
    kernel: Kernel,
    keys: RoundKeys,
}

debug!([] Shacal2, "Shacal2");

type Block = [u8; 32];

/// The round keys: the message schedule of SHA-256 with its constants added.
type RoundKeys = [u32; 64];

/// The constants of SHA-256, [FIPS180] §4.2.2: the first 32 bits of the fractional parts
/// of the cube roots of the first 64 primes. The hash function uses this table too.
pub(crate) const K: [u32; 64] = {
    let mut k = [0; 64];
    let mut i = 0;
    while i < 64 {
        k[i] = (CUBE_ROOTS[i] >> 32) as u32;
        i += 1;
    }
    k
};

/// Computes the key schedule, [SHACAL] §3: the message schedule of [FIPS180] §6.2.2 step 1,
/// with the key as the message.
fn expand(padded: &[u8; 64], w: &mut RoundKeys) {
    for (w, bytes) in w.iter_mut().zip(padded.as_chunks().0) {
        *w = u32::from_be_bytes(*bytes);
    }
    for t in 16..64 {
        let (w2, w15) = (w[t - 2], w[t - 15]);
        let s1 = w2.rotate_right(17) ^ w2.rotate_right(19) ^ w2 >> 10;
        let s0 = w15.rotate_right(7) ^ w15.rotate_right(18) ^ w15 >> 3;
        w[t] = s1
            .wrapping_add(w[t - 7])
            .wrapping_add(s0)
            .wrapping_add(w[t - 16]);
    }
    for (w, k) in w.iter_mut().zip(K) {
        *w = w.wrapping_add(k);
    }
}

/// One word of each of `N` blocks.
type Lanes<const N: usize> = [u32; N];

/// Computes the two sums of a round, [FIPS180] §6.2.2 step 3: T₁ without h, and T₂. In
/// encryption the arguments are words before the round. In decryption the arguments are the
/// same words after the round, where the words have other names.
#[inline(always)]
fn sums<const N: usize>(
    [a, b, c]: [&Lanes<N>; 3],
    [e, f, g]: [&Lanes<N>; 3],
    key: u32,
) -> [Lanes<N>; 2] {
    let mut t1 = [0; N];
    let mut t2 = [0; N];
    for n in 0..N {
        let sum1 = e[n].rotate_right(6) ^ e[n].rotate_right(11) ^ e[n].rotate_right(25);
        let ch = g[n] ^ (e[n] & (f[n] ^ g[n]));
        t1[n] = sum1.wrapping_add(ch).wrapping_add(key);
        let sum0 = a[n].rotate_right(2) ^ a[n].rotate_right(13) ^ a[n].rotate_right(22);
        let maj = (a[n] & b[n]) ^ (c[n] & (a[n] ^ b[n]));
        t2[n] = sum0.wrapping_add(maj);
    }
    [t1, t2]
}

#[inline(always)]
fn load<const N: usize>(blocks: &[Block; N]) -> [Lanes<N>; 8] {
    let mut words = [[0; N]; 8];
    for n in 0..N {
        for i in 0..8 {
            words[i][n] = u32::from_be_bytes(blocks[n].as_chunks().0[i]);
        }
    }
    words
}

#[inline(always)]
fn store<const N: usize>(words: &[Lanes<N>; 8]) -> [Block; N] {
    let mut blocks = [[0; 32]; N];
    for n in 0..N {
        for i in 0..8 {
            blocks[n].as_chunks_mut().0[i] = words[i][n].to_be_bytes();
        }
    }
    blocks
}

/// Encrypts `N` blocks. Within eight rounds the words only change their names, so no
/// instruction moves them. After eight rounds each word has its own name again.
#[inline(always)]
fn encrypt<const N: usize>(keys: &RoundKeys, blocks: &[Block; N]) -> [Block; N] {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = load(blocks);
    for keys in keys.as_chunks::<8>().0 {
        for &key in keys {
            let [t1, t2] = sums([&a, &b, &c], [&e, &f, &g], key);
            for n in 0..N {
                let t1 = t1[n].wrapping_add(h[n]);
                d[n] = d[n].wrapping_add(t1);
                h[n] = t1.wrapping_add(t2[n]);
            }
            (a, b, c, d, e, f, g, h) = (h, a, b, c, d, e, f, g);
        }
    }
    store(&[a, b, c, d, e, f, g, h])
}

#[inline(always)]
fn decrypt<const N: usize>(keys: &RoundKeys, blocks: &[Block; N]) -> [Block; N] {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = load(blocks);
    for keys in keys.as_chunks::<8>().0.iter().rev() {
        for &key in keys.iter().rev() {
            (h, a, b, c, d, e, f, g) = (a, b, c, d, e, f, g, h);
            let [t1, t2] = sums([&a, &b, &c], [&e, &f, &g], key);
            for n in 0..N {
                let with_h = h[n].wrapping_sub(t2[n]);
                d[n] = d[n].wrapping_sub(with_h);
                h[n] = with_h.wrapping_sub(t1[n]);
            }
        }
    }
    store(&[a, b, c, d, e, f, g, h])
}

/// Processes blocks one after the other. The rounds of one block already use the processor
/// almost fully, and the words of several blocks do not fit into the processor's registers.
fn singly(blocks: InOutBuf<'_, '_, Block>, one: impl Fn(&[Block; 1]) -> [Block; 1]) {
    for mut block in blocks {
        let [output] = one(&[*block.get_in()]);
        *block.get_out() = output;
    }
}

fn portable_encrypt(keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    singly(blocks, |block| encrypt(keys, block));
}

fn portable_decrypt(keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    singly(blocks, |block| decrypt(keys, block));
}

kernels! {
    /// The kernels: implementations of SHACAL-2 for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "sha-ni-avx512" = ShaNiAvx512(cpu::ShaAvx512),
        #[cfg(target_arch = "x86_64")]
        "sha-ni" = ShaNi(cpu::Sha),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

impl Keyed for Shacal2 {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 16, 64);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let mut this = Self {
            kernel,
            keys: [0; 64],
        };
        this.rekey(key)?;
        Ok(this)
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let mut padded = [0; 64];
        padded[..key.len()].copy_from_slice(key);
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::ShaNiAvx512(token) => shani::expand(token.into(), &padded, &mut self.keys),
            #[cfg(target_arch = "x86_64")]
            Kernel::ShaNi(token) => shani::expand(token, &padded, &mut self.keys),
            _ => expand(&padded, &mut self.keys),
        }
        wipe(&mut padded, 0);
        Ok(())
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl BlockCipher for Shacal2 {
    type Block = Block;
}

impl Sealed for Shacal2 {}

impl BlockEncrypt for Shacal2 {
    #[inline]
    fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::ShaNiAvx512(token) => avx512::encrypt(token, &self.keys, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::ShaNi(token) => shani::encrypt(token, &self.keys, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::encrypt(token, &self.keys, blocks),
            Kernel::Portable => portable_encrypt(&self.keys, blocks),
        }
    }
}

impl Shacal2 {
    /// The token of SHA-NI, if the kernel has it.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn sha_ni(&self) -> Option<cpu::Sha> {
        match self.kernel {
            Kernel::ShaNiAvx512(token) => Some(token.into()),
            Kernel::ShaNi(token) => Some(token),
            _ => None,
        }
    }
}

/// Writes the serial modes: by SHA-NI, or in the form for any cipher.
macro_rules! serial {
    ($($method:ident = $Mode:ident, $unfused:ident;)*) => {$(
        #[inline]
        fn $method(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
            #[cfg(target_arch = "x86_64")]
            if let Some(token) = self.sha_ni() {
                return shani::chained(token, &self.keys, Mode::$Mode, chain, blocks);
            }
            unfused::$unfused(self, chain, blocks);
        }
    )*};
}

impl FusedEncrypt for Shacal2 {
    serial! {
        cbc_encrypt_blocks = Cbc, cbc_encrypt;
        cfb_encrypt_blocks = Cfb, cfb_encrypt;
        ofb_blocks = Ofb, ofb;
    }

    #[inline]
    fn cbc_mac_blocks(&self, chain: &mut Block, blocks: &[Block]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.sha_ni() {
            return shani::absorbed(token, &self.keys, chain, blocks);
        }
        unfused::cbc_mac(self, chain, blocks);
    }
}

impl BlockDecrypt for Shacal2 {
    #[inline]
    fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::ShaNiAvx512(token) => avx512::decrypt(token, &self.keys, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::ShaNi(_) => match cpu::Avx2::detect() {
                Some(token) => avx2::decrypt(token, &self.keys, blocks),
                None => portable_decrypt(&self.keys, blocks),
            },
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::decrypt(token, &self.keys, blocks),
            Kernel::Portable => portable_decrypt(&self.keys, blocks),
        }
    }
}

impl FusedDecrypt for Shacal2 {}

impl Drop for Shacal2 {
    fn drop(&mut self) {
        wipe(&mut self.keys, 0);
    }
}

impl ZeroizeOnDrop for Shacal2 {}
