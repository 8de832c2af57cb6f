//! Block ciphers, their unauthenticated modes, and stream ciphers.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::sync::Arc;

use touchstone_worker::{
    BLOCK_MODES, Direction, Failure, Message, Offer, Plan, STREAMS, Work, Written, offer,
};

use crate::ffi::{Api, DECRYPT, FINAL, Object, name, takes_key};
use crate::library::Botan;

/// Rows: the primitive, Botan's name, and the key's length in bytes if the primitive's id
/// fixes the length.
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
    // This is the S-box from the example of GOST R 34.11-94. Botan's other S-box comes from
    // CryptoPro's hash, and differs from CryptoPro-A too.
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

/// Returns Botan's name of a mode with a block cipher.
fn mode_name(mode: &str, cipher: &str) -> Option<String> {
    Some(match mode {
        "cbc" => format!("{cipher}/CBC/NoPadding"),
        "cfb" => format!("{cipher}/CFB"),
        "cfb8" => format!("{cipher}/CFB(8)"),
        "ofb" => format!("OFB({cipher})"),
        "ctr" => format!("CTR-BE({cipher})"),
        "cbc-cs3" => format!("{cipher}/CBC/CTS"),
        "xts" => format!("{cipher}/XTS"),
        _ => return None,
    })
}

/// Rows: the primitive, Botan's name, and the accepted lengths of the nonce in bytes.
const STREAM: &[(&str, &str, &[usize])] = &[
    ("rc4", "RC4", &[0]),
    ("chacha20", "ChaCha(20)", &[8, 12]),
    ("chacha12", "ChaCha(12)", &[8, 12]),
    ("chacha8", "ChaCha(8)", &[8, 12]),
    ("xchacha20", "ChaCha(20)", &[24]),
    ("salsa20", "Salsa20", &[8]),
    ("xsalsa20", "Salsa20", &[24]),
];

/// Returns the row of a block cipher, if this libbotan has the cipher.
pub(crate) fn block(
    botan: &Botan,
    primitive: &str,
) -> Option<&'static (&'static str, &'static str, Option<usize>)> {
    let row = BLOCK.iter().find(|(id, ..)| *id == primitive)?;
    botan.api.block(&name(row.1)).ok().map(|_| row)
}

/// Returns a block cipher's block length in bytes, or 1 if this libbotan lacks the cipher.
pub(crate) fn block_bytes(botan: &Botan, stem: &str) -> usize {
    let Ok(object) = botan.api.block(&name(stem)) else {
        return 1;
    };
    // SAFETY: the block cipher is live.
    let bytes = unsafe { (botan.api.botan_block_cipher_block_size)(object.object) };
    usize::try_from(bytes).unwrap_or(0).max(1)
}

/// A block cipher without a mode, which is ECB.
#[derive(Clone)]
pub(crate) struct Blocks {
    api: Api,
    name: Arc<CStr>,
    calls: &'static str,
    way: Direction,
    block: usize,
}

impl Plan for Blocks {
    type Library = Botan;
    type Object = Object;
    const OPERATIONS: &'static [&'static str] = &["ecb-encrypt", "ecb-decrypt"];

    fn find(botan: &Botan, primitive: &str, operation: &str) -> Option<Self> {
        let ("ecb", way) = Direction::split(operation)? else {
            return None;
        };
        let (_, stem, _) = block(botan, primitive)?;
        Some(Self {
            api: botan.api,
            name: name(stem).into(),
            calls: botan.calls(way.choose(
                "botan_block_cipher_encrypt_blocks",
                "botan_block_cipher_decrypt_blocks",
            )),
            way,
            block: block_bytes(botan, stem),
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        self.calls.into()
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        fixed_costs(work)?;
        fixed_key(&work.primitive, work.key.len(), 1)?;
        work.shape(self.block).nonce(0..).fit(work, 0..)?;
        let spec = self.api.botan_block_cipher_get_keyspec;
        takes_key(&self.make()?, spec, work.key.len()).map(|()| self)
    }

    fn make(&self) -> Result<Object, Failure> {
        self.api.block(&self.name)
    }

    fn set_key(&self, object: &mut Object, key: &[u8]) -> Result<(), Failure> {
        let set = self.api.botan_block_cipher_set_key;
        // SAFETY: the key has the length that is passed.
        let code = unsafe { set(object.object, key.as_ptr(), key.len()) };
        self.api.ok("botan_block_cipher_set_key", code)
    }

    #[inline(always)]
    fn process(&self, object: &mut Object, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, input) = (&self.api, message.input);
        let run = self.way.choose(
            api.botan_block_cipher_encrypt_blocks,
            api.botan_block_cipher_decrypt_blocks,
        );
        let (from, to, blocks) = (
            input.as_ptr(),
            output.as_mut_ptr(),
            input.len() / self.block,
        );
        // SAFETY: the input is whole blocks, which was checked when the plan was made, and the
        // output is longer than the input.
        let code = unsafe { run(object.object, from, to, blocks) };
        api.ok("botan_block_cipher", code)?;
        Ok(input.len())
    }
}

