//! Authenticated encryption. All kernels must give the result of the portable form, and
//! pieces the result of one call. Decryption must give the message again. If any bit is
//! changed, decryption must fail and wipe the output.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone::aead::{AeadError, Ccm, Eax, Gcm, GcmSiv, Ocb, Siv, ccm};
use touchstone::block::{Aes128, Aes256};
use touchstone::hidden::AeadEngine as Aead;
use touchstone::hidden::ghash;
use touchstone::{Kernel, Keyed};
use touchstone_fuzz::{Choose, Input, pieces};

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    match input.byte() % 8 {
        0 | 1 => gcm(&mut input),
        2 => ccm(&mut input),
        3 => eax::<[u8; 8]>(&mut input),
        4 => eax::<[u8; 16]>(&mut input),
        5 => ocb(&mut input),
        6 => siv(&mut input),
        _ => gcm_siv(&mut input),
    }
});

struct Case {
    nonce: Vec<u8>,
    aad: Vec<u8>,
    message: Vec<u8>,
    cuts: Vec<usize>,
    tag: usize,
    /// Which bit of ciphertext, tag or associated data is changed.
    flip: usize,
}

impl Case {
    fn new(input: &mut Input<'_>, nonce: usize, tag: usize) -> Self {
        let aad = input.under(300);
        Self {
            nonce: input.bytes(nonce),
            aad: input.bytes(aad),
            cuts: input.cuts(),
            flip: input.under(65535),
            message: input.message(4096),
            tag,
        }
    }

    fn seal(&self, mode: &impl Aead) -> (Vec<u8>, Vec<u8>) {
        let (mut out, mut tag) = (self.message.clone(), vec![0; self.tag]);
        mode.encrypt(&self.nonce, &self.aad, &mut out, &mut tag)
            .expect("the lengths are allowed");
        (out, tag)
    }

    /// Compares one kernel with `wanted`, the result of the portable form.
    fn check(&self, wanted: &(Vec<u8>, Vec<u8>), mode: &impl Aead) {
        let (nonce, aad) = (&self.nonce, &self.aad);
        assert_eq!(&self.seal(mode), wanted);
        let (sealed, tag) = wanted;
        let mut out = vec![0xff; sealed.len()];
        mode.decrypt_into(nonce, aad, sealed, &mut out, tag)
            .expect("genuine");
        assert_eq!(out, self.message);

        let (mut sealed, mut tag, mut aad) = (sealed.clone(), tag.clone(), aad.clone());
        let bits = 8 * (sealed.len() + tag.len() + aad.len());
        let (byte, bit) = (self.flip % bits / 8, 1 << (self.flip % 8));
        let changed = sealed.iter_mut().chain(&mut tag).chain(&mut aad).nth(byte);
        *changed.expect("a tag has a byte") ^= bit;
        let forged = mode.decrypt(nonce, &aad, &mut sealed, &tag);
        // With a tag of one byte, one forgery in 256 passes, so short tags may pass.
        if self.tag >= 8 || forged.is_err() {
            assert_eq!(forged, Err(AeadError::Forged));
            assert!(sealed.iter().all(|byte| *byte == 0));
        }
    }
}

/// Encrypts a message in pieces, and decrypts it in pieces.
macro_rules! pieces {
    ($case:ident, $wanted:ident, $unit:literal, $encryptor:expr, $decryptor:expr) => {{
        let (mut out, mut tag) = ($case.message.clone(), vec![0; $case.tag]);
        let mut message = $encryptor;
        for range in pieces($case.aad.len(), &$case.cuts, 1) {
            message.aad(&$case.aad[range]).unwrap();
        }
        for range in pieces(out.len(), &$case.cuts, $unit) {
            message.encrypt(&mut out[range]).unwrap();
        }
        message.finish_into(&mut tag).unwrap();
        assert_eq!((&out, &tag), (&$wanted.0, &$wanted.1));

        let mut message = $decryptor;
        for range in pieces($case.aad.len(), &$case.cuts, 1) {
            message.aad(&$case.aad[range]).unwrap();
        }
        for range in pieces(out.len(), &$case.cuts, $unit) {
            message.decrypt_unverified(&mut out[range]).unwrap();
        }
        assert_eq!(out, $case.message);
        message.verify_slice(&tag).unwrap();
    }};
}

