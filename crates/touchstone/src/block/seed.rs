//! SEED, a Feistel cipher by the Korea Information Security Agency, in ISO/IEC 18033-3: blocks
//! and keys of 16 bytes. Korean certificates use SEED.
//!
//! The portable form looks up secret bytes in tables and is **not constant-time**: an attacker
//! who watches the cache learns about the key. The kernel `avx512` uses the portable form for
//! single blocks.
//!
//! | kernel | needs | blocks at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 with VBMI and GFNI | 64 | word-sliced, S-boxes in AES's field, constant-time |
//! | `avx2-gfni` | AVX2, GFNI | 32, or 8 | word-sliced, from 2 blocks on; one as `portable` |
//! | `avx2-vaes` | AVX2, VAES | 32, or 8 | word-sliced, from 5 blocks on; fewer as `portable` |
//! | `avx2-aes` | AVX2, AES-NI | 32, or 8 | word-sliced, from 5 blocks on; fewer as `portable` |
//! | `portable` | – | 4 | four tables of G, 4 KiB |
//!
//! - [SEED] SEED Algorithm Specification, Korea Information Security Agency, 1998
//! - [RFC4269] The SEED Encryption Algorithm, 2005
//!
//! [SEED]: https://seed.kisa.or.kr/kisa/algorithm/EgovSeedInfo.do
//! [RFC4269]: https://www.rfc-editor.org/rfc/rfc4269

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, FixedKey, InOutBuf, InvalidKeyLength, KeyLengths,
    Keyed,
};
use zeroize::ZeroizeOnDrop;

use crate::fuse::unfused;
use crate::machinery::extract::{Extract, by_extract, extract_by_kernel};
use crate::machinery::field::{IDENTITY, inversion, linear, power};
use crate::machinery::four_words::big;
use crate::machinery::groups::filled;
use crate::machinery::planes;
use crate::machinery::unknown::apart;

#[cfg(target_arch = "x86_64")]
mod aes;
#[cfg(target_arch = "x86_64")]
mod avx2_aes;
#[cfg(target_arch = "x86_64")]
mod avx2_gfni;
#[cfg(target_arch = "x86_64")]
mod avx2_vaes;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod gfni;

/// SEED, with a key of 16 bytes.
#[derive(Clone)]
pub struct Seed {
    kernel: Kernel,
    keys: RoundKeys,
}

debug!([] Seed, "Seed");

type Block = [u8; 16];

/// The keys K₀ and K₁ of each round.
type RoundKeys = [[u32; 2]; 16];

/// The modulus of the S-boxes' field, x⁸ + x⁶ + x⁵ + x + 1.
const FIELD: u16 = 0x163;

/// The affine maps that S₀ and S₁ apply to the inverse of a byte, [SEED] §2.2.2. The
/// S-boxes are made from x²⁴⁷ and x²⁵¹, which are the eighth and the fourth power of the
/// inverse, and these powers are linear maps. The most significant bits are first.
const MAPS: [[u8; 256]; 2] = {
    const A: [[u8; 8]; 2] = [
        [
            0b1000_1010,
            0b1111_1110,
            0b1000_0101,
            0b0100_0010,
            0b0100_0101,
            0b0010_0001,
            0b1000_1000,
            0b0001_0100,
        ],
        [
            0b0100_0101,
            0b1000_0101,
            0b1111_1110,
            0b0010_0001,
            0b1000_1010,
            0b1000_1000,
            0b0100_0010,
            0b0001_0100,
        ],
    ];
    let mut maps = [[0; 256]; 2];
    let mut x = 0;
    while x < 256 {
        maps[0][x] = linear(A[0], power(x as u8, 8, FIELD)) ^ 169;
        maps[1][x] = linear(A[1], power(x as u8, 4, FIELD)) ^ 56;
        x += 1;
    }
    maps
};

/// The S-boxes, [SEED] §2.2.2.
const S: [[u8; 256]; 2] = [
    inversion(&IDENTITY, &MAPS[0], FIELD),
    inversion(&IDENTITY, &MAPS[1], FIELD),
];

/// The masks m₀ to m₃ of G, [RFC4269] §2.2.
const MASKS: [u8; 4] = [0xfc, 0xf3, 0xcf, 0x3f];

