"""Where and with what a run was made."""

import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path


def words(program):
    """Cores, memory, processor, versions and commit, as lines of a list."""
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ["anonypy", "anonypyx", "anjana", "pycanon"])
    under = ", ".join(f"{name} {metadata.version(name)}" for name in ["numpy", "pandas"])
    lines = [
        f"{os.cpu_count()} cores, {memory_gib():.0f} GiB of memory, {processor()}",
        f"{said([program, '--version'])} {origin()} {commit()}{profile(program)}; {versions}",
        f"Python {platform.python_version()}, {under}",
    ]
    if jar := os.environ.get("ARX_JAR"):
        lines.append(f"{Path(jar).name}, {java()}")
    return lines


def origin():
    """Whether the program was built from this tree; of one that was named nobody here knows from what it was made."""
    return "at commit" if os.environ.get("SCUMBLE_BUILT_HERE") else "as named by SCUMBLE, from a tree at commit"


def profile(program):
    """How the program was built, as far as its place tells."""
    known = {"release": ", release build", "debug": ", dev build, which is optimized little"}
    return known.get(Path(program).parent.name, "")


def memory_gib(what="MemTotal"):
    """Memory that the machine has, or that is free with `MemAvailable`."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        name, value = line.split(":")
        if name == what:
            return int(value.split()[0]) / 2**20
    raise SystemExit(f"/proc/meminfo does not tell {what}")


def processor():
    """The name of the processor, if it has one."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def said(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def commit():
    """The commit of this tree, and whether the tree is changed beside the results."""
    here = Path(__file__).resolve().parent
    name = said(["git", "-C", str(here), "rev-parse", "--short", "HEAD"])
    changed = said(["git", "-C", str(here), "status", "--porcelain", "--", ":/crates", ":/benches/peers"])
    return f"{name}, with changes" if changed else name


def java():
    return subprocess.run(["java", "-version"], capture_output=True, text=True, check=True).stderr.splitlines()[0]
