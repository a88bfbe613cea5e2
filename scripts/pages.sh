#!/usr/bin/env bash
# Makes every page that the program writes and looks at each in a real browser. Ends with "N passed, M failed"; the pages,
# pictures of them and prints of them are kept in the build output, under pages/. Usage: scripts/pages.sh
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/target-dir.sh
. scripts/browser.sh
prepare_browser
[ -n "${SCUMBLE_BROWSER:-}" ] || exit 0
# Where the program is named, all tests and what they need are built.
if [ -z "${SCUMBLE:-}" ]; then
    cargo build --quiet --package scumble-cli --package scumble-lab --package scumble-pages
    export SCUMBLE="$CARGO_TARGET_DIR/debug/scumble"
fi
out="$CARGO_TARGET_DIR/pages"
rm -rf "$out"
pages/make.sh "$out/html"
cargo run --quiet --package scumble-report --example charts -- "$out/html/charts.html"
"$CARGO_TARGET_DIR/debug/scumble-pages" "$out/html" "$out"
echo "pictures of all pages are in $out"
