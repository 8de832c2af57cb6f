//! ARIA with AVX-512 and GFNI, constant-time: 64 blocks at once, byte-sliced
//! ([`planes`](crate::machinery::planes)). The code of the rounds is in [`gfni`](super::gfni).
//!
//! The predicted time of a round is 44 cycles for 64 blocks if two instructions start in a
//! cycle.
#![allow(unsafe_code)]

use super::gfni::{S, Schedule, backward, cipher, diffuse, forward, others, substitute};
use crate::machinery::planes::planes;

planes!(
    whole beside few: Schedule, from 33 blocks,
    forwards |keys, p| { cipher!(keys, p); }
    backwards |keys, p| { cipher!(keys, p); }
);
