//! Eksblowfish: Blowfish with a key schedule that takes a salt and is repeated as often as the
//! caller wants. bcrypt is built on Eksblowfish ([BCRYPT] §5.2). To hash passwords, use bcrypt
//! itself.
//!
//! **Not constant-time**, because [`Blowfish`](super::Blowfish) is not.
//!
//! - [BCRYPT] N. Provos, D. Mazières: A Future-Adaptable Password Scheme, USENIX 1999
//!
//! [BCRYPT]: https://www.usenix.org/legacy/events/usenix99/provos/provos.pdf

use super::{BOXES, Boxes, PI, f, replace, single};
use crate::debug::debug;
use crate::machinery::extract::{Extract, by_extract};
use crate::wipe::wipe;
use zeroize::ZeroizeOnDrop;

/// The state (P and S-boxes) that the key schedule changes.
#[derive(Clone)]
pub struct Eksblowfish {
    p: [u32; 18],
    s: Boxes,
}

debug!([] Eksblowfish, "Eksblowfish");

impl Eksblowfish {
    /// Makes the initial state and expands it once with salt and key: `ExpandKey(state, salt,
    /// key)`. The key has 72 bytes, as many as P. The caller repeats a shorter key as the
    /// password scheme requires.
    #[must_use]
    pub fn new(salt: &[u8; 16], key: &[u8; 72]) -> Self {
        Self::salted(words::<4>(salt), key)
    }

    /// Makes the state as [`new`](Self::new) does, with the long salt of bcrypt_pbkdf.
    #[must_use]
    pub fn with_long_salt(salt: &[u8; 64], key: &[u8; 72]) -> Self {
        Self::salted(words::<16>(salt), key)
    }

    #[inline(always)]
    fn salted<const N: usize>(salt: [u32; N], key: &[u8; 72]) -> Self {
        let mut this = Self {
            p: core::array::from_fn(|i| PI[i]),
            s: BOXES,
        };
        this.add(key);
        by_extract!(Extract::detect(), |extract| {
            replace(&mut this.p, &mut this.s, extract, |i| {
                [salt[2 * i % N], salt[(2 * i + 1) % N]]
            });
        });
        this
    }

    /// Runs the key schedule once more, without a salt: `ExpandKey(state, 0, key)`.
    pub fn expand(&mut self, key: &[u8; 72]) {
        self.add(key);
        by_extract!(Extract::detect(), |extract| {
            replace(&mut self.p, &mut self.s, extract, |_| [0; 2]);
        });
    }

    /// [`expand`](Self::expand)s several states, which wait for each other's memory less than one
    /// alone.
    pub fn expand_several<const N: usize>(states: &mut [Self; N], keys: [&[u8; 72]; N]) {
        for (state, key) in states.iter_mut().zip(keys) {
            state.add(key);
        }
        let mut blocks = [[0; 2]; N];
        for i in 0..9 + 4 * 128 {
            blocks = feistels(states, blocks);
            for (state, [left, right]) in states.iter_mut().zip(blocks) {
                let place = match i {
                    0..9 => &mut state.p[2 * i..2 * i + 2],
                    _ => &mut state.s.as_flattened_mut()[2 * (i - 9)..2 * (i - 9) + 2],
                };
                place.copy_from_slice(&[left, right]);
            }
        }
    }

    /// Encrypts a block `count` times. The block is given as its left and its right half.
    #[must_use]
    pub fn encrypt(&self, block: [u32; 2], count: u32) -> [u32; 2] {
        let (p, s) = (&self.p, &self.s);
        (0..count).fold(block, |block, _| single(s, p, Extract::Shift, block))
    }

    fn add(&mut self, key: &[u8; 72]) {
        let key: [u32; 18] = words(key);
        for (p, key) in self.p.iter_mut().zip(key) {
            *p ^= key;
        }
    }
}

/// Encrypts a block with each state.
#[inline(always)]
fn feistels<const N: usize>(states: &[Eksblowfish; N], mut x: [[u32; 2]; N]) -> [[u32; 2]; N] {
    for ([l, r], state) in x.iter_mut().zip(states) {
        (*l, *r) = (*l ^ state.p[0], *r ^ state.p[1]);
    }
    for i in 2..18 {
        for ([l, r], state) in x.iter_mut().zip(states) {
            let early = *l ^ state.p[i];
            *l = *r ^ f(&state.s, Extract::Shift, *l);
            *r = early;
        }
    }
    x.map(|[l, r]| [r, l])
}

/// Converts bytes to big-endian words.
fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
    let mut words = [0; N];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    words
}

impl Drop for Eksblowfish {
    fn drop(&mut self) {
        wipe(&mut self.p, 0);
        wipe(self.s.as_flattened_mut(), 0);
    }
}

impl ZeroizeOnDrop for Eksblowfish {}
