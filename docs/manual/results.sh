#!/usr/bin/env bash
# Writes the chapter "The papers, done again" from the documents of full runs of `scumble-lab`, kept in results/, each
# next to the commit that it was made from.
#
#   CHAPTER=path/to/examples/chapter docs/manual/results.sh           writes src/results
#   CHAPTER=path/to/examples/chapter docs/manual/results.sh --check   fails if the chapter says anything else than the documents
#
# The program is made by `cargo build -p scumble-lab --example chapter`.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
chapter=$(command -v "${CHAPTER:-}") || { echo "results.sh: no program; set CHAPTER to the chapter example" >&2; exit 2; }
case ${1:-} in
    '')
        rm -rf "$here/src/results"
        "$chapter" --out "$here/src/results" "$here"/results/paper*.json
        ;;
    --check)
        out=$(mktemp -d)
        trap 'rm -rf "$out"' EXIT
        "$chapter" --out "$out/results" "$here"/results/paper*.json >/dev/null
        if diff -rq "$here/src/results" "$out/results"; then
            echo "the chapter of results is what the documents say"
            echo "1 passed, 0 failed"
        else
            echo "results.sh: the chapter of results differs from the documents; hint: run it without --check" >&2
            echo "0 passed, 1 failed"
            exit 1
        fi
        ;;
    *) echo "results.sh: unknown argument \`$1\`; hint: --check, or nothing" >&2; exit 2 ;;
esac
