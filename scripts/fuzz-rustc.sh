#!/bin/sh
# The compiler that fuzz.sh hands to cargo: crates of this workspace report to the fuzzer which branches an input takes
# and what it is compared with. The flags are those of cargo-fuzz, and all of them are known to a stable compiler.
case " $* " in
# These run on the machine that builds, where there is no fuzzer to report to.
*" --crate-name build_script_"* | *" --crate-type proc-macro "*) exec "$@" ;;
esac
exec "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares
