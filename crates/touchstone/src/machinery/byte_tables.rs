//! An S-box and a matrix over 8 bytes in one: eight tables, one for each byte of a block of 8 bytes.
//! A block is a number whose most significant byte is its first byte.

use super::field::product;

/// The matrix of a linear map of 8 bytes, by rows.
pub(crate) type Matrix = [[u8; 8]; 8];

/// For each byte of a block, from the first byte on, and for each value of the byte: the part of
/// the result that depends on the byte.
pub(crate) type Tables = [[u64; 256]; 8];

/// Computes the tables of an S-box and a matrix over the field of 2⁸ elements modulo `field`.
pub(crate) const fn tables(s: &[u8; 256], matrix: &Matrix, field: u16) -> Tables {
    let mut tables = [[0; 256]; 8];
    let mut i = 0;
    while i < 8 {
        let mut x = 0;
        while x < 256 {
            let mut bytes = [0; 8];
            let mut row = 0;
            while row < 8 {
                bytes[row] = product(s[x], matrix[row][i], field);
                row += 1;
            }
            tables[i][x] = u64::from_be_bytes(bytes);
            x += 1;
        }
        i += 1;
    }
    tables
}

/// Computes S-box and matrix.
#[inline(always)]
pub(crate) fn lookup(tables: &Tables, state: u64) -> u64 {
    let bytes = state.to_be_bytes();
    (0..8).fold(0, |sum, i| sum ^ tables[i][usize::from(bytes[i])])
}

/// Computes the S-box alone.
#[inline(always)]
pub(crate) fn substitute(s: &[u8; 256], state: u64) -> u64 {
    u64::from_be_bytes(state.to_be_bytes().map(|byte| s[usize::from(byte)]))
}

/// Encrypts a block by rounds of S-box, matrix and key. The last round has no matrix.
#[inline(always)]
pub(crate) fn crypt(keys: &[u64], tables: &Tables, s: &[u8; 256], state: u64) -> u64 {
    let [first, others @ .., last] = keys else {
        unreachable!("a cipher has two round keys at least")
    };
    let mut state = state ^ first;
    for key in others {
        state = lookup(tables, state) ^ key;
    }
    substitute(s, state) ^ last
}
