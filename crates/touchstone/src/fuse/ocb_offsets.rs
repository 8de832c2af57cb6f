//! The offsets of OCB3. OCB3 XORs an offset to each block before and after encryption. The
//! fused OCB3 of a cipher uses these offsets
//! ([`FusedEncrypt::ocb_encrypt_blocks`](super::FusedEncrypt::ocb_encrypt_blocks)). This module
//! also has the form of OCB3 that works for any cipher.

use inout::InOutBuf;

use super::unfused::{Permutation, with_buffer};
use crate::cipher::{Block, BlockEncrypt};
use crate::debug::debug;
use crate::wipe::wipe;

/// The values from which OCB3 computes all offsets.
#[derive(Clone)]
pub(crate) struct Table<B: Block> {
    pub(crate) star: B,
    pub(crate) dollar: B,
    /// The values L₀ … L₄ of the standard. The next higher values are needed only once in 32
    /// blocks, and are then computed by doubling L₄, here or in [`Higher`].
    l: [B; 5],
    /// For each of the 31 blocks after a multiple of 32: the XOR of the block's offset and the
    /// offset at the multiple. The last entry equals the entry before it, because the offset of
    /// the next multiple of 32 also needs the value L of that multiple.
    pub(crate) steps: [B; 32],
}

impl Table<[u8; 16]> {
    #[inline]
    pub(crate) fn new<C: BlockEncrypt<Block = [u8; 16]>>(cipher: &C) -> Self {
        let mut table = Self::EMPTY;
        table.set(cipher);
        table
    }

    #[inline]
    pub(crate) fn set<C: BlockEncrypt<Block = [u8; 16]>>(&mut self, cipher: &C) {
        self.star = [0; 16];
        cipher.encrypt_block(&mut self.star);
        self.dollar = self.star.double();
        self.fill(self.dollar.double());
    }
}

impl<B: Block> Table<B> {
    pub(crate) const EMPTY: Self = Self {
        star: B::ZERO,
        dollar: B::ZERO,
        l: [B::ZERO; 5],
        steps: [B::ZERO; 32],
    };

    /// Computes the offsets from L₀.
    #[inline]
    pub(crate) fn fill(&mut self, first: B) {
        self.l[0] = first;
        for i in 1..5 {
            self.l[i] = self.l[i - 1].double();
        }
        let Self { l, steps, .. } = self;
        steps[0] = l[0];
        again::<2, B>(steps, l[1]);
        again::<4, B>(steps, l[2]);
        again::<8, B>(steps, l[3]);
        again::<16, B>(steps, l[4]);
        steps[31] = steps[30];
    }

    /// Returns the value L whose number is the number of zero bits at the end of `index`.
    #[inline(always)]
    pub(crate) fn at(&self, index: u64) -> B {
        let n = index.trailing_zeros() as usize;
        match self.l.get(n) {
            Some(l) => *l,
            None => (4..n).fold(self.l[4], |l, _| l.double()),
        }
    }

    /// Returns the XOR of the offset after `blocks` blocks and the first offset: the XOR of the values L
    /// for the bits that are set in the Gray code of `blocks`.
    #[inline]
    pub(crate) fn after(&self, blocks: usize) -> B {
        let (whole, rest) = (blocks as u64 / 32 * 32, blocks % 32);
        let mut all = match rest.checked_sub(1) {
            Some(last) => self.steps[last],
            None => B::ZERO,
        };
        let mut gray = whole ^ whole >> 1;
        while gray != 0 {
            all = all.xor(self.at(gray));
            gray &= gray - 1;
        }
        all
    }
}

/// The first offset of a message: a part of the encrypted nonce, which begins at bit `bottom`, below 64,
/// [RFC7253] §4.2. Number and result are blocks as big-endian numbers.
///
/// [RFC7253]: https://www.rfc-editor.org/rfc/rfc7253
#[inline(always)]
pub(crate) fn stretched(top: u128, bottom: u32) -> u128 {
    // The stretched value of the standard has these 64 bits besides the 128 bits of `top`.
    let more = (top >> 64) as u64 ^ (top >> 56) as u64;
    let more = u128::from(more).unbounded_shl(bottom) >> 64;
    top << bottom | more
}

/// The blocks that OCB3 encrypts before those of the message.
#[doc(hidden)]
pub struct Start {
    /// Whether the end of the associated data is a part of a block. If not, `header` is not read.
    pub(crate) has_header: bool,
    /// That part with padding and offset; then its encryption.
    pub(crate) header: [u8; 16],
    /// Whether the end of the message is a part of a block. If not, `last` is not read.
    pub(crate) has_last: bool,
    /// The offset of that part XOR the first offset; then its keystream.
    pub(crate) last: [u8; 16],
    /// The result: the first offset.
    pub(crate) offset: [u8; 16],
}

debug!([] Start, "OcbStart");

