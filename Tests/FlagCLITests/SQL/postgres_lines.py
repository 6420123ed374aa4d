"""Runs a query over events in a PostgreSQL server of its own, without a port, and prints the lines of its result:
postgres_lines.py PROGRAMS EVENTS QUERY"""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile

programs, events, query = sys.argv[1:]
folder = tempfile.mkdtemp(prefix="pg")
# The server refuses to run as root.
user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []


def run(program, *words, **options):
    command = user + [os.path.join(programs, program), *words]
    return subprocess.run(command, check=True, cwd=folder, stdout=subprocess.PIPE, **options).stdout


def table(name, columns):
    with open(events) as lines, open(os.path.join(folder, name + ".csv"), "w", newline="") as file:
        writer = csv.writer(file)
        for line in lines:
            event = json.loads(line) if line.strip() else {}
            if event.get("kind") == name:
                writer.writerow([event.get(column, "") for column in columns])


try:
    table("exposure", ["flag", "unit", "time", "variant"])
    table("conversion", ["id", "name", "unit", "time", "value"])
    shutil.copy(query, os.path.join(folder, "query.sql"))
    with open(os.path.join(folder, "load.sql"), "w") as file:
        file.write(
            """CREATE SCHEMA app;
            CREATE TABLE app.seen (flag text, "user id" text, time timestamptz, variant text);
            CREATE TABLE conversions (id text, name text, unit text, time timestamptz, value double precision);
            \\copy app.seen FROM 'exposure.csv' CSV
            \\copy conversions FROM 'conversion.csv' CSV
            ANALYZE;
            """
        )
    os.chmod(folder, 0o755)
    if user:
        shutil.chown(folder, "postgres")
    run("initdb", "-D", "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
    settings = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
    run("pg_ctl", "-D", "data", "-l", "log", "-o", settings, "-w", "start")
    try:
        psql = ["psql", "-h", folder, "-U", "postgres", "-v", "ON_ERROR_STOP=1", "-q"]
        run(*psql, "-f", "load.sql")
        sys.stdout.buffer.write(run(*psql, "-At", "-f", "query.sql"))
    finally:
        run("pg_ctl", "-D", "data", "-m", "immediate", "-w", "stop")
finally:
    shutil.rmtree(folder)
