//! Work that is cancelled says so, soon, whatever it was doing.

use crate::golden::{bind, people};
use crate::xcolor::threads::large;
use crate::xcolor::world::{WAYS, World};
use scumble_method::automatic_levels::{Fineness, LevelRule, build};
use scumble_method::correlation::{self, DEFAULT_GROUPS, Measure};
use scumble_method::epsilon_m::Aim;
use scumble_method::full_domain::LevelStack;
use scumble_method::ke_permutation::{Rule, partition_sorted};
use scumble_method::mondrian::CutRule;
use scumble_method::publish::{
    Buckets, Outline, Permutation, anatomize, angelize, bucket_table, generalize, group_boxes, permute, recode,
};
use scumble_method::{
    Angel, Coins, EpsilonM, FullDomain, KePermutation, Mondrian, Partitioner, Profile, Task, Variant, XColor,
    partition_checked,
};
use scumble_table::{Cancellation, Error, Monitor, Partition, Progress, Result, Role, Silent, Table};
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Cancels the work as soon as it has advanced, and counts the rows that it heard of.
#[derive(Default)]
struct CancelAtOnce {
    cancellation: Cancellation,
    heard: AtomicU64,
}

impl Progress for CancelAtOnce {
    fn advance(&self, amount: u64) {
        self.heard.fetch_add(amount, Ordering::Relaxed);
        self.cancellation.cancel();
    }
}

fn cancelled<T: Debug>(what: &str, result: Result<T>) {
    assert!(matches!(result, Err(Error::Cancelled)), "{what}: {result:?}");
}

/// A partitioner of all rows is cancelled by the first rows that reach their group. What it hears of afterwards is what
/// was under way: far less than the table.
fn stops(name: &str, table: &Table, texts: &[&str], partitioner: &dyn Partitioner) {
    let bound = bind(table, texts, None).unwrap();
    let coins = Coins::from_seed(4);
    let rebind = |rows: &[u32]| bind(table, texts, Some(rows));
    let run = |monitor| {
        let task = Task { table, bound: &bound, rebind: &rebind, most_suppressed: 0, coins: &coins, monitor };
        partitioner.partition(&task)
    };
    let progress = CancelAtOnce::default();
    cancelled(name, run(Monitor::new(&progress, &progress.cancellation)));
    let heard = progress.heard.load(Ordering::Relaxed);
    assert!(heard > 0 && heard < table.n_rows() as u64, "{name}: {heard} of {} rows", table.n_rows());
    // From the start on, nothing is heard of at all.
    let progress = CancelAtOnce::default();
    progress.cancellation.cancel();
    cancelled(name, run(Monitor::new(&progress, &progress.cancellation)));
    assert_eq!(progress.heard.load(Ordering::Relaxed), 0, "{name}");
}

#[test]
fn mondrian_stops() {
    let table = people(50_000);
    for profile in Profile::ALL {
        for cuts in [CutRule::LeastLoss, CutRule::WidestMedian, CutRule::Median] {
            for relaxed in [false, true] {
                let search = Mondrian { cuts, relaxed, profile };
                stops("mondrian", &table, &["ill: frequency-l-diversity(3)"], &search);
            }
        }
    }
    stops("k-anonymity", &table, &["k-anonymity(3)"], &Mondrian::default());
}

#[test]
fn epsilon_m_stops() {
    let table = people(20_000);
    for (variant, profile) in WAYS {
        let search = EpsilonM { variant, profile, aim: Aim::Answers };
        stops("proximity", &table, &["pay: proximity-absolute(300, 4)"], &search);
        let both = ["pay: proximity-absolute(300, 3)", "ill: distinct-l-diversity(3)"];
        stops("proximity and diversity", &table, &both, &search);
    }
}

#[test]
fn ke_permutation_stops() {
    let table = people(50_000);
    for rule in Rule::ALL {
        stops(rule.name(), &table, &["pay: ke-anonymity(4, 50)"], &KePermutation { rule });
    }
    let numbers: Vec<i128> = (0..20_000).map(|i| i * i).collect();
    let cancellation = Cancellation::default();
    cancellation.cancel();
    let monitor = Monitor::new(&Silent, &cancellation);
    cancelled("partition_sorted", partition_sorted(Rule::ExpectedWidth, &numbers, 4, 100, monitor));
}

