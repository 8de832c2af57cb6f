//! AEGIS, [AEGIS]: AEADs of the CAESAR portfolio whose state is made of AES blocks. One step of
//! the state computes one AES round for each block, so on processors with AES-NI all forms of
//! AEGIS are several times as fast as AES-GCM. The forms X2 and X4 compute two or four states
//! side by side, for processors whose AES instructions process two or four blocks at once.
//!
//! Every kernel is constant-time.
//!
//! | type | key and nonce | states | blocks in a state | bytes per step |
//! |---|---|---|---|---|
//! | [`Aegis128L`] | 16 | 1 | 8 | 32 |
//! | [`Aegis128X2`] | 16 | 2 | 8 | 64 |
//! | [`Aegis128X4`] | 16 | 4 | 8 | 128 |
//! | [`Aegis256`] | 32 | 1 | 6 | 16 |
//! | [`Aegis256X2`] | 32 | 2 | 6 | 32 |
//! | [`Aegis256X4`] | 32 | 4 | 6 | 64 |
//!
//! | kernel | needs | technique |
//! |---|---|---|
//! | `avx512` | AVX-512, VAES | one instruction for an AES round of four, two or one blocks, and one for three terms of the keystream |
//! | `vaes256` | AVX2, VAES | one instruction for an AES round of two blocks or one |
//! | `aes-ni` | AES-NI | one instruction for each AES round |
//! | `portable` | – | four AES rounds at once, bitsliced |
//!
//! Tags have 16 bytes. [`WithLengths`](super::WithLengths), `finish_cut` and `verify_cut` also
//! accept tags of 32 bytes. A tag of 16 bytes is not the beginning of the tag of 32 bytes.
//!
//! - [AEGIS] F. Denis, S. Lucas: The AEGIS Family of Authenticated Encryption Algorithms,
//!   draft-irtf-cfrg-aegis-aead-18, 2025
//!
//! [AEGIS]: https://datatracker.ietf.org/doc/draft-irtf-cfrg-aegis-aead/

use core::borrow::Borrow;
use core::marker::PhantomData;

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::{
    AeadError, Decryptor, Encryptor, Engine, by_message, by_whole, in_pieces, sealed, verified,
};
use crate::buffer;
use crate::cipher::Block as _;
use crate::constant_time::matches;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

#[cfg(target_arch = "x86_64")]
mod aesni;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod enabled;
mod group;
#[cfg(target_arch = "x86_64")]
mod vaes256;
mod word;

pub(crate) use group::Group;
use word::Word;

/// AEGIS with states of `BLOCKS` AES blocks. Each step processes `RATE` blocks of the message
/// for each state. A group `G` has one block of each state that is computed side by side. If a
/// nonce is used twice, an attacker learns about both messages and can forge other messages.
#[derive(Clone)]
pub struct Aegis<const BLOCKS: usize, const RATE: usize, G> {
    kernel: Kernel,
    key: TwoBlocks,
    states: PhantomData<G>,
}

debug!(
    [const BLOCKS: usize, const RATE: usize, G: Group] Aegis<BLOCKS, RATE, G>,
    name(RATE, G::STATES)
);

/// AEGIS-128L, [AEGIS](self) §3: keys and nonces of 16 bytes.
pub type Aegis128L = Aegis<8, 2, [Block; 1]>;
/// AEGIS-128X2, [AEGIS](self) §5.4: two states of AEGIS-128L.
pub type Aegis128X2 = Aegis<8, 2, [Block; 2]>;
/// AEGIS-128X4, [AEGIS](self) §5.4: four states of AEGIS-128L.
pub type Aegis128X4 = Aegis<8, 2, [Block; 4]>;
/// AEGIS-256, [AEGIS](self) §4: keys and nonces of 32 bytes, long enough to be chosen at
/// random.
pub type Aegis256 = Aegis<6, 1, [Block; 1]>;
/// AEGIS-256X2, [AEGIS](self) §5.5: two states of AEGIS-256.
pub type Aegis256X2 = Aegis<6, 1, [Block; 2]>;
/// AEGIS-256X4, [AEGIS](self) §5.5: four states of AEGIS-256.
pub type Aegis256X4 = Aegis<6, 1, [Block; 4]>;

const fn name(rate: usize, states: usize) -> &'static str {
    match (rate, states) {
        (2, 1) => "Aegis128L",
        (2, 2) => "Aegis128X2",
        (2, _) => "Aegis128X4",
        (_, 1) => "Aegis256",
        (_, 2) => "Aegis256X2",
        (..) => "Aegis256X4",
    }
}

type Block = [u8; 16];

