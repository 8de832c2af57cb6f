//! Every call of every algorithm that has a name, with each kernel of this machine. The
//! algorithms come from the library's lists, so a new one is called without a line here.

use touchstone::dynamic::*;
use touchstone::{InOutBuf, KeyLengths};

/// The lengths of messages: below a block, a few blocks, and enough for every kernel that
/// takes many blocks at once, with a rest that fills no block. For each depth to which the library
/// clears the stack there is the longest message, and for most a shorter one.
const LENGTHS: &[usize] = &[
    5, 16, 24, 48, 64, 160, 250, 256, 272, 608, 945, 960, 1024, 1041, 1056, 16992, 17000,
];

/// Keys and messages for the calls, and room for outputs.
pub(crate) struct Secrets {
    pub(crate) key: Vec<u8>,
    pub(crate) message: Vec<u8>,
    pub(crate) output: Vec<u8>,
}

impl Secrets {
    /// Bytes that look like nothing in particular, others for each seed (SplitMix64).
    pub(crate) fn new(seed: u64) -> Self {
        let mut state = seed;
        let mut random = |length: usize| {
            let word = |_| {
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
                (z ^ z >> 31).to_le_bytes()
            };
            (0..length / 8).flat_map(word).collect()
        };
        Self {
            key: random(256),
            message: random(60_000),
            output: vec![0; 20000],
        }
    }
}

/// What the caller does with each call: the algorithm, its kernel, the name of the call,
/// and the call itself.
pub(crate) type Visit<'v> = dyn FnMut(&str, &str, &'static str, &mut dyn FnMut()) + 'v;

/// Makes every call once.
pub(crate) fn every_call(secrets: &mut Secrets, visit: &mut Visit<'_>) {
    Cipher::names().for_each(|name| ciphers(&name, secrets, visit));
    Aead::names().for_each(|name| aeads(&name, secrets, visit));
    Hash::names().for_each(|name| hashes(name, secrets, visit));
    if Hash::names().any(|name| name == "cshake128") {
        structured(secrets, visit);
    }
    Mac::names().for_each(|name| macs(&name, secrets, visit));
    NonceMac::names().for_each(|name| nonce_macs(&name, secrets, visit));
    KeyWrap::names().for_each(|name| wraps(&name, secrets, visit));
    derivations().for_each(|name| derives(&name, secrets, visit));
    Drbg::names().for_each(|name| drbgs(name, secrets, visit));
    Aead::names().for_each(|name| aeads_of_other_lengths(&name, secrets, visit));
}

/// In place of a kernel's name: the library chooses the kernel.
const DEFAULT: &str = "-";

/// The kernels of an algorithm, or [`DEFAULT`] alone if its kernels cannot be chosen.
fn kernels(names: Result<&'static [&'static str], Error>) -> Vec<&'static str> {
    names.map_or(vec![DEFAULT], <[_]>::to_vec)
}

/// The options that name a kernel. The length beside a `None` is uninitialized: in a
/// `Vec<Option<&str>>` the length is what this memory held before, such as a ciphertext, and the
/// library copies the length to its stack. So the tests keep names, and this function makes the
/// `Option` from a name.
fn with_kernel(kernel: &str) -> Options<'_> {
    Options {
        kernel: Some(kernel).filter(|kernel| *kernel != DEFAULT),
        ..Options::default()
    }
}

/// The kernels of the block cipher that an algorithm is a mode of.
fn kernels_of_cipher(name: &str) -> Vec<&'static str> {
    let of = |id: &&str| {
        name.strip_prefix(*id)
            .is_some_and(|rest| rest.starts_with('-'))
    };
    match block_ciphers().filter(of).max_by_key(|id| id.len()) {
        Some(id) => kernels(Cipher::kernels(&format!("{id}-ecb"))),
        None => vec![DEFAULT],
    }
}

