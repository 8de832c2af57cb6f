//! A worker with a planted fault, for the lab's own tests: RC4 in twenty lines, and the
//! ways in which a library or its worker can fail.
//!
//! usage: planted NAME FAULT, where FAULT is one of the variants below, or `more-N` for
//! N thousandths more work in each call. If PLANTED_SLOW is in its environment, a
//! worker without a fault is slow.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use touchstone_worker::{
    Adapter, Batch, Cell, Contract, Failure, Library, Message, Offer, Operation, Work, offer, serve,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// Every answer is wrong.
    Wrong,
    /// Only the outputs for messages of 1024 bytes are wrong.
    WrongAt1024,
    /// The answer changes after five calls. Opening a cell needs fewer calls than that,
    /// and timing a cell needs more.
    Changing,
    /// Every process except the first gives wrong answers. The first process makes the
    /// file that PLANTED_MARK names, and later processes find the file.
    Restarted,
    /// Each call takes some microseconds more.
    Slow,
    /// The process dies at the first message of 1024 bytes.
    CrashAt1024,
    /// The first message of 1024 bytes never returns.
    HangAt1024,
    /// Something that is not the protocol appears on stdout.
    Garbage,
    /// The process ends before it says hello.
    Exit,
    /// The worker says that the library is missing.
    Absent,
    /// The library no longer has the old algorithms.
    Modern,
    /// The worker allocates thirty gigabytes at the first message of 1024 bytes.
    HogAt1024,
    /// The system, short of memory, ends the process at the first message.
    Killed,
    /// The library reports an error for messages of 1024 bytes.
    RefusesAt1024,
    /// If a call has many messages, the last output is wrong.
    WrongMany,
    /// The library has XTEA in CBC in addition to RC4, and no fault.
    Cbc,
    /// Like `Cbc`, but all messages use the first IV until the next key is set.
    StaleIv,
    /// XTEA in CBC gives wrong outputs in place.
    TornInPlace,
    /// The worker says hello and never reads again.
    Deaf,
    /// The worker sends offers without end.
    Offers,
    /// The worker sends more answers than there are requests.
    Unsolicited,
    /// The worker sends a line without end.
    Endless,
    /// The worker sends an output that needs more memory than the machine has.
    Painted,
    /// The worker gives the number of another cell in its answers.
    OtherCell,
    /// The worker fails at a field that it does not know, and at several threads.
    Strict,
    /// Starts a child process that keeps the worker's output open, and ends.
    /// PLANTED_MARK names a file for the child's process number.
    Child,
    /// The worker sends text with escapes that control the reader's terminal.
    Escapes,
    /// The worker enciphers this number of thousandths of the message a second time.
    More(usize),
}

const FAULTS: [(&str, Fault); 28] = [
    ("none", Fault::None),
    ("wrong", Fault::Wrong),
    ("wrong-at-1024", Fault::WrongAt1024),
    ("changing", Fault::Changing),
    ("restarted", Fault::Restarted),
    ("slow", Fault::Slow),
    ("crash-at-1024", Fault::CrashAt1024),
    ("hang-at-1024", Fault::HangAt1024),
    ("garbage", Fault::Garbage),
    ("exit", Fault::Exit),
    ("absent", Fault::Absent),
    ("modern", Fault::Modern),
    ("hog-at-1024", Fault::HogAt1024),
    ("killed", Fault::Killed),
    ("refuses-at-1024", Fault::RefusesAt1024),
    ("wrong-many", Fault::WrongMany),
    ("cbc", Fault::Cbc),
    ("stale-iv", Fault::StaleIv),
    ("torn-in-place", Fault::TornInPlace),
    ("deaf", Fault::Deaf),
    ("offers", Fault::Offers),
    ("unsolicited", Fault::Unsolicited),
    ("endless", Fault::Endless),
    ("painted", Fault::Painted),
    ("other-cell", Fault::OtherCell),
    ("strict", Fault::Strict),
    ("child", Fault::Child),
    ("escapes", Fault::Escapes),
];

struct Planted {
    name: String,
    fault: Fault,
}

/// Returns the C library of this process. In the tree of another system, it is that system's C
/// library.
fn c_library() -> String {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut paths = maps
        .lines()
        .filter_map(|line| line.find('/').map(|at| &line[at..]));
    let libc = paths.find(|path| path.contains("/libc.so") || path.contains("/libc-2"));
    libc.unwrap_or_default().to_owned()
}

