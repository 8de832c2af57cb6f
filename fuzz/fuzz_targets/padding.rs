//! Padding. A message that is padded and unpadded must be the same again. If arbitrary bytes
//! can be unpadded, padding the result must give the same bytes again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone::block::Block;
use touchstone::mode::Padding;
use touchstone::mode::padding::{AnsiX923, Iso7816, Pkcs7, Zero};
use touchstone_fuzz::Input;

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    match input.byte() % 8 {
        0 => run::<Pkcs7, [u8; 8]>(&mut input, true),
        1 => run::<Pkcs7, [u8; 16]>(&mut input, true),
        2 => run::<Iso7816, [u8; 8]>(&mut input, true),
        3 => run::<Iso7816, [u8; 16]>(&mut input, true),
        4 => run::<AnsiX923, [u8; 16]>(&mut input, true),
        5 => run::<AnsiX923, [u8; 32]>(&mut input, true),
        6 => run::<Zero, [u8; 16]>(&mut input, false),
        _ => run::<Zero, [u8; 8]>(&mut input, false),
    }
});

fn run<P: Padding, B: Block>(input: &mut Input<'_>, removable: bool) {
    let room = input.under(64);
    let message = input.message(300);

    let mut buffer = [&message[..], &vec![0xee; room]].concat();
    let kept = buffer.clone();
    match P::pad::<B>(&mut buffer, message.len()).map(|padded| padded.len()) {
        Ok(whole) => {
            assert!(whole >= message.len() && whole.is_multiple_of(B::SIZE));
            assert_eq!(buffer[..message.len()], message);
            assert_eq!(buffer[whole..], kept[whole..]);
            let back = P::unpad::<B>(&buffer[..whole]).expect("just padded");
            if removable {
                assert_eq!(back, message);
            } else {
                // Zeros at the end cannot be told from padding.
                assert_eq!(back, &message[..back.len()]);
                assert!(message[back.len()..].iter().all(|byte| *byte == 0));
            }
        }
        Err(_) => {
            assert!(room < B::SIZE);
            assert_eq!(buffer, kept);
        }
    }

    if let Ok(inside) = P::unpad::<B>(&message) {
        assert!(message.len().is_multiple_of(B::SIZE));
        let mut again = vec![0; message.len() + B::SIZE];
        again[..inside.len()].copy_from_slice(inside);
        let padded = P::pad::<B>(&mut again, inside.len()).expect("there is room");
        // Some implementations of ANSI X9.23 pad with random bytes. Here these bytes must be
        // zeros.
        if removable {
            assert_eq!(*padded, message);
        }
    }
}
