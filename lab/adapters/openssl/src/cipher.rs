//! Block ciphers and stream ciphers without authentication, by `EVP_CipherUpdate`.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int, c_void};
use std::ptr;

use touchstone_worker::{
    BLOCK_MODES, Cell, Contract, Direction, Failure, Message, Offer, Plan, Text, Work, Written,
    offer, stays_in_place,
};

use crate::ffi::{Api, Context, Fetched, Object, OpenSsl, Param, int};

/// Rows: the primitive, and the beginning of its EVP names.
pub(crate) const BLOCK: &[(&str, &str)] = &[
    ("aes-128", "AES-128"),
    ("aes-192", "AES-192"),
    ("aes-256", "AES-256"),
    ("aria-128", "ARIA-128"),
    ("aria-192", "ARIA-192"),
    ("aria-256", "ARIA-256"),
    ("camellia-128", "CAMELLIA-128"),
    ("camellia-192", "CAMELLIA-192"),
    ("camellia-256", "CAMELLIA-256"),
    ("sm4", "SM4"),
    ("seed", "SEED"),
    ("des", "DES"),
    ("des-ede2", "DES-EDE"),
    ("des-ede3", "DES-EDE3"),
    ("blowfish", "BF"),
    ("cast5", "CAST5"),
    ("idea", "IDEA"),
    ("rc2", "RC2"),
    ("rc5-32-12", "RC5"),
];

const EVP_OPERATIONS: &[&str] = &{
    let mut all = ["stream-encrypt"; BLOCK_MODES.len() + 1];
    all.split_at_mut(BLOCK_MODES.len())
        .0
        .copy_from_slice(BLOCK_MODES);
    all
};

/// Returns the end of a mode's EVP name.
fn evp_mode(mode: &str) -> Option<&'static str> {
    Some(match mode {
        "ecb" => "ECB",
        "cbc" => "CBC",
        "cfb" => "CFB",
        "cfb8" => "CFB8",
        "ofb" => "OFB",
        "ctr" => "CTR",
        "xts" => "XTS",
        "cbc-cs1" | "cbc-cs2" | "cbc-cs3" => "CBC-CTS",
        "kw" => "WRAP",
        "kwp" => "WRAP-PAD",
        _ => return None,
    })
}

const STREAM: &[(&str, &str)] = &[("rc4", "RC4"), ("chacha20", "ChaCha20")];

fn evp_name(primitive: &str, operation: &str) -> Option<String> {
    if operation == "stream-encrypt" {
        let (_, name) = STREAM.iter().find(|(id, _)| *id == primitive)?;
        return Some((*name).to_owned());
    }
    let (_, stem) = BLOCK.iter().find(|(id, _)| *id == primitive)?;
    let (mode, _) = Direction::split(operation)?;
    Some(format!("{stem}-{}", evp_mode(mode)?))
}

/// Makes a cell for the contract `implicit`, in which `EVP_CipherInit_ex2` fetches the cipher
/// in each call.
pub(crate) fn implicit(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let cipher = Cipher::find(ssl, &work.primitive, &work.operation)?.unfetched?;
    let plan = Cipher::new(ssl.api, cipher, &work.primitive, &work.operation)?;
    Some(plan.fit(work).map(Plan::planned))
}

#[derive(Clone, Copy)]
pub(crate) struct Cipher {
    api: Api,
    cipher: Fetched,
    /// The same cipher as a static object, if the library can fetch it in each call.
    unfetched: Option<Fetched>,
    way: Direction,
    key_bytes: c_int,
    iv: IvForm,
    cts: Option<&'static CStr>,
    /// Whether XTS must be set to IEEE 1619. The default of SM4's XTS is GB/T 17964-2021, which
    /// reads the tweak in another order of bits.
    ieee: bool,
    rc2_bits: Option<c_int>,
    rounds: Option<c_int>,
    wrap: bool,
    /// Whether the mode is XTS. OpenSSL refuses an XTS key with equal halves, as FIPS 140
    /// requires. IEEE 1619 does not require this.
    xts: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum IvForm {
    /// The call takes no IV.
    None,
    /// The nonce is the IV.
    Nonce,
    /// ChaCha20: a little-endian block counter, then the nonce.
    Counter(u64),
}

impl Cipher {
    fn new(api: Api, cipher: Fetched, primitive: &str, operation: &str) -> Option<Self> {
        let (mode, way) = Direction::split(operation)?;
        Some(Self {
            api,
            cipher,
            unfetched: None,
            way,
            // SAFETY: the cipher was fetched.
            key_bytes: unsafe { (api.EVP_CIPHER_get_key_length)(cipher.get()) },
            iv: IvForm::Nonce,
            cts: match mode {
                "cbc-cs1" => Some(c"CS1"),
                "cbc-cs2" => Some(c"CS2"),
                "cbc-cs3" => Some(c"CS3"),
                _ => None,
            },
            ieee: (primitive, mode) == ("sm4", "xts"),
            rc2_bits: None,
            rounds: None,
            wrap: mode.starts_with("kw"),
            xts: mode == "xts",
        })
    }

