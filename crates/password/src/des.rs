//! DES as crypt(3) uses it: the output of the expansion salted, and many passes
//! without the initial and final permutations in between. **Broken**: keys of 56
//! bits. Indexes tables by secrets, as every libcrypt does: not constant-time.
//!
//! - [FIPS46] Data Encryption Standard (DES), NIST FIPS 46-3, 1999
//!
//! [FIPS46]: https://csrc.nist.gov/files/pubs/fips/46-3/final/docs/fips46-3.pdf

use zeroize::{Zeroize, ZeroizeOnDrop};

/// The bits of a salt.
pub const SALT: u32 = 0xff_ffff;

/// A key schedule.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Des {
    /// 24 bits for S1 to S4 in the upper half, for S5 to S8 in the lower.
    keys: [u64; 16],
}

impl Des {
    /// Schedules a key. The lowest bit of each byte is ignored.
    #[must_use]
    pub fn new(key: &[u8; 8]) -> Self {
        let key = u64::from_be_bytes(*key);
        let mut keys = [0; 16];
        for (bit, gives) in SCHEDULE.iter().enumerate() {
            let mask = (key >> (63 - bit) & 1).wrapping_neg();
            for (key, gives) in keys.iter_mut().zip(gives) {
                *key ^= gives & mask;
            }
        }
        Self { keys }
    }

    /// Encrypts a block so many times over. Bit i of the salt swaps bits i and
    /// i + 24 of the expansion's output.
    #[must_use]
    pub fn encrypt(&self, block: [u8; 8], salt: u32, passes: u32) -> [u8; 8] {
        self.apply::<false>(block, salt, passes)
    }

    /// Undoes as many passes.
    #[must_use]
    pub fn decrypt(&self, block: [u8; 8], salt: u32, passes: u32) -> [u8; 8] {
        self.apply::<true>(block, salt, passes)
    }

    fn apply<const BACKWARDS: bool>(&self, block: [u8; 8], salt: u32, passes: u32) -> [u8; 8] {
        let salt = (salt & SALT).reverse_bits() >> 8;
        let block = permute(u64::from_be_bytes(block), &IP);
        let (mut left, mut right) = ((block >> 32) as u32, block as u32);
        for _ in 0..passes {
            for round in (0..16).step_by(2) {
                let key = |i: usize| self.keys[if BACKWARDS { 15 - i } else { i }];
                left ^= f(right, key(round), salt);
                right ^= f(left, key(round + 1), salt);
            }
            // The last round does not exchange the halves.
            (left, right) = (right, left);
        }
        let block = permute(u64::from(left) << 32 | u64::from(right), &FP);
        block.to_be_bytes()
    }
}

#[inline(always)]
fn f(half: u32, key: u64, salt: u32) -> u32 {
    let turned = half.rotate_right(1);
    let six = |i: u32| turned.rotate_left(4 * i) >> 26;
    let upper = six(0) << 18 | six(1) << 12 | six(2) << 6 | six(3);
    let lower = six(4) << 18 | six(5) << 12 | six(6) << 6 | six(7);
    let swap = (upper ^ lower) & salt;
    let upper = upper ^ swap ^ (key >> 32) as u32;
    let lower = lower ^ swap ^ key as u32;
    let s = |i: usize, word: u32, shift: u32| SP[i][(word >> shift & 63) as usize];
    (s(0, upper, 18) ^ s(1, upper, 12) ^ s(2, upper, 6) ^ s(3, upper, 0))
        ^ (s(4, lower, 18) ^ s(5, lower, 12) ^ s(6, lower, 6) ^ s(7, lower, 0))
}

/// Bit `from[i]`, from 0 at the top, comes to place i.
fn permute(block: u64, from: &[u8; 64]) -> u64 {
    from.iter()
        .fold(0, |sum, &i| sum << 1 | (block >> (63 - i) & 1))
}

/// [FIPS46] "Initial permutation", from 0: columns upwards, the even ones first.
const IP: [u8; 64] = {
    let mut ip = [0; 64];
    let mut i = 0;
    while i < 64 {
        let (row, column) = (i / 8, i % 8);
        let first = if row < 4 {
            57 + 2 * row
        } else {
            56 + 2 * (row - 4)
        };
        ip[i] = (first - 8 * column) as u8;
        i += 1;
    }
    ip
};

const FP: [u8; 64] = {
    let mut fp = [0; 64];
    let mut i = 0;
    while i < 64 {
        fp[IP[i] as usize] = i as u8;
        i += 1;
    }
    fp
};

