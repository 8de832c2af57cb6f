//! The modes in the form that works for any cipher. The mode writes the cipher's inputs to a
//! buffer of blocks, and the cipher processes this buffer. The buffer is large enough for the
//! widest kernel.
//!
//! A mode over a buffer takes the cipher as a [`Permutation`], which it calls once for a whole
//! buffer. The compiler then makes one copy of the mode for each block length, and not one for
//! each cipher. A mode that encrypts one block after the other takes the type of the cipher, so
//! that the cipher can be inlined.

use inout::InOutBuf;

use super::{Absorbed, FusedEncrypt, Message};
use crate::cipher::{Block, BlockDecrypt, BlockEncrypt, reduction};
use crate::wipe::{self, wipe};

/// A function that encrypts blocks or that decrypts blocks.
pub(crate) type Permutation<'c, B> = &'c dyn Fn(InOutBuf<'_, '_, B>);

/// Returns the encryption of blocks by `cipher`, for a [`Permutation`].
#[inline(always)]
pub(crate) fn encryption<C: BlockEncrypt + ?Sized>(
    cipher: &C,
) -> impl Fn(InOutBuf<'_, '_, C::Block>) {
    |blocks| cipher.encrypt_blocks(blocks)
}

/// Returns the decryption of blocks by `cipher`, for a [`Permutation`].
#[inline(always)]
pub(crate) fn decryption<C: BlockDecrypt + ?Sized>(
    cipher: &C,
) -> impl Fn(InOutBuf<'_, '_, C::Block>) {
    |blocks| cipher.decrypt_blocks(blocks)
}

/// Calls `work` with a buffer that has room for `blocks` blocks, but at most for 512 blocks. No
/// kernel computes more than 512 blocks at once; bitsliced DES computes 512. A short message
/// gets a short buffer, because every buffer is first filled with zeros.
#[inline(always)]
pub(crate) fn with_buffer<B: Block>(blocks: usize, work: impl FnOnce(&mut [B])) {
    match blocks {
        0 => {}
        1 => work(&mut [B::ZERO; 1]),
        2..=8 => work(&mut [B::ZERO; 8]),
        9..=16 => work(&mut [B::ZERO; 16]),
        17..=64 => with_large_buffer::<B, 64>(work),
        _ => with_large_buffer::<B, 512>(work),
    }
}

/// Calls `work` with a buffer in a frame of its own, so that the frame of a short message stays
/// small.
#[inline(always)]
fn with_large_buffer<B: Block, const N: usize>(work: impl FnOnce(&mut [B])) {
    #[inline(never)]
    fn apart<B: Block, const N: usize>(work: impl FnOnce(&mut [B])) {
        work(&mut [B::ZERO; N]);
    }
    wipe::after_moves::<[B; N], _>(1, || apart::<B, N>(work));
}

/// Returns the next counter block, if the counter is the whole block as a big-endian number.
pub(crate) fn next<B: Block>(counter: B) -> B {
    counter.plus(1)
}

/// Returns the next counter block, if the counter is the first 32 bits of the block as a
/// little-endian number.
pub(crate) fn next_le32<B: Block>(mut counter: B) -> B {
    if let Some(first) = counter.as_mut().first_chunk_mut() {
        *first = u32::from_le_bytes(*first).wrapping_add(1).to_le_bytes();
    }
    counter
}

/// Splits counter mode with 16-byte blocks into runs of blocks. In each run, the lower half of
/// the counter does not overflow, so that a kernel can add to this half in 64-bit lanes.
#[inline(always)]
pub(crate) fn ctr_runs(
    counter: &mut [u8; 16],
    mut blocks: InOutBuf<'_, '_, [u8; 16]>,
    mut run: impl FnMut(u128, InOutBuf<'_, '_, [u8; 16]>),
) {
    let mut number = u128::from_be_bytes(*counter);
    loop {
        // `room` is the number of blocks until the lower half of the counter overflows. If the
        // lower half is zero, 2^64 blocks fit. This number wraps to zero here, and then there
        // is no limit.
        let room = (number as u64).wrapping_neg();
        let n = match usize::try_from(room) {
            Ok(room) if room != 0 && room < blocks.len() => room,
            _ => blocks.len(),
        };
        let (now, later) = blocks.split_at(n);
        run(number, now);
        number = number.wrapping_add(n as u128);
        if later.is_empty() {
            break;
        }
        blocks = later;
    }
    *counter = number.to_be_bytes();
}

