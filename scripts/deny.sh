#!/usr/bin/env bash
# Holds every dependency against deny.toml: its licence, its version, where it comes from, and, where the database of advisories
# can be fetched, its known weaknesses. cargo-deny is taken from CARGO_DENY, or built once at the version below into a
# cache of its own, never into the system.
# Usage: scripts/deny.sh
set -euo pipefail
cd "$(dirname "$0")/.."

version=0.20.2
home=${XDG_CACHE_HOME:-$HOME/.cache}/scumble/cargo-deny-$version
deny=${CARGO_DENY:-$home/bin/cargo-deny}
if [ ! -x "$deny" ] && [ -z "${CARGO_DENY:-}" ]; then
    echo "cargo-deny $version is not there yet and is built once"
    # It runs for seconds, so its own release profile, with link-time optimization, would cost more than it gives.
    env -u CARGO_TARGET_DIR nice -n 10 cargo install cargo-deny --version "$version" --locked --quiet --root "$home" \
        --config profile.release.opt-level=0 --config profile.release.lto=false \
        --config profile.release.codegen-units=16 || true
fi
if [ ! -x "$deny" ]; then
    echo "cargo-deny cannot be had: dependencies are not judged" >&2
    # A run that decides on a change must not pass for want of a tool.
    [ -z "${CI:-}" ]
    exit
fi

"$deny" --locked check --hide-inclusion-graph licenses bans sources
# The database is a repository on another host than the registry, so it may be missing where crates can be had.
if timeout 120 "$deny" --locked fetch db >/dev/null 2>&1; then
    "$deny" --locked check --hide-inclusion-graph --disable-fetch advisories
else
    echo "the database of advisories cannot be fetched: known weaknesses are not looked for"
fi