    /// Calls `EVP_CipherInit_ex2`. Cipher, key and IV may each be NULL.
    #[inline]
    fn init(&self, context: &Context, cipher: Object, key: *const u8, iv: *const u8) -> c_int {
        let way = self.way.choose(1, 0);
        // SAFETY: the context is live. The cipher was fetched or is NULL. Key and IV are NULL,
        // or have the lengths that were checked when the plan was made.
        unsafe { (self.api.EVP_CipherInit_ex2)(context.object, cipher, key, iv, way, ptr::null()) }
    }
}

impl Plan for Cipher {
    type Library = OpenSsl;
    type Object = Context;
    const OPERATIONS: &'static [&'static str] = EVP_OPERATIONS;

    fn find(ssl: &OpenSsl, primitive: &str, operation: &str) -> Option<Self> {
        let name = evp_name(primitive, operation)?;
        let same_way = operation == "ofb-decrypt" || operation == "ctr-decrypt";
        let cipher = ssl
            .fetch(ssl.api.EVP_CIPHER_fetch, &name)
            .filter(|_| !same_way)?;
        let unfetched = ssl.unfetched_cipher(&name);
        let plan = Self::new(ssl.api, cipher, primitive, operation)?;
        Some(Self { unfetched, ..plan })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "EVP_CipherUpdate".into()
    }

    fn offer(&self, primitive: &str, operation: &str) -> Offer {
        offer(primitive, operation, &self.api(primitive, operation))
            .taking(Contract::Implicit, self.unfetched.is_some())
            .taking(Contract::InPlace, stays_in_place(operation))
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        // SAFETY: the cipher was fetched.
        let (block, iv) = unsafe {
            (
                (self.api.EVP_CIPHER_get_block_size)(self.cipher.get()) as usize,
                (self.api.EVP_CIPHER_get_iv_length)(self.cipher.get()) as usize,
            )
        };
        let primitive = work.primitive.as_str();
        if !matches!(
            primitive,
            "blowfish" | "cast5" | "rc2" | "rc4" | "rc5-32-12"
        ) {
            work.need_key(self.key_bytes as usize)?;
        }
        self.key_bytes = int(work.key.len())?;
        // If a mode works like a stream cipher, EVP reports a block length of 1. The IV of such
        // a mode is as long as the cipher's block.
        let shape = work.shape(if iv == 0 { block } else { iv });
        match primitive {
            "chacha20" => {
                work.need_nonce([8, 12])?;
                self.iv = IvForm::Counter(work.cost("counter").unwrap_or(0));
            }
            "rc4" => work.need_nonce(0)?,
            // The library refuses inputs that are not a wrapped key, so the worker does not
            // check their length.
            _ if self.wrap => {
                let nonce = if work.nonce.is_empty() { 0 } else { iv };
                shape.nonce(nonce).input(0..).fit(work, 0..)?;
            }
            _ => _ = shape.fit(work, 0..)?,
        }
        if work.nonce.is_empty() {
            self.iv = IvForm::None;
        }
        if work.cost("drop").is_some_and(|n| n != 0) {
            return Err(Failure::unsupported("dropping keystream"));
        }
        let number = |name| work.cost(name).and_then(|n| c_int::try_from(n).ok());
        let full = self.key_bytes.saturating_mul(8);
        self.rc2_bits = (primitive == "rc2").then(|| number("effective-bits").unwrap_or(full));
        self.rounds = number("rounds").filter(|_| primitive == "rc5-32-12");
        Ok(self)
    }

