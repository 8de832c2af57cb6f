//! Tests properties of DES besides the known answers: its symmetries, its weak keys, and the
//! form with salt and iterations that crypt(3) needs. This form is compared with answers of
//! libxcrypt, and every kernel is compared with the form with tables.

mod fips46;

use std::path::Path;

use proptest::prelude::*;
use touchstone::block::des::crypt::{Crypt, crypt_many_salts_with, crypt_many_with};
use touchstone::block::des::table;
use touchstone::block::{Des, DesEde2, DesEde3};
use touchstone::{BlockDecrypt, BlockEncrypt, DataError, Kernel as _, Keyed};

type Kernel = <Des as Keyed>::Kernel;
use touchstone_vectors::read_tree;

/// The largest number of blocks or keys: more than two groups of the widest kernel.
const MOST: usize = 1100;

fn encrypted<C: Keyed + BlockEncrypt<Block = [u8; 8]>>(
    kernel: C::Kernel,
    key: &[u8],
    mut block: [u8; 8],
) -> [u8; 8] {
    match C::with_kernel(kernel, key) {
        Ok(cipher) => cipher.encrypt_block(&mut block),
        Err(error) => panic!("{error}"),
    }
    block
}

/// Returns numbers without a pattern, which are the same in each run.
fn noise(n: usize) -> Vec<u64> {
    let mut x = 0x9e37_79b9_7f4a_7c15_u64;
    (0..n)
        .map(|_| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x
        })
        .collect()
}

fn noisy_keys(n: usize) -> Vec<[u8; 8]> {
    noise(n).into_iter().map(u64::to_be_bytes).collect()
}

/// Returns the value of a digit of crypt(3).
fn digit(character: u8) -> u32 {
    let digits = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let at = digits.iter().position(|&digit| digit == character);
    at.expect("a digit of crypt(3)") as u32
}

/// Converts digits to a number, the least significant digit first.
fn number(digits: &[u8]) -> u32 {
    digits
        .iter()
        .rev()
        .fold(0, |number, &d| number << 6 | digit(d))
}

/// Converts eleven digits to 64 bits, the most significant digit first.
fn block(digits: &[u8]) -> [u8; 8] {
    assert_eq!(digits.len(), 11);
    let bits = digits
        .iter()
        .fold(0u128, |bits, &d| bits << 6 | u128::from(digit(d)));
    ((bits >> 2) as u64).to_be_bytes()
}

/// Makes a DES key from at most eight characters, each shifted left by one bit.
fn packed(characters: &[u8]) -> [u8; 8] {
    let mut key = [0; 8];
    for (byte, character) in key.iter_mut().zip(characters) {
        *byte = character << 1;
    }
    key
}

#[test]
fn traditional_and_extended_crypt() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/password");
    let mut ran = [0; 2];
    for (path, file) in read_tree(&root).expect("the known answers can be read") {
        for v in file.vectors {
            let place = format!("{}:{} {}", path.display(), v.line, v.name);
            let (key, salt, count, answer) = match v.primitive.as_str() {
                "crypt-des" => {
                    ran[0] += 1;
                    (
                        packed(&v.input),
                        number(&v.output[..2]),
                        25,
                        block(&v.output[2..]),
                    )
                }
                "crypt-des-ext" => {
                    ran[1] += 1;
                    let mut groups = v.input.chunks(8);
                    let mut key = packed(groups.next().unwrap_or_default());
                    for group in groups {
                        Crypt::new(&key.clone(), 0).encrypt(&mut key, 1);
                        let group = packed(group);
                        key = std::array::from_fn(|i| key[i] ^ group[i]);
                    }
                    let (count, salt) = (number(&v.output[1..5]), number(&v.output[5..9]));
                    (key, salt, count, block(&v.output[9..]))
                }
                _ => continue,
            };
            let mut single = [0; 8];
            Crypt::new(&key, salt).encrypt(&mut single, count);
            assert_eq!(single, answer, "{place}");
            Crypt::new(&key, salt).decrypt(&mut single, count);
            assert_eq!(single, [0; 8], "{place}, backwards");
            for kernel in Kernel::available() {
                if count > 1000 && kernel.name() == "portable" {
                    continue;
                }
                let mut many = [[0; 8]; 3];
                crypt_many_with(kernel, &[key; 3], salt, count, &mut many).unwrap();
                assert_eq!(many, [answer; 3], "{place}, {}", kernel.name());
            }
        }
    }
    assert!(ran[0] > 100 && ran[1] > 100, "known answers: {ran:?}");
}

