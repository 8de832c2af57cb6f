//! The worker's conversation with the lab over stdin and stdout.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use touchstone_wire::{Contract, Library, Offer, PROTOCOL, Reply, Request, Work, fnv1a};

use crate::cell::Buffers;
use crate::{Cell, Failure};

/// One library as the lab sees it.
pub trait Adapter {
    /// Facts about the library, from the loaded object itself.
    fn library(&self) -> Library;

    /// Everything that it can do here.
    fn offers(&self) -> Vec<Offer>;

    /// Makes a cell for this work. Parameters that the library does not take
    /// (a nonce length, a tag length) are [`Failure::Unsupported`]; the key's
    /// and data's bytes are none of its business.
    fn cell(&self, work: &Work) -> Result<Cell, Failure>;

    /// Like [`Adapter::cell`], but the library finds the algorithm each time
    /// that an object is made. Only where an offer says `implicit`.
    fn implicit(&self, work: &Work) -> Result<Cell, Failure> {
        Err(Failure::unsupported(format_args!(
            "{} {} without fetching it first",
            work.primitive, work.operation
        )))
    }
}

/// `offers` and `cell` of an [`Adapter`] whose algorithms come in families, a
/// module each. A module has two functions:
///
/// ```text
/// fn offers(&Library) -> Vec<Offer>
/// fn cell(&Library, &Work) -> Option<Result<Cell, Failure>>   None: not of this family
/// ```
///
/// Where the library is linked in there is nothing to pass: `families!(of () cipher, …)`.
#[macro_export]
macro_rules! families {
    (of () $($family:ident),+ $(,)?) => {
        fn offers(&self) -> Vec<$crate::Offer> {
            [$($family::offers()),+].concat()
        }

        fn cell(&self, work: &$crate::Work) -> Result<$crate::Cell, $crate::Failure> {
            None
                $(.or_else(|| $family::cell(work)))+
                .unwrap_or_else(|| Err($crate::Failure::not_offered(work)))
        }
    };
    ($($family:ident),+ $(,)?) => {
        fn offers(&self) -> Vec<$crate::Offer> {
            [$($family::offers(self)),+].concat()
        }

        fn cell(&self, work: &$crate::Work) -> Result<$crate::Cell, $crate::Failure> {
            None
                $(.or_else(|| $family::cell(self, work)))+
                .unwrap_or_else(|| Err($crate::Failure::not_offered(work)))
        }
    };
}

struct Open {
    cell: Cell,
    contract: Contract,
    buffers: Buffers,
}

/// Runs a worker: answers the lab until it says `bye` or closes the pipe.
///
/// `load` gets the path that the lab asks for, empty for none, and returns the
/// adapter, or the sentence that tells the user why the library is absent.
pub fn serve<A: Adapter>(load: impl FnOnce(&str) -> Result<A, String>) -> ExitCode {
    match converse(load, io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("worker: {error}");
            ExitCode::FAILURE
        }
    }
}

