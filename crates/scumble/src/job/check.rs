//! What can be refused of a request before any data is read.

use super::{Algorithm, ColumnRole, Columns, Intervals, Method, Mixtures, Plan, Profile};
use crate::marginals;
use scumble_principle::{Dissimilarity, Principle, Requirement, Search, Stricter};
use scumble_release::BoxKind;
use scumble_table::{Bag, Decimal, Domain, Error, Result};

/// Why a requirement cannot be kept by batches, and what can be required in its place.
fn not_monotone(requirement: &Requirement) -> Error {
    let reason = "batches that meet it may fail it together, and readers of an angel release see them mixed";
    let window = requirement.principle().stricter(Stricter::Monotone).map(|monotone| monotone.notation());
    let column = requirement.column.as_ref().map_or(String::new(), |column| format!("{column}: "));
    let hint = match window {
        Some(window) => {
            format!("\"{column}{window}\" implies it and survives mixing; or use «method» generalize or anatomy")
        }
        None if requirement.principle().search() == Search::Dissimilarity => {
            "use «method» generalize, permute or anatomy".into()
        }
        None => "use «method» generalize or anatomy".into(),
    };
    Error::request("require", requirement.to_string(), reason).hint(hint)
}

/// Refuses a seed where coins are all that hides whose values are whose: there are few seeds that people choose, and each
/// can be tried.
///
/// # Errors
/// If it is not said that the release need not protect anybody, or if that is said of no seed.
pub(crate) fn check_seed(seed: Option<u64>, insecure: bool, method: Method) -> Result<()> {
    match seed {
        None if insecure => Err(Error::request("insecure_seed", "", "there is no seed to be insecure")
            .hint("leave «insecure_seed» out, or give «seed» as well")),
        Some(seed) if method.is_unlinked() && !insecure => {
            let undone = match method {
                Method::Permute => "undo the shuffling and read every value",
                _ => "toss them again and test guesses of people's values against the release",
            };
            let reason =
                format!("{method} hides whose values are whose by coins, and whoever tries seeds can {undone}");
            Err(Error::request("seed", seed.to_string(), reason).hint(
                "leave «seed» out; for people who do not exist, or a release that is measured and thrown away, add \
                 «insecure_seed»",
            ))
        }
        _ => Ok(()),
    }
}

/// A column is named once.
pub(crate) fn check_named_once(columns: &Columns) -> Result<()> {
    for (i, (name, column)) in columns.iter().enumerate() {
        if let Some((_, other)) = columns[..i].iter().find(|(other, _)| other == name) {
            let role = column.role.map_or("columns", ColumnRole::name);
            let reason = match other.role {
                Some(other) if column.role != Some(other) => format!("the column is also named in «{other}»"),
                _ => format!("the column is named twice in «{role}»"),
            };
            return Err(Error::request(role, name, reason).hint("a column has one role"));
        }
    }
    Ok(())
}

impl Plan {
    /// What can be refused before the data is touched.
    pub fn check(&self) -> Result<()> {
        self.check_roles()?;
        self.check_accepted()?;
        if self.named(ColumnRole::Quasi).next().is_none() {
            return Err(Error::request("quasi", "", "no quasi-identifying column is named")
                .hint("name the columns an attacker may know of a person, such as «quasi» age,sex,zipcode"));
        }
        if self.requirements.is_empty() {
            return Err(Error::request("require", "", "nothing is required, so nothing would be protected")
                .hint("for example «require» \"k-anonymity(5)\""));
        }
        for (i, requirement) in self.requirements.iter().enumerate() {
            if self.requirements[..i].contains(requirement) {
                return Err(Error::request("require", requirement.to_string(), "this is required twice"));
            }
        }
        if self.mixtures == Mixtures::Hold && !self.holds_mixtures() {
            let reason = "whatever is required here holds for groups taken together too, and mixtures need no care";
            return Err(Error::request("mixtures", self.mixtures.name(), reason).hint(
                "leave «mixtures» out; it is for proximity-absolute, -relative and -interval and for dissimilarity",
            ));
        }
        self.check_method()?;
        check_seed(self.seed, self.insecure_seed, self.method)?;
        self.check_levels()?;
        self.check_distance()?;
        self.check_angel()?;
        self.check_algorithm()?;
        self.check_boxes_in_population()?;
        self.check_boxes()?;
        self.check_intervals()?;
        if self.max_suppressed < Decimal::ZERO || self.max_suppressed >= Decimal::from(1) {
            return Err(Error::request(
                "max_suppressed",
                self.max_suppressed.to_string(),
                "a share of at least 0 and below 1 is wanted",
            )
            .hint("0.02 lets at most one row in fifty be suppressed"));
        }
        Ok(())
    }

