//! One recommendation for many machines: a library that is the cheapest, or level with it, on most
//! of them, and the machines on which another one is.

use crate::machine::grouped;

/// The answer of one machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The machine's name.
    pub machine: String,
    /// The run that gave the answer.
    pub run: i64,
    /// The libraries that are the cheapest or level with it, the cheapest first.
    pub best: Vec<String>,
}

/// The answer of the fleet.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The library for most machines.
    pub library: String,
    /// Number of machines on which it is the cheapest or level with it.
    pub count: usize,
    /// Other libraries, each with the machines on which to use it.
    pub others: Vec<(String, Vec<String>)>,
}

/// Chooses the library that serves most machines; of several, the one that is more often the
/// cheapest. `None` if no machine has an answer.
pub fn choose(answers: &[Answer]) -> Option<Choice> {
    let serves = |library: &str, answer: &Answer| answer.best.iter().any(|own| own == library);
    let counts = |library: &String| {
        let served = answers.iter().filter(|answer| serves(library, answer));
        let first = answers
            .iter()
            .filter(|answer| answer.best.first() == Some(library));
        (
            served.count(),
            first.count(),
            std::cmp::Reverse(library.clone()),
        )
    };
    let all = answers.iter().flat_map(|answer| &answer.best);
    let library = all.max_by_key(|library| counts(library))?.clone();
    let rest = answers.iter().filter(|answer| !serves(&library, answer));
    let rest =
        rest.filter_map(|answer| Some((answer.machine.as_str(), answer.best.first()?.as_str())));
    Some(Choice {
        count: counts(&library).0,
        others: grouped(rest)
            .into_iter()
            .map(|(library, machines)| {
                let machines = machines.into_iter().map(str::to_owned);
                (library.to_owned(), machines.collect())
            })
            .collect(),
        library,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(machine: &str, best: &[&str]) -> Answer {
        Answer {
            machine: machine.into(),
            run: 1,
            best: best.iter().map(|id| (*id).to_owned()).collect(),
        }
    }

    #[test]
    fn one_library_for_all_but_two_machines() {
        let found = choose(&[
            answer("a", &["aws-lc"]),
            answer("b", &["openssl", "aws-lc"]),
            answer("c", &["aws-lc", "openssl"]),
            answer("d", &["nettle"]),
            answer("e", &["nettle", "botan"]),
            answer("f", &[]),
        ])
        .unwrap();
        assert_eq!((found.library.as_str(), found.count), ("aws-lc", 3));
        let others = [("nettle".to_owned(), vec!["d".to_owned(), "e".to_owned()])];
        assert_eq!(found.others, others);
        assert_eq!(choose(&[answer("f", &[])]), None);
        assert_eq!(choose(&[]), None);
    }

    #[test]
    fn of_two_that_serve_as_many_machines_the_one_that_is_first_more_often() {
        let answers = [
            answer("a", &["one", "two"]),
            answer("b", &["two", "one"]),
            answer("c", &["two", "one"]),
        ];
        assert_eq!(choose(&answers).unwrap().library, "two");
    }
}
