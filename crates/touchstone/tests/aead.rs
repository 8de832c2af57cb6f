//! Tests authenticated encryption: known answers with every kernel of cipher and hash, forged
//! messages, every length against the portable form, messages in pieces, and the errors of
//! calls that are refused.
//!
//! A test of a new block cipher needs only a line in [`known_answers`].

mod common;

use std::sync::Arc;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use common::{nonce_for_counter, painted};

use touchstone::aead::{
    Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4, AsconAead128,
    ChaCha20Poly1305, Phelix, XChaCha20Poly1305, XSalsa20Poly1305,
};
use touchstone::aead::{
    Aes128Ccm, Aes128Eax, Aes128Gcm, Aes128GcmSiv, Aes128Ocb, Aes128Siv, Aes256Gcm, Ccm, Eax, Gcm,
    GcmSiv, Ocb, Siv, ccm,
};
use touchstone::aead::{Decryptor, Encryptor, Gmac, InPieces};
use touchstone::block::{Aes128, Aes192, Aes256, Des, DesEde2, DesEde3};
use touchstone::block::{
    Aria128, Aria192, Aria256, Blowfish, Camellia128, Camellia192, Camellia256, Cast6, Kuznyechik,
    Seed, Serpent, Sm4, Twofish,
};
use touchstone::hidden::AeadEngine as Aead;
use touchstone::hidden::ghash;
use touchstone::mode::KeyWrap;
use touchstone::{
    AeadError, BlockEncrypt, DataError, FusedDecrypt, FusedEncrypt, InvalidKeyLength, Kernel,
    Keyed, Tag,
};
use touchstone_vectors::{Vector, Verdict, read_tree};

/// The length in bytes of the longest message: more than two groups of every kernel.
const LONGEST: usize = 1025;

#[test]
fn known_answers() {
    let mut run = Run::new();
    run.sixteen::<Aes128>("aes-128");
    run.sixteen::<Aes192>("aes-192");
    run.sixteen::<Aes256>("aes-256");
    run.sixteen::<Aria128>("aria-128");
    run.sixteen::<Aria192>("aria-192");
    run.sixteen::<Aria256>("aria-256");
    run.sixteen::<Camellia128>("camellia-128");
    run.sixteen::<Camellia192>("camellia-192");
    run.sixteen::<Camellia256>("camellia-256");
    run.sixteen::<Seed>("seed");
    run.sixteen::<Sm4>("sm4");
    run.sixteen::<Twofish>("twofish-128");
    run.eax::<Blowfish>("blowfish");
    run.eax::<Des>("des");
    run.eax::<DesEde2>("des-ede2");
    run.eax::<DesEde3>("des-ede3");
    run.report();
}

/// Checks the known answers of AEADs that are not modes of a block cipher, with every kernel,
/// and in pieces.
#[test]
fn known_answers_of_aeads_that_are_no_modes() {
    let mut run = Run::of("aead");
    run.mode::<ChaCha20Poly1305>("chacha20-poly1305", "aead");
    run.mode::<XChaCha20Poly1305>("xchacha20-poly1305", "aead");
    run.mode::<XSalsa20Poly1305>("xsalsa20-poly1305", "aead");
    run.mode::<Aegis128L>("aegis-128l", "aead");
    run.mode::<Aegis128X2>("aegis-128x2", "aead");
    run.mode::<Aegis128X4>("aegis-128x4", "aead");
    run.mode::<Aegis256>("aegis-256", "aead");
    run.mode::<Aegis256X2>("aegis-256x2", "aead");
    run.mode::<Aegis256X4>("aegis-256x4", "aead");
    run.mode::<AsconAead128>("ascon-aead128", "aead");
    run.mode::<Phelix>("phelix", "aead");
    assert_eq!(
        run.ran
            .keys()
            .map(|(id, ..)| id)
            .collect::<BTreeSet<_>>()
            .len(),
        11
    );
    run.report();
}

/// Checks messages around the lengths at which the code of ChaCha20-Poly1305 changes its path:
/// the length that the first call of the keystream computes, and the length that stays in the
/// cache between cipher and MAC.
#[test]
fn chacha20_poly1305_in_pieces() {
    let lengths = (0..1300).chain([4000, 4096, 5055, 5056, 5057, 9000, 10_000]);
    for kernel in <ChaCha20Poly1305 as Keyed>::Kernel::available() {
        let aead = ChaCha20Poly1305::with_kernel(kernel, &painted(32)).unwrap();
        in_pieces(&aead, &[3; 12], lengths.clone());
    }
}

#[test]
fn aegis_ascon_and_phelix_in_pieces() {
    for kernel in <Aegis128L as Keyed>::Kernel::available() {
        let aead = Aegis128L::with_kernel(kernel, &painted(16)).unwrap();
        in_pieces(&aead, &[3; 16], 0..200);
        let aead = Aegis128X2::with_kernel(kernel, &painted(16)).unwrap();
        in_pieces(&aead, &[3; 16], 0..300);
        let aead = Aegis128X4::with_kernel(kernel, &painted(16)).unwrap();
        in_pieces(&aead, &[3; 16], 0..500);
        let aead = Aegis256::with_kernel(kernel, &painted(32)).unwrap();
        in_pieces(&aead, &[3; 32], 0..200);
        let aead = Aegis256X2::with_kernel(kernel, &painted(32)).unwrap();
        in_pieces(&aead, &[3; 32], 0..200);
        let aead = Aegis256X4::with_kernel(kernel, &painted(32)).unwrap();
        in_pieces(&aead, &[3; 32], 0..300);
    }
    let aead = AsconAead128::from_slice(&painted(16)).unwrap();
    in_pieces(&aead, &[3; 16], 0..200);
    let aead = Phelix::from_slice(&painted(16)).unwrap();
    in_pieces(&aead, &[3; 16], 0..200);
}

