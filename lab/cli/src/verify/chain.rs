//! Known answers that need several calls, such as the answers of Monte Carlo tests. The
//! column `chain` of `data/operations.toml` describes the calls.

use std::collections::{BTreeMap, VecDeque};

use touchstone_wire::{Data, Reply, Work};

use crate::operations::{Chain, Part, Source};

/// Does the calls of a chain and returns the last reply. The last answer is reduced to the
/// part that a known answer of `length` bytes contains. A reply without an output (an error,
/// for example) ends the chain and is returned.
pub(super) fn reply<E>(
    chain: &Chain,
    record: &Work,
    length: usize,
    ask: &mut dyn FnMut(Work) -> Result<Reply, E>,
) -> Result<Reply, E> {
    let mut calls = Calls::new(chain, record);
    let mut outputs = BTreeMap::new();
    let last = chain.last.iter().map(|call| (chain.rounds, call));
    let rounds = (0..chain.rounds).flat_map(|round| {
        let each = (0..chain.times).flat_map(|_| &chain.each);
        each.map(move |call| (round, call))
    });
    for (round, call) in rounds.chain(last) {
        outputs = match ask(calls.next(call, round))? {
            Reply::Output { outputs } => outputs,
            other => return Ok(other),
        };
        calls.take(outputs.values().flat_map(Data::to_vec).collect());
    }
    for data in outputs.values_mut() {
        *data = Data::Bytes(part(chain.answer, data.to_vec(), length));
    }
    Ok(Reply::Output { outputs })
}

/// The state of a chain.
struct Calls<'a> {
    chain: &'a Chain,
    record: &'a Work,
    /// Number of calls made so far.
    made: u64,
    round: Option<u32>,
    /// The last answers, from which the input of [`Chain::back`] is made; the newest is at
    /// the end.
    window: VecDeque<Vec<u8>>,
    /// All answers so far, if a call of the chain needs them.
    all: Option<Vec<u8>>,
}

impl<'a> Calls<'a> {
    fn new(chain: &'a Chain, record: &'a Work) -> Self {
        let mut calls = chain.each.iter().chain(&chain.last);
        let needs_all = calls.any(|call| call.values().any(|source| *source == Source::All));
        let seed = chain.back.as_ref().map(|back| record.bytes(&back.input));
        Self {
            chain,
            record,
            made: 0,
            round: None,
            window: seed.into_iter().collect(),
            all: needs_all.then(Vec::new),
        }
    }

    /// Returns the work of the next call.
    fn next(&mut self, call: &BTreeMap<String, Source>, round: u32) -> Work {
        self.made += 1;
        let mut work = self.record.clone();
        if let Some(name) = &self.chain.count {
            let mut counter = work.bytes(name);
            add(&mut counter, self.made);
            work.set(name, counter.into());
        }
        if let Some(back) = &self.chain.back {
            if self.round != Some(round) {
                let newest = self.window.pop_back().unwrap_or_default();
                self.window = std::iter::repeat_n(newest, back.answers).collect();
            }
            let joined: Vec<u8> = self.window.iter().flatten().copied().collect();
            work.set(&back.input, joined.into());
        }
        self.round = Some(round);
        for (name, source) in call {
            let bytes = match source {
                Source::Zeros => vec![0; round as usize],
                Source::All => self.all.clone().unwrap_or_default(),
            };
            work.set(name, bytes.into());
        }
        work
    }

    /// Stores an answer for later calls of the chain.
    fn take(&mut self, answer: Vec<u8>) {
        if let Some(all) = &mut self.all {
            all.extend(&answer);
        }
        if self.chain.back.is_some() {
            self.window.pop_front();
            self.window.push_back(answer);
        }
    }
}

/// Adds a number to bytes that are one big-endian number.
fn add(bytes: &mut [u8], number: u64) {
    let mut carry = u128::from(number);
    for byte in bytes.iter_mut().rev() {
        carry += u128::from(*byte);
        *byte = carry as u8;
        carry >>= 8;
    }
}

