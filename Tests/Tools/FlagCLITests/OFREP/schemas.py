"""Checks answers of a server against the schemas of OFREP's own description, and its examples against a server.

usage: schemas.py OPENAPI URL, for a server of the flags "fixed", "country", "disabled", "float", "wrong" and "split"
"""

import json
import sys
import urllib.request
import yaml
from jsonschema import Draft202012Validator

with open(sys.argv[1]) as file:
    description = yaml.safe_load(file)
base = sys.argv[2]
failures = []
checks = 0


def loosen(schema):
    """codeDefaultFlag asks for nothing, so that every answer is one as well as what it is: one of them is enough."""
    if isinstance(schema, dict):
        schema = {("anyOf" if name == "oneOf" and isinstance(value, list) else name): loosen(value)
                  for name, value in schema.items()}
    elif isinstance(schema, list):
        schema = [loosen(value) for value in schema]
    return schema


components = loosen(description["components"])


def check(label, schema, value):
    global checks
    checks += 1
    full = {**loosen(schema), "components": components}
    for error in Draft202012Validator(full).iter_errors(value):
        failures.append(f"{label}: {list(error.path)}: {error.message}")


def ask(path, body, headers={}):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(base + path, data, {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def expect(label, found, wanted):
    global checks
    checks += 1
    if found != wanted:
        failures.append(f"{label}: expected {wanted}, found {found}")


one = "/ofrep/v1/evaluate/flags/{key}"
every = "/ofrep/v1/evaluate/flags"
# Every example of a request is taken.
for path, target in [(one, "/ofrep/v1/evaluate/flags/fixed"), (every, every)]:
    content = description["paths"][path]["post"]["requestBody"]["content"]["application/json"]
    check(f"example of {path}", content["schema"], content["example"])
    expect(f"example of {path}", ask(target, content["example"])[0], 200)

contexts = [{"targetingKey": key, **more} for key in ["a", "b", "c"] for more in [{}, {"country": "ES"}]]
contexts += [{}, {"country": "ES"}, {"targetingKey": 1}]
keys = ["fixed", "country", "disabled", "float", "wrong", "split", "object", "gone", "none", "a%2Fb"]
responses = description["paths"][one]["post"]["responses"]
seen = set()
for key in keys:
    for body in [{"context": context} for context in contexts] + [{}, [], {"context": 1}, b"{", b""]:
        status, headers, text = ask("/ofrep/v1/evaluate/flags/" + key, body)
        label = f"{key} for {body}: {status}"
        expect(label + ", a status that is described", str(status) in responses, True)
        check(label, responses[str(status)]["content"]["application/json"]["schema"], json.loads(text))
        expect(label + ", type", headers["Content-Type"], "application/json")
        seen.add(status)
expect("statuses of one flag", seen, {200, 400, 404})

responses = description["paths"][every]["post"]["responses"]
seen = set()
for body in [{"context": context} for context in contexts] + [{}, [], {"context": 1}, b"{", b""]:
    status, headers, text = ask(every, body)
    answer = json.loads(text)
    check(f"all for {body}: {status}", responses[str(status)]["content"]["application/json"]["schema"], answer)
    for stream in answer.get("eventStreams", []):
        # In this schema "one of" means one: a URL or an endpoint.
        exact = {**description["components"]["schemas"]["eventStream"], "components": description["components"]}
        checks += 1
        failures += [f"eventStream: {error.message}" for error in Draft202012Validator(exact).iter_errors(stream)]
    if status == 200:
        tag = headers["ETag"]
        status, headers, text = ask(every, body, {"If-None-Match": tag})
        expect("the same again", (status, text, headers["ETag"]), (304, b"", tag))
    seen.add(status)
expect("statuses of all flags", seen, {304, 400})

with urllib.request.urlopen(base + "/flags/events") as stream:
    event = {}
    while line := stream.readline().decode().rstrip("\n"):
        name, value = line.split(": ", 1)
        event[name] = value
check("event", {"$ref": "#/components/schemas/sseEvent"}, event)
check("data of the event", {"$ref": "#/components/schemas/sseEventData"}, json.loads(event["data"]))

print("\n".join(failures) if failures else f"{checks} checks passed")