impl Adapter for Planted {
    fn library(&self) -> Library {
        Library {
            name: self.name.clone(),
            version: "1".into(),
            path: c_library(),
            ..Library::default()
        }
    }

    fn offers(&self) -> Vec<Offer> {
        if self.fault == Fault::Modern {
            return Vec::new();
        }
        let mut offers = vec![Offer {
            contracts: vec![Contract::Implicit, Contract::ManyKeyed],
            ..offer("rc4", "stream-encrypt", "Rc4::process")
        }];
        if self.has_cbc() {
            offers.push(Offer {
                contracts: vec![Contract::InPlace],
                ..offer("xtea", "cbc-encrypt", "XteaCbc::process")
            });
        }
        offers
    }

    fn implicit(&self, work: &Work) -> Result<Cell, Failure> {
        self.cell(work)
    }

    fn cell(&self, work: &Work) -> Result<Cell, Failure> {
        if work.primitive == "xtea" && work.operation == "cbc-encrypt" && self.has_cbc() {
            work.need_key(16)?;
            work.need_nonce(8)?;
            let stale = self.fault == Fault::StaleIv;
            let torn = self.fault == Fault::TornInPlace;
            return Ok(Cell::new(move || {
                Ok(XteaCbc {
                    key: [0; 4],
                    stale,
                    torn,
                    iv: None,
                })
            }));
        }
        if work.primitive != "rc4" || work.cost("drop").is_some_and(|n| n > 0) {
            return Err(Failure::unsupported(&work.primitive));
        }
        let fault = self.fault;
        Ok(Cell::new(move || {
            Ok(Rc4 {
                state: [0; 256],
                i: 0,
                j: 0,
                calls: 0,
                fault,
            })
        }))
    }
}

impl Planted {
    fn has_cbc(&self) -> bool {
        matches!(self.fault, Fault::Cbc | Fault::StaleIv | Fault::TornInPlace)
    }
}

/// XTEA (R. M. Needham and D. J. Wheeler, *TEA extensions*, 1997) in CBC.
struct XteaCbc {
    key: [u32; 4],
    stale: bool,
    torn: bool,
    iv: Option<[u8; 8]>,
}

impl XteaCbc {
    fn encrypt(&self, block: [u8; 8]) -> [u8; 8] {
        let block = u64::from_be_bytes(block);
        let (mut y, mut z) = ((block >> 32) as u32, block as u32);
        let mut sum = 0_u32;
        let mix = |half: u32| ((half << 4) ^ (half >> 5)).wrapping_add(half);
        for _ in 0..32 {
            let key = self.key[(sum & 3) as usize];
            y = y.wrapping_add(mix(z) ^ sum.wrapping_add(key));
            sum = sum.wrapping_add(0x9e37_79b9);
            let key = self.key[(sum >> 11 & 3) as usize];
            z = z.wrapping_add(mix(y) ^ sum.wrapping_add(key));
        }
        (u64::from(y) << 32 | u64::from(z)).to_be_bytes()
    }
}

impl Operation for XteaCbc {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        for (word, bytes) in self.key.iter_mut().zip(key.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        self.iv = None;
        Ok(())
    }

    fn process_in_place(
        &mut self,
        message: &Message<'_>,
        text: &mut [u8],
        length: usize,
    ) -> Result<usize, Failure> {
        let mut iv = *message.nonce.first_chunk().unwrap_or(&[0; 8]);
        for block in text[..length].as_chunks_mut().0 {
            iv = self.encrypt(std::array::from_fn(|i| block[i] ^ iv[i]));
            *block = iv;
        }
        if self.torn {
            text[0] ^= 1;
        }
        Ok(length)
    }

    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Some(given) = message.nonce.first_chunk() else {
            return Err(Failure::unsupported("no IV"));
        };
        let mut iv = *given;
        if self.stale {
            iv = *self.iv.get_or_insert(iv);
        }
        let blocks = message.input.as_chunks::<8>().0;
        for (out, block) in output.as_chunks_mut().0.iter_mut().zip(blocks) {
            iv = self.encrypt(std::array::from_fn(|i| block[i] ^ iv[i]));
            *out = iv;
        }
        Ok(message.input.len())
    }
}

