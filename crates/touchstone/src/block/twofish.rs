//! Twofish, a finalist of the AES competition with S-boxes that depend on the key: blocks of 16
//! bytes, keys of 16, 24 or 32 bytes.
//!
//! In the kernel `avx512`, runs of five blocks or more are constant-time. In the kernel `avx2`,
//! runs of 24 blocks or more are constant-time. The key set-up of both kernels is
//! constant-time. **Shorter runs, the serial modes, and all of `portable` are not
//! constant-time**: they look bytes up in tables of 4 KiB, at addresses that depend on the
//! data.
//!
//! | kernel | needs | blocks at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 128 | byte-sliced g, word-sliced PHT; all word-sliced for up to 16 blocks; one or two with tables, in assembly |
//! | `avx2` | AVX2 | 64, or 2 | as `avx512`, with shuffles of 16 bytes; for shorter runs tables, in assembly |
//! | `portable` | – | 4 | the four tables of "full keying" |
//!
//! - [TWOFISH] B. Schneier, J. Kelsey, D. Whiting, D. Wagner, C. Hall, N. Ferguson:
//!   Twofish, a 128-bit block cipher, 1998
//!
//! [TWOFISH]: https://www.schneier.com/wp-content/uploads/2016/02/paper-twofish-paper.pdf

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{InvalidKeyLength, KeyLengths, Keyed};
use zeroize::ZeroizeOnDrop;

use crate::machinery::shell::shell;

#[cfg(target_arch = "x86_64")]
mod assembly;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx2_and_avx512;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512_few_blocks;
mod portable;

/// Twofish, with a key of 16, 24 or 32 bytes.
#[derive(Clone)]
pub struct Twofish {
    kernel: Kernel,
    keys: Keys,
}

debug!([] Twofish, "Twofish");

type Block = [u8; 16];

/// The values that the key set-up computes.
#[derive(Clone)]
struct Keys {
    /// The subkeys K₀ to K₃₉ of the paper.
    words: [u32; 40],
    /// The tables of the function g, which include the MDS matrix: g is the XOR of one entry of
    /// each table.
    tables: [[u32; 256]; 4],
    /// The S-boxes s₀ to s₃, which depend on the key, without the matrix. The kernels with
    /// lanes use these S-boxes; the portable kernel leaves them empty.
    boxes: [[u8; 256]; 4],
}

impl Keys {
    const ZERO: Self = Self {
        words: [0; 40],
        tables: [[0; 256]; 4],
        boxes: [[0; 256]; 4],
    };
}

/// The four-bit tables of q₀ and q₁, [TWOFISH] §4.3.5.
const T: [[[u8; 16]; 4]; 2] = [
    [
        [8, 1, 7, 13, 6, 15, 3, 2, 0, 11, 5, 9, 14, 12, 10, 4],
        [14, 12, 11, 8, 1, 2, 3, 5, 15, 4, 10, 6, 7, 0, 9, 13],
        [11, 10, 5, 14, 6, 13, 9, 0, 12, 8, 15, 3, 2, 4, 7, 1],
        [13, 7, 15, 4, 1, 2, 6, 14, 9, 11, 3, 0, 8, 5, 12, 10],
    ],
    [
        [2, 8, 11, 13, 15, 7, 6, 14, 3, 1, 9, 4, 0, 10, 12, 5],
        [1, 14, 2, 11, 4, 12, 3, 7, 6, 13, 10, 5, 15, 9, 0, 8],
        [4, 12, 7, 5, 1, 6, 9, 10, 0, 14, 13, 8, 2, 11, 3, 15],
        [11, 9, 5, 1, 12, 3, 13, 14, 6, 4, 7, 15, 2, 0, 8, 10],
    ],
];

/// The permutations q₀ and q₁ of bytes.
static Q: [[u8; 256]; 2] = {
    let mut q = [[0; 256]; 2];
    let mut which = 0;
    while which < 2 {
        let t = &T[which];
        let mut x = 0;
        while x < 256 {
            let (mut a, mut b) = (x as u8 >> 4, x as u8 & 15);
            let mut half = 0;
            while half < 2 {
                let turned = ((b >> 1) | (b << 3)) & 15;
                let (sum, other) = (a ^ b, a ^ turned ^ ((a << 3) & 15));
                a = t[2 * half][sum as usize];
                b = t[2 * half + 1][other as usize];
                half += 1;
            }
            q[which][x] = (b << 4) | a;
            x += 1;
        }
        which += 1;
    }
    q
};

/// For each S-box, the numbers of the permutations q that are applied to its byte, [TWOFISH]
/// figure 2. The first permutation of a row is used only with the longest key.
const STEPS: [[usize; 5]; 4] = [
    [1, 1, 0, 0, 1],
    [0, 1, 1, 0, 0],
    [0, 0, 0, 1, 1],
    [1, 0, 1, 1, 0],
];

/// The MDS matrix, [TWOFISH] §4.2. Row *i* computes byte *i*.
const MDS: [[u8; 4]; 4] = [
    [0x01, 0xef, 0x5b, 0x5b],
    [0x5b, 0xef, 0xef, 0x01],
    [0xef, 0x5b, 0x01, 0xef],
    [0xef, 0x01, 0xef, 0x5b],
];

/// The modulus of the MDS matrix's field: x⁸ + x⁶ + x⁵ + x³ + 1, [TWOFISH] §4.2.
const FIELD: u16 = 0x169;

/// Computes the words S, [TWOFISH] §4.3, in the order in which the function h uses them. All
/// words S together are half as long as the key. The matrix RS computes the remainder of a
/// division by the polynomial x⁴ + (α + 1/α)x³ + αx² + (α + 1/α)x + 1 over GF(2⁸) modulo x⁸ +
/// x⁶ + x³ + x² + 1.
fn fold(key: &[u8]) -> [u32; 4] {
    let mut s = [0; 4];
    let eights = key.as_chunks::<8>().0;
    for (word, eight) in s.iter_mut().zip(eights.iter().rev()) {
        let mut rest = 0u32;
        let number = u64::from_le_bytes(*eight);
        for half in [(number >> 32) as u32, number as u32] {
            rest ^= half;
            for _ in 0..4 {
                let top = rest >> 24;
                let by_alpha = (top << 1) ^ ((top >> 7) * 0x14d);
                let both = by_alpha ^ (top >> 1) ^ ((top & 1) * (0x14d >> 1));
                rest = (rest << 8) ^ (both << 24) ^ (by_alpha << 16) ^ (both << 8) ^ top;
            }
        }
        *word = rest;
    }
    s
}

kernels! {
    /// The kernels: implementations of Twofish for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

impl Keyed for Twofish {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(8, 16, 32);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let mut this = Self {
            kernel,
            keys: Keys::ZERO,
        };
        this.rekey(key)?;
        Ok(this)
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => avx512::expand(token, key, &mut self.keys),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::expand(token, key, &mut self.keys),
            Kernel::Portable => portable::expand(key, &mut self.keys),
        }
        Ok(())
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

shell!(
    Twofish,
    avx512: Avx512 from 9 blocks,
    avx512_few_blocks: Avx512 from 5 blocks,
    avx2: Avx2 from 24 blocks;
    fewer by assembly: Avx512 up to 2 blocks, Avx2 up to 23 blocks
);

impl Drop for Twofish {
    fn drop(&mut self) {
        wipe(&mut self.keys.words, 0);
        wipe(&mut self.keys.tables, [0; 256]);
        if self.kernel != Kernel::Portable {
            wipe(&mut self.keys.boxes, [0; 256]);
        }
    }
}

impl ZeroizeOnDrop for Twofish {}
