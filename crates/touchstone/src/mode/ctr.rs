//! CTR, counter mode, [SP800-38A](super) §6.5: a block cipher as a stream cipher.
//!
//! Never use a counter block twice under one key.
//!
//! # Counter rules
//!
//! Standards disagree on how to compute the next counter block. A rule is a type that
//! implements [`Rule`]:
//!
//! | rule | the counter is | fused by kernels |
//! |---|---|---|
//! | [`BigEndian`] | the whole block, most significant byte first | yes |
//! | [`LittleEndian`] | the whole block, least significant byte first | no |
//! | [`BigEndianHalf`] | the last half of the block, most significant byte first | yes |
//! | [`LittleEndianHalf`] | the first half of the block, least significant byte first | no |
//! | [`Stepwise`] | any block; a function computes the next one | no |
//!
//! (W. Ehrhardt's library calls the first four MSBFull, LSBFull, MSBPart and LSBPart.)
//! All these counters wrap around, and a rule for one half leaves the other half
//! unchanged.
//!
//! Another rule only has to implement [`advance`](Rule::advance); its counters then go
//! through a buffer. A rule may equal the big-endian rule between two overflows of a
//! narrow field. Such a rule can override [`apply`](Rule::apply) and pass each run
//! between overflows to the kernel.

use inout::InOutBuf;

use crate::cipher::Block;
use crate::debug::debug;
use crate::fuse::unfused;
use crate::wipe::wipe;
use crate::{BlockCipher, DataError, FusedEncrypt, buffer};

/// A rule that computes later counter blocks.
pub trait Rule<B: Block> {
    /// The counter block that comes `blocks` after this one.
    #[must_use]
    fn advance(&self, counter: B, blocks: u128) -> B;

    /// XORs the keystream from `counter` on to `blocks`, and advances `counter`.
    #[inline]
    fn apply<C: FusedEncrypt<Block = B>>(
        &self,
        cipher: &C,
        counter: &mut B,
        blocks: InOutBuf<'_, '_, B>,
    ) {
        unfused::ctr(cipher, |block| self.advance(block, 1), counter, blocks);
    }

    /// [`apply`](Self::apply) on bytes. If the last block is short, `keystream` then
    /// holds its block of keystream, whose last bytes are still unused.
    #[inline]
    fn apply_bytes<C: FusedEncrypt<Block = B>>(
        &self,
        cipher: &C,
        counter: &mut B,
        data: InOutBuf<'_, '_, u8>,
        keystream: &mut B,
    ) {
        let apply = |counter: &mut _, blocks: InOutBuf<'_, '_, _>| {
            self.apply(cipher, counter, blocks);
        };
        unfused::ctr_bytes(apply, counter, data, keystream);
    }
}

/// The whole block is one number, most significant byte first, and wraps around.
#[derive(Debug, Clone, Copy, Default)]
pub struct BigEndian;

impl<B: Block> Rule<B> for BigEndian {
    #[inline]
    fn advance(&self, counter: B, blocks: u128) -> B {
        counter.plus(blocks)
    }

    #[inline]
    fn apply<C: FusedEncrypt<Block = B>>(
        &self,
        cipher: &C,
        counter: &mut B,
        blocks: InOutBuf<'_, '_, B>,
    ) {
        cipher.ctr_blocks(counter, blocks);
    }

    #[inline]
    fn apply_bytes<C: FusedEncrypt<Block = B>>(
        &self,
        cipher: &C,
        counter: &mut B,
        data: InOutBuf<'_, '_, u8>,
        keystream: &mut B,
    ) {
        cipher.ctr_bytes(counter, data, keystream);
    }
}

/// The whole block is one number, least significant byte first, and wraps
/// around.
#[derive(Debug, Clone, Copy, Default)]
pub struct LittleEndian;

impl<B: Block> Rule<B> for LittleEndian {
    #[inline]
    fn advance(&self, counter: B, blocks: u128) -> B {
        reversed(reversed(counter).plus(blocks))
    }
}

/// The last half of the block is a number, most significant byte first, and
/// wraps around; the first half stays.
#[derive(Debug, Clone, Copy, Default)]
pub struct BigEndianHalf;

impl<B: Block> Rule<B> for BigEndianHalf {
    #[inline]
    fn advance(&self, counter: B, blocks: u128) -> B {
        let mut next = counter.plus(blocks);
        let half = B::SIZE / 2;
        next.as_mut()[..half].copy_from_slice(&counter.as_ref()[..half]);
        next
    }

    fn apply<C: FusedEncrypt<Block = B>>(
        &self,
        cipher: &C,
        counter: &mut B,
        mut blocks: InOutBuf<'_, '_, B>,
    ) {
        while !blocks.is_empty() {
            // The number of blocks before the counter's half overflows, or, if the half is
            // longer, its last 16 bytes.
            let width = (B::SIZE / 2).min(16);
            let mut room = 0;
            for byte in &counter.as_ref()[B::SIZE - width..] {
                room = room << 8 | u128::from(!byte);
            }
            let n = usize::try_from(room).map_or(usize::MAX, |room| room.saturating_add(1));
            let n = n.min(blocks.len());
            let (now, later) = blocks.split_at(n);
            let next = self.advance(*counter, now.len() as u128);
            cipher.ctr_blocks(counter, now);
            *counter = next;
            blocks = later;
        }
    }
}

