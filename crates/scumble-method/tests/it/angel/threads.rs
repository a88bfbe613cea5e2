//! The number of threads leaves no trace.

use super::*;

/// A table large enough for forks, wide lanes and blocks of swaps.
fn large(n: usize) -> Table {
    let mut state = 1u64;
    let mut draw = move |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % bound) as Code
    };
    let sizes = [3000, 12, 8, 9, 15];
    let mut columns: Vec<Vec<Code>> = vec![Vec::with_capacity(n); sizes.len()];
    for _ in 0..n {
        let people: Vec<Code> = sizes.iter().map(|&size| draw(size + 1)).collect();
        columns.iter_mut().zip(people).for_each(|(column, code)| column.push(code));
    }
    let domains = [domain(0, 3000), domain(4, 12), domain(5, 8), domain(3, 9), domain(4, 15)];
    let attributes = domains.into_iter().enumerate().map(|(i, domain)| Attribute {
        name: format!("c{i}"),
        role: if i < 4 { Role::Quasi } else { Role::Sensitive },
        domain,
    });
    let columns = columns.into_iter().map(|codes| codes.into_iter().collect()).collect();
    Table::new(Schema::new(attributes.collect()).unwrap(), columns, n).unwrap()
}

#[test]
fn threads_leave_no_trace() {
    let table = large(60_000);
    for (variant, profile, text) in [
        (Variant::Ours, Profile::Standard, "frequency-l-diversity(5)"),
        (Variant::Ours, Profile::MaxUtility, "frequency-l-diversity(5)"),
        (Variant::Ours, Profile::Hardened, "frequency-l-diversity(3)"),
        (Variant::Ours, Profile::MaxUtility, "t-closeness(0.2)"),
        (Variant::Paper, Profile::MaxUtility, "frequency-l-diversity(5)"),
    ] {
        let angel = Angel { k: 10, variant, profile };
        let bound = bound(&table, &[text]);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let buckets = buckets(&angel, &table, 3);
                let batches = batches(&angel, &table, &bound, &buckets, 3).unwrap();
                (buckets, batches)
            })
        };
        let (buckets, batches) = with(1);
        assert!(buckets.n_groups() > 1000 && batches.n_groups() > 100);
        assert_eq!((buckets, batches), with(2), "{angel:?} {text}");
    }
}
