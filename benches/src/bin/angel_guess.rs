//! How well an attacker who knows the algorithm guesses who of a batch has its commonest value.
//!
//!     cargo run --release -p scumble-bench --bin angel_guess
//!
//! A table of people who all differ, whose values have nothing to do with anything else, in batches of three under
//! frequency l-diversity: any guess should be right in one case of three. A value that many people have must be in
//! nearly every batch, so its bearer may come from further away. The guess is the member who stands far from the other
//! two; boxes are exact, so that a reader sees where everybody stands.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use scumble::{Context, Job, Method, Profile, Release, Source, anonymize};
use scumble_bench::Outcome;
use scumble_release::PublishedTables;
use std::collections::BTreeMap;
use std::io::Cursor;

const ROWS: u64 = 6_000;
/// Releases of each way; without a seed each has coins of its own.
const RELEASES: u32 = 8;
/// How many people of a hundred have each value.
const WEIGHTS: [u64; 8] = [28, 20, 15, 12, 10, 7, 5, 3];
/// A member stands far from the others if its gap is more than this many times theirs.
const FAR: i64 = 3;

fn main() -> Outcome<()> {
    let (values, context) = (people(), Context::new());
    let lines: String = values.iter().map(|(place, value)| format!("{place},v{value}\n")).collect();
    let job = Job::new().quasi(["place"]).sensitive(["value"]).require("frequency-l-diversity(3)")?;
    let table = Source::reader(Cursor::new(format!("place,value\n{lines}"))).read(&job, &context)?;
    println!(
        "## Guesses at the bearer of the commonest value of a batch of three, {ROWS} people, {RELEASES} releases each\n"
    );
    println!("| form | profile | batches with a far member | of these it has the commonest value |");
    println!("|---|---|---|---|");
    for method in [Method::Angel, Method::Anatomy] {
        for profile in Profile::ALL {
            let mut job = job.clone();
            (job.publish.method, job.publish.profile) = (Some(method), Some(profile));
            job.publish.angel_k = (method == Method::Angel).then_some(1);
            let (mut asked, mut right) = (0u64, 0u64);
            for _ in 0..RELEASES {
                let release = anonymize(&table, &job, &context)?;
                for members in batches(&release, &context)?.values() {
                    if let Some(far) = far(members) {
                        let commonest = members.iter().map(|place| values[place]).min();
                        asked += 1;
                        right += u64::from(Some(values[&far]) == commonest);
                    }
                }
            }
            println!("| {method} | {profile} | {asked} | {:.3} |", right as f64 / asked.max(1) as f64);
        }
    }
    Ok(())
}

/// Different places, each with a value drawn by the weights; value 0 is the commonest.
fn people() -> BTreeMap<i64, usize> {
    let mut state = 5u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut people = BTreeMap::new();
    while (people.len() as u64) < ROWS {
        let place = draw(1_000_000) as i64;
        let mut left = draw(WEIGHTS.iter().sum());
        let value = WEIGHTS.iter().position(|&weight| {
            let here = left < weight;
            left = left.saturating_sub(weight);
            here
        });
        people.insert(place, value.unwrap_or(WEIGHTS.len() - 1));
    }
    people
}

/// The places of the members of each batch or group.
fn batches(release: &Release, context: &Context) -> Outcome<BTreeMap<u32, Vec<i64>>> {
    let (groups, places): (&[u32], Vec<i64>) = match release.data(context)?.tables() {
        PublishedTables::Exact(exact) => {
            let place = &exact.people[0];
            let places = place.codes.iter().map(|code| place.domain.text(code).parse());
            (&exact.groupings[0].row_group, places.collect::<Result<_, _>>()?)
        }
        PublishedTables::Angel(angel) => {
            let view = &angel.views[0];
            let place = &view.boxed.quasi[0];
            let places = view.boxed.row_group.iter().map(|&at| place.texts.text(place.of_group[at as usize]).parse());
            (&view.row_batch, places.collect::<Result<_, _>>()?)
        }
        PublishedTables::Generalized(_) => return Err("neither batches nor groups of exact people".into()),
    };
    let mut found: BTreeMap<u32, Vec<i64>> = BTreeMap::new();
    for (&group, place) in groups.iter().zip(places) {
        found.entry(group).or_default().push(place);
    }
    Ok(found)
}

/// The member of three who stands far from the other two, if one does.
fn far(members: &[i64]) -> Option<i64> {
    let mut sorted: [i64; 3] = members.try_into().ok()?;
    sorted.sort_unstable();
    let (low, high) = (sorted[1] - sorted[0], sorted[2] - sorted[1]);
    match (low > FAR * high, high > FAR * low) {
        (true, _) => Some(sorted[0]),
        (_, true) => Some(sorted[2]),
        _ => None,
    }
}
