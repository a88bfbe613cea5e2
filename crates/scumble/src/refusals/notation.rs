//! Labels that are dates or numbers in a notation that is not read as such.

/// A notation that people write dates and numbers in, and that is read as plain labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// `31.12.1999`, `31/12/1999`.
    DayFirst,
    /// `12/31/1999`.
    MonthFirst,
    /// `03/04/1999`: nothing tells which number is the month.
    Ambiguous,
    /// `1999/12/31`, `1999.12.31`, `19991231` is a number.
    YearFirst,
    /// A day with a time of day, such as `1999-12-31 23:59`.
    Timestamp,
    /// `1234,5`, `1.234,5`.
    DecimalComma,
}

/// Of this many labels one may be something else: a slip of the pen does not make a column of dates one of words.
const SLIPS: usize = 10;

impl Notation {
    /// The notation of some labels, where nearly all are written in one.
    pub(crate) fn of<'a>(labels: impl Iterator<Item = &'a str>) -> Option<Notation> {
        let (mut n, mut by_notation) = (0usize, [(0usize, Notation::DayFirst); 5]);
        let kinds = [
            Notation::DayFirst,
            Notation::MonthFirst,
            Notation::YearFirst,
            Notation::Timestamp,
            Notation::DecimalComma,
        ];
        by_notation.iter_mut().zip(kinds).for_each(|(entry, kind)| entry.1 = kind);
        let mut ambiguous = 0;
        for label in labels {
            n += 1;
            let label = label.trim();
            match read(label) {
                // Whichever way the others are written, these fit it.
                Some(Notation::Ambiguous) => ambiguous += 1,
                Some(kind) => by_notation.iter_mut().filter(|entry| entry.1 == kind).for_each(|entry| entry.0 += 1),
                None => {}
            }
        }
        if n == 0 {
            return None;
        }
        let (most, kind) = by_notation.into_iter().max_by_key(|entry| entry.0)?;
        let dates = matches!(kind, Notation::DayFirst | Notation::MonthFirst);
        let (found, kind) = match (most, dates) {
            (0, _) => (ambiguous, Notation::Ambiguous),
            (most, true) => (most + ambiguous, kind),
            (most, false) => (most, kind),
        };
        (found > 0 && (n - found) * SLIPS <= n).then_some(kind)
    }

    /// What the labels look like.
    pub(crate) fn looks(self) -> &'static str {
        match self {
            Notation::DayFirst => "dates with the day first (31.12.1999)",
            Notation::MonthFirst => "dates with the month first (12/31/1999)",
            Notation::Ambiguous => "dates with day and month before the year (03/04/1999)",
            Notation::YearFirst => "dates in another notation (1999/12/31)",
            Notation::Timestamp => "dates with a time of day (1999-12-31 23:59)",
            Notation::DecimalComma => "numbers with a decimal comma (1234,5)",
        }
    }

    /// What would be accepted.
    pub(crate) fn mend(self) -> &'static str {
        match self {
            Notation::Timestamp => "write the days alone as 1999-12-31, and the column is a date with intervals",
            Notation::DecimalComma => "write the numbers as 1234.5, and the column is a number with intervals",
            Notation::DayFirst | Notation::MonthFirst | Notation::Ambiguous | Notation::YearFirst => {
                "write the dates as 1999-12-31, and the column is a date with intervals"
            }
        }
    }
}

