//! Tests stream ciphers: known answers with every kernel, in pieces, in place and from one
//! buffer to another, and from any position.

mod answers;

use answers::{Answers, Done};
use touchstone::stream::*;
use touchstone::{ByteArray, InOutBuf, Kernel, Keyed, StreamCipher, StreamKey, StreamSeek};
use touchstone_vectors::{Vector, Verdict};

#[test]
fn known_answers() {
    let mut answers = Answers::of("stream");
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Key:ident $(, $seek:ident)?;)*) => {$(
            $(#[$cfg])*
            answers.each($id, |kernel, v, place| {
                let (Ok(key), Verdict::Valid) = (<$Key>::with_kernel(kernel, &v.key), v.verdict)
                else {
                    return Done::Lacking("a key that the cipher does not take");
                };
                let Ok(stream) = key.stream_from_slice(&v.nonce) else {
                    return Done::Lacking("a nonce that the cipher does not take");
                };
                let start = match (v.cost("counter"), v.cost("drop")) {
                    (None, None) => 0,
                    (Some(blocks), None) => blocks * 64,
                    (None, Some(bytes)) => bytes,
                    both => panic!("{place}: {both:?}"),
                };
                let mut entered = stream.clone();
                skip!(entered, start $(, $seek)?);
                check(v, place, entered)
            });
        )*};
    }
    /// Moves to a byte of a stream, by a seek if the cipher can seek, or by a skip of bytes.
    macro_rules! skip {
        ($stream:ident, $byte:ident) => {
            $stream.keystream(&mut vec![0; $byte as usize])
        };
        ($stream:ident, $byte:ident, seek) => {
            $stream.seek($byte)
        };
    }
    touchstone::stream::streams!(each!);
    answers.report();
}

/// The last 16 bytes of keystreams of 1 000 003 bytes, as Crypto++ 8.7.0 computes them. Each
/// row has: the id, the length of the key (its bytes are 0, 29, 58 …), the length of the nonce
/// (its bytes are a5, a4, a7, a6 …), and the bytes. For some ciphers the records of `vectors/`
/// are short or few. The bytes of HC-256 come from RustCrypto's `hc-256` 0.6.0. Crypto++
/// computes other bytes from the first word on, although both libraries give the three
/// published answers.
const LONG: &[(&str, usize, usize, &str)] = &[
    ("chacha12", 16, 8, "26879e04b65a9fe0b33aa2b0936c29cd"),
    ("chacha20", 16, 8, "4cdab4e610802781404ee288661b0d97"),
    ("chacha20", 32, 12, "54ed42f9b9f66d87eaa633d77de12f66"),
    ("chacha20", 32, 8, "97c8b91394eb7d6b7f66d533b2ee8183"),
    ("chacha8", 32, 8, "f79ede6d38ab9f5e1b6bf081461b3d62"),
    ("hc128", 16, 16, "eff834db5959e4b030d51f57abe7d0cb"),
    ("hc256", 32, 32, "74b4753e5532cc36e7e8d3fa0f7baf20"),
    ("panama", 32, 32, "8ec1b8874b787e53d45432dcd7641344"),
    ("panama-be", 32, 32, "ded32e5c24d3c520ee560e2b84b3e761"),
    ("rabbit", 16, 0, "a425a1c75bed03d67716ce863fc71ead"),
    ("rabbit", 16, 8, "0a0f52dda758cd2f9808420b6672e91e"),
    ("salsa20", 16, 8, "7aa7a9f00a830f13015548a8adfeca3a"),
    ("salsa20", 32, 8, "517140d2c420be88fbfb35ec6daa51df"),
    ("salsa20-12", 32, 8, "e16a53157379aec9770248574e33bd90"),
    ("salsa20-8", 16, 8, "a1162f9eb64e7f92f7f613d0a2b6d258"),
    ("salsa20-8", 32, 8, "ae403aa348fb9e064212ce60c8636e1b"),
    ("sosemanuk", 16, 16, "ce72b11b1b738eead3c9590daa6b2505"),
    ("sosemanuk", 17, 16, "06272c9bb1d78b5ad7f8eda37959d199"),
    ("sosemanuk", 32, 16, "d699d437e3663cfc80d62f7bd3ae90c7"),
    ("xchacha20", 32, 24, "11db229787d74b888b48ed921279de3f"),
    ("xsalsa20", 32, 24, "9c6b7b3723a54fd3a8b0e072672f4204"),
    ("xsalsa20-12", 32, 24, "dfa7e030a4125459bf62b4886414e5ab"),
    ("xsalsa20-8", 32, 24, "c13fac19ff2fb29f6d727eebf8fb7945"),
];

