//! Learning who has what from the groups alone (Kifer, SIGMOD 2009).
//!
//! An attacker who takes every member of a group to be equally likely to have each of its values leaves something lying
//! about: over thousands of groups the release shows how values go with quasi-identifiers. A naive Bayes model of the
//! quasi-identifiers given the value is fitted by expectation and maximization. In each round the model weighs, for every
//! person, the values of the batches that the person may be in, and proportional fitting brings these weights into line with
//! the counts that are published: one value for each person, as many people of a box in a batch as the table shows, as many
//! people of a batch with a value as it has.
//!
//! The weight of person i in batch B with value v is `a_i * b_CB * c_Bv * P(v) * P(quasi of i | v)`, C being the person's
//! box, so that only the factors a, b and c are kept. The control is the model asked about people who were never in the
//! release: what it says of them is knowledge about the world, which any honest statistic gives too.

use super::people::People;
use super::seen::Seen;
use rayon::prelude::*;

/// Rounds of learning. On the adult table the accuracy no longer moves after ten.
const ROUNDS: usize = 15;
/// Sweeps of proportional fitting in each round.
const SWEEPS: usize = 4;
/// How many people's worth of the marginal distribution each conditional one is mixed with, for values that are rare.
const SMOOTHING: f64 = 5.0;
/// The share of people whom the attacker is surest about.
pub const SUREST: f64 = 0.01;

/// Accuracy over everybody and over the surest, of people in the release and of people held out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Learned {
    /// Right guesses among all people of the release.
    pub accuracy: f64,
    /// Right guesses among those whom the attacker is surest about.
    pub surest: f64,
    /// The same model on people who were held out.
    pub control: f64,
    /// The same on those of them whom it is surest about.
    pub control_surest: f64,
}

/// Fits the model to what a release shows and guesses.
pub fn attack(seen: &Seen, people: &People, truth: &[u32], secret: &super::people::Column) -> Learned {
    let places = Places::new(seen);
    let mut model = Model::flat(people, secret.n_values());
    let mut factors: Vec<f64> = vec![1.0; places.n_values];
    let mut beliefs = Vec::new();
    for _ in 0..ROUNDS {
        let weights = model.of_everybody(people, &seen.person);
        for _ in 0..SWEEPS {
            beliefs = places.fitted(&weights, model.n_values, &mut factors);
        }
        model = Model::learned(people, &seen.person, &beliefs, model.n_values);
    }
    let guesses = beliefs.iter().map(|belief| best(belief));
    let (accuracy, surest) = scored(guesses.zip(truth.iter().copied()).collect());
    let outside = people.inside..people.n_people();
    let held_out: Vec<((u32, f64), u32)> =
        outside.into_par_iter().map(|person| (best(&model.belief(people, person)), secret.codes[person])).collect();
    let (control, control_surest) = scored(held_out);
    Learned { accuracy, surest, control, control_surest }
}

/// Value and weight of the likeliest; the first of equals.
fn best(belief: &[f32]) -> (u32, f64) {
    let mut found = (0, f32::MIN);
    for (value, &weight) in belief.iter().enumerate() {
        if weight > found.1 {
            found = (value as u32, weight);
        }
    }
    (found.0, f64::from(found.1))
}

/// The share of right guesses, and that of the surest ones.
fn scored(mut guesses: Vec<((u32, f64), u32)>) -> (f64, f64) {
    let right = |guesses: &[((u32, f64), u32)]| {
        guesses.iter().filter(|(guess, truth)| guess.0 == *truth).count() as f64 / guesses.len() as f64
    };
    guesses.sort_by(|a, b| b.0.1.total_cmp(&a.0.1));
    let surest = ((guesses.len() as f64 * SUREST).ceil() as usize).min(guesses.len());
    (right(&guesses), right(&guesses[..surest]))
}

/// A box that was fitted: the belief about each of its rows, and the people that fall to each value of its batches.
type Fitted = (Vec<(u32, Vec<f32>)>, Vec<(usize, f64)>);

