//! Operations that are computed as jobs: one job for one message, a burst of jobs for many
//! messages.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::ptr;

use touchstone_worker::{Batch, Cell, Contract, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Handle, How, IpsecMb, Job};
use crate::keys::{Keys, SetUp};
use crate::rows::{Kind, Row, all, find};

pub(crate) fn offers(library: &IpsecMb) -> Vec<Offer> {
    all()
        .into_iter()
        .filter_map(|(primitive, operation)| {
            let row = find(&primitive, operation)?;
            // These operations are serial within a message. The library computes several
            // messages at once in parallel lanes, so "many" is offered.
            let contracts = match (row.kind, operation) {
                (Kind::Hash, _) => vec![Contract::Many],
                (Kind::Mac, "mac" | "cmac") | (_, "cbc-encrypt" | "ccm-encrypt") => {
                    vec![Contract::Many, Contract::ManyKeyed]
                }
                _ => Vec::new(),
            };
            let api = match (row.kind, how(library, row)) {
                (Kind::Hash, _) => "IMB_SHAxxx",
                (_, How::CipherBurst) => "IMB_SUBMIT_CIPHER_BURST of one job",
                (_, How::HashBurst) => "IMB_SUBMIT_HASH_BURST of one job",
                (_, How::Queue) => "IMB_GET_NEXT_JOB, SUBMIT_JOB, FLUSH_JOB",
            };
            let burst = "; many: IMB_GET_NEXT_BURST, SUBMIT_BURST, FLUSH_BURST";
            Some(Offer {
                kernel: library.arch.into(),
                api: format!("{api}{}", if contracts.is_empty() { "" } else { burst }),
                contracts,
                ..offer(&primitive, operation, "")
            })
        })
        .collect()
}

pub(crate) fn cell(library: &IpsecMb, work: &Work) -> Option<Result<Cell, Failure>> {
    let row = find(&work.primitive, &work.operation)?;
    let tag = work.tag.unwrap_or(row.tag);
    let refused = |what: String| Some(Err(Failure::unsupported(what)));
    if !row.set_up.takes(work.key.len()) {
        return refused(format!("a key of {} bytes", work.key.len()));
    }
    if row.nonce.is_some_and(|bytes| bytes != work.nonce.len()) || work.nonce.len() > 64 {
        return refused(format!("a nonce of {} bytes", work.nonce.len()));
    }
    if tag > row.tag || (row.kind != Kind::Cipher && tag == 0) {
        return refused(format!("a tag of {tag} bytes"));
    }
    let (library, how) = (library.clone(), how(library, row));
    Some(Ok(Cell::new(move || {
        Ok(Jobs {
            handle: library.manager()?,
            how,
            row,
            tag,
            keys: Box::new(Keys::new()),
            each: Vec::new(),
        })
    })))
}

/// Selects the call for one message. The calls for bursts of one algorithm are faster, but not
/// every version has them for the row, so one block of zeros is processed to find out.
fn how(library: &IpsecMb, row: Row) -> How {
    let how = match (row.kind, row.set_up) {
        (Kind::Cipher, SetUp::Aes(_)) => How::CipherBurst,
        (Kind::Mac, SetUp::Hmac(_) | SetUp::Cmac(_)) => How::HashBurst,
        _ => return How::Queue,
    };
    let tried = library.manager().and_then(|handle| {
        let (tag, keys) = (row.tag, Box::new(Keys::new()));
        let jobs = Jobs {
            handle,
            how,
            row,
            tag,
            keys,
            each: Vec::new(),
        };
        let message = Message {
            nonce: &EMPTY[..row.nonce.unwrap_or(0)],
            input: &EMPTY[..16],
            ..Message::default()
        };
        let (mut data, mut tag) = ([0; 16], [0; 64]);
        let place = Place {
            data: data.as_mut_ptr(),
            tag: tag.as_mut_ptr(),
            tag_bytes: row.tag,
        };
        handle.one(how, jobs.job(&jobs.keys, &message, &place))
    });
    tried.map_or(How::Queue, |()| how)
}

struct Jobs {
    handle: Handle,
    /// The call that processes one message.
    how: How,
    row: Row,
    tag: usize,
    keys: Box<Keys>,
    /// One key schedule for each message of a batch.
    each: Vec<Keys>,
}

/// Where a job writes its results.
struct Place {
    data: *mut u8,
    tag: *mut u8,
    tag_bytes: usize,
}

