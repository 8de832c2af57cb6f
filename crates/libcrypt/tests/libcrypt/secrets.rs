//! What is left of phrases and keys in a C program that has called libcrypt: nothing.

use std::path::PathBuf;
use std::process::Command;

use crate::object::{Random, SETTINGS, folder};
use crate::residue::{Client, Request, runs};

/// A program that is bound to the library when it starts or at each first call.
fn program(binding: &str) -> PathBuf {
    let manifest = env!("CARGO_MANIFEST_DIR");
    let program = folder().join(binding);
    let status = Command::new("cc")
        .args(["-std=gnu99", "-O1", "-Wall", "-Wextra", "-Werror"])
        .arg(format!("-I{manifest}/../touchstone/tests/common"))
        .arg(format!("{manifest}/tests/libcrypt/secrets.c"))
        .arg("-o")
        .arg(&program)
        .arg(folder().join("libcrypt.so.1"))
        .arg(format!("-Wl,-rpath,{},-z,{binding}", folder().display()))
        .status()
        .expect("cc runs");
    assert!(status.success(), "cc fails");
    program
}

/// One run for each way to bind, or as many as [`runs`] says.
#[test]
fn nothing_is_left() {
    if cfg!(debug_assertions) {
        println!(
            "SKIPPED: the search of memory, because this profile uses more of the stack; make secrets"
        );
        return;
    }
    let seed = std::time::SystemTime::UNIX_EPOCH.elapsed();
    let mut random = Random(seed.expect("a clock").as_nanos() as u64);
    // A phrase has no zero byte, and the methods of DES drop the highest bits.
    let mut text = |bytes: &mut [u8]| {
        let Some((end, text)) = bytes.split_last_mut() else {
            return;
        };
        text.iter_mut()
            .for_each(|byte| *byte = b' ' + (random.next() % 95) as u8);
        *end = 0;
    };
    let programs = ["lazy", "now"].map(|binding| (binding, program(binding)));
    for (binding, program) in programs.iter().cycle().take(2 * runs().unwrap_or(1)) {
        let mut client = Client::start(&mut Command::new(program));
        let mut left = Vec::new();
        for setting in SETTINGS {
            for length in [8, 40, 150] {
                let mut request = Request {
                    name: format!("phrase {setting}"),
                    secret: Vec::new(),
                    message: vec![0; length + 1],
                };
                text(&mut request.message);
                left.extend(client.residue(&request, &mut text));
            }
        }
        let mut request = Request {
            name: "block".to_owned(),
            secret: vec![0; 65],
            message: vec![0; 65],
        };
        text(&mut request.secret);
        text(&mut request.message);
        left.extend(client.residue(&request, &mut text));
        left.iter().for_each(|line| println!("{line}"));
        assert!(
            left.is_empty(),
            "bound {binding}: {} places, {:?}",
            left.len(),
            left.first()
        );
    }
}
