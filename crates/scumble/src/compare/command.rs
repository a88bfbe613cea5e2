//! Commands that people can copy.

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
