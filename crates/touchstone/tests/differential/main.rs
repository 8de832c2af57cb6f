//! Compares the library with other libraries on random messages: RustCrypto's crates, which are
//! linked to this test, and OpenSSL, Libgcrypt and Nettle, which are loaded at run time if they
//! are installed. Known answers show that the library computes the right algorithm. This test
//! shows that the result is right for every length, key and initialization vector, with every
//! kernel.
//!
//! The other libraries (peers) only encrypt and hash. The library must give the same output, in
//! one call and in pieces, and must decrypt the output. The algorithms come from the library's
//! lists. The test finds an algorithm of a peer that is loaded at run time by the algorithm's
//! id. The test prints the algorithms that no peer has.
#![allow(unsafe_code, reason = "peers are loaded at run time")]

#[path = "../common/mod.rs"]
mod common;

mod libgcrypt;
mod nettle;
mod openssl;
mod rustcrypto;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use common::{Cipher, Row, each_row};
use proptest::prelude::*;
use touchstone::aead::Gmac;
use touchstone::aead::{Ccm, Eax, Gcm, GcmSiv, Ocb, Siv};
use touchstone::block::gost28147::SBoxes;
use touchstone::block::{Aes128, Aes256, Block, Camellia128, Camellia256, Serpent, Sm4, Twofish};
use touchstone::hash::*;
use touchstone::hidden::AeadEngine as Aead;
use touchstone::mac::GostMac;
use touchstone::mac::cmac::Omac;
use touchstone::mode::*;
use touchstone::stream::*;
use touchstone::{DigestBytes, FusedEncrypt, Kernel, KeyLengths, Keyed, Mac};

/// One task for all libraries: a message to encrypt or to hash, or a message whose MAC is
/// computed.
#[derive(Debug, Clone, Copy)]
struct Job<'j> {
    /// The id of the algorithm.
    id: &'static str,
    mode: &'static str,
    key: &'j [u8],
    /// The second key, for XTS and SIV.
    second: &'j [u8],
    nonce: &'j [u8],
    aad: &'j [u8],
    /// The length in bytes of a tag, which follows the ciphertext, or of a digest.
    tag: usize,
    input: &'j [u8],
}

/// Another library, with which this library is compared.
trait Peer {
    fn name(&self) -> &'static str;
    /// Returns ciphertext and tag, or a digest. Returns `None` if the peer does not have this
    /// algorithm or mode, or does not accept these lengths.
    fn encrypt(&self, job: &Job<'_>) -> Option<Vec<u8>>;
}

/// Returns the length that the random number `number` selects.
fn some_length(lengths: KeyLengths, number: usize) -> usize {
    let all = (lengths.max - lengths.min) / lengths.step.max(1) + 1;
    lengths.min + number % all * lengths.step
}

/// Returns the forms in which libraries write an id such as `sha-512-256`, all in lower case:
/// `sha-512-256`, `sha512256`, `sha512-256`, `sha512_256`, `sha512/256`.
fn spellings(id: &str) -> impl Iterator<Item = String> {
    let (first, rest) = id.split_once('-').unwrap_or((id, ""));
    let joined = ["-", "_", "/"].map(|mark| format!("{first}{}", rest.replace('-', mark)));
    let all = [id.to_owned(), id.replace('-', ""), id.replace('-', "_")];
    all.into_iter().chain(joined)
}

/// A random case: random bytes, and random numbers from which lengths are made.
#[derive(Debug, Clone)]
struct Case {
    key: Vec<u8>,
    second: Vec<u8>,
    iv: Vec<u8>,
    /// Whether the counter overflows soon, in the middle of its block.
    edge: bool,
    aad: Vec<u8>,
    data: Vec<u8>,
    numbers: [usize; 4],
}

impl Case {
    fn any() -> impl Strategy<Value = Self> {
        let bytes = |n| prop::collection::vec(any::<u8>(), n);
        // The data has a length around a few blocks, or a length of more than the widest
        // kernels compute at once.
        let data = prop_oneof![bytes(0..100), bytes(0..700), bytes(0..5000)];
        (
            (
                bytes(256..257),
                bytes(256..257),
                bytes(128..129),
                any::<bool>(),
            ),
            (bytes(0..70), data),
            prop::array::uniform4(0..1000usize),
        )
            .prop_map(|((key, second, iv, edge), (aad, data), numbers)| Self {
                key,
                second,
                iv,
                edge,
                aad,
                data,
                numbers,
            })
    }

