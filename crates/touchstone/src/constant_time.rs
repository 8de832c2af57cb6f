//! Comparison of secrets in constant time.

use core::hint::black_box;

use crate::error::Mismatch;

/// Whether two byte strings are equal, in a time that depends on their lengths alone.
#[inline]
pub fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    // `black_box` hides the running difference from the compiler, which could
    // otherwise leave the loop at the first difference. Each call costs a trip
    // through memory, so the loop goes by 16 bytes.
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

/// [`Mismatch`] unless bytes are equal, in a time that depends on their lengths alone.
#[inline]
pub(crate) fn matches(a: &[u8], b: &[u8]) -> Result<(), Mismatch> {
    if equal(a, b) { Ok(()) } else { Err(Mismatch) }
}