fn ciphers(name: &str, secrets: &mut Secrets, visit: &mut Visit<'_>) {
    let algorithm = Cipher::find(name).expect("a name");
    let Secrets {
        key,
        message,
        output,
    } = secrets;
    let key = &key[..algorithm.key_lengths().min];
    let iv = vec![7; algorithm.iv_lengths().min];
    let fits = |length: usize| match algorithm.pieces() {
        Pieces::Blocks(block) => length.is_multiple_of(block),
        Pieces::Whole(least) => length >= least,
        _ => true,
    };
    for kernel in kernels(Cipher::kernels(name)) {
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let options = with_kernel(kernel);
            let mut cipher = None;
            let name = &match direction {
                Direction::Encrypt => name.to_owned(),
                Direction::Decrypt => format!("{name}-decrypt"),
            };
            visit(name, kernel, "key", &mut || {
                cipher = algorithm.with(direction, key, &options).ok()
            });
            let Some(mut cipher) = cipher else {
                continue;
            };
            visit(name, kernel, "rekey", &mut || {
                cipher.rekey(key).expect("a key")
            });
            for length in LENGTHS.iter().copied().filter(|length| fits(*length)) {
                let output = &mut output[..length];
                visit(name, kernel, of_length("message", length), &mut || {
                    let data = InOutBuf::new(&message[..length], output).expect("equal lengths");
                    cipher.message_inout(&iv, data).expect("a message");
                });
                if algorithm.iv_lengths().max != 0 {
                    visit(name, kernel, "iv", &mut || {
                        cipher.set_iv(&iv).expect("an iv")
                    });
                }
                visit(name, kernel, of_length("update", length), &mut || {
                    cipher
                        .apply_into(&message[..length], output)
                        .expect("a message");
                });
            }
            if cipher.set_iv(&iv).is_ok() {
                visit(name, kernel, "seek", &mut || {
                    // Many ciphers cannot seek.
                    let _ = cipher.seek(1000);
                });
            }
            let mut many = vec![Vec::new(); 70];
            many.iter_mut()
                .enumerate()
                .for_each(|(i, text)| text.extend(&message[..16 * 8 * (i % 5 + 1)]));
            let mut texts: Vec<&mut [u8]> = many.iter_mut().map(Vec::as_mut_slice).collect();
            visit(name, kernel, "many", &mut || {
                let all = texts.iter_mut().map(|text| Message {
                    iv: &iv,
                    data: InOutBuf::from(&mut **text),
                });
                cipher.apply_many(all.collect()).expect("messages");
            });
            let mut cipher = Some(cipher);
            visit(name, kernel, "drop", &mut || cipher = None);
        }
    }
}

/// The length of a nonce in bytes that most programs use.
fn usual_nonce(lengths: KeyLengths) -> usize {
    if lengths.contains(12) {
        12
    } else {
        lengths.min
    }
}

/// Longer associated data runs the code for long messages, and GCM hashes a nonce of another length
/// than 12 bytes.
fn aeads_of_other_lengths(name: &str, secrets: &mut Secrets, visit: &mut Visit<'_>) {
    let algorithm = Aead::find(name).expect("a name");
    let Secrets {
        key,
        message,
        output,
    } = secrets;
    let key = &key[..algorithm.key_lengths().min];
    let usual = usual_nonce(algorithm.nonce_lengths());
    let mut lengths = Vec::new();
    if name != "xsalsa20-poly1305" {
        lengths.extend([(usual, 49), (usual, 160)]);
    }
    if algorithm.nonce_lengths().contains(13) {
        lengths.push((13, 0));
    }
    let mut tag = vec![0; algorithm.longest_tag()];
    for kernel in kernels_of_cipher(name) {
        let options = with_kernel(kernel);
        let Ok(aead) = algorithm.with(key, &options) else {
            continue;
        };
        for &(nonce, aad) in &lengths {
            let nonce = &vec![7; nonce];
            for length in [5, 16, 64, 256] {
                let (text, output) = (&message[..length], &mut output[..length]);
                visit(name, kernel, "message of 960", &mut || {
                    let data = InOutBuf::new(text, output).expect("equal lengths");
                    aead.encrypt_inout(nonce, &message[..aad], data, &mut tag)
                        .expect("a message");
                });
            }
        }
    }
}

