//! Authenticated encryption.

use touchstone::dynamic::{self, AeadAlgorithm, Options};
use touchstone_worker::{AEADS, Direction, Failure, Message, Plan, Text, Work, Written, algorithm};

use crate::Touchstone;
use crate::by_name::{failure, in_out, keyed, options, set_key};

#[derive(Clone)]
pub(crate) struct Aead {
    algorithm: AeadAlgorithm,
    options: Options<'static>,
    way: Direction,
    tag: usize,
}

/// An AEAD with its key.
pub(crate) struct Sealer {
    aead: dynamic::Aead,
    /// Whether the tag is before the ciphertext.
    tag_first: bool,
}

impl Plan for Aead {
    type Library = Touchstone;
    type Object = Option<Sealer>;
    const OPERATIONS: &'static [&'static str] = AEADS;
    const IN_PLACE: bool = true;

    fn find(_: &Touchstone, primitive: &str, operation: &str) -> Option<Self> {
        let (_, way) = Direction::split(operation)?;
        let algorithm = dynamic::Aead::find(&algorithm(primitive, operation)).ok()?;
        Some(Self {
            algorithm,
            options: Options::default(),
            way,
            tag: algorithm.longest_tag(),
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        let way = self.way.choose("encrypt", "decrypt");
        format!("dynamic::Aead::{way}_inout")
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.options = options(work);
        self.tag = work.tag.unwrap_or(self.tag);
        Ok(self)
    }

    fn make(&self) -> Result<Option<Sealer>, Failure> {
        Ok(None)
    }

    fn set_key(&self, sealer: &mut Option<Sealer>, key: &[u8]) -> Result<(), Failure> {
        let first = |key: &[u8]| {
            let aead = self.algorithm.with(key, &self.options)?;
            let aead = aead.with_insecure_tag(self.tag)?;
            let tag_first = aead.tag_first();
            Ok(Sealer { aead, tag_first })
        };
        set_key(sealer, key, first, |sealer, key| sealer.aead.rekey(key))
    }

    #[inline(always)]
    fn transform(
        &self,
        sealer: &mut Option<Sealer>,
        message: &Message<'_>,
        text: Text<'_>,
    ) -> Written {
        let Message { nonce, aad, .. } = *message;
        let Sealer { aead, tag_first } = keyed(sealer)?;
        match self.way {
            Direction::Encrypt => {
                let length = text.length();
                let (data, tag) = if *tag_first {
                    let (input, output) = text.apart()?;
                    let (tag, data) = output.split_at_mut(self.tag);
                    (Text::Apart(input, data), tag)
                } else {
                    text.with_rest()
                };
                aead.encrypt_inout(nonce, aad, in_out(data)?, &mut tag[..self.tag])
                    .map_or_else(|error| Err(failure(error)), |()| Ok(length + self.tag))
            }
            Direction::Decrypt => {
                let (input, output) = text.apart()?;
                let length = self.way.without_tag(input.len(), self.tag)?;
                let (data, tag) = if *tag_first {
                    let (tag, data) = input.split_at(self.tag);
                    (data, tag)
                } else {
                    input.split_at(length)
                };
                aead.decrypt_inout(nonce, aad, in_out(Text::Apart(data, output))?, tag)
                    .map_or_else(|error| Err(failure(error)), |()| Ok(length))
            }
        }
    }
}
