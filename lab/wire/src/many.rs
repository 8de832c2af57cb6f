//! The messages of one call that does many: each follows from the first by a
//! rule, so that a line carries one of them.

use crate::{Contract, Data, Work};

/// The digits of crypt(3)'s salts, least first.
const CRYPT: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

impl Work {
    /// The work of message `index` of a call under `contract`; this is that of
    /// message 0. With `fresh` each message has a nonce of its own.
    pub fn nth(&self, index: u32, contract: Contract, fresh: bool) -> Self {
        let mut work = self.clone();
        if index == 0 {
            return work;
        }
        let keyed = contract == Contract::ManyKeyed;
        if self.operation == "crypt" {
            // The phrase is the message, and the salt stands for the key.
            let phrase = if self.key.is_empty() {
                &mut work.input
            } else {
                &mut work.key
            };
            spell(phrase, index);
            if keyed {
                spell(&mut work.nonce, index);
            }
            return work;
        }
        shift(&mut work.input, index);
        if keyed {
            shift(&mut work.key, index);
        }
        if fresh {
            let mut nonce = work.nonce.to_vec();
            increment(&mut nonce, u64::from(index));
            work.nonce = Data::Bytes(nonce);
        }
        work
    }
}

/// Adds to a nonce: to its last eight bytes, a big-endian number; to all of a
/// shorter one.
#[inline(always)]
pub fn increment(nonce: &mut [u8], by: u64) {
    if let Some(tail) = nonce.last_chunk_mut::<8>() {
        *tail = u64::from_be_bytes(*tail).wrapping_add(by).to_be_bytes();
        return;
    }
    let mut carry = by;
    for byte in nonce.iter_mut().rev() {
        carry += u64::from(*byte);
        *byte = carry as u8;
        carry >>= 8;
    }
}

/// Adds the index to every even byte, and its second byte to every odd one.
fn shift(data: &mut Data, index: u32) {
    let mut bytes = data.to_vec();
    for (place, byte) in bytes.iter_mut().enumerate() {
        *byte = byte.wrapping_add((index >> (8 * (place & 1))) as u8);
    }
    *data = Data::Bytes(bytes);
}

/// Writes the index over the first bytes, two digits of crypt(3)'s alphabet.
fn spell(data: &mut Data, index: u32) {
    let mut bytes = data.to_vec();
    for (byte, digit) in bytes.iter_mut().zip([index & 63, index >> 6 & 63]) {
        *byte = CRYPT[digit as usize];
    }
    *data = Data::Bytes(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_one_call_differ_where_the_contract_says() {
        let first = Work {
            primitive: "aes-128".into(),
            operation: "cbc-encrypt".into(),
            key: Data::Bytes(vec![0xff; 16]),
            nonce: Data::Bytes(vec![0xff; 16]),
            input: Data::Painted(4),
            ..Work::default()
        };
        let many = first.nth(257, Contract::Many, true);
        assert_eq!(many.key, first.key);
        assert_eq!(many.input.to_vec(), [1, 2, 3, 4]);
        assert_eq!(many.nonce.to_vec()[8..], [0, 0, 0, 0, 0, 0, 1, 0]);
        assert_eq!(first.nth(3, Contract::Many, false).nonce, first.nonce);
        let keyed = first.nth(1, Contract::ManyKeyed, true);
        assert_eq!(keyed.key.to_vec()[..4], [0, 0xff, 0, 0xff]);
        assert_eq!(first.nth(0, Contract::ManyKeyed, true), first);
    }

    #[test]
    fn phrases_and_salts_of_crypt_stay_text() {
        let first = Work {
            primitive: "crypt-des".into(),
            operation: "crypt".into(),
            key: Data::Bytes(b"touchsto".to_vec()),
            nonce: Data::Bytes(b"ab".to_vec()),
            ..Work::default()
        };
        let many = first.nth(65, Contract::Many, false);
        assert_eq!(many.key.to_vec(), b"//uchsto");
        assert_eq!(many.nonce, first.nonce);
        let keyed = first.nth(64, Contract::ManyKeyed, false);
        assert_eq!(keyed.nonce.to_vec(), b"./");
    }

    #[test]
    fn short_nonces_are_incremented_whole() {
        let mut nonce = [0, 0xff, 0xff];
        increment(&mut nonce, 258);
        assert_eq!(nonce, [1, 1, 1]);
        let mut none: [u8; 0] = [];
        increment(&mut none, 1);
    }
}
