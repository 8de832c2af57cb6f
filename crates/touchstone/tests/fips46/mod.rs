//! DES as the text of FIPS 46-3 defines it, bit by bit, with the salt of crypt(3). This code is
//! slow and plain, and shares no line with the library, so that tests can compare the library
//! with it.
//!
//! Bits are numbered from 1 as in the tables of the standard. The first bit is the highest.

type Bits = Vec<u8>;

#[rustfmt::skip]
const IP: [usize; 64] = [
    58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4,
    62, 54, 46, 38, 30, 22, 14, 6, 64, 56, 48, 40, 32, 24, 16, 8,
    57, 49, 41, 33, 25, 17, 9, 1, 59, 51, 43, 35, 27, 19, 11, 3,
    61, 53, 45, 37, 29, 21, 13, 5, 63, 55, 47, 39, 31, 23, 15, 7,
];

#[rustfmt::skip]
const IP_INVERSE: [usize; 64] = [
    40, 8, 48, 16, 56, 24, 64, 32, 39, 7, 47, 15, 55, 23, 63, 31,
    38, 6, 46, 14, 54, 22, 62, 30, 37, 5, 45, 13, 53, 21, 61, 29,
    36, 4, 44, 12, 52, 20, 60, 28, 35, 3, 43, 11, 51, 19, 59, 27,
    34, 2, 42, 10, 50, 18, 58, 26, 33, 1, 41, 9, 49, 17, 57, 25,
];

#[rustfmt::skip]
const E: [usize; 48] = [
    32, 1, 2, 3, 4, 5, 4, 5, 6, 7, 8, 9,
    8, 9, 10, 11, 12, 13, 12, 13, 14, 15, 16, 17,
    16, 17, 18, 19, 20, 21, 20, 21, 22, 23, 24, 25,
    24, 25, 26, 27, 28, 29, 28, 29, 30, 31, 32, 1,
];

#[rustfmt::skip]
const P: [usize; 32] = [
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10,
    2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25,
];

#[rustfmt::skip]
const PC1: [usize; 56] = [
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18,
    10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36,
    63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22,
    14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
];

#[rustfmt::skip]
const PC2: [usize; 48] = [
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10,
    23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2,
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48,
    44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
];

const SHIFTS: [usize; 16] = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1];

#[rustfmt::skip]
const S: [[u8; 64]; 8] = [
    [14,4,13,1,2,15,11,8,3,10,6,12,5,9,0,7, 0,15,7,4,14,2,13,1,10,6,12,11,9,5,3,8,
     4,1,14,8,13,6,2,11,15,12,9,7,3,10,5,0, 15,12,8,2,4,9,1,7,5,11,3,14,10,0,6,13],
    [15,1,8,14,6,11,3,4,9,7,2,13,12,0,5,10, 3,13,4,7,15,2,8,14,12,0,1,10,6,9,11,5,
     0,14,7,11,10,4,13,1,5,8,12,6,9,3,2,15, 13,8,10,1,3,15,4,2,11,6,7,12,0,5,14,9],
    [10,0,9,14,6,3,15,5,1,13,12,7,11,4,2,8, 13,7,0,9,3,4,6,10,2,8,5,14,12,11,15,1,
     13,6,4,9,8,15,3,0,11,1,2,12,5,10,14,7, 1,10,13,0,6,9,8,7,4,15,14,3,11,5,2,12],
    [7,13,14,3,0,6,9,10,1,2,8,5,11,12,4,15, 13,8,11,5,6,15,0,3,4,7,2,12,1,10,14,9,
     10,6,9,0,12,11,7,13,15,1,3,14,5,2,8,4, 3,15,0,6,10,1,13,8,9,4,5,11,12,7,2,14],
    [2,12,4,1,7,10,11,6,8,5,3,15,13,0,14,9, 14,11,2,12,4,7,13,1,5,0,15,10,3,9,8,6,
     4,2,1,11,10,13,7,8,15,9,12,5,6,3,0,14, 11,8,12,7,1,14,2,13,6,15,0,9,10,4,5,3],
    [12,1,10,15,9,2,6,8,0,13,3,4,14,7,5,11, 10,15,4,2,7,12,9,5,6,1,13,14,0,11,3,8,
     9,14,15,5,2,8,12,3,7,0,4,10,1,13,11,6, 4,3,2,12,9,5,15,10,11,14,1,7,6,0,8,13],
    [4,11,2,14,15,0,8,13,3,12,9,7,5,10,6,1, 13,0,11,7,4,9,1,10,14,3,5,12,2,15,8,6,
     1,4,11,13,12,3,7,14,10,15,6,8,0,5,9,2, 6,11,13,8,1,4,10,7,9,5,0,15,14,2,3,12],
    [13,2,8,4,6,15,11,1,10,9,3,14,5,0,12,7, 1,15,13,8,10,3,7,4,12,5,6,11,0,14,9,2,
     7,11,4,1,9,12,14,2,0,6,10,13,15,3,5,8, 2,1,14,7,4,10,8,13,15,12,9,0,3,5,6,11],
];

