//! SM4 with AVX-512 and GFNI: 64 blocks, byte-sliced
//! ([`planes`](crate::machinery::planes)), in constant time.
//!
//! The S-box takes two instructions, which compute in AES's field. L rotates words by 2
//! bits more than whole bytes. Let A be the map that shifts a byte up by 2 bits, and C
//! the map that shifts it down by 6 bits. Then byte *i* of L(b) is
//!
//! ```text
//!   (1 + C) b[i] + (1 + A) b[i+3] + (A + C) (b[0] + b[1] + b[2] + b[3])
//! ```
//!
//! A round has 17 affine maps and 18 other instructions, half of them XORs of three
//! values. The prediction is 18 cycles for 64 blocks if two instructions start in a
//! cycle.
#![allow(unsafe_code)]

use super::{FIELD, MAP, RoundKeys};
use crate::machinery::field::{Affine, Inversion};
use crate::machinery::planes::planes;

const S: Inversion = Inversion::of(&MAP, &MAP, FIELD);

/// The affine maps of L: 1 + C, 1 + A and A + C.
const L: [u64; 3] = {
    let mut tables = [[0; 256]; 3];
    let mut x = 0;
    while x < 256 {
        let (b, up, down) = (x as u8, (x << 2) as u8, (x >> 6) as u8);
        tables[0][x] = b ^ down;
        tables[1][x] = b ^ up;
        tables[2][x] = up ^ down;
        x += 1;
    }
    [
        Affine::of(&tables[0]).matrix,
        Affine::of(&tables[1]).matrix,
        Affine::of(&tables[2]).matrix,
    ]
};

/// A round: XORs T of the key and three words to word `$to`.
macro_rules! round {
    ($p:ident[$to:literal], $a:literal $b:literal $c:literal, $key:expr) => {{
        let key = $key.to_be_bytes();
        let mut t = [Bytes::zero(); 4];
        for i in 0..4 {
            t[i] = $p[4 * $a + i]
                .xor3($p[4 * $b + i], Bytes::splat_u8(key[i]))
                .xor($p[4 * $c + i])
                .affine_plus::<{ S.before.constant }>(S.before.matrix)
                .inverse_affine_plus::<{ S.after.constant }>(S.after.matrix);
        }
        let all = t[0].xor3(t[1], t[2]).xor(t[3]).affine(L[2]);
        for i in 0..4 {
            let sum = $p[4 * $to + i].xor3(all, t[i].affine(L[0]));
            $p[4 * $to + i] = sum.xor(t[(i + 3) % 4].affine(L[1]));
        }
    }};
}

/// All rounds, with this order of keys.
macro_rules! rounds {
    ($p:ident, |$round:ident| $key:expr) => {{
        for four in 0..8 {
            let key = |turn: usize| -> u32 {
                let $round = 4 * four + turn;
                $key
            };
            round!($p[0], 2 3 1, key(0));
            round!($p[1], 2 3 0, key(1));
            round!($p[2], 0 3 1, key(2));
            round!($p[3], 0 1 2, key(3));
        }
        // The words come out in reverse order.
        for i in 0..4 {
            $p.swap(i, 12 + i);
            $p.swap(4 + i, 8 + i);
        }
    }};
}

planes!(
    RoundKeys, from 6 blocks,
    forwards |keys, p| { rounds!(p, |round| keys[round]); }
    backwards |keys, p| { rounds!(p, |round| keys[31 - round]); }
);
