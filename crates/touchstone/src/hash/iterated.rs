//! Iterated hash functions: a compression function, which processes one block after the other,
//! and padding that contains the length of the message. A hash function implements
//! [`Compression`]. [`Iterated`] is the state of a message that is being hashed.
//!
//! | hash | block | length field | byte after the message |
//! |---|---|---|---|
//! | MD4, MD5, RIPEMD | 64 | 8, little-endian | 80 |
//! | SHA-1, SHA-224, SHA-256, SM3 | 64 | 8, big-endian | 80 |
//! | SHA-384, SHA-512 | 128 | 16, big-endian | 80 |
//! | Whirlpool | 64 | 32, big-endian | 80 |
//! | Tiger, Tiger2 | 64 | 8, little-endian | 01, 80 |
//!
//! MD2, GOST R 34.11-94 and Streebog end with a checksum of the blocks. Each of these functions
//! has its own [`Compression::finish`] and stores the checksum in the chaining value.

#[cfg(target_arch = "x86_64")]
use super::at_once;
use super::at_once::Aligned;
use super::{Sequence, add_number};
use crate::cipher::Block;
#[cfg(target_arch = "x86_64")]
use crate::cpu::Avx512;
use crate::wipe::wipe;
use crate::{DigestBytes, Kernel};

/// The compression function of an iterated hash function, and the end of its messages.
pub(crate) trait Compression: Clone + Send + Sync + 'static {
    /// The type of the kernels: implementations of this function for different CPU features.
    type Kernel: Kernel;

    /// A block of the message: the input of one compression.
    type Block: Block;

    /// The state between compressions: the chaining value, and a checksum if the hash function
    /// has one.
    type Chain: Copy + Send + Sync + 'static;

    /// A zero value, which overwrites chaining values that are no longer needed.
    const ZERO: Self::Chain;

    /// The padding after a message.
    const PADDING: Padding;

    /// Compresses the blocks, one after the other.
    fn compress(kernel: Self::Kernel, chain: &mut Self::Chain, blocks: &[Self::Block]);

    /// Compresses one block for each of the first chaining values, if the kernel computes several at
    /// once. Returns how many are done.
    #[inline]
    fn compress_several(
        kernel: Self::Kernel,
        chains: &mut [Self::Chain],
        blocks: &[Self::Block],
    ) -> usize {
        let _ = (kernel, chains, blocks);
        0
    }

    /// Ends a message of `length` bytes. The first `held` bytes of `last` have not been
    /// compressed yet; they are less than one block. The other bytes of `last` are zero.
    #[inline]
    fn finish(
        kernel: Self::Kernel,
        chain: &mut Self::Chain,
        last: &mut Self::Block,
        held: usize,
        length: u64,
    ) {
        let compress = |block: &_| Self::compress(kernel, chain, core::slice::from_ref(block));
        Self::PADDING.end(last, held, u128::from(length) << 3, None, compress);
    }
}

/// The padding after a message: a mark, zeros up to the length field, and the length of
/// the message in bits.
#[derive(Clone, Copy)]
pub(crate) struct Padding {
    /// The byte right after the message.
    pub(crate) mark: u8,
    /// The number of bytes of the length field, at the end of the last block.
    pub(crate) width: usize,
    pub(crate) order: Order,
}

/// The order of the bytes of a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The most significant byte is first.
    Big,
    /// The least significant byte is first.
    Little,
}

/// Up to seven bits at the end of a message. The bits are the high bits of `byte`.
#[derive(Clone, Copy)]
pub(crate) struct Bits {
    pub(crate) byte: u8,
    pub(crate) count: u8,
}

impl Padding {
    /// Returns the padding of the SHA family, with a length field of `width` bytes.
    pub(crate) const fn sha(width: usize) -> Self {
        Self {
            mark: 0x80,
            width,
            order: Order::Big,
        }
    }

    /// The padding of MD4 and of the hash functions that descend from MD4.
    pub(crate) const MD4: Self = Self {
        mark: 0x80,
        width: 8,
        order: Order::Little,
    };

