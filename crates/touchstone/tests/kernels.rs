//! Every kernel against the portable form, which the known answers hold to the
//! standards: every length that a kernel could cut in a wrong place, random
//! pieces and alignments, and the laws that modes obey.
//!
//! A new algorithm is a line in its family's test.

use proptest::prelude::*;
use touchstone::block::{Aes128, Aes192, Aes256, Block, Des, DesEde2, DesEde3, Message};
use touchstone::block::{
    Anubis, AnubisOriginal, Aria128, Aria192, Aria256, Camellia128, Camellia192,
};
use touchstone::block::{Blowfish, Cast5, Gost28147, Idea, Magma, Rc2, Rc5, Tea, Xtea};
use touchstone::block::{Camellia256, Kuznyechik, Seed, Shacal2, Sm4};
use touchstone::block::{Serpent, Threefish256, Threefish512, Threefish1024, Twofish};
use touchstone::hash::*;
use touchstone::mode::{CbcDecrypt, CbcEncrypt, Ctr, Ecb, ctr};
use touchstone::{
    DataError, FusedDecrypt, FusedEncrypt, InOutBuf, InvalidKeyLength, Kernel, Keyed,
};

/// Past every kernel's widest group, and past the buffer of the modes.
const LONGEST: usize = 1025;

#[test]
fn block_ciphers_at_every_length() {
    blocks_at_every_length::<Aes128>();
    blocks_at_every_length::<Aes192>();
    blocks_at_every_length::<Aes256>();
    blocks_at_every_length::<Des>();
    blocks_at_every_length::<DesEde2>();
    blocks_at_every_length::<DesEde3>();
    blocks_at_every_length::<Serpent>();
    blocks_at_every_length::<Twofish>();
    blocks_at_every_length::<Anubis>();
    blocks_at_every_length::<AnubisOriginal>();
    blocks_at_every_length::<Aria128>();
    blocks_at_every_length::<Aria192>();
    blocks_at_every_length::<Aria256>();
    blocks_at_every_length::<Camellia128>();
    blocks_at_every_length::<Camellia192>();
    blocks_at_every_length::<Camellia256>();
    blocks_at_every_length::<Kuznyechik>();
    blocks_at_every_length::<Seed>();
    blocks_at_every_length::<Shacal2>();
    blocks_at_every_length::<Sm4>();
    blocks_at_every_length::<Blowfish>();
    blocks_at_every_length::<Cast5>();
    blocks_at_every_length::<Gost28147>();
    blocks_at_every_length::<Idea>();
    blocks_at_every_length::<Magma>();
    blocks_at_every_length::<Rc2>();
    blocks_at_every_length::<Rc5>();
    blocks_at_every_length::<Threefish256>();
    blocks_at_every_length::<Threefish512>();
    blocks_at_every_length::<Threefish1024>();
    blocks_at_every_length::<Tea>();
    blocks_at_every_length::<Xtea>();
}

