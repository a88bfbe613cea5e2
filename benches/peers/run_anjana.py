"""anjana on the table: one level of its hierarchy for each column, from a file to a file.

Usage: run_anjana.py SETTING IN OUT [SUPPRESSED], the last a share of rows.
"""

import json
import sys
import time

import pandas
from anjana.anonymity import k_anonymity, l_diversity, t_closeness

from ground import QUASI, SENSITIVE, SETTINGS, hierarchy_file

setting, source, target = SETTINGS[sys.argv[1]], sys.argv[2], sys.argv[3]
suppressed = 100 * float(sys.argv[4]) if len(sys.argv) > 4 else 0
frame = pandas.read_csv(source)
trees = {column: dict(pandas.read_csv(hierarchy_file(column), sep=";", header=None)) for column in QUASI}

start = time.perf_counter()
if setting.l:
    released = l_diversity(frame, [], QUASI, SENSITIVE, setting.k, setting.l, suppressed, trees)
elif setting.t:
    released = t_closeness(frame, [], QUASI, SENSITIVE, setting.k, setting.t, suppressed, trees)
else:
    released = k_anonymity(frame, [], QUASI, setting.k, suppressed, trees)
seconds = time.perf_counter() - start

released.to_csv(target, index=False)
print(json.dumps({"method_seconds": seconds}))
