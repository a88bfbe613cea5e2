#!/usr/bin/env bash
# Makes sample microdata, publishes it, verifies the release, and says where everything is.
# Usage: scripts/demo.sh [ROWS]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/target-dir.sh
rows=${1:-50000}
cargo build --quiet --release --package scumble-cli
scumble="$CARGO_TARGET_DIR/release/scumble"
mkdir -p demo
"$scumble" generate salaries --rows "$rows" --out demo/salaries.csv --replace
"$scumble" publish demo/salaries.csv \
    --identifying name,ssn,email \
    --quasi birth_date,zipcode,sex,department,hire_date \
    --sensitive salary,diagnosis \
    --require "k-anonymity(5)" \
    --require "diagnosis: frequency-l-diversity(3)" \
    --require "salary: t-closeness(0.3, ordered)" \
    --out demo/release --replace
echo
"$scumble" verify demo/release --source demo/salaries.csv
