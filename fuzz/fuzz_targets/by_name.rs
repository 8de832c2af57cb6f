//! Every algorithm that the library has by name. Pieces must give the result of one call,
//! kernels the result of the portable form, and the inverse must give the input again. A new
//! algorithm in the library's lists needs no new line here.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use touchstone::dynamic::*;
use touchstone_fuzz::{Input, pieces};

static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| names().collect());

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let input = &mut input;
    let name = &NAMES[input.under(NAMES.len())];
    if let Ok(algorithm) = Cipher::find(name) {
        cipher(name, algorithm, input);
    } else if let Ok(algorithm) = Aead::find(name) {
        aead(algorithm, input);
    } else if let Ok(algorithm) = Mac::find(name) {
        mac(algorithm, input);
    } else if let Ok(algorithm) = NonceMac::find(name) {
        nonce_mac(algorithm, input);
    } else if let Ok(algorithm) = Kdf::find(name) {
        kdf(algorithm, input);
    } else if let Ok(wrap) = KeyWrap::new(name) {
        key_wrap(wrap, input);
    } else {
        hash(name, input);
    }
});

/// Bytes from the input, with one of the allowed lengths.
fn chosen(lengths: touchstone::KeyLengths, input: &mut Input<'_>) -> Vec<u8> {
    let most = lengths.max.min(lengths.min + 300 * lengths.step.max(1));
    let choices = (most - lengths.min) / lengths.step.max(1) + 1;
    let length = lengths.min + input.under(choices) * lengths.step;
    input.bytes(length)
}

fn options(kernel: &str) -> Options<'_> {
    Options {
        kernel: Some(kernel),
        ..Options::default()
    }
}

fn cipher(name: &str, algorithm: CipherAlgorithm, input: &mut Input<'_>) {
    let key = chosen(algorithm.key_lengths(), input);
    let iv = chosen(algorithm.iv_lengths(), input);
    let cuts = input.cuts();
    let mut message = input.message(4096);
    let unit = match algorithm.pieces() {
        Pieces::Blocks(block) => block,
        Pieces::Whole(least) if message.len() < least => return,
        _ => 1,
    };
    message.truncate(message.len() / unit * unit);
    let mut wanted: Option<Vec<u8>> = None;
    let kernels = Cipher::kernels(name).expect("a name");
    for kernel in kernels.iter().rev() {
        let set_up = |direction| match algorithm.with(direction, &key, &options(kernel)) {
            Err(Error::Kernel) => None,
            other => Some(other.expect("the lengths are allowed")),
        };
        let (Some(mut forwards), Some(mut backwards)) =
            (set_up(Direction::Encrypt), set_up(Direction::Decrypt))
        else {
            continue;
        };
        let mut once = message.clone();
        forwards
            .message_inout(&iv, once.as_mut_slice().into())
            .unwrap();
        let wanted = wanted.get_or_insert_with(|| once.clone());
        assert_eq!(&once, wanted, "{name} {kernel}");
        backwards
            .message_inout(&iv, once.as_mut_slice().into())
            .unwrap();
        assert_eq!(once, message, "{name} {kernel}, back");
        if !matches!(algorithm.pieces(), Pieces::Whole(_)) {
            forwards.set_iv(&iv).unwrap();
            for range in pieces(message.len(), &cuts, unit) {
                forwards.apply(&mut once[range]).unwrap();
            }
            assert_eq!(&once, wanted, "{name} {kernel}, in pieces");
        }
    }
}

fn aead(algorithm: AeadAlgorithm, input: &mut Input<'_>) {
    let key = chosen(algorithm.key_lengths(), input);
    let nonce = chosen(algorithm.nonce_lengths(), input);
    let aad = input.under(40);
    let aad = input.bytes(aad);
    let message = input.message(3000);
    let aead = algorithm
        .with(&key, &Options::default())
        .expect("the length is allowed");
    let mut data = message.clone();
    let mut tag = vec![0; aead.tag()];
    match aead.encrypt_inout(&nonce, &aad, data.as_mut_slice().into(), &mut tag) {
        Ok(()) => {}
        Err(Error::MessageLength) => return,
        Err(error) => panic!("{error}"),
    }
    let mut back = data.clone();
    aead.decrypt_inout(&nonce, &aad, back.as_mut_slice().into(), &tag)
        .unwrap();
    assert_eq!(back, message);
    tag[0] ^= 1;
    let forged = aead.decrypt_inout(&nonce, &aad, data.as_mut_slice().into(), &tag);
    assert_eq!(forged, Err(Error::Forged));
}

