//! Block ciphers in the modes without authentication, and stream ciphers.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use touchstone_worker::{Cell, Direction, Failure, Memory, Message, Offer, Operation, Work, offer};

use crate::ffi::{Api, Crypt, Direct, Held, INVALID_DEVID, Wolf, Wrap, Xts, failure, ok, word};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Aes,
    Camellia,
    Des,
    Des3,
}

/// Primitive, family, bytes of a block, bytes of a key.
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

/// Family, operation, function. For ECB of the DES family, the key determines the
/// direction.
const CALLS: &[(Family, &str, &str)] = &[
    (Family::Aes, "ecb-encrypt", "wc_AesEcbEncrypt"),
    (Family::Aes, "ecb-decrypt", "wc_AesEcbDecrypt"),
    (Family::Aes, "cbc-encrypt", "wc_AesCbcEncrypt"),
    (Family::Aes, "cbc-decrypt", "wc_AesCbcDecrypt"),
    (Family::Aes, "cfb-encrypt", "wc_AesCfbEncrypt"),
    (Family::Aes, "cfb-decrypt", "wc_AesCfbDecrypt"),
    (Family::Aes, "cfb8-encrypt", "wc_AesCfb8Encrypt"),
    (Family::Aes, "cfb8-decrypt", "wc_AesCfb8Decrypt"),
    (Family::Aes, "ofb-encrypt", "wc_AesOfbEncrypt"),
    (Family::Aes, "ctr-encrypt", "wc_AesCtrEncrypt"),
    (Family::Aes, "xts-encrypt", "wc_AesXtsEncrypt"),
    (Family::Aes, "xts-decrypt", "wc_AesXtsDecrypt"),
    (Family::Aes, "kw-encrypt", "wc_AesKeyWrap"),
    (Family::Aes, "kw-decrypt", "wc_AesKeyUnWrap"),
    (Family::Camellia, "ecb-encrypt", "wc_CamelliaEncryptDirect"),
    (Family::Camellia, "ecb-decrypt", "wc_CamelliaDecryptDirect"),
    (Family::Camellia, "cbc-encrypt", "wc_CamelliaCbcEncrypt"),
    (Family::Camellia, "cbc-decrypt", "wc_CamelliaCbcDecrypt"),
    (Family::Des, "ecb-encrypt", "wc_Des_EcbEncrypt"),
    (Family::Des, "ecb-decrypt", "wc_Des_EcbEncrypt"),
    (Family::Des, "cbc-encrypt", "wc_Des_CbcEncrypt"),
    (Family::Des, "cbc-decrypt", "wc_Des_CbcDecrypt"),
    (Family::Des3, "ecb-encrypt", "wc_Des3_EcbEncrypt"),
    (Family::Des3, "ecb-decrypt", "wc_Des3_EcbEncrypt"),
    (Family::Des3, "cbc-encrypt", "wc_Des3_CbcEncrypt"),
    (Family::Des3, "cbc-decrypt", "wc_Des3_CbcDecrypt"),
];

#[derive(Clone, Copy)]
enum Run {
    Crypt(Crypt),
    Direct(Direct),
    Xts(Xts),
    Wrap(Wrap),
}

/// The parameters of an object, known before it is made.
#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    family: Family,
    run: Run,
    /// `AES_ENCRYPTION` or `AES_DECRYPTION`, the same for DES.
    way: c_int,
    encrypt: bool,
    block: usize,
    key: usize,
    iv: bool,
    /// The input must be a multiple of this.
    whole: usize,
}

