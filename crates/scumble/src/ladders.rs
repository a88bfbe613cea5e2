//! The levels of each quasi-identifier for full-domain generalization: its hierarchy, a conditional one, or one made
//! from its values.

use crate::request::PublishRequest;
use scumble_io::read_conditional;
use scumble_method::full_domain::Ladder;
use scumble_table::{Error, Result, Role, Table};

/// The ladders of all quasi-identifiers, in the order of the table.
pub(crate) fn ladders(table: &Table, request: &PublishRequest) -> Result<Vec<Ladder>> {
    let mut ladders = Vec::new();
    for column in table.schema().of_role(Role::Quasi) {
        let name = &table.attribute(column).name;
        let file = request.conditional().find(|(asked, _)| asked.name == *name).map(|(_, file)| file);
        ladders.push(match file {
            Some(file) => {
                let shown = file.display().to_string();
                let tree = read_conditional(file)?;
                if tree.column != *name {
                    return Err(Error::request(
                        "--hierarchy",
                        &shown,
                        format!("it is a hierarchy of `{}`", tree.column),
                    )
                    .hint(format!("write --hierarchy {}={shown}", tree.column)));
                }
                let bound = tree.bind(&shown, table.schema())?;
                for &given in bound.given() {
                    let attribute = table.attribute(given);
                    if attribute.role != Role::Quasi {
                        let reason = format!(
                            "its intervals depend on `{}`, which is {}: they would tell it, and k would not count it",
                            attribute.name, attribute.role
                        );
                        return Err(Error::request("--hierarchy", shown, reason)
                            .hint(format!("name `{}` in --quasi, or use another hierarchy", attribute.name)));
                    }
                }
                Ladder::of_intervals(table, bound)
            }
            None => Ladder::of_column(table, column),
        });
    }
    Ok(ladders)
}

/// The levels that were asked for, in the order of the ladders.
pub(crate) fn fixed(table: &Table, request: &PublishRequest, ladders: &[Ladder]) -> Result<Vec<Option<usize>>> {
    let level = |ladder: &Ladder| {
        let name = &table.attribute(ladder.column()).name;
        let level = request.columns.iter().find(|column| column.name == *name).and_then(|column| column.level);
        match level {
            Some(level) if level > ladder.top() => {
                let reason = format!("the column has the levels 0, its values, to {}, which shows `*`", ladder.top());
                Err(Error::request("--level", format!("{name}={level}"), reason))
            }
            level => Ok(level),
        }
    };
    ladders.iter().map(level).collect()
}
