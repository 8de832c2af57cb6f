//! Many messages through few lanes: who is in which lane, and for how long.

use crate::DataError;

/// As many digests as messages.
pub(crate) fn same_number<T>(messages: &[&[u8]], digests: &[T]) -> Result<(), DataError> {
    if messages.len() == digests.len() {
        Ok(())
    } else {
        Err(DataError::OutputLength {
            input: messages.len(),
            output: digests.len(),
        })
    }
}