/// RC4 as an unknown author published its source code in 1994.
struct Rc4 {
    state: [u8; 256],
    i: u8,
    j: u8,
    calls: u32,
    fault: Fault,
}

impl Rc4 {
    #[inline(never)]
    fn encipher(&mut self, input: &[u8], output: &mut [u8]) {
        for (out, byte) in output.iter_mut().zip(input) {
            self.i = self.i.wrapping_add(1);
            self.j = self.j.wrapping_add(self.state[usize::from(self.i)]);
            self.state.swap(self.i.into(), self.j.into());
            let [a, b] = [self.i, self.j].map(|n| self.state[usize::from(n)]);
            *out = byte ^ self.state[usize::from(a.wrapping_add(b))];
        }
    }
}

impl Operation for Rc4 {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.state = std::array::from_fn(|i| i as u8);
        let mut j = 0_u8;
        for i in 0..256 {
            j = j
                .wrapping_add(self.state[i])
                .wrapping_add(key[i % key.len()]);
            self.state.swap(i, j.into());
        }
        (self.i, self.j) = (0, 0);
        Ok(())
    }

    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        self.calls += 1;
        let at_1024 = message.input.len() == 1024;
        match self.fault {
            Fault::Killed => {
                let mine = std::process::id().to_string();
                let _ = std::process::Command::new("kill")
                    .args(["-9", &mine])
                    .status();
            }
            Fault::CrashAt1024 if at_1024 => std::process::abort(),
            Fault::RefusesAt1024 if at_1024 => return Err(Failure::failed("a malformed setting")),
            Fault::HangAt1024 if at_1024 => std::thread::sleep(Duration::from_secs(3600)),
            Fault::HogAt1024 if at_1024 => {
                std::hint::black_box(vec![1_u8; 30 << 30]);
            }
            Fault::Slow => {
                for n in 0..2000 {
                    std::hint::black_box(n);
                }
            }
            _ => {}
        }
        if let Fault::More(thousandths) = self.fault {
            // Enciphers a part of the message once more, by a copy of the state. The main call
            // overwrites the output. The copy is made even if the part is empty, so that all
            // workers with this fault copy.
            let mut spare = Self { ..*self };
            let more = message.input.len() * thousandths / 1000;
            spare.encipher(&message.input[..more], output);
            std::hint::black_box((&mut spare, &mut *output));
        }
        self.encipher(message.input, output);
        let wrong = match self.fault {
            Fault::Wrong => true,
            Fault::WrongAt1024 => at_1024,
            Fault::Changing => self.calls > 5,
            _ => false,
        };
        if let (true, Some(first)) = (wrong, output.first_mut()) {
            *first ^= 1;
        }
        Ok(message.input.len())
    }

    fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let length = batch.length();
        let outputs = output.chunks_exact_mut(length);
        for ((key, input), out) in batch.keys().zip(batch.inputs()).zip(outputs) {
            self.set_key(key)?;
            let message = Message {
                input,
                ..Message::default()
            };
            self.process(&message, out)?;
        }
        if self.fault == Fault::WrongMany {
            output[batch.messages * length - 1] ^= 1;
        }
        Ok(length)
    }
}