fn aeads(name: &str, secrets: &mut Secrets, visit: &mut Visit<'_>) {
    let algorithm = Aead::find(name).expect("a name");
    let Secrets {
        key,
        message,
        output,
    } = secrets;
    let key = &key[..algorithm.key_lengths().min];
    let nonce = &vec![7; usual_nonce(algorithm.nonce_lengths())];
    let aad = if name == "xsalsa20-poly1305" { 0 } else { 45 };
    let mut tag = vec![0; algorithm.longest_tag()];
    let mut all = kernels_of_cipher(name);
    all.push(DEFAULT);
    for kernel in all {
        let options = with_kernel(kernel);
        let mut aead = None;
        visit(name, kernel, "key", &mut || {
            aead = algorithm.with(key, &options).ok()
        });
        let Some(mut aead) = aead else {
            continue;
        };
        visit(name, kernel, "rekey", &mut || {
            aead.rekey(key).expect("a key")
        });
        for &length in LENGTHS {
            let (text, output) = (&message[..length], &mut output[..length]);
            visit(name, kernel, of_length("message", length), &mut || {
                let data = InOutBuf::new(text, output).expect("equal lengths");
                aead.encrypt_inout(nonce, &text[..aad.min(length)], data, &mut tag)
                    .expect("a message");
            });
            visit(name, kernel, of_length("message", length), &mut || {
                let data = InOutBuf::from(&mut *output);
                aead.decrypt_inout(nonce, &text[..aad.min(length)], data, &tag)
                    .expect("a genuine message");
            });
            visit(name, kernel, of_length("forged", length), &mut || {
                let data = InOutBuf::from(&mut *output);
                aead.decrypt_inout(nonce, b"other", data, &tag)
                    .expect_err("a forged message");
            });
        }
        let announced = Announced {
            aad: 37,
            data: 5000,
        };
        for forwards in [true, false] {
            let mut encryptor = None;
            let mut decryptor = None;
            visit(name, kernel, "begin", &mut || {
                if forwards {
                    encryptor = aead.encryptor(nonce, announced).ok();
                } else {
                    decryptor = aead.decryptor(nonce, announced).ok();
                }
            });
            if let Some(encryptor) = &mut encryptor {
                visit(name, kernel, "aad", &mut || {
                    encryptor.aad(&message[..37]).expect("data")
                });
                for part in [16, 4096, 888] {
                    visit(name, kernel, "update", &mut || {
                        let data =
                            InOutBuf::new(&message[..part], &mut output[..part]).expect("equal");
                        encryptor.encrypt_inout(data).expect("data");
                    });
                }
            }
            if let Some(decryptor) = &mut decryptor {
                visit(name, kernel, "aad", &mut || {
                    decryptor.aad(&message[..37]).expect("data")
                });
                for part in [16, 4096, 888] {
                    visit(name, kernel, "update", &mut || {
                        let data =
                            InOutBuf::new(&message[..part], &mut output[..part]).expect("equal");
                        decryptor.decrypt_unverified_inout(data).expect("data");
                    });
                }
            }
            visit(name, kernel, "end", &mut || {
                if let Some(encryptor) = encryptor.take() {
                    encryptor.finish(&mut tag).expect("a tag");
                }
                if let Some(decryptor) = decryptor.take() {
                    let _ = decryptor.verify(&tag);
                }
            });
        }
        let mut aead = Some(aead);
        visit(name, kernel, "drop", &mut || aead = None);
    }
    // The tag is no secret, but it depends on the key. The allocator reads it when the memory is
    // freed, and the next call would show it. So would a nonce with bytes of a secret.
    tag.fill(0);
}

fn drbgs(name: &str, secrets: &mut Secrets, visit: &mut Visit<'_>) {
    let algorithm = Drbg::find(name).expect("a name");
    let Secrets {
        key,
        message,
        output,
    } = secrets;
    let entropy = &key[..algorithm.entropy_lengths().min];
    let nonce = if algorithm.takes_nonce() {
        &key[64..80]
    } else {
        &[]
    };
    let additional = &message[..32];
    for kernel in kernels(Drbg::kernels(name)) {
        let options = with_kernel(kernel);
        let mut drbg = None;
        visit(name, kernel, "key", &mut || {
            drbg = algorithm.with(entropy, nonce, additional, &options).ok()
        });
        let Some(mut drbg) = drbg else {
            continue;
        };
        for &length in LENGTHS {
            let output = &mut output[..length];
            visit(name, kernel, of_length("message", length), &mut || {
                drbg.generate(output, &[]).expect("output")
            });
        }
        for length in [16, 100, 1100] {
            visit(name, kernel, "aad", &mut || {
                drbg.generate(&mut output[..length], additional)
                    .expect("output")
            });
        }
        visit(name, kernel, "rekey", &mut || {
            drbg.reseed(entropy, additional).expect("entropy")
        });
        let mut drbg = Some(drbg);
        visit(name, kernel, "drop", &mut || drbg = None);
    }
}

