//! CTR, counter mode, [SP800-38A](super) §6.5: a block cipher as a stream cipher.
//!
//! Never use the same counter block twice with the same key.
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
//! W. Ehrhardt's library calls the first four rules MSBFull, LSBFull, MSBPart and LSBPart. All
//! these counters wrap around. A rule for one half of the block leaves the other half
//! unchanged.
//!
//! Another rule only has to implement [`advance`](Rule::advance). The counters of such a rule
//! go through a buffer. If the counter is a narrow field, a rule may equal the big-endian rule
//! until the field overflows. Such a rule can override [`apply`](Rule::apply), and pass the
//! blocks up to each overflow to the kernel in one call.

use inout::InOutBuf;

use super::any_length;
use crate::cipher::Block;
use crate::debug::debug;
use crate::fuse::unfused;
use crate::stream::keystream::{Keystream, Rest, SeekSource, Source};
use crate::wipe::wipe;
use crate::{BlockCipher, DataError, FusedEncrypt, StreamCipher, StreamSeek, buffer};

/// A rule that computes later counter blocks from a counter block.
pub trait Rule<B: Block> {
    /// Returns the counter block that comes `blocks` blocks after `counter`.
    #[must_use]
    fn advance(&self, counter: B, blocks: u128) -> B;

    /// XORs the keystream that begins at `counter` to `blocks`, and advances `counter`.
    #[inline]
    fn apply<C: FusedEncrypt<Block = B>>(
        &self,
        cipher: &C,
        counter: &mut B,
        blocks: InOutBuf<'_, '_, B>,
    ) {
        unfused::ctr(cipher, |block| self.advance(block, 1), counter, blocks);
    }

    /// XORs keystream to bytes, as [`apply`](Self::apply) does to blocks. If the last block is
    /// short, the last bytes of `keystream` receive the unused keystream.
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

/// The counter is the whole block: one number, most significant byte first, which wraps around.
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

/// The counter is the whole block: one number, least significant byte first, which wraps
/// around.
#[derive(Debug, Clone, Copy, Default)]
pub struct LittleEndian;

impl<B: Block> Rule<B> for LittleEndian {
    #[inline]
    fn advance(&self, counter: B, blocks: u128) -> B {
        reversed(reversed(counter).plus(blocks))
    }
}

/// The counter is the last half of the block: a number, most significant byte first, which
/// wraps around. The first half of the block does not change.
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
            // The number of blocks until the last half of the counter block overflows. If this
            // half is longer than 16 bytes, only its last 16 bytes count.
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

/// The counter is the first half of the block: a number, least significant byte first, which
/// wraps around. The last half of the block does not change.
#[derive(Debug, Clone, Copy, Default)]
pub struct LittleEndianHalf;

impl<B: Block> Rule<B> for LittleEndianHalf {
    #[inline]
    fn advance(&self, counter: B, blocks: u128) -> B {
        reversed(BigEndianHalf.advance(reversed(counter), blocks))
    }
}

/// A rule that is a function from a counter block to the next one. [`Ctr::seek`] calls the
/// function once for each block, beginning at the first block of the message. A rule that can
/// advance faster should be a type of its own.
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

/// CTR encryption and decryption, which are the same operation. CTR is a [`StreamCipher`] that
/// can move to any byte of the message.
#[derive(Clone)]
pub struct Ctr<C: BlockCipher, R = BigEndian>(Keystream<Counter<C, R>, C::Block>);

debug!([C: BlockCipher + core::fmt::Debug, R] Ctr<C, R>, "Ctr", cipher = 0.source.cipher);

/// The cipher of a CTR message, the message's first counter block and its next counter block.
#[derive(Clone)]
struct Counter<C: BlockCipher, R> {
    cipher: C,
    rule: R,
    first: C::Block,
    next: C::Block,
}

impl<C: FusedEncrypt, R: Rule<C::Block>> Source<C::Block> for Counter<C, R> {
    #[inline]
    fn apply_blocks(&mut self, blocks: InOutBuf<'_, '_, C::Block>) {
        self.rule.apply(&self.cipher, &mut self.next, blocks);
    }

