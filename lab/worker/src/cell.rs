//! One primitive × operation made ready: how it is called, and how the calls
//! are timed.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::{Arc, RwLock, mpsc};
use std::time::Instant;

use touchstone_wire::{Contract, Data, Fields, Step, Vary, increment};

use crate::memory::Placed;
use crate::{Failure, Work};

/// What one call takes besides the key. Field meanings are those of
/// `docs/operations.md`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Message<'a> {
    /// Nonce, IV, first counter block, tweak, salt or crypt(3) setting.
    pub nonce: &'a [u8],
    /// Additional authenticated data.
    pub aad: &'a [u8],
    /// Message, ciphertext (joined with its tag), or password.
    pub input: &'a [u8],
    /// Inputs of other names.
    pub others: &'a [(String, Vec<u8>)],
}

impl<'a> Message<'a> {
    /// An input by its name, for those that have no place of their own.
    pub fn other(&self, name: &str) -> &'a [u8] {
        let found = self.others.iter().find(|(known, _)| known == name);
        found.map_or(&[], |(_, bytes)| bytes)
    }
}

/// What one call for many messages takes. They are equally long, and the bytes
/// of one stand after those of the other.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// How many messages there are.
    pub messages: usize,
    /// A key for each (in crypt(3) a phrase); empty where all are under the
    /// scheduled key.
    pub keys: &'a [u8],
    /// A nonce, IV, salt or setting for each.
    pub nonces: &'a [u8],
    /// Additional authenticated data, the same for all.
    pub aad: &'a [u8],
    /// The messages.
    pub inputs: &'a [u8],
}

impl<'a> Batch<'a> {
    /// The keys, one after the other.
    pub fn keys(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        each(self.keys, self.messages)
    }

    /// The nonces, one after the other.
    pub fn nonces(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        each(self.nonces, self.messages)
    }

    /// The messages, one after the other.
    pub fn inputs(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        each(self.inputs, self.messages)
    }

    /// Bytes of one message.
    pub fn length(&self) -> usize {
        self.inputs.len() / self.messages.max(1)
    }
}

/// Equal pieces; so many empty ones where there are no bytes.
fn each(bytes: &[u8], pieces: usize) -> impl Iterator<Item = &[u8]> {
    let length = bytes.len() / pieces.max(1);
    (0..pieces).map(move |piece| &bytes[piece * length..][..length])
}

/// One live object of a library: made, but not yet keyed.
///
/// Implementations are concrete types; the timing loops are compiled for each
/// of them, so nothing dynamic stands between the loop and the library's call.
pub trait Operation {
    /// Schedules a key, replacing any before it. Operations without a key keep
    /// the default.
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let _ = key;
        Ok(())
    }

    /// One whole message: nonce, associated data, input, and tag made or
    /// checked. `output` has room for the input and 256 bytes more, or for
    /// `length` where the work asks for one. Returns the bytes written.
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure>;

    /// Many messages by one call of the library, outputs one after the other.
    /// Returns the bytes written for each. Only a library that has such a call
    /// implements it, and says `many` or `many-keyed` in its offer.
    fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let _ = (batch, output);
        Err(Failure::unsupported("many messages in one call"))
    }
}

/// A way to make objects for one [`Work`]: everything that a program does once
/// (look-ups by name, fetches) is behind it, everything that it does per object
/// is inside it.
pub struct Cell {
    object: Box<dyn Erased>,
    outputs: &'static [(&'static str, usize)],
}

impl Cell {
    /// A cell from the function that makes one object.
    pub fn new<O, F>(make: F) -> Self
    where
        O: Operation + 'static,
        F: Fn() -> Result<O, Failure> + Send + Sync + 'static,
    {
        Self {
            object: Box::new(Maker {
                make: Arc::new(make),
                object: None,
            }),
            outputs: &[],
        }
    }

