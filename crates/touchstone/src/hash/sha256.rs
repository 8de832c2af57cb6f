//! SHA-256 and SHA-224: digests of 32 and 28 bytes, blocks of 64.
//!
//! | kernel | needs | messages at once | technique |
//! |---|---|---|---|
//! | `sha-ni-avx512` | SHA-NI and AVX-512 | 1, and 16 for many | SHA-NI; one message a lane |
//! | `sha-ni` | SHA-NI | 1, and 2 interleaved for many | SHA-NI |
//! | `portable` | – | 1 | as the standard has it |
//!
//! - [FIPS180] Secure Hash Standard (SHS), NIST FIPS 180-4, 2015
//!
//! [FIPS180]: https://doi.org/10.6028/NIST.FIPS.180-4

pub(crate) use crate::block::shacal2::K;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::kernel::kernels;
use crate::wipe::wipe;
use zeroize::ZeroizeOnDrop;

use super::Hash;
use super::buffer::{Buffer, Order, padded};
use super::many;
use crate::DataError;

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod shani;

/// SHA-256.
#[derive(Clone)]
pub struct Sha256(State);

/// SHA-224: SHA-256 from another start, cut to 28 bytes.
#[derive(Clone)]
pub struct Sha224(State);

#[derive(Clone)]
struct State {
    kernel: Kernel,
    hash: [u32; 8],
    buffer: Buffer<64>,
}

/// [FIPS180] §5.3.3: the first 32 bits of the fractional parts of the square
/// roots of the first eight primes.
const START_256: [u32; 8] = {
    let mut start = [0; 8];
    let primes = primes();
    let mut i = 0;
    while i < 8 {
        start[i] = fraction_of_root(primes[i], 2) as u32;
        i += 1;
    }
    start
};

/// [FIPS180] §5.3.2: the second 32 bits of the fractional parts of the square
/// roots of the ninth to sixteenth primes.
const START_224: [u32; 8] = [
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
];

const fn primes() -> [u64; 64] {
    let mut primes = [0; 64];
    let (mut found, mut candidate) = (0, 2);
    while found < primes.len() {
        let mut i = 0;
        while i < found && candidate % primes[i] != 0 {
            i += 1;
        }
        if i == found {
            primes[found] = candidate;
            found += 1;
        }
        candidate += 1;
    }
    primes
}

/// ⌊2³²·ⁿ√prime⌋ by bisection. The primes are below 2⁹, so the root is below 2³⁷
/// and its cube below 2¹¹¹.
const fn fraction_of_root(prime: u64, degree: u32) -> u64 {
    let goal = (prime as u128) << (32 * degree);
    let (mut low, mut high) = (0u128, 1 << 37);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if middle.pow(degree) <= goal {
            low = middle;
        } else {
            high = middle;
        }
    }
    low as u64
}

/// [FIPS180] §6.2.2 on every block.
fn compress(hash: &mut [u32; 8], blocks: &[[u8; 64]]) {
    for block in blocks {
        let mut w = [0; 16];
        for (w, bytes) in w.iter_mut().zip(block.as_chunks().0) {
            *w = u32::from_be_bytes(*bytes);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *hash;
        for (t, k) in K.iter().enumerate() {
            if t >= 16 {
                // σ₁ and σ₀ of §4.1.2; the schedule keeps its last 16 words.
                let (w2, w15) = (w[(t - 2) % 16], w[(t - 15) % 16]);
                let s1 = w2.rotate_right(17) ^ w2.rotate_right(19) ^ w2 >> 10;
                let s0 = w15.rotate_right(7) ^ w15.rotate_right(18) ^ w15 >> 3;
                w[t % 16] = w[t % 16]
                    .wrapping_add(s1)
                    .wrapping_add(w[(t - 7) % 16])
                    .wrapping_add(s0);
            }
            let sum1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let ch = g ^ (e & (f ^ g));
            let t1 = h
                .wrapping_add(sum1)
                .wrapping_add(ch)
                .wrapping_add(*k)
                .wrapping_add(w[t % 16]);
            let sum0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let maj = (a & b) | (c & (a | b));
            (h, g, f, e) = (g, f, e, d.wrapping_add(t1));
            (d, c, b, a) = (c, b, a, t1.wrapping_add(sum0).wrapping_add(maj));
        }
        for (sum, x) in hash.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *sum = sum.wrapping_add(x);
        }
    }
}

kernels! {
    /// How SHA-256 is computed.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "sha-ni-avx512" = ShaNiAvx512(cpu::ShaAvx512),
        #[cfg(target_arch = "x86_64")]
        "sha-ni" = ShaNi(cpu::Sha),
    }
}

