//! Authenticated encryption, and GMAC, which is GCM with associated data and no message.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_ulong};
use std::ptr;

use touchstone_worker::{AEADS, Direction, Failure, Memory, Message, Plan, Work, Written};

use crate::block::Block;
use crate::ffi::{Api, TomCrypt, int};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Gcm,
    Ccm,
    Eax,
    Ocb,
    ChaCha,
}

#[derive(Clone, Copy)]
pub(crate) struct Aead {
    api: Api,
    mode: Mode,
    /// The block cipher, or `None` for ChaCha20-Poly1305.
    block: Option<Block>,
    way: Direction,
    /// Whether the operation is GMAC: the message is associated data, and the tag is the
    /// output.
    mac: bool,
    state: usize,
    tag: usize,
}

impl Plan for Aead {
    type Library = TomCrypt;
    /// The state, and the key if each message needs the key again.
    type Object = (Memory, Vec<u8>);
    const OPERATIONS: &'static [&'static str] = AEADS;

    fn find(tom: &TomCrypt, primitive: &str, operation: &str) -> Option<Self> {
        let mac = operation == "gmac";
        let (stem, way) = Direction::split(operation).unwrap_or(("gcm", Direction::Encrypt));
        let (mode, name) = match (stem, primitive) {
            ("gcm", _) => (Mode::Gcm, "gcm_state"),
            ("ccm", _) => (Mode::Ccm, "symmetric_key"),
            ("eax", _) => (Mode::Eax, "eax_state"),
            ("ocb", _) => (Mode::Ocb, "ocb3_state"),
            ("aead", "chacha20-poly1305") => (Mode::ChaCha, "chacha20poly1305_state"),
            _ => return None,
        };
        let block = Block::find(tom, primitive);
        if block.is_none() && mode != Mode::ChaCha {
            return None;
        }
        let size = block.map_or(16, |block| block.size);
        if size != 16 && mode != Mode::Eax {
            return None;
        }
        let (api, state, tag) = (tom.api, tom.api.size(name)?, size);
        Some(Self {
            api,
            mode,
            block,
            way,
            mac,
            state,
            tag,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        let way = self.way.choose("encrypt", "decrypt");
        match self.mode {
            Mode::Gcm if self.mac => "gcm_reset, add_iv, add_aad, done".into(),
            Mode::Gcm => "gcm_reset, add_iv, add_aad, process, done".into(),
            Mode::Ccm => "ccm_memory".into(),
            Mode::Eax => format!("eax_init, eax_{way}, done"),
            Mode::Ocb => format!("ocb3_init, add_aad, {way}_last, done"),
            Mode::ChaCha => format!("chacha20poly1305_setiv, add_aad, {way}, done"),
        }
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        match self.mode {
            _ if self.mac => "GCM with associated data only",
            Mode::Eax | Mode::Ocb => "the key goes in with every message",
            _ => "",
        }
    }

    /// In CCM, a longer message needs a shorter nonce. If the nonce is too long for the message,
    /// the library cuts the nonce without an error. So the worker checks the lengths.
    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let shape = work.shape(self.tag);
        self.tag = match &mut self.block {
            Some(block) => {
                let (fitted, tag) = block.fit(work, shape)?;
                *block = fitted;
                tag
            }
            None => shape.nonce(12).fit(work, 32)?,
        };
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        Ok((Memory::new(self.state), Vec::new()))
    }

    fn set_key(&self, (memory, kept): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        if matches!(self.mode, Mode::Eax | Mode::Ocb) {
            key.clone_into(kept);
            return Ok(());
        }
        let (api, state) = (&self.api, memory.at(0));
        let (start, bytes) = (key.as_ptr(), int(key.len())?);
        // SAFETY: the memory has the state's size.
        let code = unsafe {
            match (self.mode, &self.block) {
                (Mode::Gcm, Some(block)) => (api.gcm_init)(state, block.number, start, bytes),
                (_, Some(block)) => (block.descriptor.setup)(start, bytes, block.rounds, state),
                _ => (api.chacha20poly1305_init)(state, start, bytes as c_ulong),
            }
        };
        api.ok("key set-up", code)
    }

    #[inline(always)]
    fn process(
        &self,
        object: &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let (api, encrypt, bytes) = (&self.api, self.way.is_encrypt(), self.tag);
        let mut tag = [0; 16];
        let length = self.way.without_tag(message.input.len(), bytes)?;
        let (input, given) = message.input.split_at(length);
        let (input, aad) = if self.mac {
            (given, input)
        } else {
            (input, message.aad)
        };
        tag[..given.len()].copy_from_slice(given);
        let io = Io {
            from: input.as_ptr(),
            to: output.as_mut_ptr(),
            bytes: input.len() as c_ulong,
            tag: &mut tag,
        };
        if self.mode == Mode::Ccm {
            self.ccm(&mut object.0, message, io)?;
        } else {
            self.run(object, message, aad, io)?;
        }
        if encrypt {
            output[input.len()..input.len() + bytes].copy_from_slice(&tag[..bytes]);
            return Ok(input.len() + bytes);
        }
        // SAFETY: both buffers have `bytes` bytes.
        let differ =
            unsafe { (api.mem_neq)(tag.as_ptr().cast(), given.as_ptr().cast(), bytes) } != 0;
        if self.mode != Mode::Ccm && differ {
            return Err(Failure::Rejected);
        }
        Ok(input.len())
    }
}

