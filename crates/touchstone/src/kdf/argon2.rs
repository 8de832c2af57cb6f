//! Argon2, [RFC9106] (feature `argon2`). Argon2 fills memory and reads this memory again. The order
//! in which it reads differs between the variants. In the variant `d` the order depends on the
//! password. In the variant `i` the order depends only on the position. The variant `id` first
//! reads in the order of `i`, and then in the order of `d`.
//!
//! **Not constant-time** in the variants `d` and `id`: the addresses that are read depend on the
//! password. This is a part of the design.
//!
//! | kernel | needs | technique |
//! |---|---|---|
//! | `avx512` | AVX-512 | the whole block in sixteen registers |
//! | `avx2` | AVX2 | a row of four words in a register |
//! | `portable` | – | as in the standard |
//!
//! - [RFC9106] Argon2 Memory-Hard Function for Password Hashing and Proof-of-Work Applications,
//!   RFC 9106, 2021
//!
//! [RFC9106]: https://www.rfc-editor.org/rfc/rfc9106

use alloc::vec::Vec;
use core::fmt;

use super::KdfError;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::hash::blake2::blake2b;
use crate::kernel::kernels;
use crate::wipe::wipe;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

/// The variant of Argon2, which determines the order in which the memory is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the module says what each is")]
pub enum Variant {
    D = 0,
    I = 1,
    Id = 2,
}

/// The inputs of Argon2 besides password and salt, [RFC9106](self) §3.1. `Debug` does not show
/// the secret.
#[derive(Clone, Copy)]
pub struct Costs<'a> {
    /// The number of passes over the memory, 1 or more.
    pub passes: u32,
    /// The size of the memory in KiB, at least 8 KiB for each lane.
    pub memory: u32,
    /// The number of lanes, 1 to 2²⁴ − 1. This implementation fills the lanes one after the other.
    pub lanes: u32,
    /// A secret that is not part of the password. The secret may be empty.
    pub secret: &'a [u8],
    /// Associated data.
    pub data: &'a [u8],
}

impl fmt::Debug for Costs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Costs")
            .field("passes", &self.passes)
            .field("memory", &self.memory)
            .field("lanes", &self.lanes)
            .field("data", &self.data)
            .finish_non_exhaustive()
    }
}

/// Fills `key` from a password and a salt by Argon2, [RFC9106](self) §3.
///
/// ```
/// use touchstone::kdf::argon2::{Costs, Variant, argon2};
///
/// let costs = Costs { passes: 2, memory: 64, lanes: 1, secret: b"", data: b"" };
/// let mut key = [0; 32];
/// argon2(Variant::Id, b"correct horse", b"salt of this user", &costs, &mut key)?;
/// # Ok::<(), touchstone::kdf::KdfError>(())
/// ```
///
/// # Errors
///
/// [`KdfError::OutputLength`] for less than 4 bytes of output; [`KdfError::Memory`] if the
/// memory cannot be allocated; [`KdfError::Costs`] for costs that Argon2 does not allow, and
/// for a salt of less than 8 bytes.
pub fn argon2(
    variant: Variant,
    password: &[u8],
    salt: &[u8],
    costs: &Costs<'_>,
    key: &mut [u8],
) -> Result<(), KdfError> {
    let Ok(length) = u32::try_from(key.len()) else {
        return Err(KdfError::OutputLength { given: key.len() });
    };
    if length < 4 {
        return Err(KdfError::OutputLength { given: key.len() });
    }
    let &Costs {
        passes,
        memory,
        lanes,
        secret,
        data,
    } = costs;
    let inputs = [password, salt, secret, data];
    let short = |input: &[u8]| u32::try_from(input.len()).is_ok();
    if passes == 0
        || !(1..1 << 24).contains(&lanes)
        || memory / 8 < lanes
        || salt.len() < 8
        || !inputs.into_iter().all(short)
    {
        return Err(KdfError::Costs);
    }
    let mut filling = Filling {
        kernel: crate::Kernel::best(),
        variant,
        passes: passes as usize,
        lanes: lanes as usize,
        segment: memory as usize / (SLICES * lanes as usize),
        first: [0; 64],
        memory: Vec::new(),
    };
    let blocks = SLICES * filling.segment * filling.lanes;
    let memory_of = &mut filling.memory;
    memory_of
        .try_reserve_exact(blocks)
        .map_err(|_| KdfError::Memory)?;

    // H₀, [RFC9106] §3.2.
    let numbers = [lanes, length, memory, passes, VERSION, variant as u32].map(u32::to_le_bytes);
    let lengths = inputs.map(|input| (input.len() as u32).to_le_bytes());
    let [p, s, k, x] = inputs;
    let [lp, ls, lk, lx] = &lengths;
    let pieces = [numbers.as_flattened(), lp, p, ls, s, lk, k, lx, x];
    blake2b(&pieces, &mut filling.first);

    filling.run();
    filling.end(key);
    Ok(())
}

