//! Key wrap: encrypts a key under another key and detects changes. The mode KW is [RFC3394] and
//! [SP800-38F]. The mode KWP, which pads the key, is [RFC5649].
//!
//! Key wrap has no nonce: equal keys give equal wrapped keys. Key wrap calls the cipher six
//! times for each half block, one call after the other, and is meant for keys only.
//!
//! | | input | output |
//! |---|---|---|
//! | KW | 16 bytes or more, a multiple of 8 | 8 bytes more |
//! | KWP | 1 to 2³² − 1 bytes | up to the next multiple of 8, and 8 bytes more |
//!
//! - [RFC3394] Advanced Encryption Standard (AES) Key Wrap Algorithm, 2002
//! - [RFC5649] Advanced Encryption Standard (AES) Key Wrap with Padding Algorithm, 2009
//! - [SP800-38F] Methods for Key Wrapping, NIST SP 800-38F, 2012
//!
//! [RFC3394]: https://www.rfc-editor.org/rfc/rfc3394
//! [RFC5649]: https://www.rfc-editor.org/rfc/rfc5649
//! [SP800-38F]: https://doi.org/10.6028/NIST.SP.800-38F

use crate::constant_time::matches;
use crate::wipe::wipe;
use crate::{AeadError, DataError, FusedDecrypt, FusedEncrypt};

/// Key wrap with a cipher whose blocks have 16 bytes. The cipher is passed by value or by
/// reference.
#[derive(Debug, Clone)]
pub struct KeyWrap<C> {
    cipher: C,
}

type Block = [u8; 16];
type Half = [u8; 8];

/// The initial value of KW, [RFC3394] §2.2.3.1.
const START: Half = [0xa6; 8];
/// The first half of KWP's initial value, [RFC5649] §3. The second half is the length of the
/// key.
const START_PADDED: [u8; 4] = [0xa6, 0x59, 0x59, 0xa6];

/// Joins two halves to a block.
#[inline(always)]
fn joined(a: u64, b: &Half) -> Block {
    (u128::from(a) << 64 | u128::from(u64::from_be_bytes(*b))).to_be_bytes()
}

impl<C> KeyWrap<C> {
    /// Makes the mode from a cipher that is set up with a key.
    #[inline]
    pub fn new(cipher: C) -> Self {
        Self { cipher }
    }
}

impl<C: FusedEncrypt<Block = Block>> KeyWrap<C> {
    /// Wraps a key with KW. The length of `key` must be at least 16 bytes and a multiple of 8.
    /// `wrapped` must be 8 bytes longer than `key`. After an error `wrapped` is unchanged.
    pub fn wrap_into(&self, key: &[u8], wrapped: &mut [u8]) -> Result<(), AeadError> {
        if key.len() < 16 || !key.len().is_multiple_of(8) {
            return Err(AeadError::MessageLength);
        }
        let (a, body) = output(wrapped, key.len())?;
        body.copy_from_slice(key);
        *a = START;
        self.forwards(a, body);
        Ok(())
    }

    /// Wraps a key of any length except 0 with KWP, which pads. `wrapped` must have the length
    /// that [`padded_length`](Self::padded_length) gives. After an error `wrapped` is
    /// unchanged.
    pub fn wrap_padded_into(&self, key: &[u8], wrapped: &mut [u8]) -> Result<(), AeadError> {
        let length = u32::try_from(key.len()).map_err(|_| AeadError::MessageLength)?;
        if length == 0 {
            return Err(AeadError::MessageLength);
        }
        let (a, body) = output(wrapped, key.len().next_multiple_of(8))?;
        body[..key.len()].copy_from_slice(key);
        body[key.len()..].fill(0);
        a[..4].copy_from_slice(&START_PADDED);
        a[4..].copy_from_slice(&length.to_be_bytes());
        if let Ok(only) = <&mut Half>::try_from(&mut *body) {
            let mut block = joined(u64::from_be_bytes(*a), only);
            self.cipher.encrypt_block(&mut block);
            a.copy_from_slice(&block[..8]);
            only.copy_from_slice(&block[8..]);
        } else {
            self.forwards(a, body);
        }
        Ok(())
    }

    /// Returns the length in bytes of a wrapped key, for a key of `key` bytes, with padding
    /// (KWP).
    pub const fn padded_length(key: usize) -> usize {
        key.next_multiple_of(8) + 8
    }

    /// Computes the wrapping function: [RFC3394] §2.2.1, W of [SP800-38F].
    fn forwards(&self, a: &mut Half, body: &mut [u8]) {
        let (halves, _) = body.as_chunks_mut::<8>();
        if self.cipher.wrap_halves(a, halves) {
            return;
        }
        let mut sum = u64::from_be_bytes(*a);
        let mut t = 0;
        for _ in 0..6 {
            for half in halves.iter_mut() {
                t += 1;
                let mut block = joined(sum, half);
                self.cipher.encrypt_block(&mut block);
                let block = u128::from_be_bytes(block);
                sum = (block >> 64) as u64 ^ t;
                *half = (block as u64).to_be_bytes();
            }
        }
        *a = sum.to_be_bytes();
    }
}

