use super::*;
use proptest::prelude::*;

fn usual() -> SearchLimits<'static> {
    SearchLimits::under(Monitor::silent())
}

/// Tries all assignments of single rows, one box at a time.
fn brute(problem: &MatchingProblem) -> bool {
    fn fill(problem: &MatchingProblem, boxes: &[usize], used: &mut [bool], points: &[usize]) -> bool {
        let Some((&first, rest)) = boxes.split_first() else { return true };
        for (slot, &point) in points.iter().enumerate() {
            let fits = problem.have[point].0 == problem.want[first].0
                && (0..problem.n_dims).all(|dim| {
                    let text = problem.boxes[first * problem.n_dims + dim] as usize;
                    problem.spans[dim][text].holds(problem.points[point * problem.n_dims + dim])
                });
            if fits && !used[slot] {
                used[slot] = true;
                if fill(problem, rest, used, points) {
                    return true;
                }
                used[slot] = false;
            }
        }
        false
    }
    let repeat = |sides: &[(u32, u32)]| -> Vec<usize> {
        sides.iter().enumerate().flat_map(|(at, (_, n))| std::iter::repeat_n(at, *n as usize)).collect()
    };
    let (points, boxes) = (repeat(&problem.have), repeat(&problem.want));
    fill(problem, &boxes, &mut vec![false; points.len()], &points)
}

fn problem() -> impl Strategy<Value = MatchingProblem> {
    let span = (0u32..5, 0u32..6, prop::collection::btree_set(0u32..5, 0..4)).prop_map(|(a, b, set)| {
        if set.len() > 1 {
            Span::from_ranks(set.into_iter().collect())
        } else {
            Span::run(a.min(b), a.max(b) + u32::from(a == b))
        }
    });
    let point = ((0u32..5, 0u32..5), 0u32..2, 1u32..3);
    let a_box = ((0u32..4, 0u32..4), 0u32..2, 1u32..3);
    (
        prop::collection::vec(prop::collection::vec(span, 4), 2),
        prop::collection::vec(point, 0..5),
        prop::collection::vec(a_box, 0..4),
    )
        .prop_map(|(spans, points, boxes)| MatchingProblem {
            n_dims: 2,
            points: points.iter().flat_map(|(at, _, _)| [at.0, at.1]).collect(),
            have: points.iter().map(|(_, key, n)| (*key, *n)).collect(),
            boxes: boxes.iter().flat_map(|(at, _, _)| [at.0, at.1]).collect(),
            want: boxes.iter().map(|(_, key, n)| (*key, *n)).collect(),
            spans,
            n_keys: 2,
        })
}

/// A problem that has an answer by construction: every box is drawn around a point of its own.
fn solvable(n: usize, width: u32, extra: usize, salt: u64) -> MatchingProblem {
    let mut state = salt | 1;
    let mut draw = |below: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(below)) as u32
    };
    let side = 1000;
    let mut problem =
        MatchingProblem { n_dims: 2, n_keys: 3, spans: vec![Vec::new(), Vec::new()], ..MatchingProblem::default() };
    for at in 0..n + extra {
        let spot = [draw(side), draw(side)];
        let key = draw(3);
        problem.points.extend(spot);
        problem.have.push((key, 1));
        if at < n {
            for (dim, rank) in spot.into_iter().enumerate() {
                problem.boxes.push(problem.spans[dim].len() as u32);
                let (lo, hi) = (rank.saturating_sub(draw(width)), rank + draw(width) + 1);
                problem.spans[dim].push(Span::run(lo, hi));
            }
            problem.want.push((key, 1));
        }
    }
    problem
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_flow_decides_like_trying_everything(problem in problem()) {
        let limits = usual();
        prop_assert_eq!(answer(&problem, limits) == Answer::Yes, brute(&problem));
        let undecided = answer(&problem, SearchLimits { pairs: 0, ..limits });
        if brute(&problem) {
            let accepts = matches!(undecided, Answer::Yes | Answer::Undecided { .. });
            prop_assert!(accepts);
        } else {
            prop_assert_ne!(undecided, Answer::Yes);
        }
    }
}

#[test]
fn overlapping_boxes_need_the_flow() {
    for (width, extra) in [(3, 0), (40, 0), (200, 0), (40, 200), (200, 100)] {
        for salt in 0..20 {
            let mut problem = solvable(1500, width, extra, salt);
            assert_eq!(answer(&problem, usual()), Answer::Yes, "{width} {extra} {salt}");
            // Moving one box off the map leaves it empty.
            problem.spans[0].push(Span::run(5000, 5001));
            let last = problem.boxes.len() - 2;
            problem.boxes[last] = problem.spans[0].len() as u32 - 1;
            assert!(matches!(answer(&problem, usual()), Answer::NoPoint(_) | Answer::NoBox(_)));
        }
    }
}

#[test]
fn too_many_pairs_are_said_to_be_undecided() {
    let problem = solvable(500, 400, 10, 7);
    assert_eq!(answer(&problem, SearchLimits { pairs: 100, steps: 1, ..usual() }), Answer::Undecided { rows: 500 });
    assert_eq!(
        answer(&problem, SearchLimits { pairs: 1_000_000, steps: 0, ..usual() }),
        Answer::Undecided { rows: 500 }
    );
}
