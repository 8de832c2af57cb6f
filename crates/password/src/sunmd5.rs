//! `$md5$`: the method of Alec Muffett in Solaris 9, 2002. The method computes MD5 thousands of
//! times. In each round a "coin toss", which is one bit computed from the previous result,
//! decides whether a passage of Hamlet is hashed too.
//!
//! - [Passlib] The description of `sun_md5_crypt` in Passlib's documentation
//!
//! [Passlib]: https://passlib.readthedocs.io/en/stable/lib/passlib.hash.sun_md5_crypt.html

use crate::digest::Message;
use crate::text::{self, Writer};
use crate::{Error, md5 as kamp, sha2};
use touchstone::Digest;
use touchstone::hash::{Md5, Sequence};
use zeroize::Zeroize;

/// The text of Hamlet, Act III, scene 1, by Project Gutenberg, with its final zero byte.
const HAMLET: &[u8] = b"\
To be, or not to be,--that is the question:--\n\
Whether 'tis nobler in the mind to suffer\n\
The slings and arrows of outrageous fortune\n\
Or to take arms against a sea of troubles,\n\
And by opposing end them?--To die,--to sleep,--\n\
No more; and by a sleep to say we end\n\
The heartache, and the thousand natural shocks\n\
That flesh is heir to,--'tis a consummation\n\
Devoutly to be wish'd. To die,--to sleep;--\n\
To sleep! perchance to dream:--ay, there's the rub;\n\
For in that sleep of death what dreams may come,\n\
When we have shuffled off this mortal coil,\n\
Must give us pause: there's the respect\n\
That makes calamity of so long life;\n\
For who would bear the whips and scorns of time,\n\
The oppressor's wrong, the proud man's contumely,\n\
The pangs of despis'd love, the law's delay,\n\
The insolence of office, and the spurns\n\
That patient merit of the unworthy takes,\n\
When he himself might his quietus make\n\
With a bare bodkin? who would these fardels bear,\n\
To grunt and sweat under a weary life,\n\
But that the dread of something after death,--\n\
The undiscover'd country, from whose bourn\n\
No traveller returns,--puzzles the will,\n\
And makes us rather bear those ills we have\n\
Than fly to others that we know not of?\n\
Thus conscience does make cowards of us all;\n\
And thus the native hue of resolution\n\
Is sicklied o'er with the pale cast of thought;\n\
And enterprises of great pith and moment,\n\
With this regard, their currents turn awry,\n\
And lose the name of action.--Soft you now!\n\
The fair Ophelia!--Nymph, in thy orisons\n\
Be all my sins remember'd.\n\0";

/// The length of a result in bytes.
const RESULT: usize = 16;

const ROUNDS: u64 = 4096;
const ROUNDS_MOST: u64 = 0xffff_ffff;

/// The rounds of a phrase.
pub(crate) struct Rounds {
    short: Message<Md5>,
    long: Message<Md5>,
    /// Whether the coin toss of this round has chosen the long message.
    is_long: bool,
    round: u32,
    rounds: u32,
    result: Digest<16>,
}

impl Rounds {
    /// Prepares the message of this round.
    fn toss(&mut self) {
        self.is_long = coin(self.result.as_ref(), self.round);
        let (message, end) = if self.is_long {
            (&mut self.long, RESULT + HAMLET.len())
        } else {
            (&mut self.short, RESULT)
        };
        message.put(0, self.result.as_ref());
        message.finish_with(end, text::digits(self.round.into(), &mut [0; 20]));
    }
}

impl Drop for Rounds {
    fn drop(&mut self) {
        self.result.zeroize();
    }
}

impl Sequence<Digest<16>> for Rounds {
    fn message(&self) -> &[u8] {
        match self {
            // The number of rounds has wrapped to zero.
            Self { rounds: 0, .. } => &[],
            Self { is_long: true, .. } => self.long.padded(),
            Self { .. } => self.short.padded(),
        }
    }

    fn next(&mut self, digest: &Digest<16>) -> bool {
        self.result = *digest;
        self.round += 1;
        if self.round == self.rounds {
            return false;
        }
        self.toss();
        true
    }
}

/// Prepares the rounds of a phrase, and writes the hash up to the result.
pub(crate) fn begin(phrase: &[u8], setting: &[u8], out: &mut Writer<'_>) -> Result<Rounds, Error> {
    let (rounds, salt) = salt(setting)?;
    out.bytes(salt)?;
    out.byte(b'$')?;
    if out.room() < 22 {
        return Err(Error::OutputTooSmall);
    }
    let mut first = Md5::new();
    first.update(phrase);
    first.update(salt);
    let result = first.finalize();
    // The messages have room for the round number with the most digits.
    let number = [0; 10];
    let mut rounds = Rounds {
        short: Message::new(&[result.as_ref(), &number])?,
        long: Message::new(&[result.as_ref(), HAMLET, &number])?,
        is_long: false,
        round: 0,
        rounds,
        result,
    };
    rounds.toss();
    Ok(rounds)
}

/// Writes the result of the rounds.
pub(crate) fn end(rounds: &Rounds, out: &mut Writer<'_>) -> Result<(), Error> {
    kamp::write(&rounds.result, out)
}

/// Returns the number of rounds, and the part of the setting that is hashed as salt. That part
/// ends before the `$` after the salt. If nothing or another `$` follows this `$`, the part
/// includes the `$`. The number of rounds wraps at 32 bits.
fn salt(setting: &[u8]) -> Result<(u32, &[u8]), Error> {
    let mut rest = setting
        .strip_prefix(b"$md5")
        .and_then(|text| text.strip_prefix(b"$").or(text.strip_prefix(b",")))
        .ok_or(Error::Setting)?;
    let mut rounds = ROUNDS;
    if let Some(text) = rest.strip_prefix(b"rounds=") {
        let (number, text) = sha2::given_rounds(text)?;
        if number > ROUNDS_MOST {
            return Err(Error::Setting);
        }
        rounds += number;
        rest = text;
    }
    let rest = &rest[text::span(rest)..];
    let salt = match rest {
        [] => setting.len(),
        [b'$'] | [b'$', b'$', ..] => setting.len() - rest.len() + 1,
        [b'$', ..] => setting.len() - rest.len(),
        _ => return Err(Error::Setting),
    };
    Ok((rounds as u32, &setting[..salt]))
}

/// Computes the "coin toss" of [Passlib], step 3.
fn coin(digest: &[u8], round: u32) -> bool {
    let bit = |n: u32| u32::from(digest[(n / 8 % 16) as usize] >> (n % 8) & 1);
    // `pick` collects eight bits. Two bytes of the digest select each bit; the indices of these
    // two bytes differ by three.
    let pick = |start: usize| {
        (0..8).fold(0, |picked, i| {
            let a = u32::from(digest[start + i]);
            let b = u32::from(digest[(start + i + 3) % 16]);
            let v = u32::from(digest[(a >> (b % 5)) as usize % 16]);
            picked | bit(v >> (b >> (a % 8) & 1)) << i
        })
    };
    let x = pick(0) >> bit(round);
    let y = pick(8) >> bit(round.wrapping_add(64));
    bit(x) ^ bit(y) == 1
}

pub(crate) fn gensalt(
    cost: u64,
    random: &[u8],
    size: usize,
    out: &mut Writer<'_>,
) -> Result<(), Error> {
    if size < "$md5,rounds=4294963199$12345678$".len() + 1 {
        return Err(Error::OutputTooSmall);
    }
    let Some((chooser, salt)) = random
        .split_first_chunk::<2>()
        .filter(|(_, salt)| salt.len() >= 6)
    else {
        return Err(Error::Random);
    };
    let rounds = cost.clamp(0x8000, ROUNDS_MOST - 0x10000);
    let rounds = rounds + u64::from(u16::from_be_bytes(*chooser));
    out.bytes(b"$md5,rounds=")?;
    out.number(rounds)?;
    out.byte(b'$')?;
    out.base64(&salt[..6])?;
    out.byte(b'$')
}