impl Plan {
    fn find(wolf: &Wolf, primitive: &str, operation: &str) -> Option<(Self, &'static str)> {
        let (_, family, block, key) = *BLOCK.iter().find(|(id, ..)| *id == primitive)?;
        let (.., name) = CALLS
            .iter()
            .find(|(of, id, _)| (*of, *id) == (family, operation))?;
        let (stem, way) = Direction::split(operation)?;
        let encrypt = way.is_encrypt();
        // SAFETY: the functions of these names have these types.
        let run = unsafe {
            match (family, stem) {
                (Family::Camellia, "ecb") => Run::Direct(wolf.function(name)?),
                // No XTS with AES-192 in IEEE 1619, nor here.
                (_, "xts") if key == 24 => return None,
                (_, "xts") => Run::Xts(wolf.function(name)?),
                (_, "kw") => Run::Wrap(wolf.function(name)?),
                _ => Run::Crypt(wolf.function(name)?),
            }
        };
        let backwards = !encrypt && matches!(stem, "ecb" | "cbc" | "xts");
        let plan = Self {
            api: wolf.api,
            family,
            run,
            way: backwards.into(),
            encrypt,
            block,
            key: if stem == "xts" { 2 * key } else { key },
            iv: !matches!(stem, "ecb" | "kw"),
            whole: match stem {
                "ecb" | "cbc" => block,
                "kw" => 8,
                _ => 1,
            },
        };
        Some((plan, name))
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        let (key, given) = (work.key.len(), work.input.len());
        let iv = if self.iv { self.block } else { 0 };
        let least = if matches!(self.run, Run::Xts(_)) {
            16
        } else {
            0
        };
        let wrap = matches!(self.run, Run::Wrap(_));
        let refusal = if key != self.key {
            format!("a key of {key} bytes")
        } else if wrap && !self.encrypt && (!given.is_multiple_of(8) || given < 24) {
            // No wrapped key has such a length.
            return Err(Failure::Rejected);
        } else if work.nonce.len() != iv {
            format!("an IV of {} bytes", work.nonce.len())
        } else if !given.is_multiple_of(self.whole) || given < least || (wrap && given < 16) {
            format!("a message of {given} bytes")
        } else {
            return Ok(self);
        };
        Err(Failure::Unsupported(refusal))
    }
}

pub(crate) fn offers(wolf: &Wolf) -> Vec<Offer> {
    let block = BLOCK.iter().flat_map(|(id, family, ..)| {
        let calls = CALLS.iter().filter(move |(of, ..)| of == family);
        calls.map(move |(_, operation, _)| (*id, *operation))
    });
    let block = block.filter_map(|(id, operation)| {
        let (plan, name) = Plan::find(wolf, id, operation)?;
        let mut row = offer(id, operation, name);
        if let Run::Wrap(_) = plan.run {
            row.note = "the key goes in with every message".into();
        }
        Some(row)
    });
    let api = &wolf.api;
    let stream = [
        (
            "chacha20",
            "wc_Chacha_SetIV, wc_Chacha_Process",
            "",
            api.wc_Chacha_SetKey.is_some(),
        ),
        (
            "xchacha20",
            "wc_XChacha_SetKey, wc_Chacha_Process",
            "the key goes in with every message",
            api.wc_XChacha_SetKey.is_some(),
        ),
        (
            "rc4",
            "wc_Arc4Process",
            "the keyed context is copied before each message",
            api.wc_Arc4SetKey.is_some(),
        ),
    ];
    let stream = stream
        .iter()
        .filter(|row| row.3)
        .map(|(id, name, note, _)| {
            let mut row = offer(id, "stream-encrypt", name);
            row.note = (*note).into();
            row
        });
    block.chain(stream).collect()
}

pub(crate) fn cell(wolf: &Wolf, work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation == "stream-encrypt" {
        return stream(wolf, work);
    }
    let (plan, _) = Plan::find(wolf, &work.primitive, &work.operation)?;
    Some(plan.fit(work).map(|plan| {
        Cell::new(move || {
            let api = &plan.api;
            let context = match (plan.family, plan.run) {
                // wc_AesXtsSetKey makes the context too.
                (_, Run::Xts(_)) => Held::plain(),
                (Family::Aes, _) => Held::new(api.wc_AesInit, api.wc_AesFree)?,
                (Family::Des3, _) => match (api.wc_Des3Init, api.wc_Des3Free) {
                    (Some(init), Some(free)) => Held::new(init, free)?,
                    _ => return Err(Failure::unsupported("triple DES")),
                },
                _ => Held::plain(),
            };
            Ok(Cipher {
                plan,
                context,
                key: Vec::new(),
                keyed: false,
            })
        })
    }))
}

