//! Choices that a user names by a word.

/// Gives an enum its words: `ALL` in the order of the table, `name`, `FromStr` and `Display`. `$field` is where the word was
/// given and `$what` names the kind of choice.
macro_rules! choice_by_name {
    ($type:ident, $field:literal, $what:literal, [$($variant:ident = $name:literal),+ $(,)?]) => {
        impl $type {
            /// All of them, in the order in which they are offered to users.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$variant),+];

            /// The word for it.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)+
                }
            }
        }

        impl std::str::FromStr for $type {
            type Err = scumble_table::Error;

            fn from_str(text: &str) -> scumble_table::Result<Self> {
                <$type>::ALL.into_iter().find(|one| one.name() == text).ok_or_else(|| {
                    let hint = scumble_table::did_you_mean(text, &<$type>::ALL.map(<$type>::name), "one of");
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
