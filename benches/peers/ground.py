"""The ground that everybody is measured on: one table, its columns, their domains, and what is asked."""

import csv
import gzip
import os
from dataclasses import dataclass
from pathlib import Path

QUASI = ["age", "sex", "race", "marital_status", "education", "native_country", "workclass"]
SENSITIVE = "occupation"
COLUMNS = [*QUASI, SENSITIVE]

# The rows of the training part, which come first in the file, and how many of them have no `?`.
TRAINING_ROWS = 32_561
COMPLETE_ROWS = 30_162

# The share of rows that may be left out in the runs that may leave out any.
SUPPRESSED = 0.02


@dataclass(frozen=True)
class Setting:
    """What is asked of a table. Everybody gets k; l is the distinct one, t by the equal distance."""

    name: str
    k: int
    l: int = 0
    t: float = 0.0

    def requirements(self):
        """The same in Scumble's notation."""
        asked = [f"k-anonymity({self.k})"]
        if self.l:
            asked.append(f"distinct-l-diversity({self.l})")
        if self.t:
            asked.append(f"t-closeness({self.t})")
        return asked

    def words(self):
        """The same for readers."""
        more = f", l = {self.l}" if self.l else f", t = {self.t}" if self.t else ""
        return f"k = {self.k}{more}"


SETTINGS = {
    setting.name: setting
    for setting in [Setting("k", 5), Setting("l", 5, l=5), Setting("t", 5, t=0.2)]
}


def data():
    """The folder of public data sets."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    return Path(os.environ.get("SCUMBLE_DATA", beside))


def write_adult(path):
    """Writes the complete rows of the training part with the columns that are asked for, and returns them."""
    source = data() / "adult" / "adult_all_48842.csv.gz"
    rows = []
    with gzip.open(source, "rt", newline="") as file:
        for at, row in enumerate(csv.DictReader(file)):
            if at == TRAINING_ROWS:
                break
            if "?" not in row.values():
                rows.append([row[column] for column in COLUMNS])
    if len(rows) != COMPLETE_ROWS:
        raise SystemExit(f"{source}: {len(rows)} complete rows, not {COMPLETE_ROWS}: is it the Adult table?")
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(COLUMNS)
        out.writerows(rows)
    return rows


def hierarchy_file(column):
    """The file with the hierarchy of a column."""
    return data() / "adult" / "hierarchies" / f"adult_hierarchy_{column.replace('_', '-')}.csv"


def hierarchy(column):
    """The lines of a hierarchy: a value and what stands for it at each level, up to the star."""
    with open(hierarchy_file(column), newline="") as file:
        return [line for line in csv.reader(file, delimiter=";") if line]
