//! One line of the protocol: a verb and its fields.

use std::fmt;

/// Why a line, or a field in it, could not be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WireError {
    /// The line is empty or its verb is not one the protocol has.
    Verb(String),
    /// A field that the verb needs is not there.
    Missing(&'static str),
    /// A field is there, but its value does not parse.
    Value {
        /// The field's key.
        field: String,
        /// The value as received, cut to 80 characters.
        value: String,
    },
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verb(line) => write!(f, "not a message of this protocol: {line:?}"),
            Self::Missing(field) => write!(f, "the field {field}= is missing"),
            Self::Value { field, value } => write!(f, "the field {field}= cannot be {value:?}"),
        }
    }
}

impl std::error::Error for WireError {}

/// A verb and its fields, in order, decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The first word of the line.
    pub verb: String,
    fields: Vec<(String, String)>,
}

impl Line {
    /// A line without fields.
    pub fn new(verb: &str) -> Self {
        Self {
            verb: verb.to_owned(),
            fields: Vec::new(),
        }
    }

    /// Adds a field.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.fields.push((key.to_owned(), value.to_string()));
        self
    }

    /// Adds a field unless the value is empty: absent and empty mean the same.
    #[must_use]
    pub fn with_text(self, key: &str, value: &str) -> Self {
        if value.is_empty() {
            self
        } else {
            self.with(key, value)
        }
    }

    /// The value of a field, or the empty string.
    pub fn text(&self, key: &str) -> &str {
        self.fields
            .iter()
            .find(|(k, _)| k == key)
            .map_or("", |(_, v)| v)
    }

    /// The value of a field that must be there.
    pub fn required(&self, key: &'static str) -> Result<&str, WireError> {
        match self.text(key) {
            "" => Err(WireError::Missing(key)),
            value => Ok(value),
        }
    }

    /// A field parsed as `T`; `None` where the field is absent.
    pub fn parsed<T: std::str::FromStr>(&self, key: &str) -> Result<Option<T>, WireError> {
        match self.text(key) {
            "" => Ok(None),
            value => value.parse().map(Some).map_err(|_| bad(key, value)),
        }
    }

    /// Every field whose key starts with `prefix`, the prefix taken off.
    pub fn prefixed<'a>(
        &'a self,
        prefix: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a str)> + 'a {
        self.fields
            .iter()
            .filter_map(move |(k, v)| k.strip_prefix(prefix).map(|k| (k, v.as_str())))
    }
}

/// The error for a field whose value does not parse.
pub(crate) fn bad(field: &str, value: &str) -> WireError {
    WireError::Value {
        field: field.to_owned(),
        value: value.chars().take(80).collect(),
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.verb)?;
        for (key, value) in &self.fields {
            write!(f, " {key}=")?;
            for c in value.chars() {
                if c == '%' || c == ' ' || c.is_control() {
                    let mut utf8 = [0; 4];
                    for byte in c.encode_utf8(&mut utf8).bytes() {
                        write!(f, "%{byte:02x}")?;
                    }
                } else {
                    write!(f, "{c}")?;
                }
            }
        }
        Ok(())
    }
}

impl std::str::FromStr for Line {
    type Err = WireError;

    fn from_str(text: &str) -> Result<Self, WireError> {
        let mut words = text.trim_end_matches(['\r', '\n']).split(' ');
        let verb = words.next().unwrap_or_default();
        if verb.is_empty() || !verb.bytes().all(|b| b.is_ascii_lowercase() || b == b'-') {
            return Err(WireError::Verb(text.chars().take(80).collect()));
        }
        let mut line = Line::new(verb);
        for word in words.filter(|w| !w.is_empty()) {
            let (key, value) = word.split_once('=').ok_or_else(|| bad(word, ""))?;
            line.fields.push((
                key.to_owned(),
                decode(value).ok_or_else(|| bad(key, value))?,
            ));
        }
        Ok(line)
    }
}

fn decode(value: &str) -> Option<String> {
    if !value.contains('%') {
        return Some(value.to_owned());
    }
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((&b, tail)) = rest.split_first() {
        if b == b'%' {
            let digits = std::str::from_utf8(tail.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &tail[2..];
        } else {
            bytes.push(b);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_survives_the_wire() {
        for text in [
            "plain",
            "two words",
            "100 %",
            "a=b",
            "tab\tnewline\n",
            "é☃",
            "%20",
        ] {
            let line = Line::new("failed").with("reason", text);
            let wire = line.to_string();
            assert_eq!(wire.split(' ').count(), 2, "{wire}");
            assert_eq!(wire.parse::<Line>().unwrap(), line);
        }
    }

    #[test]
    fn garbage_is_an_error_and_never_a_panic() {
        for text in [
            "",
            "\n",
            "Hello",
            "{}",
            "ok reason",
            "ok r=%2",
            "ok r=%zz",
            "ok r=%ff",
            "é x=1",
        ] {
            assert!(text.parse::<Line>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn absent_and_empty_fields_read_the_same() {
        let line: Line = "opened id=3 note=".parse().unwrap();
        assert_eq!(line.text("note"), line.text("nothing"));
        assert_eq!(line.required("note"), Err(WireError::Missing("note")));
        assert_eq!(line.parsed::<u32>("id"), Ok(Some(3)));
        assert!(line.parsed::<u32>("id").is_ok());
        assert!(
            "opened id=x"
                .parse::<Line>()
                .unwrap()
                .parsed::<u32>("id")
                .is_err()
        );
    }
}