/// Checks AEGIS with tags of 32 bytes. The tag of 16 bytes is not the beginning of the tag of
/// 32 bytes.
#[test]
fn aegis_with_long_tags_in_pieces() {
    let aead = Aegis128X2::from_slice(&painted(16)).unwrap();
    let (nonce, message) = ([3; 16], painted(100));
    let (mut whole, mut tag) = (message.clone(), [0; 32]);
    Aead::encrypt(&aead, &nonce, b"aad", &mut whole, &mut tag).unwrap();
    let mut short = [0; 16];
    Aead::encrypt(&aead, &nonce, b"aad", &mut message.clone(), &mut short).unwrap();
    assert_ne!(tag[..16], short);

    let mut pieces = message.clone();
    let mut encryptor = aead.encryptor(&nonce).unwrap();
    encryptor.aad(b"aad").unwrap();
    encryptor.encrypt(&mut pieces).unwrap();
    assert_eq!(encryptor.finish_cut::<32>().unwrap(), Tag::from(tag));
    let verdict = |tag: &Tag<32>| {
        let mut decryptor = aead.decryptor(&nonce).unwrap();
        decryptor.aad(b"aad").unwrap();
        decryptor.decrypt_unverified(&mut whole.clone()).unwrap();
        decryptor.verify_cut(tag)
    };
    verdict(&Tag::from(tag)).unwrap();
    tag[31] ^= 1;
    assert_eq!(verdict(&Tag::from(tag)), Err(AeadError::Forged));
}

/// Compares messages of these lengths in pieces with the same messages in one call. The cuts
/// are at every place.
fn in_pieces<A>(aead: &A, nonce: &[u8], lengths: impl Iterator<Item = usize>)
where
    A: Aead + Pieces,
{
    let message = painted(10_000);
    for length in lengths {
        let (input, aad) = (&message[..length], &message[..length % 50]);
        let mut whole = input.to_vec();
        let mut tag = [0; 16];
        Aead::encrypt(aead, nonce, aad, &mut whole, &mut tag).unwrap();
        for cut in [1, 15, 64, 1000] {
            let mut pieces = input.to_vec();
            let mut encryptor = aead.begin(nonce);
            for piece in aad.chunks(cut) {
                encryptor.aad(piece).unwrap();
            }
            for piece in pieces.chunks_mut(cut) {
                encryptor.encrypt(piece).unwrap();
            }
            assert_eq!(pieces, whole, "{length} by {cut}");
            let mut made = [0; 16];
            encryptor.finish_into(&mut made).unwrap();
            assert_eq!(made, tag, "{length} by {cut}");

            let mut decryptor = aead.begin_decryption(nonce);
            decryptor.aad(aad).unwrap();
            for piece in pieces.chunks_mut(cut) {
                decryptor.decrypt_unverified(piece).unwrap();
            }
            assert_eq!(pieces, input, "{length} by {cut}");
            decryptor.verify_slice(&tag).unwrap();
        }
        Aead::decrypt(aead, nonce, aad, &mut whole, &tag).unwrap();
        assert_eq!(whole, input, "{length}");
    }
}

/// An AEAD with a fixed nonce length that accepts messages in pieces.
trait Pieces: InPieces + Sized {
    fn begin(&self, nonce: &[u8]) -> Encryptor<Self, &Self>;
    fn begin_decryption(&self, nonce: &[u8]) -> Decryptor<Self, &Self>;
}

macro_rules! pieces {
    ($($Aead:ident)*) => {$(
        impl Pieces for $Aead {
            fn begin(&self, nonce: &[u8]) -> Encryptor<Self, &Self> {
                self.encryptor(nonce).unwrap()
            }
            fn begin_decryption(&self, nonce: &[u8]) -> Decryptor<Self, &Self> {
                self.decryptor(nonce).unwrap()
            }
        }
    )*};
}
pieces! { ChaCha20Poly1305 Aegis128L Aegis128X2 Aegis128X4 Aegis256 Aegis256X2 Aegis256X4 AsconAead128 }

impl Pieces for Phelix {
    fn begin(&self, nonce: &[u8]) -> Encryptor<Self, &Self> {
        self.encryptor(nonce, 16).unwrap()
    }
    fn begin_decryption(&self, nonce: &[u8]) -> Decryptor<Self, &Self> {
        self.decryptor(nonce, 16).unwrap()
    }
}

/// A mode that a test can set up with every kernel of the cipher and every kernel of the hash
/// function.
trait Mode: Aead + Sized {
    type Cipher: Keyed;
    fn set_up(
        kernel: <Self::Cipher as Keyed>::Kernel,
        hash: ghash::Kernel,
        key: &[u8],
    ) -> Result<Self, InvalidKeyLength>;
}

