//! Blowfish: blocks of 8 bytes, keys of 1 to 72 bytes. **Outdated**: as blocks have only 64
//! bits, encrypted messages leak information after some gigabytes under one key ([SWEET32]),
//! and the designer advises against the cipher. Blowfish exists here for bcrypt, and for old
//! data that is encrypted with Blowfish.
//!
//! The kernel `avx512` is constant-time for runs of 28 blocks or more, except for a last part
//! of up to 27 blocks. **Everything else is not constant-time**: the S-boxes depend on the key,
//! and secret data is the index of a table in memory.
//!
//! In [BLOWFISH] keys have up to 56 bytes, so that every bit of the key affects every bit of
//! the subkeys. But the array P has 72 bytes, and bcrypt and other programs use keys of up to
//! 72 bytes.
//!
//! A key set-up takes 521 encryptions, one after the other.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 128 | byte-sliced, S-boxes looked up in registers |
//! | `portable` | – | 8, 4 with AVX2 | tables, blocks interleaved |
//!
//! - [BLOWFISH] B. Schneier: Description of a New Variable-Length Key, 64-Bit
//!   Block Cipher (Blowfish), FSE 1993
//! - [SWEET32] K. Bhargavan, G. Leurent: On the Practical (In-)Security of 64-bit
//!   Block Ciphers, CCS 2016
//!
//! [BLOWFISH]: https://www.schneier.com/academic/archives/1994/09/description_of_a_new.html
//! [SWEET32]: https://doi.org/10.1145/2976749.2978423

use zeroize::ZeroizeOnDrop;

use crate::buffer;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::kernel::kernels;
use crate::machinery::extract::{Extract, by_extract, extract_by_kernel};
use crate::machinery::groups;
use crate::machinery::unknown::apart;
use crate::machinery::word_pairs::{self, Mode};
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, InOutBuf, InvalidKeyLength, KeyLengths, Keyed,
};

#[cfg(target_arch = "x86_64")]
mod avx512;
pub mod eks;
#[cfg(target_arch = "x86_64")]
mod four_blocks;
mod pi;

use pi::PI;

/// Blowfish, with a key of 1 to 72 bytes.
#[derive(Clone)]
pub struct Blowfish {
    kernel: Kernel,
    p: [u32; 18],
    s: Boxes,
    /// The S-boxes in the form for the kernel `avx512`. With another kernel this field is
    /// empty.
    #[cfg(target_arch = "x86_64")]
    planes: avx512::Planes,
}

debug!([] Blowfish, "Blowfish");

type Block = [u8; 8];
type Boxes = [[u32; 256]; 4];

/// The initial values of S1 to S4.
const BOXES: Boxes = {
    let mut boxes = [[0; 256]; 4];
    let mut i = 0;
    while i < 4 * 256 {
        boxes[i / 256][i % 256] = PI[18 + i];
        i += 1;
    }
    boxes
};

/// The number of blocks that the portable kernel encrypts at once in most modes. In ECB it
/// encrypts twice as many, which takes 7 % less time for a block.
const LANES: usize = 4;

/// Computes the function F of [BLOWFISH](self) figure 2.
#[inline(always)]
fn f(s: &Boxes, extract: Extract, x: u32) -> u32 {
    let byte = |shift: u32| (x >> shift & 0xff) as usize;
    (s[0][byte(24)].wrapping_add(s[1][extract.byte_2(x)]) ^ s[2][byte(8)])
        .wrapping_add(s[3][byte(0)])
}

/// Computes the Feistel network of [BLOWFISH](self) figure 1, with the keys in the order of
/// use. The halves are in lists of their own: compilers would keep both halves of a block as one
/// number, and take it apart in each round.
///
/// The key of each half is XORed to the half one round before the half is used. For a single
/// block, `apart` prevents compilers from changing the order of the XORs of half, key and
/// function. Another order would make the chain of dependent instructions longer.
#[inline(always)]
fn feistel<const N: usize>(
    s: &Boxes,
    p: &[u32; 18],
    extract: Extract,
    x: [[u32; 2]; N],
) -> [[u32; 2]; N] {
    let mut left = x.map(|[left, _]| apart(left ^ p[0]));
    let mut right = x.map(|[_, right]| apart(right ^ p[1]));
    let early = |half| if N == 1 { apart(half) } else { half };
    for key in &p[2..] {
        for n in 0..N {
            (left[n], right[n]) = (right[n] ^ f(s, extract, left[n]), early(left[n] ^ key));
        }
    }
    core::array::from_fn(|n| [apart(right[n]), apart(left[n])])
}