fn part(part: Part, mut answer: Vec<u8>, length: usize) -> Vec<u8> {
    match part {
        Part::Whole => {}
        Part::Start => answer.truncate(length),
        Part::End => {
            answer.drain(..answer.len().saturating_sub(length));
        }
        Part::Folded(piece) => {
            let mut folded = vec![0; piece];
            for bytes in answer.chunks(piece) {
                let pairs = folded.iter_mut().zip(bytes);
                pairs.for_each(|(sum, byte)| *sum ^= byte);
            }
            answer = folded;
        }
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::find;

    fn work(inputs: &[(&str, &[u8])]) -> Work {
        let mut work = Work::new("p", "o");
        for (name, bytes) in inputs {
            work.set(name, bytes.to_vec().into());
        }
        work
    }

    fn output(bytes: Vec<u8>) -> Reply {
        Reply::Output {
            outputs: [("output".to_owned(), Data::Bytes(bytes))].into(),
        }
    }

    fn answer(reply: Reply) -> Vec<u8> {
        match reply {
            Reply::Output { outputs } => outputs["output"].to_vec(),
            other => panic!("{other:?}"),
        }
    }

    fn run(
        id: &str,
        record: &Work,
        length: usize,
        mut of: impl FnMut(&Work) -> Vec<u8>,
    ) -> Vec<u8> {
        let chain = find(id).unwrap().chain.as_ref().unwrap();
        let mut ask = |work: Work| Ok::<_, ()>(output(of(&work)));
        answer(reply(chain, record, length, &mut ask).unwrap())
    }

    /// The Secure Hash Algorithm Validation System (NIST, 2014), 6.4: each message is the
    /// last three digests; after 1000 of them the last digest is the seed of the next round.
    #[test]
    fn a_monte_carlo_test_joins_three_digests() {
        let mut messages = Vec::new();
        let seed = [1_u8, 2];
        let last = run("hash-monte-carlo", &work(&[("input", &seed)]), 2, |work| {
            let message = work.bytes("input");
            messages.push(message.clone());
            // Any function of the message: two bytes of its FNV-1a fingerprint.
            let hash = message
                .iter()
                .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                    (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
                });
            hash.to_be_bytes()[..2].to_vec()
        });
        assert_eq!(messages.len(), 100 * 1000);
        assert_eq!(messages[0], [1, 2, 1, 2, 1, 2]);
        assert_eq!(messages[1][..4], [1, 2, 1, 2]);
        assert_eq!(messages[2][..2], [1, 2]);
        assert_eq!(messages[3][..2], messages[1][4..]);
        // The second round begins with the last digest of the first.
        let first = &messages[1000];
        assert!(first[..2] == first[2..4] && first[2..4] == first[4..]);
        assert_eq!(messages[1001][4..], messages[1002][2..4]);
        assert_eq!(last.len(), 2);
    }

    /// RFC 7253, appendix A.
    #[test]
    fn the_long_test_of_ocb_makes_385_calls() {
        let record = work(&[("key", &[9]), ("nonce", &[0; 12])]);
        let mut calls = Vec::new();
        let tag = run("ocb-long", &record, 1, |work| {
            let [nonce, input, aad] = ["nonce", "input", "aad"].map(|name| work.bytes(name));
            let made = vec![calls.len() as u8];
            calls.push((nonce[10..].to_vec(), input.len(), aad));
            made
        });
        assert_eq!(calls.len(), 385);
        let shape = |i: usize| (calls[i].1, calls[i].2.len());
        assert_eq!([0, 3, 4, 5].map(shape), [(0, 0), (1, 1), (1, 0), (0, 1)]);
        assert_eq!([381, 382, 383].map(shape), [(127, 127), (127, 0), (0, 127)]);
        assert_eq!(calls[0].0, [0, 1]);
        assert_eq!(calls[384].0, [1, 129]);
        // The associated data of the last call are all answers.
        let all: Vec<u8> = (0..384).map(|i| i as u8).collect();
        assert_eq!(calls[384].2, all);
        assert_eq!((calls[384].1, tag), (0, vec![128]));
    }

    #[test]
    fn a_known_answer_may_be_a_part() {
        let long: Vec<u8> = (0..130).collect();
        let of = |id, length| run(id, &work(&[]), length, |_| long.clone());
        assert_eq!(of("hash-start", 2), [0, 1]);
        assert_eq!(of("ctr-encrypt-end", 2), [128, 129]);
        assert_eq!(of("ctr-encrypt-end", 200), long);
        let folded = of("stream-encrypt-folded", 64);
        assert_eq!((folded.len(), folded[3]), (64, 3 ^ 67));
        assert_eq!(folded[..2], [64 ^ 128, 1 ^ 65 ^ 129]);
    }

    #[test]
    fn what_is_no_answer_ends_a_chain() {
        let chain = find("ocb-long").unwrap().chain.as_ref().unwrap();
        let mut calls = 0;
        let mut ask = |_: Work| {
            calls += 1;
            Ok::<_, ()>(if calls == 3 {
                Reply::Rejected
            } else {
                output(vec![0])
            })
        };
        let reply = reply(chain, &work(&[]), 1, &mut ask).unwrap();
        assert!(matches!(reply, Reply::Rejected));
        assert_eq!(calls, 3);
    }
}
