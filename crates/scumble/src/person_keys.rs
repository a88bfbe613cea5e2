//! Keys of persons that differ only in spelling: `Ann Lee`, `ann lee ` and `ANN  LEE` are three people where texts are counted.
//!
//! Keys are texts of the publisher, and nobody but them knows whether two spellings are one person. So people are counted as the texts say,
//! and the publisher hears how many there would be if spellings did not count. No message shows a key.
//!
//! There may be tens of millions of keys. Most are written in one way: numbers, or letters of one case without odd blanks. Two such
//! keys never look alike, so that each is only compared with the looks of those that are written otherwise; where there are none,
//! nothing is compared. What is remembered at a time is bounded: more looks than that are gone through part by part.

use rayon::prelude::*;
use scumble_table::{Code, Codes, Monitor, NULL, Persons, Result, key_look};
use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Looks that are remembered at a time, of sixteen bytes each.
const MOST: usize = 1 << 24;

/// A column of the key of persons.
pub(crate) struct KeyColumn<'a> {
    pub(crate) codes: &'a Codes,
    /// Codes are below this.
    pub(crate) n_codes: usize,
    /// The text of a code other than null.
    pub(crate) text: Box<dyn Fn(Code) -> Cow<'a, str> + Sync + 'a>,
}

/// Warns of persons whose keys differ only in spelling.
///
/// # Errors
/// If the work is cancelled.
pub(crate) fn warn_of_alike_keys(persons: &Persons, keys: &[KeyColumn<'_>], monitor: Monitor<'_>) -> Result<()> {
    if let Some(alike) = AlikeKeys::find(persons, keys, MOST, monitor)? {
        monitor.warn(&alike.warning());
    }
    Ok(())
}

/// Persons whose keys differ only in spelling.
#[derive(Debug, PartialEq, Eq)]
struct AlikeKeys {
    /// Persons whose key looks like that of another.
    keys: usize,
    /// The persons that these would be.
    people: usize,
    /// All persons.
    of: usize,
}

impl AlikeKeys {
    fn find(persons: &Persons, keys: &[KeyColumn<'_>], most: usize, monitor: Monitor<'_>) -> Result<Option<AlikeKeys>> {
        let mut maps = Vec::new();
        for key in keys {
            maps.push(representatives(key, most, monitor)?);
        }
        if maps.iter().all(Option::is_none) {
            return Ok(None);
        }
        let mapped: Vec<Codes> = keys
            .iter()
            .zip(&maps)
            .map(|(key, map)| map.as_ref().map_or_else(|| key.codes.clone(), |map| key.codes.mapped(map)))
            .collect();
        let columns: Vec<(&Codes, usize)> = mapped.iter().zip(keys).map(|(codes, key)| (codes, key.n_codes)).collect();
        let n_rows = persons.of_rows().len();
        let fewer = Persons::from_keys(n_rows, &columns);
        monitor.check()?;
        let (mut counted, mut spellings) = (vec![false; persons.n()], vec![0u32; fewer.n()]);
        for (&person, &one) in persons.of_rows().iter().zip(fewer.of_rows()) {
            if !std::mem::replace(&mut counted[person as usize], true) {
                spellings[one as usize] += 1;
            }
        }
        let several = || spellings.iter().filter(|n| **n > 1);
        let keys = several().map(|&n| n as usize).sum();
        Ok((keys > 0).then(|| AlikeKeys { keys, people: several().count(), of: persons.n() }))
    }

    fn warning(&self) -> String {
        let AlikeKeys { keys, people, of } = self;
        let left = of - keys + people;
        let one = if *people == 1 { "one person".to_string() } else { format!("{people} people") };
        format!(
            "{keys} of {of} keys of «person» differ from another only by case, blanks, invisible signs or the way a letter is written, and \
             each is counted as a person of its own: if they are spellings of {one}, there are {left} people, and less is promised than it seems"
        )
    }
}

/// How a key is written.
#[derive(Clone, Copy)]
struct Spelling {
    /// Anything but ASCII signs with single blanks between them.
    odd: bool,
    upper: bool,
    lower: bool,
}

impl Spelling {
    fn of(key: &str) -> Spelling {
        let bytes = key.as_bytes();
        let ends = bytes.first() == Some(&b' ') || bytes.last() == Some(&b' ');
        let strange = |byte: &u8| !(byte.is_ascii_graphic() || *byte == b' ');
        Spelling {
            odd: ends || bytes.iter().any(strange) || bytes.windows(2).any(|two| two == b"  "),
            upper: bytes.iter().any(u8::is_ascii_uppercase),
            lower: bytes.iter().any(u8::is_ascii_lowercase),
        }
    }
}

/// The first code that looks like each code; nothing where no two look alike.
fn representatives(key: &KeyColumn<'_>, most: usize, monitor: Monitor<'_>) -> Result<Option<Vec<Code>>> {
    let codes = 1..key.n_codes as Code;
    let spelling = |code: Code| Spelling::of(&(key.text)(code));
    let count = |is: fn(Spelling) -> bool| {
        codes.clone().into_par_iter().filter(|&code| !monitor.is_cancelled() && is(spelling(code))).count()
    };
    let (odd, upper, lower) = (count(|one| one.odd), count(|one| one.upper), count(|one| one.lower));
    monitor.check()?;
    if odd == 0 && (upper == 0 || lower == 0) {
        return Ok(None);
    }
    // Keys in the commoner case differ from each other whatever their case is.
    let plain = |one: Spelling| !one.odd && !(if upper >= lower { one.lower } else { one.upper });
    let n_parts = (odd + upper.min(lower)).div_ceil(most).max(1) as u64;
    let mut first: Option<Vec<Code>> = None;
    for part in 0..n_parts {
        let of_part = |code: Code| {
            let hash = hash_of(&(key.text)(code));
            (hash % n_parts == part && !monitor.is_cancelled()).then_some((hash, code))
        };
        let mut looks: Vec<(u64, Code)> =
            codes.clone().into_par_iter().filter(|&code| !plain(spelling(code))).filter_map(of_part).collect();
        looks.par_sort_unstable();
        let known = |&(hash, _): &(u64, Code)| looks.binary_search_by_key(&hash, |look| look.0).is_ok();
        let found: Vec<(u64, Code)> = codes
            .clone()
            .into_par_iter()
            .filter(|&code| plain(spelling(code)))
            .filter_map(of_part)
            .filter(known)
            .collect();
        monitor.check()?;
        looks.extend(found);
        looks.par_sort_unstable();
        for alike in looks.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
            let look = key_look(&(key.text)(alike[0].1));
            for &(_, code) in &alike[1..] {
                // Looks that are not the same may have the same hash.
                if key_look(&(key.text)(code)) == look {
                    let first = first.get_or_insert_with(|| (NULL..key.n_codes as Code).collect());
                    first[code as usize] = alike[0].1;
                }
            }
        }
    }
    Ok(first)
}

fn hash_of(key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    key_look(key).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::Cancellation;
    use std::collections::{BTreeMap, BTreeSet};

    /// Columns of keys, their codes by first appearance; an empty text is missing.
    fn coded(texts: &[&str]) -> (Vec<String>, Codes) {
        let mut known: Vec<String> = Vec::new();
        let code = |text: &&str| match (text.is_empty(), known.iter().position(|one| one == text)) {
            (true, _) => NULL,
            (false, Some(at)) => at as Code + 1,
            (false, None) => {
                known.push((*text).to_string());
                known.len() as Code
            }
        };
        let codes: Codes = texts.iter().map(code).collect::<Vec<Code>>().into_iter().collect();
        (known, codes)
    }

    fn found(columns: &[&[&str]], most: usize) -> Option<AlikeKeys> {
        let columns: Vec<(Vec<String>, Codes)> = columns.iter().map(|texts| coded(texts)).collect();
        let keys: Vec<KeyColumn<'_>> = columns
            .iter()
            .map(|(texts, codes)| KeyColumn {
                codes,
                n_codes: texts.len() + 1,
                text: Box::new(|code| texts[code as usize - 1].as_str().into()),
            })
            .collect();
        let plain: Vec<(&Codes, usize)> = keys.iter().map(|key| (key.codes, key.n_codes)).collect();
        let persons = Persons::from_keys(plain[0].0.len(), &plain);
        AlikeKeys::find(&persons, &keys, most, crate::Context::new().monitor()).unwrap()
    }

    #[test]
    fn spellings_of_one_key_are_found() {
        let ann = ["Ann Lee", "ann lee", "Ann Lee ", "ANN LEE", "Ann  Lee", "Bo", "", "Ann Lee"];
        let told = found(&[&ann], MOST).unwrap();
        assert_eq!(told, AlikeKeys { keys: 5, people: 1, of: 7 });
        let words = told.warning();
        assert!(
            words.starts_with("5 of 7 keys") && words.contains("there are 3 people") && !words.contains("nn"),
            "{words}"
        );
        assert_eq!(found(&[&["Ren\u{e9}", "Rene\u{301}", "Rene", "r\u{200b}ene"]], MOST).unwrap().keys, 4);
        // Keys that are written in one way, and numbers, which differ by every sign.
        for texts in [&["P001", "P002", "P1", "P01"][..], &["p1", "p2", ""], &["007", "7"], &["A B", "C D"]] {
            assert_eq!(found(&[texts], MOST), None, "{texts:?}");
        }
        // Two columns are one key: only where both look alike.
        assert_eq!(found(&[&["a", "A", "A"], &["1", "1", "2"]], MOST).unwrap().keys, 2);
        assert_eq!(found(&[&["a", "A"], &["1", "2"]], MOST), None);
    }

    #[test]
    fn parts_find_what_all_together_find() {
        let mut state = 3u32;
        let mut below = |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % n
        };
        for _ in 0..500 {
            let texts: Vec<String> = (0..1 + below(30))
                .map(|_| {
                    let key = format!("{}{}", ["k", "K", "é", "e\u{301}", "x y", "X  y"][below(6) as usize], below(4));
                    if below(4) == 0 { format!("{key} ") } else { key }
                })
                .collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let mut looks: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
            texts.iter().for_each(|key| {
                looks.entry(key_look(key)).or_default().insert(key);
            });
            let several: Vec<usize> = looks.values().map(BTreeSet::len).filter(|n| *n > 1).collect();
            let of = looks.values().map(BTreeSet::len).sum();
            let defined = AlikeKeys { keys: several.iter().sum(), people: several.len(), of };
            for most in [1, 3, MOST] {
                assert_eq!(found(&[&texts], most), (defined.keys > 0).then_some(AlikeKeys { ..defined }), "{texts:?}");
            }
        }
    }

    #[test]
    fn it_stops_when_cancelled() {
        let context = crate::Context::new();
        let cancellation: &Cancellation = context.cancellation();
        cancellation.cancel();
        let (texts, codes) = coded(&["a", "A"]);
        let text = Box::new(|code: Code| Cow::from(texts[code as usize - 1].as_str()));
        let persons = Persons::from_keys(2, &[(&codes, 3)]);
        let key = KeyColumn { codes: &codes, n_codes: 3, text };
        assert!(warn_of_alike_keys(&persons, &[key], context.monitor()).is_err());
    }
}
