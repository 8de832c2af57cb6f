//! RustCrypto's crates as libraries to compare with. Their modes are compiled once for each
//! block size, over [`Erased`].

use std::marker::PhantomData;
use std::rc::Rc;

use aead::AeadInOut;
use cipher::array::{Array, ArraySize};
use cipher::common::InnerInit;
use cipher::consts::{U1, U8, U12, U16};
use cipher::{
    Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, BlockModeEncrypt, BlockSizeUser, InOut, InnerIvInit,
    KeyInit, ParBlocksSizeUser, StreamCipher,
};
use cts::Encrypt as _;
use digest::{FixedOutput, Update};

use crate::{Job, Peer};

pub(crate) struct RustCrypto;

/// Ciphers and modes that the test must have compared, whatever else is installed.
pub(crate) const EXPECTED: &[(&str, &str)] = &[
    ("aes-128", "cbc"),
    ("aes-192", "ctr"),
    ("aes-256", "xts"),
    ("aes-128", "gcm"),
    ("aes-256", "ccm"),
    ("aes-128", "ocb"),
    ("aes-128", "eax"),
    ("aes-256", "siv"),
    ("aes-128", "gcm-siv"),
    ("aes-256", "kw"),
    ("aes-128", "kwp"),
    ("aria-128", "ecb"),
    ("aria-256", "gcm"),
    ("belt", "ctr"),
    ("blowfish", "cbc"),
    ("camellia-128", "ecb"),
    ("camellia-256", "ocb"),
    ("cast5", "cfb"),
    ("des", "cbc"),
    ("des-ede2", "cfb8"),
    ("des-ede3", "cbc-cs3"),
    ("idea", "ofb"),
    ("kuznyechik", "ctr"),
    ("magma", "ctr"),
    ("rc2", "ecb"),
    ("rc5-32-12", "cbc"),
    ("serpent-192", "cbc-cs1"),
    ("sm4", "cbc-cs2"),
    ("twofish-256", "cmac"),
    ("xtea", "cmac"),
    ("sha-256", "hash"),
    ("sha-512", "hash"),
    ("blake3", "hash"),
];

impl Peer for RustCrypto {
    fn name(&self) -> &'static str {
        "RustCrypto"
    }

    fn encrypt(&self, job: &Job<'_>) -> Option<Vec<u8>> {
        if job.mode == "hash" {
            return digest(job.id, job.input);
        }
        let cipher = match job.id {
            "xtea" => xtea(job.key),
            id => eight(id, job.key),
        };
        if let Some(cipher) = cipher {
            return any(job, &cipher).or_else(|| narrow(job, &cipher));
        }
        let cipher = sixteen(job.id, job.key)?;
        any(job, &cipher).or_else(|| wide(job, &cipher))
    }
}

/// A cipher of a block size. The type of the cipher itself is erased.
struct Erased<N>(Rc<dyn Both>, PhantomData<N>);

trait Both {
    fn encrypt(&self, block: &mut [u8]);
    fn decrypt(&self, block: &mut [u8]);
}

impl<C: BlockCipherEncrypt + BlockCipherDecrypt> Both for C {
    fn encrypt(&self, block: &mut [u8]) {
        if let Ok(block) = <&mut Block<C>>::try_from(block) {
            self.encrypt_block(block);
        }
    }
    fn decrypt(&self, block: &mut [u8]) {
        if let Ok(block) = <&mut Block<C>>::try_from(block) {
            self.decrypt_block(block);
        }
    }
}

impl<N> Clone for Erased<N> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0), PhantomData)
    }
}

impl<N: ArraySize> BlockSizeUser for Erased<N> {
    type BlockSize = N;
}
impl<N: ArraySize> ParBlocksSizeUser for Erased<N> {
    type ParBlocksSize = U1;
}
impl<N: ArraySize> BlockCipherEncrypt for Erased<N> {
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = N>) {
        f.call(self);
    }
}
impl<N: ArraySize> BlockCipherEncBackend for Erased<N> {
    fn encrypt_block(&self, mut block: InOut<'_, '_, Block<Self>>) {
        let mut copy = block.clone_in();
        self.0.encrypt(&mut copy);
        *block.get_out() = copy;
    }
}
impl<N: ArraySize> BlockCipherDecrypt for Erased<N> {
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = N>) {
        f.call(self);
    }
}
impl<N: ArraySize> BlockCipherDecBackend for Erased<N> {
    fn decrypt_block(&self, mut block: InOut<'_, '_, Block<Self>>) {
        let mut copy = block.clone_in();
        self.0.decrypt(&mut copy);
        *block.get_out() = copy;
    }
}

fn erased<C, N>(key: &[u8]) -> Option<Erased<N>>
where
    C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt<BlockSize = N> + 'static,
    N: ArraySize,
{
    let cipher = C::new_from_slice(key).ok()?;
    Some(Erased(Rc::new(cipher), PhantomData))
}