fn converse<A: Adapter>(
    load: impl FnOnce(&str) -> Result<A, String>,
    input: impl BufRead,
    output: impl Write,
) -> io::Result<()> {
    let mut output = io::BufWriter::new(output);
    let mut requests = input.lines();
    let mut next = || -> io::Result<Option<Request>> {
        let Some(line) = requests.next() else {
            return Ok(None);
        };
        Request::parse(&line?).map(Some).map_err(io::Error::other)
    };

    let adapter = match next()? {
        Some(Request::Hello { protocol, path }) => {
            let loaded = if protocol == PROTOCOL {
                load(&path)
            } else {
                Err(format!(
                    "this worker speaks protocol {PROTOCOL}, not {protocol}"
                ))
            };
            match loaded {
                Ok(adapter) => adapter,
                Err(reason) => {
                    writeln!(output, "{}", Reply::Absent { reason }.line())?;
                    return output.flush();
                }
            }
        }
        None | Some(Request::Bye) => return Ok(()),
        Some(_) => return Err(io::Error::other("the first message must be hello")),
    };
    writeln!(output, "{}", Reply::Library(adapter.library()).line())?;
    for offer in adapter.offers() {
        writeln!(output, "{}", Reply::Offer(offer).line())?;
    }
    writeln!(output, "{}", Reply::Ready.line())?;
    output.flush()?;

    let mut open: HashMap<u32, Open> = HashMap::new();
    while let Some(request) = next()? {
        let reply = match request {
            Request::Bye => return Ok(()),
            Request::Hello { .. } => Err(Failure::failed("hello comes once")),
            Request::Check(work) => adapter
                .cell(&work)
                .and_then(|mut cell| cell.check(&work))
                .map(|output| Reply::Output { output }),
            Request::Open {
                id,
                contract,
                fresh,
                messages,
                work,
            } => match contract {
                Contract::Implicit => adapter.implicit(&work),
                _ => adapter.cell(&work),
            }
            .and_then(|mut cell| {
                let mut buffers = Buffers::new(&work, contract, fresh, messages);
                let [open_ns, key_ns, first_ns] = cell.first(&mut buffers)?;
                if cell.remembers(&mut buffers)? {
                    return Err(Failure::failed(
                        "a message's output depends on the messages before it",
                    ));
                }
                let digest = fnv1a(&cell.again(&mut buffers)?);
                open.insert(
                    id,
                    Open {
                        cell,
                        contract,
                        buffers,
                    },
                );
                Ok(Reply::Opened {
                    id,
                    open_ns,
                    key_ns,
                    first_ns,
                    digest,
                })
            }),
            Request::Time {
                id,
                calls,
                warm,
                threads,
            } => with(&mut open, id, |o| {
                let ns = if threads <= 1 {
                    o.cell.time(o.contract, &mut o.buffers, warm, calls)
                } else {
                    o.cell
                        .time_threads(o.contract, &o.buffers, warm, calls, threads)
                }?;
                Ok(Reply::Timed { id, ns })
            }),
            Request::Run { id } => with(&mut open, id, |o| {
                let digest = fnv1a(&o.cell.again(&mut o.buffers)?);
                Ok(Reply::Ran { id, digest })
            }),
            Request::Close { id } => {
                open.remove(&id);
                Ok(Reply::Closed { id })
            }
        };
        let reply = reply.unwrap_or_else(|failure| match failure {
            Failure::Rejected => Reply::Rejected,
            Failure::Unsupported(reason) => Reply::Unsupported { reason },
            Failure::Failed(reason) => Reply::Failed { reason },
        });
        writeln!(output, "{}", reply.line())?;
        output.flush()?;
    }
    Ok(())
}

