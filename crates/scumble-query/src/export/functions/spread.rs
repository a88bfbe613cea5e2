//! Means of values of which between `l` and `u` of every group are taken, and what functions over groups and over batches
//! return alike.

use super::Function;

/// The extremes of such values, from `parts`.
pub(super) const EXTREMES: &str = "min(x) AS min_lower, COALESCE(min(CASE WHEN l > 0 AND down - n < l AND l <= down THEN x END), max(x)) AS min_upper,\n        \
    COALESCE(max(CASE WHEN l > 0 AND up - n < l AND l <= up THEN x END), min(x)) AS max_lower, max(x) AS max_upper";

/// What is returned: nothing where what was asked about are not people of the release.
pub(super) const KNOWN: &str = "CASE WHEN known THEN sum_lower END, CASE WHEN known THEN sum_upper END,\n    \
    CASE WHEN known THEN avg_lower END, CASE WHEN known THEN avg_upper END,\n    \
    CASE WHEN known THEN min_lower END, CASE WHEN known THEN min_upper END,\n    \
    CASE WHEN known THEN max_lower END, CASE WHEN known THEN max_upper END";

impl Function {
    /// From values `vals` and the limits `reach` of every group to `parts`, in the order of all values, and the bounds of the
    /// mean `means`: any prefix of what is open, in the order of all groups, may join it.
    pub(super) fn spread(&self) -> String {
        let among = |cumulated: &str, most: &str| format!("LEAST(n, GREATEST(0, {most} - ({cumulated} - n)))");
        format!(
            "ranked AS (\n    SELECT g, x, n, sum(n) OVER (PARTITION BY g ORDER BY x) AS up, \
             sum(n) OVER (PARTITION BY g ORDER BY x DESC) AS down\n    FROM vals WHERE x IS NOT NULL\n),\n\
             parts AS (\n    SELECT x, n, l, u, up, down, {up_l} AS least_l, {up_u} AS least_u, {down_l} AS most_l, {down_u} AS most_u\n    \
             FROM reach JOIN ranked ON ranked.g = reach.g WHERE u > 0\n),\n\
             running AS (\n    SELECT sum(least_l * x) OVER () AS low, sum(least_l) OVER () AS low_n,\n        \
             sum((least_u - least_l) * x) OVER up AS low_more, sum(least_u - least_l) OVER up AS low_more_n,\n        \
             sum(most_l * x) OVER () AS high, sum(most_l) OVER () AS high_n,\n        \
             sum((most_u - most_l) * x) OVER down AS high_more, sum(most_u - most_l) OVER down AS high_more_n\n    FROM parts\n    \
             WINDOW up AS (ORDER BY x ROWS UNBOUNDED PRECEDING), down AS (ORDER BY x DESC ROWS UNBOUNDED PRECEDING)\n),\n\
             means AS (\n    SELECT min(LEAST({low}, {low_with})) AS avg_lower, max(GREATEST({high}, {high_with})) AS avg_upper FROM running\n)",
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
