//! Algorithms with functions of their own: ChaCha20, Poly1305, AES key wrap.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;

use aws_lc_sys::*;
use touchstone_worker::{Cell, Contract, Failure, Message, Offer, Operation, Text, Work, offer};

pub(crate) fn offers() -> Vec<Offer> {
    let mut rows = vec![
        offer("chacha20", "stream-encrypt", "CRYPTO_chacha_20").taking(Contract::InPlace, true),
        offer("poly1305", "mac", "CRYPTO_poly1305_init, update, finish"),
    ];
    rows[0].note = "the key goes in with every message".into();
    rows[1].note = "the key goes in with every message".into();
    for id in ["aes-128", "aes-192", "aes-256"] {
        for (operation, api) in [
            ("kw-encrypt", "AES_wrap_key"),
            ("kw-decrypt", "AES_unwrap_key"),
            ("kwp-encrypt", "AES_wrap_key_padded"),
            ("kwp-decrypt", "AES_unwrap_key_padded"),
        ] {
            rows.push(offer(id, operation, api));
        }
    }
    rows
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    match (work.primitive.as_str(), work.operation.as_str()) {
        ("chacha20", "stream-encrypt") => {
            let counter = work
                .need_key(32)
                .and_then(|()| work.need_nonce(12))
                .and_then(|()| {
                    u32::try_from(work.cost("counter").unwrap_or(0))
                        .map_err(|_| Failure::unsupported("a counter beyond 32 bits"))
                });
            Some(counter.map(|counter| {
                Cell::new(move || {
                    Ok(ChaCha20 {
                        key: [0; 32],
                        counter,
                    })
                })
            }))
        }
        ("poly1305", "mac") => {
            let tag = work.need_key(32).and_then(|()| work.need_tag(16, ..=16));
            Some(tag.map(|tag| Cell::new(move || Ok(Poly1305 { key: [0; 32], tag }))))
        }
        (primitive, "kw-encrypt" | "kw-decrypt" | "kwp-encrypt" | "kwp-decrypt") => {
            let wanted = match primitive {
                "aes-128" => 16,
                "aes-192" => 24,
                "aes-256" => 32,
                _ => return None,
            };
            let lengths = work.need_key(wanted).and_then(|()| work.need_nonce(0));
            let padded = work.operation.starts_with("kwp");
            let encrypt = work.operation.ends_with("encrypt");
            Some(lengths.map(|()| {
                Cell::new(move || {
                    Ok(Wrap {
                        key: MaybeUninit::zeroed(),
                        padded,
                        encrypt,
                    })
                })
            }))
        }
        _ => None,
    }
}

struct ChaCha20 {
    key: [u8; 32],
    counter: u32,
}

impl Operation for ChaCha20 {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.key = key.try_into().map_err(Failure::failed)?;
        Ok(())
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, mut text: Text<'_>) -> Result<usize, Failure> {
        let (length, (from, to)) = (text.length(), text.pointers());
        // The block counter would overflow silently.
        if (length as u64).div_ceil(64) + u64::from(self.counter) > 1 << 32 {
            return Err(Failure::unsupported("a counter beyond 32 bits"));
        }
        // SAFETY: key and nonce have the lengths that were checked; the output
        // has room for the input.
        unsafe {
            CRYPTO_chacha_20(
                to,
                from,
                length,
                self.key.as_ptr(),
                message.nonce.as_ptr(),
                self.counter,
            );
        }
        Ok(length)
    }
}

struct Poly1305 {
    key: [u8; 32],
    tag: usize,
}

impl Operation for Poly1305 {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.key = key.try_into().map_err(Failure::failed)?;
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let mut state = MaybeUninit::<poly1305_state>::uninit();
        // SAFETY: init writes the state; the output has room for 16 bytes.
        unsafe {
            CRYPTO_poly1305_init(state.as_mut_ptr(), self.key.as_ptr());
            CRYPTO_poly1305_update(
                state.as_mut_ptr(),
                message.input.as_ptr(),
                message.input.len(),
            );
            CRYPTO_poly1305_finish(state.as_mut_ptr(), output.as_mut_ptr());
        }
        Ok(self.tag)
    }
}

struct Wrap {
    key: MaybeUninit<AES_KEY>,
    padded: bool,
    encrypt: bool,
}

impl Operation for Wrap {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let set = if self.encrypt {
            AES_set_encrypt_key
        } else {
            AES_set_decrypt_key
        };
        // SAFETY: the key is as long as stated in bits.
        let code = unsafe { set(key.as_ptr(), key.len() as u32 * 8, self.key.as_mut_ptr()) };
        match code {
            0 => Ok(()),
            _ => Err(Failure::failed(format_args!(
                "AES_set_…_key answered {code}"
            ))),
        }
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (key, input) = (self.key.as_ptr(), message.input);
        let mut written = 0;
        // SAFETY: the key is scheduled; the output has 256 bytes more than the input.
        let code = unsafe {
            match (self.padded, self.encrypt) {
                (false, true) => AES_wrap_key(
                    key,
                    ptr::null(),
                    output.as_mut_ptr(),
                    input.as_ptr(),
                    input.len(),
                ),
                (false, false) => AES_unwrap_key(
                    key,
                    ptr::null(),
                    output.as_mut_ptr(),
                    input.as_ptr(),
                    input.len(),
                ),
                (true, true) => AES_wrap_key_padded(
                    key,
                    output.as_mut_ptr(),
                    &mut written,
                    output.len(),
                    input.as_ptr(),
                    input.len(),
                ),
                (true, false) => AES_unwrap_key_padded(
                    key,
                    output.as_mut_ptr(),
                    &mut written,
                    output.len(),
                    input.as_ptr(),
                    input.len(),
                ),
            }
        };
        match (self.padded, code) {
            (false, bytes) if bytes > 0 => Ok(bytes as usize),
            (true, 1) => Ok(written),
            _ if self.encrypt => Err(Failure::unsupported("a key of this length in key wrap")),
            _ => Err(Failure::Rejected),
        }
    }
}
