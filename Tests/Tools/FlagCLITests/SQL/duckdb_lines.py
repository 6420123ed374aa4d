"""Runs a query over events in DuckDB, and prints the lines of its result: duckdb_lines.py EVENTS QUERY"""
import sys

import duckdb

database = duckdb.connect()
database.execute(
    """CREATE TABLE events AS SELECT * FROM read_json(?, format = 'newline_delimited', columns = {
         kind: 'VARCHAR', id: 'VARCHAR', time: 'TIMESTAMPTZ', flag: 'VARCHAR', variant: 'VARCHAR', unit: 'VARCHAR',
         name: 'VARCHAR', value: 'DOUBLE', attributes: 'STRUCT("the plan" VARCHAR)'})""",
    [sys.argv[1]],
)
database.execute("CREATE SCHEMA app")
database.execute(
    'CREATE TABLE app.seen AS SELECT flag, unit AS "user id", time, variant, attributes."the plan" AS "the plan" FROM events WHERE kind = \'exposure\''
)
database.execute("CREATE TABLE conversions AS SELECT id, name, unit, time, value FROM events WHERE kind = 'conversion'")
with open(sys.argv[2]) as query:
    for (line,) in database.execute(query.read()).fetchall():
        print(line)
