//! AES with VAES on 512-bit registers: four blocks in each register, eight registers at once.
//! Zen 5 starts two `vaesenc` in each cycle, and each has a latency of four cycles. So eight
//! independent registers keep the processor busy ([`parallel`](super::parallel)).
#![allow(unsafe_code)]

use super::aesni;
use super::parallel::parallel;
use crate::cpu::Avx512;

parallel!(
    Avx512, U8x64, 4 blocks, 8 registers,
    "avx512f,avx512bw,avx512vl,aes,vaes,vpclmulqdq", less by aesni
);

/// Computes counter mode on bytes. The last block of `data` must be short. After the call,
/// `keystream` is the keystream of this last block; the caller can use the bytes that were not
/// needed. The lower half of `counter` must not overflow within this call.
pub(super) fn ctr_bytes<const KEY: usize>(
    _: Avx512,
    keys: &RoundKeys,
    counter: u128,
    data: InOutBuf<'_, '_, u8>,
    keystream: &mut Block,
) {
    // SAFETY: the token proves every feature that `entry` names.
    return unsafe { entry::<KEY>(keys, counter, data, keystream) };

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,aes,vaes,vpclmulqdq")]
    fn entry<const KEY: usize>(
        keys: &RoundKeys,
        counter: u128,
        data: InOutBuf<'_, '_, u8>,
        keystream: &mut Block,
    ) {
        let state = &mut first_state::<CTR_BYTES>(counter);
        let (registers, mut rest) = {
            let n = data.len() / 64 * 64;
            data.split_at(n)
        };
        let (blocks, _) = Block::split(registers);
        let (registers, _) = buffer::chunks(blocks);
        let (groups, registers) = buffer::chunks(registers);
        groups_of::<CTR_BYTES, KEY, 8>(keys, state, groups);
        narrower::<CTR_BYTES, KEY>(keys, state, registers);
        let mut x = [Lanes::load_bytes(rest.get_in())];
        work::<CTR_BYTES, KEY, 1>(keys, state, &mut x);
        let [x] = x;
        x.store_bytes(rest.get_out());
        // The bytes after the data were loaded as zeros, so here they are keystream.
        x.block(rest.len() / 16).store(keystream);
    }
}
