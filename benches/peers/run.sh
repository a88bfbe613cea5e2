#!/usr/bin/env bash
# Scumble beside anonypy, anonypyx, anjana and, if ARX_JAR names its jar, ARX; checked by `verify` and pycanon.
# Usage: benches/peers/run.sh [--runs N] [--limit SECONDS] [--only TOOL,...] [--out FILE] [--readme]
# SCUMBLE names the program to measure; without it the release build is made and measured.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/target-dir.sh

if [ -z "${SCUMBLE:-}" ]; then
    cargo build --release --package scumble-cli
    SCUMBLE="$CARGO_TARGET_DIR/release/scumble"
    export SCUMBLE_BUILT_HERE=1
fi
SCUMBLE=$(realpath "$SCUMBLE")

# The peers go into a cache of their own, never into the system or the project; other versions, another environment.
requirements=benches/peers/requirements.txt
name=$(cksum <"$requirements" | cut -d ' ' -f 1)
venv="${XDG_CACHE_HOME:-$HOME/.cache}/scumble/peers-venv-$name"
if [ ! -e "$venv/ready" ]; then
    echo "installing the peers into $venv"
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements"
    touch "$venv/ready"
fi

export PYTHONDONTWRITEBYTECODE=1
"$venv/bin/python" benches/peers/test_peers.py --quiet
exec "$venv/bin/python" benches/peers/peers.py --scumble "$SCUMBLE" "$@"
