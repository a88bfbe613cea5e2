//! The jobs of a study, one after another or in parallel, and who hears how they get on.

use rayon::prelude::*;
use scumble::{Context, EvaluateRequest, Evaluation, RawTable, Release, Result, Stage, evaluate};

/// Does the jobs of a study.
pub(crate) struct Runner {
    context: Context,
    /// The same for the jobs themselves, whose own progress is not shown.
    silent: Context,
}

impl Runner {
    pub(crate) fn new(context: &Context) -> Self {
        Runner { context: context.clone(), silent: context.clone().without_progress() }
    }

    /// What goes with a call of the library that tells of its own progress.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// What goes with the calls of a job.
    pub(crate) fn silent(&self) -> &Context {
        &self.silent
    }

    /// Does jobs in parallel on all cores. What they return is in their order, and an error is that of the first job that
    /// failed: neither depends on threads. Not for jobs that are timed.
    pub(crate) fn in_parallel<J: Sync, R: Send>(
        &self,
        jobs: &[J],
        name: impl Fn(&J) -> String + Sync,
        work: impl Fn(&J) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        self.context.monitor().begin(Stage::Study, Some(jobs.len() as u64))?;
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
        self.context.monitor().begin(Stage::Study, Some(jobs.len() as u64))?;
        jobs.iter().map(|job| self.one(job, &name, &work)).collect()
    }

    fn one<J, R>(&self, job: &J, name: impl Fn(&J) -> String, work: impl Fn(&J) -> Result<R>) -> Result<R> {
        let monitor = self.context.monitor();
        monitor.check()?;
        monitor.note(&name(job));
        let done = work(job);
        monitor.advance(1);
        done
    }

    /// Evaluates a release against its source.
    pub(crate) fn evaluate(
        &self,
        release: &Release,
        source: &RawTable,
        request: &EvaluateRequest,
    ) -> Result<Evaluation> {
        evaluate(release, source, request, &self.silent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble::{Cancellation, Error};

    #[test]
    fn jobs_keep_their_order_and_the_first_failure_is_told() {
        let runner = Runner::new(&Context::new());
        let jobs: Vec<u64> = (0..50).collect();
        let doubled = runner.in_parallel(&jobs, u64::to_string, |job| Ok(job * 2)).unwrap();
        assert_eq!(doubled, jobs.iter().map(|job| job * 2).collect::<Vec<_>>());
        assert_eq!(runner.one_by_one(&jobs, u64::to_string, |job| Ok(job * 2)).unwrap(), doubled);
        let failing = |job: &u64| if *job < 7 { Ok(()) } else { Err(Error::bug(job.to_string())) };
        assert_eq!(runner.in_parallel(&jobs, u64::to_string, failing), Err(Error::bug("7")));
    }

    #[test]
    fn a_study_that_is_cancelled_begins_no_job() {
        let cancellation = Cancellation::default();
        let runner = Runner::new(&Context::new().with_cancellation(cancellation.clone()));
        let stopping = |_: &u64| -> Result<()> {
            assert!(!cancellation.is_cancelled());
            cancellation.cancel();
            Ok(())
        };
        assert_eq!(runner.one_by_one(&[1, 2], u64::to_string, stopping), Err(Error::Cancelled));
    }
}
