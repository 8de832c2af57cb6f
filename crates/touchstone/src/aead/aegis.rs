//! AEGIS-128L and AEGIS-256, [AEGIS]: ciphers of the CAESAR portfolio whose state is made of AES
//! blocks. A step of the state is one AES round on each block, so on processors with AES-NI both
//! are several times as fast as AES-GCM.
//!
//! Constant-time in every kernel.
//!
//! | type | key and nonce | state in blocks | bytes per step |
//! |---|---|---|---|
//! | [`Aegis128L`] | 16 | 8 | 32 |
//! | [`Aegis256`] | 32 | 6 | 16 |
//!
//! | kernel | needs | technique |
//! |---|---|---|
//! | `aes-ni` | AES-NI | one instruction for each AES round |
//! | `portable` | – | four AES rounds at once, bitsliced |
//!
//! Tags have 16 bytes; the tags of 32 bytes that [AEGIS] has too are not here.
//!
//! - [AEGIS] F. Denis, S. Lucas: The AEGIS Family of Authenticated Encryption Algorithms,
//!   draft-irtf-cfrg-aegis-aead-18, 2025
//!
//! [AEGIS]: https://datatracker.ietf.org/doc/draft-irtf-cfrg-aegis-aead/

use core::borrow::Borrow;

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::{AeadError, Decryptor, Encryptor, Engine, by_whole, in_pieces, sealed, verified};
use crate::block::aes;
use crate::buffer;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

#[cfg(target_arch = "x86_64")]
mod aesni;

/// AEGIS with a state of `BLOCKS` AES blocks, of which each step takes `RATE` blocks of the
/// message. If a nonce is used twice, an attacker learns about the messages and can forge others.
#[derive(Clone)]
pub struct Aegis<const BLOCKS: usize, const RATE: usize> {
    kernel: Kernel,
    key: TwoBlocks,
}

debug!([const BLOCKS: usize, const RATE: usize] Aegis<BLOCKS, RATE>, name(RATE));

/// AEGIS-128L, [AEGIS](self) §2: keys and nonces of 16 bytes.
pub type Aegis128L = Aegis<8, 2>;
/// AEGIS-256, [AEGIS](self) §3: keys and nonces of 32 bytes, long enough to be chosen at random.
pub type Aegis256 = Aegis<6, 1>;

const fn name(rate: usize) -> &'static str {
    match rate {
        2 => "Aegis128L",
        _ => "Aegis256",
    }
}

type Block = [u8; 16];

/// A key or a nonce. AEGIS-128L uses the first block only.
type TwoBlocks = [Block; 2];

/// The length in bytes of a key or a nonce.
const fn length(rate: usize) -> usize {
    32 / rate
}

/// The longest message and the longest associated data in bytes: [AEGIS] counts bits by 64-bit
/// numbers.
const LONGEST: u64 = (1 << 61) - 1;

/// [AEGIS] §1.2: Fibonacci's numbers modulo 256.
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
    /// How AEGIS is computed.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "aes-ni" = AesNi(cpu::Aes),
    }
}

/// A block of the state while a kernel computes.
trait Word: Copy {
    fn load(block: &Block) -> Self;
    fn store(self) -> Block;
    fn xor(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    /// Adds to each block the AES round of the block before it, and to the first block that of
    /// the last one.
    fn step<const BLOCKS: usize>(state: &mut [Self; BLOCKS]);
}

impl Word for Block {
    #[inline(always)]
    fn load(block: &Block) -> Self {
        *block
    }

    #[inline(always)]
    fn store(self) -> Block {
        self
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        crate::cipher::Block::xor(self, other)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        (u128::from_ne_bytes(self) & u128::from_ne_bytes(other)).to_ne_bytes()
    }

