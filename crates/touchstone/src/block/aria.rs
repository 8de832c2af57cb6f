//! ARIA, a substitution-permutation network and the Korean standard KS X 1213, with RFCs for
//! TLS and IPsec: blocks of 16 bytes, keys of 16, 24 or 32 bytes.
//!
//! The portable form looks up secret bytes in tables and is **not constant-time**: an attacker
//! who watches the cache learns about the key. The kernel `avx512` uses the portable form for
//! runs of less than three blocks.
//!
//! | kernel | needs | blocks at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 with VBMI and GFNI | 64, or 16 or 32 | byte-sliced, S-boxes in AES's field, constant-time |
//! | `avx2-gfni` | AVX2, GFNI | 32, or 8 | byte-sliced, from 3 blocks on; fewer as `portable` |
//! | `avx2-vaes` | AVX2, VAES | 32, or 16 | byte-sliced, from 3 blocks on; fewer as `portable` |
//! | `avx2-aes` | AVX2, AES-NI | 32, or 16 | byte-sliced, from 3 blocks on; fewer as `portable` |
//! | `portable` | – | 2 | a table for each S-box with a first part of the diffusion, 4 KiB |
//!
//! - [ARIA] D. Kwon and others: New Block Cipher: ARIA, 2003
//! - [RFC5794] A Description of the ARIA Encryption Algorithm, 2010
//!
//! [ARIA]: https://doi.org/10.1007/978-3-540-24691-6_32
//! [RFC5794]: https://www.rfc-editor.org/rfc/rfc5794

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
use crate::machinery::both::{InverseOf, both};
use crate::machinery::field::{IDENTITY, inverse, inversion, linear, power};
use crate::machinery::four_words::big;
use crate::machinery::groups::and_singles;
use crate::machinery::planes;
#[cfg(target_arch = "x86_64")]
use gfni::Keys;

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
mod avx2_keys;
#[cfg(target_arch = "x86_64")]
mod avx2_vaes;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512_few_blocks;
#[cfg(target_arch = "x86_64")]
mod avx512_keys;
#[cfg(target_arch = "x86_64")]
mod gfni;
#[cfg(target_arch = "x86_64")]
mod gfni_rows;

/// ARIA with a key of `KEY` bytes, encryption only.
#[derive(Clone)]
pub struct AriaEncrypt<const KEY: usize> {
    kernel: Kernel,
    keys: RoundKeys,
}

debug!([const KEY: usize] AriaEncrypt<KEY>, by_key(["Aria128", "Aria192", "Aria256"], KEY));

/// ARIA with a key of `KEY` bytes, decryption only.
#[derive(Clone)]
pub struct AriaDecrypt<const KEY: usize> {
    kernel: Kernel,
    keys: RoundKeys,
}

debug!([const KEY: usize] AriaDecrypt<KEY>, by_key(["Aria128", "Aria192", "Aria256"], KEY));

both! {
    /// ARIA with a key of `KEY` bytes, in both directions.
    Aria<const KEY: usize> = AriaEncrypt<KEY>, AriaDecrypt<KEY>;
}
/// ARIA with a key of 16 bytes, in both directions.
pub type Aria128 = Aria<16>;
/// ARIA with a key of 24 bytes, in both directions.
pub type Aria192 = Aria<24>;
/// ARIA with a key of 32 bytes, in both directions.
pub type Aria256 = Aria<32>;
/// ARIA with a key of 16 bytes, encryption only.
pub type Aria128Encrypt = AriaEncrypt<16>;
/// ARIA with a key of 24 bytes, encryption only.
pub type Aria192Encrypt = AriaEncrypt<24>;
/// ARIA with a key of 32 bytes, encryption only.
pub type Aria256Encrypt = AriaEncrypt<32>;
/// ARIA with a key of 16 bytes, decryption only.
pub type Aria128Decrypt = AriaDecrypt<16>;
/// ARIA with a key of 24 bytes, decryption only.
pub type Aria192Decrypt = AriaDecrypt<24>;
/// ARIA with a key of 32 bytes, decryption only.
pub type Aria256Decrypt = AriaDecrypt<32>;

type Block = [u8; 16];

/// A block as big-endian words.
type State = [u32; 4];

/// Round keys in the order of use. In the keys for decryption, the diffusion layer A has been
/// applied to all round keys except the first and the last. A is its own inverse.
type RoundKeys = [State; 17];

/// Returns the number of rounds for a key of `key` bytes, [RFC5794] §2.2.
const fn rounds(key: usize) -> usize {
    assert!(key == 16 || key == 24 || key == 32);
    key / 4 + 8
}