/// [FIPS46] "Permuted choice 1".
#[rustfmt::skip]
const PC1: [usize; 56] = [
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18,
    10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36,
    63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22,
    14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
];

/// [FIPS46] "Permuted choice 2".
#[rustfmt::skip]
const PC2: [usize; 48] = [
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10,
    23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2,
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48,
    44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
];

/// [FIPS46] "P".
#[rustfmt::skip]
const P: [usize; 32] = [
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10,
    2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25,
];

/// [FIPS46] "S1" to "S8", row by row.
#[rustfmt::skip]
const S: [[u8; 64]; 8] = [
    [14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7,
     0, 15, 7, 4, 14, 2, 13, 1, 10, 6, 12, 11, 9, 5, 3, 8,
     4, 1, 14, 8, 13, 6, 2, 11, 15, 12, 9, 7, 3, 10, 5, 0,
     15, 12, 8, 2, 4, 9, 1, 7, 5, 11, 3, 14, 10, 0, 6, 13],
    [15, 1, 8, 14, 6, 11, 3, 4, 9, 7, 2, 13, 12, 0, 5, 10,
     3, 13, 4, 7, 15, 2, 8, 14, 12, 0, 1, 10, 6, 9, 11, 5,
     0, 14, 7, 11, 10, 4, 13, 1, 5, 8, 12, 6, 9, 3, 2, 15,
     13, 8, 10, 1, 3, 15, 4, 2, 11, 6, 7, 12, 0, 5, 14, 9],
    [10, 0, 9, 14, 6, 3, 15, 5, 1, 13, 12, 7, 11, 4, 2, 8,
     13, 7, 0, 9, 3, 4, 6, 10, 2, 8, 5, 14, 12, 11, 15, 1,
     13, 6, 4, 9, 8, 15, 3, 0, 11, 1, 2, 12, 5, 10, 14, 7,
     1, 10, 13, 0, 6, 9, 8, 7, 4, 15, 14, 3, 11, 5, 2, 12],
    [7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15,
     13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2, 12, 1, 10, 14, 9,
     10, 6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4,
     3, 15, 0, 6, 10, 1, 13, 8, 9, 4, 5, 11, 12, 7, 2, 14],
    [2, 12, 4, 1, 7, 10, 11, 6, 8, 5, 3, 15, 13, 0, 14, 9,
     14, 11, 2, 12, 4, 7, 13, 1, 5, 0, 15, 10, 3, 9, 8, 6,
     4, 2, 1, 11, 10, 13, 7, 8, 15, 9, 12, 5, 6, 3, 0, 14,
     11, 8, 12, 7, 1, 14, 2, 13, 6, 15, 0, 9, 10, 4, 5, 3],
    [12, 1, 10, 15, 9, 2, 6, 8, 0, 13, 3, 4, 14, 7, 5, 11,
     10, 15, 4, 2, 7, 12, 9, 5, 6, 1, 13, 14, 0, 11, 3, 8,
     9, 14, 15, 5, 2, 8, 12, 3, 7, 0, 4, 10, 1, 13, 11, 6,
     4, 3, 2, 12, 9, 5, 15, 10, 11, 14, 1, 7, 6, 0, 8, 13],
    [4, 11, 2, 14, 15, 0, 8, 13, 3, 12, 9, 7, 5, 10, 6, 1,
     13, 0, 11, 7, 4, 9, 1, 10, 14, 3, 5, 12, 2, 15, 8, 6,
     1, 4, 11, 13, 12, 3, 7, 14, 10, 15, 6, 8, 0, 5, 9, 2,
     6, 11, 13, 8, 1, 4, 10, 7, 9, 5, 0, 15, 14, 2, 3, 12],
    [13, 2, 8, 4, 6, 15, 11, 1, 10, 9, 3, 14, 5, 0, 12, 7,
     1, 15, 13, 8, 10, 3, 7, 4, 12, 5, 6, 11, 0, 14, 9, 2,
     7, 11, 4, 1, 9, 12, 14, 2, 0, 6, 10, 13, 15, 3, 5, 8,
     2, 1, 14, 7, 4, 10, 8, 13, 15, 12, 9, 0, 3, 5, 6, 11],
];

/// Each box with P behind it, by its six inputs.
static SP: [[u32; 64]; 8] = {
    let mut sp = [[0; 64]; 8];
    let mut number = 0;
    while number < 8 {
        let mut input = 0;
        while input < 64 {
            let row = (input >> 4 & 2) | (input & 1);
            let output = S[number][16 * row + (input >> 1 & 15)];
            let mut i = 0;
            while i < 32 {
                let from = P[i] - 1;
                if from / 4 == number && output >> (3 - from % 4) & 1 == 1 {
                    sp[number][input] |= 1 << (31 - i);
                }
                i += 1;
            }
            input += 1;
        }
        number += 1;
    }
    sp
};

