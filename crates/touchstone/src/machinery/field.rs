//! The algebra from which S-boxes are computed: fields of 2⁸ elements, and linear maps of eight
//! bits. All functions run at compile time.

/// Returns the product of two polynomials over GF(2), modulo `modulus`, which has degree 8.
pub(crate) const fn product(mut a: u8, mut b: u8, modulus: u16) -> u8 {
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

/// Returns `x` to the power `exponent`, modulo `modulus`. The exponent 254 gives the inverse of
/// `x`, and 0 if `x` is 0.
pub(crate) const fn power(mut x: u8, mut exponent: u32, modulus: u16) -> u8 {
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

/// Multiplies a matrix of bits by a column of bits. `matrix` has its first row first. In each
/// byte the first element is the most significant bit.
pub(crate) const fn linear(matrix: [u8; 8], x: u8) -> u8 {
    let mut y = 0;
    let mut i = 0;
    while i < 8 {
        y = y << 1 | (matrix[i] & x).count_ones() as u8 & 1;
        i += 1;
    }
    y
}

/// The map that changes nothing. An S-box that begins or ends with the inversion uses this map
/// in place of an affine map.
pub(crate) const IDENTITY: [u8; 256] = {
    let mut table = [0; 256];
    let mut x = 0;
    while x < 256 {
        table[x] = x as u8;
        x += 1;
    }
    table
};

/// Returns the table of the inverse permutation.
pub(crate) const fn inverse(table: &[u8; 256]) -> [u8; 256] {
    let mut inverse = [0; 256];
    let mut x = 0;
    while x < 256 {
        inverse[table[x] as usize] = x as u8;
        x += 1;
    }
    inverse
}

/// Returns the S-box that applies the map `before`, inverts in the field with this modulus, and
/// applies the map `after`.
pub(crate) const fn inversion(before: &[u8; 256], after: &[u8; 256], modulus: u16) -> [u8; 256] {
    let mut s = [0; 256];
    let mut x = 0;
    while x < 256 {
        s[x] = after[power(before[x], 254, modulus) as usize];
        x += 1;
    }
    s
}

/// An affine map of bytes in the form that GFNI needs: a matrix and a constant. Byte 7 − `i` of
/// the matrix selects the input bits whose XOR is bit `i` of the result.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Affine {
    pub(crate) matrix: u64,
    pub(crate) constant: i32,
}

#[cfg(target_arch = "x86_64")]
impl Affine {
    /// Makes the map from a table of its values.
    pub(crate) const fn of(table: &[u8; 256]) -> Self {
        let mut matrix = 0;
        let mut column = 0;
        while column < 8 {
            let value = table[1 << column] ^ table[0];
            let mut row = 0;
            while row < 8 {
                matrix |= ((value >> row & 1) as u64) << (8 * (7 - row) + column);
                row += 1;
            }
            column += 1;
        }
        let this = Self {
            matrix,
            constant: table[0] as i32,
        };
        let mut x = 0;
        while x < 256 {
            assert!(this.apply(x as u8) == table[x]);
            x += 1;
        }
        this
    }

    /// Returns the matrix of the map without its constant, and the inverse of this matrix. A
    /// kernel whose state is in the image of this map begins with the matrix and ends with its
    /// inverse.
    pub(crate) const fn basis(self) -> [u64; 2] {
        let there = self.without_constant().table();
        [Self::of(&there).matrix, Self::of(&inverse(&there)).matrix]
    }

    /// Returns the map that multiplies by the polynomial `by`, modulo `modulus`.
    pub(crate) const fn product(by: u8, modulus: u16) -> Self {
        let mut table = [0; 256];
        let mut x = 0;
        while x < 256 {
            table[x] = product(x as u8, by, modulus);
            x += 1;
        }
        Self::of(&table)
    }

    /// Returns the image of `x` under the map without its constant.
    pub(crate) const fn linear(self, x: u8) -> u8 {
        let mut y = 0;
        let mut row = 0;
        while row < 8 {
            let bits = (self.matrix >> (8 * (7 - row))) as u8 & x;
            y |= (bits.count_ones() as u8 & 1) << row;
            row += 1;
        }
        y
    }

    /// Returns the image of `x`.
    pub(crate) const fn apply(self, x: u8) -> u8 {
        self.linear(x) ^ self.constant as u8
    }

    /// Returns the images of all bytes.
    pub(crate) const fn table(self) -> [u8; 256] {
        let mut table = [0; 256];
        let mut x = 0;
        while x < 256 {
            table[x] = self.apply(x as u8);
            x += 1;
        }
        table
    }

    pub(crate) const fn without_constant(self) -> Self {
        Self {
            constant: 0,
            ..self
        }
    }
}

/// An affine map of bytes in the form that byte shuffles need: the images of the values of the lower
/// four bits, and what the upper four bits add.
#[cfg(target_arch = "x86_64")]
pub(crate) type Nibbles = [[u8; 16]; 2];

/// Makes this form of a map from a table of its values.
#[cfg(target_arch = "x86_64")]
pub(crate) const fn nibbles(table: &[u8; 256]) -> Nibbles {
    let mut halves = [[0; 16]; 2];
    let mut x = 0;
    while x < 16 {
        halves[0][x] = table[x];
        halves[1][x] = table[16 * x] ^ table[0];
        x += 1;
    }
    let mut x = 0;
    while x < 256 {
        assert!(halves[0][x % 16] ^ halves[1][x / 16] == table[x]);
        x += 1;
    }
    halves
}

/// The affine map of the S-box of AES, [FIPS 197](crate::block::aes) §5.1.1, which follows the inversion.
#[cfg(target_arch = "x86_64")]
pub(crate) const AES_MAP: [u8; 256] = {
    let mut table = [0; 256];
    let mut x = 0;
    while x < 256 {
        // The products with 31 of polynomials modulo x⁸ + 1.
        let mut turn = 0;
        while turn < 5 {
            table[x] ^= (x as u8).rotate_left(turn);
            turn += 1;
        }
        table[x] ^= 0x63;
        x += 1;
    }
    table
};

/// Returns the places for a byte shuffle of which byte `i` comes from byte `n` · `i`, modulo 16. The
/// step ShiftRows of AES ([FIPS 197](crate::block::aes) §5.1.2) is this shuffle with `n` = 5, its inverse
/// with 13, and ShiftRows twice with 9.
#[cfg(target_arch = "x86_64")]
pub(crate) const fn multiples(n: usize) -> [u8; 16] {
    let mut places = [0; 16];
    let mut i = 0;
    while i < 16 {
        places[i] = (n * i % 16) as u8;
        i += 1;
    }
    places
}

/// Returns places for four byte shuffles that rotate each word of four bytes: in shuffle *n*, byte `i` of a
/// word comes from byte `i` + `step` · *n* of that word. Before that, byte `i` comes from byte `times` · `i`,
/// as in [`multiples`], which can undo ShiftRows.
#[cfg(target_arch = "x86_64")]
pub(crate) const fn rotations(step: usize, times: usize) -> [[u8; 16]; 4] {
    let mut places = [[0; 16]; 4];
    let mut n = 0;
    while n < 4 {
        let mut to = 0;
        while to < 16 {
            let from = to / 4 * 4 + (to + step * n) % 4;
            places[n][to] = (times * from % 16) as u8;
            to += 1;
        }
        n += 1;
    }
    places
}

/// Returns the matrix with rows and columns exchanged. GFNI multiplies a matrix by columns of
/// bits, so with transposed matrices GFNI can multiply two matrices.
#[cfg(target_arch = "x86_64")]
pub(crate) const fn transposed(matrix: u64) -> u64 {
    let mut turned = 0;
    let mut row = 0;
    while row < 8 {
        let mut column = 0;
        while column < 8 {
            turned |= (matrix >> (8 * (7 - row) + column) & 1) << (8 * (7 - column) + row);
            column += 1;
        }
        row += 1;
    }
    turned
}

/// An [`inversion`] in the form that GFNI takes: an affine map, the inversion in AES's field,
/// and another affine map. The maps contain the isomorphism between AES's field and the field
/// of the S-box.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Inversion {
    pub(crate) before: Affine,
    pub(crate) after: Affine,
}

