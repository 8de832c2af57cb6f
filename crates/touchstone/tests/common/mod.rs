//! Code that several tests share: every block cipher of the library's lists with every kernel,
//! as a trait object for its block size. So a test of modes is compiled once for each block
//! size and not once for each cipher. The trait objects call the kernels and fused modes of the
//! cipher's own type.
#![allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    unused_macros,
    reason = "each test takes what it needs of this"
)]

use touchstone::block::gost28147::SBoxes;
use touchstone::block::*;
use touchstone::{
    FusedDecrypt, FusedEncrypt, InvalidKeyLength, Kernel, KeyLengths, Keyed, KeyedWith,
};

/// A block cipher that encrypts and decrypts.
pub trait Cipher<B: Block>: FusedEncrypt<Block = B> + FusedDecrypt<Block = B> {}
impl<B: Block, C: FusedEncrypt<Block = B> + FusedDecrypt<Block = B>> Cipher<B> for C {}

/// A cipher with a key, once for each kernel, with the name of the kernel.
pub type Kernels<B> = Vec<(&'static str, Box<dyn Cipher<B>>)>;

/// A block cipher that a test can set up with a key.
pub struct Row<B> {
    pub id: &'static str,
    /// The lengths of the cipher's keys in bytes.
    pub keys: KeyLengths,
    /// Sets up a key for each kernel. The portable form is last.
    pub kernels: fn(&[u8]) -> Kernels<B>,
    /// Sets up a key for the kernel that `new` chooses.
    pub best: fn(&[u8]) -> Box<dyn Cipher<B>>,
}

/// All rows, by the block size of their ciphers.
#[derive(Default)]
pub struct Rows {
    pub eight: Vec<Row<[u8; 8]>>,
    pub sixteen: Vec<Row<[u8; 16]>>,
    pub thirty_two: Vec<Row<[u8; 32]>>,
    pub sixty_four: Vec<Row<[u8; 64]>>,
    pub hundred_twenty_eight: Vec<Row<[u8; 128]>>,
}

/// Calls a function, which is generic over the block size, for each row.
macro_rules! each_row {
    ($rows:expr, |$row:ident| $call:expr) => {{
        let rows: &$crate::common::Rows = $rows;
        rows.eight.iter().for_each(|$row| $call);
        rows.sixteen.iter().for_each(|$row| $call);
        rows.thirty_two.iter().for_each(|$row| $call);
        rows.sixty_four.iter().for_each(|$row| $call);
        rows.hundred_twenty_eight.iter().for_each(|$row| $call);
    }};
}
pub(crate) use each_row;

/// A block size that the rows can have.
trait Size: Block {
    fn put(row: Row<Self>, rows: &mut Rows);
}

macro_rules! sizes {
    ($($size:literal $place:ident;)*) => {$(
        impl Size for [u8; $size] {
            fn put(row: Row<Self>, rows: &mut Rows) {
                rows.$place.push(row);
            }
        }
    )*};
}

sizes! {
    8 eight;
    16 sixteen;
    32 thirty_two;
    64 sixty_four;
    128 hundred_twenty_eight;
}

/// Returns the kernel with this name for the other direction.
fn named<K: Kernel>(name: &str) -> K {
    let found = K::available().find(|kernel| kernel.name() == name);
    found.expect("both directions have the same kernels")
}

/// Joins a type that encrypts and a type that decrypts to one cipher.
fn both<E, D, B: Block>(
    encrypt: Result<E, InvalidKeyLength>,
    decrypt: Result<D, InvalidKeyLength>,
) -> Box<dyn Cipher<B>>
where
    E: FusedEncrypt<Block = B> + 'static,
    D: FusedDecrypt<Block = B> + 'static,
{
    match (encrypt, decrypt) {
        (Ok(encrypt), Ok(decrypt)) => Box::new(Both::of(encrypt, decrypt)),
        (Err(error), _) | (_, Err(error)) => panic!("{error}"),
    }
}

/// Writes a function that adds the block ciphers of a list. The features in the list are
/// features of the library, not of the crate that takes rows from the list.
macro_rules! adds {
    ($($(#[$cfg:meta])* $id:literal = $E:ty, $D:ty $(, $what:tt: $value:expr)?;)*) => {
        |rows: &mut Rows| {
            $({
                let row = Row {
                    id: $id,
                    keys: keys!($E $(, $what: $value)?),
                    kernels: |key| {
                        let kernels = <$E as Keyed>::Kernel::available();
                        kernels
                            .map(|kernel| {
                                let name = kernel.name();
                                let encrypt = set_up!($E, kernel, key $(, $what: $value)?);
                                let decrypt = set_up!($D, named(name), key $(, $what: $value)?);
                                (name, both(encrypt, decrypt))
                            })
                            .collect()
                    },
                    best: |key| {
                        let kernel = <$E as Keyed>::Kernel::best();
                        let encrypt = set_up!($E, kernel, key $(, $what: $value)?);
                        let decrypt = set_up!($D, named(kernel.name()), key $(, $what: $value)?);
                        both(encrypt, decrypt)
                    },
                };
                Size::put(row, rows);
            })*
        }
    };
}

macro_rules! keys {
    ($C:ty, key: $length:expr) => {
        KeyLengths::exactly($length)
    };
    ($C:ty $(, $what:tt: $value:expr)?) => {
        <$C as Keyed>::KEY_LENGTHS
    };
}

/// Sets up a key. A parameter that the row leaves open has its usual value.
macro_rules! set_up {
    ($C:ty, $kernel:expr, $key:expr, with: $value:expr) => {
        <$C>::with_kernel_and($kernel, $value, $key)
    };
    ($C:ty, $kernel:expr, $key:expr $(, $what:tt: $value:expr)?) => {
        <$C>::with_kernel($kernel, $key)
    };
}

/// Returns every block cipher of the library's lists.
pub fn rows() -> Rows {
    let mut rows = Rows::default();
    touchstone::block::block_ciphers!(adds!)(&mut rows);
    touchstone::block::tweakable_ciphers!(adds!)(&mut rows);
    rows
}

/// Returns bytes without an obvious pattern.
pub fn painted(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 % 251) as u8).collect()
}

/// Returns a block of bytes without an obvious pattern.
pub fn block<B: Block>(seed: u8) -> B {
    let mut block = B::ZERO;
    for (i, byte) in block.as_mut().iter_mut().enumerate() {
        *byte = seed
            .wrapping_mul(31)
            .wrapping_add((i as u8).wrapping_mul(13));
    }
    block
}

/// Returns the product of two elements in the field of GHASH, NIST SP 800-38D §6.3, computed
/// bit by bit.
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

/// Returns the nonce of 16 bytes for which `counter` is the first counter block of GCM. Only a
/// program that has the key can compute this nonce: GHASH of one block multiplies by the hash
/// key twice, so the function divides by the hash key twice.
pub fn nonce_for_counter<C: FusedEncrypt<Block = [u8; 16]>>(
    cipher: &C,
    counter: [u8; 16],
) -> [u8; 16] {
    let mut key = [0; 16];
    cipher.encrypt_block(&mut key);
    let key = u128::from_be_bytes(key);
    // The inverse is the power with the exponent 2^128 - 2. All bits of this exponent except
    // the lowest are ones.
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
