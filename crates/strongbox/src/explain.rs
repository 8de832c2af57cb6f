//! Tells apart what happened to a file that is not intact.
//!
//! All statements rest on keys: a moved chunk is genuine at its old place, and the end of a file
//! is known by its mark and its sealed record.

use crate::end::End;
use crate::error::{Error, Result};
use crate::unlock::{ReadAt, Unlocked};

/// How many other places are tried for a chunk that is not genuine.
const MOST_PLACES: u64 = 1 << 16;
/// How many bytes are searched at once.
const WINDOW: usize = 1 << 20;

/// Checks the end of a strongbox before a byte of its content is read. Returns the end record and
/// the length of the chunks in bytes.
///
/// # Errors
///
/// [`Error::Truncated`], [`Error::Extended`], [`Error::Spliced`], [`Error::Length`],
/// [`Error::EndRecord`], [`Error::Io`].
pub(crate) fn end(unlocked: &Unlocked, input: &(impl ReadAt + ?Sized)) -> Result<(End, u64)> {
    let (keys, first) = (&unlocked.end_keys, unlocked.first_chunk());
    let size = input.size()?;
    let length = keys.size() as u64;
    let Some(sealed) = size.checked_sub(first + length) else {
        return Err(Error::Truncated);
    };
    let mut record = vec![0; keys.size()];
    input.read_exact_at(&mut record, first + sealed)?;
    if !keys.is_marked(&record) {
        return Err(without_end(unlocked, input, size)?);
    }
    let end = keys.open(&record)?;
    let expected = unlocked.payload.sealed_length(end.length);
    if expected != sealed {
        return Err(Error::Length {
            bytes: expected.abs_diff(sealed),
            missing: sealed < expected,
        });
    }
    Ok((end, sealed))
}

/// Explains a file that has no end record at its end.
fn without_end(unlocked: &Unlocked, input: &(impl ReadAt + ?Sized), size: u64) -> Result<Error> {
    let (keys, first) = (&unlocked.end_keys, unlocked.first_chunk());
    if let Some(place) = find(input, &keys.mark, first, size)? {
        let end = place + keys.size() as u64;
        let mut record = vec![0; keys.size()];
        if end < size {
            input.read_exact_at(&mut record, place)?;
            if keys.open(&record).is_ok() {
                return Ok(Error::Extended { bytes: size - end });
            }
        }
    }
    // In a truncated file, the last whole chunk is genuine. If it is not, find the first that is
    // not: before it, all are.
    let whole = unlocked.payload.sealed_chunk() as u64;
    let genuine = |index: u64, scratch: &mut Vec<u8>| -> Result<bool> {
        let mut chunk = vec![0; whole as usize];
        input.read_exact_at(&mut chunk, first + index * whole)?;
        Ok(unlocked.payload.is_chunk(index, &chunk, scratch))
    };
    let count = (size - first) / whole;
    let mut scratch = Vec::new();
    if count == 0 || genuine(count - 1, &mut scratch)? {
        // The content is complete if a shorter chunk follows: then the end record was changed.
        let rest = (size - first - count * whole).checked_sub(keys.size() as u64);
        if let Some(rest) = rest {
            let mut chunk = vec![0; rest as usize];
            input.read_exact_at(&mut chunk, first + count * whole)?;
            if unlocked.payload.is_chunk(count, &chunk, &mut scratch) {
                return Ok(Error::EndRecord);
            }
        }
        return Ok(Error::Truncated);
    }
    // With a longer end record than a chunk's rest, the last "whole chunk" may hold a part of the
    // end; so a file with a changed end record can come here too.
    let (mut good, mut bad) = (0, count - 1);
    while good < bad {
        let middle = good + (bad - good) / 2;
        if genuine(middle, &mut scratch)? {
            good = middle + 1;
        } else {
            bad = middle;
        }
    }
    if good + 1 >= count {
        let rest = size - first - good * whole - keys.size() as u64;
        let mut chunk = vec![0; rest as usize];
        input.read_exact_at(&mut chunk, first + good * whole)?;
        if unlocked.payload.is_chunk(good, &chunk, &mut scratch) {
            return Ok(Error::EndRecord);
        }
    }
    Ok(Error::Spliced { chunk: good })
}

/// Searches for bytes from an offset on.
fn find(input: &(impl ReadAt + ?Sized), bytes: &[u8], from: u64, size: u64) -> Result<Option<u64>> {
    let mut window = vec![0; WINDOW];
    let mut place = from;
    while size.saturating_sub(place) >= bytes.len() as u64 {
        let length = (size - place).min(WINDOW as u64) as usize;
        input.read_exact_at(&mut window[..length], place)?;
        if let Some(found) = position(&window[..length], bytes) {
            return Ok(Some(place + found as u64));
        }
        place += (length - bytes.len() + 1) as u64;
    }
    Ok(None)
}

/// Returns the place of the first occurrence of bytes.
pub(crate) fn position(within: &[u8], bytes: &[u8]) -> Option<usize> {
    let (first, rest) = bytes.split_first()?;
    let mut from = 0;
    while let Some(place) = within[from..].iter().position(|byte| byte == first) {
        from += place + 1;
        if within[from..].starts_with(rest) {
            return Some(from - 1);
        }
    }
    None
}

/// Explains a chunk that is not genuine: whether it is genuine at another place among `count`.
pub(crate) fn chunk(unlocked: &Unlocked, index: u64, sealed: &[u8], count: u64) -> Error {
    if let Some(place) = position(sealed, &unlocked.end_keys.mark) {
        let end = place + unlocked.end_keys.size();
        if let Some(record) = sealed.get(place..end)
            && unlocked.end_keys.open(record).is_ok()
        {
            let bytes = (sealed.len() - end) as u64;
            return Error::Extended { bytes };
        }
    }
    let lowest = index.saturating_sub(MOST_PLACES / 2);
    let highest = count.min(lowest + MOST_PLACES);
    let mut scratch = Vec::new();
    let mut others = (lowest..highest).filter(|&other| other != index);
    match others.find(|&other| unlocked.payload.is_chunk(other, sealed, &mut scratch)) {
        Some(holds) => Error::Reordered {
            chunk: index,
            holds,
        },
        None => Error::Damaged { chunk: index },
    }
}
