"""What pycanon, a checker of other people, finds in a table or in a release of ours; prints JSON.

Usage: pycanon_figures.py RELEASE [--figures NAMES]
       pycanon_figures.py TABLE.csv --quasi a,b --sensitive c [--figures NAMES]

pycanon takes rows whose cells are equal as a class. Of a release it is asked twice: about the classes that the `group`
column makes, which are the groups of the manifest, and, where the quasi-identifiers are generalized, about the classes of
equal cells, which are the groups or several of them together. How its definitions are met:

- Cells are handed over as texts, a missing one as the empty text. As pandas reads them, missing cells would be dropped
  from the classes together with their rows.
- Suppressed rows (an empty group) are left out: they tell nothing of anybody. pycanon would take them as a class.
- Columns with an order are asked about twice as to t-closeness: as texts, which pycanon measures by the equal distance, and as
  ranks with the missing value first, which it measures by the ordered one.
"""

import argparse
import json
import sys
from decimal import Decimal
from pathlib import Path

import numpy
import pandas
from pycanon import anonymity

FIGURES = ["k", "l", "alpha", "entropy", "recursive", "t", "t-ordered"]


def read(path):
    """A CSV file as texts."""
    return pandas.read_csv(path, dtype=str, keep_default_na=False)


def counted(frame, columns):
    """Rows in place of their number."""
    return frame.loc[frame.index.repeat(frame["count"].astype(int)), columns].reset_index(drop=True)


def people(release, manifest):
    """The rows of a release with their group and sensitive values, and the generalized columns if any."""
    files = {table["name"]: release / table["file"] for table in manifest["tables"]}
    roles = {column["name"]: column["role"] for column in manifest["columns"]}
    quasi = [name for name, role in roles.items() if role == "quasi"]
    sensitive = [name for name, role in roles.items() if role == "sensitive"]
    if manifest["method"] == "generalize":
        return read(files["table"]), quasi, sensitive
    if manifest["method"] == "permute":
        return read(files["permuted"]).merge(read(files["mapping"]), on="tuple"), [], sensitive
    if manifest["method"] == "anatomy":
        return counted(read(files["st"]), ["group", *sensitive]), [], sensitive
    batches = counted(read(files["batches"]), ["batch", *sensitive])
    return batches.rename(columns={"batch": "group"}), [], sensitive


def ranks(texts, column):
    """Texts of a column with an order as whole numbers in this order, the missing value first."""
    kind, domain = column["type"], column["domain"]
    if kind == "number":
        key = Decimal
    elif kind == "ordinal":
        key = domain.index
    else:
        key = str  # dates in ISO form
    present = sorted(set(texts) - {""}, key=key)
    places = {"": 0} | {text: place for place, text in enumerate(present, start=1)}
    return texts.map(places).astype("int64")


def found(frame, classes, sensitive, ordered, wanted):
    """pycanon's figures for one choice of columns that make the classes."""
    figures = {"classes": len(frame.groupby(classes, sort=False)), "columns": {}}
    if "k" in wanted:
        figures["k"] = anonymity.k_anonymity(frame, classes)
    for name in sensitive:
        here = figures["columns"][name] = {}
        if "l" in wanted:
            here["l"] = anonymity.l_diversity(frame, classes, [name])
        if "alpha" in wanted:
            here["alpha"] = anonymity.alpha_k_anonymity(frame, classes, [name])[0]
        if "entropy" in wanted:
            here["entropy"] = anonymity.entropy_l_diversity(frame, classes, [name])
        if "recursive" in wanted:
            c, l = anonymity.recursive_c_l_diversity(frame, classes, [name])
            here["recursive"] = None if numpy.isnan(c) else {"c": int(c), "l": int(l)}
            # Where all values of every class are equally frequent, least and most frequent are the same, and
            # the definitions meet: see the test that reads this.
            sizes = frame.groupby([*classes, name], sort=False).size()
            spread = sizes.groupby(level=classes, sort=False).agg(["min", "max"])
            here["even"] = bool((spread["min"] == spread["max"]).all())
        if "t" in wanted:
            here["t"] = anonymity.t_closeness(frame, classes, [name])
        if "t-ordered" in wanted and name in ordered and frame[name].nunique() > 1:
            ranked = frame.assign(**{name: ranks(frame[name], ordered[name])})
            here["t-ordered"] = anonymity.t_closeness(ranked, classes, [name])
    return figures


def plain(value):
    """Numbers of numpy as JSON has them."""
    return value.item() if isinstance(value, numpy.generic) else str(value)


def main():
    parser = argparse.ArgumentParser(description="what pycanon finds")
    parser.add_argument("target", type=Path)
    parser.add_argument("--quasi", default="")
    parser.add_argument("--sensitive", default="")
    parser.add_argument("--figures", default=",".join(FIGURES))
    args = parser.parse_args()
    wanted = set(args.figures.split(","))
    if strangers := wanted - set(FIGURES):
        sys.exit(f"there is no figure `{min(strangers)}`; there are {', '.join(FIGURES)}")
    if args.target.is_dir():
        manifest = json.loads((args.target / "manifest.json").read_text())
        frame, quasi, sensitive = people(args.target, manifest)
        frame = frame[frame["group"] != ""].reset_index(drop=True)
        ordered = {c["name"]: c for c in manifest["columns"] if c["type"] in ("number", "date", "ordinal")}
        result = {"rows": len(frame), "group": found(frame, ["group"], sensitive, ordered, wanted)}
        if quasi:
            result["quasi"] = found(frame, quasi, sensitive, ordered, wanted)
    else:
        frame, sensitive = read(args.target), args.sensitive.split(",")
        result = {"rows": len(frame), "quasi": found(frame, args.quasi.split(","), sensitive, {}, wanted)}
    json.dump(result, sys.stdout, default=plain)


main()
