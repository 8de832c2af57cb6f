//! Tests that no branch and no address depends on a secret, for the algorithms that the
//! documentation calls constant-time.
//!
//! Under valgrind, the test marks keys and plaintexts as undefined memory. memcheck then
//! reports each branch and each address that depends on them; Adam Langley's ctgrind introduced
//! this method. `docs/algorithms.md` says which algorithms are constant-time. The reports must
//! agree with it for all algorithms: no report for a constant-time algorithm, and a report for
//! an algorithm that looks up tables. If a kernel is constant-time for long runs, long runs
//! must give no report.
//!
//! Valgrind 3.19 hides AVX-512, VAES and SHA-NI from programs, so this test does not run
//! kernels that need these instructions. Those kernels consist of the same operations on wider
//! registers.
//!
//! `make constant-time` runs this test with the release profile, and prints the number of
//! reports. With debug assertions each sum is followed by a branch on its overflow, so this
//! test is not compiled then.

#![cfg(not(debug_assertions))]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use common::{Cipher, Row, block, each_row, painted};
use touchstone::aead::Gmac;
use touchstone::aead::{Ccm, Eax, Gcm, GcmSiv, Ocb, Siv, ccm};
use touchstone::block::{Aes128, Aes256, Block, Message, Twofish};
use touchstone::dynamic::{self, Direction, Hash};
use touchstone::hidden::AeadEngine as Aead;
use touchstone::hidden::ghash;
use touchstone::mac::cmac::Omac;
use touchstone::mac::{CbcMac, RetailMac};
use touchstone::mode::*;
use touchstone::{FusedDecrypt, FusedEncrypt, Kernel, KeyLengths, Keyed, Mac};

/// The environment variable that tells the child process to run the algorithms.
const CHILD: &str = "TOUCHSTONE_CONSTANT_TIME";

/// The number of blocks of a long run: more than the widest AVX2 kernel computes at once
/// (bitsliced DES, 256 blocks), in every mode. After whole groups of 32 blocks, 24 are left: the
/// fewest that Twofish and Kuznyechik compute without tables on `avx2`.
const BLOCKS: usize = 312;

