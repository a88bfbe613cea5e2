//! The statement around the predicates.

use super::predicate;
use super::{AskedAggregate, Question};
use crate::columns::Columns;
use datafusion_sql::sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr, Ident, Query, Select, SelectItem,
    SetExpr, Statement, TableFactor, TableWithJoins, Value, ValueWithSpan,
};
use datafusion_sql::sqlparser::dialect::GenericDialect;
use datafusion_sql::sqlparser::parser::Parser;
use scumble_answer::Aggregate;
use scumble_table::{Error, Kind, Result, Role, quoted_list};

/// The one table that questions are about.
const TABLE: &str = "release";

/// Longer statements are refused before they are parsed: a tree as deep as its text is long makes no sensible question.
const LONGEST: usize = 1 << 16;

/// Enough for the deepest tree that a statement of that length can have; memory is taken as it is used.
const STACK: usize = 1 << 28;

const SHAPE: &str = "ask for SELECT [columns,] COUNT(*), SUM, AVG, MIN or MAX FROM release [WHERE ...] [GROUP BY ...]";

/// Reads a question.
///
/// # Errors
/// If it is not one SELECT of the form that a release can answer; the message says what can be asked.
pub(crate) fn read(text: &str, columns: &Columns) -> Result<Question> {
    if text.len() > LONGEST {
        return Err(wrong("SELECT ...", format!("a statement has at most {LONGEST} bytes")));
    }
    // A row of a thousand ORs is parsed into a tree a thousand deep, which is taken down by recursion.
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().stack_size(STACK);
        let running = reader.spawn_scoped(scope, || parse(text, columns));
        let running = running.map_err(|error| Error::io("start", "a thread", &error))?;
        running.join().map_err(|_| Error::bug("the reader of questions stopped"))?
    })
}

fn parse(text: &str, columns: &Columns) -> Result<Question> {
    let mut statements =
        Parser::parse_sql(&GenericDialect {}, text).map_err(|e| wrong(text, format!("this is not SQL: {e}")))?;
    let (Some(statement), true) = (statements.pop(), statements.is_empty()) else {
        return Err(wrong(text, "one SELECT is wanted, nothing before or after it").hint(SHAPE));
    };
    let Statement::Query(query) = statement else {
        return Err(wrong(text, "a release can only be read: one SELECT is wanted").hint(SHAPE));
    };
    let select = plain_select(text, &query)?;
    let alias = table(text, select)?;
    let reader = Reader { text, columns, alias };
    reader.question(&query, select)
}

fn wrong(text: &str, reason: impl Into<String>) -> Error {
    Error::request("question", text, reason)
}

fn plain_select<'a>(text: &str, query: &'a Query) -> Result<&'a Select> {
    let refuse = |what: &str| Err(wrong(text, format!("{what} cannot be answered over a release")).hint(SHAPE));
    if query.with.is_some() {
        return refuse("WITH");
    }
    if query.order_by.is_some() {
        return Err(
            wrong(text, "ORDER BY is not for bounds: rows come in the order of their keys").hint("leave it out")
        );
    }
    if query.limit_clause.is_some() || query.fetch.is_some() {
        return Err(wrong(text, "LIMIT is not for answers with bounds").hint("leave it out"));
    }
    match &*query.body {
        SetExpr::Select(select) if select.distinct.is_some() => refuse("DISTINCT"),
        SetExpr::Select(select) if select.having.is_some() => refuse("HAVING"),
        SetExpr::Select(select) => Ok(select),
        SetExpr::SetOperation { .. } => refuse("UNION, EXCEPT or INTERSECT"),
        _ => refuse("this statement"),
    }
}

