//! Camellia with AVX2 and AES-NI, constant-time, 32 or 64 blocks at once
//! ([`planes`](crate::machinery::planes)). The code of a round is in [`aes`](super::aes).
#![allow(unsafe_code)]

use super::aes::{MAPS, ROWS, Schedule, cipher, or, round, s, turned};
use crate::machinery::planes::{aes as last_round, planes};
use crate::simd::U8x16;

planes!(
    aes in sets: Schedule, from 17 blocks,
    forwards |keys, sets| { cipher!(keys, sets); }
    backwards |keys, sets| { cipher!(keys, sets); }
);
