//! Tiger and Tiger2, by R. Anderson and E. Biham: digests of 24 bytes, blocks of 64 bytes. The
//! two differ in the byte after the message: 01 in Tiger, as in the paper, and 80 in Tiger2, as
//! in MD5.
//!
//! **Not constant-time**: the message determines which table entries the code reads.
//!
//! | kernel | needs | messages at once | technique |
//! |---|---|---|---|
//! | `portable` | – | 1 | as in the paper |
//!
//! - [TIGER] R. Anderson, E. Biham: Tiger: A Fast New Hash Function, FSE 1996
//! - [PAGE] E. Biham: Tiger: A Fast New Hash Function, with Tiger2 and the program that
//!   makes the S-boxes
//!
//! [TIGER]: https://doi.org/10.1007/3-540-60865-6_46
//! [PAGE]: https://biham.cs.technion.ac.il/Reports/Tiger/

use super::iterated::{Compression, Order, Padding, iterated_hashes, one_by_one};
use crate::Digest;
use crate::kernel::kernels;

kernels! {
    /// The kernels: implementations of Tiger.
    enum Kernel {}
}

macro_rules! compressions {
    ($($(#[$meta:meta])* $Compression:ident $mark:literal;)*) => {$(
        $(#[$meta])*
        #[derive(Clone)]
        pub(crate) struct $Compression;

        impl Compression for $Compression {
            type Kernel = Kernel;
            type Block = [u8; 64];
            type Chain = [u64; 3];
            const ZERO: [u64; 3] = [0; 3];
            const PADDING: Padding = Padding {
                mark: $mark,
                width: 8,
                order: Order::Little,
            };

            #[inline]
            fn compress(kernel: Kernel, chain: &mut [u64; 3], blocks: &[[u8; 64]]) {
                match kernel {
                    Kernel::Portable => compress_blocks(chain, blocks),
                }
            }
        }
    )*};
}

compressions! {
    /// The compression function of Tiger, with the padding of Tiger.
    TigerCompression 0x01;
    /// The compression function of Tiger, with the padding of Tiger2.
    Tiger2Compression 0x80;
}

iterated_hashes! {
    TigerCompression; one_by_one::<TigerCompression>;
    /// Tiger, [TIGER](self).
    Tiger 24 START, digest;
}
iterated_hashes! {
    Tiger2Compression; one_by_one::<Tiger2Compression>;
    /// Tiger2, [PAGE](self).
    Tiger2 24 START, digest;
}

/// The first chaining value, [TIGER] §2.
const START: [u64; 3] = [0x0123456789abcdef, 0xfedcba9876543210, 0xf096a5b4c3b2e187];

type Tables = [[u64; 256]; 4];

/// Compresses every block. The chaining value stays in registers from one block to the next.
#[inline(never)]
fn compress_blocks(chain: &mut [u64; 3], blocks: &[[u8; 64]]) {
    let mut now = *chain;
    for block in blocks {
        let mut x = [0; 8];
        for (x, bytes) in x.iter_mut().zip(block.as_chunks().0) {
            *x = u64::from_le_bytes(*bytes);
        }
        now = compress(&S, now, x);
    }
    *chain = now;
}

/// Compresses one block, [TIGER] §2: three passes over the eight words of the block. The key
/// schedule changes these words between the passes.
#[inline(always)]
const fn compress(s: &Tables, chain: [u64; 3], mut x: [u64; 8]) -> [u64; 3] {
    let [mut a, mut b, mut c] = chain;
    /// Computes one round. The last two arguments are the index of the block's word and the
    /// factor of the pass.
    macro_rules! round {
        ($a:ident $b:ident $c:ident $x:literal $factor:literal) => {
            $c ^= x[$x];
            $a = $a.wrapping_sub(
                s[0][($c & 255) as usize]
                    ^ s[1][($c >> 16 & 255) as usize]
                    ^ s[2][($c >> 32 & 255) as usize]
                    ^ s[3][($c >> 48 & 255) as usize],
            );
            $b = $b.wrapping_add(
                s[3][($c >> 8 & 255) as usize]
                    ^ s[2][($c >> 24 & 255) as usize]
                    ^ s[1][($c >> 40 & 255) as usize]
                    ^ s[0][($c >> 56) as usize],
            );
            $b = $b.wrapping_mul($factor);
        };
    }
    macro_rules! pass {
        ($a:ident $b:ident $c:ident $factor:literal) => {
            round!($a $b $c 0 $factor);
            round!($b $c $a 1 $factor);
            round!($c $a $b 2 $factor);
            round!($a $b $c 3 $factor);
            round!($b $c $a 4 $factor);
            round!($c $a $b 5 $factor);
            round!($a $b $c 6 $factor);
            round!($b $c $a 7 $factor);
        };
    }
    pass!(a b c 5);
    x = schedule(x);
    pass!(c a b 7);
    x = schedule(x);
    pass!(b c a 9);
    [
        a ^ chain[0],
        b.wrapping_sub(chain[1]),
        c.wrapping_add(chain[2]),
    ]
}

/// Computes the key schedule of [TIGER] §2.
const fn schedule(mut x: [u64; 8]) -> [u64; 8] {
    x[0] = x[0].wrapping_sub(x[7] ^ 0xa5a5_a5a5_a5a5_a5a5);
    x[1] ^= x[0];
    x[2] = x[2].wrapping_add(x[1]);
    x[3] = x[3].wrapping_sub(x[2] ^ (!x[1] << 19));
    x[4] ^= x[3];
    x[5] = x[5].wrapping_add(x[4]);
    x[6] = x[6].wrapping_sub(x[5] ^ (!x[4] >> 23));
    x[7] ^= x[6];
    x[0] = x[0].wrapping_add(x[7]);
    x[1] = x[1].wrapping_sub(x[0] ^ (!x[7] << 19));
    x[2] ^= x[1];
    x[3] = x[3].wrapping_add(x[2]);
    x[4] = x[4].wrapping_sub(x[3] ^ (!x[2] >> 23));
    x[5] ^= x[4];
    x[6] = x[6].wrapping_add(x[5]);
    x[7] = x[7].wrapping_sub(x[6] ^ 0x0123_4567_89ab_cdef);
    x
}

static S: Tables = S_BOXES;

/// The S-boxes, computed by the method of the program of [PAGE]. Each column of bytes is a
/// permutation. Five passes exchange bytes within the columns. The random numbers for the
/// exchanges are chaining values of the compression function with the S-boxes so far, which
/// compresses the sentence of 64 bytes below again and again.
#[allow(long_running_const_eval, reason = "1700 compressions, which end")]
const S_BOXES: Tables = {
    let sentence = b"Tiger - A Fast New Hash Function, by Ross Anderson and Eli Biham";
    let mut words = [0; 8];
    let mut i = 0;
    while i < 64 {
        words[i / 8] |= (sentence[i] as u64) << (8 * (i % 8));
        i += 1;
    }
    let mut s = [[0; 256]; 4];
    let mut i = 0;
    while i < 1024 {
        s[i / 256][i % 256] = (i % 256) as u64 * 0x0101_0101_0101_0101;
        i += 1;
    }
    let mut state = START;
    let mut word = 2;
    let mut step = 0;
    while step < 5 * 1024 {
        let (i, table) = (step / 4 % 256, step % 4);
        word += 1;
        if word == 3 {
            word = 0;
            state = compress(&s, state, words);
        }
        let mut column = 0;
        while column < 64 {
            let other = (state[word] >> column & 255) as usize;
            // The two entries exchange their bytes in this column.
            let difference = (s[table][i] ^ s[table][other]) & (255 << column);
            s[table][i] ^= difference;
            s[table][other] ^= difference;
            column += 8;
        }
        step += 1;
    }
    s
};

/// Returns the digest: the words of the chaining value, least significant byte first.
#[inline]
fn digest(chain: &[u64; 3]) -> Digest<24> {
    let mut output = [0; 24];
    for (bytes, word) in output.as_chunks_mut().0.iter_mut().zip(chain) {
        *bytes = word.to_le_bytes();
    }
    output.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the first entry of the first S-box and the last entry of the last S-box with
    /// [PAGE](super).
    #[test]
    fn boxes_are_those_of_the_authors() {
        assert_eq!(S[0][0], 0x02aa_b17c_f7e9_0c5e);
        assert_eq!(S[3][255], 0xc3a0_396f_7363_a51f);
    }
}
