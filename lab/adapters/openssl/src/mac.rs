//! Message authentication: `EVP_MAC_init`, `update`, `final`.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use touchstone_worker::{
    Cell, Contract, Failure, Message, Offer, Operation, Work, c_string, offer,
};

use crate::cipher::BLOCK;
use crate::digest::HASHES;
use crate::ffi::{Api, Context, Fetched, OpenSsl, Param};

/// The EVP name of a MAC and its further parameters.
struct Kind {
    name: &'static str,
    /// The parameter that names the underlying hash or cipher, and its value.
    beneath: Option<(&'static CStr, CString)>,
    nonce: bool,
    /// The state cannot be restarted under the old key: a one-time key, or an
    /// implementation without the means.
    rekey: bool,
    /// Whether the tag's length goes in as a parameter (else output is cut).
    sized: bool,
}

fn find(ssl: &OpenSsl, primitive: &str, operation: &str) -> Option<Kind> {
    let plain = |name| Kind {
        name,
        beneath: None,
        nonce: false,
        rekey: false,
        sized: false,
    };
    let kind = match (primitive, operation) {
        ("poly1305", "mac") => Kind {
            rekey: true,
            ..plain("POLY1305")
        },
        ("siphash-2-4", "mac") => Kind {
            rekey: true,
            sized: true,
            ..plain("SIPHASH")
        },
        ("blake2b-mac", "mac") => Kind {
            sized: true,
            ..plain("BLAKE2BMAC")
        },
        ("blake2s-mac", "mac") => Kind {
            sized: true,
            ..plain("BLAKE2SMAC")
        },
        ("kmac-128", "mac") => Kind {
            sized: true,
            ..plain("KMAC-128")
        },
        ("kmac-256", "mac") => Kind {
            sized: true,
            ..plain("KMAC-256")
        },
        (_, "mac") => {
            let hash = primitive.strip_prefix("hmac-")?;
            let (_, evp) = HASHES.iter().find(|(id, _)| *id == hash)?;
            ssl.fetch(ssl.api.EVP_MD_fetch, evp)?;
            Kind {
                beneath: Some((c"digest", c_string(evp))),
                ..plain("HMAC")
            }
        }
        (_, "cmac" | "gmac") => {
            let (_, stem) = BLOCK.iter().find(|(id, _)| *id == primitive)?;
            let (name, mode) = if operation == "cmac" {
                ("CMAC", "CBC")
            } else {
                ("GMAC", "GCM")
            };
            let cipher = format!("{stem}-{mode}");
            ssl.fetch(ssl.api.EVP_CIPHER_fetch, &cipher)?;
            Kind {
                beneath: Some((c"cipher", c_string(&cipher))),
                nonce: operation == "gmac",
                ..plain(name)
            }
        }
        _ => return None,
    };
    ssl.fetch(ssl.api.EVP_MAC_fetch, kind.name)?;
    Some(kind)
}

pub(crate) fn offers(ssl: &OpenSsl) -> Vec<Offer> {
    let hmac = HASHES.iter().map(|(id, _)| (format!("hmac-{id}"), "mac"));
    let block = BLOCK
        .iter()
        .flat_map(|(id, _)| ["cmac", "gmac"].map(|operation| ((*id).to_owned(), operation)));
    let own = [
        "blake2b-mac",
        "blake2s-mac",
        "poly1305",
        "siphash-2-4",
        "kmac-128",
        "kmac-256",
    ]
    .map(|id| (id.to_owned(), "mac"));
    hmac.chain(block)
        .chain(own)
        .filter_map(|(id, operation)| {
            let kind = find(ssl, &id, operation)?;
            let mut row = offer(&id, operation, "EVP_MAC_init, update, final");
            if quick(&kind).is_some() {
                row.contracts.push(Contract::Implicit);
            }
            if kind.rekey {
                row.note = "the key goes in with every message".into();
            }
            Some(row)
        })
        .collect()
}

pub(crate) fn cell(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let kind = find(ssl, &work.primitive, &work.operation)?;
    let mac = ssl.fetch(ssl.api.EVP_MAC_fetch, kind.name)?;
    if kind.nonce && work.nonce.is_empty() {
        return Some(Err(Failure::unsupported("an empty nonce")));
    }
    let api = ssl.api;
    // SipHash-2-4's tag is 8 bytes; EVP's default is the 16 of a later variant.
    let tag = work.tag.or((work.primitive == "siphash-2-4").then_some(8));
    Some(Ok(Cell::new(move || {
        // SAFETY: a fresh context, freed by its owner; the MAC was fetched.
        let context =
            unsafe { Context::new((api.EVP_MAC_CTX_new)(mac.get()), api.EVP_MAC_CTX_free)? };
        let made = Mac {
            api,
            _mac: mac,
            context,
            nonce: kind.nonce,
            rekey: kind.rekey,
            key: Vec::new(),
            tag,
        };
        let size = tag.unwrap_or(0) as u64;
        let mut params = Vec::new();
        if let Some((key, value)) = &kind.beneath {
            params.push(Param::text(key, value));
        }
        if kind.sized && tag.is_some() {
            params.push(Param::number(c"size", &size));
        }
        params.push(Param::end());
        // SAFETY: the list ends with its mark; its values outlive the call.
        let code = unsafe { (api.EVP_MAC_CTX_set_params)(made.context.object, params.as_ptr()) };
        if code != 1 {
            return Err(Failure::unsupported("these MAC parameters"));
        }
        Ok(made)
    })))
}

/// The hash or cipher beneath a MAC that `EVP_Q_mac` can make: it takes that name,
/// and no nonce and no length.
fn quick(kind: &Kind) -> Option<&CStr> {
    let (_, beneath) = kind.beneath.as_ref()?;
    (!kind.nonce && !kind.sized).then_some(beneath.as_c_str())
}

/// `EVP_Q_mac`, which finds everything by name.
pub(crate) fn implicit(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let kind = find(ssl, &work.primitive, &work.operation)?;
    let beneath = quick(&kind)?.to_owned();
    let api = ssl.api;
    let (name, tag) = (c_string(kind.name), work.tag);
    Some(Ok(Cell::new(move || {
        Ok(Quick {
            api,
            // C strings, as a C program has them.
            name: name.as_ptr(),
            beneath: beneath.as_ptr(),
            key: [0; LONGEST_KEY],
            key_bytes: 0,
            tag,
        })
    })))
}

/// Bytes of a key that a [`Quick`] keeps without memory of its own.
const LONGEST_KEY: usize = 256;

struct Quick {
    api: Api,
    name: *const c_char,
    beneath: *const c_char,
    key: [u8; LONGEST_KEY],
    key_bytes: usize,
    tag: Option<usize>,
}

impl Operation for Quick {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let place = self
            .key
            .get_mut(..key.len())
            .ok_or_else(|| Failure::unsupported("so long a key in one call"))?;
        place.copy_from_slice(key);
        self.key_bytes = key.len();
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let mut written = 0;
        // SAFETY: the names are C strings that the cell owns and that outlive its
        // objects; the other pointers are as long as stated beside them.
        let made = unsafe {
            (self.api.EVP_Q_mac)(
                ptr::null_mut(),
                self.name,
                ptr::null(),
                self.beneath,
                ptr::null(),
                self.key.as_ptr(),
                self.key_bytes,
                message.input.as_ptr(),
                message.input.len(),
                output.as_mut_ptr(),
                output.len(),
                &mut written,
            )
        };
        if made.is_null() {
            return Err(self.api.failure("EVP_Q_mac"));
        }
        match self.tag {
            Some(tag) if tag > written => Err(Failure::length("a tag", tag)),
            tag => Ok(tag.unwrap_or(written)),
        }
    }
}

