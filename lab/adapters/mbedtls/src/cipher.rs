//! Block ciphers in the modes without authentication, and stream ciphers.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_uint};
use std::ptr;

use touchstone_worker::{Cell, Direction, Failure, Memory, Message, Offer, Operation, Work, offer};

use crate::ffi::{Api, Context, Held, Known, Mbed, bits, ok};

/// One block cipher: its names, and its sizes in bytes.
pub(crate) struct Block {
    pub(crate) id: &'static str,
    /// Stem of its names in the generic layer; empty where it is not there.
    pub(crate) stem: &'static str,
    /// Stem of its low-level functions.
    low: &'static str,
    /// Bytes of a block, and of a key: least and most.
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

/// Operation stem, the mode's names in the generic layer, and whether decryption is a
/// different function.
const MODES: &[(&str, &[&str], bool)] = &[
    ("ecb", &[], true),
    ("cbc", &["CBC"], true),
    ("cfb", &["CFB128", "CFB64"], true),
    ("cfb8", &[], true),
    ("ofb", &["OFB"], false),
    ("ctr", &["CTR"], false),
    ("xts", &["XTS"], true),
];

/// `…_init` and `…_free`.
type Life = unsafe extern "C" fn(Context);
/// A key and its bits.
type SetKey = unsafe extern "C" fn(Context, *const u8, c_uint) -> c_int;
/// A key whose length the name says.
type SetFixedKey = unsafe extern "C" fn(Context, *const u8) -> c_int;
/// As [`SetFixedKey`], for a function that cannot fail.
type Setup = unsafe extern "C" fn(Context, *const u8);
/// Processes one block: direction, input, output.
type EcbWay = unsafe extern "C" fn(Context, c_int, *const u8, *mut u8) -> c_int;
type Ecb = unsafe extern "C" fn(Context, *const u8, *mut u8) -> c_int;
/// Processes a message: direction, length, IV, input, output.
type Chain = unsafe extern "C" fn(Context, c_int, usize, *mut u8, *const u8, *mut u8) -> c_int;

/// The way, the length, the place in the IV's block, the IV, from, to.
type Feedback =
    unsafe extern "C" fn(Context, c_int, usize, *mut usize, *mut u8, *const u8, *mut u8) -> c_int;
/// The same without a way.
type Output =
    unsafe extern "C" fn(Context, usize, *mut usize, *mut u8, *const u8, *mut u8) -> c_int;
/// The length, the place in the keystream's block, the counter, that block, from, to.
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
    /// CFB by whole blocks.
    Feedback(Feedback),
    /// OFB.
    Output(Output),
    /// CTR.
    Counter(Counter),
}

/// A cipher by its low-level functions.
#[derive(Clone, Copy)]
struct Low {
    init: Life,
    free: Life,
    keying: Keying,
    run: Run,
    /// What the function's name has for the mode.
    mode: &'static str,
}

