//! Block and stream ciphers without authentication: `EVP_CipherUpdate`.
#![allow(unsafe_code)]

use std::ffi::{CString, c_int, c_void};
use std::ptr;

use touchstone_worker::{
    Cell, Contract, Failure, Message, Offer, Operation, Text, Work, c_string, offer, stays_in_place,
};

use crate::ffi::{Api, Context, Fetched, OpenSsl, Param, int};

/// Primitive, and the stem of its EVP names.
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

/// Operation, end of the EVP name, and whether it encrypts.
const MODES: &[(&str, &str, bool)] = &[
    ("ecb-encrypt", "ECB", true),
    ("ecb-decrypt", "ECB", false),
    ("cbc-encrypt", "CBC", true),
    ("cbc-decrypt", "CBC", false),
    ("cfb-encrypt", "CFB", true),
    ("cfb-decrypt", "CFB", false),
    ("cfb8-encrypt", "CFB8", true),
    ("cfb8-decrypt", "CFB8", false),
    ("ofb-encrypt", "OFB", true),
    ("ctr-encrypt", "CTR", true),
    ("xts-encrypt", "XTS", true),
    ("xts-decrypt", "XTS", false),
    ("cbc-cs1-encrypt", "CBC-CTS", true),
    ("cbc-cs1-decrypt", "CBC-CTS", false),
    ("cbc-cs2-encrypt", "CBC-CTS", true),
    ("cbc-cs2-decrypt", "CBC-CTS", false),
    ("cbc-cs3-encrypt", "CBC-CTS", true),
    ("cbc-cs3-decrypt", "CBC-CTS", false),
    ("kw-encrypt", "WRAP", true),
    ("kw-decrypt", "WRAP", false),
    ("kwp-encrypt", "WRAP-PAD", true),
    ("kwp-decrypt", "WRAP-PAD", false),
];

/// Whether an operation is without ciphertext stealing.
fn cts_free(operation: &str) -> bool {
    !operation.starts_with("cbc-cs")
}

const STREAM: &[(&str, &str)] = &[("rc4", "RC4"), ("chacha20", "ChaCha20")];

fn evp_name(primitive: &str, operation: &str) -> Option<(String, bool)> {
    if operation == "stream-encrypt" {
        let (_, name) = STREAM.iter().find(|(id, _)| *id == primitive)?;
        return Some(((*name).to_owned(), true));
    }
    let (_, stem) = BLOCK.iter().find(|(id, _)| *id == primitive)?;
    let (_, mode, encrypt) = MODES.iter().find(|(id, ..)| *id == operation)?;
    Some((format!("{stem}-{mode}"), *encrypt))
}

pub(crate) fn offers(ssl: &OpenSsl) -> Vec<Offer> {
    let block = BLOCK
        .iter()
        .flat_map(|(primitive, _)| MODES.iter().map(|(operation, ..)| (*primitive, *operation)));
    let stream = STREAM
        .iter()
        .map(|(primitive, _)| (*primitive, "stream-encrypt"));
    block
        .chain(stream)
        .filter(|(primitive, operation)| {
            evp_name(primitive, operation)
                .is_some_and(|(name, _)| ssl.fetch(ssl.api.EVP_CIPHER_fetch, &name).is_some())
        })
        .map(|(primitive, operation)| {
            let unfetched = evp_name(primitive, operation)
                .and_then(|(name, _)| ssl.unfetched_cipher(&name))
                .is_some();
            offer(primitive, operation, "EVP_CipherUpdate")
                .taking(Contract::Implicit, unfetched)
                .taking(Contract::InPlace, stays_in_place(operation))
        })
        .collect()
}

pub(crate) fn cell(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let (name, _) = evp_name(&work.primitive, &work.operation)?;
    cell_of(ssl, work, ssl.fetch(ssl.api.EVP_CIPHER_fetch, &name)?)
}

/// The contract `implicit`: `EVP_CipherInit_ex2` must fetch the cipher in each call.
pub(crate) fn implicit(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let (name, _) = evp_name(&work.primitive, &work.operation)?;
    cell_of(ssl, work, ssl.unfetched_cipher(&name)?)
}

fn cell_of(ssl: &OpenSsl, work: &Work, cipher: Fetched) -> Option<Result<Cell, Failure>> {
    let (_, encrypt) = evp_name(&work.primitive, &work.operation)?;
    let plan = Plan::new(ssl, cipher, encrypt, work);
    Some(plan.map(|plan| Cell::new(move || Cipher::new(&plan))))
}

