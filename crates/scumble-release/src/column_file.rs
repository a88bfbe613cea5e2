//! Names of files that belong to a column.

/// Signs that the notation of distances would have to escape, and a backslash in a manifest looks like a path.
pub(crate) const NOTATION: &[char] = &[',', '(', ')', '*'];

/// `<kind>-<column>.csv`, without what would lead out of the directory or break a name, and without `besides`. Names
/// that differ only in what a file name cannot hold get a number.
pub(crate) fn column_file(kind: &str, column: &str, besides: &[char], taken: impl Fn(&str) -> bool) -> String {
    // Most systems allow 255 bytes in a name.
    const LONGEST: usize = 200;
    let mut stem = String::new();
    for c in column.chars() {
        let bad = c.is_control() || matches!(c, '/' | '\\' | ':') || besides.contains(&c);
        let c = if bad { '_' } else { c };
        if stem.len() + c.len_utf8() > LONGEST {
            break;
        }
        stem.push(c);
    }
    let mut file = format!("{kind}-{stem}.csv");
    let mut n = 2;
    while taken(&file) {
        file = format!("{kind}-{stem}-{n}.csv");
        n += 1;
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_directory_and_differ() {
        assert_eq!(column_file("hierarchy", "zip code", &[], |_| false), "hierarchy-zip code.csv");
        assert_eq!(column_file("hierarchy", "../a,b:c", &[], |_| false), "hierarchy-.._a,b_c.csv");
        assert_eq!(column_file("distance", "a,b (c)*", NOTATION, |_| false), "distance-a_b _c__.csv");
        assert_eq!(column_file("distance", "x", &[], |name| !name.contains("-3")), "distance-x-3.csv");
        assert_eq!(column_file("distance", &"é".repeat(300), &[], |_| false).len(), "distance-.csv".len() + 200);
    }
}
