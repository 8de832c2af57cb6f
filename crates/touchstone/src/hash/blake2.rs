//! BLAKE2b and BLAKE2s: digests of 1 to 64 and 1 to 32 bytes, blocks of 128 and 64. With a key,
//! each of them is a MAC. Each salt and each personalisation gives another hash function.
//!
//! | type | digest in bytes | structure |
//! |---|---|---|
//! | [`Blake2b`] [`Blake2s`] | 1 to 64, 1 to 32 | one chain of blocks |
//! | [`Blake2bp`] [`Blake2sp`] | 1 to 64, 1 to 32 | a tree: four or eight leaves take the blocks in turn |
//! | [`Blake2Xb`] [`Blake2Xs`] | any number, by [`Xof`] | each block of output is a hash of one root |
//!
//! | kernel | needs | messages at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 16 or 8 | a word of each message in a register; one message: a row of four words in a register, or `portable` on Zen 5 |
//! | `avx2` | AVX2 | 8 or 4 | a word of each message in a register; one message: a row of four words in a register |
//! | `portable` | – | 1 | as in the standard |
//!
//! - [RFC7693] M.-J. Saarinen, J.-P. Aumasson: The BLAKE2 Cryptographic Hash and Message
//!   Authentication Code (MAC), RFC 7693, 2015
//! - [BLAKE2] J.-P. Aumasson, S. Neves, Z. Wilcox-O'Hearn, C. Winnerlein: BLAKE2: Simpler,
//!   Smaller, Fast as MD5, 2013
//! - [BLAKE2X] J.-P. Aumasson, S. Neves, Z. Wilcox-O'Hearn, C. Winnerlein: BLAKE2X, 2016
//!
//! [RFC7693]: https://www.rfc-editor.org/rfc/rfc7693
//! [BLAKE2]: https://www.blake2.net/blake2.pdf
//! [BLAKE2X]: https://www.blake2.net/blake2x.pdf

#[cfg(target_arch = "x86_64")]
use super::lanes::Width;
use super::lanes::lane_kernels;
use super::last_block::{HeldBack, InLanes, LastBlock, Marked, Message, held_back_hash, whole};
#[cfg(not(target_arch = "x86_64"))]
use super::many::finish;
#[cfg(target_arch = "x86_64")]
use super::many::{Laned, in_lanes};
use super::{HashFunction, Xof, XofReader, XofSeek, hash_type, state_type, xof_type};
use crate::machinery::each::each;
use crate::roots::SQUARE_ROOTS;
use crate::wipe::wipe;
use crate::{Digest, InvalidKeyLength, KeyLengths};

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
#[cfg(target_arch = "x86_64")]
pub(super) mod lanes;
#[cfg(target_arch = "x86_64")]
use lanes::Blocks;

lane_kernels! {
    /// The kernels that compute BLAKE2.
}

/// The order of the words in each round, [RFC7693] §2.7. BLAKE2b's eleventh and twelfth
/// rounds use the orders of the first and the second.
pub(super) const SIGMA: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// The place of a node in a tree, [BLAKE2] §2.10. The default is a message without a
/// tree.
#[derive(Clone, Copy)]
struct Node {
    fan_out: u8,
    depth: u8,
    leaf_length: u32,
    /// The index of the node in its level. In the upper bits, the length of the whole
    /// output.
    offset: u64,
    level: u8,
    inner_length: u8,
    /// Whether this node is the last one of its level.
    last: bool,
}

impl Node {
    const SEQUENTIAL: Self = Self {
        fan_out: 1,
        depth: 1,
        leaf_length: 0,
        offset: 0,
        level: 0,
        inner_length: 0,
        last: false,
    };
}

/// The initial values, [RFC7693] §2.6: the square roots of the first eight primes, as in
/// SHA-512 and SHA-256.
const IV_64: [u64; 8] = {
    let mut iv = [0; 8];
    let mut i = 0;
    while i < 8 {
        iv[i] = SQUARE_ROOTS[i];
        i += 1;
    }
    iv
};
pub(super) const IV_32: [u32; 8] = {
    let mut iv = [0; 8];
    let mut i = 0;
    while i < 8 {
        iv[i] = (SQUARE_ROOTS[i] >> 32) as u32;
        i += 1;
    }
    iv
};