#[test]
fn long_streams() {
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Key:ident $(, $seek:ident)?;)*) => {$(
            $(#[$cfg])*
            long::<$Key>($id);
        )*};
    }
    touchstone::stream::streams!(each!);
}

fn long<K: StreamKey>(id: &str) {
    for (_, key, nonce, wanted) in LONG.iter().filter(|row| row.0 == id) {
        let key: Vec<u8> = (0..*key as u8).map(|i| i.wrapping_mul(29)).collect();
        let nonce: Vec<u8> = (0..*nonce as u8).map(|i| i ^ 0xa5).collect();
        for kernel in <K::Kernel as Kernel>::available() {
            let cipher = K::with_kernel(kernel, &key).unwrap();
            let mut bytes = vec![0; 1_000_003];
            cipher
                .stream_from_slice(&nonce)
                .unwrap()
                .keystream(&mut bytes);
            let last: String = bytes[bytes.len() - 16..]
                .iter()
                .map(|b| format!("{b:02x}"))
                .collect();
            assert_eq!(last, *wanted, "{id}, {}", kernel.name());
        }
    }
}

/// Checks that many messages in one call give the same output as one call for each message. The
/// messages have these lengths: no message at all, lengths that fill lanes in part, whole and
/// more than once, and long messages between short messages.
#[test]
fn many_messages() {
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Key:ident $(, $seek:ident)?;)*) => {$(
            $(#[$cfg])*
            many::<$Key>($id);
        )*};
    }
    touchstone::stream::streams!(each!);
}

fn many<K: StreamKey>(id: &str) {
    let lengths: [&[usize]; 7] = [
        &[],
        &[0],
        &[1],
        &[64; 16],
        &[63, 64, 65, 0, 128, 1],
        &[3, 5000, 7, 1024, 1025, 512, 513, 100],
        &(0..100).collect::<Vec<_>>(),
    ];
    let key: Vec<u8> = (0..K::KEY_LENGTHS.max.min(32) as u8)
        .map(|i| i ^ 0x5a)
        .collect();
    for kernel in <K::Kernel as Kernel>::available() {
        let key = K::with_kernel(kernel, &key).unwrap();
        for lengths in lengths {
            let nonce = |i: usize| {
                let mut nonce = K::Nonce::ZEROS;
                let bytes = nonce.as_mut().iter_mut();
                bytes
                    .zip(i.to_be_bytes())
                    .for_each(|(to, from)| *to = from ^ 0x33);
                nonce
            };
            let mut data: Vec<Vec<u8>> = lengths
                .iter()
                .map(|n| (0..*n).map(|i| (i * 7 + n) as u8).collect())
                .collect();
            let mut wanted = data.clone();
            for (i, data) in wanted.iter_mut().enumerate() {
                key.stream(&nonce(i)).apply(data);
            }
            let messages = data.iter_mut().enumerate();
            let mut messages: Vec<_> = messages
                .map(|(i, data)| Message::new(nonce(i), data))
                .collect();
            key.apply_many(&mut messages);
            assert_eq!(data, wanted, "{id}, {}, {lengths:?}", kernel.name());
        }
    }
}

/// Checks that a whole message in one call, and a block and a message after it in one call, give
/// the keystream that single bytes give.
#[test]
fn whole_messages() {
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Key:ident $(, $seek:ident)?;)*) => {$(
            $(#[$cfg])*
            whole::<$Key>($id);
        )*};
    }
    touchstone::stream::streams!(each!);
}

