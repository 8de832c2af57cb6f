//! Wiping secrets. `Zeroize` on arrays of bytes writes byte by byte, which for
//! a short message costs more than the message; these are plain stores, as wide
//! as the machine has them, that the compiler may not remove.

/// Overwrites with zeros, given the zero.
#[inline(always)]
pub(crate) fn wipe<T: Copy>(secret: &mut [T], zero: T) {
    secret.fill(zero);
    zeroize::optimization_barrier(secret);
}
