//! Tests the generators of NIST SP 800-90A: every record of `vectors/random`, with every kernel that
//! the machine has, and the limits of each mechanism.

use std::path::Path;

use touchstone::block::{Aes128Encrypt, Aes192Encrypt, Aes256Encrypt};
use touchstone::hash::*;
use touchstone::mac::Hmac;
use touchstone::random::drbg::*;
use touchstone::{DigestBytes, Kernel, KeyLengths};
use touchstone_vectors::{Vector, read_tree};

/// Calls a macro with the mechanisms of all generators and the ids of their primitives.
macro_rules! generators {
    ($with:ident!) => {
        $with! {
            "ctr-drbg-aes-128" = CtrMechanism<Aes128Encrypt, true>;
            "ctr-drbg-aes-192" = CtrMechanism<Aes192Encrypt, true>;
            "ctr-drbg-aes-256" = CtrMechanism<Aes256Encrypt, true>;
            "ctr-drbg-aes-128-no-df" = CtrMechanism<Aes128Encrypt, false>;
            "ctr-drbg-aes-192-no-df" = CtrMechanism<Aes192Encrypt, false>;
            "ctr-drbg-aes-256-no-df" = CtrMechanism<Aes256Encrypt, false>;
            "hash-drbg-sha-1" = HashMechanism<Sha1>;
            "hash-drbg-sha-224" = HashMechanism<Sha224>;
            "hash-drbg-sha-256" = HashMechanism<Sha256>;
            "hash-drbg-sha-384" = HashMechanism<Sha384>;
            "hash-drbg-sha-512" = HashMechanism<Sha512>;
            "hash-drbg-sha-512-224" = HashMechanism<Sha512_224>;
            "hash-drbg-sha-512-256" = HashMechanism<Sha512_256>;
            "hmac-drbg-sha-1" = HmacMechanism<Sha1>;
            "hmac-drbg-sha-224" = HmacMechanism<Sha224>;
            "hmac-drbg-sha-256" = HmacMechanism<Sha256>;
            "hmac-drbg-sha-384" = HmacMechanism<Sha384>;
            "hmac-drbg-sha-512" = HmacMechanism<Sha512>;
            "hmac-drbg-sha-512-224" = HmacMechanism<Sha512_224>;
            "hmac-drbg-sha-512-256" = HmacMechanism<Sha512_256>;
        }
    };
}

/// Bytes that look like nothing in particular.
fn bytes(length: usize) -> Vec<u8> {
    let byte = |i: usize| (i * i + 7 * i + (i >> 5)) as u8;
    (0..length).map(byte).collect()
}

#[test]
fn known_answers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/random");
    let files = read_tree(&root).expect("the known answers can be read");
    let vectors = files.into_iter().flat_map(|(_, file)| file.vectors);
    let vectors: Vec<_> = vectors.filter(|v| v.primitive.contains("-drbg-")).collect();
    let mut ran = 0;
    macro_rules! each {
        ($($id:literal = $Mechanism:ty;)*) => {$(
            ran += answers::<$Mechanism>(vectors.iter().filter(|v| v.primitive == $id));
        )*};
    }
    generators!(each!);
    assert_eq!(ran, vectors.len());
}

/// Checks the records of a generator with every kernel, and returns how many they are.
fn answers<'v, M: Mechanism>(vectors: impl Iterator<Item = &'v Vector>) -> usize {
    let mut ran = 0;
    for v in vectors {
        let other = |name: &str| v.others.get(name).map_or(&[][..], Vec::as_slice);
        let calls = v.cost("calls").unwrap_or(1) as usize;
        let each = v.aad.len() / calls;
        for kernel in M::Kernel::available() {
            let place = format!("{}, line {}, {}", v.primitive, v.line, kernel.name());
            let personalisation = other("personalisation");
            let made = Drbg::<M>::with_kernel(kernel, other("entropy"), &v.nonce, personalisation);
            let mut generator = made.unwrap_or_else(|error| panic!("{place}: {error}"));
            if !other("reseed").is_empty() {
                generator
                    .reseed(other("reseed"), other("reseed-aad"))
                    .unwrap();
            }
            let mut output = vec![0; v.output.len()];
            for call in 0..calls {
                let additional = &v.aad[call * each..][..each];
                generator.generate(&mut output, additional).unwrap();
            }
            assert_eq!(output, v.output, "{place}");
        }
        ran += 1;
    }
    assert_ne!(ran, 0);
    ran
}

/// A generator of `M` with entropy and a nonce of the test.
fn made<M: Mechanism>(kernel: M::Kernel) -> Drbg<M> {
    let nonce = if M::TAKES_NONCE { &[5; 16][..] } else { &[] };
    let entropy = bytes(M::ENTROPY.min);
    Drbg::with_kernel(kernel, &entropy, nonce, b"a test").unwrap()
}

