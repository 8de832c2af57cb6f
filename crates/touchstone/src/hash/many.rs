//! Many messages through few lanes: who is in which lane, and for how long.

use super::buffer::{Order, padded};
use crate::DataError;

/// As many digests as messages.
pub(crate) fn same_number<T>(messages: &[&[u8]], digests: &[T]) -> Result<(), DataError> {
    if messages.len() == digests.len() {
        Ok(())
    } else {
        Err(DataError::OutputLength {
            input: messages.len(),
            output: digests.len(),
        })
    }
}

/// A message on its way through a lane.
#[derive(Clone, Copy)]
pub(crate) struct Lane<'m, const STATE: usize, const BLOCK: usize> {
    /// Which of the messages.
    index: usize,
    /// Its chaining value.
    state: [u32; STATE],
    /// Its whole blocks that are still to come.
    blocks: &'m [[u8; BLOCK]],
    /// Its last bytes, its length and the padding: as many blocks as `last.1`
    /// says, of which `padded` have been compressed.
    last: ([[u8; BLOCK]; 2], usize),
    padded: usize,
}

impl<const STATE: usize, const BLOCK: usize> Lane<'_, STATE, BLOCK> {
    /// The blocks that lie in a row from here.
    #[inline]
    fn run(&self) -> &[[u8; BLOCK]] {
        match self.blocks {
            [] => &self.last.0[self.padded..self.last.1],
            blocks => blocks,
        }
    }

    /// Goes on by `n` blocks of the run.
    #[inline]
    fn skip(&mut self, n: usize) {
        match self.blocks {
            [] => self.padded += n,
            _ => self.blocks = &self.blocks[n..],
        }
    }

    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        self.blocks.is_empty() && self.padded == self.last.1
    }
}

/// Messages as they enter their lanes.
#[inline]
pub(crate) fn lanes<'m, const STATE: usize, const BLOCK: usize>(
    messages: &[&'m [u8]],
    order: Order,
    start: [u32; STATE],
) -> impl Iterator<Item = Lane<'m, STATE, BLOCK>> {
    messages.iter().enumerate().map(move |(index, message)| {
        let (blocks, rest) = message.as_chunks();
        Lane {
            index,
            state: start,
            blocks,
            last: padded(rest, message.len() as u64, order),
            padded: 0,
        }
    })
}

/// Takes messages through `N` lanes as long as all of them are full, and gives
/// back those that are not through, for a kernel with fewer lanes; one lane
/// always suffices. `compress` takes as many blocks of each lane as it is told;
/// `done` takes the index and the last chaining value of each message.
///
/// A lane whose message ends takes the next one, so lengths need not be equal.
#[inline]
pub(crate) fn through<'m, const N: usize, const STATE: usize, const BLOCK: usize>(
    mut waiting: impl Iterator<Item = Lane<'m, STATE, BLOCK>>,
    compress: impl Fn(&mut [[u32; STATE]; N], [&[[u8; BLOCK]]; N], usize),
    done: &mut impl FnMut(usize, &[u32; STATE]),
) -> [Lane<'m, STATE, BLOCK>; N] {
    // A lane without a message has no blocks, and so is done.
    let idle = Lane {
        index: 0,
        state: [0; STATE],
        blocks: &[],
        last: ([[0; BLOCK]; 2], 0),
        padded: 0,
    };
    let mut lanes: [_; N] = core::array::from_fn(|_| waiting.next().unwrap_or(idle));
    while !lanes.iter().any(Lane::is_done) {
        let mut states = lanes.each_ref().map(|lane| lane.state);
        let runs = lanes.each_ref().map(Lane::run);
        let n = runs.iter().map(|run| run.len()).min().unwrap_or(0);
        compress(&mut states, runs, n);
        for (lane, state) in lanes.iter_mut().zip(states) {
            lane.state = state;
            lane.skip(n);
            if lane.is_done() {
                done(lane.index, &lane.state);
                *lane = waiting.next().unwrap_or(idle);
            }
        }
    }
    lanes
}
