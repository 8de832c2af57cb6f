//! BLAKE3: digests of 32 bytes, or output of any length; blocks of 64 bytes. Chunks of 1024
//! bytes are the leaves of a binary tree, so several chunks of one message can be computed at
//! once. With a key of 32 bytes BLAKE3 is a MAC. With a context BLAKE3 is a key derivation
//! function.
//!
//! | kernel | needs | chunks at once | technique |
//! |---|---|---|---|
//! | `portable` | – | 1 | as in the paper |
//!
//! - [BLAKE3] J. O'Connor, J.-P. Aumasson, S. Neves, Z. Wilcox-O'Hearn: BLAKE3: One Function,
//!   Fast Everywhere, 2021
//!
//! [BLAKE3]: https://github.com/BLAKE3-team/BLAKE3-specs/blob/master/blake3.pdf

use super::blake2::IV_32 as IV;
use super::{HashFunction, Xof, XofReader, XofSeek, hash_type, reader_type};
use crate::Digest;
use crate::held_block::body;
use crate::kernel::kernels;
use crate::machinery::each::each;
use crate::wipe::{self, wipe};

kernels! {
    /// The kernels: implementations of BLAKE3.
    enum Kernel {}
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
    block: [u32; 16],
    /// The number of the chunk in the message, or of the block in the output.
    counter: u64,
    length: u32,
    flags: u32,
}

impl Node {
    const EMPTY: Self = Self {
        value: [0; 8],
        block: [0; 16],
        counter: 0,
        length: 0,
        flags: 0,
    };

    fn compress(&self) -> [u32; 16] {
        let [a, b, c, d, e, f, g, h] = self.value;
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
            self.counter as u32,
            (self.counter >> 32) as u32,
            self.length,
            self.flags,
        ];
        let m = &self.block;
        /// Computes the function G of BLAKE2s on four words of the state and two words of the
        /// message.
        macro_rules! g {
            ($a:literal $b:literal $c:literal $d:literal, $x:expr, $y:expr) => {
                v[$a] = v[$a].wrapping_add(v[$b]).wrapping_add($x);
                v[$d] = (v[$d] ^ v[$a]).rotate_right(16);
                v[$c] = v[$c].wrapping_add(v[$d]);
                v[$b] = (v[$b] ^ v[$c]).rotate_right(12);
                v[$a] = v[$a].wrapping_add(v[$b]).wrapping_add($y);
                v[$d] = (v[$d] ^ v[$a]).rotate_right(8);
                v[$c] = v[$c].wrapping_add(v[$d]);
                v[$b] = (v[$b] ^ v[$c]).rotate_right(7);
            };
        }
        // Without a loop, so that the compiler knows the order of the words in each round.
        each!(ROUND in 0 1 2 3 4 5 6 => {
            let s = const { &SCHEDULE[ROUND] };
            g!(0 4 8 12, m[s[0]], m[s[1]]);
            g!(1 5 9 13, m[s[2]], m[s[3]]);
            g!(2 6 10 14, m[s[4]], m[s[5]]);
            g!(3 7 11 15, m[s[6]], m[s[7]]);
            g!(0 5 10 15, m[s[8]], m[s[9]]);
            g!(1 6 11 12, m[s[10]], m[s[11]]);
            g!(2 7 8 13, m[s[12]], m[s[13]]);
            g!(3 4 9 14, m[s[14]], m[s[15]]);
        });
        for i in 0..8 {
            v[i] ^= v[i + 8];
            v[i + 8] ^= self.value[i];
        }
        v
    }

    /// Returns the chaining value of this node. The parent node hashes this value.
    #[inline]
    fn chaining_value(&self) -> Value {
        let [a, b, c, d, e, f, g, h, ..] = self.compress();
        [a, b, c, d, e, f, g, h]
    }

    /// Returns the digest, if this node is the root.
    fn digest(mut self) -> Digest<32> {
        self.counter = 0;
        self.flags |= ROOT;
        let mut output = [0; 32];
        for (bytes, word) in output.as_chunks_mut().0.iter_mut().zip(self.compress()) {
            *bytes = word.to_le_bytes();
        }
        wipe(core::slice::from_mut(&mut self), Self::EMPTY);
        output.into()
    }
}

/// Returns the root for a message of at most one chunk, which needs no tree.
fn only_chunk(message: &[u8]) -> Node {
    let (blocks, last) = body::<[u8; BLOCK]>(message);
    let mut node = Node {
        value: IV,
        length: BLOCK as u32,
        flags: CHUNK_START,
        ..Node::EMPTY
    };
    for block in blocks {
        node.block = words(block);
        node.value = node.chaining_value();
        node.flags = 0;
    }
    let mut block = [0; BLOCK];
    block[..last.len()].copy_from_slice(last);
    node.block = words(&block);
    wipe(&mut block, 0);
    node.length = last.len() as u32;
    node.flags |= CHUNK_END;
    node
}

fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
    let mut words = [0; N];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

