//! Where a study works: a private place for what it throws away, and the order of its jobs.

use rayon::prelude::*;
use scumble::{Error, Observer, Result, Stage};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

/// A directory that only its owner can enter and that goes with its study, and somebody who hears how the study gets on.
pub(crate) struct Workshop<'a> {
    place: TempDir,
    observer: &'a dyn Observer,
    /// How many names were given out.
    named: AtomicU64,
}

impl<'a> Workshop<'a> {
    pub(crate) fn new(observer: &'a dyn Observer) -> Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("scumble-study-");
        if let Some(permissions) = scumble_platform::private_dir_permissions() {
            builder.permissions(permissions);
        }
        let place =
            builder.tempdir().map_err(|e| Error::io("make a directory in", std::env::temp_dir().display(), &e))?;
        Ok(Workshop { place, observer, named: AtomicU64::new(0) })
    }

    /// A path in here that nobody was given before.
    pub(crate) fn fresh(&self, word: &str) -> PathBuf {
        self.place.path().join(format!("{word}-{}", self.named.fetch_add(1, Ordering::Relaxed)))
    }

    pub(crate) fn observer(&self) -> &'a dyn Observer {
        self.observer
    }

    /// Does jobs beside each other on all cores. What they return is in their order, and an error is that of the first
    /// job that failed: neither depends on threads. Not for jobs that are timed.
    pub(crate) fn side_by_side<J: Sync, R: Send>(
        &self,
        jobs: &[J],
        name: impl Fn(&J) -> String + Sync,
        work: impl Fn(&J) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        self.observer.begin(Stage::Study, Some(jobs.len() as u64));
        let done: Vec<Result<R>> = jobs.par_iter().with_max_len(1).map(|job| self.one(job, &name, &work)).collect();
        done.into_iter().collect()
    }

    /// Does jobs one after another, each with the whole machine, so that their times can be compared.
    pub(crate) fn one_by_one<J, R>(
        &self,
        jobs: &[J],
        name: impl Fn(&J) -> String,
        work: impl Fn(&J) -> Result<R>,
    ) -> Result<Vec<R>> {
        self.observer.begin(Stage::Study, Some(jobs.len() as u64));
        jobs.iter().map(|job| self.one(job, &name, &work)).collect()
    }

    fn one<J, R>(&self, job: &J, name: impl Fn(&J) -> String, work: impl Fn(&J) -> Result<R>) -> Result<R> {
        self.observer.note(&name(job));
        let done = work(job);
        self.observer.advance(1);
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble::Silent;

    #[test]
    fn nobody_else_can_look_in_and_nothing_stays() {
        let workshop = Workshop::new(&Silent).unwrap();
        let path = workshop.place.path().to_path_buf();
        assert!(!scumble_platform::others_may_read(&path));
        std::fs::write(workshop.fresh("file"), "x").unwrap();
        assert_ne!(workshop.fresh("file"), workshop.fresh("file"));
        drop(workshop);
        assert!(!path.exists());
    }

    #[test]
    fn jobs_keep_their_order_and_the_first_failure_is_told() {
        let workshop = Workshop::new(&Silent).unwrap();
        let jobs: Vec<u64> = (0..50).collect();
        let doubled = workshop.side_by_side(&jobs, u64::to_string, |job| Ok(job * 2)).unwrap();
        assert_eq!(doubled, jobs.iter().map(|job| job * 2).collect::<Vec<_>>());
        assert_eq!(workshop.one_by_one(&jobs, u64::to_string, |job| Ok(job * 2)).unwrap(), doubled);
        let failing = |job: &u64| if *job < 7 { Ok(()) } else { Err(Error::bug(job.to_string())) };
        assert_eq!(workshop.side_by_side(&jobs, u64::to_string, failing), Err(Error::bug("7")));
    }
}
