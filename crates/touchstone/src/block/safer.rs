//! SAFER K and SAFER SK: blocks of 8 bytes, keys of 8 or 16, and operations on bytes only. SK has
//! the stronger key schedule of the two. **Outdated**: keys of 8 bytes can be searched, and because
//! blocks have 64 bits, messages leak after some gigabytes under one key.
//!
//! | type | key in bytes | rounds |
//! |---|---|---|
//! | [`SaferK64`] | 8 | 6 |
//! | [`SaferK128`] | 16 | 10 |
//! | [`SaferSk64`] | 8 | 8 |
//! | [`SaferSk128`] | 16 | 10 |
//!
//! [`Safer::with_rounds`] accepts another number of rounds.
//!
//! **Not constant-time**: data and key choose the table entries that are read.
//!
//! | kernel | needs | blocks per call |
//! |---|---|---|
//! | `portable` | – | 4 |
//!
//! - [SAFERK] J. Massey: SAFER K-64: A Byte-Oriented Block-Ciphering Algorithm, FSE 1993
//! - [SAFERSK] R. De Moliner: the authors' implementation of SAFER K and SAFER SK, 1995, as
//!   LibTomCrypt has it
//!
//! [SAFERK]: https://doi.org/10.1007/3-540-58108-1_1
//! [SAFERSK]: https://github.com/libtom/libtomcrypt/blob/develop/src/ciphers/safer/safer.c

use zeroize::ZeroizeOnDrop;

use crate::debug::debug;
use crate::machinery::field;
use crate::machinery::portable::portable_cipher;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed, KeyedWith};

/// SAFER with a key of `KEY` bytes, 8 or 16, by the strengthened key schedule or by the original
/// one. Another length is a compile error:
///
/// ```compile_fail,E0080
/// let short = <touchstone::block::Safer<4, true> as touchstone::FixedKey>::new(&[7; 4]);
/// ```
#[derive(Clone)]
pub struct Safer<const KEY: usize, const STRENGTHENED: bool> {
    kernel: Kernel,
    rounds: Rounds,
    keys: [Block; 2 * MOST + 1],
}

debug!(
    [const KEY: usize, const STRENGTHENED: bool] Safer<KEY, STRENGTHENED>,
    name(KEY, STRENGTHENED)
);

/// SAFER K-64.
pub type SaferK64 = Safer<8, false>;
/// SAFER K-128.
pub type SaferK128 = Safer<16, false>;
/// SAFER SK-64.
pub type SaferSk64 = Safer<8, true>;
/// SAFER SK-128.
pub type SaferSk128 = Safer<16, true>;

const fn name(key: usize, strengthened: bool) -> &'static str {
    match (key, strengthened) {
        (8, false) => "SaferK64",
        (8, true) => "SaferSk64",
        (_, false) => "SaferK128",
        (_, true) => "SaferSk128",
    }
}

/// The largest number of rounds.
const MOST: usize = 13;

/// The number of rounds, 1 to 13.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rounds(u8);

impl Rounds {
    /// `rounds` rounds, or `None` if the number is not 1 to 13.
    pub const fn new(rounds: usize) -> Option<Self> {
        match rounds {
            1..=MOST => Some(Self(rounds as u8)),
            _ => None,
        }
    }

