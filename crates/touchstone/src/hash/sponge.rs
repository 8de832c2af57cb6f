//! The sponge, [FIPS202] §4. A sponge has a state; a part of the state is called the rate. The
//! sponge absorbs a message: it XORs each block of the message to the rate, and then a
//! permutation mixes the state. After the message, output is read from the rate in the same
//! way. A hash function implements [`Permutation`]. [`Sponge`] is the state while a message is
//! absorbed, and [`Squeeze`] is the state while output is read.
//!
//! - [FIPS202] SHA-3 Standard: Permutation-Based Hash and Extendable-Output
//!   Functions, NIST FIPS 202, 2015
//!
//! [FIPS202]: https://doi.org/10.6028/NIST.FIPS.202

use crate::Kernel;
use crate::wipe::wipe;

/// The permutation of a sponge, and the order of bytes in its state.
pub(crate) trait Permutation: Clone + Send + Sync + 'static {
    /// The type of the kernels: implementations of this permutation for different CPU features.
    type Kernel: Kernel;

    /// The state of the permutation: words, of which the least significant byte is first.
    type State: AsRef<[u64]> + AsMut<[u64]> + Copy + Send + Sync + 'static;

    /// A state of zeros: the start of most sponges, and the value that overwrites secret
    /// states.
    const ZERO: Self::State;

    /// The byte that is XORed to the last byte of the rate at the end of a message. The byte
    /// contains the last bit of the padding pad10*1. The byte is zero if the padding is one bit
    /// 1 and zeros.
    const END: u8 = 0x80;

    fn permute(kernel: Self::Kernel, state: &mut Self::State);

    fn permute_two(kernel: Self::Kernel, states: [&mut Self::State; 2]) {
        for state in states {
            Self::permute(kernel, state);
        }
    }

    /// XORs each block to the state and then permutes the state.
    fn absorb<const RATE: usize>(
        kernel: Self::Kernel,
        state: &mut Self::State,
        blocks: &[[u8; RATE]],
    );
}

/// XORs `data` to the bytes of the state from byte `at` on.
#[inline]
fn add(state: &mut [u64], at: usize, mut data: &[u8]) {
    let mut words = state[at / 8..].iter_mut();
    if !at.is_multiple_of(8) {
        let (first, later) = data.split_at(data.len().min(8 - at % 8));
        if let Some(word) = words.next() {
            *word ^= some_bytes(first) << (8 * (at % 8));
        }
        data = later;
    }
    let (whole, rest) = data.as_chunks();
    // `zip` calls its first iterator first. So if no more bytes follow, `zip` takes no word
    // from the second iterator.
    for (bytes, word) in whole.iter().zip(words.by_ref()) {
        *word ^= u64::from_le_bytes(*bytes);
    }
    if let Some(word) = words.next() {
        *word ^= some_bytes(rest);
    }
}

/// Returns the number whose first bytes are `bytes`, at most eight bytes, and whose other bytes
/// are zero.
#[inline]
fn some_bytes(bytes: &[u8]) -> u64 {
    let number = |number, byte: &u8| number << 8 | u64::from(*byte);
    bytes.iter().rev().fold(0, number)
}

/// Copies bytes of the state to `output`, from byte `at` on.
#[inline]
pub(super) fn read(state: &[u64], mut at: usize, mut output: &mut [u8]) {
    while !output.is_empty() {
        let bytes = &state[at / 8].to_le_bytes()[at % 8..];
        let n = bytes.len().min(output.len());
        let (now, later) = output.split_at_mut(n);
        now.copy_from_slice(&bytes[..n]);
        at += n;
        output = later;
    }
}

/// The state of a sponge with a rate of `RATE` bytes while it absorbs a message.
#[derive(Clone)]
pub(crate) struct Sponge<P: Permutation, const RATE: usize> {
    kernel: P::Kernel,
    state: P::State,
    /// The number of bytes absorbed since the last permutation.
    at: usize,
}

impl<P: Permutation, const RATE: usize> Sponge<P, RATE> {
    #[inline]
    pub(crate) fn new(kernel: P::Kernel) -> Self {
        Self::from_state(kernel, P::ZERO)
    }

    /// Makes a sponge that starts with the given state.
    #[inline]
    pub(crate) fn from_state(kernel: P::Kernel, state: P::State) -> Self {
        Self {
            kernel,
            state,
            at: 0,
        }
    }

    /// Replaces the messages of two sponges by one block each.
    #[inline]
    pub(crate) fn begin_again([a, b]: [&mut Self; 2], blocks: [&[u8]; 2]) {
        for (sponge, block) in [&mut *a, &mut *b].into_iter().zip(blocks) {
            debug_assert_eq!(block.len(), RATE);
            (sponge.state, sponge.at) = (P::ZERO, 0);
            add(sponge.state.as_mut(), 0, block);
        }
        P::permute_two(a.kernel, [&mut a.state, &mut b.state]);
    }

    /// Returns the state, if the message so far consists of whole blocks.
    #[inline]
    pub(crate) fn begun(&self) -> Option<P::State> {
        (self.at == 0).then_some(self.state)
    }

    /// Fills the current block up with zeros. At the start of a block, this method does
    /// nothing.
    #[inline]
    pub(crate) fn pad(&mut self) {
        if self.at != 0 {
            P::permute(self.kernel, &mut self.state);
            self.at = 0;
        }
    }

