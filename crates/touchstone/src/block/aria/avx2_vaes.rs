//! ARIA with AVX2 and VAES, constant-time, 32 blocks at once
//! ([`planes`](crate::machinery::planes)). The code of the rounds is in [`gfni`](super::gfni), the S-boxes
//! are in [`aes`](super::aes).
#![allow(unsafe_code)]

use super::aes::{SECOND, TWICE, backward, forward, ordered};
use super::gfni::others_by_pairs as others;
use super::gfni::{Schedule, cipher, diffuse, substitute};
use crate::machinery::planes::{planes, vaes as last_round};
use crate::simd::U8x16;

planes!(
    vaes: Schedule, from 17 blocks,
    forwards |keys, p| { ordered!(keys, p); }
    backwards |keys, p| { ordered!(keys, p); }
);