    /// For an operation with several outputs: their names and bytes, in the order in
    /// which [`Operation::process`] writes them.
    #[must_use]
    pub fn gives(mut self, outputs: &'static [(&'static str, usize)]) -> Self {
        self.outputs = outputs;
        self
    }

    /// What was written, as outputs by name.
    pub(crate) fn named(&self, written: Vec<u8>) -> Result<BTreeMap<String, Data>, Failure> {
        let name = |name: &str, bytes: Vec<u8>| (name.to_owned(), Data::Bytes(bytes));
        if self.outputs.is_empty() {
            let some = (!written.is_empty()).then(|| name("output", written));
            return Ok(some.into_iter().collect());
        }
        let mut rest = &written[..];
        let mut outputs = BTreeMap::new();
        for (output, bytes) in self.outputs {
            let (piece, after) = rest
                .split_at_checked(*bytes)
                .ok_or_else(|| Failure::failed(format_args!("the output {output} is cut")))?;
            outputs.extend([name(output, piece.to_vec())]);
            rest = after;
        }
        Ok(outputs)
    }

    /// Does the work once from nothing and returns the output.
    pub(crate) fn check(&mut self, work: &Work) -> Result<Vec<u8>, Failure> {
        let mut buffers = Buffers::once(work);
        self.object.make()?;
        self.object.set_key(&buffers.keys[0])?;
        self.object.once(&mut buffers)
    }

    /// Makes the object and does the work once, timing each step; the output
    /// stays in `buffers`. Returns nanoseconds for object, key and message.
    pub(crate) fn first(&mut self, buffers: &mut Buffers) -> Result<[u64; 3], Failure> {
        let start = Instant::now();
        self.object.make()?;
        let made = Instant::now();
        self.object.set_key(&buffers.keys[0])?;
        let keyed = Instant::now();
        let result = self.object.once(buffers);
        let done = Instant::now();
        result?;
        Ok([made - start, keyed - made, done - keyed].map(|d| d.as_nanos() as u64))
    }

    /// Does the work again with its first key and nonce.
    pub(crate) fn again(&mut self, buffers: &mut Buffers) -> Result<Vec<u8>, Failure> {
        buffers.rewind();
        self.object.set_key(&buffers.keys[0])?;
        self.object.once(buffers)
    }

    /// Whether a message's output depends on the messages before it: other
    /// nonces in between, and no key set-up. Only asked of operations with a
    /// nonce; without one, a stream goes on where it was.
    pub(crate) fn remembers(&mut self, buffers: &mut Buffers) -> Result<bool, Failure> {
        if !buffers.fresh || buffers.first_nonce.is_empty() {
            return Ok(false);
        }
        let first = self.again(buffers)?;
        for _ in 0..2 {
            buffers.advance();
            self.object.once(buffers)?;
        }
        buffers.rewind();
        Ok(self.object.once(buffers)? != first)
    }

    /// One sample in nanoseconds.
    pub(crate) fn time(
        &mut self,
        contract: Contract,
        buffers: &mut Buffers,
        warm: u64,
        calls: u64,
    ) -> Result<u64, Failure> {
        self.object.repeat(contract, buffers, warm)?;
        let start = Instant::now();
        self.object.repeat(contract, buffers, calls)?;
        Ok(start.elapsed().as_nanos() as u64)
    }

    /// One sample over several threads, each with an object and buffers of its
    /// own: from the moment all are warm until the last is done.
    pub(crate) fn time_threads(
        &self,
        contract: Contract,
        buffers: &Buffers,
        warm: u64,
        calls: u64,
        threads: u32,
    ) -> Result<u64, Failure> {
        if u64::from(threads).saturating_mul(buffers.bytes() as u64) > MOST_OF_THREADS {
            return Err(Failure::unsupported(format_args!(
                "{threads} threads with messages so long"
            )));
        }
        // Threads that are warm wait here until the clock has been read. It says
        // whether all of them could be started.
        let gate = RwLock::new(false);
        let (warm_ones, warmed) = mpsc::channel();
        let (ns, results) = std::thread::scope(|scope| {
            let mut closed = gate.write().expect("nobody else has it yet");
            let workers: Result<Vec<_>, _> = (0..threads)
                .map(|index| {
                    let mut sibling = self.object.sibling();
                    let mut buffers = buffers.clone();
                    let (gate, warm_ones) = (&gate, warm_ones.clone());
                    std::thread::Builder::new().spawn_scoped(scope, move || {
                        crate::clock::pin_to_nth_cpu(index as usize);
                        let ready = sibling
                            .make()
                            .and_then(|()| sibling.set_key(&buffers.keys[0]))
                            .and_then(|()| sibling.repeat(contract, &mut buffers, warm));
                        let _ = warm_ones.send(());
                        let begin = *gate.read().expect("the gate is only opened");
                        match ready {
                            Ok(()) if begin => sibling.repeat(contract, &mut buffers, calls),
                            ready => ready,
                        }
                    })
                })
                .collect();
            drop(warm_ones);
            if workers.is_ok() {
                warmed.iter().take(threads as usize).for_each(drop);
                *closed = true;
            }
            let start = Instant::now();
            drop(closed);
            let results = workers.map(|workers| {
                let joined = workers.into_iter().map(std::thread::ScopedJoinHandle::join);
                joined.collect::<Vec<_>>()
            });
            (start.elapsed().as_nanos() as u64, results)
        });
        let results = results.map_err(|error| {
            Failure::unsupported(format_args!("{threads} threads here: {error}"))
        })?;
        for result in results {
            result.unwrap_or_else(|_| Err(Failure::failed("a timing thread panicked")))?;
        }
        Ok(ns)
    }
}

