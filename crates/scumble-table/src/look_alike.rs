//! Labels that differ only by look: every reader takes `flu`, `Flu ` and `ｆｌｕ` for the same value.

use crate::{Bag, Code, Codes, Domain, NULL};
use unicode_normalization::UnicodeNormalization;

/// Which labels of a column look alike. Published values stay as they are; only code that counts different values uses this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookAlikes {
    /// The first code, in domain order, that looks like each code. Null looks like null alone.
    first: Vec<Code>,
    labels: usize,
    values: usize,
}

impl LookAlikes {
    /// The labels of a domain that look like another; `None` if there are none.
    pub(crate) fn find(domain: &Domain) -> Option<LookAlikes> {
        let mut looks: Vec<(String, Code)> = domain.codes().map(|code| (look(&domain.text(code)), code)).collect();
        looks.sort_unstable();
        let mut first: Vec<Code> = (NULL..=domain.len() as Code).collect();
        let (mut labels, mut values) = (0, 0);
        for alike in looks.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
            alike.iter().for_each(|(_, code)| first[*code as usize] = alike[0].1);
            labels += alike.len();
            values += 1;
        }
        (values > 0).then_some(LookAlikes { first, labels, values })
    }

    /// The code that stands for all that look like this one.
    pub fn representative(&self, code: Code) -> Code {
        self.first.get(code as usize).copied().unwrap_or(code)
    }

    /// The bag in which labels that look alike are one value.
    #[must_use]
    pub fn merged(&self, bag: &Bag) -> Bag {
        let mut pairs: Vec<(Code, u32)> =
            bag.counts().iter().map(|&(code, n)| (self.representative(code), n)).collect();
        pairs.sort_unstable_by_key(|pair| pair.0);
        let mut merged = Bag::default();
        merged.refill_sorted(pairs);
        // Somebody who has two labels of one look counts twice, which makes shares no smaller than they are.
        if bag.size() < bag.total() {
            merged.set_size(bag.size());
        }
        merged
    }

    /// A column in which every label is replaced by the one that stands for all that look like it.
    #[must_use]
    pub fn merged_codes(&self, codes: &Codes) -> Codes {
        codes.mapped(&self.first)
    }

    /// Number of labels that look like another one.
    pub fn n_labels(&self) -> usize {
        self.labels
    }

    /// Number of values that these labels are counted as.
    pub fn n_values(&self) -> usize {
        self.values
    }

    /// The warning about a column. It shows no label, since a label may be sensitive.
    pub fn warning(&self, column: &str) -> String {
        let values = if self.values == 1 { "1 value".to_string() } else { format!("{} values", self.values) };
        format!(
            "{} labels of `{column}` differ from another only by case, blanks, invisible signs or the way a letter or a \
             number is written, and count as {values}",
            self.labels
        )
    }
}

/// What a label looks like: labels that look alike have equal looks.
///
/// Signs that show nothing are dropped, compatible signs are made one (Unicode NFKC), letters lose their case, blanks
/// are dropped, dashes are one, and a number is written in one way, so that `5`, `05`, `5.0` and `+5` are alike.
pub fn look(label: &str) -> String {
    let is_seen = |c: &char| !is_blank(*c);
    let text: String = shown(label).chars().filter(is_seen).map(one_dash).collect();
    number(&text).unwrap_or(text)
}

/// What the key of a person looks like: as [`look`], but `Ann Lee` and `Annlee`, or `007` and `7`, may be different people.
///
/// Blanks at the ends are dropped, and several in a row are one.
pub fn key_look(key: &str) -> String {
    let shown = shown(key);
    let mut words = shown.split(is_blank).filter(|word| !word.is_empty());
    let mut text: String = words.next().unwrap_or_default().chars().map(one_dash).collect();
    for word in words {
        text.push(' ');
        text.extend(word.chars().map(one_dash));
    }
    text
}

/// A text without what shows nothing, in lower case, with compatible signs made one.
fn shown(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let seen = text.chars().filter(|&c| !is_ignorable(c)).nfkc().collect::<String>();
    // To upper case first, since some letters differ in lower case only: a final sigma, a sharp s.
    seen.to_uppercase().to_lowercase().nfkc().filter(|&c| !is_ignorable(c)).collect()
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control() || c == EMPTY_BRAILLE
}

fn one_dash(c: char) -> char {
    if is_dash(c) { '-' } else { c }
}

