//! Stream ciphers: known answers over every kernel, in pieces, in place and out of place,
//! and from any place.

mod answers;

use answers::{Answers, Done};
use touchstone::stream::*;
use touchstone::{Keyed, StreamCipher, StreamKey};
use touchstone_vectors::{Vector, Verdict};

#[test]
fn known_answers() {
    let mut answers = Answers::of("stream");
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Key:ident $(, $seek:ident)?;)*) => {$(
            $(#[$cfg])*
            answers.each($id, |kernel, v, place| {
                let (Ok(key), Verdict::Valid) = (<$Key>::with_kernel(kernel, &v.key), v.verdict)
                else {
                    return Done::Lacking("a key that the cipher does not take");
                };
                let Ok(stream) = key.stream_from_slice(&v.nonce) else {
                    return Done::Lacking("a nonce that the cipher does not take");
                };
                let start = match (v.cost("counter"), v.cost("drop")) {
                    (None, None) => 0,
                    (Some(blocks), None) => blocks * 64,
                    (None, Some(bytes)) => bytes,
                    both => panic!("{place}: {both:?}"),
                };
                let mut entered = stream.clone();
                skip!(entered, start $(, $seek)?);
                check(v, place, entered)
            });
        )*};
    }
    /// Goes to a byte of a stream that cannot seek, or can.
    macro_rules! skip {
        ($stream:ident, $byte:ident) => {
            $stream.keystream(&mut vec![0; $byte as usize])
        };
        ($stream:ident, $byte:ident, seek) => {
            $stream.seek($byte)
        };
    }
    touchstone::stream::streams!(each!);
    answers.report();
}

fn check<S: StreamCipher + Clone>(v: &Vector, place: &str, stream: S) -> Done {
    let input = match v.operation.as_str() {
        "stream-encrypt" => v.input.clone(),
        "stream-keystream" => vec![0; v.output.len()],
        _ => return Done::Lacking("another operation"),
    };
    let mut output = vec![0xff; input.len()];
    stream.clone().apply_into(&input, &mut output).unwrap();
    assert_eq!(output, v.output, "{place}, out of place");
    for piece in [1, 13, 63, 64, 65, 200, 1024] {
        let mut data = input.clone();
        let mut stream = stream.clone();
        data.chunks_mut(piece).for_each(|piece| stream.apply(piece));
        assert_eq!(data, v.output, "{place}, in pieces of {piece}");
    }
    Done::Right
}

#[test]
fn every_place_can_be_entered() {
    macro_rules! each {
        ($($(#[$cfg:meta])* $id:literal = $Key:ident $(, $seek:ident)?;)*) => {$( $(#[$cfg])* entered!($Key $(, $seek)?); )*};
    }
    macro_rules! entered {
        ($Key:ident) => {};
        ($Key:ident, seek) => {
            let nonce = vec![7; <$Key as StreamKey>::NONCE_LENGTHS.min];
            let key = <$Key as Keyed>::new(&[9; 32]).unwrap();
            let mut stream = key.stream_from_slice(&nonce).unwrap();
            let mut whole = [0; 3000];
            stream.keystream(&mut whole);
            for place in (0..2900).rev().step_by(37) {
                stream.seek(place as u64);
                let mut part = [0; 100];
                stream.keystream(&mut part);
                assert_eq!(part, whole[place..place + 100], "{place}");
            }
            // Over the end of a counter of 32 bits.
            let end = 64 << 32;
            stream.seek(end - 640);
            let mut across = [0; 1280];
            stream.keystream(&mut across);
            for (place, wanted) in (end - 640..).zip(&across).step_by(64) {
                stream.seek(place);
                let mut byte = [0];
                stream.keystream(&mut byte);
                assert_eq!(byte[0], *wanted, "{place}");
            }
        };
    }
    touchstone::stream::streams!(each!);
}
