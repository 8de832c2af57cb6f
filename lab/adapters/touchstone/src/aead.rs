//! Authenticated encryption, and key wrap.

use touchstone::dynamic::{self, Aead, AeadAlgorithm, Error, KeyWrap, Options, Unwrapper, Wrapper};
use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Text, Work};

use crate::by_name::{failure, in_mode, in_out, keyed, named, options, set_key};

const MODES: &[&str] = &["gcm", "ccm", "eax", "ocb", "siv", "gcm-siv"];
const WRAPS: &[&str] = &["kw", "kwp"];

pub(crate) fn offers() -> Vec<Offer> {
    let mut offers = Vec::new();
    for id in dynamic::block_ciphers() {
        let mut offer = |mode: &str, encrypt: &str, decrypt: &str| {
            let name = format!("{id}-{mode}");
            for (way, call) in [("encrypt", encrypt), ("decrypt", decrypt)] {
                offers.push(named(&name, id, &format!("{mode}-{way}"), call));
            }
        };
        for mode in MODES {
            if Aead::find(&format!("{id}-{mode}")).is_ok() {
                offer(
                    mode,
                    "dynamic::Aead::encrypt_inout",
                    "dynamic::Aead::decrypt_inout",
                );
            }
        }
        for mode in WRAPS {
            if KeyWrap::new(&format!("{id}-{mode}")).is_ok() {
                offer(mode, "dynamic::Wrapper::wrap", "dynamic::Unwrapper::unwrap");
            }
        }
    }
    offers
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let (mode, direction) = work.mode()?;
    let (name, forwards) = (in_mode(work, mode), direction.is_encrypt());
    if let Ok(wrap) = KeyWrap::new(&name) {
        let padded = mode == "kwp";
        return Some(Ok(if forwards {
            Cell::new(move || {
                Ok(Wrap {
                    wrap,
                    padded,
                    key: None,
                })
            })
        } else {
            Cell::new(move || Ok(Unwrap { wrap, key: None }))
        }));
    }
    let algorithm = Aead::find(&name).ok()?;
    let tag = work.tag.unwrap_or(algorithm.longest_tag());
    let options = options(work);
    Some(Ok(Cell::new(move || {
        Ok(Sealed {
            algorithm,
            options,
            forwards,
            tag,
            tag_first: false,
            aead: None,
        })
    })))
}

struct Sealed {
    algorithm: AeadAlgorithm,
    options: Options<'static>,
    forwards: bool,
    tag: usize,
    /// Whether the tag stands before the ciphertext.
    tag_first: bool,
    aead: Option<Aead>,
}

impl Operation for Sealed {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let first = |key: &[u8]| {
            let aead = self.algorithm.with(key, &self.options)?;
            aead.with_insecure_tag(self.tag)
        };
        set_key(&mut self.aead, key, first, Aead::rekey)?;
        self.tag_first = self.aead.as_ref().is_some_and(Aead::tag_first);
        Ok(())
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, text: Text<'_>) -> Result<usize, Failure> {
        let Message { nonce, aad, .. } = *message;
        let aead = keyed(&mut self.aead)?;
        if self.forwards {
            let length = text.length();
            let (data, tag) = if self.tag_first {
                let (input, output) = text.apart()?;
                let (tag, data) = output.split_at_mut(self.tag);
                (Text::Apart(input, data), tag)
            } else {
                text.with_rest()
            };
            match aead.encrypt_inout(nonce, aad, in_out(data)?, &mut tag[..self.tag]) {
                Ok(()) => Ok(length + self.tag),
                Err(error) => Err(failure(error)),
            }
        } else {
            let (input, output) = text.apart()?;
            let length = input.len().checked_sub(self.tag).ok_or(Failure::Rejected)?;
            let (data, tag) = if self.tag_first {
                let (tag, data) = input.split_at(self.tag);
                (data, tag)
            } else {
                input.split_at(length)
            };
            match aead.decrypt_inout(nonce, aad, in_out(Text::Apart(data, output))?, tag) {
                Ok(()) => Ok(length),
                Err(error) => Err(failure(error)),
            }
        }
    }
}

/// A secret of a length that cannot be wrapped is wrong input.
fn wrong_input(error: Error) -> Failure {
    match error {
        Error::MessageLength => Failure::Rejected,
        other => failure(other),
    }
}

struct Wrap {
    wrap: KeyWrap,
    padded: bool,
    key: Option<Wrapper>,
}

impl Operation for Wrap {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        set_key(
            &mut self.key,
            key,
            |key| self.wrap.wrapper(key),
            Wrapper::rekey,
        )
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let secret = message.input;
        let length = if self.padded {
            secret.len().next_multiple_of(8) + 8
        } else {
            secret.len() + 8
        };
        let wrapped = keyed(&mut self.key)?.wrap(secret, &mut output[..length]);
        wrapped.map(|()| length).map_err(wrong_input)
    }
}

struct Unwrap {
    wrap: KeyWrap,
    key: Option<Unwrapper>,
}

impl Operation for Unwrap {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        set_key(
            &mut self.key,
            key,
            |key| self.wrap.unwrapper(key),
            Unwrapper::rekey,
        )
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let room = message.input.len().saturating_sub(8);
        let secret = keyed(&mut self.key)?.unwrap(message.input, &mut output[..room]);
        secret.map_err(wrong_input)
    }
}