#[test]
fn many_keys_at_every_number() {
    let keys = noisy_keys(MOST);
    for (salt, count) in [(0, 1), (0xabc, 2), (0xfed_cba, 3), (0x800_000, 0)] {
        let wanted: Vec<[u8; 8]> = keys
            .iter()
            .map(|key| {
                let mut block = [0; 8];
                Crypt::new(key, salt).encrypt(&mut block, count);
                block
            })
            .collect();
        for kernel in Kernel::available() {
            for n in 0..=MOST {
                let mut made = vec![[0xff; 8]; n + 1];
                crypt_many_with(kernel, &keys[..n], salt, count, &mut made[..n]).unwrap();
                let at = format!("{} with {n} keys, salt {salt:x}", kernel.name());
                assert_eq!(made[..n], wanted[..n], "{at}");
                assert_eq!(made[n], [0xff; 8], "nothing is written behind, {at}");
            }
        }
    }
}

#[test]
fn many_salts_at_every_number() {
    let keys = noisy_keys(MOST);
    for (bits, count) in [(12, 2), (32, 1)] {
        let salts: Vec<u32> = noise(2 * MOST)[MOST..]
            .iter()
            .map(|n| (n >> (64 - bits)) as u32)
            .collect();
        let wanted: Vec<[u8; 8]> = keys
            .iter()
            .zip(&salts)
            .map(|(key, &salt)| {
                let mut block = [0; 8];
                Crypt::new(key, salt).encrypt(&mut block, count);
                block
            })
            .collect();
        for kernel in Kernel::available() {
            for n in 0..=MOST {
                let mut made = vec![[0xff; 8]; n];
                crypt_many_salts_with(kernel, &keys[..n], &salts[..n], count, &mut made).unwrap();
                assert_eq!(made, wanted[..n], "{} with {n} keys", kernel.name());
            }
        }
    }
}

#[test]
fn as_many_results_as_keys() {
    for kernel in Kernel::available() {
        let error = Err(DataError::OutputLength {
            input: 3,
            output: 2,
        });
        let mut out = [[7; 8]; 2];
        assert_eq!(crypt_many_with(kernel, &[[1; 8]; 3], 0, 1, &mut out), error);
        assert_eq!(
            crypt_many_salts_with(kernel, &[[1; 8]; 3], &[0; 3], 1, &mut out),
            error
        );
        assert_eq!(
            crypt_many_salts_with(kernel, &[[1; 8]; 3], &[0; 2], 1, &mut out),
            error
        );
        assert_eq!(out, [[7; 8]; 2]);
    }
}

