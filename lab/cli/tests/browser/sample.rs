//! An invented run that contains everything that a real run can contain: ties, flags, failures,
//! an absent library, text that looks like markup. No number in it was measured.

use touchstone_lab::stats::{Interval, Series};
use touchstone_lab::summarise::rankings;
use touchstone_lab::summary::{
    Cell, Cost, Failure, Flag, Library, Machine, Run, Summary, Verification,
};

/// Noise by xorshift with a fixed seed, so that every run of the tests makes the same page.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn around(&mut self, value: f64, relative: f64) -> f64 {
        value * (1.0 + relative * (self.next() + self.next() + self.next() - 1.5))
    }
}

fn interval(mid: f64, relative: f64) -> Interval {
    Interval {
        low: mid * (1.0 - relative),
        mid,
        high: mid * (1.0 + relative),
    }
}

const LIBRARIES: &[(&str, &str, &str, f64)] = &[
    ("botan", "Botan", "2.19.3", 1.5),
    ("libgcrypt", "libgcrypt", "1.10.1", 1.08),
    ("libsodium", "libsodium", "1.0.18", 1.15),
    ("mbedtls", "Mbed TLS", "2.28.3", 2.6),
    ("nettle", "Nettle", "3.8.1", 1.3),
    ("openssl", "OpenSSL", "3.0.22", 1.0),
    ("openssl@old", "OpenSSL@old", "1.1.1", 1.7),
    ("touchstone", "Touchstone", "0.1.0", 1.02),
];

