//! ARIA with AVX2 and GFNI, constant-time, for few blocks: 8 at once, in rows. The code of the rounds
//! is in [`gfni_rows`](super::gfni_rows).
#![allow(unsafe_code)]

use super::State;
use super::gfni::{S, backward, forward, others_by_pairs as others};
use super::gfni_rows::{PLACES, rows};

rows!(
    Gfni, U8x32 as U32x8, 2 blocks a register, 1 groups, "avx2,gfni", from 3 blocks
);
