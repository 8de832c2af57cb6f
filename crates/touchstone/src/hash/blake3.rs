//! BLAKE3: digests of 32 bytes, or output of any length; blocks of 64 bytes. Chunks of 1024
//! bytes are the leaves of a binary tree, so several chunks of one message can be computed at
//! once. With a key of 32 bytes BLAKE3 is a MAC. With a context BLAKE3 is a key derivation
//! function.
//!
//! | kernel | needs | chunks at once | technique |
//! |---|---|---|---|
//! | `avx512-rows` | AVX-512 with short latencies (not Zen 5) | 16, 8 or 1 | a chunk in each lane; of one chunk, a row of four words in a register |
//! | `avx512` | AVX-512 | 16 or 8 | a chunk in each lane |
//! | `avx2` | AVX2 | 8 or 1 | a chunk in each lane; of one chunk, a row of four words in a register |
//! | `portable` | – | 1 | as in the paper |
//!
//! - [BLAKE3] J. O'Connor, J.-P. Aumasson, S. Neves, Z. Wilcox-O'Hearn: BLAKE3: One Function,
//!   Fast Everywhere, 2021
//!
//! [BLAKE3]: https://github.com/BLAKE3-team/BLAKE3-specs/blob/master/blake3.pdf

use super::blake2::{IV_32 as IV, round};
use super::{HashFunction, Xof, XofReader, XofSeek, hash_type, reader_type};
use crate::Digest;
use crate::held_block::body;
use crate::kernel::kernels;
use crate::machinery::each::each;
use crate::wipe::{self, wipe};

#[cfg(target_arch = "x86_64")]
mod eight;
#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod rows;
#[cfg(target_arch = "x86_64")]
mod rows_avx2;
#[cfg(feature = "threads")]
mod threads;

kernels! {
    /// The kernels: implementations of BLAKE3.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512-rows" = Rows(crate::cpu::QuickAvx512),
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(crate::cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(crate::cpu::Avx2),
    }
}

/// A chaining value: the result of hashing a block, a chunk or a subtree.
type Value = [u32; 8];

const BLOCK: usize = 64;
const CHUNK: usize = 1024;

/// The flags of [BLAKE3] §2.1, table 3.
const CHUNK_START: u32 = 1;
const CHUNK_END: u32 = 2;
const PARENT: u32 = 4;
const ROOT: u32 = 8;
const KEYED_HASH: u32 = 16;
const DERIVE_KEY_CONTEXT: u32 = 32;
const DERIVE_KEY_MATERIAL: u32 = 64;

/// Returns the order of the message words in each round. Each round applies the permutation of
/// [BLAKE3] §2.2, table 2, once more.
const fn schedule() -> [[usize; 16]; 7] {
    const PERMUTATION: [usize; 16] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
    let mut schedule = [[0; 16]; 7];
    let mut i = 0;
    while i < 16 {
        schedule[0][i] = i;
        i += 1;
    }
    let mut round = 1;
    while round < 7 {
        i = 0;
        while i < 16 {
            schedule[round][i] = schedule[round - 1][PERMUTATION[i]];
            i += 1;
        }
        round += 1;
    }
    schedule
}
const SCHEDULE: [[usize; 16]; 7] = schedule();

/// The inputs of the compression function, [BLAKE3] §2.2. The inputs are stored, because the
/// root of the tree is compressed again for every 64 bytes of output.
#[derive(Clone, Copy)]
struct Node {
    value: Value,
    block: [u8; BLOCK],
    /// The number of the chunk in the message, or of the block in the output.
    counter: u64,
    length: u32,
    flags: u32,
}

impl Node {
    const EMPTY: Self = Self {
        value: [0; 8],
        block: [0; BLOCK],
        counter: 0,
        length: 0,
        flags: 0,
    };