impl Start {
    /// Encrypts with any cipher. `nonce` is the nonce's block without its last six bits, which are
    /// `bottom`.
    pub(crate) fn unfused<C>(&mut self, cipher: &C, nonce: u128, bottom: u32)
    where
        C: BlockEncrypt<Block = [u8; 16]> + ?Sized,
    {
        let mut two = [nonce.to_be_bytes(), self.header];
        let given = &mut two[..1 + usize::from(self.has_header)];
        cipher.encrypt_blocks(given.into());
        self.offset = stretched(u128::from_be_bytes(two[0]), bottom).to_be_bytes();
        self.header = two[1];
        if self.has_last {
            self.last = self.last.xor(self.offset);
            cipher.encrypt_block(&mut self.last);
        }
        wipe(&mut two, [0; 16]);
    }
}

impl Drop for Start {
    fn drop(&mut self) {
        for block in [&mut self.header, &mut self.last, &mut self.offset] {
            wipe(core::slice::from_mut(block), [0; 16]);
        }
    }
}

/// Values L that a long message needs, computed before it: how often L₄ must be doubled depends
/// on the position, and a processor cannot predict the end of such a loop.
pub(crate) struct Higher<B: Block> {
    /// L₅ and the values after it.
    l: [B; 8],
}

impl<B: Block> Higher<B> {
    /// Returns the value L for the position of a walk, a multiple of 32 blocks.
    #[inline(always)]
    pub(crate) fn at(&self, walk: &Walk<'_, B>) -> B {
        let n = (walk.index / 32).trailing_zeros() as usize;
        match self.l.get(n) {
            Some(l) => *l,
            None => walk.table.at(walk.index),
        }
    }
}

impl<B: Block> Drop for Higher<B> {
    fn drop(&mut self) {
        wipe(&mut self.l, B::ZERO);
    }
}

/// Fills the entries `N` to 2·`N` − 2 from the first `N` − 1 entries. Each new entry is the XOR
/// of one of the first entries and the entry for block `N`.
#[inline(always)]
fn again<const N: usize, B: Block>(steps: &mut [B; 32], l: B) {
    let here = steps[N - 2].xor(l);
    steps[N - 1] = here;
    for i in 0..N - 1 {
        steps[N + i] = here.xor(steps[i]);
    }
}

impl<B: Block> Drop for Table<B> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.star), B::ZERO);
        wipe(core::slice::from_mut(&mut self.dollar), B::ZERO);
        wipe(&mut self.l, B::ZERO);
        wipe(&mut self.steps, B::ZERO);
    }
}

/// The state of OCB3 within a message: the position, and the checksum of the blocks so far.
#[doc(hidden)]
pub struct Walk<'t, B: Block> {
    pub(crate) table: &'t Table<B>,
    /// The number of blocks of the message so far.
    pub(crate) index: u64,
    /// The offset of the last block so far.
    pub(crate) offset: B,
    pub(crate) sum: B,
}

debug!([B: Block] Walk<'_, B>, "OcbWalk");

impl<'t, B: Block> Walk<'t, B> {
    pub(crate) fn new(table: &'t Table<B>, offset: B) -> Self {
        Self {
            table,
            index: 0,
            offset,
            sum: B::ZERO,
        }
    }

    /// Returns the values L for the ends of the next `groups` groups of 32 blocks, if the number
    /// of blocks so far is a multiple of 32.
    #[inline(always)]
    pub(crate) fn higher(&self, groups: u64) -> Higher<B> {
        let (from, to) = (self.index / 32, self.index / 32 + groups);
        // Among the numbers after `from` up to `to`, the most zero bits at the end are as many as
        // stand below the highest bit that differs between the two.
        let most = (from ^ to)
            .checked_ilog2()
            .map_or(0, |bit| bit as usize + 1);
        let mut higher = Higher { l: [B::ZERO; 8] };
        let mut last = self.table.l[4];
        for l in higher.l.iter_mut().take(most) {
            last = last.double();
            *l = last;
        }
        higher
    }

    /// Returns how many of the next `blocks` blocks stand before the next multiple of 32 blocks of the
    /// message.
    #[inline(always)]
    pub(crate) fn before_turn(&self, blocks: usize) -> usize {
        let before = (self.index.wrapping_neg() % 32) as usize;
        before.min(blocks)
    }

    /// Splits `blocks` at the next multiple of 32 blocks of the message.
    #[inline(always)]
    pub(crate) fn to_turn<'i, 'o>(
        &self,
        blocks: InOutBuf<'i, 'o, B>,
    ) -> (InOutBuf<'i, 'o, B>, InOutBuf<'i, 'o, B>) {
        let before = self.before_turn(blocks.len());
        blocks.split_at(before)
    }

    /// Advances over at most `most` blocks, at least one. The offset of each of these blocks is the
    /// first result XOR the block's entry of the second. So no offset waits for the one before it.
    #[inline(always)]
    fn run(&mut self, most: usize) -> (B, &'t [B]) {
        let steps = &self.table.steps;
        let at = (self.index % 32) as usize;
        let mut base = self.offset;
        if let Some(before) = at.checked_sub(1) {
            base = base.xor(steps[before]);
        }
        let run = if at == 31 {
            base = base.xor(self.table.at(self.index + 1));
            &steps[31..]
        } else {
            &steps[at..31.min(at + most)]
        };
        self.index += run.len() as u64;
        self.offset = base.xor(run[run.len() - 1]);
        (base, run)
    }

    /// Advances over blocks, and replaces each by what a function returns for the block and its
    /// offset.
    #[inline(always)]
    pub(crate) fn each(&mut self, mut blocks: InOutBuf<'_, '_, B>, mut on: impl FnMut(B, B) -> B) {
        while !blocks.is_empty() {
            let (base, steps) = self.run(blocks.len());
            let (now, later) = blocks.split_at(steps.len());
            for (mut block, step) in now.into_iter().zip(steps) {
                *block.get_out() = on(*block.get_in(), base.xor(*step));
            }
            blocks = later;
        }
    }

    /// Does [`each`](Self::each) a second time, from the block whose number and offset are given.
    #[inline(always)]
    pub(crate) fn each_again(
        &mut self,
        (index, offset): (u64, B),
        blocks: InOutBuf<'_, '_, B>,
        on: impl FnMut(B, B) -> B,
    ) {
        self.index = index;
        self.offset = offset;
        self.each(blocks, on);
    }
}

impl<B: Block> Drop for Walk<'_, B> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.offset), B::ZERO);
        wipe(core::slice::from_mut(&mut self.sum), B::ZERO);
    }
}

