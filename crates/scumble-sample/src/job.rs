//! The fifty occupations, what they ask for and who employs them.

/// Where people of a job work, which decides their class of worker.
#[derive(Clone, Copy)]
pub(crate) enum Sector {
    Business,
    Office,
    Health,
    Teaching,
    Research,
    Social,
    Practice,
    Shop,
    Post,
    Order,
    Service,
    Home,
    Farm,
    Trade,
    Factory,
    Military,
}

use Sector::*;

pub(crate) const WORKCLASSES: [&str; 10] = [
    "private company",
    "private nonprofit",
    "household employer",
    "federal government",
    "state government",
    "local government",
    "armed forces",
    "self-employed",
    "self-employed incorporated",
    "unpaid family work",
];

impl Sector {
    /// The weights of [`WORKCLASSES`].
    pub(crate) fn workclass_weights(self) -> [f64; 10] {
        match self {
            Business => [76.0, 4.0, 0.0, 2.5, 2.0, 2.5, 0.0, 6.0, 7.0, 0.2],
            Office => [70.0, 9.0, 0.1, 4.5, 5.5, 6.5, 0.0, 2.5, 1.5, 0.6],
            Health => [58.0, 25.0, 1.0, 2.5, 5.0, 4.5, 0.0, 2.0, 2.0, 0.1],
            Teaching => [13.0, 13.0, 0.3, 0.8, 22.0, 49.0, 0.0, 1.5, 0.3, 0.1],
            Research => [46.0, 11.0, 0.0, 17.0, 16.0, 5.0, 0.0, 4.0, 1.5, 0.0],
            Social => [15.0, 47.0, 0.3, 2.0, 18.0, 15.0, 0.0, 2.0, 0.4, 0.2],
            Practice => [38.0, 5.0, 0.0, 3.0, 3.0, 3.0, 0.0, 31.0, 17.0, 0.3],
            Shop => [85.0, 1.5, 0.0, 0.7, 0.4, 0.5, 0.0, 6.5, 4.5, 1.0],
            Post => [3.0, 0.2, 0.0, 96.0, 0.3, 0.4, 0.0, 0.2, 0.1, 0.0],
            Order => [2.0, 0.3, 0.0, 7.0, 19.0, 71.0, 0.0, 0.2, 0.1, 0.0],
            Service => [78.0, 6.0, 1.0, 1.0, 2.5, 6.0, 0.0, 5.0, 1.2, 0.4],
            Home => [14.0, 1.0, 68.0, 0.0, 0.3, 0.5, 0.0, 15.0, 0.3, 1.0],
            Farm => [44.0, 0.5, 0.5, 0.5, 0.6, 0.6, 0.0, 42.0, 6.0, 6.0],
            Trade => [74.0, 0.6, 0.1, 1.5, 1.6, 3.5, 0.0, 13.0, 5.0, 0.4],
            Factory => [92.0, 0.7, 0.0, 1.8, 0.5, 0.8, 0.0, 2.2, 1.2, 0.3],
            Military => [0.0, 0.0, 0.0, 4.0, 1.0, 0.0, 95.0, 0.0, 0.0, 0.0],
        }
    }
}

/// One of the fifty groups of occupations.
pub(crate) struct Job {
    pub(crate) label: &'static str,
    /// How common the job is among people of the education it suits.
    pub(crate) weight: f64,
    /// The level of education it suits best, and how far others may be off.
    pub(crate) education: f64,
    pub(crate) spread: f64,
    /// The part of women in it if as many women as men worked.
    pub(crate) women: f64,
    pub(crate) sector: Sector,
    /// Below zero for a job of the young, above for one that takes years.
    pub(crate) seniority: i8,
    /// Pay in parts of a hundred of what others of the same education earn.
    pub(crate) pay: u64,
}

/// One line per job keeps the list readable as the table it is.
const fn job(
    label: &'static str,
    weight: f64,
    (education, spread): (f64, f64),
    women: f64,
    sector: Sector,
    (seniority, pay): (i8, u64),
) -> Job {
    Job { label, weight, education, spread, women, sector, seniority, pay }
}