    /// A column has one role.
    pub(crate) fn check_roles(&self) -> Result<()> {
        if let Some((name, _)) = self.columns.iter().find(|(_, column)| column.role.is_none()) {
            return Err(Error::request(format!("columns.{name}"), "", "the column has no role")
                .hint("name it in «quasi», «sensitive», «identifying» or «keep»"));
        }
        check_named_once(&self.columns)
    }

    /// A method must have what it works on, and nothing that it has no use for.
    fn check_method(&self) -> Result<()> {
        let method = self.method;
        let sensitive: Vec<&str> = self.named(ColumnRole::Sensitive).collect();
        if method.is_unlinked() && sensitive.is_empty() {
            let reason = format!("{method} hides whose sensitive values are whose, and no such column is named");
            return Err(Error::request("sensitive", "", reason).hint(
                "name what nobody may learn about a person, such as «sensitive» disease, or use «method» generalize",
            ));
        }
        if self.together && method != Method::Permute {
            let reason = "only «method» permute can hold sensitive columns together or apart";
            return Err(Error::request("together", "", reason).hint("leave «together» out, or use «method» permute"));
        }
        if method == Method::Permute && self.max_suppressed > Decimal::ZERO {
            return Err(Error::request(
                "max_suppressed",
                self.max_suppressed.to_string(),
                "a permuted release publishes all rows: suppression could not make its exact quasi-identifiers any more precise",
            )
            .hint("leave «max_suppressed» out, or use «method» generalize"));
        }
        if self.groups_per_column() {
            let spoken = |at: usize| {
                let mut all = self.requirements.iter();
                all.any(|requirement| requirement.column.is_none() || requirement.named_in(&sensitive) == Some(at))
            };
            if let Some(at) = (0..sensitive.len()).find(|&at| !spoken(at)) {
                let reason = format!("nothing is required of the groups of `{}`", sensitive[at]);
                return Err(Error::request("require", "", reason).hint(format!(
                    "each sensitive column has groups of its own: require something of all, such as \"k-anonymity(5)\", \
                     or of this one, \"{}: distinct-l-diversity(3)\", or permute them «together»",
                    sensitive[at]
                )));
            }
        }
        Ok(())
    }

    /// Only groups with boxes of their own have ends to hide, and only strict cuts have cells.
    fn check_boxes(&self) -> Result<()> {
        let Some(boxes) = self.named_boxes else { return Ok(()) };
        let refused = |reason: String| Error::request("boxes", boxes.name(), reason);
        let method = self.method;
        if method.is_exact() {
            let reason = format!("{method} publishes exact quasi-identifiers, and no boxes");
            return Err(refused(reason).hint("leave «boxes» out, or use «method» generalize or angel"));
        }
        if method == Method::FullDomain {
            let reason = "the levels of a full-domain release are the same for all rows, whoever lies in them".into();
            return Err(refused(reason).hint("leave «boxes» out, or use «method» generalize"));
        }
        if boxes != BoxKind::Cells {
            return Ok(());
        }
        let cut = matches!(self.algorithm, Algorithm::Mondrian | Algorithm::Paper);
        if method != Method::Generalize || !cut || self.about_proximity() || self.about_dissimilarity() {
            let reason = format!("the groups of `{}` are not the cells of cuts", self.algorithm.name());
            return Err(refused(reason).hint("use «boxes» rounded"));
        }
        if self.max_suppressed > Decimal::ZERO {
            let reason = "cells tile the domain only where all rows are published".into();
            return Err(refused(reason).hint("leave «max_suppressed» out, or use «boxes» rounded"));
        }
        Ok(())
    }

    /// Only generalized values have ends, and what reads as `*` must not upset what is required of boxes.
    fn check_intervals(&self) -> Result<()> {
        if self.named_intervals != Some(Intervals::Columns) || self.takes_interval_columns() {
            return Ok(());
        }
        let reason = match self.method.is_exact() {
            true => format!("{} publishes exact quasi-identifiers, and no intervals", self.method),
            false => "in two columns an interval that covers all values reads as `*`, behind which there may be more people, and \
                      what is required here is about the people behind boxes"
                .into(),
        };
        Err(Error::request("intervals", Intervals::Columns.name(), reason).hint("leave «intervals» out"))
    }

