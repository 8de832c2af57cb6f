//! A cell is one operation of one primitive, ready to be timed. This module says how a cell is
//! called, and contains the loop that is timed.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::{Arc, mpsc};
use std::time::Instant;

use touchstone_wire::{Contract, Data};

use crate::buffers::Buffers;
use crate::operation::Operation;
use crate::{Failure, Work};

/// Makes objects of one type. Only this trait's code is compiled separately for each type of
/// object.
trait Maker: Send + Sync {
    /// Makes an object on the heap, to keep it.
    fn make(&self) -> Result<Box<dyn Operation>, Failure>;

    /// Makes an object in the place where users of the library have it (on the stack, if the
    /// library needs no allocation), passes it to `then`, and destroys it.
    fn make_for(&self, then: &mut Visitor<'_>) -> Result<(), Failure>;
}

/// A function that uses an object while the object exists, for one call.
type Visitor<'a> = dyn FnMut(&mut dyn Operation) -> Result<(), Failure> + 'a;

impl<O, F> Maker for F
where
    O: Operation + 'static,
    F: Fn() -> Result<O, Failure> + Send + Sync,
{
    fn make(&self) -> Result<Box<dyn Operation>, Failure> {
        Ok(Box::new(self()?))
    }

    fn make_for(&self, then: &mut Visitor<'_>) -> Result<(), Failure> {
        then(&mut self()?)
    }
}

/// A way to make objects for one [`Work`]. Steps that a program does once (looking up an algorithm
/// by name, fetching it) are done before the cell is made. Steps that a program does for each
/// object are done by the cell.
pub struct Cell {
    maker: Arc<dyn Maker>,
    object: Option<Box<dyn Operation>>,
    outputs: Vec<(&'static str, usize)>,
}

impl Cell {
    /// Makes a cell from the function that makes one object.
    pub fn new<O, F>(make: F) -> Self
    where
        O: Operation + 'static,
        F: Fn() -> Result<O, Failure> + Send + Sync + 'static,
    {
        Self::of(Arc::new(make))
    }

    /// The length of an output that takes all bytes after the outputs before it.
    pub const REST: usize = usize::MAX;

    fn of(maker: Arc<dyn Maker>) -> Self {
        Self {
            maker,
            object: None,
            outputs: Vec::new(),
        }
    }

