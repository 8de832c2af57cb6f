//! The buffers of a cell: what its timed calls read and write. The buffers are made before timing.
//! This module also does one call of the library on the buffers.

use std::hint::black_box;

use touchstone_wire::{Contract, Fields, RING, Step, Value, Vary};

use crate::memory::Placed;
use crate::operation::{Batch, Message, Operation};
use crate::scheme::Scheme;
use crate::{Failure, Work};

/// The most bytes of one call: all its messages, keys, nonces and room for outputs.
const MOST_OF_MESSAGES: u64 = 64 << 20;

/// Where in a memory page messages and outputs begin. Both begin on a boundary of the widest
/// registers. Some CPUs compare only the low twelve bits of addresses to find out whether a load
/// needs the value of an earlier store. Messages and outputs are so far apart that these bits
/// differ.
const INPUT: usize = 0;
const OUTPUT: usize = 2048;

/// Everything that the timed calls of a cell read and write.
#[derive(Clone)]
pub(crate) struct Buffers {
    keys: [Vec<u8>; 2],
    nonces: Ring,
    aad: Vec<u8>,
    input: Placed,
    others: Vec<(String, Vec<u8>)>,
    output: Placed,
    form: Form,
    /// The number of bytes that the last call wrote.
    written: usize,
}

/// How a call uses the buffers.
#[derive(Clone)]
enum Form {
    /// One message, which is read from `input`; the output is written to `output`.
    One,
    /// This number of messages in one call. `keys` has a key for each message; it is empty if all
    /// messages use the same key.
    Many { messages: usize, keys: Vec<u8> },
    /// One message, which is in `output` and is overwritten by its output. `first` is message 0.
    InPlace { first: Vec<u8> },
    /// One message, which is the output of the call before: `input` and `output` change places
    /// before each call.
    Chain(Chain),
}

/// How the next message follows from the last output.
#[derive(Clone)]
struct Chain {
    /// Message 0.
    first: Vec<u8>,
    /// Whether the end of the last output is also the next nonce.
    nonce: bool,
    /// 0, but the compiler does not know this.
    zero: u8,
}

impl Chain {
    /// Puts the last output, of which `written` bytes count, into the next message.
    #[inline]
    fn link<'a>(
        &self,
        message: &mut Message<'a>,
        last: &'a [u8],
        written: usize,
    ) -> Result<(), Failure> {
        // In ECB and CBC a block of the message depends only on the same block of the last
        // message, so a processor could begin a call before the last call ends. Here the
        // address of the message depends on the end of the last output.
        let byte = last
            .get(written.saturating_sub(1))
            .ok_or_else(claims_more)?;
        let start = usize::from(byte & self.zero);
        message.input = &last[start..][..self.first.len()];
        let from = written.checked_sub(message.nonce.len());
        if let (true, Some(from)) = (self.nonce, from) {
            message.nonce = last.get(from..written).ok_or_else(claims_more)?;
        }
        Ok(())
    }
}

/// The nonces of a cell's calls. Every nonce is complete and has its own place in memory.
///
/// All nonces are made before timing. If the loop wrote a nonce just before the call, some
/// libraries would have to wait: a CPU passes the value of a recent store to a load only if this
/// one store wrote all bytes of the load. If a loop counts up the last 8 bytes of a nonce, a load
/// of 16 bytes is such a case.
#[derive(Clone)]
struct Ring {
    /// The nonces of call 0, which the requests `open` and `run` use, and then the nonces of calls
    /// 1, 2, ….
    bytes: Placed,
    /// `length`: the bytes of the nonces of one call. `apart`: the distance between the starts of
    /// two calls' nonces.
    length: usize,
    apart: usize,
    turn: Turn,
}

/// The number of the next call that has nonces of its own.
#[derive(Clone, Copy)]
struct Turn {
    /// The number of calls after call 0 that have nonces of their own; 0 if all calls have the same
    /// nonces.
    calls: usize,
    /// The number of the next call.
    next: usize,
}

/// The nonces of a call begin on a boundary of 16 bytes.
const NONCE: usize = 16;

