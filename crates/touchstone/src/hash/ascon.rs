//! Ascon-Hash256 and Ascon-XOF128, NIST's standard for small devices: digests of 32 bytes, or
//! output of any length; blocks of 8 bytes.
//!
//! | kernel | needs | messages at once | technique |
//! |---|---|---|---|
//! | `portable` | – | 1 | as in the standard |
//!
//! - [SP800-232] Ascon-Based Lightweight Cryptography Standards for Constrained Devices, NIST
//!   SP 800-232, 2025
//!
//! [SP800-232]: https://doi.org/10.6028/NIST.SP.800-232

use super::sponge::{Permutation, Sponge, Squeeze};
use super::{HashFunction, Xof, XofReader, hash_type, state_type, xof_type};
use crate::Digest;
use crate::kernel::kernels;

kernels! {
    /// The kernels: implementations of Ascon.
    enum Kernel {}
}

/// The permutation of Ascon, with twelve rounds.
#[derive(Clone)]
pub(crate) struct Ascon;

type State = [u64; 5];

impl Permutation for Ascon {
    type Kernel = Kernel;
    type State = State;
    const ZERO: State = [0; 5];
    const END: u8 = 0;

    #[inline]
    fn permute(kernel: Kernel, state: &mut State) {
        match kernel {
            Kernel::Portable => *state = permute::<12>(*state),
        }
    }

    #[inline]
    fn absorb<const RATE: usize>(kernel: Kernel, state: &mut State, blocks: &[[u8; RATE]]) {
        // A local variable stays in registers. In memory each block would wait for the stores of the
        // block before.
        let mut local = *state;
        for block in blocks.as_flattened().as_chunks().0 {
            local[0] ^= u64::from_le_bytes(*block);
            Self::permute(kernel, &mut local);
        }
        *state = local;
    }
}

const RATE: usize = 8;

/// Computes the last `ROUNDS` of the twelve rounds of the permutation, [SP800-232] §3. A round
/// adds a constant, applies the S-boxes, and mixes the bits of each word.
#[inline(always)]
pub(crate) const fn permute<const ROUNDS: u64>(
    [mut a, mut b, mut c, mut d, mut e]: State,
) -> State {
    let mut round = 12 - ROUNDS;
    c ^= constant(round);
    while round < 12 {
        round += 1;
        // The S-box of §3.3 on every column, computed on whole words, without the complement of
        // the third word.
        a ^= e;
        e ^= d;
        c ^= b;
        let (ta, tb, tc, td, te) = (!a & b, !b & c, !c & d, !d & e, !e & a);
        a ^= tb;
        b ^= tc;
        c ^= td;
        d ^= te;
        e ^= ta;
        b ^= a;
        a ^= e;
        d ^= c;
        // The linear layer of §3.4. The next round's constant is added to the third word with the
        // complement, in the time that the rotations take.
        a ^= a.rotate_right(19) ^ a.rotate_right(28);
        b ^= b.rotate_right(61) ^ b.rotate_right(39);
        c = c ^ !constant(round) ^ (c.rotate_right(1) ^ c.rotate_right(6));
        d ^= d.rotate_right(10) ^ d.rotate_right(17);
        e ^= e.rotate_right(7) ^ e.rotate_right(41);
    }
    [a, b, c, d, e]
}

/// The constants of §3.2 are f0, e1, d2 …: the upper four bits decrease, the lower four bits
/// increase. There is none after the last round.
#[inline(always)]
const fn constant(round: u64) -> u64 {
    if round < 12 { 0xf0 - 0x0f * round } else { 0 }
}

/// The state after the permutation of the initial value, for each function: [SP800-232] §5 and
/// appendix B.
const HASH: State = permute::<12>([0x0000_0801_00cc_0002, 0, 0, 0, 0]);
const XOF: State = permute::<12>([0x0000_0800_00cc_0003, 0, 0, 0, 0]);

/// The padding, [SP800-232] §2.1: a bit 1 after the message, the lowest bit of its byte.
const PADDING: u8 = 1;

/// Ascon-Hash256, [SP800-232](self) §5.1.
#[derive(Clone)]
pub struct AsconHash256(Sponge<Ascon, RATE>);

impl HashFunction for AsconHash256 {
    type Kernel = Kernel;
    type Output = Digest<32>;
    const BLOCK: usize = RATE;

    #[inline]
    fn with_kernel(kernel: Kernel) -> Self {
        Self(Sponge::from_state(kernel, HASH))
    }
    #[inline]
    fn kernel_in_use(&self) -> Kernel {
        self.0.kernel()
    }
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.0.absorb(data);
    }
    #[inline]
    fn finalize(self) -> Digest<32> {
        let mut output = [0; 32];
        self.0.finish(PADDING).squeeze(&mut output);
        output.into()
    }
}

hash_type!(AsconHash256);

/// Ascon-XOF128, [SP800-232](self) §5.2.
#[derive(Clone)]
pub struct AsconXof128(Sponge<Ascon, RATE>);

/// The reader of the output of [`AsconXof128`].
#[derive(Clone)]
pub struct AsconXof128Reader(Squeeze<Ascon, RATE>);

impl Xof for AsconXof128 {
    type Kernel = Kernel;
    type Reader = AsconXof128Reader;
    const BLOCK: usize = RATE;

    #[inline]
    fn with_kernel(kernel: Kernel) -> Self {
        Self(Sponge::from_state(kernel, XOF))
    }
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.0.absorb(data);
    }
    #[inline]
    fn finalize_xof(self) -> AsconXof128Reader {
        AsconXof128Reader(self.0.finish(PADDING))
    }
}

impl XofReader for AsconXof128Reader {
    #[inline]
    fn squeeze(&mut self, output: &mut [u8]) {
        self.0.squeeze(output);
    }
}

xof_type!(AsconXof128, AsconXof128Reader);
state_type!(AsconXof128);
