//! Authenticated encryption.
#![allow(unsafe_code)]

use touchstone_worker::{AEADS, Direction, Failure, Message, Plan, Work, Written, algorithm};

use crate::ffi::{Api, Handle, Touchstone, p, p_mut};

#[derive(Clone)]
pub(crate) struct Aead {
    api: Api,
    name: String,
    way: Direction,
    /// Length of the tag in bytes; `None` means the algorithm's own length.
    tag: Option<usize>,
    /// Whether the tag is before the ciphertext.
    tag_first: bool,
}

/// A handle of an AEAD, and the length of its tag in bytes.
pub(crate) struct Sealer {
    handle: Handle,
    tag: usize,
}

impl Plan for Aead {
    type Library = Touchstone;
    type Object = Sealer;
    const OPERATIONS: &'static [&'static str] = AEADS;

    fn find(library: &Touchstone, primitive: &str, operation: &str) -> Option<Self> {
        let (mode, way) = Direction::split(operation)?;
        let name = algorithm(primitive, operation);
        library.aeads.contains(&name).then(|| Self {
            api: library.api,
            way,
            tag: None,
            // The tag comes first in SIV (RFC 5297, 2.6) and in NaCl's `crypto_secretbox`.
            tag_first: mode == "siv" || primitive == "xsalsa20-poly1305",
            name,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        let way = self.way;
        way.choose("touchstone_aead_encrypt", "touchstone_aead_decrypt")
            .into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.tag = work.tag;
        Ok(self)
    }

    fn make(&self) -> Result<Sealer, Failure> {
        let api = &self.api;
        let handle = Handle::new(
            api,
            api.touchstone_aead_free,
            &self.name,
            api.touchstone_aead_new,
        )?;
        if let Some(size) = self.tag {
            handle.set_tag_size(api, api.touchstone_aead_set_tag_size_insecure, size)?;
        }
        // SAFETY: the handle lives.
        let tag = unsafe { (api.touchstone_aead_tag_size)(handle.pointer) };
        Ok(Sealer { handle, tag })
    }

    fn set_key(&self, sealer: &mut Sealer, key: &[u8]) -> Result<(), Failure> {
        let set_key = self.api.touchstone_aead_set_key;
        sealer.handle.set_key(&self.api, set_key, key)
    }

    #[inline(always)]
    fn process(&self, sealer: &mut Sealer, message: &Message<'_>, output: &mut [u8]) -> Written {
        let Message {
            nonce, aad, input, ..
        } = *message;
        let (api, aead, size) = (&self.api, sealer.handle.pointer, sealer.tag);
        let (n, a) = (nonce.len(), aad.len());
        let length = self.way.without_tag(input.len(), size)?;
        // `at` is the place of the data in the joined text, `end` is the place of the tag.
        let (at, end) = if self.tag_first {
            (size, 0)
        } else {
            (0, length)
        };
        match self.way {
            Direction::Encrypt => {
                let joined = p_mut(&mut output[..length + size]);
                // SAFETY: the handle is live, and each length is the length of its bytes. Data
                // and tag are two parts of the joined text.
                let code = unsafe {
                    let (data, tag) = (joined.byte_add(at), joined.byte_add(end));
                    let i = p(input);
                    (api.touchstone_aead_encrypt)(
                        aead,
                        p(nonce),
                        n,
                        p(aad),
                        a,
                        i,
                        data,
                        length,
                        tag,
                        size,
                    )
                };
                api.check(code).map(|()| length + size)
            }
            Direction::Decrypt => {
                let (i, t) = (p(&input[at..]), p(&input[end..]));
                let d = p_mut(&mut output[..length]);
                // SAFETY: the handle is live, and each length is the length of its bytes.
                let code = unsafe {
                    (api.touchstone_aead_decrypt)(
                        aead,
                        p(nonce),
                        n,
                        p(aad),
                        a,
                        i,
                        d,
                        length,
                        t,
                        size,
                    )
                };
                api.check(code).map(|()| length)
            }
        }
    }
}
