//! Compares padding and encryption in one call with the same two steps in two calls.

use touchstone::block::{Aes128, Des};
use touchstone::mode::padding::{AnsiX923, Iso7816, Pkcs7, Zero};
use touchstone::mode::{CbcDecrypt, CbcEncrypt, Ecb};
use touchstone::prelude::*;
use touchstone::{DataError, InvalidPadding};

/// Returns messages of up to three blocks. None of the messages ends with a zero byte.
fn messages(size: usize) -> impl Iterator<Item = Vec<u8>> {
    (0..=3 * size).map(|length| (1..=length as u8).collect())
}

fn one_step_is_two<P: Padding, C>(cipher: &C)
where
    C: FusedEncrypt + FusedDecrypt,
{
    let size = size_of::<C::Block>();
    let mut iv = <C::Block as ByteArray>::ZEROS;
    iv.as_mut().fill(0x5c);
    for message in messages(size) {
        let length = message.len();
        let mut wanted = message.clone();
        wanted.resize(length + size, 0xee);
        let padded = P::pad::<C::Block>(&mut wanted, length).unwrap();
        let count = padded.len();

        let mut cbc = padded.to_vec();
        CbcEncrypt::new(cipher, &iv).encrypt(&mut cbc).unwrap();
        let mut buffer = message.clone();
        buffer.resize(length + size, 0xdd);
        let mode = CbcEncrypt::new(cipher, &iv);
        assert_eq!(
            mode.encrypt_padded::<P>(&mut buffer, length),
            Ok(&mut cbc[..])
        );
        let mode = CbcDecrypt::new(cipher, &iv);
        assert_eq!(
            mode.decrypt_padded::<P>(&mut buffer[..count]),
            Ok(&message[..])
        );

        let mut ecb = padded.to_vec();
        Ecb::new(cipher).encrypt(&mut ecb).unwrap();
        let ciphertext = Ecb::new(cipher)
            .encrypt_padded::<P>(&mut buffer, length)
            .unwrap();
        assert_eq!(ciphertext, ecb);
        assert_eq!(
            Ecb::new(cipher).decrypt_padded::<P>(ciphertext),
            Ok(&message[..])
        );

        let mut short = message.clone();
        if count > length {
            let refused = CbcEncrypt::new(cipher, &iv).encrypt_padded::<P>(&mut short, length);
            let (needed, given) = (count, length);
            assert_eq!(refused, Err(DataError::TooLittleRoom { needed, given }));
            assert_eq!(short, message);
        }

        #[cfg(feature = "alloc")]
        {
            let mode = CbcEncrypt::new(cipher, &iv);
            assert_eq!(mode.encrypt_padded_vec::<P>(&message), cbc);
            let mode = CbcDecrypt::new(cipher, &iv);
            assert_eq!(mode.decrypt_padded_vec::<P>(&cbc), Ok(message.clone()));
            assert_eq!(Ecb::new(cipher).encrypt_padded_vec::<P>(&message), ecb);
            assert_eq!(
                Ecb::new(cipher).decrypt_padded_vec::<P>(&ecb),
                Ok(message.clone())
            );
        }
    }
}

#[test]
fn padding_and_encryption_in_one_step_are_the_two_steps() {
    let (aes, des) = (Aes128::new(&[7; 16]), Des::new(&[7; 8]));
    one_step_is_two::<Pkcs7, _>(&aes);
    one_step_is_two::<Iso7816, _>(&aes);
    one_step_is_two::<AnsiX923, _>(&aes);
    one_step_is_two::<Zero, _>(&aes);
    one_step_is_two::<Pkcs7, _>(&des);
    one_step_is_two::<Zero, _>(&des);
}

#[test]
fn wrong_padding_and_broken_blocks_are_one_error() {
    let aes = Aes128::new(&[7; 16]);
    let mut wrong = [0; 32];
    CbcEncrypt::new(&aes, &[1; 16]).encrypt(&mut wrong).unwrap();
    for ciphertext in [&wrong[..], &wrong[..31], &[]] {
        let mut buffer = ciphertext.to_vec();
        let mode = CbcDecrypt::new(&aes, &[1; 16]);
        assert_eq!(
            mode.decrypt_padded::<Pkcs7>(&mut buffer),
            Err(InvalidPadding)
        );
        #[cfg(feature = "alloc")]
        {
            let mode = CbcDecrypt::new(&aes, &[1; 16]);
            assert_eq!(
                mode.decrypt_padded_vec::<Pkcs7>(ciphertext),
                Err(InvalidPadding)
            );
        }
    }
}
