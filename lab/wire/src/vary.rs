//! How the messages of a timed cell differ. A line of the protocol carries only message 0;
//! a rule makes every other message from message 0.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Value, Work, fnv1a};

/// The digits of crypt(3)'s salts; the first one has the value 0 (crypt(5)).
const CRYPT: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The inputs that differ from message to message, by name, each with its rule.
pub type Vary = BTreeMap<String, Step>;

/// The rule that makes an input of message *i* from the same input of message 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Adds *i* to the last eight bytes, which are one big-endian number. If the input is
    /// shorter, the whole input is one big-endian number.
    Increment,
    /// Replaces the input by pseudorandom bytes: the outputs of SplitMix64 (G. L. Steele,
    /// D. Lea and C. H. Flood, *Fast Splittable Pseudorandom Number Generators*, OOPSLA
    /// 2014), each as eight bytes, the most significant byte first. The seed is the FNV-1a
    /// fingerprint of the input of message 0. Message 1 gets the first outputs, as many as
    /// fill its input; message 2 gets the next outputs. If the input's length is not a
    /// multiple of eight, only the first bytes of the last output are used.
    Random,
    /// Adds *i* to every byte with an even index, and ⌊*i*/256⌋ to every byte with an odd
    /// index, modulo 256. The first byte has index 0.
    Add,
    /// Uses the last bytes of the previous message's output, as many as the input has. If
    /// that output is shorter than the input, the input of message 0 is used. Only for
    /// contracts in which each message is the output of the previous message.
    Output,
    /// Replaces the first two bytes by *i* in the digits of crypt(3), the least significant
    /// digit first.
    CryptDigits,
}

impl Step {
    /// Returns whether the messages of the next call continue the sequence where this call
    /// ended. With `Add` and `CryptDigits`, only the messages of one call differ from each
    /// other.
    pub fn goes_on(self) -> bool {
        matches!(self, Self::Increment | Self::Random)
    }

    /// Changes an input of message 0 to the input of message `index`.
    pub fn apply(self, bytes: &mut [u8], index: u32) {
        // Message 0 always stays as it was given.
        if index == 0 {
            return;
        }
        match self {
            Self::Increment => increment(bytes, u64::from(index)),
            Self::Random => randomise(bytes, index),
            // The new input comes from the previous output and not from the number: see
            // `Work::after`.
            Self::Output => {}
            Self::Add => {
                for (place, byte) in bytes.iter_mut().enumerate() {
                    *byte = byte.wrapping_add((index >> (8 * (place & 1))) as u8);
                }
            }
            Self::CryptDigits => {
                for (byte, digit) in bytes.iter_mut().zip([index & 63, index >> 6 & 63]) {
                    *byte = CRYPT[digit as usize];
                }
            }
        }
    }
}

impl Work {
    /// Returns the work of message `index` of a chain. `self` is the work of message 0, and
    /// `output` is the output of the previous message.
    pub fn after(&self, output: &[u8], index: u32, vary: &Vary) -> Self {
        let mut work = self.nth(index, vary);
        let mut input = self.bytes("input");
        let kept = output.len().min(input.len());
        input[..kept].copy_from_slice(&output[..kept]);
        work.set("input", input.into());
        let nonce = self.bytes("nonce").len();
        if vary.get("nonce") == Some(&Step::Output) && output.len() >= nonce {
            work.set("nonce", output[output.len() - nonce..].to_vec().into());
        }
        work
    }

    /// Returns the work of message `index`. `self` is the work of message 0.
    pub fn nth(&self, index: u32, vary: &Vary) -> Self {
        let mut work = self.clone();
        for (name, step) in vary {
            if let Some(Value::Bytes(_)) = work.inputs.get(name) {
                let mut bytes = work.bytes(name);
                step.apply(&mut bytes, index);
                work.set(name, bytes.into());
            }
        }
        work
    }
}

/// [`Step::Random`] for a message after the first.
fn randomise(bytes: &mut [u8], index: u32) {
    let words = bytes.len().div_ceil(8) as u64;
    let seed = fnv1a(bytes);
    let before = u64::from(index - 1) * words;
    for (place, word) in (1..).zip(bytes.chunks_mut(8)) {
        let output = splitmix64(seed, before + place).to_be_bytes();
        word.copy_from_slice(&output[..word.len()]);
    }
}

