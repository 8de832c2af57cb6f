//! What the tables of depths have for a block cipher.

use super::measured::{
    CIPHER_KEYS, CIPHERS, LARGE_KEYS, MARGIN, NARROW, NARROW_GFNI, ONE_BLOCK, ONE_COUNTER,
    OTHER_CIPHERS, SMALL_KEYS, SMALL_KEYS_DEPTH, TABLES, UPPER, WIDE,
};
use super::{LOW, begins, has_word};
use crate::wipe;

/// The ciphers that have depths of their own in some modes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Aes,
    Aria,
    Camellia,
    Des,
    Twofish,
    Other,
}

/// A row of the tables of kernels: the depths in ECB, and in the other modes.
pub(super) type KernelRow = Option<(&'static [usize; 6], &'static [usize; 6])>;

/// What the tables in [`measured`](super::measured) have for a block cipher. The compiler searches the
/// tables: with a search at run time, a new object of Camellia took three times as long.
pub(in crate::dynamic) struct OfCipher {
    pub(super) id: &'static str,
    pub(super) family: Family,
    /// The depths in [`CIPHERS`], in modes whose blocks follow one another, and in the others.
    pub(super) serial: usize,
    pub(super) parallel: [usize; 4],
    /// Whether the cipher is among [`ONE_BLOCK`] and [`ONE_COUNTER`].
    pub(super) one_block: bool,
    pub(super) one_counter: bool,
    /// [`LOW`] if the code for one block has general registers, or those of SSE, alone.
    pub(super) low: usize,
    /// The depth after another key, and after that of a new object.
    pub(super) rekey: usize,
    pub(super) new: usize,
    pub(super) narrow: KernelRow,
    pub(super) narrow_gfni: KernelRow,
    pub(super) wide: KernelRow,
    /// For the portable kernel on a processor that has no other.
    pub(super) tables: KernelRow,
}

impl OfCipher {
    /// For the cipher and the mode in a name that ends with one of these modes.
    pub(in crate::dynamic) const fn split(
        name: &'static str,
        modes: &[&'static str],
    ) -> Option<(Self, &'static str)> {
        let mut i = 0;
        while i < modes.len() {
            let mode = modes[i];
            if let Some(dash) = name.len().checked_sub(mode.len() + 1) {
                let (id, rest) = name.split_at(dash);
                let (dash, rest) = rest.split_at(1);
                if has_word("-", dash) && has_word(mode, rest) {
                    return Some((Self::of(id), mode));
                }
            }
            i += 1;
        }
        None
    }

    /// For the cipher with this id.
    pub(in crate::dynamic) const fn of(id: &'static str) -> Self {
        let mut row = &OTHER_CIPHERS;
        let mut i = 0;
        while i < CIPHERS.len() {
            if begins(CIPHERS[i].0, id) {
                row = &CIPHERS[i];
                break;
            }
            i += 1;
        }
        let mut rekey = wipe::LONG;
        i = 0;
        while i < CIPHER_KEYS.len() {
            if begins(CIPHER_KEYS[i].0, id) {
                rekey = CIPHER_KEYS[i].1;
                break;
            }
            i += 1;
        }
        let narrow = kernel_row(NARROW, id);
        Self {
            id,
            family: if begins("aes-", id) {
                Family::Aes
            } else if begins("aria", id) {
                Family::Aria
            } else if begins("camellia", id) {
                Family::Camellia
            } else if begins("des", id) {
                Family::Des
            } else if begins("twofish", id) {
                Family::Twofish
            } else {
                Family::Other
            },
            serial: row.1,
            parallel: row.2,
            one_block: begins(ONE_BLOCK.0, id),
            one_counter: begins(ONE_COUNTER, id),
            low: if begins(UPPER, id) { 0 } else { LOW },
            rekey,
            new: if begins("blowfish", id) {
                42 * 1024
            } else if begins("kalyna-512 twofish", id) {
                wipe::DEEP
            } else if begins("threefish-1024", id) {
                24 * 1024
            } else if begins(LARGE_KEYS, id) {
                17 * 1024
            } else if begins(SMALL_KEYS, id) {
                SMALL_KEYS_DEPTH + MARGIN
            } else {
                8 * 1024
            },
            narrow,
            narrow_gfni: kernel_row(NARROW_GFNI, id),
            wide: kernel_row(WIDE, id),
            tables: if begins(TABLES, id) { narrow } else { None },
        }
    }
}

/// The row of a cipher in a table of kernels.
const fn kernel_row(
    rows: &'static [(&'static str, [usize; 6], [usize; 6])],
    id: &str,
) -> KernelRow {
    let mut i = 0;
    while i < rows.len() {
        if begins(rows[i].0, id) {
            return Some((&rows[i].1, &rows[i].2));
        }
        i += 1;
    }
    None
}
