//! SQL over releases: aggregates answered with honest bounds, rewritten statements, and export to databases.
