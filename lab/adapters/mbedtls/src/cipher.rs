//! Block ciphers in the modes without authentication, and stream ciphers.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_uint};

use touchstone_worker::{
    BLOCK_MODES, Direction, Failure, Memory, Message, Plan, Work, Written, chain,
};

use crate::ffi::{self, Api, Context, Known, Mbed, bits, ok};

/// A block cipher: its names, and its lengths in bytes.
pub(crate) struct Block {
    pub(crate) id: &'static str,
    /// The beginning of the cipher's names in the generic layer; empty if the generic layer
    /// lacks the cipher.
    pub(crate) stem: &'static str,
    /// The beginning of the names of the cipher's low-level functions.
    low: &'static str,
    /// The block's length, and the least and greatest length of a key, in bytes.
    pub(crate) size: usize,
    pub(crate) keys: [usize; 2],
}

const fn block(
    id: &'static str,
    stem: &'static str,
    low: &'static str,
    size: usize,
    keys: [usize; 2],
) -> Block {
    Block {
        id,
        stem,
        low,
        size,
        keys,
    }
}

pub(crate) const BLOCK: &[Block] = &[
    block("aes-128", "AES-128", "aes", 16, [16; 2]),
    block("aes-192", "AES-192", "aes", 16, [24; 2]),
    block("aes-256", "AES-256", "aes", 16, [32; 2]),
    block("aria-128", "ARIA-128", "aria", 16, [16; 2]),
    block("aria-192", "ARIA-192", "aria", 16, [24; 2]),
    block("aria-256", "ARIA-256", "aria", 16, [32; 2]),
    block("camellia-128", "CAMELLIA-128", "camellia", 16, [16; 2]),
    block("camellia-192", "CAMELLIA-192", "camellia", 16, [24; 2]),
    block("camellia-256", "CAMELLIA-256", "camellia", 16, [32; 2]),
    block("blowfish", "BLOWFISH", "blowfish", 8, [4, 56]),
    block("des", "DES", "des", 8, [8; 2]),
    block("des-ede2", "DES-EDE", "des3", 8, [16; 2]),
    block("des-ede3", "DES-EDE3", "des3", 8, [24; 2]),
    block("xtea", "", "xtea", 8, [16; 2]),
];

/// Returns a mode's names in the generic layer, and whether decryption differs from encryption.
fn names(mode: &str) -> Option<(&'static [&'static str], bool)> {
    Some(match mode {
        "ecb" | "cfb8" => (&[], true),
        "cbc" => (&["CBC"], true),
        "cfb" => (&["CFB128", "CFB64"], true),
        "ofb" => (&["OFB"], false),
        "ctr" => (&["CTR"], false),
        "xts" => (&["XTS"], true),
        _ => return None,
    })
}

/// `…_init` and `…_free`.
type Life = unsafe extern "C" fn(Context);
/// A function that sets a key. Arguments: context, key, key length in bits.
type SetKey = unsafe extern "C" fn(Context, *const u8, c_uint) -> c_int;
/// A function that sets a key whose length the function's name states.
type SetFixedKey = unsafe extern "C" fn(Context, *const u8) -> c_int;
/// [`SetFixedKey`] for a function that returns no error.
type Setup = unsafe extern "C" fn(Context, *const u8);
/// Processes one block. Arguments: context, direction, input, output.
type EcbWay = unsafe extern "C" fn(Context, c_int, *const u8, *mut u8) -> c_int;
type Ecb = unsafe extern "C" fn(Context, *const u8, *mut u8) -> c_int;
/// Processes a message. Arguments: context, direction, length, IV, input, output.
type Chain = unsafe extern "C" fn(Context, c_int, usize, *mut u8, *const u8, *mut u8) -> c_int;

/// Processes a message. Arguments: context, direction, length, position in the IV's block, IV,
/// input, output.
type Feedback =
    unsafe extern "C" fn(Context, c_int, usize, *mut usize, *mut u8, *const u8, *mut u8) -> c_int;
/// Processes a message. Arguments: context, length, position in the IV's block, IV, input,
/// output.
type Output =
    unsafe extern "C" fn(Context, usize, *mut usize, *mut u8, *const u8, *mut u8) -> c_int;
/// Processes a message. Arguments: context, length, position in the keystream's block, counter,
/// keystream block, input, output.
type Counter =
    unsafe extern "C" fn(Context, usize, *mut usize, *mut u8, *mut u8, *const u8, *mut u8) -> c_int;