/// A key or a nonce. AEGIS-128L uses only the first block.
type TwoBlocks = [Block; 2];

/// Returns the length in bytes of a key or a nonce.
const fn length(rate: usize) -> usize {
    32 / rate
}

/// The longest message and the longest associated data in bytes: [AEGIS] counts bits by 64-bit
/// numbers.
const LONGEST: u64 = (1 << 61) - 1;

/// The constants of [AEGIS] §2: the Fibonacci numbers modulo 256.
const C: [Block; 2] = {
    let mut c = [[0; 16]; 2];
    let (mut now, mut next) = (0u8, 1u8);
    let mut i = 0;
    while i < 32 {
        c[i / 16][i % 16] = now;
        (now, next) = (next, now.wrapping_add(next));
        i += 1;
    }
    c
};

kernels! {
    /// The kernels: implementations of AEGIS for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "vaes256" = Vaes256(cpu::Vaes256),
        #[cfg(target_arch = "x86_64")]
        "aes-ni" = AesNi(cpu::Aes),
    }
}

/// Computes the function Update of [AEGIS]: does one step of the state, and then adds the
/// message to block 0 and, if `RATE` is 2, also to block 4.
#[inline(always)]
fn update<W: Word<G>, const BLOCKS: usize, const RATE: usize, G: Group>(
    state: &mut [W; BLOCKS],
    message: &[W; RATE],
) {
    W::step(state);
    for i in 0..RATE {
        state[4 * i] = state[4 * i].xor(message[i]);
    }
}

/// Computes the keystream of the next step, as the function Enc of [AEGIS] does. AEGIS-128L
/// computes two blocks of keystream in the same way; for the second block the indices of the
/// state's blocks are higher by four.
#[inline(always)]
fn keystream<W: Word<G>, const BLOCKS: usize, const RATE: usize, G: Group>(
    state: &[W; BLOCKS],
) -> [W; RATE] {
    let mut stream = [state[0]; RATE];
    for i in 0..RATE {
        let at = |place: usize| (place + 4 * i) % BLOCKS;
        let sum = if RATE == 2 {
            state[at(6)]
        } else {
            state[at(4)].xor(state[at(5)])
        };
        let product = state[at(2)].and(state[at(3)]);
        stream[i] = sum.xor(state[at(1)]).xor(product);
    }
    stream
}

/// Computes the function Init of [AEGIS]: makes the state from key and nonce.
#[inline(always)]
fn start<W: Word<G>, const BLOCKS: usize, const RATE: usize, G: Group>(
    key: &TwoBlocks,
    nonce: &TwoBlocks,
) -> [G; BLOCKS] {
    let all = |block: &Block| W::load(&G::repeat(block));
    let (k0, k1) = (all(&key[0]), all(&key[1]));
    let (n0, n1) = (all(&nonce[0]), all(&nonce[1]));
    let (c0, c1) = (all(&C[0]), all(&C[1]));
    let (sum0, sum1) = (k0.xor(n0), k1.xor(n1));
    let context = W::load(&G::CONTEXT);
    let mut state = [c0; BLOCKS];
    let separated = |state: &mut [W; BLOCKS], message: &[W; RATE]| {
        if G::STATES > 1 {
            for place in [3, BLOCKS - 1] {
                state[place] = state[place].xor(context);
            }
        }
        update(state, message);
    };
    if RATE == 2 {
        let blocks = [sum0, c1, c0, c1, sum0, k0.xor(c0), k0.xor(c1), k0.xor(c0)];
        state.copy_from_slice(&blocks[..BLOCKS]);
        let mut message = [n0; RATE];
        message[RATE - 1] = k0;
        for _ in 0..10 {
            separated(&mut state, &message);
        }
    } else {
        let blocks = [sum0, sum1, c1, c0, k0.xor(c0), k1.xor(c1)];
        state.copy_from_slice(&blocks[..BLOCKS]);
        for _ in 0..4 {
            for message in [k0, k1, sum0, sum1] {
                separated(&mut state, &[message; RATE]);
            }
        }
    }
    stored(&state)
}

/// Adds blocks of associated data to the state, in whole steps.
#[inline(always)]
fn absorb<W: Word<G>, const BLOCKS: usize, const RATE: usize, G: Group>(
    blocks: &mut [G; BLOCKS],
    messages: &[[G; RATE]],
) {
    let mut state = loaded::<W, BLOCKS, G>(blocks);
    for message in messages {
        update(&mut state, &loaded(message));
    }
    *blocks = stored(&state);
}

