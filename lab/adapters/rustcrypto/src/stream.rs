//! Stream ciphers. For each message, key and nonce make a new object.

use std::marker::PhantomData;

use cipher::{KeyInit, KeyIvInit, StreamCipher, StreamCipherSeek};
use touchstone_worker::{
    Cell, Contract, Failure, Message, Offer, Operation, Text, Work, keyed, offer, stays_in_place,
};

use crate::keying::{bad_key, bad_nonce, in_out};
use crate::versions;

/// Makes a cipher's object from key and nonce, at the position of a block.
trait Start: 'static {
    type Cipher: StreamCipher;

    fn start(key: &[u8], nonce: &[u8], block: u64) -> Result<Self::Cipher, Failure>;
}

/// A cipher whose position can be set. All such ciphers have blocks of 64 bytes.
struct Seek<C>(PhantomData<C>);

impl<C: KeyIvInit + StreamCipher + StreamCipherSeek + 'static> Start for Seek<C> {
    type Cipher = C;

    #[inline]
    fn start(key: &[u8], nonce: &[u8], block: u64) -> Result<C, Failure> {
        let mut cipher = NoSeek::<C>::start(key, nonce, 0)?;
        if block != 0 {
            cipher
                .try_seek(u128::from(block) * 64)
                .map_err(|_| Failure::unsupported(format_args!("block number {block}")))?;
        }
        Ok(cipher)
    }
}

/// A cipher that always starts at the beginning of its keystream.
struct NoSeek<C>(PhantomData<C>);

impl<C: KeyIvInit + StreamCipher + 'static> Start for NoSeek<C> {
    type Cipher = C;

    #[inline]
    fn start(key: &[u8], nonce: &[u8], block: u64) -> Result<C, Failure> {
        if block != 0 {
            return Err(Failure::unsupported("a first block number"));
        }
        C::new_from_slices(key, nonce).map_err(|_| {
            if key.len() == C::key_size() {
                bad_nonce(nonce)
            } else {
                bad_key(key)
            }
        })
    }
}

/// A cipher that takes no nonce.
struct NoNonce<C>(PhantomData<C>);

impl<C: KeyInit + StreamCipher + 'static> Start for NoNonce<C> {
    type Cipher = C;

    #[inline]
    fn start(key: &[u8], nonce: &[u8], block: u64) -> Result<C, Failure> {
        if block != 0 {
            return Err(Failure::unsupported("a first block number"));
        }
        if !nonce.is_empty() {
            return Err(bad_nonce(nonce));
        }
        C::new_from_slice(key).map_err(|_| bad_key(key))
    }
}

/// Defines the table. A line has the id, the crate, and the type that starts the cipher.
macro_rules! streams {
    ($($id:literal, $krate:literal, $start:ty;)*) => {
        pub(crate) fn offers() -> Vec<Offer> {
            let rows = [$(($id, $krate)),*];
            rows.iter()
                .flat_map(|(id, krate)| {
                    ["stream-encrypt", "stream-keystream"].map(|operation| {
                        let mut row = offer(id, operation, &versions::named(krate))
                            .taking(Contract::InPlace, stays_in_place(operation));
                        row.note = "the object is made from key and nonce: key set-up is in every call".into();
                        row
                    })
                })
                .collect()
        }

        pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
            let keystream = match work.operation.as_str() {
                "stream-encrypt" => false,
                "stream-keystream" => true,
                _ => return None,
            };
            if work.primitive == "chacha20" && work.nonce.len() == 8 {
                return Some(stream::<Seek<chacha20::ChaCha20Legacy>>(work, keystream));
            }
            if work.primitive == "rabbit" && work.nonce.is_empty() {
                return Some(stream::<NoNonce<rabbit::RabbitKeyOnly>>(work, keystream));
            }
            match work.primitive.as_str() {
                $($id => Some(stream::<$start>(work, keystream)),)*
                _ => None,
            }
        }
    };
}
streams! {
    "chacha20", "chacha20", Seek<chacha20::ChaCha20>;
    "chacha12", "chacha20", Seek<chacha20::ChaCha12>;
    "chacha8", "chacha20", Seek<chacha20::ChaCha8>;
    "xchacha20", "chacha20", Seek<chacha20::XChaCha20>;
    "salsa20", "salsa20", Seek<salsa20::Salsa20>;
    "salsa20-12", "salsa20", Seek<salsa20::Salsa12>;
    "salsa20-8", "salsa20", Seek<salsa20::Salsa8>;
    "xsalsa20", "salsa20", Seek<salsa20::XSalsa20>;
    "hc256", "hc-256", NoSeek<hc_256::Hc256>;
    "rabbit", "rabbit", NoSeek<rabbit::Rabbit>;
    "rc4", "rc4", NoNonce<rc4::Rc4>;
}

fn stream<S: Start>(work: &Work, keystream: bool) -> Result<Cell, Failure> {
    if work.cost("rounds").is_some() {
        return Err(Failure::unsupported("another number of rounds"));
    }
    let drop = work.cost("drop").unwrap_or(0) as usize;
    if drop > 1 << 20 {
        return Err(Failure::unsupported("dropping more than 1 MiB"));
    }
    let block = work.cost("counter").unwrap_or(0);
    let length = keystream.then(|| work.length.unwrap_or(0));
    Ok(Cell::new(move || {
        Ok(Stream {
            key: None,
            block,
            skip: vec![0; drop],
            length,
            cipher: PhantomData::<S>,
        })
    }))
}

struct Stream<S> {
    key: Option<Vec<u8>>,
    /// The number of the first block.
    block: u64,
    /// Room for the beginning of the keystream, which is discarded.
    skip: Vec<u8>,
    /// The requested length of keystream in bytes, if keystream without a message is requested.
    length: Option<usize>,
    cipher: PhantomData<S>,
}

impl<S: Start> Operation for Stream<S> {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        key.clone_into(self.key.get_or_insert_default());
        Ok(())
    }

    #[inline(always)]
    fn transform(&mut self, message: &Message<'_>, mut text: Text<'_>) -> Result<usize, Failure> {
        let key = keyed(&mut self.key)?;
        let mut cipher = S::start(key, message.nonce, self.block)?;
        if !self.skip.is_empty() {
            cipher
                .try_write_keystream(&mut self.skip)
                .map_err(|_| Failure::unsupported("dropping so much"))?;
        }
        if let Some(length) = self.length {
            cipher
                .try_write_keystream(&mut text.output()[..length])
                .map_err(|_| Failure::unsupported(format_args!("{length} bytes")))?;
            return Ok(length);
        }
        let length = text.length();
        cipher
            .try_apply_keystream_inout(in_out(text)?)
            .map_err(|_| Failure::length("a message", length))?;
        Ok(length)
    }
}
