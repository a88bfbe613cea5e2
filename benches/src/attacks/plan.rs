//! Which releases are made, and which attacks each of them has to bear.

use super::Failure;
use super::data::{Case, Loaded};
use super::seen::PERSON;
use scumble::{ColumnRequest, ColumnRole, Input, Kind, Method, Profile, PublishRequest, Published, Silent};
use std::path::Path;

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
/// People who share a box of an angel release.
pub const ANGEL_K: u64 = 5;
/// How near incomes count as the same, in dollars.
pub const EPSILON: f64 = 3000.0;
/// A group may hold one in so many near any of its values.
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
    /// The sensitive column.
    pub secret: &'static str,
    /// Whether that holds numbers.
    pub of_numbers: bool,
    /// What it has to bear.
    pub attacks: Vec<Attack>,
}

impl Plan {
    /// All releases of a data set.
    pub fn all(case: &Case) -> Vec<Plan> {
        let mut plans = Vec::new();
        let mut add = |method, requirement: String, secret, attacks: &[Attack]| {
            for profile in Profile::ALL {
                plans.push(Plan {
                    method,
                    requirement: requirement.clone(),
                    profile,
                    secret,
                    of_numbers: Some(secret) == case.amount,
                    attacks: attacks.to_vec(),
                });
            }
        };
        let diverse = format!("frequency-l-diversity({L})");
        for method in [Method::Angel, Method::Anatomy] {
            add(method, diverse.clone(), case.secret, &[Attack::CommonValue, Attack::Learning]);
        }
        for method in [Method::Generalize, Method::Permute] {
            add(method, diverse.clone(), case.secret, &[Attack::Learning]);
        }
        add(Method::Generalize, format!("frequency-l-diversity({STOPS_L})"), case.secret, &[Attack::Stops]);
        for k in [2, 5, 10] {
            add(Method::Generalize, format!("k-anonymity({k})"), case.secret, &[Attack::Refined, Attack::Absent]);
        }
        if let Some(amount) = case.amount {
            for method in [Method::Generalize, Method::Anatomy] {
                add(method, format!("proximity-absolute({EPSILON}, {M})"), amount, &[Attack::Mixture]);
            }
        }
        plans
    }

    /// The release in a few words.
    pub fn release(&self) -> String {
        match self.method {
            Method::Angel => format!("{} {ANGEL_K}, {}", self.method.name(), self.requirement),
            _ => format!("{}, {}", self.method.name(), self.requirement),
        }
    }

    /// Publishes it with secret coins.
    ///
    /// # Errors
    /// If it cannot be published.
    pub fn publish(&self, case: &Case, loaded: &Loaded, out: &Path) -> Result<Published, Failure> {
        let kind = |is_number| Some(if is_number { Kind::Number } else { Kind::Nominal });
        let column =
            |name: &str, role, is_number| ColumnRequest { kind: kind(is_number), ..ColumnRequest::new(name, role) };
        let mut columns: Vec<ColumnRequest> =
            case.quasi.iter().map(|&(name, is_number)| column(name, ColumnRole::Quasi, is_number)).collect();
        columns.push(column(self.secret, ColumnRole::Sensitive, self.of_numbers));
        columns.push(column(PERSON, ColumnRole::Kept, true));
        let request = PublishRequest {
            columns,
            drop_rest: true,
            requirements: vec![self.requirement.parse()?],
            method: Some(self.method),
            angel_k: (self.method == Method::Angel).then_some(ANGEL_K),
            profile: self.profile,
            replace: true,
            out: out.into(),
            ..PublishRequest::new(Input::file(&loaded.file))
        };
        Ok(scumble::publish(&request, &Silent)?)
    }
}