/// The position of a [`Walk`], for an object that stores the table elsewhere or only borrows
/// it.
#[derive(Clone)]
pub(crate) struct Place<B: Block> {
    index: u64,
    pub(crate) offset: B,
    pub(crate) sum: B,
}

impl<B: Block> Place<B> {
    pub(crate) fn new(offset: B) -> Self {
        Self {
            index: 0,
            offset,
            sum: B::ZERO,
        }
    }

    /// Continues OCB3 from this position: makes a [`Walk`], passes it to `on`, and stores the
    /// new position.
    pub(crate) fn walk(&mut self, table: &Table<B>, on: impl FnOnce(&mut Walk<'_, B>)) {
        let mut walk = Walk {
            table,
            index: self.index,
            offset: self.offset,
            sum: self.sum,
        };
        on(&mut walk);
        self.index = walk.index;
        self.offset = walk.offset;
        self.sum = walk.sum;
    }
}

impl<B: Block> Drop for Place<B> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.offset), B::ZERO);
        wipe(core::slice::from_mut(&mut self.sum), B::ZERO);
    }
}

/// The most blocks at once: enough for every kernel, and few enough that the nearest cache still
/// has them when they are read again.
const AT_ONCE: usize = 512;

/// Computes OCB3 encryption of whole blocks with any cipher.
pub(crate) fn encrypt_unfused<B: Block>(
    cipher: Permutation<'_, B>,
    walk: &mut Walk<'_, B>,
    mut blocks: InOutBuf<'_, '_, B>,
) {
    while !blocks.is_empty() {
        let n = blocks.len().min(AT_ONCE);
        let (mut now, later) = blocks.split_at(n);
        let from = (walk.index, walk.offset);
        let mut sum = walk.sum;
        walk.each(now.reborrow(), |block, offset| {
            sum = sum.xor(block);
            block.xor(offset)
        });
        walk.sum = sum;
        let output = now.into_out();
        cipher((&mut *output).into());
        walk.each_again(from, output.into(), |block, offset| block.xor(offset));
        blocks = later;
    }
}

/// Computes OCB3 decryption of whole blocks with any cipher.
pub(crate) fn decrypt_unfused<B: Block>(
    cipher: Permutation<'_, B>,
    walk: &mut Walk<'_, B>,
    mut blocks: InOutBuf<'_, '_, B>,
) {
    while !blocks.is_empty() {
        let n = blocks.len().min(AT_ONCE);
        let (mut now, later) = blocks.split_at(n);
        let from = (walk.index, walk.offset);
        walk.each(now.reborrow(), |block, offset| block.xor(offset));
        let output = now.into_out();
        cipher((&mut *output).into());
        let mut sum = walk.sum;
        walk.each_again(from, output.into(), |block, offset| {
            let data = block.xor(offset);
            sum = sum.xor(data);
            data
        });
        walk.sum = sum;
        blocks = later;
    }
}

/// Computes the hash of OCB3 with any cipher: the XOR of the encryptions of each block ⊕
/// offset.
pub(crate) fn hash_unfused<B: Block>(
    cipher: Permutation<'_, B>,
    walk: &mut Walk<'_, B>,
    blocks: &[B],
) {
    with_buffer(blocks.len(), |buffer| {
        for blocks in blocks.chunks(buffer.len()) {
            let masked = &mut buffer[..blocks.len()];
            let both = InOutBuf::new(blocks, masked).expect("buffers of the same length");
            walk.each(both, |block, offset| block.xor(offset));
            cipher((&mut *masked).into());
            for block in masked {
                walk.sum = walk.sum.xor(*block);
            }
        }
        wipe(buffer, B::ZERO);
    });
}
