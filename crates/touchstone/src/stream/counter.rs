//! Keystreams that are a function of a counter: the common part of Salsa20 and ChaCha.
//!
//! The state is 16 words of 32 bits: constants, key, nonce, and a counter of blocks. A
//! block of 64 bytes is the state after the rounds plus the state before them, so every
//! block can be computed alone, and many together.
//!
//! | kernel | needs | blocks at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 16; ChaCha: 32 | a register for each word of the state, a lane for each block; ChaCha: two such groups for more than 16 blocks, and up to 8 blocks by rows, two or four blocks a register |
//! | `avx2` | AVX2 | 8 | the same; up to 6 blocks by rows, two blocks a register; Salsa20: a single block by rows, too, with narrower registers |
//! | `portable` | – | 1 | as in the papers |

use core::marker::PhantomData;

use inout::{InOut, InOutBuf};

use super::keystream::{SeekSource, Source, xor_short};
use crate::buffer;
use crate::cipher::Block as _;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::kernel::kernels;
#[cfg(target_arch = "x86_64")]
use crate::machinery::{each::each, unknown::apart};
#[cfg(target_arch = "x86_64")]
use crate::simd::U32x16;
use crate::wipe::wipe;

/// Length of a block of the keystream in bytes.
pub(super) const BLOCK: usize = 64;

/// The largest number of blocks that the kernels of all ciphers compute at once.
const MOST: usize = 16;

kernels! {
    /// The kernels that compute Salsa20 and ChaCha.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

/// The state as words.
pub(super) type State = [u32; 16];

/// Blocks of a message.
type Data<'i, 'o> = InOutBuf<'i, 'o, [u8; BLOCK]>;

/// The blocks to which a kernel adds keystream: those of a message, and at most one block before
/// and one after them, which lie elsewhere.
pub(super) struct Places<'a, 'i, 'o> {
    before: Option<&'a mut [u8; BLOCK]>,
    data: Data<'i, 'o>,
    after: Option<&'a mut [u8; BLOCK]>,
}

impl Places<'_, '_, '_> {
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.data.len() + self.before.iter().len() + self.after.iter().len()
    }

    /// Returns block `i`, which must be less than the length.
    #[inline(always)]
    pub(super) fn get(&mut self, i: usize) -> InOut<'_, '_, [u8; BLOCK]> {
        let among = i.wrapping_sub(self.before.iter().len());
        if among < self.data.len() {
            return self.data.get(among);
        }
        let elsewhere = if i == 0 {
            self.before.as_deref_mut().or(self.after.as_deref_mut())
        } else {
            self.after.as_deref_mut()
        };
        elsewhere.expect("a block of these").into()
    }

    /// Returns the blocks from `first` on if `N` blocks of the message are there.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn group<const N: usize>(
        &mut self,
        first: usize,
    ) -> Option<InOut<'_, '_, [[u8; BLOCK]; N]>> {
        let first = first.checked_sub(self.before.iter().len())?;
        let data = self.data.reborrow();
        if first > data.len() {
            return None;
        }
        buffer::first(data.split_at(first).1)
    }
}

/// The rounds of one cipher, and the place of the counter in its state.
pub(super) trait Rounds: Clone {
    /// The word of the state that is the lower half of the counter; the next word is the
    /// upper half.
    const COUNTER: usize;

    /// A message with at least this number of blocks is faster alone than in lanes that it shares
    /// with other messages.
    const ALONE: usize;

    /// The largest number of blocks that a kernel computes at once.
    const WIDEST: usize = MOST;

    /// The rounds on one state.
    fn rounds(state: &State) -> State;

    /// Whether a kernel's code for several blocks is faster for a single block than
    /// [`apply_one`](Self::apply_one).
    fn has_single(kernel: Kernel) -> bool;

    /// XORs the keystream of one state to a block.
    #[inline(always)]
    fn apply_one(_kernel: Kernel, state: &State, block: InOut<'_, '_, [u8; BLOCK]>) {
        apply_block::<Self>(state, block);
    }

