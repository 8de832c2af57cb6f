//! CAST5, also called CAST-128: blocks of 8 bytes, keys of 5 to 16 bytes. **Outdated**, as all
//! ciphers with blocks of 64 bits: encrypted messages leak information after some gigabytes
//! under one key ([SWEET32]). CAST5 exists here for old OpenPGP messages and other old data.
//!
//! Keys of up to 10 bytes use 12 rounds, longer keys use 16 rounds. A key shorter than 16 bytes
//! is filled up with zeros.
//!
//! The kernel `avx512` is constant-time for runs of 23 blocks or more, except for a last part of up to
//! 22 blocks. **Everything else is not constant-time**, the key set-up included: data and key
//! determine which table entries the code reads.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 128 | byte-sliced lookups in registers, sums as words and as bytes |
//! | `portable` | – | 4 | tables, blocks interleaved; with AVX2 as assembly |
//!
//! - [RFC2144] C. Adams: The CAST-128 Encryption Algorithm, RFC 2144, 1997
//! - [SWEET32] K. Bhargavan, G. Leurent: On the Practical (In-)Security of 64-bit
//!   Block Ciphers, CCS 2016
//!
//! [RFC2144]: https://www.rfc-editor.org/rfc/rfc2144
//! [SWEET32]: https://doi.org/10.1145/2976749.2978423

use zeroize::ZeroizeOnDrop;

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::kernel::kernels;
use crate::machinery::groups;
use crate::machinery::unknown::apart;
use crate::machinery::word_pairs::{self, Mode};
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, InOutBuf, InvalidKeyLength, KeyLengths, Keyed,
};

#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
mod boxes;
#[cfg(target_arch = "x86_64")]
mod four_blocks;

use boxes::S;

/// CAST5, with a key of 5 to 16 bytes.
#[derive(Clone)]
pub struct Cast5 {
    kernel: Kernel,
    /// Whether the cipher has 12 rounds with this key. If this is false, the cipher has 16
    /// rounds.
    short: bool,
    keys: Keys,
}

debug!([] Cast5, "Cast5");

type Block = [u8; 8];

/// For each round, the masking key and the rotation key, [RFC2144] §2.1. The stored rotation is
/// 16 more than the rotation of the standard.
type Keys = [(u32, u8); 16];

/// The number of blocks that are encrypted at once.
const LANES: usize = 4;

/// Combines the masking key with the word that enters a round function, [RFC2144](self) §2.2.
#[inline(always)]
fn masked<const TYPE: u8>(mask: u32, d: u32) -> u32 {
    match TYPE {
        1 => mask.wrapping_add(d),
        2 => mask ^ d,
        _ => mask.wrapping_sub(d),
    }
}

/// Computes the rest of the round function of type 1, 2 or 3, [RFC2144](self) §2.2, and XORs it to
/// `other`. Also returns the XOR of the result and `then`.
///
/// For `FEW` blocks, one or two, the order of the operations makes the chain of dependent
/// instructions short. In type 1, two copies of the rotated word give each byte by one instruction.
/// With the mask of a next round of type 2 as `then`, this round does not wait for another XOR.
#[inline(always)]
fn xor_f<const TYPE: u8, const FEW: bool>(
    masked: u32,
    rotation: u8,
    other: u32,
    then: u32,
) -> [u32; 2] {
    let i = masked.rotate_left(u32::from(rotation));
    // The stored rotation is 16 more than the rotation of the standard, so the halves of the
    // word are exchanged. The indices of the first two table entries are then in the two lower
    // bytes. A processor can read these bytes of a register without a shift.
    let byte = |shift: u32| (i >> shift & 0xff) as usize;
    let (a, b) = (S[0][byte(8)], S[1][byte(0)]);
    let f = if TYPE == 1 && FEW {
        let upper = apart(masked).rotate_left(u32::from(rotation ^ 16));
        let upper = |shift: u32| (upper >> shift & 0xff) as usize;
        let (c, d) = (S[2][upper(8)], S[3][upper(0)]);
        apart(a ^ b).wrapping_add(apart(d.wrapping_sub(c)))
    } else {
        let (c, d) = (S[2][byte(24)], S[3][byte(16)]);
        match TYPE {
            1 => (a ^ b).wrapping_sub(c).wrapping_add(d),
            2 if FEW => return [a.wrapping_sub(b).wrapping_add(c) ^ apart(d ^ other), 0],
            2 => a.wrapping_sub(b).wrapping_add(c) ^ d,
            _ => (a.wrapping_add(b) ^ c).wrapping_sub(d),
        }
    };
    if FEW {
        return [other ^ f, apart(other ^ then) ^ f];
    }
    [other ^ f, 0]
}