impl Low {
    fn find(mbed: &Mbed, block: &Block, mode: &str, encrypt: bool) -> Option<Self> {
        let low = block.low;
        // CFB runs the cipher forwards both ways.
        let way = if encrypt || matches!(mode, "cfb" | "cfb8") {
            "enc"
        } else {
            "dec"
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
                // XTS has contexts of its own.
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
struct Plan {
    api: Api,
    form: Form,
    encrypt: bool,
    block: &'static Block,
    mode: &'static str,
}

impl Plan {
    fn find(mbed: &Mbed, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation)?;
        let (mode, names, both) = MODES.iter().find(|(id, ..)| *id == stem)?;
        let encrypt = way.is_encrypt();
        if !encrypt && !*both {
            return None;
        }
        let block = BLOCK.iter().find(|block| block.id == primitive)?;
        let form = match Low::find(mbed, block, mode, encrypt) {
            Some(low) => Form::Low(low),
            None => Form::Generic(
                names
                    .iter()
                    .find_map(|name| mbed.cipher(&format!("{}-{name}", block.stem)))?,
            ),
        };
        Some(Self {
            api: mbed.api,
            form,
            encrypt,
            block,
            mode,
        })
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        let (key, given) = (work.key.len(), work.input.len());
        let keys = if self.mode == "xts" { 2 } else { 1 };
        let [least, most] = self.block.keys;
        let iv = if self.mode == "ecb" {
            0
        } else {
            self.block.size
        };
        let whole = if matches!(self.mode, "ecb" | "cbc") {
            self.block.size
        } else {
            1
        };
        let refusal = if !(keys * least..=keys * most).contains(&key) || key % keys != 0 {
            format!("a key of {key} bytes")
        } else if work.nonce.len() != iv {
            format!("an IV of {} bytes", work.nonce.len())
        } else if given % whole != 0 || (self.mode == "xts" && given < 16) {
            format!("a message of {given} bytes")
        } else if work.cost("rounds").is_some() {
            "a number of rounds".to_owned()
        } else {
            return Ok(self);
        };
        Err(Failure::Unsupported(refusal))
    }
}

pub(crate) fn offers(mbed: &Mbed) -> Vec<Offer> {
    let block = BLOCK.iter().flat_map(|block| {
        MODES.iter().flat_map(move |(stem, _, both)| {
            let ways = ["encrypt", "decrypt"].into_iter();
            ways.take(if *both { 2 } else { 1 })
                .map(move |way| (block.id, format!("{stem}-{way}")))
        })
    });
    let block = block.filter_map(|(id, operation)| {
        let plan = Plan::find(mbed, id, &operation)?;
        Some(match plan.form {
            Form::Generic(_) => offer(id, &operation, "mbedtls_cipher_crypt"),
            Form::Low(low) => offer(
                id,
                &operation,
                &format!("mbedtls_{}_crypt_{}", plan.block.low, low.mode),
            ),
        })
    });
    let mut rows: Vec<Offer> = block.collect();
    rows.push(offer(
        "chacha20",
        "stream-encrypt",
        "mbedtls_chacha20_starts, update",
    ));
    if mbed.api.mbedtls_arc4_setup.is_some() {
        let mut row = offer("rc4", "stream-encrypt", "mbedtls_arc4_crypt");
        row.note = "the keyed context is copied before each message".into();
        rows.push(row);
    }
    rows
}

pub(crate) fn cell(mbed: &Mbed, work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation == "stream-encrypt" {
        return stream(mbed, work);
    }
    let plan = Plan::find(mbed, &work.primitive, &work.operation)?.fit(work);
    Some(plan.map(|plan| match plan.form {
        Form::Generic(known) => Cell::new(move || Generic::new(plan, known)),
        Form::Low(low) => Cell::new(move || {
            Ok(ByHand {
                plan,
                low,
                context: Held::large(low.init, low.free),
            })
        }),
    }))
}

/// A context of the generic layer for this cipher.
pub(crate) fn context(api: &Api, known: Known) -> Result<Held, Failure> {
    let mut held = Held::new(api.mbedtls_cipher_init, api.mbedtls_cipher_free);
    // SAFETY: the context is initialised, the description the library's own.
    let code = unsafe { (api.mbedtls_cipher_setup)(held.get(), known.get()) };
    ok("mbedtls_cipher_setup", code)?;
    Ok(held)
}

/// Schedules a key in a context of the generic layer.
pub(crate) fn set_key(
    api: &Api,
    context: Context,
    key: &[u8],
    encrypt: bool,
) -> Result<(), Failure> {
    const DECRYPT: c_int = 0;
    const ENCRYPT: c_int = 1;
    let way = if encrypt { ENCRYPT } else { DECRYPT };
    // SAFETY: the context is set up, and the key has this many bits.
    let code = unsafe { (api.mbedtls_cipher_setkey)(context, key.as_ptr(), bits(key)?, way) };
    ok("mbedtls_cipher_setkey", code)
}

struct Generic {
    plan: Plan,
    context: Held,
}

impl Generic {
    fn new(plan: Plan, known: Known) -> Result<Self, Failure> {
        const PADDING_NONE: c_int = 4;
        let mut context = context(&plan.api, known)?;
        if plan.mode == "cbc" {
            let set = plan.api.mbedtls_cipher_set_padding_mode;
            // SAFETY: the context is set up.
            let code = unsafe { set(context.get(), PADDING_NONE) };
            ok("mbedtls_cipher_set_padding_mode", code)?;
        }
        Ok(Self { plan, context })
    }
}

impl Operation for Generic {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        set_key(&self.plan.api, self.context.get(), key, self.plan.encrypt)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let mut written = 0;
        // SAFETY: the context is keyed; lengths are those of the slices; the
        // output has room for a block more than the input.
        let code = unsafe {
            (self.plan.api.mbedtls_cipher_crypt)(
                self.context.get(),
                message.nonce.as_ptr(),
                message.nonce.len(),
                message.input.as_ptr(),
                message.input.len(),
                output.as_mut_ptr(),
                &mut written,
            )
        };
        ok("mbedtls_cipher_crypt", code)?;
        Ok(written)
    }
}

struct ByHand {
    plan: Plan,
    low: Low,
    context: Held,
}

impl Operation for ByHand {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let (context, start) = (self.context.get(), key.as_ptr());
        // SAFETY: the context is initialised, and the key has the length that
        // the function reads.
        let code = unsafe {
            match self.low.keying {
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

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let size = self.plan.block.size;
        let (context, way) = (self.context.get(), c_int::from(self.plan.encrypt));
        let (from, to) = (message.input.as_ptr(), output.as_mut_ptr());
        let given = message.input.len();
        // The calls write the next message's IV over this one's.
        let mut iv = [0; 16];
        iv[..message.nonce.len()].copy_from_slice(message.nonce);
        let (iv, mut place) = (iv.as_mut_ptr(), 0);
        // SAFETY: the context is keyed for the way of the call; the input is
        // whole blocks where the call takes those, and the output has room for
        // it; the IV has a block.
        unsafe {
            match self.low.run {
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

fn stream(mbed: &Mbed, work: &Work) -> Option<Result<Cell, Failure>> {
    let (key, nonce) = (work.key.len(), work.nonce.len());
    let number = work.cost("counter").unwrap_or(0);
    let (fits, most) = match work.primitive.as_str() {
        "chacha20" => (
            key == 32 && nonce == 12,
            (1 << 32) - 1_u64.max(work.input.len().div_ceil(64) as u64),
        ),
        "rc4" => ((1..=256).contains(&key) && nonce == 0, 0),
        _ => return None,
    };
    let api = mbed.api;
    let refusal = if !fits {
        format!("a key of {key} bytes and a nonce of {nonce}")
    } else if number > most {
        format!("a first block number of {number}")
    } else if work.cost("drop").is_some_and(|n| n != 0) {
        "dropping keystream".to_owned()
    } else if work.primitive == "rc4" {
        let (setup, crypt) = (api.mbedtls_arc4_setup?, api.mbedtls_arc4_crypt?);
        return Some(Ok(Cell::new(move || {
            Ok(Arc4 {
                setup,
                crypt,
                contexts: Memory::new(2 * ARC4),
            })
        })));
    } else {
        return Some(Ok(Cell::new(move || {
            Ok(ChaCha {
                api,
                number: number as u32,
                context: Held::new(api.mbedtls_chacha20_init, api.mbedtls_chacha20_free),
            })
        })));
    };
    Some(Err(Failure::Unsupported(refusal)))
}

struct ChaCha {
    api: Api,
    number: u32,
    context: Held,
}

impl Operation for ChaCha {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the context is initialised, the key has its 32 bytes.
        let code = unsafe { (self.api.mbedtls_chacha20_setkey)(self.context.get(), key.as_ptr()) };
        ok("mbedtls_chacha20_setkey", code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (api, context) = (&self.api, self.context.get());
        let (from, given) = (message.input.as_ptr(), message.input.len());
        // SAFETY: the context is keyed, the nonce has its 12 bytes, the output
        // has room for the input.
        unsafe {
            let code = (api.mbedtls_chacha20_starts)(context, message.nonce.as_ptr(), self.number);
            ok("mbedtls_chacha20_starts", code)?;
            let code = (api.mbedtls_chacha20_update)(context, given, from, output.as_mut_ptr());
            ok("mbedtls_chacha20_update", code)?;
        }
        Ok(given)
    }
}

/// Bytes of `mbedtls_arc4_context` in 2.28, the last version that has it, and
/// some.
const ARC4: usize = 272;

struct Arc4 {
    setup: unsafe extern "C" fn(Context, *const u8, c_uint),
    crypt: unsafe extern "C" fn(Context, usize, *const u8, *mut u8) -> c_int,
    /// The keyed context, then the copy for the message.
    contexts: Memory,
}

impl Operation for Arc4 {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the memory has room for the context. There is nothing in it
        // that its `init` (zeros) would do and the key does not.
        unsafe { (self.setup)(self.contexts.at(0), key.as_ptr(), key.len() as c_uint) };
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (keyed, running) = (self.contexts.at(0), self.contexts.at(ARC4));
        let (from, given) = (message.input.as_ptr(), message.input.len());
        // SAFETY: the first context is keyed, the second has as much room; the
        // output has room for the input.
        unsafe {
            ptr::copy_nonoverlapping(keyed.cast::<u8>(), running.cast::<u8>(), ARC4);
            let code = (self.crypt)(running, given, from, output.as_mut_ptr());
            ok("mbedtls_arc4_crypt", code)?;
        }
        Ok(given)
    }
}
