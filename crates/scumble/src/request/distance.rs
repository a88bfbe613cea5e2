//! What can be refused of a request about distances before any data is read.

use super::PublishRequest;
use crate::choice::{Algorithm, Profile};
use scumble_principle::{Dissimilarity, Principle};
use scumble_table::{Bag, Domain, Error, Result};

impl PublishRequest {
    /// A distance must have a requirement that asks for it, and the other way round.
    pub(super) fn check_distance(&self) -> Result<()> {
        let asked = self.requirements.iter().find_map(|requirement| requirement.get::<Dissimilarity>());
        match (&self.distance, asked) {
            (Some(ruler), None) => {
                let reason = "no requirement asks how far apart values are";
                Err(Error::request("--distance", ruler.distance().to_string(), reason)
                    .hint("require for example \"dissimilarity(0.1, 0.8, 10)\", or leave --distance out"))
            }
            // The principle says best what is missing.
            (None, Some(principle)) => principle.bind(&Domain::nominal(Vec::new()), &Bag::default()).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// What `dissimilarity` and the algorithm for it go with.
    pub(super) fn check_xcolor(&self, algorithm: Algorithm) -> Result<()> {
        if !self.about_dissimilarity() {
            return Err(Error::request("--algorithm", algorithm.name(), "no requirement is `dissimilarity`")
                .hint("leave --algorithm out, and the requirements choose it"));
        }
        if let Some(aim) = self.aim {
            return Err(Error::request("--aim", aim.name(), "under `dissimilarity` the only aim is small boxes")
                .hint("leave --aim out; --profile max-utility makes boxes smaller"));
        }
        match algorithm {
            Algorithm::Xcolor => Ok(()),
            Algorithm::Paper if self.profile == Profile::Standard => Ok(()),
            Algorithm::Paper => Err(Error::request(
                "--profile",
                self.profile.name(),
                "the paper's algorithm has no profiles under `dissimilarity`",
            )
            .hint("leave --profile out, or --algorithm")),
            other => Err(Error::request("--algorithm", other.name(), "it cannot keep values apart by a distance")
                .hint("leave --algorithm out, or use `xcolor` or `paper`")),
        }
    }
}