#[test]
fn angel_stops() {
    let table = people(50_000);
    let quasi = table.schema().of_role(Role::Quasi);
    for variant in Variant::ALL {
        for profile in Profile::ALL {
            for k in [1, 6] {
                let angel = Angel { k, variant, profile };
                let progress = CancelAtOnce::default();
                let monitor = Monitor::new(&progress, &progress.cancellation);
                cancelled("buckets", angel.buckets(&table, &quasi, &Coins::from_seed(4), monitor));
                assert!(progress.heard.load(Ordering::Relaxed) < 50_000);
                stops("batches", &table, &["ill: distinct-l-diversity(3)"], &angel);
            }
        }
    }
}

#[test]
fn xcolor_stops() {
    let world: World = large(6000);
    let texts = ["dissimilarity(0.1, 0.8, 6)".to_string()];
    let bound = world.bind(&texts, None).unwrap();
    let coins = Coins::from_seed(2);
    let run = |search: XColor, monitor: Monitor<'_>| {
        let rebind = |rows: &[u32]| world.bind(&texts, Some(rows));
        let (table, most_suppressed) = (&world.table, 100);
        let task = Task { table, bound: &bound, rebind: &rebind, most_suppressed, coins: &coins, monitor };
        (search.partition(&task), XColor::initial(&task))
    };
    for (variant, profile) in WAYS {
        let search = XColor::new(variant, profile, None);
        if variant == Variant::Paper {
            // It tells nothing until it is done.
            is_caught("xcolor", |monitor| run(search, monitor).0);
            continue;
        }
        let progress = CancelAtOnce::default();
        let (partition, initial) = run(search, Monitor::new(&progress, &progress.cancellation));
        cancelled("xcolor", partition);
        cancelled("initial", initial);
        assert!((1..6000).contains(&progress.heard.load(Ordering::Relaxed)));
    }
}

#[test]
fn full_domain_stops_where_it_binds_again() {
    let table = people(20_000);
    let stacks: Vec<LevelStack> = (0..3).map(|column| LevelStack::for_column(&table, column)).collect();
    let search = FullDomain { stacks, fixed: vec![None; 3] };
    let texts = ["k-anonymity(4)", "ill: frequency-l-diversity(2)"];
    let bound = bind(&table, &texts, None).unwrap();
    let (cancellation, n_rebound) = (Cancellation::default(), AtomicU64::new(0));
    let rebind = |rows: &[u32]| {
        n_rebound.fetch_add(1, Ordering::Relaxed);
        cancellation.cancel();
        bind(&table, &texts, Some(rows))
    };
    let coins = Coins::from_seed(1);
    let monitor = Monitor::new(&Silent, &cancellation);
    let task = Task { table: &table, bound: &bound, rebind: &rebind, most_suppressed: 2000, coins: &coins, monitor };
    cancelled("full-domain", search.partition(&task));
    assert_eq!(n_rebound.load(Ordering::Relaxed), 1);
    cancelled("full-domain", search.partition(&task));
    cancelled("full-domain", partition_checked(&search, &task));
    assert_eq!(n_rebound.load(Ordering::Relaxed), 1);
}

/// Work without progress is cancelled by another thread, earlier and earlier until it is caught in the middle.
fn is_caught<T: Debug>(name: &str, run: impl Fn(Monitor<'_>) -> Result<T> + Sync) {
    let started = Cancellation::default();
    started.cancel();
    cancelled(name, run(Monitor::new(&Silent, &started)));
    let clock = Instant::now();
    assert!(run(Monitor::silent()).is_ok(), "{name}");
    let whole = clock.elapsed();
    let caught = (0..30u32).any(|attempt| {
        let cancellation = Cancellation::default();
        let result = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(whole / (2 + attempt));
                cancellation.cancel();
            });
            run(Monitor::new(&Silent, &cancellation))
        });
        match result {
            Ok(_) => false,
            Err(error) => {
                assert_eq!(error, Error::Cancelled, "{name}");
                true
            }
        }
    });
    assert!(caught, "{name} could not be cancelled in {whole:?}");
}

