//! Key wrap.

use touchstone::dynamic::{Error, KeyWrap, Unwrapper, Wrapper};
use touchstone_worker::{BLOCK_MODES, Direction, Failure, Message, Plan, Written, algorithm};

use crate::Touchstone;
use crate::by_name::{failure, keyed, set_key};

#[derive(Clone)]
pub(crate) struct Wrap {
    wrap: KeyWrap,
    padded: bool,
    way: Direction,
}

impl Plan for Wrap {
    type Library = Touchstone;
    /// The wrapper or the unwrapper. The direction decides which of them has the key.
    type Object = (Option<Wrapper>, Option<Unwrapper>);
    const OPERATIONS: &'static [&'static str] = BLOCK_MODES;

    fn find(_: &Touchstone, primitive: &str, operation: &str) -> Option<Self> {
        let (mode, way) = Direction::split(operation)?;
        Some(Self {
            wrap: KeyWrap::new(&algorithm(primitive, operation)).ok()?,
            padded: mode == "kwp",
            way,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        let way = self.way;
        way.choose("dynamic::Wrapper::wrap", "dynamic::Unwrapper::unwrap")
            .into()
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        Ok((None, None))
    }

    fn set_key(&self, (wrapper, unwrapper): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        match self.way {
            Direction::Encrypt => {
                set_key(wrapper, key, |key| self.wrap.wrapper(key), Wrapper::rekey)
            }
            Direction::Decrypt => {
                let first = |key: &[u8]| self.wrap.unwrapper(key);
                set_key(unwrapper, key, first, Unwrapper::rekey)
            }
        }
    }

    #[inline(always)]
    fn process(
        &self,
        (wrapper, unwrapper): &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let given = message.input.len();
        let written = match self.way {
            Direction::Encrypt => {
                let secret = if self.padded {
                    given.next_multiple_of(8)
                } else {
                    given
                };
                let wrapped = &mut output[..secret + 8];
                let done = keyed(wrapper)?.wrap(message.input, wrapped);
                done.map(|()| secret + 8)
            }
            Direction::Decrypt => {
                let room = given.saturating_sub(8);
                keyed(unwrapper)?.unwrap(message.input, &mut output[..room])
            }
        };
        written.map_err(|error| match error {
            // A secret or a wrapped key of an impossible length counts as rejected.
            Error::MessageLength => Failure::Rejected,
            other => failure(other),
        })
    }
}