fn whole<K: StreamKey>(id: &str) {
    const LONGEST: usize = 4500;
    let key: Vec<u8> = (0..K::KEY_LENGTHS.max.min(32) as u8)
        .map(|i| i ^ 0x5a)
        .collect();
    for kernel in <K::Kernel as Kernel>::available() {
        let key = K::with_kernel(kernel, &key).unwrap();
        let place = format!("{id}, {}", kernel.name());
        assert!(
            key.apply_message(&[0; 77], (&mut [0; 3][..]).into())
                .is_err(),
            "{place}"
        );
        for length in [K::NONCE_LENGTHS.min, K::NONCE_LENGTHS.max] {
            let nonce: Vec<u8> = (0..length as u8).map(|i| i ^ 0xa5).collect();
            let mut bytes = vec![0; LONGEST + 64];
            let mut stream = key.stream_from_slice(&nonce).unwrap();
            bytes.chunks_mut(1).for_each(|byte| stream.apply(byte));
            let mut kept = None;
            let lengths = (0..1300).step_by(13).chain((0..=LONGEST).step_by(64));
            for n in lengths.chain((1..LONGEST).step_by(577)) {
                let input: Vec<u8> = (0..n).map(|i| (i * 7) as u8).collect();
                let sum = |from: usize| -> Vec<u8> {
                    let pairs = input.iter().zip(&bytes[from..]);
                    pairs.map(|(a, b)| a ^ b).collect()
                };
                let mut output = vec![0xff; n];
                let data = InOutBuf::new(&input, &mut output).unwrap();
                key.apply_message(&nonce, data).unwrap();
                assert!(output == sum(0), "{place}, {n} bytes");
                let mut output = input.clone();
                key.apply_message_in(&mut kept, &nonce, output.as_mut_slice().into())
                    .unwrap();
                assert!(output == sum(0), "{place}, {n} bytes in place");

                let (mut first, mut output) = ([0; 64], input.clone());
                let mut stream = key.stream_from_slice(&nonce).unwrap();
                stream.apply_after(&mut first, output.as_mut_slice().into());
                assert!(first == bytes[..64], "{place}, before {n} bytes");
                assert!(output == sum(64), "{place}, {n} bytes after a block");
                if n % 64 == 0 && n < LONGEST - 64 {
                    let mut next = [0; 3];
                    stream.apply(&mut next);
                    assert_eq!(next, bytes[64 + n..][..3], "{place}, after {n} bytes");
                }
            }
        }
    }
}

fn check<S: StreamCipher + Clone>(v: &Vector, place: &str, stream: S) -> Done {
    let input = match v.operation.as_str() {
        "stream-encrypt" => v.input.clone(),
        "stream-keystream" => vec![0; v.output.len()],
        _ => return Done::Lacking("another operation"),
    };
    let mut output = vec![0xff; input.len()];
    stream.clone().apply_into(&input, &mut output).unwrap();
    assert_eq!(output, v.output, "{place}, out of place");
    for piece in [1, 13, 63, 64, 65, 200, 1024] {
        let mut data = input.clone();
        let mut stream = stream.clone();
        data.chunks_mut(piece).for_each(|piece| stream.apply(piece));
        assert_eq!(data, v.output, "{place}, in pieces of {piece}");
    }
    Done::Right
}

/// Checks that the keystream of each kernel is the keystream of the portable kernel, for every
/// length up to 1025 bytes and for pieces of random lengths, in place and from one buffer to
/// another.
#[test]
fn kernels_agree() {
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Key:ident $(, $seek:ident)?;)*) => {$(
            $(#[$cfg])*
            agree::<$Key>($id);
        )*};
    }
    touchstone::stream::streams!(each!);
}

fn agree<K: StreamKey>(id: &str)
where
    K::Stream: Clone,
{
    const LONGEST: usize = 5000;
    let key: Vec<u8> = (0..32u8).map(|i| i.wrapping_mul(29)).collect();
    let key = &key[..K::KEY_LENGTHS.max.min(32)];
    let nonce = vec![0xa5; K::NONCE_LENGTHS.min];
    let message: Vec<u8> = (0..LONGEST).map(|i| (i % 251) as u8).collect();
    let kernels: Vec<K::Kernel> = <K::Kernel as Kernel>::available().collect();
    let stream_of = |kernel: K::Kernel| {
        let key = K::with_kernel(kernel, key).unwrap();
        key.stream_from_slice(&nonce).unwrap()
    };
    let portable = *kernels.last().unwrap();
    let mut wanted = message.clone();
    stream_of(portable).apply(&mut wanted);
    for kernel in kernels {
        let place = format!("{id}, {}", kernel.name());
        let start = stream_of(kernel);
        for length in (0..=1025).chain([2047, 2048, 2049, LONGEST]) {
            let mut output = vec![0; length];
            let mut stream = start.clone();
            stream.apply_into(&message[..length], &mut output).unwrap();
            assert_eq!(output, wanted[..length], "{place}, {length} bytes");
            // The next call begins with the rest of the last block.
            let mut next = message[length..LONGEST.min(length + 70)].to_vec();
            stream.apply(&mut next);
            assert_eq!(
                next,
                wanted[length..length + next.len()],
                "{place}, after {length}"
            );
        }
        let mut random = 1u32;
        for _ in 0..20 {
            let mut data = message.clone();
            let (mut stream, mut rest) = (start.clone(), &mut data[..]);
            while !rest.is_empty() {
                random = random.wrapping_mul(69069).wrapping_add(1);
                let piece = (random >> 16) as usize % (1 << (1 + (random >> 8) % 11));
                let (now, later) = rest.split_at_mut(piece.min(rest.len()));
                stream.apply(now);
                rest = later;
            }
            assert_eq!(data, wanted, "{place}, in pieces");
        }
    }
}