fn hashes(name: &str, secrets: &mut Secrets, visit: &mut Visit<'_>) {
    let Secrets {
        message, output, ..
    } = secrets;
    const CUSTOMISED: &str = "customised";
    let kernels = Hash::kernels(name).unwrap_or_default();
    for &kernel in kernels.iter().chain(&[CUSTOMISED]) {
        let mut hash = None;
        visit(name, kernel, "new", &mut || {
            hash = match kernel {
                CUSTOMISED => Hash::customised(name, b"custom").ok(),
                _ => Hash::with_kernel(name, kernel).ok(),
            }
        });
        let Some(mut hash) = hash else {
            continue;
        };
        let size = hash.output().unwrap_or(300);
        let digest = &mut output[..size];
        // Leaves of a tree in lanes.
        let tree: &[usize] = if name.starts_with("kt") {
            &[60_000]
        } else {
            &[]
        };
        for &length in LENGTHS.iter().chain(tree) {
            let text = &message[..length];
            visit(name, kernel, of_length("digest", length), &mut || {
                hash.digest(text, digest).expect("a digest")
            });
            visit(name, kernel, of_length("update", length), &mut || {
                hash.update(text)
            });
            let mut copy = None;
            visit(name, kernel, "copy", &mut || copy = Some(hash.clone()));
            visit(name, kernel, of_length("finalize", length), &mut || {
                hash.finalize(digest).expect("a digest")
            });
            visit(name, kernel, "squeeze", &mut || {
                let _ = hash.squeeze(digest);
            });
            visit(name, kernel, "reset", &mut || hash.reset());
            visit(name, kernel, "drop", &mut || copy = None);
        }
        if hash.output().is_some() {
            let texts: Vec<&[u8]> = (0..70).map(|i| &message[i..300 + 7 * i]).collect();
            let digests = &mut output[..70 * size];
            visit(name, kernel, "many", &mut || {
                hash.digest_many(&texts, digests).expect("digests")
            });
        }
        let mut hash = Some(hash);
        visit(name, kernel, "drop", &mut || hash = None);
    }
}

/// The hash functions whose input is not only a message.
fn structured(secrets: &mut Secrets, visit: &mut Visit<'_>) {
    let Secrets {
        message, output, ..
    } = secrets;
    let hash = &mut output[..300];
    for name in ["tuplehash128", "tuplehashxof256"] {
        visit(name, "-", "tuple", &mut || {
            let items = [&message[..100], &message[..5000]];
            tuple_hash(name, &items, b"custom", hash).expect("a hash");
        });
    }
    for name in ["parallelhash128", "parallelhashxof256"] {
        for size in [300, 20_000] {
            visit(name, "-", "parallel", &mut || {
                parallel_hash(name, size, message, b"custom", hash).expect("a hash");
            });
        }
    }
}

fn macs(name: &str, secrets: &mut Secrets, visit: &mut Visit<'_>) {
    let algorithm = Mac::find(name).expect("a name");
    let Secrets {
        key,
        message,
        output,
    } = secrets;
    let lengths = algorithm.key_lengths();
    let length = if lengths.contains(200) {
        200
    } else {
        lengths.min
    };
    let key = &key[..length];
    let mut all = kernels_of_cipher(name);
    if let Some(hash) = name.strip_prefix("hmac-") {
        all = kernels(Hash::kernels(hash));
    }
    for kernel in all {
        let options = with_kernel(kernel);
        let mut mac = None;
        visit(name, kernel, "key", &mut || {
            mac = algorithm.with(key, &options).ok()
        });
        let Some(mut mac) = mac else {
            continue;
        };
        let tag = &mut output[..algorithm.longest_tag()];
        for &length in LENGTHS {
            let text = &message[..length];
            visit(name, kernel, "rekey", &mut || {
                mac.rekey(key).expect("a key")
            });
            visit(name, kernel, of_length("message", length), &mut || {
                mac.mac(text, tag).expect("a tag")
            });
            visit(name, kernel, "rekey", &mut || {
                mac.rekey(key).expect("a key")
            });
            visit(name, kernel, "update", &mut || {
                mac.update(text).expect("data")
            });
            visit(name, kernel, of_length("finalize", length), &mut || {
                mac.finalize(tag).expect("a tag")
            });
            visit(name, kernel, "rekey", &mut || {
                mac.rekey(key).expect("a key")
            });
            visit(name, kernel, of_length("verify", length), &mut || {
                let _ = mac.verify(tag);
            });
            visit(name, kernel, "reset", &mut || mac.reset());
        }
        if !algorithm.is_one_time() {
            let size = algorithm.longest_tag();
            let texts: Vec<&[u8]> = (0..70).map(|i| &message[i..300 + 7 * i]).collect();
            visit(name, kernel, "many", &mut || {
                mac.mac_many(&texts, &mut output[..70 * size])
                    .expect("tags")
            });
        }
        let mut mac = Some(mac);
        visit(name, kernel, "drop", &mut || mac = None);
    }
}