/// The parameters of an object, known before it is made.
struct Plan {
    api: Api,
    cipher: Fetched,
    encrypt: bool,
    key_bytes: c_int,
    /// Bytes of the IV that `EVP_CipherInit_ex2` reads.
    iv_bytes: usize,
    iv: IvForm,
    cts: Option<CString>,
    /// Whether XTS must be told to follow IEEE 1619: SM4's follows GB/T 17964-2021
    /// otherwise, which reads the tweak in another bit order.
    ieee: bool,
    rc2_bits: Option<c_int>,
    rounds: Option<c_int>,
    wrap: bool,
    whole: usize,
    xts: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum IvForm {
    /// The call takes no IV.
    None,
    /// The nonce is the IV.
    Nonce,
    /// ChaCha20: a little-endian block counter before the nonce.
    Counter(u64),
}

impl Plan {
    fn new(ssl: &OpenSsl, cipher: Fetched, encrypt: bool, work: &Work) -> Result<Self, Failure> {
        // SAFETY: the cipher was fetched.
        let (block_bytes, iv_bytes, own_key) = unsafe {
            (
                (ssl.api.EVP_CIPHER_get_block_size)(cipher.get()) as usize,
                (ssl.api.EVP_CIPHER_get_iv_length)(cipher.get()) as usize,
                (ssl.api.EVP_CIPHER_get_key_length)(cipher.get()),
            )
        };
        let key_bytes = int(work.key.len())?;
        let free_length = matches!(
            work.primitive.as_str(),
            "blowfish" | "cast5" | "rc2" | "rc4" | "rc5-32-12"
        );
        if key_bytes != own_key && !free_length {
            return Err(Failure::length("a key", key_bytes));
        }
        let wrap = work.operation.starts_with("kw");
        let nonce = work.nonce.len();
        let iv = if work.primitive == "chacha20" {
            if nonce != 12 && nonce != 8 {
                return Err(Failure::length("a nonce", nonce));
            }
            IvForm::Counter(work.cost("counter").unwrap_or(0))
        } else if nonce == 0 {
            if iv_bytes != 0 && !wrap {
                return Err(Failure::unsupported("no IV"));
            }
            IvForm::None
        } else if nonce == iv_bytes {
            IvForm::Nonce
        } else {
            return Err(Failure::length("an IV", nonce));
        };
        if work.cost("drop").is_some_and(|n| n != 0) {
            return Err(Failure::unsupported("dropping keystream"));
        }
        let cts = work
            .operation
            .strip_prefix("cbc-")
            .and_then(|o| o.get(..3))
            .filter(|o| o.starts_with("cs"))
            .map(|o| c_string(&o.to_uppercase()));
        let number = |name| work.cost(name).and_then(|n| c_int::try_from(n).ok());
        let rc2 = (work.primitive == "rc2")
            .then(|| number("effective-bits").unwrap_or(key_bytes.saturating_mul(8)));
        Ok(Self {
            api: ssl.api,
            cipher,
            encrypt,
            key_bytes,
            iv_bytes,
            iv,
            cts,
            ieee: work.primitive == "sm4" && work.operation.starts_with("xts"),
            rc2_bits: rc2,
            rounds: (work.primitive == "rc5-32-12")
                .then(|| number("rounds"))
                .flatten(),
            wrap,
            whole: match work.operation.split('-').next() {
                Some("ecb" | "cbc") if cts_free(&work.operation) => block_bytes,
                _ => 1,
            },
            xts: work.operation.starts_with("xts"),
        })
    }
}

struct Cipher {
    api: Api,
    context: Context,
    encrypt: c_int,
    iv: IvForm,
    wrap: bool,
    /// Without padding ECB and CBC keep a broken last block to themselves: the
    /// input must be a multiple of this.
    whole: usize,
    /// XTS keys with equal halves are refused (IEEE 1619 does not ask for it,
    /// FIPS 140 does).
    xts: bool,
}

impl Cipher {
    fn new(plan: &Plan) -> Result<Self, Failure> {
        const WRAP_ALLOW: c_int = 0x1;
        const CTRL_SET_RC2_KEY_BITS: c_int = 0x3;
        const CTRL_SET_RC5_ROUNDS: c_int = 0x5;
        let api = plan.api;
        // SAFETY: a fresh context, freed by its owner; the pointers passed are
        // the fetched cipher and NULL for what is not yet given.
        unsafe {
            let context = Context::new((api.EVP_CIPHER_CTX_new)(), api.EVP_CIPHER_CTX_free)?;
            let ctx = context.object;
            if plan.wrap {
                (api.EVP_CIPHER_CTX_set_flags)(ctx, WRAP_ALLOW);
            }
            api.ok(
                "EVP_CipherInit_ex2",
                (api.EVP_CipherInit_ex2)(
                    ctx,
                    plan.cipher.get(),
                    ptr::null(),
                    ptr::null(),
                    plan.encrypt.into(),
                    ptr::null(),
                ),
            )?;
            (api.EVP_CIPHER_CTX_set_padding)(ctx, 0);
            if (api.EVP_CIPHER_CTX_set_key_length)(ctx, plan.key_bytes) != 1 {
                return Err(Failure::length("a key", plan.key_bytes));
            }
            for (control, value) in [
                (CTRL_SET_RC2_KEY_BITS, plan.rc2_bits),
                (CTRL_SET_RC5_ROUNDS, plan.rounds),
            ] {
                if let Some(value) = value
                    && (api.EVP_CIPHER_CTX_ctrl)(ctx, control, value, ptr::null_mut::<c_void>())
                        != 1
                {
                    return Err(Failure::unsupported(format_args!(
                        "cipher parameter {value}"
                    )));
                }
            }
            if let Some(cts) = &plan.cts {
                let params = [Param::text(c"cts_mode", cts), Param::end()];
                api.ok(
                    "cts_mode",
                    (api.EVP_CIPHER_CTX_set_params)(ctx, params.as_ptr()),
                )?;
            }
            if plan.ieee {
                let params = [Param::text(c"xts_standard", c"IEEE"), Param::end()];
                let code = (api.EVP_CIPHER_CTX_set_params)(ctx, params.as_ptr());
                api.ok("xts_standard", code)?;
            }
            debug_assert!(plan.iv != IvForm::Nonce || plan.iv_bytes > 0);
            Ok(Self {
                api,
                context,
                encrypt: plan.encrypt.into(),
                iv: plan.iv,
                wrap: plan.wrap,
                whole: plan.whole,
                xts: plan.xts,
            })
        }
    }
}

impl Operation for Cipher {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the context has its cipher and expects a key of this length.
        let code = unsafe {
            (self.api.EVP_CipherInit_ex2)(
                self.context.object,
                ptr::null_mut(),
                key.as_ptr(),
                ptr::null(),
                self.encrypt,
                ptr::null(),
            )
        };
        if code != 1 && self.xts {
            return Err(Failure::unsupported("an XTS key with equal halves"));
        }
        self.api.ok("EVP_CipherInit_ex2 with a key", code)
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, mut text: Text<'_>) -> Result<usize, Failure> {
        let (nonce, length, (from, to)) = (message.nonce, text.length(), text.pointers());
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
        if !length.is_multiple_of(self.whole) {
            return Err(Failure::unsupported("a message that is not whole blocks"));
        }
        let mut written: c_int = 0;
        // SAFETY: `iv` is NULL or as long as the cipher's IV (checked when the
        // plan was made); the output has room for the input and a block more.
        unsafe {
            if self.iv != IvForm::None {
                let code = (self.api.EVP_CipherInit_ex2)(
                    self.context.object,
                    ptr::null_mut(),
                    ptr::null(),
                    iv,
                    self.encrypt,
                    ptr::null(),
                );
                self.api.ok("EVP_CipherInit_ex2 with an IV", code)?;
            }
            let code = (self.api.EVP_CipherUpdate)(
                self.context.object,
                to,
                &mut written,
                from,
                int(length)?,
            );
            if code != 1 && self.wrap && self.encrypt == 0 {
                (self.api.ERR_clear_error)();
                return Err(Failure::Rejected);
            }
            self.api.ok("EVP_CipherUpdate", code)?;
        }
        if self.wrap && written <= 0 {
            // If a key cannot be unwrapped, the library reports success without output.
            return Err(if self.encrypt == 0 {
                Failure::Rejected
            } else {
                Failure::unsupported("a key of this length in key wrap")
            });
        }
        Ok(written as usize)
    }
}