    #[inline]
    fn compress(&self, kernel: Kernel) -> [u32; 16] {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Rows(token) => rows::compress(token.into(), self),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => rows_avx2::compress(token, self),
            _ => self.compress_portable(),
        }
    }

    fn compress_portable(&self) -> [u32; 16] {
        let mut v = rounds(
            &self.value,
            &self.block,
            self.counter,
            self.length,
            self.flags,
        );
        for i in 0..8 {
            v[i] ^= v[i + 8];
            v[i + 8] ^= self.value[i];
        }
        v
    }

    /// Returns the chaining value of this node. The parent node hashes this value.
    #[inline]
    fn chaining_value(&self, kernel: Kernel) -> Value {
        let [a, b, c, d, e, f, g, h, ..] = self.compress(kernel);
        [a, b, c, d, e, f, g, h]
    }

    /// Returns the digest of a root, and wipes the node.
    #[inline]
    fn digest(&mut self, kernel: Kernel) -> Digest<32> {
        let mut digest = [0; 32];
        for (bytes, word) in digest
            .as_chunks_mut()
            .0
            .iter_mut()
            .zip(self.compress(kernel))
        {
            *bytes = word.to_le_bytes();
        }
        wipe(core::slice::from_mut(self), Self::EMPTY);
        digest.into()
    }
}

/// The seven rounds on the state of a node, [BLAKE3] §2.2.
#[inline(always)]
fn rounds(value: &Value, block: &[u8; BLOCK], counter: u64, length: u32, flags: u32) -> [u32; 16] {
    let [a, b, c, d, e, f, g, h] = *value;
    let mut v = [
        a,
        b,
        c,
        d,
        e,
        f,
        g,
        h,
        IV[0],
        IV[1],
        IV[2],
        IV[3],
        counter as u32,
        (counter >> 32) as u32,
        length,
        flags,
    ];
    let m: [u32; 16] = words(block);
    // Without a loop, so that the compiler knows the order of the words in each round.
    each!(ROUND in 0 1 2 3 4 5 6 => {
        let s = const { &SCHEDULE[ROUND] };
        round!(v, m, s, [16, 12, 8, 7]);
    });
    v
}

/// Computes the digest of a message of more than one chunk, in a frame of its own, so that the frame
/// of a short message stays small.
#[inline(never)]
fn digest_by_tree(kernel: Kernel, key: &Value, flags: u32, message: &[u8]) -> Digest<32> {
    let mut hash = Blake3::of(kernel, *key, flags);
    hash.take(message);
    hash.root().digest(kernel)
}

/// The flags of all blocks of a node, of the first block and of the last block.
type Flags = [u32; 3];

/// Returns the flags of a block of a node with `blocks` blocks.
#[inline(always)]
fn flags_of(&[all, first, last]: &Flags, block: usize, blocks: usize) -> u32 {
    let first = if block == 0 { first } else { 0 };
    let last = if block + 1 == blocks { last } else { 0 };
    all | first | last
}

/// Compresses whole blocks of a node, each with the chaining value of the block before.
#[inline]
fn chain(kernel: Kernel, value: &mut Value, counter: u64, blocks: &[[u8; BLOCK]], flags: &Flags) {
    match kernel {
        #[cfg(target_arch = "x86_64")]
        Kernel::Rows(token) => rows::chain(token.into(), value, counter, blocks, flags),
        _ if blocks.is_empty() => {}
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx2(token) => rows_avx2::chain(token, value, counter, blocks, flags),
        _ => chain_portable(value, counter, blocks, flags),
    }
}

/// [`chain`] by the portable kernel. The chaining value stays in words from block to block: in an
/// array that is copied, wide loads would wait for the stores of the words.
#[inline(never)]
fn chain_portable(value: &mut Value, counter: u64, blocks: &[[u8; BLOCK]], flags: &Flags) {
    for (i, block) in blocks.iter().enumerate() {
        let flags = flags_of(flags, i, blocks.len());
        let v = rounds(value, block, counter, BLOCK as u32, flags);
        for (i, word) in value.iter_mut().enumerate() {
            *word = v[i] ^ v[i + 8];
        }
    }
}

/// Computes the digest of a whole message.
#[inline]
fn digest(kernel: Kernel, key: &Value, flags: u32, message: &[u8]) -> Digest<32> {
    if message.len() <= CHUNK {
        return digest_of_chunk(kernel, key, flags, message);
    }
    digest_by_tree(kernel, key, flags, message)
}

/// Returns the flag of the first block of a chunk.
#[inline]
fn start(block: usize) -> u32 {
    if block == 0 { CHUNK_START } else { 0 }
}

