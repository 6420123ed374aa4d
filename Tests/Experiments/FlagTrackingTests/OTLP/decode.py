"""Decodes a request of OTLP/HTTP in JSON by OpenTelemetry's own definitions, and prints every field that it has.

usage: decode.py < request.json
A name or a value that the definitions do not know is an error.
"""

import sys

from google.protobuf.json_format import Parse
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest


def text(value):
    """An AnyValue, with its type."""
    kind = value.WhichOneof("value")
    if kind is None:
        return "none"
    if kind == "array_value":
        return "[" + ", ".join(text(element) for element in value.array_value.values) + "]"
    if kind == "kvlist_value":
        return "{" + ", ".join(f"{pair.key}: {text(pair.value)}" for pair in value.kvlist_value.values) + "}"
    return f"{kind.removesuffix('_value')} {getattr(value, kind)}"


def fields(message, indentation=""):
    for field, value in message.ListFields():
        for part in value if field.is_repeated else [value]:
            if field.name == "attributes":
                print(f"{indentation}{part.key} = {text(part.value)}")
            elif field.message_type:
                print(f"{indentation}{field.name}")
                fields(part, indentation + "  ")
            else:
                print(f"{indentation}{field.name} = {part}")


fields(Parse(sys.stdin.read(), ExportLogsServiceRequest()))
