"""What a tool wrote, as rows of one notation: a row for each person that was not left out."""

import csv
import json
from collections import Counter
from pathlib import Path

from ground import COLUMNS, QUASI, SENSITIVE


class Released:
    """The rows of a table that a tool wrote, with what each cell covers."""

    def __init__(self, path, contestant, domains, source):
        self.extra = []
        self.rows = []
        for row in self._read(path):
            cells = [contestant.read(row[name], domains[name], contestant.uses_hierarchies) for name in QUASI]
            self.rows += [[*cells, row[SENSITIVE]]] * int(row.get("count", 1))
        self.suppressed = len(source) - len(self.rows)
        self.groups = len({tuple(row[:-1]) for row in self.rows})
        have, had = Counter(row[-1] for row in self.rows), Counter(row[-1] for row in source)
        if self.suppressed < 0 or any(count > had[value] for value, count in have.items()):
            raise ValueError("it shows sensitive values that the source does not have")

    def _read(self, path):
        """Rows by name. Ours are in a release, where suppressed rows have no group."""
        release = Path(path).is_dir()
        with open(Path(path) / "table.csv" if release else path, newline="") as file:
            reader = csv.DictReader(file)
            strangers = set(reader.fieldnames) - set(COLUMNS) - {"count"} - ({"group"} if release else set())
            self.extra = sorted(strangers)
            for row in reader:
                if not release or row["group"]:
                    yield row

    def write(self, path, domains):
        """The same table for checkers that take equal cells as equal: a set is written one way only."""
        texts = {}
        with open(path, "w", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(COLUMNS)
            for row in self.rows:
                for at, covered in enumerate(row[:-1]):
                    if (at, covered) not in texts:
                        texts[at, covered] = text(covered, domains[QUASI[at]])
                out.writerow([*(texts[at, covered] for at, covered in enumerate(row[:-1])), row[-1]])


def text(covered, domain):
    """What a cell covers, in one way only."""
    if len(covered) == domain.size:
        return "*"
    return "|".join(sorted(covered))


def published(log):
    """What the program said of its release, or a runner of its run: the last JSON document of a log."""
    words = Path(log).read_text()
    try:
        return json.loads(words)
    except ValueError:
        lines = [line for line in words.splitlines() if line.startswith("{")]
        return json.loads(lines[-1]) if lines else {}
