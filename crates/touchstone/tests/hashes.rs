//! Tests hash functions: known answers with every kernel, and properties that every hash
//! function has.

mod answers;

use answers::{Answers, Done};
use touchstone::hash::*;
use touchstone::{DigestBytes, Kernel};

#[test]
fn hashes() {
    let mut answers = Answers::of("hash");
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Hash:ident;)*) => { $($(#[$cfg])* hash::<$Hash>(&mut answers, $id);)* };
    }
    touchstone::hash::hashes!(each!);
    touchstone::hash::long_hashes!(each!);
    answers.report();
}

fn hash<H: HashFunction>(answers: &mut Answers, primitive: &str) {
    answers.each(primitive, |kernel, v, place| {
        if v.operation != "hash" {
            return Done::Lacking("the operation is not `hash`");
        }
        for offset in 0..2 {
            let shifted = [&[0xff; 2][..offset], &v.input].concat();
            let input = &shifted[offset..];
            assert_eq!(H::digest_with(kernel, input).as_ref(), v.output, "{place}");

            for piece in [1, H::BLOCK, H::BLOCK + 1] {
                let mut hash = H::with_kernel(kernel);
                input.chunks(piece).for_each(|piece| hash.update(piece));
                let digest = hash.finalize();
                assert_eq!(digest.as_ref(), v.output, "{place}, in pieces of {piece}");
            }

            let mut digests = [H::Output::ZERO; 3];
            let messages = [input, &input[..input.len() / 2], input];
            H::hash_many_with(kernel, &messages, &mut digests).unwrap();
            assert_eq!(digests[0].as_ref(), v.output, "{place}, first of many");
            assert_eq!(digests[2].as_ref(), v.output, "{place}, last of many");
        }
        Done::Right
    });
}

#[test]
fn xofs() {
    let mut answers = Answers::of("hash");
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Xof:ident;)*) => { $($(#[$cfg])* xof::<$Xof>(&mut answers, $id);)* };
    }
    touchstone::hash::xofs!(each!);
    answers.report();
}

fn xof<X: Xof>(answers: &mut Answers, primitive: &str) {
    answers.each(primitive, |kernel, v, place| {
        if v.operation != "xof" {
            return Done::Lacking("the operation is not `xof`");
        }
        for piece in [1, 7, X::BLOCK, X::BLOCK + 1] {
            let mut xof = X::with_kernel(kernel);
            v.input.chunks(piece).for_each(|piece| xof.update(piece));
            let mut reader = xof.finalize_xof();
            let mut output = vec![0; v.output.len()];
            output
                .chunks_mut(piece)
                .for_each(|piece| reader.squeeze(piece));
            assert_eq!(output, v.output, "{place}, in pieces of {piece}");
        }
        Done::Right
    });
}

/// Checks that messages with a processed beginning give the same digests in lanes as one by
/// one. The beginning consists of whole blocks or not, and all messages have the same beginning
/// or not.
#[test]
fn messages_that_have_begun() {
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Hash:ident;)*) => { $($(#[$cfg])* finish_many::<$Hash>($id);)* };
    }
    touchstone::hash::hashes!(each!);
    touchstone::hash::long_hashes!(each!);
}

fn finish_many<H: HashFunction>(id: &str) {
    let data: Vec<u8> = (0..1000).map(|i| (i * 7 % 251) as u8).collect();
    let ends: Vec<&[u8]> = (0..50).map(|i| &data[i..(i * i * 3) % 500 + i]).collect();
    for kernel in H::Kernel::available() {
        for begun in [0, H::BLOCK, 3 * H::BLOCK, 3 * H::BLOCK + 1] {
            for number in [1, ends.len()] {
                let mut starts = Vec::new();
                for i in 0..number {
                    let mut start = H::with_kernel(kernel);
                    start.update(&data[i..i + begun]);
                    starts.push(start);
                }
                let mut digests = vec![H::Output::ZERO; ends.len()];
                // Numbers of messages that fill lanes or not.
                for many in [1, 2, 3, 7, 8, 9, 15, 16, 17, ends.len()] {
                    digests.fill(H::Output::ZERO);
                    H::finish_many(&starts, &ends[..many], &mut digests[..many]).unwrap();
                    for (i, end) in ends[..many].iter().enumerate() {
                        let mut one = starts[i % number].clone();
                        one.update(end);
                        let name = kernel.name();
                        assert_eq!(
                            digests[i],
                            one.finalize(),
                            "{id}, {name}, {begun}, {many}, {i}"
                        );
                    }
                }
                assert!(H::finish_many(&starts, &ends, &mut digests[1..]).is_err());
            }
        }
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    let hex = hex.replace(char::is_whitespace, "");
    (0..hex.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap())
        .collect()
}

/// Checks the answers in the submission of Skein 1.3 to NIST, `skein_golden_kat.txt`, data
/// "random+MAC".
#[test]
fn skein_with_a_key() {
    let data = bytes("d3090c72167517f7");
    let key = bytes(
        "cb41f1706cde09651203c2d0efbaddf847a0d315cb2e53ff8bac41da0002672e
         920244c66e02d5f0dad3e94c42bb65f0d14157decf4105ef5609d5b0984457c1
         935df3061ff06e9f204192ba11e5bb2cac0430c1c370cb3d113fea5ec1021eb8
         75e5946d7a96ac69a1626c6206b7252736f24253c9ee9b85eb852dfc81463134
         6c",
    );
    for (key, data, mac) in [
        (
            &key[..],
            &data[..0],
            "9bd43d2a2fcfa92becb9f69faab3936978f1b865b7e44338fc9c8f16aba949ba
             340291082834a1fc5aa81649e13d50cd98641a1d0883062bfe2c16d1faa7e3aa",
        ),
        (
            &key[..64],
            &data[..1],
            "f0c0a10f031c8fc69cfabcd54154c318b5d6cd95d06b12cf20264402492211ee
             010d5cecc2dc37fd772afac0596b2bf71e6020ef2dee7c860628b6e643ed9ff6",
        ),
        (
            &key[..0],
            &data[..4],
            "1259afc2cb025eef2f681e128f889bbce57f9a502d57d1a17239a12e71603559
             16b72223790fd9a8b367ec96212a3ed239331ed72ef3deb17685a8d5fd75158d",
        ),
        (
            &key[..32],
            &data[..],
            "0c1f1921253dd8e5c2d4c5f4099f851042d91147892705829161f5fc64d89785
             226eb6e187068493ee4c78a4b7c0f55a8cbbb1a5982c2daf638fc6a74b16b0d7",
        ),
    ] {
        for kernel in <Skein512<64> as HashFunction>::Kernel::available() {
            let mut hash = Skein512::<64>::with_kernel_and_parameters(kernel, key, b"");
            hash.update(data);
            assert_eq!(hash.finalize().as_ref(), bytes(mac));
        }
    }
}

/// Checks answers that Bouncy Castle 1.86 gave, with a key and a personalisation, and that a
/// personalisation gives another hash function.
#[test]
fn skein_personalised() {
    let personal = b"20261128 touchstone@example.com tests";
    macro_rules! each {
        ($($Skein:ident $wanted:literal)*) => {$(
            let mut hash = $Skein::with_parameters(b"a key of sixteen", personal);
            hash.update(&painted(300));
            assert_eq!(hash.finalize().as_ref(), bytes($wanted));
        )*};
    }
    each! {
        Skein256_256
        "0914c745994f15200844b33c1abcf9c2f840d36c36186f2fb8f1416dcd4b68e8"
        Skein256_512
        "82cec0d41616736319cf705b64ca34db795188db2f72deb2ccc7cb1394b5b4a7
         5990dd3e4b7ca7d23671b9be1821e528dd8c0037448ee6746d21460b864f04ec"
        Skein512_224
        "45e1e4c1e1f94fb0d5e1bf30cc88558430f72fdea11dafcb1ff7f0e9"
        Skein512_512
        "7a5c620495628ca13c63370fa82a2b7a7a8f90078a9a6180cd17a8c4d49aae9a
         c6b2193eb3b586b37db3378e8df802c83c1a509e959f95434143f975faab77ad"
        Skein1024_1024
        "0469356db61248ae3759e5730aebcc5fcb68b591c1b036d141817527df2a264a
         1a09deee01ef96fab85073b7814e1bef61e3d923e8596a8d808eb5c0d1d0f4ad
         7810a2c8a9abf317cab9e32f33f35fda7b76dd1a01c90b068c828b7e90f2f0b2
         159bd661d6dd718b4b8c91639f41acd2176b03f1bcdd8b71adf267c711e712c2"
    }
    let one = |name: &[u8]| Skein256::<32>::with_parameters(b"key", name).finalize();
    assert_eq!(
        one(b""),
        Skein256::<32>::with_parameters(b"key", b"").finalize()
    );
    assert_ne!(one(b"a"), one(b""));
    assert_ne!(one(b"a"), one(b"b"));
}

/// Checks the answers in the submission of Skein 1.3 to NIST, `skein_golden_kat.txt`, for trees. Byte i
/// of a message is i modulo 256 if i is even, and otherwise i / 256 XOR the block's length / 32.
#[cfg(feature = "alloc")]
#[test]
fn skein_in_a_tree() {
    use touchstone::hash::skein::{Skein256Tree, Skein512Tree, Skein1024Tree, Tree};

    macro_rules! each {
        ($($Tree:ident $block:literal $size:literal: $leaf:literal $fan_out:literal $height:literal, $length:literal, $digest:literal;)*) => {$({
            let block = $block;
            let shape = Tree::new($leaf, $fan_out, $height).unwrap();
            let message: Vec<u8> = (0..$length)
                .map(|i: usize| if i % 2 == 0 { i } else { i / 256 ^ block / 32 } as u8)
                .collect();
            for kernel in <Skein512<64> as HashFunction>::Kernel::available() {
                for piece in [1, 37, 64, 513, 1 << 20] {
                    let mut hash =
                        $Tree::<$size>::with_kernel_and_parameters(kernel, shape, b"", b"");
                    message.chunks(piece).for_each(|piece| hash.update(piece));
                    let place = format!(
                        "{}, {shape:?}, {} bytes, pieces of {piece}", kernel.name(), $length,
                    );
                    assert_eq!(hash.finalize().as_ref(), bytes($digest), "{place}");
                }
            }
        })*};
    }
    each! {
        Skein256Tree 32 28: 2 2 2, 127, "710e0618b098145ad81f53f3748dc173921eb45f358801d594da2541";
        Skein256Tree 32 32: 2 2 2, 126, "e3cf8fcdd20bfe85d175448007226c20ff22a65dc9df7588be305e5ccc3f4941";
        Skein256Tree 32 32: 2 2 2, 253, "eb24aa8919cdcf945ef1fdf0cc115795a3e29e4356d8a7870e7a0b338384f7f1";
        Skein256Tree 32 32: 2 2 2, 508, "ede80abc9de7507b8a134f0f56095a729726193be555f8ad1d358c56b0c8f11b";
        Skein256Tree 32 32: 1 2 3, 59, "bd94aae80232880c35ae38ee9ac7e4d72ee716e70f472a7c4d591132bf00a4ca";
        Skein256Tree 32 32: 1 2 3, 122, "56a4a68cca8e35801f1fc8fb896aca3cc6c12e9d00e59129231dfc0155906cbc";
        Skein256Tree 32 32: 1 2 3, 249, "f63974fd34c0c45eb6dedfe319cb7b363fcee0170a79497827289f1ff7284d06";
        Skein256Tree 32 32: 2 1 255, 120, "543936f06ecf9a8fdd08c7b9fed776dff0fe3d88fb28dc8cb091ea50dd1ae1b1";
        Skein256Tree 32 32: 2 1 255, 247, "898bcbb8d2191b827155ccea3a60dfd0c51773bc2c3069e56244403d71fa807a";
        Skein256Tree 32 32: 2 1 255, 374, "afeeb1e461402edd3c54eb582166223a5ed5433ab239d50a5715af46655115e2";
        Skein256Tree 32 32: 2 1 255, 501, "253c30d63bf707f177f1ba8fb8b14d7f59cd3a9b376995c3eaa04be67492c6a3";
        Skein512Tree 64 32: 2 2 2, 255, "59f1c8191d26b9d9f10b87f1737165bcb4e51d4013d842468211ab2ce521cb64";
        Skein512Tree 64 48: 2 2 2, 254, "d9d8e3b0646fd72021a851f9e9c8f83ca0e376e0fca76709f499dbc53830da3b
             487b8d1d885ea25a00ffcab75c7a525b";
        Skein512Tree 64 64: 2 2 2, 253, "bfce83fb9724e46e51df06f71d912c64e457a941ba24418ce83b2c5161fc1281
             b1114632e7abdca56030e610a0dc33e0042ce819442c2bc53b097f9659390b37";
        Skein512Tree 64 64: 2 2 2, 508, "8ac18211ed12234df002088ee7b14cc153c08b5b1d2fa4b68d11425712ea777b
             c8861dc89ba4ef65699ec9f1f1980f121bef878b44ef373b68c3b6a740601ba0";
        Skein512Tree 64 64: 2 2 2, 1019, "afb4cc53dd8ecedcc5b06ccd1bc08bf59d06392e710ce9513be00f0426cfce29
             f6e1c1993dbda8ef7c6fc3fffdaba4114bdf21766b277d9e9128e9aef5c527af";
        Skein512Tree 64 64: 1 2 3, 122, "f6d33f5c70a3faedcc4361a0d932cd53b058eacb1a2f7724a359977d8648238a
             3913a50f5c5fa484b7d290f166d8aaea9fd0f9af28b949e23eb51fc888f3f6b3";
        Skein512Tree 64 64: 1 2 3, 249, "a7ee79ef5ab71a74d70a70dd6e132c8e0ff391686ad694a39a46646fd3333934
             9ee6e12faa4c00b5d047a51f3e151f038fa371c38dfad45560af8b8bc6bcdb6b";
        Skein512Tree 64 64: 1 2 3, 504, "c85cba3123180e3113b0413144159ea022da15b62edce13e56b6526b5f996ff2
             fb777946f09244bb78f1ccf8c8e8e59ad09429709ecd6de95dc6108b6932bde0";
        Skein512Tree 64 64: 2 1 255, 247, "101de1cd8bf582e19bb63ddc4f110f1c75a304a6ac8d4514fbb135e44bdb8d02
             770de81b2fbabdb25e81e9ee70690a1c6fe9e2122d0be3ba0a3ae215d8025abe";
        Skein512Tree 64 64: 2 1 255, 502, "68f0427719e9bc059d773735063f9790268f609bfdfc63abf23866acade96613
             91f20494b802833e6b0e7d7f49e3b55ef6cd37694980cd2ab7be32b354959576";
        Skein512Tree 64 64: 2 1 255, 757, "b557d2ff7d692a33711dae1714bad71e81bddc98606f37ceb26094adf96f58ea
             ed9782d1dd4773d39469087743ac3e2e2f36fe10ef0d6b3701013c9a7a055c43";
        Skein512Tree 64 64: 2 1 255, 1012, "f3133df7975bfc360199bb4a543dee0e761eb2fbcc7c223060869cf6300a6ee7
             c6bc086abb72a71d7307f799cce371c88cdca71675bd25f772fa4b975cc235da";
        Skein1024Tree 128 48: 2 2 2, 511, "fe98949d9c9a253c96c514f5788b57ef473cc6a5abb3ba1e8b32f7bfe2ae5a6f
             06d70047ed503bddd3e80101142d8dcb";
        Skein1024Tree 128 64: 2 2 2, 510, "90405c173adcad1391d6bfc10184478afa10f51068dea1923b66f2bcb9202a12
             95415202f5c7a04e3b1e474680d388886fc0cf6e41cbcc98cb42991754a61310";
        Skein1024Tree 128 128: 2 2 2, 509, "0386896d340d3280f602a6ba970bb85e1fd3e5c4aafc60ef1de63639e5ebf79f
             52a33deb80355ef62f9b6b6fd76edc6dfdce5761c63eda0c23092aacbb229669
             8dc9adf88c2d99ddefd5f85f39cfc62d666d1b5aea560dc9966b4f6cf286d8c3
             b3dda26eb9c8e393d1a621dd22d7fe5f9d5271f35be3715e3998115d140a7b78";
        Skein1024Tree 128 128: 2 2 2, 1020, "5d7d0226caf1af8a222da31e3c0abf595e39b7895980e8a1f74191370e9ddd7a
             3f73c752eb2f75301ee700c9e2f6143a9cde3a1e46db0e1986df9fd7820e8500
             e8dac10a42bf51e86be4ad5fbf4f394a593b3646fe493a900ad2d2198c347066
             e9c5fb38e100a0cfa8712b532aa2027cf8eb6a3a95ba77f8011abacdce220db0";
        Skein1024Tree 128 128: 2 2 2, 2043, "8cd8dfacc73fdd71489a7323647922be0dcca00cbf0a7b27a36bd4b88aedebfe
             6cb8574a71081fbe44adeaf546f2027a955fda4eedb3b905a4beffc93b33e686
             e9c62b6ebf1f0370b27e8d5020c96c6d2f8e1917b281081302c68c7c2725ef45
             b429b374e8bb8c6d3aa918575d6f7f45bedb406c9a2a9ed367c99c27082bd4aa";
        Skein1024Tree 128 128: 1 2 3, 250, "2a9195d18dff1432711dc2545d9f0f14440a7e9951144fe346774a8a8e1f815a
             b7611c0fb7a6f45e51a48c3b4a5779f74700f60b529ce164cc65485277554669
             5206462f644a7f1da056b6338e4025c125ec31c42f455785715a50024958e4a6
             1282468c0a8114c7a25f3e7922bc2066cbad3120a8168f9278680922e3a04b04";
        Skein1024Tree 128 128: 1 2 3, 505, "077c012c76b1350f9f2f7ca918e8226a2fda9e6bcca3d6b7289e5fcdcf1f50f2
             42a32e4974b8c294495d7c345fbe92666db736bb26c7dab654b54b34e67cfef1
             1f415ac2905e6d8f9aef646010112e2969efba155a2f14f8e7a6615b36ebc09b
             21a1f53bcafe5d79f72c8bbfa251d3b8db9352114b0614a25ba960af605cc3fd";
        Skein1024Tree 128 128: 1 2 3, 1016, "24dc2c0135c72a1634f88fd1c3d6261c4d1723619c0a9242aec37ecbf61c1489
             79170f3b415cecd0c92c765d799dbea6ca5e81d57aba13317697faed11ed9a85
             6a3e8f351cbdd8f746b43f610a31e5dd09c8190d78ad2ebb952330f7992ca68a
             68352f906068a3a9b1f019ba50df848770846e18bd10d19ccef9fbfa22f55230";
        Skein1024Tree 128 128: 2 1 255, 503, "4e60480ddf1c039d2cb4fa9f694e5dd738d0ef3c701a5925e7a5ae10fd933de9
             210a9d701fd27dd2e9e228f79ca33596846ecda3eb4f66de6c60d73577b79b8a
             aa08085b2b1e891b3396fb3ca7b8fbe51be68f3eb97d2f77503924e3cb38f6ef
             1dae6838d91e034edee22b033a1194d130d3e01612469cce4b879e23293f1c5d";
        Skein1024Tree 128 128: 2 1 255, 1014, "2615109aca5efc585febbd52a417a6691d448478f21d382f6d498d9ba479e09c
             64af6c4b031c1dff14072f430dcc0ad8ce0b3ab72ef29963fe531a8a00a81f3c
             6922233c3e64a7ed3715071be9c450e45abdb5b505e4c0c163883c7775528375
             3f99f6d6a0aa7752b242fdeb602a43dc827f6e0148bde9a9ead481236e2eef91";
        Skein1024Tree 128 128: 2 1 255, 1525, "ffeab58433af16430ba32138ddd102441c668b644fc3ac4324c409ce5a59ab35
             651207a104ab43d24a6b0d8d310203215b71ec4ba4bb41d19604cf63a7daddac
             b373051b1fc4bd8a7340630ab9d01d860e8ea249b706b3e6f315632a2da791c9
             607ef195c2019cad999b2fe72d58d003114007a98582fad6e2efe62e80be515f";
        Skein1024Tree 128 128: 2 1 255, 2036, "da326e2b095338f795c8c1f145be199493c97b003acc4c2d2875c6255e6b7162
             374ef1aa09add343e490da09e1d7a0037598ce0c853f2a76fc7f5911beff755b
             ecc17f8f6da97947b26e510a40c0121c6361bf27ee36a95ae501fdf05d399069
             21b4ff3a05df83f85f811d825c8e94e91a26711ce7ff6cb22f519038686779fb";
    }
}

/// Checks that the digest does not depend on the pieces and on the kernel, and that each length has its
/// own digest.
#[cfg(feature = "alloc")]
#[test]
fn skein_trees_are_the_same_in_pieces() {
    use touchstone::hash::skein::{Skein256Tree, Tree};

    for shape in [
        (1, 1, 2),
        (1, 1, 4),
        (1, 3, 255),
        (3, 1, 3),
        (2, 2, 5),
        (255, 255, 255),
    ] {
        let tree = Tree::new(shape.0, shape.1, shape.2).unwrap();
        let start = |kernel| {
            Skein256Tree::<32>::with_kernel_and_parameters(kernel, tree, b"a key", b"a name")
        };
        let mut known = std::collections::HashSet::new();
        for length in (0..700).chain([4096, 9000]) {
            let message = painted(length);
            let mut digests =
                <Skein256<32> as HashFunction>::Kernel::available().flat_map(|kernel| {
                    [1, 100, 1 << 20].map(|piece| {
                        let mut hash = start(kernel);
                        message.chunks(piece).for_each(|piece| hash.update(piece));
                        hash.clone().finalize()
                    })
                });
            let first = digests.next().unwrap();
            assert!(
                digests.all(|digest| digest == first),
                "{shape:?}, {length} bytes"
            );
            assert!(
                known.insert(first.as_ref().to_vec()),
                "{shape:?}, {length} bytes"
            );
        }
    }
    for (leaf, fan_out, height) in [(0, 1, 2), (1, 0, 2), (1, 1, 1), (0, 0, 0)] {
        let error = Tree::new(leaf, fan_out, height).unwrap_err();
        assert_eq!(error.given, [leaf, fan_out, height]);
    }
}

/// Returns bytes of which byte i is 7i modulo 251.
fn painted(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 % 251) as u8).collect()
}

