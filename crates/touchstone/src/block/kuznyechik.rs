//! Kuznyechik, the block cipher of GOST R 34.12-2015: blocks of 16 bytes, keys of 32 bytes.
//!
//! The standard defines the S-box by a table and does not explain its origin. Later research
//! found a structure in the S-box ([PERRIN]) that a random S-box does not have. No known attack
//! uses this structure.
//!
//! The portable form looks up secret bytes in tables and is **not constant-time**: an attacker
//! who watches the cache learns about the key. The kernel `avx512` is constant-time for runs of
//! 9 blocks or more, and `avx2` for runs of 24 or more, except for a last part of fewer blocks.
//! Shorter runs, key set-ups and serial modes use the tables.
//!
//! | kernel | needs | blocks at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 64 | byte-sliced, from 9 blocks on; fewer with wide loads from the tables |
//! | `avx2` | AVX2 | 32 | byte-sliced, from 24 blocks on; fewer with wide loads from the tables; serial modes in general registers |
//! | `portable` | – | 2 | sixteen tables of S-box and L in one, 64 KiB a direction |
//!
//! - [RFC7801] GOST R 34.12-2015: Block Cipher "Kuznyechik", 2016
//! - [PERRIN] L. Perrin: Partitions in the S-Box of Streebog and Kuznyechik, 2019
//!
//! [RFC7801]: https://www.rfc-editor.org/rfc/rfc7801
//! [PERRIN]: https://doi.org/10.13154/tosc.v2019.i1.302-329

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
use crate::machinery::both::{InverseOf, both};
use crate::machinery::field::{inverse, power, product};
use crate::machinery::groups::and_singles;
use crate::machinery::planes;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx2_planes;
#[cfg(target_arch = "x86_64")]
mod avx512;

both! {
    /// Kuznyechik, in both directions.
    Kuznyechik = KuznyechikEncrypt, KuznyechikDecrypt;
}

/// Kuznyechik, encryption only.
#[derive(Clone)]
pub struct KuznyechikEncrypt {
    kernel: Kernel,
    keys: RoundKeys,
}

debug!([] KuznyechikEncrypt, "Kuznyechik");

/// Kuznyechik, decryption only.
#[derive(Clone)]
pub struct KuznyechikDecrypt {
    kernel: Kernel,
    keys: RoundKeys,
}

debug!([] KuznyechikDecrypt, "Kuznyechik");

type Block = [u8; 16];

/// A block as a little-endian number.
type State = u128;

/// The round keys K₁ to K₁₀. In the keys for decryption, L⁻¹ has been applied to K₂ to K₁₀.
type RoundKeys = [State; 10];

/// The S-box π, [RFC7801] §4.1.1, in the form of [PERRIN] §3. The hash function Streebog uses
/// the same S-box. Let α be a root of x⁸ + x⁴ + x³ + x² + 1, κ an affine map of four bits, s a
/// permutation of the exponents j modulo 15, and j a number from 1 to 15. Then π takes 0 to
/// κ(0), α¹⁷ʲ to κ(16 − j), and every other αⁱ⁺¹⁷ʲ to κ(16 − i) + α¹⁷ˢ.
pub(crate) const PI: [u8; 256] = {
    const FIELD: u16 = 0x11d;
    const LAMBDA: [u8; 4] = [0x12, 0x26, 0x24, 0x30];
    const S: [u32; 15] = [0, 12, 9, 8, 7, 4, 14, 6, 5, 10, 2, 11, 1, 3, 13];
    const fn kappa(x: usize) -> u8 {
        let mut sum = 0xfc;
        let mut i = 0;
        while i < 4 {
            if x >> i & 1 == 1 {
                sum ^= LAMBDA[i];
            }
            i += 1;
        }
        sum
    }
    let mut pi = [0; 256];
    pi[0] = kappa(0);
    let mut i = 0;
    while i < 17 {
        let mut j = 1;
        while j <= 15 {
            let x = power(2, i + 17 * j, FIELD) as usize;
            pi[x] = match i {
                0 => kappa(16 - j as usize),
                _ => kappa(16 - i as usize) ^ power(2, 17 * S[j as usize % 15], FIELD),
            };
            j += 1;
        }
        i += 1;
    }
    pi
};