#[derive(Clone, Copy)]
enum Keying {
    Sized(SetKey),
    Fixed(SetFixedKey),
    Setup(Setup),
}

#[derive(Clone, Copy)]
enum Run {
    EcbWay(EcbWay),
    Ecb(Ecb),
    /// CBC, and CFB8 of AES.
    Chain(Chain),
    /// CFB with a feedback of whole blocks.
    Feedback(Feedback),
    /// OFB.
    Output(Output),
    /// CTR.
    Counter(Counter),
}

/// A block cipher in a mode, by its low-level functions.
#[derive(Clone, Copy)]
struct Low {
    init: Life,
    free: Life,
    keying: Keying,
    run: Run,
    /// The mode's part of the function's name.
    mode: &'static str,
}

impl Low {
    fn find(mbed: &Mbed, block: &Block, mode: &str, way: Direction) -> Option<Self> {
        let low = block.low;
        // In CFB, decryption uses the cipher's encryption too.
        let way = match mode {
            "cfb" | "cfb8" => "enc",
            _ => way.choose("enc", "dec"),
        };
        // SAFETY: the functions of these names have these types.
        unsafe {
            let keying = match low {
                "xtea" => Keying::Setup(mbed.function("mbedtls_xtea_setup")?),
                "des" => Keying::Fixed(mbed.function(&format!("mbedtls_des_setkey_{way}"))?),
                "des3" => {
                    let keys = block.keys[0] / 8;
                    let name = format!("mbedtls_des3_set{keys}key_{way}");
                    Keying::Fixed(mbed.function(&name)?)
                }
                "blowfish" => Keying::Sized(mbed.function("mbedtls_blowfish_setkey")?),
                _ => Keying::Sized(mbed.function(&format!("mbedtls_{low}_setkey_{way}"))?),
            };
            let mode = match (mode, block.size) {
                ("ecb", _) => "ecb",
                ("cbc", _) => "cbc",
                ("cfb", 16) => "cfb128",
                ("cfb", _) => "cfb64",
                ("cfb8", _) => "cfb8",
                ("ofb", _) => "ofb",
                ("ctr", _) => "ctr",
                // XTS has its own type of context, which this worker reaches by the generic
                // layer.
                _ => return None,
            };
            let name = format!("mbedtls_{low}_crypt_{mode}");
            let run = match (mode, low) {
                ("ecb", "aria" | "des" | "des3") => Run::Ecb(mbed.function(&name)?),
                ("ecb", _) => Run::EcbWay(mbed.function(&name)?),
                ("cbc" | "cfb8", _) => Run::Chain(mbed.function(&name)?),
                ("ofb", _) => Run::Output(mbed.function(&name)?),
                ("ctr", _) => Run::Counter(mbed.function(&name)?),
                _ => Run::Feedback(mbed.function(&name)?),
            };
            Some(Self {
                init: mbed.function(&format!("mbedtls_{low}_init"))?,
                free: mbed.function(&format!("mbedtls_{low}_free"))?,
                keying,
                run,
                mode,
            })
        }
    }
}

#[derive(Clone, Copy)]
enum Form {
    Generic(Known),
    Low(Low),
}

#[derive(Clone, Copy)]
pub(crate) struct BlockMode {
    api: Api,
    form: Form,
    way: Direction,
    block: &'static Block,
    cbc: bool,
}

impl Plan for BlockMode {
    type Library = Mbed;
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = BLOCK_MODES;

