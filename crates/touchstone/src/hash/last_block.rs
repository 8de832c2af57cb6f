//! Hash functions that compress their last block differently: BLAKE2 and Skein. A message
//! stores its latest whole block until the code knows whether more bytes follow. A hash
//! function implements [`LastBlock`]. [`HeldBack`] is the state of a message that is being
//! hashed.

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

    /// Ends the message and returns the last chaining value.
    #[inline]
    pub(crate) fn finish(mut self) -> C::Chain {
        let held = self.last.bytes().len();
        C::last(self.kernel, &mut self.chain, self.last.padded(), held);
        self.chain
    }
}

impl<C: LastBlock> Drop for HeldBack<C> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.chain), C::ZERO);
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
/// `START`, the first chaining value, and `digest_of`, which makes the digest from the last
/// chaining value and wipes that value.
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
        }

        $crate::hash::hash_type!($Hash<N>);
    };
}
pub(crate) use held_back_hash;
