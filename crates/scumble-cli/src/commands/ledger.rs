//! `scumble ledger`.

use crate::args::Ledger;
use crate::output::{Output, aligned, counted, grouped};
use scumble::{
    Error, KnownBy, LedgerFiles, LedgerListing, LedgerQuestion, LedgerRelease, OpensWith, Result, State, read_ledger,
};

pub(crate) fn run(args: &Ledger, output: &Output) -> Result<bool> {
    let question = match (args.check, args.explain) {
        (true, _) => LedgerQuestion::Check,
        (false, Some(number)) => LedgerQuestion::Explain(number),
        (false, None) => LedgerQuestion::List,
    };
    let files = LedgerFiles { passphrase: args.ledger_passphrase.clone(), key: args.ledger_key.clone() };
    let listing = read_ledger(&args.file, &files, question, &output.context)?;
    let document = serde_json::to_value(&listing).map_err(|e| Error::bug(e.to_string()))?;
    output.result(&document, || match question {
        LedgerQuestion::Explain(_) => listing.releases.iter().map(explained).collect(),
        _ => summary(&listing),
    })?;
    Ok(question != LedgerQuestion::Check || listing.in_doubt.is_empty())
}

fn summary(listing: &LedgerListing) -> String {
    let n = listing.releases.len() as u64;
    let mut text = format!("{}: {}\n", listing.file.display(), counted(n, "release", "releases"));
    text.push_str(&match &listing.opens_with {
        OpensWith::Passphrase => "opens with a passphrase\n".to_string(),
        OpensWith::Key(id) => format!("opens with the key {id}\n"),
        OpensWith::Nothing => "opens without a passphrase or a key\n".to_string(),
    });
    if n > 0 {
        let heads = ["release", "entered", "state", "method", "rows", "remembered", "went to", "now"];
        let mut rows = vec![heads.map(String::from).to_vec()];
        rows.extend(listing.releases.iter().map(|release| {
            vec![
                release.number.to_string(),
                release.when.clone(),
                release.state.name().into(),
                release.method.clone(),
                grouped(release.rows),
                remembered(release),
                release.place.clone(),
                release.standing.words().into(),
            ]
        }));
        text.push_str(&format!("\n{}", aligned(&rows, &[0, 4])));
    }
    if listing.checked {
        text.push_str("\nevery record and every fingerprint is as it was written\n");
    } else if n > 0 {
        text.push_str("\nrecords are as they were written; fingerprints, which `--check` reads, and tables of releases were not looked at\n");
    }
    for number in &listing.in_doubt {
        text.push_str(&format!(
            "\nrelease {number} was entered, and the run ended before it was confirmed; it is neither where it went nor where it \
             was written, so that it counts as published\n"
        ));
    }
    text
}

/// People, or what stands for them.
fn known_as(known_by: &KnownBy, n: u64) -> String {
    match known_by {
        KnownBy::Person(_) => counted(n, "person", "people"),
        KnownBy::Quasi(_) => counted(n, "combination", "combinations"),
    }
}

/// Whom an entry remembers.
fn remembered(release: &LedgerRelease) -> String {
    let people = known_as(&release.known_by, release.people);
    match release.same_people_as {
        Some(same) => format!("{people}, as release {same}"),
        None => people,
    }
}

fn explained(release: &LedgerRelease) -> String {
    let of_role = |role: &str| {
        let names: Vec<&str> =
            release.columns.iter().filter(|column| column.role == role).map(|column| column.name.as_str()).collect();
        names.join(", ")
    };
    let known_by = match &release.known_by {
        KnownBy::Person(keys) => format!("by the key {}", keys.join(", ")),
        KnownBy::Quasi(names) => format!("by exact quasi-identifiers ({})", names.join(", ")),
    };
    let state = match (release.state, &release.because) {
        (State::Withdrawn, Some(because)) => format!("withdrawn: {because}"),
        (State::InDoubt, _) => "in doubt: it counts as published".into(),
        (state, _) => state.name().into(),
    };
    let mut lines = vec![
        ("release", release.number.to_string()),
        ("entered", release.when.clone()),
        ("went to", release.place.clone()),
        ("now", release.standing.words().into()),
        ("state", state),
        ("method", release.method.clone()),
        ("required", release.requirements.join(", ")),
        ("quasi", of_role("quasi")),
        ("sensitive", of_role("sensitive")),
        ("kept", of_role("kept")),
        ("rows", grouped(release.rows)),
        ("remembered", format!("{} {known_by}", remembered(release))),
    ];
    if release.unnamed > 0 {
        lines.push((
            "not remembered",
            format!("{} whose person was not named", counted(release.unnamed, "row", "rows")),
        ));
    }
    if release.accept_overlap {
        lines.push(("accepted", "that its people may be in other releases".into()));
    }
    lines.push(("manifest", format!("sha256 {}", release.manifest)));
    for common in &release.in_common {
        let told = match common.people {
            Some(n) => format!("{} in common with release {}", known_as(&release.known_by, n), common.release),
            None => format!(
                "not known for release {}: nobody is named in one of them, or people are known by something else there",
                common.release
            ),
        };
        let told = match common.people {
            Some(_) if common.unnamed => format!("{told}, not counting rows that did not say whose they were"),
            _ => told,
        };
        lines.push(("shared", told));
    }
    let shown = lines.into_iter().filter(|(_, value)| !value.is_empty());
    let rows: Vec<Vec<String>> = shown.map(|(name, value)| vec![name.into(), value]).collect();
    aligned(&rows, &[])
}