macro_rules! modes {
    ($($Mode:ident: $($bound:path),*; |$kernel:ident, $hash:ident, $key:ident| $set_up:expr;)*) => {$(
        impl<C: Keyed $(+ $bound)*> Mode for $Mode<C>
        where
            Self: Aead,
        {
            type Cipher = C;
            fn set_up(
                $kernel: C::Kernel,
                $hash: ghash::Kernel,
                $key: &[u8],
            ) -> Result<Self, InvalidKeyLength> {
                $set_up
            }
        }
    )*};
}

trait Forwards: FusedEncrypt<Block = [u8; 16]> {}
impl<C: FusedEncrypt<Block = [u8; 16]>> Forwards for C {}
trait Both: Forwards + FusedDecrypt<Block = [u8; 16]> {}
impl<C: Forwards + FusedDecrypt<Block = [u8; 16]>> Both for C {}

modes! {
    Gcm: Forwards; |kernel, hash, key| {
        C::with_kernel(kernel, key).map(|cipher| Gcm::with_kernels(cipher, hash))
    };
    GcmSiv: Forwards; |kernel, hash, key| GcmSiv::with_kernels(kernel, hash, key);
    Ccm: Forwards; |kernel, _hash, key| Self::with_kernel(kernel, key);
    Eax: FusedEncrypt; |kernel, _hash, key| Self::with_kernel(kernel, key);
    Ocb: Both; |kernel, _hash, key| Self::with_kernel(kernel, key);
    Siv: Forwards; |kernel, _hash, key| Self::with_kernel(kernel, key);
}

macro_rules! with_their_own_cipher {
    ($($Aead:ident)*) => {$(
        impl Mode for $Aead {
            type Cipher = Self;
            fn set_up(
                kernel: <Self as Keyed>::Kernel,
                _: ghash::Kernel,
                key: &[u8],
            ) -> Result<Self, InvalidKeyLength> {
                Self::with_kernel(kernel, key)
            }
        }
    )*};
}
with_their_own_cipher! {
    ChaCha20Poly1305 XChaCha20Poly1305 XSalsa20Poly1305 Aegis128L Aegis128X2 Aegis128X4 Aegis256 Aegis256X2 Aegis256X4 AsconAead128 Phelix
}

struct Run {
    vectors: Vec<(String, Vector)>,
    ran: BTreeMap<(String, String, String), usize>,
}

impl Run {
    fn new() -> Self {
        Self::of("block")
    }

    /// Reads the known answers of a family.
    fn of(family: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../vectors")
            .join(family);
        let files = read_tree(&root).expect("the known answers can be read");
        let vectors = files.into_iter().flat_map(|(path, file)| {
            let records = file.vectors.into_iter();
            records.map(move |v| (format!("{}:{} {}", path.display(), v.line, v.name), v))
        });
        Self {
            vectors: vectors.collect(),
            ran: BTreeMap::new(),
        }
    }

    fn sixteen<C: Keyed + Both>(&mut self, primitive: &str) {
        self.mode::<Gcm<C>>(primitive, "gcm");
        self.mode::<Ccm<C>>(primitive, "ccm");
        self.mode::<Ocb<C>>(primitive, "ocb");
        self.mode::<Siv<C>>(primitive, "siv");
        self.mode::<GcmSiv<C>>(primitive, "gcm-siv");
        self.eax::<C>(primitive);
        self.wrap::<C>(primitive);
        self.gmac::<C>(primitive);
    }

    fn eax<C: Keyed + FusedEncrypt>(&mut self, primitive: &str) {
        self.mode::<Eax<C>>(primitive, "eax");
    }

    /// Calls `check` for each record of a primitive whose operation begins with this text, with
    /// each kernel of cipher and hash.
    fn each<K: Kernel>(
        &mut self,
        primitive: &str,
        mode: &str,
        check: impl Fn(K, ghash::Kernel, &Vector, bool, &str),
    ) {
        for (place, v) in &self.vectors {
            let backwards = match v.operation.strip_prefix(mode) {
                Some("-encrypt" | "") => false,
                Some("-decrypt") => true,
                _ => continue,
            };
            if v.primitive != primitive || v.verdict == Verdict::Acceptable {
                continue;
            }
            for (kernel, hash) in pairs::<K>(mode.starts_with('g')) {
                let kernels = format!("{}, {}", kernel.name(), hash.name());
                let place = format!("{place} [{primitive} {mode}, {kernels}]");
                check(kernel, hash, v, backwards, &place);
                let key = (primitive.to_owned(), mode.to_owned(), kernels);
                *self.ran.entry(key).or_default() += 1;
            }
        }
    }

    fn report(self) {
        for ((primitive, mode, kernels), n) in self.ran {
            println!("{primitive} {mode}, {kernels}: {n} records");
        }
    }

