//! Camellia with AVX2 and VAES, constant-time, 32 blocks at once ([`planes`](crate::machinery::planes)).
//! The code of a round is in [`aes`](super::aes). Without the instructions that divide and join planes,
//! the rounds of one set of planes after another leave few execution units idle, and two sets in turn
//! would only move more planes to memory and back.
#![allow(unsafe_code)]

use super::aes::{MAPS, ROWS, Schedule, cipher, or, round, s, turned};
use crate::machinery::planes::{planes, vaes as last_round};
use crate::simd::U8x16;

planes!(
    vaes: Schedule, from 17 blocks,
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
