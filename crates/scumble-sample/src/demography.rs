//! The people whom the census and the occupation samples share, since SAL and
//! OCC were both cut from the same census.
//!
//! A person is drawn along the arrows, so each column depends on others in a
//! way a method can lose:
//!
//! ```text
//!   age, gender -> marital
//!   age, gender -> education -> job -> workclass
//!   age, gender ----------------^
//! ```

use crate::alias::Alias;
use crate::job::{JOBS, Job};
use crate::rng::Rng;
use crate::shape::{bell, line};

/// The ages of both tables, 78 of them.
const YOUNGEST: u32 = 16;
const OLDEST: u32 = 93;

/// The quartiles of age in SAL.
const QUARTILES: [u32; 3] = [34, 43, 53];

/// The density of age before it is made to meet [`QUARTILES`]: the working
/// population with a thin tail of the old.
const AGE_SHAPE: [(f64, f64); 10] = [
    (16.0, 0.15),
    (20.0, 0.7),
    (26.0, 1.5),
    (34.0, 2.6),
    (40.0, 2.9),
    (48.0, 2.6),
    (55.0, 2.2),
    (62.0, 1.3),
    (70.0, 0.4),
    (93.0, 0.04),
];

/// The first age of every age band but the first. Schooling and marriage
/// change fast in the first bands and slowly in the later ones.
const BAND_STARTS: [u32; 5] = [18, 22, 26, 40, 60];
const N_BANDS: usize = BAND_STARTS.len() + 1;

pub(crate) const GENDERS: [&str; 2] = ["male", "female"];
pub(crate) const FEMALE: usize = 1;
const FEMALE_SHARE: f64 = 0.48;

pub(crate) const EDUCATIONS: [&str; 17] = [
    "none",
    "grade 1-4",
    "grade 5-6",
    "grade 7-8",
    "grade 9",
    "grade 10",
    "grade 11",
    "grade 12 without diploma",
    "high school",
    "college below one year",
    "college without degree",
    "associate vocational",
    "associate academic",
    "bachelor",
    "master",
    "professional",
    "doctorate",
];

/// Weights of [`EDUCATIONS`] by age band; zero where the age is too low for the level.
#[rustfmt::skip]
const EDUCATION: [[f64; 17]; N_BANDS] = [
    [1.0, 1.0, 2.0, 8.0, 20.0, 35.0, 25.0, 6.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.6, 0.4, 1.0, 2.0, 3.0, 5.0, 7.0, 8.0, 34.0, 18.0, 18.0, 1.5, 1.5, 0.0, 0.0, 0.0, 0.0],
    [0.6, 0.4, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 28.0, 10.0, 20.0, 4.0, 4.0, 17.0, 1.5, 0.3, 0.0],
    [0.8, 0.5, 1.5, 1.5, 1.6, 1.8, 2.2, 3.0, 27.0, 8.0, 14.0, 5.0, 5.0, 19.0, 6.0, 1.8, 0.9],
    [0.8, 0.6, 1.3, 2.0, 1.5, 2.2, 2.3, 2.8, 28.0, 8.0, 14.0, 4.5, 4.0, 16.0, 8.0, 2.2, 1.3],
    [1.2, 1.5, 2.5, 7.0, 3.0, 4.5, 3.5, 2.5, 31.0, 7.0, 9.0, 2.0, 2.0, 10.0, 6.0, 2.5, 1.6],
];

/// What the weights of [`EDUCATIONS`] are multiplied by for women.
const EDUCATION_OF_WOMEN: [f64; 17] =
    [0.9, 0.8, 0.8, 0.8, 0.85, 0.85, 0.9, 0.9, 1.0, 1.15, 1.1, 1.15, 1.35, 1.05, 1.0, 0.55, 0.5];

pub(crate) const MARITALS: [&str; 6] =
    ["married", "spouse absent", "separated", "divorced", "widowed", "never married"];

/// Weights of [`MARITALS`] by age band.
const MARITAL: [[f64; 6]; N_BANDS] = [
    [1.0, 0.2, 0.1, 0.1, 0.0, 98.6],
    [8.0, 1.0, 0.6, 0.6, 0.1, 89.7],
    [26.0, 1.5, 1.5, 2.5, 0.1, 68.4],
    [60.0, 2.0, 3.0, 9.0, 0.4, 25.6],
    [69.0, 1.5, 2.5, 15.5, 2.0, 9.5],
    [70.0, 1.5, 1.2, 11.0, 10.0, 6.3],
];

/// What the weights of [`MARITALS`] are multiplied by for women.
const MARITAL_OF_WOMEN: [f64; 6] = [0.93, 1.0, 1.3, 1.35, 3.0, 0.9];

