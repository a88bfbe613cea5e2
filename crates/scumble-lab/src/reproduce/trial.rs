//! Throw-away releases: made and verified as any other, measured, and gone.

use super::workshop::Workshop;
use scumble::{Error, EvaluateRequest, Input, PublishRequest, Published, Result, RiskRequest, Silent, publish};
use std::fs;

/// What came of an attempt to publish.
pub(crate) enum Trial {
    /// A release that verifies.
    Made(Box<Made>),
    /// No release meets the requirement, or none was found.
    Impossible {
        /// Why, in the words of the library.
        reason: String,
    },
}

/// A verified release in a workshop, removed when it is dropped.
pub(crate) struct Made {
    /// What publishing told.
    pub(crate) published: Published,
    source: Input,
}

impl Made {
    /// The usual questions about it, to be shaped and given to [`scumble::evaluate`].
    pub(crate) fn to_evaluate(&self) -> EvaluateRequest {
        EvaluateRequest::new(&self.published.release, self.source.clone())
    }

    /// The attack on it of somebody who knows every quasi-identifier, to be shaped and given to [`scumble::risk`].
    pub(crate) fn to_attack(&self) -> RiskRequest {
        RiskRequest::new(Input::file(&self.published.release), Vec::new())
    }
}

impl Drop for Made {
    /// Frees the disk early. What cannot be removed goes with the workshop.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.published.release);
    }
}

/// Tries to publish into a workshop; `request.out` is ignored. The release is gone before anybody sees it, so that a seed
/// gives nothing away.
///
/// # Errors
/// Whatever is not about what the data allows: an unreadable file, a wrong request, a full disk.
pub(crate) fn trial(request: PublishRequest, workshop: &Workshop<'_>) -> Result<Trial> {
    let insecure_seed = request.seed.is_some();
    let request = PublishRequest { out: workshop.fresh("release"), replace: false, insecure_seed, ..request };
    match publish(&request, &Silent) {
        Ok(published) => Ok(Trial::Made(Box::new(Made { published, source: request.input }))),
        Err(error @ (Error::Infeasible { .. } | Error::NotFound { .. })) => {
            Ok(Trial::Impossible { reason: error.to_string() })
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble::{ColumnRequest, ColumnRole};

    fn request(workshop: &Workshop<'_>, requirement: &str) -> PublishRequest {
        let file = workshop.fresh("table");
        fs::write(&file, "age,pay\n30,1\n31,2\n40,3\n41,4\n").unwrap();
        PublishRequest {
            columns: vec![
                ColumnRequest::new("age", ColumnRole::Quasi),
                ColumnRequest::new("pay", ColumnRole::Sensitive),
            ],
            requirements: vec![requirement.parse().unwrap()],
            seed: Some(1),
            ..PublishRequest::new(Input::file(file))
        }
    }

    #[test]
    fn a_release_is_made_measured_and_gone() {
        let workshop = Workshop::new(&Silent).unwrap();
        let Trial::Made(made) = trial(request(&workshop, "k-anonymity(2)"), &workshop).unwrap() else {
            panic!("two groups of two are there to be found");
        };
        let asked = EvaluateRequest { queries: 0, ..made.to_evaluate() };
        assert_eq!(scumble::evaluate(&asked, &Silent).unwrap().groups, 2);
        assert_eq!(scumble::risk(&made.to_attack(), &Silent).unwrap().suppressed, Some(0));
        let place = made.published.release.clone();
        assert!(place.is_dir());
        drop(made);
        assert!(!place.exists());
    }

    #[test]
    fn what_no_release_can_meet_is_no_error() {
        let workshop = Workshop::new(&Silent).unwrap();
        let found = trial(request(&workshop, "k-anonymity(5)"), &workshop).unwrap();
        assert!(matches!(found, Trial::Impossible { reason } if reason.contains("k-anonymity(5)")));
        let mut wrong = request(&workshop, "k-anonymity(2)");
        wrong.columns[0].name = "agee".into();
        assert!(trial(wrong, &workshop).is_err());
    }
}
