//! Camellia with AVX2 and AES-NI, constant-time, for at most 16 blocks, in planes of 16 bytes
//! ([`planes`](crate::machinery::planes)). The code of a round is in [`aes`](super::aes).
#![allow(unsafe_code)]

use super::aes::{MAPS, ROWS, Schedule, cipher, or, round, s, turned};
use crate::machinery::planes::{aes as last_round, planes};
use crate::simd::U8x16;

planes!(
    aes halves: Schedule, from 8 blocks,
    forwards |keys, p| {
        let mut sets = [p];
        cipher!(keys, sets);
        [p] = sets;
    }
    backwards |keys, p| {
        let mut sets = [p];
        cipher!(keys, sets);
        [p] = sets;
    }
);