/// Where values may be: the people and batches of each box, and the values of each batch.
struct Places<'a> {
    seen: &'a Seen,
    /// Rows of each box.
    rows: Vec<Vec<u32>>,
    /// Batches of each box, with its people in them.
    batches: Vec<Vec<(u32, u32)>>,
    /// Where the values of each batch begin among all.
    start: Vec<usize>,
    n_values: usize,
}

impl<'a> Places<'a> {
    fn new(seen: &'a Seen) -> Self {
        let rows = seen.box_rows();
        let batches = rows.iter().map(|rows| {
            let mut of_rows: Vec<u32> = rows.iter().map(|&row| seen.batch_of[row as usize]).collect();
            of_rows.sort_unstable();
            of_rows.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
        });
        let batches = batches.collect();
        let mut start = vec![0];
        for values in &seen.batches {
            start.push(start[start.len() - 1] + values.len());
        }
        Places { seen, rows, batches, n_values: start[start.len() - 1], start }
    }

    /// One sweep: fits people and batches of every box to each other, then the values of every batch to their counts.
    /// `factors` are the c of all batches. Returns the belief about each row.
    fn fitted(&self, weights: &[Vec<f32>], n_values: usize, factors: &mut [f64]) -> Vec<Vec<f32>> {
        let known: &[f64] = factors;
        let fitted: Vec<Fitted> =
            (0..self.rows.len()).into_par_iter().map(|at| self.fit_box(at, weights, n_values, known)).collect();
        let mut beliefs = vec![Vec::new(); self.seen.person.len()];
        let mut held = vec![0.0; factors.len()];
        for (rows, masses) in fitted {
            for (row, belief) in rows {
                beliefs[row as usize] = belief;
            }
            for (at, mass) in masses {
                held[at] += mass;
            }
        }
        for (batch, values) in self.seen.batches.iter().enumerate() {
            for (at, &(_, n)) in (self.start[batch]..).zip(values) {
                factors[at] *= f64::from(n) / held[at].max(1e-12);
            }
            // Only the ratios within a batch matter, and they must not run out of the range of numbers.
            let most = factors[self.start[batch]..self.start[batch + 1]].iter().copied().fold(1e-300, f64::max);
            factors[self.start[batch]..self.start[batch + 1]].iter_mut().for_each(|f| *f = (*f / most).max(1e-12));
        }
        beliefs
    }

    fn fit_box(&self, at: usize, weights: &[Vec<f32>], n_values: usize, factors: &[f64]) -> Fitted {
        let (rows, batches) = (&self.rows[at], &self.batches[at]);
        // The weight of person and batch, over the batch's values.
        let mut joint: Vec<f64> = Vec::with_capacity(rows.len() * batches.len());
        for &row in rows {
            for &(batch, _) in batches {
                let from = self.start[batch as usize];
                let values = self.seen.batches[batch as usize].iter().enumerate();
                let weight = |(i, &(v, _)): (usize, &(u32, u32))| {
                    f64::from(weights[row as usize][v as usize]) * factors[from + i]
                };
                joint.push(values.map(weight).sum::<f64>().max(1e-300));
            }
        }
        let mut of_person = vec![1.0; rows.len()];
        let mut of_batch = vec![1.0; batches.len()];
        let width = batches.len();
        for _ in 0..if width == 1 { 1 } else { SWEEPS } {
            for (b, &(_, n)) in batches.iter().enumerate() {
                let held: f64 = (0..rows.len()).map(|i| of_person[i] * joint[i * width + b]).sum();
                of_batch[b] = f64::from(n) / held.max(1e-300);
            }
            for i in 0..rows.len() {
                let held: f64 = (0..width).map(|b| of_batch[b] * joint[i * width + b]).sum();
                of_person[i] = 1.0 / held.max(1e-300);
            }
        }
        let mut masses: Vec<(usize, f64)> = Vec::new();
        for &(batch, _) in batches {
            masses.extend((self.start[batch as usize]..self.start[batch as usize + 1]).map(|place| (place, 0.0)));
        }
        let mut beliefs = Vec::with_capacity(rows.len());
        for (i, &row) in rows.iter().enumerate() {
            let mut belief = vec![0.0f32; n_values];
            let mut place = 0;
            for (b, &(batch, _)) in batches.iter().enumerate() {
                for &(value, _) in &self.seen.batches[batch as usize] {
                    let weight = f64::from(weights[row as usize][value as usize]) * factors[masses[place].0];
                    let mass = of_person[i] * of_batch[b] * weight;
                    belief[value as usize] += mass as f32;
                    masses[place].1 += mass;
                    place += 1;
                }
            }
            beliefs.push((row, belief));
        }
        (beliefs, masses)
    }
}

