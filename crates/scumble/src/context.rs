//! What goes with every call: who hears of progress, how it is cancelled, how many threads it has, and its coins.

use scumble_method::Coins;
use scumble_table::{Cancellation, Error, Monitor, Progress, Result, Silent};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use zeroize::Zeroizing;

/// Progress, cancellation, threads and coins of the work that is done for somebody.
#[derive(Clone)]
pub struct Context {
    progress: Arc<dyn Progress>,
    cancellation: Cancellation,
    pool: Option<Arc<rayon::ThreadPool>>,
    seed: Option<u64>,
    passphrase: Option<Arc<Zeroizing<String>>>,
    ledger_key: Option<Arc<Path>>,
}

impl Default for Context {
    fn default() -> Self {
        let (progress, cancellation) = (Arc::new(Silent), Cancellation::default());
        Context { progress, cancellation, pool: None, seed: None, passphrase: None, ledger_key: None }
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("cancelled", &self.cancellation.is_cancelled()).finish_non_exhaustive()
    }
}

impl Context {
    /// All cores, secret coins, and no progress.
    pub fn new() -> Context {
        Context::default()
    }

    /// The same, reporting progress to a listener.
    #[must_use]
    pub fn with_progress(self, progress: Arc<dyn Progress>) -> Context {
        Context { progress, ..self }
    }

    /// The same without a listener.
    #[must_use]
    pub fn without_progress(self) -> Context {
        Context { progress: Arc::new(Silent), ..self }
    }

    /// The same under a flag that cancels it.
    #[must_use]
    pub fn with_cancellation(self, cancellation: Cancellation) -> Context {
        Context { cancellation, ..self }
    }

    /// The same on a given number of threads. Results do not depend on their number.
    ///
    /// # Errors
    /// If the system gives no threads.
    pub fn with_threads(self, threads: usize) -> Result<Context> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| Error::Io {
            doing: "start".into(),
            path: format!("{threads} threads"),
            reason: error.to_string(),
        })?;
        Ok(Context { pool: Some(Arc::new(pool)), ..self })
    }

    /// The same with coins that can be tossed again, for tests. A seed in the job comes first.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Context {
        Context { seed: Some(seed), ..self }
    }

    /// The same with the passphrase of ledgers, where jobs name no file that holds it.
    #[must_use]
    pub fn with_ledger_passphrase(self, text: &str) -> Context {
        Context { passphrase: Some(Arc::new(Zeroizing::new(text.to_string()))), ..self }
    }

    /// The same with the place of the key that opens ledgers without a passphrase, where jobs name none. It is made there when
    /// the first ledger needs it.
    #[must_use]
    pub fn with_ledger_key(self, file: impl AsRef<Path>) -> Context {
        Context { ledger_key: Some(file.as_ref().into()), ..self }
    }

    /// The place of the key that opens ledgers without a passphrase, where one was given.
    pub(crate) fn ledger_key(&self) -> Option<&Path> {
        self.ledger_key.as_deref()
    }

    /// The passphrase of ledgers, where one was given.
    pub(crate) fn ledger_passphrase(&self) -> Option<&str> {
        self.passphrase.as_ref().map(|text| text.as_str())
    }

    /// Whether coins are tossed from a seed where the job names none.
    pub(crate) fn is_seeded(&self) -> bool {
        self.seed.is_some()
    }

    /// The flag that cancels the work.
    pub fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    /// What long work reports to and is stopped by.
    pub fn monitor(&self) -> Monitor<'_> {
        Monitor::new(&*self.progress, &self.cancellation)
    }

    /// Does some work on the threads of this context.
    pub(crate) fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Coins from a seed, or secret ones.
    pub(crate) fn coins(&self, seed: Option<u64>) -> Result<Coins> {
        match seed.or(self.seed) {
            Some(seed) => Ok(Coins::from_seed(seed)),
            None => Coins::from_system(),
        }
    }
}
