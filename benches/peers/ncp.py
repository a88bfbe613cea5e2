"""What a table has lost: one measure for the tables of all tools.

A cell that covers c of the s values of its column's domain has lost (c - 1) / (s - 1): 0 for a single value, 1 for the
whole domain. A row that was left out has lost 1 in each column. NCP is the mean over all rows of the source and all
quasi-identifying columns.
"""

from collections import Counter
from math import fsum


def ncp(rows, columns, domains, source_rows):
    """The NCP of `rows`, which begin with the cells of `columns`, each the set of values that it covers."""
    lost = [float((source_rows - len(rows)) * len(columns))]
    for at, column in enumerate(columns):
        size = domains[column].size
        if size > 1:
            covered = Counter(len(row[at]) for row in rows)
            lost += [count * (values - 1) / (size - 1) for values, count in covered.items()]
    return fsum(lost) / (source_rows * len(columns))