/// The version of Argon2, [RFC9106] §3.1.
const VERSION: u32 = 0x13;

/// The number of slices of the memory. A segment is the part of a slice that is in one lane.
const SLICES: usize = 4;

/// A block of 1 KiB. Words 16 i to 16 i + 15 are row i of the matrix in [RFC9106] §3.5.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Block([u64; 128]);

impl Block {
    const ZERO: Self = Self([0; 128]);

    fn xor(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word ^= other;
        }
    }
}

/// The memory that is being filled.
struct Filling {
    kernel: Kernel,
    variant: Variant,
    passes: usize,
    lanes: usize,
    /// The number of blocks of a segment.
    segment: usize,
    /// H₀, [RFC9106] §3.2.
    first: [u8; 64],
    /// The segments in the order in which they are filled: first the first slice of each lane. So
    /// the first pass appends its blocks, and nothing has to write zeros before.
    memory: Vec<Block>,
}

impl Drop for Filling {
    fn drop(&mut self) {
        wipe(&mut self.first, 0);
        wipe(&mut self.memory, Block::ZERO);
    }
}

impl Filling {
    fn run(&mut self) {
        for pass in 0..self.passes {
            for slice in 0..SLICES {
                for lane in 0..self.lanes {
                    self.fill(pass, slice, lane);
                }
            }
        }
    }

    /// Returns the index of a block of a lane in the memory.
    #[inline]
    fn index(&self, lane: usize, column: usize) -> usize {
        // In place of a division, which takes longer.
        let ends = [1, 2, 3].map(|slice| usize::from(column >= slice * self.segment));
        let slice = ends[0] + ends[1] + ends[2];
        (slice * (self.lanes - 1) + lane) * self.segment + column
    }

