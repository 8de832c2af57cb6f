//! Tests the traits of other crates in the way in which programs use these traits.
#![cfg(feature = "rustcrypto")]

use cipher::{Block, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use digest::Digest;
use touchstone::block::{Aes128, Aes128Encrypt, Des};
use touchstone::hash::Sha256;

#[test]
fn ciphers_by_their_traits() {
    let cipher = <Aes128 as KeyInit>::new(&[7; 16].into());
    let mut blocks: Vec<Block<Aes128>> = (0..77).map(|i| [i; 16].into()).collect();
    cipher.encrypt_blocks(&mut blocks);

    let one_way = <Aes128Encrypt as KeyInit>::new(&[7; 16].into());
    let mut block = [76; 16].into();
    one_way.encrypt_block(&mut block);
    assert_eq!(blocks[76], block);

    cipher.decrypt_blocks(&mut blocks);
    assert!((0..77).all(|i| blocks[usize::from(i)] == [i; 16]));
}

#[test]
fn blocks_of_eight_bytes_by_their_traits() {
    let cipher = <Des as KeyInit>::new(&[7; 8].into());
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

/// A program that imports the traits of both crates. The methods of the types themselves are
/// never ambiguous.
#[allow(
    unused_imports,
    reason = "a trait whose calls all give way to those of the types is not used"
)]
mod both_sets_of_traits {
    use aead::KeyInit;
    use cipher::{StreamCipher as _, StreamCipherSeek as _};
    use digest::{Digest as _, Mac as _};
    use touchstone::aead::{
        Aes128Ccm, Aes128Eax, Aes128Gcm, Aes128GcmSiv, Aes128Ocb, Aes128Siv, Gmac, WithLengths,
    };
    use touchstone::block::*;
    use touchstone::hash::Sha256;
    use touchstone::mac::*;
    use touchstone::mode::{Ctr, Xts};
    use touchstone::prelude::*;

    #[test]
    fn new_is_the_call_of_the_type() {
        /// Compares the method of the type, the method of this crate's trait, and the method of
        /// the other crate's trait.
        macro_rules! same {
            ($($Type:ty, $length:literal;)*) => {$(
                let key = [0x42; $length];
                let _: $Type = <$Type>::new(&key);
                let _ = (<$Type as FixedKey>::new(&key), <$Type>::from_slice(&key).unwrap());
            )*};
        }
        same! {
            Aes128, 16; Aes192, 24; Aes256, 32; Aes256Encrypt, 32; Aes256Decrypt, 32;
            Aria128, 16; Aria256Encrypt, 32; Camellia192, 24; Des, 8; DesEde2, 16; DesEde3, 24;
            Magma, 32; Idea, 16; IdeaEncrypt, 16; Kuznyechik, 32; Seed, 16; Sm4, 16; Tea, 16;
            Xtea, 16; Threefish256, 32;
            Aes128Gcm, 16; Aes128Ccm, 16; Aes128Eax, 16; Aes128Ocb, 16; Aes128Siv, 32;
            Aes128GcmSiv, 16; Gmac<Aes128Encrypt>, 16; WithLengths<Aes128Ccm, 12, 8>, 16;
            Cmac<Aes128>, 16; CbcMac<Aes128>, 16; Dmac<Aes128>, 32; RetailMac<Des>, 16;
            Pmac<Aes128>, 16; GostMac<'_>, 32; Xts<Aes128, Aes128Encrypt>, 32;
        }
        let by_trait = <Aes128 as KeyInit>::new(&[0x42; 16].into());
        let (mut a, mut b) = ([1; 16], [1; 16]);
        touchstone::BlockEncrypt::encrypt_block(&by_trait, &mut a);
        touchstone::BlockEncrypt::encrypt_block(&Aes128::new(&[0x42; 16]), &mut b);
        assert_eq!(a, b);
    }

    #[test]
    fn so_are_the_calls_of_hashes_and_counter_mode() {
        let mut hash = Sha256::new();
        hash.update(b"abc");
        assert_eq!(hash.finalize(), Sha256::digest(b"abc"));

        let (mut whole, mut part) = ([0; 40], [0; 9]);
        let mut ctr = Ctr::new(Aes128::new(&[0x42; 16]), &[7; 16]);
        ctr.apply(&mut whole);
        ctr.seek(31);
        ctr.apply(&mut part);
        assert_eq!(part, whole[31..]);
    }
}

/// The test is in a module of its own, because the traits of both crates have a function `new`.
mod every_cipher {
    use cipher::{BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, KeyInit, KeySizeUser};
    use touchstone::block::*;
    use touchstone::mode::Ecb;
    use touchstone::{BlockDecrypt, BlockEncrypt, Keyed};

