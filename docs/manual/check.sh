#!/usr/bin/env bash
# Checks the manual against the program: every line of the concept tables' expected.txt is verified
# and its exit code compared, every relative link must lead somewhere, and every measured number in the
# documentation must say where it comes from (numbers.sh).
#
#   SCUMBLE=path/to/scumble docs/manual/check.sh
#
# One line per check; the last line counts them. Exits 0 only if nothing failed.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scumble=$(command -v "${SCUMBLE:-scumble}") || { echo "check.sh: no program; set SCUMBLE to the scumble binary" >&2; exit 2; }
scumble=$(cd "$(dirname "$scumble")" && pwd)/$(basename "$scumble")
passed=0
failed=0

pass() { passed=$((passed + 1)); printf 'ok    %s\n' "$1"; }
fail() { failed=$((failed + 1)); printf 'FAIL  %s\n' "$1"; }
trim() { local text=$1; text=${text#"${text%%[![:space:]]*}"}; printf '%s' "${text%"${text##*[![:space:]]}"}"; }

# Concept tables.
tables=$here/src/concepts/tables
cd "$tables" || exit 2
while IFS='|' read -r file flags requirement verdict; do
    file=$(trim "$file")
    case $file in '' | '#'*) continue ;; esac
    requirement=$(trim "$requirement")
    verdict=$(trim "$verdict")
    read -ra words <<<"$flags"
    case $verdict in
        holds) wanted=0 ;;
        fails) wanted=1 ;;
        *) fail "expected.txt: \`$verdict\` is neither holds nor fails"; continue ;;
    esac
    said=$("$scumble" verify "$file" "${words[@]}" --require "$requirement" </dev/null 2>&1)
    code=$?
    if [ "$code" -eq "$wanted" ]; then
        pass "$file $verdict $requirement"
    else
        fail "$file $requirement: exit code $code, expected $wanted ($verdict)"
        printf '%s\n' "$said" | sed 's/^/      | /'
    fi
done <expected.txt

# Every table is named in expected.txt, and has a partner.
for file in *-fails.csv *-holds.csv; do
    grep -q "^$file " expected.txt || fail "$file is not in expected.txt"
    case $file in
        *-fails.csv) partner=${file%-fails.csv}-holds.csv ;;
        *) partner=${file%-holds.csv}-fails.csv ;;
    esac
    [ -f "$partner" ] || fail "$file has no $partner"
done

# Links, in the manual, in docs/algorithms, in the files at the root and in the notes of the methods. A page's links are relative to the page; addresses of other sites are left out, and so is
# everything inside fenced blocks and code spans, which only shows text. An anchor is a heading in lower
# case without punctuation, with dashes for blanks.
prose() { awk '/^ *```/ { inside = !inside; next } !inside' "$1"; }
anchors() { prose "$1" | sed -nE 's/^#+ +//p' | tr '[:upper:]' '[:lower:]' | sed -E 's/[^[:alnum:] _-]//g; s/ /-/g'; }
cd "$here/src" || exit 2
while read -r page; do
    while read -r link; do
        case $link in '' | *://* | mailto:*) continue ;; esac
        target=$(dirname "$page")/${link%%#*}
        case $link in '#'*) target=$page ;; esac
        if [ ! -e "$target" ]; then
            fail "$page -> $link does not exist"
        elif [[ $link == *'#'* ]] && ! anchors "$target" | grep -qxF -- "${link#*#}"; then
            fail "$page -> $link: there is no such heading"
        else
            pass "$page -> $link"
        fi
    done < <(prose "$page" | sed 's/`[^`]*`//g' | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//')
    case $page in
        ./SUMMARY.md | ../*) ;;
        *) grep -qF "(${page#./})" SUMMARY.md || fail "$page is not in SUMMARY.md" ;;
    esac
done < <(find . -name '*.md' | sort; ls ../../../*.md ../../algorithms/*.md; find ../../../crates -name paper.md | sort)

# Everything that exists has its place: a principle a concept page with its name in the title, a method and an algorithm
# a concept page that names it in code, a command a page that shows it.
titles=$(awk 'FNR == 1' concepts/*.md | tr '[:upper:] ' '[:lower:]-')
for name in $("$scumble" principles | sed -nE 's/^  ([a-z][a-z-]*)\(.*/\1/p'); do
    if grep -qF -- "$name" <<<"$titles"; then pass "a page about $name"; else fail "no concept page has $name in its title"; fi
done
for name in $("$scumble" methods | sed -nE 's/^  ([a-z][a-z-]*)$/\1/p' | sort -u); do
    place="(^#+ |\`(--(algorithm|method|baseline) )?)$name"
    if grep -qiE -- "$place" concepts/*.md; then pass "a page about $name"; else fail "no concept page names $name"; fi
done
for name in $("$scumble" -h | awk '/^Commands:/ { on = 1; next } on && /^[^ ]/ { on = 0 } on && /^  [a-z]/ && $1 != "help" { print $1 }'); do
    place="(^\\$ |\`|\| )scumble $name"
    if grep -rqE --include='*.md' --exclude-dir=reference -- "$place" .; then pass "a page that shows scumble $name"; else fail "no page shows scumble $name"; fi
done

# Numbers.
while read -r mark rest; do
    case $mark in
        ok) pass "$rest" ;;
        FAIL) fail "$rest" ;;
    esac
done < <("$here/numbers.sh")

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