fn with(
    open: &mut HashMap<u32, Open>,
    id: u32,
    answer: impl FnOnce(&mut Open) -> Result<Reply, Failure>,
) -> Result<Reply, Failure> {
    open.get_mut(&id)
        .ok_or_else(|| Failure::failed(format_args!("no cell {id} is open")))
        .and_then(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Batch, Message, Operation, offer};

    /// Adds the key's first byte to every input byte; refuses input 0xff.
    struct Shift(u8);

    impl Operation for Shift {
        fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
            self.0 = *key
                .first()
                .ok_or_else(|| Failure::unsupported("an empty key"))?;
            Ok(())
        }

        fn process(&mut self, m: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
            if m.input.contains(&0xff) {
                return Err(Failure::Rejected);
            }
            for (out, byte) in output.iter_mut().zip(m.input) {
                *out = byte.wrapping_add(self.0);
            }
            Ok(m.input.len())
        }

        fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Result<usize, Failure> {
            let length = batch.length();
            let mut keys = batch.keys();
            for ((nonce, input), out) in batch
                .nonces()
                .zip(batch.inputs())
                .zip(output.chunks_exact_mut(length))
            {
                if !batch.keys.is_empty() {
                    self.set_key(keys.next().unwrap_or_default())?;
                }
                let message = Message {
                    nonce,
                    aad: &[],
                    input,
                };
                self.process(&message, out)?;
            }
            Ok(length)
        }
    }

    struct Toy;

    impl Adapter for Toy {
        fn library(&self) -> Library {
            Library {
                name: "toy".into(),
                ..Library::default()
            }
        }

        fn offers(&self) -> Vec<Offer> {
            vec![offer("shift", "stream-encrypt", "Shift")]
        }

        fn cell(&self, work: &Work) -> Result<Cell, Failure> {
            match work.primitive.as_str() {
                "shift" => Ok(Cell::new(|| Ok(Shift(0)))),
                other => Err(Failure::unsupported(other)),
            }
        }
    }

    fn talk(script: &str) -> Vec<String> {
        let mut out = Vec::new();
        converse(|_| Ok(Toy), script.as_bytes(), &mut out).unwrap();
        String::from_utf8(out)
            .unwrap()
            .lines()
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn a_conversation() {
        let said = talk(
            "hello protocol=1\n\
             check primitive=shift operation=stream-encrypt key=01 input=0001fe\n\
             check primitive=shift operation=stream-encrypt key=01 input=ff\n\
             check primitive=shift operation=stream-encrypt input=00\n\
             check primitive=rot operation=stream-encrypt key=01 input=00\n\
             open id=4 contract=rekeyed fresh=1 primitive=shift operation=stream-encrypt key=01 nonce=ff input=painted:3\n\
             time id=4 calls=100 warm=10\n\
             time id=4 calls=100 threads=2\n\
             run id=4\n\
             close id=4\n\
             run id=4\n\
             bye\n",
        );
        assert_eq!(
            &said[..3],
            [
                "library name=toy",
                "offer primitive=shift operation=stream-encrypt api=Shift",
                "ready"
            ]
        );
        assert_eq!(said[3], "output output=0102ff");
        assert_eq!(said[4], "rejected");
        assert!(said[5].starts_with("unsupported "), "{}", said[5]);
        assert!(said[6].starts_with("unsupported "), "{}", said[6]);
        let digest = format!("digest={:016x}", fnv1a(&[1, 2, 3]));
        assert!(
            said[7].starts_with("opened id=4 ") && said[7].ends_with(&digest),
            "{}",
            said[7]
        );
        assert!(said[8].starts_with("timed id=4 ns=") && said[9].starts_with("timed id=4 ns="));
        assert_eq!(said[10], format!("ran id=4 {digest}"));
        assert_eq!(said[11], "closed id=4");
        assert!(said[12].starts_with("failed "), "{}", said[12]);
    }

    #[test]
    fn many_messages_are_those_of_the_rule_and_implicit_must_be_offered() {
        let said = talk(
            "hello protocol=1\n\
             open id=1 contract=many messages=3 fresh=1 primitive=shift operation=stream-encrypt key=01 nonce=00 input=0a00\n\
             time id=1 calls=5 warm=1\n\
             time id=1 calls=5 threads=2\n\
             run id=1\n\
             open id=2 contract=many-keyed messages=2 fresh=1 primitive=shift operation=stream-encrypt key=01 nonce=00 input=0a00\n\
             open id=3 contract=implicit primitive=shift operation=stream-encrypt key=01 input=0a\n\
             bye\n",
        );
        // Message i has i added to every even byte; with keys of its own, so has
        // key i.
        let many = format!("digest={:016x}", fnv1a(&[11, 1, 12, 1, 13, 1]));
        assert!(said[3].ends_with(&many), "{}", said[3]);
        assert!(said[4].starts_with("timed id=1 ns=") && said[5].starts_with("timed id=1 ns="));
        assert_eq!(said[6], format!("ran id=1 {many}"));
        let keyed = format!("digest={:016x}", fnv1a(&[11, 1, 13, 2]));
        assert!(said[7].ends_with(&keyed), "{}", said[7]);
        assert!(said[8].starts_with("unsupported "), "{}", said[8]);
    }

    #[test]
    fn absence_is_an_answer() {
        let mut out = Vec::new();
        let load = |_: &str| Err::<Toy, _>("install it".to_owned());
        converse(load, &b"hello protocol=1\n"[..], &mut out).unwrap();
        assert_eq!(out, b"absent reason=install%20it\n");
        out.clear();
        converse(|_| Ok(Toy), &b"hello protocol=99\n"[..], &mut out).unwrap();
        assert!(out.starts_with(b"absent reason="));
    }
}