/// Computes the round function of type 1, 2 or 3.
#[cfg(feature = "cast6")]
#[inline(always)]
pub(super) fn f<const TYPE: u8>(key: (u32, u8), d: u32) -> u32 {
    add_f::<TYPE, false>(key, d, 0)
}

/// Computes the round function of type 1, 2 or 3, and XORs it to `other`. `FEW` is for one block.
#[cfg(feature = "cast6")]
#[inline(always)]
pub(super) fn add_f<const TYPE: u8, const FEW: bool>(
    (mask, rotation): (u32, u8),
    d: u32,
    other: u32,
) -> u32 {
    xor_f::<TYPE, FEW>(masked::<TYPE>(mask, d), rotation, other, 0)[0]
}

/// Computes one round on every block: XORs the function f of one half to the other half. The next
/// round names the halves in the other order, so no half is moved. If the next round is of type 2,
/// `then` is its key.
macro_rules! round {
    ($x:ident, $next:ident, $l:literal ^= f::<$type:literal>($key:expr, $r:literal), then $then:expr) => {
        for n in 0..N {
            let (mask, rotation) = $key;
            let x = if N <= 2 && $type == 2 {
                $next[n]
            } else {
                masked::<$type>(mask, $x[n][$r])
            };
            [$x[n][$l], $next[n]] = if N <= 2 {
                xor_f::<$type, true>(x, rotation, $x[n][$l], $then.0)
            } else {
                xor_f::<$type, false>(x, rotation, $x[n][$l], 0)
            };
        }
    };
    ($x:ident, $next:ident, $l:literal ^= f::<$type:literal>($key:expr, $r:literal)) => {
        round!($x, $next, $l ^= f::<$type>($key, $r), then(0, 0));
    };
}

/// Computes six rounds. After six rounds, the types of the rounds and the names of the halves
/// repeat.
macro_rules! six {
    ($x:ident, $next:ident, $keys:ident, $first:literal) => {
        round!($x, $next, 0 ^= f::<1>($keys[$first], 1), then $keys[$first + 1]);
        round!($x, $next, 1 ^= f::<2>($keys[$first + 1], 0));
        round!($x, $next, 0 ^= f::<3>($keys[$first + 2], 1));
        round!($x, $next, 1 ^= f::<1>($keys[$first + 3], 0), then $keys[$first + 4]);
        round!($x, $next, 0 ^= f::<2>($keys[$first + 4], 1));
        round!($x, $next, 1 ^= f::<3>($keys[$first + 5], 0));
    };
}

/// Computes six rounds of decryption.
macro_rules! six_backwards {
    ($x:ident, $next:ident, $keys:ident, $first:literal) => {
        round!($x, $next, 1 ^= f::<3>($keys[$first + 5], 0), then $keys[$first + 4]);
        round!($x, $next, 0 ^= f::<2>($keys[$first + 4], 1));
        round!($x, $next, 1 ^= f::<1>($keys[$first + 3], 0));
        round!($x, $next, 0 ^= f::<3>($keys[$first + 2], 1), then $keys[$first + 1]);
        round!($x, $next, 1 ^= f::<2>($keys[$first + 1], 0));
        round!($x, $next, 0 ^= f::<1>($keys[$first], 1));
    };
}

