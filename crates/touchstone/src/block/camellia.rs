//! Camellia, a Feistel cipher by NTT and Mitsubishi Electric, recommended by NESSIE, CRYPTREC
//! and ISO/IEC 18033-3: blocks of 16 bytes, keys of 16, 24 or 32 bytes.
//!
//! The portable form looks up secret bytes in tables and is **not constant-time**: an attacker
//! who watches the cache learns about the key. The kernel `avx512` is constant-time. But only
//! long runs of blocks use this kernel: single blocks, key set-ups and serial modes use the
//! portable form.
//!
//! | kernel | needs | blocks at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 64, or 16 or 32 | byte-sliced, from 3 blocks on; fewer as `portable` |
//! | `avx2-gfni` | AVX2, GFNI | 32, or 8 or 16 | byte-sliced, from 3 blocks on; fewer as `portable` |
//! | `avx2-vaes` | AVX2, VAES | 32, or 16 | byte-sliced, from 8 blocks on; fewer as `portable` |
//! | `avx2-aes` | AVX2, AES-NI | 64, 32 or 16 | byte-sliced, from 8 blocks on; fewer as `portable` |
//! | `portable` | – | 2 | eight tables of S-box and P in one, 16 KiB |
//!
//! - [CAMELLIA] K. Aoki, T. Ichikawa, M. Kanda, M. Matsui, S. Moriai, J. Nakajima,
//!   T. Tokita: Specification of Camellia, a 128-bit Block Cipher, 2.0, 2001
//! - [RFC3713] A Description of the Camellia Encryption Algorithm, 2004
//!
//! [CAMELLIA]: https://info.isl.ntt.co.jp/crypt/eng/camellia/dl/01espec.pdf
//! [RFC3713]: https://www.rfc-editor.org/rfc/rfc3713

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::{by_key, debug};
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, FixedKey, InOutBuf, InvalidKeyLength, KeyLengths,
    Keyed,
};
use zeroize::ZeroizeOnDrop;

use crate::fuse::unfused;
use crate::machinery::each::each;
use crate::machinery::extract::{Extract, by_extract, extract_by_kernel};
use crate::machinery::field::{inverse, inversion, linear, power, product};
use crate::machinery::groups::and_singles;
use crate::machinery::planes;
use crate::machinery::unknown::apart_64;
#[cfg(target_arch = "x86_64")]
use masks::Scheduled;

#[cfg(target_arch = "x86_64")]
mod aes;
#[cfg(target_arch = "x86_64")]
mod avx2_aes;
#[cfg(target_arch = "x86_64")]
mod avx2_aes_few_blocks;
#[cfg(target_arch = "x86_64")]
mod avx2_gfni;
#[cfg(target_arch = "x86_64")]
mod avx2_gfni_few_blocks;
#[cfg(target_arch = "x86_64")]
mod avx2_vaes;
#[cfg(target_arch = "x86_64")]
mod avx2_vaes_few_blocks;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512_few_blocks;
#[cfg(target_arch = "x86_64")]
mod gfni;
#[cfg(target_arch = "x86_64")]
mod gfni_rows;
#[cfg(target_arch = "x86_64")]
mod masks;

/// Camellia with a key of `KEY` bytes.
#[derive(Clone)]
pub struct Camellia<const KEY: usize> {
    kernel: Kernel,
    keys: Subkeys,
}

debug!([const KEY: usize] Camellia<KEY>, by_key(["Camellia128", "Camellia192", "Camellia256"], KEY));

/// Camellia with a key of 16 bytes.
pub type Camellia128 = Camellia<16>;
/// Camellia with a key of 24 bytes.
pub type Camellia192 = Camellia<24>;
/// Camellia with a key of 32 bytes.
pub type Camellia256 = Camellia<32>;

type Block = [u8; 16];

/// Subkeys in the order of use: first two subkeys kw. Then come groups of six subkeys k, with
/// two subkeys ke before each group except the first group. The last two subkeys are kw in
/// exchanged order. With this order, decryption uses the same subkeys in reverse order.
type Subkeys = [u64; 34];

