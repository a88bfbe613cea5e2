//! One list of all methods and algorithms, from which help, manual and messages are made. What goes with what is not
//! stated here but asked of the checks that every request passes, so that the list cannot promise what they refuse.

use crate::job::{Algorithm, Method};
use crate::job::{Job, Plan};
use scumble_principle::{Entry, Search, catalogue};
use scumble_table::Result;

/// What there is to say about a method without data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodEntry {
    /// The method.
    pub method: Method,
    /// One line of help.
    pub help: &'static str,
    /// The tables of such a release.
    pub tables: &'static str,
    /// The paper that defines it.
    pub reference: &'static str,
}

/// What there is to say about an algorithm without data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlgorithmEntry {
    /// The word for it.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The paper and the section that it comes from.
    pub reference: &'static str,
    /// Methods that it finds groups for; none if it is only measured.
    pub methods: Vec<Method>,
    /// Principles that it can meet, with one of these methods at least, in the order of the catalogue.
    pub principles: Vec<&'static Entry>,
}

/// All methods, in the order they are offered to users.
pub fn methods() -> &'static [MethodEntry] {
    const ALL: &[MethodEntry] = &[
        MethodEntry {
            method: Method::Generalize,
            help: "quasi-identifiers made coarser until the rows of a group look alike, beside exact sensitive values",
            tables: "table",
            reference: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006",
        },
        MethodEntry {
            method: Method::FullDomain,
            help: "as generalize, with one level of its hierarchy for each quasi-identifier, the same in all rows",
            tables: "table",
            reference: "P. Samarati: Protecting respondents' identities in microdata release. TKDE 13(6), 2001",
        },
        MethodEntry {
            method: Method::Anatomy,
            help: "exact quasi-identifiers in one table, sensitive values counted per group in another",
            tables: "qit, st",
            reference: "X. Xiao, Y. Tao: Anatomy: simple and effective privacy preservation. VLDB 2006",
        },
        MethodEntry {
            method: Method::Angel,
            help: "coarser quasi-identifiers beside batch numbers in any number of tables, sensitive values counted per \
                   batch in another",
            tables: "batches, generalized, and a marginal for each «marginal»",
            reference: "Y. Tao, H. Chen, X. Xiao, S. Zhou, D. Zhang: ANGEL: enhancing the utility of generalization for \
                        privacy preserving publication. TKDE",
        },
        MethodEntry {
            method: Method::Permute,
            help: "exact quasi-identifiers beside sensitive values that were shuffled inside groups, with bounds for sums",
            tables: "permuted, and a mapping and help for each set of groups",
            reference: "Q. Zhang, N. Koudas, D. Srivastava, T. Yu: Aggregate query answering on anonymized tables. ICDE 2007",
        },
    ];
    ALL
}

/// All algorithms, in the order they are offered to users, with what each of them serves.
pub fn algorithms() -> Result<Vec<AlgorithmEntry>> {
    Algorithm::ALL.iter().copied().map(entry).collect()
}

/// What `scumble evaluate` compares a release with, and `scumble publish` does not make.
pub fn comparisons() -> Vec<AlgorithmEntry> {
    vec![AlgorithmEntry {
        name: "perturbation",
        help: "keeps each number with the greatest probability that a proximity requirement allows, and draws another otherwise",
        reference: "J. Li, Y. Tao, X. Xiao: Preservation of proximity privacy. SIGMOD 2008, sections 3.2 and 6",
        methods: Vec::new(),
        principles: Vec::new(),
    }]
}

