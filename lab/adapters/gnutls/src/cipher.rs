//! Block ciphers in the modes without authentication, and stream ciphers:
//! `gnutls_cipher_encrypt2` and `gnutls_cipher_decrypt2`.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Cell, Direction, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Api, Crypt, Gnutls, Open, keyed};

/// How a message begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// With its nonce.
    Iv,
    /// With a little-endian block number of this many bytes before the nonce.
    BlockNumber(usize),
    /// With the key, because the cipher cannot be restarted in another way.
    Key,
}

/// Primitive, operation stem, `GNUTLS_CIPHER_…`, start, whether decryption is a different
/// function, and the least length of a message and what it is a multiple of.
type Row = (&'static str, &'static str, c_int, Start, bool, [usize; 2]);

const ROWS: &[Row] = &[
    ("aes-128", "cbc", 4, Start::Iv, true, [0, 16]),
    ("aes-192", "cbc", 9, Start::Iv, true, [0, 16]),
    ("aes-256", "cbc", 5, Start::Iv, true, [0, 16]),
    ("aes-128", "cfb8", 29, Start::Iv, true, [0, 1]),
    ("aes-192", "cfb8", 30, Start::Iv, true, [0, 1]),
    ("aes-256", "cfb8", 31, Start::Iv, true, [0, 1]),
    ("aes-128", "xts", 32, Start::Iv, true, [16, 1]),
    ("aes-256", "xts", 33, Start::Iv, true, [16, 1]),
    ("camellia-128", "cbc", 7, Start::Iv, true, [0, 16]),
    ("camellia-192", "cbc", 12, Start::Iv, true, [0, 16]),
    ("camellia-256", "cbc", 8, Start::Iv, true, [0, 16]),
    ("des", "cbc", 18, Start::Iv, true, [0, 8]),
    ("des-ede3", "cbc", 3, Start::Iv, true, [0, 8]),
    ("rc4", "stream", 2, Start::Key, false, [0, 1]),
    ("salsa20", "stream", 13, Start::Iv, false, [0, 1]),
    ("salsa20-12", "stream", 14, Start::Iv, false, [0, 1]),
    (
        "chacha20",
        "stream",
        36,
        Start::BlockNumber(4),
        false,
        [0, 1],
    ),
];

/// `GNUTLS_CIPHER_CHACHA20_64`: ChaCha20 with a nonce of 8 bytes.
const CHACHA20_64: c_int = 35;

/// The parameters of an object, known before it is made.
#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    number: c_int,
    start: Start,
    encrypt: bool,
    lengths: [usize; 2],
    /// Bytes of key and IV.
    key: usize,
    iv: usize,
    /// The first block's number.
    counter: u64,
}