proptest! {
    /// Compares the library with code from the text of the standard, which shares no line with
    /// the library.
    #[test]
    fn as_the_standard_tells_it(
        key: [u8; 8],
        block: [u8; 8],
        salt in prop_oneof![Just(0), 0..1u32 << 12, 0..1u32 << 24, any::<u32>()],
        count in 0..4i32,
    ) {
        let plain = fips46::salted(key, 0, 1, block);
        for kernel in Kernel::available() {
            prop_assert_eq!(encrypted::<Des>(kernel, &key, block), plain);
        }
        let wanted = fips46::salted(key, salt, count, block);
        let mut made = block;
        let crypt = Crypt::new(&key, salt);
        crypt.encrypt(&mut made, count.unsigned_abs());
        prop_assert_eq!(made, wanted);
        let wanted = fips46::salted(key, salt, -count, block);
        let mut made = block;
        crypt.decrypt(&mut made, count.unsigned_abs());
        prop_assert_eq!(made, wanted);
        let wanted = fips46::salted(key, salt, count, [0; 8]);
        for kernel in Kernel::available() {
            let mut made = [[0; 8]; 2];
            crypt_many_with(kernel, &[key; 2], salt, count.unsigned_abs(), &mut made).unwrap();
            prop_assert_eq!(made, [wanted; 2]);
        }
    }

    #[test]
    fn complements_go_through(key: [u8; 8], block: [u8; 8], salt: u32, count in 0..5u32) {
        let not = |block: [u8; 8]| block.map(|byte| !byte);
        for kernel in Kernel::available() {
            let plain = encrypted::<Des>(kernel, &key, block);
            prop_assert_eq!(encrypted::<Des>(kernel, &not(key), not(block)), not(plain));
        }
        let (mut a, mut b) = (block, not(block));
        Crypt::new(&key, salt).encrypt(&mut a, count);
        Crypt::new(&not(key), salt).encrypt(&mut b, count);
        if count > 0 {
            prop_assert_eq!(not(a), b);
        }
    }

    #[test]
    fn parity_is_ignored(key: [u8; 24], parity: [bool; 24], block: [u8; 8]) {
        let other: [u8; 24] = std::array::from_fn(|i| key[i] ^ u8::from(parity[i]));
        for kernel in Kernel::available() {
            prop_assert_eq!(
                encrypted::<DesEde3>(kernel, &key, block),
                encrypted::<DesEde3>(kernel, &other, block)
            );
        }
    }

    #[test]
    fn triple_des_is_three_times_des(key: [u8; 24], block: [u8; 8]) {
        for kernel in Kernel::available() {
            let des = |at: usize| Des::with_kernel(kernel, &key[at..at + 8]).ok();
            let (Some(one), Some(two), Some(three)) = (des(0), des(8), des(16)) else {
                unreachable!("the length is right")
            };
            let mut wanted = block;
            one.encrypt_block(&mut wanted);
            two.decrypt_block(&mut wanted);
            let mut wanted2 = wanted;
            three.encrypt_block(&mut wanted);
            one.encrypt_block(&mut wanted2);
            prop_assert_eq!(encrypted::<DesEde3>(kernel, &key, block), wanted);
            prop_assert_eq!(encrypted::<DesEde2>(kernel, &key[..16], block), wanted2);
        }
    }

    #[test]
    fn no_salt_is_des_and_passes_add_up(
        keys: [[u8; 8]; 2],
        block: [u8; 8],
        salt: u32,
        counts: [u8; 2],
    ) {
        let mut crypt = Crypt::new(&keys[0], 0);
        let mut once = block;
        crypt.encrypt(&mut once, 1);
        prop_assert_eq!(once, encrypted::<Des>(Kernel::best(), &keys[0], block));

        crypt.set_salt(salt);
        crypt.set_key(&keys[1]);
        let [n, m] = counts.map(|count| u32::from(count % 8));
        let mut pieces = block;
        crypt.encrypt(&mut pieces, n);
        crypt.encrypt(&mut pieces, m);
        let mut whole = block;
        Crypt::new(&keys[1], salt | 0xab00_0000).encrypt(&mut whole, n + m);
        prop_assert_eq!(pieces, whole, "high bits of a salt are ignored");
        crypt.decrypt(&mut whole, n + m);
        prop_assert_eq!(whole, block);
    }

    #[test]
    fn tables_agree(key: [u8; 24], mut blocks: Vec<[u8; 8]>) {
        let original = blocks.clone();
        let mut wanted = blocks.clone();
        let tables = table::DesEde3::from_slice(&key).unwrap();
        tables.encrypt_blocks(blocks.as_mut_slice().into());
        DesEde3::from_slice(&key).unwrap().encrypt_blocks(wanted.as_mut_slice().into());
        prop_assert_eq!(&blocks, &wanted);
        tables.decrypt_blocks(blocks.as_mut_slice().into());
        prop_assert_eq!(&blocks, &original);
        if let Some(&block) = blocks.first() {
            let mut given = block;
            table::Des::from_slice(&key[..8]).unwrap().encrypt_block(&mut given);
            prop_assert_eq!(given, encrypted::<Des>(Kernel::best(), &key[..8], block));
            let mut given = block;
            table::DesEde2::from_slice(&key[..16]).unwrap().encrypt_block(&mut given);
            prop_assert_eq!(given, encrypted::<DesEde2>(Kernel::best(), &key[..16], block));
        }
    }
}

