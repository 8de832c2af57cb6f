//! Serpent with AVX2: a group of eight blocks is in four registers, and four groups are
//! computed at once ([`sliced`](crate::machinery::sliced)).
//!
//! Four groups do not fit into 16 registers, so some values are in memory. But with two groups,
//! a fifth of the processor would be idle: the chain of dependent operations in a round has a
//! length of some 20, and a round has about 50 operations for each group.
#![allow(unsafe_code)]

use super::RoundKeys;
use super::binary::boxes;
use super::rounds::{linear, rounds};
use super::schedule::schedule;
use crate::cpu::Avx2;
use crate::machinery::sliced::sliced;

sliced!(Avx2, RoundKeys, U8x32 as U32x8, 2 blocks a register, 4 groups, "avx2");
boxes!(Lanes, "avx2");
linear!(Lanes, "avx2");
rounds!(Lanes, "avx2");
schedule!(Avx2, "avx2");
