//! The offsets of OCB3, which a cipher's fused OCB3 takes
//! ([`FusedEncrypt::ocb_encrypt_blocks`](super::FusedEncrypt::ocb_encrypt_blocks)), and
//! OCB3 for any cipher.

use inout::InOutBuf;

use crate::cipher::{Block, BlockDecrypt, BlockEncrypt};
use crate::debug::debug;
use crate::wipe::wipe;

/// What offsets are made of.
#[derive(Clone)]
pub(crate) struct Table<B: Block> {
    pub(crate) star: B,
    pub(crate) dollar: B,
    /// L₀ … L₄; the others are doubled from the last when they are needed, once
    /// in 32 blocks.
    l: [B; 5],
    /// The next 31 offsets less that at a multiple of 32; the last comes twice,
    /// and lacks L at the multiple to come.
    pub(crate) steps: [B; 32],
}

impl Table<[u8; 16]> {
    #[inline]
    pub(crate) fn new<C: BlockEncrypt<Block = [u8; 16]>>(cipher: &C) -> Self {
        let mut table = Self {
            star: [0; 16],
            dollar: [0; 16],
            l: [[0; 16]; 5],
            steps: [[0; 16]; 32],
        };
        table.set(cipher);
        table
    }

    #[inline]
    pub(crate) fn set<C: BlockEncrypt<Block = [u8; 16]>>(&mut self, cipher: &C) {
        self.star = [0; 16];
        cipher.encrypt_block(&mut self.star);
        self.dollar = self.star.double();
        let mut last = self.dollar;
        let l = [(); 5].map(|()| {
            last = last.double();
            last
        });
        self.l = l;
        // Numbers stay in registers, where blocks would be read back from memory.
        let l = l.map(u128::from_ne_bytes);
        let mut steps = [l[0]; 32];
        again::<2>(&mut steps, l[1]);
        again::<4>(&mut steps, l[2]);
        again::<8>(&mut steps, l[3]);
        again::<16>(&mut steps, l[4]);
        steps[31] = steps[30];
        for (place, step) in self.steps.iter_mut().zip(steps) {
            *place = step.to_ne_bytes();
        }
    }
}

impl<B: Block> Table<B> {
    /// L at the number of zeros that an index ends with.
    #[inline(always)]
    pub(crate) fn at(&self, index: u64) -> B {
        let n = index.trailing_zeros() as usize;
        match self.l.get(n) {
            Some(l) => *l,
            None => (4..n).fold(self.l[4], |l, _| l.double()),
        }
    }
}

/// The second half of the way to 2·`N` − 1 from the first: after `N` blocks it begins
/// again from where it is.
#[inline(always)]
fn again<const N: usize>(steps: &mut [u128; 32], l: u128) {
    let here = steps[N - 2] ^ l;
    steps[N - 1] = here;
    for i in 0..N - 1 {
        steps[N + i] = here ^ steps[i];
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

/// A way along a message, and the sum of what it has passed.
#[doc(hidden)]
pub struct Walk<'t, B: Block> {
    pub(crate) table: &'t Table<B>,
    /// Blocks so far.
    pub(crate) index: u64,
    /// The offset of the last block.
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

    /// The offset of the next block.
    #[inline(always)]
    fn step(&mut self) -> B {
        self.index += 1;
        self.offset = self.offset.xor(self.table.at(self.index));
        self.offset
    }
}

impl<B: Block> Drop for Walk<'_, B> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.offset), B::ZERO);
        wipe(core::slice::from_mut(&mut self.sum), B::ZERO);
    }
}

const BUFFER: usize = 64;

/// Whole blocks, by any cipher.
pub(crate) fn encrypt_unfused<C: BlockEncrypt + ?Sized>(
    cipher: &C,
    walk: &mut Walk<'_, C::Block>,
    mut blocks: InOutBuf<'_, '_, C::Block>,
) {
    let mut offsets = [C::Block::ZERO; BUFFER];
    while !blocks.is_empty() {
        let n = blocks.len().min(BUFFER);
        let (mut now, later) = blocks.split_at(n);
        for i in 0..n {
            let block = now.get_in()[i];
            offsets[i] = walk.step();
            walk.sum = walk.sum.xor(block);
            now.get_out()[i] = block.xor(offsets[i]);
        }
        let output = now.into_out();
        cipher.encrypt_blocks((&mut *output).into());
        for (block, offset) in output.iter_mut().zip(offsets) {
            *block = block.xor(offset);
        }
        blocks = later;
    }
    wipe(&mut offsets, C::Block::ZERO);
}

/// What [`encrypt_unfused`] did, backwards.
pub(crate) fn decrypt_unfused<C: BlockDecrypt + ?Sized>(
    cipher: &C,
    walk: &mut Walk<'_, C::Block>,
    mut blocks: InOutBuf<'_, '_, C::Block>,
) {
    let mut offsets = [C::Block::ZERO; BUFFER];
    while !blocks.is_empty() {
        let n = blocks.len().min(BUFFER);
        let (mut now, later) = blocks.split_at(n);
        for i in 0..n {
            let block = now.get_in()[i];
            offsets[i] = walk.step();
            now.get_out()[i] = block.xor(offsets[i]);
        }
        let output = now.into_out();
        cipher.decrypt_blocks((&mut *output).into());
        for (block, offset) in output.iter_mut().zip(offsets) {
            *block = block.xor(offset);
            walk.sum = walk.sum.xor(*block);
        }
        blocks = later;
    }
    wipe(&mut offsets, C::Block::ZERO);
}

/// The sum of the encryptions of blocks and offsets.
pub(crate) fn hash_unfused<C: BlockEncrypt + ?Sized>(
    cipher: &C,
    walk: &mut Walk<'_, C::Block>,
    blocks: &[C::Block],
) {
    let mut buffer = [C::Block::ZERO; BUFFER];
    for blocks in blocks.chunks(BUFFER) {
        let buffer = &mut buffer[..blocks.len()];
        for (masked, block) in buffer.iter_mut().zip(blocks) {
            *masked = block.xor(walk.step());
        }
        cipher.encrypt_blocks((&mut *buffer).into());
        for block in buffer {
            walk.sum = walk.sum.xor(*block);
        }
    }
    wipe(&mut buffer, C::Block::ZERO);
}