/// Checks that every length of output agrees with the start of a longer one from the same state, for
/// all kernels, and that the states agree afterwards.
#[test]
fn outputs_of_all_lengths() {
    fn check<M: Mechanism>() {
        let best = M::Kernel::best();
        let mut long = vec![0; MOST_OUTPUT];
        made::<M>(best).generate(&mut long, b"more").unwrap();
        let lengths = (0..700).chain([1023, 1024, 1025, 4096, 5000, 16384, 65535, 65536]);
        for kernel in M::Kernel::available() {
            for length in lengths.clone() {
                let mut generator = made::<M>(kernel);
                let mut output = vec![0xa5; length];
                generator.generate(&mut output, b"more").unwrap();
                assert_eq!(output, long[..length], "{length} {}", kernel.name());
            }
            // The states after calls of many lengths agree too.
            let mut of_best = made::<M>(best);
            let mut of_kernel = made::<M>(kernel);
            for length in [0, 1, 40, 100, 2000, 16, 33000, 500] {
                let (mut a, mut b) = (vec![0; length], vec![1; length]);
                let additional = bytes(length % 33);
                of_best.generate(&mut a, &additional).unwrap();
                of_kernel.generate(&mut b, &additional).unwrap();
                assert_eq!(a, b, "{length} {}", kernel.name());
            }
        }
    }
    macro_rules! each {
        ($($id:literal = $Mechanism:ty;)*) => {$( check::<$Mechanism>(); )*};
    }
    generators!(each!);
}

/// The inputs that each mechanism refuses, and that an error changes nothing.
#[test]
fn limits() {
    fn check<M: Mechanism>() {
        let KeyLengths { min, max, .. } = M::ENTROPY;
        let new = |entropy, nonce, personalisation| {
            let made = Drbg::<M>::new(&bytes(entropy), &bytes(nonce), &bytes(personalisation));
            made.map(|_| ())
        };
        let refused = |given| {
            let wanted = M::ENTROPY;
            Err(DrbgError::EntropyLength { given, wanted })
        };
        assert_eq!(new(min - 1, 0, 0), refused(min - 1));
        assert_eq!(new(0, 0, 0), refused(0));
        assert_eq!(new(min, 0, 0), Ok(()));
        if min == max {
            assert_eq!(new(min + 1, 0, 0), refused(min + 1));
            assert_eq!(new(min, 1, 0), Err(DrbgError::NonceLength { given: 1 }));
            assert_eq!(new(min, 0, min), Ok(()));
            assert_eq!(new(min, 0, min + 1), Err(DrbgError::InputLength));
        } else {
            assert_eq!(new(min + 1, 1000, 5000), Ok(()));
        }

        let (mut generator, mut other) =
            (made::<M>(M::Kernel::best()), made::<M>(M::Kernel::best()));
        let mut long = vec![7; MOST_OUTPUT + 1];
        let given = long.len();
        let too_long = Err(DrbgError::OutputLength { given });
        assert_eq!(generator.generate(&mut long, b""), too_long);
        assert_eq!(generator.reseed(&bytes(min - 1), b""), refused(min - 1));
        let more = bytes(min + 1);
        if min == max {
            let refused = Err(DrbgError::InputLength);
            assert_eq!(generator.generate(&mut long[..9], &more), refused);
            assert_eq!(generator.reseed(&more[..min], &more), refused);
        }
        assert_eq!(long, [7; MOST_OUTPUT + 1]);
        generator.set_reseed_interval(0);
        assert_eq!(
            generator.generate(&mut long[..9], b""),
            Err(DrbgError::ReseedNeeded)
        );
        assert_eq!(long, [7; MOST_OUTPUT + 1]);

        // Two generators with the same inputs agree, and each call changes the state.
        generator.set_reseed_interval(2);
        let [mut a, mut b] = [[0; 32]; 2];
        for additional in [&b""[..], b"other"] {
            generator.generate(&mut a, additional).unwrap();
            other.generate(&mut b, additional).unwrap();
            assert_eq!(a, b);
        }
        let needed = Err(DrbgError::ReseedNeeded);
        assert_eq!(generator.generate(&mut a, b""), needed);
        generator.reseed(&more[..min], b"more").unwrap();
        other.reseed(&more[..min], b"more").unwrap();
        generator.generate(&mut a[..16], b"").unwrap();
        generator.generate(&mut a[16..], b"").unwrap();
        other.generate(&mut b, b"").unwrap();
        assert_eq!(a[..16], b[..16]);
        assert_ne!(a[16..], b[16..]);
        assert_eq!(generator.generate(&mut a, b""), needed);
        // The limit of the standard remains.
        generator.set_reseed_interval(u64::MAX);
        generator.generate(&mut a, b"").unwrap();
    }
    macro_rules! each {
        ($($id:literal = $Mechanism:ty;)*) => {$( check::<$Mechanism>(); )*};
    }
    generators!(each!);
}

