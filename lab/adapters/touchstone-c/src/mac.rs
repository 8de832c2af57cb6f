//! Message authentication codes, with a nonce and without.
#![allow(unsafe_code)]

use touchstone_worker::{
    Batch, Cell, Contract, Failure, Message, Offer, Operation, Work, c_string,
};

use crate::ffi::{Api, Handle, Many, STATE, Touchstone, p, p_mut};

/// The MACs that the lab knows as operations of a block cipher.
const MODES: &[&str] = &["cmac", "cbc-mac", "retail-mac", "gost-mac", "pmac", "gmac"];

const CALL: &str = "touchstone_mac_message";

/// MACs of which many messages at once are faster than one by one.
fn has_many(name: &str) -> bool {
    name.ends_with("-cmac") || name.ends_with("-cbc-mac") || name.starts_with("hmac-")
}

pub(crate) fn offers(library: &Touchstone) -> Vec<Offer> {
    let mut offers = Vec::new();
    for name in &library.macs {
        let mut offer = match library.split(name, MODES) {
            Some((id, mode)) => library.named(name, id, mode, CALL),
            None if library.is_over_block_cipher(name) => continue,
            None => library.named(name, name, "mac", CALL),
        };
        if Kind::of(library, name) == Kind::OneTime {
            offer.note = "a key is for one message, so each message sets the key up".into();
        } else if has_many(name) {
            offer.api += "; many: touchstone_mac_many";
            offer.contracts = vec![Contract::Many];
        }
        offers.push(offer);
    }
    offers
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    WithNonce,
    /// A key is for one message.
    OneTime,
}

impl Kind {
    fn of(library: &Touchstone, name: &str) -> Self {
        let api = &library.api;
        if library.shortest(api.touchstone_mac_nonce_sizes_of, name) != 0 {
            Self::WithNonce
        } else if second_tag_is_refused(library, name) {
            Self::OneTime
        } else {
            Self::Plain
        }
    }
}

fn second_tag_is_refused(library: &Touchstone, name: &str) -> bool {
    let api = &library.api;
    let key = vec![7; library.shortest(api.touchstone_mac_key_sizes_of, name)];
    let Ok(mac) = handle(api, name, None) else {
        return false;
    };
    // SAFETY: the handle lives, and all bytes have their lengths.
    let codes = unsafe {
        let mut tag = vec![0; (api.touchstone_mac_tag_size)(mac.pointer)];
        (api.touchstone_mac_set_key)(mac.pointer, p(&key), key.len());
        let (t, size) = (p_mut(&mut tag), tag.len());
        [(); 2].map(|()| (api.touchstone_mac_message)(mac.pointer, p(&[]), 0, t, size))
    };
    codes == [0, STATE]
}

fn handle(api: &Api, name: &str, tag: Option<usize>) -> Result<Handle, Failure> {
    let name = c_string(name);
    // SAFETY: the handle's place is valid, and the name is a C string.
    let new = |h| unsafe { (api.touchstone_mac_new)(h, name.as_ptr()) };
    let handle = Handle::new(api, api.touchstone_mac_free, new)?;
    if let Some(size) = tag {
        let set = if size < 4 {
            api.touchstone_mac_set_tag_size_insecure
        } else {
            api.touchstone_mac_set_tag_size
        };
        handle.set_tag_size(api, set, size)?;
    }
    Ok(handle)
}

pub(crate) fn cell(library: &Touchstone, work: &Work) -> Option<Result<Cell, Failure>> {
    let name = match work.operation.as_str() {
        "mac" => work.primitive.clone(),
        mode if MODES.contains(&mode) => format!("{}-{mode}", work.primitive),
        _ => return None,
    };
    if !library.macs.contains(&name) {
        return None;
    }
    if ["effective-bits", "rounds"]
        .iter()
        .any(|name| work.cost(name).is_some())
    {
        return Some(Err(Failure::unsupported("a MAC with a parameter")));
    }
    let kind = Kind::of(library, &name);
    if kind != Kind::WithNonce && !work.nonce.is_empty() {
        return Some(Err(Failure::unsupported("a MAC with a nonce")));
    }
    let (api, tag) = (library.api, work.tag);
    Some(Ok(Cell::new(move || {
        let handle = handle(&api, &name, tag)?;
        // SAFETY: the handle lives.
        let tag = unsafe { (api.touchstone_mac_tag_size)(handle.pointer) };
        Ok(Tagged {
            api,
            handle,
            kind,
            tag,
            key: Vec::new(),
            many: Many::default(),
        })
    })))
}

struct Tagged {
    api: Api,
    handle: Handle,
    kind: Kind,
    /// Bytes of a tag.
    tag: usize,
    /// The key, where each message needs it.
    key: Vec<u8>,
    many: Many,
}

impl Operation for Tagged {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        if self.kind == Kind::OneTime {
            self.key.clear();
            self.key.extend_from_slice(key);
        }
        let mac = self.handle.pointer;
        // SAFETY: the handle lives, and the key has its length.
        let code = unsafe { (self.api.touchstone_mac_set_key)(mac, p(key), key.len()) };
        self.api.check(code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Message { nonce, input, .. } = *message;
        let (api, mac, size) = (&self.api, self.handle.pointer, self.tag);
        let tag = p_mut(&mut output[..size]);
        // SAFETY: the handle lives, and all bytes have their lengths.
        let code = unsafe {
            match self.kind {
                Kind::Plain => {}
                Kind::WithNonce => {
                    api.check((api.touchstone_mac_set_nonce)(mac, p(nonce), nonce.len()))?;
                }
                Kind::OneTime => {
                    let (key, len) = (p(&self.key), self.key.len());
                    api.check((api.touchstone_mac_set_key)(mac, key, len))?;
                }
            }
            (api.touchstone_mac_message)(mac, p(input), input.len(), tag, size)
        };
        api.check(code)?;
        Ok(size)
    }

    fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let all = self.tag * batch.messages;
        self.many.set(batch.inputs());
        let (inputs, lens, count) = self.many.parts();
        let (mac, tags) = (self.handle.pointer, p_mut(&mut output[..all]));
        // SAFETY: the handle lives; there are as many inputs and lengths as messages, and room
        // for all tags.
        let code = unsafe { (self.api.touchstone_mac_many)(mac, inputs, lens, count, tags, all) };
        self.api.check(code)?;
        Ok(self.tag)
    }
}
