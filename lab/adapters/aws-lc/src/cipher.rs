//! Ciphers by AWS-LC's EVP interface, where EVP is the only interface or the fastest: ECB,
//! XTS, and older ciphers.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use aws_lc_sys::*;
use touchstone_worker::{Direction, Failure, Message, Owned, Plan, Text, Work, Written};

use crate::{AwsLc, Static, int, ok};

type Get = unsafe extern "C" fn() -> *const EVP_CIPHER;

/// Rows: the primitive, the mode, and the function that returns the cipher's static object.
const CIPHERS: &[(&str, &str, Get)] = &[
    ("aes-128", "ecb", EVP_aes_128_ecb),
    ("aes-192", "ecb", EVP_aes_192_ecb),
    ("aes-256", "ecb", EVP_aes_256_ecb),
    ("aes-256", "xts", EVP_aes_256_xts),
    ("des", "ecb", EVP_des_ecb),
    ("des", "cbc", EVP_des_cbc),
    ("des-ede2", "ecb", EVP_des_ede),
    ("des-ede2", "cbc", EVP_des_ede_cbc),
    ("des-ede3", "ecb", EVP_des_ede3_ecb),
    ("des-ede3", "cbc", EVP_des_ede3_cbc),
    ("blowfish", "ecb", EVP_bf_ecb),
    ("blowfish", "cbc", EVP_bf_cbc),
    ("blowfish", "cfb", EVP_bf_cfb),
    ("blowfish", "ofb", EVP_bf_ofb),
    ("cast5", "ecb", EVP_cast5_ecb),
    ("cast5", "cbc", EVP_cast5_cbc),
    ("rc2", "cbc", EVP_rc2_cbc),
    ("rc4", "stream", EVP_rc4),
];

/// Ciphers that accept keys of other lengths than the default.
const FREE_LENGTH: &[&str] = &["blowfish", "cast5", "rc2", "rc4"];

#[derive(Clone, Copy)]
pub(crate) struct Cipher {
    cipher: Static<EVP_CIPHER>,
    way: Direction,
    key: c_int,
    iv: bool,
    /// Whether the mode is XTS. AWS-LC refuses an XTS key with equal halves, because FIPS 140
    /// forbids such a key.
    xts: bool,
    effective_bits: Option<c_int>,
}

impl Cipher {
    fn init(&self, context: &Owned<EVP_CIPHER_CTX>, key: *const u8, iv: *const u8) -> c_int {
        let (ctx, way) = (context.object, self.way.choose(1, 0));
        // SAFETY: key and IV are NULL, or have the lengths that were checked when the plan was
        // made.
        unsafe { EVP_CipherInit_ex(ctx, ptr::null(), ptr::null_mut(), key, iv, way) }
    }
}

impl Plan for Cipher {
    type Library = AwsLc;
    type Object = Owned<EVP_CIPHER_CTX>;
    const OPERATIONS: &'static [&'static str] = &[
        "ecb-encrypt",
        "ecb-decrypt",
        "cbc-encrypt",
        "cbc-decrypt",
        "cfb-encrypt",
        "cfb-decrypt",
        "ofb-encrypt",
        "xts-encrypt",
        "xts-decrypt",
        "stream-encrypt",
    ];
    const IN_PLACE: bool = true;

    fn find(_: &AwsLc, primitive: &str, operation: &str) -> Option<Self> {
        let (mode, way) = Direction::split(operation)?;
        let row = |row: &&(&str, &str, Get)| (row.0, row.1) == (primitive, mode);
        let (.., get) = CIPHERS.iter().find(row)?;
        Some(Self {
            // SAFETY: the function takes no arguments and returns a static object.
            cipher: Static(unsafe { get() }),
            way,
            key: 0,
            iv: false,
            xts: mode == "xts",
            effective_bits: None,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "EVP_CipherUpdate".into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        // SAFETY: `self.cipher` is a static object of the library.
        let (block, iv, own_key) = unsafe {
            (
                EVP_CIPHER_block_size(self.cipher.0) as usize,
                EVP_CIPHER_iv_length(self.cipher.0) as usize,
                EVP_CIPHER_key_length(self.cipher.0) as usize,
            )
        };
        let key = work.key.len();
        if !FREE_LENGTH.contains(&work.primitive.as_str()) {
            work.need_key(own_key)?;
        }
        // If a mode works like a stream cipher, EVP reports a block length of 1. The IV of such
        // a mode is as long as the cipher's block.
        let block = if iv == 0 { block } else { iv };
        work.shape(block).nonce(iv).fit(work, 0..)?;
        work.first_block(u64::MAX)?;
        let bits = work.cost("effective-bits").unwrap_or(key as u64 * 8);
        (self.key, self.iv) = (int(key)?, iv > 0);
        self.effective_bits = (work.primitive == "rc2").then_some(bits.min(1024) as c_int);
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        let (none, null) = (ptr::null_mut(), ptr::null());
        // SAFETY: the context is new, and its owner frees it. NULL means that the key and the
        // IV are set later.
        unsafe {
            let context = Owned::new(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free)?;
            let (ctx, way) = (context.object, self.way.choose(1, 0));
            let code = EVP_CipherInit_ex(ctx, self.cipher.0, none, null, null, way);
            ok("EVP_CipherInit_ex", code)?;
            EVP_CIPHER_CTX_set_padding(ctx, 0);
            if EVP_CIPHER_CTX_set_key_length(ctx, self.key as _) != 1 {
                return Err(Failure::length("a key", self.key));
            }
            if let Some(bits) = self.effective_bits
                && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_SET_RC2_KEY_BITS, bits, ptr::null_mut()) != 1
            {
                return Err(Failure::unsupported(format_args!("{bits} effective bits")));
            }
            Ok(context)
        }
    }

    fn set_key(&self, context: &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        let code = self.init(context, key.as_ptr(), ptr::null());
        if code != 1 && self.xts {
            return Err(Failure::unsupported("an XTS key with equal halves"));
        }
        ok("EVP_CipherInit_ex with a key", code)
    }

    #[inline(always)]
    fn transform(
        &self,
        context: &mut Self::Object,
        message: &Message<'_>,
        mut text: Text<'_>,
    ) -> Written {
        let (length, (from, to)) = (int(text.length())?, text.pointers());
        if self.iv {
            let code = self.init(context, ptr::null(), message.nonce.as_ptr());
            ok("EVP_CipherInit_ex with an IV", code)?;
        }
        let mut written: c_int = 0;
        // SAFETY: the output has room for the input and 256 bytes more.
        let code = unsafe { EVP_CipherUpdate(context.object, to, &mut written, from, length) };
        ok("EVP_CipherUpdate", code)?;
        Ok(written as usize)
    }
}
