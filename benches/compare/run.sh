#!/usr/bin/env bash
# Compares five methods with eight points each on generated people, and says how long that took and how busy the
# processors were.
#
#   SCUMBLE=path/to/scumble benches/compare/run.sh [ROWS] [FOLDER]
#
# ROWS is 50,000. With a FOLDER the comparison is left there, to be looked at; otherwise nothing is left.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$(command -v "${SCUMBLE:-scumble}") || { echo "run.sh: no program; set SCUMBLE to the scumble binary" >&2; exit 2; }
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
rows=${1:-50000}
if [ -n "${2:-}" ]; then
    mkdir -p "$2"
    work=$(cd "$2" && pwd)
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
cp "$here/sweep.toml" "$work/"
cd "$work"
"$program" generate census --rows "$rows" --seed 1 --out census.csv --replace >/dev/null
rm -rf comparison
TIMEFORMAT='%R s on the clock, %U s user and %S s system of all processes'
time "$program" compare --job sweep.toml