fn bits(block: [u8; 8]) -> Bits {
    let bit = |i: usize| block[i / 8] >> (7 - i % 8) & 1;
    (0..64).map(bit).collect()
}

fn bytes(bits: &[u8]) -> [u8; 8] {
    std::array::from_fn(|i| {
        bits[8 * i..8 * i + 8]
            .iter()
            .fold(0, |byte, bit| byte << 1 | bit)
    })
}

fn permute(bits: &[u8], table: &[usize]) -> Bits {
    table.iter().map(|&from| bits[from - 1]).collect()
}

fn xor(a: &[u8], b: &[u8]) -> Bits {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

fn round_keys(key: [u8; 8]) -> Vec<Bits> {
    let chosen = permute(&bits(key), &PC1);
    let (mut c, mut d) = (chosen[..28].to_vec(), chosen[28..].to_vec());
    let next = SHIFTS.iter().map(|&shift| {
        c.rotate_left(shift);
        d.rotate_left(shift);
        permute(&[&c[..], &d[..]].concat(), &PC2)
    });
    next.collect()
}

/// Computes the cipher function f. Each bit of the salt, the lowest bit first, exchanges an
/// output of the expansion E with the output 24 positions further.
fn f(right: &[u8], key: &[u8], salt: u32) -> Bits {
    let mut expanded = permute(right, &E);
    for i in 0..24 {
        if salt >> i & 1 == 1 {
            expanded.swap(i, i + 24);
        }
    }
    let mut output = Vec::new();
    for (box_, six) in xor(&expanded, key).chunks(6).enumerate() {
        let row = 2 * six[0] + six[5];
        let column = 8 * six[1] + 4 * six[2] + 2 * six[3] + six[4];
        let four = S[box_][usize::from(16 * row + column)];
        output.extend((0..4).rev().map(|i| four >> i & 1));
    }
    permute(&output, &P)
}

fn once(block: [u8; 8], keys: &[Bits], salt: u32) -> [u8; 8] {
    let start = permute(&bits(block), &IP);
    let (mut left, mut right) = (start[..32].to_vec(), start[32..].to_vec());
    for key in keys {
        (left, right) = (right.clone(), xor(&left, &f(&right, key, salt)));
    }
    bytes(&permute(&[right, left].concat(), &IP_INVERSE))
}

/// Encrypts a block `count` times, one after the other. If `count` is negative, decrypts the
/// block -`count` times.
pub(crate) fn salted(key: [u8; 8], salt: u32, count: i32, block: [u8; 8]) -> [u8; 8] {
    let mut keys = round_keys(key);
    if count < 0 {
        keys.reverse();
    }
    (0..count.unsigned_abs()).fold(block, |block, _| once(block, &keys, salt))
}
