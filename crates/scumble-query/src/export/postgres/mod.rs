//! A release in PostgreSQL: all of it in one transaction, or nothing.
//!
//! ```text
//! lock the name -> look into the schema -> create -> COPY -> keys, view, functions -> compare -> commit
//! ```
//!
//! Whatever fails on the way ends the connection without a commit, and the server forgets all of it.

mod address;
mod check;
mod connection;
mod copy;
mod ddl;
mod existing_schema;

pub(crate) use address::Address;

use super::plan::Plan;
use super::{ExportOptions, ExportSummary};
use check::Checksum;
use connection::Connection;
use ddl::{RELEASE, SchemaStatements};
use existing_schema::ExistingSchema;
use scumble_table::{Error, Monitor, Result};
use sha2::{Digest, Sha256};

/// The oldest version that knows infinite decimals, by the number that servers give.
const OLDEST: i32 = 140_000;

/// Settings of the transaction, whatever those of the server or the user are: names mean what they say, texts are plain and
/// a long load is no reason to stop.
const SESSION_SETTINGS: &str = "SET LOCAL search_path = pg_catalog; SET LOCAL DateStyle = 'ISO, YMD'; \
    SET LOCAL standard_conforming_strings = on; SET LOCAL client_min_messages = warning; \
    SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

/// Refuses a schema that cannot be ours.
pub(super) fn check_schema(schema: &str) -> Result<()> {
    let wrong = |reason: &str| Err(Error::request("schema", schema, reason).hint("for example «schema» release"));
    match schema {
        "" => wrong("a schema needs a name"),
        _ if schema.len() > 63 => wrong("names have at most 63 bytes in a database"),
        _ if schema.contains('\0') => wrong("a name has no zero byte"),
        _ if schema.starts_with("pg_") || schema == "information_schema" => {
            wrong("this name belongs to the database itself")
        }
        _ => Ok(()),
    }
}

/// Brings a release into a database.
pub(super) fn export(
    plan: &Plan,
    address: &Address,
    options: &ExportOptions,
    monitor: Monitor<'_>,
) -> Result<ExportSummary> {
    plan.check_names()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::io("start", "a connection", &error))?;
    let already = runtime.block_on(async {
        let mut db = Connection::open(address).await?;
        transfer(&mut db, plan, options, monitor).await
    })?;
    Ok(ExportSummary {
        place: address.shown.clone(),
        schema: Some(options.schema.clone()),
        tables: plan.tables(),
        functions: plan.functions.iter().map(|function| function.name.clone()).collect(),
        already,
    })
}

/// All of the transaction; true if the release was there already.
async fn transfer(db: &mut Connection, plan: &Plan, options: &ExportOptions, monitor: Monitor<'_>) -> Result<bool> {
    let ddl = SchemaStatements { schema: &options.schema };
    db.run("BEGIN").await?;
    db.run(SESSION_SETTINGS).await?;
    let version: String = db.row("SELECT current_setting('server_version_num')", &[]).await?.get(0);
    if version.parse().is_ok_and(|version: i32| version < OLDEST) {
        return Err(Error::request("to", "postgres://...", "the server is older than PostgreSQL 14")
            .hint("export to a directory"));
    }
    db.rows("SELECT pg_advisory_xact_lock($1)", &[&lock_of(&options.schema)]).await?;
    let sums: Vec<Checksum> = plan.sheets.iter().map(Checksum::of_sheet).collect();
    match existing_schema::look(db, &ddl, plan, &sums).await? {
        ExistingSchema::Nothing => {
            db.run(&format!("CREATE SCHEMA {}", crate::rewrite::quoted(&options.schema))).await?
        }
        ExistingSchema::Empty => {}
        ExistingSchema::Same => {
            db.run("ROLLBACK").await?;
            return Ok(true);
        }
        ExistingSchema::Release { kinds, names, .. } if options.replace => {
            existing_schema::clear(db, &ddl, &kinds, &names).await?
        }
        ExistingSchema::Release { reason, .. } => {
            return Err(Error::request("schema", &options.schema, reason)
                .hint("name another with «schema», or use «replace» to swap it"));
        }
    }
    create(db, &ddl, plan, monitor).await?;
    for (sheet, sum) in plan.sheets.iter().zip(&sums) {
        let arrived = Checksum::in_database(db, &ddl.name(&sheet.name), sheet).await?;
        if arrived != *sum {
            let what = if arrived.rows == sum.rows {
                "other values".to_string()
            } else {
                format!("{} rows instead of {}", arrived.rows, sum.rows)
            };
            let reason = format!("the database shows {what}; nothing was changed there");
            return Err(Error::Io { doing: "load".into(), path: sheet.name.clone(), reason });
        }
    }
    monitor.check()?;
    db.commit().await?;
    Ok(false)
}

/// Makes and fills everything.
async fn create(db: &mut Connection, ddl: &SchemaStatements<'_>, plan: &Plan, monitor: Monitor<'_>) -> Result<()> {
    db.run(&ddl.release()).await?;
    for sheet in &plan.sheets {
        db.run(&ddl.table(sheet)).await?;
        copy::load(db, &ddl.name(&sheet.name), sheet, monitor).await?;
    }
    let mut taken: Vec<String> = plan.sheets.iter().map(|sheet| sheet.name.clone()).collect();
    taken.extend(plan.people.iter().map(|people| people.name.clone()));
    taken.extend([RELEASE.to_string(), format!("{RELEASE}_pkey")]);
    for sheet in &plan.sheets {
        db.run(&ddl.keys(sheet, &mut taken)).await?;
    }
    for people in &plan.people {
        db.run(&ddl.people(people)).await?;
    }
    for function in &plan.functions {
        db.run(&ddl.function(function)).await?;
    }
    let tables = plan.sheets.iter().map(|sheet| ("table", sheet.name.as_str()));
    let functions = plan.functions.iter().map(|function| ("function", function.name.as_str()));
    let views = plan.people.iter().map(|people| ("view", people.name.as_str()));
    let (kinds, names): (Vec<&str>, Vec<&str>) = tables.chain(views).chain(functions).unzip();
    let insert = format!("INSERT INTO {} VALUES ($1, $2::text::json, $3, $4)", ddl.name(RELEASE));
    db.rows(&insert, &[&plan.sha256, &plan.manifest, &kinds, &names]).await?;
    Ok(())
}

/// The number by which exports into one schema take turns.
fn lock_of(schema: &str) -> i64 {
    let hash = Sha256::digest(format!("scumble export {schema}").as_bytes());
    hash.iter().take(8).fold(0i64, |number, &byte| number << 8 | i64::from(byte))
}
