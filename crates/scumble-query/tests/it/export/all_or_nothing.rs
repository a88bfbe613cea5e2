//! All of a release or nothing of it, once or again.

use super::database::{Database, people, publish};
use scumble::Method;
use scumble_query::Destination;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};

fn permuted(dir: &Path, rows: usize) -> PathBuf {
    publish(dir, &people(rows, true), Method::Permute, &["pay %", "debt"], |_| ()).0
}

#[test]
fn types_keys_and_comments() {
    let Some(database) = Database::new() else { return };
    let dir = tempfile::tempdir().unwrap();
    database.export(&permuted(dir.path(), 40), false).unwrap();
    let columns = database
        .run(
            "SELECT attname, format_type(atttypid, atttypmod), attnotnull FROM pg_attribute \
             WHERE attrelid = 'permuted'::regclass AND attnum > 0 ORDER BY attnum",
        )
        .unwrap();
    let columns: Vec<String> = columns
        .iter()
        .map(|row| row.iter().map(|(_, cell)| cell.clone().unwrap()).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        columns,
        [
            "tuple integer t",
            "select bigint f",
            "the \"city\" text f",
            "né le date t",
            "height numeric(3,2) t",
            "pay % numeric(6,2) t",
            "debt bigint f",
            "note text t"
        ]
    );
    let keys = database.run("SELECT conrelid::regclass::text || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = quote_ident(current_schema)::regnamespace AND contype IN ('p', 'f') ORDER BY 1").unwrap();
    let keys: Vec<String> = keys.into_iter().map(|mut row| row.swap_remove(0).1.unwrap()).collect();
    for key in [
        "permuted PRIMARY KEY (tuple)",
        "mapping_debt PRIMARY KEY (tuple)",
        "help_debt PRIMARY KEY (\"group\", hits)",
        "mapping_debt FOREIGN KEY (tuple) REFERENCES permuted(tuple)",
    ] {
        assert!(keys.iter().any(|found| found == key), "{keys:?}");
    }
    assert_eq!(database.indexes_like("%_index%").as_deref(), Some("6"));
    let uncommented = "SELECT count(*) FROM pg_class c WHERE relnamespace = quote_ident(current_schema)::regnamespace AND relkind IN ('r', 'v') AND obj_description(c.oid, 'pg_class') IS NULL";
    assert_eq!(database.value(uncommented).as_deref(), Some("0"));
    assert!(
        database
            .value("SELECT obj_description('debt_bounds'::regproc, 'pg_proc')")
            .unwrap()
            .contains("\"debt_bounds\"(ARRAY(SELECT \"group_debt\"")
    );
    assert_eq!(database.value("SELECT manifest->>'method' FROM scumble_release").as_deref(), Some("permute"));
}

#[test]
fn again_and_another() {
    let Some(database) = Database::new() else { return };
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (first, second) = (permuted(one.path(), 40), permuted(two.path(), 50));
    let made = database.export(&first, false).unwrap();
    assert!(!made.already && made.tables[0].rows == 40);
    let before = database.value("SELECT 'permuted'::regclass::oid");
    let again = database.export(&first, false).unwrap();
    assert!(again.already && again.tables == made.tables);
    assert!(database.export(&first, true).unwrap().already);
    assert_eq!(database.value("SELECT 'permuted'::regclass::oid"), before);
    let refused = database.export(&second, false).unwrap_err();
    assert!(
        refused.exit_code() == 2
            && refused.to_string().contains("holds another release")
            && refused.to_string().contains("replace"),
        "{refused}"
    );
    assert_eq!(database.value("SELECT count(*) FROM permuted").as_deref(), Some("40"));
    database.export(&second, true).unwrap();
    assert_eq!(database.value("SELECT count(*) FROM people").as_deref(), Some("50"));
    assert_eq!(database.value("SELECT count(*) FROM scumble_release").as_deref(), Some("1"));
}