fn runs(n: u32, size: u32) -> Partition {
    Partition::new((0..n).collect(), (0..=n).step_by(size as usize).collect(), n as usize).unwrap()
}

#[test]
fn publishers_stop() {
    let table = people(40_000);
    let coins = Coins::from_seed(3);
    let groups = runs(40_000, 4);
    for outline in [Outline::Minimal, Outline::Rounded] {
        is_caught("generalize", |monitor| generalize(&table, &groups, &outline, &coins, monitor));
        is_caught("boxes", |monitor| group_boxes(&table, &groups, &outline, &coins, monitor));
    }
    is_caught("anatomize", |monitor| anatomize(&table, &groups, &coins, monitor));
    let permutation = [Permutation { partition: &groups, coins: &coins }];
    is_caught("permute", |monitor| permute(&table, &permutation, &coins, monitor));
    let quasi = table.schema().of_role(Role::Quasi);
    let buckets = Buckets { columns: quasi.clone(), partition: &groups };
    let batch_of_row: Vec<u32> = (0..40_000).map(|row| row / 4).collect();
    is_caught("bucket table", |monitor| {
        bucket_table(&table, &buckets, &batch_of_row, &Outline::Rounded, &coins, true, monitor).map(|(built, _)| built)
    });
    let all = [Buckets { columns: quasi, partition: &groups }];
    is_caught("angelize", |monitor| {
        angelize(&table, &groups, &all, &Outline::Minimal, &coins, monitor).map(|made| made.form)
    });
    let stacks: Vec<LevelStack> = (0..3).map(|column| LevelStack::for_column(&table, column)).collect();
    is_caught("recode", |monitor| recode(&table, &groups, &[0, 0, 1], &stacks, &coins, monitor).map(|made| made.form));
}

#[test]
fn hierarchies_stop() {
    let table = people(40_000);
    for algorithm in [correlation::Algorithm::Mdl, correlation::Algorithm::Paper] {
        is_caught("correlation", |monitor| {
            let (least, groups, measure) = (40, DEFAULT_GROUPS, Measure::Nmi);
            let given = &[1, 2, 3, 4];
            correlation::Task { table: &table, focused: 0, given, least, groups, measure, algorithm, monitor }.build()
        });
    }
    let cancellation = Cancellation::default();
    cancellation.cancel();
    let attribute = table.attribute(0);
    let histogram = table.column(0).histogram(attribute.domain.n_codes());
    for rule in [LevelRule::Optimal, LevelRule::EqualFrequency, LevelRule::Prefix] {
        let monitor = Monitor::new(&Silent, &cancellation);
        cancelled(rule.name(), build(attribute, &histogram, rule, Fineness::default(), monitor));
    }
}

