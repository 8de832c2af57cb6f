//! Tests the modes of block ciphers and the MACs that are based on CBC: every kernel against
//! the portable form for every length, and properties of the modes. `vectors.rs` has known
//! answers.
#![allow(
    clippy::unit_arg,
    reason = "modes that cannot fail stand beside those that can"
)]

use proptest::prelude::*;
use touchstone::block::{Aes128, Aes192, Aes256, Block, Des, DesEde3, Message};
use touchstone::mac::{CbcMac, Cmac, DesMac, GostMac, Omac2, RetailMac};
use touchstone::mode::ctr::{
    BigEndian, BigEndianHalf, LittleEndian, LittleEndianHalf, Rule, Stepwise,
};
use touchstone::mode::padding::{AnsiX923, Iso7816, Pkcs7, Zero};
use touchstone::mode::{
    CbcCs1, CbcCs2, CbcCs3, CbcEncrypt, Cfb8Decrypt, Cfb8Encrypt, CfbDecrypt, CfbEncrypt, Ctr, Ecb,
    EcbSteal, Ofb, Padding, Xts, xts,
};
use touchstone::{
    BlockCipher, DataError, FusedDecrypt, FusedEncrypt, InOutBuf, InvalidPadding, Kernel, Keyed,
    Mac,
};

/// The length in bytes of the longest message: more than the widest group of every kernel, and
/// more than the buffer of the modes.
const LONGEST: usize = 1025;

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

fn block<B: Block>(seed: u8) -> B {
    let mut block = B::ZERO;
    for (i, byte) in block.as_mut().iter_mut().enumerate() {
        *byte = seed
            .wrapping_mul(31)
            .wrapping_add((i as u8).wrapping_mul(13));
    }
    block
}

type Function<'f> = &'f dyn Fn(InOutBuf<'_, '_, u8>) -> Result<(), DataError>;

/// Returns the output of `function` for an input, computed in place.
fn made(input: &[u8], function: Function<'_>) -> Vec<u8> {
    let mut data = input.to_vec();
    function(data.as_mut_slice().into()).unwrap();
    data
}

/// Returns the output of `function` for an input, computed from one buffer to another that is
/// not aligned.
fn made_apart(input: &[u8], function: Function<'_>) -> Vec<u8> {
    let mut output = vec![0xff; input.len() + 1];
    function(InOutBuf::new(input, &mut output[1..]).expect("equal lengths")).unwrap();
    output.split_off(1)
}

/// Checks that a function gives the wanted output for `input`, and that its inverse gives
/// `input` again. The function must refuse an input that is shorter than `least`, and leave it
/// unchanged.
fn pair(
    at: &str,
    input: &[u8],
    least: usize,
    wanted: Function<'_>,
    given: Function<'_>,
    back: Function<'_>,
) {
    if input.len() < least {
        let error = Err(DataError::TooShort {
            length: input.len(),
            least,
        });
        let mut data = input.to_vec();
        assert_eq!(given(data.as_mut_slice().into()), error, "{at}");
        assert_eq!(back(data.as_mut_slice().into()), error, "{at}");
        assert_eq!(data, input, "{at}: an error leaves the data as they are");
        return;
    }
    let wanted = made(input, wanted);
    assert_eq!(made(input, given), wanted, "{at}");
    assert_eq!(made_apart(input, given), wanted, "{at}, apart");
    assert_eq!(made(&wanted, back), input, "{at}, backwards");
    assert_eq!(made_apart(&wanted, back), input, "{at}, backwards, apart");
}

