//! IDEA with AVX-512: 128 blocks at once, with four registers for each word of a block, or 64
//! or 32 blocks with fewer registers.
//!
//! A multiplication takes seven instructions. A round has four products and ten other
//! instructions for each register of 32 blocks. The predicted time of a
//! round is 76 cycles for 128 blocks if two instructions start in a cycle. The chain of
//! dependent instructions in a round contains three products and takes some 50 cycles, so fewer
//! than 64 blocks take as long as 64.
#![allow(unsafe_code)]

super::lanes::lanes!(
    Avx512,
    "avx512f,avx512bw,avx512vl,avx512vbmi",
    U16x32: 32 lanes
);