/// Returns the digest of a message of at most one chunk, which needs no tree. The node of the last
/// block is made where the compression function reads it: in a copy, wide loads would wait for the
/// stores of single words.
#[inline(always)]
fn digest_of_chunk(kernel: Kernel, key: &Value, flags: u32, message: &[u8]) -> Digest<32> {
    let (blocks, last) = body::<[u8; BLOCK]>(message);
    let mut node = Node {
        value: *key,
        length: last.len() as u32,
        flags: flags | start(blocks.len()) | CHUNK_END | ROOT,
        ..Node::EMPTY
    };
    let all = [flags, CHUNK_START, 0];
    chain(kernel, &mut node.value, 0, blocks, &all);
    match <&[u8; BLOCK]>::try_from(last) {
        Ok(block) => node.block = *block,
        Err(_) => node.block[..last.len()].copy_from_slice(last),
    }
    node.digest(kernel)
}

fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
    let mut words = [0; N];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

/// Returns the block of a parent: the chaining values of its two children.
#[inline]
fn children(values: &[Value; 2]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    for (bytes, word) in block
        .as_chunks_mut()
        .0
        .iter_mut()
        .zip(values.as_flattened())
    {
        *bytes = word.to_le_bytes();
    }
    block
}

/// Makes the parent of two nodes, [BLAKE3] §2.5.
fn parent(key: &Value, flags: u32, left: &Value, right: &Value) -> Node {
    Node {
        value: *key,
        block: children(&[*left, *right]),
        counter: 0,
        length: BLOCK as u32,
        flags: flags | PARENT,
    }
}

/// A chunk of which some bytes have been hashed, [BLAKE3] §2.4. The last block of these bytes
/// is stored until more bytes follow or the chunk ends.
#[derive(Clone, Copy)]
struct Chunk {
    value: Value,
    index: u64,
    block: [u8; BLOCK],
    held: usize,
    /// The number of blocks compressed so far.
    blocks: usize,
}

impl Chunk {
    fn new(key: &Value, index: u64) -> Self {
        Self {
            value: *key,
            index,
            block: [0; BLOCK],
            held: 0,
            blocks: 0,
        }
    }

    fn length(&self) -> usize {
        BLOCK * self.blocks + self.held
    }

    /// Returns the node of the stored last block.
    fn node(&self, flags: u32) -> Node {
        Node {
            value: self.value,
            block: self.block,
            counter: self.index,
            length: self.held as u32,
            flags: flags | start(self.blocks),
        }
    }

    /// Adds bytes to the chunk. The bytes must fit into the chunk.
    fn update(&mut self, kernel: Kernel, mut data: &[u8], flags: u32) {
        while !data.is_empty() {
            if self.held == BLOCK {
                self.value = self.node(flags).chaining_value(kernel);
                self.blocks += 1;
                self.held = 0;
                self.block = [0; BLOCK];
            }
            if self.held == 0 {
                let (blocks, last) = body::<[u8; BLOCK]>(data);
                let flags = [flags, start(self.blocks), 0];
                chain(kernel, &mut self.value, self.index, blocks, &flags);
                self.blocks += blocks.len();
                data = last;
            }
            let (now, later) = data.split_at(data.len().min(BLOCK - self.held));
            self.block[self.held..][..now.len()].copy_from_slice(now);
            self.held += now.len();
            data = later;
        }
    }

    fn last(&self, flags: u32) -> Node {
        self.node(flags | CHUNK_END)
    }
}

/// The inputs that the chunks of a message have in common, or the parents of a level.
struct Inputs<'a> {
    key: &'a Value,
    flags: Flags,
    /// Whether the index of a node is its counter. The counter of a parent is 0.
    counted: bool,
}