/// A round on the state `$v`: the function G, [RFC7693] §3.1, on four columns and then on four
/// diagonals. `$s` is the order of the message's words `$m`. Each step is done for all four, which on
/// Zen 5 takes 0.92 of the time of one function after the other.
macro_rules! round {
    ($v:ident, $m:ident, $s:expr, $rotations:expr) => {
        round!(@ $v, $m, $s, $rotations, 0, 0 4 8 12, 1 5 9 13, 2 6 10 14, 3 7 11 15);
        round!(@ $v, $m, $s, $rotations, 8, 0 5 10 15, 1 6 11 12, 2 7 8 13, 3 4 9 14);
    };
    (
        @ $v:ident, $m:ident, $s:expr, $rotations:expr, $first:literal,
        $($a:literal $b:literal $c:literal $d:literal),*
    ) => {
        $($v[$a] = $v[$a].wrapping_add($v[$b]).wrapping_add($m[$s[$first + 2 * $a]]);)*
        $($v[$d] = ($v[$d] ^ $v[$a]).rotate_right($rotations[0]);)*
        $($v[$c] = $v[$c].wrapping_add($v[$d]);)*
        $($v[$b] = ($v[$b] ^ $v[$c]).rotate_right($rotations[1]);)*
        $($v[$a] = $v[$a].wrapping_add($v[$b]).wrapping_add($m[$s[$first + 2 * $a + 1]]);)*
        $($v[$d] = ($v[$d] ^ $v[$a]).rotate_right($rotations[2]);)*
        $($v[$c] = $v[$c].wrapping_add($v[$d]);)*
        $($v[$b] = ($v[$b] ^ $v[$c]).rotate_right($rotations[3]);)*
    };
}
pub(super) use round;