/// Encrypts blocks. Each block is given as two words.
#[inline(always)]
fn forwards<const N: usize>(short: bool, keys: &Keys, mut x: [[u32; 2]; N]) -> [[u32; 2]; N] {
    let mut next = [0; N];
    six!(x, next, keys, 0);
    six!(x, next, keys, 6);
    if !short {
        round!(x, next, 0 ^= f::<1>(keys[12], 1), then keys[13]);
        round!(x, next, 1 ^= f::<2>(keys[13], 0));
        round!(x, next, 0 ^= f::<3>(keys[14], 1));
        round!(x, next, 1 ^= f::<1>(keys[15], 0));
    }
    x.map(|[l, r]| [r, l])
}

#[inline(always)]
fn backwards<const N: usize>(short: bool, keys: &Keys, x: [[u32; 2]; N]) -> [[u32; 2]; N] {
    let mut x = x.map(|[r, l]| [l, r]);
    let mut next = [0; N];
    if !short {
        round!(x, next, 1 ^= f::<1>(keys[15], 0));
        round!(x, next, 0 ^= f::<3>(keys[14], 1), then keys[13]);
        round!(x, next, 1 ^= f::<2>(keys[13], 0));
        round!(x, next, 0 ^= f::<1>(keys[12], 1));
    }
    six_backwards!(x, next, keys, 6);
    six_backwards!(x, next, keys, 0);
    x
}

/// Returns byte `i` of the sixteen bytes of four words.
#[inline(always)]
fn byte(words: &[u32; 4], i: usize) -> usize {
    (words[i / 4] >> (24 - 8 * (i % 4)) & 0xff) as usize
}

/// Returns the XOR of the entries of S5 to S8 for four bytes of one array, as in a line of
/// [RFC2144](self) §2.4.
#[inline(always)]
fn sum(words: &[u32; 4], [a, b, c, d]: [usize; 4]) -> u32 {
    S[4][byte(words, a)] ^ S[5][byte(words, b)] ^ S[6][byte(words, c)] ^ S[7][byte(words, d)]
}

/// Returns the XOR of [`sum`] and `early`, in an order that makes the chain of the key schedule
/// short. The bytes belong to a word that may have been computed just before. The highest and the
/// lowest byte take one instruction each, so their entries are XORed to `early`, and those of the other
/// bytes to each other.
#[inline(always)]
fn line(early: u32, words: &[u32; 4], places: [usize; 4]) -> u32 {
    let mut sums = [early, 0];
    for (sum, bytes) in sums.iter_mut().zip([[0, 3], [1, 2]]) {
        for first in bytes {
            for (s, place) in places.into_iter().enumerate() {
                if place % 4 == first {
                    *sum ^= S[4 + s][byte(words, place)];
                }
            }
        }
    }
    apart(sums[0]) ^ apart(sums[1])
}

