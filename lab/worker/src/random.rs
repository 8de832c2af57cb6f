//! Generators of random bytes. A library implements [`Generators`], and this module does the rest:
//! it reads the generator from a primitive's id, makes the offers, and keeps the generator's state.
//!
//! Setting the key of `generate` instantiates and reseeds the generator, and a message is one call
//! for bytes. So the contract `hot` times the calls of one generator, one after the other.

use crate::{Cell, Failure, Message, Offer, Operation, Work, offer, primitives};

/// A generator, by the id of its primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generator<'a> {
    /// CTR_DRBG of AES (NIST SP 800-90A, 10.2.1), with a derivation function or without it.
    Ctr {
        /// The bits of AES's key.
        bits: usize,
        /// Whether the generator has a derivation function.
        derives: bool,
    },
    /// Hash_DRBG of this hash (NIST SP 800-90A, 10.1.1).
    Hash(&'a str),
    /// HMAC_DRBG of this hash (NIST SP 800-90A, 10.1.2).
    Hmac(&'a str),
    /// ChaCha20's keystream for a key, with a nonce of zeros.
    ChaCha20,
    /// libsodium's deterministic generator: the same with the nonce `LibsodiumDRG`.
    Libsodium,
    /// The library's own generator, which the system seeds, for keys and other secrets.
    Own,
    /// The same for nonces, if the library has a generator of its own for them.
    Nonces,
}

impl<'a> Generator<'a> {
    /// Returns the generator with this id.
    pub fn named(id: &'a str) -> Option<Self> {
        if let Some(rest) = id.strip_prefix("ctr-drbg-aes-") {
            let (bits, derives) = match rest.strip_suffix("-no-df") {
                Some(bits) => (bits, false),
                None => (rest, true),
            };
            let bits = bits.parse().ok()?;
            return Some(Self::Ctr { bits, derives });
        }
        if let Some(hash) = id.strip_prefix("hash-drbg-") {
            return Some(Self::Hash(hash));
        }
        if let Some(hash) = id.strip_prefix("hmac-drbg-") {
            return Some(Self::Hmac(hash));
        }
        match id {
            "chacha20-generator" => Some(Self::ChaCha20),
            "libsodium-generator" => Some(Self::Libsodium),
            "own-generator" => Some(Self::Own),
            "nonce-generator" => Some(Self::Nonces),
            _ => None,
        }
    }

    /// Returns the id of a generator of SP 800-90A, `None` for another generator.
    pub fn standard(self) -> Option<String> {
        match self {
            Self::Ctr { bits, derives } => {
                let rest = if derives { "" } else { "-no-df" };
                Some(format!("ctr-drbg-aes-{bits}{rest}"))
            }
            Self::Hash(hash) => Some(format!("hash-drbg-{hash}")),
            Self::Hmac(hash) => Some(format!("hmac-drbg-{hash}")),
            _ => None,
        }
    }

    /// Returns the operation that the generator has.
    fn operation(self) -> &'static str {
        match self {
            Self::Own | Self::Nonces => "random-bytes",
            _ => "generate",
        }
    }
}

/// What a deterministic generator is made from; empty for the library's own generator.
#[derive(Debug, Clone, Copy)]
pub struct Seed<'a> {
    /// The entropy input.
    pub entropy: &'a [u8],
    /// The nonce.
    pub nonce: &'a [u8],
    /// The personalisation string.
    pub personalisation: &'a [u8],
}

impl Seed<'_> {
    /// Returns the seed of a generator that takes 32 bytes and nothing more.
    pub fn alone(&self) -> Result<[u8; 32], Failure> {
        if !self.nonce.is_empty() || !self.personalisation.is_empty() {
            return Err(Failure::unsupported("a nonce or a personalisation string"));
        }
        let seed = self.entropy.try_into();
        seed.map_err(|_| Failure::length("a seed", self.entropy.len()))
    }
}