impl Kernel {
    #[inline]
    fn compress(self, hash: &mut [u32; 8], blocks: &[[u8; 64]]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::ShaNiAvx512(token) => shani::compress(token.into(), hash, blocks),
            #[cfg(target_arch = "x86_64")]
            Self::ShaNi(token) => shani::compress(token, hash, blocks),
            Self::Portable => compress(hash, blocks),
        }
    }

    /// Digests many messages; `done` takes the index and the hash of each.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(unused_mut, reason = "there is one lane")
    )]
    fn many(self, messages: &[&[u8]], start: [u32; 8], mut done: impl FnMut(usize, &[u32; 8])) {
        let mut left = [None; 2];
        let mut waiting = many::lanes(messages, Order::Big, start);
        #[cfg(target_arch = "x86_64")]
        {
            let two = |token| {
                move |hashes: &mut [_; 2], blocks: [&[_]; 2], n| {
                    shani::compress_2(token, hashes, blocks, n);
                }
            };
            match self {
                Self::ShaNiAvx512(token) => {
                    let sixteen = |hashes: &mut [_; 16], blocks: [&[_]; 16], n| {
                        avx512::compress_16(token.into(), hashes, blocks, n);
                    };
                    let lanes = many::through(waiting.by_ref(), sixteen, &mut done);
                    let lanes = lanes.into_iter().filter(|lane| !lane.is_done());
                    let lanes = many::through(lanes, two(token.into()), &mut done);
                    left = lanes.map(Some);
                }
                Self::ShaNi(token) => {
                    let lanes = many::through(waiting.by_ref(), two(token), &mut done);
                    left = lanes.map(Some);
                }
                Self::Portable => {}
            }
        }
        let one = |[hash]: &mut [_; 1], [blocks]: [&[_]; 1], n| self.compress(hash, &blocks[..n]);
        let left = left.into_iter().flatten().filter(|lane| !lane.is_done());
        many::through(left.chain(waiting), one, &mut done);
    }
}

impl State {
    #[inline]
    fn new(kernel: Kernel, start: [u32; 8]) -> Self {
        Self {
            kernel,
            hash: start,
            buffer: Buffer::new(),
        }
    }

    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.buffer
            .update(data, |blocks| self.kernel.compress(&mut self.hash, blocks));
    }

    #[inline]
    fn finalize<const OUTPUT: usize>(mut self) -> [u8; OUTPUT] {
        self.buffer.finish(Order::Big, |blocks| {
            self.kernel.compress(&mut self.hash, blocks)
        });
        digest(&self.hash)
    }
}

#[inline]
fn digest<const OUTPUT: usize>(hash: &[u32; 8]) -> [u8; OUTPUT] {
    let mut output = [0; OUTPUT];
    for (bytes, word) in output.chunks_exact_mut(4).zip(hash) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    output
}

impl Drop for State {
    fn drop(&mut self) {
        wipe(&mut self.hash, 0);
    }
}

macro_rules! hashes {
    ($($Hash:ident $output:literal $start:ident;)*) => {$(
        impl Hash for $Hash {
            type Kernel = Kernel;
            type Output = [u8; $output];
            const BLOCK: usize = 64;
            const OUTPUT: usize = $output;

            #[inline]
            fn with_kernel(kernel: Kernel) -> Self {
                Self(State::new(kernel, $start))
            }
            #[inline]
            fn kernel(&self) -> Kernel {
                self.0.kernel
            }
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.0.update(data);
            }
            #[inline]
            fn finalize(self) -> Self::Output {
                self.0.finalize()
            }
            fn digest_with(kernel: Kernel, message: &[u8]) -> Self::Output {
                // Without the buffer that pieces need.
                let mut hash = $start;
                let (blocks, rest) = message.as_chunks();
                if !blocks.is_empty() {
                    kernel.compress(&mut hash, blocks);
                }
                let (mut last, n) = padded(rest, message.len() as u64, Order::Big);
                kernel.compress(&mut hash, &last[..n]);
                wipe(&mut last, [0; 64]);
                let output = digest(&hash);
                wipe(&mut hash, 0);
                output
            }
            fn hash_many_with(
                kernel: Kernel,
                messages: &[&[u8]],
                digests: &mut [Self::Output],
            ) -> Result<(), DataError> {
                many::same_number(messages, digests)?;
                kernel.many(messages, $start, |i, hash| digests[i] = digest(hash));
                Ok(())
            }
        }

        impl Default for $Hash {
            fn default() -> Self {
                Self::new()
            }
        }

        impl ZeroizeOnDrop for $Hash {}
    )*};
}

hashes! {
    Sha256 32 START_256;
    Sha224 28 START_224;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [FIPS180] §4.2.2 and §5.3.3, first and last of each table.
    #[test]
    fn constants_are_those_of_the_standard() {
        assert_eq!((K[0], K[63]), (0x428a2f98, 0xc67178f2));
        assert_eq!((START_256[0], START_256[7]), (0x6a09e667, 0x5be0cd19));
    }
}