#[test]
fn a_damaged_release_is_noticed_and_can_be_replaced() {
    for (harm, word) in [
        ("UPDATE permuted SET debt = 999 WHERE tuple = 1", "`permuted` was changed"),
        ("DELETE FROM mapping_debt WHERE tuple = 1", "`mapping_debt` was changed"),
        ("DROP VIEW people", "`people` is gone"),
        ("DROP FUNCTION debt_bounds", "`debt_bounds` is gone"),
        ("DROP TABLE help_debt", "`help_debt` is gone"),
    ] {
        let Some(database) = Database::new() else { return };
        let dir = tempfile::tempdir().unwrap();
        let release = permuted(dir.path(), 40);
        database.export(&release, false).unwrap();
        database.run(harm).unwrap();
        let refused = database.export(&release, false).unwrap_err();
        assert!(refused.exit_code() == 2 && refused.to_string().contains(word), "{harm}: {refused}");
        database.export(&release, true).unwrap();
        assert!(database.export(&release, false).unwrap().already);
    }
}

#[test]
fn what_is_not_ours_stays() {
    let Some(database) = Database::new() else { return };
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (first, second) = (permuted(one.path(), 40), permuted(two.path(), 50));
    database.run(&format!("CREATE SCHEMA {}", database.quoted())).unwrap();
    database.run("CREATE FUNCTION mine() RETURNS integer LANGUAGE sql AS 'SELECT 1'").unwrap();
    let refused = |replace: bool, release: &Path| {
        let error = database.export(release, replace).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{error}");
        error.to_string()
    };
    for replace in [false, true] {
        let words = refused(replace, &first);
        assert!(words.contains("function") && words.contains("no release"), "{words}");
    }
    database.run("DROP FUNCTION mine(); CREATE TABLE scumble_release (x integer)").unwrap();
    assert!(refused(true, &first).contains("no release"));
    // An empty schema is as good as none.
    database.run("DROP TABLE scumble_release").unwrap();
    database.export(&first, false).unwrap();
    database.run("CREATE TABLE mine (x integer)").unwrap();
    assert!(database.export(&first, false).unwrap().already);
    assert!(refused(true, &second).contains("`mine`"));
    database.run("DROP TABLE mine; CREATE VIEW mine AS SELECT * FROM people").unwrap();
    assert!(refused(true, &second).contains("depends on it"));
    assert_eq!(database.value("SELECT count(*) FROM mine").as_deref(), Some("40"));
    database.run("DROP VIEW mine").unwrap();
    database.export(&second, true).unwrap();
}

#[test]
fn altered_releases_and_wrong_names_are_refused_before_anything_is_sent() {
    let Some(database) = Database::new() else { return };
    let dir = tempfile::tempdir().unwrap();
    let release = permuted(dir.path(), 40);
    let file = release.join("help-debt.csv");
    let text = std::fs::read_to_string(&file).unwrap();
    for (content, word) in [(text.replacen("1,", "2,", 1), "sha256"), (text[..text.len() / 2].to_string(), "sha256")] {
        std::fs::write(&file, content).unwrap();
        let error = database.export(&release, false).unwrap_err().to_string();
        assert!(error.contains("help-debt.csv") && error.contains(word), "{error}");
    }
    std::fs::remove_file(&file).unwrap();
    assert!(database.export(&release, false).unwrap_err().to_string().contains("missing"));
    std::fs::write(&file, text).unwrap();
    for schema in ["", "pg_mine", "information_schema", &"x".repeat(64), "a\0b"] {
        let mut options = database.options(false);
        options.schema = schema.to_string();
        let to = Destination::parse(&database.url).unwrap();
        assert_eq!(database.export_to(&release, &to, &options).unwrap_err().exit_code(), 2);
    }
    assert!(!database.exists());
}

/// Passes bytes on to the database, and hangs up once the program has sent that many.
fn cut_after(url: &str, most: usize) -> String {
    let (start, address) = url.split_once('@').unwrap();
    let (server, rest) = address.split_once('/').unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = server.to_string();
    std::thread::spawn(move || {
        let (mut program, _) = listener.accept().unwrap();
        let mut database = TcpStream::connect(server).unwrap();
        let (mut back, mut answers) = (program.try_clone().unwrap(), database.try_clone().unwrap());
        std::thread::spawn(move || std::io::copy(&mut answers, &mut back));
        let (mut sent, mut block) = (0, [0u8; 512]);
        while sent < most {
            let n = program.read(&mut block).unwrap_or(0);
            if n == 0 || database.write_all(&block[..n]).is_err() {
                break;
            }
            sent += n;
        }
        for stream in [&program, &database] {
            let _ = stream.shutdown(Shutdown::Both);
        }
    });
    format!("{start}@127.0.0.1:{port}/{rest}")
}