/// Long inputs go through the derivation functions in pieces.
#[test]
fn long_inputs_matter_to_the_last_bit() {
    fn check<M: Mechanism>() {
        let first = |entropy: &[u8], personalisation: &[u8]| {
            let made = Drbg::<M>::new(entropy, &[], personalisation);
            let mut output = [0; 16];
            made.unwrap().generate(&mut output, b"").unwrap();
            output
        };
        let whole = bytes(1500);
        let mut seen = Vec::new();
        for length in [250, 251, 255, 256, 257, 258, 511, 512, 513, 1000, 1500] {
            let mut entropy = whole[..length].to_vec();
            seen.push(first(&entropy, b""));
            *entropy.last_mut().unwrap() ^= 1;
            seen.push(first(&entropy, b""));
            // The string that is derived from is the same in both.
            let (a, b) = whole[..length].split_at(length / 2);
            assert_eq!(first(a, b), first(&whole[..length], b""));
        }
        let n = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), n);
    }
    macro_rules! each {
        ($($id:literal = $Mechanism:ty;)*) => {$(
            if <$Mechanism>::TAKES_NONCE {
                check::<$Mechanism>();
            }
        )*};
    }
    generators!(each!);
}

#[test]
fn debug_shows_the_mechanism_alone() {
    let text = |generator: &dyn std::fmt::Debug| format!("{generator:?}");
    let kernel = Kernel::best();
    let hmac = made::<HmacMechanism<Sha256>>(kernel);
    assert_eq!(text(&hmac), "HmacDrbg { .. }");
    let hash = made::<HashMechanism<Sha256>>(kernel);
    assert_eq!(text(&hash), "HashDrbg { .. }");
    let ctr: CtrDrbg<Aes128Encrypt> = made(Kernel::best());
    assert_eq!(text(&ctr), "CtrDrbg { .. }");
    fn sendable<T: Send + Sync>(_: &T) {}
    sendable(&hmac);
    sendable(&hash);
    sendable(&ctr);
}

#[cfg(feature = "random")]
#[test]
fn entropy_of_the_system() {
    fn check<M: Mechanism>() {
        let mut outputs = std::collections::BTreeSet::new();
        for _ in 0..2 {
            let mut generator = Drbg::<M>::from_system(b"a test").unwrap();
            for _ in 0..2 {
                let mut output = [0; 16];
                generator.generate(&mut output, b"").unwrap();
                assert!(outputs.insert(output));
                generator.reseed_from_system(b"more").unwrap();
            }
        }
    }
    macro_rules! each {
        ($($id:literal = $Mechanism:ty;)*) => {$( check::<$Mechanism>(); )*};
    }
    generators!(each!);
}

#[cfg(feature = "rand_core")]
#[test]
fn traits_of_rand_core() {
    use rand_core::TryRng;
    let kernel = Kernel::best();
    let (mut one, mut other) = (
        made::<HashMechanism<Sha256>>(kernel),
        made::<HashMechanism<Sha256>>(kernel),
    );
    let mut long = vec![0; MOST_OUTPUT + 5];
    one.try_fill_bytes(&mut long).unwrap();
    let (first, second) = long.split_at(MOST_OUTPUT);
    let mut output = vec![0; MOST_OUTPUT];
    other.generate(&mut output, b"").unwrap();
    assert!(first == output);
    other.generate(&mut output[..5], b"").unwrap();
    assert_eq!(second, &output[..5]);
    assert_eq!(one.try_next_u64(), other.try_next_u64());
}

/// HMAC_DRBG as the standard writes it, for any hash function.
struct Hmacs<H: HashFunction> {
    key: Vec<u8>,
    v: Vec<u8>,
    hash: std::marker::PhantomData<H>,
}

impl<H: HashFunction> Hmacs<H> {
    fn new(seed: &[u8]) -> Self {
        let size = <H::Output as DigestBytes>::SIZE;
        let mut this = Self {
            key: vec![0; size],
            v: vec![1; size],
            hash: std::marker::PhantomData,
        };
        this.update(seed);
        this
    }

    fn hmac(&self, message: &[u8]) -> Vec<u8> {
        Hmac::<H>::new(&self.key).mac(message).as_ref().to_vec()
    }

    fn update(&mut self, input: &[u8]) {
        for byte in [0, 1] {
            self.key = self.hmac(&[&self.v, &[byte][..], input].concat());
            self.v = self.hmac(&self.v);
            if input.is_empty() {
                break;
            }
        }
    }

