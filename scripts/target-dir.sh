# Sourced by the other scripts: where build output goes. In CI it lies outside the clone, so that
# the next run finds it again.
if [ -z "${CARGO_TARGET_DIR:-}" ]; then
    if [ -n "${CI:-}" ]; then
        CARGO_TARGET_DIR="${XDG_CACHE_HOME:-$HOME/.cache}/scumble/target"
    else
        CARGO_TARGET_DIR="$PWD/target"
    fi
fi
export CARGO_TARGET_DIR
