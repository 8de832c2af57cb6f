//! The common parts of Camellia's kernels with AES-NI: the rounds on planes, and the keys in the form that
//! the rounds need.
//!
//! The last round of AES with a zero key inverts, applies an affine map, and permutes the bytes of each
//! half of a plane by ShiftRows. The last round of decryption undoes the affine map, inverts, and
//! permutes the bytes back. So the rounds from the first half use encryption, those from the second half
//! decryption, and the second half is always in the order that ShiftRows makes: no round moves bytes
//! back.
//!
//! As in [`gfni`](super::gfni) the halves are stored as images, each XORed with a mask, so that an S-box
//! begins with the AES instruction. The image of the first half is under the affine map before the
//! inversion, that of the second half under this map and the affine map of AES. After the AES
//! instruction one affine map, which takes two byte shuffles, leads to an output of the S-box in the image
//! of the other half.
//!
//! A round has 8 AES instructions for 16 blocks, 20 byte shuffles and 72 simple instructions, and the same
//! for 32 blocks with VAES. With AES-NI, planes of 32 bytes take 16 AES instructions, and 16 instructions
//! that divide and join planes. The chain of a round is long, so two sets of such planes take turns.
#![allow(unsafe_code)]

use super::Subkeys;
use super::gfni::S1;
use super::masks::{self, Mask, Place, Scheduled, scheduled, spread};
use crate::cpu::{Avx2Aes, Vaes256};
use crate::machinery::field::{AES_MAP, Nibbles, inverse, multiples, nibbles};
use crate::simd::{U8x32, U32x8, U64x4};

/// For each half, the affine map before its AES instruction.
const FIRST: [[u8; 256]; 2] = {
    let first = S1.before.table();
    let mut second = first;
    let mut x = 0;
    while x < 256 {
        second[x] = AES_MAP[first[x] as usize];
        x += 1;
    }
    [first, second]
};

/// For each half, the map from bytes to their images, which is [`FIRST`] without its constant.
const IMAGES: [[u8; 256]; 2] = {
    let mut tables = FIRST;
    let mut x = 0;
    while x < 256 {
        tables[0][x] ^= FIRST[0][0];
        tables[1][x] ^= FIRST[1][0];
        x += 1;
    }
    tables
};

const BACK: [[u8; 256]; 2] = [inverse(&IMAGES[0]), inverse(&IMAGES[1])];

/// For each half, eight times the byte whose image is the constant of [`FIRST`]. The round keys contain
/// this byte.
const BEFORE: [u64; 2] = [
    u64::from_ne_bytes([BACK[0][FIRST[0][0] as usize]; 8]),
    u64::from_ne_bytes([BACK[1][FIRST[1][0] as usize]; 8]),
];

/// The maps of one half.
pub(super) struct Maps {
    pub(super) image: Nibbles,
    pub(super) back: Nibbles,
    /// The rotation with which s₄ begins, from an image with the constant to another one.
    pub(super) fourth: Nibbles,
    /// From the AES instruction's output to the image in the other half: of s₁ and s₄, of s₂, of s₃.
    pub(super) after: [Nibbles; 3],
    /// From bytes to images: a byte shifted left by one bit, and the bit that this carries into the
    /// next higher byte.
    pub(super) shifted: Nibbles,
    pub(super) carry: Nibbles,
}

const fn maps(half: usize) -> Maps {
    let other = &IMAGES[1 - half];
    let last = inverse(&AES_MAP);
    let first = inverse(&FIRST[half]);
    let mut fourth = [0; 256];
    let mut after = [[0; 256]; 3];
    let [mut shifted, mut carry] = [[0; 256]; 2];
    let mut x = 0;
    while x < 256 {
        fourth[x] = FIRST[half][first[x].rotate_left(1) as usize];
        let y = S1.after.apply(if half == 0 { last[x] } else { x as u8 });
        after[0][x] = other[y as usize];
        after[1][x] = other[y.rotate_left(1) as usize];
        after[2][x] = other[y.rotate_left(7) as usize];
        shifted[x] = IMAGES[half][x << 1 & 0xff];
        carry[x] = IMAGES[half][x >> 7];
        x += 1;
    }
    Maps {
        image: nibbles(&IMAGES[half]),
        back: nibbles(&BACK[half]),
        fourth: nibbles(&fourth),
        after: [nibbles(&after[0]), nibbles(&after[1]), nibbles(&after[2])],
        shifted: nibbles(&shifted),
        carry: nibbles(&carry),
    }
}

