//! Sums in the order of the source, and words in registers of their own.
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

/// Returns the same data through a pointer whose origin is hidden from the compiler. The hidden
/// origin prevents two slow optimisations. The compiler would load each round key once for
/// registers of all widths, and widen it by a shuffle; a load instruction can widen a key at no
/// cost. And it would load what a loop needs before the loop, and keep it on the stack.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn again<T>(data: &T) -> &T {
    let mut data: *const T = data;
    // SAFETY: the assembly contains no instruction, so the pointer keeps its value.
    unsafe {
        core::arch::asm!("/* {} */", inout(reg) data, options(readonly, nostack, preserves_flags));
        &*data
    }
}

/// Returns constants for sums of two numbers that [`apart`] keeps from being parts of longer ones:
/// there the compiler may know the constants, and needs no loads for them. Where [`apart`] does
/// nothing, it does not know them.
#[inline(always)]
pub(crate) fn unknown_in_sums<T>(constants: &T) -> &T {
    if cfg!(target_arch = "x86_64") {
        constants
    } else {
        unknown(constants)
    }
}

/// Returns the same word in a register of its own, so that compilers do not
///
/// - take the word for a part of a longer sum, whose terms they add one after the other, or
/// - put the words of two to four blocks in one vector, in which every operation takes one cycle
///   more on some processors (Zen 5).
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline(always)]
pub(crate) fn apart(mut word: u32) -> u32 {
    // SAFETY: the assembly contains no instruction, so the word keeps its value.
    unsafe {
        core::arch::asm!("/* {0:e} */", inout(reg) word, options(pure, nomem, nostack, preserves_flags));
    }
    word
}

/// Does the same as [`apart`] with a word of 64 bits.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline(always)]
pub(crate) fn apart_64(mut word: u64) -> u64 {
    // SAFETY: the assembly contains no instruction, so the word keeps its value.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) word, options(pure, nomem, nostack, preserves_flags));
    }
    word
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn apart(word: u32) -> u32 {
    word
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn apart_64(word: u64) -> u64 {
    word
}