    /// Levels that are the same for all rows suit requirements that survive joining classes, and need no coins.
    fn check_levels(&self) -> Result<()> {
        if let Some((name, column)) = self.columns.iter().find(|(_, column)| column.level.is_some())
            && (self.method != Method::FullDomain || column.role != Some(ColumnRole::Quasi))
        {
            return Err(Error::request("level", name, "only quasi-identifiers of a full-domain release have levels")
                .hint("leave «level» out, or use «method» full-domain"));
        }
        if self.method != Method::FullDomain {
            return match self.conditional().next() {
                Some((_, _, file)) => Err(Error::request(
                    "hierarchy",
                    file.shown(),
                    "intervals that depend on other columns need levels that are the same for all rows",
                )
                .hint("use «method» full-domain, or leave «method» out")),
                None => Ok(()),
            };
        }
        let quasi = Some(ColumnRole::Quasi);
        if let Some((name, column, _)) = self.conditional().find(|(_, column, _)| column.role != quasi) {
            return Err(Error::request("hierarchy", name, "only a quasi-identifier is generalized by context").hint(
                format!(
                    "name it in «quasi», or leave its hierarchy out (it is in «{}»)",
                    column.role.map_or("", ColumnRole::name)
                ),
            ));
        }
        if self.algorithm != Algorithm::FullDomain {
            return Err(Error::request(
                "algorithm",
                self.algorithm.name(),
                "it forms groups of its own, and full-domain releases have one level for each column",
            )
            .hint("leave «algorithm» out, or use «method» generalize"));
        }
        if let Some(requirement) = self
            .requirements
            .iter()
            .find(|requirement| !requirement.entry().monotone && requirement.principle().population().is_none())
        {
            return Err(Error::request(
                "require",
                requirement.to_string(),
                "classes that meet it may fail it together, and coarser levels join classes",
            )
            .hint("use «method» generalize"));
        }
        if self.profile == Profile::Hardened {
            return Err(Error::request("profile", self.profile.name(), "the best levels leave nothing to draw")
                .hint("leave «profile» out, or use «method» generalize"));
        }
        Ok(())
    }

    /// What only angel releases have, and what they cannot do without.
    fn check_angel(&self) -> Result<()> {
        if self.method != Method::Angel {
            let given = [
                ("angel_k", self.named_angel_k.map(|k| k.to_string())),
                ("marginal", self.marginals.first().map(|columns| columns.join(","))),
                ("join_k", self.join_k.map(|k| k.to_string())),
            ];
            return match given.into_iter().find_map(|(field, value)| Some((field, value?))) {
                Some((field, value)) => Err(Error::request(field, value, "only «method» angel has a use for it")
                    .hint(format!("leave «{field}» out, or use «method» angel"))),
                None => Ok(()),
            };
        }
        let Some(k) = self.angel_k else {
            return Err(Error::request("angel_k", "", "how many people should share every box?")
                .hint("such as «angel_k» 10; 1 publishes exact quasi-identifiers, as anatomy does"));
        };
        if self.join_k == Some(0) {
            return Err(
                Error::request("join_k", "0", "everybody is among at least one person").hint("such as «join_k» 2")
            );
        }
        if k == 0 {
            return Err(Error::request("angel_k", "0", "a box has at least one person").hint("such as «angel_k» 10"));
        }
        let required = self.required_k().unwrap_or(1);
        if k < required {
            let reason = format!("groups of at least {required} people are required, so that no box may have fewer");
            return Err(Error::request("angel_k", k.to_string(), reason).hint(format!("at least {required}")));
        }
        if self.max_suppressed > Decimal::ZERO {
            return Err(Error::request(
                "max_suppressed",
                self.max_suppressed.to_string(),
                "an angel release publishes all rows: batches are formed freely and boxes need no more than k people",
            )
            .hint("leave «max_suppressed» out"));
        }
        if let Some(requirement) = self.requirements.iter().find(|requirement| !requirement.entry().monotone) {
            return Err(not_monotone(requirement));
        }
        if !matches!(self.algorithm, Algorithm::Angel | Algorithm::Paper) {
            return Err(Error::request("algorithm", self.algorithm.name(), "angel releases are not made by it")
                .hint("leave «algorithm» out, or use `paper`"));
        }
        let quasi: Vec<&str> = self.named(ColumnRole::Quasi).collect();
        let sensitive: Vec<&str> = self.named(ColumnRole::Sensitive).collect();
        marginals::check(&self.marginals, &quasi, &sensitive, [])
    }

