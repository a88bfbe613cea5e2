//! Choices that a user names by a word.

/// Implements `FromStr` and `Display` for an enum with `ALL` and `name`; `$field` is where the word was given and
/// `$what` names the kind of choice.
macro_rules! choice_by_name {
    ($type:ty, $field:literal, $what:literal) => {
        impl std::str::FromStr for $type {
            type Err = scumble_table::Error;

            fn from_str(text: &str) -> scumble_table::Result<Self> {
                let names = <$type>::ALL.map(<$type>::name);
                <$type>::ALL.into_iter().find(|one| one.name() == text).ok_or_else(|| {
                    let hint = match scumble_table::nearest(text, names) {
                        Some(name) => format!("did you mean `{name}`?"),
                        None => format!("one of {}", scumble_table::quoted_list(&names, names.len())),
                    };
                    scumble_table::Error::request($field, text, concat!("there is no such ", $what)).hint(hint)
                })
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pub(crate) use choice_by_name;