/// Returns the number of groups of six rounds, for a key of `key` bytes.
const fn groups(key: usize) -> usize {
    assert!(key == 16 || key == 24 || key == 32);
    if key == 16 { 3 } else { 4 }
}

/// The S-box s₁, [CAMELLIA] §4.5: inversion in a field between two affine maps.
const S1: [u8; 256] = inversion(&MAPS[0], &MAPS[1], FIELD);

/// The modulus of the field: β⁸ + β⁶ + β⁵ + β³ + 1 = 0.
const FIELD: u16 = 0x169;

/// The two affine maps before and after the inversion. The inversion works on bytes as
/// polynomials in β, so the first map ends with a conversion to such a polynomial, and the
/// second map begins with the conversion back. In the specification bit 1 is the most
/// significant bit.
const MAPS: [[u8; 256]; 2] = {
    const F: [u8; 8] = [
        0b0100_0100,
        0b1000_0010,
        0b0010_1001,
        0b0010_0001,
        0b0001_0010,
        0b0100_1000,
        0b1000_0001,
        0b0001_0100,
    ];
    const H: [u8; 8] = [
        0b0100_1100,
        0b0100_0100,
        0b0001_0010,
        0b0100_0001,
        0b0010_0010,
        0b1000_0001,
        0b1000_1000,
        0b0010_0100,
    ];
    // The bits of a byte of the specification are coefficients of 1, α, α², α³, β, αβ, α²β and
    // α³β, where α = β²³⁸. `tower` converts such a byte to a polynomial in β.
    const BETA: u8 = 2;
    let alpha = power(BETA, 238, FIELD);
    let mut tower = [0; 256];
    let mut x = 0;
    while x < 256 {
        let mut i = 0;
        while i < 8 {
            if x >> i & 1 == 1 {
                let high = power(BETA, i / 4, FIELD);
                tower[x] ^= product(high, power(alpha, i % 4, FIELD), FIELD);
            }
            i += 1;
        }
        x += 1;
    }
    let from_tower = inverse(&tower);
    let mut maps = [[0; 256]; 2];
    let mut x = 0;
    while x < 256 {
        maps[0][x] = tower[linear(F, x as u8 ^ 0xc5) as usize];
        maps[1][x] = linear(H, from_tower[x]) ^ 0x6e;
        x += 1;
    }
    maps
};

/// Returns the output of an S-box, [RFC3713] §2.4.1. S2 and S3 are S1 with a rotation of the
/// output, and S4 is S1 with a rotation of the input.
const fn s(number: usize, x: u8) -> u8 {
    match number {
        1 => S1[x as usize],
        2 => S1[x as usize].rotate_left(1),
        3 => S1[x as usize].rotate_left(7),
        _ => S1[x.rotate_left(1) as usize],
    }
}

/// The S-boxes of the eight bytes of a half, [RFC3713] §2.4.1.
const BOXES: [usize; 8] = [1, 2, 3, 4, 2, 3, 4, 1];

/// For each byte of the output of P, the bytes of the input whose XOR it is, the first byte as the highest
/// bit, [RFC3713] §2.4.1.
const P: [u8; 8] = [
    0b1011_0111,
    0b1101_1011,
    0b1110_1101,
    0b0111_1110,
    0b1100_0111,
    0b0110_1011,
    0b0011_1101,
    0b1001_1110,
];

/// For each of the eight input bytes of the function F, the part of F's output that depends on
/// this byte: the S-box and the map P in one table, [CAMELLIA] §4.4.
static SP: [[u64; 256]; 8] = {
    let mut sp = [[0; 256]; 8];
    let mut from = 0;
    while from < 8 {
        let mut x = 0;
        while x < 256 {
            let mut to = 0;
            while to < 8 {
                sp[from][x] <<= 8;
                if P[to] >> (7 - from) & 1 == 1 {
                    sp[from][x] |= s(BOXES[from], x as u8) as u64;
                }
                to += 1;
            }
            x += 1;
        }
        from += 1;
    }
    sp
};

