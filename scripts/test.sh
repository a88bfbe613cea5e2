#!/usr/bin/env bash
# Runs every test: the crates' own, the manual's tables and reference, and, where the checker lies
# beside the project, releases judged by it, and by pycanon where there is Python; exports go into a PostgreSQL of their
# own, and every page is opened in a browser. Ends with "N passed, M failed".
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/target-dir.sh
. scripts/postgres.sh
. scripts/browser.sh
log=$(mktemp)
trap 'rm -f "$log"; stop_postgres' EXIT
start_postgres
prepare_browser

# Packages of Python that tests use go into a cache of their own, never into the system.
if command -v python3 >/dev/null; then
    venv="${XDG_CACHE_HOME:-$HOME/.cache}/scumble/engines-venv"
    if ! cmp -s scripts/engines.txt "$venv/engines.txt"; then
        python3 -m venv --clear "$venv" && "$venv/bin/pip" install --quiet --requirement scripts/engines.txt &&
            cp scripts/engines.txt "$venv/engines.txt"
    fi
    export SCUMBLE_PYTHON="$venv/bin/python"
fi
oracle="$PWD/../shared/oracle"
if [ -d "$oracle" ] && [ -n "${SCUMBLE_PYTHON:-}" ]; then
    export SCUMBLE_ORACLE="$oracle"
else
    echo "the checker is not beside the project: its tests are skipped"
fi

# pycanon gives a second opinion on releases. It pins its own numpy and pandas, so it has a cache of its own.
if command -v python3 >/dev/null; then
    pycanon="${XDG_CACHE_HOME:-$HOME/.cache}/scumble/pycanon-1.3.5-venv"
    if "$pycanon/bin/python" -c 'import pycanon.anonymity' 2>/dev/null ||
        { python3 -m venv "$pycanon" && "$pycanon/bin/pip" install --quiet pycanon==1.3.5; }; then
        export SCUMBLE_PYCANON="$pycanon/bin/python"
    elif [ -n "${CI:-}" ]; then
        echo "pycanon cannot be installed" >&2
        exit 1
    else
        echo "pycanon cannot be installed: its tests are skipped"
    fi
elif [ -n "${CI:-}" ]; then
    echo "there is no Python here, and pycanon must give its opinion" >&2
    exit 1
else
    echo "there is no Python here: the second opinion is skipped"
fi

failed=0
cargo test --workspace --no-fail-fast 2>&1 | tee "$log" || failed=1
# The implementation for systems that are not Unix, and on top of it the writer and the ledger, both killed and started again.
# Features are those of the whole workspace, so that no crate of others is built again.
cargo test --workspace --no-fail-fast --features scumble-release/portable,scumble-ledger/portable \
    --test promises --test judged --test entries 2>&1 | tee -a "$log" || failed=1
# The program was built for its tests.
SCUMBLE="$CARGO_TARGET_DIR/debug/scumble"
export SCUMBLE
docs/manual/check.sh 2>&1 | tee -a "$log" || failed=1
docs/manual/generate-reference.sh --check 2>&1 | tee -a "$log" || failed=1
CHAPTER="$CARGO_TARGET_DIR/debug/examples/chapter" docs/manual/results.sh --check 2>&1 | tee -a "$log" || failed=1
docs/manual/transcripts.sh 2>&1 | tee -a "$log" || failed=1
docs/manual/book.sh 2>&1 | tee -a "$log" || failed=1
scripts/pages.sh 2>&1 | tee -a "$log" || failed=1

passes=$(sed -nE 's/^test result: [a-zA-Z]+\. ([0-9]+) passed; ([0-9]+) failed.*/\1/p; s/^([0-9]+) passed, ([0-9]+) failed$/\1/p' "$log" | awk '{s += $1} END {print s + 0}')
failures=$(sed -nE 's/^test result: [a-zA-Z]+\. ([0-9]+) passed; ([0-9]+) failed.*/\2/p; s/^([0-9]+) passed, ([0-9]+) failed$/\2/p' "$log" | awk '{s += $1} END {print s + 0}')
if [ "$failed" -ne 0 ] && [ "$failures" -eq 0 ]; then
    failures=1
fi
if [ "$failures" -ne 0 ]; then
    echo
    echo "what failed:"
    grep -E '^(test .* FAILED|FAIL|fail|DIFF)|panicked at|^error' "$log" | sort -u | head -n 60 || true
fi
echo
echo "$passes passed, $failures failed"
[ "$failures" -eq 0 ]