fn modes_at_every_length<C: Keyed + FusedEncrypt + FusedDecrypt>(longest: usize) {
    let p: C = set_up(portable());
    let iv = block::<C::Block>(1);
    let size = C::Block::SIZE;
    for kernel in C::Kernel::available() {
        let c: C = set_up(kernel);
        for length in 0..=longest {
            let input = painted(length);
            let at = |mode: &str| format!("{mode}, {} at {length} bytes", kernel.name());
            pair(
                &at("CFB"),
                &input,
                0,
                &|data| Ok(CfbEncrypt::new(&p, &iv).encrypt_inout(data)),
                &|data| Ok(CfbEncrypt::new(&c, &iv).encrypt_inout(data)),
                &|data| Ok(CfbDecrypt::new(&c, &iv).decrypt_inout(data)),
            );
            pair(
                &at("CFB-8"),
                &input,
                0,
                &|data| Ok(Cfb8Encrypt::new(&p, &iv).encrypt_inout(data)),
                &|data| Ok(Cfb8Encrypt::new(&c, &iv).encrypt_inout(data)),
                &|data| Ok(Cfb8Decrypt::new(&c, &iv).decrypt_inout(data)),
            );
            pair(
                &at("OFB"),
                &input,
                0,
                &|data| Ok(Ofb::new(&p, &iv).apply_inout(data)),
                &|data| Ok(Ofb::new(&c, &iv).apply_inout(data)),
                &|data| Ok(Ofb::new(&c, &iv).apply_inout(data)),
            );
            pair(
                &at("CBC-CS1"),
                &input,
                size,
                &|data| CbcCs1::new(&p).encrypt_inout(&iv, data),
                &|data| CbcCs1::new(&c).encrypt_inout(&iv, data),
                &|data| CbcCs1::new(&c).decrypt_inout(&iv, data),
            );
            pair(
                &at("CBC-CS2"),
                &input,
                size,
                &|data| CbcCs2::new(&p).encrypt_inout(&iv, data),
                &|data| CbcCs2::new(&c).encrypt_inout(&iv, data),
                &|data| CbcCs2::new(&c).decrypt_inout(&iv, data),
            );
            pair(
                &at("CBC-CS3"),
                &input,
                size,
                &|data| CbcCs3::new(&p).encrypt_inout(&iv, data),
                &|data| CbcCs3::new(&c).encrypt_inout(&iv, data),
                &|data| CbcCs3::new(&c).decrypt_inout(&iv, data),
            );
            pair(
                &at("ECB with stealing"),
                &input,
                size,
                &|data| EcbSteal::new(&p).encrypt_inout(data),
                &|data| EcbSteal::new(&c).encrypt_inout(data),
                &|data| EcbSteal::new(&c).decrypt_inout(data),
            );
        }
    }
}

#[test]
fn modes_of_aes_at_every_length() {
    modes_at_every_length::<Aes128>(LONGEST);
    modes_at_every_length::<Aes192>(300);
    modes_at_every_length::<Aes256>(300);
}

#[test]
fn modes_of_des_at_every_length() {
    modes_at_every_length::<Des>(150);
    modes_at_every_length::<DesEde3>(100);
}

/// Computes XTS as its standard defines it, one block after the other.
fn xts_by_the_book<C: FusedEncrypt<Block = [u8; 16]>>(
    cipher: &C,
    first: [u8; 16],
    input: &[u8],
) -> Vec<u8> {
    let mut tweak = u128::from_le_bytes(first);
    let mut one = |block: &[u8]| {
        let key = tweak.to_le_bytes();
        let mut sum: [u8; 16] = std::array::from_fn(|i| block[i] ^ key[i]);
        cipher.encrypt_block(&mut sum);
        tweak = tweak << 1 ^ if tweak >> 127 == 1 { 0x87 } else { 0 };
        std::array::from_fn::<u8, 16, _>(|i| sum[i] ^ key[i])
    };
    let mut output: Vec<u8> = input.chunks_exact(16).flat_map(&mut one).collect();
    let tail = input.chunks_exact(16).remainder();
    if !tail.is_empty() {
        let last = output.split_off(output.len() - 16);
        let stolen = [tail, &last[tail.len()..]].concat();
        output.extend(one(&stolen));
        output.extend(&last[..tail.len()]);
    }
    output
}

fn xts_at_every_length<C>()
where
    C: Keyed + FusedEncrypt<Block = [u8; 16]> + FusedDecrypt<Block = [u8; 16]>,
{
    let key = painted(2 * C::KEY_LENGTHS.max);
    let (Ok(cipher), Ok(tweaks)) = (
        C::with_kernel(portable(), &key[..key.len() / 2]),
        C::with_kernel(portable(), &key[key.len() / 2..]),
    ) else {
        unreachable!("the length is allowed")
    };
    let number = block::<[u8; 16]>(9);
    let mut first = number;
    tweaks.encrypt_block(&mut first);
    for kernel in C::Kernel::available() {
        let mode: Xts<C> = set_up(kernel);
        for length in (0..=LONGEST).chain([4096, 4111]) {
            let input = painted(length);
            pair(
                &format!("XTS, {} at {length} bytes", kernel.name()),
                &input,
                16,
                &|mut data| {
                    let output = xts_by_the_book(&cipher, first, data.get_in());
                    data.get_out().copy_from_slice(&output);
                    Ok(())
                },
                &|data| mode.encrypt_inout(&number, data),
                &|data| mode.decrypt_inout(&number, data),
            );
        }
    }
}

