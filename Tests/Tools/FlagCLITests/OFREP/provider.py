"""Asks a server for flags by OpenFeature's own OFREP provider, and prints what it gives, a line of JSON each.

usage: provider.py URL [TOKEN] < cases, where a case is a line {"flag", "type", "default", "context"}
"""

import json
import sys

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

url, token = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
headers = (lambda: {"Authorization": f"Bearer {token}"}) if token else None
api.set_provider(OFREPProvider(url, headers_factory=headers))
client = api.get_client()
ask = {
    "boolean": client.get_boolean_details,
    "string": client.get_string_details,
    "integer": client.get_integer_details,
    "float": client.get_float_details,
    "object": client.get_object_details,
}

for line in sys.stdin:
    case = json.loads(line)
    attributes = dict(case["context"])
    context = EvaluationContext(attributes.pop("targetingKey", None), attributes)
    details = ask[case["type"]](case["flag"], case["default"], context)
    answer = {
        "value": details.value,
        "variant": details.variant,
        "reason": details.reason.value if hasattr(details.reason, "value") else details.reason,
        "error": details.error_code.value if details.error_code else None,
    }
    print(json.dumps(answer, sort_keys=True))