/// Computes counter mode. The function `next` gives the next counter block.
#[inline(always)]
pub(crate) fn ctr<C: BlockEncrypt + ?Sized>(
    cipher: &C,
    next: impl Fn(C::Block) -> C::Block,
    counter: &mut C::Block,
    blocks: InOutBuf<'_, '_, C::Block>,
) {
    if blocks.len() <= 1 {
        ctr_one(cipher, next, counter, blocks);
    } else {
        ctr_several(&encryption(cipher), next, counter, blocks, None);
    }
}

/// Computes [`ctr`] on bytes, as [`FusedEncrypt::ctr_bytes`] does.
#[inline(always)]
pub(crate) fn ctr_of_bytes<C: FusedEncrypt + ?Sized>(
    cipher: &C,
    counter: &mut C::Block,
    data: InOutBuf<'_, '_, u8>,
    keystream: &mut C::Block,
) {
    let n = data.len();
    if n < C::Block::SIZE || n.is_multiple_of(C::Block::SIZE) {
        let apply = |counter: &mut _, blocks: InOutBuf<'_, '_, _>| {
            ctr(cipher, next, counter, blocks);
        };
        return ctr_bytes(apply, counter, data, keystream);
    }
    let (blocks, rest) = C::Block::split(data);
    let rest = Some((rest, keystream));
    ctr_several(&encryption(cipher), next, counter, blocks, rest);
}

/// Computes counter mode on blocks, and then on bytes that are fewer than a block, if there are any.
/// The second value of `rest` receives the keystream for these bytes.
fn ctr_several<B: Block>(
    cipher: Permutation<'_, B>,
    next: impl Fn(B) -> B,
    counter: &mut B,
    mut blocks: InOutBuf<'_, '_, B>,
    mut rest: Option<(InOutBuf<'_, '_, u8>, &mut B)>,
) {
    let mut left = blocks.len() + usize::from(rest.is_some());
    with_buffer(left, |buffer| {
        // The counter is a local variable, which can stay in a register. In memory each step
        // would wait for the store of the step before.
        let mut number = *counter;
        while left != 0 {
            let n = left.min(buffer.len());
            left -= n;
            let keystream = &mut buffer[..n];
            for block in keystream.iter_mut() {
                *block = number;
                number = next(number);
            }
            cipher((&mut *keystream).into());
            let whole = n.min(blocks.len());
            let (now, later) = blocks.split_at(whole);
            for (mut data, key) in now.into_iter().zip(&*keystream) {
                *data.get_out() = data.get_in().xor(*key);
            }
            blocks = later;
            if let ([.., key], Some((rest, last))) = (&keystream[whole..], &mut rest) {
                let n = rest.len();
                rest.xor_in2out(&key.as_ref()[..n]);
                **last = *key;
            }
        }
        *counter = number;
        wipe(buffer, B::ZERO);
    });
}

/// Computes [`ctr`] on at most one block, without a buffer.
#[inline(always)]
fn ctr_one<C: BlockEncrypt + ?Sized>(
    cipher: &C,
    next: impl Fn(C::Block) -> C::Block,
    counter: &mut C::Block,
    blocks: InOutBuf<'_, '_, C::Block>,
) {
    for mut block in blocks {
        let mut key = *counter;
        *counter = next(key);
        cipher.encrypt_block(&mut key);
        *block.get_out() = block.get_in().xor(key);
        wipe(core::slice::from_mut(&mut key), C::Block::ZERO);
    }
}

/// Computes counter mode on bytes by `apply`, which computes counter mode on blocks. If the last
/// block is short, the last bytes of `keystream` receive the unused keystream.
#[inline(always)]
pub(crate) fn ctr_bytes<B: Block>(
    mut apply: impl FnMut(&mut B, InOutBuf<'_, '_, B>),
    counter: &mut B,
    data: InOutBuf<'_, '_, u8>,
    keystream: &mut B,
) {
    let n = data.len();
    if n.is_multiple_of(B::SIZE) {
        let (blocks, _) = B::split(data);
        if !blocks.is_empty() {
            apply(counter, blocks);
        }
    } else if n < B::SIZE {
        let mut data = data;
        *keystream = B::ZERO;
        apply(counter, InOutBuf::from_mut(keystream));
        data.xor_in2out(&keystream.as_ref()[..n]);
    } else {
        with_short_last(&mut |blocks| apply(counter, blocks), data, keystream);
    }
}

