//! Skein's tree hashing, [SKEIN](super) §3.5.6. The leaves are parts of the message, and each node
//! hashes the results of several nodes of the level below. Leaves do not depend on each other, so a
//! kernel with lanes hashes several at once.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use super::{Chain, Kernel, Kind, Skein256, Skein512, Skein1024, Ubi256, Ubi512, Ubi1024};
use crate::Digest;
use crate::hash::last_block::{HeldBack, LastBlock, Message};
use crate::hash::state_type;
use crate::wipe::wipe;

/// The numbers of a tree that are not in the allowed range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidTree {
    /// The given leaf size, fan-out and maximum height.
    pub given: [u8; 3],
}

impl fmt::Display for InvalidTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [leaf, fan_out, height] = self.given;
        write!(
            f,
            "a tree with leaf size {leaf} and fan-out {fan_out}, at least 1, and maximum height \
             {height}, at least 2"
        )
    }
}

impl core::error::Error for InvalidTree {}

/// The shape of a tree, [SKEIN](super) §3.5.2, table 7. Each shape gives another hash function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tree {
    leaf: u8,
    fan_out: u8,
    height: u8,
}

impl Tree {
    /// A leaf has 2^`leaf` blocks, and a node has 2^`fan_out` nodes below it. The tree has at most
    /// `height` levels of nodes and leaves: the last of these levels is one node, of any length.
    ///
    /// # Errors
    ///
    /// [`InvalidTree`] if `leaf` or `fan_out` is 0, or `height` is less than 2.
    pub const fn new(leaf: u8, fan_out: u8, height: u8) -> Result<Self, InvalidTree> {
        if leaf == 0 || fan_out == 0 || height < 2 {
            return Err(InvalidTree {
                given: [leaf, fan_out, height],
            });
        }
        Ok(Self {
            leaf,
            fan_out,
            height,
        })
    }

    /// The word of the configuration that contains the shape.
    const fn word(self) -> u64 {
        self.leaf as u64 | (self.fan_out as u64) << 8 | (self.height as u64) << 16
    }

    /// The length in bytes of a node of this level, if blocks have `block` bytes. No message is
    /// longer than `u64::MAX`, which stands for every longer node.
    fn length(self, level: u64, block: u64) -> u64 {
        let power = match level {
            1 => self.leaf,
            // The only node of the highest level.
            _ if level == u64::from(self.height) => return u64::MAX,
            _ => self.fan_out,
        };
        1_u64
            .checked_shl(u32::from(power))
            .and_then(|blocks| blocks.checked_mul(block))
            .unwrap_or(u64::MAX)
    }
}

/// The place of the level in the upper word of the tweak, [SKEIN](super) §3.5.1, table 5.
const LEVEL: u32 = 48;

/// The node of a level that is being hashed. Leaves are the nodes of level 1.
#[derive(Clone)]
struct Node<C: LastBlock> {
    message: HeldBack<C>,
    level: u64,
    /// The length of every whole node of this level in bytes.
    length: u64,
    /// The number of bytes in this node.
    bytes: u64,
    /// The number of bytes of this level before this node.
    before: u64,
}