fn squeezed<X: Xof>(mut xof: X, message: &[u8], length: usize) -> Vec<u8> {
    xof.update(message);
    let mut output = vec![0; length];
    xof.finalize_xof().squeeze(&mut output);
    output
}

/// Checks answers that BLAKE2's reference code gave, through Python 3.11's `hashlib`. The
/// answers for BLAKE2bp and BLAKE2sp are trees of nodes of that code. The answers for the empty
/// message are also the published answers of the authors.
#[test]
fn blake2_with_parameters() {
    let data = painted(3000);
    let salted = Blake2b::<37>::with_parameters(
        &data[..64],
        data[..16].try_into().unwrap(),
        data[16..32].try_into().unwrap(),
    );
    let mut salted = salted.unwrap();
    salted.update(&data[..300]);
    let wanted = "b132922cde8fb7313121aa93460327a0e3fb917915aab2766fde7896a3cae29348dc6210b8";
    assert_eq!(salted.finalize().as_ref(), bytes(wanted));

    let salted = Blake2s::<19>::with_parameters(
        &data[..7],
        data[..8].try_into().unwrap(),
        data[16..24].try_into().unwrap(),
    );
    let mut salted = salted.unwrap();
    salted.update(&data[..300]);
    let wanted = "19d779c2e23fd0db1ac21cf0cb331293038967";
    assert_eq!(salted.finalize().as_ref(), bytes(wanted));

    assert!(Blake2b::<64>::with_key(&data[..65]).is_err());
    assert!(Blake2s::<32>::with_key(&data[..33]).is_err());

    for (length, b, s) in [
        (
            0,
            "b5ef811a8038f70b628fa8b294daae7492b1ebe343a80eaabbf1f6ae664dd67b
             9d90b0120791eab81dc96985f28849f6a305186a85501b405114bfa678df9380",
            "dd0e891776933f43c7d032b08a917e25741f8aa9a12c12e1cac8801500f2ca4f",
        ),
        (
            1111,
            "e7a13bc16a555015ea7aae807d76658408ef907ae3df0329efabead654f91603
             d9c7427b5c26ea0d426df38955d8f92a58926e40242aa571ef200a9f26c15b8a",
            "adcacbbb942edb7d87858da4aea20c5a296aef28dc9a935cfc229666d1ccc6f0",
        ),
    ] {
        for piece in [1, 64, 100, 2000] {
            let (mut wide, mut narrow) = (Blake2bp::<64>::new(), Blake2sp::<32>::new());
            for piece in data[..length].chunks(piece) {
                wide.update(piece);
                narrow.update(piece);
            }
            assert_eq!(wide.finalize().as_ref(), bytes(b));
            assert_eq!(narrow.finalize().as_ref(), bytes(s));
        }
    }
}

