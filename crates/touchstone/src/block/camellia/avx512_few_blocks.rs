//! Camellia with AVX-512 and GFNI, constant-time, for few blocks: 16 or 32 at once, in rows. The code is in
//! [`gfni_rows`](super::gfni_rows).
#![allow(unsafe_code)]

use super::gfni_rows::{AFTER, APART, BACK, IMAGE, SHIFTS, SPREAD, Schedule, TOGETHER, rows};

rows!(
    Avx512, U8x64 as U32x16, 4 blocks a register, 2 groups,
    "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,vpclmulqdq", from 3 blocks
);