/// The S-boxes S₁ and S₂ and their inverses, [ARIA] §2.2. S₁ is the S-box of AES. S₂ uses
/// another power in the same field and another affine map. In the matrices of the maps, the
/// most significant bits are first.
const S: [[u8; 256]; 4] = {
    let s1 = inversion(&IDENTITY, &MAPS[0], FIELD);
    let s2 = inversion(&IDENTITY, &MAPS[1], FIELD);
    [s1, s2, inverse(&s1), inverse(&s2)]
};

/// The modulus of the S-boxes' field, which is the field of AES.
const FIELD: u16 = 0x11b;

/// The affine maps that S₁ and S₂ apply to the inverse of a byte. S₂ is made from x²⁴⁷,
/// which is the eighth power of the inverse, and this power is a linear map.
const MAPS: [[u8; 256]; 2] = {
    const B: [u8; 8] = [
        0b1111_1000,
        0b0111_1100,
        0b0011_1110,
        0b0001_1111,
        0b1000_1111,
        0b1100_0111,
        0b1110_0011,
        0b1111_0001,
    ];
    const C: [u8; 8] = [
        0b1100_1011,
        0b1011_1010,
        0b1000_0001,
        0b0011_0100,
        0b1011_1001,
        0b1110_1011,
        0b1011_1100,
        0b0111_1010,
    ];
    let mut maps = [[0; 256]; 2];
    let mut x = 0;
    while x < 256 {
        maps[0][x] = linear(B, x as u8) ^ 0x63;
        maps[1][x] = linear(C, power(x as u8, 8, FIELD)) ^ 0xe2;
        x += 1;
    }
    maps
};

/// The inverses of [`MAPS`].
#[cfg(target_arch = "x86_64")]
const INVERSE_MAPS: [[u8; 256]; 2] = [inverse(&MAPS[0]), inverse(&MAPS[1])];

/// For each S-box and each input, a word with the output in three of its bytes. The fourth byte
/// is zero: it is the byte to which the S-box is applied. So the word is the step `m` of the
/// diffusion layer ([`sum_of_others`]). S-box *i* is applied to byte *i*; the highest byte is
/// byte 0.
static T: [[u32; 256]; 4] = {
    let mut t = [[0; 256]; 4];
    let mut i = 0;
    while i < 4 {
        let others = 0x01010101 ^ (1u32 << (24 - 8 * i));
        let mut x = 0;
        while x < 256 {
            t[i][x] = S[i][x] as u32 * others;
            x += 1;
        }
        i += 1;
    }
    t
};

/// The constants of [RFC5794] §2.2, which are digits of 1/π. The length of the key determines
/// which constant is the first.
const CK: [u128; 3] = [
    0x517cc1b727220a94fe13abe8fa9a6ee0,
    0x6db14acc9e21c820ff28b1d5ef5de2b0,
    0xdb92371d2126e9700324977504e8c90e,
];

/// Computes the step `M` of the diffusion layer A of [RFC5794] §2.4.3. A consists of four
/// steps, each of which is its own inverse. First, `m` replaces each byte by the XOR of the
/// other bytes of its word. Second, `M`, this function, replaces each word by the XOR of the
/// other words. Third, a permutation of the bytes within words takes byte *i* of words 0, 1, 2
/// and 3 from byte *i* ⊕ 3, 1, 2 and 0. Fourth, `M` is applied again.
#[inline(always)]
fn sum_of_others([a, b, c, d]: State) -> State {
    let (high, low) = (a ^ b, c ^ d);
    [b ^ low, a ^ low, d ^ high, c ^ high]
}

/// Permutes the bytes of a word: byte *i* of the result is byte *i* ⊕ 1 of `x`.
#[inline(always)]
fn turn_1(x: u32) -> u32 {
    x.swap_bytes().rotate_left(16)
}

/// Computes the part of the diffusion layer after the step `m`.
#[inline(always)]
fn diffuse(state: State) -> State {
    let [a, b, c, d] = sum_of_others(state);
    sum_of_others([a.swap_bytes(), turn_1(b), c.rotate_left(16), d])
}

/// Computes the part of the diffusion layer after the step `m`, for a state from [`even`]. In
/// such a state, byte *i* of each word is stored at index *i* ⊕ 2.
#[inline(always)]
fn diffuse_turned(state: State) -> State {
    let [a, b, c, d] = sum_of_others(state);
    sum_of_others([turn_1(a), b.swap_bytes(), c, d.rotate_left(16)])
}

/// Computes the whole diffusion layer A.
#[inline(always)]
fn a(mut state: State) -> State {
    for word in &mut state {
        let sum = *word ^ word.rotate_left(8);
        *word ^= sum ^ sum.rotate_left(16);
    }
    diffuse(state)
}

