//! Parity beside a file: Reed-Solomon codes, by which damaged blocks are computed again.
//!
//! The file is divided into blocks of 4 KiB, and up to 1024 blocks at equal distances make a
//! stripe. So a stripe's blocks lie far from one another, and a damaged region touches each
//! stripe in a few blocks. For each stripe the parity file holds the digests of its blocks, by which
//! damaged blocks are found, and recovery blocks. The digests stand there twice.
//!
//! Whoever can change the file can change the parity file. Only opening the strongbox tells
//! whether a file is genuine.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;

use reed_solomon_simd::{ReedSolomonDecoder, ReedSolomonEncoder};
use touchstone::hash::Sha256;

use crate::error::{Error, Result};
use crate::unlock::ReadAt;

/// The first bytes of a parity file.
const MAGIC: &[u8; 8] = b"SBXPAR1\n";
/// The length of a block in bytes.
const BLOCK: usize = 4096;
/// The largest number of blocks in a stripe.
const STRIPE: u64 = 1024;
/// The length of a digest in bytes: SHA-256, cut.
const DIGEST: usize = 16;
/// The length of the head in bytes: magic, size, recovery blocks of a stripe, digest. It stands at
/// the beginning and at the end.
const HEAD: usize = 8 + 8 + 4 + DIGEST;

/// What [`repair`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repaired {
    /// The blocks that were damaged.
    pub blocks: u64,
    /// All blocks.
    pub total: u64,
}

fn digest(bytes: &[u8]) -> [u8; DIGEST] {
    *Sha256::digest(bytes)
        .as_ref()
        .first_chunk()
        .expect("32 bytes")
}

fn codec(error: reed_solomon_simd::Error) -> Error {
    Error::Io(io::Error::other(error))
}

/// How a file is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    size: u64,
    /// Recovery blocks of each stripe.
    recovery: u32,
}

impl Shape {
    fn blocks(self) -> u64 {
        self.size.div_ceil(BLOCK as u64)
    }

    fn stripes(self) -> u64 {
        self.blocks().div_ceil(STRIPE)
    }

    /// The blocks of a stripe: every `stripes`th from `stripe` on.
    fn of(self, stripe: u64) -> impl Iterator<Item = u64> {
        (stripe..self.blocks()).step_by(self.stripes().max(1) as usize)
    }

    fn count(self, stripe: u64) -> usize {
        self.of(stripe).count()
    }

    fn encode(self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&self.size.to_be_bytes());
        bytes.extend_from_slice(&self.recovery.to_be_bytes());
        let digest = digest(&bytes);
        bytes.extend_from_slice(&digest);
        bytes
    }

    fn decode(bytes: &[u8; HEAD]) -> Option<Self> {
        let (head, stored) = bytes.split_at(HEAD - DIGEST);
        let size = u64::from_be_bytes(head[8..16].try_into().ok()?);
        let recovery = u32::from_be_bytes(head[16..].try_into().ok()?);
        let fits = (1..=STRIPE as u32).contains(&recovery) && size <= i64::MAX as u64;
        let right = head.starts_with(MAGIC) && digest(head) == stored && fits;
        right.then_some(Self { size, recovery })
    }

    /// The length of a stripe's record: twice the digests of data and recovery blocks with a
    /// digest of themselves, then the recovery blocks.
    fn record(self, stripe: u64) -> usize {
        2 * self.table(stripe) + self.recovery as usize * BLOCK
    }

    fn table(self, stripe: u64) -> usize {
        (self.count(stripe) + self.recovery as usize + 1) * DIGEST
    }
}

/// Reads a block; zeros follow after the end of the file.
fn block(file: &(impl ReadAt + ?Sized), number: u64, size: u64) -> io::Result<Vec<u8>> {
    let offset = number * BLOCK as u64;
    let mut bytes = vec![0; BLOCK];
    let length = size.saturating_sub(offset).min(BLOCK as u64) as usize;
    if length > 0 {
        file.read_exact_at(&mut bytes[..length], offset)?;
    }
    Ok(bytes)
}

