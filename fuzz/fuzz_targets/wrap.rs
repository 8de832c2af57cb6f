//! Key wrap, with padding and without: every kernel unwraps what it has wrapped. Changed
//! input is refused, and no byte of plaintext is released.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone::AeadError;
use touchstone::mode::KeyWrap;
use touchstone_fuzz::{Choose, Cipher, Input};

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let kernels = <[u8; 16]>::choose(&mut input);
    let (padded, flip) = (input.byte() & 1 == 1, input.under(65535));
    let key = input.message(1024);
    let Some(portable) = kernels.last() else {
        return;
    };
    let Ok(wanted) = wrap(&**portable, padded, &key) else {
        // Only keys of these lengths cannot be wrapped.
        assert!(key.is_empty() || !padded && (key.len() < 16 || !key.len().is_multiple_of(8)));
        assert!(
            kernels
                .iter()
                .all(|cipher| wrap(&**cipher, padded, &key).is_err())
        );
        return;
    };
    for cipher in &kernels {
        assert_eq!(wrap(&**cipher, padded, &key).as_ref(), Ok(&wanted));
        assert_eq!(unwrap(&**cipher, padded, &wanted).as_ref(), Ok(&key));
        let mut forged = wanted.clone();
        forged[flip / 8 % wanted.len()] ^= 1 << (flip % 8);
        assert_eq!(unwrap(&**cipher, padded, &forged), Err(AeadError::Forged));
    }
    // Unwraps arbitrary bytes: `unwrap` checks that no unverified bytes are released.
    let _ = unwrap(&**portable, padded, &key);
});

fn wrap(cipher: &dyn Cipher<[u8; 16]>, padded: bool, key: &[u8]) -> Result<Vec<u8>, AeadError> {
    let mode = KeyWrap::new(cipher);
    if padded {
        let mut out = vec![0xff; KeyWrap::<&dyn Cipher<[u8; 16]>>::padded_length(key.len())];
        mode.wrap_padded_into(key, &mut out).map(|()| out)
    } else {
        let mut out = vec![0xff; key.len() + 8];
        mode.wrap_into(key, &mut out).map(|()| out)
    }
}

fn unwrap(
    cipher: &dyn Cipher<[u8; 16]>,
    padded: bool,
    wrapped: &[u8],
) -> Result<Vec<u8>, AeadError> {
    let mode = KeyWrap::new(cipher);
    let mut out = vec![0xff; wrapped.len().saturating_sub(8)];
    let length = if padded {
        mode.unwrap_padded_into(wrapped, &mut out)
    } else {
        mode.unwrap_into(wrapped, &mut out).map(|()| out.len())
    };
    if let Err(error) = length {
        let left = if error == AeadError::Forged { 0 } else { 0xff };
        assert!(out.iter().all(|byte| *byte == left));
        return Err(error);
    }
    out.truncate(length?);
    Ok(out)
}
