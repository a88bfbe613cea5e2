#!/usr/bin/env bash
# Asks of every measured number in the prose of the documentation where it comes from.
#
#   docs/manual/numbers.sh [PAGE...]     all pages of the manual and of docs/algorithms, the files at the root and the
#                                        notes of the methods
#
# Measured numbers are decimals, percentages, numbers with marks of thousands, and whole numbers of seconds, times,
# bytes and the like. Each must be
#
#   printed        by a transcript of the same page that transcripts.sh compares, or stand in a table that it includes
#   a parameter    of code on the page, such as `t-closeness(0.2)`
#   measured       in a file that the line before its paragraph, list or table names, and stand there:
#                  <!-- from benches/runs/2026-11-16-ke.md -->
#   worked out     in a comment that is computed again:       <!-- worked 8/74 = 0.108; 7/73 = 0.096 -->
#   a constant     with the reason why nothing measures it:   <!-- constants 0.5; 1,000: the default of --belief -->
#
# One line per page; the last line counts numbers. Exits 0 only if nothing failed.
set -uo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
cd "$root" || exit 2
if [ $# -gt 0 ]; then
    pages=("$@")
else
    mapfile -t pages < <(
        ls README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md
        find docs/manual/src -name '*.md' ! -path '*/reference/*' ! -path '*/results/*' | sort
        ls docs/algorithms/*.md
        find crates -name paper.md | sort
    )
fi
passed=0
failed=0

# The questions are put to a page first whose answers are known, so that a check that finds nothing is noticed.
known=$(mktemp)
trap 'rm -f "$known"' EXIT
cat >"$known" <<'PAGE'
It took 0.25 seconds, 12 % more than `k-anonymity(0.5)` with 0.5, and two minutes.

```console
$ echo 0.25
0.25
```

<!-- from docs/manual/book.toml -->

Here 0.25 is right and 98.76 is wrong.

<!-- worked 1/3 = 0.33; 1/3 = 0.34 -->
<!-- constants 7.5; 7.6: one of them is on the page -->

A third is 0.33 and not 0.34; 7.5 is a constant.
PAGE
said=$(awk -v root="$root" -v page="$known" -f "$here/numbers.awk" "$known" | grep '^FAIL' | cut -d' ' -f1-3 | sort | tr '\n' ';')
if [ "$said" = 'FAIL 1 12;FAIL 1 two;FAIL 10 98.76;FAIL 12 1/3;FAIL 13 7.6;FAIL 15 0.34;' ]; then
    passed=$((passed + 1))
    echo "ok    a page with six numbers from nowhere is found out"
else
    failed=$((failed + 1))
    echo "FAIL  a page with six numbers from nowhere is judged: $said"
fi

for page in "${pages[@]}"; do
    good=0
    bad=0
    while read -r verdict rest; do
        if [ "$verdict" = ok ]; then
            good=$((good + 1))
        else
            bad=$((bad + 1))
            printf 'FAIL  %s, line %s\n' "$page" "$rest"
        fi
    done < <(awk -v root="$root" -v page="$page" -f "$here/numbers.awk" "$page")
    [ "$bad" -gt 0 ] || printf 'ok    %s: %s numbers\n' "$page" "$good"
    passed=$((passed + good))
    failed=$((failed + bad))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