    /// XORs the keystream of consecutive blocks to any number of blocks. The counter in the state is
    /// that of the first block; `wide` says whether it has two words. If single blocks are faster,
    /// returns `false` and does nothing.
    #[cfg(target_arch = "x86_64")]
    fn avx512(token: cpu::Avx512, state: &State, wide: bool, data: &mut Places<'_, '_, '_>)
    -> bool;

    /// The same for AVX2, with up to eight blocks.
    #[cfg(target_arch = "x86_64")]
    fn avx2(token: cpu::Avx2, state: &State, wide: bool, data: &mut Places<'_, '_, '_>) -> bool;

    /// Computes the block of keystream of each state. The states may have different nonces and
    /// keys.
    #[cfg(target_arch = "x86_64")]
    fn avx512_each(token: cpu::Avx512, states: &[State; 16], keystream: &mut [[u8; BLOCK]; 16]);

    /// The same for AVX2.
    #[cfg(target_arch = "x86_64")]
    fn avx2_each(token: cpu::Avx2, states: &[State; 8], keystream: &mut [[u8; BLOCK]; 8]);
}

/// The keystream of a key and a nonce, in blocks.
#[derive(Clone)]
pub(super) struct Blocks<R> {
    kernel: Kernel,
    state: State,
    /// Whether the counter has two words. If not, the second word belongs to the nonce.
    wide: bool,
    rounds: PhantomData<fn() -> R>,
}

impl<R: Rounds> Blocks<R> {
    pub(super) fn new(kernel: Kernel, state: State, wide: bool) -> Self {
        Self {
            kernel,
            state,
            wide,
            rounds: PhantomData,
        }
    }

    /// The number of the next block.
    #[inline(always)]
    fn counter(&self) -> u64 {
        let high = if self.wide {
            self.state[R::COUNTER + 1]
        } else {
            0
        };
        u64::from(high) << 32 | u64::from(self.state[R::COUNTER])
    }

    #[inline(always)]
    fn set_counter(&mut self, block: u64) {
        self.state[R::COUNTER] = block as u32;
        if self.wide {
            self.state[R::COUNTER + 1] = (block >> 32) as u32;
        }
    }

    /// The number of blocks that the next call of a kernel takes if so many remain.
    #[inline(always)]
    fn step(&self, blocks: usize) -> usize {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => match blocks {
                n if n >= R::WIDEST => n - n % R::WIDEST,
                n if n >= Self::worth_widest(token) => n,
                n if n >= MOST => n - n % MOST,
                n => n,
            },
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(_) if blocks > 8 => blocks - blocks % 8,
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(_) => blocks,
            Kernel::Portable => blocks,
        }
    }

    /// XORs keystream to blocks by a kernel, or one after the other if this is faster.
    #[inline(always)]
    fn apply_step(&mut self, mut places: Places<'_, '_, '_>) {
        let n = places.len();
        let done = match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => R::avx512(token, &self.state, self.wide, &mut places),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => R::avx2(token, &self.state, self.wide, &mut places),
            Kernel::Portable => false,
        };
        if done {
            return self.set_counter(self.counter().wrapping_add(n as u64));
        }
        for i in 0..n {
            R::apply_one(self.kernel, &self.state, places.get(i));
            self.set_counter(self.counter().wrapping_add(1));
        }
    }

    /// XORs keystream to the block `before` if there is one, to the blocks of `data`, and to the
    /// block `after` if there is one.
    #[inline(always)]
    fn apply_all(
        &mut self,
        before: Option<&mut [u8; BLOCK]>,
        data: Data<'_, '_>,
        after: Option<&mut [u8; BLOCK]>,
    ) {
        let places = Places {
            before,
            data,
            after,
        };
        let all = places.len();
        if self.step(all) == all {
            self.apply_step(places);
        } else {
            self.apply_steps(places);
        }
    }

    /// [`apply_all`](Self::apply_all) in more than one step.
    #[inline(never)]
    fn apply_steps(&mut self, mut places: Places<'_, '_, '_>) {
        loop {
            let all = places.len();
            let n = self.step(all);
            if n == all {
                return self.apply_step(places);
            }
            let whole = n - places.before.iter().len();
            let (now, later) = places.data.split_at(whole);
            self.apply_step(Places {
                before: places.before.take(),
                data: now,
                after: None,
            });
            places.data = later;
        }
    }
}