    /// Compares a cipher through the traits with the same cipher without the traits, for the
    /// key length of the type and for keys of all lengths.
    fn check<E, D>()
    where
        E: Keyed + BlockEncrypt + KeyInit + BlockCipherEncrypt,
        D: Keyed + BlockDecrypt<Block = E::Block> + KeyInit,
        D: BlockCipherDecrypt<BlockSize = <E as BlockSizeUser>::BlockSize>,
        D: KeySizeUser<KeySize = <E as KeySizeUser>::KeySize>,
    {
        let size = <E::Block as Block>::SIZE;
        assert_eq!(<E as BlockSizeUser>::block_size(), size);
        let bytes: Vec<u8> = (0..=255).collect();
        for length in 0..=bytes.len() {
            let taken = <E as KeyInit>::new_from_slice(&bytes[..length]);
            assert_eq!(taken.is_ok(), E::KEY_LENGTHS.contains(length));
            let taken = <D as KeyInit>::new_from_slice(&bytes[..length]);
            assert_eq!(taken.is_ok(), D::KEY_LENGTHS.contains(length));
        }
        let key = &bytes[..<E as KeySizeUser>::key_size()];
        let own = <E as KeyInit>::new_from_slice(key).expect("the type's length is taken");
        let forward = <E as KeyInit>::new(key.try_into().expect("its length"));
        let backward = <D as KeyInit>::new(key.try_into().expect("its length"));
        for blocks in [1, 3, 200, 600] {
            let data: Vec<u8> = (0..size * blocks).map(|i| (i * 7) as u8).collect();
            let mut wanted = data.clone();
            Ecb::new(&own).encrypt(&mut wanted).expect("whole blocks");
            let (given, rest) = cipher::Block::<E>::slice_as_chunks(&data);
            assert!(rest.is_empty());
            let mut out = given.to_vec();
            BlockCipherEncrypt::encrypt_blocks(&forward, &mut out);
            assert_eq!(out.iter().flatten().copied().collect::<Vec<u8>>(), wanted);
            BlockCipherDecrypt::decrypt_blocks(&backward, &mut out);
            assert_eq!(out, given);
            BlockCipherEncrypt::encrypt_block(&forward, &mut out[0]);
            assert_eq!(&out[0][..], &wanted[..size]);
            BlockCipherDecrypt::decrypt_block(&backward, &mut out[0]);
            assert_eq!(out, given);
        }
    }