    #[inline(always)]
    fn step<const BLOCKS: usize>(state: &mut [Self; BLOCKS]) {
        let mut rounds = [[0; 16]; 8];
        rounds[..BLOCKS].copy_from_slice(state);
        for four in rounds.as_chunks_mut().0 {
            aes::round_of_four(four);
        }
        for (i, block) in state.iter_mut().enumerate() {
            *block = block.xor(rounds[(i + BLOCKS - 1) % BLOCKS]);
        }
    }
}

/// Update of [AEGIS]: a step, and the message into the blocks 0 and 4.
#[inline(always)]
fn update<W: Word, const BLOCKS: usize, const RATE: usize>(
    state: &mut [W; BLOCKS],
    message: &[W; RATE],
) {
    W::step(state);
    for i in 0..RATE {
        state[4 * i] = state[4 * i].xor(message[i]);
    }
}

/// The keystream of the next step, in Enc of [AEGIS]. AEGIS-128L takes both its blocks in the same
/// way, the second four places further.
#[inline(always)]
fn keystream<W: Word, const BLOCKS: usize, const RATE: usize>(state: &[W; BLOCKS]) -> [W; RATE] {
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

/// Init of [AEGIS].
#[inline(always)]
fn start<W: Word, const BLOCKS: usize, const RATE: usize>(
    key: &TwoBlocks,
    nonce: &TwoBlocks,
) -> [Block; BLOCKS] {
    let (k0, k1) = (W::load(&key[0]), W::load(&key[1]));
    let (n0, n1) = (W::load(&nonce[0]), W::load(&nonce[1]));
    let (c0, c1) = (W::load(&C[0]), W::load(&C[1]));
    let (sum0, sum1) = (k0.xor(n0), k1.xor(n1));
    let mut state = [c0; BLOCKS];
    if RATE == 2 {
        let blocks = [sum0, c1, c0, c1, sum0, k0.xor(c0), k0.xor(c1), k0.xor(c0)];
        state.copy_from_slice(&blocks[..BLOCKS]);
        let mut message = [n0; RATE];
        message[RATE - 1] = k0;
        for _ in 0..10 {
            update(&mut state, &message);
        }
    } else {
        let blocks = [sum0, sum1, c1, c0, k0.xor(c0), k1.xor(c1)];
        state.copy_from_slice(&blocks[..BLOCKS]);
        for _ in 0..4 {
            for message in [k0, k1, sum0, sum1] {
                update(&mut state, &[message; RATE]);
            }
        }
    }
    stored(&state)
}

/// Absorbs the blocks of whole steps.
#[inline(always)]
fn absorb<W: Word, const BLOCKS: usize, const RATE: usize>(
    blocks: &mut [Block; BLOCKS],
    messages: &[[Block; RATE]],
) {
    let mut state = loaded::<W, BLOCKS>(blocks);
    for message in messages {
        update(&mut state, &loaded(message));
    }
    *blocks = stored(&state);
}

/// Encrypts or decrypts the blocks of whole steps.
#[inline(always)]
fn apply<W: Word, const BLOCKS: usize, const RATE: usize>(
    blocks: &mut [Block; BLOCKS],
    data: InOutBuf<'_, '_, [Block; RATE]>,
    backwards: bool,
) {
    let mut state = loaded::<W, BLOCKS>(blocks);
    for mut step in data {
        let input = loaded::<W, RATE>(step.get_in());
        let stream = keystream::<W, BLOCKS, RATE>(&state);
        let mut output = input;
        for i in 0..RATE {
            output[i] = input[i].xor(stream[i]);
        }
        update(&mut state, if backwards { &output } else { &input });
        *step.get_out() = stored(&output);
    }
    *blocks = stored(&state);
}

/// Finalize of [AEGIS], for a tag of 16 bytes.
#[inline(always)]
fn tag<W: Word, const BLOCKS: usize, const RATE: usize>(
    blocks: &[Block; BLOCKS],
    lengths: &Block,
) -> Block {
    let mut state = loaded::<W, BLOCKS>(blocks);
    let place = if RATE == 2 { 2 } else { 3 };
    let message = [state[place].xor(W::load(lengths)); RATE];
    for _ in 0..7 {
        update(&mut state, &message);
    }
    // All blocks but the last one of AEGIS-128L.
    let mut sum = state[0];
    for i in 1..if RATE == 2 { 7 } else { 6 } {
        sum = sum.xor(state[i]);
    }
    sum.store()
}

#[inline(always)]
fn loaded<W: Word, const N: usize>(blocks: &[Block; N]) -> [W; N] {
    let mut words = [W::load(&C[0]); N];
    for i in 0..N {
        words[i] = W::load(&blocks[i]);
    }
    words
}

#[inline(always)]
fn stored<W: Word, const N: usize>(words: &[W; N]) -> [Block; N] {
    let mut blocks = [[0; 16]; N];
    for i in 0..N {
        blocks[i] = words[i].store();
    }
    blocks
}

/// The state of a message.
struct State<const BLOCKS: usize, const RATE: usize> {
    kernel: Kernel,
    blocks: [Block; BLOCKS],
}

/// Calls a function of the kernel.
macro_rules! by_kernel {
    ($kernel:expr, $call:ident($($argument:expr),*)) => {
        match $kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) => aesni::$call::<BLOCKS, RATE>(token, $($argument),*),
            Kernel::Portable => $call::<Block, BLOCKS, RATE>($($argument),*),
        }
    };
}

