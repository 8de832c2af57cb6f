//! Modes that accept a message in pieces. Pieces must give the result of one call, kernels
//! the result of the portable form, and separate buffers the result of one buffer. The inverse
//! must give the message again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone::mode::*;
use touchstone_fuzz::{Choose, Cipher, Input, by_block, made, made_apart, pieces};

type Call<'c> = Box<dyn FnMut(touchstone::InOutBuf<'_, '_, u8>) + 'c>;

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let input = &mut input;
    by_block!(input, run);
});

/// Starts a message in one direction of a mode. Also returns the size in bytes of which every
/// piece must be a multiple.
fn start<'c, B: Choose>(
    mode: usize,
    forwards: bool,
    c: &'c dyn Cipher<B>,
    iv: &B,
) -> (Call<'c>, usize) {
    let size = B::SIZE;
    macro_rules! call {
        ($Mode:ident::$method:ident) => {{
            let mut mode = $Mode::new(c, &B::ZERO);
            mode.reset(iv);
            Box::new(move |data| mode.$method(data))
        }};
        (whole $Mode:ident::$method:ident) => {{
            let mut mode = $Mode::new(c, &B::ZERO);
            mode.reset(iv);
            Box::new(move |data| mode.$method(data).expect("whole blocks"))
        }};
    }
    match (mode, forwards) {
        (0, true) => {
            let ecb = Ecb::new(c);
            let call = move |data: touchstone::InOutBuf<'_, '_, u8>| ecb.encrypt_inout(data);
            (
                Box::new(move |data| call(data).expect("whole blocks")),
                size,
            )
        }
        (0, false) => {
            let ecb = Ecb::new(c);
            let call = move |data: touchstone::InOutBuf<'_, '_, u8>| ecb.decrypt_inout(data);
            (
                Box::new(move |data| call(data).expect("whole blocks")),
                size,
            )
        }
        (1, true) => (call!(whole CbcEncrypt::encrypt_inout), size),
        (1, false) => (call!(whole CbcDecrypt::decrypt_inout), size),
        (2, true) => (call!(CfbEncrypt::encrypt_inout), 1),
        (2, false) => (call!(CfbDecrypt::decrypt_inout), 1),
        (3, true) => (call!(Cfb8Encrypt::encrypt_inout), 1),
        (3, false) => (call!(Cfb8Decrypt::decrypt_inout), 1),
        (4, _) => (call!(Ofb::apply_inout), 1),
        _ => (call!(Ctr::apply_inout), 1),
    }
}

fn run<B: Choose>(input: &mut Input<'_>) {
    let kernels = B::choose(input);
    let mode = input.under(6);
    let (iv, cuts, offset) = (input.block::<B>(), input.cuts(), input.under(16));
    let mut message = input.message(4096);
    let Some(portable) = kernels.last() else {
        return;
    };
    let unit = start(mode, true, &**portable, &iv).1;
    message.truncate(message.len() / unit * unit);
    let ranges = pieces(message.len(), &cuts, unit);

    for forwards in [true, false] {
        let wanted = made(&message, start(mode, forwards, &**portable, &iv).0);
        for cipher in &kernels {
            let begin = |way| start(mode, way, &**cipher, &iv).0;
            assert_eq!(made(&message, begin(forwards)), wanted);
            assert_eq!(made_apart(&message, offset, begin(forwards)), wanted);
            assert_eq!(made(&wanted, begin(!forwards)), message);

            let mut stream = begin(forwards);
            let mut out = message.clone();
            for range in &ranges {
                stream(out[range.clone()].as_mut().into());
            }
            assert_eq!(out, wanted);
        }
    }
}
