//! Block ciphers by name. The table of block ciphers has one row for each cipher; it is made from
//! the list of block ciphers.

use alloc::boxed::Box;

use inout::InOutBuf;

use super::depth::OfCipher;
use super::{Depth, Error, Options};
#[cfg(feature = "gost28147")]
use crate::block::gost28147::SBoxes;
#[cfg(feature = "rc2")]
use crate::block::rc2::EffectiveBits;
use crate::block::*;
use crate::fuse::Sealed;
use crate::fuse::forward::{decrypt_methods, encrypt_methods, handed_on};
use crate::{BlockCipher, Kernel, KeyLengths, Keyed, KeyedWith};

/// A cipher with a key that can be replaced by another key.
pub(super) trait Rekey: Send + Sync {
    /// Replaces the key by another one. The parameter and the kernel stay the same.
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error>;
}

/// Encryption by a block cipher with a key.
pub(super) trait Forward<B>: FusedEncrypt<Block = B> + Rekey {}
impl<B, C: FusedEncrypt<Block = B> + Rekey> Forward<B> for C {}
/// Decryption by a block cipher with a key.
pub(super) trait Backward<B>: FusedDecrypt<Block = B> + Rekey {}
impl<B, C: FusedDecrypt<Block = B> + Rekey> Backward<B> for C {}

impl<C: Rekey + ?Sized> Rekey for Box<C> {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        (**self).rekey(key)
    }
}

pub(super) type Forwards<B> = Box<dyn Forward<B>>;
pub(super) type Backwards<B> = Box<dyn Backward<B>>;