    /// Returns a first counter block or another nonce of this length.
    fn nonce(&self, length: usize) -> Vec<u8> {
        let mut nonce = self.iv[..length].to_vec();
        if self.edge && length > 1 {
            nonce[1..length - 1].fill(0xff);
        }
        nonce
    }

    fn key_length(&self, keys: KeyLengths) -> usize {
        // In half of the cases, the key has the one length that all libraries have.
        if self.edge && keys.contains(16) {
            return 16;
        }
        some_length(keys, self.numbers[0])
    }

    /// Cuts the message in three pieces.
    fn pieces<'d>(&self, data: &'d mut [u8], unit: usize) -> [&'d mut [u8]; 3] {
        let cut = |number: usize, length: usize| number % (length + 1) / unit * unit;
        let (first, rest) = {
            let at = cut(self.numbers[1], data.len());
            data.split_at_mut(at)
        };
        let at = cut(self.numbers[2], rest.len());
        let (second, third) = rest.split_at_mut(at);
        [first, second, third]
    }
}

/// The number of comparisons with each library in which the results were equal, by cipher and
/// mode.
#[derive(Default)]
struct Tally(RefCell<BTreeMap<(&'static str, &'static str, &'static str), usize>>);

impl Tally {
    /// Compares this library's answers for all kernels with the answers of all peers.
    fn compare(
        &self,
        peers: &[Box<dyn Peer>],
        job: &Job<'_>,
        answers: impl FnOnce() -> Vec<(String, Vec<u8>)>,
    ) {
        let theirs: Vec<_> = peers
            .iter()
            .filter_map(|peer| Some((peer.name(), peer.encrypt(job)?)))
            .collect();
        if theirs.is_empty() {
            return;
        }
        let answers = answers();
        for (name, theirs) in theirs {
            for (kernel, ours) in &answers {
                let Job {
                    id,
                    mode,
                    key,
                    nonce,
                    input,
                    aad,
                    tag,
                    ..
                } = job;
                assert!(
                    *ours == theirs,
                    "{id} {mode}, {kernel}, is not {name}'s: key of {}, nonce {nonce:02x?}, \
                     data of {}, associated data of {}, tag of {tag} bytes",
                    key.len(),
                    input.len(),
                    aad.len()
                );
            }
            let mut tally = self.0.borrow_mut();
            *tally.entry((name, job.id, job.mode)).or_default() += 1;
        }
    }
}

/// Returns the output of this library with each kernel, for the modes of any block size. Checks
/// that decryption gives the input again.
fn chained<B: Block>(row: &Row<B>, job: &Job<'_>, case: &Case) -> Vec<(String, Vec<u8>)> {
    let Ok(iv) = B::try_from(job.nonce) else {
        panic!("the nonce is a block")
    };
    let mut made = Vec::new();
    for (kernel, c) in (row.kernels)(job.key) {
        let c: &dyn Cipher<B> = &*c;
        let (mut data, size) = (job.input.to_vec(), B::SIZE);
        macro_rules! stream {
            ($unit:expr, $Forwards:ident::$encrypt:ident, $Backwards:ident::$decrypt:ident) => {{
                let mut mode = $Forwards::new(c, &iv);
                for piece in case.pieces(&mut data, $unit) {
                    let _ = mode.$encrypt(piece);
                }
                let mut whole = job.input.to_vec();
                let _ = $Forwards::new(c, &iv).$encrypt(&mut whole);
                assert_eq!(data, whole, "{} {}: pieces", job.id, job.mode);
                let _ = $Backwards::new(c, &iv).$decrypt(&mut whole);
                assert_eq!(whole, job.input, "{} {}: back", job.id, job.mode);
            }};
        }
        macro_rules! steal {
            ($Mode:ident) => {{
                $Mode::new(c).encrypt(&iv, &mut data).unwrap();
                let mut back = data.clone();
                $Mode::new(c).decrypt(&iv, &mut back).unwrap();
                assert_eq!(back, job.input, "{} {}: back", job.id, job.mode);
            }};
        }
        match job.mode {
            "ecb" => {
                Ecb::new(c).encrypt(&mut data).unwrap();
                let mut back = data.clone();
                Ecb::new(c).decrypt(&mut back).unwrap();
                assert_eq!(back, job.input, "{}: back", job.id);
            }
            "cbc" => stream!(size, CbcEncrypt::encrypt, CbcDecrypt::decrypt),
            "cfb" => stream!(1, CfbEncrypt::encrypt, CfbDecrypt::decrypt),
            "cfb8" => stream!(1, Cfb8Encrypt::encrypt, Cfb8Decrypt::decrypt),
            "ofb" => stream!(1, Ofb::apply, Ofb::apply),
            "ctr" => stream!(1, Ctr::apply, Ctr::apply),
            "cbc-cs1" => steal!(CbcCs1),
            "cbc-cs2" => steal!(CbcCs2),
            "cbc-cs3" => steal!(CbcCs3),
            "cmac" => {
                let mut mac = Omac::<_, 1>::with_cipher(c);
                for piece in case.pieces(&mut data, 1) {
                    mac.update(piece);
                }
                let whole = mac.mac(job.input);
                assert_eq!(mac.finalize(), whole, "{} CMAC: pieces", job.id);
                data = whole.as_ref().to_vec();
            }
            "eax" => data = sealed(&Eax::with_cipher(c), job),
            mode => panic!("{mode}"),
        }
        made.push((kernel.to_owned(), data));
    }
    made
}

/// Returns the output of this library with each kernel, as [`chained`], for the modes that need
/// blocks of 16 bytes.
fn sixteen(row: &Row<[u8; 16]>, job: &Job<'_>) -> Vec<(String, Vec<u8>)> {
    let (first, second) = ((row.kernels)(job.key), (row.kernels)(job.second));
    let mut made = Vec::new();
    for ((kernel, c), (_, d)) in first.iter().zip(&second) {
        let (c, d): (&dyn Cipher<[u8; 16]>, &dyn Cipher<[u8; 16]>) = (&**c, &**d);
        let mut data = job.input.to_vec();
        match job.mode {
            "xts" => {
                let tweak = job.nonce.try_into().unwrap();
                let mode = Xts::with_ciphers(c, d);
                mode.encrypt(tweak, &mut data).unwrap();
                let mut back = data.clone();
                mode.decrypt(tweak, &mut back).unwrap();
                assert_eq!(back, job.input, "{} XTS: back", job.id);
            }
            "gcm" => data = sealed(&Gcm::with_cipher(c), job),
            "ccm" => data = sealed(&Ccm::with_cipher(c), job),
            "ocb" => data = sealed(&Ocb::with_cipher(c), job),
            "siv" => data = sealed(&Siv::with_ciphers(c, d), job),
            "gmac" => {
                let mac = Gmac::with_cipher(c);
                data = vec![0; job.tag];
                mac.mac_into(job.nonce, job.input, &mut data).unwrap();
                mac.verify_slice(job.nonce, job.input, &data).unwrap();
            }
            "kw" | "kwp" => {
                let mode = KeyWrap::new(c);
                let padded = job.mode == "kwp";
                let mut back = vec![0; job.input.len().next_multiple_of(8)];
                data = vec![0; back.len() + 8];
                let length = if padded {
                    mode.wrap_padded_into(job.input, &mut data).unwrap();
                    mode.unwrap_padded_into(&data, &mut back).unwrap()
                } else {
                    mode.wrap_into(job.input, &mut data).unwrap();
                    mode.unwrap_into(&data, &mut back).unwrap();
                    back.len()
                };
                assert_eq!(back[..length], *job.input, "{} {}: back", job.id, job.mode);
            }
            mode => panic!("{mode}"),
        }
        made.push(((*kernel).to_owned(), data));
    }
    made
}

/// Returns ciphertext and tag. Checks that decryption gives the input again.
fn sealed(mode: &impl Aead, job: &Job<'_>) -> Vec<u8> {
    let (mut data, mut tag) = (job.input.to_vec(), vec![0; job.tag]);
    mode.encrypt(job.nonce, job.aad, &mut data, &mut tag)
        .unwrap();
    let sealed = [&data[..], &tag].concat();
    mode.decrypt(job.nonce, job.aad, &mut data, &tag).unwrap();
    assert_eq!(data, job.input, "{} {}: back", job.id, job.mode);
    sealed
}

/// Compares every mode of a cipher of any block size.
fn modes<B: Block>(row: &Row<B>, case: &Case, peers: &[Box<dyn Peer>], tally: &Tally) {
    let key = &case.key[..case.key_length(row.keys)];
    let iv = case.nonce(B::SIZE);
    let whole = case.data.len() / B::SIZE * B::SIZE;
    for mode in [
        "ecb", "cbc", "cfb", "cfb8", "ofb", "ctr", "cbc-cs1", "cbc-cs2", "cbc-cs3", "cmac", "eax",
    ] {
        let (least, most) = match mode {
            "ecb" | "cbc" => (0, whole),
            // CFB-8 is serial, with one byte at a time, so long messages would only take time.
            "cfb8" => (0, case.data.len().min(200)),
            mode if mode.starts_with("cbc-cs") => (B::SIZE, case.data.len()),
            _ => (0, case.data.len()),
        };
        if most < least {
            continue;
        }
        let job = Job {
            id: row.id,
            mode,
            key,
            second: &[],
            nonce: &iv,
            aad: &case.aad,
            tag: B::SIZE,
            input: &case.data[..most],
        };
        tally.compare(peers, &job, || chained(row, &job, case));
    }
}

/// The value for the length of a nonce that means: a nonce of 16 bytes, computed such that the
/// first counter overflows soon.
const WRAPPING: usize = usize::MAX;

/// Compares every mode that needs blocks of 16 bytes.
fn wide_modes(row: &Row<[u8; 16]>, case: &Case, peers: &[Box<dyn Peer>], tally: &Tally) {
    let length = case.key_length(row.keys);
    let some = case.numbers[3];
    let mut first = [0xff; 16];
    first[..4].copy_from_slice(&case.iv[..4]);
    first[15] = 0xff - (some % 100) as u8;
    let wrapping = common::nonce_for_counter(&&*(row.best)(&case.key[..length]), first);
    for (mode, nonce, tag) in [
        ("xts", 16, 0),
        ("gcm", 12, 16),
        ("gcm", 16, 16),
        // The first counter is a little below the overflow of 32 bits.
        ("gcm", WRAPPING, 16),
        ("gcm", 1 + some % 32, [4, 8, 12, 13, 14, 15, 16][some % 7]),
        ("gmac", 12, 16),
        ("ccm", 12, 16),
        ("ccm", 7 + some % 7, 4 + 2 * (some % 7)),
        ("ocb", 12, 16),
        ("ocb", 1 + some % 15, 16),
        ("siv", 16, 16),
        ("kw", 0, 0),
        ("kwp", 0, 0),
    ] {
        let input = match mode {
            "xts" if case.data.len() < 16 => continue,
            "kw" | "kwp" if case.data.len() < 17 => continue,
            "kw" => &case.data[..(case.data.len() / 8 * 8).min(512)],
            "kwp" => &case.data[..case.data.len().min(500)],
            _ => &case.data[..],
        };
        let job = Job {
            id: row.id,
            mode,
            key: &case.key[..length],
            second: &case.second[..length],
            nonce: &if nonce == WRAPPING {
                wrapping.to_vec()
            } else {
                case.nonce(nonce)
            },
            aad: if mode == "gmac" { &[] } else { &case.aad },
            tag,
            input,
        };
        tally.compare(peers, &job, || sixteen(row, &job));
    }
}

/// Compares GCM-SIV, which sets up keys of its own.
fn gcm_siv<C: Keyed + FusedEncrypt<Block = [u8; 16]>>(
    id: &'static str,
    case: &Case,
    peers: &[Box<dyn Peer>],
    tally: &Tally,
) {
    let job = Job {
        id,
        mode: "gcm-siv",
        key: &case.key[..C::KEY_LENGTHS.max],
        second: &[],
        nonce: &case.nonce(12),
        aad: &case.aad,
        tag: 16,
        input: &case.data,
    };
    tally.compare(peers, &job, || {
        let Ok(mode) = GcmSiv::<C>::from_slice(job.key) else {
            panic!("the length is allowed")
        };
        vec![("best".into(), sealed(&mode, &job))]
    });
}

/// Compares the MAC of GOST 28147-89 with the S-boxes that Libgcrypt has.
fn gost(case: &Case, peers: &[Box<dyn Peer>], tally: &Tally) {
    for (id, boxes) in [
        ("gost28147", SBoxes::CRYPTO_PRO_A),
        ("gost28147-z", SBoxes::Z),
        ("gost28147-test", SBoxes::TEST),
        ("gost28147-r3411-cryptopro", SBoxes::R3411_CRYPTO_PRO),
    ] {
        let job = Job {
            id,
            mode: "gost-mac",
            key: &case.key[..32],
            second: &[],
            nonce: &[],
            aad: &[],
            tag: 4,
            // Messages are often short, because messages of up to two blocks are special cases.
            input: &case.data[..case.data.len().min(case.numbers[3] % 40)],
        };
        tally.compare(peers, &job, || {
            let Ok(mut mac) = GostMac::with_boxes(boxes, job.key) else {
                panic!("the length is allowed")
            };
            let whole = mac.mac(job.input);
            for piece in case.pieces(&mut job.input.to_vec(), 1) {
                mac.update(piece);
            }
            assert_eq!(mac.finalize(), whole, "pieces");
            vec![("portable".into(), whole.to_vec())]
        });
    }
}

/// Compares a hash function.
fn hash<H: HashFunction>(id: &'static str, case: &Case, peers: &[Box<dyn Peer>], tally: &Tally) {
    let job = Job {
        id,
        mode: "hash",
        key: &[],
        second: &[],
        nonce: &[],
        aad: &[],
        tag: H::Output::SIZE,
        input: &case.data,
    };
    tally.compare(peers, &job, || {
        let one = |kernel: H::Kernel| {
            let mut hash = H::with_kernel(kernel);
            for piece in case.pieces(&mut case.data.clone(), 1) {
                hash.update(piece);
            }
            let whole = H::digest_with(kernel, &case.data);
            assert_eq!(hash.finalize(), whole, "{id}: pieces");
            (kernel.name().to_owned(), whole.as_ref().to_vec())
        };
        H::Kernel::available().map(one).collect()
    });
}

/// Compares a stream cipher.
fn stream<K: StreamKey>(id: &'static str, case: &Case, peers: &[Box<dyn Peer>], tally: &Tally) {
    let job = Job {
        id,
        mode: "stream",
        key: &case.key[..case.key_length(K::KEY_LENGTHS)],
        second: &[],
        nonce: &case.iv[..some_length(K::NONCE_LENGTHS, case.numbers[3])],
        aad: &[],
        tag: 0,
        input: &case.data,
    };
    tally.compare(peers, &job, || {
        let one = |kernel: K::Kernel| {
            let Ok(key) = K::with_kernel(kernel, job.key) else {
                panic!("the length is allowed")
            };
            let stream = || key.stream_from_slice(job.nonce).expect("an allowed length");
            let (mut data, mut pieces) = (job.input.to_vec(), stream());
            for piece in case.pieces(&mut data, 1) {
                pieces.apply(piece);
            }
            let mut whole = job.input.to_vec();
            stream().apply(&mut whole);
            assert_eq!(data, whole, "{id}: pieces");
            (kernel.name().to_owned(), data)
        };
        <K::Kernel as Kernel>::available().map(one).collect()
    });
}

/// Passes each hash function and each stream cipher of the library's lists to a macro.
macro_rules! each_hash_and_stream {
    ($hash:ident!, $stream:ident!) => {
        touchstone::hash::hashes!($hash!);
        touchstone::hash::long_hashes!($hash!);
        touchstone::stream::streams!($stream!);
    };
}

/// Returns the ids of all block ciphers, hash functions and stream ciphers.
fn ids() -> BTreeSet<&'static str> {
    let mut ids = BTreeSet::new();
    each_row!(&common::rows(), |row| assert!(ids.insert(row.id)));
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Type:ty $(, $seek:ident)?;)*) => {
            ids.extend([$($id),*]);
        };
    }
    each_hash_and_stream!(each!, each!);
    ids
}