/// Encrypts or decrypts blocks of the message, in whole steps.
#[inline(always)]
fn apply<W: Word<G>, const BLOCKS: usize, const RATE: usize, G: Group>(
    blocks: &mut [G; BLOCKS],
    data: InOutBuf<'_, '_, [G; RATE]>,
    backwards: bool,
) {
    let mut state = loaded::<W, BLOCKS, G>(blocks);
    for mut step in data {
        let input = loaded::<W, RATE, G>(step.get_in());
        let stream = keystream::<W, BLOCKS, RATE, G>(&state);
        let mut output = input;
        for i in 0..RATE {
            output[i] = input[i].xor(stream[i]);
        }
        update(&mut state, if backwards { &output } else { &input });
        *step.get_out() = stored(&output);
    }
    *blocks = stored(&state);
}

/// Computes the function Finalize of [AEGIS]: returns both halves of the tag of 32 bytes. If
/// `all` is false, the second half does not contain the last block of AEGIS-128L, as the tag of
/// 16 bytes requires.
#[inline(always)]
fn tag<W: Word<G>, const BLOCKS: usize, const RATE: usize, G: Group>(
    blocks: &[G; BLOCKS],
    lengths: &Block,
    all: bool,
) -> [G; 2] {
    let mut state = loaded::<W, BLOCKS, G>(blocks);
    let place = if RATE == 2 { 2 } else { 3 };
    let message = [state[place].xor(W::load(&G::repeat(lengths))); RATE];
    for _ in 0..7 {
        update(&mut state, &message);
    }
    let half = BLOCKS / 2;
    let mut sums = [state[0], state[half]];
    for i in 1..half {
        sums[0] = sums[0].xor(state[i]);
        if half + i < 7 || all {
            sums[1] = sums[1].xor(state[half + i]);
        }
    }
    stored(&sums)
}

#[inline(always)]
fn loaded<W: Word<G>, const N: usize, G: Group>(groups: &[G; N]) -> [W; N] {
    let mut words = [W::load(&groups[0]); N];
    for i in 1..N {
        words[i] = W::load(&groups[i]);
    }
    words
}

#[inline(always)]
fn stored<W: Word<G>, const N: usize, G: Group>(words: &[W; N]) -> [G; N] {
    let mut groups = [G::ZERO; N];
    for i in 0..N {
        groups[i] = words[i].store();
    }
    groups
}

/// The AEGIS state of a message: one group of blocks for each block of a state.
struct State<const BLOCKS: usize, const RATE: usize, G: Group> {
    kernel: Kernel,
    blocks: [G; BLOCKS],
}

/// Calls a function of the kernel that the program chose.
macro_rules! by_kernel {
    ($kernel:expr, $call:ident($($argument:expr),*)) => {
        match $kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => enabled::avx512::$call::<BLOCKS, RATE, G>(token, $($argument),*),
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes256(token) => enabled::vaes256::$call::<BLOCKS, RATE, G>(token, $($argument),*),
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) => enabled::aesni::$call::<BLOCKS, RATE, G>(token, $($argument),*),
            Kernel::Portable => $call::<G, BLOCKS, RATE, G>($($argument),*),
        }
    };
}

impl<const BLOCKS: usize, const RATE: usize, G: Group> State<BLOCKS, RATE, G> {
    fn new(kernel: Kernel, key: &TwoBlocks, nonce: &TwoBlocks) -> Self {
        let blocks = by_kernel!(kernel, start(key, nonce));
        Self { kernel, blocks }
    }

    fn absorb(&mut self, messages: &[[G; RATE]]) {
        by_kernel!(self.kernel, absorb(&mut self.blocks, messages));
    }

    fn apply(&mut self, data: InOutBuf<'_, '_, [G; RATE]>, backwards: bool) {
        by_kernel!(self.kernel, apply(&mut self.blocks, data, backwards));
    }

    fn keystream(&self) -> [G; RATE] {
        keystream::<G, BLOCKS, RATE, G>(&self.blocks)
    }

    /// Returns the tag of `length` bytes, 16 or 32, and zeros after it.
    fn tag(&self, aad: u64, data: u64, length: usize) -> [u8; 32] {
        let bits = u128::from(data << 3) << 64 | u128::from(aad << 3);
        let long = length == 32;
        let halves = by_kernel!(self.kernel, tag(&self.blocks, &bits.to_le_bytes(), long));
        let [first, second] = halves.map(G::sum);
        let mut tag = [0; 32];
        if long {
            tag.copy_from_slice([first, second].as_flattened());
        } else {
            tag[..16].copy_from_slice(&first.xor(second));
        }
        tag
    }
}

