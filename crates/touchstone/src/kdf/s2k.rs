//! The string-to-key functions (S2K) of OpenPGP, which make keys from passwords, [RFC9580]
//! §3.7.1. **Only for old messages**: the iterated function hashes at most 62 MiB.
//!
//! - [RFC9580] OpenPGP, RFC 9580, 2024
//!
//! [RFC9580]: https://www.rfc-editor.org/rfc/rfc9580

use crate::wipe::wipe;
use crate::{DigestBytes, HashFunction};

/// Fills `key` by the simple S2K, [RFC9580](self) §3.7.1.1: hashes the password.
pub fn simple<H: HashFunction>(password: &[u8], key: &mut [u8]) {
    derive::<H>(b"", password, 0, key);
}

/// Fills `key` by the salted S2K, [RFC9580](self) §3.7.1.2: hashes the salt and the password.
pub fn salted<H: HashFunction>(password: &[u8], salt: &[u8; 8], key: &mut [u8]) {
    derive::<H>(salt, password, 0, key);
}

/// Fills `key` by the iterated and salted S2K, [RFC9580](self) §3.7.1.3. The function hashes
/// the salt and the password repeatedly until `bytes` bytes have been hashed, but salt and
/// password at least once. [`count`] decodes the number of bytes from the byte in a message.
pub fn iterated<H: HashFunction>(password: &[u8], salt: &[u8; 8], bytes: u32, key: &mut [u8]) {
    derive::<H>(salt, password, bytes as usize, key);
}

/// Returns the number of bytes to hash, 1024 to 65 011 712, which a byte in a message encodes.
pub const fn count(coded: u8) -> u32 {
    (16 + (coded & 15) as u32) << ((coded >> 4) + 6)
}

fn derive<H: HashFunction>(salt: &[u8], password: &[u8], bytes: usize, key: &mut [u8]) {
    let both = salt.len() + password.len();
    for (number, output) in key.chunks_mut(H::Output::SIZE).enumerate() {
        let mut hash = H::new();
        // If the key is longer than a digest, several digests are needed. `number` zero bytes
        // come before the input of each further digest.
        for _ in 0..number {
            hash.update(&[0]);
        }
        // If salt and password are empty, repetitions are empty too.
        let mut left = if both == 0 { 0 } else { bytes.max(both) };
        while left != 0 {
            for part in [salt, password] {
                let n = left.min(part.len());
                hash.update(&part[..n]);
                left -= n;
            }
        }
        let mut digest = hash.finalize();
        output.copy_from_slice(&digest.as_ref()[..output.len()]);
        wipe(digest.as_mut(), 0);
    }
}
