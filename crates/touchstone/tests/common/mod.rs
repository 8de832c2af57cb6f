//! What several tests share: every block cipher over every kernel, as an object of
//! its block size, so that a test of modes is compiled once a size and not once a
//! cipher. Kernels and what they fuse are called as ever.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test takes what it needs of this"
)]

use touchstone::block::*;
use touchstone::{FusedDecrypt, FusedEncrypt, Kernel, KeyLengths, Keyed};

/// Both directions of a block cipher.
pub trait Cipher<B: Block>: FusedEncrypt<Block = B> + FusedDecrypt<Block = B> {}
impl<B: Block, C: FusedEncrypt<Block = B> + FusedDecrypt<Block = B>> Cipher<B> for C {}

/// A cipher with a key, by the name of its kernel.
pub type Kernels<B> = Vec<(&'static str, Box<dyn Cipher<B>>)>;

/// A block cipher that is to be set up.
pub struct Row<B> {
    pub id: &'static str,
    /// Without the lengths that have ids of their own.
    pub keys: KeyLengths,
    /// One cipher with this key for each kernel, the portable form last.
    pub kernels: fn(&[u8]) -> Kernels<B>,
    /// The one that `new` chooses.
    pub best: fn(&[u8]) -> Box<dyn Cipher<B>>,
}

fn kernels<C: Keyed + Cipher<B> + 'static, B: Block>(key: &[u8]) -> Kernels<B> {
    C::Kernel::available()
        .map(|kernel| match C::with_kernel(kernel, key) {
            Ok(cipher) => (kernel.name(), Box::new(cipher) as Box<dyn Cipher<B>>),
            Err(error) => panic!("{error}"),
        })
        .collect()
}

fn best<C: Keyed + Cipher<B> + 'static, B: Block>(key: &[u8]) -> Box<dyn Cipher<B>> {
    match C::from_slice(key) {
        Ok(cipher) => Box::new(cipher),
        Err(error) => panic!("{error}"),
    }
}

macro_rules! rows {
    ($($id:literal = $Cipher:ty $(, $length:literal)?;)*) => {
        vec![$(Row {
            id: $id,
            keys: {
                let all = <$Cipher as Keyed>::KEY_LENGTHS;
                $(let all = { assert!(all.contains($length)); KeyLengths::exactly($length) };)?
                all
            },
            kernels: kernels::<$Cipher, _>,
            best: best::<$Cipher, _>,
        }),*]
    };
}

/// Block ciphers of 8 bytes.
pub fn eight() -> Vec<Row<[u8; 8]>> {
    rows! {
        "blowfish" = Blowfish;
        "cast5" = Cast5;
        "des" = Des;
        "des-ede2" = DesEde2;
        "des-ede3" = DesEde3;
        "gost28147" = Gost28147;
        "idea" = Idea;
        "magma" = Magma;
        "rc2" = Rc2;
        "rc5-32" = Rc5;
        "tea" = Tea;
        "xtea" = Xtea;
    }
}

/// Block ciphers of 16 bytes.
pub fn sixteen() -> Vec<Row<[u8; 16]>> {
    rows! {
        "aes-128" = Aes128;
        "aes-192" = Aes192;
        "aes-256" = Aes256;
        "anubis" = Anubis;
        "anubis-original" = AnubisOriginal;
        "aria-128" = Aria128;
        "aria-192" = Aria192;
        "aria-256" = Aria256;
        "camellia-128" = Camellia128;
        "camellia-192" = Camellia192;
        "camellia-256" = Camellia256;
        "kuznyechik" = Kuznyechik;
        "seed" = Seed;
        "serpent" = Serpent, 16;
        "serpent" = Serpent, 24;
        "serpent" = Serpent, 32;
        "sm4" = Sm4;
        "twofish" = Twofish, 16;
        "twofish" = Twofish, 24;
        "twofish" = Twofish, 32;
    }
}

/// Block ciphers of 32 bytes.
pub fn thirty_two() -> Vec<Row<[u8; 32]>> {
    rows! {
        "shacal2" = Shacal2;
    }
}

/// Bytes that look like nothing in particular.
pub fn painted(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 % 251) as u8).collect()
}

/// A block of painted bytes.
pub fn block<B: Block>(seed: u8) -> B {
    let mut block = B::ZERO;
    for (i, byte) in block.as_mut().iter_mut().enumerate() {
        *byte = seed
            .wrapping_mul(31)
            .wrapping_add((i as u8).wrapping_mul(13));
    }
    block
}

/// The product in the field of GHASH, NIST SP 800-38D §6.3: bit by bit.
fn times(x: u128, mut y: u128) -> u128 {
    let mut z = 0;
    for i in 0..128 {
        if x >> (127 - i) & 1 == 1 {
            z ^= y;
        }
        y = y >> 1 ^ if y & 1 == 1 { 0xe1 << 120 } else { 0 };
    }
    z
}

/// The nonce of 16 bytes for which GCM's first counter is this one, which only who
/// has the key can find: GHASH of one block is undone by dividing by its key twice.
pub fn nonce_for_counter<C: FusedEncrypt<Block = [u8; 16]>>(
    cipher: &C,
    counter: [u8; 16],
) -> [u8; 16] {
    let mut key = [0; 16];
    cipher.encrypt_block(&mut key);
    let key = u128::from_be_bytes(key);
    // A power of 2^128 - 2, which is all bits but the lowest, is the inverse.
    let (mut inverse, mut power) = (1 << 127, key);
    for _ in 1..128 {
        power = times(power, power);
        inverse = times(inverse, power);
    }
    assert_eq!(times(inverse, key), 1 << 127, "one");
    let length = 128;
    let inside = times(u128::from_be_bytes(counter), inverse) ^ length;
    times(inside, inverse).to_be_bytes()
}
