"""Evaluates flags with LaunchDarkly's own SDK: evaluate.py ADDRESS polling|streaming KEY...

Reads a context in JSON from each line of the input, and writes the outcomes of all keys for it on a line.
"""

import json
import logging
import sys

import ldclient
from ldclient.config import Config
from ldclient.context import Context

address, mode, keys = sys.argv[1], sys.argv[2], sys.argv[3:]
logging.getLogger("ldclient").setLevel(logging.CRITICAL)
client = ldclient.LDClient(
    Config(
        "sdk-key",
        base_uri=address,
        stream_uri=address,
        stream=mode == "streaming",
        poll_interval=3600,
        send_events=False,
        diagnostic_opt_out=True,
    ),
    start_wait=30,
)
assert client.is_initialized()
for line in sys.stdin:
    context = Context.from_dict(json.loads(line))
    assert context.valid, context.error
    outcomes = []
    for key in keys:
        detail = client.variation_detail(key, context, "none")
        outcomes.append([detail.value, detail.variation_index, detail.reason])
    print(json.dumps(outcomes, separators=(",", ":")))
client.close()
