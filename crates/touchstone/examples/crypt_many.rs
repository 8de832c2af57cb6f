//! Prints how many times a second each kernel computes traditional crypt(3) with DES, for many
//! keys in one call. The fastest of many calls counts: on a busy machine most calls are slower.
//!
//! ```console
//! $ cargo run --release -p touchstone-crypto --example crypt_many
//! ```

use std::time::{Duration, Instant};

use touchstone::block::Des;
use touchstone::block::des::crypt::{crypt_many_salts_with, crypt_many_with};
use touchstone::{Kernel as _, Keyed};

const KEYS: usize = 512;
const PASSES: u32 = 25;
const TIME: Duration = Duration::from_secs(2);

fn main() {
    let keys: Vec<[u8; 8]> = (0..KEYS as u64).map(|i| (i << 33).to_le_bytes()).collect();
    let salts: Vec<u32> = (0..KEYS as u32).map(|i| i * 7 & 0xfff).collect();
    let mut output = [[0; 8]; KEYS];
    for kernel in <Des as Keyed>::Kernel::available() {
        let one = best(|| crypt_many_with(kernel, &keys, 0xabc, PASSES, &mut output));
        let each = best(|| crypt_many_salts_with(kernel, &keys, &salts, PASSES, &mut output));
        println!(
            "{:9} {one:5.1} million/s with one salt, {each:5.1} with a salt each",
            kernel.name()
        );
    }
}

/// Returns the number of millions of keys a second in the fastest call.
fn best<E: core::fmt::Debug>(mut call: impl FnMut() -> Result<(), E>) -> f64 {
    let begun = Instant::now();
    let mut least = Duration::MAX;
    while begun.elapsed() < TIME {
        let start = Instant::now();
        call().expect("as many results as keys");
        least = least.min(start.elapsed());
    }
    KEYS as f64 / least.as_secs_f64() / 1e6
}