/// Checks that the kernels hash the leaves of BLAKE2bp and BLAKE2sp as `portable` does, for messages
/// in pieces of many lengths.
#[test]
fn leaves_of_blake2() {
    fn each<H: HashFunction>() {
        let data = painted(5000);
        for kernel in H::Kernel::available() {
            for piece in [1, 100, 256, 511, 512, 513, 1024, 1500, 2048, 5000] {
                for length in (0..5000).step_by(97).chain([512, 1024, 1025, 1536, 4096]) {
                    let mut hash = H::with_kernel(kernel);
                    data[..length]
                        .chunks(piece)
                        .for_each(|piece| hash.update(piece));
                    let mut wanted = H::with_kernel(H::Kernel::available().last().unwrap());
                    data[..length]
                        .iter()
                        .for_each(|byte| wanted.update(&[*byte]));
                    let name = kernel.name();
                    assert_eq!(
                        hash.finalize(),
                        wanted.finalize(),
                        "{name}, {length} in pieces of {piece}"
                    );
                }
            }
        }
    }
    each::<Blake2bp<64>>();
    each::<Blake2sp<32>>();
}

/// Checks that several threads give the same digest as one, for pieces before and after of many
/// lengths, and with a key.
#[cfg(feature = "threads")]
#[test]
fn blake3_by_threads() {
    let unit = 128 * 1024;
    let data = painted(9 * unit + 5000);
    let key = [7; 32];
    for before in [0, 1, 1024, 1025, unit - 1, unit, unit + 1024] {
        for length in [
            0,
            1,
            unit,
            2 * unit - 1,
            2 * unit,
            2 * unit + 1,
            4 * unit,
            8 * unit - 1,
        ] {
            for after in [0, 1, 1024, 3000] {
                let message = &data[..before + length + after];
                for threads in [1, 2, 3, 16] {
                    let threads = core::num::NonZero::new(threads).unwrap();
                    let mut hash = Blake3::with_key(&key);
                    hash.update(&message[..before]);
                    hash.update_by_threads(&message[before..before + length], threads);
                    hash.update(&message[before + length..]);
                    let mut wanted = Blake3::with_key(&key);
                    wanted.update(message);
                    assert_eq!(
                        hash.finalize(),
                        wanted.finalize(),
                        "{before}, {length}, {after}, {threads} threads"
                    );
                }
            }
        }
    }
    let two = core::num::NonZero::new(2).unwrap();
    let mut hash = Blake3::new();
    data.chunks(3 * unit + 1)
        .for_each(|piece| hash.update_by_threads(piece, two));
    assert_eq!(hash.finalize(), Blake3::digest(&data));
}