fn read(label: &str) -> Option<Notation> {
    if is_timestamp(label) {
        return Some(Notation::Timestamp);
    }
    if is_decimal_comma(label) {
        return Some(Notation::DecimalComma);
    }
    let separator = ['.', '/', '-'].into_iter().find(|&sign| label.matches(sign).count() == 2)?;
    let parts: Vec<&str> = label.split(separator).map(str::trim).collect();
    let number = |part: &str, digits: std::ops::RangeInclusive<usize>| -> Option<u32> {
        let plain = digits.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        if plain { part.parse().ok() } else { None }
    };
    if let Some(_year) = number(parts[0], 4..=4) {
        let (month, day) = (number(parts[1], 1..=2)?, number(parts[2], 1..=2)?);
        return ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(Notation::YearFirst);
    }
    let (first, second) = (number(parts[0], 1..=2)?, number(parts[1], 1..=2)?);
    number(parts[2], 4..=4).or_else(|| number(parts[2], 2..=2))?;
    match (first, second) {
        (1..=12, 1..=12) => Some(Notation::Ambiguous),
        (1..=31, 1..=12) => Some(Notation::DayFirst),
        (1..=12, 1..=31) => Some(Notation::MonthFirst),
        _ => None,
    }
}

/// A day in any notation, then a blank or a `T`, then hours and minutes.
fn is_timestamp(label: &str) -> bool {
    let Some(at) = label.find(['T', ' ']) else { return false };
    let (day, time) = (&label[..at], label[at + 1..].trim_start());
    let mut parts = time.split(':');
    let two = |part: Option<&str>, most: u32| {
        part.is_some_and(|part| (1..=2).contains(&part.len()) && part.parse::<u32>().is_ok_and(|number| number <= most))
    };
    let minutes = |part: &str| part.get(..2).map_or(part, |first| first).to_string();
    let hours = two(parts.next(), 24);
    let next = parts.next().map(minutes);
    let is_day = scumble_table::parse_date(day).is_some()
        || matches!(
            read(day),
            Some(Notation::DayFirst | Notation::MonthFirst | Notation::Ambiguous | Notation::YearFirst)
        );
    hours && two(next.as_deref(), 59) && is_day
}

/// Digits, perhaps in groups of three, then a comma and digits.
fn is_decimal_comma(label: &str) -> bool {
    let Some((whole, rest)) = label.rsplit_once(',') else { return false };
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    let mut groups = whole.split(['.', ' ', '\'']);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let first = groups.next().is_some_and(&digits);
    digits(rest) && first && groups.all(|group| group.len() == 3 && digits(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_are_told_apart() {
        let of = |labels: &[&str]| Notation::of(labels.iter().copied());
        for (labels, wanted) in [
            (&["31.12.1999", "1.2.2001", "05.06.1987"][..], Some(Notation::DayFirst)),
            (&["12/31/1999", "1/2/2001"], Some(Notation::MonthFirst)),
            (&["31/12/99", "01/02/98"], Some(Notation::DayFirst)),
            (&["03/04/1999", "01/02/1998"], Some(Notation::Ambiguous)),
            (&["1999/12/31", "1999.1.2"], Some(Notation::YearFirst)),
            (&["1999-12-31 23:59", "2001-01-02T03:04:05Z"], Some(Notation::Timestamp)),
            (&["31.12.1999 8:30", "1.1.2000 12:00"], Some(Notation::Timestamp)),
            (&["1,5", "-2,25", "1.234,5", "12 345,6"], Some(Notation::DecimalComma)),
            (&["Ghent", "Porto"], None),
            (&["31.12.1999", "Porto"], None),
            (&["32.13.1999", "40.1.2000"], None),
            (&["a,b", "1,", ",5", "1.23,4"], None),
            (&["192.168.0.1", "10.0.0.1"], None),
            (&["J45.0", "E11.9"], None),
            (&["é", "T", " ", ""], None),
            (&[], None),
        ] {
            assert_eq!(of(labels), wanted, "{labels:?}");
        }
        // One slip in ten.
        let mut dates: Vec<String> = (1..=18).map(|day| format!("{day}.01.1999")).collect();
        dates.extend(["31.01.1999".into(), "unknown".into()]);
        assert_eq!(Notation::of(dates.iter().map(String::as_str)), Some(Notation::DayFirst));
        dates.extend(["none".into(), "n/a".into()]);
        assert_eq!(Notation::of(dates.iter().map(String::as_str)), None);
    }
}