const PI_INVERSE: [u8; 256] = inverse(&PI);

/// The factors of the linear function, [RFC7801] §4.1.2, in the field with the modulus
/// x⁸ + x⁷ + x⁶ + x + 1.
const FACTORS: [u8; 16] = [
    148, 32, 133, 16, 194, 192, 1, 251, 1, 192, 194, 16, 133, 32, 148, 1,
];
const FIELD: u16 = 0x1c3;

/// Computes the map L, [RFC7801] §4.2, which is sixteen times the map R, or the inverse of L.
const fn linear(mut a: Block, backwards: bool) -> Block {
    let mut turn = 0;
    while turn < 16 {
        let first = a[0];
        let mut sum = 0;
        let mut i = 0;
        while i < 16 {
            if backwards {
                // The byte that R removed has the factor 1, so the inverse first shifts the
                // bytes and then computes the sum.
                a[i] = if i < 15 { a[i + 1] } else { first };
            }
            sum ^= product(a[i], FACTORS[i], FIELD);
            i += 1;
        }
        if backwards {
            a[15] = sum;
        } else {
            let mut i = 15;
            while i > 0 {
                a[i] = a[i - 1];
                i -= 1;
            }
            a[0] = sum;
        }
        turn += 1;
    }
    a
}

/// A table entry. Its alignment makes each entry lie within one cache line.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Entry(Block);

type Tables = [[Entry; 256]; 16];

/// Returns, for each byte of a block, the part of the next block that depends on this byte:
/// S-box and linear map in one table.
const fn tables(s: &[u8; 256], backwards: bool) -> Tables {
    let mut tables = [[Entry([0; 16]); 256]; 16];
    let mut i = 0;
    while i < 16 {
        let mut column = [0; 16];
        column[i] = 1;
        column = linear(column, backwards);
        // The map is linear, so the image of x is the XOR of the images of the bits of x, which
        // are products of the column.
        let mut sums = [0; 256];
        let mut x = 1;
        while x < 256 {
            if x & (x - 1) == 0 {
                sums[x] = u128::from_le_bytes(column);
                let mut j = 0;
                while j < 16 {
                    column[j] = product(column[j], 2, FIELD);
                    j += 1;
                }
            } else {
                sums[x] = sums[x & (x - 1)] ^ sums[x & x.wrapping_neg()];
            }
            x += 1;
        }
        let mut x = 0;
        while x < 256 {
            tables[i][x] = Entry(sums[s[x] as usize].to_le_bytes());
            x += 1;
        }
        i += 1;
    }
    tables
}

/// The tables for encryption: the S-box, and then the map L.
static FORWARDS: Tables = tables(&PI, false);
/// The tables for decryption: the inverse S-box, and then the map L⁻¹.
static BACKWARDS: Tables = tables(&PI_INVERSE, true);

/// The iteration constants, [RFC7801] §4.3: the map L of the numbers 1, 2, 3 and so on.
const C: [State; 32] = {
    let mut c = [0; 32];
    let mut i = 0;
    while i < 32 {
        let mut number = [0; 16];
        number[15] = i as u8 + 1;
        c[i] = u128::from_le_bytes(linear(number, false));
        i += 1;
    }
    c
};

#[inline(always)]
fn substitute(state: State, s: &[u8; 256]) -> State {
    u128::from_le_bytes(state.to_le_bytes().map(|x| s[usize::from(x)]))
}

/// Applies an S-box and a linear map to a block. Each of two general registers has one half of
/// the block.
#[inline(always)]
fn look_up(tables: &Tables, state: State) -> State {
    let halves = [state as u64, (state >> 64) as u64];
    let mut sums = [0; 2];
    for i in 0..16 {
        let byte = (halves[i / 8] >> (8 * (i % 8))) as u8;
        let (entry, _) = tables[i][usize::from(byte)].0.as_chunks();
        sums[0] ^= u64::from_le_bytes(entry[0]);
        sums[1] ^= u64::from_le_bytes(entry[1]);
    }
    u128::from(sums[1]) << 64 | u128::from(sums[0])
}

