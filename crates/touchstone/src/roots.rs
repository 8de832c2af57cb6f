//! The fractional parts of the square and cube roots of primes, to 64 bits. All constants
//! of SHA-2 and SHACAL-2 come from these numbers, [FIPS180] §4.2.2, §4.2.3 and §5.3.
//!
//! - [FIPS180] Secure Hash Standard (SHS), NIST FIPS 180-4, 2015
//!
//! [FIPS180]: https://doi.org/10.6028/NIST.FIPS.180-4

/// The fractional parts of the cube roots of the first 80 primes.
pub(crate) const CUBE_ROOTS: [u64; 80] = {
    let (primes, mut roots) = (primes(), [0; 80]);
    let mut i = 0;
    while i < 80 {
        roots[i] = fraction(primes[i], 3);
        i += 1;
    }
    roots
};

/// The fractional parts of the square roots of the first 16 primes.
pub(crate) const SQUARE_ROOTS: [u64; 16] = {
    let (primes, mut roots) = (primes(), [0; 16]);
    let mut i = 0;
    while i < 16 {
        roots[i] = fraction(primes[i], 2);
        i += 1;
    }
    roots
};

const fn primes() -> [u64; 80] {
    let mut primes = [0; 80];
    let (mut found, mut candidate) = (0, 2);
    while found < primes.len() {
        let mut i = 0;
        while i < found && candidate % primes[i] != 0 {
            i += 1;
        }
        if i == found {
            primes[found] = candidate;
            found += 1;
        }
        candidate += 1;
    }
    primes
}

/// Returns the first 64 bits of the fractional part of a root of a prime below 2⁹. These bits
/// are the lowest 64 bits of ⌊2⁶⁴·root⌋. That number is below 2⁶⁹, and the code finds it bit by
/// bit.
const fn fraction(prime: u64, degree: usize) -> u64 {
    let mut root = 0u128;
    let mut bit = 1 << 68;
    while bit != 0 {
        if power_at_most(root | bit, degree, prime) {
            root |= bit;
        }
        bit >>= 1;
    }
    root as u64
}

/// Returns whether rootⁿ ≤ prime · 2⁶⁴ⁿ, where n is `degree`, 2 or 3.
const fn power_at_most(root: u128, degree: usize, prime: u64) -> bool {
    let factor = [root as u64, (root >> 64) as u64];
    // `power` is a number in words of 64 bits, the least significant word first. A cube takes
    // six words.
    let mut power = [factor[0], factor[1], 0, 0, 0, 0];
    let mut times = 1;
    while times < degree {
        let mut product = [0u64; 6];
        let mut i = 0;
        while i < 2 {
            let mut carry = 0u128;
            let mut j = 0;
            while j < 2 * times {
                let sum = product[i + j] as u128 + factor[i] as u128 * power[j] as u128 + carry;
                product[i + j] = sum as u64;
                carry = sum >> 64;
                j += 1;
            }
            product[i + j] = carry as u64;
            i += 1;
        }
        power = product;
        times += 1;
    }
    // The comparison starts with the words above the word of the prime, which must be zero.
    // Then comes the word of the prime. If this word equals the prime, the power is too large:
    // the lower words cannot all be zero, because no root of a prime is rational.
    let mut i = 5;
    while i > degree {
        if power[i] != 0 {
            return false;
        }
        i -= 1;
    }
    power[degree] < prime
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the first and the last entry of each table with [FIPS180] §4.2.3 and §5.3.5.
    #[test]
    fn roots_are_the_constants_of_the_standard() {
        assert_eq!(
            (CUBE_ROOTS[0], CUBE_ROOTS[79]),
            (0x428a2f98d728ae22, 0x6c44198c4a475817)
        );
        assert_eq!(
            (SQUARE_ROOTS[0], SQUARE_ROOTS[7]),
            (0x6a09e667f3bcc908, 0x5be0cd19137e2179)
        );
    }
}