    #[inline]
    pub(crate) fn kernel(&self) -> P::Kernel {
        self.kernel
    }

    /// Adds the next piece of the message.
    #[inline]
    pub(crate) fn absorb(&mut self, mut data: &[u8]) {
        if self.at != 0 {
            let (now, later) = data.split_at(data.len().min(RATE - self.at));
            self.add(now);
            if self.at < RATE {
                return;
            }
            P::permute(self.kernel, &mut self.state);
            self.at = 0;
            data = later;
        }
        let (blocks, rest) = data.as_chunks::<RATE>();
        P::absorb(self.kernel, &mut self.state, blocks);
        self.add(rest);
    }

    #[inline]
    fn add(&mut self, data: &[u8]) {
        add(self.state.as_mut(), self.at, data);
        self.at += data.len();
    }

    /// Ends the message with the padding pad10*1, [FIPS202] §5.1, or with the padding that
    /// [`Permutation::END`] gives. `suffix` contains the bits between message and padding, with
    /// the first bit as the lowest bit, and then the first bit of the padding.
    #[inline]
    pub(crate) fn finish(mut self, suffix: u8) -> Squeeze<P, RATE> {
        add(self.state.as_mut(), self.at, &[suffix]);
        // A suffix that uses all bits of the last byte leaves no room in the block for the last
        // bit of the padding.
        if suffix & 0x80 != 0 && self.at == RATE - 1 {
            P::permute(self.kernel, &mut self.state);
        }
        add(self.state.as_mut(), RATE - 1, &[P::END]);
        P::permute(self.kernel, &mut self.state);
        Squeeze {
            kernel: self.kernel,
            state: self.state,
            at: 0,
        }
    }
}

impl<P: Permutation, const RATE: usize> Sponge<P, RATE> {
    /// Fills `output` with the output for the message so far and `end`.
    #[inline(always)]
    pub(super) fn finish_after(&self, end: &[u8], suffix: u8, output: &mut [u8]) {
        if self.at == 0 {
            return whole::<P, RATE>(self.kernel, self.state, end, suffix, output);
        }
        let mut message = self.clone();
        message.absorb(end);
        message.finish(suffix).squeeze(output);
    }

    /// Ends the message after the first `count` bits of `byte`, one to seven bits, the lowest
    /// bit first, [FIPS202] §B.1. The suffix follows these bits and may continue in another
    /// byte. Then ends the message as [`finish`](Self::finish) does.
    #[inline]
    pub(crate) fn finish_bits(mut self, byte: u8, count: u8, suffix: u8) -> Squeeze<P, RATE> {
        let bits = u16::from(byte) & ((1 << count) - 1);
        match (bits | u16::from(suffix) << count).to_le_bytes() {
            [end, 0] => self.finish(end),
            [full, end] => {
                self.absorb(&[full]);
                self.finish(end)
            }
        }
    }
}

impl<P: Permutation, const RATE: usize> Drop for Sponge<P, RATE> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.state), P::ZERO);
    }
}

/// Fills `output` with the output for a message after blocks, of which `state` is the state. The last
/// block is absorbed with its padding, as the blocks before it, so the state is neither moved nor read
/// in words of another width than it was stored in. [`finish`](Sponge::finish) describes `suffix`,
/// which must leave the highest bit free.
#[inline(always)]
pub(super) fn whole<P: Permutation, const RATE: usize>(
    kernel: P::Kernel,
    mut state: P::State,
    message: &[u8],
    suffix: u8,
    output: &mut [u8],
) {
    debug_assert!(suffix & 0x80 == 0, "no room for the padding");
    let (blocks, rest) = message.as_chunks();
    let mut last = [0; RATE];
    last[..rest.len()].copy_from_slice(rest);
    last[rest.len()] = suffix;
    last[RATE - 1] |= P::END;
    if !blocks.is_empty() {
        P::absorb::<RATE>(kernel, &mut state, blocks);
    }
    P::absorb(kernel, &mut state, core::slice::from_ref(&last));
    for (i, part) in output.chunks_mut(RATE).enumerate() {
        if i != 0 {
            P::permute(kernel, &mut state);
        }
        for (bytes, word) in part.chunks_mut(8).zip(state.as_ref()) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
    }
    wipe(&mut last, 0);
    wipe(core::slice::from_mut(&mut state), P::ZERO);
}

/// The state of a sponge with a rate of `RATE` bytes while output is read.
#[derive(Clone)]
pub(crate) struct Squeeze<P: Permutation, const RATE: usize> {
    kernel: P::Kernel,
    state: P::State,
    /// The number of bytes that have been read since the last permutation.
    at: usize,
}

impl<P: Permutation, const RATE: usize> Squeeze<P, RATE> {
    /// Fills `output` with the next bytes.
    #[inline]
    pub(crate) fn squeeze(&mut self, mut output: &mut [u8]) {
        while !output.is_empty() {
            if self.at == RATE {
                P::permute(self.kernel, &mut self.state);
                self.at = 0;
            }
            let n = output.len().min(RATE - self.at);
            let (now, later) = output.split_at_mut(n);
            read(self.state.as_ref(), self.at, now);
            self.at += n;
            output = later;
        }
    }
}

impl<P: Permutation, const RATE: usize> Drop for Squeeze<P, RATE> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.state), P::ZERO);
    }
}