fn gcm(input: &mut Input<'_>) {
    let kernels = <[u8; 16]>::choose(input);
    let nonce = [12, 12, 1 + input.under(40)][input.under(3)];
    let tag = [4, 8, 12, 13, 14, 15, 16][input.under(7)];
    let case = Case::new(input, nonce, tag);
    let Some(portable) = kernels.last() else {
        return;
    };
    let wanted = case.seal(&Gcm::with_kernels(&**portable, ghash::Kernel::Portable));
    for cipher in &kernels {
        for hash in ghash::Kernel::available() {
            let mode = Gcm::with_kernels(&**cipher, hash);
            case.check(&wanted, &mode);
            let nonce = &case.nonce;
            pieces!(
                case,
                wanted,
                1,
                mode.encryptor(nonce).unwrap(),
                mode.decryptor(nonce).unwrap()
            );
        }
    }
}

fn ccm(input: &mut Input<'_>) {
    let kernels = <[u8; 16]>::choose(input);
    let (nonce, tag) = (7 + input.under(7), 4 + 2 * input.under(7));
    let case = Case::new(input, nonce, tag);
    let Some(portable) = kernels.last() else {
        return;
    };
    let wanted = case.seal(&Ccm::with_cipher(&**portable));
    let lengths = ccm::Lengths {
        aad: case.aad.len() as u64,
        data: case.message.len() as u64,
        tag,
    };
    for cipher in &kernels {
        let mode = Ccm::with_cipher(&**cipher);
        case.check(&wanted, &mode);
        let nonce = &case.nonce;
        pieces!(
            case,
            wanted,
            1,
            mode.encryptor(nonce, lengths).unwrap(),
            mode.decryptor(nonce, lengths).unwrap()
        );
    }
}

fn eax<B: Choose>(input: &mut Input<'_>) {
    let kernels = B::choose(input);
    let (nonce, tag) = (input.under(40), 1 + input.under(B::SIZE));
    let case = Case::new(input, nonce, tag);
    let Some(portable) = kernels.last() else {
        return;
    };
    let wanted = case.seal(&Eax::with_cipher(&**portable));
    for cipher in &kernels {
        let mode = Eax::with_cipher(&**cipher);
        case.check(&wanted, &mode);
        pieces!(
            case,
            wanted,
            1,
            mode.encryptor(&case.nonce),
            mode.decryptor(&case.nonce)
        );
    }
}

fn ocb(input: &mut Input<'_>) {
    let kernels = <[u8; 16]>::choose(input);
    let (nonce, tag) = (1 + input.under(15), 1 + input.under(16));
    let case = Case::new(input, nonce, tag);
    let Some(portable) = kernels.last() else {
        return;
    };
    let wanted = case.seal(&Ocb::with_cipher(&**portable));
    for cipher in &kernels {
        let mode = Ocb::with_cipher(&**cipher);
        case.check(&wanted, &mode);
        let nonce = &case.nonce;
        pieces!(
            case,
            wanted,
            16,
            mode.encryptor(nonce, tag).unwrap(),
            mode.decryptor(nonce, tag).unwrap()
        );
    }
}

fn siv(input: &mut Input<'_>) {
    let (macs, ciphers) = <[u8; 16]>::choose_two(input);
    let nonce = input.under(40);
    let case = Case::new(input, nonce, 16);
    let (Some(mac), Some(cipher)) = (macs.last(), ciphers.last()) else {
        return;
    };
    let wanted = case.seal(&Siv::with_ciphers(&**mac, &**cipher));
    for (mac, cipher) in macs.iter().zip(&ciphers) {
        case.check(&wanted, &Siv::with_ciphers(&**mac, &**cipher));
    }
}

fn gcm_siv(input: &mut Input<'_>) {
    fn by<C>(input: &mut Input<'_>, length: usize)
    where
        C: Keyed + touchstone::FusedEncrypt<Block = [u8; 16]>,
    {
        let key = input.bytes(length);
        let case = Case::new(input, 12, 16);
        let mode = |kernel, hash| match GcmSiv::<C>::with_kernels(kernel, hash, &key) {
            Ok(mode) => mode,
            Err(error) => panic!("{error}"),
        };
        let last = C::Kernel::available().last().expect("a portable kernel");
        let wanted = case.seal(&mode(last, ghash::Kernel::Portable));
        for kernel in C::Kernel::available() {
            for hash in ghash::Kernel::available() {
                case.check(&wanted, &mode(kernel, hash));
            }
        }
    }
    if input.byte() & 1 == 0 {
        by::<Aes128>(input, 16);
    } else {
        by::<Aes256>(input, 32);
    }
}