/// Checks answers of golang.org/x/crypto 0.58.0.
#[test]
fn blake2x() {
    let data = painted(100);
    let wanted = bytes(
        "754331146f19e2d2de41bbf7d182d24bcb66b8d7c7d2023654a186e64f769abe
         21b7ec2d35755a5302ae771be06f4f0bbf9e9a842bd24e6422744d6b4661fdf7
         178b79c2afc686e5fa044b7ff7f79ad168b49edef724b0445d78018a0f86d7f6
         9dc56500f0421e421f38ecc62f41301ae27ba8280904de9f4127d0dc98927500
         63f457135eb3e7ef8c1f9b8d8a703acc258db5bb12ea",
    );
    let xof = Blake2Xb::with_length(150, b"key").unwrap();
    assert_eq!(squeezed(xof, &data, 150), wanted);
    let wanted = bytes(
        "0e26263ac33fb2273a0f48af72ba8269f3f5809d3026198efcef4151c1a6cdcc
         6a54800bad2e1dbd69d5b09e1b20099b85c33814ba1587026385bb1e76f92edf
         4fd2a3fd155bb16253575c",
    );
    let xof = Blake2Xs::with_length(75, b"key").unwrap();
    assert_eq!(squeezed(xof, &data, 75), wanted);

    let long = squeezed(Blake2Xb::new(), &data, 1000);
    let wanted = "db2c15258005410b235c996e06bf3645d9750bf1540bfedb38d8709b394b9dfe";
    assert_eq!(Sha256::digest(&long).as_ref(), bytes(wanted));
    let mut xof = Blake2Xb::new();
    xof.update(&data);
    sought(xof.finalize_xof(), &long);
    let long = squeezed(Blake2Xs::new(), &data, 1000);
    let wanted = "793afa955d4ce41192cda31dde11c4d7bdc51e300d8b1a964904588adf868d18";
    assert_eq!(Sha256::digest(&long).as_ref(), bytes(wanted));
}

