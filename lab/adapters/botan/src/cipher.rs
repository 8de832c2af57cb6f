//! Block ciphers, their unauthenticated modes, and stream ciphers.
#![allow(unsafe_code)]

use std::ffi::CString;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Api, DECRYPT, FINAL, Object, name};
use crate::library::Botan;

/// Primitive, Botan's name, and the key length that the primitive's id fixes.
pub(crate) const BLOCK: &[(&str, &str, Option<usize>)] = &[
    ("aes-128", "AES-128", Some(16)),
    ("aes-192", "AES-192", Some(24)),
    ("aes-256", "AES-256", Some(32)),
    ("aria-128", "ARIA-128", Some(16)),
    ("aria-192", "ARIA-192", Some(24)),
    ("aria-256", "ARIA-256", Some(32)),
    ("camellia-128", "Camellia-128", Some(16)),
    ("camellia-192", "Camellia-192", Some(24)),
    ("camellia-256", "Camellia-256", Some(32)),
    ("twofish-128", "Twofish", Some(16)),
    ("twofish-192", "Twofish", Some(24)),
    ("twofish-256", "Twofish", Some(32)),
    ("serpent-128", "Serpent", Some(16)),
    ("serpent-192", "Serpent", Some(24)),
    ("serpent-256", "Serpent", Some(32)),
    ("sm4", "SM4", Some(16)),
    ("seed", "SEED", Some(16)),
    ("des", "DES", Some(8)),
    ("des-ede2", "TripleDES", Some(16)),
    ("des-ede3", "TripleDES", Some(24)),
    ("blowfish", "Blowfish", None),
    ("cast5", "CAST-128", None),
    ("cast6", "CAST-256", None),
    ("idea", "IDEA", Some(16)),
    // The S-box of GOST R 34.11-94's example. Botan's other set is that of
    // CryptoPro's hash, which is not CryptoPro-A either.
    (
        "gost28147-test",
        "GOST-28147-89(R3411_94_TestParam)",
        Some(32),
    ),
    ("kuznyechik", "Kuznyechik", Some(32)),
    ("kasumi", "KASUMI", Some(16)),
    ("misty1", "MISTY1", Some(16)),
    ("noekeon", "Noekeon", Some(16)),
    ("shacal2", "SHACAL2", None),
    ("xtea", "XTEA", Some(16)),
    ("threefish-512", "Threefish-512", Some(64)),
];

/// A mode by the operation's stem.
const MODES: &[(&str, Mode)] = &[
    ("ecb", Mode::Ecb),
    ("cbc", Mode::Cbc),
    ("cfb", Mode::Cfb),
    ("cfb8", Mode::Cfb8),
    ("ofb", Mode::Ofb),
    ("ctr", Mode::Ctr),
    ("cbc-cs3", Mode::Cts),
    ("xts", Mode::Xts),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Ecb,
    Cbc,
    Cfb,
    Cfb8,
    Ofb,
    Ctr,
    Cts,
    Xts,
}

impl Mode {
    fn name(self, cipher: &str) -> String {
        match self {
            Self::Ecb => cipher.to_owned(),
            Self::Cbc => format!("{cipher}/CBC/NoPadding"),
            Self::Cfb => format!("{cipher}/CFB"),
            Self::Cfb8 => format!("{cipher}/CFB(8)"),
            Self::Ofb => format!("OFB({cipher})"),
            Self::Ctr => format!("CTR-BE({cipher})"),
            Self::Cts => format!("{cipher}/CBC/CTS"),
            Self::Xts => format!("{cipher}/XTS"),
        }
    }

    /// Whether decryption is the same function, so that only one is offered.
    fn symmetric(self) -> bool {
        matches!(self, Self::Ofb | Self::Ctr)
    }

    /// Whether the mode is defined for blocks of this length. Botan itself goes
    /// further with XTS.
    fn over(self, block: usize) -> bool {
        self != Self::Xts || block == 16
    }

    fn takes(self, input: usize, block: usize) -> bool {
        match self {
            Self::Ecb | Self::Cbc => input.is_multiple_of(block),
            Self::Xts => input >= block,
            // Botan's ciphertext stealing needs more than one block.
            Self::Cts => input > block,
            Self::Cfb | Self::Cfb8 | Self::Ofb | Self::Ctr => true,
        }
    }
}

/// Primitive, Botan's name, key lengths as the name has them, nonce lengths.
const STREAM: &[(&str, &str, &[usize])] = &[
    ("rc4", "RC4", &[0]),
    ("chacha20", "ChaCha(20)", &[8, 12]),
    ("chacha12", "ChaCha(12)", &[8, 12]),
    ("chacha8", "ChaCha(8)", &[8, 12]),
    ("xchacha20", "ChaCha(20)", &[24]),
    ("salsa20", "Salsa20", &[8]),
    ("xsalsa20", "Salsa20", &[24]),
];

/// The row of a block cipher, where this libbotan has it.
pub(crate) fn block(
    botan: &Botan,
    primitive: &str,
) -> Option<&'static (&'static str, &'static str, Option<usize>)> {
    let row = BLOCK.iter().find(|(id, ..)| *id == primitive)?;
    botan.api.block(&name(row.1)).ok().map(|_| row)
}

