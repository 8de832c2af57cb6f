//! HashFunction functions: one row a hash.

use touchstone::hash::*;
use touchstone::{HashFunction, Kernel};
use touchstone_worker::{Batch, Cell, Contract, Failure, Message, Offer, Operation, Work, offer};

macro_rules! hashes {
    ($($id:literal = $hash:ty;)*) => {
        pub(crate) fn offers() -> Vec<Offer> {
            vec![$(Offer {
                kernel: <$hash as HashFunction>::Kernel::best().name().to_owned(),
                contracts: vec![Contract::Many],
                ..offer($id, "hash", "HashFunction::digest; many: HashFunction::hash_many")
            }),*]
        }

        pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
            match (work.primitive.as_str(), work.operation.as_str()) {
                $(($id, "hash") => Some(Ok(Cell::new(|| {
                    Ok(Digest::<$hash>(Vec::new()))
                }))),)*
                _ => None,
            }
        }
    };
}

hashes! {
    "sha-224" = Sha224;
    "sha-256" = Sha256;
}

/// With the places of many digests.
struct Digest<H: HashFunction>(Vec<H::Output>);

impl<H: HashFunction> Operation for Digest<H> {
    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let digest = H::digest(message.input);
        let digest = digest.as_ref();
        output[..digest.len()].copy_from_slice(digest);
        Ok(digest.len())
    }

    fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        self.0.resize_with(batch.messages, || H::digest(&[]));
        let inputs: Vec<&[u8]> = batch.inputs().collect();
        H::hash_many(&inputs, &mut self.0).map_err(Failure::failed)?;
        let length = self.0.first().map_or(0, |digest| digest.as_ref().len());
        for (digest, out) in self.0.iter().zip(output.chunks_exact_mut(length.max(1))) {
            out.copy_from_slice(digest.as_ref());
        }
        Ok(length)
    }
}