    /// Returns a padding that is a mark and zeros without a length field, for hash functions
    /// that end with a checksum.
    pub(crate) const fn zeros(mark: u8) -> Self {
        Self {
            mark,
            width: 0,
            order: Order::Little,
        }
    }

    /// Ends a message of `bits` bits. The first `held` bytes of `last` belong to the message,
    /// then the bits of `tail` follow, and the other bytes are zero. Passes the last blocks to
    /// `compress`, one after the other. There are two last blocks if the first has no room for
    /// the length.
    #[inline(always)]
    pub(crate) fn end<B: Block>(
        self,
        last: &mut B,
        held: usize,
        bits: u128,
        tail: Option<Bits>,
        mut compress: impl FnMut(&B),
    ) {
        let ends = self.begin(last, held, bits, tail);
        compress(last);
        if !ends {
            self.only_length(last, bits);
            compress(last);
        }
    }

    /// Writes the padding into the block that has the last bytes of the message, as
    /// [`end`](Self::end) does. Returns whether this block is the last one.
    #[inline(always)]
    fn begin<B: Block>(self, last: &mut B, held: usize, bits: u128, tail: Option<Bits>) -> bool {
        last.as_mut()[held] = match tail {
            None => self.mark,
            Some(Bits { byte, count }) => byte & !(0xff >> count) | 0x80 >> count,
        };
        let ends = held + self.width < B::SIZE;
        if ends {
            self.write_length(last, bits);
        }
        ends
    }

    /// Copies the last bytes of the message into a block of zeros, and writes the padding as
    /// [`begin`](Self::begin) does.
    #[inline(always)]
    fn begin_with<B: Block>(self, last: &mut B, rest: &[u8], bits: u128) -> bool {
        #[cfg(target_arch = "x86_64")]
        if let (Some(token), Ok(low)) = (Avx512::detect(), u64::try_from(bits)) {
            let ends = rest.len() + self.width < B::SIZE;
            let length = match self.order {
                Order::Big => low.swap_bytes(),
                Order::Little => low,
            };
            let length = ends.then_some(length);
            at_once::write(token, last.as_mut(), rest, self.mark, length);
            return ends;
        }
        last.as_mut()[..rest.len()].copy_from_slice(rest);
        self.begin(last, rest.len(), bits, None)
    }

    /// Turns a block into one that has nothing but the length of the message.
    #[inline(always)]
    fn only_length<B: Block>(self, last: &mut B, bits: u128) {
        *last = B::ZERO;
        self.write_length(last, bits);
    }

    /// Writes the length of a message in bits to the end of its last block.
    #[inline(always)]
    fn write_length<B: Block>(self, last: &mut B, bits: u128) {
        // No message has 2^128 bits, so a length field of more than 16 bytes begins with zeros.
        let n = self.width.min(16);
        let bytes = last.as_mut();
        match self.order {
            Order::Big => bytes[B::SIZE - n..].copy_from_slice(&bits.to_be_bytes()[16 - n..]),
            Order::Little => {
                let field = &mut bytes[B::SIZE - self.width..][..n];
                field.copy_from_slice(&bits.to_le_bytes()[..n]);
            }
        }
    }

    /// Writes the last blocks of a message, with padding, and returns the number of these blocks.
    /// The message has `length` bytes; its last bytes are `rest`.
    #[inline(always)]
    pub(crate) fn pad<B: Block>(self, blocks: &mut [B; 2], rest: &[u8], length: u128) -> usize {
        let [first, second] = blocks;
        *first = B::ZERO;
        let bytes = first.as_mut();
        bytes[..rest.len()].copy_from_slice(rest);
        bytes[rest.len()] = self.mark;
        if rest.len() + self.width >= B::SIZE {
            *second = B::ZERO;
            self.write_length(second, length << 3);
            2
        } else {
            self.write_length(first, length << 3);
            1
        }
    }

    /// Returns the last blocks of a message, with padding, and the number of these blocks. The
    /// message has `length` bytes; its last bytes are `rest`.
    #[inline]
    pub(crate) fn blocks<B: Block>(self, rest: &[u8], length: u128) -> ([B; 2], usize) {
        let mut blocks = [B::ZERO; 2];
        let n = self.pad(&mut blocks, rest, length);
        (blocks, n)
    }
}

