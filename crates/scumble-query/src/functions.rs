//! The functions that a condition may call: all that it is planned with, since it is put to columns and never to tables.

use arrow_schema::DataType;
use datafusion_common::config::ConfigOptions;
use datafusion_common::{Result, TableReference, plan_err};
use datafusion_expr::planner::{ContextProvider, ExprPlanner};
use datafusion_expr::{AggregateUDF, HigherOrderUDF, ScalarUDF, TableSource, WindowUDF};
use datafusion_functions::core::planner::CoreFunctionPlanner;
use datafusion_functions::datetime::planner::DatetimeFunctionPlanner;
use datafusion_functions::unicode::planner::UnicodeFunctionPlanner;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Scalar functions by their names and aliases.
pub(crate) struct Functions {
    by_name: BTreeMap<String, Arc<ScalarUDF>>,
    planners: Vec<Arc<dyn ExprPlanner>>,
    options: ConfigOptions,
}

impl Functions {
    pub(crate) fn new() -> Self {
        let mut by_name = BTreeMap::new();
        for function in datafusion_functions::all_default_functions() {
            for alias in function.aliases() {
                by_name.insert(alias.clone(), Arc::clone(&function));
            }
            by_name.insert(function.name().to_string(), function);
        }
        let planners: Vec<Arc<dyn ExprPlanner>> = vec![
            Arc::new(CoreFunctionPlanner::default()),
            Arc::new(DatetimeFunctionPlanner),
            Arc::new(UnicodeFunctionPlanner),
        ];
        Functions { by_name, planners, options: ConfigOptions::new() }
    }
}

/// There are no tables, variables, aggregates or windows in a condition.
impl ContextProvider for Functions {
    fn get_table_source(&self, name: TableReference) -> Result<Arc<dyn TableSource>> {
        plan_err!("table '{name}' not found")
    }

    fn get_expr_planners(&self) -> &[Arc<dyn ExprPlanner>] {
        &self.planners
    }

    fn get_function_meta(&self, name: &str) -> Option<Arc<ScalarUDF>> {
        self.by_name.get(name).cloned()
    }

    fn get_higher_order_meta(&self, _name: &str) -> Option<Arc<HigherOrderUDF>> {
        None
    }

    fn get_aggregate_meta(&self, _name: &str) -> Option<Arc<AggregateUDF>> {
        None
    }

    fn get_window_meta(&self, _name: &str) -> Option<Arc<WindowUDF>> {
        None
    }

    fn get_variable_type(&self, _variable_names: &[String]) -> Option<DataType> {
        None
    }

    fn options(&self) -> &ConfigOptions {
        &self.options
    }

    fn udf_names(&self) -> Vec<String> {
        self.by_name.keys().cloned().collect()
    }

    fn higher_order_function_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn udaf_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn udwf_names(&self) -> Vec<String> {
        Vec::new()
    }
}