macro_rules! ciphers {
    ($name:ident, $size:ty: $($id:literal = $Cipher:ty;)*) => {
        fn $name(id: &str, key: &[u8]) -> Option<Erased<$size>> {
            match id {
                $($id => erased::<$Cipher, $size>(key),)*
                _ => None,
            }
        }
    };
}

/// XTEA with big-endian words, as in the paper and in all other libraries. The words of the
/// crate `xtea` are little-endian.
struct Xtea(xtea::Xtea);

fn swapped(words: &[u8]) -> Vec<u8> {
    words
        .chunks(4)
        .flat_map(|word| word.iter().rev().copied())
        .collect()
}

impl Both for Xtea {
    fn encrypt(&self, block: &mut [u8]) {
        let mut words = swapped(block);
        Both::encrypt(&self.0, &mut words);
        block.copy_from_slice(&swapped(&words));
    }
    fn decrypt(&self, block: &mut [u8]) {
        let mut words = swapped(block);
        Both::decrypt(&self.0, &mut words);
        block.copy_from_slice(&swapped(&words));
    }
}

fn xtea(key: &[u8]) -> Option<Erased<U8>> {
    let cipher = xtea::Xtea::new_from_slice(&swapped(key)).ok()?;
    Some(Erased(Rc::new(Xtea(cipher)), PhantomData))
}

/// Computes digests with the crates that other tests use too.
fn digest(id: &str, data: &[u8]) -> Option<Vec<u8>> {
    use sha2::Digest as _;
    Some(match id {
        "sha-224" => sha2::Sha224::digest(data).to_vec(),
        "sha-256" => sha2::Sha256::digest(data).to_vec(),
        "sha-384" => sha2::Sha384::digest(data).to_vec(),
        "sha-512" => sha2::Sha512::digest(data).to_vec(),
        "sha-512-224" => sha2::Sha512_224::digest(data).to_vec(),
        "sha-512-256" => sha2::Sha512_256::digest(data).to_vec(),
        "blake3" => blake3::hash(data).as_bytes().to_vec(),
        _ => return None,
    })
}

/// RC5-32/12/16. The type of the crate contains the key's length.
type Rc5 = rc5::RC5<u32, U12, U16>;

ciphers! { eight, U8:
    "blowfish" = blowfish::Blowfish;
    "cast5" = cast5::Cast5;
    "des" = des::Des;
    "des-ede2" = des::TdesEde2;
    "des-ede3" = des::TdesEde3;
    "idea" = idea::Idea;
    "magma" = magma::Magma;
    "rc2" = rc2::Rc2;
    "rc5-32-12" = Rc5;
}

ciphers! { sixteen, U16:
    "aes-128" = aes::Aes128;
    "aes-192" = aes::Aes192;
    "aes-256" = aes::Aes256;
    "aria-128" = aria::Aria128;
    "aria-192" = aria::Aria192;
    "aria-256" = aria::Aria256;
    "belt" = belt_block::BeltBlock;
    "camellia-128" = camellia::Camellia128;
    "camellia-192" = camellia::Camellia192;
    "camellia-256" = camellia::Camellia256;
    "kuznyechik" = kuznyechik::Kuznyechik;
    "serpent-128" = serpent::Serpent;
    "serpent-192" = serpent::Serpent;
    "serpent-256" = serpent::Serpent;
    "sm4" = sm4::Sm4;
    "twofish-128" = twofish::Twofish;
    "twofish-192" = twofish::Twofish;
    "twofish-256" = twofish::Twofish;
}

/// Computes the modes for any block size.
fn any<N: digest::block_buffer::BlockSizes>(job: &Job<'_>, cipher: &Erased<N>) -> Option<Vec<u8>> {
    let mut data = job.input.to_vec();
    let iv = Array::<u8, N>::try_from(job.nonce).ok();
    match job.mode {
        "ecb" => cipher.encrypt_blocks(Array::slice_as_chunks_mut(&mut data).0),
        "cbc" => cbc::Encryptor::inner_iv_init(cipher.clone(), &iv?)
            .encrypt_blocks(Array::slice_as_chunks_mut(&mut data).0),
        "cfb" => cfb_mode::BufEncryptor::inner_iv_init(cipher.clone(), &iv?).encrypt(&mut data),
        "cfb8" => cfb8::Encryptor::inner_iv_init(cipher.clone(), &iv?)
            .encrypt_blocks(Array::slice_as_chunks_mut(&mut data).0),
        "ofb" => ofb::Ofb::from_core(ofb::OfbCore::inner_iv_init(cipher.clone(), &iv?))
            .apply_keystream(&mut data),
        "cbc-cs1" => cts::CbcCs1::inner_iv_init(cipher.clone(), &iv?)
            .encrypt(&mut data)
            .ok()?,
        "cbc-cs2" => cts::CbcCs2::inner_iv_init(cipher.clone(), &iv?)
            .encrypt(&mut data)
            .ok()?,
        // For a message of one block, the crate encrypts the block twice. The addendum of SP
        // 800-38A requires plain CBC for such a message.
        "cbc-cs3" if data.len() == job.nonce.len() => return None,
        "cbc-cs3" => cts::CbcCs3::inner_iv_init(cipher.clone(), &iv?)
            .encrypt(&mut data)
            .ok()?,
        _ => return None,
    }
    Some(data)
}

