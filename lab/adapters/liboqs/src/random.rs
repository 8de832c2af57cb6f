//! `OQS_randombytes`, from which the library takes its random bytes.
#![allow(unsafe_code)]

use touchstone_worker::random::{Generators, Own};

use crate::ffi::Oqs;

pub(crate) fn own(oqs: &Oqs) -> impl Generators + use<> {
    let fill = oqs.api.OQS_randombytes;
    Own("OQS_randombytes", move |output: &mut [u8]| {
        // SAFETY: the output has so many bytes.
        unsafe { fill(output.as_mut_ptr(), output.len()) };
        Ok(())
    })
}