/// The state of a message that an iterated hash function is processing.
///
/// If a caller passes this state by value, the CPU copies it by loads of 16 bytes. A load waits
/// for the cache if it spans a number that `update` has just written. `held` is the last field,
/// so that SHA-256, MD5 and others copy it by a load of its own.
#[derive(Clone)]
#[repr(C)]
pub(crate) struct Iterated<C: Compression> {
    kernel: C::Kernel,
    /// The number of bytes that have been compressed.
    compressed: u64,
    chain: C::Chain,
    /// The bytes of the message after the last whole block, and then zeros.
    rest: C::Block,
    /// The number of bytes in `rest` that belong to the message.
    held: usize,
}

impl<C: Compression> Iterated<C> {
    #[inline]
    pub(crate) fn new(kernel: C::Kernel, start: C::Chain) -> Self {
        Self {
            kernel,
            compressed: 0,
            chain: start,
            rest: C::Block::ZERO,
            held: 0,
        }
    }

    /// Replaces the message by one that begins with whole blocks.
    #[inline]
    pub(crate) fn begin_again(&mut self, start: C::Chain, bytes: &[u8]) {
        self.chain = start;
        C::compress(self.kernel, &mut self.chain, C::Block::of(bytes).0);
        self.compressed = bytes.len() as u64;
        self.rest = C::Block::ZERO;
        self.held = 0;
    }

    #[inline]
    pub(crate) fn kernel(&self) -> C::Kernel {
        self.kernel
    }

    /// Adds the next piece of the message.
    #[inline(always)]
    pub(crate) fn update(&mut self, data: &[u8]) {
        let free = &mut self.rest.as_mut()[self.held..];
        if data.len() < free.len() {
            free[..data.len()].copy_from_slice(data);
            self.held += data.len();
        } else {
            self.update_blocks(data);
        }
    }

    /// Adds a piece that fills the block in `rest` at least.
    fn update_blocks(&mut self, mut data: &[u8]) {
        let before = self.held + data.len();
        if self.held != 0 {
            let (now, later) = data.split_at(C::Block::SIZE - self.held);
            self.rest.as_mut()[self.held..].copy_from_slice(now);
            C::compress(
                self.kernel,
                &mut self.chain,
                core::slice::from_ref(&self.rest),
            );
            self.rest = C::Block::ZERO;
            data = later;
        }
        let (blocks, rest) = C::Block::of(data);
        if !blocks.is_empty() {
            C::compress(self.kernel, &mut self.chain, blocks);
        }
        self.rest.as_mut()[..rest.len()].copy_from_slice(rest);
        self.held = rest.len();
        self.compressed = self.compressed.wrapping_add((before - rest.len()) as u64);
    }

    /// Returns the length of the message so far, in bytes.
    #[inline]
    fn length(&self) -> u64 {
        self.compressed.wrapping_add(self.held as u64)
    }

    /// Ends the message and returns the last chaining value.
    #[inline]
    pub(crate) fn finish(&mut self) -> &C::Chain {
        let length = self.length();
        C::finish(
            self.kernel,
            &mut self.chain,
            &mut self.rest,
            self.held,
            length,
        );
        &self.chain
    }

    /// Ends the message with the first `count` bits of `byte`, at most seven. Only hash
    /// functions that end with [`Padding`] and process the high bit of a byte first may use
    /// this method.
    #[inline]
    pub(crate) fn finish_bits(&mut self, byte: u8, count: u8) -> &C::Chain {
        let bits = (u128::from(self.length()) << 3) + u128::from(count);
        let tail = Some(Bits { byte, count });
        C::PADDING.end(&mut self.rest, self.held, bits, tail, |block| {
            C::compress(self.kernel, &mut self.chain, core::slice::from_ref(block));
        });
        &self.chain
    }

