//! The address of a database: `postgres://USER@HOST:PORT/DATABASE?sslmode=…`. Parts that it leaves
//! out come from libpq's environment variables, and else from libpq's defaults.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{anyhow, bail};
use postgres::Config;
use postgres::config::{Host, SslMode};

use super::password;
use crate::output;

/// Where a server of this machine listens, on Debian and on most other systems.
const SOCKETS: &str = "/var/run/postgresql";

/// A parsed address.
pub(super) struct Address {
    /// The parameters of the connection.
    pub(super) config: Config,
    /// How the connection is protected.
    pub(super) tls: Tls,
    /// The file with the certificates that are trusted; the system's if there is none.
    pub(super) roots: Option<PathBuf>,
    /// The address without a password, for messages.
    pub(super) name: String,
}

/// libpq's `sslmode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tls {
    /// No TLS.
    Disable,
    /// TLS if the server has it; the certificate is not checked.
    Prefer,
    /// TLS; the certificate is checked only if `sslrootcert` is given.
    Require,
    /// TLS; the certificate must lead to a trusted one.
    VerifyCa,
    /// TLS; the certificate must also be that of the host.
    VerifyFull,
}

impl Tls {
    fn parse(text: &str) -> anyhow::Result<Self> {
        Ok(match text {
            "disable" => Self::Disable,
            "allow" | "prefer" => Self::Prefer,
            "require" => Self::Require,
            "verify-ca" => Self::VerifyCa,
            "verify-full" => Self::VerifyFull,
            other => bail!(
                "sslmode={other}: it is one of disable, prefer, require, verify-ca, verify-full"
            ),
        })
    }
}

impl Address {
    /// Parses an address, and looks for the password.
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        let shown = super::super::address::without_password(text);
        let (base, query) = text.split_once('?').unwrap_or((text, ""));
        let (mut tls, mut roots, mut others) = (None, None, Vec::new());
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("sslmode", mode)) => tls = Some(Tls::parse(mode)?),
                Some(("sslrootcert", path)) => roots = Some(PathBuf::from(decoded(path)?)),
                _ => others.push(pair),
            }
        }
        let plain = match others.is_empty() {
            true => base.to_owned(),
            false => format!("{base}?{}", others.join("&")),
        };
        // The crate's error could repeat a part of the address, and so the password.
        let mut config: Config = plain.parse().map_err(|_| {
            anyhow!("{shown} is no address of a database: postgres://USER@HOST:PORT/DATABASE")
        })?;
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        if config.get_hosts().is_empty() {
            config.host(&variable("PGHOST").unwrap_or_else(|| SOCKETS.to_owned()));
        }
        if config.get_ports().is_empty() {
            let port = variable("PGPORT").unwrap_or_else(|| "5432".to_owned());
            let port = port
                .parse()
                .map_err(|_| anyhow!("PGPORT={port} is no port"))?;
            config.port(port);
        }
        if config.get_user().is_none_or(str::is_empty) {
            let user = ["PGUSER", "USER", "LOGNAME"].into_iter().find_map(variable);
            config.user(&user.ok_or_else(|| anyhow!("{shown}: it names no user"))?);
        }
        let user = config.get_user().unwrap_or_default().to_owned();
        if config.get_dbname().is_none_or(str::is_empty) {
            config.dbname(&variable("PGDATABASE").unwrap_or_else(|| user.clone()));
        }
        config.application_name("touchstone");
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(10));
        }
        let (host, port) = (host(&config), config.get_ports()[0].to_string());
        let database = config.get_dbname().unwrap_or_default().to_owned();
        if config.get_password().is_some() {
            output::say(
                "the password in the store's address can be seen by others (in ps, in the shell's \
                 history): PGPASSWORD or the file ~/.pgpass keeps it",
            );
        } else if let Some(password) = password::find([&host, &port, &database, &user]) {
            config.password(password);
        }
        let tls = match tls {
            Some(tls) => tls,
            None => match variable("PGSSLMODE") {
                Some(mode) => Tls::parse(&mode)?,
                // Between machines, nothing less than a checked certificate protects the password
                // and the data; --store can say otherwise.
                None if is_local(&config) => Tls::Prefer,
                None => Tls::VerifyFull,
            },
        };
        config.ssl_mode(match tls {
            Tls::Disable => SslMode::Disable,
            Tls::Prefer => SslMode::Prefer,
            Tls::Require | Tls::VerifyCa | Tls::VerifyFull => SslMode::Require,
        });
        let roots = roots.or_else(|| variable("PGSSLROOTCERT").map(PathBuf::from));
        Ok(Self {
            config,
            tls,
            roots,
            name: format!("postgres://{user}@{host}:{port}/{database}"),
        })
    }
}

/// Returns the first host as the password file names it.
fn host(config: &Config) -> String {
    match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        Some(Host::Unix(path)) if path.as_os_str() != SOCKETS => path.display().to_string(),
        _ => "localhost".to_owned(),
    }
}

/// Returns whether the server is on this machine.
fn is_local(config: &Config) -> bool {
    config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => ["localhost", "127.0.0.1", "::1"].contains(&name.as_str()),
        Host::Unix(_) => true,
    })
}

/// Decodes the `%XX` of an address.
fn decoded(text: &str) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = rest
            .get(..2)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.ok_or_else(|| anyhow!("{text}: % needs two hexadecimal digits"))?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).map_err(|_| anyhow!("{text}: not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_libpqs_defaults_and_never_shows_its_password() {
        let address = Address::parse("postgres://ann:sec%40ret@db.example/lab").unwrap();
        assert_eq!(address.name, "postgres://ann@db.example:5432/lab");
        assert_eq!(address.config.get_password(), Some(&b"sec@ret"[..]));
        assert_eq!(address.tls, Tls::VerifyFull, "another machine");
        let address = Address::parse("postgres://ann@localhost:99/lab?connect_timeout=3").unwrap();
        assert_eq!(address.tls, Tls::Prefer);
        assert_eq!(
            address.config.get_connect_timeout(),
            Some(&Duration::from_secs(3))
        );
        let text = "postgresql://ann@h/lab?sslmode=verify-ca&sslrootcert=%2Fa%20b.pem";
        let address = Address::parse(text).unwrap();
        assert_eq!(address.tls, Tls::VerifyCa);
        assert_eq!(address.roots, Some(PathBuf::from("/a b.pem")));
        for wrong in [
            "postgres://ann:secret@h:notaport/lab",
            "postgres://ann:secret@h/lab?nonsense=1",
            "postgres://ann:secret@h/lab?sslmode=perhaps",
            "postgres://ann:secret@h/lab?sslrootcert=%2",
        ] {
            let error = format!("{:#}", Address::parse(wrong).err().unwrap());
            assert!(!error.contains("secret"), "{error}");
            assert_eq!(error.lines().count(), 1);
        }
    }
}
