//! The suites: which authenticated ciphers seal a chunk, in which order.

use touchstone::InOutBuf;
use touchstone::dynamic::Aead;
use touchstone::hash::Sha512;
use touchstone::kdf::hkdf;
use zeroize::Zeroizing;

use crate::error::{Error, Result};

/// The length of every layer's key in bytes.
const KEY: usize = 32;
/// The length of every layer's tag in bytes.
const TAG: usize = 16;
/// The length of the commitment in bytes.
pub(crate) const COMMITMENT: usize = 32;

/// One authenticated cipher of a suite.
#[derive(Debug, Clone, Copy)]
struct Layer {
    /// The name in the library.
    name: &'static str,
    /// The name in the key derivation: the one of IANA's registry of AEADs, or one made alike.
    label: &'static str,
    /// The length of the nonce in bytes.
    nonce: usize,
}

/// A suite, one row of the table.
#[derive(Debug)]
pub struct Suite {
    /// The number in the header.
    pub id: u8,
    /// The name on the command line.
    pub name: &'static str,
    /// The ciphers; the first encrypts the plaintext, each other one the result of the one before.
    layers: &'static [Layer],
}

const AES_GCM: Layer = layer("aes-256-gcm", "AEAD_AES_256_GCM", 12);
const XCHACHA: Layer = layer("xchacha20-poly1305", "AEAD_XCHACHA20_POLY1305", 24);
const AES: Layer = layer("aes-256-eax", "AEAD_AES_256_EAX", 16);
const TWOFISH: Layer = layer("twofish-256-eax", "AEAD_TWOFISH_256_EAX", 16);
const SERPENT: Layer = layer("serpent-256-eax", "AEAD_SERPENT_256_EAX", 16);
const CAMELLIA: Layer = layer("camellia-256-eax", "AEAD_CAMELLIA_256_EAX", 16);
const ANUBIS: Layer = layer("anubis-eax", "AEAD_ANUBIS_256_EAX", 16);

const fn layer(name: &'static str, label: &'static str, nonce: usize) -> Layer {
    Layer { name, label, nonce }
}

/// All suites. The order is the one of the numbers.
pub static SUITES: &[Suite] = &[
    suite(1, "aes-256-gcm", &[AES_GCM]),
    suite(2, "xchacha20-poly1305", &[XCHACHA]),
    suite(3, "aes-256-eax", &[AES]),
    suite(4, "twofish-256-eax", &[TWOFISH]),
    suite(5, "serpent-256-eax", &[SERPENT]),
    suite(6, "camellia-256-eax", &[CAMELLIA]),
    suite(7, "anubis-256-eax", &[ANUBIS]),
    suite(8, "aes-gcm+xchacha20", &[AES_GCM, XCHACHA]),
    suite(9, "aes+twofish+serpent", &[AES, TWOFISH, SERPENT]),
];

const fn suite(id: u8, name: &'static str, layers: &'static [Layer]) -> Suite {
    Suite { id, name, layers }
}

impl Suite {
    /// Finds a suite by its number.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`].
    pub fn by_id(id: u8) -> Result<&'static Self> {
        let row = SUITES.iter().find(|suite| suite.id == id);
        row.ok_or_else(|| Error::Unsupported(format!("suite {id}")))
    }

    /// Finds a suite by its name.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`], with the names that there are.
    pub fn by_name(name: &str) -> Result<&'static Self> {
        let row = SUITES.iter().find(|suite| suite.name == name);
        row.ok_or_else(|| {
            let names: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
            Error::Usage(format!("no suite is called {name}: {}", names.join(", ")))
        })
    }

    /// Returns how many bytes a sealed chunk is longer than its plaintext.
    pub fn overhead(&self) -> usize {
        self.layers.len() * TAG
    }

    /// Returns the length of the input key in bytes: one key for each layer.
    pub(crate) fn key_length(&self) -> usize {
        self.layers.len() * KEY
    }

    /// Returns the name in the key derivation.
    fn label(&self) -> String {
        let labels: Vec<&str> = self.layers.iter().map(|layer| layer.label).collect();
        labels.join("+")
    }
}

/// The keys of all layers for one message of chunks, and the commitment to them.
pub(crate) struct Keys {
    layers: Vec<(Aead, Zeroizing<Vec<u8>>)>,
    pub(crate) commitment: [u8; COMMITMENT],
    overhead: usize,
}