    /// Returns this message, followed by `end`, as one of many messages. Returns `None` if the
    /// message so far does not consist of whole blocks.
    #[inline]
    pub(crate) fn begun<'m>(&self, index: usize, end: &'m [u8]) -> Option<Begun<'m, C>> {
        (self.held == 0).then_some(Begun {
            index,
            chain: self.chain,
            length: self.length(),
            end,
        })
    }
}

impl<C: Compression> Drop for Iterated<C> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.chain), C::ZERO);
        wipe(core::slice::from_mut(&mut self.rest), C::Block::ZERO);
    }
}

/// A message whose first whole blocks have been compressed. `end` is the rest of the message.
#[derive(Clone, Copy)]
pub(crate) struct Begun<'m, C: Compression> {
    /// The index of this message among many messages.
    pub(crate) index: usize,
    /// The chaining value after the first blocks.
    pub(crate) chain: C::Chain,
    /// The number of bytes in the first blocks.
    pub(crate) length: u64,
    pub(crate) end: &'m [u8],
}

impl<C: Compression> Begun<'_, C> {
    /// Ends the message: `chain` becomes its last chaining value.
    #[inline]
    pub(crate) fn finish(&mut self, kernel: C::Kernel) {
        let length = self.length.wrapping_add(self.end.len() as u64);
        end_with::<C>(kernel, &mut self.chain, self.end, length);
    }
}

/// Makes messages that start from the same chaining value.
#[inline]
pub(crate) fn all_begin<'m, C: Compression>(
    messages: &[&'m [u8]],
    start: C::Chain,
) -> impl Iterator<Item = Begun<'m, C>> {
    let numbered = messages.iter().enumerate();
    numbered.map(move |(index, end)| Begun {
        index,
        chain: start,
        length: 0,
        end,
    })
}

/// Ends a message of `length` bytes. `end` is the end of the message, after whole blocks.
///
/// The padding is written before the blocks of `end` are compressed. A load of a word waits until
/// shorter stores before it, such as that of the mark, have reached the cache.
#[inline]
fn end_with<C: Compression>(kernel: C::Kernel, chain: &mut C::Chain, end: &[u8], length: u64) {
    let (blocks, rest) = C::Block::of(end);
    let mut last = Aligned(C::Block::ZERO);
    let last = &mut last.0;
    let bits = u128::from(length) << 3;
    // Hash functions without a length field end with a checksum, in a `finish` of their own.
    let has_length = C::PADDING.width != 0;
    // After whole blocks, separate stores have reached the cache when the last block is loaded.
    let ends = if has_length && blocks.is_empty() {
        C::PADDING.begin_with(last, rest, bits)
    } else {
        last.as_mut()[..rest.len()].copy_from_slice(rest);
        has_length && C::PADDING.begin(last, rest.len(), bits, None)
    };
    if !blocks.is_empty() {
        C::compress(kernel, chain, blocks);
    }
    if has_length {
        C::compress(kernel, chain, core::slice::from_ref(last));
        if !ends {
            C::PADDING.only_length(last, bits);
            C::compress(kernel, chain, core::slice::from_ref(last));
        }
    } else {
        C::finish(kernel, chain, last, rest.len(), length);
    }
    wipe(core::slice::from_mut(last), C::Block::ZERO);
}

/// Returns the chaining value after a whole message. This function needs no buffer for pieces.
#[inline]
pub(crate) fn whole<C: Compression>(
    kernel: C::Kernel,
    mut chain: C::Chain,
    message: &[u8],
) -> C::Chain {
    end_with::<C>(kernel, &mut chain, message, message.len() as u64);
    chain
}