impl Inputs<'_> {
    #[inline]
    fn counter(&self, index: u64) -> u64 {
        if self.counted { index } else { 0 }
    }

    /// Computes the chaining values of nodes. The index of the first node is `index`.
    fn values<const BLOCKS: usize>(
        &self,
        kernel: Kernel,
        index: u64,
        nodes: &[[[u8; BLOCK]; BLOCKS]],
        values: &mut [Value],
    ) {
        let width = match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Rows(_) | Kernel::Avx512(_) => 16,
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(_) => 8,
            Kernel::Portable => 1,
        };
        let groups = nodes.chunks(width).zip(values.chunks_mut(width));
        for (index, (nodes, values)) in (index..).step_by(width).zip(groups) {
            if let [node] = nodes {
                values[0] = self.value(kernel, index, node);
                continue;
            }
            #[cfg(target_arch = "x86_64")]
            {
                let wide = match kernel {
                    Kernel::Rows(token) => token.into(),
                    Kernel::Avx512(token) => token,
                    Kernel::Avx2(token) => {
                        lanes::avx2_8::values(token, self, index, nodes, values);
                        continue;
                    }
                    Kernel::Portable => unreachable!("the width is 1"),
                };
                if nodes.len() > 8 {
                    lanes::avx512_16::values(wide, self, index, nodes, values);
                } else {
                    lanes::avx512_8::values(wide, self, index, nodes, values);
                }
            }
        }
    }

    fn value<const BLOCKS: usize>(
        &self,
        kernel: Kernel,
        index: u64,
        node: &[[u8; BLOCK]; BLOCKS],
    ) -> Value {
        let mut value = *self.key;
        let counter = self.counter(index);
        chain(kernel, &mut value, counter, node, &self.flags);
        value
    }
}

/// The largest number of chunks whose chaining values are computed by one call.
const CHUNKS: usize = 32;

/// The largest number of subtrees of which none has been joined with another: one for each 1
/// bit in the number of chunks, of a message of at most 2⁶⁴ bytes, and one more.
const HEIGHT: usize = 55;

/// BLAKE3, [BLAKE3](self).
///
/// ```
/// use touchstone::hash::Blake3;
///
/// let digest = Blake3::digest(b"Attack at dawn");
///
/// let mut key = [0; 64];
/// let mut kdf = Blake3::derive_key("example.com 2026-11-22 session key");
/// kdf.update(b"key material");
/// kdf.finalize_xof().squeeze(&mut key);
/// ```
#[derive(Clone)]
pub struct Blake3 {
    kernel: Kernel,
    key: Value,
    flags: u32,
    chunk: Chunk,
    /// The chaining values of the complete subtrees so far, the largest subtree first. There is
    /// one subtree for each 1 bit in the number of chunks before `chunk`. Or there is one subtree
    /// more: the last two subtrees are joined only when more bytes follow, because their parent
    /// may be the root.
    stack: [Value; HEIGHT],
    depth: usize,
}

impl Blake3 {
    fn of(kernel: Kernel, key: Value, flags: u32) -> Self {
        Self {
            kernel,
            key,
            flags,
            chunk: Chunk::new(&key, 0),
            stack: [[0; 8]; HEIGHT],
            depth: 0,
        }
    }

    /// Starts a message with a key, which makes the hash function a MAC, [BLAKE3](self) §2.3.
    #[must_use]
    pub fn with_key(key: &[u8; 32]) -> Self {
        Self::of(crate::Kernel::best(), words(key), KEYED_HASH)
    }

    /// Starts the derivation of a key from key material, for a context, [BLAKE3](self) §2.3.
    /// The context should be a constant of the program that no other program uses. The context
    /// is not secret.
    #[must_use]
    pub fn derive_key(context: &str) -> Self {
        Self::derive_key_of(context.as_bytes())
    }

    /// [`derive_key`](Self::derive_key) for a context that may have other bytes than a text has.
    pub(crate) fn derive_key_of(context: &[u8]) -> Self {
        let kernel = crate::Kernel::best();
        let mut hash = Self::of(kernel, IV, DERIVE_KEY_CONTEXT);
        hash.update(context);
        let digest = HashFunction::finalize(hash);
        Self::of(kernel, words(&*digest), DERIVE_KEY_MATERIAL)
    }

    /// Starts a message as [`with_key`](Self::with_key) does, with the given kernel; for tests.
    #[doc(hidden)]
    pub fn with_kernel_and_key(kernel: Kernel, key: &[u8; 32]) -> Self {
        Self::of(kernel, words(key), KEYED_HASH)
    }

    /// Sets another key, which makes the hash function a MAC, and starts a message.
    pub(crate) fn set_key(&mut self, key: &[u8; 32]) {
        self.key = words(key);
        self.restart();
    }

