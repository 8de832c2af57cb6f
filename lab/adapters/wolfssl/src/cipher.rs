//! Block ciphers in the modes without authentication, and stream ciphers.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use touchstone_worker::{
    BLOCK_MODES, Direction, Failure, Lengths, Memory, Message, Plan, Work, Written,
};

use crate::ffi::{
    Api, Crypt, Direct, INVALID_DEVID, Wolf, Wrap, Xts, context, failure, ok, plain, word,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Aes,
    Camellia,
    Des,
    Des3,
}

/// Rows: the primitive, its family, the block's length in bytes, the key's length in bytes.
const BLOCK: &[(&str, Family, usize, usize)] = &[
    ("aes-128", Family::Aes, 16, 16),
    ("aes-192", Family::Aes, 16, 24),
    ("aes-256", Family::Aes, 16, 32),
    ("camellia-128", Family::Camellia, 16, 16),
    ("camellia-192", Family::Camellia, 16, 24),
    ("camellia-256", Family::Camellia, 16, 32),
    ("des", Family::Des, 8, 8),
    ("des-ede3", Family::Des3, 8, 24),
];

#[derive(Clone, Copy)]
enum Run {
    Crypt(Crypt),
    Direct(Direct),
    Xts(Xts),
    Wrap(Wrap),
}

#[derive(Clone, Copy)]
pub(crate) struct BlockMode {
    api: Api,
    family: Family,
    run: Run,
    way: Direction,
    block: usize,
    key: usize,
    iv: bool,
    /// Whether the block cipher runs in its decryption direction. Feedback modes use its
    /// encryption for both directions.
    backwards: bool,
}

/// Returns the name of a mode's function.
fn function(family: Family, mode: &str, way: Direction) -> Option<String> {
    let end = way.choose("Encrypt", "Decrypt");
    Some(match (family, mode) {
        (Family::Aes, "ecb") => format!("wc_AesEcb{end}"),
        (Family::Aes, "cbc") => format!("wc_AesCbc{end}"),
        (Family::Aes, "cfb") => format!("wc_AesCfb{end}"),
        (Family::Aes, "cfb8") => format!("wc_AesCfb8{end}"),
        (Family::Aes, "ofb") => format!("wc_AesOfb{end}"),
        (Family::Aes, "ctr") => format!("wc_AesCtr{end}"),
        (Family::Aes, "xts") => format!("wc_AesXts{end}"),
        (Family::Aes, "kw") => way.choose("wc_AesKeyWrap", "wc_AesKeyUnWrap").into(),
        (Family::Camellia, "ecb") => format!("wc_Camellia{end}Direct"),
        (Family::Camellia, "cbc") => format!("wc_CamelliaCbc{end}"),
        // The key determines the direction, so the function has the same name for both.
        (Family::Des, "ecb") => "wc_Des_EcbEncrypt".into(),
        (Family::Des, "cbc") => format!("wc_Des_Cbc{end}"),
        (Family::Des3, "ecb") => "wc_Des3_EcbEncrypt".into(),
        (Family::Des3, "cbc") => format!("wc_Des3_Cbc{end}"),
        _ => return None,
    })
}

/// The context, and the key of key wrap, which is an argument of the call for each message.
pub(crate) struct Keyed {
    context: Memory,
    key: Vec<u8>,
    /// The function that frees the two AES contexts, which XTS made from a key.
    free: Option<unsafe extern "C" fn(*mut std::ffi::c_void) -> c_int>,
}

impl Keyed {
    fn free_xts(&mut self) {
        if let Some(free) = self.free.take() {
            // SAFETY: wc_AesXtsSetKey made the context. The function always returns 0.
            unsafe { free(self.context.at(0)) };
        }
    }
}

impl Drop for Keyed {
    fn drop(&mut self) {
        self.free_xts();
    }
}

impl BlockMode {
    /// Sets the IV of a message.
    #[inline]
    fn set_iv(&self, context: &mut Memory, iv: &[u8]) -> Result<(), Failure> {
        let (api, context, iv) = (&self.api, context.at(0), iv.as_ptr());
        // SAFETY: the context has a key, and the IV is a block long.
        let code = unsafe {
            match self.family {
                Family::Aes => Some((api.wc_AesSetIV)(context, iv)),
                Family::Camellia => api.wc_CamelliaSetIV.map(|set| set(context, iv)),
                Family::Des => api.wc_Des_SetIV.map(|set| {
                    set(context, iv);
                    0
                }),
                Family::Des3 => api.wc_Des3_SetIV.map(|set| set(context, iv)),
            }
        };
        ok("the IV", code.ok_or_else(gone)?)
    }
}

/// Returns the failure for a function that the library lacks. This failure never occurs,
/// because a plan is made only from functions that the library has.
pub(crate) fn gone() -> Failure {
    Failure::unsupported("this algorithm in this build")
}

