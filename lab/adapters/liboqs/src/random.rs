//! `OQS_randombytes`, from which the library takes its random bytes.
#![allow(unsafe_code)]

use touchstone_worker::random::{self, Generators, Own};
use touchstone_worker::{Cell, Failure, Offer, Work};

use crate::ffi::Oqs;

fn own(oqs: &Oqs) -> impl Generators + use<> {
    let fill = oqs.api.OQS_randombytes;
    Own("OQS_randombytes", move |output: &mut [u8]| {
        // SAFETY: the output has so many bytes.
        unsafe { fill(output.as_mut_ptr(), output.len()) };
        Ok(())
    })
}

pub(crate) fn offers(oqs: &Oqs) -> Vec<Offer> {
    random::offers(&own(oqs))
}

pub(crate) fn cell(oqs: &Oqs, work: &Work) -> Option<Result<Cell, Failure>> {
    random::cell(&own(oqs), work)
}