/// The schedule as a sum: what each bit of the key gives to each round key.
static SCHEDULE: [[u64; 16]; 64] = {
    let mut schedule = [[0; 16]; 64];
    let mut turned = 0;
    let mut round = 0;
    while round < 16 {
        turned += if matches!(round, 0 | 1 | 8 | 15) {
            1
        } else {
            2
        };
        let mut i = 0;
        while i < 48 {
            let half = i / 24;
            let place = (PC2[i] - 1 - 28 * half + turned) % 28;
            let bit = PC1[28 * half + place] - 1;
            schedule[bit][round] |= 1 << (if half == 0 { 55 - i } else { 47 - i });
            i += 1;
        }
        round += 1;
    }
    schedule
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_block() {
        // NBS SP 500-20: the first of the variable plaintext tests, and DES's best
        // known example.
        let des = Des::new(&[1; 8]);
        let block = [0x95, 0xf8, 0xa5, 0xe5, 0xdd, 0x31, 0xd9, 0x00];
        assert_eq!(des.encrypt(block, 0, 1), [0x80, 0, 0, 0, 0, 0, 0, 0]);
        let des = Des::new(&0x1334_5779_9bbc_dff1u64.to_be_bytes());
        let block = 0x0123_4567_89ab_cdefu64.to_be_bytes();
        let other = 0x85e8_1354_0f0a_b405u64.to_be_bytes();
        assert_eq!(des.encrypt(block, 0, 1), other);
        assert_eq!(des.decrypt(other, 0, 1), block);
    }

    #[test]
    fn what_holds_for_any_salt() {
        let keys: [[u8; 8]; 3] = [
            [0x80; 8],
            *b"\x13\x34\x57\x79\x9b\xbc\xdf\xf1",
            *b"touchsto",
        ];
        let block = *b"8 bytes.";
        for key in keys {
            let des = Des::new(&key);
            for salt in [0, 1, 0xfff, 0x00a5_5a3c, SALT] {
                for passes in [0, 1, 2, 25] {
                    let out = des.encrypt(block, salt, passes);
                    assert_eq!(des.decrypt(out, salt, passes), block);
                    // n and m passes are n + m.
                    assert_eq!(
                        des.encrypt(out, salt, 3),
                        des.encrypt(block, salt, passes + 3)
                    );
                    // The complement of everything gives the complement.
                    let not = |block: [u8; 8]| block.map(|b| !b);
                    assert_eq!(Des::new(&not(key)).encrypt(not(block), salt, 1), {
                        not(des.encrypt(block, salt, 1))
                    });
                }
            }
            assert_eq!(
                Des::new(&key.map(|b| b ^ 1)).encrypt(block, 7, 25),
                des.encrypt(block, 7, 25)
            );
        }
    }

    #[test]
    fn weak_keys_undo_themselves() {
        let weak = [
            0x0101_0101_0101_0101u64,
            0xfefe_fefe_fefe_fefe,
            0xe0e0_e0e0_f1f1_f1f1,
            0x1f1f_1f1f_0e0e_0e0e,
        ];
        for key in weak {
            let des = Des::new(&key.to_be_bytes());
            let block = *b"whatever";
            assert_eq!(des.encrypt(des.encrypt(block, 0, 1), 0, 1), block);
        }
        let pairs = [
            (0x01fe_01fe_01fe_01feu64, 0xfe01_fe01_fe01_fe01u64),
            (0x1fe0_1fe0_0ef1_0ef1, 0xe01f_e01f_f10e_f10e),
            (0x01e0_01e0_01f1_01f1, 0xe001_e001_f101_f101),
            (0x1ffe_1ffe_0efe_0efe, 0xfe1f_fe1f_fe0e_fe0e),
            (0x011f_011f_010e_010e, 0x1f01_1f01_0e01_0e01),
            (0xe0fe_e0fe_f1fe_f1fe, 0xfee0_fee0_fef1_fef1),
        ];
        for (a, b) in pairs {
            let block = *b"whatever";
            let once = Des::new(&a.to_be_bytes()).encrypt(block, 0, 1);
            assert_eq!(Des::new(&b.to_be_bytes()).encrypt(once, 0, 1), block);
        }
    }
}