/// Naive Bayes: how common each value is, and how quasi-identifiers are distributed among those who have it.
struct Model {
    n_values: usize,
    /// Logarithm of the share of each value.
    share: Vec<f64>,
    /// For each quasi-identifier the logarithm of the share of each of its codes among those with each value.
    given: Vec<Vec<f64>>,
}

impl Model {
    /// A model that knows nothing.
    fn flat(people: &People, n_values: usize) -> Model {
        let given = people.quasi.iter().map(|column| vec![0.0; column.n_values() * n_values]).collect();
        Model { n_values, share: vec![0.0; n_values], given }
    }

    /// The model under which these beliefs are likeliest.
    fn learned(people: &People, persons: &[u32], beliefs: &[Vec<f32>], n_values: usize) -> Model {
        let mut held = vec![0.0f64; n_values];
        for belief in beliefs {
            held.iter_mut().zip(belief).for_each(|(sum, &weight)| *sum += f64::from(weight));
        }
        let given = people.quasi.par_iter().map(|column| {
            let mut joint = vec![0.0f64; column.n_values() * n_values];
            let mut marginal = vec![0.0f64; column.n_values()];
            for (&person, belief) in persons.iter().zip(beliefs) {
                let code = column.codes[person as usize] as usize;
                marginal[code] += 1.0;
                let cells = &mut joint[code * n_values..(code + 1) * n_values];
                cells.iter_mut().zip(belief).for_each(|(sum, &weight)| *sum += f64::from(weight));
            }
            // A person who was held out may have a value that no one in the release has.
            let total = persons.len() as f64 + column.n_values() as f64;
            for (code, cells) in joint.chunks_mut(n_values).enumerate() {
                let usual = SMOOTHING * (marginal[code] + 1.0) / total;
                for (cell, &sum) in cells.iter_mut().zip(&held) {
                    *cell = ((*cell + usual) / (sum + SMOOTHING)).ln();
                }
            }
            joint
        });
        let given = given.collect();
        let share = held.iter().map(|&sum| ((sum + 1.0) / (persons.len() + n_values) as f64).ln()).collect();
        Model { n_values, share, given }
    }

    /// What the model alone says of a person.
    fn belief(&self, people: &People, person: usize) -> Vec<f32> {
        let mut logs = self.share.clone();
        for (column, given) in people.quasi.iter().zip(&self.given) {
            let code = column.codes[person] as usize;
            logs.iter_mut().zip(&given[code * self.n_values..]).for_each(|(sum, &log)| *sum += log);
        }
        let most = logs.iter().copied().fold(f64::MIN, f64::max);
        let weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
        let sum: f64 = weights.iter().sum();
        // A value that seems impossible may be the only one that a batch has left.
        weights.iter().map(|weight| ((weight / sum) as f32).max(1e-9)).collect()
    }