/// Requests to valgrind, from its documentation, "The Client Request mechanism", and
/// `valgrind.h` and `memcheck.h`, which are there to be built into programs.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod memcheck {
    const RUNNING_ON_VALGRIND: u64 = 0x1001;
    const COUNT_ERRORS: u64 = 0x1201;
    const MEMCHECK: u64 = (b'M' as u64) << 24 | (b'C' as u64) << 16;
    const MAKE_MEM_UNDEFINED: u64 = MEMCHECK + 1;
    const MAKE_MEM_DEFINED: u64 = MEMCHECK + 2;

    /// Sends a request to valgrind. The instructions rotate a register by 128 bits in total and
    /// exchange a register with itself. They do nothing, but valgrind's translator recognises
    /// them.
    fn request(what: u64, a: u64, b: u64) -> u64 {
        let arguments = [what, a, b, 0, 0, 0];
        let mut answer = 0;
        // SAFETY: outside of valgrind the instructions change no register and no memory. Inside
        // valgrind, the requests above change only what valgrind knows about memory.
        unsafe {
            core::arch::asm!(
                "rol rdi, 3",
                "rol rdi, 13",
                "rol rdi, 61",
                "rol rdi, 51",
                "xchg rbx, rbx",
                in("rax") arguments.as_ptr(),
                inout("rdx") answer,
                out("rdi") _,
            );
        }
        answer
    }

    pub(crate) fn is_here() -> bool {
        request(RUNNING_ON_VALGRIND, 0, 0) != 0
    }

    /// Returns the number of reports so far.
    pub(crate) fn reports() -> u64 {
        request(COUNT_ERRORS, 0, 0)
    }

    /// Marks the bytes as secret. The argument is a mutable borrow, so that no compiler
    /// continues to use old copies of the bytes in registers.
    pub(crate) fn poison(bytes: &mut [u8]) {
        request(
            MAKE_MEM_UNDEFINED,
            bytes.as_mut_ptr().expose_provenance() as u64,
            bytes.len() as u64,
        );
    }

    /// Marks the bytes as public.
    pub(crate) fn publish(bytes: &mut [u8]) {
        request(
            MAKE_MEM_DEFINED,
            bytes.as_mut_ptr().expose_provenance() as u64,
            bytes.len() as u64,
        );
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod memcheck {
    pub(crate) fn is_here() -> bool {
        false
    }
    pub(crate) fn reports() -> u64 {
        0
    }
    pub(crate) fn poison(_: &mut [u8]) {}
    pub(crate) fn publish(_: &mut [u8]) {}
}

/// Returns secret bytes.
fn secret(length: usize) -> Vec<u8> {
    let mut bytes = painted(length);
    memcheck::poison(&mut bytes);
    bytes
}

/// Calls `run`, and prints how often a branch or an address depended on a secret.
fn count(algorithm: &str, kernel: &str, what: &str, run: impl FnOnce()) {
    let before = memcheck::reports();
    run();
    let reports = memcheck::reports() - before;
    println!("report {algorithm} {kernel} {what} {reports}");
}

#[test]
fn documentation_agrees_with_the_run() {
    if std::env::var_os(CHILD).is_some() {
        assert!(memcheck::is_here(), "the child runs under valgrind");
        controls();
        let documented = documented();
        let constant = |id: &str| {
            documented
                .get(id)
                .is_some_and(|cell| cell.starts_with("yes"))
        };
        let rows = common::rows();
        each_row!(&rows, |row| ciphers(row, constant(row.id)));
        let wide = rows.sixteen.iter().filter(|row| constant(row.id));
        wide.for_each(sixteen);
        twofish_set_up();
        gcm_siv::<Aes128>("aes-128");
        gcm_siv::<Aes256>("aes-256");
        dynamic::Hash::names().for_each(hash);
        dynamic::stream_ciphers().for_each(stream);
        macs();
        aeads();
        derivations();
        drbgs();
        return;
    }
    let Some(lines) = run_under_valgrind() else {
        return;
    };

    let mut runs: BTreeMap<&str, Vec<(&str, &str, u64)>> = BTreeMap::new();
    for line in &lines {
        let [algorithm, kernel, what, reports] = line[..] else {
            panic!("{line:?}")
        };
        let reports = reports.parse().expect("a count");
        runs.entry(algorithm)
            .or_default()
            .push((kernel, what, reports));
    }
    let planted = runs.remove("planted").expect("the controls have run");
    for (kind, what, reports) in planted {
        assert_eq!(
            reports != 0,
            kind == "leak",
            "planted {kind}: {what}: {reports}"
        );
    }

    let documented = documented();
    let names: BTreeSet<&str> = documented.keys().map(String::as_str).collect();
    assert_eq!(names, runs.keys().copied().collect(), "documented, and run");
    let mut wrong = Vec::new();
    for (algorithm, runs) in &runs {
        let kernels: BTreeSet<&str> = runs.iter().map(|(kernel, ..)| *kernel).collect();
        let constant = &documented[*algorithm];
        let set_up = constant.starts_with("yes, but at key set-up");
        let leaks: Vec<_> = runs
            .iter()
            .filter(|(_, what, reports)| *reports != 0 && !(set_up && *what == "key-setup"))
            .collect();
        println!(
            "{algorithm}: documented \"{constant}\"; {} runs over {kernels:?}, {} of them reported",
            runs.len(),
            leaks.len()
        );
        match constant.split([',', ':', ' ']).next() {
            Some("yes") if leaks.is_empty() => {}
            Some("yes") => wrong.push(format!("{algorithm} is not: {leaks:?}")),
            Some("no") => {
                if !leaks.iter().any(|(kernel, ..)| *kernel == "portable") {
                    wrong.push(format!("{algorithm} is, in the portable form"));
                }
                let listed = |after: &str| -> Vec<&str> {
                    let (_, kernels) = constant.split_once(after).unwrap_or_default();
                    kernels.split([',', ' ']).collect()
                };
                let (long, always) = (listed("in long runs on "), listed("but on "));
                let leaks: Vec<_> = leaks
                    .iter()
                    .filter(|(kernel, what, _)| {
                        long.contains(kernel) && what.starts_with("long") || always.contains(kernel)
                    })
                    .collect();
                if !leaks.is_empty() {
                    wrong.push(format!(
                        "{algorithm} is not where the page says so: {leaks:?}"
                    ));
                }
            }
            _ => panic!("{algorithm}: {constant:?} begins with neither yes nor no"),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Runs this test again under valgrind and returns the words of each line that it printed.
/// Returns `None` if no suitable valgrind is installed.
fn run_under_valgrind() -> Option<Vec<Vec<&'static str>>> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        eprintln!("SKIPPED: constant time is checked on x86-64 Linux only");
        return None;
    }
    let program = std::env::current_exe().expect("a path");
    let output = Command::new("valgrind")
        .args(["--error-limit=no", "--log-fd=2", "--num-callers=8"])
        .arg(program)
        .args([
            "--exact",
            "documentation_agrees_with_the_run",
            "--nocapture",
        ])
        .args(["--test-threads", "1"])
        .env(CHILD, "1")
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) => {
            eprintln!("SKIPPED: constant time is not checked: valgrind: {error}");
            return None;
        }
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    if errors.contains("nrecognised instruction") {
        eprintln!("SKIPPED: constant time is not checked: valgrind lacks an instruction here");
        return None;
    }
    let end = &errors[errors.len().saturating_sub(4000)..];
    assert!(output.status.success(), "{end}");
    if let Some(path) = std::env::var_os("TOUCHSTONE_VALGRIND_LOG") {
        std::fs::write(path, &output.stderr).expect("the log can be written");
    }
    let text: &'static str = String::from_utf8_lossy(&output.stdout).into_owned().leak();
    // The first line of the reports is on the same line as text of the test harness, so the
    // code searches for the word `report`.
    let lines = text.lines().filter_map(|line| line.split_once("report "));
    Some(lines.map(|(_, line)| line.split(' ').collect()).collect())
}

/// Returns what docs/algorithms.md says about each algorithm, by the algorithm's id.
fn documented() -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/algorithms.md");
    let text = std::fs::read_to_string(path).expect("the documentation");
    let mut column = None;
    let mut found = BTreeMap::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if cells.len() < 3 {
            column = None;
            continue;
        }
        if column.is_none() {
            column = cells.iter().position(|cell| *cell == "constant-time");
            continue;
        }
        if let Some(cell) = column.and_then(|column| cells.get(column)) {
            for id in ids(cells[1]) {
                found.insert(id, (*cell).to_owned());
            }
        }
    }
    found.retain(|_, cell| !cell.starts_with("---"));
    assert!(found.len() > 30, "{found:?}");
    found
}

