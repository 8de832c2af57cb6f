//! Compares checksums with the check values of Greg Cook's catalogue of parametrised CRC
//! algorithms and of RFC 1950, and with their definitions bit by bit, for every length and
//! every cut.

mod common;

use common::painted;
use touchstone::checksum::{Adler32, Crc24, Crc32, Crc32c, Crc64, Crc64Ecma, Crc64We};

#[test]
fn check_values() {
    let check = b"123456789";
    assert_eq!(Crc24::digest(check), 0x21_cf02);
    assert_eq!(Crc32::digest(check), 0xcbf4_3926);
    assert_eq!(Crc32c::digest(check), 0xe306_9283);
    assert_eq!(Crc64::digest(check), 0x995d_c9bb_df19_39fa);
    assert_eq!(Crc64Ecma::digest(check), 0x6c40_df5f_0b49_7347);
    assert_eq!(Crc64We::digest(check), 0x62ec_59e3_f1a4_f00a);
    assert_eq!(Adler32::digest(check), 0x091e_01de);
}

/// Computes a CRC by division, one bit at a time. The highest power is first.
fn by_bits(data: &[u8], width: u32, polynomial: u64, ones: bool, reflected: bool) -> u64 {
    let mask = u64::MAX >> (64 - width);
    let mut rest = if ones { mask } else { 0 };
    if width == 24 {
        rest = 0xb7_04ce;
    }
    for byte in data {
        let byte = if reflected {
            byte.reverse_bits()
        } else {
            *byte
        };
        rest ^= u64::from(byte) << (width - 8);
        for _ in 0..8 {
            let carry = rest >> (width - 1) & 1 == 1;
            rest = (rest << 1 & mask) ^ if carry { polynomial } else { 0 };
        }
    }
    if reflected {
        rest = rest.reverse_bits() >> (64 - width);
    }
    if ones { rest ^ mask } else { rest }
}

fn adler(data: &[u8]) -> u32 {
    let (mut a, mut b) = (1, 0);
    for byte in data {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    b << 16 | a
}

#[test]
fn every_length_and_cut() {
    let data = painted(1500);
    for n in (0..600).chain([1000, 1023, 1024, 1025, 1500]) {
        let data = &data[..n];
        let cut = n * 3 / 7;
        macro_rules! check {
            ($Checksum:ident, $right:expr) => {
                let right = $right;
                assert_eq!($Checksum::digest(data), right, "{n}");
                let mut sum = $Checksum::new();
                sum.update(&data[..cut]);
                sum.update(&data[cut..]);
                assert_eq!(sum.finalize(), right, "{n}, cut at {cut}");
            };
        }
        check!(Crc24, by_bits(data, 24, 0x86_4cfb, false, false) as u32);
        check!(Crc32, by_bits(data, 32, 0x04c1_1db7, true, true) as u32);
        check!(Crc32c, by_bits(data, 32, 0x1edc_6f41, true, true) as u32);
        check!(Crc64, by_bits(data, 64, 0x42f0_e1eb_a9ea_3693, true, true));
        check!(
            Crc64Ecma,
            by_bits(data, 64, 0x42f0_e1eb_a9ea_3693, false, false)
        );
        check!(
            Crc64We,
            by_bits(data, 64, 0x42f0_e1eb_a9ea_3693, true, false)
        );
        check!(Adler32, adler(data));
    }
}