    /// Fills a segment, [RFC9106] §3.2 and §3.4.
    fn fill(&mut self, pass: usize, slice: usize, lane: usize) {
        let (segment, columns) = (self.segment, SLICES * self.segment);
        let mut start = 0;
        if pass == 0 && slice == 0 {
            for column in 0..2u32 {
                let place = [column, lane as u32].map(u32::to_le_bytes);
                let mut bytes = [0; 1024];
                long_hash(&[&self.first, place.as_flattened()], &mut bytes);
                let mut block = Block::ZERO;
                for (word, bytes) in block.0.iter_mut().zip(bytes.as_chunks().0) {
                    *word = u64::from_le_bytes(*bytes);
                }
                self.memory.push(block);
                wipe(&mut bytes, 0);
                wipe(&mut block.0, 0);
            }
            start = 2;
        }
        let independent = match self.variant {
            Variant::D => false,
            Variant::I => true,
            Variant::Id => pass == 0 && slice < SLICES / 2,
        };
        let mut addresses = Addresses::new(self, pass, slice, lane);
        let here = slice * segment;
        let mut block = self.memory[self.index(lane, (here + start + columns - 1) % columns)];
        for i in start..segment {
            let random = if independent {
                addresses.at(self.kernel, i)
            } else {
                block.0[0]
            };
            let other = if pass == 0 && slice == 0 {
                lane
            } else {
                (random >> 32) as usize % self.lanes
            };
            // The oldest block that may be read, and the number of such blocks, §3.4.2. The block
            // before this one is not among them.
            let (oldest, done) = match pass {
                0 => (0, here),
                _ => ((here + segment) % columns, columns - segment),
            };
            let number = if other == lane {
                done + i - 1
            } else {
                done - usize::from(i == 0)
            };
            let x = (random & 0xffff_ffff).pow(2) >> 32;
            let back = (number as u64 * x >> 32) as usize;
            let mut column = oldest + number - 1 - back;
            if column >= columns {
                column -= columns;
            }
            let index = self.index(other, column);
            self.kernel.compress(&mut block, &self.memory[index]);
            if pass == 0 {
                self.memory.push(block);
            } else {
                let index = self.index(lane, here + i);
                let old = &mut self.memory[index];
                block.xor(old);
                *old = block;
            }
        }
        wipe(&mut block.0, 0);
    }

    /// Makes the key of the last blocks of the lanes, [RFC9106] §3.2, steps 7 and 8.
    fn end(&self, key: &mut [u8]) {
        let mut sum = Block::ZERO;
        for lane in 0..self.lanes {
            sum.xor(&self.memory[self.index(lane, SLICES * self.segment - 1)]);
        }
        let mut bytes = sum.0.map(u64::to_le_bytes);
        long_hash(&[bytes.as_flattened()], key);
        wipe(bytes.as_flattened_mut(), 0);
        wipe(&mut sum.0, 0);
    }
}

/// The random numbers of the variant `i`, [RFC9106] §3.4.1.2. They are not secret.
struct Addresses {
    input: Block,
    block: Block,
    /// The index of the numbers in `block` among the blocks of this segment.
    of: Option<usize>,
}

impl Addresses {
    fn new(filling: &Filling, pass: usize, slice: usize, lane: usize) -> Self {
        let &Filling {
            variant,
            passes,
            lanes,
            segment,
            ..
        } = filling;
        let mut input = Block::ZERO;
        let blocks = SLICES * segment * lanes;
        let numbers = [pass, lane, slice, blocks, passes, variant as usize];
        for (word, number) in input.0.iter_mut().zip(numbers) {
            *word = number as u64;
        }
        Self {
            input,
            block: Block::ZERO,
            of: None,
        }
    }

    #[inline]
    fn at(&mut self, kernel: Kernel, i: usize) -> u64 {
        let of = i / 128;
        if self.of != Some(of) {
            self.of = Some(of);
            self.input.0[6] = of as u64 + 1;
            self.block = self.input;
            kernel.compress(&mut self.block, &Block::ZERO);
            kernel.compress(&mut self.block, &Block::ZERO);
        }
        self.block.0[i % 128]
    }
}

/// The function H′, [RFC9106] §3.3: a hash of any length, by BLAKE2b.
fn long_hash(pieces: &[&[u8]], output: &mut [u8]) {
    let length = (output.len() as u32).to_le_bytes();
    let mut all = [&[][..]; 3];
    all[0] = &length;
    all[1..][..pieces.len()].copy_from_slice(pieces);
    if output.len() <= 64 {
        return blake2b(&all, output);
    }
    let mut digest = [0; 64];
    blake2b(&all, &mut digest);
    let mut output = output;
    while output.len() > 64 {
        let (now, later) = output.split_at_mut(32);
        now.copy_from_slice(&digest[..32]);
        let last = digest;
        if later.len() > 64 {
            blake2b(&[&last], &mut digest);
        }
        output = later;
    }
    blake2b(&[&digest], output);
    wipe(&mut digest, 0);
}

