"""Evaluates features with GrowthBook's own SDK: evaluate.py HOST CONTEXTS KEYS

HOST serves the document; CONTEXTS is a file of attributes, a JSON object on each line. Prints for each line a JSON
array with the value and the variation's key, or null, of each of the features KEYS.
"""

import json
import sys

from growthbook import GrowthBook

host, contexts, *keys = sys.argv[1:]
client = GrowthBook(api_host=host, client_key="sdk-1")
client.load_features()
with open(contexts, encoding="utf-8") as lines:
    for line in lines:
        client.set_attributes(json.loads(line))
        results = [client.eval_feature(key) for key in keys]
        print(json.dumps([[r.value, r.experimentResult.key if r.source == "experiment" else None] for r in results]))
