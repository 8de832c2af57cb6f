//! Lane types: a register as an array of numbers, with methods for what the
//! processor does to all lanes at once.
//!
//! Almost all `unsafe` of the crate is here, in loads and stores. A method that
//! needs more than the SSE2 that every x86-64 has carries `#[target_feature]`,
//! so calling it is safe in a function that names the same features. Operators
//! cannot carry that attribute; the methods are named instead.
//!
//! Everything takes and returns registers by value and is `#[inline]`: a kernel
//! compiles to bare instructions, if its own features include the method's.
//! Closures break this, for `map` and `from_fn` have no features: kernels loop.
#![allow(unsafe_code)]

mod clmul;
mod u32x16;
mod u32x4;
mod u32x8;
mod u64x4;
mod u64x8;
mod u8x16;
mod u8x32;
mod u8x64;

pub(crate) use u8x16::U8x16;
pub(crate) use u8x32::U8x32;
pub(crate) use u8x64::U8x64;
pub(crate) use u32x4::U32x4;
pub(crate) use u32x8::U32x8;
pub(crate) use u32x16::U32x16;
pub(crate) use u64x4::U64x4;
pub(crate) use u64x8::U64x8;