#[test]
fn xts_of_aes_at_every_length() {
    xts_at_every_length::<Aes128>();
    xts_at_every_length::<Aes192>();
    xts_at_every_length::<Aes256>();
}

#[test]
fn xts_takes_two_keys_of_one_length() {
    let lengths: Vec<usize> = (0..100)
        .filter(|&n| Xts::<Aes256>::from_slice(&painted(n)).is_ok())
        .collect();
    assert_eq!(lengths, [64]);
    // XTS accepts two equal keys; a program can find out whether they are equal.
    assert!(Xts::<Aes256>::from_slice(&[7; 64]).is_ok());
    assert!(!xts::distinct_keys(&[7; 64]));
    assert!(xts::distinct_keys(&painted(64)));
}

#[test]
fn output_of_another_length_is_left_as_it_is() {
    let c: Aes128 = set_up(portable());
    let (iv, input) = (block(1), painted(40));
    let mut output = [0x55; 41];
    let out = &mut output[..];
    let error = Err(DataError::OutputLength {
        input: 40,
        output: 41,
    });
    assert_eq!(CfbEncrypt::new(&c, &iv).encrypt_into(&input, out), error);
    assert_eq!(CfbDecrypt::new(&c, &iv).decrypt_into(&input, out), error);
    assert_eq!(Cfb8Encrypt::new(&c, &iv).encrypt_into(&input, out), error);
    assert_eq!(Cfb8Decrypt::new(&c, &iv).decrypt_into(&input, out), error);
    assert_eq!(Ofb::new(&c, &iv).apply_into(&input, out), error);
    assert_eq!(CbcCs3::new(&c).encrypt_into(&iv, &input, out), error);
    assert_eq!(CbcCs3::new(&c).decrypt_into(&iv, &input, out), error);
    assert_eq!(EcbSteal::new(&c).encrypt_into(&input, out), error);
    let mode: Xts<Aes128> = set_up(portable());
    assert_eq!(mode.encrypt_into(&iv, &input, out), error);
    assert_eq!(mode.decrypt_into(&iv, &input, out), error);
    assert_eq!(output, [0x55; 41]);
}

#[test]
fn the_versions_of_stealing_differ_in_order_only() {
    let c: Aes128 = set_up(portable());
    let iv = block(1);
    for length in 17..100 {
        let input = painted(length);
        let cs1 = made(&input, &|data| CbcCs1::new(&c).encrypt_inout(&iv, data));
        let cs2 = made(&input, &|data| CbcCs2::new(&c).encrypt_inout(&iv, data));
        let cs3 = made(&input, &|data| CbcCs3::new(&c).encrypt_inout(&iv, data));
        let tail = match length % 16 {
            0 => 16,
            n => n,
        };
        let at = length - tail - 16;
        let swapped = [&cs1[..at], &cs1[at + tail..], &cs1[at..at + tail]].concat();
        assert_eq!(cs3, swapped);
        if tail == 16 {
            let plain = made(&input, &|data| CbcEncrypt::new(&c, &iv).encrypt_inout(data));
            assert_eq!(cs1, plain);
            assert_eq!(cs2, plain);
        } else {
            assert_eq!(cs2, swapped);
        }
        // Ciphertext stealing gives the CBC ciphertext of the zero-padded message, in another
        // order.
        let mut padded = input.clone();
        padded.resize(at + 32, 0);
        CbcEncrypt::new(&c, &iv).encrypt(&mut padded).unwrap();
        assert_eq!(cs1[..at + tail], padded[..at + tail]);
        assert_eq!(cs1[at + tail..], padded[at + 16..]);
        if tail == 16 {
            let stolen = made(&input, &|data| EcbSteal::new(&c).encrypt_inout(data));
            let plain = made(&input, &|data| Ecb::new(&c).encrypt_inout(data));
            assert_eq!(stolen, plain);
        }
    }
}

