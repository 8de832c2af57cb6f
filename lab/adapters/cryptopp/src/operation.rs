//! One type of object for all operations. The shim distinguishes the kinds of operations.
#![allow(unsafe_code)]

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Owned, Text, Work};

use crate::ffi::{Api, CMessage, Costs, CryptoPp};

/// The most bytes that the shim may write after the input's length.
const SPARE: usize = 64;

pub(crate) fn offers(library: &CryptoPp) -> Vec<Offer> {
    library.rows.clone()
}

pub(crate) fn cell(library: &CryptoPp, work: &Work) -> Option<Result<Cell, Failure>> {
    let is_asked = |row: &Offer| row.primitive == work.primitive && row.operation == work.operation;
    let row = library.rows.iter().position(is_asked)?;
    Some(of_row(library.api, row, work))
}

fn of_row(api: Api, row: usize, work: &Work) -> Result<Cell, Failure> {
    if work.operation == "derive" {
        if !work.key.is_empty() {
            return Err(Failure::unsupported("a key besides the input"));
        }
        if !work.aad.is_empty() && !work.primitive.starts_with("hkdf-") {
            return Err(Failure::unsupported("associated data"));
        }
    }
    let cost = |name| work.cost(name).unwrap_or(0);
    let costs = Costs {
        key: work.key.len(),
        nonce: work.nonce.len(),
        input: work.input.len(),
        tag: work.tag.unwrap_or(usize::MAX),
        length: work.length.unwrap_or(0),
        iterations: cost("iterations"),
        n: cost("n"),
        r: cost("r"),
        p: cost("p"),
        rounds: cost("rounds"),
        effective_bits: cost("effective-bits"),
        counter: cost("counter"),
        drop: cost("drop"),
    };
    let length = work.length;
    Ok(Cell::new(move || Object::new(api, row, &costs, length)))
}

/// An object of the shim.
struct Object {
    api: Api,
    shim: Owned,
    /// The output's length in bytes, if the caller chooses the length.
    length: Option<usize>,
}

impl Object {
    fn new(api: Api, row: usize, costs: &Costs, length: Option<usize>) -> Result<Self, Failure> {
        // SAFETY: the row is a row of the shim's table, and a successful call writes the
        // object.
        let shim = unsafe {
            Owned::made(api.touchstone_free, |object| {
                api.ok((api.touchstone_make)(row, costs, object))
            })?
        };
        Ok(Self { api, shim, length })
    }
}

impl Operation for Object {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the object is live, and the key has the length that is passed.
        let status =
            unsafe { (self.api.touchstone_key)(self.shim.object, key.as_ptr(), key.len()) };
        self.api.ok(status)
    }

    #[inline(always)]
    fn transform(&mut self, message: &Message<'_>, mut text: Text<'_>) -> Result<usize, Failure> {
        let (length, (input, output)) = (text.length(), text.pointers());
        if text.output().len() < self.length.unwrap_or(length + SPARE) {
            return Err(Failure::failed("no room for the output"));
        }
        let message = CMessage {
            nonce: message.nonce.as_ptr(),
            aad: message.aad.as_ptr(),
            input,
            nonce_bytes: message.nonce.len(),
            aad_bytes: message.aad.len(),
            input_bytes: length,
        };
        let mut written = 0;
        // SAFETY: the object is live and has a key, each length is the length of its slice, and
        // the output has the room that the shim needs.
        let status = unsafe {
            (self.api.touchstone_process)(self.shim.object, &message, output, &mut written)
        };
        self.api.ok(status)?;
        Ok(written)
    }
}
