//! Hash functions that compress their last block differently: BLAKE2 and Skein. A message
//! stores its latest whole block until the code knows whether more bytes follow. A hash
//! function implements [`LastBlock`]. [`HeldBack`] is the state of a message that is being
//! hashed.

use core::marker::PhantomData;

use super::many::{Lane, Laned, Start};
use crate::Kernel;
use crate::cipher::Block;
use crate::held_block::{HeldBlock, body};
use crate::wipe::wipe;

/// The compression function of a hash function whose last block is marked.
pub(crate) trait LastBlock: Clone + Send + Sync + 'static {
    /// The type of the kernels: implementations of this function for different CPU features.
    type Kernel: Kernel;

    /// A block of the message: the input of one compression.
    type Block: Block;

    /// The state between compressions: the chaining value and the number of bytes.
    type Chain: Copy + Send + Sync + 'static;

    /// A zero value, which overwrites chaining values that are no longer needed.
    const ZERO: Self::Chain;

    /// Compresses blocks that are not the last block: more bytes of the message follow them.
    fn compress(kernel: Self::Kernel, chain: &mut Self::Chain, blocks: &[Self::Block]);

    /// Compresses the last block. The first `held` bytes of the block belong to the message,
    /// and the other bytes are zero.
    fn last(kernel: Self::Kernel, chain: &mut Self::Chain, block: &Self::Block, held: usize);
}

/// A message that is being hashed.
#[derive(Clone)]
pub(crate) struct HeldBack<C: LastBlock> {
    kernel: C::Kernel,
    chain: C::Chain,
    last: HeldBlock<C::Block>,
}

impl<C: LastBlock> HeldBack<C> {
    #[inline]
    pub(crate) fn new(kernel: C::Kernel, start: C::Chain) -> Self {
        Self {
            kernel,
            chain: start,
            last: HeldBlock::new(),
        }
    }

    #[inline]
    pub(crate) fn kernel(&self) -> C::Kernel {
        self.kernel
    }

    /// Adds the next piece of the message.
    #[inline]
    pub(crate) fn update(&mut self, data: &[u8]) {
        let compress = |blocks: &[_]| C::compress(self.kernel, &mut self.chain, blocks);
        self.last.add(data, compress);
    }

    /// Returns the chaining value after all bytes so far, as the start of messages that continue
    /// with one byte more at least. Returns `None` if the bytes are no whole blocks.
    #[inline]
    pub(crate) fn start_of_more(&self) -> Option<C::Chain> {
        let mut chain = self.chain;
        match self.held() {
            0 => {}
            held if held == C::Block::SIZE => {
                let block = core::slice::from_ref(self.padded());
                C::compress(self.kernel, &mut chain, block);
            }
            _ => return None,
        }
        Some(chain)
    }

    /// Ends the message and returns the last chaining value.
    #[inline]
    pub(crate) fn finish(mut self) -> C::Chain {
        let held = self.held();
        C::last(self.kernel, &mut self.chain, self.last.padded(), held);
        self.chain
    }

    /// Returns the last chaining value of the message.
    #[inline]
    pub(crate) fn end(&self) -> C::Chain {
        self.clone().finish()
    }

    /// Returns the number of bytes that are not compressed yet.
    #[inline]
    pub(crate) fn held(&self) -> usize {
        self.last.bytes().len()
    }

    /// Returns a block of the bytes that are not compressed yet, with zeros after them.
    #[inline]
    pub(crate) fn padded(&self) -> &C::Block {
        self.last.padded()
    }
}

#[cfg(target_arch = "x86_64")]
impl<C: LastBlock> HeldBack<C> {
    /// Returns the state before the next block, for a lane. The next block is the last one if `last`
    /// says so.
    #[inline]
    pub(crate) fn marked(&self, last: bool) -> Marked<C::Chain> {
        Marked {
            chain: self.chain,
            held: self.held(),
            last,
        }
    }

    /// Sets the chaining value after whole blocks.
    #[inline]
    pub(crate) fn set(&mut self, chain: C::Chain) {
        self.chain = chain;
        self.last = HeldBlock::new();
    }
}

impl<C: LastBlock> Drop for HeldBack<C> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.chain), C::ZERO);
    }
}

/// The hash function of a [`LastBlock`], for messages in lanes.
#[derive(Clone)]
pub(crate) struct InLanes<C>(PhantomData<C>);

/// The state of a message in a lane.
#[derive(Clone, Copy)]
pub(crate) struct Marked<T> {
    pub(crate) chain: T,
    /// The number of bytes of the message in its last block.
    held: usize,
    /// Whether the next block is the last block.
    pub(crate) last: bool,
}

impl<T> Marked<T> {
    /// Returns the number of bytes of the message in each of the next blocks, which have `size`
    /// bytes.
    #[inline(always)]
    pub(crate) fn bytes(&self, size: usize) -> usize {
        if self.last { self.held } else { size }
    }
}

impl<C: LastBlock> Laned for InLanes<C> {
    type Kernel = C::Kernel;
    type Block = C::Block;
    type Chain = Marked<C::Chain>;
    const ZERO: Marked<C::Chain> = Marked {
        chain: C::ZERO,
        held: 0,
        last: false,
    };

