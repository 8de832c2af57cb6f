//! Searches another process for what its calls have left of a secret. `residue.h` is the other
//! side.
//!
//! The search needs to know nothing of an algorithm. The same calls are made with one secret,
//! twice with another, and with the first one again. In this order nothing that alternates from one
//! time to the next, such as the order of the allocator's free chunks, depends on the secret. A byte
//! that is the same for the same secret and differs for the other one depends on the secret: it may
//! belong to a key, to a round key, to a keystream, to the state of a hash function, or to any other
//! value that was computed from the secret. Whole parts of the secret are searched for as well, also
//! after the very first call of a function.
#![allow(dead_code, reason = "each test takes what it needs of this")]

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const NAME: usize = 256;
const SECRET: usize = 512;
const MESSAGE: usize = 8192;

/// Shorter parts of a secret would be met by chance, or by alignment with public bytes.
const PART: usize = 8;

/// Fewer neighbours that depend on a secret say nothing. A result of one byte, such as an error,
/// comes back in a register whose other three bytes may be anything.
const RUN: usize = 4;

/// How often a test makes its whole search, as `make secrets RUNS=20` says; `None` for the short
/// search of `make test`.
pub(crate) fn runs() -> Option<usize> {
    let runs = std::env::var("TOUCHSTONE_SECRETS_RUNS").ok()?;
    (!runs.is_empty()).then(|| runs.parse::<NonZero<usize>>().expect("a number").get())
}

/// What a request brings: the calls, by a name that the program knows, and two secrets.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) name: String,
    pub(crate) secret: Vec<u8>,
    pub(crate) message: Vec<u8>,
}

impl Request {
    /// The same calls with other secrets of the same lengths.
    pub(crate) fn with(&self, random: &mut impl FnMut(&mut [u8])) -> Self {
        let mut other = self.clone();
        random(&mut other.secret);
        random(&mut other.message);
        other
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; NAME + SECRET + MESSAGE];
        bytes[..self.name.len()].copy_from_slice(self.name.as_bytes());
        bytes[NAME..][..self.secret.len()].copy_from_slice(&self.secret);
        bytes[NAME + SECRET..][..self.message.len()].copy_from_slice(&self.message);
        bytes
    }

    /// All parts of both secrets, in memory's order and with the bytes of each word turned round,
    /// as a big-endian algorithm loads them.
    fn parts(&self) -> HashSet<[u8; PART]> {
        let mut parts = HashSet::new();
        for secret in [&self.secret, &self.message] {
            for part in secret.windows(PART) {
                let part: [u8; PART] = part.try_into().expect("a part");
                let [a, b, c, d, e, f, g, h] = part;
                parts.insert(part);
                parts.insert([h, g, f, e, d, c, b, a]);
                parts.insert([d, c, b, a, h, g, f, e]);
            }
        }
        // A run of one byte, as the end of a padded secret, says nothing.
        parts.retain(|part| part.iter().any(|byte| *byte != part[0]));
        parts
    }
}

/// A piece of a process's writable memory.
struct Piece {
    start: u64,
    name: String,
    bytes: Vec<u8>,
}

impl Piece {
    /// The aligned word around this place.
    fn word(&self, at: usize) -> u64 {
        let word = self.bytes[at / 8 * 8..].first_chunk();
        word.map_or(0, |word| u64::from_le_bytes(*word))
    }

    /// Whether the aligned word around this place is an address in one of the pieces, or no address
    /// (zero). In its lists of small blocks, glibc 2.32 and later XORs an address with the number of
    /// the page in which the word lies (`PROTECT_PTR`, malloc/malloc.c).
    fn is_address(&self, at: usize, all: &[Self]) -> bool {
        let word = self.word(at);
        let page = (self.start + (at / 8 * 8) as u64) / 4096;
        let inside = |address: u64| {
            let mut ranges = all
                .iter()
                .map(|piece| piece.start..piece.start + piece.bytes.len() as u64);
            address == 0 || ranges.any(|range| range.contains(&address))
        };
        inside(word) || inside(word ^ page)
    }
}

/// Whether this word stands in a library's or the program's own data, in the same place with both
/// secrets. One such word is the number by which glibc knows that a small block is free: glibc
/// takes the number at random when a process starts, and writes the number in the second word of
/// each free block (`tcache_key`, malloc/malloc.c).
fn is_constant(word: u64, a: &[Piece], b: &[Piece]) -> bool {
    let own = |piece: &&Piece| piece.name != "[heap]" && piece.name != "[stack]";
    a.iter().filter(own).any(|piece| {
        let other = b.iter().find(|other| other.start == piece.start);
        other.is_some_and(|other| {
            let mut words = piece.bytes.chunks_exact(8).zip(other.bytes.chunks_exact(8));
            let word = word.to_le_bytes();
            words.any(|(one, two)| one == word && two == word)
        })
    })
}

/// A process that is stopped.
pub(crate) struct Client {
    child: Child,
    to: ChildStdin,
    from: ChildStdout,
    program: String,
}

impl Client {
    pub(crate) fn start(command: &mut Command) -> Self {
        let program = Path::new(command.get_program()).to_owned();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (to, from) = (child.stdin.take(), child.stdout.take());
        Self {
            child,
            to: to.expect("a pipe"),
            from: from.expect("a pipe"),
            program: program.to_string_lossy().into_owned(),
        }
    }

