"""Runs a query over events in DuckDB, and prints the lines of its result: duckdb_lines.py EVENTS QUERY"""
import sys

import duckdb

database = duckdb.connect()
database.execute(
    """CREATE TABLE events AS SELECT * FROM read_json(?, format = 'newline_delimited', columns = {
         kind: 'VARCHAR', id: 'VARCHAR', time: 'TIMESTAMPTZ', flag: 'VARCHAR', variant: 'VARCHAR', unit: 'VARCHAR',
         name: 'VARCHAR', value: 'DOUBLE', attributes: 'STRUCT("the plan" VARCHAR)', unitAttribute: 'VARCHAR',
         units: 'JSON'})""",
    [sys.argv[1]],
)
# Tables of writers that know one unit alone lack the columns for others.
has_units = database.execute("SELECT count(*) FROM events WHERE units IS NOT NULL").fetchone()[0] > 0
seen, done = (', "unitAttribute", units', ", units") if has_units else ("", "")
database.execute("CREATE SCHEMA app")
database.execute(
    f'CREATE TABLE app.seen AS SELECT flag, unit AS "user id", time, variant, attributes."the plan" AS "the plan"{seen} FROM events WHERE kind = \'exposure\''
)
database.execute(
    f"CREATE TABLE conversions AS SELECT id, name, unit, time, value{done} FROM events WHERE kind = 'conversion'"
)
with open(sys.argv[2]) as query:
    for (line,) in database.execute(query.read()).fetchall():
        print(line)
