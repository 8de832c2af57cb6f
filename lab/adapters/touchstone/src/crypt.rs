//! Traditional crypt(3), one phrase or many at once: `des::crypt`, and the text
//! around it.

use touchstone::Kernel as _;
use touchstone::block::des::Kernel;
use touchstone::block::des::crypt::{Crypt, crypt_many, crypt_many_salts};
use touchstone_worker::{Batch, Cell, Contract, Failure, Message, Offer, Operation, Work, offer};

const ALPHABET: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PASSES: u32 = 25;
/// Two characters of salt, eleven of result.
const TEXT: usize = 13;

pub(crate) fn offers() -> Vec<Offer> {
    vec![Offer {
        kernel: Kernel::best().name().to_owned(),
        contracts: vec![Contract::Many, Contract::ManyKeyed],
        note: "one phrase goes by tables, many by the kernel".into(),
        ..offer(
            "crypt-des",
            "crypt",
            "Crypt::new, encrypt; many: crypt_many, crypt_many_salts",
        )
    }]
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    if (work.primitive.as_str(), work.operation.as_str()) != ("crypt-des", "crypt") {
        return None;
    }
    if [&work.key, &work.input]
        .iter()
        .any(|data| data.to_vec().contains(&0))
    {
        return Some(Err(Failure::unsupported("a NUL in a phrase")));
    }
    Some(Ok(Cell::new(|| {
        Ok(Des {
            phrase: None,
            keys: Vec::new(),
            salts: Vec::new(),
            results: Vec::new(),
        })
    })))
}

struct Des {
    /// The phrase as a key; none where the input is the phrase.
    phrase: Option<[u8; 8]>,
    keys: Vec<[u8; 8]>,
    salts: Vec<u32>,
    results: Vec<[u8; 8]>,
}

/// Seven bits of each character, above the parity bits.
fn key(phrase: &[u8]) -> [u8; 8] {
    let mut key = [0; 8];
    for (key, c) in key.iter_mut().zip(phrase) {
        *key = c << 1;
    }
    key
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
        self.keys.clear();
        self.keys.extend(batch.inputs().map(key));
        self.salts.clear();
        for setting in batch.nonces() {
            self.salts.push(salt(setting)?);
        }
        self.results.resize(batch.messages, [0; 8]);
        let one = self.salts.first().copied().unwrap_or(0);
        let done = if self.salts.iter().all(|salt| *salt == one) {
            crypt_many(&self.keys, one, PASSES, &mut self.results)
        } else {
            crypt_many_salts(&self.keys, &self.salts, PASSES, &mut self.results)
        };
        done.map_err(Failure::failed)?;
        let texts = output.chunks_exact_mut(TEXT);
        for ((setting, result), out) in batch.nonces().zip(&self.results).zip(texts) {
            write(setting, *result, out);
        }
        Ok(TEXT)
    }
}
