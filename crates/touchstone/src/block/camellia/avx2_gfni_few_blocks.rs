//! Camellia with AVX2 and GFNI, constant-time, for few blocks: 8 or 16 at once, in rows. The code is in
//! [`gfni_rows`](super::gfni_rows).
#![allow(unsafe_code)]

use super::gfni_rows::{AFTER, APART, BACK, IMAGE, SHIFTS, SPREAD, Schedule, TOGETHER, rows};

rows!(
    Gfni, U8x32 as U32x8, 2 blocks a register, 2 groups, "avx2,gfni", from 3 blocks
);