/// Writes the method [`FusedEncrypt::ctr_bytes`] of a cipher that computes `ctr_blocks` itself.
macro_rules! ctr_bytes_method {
    () => {
        #[inline]
        fn ctr_bytes(
            &self,
            counter: &mut Self::Block,
            data: $crate::InOutBuf<'_, '_, u8>,
            keystream: &mut Self::Block,
        ) {
            let apply = |counter: &mut _, blocks: $crate::InOutBuf<'_, '_, _>| {
                $crate::FusedEncrypt::ctr_blocks(self, counter, blocks);
            };
            $crate::fuse::unfused::ctr_bytes(apply, counter, data, keystream);
        }
    };
}
pub(crate) use ctr_bytes_method;

/// Computes a mode on bytes whose last block is short. The short block is filled up with zeros, and
/// its output is stored in `last`. The short block and the blocks before it go to the cipher in one
/// call, because the kernels compute several blocks in the time of one.
#[inline(never)]
pub(crate) fn with_short_last<B: Block>(
    apply: &mut dyn FnMut(InOutBuf<'_, '_, B>),
    data: InOutBuf<'_, '_, u8>,
    last: &mut B,
) {
    // The blocks that are copied. This number is also a multiple of most kernels' numbers of blocks
    // at once, so that the call before has no incomplete group.
    let at_once = const { if B::SIZE > 16 { 1024 / B::SIZE } else { 64 } };
    let blocks = data.len() / B::SIZE;
    let direct = blocks / at_once * at_once * B::SIZE;
    let (direct, mut rest) = data.split_at(direct);
    if !direct.is_empty() {
        apply(B::split(direct).0);
    }
    with_buffer(blocks % at_once + 1, |buffer: &mut [B]| {
        let n = rest.len();
        let buffer = &mut buffer[..n / B::SIZE + 1];
        B::bytes_mut(buffer)[..n].copy_from_slice(rest.get_in());
        apply((&mut *buffer).into());
        rest.get_out().copy_from_slice(&B::bytes_mut(buffer)[..n]);
        *last = buffer[n / B::SIZE];
        wipe(buffer, B::ZERO);
    });
}

/// Computes CBC encryption with one block in each call of the cipher, because each block needs
/// the ciphertext block before.
pub(crate) fn cbc_encrypt<C: BlockEncrypt + ?Sized>(
    cipher: &C,
    chain: &mut C::Block,
    blocks: InOutBuf<'_, '_, C::Block>,
) {
    for mut block in blocks {
        *chain = block.get_in().xor(*chain);
        cipher.encrypt_block(chain);
        *block.get_out() = *chain;
    }
}

/// A message of [`many`].
trait Lane<B> {
    /// The value that the next block needs of the block before.
    fn chain(&mut self) -> &mut B;
    fn input(&self) -> &[B];
    /// The place of the output, which is empty if the mode keeps only the chain.
    fn output(&mut self) -> &mut [B];
}

impl<B: Block> Lane<B> for Message<'_, '_, B> {
    #[inline(always)]
    fn chain(&mut self) -> &mut B {
        &mut self.chain
    }

    #[inline(always)]
    fn input(&self) -> &[B] {
        self.blocks.get_in()
    }

    #[inline(always)]
    fn output(&mut self) -> &mut [B] {
        self.blocks.get_out()
    }
}

impl<B: Block> Lane<B> for Absorbed<'_, B> {
    #[inline(always)]
    fn chain(&mut self) -> &mut B {
        &mut self.chain
    }

    #[inline(always)]
    fn input(&self) -> &[B] {
        self.blocks
    }

    #[inline(always)]
    fn output(&mut self) -> &mut [B] {
        &mut []
    }
}

/// How many messages [`many`] computes side by side.
const LANES: usize = 64;

