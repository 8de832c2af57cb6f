//! The algebra that S-boxes are made of: fields of 2⁸ elements, and linear maps
//! of eight bits. Everything here runs at compile time.

/// The product of two polynomials, modulo another, of degree 8.
pub(super) const fn product(mut a: u8, mut b: u8, modulus: u16) -> u8 {
    let mut sum = 0;
    while b != 0 {
        if b & 1 == 1 {
            sum ^= a;
        }
        let overflows = a >> 7 == 1;
        a <<= 1;
        if overflows {
            a ^= modulus as u8;
        }
        b >>= 1;
    }
    sum
}

/// The power of a polynomial. That with exponent 254 is the inverse, and that of
/// 0 is 0.
pub(super) const fn power(mut x: u8, mut exponent: u32, modulus: u16) -> u8 {
    let mut result = 1;
    while exponent != 0 {
        if exponent & 1 == 1 {
            result = product(result, x, modulus);
        }
        x = product(x, x, modulus);
        exponent >>= 1;
    }
    result
}

/// A matrix of bits, first row first, times a column of bits, first element
/// first; in each byte the first is the most significant.
pub(super) const fn linear(matrix: [u8; 8], x: u8) -> u8 {
    let mut y = 0;
    let mut i = 0;
    while i < 8 {
        y = y << 1 | (matrix[i] & x).count_ones() as u8 & 1;
        i += 1;
    }
    y
}

/// The table of the inverse permutation.
pub(super) const fn inverse(table: &[u8; 256]) -> [u8; 256] {
    let mut inverse = [0; 256];
    let mut x = 0;
    while x < 256 {
        inverse[table[x] as usize] = x as u8;
        x += 1;
    }
    inverse
}