/// XORs to each piece of data its own keystream. Blocks of different pieces share the lanes of a
/// register.
pub(super) fn apply_each<'i, 'o, R: Rounds>(
    mut each: impl Iterator<Item = (Blocks<R>, InOutBuf<'i, 'o, u8>)>,
) {
    let Some(first) = each.next() else { return };
    let kernel = first.0.kernel;
    let each = core::iter::once(first).chain(each);
    match kernel {
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx512(token) => {
            apply_lanes::<R, 16>(each, |states, keystream| {
                R::avx512_each(token, states, keystream);
            });
        }
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx2(token) => {
            apply_lanes::<R, 8>(each, |states, keystream| {
                R::avx2_each(token, states, keystream);
            });
        }
        Kernel::Portable => {
            each.for_each(|(source, data)| apply_alone(source, data));
        }
    }
}

/// XORs the keystream of one state to a block. The words go from the registers of the last round
/// to the output in pairs: a load of several words that were stored one by one would wait for the
/// stores.
#[inline(never)]
pub(super) fn apply_block<R: Rounds>(state: &State, mut block: InOut<'_, '_, [u8; BLOCK]>) {
    let x = R::rounds(state);
    for i in 0..BLOCK / 8 {
        let sum = |w: usize| u64::from(x[w].wrapping_add(state[w]));
        let keystream = sum(2 * i + 1) << 32 | sum(2 * i);
        let word = u64::from_le_bytes(block.get_in().as_chunks().0[i]) ^ keystream;
        block.get_out().as_chunks_mut().0[i] = word.to_le_bytes();
    }
}

/// XORs its keystream to a whole message.
#[inline]
pub(super) fn apply_alone<R: Rounds>(mut source: Blocks<R>, data: InOutBuf<'_, '_, u8>) {
    // A single block needs no choice by the number of blocks, which takes a tenth of its instructions.
    if (1..=BLOCK).contains(&data.len()) && !R::has_single(source.kernel) {
        let (mut whole, data) = buffer::chunks::<u8, BLOCK>(data);
        if data.is_empty() {
            return R::apply_one(source.kernel, &source.state, whole.get(0));
        }
        let mut block = [0; BLOCK];
        R::apply_one(source.kernel, &source.state, (&mut block).into());
        xor_short(data, &block);
        return wipe(&mut block, 0);
    }
    apply_to_end(&mut source, None, data);
}

/// XORs keystream to the block `before` if there is one, and to the rest of a message. If that
/// ends within a block, the rest of the block's keystream is lost.
#[inline]
pub(super) fn apply_to_end<R: Rounds>(
    source: &mut Blocks<R>,
    before: Option<&mut [u8; BLOCK]>,
    data: InOutBuf<'_, '_, u8>,
) {
    let (data, rest) = buffer::chunks::<u8, BLOCK>(data);
    if rest.is_empty() {
        return source.apply_all(before, data, None);
    }
    let mut last = [0; BLOCK];
    source.apply_all(before, data, Some(&mut last));
    xor_short(rest, &last);
    wipe(&mut last, 0);
}

