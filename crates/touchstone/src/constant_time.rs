//! Comparison of secrets in constant time.

use core::hint::black_box;

use crate::error::Mismatch;

/// Whether bytes are equal, in a time that depends on their number only.
#[inline]
pub(crate) fn matches(a: &[u8], b: &[u8]) -> Result<(), Mismatch> {
    if a.len() != b.len() {
        return Err(Mismatch);
    }
    // The compiler is told nothing that would let it stop early. Each word goes
    // through memory for it, so they are few.
    let mut difference = 0;
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks(), b.as_chunks());
    for (a, b) in a.iter().zip(b) {
        difference = black_box(difference | (u128::from_ne_bytes(*a) ^ u128::from_ne_bytes(*b)));
    }
    for (a, b) in a_rest.iter().zip(b_rest) {
        difference |= u128::from(a ^ b);
    }
    let difference = black_box(difference);
    if difference == 0 {
        Ok(())
    } else {
        Err(Mismatch)
    }
}
