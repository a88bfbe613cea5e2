#!/usr/bin/env bash
# Runs the commands shown in the manual and compares what they print.
#
#   SCUMBLE=path/to/scumble docs/manual/transcripts.sh [PAGE...]            compares, fails on a difference
#   SCUMBLE=path/to/scumble docs/manual/transcripts.sh --update [PAGE...]   writes the true output into the pages
#
# A transcript is a fenced `console` block; lines that start with `$ ` are commands, a command that
# ends with a backslash goes on in the next line, and the lines up to the next command are what it
# prints, errors included. The commands of a page run in order in one empty directory that holds
# copies of the concept tables and of `guides/files`.
#
# A line `...` stands for any number of lines. The commands of a block after the comment
# `<!-- output varies -->` must succeed but what they print is not compared: secret coins give another
# release each time. `--update` writes there only where the page shows nothing yet. A seed is better: numbers.sh refuses
# measured numbers in such a block.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$(command -v "${SCUMBLE:-scumble}") || { echo "transcripts.sh: no program; set SCUMBLE to the scumble binary" >&2; exit 2; }
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
update=
if [ "${1:-}" = --update ]; then
    update=yes
    shift
fi
cd "$here/src" || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$program" "$work/bin/scumble"
# The program of the papers lies next to it.
ln -s "$(dirname "$program")/scumble-lab" "$work/bin/scumble-lab"
# Keys that the program makes for its user stay in here.
export XDG_CONFIG_HOME=$work/settings
export PATH=$work/bin:$PATH COLUMNS=100 NO_COLOR=1 LC_ALL=C.UTF-8
passed=0
failed=0
last=0

# True if the lines of $2 are those of $1, where `...` in $1 stands for any lines.
matches() {
    local -a want got
    mapfile -t want <<<"$1"
    mapfile -t got <<<"$2"
    matches_from 0 0
}
matches_from() {
    local i=$1 j=$2
    while [ "$i" -lt ${#want[@]} ]; do
        if [ "${want[i]}" = ... ]; then
            local k
            for ((k = ${#got[@]}; k >= j; k--)); do
                matches_from $((i + 1)) "$k" && return 0
            done
            return 1
        fi
        [ "$j" -lt ${#got[@]} ] && [ "${want[i]}" = "${got[j]}" ] || return 1
        i=$((i + 1))
        j=$((j + 1))
    done
    [ "$j" -eq ${#got[@]} ]
}

# Runs one command and judges it: the command as shown, what the page says it prints, `varies` or not.
judge() {
    local shown=$1 said=$2 varies=$3 real
    # A subshell of its own, but `$?` is that of the command before, as at a prompt.
    real=$(cd "$work/room" && eval "(exit $last); ${shown//$'\\\n'/}" </dev/null 2>&1)
    last=$?
    real=$(sed 's/[[:space:]]*$//' <<<"$real")
    if [ -n "$varies" ] && [ "$last" -ne 0 ]; then
        failed=$((failed + 1))
        printf 'FAIL  %s: %s: exit code %s\n' "$page" "${shown%%$'\n'*}" "$last"
        sed 's/^/      | /' <<<"$real"
        result=$said
    elif [ -n "$varies" ] && { [ -z "$update" ] || [ -n "$said" ]; } || matches "$said" "$real"; then
        passed=$((passed + 1))
        printf 'ok    %s: %s\n' "$page" "${shown%%$'\n'*}"
        result=$said
    else
        result=$real
        if [ -n "$update" ] && ! grep -qx '\.\.\.' <<<"$said"; then
            printf 'new   %s: %s\n' "$page" "${shown%%$'\n'*}"
        else
            failed=$((failed + 1))
            printf 'FAIL  %s: %s\n' "$page" "${shown%%$'\n'*}"
            diff <(printf '%s\n' "$said") <(printf '%s\n' "$real") | sed 's/^/      | /'
            result=$said
        fi
    fi
}

run_page() {
    page=$1
    rm -rf "$work/room"
    mkdir "$work/room"
    cp concepts/tables/*.csv guides/files/* "$work/room" 2>/dev/null
    last=0
    local -a lines=() out=()
    mapfile -t lines <"$page"
    local i=0 n=${#lines[@]} varies= shown said
    while [ "$i" -lt "$n" ]; do
        out+=("${lines[i]}")
        case ${lines[i]} in
            '<!-- output varies -->') varies=yes ;;
            '```console')
                i=$((i + 1))
                while [ "$i" -lt "$n" ] && [ "${lines[i]}" != '```' ]; do
                    if [[ ${lines[i]} != '$ '* ]]; then
                        out+=("${lines[i]}")
                        i=$((i + 1))
                        continue
                    fi
                    out+=("${lines[i]}")
                    shown=${lines[i]#'$ '}
                    while [[ $shown == *\\ ]]; do
                        i=$((i + 1))
                        out+=("${lines[i]}")
                        shown+=$'\n'${lines[i]}
                    done
                    i=$((i + 1))
                    said=
                    while [ "$i" -lt "$n" ] && [[ ${lines[i]} != '```' && ${lines[i]} != '$ '* ]]; do
                        said+=${lines[i]}$'\n'
                        i=$((i + 1))
                    done
                    said=${said%$'\n'}
                    judge "$shown" "$said" "$varies"
                    [ -n "$result" ] && out+=("$result")
                done
                out+=('```')
                varies=
                ;;
        esac
        i=$((i + 1))
    done
    if [ -n "$update" ]; then
        printf '%s\n' "${out[@]}" >"$work/page"
        cmp -s "$work/page" "$page" || cp "$work/page" "$page"
    fi
}

if [ $# -eq 0 ]; then
    mapfile -t pages < <(grep -rl --include='*.md' '^```console$' . | sed 's|^\./||' | sort)
else
    pages=("$@")
fi
for page in "${pages[@]}"; do
    run_page "${page#"$here/src/"}"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
