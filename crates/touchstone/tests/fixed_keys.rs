//! Tests keys whose length is part of their type: every algorithm with one key length accepts
//! an array as its key, and computes the same as after a set-up from a slice.

use std::marker::PhantomData;

use touchstone::aead::{Aes128Siv, Aes256Gcm, Aes256Ocb};
use touchstone::block::*;
use touchstone::mac::{Cmac, Dmac, Hmac, RetailMac, SipHash24};
use touchstone::mode::Xts;
use touchstone::stream::*;
use touchstone::{Aead, ByteArray, FixedKey, Keyed, Mac, StreamKey};

/// Finds out whether a type implements [`FixedKey`]. The compiler prefers the method of this
/// type, if its bound holds, to the method of the trait `Other`.
struct Asked<T>(PhantomData<T>);

impl<T: FixedKey> Asked<T> {
    fn length(&self) -> Option<usize> {
        Some(T::Key::LENGTH)
    }
}

trait Other {
    fn length(&self) -> Option<usize>;
}

impl<T> Other for Asked<T> {
    fn length(&self) -> Option<usize> {
        None
    }
}

macro_rules! asked {
    ($id:literal, $($Type:ty),*) => {$(
        let lengths = <$Type as Keyed>::KEY_LENGTHS;
        if let Some(length) = Asked::<$Type>(PhantomData).length() {
            assert!(lengths.contains(length), "{}", $id);
        } else {
            assert_ne!(lengths.min, lengths.max, "{} has no key by type", $id);
        }
    )*};
}

#[test]
fn each_algorithm_whose_keys_have_one_length_takes_an_array() {
    macro_rules! ciphers {
        ($(
            $(#[$cfg:meta])*
            $id:literal = $E:ty, $D:ty $(, key: $key:literal)? $(, with: $with:expr)?
            $(, $open:literal: $make:expr)?;
        )*) => {$( asked!($id, $E, $D); )*};
    }
    macro_rules! streams {
        ($($(#[$cfg:meta])* $id:literal = $Key:ty $(, $seek:ident)?;)*) => {$(
            asked!($id, $Key);
            let lengths = <$Key as StreamKey>::NONCE_LENGTHS;
            assert!(lengths.contains(<$Key as StreamKey>::Nonce::LENGTH), "{}", $id);
        )*};
    }
    touchstone::block::block_ciphers!(ciphers!);
    touchstone::stream::streams!(streams!);
}

#[test]
fn an_array_makes_what_a_slice_makes() {
    let key: [u8; 64] = std::array::from_fn(|i| i as u8);
    let (key16, key32) = (key.first_chunk::<16>().unwrap(), key.first_chunk().unwrap());

    let mut by_array = [7; 16];
    Aes128::new(key16).encrypt_block(&mut by_array);
    let mut by_slice = [7; 16];
    Aes128::from_slice(key16)
        .unwrap()
        .encrypt_block(&mut by_slice);
    assert_eq!(by_array, by_slice);

    let tag = Cmac::<Aes128>::new(key16).mac(b"message");
    assert_eq!(
        tag,
        Cmac::<Aes128>::from_slice(key16).unwrap().mac(b"message")
    );
    let tag = SipHash24::new(key16).mac(b"message");
    assert_eq!(tag, SipHash24::from_slice(key16).unwrap().mac(b"message"));
    let tag = Hmac::<touchstone::hash::Sha256>::new(key16).mac(b"message");
    let hmac = Hmac::<touchstone::hash::Sha256>::from_slice(key16).unwrap();
    assert_eq!(tag, hmac.mac(b"message"));

    let tag = Aes256Gcm::new(key32).encrypt(&[1; 12], b"", &mut []);
    let gcm = Aes256Gcm::from_slice(key32).unwrap();
    assert_eq!(tag, gcm.encrypt(&[1; 12], b"", &mut []));
    let tag = Aes256Ocb::new(key32).encrypt(&[1; 12], b"", &mut []);
    let ocb = Aes256Ocb::from_slice(key32).unwrap();
    assert_eq!(tag, ocb.encrypt(&[1; 12], b"", &mut []));

    let mut by_array = [0; 40];
    StreamKey::stream(&XChaCha20::new(key32), &[9; 24]).apply(&mut by_array);
    let mut by_slice = [0; 40];
    let stream = XChaCha20::from_slice(key32)
        .unwrap()
        .stream_from_slice(&[9; 24]);
    stream.unwrap().apply(&mut by_slice);
    assert_eq!(by_array, by_slice);
}

#[test]
fn two_keys_are_one_array() {
    let key: [u8; 64] = std::array::from_fn(|i| i as u8);
    let mut by_array = [7; 48];
    Xts::<Aes256>::new(&key)
        .encrypt(&[1; 16], &mut by_array)
        .unwrap();
    let mut by_slice = [7; 48];
    let xts = Xts::<Aes256>::from_slice(&key).unwrap();
    xts.encrypt(&[1; 16], &mut by_slice).unwrap();
    assert_eq!(by_array, by_slice);

    let key: &[u8; 32] = key.first_chunk().unwrap();
    let tag = Dmac::<Aes128>::new(key).mac(b"message");
    assert_eq!(
        tag,
        Dmac::<Aes128>::from_slice(key).unwrap().mac(b"message")
    );
    let tag = Aes128Siv::new(key).encrypt(&[1; 16], b"", &mut []);
    assert_eq!(
        tag,
        Aes128Siv::from_slice(key)
            .unwrap()
            .encrypt(&[1; 16], b"", &mut [])
    );
    let key: &[u8; 16] = key.first_chunk().unwrap();
    let tag = RetailMac::<Des>::new(key).mac(b"message");
    assert_eq!(
        tag,
        RetailMac::<Des>::from_slice(key).unwrap().mac(b"message")
    );
}

#[test]
fn a_parameter_goes_with_an_array() {
    let boxes = gost28147::SBoxes::TEST;
    let mut by_array = [7; 8];
    Gost28147::new_with(boxes, &[5; 32]).encrypt_block(&mut by_array);
    let mut by_slice = [7; 8];
    let cipher = <Gost28147 as touchstone::KeyedWith>::from_slice_with(boxes, &[5; 32]).unwrap();
    cipher.encrypt_block(&mut by_slice);
    assert_eq!(by_array, by_slice);
    let mut usual = [7; 8];
    Gost28147::new(&[5; 32]).encrypt_block(&mut usual);
    assert_ne!(by_array, usual);
}
