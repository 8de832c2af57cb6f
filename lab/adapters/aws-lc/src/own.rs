//! Algorithms that have functions outside EVP: ChaCha20, Poly1305, AES key wrap.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;

use aws_lc_sys::*;
use touchstone_worker::{Direction, Failure, Message, Plan, Text, Work, Written};

use crate::AwsLc;
use crate::aes::{key_bytes, set_key};

#[derive(Clone, Copy)]
pub(crate) struct ChaCha20 {
    counter: u32,
}

impl Plan for ChaCha20 {
    type Library = AwsLc;
    /// The key, which is an argument of the call for each message.
    type Object = [u8; 32];
    const OPERATIONS: &'static [&'static str] = &["stream-encrypt"];
    const IN_PLACE: bool = true;

    fn find(_: &AwsLc, primitive: &str, _: &str) -> Option<Self> {
        (primitive == "chacha20").then_some(Self { counter: 0 })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "CRYPTO_chacha_20".into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        "the key goes in with every message"
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        work.shape(1).nonce(12).fit(work, 32)?;
        self.counter = work.first_block(u32::MAX.into())? as u32;
        Ok(self)
    }

    fn make(&self) -> Result<[u8; 32], Failure> {
        Ok([0; 32])
    }

    fn set_key(&self, kept: &mut [u8; 32], key: &[u8]) -> Result<(), Failure> {
        *kept = key.try_into().map_err(Failure::failed)?;
        Ok(())
    }

    #[inline(always)]
    fn transform(&self, key: &mut [u8; 32], message: &Message<'_>, mut text: Text<'_>) -> Written {
        let (length, (from, to)) = (text.length(), text.pointers());
        let (key, nonce, counter) = (key.as_ptr(), message.nonce.as_ptr(), self.counter);
        // The block counter has 32 bits, and AWS-LC does not report an overflow.
        if (length as u64).div_ceil(64) + u64::from(counter) > 1 << 32 {
            return Err(Failure::unsupported("a counter beyond 32 bits"));
        }
        // SAFETY: the lengths of key and nonce were checked, and the output has room for the
        // input.
        unsafe { CRYPTO_chacha_20(to, from, length, key, nonce, counter) };
        Ok(length)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Poly1305 {
    tag: usize,
}

impl Plan for Poly1305 {
    type Library = AwsLc;
    /// The key, which is an argument of the call for each message.
    type Object = [u8; 32];
    const OPERATIONS: &'static [&'static str] = &["mac"];

    fn find(_: &AwsLc, primitive: &str, _: &str) -> Option<Self> {
        (primitive == "poly1305").then_some(Self { tag: 16 })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "CRYPTO_poly1305_init, update, finish".into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        "the key goes in with every message"
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        work.need_key(32)?;
        self.tag = work.need_tag(16, ..=16)?;
        Ok(self)
    }

    fn make(&self) -> Result<[u8; 32], Failure> {
        Ok([0; 32])
    }

    fn set_key(&self, kept: &mut [u8; 32], key: &[u8]) -> Result<(), Failure> {
        *kept = key.try_into().map_err(Failure::failed)?;
        Ok(())
    }

    #[inline(always)]
    fn process(&self, key: &mut [u8; 32], message: &Message<'_>, output: &mut [u8]) -> Written {
        let mut state = MaybeUninit::<poly1305_state>::uninit();
        let (state, input) = (state.as_mut_ptr(), message.input);
        // SAFETY: CRYPTO_poly1305_init writes the whole state, and the output has room for 16
        // bytes.
        unsafe {
            CRYPTO_poly1305_init(state, key.as_ptr());
            CRYPTO_poly1305_update(state, input.as_ptr(), input.len());
            CRYPTO_poly1305_finish(state, output.as_mut_ptr());
        }
        Ok(self.tag)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Wrap {
    padded: bool,
    way: Direction,
    key: usize,
}

impl Plan for Wrap {
    type Library = AwsLc;
    type Object = MaybeUninit<AES_KEY>;
    const OPERATIONS: &'static [&'static str] =
        &["kw-encrypt", "kw-decrypt", "kwp-encrypt", "kwp-decrypt"];

    fn find(_: &AwsLc, primitive: &str, operation: &str) -> Option<Self> {
        let ((mode, way), key) = (Direction::split(operation)?, key_bytes(primitive)?);
        let padded = mode == "kwp";
        Some(Self { padded, way, key })
    }

    fn api(&self, _: &str, _: &str) -> String {
        let end = if self.padded { "_padded" } else { "" };
        format!("AES_{}_key{end}", self.way.choose("wrap", "unwrap"))
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        work.need_key(self.key)?;
        work.need_nonce(0).map(|()| self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        Ok(MaybeUninit::zeroed())
    }

    fn set_key(&self, schedule: &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        set_key(schedule, key, self.way)
    }

    #[inline(always)]
    fn process(
        &self,
        schedule: &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let (key, iv, mut written) = (schedule.as_ptr(), ptr::null(), 0);
        let (from, given) = (message.input.as_ptr(), message.input.len());
        let (to, room, out) = (output.as_mut_ptr(), output.len(), &mut written);
        let encrypt = self.way.is_encrypt();
        // SAFETY: the key schedule is complete, and the output is 256 bytes longer than the
        // input.
        let code = unsafe {
            match (self.padded, encrypt) {
                (false, true) => AES_wrap_key(key, iv, to, from, given),
                (false, false) => AES_unwrap_key(key, iv, to, from, given),
                (true, true) => AES_wrap_key_padded(key, to, out, room, from, given),
                (true, false) => AES_unwrap_key_padded(key, to, out, room, from, given),
            }
        };
        match (self.padded, code) {
            (false, bytes) if bytes > 0 => Ok(bytes as usize),
            (true, 1) => Ok(written),
            _ if encrypt => Err(Failure::unsupported("a key of this length in key wrap")),
            _ => Err(Failure::Rejected),
        }
    }
}