fn tag_of<M: Update + FixedOutput>(mut mac: M, data: &[u8]) -> Vec<u8> {
    mac.update(data);
    mac.finalize_fixed().to_vec()
}

/// Computes the modes for blocks of 8 bytes.
fn narrow(job: &Job<'_>, cipher: &Erased<U8>) -> Option<Vec<u8>> {
    let iv = Array::try_from(job.nonce).ok()?;
    let mut data = job.input.to_vec();
    match job.mode {
        "ctr" => ctr::Ctr64BE::from_core(ctr::CtrCore::inner_iv_init(cipher.clone(), &iv))
            .apply_keystream(&mut data),
        "cmac" => data = tag_of(cmac::Cmac::inner_init(cipher.clone()), &data),
        _ => return None,
    }
    Some(data)
}

/// Computes the modes for blocks of 16 bytes.
fn wide(job: &Job<'_>, cipher: &Erased<U16>) -> Option<Vec<u8>> {
    let mut data = job.input.to_vec();
    let second = || sixteen(job.id, job.second);
    match (job.mode, job.nonce.len(), job.tag) {
        ("cmac", ..) => return Some(tag_of(cmac::Cmac::inner_init(cipher.clone()), &data)),
        ("xts", ..) => xts_mode::Xts128::new(cipher.clone(), second()?)
            .encrypt_sector(&mut data, Array::try_from(job.nonce).ok()?),
        ("gcm", 12, 16) => {
            return sealed(aes_gcm::AesGcm::<_, U12>::from(cipher.clone()), job);
        }
        ("gcm", 16, 16) => {
            return sealed(aes_gcm::AesGcm::<_, U16>::from(cipher.clone()), job);
        }
        ("ccm", 12, 16) => {
            return sealed(ccm::Ccm::<_, U16, U12>::from(cipher.clone()), job);
        }
        ("ocb", 12, 16) => return sealed(ocb3::Ocb3::<_, U12>::from(cipher.clone()), job),
        ("gcm-siv", ..) if job.id == "aes-128" => {
            return sealed(
                aes_gcm_siv::Aes128GcmSiv::new_from_slice(job.key).ok()?,
                job,
            );
        }
        ("gcm-siv", ..) if job.id == "aes-256" => {
            return sealed(
                aes_gcm_siv::Aes256GcmSiv::new_from_slice(job.key).ok()?,
                job,
            );
        }
        ("siv", ..) => {
            let key = [job.key, job.second].concat();
            return match job.id {
                "aes-128" => sealed(aes_siv::Aes128SivAead::new_from_slice(&key).ok()?, job),
                "aes-256" => sealed(aes_siv::Aes256SivAead::new_from_slice(&key).ok()?, job),
                _ => None,
            };
        }
        ("eax", ..) => {
            return match job.id {
                "aes-128" => sealed(eax::Eax::<aes::Aes128>::new_from_slice(job.key).ok()?, job),
                "aes-256" => sealed(eax::Eax::<aes::Aes256>::new_from_slice(job.key).ok()?, job),
                "camellia-192" => sealed(
                    eax::Eax::<camellia::Camellia192>::new_from_slice(job.key).ok()?,
                    job,
                ),
                _ => None,
            };
        }
        ("kw", ..) => {
            let mut out = vec![0; data.len() + 8];
            aes_kw::AesKw::inner_init(cipher.clone())
                .wrap_key(&data, &mut out)
                .ok()?;
            return Some(out);
        }
        ("kwp", ..) => {
            let mut out = vec![0; data.len().next_multiple_of(8) + 8];
            aes_kw::AesKwp::inner_init(cipher.clone())
                .wrap_key(&data, &mut out)
                .ok()?;
            return Some(out);
        }
        ("ctr", ..) => ctr::Ctr128BE::from_core(ctr::CtrCore::inner_iv_init(
            cipher.clone(),
            &Array::try_from(job.nonce).ok()?,
        ))
        .apply_keystream(&mut data),
        _ => return None,
    }
    Some(data)
}

fn sealed<A: AeadInOut>(mode: A, job: &Job<'_>) -> Option<Vec<u8>> {
    let nonce = aead::Nonce::<A>::try_from(job.nonce).ok()?;
    let mut data = job.input.to_vec();
    let tag = mode
        .encrypt_inout_detached(&nonce, job.aad, data.as_mut_slice().into())
        .ok()?;
    // In SIV's own format the tag is first. In this test all tags are last.
    data.extend_from_slice(&tag);
    Some(data)
}