kernels! {
    /// The kernels that compute G of [RFC9106] §3.5.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

impl Kernel {
    /// Replaces `x` by G(`x`, `y`), [RFC9106] §3.5.
    #[inline]
    fn compress(self, x: &mut Block, y: &Block) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(token) => avx512::compress(token, x, y),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(token) => avx2::compress(token, x, y),
            Self::Portable => compress(x, y),
        }
    }
}

/// Writes the function `g` of the kernels: four times the function GB, [RFC9106] §3.6, on each place
/// of `$n` registers.
#[cfg(target_arch = "x86_64")]
macro_rules! steps {
    ($Words:ident, $n:literal, $features:literal) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn g(
            a: &mut [$Words; $n],
            b: &mut [$Words; $n],
            c: &mut [$Words; $n],
            d: &mut [$Words; $n],
        ) {
            step(a, b, d, 32);
            step(c, d, b, 24);
            step(a, b, d, 16);
            step(c, d, b, 63);
        }

        /// `a += b + 2 low(a) low(b)`, and `d ^ a` rotated to the right by `turn`.
        #[inline]
        #[target_feature(enable = $features)]
        fn step(a: &mut [$Words; $n], b: &[$Words; $n], d: &mut [$Words; $n], turn: u32) {
            for i in 0..$n {
                let product = a[i].product(b[i]);
                a[i] = a[i].add(b[i]).add(product.add(product));
                d[i] = d[i].xor(a[i]).rotate_left_by(64 - turn);
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
use steps;

fn compress(x: &mut Block, y: &Block) {
    x.xor(y);
    let mut z = *x;
    for row in 0..8 {
        permute(&mut z.0, |i| 16 * row + i);
    }
    for column in 0..8 {
        permute(&mut z.0, |i| 16 * (i / 2) + 2 * column + i % 2);
    }
    x.xor(&z);
    wipe(&mut z.0, 0);
}

/// The permutation P, [RFC9106] §3.6: a round of BLAKE2b with products in place of the message.
/// Word `i` of its input and output is word `place(i)` of the block.
#[inline(always)]
fn permute(block: &mut [u64; 128], place: impl Fn(usize) -> usize) {
    let mut v: [u64; 16] = core::array::from_fn(|i| block[place(i)]);
    macro_rules! step {
        ($a:literal $b:literal $d:literal $turn:literal) => {
            let low = |word: u64| word & 0xffff_ffff;
            let product = low(v[$a]).wrapping_mul(low(v[$b]));
            v[$a] = v[$a].wrapping_add(v[$b]).wrapping_add(product << 1);
            v[$d] = (v[$d] ^ v[$a]).rotate_right($turn);
        };
    }
    macro_rules! g {
        ($a:literal $b:literal $c:literal $d:literal) => {
            step!($a $b $d 32);
            step!($c $d $b 24);
            step!($a $b $d 16);
            step!($c $d $b 63);
        };
    }
    g!(0 4 8 12);
    g!(1 5 9 13);
    g!(2 6 10 14);
    g!(3 7 11 15);
    g!(0 5 10 15);
    g!(1 6 11 12);
    g!(2 7 8 13);
    g!(3 4 9 14);
    for (i, word) in v.iter().enumerate() {
        block[place(i)] = *word;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kernel as _;

    #[test]
    fn kernels_agree() {
        let mut number = 1u64;
        let mut random = || {
            number = number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            number ^ number >> 29
        };
        for _ in 0..100 {
            let mut pair = [Block::ZERO; 2];
            for block in &mut pair {
                block.0.fill_with(&mut random);
            }
            let [x, y] = pair;
            let mut expected = x;
            compress(&mut expected, &y);
            for kernel in Kernel::available() {
                let mut x = x;
                kernel.compress(&mut x, &y);
                assert_eq!(x.0, expected.0, "{kernel:?}");
            }
        }
    }
}