    /// Runs the calls of a request once. Gives, for each stop, what `look` makes of the memory;
    /// all memory at the end, and before that, while the program holds the secret itself, the
    /// stack and the registers.
    fn run<T>(&mut self, request: &Request, look: impl Fn(Vec<Piece>) -> T) -> Vec<T> {
        self.to
            .write_all(&request.bytes())
            .expect("the program reads");
        let mut seen = Vec::new();
        loop {
            let mut why = [0];
            if self.from.read_exact(&mut why).is_err() {
                let end = self.child.wait().expect("its end");
                panic!("{} ends at {}: {end}", self.program, request.name);
            }
            let end = why == *b"d";
            seen.push(look(self.memory(end)));
            self.to.write_all(b"g").expect("the program goes on");
            if end {
                return seen;
            }
        }
    }

    /// The writable memory.
    fn memory(&self, all: bool) -> Vec<Piece> {
        let id = self.child.id();
        memory(id, |name| all || name == "[stack]" || name == self.program)
    }

    /// What is left of the secrets of these calls; empty if nothing.
    pub(crate) fn residue(
        &mut self,
        request: &Request,
        random: &mut impl FnMut(&mut [u8]),
    ) -> Vec<String> {
        let other = request.with(random);
        let mut left = Vec::new();
        let parts = request.parts();
        for (stop, found) in self
            .run(request, |memory| known(&memory, &parts))
            .iter()
            .enumerate()
        {
            if let Some(found) = found {
                left.push(format!(
                    "{}, stop {stop}, first call: part of a secret at {found}",
                    request.name
                ));
            }
        }
        let [one, two, two_again, one_again] =
            [request, &other, &other, request].map(|request| self.run(request, |memory| memory));
        for (stop, a) in one.iter().enumerate() {
            let b = &two[stop];
            if let Some(found) = known(a, &parts) {
                left.push(format!(
                    "{}, stop {stop}: part of a secret at {found}",
                    request.name
                ));
            }
            if let Some(found) = dependent([a, b, &one_again[stop], &two_again[stop]]) {
                left.push(format!("{}, stop {stop}: {found}", request.name));
            }
        }
        left
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where a process that is stopped holds a part of these secrets.
pub(crate) fn part_in(process: u32, secrets: &Request) -> Option<String> {
    known(&memory(process, |_| true), &secrets.parts())
}

/// The writable memory of a process, of those mappings that are wanted.
fn memory(id: u32, wanted: impl Fn(&str) -> bool) -> Vec<Piece> {
    let maps = std::fs::read_to_string(format!("/proc/{id}/maps")).expect("a list of mappings");
    let memory = File::open(format!("/proc/{id}/mem")).expect("a parent may read its child");
    let mut pieces = Vec::new();
    for line in maps.lines() {
        let mut fields = line.split_whitespace();
        let (Some(range), Some(rights)) = (fields.next(), fields.next()) else {
            panic!("{line}")
        };
        let name = fields.nth(3).unwrap_or_default();
        if !rights.contains('w') || name.starts_with("[vvar") || !wanted(name) {
            continue;
        }
        let (start, end) = range.split_once('-').expect("a range");
        let number = |text| u64::from_str_radix(text, 16).expect("an address");
        let (start, end) = (number(start), number(end));
        let mut bytes = vec![0; (end - start) as usize];
        memory
            .read_exact_at(&mut bytes, start)
            .expect("readable memory");
        let name = name.to_owned();
        pieces.push(Piece { start, name, bytes });
    }
    assert!(!pieces.is_empty(), "{maps}");
    pieces
}

/// The place of the first part of a secret.
fn known(memory: &[Piece], parts: &HashSet<[u8; PART]>) -> Option<String> {
    // A table of the parts' first two bytes spares most look-ups.
    let mut first = vec![false; 1 << 16];
    let index = |bytes: &[u8]| usize::from(bytes[0]) << 8 | usize::from(bytes[1]);
    parts.iter().for_each(|part| first[index(part)] = true);
    memory.iter().find_map(|piece| {
        let windows = piece.bytes.array_windows::<PART>().enumerate();
        let mut found = windows.filter(|(_, part)| first[index(*part)] && parts.contains(*part));
        let (at, _) = found.next()?;
        Some(format!(
            "{}+{at:#x} ({} in all)",
            piece.name,
            found.count() + 1
        ))
    })
}

/// The runs of [`RUN`] bytes that are the same for the same secret, and differ for the other.
fn dependent([a, b, a_again, b_again]: [&[Piece]; 4]) -> Option<String> {
    let mut found = None;
    let mut count = 0;
    for piece in a {
        let same = |all: &[Piece]| all.iter().position(|other| other.start == piece.start);
        let (Some(b_at), Some(a_at), Some(last)) = (same(b), same(a_again), same(b_again)) else {
            continue;
        };
        let once = piece.bytes.iter().zip(&b[b_at].bytes);
        let again = a_again[a_at].bytes.iter().zip(&b_again[last].bytes);
        // The allocator's lists of freed memory hold addresses, or zero where a list ends. Which block
        // follows another one there, where the lists begin, and whether a block is free depends on
        // all calls of the process before: a block may be free in each third run. A secret does not
        // look like an address.
        let listed = |at| {
            [(piece, a), (&b[b_at], b)].iter().all(|(piece, all)| {
                piece.is_address(at, all)
                    || (piece.name == "[heap]" && is_constant(piece.word(at), a, b))
            })
        };
        let mut run = 0;
        for (at, (once, again)) in once.zip(again).enumerate() {
            run = if once == again && once.0 != once.1 && !listed(at) {
                run + 1
            } else {
                0
            };
            if run == RUN {
                count += 1;
                found.get_or_insert_with(|| {
                    let end = piece.bytes.len() - at;
                    format!("{}+{at:#x} (-{end:#x})", piece.name)
                });
            }
        }
    }
    found.map(|place| format!("{count} places depend on the secret, from {place}"))
}