/// For each byte of a word, the part of the function G that depends on this byte: S-box and
/// masks in one table, [RFC4269] §2.2. The table for the lowest byte is the first.
static G: [[u32; 256]; 4] = {
    let mut g = [[0; 256]; 4];
    let mut from = 0;
    while from < 4 {
        let mut x = 0;
        while x < 256 {
            let y = S[from % 2][x];
            let mut z = [0; 4];
            let mut to = 0;
            while to < 4 {
                z[to] = y & MASKS[(from + to) % 4];
                to += 1;
            }
            g[from][x] = u32::from_le_bytes(z);
            x += 1;
        }
        from += 1;
    }
    g
};

/// The constants KC of the key schedule, [RFC4269] §2.3: the golden ratio, rotated by one more
/// bit in each round.
const KC: [u32; 16] = {
    let mut kc = [0x9e3779b9u32; 16];
    let mut i = 1;
    while i < 16 {
        kc[i] = kc[i - 1].rotate_left(1);
        i += 1;
    }
    kc
};

/// Computes the function G. It takes two instructions to extract byte 2, and one to extract another
/// byte, so the entry for byte 2 is XORed last.
#[inline(always)]
fn g(x: u32) -> u32 {
    let [x0, x1, x2, x3] = x.to_le_bytes().map(usize::from);
    G[3][x3] ^ G[0][x0] ^ G[1][x1] ^ G[2][x2]
}

#[inline(always)]
fn join(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

#[inline(always)]
fn halves(x: u64) -> [u32; 2] {
    [(x >> 32) as u32, x as u32]
}

/// Computes the key schedule, [RFC4269] §2.3.
#[inline]
fn expand(key: &Block) -> RoundKeys {
    let [mut a, mut b, mut c, mut d] = big(key);
    let mut keys = [[0; 2]; 16];
    for (i, (keys, kc)) in keys.iter_mut().zip(KC).enumerate() {
        keys[0] = g(a.wrapping_add(c).wrapping_sub(kc));
        keys[1] = g(b.wrapping_sub(d).wrapping_add(kc));
        // Each half of the key is rotated as a number of 64 bits.
        if i % 2 == 0 {
            [a, b] = halves(join(a, b).rotate_right(8));
        } else {
            [c, d] = halves(join(c, d).rotate_left(8));
        }
    }
    keys
}

/// Encrypts or decrypts `N` blocks, [RFC4269] §2.1, with the round keys in order or in reverse
/// order.
#[inline(always)]
fn cipher<const BACKWARDS: bool, const N: usize>(
    keys: &RoundKeys,
    blocks: &[Block; N],
) -> [Block; N] {
    let key = |i: usize| keys[if BACKWARDS { 15 - i } else { i }];
    let mut left = [[0; 2]; N];
    let mut right = [[0; 2]; N];
    for n in 0..N {
        let [a, b, c, d] = big(&blocks[n]);
        (left[n], right[n]) = ([a, b], [c, d]);
    }
    for i in (0..16).step_by(2) {
        f(&right, key(i), &mut left);
        f(&left, key(i + 1), &mut right);
    }
    let mut output = [[0; 16]; N];
    for n in 0..N {
        let words = [right[n][0], right[n][1], left[n][0], left[n][1]];
        for (bytes, word) in output[n].as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_be_bytes();
        }
    }
    output
}

/// Computes the function G as [`g`] does, with a shorter chain of dependent instructions.
#[inline(always)]
fn g_in_pairs(extract: Extract, x: u32) -> u32 {
    let [x0, x1, _, x3] = x.to_le_bytes().map(usize::from);
    apart(apart(G[3][x3] ^ G[0][x0]) ^ apart(G[1][x1] ^ G[2][extract.byte_2(x)]))
}

/// Encrypts or decrypts one block, as [`cipher`] does, with a shorter chain of dependent instructions:
/// the first G of a round waits only for the last addition of the round before and one XOR. The
/// other words of this XOR are there earlier.
#[inline(always)]
fn one<const BACKWARDS: bool>(extract: Extract, keys: &RoundKeys, block: Block) -> Block {
    let key = |i: usize| keys[if BACKWARDS { 15 - i } else { i }];
    let g = |x| g_in_pairs(extract, x);
    let [a, b, c, d] = big(&block);
    let (mut to, mut from) = ([a, b], [c, d]);
    let [k0, k1] = key(0);
    let mut input = from[0] ^ from[1] ^ k0 ^ k1;
    for i in 0..16 {
        let [next0, next1] = if i < 15 { key(i + 1) } else { [0; 2] };
        let rest = apart(to[0] ^ to[1] ^ next0 ^ next1);
        let d = g(input);
        let c = g(apart(from[0] ^ key(i)[0]).wrapping_add(d));
        let d = g(d.wrapping_add(c));
        let sum = apart(c.wrapping_add(d));
        input = sum ^ apart(rest ^ d);
        (from, to) = ([to[0] ^ sum, to[1] ^ d], from);
    }
    let mut output = [0; 16];
    let words = [from[0], from[1], to[0], to[1]];
    for (bytes, word) in output.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_be_bytes();
    }
    output
}