/// Checks that output from a position is the same as this part of the output from the start.
fn sought(mut reader: impl XofSeek, output: &[u8]) {
    for from in [0, 1, 63, 64, 65, 128, 700] {
        for length in [1, 64, 200] {
            let mut piece = vec![0; length];
            reader.seek(from);
            reader.squeeze(&mut piece);
            assert_eq!(
                piece,
                output[from as usize..][..length],
                "{length} from {from}"
            );
        }
    }
}

/// Compares every mode of BLAKE3 with the authors' crate, around every size of a tree at which
/// the code could split the message wrongly into lanes, chunks or blocks.
#[test]
fn blake3_in_every_mode() {
    let data = painted(70_000);
    let key: [u8; 32] = data[100..132].try_into().unwrap();
    let context = "touchstone tests 2026-11-22 a context";
    let sizes = [
        0, 1, 2, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 64, 65,
    ];
    let lengths = sizes
        .iter()
        .flat_map(|n| [n * 1024, n * 1024 + 1, (n * 1024usize).saturating_sub(1)])
        .chain([3, 63, 64, 65, 127, 128, 129, 500, 960, 961]);
    for length in lengths {
        let message = &data[..length];
        let theirs = [
            ::blake3::Hasher::new(),
            ::blake3::Hasher::new_keyed(&key),
            ::blake3::Hasher::new_derive_key(context),
        ];
        for kernel in <Blake3 as HashFunction>::Kernel::available() {
            let ours = [
                <Blake3 as HashFunction>::with_kernel(kernel),
                Blake3::with_kernel_and_key(kernel, &key),
                Blake3::derive_key(context),
            ];
            for (ours, theirs) in ours.iter().zip(&theirs) {
                let mut theirs = theirs.clone();
                theirs.update(message);
                let mut output = [0; 1000];
                theirs.finalize_xof().fill(&mut output);
                let name = kernel.name();
                assert_eq!(
                    squeezed(ours.clone(), message, 1000),
                    output,
                    "{name}, {length}"
                );
                let mut hash = ours.clone();
                for piece in message.chunks(17 * 1024 + 5) {
                    hash.update(piece);
                }
                sought(hash.clone().finalize_xof(), &output);
                assert_eq!(hash.finalize()[..], output[..32], "{name}, {length}");
            }
            let whole = <Blake3 as HashFunction>::digest_with(kernel, message);
            let theirs = ::blake3::hash(message);
            assert_eq!(whole[..], theirs.as_bytes()[..], "{length}");
        }
    }
}