impl Plan {
    fn find(gnutls: &Gnutls, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation)?;
        let (.., number, start, both, lengths) = *ROWS
            .iter()
            .find(|(id, mode, ..)| (*id, *mode) == (primitive, stem))?;
        let encrypt = way.is_encrypt();
        if !encrypt && !both {
            return None;
        }
        let mut plan = Self {
            api: gnutls.api,
            number,
            start,
            encrypt,
            lengths,
            key: 0,
            iv: 0,
            counter: 0,
        };
        plan.sizes();
        // XTS refuses keys with equal halves.
        let key: Vec<u8> = (0..plan.key).map(|i| i as u8).collect();
        plan.open(&key).ok().map(|_| plan)
    }

    /// Asks the library for the sizes of its key and IV.
    fn sizes(&mut self) {
        let api = &self.api;
        // SAFETY: the function accepts any number.
        unsafe {
            self.key = (api.gnutls_cipher_get_key_size)(self.number);
            self.iv = (api.gnutls_cipher_get_iv_size)(self.number) as usize;
        }
    }

    /// A handle with this key.
    fn open(&self, key: &[u8]) -> Result<Open, Failure> {
        let zeros = [0; 32];
        let iv = (self.start != Start::Key)
            .then(|| zeros.get(..self.iv))
            .flatten();
        self.api.cipher(self.number, key, iv)
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let (key, nonce, given) = (work.key.len(), work.nonce.len(), work.input.len());
        let [least, whole] = self.lengths;
        self.counter = work.cost("counter").unwrap_or(0);
        if matches!(self.start, Start::BlockNumber(_)) && nonce == 8 {
            self.number = CHACHA20_64;
            self.start = Start::BlockNumber(8);
            self.sizes();
        }
        let (wanted, most) = match self.start {
            Start::Iv => (self.iv, 0),
            Start::Key => (0, 0),
            Start::BlockNumber(8) => (8, u64::MAX),
            Start::BlockNumber(_) => (12, (1_u64 << 32) - 1.max(given.div_ceil(64) as u64)),
        };
        let refusal = if key != self.key {
            format!("a key of {key} bytes")
        } else if nonce != wanted {
            // The library would go into an error state and stop working.
            format!("an IV of {nonce} bytes")
        } else if given < least || !given.is_multiple_of(whole) {
            format!("a message of {given} bytes")
        } else if self.counter > most {
            format!("a first block number of {}", self.counter)
        } else if work.cost("drop").is_some_and(|n| n != 0) {
            "dropping keystream".to_owned()
        } else {
            return Ok(self);
        };
        Err(Failure::Unsupported(refusal))
    }
}

pub(crate) fn offers(gnutls: &Gnutls) -> Vec<Offer> {
    ROWS.iter()
        .flat_map(|row| {
            let ways = ["encrypt", "decrypt"].into_iter();
            ways.take(if row.4 { 2 } else { 1 })
                .map(move |way| (row.0, format!("{}-{way}", row.1)))
        })
        .filter_map(|(id, operation)| {
            let plan = Plan::find(gnutls, id, &operation)?;
            let api = if plan.encrypt {
                "gnutls_cipher_set_iv, gnutls_cipher_encrypt2"
            } else {
                "gnutls_cipher_set_iv, gnutls_cipher_decrypt2"
            };
            let mut row = offer(id, &operation, api);
            if plan.start == Start::Key {
                row.api = "gnutls_cipher_init, encrypt2, deinit".into();
                row.note = "a new handle for every message".into();
            }
            Some(row)
        })
        .collect()
}

pub(crate) fn cell(gnutls: &Gnutls, work: &Work) -> Option<Result<Cell, Failure>> {
    let plan = Plan::find(gnutls, &work.primitive, &work.operation)?.fit(work);
    Some(plan.map(|plan| {
        Cell::new(move || {
            Ok(Cipher {
                plan,
                open: None,
                key: Vec::new(),
            })
        })
    }))
}

struct Cipher {
    plan: Plan,
    /// `None` before the first key, because a handle needs a key.
    open: Option<Open>,
    /// The key, if it is passed with each message.
    key: Vec<u8>,
}

impl Operation for Cipher {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        if self.plan.start == Start::Key {
            self.key.clear();
            self.key.extend_from_slice(key);
            return Ok(());
        }
        self.open = None;
        self.open = Some(self.plan.open(key)?);
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Plan {
            api,
            start,
            encrypt,
            counter,
            ..
        } = &self.plan;
        if *start == Start::Key {
            self.open = Some(self.plan.open(&self.key)?);
        }
        let handle = keyed(self.open.as_ref())?;
        let nonce = message.nonce;
        let run: Crypt = if *encrypt {
            api.gnutls_cipher_encrypt2
        } else {
            api.gnutls_cipher_decrypt2
        };
        let given = message.input.len();
        // SAFETY: the handle is open; the IV has the length that it takes, the
        // output room for the input.
        unsafe {
            match *start {
                Start::Iv => (api.gnutls_cipher_set_iv)(handle, nonce.as_ptr(), nonce.len()),
                Start::BlockNumber(bytes) => {
                    let mut whole = [0; 16];
                    whole[..bytes].copy_from_slice(&counter.to_le_bytes()[..bytes]);
                    whole[bytes..].copy_from_slice(nonce);
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