impl<const BLOCKS: usize, const RATE: usize> State<BLOCKS, RATE> {
    fn new(kernel: Kernel, key: &TwoBlocks, nonce: &TwoBlocks) -> Self {
        let blocks = by_kernel!(kernel, start(key, nonce));
        Self { kernel, blocks }
    }

    fn absorb(&mut self, messages: &[[Block; RATE]]) {
        by_kernel!(self.kernel, absorb(&mut self.blocks, messages));
    }

    fn apply(&mut self, data: InOutBuf<'_, '_, [Block; RATE]>, backwards: bool) {
        by_kernel!(self.kernel, apply(&mut self.blocks, data, backwards));
    }

    fn keystream(&self) -> [Block; RATE] {
        keystream::<Block, BLOCKS, RATE>(&self.blocks)
    }

    fn tag(&self, aad: u64, data: u64) -> Block {
        let bits = u128::from(data << 3) << 64 | u128::from(aad << 3);
        by_kernel!(self.kernel, tag(&self.blocks, &bits.to_le_bytes()))
    }
}

impl<const BLOCKS: usize, const RATE: usize> Drop for State<BLOCKS, RATE> {
    fn drop(&mut self) {
        wipe(&mut self.blocks, [0; 16]);
    }
}

/// A message in pieces, without the key.
#[doc(hidden)]
pub struct Pieces<const BLOCKS: usize, const RATE: usize> {
    state: State<BLOCKS, RATE>,
    /// The associated data, or the plaintext, of the step under way.
    bytes: [Block; RATE],
    /// The keystream of the step under way.
    stream: [Block; RATE],
    /// The number of bytes of the step under way.
    held: usize,
    aad: u64,
    data: u64,
}

debug!([const BLOCKS: usize, const RATE: usize] Pieces<BLOCKS, RATE>, name(RATE));

/// `length` plus `more`, if a message may be as long.
fn longer(length: u64, more: usize) -> Result<u64, AeadError> {
    let sum = length.checked_add(more as u64);
    sum.filter(|sum| *sum <= LONGEST)
        .ok_or(AeadError::MessageLength)
}

impl<const BLOCKS: usize, const RATE: usize> Pieces<BLOCKS, RATE> {
    const STEP: usize = 16 * RATE;

    /// Absorbs the step under way if it is full.
    fn full(&mut self) {
        if self.held == Self::STEP {
            self.state.absorb(core::slice::from_ref(&self.bytes));
            self.held = 0;
        }
    }

    /// Fills the step under way up with zeros, and absorbs it. Does nothing before its first byte.
    fn pad(&mut self) {
        if self.held != 0 {
            self.bytes.as_flattened_mut()[self.held..].fill(0);
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
            let (blocks, _) = data.as_chunks();
            let (steps, _) = blocks.as_chunks();
            self.state.absorb(steps);
            self.hold(&data[Self::STEP * steps.len()..]);
        }
        Ok(())
    }

    /// Adds bytes to the step under way, which has room for them.
    fn hold(&mut self, bytes: &[u8]) {
        self.bytes.as_flattened_mut()[self.held..][..bytes.len()].copy_from_slice(bytes);
        self.held += bytes.len();
        self.full();
    }

    fn data(&mut self, data: InOutBuf<'_, '_, u8>, backwards: bool) -> Result<(), AeadError> {
        let length = longer(self.data, data.len())?;
        // The first data ends the associated data.
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
            let (blocks, _) = buffer::chunks(whole);
            let (steps, _) = buffer::chunks(blocks);
            self.state.apply(steps, backwards);
        }
        self.part(rest, backwards);
        Ok(())
    }

    /// Encrypts or decrypts bytes of the step under way, which has room for them.
    fn part(&mut self, mut data: InOutBuf<'_, '_, u8>, backwards: bool) {
        if data.is_empty() {
            return;
        }
        if self.held == 0 {
            self.stream = self.state.keystream();
        }
        let place = self.held..self.held + data.len();
        let bytes = &mut self.bytes.as_flattened_mut()[place.clone()];
        let stream = &self.stream.as_flattened()[place];
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

    fn finish(&mut self) -> Block {
        self.pad();
        self.state.tag(self.aad, self.data)
    }
}

