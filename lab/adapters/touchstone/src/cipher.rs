//! Block ciphers in modes that keep a message's length, and stream ciphers.

use touchstone::InOutBuf;
use touchstone::dynamic::{self, Cipher, CipherAlgorithm, Direction, Error, Options};
use touchstone_worker::{Batch, Cell, Failure, Message, Offer, Operation, Text, Work};

use crate::by_name::{failure, in_mode, in_out, keyed, named, options, set_key, with_many};

/// The modes that the lab knows, and whether both directions are the same.
const MODES: &[(&str, bool)] = &[
    ("ecb", false),
    ("cbc", false),
    ("cbc-cs1", false),
    ("cbc-cs2", false),
    ("cbc-cs3", false),
    ("cfb", false),
    ("cfb8", false),
    ("ofb", true),
    ("ctr", true),
    ("xts", false),
];

/// Serial modes, in which many messages at once are faster than one by one.
const MANY: &[&str] = &["cbc-encrypt", "cfb-encrypt", "ofb-encrypt"];

const CALL: &str = "dynamic::Cipher::message_inout";

pub(crate) fn offers() -> Vec<Offer> {
    let mut offers = Vec::new();
    for id in dynamic::block_ciphers() {
        for (mode, same) in MODES {
            let name = format!("{id}-{mode}");
            if Cipher::find(&name).is_err() {
                continue;
            }
            let ways: &[&str] = if *same {
                &["encrypt"]
            } else {
                &["encrypt", "decrypt"]
            };
            for way in ways {
                let operation = format!("{mode}-{way}");
                let offer = named(&name, id, &operation, CALL);
                offers.push(if MANY.contains(&operation.as_str()) {
                    with_many(offer, "dynamic::Cipher::apply_many")
                } else {
                    offer
                });
            }
        }
    }
    for id in dynamic::stream_ciphers() {
        offers.push(named(id, id, "stream-encrypt", CALL));
        offers.push(named(id, id, "stream-keystream", CALL));
    }
    offers
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let (mode, forwards) = match work.operation.rsplit_once('-')? {
        (mode, "encrypt") => (mode, true),
        (mode, "decrypt") => (mode, false),
        ("stream", "keystream") => ("stream", true),
        _ => return None,
    };
    if mode == "stream" {
        let algorithm = Cipher::find(&work.primitive).ok()?;
        return Some(Ok(stream(work, algorithm)));
    }
    let algorithm = Cipher::find(&in_mode(work, mode)).ok()?;
    let direction = if forwards {
        Direction::Encrypt
    } else {
        Direction::Decrypt
    };
    let options = options(work);
    Some(Ok(Cell::new(move || {
        Ok(Whole {
            algorithm,
            direction,
            options,
            cipher: None,
        })
    })))
}

/// Whole messages by one call.
struct Whole {
    algorithm: CipherAlgorithm,
    direction: Direction,
    options: Options<'static>,
    cipher: Option<Cipher>,
}

impl Operation for Whole {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let first = |key: &[u8]| self.algorithm.with(self.direction, key, &self.options);
        set_key(&mut self.cipher, key, first, Cipher::rekey)
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, text: Text<'_>) -> Result<usize, Failure> {
        let length = text.length();
        let data = in_out(text)?;
        let cipher = keyed(&mut self.cipher)?;
        match cipher.message_inout(message.nonce, data) {
            Ok(()) => Ok(length),
            Err(error) => Err(failure(error)),
        }
    }

    fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let length = batch.length();
        if length == 0 {
            return Err(Failure::unsupported("many empty messages"));
        }
        let mut messages = Vec::with_capacity(batch.messages);
        let outputs = output.chunks_exact_mut(length);
        for ((iv, input), output) in batch.nonces().zip(batch.inputs()).zip(outputs) {
            let data = InOutBuf::new(input, output).map_err(Failure::failed)?;
            messages.push(dynamic::Message { iv, data });
        }
        let cipher = keyed(&mut self.cipher)?;
        cipher.apply_many(messages).map_err(failure)?;
        Ok(length)
    }
}

/// A stream from its first byte on, or from a later one, or the keystream alone.
fn stream(work: &Work, algorithm: CipherAlgorithm) -> Cell {
    let keystream = (work.operation == "stream-keystream").then_some(work.length.unwrap_or(0));
    let (counter, drop) = (work.cost("counter"), work.cost("drop"));
    let options = options(work);
    Cell::new(move || {
        Ok(Stream {
            whole: Whole {
                algorithm,
                direction: Direction::Encrypt,
                options,
                cipher: None,
            },
            keystream,
            counter,
            drop: vec![0; usize::try_from(drop.unwrap_or(0)).map_err(Failure::unsupported)?],
        })
    })
}

struct Stream {
    whole: Whole,
    /// Bytes of keystream to make, where there is no message.
    keystream: Option<usize>,
    /// The block at which the message begins.
    counter: Option<u64>,
    /// As long as what is thrown away of the keystream first.
    drop: Vec<u8>,
}

/// Bytes of a block of ChaCha and Salsa20, the ciphers whose blocks have numbers.
const BLOCK: u64 = 64;

impl Operation for Stream {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.whole.set_key(key)
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, text: Text<'_>) -> Result<usize, Failure> {
        if self.keystream.is_none() && self.counter.is_none() && self.drop.is_empty() {
            return self.whole.transform(message, text);
        }
        let (input, output) = text.apart()?;
        let cipher = keyed(&mut self.whole.cipher)?;
        let mut call = || -> Result<usize, Error> {
            cipher.set_iv(message.nonce)?;
            if let Some(counter) = self.counter {
                let byte = counter.checked_mul(BLOCK).ok_or(Error::Parameter)?;
                cipher.seek(byte)?;
            }
            cipher.apply(&mut self.drop)?;
            match self.keystream {
                Some(length) => {
                    let output = &mut output[..length];
                    output.fill(0);
                    cipher.apply(output)?;
                    Ok(length)
                }
                None => {
                    cipher.apply_into(input, &mut output[..input.len()])?;
                    Ok(input.len())
                }
            }
        };
        call().map_err(failure)
    }
}