    fn mode<A: Mode>(&mut self, primitive: &str, mode: &str) {
        self.each(primitive, mode, |kernel, hash, v, backwards, place| {
            let Ok(mode) = A::set_up(kernel, hash, &v.key) else {
                panic!("{place}: the key is refused")
            };
            let right = v.tag.as_deref().unwrap_or_default();
            if v.verdict == Verdict::Invalid {
                if backwards {
                    refused(&mode, v, &v.output, right, place);
                } else {
                    let mut out = vec![0xff; v.input.len()];
                    let mut tag = vec![0xff; right.len()];
                    let made = mode.encrypt_into(&v.nonce, &v.aad, &v.input, &mut out, &mut tag);
                    assert!(
                        made.is_err() || out != v.output || tag != right,
                        "{place}: encrypted"
                    );
                }
                return;
            }

            let (mut out, mut tag) = (vec![0xff; v.input.len() + 1], vec![0xff; right.len()]);
            mode.encrypt_into(&v.nonce, &v.aad, &v.input, &mut out[1..], &mut tag)
                .unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!((&out[1..], &tag[..]), (&v.output[..], right), "{place}");
            let mut data = v.input.clone();
            tag.fill(0xff);
            mode.encrypt(&v.nonce, &v.aad, &mut data, &mut tag).unwrap();
            assert_eq!((&data[..], &tag[..]), (&v.output[..], right), "{place}");

            mode.decrypt(&v.nonce, &v.aad, &mut data, right)
                .unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!(data, v.input, "{place}, backwards");
            out.fill(0xff);
            mode.decrypt_into(&v.nonce, &v.aad, &v.output, &mut out[1..], right)
                .unwrap();
            assert_eq!(&out[1..], v.input, "{place}, backwards, out of place");

            if right.len() == A::TAG {
                let mut sealed = vec![0xff; v.input.len() + A::TAG];
                mode.seal(&v.nonce, &v.aad, &v.input, &mut sealed).unwrap();
                out.fill(0xff);
                mode.open(&v.nonce, &v.aad, &sealed, &mut out[1..]).unwrap();
                assert_eq!(&out[1..], v.input, "{place}, joined");
            }

            let mut forged = right.to_vec();
            forged[right.len() - 1] ^= 0x80;
            refused(&mode, v, &v.output, &forged, place);
            if let Some(last) = v.output.len().checked_sub(1) {
                let mut forged = v.output.clone();
                forged[last] ^= 1;
                refused(&mode, v, &forged, right, place);
            }
        });
    }

    fn gmac<C: Keyed + Both>(&mut self, primitive: &str) {
        self.each(primitive, "gmac", |kernel, hash, v, _, place| {
            let Ok(cipher) = C::with_kernel(kernel, &v.key) else {
                panic!("{place}: the key is refused")
            };
            let gmac = Gmac::with_kernels(cipher, hash);
            let right = v.tag.as_ref().unwrap_or(&v.output);
            let mut mac = vec![0xff; right.len()];
            let made = gmac.mac_into(&v.nonce, &v.input, &mut mac);
            let verified = gmac.verify_slice(&v.nonce, &v.input, right);
            if v.verdict == Verdict::Valid {
                assert_eq!((made, verified), (Ok(()), Ok(())), "{place}");
                assert_eq!(&mac, right, "{place}");
            } else {
                assert!(made.is_err() || mac != *right, "{place}");
                assert!(verified.is_err(), "{place}");
            }
        });
    }

    fn wrap<C: Keyed + Both>(&mut self, primitive: &str) {
        for padded in [false, true] {
            let name = if padded { "kwp" } else { "kw" };
            self.each(primitive, name, |kernel, _, v, backwards, place| {
                let Ok(cipher) = C::with_kernel(kernel, &v.key) else {
                    panic!("{place}: the key is refused")
                };
                let mode = KeyWrap::new(&cipher);
                let wrap = |key: &[u8]| {
                    let n = KeyWrap::<&C>::padded_length(key.len());
                    let mut out = vec![0xff; n];
                    match padded {
                        true => mode.wrap_padded_into(key, &mut out),
                        false => mode.wrap_into(key, &mut out),
                    }
                    .map(|()| out)
                };
                let unwrap = |wrapped: &[u8]| {
                    let mut out = vec![0xff; wrapped.len().saturating_sub(8)];
                    let done = match padded {
                        true => mode.unwrap_padded_into(wrapped, &mut out),
                        false => mode.unwrap_into(wrapped, &mut out).map(|()| out.len()),
                    };
                    match done {
                        Ok(n) => {
                            assert!(out[n..].iter().all(|byte| *byte == 0));
                            out.truncate(n);
                            Ok(out)
                        }
                        Err(error) => {
                            let left = if error == AeadError::Forged { 0 } else { 0xff };
                            assert!(out.iter().all(|byte| *byte == left), "{place}");
                            Err(error)
                        }
                    }
                };
                if v.verdict == Verdict::Valid {
                    assert_eq!(wrap(&v.input).as_ref(), Ok(&v.output), "{place}");
                    assert_eq!(unwrap(&v.output).as_ref(), Ok(&v.input), "{place}");
                    let mut forged = v.output.clone();
                    for i in 0..forged.len() {
                        forged[i] ^= 1;
                        assert_eq!(unwrap(&forged), Err(AeadError::Forged), "{place} at {i}");
                        forged[i] ^= 1;
                    }
                } else if backwards {
                    assert!(unwrap(&v.output).is_err(), "{place}");
                } else {
                    assert!(wrap(&v.input).is_err(), "{place}");
                }
            });
        }
    }
}

/// Returns pairs of a kernel of the cipher and a kernel of the hash function, in which each
/// kernel occurs. Narrower kernels are together, as on machines without the wider ones, and the
/// portable kernels are last. For modes without the hash function, one kernel of it is enough.
fn pairs<K: Kernel>(hashed: bool) -> Vec<(K, ghash::Kernel)> {
    let kernels: Vec<K> = K::available().collect();
    let hashes: Vec<_> = ghash::Kernel::available().collect();
    let side_by_side = kernels.iter().enumerate().map(|(i, kernel)| {
        let last = hashes.len() - 1;
        let place = if i + 1 == kernels.len() {
            last
        } else {
            i.min(last)
        };
        (*kernel, hashes[if hashed { place } else { 0 }])
    });
    let others = hashes.iter().skip(1).map(|hash| (kernels[0], *hash));
    side_by_side
        .chain(others.take(if hashed { hashes.len() } else { 0 }))
        .collect()
}

