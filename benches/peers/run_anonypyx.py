"""anonypyx on the table: strict Mondrian by the widest attribute and the median, from a file to a file.

Usage: run_anonypyx.py SETTING IN OUT [max-distance|earth-mover|mdav]. The package knows t-closeness by the greatest
difference of a share, its default, and by the earth mover's distance, which it takes only if every quasi-identifier is
made of labels: there the age is given as a label. `mdav` is its other algorithm, for k-anonymity alone.
"""

import json
import sys
import time

import pandas
from anonypyx import Anonymiser

from ground import QUASI, SENSITIVE, SETTINGS

setting, source, target = SETTINGS[sys.argv[1]], sys.argv[2], sys.argv[3]
variant = sys.argv[4] if len(sys.argv) > 4 else "max-distance"
frame = pandas.read_csv(source)
for column in [*QUASI, SENSITIVE]:
    if variant == "earth-mover":
        frame[column] = frame[column].astype(str)
    if frame[column].dtype == object:
        frame[column] = frame[column].astype("category")
asked = {"k": setting.k}
if setting.l:
    asked |= {"l": setting.l, "diversity_definition": "distinct"}
if setting.t:
    metric = "earth mover's distance" if variant == "earth-mover" else "max distance"
    asked |= {"t": setting.t, "closeness_metric": metric}

start = time.perf_counter()
algorithm = "MDAV-generic" if variant == "mdav" else "Mondrian"
anonymiser = Anonymiser(
    frame,
    feature_columns=QUASI,
    sensitive_column=SENSITIVE,
    generalisation_strategy="human-readable",
    algorithm=algorithm,
    **asked,
)
released = pandas.DataFrame(anonymiser.anonymise())
seconds = time.perf_counter() - start

released.to_csv(target, index=False)
print(json.dumps({"method_seconds": seconds}))
