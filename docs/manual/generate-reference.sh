#!/usr/bin/env bash
# Writes the reference pages of the manual from what the program says about itself.
#
#   SCUMBLE=path/to/scumble docs/manual/generate-reference.sh           writes src/reference/*.md
#   SCUMBLE=path/to/scumble docs/manual/generate-reference.sh --check   fails if they are not up to date
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
pages=$here/src/reference
scumble=$(command -v "${SCUMBLE:-scumble}") || { echo "generate-reference.sh: no program; set SCUMBLE to the scumble binary" >&2; exit 2; }
case ${1:-} in
    '' | --check) ;;
    *) echo "generate-reference.sh: unknown argument \`$1\`; hint: --check, or nothing" >&2; exit 2 ;;
esac

# Help is wrapped to the terminal's width; without a terminal and with this width it is always the same.
says() { COLUMNS=100 NO_COLOR=1 "$scumble" "$@" </dev/null 2>&1 | sed 's/[[:space:]]*$//'; }
block() { printf '```text\n'; says "$@"; printf '```\n'; }
mark='<!-- Made by generate-reference.sh from the program itself; do not edit. -->'

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

{
    printf '# Commands\n\n%s\n\n' "$mark"
    printf 'Everything the program says about itself, `scumble --help` and `scumble COMMAND --help`. Each\n'
    printf 'command also has a man page, see [`scumble man`](#scumble-man).\n\n'
    block --help
    commands=$(says -h | awk '/^Commands:/ { on = 1; next } on && /^[^ ]/ { on = 0 } on && /^  [a-z]/ && $1 != "help" { print $1 }')
    for command in $commands; do
        printf '\n## scumble %s\n\n' "$command"
        block "$command" --help
    done
} >"$out/commands.md"

{
    printf '# Principles\n\n%s\n\n' "$mark"
    printf 'What `--require` can ask for, as listed by `scumble principles`. The concept pages say what each\n'
    printf 'one stops and what it does not: start at [Principles, and how to choose](../concepts/principles.md).\n\n'
    block principles
} >"$out/principles.md"

{
    printf '# Methods and algorithms\n\n%s\n\n' "$mark"
    printf 'What `--method` and `--algorithm` can name, as listed by `scumble methods`. What goes with what is asked of the\n'
    printf 'checks that every request passes. With pictures: [Choosing a method](../concepts/choosing-a-method.md).\n\n'
    block methods
} >"$out/methods.md"

if [ "${1:-}" != --check ]; then
    mkdir -p "$pages"
    cp "$out"/*.md "$pages"
    echo "wrote $(ls "$out" | wc -l | tr -d ' ') pages"
    exit
fi
if diff -ru "$pages" "$out"; then
    echo "the reference pages are up to date"
else
    echo "generate-reference.sh: the reference pages differ from the program; hint: run it without --check" >&2
    exit 1
fi
