//! crypt(3) by the library's own interface, not by the C interface of libcrypt, and FreeSec's
//! `des_cipher`. The module [`crypt`](crate::crypt) has traditional crypt(3); this module has
//! the other methods.

use touchstone::block::des::crypt::Crypt;
use touchstone_password::{Error, Method, OUTPUT_SIZE, hash};
use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::Touchstone;

/// Rows: the operation, and how many times it applies DES.
const CIPHERS: [(&str, u32); 2] = [("des-cipher-1", 1), ("des-cipher-25", 25)];

pub(crate) fn offers(_: &Touchstone) -> Vec<Offer> {
    let mut methods: Vec<&str> = Method::ALL.map(Method::id).to_vec();
    methods.dedup();
    methods.retain(|id| *id != Method::Des.id());
    let methods = methods.into_iter().map(|id| offer(id, "crypt", "hash"));
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
}

impl Operation for Hash {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // If the key is empty, the message's input is the phrase.
        self.phrase = (!key.is_empty()).then(|| key.to_vec());
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let phrase = self.phrase.as_deref().unwrap_or(message.input);
        let mut made = [0; OUTPUT_SIZE];
        match hash(phrase, &self.setting, &mut made) {
            Ok(hash) => {
                output[..hash.len()].copy_from_slice(hash.as_bytes());
                Ok(hash.len())
            }
            Err(Error::Memory) => Err(Failure::failed(Error::Memory)),
            Err(_) => Err(Failure::Rejected),
        }
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

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let mut data = block(message.input)?;
        self.des.encrypt(&mut data, self.count);
        output[..8].copy_from_slice(&data);
        Ok(8)
    }
}
