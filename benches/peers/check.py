"""Whether a table keeps what was asked of it, by two checkers that know nothing of each other."""

import json
import subprocess
import sys
from pathlib import Path

from ground import QUASI, SENSITIVE

FIGURES = Path(__file__).resolve().parents[2] / "scripts" / "pycanon_figures.py"


class Judged:
    """What `scumble verify` and pycanon say of a table."""

    def __init__(self, program, table, setting, limit):
        verdict = verify(program, table, setting)
        levels = {level["principle"]: level["figures"] for level in verdict["levels"]}
        closeness = [level for level in verdict["levels"] if level["principle"] == "t-closeness"]
        self.ours = {"k": int(levels["k-anonymity"]["k"])}
        if setting.l:
            self.ours["l"] = int(levels["distinct-l-diversity"]["l"])
        if setting.t:
            self.ours["t"] = float(closeness[0]["figures"]["t"])
        self.ours_holds = verdict["ok"]
        self.theirs = pycanon(table, setting, limit)
        self.theirs_holds = self.theirs is not None and holds(self.theirs, setting)

    def agree(self):
        """Both give the same figures and the same answer. Ours rounds a t up in its last digit, pycanon computes with floats."""
        if self.theirs is None:
            return True
        same = all(abs(self.ours[name] - self.theirs[name]) < 1e-6 for name in self.ours)
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