/// XORs the function F of one half to the other half, in `N` blocks, [RFC4269] §2.1.
#[inline(always)]
fn f<const N: usize>(from: &[[u32; 2]; N], key: [u32; 2], to: &mut [[u32; 2]; N]) {
    let mut c = [0; N];
    let mut d = [0; N];
    for n in 0..N {
        c[n] = from[n][0] ^ key[0];
        d[n] = g(c[n] ^ from[n][1] ^ key[1]);
    }
    for n in 0..N {
        c[n] = g(c[n].wrapping_add(d[n]));
    }
    for n in 0..N {
        d[n] = g(d[n].wrapping_add(c[n]));
    }
    for n in 0..N {
        to[n][0] ^= c[n].wrapping_add(d[n]);
        to[n][1] ^= d[n];
    }
}

fn portable<const BACKWARDS: bool>(
    extract: Extract,
    keys: &RoundKeys,
    blocks: InOutBuf<'_, '_, Block>,
) {
    filled::<4, 3, _>(
        blocks,
        |four| cipher::<BACKWARDS, 4>(keys, &four),
        |two| cipher::<BACKWARDS, 2>(keys, &two),
        move |block| by_extract!(extract, |extract| one::<BACKWARDS>(extract, keys, block)),
    );
}

kernels! {
    /// The kernels: implementations of SEED for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2-gfni" = Gfni(cpu::Gfni),
        #[cfg(target_arch = "x86_64")]
        "avx2-vaes" = Vaes(cpu::Vaes256),
        #[cfg(target_arch = "x86_64")]
        "avx2-aes" = Avx2Aes(cpu::Avx2Aes),
    }
}

extract_by_kernel!(Avx512 Gfni Vaes Avx2Aes);

impl FixedKey for Seed {
    type Key = [u8; 16];
}

impl Keyed for Seed {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let keys = expand(Self::KEY_LENGTHS.array(key)?);
        Ok(Self { kernel, keys })
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        self.keys = expand(Self::KEY_LENGTHS.array(key)?);
        Ok(())
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl BlockCipher for Seed {
    type Block = Block;
}

impl Sealed for Seed {}

impl BlockEncrypt for Seed {
    planes::encrypt_methods!(
        [avx512: Avx512, avx2_gfni: Gfni, avx2_vaes: Vaes, avx2_aes: Avx2Aes],
        |this, token, run| run(&this.keys),
        |few| portable::<false>(this.kernel.extract(), &this.keys, few),
        |block| by_extract!(this.kernel.extract(), |extract| one::<false>(
            extract, &this.keys, block
        ))
    );
}

impl FusedEncrypt for Seed {
    planes::fused_encrypt_methods!(
        [avx512: Avx512, avx2_gfni: Gfni, avx2_vaes: Vaes, avx2_aes: Avx2Aes],
        |this, token, run| run(&this.keys),
        |block| by_extract!(this.kernel.extract(), |extract| one::<false>(
            extract, &this.keys, block
        ))
    );
}

impl BlockDecrypt for Seed {
    planes::decrypt_methods!(
        [avx512: Avx512, avx2_gfni: Gfni, avx2_vaes: Vaes, avx2_aes: Avx2Aes],
        |this, token, run| run(&this.keys),
        |few| portable::<true>(this.kernel.extract(), &this.keys, few),
        |block| by_extract!(this.kernel.extract(), |extract| one::<true>(
            extract, &this.keys, block
        ))
    );
}

impl FusedDecrypt for Seed {
    planes::fused_decrypt_methods!([avx512: Avx512, avx2_gfni: Gfni, avx2_vaes: Vaes, avx2_aes: Avx2Aes], |this, token, run| run(&this.keys));
}

impl Drop for Seed {
    fn drop(&mut self) {
        wipe(self.keys.as_flattened_mut(), 0);
    }
}

impl ZeroizeOnDrop for Seed {}

#[cfg(test)]
mod tests {
    use super::S;

    /// Checks the first entries of the S-boxes against [RFC4269] appendix A.
    const _: () = assert!(S[0][0] == 0xa9 && S[0][1] == 0x85 && S[0][2] == 0xd6);
    const _: () = assert!(S[1][0] == 0x38 && S[1][1] == 0xe8 && S[1][2] == 0x2d);
}