#[test]
fn other_libraries_agree() {
    let mut peers: Vec<Box<dyn Peer>> = vec![Box::new(rustcrypto::RustCrypto)];
    for (name, peer) in [
        (
            "OpenSSL",
            openssl::load as fn() -> Result<Box<dyn Peer>, String>,
        ),
        ("Libgcrypt", libgcrypt::load),
        ("Nettle", nettle::load),
    ] {
        match peer() {
            Ok(peer) => peers.push(peer),
            Err(why) => eprintln!("SKIPPED: {name} is not compared: {why}"),
        }
    }
    let tally = Tally::default();
    let rows = common::rows();
    let config = ProptestConfig {
        cases: 48,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config, |(case in Case::any())| {
        each_row!(&rows, |row| modes(row, &case, &peers, &tally));
        for row in &rows.sixteen {
            wide_modes(row, &case, &peers, &tally);
        }
        gcm_siv::<Aes128>("aes-128", &case, &peers, &tally);
        gcm_siv::<Aes256>("aes-256", &case, &peers, &tally);
        gcm_siv::<Camellia128>("camellia-128", &case, &peers, &tally);
        gcm_siv::<Camellia256>("camellia-256", &case, &peers, &tally);
        gcm_siv::<Serpent>("serpent-256", &case, &peers, &tally);
        gcm_siv::<Sm4>("sm4", &case, &peers, &tally);
        gcm_siv::<Twofish>("twofish-256", &case, &peers, &tally);
        gost(&case, &peers, &tally);
        macro_rules! hashes {
            ($($(#[$cfg:meta])* $id:literal = $Hash:ty;)*) => {
                $(hash::<$Hash>($id, &case, &peers, &tally);)*
            };
        }
        macro_rules! streams {
            ($($(#[$cfg:meta])* $id:literal = $Key:ty $(, $seek:ident)?;)*) => {
                $(stream::<$Key>($id, &case, &peers, &tally);)*
            };
        }
        each_hash_and_stream!(hashes!, streams!);
    });

    let tally = tally.0.into_inner();
    for peer in &peers {
        let mut modes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, cipher, mode) in tally.keys() {
            if *name == peer.name() {
                modes.entry(mode).or_default().push(cipher);
            }
        }
        println!("{}:", peer.name());
        for (mode, ciphers) in &modes {
            println!("  {mode}: {}", ciphers.join(" "));
        }
        // If a peer gave no answers, the test has compared nothing.
        assert!(modes.len() >= 5, "{} has done {modes:?}", peer.name());
    }
    let mut alone = ids();
    for (_, id, _) in tally.keys() {
        alone.remove(id);
    }
    println!("no peer here has: {}", Vec::from_iter(alone).join(" "));
    // The linked crates are always present, with these ciphers and modes at least.
    for (cipher, mode) in rustcrypto::EXPECTED {
        let key = ("RustCrypto", *cipher, *mode);
        assert!(tally.contains_key(&key), "{key:?} was not compared");
    }
}