/// [`apply_each`] by a function that computes `N` blocks. Long pieces are computed alone.
#[cfg(target_arch = "x86_64")]
fn apply_lanes<'i, 'o, R: Rounds, const N: usize>(
    each: impl Iterator<Item = (Blocks<R>, InOutBuf<'i, 'o, u8>)>,
    compute: impl Fn(&[State; N], &mut [[u8; BLOCK]; N]),
) {
    let mut states = [[0; 16]; N];
    let mut keystream = [[0; BLOCK]; N];
    let mut lanes = [const { None::<InOutBuf<'i, 'o, u8>> }; N];
    let mut filled = 0;
    let mut flush = |states: &[State; N], lanes: &mut [Option<InOutBuf<'i, 'o, u8>>]| {
        compute(states, &mut keystream);
        for (lane, keystream) in lanes.iter_mut().zip(&keystream) {
            let Some(data) = lane.take() else { continue };
            let (whole, mut rest) = buffer::chunks::<u8, BLOCK>(data);
            for mut block in whole {
                *block.get_out() = block.get_in().xor(*keystream);
            }
            let n = rest.len();
            rest.xor_in2out(&keystream[..n]);
        }
    };
    for (mut source, mut data) in each {
        if data.len() > (R::ALONE - 1) * BLOCK {
            apply_alone(source, data);
            continue;
        }
        while !data.is_empty() {
            let n = data.len().min(BLOCK);
            let (now, later) = data.split_at(n);
            states[filled] = source.state;
            lanes[filled] = Some(now);
            source.set_counter(source.counter().wrapping_add(1));
            filled += 1;
            if filled == N {
                flush(&states, &mut lanes);
                filled = 0;
            }
            data = later;
        }
    }
    if filled != 0 {
        flush(&states, &mut lanes[..filled]);
    }
    wipe(&mut states, [0; 16]);
    wipe(&mut keystream, [0; BLOCK]);
}

impl<R: Rounds> Blocks<R> {
    /// The number of blocks from which on one call of the widest kernel is faster than two calls,
    /// of which the first has [`MOST`] blocks. Where additions take two cycles, a chain of rounds is
    /// so long that a second one always takes more time than the other lanes.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn worth_widest(token: cpu::Avx512) -> usize {
        R::WIDEST - if token.adds_quickly() { 7 } else { 15 }
    }
}

impl<R: Rounds> Source<[u8; BLOCK]> for Blocks<R> {
    fn apply_blocks(&mut self, data: Data<'_, '_>) {
        self.apply_all(None, data, None);
    }

    fn apply_bytes(&mut self, data: InOutBuf<'_, '_, u8>, last: &mut [u8; BLOCK]) {
        let (blocks, rest) = buffer::chunks::<u8, BLOCK>(data);
        // The block of the keystream for the short block is computed together with the blocks
        // before it: a kernel takes the same time for a few blocks as for one.
        let mut after = None;
        if !rest.is_empty() {
            *last = [0; BLOCK];
            after = Some(&mut *last);
        }
        self.apply_all(None, blocks, after);
        xor_short(rest, last);
    }
}

impl<R: Rounds> SeekSource<[u8; BLOCK]> for Blocks<R> {
    fn seek_block(&mut self, block: u128) {
        self.set_counter(block as u64);
    }
}

impl<R> Drop for Blocks<R> {
    fn drop(&mut self) {
        wipe(&mut self.state, 0);
    }
}