/// Computes a serial mode over many messages at once. `step` computes the next block of all
/// messages: it receives their chains and their data, changes the data to the output, and the
/// chains to the values for the blocks after.
///
/// Messages often lie at distances for which the cache has few lines, such as 64 KiB. So up to
/// `STEPS` blocks of a message are copied to the buffer before those of the next message. A row of
/// the buffer has one block of each message.
fn many<B: Block, M: Lane<B>>(messages: &mut [M], mut step: impl FnMut(&mut [B], &mut [B])) {
    const STEPS: usize = 8;
    wipe::after_moves::<[B; (STEPS + 1) * LANES], _>(1, || {
        // For each lane: the index of the lane's message, and the index of the next block in this
        // message.
        let mut lanes = [(0usize, 0usize); LANES];
        let mut chains = [B::ZERO; LANES];
        let mut rows = [[B::ZERO; LANES]; STEPS];
        let (mut used, mut next) = (0, 0);
        loop {
            while used < LANES && next < messages.len() {
                if !messages[next].input().is_empty() {
                    lanes[used] = (next, 0);
                    chains[used] = *messages[next].chain();
                    used += 1;
                }
                next += 1;
            }
            let mut steps = STEPS;
            for (lane, &(index, at)) in lanes[..used].iter().enumerate() {
                let blocks = &messages[index].input()[at..];
                steps = steps.min(blocks.len());
                for (row, block) in rows[..steps].iter_mut().zip(blocks) {
                    row[lane] = *block;
                }
            }
            if used == 0 {
                break;
            }
            for row in &mut rows[..steps] {
                step(&mut chains[..used], &mut row[..used]);
            }
            for lane in (0..used).rev() {
                let (index, at) = &mut lanes[lane];
                let message = &mut messages[*index];
                if let Some(blocks) = message.output().get_mut(*at..) {
                    for (row, block) in rows[..steps].iter().zip(blocks) {
                        *block = row[lane];
                    }
                }
                *at += steps;
                if *at == message.input().len() {
                    *message.chain() = chains[lane];
                    used -= 1;
                    lanes.swap(lane, used);
                    chains.swap(lane, used);
                }
            }
        }
        for row in &mut rows {
            wipe(row, B::ZERO);
        }
        wipe(&mut chains, B::ZERO);
    });
}

/// Computes CBC encryption over many messages.
pub(crate) fn cbc_encrypt_many<B: Block>(
    cipher: Permutation<'_, B>,
    messages: &mut [Message<'_, '_, B>],
) {
    many(messages, |chains, data| {
        for (chain, block) in chains.iter_mut().zip(&*data) {
            *chain = chain.xor(*block);
        }
        cipher((&mut *chains).into());
        data.copy_from_slice(chains);
    });
}

/// Computes CBC encryption and keeps only the last block.
pub(crate) fn cbc_mac<C: BlockEncrypt + ?Sized>(
    cipher: &C,
    chain: &mut C::Block,
    blocks: &[C::Block],
) {
    for block in blocks {
        *chain = chain.xor(*block);
        cipher.encrypt_block(chain);
    }
}

/// Computes [`cbc_mac`] over many messages.
pub(crate) fn cbc_mac_many<B: Block>(cipher: Permutation<'_, B>, messages: &mut [Absorbed<'_, B>]) {
    many(messages, |chains, data| {
        for (chain, block) in chains.iter_mut().zip(&*data) {
            *chain = chain.xor(*block);
        }
        cipher(chains.into());
    });
}

/// Computes counter mode and CBC-MAC. The two alternate after some blocks, so that the second
/// one still finds the blocks in the cache.
pub(crate) fn ctr_mac<C: FusedEncrypt + ?Sized>(
    cipher: &C,
    counter: &mut C::Block,
    chain: &mut C::Block,
    of_output: bool,
    mut blocks: InOutBuf<'_, '_, C::Block>,
) {
    while !blocks.is_empty() {
        let n = blocks.len().min(512);
        let (mut now, later) = blocks.split_at(n);
        if !of_output {
            cipher.cbc_mac_blocks(chain, now.get_in());
        }
        cipher.ctr_blocks(counter, now.reborrow());
        if of_output {
            cipher.cbc_mac_blocks(chain, now.get_out());
        }
        blocks = later;
    }
}

