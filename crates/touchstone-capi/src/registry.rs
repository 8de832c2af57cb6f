//! Every algorithm by name: one row a cipher, hash or MAC. The names are those of
//! docs/operations.md, which are the standards'.

use touchstone::aead::{Aes128GcmSiv, Aes192GcmSiv, Aes256GcmSiv};
use touchstone::block::gost28147::SBoxes;
use touchstone::block::rc2::EffectiveBits;
use touchstone::block::*;
use touchstone::hash::*;
use touchstone::mac::{CbcMac, GostMac, RetailMac};
use touchstone::{DigestBytes, Kernel, KeyLengths, Keyed, KeyedWith};
use touchstone::{FusedDecrypt, FusedEncrypt};

use crate::mode::*;
use crate::status::*;

/// Makes a process from a parameter, a mode, a direction and a key.
pub(crate) type Start = fn(Option<u64>, Kind, bool, &[u8]) -> Started<dyn Process>;

/// Wraps or unwraps a key: whether with padding and whether forwards, the key that
/// does it, input, output.
pub(crate) type Wrap = fn((bool, bool), &[u8], &[u8], &mut [u8]) -> Result<usize>;

/// A block cipher.
pub(crate) struct Cipher {
    pub(crate) id: &'static str,
    pub(crate) block: usize,
    pub(crate) keys: KeyLengths,
    /// What can be chosen beyond the key.
    pub(crate) parameter: Option<&'static str>,
    pub(crate) kernel: fn() -> &'static str,
    pub(crate) start: Start,
    pub(crate) aead: fn(AeadKind, &[u8]) -> Started<dyn Seal>,
    pub(crate) mac: fn(MacKind, &[u8]) -> Started<dyn Authenticate>,
    /// Wraps a key, [`wrap`].
    pub(crate) wrap: Wrap,
}

/// How a cipher is set up, with a parameter or without.
type SetUp<C> = fn(Option<u64>, &[u8]) -> Result<C>;

struct Typed<E, D> {
    parameter: Option<u64>,
    encrypt: SetUp<E>,
    decrypt: SetUp<D>,
}

impl<E, D> Source<E::Block> for Typed<E, D>
where
    E: FusedEncrypt + Send + Sync + 'static,
    D: FusedDecrypt<Block = E::Block> + Send + Sync + 'static,
{
    fn forwards(&self, key: &[u8]) -> Result<Box<Forwards<E::Block>>> {
        Ok(Box::new((self.encrypt)(self.parameter, key)?))
    }
    fn backwards(&self, key: &[u8]) -> Result<Box<Backwards<E::Block>>> {
        Ok(Box::new((self.decrypt)(self.parameter, key)?))
    }
}

/// One row a cipher: its name, its two types, and after them `with` a value that
/// makes it this cipher, `key` the one length of its key, or the name of a parameter and what makes it of a number.
macro_rules! ciphers {
    ($($id:literal = $e:ty, $d:ty $(, $what:tt: $value:expr)?;)*) => {
        pub(crate) static CIPHERS: &[Cipher] = &[$(Cipher {
            id: $id,
            block: <<$e as touchstone::BlockCipher>::Block as Block>::SIZE,
            keys: keys!($e $(, $what: $value)?),
            parameter: parameter!($($what)?),
            kernel: || <$e as Keyed>::best_kernel(),
            start: |parameter, kind, encrypt, key| start(&Typed {
                parameter,
                encrypt: set_up!($e $(, $what: $value)?),
                decrypt: set_up!($d $(, $what: $value)?),
            }, kind, encrypt, key),
            aead: |kind, key| start_aead(&Typed {
                parameter: None,
                encrypt: set_up!($e $(, $what: $value)?),
                decrypt: set_up!($d $(, $what: $value)?),
            }, kind, key),
            mac: |kind, key| start_mac(&Typed {
                parameter: None,
                encrypt: set_up!($e $(, $what: $value)?),
                decrypt: set_up!($d $(, $what: $value)?),
            }, kind, key),
            wrap: |how, key, input, output| wrap(&Typed {
                parameter: None,
                encrypt: set_up!($e $(, $what: $value)?),
                decrypt: set_up!($d $(, $what: $value)?),
            }, how, key, input, output),
        }),*];
    };
}

