//! Commands that people can copy.

use crate::job::Job;

/// A field of the job in the words of the commands, for texts that stand next to them.
pub(crate) fn flag_of(field: &str) -> String {
    let flag = Job::options().find(|option| option.name == field).and_then(|option| option.flag);
    flag.map_or_else(|| format!("`{field}`"), |flag| format!("--{}", flag.name))
}

/// Words as a shell reads them: those that hold anything but plain characters stand in quotes.
pub(super) fn shell<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    // Inside double quotes a shell still reads these; where one occurs, single quotes hold everything but themselves.
    if word.contains(['"', '$', '`', '\\', '!', '\'']) {
        return format!("'{}'", word.replace('\'', "'\\''"));
    }
    format!("\"{word}\"")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn shells_read_the_words_again() {
        let words = ["plain", "k-anonymity(5)", "", "it's", "a\"b", "$HOME", "two words", "back\\slash", "né", "*"];
        let line = shell(words);
        assert!(line.starts_with("plain \"k-anonymity(5)\" \"\" 'it'\\''s'"));
        let script = format!("printf '%s\\n' {line}");
        let told = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        assert_eq!(String::from_utf8(told.stdout).unwrap().lines().collect::<Vec<_>>(), words);
    }
}