macro_rules! blake2 {
    (
        $Core:ident $Chain:ident $compress:ident $compress_one:ident $start:ident
        word $Word:ident, count $Count:ident, block $block:literal, longest $longest:literal,
        iv $IV:ident, rounds $rounds:literal, rotations $R1:literal $R2:literal $R3:literal $R4:literal,
        salt $salt:literal, leaves $leaves:literal, lanes $lanes:literal $wide:ident $short:ident $narrow:ident, output length $OutputLength:ident $unknown:expr,
        at bit $output_bit:literal,
        $(#[$meta:meta])* $Hash:ident
        $(#[$meta_p:meta])* $Parallel:ident
        $(#[$meta_x:meta])* $Extendable:ident $Reader:ident
    ) => {
        /// The chaining value, and the number of bytes so far.
        #[derive(Clone, Copy)]
        pub(crate) struct $Chain {
            h: [$Word; 8],
            count: $Count,
            last_node: bool,
        }

        #[doc = concat!("The compression function of [`", stringify!($Hash), "`].")]
        #[derive(Clone)]
        pub(crate) struct $Core;

        impl LastBlock for $Core {
            type Kernel = Kernel;
            type Block = [u8; $block];
            type Chain = $Chain;
            const ZERO: $Chain = $Chain {
                h: [0; 8],
                count: 0,
                last_node: false,
            };

            #[inline]
            fn compress(kernel: Kernel, chain: &mut $Chain, blocks: &[[u8; $block]]) {
                $compress(kernel, chain, blocks, $block, [0; 2]);
            }

            #[inline]
            fn last(kernel: Kernel, chain: &mut $Chain, block: &[u8; $block], held: usize) {
                let marks = [$Word::MAX, if chain.last_node { $Word::MAX } else { 0 }];
                let blocks = core::slice::from_ref(block);
                $compress(kernel, chain, blocks, held as $Count, marks);
            }
        }

        /// Compresses blocks. Each adds `taken` bytes to the number of bytes.
        #[inline]
        fn $compress(
            kernel: Kernel,
            chain: &mut $Chain,
            blocks: &[[u8; $block]],
            taken: $Count,
            marks: [$Word; 2],
        ) {
            match kernel {
                #[cfg(target_arch = "x86_64")]
                Kernel::Avx512(token) if token.adds_quickly() => {
                    let $Chain { h, count, .. } = chain;
                    avx512::$compress(token, h, count, blocks, taken, marks);
                }
                #[cfg(target_arch = "x86_64")]
                Kernel::Avx2(token) => {
                    let $Chain { h, count, .. } = chain;
                    avx2::$compress(token, h, count, blocks, taken, marks);
                }
                _ => {
                    for block in blocks {
                        chain.count = chain.count.wrapping_add(taken);
                        $compress_one(&mut chain.h, block, chain.count, marks);
                    }
                }
            }
        }

        /// The function F, [RFC7693] §3.2.
        fn $compress_one(h: &mut [$Word; 8], block: &[u8; $block], count: $Count, marks: [$Word; 2]) {
            let mut m = [0; 16];
            for (m, bytes) in m.iter_mut().zip(block.as_chunks().0) {
                *m = $Word::from_le_bytes(*bytes);
            }
            let mut v = [0; 16];
            v[..8].copy_from_slice(h);
            v[8..].copy_from_slice(&$IV);
            v[12] ^= count as $Word;
            v[13] ^= (count >> $Word::BITS) as $Word;
            v[14] ^= marks[0];
            v[15] ^= marks[1];
            // Without a loop, so that the compiler knows the order of the words in each round.
            each!(ROUND < $rounds => {
                let s = const { &SIGMA[ROUND % 10] };
                round!(v, m, s, [$R1, $R2, $R3, $R4]);
            });
            for i in 0..8 {
                h[i] ^= v[i] ^ v[i + 8];
            }
        }

        /// The first chaining value: the IV XOR the parameter block of [BLAKE2] §2.8.
        const fn $start(
            output: usize,
            key: usize,
            node: Node,
            salt: &[u8; $salt],
            personal: &[u8; $salt],
        ) -> $Chain {
            // Salt and personalisation are as long as two words each.
            const BYTES: usize = $salt / 2;
            let mut parameters = [0; 8 * BYTES];
            parameters[0] = output as u8;
            parameters[1] = key as u8;
            parameters[2] = node.fan_out;
            parameters[3] = node.depth;
            let mut i = 0;
            while i < 4 {
                parameters[4 + i] = (node.leaf_length >> (8 * i)) as u8;
                i += 1;
            }
            // BLAKE2s has two bytes fewer for the offset.
            let wide = if BYTES == 8 { 8 } else { 6 };
            i = 0;
            while i < wide {
                parameters[8 + i] = (node.offset >> (8 * i)) as u8;
                i += 1;
            }
            parameters[8 + wide] = node.level;
            parameters[9 + wide] = node.inner_length;
            i = 0;
            while i < $salt {
                parameters[4 * BYTES + i] = salt[i];
                parameters[6 * BYTES + i] = personal[i];
                i += 1;
            }
            let mut h = $IV;
            i = 0;
            while i < 8 * BYTES {
                h[i / BYTES] ^= (parameters[i] as $Word) << (8 * (i % BYTES));
                i += 1;
            }
            $Chain {
                h,
                count: 0,
                last_node: node.last,
            }
        }

        impl $Core {
            /// Hashes many messages. `done` receives the index and the last chaining value of each.
            #[inline]
            pub(crate) fn many<'m>(
                kernel: Kernel,
                messages: impl Iterator<Item = Message<'m, $Core>>,
                mut done: impl FnMut(usize, &$Chain),
            ) {
                let done = |i, chain: &Marked<$Chain>| done(i, &chain.chain);
                #[cfg(target_arch = "x86_64")]
                in_lanes(
                    (kernel, kernel.lanes()),
                    messages,
                    |token, chains: &mut [_; $lanes], blocks: [&[_]; $lanes], n| {
                        lanes::$wide::compress(token, chains, n, &Blocks::Runs(blocks));
                    },
                    |token, chains: &mut [_; $leaves], blocks: [&[_]; $leaves], n| {
                        lanes::$narrow::compress(token, chains, n, &Blocks::Runs(blocks));
                    },
                    done,
                );
                #[cfg(not(target_arch = "x86_64"))]
                {
                    let mut done = done;
                    finish::<InLanes<$Core>>(kernel, messages, &mut done);
                }
            }
        }

        impl $Chain {
            /// Returns the chaining value with which a message starts that has a key of `key`
            /// bytes, and a digest of `output` bytes.
            pub(crate) fn with_key(output: usize, key: usize) -> Self {
                $start(output, key, Node::SEQUENTIAL, &[0; $salt], &[0; $salt])
            }

            /// Writes the digest and wipes the chaining value.
            #[inline]
            pub(crate) fn output(&mut self, output: &mut [u8]) {
                for (bytes, word) in output.chunks_mut(size_of::<$Word>()).zip(self.h) {
                    bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
                }
                wipe(core::slice::from_mut(self), $Core::ZERO);
            }
        }

        $(#[$meta])*
        #[derive(Clone)]
        pub struct $Hash<const N: usize>(HeldBack<$Core>);

        impl<const N: usize> $Hash<N> {
            /// Lengths of keys in bytes.
            pub const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 0, $longest);

            const START: $Chain = {
                assert!(N != 0 && N <= $longest, "a digest of a length that BLAKE2 does not have");
                $start(N, 0, Node::SEQUENTIAL, &[0; $salt], &[0; $salt])
            };

            /// Starts a message with a key, which makes the hash a MAC; an empty key
            /// means no key.
            pub fn with_key(key: &[u8]) -> Result<Self, InvalidKeyLength> {
                Self::with_parameters(key, &[0; $salt], &[0; $salt])
            }

            /// Starts a message with a key, a salt and a personalisation.
            pub fn with_parameters(
                key: &[u8],
                salt: &[u8; $salt],
                personal: &[u8; $salt],
            ) -> Result<Self, InvalidKeyLength> {
                Self::KEY_LENGTHS.check(key)?;
                const { assert!(N != 0 && N <= $longest) };
                let start = $start(N, key.len(), Node::SEQUENTIAL, salt, personal);
                Ok(Self(Self::of_key(crate::Kernel::best(), start, key)))
            }

            /// The start with a key, [RFC7693](self) §2.9: the key, filled up with zeros,
            /// is the first block.
            fn of_key(kernel: Kernel, start: $Chain, key: &[u8]) -> HeldBack<$Core> {
                let mut this = HeldBack::new(kernel, start);
                if !key.is_empty() {
                    let mut block = [0; $block];
                    block[..key.len()].copy_from_slice(key);
                    this.update(&block);
                    wipe(&mut block, 0);
                }
                this
            }

            #[inline]
            fn digest_of(chain: &mut $Chain) -> Digest<N> {
                let mut output = [0; N];
                chain.output(&mut output);
                output.into()
            }

            #[inline]
            fn many<'m>(
                kernel: Kernel,
                messages: impl Iterator<Item = Message<'m, $Core>>,
                mut done: impl FnMut(usize, Digest<N>),
            ) {
                $Core::many(kernel, messages, |i, chain| done(i, Self::digest_of(&mut { *chain })));
            }
        }

        held_back_hash!($Hash, $Core);

        $(#[$meta_p])*
        #[derive(Clone)]
        pub struct $Parallel<const N: usize> {
            leaves: [HeldBack<$Core>; $leaves],
            root: $Chain,
            /// The number of bytes so far, modulo one block for every leaf.
            at: usize,
        }

        impl<const N: usize> $Parallel<N> {
            /// Lengths of keys in bytes.
            pub const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 0, $longest);

            /// Starts a message with a key, which makes the hash a MAC; an empty key
            /// means no key.
            pub fn with_key(key: &[u8]) -> Result<Self, InvalidKeyLength> {
                Self::KEY_LENGTHS.check(key)?;
                Ok(Self::of(crate::Kernel::best(), key))
            }

            /// A tree of two levels, [BLAKE2](self) §2.10. The leaves take the blocks of
            /// the message in turn.
            fn of(kernel: Kernel, key: &[u8]) -> Self {
                const { assert!(N != 0 && N <= $longest) };
                let node = |level: u8, offset: usize| Node {
                    fan_out: $leaves,
                    depth: 2,
                    leaf_length: 0,
                    offset: offset as u64,
                    level,
                    inner_length: $longest,
                    last: level == 1 || offset == $leaves - 1,
                };
                let start = |node| $start(N, key.len(), node, &[0; $salt], &[0; $salt]);
                Self {
                    leaves: core::array::from_fn(|i| {
                        $Hash::<N>::of_key(kernel, start(node(0, i)), key)
                    }),
                    root: start(node(1, 0)),
                    at: 0,
                }
            }

            /// Compresses blocks of all leaves at once, if the kernel has lanes, and returns the rest
            /// of the message. A row is a block for each leaf; the last row of `data` stays for
            /// `update`, because a leaf's last block is different.
            fn rows<'d>(&mut self, data: &'d [u8]) -> &'d [u8] {
                #[cfg(target_arch = "x86_64")]
                if let (0, Some(width)) = (self.at, self.leaves[0].kernel().lanes()) {
                    let (blocks, _) = data.as_chunks::<$block>();
                    let (rows, _) = blocks.as_chunks::<$leaves>();
                    if let [rows @ .., _] = rows && !rows.is_empty() {
                        let mut chains = self.leaves.each_ref().map(|leaf| leaf.marked(false));
                        if self.leaves[0].held() != 0 {
                            let held = self.leaves.each_ref().map(HeldBack::padded);
                            let held = Blocks::Runs(held.map(core::slice::from_ref));
                            Self::abreast(width, &mut chains, 1, &held);
                        }
                        Self::abreast(width, &mut chains, rows.len(), &Blocks::Rows(rows));
                        for (leaf, chain) in self.leaves.iter_mut().zip(&mut chains) {
                            leaf.set(chain.chain);
                        }
                        wipe(&mut chains, InLanes::<$Core>::ZERO);
                        return &data[rows.len() * $leaves * $block..];
                    }
                }
                data
            }

            /// Ends all leaves and returns their last chaining values.
            fn leaves_end(&self) -> [$Chain; $leaves] {
                #[cfg(target_arch = "x86_64")]
                if let Some(width) = self.leaves[0].kernel().lanes() {
                    let mut chains = self.leaves.each_ref().map(|leaf| leaf.marked(true));
                    let last = self.leaves.each_ref().map(HeldBack::padded);
                    let last = Blocks::Runs(last.map(core::slice::from_ref));
                    Self::abreast(width, &mut chains, 1, &last);
                    return chains.map(|chain| chain.chain);
                }
                self.leaves.each_ref().map(HeldBack::end)
            }

            /// Compresses `count` blocks of each leaf.
            #[cfg(target_arch = "x86_64")]
            #[inline]
            fn abreast(
                width: Width,
                chains: &mut [Marked<$Chain>; $leaves],
                count: usize,
                blocks: &Blocks<'_, $block, $leaves>,
            ) {
                match width {
                    Width::Wide(token) => lanes::$short::compress(token, chains, count, blocks),
                    Width::Narrow(token) => lanes::$narrow::compress(token, chains, count, blocks),
                }
            }
        }

        impl<const N: usize> HashFunction for $Parallel<N> {
            type Kernel = Kernel;
            type Output = Digest<N>;
            const BLOCK: usize = $block;

            #[inline]
            fn with_kernel(kernel: Kernel) -> Self {
                Self::of(kernel, &[])
            }
            #[inline]
            fn kernel_in_use(&self) -> Kernel {
                self.leaves[0].kernel()
            }
            fn update(&mut self, data: &[u8]) {
                let mut data = self.rows(data);
                while !data.is_empty() {
                    let n = data.len().min($block - self.at % $block);
                    let (now, later) = data.split_at(n);
                    self.leaves[self.at / $block].update(now);
                    self.at = (self.at + n) % ($leaves * $block);
                    data = later;
                }
            }
            fn finalize(self) -> Digest<N> {
                let mut root = HeldBack::<$Core>::new(self.leaves[0].kernel(), self.root);
                for mut chain in self.leaves_end() {
                    let mut inner = [0; $longest];
                    chain.output(&mut inner);
                    root.update(&inner);
                    wipe(&mut inner, 0);
                }
                $Hash::<N>::digest_of(&mut root.finish())
            }
        }

        hash_type!($Parallel<N>);

        $(#[$meta_x])*
        #[derive(Clone)]
        pub struct $Extendable {
            root: HeldBack<$Core>,
            length: $OutputLength,
        }

        impl $Extendable {
            /// Lengths of keys in bytes.
            pub const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 0, $longest);

            /// Starts a message for an output of exactly `length` bytes, with a key; an
            /// empty key means no key. The length is part of the hash, so outputs of two
            /// lengths are unrelated. The largest value of the type stands for an unknown
            /// length.
            pub fn with_length(
                length: $OutputLength,
                key: &[u8],
            ) -> Result<Self, InvalidKeyLength> {
                Self::KEY_LENGTHS.check(key)?;
                Ok(Self::of(crate::Kernel::best(), length, key))
            }

            /// [BLAKE2X](self) §2: the root's offset field holds the length of the output
            /// in its upper bits.
            fn of(kernel: Kernel, length: $OutputLength, key: &[u8]) -> Self {
                let node = Node {
                    offset: u64::from(length) << $output_bit,
                    ..Node::SEQUENTIAL
                };
                let start = $start($longest, key.len(), node, &[0; $salt], &[0; $salt]);
                Self {
                    root: $Hash::<$longest>::of_key(kernel, start, key),
                    length,
                }
            }
        }

        impl Xof for $Extendable {
            type Kernel = Kernel;
            type Reader = $Reader;
            const BLOCK: usize = $block;

            /// The length of the output is unknown.
            #[inline]
            fn with_kernel(kernel: Kernel) -> Self {
                Self::of(kernel, $unknown, &[])
            }
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.root.update(data);
            }
            fn finalize_xof(self) -> $Reader {
                let kernel = self.root.kernel();
                let mut root = [0; $longest];
                self.root.finish().output(&mut root);
                $Reader {
                    kernel,
                    root,
                    length: self.length,
                    at: 0,
                }
            }
        }

        #[doc = concat!("Output of [`", stringify!($Extendable), "`].")]
        ///
        /// After the length given at the start, or after 2³² blocks, the output repeats.
        #[derive(Clone)]
        pub struct $Reader {
            kernel: Kernel,
            root: [u8; $longest],
            length: $OutputLength,
            /// The number of bytes of output so far.
            at: u64,
        }

        impl XofReader for $Reader {
            /// [BLAKE2X](self) §2: block i of the output hashes the root, as a node of a
            /// tree without depth.
            fn squeeze(&mut self, mut output: &mut [u8]) {
                while !output.is_empty() {
                    let (index, from) = (self.at / $longest, (self.at % $longest) as usize);
                    let mut size = $longest;
                    if self.length != $unknown {
                        // The last block is only as long as the rest of the output.
                        let left = u64::from(self.length).saturating_sub(index * $longest);
                        if left != 0 {
                            size = size.min(left as usize);
                        }
                    }
                    let node = Node {
                        fan_out: 0,
                        depth: 0,
                        leaf_length: $longest,
                        offset: u64::from(self.length) << $output_bit | index & 0xffff_ffff,
                        level: 0,
                        inner_length: $longest,
                        last: false,
                    };
                    let start = $start(size, 0, node, &[0; $salt], &[0; $salt]);
                    let mut block = [0; $longest];
                    whole::<$Core>(self.kernel, start, &self.root).output(&mut block[..size]);
                    let n = output.len().min($longest - from);
                    let (now, later) = output.split_at_mut(n);
                    now.copy_from_slice(&block[from..from + n]);
                    wipe(&mut block, 0);
                    self.at += n as u64;
                    output = later;
                }
            }
        }

        impl XofSeek for $Reader {
            fn seek(&mut self, byte: u64) {
                self.at = byte;
            }
        }

        impl Drop for $Reader {
            fn drop(&mut self) {
                wipe(&mut self.root, 0);
            }
        }

        xof_type!($Extendable, $Reader);
        state_type!($Extendable);
    };
}