impl Keys {
    /// Derives the keys by [CHUNKED], *Key derivation*, with SHA-512. With more than one layer,
    /// key and base nonce of each layer follow one another, and then the commitment.
    ///
    /// [CHUNKED]: https://c2sp.org/chunked-encryption
    pub(crate) fn derive(suite: &Suite, input: &[u8], salt: &[u8; 24], context: &[u8]) -> Self {
        let mut info = b"c2sp.org/chunked-encryption@v1+".to_vec();
        info.extend_from_slice(suite.label().as_bytes());
        info.push(0);
        info.extend_from_slice(salt);
        info.extend_from_slice(context);
        let length: usize = suite.layers.iter().map(|layer| KEY + layer.nonce).sum();
        let mut output = Zeroizing::new(vec![0; length + COMMITMENT]);
        expand(input, &info, &mut output);
        let mut rest = &output[..];
        let mut take = |length| {
            let (taken, after) = rest.split_at(length);
            rest = after;
            taken
        };
        let layers = suite.layers.iter().map(|layer| {
            let aead = Aead::new(layer.name, take(KEY)).expect("all names and lengths are right");
            (aead, Zeroizing::new(take(layer.nonce).to_vec()))
        });
        let layers = layers.collect();
        let mut commitment = [0; COMMITMENT];
        commitment.copy_from_slice(take(COMMITMENT));
        Self {
            layers,
            commitment,
            overhead: suite.overhead(),
        }
    }

    /// Seals chunk number `index` from `plain` to `sealed`, which is longer by the overhead.
    pub(crate) fn seal(&self, index: u64, plain: &[u8], sealed: &mut [u8]) {
        debug_assert_eq!(sealed.len(), plain.len() + self.overhead);
        let mut length = plain.len();
        for (number, (aead, base)) in self.layers.iter().enumerate() {
            let nonce = nonce(base, index);
            let (data, rest) = sealed.split_at_mut(length);
            let buffer = if number == 0 {
                InOutBuf::new(plain, data).expect("both have one length")
            } else {
                InOutBuf::from(data)
            };
            aead.encrypt_inout(&nonce, &[], buffer, &mut rest[..TAG])
                .expect("a chunk is never too long");
            length += TAG;
        }
    }

    /// Opens chunk number `index`. `plain` has the length of `sealed` less [`TAG`]; the
    /// plaintext is at its beginning, and its length is returned. `None` if the chunk is not
    /// genuine; then `plain` holds nothing of the plaintext.
    pub(crate) fn open(&self, index: u64, sealed: &[u8], plain: &mut [u8]) -> Option<usize> {
        let length = sealed.len().checked_sub(self.overhead)?;
        debug_assert_eq!(plain.len(), sealed.len() - TAG);
        for (number, (aead, base)) in self.layers.iter().enumerate().rev() {
            let nonce = nonce(base, index);
            let inner = length + number * TAG;
            let opened = if number + 1 == self.layers.len() {
                let (data, tag) = sealed.split_at(inner);
                let buffer = InOutBuf::new(data, plain).expect("both have one length");
                aead.decrypt_inout(&nonce, &[], buffer, tag)
            } else {
                let (data, rest) = plain.split_at_mut(inner);
                let tag: [u8; TAG] = rest[..TAG].try_into().expect("a tag's length");
                aead.decrypt_inout(&nonce, &[], InOutBuf::from(data), &tag)
            };
            if opened.is_err() {
                plain.fill(0);
                return None;
            }
        }
        Some(length)
    }

    /// Returns how many bytes a sealed chunk is longer than its plaintext.
    pub(crate) fn overhead(&self) -> usize {
        self.overhead
    }
}

/// The base nonce XOR the number of the chunk, a big-endian number of the nonce's length.
fn nonce(base: &[u8], index: u64) -> Zeroizing<Vec<u8>> {
    let mut nonce = Zeroizing::new(base.to_vec());
    let start = nonce.len() - 8;
    for (byte, number) in nonce[start..].iter_mut().zip(index.to_be_bytes()) {
        *byte ^= number;
    }
    nonce
}

/// HKDF-Expand of RFC 5869 with SHA-512.
pub(crate) fn expand(key: &[u8], info: &[u8], output: &mut [u8]) {
    hkdf::expand::<Sha512>(key, info, output).expect("no output is longer than 255 digests");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suite_opens_what_it_seals_and_nothing_else() {
        for suite in SUITES {
            let keys = Keys::derive(suite, &vec![7; suite.key_length()], &[1; 24], b"test");
            for length in [0, 1, 15, 16, 17, 1000, 16384] {
                let plain: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
                let mut sealed = vec![0; length + suite.overhead()];
                keys.seal(5, &plain, &mut sealed);
                let mut opened = vec![9; sealed.len() - TAG];
                assert_eq!(
                    keys.open(5, &sealed, &mut opened),
                    Some(length),
                    "{}",
                    suite.name
                );
                assert_eq!(&opened[..length], plain);
                assert_eq!(keys.open(6, &sealed, &mut opened), None);
                assert!(opened.iter().all(|&byte| byte == 0));
                let middle = sealed.len() / 2;
                sealed[middle] ^= 1;
                assert_eq!(keys.open(5, &sealed, &mut opened), None);
                assert!(opened.iter().all(|&byte| byte == 0));
            }
        }
    }

    #[test]
    fn numbers_and_names_are_unique() {
        for (place, suite) in SUITES.iter().enumerate() {
            assert_eq!(usize::from(suite.id), place + 1);
            assert!(std::ptr::eq(Suite::by_name(suite.name).unwrap(), suite));
        }
    }
}
