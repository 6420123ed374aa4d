"""Compares the figures in this folder with what reference implementations give now; README.md says how to run it."""

import json
import pathlib

import cbor2
import json_logic
import mmh3
import semver

folder = pathlib.Path(__file__).parent


def lines(name):
    with open(folder / name, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def murmur(data, seed=0):
    return mmh3.hash(data, seed, signed=False)


def whole(value):
    """Whole numbers are encoded as integers, however they are written."""
    if isinstance(value, float) and value.is_integer() and -(2**63) <= value <= 2**64 - 1:
        return int(value)
    if isinstance(value, list):
        return [whole(element) for element in value]
    if isinstance(value, dict):
        return {key: whole(element) for key, element in value.items()}
    return value


def cbor(value):
    return cbor2.dumps(whole(value), canonical=True)


def share(rule, key, context, version):
    """The variant of a split: the format's own formula over a reference hash and a reference encoding; or None."""
    if isinstance(rule[0], list):
        user = context["targetingKey"]
        value, buckets = [key, user] if version == "v3" else key + user, rule
    else:
        value, buckets = operand(rule[0], key, context), rule[1:]
        if value is None and version == "v2" and "targetingKey" in context:
            # As flagd's daemon, whose core/pkg/evaluator/fractional.go takes the keys where the first operand is nil.
            value = key + context["targetingKey"]
        if value is None:
            return None
    weights = [max(0, bucket[1]) if len(bucket) > 1 else 1 for bucket in buckets]
    place = (murmur(cbor(value) if version == "v3" else value.encode()) * sum(weights)) >> 32
    for bucket, weight in zip(buckets, weights):
        if place < weight:
            return bucket[0]
        place -= weight


def operand(rule, key, context):
    if "cat" in rule:
        return "".join(operand(part, key, context) for part in rule["cat"])
    return key if rule["var"] == "$flagd.flagKey" else context.get(rule["var"])


def version(text):
    """A version as sem_ver reads it: a v before it is dropped, missing numbers are 0."""
    text = str(text)
    text = text[1:] if text[:1] in ("v", "V") else text
    if text.count(".") < 2 and all(part.isdigit() for part in text.split(".")):
        text += ".0" * (2 - text.count("."))
    return semver.Version.parse(text)


def compare(entry):
    try:
        left, right = version(entry["a"]), version(entry["b"])
    except ValueError:
        return None
    order = left.compare(right)
    same_major, same_minor = left.major == right.major, left.minor == right.minor
    return {
        "=": order == 0, "!=": order != 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0,
        "^": same_major, "~": same_major and same_minor,
    }.get(entry["op"])


def report(name, wrong):
    print(f"{name}: {len(wrong)} differ" + "".join(f"\n  {entry}" for entry in wrong[:3]))
    return len(wrong)


flags = json.loads((folder / "fractional_flags.json").read_text(encoding="utf-8"))["flags"]
data = json.loads((folder / "jsonlogic_data.json").read_text(encoding="utf-8"))
differ = report(
    "murmur3_x86_32.jsonl",
    [e for e in lines("murmur3_x86_32.jsonl") if murmur(bytes.fromhex(e["bytesHex"]), e["seed"]) != e["u32"]])
differ += report(
    "cbor_deterministic.jsonl",
    [
        e for e in lines("cbor_deterministic.jsonl")
        if (cbor(e["value"]).hex(), murmur(cbor(e["value"]))) != (e["cborHex"], e["murmur3"])
    ])
for bucketing in ["v2", "v3"]:
    differ += report(
        f"fractional_{bucketing}.jsonl",
        [
            e for e in lines(f"fractional_{bucketing}.jsonl")
            if (
                share(flags[e["flagKey"]]["targeting"]["fractional"], e["flagKey"], e["context"], bucketing)
                or flags[e["flagKey"]]["defaultVariant"]
            ) != e["expect"]["variant"]
        ])
differ += report("semver.jsonl", [e for e in lines("semver.jsonl") if compare(e) != e["result"]])
differ += report(
    "jsonlogic_agree.jsonl",
    [e for e in lines("jsonlogic_agree.jsonl") if json_logic.jsonLogic(e["rule"], data) != e["result"]])
raise SystemExit(1 if differ else 0)