impl Ring {
    /// Makes the nonces of a cell in which each call processes this number of messages.
    fn new(first: &[u8], step: Option<Step>, messages: usize) -> Self {
        let fresh = step.is_some_and(Step::goes_on) && !first.is_empty();
        // There are at least two calls, so that two calls in a row never have the same nonces.
        let calls = if fresh {
            (RING as usize / messages).max(2)
        } else {
            0
        };
        let length = first.len() * messages;
        let apart = length.next_multiple_of(NONCE);
        let mut bytes = vec![0; apart * (calls + 1)];
        for (call, place) in (0..=calls).zip(bytes.chunks_exact_mut(apart.max(1))) {
            for (index, nonce) in place[..length]
                .chunks_exact_mut(first.len().max(1))
                .enumerate()
            {
                nonce.copy_from_slice(first);
                if let Some(step) = step {
                    step.apply(nonce, (call * messages + index) as u32);
                }
            }
        }
        Self {
            bytes: Placed::new(bytes, INPUT),
            length,
            apart,
            turn: Turn {
                calls,
                next: calls.min(1),
            },
        }
    }

    #[inline]
    fn of_call(&self, call: usize) -> &[u8] {
        &self.bytes[call * self.apart..][..self.length]
    }
}

impl Turn {
    /// Starts again with call 1.
    fn restart(&mut self) {
        self.next = self.calls.min(1);
    }

    /// Returns the number of the next call: 1, 2, … up to the last call, and then 1 again.
    #[inline]
    fn advance(&mut self) -> usize {
        let call = self.next;
        self.next = if call == self.calls {
            self.calls.min(1)
        } else {
            call + 1
        };
        call
    }
}

/// Returns the number of bytes that the output of one message may have. The answer of a private
/// key, of a number or of a point is at most as long as all inputs together, except in the schemes
/// whose answers have a length of their own. A new key has no input that tells its length.
fn room(work: &Work) -> usize {
    const NEW_KEY: usize = 16 << 10;
    let others: usize = work.others.iter().map(|(_, bytes)| bytes.len()).sum();
    let asymmetric = if work.nonce.is_empty() {
        work.key.len()
    } else {
        0
    };
    let answer = Scheme::of(&work.primitive).map_or(0, Scheme::answer_bytes);
    let inputs = work.input.len() + others + answer;
    match work.length {
        Some(length) => length + 256,
        None if work.input.len() + others + work.key.len() == 0 => NEW_KEY,
        None => inputs + asymmetric + 256,
    }
}

impl Buffers {
    /// Buffers for a single message, without a second call.
    pub(crate) fn once(work: &Work) -> Self {
        Self {
            keys: [work.key.clone(), work.key.clone()],
            nonces: Ring::new(&work.nonce, None, 1),
            aad: work.aad.clone(),
            input: Placed::new(&work.input, INPUT),
            others: work.others.clone(),
            output: Placed::new(vec![0; room(work)], OUTPUT),
            form: Form::One,
            written: 0,
        }
    }

    /// Buffers for the calls of a cell. If the keys of calls alternate, `second` has the second
    /// key.
    pub(crate) fn new(
        work: &Work,
        contract: Contract,
        vary: &Vary,
        second: &Fields,
        messages: u32,
    ) -> Result<Self, Failure> {
        let mut buffers = Self::once(work);
        if let Some(Value::Bytes(key)) = second.get("key") {
            buffers.keys[1] = key.to_vec();
        }
        let step = vary.get("nonce").copied();
        if !contract.is_many() {
            if vary.keys().any(|name| name != "nonce") {
                return Err(Failure::unsupported(
                    "messages that differ in more than the nonce, one at a time",
                ));
            }
            buffers.nonces = Ring::new(&work.nonce, step, 1);
            if contract.is_chain() {
                buffers.chain(work, contract, step);
            }
            return Ok(buffers);
        }
        let one = work.key.len() + work.nonce.len() + work.input.len() + room(work);
        // Call 0 and a second call have nonces of their own in any case.
        let nonces = 2 * work.nonce.len();
        if (one + nonces) as u64 * u64::from(messages) > MOST_OF_MESSAGES {
            return Err(Failure::unsupported(format_args!(
                "{messages} messages so long in one call"
            )));
        }
        let joined = |name: &str, first: &[u8]| -> Vec<u8> {
            (0..messages)
                .flat_map(|index| {
                    let mut bytes = first.to_vec();
                    if let Some(step) = vary.get(name) {
                        step.apply(&mut bytes, index);
                    }
                    bytes
                })
                .collect()
        };
        let keys = if vary.contains_key("key") {
            joined("key", &work.key)
        } else {
            Vec::new()
        };
        buffers.form = Form::Many {
            messages: messages as usize,
            keys,
        };
        buffers.nonces = Ring::new(&work.nonce, step, messages as usize);
        buffers.input = Placed::new(joined("input", &work.input), INPUT);
        buffers.output = Placed::new(vec![0; room(work) * messages as usize], OUTPUT);
        Ok(buffers)
    }

