//! One primitive × operation made ready: how it is called, and how the calls
//! are timed.

use std::fmt;
use std::hint::black_box;
use std::sync::{Arc, Barrier};
use std::time::Instant;

use touchstone_wire::{Contract, Work, increment};

use crate::memory::Placed;

/// Why a call did not give an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The library does not take these parameters. Not a wrong answer.
    Unsupported(String),
    /// The input was recognised as forged: a tag or padding did not check.
    Rejected,
    /// The library reported an error on parameters that it should take.
    Failed(String),
}

impl Failure {
    /// [`Failure::Unsupported`] with a formatted reason.
    pub fn unsupported(reason: impl fmt::Display) -> Self {
        Self::Unsupported(reason.to_string())
    }

    /// The [`Failure::Unsupported`] of work that no row of the offer is for.
    pub fn not_offered(work: &Work) -> Self {
        let Work {
            primitive,
            operation,
            ..
        } = work;
        Self::unsupported(format_args!("{primitive} {operation}"))
    }

    /// [`Failure::Failed`] with a formatted reason.
    pub fn failed(reason: impl fmt::Display) -> Self {
        Self::Failed(reason.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(reason) => write!(f, "unsupported: {reason}"),
            Self::Rejected => f.write_str("rejected as forged"),
            Self::Failed(reason) => f.write_str(reason),
        }
    }
}

/// What one call takes besides the key. Field meanings are those of
/// `docs/operations.md`.
#[derive(Debug, Clone, Copy)]
pub struct Message<'a> {
    /// Nonce, IV, first counter block, tweak, salt or crypt(3) setting.
    pub nonce: &'a [u8],
    /// Additional authenticated data.
    pub aad: &'a [u8],
    /// Message, ciphertext (joined with its tag), or password.
    pub input: &'a [u8],
}

/// What one call for many messages takes. They are equally long, and the bytes
/// of one stand after those of the other.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// How many messages there are.
    pub messages: usize,
    /// A key for each; empty where all are under the scheduled key.
    pub keys: &'a [u8],
    /// A nonce, IV, salt or setting for each.
    pub nonces: &'a [u8],
    /// Additional authenticated data, the same for all.
    pub aad: &'a [u8],
    /// The messages. In crypt(3) the phrases.
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
pub struct Cell(Box<dyn Erased>);

impl Cell {
    /// A cell from the function that makes one object.
    pub fn new<O, F>(make: F) -> Self
    where
        O: Operation + 'static,
        F: Fn() -> Result<O, Failure> + Send + Sync + 'static,
    {
        Self(Box::new(Maker {
            make: Arc::new(make),
            object: None,
        }))
    }

    /// Does the work once from nothing and returns the output.
    pub(crate) fn check(&mut self, work: &Work) -> Result<Vec<u8>, Failure> {
        let mut buffers = Buffers::new(work, Contract::Hot, false, 1);
        self.0.make()?;
        self.0.set_key(&buffers.keys[0])?;
        self.0.once(&mut buffers)
    }

    /// Makes the object and does the work once, timing each step; the output
    /// stays in `buffers`. Returns nanoseconds for object, key and message.
    pub(crate) fn first(&mut self, buffers: &mut Buffers) -> Result<[u64; 3], Failure> {
        let start = Instant::now();
        self.0.make()?;
        let made = Instant::now();
        self.0.set_key(&buffers.keys[0])?;
        let keyed = Instant::now();
        let result = self.0.once(buffers);
        let done = Instant::now();
        result?;
        Ok([made - start, keyed - made, done - keyed].map(|d| d.as_nanos() as u64))
    }

    /// Does the work again with its first key and nonce.
    pub(crate) fn again(&mut self, buffers: &mut Buffers) -> Result<Vec<u8>, Failure> {
        buffers.rewind();
        self.0.set_key(&buffers.keys[0])?;
        self.0.once(buffers)
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
            self.0.once(buffers)?;
        }
        buffers.rewind();
        Ok(self.0.once(buffers)? != first)
    }

    /// One sample in nanoseconds.
    pub(crate) fn time(
        &mut self,
        contract: Contract,
        buffers: &mut Buffers,
        warm: u64,
        calls: u64,
    ) -> Result<u64, Failure> {
        self.0.repeat(contract, buffers, warm)?;
        let start = Instant::now();
        self.0.repeat(contract, buffers, calls)?;
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
        let warmed = Barrier::new(threads as usize + 1);
        let (ns, results) = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|index| {
                    let mut cell = Cell(self.0.sibling());
                    let mut buffers = buffers.clone();
                    let warmed = &warmed;
                    scope.spawn(move || {
                        crate::clock::pin_to_nth_cpu(index as usize);
                        let ready = cell
                            .0
                            .make()
                            .and_then(|()| cell.0.set_key(&buffers.keys[0]))
                            .and_then(|()| cell.0.repeat(contract, &mut buffers, warm));
                        warmed.wait();
                        ready.and_then(|()| cell.0.repeat(contract, &mut buffers, calls))
                    })
                })
                .collect();
            warmed.wait();
            let start = Instant::now();
            let results: Vec<_> = workers
                .into_iter()
                .map(std::thread::ScopedJoinHandle::join)
                .collect();
            (start.elapsed().as_nanos() as u64, results)
        });
        for result in results {
            result.unwrap_or_else(|_| Err(Failure::failed("a timing thread panicked")))?;
        }
        Ok(ns)
    }
}

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
    fn new(work: &Work, contract: Contract, fresh: bool, messages: u32) -> Self {
        let all: Vec<Work> = (0..messages)
            .map(|index| work.nth(index, contract, fresh))
            .collect();
        let joined =
            |part: &dyn Fn(&Work) -> Vec<u8>| all.iter().flat_map(part).collect::<Vec<u8>>();
        // The phrase of crypt(3) is its message, wherever it stands.
        let phrase = work.operation == "crypt" && !work.key.is_empty();
        let first_nonces: Vec<u8> = joined(&|work| work.nonce.to_vec());
        Self {
            messages: messages as usize,
            keys: if contract == Contract::ManyKeyed && !phrase {
                joined(&|work| work.key.to_vec())
            } else {
                Vec::new()
            },
            nonces: first_nonces.clone(),
            first_nonces,
            inputs: Placed::new(
                joined(&|work| if phrase { &work.key } else { &work.input }.to_vec()),
                INPUT,
            ),
        }
    }
}

impl Buffers {
    pub(crate) fn new(work: &Work, contract: Contract, fresh: bool, messages: u32) -> Self {
        let many = contract
            .is_many()
            .then(|| Many::new(work, contract, fresh, messages));
        let key = work.key.to_vec();
        // The second key differs in every byte, and stays a valid key wherever
        // any byte string of that length is one.
        let other = key.iter().map(|b| b ^ 0x5a).collect();
        let input = work.input.to_vec();
        let room = work.length.unwrap_or(input.len()) + 256;
        let room = room * many.as_ref().map_or(1, |many| many.messages);
        Self {
            keys: [key, other],
            first_nonce: work.nonce.to_vec(),
            nonce: work.nonce.to_vec(),
            aad: work.aad.to_vec(),
            output: Placed::new(vec![0; room], OUTPUT),
            input: Placed::new(input, INPUT),
            fresh,
            many,
        }
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
