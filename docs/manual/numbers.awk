# Finds the measured numbers in the prose of one page and asks where each of them comes from; see numbers.sh.
#
#   awk -v root=DIR -v page=FILE -f numbers.awk FILE
#
# Prints `ok NUMBER` or `FAIL LINE NUMBER reason`, a line each. Written for any awk.

{ line[NR] = $0 }

END {
    cover()
    walk()
    for (number in constant)
        if (!(number in met)) report(constant[number], number, "is listed as a constant and not on the page")
}

# ---- what covers a number -------------------------------------------------------------------------------------

# Numbers of transcripts that are compared, of included tables, and of code that is more than a number: parameters.
function cover(    i, fence, varies, text, span) {
    for (i = 1; i <= NR; i++) {
        text = line[i]
        if (text ~ /^ *```/) {
            if (fence != "") { fence = ""; varies = 0 } else { fence = text; sub(/^ *```/, "", fence); if (fence == "") fence = "plain" }
            continue
        }
        if (fence == "") {
            if (text ~ /<!-- output varies -->/) varies = 1
            while (match(text, /`[^`]*`/)) {
                span = substr(text, RSTART + 1, RLENGTH - 2)
                text = substr(text, RSTART + RLENGTH)
                if (span ~ /[A-Za-z\[({*]/) add(span)
            }
            if (line[i] ~ /^ *<!-- constants [^:]*: .* -->$/) constants(stripped(line[i], "constants"), i)
            else if (line[i] ~ /^ *<!-- worked .* -->$/) worked(stripped(line[i], "worked"), i)
            else if (line[i] ~ /^ *<!-- (constants|worked|from)/ && line[i] !~ /^ *<!-- from [^ ]+ -->$/) report(i, "comment", "cannot be read; see numbers.sh")
        } else if (text ~ /\{\{#include /) {
            sub(/.*\{\{#include */, "", text); sub(/\}\}.*/, "", text)
            read_file(folder(page) text, shown)
        } else if (fence == "console" && varies) {
            if (text !~ /^\$ / && text ~ /[0-9]\.[0-9]/) report(i, text, "is a number that nothing compares, for its output varies")
        } else if (fence == "console") add(text)
        else if (fence != "console" && text ~ /^\$ scumble/) report(i, text, "is shown as a transcript and not run; make the block `console`")
    }
}
# What a comment says after its first word.
function stripped(text, word) { sub("^ *<!-- " word " ", "", text); sub(/ -->$/, "", text); return text }
function folder(path) { sub(/[^\/]*$/, "", path); return path }
function add(text) { collect(text, shown) }

# All numbers of a text, with commas taken for marks of thousands, and with commas taken for separators. Constants of
# the code are read too: `1 << 14` and `16_384`.
function collect(text, into,    plain) {
    while (match(text, /1 << [0-9]+/)) {
        plain = substr(text, RSTART + 5, RLENGTH - 5)
        into[2 ^ plain ""] = 1
        text = substr(text, RSTART + RLENGTH)
    }
    gsub(/_/, "", text)
    plain = joined(text)
    take(plain, into)
    if (plain != text) { gsub(/,/, " ", text); take(text, into) }
}
function take(text, into) {
    while (match(text, /[0-9]*\.[0-9]+|[0-9]+/)) {
        into[tidy(substr(text, RSTART, RLENGTH))] = 1
        text = substr(text, RSTART + RLENGTH)
    }
}
function tidy(number) { gsub(/,/, "", number); if (number ~ /^\./) number = "0" number; return number }
function joined(text) {
    while (match(text, /[0-9],[0-9][0-9][0-9]([^0-9]|$)/)) text = substr(text, 1, RSTART) substr(text, RSTART + 2)
    return text
}
function read_file(path, into,    text, got) {
    while ((got = (getline text < path)) > 0) collect(text, into)
    close(path)
    return got == 0
}
function constants(text, at,    i, n, list) {
    sub(/:.*/, "", text)
    n = split(text, list, /; */)
    for (i = 1; i <= n; i++) { sub(/^ +/, "", list[i]); sub(/ +$/, "", list[i]); constant[tidy(list[i])] = at }
}
# `8/74 = 0.108; 7/73 = 0.096`: a sum that the page shows, done again, rounded as the page rounds it.
function worked(text, at,    i, n, list, side, part, value, digits) {
    n = split(text, list, /; */)
    for (i = 1; i <= n; i++) {
        if (split(list[i], side, / = /) != 2 || side[1] !~ /^ *[0-9.]+ *[-+*\/] *[0-9.]+ *$/) { report(at, list[i], "is no sum of the form `8/74 = 0.108`"); continue }
        gsub(/ /, "", side[1]); gsub(/ /, "", side[2])
        match(side[1], /[-+*\/]/)
        part[1] = substr(side[1], 1, RSTART - 1); part[2] = substr(side[1], RSTART + 1)
        value = substr(side[1], RSTART, 1)
        value = value == "+" ? part[1] + part[2] : value == "-" ? part[1] - part[2] : value == "*" ? part[1] * part[2] : part[1] / part[2]
        digits = side[2]; if (!sub(/.*\./, "", digits)) digits = ""
        if (sprintf("%." length(digits) "f", value) == side[2]) shown[tidy(side[2])] = 1
        else report(at, list[i], "is wrong: it comes to " value)
    }
}

# ---- the prose, block by block --------------------------------------------------------------------------------

function walk(    i, fence, text, block, start, sources, pending) {
    for (i = 1; i <= NR + 1; i++) {
        text = i <= NR ? line[i] : ""
        if (text ~ /^ *```/) { fence = !fence; text = "" } else if (fence) text = ""
        if (text ~ /^ *<!-- from [^ ]+ -->$/) {
            sub(/.*<!-- from /, "", text); sub(/ -->.*/, "", text)
            pending = pending " " text
            text = ""
        } else gsub(/<!--.*-->/, "", text)
        if (text ~ /^[ \t]*$/) {
            if (block != "") { judge(block, start, sources); block = "" }
            continue
        }
        if (block == "") { start = i; sources = pending; pending = "" }
        block = block " " prose(text)
    }
    if (pending != "") report(NR, pending, "is named as a source and nothing follows")
}
# Without code that is more than a number, without the targets of links.
function prose(text,    out, span) {
    out = ""
    while (match(text, /`[^`]*`/)) {
        span = substr(text, RSTART + 1, RLENGTH - 2)
        out = out substr(text, 1, RSTART - 1) (span ~ /[A-Za-z\[({*]/ ? " " : span)
        text = substr(text, RSTART + RLENGTH)
    }
    text = out text
    gsub(/\]\([^)]*\)/, "]", text)
    return text
}
function judge(text, at, sources,    list, n, i, found, any, rest, before, number, after, word) {
    n = split(sources, list, " ")
    any = 0
    split("", found)
    for (i = 1; i <= n; i++)
        if (!read_file(root "/" list[i], found)) report(at, list[i], "is named as a source and cannot be read")
    rest = text; before = ""
    while (match(rest, /[0-9]+(,[0-9][0-9][0-9])*(\.[0-9]+)*|\.[0-9]+/)) {
        number = substr(rest, RSTART, RLENGTH)
        before = before substr(rest, 1, RSTART - 1)
        after = substr(rest, RSTART + RLENGTH)
        if (measured(before, number, after)) any += settle(tidy(number), at, found, n)
        before = before number
        rest = after
    }
    rest = tolower(text)
    while (match(rest, /(^|[^a-z])(half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|hundred|thousand)( a)? (seconds?|minutes?|milliseconds?|percent|million|billion)/)) {
        word = substr(rest, RSTART, RLENGTH); sub(/^[^a-z]/, "", word)
        any += settle(word, at, found, 0)
        rest = substr(rest, RSTART + RLENGTH)
    }
    if (n > 0 && !any) report(at, sources, "is named as a source of a block without measured numbers")
}
# Decimals, numbers with marks of thousands, and whole numbers of units are measured; numbers of sections and versions,
# parts of names and of dates are not.
function measured(before, number, after) {
    if (before ~ /[A-Za-z_]-?$/ || after ~ /^[A-Za-z_]/) return 0
    if (number ~ /\..*\./) return 0
    if (tolower(before) ~ /(tables?|figures?|equations?|definitions?|versions?|chapter|rust) $/) return 0
    if (tolower(before) ~ /sections? [0-9., a-z()]*$/) return 0
    if (number ~ /[.,]/) return 1
    return after ~ /^ ?(%|percent|seconds?[^a-z]|s[^a-z]|minutes?|hours?|ms[^a-z]|ns[^a-z]|milliseconds?|MiB|GiB|times|nats|million|billion)/
}
function settle(number, at, found, n) {
    met[number] = 1
    if (number in shown || number in constant) { print "ok " number; return n > 0 && number in found }
    if (number in found) { print "ok " number; return 1 }
    report(at, number, n > 0 ? "is not in the file that its block names" : "comes from nowhere")
    return 1
}
function report(at, number, reason) { printf "FAIL %d %s %s\n", at, number, reason }
