//! GCM by VAES and VPCLMULQDQ on 512-bit registers, a whole message a call.
//!
//! Eight registers of counters are in flight, 32 blocks. Between their rounds,
//! the hash takes on eight registers of ciphertext: backwards those of the same
//! 32 blocks, forwards those of the 32 before. What is left goes through four, two
//! and one register, and the hash of it, of the last bytes and of the lengths takes
//! two reductions, whatever the length; a message of at most 48 bytes, one.
#![allow(unsafe_code)]

use super::{Block, RoundKeys, rounds};
use crate::block::gcm::Message;
use crate::buffer;
use crate::cpu::Avx512;
use crate::ghash::vpclmul512::{Steps, Sum, absorb, falling};
use crate::ghash::{Powers, clmul};
use crate::simd::{U8x16, U8x64};
use inout::InOutBuf;

pub(super) fn whole<const KEY: usize>(
    _: Avx512,
    keys: &RoundKeys,
    message: &mut Message<'_, '_, '_>,
    tag: &mut Block,
) {
    let (powers, first, aad) = (&message.point.powers, message.first, message.aad);
    let data = message.data.reborrow();
    // SAFETY: the token proves every feature that `entry` names.
    unsafe {
        if message.backwards {
            entry::<KEY, true>(keys, powers, first, aad, data, tag);
        } else {
            entry::<KEY, false>(keys, powers, first, aad, data, tag);
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn key(keys: &RoundKeys, round: usize) -> U8x64 {
    U8x64::splat(U8x16::from_u128(keys[round]))
}

/// The next `N` registers of counters, and the data to add to their encryption.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vaes")]
fn keystream<const KEY: usize, const N: usize>(
    keys: &RoundKeys,
    turn: U8x64,
    counter: &mut U8x64,
    data: [U8x64; N],
) -> [U8x64; N] {
    let mut x = start(keys, turn, counter);
    for round in 1..const { rounds(KEY) } {
        let key = key(keys, round);
        for x in &mut x {
            *x = x.aes_enc(key);
        }
    }
    let last = key(keys, const { rounds(KEY) });
    for i in 0..N {
        x[i] = x[i].aes_enc_last(last.xor(data[i]));
    }
    x
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn start<const N: usize>(keys: &RoundKeys, turn: U8x64, counter: &mut U8x64) -> [U8x64; N] {
    let four = U8x64::splat(U8x16::from_u128(4));
    let first = key(keys, 0);
    let mut x = [U8x64::zero(); N];
    for x in &mut x {
        *x = counter.shuffle(turn).xor(first);
        *counter = counter.add_u32(four);
    }
    x
}

/// Eight registers, and between the rounds the hash of eight: their own or those
/// of `before`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vaes,vpclmulqdq")]
fn eight<const KEY: usize, const OWN: bool>(
    keys: &RoundKeys,
    by: &Steps,
    turn: U8x64,
    counter: &mut U8x64,
    pending: &mut U8x64,
    data: &[[Block; 4]; 8],
    before: &[U8x64; 8],
) -> [U8x64; 8] {
    let mut x: [U8x64; 8] = start(keys, turn, counter);
    let hashed = |i: usize| {
        let ciphertext = if OWN {
            U8x64::load_blocks(&data[i])
        } else {
            before[i]
        };
        ciphertext.shuffle(turn)
    };
    let mut sum = Sum::zero();
    sum.add(*pending, by.step(8));
    // No branch in the loops, and no register that is rounds ahead of the others.
    for round in 1..8 {
        let key = key(keys, round);
        for x in &mut x {
            *x = x.aes_enc(key);
        }
        let hashed = hashed(round - 1);
        sum.add(hashed, by.step(8 - round));
        sum.in_step(&mut x);
    }
    for round in 8..const { rounds(KEY) } {
        let key = key(keys, round);
        for x in &mut x {
            *x = x.aes_enc(key);
        }
        sum.in_step(&mut x);
    }
    *pending = sum.reduce().xor(hashed(7));
    let last = key(keys, const { rounds(KEY) });
    for i in 0..8 {
        x[i] = x[i].aes_enc_last(last.xor(U8x64::load_blocks(&data[i])));
    }
    x
}

/// `N` registers of what is left; their ciphertext, turned, goes to `hashed`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vaes")]
fn some<const KEY: usize, const BACKWARDS: bool, const N: usize>(
    keys: &RoundKeys,
    turn: U8x64,
    counter: &mut U8x64,
    groups: InOutBuf<'_, '_, [[Block; 4]; N]>,
    hashed: &mut [U8x64; 8],
    count: &mut usize,
) {
    for mut group in groups {
        let mut data = [U8x64::zero(); N];
        for i in 0..N {
            data[i] = U8x64::load_blocks(&group.get_in()[i]);
        }
        let x = keystream::<KEY, N>(keys, turn, counter, data);
        for i in 0..N {
            x[i].store_blocks(&mut group.get_out()[i]);
            let ciphertext = if BACKWARDS { data[i] } else { x[i] };
            hashed[*count % 8] = ciphertext.shuffle(turn);
            *count += 1;
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,aes,vaes,vpclmulqdq,pclmulqdq,ssse3")]
fn entry<const KEY: usize, const BACKWARDS: bool>(
    keys: &RoundKeys,
    powers: &Powers,
    first: u128,
    aad: &[u8],
    data: InOutBuf<'_, '_, u8>,
    tag: &mut Block,
) {
    let turn1 = clmul::turn(true);
    let turn = U8x64::splat(turn1);
    let lengths = ((aad.len() as u128 * 8) << 64) | (data.len() as u128 * 8);
    let lengths = U8x16::from_u128(lengths);

    let first = U8x16::from_u128(first);
    let mut mask = first.xor(U8x16::from_u128(keys[0]));
    for round in 1..const { rounds(KEY) } {
        mask = mask.aes_enc(U8x16::from_u128(keys[round]));
    }
    mask = mask.aes_enc_last(U8x16::from_u128(keys[const { rounds(KEY) }]));

    let counter = U8x64::splat(first.shuffle(turn1));
    let counter = &mut counter.add_u32(U8x64::load_u128s(&[1, 2, 3, 4]));

    let by = &Steps::new(powers, aad.len().max(data.len()));
    let mut pending = if aad.is_empty() {
        U8x64::zero()
    } else {
        absorb(by, turn, U8x16::zero(), aad)
    };

    let (registers, mut last) = {
        let n = data.len() / 64 * 64;
        data.split_at(n)
    };
    let (blocks, _) = buffer::chunks::<u8, 16>(registers);
    let (registers, _) = buffer::chunks::<Block, 4>(blocks);
    let (groups, registers) = buffer::chunks::<[Block; 4], 8>(registers);

    if BACKWARDS {
        for mut group in groups {
            let none = &[U8x64::zero(); 8];
            let data = group.get_in();
            let x = eight::<KEY, true>(keys, by, turn, counter, &mut pending, data, none);
            for i in 0..8 {
                x[i].store_blocks(&mut group.get_out()[i]);
            }
        }
    } else {
        let mut groups = groups.into_iter();
        if let Some(mut group) = groups.next() {
            let mut data = [U8x64::zero(); 8];
            for i in 0..8 {
                data[i] = U8x64::load_blocks(&group.get_in()[i]);
            }
            let mut x = keystream::<KEY, 8>(keys, turn, counter, data);
            for i in 0..8 {
                x[i].store_blocks(&mut group.get_out()[i]);
            }
            for mut group in groups {
                let data = group.get_in();
                x = eight::<KEY, false>(keys, by, turn, counter, &mut pending, data, &x);
                for i in 0..8 {
                    x[i].store_blocks(&mut group.get_out()[i]);
                }
            }
            let mut sum = Sum::zero();
            sum.add(pending, by.step(8));
            for i in 0..7 {
                sum.add(x[i].shuffle(turn), by.step(7 - i));
            }
            pending = sum.reduce().xor(x[7].shuffle(turn));
        }
    }

    // What is left: at most seven registers, then less than one.
    let mut hashed = [U8x64::zero(); 8];
    let mut count = 0;
    let (groups, registers) = buffer::chunks(registers);
    some::<KEY, BACKWARDS, 4>(keys, turn, counter, groups, &mut hashed, &mut count);
    let (groups, registers) = buffer::chunks(registers);
    some::<KEY, BACKWARDS, 2>(keys, turn, counter, groups, &mut hashed, &mut count);
    let (groups, _) = buffer::chunks(registers);
    some::<KEY, BACKWARDS, 1>(keys, turn, counter, groups, &mut hashed, &mut count);

    let mut end = U8x64::zero();
    let mut blocks = 0;
    if !last.is_empty() {
        let n = last.len();
        let data = U8x64::load_bytes(last.get_in());
        let [x] = keystream::<KEY, 1>(keys, turn, counter, [data]);
        x.store_bytes(last.get_out());
        let ciphertext = if BACKWARDS { data } else { x.cut(n) };
        end = ciphertext.shuffle(turn);
        blocks = n.div_ceil(16);
        if blocks == 4 {
            hashed[count % 8] = end;
            count += 1;
            end = U8x64::zero();
            blocks = 0;
        }
    }

    if count != 0 {
        let mut sum = Sum::zero();
        sum.add(pending, by.step(count));
        for i in 0..count - 1 {
            sum.add(hashed[i % 8], by.step(count - 1 - i));
        }
        pending = sum.reduce().xor(hashed[(count - 1) % 8]);
    }

    // The blocks of the end and the lengths: at most four.
    let end = end.with(blocks, lengths);
    let mut sum = Sum::zero();
    sum.add(pending, falling(powers, blocks + 5));
    sum.add(end, falling(powers, blocks + 1));
    sum.fold().shuffle(turn1).xor(mask).store(tag);
}