/// Computes the odd round function FO, [RFC5794] §2.4.1, up to the step `m`. The S-boxes are
/// S₁, S₂ and their inverses.
#[inline(always)]
fn odd(state: State, key: State) -> State {
    let mut sums = [0; 4];
    for i in 0..4 {
        let [b0, b1, b2, b3] = (state[i] ^ key[i]).to_be_bytes().map(usize::from);
        sums[i] = (T[0][b0] ^ T[1][b1]) ^ (T[2][b2] ^ T[3][b3]);
    }
    diffuse(sums)
}

/// Computes the even round function FE, [RFC5794] §2.4.1, up to the step `m`. The S-boxes are
/// the inverses of S₁ and S₂, then S₁ and S₂.
#[inline(always)]
fn even(state: State, key: State) -> State {
    let mut sums = [0; 4];
    for i in 0..4 {
        let [b0, b1, b2, b3] = (state[i] ^ key[i]).to_be_bytes().map(usize::from);
        sums[i] = (T[2][b0] ^ T[3][b1]) ^ (T[0][b2] ^ T[1][b3]);
    }
    diffuse_turned(sums)
}

/// Computes the final round function FF, [RFC5794] §2.4.1. The outputs of the S-boxes are bytes
/// of the tables' entries.
#[inline(always)]
fn last(state: State, key: State, whitening: State) -> State {
    let mut words = [0; 4];
    for i in 0..4 {
        let [b0, b1, b2, b3] = (state[i] ^ key[i]).to_be_bytes().map(usize::from);
        let high = T[2][b0] & 0xff00_0000 | T[3][b1] & 0x00ff_0000;
        let low = T[0][b2] & 0x0000_ff00 | T[1][b3] & 0x0000_00ff;
        words[i] = (high | low) ^ whitening[i];
    }
    words
}

#[inline(always)]
fn words(x: u128) -> State {
    [
        (x >> 96) as u32,
        (x >> 64) as u32,
        (x >> 32) as u32,
        x as u32,
    ]
}

#[inline(always)]
fn number([a, b, c, d]: State) -> u128 {
    u128::from(a) << 96 | u128::from(b) << 64 | u128::from(c) << 32 | u128::from(d)
}

/// Computes the elements W0 to W3 of [RFC5794] §2.2.
#[inline]
fn start<const KEY: usize>(key: &[u8; KEY]) -> [u128; 4] {
    let mut padded = [0; 32];
    padded[..KEY].copy_from_slice(key);
    let word = |at: usize| u128::from_be_bytes(core::array::from_fn(|i| padded[at + i]));
    let (left, right) = (word(0), word(16));
    let first = (KEY - 16) / 8;
    let ck = |i: usize| words(CK[(first + i) % 3]);

    let mut w = [left; 4];
    w[1] = number(odd(words(w[0]), ck(0))) ^ right;
    w[2] = number(even(words(w[1]), ck(1))) ^ w[0];
    w[3] = number(odd(words(w[2]), ck(2))) ^ w[1];
    w
}

/// Computes the round keys of one direction, [RFC5794] §2.2.
#[inline]
fn expand<const KEY: usize, const BACKWARDS: bool>(
    kernel: Kernel,
    key: &[u8; KEY],
    keys: &mut RoundKeys,
) {
    let w = start::<KEY>(key);
    match kernel {
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx512(token) => {
            let all = [w[0], w[1], w[2], w[3], w[0]].map(words);
            avx512_keys::expand::<KEY, BACKWARDS>(token, &all, keys);
        }
        _ => {
            turn_all::<KEY>(&w, keys);
            if BACKWARDS {
                invert::<KEY>(kernel, keys);
            }
        }
    }
}

/// Computes the round keys for encryption from `w`.
fn turn_all<const KEY: usize>(w: &[u128; 4], keys: &mut RoundKeys) {
    // The rotations are: to the right by 19 and 31, and to the left by 61, 31 and 19.
    let keys = &mut keys[..=const { rounds(KEY) }];
    turned::<19>(w, keys, 0);
    turned::<31>(w, keys, 4);
    turned::<{ 128 - 61 }>(w, keys, 8);
    turned::<{ 128 - 31 }>(w, keys, 12);
    turned::<{ 128 - 19 }>(w, keys, 16);
}

/// Computes four round keys from index `first` on, or fewer at the end of `keys`. A round key
/// is an element of `w` XOR the next element rotated right by `RIGHT` bits.
#[inline(always)]
fn turned<const RIGHT: u32>(w: &[u128; 4], keys: &mut [State], first: usize) {
    for i in 0..4 {
        if let Some(key) = keys.get_mut(first + i) {
            *key = words(w[i] ^ w[(i + 1) % 4].rotate_right(RIGHT));
        }
    }
}