/// Rows: family, primitive, operations; for the best library, nanoseconds per byte and
/// nanoseconds per message.
const WORK: &[(&str, &str, &[&str], f64, f64)] = &[
    ("hash", "blake2b", &["hash"], 0.95, 120.0),
    ("hash", "blake2s", &["hash"], 1.6, 90.0),
    ("hash", "blake3", &["hash"], 0.3, 80.0),
    ("hash", "md4", &["hash"], 0.9, 60.0),
    ("hash", "md5", &["hash"], 1.5, 90.0),
    ("hash", "ripemd-160", &["hash"], 2.9, 170.0),
    ("hash", "sha-1", &["hash"], 0.5, 60.0),
    ("hash", "sha-224", &["hash"], 0.52, 70.0),
    ("hash", "sha-256", &["hash"], 0.51, 70.0),
    ("hash", "sha-384", &["hash"], 1.5, 150.0),
    ("hash", "sha-512", &["hash"], 1.5, 150.0),
    ("hash", "sha3-256", &["hash"], 2.2, 260.0),
    ("hash", "sha3-512", &["hash"], 4.1, 270.0),
    ("hash", "sm3", &["hash"], 2.6, 150.0),
    ("hash", "whirlpool", &["hash"], 4.6, 350.0),
    ("block", "aes-128", AES, 0.06, 25.0),
    ("block", "aes-192", AES, 0.072, 26.0),
    ("block", "aes-256", AES, 0.084, 27.0),
    ("block", "aria-128", BLOCK, 1.9, 30.0),
    ("block", "blowfish", BLOCK, 6.4, 30.0),
    ("block", "camellia-128", BLOCK, 1.1, 30.0),
    ("block", "camellia-256", BLOCK, 1.5, 30.0),
    ("block", "cast5", BLOCK, 5.1, 30.0),
    ("block", "des", BLOCK, 9.1, 30.0),
    ("block", "des-ede3", BLOCK, 22.0, 30.0),
    ("block", "idea", BLOCK, 6.7, 30.0),
    ("block", "seed", BLOCK, 5.2, 30.0),
    ("block", "serpent-256", BLOCK, 1.3, 30.0),
    ("block", "sm4", BLOCK, 1.2, 30.0),
    ("block", "twofish-256", BLOCK, 2.0, 30.0),
    (
        "block",
        "des",
        &["des-cipher-1", "des-cipher-25"],
        7.0,
        10.0,
    ),
    ("stream", "chacha20", &["stream-encrypt"], 0.36, 60.0),
    ("stream", "rc4", &["stream-encrypt"], 1.6, 20.0),
    ("stream", "salsa20", STREAM, 0.4, 60.0),
    ("stream", "salsa20-12", STREAM, 0.25, 60.0),
    ("stream", "xchacha20", &["stream-encrypt"], 0.37, 160.0),
    ("aead", "chacha20-poly1305", AEAD, 0.55, 190.0),
    ("aead", "xchacha20-poly1305", AEAD, 0.56, 320.0),
    ("mac", "hmac-md5", &["mac"], 1.6, 420.0),
    ("mac", "hmac-sha-1", &["mac"], 0.6, 300.0),
    ("mac", "hmac-sha-256", &["mac"], 0.6, 330.0),
    ("mac", "hmac-sha-512", &["mac"], 1.6, 600.0),
    ("mac", "poly1305", &["mac"], 0.19, 60.0),
    ("mac", "siphash-2-4", &["mac"], 0.6, 15.0),
    ("kdf", "pbkdf2-hmac-sha-256", &["derive"], 0.0, 2.9e5),
    ("kdf", "scrypt", &["derive"], 0.0, 4.1e7),
    ("kdf", "argon2id", &["derive"], 0.0, 6.8e7),
    ("password", "crypt-bcrypt", &["crypt"], 0.0, 2.2e6),
    ("password", "crypt-des", &["crypt"], 0.0, 2.4e3),
    ("password", "crypt-sha512", &["crypt"], 0.0, 1.7e6),
    ("signature", "ed25519", &["sign", "verify"], 0.0, 4.2e4),
    ("integer", "integer", &["powmod"], 900.0, 100.0),
];
const AES: &[&str] = &[
    "ecb-encrypt",
    "ecb-decrypt",
    "cbc-encrypt",
    "cbc-decrypt",
    "ctr-encrypt",
    "cfb-encrypt",
    "cfb-decrypt",
    "ofb-encrypt",
    "xts-encrypt",
    "xts-decrypt",
    "gcm-encrypt",
    "gcm-decrypt",
    "ocb-encrypt",
    "ocb-decrypt",
    "ccm-encrypt",
    "ccm-decrypt",
    "cmac",
];
const BLOCK: &[&str] = &["ecb-encrypt", "ecb-decrypt", "cbc-encrypt", "cbc-decrypt"];
const STREAM: &[&str] = &["stream-encrypt", "stream-keystream"];
const AEAD: &[&str] = &["aead-encrypt", "aead-decrypt"];
const SIZES: &[u64] = &[16, 64, 256, 1350, 16384];
/// Message sizes that the views need.
const MORE_SIZES: &[u64] = &[8, 16, 64, 256, 576, 1024, 1350, 8192, 16384];