macro_rules! keys {
    ($t:ty, key: $length:expr) => {
        KeyLengths::exactly($length)
    };
    ($t:ty $(, $what:tt: $value:expr)?) => {
        <$t as Keyed>::KEY_LENGTHS
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
    ($t:ty) => {
        |_, key| Ok(<$t>::new(key)?)
    };
    ($t:ty, key: $length:expr) => {
        |_, key| {
            KeyLengths::exactly($length).check(key)?;
            Ok(<$t>::new(key)?)
        }
    };
    ($t:ty, with: $value:expr) => {
        |_, key| Ok(<$t>::new_with($value, key)?)
    };
    ($t:ty, $name:literal: $value:expr) => {
        |parameter, key| match parameter {
            None => Ok(<$t>::new(key)?),
            Some(number) => {
                let value = usize::try_from(number).ok().and_then($value);
                let value = value.ok_or(Error(TOUCHSTONE_ERROR_PARAMETER))?;
                Ok(<$t>::new_with(value, key)?)
            }
        }
    };
}

ciphers! {
    "aes-128" = Aes128Encrypt, Aes128Decrypt;
    "aes-192" = Aes192Encrypt, Aes192Decrypt;
    "aes-256" = Aes256Encrypt, Aes256Decrypt;
    "anubis" = AnubisEncrypt, AnubisDecrypt;
    "anubis-original" = AnubisOriginalEncrypt, AnubisOriginalDecrypt;
    "aria-128" = Aria128Encrypt, Aria128Decrypt;
    "aria-192" = Aria192Encrypt, Aria192Decrypt;
    "aria-256" = Aria256Encrypt, Aria256Decrypt;
    "blowfish" = Blowfish, Blowfish;
    "camellia-128" = Camellia128, Camellia128;
    "camellia-192" = Camellia192, Camellia192;
    "camellia-256" = Camellia256, Camellia256;
    "cast5" = Cast5, Cast5;
    "des" = Des, Des;
    "des-ede2" = DesEde2, DesEde2;
    "des-ede3" = DesEde3, DesEde3;
    "gost28147" = Gost28147, Gost28147;
    "gost28147-r3411-cryptopro" = Gost28147, Gost28147, with: SBoxes::R3411_CRYPTO_PRO;
    "gost28147-test" = Gost28147, Gost28147, with: SBoxes::TEST;
    "idea" = IdeaEncrypt, IdeaDecrypt;
    "kuznyechik" = KuznyechikEncrypt, KuznyechikDecrypt;
    "magma" = Magma, Magma;
    "rc2" = Rc2, Rc2, "effective-bits": EffectiveBits::new;
    "rc5-32-12" = Rc5, Rc5, "rounds": |n| u8::try_from(n).ok();
    "seed" = Seed, Seed;
    "serpent-128" = Serpent, Serpent, key: 16;
    "serpent-192" = Serpent, Serpent, key: 24;
    "serpent-256" = Serpent, Serpent, key: 32;
    "shacal2" = Shacal2, Shacal2;
    "sm4" = Sm4, Sm4;
    "tea" = Tea, Tea;
    "twofish-128" = Twofish, Twofish, key: 16;
    "twofish-192" = Twofish, Twofish, key: 24;
    "twofish-256" = Twofish, Twofish, key: 32;
    "xtea" = Xtea, Xtea, "rounds": |n| u8::try_from(n).ok();
}

/// A hash function.
pub(crate) struct HashRow {
    pub(crate) id: &'static str,
    pub(crate) block: usize,
    pub(crate) output: usize,
    pub(crate) kernel: fn() -> &'static str,
    pub(crate) start: fn() -> Box<dyn Digest>,
    /// One message at once; the output has the length of a digest.
    pub(crate) once: fn(&[u8], &mut [u8]),
    /// Many messages at once; the digests one after the other.
    pub(crate) many: fn(&[&[u8]], &mut [u8]) -> Result<()>,
}

/// A hash function and a message under way.
pub(crate) trait Digest: Send {
    fn update(&mut self, data: &[u8]);
    /// Ends the message, and starts the next; the output has the length of a
    /// digest.
    fn end(&mut self, output: &mut [u8]);
    fn reset(&mut self);
    fn copy(&self) -> Box<dyn Digest>;
}

impl<H: touchstone::HashFunction + Send + 'static> Digest for H {
    fn update(&mut self, data: &[u8]) {
        touchstone::HashFunction::update(self, data);
    }
    fn end(&mut self, output: &mut [u8]) {
        output.copy_from_slice(std::mem::take(self).finalize().as_ref());
    }
    fn reset(&mut self) {
        *self = H::new();
    }
    fn copy(&self) -> Box<dyn Digest> {
        Box::new(self.clone())
    }
}

