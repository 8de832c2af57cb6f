//! ARIA with AVX-512 and GFNI, constant-time, for at most 32 blocks, in planes of 32 bytes
//! ([`planes`](crate::machinery::planes)). The code of the rounds is in [`gfni`](super::gfni).
#![allow(unsafe_code)]

use super::gfni::{S, Schedule, backward, cipher, diffuse, forward, others, substitute};
use crate::machinery::planes::planes;

planes!(
    halves: Schedule, from 3 blocks,
    forwards |keys, p| { cipher!(keys, p); }
    backwards |keys, p| { cipher!(keys, p); }
);
