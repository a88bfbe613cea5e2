//! One file per command.

pub(crate) mod advise;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod evaluate;
#[cfg(feature = "sql")]
pub(crate) mod export;
pub(crate) mod generate;
pub(crate) mod hierarchy;
pub(crate) mod inspect;
pub(crate) mod joined_note;
pub(crate) mod ledger;
pub(crate) mod man;
pub(crate) mod methods;
pub(crate) mod principles;
pub(crate) mod publish;
#[cfg(feature = "sql")]
pub(crate) mod query;
pub(crate) mod reading;
pub(crate) mod reproduce;
pub(crate) mod risk;
pub(crate) mod rules_table;
pub(crate) mod verify;
#[cfg(not(feature = "sql"))]
pub(crate) mod without_sql;