/// Checks that a message is refused, in place and from one buffer to another, and that no byte
/// of the plaintext is in the output.
fn refused<A: Aead>(mode: &A, v: &Vector, data: &[u8], tag: &[u8], place: &str) {
    let mut out = vec![0xff; data.len()];
    let error = mode
        .decrypt_into(&v.nonce, &v.aad, data, &mut out, tag)
        .expect_err(place);
    let mut inside = data.to_vec();
    let same = mode.decrypt(&v.nonce, &v.aad, &mut inside, tag);
    assert_eq!(same, Err(error), "{place}");
    if error == AeadError::Forged {
        assert!(out.iter().all(|byte| *byte == 0), "{place}: not wiped");
        assert!(inside.iter().all(|byte| *byte == 0), "{place}: not wiped");
    } else {
        assert!(out.iter().all(|byte| *byte == 0xff), "{place}: touched");
        assert_eq!(inside, data, "{place}: touched");
    }
}

fn portable<K: Kernel>() -> K {
    let last = K::available().last().expect("there is a portable kernel");
    assert_eq!(last.name(), "portable");
    last
}

#[test]
fn every_length_as_the_portable_form_has_it() {
    every_length::<Gcm<Aes128>>(16, &[12, 1, 16]);
    every_length::<Gcm<Aes192>>(24, &[12]);
    every_length::<Gcm<Aes256>>(32, &[12]);
    every_length::<Ccm<Aes128>>(16, &[13]);
    every_length::<Ccm<Aes192>>(24, &[12]);
    every_length::<Ccm<Aes256>>(32, &[7]);
    every_length::<Eax<Aes128>>(16, &[16, 0]);
    every_length::<Eax<Aes192>>(24, &[5]);
    every_length::<Eax<Aes256>>(32, &[33]);
    every_length::<Ocb<Aes128>>(16, &[12]);
    every_length::<Ocb<Aes192>>(24, &[15]);
    every_length::<Ocb<Aes256>>(32, &[1]);
    every_length::<Siv<Aes128>>(32, &[0, 16]);
    every_length::<Siv<Aes256>>(64, &[12]);
    every_length::<GcmSiv<Aes128>>(16, &[12]);
    every_length::<GcmSiv<Aes192>>(24, &[12]);
    every_length::<GcmSiv<Aes256>>(32, &[12]);
    every_length::<Eax<Des>>(8, &[8]);
    every_length::<ChaCha20Poly1305>(32, &[12]);
    every_length::<XChaCha20Poly1305>(32, &[24]);
    every_length::<Aegis128L>(16, &[16]);
    every_length::<Aegis128X2>(16, &[16]);
    every_length::<Aegis128X4>(16, &[16]);
    every_length::<Aegis256>(32, &[32]);
    every_length::<Aegis256X2>(32, &[32]);
    every_length::<Aegis256X4>(32, &[32]);
}

/// Checks every length of data, with associated data of another length, with all kernels: the
/// output equals the output of the portable kernels, in place and from one buffer to another,
/// and decryption gives the input.
fn every_length<A: Mode>(key: usize, nonces: &[usize]) {
    let key = painted(key);
    let set_up = |kernel, hash| match A::set_up(kernel, hash, &key) {
        Ok(mode) => mode,
        Err(error) => panic!("{error}"),
    };
    let kernels = pairs::<<A::Cipher as Keyed>::Kernel>(true);
    let portable = kernels
        .iter()
        .find(|(kernel, hash)| kernel.name() == "portable" && hash.name() == "portable");
    let (kernel, hash) = portable.expect("there are portable kernels");
    let portable = set_up(*kernel, *hash);
    let data = painted(LONGEST);
    for &nonce in nonces {
        let nonce = &painted(nonce + 3)[3..];
        for n in 0..=LONGEST {
            let (input, aad) = (&data[..n], &data[..(n * 3) % 601]);
            let mut wanted = vec![0; n];
            let mut wanted_tag = vec![0; A::TAG];
            portable
                .encrypt_into(nonce, aad, input, &mut wanted, &mut wanted_tag)
                .unwrap();
            for &(kernel, hash) in &kernels {
                let at = format!("{}, {} at {n}", kernel.name(), hash.name());
                let mode = set_up(kernel, hash);
                let (mut out, mut tag) = (vec![0xff; n], vec![0xff; A::TAG]);
                mode.encrypt_into(nonce, aad, input, &mut out, &mut tag)
                    .unwrap();
                assert!(out == wanted && tag == wanted_tag, "{at}");
                out.copy_from_slice(input);
                mode.encrypt(nonce, aad, &mut out, &mut tag).unwrap();
                assert!(out == wanted && tag == wanted_tag, "in place, {at}");
                mode.decrypt(nonce, aad, &mut out, &tag).unwrap();
                assert!(out == input, "backwards in place, {at}");
                mode.decrypt_into(nonce, aad, &wanted, &mut out, &tag)
                    .unwrap();
                assert!(out == input, "backwards, {at}");
            }
        }
    }
}