/// Computes half of the key schedule of [RFC2144](self) §2.4. The first call gives the masking
/// keys, the second call gives the rotation keys. `put` receives each key with its number.
#[inline(always)]
fn half_schedule(x: &mut [u32; 4], mut put: impl FnMut(usize, u32)) {
    let z = &mut [0; 4];
    for half in 0..2 {
        z[0] = line(x[0] ^ S[6][byte(x, 8)], x, [13, 15, 12, 14]);
        z[1] = line(x[2] ^ S[7][byte(x, 10)], z, [0, 2, 1, 3]);
        // `early` is the part of the new x[0] that does not depend on z[2]. The code computes
        // this part first, so that x[0] waits only for z[2].
        let early = line(S[6][byte(z, 0)], z, [5, 7, 4, 6]);
        z[2] = line(x[3] ^ S[4][byte(x, 9)], z, [7, 6, 5, 4]);
        z[3] = line(x[1] ^ S[5][byte(x, 11)], z, [10, 9, 11, 8]);
        let mut put = |i: usize, key: u32| put(8 * half + i, key);
        if half == 0 {
            put(0, sum(z, [8, 9, 7, 6]) ^ S[4][byte(z, 2)]);
            put(1, sum(z, [10, 11, 5, 4]) ^ S[5][byte(z, 6)]);
            put(2, sum(z, [12, 13, 3, 2]) ^ S[6][byte(z, 9)]);
            put(3, sum(z, [14, 15, 1, 0]) ^ S[7][byte(z, 12)]);
        } else {
            put(0, sum(z, [3, 2, 12, 13]) ^ S[4][byte(z, 9)]);
            put(1, sum(z, [1, 0, 14, 15]) ^ S[5][byte(z, 12)]);
            put(2, sum(z, [7, 6, 8, 9]) ^ S[6][byte(z, 2)]);
            put(3, sum(z, [5, 4, 10, 11]) ^ S[7][byte(z, 6)]);
        }
        x[0] = early ^ z[2];
        x[1] = line(z[0] ^ S[7][byte(z, 2)], x, [0, 2, 1, 3]);
        x[2] = line(z[1] ^ S[4][byte(z, 1)], x, [7, 6, 5, 4]);
        x[3] = line(z[3] ^ S[5][byte(z, 3)], x, [10, 9, 11, 8]);
        if half == 0 {
            put(4, sum(x, [3, 2, 12, 13]) ^ S[4][byte(x, 8)]);
            put(5, sum(x, [1, 0, 14, 15]) ^ S[5][byte(x, 13)]);
            put(6, sum(x, [7, 6, 8, 9]) ^ S[6][byte(x, 3)]);
            put(7, sum(x, [5, 4, 10, 11]) ^ S[7][byte(x, 7)]);
        } else {
            put(4, sum(x, [8, 9, 7, 6]) ^ S[4][byte(x, 3)]);
            put(5, sum(x, [10, 11, 5, 4]) ^ S[5][byte(x, 7)]);
            put(6, sum(x, [12, 13, 3, 2]) ^ S[6][byte(x, 8)]);
            put(7, sum(x, [14, 15, 1, 0]) ^ S[7][byte(x, 13)]);
        }
    }
    wipe(z, 0);
}

kernels! {
    /// The kernels: implementations of CAST5 for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
    }
}

impl Keyed for Cast5 {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 5, 16);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let mut this = Self {
            kernel,
            short: false,
            keys: [(0, 0); 16],
        };
        this.rekey(key)?;
        Ok(this)
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let mut bytes = [0; 16];
        bytes[..key.len()].copy_from_slice(key);
        let mut x = [0; 4];
        for (word, bytes) in x.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        let keys = &mut self.keys;
        half_schedule(&mut x, |i, mask| keys[i].0 = mask);
        half_schedule(&mut x, |i, turn| {
            keys[i].1 = (turn as u8).wrapping_add(16) % 32
        });
        wipe(&mut x, 0);
        wipe(&mut bytes, 0);
        self.short = key.len() <= 10;
        Ok(())
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl BlockCipher for Cast5 {
    type Block = Block;
}

impl Sealed for Cast5 {}

impl BlockEncrypt for Cast5 {
    #[inline]
    fn encrypt_blocks(&self, data: InOutBuf<'_, '_, Block>) {
        self.separately::<false>(data);
    }

    #[inline]
    fn encrypt_block(&self, block: &mut Block) {
        *block = word_pairs::bytes(self.words::<false, 1>([word_pairs::words(*block)])[0]);
    }
}

impl FusedEncrypt for Cast5 {
    #[inline]
    fn cbc_encrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        let cipher = |x| forwards(self.short, &self.keys, [x])[0];
        word_pairs::chained_words(chain, blocks, cipher);
    }

    #[inline]
    fn ctr_blocks(&self, counter: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        self.in_mode::<false>(Mode::Ctr, counter, blocks);
    }

    crate::fuse::unfused::ctr_bytes_method!();

    #[inline]
    fn cfb_decrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        self.in_mode::<false>(Mode::CfbDecrypt, chain, blocks);
    }
}

impl BlockDecrypt for Cast5 {
    #[inline]
    fn decrypt_blocks(&self, data: InOutBuf<'_, '_, Block>) {
        self.separately::<true>(data);
    }
}

impl FusedDecrypt for Cast5 {
    #[inline]
    fn cbc_decrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        self.in_mode::<true>(Mode::CbcDecrypt, chain, blocks);
    }
}

