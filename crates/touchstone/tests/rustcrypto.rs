//! The traits of other crates, used as their own users do.
#![cfg(feature = "rustcrypto")]

use cipher::{Block, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use digest::Digest;
use touchstone::block::{Aes128, Aes128Encrypt, Des};
use touchstone::hash::Sha256;

#[test]
fn ciphers_by_their_traits() {
    let cipher = Aes128::new(&[7; 16].into());
    let mut blocks: Vec<Block<Aes128>> = (0..77).map(|i| [i; 16].into()).collect();
    cipher.encrypt_blocks(&mut blocks);

    let one_way = Aes128Encrypt::new(&[7; 16].into());
    let mut block = [76; 16].into();
    one_way.encrypt_block(&mut block);
    assert_eq!(blocks[76], block);

    cipher.decrypt_blocks(&mut blocks);
    assert!((0..77).all(|i| blocks[usize::from(i)] == [i; 16]));
}

#[test]
fn blocks_of_eight_bytes_by_their_traits() {
    let cipher = Des::new(&[7; 8].into());
    let mut blocks: Vec<Block<Des>> = (0..1100u16).map(|i| [i as u8; 8].into()).collect();
    cipher.encrypt_blocks(&mut blocks);
    assert_eq!(blocks[3], blocks[3 + 1024]);
    let mut block = [3; 8].into();
    cipher.encrypt_block(&mut block);
    assert_eq!(blocks[3], block);
    cipher.decrypt_blocks(&mut blocks);
    assert!((0..1100).all(|i| blocks[i] == [i as u8; 8]));
}

#[test]
fn hashes_by_their_traits() {
    let mut hash = Sha256::new();
    Digest::update(&mut hash, b"a");
    Digest::update(&mut hash, b"bc");
    let first = hash.finalize_reset();
    assert_eq!(first, <Sha256 as Digest>::digest(b"abc"));
    assert_eq!(first[..4], [0xba, 0x78, 0x16, 0xbf]);
    let empty = Digest::finalize(hash);
    assert_eq!(empty[..4], [0xe3, 0xb0, 0xc4, 0x42]);
}

#[test]
fn authenticated_encryption_by_its_traits() {
    fn with(msg: &[u8]) -> aead::Payload<'_, '_> {
        aead::Payload {
            msg,
            aad: b"header",
        }
    }
    fn there_and_back<A: aead::Aead + aead::KeyInit>() {
        let mode = A::new(&Default::default());
        let nonce = Default::default();
        let mut sealed = mode.encrypt(&nonce, with(b"Attack at dawn")).unwrap();
        assert_eq!(sealed.len(), 14 + 16);
        let opened = mode.decrypt(&nonce, with(&sealed)).unwrap();
        assert_eq!(opened, b"Attack at dawn");
        sealed[0] ^= 1;
        assert!(mode.decrypt(&nonce, with(&sealed)).is_err());
    }
    there_and_back::<touchstone::aead::Aes128Gcm>();
    there_and_back::<touchstone::aead::Aes192Ccm>();
    there_and_back::<touchstone::aead::Aes256Eax>();
    there_and_back::<touchstone::aead::Aes128Ocb>();
    there_and_back::<touchstone::aead::Aes256Siv>();
    there_and_back::<touchstone::aead::Aes256GcmSiv>();
}

/// Apart from the rest, since both crates have a `new`.
mod every_cipher {
    use cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
    use touchstone::block::*;
    use touchstone::mode::Ecb;
    use touchstone::{BlockDecrypt, BlockEncrypt, Keyed};

    /// Every cipher by the traits against itself without them, by the key that the type
    /// has and by keys of all lengths.
    #[test]
    fn every_cipher_by_the_traits() {
        fn run<C>()
        where
            C: Keyed + BlockEncrypt + BlockDecrypt,
            C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt,
        {
            let size = <C::Block as Block>::SIZE;
            assert_eq!(<C as cipher::BlockSizeUser>::block_size(), size);
            let bytes: Vec<u8> = (0..=255).collect();
            for length in 0..=bytes.len() {
                let taken = <C as KeyInit>::new_from_slice(&bytes[..length]);
                assert_eq!(taken.is_ok(), C::KEY_LENGTHS.contains(length));
            }
            let key = &bytes[..<C as cipher::KeySizeUser>::key_size()];
            let Ok(own) = <C as Keyed>::from_slice(key) else {
                panic!("the type's length is one that it takes")
            };
            let traits = <C as KeyInit>::new(key.try_into().expect("its length"));
            for blocks in [1, 3, 200] {
                let data: Vec<u8> = (0..size * blocks).map(|i| (i * 7) as u8).collect();
                let mut wanted = data.clone();
                Ecb::new(&own).encrypt(&mut wanted).expect("whole blocks");
                let (given, rest) = cipher::Block::<C>::slice_as_chunks(&data);
                assert!(rest.is_empty());
                let mut out = given.to_vec();
                BlockCipherEncrypt::encrypt_blocks(&traits, &mut out);
                assert_eq!(out.iter().flatten().copied().collect::<Vec<u8>>(), wanted);
                BlockCipherDecrypt::decrypt_blocks(&traits, &mut out);
                assert_eq!(out, given);
            }
        }
        run::<Aes256>();
        run::<Anubis>();
        run::<AnubisOriginal>();
        run::<Aria192>();
        run::<Blowfish>();
        run::<Camellia128>();
        run::<Cast5>();
        run::<Des>();
        run::<DesEde3>();
        run::<Gost28147<'static>>();
        run::<Idea>();
        run::<Kuznyechik>();
        run::<Magma>();
        run::<Rc2>();
        run::<Rc5>();
        run::<Seed>();
        run::<Serpent>();
        run::<Shacal2>();
        run::<Sm4>();
        run::<Tea>();
        run::<Twofish>();
        run::<Xtea>();
    }
}
