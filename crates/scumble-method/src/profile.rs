//! What every partitioner lets the publisher choose: how far chance protects its choices, and whose algorithm it is.

use crate::choice::choice_by_name;

/// How far the choices of an algorithm are left to secret coins.
///
/// Where requirements look at sensitive values, the choices of an algorithm tell something about these values to a
/// reader who knows it (minimality). A draw blurs that, and costs some loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// A draw among nearly equal choices.
    #[default]
    Standard,
    /// A wider draw: more protection against readers who know the algorithm, more loss.
    Hardened,
    /// Always the best choice: least loss, not hardened.
    MaxUtility,
}

choice_by_name!(
    Profile,
    "profile",
    "profile",
    [Standard = "standard", Hardened = "hardened", MaxUtility = "max-utility"]
);

/// Whose algorithm it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Variant {
    /// The one of this library.
    #[default]
    Ours,
    /// The one that the paper describes, for comparison. The profile makes no difference to it.
    Paper,
}

impl Variant {
    /// Both variants.
    pub const ALL: [Variant; 2] = [Variant::Ours, Variant::Paper];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_have_names() {
        for profile in Profile::ALL {
            assert_eq!(profile.name().parse(), Ok(profile));
            assert_eq!(profile.to_string(), profile.name());
        }
        let error = "harden".parse::<Profile>().unwrap_err().to_string();
        assert!(error.contains("there is no such profile") && error.contains("did you mean `hardened`?"), "{error}");
        let error = "xyz".parse::<Profile>().unwrap_err().to_string();
        assert!(error.contains("`standard`, `hardened`"), "{error}");
    }
}
