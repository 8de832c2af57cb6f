//! Known answers: every record in `vectors/` for an algorithm that the crate
//! has, over every kernel that the machine has, in place and out of place, at
//! every alignment that matters, forwards and backwards.
//!
//! A new algorithm is a line in its family's test.

use std::collections::BTreeMap;
use std::path::Path;

use touchstone::block::gost28147::SBoxes;
use touchstone::block::rc2::EffectiveBits;
use touchstone::block::{Aes128, Aes192, Aes256, Block, Des, DesEde2, DesEde3};
use touchstone::block::{
    Anubis, AnubisOriginal, Aria128, Aria192, Aria256, Camellia128, Camellia192,
};
use touchstone::block::{Blowfish, Cast5, Gost28147, Idea, Magma, Rc2, Rc5, Tea, Xtea};
use touchstone::block::{Camellia256, Kuznyechik, Seed, Shacal2, Sm4};
use touchstone::block::{Serpent, Threefish256, Threefish512, Threefish1024, Twofish};
use touchstone::mac::{CbcMac, Cmac, GostMac, RetailMac};
use touchstone::mode::padding::Zero;
use touchstone::mode::{
    CbcCs1, CbcCs2, CbcCs3, CbcDecrypt, CbcEncrypt, Cfb8Decrypt, Cfb8Encrypt, CfbDecrypt,
    CfbEncrypt, Ctr, Ecb, Ofb, Xts,
};
use touchstone::{FusedDecrypt, FusedEncrypt, InvalidKeyLength, Kernel, Keyed, KeyedWith, Mac};
use touchstone_vectors::{Vector, Verdict, read_tree};

#[test]
fn block_ciphers() {
    let mut run = Run::new("block");
    run.block::<Aes128>("aes-128");
    run.block::<Aes192>("aes-192");
    run.block::<Aes256>("aes-256");
    run.block::<Des>("des");
    run.block::<DesEde2>("des-ede2");
    run.block::<DesEde3>("des-ede3");
    run.block::<Serpent>("serpent-128");
    run.block::<Serpent>("serpent-192");
    run.block::<Serpent>("serpent-256");
    run.block::<Twofish>("twofish-128");
    run.block::<Twofish>("twofish-192");
    run.block::<Twofish>("twofish-256");
    run.block::<Anubis>("anubis");
    run.block::<AnubisOriginal>("anubis-original");
    run.block::<Aria128>("aria-128");
    run.block::<Aria192>("aria-192");
    run.block::<Aria256>("aria-256");
    run.block::<Camellia128>("camellia-128");
    run.block::<Camellia192>("camellia-192");
    run.block::<Camellia256>("camellia-256");
    run.block::<Kuznyechik>("kuznyechik");
    run.block::<Seed>("seed");
    run.block::<Shacal2>("shacal2");
    run.block::<Sm4>("sm4");
    run.block::<Threefish256>("threefish-256");
    run.block::<Threefish512>("threefish-512");
    run.block::<Threefish1024>("threefish-1024");
    run.block::<Blowfish>("blowfish");
    run.block::<Cast5>("cast5");
    run.block::<Gost28147>("gost28147");
    run.block_with::<Gost28147>("gost28147-test", |_| Some(SBoxes::TEST));
    run.block_with::<Gost28147>("gost28147-r3411-cryptopro", |_| {
        Some(SBoxes::R3411_CRYPTO_PRO)
    });
    run.block::<Idea>("idea");
    run.block::<Magma>("magma");
    run.block_with::<Rc2>("rc2", |v| cost(v, "effective-bits", EffectiveBits::new));
    run.block_with::<Rc5>("rc5-32-12", |v| cost(v, "rounds", |n| u8::try_from(n).ok()));
    run.block::<Tea>("tea");
    run.block_with::<Xtea>("xtea", |v| cost(v, "rounds", |n| u8::try_from(n).ok()));
    run.report();
}

#[test]
fn xts() {
    let mut run = Run::new("block");
    run.xts::<Aes128>("aes-128");
    run.xts::<Aes192>("aes-192");
    run.xts::<Aes256>("aes-256");
    run.xts::<Serpent>("serpent-128");
    run.xts::<Serpent>("serpent-256");
    run.xts::<Twofish>("twofish-256");
    run.report();
}