    /// Gives the outputs of an operation with several outputs: their names and lengths in bytes, in
    /// the order in which [`Operation::process`] writes them. The last output may have the length
    /// [`Cell::REST`], if its length differs from call to call.
    #[must_use]
    pub fn gives(mut self, outputs: &[(&'static str, usize)]) -> Self {
        self.outputs = outputs.to_vec();
        self
    }

    /// Splits the bytes that a call wrote into outputs, by name.
    pub(crate) fn named(&self, written: Vec<u8>) -> Result<BTreeMap<String, Data>, Failure> {
        let name = |name: &str, bytes: Vec<u8>| (name.to_owned(), Data::Bytes(bytes));
        if self.outputs.is_empty() {
            let some = (!written.is_empty()).then(|| name("output", written));
            return Ok(some.into_iter().collect());
        }
        let mut rest = &written[..];
        let mut outputs = BTreeMap::new();
        for (output, bytes) in &self.outputs {
            let bytes = if *bytes == Self::REST {
                rest.len()
            } else {
                *bytes
            };
            let (piece, after) = rest
                .split_at_checked(bytes)
                .ok_or_else(|| Failure::failed(format_args!("the output {output} is cut")))?;
            outputs.extend([name(output, piece.to_vec())]);
            rest = after;
        }
        Ok(outputs)
    }

    fn object(&mut self) -> Result<&mut dyn Operation, Failure> {
        match &mut self.object {
            Some(object) => Ok(&mut **object),
            None => Err(Failure::failed("no object was made")),
        }
    }

    fn make(&mut self) -> Result<(), Failure> {
        self.object = Some(self.maker.make()?);
        Ok(())
    }

    /// Makes an object, sets the key, processes the message, and returns the output.
    pub(crate) fn check(&mut self, work: &Work) -> Result<Vec<u8>, Failure> {
        let mut buffers = Buffers::once(work);
        self.make()?;
        self.again(&mut buffers)
    }

    /// Makes the object, sets the key and processes the first message, and times each of the three
    /// steps. Returns the three times in nanoseconds.
    pub(crate) fn first(&mut self, buffers: &mut Buffers) -> Result<[u64; 3], Failure> {
        buffers.rewind();
        let start = Instant::now();
        self.make()?;
        let made = Instant::now();
        self.object()?.set_key(buffers.key(0))?;
        let keyed = Instant::now();
        let result = buffers.first(self.object()?);
        let done = Instant::now();
        result?;
        Ok([made - start, keyed - made, done - keyed].map(|d| d.as_nanos() as u64))
    }

    /// Sets the first key and processes the first message again. Returns the output.
    pub(crate) fn again(&mut self, buffers: &mut Buffers) -> Result<Vec<u8>, Failure> {
        buffers.rewind();
        let object = self.object()?;
        object.set_key(buffers.key(0))?;
        buffers.first(object)?;
        buffers.deliver(object)?;
        buffers.last_output().map(<[u8]>::to_vec)
    }

    /// Returns whether the output for a message depends on the calls before it. To find out, other
    /// nonces are used in between, and the key is not set again. The answer matters only for
    /// operations with a nonce: without a nonce, a stream cipher continues its keystream.
    pub(crate) fn remembers(&mut self, buffers: &mut Buffers) -> Result<bool, Failure> {
        if !buffers.have_fresh_nonces() {
            return Ok(false);
        }
        let first = self.again(buffers)?;
        let object = self.object()?;
        for _ in 0..2 {
            buffers.next(object)?;
        }
        buffers.rewind();
        buffers.first(object)?;
        buffers.deliver(object)?;
        Ok(buffers.last_output()? != first)
    }

    /// Asks the object for the output of the last call of a sample. The objects of the contracts
    /// that go from bytes to bytes have given their outputs in the sample.
    pub(crate) fn deliver(
        &mut self,
        contract: Contract,
        buffers: &mut Buffers,
    ) -> Result<(), Failure> {
        match contract {
            Contract::Keyed | Contract::Implicit => Ok(()),
            _ => buffers.deliver(self.object()?),
        }
    }

    /// Takes one sample and returns its time in nanoseconds.
    pub(crate) fn time(
        &mut self,
        contract: Contract,
        buffers: &mut Buffers,
        warm: u64,
        calls: u64,
    ) -> Result<u64, Failure> {
        self.repeat(contract, buffers, warm)?;
        let start = Instant::now();
        self.repeat(contract, buffers, calls)?;
        Ok(start.elapsed().as_nanos() as u64)
    }

    /// Returns the loop that is timed. The compiler makes only one copy of it, for all libraries.
    #[inline(never)]
    fn repeat(
        &mut self,
        contract: Contract,
        buffers: &mut Buffers,
        calls: u64,
    ) -> Result<(), Failure> {
        let maker = Arc::clone(&self.maker);
        // `black_box` hides from the compiler which library is behind the pointer.
        let object = black_box(self.object()?);
        match contract {
            Contract::Hot
            | Contract::Many
            | Contract::ManyKeyed
            | Contract::InPlace
            | Contract::Latency => buffers.repeat(object, calls, |_, _| Ok(()))?,
            // The loop for an implicit cell is the same; only its maker differs.
            Contract::Keyed | Contract::Implicit => {
                for _ in 0..calls {
                    maker.make_for(&mut |object| {
                        object.set_key(buffers.key(0))?;
                        buffers.next(object)?;
                        buffers.deliver(object)
                    })?;
                }
            }
            Contract::Rekeyed => {
                buffers.repeat(object, calls, |object, key| object.set_key(key))?
            }
            Contract::Setup => {
                for call in 0..calls {
                    object.set_key(buffers.key(call))?;
                }
            }
        }
        Ok(())
    }

    /// Takes one sample over several threads, each with its own object and buffers. The time is
    /// from the moment when the first thread begins until the last thread has ended.
    pub(crate) fn time_threads(
        &self,
        contract: Contract,
        buffers: &Buffers,
        warm: u64,
        calls: u64,
        threads: u32,
        cpus: &[usize],
    ) -> Result<u64, Failure> {
        if u64::from(threads).saturating_mul(buffers.bytes() as u64) > MOST_OF_THREADS {
            return Err(Failure::unsupported(format_args!(
                "{threads} threads with messages so long"
            )));
        }
        // A thread waits at this gate after its untimed calls, without sleeping: the system takes
        // tens of microseconds to wake a thread, which is as long as a short sample.
        let gate = AtomicU8::new(CLOSED);
        let (warm_ones, warmed) = mpsc::channel();
        let results = std::thread::scope(|scope| {
            let workers: Result<Vec<_>, _> = (0..threads)
                .map(|index| {
                    let maker = Arc::clone(&self.maker);
                    let mut buffers = buffers.clone();
                    let (gate, warm_ones) = (&gate, warm_ones.clone());
                    std::thread::Builder::new().spawn_scoped(scope, move || {
                        crate::cpus::pin_to_nth(index as usize, cpus);
                        // An object is used only by the thread that made it.
                        let mut cell = Self::of(maker);
                        let ready = cell
                            .make()
                            .and_then(|()| cell.object()?.set_key(buffers.key(0)))
                            .and_then(|()| cell.repeat(contract, &mut buffers, warm));
                        let _ = warm_ones.send(());
                        while gate.load(Acquire) == CLOSED {
                            std::thread::yield_now();
                        }
                        ready?;
                        let start = Instant::now();
                        if gate.load(Acquire) == OPEN {
                            cell.repeat(contract, &mut buffers, calls)?;
                        }
                        Ok((start, Instant::now()))
                    })
                })
                .collect();
            drop(warm_ones);
            if workers.is_ok() {
                warmed.iter().take(threads as usize).for_each(drop);
            }
            gate.store(if workers.is_ok() { OPEN } else { GIVEN_UP }, Release);
            workers.map(|workers| {
                let joined = workers.into_iter().map(std::thread::ScopedJoinHandle::join);
                joined.collect::<Vec<_>>()
            })
        });
        let results = results.map_err(|error| {
            Failure::unsupported(format_args!("{threads} threads here: {error}"))
        })?;
        let times: Vec<(Instant, Instant)> = results
            .into_iter()
            .map(|result| {
                result.unwrap_or_else(|_| Err(Failure::failed("a timing thread panicked")))
            })
            .collect::<Result<_, _>>()?;
        let first = times.iter().map(|(start, _)| *start).min();
        let last = times.iter().map(|(_, end)| *end).max();
        let ns = first
            .zip(last)
            .map_or(0, |(first, last)| (last - first).as_nanos() as u64);
        Ok(ns)
    }
}

/// States of the gate at which threads wait before the timed calls.
const CLOSED: u8 = 0;
const OPEN: u8 = 1;
/// A thread could not be started, so the other threads must not be timed.
const GIVEN_UP: u8 = 2;
/// The most bytes that the buffers of all threads of a sample may take.
const MOST_OF_THREADS: u64 = 1 << 30;