/// Computes CBC decryption with any cipher.
pub(crate) fn cbc_decrypt<B: Block>(
    cipher: Permutation<'_, B>,
    chain: &mut B,
    mut blocks: InOutBuf<'_, '_, B>,
) {
    with_buffer(blocks.len(), |buffer| {
        while !blocks.is_empty() {
            let n = blocks.len().min(buffer.len());
            let (mut now, later) = blocks.split_at(n);
            // Decryption in place overwrites the ciphertext that the next block needs, so the
            // code copies the ciphertext first.
            let before = &mut buffer[..n];
            before[0] = *chain;
            before[1..].copy_from_slice(&now.get_in()[..n - 1]);
            *chain = now.get_in()[n - 1];
            cipher(now.reborrow());
            for (block, before) in now.get_out().iter_mut().zip(before) {
                *block = block.xor(*before);
            }
            blocks = later;
        }
    });
}

/// Computes [`cbc_decrypt`] on at most one block, without a buffer.
#[inline(always)]
pub(crate) fn cbc_decrypt_one<C: BlockDecrypt>(
    cipher: &C,
    chain: &mut C::Block,
    blocks: InOutBuf<'_, '_, C::Block>,
) {
    for mut block in blocks {
        let (before, input) = (*chain, *block.get_in());
        *chain = input;
        let mut one = input;
        cipher.decrypt_block(&mut one);
        *block.get_out() = one.xor(before);
    }
}

/// Computes CFB encryption with any cipher.
pub(crate) fn cfb_encrypt<C: BlockEncrypt + ?Sized>(
    cipher: &C,
    chain: &mut C::Block,
    blocks: InOutBuf<'_, '_, C::Block>,
) {
    for mut block in blocks {
        cipher.encrypt_block(chain);
        *chain = chain.xor(*block.get_in());
        *block.get_out() = *chain;
    }
}

/// Computes CFB encryption over many messages.
pub(crate) fn cfb_encrypt_many<B: Block>(
    cipher: Permutation<'_, B>,
    messages: &mut [Message<'_, '_, B>],
) {
    many(messages, |chains, data| {
        cipher((&mut *chains).into());
        for (chain, block) in chains.iter_mut().zip(&mut *data) {
            *chain = chain.xor(*block);
            *block = *chain;
        }
    });
}

/// Computes CFB decryption with any cipher.
#[inline(always)]
pub(crate) fn cfb_decrypt<C: BlockEncrypt + ?Sized>(
    cipher: &C,
    chain: &mut C::Block,
    blocks: InOutBuf<'_, '_, C::Block>,
) {
    if blocks.len() > 1 {
        return cfb_decrypt_several(&encryption(cipher), chain, blocks);
    }
    for mut block in blocks {
        let mut key = *chain;
        *chain = *block.get_in();
        cipher.encrypt_block(&mut key);
        *block.get_out() = block.get_in().xor(key);
        wipe(core::slice::from_mut(&mut key), C::Block::ZERO);
    }
}

fn cfb_decrypt_several<B: Block>(
    cipher: Permutation<'_, B>,
    chain: &mut B,
    mut blocks: InOutBuf<'_, '_, B>,
) {
    with_buffer(blocks.len(), |buffer| {
        while !blocks.is_empty() {
            let n = blocks.len().min(buffer.len());
            let (now, later) = blocks.split_at(n);
            let keystream = &mut buffer[..n];
            keystream[0] = *chain;
            keystream[1..].copy_from_slice(&now.get_in()[..n - 1]);
            *chain = now.get_in()[n - 1];
            cipher((&mut *keystream).into());
            for (mut data, key) in now.into_iter().zip(keystream) {
                *data.get_out() = data.get_in().xor(*key);
            }
            blocks = later;
        }
        wipe(buffer, B::ZERO);
    });
}

/// Computes CFB-8 encryption with any cipher.
pub(crate) fn cfb8_encrypt<C: BlockEncrypt + ?Sized>(
    cipher: &C,
    chain: &mut C::Block,
    bytes: InOutBuf<'_, '_, u8>,
) {
    for mut byte in bytes {
        let mut key = *chain;
        cipher.encrypt_block(&mut key);
        let sum = *byte.get_in() ^ key.as_ref()[0];
        chain.as_mut().copy_within(1.., 0);
        chain.as_mut()[C::Block::SIZE - 1] = sum;
        *byte.get_out() = sum;
    }
}