/// The faults that a worker with [`serve`] cannot have. This function writes the
/// protocol's lines itself.
fn speak(fault: Fault) -> std::io::Result<()> {
    let (mut input, mut out) = (std::io::stdin().lines(), std::io::stdout().lock());
    let offer = r#"{"message":"offer","primitive":"rc4","operation":"stream-encrypt","api":"x"}"#;
    input.next().transpose()?;
    if fault == Fault::Escapes {
        writeln!(
            out,
            r#"{{"message":"library","name":"\u001b]0;owned\u0007","version":"1\u001b[2J","note":"\u202etxt.exe\nfaked line\u009b2J"}}"#
        )?;
        writeln!(
            out,
            r#"{{"message":"offer","primitive":"rc4","operation":"stream-encrypt","api":"\u001b[31mred"}}"#
        )?;
    } else {
        writeln!(
            out,
            r#"{{"message":"library","name":"by hand","version":"1"}}"#
        )?;
        writeln!(out, "{offer}")?;
    }
    if fault == Fault::Offers {
        loop {
            writeln!(out, "{offer}")?;
        }
    }
    let ready = "{\"message\":\"ready\"}\n";
    if fault == Fault::Unsolicited {
        // Both lines are written at once, so that the early answer arrives before any
        // request.
        let early = r#"{"message":"failed","reason":"nobody asked"}"#;
        out.write_all(format!("{ready}{early}\n").as_bytes())?;
    } else {
        out.write_all(ready.as_bytes())?;
    }
    out.flush()?;
    match fault {
        Fault::Deaf => std::thread::sleep(Duration::from_secs(3600)),
        Fault::Unsolicited => loop {
            writeln!(
                out,
                r#"{{"message":"failed","reason":"{}"}}"#,
                "x".repeat(1 << 20)
            )?;
        },
        Fault::Child => {
            let child = std::process::Command::new("sleep").arg("300").spawn()?;
            if let Some(mark) = std::env::var_os("PLANTED_MARK") {
                std::fs::write(mark, child.id().to_string())?;
            }
            return Ok(());
        }
        _ => {}
    }
    while let Some(line) = input.next().transpose()? {
        if line.contains("\"bye\"") {
            break;
        }
        match fault {
            Fault::Endless => loop {
                out.write_all(&[b'x'; 65536])?;
            },
            Fault::Painted => writeln!(
                out,
                r#"{{"message":"output","outputs":{{"output":"painted:18446744073709551615"}}}}"#
            )?,
            Fault::Strict if line.contains("\"open\"") => writeln!(
                out,
                r#"{{"message":"opened","id":7,"digest":"0000000000000000"}}"#
            )?,
            Fault::OtherCell if line.contains("\"open\"") => writeln!(
                out,
                r#"{{"message":"opened","id":4000000000,"digest":"0000000000000000"}}"#
            )?,
            Fault::Strict if line.contains("later") || line.contains("\"threads\":2") => {
                writeln!(out, r#"{{"message":"failed","reason":"a field too many"}}"#)?;
            }
            Fault::OtherCell | Fault::Strict => writeln!(
                out,
                r#"{{"message":"output","outputs":{{"output":"b2396305f03dc027ccc3524a0a1118a8"}}}}"#
            )?,
            _ => writeln!(
                out,
                r#"{{"message":"failed","reason":"\u001b[1mbold\u001b[0m\rover"}}"#
            )?,
        }
        out.flush()?;
    }
    Ok(())
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (Some(name), Some(wanted)) = (args.next(), args.next()) else {
        eprintln!("usage: planted NAME FAULT");
        return ExitCode::from(2);
    };
    let more = wanted.strip_prefix("more-").and_then(|n| n.parse().ok());
    let fault = match more {
        Some(thousandths @ 0..=1000) => Some(Fault::More(thousandths)),
        _ => FAULTS
            .into_iter()
            .find(|(known, _)| *known == wanted)
            .map(|(_, fault)| fault),
    };
    let Some(mut fault) = fault else {
        eprintln!("no fault is called {wanted:?}");
        return ExitCode::from(2);
    };
    if fault == Fault::None && std::env::var_os("PLANTED_SLOW").is_some() {
        fault = Fault::Slow;
    }
    match fault {
        Fault::Restarted => {
            let mark = std::env::var_os("PLANTED_MARK").map(std::path::PathBuf::from);
            let first = mark.is_some_and(|mark| std::fs::File::create_new(mark).is_ok());
            fault = if first { Fault::None } else { Fault::Wrong };
        }
        Fault::Deaf
        | Fault::Offers
        | Fault::Unsolicited
        | Fault::Endless
        | Fault::Painted
        | Fault::OtherCell
        | Fault::Strict
        | Fault::Child
        | Fault::Escapes => {
            // For most of these faults the lab closes the pipe, so `speak` may fail.
            return speak(fault).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
        }
        Fault::HangAt1024 => {
            if let Some(mark) = std::env::var_os("PLANTED_MARK") {
                let _ = std::fs::write(mark, std::process::id().to_string());
            }
        }
        Fault::Garbage => println!("<html>this is not the protocol</html>"),
        Fault::Exit => {
            eprintln!("something went wrong early");
            return ExitCode::from(9);
        }
        _ => {}
    }
    serve(|_| {
        if fault == Fault::Absent {
            Err("no librc4.so.1; install it".into())
        } else {
            Ok(Planted { name, fault })
        }
    })
}
