//! SHACAL-2 in sixteen lanes: the portable form, compiled for AVX-512. With AVX-512, a choice, a
//! majority, an XOR of three words and a rotation are one instruction each.
#![allow(unsafe_code)]

use inout::InOutBuf;

use super::{Block, RoundKeys, shani};
use crate::buffer;
use crate::cpu::ShaAvx512;
use crate::machinery::groups::filled;

/// The least number of remaining blocks for which a register that is not full is faster.
const LEAST: usize = 3;

pub(super) fn encrypt(token: ShaAvx512, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    let (groups, rest) = buffer::chunks(blocks);
    for mut blocks in groups {
        // SAFETY: the token proves AVX-512.
        *blocks.get_out() = unsafe { encrypt_16(keys, blocks.get_in()) };
    }
    shani::encrypt(token.into(), keys, rest);
}

pub(super) fn decrypt(_: ShaAvx512, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    filled::<16, LEAST, Block>(
        blocks,
        // SAFETY: the token proves AVX-512.
        |blocks| unsafe { decrypt_16(keys, &blocks) },
        |pair| pair.map(|block| super::decrypt(keys, &[block])[0]),
        |block| super::decrypt(keys, &[block])[0],
    );
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn encrypt_16(keys: &RoundKeys, blocks: &[Block; 16]) -> [Block; 16] {
    super::encrypt(keys, blocks)
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn decrypt_16(keys: &RoundKeys, blocks: &[Block; 16]) -> [Block; 16] {
    super::decrypt(keys, blocks)
}