/// Replaces each `u` by its HMAC, `iterations` times, and XORs every HMAC to `sum`. `inner` and
/// `outer` are the hashes after the key's blocks. After that, an HMAC of a digest is two
/// compressions of one block each, whose padding is always the same. The last `u` are not stored.
///
/// Returns `false` and does nothing if a digest and its padding do not fit into one block.
#[inline]
pub(crate) fn iterate_hmac<C: Compression, O: DigestBytes>(
    [inner, outer]: [&Iterated<C>; 2],
    digest: impl Fn(&C::Chain) -> O,
    iterations: u32,
    u: &[O],
    sum: &mut [O],
) -> bool {
    const LANES: usize = 16;
    let Padding { width, .. } = C::PADDING;
    if width == 0 || O::SIZE + 1 + width > C::Block::SIZE || inner.held + outer.held != 0 {
        return false;
    }
    let length = (C::Block::SIZE + O::SIZE) as u128;
    let mut blocks = [C::Block::ZERO; LANES];
    let mut chains = [C::ZERO; LANES];
    for (u, sum) in u.chunks(LANES).zip(sum.chunks_mut(LANES)) {
        let (blocks, chains) = (&mut blocks[..u.len()], &mut chains[..u.len()]);
        for (block, u) in blocks.iter_mut().zip(u) {
            ([*block, _], _) = C::PADDING.blocks(u.as_ref(), length);
        }
        for _ in 0..iterations {
            for start in [inner, outer] {
                chains.fill(start.chain);
                let done = C::compress_several(inner.kernel, chains, blocks);
                for (chain, block) in chains.iter_mut().zip(&*blocks).skip(done) {
                    C::compress(inner.kernel, chain, core::slice::from_ref(block));
                }
                for (block, chain) in blocks.iter_mut().zip(&*chains) {
                    block.as_mut()[..O::SIZE].copy_from_slice(digest(chain).as_ref());
                }
            }
            for (sum, block) in sum.iter_mut().zip(&*blocks) {
                for (sum, u) in sum.as_mut().iter_mut().zip(block.as_ref()) {
                    *sum ^= u;
                }
            }
        }
    }
    wipe(&mut blocks, C::Block::ZERO);
    wipe(&mut chains, C::ZERO);
    true
}

/// Replaces `v` by its HMAC for each piece of `output`, and copies it there, as
/// [`iterate_hmac`] does for one `u`. Returns `false` and does nothing if a digest and its padding do
/// not fit into one block.
#[inline]
pub(crate) fn chain_hmac<C: Compression, O: DigestBytes>(
    [inner, outer]: [&Iterated<C>; 2],
    digest: impl Fn(&C::Chain) -> O,
    v: &mut O,
    output: &mut [u8],
) -> bool {
    let Padding { width, .. } = C::PADDING;
    if width == 0 || O::SIZE + 1 + width > C::Block::SIZE || inner.held + outer.held != 0 {
        return false;
    }
    let length = (C::Block::SIZE + O::SIZE) as u128;
    let ([mut block, _], _) = C::PADDING.blocks::<C::Block>(v.as_ref(), length);
    let mut chain = C::ZERO;
    for piece in output.chunks_mut(O::SIZE) {
        for start in [inner, outer] {
            chain = start.chain;
            C::compress(inner.kernel, &mut chain, core::slice::from_ref(&block));
            block.as_mut()[..O::SIZE].copy_from_slice(digest(&chain).as_ref());
        }
        piece.copy_from_slice(&block.as_ref()[..piece.len()]);
    }
    v.as_mut().copy_from_slice(&block.as_ref()[..O::SIZE]);
    wipe(core::slice::from_mut(&mut block), C::Block::ZERO);
    forget::<C>(&mut chain);
    true
}