/// Bytes in a block of a cipher that is known to be there; 1 where it is not.
pub(crate) fn block_bytes(botan: &Botan, stem: &str) -> usize {
    let Ok(object) = botan.api.block(&name(stem)) else {
        return 1;
    };
    // SAFETY: the block cipher is live.
    let bytes = unsafe { (botan.api.botan_block_cipher_block_size)(object.handle) };
    usize::try_from(bytes).unwrap_or(0).max(1)
}

fn split(operation: &str) -> Option<(Mode, bool)> {
    let (stem, decrypt) = operation
        .strip_suffix("-encrypt")
        .map(|stem| (stem, false))
        .or_else(|| operation.strip_suffix("-decrypt").map(|stem| (stem, true)))?;
    let (_, mode) = MODES.iter().find(|(id, _)| *id == stem)?;
    (!decrypt || !mode.symmetric()).then_some((*mode, decrypt))
}

pub(crate) fn offers(botan: &Botan) -> Vec<Offer> {
    let modes = BLOCK
        .iter()
        .filter(|(id, ..)| block(botan, id).is_some())
        .flat_map(|row| {
            let bytes = block_bytes(botan, row.1);
            MODES
                .iter()
                .filter(move |(_, mode)| mode.over(bytes))
                .flat_map(|(stem, _)| ["encrypt", "decrypt"].map(|way| format!("{stem}-{way}")))
                .filter_map(move |operation| {
                    let (mode, _) = split(&operation)?;
                    if mode == Mode::Ecb {
                        let api = if operation == "ecb-encrypt" {
                            "botan_block_cipher_encrypt_blocks"
                        } else {
                            "botan_block_cipher_decrypt_blocks"
                        };
                        return Some(botan.offer(row.0, &operation, api));
                    }
                    botan.api.cipher(&name(&mode.name(row.1)), 0).ok()?;
                    if mode.symmetric() {
                        return Some(stream_offer(botan, row.0, &operation));
                    }
                    Some(Offer {
                        note: botan.copies().into(),
                        ..botan.offer(row.0, &operation, "botan_cipher_start, update")
                    })
                })
        });
    let streams = STREAM
        .iter()
        .filter(|(_, stem, _)| botan.api.cipher(&name(stem), 0).is_ok())
        .flat_map(|(id, ..)| {
            ["stream-encrypt", "stream-keystream"]
                .map(|operation| stream_offer(botan, id, operation))
        });
    modes.chain(streams).collect()
}

/// The offer of a stream cipher, or of a mode that is one for Botan.
fn stream_offer(botan: &Botan, primitive: &str, operation: &str) -> Offer {
    let (api, copies) = if botan.classes {
        ("StreamCipher::set_iv, cipher", "")
    } else {
        ("botan_cipher_start, update", botan.copies())
    };
    let zeros = if operation == "stream-keystream" {
        "there is no keystream call: zeros are encrypted"
    } else {
        ""
    };
    let notes = [copies, zeros].into_iter().filter(|note| !note.is_empty());
    Offer {
        note: notes.collect::<Vec<_>>().join("; "),
        ..offer(primitive, operation, api)
    }
}

pub(crate) fn cell(botan: &Botan, work: &Work) -> Option<Result<Cell, Failure>> {
    if matches!(
        work.operation.as_str(),
        "stream-encrypt" | "stream-keystream"
    ) {
        return stream(botan, work);
    }
    let (mode, decrypt) = split(&work.operation)?;
    let (_, stem, _) = block(botan, &work.primitive)?;
    Some(mode_cell(botan, work, stem, mode, decrypt))
}

fn mode_cell(
    botan: &Botan,
    work: &Work,
    stem: &str,
    mode: Mode,
    decrypt: bool,
) -> Result<Cell, Failure> {
    let api = botan.api;
    let base = api.block(&name(stem))?;
    let block_bytes = block_bytes(botan, stem);
    let key = work.key.len();
    if !mode.over(block_bytes) {
        return Err(Failure::length("a block", block_bytes));
    }
    fixed_costs(work)?;
    fixed_key(&work.primitive, key, usize::from(mode == Mode::Xts) + 1)?;
    if !mode.takes(work.input.len(), block_bytes) {
        return Err(Failure::length("a message", work.input.len()));
    }
    if mode == Mode::Ecb {
        base.takes_key(api.botan_block_cipher_get_keyspec, key)?;
        let name = name(stem);
        return Ok(Cell::new(move || {
            Ok(Blocks {
                api,
                object: api.block(&name)?,
                decrypt,
                block_bytes,
            })
        }));
    }
    if work.nonce.len() != block_bytes {
        return Err(Failure::length("an IV", work.nonce.len()));
    }
    cipher_cell(
        api,
        name(&mode.name(stem)),
        u32::from(decrypt) * DECRYPT,
        key,
        Vec::new(),
    )
}

