"""Who takes part, what each is called with, and how its cells are to be read."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import notation
from ground import QUASI, SENSITIVE, SETTINGS, SUPPRESSED, hierarchy_file

HERE = Path(__file__).resolve().parent

# Of a table, the file that is read; of a release of ours, the directory.
Command = Callable[[object, Path, Path], list]


@dataclass(frozen=True)
class Contestant:
    """A tool with an algorithm."""

    tool: str
    algorithm: str
    command: Command
    read: Callable
    uses_hierarchies: bool = False
    suppressed: float = 0.0
    settings: tuple = tuple(SETTINGS)
    # Memory that is needed, where it is so much that a machine may not have it.
    needs_gib: int = 0
    # What must be known to read its rows of the table, by setting.
    notes: tuple = ()

    def name(self):
        """As rows of the table are headed."""
        more = f", {self.suppressed:.0%} may be left out" if self.suppressed else ""
        return f"{self.algorithm}{more}"


def python(program, *more):
    """A runner in this folder, with the interpreter that runs this one."""

    def command(setting, source, target):
        return [sys.executable, str(HERE / program), setting.name, str(source), str(target), *more]

    return command


def scumble(program, *more, hierarchies=False):
    """The program that is measured, with coins that can be had again: its releases are measured and not given away."""

    def command(setting, source, target):
        line = [program, "publish", str(source), "--quasi", ",".join(QUASI), "--sensitive", SENSITIVE, "--seed", "1", "--insecure-seed"]
        for requirement in setting.requirements():
            line += ["--require", requirement]
        for column in QUASI if hierarchies else []:
            line += ["--hierarchy", f"{column}={hierarchy_file(column)}"]
        return [*line, *more, "--json", "--quiet", "--out", str(target)]

    return command


def arx(work):
    """ARX, if `ARX_JAR` names its jar: the driver is compiled against it now. Fails aloud if it cannot be."""
    jar = os.environ.get("ARX_JAR")
    if not jar:
        return []
    if not Path(jar).is_file():
        raise SystemExit(f"ARX_JAR: there is no file {jar}")
    for program in ["java", "javac"]:
        if not shutil.which(program):
            raise SystemExit(f"ARX_JAR is set, but there is no {program} here")
    built = subprocess.run(
        ["javac", "-cp", jar, "-d", str(work), str(HERE / "arx" / "ArxRun.java")], capture_output=True, text=True
    )
    if built.returncode:
        raise SystemExit(f"the driver does not compile against {jar}:\n{built.stderr}")

    def command_of(suppressed):
        def command(setting, source, target):
            trees = [f"{column}={hierarchy_file(column)}" for column in QUASI]
            asked = [str(setting.k), str(setting.l), str(setting.t), str(suppressed)]
            path = f"{jar}{os.pathsep}{work}"
            return ["java", "-cp", path, "ArxRun", str(source), str(target), *asked, SENSITIVE, *trees]

        return command

    return [
        Contestant("ARX", "full-domain", command_of(share), notation.single, uses_hierarchies=True, suppressed=share)
        for share in [0.0, SUPPRESSED]
    ]


def contestants(program, work):
    """Everybody, Scumble first."""
    full_domain = ["--method", "full-domain"]
    some = ["--max-suppressed", str(SUPPRESSED)]
    return [
        Contestant("Scumble", "mondrian", scumble(program), notation.scumble),
        Contestant(
            "Scumble", "mondrian-relaxed", scumble(program, "--algorithm", "mondrian-relaxed"), notation.scumble
        ),
        Contestant(
            "Scumble",
            "full-domain",
            scumble(program, *full_domain, hierarchies=True),
            notation.scumble,
            uses_hierarchies=True,
        ),
        Contestant(
            "Scumble",
            "full-domain",
            scumble(program, *full_domain, *some, hierarchies=True),
            notation.scumble,
            uses_hierarchies=True,
            suppressed=SUPPRESSED,
        ),
        Contestant(
            "anonypy",
            "Mondrian",
            python("run_anonypy.py"),
            notation.listed,
            notes=(
                (
                    "t",
                    "its test of t-closeness takes the greatest difference of a share, not half the sum of all, and compares "
                    "it with the share of the value it looked at last in place of t (the parameter is overwritten in the "
                    "loop): it hardly ever passes, so the search ends after a few cuts, early and with almost everything lost",
                ),
            ),
        ),
        Contestant(
            "anonypyx",
            "Mondrian",
            python("run_anonypyx.py"),
            notation.listed,
            notes=(
                (
                    "t",
                    "its t-closeness is by default the greatest difference of a share, which can be many times smaller than "
                    "the equal distance, half the sum of all differences",
                ),
            ),
        ),
        Contestant(
            "anonypyx",
            "Mondrian, earth mover's distance",
            python("run_anonypyx.py", "earth-mover"),
            notation.listed,
            settings=("t",),
            notes=(
                (
                    "t",
                    "it takes this distance only if all quasi-identifiers are labels, so the age was given as one; it divides "
                    "labels into two halves in the order in which they occur, most such cuts break t, and with so few groups "
                    "the search is short",
                ),
            ),
        ),
        Contestant(
            "anonypyx",
            "MDAV-generic",
            python("run_anonypyx.py", "mdav"),
            notation.listed,
            settings=("k",),
            needs_gib=20,
        ),
        Contestant("anjana", "full-domain", python("run_anjana.py"), notation.single, uses_hierarchies=True),
        Contestant(
            "anjana",
            "full-domain",
            python("run_anjana.py", str(SUPPRESSED)),
            notation.single,
            uses_hierarchies=True,
            suppressed=SUPPRESSED,
            notes=tuple((name, "`index` is the number of the row in the source") for name in SETTINGS),
        ),
        *arx(work),
    ]
