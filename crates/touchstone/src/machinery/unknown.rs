//! Sums in the order of the source.
//!
//! The words of some algorithms depend on each other in a chain of sums. The newest number must be
//! added last, so that the other additions do not wait for it. A compiler may add the numbers in
//! any order: in a loop it adds last what it loads, and it always adds constants last. So the steps
//! are written out by [`each!`](super::each::each), and the constants are unknown to the compiler.

/// Returns constants that the compiler does not know, so that it does not add them last.
#[inline(always)]
pub(crate) fn unknown<T>(constants: &T) -> &T {
    core::hint::black_box(constants)
}
