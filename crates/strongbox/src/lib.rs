//! Files that a passphrase, a keyfile or a secret key opens. `docs/strongbox-format.md` describes
//! the format, and `docs/strongbox.md` the command.
//!
//! ```
//! use strongbox::{Head, Identity, Limits, OpenOptions, Passphrase, Recipient};
//! use strongbox::{SealOptions, Source, System, seal};
//!
//! let phrase = Passphrase::new(*b"six words of a poem");
//! # let costs = "memory=64,passes=1,lanes=1".parse()?;
//! # let recipient = Recipient::Passphrase(phrase.clone(), None, costs);
//! # let _ = stringify! {
//! let recipient = Recipient::Passphrase(phrase.clone(), None, Default::default());
//! # };
//! let (mut content, mut sealed) = (&b"Attack at dawn"[..], Vec::new());
//! seal(
//!     Source::Stream(&mut content),
//!     &mut sealed,
//!     &SealOptions::new(vec![recipient]),
//!     &mut System::new()?,
//!     &mut |_| Ok(()),
//! )?;
//!
//! let (mut input, mut opened) = (&sealed[..], Vec::new());
//! let identity = Identity::Passphrase(phrase, None);
//! let unlocked = Head::read(&mut input)?.unlock(&[identity], &Limits::default())?;
//! unlocked.open_stream(&mut input, &mut opened, &OpenOptions::default(), &mut |_| Ok(()))?;
//! assert_eq!(opened, b"Attack at dawn");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`seal`] and [`Unlocked`]'s methods read and write streams and files on several threads.
//! [`push::Sealer`] and [`push::Opener`] are for programs that get their bytes in pieces.
#![deny(unsafe_code)]

pub mod archive;
pub mod armor;
mod content;
mod crew;
mod end;
mod error;
mod explain;
mod file_key;
mod header;
mod metadata;
mod open;
pub mod pad;
pub mod parity;
mod payload;
pub mod push;
mod random;
mod range;
mod recipient;
mod rekey;
mod seal;
mod sign;
mod suite;
pub mod text;
mod unlock;

pub use error::{Error, Result};
pub use header::{Flags, MAGIC};
pub use metadata::Metadata;
pub use open::{OpenOptions, Opened};
pub use payload::CHUNK;
#[doc(hidden)]
pub use random::FromSeed;
pub use random::{Randomness, System};
pub use recipient::{Costs, Identity, KeyKind, Keyfile, Limits, Passphrase, Recipient, SecretKey};
pub use seal::{SealOptions, Source, Watch, seal, threads};
pub use sign::{SenderKey, SigningKey};
pub use suite::{SUITES, Suite};
pub use unlock::{Head, Needs, ReadAt, Unlocked};
