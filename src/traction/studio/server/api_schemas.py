"""JSON schemas of what the API takes and gives."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": 0}
SWITCH: Schema = {"type": "boolean"}
ANY: Schema = {}
STATES = ("queued", "running", "done", "stopped", "failed", "interrupted")
#: handles of the drags, in SI
CREEPAGE = {"type": "number", "minimum": -0.05, "maximum": 0.05}
LENGTH = {"type": "number", "minimum": 1e-3, "maximum": 20e-3}


def maybe(schema: Schema) -> Schema:
    """The same, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def many(schema: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": schema}


def table(required: Schema, optional: Schema | None = None) -> Schema:
    """An object with keys that are always there, and others that may be."""
    return {"type": "object", "required": list(required), "properties": {**required, **(optional or {})}}


def ref(name: str) -> Schema:
    """A schema by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


#: what the entries of runs and of sweeps have in common
ENTRY: Schema = {
    "name": TEXT,
    "title": TEXT,
    "kind": TEXT,
    "state": {"enum": list(STATES)},
    "progress": {"type": "number", "minimum": 0.0, "maximum": 1.0},
    "message": TEXT,
    "seconds_left": maybe(NUMBER),
    "can_stop": SWITCH,
    "can_resume": SWITCH,
    "can_delete": SWITCH,
    "pid": maybe(COUNT),
}
SCHEMAS: dict[str, Schema] = {
    "Error": table({"error": TEXT}, {"errors": many({"anyOf": [ref("Problem"), ref("SweepProblem")]})}),
    "Problem": table({"path": many(ANY), "key": TEXT, "line": maybe(COUNT), "message": TEXT}),
    "SweepProblem": table({"key": TEXT, "message": TEXT}),  # `key` is the one that is varied
    "Run": table(
        {
            "id": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
            **ENTRY,
            "phase": TEXT,
            "seconds": NUMBER,
            "samples": COUNT,
            "total": COUNT,
            "report": {"enum": ["none", "drawing", "ready", "failed"]},
            "created": TEXT,
            "updated": TEXT,
            "sweep": maybe(TEXT),
        }
    ),
    "Sweep": table({"id": TEXT, **ENTRY, "variants": COUNT, "done": COUNT, "failed": COUNT}),
    "File": table({"name": TEXT, "bytes": COUNT, "type": TEXT, "group": TEXT}),
    "Axis": table({"name": TEXT, "label": TEXT, "unit": TEXT, "values": many(ANY)}),
    "Curve": table({"name": TEXT, "label": TEXT, "unit": TEXT, "group": TEXT, "values": many(maybe(NUMBER))}),
    "Layer": table(
        {
            "name": TEXT,
            "label": TEXT,
            "unit": TEXT,
            "kind": {"enum": ["positive", "signed", "state"]},
            "low": NUMBER,
            "high": NUMBER,
            "values": many(many(maybe(NUMBER))),
        },
        {"names": many(TEXT)},
    ),
    "View": table({"name": TEXT, "type": TEXT, "title": TEXT, "fields": many(TEXT)}),
    "Field": table(
        {
            "key": TEXT,
            "label": TEXT,
            "type": {
                "enum": [
                    "quantity",
                    "number",
                    "integer",
                    "text",
                    "boolean",
                    "choice",
                    "table",
                    "list",
                    "pair",
                    "either",
                    "free",
                ]
            },
            "required": SWITCH,
            "optional": SWITCH,
            "advanced": SWITCH,
            "help": TEXT,
        }
    ),
    "Checked": table(
        {
            "ok": SWITCH,
            "kind": TEXT,
            "title": TEXT,
            "errors": many(ref("Problem")),
            "notes": many(TEXT),
            "toml": TEXT,
            "values": ANY,
            "normal": maybe(TEXT),
            "python": maybe(TEXT),
        }
    ),
}
