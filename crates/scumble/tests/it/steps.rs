//! What a publisher does with a job, each in one call.

use scumble::{
    ColumnRole, Context, Error, Job, Loaded, Published, RawTable, Release, Requirement, Result, Source, Verdict,
    VerifyRequest,
};
use scumble::{Progress, check};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A job on a file whose release goes to a directory.
pub(crate) fn job(file: impl AsRef<Path>, out: impl AsRef<Path>) -> Job {
    let mut job = Job::new();
    job.input.path = Some(file.as_ref().to_path_buf());
    job.output.dir = Some(out.as_ref().to_path_buf());
    job
}

/// Ways to say a job briefly.
pub(crate) trait Say: Sized {
    /// The same job with a change.
    fn but(self, change: impl FnOnce(&mut Job)) -> Job;

    /// The same job with other requirements.
    fn requiring(self, requirements: &[&str]) -> Job;

    /// The same job, whose publisher vouches for every column that could be refused for what it tells.
    fn vouched(self) -> Job;

    /// Where its release goes.
    fn out(&self) -> &Path;

    /// The data that it names.
    fn source(&self) -> Source;
}

impl Say for Job {
    fn but(mut self, change: impl FnOnce(&mut Job)) -> Job {
        change(&mut self);
        self
    }

    fn requiring(mut self, requirements: &[&str]) -> Job {
        self.publish.require = requirements.iter().map(|text| text.parse::<Requirement>().unwrap()).collect();
        self
    }

    fn vouched(mut self) -> Job {
        let named = |role| self.named(role).map(String::from).collect::<Vec<_>>();
        (self.publish.allow_sets, self.publish.accept_keep) = (named(ColumnRole::Quasi), named(ColumnRole::Kept));
        self
    }

    fn out(&self) -> &Path {
        self.output.dir.as_deref().unwrap()
    }

    fn source(&self) -> Source {
        Source::of_job(self).unwrap()
    }
}

/// Reads the data of a job.
pub(crate) fn load(job: &Job) -> Result<Loaded> {
    Source::of_job(job)?.load(job, &Context::new())
}

/// Reads the data of a job and publishes it.
pub(crate) fn publish(job: &Job) -> Result<Published> {
    publish_in(job, &Context::new())
}

/// The same in a context.
pub(crate) fn publish_in(job: &Job, context: &Context) -> Result<Published> {
    check(job)?;
    let loaded = Source::of_job(job)?.load(job, context)?;
    let mut published = scumble::publish(&loaded.table, job, context)?;
    published.facts.rules = loaded.rules;
    Ok(published)
}

/// What the verifier says of what lies in a directory, be it a release or a broken one.
pub(crate) fn verify_release(
    dir: &Path,
    asked: &VerifyRequest,
    source: Option<&Source>,
    rules: Option<&Job>,
    context: &Context,
) -> Result<Verdict> {
    match Release::open(dir) {
        Ok(release) => release.verify_from(source, rules, asked, context),
        Err(error) => Verdict::of_unreadable(error),
    }
}

/// What the verifier says of the release of a job, asked for its requirements and against its data, which no rule changed.
pub(crate) fn verify(job: &Job) -> Verdict {
    let asked = VerifyRequest { requirements: job.publish.require.clone(), ..VerifyRequest::default() };
    verify_release(job.out(), &asked, Some(&job.source()), None, &Context::new()).unwrap()
}

/// What the verifier says of what lies in a directory, from its bytes alone.
pub(crate) fn verify_alone(dir: &Path) -> Verdict {
    verify_release(dir, &VerifyRequest::default(), None, None, &Context::new()).unwrap()
}

/// The columns of a release in some data, as texts.
pub(crate) fn source_rows(release: &Release, source: &Source, rules: Option<&Job>) -> Result<RawTable> {
    source.read_published(release.columns(), rules, Context::new().monitor())
}

/// The checks that failed, with what they found.
pub(crate) fn failures(verdict: &Verdict) -> Vec<String> {
    verdict.failures().map(|check| format!("{}: {}", check.name, check.detail)).collect()
}

/// Remembers warnings.
#[derive(Default)]
pub(crate) struct Heard(Mutex<Vec<String>>);

impl Heard {
    /// Somebody who listens, and the context to listen in.
    pub(crate) fn listen() -> (Arc<Heard>, Context) {
        let heard = Arc::new(Heard::default());
        (heard.clone(), Context::new().with_progress(heard))
    }

    /// The warnings so far, with fields in backticks.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let heard = self.0.lock().unwrap();
        heard.iter().map(|text| scumble::replace_field_names(text, |field| format!("`{field}`"))).collect()
    }
}

impl Progress for Heard {
    fn warn(&self, text: &str) {
        self.0.lock().unwrap().push(text.into());
    }
}

/// The words of an error that must be there.
pub(crate) fn refusal<T>(outcome: Result<T>) -> String {
    match outcome {
        Ok(_) => panic!("it was not refused"),
        Err(error @ Error::Bug { .. }) => panic!("{error}"),
        Err(error) => error.to_string(),
    }
}