/// Makes the parent of two nodes, [BLAKE3] §2.5.
fn parent(key: &Value, flags: u32, left: &Value, right: &Value) -> Node {
    let mut block = [0; 16];
    block[..8].copy_from_slice(left);
    block[8..].copy_from_slice(right);
    Node {
        value: *key,
        block,
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
        let start = if self.blocks == 0 { CHUNK_START } else { 0 };
        Node {
            value: self.value,
            block: words(&self.block),
            counter: self.index,
            length: self.held as u32,
            flags: flags | start,
        }
    }

    /// Adds bytes to the chunk. The bytes must fit into the chunk.
    fn update(&mut self, mut data: &[u8], flags: u32) {
        while !data.is_empty() {
            if self.held == BLOCK {
                self.value = self.node(flags).chaining_value();
                self.blocks += 1;
                self.held = 0;
                self.block = [0; BLOCK];
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

/// Computes the chaining values of `N` chunks at once.
fn chunk_values<const N: usize>(
    kernel: Kernel,
    key: &Value,
    flags: u32,
    chunks: &[[u8; CHUNK]; N],
    index: u64,
) -> [Value; N] {
    match kernel {
        Kernel::Portable => {
            let mut values = [*key; N];
            for (i, (value, bytes)) in values.iter_mut().zip(chunks).enumerate() {
                let mut chunk = Chunk::new(key, index + i as u64);
                chunk.update(bytes, flags);
                *value = chunk.last(flags).chaining_value();
            }
            values
        }
    }
}

/// The number of chunks that are computed at once.
const LANES: usize = 16;

/// The largest number of levels of a tree: a message has at most 2⁶⁴ bytes.
const HEIGHT: usize = 54;

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
    /// one subtree for each 1 bit in the number of chunks before `chunk`.
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
        let kernel = crate::Kernel::best();
        let mut hash = Self::of(kernel, IV, DERIVE_KEY_CONTEXT);
        hash.update(context.as_bytes());
        let digest = HashFunction::finalize(hash);
        Self::of(kernel, words(&*digest), DERIVE_KEY_MATERIAL)
    }

    /// Starts a message as [`with_key`](Self::with_key) does, with the given kernel; for tests.
    #[doc(hidden)]
    pub fn with_kernel_and_key(kernel: Kernel, key: &[u8; 32]) -> Self {
        Self::of(kernel, words(key), KEYED_HASH)
    }

    /// Ends the message and returns a reader, which gives output in pieces of any length. The
    /// first 32 bytes of output are the digest.
    #[inline]
    pub fn finalize_xof(self) -> Blake3Reader {
        Xof::finalize_xof(self)
    }

    /// Adds a subtree of 2^`level` chunks. With this subtree, the message has `count` subtrees
    /// of this size.
    fn push(&mut self, mut value: Value, mut count: u64) {
        while count & 1 == 0 {
            self.depth -= 1;
            let left = &self.stack[self.depth];
            value = parent(&self.key, self.flags, left, &value).chaining_value();
            count >>= 1;
        }
        self.stack[self.depth] = value;
        self.depth += 1;
    }

    fn take(&mut self, mut data: &[u8]) {
        while !data.is_empty() {
            if self.chunk.length() == CHUNK {
                let value = self.chunk.last(self.flags).chaining_value();
                let next = self.chunk.index + 1;
                self.push(value, next);
                self.chunk = Chunk::new(&self.key, next);
            }
            // Whole subtrees are hashed here. More bytes follow them, so none of them is the
            // root.
            let index = self.chunk.index;
            if self.chunk.length() == 0
                && data.len() > LANES * CHUNK
                && index.is_multiple_of(LANES as u64)
                && let Some((now, later)) = data.split_first_chunk::<{ LANES * CHUNK }>()
                && let ([chunks], _) = now.as_chunks().0.as_chunks::<LANES>()
            {
                let mut values = chunk_values(self.kernel, &self.key, self.flags, chunks, index);
                let mut n = LANES;
                while n > 1 {
                    n /= 2;
                    for i in 0..n {
                        let [left, right] = [values[2 * i], values[2 * i + 1]];
                        values[i] = parent(&self.key, self.flags, &left, &right).chaining_value();
                    }
                }
                let next = index + LANES as u64;
                self.push(values[0], next / LANES as u64);
                self.chunk = Chunk::new(&self.key, next);
                data = later;
                continue;
            }
            let n = data.len().min(CHUNK - self.chunk.length());
            let (now, later) = data.split_at(n);
            self.chunk.update(now, self.flags);
            data = later;
        }
    }

    /// Returns the root of the tree. The code goes up from the last chunk; the subtrees so far
    /// are the left children on this way.
    fn root(&self) -> Node {
        let mut node = self.chunk.last(self.flags);
        for left in self.stack[..self.depth].iter().rev() {
            let right = node.chaining_value();
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
        self.root().digest()
    }
    fn digest_with(kernel: Kernel, message: &[u8]) -> Digest<32> {
        if message.len() <= CHUNK {
            return only_chunk(message).digest();
        }
        wipe::after_moves::<Self, _>(2, || {
            let mut hash = Self::of(kernel, IV, 0);
            hash.take(message);
            hash.finalize()
        })
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
            for (bytes, word) in block.as_chunks_mut().0.iter_mut().zip(self.root.compress()) {
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