/// Returns the ids in a cell of the table: "`aes-128` `-192` `-256`" gives three ids.
fn ids(cell: &str) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for id in cell.split('`').skip(1).step_by(2) {
        match (id.strip_prefix('-'), ids.last()) {
            (Some(rest), Some(last)) => {
                let stem = last
                    .rsplit_once('-')
                    .map_or(last.as_str(), |(stem, _)| stem);
                ids.push(format!("{stem}-{rest}"));
            }
            _ => ids.push(id.to_owned()),
        }
    }
    ids
}

/// Runs code that must give reports, and code that must give none, to test the test.
fn controls() {
    let (key, data) = (secret(16), secret(64));
    count("planted", "leak", "table", || {
        let table: [u8; 256] = core::array::from_fn(|i| (i as u8).rotate_left(3));
        let table = std::hint::black_box(&table);
        std::hint::black_box(table[usize::from(key[3])]);
    });
    count("planted", "leak", "branch", || {
        if std::hint::black_box(&data)[5] & 1 == 1 {
            std::hint::black_box(&key);
        }
    });
    count("planted", "clean", "sum", || {
        let sum: Vec<u8> = key.iter().zip(&data).map(|(a, b)| a ^ b).collect();
        std::hint::black_box(sum);
    });
    count("planted", "clean", "public", || {
        let mut published = secret(16);
        memcheck::publish(&mut published);
        if std::hint::black_box(&published)[5] == 35 {
            published.clear();
        }
        std::hint::black_box(published);
    });
}

