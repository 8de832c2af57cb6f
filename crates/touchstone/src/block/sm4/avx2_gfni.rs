//! SM4 with AVX2 and GFNI, constant-time: 32 blocks at once, byte-sliced
//! ([`planes`](crate::machinery::planes)). The round is in [`gfni`](super::gfni).
#![allow(unsafe_code)]

use super::RoundKeys;
use super::gfni::{AFTER, BASIS, after, round, rounds};
use crate::machinery::planes::planes;

planes!(
    avx2: RoundKeys, from 5 blocks,
    forwards |keys, p| { rounds!(p, |round| keys[round]); }
    backwards |keys, p| { rounds!(p, |round| keys[31 - round]); }
);
