//! IDEA with AVX-512: 128 blocks at once, with four registers for each word of a block, or 64
//! or 32 blocks with fewer registers.
//!
//! A multiplication takes nine instructions. A round has four products and ten other instructions for
//! each register of 32 blocks. The predicted time of a round is 92 cycles for 128 blocks if two
//! instructions start in a cycle. The chain of dependent instructions in a round contains three products
//! and takes some 40 cycles, so 32 blocks take nearly as long as 64. `avx2` computes up to 16.
#![allow(unsafe_code)]

super::lanes::lanes!(
    Avx512,
    "avx512f,avx512bw,avx512vl,avx512vbmi",
    U16x32: 32 lanes
);
