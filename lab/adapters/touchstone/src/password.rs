//! crypt(3) by the library's own interface, not by the C interface of libcrypt, and FreeSec's
//! `des_cipher`. The module [`crypt`](crate::crypt) has traditional crypt(3); this module has
//! the other methods.

use touchstone::block::des::crypt::Crypt;
use touchstone_password::{Error, Method, OUTPUT_SIZE, hash, hash_many};
use touchstone_worker::{Batch, Cell, Contract, Failure, Message, Offer, Operation, Work, offer};

use crate::Touchstone;

/// Rows: the operation, and how many times it applies DES.
const CIPHERS: [(&str, u32); 2] = [("des-cipher-1", 1), ("des-cipher-25", 25)];

/// The methods that hash several phrases at once.
const AT_ONCE: [Method; 5] = [
    Method::Md5,
    Method::SunMd5,
    Method::Sha256,
    Method::Sha512,
    Method::BcryptB,
];

pub(crate) fn offers(_: &Touchstone) -> Vec<Offer> {
    let mut methods: Vec<&str> = Method::ALL.map(Method::id).to_vec();
    methods.dedup();
    methods.retain(|id| *id != Method::Des.id());
    let methods = methods.into_iter().map(|id| {
        if AT_ONCE.iter().all(|method| method.id() != id) {
            return offer(id, "crypt", "hash");
        }
        Offer {
            contracts: vec![Contract::Many, Contract::ManyKeyed],
            ..offer(id, "crypt", "hash; many: hash_many")
        }
    });
    let ciphers = CIPHERS.iter().map(|(operation, _)| Offer {
        kernel: "table".into(),
        ..offer("des", operation, "Crypt::encrypt")
    });
    methods.chain(ciphers).collect()
}

pub(crate) fn cell(_: &Touchstone, work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation == "crypt" {
        let setting = work.nonce.to_vec();
        return Some(Ok(Cell::new(move || {
            Ok(Hash {
                setting: setting.clone(),
                phrase: None,
                outputs: Vec::new(),
            })
        })));
    }
    let (_, count) = *CIPHERS.iter().find(|(name, _)| work.operation == *name)?;
    Some(Ok(Cell::new(move || {
        let des = Crypt::new(&[0; 8], 0);
        Ok(DesCipher { des, count })
    })))
}

struct Hash {
    setting: Vec<u8>,
    phrase: Option<Vec<u8>>,
    /// The outputs of many phrases.
    outputs: Vec<[u8; OUTPUT_SIZE]>,
}

impl Operation for Hash {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // If the key is empty, the message's input is the phrase.
        self.phrase = (!key.is_empty()).then(|| key.to_vec());
        Ok(())
    }

    #[inline(always)]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let phrase = self.phrase.as_deref().unwrap_or(message.input);
        let mut made = [0; OUTPUT_SIZE];
        match hash(phrase, &self.setting, &mut made) {
            Ok(hash) => {
                output[..hash.len()].copy_from_slice(hash.as_bytes());
                Ok(hash.len())
            }
            Err(error) => Err(failure(error)),
        }
    }

    fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let phrases: Vec<&[u8]> = batch.keys().collect();
        let settings: Vec<&[u8]> = batch.nonces().collect();
        self.outputs.resize(batch.messages, [0; OUTPUT_SIZE]);
        let hashes = hash_many(&phrases, &settings, &mut self.outputs).map_err(failure)?;
        let mut size = None;
        for (i, hash) in hashes.iter().enumerate() {
            let hash = hash.map_err(failure)?.as_bytes();
            let first = *size.get_or_insert(hash.len());
            let place = output.get_mut(first * i..first * (i + 1));
            match place.filter(|place| place.len() == hash.len()) {
                Some(place) => place.copy_from_slice(hash),
                None => return Err(Failure::unsupported("hashes of different lengths")),
            }
        }
        Ok(size.unwrap_or(0))
    }
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Memory => Failure::failed(Error::Memory),
        _ => Failure::Rejected,
    }
}

struct DesCipher {
    des: Crypt,
    count: u32,
}

fn block(bytes: &[u8]) -> Result<[u8; 8], Failure> {
    bytes
        .try_into()
        .map_err(|_| Failure::unsupported("anything but 8 bytes"))
}

impl Operation for DesCipher {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.des.set_key(&block(key)?);
        Ok(())
    }

    #[inline(always)]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let mut data = block(message.input)?;
        self.des.encrypt(&mut data, self.count);
        output[..8].copy_from_slice(&data);
        Ok(8)
    }
}