fn mac(algorithm: MacAlgorithm, input: &mut Input<'_>) {
    let key = chosen(algorithm.key_lengths(), input);
    let cuts = input.cuts();
    let message = input.message(3000);
    let mut mac = algorithm
        .with(&key, &Options::default())
        .expect("the length is allowed");
    let (mut once, mut cut) = (vec![0; mac.tag()], vec![0; mac.tag()]);
    mac.mac(&message, &mut once).unwrap();
    mac.rekey(&key).unwrap();
    for range in pieces(message.len(), &cuts, 1) {
        mac.update(&message[range]).unwrap();
    }
    mac.finalize(&mut cut).unwrap();
    assert_eq!(once, cut);
}

fn nonce_mac(algorithm: NonceMacAlgorithm, input: &mut Input<'_>) {
    let key = chosen(algorithm.key_lengths(), input);
    let nonce = chosen(algorithm.nonce_lengths(), input);
    let cuts = input.cuts();
    let message = input.message(3000);
    let mut mac = algorithm
        .with(&key, &Options::default())
        .expect("the length is allowed");
    let (mut once, mut cut) = (vec![0; mac.tag()], vec![0; mac.tag()]);
    let result = mac.mac(&nonce, &message, &mut once);
    for range in pieces(message.len(), &cuts, 1) {
        mac.update(&message[range]);
    }
    assert_eq!(mac.finalize(&nonce, &mut cut), result);
    assert_eq!(once, cut);
}

fn kdf(algorithm: Kdf, input: &mut Input<'_>) {
    let (secret, salt) = (input.under(200), input.under(200));
    let (secret, salt) = (input.bytes(secret), input.bytes(salt));
    let length = 1 + input.under(150);
    let derived = |iterations, length: usize| {
        let from = Derivation {
            secret: &secret,
            salt: &salt,
            info: b"",
            iterations,
        };
        let mut key = vec![0; length];
        algorithm.derive(&from, &mut key).map(|()| key)
    };
    // A function accepts either a number of iterations or 0, never both.
    let (with, without) = (derived(2, length), derived(0, length));
    assert!(with.is_ok() != without.is_ok());
    let (iterations, key) = with.map_or((0, without), |key| (2, Ok(key)));
    // A shorter derived key is the beginning of a longer one.
    let longer = derived(iterations, length + 7).unwrap();
    assert_eq!(key.unwrap(), longer[..length]);
}

fn key_wrap(wrap: KeyWrap, input: &mut Input<'_>) {
    let key = chosen(wrap.key_lengths(), input);
    let secret = input.under(300);
    let secret = input.bytes(secret);
    let mut wrapped = vec![0; secret.len().next_multiple_of(8) + 8];
    if wrap.wrap(&key, &secret, &mut wrapped).is_ok() {
        let mut output = vec![0; wrapped.len() - 8];
        let length = wrap.unwrap(&key, &wrapped, &mut output).unwrap();
        assert_eq!(output[..length], secret);
        wrapped[0] ^= 1;
        assert_eq!(wrap.unwrap(&key, &wrapped, &mut output), Err(Error::Forged));
    }
}

fn hash(name: &str, input: &mut Input<'_>) {
    let cuts = input.cuts();
    let length = 1 + input.under(300);
    let message = input.message(5000);
    let mut wanted: Option<Vec<u8>> = None;
    let kernels = Hash::kernels(name).expect("every name is of some kind");
    for kernel in kernels.iter().rev() {
        let mut hash = match Hash::with_kernel(name, kernel) {
            Err(Error::Kernel) => continue,
            other => other.expect("a name"),
        };
        let length = hash.output().unwrap_or(length);
        let mut digest = vec![0; length];
        hash.digest(&message, &mut digest).unwrap();
        let wanted = wanted.get_or_insert_with(|| digest.clone());
        assert_eq!(&digest, wanted, "{name} {kernel}");
        for range in pieces(message.len(), &cuts, 1) {
            hash.update(&message[range]);
        }
        hash.finalize(&mut digest).unwrap();
        assert_eq!(&digest, wanted, "{name} {kernel}, in pieces");
        if hash.output().is_some() {
            let mut digests = vec![0; 5 * length];
            hash.digest_many(&[&message[..]; 5], &mut digests).unwrap();
            assert!(
                digests.chunks(length).all(|one| one == wanted),
                "{name} {kernel}"
            );
        }
    }
}
