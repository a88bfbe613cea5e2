# Sourced by the other scripts: where build output goes. In CI it lies outside the clone, so that
# the next run finds it again; what a compiler keeps of its work to do less of it next time is of no use to a new clone, and a
# run that is killed leaves it half written.
if [ -z "${CARGO_TARGET_DIR:-}" ]; then
    if [ -n "${CI:-}" ]; then
        CARGO_TARGET_DIR="${XDG_CACHE_HOME:-$HOME/.cache}/scumble/target"
    else
        CARGO_TARGET_DIR="$PWD/target"
    fi
fi
if [ -n "${CI:-}" ]; then
    export CARGO_INCREMENTAL=0
fi
export CARGO_TARGET_DIR
