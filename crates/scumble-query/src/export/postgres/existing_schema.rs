//! What a schema holds already, and what may become of it.

use super::check::Checksum;
use super::connection::Connection;
use super::ddl::{RELEASE, SchemaStatements};
use crate::export::plan::Plan;
use scumble_table::{Error, Result};

/// What a schema holds.
pub(super) enum ExistingSchema {
    /// There is no such schema.
    Nothing,
    /// There is one, and it is empty.
    Empty,
    /// The release itself, whole.
    Same,
    /// Another release, or a damaged one, with the reason why the new one cannot be put there.
    Release { reason: String, kinds: Vec<String>, names: Vec<String> },
}

/// Objects that belong to a schema, but for privileges and the like.
const INSIDE: &str = "SELECT i.type, COALESCE(i.name, i.identity) FROM pg_depend d, \
    LATERAL pg_identify_object(d.classid, d.objid, d.objsubid) i \
    WHERE d.refclassid = 'pg_namespace'::regclass AND d.deptype = 'n' \
    AND d.refobjid = (SELECT oid FROM pg_namespace WHERE nspname = $1) \
    AND d.classid <> 'pg_default_acl'::regclass AND i.type NOT LIKE 'publication%' ORDER BY 1, 2";

/// Looks into a schema.
///
/// # Errors
/// If it holds something that is no release.
pub(super) async fn look(
    db: &mut Connection,
    ddl: &SchemaStatements<'_>,
    plan: &Plan,
    sums: &[Checksum],
) -> Result<ExistingSchema> {
    if db.rows("SELECT 1 FROM pg_namespace WHERE nspname = $1", &[&ddl.schema]).await?.is_empty() {
        return Ok(ExistingSchema::Nothing);
    }
    let inside = inside(db, ddl).await?;
    if inside.is_empty() {
        return Ok(ExistingSchema::Empty);
    }
    let marked = inside.iter().any(|(kind, name)| kind == "table" && name == RELEASE);
    let stated = if marked { stated(db, ddl).await? } else { None };
    let Some((sha256, kinds, names)) = stated else {
        let (kind, name) = &inside[0];
        let reason = format!("the schema holds the {kind} `{name}` and is no release");
        return Err(Error::request("schema", ddl.schema, reason).hint("name another with «schema»"));
    };
    if sha256 != plan.sha256 {
        return Ok(ExistingSchema::Release { reason: "the schema holds another release".into(), kinds, names });
    }
    Ok(match damage(db, ddl, plan, sums, &inside).await? {
        None => ExistingSchema::Same,
        Some(damage) => {
            ExistingSchema::Release { reason: format!("the schema holds this release, but {damage}"), kinds, names }
        }
    })
}

/// Kinds and names of all that is in a schema.
async fn inside(db: &mut Connection, ddl: &SchemaStatements<'_>) -> Result<Vec<(String, String)>> {
    let rows = db.rows(INSIDE, &[&ddl.schema]).await?;
    // The catalogue gives names as they must be written.
    let plain = |name: String| match name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
        Some(inner) => inner.replace("\"\"", "\""),
        None => name,
    };
    Ok(rows.iter().map(|row| (row.get(0), plain(row.get(1)))).collect())
}

/// What the schema's own table says; nothing where it is not ours.
async fn stated(db: &mut Connection, ddl: &SchemaStatements<'_>) -> Result<Option<(String, Vec<String>, Vec<String>)>> {
    let columns = db
        .texts(
            "SELECT a.attname::text FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid \
             JOIN pg_namespace n ON n.oid = c.relnamespace \
             WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum",
            &[&ddl.schema, &RELEASE],
        )
        .await?;
    if columns != ["sha256", "manifest", "kinds", "names"] {
        return Ok(None);
    }
    let rows = db.rows(&format!("SELECT \"sha256\", \"kinds\", \"names\" FROM {}", ddl.name(RELEASE)), &[]).await?;
    Ok(rows.first().map(|row| (row.get(0), row.get(1), row.get(2))))
}

/// What is not as it was exported.
async fn damage(
    db: &mut Connection,
    ddl: &SchemaStatements<'_>,
    plan: &Plan,
    sums: &[Checksum],
    inside: &[(String, String)],
) -> Result<Option<String>> {
    let there = |wanted: &str, name: &str| inside.iter().any(|(kind, known)| kind == wanted && known == name);
    for (sheet, sum) in plan.sheets.iter().zip(sums) {
        if !there("table", &sheet.name) {
            return Ok(Some(format!("its table `{}` is gone", sheet.name)));
        }
        let columns = db
            .texts(
                "SELECT attname::text FROM pg_attribute WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped",
                &[&ddl.name(&sheet.name)],
            )
            .await?;
        let same =
            columns.len() == sheet.columns.len() && sheet.columns.iter().all(|column| columns.contains(&column.name));
        if !same || Checksum::in_database(db, &ddl.name(&sheet.name), sheet).await? != *sum {
            return Ok(Some(format!("its table `{}` was changed", sheet.name)));
        }
    }
    if let Some(people) = plan.people.iter().find(|people| !there("view", &people.name)) {
        return Ok(Some(format!("its view `{}` is gone", people.name)));
    }
    for function in &plan.functions {
        let bodies = db
            .texts(
                "SELECT p.prosrc FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = $1 AND p.proname = $2",
                &[&ddl.schema, &function.name],
            )
            .await?;
        if !bodies.contains(&ddl.body(function)) {
            return Ok(Some(format!("its function `{}` is gone or was changed", function.name)));
        }
    }
    Ok(None)
}

/// Removes a release and nothing else from a schema.
///
/// # Errors
/// If something of another origin is left there, or depends on the release.
pub(super) async fn clear(
    db: &mut Connection,
    ddl: &SchemaStatements<'_>,
    kinds: &[String],
    names: &[String],
) -> Result<()> {
    let of = |wanted: &str| -> Vec<String> {
        kinds.iter().zip(names).filter(|(kind, _)| *kind == wanted).map(|(_, name)| ddl.name(name)).collect()
    };
    let mut sql = String::new();
    for function in of("function") {
        for arguments in ["integer[]", "numeric[], numeric[]", "integer[], integer[]"] {
            sql.push_str(&format!("DROP FUNCTION IF EXISTS {function}({arguments});\n"));
        }
    }
    of("view").iter().for_each(|view| sql.push_str(&format!("DROP VIEW IF EXISTS {view};\n")));
    // All at once, since some refer to others.
    let mut tables = of("table");
    tables.push(ddl.name(RELEASE));
    sql.push_str(&format!("DROP TABLE IF EXISTS {};\n", tables.join(", ")));
    db.run(&sql).await?;
    if let Some((kind, name)) = inside(db, ddl).await?.first() {
        let reason = format!("the schema also holds the {kind} `{name}`, which is no part of the release");
        return Err(Error::request("schema", ddl.schema, reason)
            .hint("move it elsewhere, or name another schema with «schema»"));
    }
    Ok(())
}