/// Makes round keys for decryption from those for encryption.
fn invert<const KEY: usize>(kernel: Kernel, keys: &mut RoundKeys) {
    let last = const { rounds(KEY) };
    keys[..=last].reverse();
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = kernel.avx2() {
        return avx2_keys::diffuse::<KEY>(token, keys);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = kernel;
    for key in &mut keys[1..last] {
        *key = a(*key);
    }
}

/// Encrypts or decrypts `N` blocks, [RFC5794] §2.3.
#[inline(always)]
fn cipher<const KEY: usize, const N: usize>(keys: &RoundKeys, blocks: &[Block; N]) -> [Block; N] {
    let rounds = const { rounds(KEY) };
    let mut state = [[0; 4]; N];
    for n in 0..N {
        state[n] = big(&blocks[n]);
    }
    for i in (0..rounds - 2).step_by(2) {
        for n in 0..N {
            state[n] = odd(state[n], keys[i]);
        }
        for n in 0..N {
            state[n] = even(state[n], keys[i + 1]);
        }
    }
    let mut output = [[0; 16]; N];
    for n in 0..N {
        let state = odd(state[n], keys[rounds - 2]);
        let words = last(state, keys[rounds - 1], keys[rounds]);
        for (bytes, word) in output[n].as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_be_bytes();
        }
    }
    output
}

fn portable<const KEY: usize>(keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    and_singles(
        blocks,
        |two| cipher::<KEY, 2>(keys, &two),
        |one| cipher::<KEY, 1>(keys, &[one])[0],
    );
}

/// Returns the round keys that a key of this length uses.
#[inline(always)]
fn in_use<const KEY: usize>(keys: &RoundKeys) -> &[State] {
    &keys[..=const { rounds(KEY) }]
}

