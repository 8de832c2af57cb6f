//! Campaigns: the same measurements on many machines. A campaign file says which machines,
//! libraries and profiles; a plan makes one job of each combination; a job is one run of the lab
//! on one machine. Slurm or ssh brings jobs to machines, and a folder of plain files keeps their
//! states. `docs/campaigns.md` explains the file and the folder.

pub mod collect;
pub mod estimate;
pub mod file;
pub mod folder;
pub mod hosts;
pub mod job;
pub mod masked;
pub mod mistake;
pub mod plan;
pub mod progress;
pub mod shell;
pub mod slurm;
pub mod state;
pub mod status;