/// Writes the common parts of two types: one for keys, and one for keys with nonces of 24 bytes.
/// The type for keys must have three functions. `of` sets up a key of 16 or 32 bytes. `set_key`
/// replaces the key. `$blocks` gives the keystream for such a nonce, `$Make` its stream.
macro_rules! key_types {
    (
        [$($generics:tt)*] $Key:ty;
        [$($long:tt)*] $Long:ty, $lengths:expr, $of:ty, $blocks:ident -> $Stream:ty, $Make:ident;
    ) => {
        impl<$($generics)*> $Key {
            /// Sets a key up.
            pub fn new(key: &[u8; 32]) -> Self {
                Self::of($crate::Kernel::best(), key)
            }
        }

        impl<$($generics)*> $crate::FixedKey for $Key {
            type Key = [u8; 32];
        }

        impl<$($generics)*> $crate::Keyed for $Key {
            type Kernel = $crate::stream::counter::Kernel;
            const KEY_LENGTHS: $crate::KeyLengths = $crate::KeyLengths::every(16, 16, 32);

            fn with_kernel(
                kernel: Self::Kernel,
                key: &[u8],
            ) -> Result<Self, $crate::InvalidKeyLength> {
                Self::KEY_LENGTHS.check(key)?;
                Ok(Self::of(kernel, key))
            }

            #[inline]
            fn rekey(&mut self, key: &[u8]) -> Result<(), $crate::InvalidKeyLength> {
                Self::KEY_LENGTHS.check(key)?;
                self.set_key(key);
                Ok(())
            }

            fn kernel_in_use(&self) -> Self::Kernel {
                self.kernel
            }
        }

        impl<$($generics)*> Drop for $Key {
            fn drop(&mut self) {
                $crate::wipe::wipe(&mut self.words, 0);
            }
        }

        impl<$($generics)*> zeroize::ZeroizeOnDrop for $Key {}

        impl<$($long)*> $Long {
            /// Sets a key up.
            pub fn new(key: &[u8; 32]) -> Self {
                Self(<$of>::new(key))
            }

            /// The keystream for a nonce, from block 0 on.
            pub fn stream(&self, nonce: &[u8; 24]) -> $Stream {
                $Make($crate::stream::keystream::Keystream::new(self.0.$blocks(nonce)))
            }
        }

        impl<$($long)*> $crate::FixedKey for $Long {
            type Key = [u8; 32];
        }

        impl<$($long)*> $crate::Keyed for $Long {
            type Kernel = $crate::stream::counter::Kernel;
            const KEY_LENGTHS: $crate::KeyLengths = $lengths;

            fn with_kernel(
                kernel: Self::Kernel,
                key: &[u8],
            ) -> Result<Self, $crate::InvalidKeyLength> {
                Self::KEY_LENGTHS.check(key)?;
                Ok(Self(<$of>::of(kernel, key)))
            }

            #[inline]
            fn rekey(&mut self, key: &[u8]) -> Result<(), $crate::InvalidKeyLength> {
                Self::KEY_LENGTHS.check(key)?;
                self.0.set_key(key);
                Ok(())
            }

            fn kernel_in_use(&self) -> Self::Kernel {
                self.0.kernel
            }
        }

        impl<$($long)*> $crate::stream::StreamKey for $Long {
            type Stream = $Stream;
            type Nonce = [u8; 24];

            #[inline]
            fn stream(&self, nonce: &Self::Nonce) -> Self::Stream {
                self.stream(nonce)
            }

            #[inline]
            fn apply_message(
                &self,
                nonce: &[u8],
                data: $crate::InOutBuf<'_, '_, u8>,
            ) -> Result<(), $crate::stream::InvalidNonceLength> {
                let nonce = $crate::stream::InvalidNonceLength::array(nonce)?;
                $crate::stream::counter::apply_alone(self.0.$blocks(nonce), data);
                Ok(())
            }
        }

        impl<$($long)*> zeroize::ZeroizeOnDrop for $Long {}
    };
}
pub(super) use key_types;

/// One lane, with the methods of the wider lane types.
#[derive(Clone, Copy)]
pub(super) struct Word(pub(super) u32);

impl Word {
    #[inline(always)]
    pub(super) fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
    #[inline(always)]
    pub(super) fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
    #[inline(always)]
    pub(super) fn rotate_left<const N: u32>(self) -> Self {
        Self(self.0.rotate_left(N))
    }
}

/// The counters of sixteen blocks, in two words.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Counters {
    pub(super) low: U32x16,
    pub(super) high: U32x16,
    /// What the upper word receives when the lower word overflows: 1, or 0 if the upper word
    /// belongs to the nonce.
    carry: U32x16,
}

