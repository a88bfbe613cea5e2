"""Runs statements over the CSV files of releases in an engine that knows nothing of releases.

Each line of standard input is a JSON document {"engine": "datafusion" | "duckdb", "dir": ..., "sql": ...}; each line of standard
output is {"rows": [{name: text or null}]} or {"error": ...}. Tables are called as their files are.
"""
import glob
import json
import os
import sys


def duckdb_tables(folder):
    import duckdb

    database = duckdb.connect()
    for path, name in files(folder):
        database.execute(f'CREATE TABLE "{name}" AS SELECT * FROM read_csv(?, header=true)', [path])

    def run(sql):
        result = database.execute(sql)
        names = [column[0] for column in result.description]
        return [dict(zip(names, row)) for row in result.fetchall()]

    return run


def datafusion_tables(folder):
    from datafusion import SessionContext

    context = SessionContext()
    for path, name in files(folder):
        context.register_csv(name, path)
    return lambda sql: context.sql(sql).to_pylist()


def files(folder):
    for path in glob.glob(os.path.join(folder, "*.csv")):
        yield path, os.path.splitext(os.path.basename(path))[0]


ENGINES = {"datafusion": datafusion_tables, "duckdb": duckdb_tables}
opened = {}
for line in sys.stdin:
    asked = json.loads(line)
    try:
        place = (asked["engine"], asked["dir"])
        if place not in opened:
            # One release after the other is asked: the tables of the last are no longer needed.
            opened = {place: ENGINES[asked["engine"]](asked["dir"])}
        rows = opened[place](asked["sql"])
        told = {"rows": [{name: None if cell is None else str(cell) for name, cell in row.items()} for row in rows]}
    except Exception as error:  # Whatever goes wrong is told to the test, which fails with it.
        told = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(told), flush=True)