/// How long a cancellation takes on a million rows, at many moments of the work. It prints the figures; run it with
/// `--ignored --nocapture` on a quiet machine.
#[test]
#[ignore = "it measures time, and takes minutes"]
#[allow(clippy::print_stdout, reason = "the figures are what it is for")]
fn a_million_rows_stop_within_half_a_second() {
    let table = people(1_000_000);
    let coins = Coins::from_seed(3);
    let diverse: &[&str] = &["ill: frequency-l-diversity(3)"];
    let stacks: Vec<LevelStack> = (0..3).map(|column| LevelStack::for_column(&table, column)).collect();
    let standard = Profile::Standard;
    let partitioners: Vec<(&[&str], usize, Box<dyn Partitioner>)> = vec![
        (diverse, 0, Box::new(Mondrian::default())),
        (diverse, 0, Box::new(Mondrian { profile: Profile::Hardened, ..Mondrian::default() })),
        (diverse, 0, Box::new(Mondrian { relaxed: true, ..Mondrian::default() })),
        (diverse, 10_000, Box::new(Mondrian::default())),
        (&["pay: proximity-absolute(300, 4)"], 0, Box::new(EpsilonM::default())),
        (
            &["pay: proximity-absolute(300, 4)"],
            0,
            Box::new(EpsilonM { profile: Profile::MaxUtility, ..EpsilonM::default() }),
        ),
        (&["pay: ke-anonymity(4, 50)"], 0, Box::new(KePermutation { rule: Rule::ExpectedWidth })),
        (
            &["pay: ke-anonymity(4, 50)", "ill: distinct-l-diversity(4)"],
            0,
            Box::new(KePermutation { rule: Rule::MinSum }),
        ),
        (diverse, 0, Box::new(Angel { k: 6, variant: Variant::Ours, profile: standard })),
        (diverse, 0, Box::new(Angel { k: 6, variant: Variant::Ours, profile: Profile::Hardened })),
        (diverse, 0, Box::new(Angel { k: 6, variant: Variant::Ours, profile: Profile::MaxUtility })),
        (diverse, 10_000, Box::new(FullDomain { stacks: stacks.clone(), fixed: vec![None; 3] })),
    ];
    let mut worst = Duration::ZERO;
    let mut measure = |name: &str, run: &(dyn Fn(Monitor<'_>) -> Result<()> + Sync)| {
        let clock = Instant::now();
        let whole = run(Monitor::silent()).map(|()| clock.elapsed()).unwrap();
        let mut slowest = Duration::ZERO;
        for at in 1..10 {
            let cancellation = Cancellation::default();
            let (asked, result, ended) = std::thread::scope(|scope| {
                let asking = scope.spawn(|| {
                    std::thread::sleep(whole * at / 10);
                    cancellation.cancel();
                    Instant::now()
                });
                let result = run(Monitor::new(&Silent, &cancellation));
                let ended = Instant::now();
                (asking.join().unwrap(), result, ended)
            });
            if result == Err(Error::Cancelled) {
                slowest = slowest.max(ended.saturating_duration_since(asked));
            }
        }
        println!("{name}: {whole:?} in all, cancelled within {slowest:?}");
        worst = worst.max(slowest);
    };
    for (texts, most_suppressed, partitioner) in &partitioners {
        let bound = bind(&table, texts, None).unwrap();
        let rebind = |rows: &[u32]| bind(&table, texts, Some(rows));
        measure(&format!("{partitioner:?} {texts:?}"), &|monitor| {
            let most_suppressed = *most_suppressed;
            partitioner
                .partition(&Task {
                    table: &table,
                    bound: &bound,
                    rebind: &rebind,
                    most_suppressed,
                    coins: &coins,
                    monitor,
                })
                .map(|_| ())
        });
    }
    // Which values are near which is worked out before the search, so that fewer rows make it as long.
    let world = large(200_000);
    let asked = ["dissimilarity(0.1, 0.8, 6)".to_string()];
    let bound = world.bind(&asked, None).unwrap();
    let rebind = |rows: &[u32]| world.bind(&asked, Some(rows));
    for (variant, profile) in WAYS {
        let search = XColor::new(variant, profile, Some(Duration::from_secs(15)));
        measure(&format!("{search:?}"), &|monitor| {
            let (table, most_suppressed) = (&world.table, 0);
            let task = Task { table, bound: &bound, rebind: &rebind, most_suppressed, coins: &coins, monitor };
            // The paper's variant does not get there in time.
            match search.partition(&task) {
                Err(Error::NotFound { .. }) => Ok(()),
                other => other.map(|_| ()),
            }
        });
    }
    let groups = runs(1_000_000, 4);
    for outline in [Outline::Minimal, Outline::Rounded] {
        measure("generalize", &|monitor| generalize(&table, &groups, &outline, &coins, monitor).map(|_| ()));
    }
    measure("anatomize", &|monitor| anatomize(&table, &groups, &coins, monitor).map(|_| ()));
    let permutation = [Permutation { partition: &groups, coins: &coins }];
    measure("permute", &|monitor| permute(&table, &permutation, &coins, monitor).map(|_| ()));
    let all = [Buckets { columns: table.schema().of_role(Role::Quasi), partition: &groups }];
    measure("angelize", &|monitor| angelize(&table, &groups, &all, &Outline::Rounded, &coins, monitor).map(|_| ()));
    measure("correlation", &|monitor| {
        let (least, groups, measure, given) = (1000, DEFAULT_GROUPS, Measure::Nmi, &[1, 2, 3, 4][..]);
        let algorithm = correlation::Algorithm::Mdl;
        correlation::Task { table: &table, focused: 0, given, least, groups, measure, algorithm, monitor }
            .build()
            .map(|_| ())
    });
    assert!(worst < Duration::from_millis(500), "{worst:?}");
}