    macro_rules! rows {
        ($($(#[$cfg:meta])* $id:literal = $E:ident, $D:ident $(, $k:tt: $v:expr)?;)*) => {
            /// Checks that every cipher of the list has the traits: a cipher without them would
            /// not compile.
            #[test]
            fn every_cipher_of_the_list() {
                $($(#[$cfg])* check::<$E, $D>();)*
            }
        };
    }
    touchstone::block::block_ciphers!(rows!);

    #[test]
    fn ciphers_in_both_directions() {
        check::<Aes256, Aes256>();
        check::<Anubis, Anubis>();
        check::<Aria192, Aria192>();
        check::<Idea, Idea>();
        check::<Kuznyechik, Kuznyechik>();
    }

    /// Checks that `new` accepts the same key length as RustCrypto's crate.
    #[test]
    fn keys_are_as_long_as_in_their_crates() {
        macro_rules! same {
            ($($own:ty, $theirs:ty;)*) => {$(
                assert_eq!(
                    <$own as KeySizeUser>::key_size(),
                    <$theirs as KeySizeUser>::key_size(),
                    stringify!($own)
                );
            )*};
        }
        same! {
            Aes192, ::aes::Aes192;
            Aria256, ::aria::Aria256;
            Blowfish, ::blowfish::Blowfish;
            Camellia192, ::camellia::Camellia192;
            Cast5, ::cast5::Cast5;
            Des, ::des::Des;
            DesEde2, ::des::TdesEde2;
            DesEde3, ::des::TdesEde3;
            Idea, ::idea::Idea;
            Kuznyechik, ::kuznyechik::Kuznyechik;
            Magma, ::magma::Magma;
            Rc2, ::rc2::Rc2;
            Serpent, ::serpent::Serpent;
            Sm4, ::sm4::Sm4;
            Twofish, ::twofish::Twofish;
            Xtea, ::xtea::Xtea;
        }
    }
}

mod every_hash {
    use digest::common::{BlockSizeUser, KeyInit};
    use digest::{Digest, Mac};
    use hmac::EagerHash;
    use touchstone::HashFunction;
    use touchstone::hash::*;

    fn message() -> Vec<u8> {
        (0..1000).map(|i| (i * 7) as u8).collect()
    }

    fn check<H: HashFunction + Digest + digest::FixedOutputReset + digest::DynDigest>() {
        let message = message();
        for length in [0, 1, 55, 64, 127, 128, 200, 1000] {
            let wanted = <H as HashFunction>::digest(&message[..length]);
            let mut hash = <H as Digest>::new();
            for piece in message[..length].chunks(77) {
                Digest::update(&mut hash, piece);
            }
            let reset = Digest::finalize_reset(&mut hash);
            assert_eq!(reset.as_slice(), wanted.as_ref());
            Digest::update(&mut hash, &message[..length]);
            assert_eq!(Digest::finalize(hash).as_slice(), wanted.as_ref());
        }
    }

    /// Compares RustCrypto's HMAC over a hash function with this crate's HMAC.
    fn check_hmac<H: HashFunction + EagerHash>()
    where
        touchstone::mac::Hmac<H>: KeyInit + Mac,
    {
        let message = message();
        let block = <H as BlockSizeUser>::block_size();
        for key in [0, 1, block - 1, block, block + 1, 300] {
            for length in [0, 1, block - 1, block, block + 1, 3 * block, 700] {
                let key = &message[..key];
                let mut theirs = <hmac::Hmac<H> as KeyInit>::new_from_slice(key).unwrap();
                let mut ours = <touchstone::mac::Hmac<H> as KeyInit>::new_from_slice(key).unwrap();
                for piece in message[..length].chunks(50) {
                    Mac::update(&mut theirs, piece);
                    Mac::update(&mut ours, piece);
                }
                assert_eq!(
                    Mac::finalize(theirs).into_bytes()[..],
                    Mac::finalize(ours).into_bytes()[..]
                );
            }
        }
    }

    macro_rules! rows {
        ($($(#[$cfg:meta])* $id:literal = $Hash:ident;)*) => {
            #[test]
            fn every_hash_of_the_list() {
                $($(#[$cfg])* check::<$Hash>();)*
            }

            #[test]
            fn hmac_over_every_hash_of_the_list() {
                $($(#[$cfg])* check_hmac::<$Hash>();)*
            }
        };
    }
    touchstone::hash::hashes!(rows!);

    macro_rules! long {
        ($($(#[$cfg:meta])* $id:literal = $Hash:ident;)*) => {
            #[test]
            fn every_hash_that_hmac_does_not_use() {
                $($(#[$cfg])* check::<$Hash>();)*
            }
        };
    }
    touchstone::hash::long_hashes!(long!);

    macro_rules! xofs {
        ($($(#[$cfg:meta])* $id:literal = $Xof:ident;)*) => {
            #[test]
            fn every_extendable_output_function() {
                use digest::{ExtendableOutput, ExtendableOutputReset, Update, XofReader};
                let message = message();
                $($(#[$cfg])* {
                    let mut wanted = [0; 500];
                    <$Xof as touchstone::Xof>::squeeze_into(&message, &mut wanted);
                    let mut xof = <$Xof>::default();
                    Update::update(&mut xof, &message[..123]);
                    Update::update(&mut xof, &message[123..]);
                    let mut output = [0; 500];
                    let mut reader = xof.finalize_xof_reset();
                    let (first, rest) = output.split_at_mut(77);
                    reader.read(first);
                    reader.read(rest);
                    assert_eq!(output, wanted, $id);
                    Update::update(&mut xof, &message);
                    ExtendableOutput::finalize_xof_into(xof, &mut output);
                    assert_eq!(output, wanted, $id);
                })*
            }
        };
    }
    touchstone::hash::xofs!(xofs!);

    #[test]
    fn key_derivation_as_with_sha2() {
        let (mut ours, mut theirs) = ([0; 100], [0; 100]);
        hkdf::Hkdf::<Sha256>::new(Some(b"salt"), b"key")
            .expand(b"info", &mut ours)
            .unwrap();
        hkdf::Hkdf::<sha2::Sha256>::new(Some(b"salt"), b"key")
            .expand(b"info", &mut theirs)
            .unwrap();
        assert_eq!(ours, theirs);
        pbkdf2::pbkdf2_hmac::<Sha512>(b"password", b"salt", 10, &mut ours);
        pbkdf2::pbkdf2_hmac::<sha2::Sha512>(b"password", b"salt", 10, &mut theirs);
        assert_eq!(ours, theirs);
    }
}

mod derivation {
    use kdf::{Kdf, Pbkdf};
    use touchstone::hash::{Sha1, Sha256};
    use touchstone::kdf::{counted, s2k, sp800_108};
    use touchstone::mac::{Cmac, Hmac};
    use touchstone::rustcrypto::kdf as by_trait;

    const SECRET: [u8; 16] = *b"a secret or word";

    /// Calls the function by its trait and compares the key with the wanted key.
    fn derives(function: &dyn Kdf, other: &[u8], wanted: &[u8; 40]) {
        let mut key = [0; 40];
        function.derive_key(&SECRET, other, &mut key).unwrap();
        assert_eq!(&key, wanted);
    }

    /// Returns the key that `function` writes.
    fn key<E: std::fmt::Debug>(function: impl FnOnce(&mut [u8]) -> Result<(), E>) -> [u8; 40] {
        let mut key = [0; 40];
        function(&mut key).unwrap();
        key
    }

    #[test]
    fn keys_from_keys() {
        type H = Sha256;
        let wanted = key(|key| touchstone::kdf::hkdf::<H>(&SECRET, b"salt", b"info", key));
        derives(&by_trait::Hkdf::<H>::new(b"salt"), b"info", &wanted);
        derives(
            &hkdf::HkdfExtract::<H>::new(Some(b"salt")),
            b"info",
            &wanted,
        );
        let wanted = key(|key| counted::kdf1::<H>(&SECRET, b"info", key));
        derives(&by_trait::Kdf1::<H>::new(), b"info", &wanted);
        let wanted = key(|key| counted::kdf2::<H>(&SECRET, b"info", key));
        derives(&by_trait::Kdf2::<H>::new(), b"info", &wanted);
        let wanted = key(|key| counted::kdf3::<H>(&SECRET, b"info", key));
        derives(&by_trait::Kdf3::<H>::new(), b"info", &wanted);

        type M = Cmac<touchstone::block::Aes128>;
        let wanted = key(|key| sp800_108::counter_mode::<M>(&SECRET, b"label", b"info", key));
        derives(&by_trait::CounterMode::<M>::new(b"label"), b"info", &wanted);
        let wanted =
            key(|key| sp800_108::feedback_mode::<M>(&SECRET, b"iv", b"label", b"info", key));
        derives(
            &by_trait::FeedbackMode::<M>::new(b"iv", b"label"),
            b"info",
            &wanted,
        );
        let wanted =
            key(|key| sp800_108::double_pipeline_mode::<M>(&SECRET, b"label", b"info", key));
        derives(
            &by_trait::DoublePipelineMode::<M>::new(b"label"),
            b"info",
            &wanted,
        );
    }

    #[test]
    fn keys_from_passwords() {
        fn from_password(function: &impl Pbkdf, wanted: &[u8; 40]) {
            derives(function, b"8 bytes.", wanted);
        }
        let salt = b"8 bytes.";
        type M = Hmac<Sha1>;
        let wanted = key(|key| touchstone::kdf::pbkdf2::<M>(&SECRET, salt, 5, key));
        from_password(&by_trait::Pbkdf2::<M>::new(5), &wanted);
        type L = touchstone::hash::Sha512;
        let wanted = key(|key| touchstone::kdf::pbkdf1::<L>(&SECRET, salt, 5, key));
        from_password(&by_trait::Pbkdf1::<L>::new(5), &wanted);
        let mut wanted = [0; 40];
        s2k::salted::<Sha1>(&SECRET, salt, &mut wanted);
        from_password(&by_trait::SaltedS2k::<Sha1>::new(), &wanted);
        s2k::iterated::<Sha1>(&SECRET, salt, 1000, &mut wanted);
        from_password(&by_trait::IteratedS2k::<Sha1>::new(1000), &wanted);
        let wanted = key(|key| touchstone::kdf::bcrypt_pbkdf(&SECRET, salt, 2, key));
        from_password(&by_trait::BcryptPbkdf::new(2), &wanted);
        #[cfg(feature = "alloc")]
        {
            let wanted = key(|key| touchstone::kdf::scrypt(&SECRET, salt, 16, 2, 1, key));
            from_password(&by_trait::Scrypt::new(16, 2, 1), &wanted);
        }
        #[cfg(feature = "argon2")]
        {
            use touchstone::kdf::argon2::{Costs, Variant, argon2};
            let costs = Costs {
                passes: 2,
                memory: 32,
                lanes: 1,
                secret: b"not to be shown",
                data: b"",
            };
            let wanted = key(|key| argon2(Variant::Id, &SECRET, salt, &costs, key));
            let function = by_trait::Argon2::new(Variant::Id, costs);
            from_password(&function, &wanted);
            let shown = format!("{function:?}");
            assert!(
                shown.contains("memory: 32") && !shown.contains("110, 111, 116"),
                "{shown}"
            );
        }
    }

    #[test]
    fn errors_leave_the_output() {
        let mut key = [7; 40];
        let long = &mut [7; 255 * 32 + 1];
        for result in [
            by_trait::Pbkdf2::<Hmac<Sha1>>::new(0).derive_key(&SECRET, b"salt", &mut key),
            by_trait::Pbkdf1::<Sha256>::new(1).derive_key(&SECRET, b"7 bytes", &mut key[..9]),
            by_trait::SaltedS2k::<Sha1>::new().derive_key(&SECRET, b"9 bytes..", &mut key),
            by_trait::Hkdf::<Sha256>::new(b"").derive_key(&SECRET, b"", long),
        ] {
            assert_eq!(result, Err(kdf::Error));
        }
        assert_eq!(key, [7; 40]);
        assert_eq!(*long, [7; 255 * 32 + 1]);
    }
}

mod modes {
    use cipher::{
        BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser, KeyIvInit, StreamCipher, consts::U16,
    };
    use touchstone::block::{Aes256, Aes256Decrypt, Aes256Encrypt, Camellia128};
    use touchstone::mode;

    fn same_blocks<E, D, E2>()
    where
        E: KeyIvInit + BlockModeEncrypt + BlockSizeUser<BlockSize = U16>,
        E2: KeyIvInit + BlockModeEncrypt + BlockSizeUser<BlockSize = U16>,
        D: KeyIvInit + BlockModeDecrypt + BlockSizeUser<BlockSize = U16>,
    {
        let key: Vec<u8> = (0..E::key_size() as u8).collect();
        let iv = [9; 16];
        let mut ours = E::new_from_slices(&key, &iv).unwrap();
        let mut theirs = E2::new_from_slices(&key, &iv).unwrap();
        let mut back = D::new_from_slices(&key, &iv).unwrap();
        assert!(E::new_from_slices(&key, &iv[1..]).is_err());
        for n in [1, 2, 300] {
            let data: Vec<[u8; 16]> = (0..n).map(|i| [i as u8; 16]).collect();
            let mut data: Vec<cipher::Array<u8, U16>> = data.into_iter().map(Into::into).collect();
            let before = data.clone();
            let mut other = data.clone();
            ours.encrypt_blocks(&mut data);
            theirs.encrypt_blocks(&mut other);
            assert_eq!(data, other);
            let (first, rest) = data.split_first_mut().unwrap();
            back.decrypt_block(first);
            back.decrypt_blocks(rest);
            assert_eq!(data, before);
        }
    }

    #[test]
    fn cbc() {
        same_blocks::<
            mode::CbcEncrypt<Aes256>,
            mode::CbcDecrypt<Aes256Decrypt>,
            cbc::Encryptor<aes::Aes256>,
        >();
        same_blocks::<
            mode::CbcEncrypt<Camellia128>,
            mode::CbcDecrypt<Camellia128>,
            cbc::Encryptor<camellia::Camellia128>,
        >();
        // The modes are RustCrypto's, the ciphers are this crate's.
        same_blocks::<
            cbc::Encryptor<Aes256Encrypt>,
            cbc::Decryptor<Aes256Decrypt>,
            mode::CbcEncrypt<Aes256>,
        >();
    }

    fn same_stream<A: KeyIvInit + StreamCipher, B: KeyIvInit + StreamCipher>() {
        let key: Vec<u8> = (0..A::key_size() as u8).collect();
        let iv = vec![0xff; A::iv_size()];
        let mut ours = A::new_from_slices(&key, &iv).unwrap();
        let mut theirs = B::new_from_slices(&key, &iv).unwrap();
        for n in [1, 15, 16, 17, 300, 5000] {
            let data: Vec<u8> = (0..n).map(|i| i as u8).collect();
            let (mut a, mut b) = (data.clone(), data.clone());
            ours.apply_keystream(&mut a);
            theirs.apply_keystream(&mut b);
            assert_eq!(a, b);
            ours.write_keystream(&mut a);
            theirs.write_keystream(&mut b);
            assert_eq!(a, b);
        }
    }

    #[test]
    fn modes_that_make_streams() {
        same_stream::<mode::Ctr<Aes256>, ctr::Ctr128BE<aes::Aes256>>();
        same_stream::<mode::Ctr<Aes256Encrypt, mode::ctr::LittleEndian>, ctr::Ctr128LE<aes::Aes256>>(
        );
        same_stream::<ctr::Ctr128BE<Aes256Encrypt>, mode::Ctr<Aes256>>();
        same_stream::<mode::Ofb<Aes256Encrypt>, ofb::Ofb<aes::Aes256>>();
    }

    #[test]
    fn feedback_modes_by_key_and_vector() {
        let (key, iv) = ([1; 32], [2; 16]);
        let mut data = *b"a message of any length";
        let ours = mode::CfbEncrypt::<Aes256>::new_from_slices(&key, &iv);
        ours.expect("both lengths are right").encrypt(&mut data);
        cfb_mode::Decryptor::<aes::Aes256>::new(&key.into(), &iv.into()).decrypt(&mut data);
        assert_eq!(&data, b"a message of any length");
    }
}

mod streams {
    use cipher::{IvSizeUser, KeyInit, KeyIvInit, KeySizeUser, StreamCipher, StreamCipherSeek};
    use touchstone::rustcrypto::*;
    use touchstone::{StreamKey, stream};

    /// Compares a stream cipher through the traits with the same cipher without the traits.
    fn check<S: KeyIvInit + StreamCipher, C: StreamKey>() {
        let key: Vec<u8> = (1..=255).cycle().take(S::key_size()).collect();
        let nonce: Vec<u8> = (7..).take(S::iv_size()).collect();
        let own = <C as touchstone::Keyed>::with_kernel(touchstone::Kernel::best(), &key);
        let Ok(own) = own else {
            panic!("the key is not taken")
        };
        let mut own = own.stream_from_slice(&nonce).expect("the nonce is taken");
        let mut stream = S::new_from_slices(&key, &nonce).expect("both are taken");
        for length in [1, 63, 64, 65, 1000] {
            let (mut a, mut b) = (vec![5; length], vec![5; length]);
            touchstone::StreamCipher::apply(&mut own, &mut a);
            stream.apply_keystream(&mut b);
            assert_eq!(a, b);
        }
        assert!(S::new_from_slices(&[0; 300], &nonce).is_err());
    }

    macro_rules! rows {
        ($($(#[$cfg:meta])* $id:literal = $Cipher:ident $(, $seek:ident)?;)*) => {
            #[test]
            fn every_stream_cipher_of_the_list() {
                $($(#[$cfg])* check::<$Cipher, stream::$Cipher>();)*
            }
        };
    }
    touchstone::stream::streams!(rows!);

    #[test]
    fn lengths_are_as_in_their_crates() {
        assert_eq!((ChaCha20::key_size(), ChaCha20::iv_size()), (32, 12));
        assert_eq!(
            (ChaCha20Legacy::key_size(), ChaCha20Legacy::iv_size()),
            (32, 8)
        );
        assert_eq!((XChaCha20::key_size(), XChaCha20::iv_size()), (32, 24));
        assert_eq!((Salsa20::key_size(), Salsa20::iv_size()), (32, 8));
        assert_eq!((Hc256::key_size(), Hc256::iv_size()), (32, 32));
    }

    #[test]
    fn a_stream_is_entered_at_any_byte() {
        let mut whole = [0; 1000];
        let mut stream = ChaCha20::new(&[1; 32].into(), &[2; 12].into());
        stream.apply_keystream(&mut whole);
        assert_eq!(stream.current_pos::<u64>(), 1000);
        for at in [0u64, 1, 63, 64, 65, 999] {
            stream.seek(at);
            assert_eq!(stream.current_pos::<u32>(), at as u32);
            let mut rest = vec![0; 1000 - at as usize];
            stream.apply_keystream(&mut rest);
            assert_eq!(rest, whole[at as usize..]);
        }
        assert!(stream.try_seek(u128::MAX).is_err());
    }

    #[test]
    fn counter_mode_is_entered_at_any_byte() {
        use touchstone::block::{Aes128, Block, Des};
        use touchstone::mode::Ctr;

        /// Checks counter mode from a counter that overflows soon.
        fn check<C: touchstone::FusedEncrypt>(cipher: &C) {
            let mut first = C::Block::ZERO;
            first.as_mut().fill(0xff);
            let mut ctr = Ctr::new(cipher, &first);
            assert_eq!(ctr.try_current_pos::<u64>().unwrap(), 0);
            let mut whole = [0; 1000];
            StreamCipher::apply_keystream(&mut ctr, &mut whole);
            assert_eq!(ctr.try_current_pos::<u64>().unwrap(), 1000);
            for at in [0u64, 1, 7, 8, 15, 16, 17, 999, 1000] {
                ctr.try_seek(at).unwrap();
                assert_eq!(ctr.try_current_pos::<u64>().unwrap(), at);
                let mut rest = vec![0; 1000 - at as usize];
                for piece in rest.chunks_mut(13) {
                    StreamCipher::apply_keystream(&mut ctr, piece);
                }
                assert_eq!(rest, whole[at as usize..]);
            }
        }
        check(&Aes128::new(&[1; 16]));
        check(&Des::new(&[1; 8]));
    }

    #[test]
    fn a_cipher_without_a_nonce() {
        let mut stream = <Rc4 as KeyInit>::new_from_slice(b"Key").unwrap();
        let mut data = *b"Plaintext";
        stream.apply_keystream(&mut data);
        // The answer is the first example in the appendix of most descriptions of RC4.
        assert_eq!(data, [0xbb, 0xf3, 0x16, 0xe8, 0xd9, 0x40, 0xaf, 0x0a, 0xd3]);
    }
}

mod macs {
    use digest::{KeyInit, Mac};
    use touchstone::block::{Aes128, DesEde3};
    use touchstone::mac;
    use universal_hash::UniversalHash;

    #[test]
    fn macs_over_ciphers() {
        fn same<A, B>()
        where
            A: KeyInit + Mac + digest::FixedOutputReset,
            B: KeyInit + Mac<OutputSize = A::OutputSize>,
        {
            let key: Vec<u8> = (0..A::key_size() as u8).collect();
            let mut ours = A::new_from_slice(&key).unwrap();
            for n in [0, 1, 16, 17, 100] {
                let message = vec![7; n];
                let theirs = B::new_from_slice(&key).unwrap().chain_update(&message);
                Mac::update(&mut ours, &message);
                let tag = ours.finalize_reset().into_bytes();
                assert_eq!(tag, theirs.finalize().into_bytes());
                let again = A::new_from_slice(&key).unwrap().chain_update(&message);
                assert!(again.verify(&tag).is_ok());
                let other = A::new_from_slice(&key).unwrap().chain_update(b"x");
                assert!(other.verify(&tag).is_err());
            }
        }
        same::<mac::Cmac<Aes128>, cmac::Cmac<aes::Aes128>>();
        same::<mac::Cmac<DesEde3>, cmac::Cmac<des::TdesEde3>>();
        // The construction is RustCrypto's, the cipher is this crate's.
        same::<cmac::Cmac<Aes128>, mac::Cmac<Aes128>>();
    }

    #[test]
    fn every_other_mac() {
        fn check<M: KeyInit + Mac + touchstone::Mac>() {
            let key: Vec<u8> = (0..M::key_size() as u8).collect();
            let mut mac = <M as KeyInit>::new_from_slice(&key).unwrap();
            let wanted = touchstone::Mac::mac(&mac, b"Attack at dawn");
            Mac::update(&mut mac, b"Attack ");
            Mac::update(&mut mac, b"at dawn");
            assert_eq!(Mac::finalize(mac).into_bytes().as_slice(), wanted.as_ref());
        }
        check::<mac::Omac2<Aes128>>();
        check::<mac::CbcMac<Aes128>>();
        check::<mac::DesMac>();
        check::<mac::Dmac<Aes128>>();
        check::<mac::RetailMac<touchstone::block::Des>>();
        check::<mac::GostMac<'_>>();
        check::<mac::Pmac<Aes128>>();
        check::<mac::SipHash24>();
        check::<mac::HalfSipHash24Long>();
        check::<mac::Blake2bMac<32>>();
        check::<mac::Blake2sMac<16>>();
        check::<mac::Blake3Mac>();
        check::<mac::Skein256Mac<32>>();
        check::<mac::Skein512Mac<20>>();
        check::<mac::Skein1024Mac<128>>();
        check::<mac::Kmac128<32>>();
        check::<mac::Kmac256<64>>();
        check::<mac::Hmac<touchstone::hash::Sha3_256>>();
    }

    #[test]
    fn poly1305_is_a_universal_hash() {
        let key = core::array::from_fn(|i| i as u8);
        let message: Vec<u8> = (0..1500).map(|i| i as u8).collect();
        let mut mac = mac::Poly1305::new(&key);
        let mut hash = <mac::Poly1305 as KeyInit>::new(&key.into());
        mac.update(&message);
        hash.update_padded(&message);
        // The one MAC fills the last block with zeros, the other MAC appends a mark.
        mac.update(&[]);
        let mut padded = message.clone();
        padded.resize(message.len().next_multiple_of(16), 0);
        let mut whole = mac::Poly1305::new(&key);
        whole.update(&padded);
        let tag = whole.finalize().into_bytes();
        assert_eq!(hash.finalize(), tag);
        assert_ne!(mac.finalize(), tag);
    }
}

mod lengths_of_aeads {
    use aead::{AeadInOut, KeyInit, KeySizeUser};
    use touchstone::aead::*;
    use touchstone::block::{Aes128Encrypt, Camellia256, DesEde3};

    fn same<A, B>()
    where
        A: KeyInit + AeadInOut,
        B: KeyInit + AeadInOut<NonceSize = A::NonceSize, TagSize = A::TagSize>,
    {
        let key: Vec<u8> = (0..A::key_size() as u8).collect();
        let ours = A::new_from_slice(&key).unwrap();
        let theirs = B::new_from_slice(&key).unwrap();
        let nonce = Default::default();
        for n in [0, 1, 100] {
            let mut message = vec![3; n];
            let tag = ours.encrypt_inout_detached(&nonce, b"header", message.as_mut_slice().into());
            let tag = tag.unwrap();
            let out = message.as_mut_slice().into();
            theirs
                .decrypt_inout_detached(&nonce, b"header", out, &tag)
                .unwrap();
            assert_eq!(message, vec![3; n]);
            let mut bad = tag.clone();
            bad[0] ^= 1;
            let out = message.as_mut_slice().into();
            assert!(
                ours.decrypt_inout_detached(&nonce, b"header", out, &bad)
                    .is_err()
            );
        }
    }

    #[test]
    fn nonces_and_tags_of_other_lengths() {
        use aead::consts::{U8, U12, U13, U32};
        type Aes128Ccm8 = WithLengths<Aes128Ccm, 12, 8>;
        same::<Aes128Ccm8, ::ccm::Ccm<aes::Aes128, U8, U12>>();
        same::<WithLengths<Aes128Ccm, 13, 8>, ::ccm::Ccm<aes::Aes128, U8, U13>>();
        same::<WithLengths<Aes256Gcm, 32, 12>, aes_gcm::AesGcm<aes::Aes256, U32, U12>>();
        same::<WithLengths<Aes128Eax, 16, 8>, ::eax::Eax<aes::Aes128, U8>>();
        assert_eq!(Aes256Siv::key_size(), 64);
        same::<Aes256Siv, Aes256Siv>();
    }

    #[test]
    fn modes_over_other_ciphers() {
        same::<Gcm<Camellia256>, aes_gcm::AesGcm<Camellia256, aead::consts::U12>>();
        same::<Eax<DesEde3>, Eax<DesEde3>>();
        same::<GcmSiv<Aes128Encrypt>, aes_gcm_siv::Aes128GcmSiv>();
    }
}

/// Tests the traits of `cipher` 0.4.
#[cfg(feature = "cipher-04")]
mod generation_before {
    use cipher_04::{BlockDecrypt, BlockEncrypt, BlockSizeUser, KeyInit, KeySizeUser};
    use touchstone::block::*;
    use touchstone::mode::{CfbEncrypt, Ecb};

    fn check<E, D>()
    where
        E: KeyInit + BlockEncrypt + touchstone::BlockEncrypt,
        D: KeyInit + BlockDecrypt + BlockSizeUser<BlockSize = <E as BlockSizeUser>::BlockSize>,
    {
        let size = <E as BlockSizeUser>::block_size();
        let key: Vec<u8> = (0..<E as KeySizeUser>::key_size() as u8).collect();
        let Ok(forward) = E::new_from_slice(&key) else {
            panic!("the type's length is taken")
        };
        let backward = D::new(cipher_04::Key::<D>::from_slice(&key));
        for blocks in [1, 3, 200, 600] {
            let data: Vec<u8> = (0..size * blocks).map(|i| (i * 7) as u8).collect();
            let mut wanted = data.clone();
            Ecb::new(&forward)
                .encrypt(&mut wanted)
                .expect("whole blocks");
            let split = |bytes: &[u8]| -> Vec<cipher_04::Block<E>> {
                let blocks = bytes.chunks(size);
                blocks
                    .map(|block| block.iter().copied().collect())
                    .collect()
            };
            let mut out = split(&data);
            BlockEncrypt::encrypt_blocks(&forward, &mut out);
            assert_eq!(out, split(&wanted));
            BlockDecrypt::decrypt_blocks(&backward, &mut out);
            assert_eq!(out, split(&data));
            BlockEncrypt::encrypt_block(&forward, &mut out[0]);
            assert_eq!(out[0].as_slice(), &wanted[..size]);
        }
    }

    macro_rules! rows {
        ($($(#[$cfg:meta])* $id:literal = $E:ident, $D:ident $(, $k:tt: $v:expr)?;)*) => {
            #[test]
            fn every_cipher_of_the_list() {
                $($(#[$cfg])* check::<$E, $D>();)*
            }
        };
    }
    block_ciphers!(rows!);

    /// Checks the mode CFB of the version `cipher` 0.4, with which programs for OpenPGP
    /// encrypt.
    #[test]
    fn a_mode_of_the_generation_before() {
        use cipher_04::{AsyncStreamCipher, KeyIvInit};
        let (key, iv) = ([3; 16], [4; 8]);
        let mut data = *b"a message of any length";
        let theirs = cfb_mode_08::Encryptor::<Cast5>::new(&key.into(), &iv.into());
        theirs.encrypt(&mut data);
        let mut wanted = *b"a message of any length";
        let Ok(cipher) = Cast5::new_from_slice(&key) else {
            panic!("16 bytes are taken")
        };
        CfbEncrypt::new(&cipher, &iv).encrypt(&mut wanted);
        assert_eq!(data, wanted);
    }

    #[test]
    fn both_directions() {
        check::<Aes128, Aes128>();
        check::<Idea, Idea>();
    }
}
