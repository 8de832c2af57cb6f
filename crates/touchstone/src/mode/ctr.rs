//! CTR, counter mode, [SP800-38A](super) §6.5: a block cipher as a stream cipher.
//!
//! No counter block may serve twice under one key.
//!
//! # Counter rules
//!
//! Standards disagree on how a counter block becomes the next one. A rule is a
//! type that implements [`Rule`]:
//!
//! | rule | the counter is | fused by kernels |
//! |---|---|---|
//! | [`BigEndian`] | the whole block, most significant byte first | yes |
//!
//! Any other rule needs [`advance`](Rule::advance) and nothing more: its counters
//! then go through a buffer. A rule that equals the big-endian one over long
//! runs (a narrow field between two overflows) overrides
//! [`apply`](Rule::apply) and hands each run to the kernel.

use inout::InOutBuf;

use crate::block::{Block, unfused};
use crate::wipe::wipe;
use crate::{BlockCipher, BlockEncrypt, DataError, buffer};

/// How a counter block becomes a later one.
pub trait Rule<B: Block> {
    /// The counter block that comes `blocks` after this one.
    #[must_use]
    fn advance(&self, counter: B, blocks: u128) -> B;

    /// Adds the keystream from `counter` on to `blocks`, and advances `counter`.
    #[inline]
    fn apply<C: BlockEncrypt<Block = B>>(
        &self,
        cipher: &C,
        counter: &mut B,
        blocks: InOutBuf<'_, '_, B>,
    ) {
        unfused::ctr(cipher, |block| self.advance(block, 1), counter, blocks);
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
    fn apply<C: BlockEncrypt<Block = B>>(
        &self,
        cipher: &C,
        counter: &mut B,
        blocks: InOutBuf<'_, '_, B>,
    ) {
        cipher.ctr_blocks(counter, blocks);
    }
}

/// CTR; encryption and decryption are the same.
pub struct Ctr<C: BlockCipher, R = BigEndian> {
    cipher: C,
    rule: R,
    first: C::Block,
    counter: C::Block,
    /// The keystream block before `counter`, of which the last `left` bytes have
    /// not served.
    keystream: C::Block,
    left: usize,
}

impl<C: BlockEncrypt> Ctr<C> {
    /// Starts a message with its first counter block.
    #[inline]
    pub fn new(cipher: C, first: &C::Block) -> Self {
        Self::with_rule(cipher, first, BigEndian)
    }
}

impl<C: BlockEncrypt, R: Rule<C::Block>> Ctr<C, R> {
    /// Starts a message with its first counter block and a rule for the others.
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

    /// Goes to a byte of the message, backwards or forwards, without computing
    /// what lies between.
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

    /// [`apply`](Self::apply), out of place. An error leaves the output as it is.
    #[inline]
    pub fn apply_into(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), DataError> {
        self.apply_inout(buffer::pair(input, output)?);
        Ok(())
    }

    /// [`apply`](Self::apply), in place or out of place.
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
        let (blocks, rest) = C::Block::split(data);
        if !blocks.is_empty() {
            self.rule.apply(&self.cipher, &mut self.counter, blocks);
        }
        if !rest.is_empty() {
            self.refill();
            self.consume(rest);
        }
    }

    /// The next keystream block.
    #[inline]
    fn refill(&mut self) {
        self.keystream = C::Block::ZERO;
        let block = InOutBuf::from_mut(&mut self.keystream);
        self.rule.apply(&self.cipher, &mut self.counter, block);
        self.left = C::Block::SIZE;
    }

    /// Adds the next bytes of the keystream block; there are enough.
    #[inline]
    fn consume(&mut self, mut data: InOutBuf<'_, '_, u8>) {
        let from = C::Block::SIZE - self.left;
        data.xor_in2out(&self.keystream.as_ref()[from..from + data.len()]);
        self.left -= data.len();
    }
}

impl<C: BlockCipher, R> Drop for Ctr<C, R> {
    fn drop(&mut self) {
        // Keystream decrypts.
        wipe(core::slice::from_mut(&mut self.keystream), C::Block::ZERO);
    }
}