impl<const BLOCKS: usize, const RATE: usize> Drop for Pieces<BLOCKS, RATE> {
    fn drop(&mut self) {
        wipe(&mut self.bytes, [0; 16]);
        wipe(&mut self.stream, [0; 16]);
    }
}

impl<const BLOCKS: usize, const RATE: usize> Aegis<BLOCKS, RATE> {
    in_pieces! {
        (nonce: &[u8]) -> Fallible,
        ///
        /// # Errors
        ///
        /// [`AeadError::NonceLength`] for a nonce that is not as long as the key.
    }

    fn pieces(&self, nonce: &[u8]) -> Result<Pieces<BLOCKS, RATE>, AeadError> {
        if nonce.len() != length(RATE) {
            return Err(AeadError::NonceLength { given: nonce.len() });
        }
        Ok(Pieces {
            state: State::new(self.kernel, &self.key, &two_blocks(nonce)),
            bytes: [[0; 16]; RATE],
            stream: [[0; 16]; RATE],
            held: 0,
            aad: 0,
            data: 0,
        })
    }

    /// Encrypts or decrypts a whole message and returns its tag.
    fn whole(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: usize,
        backwards: bool,
    ) -> Result<Block, AeadError> {
        check_tag(tag)?;
        let mut message = self.pieces(nonce)?;
        // Refused before the first byte of the output is written.
        longer(0, data.len())?;
        message.aad(aad)?;
        message.data(data, backwards)?;
        Ok(message.finish())
    }
}

fn two_blocks(bytes: &[u8]) -> TwoBlocks {
    let mut blocks = [[0; 16]; 2];
    blocks.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
    blocks
}

fn check_tag(length: usize) -> Result<(), AeadError> {
    match length {
        16 => Ok(()),
        given => Err(AeadError::TagLength { given }),
    }
}

impl<const BLOCKS: usize, const RATE: usize> Engine for Aegis<BLOCKS, RATE> {
    const TAGS: &'static [usize] = &[16];
    const NONCES: KeyLengths = KeyLengths::exactly(length(RATE));
    const TAG: usize = 16;

    by_whole!();
}

impl<const BLOCKS: usize, const RATE: usize> sealed::InPieces for Aegis<BLOCKS, RATE> {
    type Block = Block;
    type Pieces = Pieces<BLOCKS, RATE>;

    fn aad(&self, message: &mut Self::Pieces, data: &[u8]) -> Result<(), AeadError> {
        message.aad(data)
    }

    fn encrypt(
        &self,
        message: &mut Self::Pieces,
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), AeadError> {
        message.data(data, false)
    }

    fn decrypt(
        &self,
        message: &mut Self::Pieces,
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), AeadError> {
        message.data(data, true)
    }

    fn check_tag(_: &Self::Pieces, length: usize) -> Result<(), AeadError> {
        check_tag(length)
    }

    fn finish(&self, message: &mut Self::Pieces) -> Result<Block, AeadError> {
        Ok(message.finish())
    }
}

impl FixedKey for Aegis128L {
    type Key = [u8; 16];
}

impl FixedKey for Aegis256 {
    type Key = [u8; 32];
}

impl<const BLOCKS: usize, const RATE: usize> Keyed for Aegis<BLOCKS, RATE> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(length(RATE));

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let key = two_blocks(key);
        Ok(Self { kernel, key })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl<const BLOCKS: usize, const RATE: usize> Drop for Aegis<BLOCKS, RATE> {
    fn drop(&mut self) {
        wipe(&mut self.key, [0; 16]);
    }
}

impl<const BLOCKS: usize, const RATE: usize> ZeroizeOnDrop for Aegis<BLOCKS, RATE> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// [AEGIS] §1.2.
    #[test]
    fn constants_are_those_of_the_draft() {
        assert_eq!(C[0][12..], [0x90, 0xe9, 0x79, 0x62]);
        assert_eq!(C[1][..4], [0xdb, 0x3d, 0x18, 0x55]);
        assert_eq!(C[1][15], 0xdd);
    }
}