#[test]
fn a_connection_that_breaks_leaves_nothing() {
    let Some(database) = Database::new() else { return };
    let dir = tempfile::tempdir().unwrap();
    let release = permuted(dir.path(), 2000);
    // From the greeting through the load to what comes after it.
    for most in [1, 600, 3_000, 9_000, 40_000, 120_000] {
        let to = Destination::parse(&cut_after(&database.url, most)).unwrap();
        let error = database.export_to(&release, &to, &database.options(false)).unwrap_err();
        assert_eq!(error.exit_code(), 3, "{most}: {error}");
        assert!(
            error.to_string().contains("127.0.0.1") && !error.to_string().contains(password(&database.url)),
            "{error}"
        );
        assert!(!database.exists(), "{most}");
    }
    database.export(&release, false).unwrap();
    // A replacement that breaks keeps what was there.
    let other = tempfile::tempdir().unwrap();
    let second = permuted(other.path(), 1000);
    let to = Destination::parse(&cut_after(&database.url, 40_000)).unwrap();
    assert_eq!(database.export_to(&second, &to, &database.options(true)).unwrap_err().exit_code(), 3);
    assert!(database.export(&release, false).unwrap().already);
}

#[test]
fn a_server_that_ends_the_session_says_why() {
    let Some(database) = Database::new() else { return };
    let dir = tempfile::tempdir().unwrap();
    let release = permuted(dir.path(), 2000);
    // Somebody holds the name, so that the export waits in the middle of its transaction until it is ended.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let client = runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(&database.url, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute(&format!("BEGIN; CREATE SCHEMA {}", database.quoted())).await.unwrap();
        client
    });
    let error = std::thread::scope(|scope| {
        let running = scope.spawn(|| database.export(&release, false).unwrap_err());
        let waiting = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'scumble' AND wait_event_type = 'Lock' AND query LIKE 'CREATE SCHEMA%'";
        for _ in 0..500 {
            if running.is_finished() {
                break;
            }
            database.run(waiting).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        // Should it still wait, it may go on and fail the test.
        runtime.block_on(client.batch_execute("ROLLBACK")).unwrap();
        running.join().unwrap()
    });
    assert_eq!(error.exit_code(), 3);
    assert!(
        error.to_string().contains("terminating connection") && error.to_string().contains("nothing was changed"),
        "{error}"
    );
    assert!(!database.exists());
}

fn password(url: &str) -> &str {
    url.split_once("://").unwrap().1.split_once('@').unwrap().0.split_once(':').unwrap().1
}

#[test]
fn passwords_are_asked_for_and_never_shown() {
    let Some(database) = Database::new() else { return };
    let dir = tempfile::tempdir().unwrap();
    let release = permuted(dir.path(), 40);
    let wrong = database.url.replace(password(&database.url), "n0t-the-one");
    let to = Destination::parse(&wrong).unwrap();
    let error = database.export_to(&release, &to, &database.options(false)).unwrap_err();
    assert!(error.exit_code() == 3 && error.to_string().contains("password authentication failed"), "{error}");
    assert!(!error.to_string().contains("n0t-the-one") && error.to_string().contains("tester@127.0.0.1"), "{error}");
    let nobody = Destination::parse("postgres://ann:n0t@127.0.0.1:1/x").unwrap();
    let error = database.export_to(&release, &nobody, &database.options(false)).unwrap_err();
    assert!(
        error.exit_code() == 3 && error.to_string().contains("cannot connect to `postgres://ann@127.0.0.1:1/x`"),
        "{error}"
    );
}

#[test]
fn two_exports_at_once_take_turns() {
    let Some(database) = Database::new() else { return };
    let dir = tempfile::tempdir().unwrap();
    let release = permuted(dir.path(), 300);
    let made: Vec<bool> = std::thread::scope(|scope| {
        let running: Vec<_> =
            (0..3).map(|_| scope.spawn(|| database.export(&release, false).unwrap().already)).collect();
        running.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert_eq!(made.iter().filter(|already| !**already).count(), 1, "{made:?}");
}
