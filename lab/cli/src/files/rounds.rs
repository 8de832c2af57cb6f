//! The rounds: every program seals and opens the same file, in a new order each time.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};

use super::contender::{Found, filled};
use super::measured::{Cell, Sample, Way};
use super::timed::{self, Stopped};

/// A secret key of X25519 and its public key: the example of <https://c2sp.org/age>. All programs
/// with keys use it, so that they do the same work.
const KEY: &str = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX\n";
const PUBLIC: &str = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";
const PHRASE: &str = "correct horse battery staple\n";

/// What to measure.
#[derive(Debug)]
pub struct Settings {
    /// Lengths of files in bytes.
    pub sizes: Vec<u64>,
    /// Timed calls of each command.
    pub rounds: usize,
    /// The folder whose file system is used.
    pub folder: PathBuf,
    /// The longest time of one call.
    pub limit: Duration,
}

/// The folder of one measurement.
struct Bench<'a> {
    folder: PathBuf,
    found: &'a [Found],
    limit: Duration,
    stop: &'a AtomicBool,
}

/// Measures all programs that are there. `step` is called after every command. After `stop`, the
/// whole rounds so far are returned.
///
/// # Errors
///
/// If the folder has no room, or cannot be written.
pub fn measure(
    found: &[Found],
    settings: &Settings,
    stop: &AtomicBool,
    step: &dyn Fn(),
) -> anyhow::Result<Vec<Cell>> {
    let place = settings.folder.display();
    let folder = tempfile::Builder::new()
        .prefix("touchstone-files.")
        .tempdir_in(&settings.folder)
        .with_context(|| format!("making a folder in {place} (--folder)"))?;
    let bench = Bench {
        folder: folder.path().to_path_buf(),
        found,
        limit: settings.limit,
        stop,
    };
    let mut cells = Vec::new();
    let result = bench.prepare().and_then(|()| {
        for &bytes in &settings.sizes {
            bench.size(bytes, settings.rounds, &mut cells, step)?;
        }
        anyhow::Ok(())
    });
    bench.finish();
    match result {
        Err(error) if !error.is::<Stopped>() => Err(error),
        _ => Ok(cells),
    }
}

impl Bench<'_> {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A contender's own folder.
    fn home(&self, contender: usize) -> PathBuf {
        self.path(&format!("home-{contender}"))
    }

    fn sealed(&self, contender: usize) -> PathBuf {
        self.path(&format!("sealed-{contender}"))
    }

    fn prepare(&self) -> anyhow::Result<()> {
        for (name, text) in [("key", KEY), ("phrase", PHRASE)] {
            fs::write(self.path(name), text)?;
            fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o600))?;
        }
        for contender in 0..self.found.len() {
            fs::DirBuilder::new()
                .mode(0o700)
                .create(self.home(contender))?;
        }
        Ok(())
    }

    /// Ends what programs have left running.
    fn finish(&self) {
        for (contender, one) in self.found.iter().enumerate() {
            let Some((program, arguments)) = one.contender.finish.split_first() else {
                continue;
            };
            let home = self.home(contender);
            if one.path.is_some() && home.is_dir() {
                let arguments = filled(arguments, &[("home", &home)]);
                // A server that was never started cannot be ended.
                let never = AtomicBool::new(false);
                let _ = timed::run(Path::new(program), &arguments, &home, self.limit, &never);
            }
        }
    }

    /// Calls a command once. The output is in `out` afterwards.
    fn call(&self, contender: usize, way: Way) -> anyhow::Result<Sample> {
        let one = &self.found[contender];
        let program = one.path.as_deref().context("the program is absent")?;
        let arguments = match way {
            Way::Seal => &one.contender.seal,
            Way::Open => &one.contender.open,
        };
        let (home, out) = (self.home(contender), self.path("out"));
        let places: [(&str, &Path); 7] = [
            ("content", &self.path("content")),
            ("sealed", &self.sealed(contender)),
            ("out", &out),
            ("home", &home),
            ("key", &self.path("key")),
            ("public", Path::new(PUBLIC)),
            ("phrase", &self.path("phrase")),
        ];
        let arguments = filled(arguments, &places);
        let usage = timed::run(program, &arguments, &home, self.limit, self.stop)?;
        let start = Instant::now();
        let file = File::open(&out).context("it has written no file")?;
        file.sync_all().context("fsync")?;
        Ok(Sample {
            usage,
            disk: usage.seconds + start.elapsed().as_secs_f64(),
        })
    }

    /// Calls both commands once, and compares the content. This also warms the caches.
    fn verify(&self, contender: usize) -> anyhow::Result<()> {
        let out = self.path("out");
        self.call(contender, Way::Seal).context("seal")?;
        fs::rename(&out, self.sealed(contender))?;
        self.call(contender, Way::Open).context("open")?;
        ensure!(
            same(&self.path("content"), &out)?,
            "open: the content differs from what was sealed"
        );
        fs::remove_file(&out)?;
        Ok(())
    }

    /// Measures files of one length.
    fn size(
        &self,
        bytes: u64,
        rounds: usize,
        cells: &mut Vec<Cell>,
        step: &dyn Fn(),
    ) -> anyhow::Result<()> {
        let present = self.found.iter().filter(|one| one.path.is_some()).count() as u64;
        room(&self.folder, bytes.saturating_mul(present + 2))?;
        content(&self.path("content"), bytes)?;
        let first = cells.len();
        for (contender, one) in self.found.iter().enumerate() {
            if one.path.is_none() {
                continue;
            }
            let failure = match self.verify(contender) {
                Ok(()) => String::new(),
                Err(error) if error.is::<Stopped>() => return Err(error),
                Err(error) => format!("{error:#}"),
            };
            let _ = fs::remove_file(self.path("out"));
            for way in Way::BOTH {
                step();
                cells.push(Cell {
                    program: contender,
                    way,
                    bytes,
                    samples: Vec::new(),
                    failure: failure.clone(),
                });
            }
        }
        for round in 0..rounds {
            let done = self.round(bytes, &mut cells[first..], step);
            if done.is_err() {
                // Only whole rounds can be compared.
                cells[first..]
                    .iter_mut()
                    .for_each(|cell| cell.samples.truncate(round));
            }
            done?;
        }
        for contender in 0..self.found.len() {
            let _ = fs::remove_file(self.sealed(contender));
        }
        Ok(())
    }

    fn round(&self, bytes: u64, cells: &mut [Cell], step: &dyn Fn()) -> anyhow::Result<()> {
        let mut order: Vec<usize> = (0..cells.len()).collect();
        order.shuffle(&mut rand::rng());
        for place in order {
            let cell = &mut cells[place];
            if cell.failure.is_empty() {
                match self.timed(cell.program, cell.way, bytes) {
                    Ok(sample) => cell.samples.push(sample),
                    Err(error) if error.is::<Stopped>() => return Err(error),
                    Err(error) => {
                        cell.failure = format!("{}: {error:#}", cell.way.name());
                        cell.samples.clear();
                    }
                }
            }
            let _ = fs::remove_file(self.path("out"));
            step();
        }
        Ok(())
    }

    fn timed(&self, contender: usize, way: Way, bytes: u64) -> anyhow::Result<Sample> {
        let sample = self.call(contender, way)?;
        let length = fs::metadata(self.path("out"))?.len();
        let right = match way {
            // rage adds lines of a random length to the header.
            Way::Seal => length >= bytes,
            Way::Open => length == bytes,
        };
        ensure!(right, "it has written {length} bytes");
        Ok(sample)
    }
}