/// Computes the key schedule, [RFC7801] §4.5.
#[inline]
fn expand(key: &[u8; 32]) -> RoundKeys {
    let mut keys = [0; 10];
    let (halves, _) = key.as_chunks();
    let (mut a1, mut a0) = (
        u128::from_le_bytes(halves[0]),
        u128::from_le_bytes(halves[1]),
    );
    (keys[0], keys[1]) = (a1, a0);
    for (pair, c) in keys[2..]
        .as_chunks_mut::<2>()
        .0
        .iter_mut()
        .zip(C.as_chunks::<8>().0)
    {
        for &c in c {
            (a1, a0) = (look_up(&FORWARDS, a1 ^ c) ^ a0, a1);
        }
        *pair = [a1, a0];
    }
    keys
}

fn invert(forward: &RoundKeys) -> RoundKeys {
    let mut keys = *forward;
    for key in &mut keys[1..] {
        *key = look_up(&BACKWARDS, substitute(*key, &PI));
    }
    keys
}

/// Encrypts `N` blocks, [RFC7801] §4.4.
#[inline(always)]
fn encrypt<const N: usize>(keys: &RoundKeys, blocks: &[Block; N]) -> [Block; N] {
    let mut state = [0; N];
    for n in 0..N {
        state[n] = u128::from_le_bytes(blocks[n]) ^ keys[0];
    }
    for key in &keys[1..] {
        for n in 0..N {
            state[n] = look_up(&FORWARDS, state[n]) ^ key;
        }
    }
    state.map(u128::to_le_bytes)
}

/// Decrypts `N` blocks, [RFC7801] §4.4. L⁻¹ is linear, so the code applies L⁻¹ to the state and
/// to the key before they are added. L⁻¹ then follows the S⁻¹ of the round before, and one
/// table computes S⁻¹ and L⁻¹ together.
#[inline(always)]
fn decrypt<const N: usize>(keys: &RoundKeys, blocks: &[Block; N]) -> [Block; N] {
    let mut state = [0; N];
    for n in 0..N {
        state[n] = substitute(u128::from_le_bytes(blocks[n]), &PI);
    }
    for key in keys[1..].iter().rev() {
        for n in 0..N {
            state[n] = look_up(&BACKWARDS, state[n]) ^ key;
        }
    }
    state.map(|state| (substitute(state, &PI_INVERSE) ^ keys[0]).to_le_bytes())
}

/// Encrypts by the portable kernel. A function of its own keeps the frame of other kernels' short
/// messages small.
#[inline(never)]
fn encrypt_few(keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    and_singles(
        blocks,
        |two| encrypt::<2>(keys, &two),
        |one| encrypt::<1>(keys, &[one])[0],
    );
}

/// Decrypts by the portable kernel.
#[inline(never)]
fn decrypt_few(keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    and_singles(
        blocks,
        |two| decrypt::<2>(keys, &two),
        |one| decrypt::<1>(keys, &[one])[0],
    );
}

kernels! {
    /// The kernels: implementations of Kuznyechik for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

impl KuznyechikEncrypt {
    #[inline(always)]
    fn single(&self, block: Block) -> Block {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::encrypt_one(token, &self.keys, block),
            _ => encrypt::<1>(&self.keys, &[block])[0],
        }
    }

    /// Encrypts a block of a serial mode.
    #[inline(always)]
    fn chained(&self, block: Block) -> Block {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::encrypt_chained(token, &self.keys, block),
            _ => encrypt::<1>(&self.keys, &[block])[0],
        }
    }
}

impl KuznyechikDecrypt {
    #[inline(always)]
    fn single(&self, block: Block) -> Block {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::decrypt_one(token, &self.keys, block),
            _ => decrypt::<1>(&self.keys, &[block])[0],
        }
    }
}

impl FixedKey for Kuznyechik {
    type Key = [u8; 32];
}

impl FixedKey for KuznyechikEncrypt {
    type Key = [u8; 32];
}