/// [`feistel`] on one block.
#[inline(always)]
fn single(s: &Boxes, p: &[u32; 18], extract: Extract, x: [u32; 2]) -> [u32; 2] {
    feistel(s, p, extract, [x])[0]
}

/// [`feistel`] on blocks.
#[inline(always)]
fn several<const N: usize>(
    s: &Boxes,
    p: &[u32; 18],
    extract: Extract,
    blocks: [Block; N],
) -> [Block; N] {
    feistel(s, p, extract, blocks.map(word_pairs::words)).map(word_pairs::bytes)
}

/// Replaces P and the S-boxes, two words at a time. Each new pair of words is an encryption:
/// the input is the pair before it XOR `salt(i)`, where `i` is the number of the new pair.
#[inline(always)]
fn replace(p: &mut [u32; 18], s: &mut Boxes, extract: Extract, salt: impl Fn(usize) -> [u32; 2]) {
    let mut x = [0; 2];
    let next = |s: &Boxes, p: &[u32; 18], [l, r]: [u32; 2], i| {
        let [a, b] = salt(i);
        single(s, p, extract, [l ^ a, r ^ b])
    };
    for i in 0..9 {
        x = next(s, p, x, i);
        [p[2 * i], p[2 * i + 1]] = x;
    }
    for i in 0..512 {
        x = next(s, p, x, 9 + i);
        let boxes = s.as_flattened_mut();
        [boxes[2 * i], boxes[2 * i + 1]] = x;
    }
}

impl Blowfish {
    /// Returns P in reverse order, which decryption uses.
    #[inline(always)]
    fn backwards(&self) -> [u32; 18] {
        let mut p = self.p;
        p.reverse();
        p
    }

    /// Encrypts as many blocks as the kernel `avx512` takes, in a mode, or in ECB without a mode.
    /// Returns the rest.
    #[inline(always)]
    fn by_planes<'i, 'o>(
        &self,
        p: &[u32; 18],
        mode: Option<Mode>,
        state: &mut Block,
        data: InOutBuf<'i, 'o, Block>,
    ) -> InOutBuf<'i, 'o, Block> {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) if data.len() >= avx512::LEAST => {
                let (many, few) = word_pairs::sets_and_rest(data, avx512::LEAST);
                avx512::cipher(token, &self.planes, p, mode, state, many);
                few
            }
            _ => data,
        }
    }

    #[inline(always)]
    fn each_block(&self, p: &[u32; 18], data: InOutBuf<'_, '_, Block>) {
        #[cfg(target_arch = "x86_64")]
        if let (Kernel::Portable, Some(token)) = (self.kernel, cpu::Avx2::detect()) {
            let extract = Extract::Bextr(token);
            return groups::and_pairs::<4, _>(
                data,
                |four| {
                    four_blocks::feistel(token, &self.s, p, four.map(word_pairs::words))
                        .map(word_pairs::bytes)
                },
                |pair| several(&self.s, p, extract, pair),
                |block| several(&self.s, p, extract, [block])[0],
            );
        }
        let few = |blocks: InOutBuf<'_, '_, Block>| {
            by_extract!(self.kernel.extract(), |extract| {
                groups::and_pairs::<LANES, _>(
                    blocks,
                    move |group| several(&self.s, p, extract, group),
                    move |pair| several(&self.s, p, extract, pair),
                    move |block| several(&self.s, p, extract, [block])[0],
                );
            });
        };
        if data.len() < 8 {
            // Without the splits below, which move the buffer through memory.
            return few(data);
        }
        let (eights, rest) = buffer::chunks(self.by_planes(p, None, &mut [0; 8], data));
        for mut eight in eights {
            // Registers are short here, and BEXTR needs one for its constant.
            *eight.get_out() = several::<8>(&self.s, p, Extract::Shift, *eight.get_in());
        }
        few(rest);
    }

    #[inline(always)]
    fn mode(&self, mode: Mode, p: &[u32; 18], state: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        #[cfg(target_arch = "x86_64")]
        if let (Kernel::Portable, Some(token)) = (self.kernel, cpu::Avx2::detect()) {
            let extract = Extract::Bextr(token);
            return word_pairs::modes_on_words::<4>(
                mode,
                state,
                blocks,
                |x| four_blocks::feistel(token, &self.s, p, x),
                |x| feistel(&self.s, p, extract, x),
                |x| feistel(&self.s, p, extract, x),
            );
        }
        let blocks = self.by_planes(p, Some(mode), state, blocks);
        by_extract!(
            self.kernel.extract(),
            |extract| word_pairs::modes_on_words::<LANES>(
                mode,
                state,
                blocks,
                |x| feistel(&self.s, p, extract, x),
                |x| feistel(&self.s, p, extract, x),
                |x| feistel(&self.s, p, extract, x),
            )
        );
    }
}