/// Checks answers of PyCryptodome 4.4.0.
#[test]
fn cshake_and_tuples() {
    let data = painted(500);
    let answer = |xof: CShake128| squeezed(xof, &data, 100);
    assert_eq!(
        answer(CShake128::with_name(b"", b"custom"))[..32],
        bytes("f5b88ae4a31e9cc098106a4b1924862bc29e3ae753fd23de62bbf29783629d52",)
    );
    assert_eq!(
        answer(CShake128::with_name(b"", b"")),
        squeezed(Shake128::new(), &data, 100)
    );
    assert_ne!(
        answer(CShake128::with_name(b"a", b"")),
        answer(CShake128::with_name(b"", b"a"))
    );
    let xof = CShake256::with_name(b"", &data[..300]);
    assert_eq!(
        squeezed(xof, &data, 100)[..32],
        bytes("3e06e1d17277d70617c071a0f4f510426b750e6a2295032cfd56f8dcddd6b100",)
    );

    let mut tuple = TupleHash128::new(b"custom");
    tuple.item(&data[..3]);
    tuple.item(&data[3..9]);
    tuple.item(b"");
    let mut output = [0; 40];
    tuple.finalize_into(&mut output);
    assert_eq!(
        output[..],
        bytes("3ecc85c101349f1a78f740571b8f9cdf485838b80d01232615b86c683441e0ef7480ae08217b2390",)
    );
    let mut tuple = TupleHash256::new(b"");
    tuple.item(&data[..3]);
    tuple.item(&data[3..300]);
    let mut output = [0; 64];
    tuple.finalize_into(&mut output);
    assert_eq!(
        output[..],
        bytes(
            "f4f9d044f39e5d8b993a07aa967cd741a9cdcbc5785a09f10b5af8e547aef460
         668cb9571ed54cbedf50cf2f7d671732e704e98d326893560933cb8c6bb7feea",
        )
    );
}