/// Returns the counter blocks that counter mode encrypts.
fn counters<B: Block, R: Rule<B> + Copy>(rule: R, first: B, n: u128) -> Vec<B> {
    (0..n).map(|i| rule.advance(first, i)).collect()
}

#[test]
fn counters_wrap_at_the_ends_of_their_parts() {
    let first = [0xff; 8];
    let last = |counters: Vec<[u8; 8]>| counters[1];
    assert_eq!(last(counters(BigEndian, first, 2)), [0; 8]);
    assert_eq!(last(counters(LittleEndian, first, 2)), [0; 8]);
    let low = [255, 255, 255, 255, 0, 0, 0, 0];
    let high = [0, 0, 0, 0, 255, 255, 255, 255];
    assert_eq!(last(counters(BigEndianHalf, first, 2)), low);
    assert_eq!(last(counters(LittleEndianHalf, first, 2)), high);
    assert_eq!(
        last(counters(LittleEndian, low, 2)),
        [0, 0, 0, 0, 1, 0, 0, 0]
    );
    assert_eq!(last(counters(BigEndian, high, 2)), [0, 0, 0, 1, 0, 0, 0, 0]);
    assert_eq!(BigEndianHalf.advance([7; 16], 1 << 64), [7; 16]);
    assert_eq!(LittleEndianHalf.advance([7; 16], 1 << 64), [7; 16]);
    assert_eq!(LittleEndianHalf.advance([7; 32], 1), {
        let mut next = [7; 32];
        next[0] = 8;
        next
    });
    assert_eq!(BigEndianHalf.advance([7; 32], 1)[31], 8);
    assert_eq!(
        Stepwise(|block: [u8; 8]| block.map(|b| b ^ 1)).advance([0; 8], 3),
        [1; 8]
    );
}

fn keystream_is_the_counters<C, R>(rule: R)
where
    C: Keyed + FusedEncrypt,
    R: Rule<C::Block> + Copy,
{
    let n = 300;
    for kernel in C::Kernel::available() {
        let c: C = set_up(kernel);
        for edge in [1, 2, 7, 100] {
            // Every part of this counter overflows within the message.
            let mut first = C::Block::ZERO;
            first.as_mut().fill(0xff);
            let (size, from) = (C::Block::SIZE, 256 - edge);
            first.as_mut()[0] = from as u8;
            first.as_mut()[size - 1] = from as u8;
            let mut wanted = counters(rule, first, n as u128);
            c.encrypt_blocks(wanted.as_mut_slice().into());
            let wanted: Vec<u8> = wanted.iter().flat_map(|b| b.as_ref().to_vec()).collect();
            let mut given = vec![0; wanted.len()];
            let mut stream = Ctr::with_rule(&c, &first, rule);
            stream.apply(&mut given);
            assert_eq!(given, wanted, "{}", kernel.name());
            // A seek gives the same keystream as a skip of the bytes.
            for place in [0, 1, size - 1, size, edge * size + 3, 200 * size + 1] {
                let mut rest = vec![0; wanted.len() - place];
                stream.seek(place as u128);
                stream.apply(&mut rest);
                assert_eq!(rest, wanted[place..], "from {place}, {}", kernel.name());
            }
        }
    }
}

#[test]
fn counter_mode_follows_its_rule() {
    keystream_is_the_counters::<Aes128, _>(BigEndian);
    keystream_is_the_counters::<Aes128, _>(LittleEndian);
    keystream_is_the_counters::<Aes128, _>(BigEndianHalf);
    keystream_is_the_counters::<Aes128, _>(LittleEndianHalf);
    keystream_is_the_counters::<Aes128, _>(Stepwise(|block: [u8; 16]| block.plus(3)));
    keystream_is_the_counters::<Des, _>(BigEndian);
    keystream_is_the_counters::<Des, _>(LittleEndian);
    keystream_is_the_counters::<Des, _>(BigEndianHalf);
    keystream_is_the_counters::<Des, _>(LittleEndianHalf);
}