    /// Ends the message, and starts the next one with the same key.
    pub(crate) fn finalize_reset(&mut self) -> Digest<32> {
        let digest = self.root().digest(self.kernel);
        self.restart();
        digest
    }

    /// Discards the message, and starts the next one with the same key.
    pub(crate) fn restart(&mut self) {
        self.chunk = Chunk::new(&self.key, 0);
        wipe(&mut self.stack[..self.depth], [0; 8]);
        self.depth = 0;
    }

    /// Returns the digest of a whole message with the same key.
    #[inline]
    pub(crate) fn digest_of(&self, message: &[u8]) -> Digest<32> {
        digest(self.kernel, &self.key, self.flags, message)
    }

    /// Ends the message and returns a reader, which gives output in pieces of any length. The
    /// first 32 bytes of output are the digest.
    #[inline]
    pub fn finalize_xof(self) -> Blake3Reader {
        Xof::finalize_xof(self)
    }

    /// Joins the last two subtrees until there is one subtree for each 1 bit in the number of
    /// chunks.
    fn join(&mut self, chunks: u64) {
        while self.depth > chunks.count_ones() as usize {
            self.depth -= 1;
            let [left, right] = [&self.stack[self.depth - 1], &self.stack[self.depth]];
            let value = parent(&self.key, self.flags, left, right).chaining_value(self.kernel);
            self.stack[self.depth - 1] = value;
        }
    }

    /// Adds a subtree after the first `chunks` chunks.
    fn push(&mut self, value: Value, chunks: u64) {
        self.join(chunks);
        self.stack[self.depth] = value;
        self.depth += 1;
    }

    /// Adds up to [`CHUNKS`] chunks, after other chunks or at least two. The caller overwrites the
    /// stack, on which the chaining values stay.
    fn take_chunks(&mut self, chunks: &[[[u8; BLOCK]; CHUNK / BLOCK]]) {
        let mut at = self.chunk.index;
        let leaves = Inputs {
            key: &self.key,
            flags: [self.flags, CHUNK_START, CHUNK_END],
            counted: true,
        };
        let mut values = [[0; 8]; CHUNKS];
        leaves.values(self.kernel, at, chunks, &mut values);

        let mut rest = &mut values[..chunks.len()];
        while !rest.is_empty() {
            // The largest subtree that starts here is a power of two of chunks, and its size
            // divides the index of its first chunk.
            let size = 1 << rest.len().ilog2().min(at.trailing_zeros());
            let (subtree, later) = rest.split_at_mut(size);
            let halves = self.halves(subtree);
            for half in &subtree[..halves] {
                self.push(*half, at);
                at += (size / halves) as u64;
            }
            rest = later;
        }
        self.chunk = Chunk::new(&self.key, at);
    }

    /// Joins the values of a subtree until two are left, or one if the subtree is a chunk.
    /// Returns the number of values that are left.
    fn halves(&self, values: &mut [Value]) -> usize {
        if values.len() <= 2 {
            return values.len();
        }
        let parents = Inputs {
            key: &self.key,
            flags: [self.flags | PARENT, 0, 0],
            counted: false,
        };
        let mut blocks = [[[0; BLOCK]; 1]; CHUNKS / 2];
        let mut left = values.len();
        while left > 2 {
            let (pairs, _) = values[..left].as_chunks::<2>();
            for ([block], pair) in blocks.iter_mut().zip(pairs) {
                *block = children(pair);
            }
            left /= 2;
            parents.values(self.kernel, 0, &blocks[..left], &mut values[..left]);
        }
        left
    }

    /// Ends the chunk if it is full. More bytes must follow.
    fn end_chunk(&mut self) {
        if self.chunk.length() == CHUNK {
            let value = self.chunk.last(self.flags).chaining_value(self.kernel);
            let index = self.chunk.index;
            self.push(value, index);
            self.chunk = Chunk::new(&self.key, index + 1);
        }
    }

