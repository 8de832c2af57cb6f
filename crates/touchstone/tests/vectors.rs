//! Checks known answers of block ciphers that have no name, because they take a tweak: every
//! record in `vectors/`, with every kernel that the machine has, in place and from one buffer
//! to another, for every alignment that matters, encryption and decryption. tests/by_name.rs
//! tests algorithms with a name.

use std::collections::BTreeMap;
use std::path::Path;

use touchstone::aead::Eax;
use touchstone::block::*;
use touchstone::hidden::AeadEngine as _;
use touchstone::mac::{CbcMac, Cmac};
use touchstone::mode::padding::Zero;
use touchstone::mode::{
    CbcCs1, CbcCs2, CbcCs3, CbcDecrypt, CbcEncrypt, Cfb8Decrypt, Cfb8Encrypt, CfbDecrypt,
    CfbEncrypt, Ctr, Ecb, Ofb,
};
use touchstone::{FusedDecrypt, FusedEncrypt, InvalidKeyLength, Kernel, Keyed, Mac};
use touchstone_vectors::{Vector, Verdict, read_tree};

#[test]
fn tweakable_ciphers() {
    let mut run = Run::new("block");
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Cipher:ty, $_:ty;)*) => { $($(#[$cfg])* run.block::<$Cipher>($id);)* };
    }
    touchstone::block::tweakable_ciphers!(each!);
    run.report();
}

/// The records of one family, and the results of their checks.
struct Run {
    vectors: Vec<(String, Vector)>,
    /// The number of records that ran, by primitive and kernel.
    ran: BTreeMap<(String, &'static str), usize>,
    /// The kernels that the machine lacks, by primitive.
    skipped: Vec<(String, &'static str)>,
    /// The number of records whose operation this test does not know, by primitive and
    /// operation.
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

    /// Calls `check` for each record of a primitive, with each kernel. `check` returns whether
    /// the crate has the operation, and panics if the result is wrong.
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
        assert!(
            self.left.is_empty(),
            "records for operations that the test does not know: {:?}",
            self.left
        );
    }

    fn block<C: Keyed + FusedEncrypt + FusedDecrypt>(&mut self, primitive: &str) {
        self.block_by(primitive, |kernel, v| C::with_kernel(kernel, &v.key));
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
                "eax-encrypt" => {
                    let mode = Eax::with_cipher(cipher());
                    let wanted = v.tag.as_deref().unwrap_or_default();
                    let (mut data, mut tag) = (v.input.clone(), vec![0; wanted.len()]);
                    mode.encrypt(&v.nonce, &v.aad, &mut data, &mut tag).unwrap();
                    assert_eq!((&data, &*tag), (&v.output, wanted), "{place}");
                    mode.decrypt(&v.nonce, &v.aad, &mut data, &tag).unwrap();
                    assert_eq!(data, v.input, "{place}, backwards");
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
}

/// Checks a MAC that may be truncated: in one call, in pieces, as one of many, and by `verify`.
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

/// Checks a function in place and from one buffer to another, with aligned and unaligned data.
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
