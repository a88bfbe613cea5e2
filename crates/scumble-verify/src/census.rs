//! The sensitive values of every group, side by side.

use rayon::prelude::*;
use scumble_principle::{JointColumns, LoadedDistance, Requirement};
use scumble_release::{CountedValues, PublishedTables, ShownColumn};
use scumble_table::{
    Attribute, Bag, Code, Codes, CodesBuilder, Error, Missing, Result, Role, Schema, rows_by_group, with_codes,
};

/// Groups of rows with their sensitive values, sorted inside each group so that bags can be read off.
pub struct Census {
    /// Group `g` is at `starts[g]..starts[g + 1]` in every column.
    starts: Vec<u32>,
    columns: Vec<Column>,
    schema: Schema,
    /// The columns with their rows side by side, group by group, where values are taken together.
    tuples: Option<Vec<Codes>>,
}

struct Column {
    codes: Codes,
    whole: Bag,
}

impl Census {
    /// Sorts rows into their groups; a group number that is not below `n_groups` means suppressed.
    /// The columns of `schema` are the sensitive ones, in the order of `codes`.
    pub fn new(row_group: &[u32], n_groups: usize, schema: Schema, codes: &[&Codes]) -> Census {
        let mut starts = vec![0u32; n_groups + 1];
        for &group in row_group {
            if let Some(count) = starts.get_mut(group as usize + 1).filter(|_| (group as usize) < n_groups) {
                *count += 1;
            }
        }
        for group in 0..n_groups {
            starts[group + 1] += starts[group];
        }
        let columns = codes
            .par_iter()
            .zip(schema.attributes())
            .map(|(codes, attribute)| sorted(row_group, &starts, codes, attribute))
            .collect();
        Census { starts, columns, schema, tuples: None }
    }

    /// The sensitive values of a release, group by group and for each grouping. Those of a person stay `together` only
    /// where that is asked for, since it costs memory.
    ///
    /// # Errors
    /// If two columns have one name.
    pub fn from_tables(tables: &PublishedTables, together: bool) -> Result<Vec<Census>> {
        match tables {
            PublishedTables::Generalized(boxed) => {
                let sensitive = boxed.values.iter().filter(|values| values.column.role() == Role::Sensitive);
                let sensitive: Vec<&ShownColumn> = sensitive.collect();
                let codes: Vec<&Codes> = sensitive.iter().map(|values| &values.codes).collect();
                Ok(vec![census(&boxed.row_group, boxed.sizes.len(), schema(&sensitive)?, &codes, together)])
            }
            PublishedTables::Exact(exact) => {
                exact.groupings.iter().map(|one| counted(&one.sensitive, one.sizes.len(), together)).collect()
            }
            PublishedTables::Angel(angel) => Ok(vec![counted(&angel.batches, angel.sizes.len(), together)?]),
        }
    }

    /// The same, ready for requirements that take several columns as one value.
    pub fn with_tuples(mut self, row_group: &[u32], codes: &[&Codes]) -> Census {
        let rows = rows_by_group(row_group, self.n_groups()).rows;
        self.tuples = Some(codes.par_iter().map(|codes| codes.gather(&rows)).collect());
        self
    }

    /// The columns that a requirement takes as one value; nothing where it takes each by itself.
    ///
    /// # Errors
    /// If it needs a distance and there is none.
    pub fn joint_columns(
        &self,
        requirement: &Requirement,
        distance: Option<&LoadedDistance>,
    ) -> Result<Option<JointColumns>> {
        let requirements = std::slice::from_ref(requirement);
        match &self.tuples {
            Some(tuples) => JointColumns::new(requirements, &self.schema, distance, |at| &tuples[at]),
            None if JointColumns::columns(requirements, &self.schema)?.is_none() => Ok(None),
            None => Err(Error::bug("values are taken together that were not kept together")),
        }
    }

