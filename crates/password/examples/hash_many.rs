//! Prints how many phrases a second each method hashes, one after the other and many in one call. The
//! fastest of many calls counts: on a busy machine most calls are slower.
//!
//! ```console
//! $ cargo run --release -p touchstone-password --example hash_many
//! ```

use std::time::{Duration, Instant};

use touchstone_password::{OUTPUT_SIZE, hash, hash_many};

const PHRASES: usize = 64;
const TIME: Duration = Duration::from_secs(2);

fn main() {
    let texts: Vec<[u8; 8]> = (0..PHRASES).map(|i| [b'a' + (i % 26) as u8; 8]).collect();
    let phrases: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
    for (name, setting) in [
        ("md5crypt", "$1$abcdefgh$"),
        ("sha256crypt", "$5$abcdefgh$"),
        ("sha512crypt", "$6$abcdefgh$"),
        ("sunmd5", "$md5,rounds=904$abcdefgh$"),
        ("bcrypt, cost 5", "$2b$05$abcdefghijklmnopqrstuu"),
        ("traditional DES", "ab"),
    ] {
        let setting = setting.as_bytes();
        let mut output = [0; OUTPUT_SIZE];
        let one = best(1, || {
            hash(phrases[0], setting, &mut output).expect("a setting");
        });
        let mut outputs = [[0; OUTPUT_SIZE]; PHRASES];
        let many = best(PHRASES, || {
            let hashes = hash_many(&phrases, &[setting], &mut outputs).expect("as many outputs");
            assert!(hashes.iter().all(Result::is_ok));
        });
        println!("{name:16} {one:10.0} a second one by one, {many:10.0} in calls of {PHRASES}");
    }
}

/// Returns the number of phrases a second in the fastest call, which has `phrases` of them.
fn best(phrases: usize, mut call: impl FnMut()) -> f64 {
    let begun = Instant::now();
    let mut least = Duration::MAX;
    while begun.elapsed() < TIME {
        let start = Instant::now();
        call();
        least = least.min(start.elapsed());
    }
    phrases as f64 / least.as_secs_f64()
}
