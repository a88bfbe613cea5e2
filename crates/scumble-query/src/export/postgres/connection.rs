//! A connection to a server: its failures in our words, and never a half-done piece of work.

use super::address::Address;
use scumble_table::{Error, Result};
use tokio::task::JoinHandle;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls, Row};

/// Values of the parameters of a statement.
type Parameters<'a> = &'a [&'a (dyn tokio_postgres::types::ToSql + Sync)];

/// An open connection.
pub(super) struct Connection {
    client: Client,
    link: Option<JoinHandle<std::result::Result<(), tokio_postgres::Error>>>,
    shown: String,
}

impl Connection {
    /// Opens a connection.
    pub(super) async fn open(address: &Address) -> Result<Connection> {
        let refused = |error: tokio_postgres::Error| Error::Io {
            doing: "connect to".into(),
            path: address.shown.clone(),
            reason: reason_of(&error),
        };
        let (client, connection) = address.config.connect(NoTls).await.map_err(refused)?;
        Ok(Connection { client, link: Some(tokio::spawn(connection)), shown: address.shown.clone() })
    }

    /// The client itself.
    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    /// Runs statements without parameters.
    pub(super) async fn run(&mut self, sql: &str) -> Result<()> {
        let done = self.client.batch_execute(sql).await;
        self.checked(done).await
    }

    /// Runs a statement that gives rows.
    pub(super) async fn rows(&mut self, sql: &str, parameters: Parameters<'_>) -> Result<Vec<Row>> {
        let rows = self.client.query(sql, parameters).await;
        self.checked(rows).await
    }

    /// Runs a statement that gives texts, one to a row.
    pub(super) async fn texts(&mut self, sql: &str, parameters: Parameters<'_>) -> Result<Vec<String>> {
        Ok(self.rows(sql, parameters).await?.iter().map(|row| row.get(0)).collect())
    }

    /// Runs a statement that gives one row.
    pub(super) async fn row(&mut self, sql: &str, parameters: Parameters<'_>) -> Result<Row> {
        let row = self.client.query_one(sql, parameters).await;
        self.checked(row).await
    }

    /// Ends a transaction. If the connection breaks here, it is unknown whether the transaction took place.
    pub(super) async fn commit(&mut self) -> Result<()> {
        match self.client.batch_execute("COMMIT").await {
            Err(error) if error.as_db_error().is_none() => Err(self.failure(
                "the connection broke while the database was committing; run it again: it says whether the release is there",
            )),
            done => self.checked(done).await,
        }
    }

    /// A failure in our words. Where the connection broke, the last words of the server say why.
    pub(super) async fn checked<T>(&mut self, result: std::result::Result<T, tokio_postgres::Error>) -> Result<T> {
        let error = match result {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        if error.code() == Some(&SqlState::DEPENDENT_OBJECTS_STILL_EXIST) {
            let reason = "something outside the release depends on it, such as a view of yours";
            return Err(
                Error::request("replace", "", reason).hint("drop it first, or export to another schema with «schema»")
            );
        }
        let mut reason = reason_of(&error);
        if error.is_closed()
            && let Some(link) = self.link.take()
            && let Ok(Err(last)) = link.await
        {
            reason = reason_of(&last);
        }
        Err(self.failure(format!("{reason}; nothing was changed there")))
    }

    fn failure(&self, reason: impl Into<String>) -> Error {
        Error::Io { doing: "export to".into(), path: self.shown.clone(), reason: reason.into() }
    }
}

/// The server's own words, without the rows that it may quote in its details.
fn reason_of(error: &tokio_postgres::Error) -> String {
    if let Some(refusal) = error.as_db_error() {
        return refusal.message().to_string();
    }
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}
