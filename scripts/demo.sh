#!/usr/bin/env bash
# Makes sample microdata, publishes it, verifies the release, and says what comes next.
# Usage: scripts/demo.sh [ROWS]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/target-dir.sh
rows=${1:-50000}
# Without SQL, which would double the time of a first build, and hardly optimized. The program has a place of its own, for
# others are built with all features.
echo "Building the program without SQL: some minutes the first time, seconds after that."
cargo build --profile quick --package scumble-cli --no-default-features
mkdir -p demo
cp "$CARGO_TARGET_DIR/quick/scumble" demo/scumble
scumble=demo/scumble
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
cat <<'NEXT'

The release is in demo/release: open report.html in a browser, or look at table.csv. What you can do next:

  demo/scumble inspect demo/salaries.csv              # what is in a file, and which columns could identify people
  demo/scumble risk demo/release --known birth_date,sex,zipcode --source demo/salaries.csv
  demo/scumble publish --help                         # with your own file

Questions with bounds need SQL, some minutes more to build:

  cargo build --profile quick --package scumble-cli
  target/quick/scumble query demo/release "SELECT department, COUNT(*), AVG(salary) FROM release GROUP BY department"
NEXT