/// Fills `output` with the digests of a number, of the number plus 1, plus 2 and so on, several at
/// once. Returns `false` and does nothing if a number and its padding do not fit into one block.
#[inline(never)]
pub(crate) fn count<C: Compression, O: DigestBytes>(
    kernel: C::Kernel,
    start: C::Chain,
    digest: impl Fn(&C::Chain) -> O,
    number: &[u8],
    output: &mut [u8],
) -> bool {
    const LANES: usize = 16;
    let Padding { width, .. } = C::PADDING;
    if width == 0 || number.len() + 1 + width > C::Block::SIZE {
        return false;
    }
    let ([mut padded, _], _) = C::PADDING.blocks::<C::Block>(number, number.len() as u128);
    let mut first = 0;
    let mut blocks = [C::Block::ZERO; LANES];
    let mut chains = [C::ZERO; LANES];
    for output in output.chunks_mut(LANES * O::SIZE) {
        let n = output.len().div_ceil(O::SIZE);
        let (blocks, chains) = (&mut blocks[..n], &mut chains[..n]);
        for (block, more) in blocks.iter_mut().zip(first..) {
            *block = padded;
            add_number(number, more, &mut block.as_mut()[..number.len()]);
        }
        first += LANES as u64;
        chains.fill(start);
        let done = C::compress_several(kernel, chains, blocks);
        for (chain, block) in chains.iter_mut().zip(&*blocks).skip(done) {
            C::compress(kernel, chain, core::slice::from_ref(block));
        }
        for (piece, chain) in output.chunks_mut(O::SIZE).zip(&*chains) {
            piece.copy_from_slice(&digest(chain).as_ref()[..piece.len()]);
        }
    }
    wipe(core::slice::from_mut(&mut padded), C::Block::ZERO);
    wipe(&mut blocks, C::Block::ZERO);
    wipe(&mut chains, C::ZERO);
    true
}

/// Hashes the messages of each sequence, one block of each sequence at a time.
pub(crate) fn in_turn<C: Compression, O, S: Sequence<O>>(
    kernel: C::Kernel,
    start: C::Chain,
    digest: impl Fn(&C::Chain) -> O,
    sequences: &mut [S],
) {
    const LANES: usize = 32;
    let mut chains = [start; LANES];
    let mut blocks = [C::Block::ZERO; LANES];
    let mut waiting = 0..sequences.len();
    let mut start_next = |sequences: &[S]| waiting.find(|i| !sequences[*i].message().is_empty());
    // The sequences in progress, and the number of blocks of the message that are compressed.
    let mut lanes = [(0, 0); LANES];
    let mut busy = 0;
    while let Some(sequence) = start_next(sequences) {
        lanes[busy].0 = sequence;
        busy += 1;
        if busy == LANES {
            break;
        }
    }
    while busy > 1 {
        for ((sequence, at), block) in lanes[..busy].iter().zip(&mut blocks) {
            *block = C::Block::of(sequences[*sequence].message()).0[*at];
        }
        let done = C::compress_several(kernel, &mut chains[..busy], &blocks[..busy]);
        for (chain, block) in chains[..busy].iter_mut().zip(&blocks).skip(done) {
            C::compress(kernel, chain, core::slice::from_ref(block));
        }
        let mut i = 0;
        while i < busy {
            let (sequence, at) = &mut lanes[i];
            *at += 1;
            if *at * C::Block::SIZE == sequences[*sequence].message().len() {
                *at = 0;
                let more = sequences[*sequence].next(&digest(&chains[i]));
                chains[i] = start;
                if !more {
                    let Some(next) = start_next(sequences) else {
                        busy -= 1;
                        (chains[i], lanes[i]) = (chains[busy], lanes[busy]);
                        continue;
                    };
                    *sequence = next;
                }
            }
            i += 1;
        }
    }
    if busy == 1 {
        let (sequence, at) = lanes[0];
        let sequence = &mut sequences[sequence];
        let mut chain = chains[0];
        C::compress(
            kernel,
            &mut chain,
            &C::Block::of(sequence.message()).0[at..],
        );
        while sequence.next(&digest(&chain)) {
            chain = start;
            C::compress(kernel, &mut chain, C::Block::of(sequence.message()).0);
        }
        forget::<C>(&mut chain);
    }
    wipe(&mut blocks, C::Block::ZERO);
    wipe(&mut chains, C::ZERO);
}

/// Returns what is after the last whole block of a message, with the padding, and its length.
pub(crate) fn pad<C: Compression>(message: &[u8]) -> ([u8; 256], usize) {
    let (_, rest) = C::Block::of(message);
    let (blocks, n) = C::PADDING.blocks::<C::Block>(rest, message.len() as u128);
    let mut bytes = [0; 256];
    for (bytes, block) in bytes.chunks_exact_mut(C::Block::SIZE).zip(&blocks[..n]) {
        bytes.copy_from_slice(block.as_ref());
    }
    (bytes, C::Block::SIZE * n)
}

