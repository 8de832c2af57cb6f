//! Many messages under one key: a call with all messages must give the results of single
//! calls, with every kernel.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone::block::Message;
use touchstone::mode::{CbcEncrypt, CfbEncrypt, Ofb};
use touchstone_fuzz::{Choose, Cipher, Input, by_block};

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let input = &mut input;
    by_block!(input, run);
});

fn run<B: Choose>(input: &mut Input<'_>) {
    let kernels = B::choose(input);
    let (mode, number) = (input.under(3), input.under(80));
    let (iv, cuts) = (input.block::<B>(), input.cuts());
    let data = input.message(2000);
    let messages: Vec<&[u8]> = (0..number)
        .map(|i| {
            let from = (cuts[i % cuts.len()] + 3 * i) % (data.len() + 1);
            let rest = &data[from..];
            &rest[..rest.len() / B::SIZE * B::SIZE]
        })
        .collect();
    for cipher in &kernels {
        let c: &dyn Cipher<B> = &**cipher;
        let mut wanted: Vec<Vec<u8>> = messages.iter().map(|message| message.to_vec()).collect();
        for (i, message) in wanted.iter_mut().enumerate() {
            let iv = iv.plus(i as u128);
            match mode {
                0 => CbcEncrypt::new(c, &iv).encrypt(message).unwrap(),
                1 => CfbEncrypt::new(c, &iv).encrypt(message),
                _ => Ofb::new(c, &iv).apply(message),
            }
        }
        let mut given: Vec<Vec<u8>> = messages.iter().map(|message| message.to_vec()).collect();
        let mut batch: Vec<_> = given
            .iter_mut()
            .enumerate()
            .map(|(i, data)| Message::new(&iv.plus(i as u128), data).unwrap())
            .collect();
        match mode {
            0 => CbcEncrypt::encrypt_many(&c, &mut batch),
            1 => CfbEncrypt::encrypt_many(&c, &mut batch),
            _ => Ofb::apply_many(&c, &mut batch),
        }
        assert_eq!(given, wanted);
    }
}