/// Sets up keys for a block cipher.
pub(super) trait Source<B> {
    fn forwards(&self, options: &Options<'_>, key: &[u8]) -> Result<Forwards<B>, Error>;
    fn backwards(&self, options: &Options<'_>, key: &[u8]) -> Result<Backwards<B>, Error>;
}

/// A source for ciphers of one block length. Each variant is one length.
pub(super) enum AnySource {
    Eight(&'static (dyn Source<[u8; 8]> + Send + Sync)),
    Sixteen(&'static (dyn Source<[u8; 16]> + Send + Sync)),
    ThirtyTwo(&'static (dyn Source<[u8; 32]> + Send + Sync)),
    SixtyFour(&'static (dyn Source<[u8; 64]> + Send + Sync)),
    HundredTwentyEight(&'static (dyn Source<[u8; 128]> + Send + Sync)),
}

/// Evaluates the same expression for a source of each block length.
macro_rules! with_source {
    ($any:expr, |$source:ident| $do:expr) => {
        match $any {
            $crate::dynamic::block::AnySource::Eight($source) => $do,
            $crate::dynamic::block::AnySource::Sixteen($source) => $do,
            $crate::dynamic::block::AnySource::ThirtyTwo($source) => $do,
            $crate::dynamic::block::AnySource::SixtyFour($source) => $do,
            $crate::dynamic::block::AnySource::HundredTwentyEight($source) => $do,
        }
    };
}
pub(super) use with_source;

/// A block length that a row of the table of block ciphers can have.
trait Width: Block {
    fn any(source: &'static (dyn Source<Self> + Send + Sync)) -> AnySource;
}

macro_rules! widths {
    ($($size:literal $Variant:ident;)*) => {$(
        impl Width for [u8; $size] {
            fn any(source: &'static (dyn Source<Self> + Send + Sync)) -> AnySource {
                AnySource::$Variant(source)
            }
        }
    )*};
}

widths! {
    8 Eight;
    16 Sixteen;
    32 ThirtyTwo;
    64 SixtyFour;
    128 HundredTwentyEight;
}

fn any<B: Width>(source: &'static (dyn Source<B> + Send + Sync)) -> AnySource {
    B::any(source)
}

/// A row of the table of block ciphers.
pub(super) struct Row {
    pub(super) id: &'static str,
    /// The length of a block in bytes.
    pub(super) block: usize,
    pub(super) keys: KeyLengths,
    /// The name of the parameter, if the cipher takes one.
    pub(super) parameter: Option<&'static str>,
    /// The names of the kernels in this build, and the name of the one that is used by
    /// default.
    pub(super) kernels: &'static [&'static str],
    pub(super) best: fn() -> &'static str,
    pub(super) source: fn() -> AnySource,
    depths: OfCipher,
}

impl Row {
    /// How deep a mode of this cipher leaves something of a secret on the stack.
    pub(super) fn depth(&self, mode: &str, decrypt: bool, options: &Options<'_>) -> Depth {
        let best = (self.best)();
        Depth::of_mode(
            &self.depths,
            mode,
            decrypt,
            options.kernel.unwrap_or(best),
            best,
        )
    }

    pub(super) fn sixteen(&self) -> Result<&'static dyn Source<[u8; 16]>, Error> {
        match (self.source)() {
            AnySource::Sixteen(source) => Ok(source),
            _ => Err(Error::Name),
        }
    }
}

/// Replaces the key of a cipher by another one, with a parameter if there is one.
type NextKey<C> = fn(&mut C, Option<u64>, &[u8]) -> Result<(), Error>;

/// The functions that set up one direction of a cipher.
struct SetUp<C> {
    /// Sets up the first key, with the kernel and the parameter of the options.
    first: fn(&Options<'_>, &[u8]) -> Result<C, Error>,
    next: NextKey<C>,
}

impl<C> SetUp<C> {
    fn with(&self, options: &Options<'_>, key: &[u8]) -> Result<Rekeyed<C>, Error> {
        Ok(Rekeyed {
            cipher: (self.first)(options, key)?,
            parameter: options.parameter.map(|(_, number)| number),
            next: self.next,
        })
    }
}

/// A cipher that remembers how to set up its next key.
struct Rekeyed<C> {
    cipher: C,
    parameter: Option<u64>,
    next: NextKey<C>,
}

impl<C: Send + Sync> Rekey for Rekeyed<C> {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        (self.next)(&mut self.cipher, self.parameter, key)
    }
}

impl<C: BlockCipher> BlockCipher for Rekeyed<C> {
    type Block = C::Block;
}

impl<C: BlockEncrypt> BlockEncrypt for Rekeyed<C> {
    handed_on! {
        |this| this.cipher;
        fn encrypt_blocks(blocks: InOutBuf<'_, '_, Self::Block>);
        fn encrypt_block(block: &mut Self::Block);
    }
}

impl<C: BlockDecrypt> BlockDecrypt for Rekeyed<C> {
    handed_on! {
        |this| this.cipher;
        fn decrypt_blocks(blocks: InOutBuf<'_, '_, Self::Block>);
        fn decrypt_block(block: &mut Self::Block);
    }
}

impl<C> Sealed for Rekeyed<C> {}

impl<C: FusedEncrypt> FusedEncrypt for Rekeyed<C> {
    encrypt_methods!(by name |this| this.cipher);
}

impl<C: FusedDecrypt> FusedDecrypt for Rekeyed<C> {
    decrypt_methods!(by name |this| this.cipher);
}

#[cfg(feature = "aes")]
impl<const KEY: usize> Rekey for AesEncrypt<KEY>
where
    Self: Keyed,
{
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        Ok(Keyed::rekey(self, key)?)
    }
}

#[cfg(feature = "aes")]
impl<const KEY: usize> Rekey for AesDecrypt<KEY>
where
    Self: Keyed,
{
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        Ok(Keyed::rekey(self, key)?)
    }
}

/// Whether any mode in this build decrypts blocks. If no mode does, the build does not contain the
/// decryption of any cipher.
const HAS_BACKWARDS: bool = cfg!(any(
    feature = "cbc",
    feature = "ecb",
    feature = "key-wrap",
    feature = "ocb",
    feature = "xts"
));

struct Typed<E, D> {
    encrypt: SetUp<E>,
    decrypt: SetUp<D>,
}

impl<E, D> Source<E::Block> for Typed<E, D>
where
    E: FusedEncrypt + Send + Sync + 'static,
    D: FusedDecrypt<Block = E::Block> + Send + Sync + 'static,
{
    fn forwards(&self, options: &Options<'_>, key: &[u8]) -> Result<Forwards<E::Block>, Error> {
        Ok(Box::new(self.encrypt.with(options, key)?))
    }

    fn backwards(&self, options: &Options<'_>, key: &[u8]) -> Result<Backwards<E::Block>, Error> {
        if !HAS_BACKWARDS {
            return Err(Error::Name);
        }
        Ok(Box::new(self.decrypt.with(options, key)?))
    }
}

/// The kernel that the options name, or else the best one.
pub(super) fn kernel<K: Kernel>(options: &Options<'_>) -> Result<K, Error> {
    match options.kernel {
        None => Ok(K::best()),
        Some(name) => K::available()
            .find(|kernel| kernel.name() == name)
            .ok_or(Error::Kernel),
    }
}

/// The name of the kernel that is used by default.
pub(super) fn best<K: Kernel>() -> &'static str {
    K::best().name()
}

macro_rules! rows {
    ($name:ident; $($(#[$cfg:meta])* $id:literal = $E:ty, $D:ty $(, $what:tt: $value:expr)?;)*) => {
        static $name: &[Row] = &[$($(#[$cfg])* Row {
            id: $id,
            block: <<$E as BlockCipher>::Block as Block>::SIZE,
            keys: keys!($E $(, $what: $value)?),
            parameter: parameter!($($what)?),
            kernels: <<$E as Keyed>::Kernel as Kernel>::NAMES,
            best: best::<<$E as Keyed>::Kernel>,
            source: || any(const { &Typed::<$E, $D> {
                encrypt: set_up!($E $(, $what: $value)?),
                decrypt: set_up!($D $(, $what: $value)?),
            } }),
            depths: OfCipher::of($id),
        }),*];
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

macro_rules! parameter {
    ($name:literal) => {
        Some($name)
    };
    ($($fixed:ident)?) => {
        None
    };
}

macro_rules! set_up {
    ($C:ty) => {
        SetUp {
            first: |options, key| Ok(<$C>::with_kernel(kernel(options)?, key)?),
            next: |cipher, _, key| Ok(Keyed::rekey(cipher, key)?),
        }
    };
    ($C:ty, key: $length:expr) => {
        SetUp {
            first: |options, key| {
                KeyLengths::exactly($length).check(key)?;
                Ok(<$C>::with_kernel(kernel(options)?, key)?)
            },
            next: |cipher, _, key| {
                KeyLengths::exactly($length).check(key)?;
                Ok(Keyed::rekey(cipher, key)?)
            },
        }
    };
    ($C:ty, with: $value:expr) => {
        SetUp {
            first: |options, key| Ok(<$C>::with_kernel_and(kernel(options)?, $value, key)?),
            next: |cipher, _, key| Ok(cipher.rekey_and($value, key)?),
        }
    };
    ($C:ty, $name:literal: $value:expr) => {
        SetUp {
            first: |options, key| match options.parameter {
                None => Ok(<$C>::with_kernel(kernel(options)?, key)?),
                Some((_, number)) => {
                    let value = parameter_of($value, number)?;
                    Ok(<$C>::with_kernel_and(kernel(options)?, value, key)?)
                }
            },
            next: |cipher, number, key| match number {
                None => Ok(Keyed::rekey(cipher, key)?),
                Some(number) => {
                    let value = parameter_of($value, number)?;
                    Ok(cipher.rekey_and(value, key)?)
                }
            },
        }
    };
}

/// Converts a number to the parameter of a cipher.
fn parameter_of<P>(make: impl Fn(usize) -> Option<P>, number: u64) -> Result<P, Error> {
    let made = usize::try_from(number).ok().and_then(make);
    made.ok_or(Error::Parameter)
}

macro_rules! cipher_rows {
    ($($row:tt)*) => {
        rows!(CIPHERS; $($row)*);
    };
}

macro_rules! tweakable_rows {
    ($($row:tt)*) => {
        rows!(TWEAKABLE; $($row)*);
    };
}

crate::block::block_ciphers!(cipher_rows!);
crate::block::tweakable_ciphers!(tweakable_rows!);

/// All rows of the table of block ciphers. Some ciphers need a tweak; here their tweak is zero.
pub(super) fn rows() -> impl Iterator<Item = &'static Row> + Clone {
    CIPHERS.iter().chain(TWEAKABLE)
}

/// Splits a name into a block cipher and the operation after it.
pub(super) fn split(name: &str, operation: &str) -> Option<&'static Row> {
    let id = name.strip_suffix(operation)?.strip_suffix('-')?;
    rows().find(|row| row.id == id)
}