    #[inline]
    fn compress(kernel: C::Kernel, chain: &mut Marked<C::Chain>, blocks: &[C::Block]) {
        match blocks {
            [block] if chain.last => C::last(kernel, &mut chain.chain, block, chain.held),
            _ => C::compress(kernel, &mut chain.chain, blocks),
        }
    }

    #[inline(always)]
    fn before_last(chain: &mut Marked<C::Chain>) {
        chain.last = true;
    }
}

/// One of many messages. `end` is the rest of the message after `chain`.
pub(crate) struct Message<'m, C: LastBlock> {
    pub(crate) index: usize,
    pub(crate) chain: C::Chain,
    pub(crate) end: &'m [u8],
}

impl<'m, C: LastBlock> Start<'m, InLanes<C>> for Message<'m, C> {
    #[inline(always)]
    fn start(self, lane: &mut Lane<'m, InLanes<C>>) {
        let (blocks, rest) = body(self.end);
        let chain = Marked {
            chain: self.chain,
            held: rest.len(),
            last: false,
        };
        lane.begin(self.index, chain, blocks, |[last, _]| {
            *last = C::Block::ZERO;
            last.as_mut()[..rest.len()].copy_from_slice(rest);
            1
        });
    }
}

/// Returns the length in bytes of a hash function's blocks.
pub(crate) const fn block<C: LastBlock>() -> usize {
    C::Block::SIZE
}

/// Returns the chaining value after a whole message.
#[inline]
pub(crate) fn whole<C: LastBlock>(
    kernel: C::Kernel,
    mut chain: C::Chain,
    message: &[u8],
) -> C::Chain {
    let (blocks, rest) = body::<C::Block>(message);
    if !blocks.is_empty() {
        C::compress(kernel, &mut chain, blocks);
    }
    match C::Block::of(rest) {
        ([block], _) => C::last(kernel, &mut chain, block, C::Block::SIZE),
        _ => {
            let mut last = C::Block::ZERO;
            last.as_mut()[..rest.len()].copy_from_slice(rest);
            C::last(kernel, &mut chain, &last, rest.len());
            wipe(core::slice::from_mut(&mut last), C::Block::ZERO);
        }
    }
    chain
}

/// Writes the parts of a public type that contains a [`HeldBack`] message. The type must have
/// `START`, the first chaining value, `digest_of`, which makes the digest from the last
/// chaining value and wipes that value, and `many`, which hashes many messages: `done` receives the
/// index and the digest of each.
macro_rules! held_back_hash {
    ($Hash:ident, $Core:ty) => {
        impl<const N: usize> $crate::hash::HashFunction for $Hash<N> {
            type Kernel = Kernel;
            type Output = $crate::Digest<N>;
            const BLOCK: usize = $crate::hash::last_block::block::<$Core>();

            #[inline]
            fn with_kernel(kernel: Kernel) -> Self {
                Self($crate::hash::last_block::HeldBack::new(kernel, Self::START))
            }
            #[inline]
            fn kernel_in_use(&self) -> Kernel {
                self.0.kernel()
            }
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.0.update(data);
            }
            #[inline]
            fn finalize(self) -> Self::Output {
                Self::digest_of(&mut self.0.finish())
            }
            #[inline]
            fn digest_with(kernel: Kernel, message: &[u8]) -> Self::Output {
                let start = Self::START;
                Self::digest_of(&mut $crate::hash::last_block::whole::<$Core>(
                    kernel, start, message,
                ))
            }
            fn hash_many_with(
                kernel: Kernel,
                messages: &[&[u8]],
                digests: &mut [Self::Output],
            ) -> Result<(), $crate::DataError> {
                $crate::buffer::same_number(messages.len(), digests.len())?;
                let messages = messages.iter().enumerate();
                let messages = messages.map(|(index, end)| $crate::hash::last_block::Message {
                    index,
                    chain: Self::START,
                    end,
                });
                Self::many(kernel, messages, |i, digest| digests[i] = digest);
                Ok(())
            }
            fn finish_many(
                starts: &[Self],
                ends: &[&[u8]],
                digests: &mut [Self::Output],
            ) -> Result<(), $crate::DataError> {
                $crate::buffer::same_number(ends.len(), digests.len())?;
                let mut chain = match starts {
                    [start] => start.0.start_of_more(),
                    _ => None,
                };
                // In lanes, a message continues the start, after whole blocks.
                for ((start, end), digest) in starts.iter().cycle().zip(ends).zip(&mut *digests) {
                    if chain.is_none() || end.is_empty() {
                        *digest = Self::finish_after(start, end);
                    }
                }
                if let ([start], Some(chain)) = (starts, &mut chain) {
                    let more = ends.iter().enumerate().filter(|(_, end)| !end.is_empty());
                    let messages = more.map(|(index, end)| $crate::hash::last_block::Message {
                        index,
                        chain: *chain,
                        end,
                    });
                    Self::many(start.0.kernel(), messages, |i, digest| digests[i] = digest);
                    $crate::wipe::wipe(
                        core::slice::from_mut(chain),
                        <$Core as $crate::hash::last_block::LastBlock>::ZERO,
                    );
                }
                Ok(())
            }
        }

        $crate::hash::hash_type!($Hash<N>);
    };
}
pub(crate) use held_back_hash;