/// The alias of the one table.
fn table(text: &str, select: &Select) -> Result<Option<Ident>> {
    let [TableWithJoins { relation, joins }] = select.from.as_slice() else {
        let reason = if select.from.is_empty() { "there is no FROM" } else { "a join cannot be answered" };
        return Err(wrong(text, reason).hint("a release is one table: FROM release"));
    };
    if !joins.is_empty() {
        return Err(wrong(text, "a join cannot be answered: whose value is whose is what the release hides")
            .hint("a release is one table: FROM release"));
    }
    match relation {
        TableFactor::Table { name, alias, .. } if name.to_string().trim_matches('"').eq_ignore_ascii_case(TABLE) => {
            Ok(alias.as_ref().map(|alias| alias.name.clone()))
        }
        TableFactor::Derived { .. } => {
            Err(wrong(text, "a subquery cannot be answered over a release").hint("FROM release"))
        }
        other => Err(wrong(text, format!("there is no table {other}")).hint("a release is one table: FROM release")),
    }
}

struct Reader<'a> {
    text: &'a str,
    columns: &'a Columns,
    alias: Option<Ident>,
}

impl Reader<'_> {
    fn question(&self, query: &Query, select: &Select) -> Result<Question> {
        self.nothing_else(query, select)?;
        let mut keys = Vec::new();
        let GroupByExpr::Expressions(expressions, modifiers) = &select.group_by else {
            return Err(wrong(self.text, "GROUP BY ALL is not known here").hint("name the columns"));
        };
        if !modifiers.is_empty() {
            return Err(wrong(self.text, "GROUP BY takes quasi-identifying columns and nothing else"));
        }
        for expression in expressions {
            let at = self.key(expression, &select.projection)?;
            if !keys.contains(&at) {
                keys.push(at);
            }
        }
        let mut aggregates: Vec<AskedAggregate> = Vec::new();
        for item in &select.projection {
            let (expression, alias) = match item {
                SelectItem::UnnamedExpr(expression) => (expression, None),
                SelectItem::ExprWithAlias { expr, alias } => (expr, Some(alias.value.clone())),
                _ => {
                    return Err(wrong(self.text, "a release answers aggregates, it does not list people").hint(SHAPE));
                }
            };
            match expression {
                Expr::Function(function) => aggregates.push(self.aggregate(function, alias)?),
                other => {
                    let at = self.key_column(other)?;
                    if !keys.contains(&at) {
                        let name = self.columns.name(at);
                        let reason = format!("`{name}` is selected and not in GROUP BY");
                        return Err(wrong(self.text, reason).hint(format!("add GROUP BY \"{name}\"")));
                    }
                }
            }
        }
        if aggregates.is_empty() {
            return Err(wrong(self.text, "no aggregate is asked for").hint(SHAPE));
        }
        let (people, sensitive) = match &select.selection {
            Some(selection) => predicate::read(self.text, selection, self.columns, self.alias.as_ref())?,
            None => (None, None),
        };
        Ok(Question { keys, aggregates, people, sensitive })
    }

    /// Whatever else SQL knows (windows, sampling, hints, ...) shows in the statement's own text.
    fn nothing_else(&self, query: &Query, select: &Select) -> Result<()> {
        let list = |items: &[SelectItem]| items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let alias = self.alias.as_ref().map_or(String::new(), |alias| format!(" {alias}"));
        let mut plain = format!("SELECT {} FROM {TABLE}{alias}", list(&select.projection));
        if let Some(selection) = &select.selection {
            plain.push_str(&format!(" WHERE {selection}"));
        }
        if let GroupByExpr::Expressions(keys, _) = &select.group_by
            && !keys.is_empty()
        {
            plain.push_str(&format!(" {}", select.group_by));
        }
        let bare = |text: &str| text.replace(" AS ", " ").replace(['"', ' '], "").to_lowercase();
        if bare(&query.to_string()) != bare(&plain) {
            let reason = "this statement has a clause that cannot be answered over a release";
            return Err(wrong(self.text, reason).hint(SHAPE));
        }
        Ok(())
    }

    fn key(&self, expression: &Expr, projection: &[SelectItem]) -> Result<usize> {
        let mut named = expression;
        if let Expr::Value(ValueWithSpan { value: Value::Number(digits, _), .. }) = expression {
            let item = digits.parse::<usize>().ok().and_then(|n| projection.get(n.checked_sub(1)?));
            named = match item {
                Some(SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) => expr,
                _ => return Err(wrong(self.text, format!("GROUP BY {digits}: there is no such item"))),
            };
        }
        self.key_column(named)
    }

    fn column(&self, expression: &Expr) -> Result<usize> {
        match predicate::identifier(expression, self.alias.as_ref()) {
            Some(ident) => self.columns.find(ident),
            None => Err(wrong(self.text, format!("{expression} is neither a column nor an aggregate of one"))
                .hint("COUNT(*), SUM, AVG, MIN and MAX of a sensitive column, and plain columns in GROUP BY")),
        }
    }

    /// A column that may be selected and grouped by.
    fn key_column(&self, expression: &Expr) -> Result<usize> {
        let at = self.column(expression)?;
        if !self.columns.is_sensitive(at) {
            return Ok(at);
        }
        let name = self.columns.name(at);
        let reason = format!("`{name}` is sensitive: the release does not tell whose value is whose");
        Err(wrong(self.text, reason).hint(format!("ask for an aggregate of it, or count with WHERE \"{name}\" = ...")))
    }

    fn aggregate(&self, function: &Function, alias: Option<String>) -> Result<AskedAggregate> {
        let name = function.name.to_string().to_lowercase();
        let aggregate = match name.as_str() {
            "count" => Aggregate::Count,
            "sum" => Aggregate::Sum,
            "avg" | "mean" => Aggregate::Avg,
            "min" => Aggregate::Min,
            "max" => Aggregate::Max,
            _ => {
                return Err(wrong(self.text, format!("{name} is not an aggregate that a release can bound"))
                    .hint("COUNT(*), SUM, AVG, MIN, MAX"));
            }
        };
        let name = if name == "mean" { "avg" } else { &name };
        let plain = |what: &str| Err(wrong(self.text, format!("{function}: {what}")).hint(SHAPE));
        if function.over.is_some() || function.filter.is_some() || !function.within_group.is_empty() {
            return plain("windows and filters cannot be answered");
        }
        let FunctionArguments::List(list) = &function.args else { return plain("it has no argument") };
        if list.duplicate_treatment.is_some() || !list.clauses.is_empty() {
            return plain("DISTINCT cannot be bounded");
        }
        let [FunctionArg::Unnamed(argument)] = list.args.as_slice() else { return plain("it takes one argument") };
        match argument {
            FunctionArgExpr::Wildcard if aggregate == Aggregate::Count => {
                Ok(AskedAggregate { aggregate: Aggregate::CountRows, column: None, label: "count(*)".into(), alias })
            }
            FunctionArgExpr::Expr(expression) => {
                let at = self.column(expression)?;
                self.can_aggregate(function, aggregate, at)?;
                let label = format!("{name}({})", self.columns.name(at));
                Ok(AskedAggregate { aggregate, column: Some(at), label, alias })
            }
            _ => plain("it takes a sensitive column"),
        }
    }

    fn can_aggregate(&self, function: &Function, aggregate: Aggregate, at: usize) -> Result<()> {
        let column = self.columns.get(at);
        let refuse = |reason: String, hint: String| Err(wrong(self.text, format!("{function}: {reason}")).hint(hint));
        if column.role() != Role::Sensitive {
            let sensitive = quoted_list(&self.columns.named(|role| role == Role::Sensitive), 8);
            return refuse(
                format!("`{}` is not sensitive", column.name()),
                format!("aggregates are over sensitive columns ({sensitive}); count people with COUNT(*)"),
            );
        }
        let kind = column.kind();
        match aggregate {
            Aggregate::Sum | Aggregate::Avg if kind != Kind::Number => {
                refuse(format!("`{}` is {kind}, not a number", column.name()), "COUNT(*) counts its values".into())
            }
            Aggregate::Min | Aggregate::Max if !kind.is_ordered() => {
                refuse(format!("`{}` has labels without an order", column.name()), "COUNT(*) counts its values".into())
            }
            _ => Ok(()),
        }
    }
}
