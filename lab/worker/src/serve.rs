//! The worker's side of the protocol, over stdin and stdout.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use touchstone_wire::{
    Contract, Data, LONGEST_LINE, Library, Offer, PROTOCOL, Reply, Request, fnv1a,
};

use crate::buffers::Buffers;
use crate::{Cell, Failure, Work};

/// A library for which this program is a worker.
pub trait Adapter {
    /// Returns facts about the library. If possible, they come from the loaded object itself.
    fn library(&self) -> Library;

    /// Returns all operations that the library offers on this machine.
    fn offers(&self) -> Vec<Offer>;

    /// Makes a cell for this work. For parameters that the library does not support (a length of a
    /// nonce or a tag), the result is [`Failure::Unsupported`]. The cell must not depend on the
    /// bytes of the key and of the data.
    fn cell(&self, work: &Work) -> Result<Cell, Failure>;

    /// Returns the name of the kernel that the library chose for this algorithm. Empty if the
    /// library does not tell the name.
    fn kernel(&self, primitive: &str, operation: &str) -> String {
        let _ = (primitive, operation);
        String::new()
    }

    /// Like [`Adapter::cell`], but the library looks up the algorithm each time an object is made.
    /// Called only if the offer says `implicit`.
    fn implicit(&self, work: &Work) -> Result<Cell, Failure> {
        Err(Failure::unsupported(format_args!(
            "{} {} without fetching it first",
            work.primitive, work.operation
        )))
    }
}

/// Writes the functions `offers` and `cell` of an [`Adapter`] from its families of algorithms. A
/// family is a type that is a [`Plan`](crate::Plan), or a module with these two functions:
///
/// ```text
/// fn offers(&Library) -> Vec<Offer>
/// fn cell(&Library, &Work) -> Option<Result<Cell, Failure>>   None: not of this family
/// ```
///
/// A family of a shape is the shape's module in this crate, `of` a function that returns the part
/// of the library that has the shape, or `None` if the loaded library lacks the part:
///
/// ```text
/// families!(cipher::Cipher, public of |library| Some(library.api), random of Drbg::of)
/// ```
///
/// If the library is linked into the worker, there is no library to pass:
/// `families!(of () cipher, …)`.
#[macro_export]
macro_rules! families {
    (@offers $library:ident, $shape:ident, $of:expr) => {{
        let of: fn(&Self) -> Option<_> = $of;
        of($library).map_or_else(Vec::new, |part| $crate::$shape::offers(&part))
    }};
    (@offers $library:ident, $($family:ident)::+) => { $($family)::+::offers($library) };
    (@cell $library:ident, $work:ident, $shape:ident, $of:expr) => {{
        let of: fn(&Self) -> Option<_> = $of;
        let part = if $crate::$shape::covers($work) { of($library) } else { None };
        part.and_then(|part| $crate::$shape::cell(&part, $work))
    }};
    (@cell $library:ident, $work:ident, $($family:ident)::+) => {
        $($family)::+::cell($library, $work)
    };
    (of () $($($family:ident)::+),+ $(,)?) => {
        fn offers(&self) -> Vec<$crate::Offer> {
            #[allow(unused_imports)]
            use $crate::Plan as _;
            [$($($family)::+::offers()),+].concat()
        }

        fn cell(&self, work: &$crate::Work) -> Result<$crate::Cell, $crate::Failure> {
            #[allow(unused_imports)]
            use $crate::Plan as _;
            None
                $(.or_else(|| $($family)::+::cell(work)))+
                .unwrap_or_else(|| Err($crate::Failure::not_offered(work)))
        }
    };
    ($($($family:ident)::+ $(of $of:expr)?),+ $(,)?) => {
        fn offers(&self) -> Vec<$crate::Offer> {
            #[allow(unused_imports)]
            use $crate::Plan as _;
            [$($crate::families!(@offers self, $($family)::+ $(, $of)?)),+].concat()
        }

        fn cell(&self, work: &$crate::Work) -> Result<$crate::Cell, $crate::Failure> {
            #[allow(unused_imports)]
            use $crate::Plan as _;
            None
                $(.or_else(|| $crate::families!(@cell self, work, $($family)::+ $(, $of)?)))+
                .unwrap_or_else(|| Err($crate::Failure::not_offered(work)))
        }
    };
}

struct Open {
    cell: Cell,
    contract: Contract,
    buffers: Buffers,
}

/// Runs a worker: answers the lab's requests until the lab sends `bye` or closes the pipe.
///
/// `load` gets the path of the library that the lab asks for, or an empty path if the lab gives no
/// path. `load` returns the adapter, or a sentence that tells the user why the library is absent.
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

