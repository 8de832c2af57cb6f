//! BLAKE3 of one message by several threads. The threads share out units: subtrees of
//! [`UNIT`] chunks, whose chaining values do not depend on each other.

use core::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::{thread, vec};

use super::{BLOCK, Blake3, CHUNK, CHUNKS, Inputs, Value, parent};
use super::{CHUNK_END, CHUNK_START};
use crate::wipe::{self, wipe};

/// The number of chunks in a unit, a power of two: 128 KiB, which take some ten times as long as
/// the start of a thread.
const UNIT: usize = 128;

/// Bytes of the stack that the chaining values and the registers of the lanes need.
const STACK: usize = 2 * wipe::FRAMES;

/// The chunks of a unit, in blocks.
type Unit = [[[u8; BLOCK]; CHUNK / BLOCK]; UNIT];

impl Blake3 {
    /// Adds the next piece of the message, as [`update`](Self::update) does, by up to this number of
    /// threads, with the caller's. The time of a thread is worth it from some 256 KiB on; shorter
    /// pieces are hashed by the caller alone. If the system gives no thread, the caller does that
    /// thread's work.
    ///
    /// ```
    /// use core::num::NonZero;
    /// use touchstone::hash::Blake3;
    ///
    /// let message = vec![7; 1 << 20];
    /// let mut hash = Blake3::new();
    /// hash.update_by_threads(&message, NonZero::new(2).unwrap());
    /// assert_eq!(hash.finalize(), Blake3::digest(&message));
    /// ```
    pub fn update_by_threads(&mut self, data: &[u8], threads: NonZero<usize>) {
        // Units begin at multiples of their size.
        let before = self.chunk.index % UNIT as u64 * CHUNK as u64 + self.chunk.length() as u64;
        let first = (UNIT * CHUNK) as u64 - before;
        let first = if before == 0 { 0 } else { first as usize };
        let Some((first, data)) = data.split_at_checked(first) else {
            return self.take(data);
        };
        let (blocks, _) = data.as_chunks();
        let (chunks, _) = blocks.as_chunks();
        let (units, _): (&[Unit], _) = chunks.as_chunks();
        if units.len() < 2 || threads.get() == 1 {
            self.take(first);
            return self.take(data);
        }
        self.take(first);
        self.end_chunk();
        let mut values = vec![[[0; 8]; 2]; units.len()];
        let (this, start) = (&*self, self.chunk.index);
        let jobs = Mutex::new(units.iter().zip(&mut values).enumerate());
        let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            while let Some((i, (unit, values))) = next() {
                let (left, right) = unit.split_at(UNIT / 2);
                let index = start + (i * UNIT) as u64;
                let middle = index + left.len() as u64;
                *values = [this.subtree(index, left), this.subtree(middle, right)];
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads.get().min(units.len()) {
                let helper = thread::Builder::new();
                // The other threads do the work of a thread that the system does not give.
                if helper
                    .spawn_scoped(scope, || wipe::after(STACK, work))
                    .is_err()
                {
                    break;
                }
            }
            wipe::after(STACK, work);
        });
        let mut index = start;
        for half in values.as_flattened() {
            self.push(*half, index);
            index += UNIT as u64 / 2;
        }
        wipe(&mut values, [[0; 8]; 2]);
        self.chunk = super::Chunk::new(&self.key, index);
        self.take(&data[units.len() * UNIT * CHUNK..]);
    }

    /// Returns the chaining value of a subtree of a power of two of chunks, of which the first has
    /// this index.
    fn subtree(&self, index: u64, chunks: &[[[u8; BLOCK]; CHUNK / BLOCK]]) -> Value {
        if chunks.len() > CHUNKS {
            let (left, right) = chunks.split_at(chunks.len() / 2);
            let values = [
                self.subtree(index, left),
                self.subtree(index + left.len() as u64, right),
            ];
            return parent(&self.key, self.flags, &values[0], &values[1])
                .chaining_value(self.kernel);
        }
        let leaves = Inputs {
            key: &self.key,
            flags: [self.flags, CHUNK_START, CHUNK_END],
            counted: true,
        };
        let mut values = [[0; 8]; CHUNKS];
        leaves.values(self.kernel, index, chunks, &mut values);
        match self.halves(&mut values[..chunks.len()]) {
            2 => parent(&self.key, self.flags, &values[0], &values[1]).chaining_value(self.kernel),
            _ => values[0],
        }
    }
}