/// The most bytes that the buffers of all threads of a sample may take.
const MOST_OF_THREADS: u64 = 1 << 30;
/// The most bytes of all messages of one call, and of what comes with them.
const MOST_OF_MESSAGES: u64 = 64 << 20;

/// Where in a page messages begin, and where outputs do: on a boundary of the widest
/// registers, and so far apart that a load is never taken for one of what was just
/// stored, as CPUs do that compare the low twelve bits of addresses.
const INPUT: usize = 0;
const OUTPUT: usize = 2048;

/// Everything that the timed calls read and write, made before timing.
#[derive(Clone)]
pub(crate) struct Buffers {
    keys: [Vec<u8>; 2],
    first_nonce: Vec<u8>,
    nonce: Vec<u8>,
    aad: Vec<u8>,
    input: Placed,
    others: Vec<(String, Vec<u8>)>,
    output: Placed,
    fresh: bool,
    many: Option<Many>,
}

/// The messages of a call that does many, one after the other.
#[derive(Clone)]
struct Many {
    messages: usize,
    keys: Vec<u8>,
    first_nonces: Vec<u8>,
    nonces: Vec<u8>,
    inputs: Placed,
}

impl Many {
    fn new(work: &Work, vary: &Vary, messages: u32) -> Result<Self, Failure> {
        let one = work.key.len() + work.nonce.len() + work.input.len() + room(work);
        if one as u64 * u64::from(messages) > MOST_OF_MESSAGES {
            return Err(Failure::unsupported(format_args!(
                "{messages} messages so long in one call"
            )));
        }
        let joined = |name: &str, first: &[u8]| -> Vec<u8> {
            let step = vary.get(name);
            (0..messages)
                .flat_map(|index| {
                    let mut bytes = first.to_vec();
                    if let Some(step) = step {
                        step.apply(&mut bytes, index);
                    }
                    bytes
                })
                .collect()
        };
        let first_nonces = joined("nonce", &work.nonce);
        Ok(Self {
            messages: messages as usize,
            keys: if vary.contains_key("key") {
                joined("key", &work.key)
            } else {
                Vec::new()
            },
            nonces: first_nonces.clone(),
            first_nonces,
            inputs: Placed::new(joined("input", &work.input), INPUT),
        })
    }
}

/// Bytes of output that one message may have.
fn room(work: &Work) -> usize {
    work.length.unwrap_or(work.input.len()) + 256
}

impl Buffers {
    /// Those of a single message.
    fn once(work: &Work) -> Self {
        Self {
            keys: [work.key.clone(), work.key.clone()],
            first_nonce: work.nonce.clone(),
            nonce: work.nonce.clone(),
            aad: work.aad.clone(),
            output: Placed::new(vec![0; room(work)], OUTPUT),
            input: Placed::new(&work.input, INPUT),
            others: work.others.clone(),
            fresh: false,
            many: None,
        }
    }

