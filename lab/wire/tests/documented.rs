//! The description of the protocol names every message and every field.

use serde_json::Value;
use touchstone_wire::{Contract, Data, Library, Offer, Reply, Request, Step, Work};

const DESCRIPTION: &str = include_str!("../../../docs/wire-protocol.md");

/// Returns the requests and answers with all their fields.
fn messages() -> Vec<String> {
    let work = Work::new("sha-256", "hash").with("input", Data::Painted(1));
    let requests = [
        Request::Hello {
            protocol: 2,
            path: "/lib".into(),
        },
        Request::Check { work: work.clone() },
        Request::Open {
            id: 1,
            contract: Contract::Many,
            messages: 2,
            vary: [("nonce".to_owned(), Step::Increment)].into(),
            second: [("key".to_owned(), vec![1].into())].into(),
            work,
        },
        Request::Time {
            id: 1,
            calls: 1,
            warm: 1,
            threads: 2,
            cpus: vec![1],
            digest: true,
        },
        Request::Run { id: 1 },
        Request::Close { id: 1 },
        Request::Bye,
    ];
    let text = || "text".to_owned();
    let replies = [
        Reply::Library(Library {
            name: text(),
            version: text(),
            path: text(),
            licence: text(),
            language: text(),
            features: text(),
            note: text(),
            handicap: text(),
        }),
        Reply::Offer(Offer {
            primitive: text(),
            operation: text(),
            api: text(),
            kernel: text(),
            note: text(),
            contracts: vec![Contract::Many],
        }),
        Reply::Ready,
        Reply::Absent { reason: text() },
        Reply::Output {
            outputs: [("output".to_owned(), Data::Painted(1))].into(),
        },
        Reply::Rejected,
        Reply::Unsupported { reason: text() },
        Reply::Failed { reason: text() },
        Reply::Opened {
            id: 1,
            open_ns: 1,
            key_ns: 1,
            first_ns: 1,
            digest: 1,
        },
        Reply::Timed {
            id: 1,
            ns: 1,
            digest: Some(1),
        },
        Reply::Ran { id: 1, digest: 1 },
        Reply::Closed { id: 1 },
    ];
    let requests = requests.iter().map(Request::line);
    requests.chain(replies.iter().map(Reply::line)).collect()
}

#[test]
fn every_message_and_field_is_described() {
    for line in messages() {
        let message: Value = serde_json::from_str(&line).unwrap();
        let kind = message["message"].as_str().unwrap();
        let fields = message.as_object().unwrap().keys().map(String::as_str);
        for word in fields.chain([kind]) {
            let described = DESCRIPTION.contains(&format!("`{word}`"));
            assert!(described, "{kind}: {word}");
        }
    }
    for name in Contract::ALL.map(Contract::name) {
        assert!(DESCRIPTION.contains(&format!("| `{name}` |")), "{name}");
    }
}