blake2! {
    CoreB ChainB compress_b compress_one_b start_b
    word u64, count u128, block 128, longest 64,
    iv IV_64, rounds 12, rotations 32 24 16 63,
    salt 16, leaves 4, lanes 8 wide_b short_b narrow_b, output length u32 u32::MAX, at bit 32,
    /// BLAKE2b with a digest of `N` bytes, [RFC7693](self).
    Blake2b
    /// BLAKE2bp with a digest of `N` bytes, [BLAKE2](self) §2.10.
    Blake2bp
    /// BLAKE2Xb, [BLAKE2X](self): up to 256 GiB of output.
    Blake2Xb Blake2XbReader
}

blake2! {
    CoreS ChainS compress_s compress_one_s start_s
    word u32, count u64, block 64, longest 32,
    iv IV_32, rounds 10, rotations 16 12 8 7,
    salt 8, leaves 8, lanes 16 wide_s short_s narrow_s, output length u16 u16::MAX, at bit 32,
    /// BLAKE2s with a digest of `N` bytes, [RFC7693](self).
    Blake2s
    /// BLAKE2sp with a digest of `N` bytes, [BLAKE2](self) §2.10.
    Blake2sp
    /// BLAKE2Xs, [BLAKE2X](self): up to 128 GiB of output.
    Blake2Xs Blake2XsReader
}