/// Writes a parity file, from which so many percent of the blocks can be repaired. `check` is
/// called now and then, and ends the work by an error.
///
/// # Errors
///
/// [`Error::Io`], errors of `check`.
pub fn write(
    file: &(impl ReadAt + ?Sized),
    percent: u8,
    mut output: impl Write,
    check: &mut dyn FnMut() -> Result<()>,
) -> Result<()> {
    let size = file.size()?;
    let blocks = size.div_ceil(BLOCK as u64);
    // All stripes have this many blocks, or one fewer.
    let stripe = blocks.div_ceil(blocks.div_ceil(STRIPE).max(1));
    let recovery = (stripe * u64::from(percent)).div_ceil(100).clamp(1, STRIPE);
    let shape = Shape {
        size,
        recovery: recovery as u32,
    };
    output.write_all(&shape.encode())?;
    for stripe in 0..shape.stripes() {
        check()?;
        let count = shape.count(stripe);
        let mut encoder =
            ReedSolomonEncoder::new(count, recovery as usize, BLOCK).map_err(codec)?;
        let mut table = Vec::with_capacity(shape.table(stripe));
        for number in shape.of(stripe) {
            let bytes = block(file, number, size)?;
            table.extend_from_slice(&digest(&bytes));
            encoder.add_original_shard(&bytes).map_err(codec)?;
        }
        let result = encoder.encode().map_err(codec)?;
        let recovery: Vec<&[u8]> = result.recovery_iter().collect();
        for bytes in &recovery {
            table.extend_from_slice(&digest(bytes));
        }
        let own = digest(&table);
        table.extend_from_slice(&own);
        output.write_all(&table)?;
        output.write_all(&table)?;
        for bytes in &recovery {
            output.write_all(bytes)?;
        }
    }
    output.write_all(&shape.encode())?;
    output.flush()?;
    Ok(())
}

/// Writes a file again, with its damaged blocks repaired.
///
/// # Errors
///
/// [`Error::Damaged`] with the number of the first stripe that has too few good blocks;
/// [`Error::Header`] if the parity file is none; [`Error::Io`], errors of `check`.
pub fn repair(
    file: &(impl ReadAt + ?Sized),
    parity: &(impl ReadAt + ?Sized),
    output: &File,
    check: &mut dyn FnMut() -> Result<()>,
) -> Result<Repaired> {
    let shape = shape(parity)?;
    let present = file.size()?;
    let mut repaired = Repaired {
        blocks: 0,
        total: shape.blocks(),
    };
    output.set_len(shape.size)?;
    let mut place = HEAD as u64;
    for stripe in 0..shape.stripes() {
        check()?;
        let table = table(parity, shape, stripe, place)?;
        let (mut good, mut bad) = (Vec::new(), Vec::new());
        for (index, number) in shape.of(stripe).enumerate() {
            let bytes = block(file, number, present)?;
            if digest(&bytes) == table[index] {
                put(output, number, &bytes, shape.size)?;
                good.push((index, bytes));
            } else {
                bad.push((index, number));
            }
        }
        if !bad.is_empty() {
            let blocks = place + 2 * shape.table(stripe) as u64;
            let restored = restore(parity, shape, stripe, blocks, &table, &good)?;
            for (index, number) in bad {
                let bytes = restored.iter().find(|(other, _)| *other == index);
                let (_, bytes) = bytes.ok_or(Error::Damaged { chunk: stripe })?;
                put(output, number, bytes, shape.size)?;
                repaired.blocks += 1;
            }
        }
        place += shape.record(stripe) as u64;
    }
    Ok(repaired)
}

/// Reads the head at the beginning, or the one at the end.
fn shape(parity: &(impl ReadAt + ?Sized)) -> Result<Shape> {
    let mut bytes = [0; HEAD];
    for place in [Some(0), parity.size()?.checked_sub(HEAD as u64)] {
        if let Some(place) = place
            && parity.read_exact_at(&mut bytes, place).is_ok()
            && let Some(shape) = Shape::decode(&bytes)
        {
            return Ok(shape);
        }
    }
    Err(Error::Header(
        "the parity file is none, or both its heads are damaged",
    ))
}

/// Reads the digests of a stripe, from the first of the two tables that is intact.
fn table(
    parity: &(impl ReadAt + ?Sized),
    shape: Shape,
    stripe: u64,
    place: u64,
) -> Result<Vec<[u8; DIGEST]>> {
    let length = shape.table(stripe);
    let mut bytes = vec![0; length];
    for copy in 0..2 {
        if parity
            .read_exact_at(&mut bytes, place + copy * length as u64)
            .is_ok()
        {
            let (table, own) = bytes.split_at(length - DIGEST);
            if digest(table) == own {
                return Ok(table.as_chunks::<DIGEST>().0.to_vec());
            }
        }
    }
    Err(Error::Header(
        "both copies of a table of the parity file are damaged",
    ))
}

