#!/usr/bin/env bash
# Makes sample microdata, publishes it, verifies the release, asks a question, and says where everything is.
# Usage: scripts/demo.sh [ROWS]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/target-dir.sh
rows=${1:-50000}
# The build that the tests use too: optimized where it matters, and minutes quicker to make.
cargo build --quiet --package scumble-cli
scumble="$CARGO_TARGET_DIR/debug/scumble"
mkdir -p demo
"$scumble" generate salaries --rows "$rows" --out demo/salaries.csv --replace
"$scumble" publish demo/salaries.csv \
    --person ssn --identifying name,email \
    --quasi birth_date,zipcode,sex,department,hire_date \
    --sensitive salary,diagnosis \
    --require "k-anonymity(5)" \
    --require "diagnosis: frequency-l-diversity(3)" \
    --require "salary: t-closeness(0.3, ordered)" \
    --out demo/release --replace
echo
"$scumble" verify demo/release --source demo/salaries.csv
# The same people with exact quasi-identifiers and shuffled salaries, and a question about them.
"$scumble" publish demo/salaries.csv \
    --person ssn --identifying name,email --quasi birth_date,zipcode,sex,department,hire_date --sensitive salary --drop-rest \
    --require "ke-anonymity(5, 2000)" --out demo/permuted --replace --quiet
echo
"$scumble" query demo/permuted \
    "SELECT department, COUNT(*), AVG(salary) FROM release WHERE birth_date < '1980-01-01' GROUP BY department"
