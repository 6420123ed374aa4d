"""Prints random rules of JsonLogic, with data and the result on which two engines agree: fuzz.py SEED COUNT.

Forms for which both engines differ from the reference, json-logic-js, are left out: comparisons of three operands, of
null and of arrays, which JavaScript converts; `+` and `*` of one operand, which it reads as text or gives back; `cat`
of null, which adds no text there; arrays in arrays, which it finds by identity; and the characters of a text, which are
no elements there.
"""

import json
import math
import random
import sys

import json_logic
import jsonlogic_rs

OPERATORS = [
    "==", "===", "!=", "!==", "<", "<=", ">", ">=", "!", "!!", "+", "-", "*", "/", "%", "min", "max", "cat", "substr",
    "in", "merge", "if", "and", "or", "map", "filter", "all", "none", "some", "reduce", "missing", "missing_some", "var",
]
ITERATING = ("map", "filter", "all", "none", "some")
COMPARISONS = ["<", "<=", ">", ">="]
NUMBERS = [0, -1, 1, 2, 2.5, 100, "1", "12"]
TEXTS = ["", "on", "1", 12, -1, True, "é"]
LEAVES = [
    None, True, False, 0, -1, 1, 2, 3, 2.5, 100, "", "on", "off", "1", "12", "abc", "1.2.3", "list", "list.0", "user.name",
    "user", "text", "gone", [], [1, 2, 3], ["on", 1], ["list", "gone"],
]


def leaf(source):
    if source.randrange(3) == 0:
        return {"var": source.choice(["list", "list.0", "list.1", "user.name", "user.age", "text", "gone", "n", "flag", ""])}
    return source.choice(LEAVES)


def rule(source, levels, names=True):
    """A rule of some levels; without names, those of the data, which lead nowhere inside an element."""
    if levels == 0 or source.randrange(10) == 0:
        return leaf(source)
    name = source.choice(OPERATORS)
    if name in ITERATING:
        return {name: [source.choice([{"var": "list"}, [1, 2, 3], leaf(source)]), inner(source, levels - 1)]}
    if name == "reduce":
        step = {source.choice(["+", "cat", "max"]): [{"var": "accumulator"}, {"var": "current"}]}
        return {name: [source.choice([{"var": "list"}, [1, 2, 3]]), step, source.choice([0, "", 1])]}
    if name == "var":
        return leaf(source)
    if name == "cat":
        texts = TEXTS + ([{"var": "text"}, {"var": "n"}, {"var": "list"}] if names else [])
        return {name: [source.choice(texts) for _ in range(source.randrange(1, 4))]}
    if name in COMPARISONS:
        numbers = NUMBERS + ([{"var": "n"}, {"var": "user.age"}] if names else [])
        return {name: [source.choice(numbers), source.choice(numbers)]}
    count = source.randrange(2 if name in ("+", "*") else 1, 4)
    return {name: [rule(source, levels - 1, names) for _ in range(count)]}


def inner(source, levels):
    name = source.choice(["==", ">", "<", "+", "*", "cat", "in", "!", "!!"])
    if name in ("cat", "<", ">"):
        return {name: [{"var": ""}, source.choice(TEXTS if name == "cat" else NUMBERS)]}
    return {name: [{"var": ""}, leaf(source) if levels == 0 else rule(source, levels - 1, names=False)]}


def data(source):
    return {
        "list": [source.choice([1, 2, "a", "1", True, 0]) for _ in range(source.randrange(4))],
        "user": {"name": source.choice(["ann", "ben", ""]), "age": source.randrange(100)},
        "text": source.choice(["", "abc", "12", "a🙂é"]), "n": source.choice([0, 1, -3, 2.5]),
        "flag": source.choice([True, False]),
    }


def iterates_text(tried, given):
    """Whether a rule asks for the elements of a text."""
    if isinstance(tried, list):
        return any(iterates_text(element, given) for element in tried)
    if not isinstance(tried, dict):
        return False
    for name, operands in tried.items():
        if name in ITERATING and isinstance(json_logic.jsonLogic(operands[0], given), str):
            return True
        if iterates_text(operands, given):
            return True
    return False


def normal(value):
    """The value with whole numbers as integers; raises ValueError for numbers that JSON has not."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(value)
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [normal(element) for element in value]
    if isinstance(value, dict):
        return {key: normal(element) for key, element in value.items()}
    return value


def same(left, right):
    return json.dumps(normal(left), sort_keys=True) == json.dumps(normal(right), sort_keys=True)


def main(seed, count):
    source = random.Random(seed)
    while count > 0:
        tried, given = rule(source, source.randrange(1, 5)), data(source)
        if not isinstance(tried, dict):
            continue
        try:
            if iterates_text(tried, given):
                continue
            results = [json_logic.jsonLogic(tried, given), jsonlogic_rs.apply(tried, given)]
            if not same(*results):
                continue
        except Exception:
            # An engine that refuses a rule says nothing about its result.
            continue
        print(json.dumps({"rule": tried, "data": given, "result": normal(results[0])}, ensure_ascii=False))
        count -= 1


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