    /// As [`Census::joint_columns`], of some sensitive columns only, given by their positions.
    pub fn joint_columns_of(
        &self,
        columns: &[usize],
        requirement: &Requirement,
        distance: &LoadedDistance,
    ) -> Result<(Option<JointColumns>, Schema)> {
        let Some(tuples) = &self.tuples else {
            return Err(Error::bug("values are taken together that were not kept together"));
        };
        let schema = Schema::new(columns.iter().map(|&at| self.schema.attributes()[at].clone()).collect())?;
        let requirements = std::slice::from_ref(requirement);
        Ok((JointColumns::new(requirements, &schema, Some(distance), |at| &tuples[columns[at]])?, schema))
    }

    /// Makes `bag` the bag of a group's values taken together.
    pub fn fill_joint(&self, group: usize, together: &JointColumns, memory: &mut Vec<Code>, bag: &mut Bag) {
        let range = self.starts[group] as usize..self.starts[group + 1] as usize;
        memory.clear();
        with_codes!(together.composite().rows(), |codes| memory
            .extend(codes[range].iter().map(|&code| code as usize as Code)));
        bag.refill(memory);
    }

    /// Number of groups.
    pub fn n_groups(&self) -> usize {
        self.starts.len() - 1
    }

    /// Rows of a group.
    pub fn size(&self, group: usize) -> u32 {
        self.starts[group + 1] - self.starts[group]
    }

    /// The sensitive columns.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// All published values of a sensitive column.
    pub fn whole(&self, column: usize) -> &Bag {
        &self.columns[column].whole
    }

    /// Makes `bag` the bag of a group.
    pub fn fill(&self, group: usize, column: usize, bag: &mut Bag) {
        let range = self.starts[group] as usize..self.starts[group + 1] as usize;
        with_codes!(&self.columns[column].codes, |codes| bag
            .refill_sorted(codes[range].iter().map(|&code| (code as usize as Code, 1))));
    }

    /// Number of distinct values of a group; labels that look alike are one, and null is none where it is to be ignored.
    pub fn distinct(&self, group: usize, column: usize) -> usize {
        if self.schema.attributes()[column].domain.missing() == Missing::Ignore {
            let mut bag = Bag::default();
            self.fill(group, column, &mut bag);
            let bag = bag.without_missing();
            let alikes = self.schema.attributes()[column].domain.look_alikes();
            return alikes.map_or(bag.distinct(), |alikes| alikes.merged(&bag).distinct());
        }
        if let Some(alikes) = self.schema.attributes()[column].domain.look_alikes() {
            let mut bag = Bag::default();
            self.fill(group, column, &mut bag);
            return alikes.merged(&bag).distinct();
        }
        let range = self.starts[group] as usize..self.starts[group + 1] as usize;
        with_codes!(&self.columns[column].codes, |codes| codes[range].chunk_by(|a, b| a == b).count())
    }
}

fn sorted(row_group: &[u32], starts: &[u32], codes: &Codes, attribute: &Attribute) -> Column {
    let n_groups = starts.len() - 1;
    let n_rows = starts[n_groups] as usize;
    let n_codes = attribute.domain.n_codes();
    let mut out = CodesBuilder::new(n_codes as u32 - 1, n_rows);
    out.extend(std::iter::repeat_n(0, n_rows));
    let mut out = out.finish();
    let mut next = starts[..n_groups].to_vec();
    let mut histogram = vec![0u64; n_codes];
    macro_rules! scatter {
        ($to:expr, $as:ty) => {{
            with_codes!(codes, |from| for (&group, &code) in row_group.iter().zip(from) {
                if let Some(place) = next.get_mut(group as usize) {
                    $to[*place as usize] = code as $as;
                    *place += 1;
                    histogram[code as usize] += 1;
                }
            });
            sort_groups($to, starts);
        }};
    }
    match &mut out {
        Codes::U8(to) => scatter!(to, u8),
        Codes::U16(to) => scatter!(to, u16),
        Codes::U32(to) => scatter!(to, u32),
    }
    Column { codes: out, whole: Bag::from_histogram(&histogram) }
}

/// Sorts every group, halving the groups among the cores.
fn sort_groups<T: Ord + Send>(codes: &mut [T], starts: &[u32]) {
    const FEW: usize = 1 << 14;
    let n_groups = starts.len() - 1;
    if n_groups <= 1 || codes.len() <= FEW {
        let base = starts[0] as usize;
        for pair in starts.windows(2) {
            codes[pair[0] as usize - base..pair[1] as usize - base].sort_unstable();
        }
        return;
    }
    let half = n_groups / 2;
    let (left, right) = codes.split_at_mut((starts[half] - starts[0]) as usize);
    rayon::join(|| sort_groups(left, &starts[..=half]), || sort_groups(right, &starts[half..]));
}

