//! Hash functions, of fixed or any output length.
#![allow(unsafe_code)]

use touchstone_worker::{
    Batch, Cell, Contract, Failure, Message, Offer, Operation, Work, c_string,
};

use crate::ffi::{Api, Handle, Many, Touchstone, p, p_mut};

fn handle(api: &Api, name: &str) -> Result<Handle, Failure> {
    let name = c_string(name);
    // SAFETY: the handle's place is valid, and the name is a C string.
    let new = |h| unsafe { (api.touchstone_hash_new)(h, name.as_ptr()) };
    Handle::new(api, api.touchstone_hash_free, new)
}

/// The length of the digests in bytes; `None` if the caller chooses it.
fn size(api: &Api, name: &str) -> Option<usize> {
    let hash = handle(api, name).ok()?;
    // SAFETY: the handle lives.
    let size = unsafe { (api.touchstone_hash_size)(hash.pointer) };
    (size != 0).then_some(size)
}

pub(crate) fn offers(library: &Touchstone) -> Vec<Offer> {
    let offer = |name: &String| {
        let call = "touchstone_hash_message";
        if size(&library.api, name).is_none() {
            return library.named(name, name, "xof", call);
        }
        let offer = library.named(name, name, "hash", call);
        Offer {
            api: format!("{call}; many: touchstone_hash_many"),
            contracts: vec![Contract::Many],
            ..offer
        }
    };
    library.hashes.iter().map(offer).collect()
}

pub(crate) fn cell(library: &Touchstone, work: &Work) -> Option<Result<Cell, Failure>> {
    let name = &work.primitive;
    if !library.hashes.contains(name) {
        return None;
    }
    let length = match (work.operation.as_str(), size(&library.api, name)) {
        ("hash", Some(size)) => size,
        ("xof", None) => work.length.unwrap_or(0),
        _ => return None,
    };
    let (api, name) = (library.api, name.clone());
    Some(Ok(Cell::new(move || {
        Ok(Digest {
            api,
            handle: handle(&api, &name)?,
            length,
            many: Many::default(),
        })
    })))
}

struct Digest {
    api: Api,
    handle: Handle,
    length: usize,
    many: Many,
}

impl Operation for Digest {
    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (i, len) = (p(message.input), message.input.len());
        let (digest, size) = (p_mut(&mut output[..self.length]), self.length);
        let hash = self.handle.pointer;
        // SAFETY: the handle lives, and all bytes have their lengths.
        let code = unsafe { (self.api.touchstone_hash_message)(hash, i, len, digest, size) };
        self.api.check(code)?;
        Ok(size)
    }

    fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let all = self.length * batch.messages;
        self.many.set(batch.inputs());
        let (inputs, lens, count) = self.many.parts();
        let (hash, digests) = (self.handle.pointer, p_mut(&mut output[..all]));
        // SAFETY: the handle lives; there are as many inputs and lengths as messages, and room
        // for all digests.
        let code =
            unsafe { (self.api.touchstone_hash_many)(hash, inputs, lens, count, digests, all) };
        self.api.check(code)?;
        Ok(self.length)
    }
}
