"""anonypy on the table: strict Mondrian by the widest attribute and the median, from a file to a file.

Usage: run_anonypy.py SETTING IN OUT. Says on standard output how many seconds the method itself took.
"""

import json
import sys
import time

import pandas
from anonypy import Preserver

from ground import QUASI, SENSITIVE, SETTINGS

setting, source, target = SETTINGS[sys.argv[1]], sys.argv[2], sys.argv[3]
frame = pandas.read_csv(source)
# The package tells labels from numbers by this type.
for column in [*QUASI, SENSITIVE]:
    if frame[column].dtype == object:
        frame[column] = frame[column].astype("category")

start = time.perf_counter()
preserver = Preserver(frame, QUASI, SENSITIVE)
if setting.l:
    rows = preserver.anonymize_l_diversity(k=setting.k, l=setting.l)
elif setting.t:
    rows = preserver.anonymize_t_closeness(k=setting.k, p=setting.t)
else:
    rows = preserver.anonymize_k_anonymity(k=setting.k)
seconds = time.perf_counter() - start

# A line for each group and sensitive value, with the number of rows that have it.
pandas.DataFrame(rows).to_csv(target, index=False)
print(json.dumps({"method_seconds": seconds}))