    fn make(&self) -> Result<Context, Failure> {
        const WRAP_ALLOW: c_int = 0x1;
        const CTRL_SET_RC2_KEY_BITS: c_int = 0x3;
        const CTRL_SET_RC5_ROUNDS: c_int = 0x5;
        let (api, null) = (&self.api, ptr::null());
        // SAFETY: the context is new, and its owner frees it. The lists of parameters have
        // their end mark.
        unsafe {
            let context = Context::new((api.EVP_CIPHER_CTX_new)(), api.EVP_CIPHER_CTX_free)?;
            let ctx = context.object;
            if self.wrap {
                (api.EVP_CIPHER_CTX_set_flags)(ctx, WRAP_ALLOW);
            }
            let code = self.init(&context, self.cipher.get(), null, null);
            api.ok("EVP_CipherInit_ex2", code)?;
            (api.EVP_CIPHER_CTX_set_padding)(ctx, 0);
            if (api.EVP_CIPHER_CTX_set_key_length)(ctx, self.key_bytes) != 1 {
                return Err(Failure::length("a key", self.key_bytes));
            }
            for (control, value) in [
                (CTRL_SET_RC2_KEY_BITS, self.rc2_bits),
                (CTRL_SET_RC5_ROUNDS, self.rounds),
            ] {
                let null = ptr::null_mut::<c_void>();
                if let Some(value) = value
                    && (api.EVP_CIPHER_CTX_ctrl)(ctx, control, value, null) != 1
                {
                    let what = format_args!("cipher parameter {value}");
                    return Err(Failure::unsupported(what));
                }
            }
            let ieee = self.ieee.then_some((c"xts_standard", c"IEEE"));
            for (name, value) in self
                .cts
                .map(|cts| (c"cts_mode", cts))
                .into_iter()
                .chain(ieee)
            {
                let params = [Param::text(name, value), Param::end()];
                let code = (api.EVP_CIPHER_CTX_set_params)(ctx, params.as_ptr());
                api.ok("EVP_CIPHER_CTX_set_params", code)?;
            }
            Ok(context)
        }
    }

    fn set_key(&self, context: &mut Context, key: &[u8]) -> Result<(), Failure> {
        let code = self.init(context, ptr::null_mut(), key.as_ptr(), ptr::null());
        if code != 1 && self.xts {
            return Err(Failure::unsupported("an XTS key with equal halves"));
        }
        self.api.ok("EVP_CipherInit_ex2 with a key", code)
    }

    #[inline(always)]
    fn transform(
        &self,
        context: &mut Context,
        message: &Message<'_>,
        mut text: Text<'_>,
    ) -> Written {
        let (api, nonce, unwraps) = (
            &self.api,
            message.nonce,
            self.wrap && !self.way.is_encrypt(),
        );
        let (length, (from, to)) = (text.length(), text.pointers());
        let mut counter_block = [0; 16];
        let iv = match self.iv {
            IvForm::None => ptr::null(),
            IvForm::Nonce => nonce.as_ptr(),
            IvForm::Counter(counter) => {
                let at = 16 - nonce.len();
                counter_block[..at].copy_from_slice(&counter.to_le_bytes()[..at]);
                counter_block[at..].copy_from_slice(nonce);
                counter_block.as_ptr()
            }
        };
        if self.iv != IvForm::None {
            let code = self.init(context, ptr::null_mut(), ptr::null(), iv);
            api.ok("EVP_CipherInit_ex2 with an IV", code)?;
        }
        let (length, mut written) = (int(length)?, 0);
        // SAFETY: the output is a block longer than the input.
        unsafe {
            let code = (api.EVP_CipherUpdate)(context.object, to, &mut written, from, length);
            if code != 1 && unwraps {
                (api.ERR_clear_error)();
                return Err(Failure::Rejected);
            }
            api.ok("EVP_CipherUpdate", code)?;
        }
        if self.wrap && written <= 0 {
            // If a key cannot be unwrapped, the library reports success and writes no output.
            let refused = Failure::unsupported("a key of this length in key wrap");
            return Err(if unwraps { Failure::Rejected } else { refused });
        }
        Ok(written as usize)
    }
}
