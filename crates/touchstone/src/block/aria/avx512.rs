//! ARIA with AVX-512 and GFNI: 64 blocks, byte-sliced
//! ([`planes`](crate::machinery::planes)), in constant time. [`gfni`](super::gfni) has the rounds.
//!
//! The prediction for a round is 44 cycles for 64 blocks if two instructions start in a cycle.
#![allow(unsafe_code)]

use super::gfni::{S, Schedule, backward, cipher, diffuse, forward, substitute};
use crate::machinery::planes::planes;

planes!(
    whole: Schedule, from 33 blocks,
    forwards |keys, p| { cipher!(keys, p); }
    backwards |keys, p| { cipher!(keys, p); }
);