kernels! {
    /// The kernels: implementations of ARIA for different CPU features.
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

#[cfg(target_arch = "x86_64")]
impl Kernel {
    /// Returns the token of AVX2, if the kernel needs AVX2.
    fn avx2(self) -> Option<cpu::Avx2> {
        match self {
            Self::Avx512(token) => Some(token.into()),
            Self::Gfni(token) => Some(token.into()),
            Self::Vaes(token) => Some(token.into()),
            Self::Avx2Aes(token) => Some(token.into()),
            Self::Portable => None,
        }
    }
}

impl<const KEY: usize> FixedKey for Aria<KEY> {
    type Key = [u8; KEY];
}

impl<const KEY: usize> FixedKey for AriaEncrypt<KEY> {
    type Key = [u8; KEY];
}

impl<const KEY: usize> Keyed for AriaEncrypt<KEY> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(KEY);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let keys = [[0; 4]; 17];
        let mut this = Self { kernel, keys };
        this.rekey(key)?;
        Ok(this)
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        let key = Self::KEY_LENGTHS.array(key)?;
        expand::<KEY, false>(self.kernel, key, &mut self.keys);
        Ok(())
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl<const KEY: usize> From<&AriaEncrypt<KEY>> for AriaDecrypt<KEY> {
    /// Makes the type for decryption with the same key. This takes less time than a key set-up.
    fn from(forward: &AriaEncrypt<KEY>) -> Self {
        let (kernel, keys) = (forward.kernel, forward.keys);
        let mut this = Self { kernel, keys };
        invert::<KEY>(this.kernel, &mut this.keys);
        this
    }
}

impl<const KEY: usize> InverseOf<AriaEncrypt<KEY>> for AriaDecrypt<KEY> {
    #[inline]
    fn follow(&mut self, forward: &AriaEncrypt<KEY>) {
        self.keys = forward.keys;
        invert::<KEY>(self.kernel, &mut self.keys);
    }
}

impl<const KEY: usize> FixedKey for AriaDecrypt<KEY> {
    type Key = [u8; KEY];
}

impl<const KEY: usize> Keyed for AriaDecrypt<KEY> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(KEY);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let keys = [[0; 4]; 17];
        let mut this = Self { kernel, keys };
        this.rekey(key)?;
        Ok(this)
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        let key = Self::KEY_LENGTHS.array(key)?;
        expand::<KEY, true>(self.kernel, key, &mut self.keys);
        Ok(())
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl<const KEY: usize> BlockCipher for AriaEncrypt<KEY> {
    type Block = Block;
}

impl<const KEY: usize> Sealed for AriaEncrypt<KEY> {}

impl<const KEY: usize> BlockCipher for AriaDecrypt<KEY> {
    type Block = Block;
}

impl<const KEY: usize> Sealed for AriaDecrypt<KEY> {}

impl<const KEY: usize> BlockEncrypt for AriaEncrypt<KEY> {
    planes::encrypt_methods!(
        [avx512: Avx512, avx512_few_blocks: Avx512, avx2_gfni: Gfni, avx2_gfni_few_blocks: Gfni,
         avx2_vaes: Vaes, avx2_aes_few_blocks: Vaes, avx2_aes: Avx2Aes, avx2_aes_few_blocks: Avx2Aes],
        |this, token, run| Keys::with(token, in_use::<KEY>(&this.keys), run),
        |few| portable::<KEY>(&this.keys, few),
        |one| cipher::<KEY, 1>(&this.keys, &[one])[0]
    );
}

impl<const KEY: usize> FusedEncrypt for AriaEncrypt<KEY> {
    planes::fused_encrypt_methods!(
        [avx512: Avx512, avx512_few_blocks: Avx512, avx2_gfni: Gfni, avx2_gfni_few_blocks: Gfni,
         avx2_vaes: Vaes, avx2_aes_few_blocks: Vaes, avx2_aes: Avx2Aes, avx2_aes_few_blocks: Avx2Aes],
        |this, token, run| Keys::with(token, in_use::<KEY>(&this.keys), run),
        |one| { cipher::<KEY, 1>(&this.keys, &[one])[0] }
    );
}

impl<const KEY: usize> BlockDecrypt for AriaDecrypt<KEY> {
    planes::decrypt_methods!(
        [avx512: Avx512, avx512_few_blocks: Avx512, avx2_gfni: Gfni, avx2_gfni_few_blocks: Gfni,
         avx2_vaes: Vaes, avx2_aes_few_blocks: Vaes, avx2_aes: Avx2Aes, avx2_aes_few_blocks: Avx2Aes],
        |this, token, run| Keys::with(token, in_use::<KEY>(&this.keys), run),
        |few| portable::<KEY>(&this.keys, few),
        |one| cipher::<KEY, 1>(&this.keys, &[one])[0]
    );
}

impl<const KEY: usize> FusedDecrypt for AriaDecrypt<KEY> {
    planes::fused_decrypt_methods!(
        [avx512: Avx512, avx512_few_blocks: Avx512, avx2_gfni: Gfni, avx2_gfni_few_blocks: Gfni,
         avx2_vaes: Vaes, avx2_aes_few_blocks: Vaes, avx2_aes: Avx2Aes, avx2_aes_few_blocks: Avx2Aes],
        |this, token, run| Keys::with(token, in_use::<KEY>(&this.keys), run)
    );
}

impl<const KEY: usize> Drop for AriaEncrypt<KEY> {
    fn drop(&mut self) {
        wipe(&mut self.keys[..=const { rounds(KEY) }], [0; 4]);
    }
}

impl<const KEY: usize> Drop for AriaDecrypt<KEY> {
    fn drop(&mut self) {
        wipe(&mut self.keys[..=const { rounds(KEY) }], [0; 4]);
    }
}

impl<const KEY: usize> ZeroizeOnDrop for AriaEncrypt<KEY> {}
impl<const KEY: usize> ZeroizeOnDrop for AriaDecrypt<KEY> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the first entries of the S-boxes against [RFC5794] §2.4.2.
    const _: () = assert!(S[0][0] == 0x63 && S[0][1] == 0x7c && S[0][2] == 0x77);
    const _: () = assert!(S[1][0] == 0xe2 && S[1][1] == 0x4e && S[1][2] == 0x54);
    const _: () = assert!(S[2][0] == 0x52 && S[2][1] == 0x09 && S[2][2] == 0x6a);
    const _: () = assert!(S[3][0] == 0x30 && S[3][1] == 0x68 && S[3][2] == 0x99);

    #[test]
    fn diffusion_is_that_of_the_standard() {
        // Checks the rows y0 and y15 of [RFC5794] §2.4.3, and that A is its own inverse.
        let y = |i: usize| {
            (0..16).filter(move |j| {
                let x = a(words(1u128 << (120 - 8 * j)));
                number(x) >> (120 - 8 * i) & 1 == 1
            })
        };
        assert!(y(0).eq([3, 4, 6, 8, 9, 13, 14]));
        assert!(y(15).eq([1, 2, 4, 5, 8, 10, 15]));
        let state = [0x00112233, 0x44556677, 0x8899aabb, 0xccddeeff];
        assert_eq!(a(a(state)), state);
    }
}