    fn find(mbed: &Mbed, primitive: &str, operation: &str) -> Option<Self> {
        let (mode, way) = Direction::split(operation)?;
        let (names, both) = names(mode)?;
        if !way.is_encrypt() && !both {
            return None;
        }
        let block = BLOCK.iter().find(|block| block.id == primitive)?;
        let generic = |name: &&str| mbed.cipher(&format!("{}-{name}", block.stem));
        let form = match Low::find(mbed, block, mode, way) {
            Some(low) => Form::Low(low),
            None => Form::Generic(names.iter().find_map(generic)?),
        };
        let (api, cbc) = (mbed.api, mode == "cbc");
        Some(Self {
            api,
            form,
            way,
            block,
            cbc,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        match self.form {
            Form::Generic(_) => "mbedtls_cipher_crypt".into(),
            Form::Low(low) => format!("mbedtls_{}_crypt_{}", self.block.low, low.mode),
        }
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        if work.cost("rounds").is_some() {
            return Err(Failure::unsupported("a number of rounds"));
        }
        let [least, most] = self.block.keys;
        work.shape(self.block.size)
            .fit(work, least..=most)
            .map(|_| self)
    }

    fn make(&self) -> Result<Memory, Failure> {
        const PADDING_NONE: c_int = 4;
        let known = match self.form {
            Form::Low(low) => return Ok(ffi::large((low.init, low.free))),
            Form::Generic(known) => known,
        };
        let mut context = context(&self.api, known)?;
        if self.cbc {
            let set = self.api.mbedtls_cipher_set_padding_mode;
            // SAFETY: the context is set up, which `context` has done.
            let code = unsafe { set(context.at(0), PADDING_NONE) };
            ok("mbedtls_cipher_set_padding_mode", code)?;
        }
        Ok(context)
    }

    fn set_key(&self, context: &mut Memory, key: &[u8]) -> Result<(), Failure> {
        let (context, start) = (context.at(0), key.as_ptr());
        let low = match self.form {
            Form::Generic(_) => return set_key(&self.api, context, key, self.way),
            Form::Low(low) => low,
        };
        // SAFETY: the context is initialised, and the key has the length that the function
        // reads.
        let code = unsafe {
            match low.keying {
                Keying::Sized(set) => set(context, start, 8 * key.len() as c_uint),
                Keying::Fixed(set) => set(context, start),
                Keying::Setup(set) => {
                    set(context, start);
                    0
                }
            }
        };
        ok("the key set-up", code)
    }

    #[inline(always)]
    fn process(&self, context: &mut Memory, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (context, way) = (context.at(0), c_int::from(self.way.is_encrypt()));
        let (from, given) = (message.input.as_ptr(), message.input.len());
        let (to, size) = (output.as_mut_ptr(), self.block.size);
        let low = match &self.form {
            Form::Low(low) => low,
            Form::Generic(_) => {
                let (nonce, nonce_bytes) = (message.nonce.as_ptr(), message.nonce.len());
                let (run, mut written) = (self.api.mbedtls_cipher_crypt, 0);
                // SAFETY: the context has a key, each length is the length of its slice, and
                // the output is a block longer than the input.
                let code =
                    unsafe { run(context, nonce, nonce_bytes, from, given, to, &mut written) };
                ok("mbedtls_cipher_crypt", code)?;
                return Ok(written);
            }
        };
        // The functions overwrite the IV, so each message uses a copy of its nonce.
        let mut iv = chain(message.nonce);
        let (iv, mut place) = (iv.as_mut_ptr(), 0);
        // SAFETY: the context has a key for the direction of the call. The input is whole
        // blocks if the call requires them. The output has room for the input, and the IV is a
        // block long.
        unsafe {
            match low.run {
                Run::EcbWay(run) => {
                    for at in (0..given).step_by(size) {
                        ok("crypt_ecb", run(context, way, from.add(at), to.add(at)))?;
                    }
                }
                Run::Ecb(run) => {
                    for at in (0..given).step_by(size) {
                        ok("crypt_ecb", run(context, from.add(at), to.add(at)))?;
                    }
                }
                Run::Chain(run) => ok("crypt", run(context, way, given, iv, from, to))?,
                Run::Feedback(run) => {
                    ok("crypt", run(context, way, given, &mut place, iv, from, to))?;
                }
                Run::Output(run) => ok("crypt", run(context, given, &mut place, iv, from, to))?,
                Run::Counter(run) => {
                    let mut keystream = [0; 16];
                    let keystream = keystream.as_mut_ptr();
                    let code = run(context, given, &mut place, iv, keystream, from, to);
                    ok("crypt", code)?;
                }
            }
        }
        Ok(given)
    }
}

/// Makes a context of the generic layer for this cipher.
pub(crate) fn context(api: &Api, known: Known) -> Result<Memory, Failure> {
    let mut held = ffi::context((api.mbedtls_cipher_init, api.mbedtls_cipher_free));
    // SAFETY: the context is initialised, and the description belongs to the library.
    let code = unsafe { (api.mbedtls_cipher_setup)(held.at(0), known.get()) };
    ok("mbedtls_cipher_setup", code)?;
    Ok(held)
}

/// Sets a key in a context of the generic layer.
pub(crate) fn set_key(
    api: &Api,
    context: Context,
    key: &[u8],
    way: Direction,
) -> Result<(), Failure> {
    // The values of `MBEDTLS_ENCRYPT` and `MBEDTLS_DECRYPT`.
    let way = way.choose(1, 0);
    // SAFETY: the context is set up, and the key has this many bits.
    let code = unsafe { (api.mbedtls_cipher_setkey)(context, key.as_ptr(), bits(key)?, way) };
    ok("mbedtls_cipher_setkey", code)
}

#[derive(Clone, Copy)]
pub(crate) struct ChaCha {
    api: Api,
    number: u32,
}

impl Plan for ChaCha {
    type Library = Mbed;
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = &["stream-encrypt"];

    fn find(mbed: &Mbed, primitive: &str, operation: &str) -> Option<Self> {
        let (api, number) = (mbed.api, 0);
        let is = (primitive, operation) == ("chacha20", "stream-encrypt");
        is.then_some(Self { api, number })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "mbedtls_chacha20_starts, update".into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        work.shape(1).nonce(12).fit(work, 32)?;
        let blocks = 1.max(work.input.len().div_ceil(64) as u64);
        self.number = work.first_block((1 << 32) - blocks)? as u32;
        Ok(self)
    }

    fn make(&self) -> Result<Memory, Failure> {
        let api = &self.api;
        Ok(ffi::context((
            api.mbedtls_chacha20_init,
            api.mbedtls_chacha20_free,
        )))
    }

    fn set_key(&self, context: &mut Memory, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the context is initialised, and the key has 32 bytes.
        let code = unsafe { (self.api.mbedtls_chacha20_setkey)(context.at(0), key.as_ptr()) };
        ok("mbedtls_chacha20_setkey", code)
    }

    #[inline(always)]
    fn process(&self, context: &mut Memory, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, context) = (&self.api, context.at(0));
        let (from, given) = (message.input.as_ptr(), message.input.len());
        // SAFETY: the context has a key, the nonce has 12 bytes, and the output has room for
        // the input.
        unsafe {
            let code = (api.mbedtls_chacha20_starts)(context, message.nonce.as_ptr(), self.number);
            ok("mbedtls_chacha20_starts", code)?;
            let code = (api.mbedtls_chacha20_update)(context, given, from, output.as_mut_ptr());
            ok("mbedtls_chacha20_update", code)?;
        }
        Ok(given)
    }
}

/// Room for `mbedtls_arc4_context`, in bytes. Version 2.28, the last version with RC4, needs
/// fewer.
const ARC4: usize = 272;

#[derive(Clone, Copy)]
pub(crate) struct Arc4 {
    setup: unsafe extern "C" fn(Context, *const u8, c_uint),
    crypt: unsafe extern "C" fn(Context, usize, *const u8, *mut u8) -> c_int,
}

impl Plan for Arc4 {
    type Library = Mbed;
    /// The keyed context, then the copy for a message.
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = &["stream-encrypt"];