/// Computes CFB-8 encryption over many messages.
pub(crate) fn cfb8_encrypt_many<B: Block>(
    cipher: Permutation<'_, B>,
    messages: &mut [Message<'_, '_, B>],
) {
    wipe::after_moves::<[B; LANES], _>(1, || {
        let mut keystream = [B::ZERO; LANES];
        many(messages, |chains, data| {
            let keys = &mut keystream[..chains.len()];
            for at in 0..B::SIZE {
                keys.copy_from_slice(chains);
                cipher((&mut *keys).into());
                for ((chain, block), key) in chains.iter_mut().zip(&mut *data).zip(&*keys) {
                    let sum = block.as_ref()[at] ^ key.as_ref()[0];
                    block.as_mut()[at] = sum;
                    chain.as_mut().copy_within(1.., 0);
                    chain.as_mut()[B::SIZE - 1] = sum;
                }
            }
        });
        wipe(&mut keystream, B::ZERO);
    });
}

/// Computes CFB-8 decryption. The cipher's input for a byte is the ciphertext before that byte,
/// so all inputs are known at once.
pub(crate) fn cfb8_decrypt<B: Block>(
    cipher: Permutation<'_, B>,
    chain: &mut B,
    mut blocks: InOutBuf<'_, '_, B>,
) {
    let size = B::SIZE;
    // The buffer must have room for at least one cipher input for each byte of a block.
    with_buffer(blocks.len().saturating_mul(size), |buffer: &mut [B]| {
        while !blocks.is_empty() {
            let n = blocks.len().min(buffer.len() / size);
            let (now, later) = blocks.split_at(n);
            let windows = &mut buffer[..n * size];
            for (data, windows) in now.get_in().iter().zip(windows.chunks_exact_mut(size)) {
                for (at, window) in windows.iter_mut().enumerate() {
                    let (before, inside) = window.as_mut().split_at_mut(size - at);
                    before.copy_from_slice(&chain.as_ref()[at..]);
                    inside.copy_from_slice(&data.as_ref()[..at]);
                }
                *chain = *data;
            }
            cipher((&mut *windows).into());
            for (mut data, keys) in now.into_iter().zip(windows.chunks_exact(size)) {
                let mut block = *data.get_in();
                for (byte, key) in block.as_mut().iter_mut().zip(keys) {
                    *byte ^= key.as_ref()[0];
                }
                *data.get_out() = block;
            }
            blocks = later;
        }
        wipe(buffer, B::ZERO);
    });
}

/// Computes OFB with any cipher.
pub(crate) fn ofb<C: BlockEncrypt + ?Sized>(
    cipher: &C,
    chain: &mut C::Block,
    blocks: InOutBuf<'_, '_, C::Block>,
) {
    for mut block in blocks {
        cipher.encrypt_block(chain);
        *block.get_out() = block.get_in().xor(*chain);
    }
}

/// Computes OFB over many messages.
pub(crate) fn ofb_many<B: Block>(cipher: Permutation<'_, B>, messages: &mut [Message<'_, '_, B>]) {
    many(messages, |chains, data| {
        cipher((&mut *chains).into());
        for (chain, block) in chains.iter().zip(data) {
            *block = block.xor(*chain);
        }
    });
}

/// Returns the tweak of the next block: the double of this tweak.
#[inline]
pub(crate) fn next_tweak<B: Block>(mut tweak: B) -> B {
    // The tweak is doubled as in `Block::double`, but with the bytes in reverse order, because
    // the numbers of XTS are little-endian.
    let (words, _) = tweak.as_mut().as_chunks_mut::<8>();
    let mut carry = 0;
    for word in &mut *words {
        let old = u64::from_le_bytes(*word);
        *word = (old << 1 | carry).to_le_bytes();
        carry = old >> 63;
    }
    if let Some(first) = words.first_mut() {
        let reduction = reduction(B::SIZE) & carry.wrapping_neg();
        *first = (u64::from_le_bytes(*first) ^ reduction).to_le_bytes();
    }
    tweak
}

/// Computes XTS encryption with any cipher.
pub(crate) fn xts_encrypt<B: Block>(
    cipher: Permutation<'_, B>,
    tweak: &B,
    unit: InOutBuf<'_, '_, u8>,
) {
    let apply = |tweak: &mut _, blocks: InOutBuf<'_, '_, _>| {
        xts(cipher, tweak, blocks);
    };
    xts_encrypt_by(apply, tweak, unit);
}

