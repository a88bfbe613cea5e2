//! Functions over the batches of an angel release.

use super::{Function, OF_GROUPS, Source};
use crate::rewrite::quoted;
use scumble_release::{Angel, BATCH, COUNT};

impl Function {
    pub(super) fn of_batches(name: String, column: &str, digits: u8) -> Function {
        let about = format!(
            "bounds of the sum, average, minimum and maximum of {column}, given the batches of the people who match for \
             certain and of all who may match, the certain ones among them, once for each person of one view; null where \
             these are not people of the release"
        );
        let mut returns = vec![("people_lower", "bigint"), ("people_upper", "bigint")];
        returns.extend(&OF_GROUPS[1..]);
        let arguments = vec![("certain", "integer[]"), ("possible", "integer[]")];
        Function { name, about, arguments, returns, source: Source::Batches { column: column.into() }, digits }
    }

    /// As the statements of `query --explain` do it: of the `a` values of a batch at least `l` and at most `u` are those of
    /// the people asked about.
    pub(super) fn over_batches(&self, column: &str, name: &dyn Fn(&str) -> String) -> String {
        let among = |cumulated: &str, most: &str| format!("LEAST(n, GREATEST(0, {most} - ({cumulated} - n)))");
        format!(
            "WITH asked AS (\n    SELECT g, sum(c) AS least, sum(p) AS most\n    \
             FROM (SELECT unnest($1) AS g, 1 AS c, 0 AS p UNION ALL SELECT unnest($2), 0, 1) handed\n    \
             WHERE g IS NOT NULL GROUP BY g\n),\n\
             vals AS (\n    SELECT {batch} AS g, {column}::numeric AS x, sum({count}) AS n FROM {table}\n    \
             WHERE {batch} IN (SELECT g FROM asked) GROUP BY 1, 2\n),\n\
             sizes AS (\n    SELECT g, sum(n) AS size, COALESCE(sum(n) FILTER (WHERE x IS NOT NULL), 0) AS a FROM vals GROUP BY g\n),\n\
             reach AS (\n    SELECT asked.g, least, most, size, GREATEST(0, least + a - size) AS l, LEAST(most, a) AS u\n    \
             FROM asked LEFT JOIN sizes ON sizes.g = asked.g\n),\n\
             ranked AS (\n    SELECT g, x, n, sum(n) OVER (PARTITION BY g ORDER BY x) AS up, \
             sum(n) OVER (PARTITION BY g ORDER BY x DESC) AS down\n    FROM vals WHERE x IS NOT NULL\n),\n\
             parts AS (\n    SELECT x, n, l, u, up, down, {up_l} AS least_l, {up_u} AS least_u, {down_l} AS most_l, {down_u} AS most_u\n    \
             FROM reach JOIN ranked ON ranked.g = reach.g WHERE u > 0\n),\n\
             running AS (\n    SELECT sum(least_l * x) OVER () AS low, sum(least_l) OVER () AS low_n,\n        \
             sum((least_u - least_l) * x) OVER up AS low_more, sum(least_u - least_l) OVER up AS low_more_n,\n        \
             sum(most_l * x) OVER () AS high, sum(most_l) OVER () AS high_n,\n        \
             sum((most_u - most_l) * x) OVER down AS high_more, sum(most_u - most_l) OVER down AS high_more_n\n    FROM parts\n    \
             WINDOW up AS (ORDER BY x ROWS UNBOUNDED PRECEDING), down AS (ORDER BY x DESC ROWS UNBOUNDED PRECEDING)\n),\n\
             means AS (\n    SELECT min(LEAST({low}, {low_with})) AS avg_lower, max(GREATEST({high}, {high_with})) AS avg_upper FROM running\n),\n\
             ends AS (\n    SELECT COALESCE(sum(x * CASE WHEN x < 0 THEN least_u ELSE least_l END), 0) AS sum_lower,\n        \
             COALESCE(sum(x * CASE WHEN x > 0 THEN most_u ELSE most_l END), 0) AS sum_upper,\n        \
             min(x) AS min_lower, COALESCE(min(CASE WHEN l > 0 AND down - n < l AND l <= down THEN x END), max(x)) AS min_upper,\n        \
             COALESCE(max(CASE WHEN l > 0 AND up - n < l AND l <= up THEN x END), min(x)) AS max_lower, max(x) AS max_upper\n    FROM parts\n),\n\
             total AS (\n    SELECT COALESCE(sum(least), 0) AS least, COALESCE(sum(most), 0) AS most,\n        \
             COALESCE(bool_and(COALESCE(least <= most AND most <= size, false)), true) AS known\n    FROM reach\n)\n\
             SELECT least::bigint, most::bigint, CASE WHEN known THEN sum_lower END, CASE WHEN known THEN sum_upper END,\n    \
             CASE WHEN known THEN avg_lower END, CASE WHEN known THEN avg_upper END,\n    \
             CASE WHEN known THEN min_lower END, CASE WHEN known THEN min_upper END,\n    \
             CASE WHEN known THEN max_lower END, CASE WHEN known THEN max_upper END\nFROM total, means, ends",
            batch = quoted(BATCH),
            count = quoted(COUNT),
            table = name(Angel::BATCHES),
            up_l = among("up", "l"),
            up_u = among("up", "u"),
            down_l = among("down", "l"),
            down_u = among("down", "u"),
            low = self.down("low", "NULLIF(low_n, 0)"),
            low_with = self.down("(low + low_more)", "NULLIF(low_n + low_more_n, 0)"),
            high = self.up("high", "NULLIF(high_n, 0)"),
            high_with = self.up("(high + high_more)", "NULLIF(high_n + high_more_n, 0)"),
        )
    }
}
