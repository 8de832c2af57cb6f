//! Steps that are written out, and sums in the order of the source.
//!
//! The words of some algorithms depend on each other in a chain of sums. The newest number must be
//! added last, so that the other additions do not wait for it. A compiler may add the numbers in
//! any order: in a loop it adds last what it loads, and it always adds constants last.

/// Writes the code for sixteen steps, one after the other. In it, `$i` is the number of the
/// step.
macro_rules! sixteen {
    ($i:ident, $step:block) => {
        $crate::machinery::written_out::steps!($i $step 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
}
pub(crate) use sixteen;

/// [`sixteen`] for four steps.
#[cfg(target_arch = "x86_64")]
macro_rules! four {
    ($i:ident, $step:block) => {
        $crate::machinery::written_out::steps!($i $step 0 1 2 3)
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use four;

macro_rules! steps {
    ($i:ident $step:block $($number:literal)*) => {
        $({
            let $i: usize = $number;
            $step
        })*
    };
}
pub(crate) use steps;

/// Constants that the compiler does not know, so that it does not add them last.
#[inline(always)]
pub(crate) fn unknown<T>(constants: &T) -> &T {
    core::hint::black_box(constants)
}