/// Runs the key set-up of Twofish's kernels, which uses no tables if long runs use no tables.
fn twofish_set_up() {
    for length in [16, 24, 32] {
        let key = secret(length);
        for kernel in <Twofish as Keyed>::Kernel::available() {
            let name = kernel.name();
            let id = format!("twofish-{}", 8 * length);
            count(&id, name, "long-run-key-setup", || {
                std::hint::black_box(Twofish::with_kernel(kernel, &key).is_ok());
            });
        }
    }
}

/// Runs a block cipher: key set-up, all modes for any block size, and MACs. If a cipher looks
/// up tables, a few blocks are enough, because valgrind reports each lookup many times. Long
/// runs follow, which may use no tables in some kernels.
fn ciphers<B: Block>(row: &Row<B>, constant: bool) {
    let length = row.keys.max;
    let key = secret(length);
    let mut kernels = Vec::new();
    count(row.id, "portable", "key-setup", || {
        kernels = (row.kernels)(&key)
    });
    let iv = block::<B>(3);
    let whole = BLOCKS * B::SIZE;
    for (kernel, c) in &kernels {
        let c: &dyn Cipher<B> = &**c;
        let run = |what: &str, length: usize, run: &dyn Fn(&mut [u8])| {
            let mut data = secret(length);
            count(row.id, kernel, what, || run(&mut data));
        };
        if !constant {
            run("ecb-some", 8 * B::SIZE, &|data| {
                Ecb::new(c).encrypt(data).unwrap()
            });
            run("long-ecb-encrypt", whole, &|data| {
                Ecb::new(c).encrypt(data).unwrap()
            });
            run("long-ecb-decrypt", whole, &|data| {
                Ecb::new(c).decrypt(data).unwrap()
            });
            run("long-ctr", whole, &|data| Ctr::new(c, &iv).apply(data));
            run("long-cbc-decrypt", whole, &|data| {
                CbcDecrypt::new(c, &iv).decrypt(data).unwrap()
            });
            continue;
        }
        run("ecb-encrypt", whole, &|data| {
            Ecb::new(c).encrypt(data).unwrap()
        });
        run("ecb-decrypt", whole, &|data| {
            Ecb::new(c).decrypt(data).unwrap()
        });
        run("one-block", B::SIZE, &|data| {
            if let Ok(mut block) = B::try_from(data) {
                c.encrypt_block(&mut block);
                c.decrypt_block(&mut block);
            }
        });
        run("cbc-encrypt", whole, &|data| {
            CbcEncrypt::new(c, &iv).encrypt(data).unwrap()
        });
        run("cbc-decrypt", whole, &|data| {
            CbcDecrypt::new(c, &iv).decrypt(data).unwrap()
        });
        run("cfb-encrypt", whole + 3, &|data| {
            CfbEncrypt::new(c, &iv).encrypt(data)
        });
        run("cfb-decrypt", whole + 3, &|data| {
            CfbDecrypt::new(c, &iv).decrypt(data)
        });
        run("cfb8-encrypt", 100, &|data| {
            Cfb8Encrypt::new(c, &iv).encrypt(data)
        });
        run("cfb8-decrypt", whole + 3, &|data| {
            Cfb8Decrypt::new(c, &iv).decrypt(data)
        });
        run("ofb", whole + 3, &|data| Ofb::new(c, &iv).apply(data));
        run("ctr", whole + 3, &|data| Ctr::new(c, &iv).apply(data));
        run("ctr-little-endian", whole + 3, &|data| {
            Ctr::with_rule(c, &iv, ctr::LittleEndian).apply(data);
        });
        run("ctr-half", whole + 3, &|data| {
            Ctr::with_rule(c, &iv, ctr::BigEndianHalf).apply(data);
        });
        run("ecb-steal", whole + 3, &|data| {
            EcbSteal::new(c).encrypt(data).unwrap();
            EcbSteal::new(c).decrypt(data).unwrap();
        });
        run("cbc-cs3", whole + 3, &|data| {
            CbcCs3::new(c).encrypt(&iv, data).unwrap();
            CbcCs3::new(c).decrypt(&iv, data).unwrap();
        });
        run("cbc-many", whole, &|data| {
            let mut messages: Vec<_> = data
                .chunks_mut(3 * B::SIZE)
                .map(|data| Message::new(&iv, data).unwrap())
                .collect();
            CbcEncrypt::encrypt_many(&c, &mut messages);
        });
        run("cmac", whole + 3, &|data| {
            std::hint::black_box(Omac::<_, 1>::with_cipher(c).mac(data));
        });
        run("omac2", whole, &|data| {
            std::hint::black_box(Omac::<_, 2>::with_cipher(c).mac(data));
        });
    }
    // In the following modes, key and nonce make the first counter block. Kernels treat
    // counters as public, and check them for overflow. So the key is public here too, and only
    // the message is secret. MACs and CTR with a secret key are tested above.
    for (kernel, c) in &(row.kernels)(&painted(length)) {
        let c: &dyn Cipher<B> = &**c;
        if !constant {
            continue;
        }
        let mut data = secret(whole + 3);
        count(row.id, kernel, "eax", || {
            let data = data.as_mut_slice();
            let mode = Eax::with_cipher(c);
            let mut tag = B::ZERO;
            mode.encrypt(b"nonce", b"header", data, tag.as_mut())
                .unwrap();
            mode.decryptor(b"nonce").decrypt_unverified(data).unwrap();
        });
    }
}