/// A person by positions in the lists of labels.
pub(crate) struct Person {
    pub(crate) age: u32,
    pub(crate) band: usize,
    pub(crate) gender: usize,
    pub(crate) education: usize,
    pub(crate) marital: usize,
    pub(crate) job: usize,
    pub(crate) workclass: usize,
}

/// The distribution of people.
pub(crate) struct Demography {
    age: Alias,
    gender: Alias,
    /// By band and gender.
    education: Vec<Alias>,
    marital: Vec<Alias>,
    /// By band, gender and education.
    job: Vec<Alias>,
    /// By job.
    workclass: Vec<Alias>,
    bands: [u8; (OLDEST - YOUNGEST + 1) as usize],
}

impl Demography {
    pub(crate) fn new() -> Demography {
        let mut education = Vec::new();
        let mut marital = Vec::new();
        let mut job = Vec::new();
        for band in 0..N_BANDS {
            for gender in 0..GENDERS.len() {
                let female = gender == FEMALE;
                education.push(tilted(&EDUCATION[band], &EDUCATION_OF_WOMEN, female));
                marital.push(tilted(&MARITAL[band], &MARITAL_OF_WOMEN, female));
                for level in 0..EDUCATIONS.len() {
                    let weights = JOBS.each_ref().map(|job| suits(job, band, female, level));
                    job.push(Alias::new(&weights));
                }
            }
        }
        let workclass = JOBS.iter().map(|job| job.sector.workclass_weights());
        Demography {
            age: Alias::new(&age_weights()),
            gender: Alias::coin(FEMALE_SHARE),
            education,
            marital,
            job,
            workclass: workclass.map(|weights| Alias::new(&weights)).collect(),
            bands: std::array::from_fn(|at| band_of(YOUNGEST + at as u32) as u8),
        }
    }

    #[inline]
    pub(crate) fn draw(&self, rng: &mut Rng) -> Person {
        let age = self.age.draw(rng);
        let gender = self.gender.draw(rng);
        let band = usize::from(self.bands[age]);
        let cell = band * GENDERS.len() + gender;
        let education = self.education[cell].draw(rng);
        let job = self.job[cell * EDUCATIONS.len() + education].draw(rng);
        Person {
            age: YOUNGEST + age as u32,
            band,
            gender,
            education,
            marital: self.marital[cell].draw(rng),
            job,
            workclass: self.workclass[job].draw(rng),
        }
    }
}

fn band_of(age: u32) -> usize {
    BAND_STARTS.iter().filter(|start| **start <= age).count()
}

fn tilted(weights: &[f64], of_women: &[f64], female: bool) -> Alias {
    let tilt = |(weight, factor): (&f64, &f64)| if female { weight * factor } else { *weight };
    let weights: Vec<f64> = weights.iter().zip(of_women).map(tilt).collect();
    Alias::new(&weights)
}

/// How likely a job is for a person. Divided by its spread, as a density is, a
/// job that suits few levels of education is not rare for that alone.
fn suits(job: &Job, band: usize, female: bool, education: usize) -> f64 {
    let gender = if female { job.women } else { 1.0 - job.women };
    // The young, those in mid-career and the old.
    let age = match (job.seniority, band) {
        (-1, 0..3) => 2.0,
        (1, 0..3) => 0.35,
        (-1, 5) => 0.6,
        (1, 5) => 1.4,
        _ => 1.0,
    };
    let off = (education as f64 - job.education) / job.spread;
    job.weight * gender * age * bell(off) / job.spread
}

/// The weights of the ages, each quarter of them scaled to one part in four.
///
/// The age of a quartile belongs half to the quarter below and half to the one
/// above, so the quartile lies in its middle and chance does not move it.
fn age_weights() -> Vec<f64> {
    let belongs = |age: u32, quarter: usize| {
        let from = quarter.checked_sub(1).map_or(0, |below| QUARTILES[below]);
        let to = QUARTILES.get(quarter).copied().unwrap_or(u32::MAX);
        match age {
            _ if age == from || age == to => 0.5,
            _ if from < age && age < to => 1.0,
            _ => 0.0,
        }
    };
    let shape = |age| line(&AGE_SHAPE, f64::from(age));
    let quarters: [f64; 4] =
        std::array::from_fn(|quarter| (YOUNGEST..=OLDEST).map(|age| belongs(age, quarter) * shape(age)).sum());
    (YOUNGEST..=OLDEST)
        .map(|age| {
            let parts = (0..4).map(|quarter| belongs(age, quarter) / quarters[quarter]);
            shape(age) * parts.sum::<f64>()
        })
        .collect()
}
