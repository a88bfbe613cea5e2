"""Whether a table keeps what was asked of it, by two checkers that know nothing of each other."""

import json
import subprocess
import sys
from pathlib import Path

from ground import QUASI, SENSITIVE

# Our figures have four digits and are rounded to the unsafe side.
FIGURE_STEP = 1e-4

FIGURES = Path(__file__).resolve().parents[2] / "scripts" / "pycanon_figures.py"


class Judged:
    """What `scumble verify` and pycanon say of a table."""

    def __init__(self, program, table, setting, limit):
        verdict = verify(program, table, setting)
        levels = {}
        for level in verdict["levels"]:
            # Of t-closeness there is a level for each distance, the equal one first.
            levels.setdefault(level["principle"], level)
        self.ours = {"k": levels["k-anonymity"]["k"]}
        if setting.l:
            self.ours["l"] = levels["distinct-l-diversity"]["l"]
        if setting.t:
            self.ours["t"] = levels["t-closeness"]["t"]
        self.ours_holds = verdict["ok"]
        self.theirs = pycanon(table, setting, limit)
        self.theirs_holds = self.theirs is not None and holds(self.theirs, setting)

    def agree(self):
        """Both give the same figures and the same answer."""
        if self.theirs is None:
            return True
        same = all(abs(self.ours[name] - self.theirs[name]) <= FIGURE_STEP for name in self.ours)
        return same and self.ours_holds == self.theirs_holds

    def words(self):
        """What the table shows."""
        figures = ", ".join(f"{name} {shown(value)}" for name, value in self.ours.items())
        answer = "yes" if self.ours_holds else "**no**"
        if self.theirs is None:
            return f"{answer} ({figures}); pycanon did not finish"
        if not self.agree():
            other = ", ".join(f"{name} {shown(value)}" for name, value in self.theirs.items())
            return f"DISAGREEMENT: verify {figures}, pycanon {other}"
        return f"{answer} ({figures})"


def shown(value):
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def holds(figures, setting):
    """The definitions, on the figures of pycanon."""
    # t by floats: a table on the boundary is not to fail by the last bit.
    close = not setting.t or figures["t"] <= setting.t + 1e-12
    return figures["k"] >= setting.k and (not setting.l or figures["l"] >= setting.l) and close


def verify(program, table, setting):
    """Our verifier, as on any table of strangers."""
    line = [program, "verify", str(table), "--quasi", ",".join(QUASI), "--sensitive", SENSITIVE, "--json"]
    for column in QUASI:
        line += ["--type", f"{column}=nominal"]
    for requirement in setting.requirements():
        line += ["--require", requirement]
    done = subprocess.run(line, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"scumble verify {table}: {done.stderr}")
    return json.loads(done.stdout)


def pycanon(table, setting, limit):
    """pycanon's figures, or nothing if it takes too long."""
    wanted = ["k", *(["l"] if setting.l else []), *(["t"] if setting.t else [])]
    line = [sys.executable, str(FIGURES), str(table), "--quasi", ",".join(QUASI), "--sensitive", SENSITIVE]
    try:
        done = subprocess.run([*line, "--figures", ",".join(wanted)], capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        raise SystemExit(f"pycanon on {table}: {done.stderr}")
    found = json.loads(done.stdout)["quasi"]
    return {"k": found["k"], **{name: found["columns"][SENSITIVE][name] for name in wanted if name != "k"}}