kernels! {
    /// The kernels: implementations of Blowfish for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
    }
}

extract_by_kernel!(Avx512);

impl Keyed for Blowfish {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 1, 72);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let mut this = Self {
            kernel,
            p: [0; 18],
            s: [[0; 256]; 4],
            #[cfg(target_arch = "x86_64")]
            planes: avx512::Planes([[[0; 256]; 4]; 4]),
        };
        this.rekey(key)?;
        Ok(this)
    }

    /// Sets up a key as in [BLOWFISH](self) "Generating the Subkeys".
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        self.s = BOXES;
        let mut bytes = key.iter().cycle();
        for (p, pi) in self.p.iter_mut().zip(PI) {
            let mut word = 0;
            for byte in bytes.by_ref().take(4) {
                word = word << 8 | u32::from(*byte);
            }
            *p = pi ^ word;
        }
        by_extract!(self.kernel.extract(), |extract| {
            replace(&mut self.p, &mut self.s, extract, |_| [0; 2]);
        });
        #[cfg(target_arch = "x86_64")]
        if let Kernel::Avx512(token) = self.kernel {
            avx512::tabulate(token, &self.s, &mut self.planes);
        }
        Ok(())
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl BlockCipher for Blowfish {
    type Block = Block;
}

impl Sealed for Blowfish {}

impl BlockEncrypt for Blowfish {
    #[inline]
    fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.each_block(&self.p, blocks);
    }

    #[inline]
    fn encrypt_block(&self, block: &mut Block) {
        by_extract!(self.kernel.extract(), |extract| {
            [*block] = several(&self.s, &self.p, extract, [*block]);
        });
    }
}

impl FusedEncrypt for Blowfish {
    #[inline]
    fn cbc_encrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        by_extract!(self.kernel.extract(), |extract| {
            word_pairs::chained_words(chain, blocks, |x| single(&self.s, &self.p, extract, x));
        });
    }

    #[inline]
    fn ctr_blocks(&self, counter: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        self.mode(Mode::Ctr, &self.p, counter, blocks);
    }

    crate::fuse::unfused::ctr_bytes_method!();

    #[inline]
    fn cfb_decrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        self.mode(Mode::CfbDecrypt, &self.p, chain, blocks);
    }
}

impl BlockDecrypt for Blowfish {
    #[inline]
    fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.each_block(&self.backwards(), blocks);
    }
}

impl FusedDecrypt for Blowfish {
    #[inline]
    fn cbc_decrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        self.mode(Mode::CbcDecrypt, &self.backwards(), chain, blocks);
    }
}

impl Drop for Blowfish {
    fn drop(&mut self) {
        wipe(&mut self.p, 0);
        wipe(self.s.as_flattened_mut(), 0);
        #[cfg(target_arch = "x86_64")]
        if self.kernel != Kernel::Portable {
            wipe(self.planes.0.as_flattened_mut(), [0; 256]);
        }
    }
}

impl ZeroizeOnDrop for Blowfish {}
