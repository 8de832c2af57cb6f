//! Tests `touchstone verify` with known answers of the user.

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
    // The first sixteen bytes of RFC 6229, in the formats of Botan's and of Crypto++'s files.
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

/// A program that checks a file must see from the exit code that nothing was checked.
#[test]
fn a_file_that_verifies_nothing_is_no_success() {
    let bench = Bench::new(&[("right", "none"), ("killed", "killed")]);
    let verify_text = |text: &str, library: &str| {
        let text =
            format!("# Touchstone known answers, format 1\n# source: s\n# licence: l\n{text}");
        std::fs::write(bench.path("mine.vec"), text).unwrap();
        let (code, _, err) = verify(&bench, "mine.vec", &["--library", library]);
        assert!(err.contains("nothing was verified by "), "{err}");
        assert!(err.contains("mine.vec: "), "{err}");
        (code, err)
    };

    let (code, err) = verify_text("[md5 hash]\n\ninput = 00\noutput = 00\n", "right");
    assert_eq!(code, Some(4), "{err}");
    assert!(err.contains("md5 hash"), "{err}");
    assert!(err.contains("`touchstone list`"), "{err}");

    let rc4 = "[rc4 stream-encrypt]\n\nkey = 0102030405\ninput = 00\noutput = b2\n";
    let (code, err) = verify_text(&format!("{rc4}cost.drop = 256\n"), "right");
    assert_eq!(code, Some(4), "{err}");
    assert!(err.contains("do not take the parameters"), "{err}");

    let (code, err) = verify_text(rc4, "killed");
    assert_eq!(code, Some(4), "{err}");
    assert!(err.contains("could not make the calls"), "{err}");
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
    assert!(out.contains("right,EdgeCase,1,0,0,0,0"), "{out}");
    assert!(out.contains("wrong,Ktv,0,1,0,0,0"), "{out}");
}

/// A library that gives a wrong output has not accepted a changed tag.
#[test]
fn attacks_have_a_table_with_the_libraries_that_fail() {
    let bench = Bench::new(&[("right", "none"), ("wrong", "wrong")]);
    let flagged = common::VECTORS.replace("key =", "flags = CounterWrap ModifiedTag\nkey =");
    std::fs::write(
        bench.path("flagged.vec"),
        format!("# Touchstone known answers, format 1\n{flagged}"),
    )
    .unwrap();
    let (code, out, _) = verify(&bench, "flagged.vec", &["--attacks", "--format", "csv"]);
    assert_eq!(code, Some(3), "{out}");
    let rows: Vec<&str> = out.lines().skip(1).collect();
    assert_eq!(rows.len(), 1, "{out}");
    assert!(
        rows[0].starts_with("medium,Wrapped counter,wrong,1,RC4 "),
        "{out}"
    );
    let (_, out, _) = verify(&bench, "flagged.vec", &["--attacks"]);
    assert!(
        out.contains("No library fails: Changed message or tag"),
        "{out}"
    );
}

/// The manifest says which differences are intended; every table of `verify` says so too.
#[test]
fn what_a_library_does_on_purpose_is_no_fault() {
    let bench = Bench::new(&[("wrong", "wrong"), ("willed", "wrong")]);
    let manifest = bench.path("adapters/willed/adapter.toml");
    let mut text = std::fs::read_to_string(&manifest).unwrap();
    text += "[[defects]]\nalgorithm = \"^rc4 \"\nintended = true\nwhat = \"another RC4\"\n";
    std::fs::write(&manifest, text).unwrap();
    let flagged = common::VECTORS.replace("key =", "flags = CounterWrap\nkey =");
    std::fs::write(
        bench.path("flagged.vec"),
        format!("# Touchstone known answers, format 1\n{flagged}"),
    )
    .unwrap();

    let (code, out, _) = verify(&bench, "flagged.vec", &["--failed", "--format", "csv"]);
    assert_eq!(code, Some(3), "{out}");
    let rows: Vec<&str> = out.lines().skip(1).collect();
    let expected = [
        "wrong,1,wrong answer,1,rc4 stream-encrypt",
        "willed,0,differs on purpose,1,rc4 stream-encrypt",
    ];
    assert_eq!(rows, expected, "{out}");
    let (_, out, _) = verify(&bench, "flagged.vec", &["--failed"]);
    assert!(out.contains("willed, on purpose: another RC4"), "{out}");
    let (_, out, _) = verify(&bench, "flagged.vec", &[]);
    let shown = |library: &str, kind: &str| {
        let mut lines = out.lines();
        lines.any(|line| line.starts_with(library) && line.contains(kind))
    };
    assert!(shown("willed", "differs on purpose"), "{out}");
    assert!(shown("wrong", "wrong answer"), "{out}");
    assert!(
        out.contains("known of willed, on purpose: another RC4"),
        "{out}"
    );
    let (_, out, _) = verify(&bench, "flagged.vec", &["--attacks"]);
    assert!(
        !shown_as_failing(&out, "willed") && shown_as_failing(&out, "wrong"),
        "{out}"
    );
    assert!(out.contains("Wrapped counter: willed"), "{out}");
    let (code, out, errors) = verify(
        &bench,
        "flagged.vec",
        &["--library", "willed", "--format", "csv"],
    );
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("\nwilled,1,0,0,1,"), "{out}");
    assert!(errors.contains("0 wrong"), "{errors}");
}