struct Cipher {
    plan: Plan,
    context: Held,
    /// Key wrap's key, which is passed with every message.
    key: Vec<u8>,
    keyed: bool,
}

impl Cipher {
    /// XTS frees its two AES contexts before another key makes new ones.
    fn free_xts(&mut self) {
        if let (true, Run::Xts(_), Some(free)) =
            (self.keyed, self.plan.run, self.plan.api.wc_AesXtsFree)
        {
            // SAFETY: the context was made by wc_AesXtsSetKey. The function
            // returns 0, always.
            unsafe { free(self.context.get()) };
        }
    }

    /// Sets the IV of a message.
    #[inline]
    fn set_iv(&mut self, iv: &[u8]) -> Result<(), Failure> {
        let (api, context) = (&self.plan.api, self.context.get());
        // SAFETY: the context is keyed, the IV has a block.
        let code = unsafe {
            match self.plan.family {
                Family::Aes => (api.wc_AesSetIV)(context, iv.as_ptr()),
                Family::Camellia => match api.wc_CamelliaSetIV {
                    Some(set) => set(context, iv.as_ptr()),
                    None => return Err(Failure::unsupported("Camellia")),
                },
                Family::Des => match api.wc_Des_SetIV {
                    Some(set) => {
                        set(context, iv.as_ptr());
                        0
                    }
                    None => return Err(Failure::unsupported("DES")),
                },
                Family::Des3 => match api.wc_Des3_SetIV {
                    Some(set) => set(context, iv.as_ptr()),
                    None => return Err(Failure::unsupported("triple DES")),
                },
            }
        };
        ok("the IV", code)
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        self.free_xts();
    }
}

