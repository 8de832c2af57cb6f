//! Compares the lab's figures for public keys and integers with `openssl speed`, `botan speed` and a
//! loop in C over GMP.

use super::*;

/// The turns of a comparison here; one call takes long enough for a steady mean.
const FEW: usize = 5;

/// How a figure of the lab may differ from the other benchmark's beyond 5 %, and why.
#[derive(Clone, Copy)]
struct Case {
    primitive: &'static str,
    operation: &'static str,
    /// Position on the operation's axis; 0 without an axis.
    position: u64,
    /// Nanoseconds of work that only the lab's call does.
    extra: f64,
    /// Which work this is; empty if there is none.
    why: &'static str,
}

const fn case(primitive: &'static str, operation: &'static str, position: u64) -> Case {
    Case {
        primitive,
        operation,
        position,
        extra: 0.0,
        why: "",
    }
}

/// The hash of a message and the context that EVP_DigestSign wants for each: `openssl speed` signs one
/// digest again and again with one context.
const HASHES: &str = "the lab hashes 64 bytes and sets up a context for each message";

/// Returns the library's version and the lab's nanoseconds per call; no time if the library gave a
/// wrong answer, because the lab does not time such an operation. Another library is measured, too,
/// because two libraries judge each other's signatures, of which no known answers with private keys
/// are published.
fn lab(installed: &Installed, library: &str, case: Case) -> (String, Option<f64>) {
    let other = if library == "openssl" {
        "libgcrypt"
    } else {
        "openssl"
    };
    let algorithm = format!("^{} {}$", case.primitive, case.operation);
    let sizes = case.position.max(64).to_string();
    let run = installed.run(&[
        "measure",
        "--library",
        library,
        "--library",
        other,
        "--algorithm",
        &algorithm,
        "--sizes",
        &sizes,
        "--contracts",
        "hot",
        "--threads",
        "1",
    ]);
    let facts = run.libraries.iter().find(|one| one.id == library);
    // A row of a profile gives the positions on an operation's axis, which may be more than one.
    let cell = run.cells.iter().find(|cell| {
        cell.library == library && (case.position == 0 || cell.bytes == case.position)
    });
    let wrong = run.verification.iter().any(|one| {
        (&*one.library, &*one.primitive, &*one.operation)
            == (library, case.primitive, case.operation)
            && one.failed > 0
    });
    assert!(
        cell.is_some() || wrong,
        "{library} {algorithm}: {:?}",
        run.failures
    );
    (facts.unwrap().version.clone(), cell.map(|cell| cell.ns.mid))
}

/// Compares a case in several turns, prints the ratio, and returns what is too far away.
fn compared(
    installed: &Installed,
    library: &str,
    case: Case,
    mut own: impl FnMut() -> f64,
) -> Option<String> {
    let name = format!("{library} {} {}", case.primitive, case.operation);
    let mut turns = Turns::default();
    for _ in 0..FEW {
        let (_, Some(ns)) = lab(installed, library, case) else {
            println!("SKIPPED: {name}: the library has a wrong answer, so the lab has no time");
            return None;
        };
        turns.push(ns, own());
    }
    let ratio = turns.ratio();
    let own = median(&turns.own);
    let most = 1.05 + case.extra / own;
    let why = match case.why {
        "" => String::new(),
        why => format!("; up to {most:.3}, because {why}"),
    };
    println!(
        "{name} {}: lab / own {ratio:.3}, own {own:.0} ns{why}",
        case.position
    );
    let fits = (0.95..=most).contains(&ratio);
    (!fits).then(|| format!("{name} {}: {ratio:.3}", case.position))
}

/// Rows: the case, the name for `openssl speed`, the line's beginning, and the column of the rate.
fn openssl_cases() -> [(Case, &'static str, &'static str, usize); 7] {
    let hashes = |case| Case {
        extra: 2500.0,
        why: HASHES,
        ..case
    };
    let rsa = "rsa-2048-pkcs1-sha-256";
    let ecdsa = "ecdsa-p256-sha-256";
    [
        (hashes(case(rsa, "sign", 0)), "rsa2048", "+F2:", 3),
        (hashes(case(rsa, "verify", 0)), "rsa2048", "+F2:", 4),
        (hashes(case(ecdsa, "sign", 0)), "ecdsap256", "+F4:", 3),
        (hashes(case(ecdsa, "verify", 0)), "ecdsap256", "+F4:", 4),
        (
            Case {
                extra: 60000.0,
                why: "the lab gives the other side's key for each call, which OpenSSL checks",
                ..case("ecdh-p256", "agree", 0)
            },
            "ecdhp256",
            "+F5:",
            3,
        ),
        (hashes(case("ed25519", "sign", 0)), "ed25519", "+F6:", 4),
        (hashes(case("ed25519", "verify", 0)), "ed25519", "+F6:", 5),
    ]
}

/// Returns a rate, calls a second, from the lines that openssl speed prints for programs.
fn rate(text: &str, start: &str, column: usize) -> Option<f64> {
    let line = text.lines().find(|line| line.starts_with(start))?;
    line.split(':').nth(column)?.trim().parse().ok()
}

#[test]
fn a_rate_is_read_from_its_column() {
    let text = "+R1:1:rsa\n+F2:2:2048:4058.3:61025.0\n+F6:0:253:Ed25519:23864.2:9400.0\n";
    assert_eq!(rate(text, "+F2:", 4), Some(61025.0));
    assert_eq!(rate(text, "+F6:", 4), Some(23864.2));
    assert_eq!(rate(text, "+F5:", 3), None);
}