/// The constants of the key schedule, [RFC3713] §2.2: the second to seventeenth
/// hexadecimal digits of the square roots of the first six primes.
const SIGMA: [u64; 6] = [
    0xa09e667f3bcc908b,
    0xb67ae8584caa73b2,
    0xc6ef372fe94f82be,
    0x54ff53a5f1d36f1c,
    0x10e527fade682d1d,
    0xb05688c2b3e6c1fd,
];

/// Returns the two halves of a block or a key.
#[inline(always)]
fn halves(x: u128) -> [u64; 2] {
    [(x >> 64) as u64, x as u64]
}

/// Writes pairs of subkeys in order. A pair is given as its source and the number of bits by
/// which the source is rotated. The macro writes a statement for each pair. In a loop, the
/// number of bits would be a variable, and the rotation would be slower.
macro_rules! pairs {
    ($keys:ident: $($from:ident <<< $turn:literal),*) => {{
        let mut pairs = $keys.chunks_exact_mut(2);
        $(if let Some(pair) = pairs.next() {
            pair.copy_from_slice(&halves($from.rotate_left($turn)));
        })*
    }};
}

/// Computes the key schedule, [RFC3713] §2.2. What the standard XORs to a half after a function F is
/// XORed to the other operand of this F here, with the constant of the next F, so that a chain of F has
/// no other steps.
#[inline]
fn expand<const KEY: usize>(extract: Extract, key: &[u8; KEY], keys: &mut Subkeys) {
    let word = |at: usize| u64::from_be_bytes(core::array::from_fn(|i| key[at + i]));
    let join = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
    let kl = join(word(0), word(8));
    let kr = match KEY {
        16 => 0,
        24 => join(word(16), !word(16)),
        _ => join(word(16), word(24)),
    };
    let ([kl1, kl2], [kr1, kr2]) = (halves(kl), halves(kr));
    let f = |other, x| apart_64(xor_f(extract, apart_64(other), x));
    let x = kl1 ^ kr1;
    let d2 = f(kl2 ^ kr2 ^ SIGMA[1], apart_64(x ^ SIGMA[0]));
    let d1 = f(x ^ kl1 ^ SIGMA[2], d2);
    let d2 = f(d2 ^ SIGMA[1] ^ kl2 ^ SIGMA[3], d1);
    let d1 = f(d1 ^ SIGMA[2] ^ kr1 ^ SIGMA[4], d2);
    let [ka1, ka2] = [d1 ^ kr1 ^ SIGMA[4], d2 ^ SIGMA[3]];
    let ka = join(ka1, ka2);
    if KEY == 16 {
        pairs!(keys: kl <<< 0, ka <<< 0, kl <<< 15, ka <<< 15, ka <<< 30, kl <<< 45,
            ka <<< 45, ka <<< 60, kl <<< 77, kl <<< 94, ka <<< 94, kl <<< 111, ka <<< 111);
        // k9 and k10 are the only pair of subkeys whose halves come from two sources.
        keys[13] = halves(kl.rotate_left(60))[1];
    } else {
        let d2 = f(ka2 ^ kr2 ^ SIGMA[5], d1);
        let kb = join(f(ka1 ^ kr1, d2), d2 ^ SIGMA[5]);
        pairs!(keys: kl <<< 0, kb <<< 0, kr <<< 15, ka <<< 15, kr <<< 30, kb <<< 30,
            kl <<< 45, ka <<< 45, kl <<< 60, kr <<< 60, kb <<< 60, kl <<< 77, ka <<< 77,
            kr <<< 94, ka <<< 94, kl <<< 111, kb <<< 111);
    }
    let last = 8 * groups(KEY);
    keys.swap(last, last + 1);
}

/// Returns the XOR of `other` and the function F, [RFC3713] §2.4.1, of `x`, to which the key is
/// already XORed. The order of the XORs makes the chain of dependent instructions short. It takes
/// one instruction to extract byte 0, 4, 6 or 7, and two to extract another byte without BEXTR, so the
/// entries for the other bytes come one cycle later. After them, only three XORs are in the chain.
#[inline(always)]
fn xor_f(extract: Extract, other: u64, x: u64) -> u64 {
    macro_rules! entry {
        ($i:literal) => {
            SP[$i][extract.byte::<{ 7 - $i }>(x)]
        };
    }
    let fourth = SP[4][(x as u32 >> 24) as usize];
    let early = apart_64(apart_64(other ^ entry!(7)) ^ entry!(6)) ^ apart_64(entry!(0) ^ fourth);
    let late = apart_64(entry!(1) ^ entry!(2)) ^ apart_64(entry!(3) ^ entry!(5));
    apart_64(early) ^ apart_64(late)
}