#[rustfmt::skip]
pub(crate) const JOBS: [Job; 50] = [
    job("manager", 6.0, (13.0, 2.6), 0.38, Business, (1, 128)),
    job("farm manager", 0.9, (8.0, 3.0), 0.18, Farm, (1, 92)),
    job("accountant", 2.4, (13.0, 1.8), 0.55, Office, (0, 104)),
    job("business analyst", 1.8, (13.4, 1.8), 0.44, Business, (0, 112)),
    job("architect", 0.7, (14.0, 1.2), 0.22, Practice, (0, 104)),
    job("engineer", 3.0, (13.5, 1.5), 0.13, Business, (0, 122)),
    job("software developer", 2.8, (13.2, 1.8), 0.27, Business, (-1, 124)),
    job("natural scientist", 1.2, (15.0, 1.5), 0.38, Research, (0, 100)),
    job("physician", 1.6, (15.2, 0.6), 0.32, Health, (1, 150)),
    job("dentist or veterinarian", 0.8, (15.1, 0.5), 0.28, Practice, (1, 138)),
    job("registered nurse", 2.6, (12.8, 1.3), 0.91, Health, (0, 110)),
    job("pharmacist", 0.6, (14.6, 1.0), 0.50, Health, (0, 122)),
    job("therapist", 1.1, (13.9, 1.1), 0.72, Health, (0, 96)),
    job("health technician", 2.2, (11.4, 1.7), 0.76, Health, (0, 92)),
    job("university teacher", 1.8, (15.2, 1.2), 0.42, Teaching, (1, 92)),
    job("school teacher", 4.6, (13.7, 0.9), 0.75, Teaching, (0, 86)),
    job("preschool teacher", 1.2, (11.2, 2.2), 0.96, Teaching, (-1, 62)),
    job("librarian", 0.5, (14.0, 1.2), 0.80, Teaching, (1, 80)),
    job("social worker", 1.4, (13.4, 1.3), 0.72, Social, (0, 78)),
    job("clergy", 0.7, (14.0, 1.8), 0.15, Social, (1, 70)),
    job("lawyer or judge", 1.6, (15.0, 0.5), 0.32, Practice, (1, 140)),
    job("writer or journalist", 0.9, (13.4, 1.5), 0.52, Practice, (0, 92)),
    job("artist or designer", 1.3, (12.5, 1.9), 0.48, Practice, (0, 86)),
    job("athlete or performer", 0.5, (10.5, 2.8), 0.35, Practice, (-1, 84)),
    job("engineering technician", 1.4, (11.2, 1.7), 0.20, Trade, (0, 108)),
    job("sales supervisor", 3.4, (10.6, 2.6), 0.38, Shop, (0, 112)),
    job("insurance or estate agent", 2.1, (11.9, 2.1), 0.50, Business, (1, 110)),
    job("shop assistant", 4.0, (8.6, 2.2), 0.60, Shop, (-1, 82)),
    job("cashier", 2.3, (7.8, 1.9), 0.76, Shop, (-1, 62)),
    job("secretary", 3.4, (9.9, 1.8), 0.97, Office, (1, 94)),
    job("bookkeeper", 2.1, (10.1, 1.8), 0.90, Office, (0, 92)),
    job("office clerk", 4.8, (9.5, 2.1), 0.70, Office, (0, 90)),
    job("postal worker", 0.9, (9.4, 1.7), 0.40, Post, (1, 116)),
    job("receptionist", 1.2, (9.0, 1.7), 0.95, Office, (-1, 76)),
    job("household worker", 0.7, (5.5, 3.2), 0.95, Home, (0, 52)),
    job("police officer", 1.1, (10.9, 1.8), 0.14, Order, (0, 124)),
    job("firefighter", 0.5, (10.6, 1.6), 0.05, Order, (0, 122)),
    job("guard", 0.9, (8.8, 2.1), 0.22, Service, (0, 82)),
    job("cook", 2.2, (6.6, 2.7), 0.42, Service, (-1, 66)),
    job("waiter", 2.0, (8.2, 2.2), 0.70, Service, (-1, 60)),
    job("nursing aide", 2.2, (8.0, 2.2), 0.88, Health, (0, 76)),
    job("cleaner", 2.8, (5.0, 3.4), 0.42, Service, (0, 68)),
    job("hairdresser", 0.9, (9.0, 1.8), 0.85, Practice, (0, 72)),
    job("farm worker", 1.2, (3.0, 3.8), 0.20, Farm, (0, 62)),
    job("mechanic", 3.0, (8.2, 1.9), 0.04, Trade, (0, 112)),
    job("construction worker", 4.0, (6.8, 2.8), 0.03, Trade, (0, 108)),
    job("machine operator", 4.2, (6.4, 2.8), 0.34, Factory, (0, 98)),
    job("driver", 3.2, (7.6, 2.2), 0.11, Trade, (0, 102)),
    job("warehouse worker", 3.0, (6.3, 2.6), 0.20, Factory, (-1, 84)),
    job("soldier", 0.6, (9.8, 1.9), 0.12, Military, (-1, 92)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_differ() {
        let mut labels: Vec<&str> = JOBS.iter().map(|job| job.label).collect();
        labels.sort_unstable();
        labels.dedup();
        assert_eq!(labels.len(), 50);
    }

    #[test]
    fn figures_make_sense() {
        for job in &JOBS {
            assert!(job.weight > 0.0 && job.spread > 0.0, "{}", job.label);
            assert!((0.0..=16.0).contains(&job.education), "{}", job.label);
            assert!((0.0..1.0).contains(&job.women), "{}", job.label);
            assert!((50..=150).contains(&job.pay), "{}", job.label);
        }
    }
}