/// Checks that many messages in one call give the same output as one call for each message.
/// There are more messages than one call of a cipher computes at once. Some are empty, and some
/// are longer than what is copied at once.
fn many_are_as_each_alone<C>()
where
    C: Keyed + FusedEncrypt,
{
    type Many<C> = fn(&C, &mut [Message<'_, '_, <C as BlockCipher>::Block>]);
    type One<'f, C> = &'f dyn Fn(&C, &<C as BlockCipher>::Block, &mut [u8]);
    let modes: [(&str, Many<C>, One<'_, C>); 4] = [
        ("CBC", CbcEncrypt::encrypt_many, &|c, iv, data| {
            CbcEncrypt::new(c, iv).encrypt(data).unwrap();
        }),
        ("CFB", CfbEncrypt::encrypt_many, &|c, iv, data| {
            CfbEncrypt::new(c, iv).encrypt(data);
        }),
        ("CFB-8", Cfb8Encrypt::encrypt_many, &|c, iv, data| {
            Cfb8Encrypt::new(c, iv).encrypt(data);
        }),
        ("OFB", Ofb::apply_many, &|c, iv, data| {
            Ofb::new(c, iv).apply(data)
        }),
    ];
    let alone: C = set_up(portable());
    for kernel in C::Kernel::available() {
        let cipher: C = set_up(kernel);
        for (name, many, one) in modes {
            for count in [1, 15, 16, 17, 37, 64, 65, 150] {
                let blocks = |i: usize| [3, 4, 5, 0, 20, 1, 8, 9][i % 8];
                let messages: Vec<_> = (0..count)
                    .map(|i| painted(C::Block::SIZE * blocks(i)))
                    .collect();
                let (mut given, mut wanted) = (messages.clone(), messages.clone());
                for (i, message) in wanted.iter_mut().enumerate() {
                    one(&alone, &block(i as u8), message);
                }
                let mut batch: Vec<_> = given
                    .iter_mut()
                    .enumerate()
                    .map(|(i, data)| Message::new(&block(i as u8), data).unwrap())
                    .collect();
                many(&cipher, &mut batch);
                let place = format!("{count} in {name}, {}", kernel.name());
                assert_eq!(given, wanted, "{place}");
                let mut copies: Vec<_> = messages.iter().map(|m| vec![0; m.len()]).collect();
                let mut batch: Vec<_> = messages
                    .iter()
                    .zip(&mut copies)
                    .enumerate()
                    .map(|(i, (from, to))| {
                        let data = InOutBuf::new(from, to).unwrap();
                        Message::inout(&block(i as u8), data).unwrap()
                    })
                    .collect();
                many(&cipher, &mut batch);
                assert_eq!(copies, wanted, "{place}, from buffer to buffer");
            }
        }
    }
}

#[test]
fn many_messages() {
    many_are_as_each_alone::<touchstone::block::Aes128Encrypt>();
    many_are_as_each_alone::<touchstone::block::Aes192Encrypt>();
    many_are_as_each_alone::<touchstone::block::Aes256Encrypt>();
    many_are_as_each_alone::<touchstone::block::Camellia128>();
    many_are_as_each_alone::<touchstone::block::Serpent>();
    many_are_as_each_alone::<touchstone::block::Des>();
    many_are_as_each_alone::<touchstone::block::IdeaEncrypt>();
    many_are_as_each_alone::<touchstone::block::Shacal2>();
}

fn macs_at_every_length<M: Mac>(longest: usize) {
    let wanted: M = set_up(portable());
    let data = painted(longest);
    let messages: Vec<&[u8]> = (0..=longest).map(|n| &data[..n]).collect();
    let macs: Vec<M::Output> = messages.iter().map(|message| wanted.mac(message)).collect();
    for kernel in M::Kernel::available() {
        let mut given: M = set_up(kernel);
        let mut many = vec![macs[0]; messages.len()];
        given.mac_many(&messages, &mut many).unwrap();
        assert_eq!(many, macs, "many, {}", kernel.name());
        for (n, message) in messages.iter().enumerate() {
            assert_eq!(
                given.mac(message),
                macs[n],
                "{} at {n} bytes",
                kernel.name()
            );
            given.update(&message[..n / 3]);
            given.update(&message[n / 3..]);
            assert_eq!(
                given.finalize(),
                macs[n],
                "{} at {n} bytes, in pieces",
                kernel.name()
            );
        }
        given.update(b"forgotten");
        given.reset();
        assert_eq!(given.finalize(), macs[0], "after a reset");
        assert!(
            given.mac_many(&messages, &mut many[1..]).is_err(),
            "a MAC is missing"
        );
        assert!(given.verify(messages[3], &macs[3]).is_ok());
        assert!(given.verify(messages[3], &macs[4]).is_err());
    }
}

#[test]
fn macs_by_chaining_at_every_length() {
    macs_at_every_length::<Cmac<Aes128>>(LONGEST);
    macs_at_every_length::<Cmac<Aes192>>(LONGEST);
    macs_at_every_length::<Cmac<Aes256>>(LONGEST);
    macs_at_every_length::<Omac2<Aes128>>(200);
    macs_at_every_length::<CbcMac<Aes128>>(200);
    macs_at_every_length::<CbcMac<Aes128, Iso7816>>(200);
    macs_at_every_length::<Cmac<Des>>(100);
    macs_at_every_length::<RetailMac<Des, Iso7816>>(100);
    macs_at_every_length::<RetailMac<Des>>(100);
    macs_at_every_length::<GostMac<'_>>(200);
}

#[test]
fn a_mac_that_is_cut_verifies_as_far_as_it_goes() {
    let mac: Cmac<Aes128> = set_up(portable());
    let tag = mac.mac(b"message");
    let mut cut = [0; 4];
    cut.copy_from_slice(&tag[..4]);
    assert!(mac.verify_cut(b"message", &cut).is_ok());
    cut[3] ^= 1;
    assert!(mac.verify_cut(b"message", &cut).is_err());
}

/// Checks the answers of T. Iwata, K. Kurosawa: test vectors of OMAC2 with AES-128, 2003.
#[test]
fn omac2_of_its_authors() {
    let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3cu128.to_be_bytes();
    let message = [
        0x6bc1_bee2_2e40_9f96_e93d_7e11_7393_172au128,
        0xae2d_8a57_1e03_ac9c_9eb7_6fac_45af_8e51,
        0x30c8_1c46_a35c_e411_e5fb_c119_1a0a_52ef,
        0xf69f_2445_df4f_9b17_ad2b_417b_e66c_3710,
    ]
    .map(u128::to_be_bytes)
    .concat();
    let mac = Omac2::<Aes128>::from_slice(&key).unwrap();
    for (length, wanted) in [
        (0, 0xf6bc_6a41_f4f8_4593_809e_59b7_1929_9cfeu128),
        (16, 0x070a_16b4_6b4d_4144_f79b_dd9d_d04a_287c),
        (40, 0x23fd_aa08_31cd_3144_91ce_4b25_acb6_023b),
        (64, 0x51f0_bebf_7e3b_9d92_fc49_7417_7936_3cfe),
    ] {
        assert_eq!(
            mac.mac(&message[..length]),
            wanted.to_be_bytes(),
            "{length} bytes"
        );
    }
}

/// Checks the example of FIPS 113 (1985), whose code is the first half of this MAC.
#[test]
fn des_mac_of_its_standard() {
    let mac = DesMac::from_slice(&0x0123_4567_89ab_cdefu64.to_be_bytes()).unwrap();
    let given = mac.mac(b"7654321 Now is the time for ");
    assert_eq!(given, 0xf1d3_0f68_4931_2ca4u64.to_be_bytes());
}

fn padding_comes_off<P: Padding>(always: usize) {
    type B = [u8; 16];
    for length in 0..70 {
        let message: Vec<u8> = painted(length).iter().map(|b| b | 1).collect();
        let whole = (length + always).next_multiple_of(16);
        let mut buffer = vec![0xee; whole + 3];
        buffer[..length].copy_from_slice(&message);
        assert_eq!(P::pad::<B>(&mut buffer, length).map(|p| p.len()), Ok(whole));
        assert_eq!(P::unpad::<B>(&buffer[..whole]), Ok(&message[..]));
        assert_eq!(buffer[whole..], [0xee; 3]);
        let rest = length / 16 * 16;
        let last = P::last_block::<B>(&message[rest..]);
        assert_eq!(
            last.as_ref().map_or(&[][..], |b| &b[..]),
            &buffer[rest..whole]
        );
        if whole > length {
            let mut small = vec![0xee; whole - 1];
            let error = DataError::TooLittleRoom {
                needed: whole,
                given: whole - 1,
            };
            assert_eq!(P::pad::<B>(&mut small, length), Err(error));
            assert_eq!(small, vec![0xee; whole - 1]);
        }
        let cut = P::unpad::<B>(&buffer[..whole.saturating_sub(1)]);
        assert_eq!(cut.is_err(), whole != 0 || always != 0);
    }
}

#[test]
fn padding_comes_off_and_nothing_else_does() {
    padding_comes_off::<Pkcs7>(1);
    padding_comes_off::<Iso7816>(1);
    padding_comes_off::<AnsiX923>(1);
    padding_comes_off::<Zero>(0);
    assert_eq!(
        Zero::unpad::<[u8; 8]>(&[1, 2, 0, 0, 0, 0, 0, 0]),
        Ok(&[1, 2][..])
    );
    assert_eq!(Zero::unpad::<[u8; 8]>(&[0; 8]), Ok(&[][..]));

    // The padding is refused if any of its bytes or its count is wrong.
    for n in 1..=16u8 {
        let mut pkcs7 = [0x40; 16];
        pkcs7[16 - usize::from(n)..].fill(n);
        let mut x923 = [0x40; 16];
        x923[16 - usize::from(n)..].fill(0);
        x923[15] = n;
        let mut iso = [0x40; 16];
        iso[16 - usize::from(n)..].fill(0);
        iso[16 - usize::from(n)] = 0x80;
        let own = 16 - usize::from(n);
        assert_eq!(Pkcs7::unpad::<[u8; 16]>(&pkcs7).map(<[u8]>::len), Ok(own));
        assert_eq!(AnsiX923::unpad::<[u8; 16]>(&x923).map(<[u8]>::len), Ok(own));
        assert_eq!(Iso7816::unpad::<[u8; 16]>(&iso).map(<[u8]>::len), Ok(own));
        for place in own..15 {
            let changed = |mut block: [u8; 16]| {
                block[place] ^= 0x21;
                block
            };
            assert_eq!(
                Pkcs7::unpad::<[u8; 16]>(&changed(pkcs7)),
                Err(InvalidPadding)
            );
            assert_eq!(
                AnsiX923::unpad::<[u8; 16]>(&changed(x923)),
                Err(InvalidPadding)
            );
            assert_eq!(
                Iso7816::unpad::<[u8; 16]>(&changed(iso)),
                Err(InvalidPadding)
            );
        }
    }
    for n in (17..=255).chain([0]) {
        assert_eq!(Pkcs7::unpad::<[u8; 16]>(&[n; 16]), Err(InvalidPadding));
        let mut x923 = [0; 16];
        x923[15] = n;
        assert_eq!(AnsiX923::unpad::<[u8; 16]>(&x923), Err(InvalidPadding));
    }
    assert_eq!(Iso7816::unpad::<[u8; 16]>(&[0; 16]), Err(InvalidPadding));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn cuts_change_nothing(
        data in prop::collection::vec(any::<u8>(), 0..3000),
        cuts in prop::collection::vec(0..3000usize, 0..8),
        seed in any::<u8>(),
    ) {
        cuts_of::<Aes128>(&data, &cuts, seed);
        cuts_of::<Aes256>(&data, &cuts, seed);
        cuts_of::<Des>(&data[..data.len() / 8], &cuts, seed);
    }
}

/// Calls `function` on a copy of the data, piece by piece.
fn in_pieces(data: &[u8], cuts: &[usize], mut function: impl FnMut(&mut [u8])) -> Vec<u8> {
    let mut data = data.to_vec();
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (data.len() + 1)).collect();
    cuts.sort_unstable();
    let (mut rest, mut at) = (data.as_mut_slice(), 0);
    for cut in cuts {
        let (piece, later) = rest.split_at_mut(cut - at);
        at = cut;
        function(piece);
        rest = later;
    }
    function(rest);
    data
}