impl<C: FusedDecrypt<Block = Block>> KeyWrap<C> {
    /// Unwraps a key that [`wrap_into`](KeyWrap::wrap_into) wrapped. If the wrapped key is not
    /// genuine, `key` is wiped. After any other error `key` is unchanged.
    pub fn unwrap_into(&self, wrapped: &[u8], key: &mut [u8]) -> Result<(), AeadError> {
        if wrapped.len() < 24 || !wrapped.len().is_multiple_of(8) {
            return Err(AeadError::MessageLength);
        }
        let (a, body) = input(wrapped, key)?;
        let a = self.backwards(a, body);
        if matches(&a, &START).is_err() {
            wipe(body, 0);
            return Err(AeadError::Forged);
        }
        Ok(())
    }

    /// Unwraps a key that [`wrap_padded_into`](KeyWrap::wrap_padded_into) wrapped, and returns
    /// the key's length in bytes. `key` must be 8 bytes shorter than `wrapped`. The function
    /// writes the key and then zeros to `key`. If the wrapped key is not genuine, `key` is
    /// wiped. After any other error `key` is unchanged.
    pub fn unwrap_padded_into(&self, wrapped: &[u8], key: &mut [u8]) -> Result<usize, AeadError> {
        if wrapped.len() < 16 || !wrapped.len().is_multiple_of(8) {
            return Err(AeadError::MessageLength);
        }
        let (a, body) = input(wrapped, key)?;
        let a = if let Ok(only) = <&mut Half>::try_from(&mut *body) {
            let mut block = joined(u64::from_be_bytes(*a), only);
            self.cipher.decrypt_block(&mut block);
            only.copy_from_slice(&block[8..]);
            ((u128::from_be_bytes(block) >> 64) as u64).to_be_bytes()
        } else {
            self.backwards(a, body)
        };
        // To be constant-time, the code makes all checks, even if one fails. The checks are:
        // the initial value is right, the length fits, and the padding is zeros.
        let [s0, s1, s2, s3, l0, l1, l2, l3] = a;
        let mut wrong = u32::from_be_bytes([s0, s1, s2, s3]) ^ u32::from_be_bytes(START_PADDED);
        let length = u64::from(u32::from_be_bytes([l0, l1, l2, l3]));
        let pad = (body.len() as u64).wrapping_sub(length);
        wrong |= u32::from(pad >= 8);
        for (i, byte) in body[body.len() - 8..].iter().enumerate() {
            let is_pad = u32::from(8 - i as u64 <= pad);
            wrong |= u32::from(*byte) & is_pad.wrapping_neg();
            zeroize::optimization_barrier(&wrong);
        }
        if wrong != 0 {
            wipe(body, 0);
            return Err(AeadError::Forged);
        }
        Ok(length as usize)
    }

    /// Computes the unwrapping function: [RFC3394] §2.2.2.
    fn backwards(&self, a: &Half, body: &mut [u8]) -> Half {
        let (halves, _) = body.as_chunks_mut::<8>();
        let mut fused = *a;
        if self.cipher.unwrap_halves(&mut fused, halves) {
            return fused;
        }
        let mut sum = u64::from_be_bytes(*a);
        let mut t = 6 * halves.len() as u64;
        for _ in 0..6 {
            for half in halves.iter_mut().rev() {
                let mut block = joined(sum ^ t, half);
                self.cipher.decrypt_block(&mut block);
                let block = u128::from_be_bytes(block);
                sum = (block >> 64) as u64;
                *half = (block as u64).to_be_bytes();
                t -= 1;
            }
        }
        sum.to_be_bytes()
    }
}

/// Splits `wrapped` into its first half block and the other half blocks, if its length is
/// right.
fn output(wrapped: &mut [u8], body: usize) -> Result<(&mut Half, &mut [u8]), AeadError> {
    let error = DataError::OutputLength {
        input: body + 8,
        output: wrapped.len(),
    };
    match wrapped.split_first_chunk_mut() {
        Some((a, rest)) if rest.len() == body => Ok((a, rest)),
        _ => Err(error.into()),
    }
}

/// Returns the first half block of an input, and copies the other half blocks to the output.
fn input<'i, 'o>(
    wrapped: &'i [u8],
    key: &'o mut [u8],
) -> Result<(&'i Half, &'o mut [u8]), AeadError> {
    let error = DataError::OutputLength {
        input: wrapped.len().saturating_sub(8),
        output: key.len(),
    };
    match wrapped.split_first_chunk() {
        Some((a, rest)) if rest.len() == key.len() => {
            key.copy_from_slice(rest);
            Ok((a, key))
        }
        _ => Err(error.into()),
    }
}
