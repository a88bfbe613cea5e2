"""The table and what can be read from it, in words that follow from its figures.

Usage: report.py RUN, to put the table of a run that is kept in benches/runs into README.md.
"""

import os
import sys
import textwrap
from datetime import date
from pathlib import Path

BEGIN, END = "<!-- peers: begin -->", "<!-- peers: end -->"

# What the project aims at: a loss below that of every peer, in at most this part of its time.
TIMES = 20

HEAD = "| asked | tool | seconds | of these, method | processor s | MiB | NCP | groups | left out | holds | times |"


def page(entries, rows, where, args):
    """The file of a run."""
    load = os.getloadavg()[2]
    lines = [
        f"# {date.today()}, peers",
        "",
        *(f"- {line}" for line in where),
        f"- load of the machine over the last quarter of an hour: {load:.1f}",
        "",
        f"Adult, {rows:,} complete rows, seven quasi-identifying columns, sensitive column occupation.",
        f"Each contestant ran up to {args.runs} times, in turn, each time in a process of its own; the best time counts, and the",
        "greatest peak memory. Seconds are those of the whole process: start, reading, method, writing; Scumble's also verify",
        "what was written and draw its report. *Method* is the part between reading and writing, for Scumble the search for",
        "groups. *Times* is the whole process against that of Scumble's mondrian under the same requirements.",
        "l-diversity is the distinct one, t-closeness by the equal distance. NCP is one function for all, on the domains",
        "of the source; a row that was left out has lost everything. *Holds* is the answer of `scumble verify` and of pycanon",
        "on the same table, with the figures attained.",
        "",
        *busy(load),
        *table(entries),
        "",
        *remarks(entries),
    ]
    return "\n".join(lines) + "\n"


def busy(load):
    """A warning where other work ran beside."""
    if load <= os.cpu_count():
        return []
    return [
        "Other work ran beside on more than all cores, so that seconds are several times those of an idle machine, and more",
        "so for tools that ran once than for those whose best of several runs counts. Processor seconds are not affected.",
        "",
    ]


def table(entries):
    """The table itself."""
    lines = [HEAD, "|" + "---|" * (HEAD.count("|") - 1)]
    for entry in entries:
        name = f"{entry.contestant.tool}: {entry.contestant.name()}"
        if entry.failed:
            lines.append(f"| {entry.setting.words()} | {name} | {entry.failed} |" + " |" * (HEAD.count("|") - 4))
            continue
        method = entry.runs[0]["method_seconds"] is not None
        cells = [
            entry.setting.words(),
            name,
            f"{entry.best('seconds'):.2f}",
            f"{entry.best('method_seconds'):.2f}" if method else "-",
            f"{entry.best('processor_seconds'):.2f}",
            f"{max(run['peak_mib'] for run in entry.runs):,.0f}",
            f"{entry.ncp:.4f}",
            f"{entry.groups:,}",
            f"{entry.suppressed:,}",
            entry.judged.words(),
            f"{times(entry, entries):.1f}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def ours(entry, entries):
    """Scumble's default under the same requirements."""
    return next(e for e in entries if e.contestant.tool == "Scumble" and e.setting == entry.setting)


def alike(entry, entries):
    """Scumble's entry of the same kind of recoding, if there is one: hierarchies and the same share of rows left out."""
    if not entry.contestant.uses_hierarchies:
        return None
    found = [
        other
        for other in entries
        if other.contestant.tool == "Scumble"
        and other.setting == entry.setting
        and other.contestant.uses_hierarchies
        and other.contestant.suppressed == entry.contestant.suppressed
        and not other.failed
    ]
    return found[0] if found else None


def times(entry, entries, what="seconds"):
    return entry.best(what) / ours(entry, entries).best(what)


def remarks(entries):
    """How the figures stand to the aim, with a reason wherever they fall short of it."""
    peers = [entry for entry in entries if entry.contestant.tool != "Scumble"]
    done = [entry for entry in peers if not entry.failed]
    less = [entry for entry in done if ours(entry, entries).ncp < entry.ncp]
    quick = [entry for entry in done if times(entry, entries) >= TIMES]
    cheap = [entry for entry in done if times(entry, entries, "processor_seconds") >= TIMES]
    broken = [entry for entry in done if not entry.judged.ours_holds]
    lines = [
        "## Against the aim",
        "",
        f"Scumble's mondrian loses less than the peer in {len(less)} of {len(done)} rows, and takes at most 1/{TIMES} of its "
        f"time in {len(quick)} of {len(done)} (of its processor time in {len(cheap)}); in {len(broken)} of them the peer does "
        "not keep what was asked of it.",
        "",
    ]
    for entry in peers:
        words = reasons(entry, entries)
        if words:
            lines.append(f"- {entry.words()}: {'; '.join(words)}.")
    lines += ["", "Like with like, one level of the same hierarchies for each column:", ""]
    for entry in done:
        other = alike(entry, entries)
        if other:
            ratio = entry.best("seconds") / other.best("seconds")
            line = f"- {entry.words()}: NCP {entry.ncp:.4f} beside {other.ncp:.4f} of Scumble's full-domain, {ratio:.1f} times its time"
            if entry.ncp == other.ncp:
                line += "; no levels lose less, so both show the same"
            if ratio < TIMES:
                line += "; the peer's search ends at the first levels that pass, Scumble's when no others can lose less"
            lines.append(line + ".")
    return lines


def reasons(entry, entries):
    """What is to be said of a peer's row, where the aim is not reached or the row is not what it seems."""
    if entry.failed:
        return [entry.failed]
    words = []
    if not entry.judged.ours_holds:
        words.append("what was asked does not hold, so its loss and time are not those of a release that keeps it")
    if ours(entry, entries).ncp >= entry.ncp:
        words.append("it loses less than Scumble")
    if times(entry, entries) < TIMES:
        cpu = times(entry, entries, "processor_seconds")
        words.append(f"Scumble is {times(entry, entries):.1f} times as fast, {cpu:.1f} times by processor time, not {TIMES}")
    if entry.extra:
        words.append(f"its table carries a column that nobody asked for, {' and '.join(f'`{name}`' for name in entry.extra)}")
    words += [note for name, note in entry.contestant.notes if name == entry.setting.name and words]
    return words


def into_readme(path, run):
    """Puts the table of a run, which is kept in `run`, between the markers of the README."""
    text = path.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise SystemExit(f"{path}: the markers {BEGIN} and {END} must be there once each")
    page = run.read_text().splitlines()
    if HEAD not in page:
        raise SystemExit(f"{run}: there is no table of peers in it")
    first = page.index(HEAD)
    rows = [line for line in page[first:] if line.startswith("|")]
    # The first two points are machine and versions, and the last one before the words is the load.
    points = [line[2:] for line in page[:first] if line.startswith("- ")]
    day = page[0].removeprefix("# ").removesuffix(", peers")
    place = f"benches/runs/{run.name}"
    words = f"{day}; {'; '.join(points)}. How it was measured, and where the aim is missed and why: [{run.name}]({place})."
    shown = [
        BEGIN,
        "",
        f"<!-- from {place} -->",
        *textwrap.wrap(words, width=118, break_long_words=False, break_on_hyphens=False),
        "",
        f"<!-- from {place} -->",
        *rows,
        "",
        END,
    ]
    before, rest = text.split(BEGIN)
    path.write_text(before + "\n".join(shown) + rest.split(END)[1])


if __name__ == "__main__":
    into_readme(Path(__file__).resolve().parents[2] / "README.md", Path(sys.argv[1]))