/// Computes the function FL, [RFC3713] §2.4.2.
#[inline(always)]
fn fl(x: u64, key: u64) -> u64 {
    let [mut x1, mut x2] = [(x >> 32) as u32, x as u32];
    let [k1, k2] = [(key >> 32) as u32, key as u32];
    x2 ^= (x1 & k1).rotate_left(1);
    x1 ^= x2 | k2;
    u64::from(x1) << 32 | u64::from(x2)
}

/// Computes the inverse of [`fl`], [RFC3713] §2.4.3.
#[inline(always)]
fn fl_inverse(y: u64, key: u64) -> u64 {
    let [mut y1, mut y2] = [(y >> 32) as u32, y as u32];
    let [k1, k2] = [(key >> 32) as u32, key as u32];
    y1 ^= y2 | k2;
    y2 ^= (y1 & k1).rotate_left(1);
    u64::from(y1) << 32 | u64::from(y2)
}

/// Encrypts or decrypts `N` blocks, [RFC3713] §2.3, with the subkeys in order or in reverse
/// order.
#[inline(always)]
fn cipher<const KEY: usize, const BACKWARDS: bool, const N: usize>(
    extract: Extract,
    keys: &Subkeys,
    blocks: &[Block; N],
) -> [Block; N] {
    let groups = const { groups(KEY) };
    let key = |i: usize| keys[if BACKWARDS { 8 * groups + 1 - i } else { i }];
    let mut d1 = [0; N];
    let mut d2 = [0; N];
    for n in 0..N {
        [d1[n], d2[n]] = halves(u128::from_be_bytes(blocks[n]));
        d1[n] ^= key(0);
        d2[n] ^= key(1);
    }
    for group in 0..groups {
        let first = 8 * group + 2;
        if group != 0 {
            for n in 0..N {
                d1[n] = fl(d1[n], key(first - 2));
                d2[n] = fl_inverse(d2[n], key(first - 1));
            }
        }
        // The key of each half's next round is XORed to the half before the round, so that no
        // XOR with a key stands between one F and the next F.
        for n in 0..N {
            d1[n] ^= key(first);
            d2[n] ^= key(first + 1);
        }
        // Written out: in a loop, each turn would ask whether it is the last one.
        each!(PAIR in 0 2 4 => {
            let round = first + PAIR;
            // `change` removes the key of this round from a half and adds the key of the half's
            // next round. Without `apart_64`, compilers would XOR this change late, which makes
            // the chain longer.
            let change = |i| {
                let next = if PAIR < 4 { key(i + 2) } else { 0 };
                key(i) ^ next
            };
            for n in 0..N {
                d2[n] = xor_f(extract, d2[n], d1[n]);
                d1[n] = apart_64(d1[n] ^ change(round));
            }
            for n in 0..N {
                d1[n] = xor_f(extract, d1[n], d2[n]);
                d2[n] = apart_64(d2[n] ^ change(round + 1));
            }
        });
    }
    let mut output = [[0; 16]; N];
    for n in 0..N {
        let high = d2[n] ^ key(8 * groups + 1);
        let low = d1[n] ^ key(8 * groups);
        output[n] = (u128::from(high) << 64 | u128::from(low)).to_be_bytes();
    }
    output
}

fn portable<const KEY: usize, const BACKWARDS: bool>(
    extract: Extract,
    keys: &Subkeys,
    blocks: InOutBuf<'_, '_, Block>,
) {
    by_extract!(extract, |extract| and_singles(
        blocks,
        |two| cipher::<KEY, BACKWARDS, 2>(extract, keys, &two),
        |one| cipher::<KEY, BACKWARDS, 1>(extract, keys, &[one])[0],
    ));
}