impl Keyed for KuznyechikEncrypt {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(32);

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

impl From<&KuznyechikEncrypt> for KuznyechikDecrypt {
    /// Makes the type for decryption with the same key. This takes less time than a key set-up.
    fn from(forward: &KuznyechikEncrypt) -> Self {
        Self {
            kernel: forward.kernel,
            keys: invert(&forward.keys),
        }
    }
}

impl InverseOf<KuznyechikEncrypt> for KuznyechikDecrypt {}

impl FixedKey for KuznyechikDecrypt {
    type Key = [u8; 32];
}

impl Keyed for KuznyechikDecrypt {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(32);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        KuznyechikEncrypt::with_kernel(kernel, key).map(|forward| Self::from(&forward))
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl BlockCipher for KuznyechikEncrypt {
    type Block = Block;
}

impl Sealed for KuznyechikEncrypt {}

impl BlockCipher for KuznyechikDecrypt {
    type Block = Block;
}

impl Sealed for KuznyechikDecrypt {}

impl BlockEncrypt for KuznyechikEncrypt {
    planes::encrypt_methods!(
        [avx512: Avx512, avx2_planes: Avx2],
        |this, token, run| run(&this.keys),
        |few| match this.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => avx2::encrypt_with_avx512(token.into(), &this.keys, few),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::encrypt(token, &this.keys, few),
            Kernel::Portable => encrypt_few(&this.keys, few),
        },
        |one| this.single(one)
    );
}

impl FusedEncrypt for KuznyechikEncrypt {
    planes::fused_encrypt_methods!(
        [avx512: Avx512, avx2_planes: Avx2],
        |this, token, run| run(&this.keys),
        |one| this.chained(one),
        ctr |counter, few| match this.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) if few.len() > 1 => avx2::ctr(token, &this.keys, counter, few),
            _ => unfused::ctr(this, unfused::next, counter, few),
        }
    );
}

impl BlockDecrypt for KuznyechikDecrypt {
    planes::decrypt_methods!(
        [avx512: Avx512, avx2_planes: Avx2],
        |this, token, run| run(&this.keys),
        |few| match this.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => avx2::decrypt_with_avx512(token.into(), &this.keys, few),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::decrypt(token, &this.keys, few),
            Kernel::Portable => decrypt_few(&this.keys, few),
        },
        |one| this.single(one)
    );
}

impl FusedDecrypt for KuznyechikDecrypt {
    planes::fused_decrypt_methods!([avx512: Avx512, avx2_planes: Avx2], |this, token, run| run(&this.keys));
}

impl Drop for KuznyechikEncrypt {
    fn drop(&mut self) {
        wipe(&mut self.keys, 0);
    }
}

impl Drop for KuznyechikDecrypt {
    fn drop(&mut self) {
        wipe(&mut self.keys, 0);
    }
}

impl ZeroizeOnDrop for KuznyechikEncrypt {}
impl ZeroizeOnDrop for KuznyechikDecrypt {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the first row and the end of the S-box against [RFC7801] §4.1.1, and the maps S
    /// and R against the first examples of §5.2 and §5.3.
    const _: () = {
        const ROW: [u8; 16] = [
            252, 238, 221, 17, 207, 110, 49, 22, 251, 196, 250, 218, 35, 197, 4, 77,
        ];
        let mut x = 0;
        while x < 16 {
            assert!(PI[x] == ROW[x]);
            x += 1;
        }
        assert!(PI[254] == 99 && PI[255] == 182);
    };

    /// Checks constants against [RFC7801] §5.4.
    #[test]
    fn constants_are_those_of_the_standard() {
        assert_eq!(C[0], 0x6ea276726c487ab85d27bd10dd849401u128.swap_bytes());
        assert_eq!(C[1], 0xdc87ece4d890f4b3ba4eb92079cbeb02u128.swap_bytes());
    }

    #[test]
    fn linear_map_has_its_inverse() {
        let block = core::array::from_fn(|i| 17 * i as u8);
        assert_eq!(linear(linear(block, false), true), block);
    }
}