struct Mac {
    api: Api,
    _mac: Fetched,
    context: Context,
    nonce: bool,
    rekey: bool,
    key: Vec<u8>,
    tag: Option<usize>,
}

impl Operation for Mac {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        if self.rekey {
            self.key.clear();
            self.key.extend_from_slice(key);
        }
        // NULL would mean "keep the old key", so an empty key needs a pointer that is not
        // NULL.
        let pointer = if key.is_empty() {
            [0].as_ptr()
        } else {
            key.as_ptr()
        };
        // SAFETY: the key is as long as stated.
        let code = unsafe {
            (self.api.EVP_MAC_init)(self.context.object, pointer, key.len(), ptr::null())
        };
        self.api.ok("EVP_MAC_init with a key", code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (api, ctx) = (&self.api, self.context.object);
        let mut written = 0;
        // SAFETY: lengths are those of the slices; parameter lists end with
        // their mark.
        unsafe {
            let code = if self.nonce {
                let params = [Param::octets(c"iv", message.nonce), Param::end()];
                (api.EVP_MAC_init)(ctx, ptr::null(), 0, params.as_ptr())
            } else if self.rekey {
                (api.EVP_MAC_init)(ctx, self.key.as_ptr(), self.key.len(), ptr::null())
            } else {
                (api.EVP_MAC_init)(ctx, ptr::null(), 0, ptr::null())
            };
            api.ok("EVP_MAC_init", code)?;
            api.ok(
                "EVP_MAC_update",
                (api.EVP_MAC_update)(ctx, message.input.as_ptr(), message.input.len()),
            )?;
            let code = (api.EVP_MAC_final)(ctx, output.as_mut_ptr(), &mut written, output.len());
            api.ok("EVP_MAC_final", code)?;
        }
        match self.tag {
            Some(tag) if tag > written => Err(Failure::length("a tag", tag)),
            Some(tag) => Ok(tag),
            None => Ok(written),
        }
    }
}