impl Plan for BlockMode {
    type Library = Wolf;
    type Object = Keyed;
    const OPERATIONS: &'static [&'static str] = BLOCK_MODES;

    fn find(wolf: &Wolf, primitive: &str, operation: &str) -> Option<Self> {
        let (_, family, block, key) = *BLOCK.iter().find(|(id, ..)| *id == primitive)?;
        let (mode, way) = Direction::split(operation)?;
        let name = function(family, mode, way)?;
        let backwards_too = !matches!(mode, "ofb" | "ctr");
        // IEEE 1619 defines no XTS with AES-192, and wolfCrypt does not offer it.
        if (mode == "xts" && key == 24) || !(way.is_encrypt() || backwards_too) {
            return None;
        }
        // SAFETY: the functions with these names have these types.
        let run = unsafe {
            match (family, mode) {
                (Family::Camellia, "ecb") => Run::Direct(wolf.function(&name)?),
                (_, "xts") => Run::Xts(wolf.function(&name)?),
                (_, "kw") => Run::Wrap(wolf.function(&name)?),
                _ => Run::Crypt(wolf.function(&name)?),
            }
        };
        let (api, iv) = (wolf.api, !matches!(mode, "ecb" | "kw"));
        let backwards = !way.is_encrypt() && matches!(mode, "ecb" | "cbc" | "xts");
        Some(Self {
            api,
            family,
            run,
            way,
            block,
            key,
            iv,
            backwards,
        })
    }

    fn api(&self, _: &str, operation: &str) -> String {
        let function = |(mode, way)| function(self.family, mode, way);
        Direction::split(operation)
            .and_then(function)
            .unwrap_or_default()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        match self.run {
            Run::Wrap(_) => "the key goes in with every message",
            _ => "",
        }
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        let shape = work.shape(self.block);
        let unwraps = matches!(self.run, Run::Wrap(_)) && !self.way.is_encrypt();
        if unwraps && !shape.input.has(work.input.len()) {
            work.need_key(self.key)?;
            // A wrapped key cannot have this length.
            return Err(Failure::Rejected);
        }
        shape.fit(work, self.key).map(|_| self)
    }

    fn make(&self) -> Result<Keyed, Failure> {
        let api = &self.api;
        let context = match (self.family, self.run) {
            // wc_AesXtsSetKey also initialises the context.
            (_, Run::Xts(_)) => plain(),
            (Family::Aes, _) => context(api.wc_AesInit, api.wc_AesFree)?,
            (Family::Des3, _) => {
                let (init, free) = api.wc_Des3Init.zip(api.wc_Des3Free).ok_or_else(gone)?;
                context(init, free)?
            }
            _ => plain(),
        };
        Ok(Keyed {
            context,
            key: Vec::new(),
            free: None,
        })
    }

    fn set_key(&self, object: &mut Keyed, key: &[u8]) -> Result<(), Failure> {
        object.free_xts();
        if let Run::Wrap(_) = self.run {
            key.clone_into(&mut object.key);
            return Ok(());
        }
        // The value of `AES_ENCRYPTION` or `AES_DECRYPTION`. DES has the same values.
        let way = c_int::from(self.backwards);
        let (api, context) = (&self.api, object.context.at(0));
        let (start, bytes) = (key.as_ptr(), word(key.len())?);
        let (none, heap) = (ptr::null(), ptr::null_mut());
        // SAFETY: the context has room or is initialised, and the key has the length that the
        // function reads. A NULL IV means an IV of zeros.
        let code = unsafe {
            match (self.family, self.run) {
                (_, Run::Xts(_)) => api
                    .wc_AesXtsSetKey
                    .map(|set| set(context, start, bytes, way, heap, INVALID_DEVID)),
                (Family::Aes, _) => Some((api.wc_AesSetKey)(context, start, bytes, none, way)),
                (Family::Camellia, _) => api
                    .wc_CamelliaSetKey
                    .map(|set| set(context, start, bytes, none)),
                (Family::Des, _) => api.wc_Des_SetKey.map(|set| set(context, start, none, way)),
                (Family::Des3, _) => api.wc_Des3_SetKey.map(|set| set(context, start, none, way)),
            }
        };
        ok("the key", code.ok_or_else(gone)?)?;
        object.free = api
            .wc_AesXtsFree
            .filter(|_| matches!(self.run, Run::Xts(_)));
        Ok(())
    }

    #[inline(always)]
    fn process(&self, object: &mut Keyed, message: &Message<'_>, output: &mut [u8]) -> Written {
        if self.iv && !matches!(self.run, Run::Xts(_)) {
            self.set_iv(&mut object.context, message.nonce)?;
        }
        let context = object.context.at(0);
        let (to, from) = (output.as_mut_ptr(), message.input.as_ptr());
        let (given, bytes) = (message.input.len(), word(message.input.len())?);
        // SAFETY: the context has a key. The input has a length that the function accepts,
        // which was checked when the plan was made. The output is 256 bytes longer.
        unsafe {
            match self.run {
                Run::Crypt(run) => ok("the mode's call", run(context, to, from, bytes))?,
                Run::Direct(run) => {
                    for at in (0..given).step_by(self.block) {
                        ok("a block", run(context, to.add(at), from.add(at)))?;
                    }
                }
                Run::Xts(run) => {
                    let tweak = message.nonce.as_ptr();
                    ok("XTS", run(context, to, from, bytes, tweak, 16))?;
                }
                Run::Wrap(run) => {
                    let (key, key_bytes) = (object.key.as_ptr(), word(object.key.len())?);
                    let room = word(output.len())?;
                    let written = run(key, key_bytes, from, bytes, to, room, ptr::null());
                    if written <= 0 {
                        return Err(failure("key wrap", written));
                    }
                    return Ok(written as usize);
                }
            }
        }
        Ok(given)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    ChaCha,
    XChaCha,
    Rc4,
}