/// Kernels of other ciphers than AES compute OCB3 in groups of 32 or 64 blocks, from the first
/// multiple of 32 blocks of the message on.
#[test]
fn ocb_over_other_ciphers_as_the_portable_form_has_it() {
    ocb_of_every_length::<Aria128>(16);
    ocb_of_every_length::<Camellia128>(16);
    ocb_of_every_length::<Camellia256>(32);
    ocb_of_every_length::<Cast6>(16);
    ocb_of_every_length::<Kuznyechik>(32);
    ocb_of_every_length::<Seed>(16);
    ocb_of_every_length::<Serpent>(16);
    ocb_of_every_length::<Sm4>(16);
    ocb_of_every_length::<Twofish>(16);
}

/// Checks messages of several lengths with all kernels: the output equals that of the portable
/// kernel, in one call and in two pieces, and decryption gives the input.
fn ocb_of_every_length<C: Keyed + Both>(key: usize) {
    let key = painted(key);
    let set_up = |kernel| match Ocb::<C>::with_kernel(kernel, &key) {
        Ok(mode) => mode,
        Err(error) => panic!("{error}"),
    };
    let portable = set_up(portable());
    let data = painted(16 * 1100 + 7);
    let (nonce, aad) = (&data[..12], &data[..900]);
    let lengths = (0..140).map(|n| 16 * n + n % 16);
    for n in lengths.chain([16 * 1100 + 7]) {
        let (mut wanted, mut wanted_tag) = (data[..n].to_vec(), [0; 16]);
        portable
            .encrypt(nonce, aad, &mut wanted, &mut wanted_tag)
            .unwrap();
        for kernel in C::Kernel::available() {
            let at = format!("{} at {n}", kernel.name());
            let mode = set_up(kernel);
            let (mut out, mut tag) = (vec![0xff; n], [0xff; 16]);
            mode.encrypt_into(nonce, aad, &data[..n], &mut out, &mut tag)
                .unwrap();
            assert!(out == wanted && tag == wanted_tag, "{at}");
            mode.decrypt(nonce, aad, &mut out, &tag).unwrap();
            assert!(out == data[..n], "backwards, {at}");

            let (first, second) = out.split_at_mut((n / 2).min(16 * 37) / 16 * 16);
            let mut message = mode.encryptor(nonce, 16).unwrap();
            message.aad(aad).unwrap();
            message.encrypt(first).unwrap();
            message.encrypt(second).unwrap();
            message.finish_into(&mut tag).unwrap();
            assert!(out == wanted && tag == wanted_tag, "in pieces, {at}");
            let (first, second) = out.split_at_mut(16.min(n / 16 * 16));
            let mut message = mode.decryptor(nonce, 16).unwrap();
            message.aad(aad).unwrap();
            message.decrypt_unverified(first).unwrap();
            message.decrypt_unverified(second).unwrap();
            message.verify_slice(&tag).unwrap();
            assert!(out == data[..n], "backwards in pieces, {at}");
        }
    }
}

/// Checks that the counter of GCM overflows within 32 bits, and that the other bytes of the
/// block do not change. The differential test has such nonces too.
#[test]
fn counters_of_gcm_wrap_around() {
    let key = painted(16);
    let data = painted(1500);
    let Ok(alone) = Aes128::with_kernel(portable(), &key) else {
        panic!("the length is allowed")
    };
    for before in [
        0u32, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 93,
    ] {
        let mut first = [0xff; 16];
        first[..12].copy_from_slice(&painted(12));
        first[12..].copy_from_slice(&(u32::MAX - before).to_be_bytes());
        let nonce = nonce_for_counter(&alone, first);
        // `wanted` is computed as the text of the standard says, block by block.
        let mut wanted = data.clone();
        for (block, i) in wanted.chunks_mut(16).zip(1u32..) {
            let mut counter = first;
            let low = (u32::MAX - before).wrapping_add(i);
            counter[12..].copy_from_slice(&low.to_be_bytes());
            alone.encrypt_block(&mut counter);
            block.iter_mut().zip(counter).for_each(|(a, b)| *a ^= b);
        }
        let mut tags = Vec::new();
        for kernel in <Aes128 as Keyed>::Kernel::available() {
            for hash in ghash::Kernel::available() {
                let at = format!("{}, {}, {before} before", kernel.name(), hash.name());
                let cipher = Aes128::with_kernel(kernel, &key).unwrap();
                let gcm = Gcm::with_kernels(cipher, hash);
                let (mut out, mut tag) = (data.clone(), [0; 16]);
                gcm.encrypt(&nonce, b"", &mut out, &mut tag).unwrap();
                assert!(out == wanted, "{at}");
                gcm.decrypt(&nonce, b"", &mut out, &tag).unwrap();
                assert!(out == data, "{at}, backwards");
                let mut message = gcm.encryptor(&nonce).unwrap();
                for piece in out.chunks_mut(37) {
                    message.encrypt(piece).unwrap();
                }
                assert!(out == wanted, "{at}, in pieces");
                tags.push(tag);
            }
        }
        assert!(tags.iter().all(|tag| *tag == tags[0]));
    }
}

