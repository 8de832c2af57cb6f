//! Tests that `Debug` prints which algorithm an object computes and prints no contents of the
//! object. Tests that objects can be cloned and sent to other threads.

use std::fmt::Debug;

use touchstone::aead::*;
use touchstone::block::*;
use touchstone::hash::*;
use touchstone::mac::*;
use touchstone::mode::*;
use touchstone::stream::*;
use touchstone::{Keyed, StreamKey};

fn everywhere<T: Debug + Clone + Send + Sync>(object: &T) -> String {
    format!("{object:?}")
}

/// Returns the text that `Debug` prints for an object that contains only secrets.
fn alone(name: &str) -> String {
    format!("{name} {{ .. }}")
}

/// Returns the text that `Debug` prints for a mode over a cipher, or for HMAC over a hash
/// function.
fn over(mode: &str, label: &str, name: &str) -> String {
    format!("{mode} {{ {label}: {name} {{ .. }}, .. }}")
}

/// Returns the name of the algorithm for a type that has one direction.
fn algorithm(name: &str) -> &str {
    let name = name.strip_suffix("Encrypt").unwrap_or(name);
    name.strip_suffix("Decrypt").unwrap_or(name)
}

fn key<T: Keyed>() -> T {
    let lengths = T::KEY_LENGTHS;
    let length = lengths.max.min(lengths.min.max(32));
    let length = length - (length - lengths.min) % lengths.step;
    T::from_slice(&vec![0xa7; length]).unwrap()
}

#[test]
fn block_ciphers_show_their_names() {
    macro_rules! each {
        ($(
            $(#[$cfg:meta])*
            $id:literal = $E:ident, $D:ident $(, key: $key:literal)? $(, with: $with:expr)?
            $(, $open:literal: $make:expr)?;
        )*) => {$(
            assert_eq!(everywhere(&key::<$E>()), alone(algorithm(stringify!($E))));
            assert_eq!(everywhere(&key::<$D>()), alone(algorithm(stringify!($D))));
        )*};
    }
    touchstone::block::block_ciphers!(each!);
    assert_eq!(everywhere(&key::<Aes256>()), alone("Aes256"));
    assert_eq!(everywhere(&key::<Kuznyechik>()), alone("Kuznyechik"));
    assert_eq!(everywhere(&key::<Threefish512>()), alone("Threefish512"));
    assert_eq!(everywhere(&key::<des::table::DesEde3>()), alone("DesEde3"));
}

#[test]
fn streams_show_their_names() {
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Key:ident $(, $seek:ident)?;)*) => {$(
            let keyed = key::<$Key>();
            let name = stringify!($Key);
            assert_eq!(everywhere(&keyed), alone(name));
            let nonce = [0; <$Key as StreamKey>::NONCE_LENGTHS.max];
            let text = everywhere(&keyed.stream_from_slice(&nonce).unwrap());
            assert!(text.starts_with(name.trim_start_matches('X').trim_end_matches("Be")), "{text}");
            assert!(text.ends_with(" { .. }"), "{text}");
        )*};
    }
    touchstone::stream::streams!(each!);
}

#[test]
fn hashes_and_macs_of_them_show_their_names() {
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Hash:ident;)*) => {$(
            let mut hash = <$Hash>::default();
            hash.update(b"a secret");
            let text = everywhere(&hash);
            let name = text.strip_suffix(" { .. }").unwrap();
            assert!(stringify!($Hash).starts_with(name), "{text}");
            let hmac = Hmac::<$Hash>::new(b"a secret");
            assert_eq!(everywhere(&hmac), over("Hmac", "hash", name));
        )*};
    }
    touchstone::hash::hashes!(each!);
}

