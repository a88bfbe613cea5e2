//! Questions in SQL over a release.

use crate::context::Context;
use crate::release::Release;
use scumble_query::{Confidence, QueryAnswer, Session};
use scumble_release::ReleaseData;
use scumble_table::Result;

impl Release {
    /// Answers one question, such as `SELECT AVG(pay) FROM release WHERE age > 50`, with the least and greatest value that
    /// the release allows, an estimate and its deviation. The tables are read with the first question.
    ///
    /// # Errors
    /// If the release cannot answer the question; the message says why and what can be asked.
    pub fn query(&self, sql: &str, context: &Context) -> Result<QueryAnswer> {
        let session = match self.kept_session.get() {
            Some(session) => session,
            None => {
                let session = self.session(context)?;
                self.kept_session.get_or_init(|| session)
            }
        };
        session.ask_monitored(sql, None::<Confidence>, context.monitor())
    }

    /// The release made ready for questions, with tables of its own.
    ///
    /// # Errors
    /// If its tables cannot be read, or are not those that were published.
    pub fn session(&self, context: &Context) -> Result<Session> {
        context.run(|| Ok(Session::new(ReleaseData::read(self.reader().clone(), context.monitor())?)))
    }
}