#[derive(Clone, Copy)]
pub(crate) struct Stream {
    api: Api,
    kind: Kind,
    number: u32,
}

/// Room for the context of a stream cipher, in bytes. In version 5.5.4, `Arc4` needs 272 bytes,
/// `ChaCha` 68.
const STREAM: usize = 512;

impl Plan for Stream {
    type Library = Wolf;
    /// The keyed context, and the copy for a message in RC4; and the key of XChaCha20, which is
    /// an argument of the call for each message.
    type Object = (Memory, Vec<u8>);
    const OPERATIONS: &'static [&'static str] = &["stream-encrypt"];

    fn find(wolf: &Wolf, primitive: &str, operation: &str) -> Option<Self> {
        let api = wolf.api;
        let (kind, has) = match primitive {
            "chacha20" => (Kind::ChaCha, api.wc_Chacha_SetKey.is_some()),
            "xchacha20" => (Kind::XChaCha, api.wc_XChacha_SetKey.is_some()),
            "rc4" => (Kind::Rc4, api.wc_Arc4SetKey.is_some()),
            _ => return None,
        };
        let number = 0;
        (has && operation == "stream-encrypt").then_some(Self { api, kind, number })
    }

    fn api(&self, _: &str, _: &str) -> String {
        match self.kind {
            Kind::ChaCha => "wc_Chacha_SetIV, wc_Chacha_Process",
            Kind::XChaCha => "wc_XChacha_SetKey, wc_Chacha_Process",
            Kind::Rc4 => "wc_Arc4Process",
        }
        .into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        match self.kind {
            Kind::ChaCha => "",
            Kind::XChaCha => "the key goes in with every message",
            Kind::Rc4 => "the keyed context is copied before each message",
        }
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let shape = work.shape(1);
        match self.kind {
            Kind::ChaCha => shape.nonce(12).fit(work, [16, 32]),
            Kind::XChaCha => shape.nonce(24).fit(work, 32),
            Kind::Rc4 => shape.nonce(0).fit(work, 1..=256),
        }?;
        // If the 32-bit counter overflows, wolfCrypt reports no error. So the worker checks the
        // message's length.
        let blocks = work.input.len().div_ceil(64) as u64;
        let most = if self.kind == Kind::Rc4 {
            0
        } else {
            (1 << 32) - blocks
        };
        self.number = work.first_block(most)? as u32;
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        Ok((Memory::twice(STREAM), Vec::new()))
    }

    fn set_key(&self, (contexts, kept): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        let set = match self.kind {
            Kind::ChaCha => self.api.wc_Chacha_SetKey,
            Kind::Rc4 => self.api.wc_Arc4SetKey,
            Kind::XChaCha => {
                key.clone_into(kept);
                return Ok(());
            }
        };
        let (set, bytes) = (set.ok_or_else(gone)?, word(key.len())?);
        // SAFETY: the memory has room for the context.
        ok("the key", unsafe {
            set(contexts.at(0), key.as_ptr(), bytes)
        })
    }

    #[inline(always)]
    fn process(
        &self,
        object: &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let (contexts, key) = object;
        let (api, context, key) = (&self.api, contexts.at(0), key.as_ptr());
        let (to, from) = (output.as_mut_ptr(), message.input.as_ptr());
        let bytes = word(message.input.len())?;
        let (nonce, number) = (message.nonce.as_ptr(), self.number);
        let chacha = || api.wc_Chacha_Process.ok_or_else(gone);
        // SAFETY: the context has a key, the nonce has the length that the function reads, and
        // the output has room for the input.
        let code = unsafe {
            match self.kind {
                Kind::Rc4 => {
                    let run = api.wc_Arc4Process.ok_or_else(gone)?;
                    run(contexts.restart(STREAM), to, from, bytes)
                }
                Kind::ChaCha => {
                    let set = api.wc_Chacha_SetIV.ok_or_else(gone)?;
                    ok("wc_Chacha_SetIV", set(context, nonce, number))?;
                    chacha()?(context, to, from, bytes)
                }
                Kind::XChaCha => {
                    let set = api.wc_XChacha_SetKey.ok_or_else(gone)?;
                    ok(
                        "wc_XChacha_SetKey",
                        set(context, key, 32, nonce, 24, number),
                    )?;
                    chacha()?(context, to, from, bytes)
                }
            }
        };
        ok("the cipher's call", code)?;
        Ok(message.input.len())
    }
}
