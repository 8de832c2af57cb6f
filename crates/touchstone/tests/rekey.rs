//! Tests that an object with a replaced key computes the same as a new object, in every kernel.
//! Tests that a key of a wrong length changes nothing.

use touchstone::aead::Gmac;
use touchstone::aead::{
    Aegis128L, Aes128Ccm, Aes128Eax, Aes128Gcm, Aes128GcmSiv, Aes128Ocb, Aes128Siv, Aes192Gcm,
    Aes256Ocb, AsconAead128, ChaCha20Poly1305, Phelix,
};
use touchstone::block::*;
use touchstone::hidden::AeadEngine as Aead;
use touchstone::mac::{CbcMac, Cmac, GostMac, Omac2, RetailMac};
use touchstone::mode::{KeyWrap, Xts};
use touchstone::{FusedDecrypt, FusedEncrypt, Kernel, Keyed, Mac};

fn painted(length: usize, seed: u8) -> Vec<u8> {
    (0..length)
        .map(|i| (i as u8).wrapping_mul(7) ^ seed)
        .collect()
}

/// Compares the `outcome` of an object that had another key, or that refused another key, with
/// the `outcome` of a new object.
fn same<C: Keyed>(outcome: impl Fn(&mut C) -> Vec<u8>) {
    let set_up = |kernel, key: &[u8]| match C::with_kernel(kernel, key) {
        Ok(object) => object,
        Err(error) => panic!("{error}"),
    };
    let lengths = C::KEY_LENGTHS;
    for kernel in C::Kernel::available() {
        for length in [lengths.min, lengths.max] {
            let key = painted(length, 0x3b);
            let wanted = outcome(&mut set_up(kernel, &key));
            let mut given = set_up(kernel, &painted(lengths.max, 0xc4));
            assert_ne!(outcome(&mut given), wanted, "{}", kernel.name());
            assert_eq!(given.rekey(&key), Ok(()));
            assert!(given.rekey(&painted(lengths.max + 1, 5)).is_err());
            assert_eq!(outcome(&mut given), wanted, "{}", kernel.name());
            assert_eq!(given.kernel(), kernel.name());
        }
    }
}

/// Encrypts forty blocks: wide groups and remaining blocks.
fn forwards<C: FusedEncrypt>(cipher: &C) -> Vec<u8> {
    let mut data = painted(40 * C::Block::SIZE, 9);
    cipher.encrypt_blocks(C::Block::split(data.as_mut_slice().into()).0);
    data
}

fn backwards<C: FusedDecrypt>(cipher: &C) -> Vec<u8> {
    let mut data = painted(40 * C::Block::SIZE, 9);
    cipher.decrypt_blocks(C::Block::split(data.as_mut_slice().into()).0);
    data
}

fn both<C: Keyed + FusedEncrypt + FusedDecrypt>() {
    same::<C>(|cipher| [forwards(cipher), backwards(cipher)].concat());
}

fn one<C: Keyed + FusedEncrypt>() {
    same::<C>(|cipher| forwards(cipher));
}

fn other<C: Keyed + FusedDecrypt>() {
    same::<C>(|cipher| backwards(cipher));
}

#[test]
fn block_ciphers() {
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $E:ty, $D:ty $(, $what:tt: $value:expr)?;)*) => {$(
            $(#[$cfg])*
            {
                one::<$E>();
                other::<$D>();
            }
        )*};
    }
    touchstone::block::block_ciphers!(each!);
    touchstone::block::tweakable_ciphers!(each!);
    // These ciphers have one type for both directions.
    both::<Aes128>();
    both::<Aes192>();
    both::<Aes256>();
    both::<Anubis>();
    both::<Aria128>();
    both::<Aria256>();
    both::<Idea>();
    both::<Kuznyechik>();
}

fn sealed<A: Keyed + Aead>(nonce_length: usize) {
    same::<A>(|mode| {
        let mut data = painted(2000, 77);
        let mut tag = [0; 16];
        for (nonce, length) in [(1, 16), (2, 200), (3, 2000)] {
            let header = painted(length / 3, 5);
            let data = &mut data[..length];
            assert_eq!(
                mode.encrypt(&vec![nonce; nonce_length], &header, data, &mut tag),
                Ok(())
            );
        }
        data.extend(tag);
        data
    });
}

fn authenticated<M: Keyed + Mac>() {
    same::<M>(|mac| {
        // A new key discards the pieces that the object took with the old key.
        let mut macs = mac.mac(&painted(100, 3)).as_ref().to_vec();
        mac.update(&painted(33, 4));
        macs.extend(mac.finalize().as_ref());
        mac.update(&painted(33, 4));
        macs
    });
}

#[test]
fn modes() {
    sealed::<Aes128Gcm>(12);
    sealed::<Aes192Gcm>(12);
    sealed::<Aes128Ccm>(12);
    sealed::<Aes128Eax>(12);
    sealed::<Aes128Ocb>(12);
    sealed::<Aes256Ocb>(12);
    sealed::<Aes128Siv>(12);
    sealed::<Aes128GcmSiv>(12);
    sealed::<ChaCha20Poly1305>(12);
    sealed::<Aegis128L>(16);
    sealed::<AsconAead128>(16);
    sealed::<Phelix>(16);
    authenticated::<Cmac<Aes128Encrypt>>();
    authenticated::<Omac2<Des>>();
    authenticated::<CbcMac<Aes128Encrypt>>();
    authenticated::<RetailMac<Des>>();
    authenticated::<GostMac<'_>>();
    same::<Gmac<Aes128Encrypt>>(|mac| {
        let mut tag = [0; 16];
        assert_eq!(mac.mac_into(&[8; 12], &painted(1000, 2), &mut tag), Ok(()));
        tag.to_vec()
    });
    same::<Xts<Aes128>>(|mode| {
        let mut data = painted(333, 6);
        assert_eq!(mode.encrypt(&[1; 16], &mut data), Ok(()));
        data
    });
    same::<Aes256>(|cipher| {
        let mut wrapped = vec![0; 40];
        let wrap = KeyWrap::new(&*cipher);
        assert_eq!(wrap.wrap_into(&painted(32, 1), &mut wrapped), Ok(()));
        wrapped
    });
}