/// Runs the modes that only block ciphers with blocks of 16 bytes have.
fn sixteen(row: &Row<[u8; 16]>) {
    let (key, other) = (secret(row.keys.max), secret(row.keys.max));
    let (first, second) = ((row.kernels)(&key), (row.kernels)(&other));
    let nonce = painted(12);
    let length = BLOCKS * 16 + 3;
    for ((kernel, c), (_, d)) in first.iter().zip(&second) {
        let (c, d): (&dyn Cipher<[u8; 16]>, &dyn Cipher<[u8; 16]>) = (&**c, &**d);
        let run = |what: &str, length: usize, run: &dyn Fn(&mut [u8], &mut [u8])| {
            let (mut data, mut tag) = (secret(length), [0; 16]);
            count(row.id, kernel, what, || run(&mut data, &mut tag));
        };
        run("xts", length, &|data, _| {
            let mode = Xts::with_ciphers(c, d);
            mode.encrypt(&block(5), data).unwrap();
            mode.decrypt(&block(5), data).unwrap();
        });
        for hash in ghash::Kernel::available() {
            run(&format!("gcm-{}", hash.name()), length, &|data, tag| {
                let mode = Gcm::with_kernels(c, hash);
                mode.encrypt(&nonce, b"header", data, tag).unwrap();
                let mut message = mode.decryptor(&nonce).unwrap();
                message.decrypt_unverified(data).unwrap();
            });
            run(&format!("gmac-{}", hash.name()), length, &|data, tag| {
                Gmac::with_kernels(c, hash)
                    .mac_into(&nonce, data, tag)
                    .unwrap();
            });
        }
        run("ccm", length, &|data, tag| {
            let mode = Ccm::with_cipher(c);
            mode.encrypt(&nonce, b"header", data, tag).unwrap();
            let lengths = ccm::Lengths {
                aad: 0,
                data: data.len() as u64,
                tag: 16,
            };
            let mut message = mode.decryptor(&nonce, lengths).unwrap();
            message.decrypt_unverified(data).unwrap();
        });
        run("ocb", length, &|data, tag| {
            let mode = Ocb::with_cipher(c);
            mode.encrypt(&nonce, b"header", data, tag).unwrap();
            let mut message = mode.decryptor(&nonce, 16).unwrap();
            message.decrypt_unverified(data).unwrap();
        });
        run("kw", 40, &|data, _| {
            let mode = KeyWrap::new(c);
            mode.wrap_into(data, &mut [0; 48]).unwrap();
            mode.wrap_padded_into(&data[..37], &mut [0; 48]).unwrap();
        });
        count(row.id, kernel, "gcm-long-nonce", || {
            // The key is public here, because GCM makes its first counter from key and nonce,
            // as EAX does.
            for (name, c) in &(row.kernels)(&painted(row.keys.max)) {
                if name == kernel {
                    let mode = Gcm::with_cipher(&**c);
                    let (mut data, mut tag) = (secret(length), [0; 16]);
                    mode.encrypt(b"a nonce of 17 byt", b"", &mut data, &mut tag)
                        .unwrap();
                }
            }
        });
        // Whether a tag is right is public. The branch on this verdict is the only branch that
        // depends on a secret: an attacker who measures its time learns only the verdict.
        verdict(row.id, kernel, "siv-verdict", || {
            let mode = Siv::with_ciphers(c, d);
            let (mut data, mut tag) = (secret(length), [0; 16]);
            mode.encrypt(&nonce, b"header", &mut data, &mut tag)
                .unwrap();
            // The tag is public from here on, because it is sent and is the first counter.
            memcheck::publish(&mut tag);
            let before = memcheck::reports();
            let result = mode.decrypt(&nonce, b"header", &mut data, &tag);
            (before, result.is_ok())
        });
        verdict(row.id, kernel, "kw-verdict", || {
            let mode = KeyWrap::new(c);
            let mut wrapped = [0; 48];
            mode.wrap_into(&secret(40), &mut wrapped).unwrap();
            let before = memcheck::reports();
            let result = mode.unwrap_into(&wrapped, &mut [0; 40]);
            (before, result.is_ok())
        });
        verdict(row.id, kernel, "gcm-verdict", || {
            let mode = Gcm::with_cipher(c);
            let (mut data, mut tag) = (secret(length), [0; 16]);
            mode.encrypt(&nonce, b"header", &mut data, &mut tag)
                .unwrap();
            let before = memcheck::reports();
            let result = mode.decrypt(&nonce, b"header", &mut data, &tag);
            (before, result.is_ok())
        });
    }
}

