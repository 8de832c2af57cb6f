//! Camellia with AVX2 and GFNI, constant-time, for at most 16 blocks, in planes of 16 bytes
//! ([`planes`](crate::machinery::planes)). The code of a round is in [`gfni`](super::gfni).
#![allow(unsafe_code)]

use super::gfni::{AFTER, BASIS, FOURTH, Schedule, cipher, or, round, s, turned};
use crate::machinery::planes::planes;

planes!(
    avx2 halves: Schedule, from 4 blocks,
    forwards |keys, p| { cipher!(keys, p); }
    backwards |keys, p| { cipher!(keys, p); }
);