macro_rules! trees {
    ($($(#[$meta:meta])* $Tree:ident $Skein:ident $Ubi:ident $words:literal $block:literal;)*) => {$(
        impl Node<$Ubi> {
            fn new(kernel: Kernel, start: &[u64; $words], shape: Tree, level: u64) -> Self {
                Self {
                    message: HeldBack::new(kernel, Self::chain(start, level, 0)),
                    level,
                    length: shape.length(level, $block),
                    bytes: 0,
                    before: 0,
                }
            }

            /// The chain of the node that starts after `before` bytes of a level.
            fn chain(start: &[u64; $words], level: u64, before: u64) -> Chain<$words> {
                let mut chain = Chain::new(*start, Kind::Message);
                chain.marks |= level << LEVEL;
                chain.position = before;
                chain
            }

            /// The number of bytes that this node can still take.
            fn room(&self) -> u64 {
                self.length - self.bytes
            }

            fn update(&mut self, data: &[u8]) {
                self.message.update(data);
                self.bytes += data.len() as u64;
            }

            /// Goes on with the node after `bytes` bytes more of this level, and returns the node
            /// that ends here.
            fn next(&mut self, start: &[u64; $words], bytes: u64) -> HeldBack<$Ubi> {
                self.before += bytes;
                self.bytes = 0;
                let chain = Self::chain(start, self.level, self.before);
                let next = HeldBack::new(self.message.kernel(), chain);
                core::mem::replace(&mut self.message, next)
            }
        }

        $(#[$meta])*
        ///
        /// ```
        #[doc = concat!("use touchstone::hash::skein::{", stringify!($Tree), ", Tree};")]
        ///
        /// let shape = Tree::new(4, 2, 255)?;
        #[doc = concat!("let mut hash = ", stringify!($Tree), "::<32>::new(shape);")]
        /// hash.update(b"a part of the message, ");
        /// hash.update(b"and another");
        /// let digest = hash.finalize();
        /// # assert_ne!(digest.as_ref(), [0; 32]);
        /// # Ok::<(), touchstone::hash::skein::InvalidTree>(())
        /// ```
        #[derive(Clone)]
        pub struct $Tree<const N: usize> {
            /// The chaining value at the start of every node.
            start: [u64; $words],
            shape: Tree,
            leaf: Node<$Ubi>,
            /// The nodes of the levels above the leaves. A box does not move when the list grows,
            /// so no copy of a node is left behind.
            nodes: Vec<Box<Node<$Ubi>>>,
        }

        impl<const N: usize> $Tree<N> {
            /// Starts a message.
            #[must_use]
            pub fn new(shape: Tree) -> Self {
                Self::with_parameters(shape, b"", b"")
            }

            /// Starts a message with a key and a personalisation, as
            #[doc = concat!("[`", stringify!($Skein), "::with_parameters`] does.")]
            #[must_use]
            pub fn with_parameters(shape: Tree, key: &[u8], personalisation: &[u8]) -> Self {
                Self::with_kernel_and_parameters(
                    crate::Kernel::best(), shape, key, personalisation,
                )
            }

            /// Starts a message as [`with_parameters`](Self::with_parameters) does, with the
            /// given kernel; for tests.
            #[doc(hidden)]
            #[must_use]
            pub fn with_kernel_and_parameters(
                kernel: Kernel,
                shape: Tree,
                key: &[u8],
                personalisation: &[u8],
            ) -> Self {
                let start = $Skein::<N>::start(kernel, key, personalisation, shape.word());
                Self {
                    start,
                    shape,
                    leaf: Node::<$Ubi>::new(kernel, &start, shape, 1),
                    nodes: Vec::new(),
                }
            }

            /// Adds the next piece of the message.
            pub fn update(&mut self, mut data: &[u8]) {
                while !data.is_empty() {
                    if self.leaf.room() == 0 {
                        let bytes = self.leaf.bytes;
                        let value = self.leaf.next(&self.start, bytes).finish().value;
                        self.push(2, value);
                    }
                    if self.leaf.bytes == 0 && data.len() as u64 > self.leaf.length {
                        data = self.leaves(data);
                        continue;
                    }
                    let room = usize::try_from(self.leaf.room()).unwrap_or(usize::MAX);
                    let (now, later) = data.split_at(data.len().min(room));
                    self.leaf.update(now);
                    data = later;
                }
            }

            /// Hashes the whole leaves of `data` that have bytes after them, in lanes, and returns
            /// the rest of the data.
            fn leaves<'d>(&mut self, data: &'d [u8]) -> &'d [u8] {
                const GROUP: usize = 16;
                // `data` is longer than a leaf, so the length of a leaf is a `usize`.
                let length = self.leaf.length as usize;
                let (leaves, rest) = data.split_at((data.len() - 1) / length * length);
                let kernel = self.leaf.message.kernel();
                let mut values = [[0; $words]; GROUP];
                for group in leaves.chunks(GROUP * length) {
                    let mut chain = Node::<$Ubi>::chain(&self.start, 1, self.leaf.before);
                    let messages = group.chunks(length).enumerate().map(|(index, end)| {
                        let message = Message { index, chain, end };
                        chain.position += length as u64;
                        message
                    });
                    $Ubi::many(kernel, messages, |i, chain| values[i] = chain.value);
                    self.leaf.next(&self.start, group.len() as u64);
                    for value in values.into_iter().take(group.len() / length) {
                        self.push(2, value);
                    }
                }
                wipe(&mut values, [0; $words]);
                rest
            }

            /// Adds the result of a node below to the node of this level.
            fn push(&mut self, level: usize, value: [u64; $words]) {
                let i = level - 2;
                if self.nodes.len() == i {
                    let kernel = self.leaf.message.kernel();
                    let node = Node::<$Ubi>::new(kernel, &self.start, self.shape, level as u64);
                    self.nodes.push(Box::new(node));
                }
                if self.nodes[i].room() == 0 {
                    let bytes = self.nodes[i].bytes;
                    let ended = self.nodes[i].next(&self.start, bytes).finish().value;
                    self.push(level + 1, ended);
                }
                let mut bytes = [0; $block];
                Chain::new(value, Kind::Message).write(&mut bytes);
                self.nodes[i].update(&bytes);
                wipe(&mut bytes, 0);
            }

            /// Ends the message and returns the digest.
            pub fn finalize(mut self) -> Digest<N> {
                let mut root = self.leaf.message.end();
                // A level of one result has nothing above it: this result is the root.
                let mut level = 2;
                while level - 2 < self.nodes.len() {
                    self.push(level, root.value);
                    root = self.nodes[level - 2].message.end();
                    level += 1;
                }
                $Skein::<N>::digest_of(&mut root)
            }
        }

        impl<const N: usize> Drop for $Tree<N> {
            fn drop(&mut self) {
                wipe(&mut self.start, 0);
            }
        }

        state_type!($Tree<N>);
    )*};
}

trees! {
    /// Skein-256 in a tree, with a digest of `N` bytes.
    Skein256Tree Skein256 Ubi256 4 32;
    /// Skein-512 in a tree, with a digest of `N` bytes.
    Skein512Tree Skein512 Ubi512 8 64;
    /// Skein-1024 in a tree, with a digest of `N` bytes.
    Skein1024Tree Skein1024 Ubi1024 16 128;
}