#[cfg(target_arch = "x86_64")]
impl Inversion {
    /// Makes this form from the tables of the two affine maps and the modulus of the S-box's
    /// field.
    pub(crate) const fn of(before: &[u8; 256], after: &[u8; 256], modulus: u16) -> Self {
        const AES: u16 = 0x11b;
        // The isomorphism maps u, the root of `modulus` in the S-box's field, to a root of the
        // same polynomial in AES's field.
        let mut root = 2;
        loop {
            let mut sum = 0;
            let mut i = 0;
            while i <= 8 {
                if modulus >> i & 1 == 1 {
                    sum ^= power(root, i, AES);
                }
                i += 1;
            }
            if sum == 0 {
                break;
            }
            root += 1;
        }
        let mut there = [0; 256];
        let mut i = 0;
        while i < 8 {
            let image = power(root, i, AES);
            let mut x = 0;
            while x < 256 {
                if x >> i & 1 == 1 {
                    there[x] ^= image;
                }
                x += 1;
            }
            i += 1;
        }
        let back = inverse(&there);
        let (mut first, mut last) = ([0; 256], [0; 256]);
        let mut x = 0;
        while x < 256 {
            first[x] = there[before[x] as usize];
            last[x] = after[back[x] as usize];
            x += 1;
        }
        Self {
            before: Affine::of(&first),
            after: Affine::of(&last),
        }
    }
}
