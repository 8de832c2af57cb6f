//! Padding: extends a message to whole blocks, so that the receiver can remove it again.
//!
//! | padding | bytes after the message | source |
//! |---|---|---|
//! | [`Pkcs7`] | n bytes of value n | RFC 5652 §6.3 |
//! | [`Iso7816`] | a byte 0x80, and zeros | ISO/IEC 7816-4; method 2 of ISO/IEC 9797-1 |
//! | [`AnsiX923`] | zeros, and a byte n | ANSI X9.23 |
//! | [`Zero`] | zeros, if the last block is short | method 1 of ISO/IEC 9797-1 |
//!
//! All paddings except [`Zero`] add at least one byte, so the receiver can separate the padding
//! from the message. [`Zero`] is for messages that do not end with a zero byte, for messages
//! whose length is known, and for MACs.
//!
//! ```
//! use touchstone::block::Aes128;
//! use touchstone::mode::padding::Pkcs7;
//! use touchstone::mode::{CbcDecrypt, CbcEncrypt, Padding};
//! use touchstone::FixedKey;
//!
//! let cipher = Aes128::new(b"sixteen byte key");
//! let iv = b"unpredictable iv";
//!
//! let mut buffer = [0; 48];
//! buffer[..21].copy_from_slice(b"a message of 21 bytes");
//! let padded = Pkcs7::pad::<[u8; 16]>(&mut buffer, 21)?;
//! assert_eq!(padded.len(), 32);
//! CbcEncrypt::new(&cipher, iv).encrypt(padded)?;
//!
//! CbcDecrypt::new(&cipher, iv).decrypt(padded)?;
//! assert_eq!(Pkcs7::unpad::<[u8; 16]>(padded)?, b"a message of 21 bytes");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Padding oracles
//!
//! `unpad` reads all bytes of the last block, in a time that depends only on the size of a
//! block. But if an attacker can see *whether* a receiver found the padding right, from an
//! answer or from later actions, the attacker can use the receiver to decrypt any message (S.
//! Vaudenay: Security Flaws Induced by CBC Padding, EUROCRYPT 2002). So check a MAC of the
//! ciphertext first.

use core::hint::black_box;

use crate::cipher::Block;
use crate::{DataError, InvalidPadding};

/// A padding method.
pub trait Padding {
    /// Whether a message of whole blocks gets one more block, which contains only padding.
    const ALWAYS: bool;

    /// Writes the padding to a block after its first `used` bytes, which are fewer than a
    /// block.
    #[doc(hidden)]
    fn fill(block: &mut [u8], used: usize);

    /// Returns the number of bytes of the last block that belong to the message, or `None` if
    /// the padding is wrong.
    #[doc(hidden)]
    fn own(block: &[u8]) -> Option<usize>;

    /// Returns the last block of a message with its padding. `rest` is the end of the message;
    /// whole blocks in it are ignored. Returns `None` if the message needs no padding.
    fn last_block<B: Block>(rest: &[u8]) -> Option<B> {
        let rest = &rest[rest.len() / B::SIZE * B::SIZE..];
        (Self::ALWAYS || !rest.is_empty()).then(|| {
            let mut block = B::ZERO;
            block.as_mut()[..rest.len()].copy_from_slice(rest);
            Self::fill(block.as_mut(), rest.len());
            block
        })
    }

    /// Pads the message in the first `length` bytes of a buffer, and returns the padded
    /// message.
    ///
    /// # Errors
    ///
    /// [`DataError::TooLittleRoom`] if the buffer is too small; then the buffer is
    /// unchanged.
    fn pad<B: Block>(buffer: &mut [u8], length: usize) -> Result<&mut [u8], DataError> {
        let used = length % B::SIZE;
        let more = if used != 0 || Self::ALWAYS {
            B::SIZE - used
        } else {
            0
        };
        let error = DataError::TooLittleRoom {
            needed: length.saturating_add(more),
            given: buffer.len(),
        };
        let padded = length.checked_add(more);
        match padded.and_then(|padded| buffer.get_mut(..padded)) {
            Some(padded) if more != 0 => {
                Self::fill(&mut padded[length - used..], used);
                Ok(padded)
            }
            Some(padded) => Ok(padded),
            None => Err(error),
        }
    }

