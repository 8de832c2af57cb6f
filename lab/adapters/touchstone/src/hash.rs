//! Hash functions whose output has a fixed or any length.

use std::sync::Arc;

use touchstone::dynamic::Hash;
use touchstone_worker::{Batch, Failure, HASHES, Message, Plan, Work, Written};

use crate::Touchstone;
use crate::by_name::failure;

#[derive(Clone)]
pub(crate) struct Digest {
    id: &'static str,
    /// The state before a message. The name is looked up once, and each object is a copy of
    /// this state.
    start: Arc<Hash>,
    length: usize,
}

impl Plan for Digest {
    type Library = Touchstone;
    type Object = Hash;
    const OPERATIONS: &'static [&'static str] = HASHES;

    fn find(_: &Touchstone, primitive: &str, operation: &str) -> Option<Self> {
        let id = Hash::names().find(|id| *id == primitive)?;
        let hash = Hash::new(id).ok()?;
        let any_length = hash.output().is_none();
        (any_length == (operation == "xof")).then(|| Self {
            id,
            length: hash.output().unwrap_or(0),
            start: Arc::new(hash),
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "dynamic::Hash::digest".into()
    }

    fn many(&self, _: &str, operation: &str) -> Option<&'static str> {
        (operation == "hash").then_some("dynamic::Hash::digest_many")
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.length = self.start.output().or(work.length).unwrap_or(0);
        Ok(self)
    }

    fn make(&self) -> Result<Hash, Failure> {
        Ok(Hash::clone(&self.start))
    }

    #[inline(always)]
    fn process(&self, hash: &mut Hash, message: &Message<'_>, output: &mut [u8]) -> Written {
        let digest = &mut output[..self.length];
        let done = if message.aad.is_empty() {
            hash.digest(message.input, digest)
        } else {
            let customised = Hash::customised(self.id, message.aad);
            customised.and_then(|mut hash| hash.digest(message.input, digest))
        };
        match done {
            Ok(()) => Ok(self.length),
            Err(error) => Err(failure(error)),
        }
    }

    fn process_many(&self, hash: &mut Hash, batch: &Batch<'_>, output: &mut [u8]) -> Written {
        let inputs: Vec<&[u8]> = batch.inputs().collect();
        let digests = &mut output[..self.length * batch.messages];
        hash.digest_many(&inputs, digests).map_err(failure)?;
        Ok(self.length)
    }
}
