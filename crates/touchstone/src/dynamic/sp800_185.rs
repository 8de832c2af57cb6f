//! TupleHash and ParallelHash, whose input is not only a message: a list of strings, or a message
//! and the length of its blocks. So these are functions, and not names of [`Hash`](super::Hash).

use super::{Error, clean_deep};
#[cfg(feature = "sha3")]
use crate::hash::{ParallelHash128, ParallelHash256, TupleHash128, TupleHash256};

/// Writes a hash of a list, with a customisation.
type Tuple = fn(&[&[u8]], &[u8], &mut [u8]);

/// Writes a hash of a message in blocks of this size, with a customisation.
type Parallel = fn(usize, &[u8], &[u8], &mut [u8]);

/// The rows of a function: with the length of the output as a part of the hashed input, and without
/// it. `start` hashes the input.
macro_rules! rows {
    ($name:ident $Run:ty: $($id:literal $xof:literal = $start:ident $Hash:ty, $($input:ident)*;)*) => {
        #[cfg(feature = "sha3")]
        static $name: &[(&str, $Run)] = &[$(
            ($id, |$($input,)* output| $start!($Hash, $($input)*).finalize_into(output)),
            ($xof, |$($input,)* output| $start!($Hash, $($input)*).finalize_xof().squeeze(output)),
        )*];
        #[cfg(not(feature = "sha3"))]
        static $name: &[(&str, $Run)] = &[];
    };
}

macro_rules! tuple {
    ($Hash:ty, $items:ident $customisation:ident) => {{
        let mut hash = <$Hash>::new($customisation);
        $items.iter().for_each(|item| hash.item(item));
        hash
    }};
}

macro_rules! parallel {
    ($Hash:ty, $size:ident $message:ident $customisation:ident) => {{
        let mut hash = <$Hash>::new($size, $customisation);
        hash.update($message);
        hash
    }};
}

rows! {
    TUPLES Tuple:
    "tuplehash128" "tuplehashxof128" = tuple TupleHash128, items customisation;
    "tuplehash256" "tuplehashxof256" = tuple TupleHash256, items customisation;
}

rows! {
    PARALLELS Parallel:
    "parallelhash128" "parallelhashxof128" = parallel ParallelHash128, size message customisation;
    "parallelhash256" "parallelhashxof256" = parallel ParallelHash256, size message customisation;
}

/// Returns the function with this name.
fn find<F: Copy>(rows: &[(&str, F)], name: &str) -> Result<F, Error> {
    let row = rows.iter().find(|(id, _)| *id == name);
    row.map(|(_, run)| *run).ok_or(Error::Name)
}

/// Fills `output` with the hash of a list of strings: TupleHash, SP 800-185 §5. Two lists have
/// different hashes even if the strings, one after the other, are the same bytes. The customisation
/// may be empty.
///
/// The names are `tuplehash128` and `tuplehash256`. Another length of `output` gives another
/// hash. With `tuplehashxof128` and `tuplehashxof256`, a shorter output is the beginning of a
/// longer one.
///
/// ```
/// let mut hash = [0; 32];
/// touchstone::dynamic::tuple_hash("tuplehash128", &[b"user", b"7"], b"example", &mut hash)?;
/// # Ok::<(), touchstone::dynamic::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Name`].
pub fn tuple_hash(
    name: &str,
    items: &[&[u8]],
    customisation: &[u8],
    output: &mut [u8],
) -> Result<(), Error> {
    let run = find(TUPLES, name)?;
    clean_deep(|| run(items, customisation, output));
    Ok(())
}

/// Fills `output` with the hash of a message whose blocks of `block_size` bytes are hashed
/// separately, several at once: ParallelHash, SP 800-185 §6. Another size of the blocks gives another
/// hash. The customisation may be empty.
///
/// The names are `parallelhash128` and `parallelhash256`. Another length of `output` gives another
/// hash. With `parallelhashxof128` and `parallelhashxof256`, a shorter output is the beginning of a
/// longer one.
///
/// # Errors
///
/// [`Error::Name`]; [`Error::Parameter`] if `block_size` is 0.
pub fn parallel_hash(
    name: &str,
    block_size: usize,
    message: &[u8],
    customisation: &[u8],
    output: &mut [u8],
) -> Result<(), Error> {
    let run = find(PARALLELS, name)?;
    if block_size == 0 {
        return Err(Error::Parameter);
    }
    clean_deep(|| run(block_size, message, customisation, output));
    Ok(())
}