kernels! {
    /// The kernels: implementations of Camellia for different CPU features.
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

impl<const KEY: usize> FixedKey for Camellia<KEY> {
    type Key = [u8; KEY];
}

impl<const KEY: usize> Keyed for Camellia<KEY> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(KEY);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let mut keys = [0; 34];
        let key = Self::KEY_LENGTHS.array(key)?;
        by_extract!(kernel.extract(), |extract| expand::<KEY>(
            extract, key, &mut keys
        ));
        Ok(Self { kernel, keys })
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        let (key, keys) = (Self::KEY_LENGTHS.array(key)?, &mut self.keys);
        by_extract!(self.kernel.extract(), |extract| expand::<KEY>(
            extract, key, keys
        ));
        Ok(())
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl<const KEY: usize> BlockCipher for Camellia<KEY> {
    type Block = Block;
}

impl<const KEY: usize> Sealed for Camellia<KEY> {}

impl<const KEY: usize> BlockEncrypt for Camellia<KEY> {
    planes::encrypt_methods!(
        [avx512: Avx512, avx512_few_blocks: Avx512, avx2_gfni: Gfni, avx2_gfni_few_blocks: Gfni,
         avx2_vaes: Vaes, avx2_vaes_few_blocks: Vaes, avx2_aes: Avx2Aes, avx2_aes_few_blocks: Avx2Aes],
        |this, token, run| token.with::<KEY, false>(&this.keys, run),
        |few| portable::<KEY, false>(this.kernel.extract(), &this.keys, few),
        |one| by_extract!(this.kernel.extract(), |extract| cipher::<KEY, false, 1>(
            extract,
            &this.keys,
            &[one]
        )[0])
    );
}

impl<const KEY: usize> FusedEncrypt for Camellia<KEY> {
    planes::fused_encrypt_methods!(
        [avx512: Avx512, avx512_few_blocks: Avx512, avx2_gfni: Gfni, avx2_gfni_few_blocks: Gfni,
         avx2_vaes: Vaes, avx2_vaes_few_blocks: Vaes, avx2_aes: Avx2Aes, avx2_aes_few_blocks: Avx2Aes],
        |this, token, run| token.with::<KEY, false>(&this.keys, run),
        |one| by_extract!(this.kernel.extract(), |extract| cipher::<KEY, false, 1>(
            extract,
            &this.keys,
            &[one]
        )[0])
    );
}

impl<const KEY: usize> BlockDecrypt for Camellia<KEY> {
    planes::decrypt_methods!(
        [avx512: Avx512, avx512_few_blocks: Avx512, avx2_gfni: Gfni, avx2_gfni_few_blocks: Gfni,
         avx2_vaes: Vaes, avx2_vaes_few_blocks: Vaes, avx2_aes: Avx2Aes, avx2_aes_few_blocks: Avx2Aes],
        |this, token, run| token.with::<KEY, true>(&this.keys, run),
        |few| portable::<KEY, true>(this.kernel.extract(), &this.keys, few),
        |one| by_extract!(this.kernel.extract(), |extract| cipher::<KEY, true, 1>(
            extract,
            &this.keys,
            &[one]
        )[0])
    );
}

impl<const KEY: usize> FusedDecrypt for Camellia<KEY> {
    planes::fused_decrypt_methods!(
        [avx512: Avx512, avx512_few_blocks: Avx512, avx2_gfni: Gfni, avx2_gfni_few_blocks: Gfni,
         avx2_vaes: Vaes, avx2_vaes_few_blocks: Vaes, avx2_aes: Avx2Aes, avx2_aes_few_blocks: Avx2Aes],
        |this, token, run| token.with::<KEY, true>(&this.keys, run)
    );
}

impl<const KEY: usize> Drop for Camellia<KEY> {
    fn drop(&mut self) {
        wipe(&mut self.keys[..const { 8 * groups(KEY) + 2 }], 0);
    }
}

impl<const KEY: usize> ZeroizeOnDrop for Camellia<KEY> {}

#[cfg(test)]
mod tests {
    use super::S1;

    /// Checks the first and the last entries of S1 against [RFC3713] §2.4.1.
    const _: () = assert!(S1[0] == 112 && S1[1] == 130 && S1[2] == 44 && S1[255] == 158);
}