    /// Those of a cell. `second` has the key with which the first takes turns.
    pub(crate) fn new(
        work: &Work,
        contract: Contract,
        vary: &Vary,
        second: &Fields,
        messages: u32,
    ) -> Result<Self, Failure> {
        let mut buffers = Self::once(work);
        if let Some(touchstone_wire::Value::Bytes(key)) = second.get("key") {
            buffers.keys[1] = key.to_vec();
        }
        buffers.fresh = vary.get("nonce") == Some(&Step::Increment);
        if contract.is_many() {
            buffers.many = Some(Many::new(work, vary, messages)?);
            let room = room(work) * messages as usize;
            buffers.output = Placed::new(vec![0; room], OUTPUT);
        } else if vary.keys().any(|name| name != "nonce") {
            return Err(Failure::unsupported(
                "messages that differ in more than the nonce, one at a time",
            ));
        }
        Ok(buffers)
    }

    /// Whether a call does several messages.
    pub(crate) fn are_many(&self) -> bool {
        self.many.is_some()
    }

    /// How many bytes they take, roughly.
    fn bytes(&self) -> usize {
        let many = self.many.as_ref();
        self.input.len() + self.output.len() + many.map_or(0, |many| many.inputs.len())
    }

    /// The next nonce, or those of the next messages.
    fn advance(&mut self) {
        if !self.fresh {
            return;
        }
        match &mut self.many {
            None => increment(&mut self.nonce, 1),
            Some(many) => {
                let length = self.nonce.len().max(1);
                for nonce in many.nonces.chunks_exact_mut(length) {
                    increment(nonce, many.messages as u64);
                }
            }
        }
    }

    /// Back to the first nonces.
    fn rewind(&mut self) {
        self.nonce.clone_from(&self.first_nonce);
        if let Some(many) = &mut self.many {
            many.nonces.clone_from(&many.first_nonces);
        }
    }
}

/// The nonces of a timing loop, counted in a register: counted where they are read,
/// each turn of the loop would wait for the store of the one before.
struct Nonces {
    fresh: bool,
    last: u64,
}

impl Nonces {
    fn of(buffers: &Buffers) -> Self {
        let tail = buffers.nonce.last_chunk();
        Self {
            fresh: buffers.fresh,
            last: tail.map_or(0, |tail| u64::from_be_bytes(*tail)),
        }
    }

    /// [`Buffers::advance`] for one message.
    #[inline(always)]
    fn advance(&mut self, buffers: &mut Buffers) {
        if !self.fresh {
            return;
        }
        match buffers.nonce.last_chunk_mut() {
            Some(tail) => {
                self.last = self.last.wrapping_add(1);
                *tail = self.last.to_be_bytes();
            }
            None => increment(&mut buffers.nonce, 1),
        }
    }
}

trait Erased: Send {
    fn make(&mut self) -> Result<(), Failure>;
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure>;
    fn once(&mut self, buffers: &mut Buffers) -> Result<Vec<u8>, Failure>;
    fn repeat(
        &mut self,
        contract: Contract,
        buffers: &mut Buffers,
        calls: u64,
    ) -> Result<(), Failure>;
    fn sibling(&self) -> Box<dyn Erased>;
}

struct Maker<O, F> {
    make: Arc<F>,
    object: Option<Thread<O>>,
}

/// Library objects are raw pointers as often as not, but an object is only
/// ever used by the thread that made it: a sibling for another thread starts
/// without one.
struct Thread<O>(O);

// SAFETY: `Maker::sibling` hands over a `None`, and `Cell` stays on the
// worker's main thread, so no `O` made on one thread is touched by another.
#[allow(unsafe_code)]
unsafe impl<O> Send for Thread<O> {}

impl<O, F> Maker<O, F>
where
    O: Operation + 'static,
    F: Fn() -> Result<O, Failure> + Send + Sync + 'static,
{
    fn object(&mut self) -> Result<&mut O, Failure> {
        match &mut self.object {
            Some(object) => Ok(&mut object.0),
            None => Err(Failure::failed("no object was made")),
        }
    }
}

