//! Where a database is and how it is spoken to. The password never leaves this file but for the server.

use scumble_table::{Error, Result};
use std::net::IpAddr;
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

/// A server that does not answer is given up after this long, unless the URL says otherwise.
const CONNECT: Duration = Duration::from_secs(15);

/// A server that has fallen silent in the middle is given up after this long.
const SILENCE: Duration = Duration::from_secs(120);

/// Options whose names may stand in messages. What the parser says of others may be a piece of a password that was not
/// written as a URL demands.
const OPTIONS: [&str; 6] = ["port", "host", "hostaddr", "sslmode", "connect_timeout", "tcp_user_timeout"];

/// A database.
pub(crate) struct Address {
    pub(super) config: Config,
    /// User, host, port and database.
    pub(crate) shown: String,
}

impl Address {
    /// Reads a URL.
    ///
    /// # Errors
    /// If it cannot be read, or asks for encryption, which this program does not speak.
    pub(crate) fn parse(url: &str) -> Result<Address> {
        let wrong = |reason: String| {
            // Never the URL itself: a password may be in it.
            Error::request("to", "postgres://...", reason).hint(
                "postgres://user@host:5432/database; write special characters of a password as %XX, or set PGPASSWORD",
            )
        };
        // Behind the first one would be the rest of the password, taken for a host that may be shown.
        if url.matches('@').count() > 1 {
            return Err(wrong("there is more than one @ in the URL".into()));
        }
        let demanded = url.rsplit_once('?').into_iter().flat_map(|(_, query)| query.split('&'));
        let demands_tls = demanded
            .filter_map(|pair| pair.strip_prefix("sslmode="))
            .any(|mode| matches!(mode, "require" | "verify-ca" | "verify-full"));
        if demands_tls {
            return Err(no_tls());
        }
        let mut config: Config = url.parse().map_err(|error: tokio_postgres::Error| {
            let words = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
            match OPTIONS.iter().find(|option| words == format!("invalid value for option `{option}`")) {
                Some(option) => wrong(format!("the value of `{option}` makes no sense")),
                None => wrong("this is no URL of a database".into()),
            }
        })?;
        if config.get_ssl_mode() == SslMode::Require {
            return Err(no_tls());
        }
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(wrong("the URL names no host".into()));
        }
        if config.get_password().is_none()
            && let Ok(password) = std::env::var("PGPASSWORD")
        {
            config.password(password);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE);
        }
        config.keepalives_idle(SILENCE / 4);
        config.application_name("scumble");
        Ok(Address { shown: shown(&config), config })
    }

    /// What should be known before anything is sent.
    pub(crate) fn warning(&self) -> Option<String> {
        let far = format!("the connection to {} is not encrypted: others on the way can read the release", self.shown);
        (!is_near(&self.config)).then_some(far)
    }
}

fn no_tls() -> Error {
    Error::request("to", "sslmode", "this program does not speak TLS, and the URL demands it")
        .hint("open a tunnel, such as ssh -L 5432:localhost:5432 host, and export to localhost")
}

fn is_near(config: &Config) -> bool {
    let near = |host: &Host| match host {
        Host::Tcp(name) => {
            name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        // The client library knows sockets on Unix alone.
        #[cfg(unix)]
        Host::Unix(_) => true,
    };
    match config.get_hostaddrs() {
        [] => config.get_hosts().iter().all(near),
        addresses => addresses.iter().all(IpAddr::is_loopback),
    }
}

fn shown(config: &Config) -> String {
    let host = match (config.get_hosts().first(), config.get_hostaddrs().first()) {
        (Some(Host::Tcp(name)), _) if name.contains(':') => format!("[{name}]"),
        (Some(Host::Tcp(name)), _) => name.clone(),
        #[cfg(unix)]
        (Some(Host::Unix(path)), _) => path.display().to_string(),
        (None, Some(address)) => address.to_string(),
        (None, None) => String::new(),
    };
    let user = config.get_user().map_or(String::new(), |user| format!("{user}@"));
    let port = config.get_ports().first().copied().unwrap_or(5432);
    let database = config.get_dbname().or(config.get_user()).unwrap_or_default();
    format!("postgres://{user}{host}:{port}/{database}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_show_no_password() {
        let address = Address::parse("postgresql://ann:s3cret@db.example.org/people?sslmode=prefer").unwrap();
        assert_eq!(address.shown, "postgres://ann@db.example.org:5432/people");
        assert!(address.warning().unwrap().contains("not encrypted"));
        for near in
            ["postgres://ann@localhost/x", "postgres://ann@127.0.0.1:5499/x", "postgres://ann@[::1]/x?sslmode=disable"]
        {
            assert!(Address::parse(near).unwrap().warning().is_none(), "{near}");
        }
    }

    #[test]
    fn passwords_may_hold_anything_but_an_at_sign() {
        for url in
            ["postgres://ann:s3/cret@host/x", "postgres://ann:pa?s3cret=1@host/x", "postgres://ann:s3%40:cret@host/x"]
        {
            assert_eq!(Address::parse(url).unwrap().shown, "postgres://ann@host:5432/x");
        }
    }

    #[test]
    fn what_cannot_be_read_is_refused_without_being_shown() {
        for url in [
            "postgres://ann:s3cret@host:port/x",
            "postgres://ann:pass@s3cret@host/x",
            "postgres://ann:pa@s3/cret@host/x",
            "postgres://ann:s3cret",
            "postgres://ann:s3cret@/x",
            "postgres://",
            "postgres://ann:s3cret@host/x?colour=s3cret",
        ] {
            let Err(error) = Address::parse(url) else { panic!("{url}") };
            assert!(!error.to_string().contains("s3"), "{error}");
            assert_eq!(error.exit_code(), 2);
        }
        for mode in ["require", "verify-ca", "verify-full"] {
            let Err(error) = Address::parse(&format!("postgres://ann:s3cret@host/x?sslmode={mode}")) else { panic!() };
            assert!(error.to_string().contains("TLS") && error.to_string().contains("tunnel"), "{error}");
        }
    }
}