    /// Prepares the buffers for a contract in which each message is the output of the call before.
    fn chain(&mut self, work: &Work, contract: Contract, step: Option<Step>) {
        let first = work.input.clone();
        let room = vec![0; room(work).max(first.len())];
        self.input = Placed::new(&room, INPUT);
        self.output = Placed::new(&room, OUTPUT);
        self.form = if contract == Contract::InPlace {
            Form::InPlace { first }
        } else {
            let nonce = step == Some(Step::Output);
            let zero = black_box(0);
            Form::Chain(Chain { first, nonce, zero })
        };
    }

    /// Stores message 0 again, if calls have overwritten it.
    pub(crate) fn rewind(&mut self) {
        if let Form::InPlace { first } | Form::Chain(Chain { first, .. }) = &self.form {
            self.input[..first.len()].copy_from_slice(first);
            self.output[..first.len()].copy_from_slice(first);
            self.written = 0;
        }
    }

    /// Returns the key of a call: the first key for even numbers, the second key for odd numbers.
    #[inline]
    pub(crate) fn key(&self, call: u64) -> &[u8] {
        &self.keys[(call & 1) as usize]
    }

    /// Returns whether one call processes several messages.
    pub(crate) fn are_many(&self) -> bool {
        matches!(self.form, Form::Many { .. })
    }

    /// Returns whether each call has its own nonce.
    pub(crate) fn have_fresh_nonces(&self) -> bool {
        self.nonces.turn.calls > 0
    }

    /// Returns the size of the buffers in bytes, approximately.
    pub(crate) fn bytes(&self) -> usize {
        self.input.len() + self.output.len() + self.nonces.bytes.len()
    }

    /// Returns the output of the last call.
    pub(crate) fn last_output(&self) -> Result<&[u8], Failure> {
        self.output.get(..self.written).ok_or_else(claims_more)
    }

    /// Asks the object for the output of the last call.
    #[inline]
    pub(crate) fn deliver(&mut self, object: &mut dyn Operation) -> Result<(), Failure> {
        self.written = object.deliver(&mut self.output, self.written)?;
        Ok(())
    }

    /// Processes the message of call 0 with the work's nonce. The next call is call 1.
    pub(crate) fn first(&mut self, object: &mut dyn Operation) -> Result<(), Failure> {
        self.nonces.turn.restart();
        self.call(object, 0)
    }

    /// Makes the next call of the cell.
    #[inline]
    pub(crate) fn next(&mut self, object: &mut dyn Operation) -> Result<(), Failure> {
        let call = self.nonces.turn.advance();
        self.call(object, call)
    }