#[test]
fn gcm_over_a_cipher_by_reference_or_of_both_directions_is_the_same() {
    let key = [7; 32];
    let gcm = Aes256Gcm::from_slice(&key).unwrap();
    let both = Aes256::from_slice(&key).unwrap();
    let (by_value, by_reference) = (Gcm::with_cipher(both.clone()), Gcm::with_cipher(&both));
    let mut rekeyed = Gcm::<Aes256>::from_slice(&[8; 32]).unwrap();
    rekeyed.rekey(&key).unwrap();
    for n in 0..1100 {
        let sealed = |mode: &dyn Fn(&mut [u8], &mut [u8])| {
            let (mut data, mut tag) = (vec![9; n], [0; 16]);
            mode(&mut data, &mut tag);
            (data, tag)
        };
        let aad = &[5; 80][..n % 81];
        let wanted = sealed(&|data, tag| gcm.encrypt(&[1; 12], aad, data, tag).unwrap());
        let a = sealed(&|data, tag| by_value.encrypt(&[1; 12], aad, data, tag).unwrap());
        let b = sealed(&|data, tag| by_reference.encrypt(&[1; 12], aad, data, tag).unwrap());
        let c = sealed(&|data, tag| rekeyed.encrypt(&[1; 12], aad, data, tag).unwrap());
        assert!(wanted == a && wanted == b && wanted == c, "{n} bytes");
    }
}

#[test]
fn cuts_change_nothing() {
    let data = painted(LONGEST);
    let nonce = painted(12);
    let gcm = Aes128Gcm::from_slice(&painted(16)).unwrap();
    let ccm = Aes128Ccm::from_slice(&painted(16)).unwrap();
    let eax = Aes128Eax::from_slice(&painted(16)).unwrap();
    let ocb = Aes128Ocb::from_slice(&painted(16)).unwrap();
    for (n, aad, cut) in [
        (0, 0, 1usize),
        (0, 40, 7),
        (1, 0, 1),
        (16, 16, 16),
        (47, 1, 5),
        (1000, 333, 100),
        (1025, 64, 33),
        (512, 512, 511),
    ] {
        let (input, aad) = (&data[..n], &data[..aad]);
        let lengths = ccm::Lengths {
            aad: aad.len() as u64,
            data: n as u64,
            tag: 16,
        };
        macro_rules! pieces {
            ($mode:ident, $encryptor:expr, $decryptor:expr, $cut:expr) => {{
                let (mut wanted, mut tag) = (input.to_vec(), [0; 16]);
                $mode.encrypt(&nonce, aad, &mut wanted, &mut tag).unwrap();
                let (mut out, mut made) = (input.to_vec(), [0; 16]);
                let mut message = $encryptor;
                aad.chunks(cut)
                    .for_each(|piece| message.aad(piece).unwrap());
                for piece in out.chunks_mut($cut) {
                    message.encrypt(piece).unwrap();
                }
                message.finish_into(&mut made).unwrap();
                assert_eq!((&out, made), (&wanted, tag), "{n} bytes by {cut}");

                for forged in [false, true] {
                    let mut message = $decryptor;
                    aad.chunks(cut)
                        .for_each(|piece| message.aad(piece).unwrap());
                    let mut back = wanted.clone();
                    for piece in back.chunks_mut($cut) {
                        message.decrypt_unverified(piece).unwrap();
                    }
                    assert_eq!(back, input);
                    made[3] ^= u8::from(forged);
                    let verified = message.verify_slice(&made);
                    assert_eq!(verified.is_err(), forged);
                }
            }};
        }
        let whole = cut.next_multiple_of(16);
        /// Tests objects that borrow the key, and objects that own or share the key.
        macro_rules! all {
            ($mode:ident, $Mode:ty, ($($argument:expr),*) $(.$unwrap:ident())?, $cut:expr) => {
                pieces!(
                    $mode,
                    $mode.encryptor($($argument),*)$(.$unwrap())?,
                    $mode.decryptor($($argument),*)$(.$unwrap())?,
                    $cut
                );
                let own = || $mode.clone();
                let shared = || Arc::new(own());
                pieces!(
                    $mode,
                    <$Mode>::encryptor_of(own(), $($argument),*)$(.$unwrap())?,
                    <$Mode>::decryptor_of(shared(), $($argument),*)$(.$unwrap())?,
                    $cut
                );
            };
        }
        all!(gcm, Aes128Gcm, (&nonce).unwrap(), cut);
        all!(eax, Aes128Eax, (&nonce), cut);
        all!(ccm, Aes128Ccm, (&nonce, lengths).unwrap(), cut);
        all!(ocb, Aes128Ocb, (&nonce, 16).unwrap(), whole);
    }
}

#[test]
fn pieces_in_the_wrong_order_or_number_are_refused() {
    let gcm = Aes128Gcm::from_slice(&painted(16)).unwrap();
    let mut message = gcm.encryptor(&[0; 12]).unwrap();
    message.encrypt(&mut [1]).unwrap();
    assert_eq!(message.aad(b"late"), Err(AeadError::Order));
    let mut tag = [0xff; 3];
    let error = AeadError::TagLength { given: 3 };
    assert_eq!(message.finish_into(&mut tag), Err(error));
    assert_eq!(tag, [0xff; 3]);

    let ccm = Aes128Ccm::from_slice(&painted(16)).unwrap();
    let lengths = ccm::Lengths {
        aad: 2,
        data: 3,
        tag: 8,
    };
    let start = || ccm.encryptor(&[0; 13], lengths).unwrap();
    let mut early = start();
    assert_eq!(early.encrypt(&mut [1; 3]), Err(AeadError::MessageLength));
    let mut long = start();
    assert_eq!(long.aad(b"abc"), Err(AeadError::MessageLength));
    let mut short = start();
    short.aad(b"ab").unwrap();
    short.encrypt(&mut [1; 2]).unwrap();
    assert_eq!(
        short.finish_into(&mut [0; 8]),
        Err(AeadError::MessageLength)
    );

    let ocb = Aes128Ocb::from_slice(&painted(16)).unwrap();
    let mut message = ocb.encryptor(&[0; 12], 16).unwrap();
    message.encrypt(&mut [1; 17]).unwrap();
    let error = AeadError::Data(DataError::NotWholeBlocks {
        length: 1,
        block: 16,
    });
    assert_eq!(message.encrypt(&mut [1]), Err(error));
}