/// Returns left_encode or right_encode of a number, SP 800-185 §2.3.1.
fn encoded(number: usize, left: bool) -> Vec<u8> {
    let bytes = number.to_be_bytes();
    let zeros = bytes
        .iter()
        .take(bytes.len() - 1)
        .take_while(|byte| **byte == 0);
    let mut bytes = bytes[zeros.count()..].to_vec();
    let count = bytes.len() as u8;
    let place = if left { 0 } else { bytes.len() };
    bytes.insert(place, count);
    bytes
}

/// Checks sample 1 of NIST's samples for ParallelHash128 (SP 800-185). For all other lengths,
/// the test computes the definition of SP 800-185 §6.3 by calls of cSHAKE and compares the
/// results.
#[test]
fn parallel_hash() {
    let message = bytes("000102030405060710111213141516172021222324252627");
    let mut hash = ParallelHash128::new(8, b"");
    hash.update(&message);
    let mut output = [0; 32];
    hash.finalize_into(&mut output);
    assert_eq!(
        output[..],
        bytes("ba8dc1d1d979331d3f813603c67f72609ab5e44b94a0b8f9af46514454a2b4f5",)
    );

    let data = painted(1000);
    // The input of the outer function has: left_encode of the block length 700, the digests of
    // two blocks (700 and 100 bytes), right_encode of 2 blocks, and right_encode of the output
    // length 8 · 50 bits.
    let mut text = vec![2, 700usize.to_be_bytes()[6], 700usize.to_be_bytes()[7]];
    text.extend(squeezed(Shake256::new(), &data[..700], 64));
    text.extend(squeezed(Shake256::new(), &data[700..], 64));
    let ends: [&[u8]; 2] = [
        &[2, 1, 400u16.to_be_bytes()[0], 400u16.to_be_bytes()[1], 2],
        &[2, 1, 0, 1],
    ];
    for (end, fixed) in ends.into_iter().zip([true, false]) {
        let xof = CShake256::with_name(b"ParallelHash", b"custom");
        let wanted = squeezed(xof, &[&text, end].concat(), 50);
        for piece in [1, 699, 700, 701, 1000] {
            let mut hash = ParallelHash256::new(700, b"custom");
            data.chunks(piece).for_each(|piece| hash.update(piece));
            let mut output = [0; 50];
            if fixed {
                hash.finalize_into(&mut output);
            } else {
                hash.finalize_xof().squeeze(&mut output);
            }
            assert_eq!(output[..], wanted, "pieces of {piece}");
        }
    }

    // Many blocks: several are hashed at once.
    for size in [1, 50, 168, 300] {
        let mut text = encoded(size, true);
        data.chunks(size)
            .for_each(|block| text.extend(squeezed(Shake128::new(), block, 32)));
        text.extend(encoded(data.len().div_ceil(size), false));
        text.extend(encoded(0, false));
        let wanted = squeezed(CShake128::with_name(b"ParallelHash", b""), &text, 40);
        for piece in [1, 299, 301, 1000] {
            let mut hash = ParallelHash128::new(size, b"");
            data.chunks(piece).for_each(|piece| hash.update(piece));
            let mut output = [0; 40];
            hash.finalize_xof().squeeze(&mut output);
            assert_eq!(output[..], wanted, "blocks of {size}, pieces of {piece}");
        }
    }
}

