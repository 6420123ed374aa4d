"""Evaluates features with GrowthBook's own SDK: evaluate.py HOST CONTEXTS sticky|plain KEYS

HOST serves the document; CONTEXTS is a file of attributes, a JSON object on each line. Prints for each line a JSON
array with the value and the variation's key, or null, of each of the features KEYS; null for one that fails.
"""

import json
import logging
import sys

from growthbook import GrowthBook, InMemoryStickyBucketService


class Document(dict):
    """A user's assignments, which are read as a copy: the SDK adds those of the fallback attribute to what it reads."""

    def get(self, name, default=None):
        value = super().get(name, default)
        return dict(value) if isinstance(value, dict) else value


class Store(InMemoryStickyBucketService):
    def get_assignments(self, name, value):
        found = super().get_assignments(name, value)
        return found and Document(found)


host, contexts, mode, *keys = sys.argv[1:]
logging.getLogger("growthbook").setLevel(logging.CRITICAL)
store = Store() if mode == "sticky" else None
client = GrowthBook(api_host=host, client_key="sdk-1", sticky_bucket_service=store)
client.load_features()


def evaluate(key):
    try:
        client.refresh_sticky_buckets(force=True)
        result = client.eval_feature(key)
    except Exception:
        return None
    return [result.value, result.experimentResult.key if result.source == "experiment" else None]


with open(contexts, encoding="utf-8") as lines:
    for line in lines:
        client.set_attributes(json.loads(line))
        print(json.dumps([evaluate(key) for key in keys]))
