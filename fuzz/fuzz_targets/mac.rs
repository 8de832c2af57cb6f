//! MACs. Pieces must give the MAC of one call, a call with many messages the MACs of single
//! calls, and kernels the MACs of the portable form.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone::aead::AeadError;
use touchstone::aead::Gmac;
use touchstone::block::*;
use touchstone::hidden::ghash;
use touchstone::mac::{CbcMac, Cmac, GostMac, Omac2, RetailMac};
use touchstone::mode::padding::Iso7816;
use touchstone::{Kernel, Mac};
use touchstone_fuzz::{Choose, Input, key_length, pieces};

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let input = &mut input;
    match input.byte() % 13 {
        0 => mac::<Cmac<Aes128>>(input),
        1 => mac::<Cmac<Aes256>>(input),
        2 => mac::<Cmac<Twofish>>(input),
        3 => mac::<Cmac<Kuznyechik>>(input),
        4 => mac::<Cmac<DesEde3>>(input),
        5 => mac::<Cmac<Idea>>(input),
        6 => mac::<Cmac<Shacal2>>(input),
        7 => mac::<Omac2<Camellia128>>(input),
        8 => mac::<CbcMac<Aes192, Iso7816>>(input),
        9 => mac::<CbcMac<Gost28147>>(input),
        10 => mac::<RetailMac<Des>>(input),
        11 => mac::<GostMac<'static>>(input),
        _ => gmac(input),
    }
});

fn mac<M: Mac>(input: &mut Input<'_>) {
    let length = key_length::<M>(input);
    let (key, cuts) = (input.bytes(length), input.cuts());
    let message = input.message(3000);
    // Messages of several lengths.
    let messages: Vec<&[u8]> = cuts
        .iter()
        .chain(&[0, 1, 17])
        .map(|cut| &message[cut % (message.len() + 1)..])
        .chain([&message[..]])
        .collect();
    let mut wanted: Option<Vec<M::Output>> = None;
    let kernels: Vec<_> = M::Kernel::available().collect();
    for kernel in kernels.into_iter().rev() {
        let mut mac = match M::with_kernel(kernel, &key) {
            Ok(mac) => mac,
            Err(error) => panic!("{error}"),
        };
        let once: Vec<M::Output> = messages.iter().map(|message| mac.mac(message)).collect();
        let wanted = wanted.get_or_insert_with(|| once.clone());
        assert_eq!(&once, wanted);
        let mut many = once.clone();
        many.iter_mut().for_each(|mac| mac.as_mut().fill(0));
        mac.mac_many(&messages, &mut many).unwrap();
        assert_eq!(&many, wanted);
        for range in pieces(message.len(), &cuts, 1) {
            mac.update(&message[range]);
        }
        assert_eq!(Some(&mac.finalize()), wanted.last());
        mac.update(&message);
        mac.reset();
        assert_eq!(mac.finalize(), mac.mac(b""));
    }
}

fn gmac(input: &mut Input<'_>) {
    let kernels = <[u8; 16]>::choose(input);
    let nonce = input.under(40);
    let nonce = input.bytes(nonce);
    let tag = input.under(20);
    let message = input.message(3000);
    let mut wanted: Option<(Result<(), AeadError>, Vec<u8>)> = None;
    for cipher in kernels.iter().rev() {
        for hash in ghash::Kernel::available() {
            let gmac = Gmac::with_kernels(&**cipher, hash);
            let mut made = vec![0xff; tag];
            let result = gmac.mac_into(&nonce, &message, &mut made);
            assert_eq!(gmac.verify_slice(&nonce, &message, &made), result);
            let this = (result, made);
            assert_eq!(wanted.get_or_insert_with(|| this.clone()), &this);
        }
    }
}
