"""Reads columns of tables with four engines and prints their means and types, without a cast anywhere.

The argument is a JSON list of [file, column]; what is printed is a list of {"means": {engine: number}, "type": type}.
"""
import json
import sys

import duckdb
import pandas
import polars
import pyarrow.compute
import pyarrow.csv
import pyarrow.parquet


def told(path, column):
    quoted = '"' + column.replace('"', '""') + '"'
    if path.endswith(".csv"):
        frames = pandas.read_csv(path), polars.read_csv(path), pyarrow.csv.read_csv(path)
    else:
        frames = pandas.read_parquet(path), polars.read_parquet(path), pyarrow.parquet.read_table(path)
    in_pandas, in_polars, in_arrow = frames
    means = {
        "pandas": in_pandas[column].mean(),
        "polars": in_polars[column].mean(),
        "pyarrow": pyarrow.compute.mean(in_arrow[column]).as_py(),
        "duckdb": duckdb.sql(f"SELECT AVG({quoted}) FROM '{path}'").fetchall()[0][0],
    }
    return {"means": {engine: str(mean) for engine, mean in means.items()}, "type": str(in_arrow[column].type)}


print(json.dumps([told(path, column) for path, column in json.loads(sys.argv[1])]))
