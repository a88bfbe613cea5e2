#!/usr/bin/env python3
"""Compares two builds of the program: publish, verify and query, each step in processes of its own, the builds by turns.

    benches/builds/compare.py OLD NEW [--census ROWS] [--rounds N]

OLD and NEW are programs. The data are ACS 2024 (1,283,347 people) from SCUMBLE_DATA, by default ../shared/data, and generated
census records. A figure is the best of the rounds: wall clock, processor time of all threads, and the most memory that was
in use. The last three columns are NEW divided by OLD. Prints a table in Markdown.
"""
import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ACS = "acs2024/acs2024_sal_like_1283347.csv.gz"


def run(program, arguments, folder):
    """Seconds on the clock, seconds of processors, MiB."""
    start = time.perf_counter()
    with open(folder / "out.txt", "wb") as out, open(folder / "err.txt", "wb") as err:
        child = subprocess.Popen([program, *arguments], stdout=out, stderr=err, stdin=subprocess.DEVNULL, cwd=folder)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    if child.returncode != 0:
        sys.exit(f"{program} {' '.join(arguments)}: exit code {child.returncode}\n{(folder / 'err.txt').read_text()}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def steps(data, quasi, sensitive, drop):
    """Names and command lines; OUT stands for the release."""
    columns = ["--quasi", quasi, "--sensitive", sensitive, *drop]
    for method, requirement in [("generalize", "k-anonymity(10)"), ("anatomy", "frequency-l-diversity(4)")]:
        yield f"publish {method}", ["publish", data, *columns, "--method", method, "--require", requirement,
                                    "--out", "OUT", "--replace", "--quiet"]
        yield f"verify {method}", ["verify", "OUT", "--quiet"]
        yield f"verify --source {method}", ["verify", "OUT", "--source", data, "--quiet"]
        first = quasi.split(",")[0]
        yield f"query {method}", ["query", "OUT", f"SELECT COUNT(*) FROM release WHERE {first} > 40", "--quiet"]


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("old")
    asked.add_argument("new")
    asked.add_argument("--census", type=int, default=10_000_000, help="rows of generated census records; 0 for none")
    asked.add_argument("--rounds", type=int, default=3)
    asked = asked.parse_args()
    builds = {"old": os.path.abspath(asked.old), "new": os.path.abspath(asked.new)}
    print("| data | step | old s | new s | old cpu s | new cpu s | old MiB | new MiB | time | cpu | memory |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tables = []
        acs = pathlib.Path(os.environ.get("SCUMBLE_DATA", "../shared/data")).resolve() / ACS
        if acs.exists():
            tables.append(("acs", str(acs), "AGEP,SEX,SCHL,MAR,RAC1P,COW,STATE", "OCCP", ["--drop-rest"]))
        else:
            print("the ACS table is not there: it is skipped", file=sys.stderr)
        if asked.census:
            census = folder / "census.csv"
            run(builds["new"], ["generate", "census", "--rows", str(asked.census), "--seed", "1", "--out", str(census)], folder)
            tables.append((f"census {asked.census:,}", str(census), "age,gender,education,birthplace", "occupation", ["--drop-rest"]))
        worst = [0.0, 0.0, 0.0]
        for title, data, quasi, sensitive, drop in tables:
            for step, line in steps(data, quasi, sensitive, drop):
                best = {}
                for _ in range(asked.rounds):
                    for build, program in builds.items():
                        figures = run(program, [word.replace("OUT", f"{build}-release") for word in line], folder)
                        best[build] = [min(pair) for pair in zip(best.get(build, figures), figures)]
                ratios = [new / old for new, old in zip(best["new"], best["old"])]
                worst = [max(pair) for pair in zip(worst, ratios)]
                cells = [f"{best[build][at]:.{digits}f}" for at, digits in ((0, 2), (1, 2), (2, 0)) for build in builds]
                print("|", " | ".join([title, step, *cells, *(f"{ratio:.3f}" for ratio in ratios)]), "|", flush=True)
    print(f"\nThe greatest ratios: time {worst[0]:.3f}, processors {worst[1]:.3f}, memory {worst[2]:.3f}.")


if __name__ == "__main__":
    # Children inherit the limit; a program that runs away must not take the machine with it.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
