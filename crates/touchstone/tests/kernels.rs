//! Compares every kernel with the portable form: every length at which a kernel could split a
//! message wrongly, random pieces and alignments, and properties of modes. The known answers
//! compare the portable form with the standards.
//!
//! The algorithms come from the library's lists.

mod common;

use common::{Cipher, Row, each_row, painted};
use proptest::prelude::*;
use touchstone::block::*;
use touchstone::hash::*;
use touchstone::mode::{CbcDecrypt, CbcEncrypt, Ctr, Ecb, ctr};
use touchstone::{DataError, FusedEncrypt, InOutBuf, InvalidKeyLength, Kernel, Keyed};

/// The length in bytes of the longest message: more than the widest group of every kernel, and
/// more than the buffer of the modes.
const LONGEST: usize = 1025;

#[test]
fn block_ciphers_at_every_length() {
    each_row!(&common::rows(), |row| blocks_at_every_length(row));
}

#[test]
fn block_ciphers_with_keys_of_every_length() {
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $E:ty, $D:ty $(, $what:tt: $value:expr)?;)*) => {$(
            $(#[$cfg])*
            {
                keys_of_every_length::<$E>();
                keys_of_every_length::<$D>();
            }
        )*};
    }
    touchstone::block::block_ciphers!(each!);
    touchstone::block::tweakable_ciphers!(each!);
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
        each_row!(&common::rows(), |row| case.block(row));
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

fn portable<K: Kernel>() -> K {
    let last = K::available().last().expect("there is a portable kernel");
    assert_eq!(last.name(), "portable");
    last
}

/// Returns the first block of some bytes.
fn block<B: Block>(bytes: &[u8]) -> B {
    let mut block = B::ZERO;
    block.as_mut().copy_from_slice(&bytes[..B::SIZE]);
    block
}

/// Returns the output of `function` for an input, computed in place.
fn made(input: &[u8], function: impl Fn(InOutBuf<'_, '_, u8>)) -> Vec<u8> {
    let mut data = input.to_vec();
    function(data.as_mut_slice().into());
    data
}

/// Returns the output of `function` for an input, computed from one buffer to another that is
/// not aligned.
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

fn blocks_at_every_length<B: Block>(row: &Row<B>) {
    let kernels = (row.kernels)(&painted(row.keys.max));
    let (name, wanted) = kernels.last().expect("there is a portable kernel");
    assert_eq!(*name, "portable");
    let wanted: &dyn Cipher<B> = &**wanted;
    let iv = block::<B>(&painted(B::SIZE + 3)[3..]);
    // The lower half of this counter overflows within the message.
    let mut edge = B::ZERO;
    edge.as_mut()[B::SIZE / 2..].fill(0xff);
    edge.as_mut()[B::SIZE - 1] = 0xf0;

    for (kernel, given) in &kernels {
        let given: &dyn Cipher<B> = &**given;
        for length in 0..=LONGEST {
            let input = painted(length);
            let at = format!("{} {kernel} at {length} bytes", row.id);

            for first in [iv, edge] {
                let ctr = made(&input, |data| Ctr::new(wanted, &first).apply_inout(data));
                let function = |data: InOutBuf<'_, '_, u8>| {
                    Ctr::new(given, &first).apply_inout(data);
                };
                assert_eq!(made(&input, function), ctr, "CTR, {at}");
                assert_eq!(made_apart(&input, function), ctr, "CTR apart, {at}");
            }

            if !length.is_multiple_of(B::SIZE) {
                let error = Err(DataError::NotWholeBlocks {
                    length,
                    block: B::SIZE,
                });
                let mut data = input.clone();
                assert_eq!(Ecb::new(given).encrypt(&mut data), error);
                assert_eq!(Ecb::new(given).decrypt(&mut data), error);
                assert_eq!(CbcEncrypt::new(given, &iv).encrypt(&mut data), error);
                assert_eq!(CbcDecrypt::new(given, &iv).decrypt(&mut data), error);
                assert_eq!(data, input, "an error leaves the data as they are");
                continue;
            }

            type Function<'f> = &'f dyn Fn(InOutBuf<'_, '_, u8>);
            let modes: [(&str, Function<'_>, Function<'_>); 4] = [
                (
                    "ECB",
                    &|data| Ecb::new(wanted).encrypt_inout(data).unwrap(),
                    &|data| Ecb::new(given).encrypt_inout(data).unwrap(),
                ),
                (
                    "ECB backwards",
                    &|data| Ecb::new(wanted).decrypt_inout(data).unwrap(),
                    &|data| Ecb::new(given).decrypt_inout(data).unwrap(),
                ),
                (
                    "CBC",
                    &|data| CbcEncrypt::new(wanted, &iv).encrypt_inout(data).unwrap(),
                    &|data| CbcEncrypt::new(given, &iv).encrypt_inout(data).unwrap(),
                ),
                (
                    "CBC backwards",
                    &|data| CbcDecrypt::new(wanted, &iv).decrypt_inout(data).unwrap(),
                    &|data| CbcDecrypt::new(given, &iv).decrypt_inout(data).unwrap(),
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

/// A counter rule that a program could define itself.
struct LittleEndian;

impl<B: Block> ctr::Rule<B> for LittleEndian {
    fn advance(&self, mut counter: B, blocks: u128) -> B {
        counter.as_mut().reverse();
        let mut counter = counter.plus(blocks);
        counter.as_mut().reverse();
        counter
    }
}

/// A random message, and the positions of random cuts.
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
        // Half of the random counters overflow within the message.
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

    /// Calls `function` on a copy of the data, piece by piece. The length of each piece is a
    /// multiple of the unit.
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

    fn block<B: Block>(&self, row: &Row<B>) {
        let size = B::SIZE;
        let key = &self.key[..row.keys.max];
        let iv: B = block(&self.iv);
        let whole = self.data.len() / size * size;
        for (_, cipher) in &(row.kernels)(key) {
            let cipher: &dyn Cipher<B> = &**cipher;

            let mut once = self.data[..whole].to_vec();
            CbcEncrypt::new(cipher, &iv).encrypt(&mut once).unwrap();
            let mut stream = CbcEncrypt::new(cipher, &B::ZERO);
            stream.reset(&iv);
            let pieces = self.in_pieces(size, |piece| stream.encrypt(piece).unwrap());
            assert_eq!(pieces, once, "CBC in pieces");
            let cut = Self {
                data: once.clone(),
                ..self.clone()
            };
            let mut stream = CbcDecrypt::new(cipher, &iv);
            let back = cut.in_pieces(size, |piece| stream.decrypt(piece).unwrap());
            assert_eq!(back, self.data[..whole], "CBC there and back");

            // The many messages are suffixes of the data, of all lengths.
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
                CbcEncrypt::new(cipher, &iv).encrypt(one).unwrap();
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