    /// Does the next calls, and calls `before` before each of them. In the usual forms, with
    /// one message in a call, the loop contains only a step of the ring of nonces and the call.
    /// Everything that is the same for all calls is prepared before the loop.
    #[inline]
    pub(crate) fn repeat(
        &mut self,
        object: &mut dyn Operation,
        calls: u64,
        before: impl Fn(&mut dyn Operation, &[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let chain = match &self.form {
            Form::One => None,
            Form::Chain(chain) => Some(chain),
            Form::Many { .. } | Form::InPlace { .. } => {
                for call in 0..calls {
                    before(object, self.key(call))?;
                    self.next(object)?;
                }
                return Ok(());
            }
        };
        let nonces = &self.nonces;
        let mut turn = nonces.turn;
        let mut written = self.written;
        // The loops are apart, so that neither pays for the other.
        if let Some(chain) = chain {
            // The last output, and the place of the next: if each call exchanged the two
            // buffers in memory, the next call would wait for these stores too.
            let (mut last, mut output) = (&mut self.output[..], &mut self.input[..]);
            for call in 0..calls {
                before(object, &self.keys[(call & 1) as usize])?;
                let mut message = Message {
                    nonce: nonces.of_call(turn.advance()),
                    aad: &self.aad,
                    input: &[],
                    others: &self.others,
                };
                chain.link(&mut message, last, written)?;
                written = object.process(&message, output)?;
                std::mem::swap(&mut last, &mut output);
            }
            if calls % 2 == 1 {
                std::mem::swap(&mut self.input, &mut self.output);
            }
        } else {
            let mut message = Message {
                nonce: &[],
                aad: &self.aad,
                input: &self.input,
                others: &self.others,
            };
            let output = &mut self.output[..];
            for call in 0..calls {
                before(object, &self.keys[(call & 1) as usize])?;
                message.nonce = nonces.of_call(turn.advance());
                written = object.process(&message, output)?;
            }
        }
        self.nonces.turn = turn;
        self.written = written;
        Ok(())
    }

    #[inline]
    fn call(&mut self, object: &mut dyn Operation, call: usize) -> Result<(), Failure> {
        if matches!(self.form, Form::Chain(_)) {
            std::mem::swap(&mut self.input, &mut self.output);
        }
        let mut message = Message {
            nonce: self.nonces.of_call(call),
            aad: &self.aad,
            input: &self.input,
            others: &self.others,
        };
        self.written = match &self.form {
            Form::One => object.process(&message, &mut self.output)?,
            Form::Many { messages, keys } => {
                let batch = Batch {
                    messages: *messages,
                    keys,
                    nonces: message.nonce,
                    aad: &self.aad,
                    inputs: &self.input,
                };
                let each = object.process_many(&batch, &mut self.output)?;
                each.saturating_mul(*messages)
            }
            Form::InPlace { first } => {
                message.input = &[];
                object.process_in_place(&message, &mut self.output, first.len())?
            }
            Form::Chain(chain) => {
                chain.link(&mut message, &self.input, self.written)?;
                object.process(&message, &mut self.output)?
            }
        };
        Ok(())
    }
}

fn claims_more() -> Failure {
    Failure::failed("the library claims more output than there is room")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the nonces of the calls from 0 to `calls`.
    fn nonces(ring: &mut Ring, calls: usize) -> Vec<Vec<u8>> {
        let mut nonces = vec![ring.of_call(0).to_vec()];
        for _ in 0..calls {
            let call = ring.turn.advance();
            nonces.push(ring.of_call(call).to_vec());
        }
        nonces
    }

    #[test]
    fn nonces_are_whole_and_come_again_after_the_ring() {
        const RING: usize = super::RING as usize;
        let first = [0xff; 12];
        for step in [Step::Increment, Step::Random] {
            let mut ring = Ring::new(&first, Some(step), 1);
            let nonces = nonces(&mut ring, RING + 2);
            assert_eq!(nonces[0], first);
            for (index, nonce) in (0..).zip(&nonces[..=RING]) {
                let mut expected = first;
                step.apply(&mut expected, index);
                assert_eq!(nonce[..], expected);
            }
            assert_eq!(nonces[RING + 1..], nonces[1..3]);
            assert!((0..RING).all(|n| ring.of_call(n).as_ptr().addr().is_multiple_of(NONCE)));
        }
    }

    #[test]
    fn calls_of_many_messages_have_the_next_nonces() {
        let mut ring = Ring::new(&[0], Some(Step::Increment), 100);
        let nonces = nonces(&mut ring, 3);
        assert_eq!(nonces[1], (100..200).collect::<Vec<u8>>());
        assert_eq!((nonces[2][0], nonces[2][99]), (200, 43));
        assert_eq!(nonces[3], nonces[1]);
    }

    #[test]
    fn nonces_that_do_not_go_on_are_those_of_the_first_call() {
        for (first, step) in [
            (&[1, 2][..], None),
            (&[], Some(Step::Random)),
            (&[1, 2], Some(Step::CryptDigits)),
        ] {
            let mut ring = Ring::new(first, step, 1);
            assert_eq!(ring.turn.calls, 0);
            assert_eq!(nonces(&mut ring, 2), [first, first, first]);
        }
    }
}
