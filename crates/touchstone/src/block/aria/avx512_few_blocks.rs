//! ARIA with AVX-512 and GFNI for at most 32 blocks, in planes of 32 bytes
//! ([`planes`](crate::machinery::planes)), in constant time. [`gfni`](super::gfni) has the rounds.
#![allow(unsafe_code)]

use super::gfni::{S, Schedule, backward, cipher, diffuse, forward, substitute};
use crate::machinery::planes::planes;

planes!(
    halves: Schedule, from 3 blocks,
    forwards |keys, p| { cipher!(keys, p); }
    backwards |keys, p| { cipher!(keys, p); }
);
