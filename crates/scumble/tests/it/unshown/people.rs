//! People whose values can be found again in any heap of bytes.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Quasi-identifiers of every kind: a number, a date, codes, labels, numbers with leading zeros, labels with an order and
/// labels under a hierarchy.
pub(crate) const QUASI: [&str; 7] = ["height", "born", "code", "town", "grade", "rank", "region"];

/// The source, column by column.
pub(crate) struct People {
    pub(crate) columns: BTreeMap<&'static str, Vec<String>>,
    /// All labels of the order of `rank`, which the publisher gives.
    pub(crate) order: Vec<String>,
    /// All leaves of the hierarchy over `region`, which the publisher gives, with the labels above them.
    pub(crate) regions: Vec<[String; 2]>,
}

/// A word of five consonants, different for each number below 20^3 of a column, that occurs in no text of ours.
fn word(column: char, number: usize) -> String {
    const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz";
    let letter = |at: u32| char::from(LETTERS[number / 20usize.pow(at) % 20]);
    format!("{column}qxz{}{}{}zq", letter(0), letter(1), letter(2))
}

impl People {
    /// Writes the files of so many people into a folder.
    pub(crate) fn new(folder: &Path, n: usize) -> People {
        let mix = |i: usize, step: usize, many: usize| (i * step + i * i / 7) % many;
        let order: Vec<String> = (0..30).map(|at| word('K', 299 - at * 7)).collect();
        let regions: Vec<[String; 2]> = (0..40).map(|at| [word('R', at * 3), word('P', at / 8)]).collect();
        let mut columns: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        let mut put = |name, value: &dyn Fn(usize) -> String| {
            columns.insert(name, (0..n).map(value).collect());
        };
        put("name", &|i| word('N', i));
        put("dropped", &|i| word('D', i));
        put("height", &|i| match i % 31 {
            5 => String::new(),
            _ => (61_280_317 + 7919 * mix(i, 37, 90)).to_string(),
        });
        put("born", &|i| format!("19{:02}-{:02}-{:02}", 11 + mix(i, 5, 80), 1 + i % 12, 10 + i * 3 % 19));
        put("code", &|i| match i % 41 {
            7 => String::new(),
            _ => format!("{}{}7{:04}", ["QJ", "XK"][i % 2], ["V", "W", "Z"][i % 3], 1013 + 17 * i),
        });
        put("town", &|i| word('T', mix(i, 3, if i % 11 == 0 { 60 } else { 6 })));
        put("grade", &|i| format!("{:09}", 80_317_711 + 104_729 * mix(i, 13, 70)));
        // Every third label of the order and of the hierarchy occurs in no row.
        put("rank", &|i| order[mix(i, 7, 20) * 3 / 2].clone());
        put("region", &|i| regions[mix(i, 11, 26) * 3 / 2].clone()[0].clone());
        put("sex", &|i| ["F", "M"][i % 2].to_string());
        put("illness", &|i| word('L', i % 8));
        put("pay", &|i| (90_172_003 + 3517 * (i * 29 % 60)).to_string());
        put("kept", &|i| word('H', i % 5));
        let names: Vec<&str> = columns.keys().copied().collect();
        let mut text = names.join(",") + "\n";
        let line = |row: usize| names.iter().map(|name| columns[name][row].as_str()).collect::<Vec<&str>>().join(",");
        (0..n).for_each(|row| text.push_str(&(line(row) + "\n")));
        fs::write(folder.join("people.csv"), text).unwrap();
        fs::write(folder.join("rank.txt"), order.join("\n")).unwrap();
        let tree: String = regions.iter().map(|[leaf, above]| format!("{leaf};{above};*\n")).collect();
        fs::write(folder.join("region.csv"), tree).unwrap();
        let mut matrix = String::new();
        for (a, b) in (0..9).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let _ =
                writeln!(matrix, "{},{},{}", word('L', a), word('L', b), if a % 2 == b % 2 { "0.2" } else { "0.9" });
        }
        fs::write(folder.join("illness.csv"), matrix).unwrap();
        let cuts = |step: i64| (1..4).map(|at| (61_300_000 + step * at).to_string()).collect::<Vec<_>>().join(", ");
        let conditional = format!(
            "column = \"height\"\ncommon = [[61600000]]\n\n[[context]]\nwhen = {{ sex = \"F\" }}\nlevels = [[{}]]\n\n[[context]]\nwhen = {{ sex = \"M\" }}\nlevels = [[{}]]\n",
            cuts(100_000),
            cuts(150_000)
        );
        fs::write(folder.join("height.toml"), conditional).unwrap();
        People { columns, order, regions }
    }

    /// The distinct values of a column that are no nulls.
    pub(crate) fn values(&self, column: &str) -> Vec<String> {
        let mut values: Vec<String> = self.columns[column].iter().filter(|value| value.len() > 1).cloned().collect();
        values.sort();
        values.dedup();
        values
    }
}
