//! KASUMI, the cipher of third-generation mobile networks (algorithms f8 and f9, and A5/3): blocks
//! of 8 bytes, keys of 16. A variant of [MISTY1](super::misty1). **Outdated**, as all ciphers with
//! blocks of 64 bits: messages leak after some gigabytes under one key. [DKS] recovers a key from
//! messages under four related keys within hours.
//!
//! **Not constant-time**: data and key choose the table entries that are read.
//!
//! | kernel | needs | blocks per call |
//! |---|---|---|
//! | `portable` | – | 4 |
//!
//! - [KASUMI] 3GPP TS 35.202: Specification of the 3GPP confidentiality and integrity algorithms,
//!   document 2: KASUMI specification
//! - [DKS] O. Dunkelman, N. Keller, A. Shamir: A Practical-Time Related-Key Attack on the KASUMI
//!   Cryptosystem Used in GSM and 3G Telephony, CRYPTO 2010
//!
//! [KASUMI]: https://www.3gpp.org/dynareport/35202.htm
//! [DKS]: https://doi.org/10.1007/978-3-642-14623-7_21

use zeroize::ZeroizeOnDrop;

use crate::debug::debug;
use crate::machinery::portable::portable_cipher;
use crate::machinery::word_pairs::{bytes, halves, joined, words};
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

mod sboxes;

use sboxes::{S7, S9};

/// KASUMI, with a key of 16 bytes.
#[derive(Clone)]
pub struct Kasumi {
    kernel: Kernel,
    rounds: [RoundKeys; 8],
}

debug!([] Kasumi, "Kasumi");

type Block = [u8; 8];

/// The keys KL, KO and KI of a round.
#[derive(Clone, Copy)]
struct RoundKeys {
    kl: [u16; 2],
    ko: [u16; 3],
    ki: [u16; 3],
}

/// The constants of the key schedule, [KASUMI](self) §4.6.
const C: [u16; 8] = [
    0x0123, 0x4567, 0x89ab, 0xcdef, 0xfedc, 0xba98, 0x7654, 0x3210,
];

/// [KASUMI](self) §4.4.
#[inline(always)]
fn fi(word: u16, key: u16) -> u16 {
    let (nine, seven) = (word >> 7, word & 0x7f);
    let nine = S9[usize::from(nine)] ^ seven;
    let seven = u16::from(S7[usize::from(seven)]) ^ nine & 0x7f;
    let (seven, nine) = (seven ^ key >> 9, nine ^ key & 0x1ff);
    let nine = S9[usize::from(nine)] ^ seven;
    let seven = u16::from(S7[usize::from(seven)]) ^ nine & 0x7f;
    seven << 9 | nine
}

/// [KASUMI](self) §4.3.
#[inline(always)]
fn fo(half: u32, RoundKeys { ko, ki, .. }: &RoundKeys) -> u32 {
    let [mut left, mut right] = halves(half);
    for (ko, ki) in ko.iter().zip(ki) {
        [left, right] = [right, fi(left ^ ko, *ki) ^ right];
    }
    joined([left, right])
}

/// [KASUMI](self) §4.2.
#[inline(always)]
fn fl(half: u32, [k1, k2]: &[u16; 2]) -> u32 {
    let [left, right] = halves(half);
    let right = right ^ (left & k1).rotate_left(1);
    let left = left ^ (right | k2).rotate_left(1);
    joined([left, right])
}

impl Kasumi {
    /// [KASUMI](self) §4.1: FL is before FO in odd rounds, and after FO in even rounds.
    #[inline(always)]
    fn forwards(&self, block: Block) -> Block {
        let [mut left, mut right] = words(block);
        for [odd, even] in self.rounds.as_chunks().0 {
            right ^= fo(fl(left, &odd.kl), odd);
            left ^= fl(fo(right, even), &even.kl);
        }
        bytes([left, right])
    }

    #[inline(always)]
    fn backwards(&self, block: Block) -> Block {
        let [mut left, mut right] = words(block);
        for [odd, even] in self.rounds.as_chunks().0.iter().rev() {
            left ^= fl(fo(right, even), &even.kl);
            right ^= fo(fl(left, &odd.kl), odd);
        }
        bytes([left, right])
    }
}

impl FixedKey for Kasumi {
    type Key = [u8; 16];
}

impl Keyed for Kasumi {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    /// [KASUMI](self) §4.6.
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let key: &[u8; 16] = Self::KEY_LENGTHS.array(key)?;
        let k: [u16; 8] =
            core::array::from_fn(|i| u16::from_be_bytes([key[2 * i], key[2 * i + 1]]));
        let rounds = core::array::from_fn(|i| {
            let plain = |j: usize| k[(i + j) % 8];
            let primed = |j: usize| k[(i + j) % 8] ^ C[(i + j) % 8];
            RoundKeys {
                kl: [plain(0).rotate_left(1), primed(2)],
                ko: [
                    plain(1).rotate_left(5),
                    plain(5).rotate_left(8),
                    plain(6).rotate_left(13),
                ],
                ki: [primed(4), primed(3), primed(7)],
            }
        });
        Ok(Self { kernel, rounds })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

portable_cipher!(Kasumi, Block);

impl Drop for Kasumi {
    fn drop(&mut self) {
        let zeros = RoundKeys {
            kl: [0; 2],
            ko: [0; 3],
            ki: [0; 3],
        };
        wipe(&mut self.rounds, zeros);
    }
}

impl ZeroizeOnDrop for Kasumi {}
