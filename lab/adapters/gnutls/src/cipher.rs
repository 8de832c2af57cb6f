//! Block ciphers in the modes without authentication, and stream ciphers:
//! `gnutls_cipher_encrypt2` and `gnutls_cipher_decrypt2`.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Direction, Failure, Message, Plan, Work, Written};

use crate::ffi::{Api, Gnutls, Open, keyed};

/// Primitive, operation stem, `GNUTLS_CIPHER_…`, and bytes of a block.
const ROWS: &[(&str, &str, c_int, usize)] = &[
    ("aes-128", "cbc", 4, 16),
    ("aes-192", "cbc", 9, 16),
    ("aes-256", "cbc", 5, 16),
    ("aes-128", "cfb8", 29, 16),
    ("aes-192", "cfb8", 30, 16),
    ("aes-256", "cfb8", 31, 16),
    ("aes-128", "xts", 32, 16),
    ("aes-256", "xts", 33, 16),
    ("camellia-128", "cbc", 7, 16),
    ("camellia-192", "cbc", 12, 16),
    ("camellia-256", "cbc", 8, 16),
    ("des", "cbc", 18, 8),
    ("des-ede3", "cbc", 3, 8),
    ("rc4", "stream", 2, 1),
    ("salsa20", "stream", 13, 1),
    ("salsa20-12", "stream", 14, 1),
    ("chacha20", "stream", 36, 1),
];

/// `GNUTLS_CIPHER_CHACHA20_64`: ChaCha20 with a nonce of 8 bytes.
const CHACHA20_64: c_int = 35;

/// How a message begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// With its nonce.
    Iv,
    /// ChaCha20: with this little-endian block number before the nonce.
    BlockNumber(u64),
    /// RC4: with the key, because the cipher cannot be restarted in another way.
    Key,
}

#[derive(Clone, Copy)]
pub(crate) struct Cipher {
    api: Api,
    number: c_int,
    start: Start,
    way: Direction,
    block: usize,
}

/// `None` before the first key, because a handle needs a key; the key, if it is passed with
/// each message.
type Held = (Option<Open>, Vec<u8>);

impl Cipher {
    /// Bytes of key and IV.
    fn sizes(&self) -> (usize, usize) {
        let (key, iv) = (
            self.api.gnutls_cipher_get_key_size,
            self.api.gnutls_cipher_get_iv_size,
        );
        // SAFETY: the functions accept any number.
        unsafe { (key(self.number), iv(self.number) as usize) }
    }

    /// A handle with this key.
    fn open(&self, key: &[u8]) -> Result<Open, Failure> {
        let zeros = [0; 32];
        let iv = (self.start != Start::Key).then(|| zeros.get(..self.sizes().1));
        self.api.cipher(self.number, key, iv.flatten())
    }
}

impl Plan for Cipher {
    type Library = Gnutls;
    type Object = Held;
    const OPERATIONS: &'static [&'static str] = &[
        "cbc-encrypt",
        "cbc-decrypt",
        "cfb8-encrypt",
        "cfb8-decrypt",
        "xts-encrypt",
        "xts-decrypt",
        "stream-encrypt",
    ];

    fn find(gnutls: &Gnutls, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation)?;
        let row = |row: &&(&str, &str, c_int, usize)| (row.0, row.1) == (primitive, stem);
        let (.., number, block) = *ROWS.iter().find(row)?;
        let plan = Self {
            api: gnutls.api,
            number,
            start: match primitive {
                "rc4" => Start::Key,
                "chacha20" => Start::BlockNumber(0),
                _ => Start::Iv,
            },
            way,
            block,
        };
        if stem == "stream" && !way.is_encrypt() {
            return None;
        }
        // XTS refuses keys with equal halves.
        let key: Vec<u8> = (0..plan.sizes().0).map(|i| i as u8).collect();
        plan.open(&key).ok().map(|_| plan)
    }

    fn api(&self, _: &str, _: &str) -> String {
        match (self.start, self.way) {
            (Start::Key, _) => "gnutls_cipher_init, encrypt2, deinit",
            (_, Direction::Encrypt) => "gnutls_cipher_set_iv, gnutls_cipher_encrypt2",
            (_, Direction::Decrypt) => "gnutls_cipher_set_iv, gnutls_cipher_decrypt2",
        }
        .into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        match self.start {
            Start::Key => "a new handle for every message",
            _ => "",
        }
    }

    /// The library goes into an error state and stops working, if an IV's length is wrong.
    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let (nonce, given) = (work.nonce.len(), work.input.len());
        let mut shape = work.shape(self.block);
        match self.start {
            Start::BlockNumber(_) => {
                let blocks = 1.max(given.div_ceil(64) as u64);
                let most = if nonce == 8 {
                    u64::MAX
                } else {
                    (1 << 32) - blocks
                };
                self.start = Start::BlockNumber(work.first_block(most)?);
                if nonce == 8 {
                    self.number = CHACHA20_64;
                }
                shape = shape.nonce(if nonce == 8 { 8 } else { 12 });
            }
            start => {
                work.first_block(0)?;
                shape = shape.nonce(if start == Start::Key {
                    0
                } else {
                    self.sizes().1
                });
            }
        }
        shape.fit(work, self.sizes().0 / shape.keys)?;
        Ok(self)
    }

    fn make(&self) -> Result<Held, Failure> {
        Ok((None, Vec::new()))
    }

    fn set_key(&self, (open, kept): &mut Held, key: &[u8]) -> Result<(), Failure> {
        if self.start == Start::Key {
            key.clone_into(kept);
            return Ok(());
        }
        *open = None;
        *open = Some(self.open(key)?);
        Ok(())
    }

    #[inline]
    fn process(&self, (open, key): &mut Held, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, nonce) = (&self.api, message.nonce);
        if self.start == Start::Key {
            *open = Some(self.open(key)?);
        }
        let handle = keyed(open.as_ref())?;
        let run = self
            .way
            .choose(api.gnutls_cipher_encrypt2, api.gnutls_cipher_decrypt2);
        let given = message.input.len();
        // SAFETY: the handle is open; the IV has the length that it takes, the
        // output room for the input.
        unsafe {
            match self.start {
                Start::Iv => (api.gnutls_cipher_set_iv)(handle, nonce.as_ptr(), nonce.len()),
                Start::BlockNumber(number) => {
                    let (mut whole, at) = ([0; 16], 16 - nonce.len());
                    whole[..at].copy_from_slice(&number.to_le_bytes()[..at]);
                    whole[at..].copy_from_slice(nonce);
                    (api.gnutls_cipher_set_iv)(handle, whole.as_ptr(), whole.len());
                }
                Start::Key => {}
            }
            let (from, to) = (message.input.as_ptr(), output.as_mut_ptr());
            api.ok("gnutls_cipher", run(handle, from, given, to, given))?;
        }
        Ok(given)
    }
}