    fn generate(&mut self, length: usize, additional: &[u8]) -> Vec<u8> {
        if !additional.is_empty() {
            self.update(additional);
        }
        let mut output = Vec::new();
        while output.len() < length {
            self.v = self.hmac(&self.v);
            output.extend(&self.v);
        }
        output.truncate(length);
        self.update(additional);
        output
    }
}

/// Hash_DRBG as the standard writes it, for any hash function. Numbers are bytes.
struct Hashes<H: HashFunction> {
    v: Vec<u8>,
    c: Vec<u8>,
    counter: u64,
    hash: std::marker::PhantomData<H>,
}

/// Returns the sum of numbers, as long as the first one.
fn sum(numbers: &[&[u8]]) -> Vec<u8> {
    let mut sum = numbers[0].to_vec();
    for number in &numbers[1..] {
        let mut carry = 0;
        let bytes = number.iter().rev().chain(std::iter::repeat(&0));
        for (sum, byte) in sum.iter_mut().rev().zip(bytes) {
            carry += u32::from(*sum) + u32::from(*byte);
            *sum = carry as u8;
            carry >>= 8;
        }
    }
    sum
}

impl<H: HashFunction> Hashes<H> {
    fn digest(parts: &[&[u8]]) -> Vec<u8> {
        H::digest(&parts.concat()).as_ref().to_vec()
    }

    fn derive(input: &[u8]) -> Vec<u8> {
        let size = <H::Output as DigestBytes>::SIZE;
        let length: usize = if size > 32 { 111 } else { 55 };
        let bits = (8 * length as u32).to_be_bytes();
        let all = (1..).take(length.div_ceil(size));
        let mut made: Vec<u8> = all
            .flat_map(|count| Self::digest(&[&[count], &bits, input]))
            .collect();
        made.truncate(length);
        made
    }

    fn new(seed: &[u8]) -> Self {
        let v = Self::derive(seed);
        let c = Self::derive(&[&[0][..], &v].concat());
        Self {
            v,
            c,
            counter: 1,
            hash: std::marker::PhantomData,
        }
    }

    fn generate(&mut self, length: usize, additional: &[u8]) -> Vec<u8> {
        if !additional.is_empty() {
            let digest = Self::digest(&[&[2], &self.v, additional]);
            self.v = sum(&[&self.v, &digest]);
        }
        let (mut output, mut data) = (Vec::new(), self.v.clone());
        while output.len() < length {
            output.extend(Self::digest(&[&data]));
            data = sum(&[&data, &[1]]);
        }
        output.truncate(length);
        let digest = Self::digest(&[&[3], &self.v]);
        self.v = sum(&[&self.v, &digest, &self.c, &self.counter.to_be_bytes()]);
        self.counter += 1;
        output
    }
}

/// Compares the generators over hash functions of each kind with the standard's text. HMAC_DRBG and
/// Hash_DRBG take other ways where a digest, a number and their padding do not fit into one block.
#[test]
fn over_other_hash_functions() {
    fn check<H: HashFunction + zeroize::ZeroizeOnDrop>(name: &str) {
        let entropy = bytes(40);
        let seed = [&entropy[..], b"nonce", b"a test"].concat();
        let mut hmacs = Hmacs::<H>::new(&seed);
        let mut hashes = Hashes::<H>::new(&seed);
        let mut hmac = HmacDrbg::<H>::new(&entropy, b"nonce", b"a test").unwrap();
        let mut hash = HashDrbg::<H>::new(&entropy, b"nonce", b"a test").unwrap();
        for length in [16, 0, 64, 65, 129, 1000, 2500, 5] {
            for additional in [&b""[..], b"more"] {
                let mut output = vec![0; length];
                hmac.generate(&mut output, additional).unwrap();
                assert_eq!(
                    output,
                    hmacs.generate(length, additional),
                    "{name} {length}"
                );
                hash.generate(&mut output, additional).unwrap();
                assert_eq!(
                    output,
                    hashes.generate(length, additional),
                    "{name} {length}"
                );
            }
        }
    }
    check::<Sha1>("sha-1");
    check::<Sha256>("sha-256");
    check::<Sha512>("sha-512");
    check::<Sha512_224>("sha-512-224");
    check::<Sha3_224>("sha3-224");
    check::<Sha3_512>("sha3-512");
    check::<Sm3>("sm3");
    check::<Ripemd320>("ripemd-320");
    check::<Whirlpool>("whirlpool");
    check::<Tiger>("tiger");
    check::<Streebog512>("streebog-512");
    check::<Blake2b512>("blake2b-512");
}
