"""A group-by per subset: what the risk benchmark is measured against.

Usage: risk_groupby.py FILE COLUMNS UP_TO RUNS. Prints the seconds of the best run and the sum of all numbers of classes as JSON, with columns as
they are read and with columns of categories; reading is not measured.
"""

import itertools
import json
import sys
import time

import pandas

path, names, up_to, runs = sys.argv[1], sys.argv[2].split(","), int(sys.argv[3]), int(sys.argv[4])
plain = pandas.read_csv(path, usecols=names)


def subsets(frame):
    start = time.perf_counter()
    classes = 0
    for size in range(1, up_to + 1):
        for chosen in itertools.combinations(names, size):
            sizes = frame.groupby(list(chosen), dropna=False, sort=False, observed=True).size()
            sizes.value_counts()
            classes += len(sizes)
    return time.perf_counter() - start, classes


categories = plain.astype("category")
seconds, classes = min(subsets(plain) for _ in range(runs))
as_categories, again = min(subsets(categories) for _ in range(runs))
assert classes == again
print(json.dumps({"seconds": seconds, "as_categories": as_categories, "classes": classes}))