macro_rules! hashes {
    ($($id:literal = $hash:ty;)*) => {
        pub(crate) static HASHES: &[HashRow] = &[$(HashRow {
            id: $id,
            block: <$hash as touchstone::HashFunction>::BLOCK,
            output: <<$hash as touchstone::HashFunction>::Output as DigestBytes>::SIZE,
            kernel: || <$hash as touchstone::HashFunction>::Kernel::best().name(),
            start: || Box::new(<$hash>::new()),
            once: |data, output| output.copy_from_slice(<$hash>::digest(data).as_ref()),
            many: |messages, output| {
                let mut digests = vec![<$hash>::digest(b""); messages.len()];
                <$hash>::hash_many(messages, &mut digests)?;
                let places = output.chunks_exact_mut(<<$hash as touchstone::HashFunction>::Output as DigestBytes>::SIZE);
                places.zip(&digests).for_each(|(to, from)| to.copy_from_slice(from.as_ref()));
                Ok(())
            },
        }),*];
    };
}

hashes! {
    "sha-224" = Sha224;
    "sha-256" = Sha256;
}

/// A MAC that is not over any block cipher alike.
pub(crate) struct MacFunction {
    pub(crate) id: &'static str,
    pub(crate) keys: KeyLengths,
    pub(crate) output: usize,
    pub(crate) kernel: fn() -> &'static str,
    pub(crate) start: fn(&[u8]) -> Started<dyn Authenticate>,
}

macro_rules! macs {
    ($($id:literal = $mac:ty;)*) => {
        pub(crate) static MACS: &[MacFunction] = &[$(MacFunction {
            id: $id,
            keys: <$mac as Keyed>::KEY_LENGTHS,
             output: <<$mac as touchstone::Mac>::Output as DigestBytes>::SIZE,
             kernel: || <$mac as Keyed>::best_kernel(),
            start: |key| Ok(Box::new(Whole(<$mac>::new(key)?))),
        }),*];
    };
}

macs! {
    "aes-128-cbc-mac" = CbcMac<Aes128Encrypt>;
    "aes-192-cbc-mac" = CbcMac<Aes192Encrypt>;
    "aes-256-cbc-mac" = CbcMac<Aes256Encrypt>;
    "des-cbc-mac" = CbcMac<Des>;
    "des-ede2-cbc-mac" = CbcMac<DesEde2>;
    "des-ede3-cbc-mac" = CbcMac<DesEde3>;
    "des-retail-mac" = RetailMac<Des>;
    "gost28147-gost-mac" = GostMac<'static>;
}

/// An authenticated mode that is not over any block cipher alike.
pub(crate) struct AeadFunction {
    pub(crate) id: &'static str,
    pub(crate) keys: KeyLengths,
    pub(crate) kernel: fn() -> &'static str,
    pub(crate) start: fn(&[u8]) -> Started<dyn Seal>,
}

macro_rules! aeads {
    ($($id:literal = $aead:ty;)*) => {
        pub(crate) static AEADS: &[AeadFunction] = &[$(AeadFunction {
            id: $id,
            keys: <$aead as Keyed>::KEY_LENGTHS,
            kernel: || <$aead as Keyed>::best_kernel(),
            start: |key| Ok(Box::new(Whole(<$aead>::new(key)?))),
        }),*];
    };
}

aeads! {
    "aes-128-gcm-siv" = Aes128GcmSiv;
    "aes-192-gcm-siv" = Aes192GcmSiv;
    "aes-256-gcm-siv" = Aes256GcmSiv;
}

/// What a name says: an algorithm over a block cipher, cut into the two.
fn parts(name: &str, mode: &str) -> Option<&'static Cipher> {
    let id = name.strip_suffix(mode)?.strip_suffix('-')?;
    cipher(id)
}

pub(crate) fn cipher(id: &str) -> Option<&'static Cipher> {
    CIPHERS.iter().find(|row| row.id == id)
}

