"""Cells of every tool as the values they cover, so that one measure suits all.

A cell is a plain value, an interval of numbers, a set of labels, a label of a hierarchy, or a star:

    Scumble    17   [17,24]   {a|b}   High School   *
    anonypy    17   17-24     a,b     (each inside ['...'], the text of a Python list)
    anonypyx   17   17-24     a,b
    anjana     17   15-19     (a label of the hierarchy: what lies below it there, not what it says)   *
    ARX        as anjana

The domain of a column is what the source shows of it: labels that occur, whole numbers from the least to the greatest.
"""

import re

INTERVAL = re.compile(r"(\d+)-(\d+)")
LISTED = re.compile(r"\['(.*)'\]")


class Domain:
    """The values that a column can have, and what the labels above them cover."""

    def __init__(self, values, tree=()):
        numbers = all(value.isdigit() for value in values)
        if numbers:
            whole = {int(value) for value in values}
            values = {str(number) for number in range(min(whole), max(whole) + 1)}
        self.numbers = numbers
        self.values = frozenset(values)
        self.size = len(self.values)
        above = {}
        for value, *labels in tree:
            for label in labels:
                above.setdefault(label, set()).add(value)
        self.labels = {label: self.values & leaves for label, leaves in above.items()}

    def between(self, low, high):
        """The numbers of the domain between two ends, both among them."""
        covered = frozenset(value for value in self.values if int(low) <= int(value) <= int(high))
        if not self.numbers or not covered:
            raise ValueError(f"[{low},{high}] covers nothing of the domain")
        return covered

    def among(self, labels):
        """Labels of the domain."""
        strangers = [label for label in labels if label not in self.values]
        if strangers:
            raise ValueError(f"`{strangers[0]}` is not in the domain")
        return frozenset(labels)


def scumble(cell, domain, uses_hierarchies):
    if cell.startswith("[") and cell.endswith("]"):
        return domain.between(*cell[1:-1].split(","))
    if cell.startswith("{") and cell.endswith("}"):
        return domain.among(cell[1:-1].split("|"))
    return single(cell, domain, uses_hierarchies)


def listed(cell, domain, uses_hierarchies):
    """The notation of anonypy and anonypyx. A label that has a hyphen is a label."""
    inner = LISTED.fullmatch(cell)
    cell = inner[1] if inner else cell
    interval = INTERVAL.fullmatch(cell) if domain.numbers else None
    if interval:
        return domain.between(*interval.groups())
    if "," in cell:
        return domain.among(cell.split(","))
    return single(cell, domain, uses_hierarchies)


def single(cell, domain, uses_hierarchies):
    """A value, a label of a hierarchy where there is one, or a star."""
    if cell == "*":
        return domain.values
    if cell in domain.values:
        return frozenset([cell])
    if uses_hierarchies and cell in domain.labels:
        return domain.labels[cell]
    raise ValueError(f"`{cell}` is nothing that the domain knows")