impl Operation for Cipher {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.free_xts();
        self.keyed = false;
        let Plan {
            api,
            family,
            run,
            way,
            ..
        } = self.plan;
        if let Run::Wrap(_) = run {
            self.key.clear();
            self.key.extend_from_slice(key);
            return Ok(());
        }
        let (context, start, bytes) = (self.context.get(), key.as_ptr(), word(key.len())?);
        let (none, heap) = (ptr::null(), ptr::null_mut());
        // SAFETY: the context has room or is initialised, the key the length
        // that the function reads; NULL is an IV of zeros.
        let code = unsafe {
            match (family, run) {
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
        let code = code.ok_or_else(|| Failure::unsupported("this cipher in this build"))?;
        ok("the key", code)?;
        self.keyed = true;
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Plan {
            run,
            encrypt,
            block,
            iv,
            ..
        } = self.plan;
        if iv && !matches!(run, Run::Xts(_)) {
            self.set_iv(message.nonce)?;
        }
        let context = self.context.get();
        let (to, from) = (output.as_mut_ptr(), message.input.as_ptr());
        let (given, bytes) = (message.input.len(), word(message.input.len())?);
        // SAFETY: the context is keyed; the input has a length that the function takes
        // (checked when the plan was made), and the output has 256 bytes more.
        unsafe {
            match run {
                Run::Crypt(run) => ok("the mode's call", run(context, to, from, bytes))?,
                Run::Direct(run) => {
                    for at in (0..given).step_by(block) {
                        ok("a block", run(context, to.add(at), from.add(at)))?;
                    }
                }
                Run::Xts(run) => {
                    let tweak = message.nonce.as_ptr();
                    ok("XTS", run(context, to, from, bytes, tweak, 16))?;
                }
                Run::Wrap(run) => {
                    let (key, key_bytes) = (self.key.as_ptr(), word(self.key.len())?);
                    let room = word(output.len())?;
                    let written = run(key, key_bytes, from, bytes, to, room, ptr::null());
                    if written <= 0 {
                        return Err(failure("key wrap", written));
                    }
                    debug_assert!(encrypt == (written as usize > given));
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

fn stream(wolf: &Wolf, work: &Work) -> Option<Result<Cell, Failure>> {
    let api = wolf.api;
    let (key, nonce) = (work.key.len(), work.nonce.len());
    let number = work.cost("counter").unwrap_or(0);
    let (kind, fits) = match work.primitive.as_str() {
        "chacha20" => {
            api.wc_Chacha_SetKey?;
            (Kind::ChaCha, matches!(key, 16 | 32) && nonce == 12)
        }
        "xchacha20" => {
            api.wc_XChacha_SetKey?;
            (Kind::XChaCha, key == 32 && nonce == 24)
        }
        "rc4" => {
            api.wc_Arc4SetKey?;
            (Kind::Rc4, (1..=256).contains(&key) && nonce == 0)
        }
        _ => return None,
    };
    // wolfCrypt lets the 32-bit counter overflow silently.
    let blocks = work.input.len().div_ceil(64) as u64;
    let refusal = if !fits {
        format!("a key of {key} bytes and a nonce of {nonce}")
    } else if number + blocks > 1 << 32 || (kind == Kind::Rc4 && number != 0) {
        format!("a first block number of {number}")
    } else if work.cost("drop").is_some_and(|n| n != 0) {
        "dropping keystream".to_owned()
    } else {
        return Some(Ok(Cell::new(move || {
            Ok(Stream {
                api,
                kind,
                number: number as u32,
                contexts: Memory::new(2 * STREAM),
                key: Vec::new(),
            })
        })));
    };
    Some(Err(Failure::Unsupported(refusal)))
}

/// Bytes that a stream cipher's context gets: in 5.5.4 `Arc4` has 272, `ChaCha`
/// 68.
const STREAM: usize = 512;

struct Stream {
    api: Api,
    kind: Kind,
    number: u32,
    /// The keyed context; for RC4 also the copy for the message.
    contexts: Memory,
    /// XChaCha20's key, which is passed with every message.
    key: Vec<u8>,
}

impl Operation for Stream {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let (context, bytes) = (self.contexts.at(0), word(key.len())?);
        let set = match self.kind {
            Kind::ChaCha => self.api.wc_Chacha_SetKey,
            Kind::Rc4 => self.api.wc_Arc4SetKey,
            Kind::XChaCha => {
                self.key.clear();
                self.key.extend_from_slice(key);
                return Ok(());
            }
        };
        let set = set.ok_or_else(|| Failure::unsupported("this cipher"))?;
        // SAFETY: the memory has room for the context.
        ok("the key", unsafe { set(context, key.as_ptr(), bytes) })
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (api, context) = (&self.api, self.contexts.at(0));
        let (to, from) = (output.as_mut_ptr(), message.input.as_ptr());
        let bytes = word(message.input.len())?;
        let (nonce, number) = (message.nonce.as_ptr(), self.number);
        // SAFETY: the context is keyed, the nonce has the length that the
        // function reads, the output has room for the input.
        let code = unsafe {
            match self.kind {
                Kind::Rc4 => {
                    let running = self.contexts.at(STREAM);
                    ptr::copy_nonoverlapping(context.cast::<u8>(), running.cast::<u8>(), STREAM);
                    api.wc_Arc4Process.map(|run| run(running, to, from, bytes))
                }
                Kind::ChaCha => {
                    if let Some(set) = api.wc_Chacha_SetIV {
                        ok("wc_Chacha_SetIV", set(context, nonce, number))?;
                    }
                    api.wc_Chacha_Process
                        .map(|run| run(context, to, from, bytes))
                }
                Kind::XChaCha => {
                    if let Some(set) = api.wc_XChacha_SetKey {
                        let key = self.key.as_ptr();
                        let code = set(context, key, 32, nonce, 24, number);
                        ok("wc_XChacha_SetKey", code)?;
                    }
                    api.wc_Chacha_Process
                        .map(|run| run(context, to, from, bytes))
                }
            }
        };
        ok(
            "the cipher's call",
            code.ok_or_else(|| Failure::unsupported("this cipher"))?,
        )?;
        Ok(message.input.len())
    }
}
