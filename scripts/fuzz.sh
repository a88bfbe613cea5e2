#!/usr/bin/env bash
# Builds the fuzz targets and runs each for SCUMBLE_FUZZ_SECONDS (60), as many side by side as there are cores. A target
# begins with its seeds in fuzz/corpus and with what earlier runs found, which is kept in the build output. An input that
# ends a target is kept there too, and is printed.
# Usage: scripts/fuzz.sh [--build] [TARGET...]
#
# libFuzzer is driven without cargo-fuzz: that would build all dependencies a second time, DataFusion among them, while
# here only the crates of the workspace are, and the compiler is the pinned stable one. Ends with "N passed, M failed".
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/target-dir.sh
seconds=${SCUMBLE_FUZZ_SECONDS:-60}
build_only=
if [ "${1:-}" = --build ]; then
    build_only=yes
    shift
fi

RUSTC_WORKSPACE_WRAPPER="$PWD/scripts/fuzz-rustc.sh" CARGO_INCREMENTAL=0 \
    cargo build --locked --quiet --package scumble-fuzz --bins
[ -z "$build_only" ] || exit 0

run_target() {
    local target=$1 work="$CARGO_TARGET_DIR/fuzz/$1" code=0 inputs input
    rm -rf "$work/crash"
    mkdir -p "$work/found" "$work/crash"
    # An input may take ten seconds and two gigabytes: what needs more would stop a program that reads it.
    "$CARGO_TARGET_DIR/debug/$target" "$work/found" "fuzz/corpus/$target" -max_total_time="$seconds" -timeout=10 \
        -rss_limit_mb=2048 -artifact_prefix="$work/crash/" -print_final_stats=1 >"$work/log" 2>&1 || code=$?
    if [ "$code" -eq 0 ]; then
        echo "ok    $target: $(sed -nE 's/^stat::number_of_executed_units: *//p' "$work/log") inputs"
        return
    fi
    echo "FAIL  $target: exit code $code"
    grep -E -A 3 'panicked at|ERROR: libFuzzer' "$work/log" | grep -v '^NOTE' | head -n 9 |
        cut -c 1-300 | sed 's/^/      | /' || true
    inputs=("$work"/crash/*)
    for input in "${inputs[@]}"; do
        [ -f "$input" ] || continue
        echo "      input: $input"
        head -c 1024 "$input" | od -A d -c | sed 's/^/      | /'
    done
}
export CARGO_TARGET_DIR seconds
export -f run_target

if [ "$#" -eq 0 ]; then
    for file in fuzz/fuzz_targets/*.rs; do
        set -- "$@" "$(basename "$file" .rs)"
    done
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
printf '%s\n' "$@" | xargs -P "$(nproc)" -I '{}' bash -c 'run_target {}' | tee "$log"
passes=$(grep -c '^ok ' "$log" || true)
echo "$passes passed, $(($# - passes)) failed"
[ "$passes" -eq "$#" ]
