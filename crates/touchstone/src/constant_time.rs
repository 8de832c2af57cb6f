//! Comparison of secrets in constant time.

use core::hint::black_box;

use crate::error::Mismatch;

/// Returns whether two byte strings are equal. The time depends only on their lengths.
#[inline]
pub fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    // `black_box` hides the value of `difference` from the compiler, which could otherwise end
    // the loop at the first difference. Each `black_box` writes the value to memory and reads
    // it back, so the loop compares 16 bytes in each step.
    let mut difference = 0;
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks(), b.as_chunks());
    for (a, b) in a.iter().zip(b) {
        difference = black_box(difference | (u128::from_ne_bytes(*a) ^ u128::from_ne_bytes(*b)));
    }
    for (a, b) in a_rest.iter().zip(b_rest) {
        difference |= u128::from(a ^ b);
    }
    black_box(difference) == 0
}

/// Returns [`Mismatch`] unless the bytes are equal. The time depends only on their
/// lengths.
#[inline]
pub(crate) fn matches(a: &[u8], b: &[u8]) -> Result<(), Mismatch> {
    if equal(a, b) { Ok(()) } else { Err(Mismatch) }
}