impl<const BLOCKS: usize, const RATE: usize, G: Group> Drop for State<BLOCKS, RATE, G> {
    fn drop(&mut self) {
        wipe(&mut self.blocks, G::ZERO);
    }
}

/// The state of a message that comes in pieces, without the key.
#[doc(hidden)]
pub struct Pieces<const BLOCKS: usize, const RATE: usize, G: Group> {
    state: State<BLOCKS, RATE, G>,
    /// The associated data or the plaintext of the current step.
    bytes: [G; RATE],
    /// The keystream of the current step.
    stream: [G; RATE],
    /// The number of bytes of the current step so far.
    held: usize,
    aad: u64,
    data: u64,
}

debug!(
    [const BLOCKS: usize, const RATE: usize, G: Group] Pieces<BLOCKS, RATE, G>,
    name(RATE, G::STATES)
);

/// Returns `length` plus `more`, or an error if no message may be that long.
fn longer(length: u64, more: usize) -> Result<u64, AeadError> {
    let sum = length.checked_add(more as u64);
    sum.filter(|sum| *sum <= LONGEST)
        .ok_or(AeadError::MessageLength)
}

impl<const BLOCKS: usize, const RATE: usize, G: Group> Pieces<BLOCKS, RATE, G> {
    const STEP: usize = 16 * RATE * G::STATES;

    /// Adds the bytes of the current step to the state if the step is full.
    fn full(&mut self) {
        if self.held == Self::STEP {
            self.state.absorb(core::slice::from_ref(&self.bytes));
            self.held = 0;
        }
    }

    /// Fills the current step up with zeros, and adds it to the state. If the step has no bytes
    /// yet, this function does nothing.
    fn pad(&mut self) {
        if self.held != 0 {
            G::bytes_mut(&mut self.bytes)[self.held..].fill(0);
            self.held = Self::STEP;
            self.full();
        }
    }

    fn aad(&mut self, mut data: &[u8]) -> Result<(), AeadError> {
        self.aad = longer(self.aad, data.len())?;
        if self.held != 0 {
            let (now, later) = data.split_at(data.len().min(Self::STEP - self.held));
            self.hold(now);
            data = later;
        }
        if self.held == 0 {
            let (steps, _) = G::groups(data).as_chunks();
            self.state.absorb(steps);
            self.hold(&data[Self::STEP * steps.len()..]);
        }
        Ok(())
    }

    /// Adds bytes to the current step. The step must have room for them.
    fn hold(&mut self, bytes: &[u8]) {
        G::bytes_mut(&mut self.bytes)[self.held..][..bytes.len()].copy_from_slice(bytes);
        self.held += bytes.len();
        self.full();
    }

    fn data(&mut self, data: InOutBuf<'_, '_, u8>, backwards: bool) -> Result<(), AeadError> {
        let length = longer(self.data, data.len())?;
        // The associated data ends when the first data arrives.
        if self.data == 0 {
            self.pad();
        }
        self.data = length;
        let free = (Self::STEP - self.held) % Self::STEP;
        let n = data.len().min(free);
        let (now, data) = data.split_at(n);
        self.part(now, backwards);
        let whole = data.len() / Self::STEP * Self::STEP;
        let (whole, rest) = data.split_at(whole);
        if !whole.is_empty() {
            let (steps, _) = buffer::chunks(G::groups_inout(whole));
            self.state.apply(steps, backwards);
        }
        self.part(rest, backwards);
        Ok(())
    }

    /// Encrypts or decrypts bytes of the current step. The step must have room for them.
    fn part(&mut self, mut data: InOutBuf<'_, '_, u8>, backwards: bool) {
        if data.is_empty() {
            return;
        }
        if self.held == 0 {
            self.stream = self.state.keystream();
        }
        let place = self.held..self.held + data.len();
        let bytes = &mut G::bytes_mut(&mut self.bytes)[place.clone()];
        let stream = &G::bytes(&self.stream)[place];
        if backwards {
            data.xor_in2out(stream);
            bytes.copy_from_slice(data.get_out());
        } else {
            bytes.copy_from_slice(data.get_in());
            data.xor_in2out(stream);
        }
        self.held += data.len();
        self.full();
    }

    /// Ends the message and returns the tag of `length` bytes, 16 or 32, and zeros after it.
    fn finish(&mut self, length: usize) -> [u8; 32] {
        self.pad();
        self.state.tag(self.aad, self.data, length)
    }
}

impl<const BLOCKS: usize, const RATE: usize, G: Group> Drop for Pieces<BLOCKS, RATE, G> {
    fn drop(&mut self) {
        wipe(&mut self.bytes, G::ZERO);
        wipe(&mut self.stream, G::ZERO);
    }
}