/// Writes the public types of iterated hash functions. The arguments for each function are: its
/// name, the length of its digest in bytes, its first chaining value, and a function that makes
/// the digest from the last chaining value.
macro_rules! iterated_hashes {
    ($Compression:ty; $many:path; $(
        $(#[$meta:meta])* $Hash:ident $output:literal $start:expr, $digest:path;
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $Hash($crate::hash::iterated::Iterated<$Compression>);

        impl $crate::hash::HashFunction for $Hash {
            type Kernel = Kernel;
            type Output = $crate::Digest<$output>;
            const BLOCK: usize = <<$Compression as $crate::hash::iterated::Compression>::Block
                as $crate::cipher::Block>::SIZE;

            #[inline]
            fn with_kernel(kernel: Self::Kernel) -> Self {
                Self($crate::hash::iterated::Iterated::new(kernel, $start))
            }
            #[inline]
            fn begin_again(hashes: [&mut Self; 2], blocks: [&[u8]; 2]) {
                for (hash, block) in hashes.into_iter().zip(blocks) {
                    hash.0.begin_again($start, block);
                }
            }
            #[inline]
            fn kernel_in_use(&self) -> Self::Kernel {
                self.0.kernel()
            }
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.0.update(data);
            }
            // The compiler inlines this method, so that the caller's state is not copied twice.
            #[inline(always)]
            fn finalize(mut self) -> Self::Output {
                $digest(self.0.finish())
            }
            // The compiler inlines this method, so that the digest is made at its place.
            #[inline(always)]
            fn digest_with(kernel: Self::Kernel, message: &[u8]) -> Self::Output {
                let mut chain =
                    $crate::hash::iterated::whole::<$Compression>(kernel, $start, message);
                let digest = $digest(&chain);
                $crate::hash::iterated::forget::<$Compression>(&mut chain);
                digest
            }
            fn hash_many_with(
                kernel: Self::Kernel,
                messages: &[&[u8]],
                digests: &mut [Self::Output],
            ) -> Result<(), $crate::DataError> {
                $crate::buffer::same_number(messages.len(), digests.len())?;
                let begun = $crate::hash::iterated::all_begin(messages, $start);
                $many(kernel, begun, |i, chain| digests[i] = $digest(chain));
                Ok(())
            }
            fn finish_many(
                starts: &[Self],
                ends: &[&[u8]],
                digests: &mut [Self::Output],
            ) -> Result<(), $crate::DataError> {
                $crate::buffer::same_number(ends.len(), digests.len())?;
                let Some(first) = starts.first() else {
                    return Ok(());
                };
                // A lane can only start at a whole block. A message whose start ends within a
                // block is hashed separately.
                let each = || starts.iter().cycle().zip(ends).enumerate();
                for (i, (start, end)) in each() {
                    if start.0.begun(i, end).is_none() {
                        digests[i] = Self::finish_after(start, end);
                    }
                }
                let begun = each().filter_map(|(i, (start, end))| start.0.begun(i, end));
                let kernel = first.0.kernel();
                $many(kernel, begun, |i, chain| digests[i] = $digest(chain));
                Ok(())
            }
            // A state after whole blocks is not copied: its chaining value suffices.
            #[inline]
            fn finish_after(start: &Self, end: &[u8]) -> Self::Output {
                let Some(mut message) = start.0.begun(0, end) else {
                    let mut hash = start.clone();
                    hash.0.update(end);
                    return $crate::hash::HashFunction::finalize(hash);
                };
                message.finish(start.0.kernel());
                let digest = $digest(&message.chain);
                $crate::hash::iterated::forget::<$Compression>(&mut message.chain);
                digest
            }
            fn iterate_hmac(
                starts: [&Self; 2],
                iterations: u32,
                u: &[Self::Output],
                sum: &mut [Self::Output],
            ) -> bool {
                let starts = starts.map(|start| &start.0);
                $crate::hash::iterated::iterate_hmac(starts, $digest, iterations, u, sum)
            }
            #[inline]
            fn chain_hmac(starts: [&Self; 2], v: &mut Self::Output, output: &mut [u8]) -> bool {
                let starts = starts.map(|start| &start.0);
                $crate::hash::iterated::chain_hmac(starts, $digest, v, output)
            }
            fn count(kernel: Self::Kernel, number: &[u8], output: &mut [u8]) -> bool {
                $crate::hash::iterated::count::<$Compression, Self::Output>(
                    kernel, $start, $digest, number, output,
                )
            }
        }

        $crate::hash::hash_type!($Hash);

        impl $crate::hash::InTurn for $Hash {
            fn in_turn<S: $crate::hash::Sequence<Self::Output>>(
                kernel: Self::Kernel,
                sequences: &mut [S],
            ) {
                $crate::hash::iterated::in_turn::<$Compression, _, _>(
                    kernel, $start, $digest, sequences,
                );
            }

            fn pad(message: &[u8]) -> ([u8; 256], usize) {
                $crate::hash::iterated::pad::<$Compression>(message)
            }
        }
    )*};
}
pub(crate) use iterated_hashes;

