//! DataFusion as the judge of conditions: which rows of a batch satisfy them.

use crate::functions::Functions;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Int64Array, RecordBatch,
    RecordBatchOptions, StringArray, UInt32Array,
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use datafusion_common::cast::as_boolean_array;
use datafusion_common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion_common::{DFSchema, DataFusionError};
use datafusion_expr::execution_props::ExecutionProps;
use datafusion_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion_expr::simplify::SimplifyContext;
use datafusion_expr::{Expr, Volatility};
use datafusion_optimizer::simplify_expressions::ExprSimplifier;
use datafusion_physical_expr::{PhysicalExpr, create_physical_expr};
use datafusion_sql::planner::{ParserOptions, PlannerContext, SqlToRel};
use datafusion_sql::sqlparser::ast;
use scumble_release::{Extent, PublishedColumn};
use scumble_table::{Code, Domain, Error, Kind, NULL, Result};
use std::sync::Arc;

/// Compiles conditions.
pub(crate) struct Engine {
    functions: Functions,
}

impl Engine {
    pub(crate) fn new() -> Self {
        Engine { functions: Functions::new() }
    }

    /// A condition over the columns of a schema.
    ///
    /// # Errors
    /// If DataFusion cannot make sense of it, or if it would not give the same answer twice.
    pub(crate) fn compile(&self, condition: &ast::Expr, schema: &SchemaRef) -> Result<Condition> {
        let text = condition.to_string();
        let wrong = |error: DataFusionError| refusal(&text, &error);
        let known = DFSchema::try_from(Arc::clone(schema)).map_err(wrong)?;
        // A literal such as 0.1 is that decimal, not the float next to it.
        let options = ParserOptions::new().with_parse_float_as_decimal(true);
        let logical = SqlToRel::new_with_options(&self.functions, options)
            .sql_to_expr(condition.clone(), &known, &mut PlannerContext::new())
            .map_err(wrong)?;
        let mut reason = None;
        let visited = logical.apply(|expr| {
            if let Expr::ScalarFunction(call) = expr {
                reason = reason.or(refused(call.name(), call.func.signature().volatility));
            }
            Ok(TreeNodeRecursion::Continue)
        });
        visited.map_err(wrong)?;
        if let Some(reason) = reason {
            return Err(Error::request("condition", &text, reason));
        }
        // Some functions exist only for the optimizer, which writes them as others.
        let context = SimplifyContext::builder().with_schema(Arc::new(known.clone())).build();
        let simplifier = ExprSimplifier::new(context);
        let logical = simplifier.coerce(logical, &known).and_then(|expr| simplifier.simplify(expr)).map_err(wrong)?;
        let logical = simplifier.coerce(logical, &known).map_err(wrong)?;
        let expr = create_physical_expr(&logical, &known, &ExecutionProps::new(), &PhysicalPlanningContext::default())
            .map_err(wrong)?;
        let of_type = expr.data_type(schema).map_err(wrong)?;
        if !matches!(of_type, DataType::Boolean | DataType::Null) {
            return Err(
                Error::request("condition", &text, "this is neither true nor false").hint("compare it with something")
            );
        }
        Ok(Condition { expr, text })
    }

    /// The truth of a condition for each row of a batch; null where it is unknown.
    pub(crate) fn judge(&self, condition: &ast::Expr, batch: &RecordBatch) -> Result<BooleanArray> {
        self.compile(condition, &batch.schema())?.evaluate(batch)
    }
}

/// The first line of what DataFusion says.
fn refusal(condition: &str, error: &DataFusionError) -> Error {
    Error::request("condition", condition, error.strip_backtrace().lines().next().unwrap_or("it makes no sense"))
}

/// Why a function has no place in a condition.
fn refused(name: &str, volatility: Volatility) -> Option<&'static str> {
    match name {
        _ if volatility != Volatility::Immutable => Some("this would not give the same answer twice"),
        // A few characters of these can ask for more memory than there is.
        "lpad" | "rpad" | "repeat" | "space" => Some("functions that make long texts are not for conditions"),
        _ => None,
    }
}