impl Jobs {
    #[inline]
    fn job(&self, keys: &Keys, message: &Message<'_>, place: &Place) -> Job {
        let row = &self.row;
        let first: *const c_void = keys.first.as_ptr().cast();
        let second: *const c_void = keys.second.as_ptr().cast();
        let (forwards, backwards) = match row.set_up {
            SetUp::Aes(_) => (first, second),
            SetUp::DesEde3 => {
                let three = keys.three.as_ptr().cast();
                (three, three)
            }
            _ => (first, first),
        };
        let hash_fields: [*const c_void; 3] = match row.set_up {
            SetUp::Hmac(_) => [first, second, ptr::null()],
            // SAFETY: the second subkey follows the first in memory.
            SetUp::Cmac(_) => [first, second, unsafe { second.byte_add(16) }],
            SetUp::Plain(_) if row.kind == Kind::Mac => [first, ptr::null(), ptr::null()],
            _ => [
                message.aad.as_ptr().cast(),
                message.aad.len() as *const c_void,
                ptr::null(),
            ],
        };
        let key_bytes = match row.set_up {
            SetUp::Aes(size) => 16 + 8 * size,
            SetUp::Des => 8,
            SetUp::DesEde3 => 24,
            SetUp::Plain(bytes) => bytes,
            _ => 0,
        };
        const ENCRYPT: u32 = 1;
        const DECRYPT: u32 = 2;
        const CIPHER_FIRST: u32 = 1;
        const HASH_FIRST: u32 = 2;
        // CCM computes the tag from the plaintext, the other modes from the ciphertext.
        let hash_first = match row.kind {
            Kind::Aead if row.nonce.is_none() => row.encrypt,
            Kind::Aead | Kind::Cipher => !row.encrypt,
            Kind::Mac | Kind::Hash => true,
        };
        let bytes = message.input.len() as u64;
        let ciphered = matches!(row.kind, Kind::Cipher | Kind::Aead);
        Job {
            enc_keys: forwards,
            dec_keys: backwards,
            key_bytes: key_bytes as u64,
            // The library reads the first block even of an empty message. The pointer of an
            // empty slice must not be read, so such a message points to `EMPTY`.
            src: if bytes == 0 {
                EMPTY.as_ptr()
            } else {
                message.input.as_ptr()
            },
            dst: place.data,
            cipher_start: 0,
            cipher_bytes: if ciphered { bytes } else { 0 },
            hash_start: 0,
            hash_bytes: if row.kind == Kind::Cipher { 0 } else { bytes },
            iv: if ciphered {
                message.nonce.as_ptr()
            } else {
                ptr::null()
            },
            iv_bytes: if ciphered {
                message.nonce.len() as u64
            } else {
                0
            },
            tag: place.tag,
            tag_bytes: place.tag_bytes as u64,
            hash_fields,
            status: 0,
            cipher_mode: row.cipher,
            direction: if row.encrypt { ENCRYPT } else { DECRYPT },
            hash: row.hash,
            order: if hash_first { HASH_FIRST } else { CIPHER_FIRST },
            user_data: [ptr::null_mut(); 2],
            own_functions: [ptr::null(); 2],
            sgl_state: 0,
            cipher_fields: ptr::null_mut(),
        }
    }
}

/// Returns whether the last 32 bits of a counter block overflow within a message. The library's
/// counter has only 32 bits.
fn runs_over(counter: &[u8], bytes: usize) -> bool {
    let first = counter.last_chunk().map_or(0, |c| u32::from_be_bytes(*c));
    u64::from(first) + bytes.div_ceil(16) as u64 > 1 << 32
}

/// The bytes to which an empty message points.
static EMPTY: [u8; 128] = [0; 128];

/// Returns the index, among the manager's functions, of the SHA whose digest is `row.tag` bytes
/// long.
fn whole(row: &Row) -> usize {
    match row.tag {
        20 => 0,
        28 => 1,
        32 => 2,
        48 => 3,
        _ => 4,
    }
}