/// A number in its only form; `None` if the text is not a number.
fn number(text: &str) -> Option<String> {
    let (minus, digits) = match text.chars().next()? {
        '+' => (false, &text[1..]),
        '-' => (true, &text[1..]),
        _ => (false, text),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if (whole.is_empty() && part.is_empty()) || !all_digits(whole) || !all_digits(part) {
        return None;
    }
    let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
    let sign = if minus && !(whole.is_empty() && part.is_empty()) { "-" } else { "" };
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if part.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") })
}

/// A letter of braille without a dot.
const EMPTY_BRAILLE: char = '\u{2800}';

/// Hyphens, dashes and the minus sign of typography, which look like the hyphen of a keyboard.
fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Signs that show nothing by themselves: the property `Default_Ignorable_Code_Point` of Unicode.
fn is_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    #[test]
    fn labels_that_look_alike_have_one_look() {
        let alike: [&[&str]; 8] = [
            &["type-2", "Type\u{2010}2", "type \u{2013} 2", "type\u{2212}2\u{2800}"],
            &["flu", "Flu", "FLU ", " f\u{200b}lu", "\u{feff}flu", "ｆｌｕ", "fl\u{ad}u", "ﬂu", "f l\u{a0}u", "flu\t"],
            &["5", "05", "5.0", "+5", "5.", "５", " 5 ", "005.000"],
            &["-5", "\u{2212}5", "-05.0"],
            &["0", "-0", "0.0", ".0", "+0"],
            &["straße", "STRASSE", "Strasse"],
            &["é", "e\u{301}", "É"],
            &["ΟΔΟΣ", "οδος", "οδοσ"],
        ];
        for (at, labels) in alike.iter().enumerate() {
            let looks: Vec<String> = labels.iter().map(|label| look(label)).collect();
            assert!(looks.iter().all(|found| *found == looks[0]), "{labels:?}: {looks:?}");
            let others = alike.iter().enumerate().filter(|(other, _)| *other != at);
            assert!(others.flat_map(|(_, labels)| *labels).all(|other| look(other) != looks[0]), "{labels:?}");
        }
        let differ = ["flu", "flew", "50", "5", "5.01", "-5", "1e5", "100000", "+", "-", ".", "a-b", "ab", ""];
        for (at, label) in differ.iter().enumerate() {
            assert!(differ[..at].iter().all(|other| look(other) != look(label)), "{label}");
        }
    }

    #[test]
    fn keys_of_people_look_alike_without_their_spelling() {
        let alike = [
            "Ann Lee",
            "ann lee",
            "Ann Lee ",
            "ANN LEE",
            "Ann  Lee",
            "\u{feff}Ann Lee",
            "Ann\u{a0}Lee",
            "A\u{200b}nn Lee",
            "Ann\tLee",
        ];
        assert!(alike.iter().all(|key| key_look(key) == "ann lee"));
        assert_eq!(key_look("Ren\u{e9}"), key_look("RENE\u{301}"));
        let differ = ["Ann Lee", "Annlee", "Ann-Lee", "007", "7", "7.0", "", "Anne Lee"];
        for (at, key) in differ.iter().enumerate() {
            assert!(differ[..at].iter().all(|other| key_look(other) != key_look(key)), "{key}");
        }
    }

    #[test]
    fn only_labels_can_look_alike() {
        let labels = ["Flu", "flu", "gout", "FLU", "5", "05", "angina"].map(Into::into).to_vec();
        let nominal = Domain::nominal(labels);
        let alikes = nominal.look_alikes().unwrap();
        assert_eq!((alikes.n_labels(), alikes.n_values()), (5, 2));
        let codes: Codes = nominal.codes().chain([NULL]).collect();
        let merged: Vec<Code> = alikes.merged_codes(&codes).iter().collect();
        let texts: Vec<_> = merged.iter().map(|&code| nominal.text(code)).collect();
        assert_eq!(texts, ["05", "05", "FLU", "FLU", "angina", "FLU", "gout", ""]);
        let bag = alikes.merged(&Bag::from_codes(codes.iter()));
        assert_eq!((bag.distinct(), bag.size(), bag.count(NULL)), (5, 8, 1));
        assert_eq!(alikes.merged(&bag), bag);
        assert!(
            alikes.warning("illness").starts_with("5 labels of `illness` differ")
                && !alikes.warning("x").contains("flu")
        );
        let ordinal = Domain::ordinal(["low", "high", "Low"].map(Into::into).to_vec());
        assert_eq!(ordinal.look_alikes().unwrap().representative(3), 1);
        assert!(Domain::nominal(vec!["a".into(), "b".into()]).look_alikes().is_none());
        let numbers = Domain::numbers([5, 6].map(crate::Decimal::from).to_vec()).unwrap();
        assert!(numbers.look_alikes().is_none() && numbers.kind() == Kind::Number);
    }

    #[test]
    fn a_label_that_shows_nothing_is_not_null() {
        let domain = Domain::nominal(["\u{200b}", " ", "a"].map(Into::into).to_vec());
        let alikes = domain.look_alikes().unwrap();
        assert_eq!((alikes.n_labels(), alikes.representative(NULL)), (2, NULL));
        assert!(domain.codes().all(|code| alikes.representative(code) != NULL));
    }
}
