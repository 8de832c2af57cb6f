//! Code that all fuzz targets share. It makes numbers, keys and messages from the fuzzer's
//! bytes, and gives every block cipher with every kernel that the machine can run.
//!
//! A mode uses its cipher as a trait object. The compiler then builds each mode once for
//! each block size, and not once for each cipher. The trait objects still call the kernels
//! and the kernels' own versions of the modes.

use touchstone::block::Block;
use touchstone::{InOutBuf, KeyLengths, Keyed};

/// The fuzzer's bytes. Each call takes bytes from the front.
pub struct Input<'d>(&'d [u8]);

impl<'d> Input<'d> {
    /// All of the bytes.
    pub fn new(data: &'d [u8]) -> Self {
        Self(data)
    }

    /// The next byte; zero after the last.
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    /// A number under `end`, which is under 65536.
    pub fn under(&mut self, end: usize) -> usize {
        let both = u16::from_le_bytes([self.byte(), if end > 256 { self.byte() } else { 0 }]);
        usize::from(both) % end.max(1)
    }

    /// The next `length` bytes. If fewer bytes are left, zeros follow them.
    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        let (now, later) = self.0.split_at(length.min(self.0.len()));
        self.0 = later;
        let mut bytes = now.to_vec();
        bytes.resize(length, 0);
        bytes
    }

    /// A block. In half of the cases all bytes except the first and the last are 0xff, so that
    /// an addition carries through them.
    pub fn block<B: Block>(&mut self) -> B {
        let edge = self.byte() & 1 == 1;
        let mut block = B::ZERO;
        for (i, byte) in block.as_mut().iter_mut().enumerate() {
            let middle = i != 0 && i != B::SIZE - 1;
            *byte = if edge && middle { 0xff } else { self.byte() };
        }
        block
    }

    /// A message of at most `most` bytes. It repeats the rest of the fuzzer's bytes, each
    /// time changed, because a fuzzer writes short inputs and a wide kernel needs long ones.
    pub fn message(&mut self, most: usize) -> Vec<u8> {
        let times = 1 + usize::from(self.byte() % 32);
        let rest = std::mem::take(&mut self.0);
        let mut message: Vec<u8> = Vec::new();
        for i in 0..times {
            message.extend(rest.iter().map(|byte| byte.wrapping_add(i as u8)));
        }
        message.truncate(most);
        message
    }

    /// Lengths of the pieces into which a message is cut.
    pub fn cuts(&mut self) -> Vec<usize> {
        let n = 1 + self.under(5);
        (0..n).map(|_| self.under(600)).collect()
    }
}

/// The ranges of a message's pieces. Each length in `cuts` is rounded down to whole units,
/// and the last piece is the rest of the message.
pub fn pieces(length: usize, cuts: &[usize], unit: usize) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    let mut at = 0;
    for cut in cuts {
        let end = (at + cut / unit * unit).min(length / unit * unit);
        ranges.push(at..end);
        at = end;
    }
    ranges.push(at..length);
    ranges
}

/// The output of `call` for an input, made in place.
pub fn made(input: &[u8], call: impl FnOnce(InOutBuf<'_, '_, u8>)) -> Vec<u8> {
    let mut data = input.to_vec();
    call(data.as_mut_slice().into());
    data
}

/// The output of `call` for an input, made in another buffer, `offset` bytes after its start.
pub fn made_apart(input: &[u8], offset: usize, call: impl FnOnce(InOutBuf<'_, '_, u8>)) -> Vec<u8> {
    let mut output = vec![0xff; input.len() + offset];
    call(InOutBuf::new(input, &mut output[offset..]).expect("equal lengths"));
    output.split_off(offset)
}

#[path = "../../crates/touchstone/tests/common/mod.rs"]
mod common;

pub use common::Cipher;

/// One cipher with one key, once for each kernel. The portable form is the last.
pub type Kernels<B> = Vec<Box<dyn Cipher<B>>>;

/// Ciphers and keys that the fuzzer's bytes choose.
pub trait Choose: Block {
    /// Chooses a cipher and a key by the input.
    fn choose(input: &mut Input<'_>) -> Kernels<Self>;
    /// Chooses one cipher and two keys of the same length by the input.
    fn choose_two(input: &mut Input<'_>) -> (Kernels<Self>, Kernels<Self>);
}

/// A key length that the cipher accepts, chosen by the input.
pub fn key_length<C: Keyed>(input: &mut Input<'_>) -> usize {
    let lengths = C::KEY_LENGTHS;
    lengths.min + input.under((lengths.max - lengths.min) / lengths.step + 1) * lengths.step
}

fn over_kernels<B: Block>(row: &common::Row<B>, input: &mut Input<'_>) -> Kernels<B> {
    let KeyLengths { min, max, step } = row.keys;
    let length = min + input.under((max - min) / step.max(1) + 1) * step;
    let kernels = (row.kernels)(&input.bytes(length));
    kernels.into_iter().map(|(_, cipher)| cipher).collect()
}

macro_rules! choose {
    ($($size:literal $rows:ident;)*) => {$(
        /// Chooses from the block ciphers in the library's list.
        impl Choose for [u8; $size] {
            fn choose(input: &mut Input<'_>) -> Kernels<Self> {
                let rows = common::rows().$rows;
                over_kernels(&rows[input.under(rows.len())], input)
            }
            fn choose_two(input: &mut Input<'_>) -> (Kernels<Self>, Kernels<Self>) {
                let rows = common::rows().$rows;
                let row = &rows[input.under(rows.len())];
                // Two keys of one length.
                let KeyLengths { min, max, step } = row.keys;
                let length = min + input.under((max - min) / step.max(1) + 1) * step;
                let mut one = || {
                    let kernels = (row.kernels)(&input.bytes(length));
                    kernels.into_iter().map(|(_, cipher)| cipher).collect()
                };
                (one(), one())
            }
        }
    )*};
}

choose! {
    8 eight;
    16 sixteen;
    32 thirty_two;
}

/// Runs `$target` for a block size that the input chooses. 16 bytes is the most frequent size.
#[macro_export]
macro_rules! by_block {
    ($input:ident, $target:ident) => {
        match $input.byte() % 8 {
            0 | 1 | 2 => $target::<[u8; 8]>($input),
            3 => $target::<[u8; 32]>($input),
            _ => $target::<[u8; 16]>($input),
        }
    };
}