    fn take(&mut self, mut data: &[u8]) {
        while !data.is_empty() {
            self.end_chunk();
            if self.chunk.length() == 0 {
                let (blocks, _) = data.as_chunks();
                let (chunks, _) = blocks.as_chunks();
                if chunks.len() > 1 {
                    // The registers of the lanes and the chaining values need much of the stack.
                    wipe::after(wipe::FRAMES, || {
                        for chunks in chunks.chunks(CHUNKS) {
                            self.take_chunks(chunks);
                        }
                    });
                    data = &data[chunks.len() * CHUNK..];
                    continue;
                }
                self.join(self.chunk.index);
            }
            let n = data.len().min(CHUNK - self.chunk.length());
            let (now, later) = data.split_at(n);
            self.chunk.update(self.kernel, now, self.flags);
            data = later;
        }
    }

    /// Returns the root of the tree. The code goes up from the last chunk, or from the last two
    /// subtrees if no chunk has begun after them. The subtrees so far are the left children on
    /// this way.
    fn root(&self) -> Node {
        let (mut node, lefts) = match &self.stack[..self.depth] {
            [lefts @ .., left, right] if self.chunk.length() == 0 => {
                (parent(&self.key, self.flags, left, right), lefts)
            }
            lefts => (self.chunk.last(self.flags), lefts),
        };
        for left in lefts.iter().rev() {
            let right = node.chaining_value(self.kernel);
            node = parent(&self.key, self.flags, left, &right);
        }
        node.flags |= ROOT;
        node
    }
}

impl HashFunction for Blake3 {
    type Kernel = Kernel;
    type Output = Digest<32>;
    const BLOCK: usize = BLOCK;

    #[inline]
    fn with_kernel(kernel: Kernel) -> Self {
        Self::of(kernel, IV, 0)
    }
    #[inline]
    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
    fn update(&mut self, data: &[u8]) {
        self.take(data);
    }
    fn finalize(self) -> Digest<32> {
        self.root().digest(self.kernel)
    }
    fn digest_with(kernel: Kernel, message: &[u8]) -> Digest<32> {
        digest(kernel, &IV, 0, message)
    }
}

hash_type!(Blake3);

impl Xof for Blake3 {
    type Kernel = Kernel;
    type Reader = Blake3Reader;
    const BLOCK: usize = BLOCK;

    fn with_kernel(kernel: Kernel) -> Self {
        Self::of(kernel, IV, 0)
    }
    fn update(&mut self, data: &[u8]) {
        self.take(data);
    }
    fn finalize_xof(self) -> Blake3Reader {
        Blake3Reader {
            kernel: self.kernel,
            root: self.root(),
            at: 0,
        }
    }
}

impl Drop for Blake3 {
    fn drop(&mut self) {
        wipe(&mut self.key, 0);
        wipe(
            core::slice::from_mut(&mut self.chunk),
            Chunk {
                value: [0; 8],
                index: 0,
                block: [0; BLOCK],
                held: 0,
                blocks: 0,
            },
        );
        wipe(&mut self.stack[..self.depth], [0; 8]);
    }
}

/// The reader of the output of [`Blake3`].
#[derive(Clone)]
pub struct Blake3Reader {
    kernel: Kernel,
    root: Node,
    /// The number of bytes of output that have been read.
    at: u64,
}

impl XofReader for Blake3Reader {
    /// Fills `output`. Block i of the output is the root compressed with the counter i,
    /// [BLAKE3](self) §2.6.
    fn squeeze(&mut self, mut output: &mut [u8]) {
        while !output.is_empty() {
            let from = (self.at % BLOCK as u64) as usize;
            self.root.counter = self.at / BLOCK as u64;
            let mut block = [0; BLOCK];
            for (bytes, word) in block
                .as_chunks_mut()
                .0
                .iter_mut()
                .zip(self.root.compress(self.kernel))
            {
                *bytes = word.to_le_bytes();
            }
            let n = output.len().min(BLOCK - from);
            let (now, later) = output.split_at_mut(n);
            now.copy_from_slice(&block[from..from + n]);
            wipe(&mut block, 0);
            self.at = self.at.wrapping_add(n as u64);
            output = later;
        }
    }
}

impl XofSeek for Blake3Reader {
    fn seek(&mut self, byte: u64) {
        self.at = byte;
    }
}

impl Drop for Blake3Reader {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.root), Node::EMPTY);
    }
}

reader_type!(Blake3Reader);