/// Computes the test of R. Rivest, "Testing Implementations of DES", 1985. The test starts with
/// one block of 8 bytes and takes sixteen steps. Each step encrypts or decrypts the block, in
/// turn, with the block itself as the key. The output of a step is the block of the next step.
/// The result after sixteen steps is known. Nearly every mistake in an implementation of DES
/// gives another result.
#[test]
fn rivests_chain() {
    const START: u64 = 0x9474_b8e8_c73b_ca7d;
    const END: u64 = 0x1b1a_2ddb_4c64_2438;
    fn chain<C: Keyed + BlockEncrypt<Block = [u8; 8]> + BlockDecrypt>(kernel: C::Kernel) -> u64 {
        let mut block = START.to_be_bytes();
        for step in 0..16 {
            let cipher = C::with_kernel(kernel, &block).expect("a key of 8 bytes");
            if step % 2 == 0 {
                cipher.encrypt_block(&mut block);
            } else {
                cipher.decrypt_block(&mut block);
            }
        }
        u64::from_be_bytes(block)
    }
    for kernel in Kernel::available() {
        assert_eq!(chain::<Des>(kernel), END, "{}", kernel.name());
    }
    assert_eq!(chain::<table::Des>(table::Kernel), END, "tables");
}

/// Computes the Monte Carlo test of NIST SP 800-17 (ECB). No package has published answers for
/// this test. So the test compares the results of all kernels, and of the form with tables,
/// with each other.
#[test]
fn monte_carlo() {
    fn run(encrypt: &dyn Fn(&[u8; 8], &mut [u8; 8])) -> ([u8; 8], [u8; 8]) {
        let (mut key, mut block) = (*b"\x01#Eg\x89\xab\xcd\xef", *b"Now is t");
        for _ in 0..3 {
            for _ in 0..10_000 {
                encrypt(&key, &mut block);
            }
            key = std::array::from_fn(|i| key[i] ^ block[i]);
        }
        (key, block)
    }
    let wanted = run(&|key, block| table::Des::from_slice(key).unwrap().encrypt_block(block));
    for kernel in Kernel::available() {
        let made = run(&|key, block| *block = encrypted::<Des>(kernel, key, *block));
        assert_eq!(made, wanted, "{}", kernel.name());
    }
}

/// The weak keys and the pairs of semi-weak keys of SP 800-67, section 3.3.2.
const WEAK: [u64; 4] = [
    0x0101_0101_0101_0101,
    0xfefe_fefe_fefe_fefe,
    0xe0e0_e0e0_f1f1_f1f1,
    0x1f1f_1f1f_0e0e_0e0e,
];
const SEMI_WEAK: [[u64; 2]; 6] = [
    [0x011f_011f_010e_010e, 0x1f01_1f01_0e01_0e01],
    [0x01e0_01e0_01f1_01f1, 0xe001_e001_f101_f101],
    [0x01fe_01fe_01fe_01fe, 0xfe01_fe01_fe01_fe01],
    [0x1fe0_1fe0_0ef1_0ef1, 0xe01f_e01f_f10e_f10e],
    [0x1ffe_1ffe_0efe_0efe, 0xfe1f_fe1f_fe0e_fe0e],
    [0xe0fe_e0fe_f1fe_f1fe, 0xfee0_fee0_fef1_fef1],
];

#[test]
fn weak_keys_undo_each_other() {
    let pairs = WEAK.iter().map(|&key| [key, key]).chain(SEMI_WEAK);
    for [a, b] in pairs {
        for kernel in Kernel::available() {
            let there = encrypted::<Des>(kernel, &a.to_be_bytes(), *b"any data");
            let back = encrypted::<Des>(kernel, &b.to_be_bytes(), there);
            assert_eq!(&back, b"any data", "{a:x} {b:x}");
        }
        for key in [a, b] {
            assert!(Des::is_weak(&key.to_be_bytes()));
            assert!(Des::is_weak(&(key ^ 0x0100_0101_0001_0100).to_be_bytes()));
            assert!(!Des::is_weak(&(key ^ 0x1000).to_be_bytes()));
        }
    }
    assert!(
        noise(1000)
            .iter()
            .all(|key| !Des::is_weak(&key.to_be_bytes()))
    );
}

#[test]
fn weak_bundles() {
    let key = b"each of these keys is ok";
    let (two, _) = key.split_first_chunk().unwrap();
    assert!(!DesEde3::is_weak(key));
    assert!(!DesEde2::is_weak(two));
    assert!(DesEde2::is_weak(b"12345678\x3023456\x379"));
    assert!(DesEde3::is_weak(b"12345678abcdefghabcdefgh"));
    assert!(!DesEde3::is_weak(b"12345678abcdefgh12345678"), "two keys");
    assert!(DesEde3::is_weak(
        b"12345678abcdefgh\x01\x01\x01\x01\x01\x01\x01\x01"
    ));
}