fn cuts_of<C: Keyed + FusedEncrypt + FusedDecrypt>(data: &[u8], cuts: &[usize], seed: u8) {
    let (iv, other) = (block::<C::Block>(seed), block::<C::Block>(seed ^ 1));
    for kernel in C::Kernel::available() {
        let c: C = set_up(kernel);

        let once = made(data, &|data| {
            Ok(CfbEncrypt::new(&c, &iv).encrypt_inout(data))
        });
        let mut stream = CfbEncrypt::new(&c, &other);
        stream.encrypt(&mut [1, 2, 3]);
        stream.reset(&iv);
        assert_eq!(
            in_pieces(data, cuts, |piece| stream.encrypt(piece)),
            once,
            "CFB"
        );
        let mut stream = CfbDecrypt::new(&c, &other);
        stream.decrypt(&mut [1, 2, 3]);
        stream.reset(&iv);
        assert_eq!(
            in_pieces(&once, cuts, |piece| stream.decrypt(piece)),
            data,
            "CFB back"
        );

        let once = made(data, &|data| {
            Ok(Cfb8Encrypt::new(&c, &iv).encrypt_inout(data))
        });
        let mut stream = Cfb8Encrypt::new(&c, &other);
        stream.encrypt(&mut [1, 2, 3]);
        stream.reset(&iv);
        assert_eq!(
            in_pieces(data, cuts, |piece| stream.encrypt(piece)),
            once,
            "CFB-8"
        );
        let mut stream = Cfb8Decrypt::new(&c, &other);
        stream.decrypt(&mut [1, 2, 3]);
        stream.reset(&iv);
        assert_eq!(
            in_pieces(&once, cuts, |piece| stream.decrypt(piece)),
            data,
            "CFB-8 back"
        );

        let once = made(data, &|data| Ok(Ofb::new(&c, &iv).apply_inout(data)));
        let mut stream = Ofb::new(&c, &other);
        stream.apply(&mut [1, 2, 3]);
        stream.reset(&iv);
        assert_eq!(
            in_pieces(data, cuts, |piece| stream.apply(piece)),
            once,
            "OFB"
        );

        let mut mac = Cmac::with_cipher(&c);
        in_pieces(data, cuts, |piece| mac.update(piece));
        assert_eq!(mac.finalize(), mac.mac(data), "CMAC");

        // The many messages are the data from some positions on, in whole blocks.
        let messages: Vec<Vec<u8>> = cuts
            .iter()
            .chain(cuts)
            .map(|cut| {
                let rest = &data[cut % (data.len() + 1)..];
                rest[..rest.len() / C::Block::SIZE * C::Block::SIZE].to_vec()
            })
            .collect();
        type Many<C> = fn(&C, &mut [Message<'_, '_, <C as touchstone::BlockCipher>::Block>]);
        type One<'f, C> = &'f dyn Fn(&<C as touchstone::BlockCipher>::Block, &mut [u8]);
        let modes: [(Many<C>, One<'_, C>); 3] = [
            (CfbEncrypt::encrypt_many, &|iv, data| {
                CfbEncrypt::new(&c, iv).encrypt(data);
            }),
            (Cfb8Encrypt::encrypt_many, &|iv, data| {
                Cfb8Encrypt::new(&c, iv).encrypt(data);
            }),
            (Ofb::apply_many, &|iv, data| Ofb::new(&c, iv).apply(data)),
        ];
        for (many, one) in modes {
            let mut wanted = messages.clone();
            for (i, message) in wanted.iter_mut().enumerate() {
                one(&iv.plus(i as u128), message);
            }
            let mut given = messages.clone();
            let mut batch: Vec<_> = given
                .iter_mut()
                .enumerate()
                .map(|(i, data)| Message::new(&iv.plus(i as u128), data).unwrap())
                .collect();
            many(&c, &mut batch);
            let chains: Vec<C::Block> = batch.iter().map(|message| message.chain).collect();
            assert_eq!(given, wanted, "many messages");
            // With the chain value, a further call continues the message.
            for ((i, message), chain) in messages.iter().enumerate().zip(chains) {
                let mut twice = [message.as_slice(), &[0; 16]].concat();
                one(&iv.plus(i as u128), &mut twice);
                let mut next = [0; 16];
                one(&chain, &mut next);
                assert_eq!(twice[message.len()..], next);
            }
        }
    }
}