/// Computes XTS encryption. `apply` processes whole blocks: it receives the tweak of the first
/// block, and changes this tweak to the tweak of the block after the last one.
#[inline(always)]
pub(crate) fn xts_encrypt_by<B: Block>(
    apply: impl Fn(&mut B, InOutBuf<'_, '_, B>),
    tweak: &B,
    unit: InOutBuf<'_, '_, u8>,
) {
    let mut tweak = *tweak;
    let (mut blocks, mut tail) = B::split(unit);
    apply(&mut tweak, blocks.reborrow());
    let n = tail.len();
    if n != 0
        && let Some(last) = blocks.get_out().last_mut()
    {
        let stolen = *last;
        last.as_mut()[..n].copy_from_slice(tail.get_in());
        tail.get_out().copy_from_slice(&stolen.as_ref()[..n]);
        apply(&mut tweak, InOutBuf::from_mut(last));
    }
    wipe(core::slice::from_mut(&mut tweak), B::ZERO);
}

/// Computes XTS decryption with any cipher.
pub(crate) fn xts_decrypt<B: Block>(
    cipher: Permutation<'_, B>,
    tweak: &B,
    unit: InOutBuf<'_, '_, u8>,
) {
    let apply = |tweak: &mut _, blocks: InOutBuf<'_, '_, _>| {
        xts(cipher, tweak, blocks);
    };
    xts_decrypt_by(apply, tweak, unit);
}

/// Computes XTS decryption. `apply` processes whole blocks, as for [`xts_encrypt_by`].
#[inline(always)]
pub(crate) fn xts_decrypt_by<B: Block>(
    apply: impl Fn(&mut B, InOutBuf<'_, '_, B>),
    tweak: &B,
    unit: InOutBuf<'_, '_, u8>,
) {
    let mut tweak = *tweak;
    let (blocks, mut tail) = B::split(unit);
    let n = tail.len();
    // Ciphertext stealing: if the unit ends in a short block, the last whole block of
    // ciphertext was encrypted with the last tweak. The short block of ciphertext is the
    // beginning of a block that was encrypted with the tweak before the last one.
    let whole = blocks.len().saturating_sub(usize::from(n != 0));
    let (blocks, last) = blocks.split_at(whole);
    apply(&mut tweak, blocks);
    for mut last in last {
        let mut block = *last.get_in();
        let mut next = next_tweak(tweak);
        apply(&mut next, InOutBuf::from_mut(&mut block));
        let stolen = block;
        block.as_mut()[..n].copy_from_slice(tail.get_in());
        tail.get_out().copy_from_slice(&stolen.as_ref()[..n]);
        apply(&mut tweak, InOutBuf::from_mut(&mut block));
        *last.get_out() = block;
    }
    wipe(core::slice::from_mut(&mut tweak), B::ZERO);
}

/// Computes XTS on whole blocks. `cipher` encrypts or decrypts.
pub(crate) fn xts<B: Block>(
    cipher: Permutation<'_, B>,
    tweak: &mut B,
    mut blocks: InOutBuf<'_, '_, B>,
) {
    if let [_] = blocks.get_in() {
        for mut block in blocks {
            let mut sum = block.get_in().xor(*tweak);
            cipher(InOutBuf::from_mut(&mut sum));
            *block.get_out() = sum.xor(*tweak);
            *tweak = next_tweak(*tweak);
        }
        return;
    }
    with_buffer(blocks.len(), |buffer| {
        // The tweak is a local variable, which can stay in registers.
        let mut next = *tweak;
        while !blocks.is_empty() {
            let n = blocks.len().min(buffer.len());
            let (mut now, later) = blocks.split_at(n);
            let tweaks = &mut buffer[..n];
            for (mut block, slot) in now.reborrow().into_iter().zip(&mut *tweaks) {
                *block.get_out() = block.get_in().xor(next);
                *slot = next;
                next = next_tweak(next);
            }
            let sums = now.get_out();
            cipher((&mut *sums).into());
            for (block, tweak) in sums.iter_mut().zip(tweaks) {
                *block = block.xor(*tweak);
            }
            blocks = later;
        }
        *tweak = next;
        wipe(buffer, B::ZERO);
    });
}
