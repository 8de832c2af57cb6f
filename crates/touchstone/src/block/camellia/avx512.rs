//! Camellia with AVX-512 and GFNI, constant-time: 64 blocks at once, byte-sliced
//! ([`planes`](crate::machinery::planes)). The code of a round is in [`gfni`](super::gfni).
//!
//! The predicted time of a round is 15 cycles for 64 blocks if two instructions start in a
//! cycle.
#![allow(unsafe_code)]

use super::gfni::{AFTER, BASIS, FOURTH, Schedule, cipher, or, round, s, turned};
use crate::machinery::planes::planes;

planes!(
    whole: Schedule, from 33 blocks,
    forwards |keys, p| { cipher!(keys, p); }
    backwards |keys, p| { cipher!(keys, p); }
);
