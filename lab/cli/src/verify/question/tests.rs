//! Tests questions made from records, and judgements of replies.

use super::*;
use crate::verify::known::Known;

const FILE: &str = "# source: s\n# licence: MIT\n\
    [aes-128 gcm-encrypt]\n\n\
    key = 00\nnonce = 01\naad = 02\ninput = 0304\noutput = 0506\ntag = 0708\n\n\
    [aes-128 gcm-decrypt]\n\n\
    key = 00\nnonce = 01\ninput =\noutput = 0506\ntag = 0709\nresult = invalid\nflags = ModifiedTag\n\n\
    [aes-128 siv-encrypt]\n\ninput = 03\noutput = 05\ntag = 07\n\n\
    [sha-1 hash]\n\ninput = \"abc\"\noutput = a999\n";

fn known() -> Known {
    let mut known = Known::default();
    let vectors = touchstone_vectors::parse(FILE).unwrap().vectors;
    assert!(known.add("f.vec".into(), vectors).is_empty());
    known
}

#[test]
fn a_record_runs_both_ways_and_a_forgery_one_way() {
    let known = known();
    let forwards = known.questions("aes-128", "gcm-encrypt");
    assert_eq!(forwards.len(), 1);
    assert_eq!(shown(&forwards[0].expected), "05060708");
    assert_eq!(forwards[0].work.number("tag"), Some(2));
    let backwards = known.questions("aes-128", "gcm-decrypt");
    assert_eq!(backwards.len(), 2);
    assert_eq!(backwards[0].work.bytes("input"), [5, 6, 7, 9]);
    assert_eq!(backwards[1].work.bytes("input"), [5, 6, 7, 8]);
    assert_eq!(shown(&backwards[1].expected), "0304");
    let siv = known.questions("aes-128", "siv-decrypt");
    assert_eq!(siv[0].work.bytes("input"), [7, 5], "SIV puts its tag first");
}

#[test]
fn a_signature_is_verified_the_other_way_round() {
    let text = "# source: s\n# licence: MIT\n[ed25519 sign]\n\n\
        key = 01\npublic = 02\ninput = 03\noutput = 0405\n\n\
        [ed25519 verify]\n\npublic = 02\ninput = 03\noutput = 0406\nresult = invalid\n\n\
        [ed25519 sign]\n\nkey = 01\npubic = 02\ninput = 03\noutput = 0405\n";
    let mut known = Known::default();
    let vectors = touchstone_vectors::parse(text).unwrap().vectors;
    let left_out = known.add("f.vec".into(), vectors);
    assert_eq!(left_out, [("sign has no field pubic".to_owned(), 1)].into());
    let verify = known.questions("ed25519", "verify");
    assert_eq!(verify.len(), 2);
    let [forged, genuine] = &verify[..] else {
        unreachable!()
    };
    assert_eq!(genuine.work.shown(), "input=03 key=02 signature=0405");
    assert_eq!(forged.work.shown(), "input=03 key=02 signature=0406");
    let accepted = Reply::Output {
        outputs: BTreeMap::new(),
    };
    assert!(matches!(genuine.judge(&accepted), Outcome::Right));
    assert!(matches!(
        genuine.judge(&Reply::Rejected),
        Outcome::Wrong(..)
    ));
    assert!(matches!(forged.judge(&accepted), Outcome::Wrong(..)));
    assert!(matches!(forged.judge(&Reply::Rejected), Outcome::Right));
}

#[test]
fn judgement() {
    let known = known();
    let output = |bytes: &[u8]| Reply::Output {
        outputs: [("output".to_owned(), Data::Bytes(bytes.to_vec()))].into(),
    };
    let hash = &known.questions("sha-1", "hash")[0];
    assert!(matches!(hash.judge(&output(&[0xa9, 0x99])), Outcome::Right));
    assert!(matches!(
        hash.judge(&output(&[0xa9])),
        Outcome::Wrong("wrong answer", _)
    ));
    let refusal = Reply::Unsupported {
        reason: String::new(),
    };
    assert!(matches!(hash.judge(&refusal), Outcome::Unsupported));
    let forged = &known.questions("aes-128", "gcm-decrypt")[0];
    assert!(matches!(forged.judge(&Reply::Rejected), Outcome::Right));
    assert!(matches!(
        forged.judge(&output(&[1])),
        Outcome::Wrong("accepted a forgery", _)
    ));
    let genuine = &known.questions("aes-128", "gcm-decrypt")[1];
    assert!(matches!(
        genuine.judge(&Reply::Rejected),
        Outcome::Wrong(..)
    ));
}
