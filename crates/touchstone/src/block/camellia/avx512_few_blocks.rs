//! Camellia with AVX-512 and GFNI, constant-time, for at most 32 blocks, in planes of 32 bytes
//! ([`planes`](crate::machinery::planes)). The code of a round is in [`gfni`](super::gfni).
#![allow(unsafe_code)]

use super::gfni::{AFTER, BASIS, FOURTH, Schedule, cipher, or, round, s, turned};
use crate::machinery::planes::planes;

planes!(
    halves inlined: Schedule, from 4 blocks,
    forwards |keys, p| { cipher!(keys, p); }
    backwards |keys, p| { cipher!(keys, p); }
);