/// A manifest calls answers intended, and never that there is no answer.
#[test]
fn no_crash_is_on_purpose() {
    let bench = Bench::new(&[("falls", "crash-at-1024")]);
    let manifest = bench.path("adapters/falls/adapter.toml");
    let mut text = std::fs::read_to_string(&manifest).unwrap();
    text += "[[defects]]\nalgorithm = \"^rc4 \"\nintended = true\nwhat = \"another RC4\"\n";
    std::fs::write(&manifest, text).unwrap();
    let message = "00".repeat(1024);
    let vectors = format!(
        "# Touchstone known answers, format 1\n# source: none\n# licence: CC0-1.0\n\
         [rc4 stream-encrypt]\n\nkey = 0102030405\ninput = {message}\noutput = {message}\n"
    );
    std::fs::write(bench.path("long.vec"), vectors).unwrap();
    let (code, out, errors) = verify(&bench, "long.vec", &["--failed", "--format", "csv"]);
    assert_eq!(code, Some(3), "{out}{errors}");
    assert!(out.contains("\nfalls,1,crash,1,"), "{out}");
}

/// Returns whether a row of the table of attacks names a library.
fn shown_as_failing(out: &str, library: &str) -> bool {
    let mut rows = out.lines().filter(|line| line.starts_with("medium"));
    rows.any(|line| line.split_whitespace().any(|word| word == library))
}

/// Files in the formats of Botan's and Crypto++'s tests are read. Records of a known algorithm
/// are used, even if the file also contains records that the lab cannot use.
#[test]
fn files_of_other_projects_are_taken_with_what_is_odd_in_them() {
    let bench = Bench::new(&[("right", "none")]);
    let good = "Name: HMAC(SHA-1)\nKey: 00\nMessage: 00\nMAC: 01\nTest: Verify\n";
    let files = [
        ("gcm.txt", "AlgorithmType: AuthenticatedSymmetricCipher\nName: AES/GCM\nKey: r16 00\nIV: r12 00\n\
            MAC: r16 00\nTest: NotVerify\n".to_owned()),
        ("ocb.txt", "AlgorithmType: AuthenticatedSymmetricCipher\nName: AES/OCB\nKey: r16 00\n IV: r12 00\n\
            Plaintext:\nCiphertext: \\\n  785407BFFFC8AD9EDCC5520AC9111EE6 # MAC\nTest: Encrypt\n".to_owned()),
        ("shake.txt", "AlgorithmType: MessageDigest\nName: SHAKE-128\nMessage:\nDigest: 7f9c\nTest: Verify\n".to_owned()),
        ("sha3.txt", "AlgorithmType: MessageDigest\nName: SHA3-224\nMessage: 01\nDigest: 48\nTest: Verify\n".to_owned()),
        ("odd.txt", format!("AlgorithmType: MAC\nName: HMAC(SHA-1)\nKey: zz\nMessage: 00\nMAC: 01\nTest: Verify\n{good}")),
        ("data/argon2.vec", "[Argon2d]\nM = 32\nT = 3\nP = 4\nPassphrase = 01\nSalt = 02\nOutput = 51\n".to_owned()),
        ("data/scrypt.vec", "Passphrase =\nSalt =\nN = 16\nR = 1\nP = 1\nOutput = 77\n".to_owned()),
        ("data/passhash/argon2.vec", "[Verify]\nPassphrase = 01\nPasshash = $argon2i$v=19$x\n\n\
            [Bcrypt]\nPassword = 61\nPasshash = $2a$05$ABCDEFGHIJKLMNOPQRSTUOJ6vq.zr8lWxhGMNrkcCxKtWJoIZr4yO\n".to_owned()),
    ];
    for (name, text) in files {
        let path = bench.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        // The library has only RC4, so it verifies nothing; a file that is not read has exit code 2.
        let (code, out, err) = verify(&bench, name, &[]);
        assert_eq!(code, Some(4), "{name}: {out}{err}");
        assert_eq!(
            err.contains("cannot be read"),
            name == "odd.txt",
            "{name}: {err}"
        );
    }
    // A list leads to the files that it names. The command reports named files that are
    // missing.
    let list =
        |file: &str| format!("AlgorithmType: FileList\nName: aead\nTest: TestVectors/{file}\n");
    std::fs::write(bench.path("aead.txt"), list("gcm.txt")).unwrap();
    let (code, _, err) = verify(&bench, "aead.txt", &[]);
    assert_eq!(code, Some(4), "{err}");
    std::fs::write(bench.path("aead.txt"), list("ccm.txt")).unwrap();
    let (code, _, err) = verify(&bench, "aead.txt", &[]);
    assert_eq!(code, Some(2), "{err}");
    assert!(
        err.contains("named and not there") && err.contains("ccm.txt"),
        "{err}"
    );
}

#[test]
fn a_number_that_would_take_all_memory_is_refused_in_one_line() {
    let bench = Bench::new(&[("right", "none")]);
    for input in [
        "painted:18446744073709551615",
        "painted:99999999999",
        "painted:3000000000",
        "repeat:18446744073709551615:00",
        "repeat:99999:repeat:99999:00",
    ] {
        let text = format!(
            "# Touchstone known answers, format 1\n# source: s\n# licence: l\n\
             [rc4 stream-encrypt]\n\nkey = 00\ninput = {input}\noutput = 00\n"
        );
        std::fs::write(bench.path("huge.vec"), text).unwrap();
        let (code, _, err) = verify(&bench, "huge.vec", &[]);
        assert_eq!(code, Some(2), "{input}: {err}");
        assert!(err.contains("huge.vec:7"), "{input}: {err}");
    }
}
