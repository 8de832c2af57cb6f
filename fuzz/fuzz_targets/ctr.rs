//! Counter mode with each rule for the counter. The keystream must be the encryption of
//! single counter blocks. After a seek to any place, in any order of places, the output must
//! be the same as without the seek.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone::mode::Ctr;
use touchstone::mode::ctr::{
    BigEndian, BigEndianHalf, LittleEndian, LittleEndianHalf, Rule, Stepwise,
};
use touchstone_fuzz::{Choose, Cipher, Input, by_block, pieces};

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let input = &mut input;
    by_block!(input, run);
});

fn run<B: Choose>(input: &mut Input<'_>) {
    match input.byte() % 5 {
        0 => by_rule::<B, _>(input, BigEndian),
        1 => by_rule::<B, _>(input, LittleEndian),
        2 => by_rule::<B, _>(input, BigEndianHalf),
        3 => by_rule::<B, _>(input, LittleEndianHalf),
        _ => by_rule::<B, _>(input, Stepwise(|block: B| block.plus(0x1_0001))),
    }
}

fn by_rule<B: Choose, R: Rule<B> + Copy>(input: &mut Input<'_>, rule: R) {
    let kernels = B::choose(input);
    let (first, cuts) = (input.block::<B>(), input.cuts());
    let places: Vec<usize> = (0..input.under(4)).map(|_| input.under(5000)).collect();
    let message = input.message(4096);
    let Some(portable) = kernels.last() else {
        return;
    };
    let wanted = by_hand(&**portable, rule, first, &message);
    for cipher in &kernels {
        let mut stream = Ctr::with_rule(&**cipher, &first, rule);
        let mut out = message.clone();
        for range in pieces(message.len(), &cuts, 1) {
            stream.apply(&mut out[range]);
        }
        assert_eq!(out, wanted);
        for place in &places {
            let place = *place % (message.len() + 1);
            let mut rest = message[place..].to_vec();
            stream.seek(place as u128);
            stream.apply(&mut rest);
            assert_eq!(rest, wanted[place..]);
        }
    }
}

fn by_hand<B: Choose>(
    cipher: &dyn Cipher<B>,
    rule: impl Rule<B>,
    mut counter: B,
    message: &[u8],
) -> Vec<u8> {
    let mut out = Vec::with_capacity(message.len());
    for block in message.chunks(B::SIZE) {
        let mut keystream = counter;
        cipher.encrypt_block(&mut keystream);
        out.extend(block.iter().zip(keystream.as_ref()).map(|(a, b)| a ^ b));
        counter = rule.advance(counter, 1);
    }
    out
}