#[test]
fn macs_show_their_names_and_their_ciphers() {
    macro_rules! each {
        ($($Mac:ident<$C:ident>)*) => {$(
            let text = everywhere(&key::<$Mac<$C>>());
            assert_eq!(text, over(stringify!($Mac), "cipher", stringify!($C)));
        )*};
    }
    each!(
        Cmac<Aes128> Omac2<Aes128> CbcMac<Camellia128> Dmac<Twofish> Pmac<Aes192>
        RetailMac<Des> Umac64<Aes128> Vmac128<Aes128> CipherPoly1305<Aes128>
    );
    assert_eq!(everywhere(&key::<GostMac<'_>>()), alone("GostMac"));
    assert_eq!(
        format!("{:?}", Poly1305::new(&[0xa7; 32])),
        alone("Poly1305")
    );
    let siphash = everywhere(&key::<SipHash24>());
    assert!(
        siphash.starts_with("SipHash") && siphash.ends_with(" { .. }"),
        "{siphash}"
    );
    let kmac = everywhere(&key::<Kmac128<32>>());
    assert!(
        kmac.starts_with("Kmac128") && kmac.ends_with(" { .. }"),
        "{kmac}"
    );
}

#[test]
fn modes_show_their_names_and_their_ciphers() {
    macro_rules! each {
        ($($Mode:ident)*) => {$(
            let text = everywhere(&$Mode::new(key::<Aes128>(), &[0xa7; 16]));
            assert_eq!(text, over(stringify!($Mode), "cipher", "Aes128"));
        )*};
    }
    each!(CbcEncrypt CbcDecrypt CfbEncrypt CfbDecrypt Cfb8Encrypt Cfb8Decrypt Ofb Ctr);
    assert_eq!(
        everywhere(&Ecb::new(key::<Sm4>())),
        over("Ecb", "cipher", "Sm4")
    );
    assert_eq!(
        everywhere(&CbcCs3::new(key::<Sm4>())),
        over("CbcCs3", "cipher", "Sm4")
    );
    assert_eq!(
        everywhere(&EcbSteal::new(key::<Sm4>())),
        over("EcbSteal", "cipher", "Sm4")
    );
    assert_eq!(
        everywhere(&key::<Xts<Aes256>>()),
        over("Xts", "cipher", "Aes256")
    );
}

#[test]
fn aeads_show_their_names_and_their_ciphers() {
    macro_rules! each {
        ($($Aead:ident $name:literal;)*) => {$(
            assert_eq!(everywhere(&key::<$Aead>()), over($name, "cipher", "Aes128"));
        )*};
    }
    each! {
        Aes128Gcm "Gcm"; Aes128Ccm "Ccm"; Aes128Eax "Eax"; Aes128Ocb "Ocb"; Aes128Siv "Siv";
        Aes128GcmSiv "GcmSiv";
    }
    assert_eq!(
        everywhere(&key::<ChaCha20Poly1305>()),
        over("ChaChaPoly1305", "cipher", "ChaCha20")
    );
    assert_eq!(
        everywhere(&key::<XSalsa20Poly1305>()),
        alone("XSalsa20Poly1305")
    );
    assert_eq!(everywhere(&key::<Aegis128L>()), alone("Aegis128L"));
    assert_eq!(everywhere(&key::<Aegis128X2>()), alone("Aegis128X2"));
    assert_eq!(everywhere(&key::<Aegis128X4>()), alone("Aegis128X4"));
    assert_eq!(everywhere(&key::<Aegis256>()), alone("Aegis256"));
    assert_eq!(everywhere(&key::<Aegis256X2>()), alone("Aegis256X2"));
    assert_eq!(everywhere(&key::<Aegis256X4>()), alone("Aegis256X4"));
    assert_eq!(everywhere(&key::<AsconAead128>()), alone("AsconAead128"));
    assert_eq!(everywhere(&key::<Phelix>()), alone("Phelix"));
    let gcm = Aes128Gcm::new(&[0xa7; 16]);
    let text = format!("{:?}", gcm.encryptor(&[0xa7; 12]).unwrap());
    assert!(text.contains("Gcm") && text.contains("Aes128"), "{text}");
    assert!(!text.contains("167") && !text.contains("a7"), "{text}");
    let text = everywhere(&key::<Gmac<Aes128Encrypt>>());
    assert!(text.contains("Gcm") && text.contains("Aes128"), "{text}");
}

#[test]
fn a_copy_goes_its_own_way() {
    let mut ctr = Ctr::new(DesEde3::new(&[0xa7; 24]), &[1; 8]);
    let mut first = [0; 5];
    ctr.apply(&mut first);
    let mut copy = ctr.clone();
    let (mut a, mut b) = ([0; 20], [0; 20]);
    ctr.apply(&mut a);
    copy.apply(&mut b);
    assert_eq!(a, b);
    let mut cbc = CbcEncrypt::new(Aes128::new(&[0xa7; 16]), &[1; 16]);
    cbc.encrypt(&mut [0; 16]).unwrap();
    let mut copy = cbc.clone();
    let (mut a, mut b) = ([0; 32], [0; 32]);
    cbc.encrypt(&mut a).unwrap();
    copy.encrypt(&mut b).unwrap();
    assert_eq!(a, b);
}
