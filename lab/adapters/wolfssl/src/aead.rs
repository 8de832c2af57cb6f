//! Authenticated encryption, and GMAC.
#![allow(unsafe_code)]

use touchstone_worker::{Cell, Direction, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Api, Held, Seal, Wolf, ok, word};

/// Primitive, stem, mode, bytes of key.
const ROWS: &[(&str, &str, Mode, usize)] = &[
    ("aes-128", "gcm", Mode::Gcm, 16),
    ("aes-192", "gcm", Mode::Gcm, 24),
    ("aes-256", "gcm", Mode::Gcm, 32),
    ("aes-128", "gmac", Mode::Gmac, 16),
    ("aes-192", "gmac", Mode::Gmac, 24),
    ("aes-256", "gmac", Mode::Gmac, 32),
    ("aes-128", "ccm", Mode::Ccm, 16),
    ("aes-192", "ccm", Mode::Ccm, 24),
    ("aes-256", "ccm", Mode::Ccm, 32),
    ("aes-128", "siv", Mode::Siv, 32),
    ("aes-192", "siv", Mode::Siv, 48),
    ("aes-256", "siv", Mode::Siv, 64),
    ("chacha20-poly1305", "aead", Mode::ChaCha, 32),
    ("xchacha20-poly1305", "aead", Mode::XChaCha, 32),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Gcm,
    Gmac,
    Ccm,
    Siv,
    ChaCha,
    XChaCha,
}

impl Mode {
    /// Whether the key is passed with every message.
    fn rekeys(self) -> bool {
        matches!(self, Self::Siv | Self::ChaCha | Self::XChaCha)
    }

    /// The call of one message.
    fn call(self, encrypt: bool) -> &'static str {
        match (self, encrypt) {
            (Self::Gcm, true) => "wc_AesGcmEncrypt",
            (Self::Gcm, false) => "wc_AesGcmDecrypt",
            (Self::Gmac, _) => "wc_GmacUpdate",
            (Self::Ccm, true) => "wc_AesCcmEncrypt",
            (Self::Ccm, false) => "wc_AesCcmDecrypt",
            (Self::Siv, true) => "wc_AesSivEncrypt",
            (Self::Siv, false) => "wc_AesSivDecrypt",
            (Self::ChaCha, true) => "wc_ChaCha20Poly1305_Encrypt",
            (Self::ChaCha, false) => "wc_ChaCha20Poly1305_Decrypt",
            (Self::XChaCha, true) => "wc_XChaCha20Poly1305_Encrypt",
            (Self::XChaCha, false) => "wc_XChaCha20Poly1305_Decrypt",
        }
    }
}

#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    mode: Mode,
    encrypt: bool,
    key: usize,
    tag: usize,
}

impl Plan {
    fn find(wolf: &Wolf, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation).unwrap_or((operation, Direction::Encrypt));
        let encrypt = way.is_encrypt();
        let (.., mode, key) = *ROWS
            .iter()
            .find(|(id, of, ..)| (*id, *of) == (primitive, stem))?;
        if (operation == "gmac") != (mode == Mode::Gmac) {
            return None;
        }
        // SAFETY: the pointer only shows that the function exists, and is never used.
        unsafe { wolf.function::<*const u8>(mode.call(encrypt))? };
        Some(Self {
            api: wolf.api,
            mode,
            encrypt,
            key,
            tag: 16,
        })
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let (key, nonce) = (work.key.len(), work.nonce.len());
        let tag = work.tag.unwrap_or(self.tag);
        let nonce_fits = match self.mode {
            Mode::Gcm | Mode::Gmac => nonce >= 1,
            Mode::Ccm => (7..=13).contains(&nonce),
            Mode::Siv => true,
            Mode::ChaCha => nonce == 12,
            Mode::XChaCha => nonce == 24,
        };
        let tag_fits = match self.mode {
            // WOLFSSL_MIN_AUTH_TAG_SZ.
            Mode::Gcm | Mode::Gmac => (12..=16).contains(&tag),
            Mode::Ccm => (4..=16).contains(&tag) && tag.is_multiple_of(2),
            _ => tag == 16,
        };
        // CCM stores the message's length in the bytes of a block that the nonce leaves
        // free, and wolfCrypt stores the associated data's length in two bytes.
        let count = 15_usize.saturating_sub(nonce);
        let too_long = self.mode == Mode::Ccm
            && ((count < 8 && work.input.len() >= 1 << (8 * count)) || work.aad.len() > 0xfeff);
        let refusal = if key != self.key {
            format!("a key of {key} bytes")
        } else if !nonce_fits {
            format!("a nonce of {nonce} bytes")
        } else if !tag_fits {
            format!("a tag of {tag} bytes")
        } else if too_long {
            "a message or associated data of this length".to_owned()
        } else {
            self.tag = tag;
            return Ok(self);
        };
        Err(Failure::Unsupported(refusal))
    }
}