/// Runs the worker of a library that is linked into it. `what` begins the sentence that refuses a
/// path: "ring is".
pub fn serve_linked<A: Adapter>(what: &str, adapter: A) -> ExitCode {
    serve(|path| match path {
        "" => Ok(adapter),
        _ => Err(format!("{what} linked in; there is no object to load")),
    })
}

fn converse<A: Adapter>(
    load: impl FnOnce(&str) -> Result<A, String>,
    input: impl BufRead,
    output: impl Write,
) -> io::Result<()> {
    let mut output = io::BufWriter::new(output);
    let mut input = input;
    let mut next = || -> io::Result<Option<Request>> {
        let mut line = String::new();
        let read = io::Read::take(&mut input, LONGEST_LINE as u64).read_line(&mut line)?;
        match read {
            0 => Ok(None),
            LONGEST_LINE.. if !line.ends_with('\n') => {
                Err(io::Error::other("a request that is too long"))
            }
            _ => Request::parse(&line).map(Some).map_err(io::Error::other),
        }
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
    for mut offer in adapter.offers() {
        if offer.kernel.is_empty() {
            offer.kernel = adapter.kernel(&offer.primitive, &offer.operation);
        }
        writeln!(output, "{}", Reply::Offer(offer).line())?;
    }
    writeln!(output, "{}", Reply::Ready.line())?;
    output.flush()?;

    let mut open: HashMap<u32, Open> = HashMap::new();
    while let Some(request) = next()? {
        let reply = match request {
            Request::Bye => return Ok(()),
            Request::Hello { .. } => Err(Failure::failed("hello comes once")),
            Request::Check { work } => Work::unpack(&work).and_then(|work| {
                let mut cell = adapter.cell(&work)?;
                let outputs = cell.check(&work)?;
                let outputs = cell.named(outputs)?;
                Ok(Reply::Output { outputs })
            }),
            Request::Open {
                id,
                contract,
                messages,
                vary,
                second,
                work,
            } => Work::unpack(&work).and_then(|work| {
                let mut cell = match contract {
                    Contract::Implicit => adapter.implicit(&work)?,
                    _ => adapter.cell(&work)?,
                };
                let mut buffers = Buffers::new(&work, contract, &vary, &second, messages)?;
                let [open_ns, key_ns, first_ns] = cell.first(&mut buffers)?;
                if cell.remembers(&mut buffers)? {
                    return Err(Failure::failed(
                        "a message's output depends on the messages before it",
                    ));
                }
                cell.again(&mut buffers)?;
                let digest = digest(&cell, &buffers)?;
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
                cpus,
                digest: asked,
            } => with(&mut open, id, |o| {
                let ns = if threads <= 1 {
                    o.cell.time(o.contract, &mut o.buffers, warm, calls)
                } else {
                    o.cell
                        .time_threads(o.contract, &o.buffers, warm, calls, threads, &cpus)
                }?;
                let digest = (asked && threads <= 1).then(|| {
                    o.cell.deliver(o.contract, &mut o.buffers)?;
                    digest(&o.cell, &o.buffers)
                });
                Ok(Reply::Timed {
                    id,
                    ns,
                    digest: digest.transpose()?,
                })
            }),
            Request::Run { id } => with(&mut open, id, |o| {
                o.cell.again(&mut o.buffers)?;
                let digest = digest(&o.cell, &o.buffers)?;
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

/// Returns the fingerprint of the outputs of the last call. The outputs of one message are joined
/// in the order of their names; the outputs of several messages are joined in the order of the
/// messages.
fn digest(cell: &Cell, buffers: &Buffers) -> Result<u64, Failure> {
    let written = buffers.last_output()?;
    if buffers.are_many() {
        return Ok(fnv1a(written));
    }
    let outputs = cell.named(written.to_vec())?;
    let joined: Vec<u8> = outputs.values().flat_map(Data::to_vec).collect();
    Ok(fnv1a(&joined))
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
                    input,
                    ..Message::default()
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

    /// Returns the lines of a conversation that begins with hello.
    fn script(lines: &[&str]) -> Vec<serde_json::Value> {
        let hello = r#"{"message":"hello","protocol":2}"#;
        talk(&format!("{hello}\n{}\n", lines.join("\n")))
            .iter()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    #[test]
    fn a_conversation() {
        let check = |primitive: &str, inputs: &str| {
            format!(
                r#"{{"message":"check","work":{{"primitive":"{primitive}","operation":"stream-encrypt","inputs":{{{inputs}}}}}}}"#
            )
        };
        let said = script(&[
            &check("shift", r#""key":"01","input":"0001fe""#),
            &check("shift", r#""key":"01","input":"ff""#),
            &check("shift", r#""input":"00""#),
            &check("rot", r#""key":"01","input":"00""#),
            r#"{"message":"open","id":4,"contract":"rekeyed","vary":{"nonce":"increment"},"second":{"key":"02"},"work":{"primitive":"shift","operation":"stream-encrypt","inputs":{"key":"01","nonce":"ff","input":"painted:3"}}}"#,
            r#"{"message":"time","id":4,"calls":100,"warm":10}"#,
            r#"{"message":"time","id":4,"calls":100,"threads":2}"#,
            r#"{"message":"run","id":4}"#,
            r#"{"message":"close","id":4}"#,
            r#"{"message":"run","id":4}"#,
            r#"{"message":"bye"}"#,
        ]);
        let kinds: Vec<&str> = said
            .iter()
            .map(|s| s["message"].as_str().unwrap())
            .collect();
        assert_eq!(
            kinds.join(" "),
            "library offer ready output rejected unsupported unsupported opened timed timed \
             ran closed failed"
        );
        assert_eq!(said[0]["name"], "toy");
        assert_eq!(said[3]["outputs"]["output"], "0102ff");
        let digest = format!("{:016x}", fnv1a(&[1, 2, 3]));
        assert_eq!(said[7]["digest"], digest);
        assert_eq!(said[10]["digest"], digest);
    }

    #[test]
    fn many_messages_are_those_of_the_rule_and_implicit_must_be_offered() {
        let open = |id: u32, contract: &str, messages: u32, vary: &str| {
            format!(
                r#"{{"message":"open","id":{id},"contract":"{contract}","messages":{messages},"vary":{{{vary}}},"work":{{"primitive":"shift","operation":"stream-encrypt","inputs":{{"key":"01","nonce":"00","input":"0a00"}}}}}}"#
            )
        };
        let said = script(&[
            &open(1, "many", 3, r#""nonce":"increment","input":"add""#),
            r#"{"message":"time","id":1,"calls":5,"warm":1}"#,
            r#"{"message":"time","id":1,"calls":5,"threads":2}"#,
            r#"{"message":"run","id":1}"#,
            &open(
                2,
                "many-keyed",
                2,
                r#""nonce":"increment","input":"add","key":"add""#,
            ),
            &open(3, "implicit", 1, ""),
            &open(4, "hot", 1, r#""input":"add""#),
        ]);
        // In message i, the number i is added to every byte with an even index. If messages have
        // their own keys, the same is done in key i.
        let many = format!("{:016x}", fnv1a(&[11, 1, 12, 1, 13, 1]));
        assert_eq!(said[3]["digest"], many);
        assert_eq!(
            (&said[4]["message"], &said[5]["message"]),
            (&"timed".into(), &"timed".into())
        );
        assert_eq!(said[6]["digest"], many);
        assert_eq!(
            said[7]["digest"],
            format!("{:016x}", fnv1a(&[11, 1, 13, 2]))
        );
        assert_eq!(said[8]["message"], "unsupported");
        assert_eq!(said[9]["message"], "unsupported");
    }

    #[test]
    fn counts_are_checked_before_memory_is_taken() {
        let open = |messages: u32, bytes: u64| {
            format!(
                r#"{{"message":"open","id":1,"contract":"many","messages":{messages},"work":{{"primitive":"shift","operation":"stream-encrypt","inputs":{{"key":"01","input":"painted:{bytes}"}}}}}}"#
            )
        };
        let length = r#"{"message":"check","work":{"primitive":"shift","operation":"stream-encrypt","inputs":{"key":"01","length":18446744073709551615}}}"#;
        let cell = r#"{"message":"open","id":2,"contract":"hot","work":{"primitive":"shift","operation":"stream-encrypt","inputs":{"key":"01","input":"painted:16777216"}}}"#;
        let time = r#"{"message":"time","id":2,"calls":1,"threads":4096}"#;
        let said = script(&[&open(65536, 1 << 24), length, cell, time]);
        for (at, kind) in [
            (3, "unsupported"),
            (4, "unsupported"),
            (5, "opened"),
            (6, "unsupported"),
        ] {
            assert_eq!(said[at]["message"], kind, "{}", said[at]);
        }
        let mut out = Vec::new();
        let endless = io::BufReader::new(io::repeat(b'x'));
        assert!(converse(|_| Ok(Toy), endless, &mut out).is_err());
    }

    #[test]
    fn absence_is_an_answer() {
        let absent = |protocol: u32, load: fn(&str) -> Result<Toy, String>| {
            let mut out = Vec::new();
            let hello = format!("{{\"message\":\"hello\",\"protocol\":{protocol}}}\n");
            converse(load, hello.as_bytes(), &mut out).unwrap();
            Reply::parse(std::str::from_utf8(&out).unwrap()).unwrap()
        };
        let reason = "install it".to_owned();
        assert_eq!(
            absent(2, |_| Err("install it".into())),
            Reply::Absent { reason }
        );
        assert!(matches!(absent(99, |_| Ok(Toy)), Reply::Absent { .. }));
    }
}