#[cfg(target_arch = "x86_64")]
impl Counters {
    /// Starts with the counter of a state, in the word `place` and the next one. The words are
    /// loaded apart: a load of several would wait for the stores of each.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn new(state: &State, place: usize, wide: bool) -> Self {
        let index = U32x16::load(&core::array::from_fn(|i| i as u32));
        let mut counters = Self {
            low: U32x16::splat(apart(state[place])).add(index),
            high: U32x16::splat(apart(state[place + 1])),
            carry: U32x16::splat(u32::from(wide)),
        };
        counters.carry_below(index);
        counters
    }

    /// Changes the counters to those of the next sixteen blocks.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn next(&mut self) {
        let step = U32x16::splat(16);
        self.low = self.low.add(step);
        self.carry_below(step);
    }

    /// Adds the carry after `added` has been added to the lower words: a sum that is less than
    /// what it received has overflowed.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn carry_below(&mut self, added: U32x16) {
        self.high = self.high.add_where_less(self.carry, self.low, added);
    }

    /// The words of sixteen states with these counters in the words `PLACE` and `PLACE` + 1.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn columns<const PLACE: usize>(&self, state: &State) -> [U32x16; 16] {
        let mut columns = [self.low; 16];
        columns[PLACE + 1] = self.high;
        each!(W < 16 => {
            if W != PLACE && W != PLACE + 1 {
                columns[W] = U32x16::splat_word::<W>(state);
            }
        });
        columns
    }

    /// Adds the words of [`columns`](Self::columns).
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn add_to<const PLACE: usize>(&self, x: &mut [U32x16; 16], state: &State) {
        x[PLACE] = x[PLACE].add(self.low);
        x[PLACE + 1] = x[PLACE + 1].add(self.high);
        each!(W < 16 => {
            if W != PLACE && W != PLACE + 1 {
                x[W] = x[W].add_word::<W>(state);
            }
        });
    }
}