/// A condition that can be put to batches of rows.
pub(crate) struct Condition {
    expr: Arc<dyn PhysicalExpr>,
    text: String,
}

impl Condition {
    /// Its truth for each row; null where it is unknown.
    pub(crate) fn evaluate(&self, batch: &RecordBatch) -> Result<BooleanArray> {
        let wrong = |error: DataFusionError| refusal(&self.text, &error);
        let array = self.expr.evaluate(batch).and_then(|value| value.into_array(batch.num_rows())).map_err(wrong)?;
        if array.data_type() == &DataType::Null {
            return Ok(BooleanArray::new_null(batch.num_rows()));
        }
        as_boolean_array(&array).cloned().map_err(wrong)
    }
}

/// A batch of named columns of `rows` rows.
pub(crate) fn batch(columns: Vec<(&str, ArrayRef)>, rows: usize) -> Result<RecordBatch> {
    let fields: Vec<Field> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options)
        .map_err(|error| Error::bug(error.to_string()))
}

/// No values of a column, of the type that its values have.
pub(crate) fn empty(column: &PublishedColumn) -> ArrayRef {
    let of_type = match (column.kind(), column.extent()) {
        (Kind::Number, Extent::Numbers(Some((lo, hi)))) if lo.scale().max(hi.scale()) > 0 => {
            DataType::Decimal128(38, lo.scale().max(hi.scale()) as i8)
        }
        (Kind::Number, _) => DataType::Int64,
        (Kind::Date, _) => DataType::Date32,
        (Kind::Ordinal | Kind::Nominal, _) => DataType::Utf8,
    };
    arrow_array::new_empty_array(&of_type)
}

/// The values behind codes.
pub(crate) fn array(domain: &Domain, codes: impl Iterator<Item = Code>) -> Result<ArrayRef> {
    match domain.kind() {
        Kind::Number => numbers(
            codes.map(|code| domain.number(code)),
            domain.codes().filter_map(|code| domain.number(code)),
            domain.scale(),
        ),
        Kind::Date => Ok(Arc::new(Date32Array::from_iter(codes.map(|code| domain.amount(code).map(|day| day as i32))))),
        Kind::Ordinal | Kind::Nominal => {
            let labels: Vec<String> = domain.codes().map(|code| domain.text(code).into_owned()).collect();
            let keys = codes.map(|code| if code == NULL { None } else { Some(code - 1) });
            labelled(&labels, keys)
        }
    }
}

/// Numbers in units of a scale, of which `all` tells how wide they may be.
pub(crate) fn numbers(
    values: impl Iterator<Item = Option<i128>>,
    all: impl Iterator<Item = i128>,
    scale: u8,
) -> Result<ArrayRef> {
    let widest = all.map(i128::unsigned_abs).max().unwrap_or(0);
    if scale == 0 && widest <= i64::MAX as u128 {
        return Ok(Arc::new(Int64Array::from_iter(values.map(|value| value.map(|value| value as i64)))));
    }
    let digits = widest.checked_ilog10().map_or(1, |log| log + 1).max(u32::from(scale) + 1).min(38) as u8;
    let decimals = Decimal128Array::from_iter(values).with_precision_and_scale(digits, scale as i8);
    Ok(Arc::new(decimals.map_err(|error| Error::bug(error.to_string()))?))
}

/// Labels by their places.
pub(crate) fn labelled(labels: &[String], places: impl Iterator<Item = Option<u32>>) -> Result<ArrayRef> {
    let keys = UInt32Array::from_iter(places);
    let array = DictionaryArray::try_new(keys, Arc::new(StringArray::from_iter_values(labels)));
    Ok(Arc::new(array.map_err(|error| Error::bug(error.to_string()))?))
}