    fn find(mbed: &Mbed, primitive: &str, operation: &str) -> Option<Self> {
        let (setup, crypt) = (mbed.api.mbedtls_arc4_setup?, mbed.api.mbedtls_arc4_crypt?);
        ((primitive, operation) == ("rc4", "stream-encrypt")).then_some(Self { setup, crypt })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "mbedtls_arc4_crypt".into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        "the keyed context is copied before each message"
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        work.first_block(0)?;
        work.shape(1).nonce(0).fit(work, 1..=256).map(|_| self)
    }

    fn make(&self) -> Result<Memory, Failure> {
        Ok(Memory::twice(ARC4))
    }

    fn set_key(&self, contexts: &mut Memory, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the memory has room for the context. `mbedtls_arc4_setup` writes the whole
        // context, so `mbedtls_arc4_init`, which writes zeros, is not needed.
        unsafe { (self.setup)(contexts.at(0), key.as_ptr(), key.len() as c_uint) };
        Ok(())
    }

    #[inline(always)]
    fn process(&self, contexts: &mut Memory, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (from, given) = (message.input.as_ptr(), message.input.len());
        let running = contexts.restart(ARC4);
        // SAFETY: the context has a key, and the output has room for the input.
        let code = unsafe { (self.crypt)(running, given, from, output.as_mut_ptr()) };
        ok("mbedtls_arc4_crypt", code)?;
        Ok(given)
    }
}