#[test]
fn retail_macs() {
    let mut run = Run::new("block");
    run.retail::<Des>("des-ede2");
    run.report();
}

#[test]
fn gost_macs() {
    let mut run = Run::new("block");
    run.gost("gost28147", SBoxes::CRYPTO_PRO_A);
    run.report();
}

/// One family's records, and what has been done with them.
struct Run {
    vectors: Vec<(String, Vector)>,
    /// Records run, by primitive and kernel.
    ran: BTreeMap<(String, &'static str), usize>,
    /// Kernels that the machine lacks, by primitive.
    skipped: Vec<(String, &'static str)>,
    /// Records of operations that the crate has not, by primitive and operation.
    left: BTreeMap<(String, String), usize>,
}

impl Run {
    fn new(family: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
        let files = read_tree(&root.join(family)).expect("the known answers can be read");
        let vectors = files.into_iter().flat_map(|(path, file)| {
            let records = file.vectors.into_iter();
            records.map(move |v| (format!("{}:{} {}", path.display(), v.line, v.name), v))
        });
        Self {
            vectors: vectors.collect(),
            ran: BTreeMap::new(),
            skipped: Vec::new(),
            left: BTreeMap::new(),
        }
    }

    /// Runs `check` on each record of a primitive over each kernel. It answers
    /// whether the crate has the operation, and panics if it has it wrong.
    fn each<K: Kernel>(&mut self, primitive: &str, check: impl Fn(K, &Vector, &str) -> bool) {
        let available: Vec<K> = K::available().collect();
        let names: Vec<_> = available.iter().map(|k| k.name()).collect();
        for name in K::NAMES.iter().filter(|name| !names.contains(name)) {
            self.skipped.push((primitive.to_owned(), name));
        }
        for (place, vector) in &self.vectors {
            if vector.primitive != primitive || vector.verdict != Verdict::Valid {
                continue;
            }
            for &kernel in &available {
                let place = format!("{place} [{primitive}, {}]", kernel.name());
                if check(kernel, vector, &place) {
                    let key = (primitive.to_owned(), kernel.name());
                    *self.ran.entry(key).or_default() += 1;
                } else {
                    let key = (primitive.to_owned(), vector.operation.clone());
                    *self.left.entry(key).or_default() += 1;
                    break;
                }
            }
        }
        for kernel in names {
            let key = (primitive.to_owned(), kernel);
            assert!(self.ran.contains_key(&key), "{key:?}: no known answer");
        }
    }

    fn report(self) {
        for ((primitive, kernel), n) in self.ran {
            println!("{primitive}, {kernel}: {n} records");
        }
        for (primitive, kernel) in self.skipped {
            println!("{primitive}, {kernel}: SKIPPED, not on this machine");
        }
        for ((primitive, operation), n) in self.left {
            println!("{primitive} {operation}: {n} records for an operation not here yet");
        }
    }

    fn block<C: Keyed + FusedEncrypt + FusedDecrypt>(&mut self, primitive: &str) {
        self.block_by(primitive, |kernel, v| C::with_kernel(kernel, &v.key));
    }

    /// A cipher with a parameter, which a record may give.
    fn block_with<C: KeyedWith + FusedEncrypt + FusedDecrypt>(
        &mut self,
        primitive: &str,
        parameter: impl Fn(&Vector) -> Option<C::Parameter>,
    ) {
        self.block_by(primitive, |kernel, v| match parameter(v) {
            Some(parameter) => C::with_kernel_and(kernel, parameter, &v.key),
            None => C::with_kernel(kernel, &v.key),
        });
    }

    fn block_by<C: Keyed + FusedEncrypt + FusedDecrypt>(
        &mut self,
        primitive: &str,
        set_up: impl Fn(C::Kernel, &Vector) -> Result<C, InvalidKeyLength>,
    ) {
        self.each(primitive, |kernel, v, place| {
            let cipher = || match set_up(kernel, v) {
                Ok(cipher) => cipher,
                Err(error) => panic!("{place}: {error}"),
            };
            let iv = || match <C::Block>::try_from(&v.nonce) {
                Ok(iv) => iv,
                Err(_) => panic!("{place}: the nonce is not a block of {}", C::Block::SIZE),
            };
            match v.operation.as_str() {
                "ecb-encrypt" => {
                    let mode = Ecb::new(cipher());
                    both(place, &v.input, &v.output, |data| {
                        mode.encrypt_inout(data).unwrap();
                    });
                    both(place, &v.output, &v.input, |data| {
                        mode.decrypt_inout(data).unwrap();
                    });
                }
                "cbc-encrypt" => {
                    let (cipher, iv) = (cipher(), iv());
                    both(place, &v.input, &v.output, |data| {
                        CbcEncrypt::new(&cipher, &iv).encrypt_inout(data).unwrap();
                    });
                    both(place, &v.output, &v.input, |data| {
                        CbcDecrypt::new(&cipher, &iv).decrypt_inout(data).unwrap();
                    });
                }
                "ctr-encrypt" => {
                    let (cipher, iv) = (cipher(), iv());
                    both(place, &v.input, &v.output, |data| {
                        Ctr::new(&cipher, &iv).apply_inout(data);
                    });
                }
                "cfb-encrypt" => {
                    let (cipher, iv) = (cipher(), iv());
                    both(place, &v.input, &v.output, |data| {
                        CfbEncrypt::new(&cipher, &iv).encrypt_inout(data);
                    });
                    both(place, &v.output, &v.input, |data| {
                        CfbDecrypt::new(&cipher, &iv).decrypt_inout(data);
                    });
                }
                "cfb8-encrypt" => {
                    let (cipher, iv) = (cipher(), iv());
                    both(place, &v.input, &v.output, |data| {
                        Cfb8Encrypt::new(&cipher, &iv).encrypt_inout(data);
                    });
                    both(place, &v.output, &v.input, |data| {
                        Cfb8Decrypt::new(&cipher, &iv).decrypt_inout(data);
                    });
                }
                "ofb-encrypt" => {
                    let (cipher, iv) = (cipher(), iv());
                    both(place, &v.input, &v.output, |data| {
                        Ofb::new(&cipher, &iv).apply_inout(data);
                    });
                }
                "cbc-cs1-encrypt" => {
                    let (mode, iv) = (CbcCs1::new(cipher()), iv());
                    both(place, &v.input, &v.output, |data| {
                        mode.encrypt_inout(&iv, data).unwrap();
                    });
                    both(place, &v.output, &v.input, |data| {
                        mode.decrypt_inout(&iv, data).unwrap();
                    });
                }
                "cbc-cs2-encrypt" => {
                    let (mode, iv) = (CbcCs2::new(cipher()), iv());
                    both(place, &v.input, &v.output, |data| {
                        mode.encrypt_inout(&iv, data).unwrap();
                    });
                    both(place, &v.output, &v.input, |data| {
                        mode.decrypt_inout(&iv, data).unwrap();
                    });
                }
                "cbc-cs3-encrypt" => {
                    let (mode, iv) = (CbcCs3::new(cipher()), iv());
                    both(place, &v.input, &v.output, |data| {
                        mode.encrypt_inout(&iv, data).unwrap();
                    });
                    both(place, &v.output, &v.input, |data| {
                        mode.decrypt_inout(&iv, data).unwrap();
                    });
                }
                "cmac" => check_mac(place, &mut Cmac::with_cipher(cipher()), v),
                "cbc-mac" => {
                    check_mac(place, &mut CbcMac::<C, Zero>::with_cipher(cipher()), v);
                }
                _ => return false,
            }
            true
        });
    }

    /// The operations that only a cipher with blocks of 16 bytes has.
    fn xts<C>(&mut self, primitive: &str)
    where
        C: Keyed + FusedEncrypt<Block = [u8; 16]> + FusedDecrypt<Block = [u8; 16]>,
    {
        self.each(primitive, |kernel, v, place| {
            if v.operation != "xts-encrypt" {
                return false;
            }
            let Ok(mode) = Xts::<C>::with_kernel(kernel, &v.key) else {
                panic!("{place}: a key of {} bytes", v.key.len());
            };
            let Ok(tweak) = <&[u8; 16]>::try_from(v.nonce.as_slice()) else {
                panic!("{place}: the tweak is not 16 bytes");
            };
            both(place, &v.input, &v.output, |data| {
                mode.encrypt_inout(tweak, data).unwrap();
            });
            both(place, &v.output, &v.input, |data| {
                mode.decrypt_inout(tweak, data).unwrap();
            });
            true
        });
    }

    fn retail<C: Keyed + FusedEncrypt + FusedDecrypt>(&mut self, primitive: &str) {
        self.each(primitive, |kernel: C::Kernel, v, place| {
            if v.operation != "retail-mac" {
                return false;
            }
            let Ok(mut mac) = RetailMac::<C, Zero>::with_kernel(kernel, &v.key) else {
                panic!("{place}: a key of {} bytes", v.key.len());
            };
            check_mac(place, &mut mac, v);
            true
        });
    }

    fn gost(&mut self, primitive: &str, boxes: &SBoxes) {
        self.each(primitive, |kernel, v, place| {
            if v.operation != "gost-mac" {
                return false;
            }
            match GostMac::with_kernel_and(kernel, boxes, &v.key) {
                Ok(mut mac) => check_mac(place, &mut mac, v),
                Err(error) => panic!("{place}: {error}"),
            }
            true
        });
    }
}

/// Checks a MAC that may be cut: whole, in pieces, as one of many, and verified.
fn check_mac(place: &str, mac: &mut impl Mac, v: &Vector) {
    let wanted = &v.output;
    let cut = |mac: &[u8]| mac[..wanted.len()].to_vec();
    for offset in 0..2 {
        let shifted = [&[0xff; 2][..offset], &v.input].concat();
        let input = &shifted[offset..];
        let once = mac.mac(input);
        assert_eq!(&cut(once.as_ref()), wanted, "{place}");
        assert!(mac.verify(input, &once).is_ok(), "{place}");
        let mut wrong = once;
        wrong.as_mut()[0] ^= 1;
        assert!(mac.verify(input, &wrong).is_err(), "{place}");

        for length in [1, 5, 16, 37] {
            for piece in input.chunks(length) {
                mac.update(piece);
            }
            assert_eq!(mac.finalize(), once, "{place}, in pieces of {length}");
        }
        let mut macs = [once; 3];
        macs[0].as_mut().fill(0);
        macs[2].as_mut().fill(0);
        let messages = [input, &input[..input.len() / 2], input];
        mac.mac_many(&messages, &mut macs).unwrap();
        assert_eq!(
            [macs[0], macs[2]],
            [once; 2],
            "{place}, first and last of many"
        );
        assert!(mac.mac_many(&messages, &mut macs[1..]).is_err(), "{place}");
    }
}

/// A parameter that a record may give, and then must be right.
fn cost<P>(vector: &Vector, name: &str, parameter: impl Fn(usize) -> Option<P>) -> Option<P> {
    let number = vector.cost(name)?;
    let given = usize::try_from(number).ok().and_then(parameter);
    assert!(given.is_some(), "{name} = {number}");
    given
}

/// Checks a function of data in place and out of place, aligned and not.
fn both(
    place: &str,
    input: &[u8],
    output: &[u8],
    function: impl Fn(touchstone::InOutBuf<'_, '_, u8>),
) {
    for (from, to) in [(0, 0), (1, 0), (0, 1), (7, 3)] {
        let source = [&[0xff; 8][..from], input].concat();
        let mut target = vec![0xff; to + output.len()];
        let data = touchstone::InOutBuf::new(&source[from..], &mut target[to..])
            .expect("input and output are equally long");
        function(data);
        assert_eq!(&target[to..], output, "{place}, out of place +{from} +{to}");

        let mut data = source;
        function(data[from..].as_mut().into());
        assert_eq!(&data[from..], output, "{place}, in place +{from}");
    }
}