/// Runs a call that ends in a verdict, and prints the number of reports without the reports of
/// the verdict itself.
fn verdict(algorithm: &str, kernel: &str, what: &str, run: impl FnOnce() -> (u64, bool)) {
    let (before, good) = run();
    let reports = memcheck::reports() - before;
    std::hint::black_box(good);
    println!(
        "report {algorithm} {kernel} {what} {}",
        reports.saturating_sub(VERDICT)
    );
}

/// The number of branches on a verdict: one where the verdict is computed, and one in the code
/// that wipes the output.
const VERDICT: u64 = 2;

fn gcm_siv<C: Keyed + FusedEncrypt<Block = [u8; 16]> + FusedDecrypt>(id: &str) {
    let key = secret(C::KEY_LENGTHS.max);
    for kernel in C::Kernel::available() {
        for hash in ghash::Kernel::available() {
            let what = format!("gcm-siv-{}", hash.name());
            count(id, kernel.name(), &what, || {
                let (mut data, mut tag) = (secret(BLOCKS * 16 + 3), [0; 16]);
                let Ok(mode) = GcmSiv::<C>::with_kernels(kernel, hash, &key) else {
                    unreachable!("the length is allowed")
                };
                mode.encrypt(&[1; 12], b"header", &mut data, &mut tag)
                    .unwrap();
            });
        }
        count(id, kernel.name(), "cbc-mac", || {
            let Ok(mac) = CbcMac::<C>::with_kernel(kernel, &key) else {
                unreachable!("the length is allowed")
            };
            std::hint::black_box(mac.mac(&secret(1000)));
        });
        count(id, kernel.name(), "retail-mac", || {
            let both = [key.clone(), key.clone()].concat();
            let Ok(mac) = RetailMac::<C>::with_kernel(kernel, &both) else {
                unreachable!("the length is allowed")
            };
            std::hint::black_box(mac.mac(&secret(1000)));
        });
    }
}