/// Checks that a file system has room.
fn room(folder: &Path, bytes: u64) -> anyhow::Result<()> {
    let facts = rustix::fs::statvfs(folder).context("statvfs")?;
    let free = facts.f_bavail.saturating_mul(facts.f_frsize);
    if free < bytes {
        bail!(
            "{} has {} MiB free, and the files need {} MiB: choose smaller --sizes, fewer programs \
             (--only) or another --folder",
            folder.display(),
            free >> 20,
            bytes >> 20
        );
    }
    Ok(())
}

/// Writes a file of random bytes, which nothing can compress.
fn content(path: &Path, bytes: u64) -> anyhow::Result<()> {
    let attempt = || -> io::Result<()> {
        let mut file = File::create(path)?;
        let mut random = StdRng::seed_from_u64(bytes);
        let mut piece = vec![0; 1 << 20];
        let mut left = bytes;
        while left > 0 {
            let length = left.min(piece.len() as u64);
            let part = &mut piece[..length as usize];
            random.fill_bytes(part);
            file.write_all(part)?;
            left -= length;
        }
        file.sync_all()
    };
    attempt().with_context(|| format!("writing {}", path.display()))
}

/// Whether two files have the same content.
fn same(a: &Path, b: &Path) -> io::Result<bool> {
    let (mut a, mut b) = (
        File::open(a)?,
        BufReader::with_capacity(1 << 20, File::open(b)?),
    );
    if a.metadata()?.len() != b.get_ref().metadata()?.len() {
        return Ok(false);
    }
    let (mut first, mut second) = (vec![0; 1 << 20], vec![0; 1 << 20]);
    loop {
        let length = a.read(&mut first)?;
        if length == 0 {
            return Ok(true);
        }
        b.read_exact(&mut second[..length])?;
        if first[..length] != second[..length] {
            return Ok(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_compared_byte_by_byte() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        content(&path("a"), (1 << 20) + 7).unwrap();
        content(&path("b"), (1 << 20) + 7).unwrap();
        assert!(same(&path("a"), &path("b")).unwrap());
        let mut bytes = fs::read(path("b")).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(path("b"), &bytes).unwrap();
        assert!(!same(&path("a"), &path("b")).unwrap());
        fs::write(path("b"), &bytes[1..]).unwrap();
        assert!(!same(&path("a"), &path("b")).unwrap());
    }

    #[test]
    fn a_disk_without_room_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(room(folder.path(), 1).is_ok());
        let error = room(folder.path(), u64::MAX).unwrap_err().to_string();
        assert!(error.contains("--folder"), "{error}");
    }
}