    /// The number of rounds.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

type Block = [u8; 8];

/// [SAFERK](self): powers of 45 modulo 257. The power 256 is written as 0.
pub(super) static EXP: [u8; 256] = {
    let mut table = [0; 256];
    let (mut power, mut i) = (1u32, 0);
    while i < 256 {
        table[i] = power as u8;
        power = power * 45 % 257;
        i += 1;
    }
    table
};

/// The inverse of [`EXP`].
static LOG: [u8; 256] = field::inverse(&EXP);

/// Whether a byte at this place has the operations of the first byte. Otherwise it has the
/// operations of the second byte. Of each four bytes, the outer two have the operations of the
/// first byte.
const fn outer(place: usize) -> bool {
    matches!(place % 4, 0 | 3)
}

/// The first key addition of a round, which is the output transformation too.
#[inline(always)]
fn add_key<const N: usize>(block: &mut [u8; N], key: &[u8; N]) {
    for i in 0..N {
        block[i] = if outer(i) {
            block[i] ^ key[i]
        } else {
            block[i].wrapping_add(key[i])
        };
    }
}

/// Undoes [`add_key`].
#[inline(always)]
fn remove_key<const N: usize>(block: &mut [u8; N], key: &[u8; N]) {
    for i in 0..N {
        block[i] = if outer(i) {
            block[i] ^ key[i]
        } else {
            block[i].wrapping_sub(key[i])
        };
    }
}

/// The first key addition of a round, the tables, and the second key addition.
#[inline(always)]
fn substitute<const N: usize>(block: &mut [u8; N], [first, second]: &[[u8; N]; 2]) {
    add_key(block, first);
    for i in 0..N {
        let byte = usize::from(block[i]);
        block[i] = if outer(i) {
            EXP[byte].wrapping_add(second[i])
        } else {
            LOG[byte] ^ second[i]
        };
    }
}

/// Undoes [`substitute`].
#[inline(always)]
fn restore<const N: usize>(block: &mut [u8; N], [first, second]: &[[u8; N]; 2]) {
    for i in 0..N {
        block[i] = if outer(i) {
            LOG[usize::from(block[i].wrapping_sub(second[i]))]
        } else {
            EXP[usize::from(block[i] ^ second[i])]
        };
    }
    remove_key(block, first);
}

/// The pseudo-Hadamard transform of each pair of bytes.
#[inline(always)]
pub(super) fn transform<const N: usize>(block: &mut [u8; N]) {
    for [a, b] in block.as_chunks_mut().0 {
        *b = b.wrapping_add(*a);
        *a = a.wrapping_add(*b);
    }
}

/// Undoes [`transform`].
#[inline(always)]
pub(super) fn transform_back<const N: usize>(block: &mut [u8; N]) {
    for [a, b] in block.as_chunks_mut().0 {
        *a = a.wrapping_sub(*b);
        *b = b.wrapping_sub(*a);
    }
}

/// All rounds and the output transformation. `keys` has two keys for each round, and one for the
/// output transformation.
#[inline(always)]
pub(super) fn forwards<const N: usize>(
    keys: &[[u8; N]],
    mut block: [u8; N],
    diffuse: impl Fn(&mut [u8; N]),
) -> [u8; N] {
    let (rounds, last) = keys.as_chunks();
    for keys in rounds {
        substitute(&mut block, keys);
        diffuse(&mut block);
    }
    for key in last {
        add_key(&mut block, key);
    }
    block
}

/// Undoes [`forwards`], with the inverse of `diffuse`.
#[inline(always)]
pub(super) fn backwards<const N: usize>(
    keys: &[[u8; N]],
    mut block: [u8; N],
    diffuse_back: impl Fn(&mut [u8; N]),
) -> [u8; N] {
    let (rounds, last) = keys.as_chunks();
    for key in last {
        remove_key(&mut block, key);
    }
    for keys in rounds.iter().rev() {
        diffuse_back(&mut block);
        restore(&mut block, keys);
    }
    block
}

/// The layers of a round after the tables: three transforms. Between the transforms, the bytes at
/// even places are moved to the front.
#[inline(always)]
fn diffuse(block: &mut Block) {
    transform(block);
    for _ in 0..2 {
        let [a, b, c, d, e, f, g, h] = *block;
        *block = [a, c, e, g, b, d, f, h];
        transform(block);
    }
}

/// Undoes [`diffuse`].
#[inline(always)]
fn diffuse_back(block: &mut Block) {
    transform_back(block);
    for _ in 0..2 {
        let [a, c, e, g, b, d, f, h] = *block;
        *block = [a, b, c, d, e, f, g, h];
        transform_back(block);
    }
}

impl<const KEY: usize, const STRENGTHENED: bool> Safer<KEY, STRENGTHENED> {
    /// Sets a key up for a number of rounds of your choice.
    pub fn with_rounds(rounds: Rounds, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::from_slice_with(rounds, key)
    }

