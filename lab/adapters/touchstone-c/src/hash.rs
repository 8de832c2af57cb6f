//! Hash functions whose output has a fixed or any length.
#![allow(unsafe_code)]

use touchstone_worker::{Batch, Failure, HASHES, Message, Plan, Work, Written};

use crate::ffi::{Api, Handle, Many, Touchstone, p, p_mut};

#[derive(Clone)]
pub(crate) struct Digest {
    api: Api,
    name: String,
    length: usize,
    any_length: bool,
    /// The customisation string of cSHAKE and KangarooTwelve.
    customisation: Vec<u8>,
}

fn handle(api: &Api, name: &str) -> Result<Handle, Failure> {
    Handle::new(api, api.touchstone_hash_free, name, api.touchstone_hash_new)
}

impl Plan for Digest {
    type Library = Touchstone;
    type Object = (Handle, Many);
    const OPERATIONS: &'static [&'static str] = HASHES;

    fn find(library: &Touchstone, primitive: &str, operation: &str) -> Option<Self> {
        let (api, name) = (
            library.api,
            library.hashes.iter().find(|id| *id == primitive)?,
        );
        let hash = handle(&api, name).ok()?;
        // SAFETY: the handle is live. The size is 0 if the caller chooses the length.
        let length = unsafe { (api.touchstone_hash_size)(hash.pointer) };
        let any_length = length == 0;
        (any_length == (operation == "xof")).then(|| Self {
            api,
            name: name.clone(),
            length,
            any_length,
            customisation: Vec::new(),
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "touchstone_hash_message".into()
    }

    fn many(&self, _: &str, _: &str) -> Option<&'static str> {
        (!self.any_length).then_some("touchstone_hash_many")
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.customisation.clone_from(&work.aad);
        if self.any_length {
            self.length = work.length.unwrap_or(0);
        }
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        let (api, name, customisation) = (&self.api, &self.name, &self.customisation);
        let hash = if customisation.is_empty() {
            handle(api, name)?
        } else {
            // SAFETY: the place is valid, the name is a C string, and the customisation string
            // has the length that is passed.
            Handle::made(api, api.touchstone_hash_free, name, |place, name| unsafe {
                (api.touchstone_hash_new_customised)(
                    place,
                    name,
                    p(customisation),
                    customisation.len(),
                )
            })?
        };
        Ok((hash, Many::default()))
    }

    #[inline(always)]
    fn process(
        &self,
        (hash, _): &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let (i, len) = (p(message.input), message.input.len());
        let (digest, size) = (p_mut(&mut output[..self.length]), self.length);
        // SAFETY: the handle is live, and each length is the length of its bytes.
        let code =
            unsafe { (self.api.touchstone_hash_message)(hash.pointer, i, len, digest, size) };
        self.api.check(code).map(|()| size)
    }

    fn process_many(
        &self,
        (hash, many): &mut Self::Object,
        batch: &Batch<'_>,
        output: &mut [u8],
    ) -> Written {
        let (call, hash) = (self.api.touchstone_hash_many, hash.pointer);
        many.digests(&self.api, call, hash, batch, self.length, output)
    }
}