fn enter(mut stream: impl StreamSeek) {
    let mut whole = [0; 3000];
    stream.keystream(&mut whole);
    for place in (0..2900).rev().step_by(37) {
        stream.seek(place as u64);
        let mut part = [0; 100];
        stream.keystream(&mut part);
        assert_eq!(part, whole[place..place + 100], "{place}");
    }
    // These ranges cross the end of a counter of 32 bits, at several blocks of a kernel's group.
    let end = 64 << 32;
    for before in [640, 64 * 32, 64 * 50] {
        stream.seek(end - before);
        let mut across = [0; 6400];
        stream.keystream(&mut across);
        for (place, wanted) in (end - before..).zip(&across).step_by(64) {
            stream.seek(place);
            let mut byte = [0];
            stream.keystream(&mut byte);
            assert_eq!(byte[0], *wanted, "{place}");
        }
    }
}

#[test]
fn every_place_can_be_entered() {
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Key:ident $(, $seek:ident)?;)*) => {$( $(#[$cfg])* entered!($Key $(, $seek)?); )*};
    }
    macro_rules! entered {
        ($Key:ident) => {};
        ($Key:ident, seek) => {
            for kernel in <$Key as Keyed>::Kernel::available() {
                let lengths = <$Key as StreamKey>::NONCE_LENGTHS;
                // The nonces of these lengths leave counters of 64 and of 32 bits.
                for length in [lengths.min, lengths.max] {
                    let key = <$Key as Keyed>::with_kernel(kernel, &[9; 32]).unwrap();
                    enter(key.stream_from_slice(&vec![7; length]).unwrap());
                }
            }
        };
    }
    touchstone::stream::streams!(each!);
}

/// Checks counter mode, which owns its cipher here, through the traits of a stream cipher.
#[test]
fn counter_mode_is_a_stream_that_seeks() {
    fn stream<S: touchstone::StreamSeek>(stream: &mut S, whole: &[u8]) {
        for place in (0..whole.len()).rev().step_by(7) {
            stream.seek(place as u64);
            let mut part = vec![0; (whole.len() - place).min(61)];
            stream.keystream(&mut part);
            assert_eq!(part, whole[place..place + part.len()], "{place}");
        }
    }
    fn owned<C: touchstone::FusedEncrypt>(cipher: C) {
        let mut first = <C::Block as touchstone::ByteArray>::ZEROS;
        first.as_mut().fill(0xff);
        let mut whole = vec![0; 700];
        let mut blocks: Vec<C::Block> = Vec::new();
        for i in 0..700usize.div_ceil(first.as_ref().len()) {
            let mut block = touchstone::block::Block::plus(first, i as u128);
            cipher.encrypt_block(&mut block);
            blocks.push(block);
        }
        let bytes = blocks.iter().flat_map(|block| block.as_ref());
        for (byte, keystream) in whole.iter_mut().zip(bytes) {
            *byte = *keystream;
        }
        stream(&mut touchstone::mode::Ctr::new(cipher, &first), &whole);
    }
    owned(touchstone::block::Aes128::new(&[3; 16]));
    owned(touchstone::block::DesEde3::new(&[3; 24]));
    owned(touchstone::block::Threefish256::new(&[3; 32]));
}

#[cfg(feature = "rand_core")]
#[test]
fn random_keys_and_nonces_are_what_the_generator_gives() {
    use touchstone::prelude::*;

    /// A generator that only counts up. Its output can be predicted, so it must not make real
    /// keys.
    struct Counting(u8);

    impl rand_core::TryRng for Counting {
        type Error = core::convert::Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            rand_core::utils::next_word_via_fill(self)
        }

        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            rand_core::utils::next_word_via_fill(self)
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
            for byte in bytes {
                *byte = self.0;
                self.0 = self.0.wrapping_add(1);
            }
            Ok(())
        }
    }

    impl rand_core::TryCryptoRng for Counting {}

    let mut rng = Counting(0);
    let key = touchstone::aead::Aes256Gcm::generate_key(&mut rng);
    assert_eq!(key, std::array::from_fn::<u8, 32, _>(|i| i as u8));
    let nonce = touchstone::aead::Aes256Gcm::generate_nonce(&mut rng);
    assert_eq!(nonce, std::array::from_fn::<u8, 12, _>(|i| 32 + i as u8));
    let nonce = XChaCha20::generate_nonce(&mut rng);
    assert_eq!(nonce, std::array::from_fn::<u8, 24, _>(|i| 44 + i as u8));
    assert_eq!(<[u8; 2]>::random(&mut rng), [68, 69]);
    let rng: &mut dyn rand_core::CryptoRng = &mut rng;
    assert_eq!(<[u8; 2]>::random(rng), [70, 71]);
}
