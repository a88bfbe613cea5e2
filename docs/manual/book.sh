#!/usr/bin/env bash
# Builds the manual as a book of pages and follows every link inside them.
#
#   docs/manual/book.sh [DIR]     builds into DIR, or into a directory that is removed again
#
# mdbook is taken from MDBOOK, or built once at the version below into a cache of its own, never into the system. Where
# it cannot be had, the run says so and passes: pages and links of the source are checked by check.sh in any case.
# A warning of mdbook fails, and so does a link, picture or anchor that is not in the built pages.
set -uo pipefail

version=0.5.4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=${XDG_CACHE_HOME:-$HOME/.cache}/scumble/mdbook-$version
mdbook=${MDBOOK:-$home/bin/mdbook}
if [ ! -x "$mdbook" ] && [ -z "${MDBOOK:-}" ] && command -v cargo >/dev/null; then
    echo "mdbook $version is not there yet and is built once"
    # Here, for the toolchain that the project is pinned to; beside the project's own build directory; without the server.
    (cd "$here" && env -u CARGO_TARGET_DIR nice -n 10 cargo install mdbook --version "$version" --locked --quiet \
        --no-default-features --features search --root "$home") || true
fi
if [ ! -x "$mdbook" ]; then
    echo "mdbook cannot be had: the book is not built"
    echo "0 passed, 0 failed"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
book=${1:-$work/book}
mkdir -p "$book" && book=$(cd "$book" && pwd) || exit 2
said=$("$mdbook" build --dest-dir "$book" "$here" 2>&1)
code=$?
if [ "$code" -ne 0 ] || grep -qE '^ *(WARN|ERROR)|\[(WARN|ERROR)\]' <<<"$said"; then
    sed 's/^/      | /' <<<"$said"
    echo "FAIL  mdbook build: exit code $code, or a warning"
    echo "0 passed, 1 failed"
    exit 1
fi

# Every id and every link of every page, a line each; then links are resolved against files and ids.
cd "$book" || exit 2
find . -type f | sed 's|^\./|F |' >"$work/facts"
while read -r page; do
    page=${page#./}
    grep -oE ' (id|name)="[^"]*"' "$page" | sed -E "s|^ [a-z]+=\"(.*)\"\$|I $page#\1|"
    grep -oE ' (href|src)="[^"]*"' "$page" | sed -E "s|^ [a-z]+=\"(.*)\"\$|L $page \1|" >>"$work/links"
done < <(find . -name '*.html' | sort) >>"$work/facts"
awk '
    $1 == "F" { file[substr($0, 3)] = 1; next }
    $1 == "I" { id[substr($0, 3)] = 1; next }
    {
        page = $2; link = substr($0, length($1) + length($2) + 3)
        if (link ~ /^([a-z]+:|\/\/)/ || link == "" || (page, link) in seen) next
        seen[page, link] = 1
        gsub(/&amp;/, "\\&", link)
        gsub(/%20/, " ", link)
        anchor = ""; target = link
        if ((at = index(link, "#")) > 0) { anchor = substr(link, at + 1); target = substr(link, 1, at - 1) }
        if (target == "") target = page
        else {
            folder = page; sub(/[^\/]*$/, "", folder)
            target = plain(target ~ /^\// ? substr(target, 2) : folder target)
        }
        if (target ~ /(^|\/)$/) target = target "index.html"
        if (!(target in file)) { print "FAIL  " page " -> " link " is not in the book"; bad++ }
        else if (anchor != "" && !((target "#" anchor) in id)) { print "FAIL  " page " -> " link ": there is no such place"; bad++ }
        else good++
    }
    # A path without `.` and `..`.
    function plain(path,    n, i, part, out, depth) {
        n = split(path, part, "/")
        depth = 0
        for (i = 1; i <= n; i++) {
            if (part[i] == ".." && depth > 0) depth--
            else if (part[i] != ".") out[++depth] = part[i]
        }
        path = out[1]
        for (i = 2; i <= depth; i++) path = path "/" out[i]
        return path
    }
    END {
        print "ok    book: " good + 0 " links inside the built pages"
        print good + 1 " passed, " bad + 0 " failed"
        exit bad > 0
    }' "$work/facts" "$work/links"