/// Returns whether a library offers a primitive.
fn offers(library: &str, primitive: &str, operation: &str) -> bool {
    match library.split('@').next().unwrap_or(library) {
        "openssl" => !matches!(
            primitive,
            "blake3"
                | "salsa20"
                | "xchacha20"
                | "xchacha20-poly1305"
                | "serpent-256"
                | "twofish-256"
                | "crypt-bcrypt"
                | "crypt-des"
                | "crypt-sha512"
                | "argon2id"
        ),
        "touchstone" => true,
        "libsodium" => {
            matches!(
                primitive,
                "blake2b"
                    | "sha-256"
                    | "sha-512"
                    | "chacha20"
                    | "salsa20"
                    | "xchacha20"
                    | "chacha20-poly1305"
                    | "xchacha20-poly1305"
                    | "poly1305"
                    | "siphash-2-4"
                    | "hmac-sha-256"
                    | "hmac-sha-512"
                    | "argon2id"
                    | "scrypt"
            ) || primitive == "aes-256" && operation.starts_with("gcm")
        }
        "mbedtls" => {
            matches!(
                primitive,
                "md5"
                    | "sha-1"
                    | "sha-224"
                    | "sha-256"
                    | "sha-384"
                    | "sha-512"
                    | "chacha20"
                    | "chacha20-poly1305"
                    | "poly1305"
                    | "des"
                    | "des-ede3"
                    | "camellia-128"
                    | "camellia-256"
                    | "aria-128"
                    | "hmac-sha-256"
                    | "hmac-sha-1"
                    | "pbkdf2-hmac-sha-256"
            ) || primitive.starts_with("aes") && !operation.starts_with("ocb")
        }
        "nettle" => {
            !matches!(
                primitive,
                "blake2b"
                    | "blake2s"
                    | "blake3"
                    | "whirlpool"
                    | "seed"
                    | "idea"
                    | "aria-128"
                    | "xchacha20"
                    | "xchacha20-poly1305"
                    | "argon2id"
                    | "siphash-2-4"
            ) && !primitive.starts_with("crypt")
                && !operation.starts_with("ocb")
                && !operation.starts_with("ofb")
        }
        "libgcrypt" => {
            !matches!(
                primitive,
                "blake3" | "xchacha20" | "xchacha20-poly1305" | "siphash-2-4" | "aria-128"
            ) && !primitive.starts_with("crypt")
        }
        _ => {
            !matches!(primitive, "blake3" | "crypt-des" | "crypt-sha512")
                && !operation.starts_with("ofb")
        }
    }
}

/// Returns the factor by which an operation is slower than the primitive's rate for long
/// messages.
fn serial(operation: &str) -> f64 {
    match operation {
        "cbc-encrypt" | "cfb-encrypt" | "ofb-encrypt" | "cmac" => 7.5,
        op if op.starts_with("ccm") => 8.0,
        op if op.starts_with("gcm") => 1.4,
        op if op.starts_with("ocb") => 1.25,
        op if op.starts_with("xts") => 1.2,
        _ => 1.0,
    }
}

/// The results for known answers with one flag: its name, right and wrong answers.
fn flag(&(name, passed, failed): &(&str, u32, u32)) -> Flag {
    Flag {
        flag: name.to_owned(),
        passed,
        failed,
        ..Flag::default()
    }
}

fn right(library: &str, primitive: &str, operation: &str, family: &str) -> Verification {
    Verification {
        library: library.to_owned(),
        primitive: primitive.to_owned(),
        operation: operation.to_owned(),
        family: family.to_owned(),
        passed: 40,
        failed: u32::from(operation == "verify" && library == "botan"),
        flags: match operation {
            "verify" => vec![flag(&(
                "SignatureMalleability",
                3,
                u32::from(library == "botan"),
            ))],
            _ => Vec::new(),
        },
        ..Verification::default()
    }
}

