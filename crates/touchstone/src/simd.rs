//! Lane types: a SIMD register as an array of numbers, with a method for each operation that
//! the processor does on all lanes at once.
//!
//! Almost all `unsafe` code of the crate is here, in loads and stores. Every x86-64 processor
//! has SSE2. A method that needs more features has the attribute `#[target_feature]`. A
//! function that enables the same features can call the method without `unsafe`. Operators
//! (`impl Add`) cannot have that attribute, so the operations are methods with names.
//!
//! Each method takes and returns registers by value and is `#[inline]`: if a kernel enables the
//! features of the method, the call compiles to the instruction alone. A closure does not
//! inherit the features of the function around it, so kernels use loops and not `map` or
//! `from_fn`.
#![allow(unsafe_code)]

/// Defines a barrier for the order of instructions on registers of one width.
macro_rules! in_step {
    ($class:ident, $features:literal) => {
        /// Emits no instruction, but forces the compiler to compute all eight values before this
        /// point. Without this barrier the compiler orders the code such that few registers are
        /// needed: it finishes some of the values before it begins other values. The processor then
        /// waits for the latency of each value.
        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn in_step([a, b, c, d, e, f, g, h]: &mut [Self; 8]) {
            // SAFETY: the assembly contains no instruction, so every register keeps its value.
            unsafe {
                core::arch::asm!(
                    "/* {}{}{}{}{}{}{}{} */",
                    inout($class) a.0, inout($class) b.0, inout($class) c.0, inout($class) d.0,
                    inout($class) e.0, inout($class) f.0, inout($class) g.0, inout($class) h.0,
                    options(pure, nomem, nostack, preserves_flags)
                );
            }
        }
    };
}

mod clmul;
mod twice;
mod u16x16;
mod u16x32;
mod u32x16;
mod u32x4;
mod u32x8;
mod u64x2;
mod u64x4;
mod u64x8;
mod u8x16;
mod u8x32;
mod u8x64;

pub(crate) use twice::Twice;
pub(crate) use u8x16::U8x16;
pub(crate) use u8x32::U8x32;
pub(crate) use u8x64::U8x64;
pub(crate) use u16x16::U16x16;
pub(crate) use u16x32::U16x32;
pub(crate) use u32x4::U32x4;
pub(crate) use u32x8::U32x8;
pub(crate) use u32x16::U32x16;
pub(crate) use u64x2::U64x2;
pub(crate) use u64x4::U64x4;
pub(crate) use u64x8::U64x8;
