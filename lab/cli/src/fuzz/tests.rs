use super::*;

fn output(bytes: &[u8]) -> Said {
    Said::Output([("output".to_owned(), bytes.to_vec())].into())
}

#[test]
fn the_words_of_a_refusal_do_not_matter() {
    let refusal = |reason: &str| Said::Refusal(reason.into());
    assert!(refusal("").agrees(&refusal("bad tag")));
    assert!(!refusal("").agrees(&output(&[])));
    assert!(output(&[1]).agrees(&output(&[1])));
    assert!(!output(&[1]).agrees(&output(&[2])));
    let crash = || Said::Crash("SIGSEGV".into());
    assert!(!crash().agrees(&crash()), "two crashes are two faults");
}

#[test]
fn a_disagreement_has_the_kind_of_the_deviating_answer() {
    let refusal = Said::Refusal(String::new());
    assert_eq!(output(&[1]).differs_from(&output(&[2])), Kind::Differs);
    assert_eq!(output(&[1]).differs_from(&refusal), Kind::Accepts);
    assert_eq!(refusal.differs_from(&output(&[1])), Kind::Refuses);
    let crash = Said::Crash("SIGSEGV".into());
    assert_eq!(crash.differs_from(&refusal), Kind::Crash);
}
