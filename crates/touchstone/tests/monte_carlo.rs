//! Computes NIST's Monte Carlo tests: chains of a hundred thousand calls. Messages, keys and
//! initialization vectors are made from earlier results. Every kernel computes the whole chain.
//!
//! - [AESAVS] The Advanced Encryption Standard Algorithm Validation Suite, NIST 2002, §6.4
//! - [SHAVS] The Secure Hash Algorithm Validation System, NIST 2004, §6.4
//!
//! `des.rs` has the Monte Carlo test of DES.

use std::path::Path;

use touchstone::block::{Aes128, Aes192, Aes256};
use touchstone::hash::{HashFunction, Sha224, Sha256};
use touchstone::mode::{
    CbcDecrypt, CbcEncrypt, Cfb8Decrypt, Cfb8Encrypt, CfbDecrypt, CfbEncrypt, Ofb,
};
use touchstone::{FusedDecrypt, FusedEncrypt, Kernel, Keyed};
use touchstone_vectors::{Vector, read};

fn vectors(operation: &str) -> Vec<Vector> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/monte_carlo/cavp.vec");
    let mut vectors = read(&path).expect("the answers can be read").vectors;
    vectors.retain(|vector| vector.operation.contains(operation));
    assert!(!vectors.is_empty(), "{operation}");
    vectors
}

type Block = [u8; 16];
type Step<'c> = Box<dyn FnMut(&mut [u8]) + 'c>;

/// Makes a thousand calls of a mode. The length of the message of each call is the length of
/// `input`. The first call gets `input`. Each later call gets the output of 16 bytes before, or
/// the initialization vector if there is no such output. Returns the initialization vector and
/// all outputs.
fn inner(mut step: Step<'_>, iv: &[u8], input: &[u8]) -> Vec<u8> {
    let unit = input.len();
    let mut made = iv.to_vec();
    let mut data = input.to_vec();
    for at in (0..1000 * unit).step_by(unit) {
        step(&mut data);
        made.extend_from_slice(&data);
        data.copy_from_slice(&made[at..at + unit]);
    }
    made
}

/// Computes the chain of [AESAVS] §6.4. The next key is the last key XOR the end of the output,
/// the next initialization vector is the last 16 bytes of the output, and the next input is the
/// bytes before them.
fn chain<C>(kernel: C::Kernel, vector: &Vector) -> Vec<u8>
where
    C: Keyed + FusedEncrypt<Block = Block> + FusedDecrypt<Block = Block>,
{
    let mut key = vector.key.clone();
    let mut iv = Block::try_from(vector.nonce.as_slice()).expect("an IV of 16 bytes");
    let mut input = vector.input.clone();
    let mut output = Vec::new();
    for _ in 0..100 {
        let cipher = C::with_kernel(kernel, &key).expect("a key of the primitive's length");
        let made = inner(step(&vector.operation, &cipher, &iv), &iv, &input);
        let (_, end) = made.split_at(made.len() - key.len());
        key.iter_mut().zip(end).for_each(|(key, end)| *key ^= end);
        let (before, end) = made.split_at(made.len() - 16);
        iv.copy_from_slice(end);
        output = made[made.len() - input.len()..].to_vec();
        input.copy_from_slice(&before[before.len() - output.len()..]);
    }
    output
}

/// Returns a function that makes one call of a mode after the other.
fn step<'c, C>(operation: &str, cipher: &'c C, iv: &Block) -> Step<'c>
where
    C: FusedEncrypt<Block = Block> + FusedDecrypt<Block = Block>,
{
    macro_rules! step {
        ($Mode:ident, $call:ident) => {{
            let mut mode = $Mode::new(cipher, iv);
            Box::new(move |data| mode.$call(data))
        }};
        ($Mode:ident, $call:ident, whole) => {{
            let mut mode = $Mode::new(cipher, iv);
            Box::new(move |data| mode.$call(data).expect("whole blocks"))
        }};
    }
    match operation.trim_end_matches("-monte-carlo") {
        "cbc-encrypt" => step!(CbcEncrypt, encrypt, whole),
        "cbc-decrypt" => step!(CbcDecrypt, decrypt, whole),
        "cfb-encrypt" => step!(CfbEncrypt, encrypt),
        "cfb-decrypt" => step!(CfbDecrypt, decrypt),
        "cfb8-encrypt" => step!(Cfb8Encrypt, encrypt),
        "cfb8-decrypt" => step!(Cfb8Decrypt, decrypt),
        "ofb-encrypt" | "ofb-decrypt" => step!(Ofb, apply),
        other => panic!("no mode for {other}"),
    }
}

fn every_kernel<C>(vector: &Vector)
where
    C: Keyed + FusedEncrypt<Block = Block> + FusedDecrypt<Block = Block>,
{
    for kernel in C::Kernel::available() {
        assert_eq!(
            chain::<C>(kernel, vector),
            vector.output,
            "{} {} {}",
            vector.primitive,
            vector.operation,
            kernel.name()
        );
    }
}

#[test]
fn aes() {
    let vectors = vectors("crypt-monte-carlo");
    assert_eq!(vectors.len(), 24);
    for vector in &vectors {
        match vector.key.len() {
            16 => every_kernel::<Aes128>(vector),
            24 => every_kernel::<Aes192>(vector),
            _ => every_kernel::<Aes256>(vector),
        }
    }
}

/// Computes the chain of [SHAVS] §6.4: each message consists of the last three digests.
fn digests<H: HashFunction>(vector: &Vector) {
    for kernel in H::Kernel::available() {
        let mut seed = vector.input.clone();
        for _ in 0..100 {
            let mut last = [seed.clone(), seed.clone(), seed];
            for _ in 0..1000 {
                let next = H::digest_with(kernel, &last.concat()).as_ref().to_vec();
                last.rotate_left(1);
                last[2] = next;
            }
            [_, _, seed] = last;
        }
        assert_eq!(seed, vector.output, "{} {}", vector.name, kernel.name());
    }
}

#[test]
fn sha_2() {
    for vector in vectors("hash-monte-carlo") {
        match vector.primitive.as_str() {
            "sha-224" => digests::<Sha224>(&vector),
            "sha-256" => digests::<Sha256>(&vector),
            other => panic!("no hash for {other}"),
        }
    }
}