/// Writes the column form of a cipher for AVX-512: lane `i` of register `w` holds word
/// `w` of block `i`. `$double_round` is the cipher's macro for two rounds.
#[cfg(target_arch = "x86_64")]
macro_rules! columns_avx512 {
    ($double_round:ident, $COUNTER:literal) => {
        /// XORs keystream to any number of blocks.
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
        fn columns_avx512<const ROUNDS: usize>(
            state: &$crate::stream::counter::State,
            wide: bool,
            data: &mut $crate::stream::counter::Places<'_, '_, '_>,
        ) {
            use $crate::machinery::each::each;
            use $crate::simd::{U8x64, U32x16};
            let mut counters =
                $crate::stream::counter::Counters::new(state, $COUNTER, wide);
            let blocks = data.len();
            for first in (0..blocks).step_by(16) {
                let mut x = counters.columns::<$COUNTER>(state);
                for _ in 0..ROUNDS / 2 {
                    $double_round!(x);
                }
                counters.add_to::<$COUNTER>(&mut x, state);
                U32x16::transpose(&mut x);
                if let Some(mut group) = data.group::<16>(first) {
                    for i in 0..16 {
                        let sum = U8x64::load(&group.get_in()[i]).xor(x[i].into());
                        sum.store(&mut group.get_out()[i]);
                    }
                } else {
                    // Indices are constants here, so the keystream stays in registers.
                    each!(I < 16 => {
                        if first + I >= blocks {
                            return;
                        }
                        let mut block = data.get(first + I);
                        let sum = U8x64::load(block.get_in()).xor(x[I].into());
                        sum.store(block.get_out());
                    });
                }
                counters.next();
            }
        }

        /// The blocks of keystream of 16 states.
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
        fn each_avx512<const ROUNDS: usize>(
            states: &[$crate::stream::counter::State; 16],
            keystream: &mut [[u8; 64]; 16],
        ) {
            use $crate::simd::{U8x64, U32x16};
            let mut before = [U32x16::splat(0); 16];
            for (row, state) in before.iter_mut().zip(states) {
                *row = U32x16::load(state);
            }
            U32x16::transpose(&mut before);
            let mut x = before;
            for _ in 0..ROUNDS / 2 {
                $double_round!(x);
            }
            for w in 0..16 {
                x[w] = x[w].add(before[w]);
            }
            U32x16::transpose(&mut x);
            for (block, x) in keystream.iter_mut().zip(x) {
                U8x64::from(x).store(block);
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use columns_avx512;

/// The column form for AVX2, with 8 blocks. `$rounds` is a function that does all rounds.
#[cfg(target_arch = "x86_64")]
macro_rules! columns_avx2 {
    ($rounds:ident, $COUNTER:literal) => {
        /// XORs keystream to any number of blocks.
        #[target_feature(enable = "avx2")]
        fn columns_avx2<const ROUNDS: usize>(
            state: &$crate::stream::counter::State,
            wide: bool,
            data: &mut $crate::stream::counter::Places<'_, '_, '_>,
        ) {
            use $crate::machinery::{each::each, unknown::apart};
            use $crate::simd::{U8x32, U32x8};
            let mut before = [U32x8::splat(0); 16];
            for w in 0..16 {
                before[w] = U32x8::splat(apart(state[w]));
            }
            let index = U32x8::load(&core::array::from_fn(|i| i as u32));
            let carry = U32x8::splat(u32::from(wide));
            let step = U32x8::splat(8);
            let low = before[$COUNTER].add(index);
            let high = before[$COUNTER + 1].add_where_less(carry, low, index);
            (before[$COUNTER], before[$COUNTER + 1]) = (low, high);
            let blocks = data.len();
            for first in (0..blocks).step_by(8) {
                // The words before the rounds stay in memory: the rounds need all registers.
                let words = $crate::machinery::unknown::unknown(&before);
                let mut x = *words;
                $rounds::<ROUNDS>(&mut x);
                for w in 0..16 {
                    x[w] = x[w].add(words[w]);
                }
                // Register `r` of a quarter receives that quarter of block `r` and of block
                // `r` + 4.
                for q in 0..4 {
                    let quarter =
                        U32x8::transpose4([x[4 * q], x[4 * q + 1], x[4 * q + 2], x[4 * q + 3]]);
                    for r in 0..4 {
                        x[4 * q + r] = quarter[r];
                    }
                }
                if let Some(mut group) = data.group::<8>(first) {
                    for r in 0..4 {
                        for half in 0..2 {
                            let pair = U32x8::halves(x[8 * half + r], x[8 * half + 4 + r]);
                            for (b, keystream) in [r, r + 4].into_iter().zip(pair) {
                                let input = &group.get_in()[b].as_chunks().0[half];
                                let sum = U8x32::load(input).xor(keystream.into());
                                sum.store(&mut group.get_out()[b].as_chunks_mut().0[half]);
                            }
                        }
                    }
                } else {
                    // Indices are constants here, so the keystream stays in registers.
                    each!(I < 8 => {
                        if first + I >= blocks {
                            return;
                        }
                        let mut block = data.get(first + I);
                        for half in 0..2 {
                            let (a, b) = (x[8 * half + I % 4], x[8 * half + 4 + I % 4]);
                            let keystream = U32x8::halves(a, b)[I / 4 % 2];
                            let input = &block.get_in().as_chunks().0[half];
                            let sum = U8x32::load(input).xor(keystream.into());
                            sum.store(&mut block.get_out().as_chunks_mut().0[half]);
                        }
                    });
                }
                let low = before[$COUNTER].add(step);
                before[$COUNTER + 1] = before[$COUNTER + 1].add_where_less(carry, low, step);
                before[$COUNTER] = low;
            }
        }

        /// The blocks of keystream of 8 states.
        #[target_feature(enable = "avx2")]
        fn each_avx2<const ROUNDS: usize>(
            states: &[$crate::stream::counter::State; 8],
            keystream: &mut [[u8; 64]; 8],
        ) {
            use $crate::simd::U32x8;
            // Two squares of words: the first and the second half of each state.
            let mut halves = [[U32x8::splat(0); 8]; 2];
            for (i, state) in states.iter().enumerate() {
                let (parts, _) = state.as_chunks();
                halves[0][i] = U32x8::load(&parts[0]);
                halves[1][i] = U32x8::load(&parts[1]);
            }
            let mut before = [U32x8::splat(0); 16];
            for (half, before) in halves.iter_mut().zip(before.as_chunks_mut::<8>().0) {
                U32x8::transpose(half);
                *before = *half;
            }
            let mut x = before;
            $rounds::<ROUNDS>(&mut x);
            for w in 0..16 {
                x[w] = x[w].add(before[w]);
            }
            for (h, half) in x.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                U32x8::transpose(half);
                for (block, words) in keystream.iter_mut().zip(half) {
                    let mut row = [0; 8];
                    words.store(&mut row);
                    let bytes = &mut block.as_chunks_mut::<32>().0[h];
                    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(row) {
                        *bytes = word.to_le_bytes();
                    }
                }
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use columns_avx2;
