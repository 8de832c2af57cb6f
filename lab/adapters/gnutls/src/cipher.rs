//! Block ciphers in the modes without authentication, and stream ciphers, by
//! `gnutls_cipher_encrypt2` and `gnutls_cipher_decrypt2`.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Direction, Failure, Message, Plan, Work, Written};

use crate::ffi::{Api, Gnutls, Open, keyed};

/// Rows: the primitive, the beginning of the operation's id, the number of `GNUTLS_CIPHER_…`,
/// the block's length in bytes.
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

/// The call that begins a message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// Sets the nonce as the IV.
    Iv,
    /// For ChaCha20: sets an IV of this block number (little-endian) and the nonce.
    BlockNumber(u64),
    /// For RC4: opens a new handle with the key, because the library has no other way to
    /// restart RC4.
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

/// The handle, and the key if each message needs the key again. The handle is `None` before
/// the first key, because the library makes no handle without a key.
type Held = (Option<Open>, Vec<u8>);

impl Cipher {
    /// Returns the lengths of the key and of the IV in bytes.
    fn sizes(&self) -> (usize, usize) {
        let (key, iv) = (
            self.api.gnutls_cipher_get_key_size,
            self.api.gnutls_cipher_get_iv_size,
        );
        // SAFETY: the functions accept any number.
        unsafe { (key(self.number), iv(self.number) as usize) }
    }

    /// Opens a handle with this key.
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
        // The trial's key has different bytes, because XTS refuses a key with equal halves.
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

    /// If an IV's length is wrong, the whole library goes into an error state and stops
    /// working. So the worker checks every length.
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

    #[inline(always)]
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
        // SAFETY: the handle is open, the IV has the length that the handle takes, and the
        // output has room for the input.
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