pub(crate) fn offers(wolf: &Wolf) -> Vec<Offer> {
    ROWS.iter()
        .flat_map(|(id, stem, mode, _)| {
            let ways: &[&str] = if *mode == Mode::Gmac {
                &["gmac"]
            } else {
                &["encrypt", "decrypt"]
            };
            ways.iter().map(move |way| match *way {
                "gmac" => (*id, "gmac".to_owned()),
                way => (*id, format!("{stem}-{way}")),
            })
        })
        .filter_map(|(id, operation)| {
            let plan = Plan::find(wolf, id, &operation)?;
            let mut row = offer(id, &operation, plan.mode.call(plan.encrypt));
            if plan.mode.rekeys() {
                row.note = "the key goes in with every message".into();
            }
            Some(row)
        })
        .collect()
}

pub(crate) fn cell(wolf: &Wolf, work: &Work) -> Option<Result<Cell, Failure>> {
    let plan = Plan::find(wolf, &work.primitive, &work.operation)?.fit(work);
    Some(plan.map(|plan| {
        if plan.mode.rekeys() {
            Cell::new(move || {
                Ok(Rekeyed {
                    plan,
                    key: Vec::new(),
                })
            })
        } else {
            Cell::new(move || {
                let context = Held::new(plan.api.wc_AesInit, plan.api.wc_AesFree)?;
                Ok(Aead { plan, context })
            })
        }
    }))
}

/// The failure for a function that the library lacks. It never occurs, because a plan is
/// made only from functions that the library has.
fn gone() -> Failure {
    Failure::unsupported("this mode in this build")
}

/// GCM, CCM and GMAC, whose key stays scheduled.
struct Aead {
    plan: Plan,
    context: Held,
}

impl Operation for Aead {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let api = &self.plan.api;
        let set = match self.plan.mode {
            Mode::Ccm => api.wc_AesCcmSetKey,
            Mode::Gmac => api.wc_GmacSetKey,
            _ => api.wc_AesGcmSetKey,
        }
        .ok_or_else(gone)?;
        // SAFETY: the context is initialised; `Gmac` begins with its `Aes` and
        // has nothing else.
        let code = unsafe { set(self.context.get(), key.as_ptr(), word(key.len())?) };
        ok("the key", code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Plan {
            api,
            mode,
            encrypt,
            tag,
            ..
        } = self.plan;
        let context = self.context.get();
        let (nonce, nonce_bytes) = (message.nonce.as_ptr(), word(message.nonce.len())?);
        let (to, tag_bytes) = (output.as_mut_ptr(), word(tag)?);
        if mode == Mode::Gmac {
            let update = api.wc_GmacUpdate.ok_or_else(gone)?;
            let (from, bytes) = (message.input.as_ptr(), word(message.input.len())?);
            // SAFETY: the context is keyed; the worker's output has at least
            // 256 bytes.
            let code = unsafe { update(context, nonce, nonce_bytes, from, bytes, to, tag_bytes) };
            ok("wc_GmacUpdate", code)?;
            return Ok(tag);
        }
        let given = message.input.len();
        let (length, run): (usize, Option<Seal>) = match (encrypt, mode) {
            (true, Mode::Ccm) => (given, api.wc_AesCcmEncrypt),
            (true, _) => (given, api.wc_AesGcmEncrypt),
            (false, _) if given < tag => return Err(Failure::Rejected),
            (false, Mode::Ccm) => (given - tag, api.wc_AesCcmDecrypt),
            (false, _) => (given - tag, api.wc_AesGcmDecrypt),
        };
        let run = run.ok_or_else(gone)?;
        // Decryption only reads the tag.
        let mut made = [0; 16];
        if !encrypt {
            made[..tag].copy_from_slice(&message.input[length..]);
        }
        // SAFETY: the context is keyed; lengths are those of the slices; the
        // output has room for the message, the tag 16 bytes.
        let code = unsafe {
            run(
                context,
                to,
                message.input.as_ptr(),
                word(length)?,
                nonce,
                nonce_bytes,
                made.as_mut_ptr(),
                tag_bytes,
                message.aad.as_ptr(),
                word(message.aad.len())?,
            )
        };
        ok("the mode's call", code)?;
        if encrypt {
            output[length..length + tag].copy_from_slice(&made[..tag]);
            return Ok(length + tag);
        }
        Ok(length)
    }
}