/// The input, output, length and computed tag of a message.
struct Io<'a> {
    from: *const u8,
    to: *mut u8,
    bytes: c_ulong,
    tag: &'a mut [u8; 16],
}

impl Aead {
    /// Processes a whole message in GCM, EAX, OCB or ChaCha20-Poly1305.
    #[inline]
    fn run(
        &self,
        (memory, key): &mut (Memory, Vec<u8>),
        message: &Message<'_>,
        aad: &[u8],
        Io {
            from,
            to,
            bytes,
            tag,
        }: Io<'_>,
    ) -> Result<(), Failure> {
        let (api, way, state) = (&self.api, self.way, memory.at(0));
        let number = self.block.map_or(0, |block| block.number);
        let (key, key_bytes) = (key.as_ptr(), key.len() as c_ulong);
        let (nonce, nonce_bytes) = (message.nonce.as_ptr(), message.nonce.len() as c_ulong);
        let (aad, aad_bytes) = (aad.as_ptr(), aad.len() as c_ulong);
        let mut made = self.tag as c_ulong;
        let tag = tag.as_mut_ptr();
        // SAFETY: the state has a key, or has room for one. Each length is the length of its
        // slice. The output has room for the message, and the tag for 16 bytes.
        unsafe {
            match self.mode {
                Mode::Gcm => {
                    // The call has one buffer for the plaintext and one for the ciphertext. The
                    // direction decides which buffer it reads and which it writes.
                    let (plain, cipher) = way.choose((from.cast_mut(), to), (to, from.cast_mut()));
                    api.ok("gcm_reset", (api.gcm_reset)(state))?;
                    let code = (api.gcm_add_iv)(state, nonce, nonce_bytes);
                    api.ok("gcm_add_iv", code)?;
                    api.ok("gcm_add_aad", (api.gcm_add_aad)(state, aad, aad_bytes))?;
                    let code = (api.gcm_process)(state, plain, bytes, cipher, way.choose(0, 1));
                    api.ok("gcm_process", code)?;
                    api.ok("gcm_done", (api.gcm_done)(state, tag, &mut made))
                }
                Mode::Eax => {
                    let (begin, n) = (api.eax_init, nonce_bytes);
                    let code = begin(state, number, key, key_bytes, nonce, n, aad, aad_bytes);
                    api.ok("eax_init", code)?;
                    let run = way.choose(api.eax_encrypt, api.eax_decrypt);
                    api.ok("eax", run(state, from, to, bytes))?;
                    api.ok("eax_done", (api.eax_done)(state, tag, &mut made))
                }
                Mode::Ocb => {
                    let begin = api.ocb3_init;
                    let code = begin(state, number, key, key_bytes, nonce, nonce_bytes, made);
                    api.ok("ocb3_init", code)?;
                    if aad_bytes != 0 {
                        api.ok("ocb3_add_aad", (api.ocb3_add_aad)(state, aad, aad_bytes))?;
                    }
                    let run = way.choose(api.ocb3_encrypt_last, api.ocb3_decrypt_last);
                    api.ok("ocb3", run(state, from, bytes, to))?;
                    api.ok("ocb3_done", (api.ocb3_done)(state, tag, &mut made))
                }
                Mode::Ccm | Mode::ChaCha => {
                    let code = (api.chacha20poly1305_setiv)(state, nonce, nonce_bytes);
                    api.ok("chacha20poly1305_setiv", code)?;
                    if aad_bytes != 0 {
                        let code = (api.chacha20poly1305_add_aad)(state, aad, aad_bytes);
                        api.ok("chacha20poly1305_add_aad", code)?;
                    }
                    let run =
                        way.choose(api.chacha20poly1305_encrypt, api.chacha20poly1305_decrypt);
                    api.ok("chacha20poly1305", run(state, from, bytes, to))?;
                    let code = (api.chacha20poly1305_done)(state, tag, &mut made);
                    api.ok("chacha20poly1305_done", code)
                }
            }
        }
    }

    /// Processes a whole message in CCM by one call, which also checks the tag. The direction
    /// determines which buffer the call writes.
    #[inline]
    fn ccm(
        &self,
        memory: &mut Memory,
        message: &Message<'_>,
        Io {
            from,
            to,
            bytes,
            tag,
        }: Io<'_>,
    ) -> Result<(), Failure> {
        const CRYPT_ERROR: c_int = 1;
        let (api, way) = (&self.api, self.way);
        let mut made = self.tag as c_ulong;
        let (plain, cipher) = way.choose((from.cast_mut(), to), (to, from.cast_mut()));
        // SAFETY: the state has the key schedule, so the call reads no key. Each length is the
        // length of its slice, and the tag has 16 bytes.
        let code = unsafe {
            (api.ccm_memory)(
                self.block.map_or(0, |block| block.number),
                ptr::null(),
                0,
                memory.at(0),
                message.nonce.as_ptr(),
                message.nonce.len() as c_ulong,
                message.aad.as_ptr(),
                message.aad.len() as c_ulong,
                plain,
                bytes,
                cipher,
                tag.as_mut_ptr(),
                &mut made,
                way.choose(0, 1),
            )
        };
        if code == CRYPT_ERROR && !way.is_encrypt() {
            return Err(Failure::Rejected);
        }
        api.ok("ccm_memory", code)
    }
}