pub(super) const MAPS: [Maps; 2] = [maps(0), maps(1)];

/// The keys of one direction. Of a key of FL, the masks have the second word complemented.
pub(super) type Schedule = masks::Schedule<Mask>;

scheduled!(Avx2Aes);

impl Scheduled<Schedule> for Vaes256 {
    #[inline(always)]
    fn with<const KEY: usize, const BACKWARDS: bool>(
        self,
        keys: &Subkeys,
        work: impl FnOnce(&Schedule),
    ) {
        Avx2Aes::from(self).with::<KEY, BACKWARDS>(keys, work);
    }
}

#[target_feature(enable = "avx2")]
fn fill<const KEY: usize, const BACKWARDS: bool>(keys: &Subkeys, to: &mut Schedule) {
    masks::each::<KEY, BACKWARDS>(keys, BEFORE, |place, key| match place {
        Place::First(0) => image::<0>(key).store(&mut to.first[0]),
        Place::First(_) => image::<1>(key).store(&mut to.first[1]),
        Place::Round(round) if round % 2 == 1 => image::<0>(key).store(to.round(round)),
        Place::Round(round) => image::<1>(key).store(to.round(round)),
        Place::Layer(group, half) => {
            each(key ^ u64::from(u32::MAX)).store(to.layer(group, half, [0; 8]));
        }
        Place::Last => image::<1>(key).store(&mut to.last),
    });
    // SAFETY: `each` names every place.
    unsafe { to.complete::<KEY>() }
}

/// Returns the numbers of a [`Mask`] of bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn each(key: u64) -> U32x8 {
    /// The indices of the bytes of a key, the highest byte first, four times each.
    const EACH: [u8; 32] = spread(4, 7);
    U8x32::from(U64x4::splat(key))
        .shuffle(U8x32::load(&EACH))
        .into()
}

/// Returns the numbers of a [`Mask`] of images in a half.
#[inline]
#[target_feature(enable = "avx2")]
fn image<const HALF: usize>(key: u64) -> U32x8 {
    U8x32::from(each(key)).mapped(&MAPS[HALF].image).into()
}

/// Applies an S-box to a plane of half 0 or 1.
macro_rules! s {
    (1 of 0 $x:expr) => {
        last_round!(forwards $x).mapped(&MAPS[0].after[0])
    };
    (2 of 0 $x:expr) => {
        last_round!(forwards $x).mapped(&MAPS[0].after[1])
    };
    (3 of 0 $x:expr) => {
        last_round!(forwards $x).mapped(&MAPS[0].after[2])
    };
    (1 of 1 $x:expr) => {
        last_round!(backwards $x).mapped(&MAPS[1].after[0])
    };
    (2 of 1 $x:expr) => {
        last_round!(backwards $x).mapped(&MAPS[1].after[1])
    };
    (3 of 1 $x:expr) => {
        last_round!(backwards $x).mapped(&MAPS[1].after[2])
    };
    (4 of $half:tt $x:expr) => {
        s!(1 of $half $x.mapped(&MAPS[$half].fourth))
    };
}