/// The columns as the principles know them.
fn schema(values: &[&ShownColumn]) -> Result<Schema> {
    Schema::new(values.iter().map(|column| column.attribute()).collect())
}

fn census(row_group: &[u32], n_groups: usize, schema: Schema, codes: &[&Codes], together: bool) -> Census {
    let census = Census::new(row_group, n_groups, schema, codes);
    if together { census.with_tuples(row_group, codes) } else { census }
}

/// Counted values as a census. The counts add up to the number of people, so there are no more rows than in a table
/// of people.
fn counted(sensitive: &CountedValues, n_groups: usize, together: bool) -> Result<Census> {
    let rows: Vec<u32> = sensitive.expanded().map(|row| row as u32).collect();
    let row_group: Vec<u32> = rows.iter().map(|&row| sensitive.row_group[row as usize]).collect();
    let codes: Vec<Codes> = sensitive.values.iter().map(|values| values.codes.gather(&rows)).collect();
    let schema = schema(&sensitive.values.iter().collect::<Vec<_>>())?;
    Ok(census(&row_group, n_groups, schema, &codes.iter().collect::<Vec<_>>(), together))
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::{Domain, Role};

    #[test]
    fn rows_find_their_groups() {
        let domain = Domain::nominal(["a", "b", "c"].map(Into::into).to_vec());
        let schema = Schema::new(vec![Attribute { name: "s".into(), role: Role::Sensitive, domain }]).unwrap();
        let codes: Codes = [3, 1, 0, 2, 3, 3].into_iter().collect();
        let census = Census::new(&[1, 0, 1, u32::MAX, 1, 2], 3, schema, &[&codes]);
        assert_eq!((census.n_groups(), census.size(1)), (3, 3));
        let mut bag = Bag::default();
        census.fill(1, 0, &mut bag);
        assert_eq!(bag.counts(), [(0, 1), (3, 2)]);
        assert_eq!(census.whole(0).counts(), [(0, 1), (1, 1), (3, 3)]);
        assert_eq!(census.distinct(1, 0), 2);
    }

    #[test]
    fn values_stay_together_where_they_are_asked_for() {
        let named = |name: &str| {
            let domain = Domain::nominal(["a", "b", "c"].map(Into::into).to_vec());
            Attribute { name: name.into(), role: Role::Sensitive, domain }
        };
        let schema = Schema::new(vec![named("s"), named("t")]).unwrap();
        let s: Codes = [3, 1, 0, 2, 3, 3].into_iter().collect();
        let t: Codes = [1, 1, 2, 2, 1, 3].into_iter().collect();
        let groups = [1, 0, 1, u32::MAX, 1, 2];
        let census = Census::new(&groups, 3, schema, &[&s, &t]);
        let requirement: Requirement = "dissimilarity(0, 0.5, 2)".parse().unwrap();
        let distance = LoadedDistance::new("l1(s:equal, t:equal)".parse().unwrap(), |_| unreachable!()).unwrap();
        assert_eq!(census.joint_columns(&requirement, Some(&distance)).unwrap_err().exit_code(), 3);
        assert!(census.joint_columns(&"k-anonymity(2)".parse().unwrap(), None).unwrap().is_none());
        let census = census.with_tuples(&groups, &[&s, &t]);
        let together = census.joint_columns(&requirement, Some(&distance)).unwrap().unwrap();
        assert_eq!(together.composite().len(), 4);
        let (mut bag, mut memory) = (Bag::default(), Vec::new());
        census.fill_joint(1, &together, &mut memory, &mut bag);
        // (null, b) once and (c, a) twice; (b, b) is suppressed.
        assert_eq!(bag.counts(), [(0, 1), (2, 2)]);
        assert_eq!(census.joint_columns(&requirement, None).unwrap_err().exit_code(), 2);
    }
}
