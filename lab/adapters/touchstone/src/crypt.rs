//! Traditional crypt(3) by `des::crypt`, for one phrase or for many at once. This file converts
//! between crypt(3)'s text and the function's numbers.

use touchstone::Keyed;
use touchstone::block::Des as Cipher;
use touchstone::block::des::crypt::Crypt;
use touchstone_password::{Error, traditional_many};
use touchstone_worker::{Batch, Cell, Contract, Failure, Message, Offer, Operation, Work, offer};

use crate::Touchstone;

const ALPHABET: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PASSES: u32 = 25;
/// Length of a hash string in characters: two of salt, eleven of result.
const TEXT: usize = 13;

pub(crate) fn offers(_: &Touchstone) -> Vec<Offer> {
    vec![Offer {
        kernel: Cipher::best_kernel().to_owned(),
        contracts: vec![Contract::Many, Contract::ManyKeyed],
        note: "one phrase goes by tables, many by the kernel".into(),
        ..offer(
            "crypt-des",
            "crypt",
            "Crypt::new, encrypt; many: touchstone_password::traditional_many",
        )
    }]
}

pub(crate) fn cell(_: &Touchstone, work: &Work) -> Option<Result<Cell, Failure>> {
    if (work.primitive.as_str(), work.operation.as_str()) != ("crypt-des", "crypt") {
        return None;
    }
    if work.key.contains(&0) || work.input.contains(&0) {
        return Some(Err(Failure::unsupported("a NUL in a phrase")));
    }
    Some(Ok(Cell::new(|| {
        Ok(Des {
            phrase: None,
            phrases: Vec::new(),
            salts: Vec::new(),
        })
    })))
}

struct Des {
    /// The phrase as a DES key, or `None` if the message's input is the phrase.
    phrase: Option<[u8; 8]>,
    phrases: Vec<[u8; 8]>,
    salts: Vec<[u8; 2]>,
}

/// Makes a DES key from a phrase: the low seven bits of each character, shifted left by one,
/// because the lowest bit of a key byte is its parity bit.
fn key(phrase: &[u8]) -> [u8; 8] {
    let mut key = [0; 8];
    for (key, c) in key.iter_mut().zip(phrase) {
        *key = c << 1;
    }
    key
}

/// Returns the eight characters of a phrase that traditional crypt(3) uses. A shorter phrase is
/// filled with zeros.
fn eight(phrase: &[u8]) -> [u8; 8] {
    if let Some(eight) = phrase.first_chunk() {
        return *eight;
    }
    let mut eight = [0; 8];
    eight[..phrase.len()].copy_from_slice(phrase);
    eight
}

/// Returns the number that the first two characters of a setting encode. The first character
/// has the lowest bits.
fn salt(setting: &[u8]) -> Result<u32, Failure> {
    let value = |place: usize| -> Result<u32, Failure> {
        let c = setting.get(place).ok_or(Failure::Rejected)?;
        let digit = ALPHABET.iter().position(|known| known == c);
        digit.map(|digit| digit as u32).ok_or(Failure::Rejected)
    };
    Ok(value(0)? | value(1)? << 6)
}

/// Writes the setting and the result as text. A character encodes six bits, beginning with the
/// highest bits.
fn write(setting: &[u8], result: [u8; 8], out: &mut [u8]) {
    out[..2].copy_from_slice(&setting[..2]);
    let bits = u128::from(u64::from_be_bytes(result)) << 2;
    for (place, out) in out[2..TEXT].iter_mut().enumerate() {
        *out = ALPHABET[(bits >> (60 - 6 * place) & 63) as usize];
    }
}

impl Operation for Des {
    fn set_key(&mut self, phrase: &[u8]) -> Result<(), Failure> {
        self.phrase = (!phrase.is_empty()).then(|| key(phrase));
        Ok(())
    }

    #[inline(always)]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let key = self.phrase.unwrap_or_else(|| key(message.input));
        let mut block = [0; 8];
        Crypt::new(&key, salt(message.nonce)?).encrypt(&mut block, PASSES);
        write(message.nonce, block, output);
        Ok(TEXT)
    }

    fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        self.phrases.clear();
        self.phrases.extend(batch.keys().map(eight));
        self.salts.clear();
        for setting in batch.nonces() {
            let salt = setting.first_chunk().ok_or(Failure::Rejected)?;
            self.salts.push(*salt);
        }
        let (texts, _) = output.as_chunks_mut::<TEXT>();
        let texts = texts.get_mut(..batch.messages).ok_or(Failure::Rejected)?;
        traditional_many(&self.phrases, &self.salts, texts).map_err(|error| match error {
            Error::Setting => Failure::Rejected,
            other => Failure::failed(other),
        })?;
        Ok(TEXT)
    }
}
