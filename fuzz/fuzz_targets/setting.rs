//! Settings of crypt(3) as they are read, without the cost of the methods: arbitrary bytes, and
//! new settings. The target `crypt` computes whole hashes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone_fuzz::Input;
use touchstone_password::{Check, Error, Method, OUTPUT_SIZE, checksalt, gensalt, hash};

const METHODS: [Method; 16] = [
    Method::Des,
    Method::Bigcrypt,
    Method::DesExtended,
    Method::Md5,
    Method::SunMd5,
    Method::Nt,
    Method::Sha1,
    Method::Sha256,
    Method::Sha512,
    Method::BcryptA,
    Method::BcryptB,
    Method::BcryptX,
    Method::BcryptY,
    Method::Scrypt,
    Method::Yescrypt,
    Method::GostYescrypt,
];

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    if input.byte() & 1 == 0 {
        read(data.get(1..).unwrap_or_default());
    } else {
        make(&mut input);
    }
});

/// Reads a setting, and computes hashes of the methods without rounds.
fn read(setting: &[u8]) {
    let method = Method::identify(setting);
    assert_eq!(
        checksalt(setting) == Check::Invalid,
        setting.is_empty() || method.is_none()
    );
    if method.is_some_and(|method| !matches!(method, Method::Des | Method::Nt)) {
        return;
    }
    let mut output = [0; OUTPUT_SIZE];
    match hash(b"phrase", setting, &mut output) {
        // The first characters of a DES hash are the salt, and an NT hash has no salt.
        Ok(made) => {
            let hash = made.as_bytes();
            assert_eq!(Method::identify(hash), method);
            assert!(hash.starts_with(&setting[..2]) || method == Some(Method::Nt));
        }
        Err(error) => assert!(method.is_some() || error == Error::Setting),
    }
}

/// Makes a setting with arbitrary cost and random bytes in a buffer of arbitrary size.
fn make(input: &mut Input<'_>) {
    let method = METHODS[input.under(METHODS.len())];
    let cost = match input.byte() % 3 {
        0 => 0,
        1 => u64::from(input.byte()),
        _ => u64::from_le_bytes(input.bytes(8).try_into().unwrap_or_default()),
    };
    let (random, size) = (input.under(80), input.under(256));
    let random = input.bytes(random);
    let mut output = vec![0x5a; size];
    if let Ok(setting) = gensalt(method, cost, &random, &mut output) {
        assert!(setting.len() < size && setting.starts_with(method.prefix()));
        assert!(Method::identify(setting.as_bytes()).is_some(), "{setting}");
        assert!(setting.bytes().all(|byte| byte.is_ascii_graphic()));
    }
}
