//! Camellia with AVX-512 and GFNI for at most 32 blocks, in planes of 32 bytes
//! ([`planes`](crate::machinery::planes)), in constant time. [`gfni`](super::gfni) has the round.
#![allow(unsafe_code)]

use super::gfni::{AFTER, BASIS, FOURTH, Schedule, cipher, or, round, s, turned};
use crate::machinery::planes::planes;

planes!(
    halves: Schedule, from 4 blocks,
    forwards |keys, p| { cipher!(keys, p); }
    backwards |keys, p| { cipher!(keys, p); }
);
