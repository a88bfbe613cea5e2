"""Runs Scumble and its peers on one table with one set of requirements, checks what they wrote, and writes one table.

Usage: peers.py --scumble PROGRAM [--runs N] [--limit SECONDS] [--only TOOL,...] [--out FILE] [--readme]. See README.md.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import machine
import report
from check import Judged
from contestants import HERE, Contestant, contestants
from ground import QUASI, SETTINGS, Setting, data, hierarchy, write_adult
from ncp import ncp
from notation import Domain
from released import Released, published

# A contestant that has been running for so many seconds in all is not run again: the slow ones vary little.
ENOUGH_SECONDS = 90

# The program computes its NCP by itself, from the manifest; with the same domains it must be the same.
SAME_NCP = 1e-9


@dataclass
class Entry:
    """One row of the table."""

    setting: Setting
    contestant: Contestant
    runs: list = field(default_factory=list)
    # Why there are no figures, where there are none.
    failed: str = ""
    ncp: float = 0.0
    groups: int = 0
    suppressed: int = 0
    judged: Judged = None
    extra: list = field(default_factory=list)

    def words(self):
        return f"{self.setting.words()}, {self.contestant.tool}, {self.contestant.name()}"

    def best(self, what):
        return min(run[what] for run in self.runs)

    def enough(self):
        return self.failed or sum(run["seconds"] for run in self.runs) > ENOUGH_SECONDS


def run(entry, source, target, limit):
    """Runs a contestant once more, in a process of its own."""
    needed = entry.contestant.needs_gib
    if needed and machine.memory_gib("MemAvailable") < needed:
        entry.failed = f"not run: it needs about {needed} GiB of memory"
        return
    subprocess.run(["rm", "-rf", str(target)], check=True)
    log = target.with_suffix(".log")
    command = entry.contestant.command(entry.setting, source, target)
    measure = [sys.executable, "-I", "-S", str(HERE / "measure.py"), str(limit), str(log), *command]
    measured = json.loads(subprocess.run(measure, capture_output=True, text=True, check=True).stdout)
    if measured["late"]:
        entry.failed = f"not done after {limit} s"
    elif measured["code"]:
        # Traces of Python end with the reason, those of Java begin with it; their other lines are indented.
        words = [line for line in log.read_text().splitlines() if line.strip() and not line[0].isspace()]
        entry.failed = f"failed: {words[-1] if words else measured['code']}"
    else:
        said = published(log)
        measured["method_seconds"] = said.get("method_seconds", said.get("partition_seconds"))
        measured["said_ncp"] = said.get("ncp")
        entry.runs.append(measured)


def examine(entry, program, target, domains, source, limit):
    """Reads what a contestant wrote, measures what is lost and has it judged."""
    try:
        released = Released(target, entry.contestant, domains, source)
    except (ValueError, KeyError) as error:
        entry.failed = f"its table cannot be read: {error}"
        return
    if not released.rows:
        entry.failed = "it gave an empty table"
        return
    entry.ncp = ncp(released.rows, QUASI, domains, len(source))
    entry.groups, entry.suppressed, entry.extra = released.groups, released.suppressed, released.extra
    said = entry.runs[-1]["said_ncp"]
    if said is not None and not entry.suppressed and abs(said / len(QUASI) - entry.ncp) > SAME_NCP:
        raise SystemExit(f"{entry.contestant.name()}: the program says NCP {said / len(QUASI)}, but it is {entry.ncp}")
    table = target.with_suffix(".checked.csv")
    released.write(table, domains)
    entry.judged = Judged(program, table, entry.setting, limit)


def main():
    parser = argparse.ArgumentParser(description="Scumble beside its peers")
    parser.add_argument("--scumble", required=True, help="the program to measure")
    parser.add_argument("--runs", type=int, default=5, help="runs of each, of which the best counts")
    parser.add_argument("--limit", type=float, default=600, help="seconds after which a run is ended")
    parser.add_argument("--only", default="", help="tools to run beside Scumble, all by default")
    parser.add_argument("--out", type=Path, help="the file to write; benches/runs/DATE-peers.md by default")
    parser.add_argument("--readme", action="store_true", help="also put the table into README.md")
    args = parser.parse_args()
    runs = HERE.parent / "runs"
    if args.readme and args.out and args.out.resolve().parent != runs:
        raise SystemExit(f"--readme shows a run that is kept: --out must lie in {runs}")
    if not (data() / "adult").is_dir():
        raise SystemExit(f"the Adult table is not in {data()}: set SCUMBLE_DATA to the folder of data sets")
    where = machine.words(args.scumble)
    chosen = {"Scumble", *args.only.split(",")} if args.only else None
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        source = work / "adult.csv"
        rows = write_adult(source)
        domains = {name: Domain({row[at] for row in rows}, hierarchy(name)) for at, name in enumerate(QUASI)}
        entries = [
            Entry(setting, contestant)
            for setting in SETTINGS.values()
            for contestant in contestants(args.scumble, work)
            if setting.name in contestant.settings and (not chosen or contestant.tool in chosen)
        ]
        # In turn, so that what else the machine does disturbs all of them alike.
        for turn in range(args.runs):
            for at, entry in enumerate(entries):
                if not entry.enough():
                    print(f"{turn + 1}: {entry.words()}", flush=True)
                    run(entry, source, work / f"out-{at}", args.limit)
        for at, entry in enumerate(entries):
            if not entry.failed:
                print(f"checking {entry.words()}", flush=True)
                examine(entry, args.scumble, work / f"out-{at}", domains, rows, args.limit)
    out = args.out or runs / f"{date.today()}-peers.md"
    out.write_text(report.page(entries, len(rows), where, args))
    print(f"written: {out}")
    if args.readme:
        report.into_readme(HERE.parents[1] / "README.md", out)
    for entry in entries:
        if entry.failed:
            print(f"{entry.words()}: {entry.failed}", file=sys.stderr)
    disagreements = [entry for entry in entries if entry.judged and not entry.judged.agree()]
    for entry in disagreements:
        print(f"{entry.words()}: {entry.judged.words()}")
    broken = [e for e in entries if e.contestant.tool == "Scumble" and (e.failed or not e.judged.ours_holds)]
    for entry in broken:
        print(f"{entry.words()}: {entry.failed or entry.judged.words()}")
    sys.exit(1 if disagreements or broken else 0)


main()
