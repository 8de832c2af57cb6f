//! One primitive × operation made ready: how it is called, and how the calls
//! are timed.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::{Arc, RwLock, mpsc};
use std::time::Instant;

use touchstone_wire::{Contract, Data};

use crate::buffers::Buffers;
use crate::operation::Operation;
use crate::{Failure, Work};

/// Makes objects of one type. This is all that is compiled for each type.
trait Maker: Send + Sync {
    /// An object to keep.
    fn make(&self) -> Result<Box<dyn Operation>, Failure>;

    /// Makes an object where the library's users would have it (on the stack, if the
    /// library needs no allocation), passes it on and destroys it.
    fn make_for(&self, then: &mut Visitor<'_>) -> Result<(), Failure>;
}

/// What is done with an object that lives for one call.
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

/// A way to make objects for one [`Work`]: everything that a program does once
/// (look-ups by name, fetches) is behind it, everything that it does per object
/// is inside it.
pub struct Cell {
    maker: Arc<dyn Maker>,
    object: Option<Box<dyn Operation>>,
    outputs: &'static [(&'static str, usize)],
}

impl Cell {
    /// A cell from the function that makes one object.
    pub fn new<O, F>(make: F) -> Self
    where
        O: Operation + 'static,
        F: Fn() -> Result<O, Failure> + Send + Sync + 'static,
    {
        Self::of(Arc::new(make))
    }

    fn of(maker: Arc<dyn Maker>) -> Self {
        Self {
            maker,
            object: None,
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

    /// Does the work once from nothing and returns the output.
    pub(crate) fn check(&mut self, work: &Work) -> Result<Vec<u8>, Failure> {
        let mut buffers = Buffers::once(work);
        self.make()?;
        self.again(&mut buffers)
    }

    /// Makes the object and does the first message once, timing each step. Returns
    /// nanoseconds for object, key and message.
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

    /// Does the first message again under the first key. Returns the output.
    pub(crate) fn again(&mut self, buffers: &mut Buffers) -> Result<Vec<u8>, Failure> {
        buffers.rewind();
        let object = self.object()?;
        object.set_key(buffers.key(0))?;
        buffers.first(object)?;
        buffers.last_output().map(<[u8]>::to_vec)
    }

    /// Whether a message's output depends on the messages before it: other
    /// nonces in between, and no key set-up. Only asked of operations with a
    /// nonce; without one, a stream goes on where it was.
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
        Ok(buffers.last_output()? != first)
    }

    /// One sample in nanoseconds.
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

    /// The loop that is timed. It is compiled once, for all libraries.
    #[inline(never)]
    fn repeat(
        &mut self,
        contract: Contract,
        buffers: &mut Buffers,
        calls: u64,
    ) -> Result<(), Failure> {
        let maker = Arc::clone(&self.maker);
        // Nobody knows here what stands behind the pointer.
        let object = black_box(self.object()?);
        match contract {
            Contract::Hot
            | Contract::Many
            | Contract::ManyKeyed
            | Contract::InPlace
            | Contract::Latency => {
                for _ in 0..calls {
                    buffers.next(object)?;
                }
            }
            // The maker of an implicit cell is what differs.
            Contract::Keyed | Contract::Implicit => {
                for _ in 0..calls {
                    maker.make_for(&mut |object| {
                        object.set_key(buffers.key(0))?;
                        buffers.next(object)
                    })?;
                }
            }
            Contract::Rekeyed => {
                for call in 0..calls {
                    object.set_key(buffers.key(call))?;
                    buffers.next(object)?;
                }
            }
            Contract::Setup => {
                for call in 0..calls {
                    object.set_key(buffers.key(call))?;
                }
            }
        }
        Ok(())
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
        cpus: &[usize],
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
                    let maker = Arc::clone(&self.maker);
                    let mut buffers = buffers.clone();
                    let (gate, warm_ones) = (&gate, warm_ones.clone());
                    std::thread::Builder::new().spawn_scoped(scope, move || {
                        crate::cpus::pin_to_nth(index as usize, cpus);
                        // An object is used by the thread that made it alone.
                        let mut cell = Self::of(maker);
                        let ready = cell
                            .make()
                            .and_then(|()| cell.object()?.set_key(buffers.key(0)))
                            .and_then(|()| cell.repeat(contract, &mut buffers, warm));
                        let _ = warm_ones.send(());
                        let begin = *gate.read().expect("the gate is only opened");
                        match ready {
                            Ok(()) if begin => cell.repeat(contract, &mut buffers, calls),
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
