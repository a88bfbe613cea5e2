//! Functions over the batches of an angel release.

use super::Function;
use super::spread::{EXTREMES, KNOWN};
use crate::rewrite::quoted;
use scumble_release::{Angel, BATCH, COUNT};

impl Function {
    /// As the statements of [`Session::rewrite`](crate::Session::rewrite) do it: of the `a` values of a batch at least `l` and at most `u` are those of
    /// the people asked about.
    pub(super) fn over_batches(&self, column: &str, name: &dyn Fn(&str) -> String) -> String {
        format!(
            "WITH asked AS (\n    SELECT g, sum(c) AS least, sum(p) AS most\n    \
             FROM (SELECT unnest($1) AS g, 1 AS c, 0 AS p UNION ALL SELECT unnest($2), 0, 1) handed\n    \
             WHERE g IS NOT NULL GROUP BY g\n),\n\
             vals AS (\n    SELECT {batch} AS g, {column}::numeric AS x, sum({count}) AS n FROM {table}\n    \
             WHERE {batch} IN (SELECT g FROM asked) GROUP BY 1, 2\n),\n\
             sizes AS (\n    SELECT g, sum(n) AS size, COALESCE(sum(n) FILTER (WHERE x IS NOT NULL), 0) AS a FROM vals GROUP BY g\n),\n\
             reach AS (\n    SELECT asked.g, least, most, size, GREATEST(0, least + a - size) AS l, LEAST(most, a) AS u\n    \
             FROM asked LEFT JOIN sizes ON sizes.g = asked.g\n),\n\
             {spread},\n\
             ends AS (\n    SELECT COALESCE(sum(x * CASE WHEN x < 0 THEN least_u ELSE least_l END), 0) AS sum_lower,\n        \
             COALESCE(sum(x * CASE WHEN x > 0 THEN most_u ELSE most_l END), 0) AS sum_upper,\n        \
             {EXTREMES}\n    FROM parts\n),\n\
             total AS (\n    SELECT COALESCE(sum(least), 0) AS least, COALESCE(sum(most), 0) AS most,\n        \
             COALESCE(bool_and(COALESCE(least <= most AND most <= size, false)), true) AS known\n    FROM reach\n)\n\
             SELECT least::bigint, most::bigint, {KNOWN}\nFROM total, means, ends",
            batch = quoted(BATCH),
            count = quoted(COUNT),
            table = name(Angel::BATCHES),
            spread = self.spread(),
        )
    }
}