impl<const BLOCKS: usize, const RATE: usize, G: Group> Aegis<BLOCKS, RATE, G> {
    in_pieces! {
        (nonce: &[u8]) -> Fallible,
        ///
        /// # Errors
        ///
        /// [`AeadError::NonceLength`] for a nonce whose length differs from the key's.
    }

    fn pieces(&self, nonce: &[u8]) -> Result<Pieces<BLOCKS, RATE, G>, AeadError> {
        if nonce.len() != length(RATE) {
            return Err(AeadError::NonceLength { given: nonce.len() });
        }
        Ok(Pieces {
            state: State::new(self.kernel, &self.key, &two_blocks(nonce)),
            bytes: [G::ZERO; RATE],
            stream: [G::ZERO; RATE],
            held: 0,
            aad: 0,
            data: 0,
        })
    }

    /// Encrypts or decrypts a whole message. Returns its tag of `tag` bytes, and zeros after
    /// it.
    fn whole(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: usize,
        backwards: bool,
    ) -> Result<[u8; 32], AeadError> {
        check_tag(tag)?;
        let mut message = self.pieces(nonce)?;
        // A message that is too long is refused before the first byte of the output is written.
        longer(0, data.len())?;
        message.aad(aad)?;
        message.data(data, backwards)?;
        Ok(message.finish(tag))
    }
}

fn two_blocks(bytes: &[u8]) -> TwoBlocks {
    let mut blocks = [[0; 16]; 2];
    blocks.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
    blocks
}

fn check_tag(length: usize) -> Result<(), AeadError> {
    match length {
        16 | 32 => Ok(()),
        given => Err(AeadError::TagLength { given }),
    }
}

impl<const BLOCKS: usize, const RATE: usize, G: Group> Engine for Aegis<BLOCKS, RATE, G> {
    const TAGS: &'static [usize] = &[16, 32];
    const NONCES: KeyLengths = KeyLengths::exactly(length(RATE));
    const TAG: usize = 16;

    by_whole!();
}

impl<const BLOCKS: usize, const RATE: usize, G: Group> sealed::InPieces for Aegis<BLOCKS, RATE, G> {
    type Block = Block;
    type Pieces = Pieces<BLOCKS, RATE, G>;

    by_message!(Fallible);

    fn check_tag(_: &Self::Pieces, length: usize) -> Result<(), AeadError> {
        check_tag(length)
    }

    fn finish(&self, message: &mut Self::Pieces) -> Result<Block, AeadError> {
        let mut tag = [0; 16];
        self.finish_into(message, &mut tag)?;
        Ok(tag)
    }

    fn finish_into(&self, message: &mut Self::Pieces, tag: &mut [u8]) -> Result<(), AeadError> {
        tag.copy_from_slice(&message.finish(tag.len())[..tag.len()]);
        Ok(())
    }

    fn verify(&self, message: &mut Self::Pieces, tag: &[u8]) -> Result<(), AeadError> {
        let right = message.finish(tag.len());
        matches(&right[..tag.len()], tag).map_err(|_| AeadError::Forged)
    }
}

macro_rules! fixed_key {
    ($($Aegis:ident: $length:literal;)*) => {$(
        impl FixedKey for $Aegis {
            type Key = [u8; $length];
        }
    )*};
}

fixed_key! {
    Aegis128L: 16;
    Aegis128X2: 16;
    Aegis128X4: 16;
    Aegis256: 32;
    Aegis256X2: 32;
    Aegis256X4: 32;
}

impl<const BLOCKS: usize, const RATE: usize, G: Group> Keyed for Aegis<BLOCKS, RATE, G> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(length(RATE));

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let key = two_blocks(key);
        let states = PhantomData;
        Ok(Self {
            kernel,
            key,
            states,
        })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl<const BLOCKS: usize, const RATE: usize, G> Drop for Aegis<BLOCKS, RATE, G> {
    fn drop(&mut self) {
        wipe(&mut self.key, [0; 16]);
    }
}

impl<const BLOCKS: usize, const RATE: usize, G> ZeroizeOnDrop for Aegis<BLOCKS, RATE, G> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the constants against the values in [AEGIS] §2.
    #[test]
    fn constants_are_those_of_the_draft() {
        assert_eq!(C[0][12..], [0x90, 0xe9, 0x79, 0x62]);
        assert_eq!(C[1][..4], [0xdb, 0x3d, 0x18, 0x55]);
        assert_eq!(C[1][15], 0xdd);
    }
}
