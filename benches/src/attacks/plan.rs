//! Which releases are made, and which attacks each of them has to bear.

use super::Failure;
use super::data::Case;
use super::people::People;
use super::seen::PERSON;
use super::stops::Diversity;
use crate::job;
use scumble::{BoxKind, ColumnRole, Context, Job, Kind, Method, Mixtures, Profile, Source, Table};
use std::io::Cursor;

/// Attacks by the words of flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attack {
    /// The value that all batches of a box share.
    CommonValue,
    /// A model learned from group membership.
    Learning,
    /// Nodes that were not cut.
    Stops,
    /// Ends of boxes and full lists.
    Refined,
    /// People whom no box covers.
    Absent,
    /// All groups that may be a person's.
    Mixture,
}

impl Attack {
    /// All of them.
    pub const ALL: [Attack; 6] =
        [Attack::CommonValue, Attack::Learning, Attack::Stops, Attack::Refined, Attack::Absent, Attack::Mixture];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Attack::CommonValue => "common-value",
            Attack::Learning => "learning",
            Attack::Stops => "stops",
            Attack::Refined => "refined",
            Attack::Absent => "absent",
            Attack::Mixture => "mixture",
        }
    }
}

/// The l of the releases whose values are guessed.
pub const L: usize = 4;
/// The l of those whose stops are looked at: the least there is, where groups are smallest.
pub const STOPS_L: usize = 2;
/// People who share a box of an angel release: small boxes and larger ones.
pub const ANGEL_K: [u64; 2] = [5, 10];
/// How near incomes count as the same, in dollars.
pub const EPSILON: f64 = 3000.0;
/// The `m` of the proximity requirement: at most one in `m` values of a group is near any of them.
pub const M: usize = 5;

/// A release to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Its form.
    pub method: Method,
    /// What is required.
    pub requirement: String,
    /// How much chance protects the choices.
    pub profile: Profile,
    /// People who share a box, of angel releases.
    pub angel_k: Option<u64>,
    /// What its boxes tell about their ends; the choice of the profile when not given.
    pub boxes: Option<BoxKind>,
    /// What is done about people whose group is not known.
    pub mixtures: Mixtures,
    /// The sensitive column.
    pub secret: &'static str,
    /// Whether that holds numbers.
    pub of_numbers: bool,
    /// Whether values are given to the people by chance before it is made, so that nothing in the world ties them to
    /// quasi-identifiers, and whatever an attack gains comes from how the release was made.
    pub shuffled: bool,
    /// What it has to bear.
    pub attacks: Vec<Attack>,
}

impl Plan {
    /// All releases of a data set.
    pub fn all(case: &Case) -> Vec<Plan> {
        let plan = |method, requirement: String, secret, attacks: &[Attack]| Plan {
            method,
            requirement,
            profile: Profile::Standard,
            angel_k: None,
            boxes: None,
            mixtures: Mixtures::Report,
            secret,
            of_numbers: Some(secret) == case.amount,
            shuffled: false,
            attacks: attacks.to_vec(),
        };
        let diverse = format!("frequency-l-diversity({L})");
        let mut plans = Vec::new();
        let both = [Attack::CommonValue, Attack::Learning];
        for k in ANGEL_K {
            plans.push(Plan { angel_k: Some(k), ..plan(Method::Angel, diverse.clone(), case.secret, &both) });
        }
        plans.push(plan(Method::Anatomy, diverse.clone(), case.secret, &both));
        for method in [Method::Generalize, Method::Permute] {
            plans.push(plan(method, diverse.clone(), case.secret, &[Attack::Learning]));
        }
        // Groups are what stops tell of; what hides the ends of their boxes is not, and would blur what stops cost.
        for kind in ["frequency", "distinct"] {
            let least =
                plan(Method::Generalize, format!("{kind}-l-diversity({STOPS_L})"), case.secret, &[Attack::Stops]);
            plans.push(Plan { boxes: Some(BoxKind::Minimal), ..least });
        }
        for (amount, mixtures) in
            case.amount.iter().flat_map(|amount| Mixtures::ALL.iter().map(move |ways| (*amount, *ways)))
        {
            for method in [Method::Generalize, Method::Anatomy] {
                let requirement = format!("proximity-absolute({EPSILON}, {M})");
                plans.push(Plan { mixtures, ..plan(method, requirement, amount, &[Attack::Mixture]) });
            }
        }
        let of_profiles = |plan: &Plan| Profile::ALL.map(|profile| Plan { profile, ..plan.clone() });
        let mut plans: Vec<Plan> = plans.iter().flat_map(of_profiles).collect();
        let dealt = |plan: &&Plan| plan.attacks.contains(&Attack::CommonValue);
        let shuffled: Vec<Plan> = plans
            .iter()
            .filter(dealt)
            .map(|plan| Plan { shuffled: true, attacks: vec![Attack::CommonValue], ..plan.clone() })
            .collect();
        plans.extend(shuffled);
        // Under k-anonymity profiles differ by their boxes alone.
        for k in [2, 5, 10] {
            for kind in BoxKind::ALL {
                let attacks = [Attack::Refined, Attack::Absent];
                let anonymous = plan(Method::Generalize, format!("k-anonymity({k})"), case.secret, &attacks);
                plans.push(Plan { boxes: Some(kind), ..anonymous });
            }
        }
        plans
    }

    /// The release in a few words, but for its profile and its boxes.
    pub fn release(&self) -> String {
        let method = self.method.name();
        let method = self.angel_k.map_or(method.to_string(), |k| format!("{method} {k}"));
        let held = if self.mixtures == Mixtures::Hold { ", mixtures hold" } else { "" };
        format!("{method}, {}{held}", self.requirement)
    }

    /// What is asked of the halves of a cut, where stops are attacked.
    pub fn diversity(&self) -> Diversity {
        if self.requirement.starts_with("distinct") {
            Diversity::Distinct(STOPS_L)
        } else {
            Diversity::Frequency(STOPS_L)
        }
    }

    /// Whether the library may find after all that it tells too much, and make nothing.
    pub fn may_be_refused(&self) -> bool {
        self.mixtures == Mixtures::Hold || matches!(self.method, Method::Angel | Method::Anatomy)
    }

    /// The job of a steward, and the table of the people as it is read for that job. The job has no seed, so that every
    /// release has secret coins of its own.
    ///
    /// # Errors
    /// If the people cannot be read.
    pub fn prepared(&self, case: &Case, people: &People) -> Result<(Job, Table), Failure> {
        let kind = |is_number| if is_number { Kind::Number } else { Kind::Nominal };
        let quasi: Vec<(&str, Kind)> = case.quasi.iter().map(|&(name, is_number)| (name, kind(is_number))).collect();
        let mut job = job(&quasi, &[(self.secret, kind(self.of_numbers))], &[&self.requirement])?;
        let person = job.column_mut(PERSON);
        (person.role, person.kind) = (Some(ColumnRole::Kept), Some(Kind::Number));
        let publish = &mut job.publish;
        // The number of a person goes along so that attacks can be counted.
        publish.accept_keep = vec![PERSON.into()];
        publish.allow_sets = case.quasi.iter().map(|(name, _)| name.to_string()).collect();
        (publish.method, publish.profile) = (Some(self.method), Some(self.profile));
        (publish.angel_k, publish.boxes, publish.mixtures) = (self.angel_k, self.boxes, Some(self.mixtures));
        let table = Source::reader(Cursor::new(people.text())).read(&job, &Context::new())?;
        Ok((job, table))
    }
}
