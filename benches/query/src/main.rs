//! Answers with bounds over a permuted release compared with the plain aggregate over the original table.
//!
//!     cargo run --release -p scumble-bench-query --features datafusion [-- ROWS [E]]
//!
//! `plain`: DataFusion over the original table in memory. `query`: the same question put to a session of `scumble query`,
//! bounds, estimate and deviation included. `statement`: what `--explain` prints, run by DataFusion over the published tables,
//! with the groups kept in the table of people (`cached`) and joined from the mapping (`joined`). With `SCUMBLE_POSTGRES` set to
//! a database that may be written to, plain and rewritten statements are run there as well.
//! Times are medians in milliseconds; a release is read once and asked many times.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

mod postgres;

use arrow_array::RecordBatch;
use arrow_csv::ReaderBuilder;
use arrow_csv::reader::Format;
use datafusion::datasource::MemTable;
use datafusion::prelude::{SessionConfig, SessionContext};
use scumble::{Context, Job, Method, Sample, Source};
use scumble_query::{Dialect, Session};
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Seek};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

const QUESTIONS: [&str; 6] = [
    "SELECT AVG(income) FROM release WHERE age > 50",
    "SELECT SUM(income) FROM release WHERE age BETWEEN 30 AND 60 AND gender = 'female'",
    "SELECT COUNT(*), MIN(income), MAX(income) FROM release WHERE education = 'bachelor' OR age < 25",
    "SELECT AVG(income) FROM release WHERE occupation LIKE '%teacher%'",
    "SELECT gender, AVG(income) FROM release GROUP BY gender",
    "SELECT AVG(income) FROM release WHERE age > 50 AND income > 30000",
];

const RUNS: usize = 15;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let rows: u64 = std::env::args().nth(1).map_or(Ok(1_000_000), |text| text.parse())?;
    let requirement = format!("ke-anonymity(4, {})", std::env::args().nth(2).unwrap_or("1000".into()));
    let dir = tempfile::tempdir()?;
    let source = dir.path().join("census.csv");
    scumble::generate(Sample::Census, rows, 7, &mut BufWriter::new(File::create(&source)?), &mut |_| {})?;
    let release = dir.path().join("release");
    publish(&source, &release, &requirement)?;
    let session = Session::open(&release, Context::new().monitor())?;
    println!("{rows} rows in {} groups, {requirement}\n", session.release().manifest().groups);
    let engine = Engine::new()?;
    engine.register("source", &source)?;
    for table in ["permuted", "mapping", "help"] {
        engine.register(table, &release.join(format!("{table}.csv")))?;
    }
    engine.cache_groups()?;
    println!("| question | plain | query | ratio | statement, cached | ratio | statement, joined | ratio |");
    println!("|---|---|---|---|---|---|---|---|");
    for sql in QUESTIONS {
        let plain_sql = sql.replace("FROM release", "FROM source");
        let statements = session.rewrite(sql, Dialect::DataFusion)?;
        let plain = median(|| engine.run(&plain_sql))?;
        let query = median(|| Ok(session.ask(sql, None).map(|_| ())?))?;
        let joined = median(|| statements.iter().try_for_each(|statement| engine.run(statement)))?;
        let cached: Vec<String> = statements.iter().map(|statement| with_cached_groups(statement)).collect();
        let cached = median(|| cached.iter().try_for_each(|statement| engine.run(statement)))?;
        let ratio = |time: f64| time / plain;
        println!(
            "| {sql} | {plain:.1} | {query:.1} | {:.2} | {cached:.1} | {:.2} | {joined:.1} | {:.2} |",
            ratio(query),
            ratio(cached),
            ratio(joined)
        );
    }
    match std::env::var("SCUMBLE_POSTGRES") {
        Ok(url) => postgres::run(&url, &source, &release, &session)?,
        Err(_) => println!("\nSCUMBLE_POSTGRES is not set: nothing was run there"),
    }
    Ok(())
}

fn publish(source: &Path, out: &Path, requirement: &str) -> Outcome<()> {
    let quasi = ["age", "gender", "education", "marital", "race", "workclass", "birthplace", "occupation"];
    let mut job = Job::new().quasi(quasi).sensitive(["income"]).require(requirement)?;
    job.publish.method = Some(Method::Permute);
    (job.publish.seed, job.publish.insecure_seed) = (Some(7), true);
    job.output.dir = Some(out.to_path_buf());
    let context = Context::new();
    scumble::publish(&Source::file(source).read(&job, &context)?, &job, &context)?;
    Ok(())
}

/// The same statement over the table that has people together with their groups.
fn with_cached_groups(statement: &str) -> String {
    statement
        .replace("\"permuted\" p JOIN \"mapping\" m ON m.\"tuple\" = p.\"tuple\"", "grouped p")
        .replace("m.\"group\"", "p.\"group\"")
}

/// DataFusion with tables in memory.
struct Engine {
    runtime: tokio::runtime::Runtime,
    context: SessionContext,
}

impl Engine {
    fn new() -> Outcome<Engine> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let context = SessionContext::new_with_config(SessionConfig::new());
        Ok(Engine { runtime, context })
    }

    fn register(&self, name: &str, path: &Path) -> Outcome<()> {
        let mut file = File::open(path)?;
        let (schema, _) = Format::default().with_header(true).infer_schema(&mut file, Some(10_000))?;
        file.rewind()?;
        let schema = Arc::new(schema);
        let reader = ReaderBuilder::new(Arc::clone(&schema)).with_header(true).with_batch_size(8192).build(file)?;
        let batches = reader.collect::<Result<Vec<RecordBatch>, _>>()?;
        self.keep(name, schema, batches)
    }

    fn keep(&self, name: &str, schema: arrow_schema::SchemaRef, batches: Vec<RecordBatch>) -> Outcome<()> {
        let half = batches.len().div_ceil(2).max(1);
        let partitions = batches.chunks(half).map(<[RecordBatch]>::to_vec).collect();
        self.context.register_table(name, Arc::new(MemTable::try_new(schema, partitions)?))?;
        Ok(())
    }

    fn cache_groups(&self) -> Outcome<()> {
        let sql = "SELECT p.*, m.\"group\" FROM permuted p JOIN mapping m ON m.tuple = p.tuple";
        let batches = self.runtime.block_on(async { self.context.sql(sql).await?.collect().await })?;
        let schema = batches.first().ok_or("an empty release")?.schema();
        self.keep("grouped", schema, batches)
    }

    fn run(&self, sql: &str) -> Outcome<()> {
        self.runtime.block_on(async { self.context.sql(sql).await?.collect().await })?;
        Ok(())
    }
}

/// The median time of some runs in milliseconds, after one that does not count.
fn median(mut work: impl FnMut() -> Outcome<()>) -> Outcome<f64> {
    work()?;
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let start = Instant::now();
        work()?;
        times.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[RUNS / 2])
}