/// SIV, ChaCha20-Poly1305 and XChaCha20-Poly1305: one call, key and all.
struct Rekeyed {
    plan: Plan,
    key: Vec<u8>,
}

impl Operation for Rekeyed {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.key.clear();
        self.key.extend_from_slice(key);
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        const TAG: usize = 16;
        let Plan {
            api, mode, encrypt, ..
        } = self.plan;
        let (key, nonce) = (self.key.as_ptr(), message.nonce.as_ptr());
        let (aad, aad_bytes) = (message.aad.as_ptr(), word(message.aad.len())?);
        let (input, given) = (message.input.as_ptr(), message.input.len());
        let (key_bytes, nonce_bytes) = (self.key.len(), message.nonce.len());
        if !encrypt && given < TAG {
            return Err(Failure::Rejected);
        }
        let length = if encrypt { given } else { given - TAG };
        let bytes = word(length)?;
        let to = output.as_mut_ptr();
        // SAFETY: lengths are those of the slices, or of the key and nonce that
        // the function reads; the output has 256 bytes more than the input.
        let code = unsafe {
            match (mode, encrypt) {
                (Mode::Siv, _) => {
                    let mut tag = [0; TAG];
                    let (run, from, data) = if encrypt {
                        (api.wc_AesSivEncrypt, input, to.add(TAG))
                    } else {
                        tag.copy_from_slice(&message.input[..TAG]);
                        (api.wc_AesSivDecrypt, input.add(TAG), to)
                    };
                    let code = run.ok_or_else(gone)?(
                        key,
                        word(key_bytes)?,
                        aad,
                        aad_bytes,
                        nonce,
                        word(nonce_bytes)?,
                        from,
                        bytes,
                        tag.as_mut_ptr(),
                        data,
                    );
                    if encrypt {
                        output[..TAG].copy_from_slice(&tag);
                    }
                    code
                }
                (Mode::XChaCha, _) => {
                    let run = if encrypt {
                        api.wc_XChaCha20Poly1305_Encrypt
                    } else {
                        api.wc_XChaCha20Poly1305_Decrypt
                    };
                    let aad_bytes = message.aad.len();
                    let room = output.len();
                    run.ok_or_else(gone)?(
                        to,
                        room,
                        input,
                        given,
                        aad,
                        aad_bytes,
                        nonce,
                        nonce_bytes,
                        key,
                        key_bytes,
                    )
                }
                (_, true) => {
                    let run = api.wc_ChaCha20Poly1305_Encrypt.ok_or_else(gone)?;
                    let tag = to.add(length);
                    run(key, nonce, aad, aad_bytes, input, bytes, to, tag)
                }
                (_, false) => {
                    let run = api.wc_ChaCha20Poly1305_Decrypt.ok_or_else(gone)?;
                    let tag = input.add(length);
                    run(key, nonce, aad, aad_bytes, input, bytes, tag, to)
                }
            }
        };
        ok("the mode's call", code)?;
        Ok(if encrypt { length + TAG } else { length })
    }
}