    fn of_everybody(&self, people: &People, persons: &[u32]) -> Vec<Vec<f32>> {
        persons.par_iter().map(|&person| self.belief(people, person as usize)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::dice::Dice;
    use crate::attacks::people::tests::people;

    /// Two hundred groups of two, and as many people held out. `tells` out of ten people of value `a` have quasi-identifier 1.
    fn made(tells: usize, seed: u64) -> (People, Seen, Vec<u32>) {
        let mut dice = Dice::new(seed, 1);
        let rows: Vec<(&str, &str)> = (0..800)
            .map(|at| {
                let value = at % 2;
                let same = dice.below(10) < tells;
                (if same == (value == 0) { "1" } else { "2" }, if value == 0 { "a" } else { "b" })
            })
            .collect();
        let cells: Vec<[&str; 1]> = rows.iter().map(|row| [row.0]).collect();
        let rows: Vec<(&[&str], &str)> = cells.iter().zip(&rows).map(|(cells, row)| (&cells[..], row.1)).collect();
        let people = people(&rows, 400);
        let groups: Vec<u32> = (0..400).map(|row| row / 2).collect();
        let seen = Seen {
            person: (0..400).collect(),
            box_of: groups.clone(),
            batch_of: groups,
            batches: vec![vec![(0, 1), (1, 1)]; 200],
            boxes: Vec::new(),
        };
        let truth = seen.truth(&people.secrets[0]);
        (people, seen, truth)
    }

    #[test]
    fn what_does_not_go_together_is_not_learned() {
        let mut sum = 0.0;
        for seed in 0..20 {
            let (people, seen, truth) = made(5, seed);
            sum += attack(&seen, &people, &truth, &people.secrets[0]).accuracy;
        }
        assert!((sum / 20.0 - 0.5).abs() < 0.05, "{}", sum / 20.0);
    }

    #[test]
    fn a_group_is_learned_from_groups_of_others() {
        // One value to begin with: all groups of two distinct people, but for one in which both values are sure.
        let (people, mut seen, truth) = made(10, 3);
        seen.batches.push(vec![(0, 2)]);
        seen.person.extend([0, 2]);
        seen.box_of.extend([200, 200]);
        seen.batch_of.extend([200, 200]);
        let mut truth = truth;
        truth.extend([0, 0]);
        let learned = attack(&seen, &people, &truth, &people.secrets[0]);
        assert_eq!((learned.accuracy, learned.surest), (1.0, 1.0));
        assert_eq!((learned.control, learned.control_surest), (1.0, 1.0));
    }

    #[test]
    fn boxes_and_batches_that_differ_are_fitted_to_all_counts() {
        // Angel: boxes {0, 1} and {2, 3}, batches {0, 2} of values a, b and {1, 3} of values a, c.
        let seen = Seen {
            person: vec![0, 1, 2, 3],
            box_of: vec![0, 0, 1, 1],
            batch_of: vec![0, 1, 0, 1],
            batches: vec![vec![(0, 1), (1, 1)], vec![(0, 1), (2, 1)]],
            boxes: Vec::new(),
        };
        let places = Places::new(&seen);
        let weights = vec![vec![8.0, 1.0, 1.0], vec![1.0, 1.0, 1.0], vec![1.0, 1.0, 1.0], vec![1.0, 4.0, 1.0]];
        let mut factors = vec![1.0; 4];
        let mut beliefs = Vec::new();
        for _ in 0..200 {
            beliefs = places.fitted(&weights, 3, &mut factors);
        }
        for belief in &beliefs {
            assert!((belief.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{belief:?}");
        }
        let of_value = |v: usize| beliefs.iter().map(|belief| belief[v]).sum::<f32>();
        assert!(
            (of_value(0) - 2.0).abs() < 1e-3 && (of_value(1) - 1.0).abs() < 1e-3 && (of_value(2) - 1.0).abs() < 1e-3
        );
        assert!(beliefs[0][0] > beliefs[1][0], "who is like a has a");
    }

    #[test]
    fn the_surest_hundredth_is_counted_by_itself() {
        let mut guesses = vec![((0, 0.9), 0), ((0, 0.8), 1)];
        guesses.extend(vec![((0, 0.1), 1); 98]);
        assert_eq!(scored(guesses), (0.01, 1.0));
    }
}
