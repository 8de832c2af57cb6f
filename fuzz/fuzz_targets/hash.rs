//! Hash functions. Pieces must give the digest of one call, a call with many messages the
//! digests of single calls, and kernels the digests of the portable form.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone::hash::{Sha224, Sha256};
use touchstone::{HashFunction, Kernel};
use touchstone_fuzz::{Input, pieces};

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    if input.byte() & 1 == 0 {
        run::<Sha224>(&mut input);
    } else {
        run::<Sha256>(&mut input);
    }
});

fn run<H: HashFunction>(input: &mut Input<'_>) {
    let cuts = input.cuts();
    let message = input.message(5000);
    let messages: Vec<&[u8]> = cuts
        .iter()
        .cycle()
        .take(20)
        .enumerate()
        .map(|(i, cut)| &message[(cut + 7 * i) % (message.len() + 1)..])
        .collect();
    let Some(portable) = H::Kernel::available().last() else {
        return;
    };
    let wanted: Vec<H::Output> = messages
        .iter()
        .map(|message| H::digest_with(portable, message))
        .collect();
    let whole = H::digest_with(portable, &message);
    for kernel in H::Kernel::available() {
        let mut many = vec![whole; messages.len()];
        H::hash_many_with(kernel, &messages, &mut many).unwrap();
        assert_eq!(many, wanted);
        assert_eq!(H::digest_with(kernel, &message), whole);
        let mut hash = H::with_kernel(kernel);
        for range in pieces(message.len(), &cuts, 1) {
            hash.update(&message[range]);
        }
        assert_eq!(hash.finalize(), whole);
    }
}