impl Cast5 {
    /// Returns the token of [`four_blocks`] on a machine on which it takes less time than the portable form.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn in_assembly(&self) -> Option<cpu::Avx2> {
        match self.kernel {
            Kernel::Portable => cpu::Avx2::detect(),
            Kernel::Avx512(_) => None,
        }
    }

    /// Encrypts or decrypts as many blocks as the kernel `avx512` takes, in a mode, or in ECB without a
    /// mode. Returns the rest.
    #[inline(always)]
    fn by_planes<'i, 'o>(
        &self,
        backwards: bool,
        mode: Option<Mode>,
        state: &mut Block,
        data: InOutBuf<'i, 'o, Block>,
    ) -> InOutBuf<'i, 'o, Block> {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) if data.len() >= avx512::LEAST => {
                let keys = &self.keys[..if self.short { 12 } else { 16 }];
                let (many, few) = word_pairs::sets_and_rest(data, avx512::LEAST);
                avx512::cipher(token, keys, backwards, mode, state, many);
                few
            }
            _ => data,
        }
    }

    /// Encrypts blocks as words, or decrypts them.
    #[inline(always)]
    fn words<const BACKWARDS: bool, const N: usize>(&self, x: [[u32; 2]; N]) -> [[u32; 2]; N] {
        if BACKWARDS {
            backwards(self.short, &self.keys, x)
        } else {
            forwards(self.short, &self.keys, x)
        }
    }

    /// Does the same in assembly.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn four<const BACKWARDS: bool>(&self, token: cpu::Avx2, x: [[u32; 2]; 4]) -> [[u32; 2]; 4] {
        if BACKWARDS {
            four_blocks::backwards(token, self.short, &self.keys, x)
        } else {
            four_blocks::forwards(token, self.short, &self.keys, x)
        }
    }

    /// Encrypts or decrypts blocks separately, of which `group` computes each [`LANES`].
    #[inline(always)]
    fn in_groups<const BACKWARDS: bool>(
        &self,
        blocks: InOutBuf<'_, '_, Block>,
        group: impl Fn([[u32; 2]; LANES]) -> [[u32; 2]; LANES],
    ) {
        use word_pairs::{bytes, words};
        groups::and_pairs::<LANES, _>(
            blocks,
            |blocks| group(blocks.map(words)).map(bytes),
            |pair| self.words::<BACKWARDS, 2>(pair.map(words)).map(bytes),
            |block| self.words::<BACKWARDS, 1>([words(block)]).map(bytes)[0],
        );
    }

    /// Encrypts or decrypts blocks separately.
    #[inline(always)]
    fn separately<const BACKWARDS: bool>(&self, data: InOutBuf<'_, '_, Block>) {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.in_assembly() {
            return self.in_groups::<BACKWARDS>(data, |x| self.four::<BACKWARDS>(token, x));
        }
        let few = |blocks: InOutBuf<'_, '_, Block>| {
            self.in_groups::<BACKWARDS>(blocks, |x| self.words::<BACKWARDS, LANES>(x));
        };
        if data.len() <= 16 {
            // Without the split below, which moves the buffer through memory.
            return few(data);
        }
        few(self.by_planes(BACKWARDS, None, &mut [0; 8], data));
    }

    /// Encrypts or decrypts blocks in a mode.
    #[inline(always)]
    fn in_mode<const BACKWARDS: bool>(
        &self,
        mode: Mode,
        state: &mut Block,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        let (one, two) = (
            |x| self.words::<BACKWARDS, 1>(x),
            |x| self.words::<BACKWARDS, 2>(x),
        );
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.in_assembly() {
            let four = |x| self.four::<BACKWARDS>(token, x);
            return word_pairs::modes_on_words::<LANES>(mode, state, blocks, four, two, one);
        }
        let blocks = self.by_planes(BACKWARDS, Some(mode), state, blocks);
        let group = |x| self.words::<BACKWARDS, LANES>(x);
        word_pairs::modes_on_words::<LANES>(mode, state, blocks, group, two, one);
    }
}

impl Drop for Cast5 {
    fn drop(&mut self) {
        wipe(&mut self.keys, (0, 0));
    }
}

impl ZeroizeOnDrop for Cast5 {}
