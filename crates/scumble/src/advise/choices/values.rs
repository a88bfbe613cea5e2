//! The values of parameters as they are asked for: `3,5,11`, or `e=100,1000` for a parameter by its name.

use scumble_principle::{Entry, Parameter, Range};
use scumble_table::{Decimal, Error, Result, did_you_mean};

/// The values of each parameter of a principle; nothing for those of which nothing is said.
pub(super) type Given = Vec<Option<Vec<String>>>;

/// Reads the values of a principle's parameters.
///
/// # Errors
/// If there is no such parameter, it is named twice, or a value is out of its range.
pub(super) fn given(entry: &Entry, texts: &[String]) -> Result<Given> {
    let mut given: Given = vec![None; entry.parameters.len()];
    for text in texts {
        let (at, list) = match text.split_once('=') {
            None => (0, text.as_str()),
            Some((name, list)) => (position(entry, name.trim())?, list),
        };
        let Some(parameter) = entry.parameters.get(at) else {
            return Err(Error::request("values", text, format!("`{}` has no parameters", entry.name)));
        };
        let values = list.split(',').map(|value| value_of(parameter, value.trim()));
        let mut values = values.collect::<Result<Vec<String>>>()?;
        let mut seen = Vec::new();
        values.retain(|value| {
            !seen.contains(value) && {
                seen.push(value.clone());
                true
            }
        });
        if given[at].replace(values).is_some() {
            return Err(Error::request("values", text, format!("the values of {} are given twice", parameter.name)));
        }
    }
    Ok(given)
}

fn position(entry: &Entry, name: &str) -> Result<usize> {
    let names: Vec<String> = entry.parameters.iter().map(|parameter| parameter.name.replace(' ', "-")).collect();
    let asked = name.replace(' ', "-");
    names.iter().position(|known| *known == asked).ok_or_else(|| {
        let reason = format!("`{}` has no parameter of this name", entry.name);
        Error::request("values", name, reason).hint(did_you_mean(name, &names, "its parameters are"))
    })
}

fn value_of(parameter: &Parameter, text: &str) -> Result<String> {
    let refused = || Error::request("values", text, format!("{} must be {}", parameter.name, parameter.range));
    if let Range::Word(words) = parameter.range {
        return match words.contains(&text) {
            true => Ok(text.into()),
            false => Err(refused().hint(did_you_mean(text, words, "they are"))),
        };
    }
    if let Some(k) = size_of_chance(text).filter(|_| is_size_of_groups(parameter)) {
        return Ok(k.to_string());
    }
    match Decimal::parse(text).filter(|value| parameter.range.admits(*value)) {
        Some(value) => Ok(value.to_string()),
        None => Err(refused()),
    }
}

/// True where 1 by the parameter bounds the chance of finding somebody.
pub(super) fn is_size_of_groups(parameter: &Parameter) -> bool {
    parameter.bounds_chance && matches!(parameter.range, Range::Whole(_))
}

/// The least size of groups that bounds the chance of finding somebody by a decimal below 1 or a fraction 1/n.
fn size_of_chance(text: &str) -> Option<u64> {
    if let Some((one, n)) = text.split_once('/') {
        return n.trim().parse().ok().filter(|n| one.trim() == "1" && *n >= 1);
    }
    let chance = Decimal::parse(text).filter(|chance| *chance > Decimal::ZERO && *chance < Decimal::from(1))?;
    let (numer, denom) = (chance.mantissa(), 10i128.checked_pow(u32::from(chance.scale()))?);
    u64::try_from((denom + numer - 1) / numer).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_principle::entry;

    fn read(name: &str, texts: &[&str]) -> Result<Given> {
        given(entry(name).unwrap(), &texts.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    fn values(texts: &[&str]) -> Option<Vec<String>> {
        Some(texts.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn chances_are_sizes_of_groups() {
        let asked = ["0.05", "0.09", "1/11", "0.0909", "0.1", "1/1", "0.34", "0.999"];
        assert_eq!(asked.map(|text| size_of_chance(text).unwrap()), [20, 12, 11, 12, 10, 1, 3, 2]);
        for text in ["0", "1", "-0.1", "2/11", "1/0", "1/", "/2", "", "x", "5"] {
            assert_eq!(size_of_chance(text), None, "{text}");
        }
        // The literal meaning: 1 by the size is at most the chance, and by one less it is not.
        for thousandth in 1..1000u64 {
            let k = size_of_chance(&format!("0.{thousandth:03}")).unwrap();
            assert!(1000 <= thousandth * k && 1000 > thousandth * (k - 1), "{thousandth}");
        }
        assert_eq!(read("k-anonymity", &["0.05,1/11, 3"]).unwrap(), [values(&["20", "11", "3"])]);
        assert_eq!(read("k-map", &["0.05"]).unwrap(), [values(&["20"])]);
        assert_eq!(read("alpha-k-anonymity", &["k=0.2"]).unwrap(), [None, values(&["5"])]);
        // There k counts different numbers, and a share is no count of them.
        assert!(read("ke-anonymity", &["0.05"]).is_err());
    }

    #[test]
    fn values_are_of_the_first_parameter_or_of_one_by_name() {
        assert_eq!(
            read("ke-anonymity", &["2,3,2", "e= 100, 0.50"]).unwrap(),
            [values(&["2", "3"]), values(&["100", "0.5"])]
        );
        let ground = read("t-closeness", &["ground-distance=ordered"]).unwrap();
        assert_eq!(ground, [None, values(&["ordered"])]);
        assert_eq!(read("t-closeness", &["ground distance=ordered"]).unwrap(), ground);
        for (name, texts, words) in [
            ("k-anonymity", &["0"][..], "k must be a whole number, 1 or more"),
            ("k-anonymity", &["2.5"], "k must be"),
            ("k-anonymity", &["3,,5"], "k must be"),
            ("t-closeness", &["1.5"], "t must be a number from 0 to 1"),
            ("t-closeness", &["ground-distance=order"], "did you mean `ordered`?"),
            ("ke-anonymity", &["f=3"], "its parameters are `k`, `e`"),
            ("ke-anonymity", &["3", "k=4"], "given twice"),
        ] {
            let error = read(name, texts).unwrap_err().to_string();
            assert!(error.contains(words) && error.starts_with("values"), "{error}");
        }
    }
}
