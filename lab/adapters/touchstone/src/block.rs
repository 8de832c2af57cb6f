//! Block ciphers in every mode: one row a cipher.

use touchstone::block::*;
use touchstone::mode::{CbcDecrypt, CbcEncrypt, Ctr, Ecb};
use touchstone::{BlockDecrypt, BlockEncrypt, DataError, Kernel, Keyed};
use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

macro_rules! ciphers {
    ($($id:literal = $encrypt:ty, $decrypt:ty;)*) => {
        pub(crate) fn offers() -> Vec<Offer> {
            [$(offers_of::<$encrypt>($id)),*].concat()
        }

        pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
            match work.primitive.as_str() {
                $($id => cell_of::<$encrypt, $decrypt>(work),)*
                _ => None,
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
    "camellia-128" = Camellia128, Camellia128;
    "camellia-192" = Camellia192, Camellia192;
    "camellia-256" = Camellia256, Camellia256;
    "kuznyechik" = KuznyechikEncrypt, KuznyechikDecrypt;
    "seed" = Seed, Seed;
    "shacal2" = Shacal2, Shacal2;
    "sm4" = Sm4, Sm4;
}

/// Operation and the call that is timed.
const MODES: &[(&str, &str)] = &[
    ("ecb-encrypt", "Ecb::encrypt_into"),
    ("ecb-decrypt", "Ecb::decrypt_into"),
    ("cbc-encrypt", "CbcEncrypt::encrypt_into"),
    ("cbc-decrypt", "CbcDecrypt::decrypt_into"),
    ("ctr-encrypt", "Ctr::apply_into"),
];

fn offers_of<C: Keyed>(id: &str) -> Vec<Offer> {
    let kernel = C::Kernel::best().name();
    MODES
        .iter()
        .map(|(operation, api)| Offer {
            kernel: kernel.to_owned(),
            ..offer(id, operation, api)
        })
        .collect()
}

fn cell_of<E, D>(work: &Work) -> Option<Result<Cell, Failure>>
where
    E: Keyed + BlockEncrypt + 'static,
    D: Keyed + BlockDecrypt + 'static,
{
    Some(match work.operation.as_str() {
        "ecb-encrypt" => keyed(work, |cipher: &E, m, out| {
            done(
                m,
                Ecb::new(cipher).encrypt_into(m.input, &mut out[..m.input.len()]),
            )
        }),
        "ecb-decrypt" => keyed(work, |cipher: &D, m, out| {
            done(
                m,
                Ecb::new(cipher).decrypt_into(m.input, &mut out[..m.input.len()]),
            )
        }),
        "cbc-encrypt" => keyed(work, |cipher: &E, m, out| {
            let mut mode = CbcEncrypt::new(cipher, &block(m.nonce)?);
            done(m, mode.encrypt_into(m.input, &mut out[..m.input.len()]))
        }),
        "cbc-decrypt" => keyed(work, |cipher: &D, m, out| {
            let mut mode = CbcDecrypt::new(cipher, &block(m.nonce)?);
            done(m, mode.decrypt_into(m.input, &mut out[..m.input.len()]))
        }),
        "ctr-encrypt" => keyed(work, |cipher: &E, m, out| {
            let mut mode = Ctr::new(cipher, &block(m.nonce)?);
            done(m, mode.apply_into(m.input, &mut out[..m.input.len()]))
        }),
        _ => return None,
    })
}

fn block<B: Block>(nonce: &[u8]) -> Result<B, Failure> {
    B::try_from(nonce)
        .map_err(|_| Failure::unsupported(format_args!("an IV of {} bytes", nonce.len())))
}

fn done(message: &Message<'_>, result: Result<(), DataError>) -> Result<usize, Failure> {
    match result {
        Ok(()) => Ok(message.input.len()),
        Err(error) => Err(Failure::unsupported(error)),
    }
}

/// A cell of a keyed primitive from the function that does one message.
pub(crate) fn keyed<C, F>(work: &Work, message: F) -> Result<Cell, Failure>
where
    C: Keyed + 'static,
    F: Fn(&C, &Message<'_>, &mut [u8]) -> Result<usize, Failure> + Copy + Send + Sync + 'static,
{
    if !C::KEY_LENGTHS.contains(work.key.len()) {
        return Err(Failure::unsupported(format_args!(
            "a key of {} bytes",
            work.key.len()
        )));
    }
    Ok(Cell::new(move || {
        Ok(WithKey {
            cipher: None,
            message,
        })
    }))
}

struct WithKey<C, F> {
    cipher: Option<C>,
    message: F,
}

impl<C, F> Operation for WithKey<C, F>
where
    C: Keyed,
    F: Fn(&C, &Message<'_>, &mut [u8]) -> Result<usize, Failure>,
{
    #[inline]
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.cipher = Some(C::new(key).map_err(Failure::unsupported)?);
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        match &self.cipher {
            Some(cipher) => (self.message)(cipher, message, output),
            None => Err(Failure::failed("no key is set")),
        }
    }
}
