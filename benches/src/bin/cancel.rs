//! How soon work ends after it was cancelled, on a large table.
//!
//!     cargo run --release -p scumble-bench --bin cancel [-- ROWS [MOMENTS]]
//!
//! Every piece of work over `ROWS` generated people (1,000,000) is done once, and then cancelled at `MOMENTS` (12) moments
//! spread over that time. The table shows how long the whole takes, how often the cancellation came in time, and the longest
//! and the median wait from the cancellation to the end of the work.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use scumble::{
    AdviseRequest, Context, Error, EvaluateRequest, HierarchyRequest, Job, Method, Release, RiskRequest, RiskTarget,
    Sample, Source, VerifyRequest, advise, anonymize, build_hierarchies, evaluate, inspect, risk,
};
use scumble_bench::{Outcome, generate};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

type Work<'a> = Box<dyn Fn(&Context) -> scumble::Result<()> + 'a>;

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let rows = arguments.next().map_or(Ok(1_000_000), |text| text.parse())?;
    let moments = arguments.next().map_or(Ok(12), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("people.csv");
    generate(Sample::Census, rows, &data)?;
    println!("| work on {rows} rows | whole, s | in time | longest wait, s | median wait, s |\n|---|---|---|---|---|");
    let forms = [
        ("generalize", Method::Generalize, "k-anonymity(5)"),
        ("full-domain", Method::FullDomain, "k-anonymity(5)"),
        ("anatomy", Method::Anatomy, "occupation: frequency-l-diversity(3)"),
        ("angel", Method::Angel, "occupation: frequency-l-diversity(3)"),
        ("permute", Method::Permute, "k-anonymity(5)"),
        ("proximity", Method::Generalize, "income: proximity-absolute(1000, 4)"),
    ];
    let read = |job: &Job| Source::file(&data).read(job, &Context::new());
    measure("read", moments, &|context| Source::file(&data).read(&job(forms[0].1, forms[0].2)?, context).map(|_| ()))?;
    let raw = Source::file(&data).read_all(&Context::new())?;
    measure("inspect", moments, &|context| inspect(&raw, context).map(|_| ()))?;
    let whole = read(&job(forms[0].1, forms[0].2)?)?;
    measure("advise", moments, &|context| advise(&whole, &AdviseRequest::new("income"), context).map(|_| ()))?;
    let trees = HierarchyRequest::new(["age"]).given(["gender", "education"]);
    measure("hierarchy", moments, &|context| build_hierarchies(&whole, &trees, context).map(|_| ()))?;
    let known = ["age", "gender", "education", "birthplace"].map(String::from).to_vec();
    let (table, _) = Source::file(&data).read_known(&known, &[], &[], None, &Context::new())?;
    let request = RiskRequest { up_to: Some(4), ..RiskRequest::new(known) };
    measure("risk of data", moments, &|context| risk(RiskTarget::Data(&table), &request, context).map(|_| ()))?;
    for (name, method, requirement) in forms {
        let mut job = job(method, requirement)?;
        let dir = folder.path().join(name);
        let table = read(&job)?;
        measure(&format!("publish {name}"), moments, &|context| anonymize(&table, &job, context).map(|_| ()))?;
        job.output.dir = Some(dir.clone());
        scumble::publish(&table, &job, &Context::new())?;
        for (what, work) in readers(&dir, &data)? {
            measure(&format!("{what} {name}"), moments, &*work)?;
        }
    }
    Ok(())
}

fn job(method: Method, requirement: &str) -> scumble::Result<Job> {
    let job = Job::new().quasi(["age", "gender", "education", "birthplace"]).sensitive(["occupation", "income"]);
    let mut job = job.drop_rest().require(requirement)?;
    job.publish.method = Some(method);
    job.publish.angel_k = (method == Method::Angel).then_some(5);
    Ok(job)
}

/// What is done with a release that stands.
fn readers<'a>(dir: &'a Path, data: &Path) -> Outcome<Vec<(&'static str, Work<'a>)>> {
    let source = Source::file(data);
    let rows = source.read_published(Release::open(dir)?.columns(), None, Context::new().monitor())?;
    let (again, attacked) = (rows.clone(), rows);
    let verify = move |context: &Context| {
        Release::open(dir)?.verify_from(Some(&source), None, &VerifyRequest::default(), context).map(|_| ())
    };
    let measured =
        move |context: &Context| evaluate(&Release::open(dir)?, &again, &EvaluateRequest::new(), context).map(|_| ());
    let attack = move |context: &Context| {
        let request = RiskRequest { source: Some(&attacked), ..RiskRequest::default() };
        Release::open(dir)?.risk(&request, context).map(|_| ())
    };
    Ok(vec![("verify", Box::new(verify)), ("evaluate", Box::new(measured)), ("attack", Box::new(attack))])
}

/// Does some work, cancels it at moments spread over the time that it takes, and prints how long it goes on.
fn measure(name: &str, moments: u32, work: &dyn Fn(&Context) -> scumble::Result<()>) -> Outcome<()> {
    let start = Instant::now();
    if let Err(error) = work(&Context::new()) {
        println!("| {name} | refused: {error} | | | |");
        return Ok(());
    }
    let whole = start.elapsed();
    let mut waits = Vec::new();
    for moment in 1..=moments {
        let (context, asked) = (Context::new(), Mutex::new(None));
        let cancellation = context.cancellation().clone();
        let pause = whole * moment / (moments + 1);
        let done = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(pause);
                *asked.lock().unwrap_or_else(|broken| broken.into_inner()) = Some(Instant::now());
                cancellation.cancel();
            });
            let done = work(&context);
            (done, Instant::now())
        });
        let asked = asked.into_inner().unwrap_or_else(|broken| broken.into_inner());
        if let ((Err(Error::Cancelled), ended), Some(asked)) = (done, asked) {
            waits.push(ended.saturating_duration_since(asked));
        }
    }
    waits.sort_unstable();
    let shown = |wait: Option<&Duration>| wait.map_or("-".into(), |wait| format!("{:.3}", wait.as_secs_f64()));
    println!(
        "| {name} | {:.2} | {} of {moments} | {} | {} |",
        whole.as_secs_f64(),
        waits.len(),
        shown(waits.last()),
        shown(waits.get(waits.len() / 2))
    );
    Ok(())
}
