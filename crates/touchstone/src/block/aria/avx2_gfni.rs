//! ARIA with AVX2 and GFNI, constant-time: 32 blocks at once, byte-sliced
//! ([`planes`](crate::machinery::planes)). The code of the rounds is in [`gfni`](super::gfni).
#![allow(unsafe_code)]

use super::gfni::others_by_pairs as others;
use super::gfni::{S, Schedule, backward, cipher, diffuse, forward, substitute};
use crate::machinery::planes::planes;

planes!(
    avx2: Schedule, from 9 blocks,
    forwards |keys, p| { cipher!(keys, p); }
    backwards |keys, p| { cipher!(keys, p); }
);