/// BLAKE2b with a digest of 160 bits.
pub type Blake2b160 = Blake2b<20>;
/// BLAKE2b with a digest of 256 bits.
pub type Blake2b256 = Blake2b<32>;
/// BLAKE2b with a digest of 384 bits.
pub type Blake2b384 = Blake2b<48>;
/// BLAKE2b with a digest of 512 bits.
pub type Blake2b512 = Blake2b<64>;
/// BLAKE2bp with a digest of 512 bits.
pub type Blake2bp512 = Blake2bp<64>;
/// BLAKE2sp with a digest of 256 bits.
pub type Blake2sp256 = Blake2sp<32>;
/// BLAKE2s with a digest of 128 bits.
pub type Blake2s128 = Blake2s<16>;
/// BLAKE2s with a digest of 160 bits.
pub type Blake2s160 = Blake2s<20>;
/// BLAKE2s with a digest of 224 bits.
pub type Blake2s224 = Blake2s<28>;
/// BLAKE2s with a digest of 256 bits.
pub type Blake2s256 = Blake2s<32>;

/// Fills `output`, 1 to 64 bytes, with the BLAKE2b digest of this length of a message in pieces.
#[cfg(feature = "argon2")]
pub(crate) fn blake2b(pieces: &[&[u8]], output: &mut [u8]) {
    let start = start_b(output.len(), 0, Node::SEQUENTIAL, &[0; 16], &[0; 16]);
    let mut hash = HeldBack::<CoreB>::new(crate::Kernel::best(), start);
    for piece in pieces {
        hash.update(piece);
    }
    hash.finish().output(output);
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::Kernel as _;

    /// Checks that the lanes carry the number of bytes into its upper word, as `portable` does.
    #[test]
    fn lanes_count_beyond_a_word() {
        let blocks = [[7; 64]; 3];
        for kernel in Kernel::available() {
            let Some(width) = kernel.lanes() else {
                continue;
            };
            let start = |i: u64| ChainS {
                count: u64::from(u32::MAX) - 64 * i,
                ..start_s(32, 0, Node::SEQUENTIAL, &[0; 8], &[0; 8])
            };
            let held = |i: usize| HeldBack::<CoreS>::new(kernel, start(i as u64)).marked(false);
            let mut chains: [_; 8] = core::array::from_fn(held);
            Blake2sp::<32>::abreast(width, &mut chains, 3, &Blocks::Runs([&blocks; 8]));
            for (i, chain) in chains.iter().enumerate() {
                let mut wanted = start(i as u64);
                for block in &blocks {
                    wanted.count += 64;
                    compress_one_s(&mut wanted.h, block, wanted.count, [0; 2]);
                }
                assert_eq!((chain.chain.h, chain.chain.count), (wanted.h, wanted.count));
            }
        }
    }
}
