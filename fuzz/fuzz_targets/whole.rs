//! XTS and ciphertext stealing, modes in which each call processes a whole message. Kernels
//! must give the result of the portable form, and separate buffers the result of one buffer.
//! The inverse must give the message again. A message that is too short must stay unchanged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone::mode::*;
use touchstone::{DataError, InOutBuf};
use touchstone_fuzz::{Choose, Cipher, Input, by_block, made_apart};

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let input = &mut input;
    if input.byte() & 1 == 0 {
        xts(input);
    } else {
        by_block!(input, steal);
    }
});

type Call<'c> = &'c dyn Fn(InOutBuf<'_, '_, u8>) -> Result<(), DataError>;

/// Checks one kernel: `there` and `back` use the kernel, `wanted` uses the portable form.
fn check(
    message: &[u8],
    offset: usize,
    least: usize,
    wanted: Call<'_>,
    there: Call<'_>,
    back: Call<'_>,
) {
    let mut right = message.to_vec();
    let result = wanted(right.as_mut_slice().into());
    assert_eq!(result.is_ok(), message.len() >= least);
    let mut given = message.to_vec();
    assert_eq!(there(given.as_mut_slice().into()), result);
    assert_eq!(given, right);
    if result.is_err() {
        assert_eq!(given, message);
        return;
    }
    assert_eq!(
        made_apart(message, offset, |data| there(data).unwrap()),
        right
    );
    assert_eq!(
        made_apart(&right, offset, |data| back(data).unwrap()),
        message
    );
    assert_eq!(back(given.as_mut_slice().into()), Ok(()));
    assert_eq!(given, message);
}

fn steal<B: Choose>(input: &mut Input<'_>) {
    let kernels = B::choose(input);
    let (mode, iv, offset) = (input.under(4), input.block::<B>(), input.under(16));
    let message = input.message(2048);
    let Some(portable) = kernels.last() else {
        return;
    };
    let p = &**portable;
    for cipher in &kernels {
        let c: &dyn Cipher<B> = &**cipher;
        macro_rules! cbc {
            ($Mode:ident) => {
                check(
                    &message,
                    offset,
                    B::SIZE,
                    &|data| $Mode::new(p).encrypt_inout(&iv, data),
                    &|data| $Mode::new(c).encrypt_inout(&iv, data),
                    &|data| $Mode::new(c).decrypt_inout(&iv, data),
                )
            };
        }
        match mode {
            0 => check(
                &message,
                offset,
                B::SIZE,
                &|data| EcbSteal::new(p).encrypt_inout(data),
                &|data| EcbSteal::new(c).encrypt_inout(data),
                &|data| EcbSteal::new(c).decrypt_inout(data),
            ),
            1 => cbc!(CbcCs1),
            2 => cbc!(CbcCs2),
            _ => cbc!(CbcCs3),
        }
    }
}

fn xts(input: &mut Input<'_>) {
    let (data, tweaks) = <[u8; 16]>::choose_two(input);
    let (number, offset) = (input.block::<[u8; 16]>(), input.under(16));
    let message = input.message(4096);
    let (Some(p), Some(t)) = (data.last(), tweaks.last()) else {
        return;
    };
    let portable = Xts::with_ciphers(&**p, &**t);
    for (d, t) in data.iter().zip(&tweaks) {
        let mode = Xts::with_ciphers(&**d, &**t);
        check(
            &message,
            offset,
            16,
            &|data| portable.encrypt_inout(&number, data),
            &|data| mode.encrypt_inout(&number, data),
            &|data| mode.decrypt_inout(&number, data),
        );
    }
}