/// Returns the n-th output of SplitMix64; the first output has number 1. The state is a
/// counter, so an output can be computed without the previous outputs.
fn splitmix64(seed: u64, n: u64) -> u64 {
    let mut z = seed.wrapping_add(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Adds a number to the last eight bytes of a nonce, which are one big-endian number. If
/// the nonce is shorter, the whole nonce is one big-endian number.
fn increment(nonce: &mut [u8], by: u64) {
    if let Some(tail) = nonce.last_chunk_mut::<8>() {
        *tail = u64::from_be_bytes(*tail).wrapping_add(by).to_be_bytes();
        return;
    }
    let mut carry = by;
    for byte in nonce.iter_mut().rev() {
        carry += u64::from(*byte);
        *byte = carry as u8;
        carry >>= 8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Data;

    fn vary(steps: &[(&str, Step)]) -> Vary {
        steps
            .iter()
            .map(|(name, step)| ((*name).to_owned(), *step))
            .collect()
    }

    #[test]
    fn messages_of_one_call_differ_where_the_rules_say() {
        let first = Work::new("aes-128", "cbc-encrypt")
            .with("key", vec![0xff; 16])
            .with("nonce", vec![0xff; 16])
            .with("input", Data::Painted(4));
        let rules = [("input", Step::Add), ("nonce", Step::Increment)];
        let many = first.nth(257, &vary(&rules));
        assert_eq!(many.bytes("key"), first.bytes("key"));
        assert_eq!(many.bytes("input"), [1, 2, 3, 4]);
        assert_eq!(many.bytes("nonce")[8..], [0, 0, 0, 0, 0, 0, 1, 0]);
        let keyed = first.nth(1, &vary(&[("key", Step::Add)]));
        assert_eq!(keyed.bytes("key")[..4], [0, 0xff, 0, 0xff]);
        assert_eq!(keyed.bytes("nonce"), first.bytes("nonce"));
        assert_eq!(first.nth(0, &vary(&rules)).bytes("input"), [0, 1, 2, 3]);
    }

    #[test]
    fn phrases_and_salts_of_crypt_stay_text() {
        let first = Work::new("crypt-des", "crypt")
            .with("key", b"touchsto".to_vec())
            .with("nonce", b"ab".to_vec());
        let many = first.nth(65, &vary(&[("key", Step::CryptDigits)]));
        assert_eq!(many.bytes("key"), b"//uchsto");
        assert_eq!(many.bytes("nonce"), b"ab");
        let salts = first.nth(64, &vary(&[("nonce", Step::CryptDigits)]));
        assert_eq!(salts.bytes("nonce"), b"./");
    }

    #[test]
    fn splitmix64_gives_its_published_numbers() {
        // The outputs that Rosetta Code lists under "Pseudo-random numbers/Splitmix64".
        let first = [0x599e_d017_fb08_fc85, 0x2c73_f084_5854_0fa5];
        assert_eq!([1, 2].map(|n| splitmix64(1_234_567, n)), first);
    }

    #[test]
    fn random_inputs_are_whole_and_go_on_from_message_to_message() {
        let first = [7; 12];
        let nth = |index| {
            let mut bytes = first;
            Step::Random.apply(&mut bytes, index);
            bytes
        };
        assert_eq!(nth(0), first);
        let seed = fnv1a(&first);
        let word = |n| splitmix64(seed, n).to_be_bytes();
        for (index, words) in [(1, [1, 2]), (2, [3, 4]), (256, [511, 512])] {
            assert_eq!(nth(index)[..8], word(words[0]));
            assert_eq!(nth(index)[8..], word(words[1])[..4]);
        }
        assert!(Step::Random.goes_on() && !Step::Add.goes_on());
    }

    #[test]
    fn messages_of_a_chain_are_the_outputs_before_them() {
        let first = Work::new("aes-128", "gcm-encrypt")
            .with("nonce", vec![9; 3])
            .with("input", Data::Painted(4));
        let fed = first.after(&[7, 8], 1, &vary(&[]));
        assert_eq!(
            (fed.bytes("input"), fed.bytes("nonce")),
            (vec![7, 8, 2, 3], vec![9; 3])
        );
        let output = vary(&[("nonce", Step::Output)]);
        let fed = first.after(&[5, 6, 7, 8, 9, 10], 1, &output);
        assert_eq!(
            (fed.bytes("input"), fed.bytes("nonce")),
            (vec![5, 6, 7, 8], vec![8, 9, 10])
        );
        assert_eq!(first.after(&[1], 1, &output).bytes("nonce"), [9; 3]);
        let counted = first.after(&[], 2, &vary(&[("nonce", Step::Increment)]));
        assert_eq!(counted.bytes("nonce"), [9, 9, 11]);
    }

    #[test]
    fn short_nonces_are_incremented_whole() {
        let mut nonce = [0, 0xff, 0xff];
        increment(&mut nonce, 258);
        assert_eq!(nonce, [1, 1, 1]);
        let mut none: [u8; 0] = [];
        increment(&mut none, 1);
    }
}