#[test]
fn hashes_at_every_length() {
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Hash:ident;)*) => { $($(#[$cfg])* hash_at_every_length::<$Hash>();)* };
    }
    touchstone::hash::hashes!(each!);
    touchstone::hash::long_hashes!(each!);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn modes_obey_their_laws(case in Case::any()) {
        case.block::<Aes128>();
        case.block::<Aes192>();
        case.block::<Aes256>();
        case.block::<Des>();
        case.block::<DesEde2>();
        case.block::<DesEde3>();
        case.block::<Serpent>();
        case.block::<Twofish>();
        case.block::<Anubis>();
        case.block::<AnubisOriginal>();
        case.block::<Aria128>();
        case.block::<Aria192>();
        case.block::<Aria256>();
        case.block::<Camellia128>();
        case.block::<Camellia192>();
        case.block::<Camellia256>();
        case.block::<Kuznyechik>();
        case.block::<Seed>();
        case.block::<Shacal2>();
        case.block::<Sm4>();
        case.block::<Blowfish>();
        case.block::<Cast5>();
        case.block::<Gost28147>();
        case.block::<Idea>();
        case.block::<Magma>();
        case.block::<Rc2>();
        case.block::<Rc5>();
        case.block::<Threefish256>();
        case.block::<Threefish512>();
        case.block::<Tea>();
        case.block::<Xtea>();
    }

    #[test]
    fn hashes_obey_their_laws(case in Case::any()) {
        macro_rules! each {
            ($($(#[$cfg:meta])* $id:literal = $Hash:ident;)*) => { $($(#[$cfg])* case.hash::<$Hash>();)* };
        }
        touchstone::hash::hashes!(each!);
        touchstone::hash::long_hashes!(each!);
    }
}

fn painted(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 % 251) as u8).collect()
}

fn portable<K: Kernel>() -> K {
    let last = K::available().last().expect("there is a portable kernel");
    assert_eq!(last.name(), "portable");
    last
}

fn set_up<C: Keyed>(kernel: C::Kernel) -> C {
    match C::with_kernel(kernel, &painted(C::KEY_LENGTHS.max)) {
        Ok(cipher) => cipher,
        Err(error) => panic!("{error}"),
    }
}

/// A block from the front of painted data.
fn block<B: Block>(bytes: &[u8]) -> B {
    let mut block = B::ZERO;
    block.as_mut().copy_from_slice(&bytes[..B::SIZE]);
    block
}

/// Output for input, in place.
fn made(input: &[u8], function: impl Fn(InOutBuf<'_, '_, u8>)) -> Vec<u8> {
    let mut data = input.to_vec();
    function(data.as_mut_slice().into());
    data
}

/// Output for input, out of place and off alignment.
fn made_apart(input: &[u8], function: impl Fn(InOutBuf<'_, '_, u8>)) -> Vec<u8> {
    let mut output = vec![0xff; input.len() + 1];
    function(InOutBuf::new(input, &mut output[1..]).expect("equal lengths"));
    output.split_off(1)
}

fn keys_of_every_length<C: Keyed>() {
    for length in 0..300 {
        let taken = C::from_slice(&painted(length)).map(|_| ());
        let error = InvalidKeyLength {
            given: length,
            wanted: C::KEY_LENGTHS,
        };
        let lengths = C::KEY_LENGTHS;
        assert_eq!(
            taken,
            if lengths.contains(length) {
                Ok(())
            } else {
                Err(error)
            }
        );
    }
}

fn blocks_at_every_length<C: Keyed + FusedEncrypt + FusedDecrypt>() {
    keys_of_every_length::<C>();
    let wanted: C = set_up(portable());
    let iv = block::<C::Block>(&painted(C::Block::SIZE + 3)[3..]);
    // The lower half of a counter overflows on the way.
    let mut edge = C::Block::ZERO;
    edge.as_mut()[C::Block::SIZE / 2..].fill(0xff);
    edge.as_mut()[C::Block::SIZE - 1] = 0xf0;

    for kernel in C::Kernel::available() {
        let given: C = set_up(kernel);
        for length in 0..=LONGEST {
            let input = painted(length);
            let at = format!("{} at {length} bytes", kernel.name());

            for first in [iv, edge] {
                let ctr = made(&input, |data| Ctr::new(&wanted, &first).apply_inout(data));
                let function = |data: InOutBuf<'_, '_, u8>| {
                    Ctr::new(&given, &first).apply_inout(data);
                };
                assert_eq!(made(&input, function), ctr, "CTR, {at}");
                assert_eq!(made_apart(&input, function), ctr, "CTR apart, {at}");
            }

            if !length.is_multiple_of(C::Block::SIZE) {
                let error = Err(DataError::NotWholeBlocks {
                    length,
                    block: C::Block::SIZE,
                });
                let mut data = input.clone();
                assert_eq!(Ecb::new(&given).encrypt(&mut data), error);
                assert_eq!(Ecb::new(&given).decrypt(&mut data), error);
                assert_eq!(CbcEncrypt::new(&given, &iv).encrypt(&mut data), error);
                assert_eq!(CbcDecrypt::new(&given, &iv).decrypt(&mut data), error);
                assert_eq!(data, input, "an error leaves the data as they are");
                continue;
            }

            type Function<'f> = &'f dyn Fn(InOutBuf<'_, '_, u8>);
            let modes: [(&str, Function<'_>, Function<'_>); 4] = [
                (
                    "ECB",
                    &|data| Ecb::new(&wanted).encrypt_inout(data).unwrap(),
                    &|data| Ecb::new(&given).encrypt_inout(data).unwrap(),
                ),
                (
                    "ECB backwards",
                    &|data| Ecb::new(&wanted).decrypt_inout(data).unwrap(),
                    &|data| Ecb::new(&given).decrypt_inout(data).unwrap(),
                ),
                (
                    "CBC",
                    &|data| CbcEncrypt::new(&wanted, &iv).encrypt_inout(data).unwrap(),
                    &|data| CbcEncrypt::new(&given, &iv).encrypt_inout(data).unwrap(),
                ),
                (
                    "CBC backwards",
                    &|data| CbcDecrypt::new(&wanted, &iv).decrypt_inout(data).unwrap(),
                    &|data| CbcDecrypt::new(&given, &iv).decrypt_inout(data).unwrap(),
                ),
            ];
            for (mode, wanted, given) in modes {
                let wanted = made(&input, wanted);
                assert_eq!(made(&input, given), wanted, "{mode}, {at}");
                assert_eq!(made_apart(&input, given), wanted, "{mode} apart, {at}");
            }
        }
    }
}

fn hash_at_every_length<H: HashFunction>() {
    let data = painted(LONGEST);
    let messages: Vec<&[u8]> = (0..=LONGEST).map(|n| &data[..n]).collect();
    let wanted: Vec<H::Output> = messages
        .iter()
        .map(|message| H::digest_with(portable(), message))
        .collect();
    for kernel in H::Kernel::available() {
        let mut many = vec![wanted[1]; messages.len()];
        H::hash_many_with(kernel, &messages, &mut many).unwrap();
        for (n, message) in messages.iter().enumerate() {
            let at = format!("{} at {n} bytes", kernel.name());
            assert_eq!(H::digest_with(kernel, message), wanted[n], "{at}");
            assert_eq!(many[n], wanted[n], "one of many, {at}");
        }
        let few = H::hash_many_with(kernel, &messages, &mut many[1..]);
        assert!(few.is_err(), "a digest is missing");
    }
}

/// A counter rule of a user's own.
struct LittleEndian;

impl<B: Block> ctr::Rule<B> for LittleEndian {
    fn advance(&self, mut counter: B, blocks: u128) -> B {
        counter.as_mut().reverse();
        let mut counter = counter.plus(blocks);
        counter.as_mut().reverse();
        counter
    }
}

/// A random message, cut in random pieces.
#[derive(Debug, Clone)]
struct Case {
    data: Vec<u8>,
    key: [u8; 256],
    iv: [u8; 128],
    cuts: Vec<usize>,
    place: usize,
}

impl Case {
    fn any() -> impl Strategy<Value = Self> {
        let bytes = |n| prop::collection::vec(any::<u8>(), n);
        // Half of the counters are about to overflow.
        let iv = (bytes(128..129), any::<bool>()).prop_map(|(mut iv, edge)| {
            if edge {
                iv[1..].fill(0xff);
            }
            iv.try_into().expect("128 bytes")
        });
        (
            bytes(0..4096),
            bytes(256..257).prop_map(|key| key.try_into().expect("256 bytes")),
            iv,
            prop::collection::vec(0..4096usize, 0..8),
            0..5000usize,
        )
            .prop_map(|(data, key, iv, cuts, place)| Self {
                data,
                key,
                iv,
                cuts,
                place,
            })
    }

    /// Hands a copy of the data to `function` piece by piece, each piece a whole
    /// number of units.
    fn in_pieces(&self, unit: usize, mut function: impl FnMut(&mut [u8])) -> Vec<u8> {
        let mut data = self.data.clone();
        data.truncate(data.len() / unit * unit);
        let mut cuts: Vec<usize> = self.cuts.iter().map(|cut| cut / unit * unit).collect();
        cuts.sort_unstable();
        let (mut rest, mut at) = (data.as_mut_slice(), 0);
        for cut in cuts {
            let (piece, later) = rest.split_at_mut((cut - at).min(rest.len()));
            at = cut;
            function(piece);
            rest = later;
        }
        function(rest);
        data
    }

    fn block<C: Keyed + FusedEncrypt + FusedDecrypt>(&self) {
        let size = C::Block::SIZE;
        let key = &self.key[..C::KEY_LENGTHS.max];
        let iv: C::Block = block(&self.iv);
        let whole = self.data.len() / size * size;
        for kernel in C::Kernel::available() {
            let Ok(cipher) = C::with_kernel(kernel, key) else {
                unreachable!("the length is allowed")
            };

            let mut once = self.data[..whole].to_vec();
            CbcEncrypt::new(&cipher, &iv).encrypt(&mut once).unwrap();
            let mut stream = CbcEncrypt::new(&cipher, &C::Block::ZERO);
            stream.reset(&iv);
            let pieces = self.in_pieces(size, |piece| stream.encrypt(piece).unwrap());
            assert_eq!(pieces, once, "CBC in pieces");
            let cut = Self {
                data: once.clone(),
                ..self.clone()
            };
            let mut stream = CbcDecrypt::new(&cipher, &iv);
            let back = cut.in_pieces(size, |piece| stream.decrypt(piece).unwrap());
            assert_eq!(back, self.data[..whole], "CBC there and back");

            // Many messages: suffixes of the data, of all lengths.
            let mut many: Vec<Vec<u8>> = (0..self.cuts.len() * 5)
                .map(|i| {
                    self.data[..whole]
                        .iter()
                        .copied()
                        .skip(i * i * size)
                        .collect()
                })
                .collect();
            let mut wanted = many.clone();
            for (i, one) in wanted.iter_mut().enumerate() {
                let iv = iv.plus(i as u128);
                CbcEncrypt::new(&cipher, &iv).encrypt(one).unwrap();
            }
            let mut messages: Vec<_> = many
                .iter_mut()
                .enumerate()
                .map(|(i, data)| Message::new(&iv.plus(i as u128), data).unwrap())
                .collect();
            CbcEncrypt::encrypt_many(&cipher, &mut messages);
            for (message, wanted) in messages.iter().zip(&wanted) {
                let last = wanted.rchunks_exact(size).next();
                assert!(last.is_none_or(|last| message.chain.as_ref() == last));
            }
            assert_eq!(many, wanted, "CBC on many messages");

            self.counter(&cipher, &iv, || ctr::BigEndian);
            self.counter(&cipher, &iv, || LittleEndian);
        }
    }

    fn counter<C: FusedEncrypt, R: ctr::Rule<C::Block>>(
        &self,
        cipher: &C,
        iv: &C::Block,
        rule: impl Fn() -> R,
    ) {
        let mut once = self.data.clone();
        Ctr::with_rule(cipher, iv, rule()).apply(&mut once);
        let mut stream = Ctr::with_rule(cipher, &C::Block::ZERO, rule());
        stream.reset(iv);
        let pieces = self.in_pieces(1, |piece| stream.apply(piece));
        assert_eq!(pieces, once, "CTR in pieces");

        let place = self.place.min(self.data.len());
        let mut from_there = self.data[place..].to_vec();
        stream.seek(place as u128);
        stream.apply(&mut from_there);
        assert_eq!(from_there, once[place..], "CTR from the middle");

        let mut counter = *iv;
        let mut blocks = vec![C::Block::ZERO; self.data.len() / C::Block::SIZE];
        for block in &mut blocks {
            *block = counter;
            cipher.encrypt_block(block);
            counter = rule().advance(counter, 1);
        }
        for (block, (out, data)) in blocks.iter().zip(
            once.chunks_exact(C::Block::SIZE)
                .zip(self.data.chunks_exact(C::Block::SIZE)),
        ) {
            let sum: Vec<u8> = out.iter().zip(data).map(|(a, b)| a ^ b).collect();
            assert_eq!(
                sum,
                block.as_ref(),
                "the keystream is the counters' encryption"
            );
        }
    }

    fn hash<H: HashFunction>(&self) {
        let wanted = H::digest_with(portable(), &self.data);
        for kernel in H::Kernel::available() {
            let mut hash = H::with_kernel(kernel);
            self.in_pieces(1, |piece| hash.update(piece));
            assert_eq!(hash.clone().finalize(), wanted, "a hash in pieces");
            assert_eq!(hash.finalize(), wanted, "a clone's original");
        }
    }
}