/// XORs F of a half to the other half, [RFC3713](super) §2.4.1, and changes the mask of the other half.
macro_rules! round {
    ($half:tt $from:ident, $change:expr, $to:ident) => {{
        let change = $change;
        for i in 0..8 {
            $to[i] = $to[i].xor(Bytes::from(Lanes::splat(change[i])));
        }
        let mut a = [
            s!(1 of $half $from[0]),
            s!(2 of $half $from[1]),
            s!(3 of $half $from[2]),
            s!(4 of $half $from[3]),
        ];
        let mut b = [
            s!(2 of $half $from[4]),
            s!(3 of $half $from[5]),
            s!(4 of $half $from[6]),
            s!(1 of $half $from[7]),
        ];
        for i in 0..4 {
            a[i] = a[i].xor(b[(i + 1) % 4]);
        }
        for i in 0..4 {
            b[i] = b[i].xor(a[(i + 2) % 4]);
        }
        for i in 0..4 {
            a[i] = a[i].xor(b[(i + 3) % 4]);
        }
        for i in 0..4 {
            $to[i] = $to[i].xor(b[i].xor(a[(i + 3) % 4]));
            $to[4 + i] = $to[4 + i].xor(a[i]);
        }
    }};
}

/// Computes the part of FL that [RFC3713](super) §2.4.2 adds to the second word of a half: (first word
/// AND key), rotated left by one bit.
macro_rules! turned {
    ($half:literal $x:ident, $layer:expr) => {{
        let mut t = [Bytes::zero(); 4];
        for i in 0..4 {
            let key = Bytes::from(Lanes::splat($layer[i]));
            t[i] = $x[i].mapped(&MAPS[$half].back).and(key);
        }
        for i in 0..4 {
            let carry = t[(i + 1) % 4].mapped(&MAPS[$half].carry);
            $x[4 + i] = $x[4 + i].xor3(t[i].mapped(&MAPS[$half].shifted), carry);
        }
    }};
}

/// XORs (second word OR key) to the first word, as FL of [RFC3713](super) §2.4.2 does. The code needs no
/// constant, because the constants of the half and of its mask cancel.
macro_rules! or {
    ($half:literal $x:ident, $layer:expr) => {
        for i in 0..4 {
            let key = Bytes::from(Lanes::splat($layer[4 + i]));
            let kept = $x[4 + i].mapped(&MAPS[$half].back).and(key);
            $x[i] = $x[i].xor(kept.mapped(&MAPS[$half].image));
        }
    };
}

/// ShiftRows, and ShiftRows backwards.
pub(super) const ROWS: [[u8; 16]; 2] = [multiples(5), multiples(13)];

/// Encrypts or decrypts, [RFC3713](super) §2.3. Several sets of planes take turns.
macro_rules! cipher {
    ($keys:ident, $sets:ident) => {{
        let rows = Bytes::splat(U8x16::load(&ROWS[0]));
        for p in &mut $sets {
            for i in 0..8 {
                let key = |half: usize| Bytes::from(Lanes::splat($keys.first[half][i]));
                p[i] = p[i].mapped(&MAPS[0].image).xor(key(0));
                p[8 + i] = p[8 + i].shuffle(rows).mapped(&MAPS[1].image).xor(key(1));
            }
        }
        for (group, six) in $keys.rounds().as_chunks::<6>().0.iter().enumerate() {
            if group != 0 {
                let [layer, inverse] = &$keys.layers()[group - 1];
                for p in &mut $sets {
                    let (l, r) = p.split_at_mut(8);
                    turned!(0 l, layer);
                    or!(0 l, layer);
                    or!(1 r, inverse);
                    turned!(1 r, inverse);
                }
            }
            for pair in 0..3 {
                let changes = &six[2 * pair..][..2];
                for p in &mut $sets {
                    let (l, r) = p.split_at_mut(8);
                    round!(0 l, &changes[0], r);
                }
                for p in &mut $sets {
                    let (l, r) = p.split_at_mut(8);
                    round!(1 r, &changes[1], l);
                }
            }
        }
        let rows = Bytes::splat(U8x16::load(&ROWS[1]));
        for p in &mut $sets {
            for i in 0..8 {
                let last = Bytes::from(Lanes::splat($keys.last[i]));
                let low = p[8 + i].xor(last).mapped(&MAPS[1].back).shuffle(rows);
                p[8 + i] = p[i].mapped(&MAPS[0].back);
                p[i] = low;
            }
        }
    }};
}

pub(super) use {cipher, or, round, s, turned};
