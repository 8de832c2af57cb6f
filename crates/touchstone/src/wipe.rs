//! Wiping secrets. `Zeroize` on arrays of bytes writes single bytes, which for a short
//! message takes longer than the encryption. `wipe` uses stores as wide as the machine
//! allows, and a barrier that stops the compiler from removing these stores.

/// Overwrites all elements with `zero`.
#[inline(always)]
pub(crate) fn wipe<T: Copy>(secret: &mut [T], zero: T) {
    secret.fill(zero);
    zeroize::optimization_barrier(secret);
}