    /// Returns the message without its padding.
    fn unpad<B: Block>(padded: &[u8]) -> Result<&[u8], InvalidPadding> {
        if !padded.len().is_multiple_of(B::SIZE) {
            return Err(InvalidPadding);
        }
        match padded.rchunks_exact(B::SIZE).next() {
            None if Self::ALWAYS => Err(InvalidPadding),
            None => Ok(padded),
            Some(last) => {
                let own = Self::own(last).ok_or(InvalidPadding)?;
                Ok(&padded[..padded.len() - B::SIZE + own])
            }
        }
    }
}

/// The padding with n bytes of value n: RFC 5652 §6.3.
#[derive(Debug, Clone, Copy)]
pub enum Pkcs7 {}

/// The padding with a byte 0x80 and zeros: ISO/IEC 7816-4, and method 2 of ISO/IEC 9797-1.
#[derive(Debug, Clone, Copy)]
pub enum Iso7816 {}

/// The padding with zeros and then the number of padding bytes: ANSI X9.23. `unpad` requires
/// that the other padding bytes are zeros.
#[derive(Debug, Clone, Copy)]
pub enum AnsiX923 {}

/// The padding with zeros, if the last block is short: method 1 of ISO/IEC 9797-1. `unpad`
/// removes all zeros at the end of the last block, also zeros that belong to the message.
#[derive(Debug, Clone, Copy)]
pub enum Zero {}

/// Returns all ones if `a` is less than `b`, or else zero. Both numbers must be small.
/// `black_box` hides the result from the compiler, which would otherwise make a branch.
#[inline(always)]
fn less(a: usize, b: usize) -> usize {
    black_box(((a.wrapping_sub(b) as isize) >> (isize::BITS - 1)) as usize)
}

/// Returns all ones if `a` is zero, or else zero. `a` must be small.
#[inline(always)]
fn is_zero(a: usize) -> usize {
    less(a, 1)
}

impl Padding for Pkcs7 {
    const ALWAYS: bool = true;

    #[inline]
    fn fill(block: &mut [u8], used: usize) {
        let n = block.len() - used;
        block[used..].fill(n as u8);
    }

    #[inline]
    fn own(block: &[u8]) -> Option<usize> {
        counted(block, |_, n| n)
    }
}

impl Padding for AnsiX923 {
    const ALWAYS: bool = true;

    #[inline]
    fn fill(block: &mut [u8], used: usize) {
        let n = block.len() - used;
        block[used..].fill(0);
        if let Some(last) = block.last_mut() {
            *last = n as u8;
        }
    }

    #[inline]
    fn own(block: &[u8]) -> Option<usize> {
        // Only the last padding byte has the value n; the other padding bytes are zeros.
        counted(block, |back, n| n & is_zero(back))
    }
}

/// Checks padding whose last byte is the number n of padding bytes. `byte` returns the value
/// that the padding requires for the byte at a position, which is counted from the end.
#[inline]
fn counted(block: &[u8], byte: impl Fn(usize, usize) -> usize) -> Option<usize> {
    let n = usize::from(*block.last()?);
    let mut wrong = is_zero(n) | less(block.len(), n);
    for (back, &given) in block.iter().rev().enumerate() {
        wrong |= less(back, n) & (usize::from(given) ^ byte(back, n));
    }
    // The caller learns only whether the padding is wrong, not which byte is wrong.
    (black_box(wrong) == 0).then(|| block.len() - n)
}

impl Padding for Iso7816 {
    const ALWAYS: bool = true;

    #[inline]
    fn fill(block: &mut [u8], used: usize) {
        block[used..].fill(0);
        block[used] = 0x80;
    }

    #[inline]
    fn own(block: &[u8]) -> Option<usize> {
        let (own, byte) = last_nonzero(block);
        (black_box(byte ^ 0x80) == 0).then_some(own)
    }
}

impl Padding for Zero {
    const ALWAYS: bool = false;

    #[inline]
    fn fill(block: &mut [u8], used: usize) {
        block[used..].fill(0);
    }

    #[inline]
    fn own(block: &[u8]) -> Option<usize> {
        let (own, byte) = last_nonzero(block);
        Some(own + (1 & !is_zero(byte)))
    }
}

/// Returns the position and the value of the last byte that is not zero, or two zeros if all
/// bytes are zero.
#[inline]
fn last_nonzero(block: &[u8]) -> (usize, usize) {
    let (mut place, mut value) = (0, 0);
    for (i, &byte) in block.iter().enumerate() {
        let keep = is_zero(usize::from(byte));
        place = (place & keep) | (i & !keep);
        value = (value & keep) | usize::from(byte);
    }
    (place, value)
}
