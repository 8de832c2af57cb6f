//! The base64 alphabet that all methods except bcrypt use, and a writer of text to a buffer.

use crate::Error;

/// The characters for the values 0 to 63.
pub(crate) const ALPHABET: &[u8; 64] =
    b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The value of each byte that is a character of the alphabet, and 64 for all other bytes.
/// Settings are public, so the address of a lookup may depend on them. Comparisons would be
/// slower, because the processor would predict some branches wrongly.
const VALUES: [u8; 256] = {
    let mut values = [64; 256];
    let mut value = 0;
    while value < 64 {
        values[ALPHABET[value] as usize] = value as u8;
        value += 1;
    }
    values
};

/// Returns the value of a character, if it belongs to the alphabet.
pub(crate) fn value(c: u8) -> Option<u32> {
    let value = VALUES[usize::from(c)];
    (value < 64).then(|| value.into())
}

/// Returns the length of the start of `text` that consists of characters of the alphabet.
pub(crate) fn span(text: &[u8]) -> usize {
    let other = text.iter().position(|&c| value(c).is_none());
    other.unwrap_or(text.len())
}

/// Reads a decimal number at the start of `text`. Returns the number and the text after the
/// number. If `text` does not start with a digit, the number is 0; a sign is not a digit.
/// Returns `None` if the number has more than 64 bits.
pub(crate) fn decimal(text: &[u8]) -> Option<(u64, &[u8])> {
    let digits = text.iter().take_while(|c| c.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(digits);
    let number = digits.iter().try_fold(0u64, |number, digit| {
        number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
    })?;
    Some((number, rest))
}

/// Writes a number as decimal digits to the end of a buffer, and returns these digits.
pub(crate) fn digits(mut number: u64, buffer: &mut [u8; 20]) -> &[u8] {
    let mut start = buffer.len();
    loop {
        start -= 1;
        buffer[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return &buffer[start..];
        }
    }
}

/// Writes text to a buffer and reserves room for a final zero byte.
pub(crate) struct Writer<'o> {
    output: &'o mut [u8],
    len: usize,
}

impl<'o> Writer<'o> {
    pub(crate) fn new(output: &'o mut [u8]) -> Self {
        Self { output, len: 0 }
    }

    /// Returns the number of characters that still fit.
    pub(crate) fn room(&self) -> usize {
        self.output.len().saturating_sub(self.len + 1)
    }

    pub(crate) fn bytes(&mut self, text: &[u8]) -> Result<(), Error> {
        if text.len() > self.room() {
            return Err(Error::OutputTooSmall);
        }
        self.output[self.len..self.len + text.len()].copy_from_slice(text);
        self.len += text.len();
        Ok(())
    }

    pub(crate) fn byte(&mut self, c: u8) -> Result<(), Error> {
        self.bytes(&[c])
    }

    pub(crate) fn number(&mut self, number: u64) -> Result<(), Error> {
        self.bytes(digits(number, &mut [0; 20]))
    }

    /// Writes a number as characters of six bits each, the lowest six bits first.
    pub(crate) fn sixes(&mut self, mut number: u32, characters: usize) -> Result<(), Error> {
        for _ in 0..characters {
            self.byte(ALPHABET[(number & 63) as usize])?;
            number >>= 6;
        }
        Ok(())
    }

    /// Writes groups of three bytes as four characters, with the first byte in the lowest bits.
    /// One remaining byte becomes two characters, and two remaining bytes become three.
    pub(crate) fn base64(&mut self, bytes: &[u8]) -> Result<(), Error> {
        for chunk in bytes.chunks(3) {
            let number = chunk.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b));
            self.sixes(number, chunk.len() + 1)?;
        }
        Ok(())
    }

    /// Ends the text with a zero byte.
    pub(crate) fn finish(self) -> Result<&'o str, Error> {
        *self.output.get_mut(self.len).ok_or(Error::OutputTooSmall)? = 0;
        core::str::from_utf8(&self.output[..self.len]).map_err(|_| Error::Setting)
    }
}

/// Decodes text that [`Writer::base64`] wrote. Returns `None` for characters outside of the
/// alphabet, for bits that do not fill a byte, and for more bytes than `output` has.
pub(crate) fn decode<'o>(text: &[u8], output: &'o mut [u8]) -> Option<&'o [u8]> {
    let mut len = 0;
    for chunk in text.chunks(4) {
        let mut number = 0;
        for (i, &c) in chunk.iter().enumerate() {
            number |= value(c)? << (6 * i);
        }
        let bytes = chunk.len() - 1;
        if bytes == 0 || number >> (8 * bytes) != 0 {
            return None;
        }
        let place = output.get_mut(len..len + bytes)?;
        place.copy_from_slice(&number.to_le_bytes()[..bytes]);
        len += bytes;
    }
    Some(&output[..len])
}