/// Calls `run` with each kernel that this machine has.
fn each_kernel(
    kernels: &[&'static str],
    mut run: impl FnMut(&'static str) -> Result<(), dynamic::Error>,
) {
    for kernel in kernels {
        match run(kernel) {
            Ok(()) | Err(dynamic::Error::Kernel) => {}
            Err(error) => panic!("{kernel}: {error}"),
        }
    }
}

/// Runs a hash function of the library's list, with one message and with many messages.
fn hash(id: &'static str) {
    each_kernel(Hash::kernels(id).expect("a name"), |kernel| {
        let mut hash = Hash::with_kernel(id, kernel)?;
        let size = hash.output().unwrap_or(100);
        let data = secret(1000);
        count(id, kernel, "hash", || {
            hash.digest(&data, &mut vec![0; size]).unwrap();
        });
        if hash.output().is_some() {
            count(id, kernel, "hash-many", || {
                let messages: Vec<&[u8]> = (0..20).map(|i| &data[i * 9..]).collect();
                hash.digest_many(&messages, &mut vec![0; 20 * size])
                    .unwrap();
            });
        }
        Ok(())
    });
}

/// Returns a key length that an algorithm accepts: the longest, or 32 bytes if keys of any
/// length are accepted.
fn usual(lengths: KeyLengths) -> usize {
    if lengths.max > 256 { 32 } else { lengths.max }
}

/// Runs a stream cipher of the library's list.
fn stream(id: &'static str) {
    let algorithm = dynamic::Cipher::find(id).expect("a name");
    let key = secret(usual(algorithm.key_lengths()));
    let nonce = painted(algorithm.iv_lengths().max);
    each_kernel(dynamic::Cipher::kernels(id).expect("a name"), |kernel| {
        let options = dynamic::Options {
            kernel: Some(kernel),
            ..dynamic::Options::default()
        };
        let mut cipher = algorithm.with(Direction::Encrypt, &painted(key.len()), &options)?;
        count(id, kernel, "stream", || {
            cipher.rekey(&key).unwrap();
            cipher.set_iv(&nonce).unwrap();
            let mut data = secret(3000);
            cipher.apply(&mut data[..777]).unwrap();
            cipher.apply(&mut data[777..]).unwrap();
        });
        Ok(())
    });
}

/// Runs the MACs that are not modes of block ciphers. HMAC counts as its hash function.
fn macs() {
    let over_cipher =
        |name: &str| dynamic::block_ciphers().any(|id| name.starts_with(&format!("{id}-")));
    for name in dynamic::Mac::names().filter(|name| !over_cipher(name)) {
        let (id, what) = match name.strip_prefix("hmac-") {
            Some(hash) => (hash, "hmac"),
            None => (name.as_str(), "mac"),
        };
        let algorithm = dynamic::Mac::find(&name).expect("a name");
        let key = secret(usual(algorithm.key_lengths()));
        let kernel = dynamic::kernel(&name).expect("a name");
        count(id, kernel, what, || {
            let mut mac = algorithm.with(&key, &dynamic::Options::default()).unwrap();
            let mut tag = vec![0; mac.tag()];
            mac.mac(&secret(1000), &mut tag).unwrap();
        });
    }
    for name in dynamic::NonceMac::names().filter(|name| !over_cipher(name)) {
        let algorithm = dynamic::NonceMac::find(&name).expect("a name");
        let key = secret(usual(algorithm.key_lengths()));
        let kernel = dynamic::kernel(&name).expect("a name");
        let mut mac = None;
        count(&name, kernel, "key-setup", || {
            mac = algorithm.with(&key, &dynamic::Options::default()).ok();
        });
        let mac = mac.expect("the length is allowed");
        let nonce = painted(algorithm.nonce_lengths().max);
        count(&name, kernel, "mac", || {
            let mut tag = vec![0; mac.tag()];
            mac.mac(&nonce, &secret(3000), &mut tag).unwrap();
        });
    }
}

/// Runs the AEADs that are not modes of block ciphers.
fn aeads() {
    let over_cipher =
        |name: &str| dynamic::block_ciphers().any(|id| name.starts_with(&format!("{id}-")));
    for name in dynamic::Aead::names().filter(|name| !over_cipher(name)) {
        let algorithm = dynamic::Aead::find(&name).expect("a name");
        let key = secret(usual(algorithm.key_lengths()));
        let nonce = painted(algorithm.nonce_lengths().max);
        let kernel = dynamic::kernel(&name).expect("a name");
        let aead = algorithm.with(&key, &dynamic::Options::default()).unwrap();
        let (mut data, mut tag) = (secret(3000), vec![0; aead.tag()]);
        count(&name, kernel, "aead", || {
            aead.encrypt_inout(&nonce, b"", data.as_mut_slice().into(), &mut tag)
                .unwrap();
        });
        verdict(&name, kernel, "aead-verdict", || {
            let before = memcheck::reports();
            let result = aead.decrypt_inout(&nonce, b"", data.as_mut_slice().into(), &tag);
            (before, result.is_ok())
        });
    }
}

/// For each key derivation: the prefix of its names, a salt, the number of iterations, and the
/// length of the output.
const DERIVATIONS: &[(&str, &[u8], u32, usize)] = &[
    ("hkdf-", b"salt", 0, 50),
    ("pbkdf2-hmac-", b"salt", 2, 50),
    ("pbkdf1-", b"8 bytes.", 2, 16),
    ("bcrypt-pbkdf", b"salt", 1, 32),
    ("s2k-", b"8 bytes.", 100, 50),
    ("kdf1-", b"", 0, 50),
    ("kdf2-", b"", 0, 50),
    ("kdf3-", b"", 0, 50),
    ("mgf1-", b"", 0, 50),
    ("blake3-kdf", b"", 0, 50),
    ("sp800-108-counter-", b"", 0, 50),
    ("sp800-108-feedback-", b"", 0, 50),
    ("sp800-108-double-pipeline-", b"", 0, 50),
];

/// Runs the generators of SP 800-90A over hash functions. Each counts as its hash function. The
/// counter of CTR_DRBG is secret, and counter mode may show that it overflows, as docs/algorithms.md
/// says.
fn drbgs() {
    for name in dynamic::Drbg::names() {
        let over = ["hmac-drbg-", "hash-drbg-"];
        let Some(over) = over.iter().find_map(|start| name.strip_prefix(start)) else {
            continue;
        };
        let kernel = dynamic::kernel(name).expect("a name");
        let entropy = secret(32);
        count(over, kernel, "drbg", || {
            let mut drbg = dynamic::Drbg::new(name, &entropy, &[], b"a test").unwrap();
            for length in [16, 100, 1000] {
                drbg.generate(&mut vec![0; length], &[]).unwrap();
            }
            drbg.reseed(&entropy, b"more").unwrap();
            drbg.generate(&mut [0; 16], b"more").unwrap();
        });
    }
}

/// Runs the key derivations. Each counts as its hash function or its cipher.
fn derivations() {
    for name in dynamic::derivations() {
        let of_name = |row: &&(&str, &[u8], u32, usize)| name.starts_with(row.0);
        let row = DERIVATIONS.iter().find(of_name).expect("a function");
        let (start, salt, iterations, length) = *row;
        let over = name.trim_start_matches(start);
        let size = match dynamic::Mac::key_lengths(over) {
            Ok(lengths) => usual(lengths),
            Err(_) => 20,
        };
        let over = match over.trim_start_matches("hmac-").trim_end_matches("-cmac") {
            "" if start == "blake3-kdf" => "blake3",
            "" => "blowfish",
            over => over,
        };
        let kernel = dynamic::kernel(&name).expect("a name");
        let password = secret(size);
        count(over, kernel, start.trim_end_matches('-'), || {
            let from = dynamic::Derivation {
                secret: &password,
                salt,
                info: b"",
                iterations,
            };
            dynamic::derive(&name, &from, &mut vec![0; length]).unwrap();
        });
    }
}