/// A cipher mode or a stream cipher. One call processes the whole message.
#[derive(Clone)]
pub(crate) struct Cipher {
    api: Api,
    name: Arc<CStr>,
    flags: u32,
    calls: &'static str,
    notes: [&'static str; 2],
    /// The block length in bytes, or `None` for a stream cipher.
    block: Option<usize>,
    /// The requested length of keystream in bytes. Botan has no call for keystream, so the
    /// worker encrypts zeros.
    keystream: Option<usize>,
}

impl Plan for Cipher {
    type Library = Botan;
    /// The cipher, and the zeros whose encryption is the keystream.
    type Object = (Object, Vec<u8>);
    const OPERATIONS: &'static [&'static str] = BLOCK_MODES;

    fn find(botan: &Botan, primitive: &str, operation: &str) -> Option<Self> {
        let (mode, way) = Direction::split(operation)?;
        // In OFB and CTR, decryption is the same function as encryption, so only encryption is
        // offered.
        let symmetric = matches!(mode, "ofb" | "ctr");
        if symmetric && !way.is_encrypt() {
            return None;
        }
        mode_name(mode, "")?;
        let (_, stem, _) = block(botan, primitive)?;
        let (block, name) = (block_bytes(botan, stem), name(&mode_name(mode, stem)?));
        // XTS is defined for blocks of 16 bytes. Botan accepts other block lengths too.
        if mode == "xts" && block != 16 {
            return None;
        }
        botan.api.cipher(&name, 0).ok()?;
        let stream = symmetric && botan.classes;
        Some(Self {
            api: botan.api,
            name: name.into(),
            flags: way.choose(0, DECRYPT),
            calls: if stream {
                STREAM_CALLS
            } else {
                botan.calls("botan_cipher_start, update")
            },
            notes: [if stream { "" } else { botan.copies() }, ""],
            block: Some(block),
            keystream: None,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        self.calls.into()
    }

    fn offer(&self, primitive: &str, operation: &str) -> Offer {
        let notes = self.notes.into_iter().filter(|note| !note.is_empty());
        Offer {
            note: notes.collect::<Vec<_>>().join("; "),
            ..offer(primitive, operation, self.calls)
        }
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        fixed_costs(work)?;
        if let Some(block) = self.block {
            let shape = match work.shape(block) {
                // Botan's ciphertext stealing accepts only messages that are longer than one
                // block.
                shape if work.operation.starts_with("cbc-cs") => shape.input(block + 1..),
                shape => shape,
            };
            fixed_key(&work.primitive, work.key.len(), shape.keys)?;
            shape.fit(work, 0..)?;
        }
        let spec = self.api.botan_cipher_get_keyspec;
        let object = self.api.cipher(&self.name, self.flags)?;
        takes_key(&object, spec, work.key.len()).map(|()| self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        let zeros = vec![0; self.keystream.unwrap_or(0)];
        Ok((self.api.cipher(&self.name, self.flags)?, zeros))
    }

    fn set_key(&self, (object, _): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        set_key(&self.api, object, key)
    }

    #[inline(always)]
    fn process(
        &self,
        (object, zeros): &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let input = if zeros.is_empty() {
            message.input
        } else {
            &zeros[..]
        };
        start(&self.api, object, message.nonce)?;
        let (code, written) = finish(&self.api, object, input, output);
        self.api.ok("botan_cipher_update", code)?;
        Ok(written)
    }
}

const STREAM_CALLS: &str = "StreamCipher::set_iv, cipher";

/// A stream cipher, with the same calls as [`Cipher`].
#[derive(Clone)]
pub(crate) struct Stream(Cipher);

impl Plan for Stream {
    type Library = Botan;
    type Object = (Object, Vec<u8>);
    const OPERATIONS: &'static [&'static str] = STREAMS;

    fn find(botan: &Botan, primitive: &str, operation: &str) -> Option<Self> {
        let (_, stem, _) = STREAM.iter().find(|(id, ..)| *id == primitive)?;
        if !STREAMS.contains(&operation) {
            return None;
        }
        let (api, name) = (botan.api, name(stem));
        api.cipher(&name, 0).ok()?;
        let bare = operation == "stream-keystream";
        let zeros = "there is no keystream call: zeros are encrypted";
        let (calls, copies) = match botan.classes {
            true => (STREAM_CALLS, ""),
            false => ("botan_cipher_start, update", botan.copies()),
        };
        Some(Self(Cipher {
            api,
            name: name.into(),
            flags: 0,
            calls,
            notes: [copies, if bare { zeros } else { "" }],
            block: None,
            keystream: bare.then_some(0),
        }))
    }

    fn api(&self, _: &str, _: &str) -> String {
        self.0.calls.into()
    }

    fn offer(&self, primitive: &str, operation: &str) -> Offer {
        self.0.offer(primitive, operation)
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let row = STREAM.iter().find(|(id, ..)| *id == work.primitive);
        let (_, stem, nonces) = row.ok_or_else(|| Failure::not_offered(work))?;
        work.need_nonce(*nonces)?;
        if work.cost("counter").is_some_and(|n| n != 0) {
            let seek = "a first block other than 0: the C interface cannot seek";
            return Err(Failure::unsupported(seek));
        }
        if let Some(drop) = work.cost("drop").filter(|n| *n != 0) {
            self.0.name = name(&format!("{stem}({drop})")).into();
        }
        self.0.keystream = self.0.keystream.map(|_| work.length.unwrap_or(0));
        self.0.fit(work).map(Self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        self.0.make()
    }

    fn set_key(&self, object: &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        self.0.set_key(object, key)
    }

    #[inline(always)]
    fn process(
        &self,
        object: &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        self.0.process(object, message, output)
    }
}

/// Refuses a work with `rounds` or `effective-bits`, because no cipher of Botan has these
/// parameters.
pub(crate) fn fixed_costs(work: &Work) -> Result<(), Failure> {
    for name in ["rounds", "effective-bits"] {
        if let Some(value) = work.cost(name) {
            return Err(Failure::unsupported(format_args!("{name} of {value}")));
        }
    }
    Ok(())
}

/// Refuses a key whose length differs from the length that the primitive's id states.
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

/// Sets the key of a cipher mode or of a stream cipher.
pub(crate) fn set_key(api: &Api, object: &Object, key: &[u8]) -> Result<(), Failure> {
    // SAFETY: the key has the length that is passed.
    let code = unsafe { (api.botan_cipher_set_key)(object.object, key.as_ptr(), key.len()) };
    api.ok("botan_cipher_set_key", code)
}

/// Sets the nonce, which begins a message.
#[inline]
pub(crate) fn start(api: &Api, object: &Object, nonce: &[u8]) -> Result<(), Failure> {
    // SAFETY: the nonce has the length that is passed.
    let code = unsafe { (api.botan_cipher_start)(object.object, nonce.as_ptr(), nonce.len()) };
    api.ok("botan_cipher_start", code)
}

/// Processes the whole message with the final flag. Returns Botan's code and the number of
/// bytes written.
#[inline]
pub(crate) fn finish(
    api: &Api,
    object: &Object,
    input: &[u8],
    output: &mut [u8],
) -> (std::ffi::c_int, usize) {
    let (mut written, mut consumed) = (0, 0);
    // SAFETY: input and output have the lengths that are passed.
    let code = unsafe {
        (api.botan_cipher_update)(
            object.object,
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
