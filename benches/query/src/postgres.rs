//! The same questions in PostgreSQL.

use super::{Outcome, QUESTIONS, median, with_cached_groups};
use scumble_query::{Dialect, Session};
use std::fs;
use std::path::Path;
use tokio_postgres::{Client, NoTls};

/// Loads the source and the release into tables of a schema of their own, asks, and drops the schema.
pub(super) fn run(url: &str, source: &Path, release: &Path, session: &Session) -> Outcome<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (client, connection) = runtime.block_on(tokio_postgres::connect(url, NoTls))?;
    runtime.spawn(connection);
    let execute = |sql: &str| -> Outcome<()> { Ok(runtime.block_on(client.batch_execute(sql))?) };
    execute(
        "DROP SCHEMA IF EXISTS scumble_bench CASCADE; CREATE SCHEMA scumble_bench; SET search_path TO scumble_bench",
    )?;
    let quasi = "age bigint, gender text, education text, marital text, race text, workclass text, birthplace text, \
                 occupation text";
    execute(&format!("CREATE TABLE source ({quasi}, income bigint)"))?;
    execute(&format!("CREATE TABLE permuted (tuple bigint, {quasi}, income bigint)"))?;
    execute("CREATE TABLE mapping (tuple bigint, \"group\" bigint)")?;
    execute(
        "CREATE TABLE help (\"group\" bigint, hits bigint, sum_lower numeric, sum_upper numeric, min_lower bigint, \
         min_upper bigint, max_lower bigint, max_upper bigint)",
    )?;
    runtime.block_on(copy(&client, "source", source))?;
    for table in ["permuted", "mapping", "help"] {
        runtime.block_on(copy(&client, table, &release.join(format!("{table}.csv"))))?;
    }
    execute("CREATE TABLE grouped AS SELECT p.*, m.\"group\" FROM permuted p JOIN mapping m USING (tuple)")?;
    execute("CREATE UNIQUE INDEX ON help (\"group\", hits); CREATE UNIQUE INDEX ON mapping (tuple); ANALYZE")?;
    println!("\n| PostgreSQL | plain | statement, cached | ratio | statement, joined | ratio |");
    println!("|---|---|---|---|---|---|");
    for sql in QUESTIONS {
        let plain = median(|| execute(&sql.replace("FROM release", "FROM source")))?;
        let statements = session.rewrite(sql, Dialect::Postgres)?;
        let joined = median(|| statements.iter().try_for_each(|statement| execute(statement)))?;
        let cached = median(|| statements.iter().try_for_each(|statement| execute(&with_cached_groups(statement))))?;
        println!("| {sql} | {plain:.1} | {cached:.1} | {:.2} | {joined:.1} | {:.2} |", cached / plain, joined / plain);
    }
    execute("DROP SCHEMA scumble_bench CASCADE")
}

async fn copy(client: &Client, table: &str, path: &Path) -> Outcome<()> {
    let statement = format!("COPY {table} FROM STDIN WITH (FORMAT csv, HEADER true)");
    let sink = client.copy_in::<_, bytes::Bytes>(&statement).await?;
    let mut sink = std::pin::pin!(sink);
    let bytes = bytes::Bytes::from(fs::read(path)?);
    for start in (0..bytes.len()).step_by(1 << 20) {
        futures_util::SinkExt::send(&mut sink, bytes.slice(start..bytes.len().min(start + (1 << 20)))).await?;
    }
    sink.finish().await?;
    Ok(())
}