/// Makes the invented run.
pub(crate) fn summary() -> Summary {
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    let mut libraries: Vec<Library> = LIBRARIES
        .iter()
        .map(|&(id, name, version, _)| Library {
            id: id.to_owned(),
            variant_of: String::new(),
            mask: String::new(),
            name: name.to_owned(),
            version: version.to_owned(),
            path: match id.split_once('@') {
                _ if id == "touchstone" => String::new(),
                Some((own, root)) => format!("/srv/{root}/usr/lib/lib{own}.so"),
                None => format!("/usr/lib/x86_64-linux-gnu/lib{id}.so"),
            },
            fingerprint: String::new(),
            licence: if id == "touchstone" {
                "MIT OR Apache-2.0"
            } else {
                "LGPL-2.1-or-later"
            }
            .to_owned(),
            language: if id == "botan" {
                "C++"
            } else if id == "touchstone" {
                "Rust"
            } else {
                "C"
            }
            .to_owned(),
            features: "aes avx2 avx512f vaes sha".to_owned(),
            note: if id == "openssl" {
                "with the legacy provider; text like <script>alert(1)</script> & co. stays text"
                    .to_owned()
            } else {
                String::new()
            },
            handicap: if id == "mbedtls" {
                "built without <assembly>".to_owned()
            } else {
                String::new()
            },
            absent: String::new(),
            offers: 0,
            code_bytes: (id != "touchstone").then(|| (noise.next() * 4e6) as u64 + 200_000),
            table_bytes: (id != "touchstone").then(|| (noise.next() * 1e6) as u64 + 50_000),
            start_ms: Some(noise.around(4.0, 0.6)),
            peak_kib: Some((noise.next() * 6000.0) as u64 + 300),
        })
        .collect();
    let mut cells: Vec<Cell> = Vec::new();
    let mut costs = Vec::new();
    let mut verification = Vec::new();
    for &(family, primitive, operations, per_byte, per_message) in WORK {
        for &operation in operations {
            let mut present: Vec<(&str, f64, f64)> = Vec::new();
            for &(library, _, _, slowness) in LIBRARIES {
                if !offers(library, primitive, operation) {
                    continue;
                }
                let mut factor = slowness * noise.around(1.0, 0.45).max(0.6);
                if matches!(primitive, "sha-1" | "sha-256")
                    && matches!(library, "nettle" | "mbedtls")
                {
                    factor *= 4.0;
                }
                // Both libraries reach the same limit of the machine, which makes a tie.
                if primitive.starts_with("aes") && matches!(library, "openssl" | "libgcrypt")
                    || primitive == "md5"
                {
                    factor = 1.0 + 0.001 * noise.next();
                }
                present.push((library, factor, 1.0));
            }
            let sizes: &[u64] = match (family, primitive) {
                ("kdf", _) => &[16],
                ("password", _) => &[8],
                ("signature", _) => &[64],
                ("integer", _) => &[512, 1024, 2048],
                _ if operation.starts_with("des-cipher") => &[8],
                (_, "md5" | "sha-1" | "ripemd-160" | "hmac-md5" | "rc4" | "blowfish" | "idea") => {
                    MORE_SIZES
                }
                ("stream", _) => MORE_SIZES,
                _ => SIZES,
            };
            for &bytes in sizes {
                let true_ns: Vec<f64> = present
                    .iter()
                    .map(|&(library, factor, _)| {
                        let call = per_message * if library == "openssl" { 1.9 } else { 1.0 };
                        factor * (bytes as f64 * per_byte * serial(operation))
                            + call * factor.sqrt()
                    })
                    .collect();
                let best = true_ns.iter().copied().fold(f64::INFINITY, f64::min);
                for (place, &(library, _, _)) in present.iter().enumerate() {
                    let samples: Vec<f64> = (0..20)
                        .map(|round| {
                            let drift = 1.0 + 0.004 * f64::from(round) / 20.0;
                            let spike = if noise.next() > 0.96 { 1.05 } else { 1.0 };
                            noise.around(true_ns[place], 0.012) * drift * spike
                        })
                        .collect();
                    let mut sorted = samples.clone();
                    sorted.sort_by(f64::total_cmp);
                    let ratio = true_ns[place] / best;
                    // So wide an interval says neither that it ties nor that it is slower.
                    let vague = primitive == "sm3" && library == "botan";
                    let flagged = primitive == "idea" && library == "botan" && bytes == 16384;
                    cells.push(Cell {
                        library: library.to_owned(),
                        primitive: primitive.to_owned(),
                        operation: operation.to_owned(),
                        family: family.to_owned(),
                        contract: "hot".to_owned(),
                        bytes,
                        threads: 1,
                        messages: 1,
                        ns: interval((sorted[9] + sorted[10]) / 2.0, 0.004),
                        spread: [sorted[0], sorted[5], sorted[15]],
                        ratio: interval(ratio, if vague { 0.6 } else { 0.005 }),
                        tie: vague || ratio < 1.005,
                        counts: true,
                        rounds: 20,
                        calls: (1e5 / true_ns[place]).ceil() as u64,
                        stop: if noise.next() > 0.1 {
                            "narrow"
                        } else {
                            "budget"
                        }
                        .to_owned(),
                        first_ns: [
                            (noise.next() * 9e3) as u64 + 300,
                            (noise.next() * 3e3) as u64 + 80,
                            (true_ns[place] * 6.0) as u64,
                        ],
                        mhz: Some(noise.around(4110.0, 0.002)),
                        flags: if flagged {
                            vec!["clock moved by 1.4 %".to_owned()]
                        } else {
                            Vec::new()
                        },
                        api: format!("{library}_{}_update", operation.replace('-', "_")),
                        kernel: if primitive.starts_with("aes") {
                            "vaes-avx512"
                        } else {
                            ""
                        }
                        .to_owned(),
                        note: String::new(),
                        samples,
                        processes: Vec::new(),
                    });
                }
            }
            for (place, &(library, factor, _)) in present.iter().enumerate() {
                libraries
                    .iter_mut()
                    .filter(|l| l.id == library)
                    .for_each(|l| l.offers += 1);
                let keyed = matches!(family, "block" | "aead" | "stream" | "signature")
                    && operation != "verify"
                    && !operation.starts_with("keystream");
                let slope = factor * per_byte * serial(operation);
                let setup = keyed.then(|| {
                    let base = match primitive {
                        "blowfish" => 21000.0,
                        "twofish-256" => 3800.0,
                        "idea" => 420.0,
                        _ => 90.0,
                    };
                    let turn = if operation.ends_with("decrypt") {
                        1.6
                    } else {
                        1.0
                    };
                    interval(noise.around(base * turn * factor.sqrt(), 0.4), 0.01)
                });
                let like = cells.iter().find(|cell| {
                    (
                        cell.library.as_str(),
                        cell.primitive.as_str(),
                        cell.operation.as_str(),
                    ) == (library, primitive, operation)
                });
                if let (Some(like), Some(ns)) = (like, setup) {
                    let samples: Vec<f64> = (0..20).map(|_| noise.around(ns.mid, 0.012)).collect();
                    let alone = Cell {
                        contract: "setup".to_owned(),
                        bytes: 0,
                        ns: interval(Series::of(&samples).value(), 0.004),
                        spread: [ns.low, ns.mid, ns.high],
                        samples,
                        flags: Vec::new(),
                        ..like.clone()
                    };
                    cells.push(alone);
                }
                if matches!(family, "signature" | "integer") {
                    verification.push(right(library, primitive, operation, family));
                    continue;
                }
                costs.push(Cost {
                    library: library.to_owned(),
                    primitive: primitive.to_owned(),
                    operation: operation.to_owned(),
                    family: family.to_owned(),
                    slope: interval(slope, 0.006),
                    intercept: interval(per_message * factor.sqrt(), 0.03),
                    misfit: noise.next() * 0.08,
                    setup: setup.filter(|_| {
                        slope > 0.0 && operation.starts_with("ecb") || family != "block"
                    }),
                    setup_bytes: setup.map(|s| Interval {
                        low: s.low / slope,
                        mid: s.mid / slope,
                        high: s.high / slope,
                    }),
                });
                let wraps = library == "libsodium" && operation == "gcm-decrypt";
                let flags: &[(&str, u32, u32)] = match operation {
                    "gcm-decrypt" => {
                        &[("ModifiedTag", 60, 0), ("CounterWrap", 5, u32::from(wraps))]
                    }
                    _ => &[],
                };
                let unsourced = primitive == "whirlpool" && place == 0;
                verification.push(Verification {
                    library: library.to_owned(),
                    primitive: primitive.to_owned(),
                    operation: operation.to_owned(),
                    family: family.to_owned(),
                    passed: if unsourced {
                        0
                    } else {
                        20 + (noise.next() * 400.0) as u32
                    },
                    failed: u32::from(
                        library == "mbedtls"
                            && primitive == "camellia-256"
                            && operation == "cbc-decrypt"
                            || wraps,
                    ),
                    acceptable: u32::from(primitive == "chacha20-poly1305") * 3,
                    unsupported: (noise.next() * 12.0) as u32,
                    unasked: 0,
                    agreed: if unsourced { 4 } else { 0 },
                    disagreed: 0,
                    flags: flags.iter().map(flag).collect(),
                    sources: if unsourced {
                        Vec::new()
                    } else {
                        vec![
                            format!("vectors/{family}/{primitive}.vec"),
                            "wycheproof".to_owned(),
                        ]
                    },
                });
            }
        }
    }
    for threads in [2u32, 4, 8] {
        let extra: Vec<Cell> = cells
            .iter()
            .filter(|c| {
                c.threads == 1
                    && c.bytes == 16384
                    && matches!(
                        (c.primitive.as_str(), c.operation.as_str()),
                        ("aes-256", "gcm-encrypt") | ("sha-256", "hash")
                    )
            })
            .cloned()
            .map(|mut c| {
                c.threads = threads;
                let slow = 1.0 + 0.03 * f64::from(threads);
                c.ns = interval(c.ns.mid * slow, 0.01);
                c.samples.iter_mut().for_each(|sample| *sample *= slow);
                c
            })
            .collect();
        cells.extend(extra);
    }
    let keyed: Vec<Cell> = cells
        .iter()
        .filter(|c| c.threads == 1 && c.operation == "gcm-encrypt" && c.primitive == "aes-128")
        .cloned()
        .map(|mut c| {
            c.contract = "keyed".to_owned();
            c.ns = interval(c.ns.mid + 400.0, 0.006);
            c
        })
        .collect();
    cells.extend(keyed);
    libraries.push(Library {
        id: "wolfssl".to_owned(),
        variant_of: String::new(),
        mask: String::new(),
        name: "wolfSSL".to_owned(),
        version: String::new(),
        path: String::new(),
        fingerprint: String::new(),
        licence: String::new(),
        language: String::new(),
        features: String::new(),
        note: String::new(),
        handicap: String::new(),
        absent: "libwolfssl.so was not found. Install libwolfssl35 to measure it.".to_owned(),
        offers: 0,
        code_bytes: None,
        table_bytes: None,
        start_ms: None,
        peak_kib: None,
    });
    libraries.sort_by(|a, b| a.id.cmp(&b.id));
    let (ranking, headline, variants) = rankings(&libraries, &cells);
    Summary {
        run: Run {
            id: 7,
            started: "2026-01-01T00:00:00Z".to_owned(),
            seconds: 1043.0,
            profile: "made up".to_owned(),
            command: "touchstone run --profile standard".to_owned(),
            complete: true,
            lab_version: "0.1.0".to_owned(),
            null_ns: 0.31,
            target: 0.02,
            costs: Default::default(),
        },
        machine: Machine {
            line: "Made-up machine for tests: no number on this page was measured".to_owned(),
            facts: [("CPU", "an invented one, 2 CPUs"), ("Features", "aes avx2 avx512f gfni pclmulqdq sha vaes vpclmulqdq"), ("Governor", "performance"), ("Clock source", "tsc")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .to_vec(),
            mhz: Some([4092.0, 4110.0, 4116.0]),
        },
        libraries,
        verification,
        failures: vec![
            Failure {
                library: "mbedtls".to_owned(),
                primitive: "camellia-256".to_owned(),
                operation: "cbc-decrypt".to_owned(),
                kind: "wrong answer".to_owned(),
                place: "vectors/block/camellia-256.vec:118".to_owned(),
                input: "key=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff nonce=000102030405060708090a0b0c0d0e0f input=</script><b>".to_owned(),
                expected: "80000000000000000000000000000000".to_owned(),
                got: "80000000000000000000000000000001".to_owned(),
            },
            Failure {
                library: "nettle".to_owned(),
                primitive: String::new(),
                operation: String::new(),
                kind: "timeout".to_owned(),
                place: "starting the worker a second time".to_owned(),
                input: String::new(),
                expected: "an answer within 10 s".to_owned(),
                got: "none".to_owned(),
            },
        ],
        cells,
        costs,
        headline,
        variants,
        ranking,
        files: None,
    }
}