/// Computes the missing blocks of a stripe.
fn restore(
    parity: &(impl ReadAt + ?Sized),
    shape: Shape,
    stripe: u64,
    place: u64,
    table: &[[u8; DIGEST]],
    good: &[(usize, Vec<u8>)],
) -> Result<Vec<(usize, Vec<u8>)>> {
    let (count, recovery) = (shape.count(stripe), shape.recovery as usize);
    let mut decoder = ReedSolomonDecoder::new(count, recovery, BLOCK).map_err(codec)?;
    for (index, bytes) in good {
        decoder.add_original_shard(*index, bytes).map_err(codec)?;
    }
    let mut left = count - good.len();
    let mut bytes = vec![0; BLOCK];
    for index in 0..recovery {
        let offset = place + (index * BLOCK) as u64;
        if left == 0 || parity.read_exact_at(&mut bytes, offset).is_err() {
            break;
        }
        if digest(&bytes) == table[count + index] {
            decoder.add_recovery_shard(index, &bytes).map_err(codec)?;
            left -= 1;
        }
    }
    if left > 0 {
        return Err(Error::Damaged { chunk: stripe });
    }
    let result = decoder.decode().map_err(codec)?;
    let restored = result.restored_original_iter();
    let restored = restored.map(|(index, bytes)| (index, bytes.to_vec()));
    Ok(restored
        .filter(|(index, bytes)| digest(bytes) == table[*index])
        .collect())
}

fn put(output: &File, number: u64, bytes: &[u8], size: u64) -> io::Result<()> {
    let offset = number * BLOCK as u64;
    let length = size.saturating_sub(offset).min(BLOCK as u64) as usize;
    output.write_all_at(&bytes[..length], offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn content(length: usize) -> Vec<u8> {
        (0..length).map(|i| (i * 7 % 251) as u8).collect()
    }

    fn parity(file: &[u8], percent: u8) -> Vec<u8> {
        let mut parity = Vec::new();
        write(file, percent, &mut parity, &mut || Ok(())).unwrap();
        parity
    }

    fn repaired(file: &[u8], parity: &[u8]) -> Result<(Repaired, Vec<u8>)> {
        let output = tempfile::NamedTempFile::new().unwrap();
        let done = repair(file, parity, output.as_file(), &mut || Ok(()))?;
        let mut bytes = Vec::new();
        output.reopen().unwrap().read_to_end(&mut bytes).unwrap();
        Ok((done, bytes))
    }

    #[test]
    fn damage_below_the_limit_is_repaired() {
        let whole = content(5_000_000);
        let parity = parity(&whole, 10);
        assert!(parity.len() < whole.len() * 12 / 100);
        let (done, same) = repaired(&whole, &parity).unwrap();
        assert_eq!((done.blocks, same == whole), (0, true));
        let mut damaged = whole.clone();
        damaged[1_000_000..1_400_000].fill(0);
        let (done, same) = repaired(&damaged, &parity).unwrap();
        assert!(done.blocks >= 97 && same == whole);
        // The end is missing.
        let (_, same) = repaired(&whole[..4_600_000], &parity).unwrap();
        assert!(same == whole);
        damaged[1_400_000..1_700_000].fill(0);
        assert!(matches!(
            repaired(&damaged, &parity),
            Err(Error::Damaged { .. })
        ));
    }

    #[test]
    fn a_damaged_parity_file_still_helps() {
        let whole = content(300_000);
        let good = parity(&whole, 20);
        let mut damaged = whole.clone();
        damaged[100_000] ^= 1;
        for place in [0, 10, HEAD + 5, good.len() - 1, good.len() - 6000] {
            let mut parity = good.clone();
            parity[place] ^= 1;
            let (_, same) = repaired(&damaged, &parity).unwrap();
            assert!(same == whole, "byte {place}");
        }
        assert!(repaired(&damaged, &good[..good.len() / 2]).is_ok());
        assert!(repaired(&damaged, b"no parity").is_err());
    }

    #[test]
    fn short_files_have_parity_too() {
        for length in [0, 1, 4096, 4097, 10_000] {
            let whole = content(length);
            let parity = parity(&whole, 1);
            let mut damaged = whole.clone();
            if let Some(byte) = damaged.first_mut() {
                *byte ^= 1;
            }
            assert!(repaired(&damaged, &parity).unwrap().1 == whole, "{length}");
        }
    }
}
