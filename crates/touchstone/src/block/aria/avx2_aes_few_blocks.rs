//! ARIA with AVX2 and AES-NI, constant-time, for at most 16 blocks, in planes of 16 bytes
//! ([`planes`](crate::machinery::planes)). The code of the rounds is in [`gfni`](super::gfni), the S-boxes
//! are in [`aes`](super::aes).
#![allow(unsafe_code)]

use super::aes::{SECOND, TWICE, backward, forward, ordered};
use super::gfni::others_by_pairs as others;
use super::gfni::{Schedule, cipher, diffuse, substitute};
use crate::machinery::planes::{aes as last_round, planes};
use crate::simd::U8x16;

planes!(
    aes halves: Schedule, from 3 blocks,
    forwards |keys, p| { ordered!(keys, p); }
    backwards |keys, p| { ordered!(keys, p); }
);