/// The first half of the block is a number, least significant byte first, and
/// wraps around; the last half stays.
#[derive(Debug, Clone, Copy, Default)]
pub struct LittleEndianHalf;

impl<B: Block> Rule<B> for LittleEndianHalf {
    #[inline]
    fn advance(&self, counter: B, blocks: u128) -> B {
        reversed(BigEndianHalf.advance(reversed(counter), blocks))
    }
}

/// A function that computes the next counter block. [`Ctr::seek`] calls it for each block
/// from the first one on. A rule that can advance faster should be a type of its own.
#[derive(Debug, Clone, Copy)]
pub struct Stepwise<F>(pub F);

impl<B: Block, F: Fn(B) -> B> Rule<B> for Stepwise<F> {
    #[inline]
    fn advance(&self, mut counter: B, blocks: u128) -> B {
        for _ in 0..blocks {
            counter = (self.0)(counter);
        }
        counter
    }
}

#[inline(always)]
fn reversed<B: Block>(mut block: B) -> B {
    block.as_mut().reverse();
    block
}

/// CTR encryption and decryption, which are the same operation.
#[derive(Clone)]
pub struct Ctr<C: BlockCipher, R = BigEndian> {
    cipher: C,
    rule: R,
    first: C::Block,
    counter: C::Block,
    /// The keystream block before `counter`. Its last `left` bytes have not been used.
    keystream: C::Block,
    left: usize,
}

debug!([C: BlockCipher + core::fmt::Debug, R] Ctr<C, R>, "Ctr", cipher = cipher);

super::cipher_mut! {
    [C: BlockCipher, R] Ctr<C, R>;
}

impl<C: FusedEncrypt> Ctr<C> {
    /// Starts a message with its first counter block.
    #[inline]
    pub fn new(cipher: C, first: &C::Block) -> Self {
        Self::with_rule(cipher, first, BigEndian)
    }
}

impl<C: FusedEncrypt, R: Rule<C::Block>> Ctr<C, R> {
    /// Starts a message with its first counter block and a rule for the next ones.
    #[inline]
    pub fn with_rule(cipher: C, first: &C::Block, rule: R) -> Self {
        Self {
            cipher,
            rule,
            first: *first,
            counter: *first,
            keystream: C::Block::ZERO,
            left: 0,
        }
    }

    /// Starts the next message with the same key.
    #[inline]
    pub fn reset(&mut self, first: &C::Block) {
        self.first = *first;
        self.counter = *first;
        self.left = 0;
    }

    /// Moves to byte `byte` of the message, counted from 0, without computing the bytes
    /// between.
    pub fn seek(&mut self, byte: u128) {
        let size = C::Block::SIZE as u128;
        self.counter = self.rule.advance(self.first, byte / size);
        self.left = 0;
        let within = (byte % size) as usize;
        if within != 0 {
            self.refill();
            self.left -= within;
        }
    }

    /// Encrypts or decrypts the next bytes of the message in place.
    #[inline]
    pub fn apply(&mut self, data: &mut [u8]) {
        self.apply_inout(data.into());
    }

    /// [`apply`](Self::apply) from `input` to `output`. After an error `output` is
    /// unchanged.
    #[inline]
    pub fn apply_into(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), DataError> {
        self.apply_inout(buffer::pair(input, output)?);
        Ok(())
    }

    /// [`apply`](Self::apply), in place or from one buffer to another.
    #[inline]
    pub fn apply_inout(&mut self, mut data: InOutBuf<'_, '_, u8>) {
        if self.left != 0 {
            let (now, later) = {
                let n = self.left.min(data.len());
                data.split_at(n)
            };
            self.consume(now);
            data = later;
        }
        let short = data.len() % C::Block::SIZE;
        if short != 0 {
            self.left = C::Block::SIZE - short;
        }
        let (rule, counter, keystream) = (&self.rule, &mut self.counter, &mut self.keystream);
        rule.apply_bytes(&self.cipher, counter, data, keystream);
    }

    /// Computes the next keystream block.
    #[inline]
    fn refill(&mut self) {
        self.keystream = C::Block::ZERO;
        let block = InOutBuf::from_mut(&mut self.keystream);
        self.rule.apply(&self.cipher, &mut self.counter, block);
        self.left = C::Block::SIZE;
    }

    /// XORs the next bytes of the keystream block, which must have enough.
    #[inline]
    fn consume(&mut self, mut data: InOutBuf<'_, '_, u8>) {
        let from = C::Block::SIZE - self.left;
        data.xor_in2out(&self.keystream.as_ref()[from..from + data.len()]);
        self.left -= data.len();
    }
}

impl<C: BlockCipher, R> Drop for Ctr<C, R> {
    fn drop(&mut self) {
        // With the keystream an attacker could decrypt the next bytes.
        wipe(core::slice::from_mut(&mut self.keystream), C::Block::ZERO);
    }
}