/// One line of help, and where it comes from.
fn help_and_section(algorithm: Algorithm) -> (&'static str, &'static str) {
    const MONDRIAN: &str = "LeFevre, DeWitt, Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006";
    const KE: &str =
        "Zhang, Koudas, Srivastava, Yu: Aggregate query answering on anonymized tables. ICDE 2007, section 6";
    match algorithm {
        Algorithm::Mondrian => {
            ("cuts groups in two where the halves lose least; equal values stay on one side of a cut", MONDRIAN)
        }
        Algorithm::MondrianRelaxed => (
            "the same, where equal values may go to both sides; smaller groups, whose boxes may overlap",
            "LeFevre, DeWitt, Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006, section 2.3",
        ),
        Algorithm::Proximity => (
            "cuts and guarded dealing that keep near numbers apart by construction",
            "Li, Tao, Xiao: Preservation of proximity privacy. SIGMOD 2008, section 5.2, improved",
        ),
        Algorithm::Xcolor => (
            "classes of a relaxed equitable colouring, in which few neighbours by a distance share a class",
            "Wang, Liu: XColor: protecting general proximity privacy. ICDE 2010, section V, improved",
        ),
        Algorithm::Paper => (
            "the algorithm that the paper of the requirement or method prints, for comparison",
            "Mondrian by the median of the widest attribute; section 5.2 for proximity, section V for dissimilarity, \
             section 6 of the paper on ANGEL",
        ),
        Algorithm::Angel => (
            "batches formed freely in the order of a density tree over the quasi-identifiers, and that tree's boxes",
            "Tao, Chen, Xiao, Zhou, Zhang: ANGEL. TKDE, sections 3 and 4, improved",
        ),
        Algorithm::FullDomain => (
            "the levels of least loss of all their combinations",
            "Samarati: Protecting respondents' identities in microdata release. TKDE 2001",
        ),
        Algorithm::ExpectedWidth => {
            ("groups along the order of a number, with the narrowest bounds of sums on the whole", KE)
        }
        Algorithm::MinSum => ("the same with the least sum of ranges", KE),
        Algorithm::MinMax => ("the same with the least greatest range of groups that do not overlap", KE),
        Algorithm::MinMaxOverlap => ("the same with the least greatest range of all groups", KE),
        Algorithm::MaxGroups => ("the same with the most groups", KE),
        Algorithm::Random => (
            "groups of rows in a random order, for comparison",
            "Zhang, Koudas, Srivastava, Yu: Aggregate query answering on anonymized tables. ICDE 2007, section 7",
        ),
        Algorithm::Registered(_) => ("a partitioner that this program has registered", ""),
        Algorithm::RankSwap => (
            "swaps numbers of near ranks; measured by `scumble evaluate` and never published, for it guarantees nothing \
             that could be checked",
            "Zhang, Koudas, Srivastava, Yu: Aggregate query answering on anonymized tables. ICDE 2007, section 7",
        ),
    }
}

fn entry(algorithm: Algorithm) -> Result<AlgorithmEntry> {
    let (help, reference) = help_and_section(algorithm);
    let mut entry =
        AlgorithmEntry { name: algorithm.name(), help, reference, methods: Vec::new(), principles: Vec::new() };
    for MethodEntry { method, .. } in methods() {
        if catalogue().iter().map(|one| serves(*method, algorithm, one)).collect::<Result<Vec<_>>>()?.contains(&true) {
            entry.methods.push(*method);
        }
    }
    for principle in catalogue() {
        let by = entry.methods.iter().map(|method| serves(*method, algorithm, principle));
        if by.collect::<Result<Vec<_>>>()?.contains(&true) {
            entry.principles.push(principle);
        }
    }
    Ok(entry)
}

/// True if a release of this form under this principle, with groups by this algorithm, would not be refused before any
/// data is read.
fn serves(method: Method, algorithm: Algorithm, principle: &Entry) -> Result<bool> {
    // An algorithm may bring its method with it.
    Ok(Plan::new(&example(method, algorithm, principle)?).is_ok_and(|plan| plan.method == method))
}

/// A job with one requirement, about a table of one quasi-identifier and one sensitive number.
fn example(method: Method, algorithm: Algorithm, principle: &Entry) -> Result<Job> {
    let mut job = Job::new().quasi(["age"]).sensitive(["pay"]).require(principle.example)?;
    job.publish.method = Some(method);
    job.publish.algorithm = Some(algorithm);
    // As many as any example asks for.
    job.publish.angel_k = (method == Method::Angel).then_some(10);
    if job.publish.require.iter().any(|requirement| requirement.principle().search() == Search::Dissimilarity) {
        job.publish.distance = Some("pay:rank".parse()?);
    }
    Ok(job)
}

#[cfg(test)]
mod tests;