/// A library with generators. It must be cheap to clone.
pub trait Generators: Clone + Send + Sync + 'static {
    /// A generator of the library.
    type State: 'static;

    /// Returns the library's calls for the offer; `None` if the library lacks the generator.
    fn api(&self, generator: Generator<'_>) -> Option<&'static str>;

    /// Differences from the text of the contract, for the offer.
    fn note(&self, generator: Generator<'_>) -> &'static str {
        let _ = generator;
        ""
    }

    /// Makes a generator with its seed.
    fn instantiate(
        &self,
        generator: Generator<'_>,
        seed: &Seed<'_>,
    ) -> Result<Self::State, Failure>;

    /// Adds entropy and additional input to a generator.
    fn reseed(
        &self,
        state: &mut Self::State,
        entropy: &[u8],
        additional: &[u8],
    ) -> Result<(), Failure> {
        let _ = (state, entropy, additional);
        Err(Failure::unsupported("reseeding"))
    }

    /// Fills the output. A library without additional input implements this function, another
    /// [`Generators::generate`].
    fn fill(&self, state: &mut Self::State, output: &mut [u8]) -> Result<(), Failure> {
        let _ = (state, output);
        Err(Failure::unsupported("random bytes"))
    }

    /// Fills the output with the help of additional input.
    #[inline]
    fn generate(
        &self,
        state: &mut Self::State,
        additional: &[u8],
        output: &mut [u8],
    ) -> Result<(), Failure> {
        no_more(additional)?;
        self.fill(state, output)
    }
}

/// Refuses additional input.
#[inline]
pub fn no_more(additional: &[u8]) -> Result<(), Failure> {
    if additional.is_empty() {
        Ok(())
    } else {
        Err(Failure::unsupported("additional input"))
    }
}

/// A function that fills its argument with random bytes.
pub type Fill = fn(&mut [u8]) -> Result<(), Failure>;

/// A library that only has its own generator, which is one function: the name of the function for
/// the offer, and the function, which fills the output.
#[derive(Clone)]
pub struct Own<F>(pub &'static str, pub F);

impl<F> Generators for Own<F>
where
    F: Fn(&mut [u8]) -> Result<(), Failure> + Clone + Send + Sync + 'static,
{
    type State = ();

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        (generator == Generator::Own).then_some(self.0)
    }

    fn instantiate(&self, _: Generator<'_>, _: &Seed<'_>) -> Result<(), Failure> {
        Ok(())
    }

    #[inline]
    fn fill(&self, (): &mut (), output: &mut [u8]) -> Result<(), Failure> {
        (self.1)(output)
    }
}

/// Returns whether the work's operation is one of this module.
pub fn covers(work: &Work) -> bool {
    Generator::named(&work.primitive).is_some_and(|it| it.operation() == work.operation)
}

/// Returns the offers of a library.
pub fn offers<L: Generators>(library: &L) -> Vec<Offer> {
    let rows = primitives("generate").into_iter().filter_map(|primitive| {
        let generator = Generator::named(&primitive)?;
        let api = library.api(generator)?;
        Some(Offer {
            note: library.note(generator).to_owned(),
            ..offer(&primitive, generator.operation(), api)
        })
    });
    rows.collect()
}

/// Returns a cell for this work; `None` if the work is not one of the library's offers.
pub fn cell<L: Generators>(library: &L, work: &Work) -> Option<Result<Cell, Failure>> {
    let generator = Generator::named(&work.primitive).filter(|_| covers(work))?;
    library.api(generator)?;
    let kept = |inputs: Inputs<L>| {
        Cell::new(move || {
            Ok(Kept {
                inputs: inputs.clone(),
                state: None,
            })
        })
    };
    Some(Inputs::of(library, work).map(kept))
}

/// The inputs of a generator's calls, except the entropy.
#[derive(Clone)]
struct Inputs<L> {
    library: L,
    primitive: String,
    nonce: Vec<u8>,
    personalisation: Vec<u8>,
    reseed: [Vec<u8>; 2],
    /// The additional input of each call whose output is not the answer.
    before: Vec<Vec<u8>>,
    /// Where the additional input of the last call begins.
    last: usize,
    length: usize,
}

impl<L: Generators> Inputs<L> {
    fn of(library: &L, work: &Work) -> Result<Self, Failure> {
        let calls = work.factor::<u32>("calls")? as usize;
        let each = work.aad.len() / calls;
        if each * calls != work.aad.len() {
            return Err(Failure::unsupported("additional inputs of several lengths"));
        }
        let length = work.length;
        let length = length.ok_or_else(|| Failure::unsupported("an output of no length"))?;
        let call = |index: usize| work.aad[index * each..][..each].to_vec();
        Ok(Self {
            library: library.clone(),
            primitive: work.primitive.clone(),
            nonce: work.nonce.clone(),
            personalisation: work.other("personalisation").to_vec(),
            reseed: ["reseed", "reseed-aad"].map(|name| work.other(name).to_vec()),
            before: (0..calls - 1).map(call).collect(),
            last: (calls - 1) * each,
            length,
        })
    }

    /// Makes a generator, and makes all calls but the last.
    fn state(&self, entropy: &[u8]) -> Result<L::State, Failure> {
        let generator = Generator::named(&self.primitive);
        let generator = generator.ok_or_else(|| Failure::unsupported("this generator"))?;
        let seed = Seed {
            entropy,
            nonce: &self.nonce,
            personalisation: &self.personalisation,
        };
        let mut state = self.library.instantiate(generator, &seed)?;
        let [entropy, additional] = &self.reseed;
        if !entropy.is_empty() {
            self.library.reseed(&mut state, entropy, additional)?;
        }
        for additional in &self.before {
            let unused = &mut vec![0; self.length];
            self.library.generate(&mut state, additional, unused)?;
        }
        Ok(state)
    }
}

/// A generator with its inputs.
struct Kept<L: Generators> {
    inputs: Inputs<L>,
    state: Option<L::State>,
}

impl<L: Generators> Operation for Kept<L> {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // The old generator is freed first, as a program does that keeps one generator.
        self.state = None;
        self.state = Some(self.inputs.state(key)?);
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Inputs {
            library,
            last,
            length,
            ..
        } = &self.inputs;
        let state = self.state.as_mut();
        let state = state.ok_or_else(|| Failure::failed("no generator was made"))?;
        library.generate(state, &message.aad[*last..], &mut output[..*length])?;
        Ok(*length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A generator whose bytes are one number, which each step adds to.
    #[derive(Clone)]
    struct Adder;

    impl Generators for Adder {
        type State = u8;

        fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
            let has = matches!(generator, Generator::Hash("sha-1") | Generator::Own);
            has.then_some("add")
        }

        fn instantiate(&self, _: Generator<'_>, seed: &Seed<'_>) -> Result<u8, Failure> {
            let parts = [seed.entropy, seed.nonce, seed.personalisation].concat();
            Ok(parts.iter().sum())
        }

        fn reseed(&self, state: &mut u8, entropy: &[u8], more: &[u8]) -> Result<(), Failure> {
            *state += 10 * (entropy[0] + more[0]);
            Ok(())
        }

        fn generate(&self, state: &mut u8, more: &[u8], output: &mut [u8]) -> Result<(), Failure> {
            *state += 1 + more.first().unwrap_or(&0);
            output.fill(*state);
            Ok(())
        }
    }

    fn work(primitive: &str, operation: &str) -> Work {
        Work {
            primitive: primitive.into(),
            operation: operation.into(),
            length: Some(3),
            ..Work::default()
        }
    }

    #[test]
    fn names_are_read() {
        let ctr = |bits, derives| Some(Generator::Ctr { bits, derives });
        for (id, generator) in [
            ("ctr-drbg-aes-128", ctr(128, true)),
            ("ctr-drbg-aes-256-no-df", ctr(256, false)),
            (
                "hash-drbg-sha-512-256",
                Some(Generator::Hash("sha-512-256")),
            ),
            ("hmac-drbg-sha-1", Some(Generator::Hmac("sha-1"))),
            ("ctr-drbg-des", None),
            ("chacha20", None),
        ] {
            assert_eq!(Generator::named(id), generator, "{id}");
            let standard = generator.and_then(Generator::standard);
            assert_eq!(standard.as_deref(), generator.map(|_| id));
        }
        for primitive in primitives("generate") {
            assert!(Generator::named(&primitive).is_some(), "{primitive}");
        }
    }

    #[test]
    fn the_last_call_gives_the_answer() {
        let mut work = Work {
            key: vec![1],
            nonce: vec![2],
            aad: vec![5, 7],
            others: vec![
                ("personalisation".into(), vec![3]),
                ("reseed".into(), vec![1]),
                ("reseed-aad".into(), vec![1]),
            ],
            ..work("hash-drbg-sha-1", "generate").with_cost("calls", 2)
        };
        let mut made = cell(&Adder, &work).unwrap().unwrap();
        let answer = 1 + 2 + 3 + 20 + (1 + 5) + (1 + 7);
        assert_eq!(made.check(&work), Ok(vec![answer; 3]));
        work.aad.push(9);
        assert!(cell(&Adder, &work).unwrap().is_err());
    }

    #[test]
    fn a_generator_has_one_operation() {
        let rows = offers(&Adder);
        let rows: Vec<_> = rows
            .iter()
            .map(|o| (&*o.primitive, &*o.operation))
            .collect();
        let expected = [
            ("hash-drbg-sha-1", "generate"),
            ("own-generator", "random-bytes"),
        ];
        assert_eq!(rows, expected);
        assert!(cell(&Adder, &work("own-generator", "generate")).is_none());
        let work = work("own-generator", "random-bytes");
        let mut own = cell(&Adder, &work).unwrap().unwrap();
        assert_eq!(own.check(&work), Ok(vec![1; 3]));
    }

    #[test]
    fn a_seed_alone_has_no_nonce() {
        let seed = |entropy, nonce| Seed {
            entropy,
            nonce,
            personalisation: &[],
        };
        assert_eq!(seed(&[7; 32], &[]).alone(), Ok([7; 32]));
        assert!(seed(&[7; 31], &[]).alone().is_err());
        assert!(seed(&[7; 32], &[1]).alone().is_err());
    }
}
