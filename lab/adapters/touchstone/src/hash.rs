//! Hash functions, of fixed or any output length.

use touchstone::dynamic::Hash;
use touchstone_worker::{Batch, Cell, Failure, Message, Offer, Operation, Work};

use crate::by_name::{failure, named, with_many};

/// The operation that a hash function is offered as.
fn operation(hash: &Hash) -> &'static str {
    if hash.output().is_some() {
        "hash"
    } else {
        "xof"
    }
}

pub(crate) fn offers() -> Vec<Offer> {
    let rows = Hash::names().filter_map(|id| Some((id, Hash::new(id).ok()?)));
    rows.map(|(id, hash)| {
        let offer = named(id, id, operation(&hash), "dynamic::Hash::digest");
        if hash.output().is_some() {
            with_many(offer, "dynamic::Hash::digest_many")
        } else {
            offer
        }
    })
    .collect()
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let id = Hash::names().find(|id| *id == work.primitive)?;
    let hash = Hash::new(id).ok()?;
    if work.operation != operation(&hash) {
        return None;
    }
    let length = hash.output().or(work.length).unwrap_or(0);
    // The name has been looked up once; each object is a copy of the start of a message.
    Some(Ok(Cell::new(move || {
        Ok(Digest {
            id,
            hash: hash.clone(),
            length,
        })
    })))
}

struct Digest {
    id: &'static str,
    hash: Hash,
    length: usize,
}

impl Operation for Digest {
    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let digest = &mut output[..self.length];
        let done = if message.aad.is_empty() {
            self.hash.digest(message.input, digest)
        } else {
            let customised = Hash::customised(self.id, message.aad);
            customised.and_then(|mut hash| hash.digest(message.input, digest))
        };
        match done {
            Ok(()) => Ok(self.length),
            Err(error) => Err(failure(error)),
        }
    }

    fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let inputs: Vec<&[u8]> = batch.inputs().collect();
        let digests = &mut output[..self.length * batch.messages];
        self.hash.digest_many(&inputs, digests).map_err(failure)?;
        Ok(self.length)
    }
}