pub(crate) fn fits(only: Option<usize>, cipher: &Cipher) -> bool {
    only.is_none_or(|size| size == cipher.block)
}

/// A cipher in a mode.
pub(crate) fn cipher_mode(name: &str) -> Result<(&'static Cipher, &'static Mode)> {
    MODES
        .iter()
        .find_map(|mode| Some((parts(name, mode.name)?, mode)))
        .filter(|(cipher, mode)| fits(mode.only, cipher))
        .ok_or(Error(TOUCHSTONE_ERROR_NAME))
}

/// An authenticated mode, over a block cipher or of its own.
#[derive(Clone, Copy)]
pub(crate) enum AeadRow {
    Over(&'static Cipher, &'static AeadMode),
    Own(&'static AeadFunction),
}

pub(crate) fn aead(name: &str) -> Result<AeadRow> {
    let own = AEADS.iter().find(|row| row.id == name).map(AeadRow::Own);
    let over = || {
        AEAD_MODES
            .iter()
            .find_map(|mode| Some((parts(name, mode.name)?, mode)))
            .filter(|(cipher, mode)| fits(mode.only, cipher))
            .map(|(cipher, mode)| AeadRow::Over(cipher, mode))
    };
    own.or_else(over).ok_or(Error(TOUCHSTONE_ERROR_NAME))
}

impl AeadRow {
    /// The shortest key and the longest.
    pub(crate) fn keys(self) -> (usize, usize) {
        match self {
            Self::Over(cipher, mode) => (mode.keys * cipher.keys.min, mode.keys * cipher.keys.max),
            Self::Own(row) => (row.keys.min, row.keys.max),
        }
    }
    pub(crate) fn kernel(self) -> &'static str {
        match self {
            Self::Over(cipher, _) => (cipher.kernel)(),
            Self::Own(row) => (row.kernel)(),
        }
    }
    pub(crate) fn start(self, key: &[u8]) -> Result<Box<dyn Seal>> {
        match self {
            Self::Over(cipher, mode) => (cipher.aead)(mode.kind, key),
            Self::Own(row) => (row.start)(key),
        }
    }
}

/// A cipher that wraps keys, and whether with padding.
pub(crate) fn key_wrap(name: &str) -> Result<(&'static Cipher, bool)> {
    [("kw", false), ("kwp", true)]
        .iter()
        .find_map(|(mode, padded)| Some((parts(name, mode)?, *padded)))
        .filter(|(cipher, _)| cipher.block == 16)
        .ok_or(Error(TOUCHSTONE_ERROR_NAME))
}

pub(crate) fn hash(name: &str) -> Result<&'static HashRow> {
    let row = HASHES.iter().find(|row| row.id == name);
    row.ok_or(Error(TOUCHSTONE_ERROR_NAME))
}

/// A MAC, over a block cipher or of its own.
#[derive(Clone, Copy)]
pub(crate) enum MacRow {
    Over(&'static Cipher, MacKind),
    Own(&'static MacFunction),
}

pub(crate) fn mac(name: &str) -> Result<MacRow> {
    let own = MACS.iter().find(|row| row.id == name).map(MacRow::Own);
    let over = || {
        MAC_MODES
            .iter()
            .find_map(|(mode, kind)| Some(MacRow::Over(parts(name, mode)?, *kind)))
    };
    own.or_else(over).ok_or(Error(TOUCHSTONE_ERROR_NAME))
}

impl MacRow {
    pub(crate) fn keys(self) -> KeyLengths {
        match self {
            Self::Over(cipher, _) => cipher.keys,
            Self::Own(row) => row.keys,
        }
    }
    pub(crate) fn output(self) -> usize {
        match self {
            Self::Over(cipher, _) => cipher.block,
            Self::Own(row) => row.output,
        }
    }
    pub(crate) fn kernel(self) -> &'static str {
        match self {
            Self::Over(cipher, _) => (cipher.kernel)(),
            Self::Own(row) => (row.kernel)(),
        }
    }
    pub(crate) fn start(self, key: &[u8]) -> Result<Box<dyn Authenticate>> {
        match self {
            Self::Over(cipher, kind) => (cipher.mac)(kind, key),
            Self::Own(row) => (row.start)(key),
        }
    }
}
