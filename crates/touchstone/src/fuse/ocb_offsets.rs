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
    /// blocks, and are then computed by doubling L₄.
    l: [B; 5],
    /// For each of the 31 blocks after a multiple of 32: the XOR of the block's offset and the
    /// offset at the multiple. The last entry equals the entry before it, because the offset of
    /// the next multiple of 32 also needs the value L of that multiple.
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
        // The values are numbers here, because numbers stay in registers. Arrays of bytes would
        // be written to memory and read back.
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
    /// Returns the value L whose number is the number of zero bits at the end of `index`.
    #[inline(always)]
    pub(crate) fn at(&self, index: u64) -> B {
        let n = index.trailing_zeros() as usize;
        match self.l.get(n) {
            Some(l) => *l,
            None => (4..n).fold(self.l[4], |l, _| l.double()),
        }
    }
}

/// Fills the entries `N` to 2·`N` − 2 from the first `N` − 1 entries. Each new entry is the XOR
/// of one of the first entries and the entry for block `N`.
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

    /// Advances to the next block and returns its offset.
    #[inline(always)]
    fn step(&mut self) -> B {
        self.index += 1;
        self.offset = self.offset.xor(self.table.at(self.index));
        self.offset
    }

    /// Advances over as many blocks as `offsets` has room for, and writes their offsets. Within 32
    /// blocks no offset waits for the one before it.
    fn steps(&mut self, mut offsets: &mut [B]) {
        while !offsets.is_empty() {
            let now;
            if self.index.is_multiple_of(32) && offsets.len() >= 32 {
                (now, offsets) = offsets.split_at_mut(32);
                for (offset, step) in now.iter_mut().zip(&self.table.steps) {
                    *offset = self.offset.xor(*step);
                }
                self.index += 32;
                now[31] = now[31].xor(self.table.at(self.index));
                self.offset = now[31];
            } else {
                (now, offsets) = offsets.split_at_mut(1);
                now[0] = self.step();
            }
        }
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

/// Computes OCB3 encryption of whole blocks with any cipher.
pub(crate) fn encrypt_unfused<B: Block>(
    cipher: Permutation<'_, B>,
    walk: &mut Walk<'_, B>,
    mut blocks: InOutBuf<'_, '_, B>,
) {
    with_buffer(blocks.len(), |buffer| {
        while !blocks.is_empty() {
            let n = blocks.len().min(buffer.len());
            let (mut now, later) = blocks.split_at(n);
            let offsets = &mut buffer[..n];
            walk.steps(offsets);
            let mut sum = walk.sum;
            for (mut block, offset) in now.reborrow().into_iter().zip(&*offsets) {
                sum = sum.xor(*block.get_in());
                *block.get_out() = block.get_in().xor(*offset);
            }
            walk.sum = sum;
            let output = now.into_out();
            cipher((&mut *output).into());
            for (block, offset) in output.iter_mut().zip(offsets) {
                *block = block.xor(*offset);
            }
            blocks = later;
        }
        wipe(buffer, B::ZERO);
    });
}

/// Computes OCB3 decryption of whole blocks with any cipher.
pub(crate) fn decrypt_unfused<B: Block>(
    cipher: Permutation<'_, B>,
    walk: &mut Walk<'_, B>,
    mut blocks: InOutBuf<'_, '_, B>,
) {
    with_buffer(blocks.len(), |buffer| {
        while !blocks.is_empty() {
            let n = blocks.len().min(buffer.len());
            let (mut now, later) = blocks.split_at(n);
            let offsets = &mut buffer[..n];
            walk.steps(offsets);
            for (mut block, offset) in now.reborrow().into_iter().zip(&*offsets) {
                *block.get_out() = block.get_in().xor(*offset);
            }
            let output = now.into_out();
            cipher((&mut *output).into());
            let mut sum = walk.sum;
            for (block, offset) in output.iter_mut().zip(offsets) {
                *block = block.xor(*offset);
                sum = sum.xor(*block);
            }
            walk.sum = sum;
            blocks = later;
        }
        wipe(buffer, B::ZERO);
    });
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
            walk.steps(masked);
            for (masked, block) in masked.iter_mut().zip(blocks) {
                *masked = masked.xor(*block);
            }
            cipher((&mut *masked).into());
            for block in masked {
                walk.sum = walk.sum.xor(*block);
            }
        }
        wipe(buffer, B::ZERO);
    });
}
