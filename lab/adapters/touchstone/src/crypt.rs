//! Traditional crypt(3), one phrase or many at once: `des::crypt`, and the text
//! around it.

use touchstone::Keyed;
use touchstone::block::Des as Cipher;
use touchstone::block::des::crypt::Crypt;
use touchstone_password::{Error, traditional_many};
use touchstone_worker::{Batch, Cell, Contract, Failure, Message, Offer, Operation, Work, offer};

use crate::Touchstone;

const ALPHABET: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PASSES: u32 = 25;
/// Two characters of salt, eleven of result.
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
    /// The phrase as a key; none where the input is the phrase.
    phrase: Option<[u8; 8]>,
    phrases: Vec<[u8; 8]>,
    salts: Vec<[u8; 2]>,
}

/// Seven bits of each character, above the parity bits.
fn key(phrase: &[u8]) -> [u8; 8] {
    let mut key = [0; 8];
    for (key, c) in key.iter_mut().zip(phrase) {
        *key = c << 1;
    }
    key
}

/// What traditional crypt(3) takes of a phrase, with zeros behind it.
fn eight(phrase: &[u8]) -> [u8; 8] {
    if let Some(eight) = phrase.first_chunk() {
        return *eight;
    }
    let mut eight = [0; 8];
    eight[..phrase.len()].copy_from_slice(phrase);
    eight
}

/// The number that a setting's first two characters are, the first lowest.
fn salt(setting: &[u8]) -> Result<u32, Failure> {
    let value = |place: usize| -> Result<u32, Failure> {
        let c = setting.get(place).ok_or(Failure::Rejected)?;
        let digit = ALPHABET.iter().position(|known| known == c);
        digit.map(|digit| digit as u32).ok_or(Failure::Rejected)
    };
    Ok(value(0)? | value(1)? << 6)
}

/// Setting and result as text: six bits a character from the top.
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

    #[inline]
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
