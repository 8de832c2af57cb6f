//! IDEA with AVX2: 64 blocks at once, with four registers for each word of a block, or 32 or 16
//! blocks with fewer registers.
//!
//! A multiplication takes ten instructions, so a round has 50 for each register of 16 blocks. Three
//! products follow one another, in some 40 cycles on Zen 5, where most of these instructions take
//! two cycles each. Four registers do not all fit into the processor's 16, but they hide this chain.
#![allow(unsafe_code)]

super::lanes::lanes!(Avx2, "avx2", U16x16: 16 lanes);