/// Writes `finalize_bits` for hash functions of the SHA family, whose messages are strings of
/// bits. The arguments for each function are: its name, the length of its digest in bytes, and
/// a function that makes the digest from the last chaining value.
macro_rules! bit_lengths {
    ($($Hash:ident $output:literal $digest:path;)*) => {$(
        impl $Hash {
            /// Ends the message with the first `bits` bits of `last`, 1 to 7 bits, from the
            /// most significant bit on. So the length of the message need not be a multiple of
            /// 8 bits.
            ///
            /// # Errors
            ///
            /// [`DataError::BitCount`]($crate::DataError::BitCount) for any other number of
            /// bits.
            pub fn finalize_bits(
                mut self,
                last: u8,
                bits: u8,
            ) -> Result<$crate::Digest<$output>, $crate::DataError> {
                if !(1..=7).contains(&bits) {
                    return Err($crate::DataError::BitCount { given: bits });
                }
                Ok($digest(self.0.finish_bits(last, bits)))
            }
        }
    )*};
}
pub(crate) use bit_lengths;

/// Wipes a chaining value that is no longer needed.
#[inline]
pub(crate) fn forget<C: Compression>(chain: &mut C::Chain) {
    wipe(core::slice::from_mut(chain), C::ZERO);
}

/// Hashes many messages one by one, for hash functions without a faster kernel.
#[inline]
pub(crate) fn one_by_one<'m, C: Compression>(
    kernel: C::Kernel,
    begun: impl Iterator<Item = Begun<'m, C>>,
    mut done: impl FnMut(usize, &C::Chain),
) {
    for mut message in begun {
        message.finish(kernel);
        done(message.index, &message.chain);
        forget::<C>(&mut message.chain);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_takes_a_second_block_where_the_length_does_not_fit() {
        for (padding, fits) in [(Padding::sha(8), 56), (Padding::sha(32), 32)] {
            for length in 0..64usize {
                let message = &[7; 64][..length];
                let (blocks, n) = padding.blocks::<[u8; 64]>(message, length as u128);
                assert_eq!(n, if length < fits { 1 } else { 2 });
                let bytes = &blocks.as_flattened()[..64 * n];
                assert_eq!(bytes[..length], [7; 64][..length]);
                assert_eq!(bytes[length], 0x80);
                assert!(bytes.ends_with(&(length as u64 * 8).to_be_bytes()));
                let zeros = &bytes[length + 1..64 * n - 8];
                assert!(zeros.iter().all(|&byte| byte == 0));
            }
        }
    }

    #[test]
    fn the_last_bits_are_followed_by_a_one() {
        let tail = Bits {
            byte: 0b1011_1111,
            count: 3,
        };
        let mut last = [0; 64];
        last[..2].copy_from_slice(b"ab");
        let mut blocks = 0;
        Padding::sha(8).end(&mut last, 2, 19, Some(tail), |_| blocks += 1);
        assert_eq!(blocks, 1);
        assert_eq!(last[..4], [b'a', b'b', 0b1011_0000, 0]);
        assert_eq!(last[63], 19);
    }
}