    /// An algorithm must be able to meet the requirements, and an aim must have somebody to follow it.
    pub(crate) fn check_algorithm(&self) -> Result<()> {
        let algorithm = self.algorithm;
        let proximity = self.about_proximity();
        self.check_ke(algorithm)?;
        if self.about_dissimilarity() || algorithm == Algorithm::Xcolor {
            return self.check_xcolor(algorithm);
        }
        match algorithm {
            Algorithm::Angel if !matches!(self.method, Method::Angel | Method::Anatomy) => {
                let reason = format!("its groups are made for sensitive values apart, and not for {}", self.method);
                return Err(Error::request("algorithm", algorithm.name(), reason)
                    .hint("leave «algorithm» out, or use «method» angel or anatomy"));
            }
            Algorithm::Angel if self.max_suppressed > Decimal::ZERO => {
                return Err(Error::request(
                    "max_suppressed",
                    self.max_suppressed.to_string(),
                    "groups are formed without regard to boxes, and suppressing rows would gain nothing",
                )
                .hint("leave «max_suppressed» out"));
            }
            Algorithm::Proximity if !proximity => {
                return Err(Error::request("algorithm", algorithm.name(), "no requirement is about proximity")
                    .hint("leave «algorithm» out, and the requirements choose it"));
            }
            Algorithm::Mondrian | Algorithm::MondrianRelaxed | Algorithm::Angel | Algorithm::FullDomain
                if proximity =>
            {
                return Err(Error::request(
                    "algorithm",
                    algorithm.name(),
                    "groups that meet a proximity requirement may fail it together, which this algorithm cannot handle",
                )
                .hint("leave «algorithm» out, or use `proximity` or `paper`; or ask for `proximity-window(e1, e2, m)`, which is stricter and holds for groups together too"));
            }
            Algorithm::Paper if proximity && self.profile != Profile::Standard => {
                return Err(Error::request(
                    "profile",
                    self.profile.name(),
                    "the paper's algorithm has no profiles under a proximity requirement",
                )
                .hint("leave «profile» out, or «algorithm»"));
            }
            Algorithm::Proximity => {}
            other => {
                if let Some(aim) = self.named_aim {
                    let reason = format!("the algorithm `{}` follows no aim", other.name());
                    return Err(Error::request("aim", aim.name(), reason)
                        .hint("an aim is for proximity requirements with the algorithm `proximity`"));
                }
            }
        }
        if proximity && self.max_suppressed > Decimal::ZERO {
            return Err(Error::request(
                "max_suppressed",
                self.max_suppressed.to_string(),
                "under a proximity requirement all rows are published, and none is suppressed",
            )
            .hint("leave «max_suppressed» out"));
        }
        Ok(())
    }

    /// Groups along the order of a number are made for (k, e)-anonymity and hold all rows.
    fn check_ke(&self, algorithm: Algorithm) -> Result<()> {
        let refused = |reason: &str| Error::request("algorithm", algorithm.name(), reason);
        if algorithm == Algorithm::RankSwap {
            return Err(refused("rank swapping guarantees nothing that a release could be checked for")
                .hint("`scumble evaluate` measures it beside the others"));
        }
        if algorithm.ke_rule().is_none() {
            return Ok(());
        }
        if !self.requirements.iter().any(|requirement| requirement.principle().search() == Search::KeAnonymity) {
            return Err(refused("no requirement is `ke-anonymity(k, e)`, and these groups are made for it")
                .hint("require for example \"ke-anonymity(4, 100)\" of a sensitive number, or leave «algorithm» out"));
        }
        if self.max_suppressed > Decimal::ZERO {
            let reason = format!("the algorithm `{}` publishes all rows, and none is suppressed", algorithm.name());
            return Err(Error::request("max_suppressed", self.max_suppressed.to_string(), reason)
                .hint("leave «max_suppressed» out, or use `mondrian`"));
        }
        Ok(())
    }

    /// A distance must have a requirement that asks for it, and the other way round.
    pub(super) fn check_distance(&self) -> Result<()> {
        let asked = self.requirements.iter().find_map(|requirement| requirement.get::<Dissimilarity>());
        match (&self.distance, asked) {
            (Some(ruler), None) => {
                let reason = "no requirement asks how far apart values are";
                Err(Error::request("distance", ruler.distance().to_string(), reason)
                    .hint("require for example \"dissimilarity(0.1, 0.8, 10)\", or leave «distance» out"))
            }
            // The principle says best what is missing.
            (None, Some(principle)) => principle.bind(&Domain::nominal(Vec::new()), &Bag::default()).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// What `dissimilarity` and the algorithm for it go with.
    pub(super) fn check_xcolor(&self, algorithm: Algorithm) -> Result<()> {
        if !self.about_dissimilarity() {
            return Err(Error::request("algorithm", algorithm.name(), "no requirement is `dissimilarity`")
                .hint("leave «algorithm» out, and the requirements choose it"));
        }
        if let Some(aim) = self.named_aim {
            return Err(Error::request("aim", aim.name(), "under `dissimilarity` the only aim is small boxes")
                .hint("leave «aim» out; «profile» max-utility makes boxes smaller"));
        }
        match algorithm {
            Algorithm::Xcolor | Algorithm::Registered(_) => Ok(()),
            Algorithm::Paper if self.profile == Profile::Standard => Ok(()),
            Algorithm::Paper => Err(Error::request(
                "profile",
                self.profile.name(),
                "the paper's algorithm has no profiles under `dissimilarity`",
            )
            .hint("leave «profile» out, or «algorithm»")),
            other => Err(Error::request("algorithm", other.name(), "it cannot keep values apart by a distance")
                .hint("leave «algorithm» out, or use `xcolor` or `paper`")),
        }
    }
}