#[test]
fn lengths_of_nonces_and_tags() {
    let key = painted(16);
    let gcm = Aes128Gcm::from_slice(&key).unwrap();
    let ccm = Aes128Ccm::from_slice(&key).unwrap();
    let eax = Aes128Eax::from_slice(&key).unwrap();
    let ocb = Aes128Ocb::from_slice(&key).unwrap();
    let siv = Aes128Siv::from_slice(&painted(32)).unwrap();
    let gcm_siv = Aes128GcmSiv::from_slice(&key).unwrap();
    for n in 0..40 {
        takes(&gcm, n, 16, n >= 1);
        takes(&ccm, n, 16, (7..=13).contains(&n));
        takes(&eax, n, 16, true);
        takes(&ocb, n, 16, (1..=15).contains(&n));
        takes(&siv, n, 16, true);
        takes(&gcm_siv, n, 16, n == 12);
        takes(&gcm, 12, n, matches!(n, 4 | 8 | 12..=16));
        takes(&ccm, 12, n, (4..=16).contains(&n) && n % 2 == 0);
        takes(&eax, 12, n, (1..=16).contains(&n));
        takes(&ocb, 12, n, (1..=16).contains(&n));
        takes(&siv, 12, n, n == 16);
        takes(&gcm_siv, 12, n, n == 16);
    }
    let des = Eax::<Des>::from_slice(&painted(8)).unwrap();
    takes(&des, 3, 8, true);
    takes(&des, 3, 9, false);
    // A nonce of thirteen bytes leaves two bytes for the length.
    let mut long = vec![0; 65536];
    let error = ccm.encrypt(&[0; 13], b"", &mut long, &mut [0; 16]);
    assert_eq!(error, Err(AeadError::MessageLength));
    assert!(long.iter().all(|byte| *byte == 0));
    assert!(
        ccm.encrypt(&[0; 13], b"", &mut long[1..], &mut [0; 16])
            .is_ok()
    );
}

/// Checks whether a mode accepts these lengths of nonce and tag. If the mode refuses them, no
/// byte may change.
fn takes<A: Aead>(mode: &A, nonce: usize, tag: usize, taken: bool) {
    let nonce = painted(nonce);
    let (mut data, mut made) = (painted(20), vec![0xff; tag]);
    let result = mode.encrypt(&nonce, b"head", &mut data, &mut made);
    assert_eq!(result.is_ok(), taken, "nonce {}, tag {tag}", nonce.len());
    if taken {
        mode.decrypt(&nonce, b"head", &mut data, &made).unwrap();
        assert_eq!(data, painted(20));
    } else {
        assert!(made.iter().all(|byte| *byte == 0xff));
        let same = mode.decrypt(&nonce, b"head", &mut data, &made);
        assert_eq!(same, result);
        assert_eq!(data, painted(20));
    }
    let short = mode.encrypt_into(&nonce, b"", &data, &mut [0; 19], &mut made);
    assert!(matches!(
        short,
        Err(AeadError::Data(DataError::OutputLength { .. }))
    ));
}

/// Checks the example of [RFC5297](https://www.rfc-editor.org/rfc/rfc5297) A.2, which has
/// several strings and a nonce.
#[test]
fn siv_with_many_strings() {
    let hex = |text: &str| -> Vec<u8> {
        (0..text.len() / 2)
            .map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
            .collect()
    };
    let key = hex("7f7e7d7c7b7a79787776757473727170404142434445464748494a4b4c4d4e4f");
    let first =
        hex("00112233445566778899aabbccddeeffdeaddadadeaddadaffeeddccbbaa99887766554433221100");
    let second = hex("102030405060708090a0");
    let nonce = hex("09f911029d74e35bd84156c5635688c0");
    let mut data = b"this is some plaintext to encrypt using SIV-AES".to_vec();
    let mut tag = [0; 16];
    let siv = Aes128Siv::from_slice(&key).unwrap();
    let strings = [&first[..], &second, &nonce];
    siv.encrypt_strings(&strings, &mut data, &mut tag).unwrap();
    assert_eq!(tag.to_vec(), hex("7bdb6e3b432667eb06f4d14bff2fbd0f"));
    assert_eq!(
        data,
        hex(
            "cb900f2fddbe404326601965c889bf17dba77ceb094fa663b7a3f748ba8af829ea64ad544a272e9c485b62a3fd5c0d"
        )
    );
    siv.decrypt_strings(&strings, &mut data, &tag).unwrap();
    assert_eq!(data, b"this is some plaintext to encrypt using SIV-AES");
    assert_eq!(
        siv.decrypt_strings(&strings[..2], &mut data, &tag),
        Err(AeadError::Forged)
    );
}
