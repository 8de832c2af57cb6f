//! `touchstone verify` with the user's own known answers.

mod common;

use common::Bench;

fn verify(bench: &Bench, vectors: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let path = bench.path(vectors);
    let mut command = bench.touchstone(&["verify", "--vectors"]);
    let output = command.arg(path).args(more).output().unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn a_users_file_of_another_project_is_put_to_the_libraries() {
    let bench = Bench::new(&[("right", "none"), ("wrong", "wrong")]);
    // RFC 6229's first sixteen bytes in the form of Botan's and of Crypto++'s files.
    std::fs::write(
        bench.path("mine.vec"),
        "[RC4]\nKey = 0102030405\nOut = b2396305f03dc027ccc3524a0a1118a8\n\n\
         [RC4]\nKey = 0102030405\nIn = 00\nOut = b2\n",
    )
    .unwrap();
    let (code, out, err) = verify(&bench, "mine.vec", &["--library", "right"]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("right"), "{out}");
    let (code, out, _) = verify(&bench, "mine.vec", &[]);
    assert_eq!(code, Some(3), "{out}");
    assert!(
        out.contains("mine.vec"),
        "the failure names the file:\n{out}"
    );
}

#[test]
fn a_folder_may_hold_other_things_too() {
    let bench = Bench::new(&[("right", "none")]);
    let folder = bench.path("answers/deep");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("ours.vec"),
        format!("# Touchstone known answers, format 1\n{}", common::VECTORS),
    )
    .unwrap();
    std::fs::write(folder.join("README"), "Nothing of interest.").unwrap();
    let (code, out, err) = verify(&bench, "answers", &[]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(err.contains("1 × a file of no known format"), "{err}");
}

#[test]
fn what_is_no_known_answer_is_said_with_what_to_do() {
    let bench = Bench::new(&[("right", "none")]);
    std::fs::write(bench.path("diary.rsp"), "Key = 00\n").unwrap();
    let (code, _, err) = verify(&bench, "diary.rsp", &[]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("CBCGFSbox128.rsp"), "{err}");

    let (code, _, err) = verify(&bench, "nowhere", &[]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("nowhere"), "{err}");

    std::fs::write(
        bench.path("CBCGFSbox128.rsp"),
        "KEY = zz\nPLAINTEXT = 00\nCIPHERTEXT = 00\n",
    )
    .unwrap();
    let (code, _, err) = verify(&bench, "CBCGFSbox128.rsp", &[]);
    assert_eq!(code, Some(2), "{err}");
    assert!(
        err.contains("CBCGFSbox128.rsp") && err.contains("zz"),
        "{err}"
    );
}

#[test]
fn flags_have_a_table_of_their_own() {
    let bench = Bench::new(&[("right", "none"), ("wrong", "wrong")]);
    let flagged = common::VECTORS.replace("key =", "flags = EdgeCase Ktv\nkey =");
    std::fs::write(
        bench.path("flagged.vec"),
        format!("# Touchstone known answers, format 1\n{flagged}"),
    )
    .unwrap();
    let (code, out, _) = verify(&bench, "flagged.vec", &["--flags", "--format", "csv"]);
    assert_eq!(code, Some(3), "{out}");
    assert!(out.contains("right,EdgeCase,1,0,0,0"), "{out}");
    assert!(out.contains("wrong,Ktv,0,1,0,0"), "{out}");
}
