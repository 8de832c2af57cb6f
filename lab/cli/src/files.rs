//! Programs that encrypt files, as their users call them: whole files by their commands, in
//! shuffled rounds on one file system.

pub mod contender;
pub mod measured;
pub mod rounds;
pub mod timed;