    #[inline]
    fn apply_bytes(&mut self, data: InOutBuf<'_, '_, u8>, last: &mut C::Block) {
        self.rule
            .apply_bytes(&self.cipher, &mut self.next, data, last);
    }
}

impl<C: FusedEncrypt, R: Rule<C::Block>> SeekSource<C::Block> for Counter<C, R> {
    #[inline]
    fn seek_block(&mut self, block: u128) {
        self.next = self.rule.advance(self.first, block);
    }
}

/// A position in a CTR message: the next counter block and the unused keystream. An object that
/// stores the cipher elsewhere, or only borrows the cipher, needs only this position.
pub(crate) struct Place<B: Block> {
    next: B,
    rest: Rest<B>,
}

impl<B: Block> Drop for Place<B> {
    fn drop(&mut self) {
        // The counters of EAX are secret.
        wipe(core::slice::from_mut(&mut self.next), B::ZERO);
    }
}

impl<B: Block> Place<B> {
    /// Makes the position at the start of a message.
    #[inline]
    pub(crate) fn new(first: B) -> Self {
        Self {
            next: first,
            rest: Rest::new(),
        }
    }

    /// Encrypts or decrypts the next bytes of the message.
    #[inline]
    pub(crate) fn apply_inout<C: FusedEncrypt<Block = B>>(
        &mut self,
        cipher: &C,
        rule: impl Rule<B>,
        data: InOutBuf<'_, '_, u8>,
    ) {
        let mut source = Counter {
            cipher,
            rule,
            first: self.next,
            next: self.next,
        };
        self.rest.apply_inout(&mut source, data);
        self.next = source.next;
    }
}

#[cfg(feature = "dynamic")]
impl<C: BlockCipher, R> Ctr<C, R> {
    /// Returns the cipher, whose key the caller may change between two messages.
    pub(crate) fn cipher_mut(&mut self) -> &mut C {
        &mut self.0.source.cipher
    }
}

impl<C: FusedEncrypt> Ctr<C> {
    /// Starts a message with its first counter block.
    #[inline]
    pub fn new(cipher: C, first: &C::Block) -> Self {
        Self::with_rule(cipher, first, BigEndian)
    }
}

#[cfg(feature = "rustcrypto")]
impl<C: FusedEncrypt> Ctr<C> {
    /// Returns the number of bytes of the message so far.
    pub(crate) fn position(&self) -> u128 {
        // Converts the low 16 bytes of a counter block, or all bytes of a shorter block, to a
        // number.
        let number = |block: &C::Block| {
            let bytes = block.as_ref().iter();
            bytes.fold(0, |n, byte| n << 8 | u128::from(*byte))
        };
        let Counter { first, next, .. } = &self.0.source;
        let blocks = number(next).wrapping_sub(number(first));
        let size = <C::Block as Block>::SIZE;
        let width = u128::MAX >> (128 - 8 * size.min(16));
        let bytes = (blocks & width).wrapping_mul(size as u128);
        bytes.wrapping_sub(self.0.left() as u128)
    }
}

impl<C: FusedEncrypt, R: Rule<C::Block>> Ctr<C, R> {
    /// Starts a message with its first counter block and a rule for the next counter blocks.
    #[inline]
    pub fn with_rule(cipher: C, first: &C::Block, rule: R) -> Self {
        Self(Keystream::new(Counter {
            cipher,
            rule,
            first: *first,
            next: *first,
        }))
    }

    /// Starts the next message with the same key.
    #[inline]
    pub fn reset(&mut self, first: &C::Block) {
        self.0.source.first = *first;
        self.0.source.next = *first;
        self.0.restart();
    }

    /// Moves to byte `byte` of the message, counted from 0. The call does not compute the bytes
    /// between the old and the new position.
    pub fn seek(&mut self, byte: u128) {
        self.0.seek(byte);
    }

    any_length! {
        /// Encrypts or decrypts the next bytes of the message in place.
        apply apply_into apply_inout
    }

    /// Does the same as [`apply`](Self::apply), in place or from one buffer to another.
    #[inline]
    pub fn apply_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        self.0.apply_inout(data);
    }
}

impl<C: FusedEncrypt, R: Rule<C::Block>> StreamCipher for Ctr<C, R> {
    #[inline]
    fn apply_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        self.0.apply_inout(data);
    }
}

impl<C: FusedEncrypt, R: Rule<C::Block>> StreamSeek for Ctr<C, R> {
    fn seek(&mut self, byte: u64) {
        self.0.seek(byte.into());
    }
}
