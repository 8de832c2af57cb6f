//! Message authentication codes: `EVP_MAC_init`, `EVP_MAC_update` and `EVP_MAC_final`.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char};
use std::ptr;
use std::sync::Arc;

use touchstone_worker::{
    Cell, Contract, Failure, MACS, Message, Offer, Operation, Plan, Work, Written, c_string, offer,
};

use crate::cipher::BLOCK;
use crate::digest::HASHES;
use crate::ffi::{Api, Context, Fetched, OpenSsl, Param};

/// The EVP name of a MAC, and its other parameters.
#[derive(Clone)]
pub(crate) struct Mac {
    api: Api,
    mac: Option<Fetched>,
    name: &'static str,
    /// The name of the parameter for the underlying hash or cipher, and the parameter's value.
    beneath: Option<(&'static CStr, Arc<CStr>)>,
    nonce: bool,
    /// Whether each message needs the key again: the key is for one message, or the
    /// implementation cannot restart under the old key.
    rekey: bool,
    /// Whether the tag's length is set as a parameter. Otherwise the worker cuts the tag.
    sized: bool,
    tag: Option<usize>,
}

fn find(ssl: &OpenSsl, primitive: &str, operation: &str) -> Option<Mac> {
    let plain = |name| Mac {
        api: ssl.api,
        mac: ssl.fetch(ssl.api.EVP_MAC_fetch, name),
        name,
        beneath: None,
        nonce: false,
        rekey: false,
        sized: false,
        tag: None,
    };
    let sized = |name| Mac {
        sized: true,
        ..plain(name)
    };
    let over = |name, what, value: &str| Mac {
        beneath: Some((what, c_string(value).into())),
        ..plain(name)
    };
    let mac = match (primitive, operation) {
        ("poly1305", "mac") => Mac {
            rekey: true,
            ..plain("POLY1305")
        },
        // The tag of SipHash-2-4 has 8 bytes. EVP's default is 16 bytes, the tag of a later
        // variant.
        ("siphash-2-4", "mac") => Mac {
            rekey: true,
            tag: Some(8),
            ..sized("SIPHASH")
        },
        ("blake2b-mac", "mac") => sized("BLAKE2BMAC"),
        ("blake2s-mac", "mac") => sized("BLAKE2SMAC"),
        ("kmac-128", "mac") => sized("KMAC-128"),
        ("kmac-256", "mac") => sized("KMAC-256"),
        (_, "mac") => {
            let hash = primitive.strip_prefix("hmac-")?;
            let (_, evp) = HASHES.iter().find(|(id, _)| *id == hash)?;
            ssl.fetch(ssl.api.EVP_MD_fetch, evp)?;
            over("HMAC", c"digest", evp)
        }
        (_, "cmac" | "gmac") => {
            let (_, stem) = BLOCK.iter().find(|(id, _)| *id == primitive)?;
            let gmac = operation == "gmac";
            let cipher = format!("{stem}-{}", if gmac { "GCM" } else { "CBC" });
            ssl.fetch(ssl.api.EVP_CIPHER_fetch, &cipher)?;
            Mac {
                nonce: gmac,
                ..over(if gmac { "GMAC" } else { "CMAC" }, c"cipher", &cipher)
            }
        }
        _ => return None,
    };
    mac.mac.map(|_| mac)
}

/// Returns the name of the underlying hash or cipher, if `EVP_Q_mac` can compute the MAC. This
/// function takes no nonce and no tag length.
fn quick(mac: &Mac) -> Option<&Arc<CStr>> {
    let (_, beneath) = mac.beneath.as_ref()?;
    (!mac.nonce && !mac.sized).then_some(beneath)
}

/// Makes a cell for the contract `implicit`, with `EVP_Q_mac`, which fetches all algorithms by
/// name in each call.
pub(crate) fn implicit(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let kind = find(ssl, &work.primitive, &work.operation)?;
    let beneath = Arc::clone(quick(&kind)?);
    let api = ssl.api;
    let (name, tag) = (c_string(kind.name), work.tag);
    Some(Ok(Cell::new(move || {
        Ok(Quick {
            api,
            // These are pointers to C strings, as a C program would pass them.
            name: name.as_ptr(),
            beneath: beneath.as_ptr(),
            key: [0; LONGEST_KEY],
            key_bytes: 0,
            tag,
        })
    })))
}

/// The longest key, in bytes, that a [`Quick`] stores inside itself.
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

    #[inline(always)]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let mut written = 0;
        // SAFETY: the names are C strings that belong to the cell and outlive its objects. The
        // other pointers have the lengths that are passed beside them.
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

impl Plan for Mac {
    type Library = OpenSsl;
    /// The context, and the key if each message needs the key again.
    type Object = (Context, Vec<u8>);
    const OPERATIONS: &'static [&'static str] = MACS;

    fn find(ssl: &OpenSsl, primitive: &str, operation: &str) -> Option<Self> {
        find(ssl, primitive, operation)
    }

    fn api(&self, _: &str, _: &str) -> String {
        "EVP_MAC_init, update, final".into()
    }

    fn offer(&self, primitive: &str, operation: &str) -> Offer {
        let mut row = offer(primitive, operation, &self.api(primitive, operation))
            .taking(Contract::Implicit, quick(self).is_some());
        if self.rekey {
            row.note = "the key goes in with every message".into();
        }
        row
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        if self.nonce {
            work.need_nonce(1..)?;
        }
        self.tag = work.tag.or(self.tag);
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        let api = &self.api;
        let mac = self.mac.map_or(ptr::null_mut(), Fetched::get);
        // SAFETY: the context is new, and its owner frees it. The MAC was fetched.
        let context = unsafe { Context::new((api.EVP_MAC_CTX_new)(mac), api.EVP_MAC_CTX_free)? };
        let size = self.tag.unwrap_or(0) as u64;
        let mut params = Vec::new();
        if let Some((key, value)) = &self.beneath {
            params.push(Param::text(key, value));
        }
        if self.sized && self.tag.is_some() {
            params.push(Param::number(c"size", &size));
        }
        params.push(Param::end());
        // SAFETY: the list has its end mark, and its values outlive the call.
        let code = unsafe { (api.EVP_MAC_CTX_set_params)(context.object, params.as_ptr()) };
        if code != 1 {
            return Err(Failure::unsupported("these MAC parameters"));
        }
        Ok((context, Vec::new()))
    }

    fn set_key(&self, (context, kept): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        if self.rekey {
            key.clone_into(kept);
        }
        // For EVP_MAC_init, a NULL key means "keep the old key". So an empty key needs a
        // pointer that is not NULL.
        let pointer = if key.is_empty() {
            [0].as_ptr()
        } else {
            key.as_ptr()
        };
        // SAFETY: the key has the length that is passed.
        let code =
            unsafe { (self.api.EVP_MAC_init)(context.object, pointer, key.len(), ptr::null()) };
        self.api.ok("EVP_MAC_init with a key", code)
    }

    #[inline(always)]
    fn process(
        &self,
        object: &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let (api, ctx, key) = (&self.api, object.0.object, &object.1);
        let mut written = 0;
        // SAFETY: each length is the length of its slice, and lists of parameters have their
        // end mark.
        unsafe {
            let code = if self.nonce {
                let params = [Param::octets(c"iv", message.nonce), Param::end()];
                (api.EVP_MAC_init)(ctx, ptr::null(), 0, params.as_ptr())
            } else if self.rekey {
                (api.EVP_MAC_init)(ctx, key.as_ptr(), key.len(), ptr::null())
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