    /// The keys of the rounds, and the key of the output transformation.
    #[inline(always)]
    fn keys(&self) -> &[Block] {
        &self.keys[..=2 * self.rounds.get()]
    }

    #[inline(always)]
    fn forwards(&self, block: Block) -> Block {
        forwards(self.keys(), block, diffuse)
    }

    #[inline(always)]
    fn backwards(&self, block: Block) -> Block {
        backwards(self.keys(), block, diffuse_back)
    }
}

/// The key of a step of the key schedule: eight bytes of a register, rotated and with biases.
fn step_key<const STRENGTHENED: bool>(register: &[u8; 9], step: usize) -> Block {
    // [SAFERSK](self): the strengthened schedule starts one byte further in each step.
    let start = if STRENGTHENED { step } else { 0 };
    core::array::from_fn(|j| {
        let bias = EXP[usize::from(EXP[(9 * step + 10 + j) % 256])];
        register[(start + j) % 9].wrapping_add(bias)
    })
}

impl<const KEY: usize, const STRENGTHENED: bool> FixedKey for Safer<KEY, STRENGTHENED> {
    type Key = [u8; KEY];
}

impl<const KEY: usize, const STRENGTHENED: bool> Keyed for Safer<KEY, STRENGTHENED> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(KEY);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let usual = match (KEY, STRENGTHENED) {
            (8, false) => 6,
            (8, true) => 8,
            _ => 10,
        };
        Self::with_kernel_and(kernel, Rounds(usual), key)
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl<const KEY: usize, const STRENGTHENED: bool> KeyedWith for Safer<KEY, STRENGTHENED> {
    /// The number of rounds.
    type Parameter = Rounds;

    /// [SAFERK](self), [SAFERSK](self).
    fn with_kernel_and(
        kernel: Kernel,
        rounds: Rounds,
        key: &[u8],
    ) -> Result<Self, InvalidKeyLength> {
        const { assert!(KEY == 8 || KEY == 16) };
        Self::KEY_LENGTHS.check(key)?;
        let (mut a, mut b) = ([0; 9], [0; 9]);
        // A short key is used for both halves.
        a[..8].copy_from_slice(&key[..8]);
        b[..8].copy_from_slice(&key[KEY - 8..]);
        a[..8]
            .iter_mut()
            .for_each(|byte| *byte = byte.rotate_left(5));
        // [SAFERSK](self): the ninth byte is the sum of the others.
        for register in [&mut a, &mut b] {
            register[8] = register.iter().fold(0, |sum, byte| sum ^ byte);
        }
        let mut keys = [[0; 8]; 2 * MOST + 1];
        keys[0].copy_from_slice(&b[..8]);
        for round in 1..=rounds.get() {
            for (register, step) in [(&mut a, 2 * round - 1), (&mut b, 2 * round)] {
                register
                    .iter_mut()
                    .for_each(|byte| *byte = byte.rotate_left(6));
                keys[step] = step_key::<STRENGTHENED>(register, step);
            }
        }
        wipe(&mut a, 0);
        wipe(&mut b, 0);
        Ok(Self {
            kernel,
            rounds,
            keys,
        })
    }
}

portable_cipher!([const KEY: usize, const STRENGTHENED: bool] Safer<KEY, STRENGTHENED>, Block);

impl<const KEY: usize, const STRENGTHENED: bool> Drop for Safer<KEY, STRENGTHENED> {
    fn drop(&mut self) {
        wipe(&mut self.keys, [0; 8]);
    }
}

impl<const KEY: usize, const STRENGTHENED: bool> ZeroizeOnDrop for Safer<KEY, STRENGTHENED> {}