/// Checks the answers of RFC 9861 §5 (the empty message), and answers of PyCryptodome 4.4.0.
#[test]
fn turboshake_and_kangaroo_twelve() {
    let data = painted(20_000);
    let short = &data[..500];
    let empty = squeezed(TurboShake128::new(), b"", 32);
    assert_eq!(
        empty,
        bytes("1e415f1c5983aff2169217277d17bb538cd945a397ddec541f1ce41af2c1b74c")
    );
    for (domain, narrow, wide) in [
        (
            1,
            "74e2192916b1cb5035ec61486a666610b9f9667291c712af802163fcfbcbf939",
            "7fb13443e1fc527f1834e61ddbc745edcc84bb0e8cbc12971c3a4c53fd22e6c1",
        ),
        (
            0x1f,
            "3a4f67df1c3734a44247ebfaa328a1fd6eceb0c7702366ff72aa07ebc8380fed",
            "cdd76030733e3ac343f8825494dcebbfa5b0ec8b55683c7a5f94e8f19bbaa523",
        ),
        (
            0x7f,
            "101e2aa49ba23abcdd35d9f458a25e963d676e53d2c9b0d53d32c281ef6f1c58",
            "dd8b4237a7bd88e131cf00fd72bd56ba692436a8e9a33ce3bfc68d17494851c0",
        ),
    ] {
        let xof = TurboShake128::with_domain(domain).unwrap();
        assert_eq!(squeezed(xof, short, 32), bytes(narrow), "{domain}");
        let xof = TurboShake256::with_domain(domain).unwrap();
        assert_eq!(squeezed(xof, short, 32), bytes(wide), "{domain}");
    }
    assert!(TurboShake128::with_domain(0).is_none());
    assert!(TurboShake128::with_domain(0x80).is_none());

    for (length, plain, custom) in [
        (
            0,
            "1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5",
            "942a323c29a4392c5bbff3c8bda47f06349fdeb47e03c28c8e88936e049427b2",
        ),
        (
            1,
            "2bda92450e8b147f8a7cb629e784a058efca7cf7d8218e02d345dfaa65244a1f",
            "11324d983cadb6ab8d7a4614d684f8c3bcfee72aca8ec8afffaa5170bd30c2fc",
        ),
        (
            8191,
            "9c8083b2bb8cbed94382d38e51c8b0fac23dee514593426e74b0ee491c45ab79",
            "c42a1fa57c891374a52a0275ad259d4eb241c949d7ac6ea78d5c7bc8fe7bc70a",
        ),
        (
            8192,
            "cbd65160945339addc9e47b663b74111489a2f610a0d36b682b6b6b08b128411",
            "1eb77a49dead569985875534849761f71846311a56d1aad8df20be1ce003fb9a",
        ),
        (
            8193,
            "746a69a5a839839d9b8b694b77f04a2664df5f0b1c48233d86d8e08ed1735bb3",
            "758f895a344e52c86d4837023061b7d3b74e9fc90b4e6fad52fd2e67fa6bfb7a",
        ),
        (
            16384,
            "20f0bb830cc030256f536de7c62c30de7fd6ef6456e8eebaa27c3fa52eda3102",
            "2793cab98ff7cf36d398919ded3093bc213582ab23318d284c2f972204562e31",
        ),
        (
            16385,
            "438553c91f756f63bc008fc4004e1cc898844c06dda28ac0ca83773526bf382b",
            "884e45bd1d86decffc4dff4e22156e6abb0b7fc4e461c2d2b1e32304b7f0b1cc",
        ),
        (
            20_000,
            "356c7487a6e9590614cdb5a0103618ed6dfeaef5e03a059eb113930842df9c06",
            "46bebe472a1ec9aee791032bcaadd3a340c5c89ed4051c4dacf4045e909ea422",
        ),
    ] {
        let message = &data[..length];
        for (customisation, wanted) in [(&b""[..], plain), (b"custom", custom)] {
            for piece in [1, 8192, 8193, 20_000] {
                let mut xof = KangarooTwelve::with_customisation(customisation);
                message.chunks(piece).for_each(|piece| xof.update(piece));
                let mut output = [0; 32];
                xof.finalize_xof().squeeze(&mut output);
                assert_eq!(output[..], bytes(wanted), "{length}, pieces of {piece}");
            }
        }
    }
    // Many chunks: several are hashed at once. RFC 9861 §3.2 makes the final node from the first
    // chunk, a mark, the chaining values of the others, their number and two bytes.
    let data = painted(8192 * 20 + 777);
    let mut text = data[..8192].to_vec();
    text.extend([3, 0, 0, 0, 0, 0, 0, 0]);
    // The length of the empty customisation ends the last chunk.
    let rest = [&data[8192..], &[0]].concat();
    for chunk in rest.chunks(8192) {
        let node = TurboShake128::with_domain(0x0b).expect("a domain");
        text.extend(squeezed(node, chunk, 32));
    }
    text.extend([20, 1, 0xff, 0xff]);
    let wanted = squeezed(
        TurboShake128::with_domain(0x06).expect("a domain"),
        &text,
        40,
    );
    for piece in [1000, 8192, 8193, 40_000, data.len()] {
        for kernel in <KangarooTwelve<'_> as Xof>::Kernel::available() {
            let mut xof = <KangarooTwelve<'_> as Xof>::with_kernel(kernel);
            data.chunks(piece).for_each(|piece| xof.update(piece));
            let mut output = [0; 40];
            xof.finalize_xof().squeeze(&mut output);
            assert_eq!(output[..], wanted, "{}, pieces of {piece}", kernel.name());
        }
    }
    // The answer of RFC 9861 §5 for KT256 of the empty message.
    let mut output = [0; 64];
    KangarooTwelve256::new().finalize_xof().squeeze(&mut output);
    assert_eq!(
        output[..],
        bytes(
            "b23d2e9cea9f4904e02bec06817fc10ce38ce8e93ef4c89e6537076af8646404
         e3e8b68107b8833a5d30490aa33482353fd4adc7148ecb782855003aaebde4a9",
        )
    );
}

/// Checks NIST's examples of SHA3-256 for messages of 5 and 30 bits. Compares the padding with
/// its definition, for every number of bits around the end of a block.
#[test]
fn sha_3_of_bits() {
    let digest = Sha3_256::new().finalize_bits(0x13, 5).unwrap();
    let wanted = "7b0047cf5a456882363cbf0fb05322cf65f4b7059a46365e830132e3b5d957af";
    assert_eq!(digest.to_string(), wanted);
    let mut hash = Sha3_256::new();
    hash.update(&[0x53, 0x58, 0x7b]);
    let digest = hash.finalize_bits(0x19, 6).unwrap();
    let wanted = "c8242fef409e5ae9d1f1c857ae4dc624b92b19809f62aa8c07411c54a078b1d0";
    assert_eq!(digest.to_string(), wanted);

    for bits in [0, 8, 255] {
        assert!(Sha3_256::new().finalize_bits(0, bits).is_err());
        assert!(Shake128::new().finalize_bits_xof(0, bits).is_err());
    }

    // The padding of Keccak is a bit 1, zeros and a bit 1. SHA-3 appends the suffix 01 to the
    // message first (FIPS 202 §6.1). So Keccak of a message that ends with 01 equals SHA-3 of
    // the message without 01.
    for length in 130..140 {
        let data = painted(length);
        for bits in 1..=5 {
            let last = 0b1011_0101 & ((1u8 << bits) - 1);
            let mut ours = Sha3_256::new();
            ours.update(&data);
            // The bits above the given number of bits are ignored.
            let ours = ours.finalize_bits(last | 0xff << bits, bits).unwrap();
            let mut suffixed = Keccak256::new();
            suffixed.update(&data);
            let suffixed = suffixed.finalize_bits(last | 0b10 << bits, bits + 2);
            assert_eq!(ours, suffixed.unwrap(), "{length} bytes and {bits} bits");
        }
        let mut whole = Keccak256::new();
        whole.update(&data);
        let whole = whole.finalize_bits(0b10, 2).unwrap();
        assert_eq!(Sha3_256::digest(&data), whole, "{length} bytes");
    }
}
