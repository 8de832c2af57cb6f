//! Answers that no package contains, typed in from standards and papers in our own
//! format. The files lie in `typed/`.

use super::{Sink, Source};
use anyhow::{Result, anyhow};

const FILES: &[(&str, &str)] = &[
    ("abc", include_str!("typed/abc.vec")),
    ("aegis", include_str!("typed/aegis.vec")),
    ("ciphers", include_str!("typed/ciphers.vec")),
    ("derivations", include_str!("typed/derivations.vec")),
    ("freesec", include_str!("typed/freesec.vec")),
    ("hc256", include_str!("typed/hc256.vec")),
    ("generators", include_str!("typed/generators.vec")),
    ("hashes", include_str!("typed/hashes.vec")),
    ("phelix", include_str!("typed/phelix.vec")),
    ("schemes", include_str!("typed/schemes.vec")),
    ("signatures", include_str!("typed/signatures.vec")),
    ("streams", include_str!("typed/streams.vec")),
    ("turing", include_str!("typed/turing.vec")),
];

/// Adds the records of every file.
pub(crate) fn import(sink: &mut Sink) -> Result<()> {
    for (name, text) in FILES {
        read(name, text, sink)?;
    }
    Ok(())
}

fn read(name: &str, text: &str, sink: &mut Sink) -> Result<()> {
    let file = touchstone_vectors::parse(text)
        .map_err(|(line, reason)| anyhow!("typed/{name}.vec:{line}: {reason}"))?;
    sink.begin(Source {
        slug: "typed",
        about: file.source,
        pin: None,
        licence: "MIT OR Apache-2.0",
        most: usize::MAX,
        bytes: usize::MAX,
    });
    for vector in file.vectors {
        sink.add(touchstone_vectors::Vector { line: 0, ..vector });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::sink;
    use super::*;

    #[test]
    fn typed_files_are_read() {
        let mut sink = sink();
        import(&mut sink).unwrap();
        assert!(sink.answers.len() > 30);
        assert!(sink.answers.iter().all(|(_, v)| !v.name.is_empty()));
    }

    #[test]
    fn mistakes_name_file_and_line() {
        let error = read("x", "# source: s\n# licence: l\n[a b]\nbad\n", &mut sink()).unwrap_err();
        assert!(error.to_string().starts_with("typed/x.vec:4:"), "{error}");
    }
}