fn nonce_macs(name: &str, secrets: &mut Secrets, visit: &mut Visit<'_>) {
    let algorithm = NonceMac::find(name).expect("a name");
    let Secrets {
        key,
        message,
        output,
    } = secrets;
    let key = &key[..algorithm.key_lengths().min];
    let nonce = &vec![7; usual_nonce(algorithm.nonce_lengths())];
    for kernel in kernels_of_cipher(name) {
        let options = with_kernel(kernel);
        let mut mac = None;
        visit(name, kernel, "key", &mut || {
            mac = algorithm.with(key, &options).ok()
        });
        let Some(mut mac) = mac else {
            continue;
        };
        let tag = &mut output[..mac.tag()];
        for &length in LENGTHS {
            let text = &message[..length];
            visit(name, kernel, "rekey", &mut || {
                mac.rekey(key).expect("a key")
            });
            visit(name, kernel, of_length("message", length), &mut || {
                mac.mac(nonce, text, tag).expect("a tag")
            });
            visit(name, kernel, of_length("update", length), &mut || {
                mac.update(text)
            });
            visit(name, kernel, of_length("finalize", length), &mut || {
                mac.finalize(nonce, tag).expect("a tag")
            });
            visit(name, kernel, of_length("verify", length), &mut || {
                let _ = mac.verify(nonce, tag);
            });
            visit(name, kernel, "reset", &mut || mac.reset());
        }
        let mut mac = Some(mac);
        visit(name, kernel, "drop", &mut || mac = None);
    }
}

fn wraps(name: &str, secrets: &mut Secrets, visit: &mut Visit<'_>) {
    let wrap = KeyWrap::new(name).expect("a name");
    let Secrets {
        key,
        message,
        output,
    } = secrets;
    let key = &key[..wrap.key_lengths().min];
    for length in [16, 64, 4096] {
        let (secret, wrapped) = (&mut message[..length], &mut output[..length + 8]);
        visit(name, "-", "wrap", &mut || {
            wrap.wrap(key, secret, wrapped).expect("a secret")
        });
        visit(name, "-", "unwrap", &mut || {
            wrap.unwrap(key, wrapped, secret).expect("a genuine secret");
        });
    }
}

fn derives(name: &str, secrets: &mut Secrets, visit: &mut Visit<'_>) {
    let Secrets {
        key,
        message,
        output,
    } = secrets;
    let has = |part: &str| name.contains(part);
    let secret = match name.split_once("-cmac") {
        Some(_) => {
            let mac = ["counter-", "feedback-", "pipeline-"]
                .iter()
                .find_map(|mode| name.split_once(mode));
            let (_, mac) = mac.expect("SP 800-108");
            &key[..Mac::key_lengths(mac).expect("a MAC").min]
        }
        None => &key[..100],
    };
    let salted = has("hkdf") || has("pbkdf") || has("s2k") || has("feedback");
    let from = Derivation {
        secret,
        salt: if salted { &message[..8] } else { &[] },
        info: if has("kdf1-") && !has("pbkdf1")
            || has("kdf2-") && !has("pbkdf2")
            || has("hkdf")
            || has("sp800")
        {
            &message[..20]
        } else {
            &[]
        },
        iterations: if has("pbkdf") {
            3
        } else if has("s2k") {
            5000
        } else {
            0
        },
    };
    let length = if has("pbkdf1") { 16 } else { 100 };
    visit(name, "-", "derive", &mut || {
        derive(name, &from, &mut output[..length]).unwrap_or_else(|error| panic!("{name}: {error}"))
    });
}

/// The name of a call, which tells how long its message is at most: the library clears the stack
/// deeper after a longer message.
fn of_length(call: &'static str, length: usize) -> &'static str {
    macro_rules! names {
        ($($call:literal)*) => {
            match (call, length) {
                $(
                    ($call, 0..=16) => concat!($call, " of 16"),
                    ($call, 17..=64) => concat!($call, " of 64"),
                    ($call, 65..=256) => concat!($call, " of 256"),
                    ($call, 257..=960) => concat!($call, " of 960"),
                    ($call, 961..=1024) => concat!($call, " of 1024"),
                    ($call, _) => concat!("long ", $call),
                )*
                _ => panic!("{call}"),
            }
        };
    }
    names!("message" "digest" "update" "forged" "verify" "finalize")
}
