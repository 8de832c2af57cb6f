//! What several tests share: every block cipher of the library's lists over every kernel, as
//! an object of its block size, so that a test of modes is compiled once a size and not once
//! a cipher. The calls of kernels and of fused modes are those of the cipher's own type.
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

/// Both directions of a block cipher.
pub trait Cipher<B: Block>: FusedEncrypt<Block = B> + FusedDecrypt<Block = B> {}
impl<B: Block, C: FusedEncrypt<Block = B> + FusedDecrypt<Block = B>> Cipher<B> for C {}

/// A cipher with a key, by the name of its kernel.
pub type Kernels<B> = Vec<(&'static str, Box<dyn Cipher<B>>)>;

/// A block cipher that is to be set up.
pub struct Row<B> {
    pub id: &'static str,
    /// Lengths of its keys in bytes.
    pub keys: KeyLengths,
    /// One cipher with this key for each kernel, the portable form last.
    pub kernels: fn(&[u8]) -> Kernels<B>,
    /// The one that `new` chooses.
    pub best: fn(&[u8]) -> Box<dyn Cipher<B>>,
}

/// Rows by the size of their blocks.
#[derive(Default)]
pub struct Rows {
    pub eight: Vec<Row<[u8; 8]>>,
    pub sixteen: Vec<Row<[u8; 16]>>,
    pub thirty_two: Vec<Row<[u8; 32]>>,
    pub sixty_four: Vec<Row<[u8; 64]>>,
    pub hundred_twenty_eight: Vec<Row<[u8; 128]>>,
}

/// Calls a function, which is generic over the size of a block, for each row.
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

/// A size of blocks that rows have.
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

/// The same kernel for the other direction.
fn named<K: Kernel>(name: &str) -> K {
    let found = K::available().find(|kernel| kernel.name() == name);
    found.expect("both directions have the same kernels")
}

/// Both directions as one cipher.
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

/// Writes a function that adds the block ciphers of a list. The features in the list are the
/// library's, not those of a crate that takes rows from it.
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

/// Sets a key up; a parameter that is open has its usual value.
macro_rules! set_up {
    ($C:ty, $kernel:expr, $key:expr, with: $value:expr) => {
        <$C>::with_kernel_and($kernel, $value, $key)
    };
    ($C:ty, $kernel:expr, $key:expr $(, $what:tt: $value:expr)?) => {
        <$C>::with_kernel($kernel, $key)
    };
}

/// Every block cipher of the library's lists.
pub fn rows() -> Rows {
    let mut rows = Rows::default();
    touchstone::block::block_ciphers!(adds!)(&mut rows);
    touchstone::block::tweakable_ciphers!(adds!)(&mut rows);
    rows
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
