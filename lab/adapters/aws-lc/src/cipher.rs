//! What EVP alone has, or has faster than functions of its own: ECB, XTS, older ciphers.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use aws_lc_sys::*;
use touchstone_worker::{
    Cell, Contract, Direction, Failure, Message, Offer, Operation, Text, Work, offer,
};

use crate::{Owned, int, ok};

type Get = unsafe extern "C" fn() -> *const EVP_CIPHER;

/// Primitive, mode, the function that returns the cipher, and whether decryption is a
/// different function.
const CIPHERS: &[(&str, &str, Get, bool)] = &[
    ("aes-128", "ecb", EVP_aes_128_ecb, true),
    ("aes-192", "ecb", EVP_aes_192_ecb, true),
    ("aes-256", "ecb", EVP_aes_256_ecb, true),
    ("aes-256", "xts", EVP_aes_256_xts, true),
    ("des", "ecb", EVP_des_ecb, true),
    ("des", "cbc", EVP_des_cbc, true),
    ("des-ede2", "ecb", EVP_des_ede, true),
    ("des-ede2", "cbc", EVP_des_ede_cbc, true),
    ("des-ede3", "ecb", EVP_des_ede3_ecb, true),
    ("des-ede3", "cbc", EVP_des_ede3_cbc, true),
    ("blowfish", "ecb", EVP_bf_ecb, true),
    ("blowfish", "cbc", EVP_bf_cbc, true),
    ("blowfish", "cfb", EVP_bf_cfb, true),
    ("blowfish", "ofb", EVP_bf_ofb, false),
    ("cast5", "ecb", EVP_cast5_ecb, true),
    ("cast5", "cbc", EVP_cast5_cbc, true),
    ("rc2", "cbc", EVP_rc2_cbc, true),
    ("rc4", "stream", EVP_rc4, false),
];

/// Ciphers whose key may have other lengths than the default.
const FREE_LENGTH: &[&str] = &["blowfish", "cast5", "rc2", "rc4"];

fn find(primitive: &str, operation: &str) -> Option<(*const EVP_CIPHER, bool)> {
    let (mode, way) = Direction::split(operation)?;
    let encrypt = way.is_encrypt();
    let (_, _, get, both) = CIPHERS
        .iter()
        .find(|(id, m, ..)| (*id, *m) == (primitive, mode))?;
    if !encrypt && !both {
        return None;
    }
    // SAFETY: the function takes no arguments and returns a static object.
    Some((unsafe { get() }, encrypt))
}

pub(crate) fn offers() -> Vec<Offer> {
    let mut rows = Vec::new();
    for (primitive, mode, _, both) in CIPHERS {
        rows.extend(
            Direction::BOTH[..if *both { 2 } else { 1 }]
                .iter()
                .map(|way| {
                    offer(primitive, &way.of(mode), "EVP_CipherUpdate")
                        .taking(Contract::InPlace, true)
                }),
        );
    }
    rows
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let (cipher, encrypt) = find(&work.primitive, &work.operation)?;
    Some(Plan::new(cipher, encrypt, work).map(|plan| Cell::new(move || Cipher::new(&plan))))
}

struct Plan {
    cipher: *const EVP_CIPHER,
    encrypt: bool,
    key: c_int,
    iv: bool,
    whole: usize,
    /// XTS keys with equal halves are refused (FIPS 140 asks for it).
    xts: bool,
    effective_bits: Option<c_int>,
}

// SAFETY: the cipher is a static object of the library.
unsafe impl Send for Plan {}
// SAFETY: the same.
unsafe impl Sync for Plan {}

impl Plan {
    fn new(cipher: *const EVP_CIPHER, encrypt: bool, work: &Work) -> Result<Self, Failure> {
        // SAFETY: the cipher is a static object of the library.
        let (block, iv, own_key) = unsafe {
            (
                EVP_CIPHER_block_size(cipher) as usize,
                EVP_CIPHER_iv_length(cipher) as usize,
                EVP_CIPHER_key_length(cipher) as usize,
            )
        };
        let key = work.key.len();
        if key != own_key && !FREE_LENGTH.contains(&work.primitive.as_str()) {
            return Err(Failure::length("a key", key));
        }
        if work.nonce.len() != iv {
            return Err(Failure::length("an IV", work.nonce.len()));
        }
        if work.cost("drop").is_some_and(|n| n != 0) {
            return Err(Failure::unsupported("dropping keystream"));
        }
        let bits = work.cost("effective-bits").unwrap_or(key as u64 * 8);
        Ok(Self {
            cipher,
            encrypt,
            key: int(key)?,
            iv: iv > 0,
            whole: match work.operation.split('-').next() {
                Some("ecb" | "cbc") => block,
                _ => 1,
            },
            xts: work.operation.starts_with("xts"),
            effective_bits: (work.primitive == "rc2").then_some(bits.min(1024) as c_int),
        })
    }
}

struct Cipher {
    context: Owned<EVP_CIPHER_CTX>,
    encrypt: c_int,
    iv: bool,
    whole: usize,
    xts: bool,
}

impl Cipher {
    fn new(plan: &Plan) -> Result<Self, Failure> {
        // SAFETY: a fresh context, freed by its owner; NULL stands for parameters that
        // are set later.
        unsafe {
            let context = Owned::new(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free)?;
            let ctx = context.object;
            let code = EVP_CipherInit_ex(
                ctx,
                plan.cipher,
                ptr::null_mut(),
                ptr::null(),
                ptr::null(),
                plan.encrypt.into(),
            );
            ok("EVP_CipherInit_ex", code)?;
            EVP_CIPHER_CTX_set_padding(ctx, 0);
            if EVP_CIPHER_CTX_set_key_length(ctx, plan.key as _) != 1 {
                return Err(Failure::length("a key", plan.key));
            }
            if let Some(bits) = plan.effective_bits
                && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_SET_RC2_KEY_BITS, bits, ptr::null_mut()) != 1
            {
                return Err(Failure::unsupported(format_args!("{bits} effective bits")));
            }
            Ok(Self {
                context,
                encrypt: plan.encrypt.into(),
                iv: plan.iv,
                whole: plan.whole,
                xts: plan.xts,
            })
        }
    }

    fn init(&self, key: *const u8, iv: *const u8) -> c_int {
        // SAFETY: both are NULL or as long as the plan has checked.
        unsafe {
            EVP_CipherInit_ex(
                self.context.object,
                ptr::null(),
                ptr::null_mut(),
                key,
                iv,
                self.encrypt,
            )
        }
    }
}

impl Operation for Cipher {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let code = self.init(key.as_ptr(), ptr::null());
        if code != 1 && self.xts {
            return Err(Failure::unsupported("an XTS key with equal halves"));
        }
        ok("EVP_CipherInit_ex with a key", code)
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, mut text: Text<'_>) -> Result<usize, Failure> {
        let (length, (from, to)) = (text.length(), text.pointers());
        if !length.is_multiple_of(self.whole) {
            return Err(Failure::unsupported("a message that is not whole blocks"));
        }
        if self.iv {
            let code = self.init(ptr::null(), message.nonce.as_ptr());
            ok("EVP_CipherInit_ex with an IV", code)?;
        }
        let mut written: c_int = 0;
        // SAFETY: the output has room for the input and 256 bytes more.
        let code =
            unsafe { EVP_CipherUpdate(self.context.object, to, &mut written, from, int(length)?) };
        ok("EVP_CipherUpdate", code)?;
        Ok(written as usize)
    }
}