impl<O, F> Erased for Maker<O, F>
where
    O: Operation + 'static,
    F: Fn() -> Result<O, Failure> + Send + Sync + 'static,
{
    fn make(&mut self) -> Result<(), Failure> {
        self.object = Some(Thread((self.make)()?));
        Ok(())
    }

    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.object()?.set_key(key)
    }

    fn once(&mut self, buffers: &mut Buffers) -> Result<Vec<u8>, Failure> {
        let object = self.object()?;
        let written = match buffers.many.as_ref().map(|many| many.messages) {
            None => outlined(object, buffers)?,
            Some(messages) => batch(object, buffers)?.saturating_mul(messages),
        };
        buffers
            .output
            .get(..written)
            .map(<[u8]>::to_vec)
            .ok_or_else(|| Failure::failed("the library claims more output than there is room"))
    }

    fn repeat(
        &mut self,
        contract: Contract,
        buffers: &mut Buffers,
        calls: u64,
    ) -> Result<(), Failure> {
        let make = Arc::clone(&self.make);
        match contract {
            Contract::Hot => {
                let object = self.object()?;
                let mut nonces = Nonces::of(buffers);
                for _ in 0..calls {
                    nonces.advance(buffers);
                    black_box(message(object, buffers)?);
                }
            }
            // The maker of an implicit cell is what differs.
            Contract::Keyed | Contract::Implicit => {
                let mut nonces = Nonces::of(buffers);
                for _ in 0..calls {
                    nonces.advance(buffers);
                    let mut object = make()?;
                    object.set_key(black_box(&buffers.keys[0]))?;
                    black_box(outlined(&mut object, buffers)?);
                }
            }
            Contract::Rekeyed => {
                let object = self.object()?;
                let mut nonces = Nonces::of(buffers);
                for call in 0..calls {
                    nonces.advance(buffers);
                    object.set_key(black_box(&buffers.keys[(call & 1) as usize]))?;
                    black_box(outlined(object, buffers)?);
                }
            }
            Contract::Setup => {
                let object = self.object()?;
                for call in 0..calls {
                    object.set_key(black_box(&buffers.keys[(call & 1) as usize]))?;
                    black_box(&mut *object);
                }
            }
            Contract::Many | Contract::ManyKeyed => {
                let object = self.object()?;
                for _ in 0..calls {
                    buffers.advance();
                    black_box(batch(object, buffers)?);
                }
            }
        }
        Ok(())
    }

    fn sibling(&self) -> Box<dyn Erased> {
        Box::new(Self {
            make: Arc::clone(&self.make),
            object: None,
        })
    }
}

/// [`message`] where a call more does not show: one copy of the library's code
/// fewer in the program, for each object type.
#[inline(never)]
fn outlined<O: Operation>(object: &mut O, buffers: &mut Buffers) -> Result<usize, Failure> {
    message(object, buffers)
}

#[inline(always)]
fn message<O: Operation>(object: &mut O, buffers: &mut Buffers) -> Result<usize, Failure> {
    let message = Message {
        nonce: black_box(&buffers.nonce),
        aad: &buffers.aad,
        input: black_box(&buffers.input),
        others: &buffers.others,
    };
    let written = object.process(&message, &mut buffers.output)?;
    black_box(buffers.output.as_mut_ptr());
    Ok(written)
}

/// One call for all messages of a batch; returns the bytes written for each.
#[inline(never)]
fn batch<O: Operation>(object: &mut O, buffers: &mut Buffers) -> Result<usize, Failure> {
    let Some(many) = &buffers.many else {
        return Err(Failure::failed("this cell does one message at a time"));
    };
    let batch = Batch {
        messages: many.messages,
        keys: black_box(&many.keys),
        nonces: black_box(&many.nonces),
        aad: &buffers.aad,
        inputs: black_box(&many.inputs),
    };
    let written = object.process_many(&batch, &mut buffers.output)?;
    black_box(buffers.output.as_mut_ptr());
    Ok(written)
}
