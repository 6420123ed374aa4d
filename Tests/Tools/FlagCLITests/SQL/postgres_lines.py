"""Runs a query over events in a PostgreSQL server of its own, without a port, and prints the lines of its result:
postgres_lines.py PROGRAMS EVENTS QUERY"""
import csv
import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile

programs, events, query = sys.argv[1:]
folder = tempfile.mkdtemp(prefix="pg")


def server():
    """The user that its packages make for the server, which refuses to run as root; else whoever may least."""
    for name in ["postgres", "nobody"]:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise SystemExit("PostgreSQL refuses to run as root: expected a user postgres or nobody")


user = server() if os.geteuid() == 0 else None
identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}


def run(program, *words, **options):
    command = [os.path.join(programs, program), *words]
    return subprocess.run(command, check=True, cwd=folder, stdout=subprocess.PIPE, **identity, **options).stdout


def table(name, columns):
    with open(events) as lines, open(os.path.join(folder, name + ".csv"), "w", newline="") as file:
        writer = csv.writer(file)
        for line in lines:
            event = json.loads(line) if line.strip() else {}
            event.update(event.get("attributes", {}))
            if "units" in event:
                event["units"] = json.dumps(event["units"])
            if event.get("kind") == name:
                writer.writerow([event.get(column, "") for column in columns])


# Tables of writers that know one unit alone lack the columns for others.
with open(events) as lines:
    has_units = '"units"' in lines.read()
seen, done = (["unitAttribute", "units"], ["units"]) if has_units else ([], [])
try:
    table("exposure", ["flag", "unit", "time", "variant", "the plan", *seen])
    table("conversion", ["id", "name", "unit", "time", "value", *done])
    shutil.copy(query, os.path.join(folder, "query.sql"))
    with open(os.path.join(folder, "load.sql"), "w") as file:
        file.write(
            f"""CREATE SCHEMA app;
            CREATE TABLE app.seen (flag text, "user id" text, time timestamptz, variant text, "the plan" text
              {"".join(f', "{name}" {"jsonb" if name == "units" else "text"}' for name in seen)});
            CREATE TABLE conversions (id text, name text, unit text, time timestamptz, value double precision
              {"".join(f', "{name}" jsonb' for name in done)});
            \\copy app.seen FROM 'exposure.csv' CSV
            \\copy conversions FROM 'conversion.csv' CSV
            ANALYZE;
            """
        )
    os.chmod(folder, 0o755)
    if user:
        os.chown(folder, user.pw_uid, user.pw_gid)
    run("initdb", "-D", "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
    settings = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
    run("pg_ctl", "-D", "data", "-l", "log", "-o", settings, "-w", "start")
    try:
        psql = ["psql", "-X", "-h", folder, "-U", "postgres", "-v", "ON_ERROR_STOP=1", "-q"]
        run(*psql, "-f", "load.sql")
        sys.stdout.buffer.write(run(*psql, "-At", "-f", "query.sql"))
    finally:
        run("pg_ctl", "-D", "data", "-m", "immediate", "-w", "stop")
finally:
    shutil.rmtree(folder)