impl Operation for Jobs {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.keys.set(self.row.set_up, &self.handle, key)
    }

    #[inline(always)]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let row = self.row;
        let bytes = message.input.len();
        if !bytes.is_multiple_of(row.block) {
            return Err(Failure::unsupported("a message that is not whole blocks"));
        }
        if row.kind == Kind::Hash {
            let hash = self.handle.get().whole[whole(&row)];
            // SAFETY: the input has the length that is passed, and the output has 256 bytes.
            unsafe { hash(message.input.as_ptr(), bytes as u64, output.as_mut_ptr()) };
            return Ok(row.tag);
        }
        if row.kind == Kind::Cipher && bytes == 0 {
            return Ok(0);
        }
        if row.counts && runs_over(message.nonce, bytes) {
            return Err(Failure::unsupported("a block number of more than 32 bits"));
        }
        let mut made = [0_u8; 64];
        let mut place = Place {
            data: output.as_mut_ptr(),
            tag: made.as_mut_ptr(),
            tag_bytes: row.tag,
        };
        match (row.kind, row.encrypt) {
            (Kind::Cipher, _) => {
                self.handle
                    .one(self.how, self.job(&self.keys, message, &place))?;
                Ok(bytes)
            }
            (Kind::Aead, true) => {
                (place.tag, place.tag_bytes) = (output[bytes..].as_mut_ptr(), self.tag);
                self.handle
                    .one(self.how, self.job(&self.keys, message, &place))?;
                Ok(bytes + self.tag)
            }
            (Kind::Aead, false) => {
                let at = bytes.checked_sub(self.tag).ok_or(Failure::Rejected)?;
                let (input, given) = message.input.split_at(at);
                place.tag_bytes = self.tag;
                let message = Message { input, ..*message };
                self.handle
                    .one(self.how, self.job(&self.keys, &message, &place))?;
                if made[..self.tag] == *given {
                    Ok(at)
                } else {
                    Err(Failure::Rejected)
                }
            }
            _ => {
                self.handle
                    .one(self.how, self.job(&self.keys, message, &place))?;
                output[..self.tag].copy_from_slice(&made[..self.tag]);
                Ok(self.tag)
            }
        }
    }

    fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let row = self.row;
        let bytes = batch.length();
        if !bytes.is_multiple_of(row.block) {
            return Err(Failure::unsupported("a message that is not whole blocks"));
        }
        let each = match row.kind {
            Kind::Cipher => bytes,
            Kind::Aead => bytes + self.tag,
            Kind::Mac | Kind::Hash if self.tag == row.tag => row.tag,
            Kind::Mac | Kind::Hash => return Err(Failure::unsupported("a shorter tag of many")),
        };
        if output.len() < each * batch.messages {
            return Err(Failure::failed("too little room for the outputs"));
        }
        if !batch.keys.is_empty() {
            self.each.resize_with(batch.messages, Keys::new);
            for (keys, key) in self.each.iter_mut().zip(batch.keys()) {
                keys.set(row.set_up, &self.handle, key)?;
            }
        }
        let (nonces, inputs) = (batch.nonces, batch.inputs);
        let nonce = nonces.len() / batch.messages.max(1);
        let start = output.as_mut_ptr();
        self.handle.many(batch.messages, |index| {
            let message = Message {
                nonce: &nonces[index * nonce..][..nonce],
                aad: batch.aad,
                input: &inputs[index * bytes..][..bytes],
                ..Message::default()
            };
            // SAFETY: the output has room for the results of all messages, which was checked
            // before the loop. The tag is at the end of a message's result.
            let (data, tag) = unsafe {
                let data = start.add(index * each);
                (data, data.add(each - self.tag))
            };
            let place = Place {
                data,
                tag,
                tag_bytes: self.tag,
            };
            let keys = self.each.get(index).filter(|_| !batch.keys.is_empty());
            self.job(keys.unwrap_or(&self.keys), &message, &place)
        })?;
        Ok(each)
    }
}

#[cfg(test)]
mod tests {
    use touchstone_worker::Adapter;

    use super::*;

    /// Loads the library. If it is absent, prints the reason on stderr and returns `None`.
    fn library() -> Option<IpsecMb> {
        IpsecMb::load("")
            .inspect_err(|reason| eprintln!("SKIPPED: {reason}"))
            .ok()
    }

    #[test]
    fn every_offer_has_a_row_and_every_row_of_many_is_serial() {
        let Some(library) = library() else { return };
        let offers = library.offers();
        assert!(offers.len() >= 40, "{}", offers.len());
        for offer in &offers {
            let many = offer.takes(Contract::Many);
            let serial = ["cbc-encrypt", "ccm-encrypt", "cmac", "mac", "hash"];
            let lanes = serial.contains(&offer.operation.as_str()) && offer.primitive != "poly1305";
            assert!(
                !many || serial.contains(&offer.operation.as_str()),
                "{offer:?}"
            );
            assert!(many || !lanes, "{offer:?}");
        }
    }

    #[test]
    fn a_counter_of_32_bits_is_known_to_run_over() {
        let mut counter = [0xff; 16];
        assert!(!runs_over(&counter, 16) && runs_over(&counter, 17));
        counter[12..].fill(0);
        assert!(!runs_over(&counter, 1 << 20));
    }
}