/// Refuses costs that no cipher of Botan can set.
pub(crate) fn fixed_costs(work: &Work) -> Result<(), Failure> {
    for name in ["rounds", "effective-bits"] {
        if let Some(value) = work.cost(name) {
            return Err(Failure::unsupported(format_args!("{name} of {value}")));
        }
    }
    Ok(())
}

/// Refuses a key that is not of the length which the primitive's id states.
pub(crate) fn fixed_key(primitive: &str, len: usize, keys: usize) -> Result<(), Failure> {
    let fixed = BLOCK
        .iter()
        .find(|(id, ..)| *id == primitive)
        .and_then(|(_, _, fixed)| *fixed);
    if fixed.is_some_and(|fixed| fixed * keys != len) {
        return Err(Failure::length("a key", len));
    }
    Ok(())
}

fn stream(botan: &Botan, work: &Work) -> Option<Result<Cell, Failure>> {
    let (_, stem, nonces) = STREAM.iter().find(|(id, ..)| *id == work.primitive)?;
    botan.api.cipher(&name(stem), 0).ok()?;
    let nonce = work.nonce.len();
    if !nonces.contains(&nonce) {
        return Some(Err(Failure::length("a nonce", nonce)));
    }
    if let Err(failure) = fixed_costs(work) {
        return Some(Err(failure));
    }
    if work.cost("counter").is_some_and(|n| n != 0) {
        return Some(Err(Failure::unsupported(
            "a first block other than 0: the C interface cannot seek",
        )));
    }
    let full = match work.cost("drop") {
        Some(n) if n != 0 => format!("{stem}({n})"),
        _ => (*stem).to_owned(),
    };
    let zeros = if work.operation == "stream-keystream" {
        vec![0; work.length.unwrap_or(0)]
    } else {
        Vec::new()
    };
    Some(cipher_cell(
        botan.api,
        name(&full),
        0,
        work.key.len(),
        zeros,
    ))
}

fn cipher_cell(
    api: Api,
    name: CString,
    flags: u32,
    key: usize,
    zeros: Vec<u8>,
) -> Result<Cell, Failure> {
    api.cipher(&name, flags)?
        .takes_key(api.botan_cipher_get_keyspec, key)?;
    Ok(Cell::new(move || {
        Ok(Cipher {
            api,
            object: api.cipher(&name, flags)?,
            zeros: zeros.clone(),
        })
    }))
}

/// A bare block cipher.
struct Blocks {
    api: Api,
    object: Object,
    decrypt: bool,
    block_bytes: usize,
}

impl Operation for Blocks {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the key is as long as stated.
        let code = unsafe {
            (self.api.botan_block_cipher_set_key)(self.object.handle, key.as_ptr(), key.len())
        };
        self.api.ok("botan_block_cipher_set_key", code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let transform = if self.decrypt {
            self.api.botan_block_cipher_decrypt_blocks
        } else {
            self.api.botan_block_cipher_encrypt_blocks
        };
        // SAFETY: the input is whole blocks (checked when the cell was made),
        // and the output is longer.
        let code = unsafe {
            transform(
                self.object.handle,
                message.input.as_ptr(),
                output.as_mut_ptr(),
                message.input.len() / self.block_bytes,
            )
        };
        self.api.ok("botan_block_cipher", code)?;
        Ok(message.input.len())
    }
}

/// A mode or a stream cipher, one call for the whole message.
struct Cipher {
    api: Api,
    object: Object,
    /// Zeros to encrypt when keystream is requested.
    zeros: Vec<u8>,
}

impl Operation for Cipher {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the key is as long as stated.
        let code =
            unsafe { (self.api.botan_cipher_set_key)(self.object.handle, key.as_ptr(), key.len()) };
        self.api.ok("botan_cipher_set_key", code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let input = if self.zeros.is_empty() {
            message.input
        } else {
            &self.zeros
        };
        start(&self.api, &self.object, message.nonce)?;
        let (code, written) = finish(&self.api, &self.object, input, output);
        self.api.ok("botan_cipher_update", code)?;
        Ok(written)
    }
}

/// Begins a message.
#[inline]
pub(crate) fn start(api: &Api, object: &Object, nonce: &[u8]) -> Result<(), Failure> {
    // SAFETY: the nonce is as long as stated.
    let code = unsafe { (api.botan_cipher_start)(object.handle, nonce.as_ptr(), nonce.len()) };
    api.ok("botan_cipher_start", code)
}

/// Processes the whole message as the last piece; returns Botan's code and the bytes
/// written.
#[inline]
pub(crate) fn finish(
    api: &Api,
    object: &Object,
    input: &[u8],
    output: &mut [u8],
) -> (std::ffi::c_int, usize) {
    let (mut written, mut consumed) = (0, 0);
    // SAFETY: input and output are as long as stated.
    let code = unsafe {
        (api.botan_cipher_update)(
            object.handle,
            FINAL,
            output.as_mut_ptr(),
            output.len(),
            &mut written,
            input.as_ptr(),
            input.len(),
            &mut consumed,
        )
    };
    (code, written)
}