#[test]
#[ignore = "minutes long, on an idle machine: make trust"]
fn openssl_has_the_public_key_speeds_of_its_own_benchmark() {
    let installed = Installed::new();
    let cpu = cpus().0.to_string();
    let own = Command::new("openssl").arg("version").output();
    let own = own.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let (loaded, _) = lab(&installed, "openssl", case("ed25519", "sign", 0));
    if !own
        .as_ref()
        .is_ok_and(|text| text.split(' ').nth(1) == Some(&loaded))
    {
        println!("SKIPPED: public keys by openssl speed of {own:?} against {loaded}");
        return;
    }
    let mut far = Vec::new();
    for (case, name, start, column) in openssl_cases() {
        far.extend(compared(&installed, "openssl", case, || {
            let output = Command::new("taskset")
                .args(["-c", &cpu, "openssl", "speed", "-mr", "-seconds", "1", name])
                .output()
                .unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let rate = rate(&text, start, column);
            1e9 / rate.unwrap_or_else(|| panic!("openssl speed said {text}"))
        }));
    }
    assert!(far.is_empty(), "{far:?}");
}

/// Returns nanoseconds per call in the JSON of `botan speed`, for an algorithm whose name begins so.
fn botan_ns(text: &str, algorithm: &str, operation: &str) -> Option<f64> {
    let rows: Vec<serde_json::Value> = serde_json::from_str(text).ok()?;
    let row = rows.iter().find(|row| {
        row["algo"]
            .as_str()
            .is_some_and(|name| name.starts_with(algorithm))
            && row["op"] == operation
    })?;
    Some(row["nanos"].as_f64()? / row["events"].as_f64()?)
}

#[test]
#[ignore = "minutes long, on an idle machine: make trust"]
fn botan_has_the_public_key_speeds_of_its_own_benchmark() {
    let installed = Installed::new();
    let cpu = cpus().0.to_string();
    let Ok(own) = Command::new("botan").arg("version").output() else {
        println!("SKIPPED: botan speed, for want of the command: apt-get install botan");
        return;
    };
    let own = String::from_utf8_lossy(&own.stdout).trim().to_owned();
    let (loaded, _) = lab(&installed, "botan", case("ed25519", "sign", 0));
    if own != loaded {
        println!("SKIPPED: botan speed of {own:?} against {loaded}");
        return;
    }
    let mut far = Vec::new();
    for (primitive, family, algorithm) in [
        ("rsa-2048-pkcs1-sha-256", "RSA", "RSA-2048 "),
        ("ecdsa-p256-sha-256", "ECDSA", "ECDSA-secp256r1"),
        ("ed25519", "Ed25519", "Ed25519"),
    ] {
        for operation in ["sign", "verify"] {
            far.extend(compared(
                &installed,
                "botan",
                case(primitive, operation, 0),
                || {
                    let output = Command::new("taskset")
                        .args(["-c", &cpu, "botan", "speed", "--format=json", "--msec=500"])
                        .args(["--ecc-groups=secp256r1", family])
                        .output()
                        .unwrap();
                    let text = String::from_utf8_lossy(&output.stdout).into_owned();
                    let ns = botan_ns(&text, algorithm, operation);
                    ns.unwrap_or_else(|| panic!("botan speed said {text}"))
                },
            ));
        }
    }
    assert!(far.is_empty(), "{far:?}");
}

#[test]
fn a_time_of_botan_is_found_by_its_algorithm() {
    let text = r#"[{"algo": "RSA-2048", "op": "keygen", "events": 1, "nanos": 9},
        {"algo": "RSA-2048 X", "op": "sign", "events": 2, "nanos": 7}]"#;
    assert_eq!(botan_ns(text, "RSA-2048 ", "sign"), Some(3.5));
    assert_eq!(botan_ns(text, "RSA-2048 ", "verify"), None);
}

#[test]
#[ignore = "minutes long, on an idle machine: make trust"]
fn gmp_is_as_fast_as_in_a_loop_in_c() {
    let installed = Installed::new();
    let cpu = cpus().0.to_string();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trust/gmp.c");
    let program = installed.folder.path().join("gmp");
    let built = Command::new("cc")
        .args(["-O2", "-Wall", "-Wextra", "-Werror"])
        .arg(&source)
        .args(["-lgmp", "-o"])
        .arg(&program)
        .output();
    if !built.is_ok_and(|output| output.status.success()) {
        println!("SKIPPED: a loop in C for GMP, for want of cc or libgmp-dev");
        return;
    }
    let mut far = Vec::new();
    for (operation, bits) in [
        ("multiply", 1024),
        ("multiply", 4096),
        ("multiply", 16384),
        ("invert", 1024),
        ("powmod", 1024),
        ("powmod", 2048),
    ] {
        far.extend(compared(
            &installed,
            "gmp",
            case("integer", operation, bits),
            || {
                let output = Command::new("taskset")
                    .args(["-c", &cpu])
                    .arg(&program)
                    .args([operation, &bits.to_string()])
                    .output()
                    .unwrap();
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                text.trim()
                    .parse()
                    .unwrap_or_else(|_| panic!("the loop said {text:?}"))
            },
        ));
    }
    assert!(far.is_empty(), "{far:?}");
}
