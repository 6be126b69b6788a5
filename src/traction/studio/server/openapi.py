"""The description of the API for tools: OpenAPI 3.1, with JSON schemas of what it takes and gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from traction.version import __version__

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": 0}
SWITCH: Schema = {"type": "boolean"}
ANY: Schema = {}
FIELD_TYPES = "quantity number integer text boolean choice table list pair either free"
STATES = ("queued", "running", "done", "stopped", "failed", "interrupted")
#: handles of the drags, in SI
CREEPAGE = {"type": "number", "minimum": -0.05, "maximum": 0.05}
LENGTH = {"type": "number", "minimum": 1e-3, "maximum": 20e-3}
PARAMETER = re.compile(r"\{(\w+)\}")
IDENTIFIER: Schema = {"type": "string", "pattern": "^[0-9a-f]{16}$"}
COMMON = (400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 503, 507)
POINTS = {"type": "integer", "minimum": 2, "maximum": 20_000}
SAMPLE = {"type": "integer", "minimum": -1, "maximum": 10**10}
START = {"type": "integer", "minimum": 0, "maximum": 10**10}
NAME = {"type": "string", "maxLength": 100}

Routes = Iterable[tuple[str, str, Callable[..., Any]]]


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


#: a sweep to check or to start
SWEEP = table(
    {"toml": TEXT, "vary": {"type": "object", "additionalProperties": {"anyOf": [TEXT, many(ANY)]}}},
    {
        "zipped": SWITCH,
        "samples": maybe({"type": "integer"}),
        "sampling": {"enum": ["latin-hypercube", "random"]},
        "seed": {"type": "integer"},
        "keep": {"enum": ["runs", "figures"]},
    },
)
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
            "type": {"enum": FIELD_TYPES.split()},
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


@dataclass(frozen=True)
class Described:
    """What a call takes and gives, beside what its path says."""

    gives: Schema | None = field(default_factory=dict)  #: None for an empty answer
    takes: Schema | None = None
    query: dict[str, Schema] = field(default_factory=dict)
    needed: tuple[str, ...] = ()  #: parameters of the query that must be given
    status: int = 200
    kind: str = "application/json"  #: of the answer


BYTES = "application/octet-stream"
EVENTS = "text/event-stream"
CALLS: dict[tuple[str, str], Described] = {
    ("/api/openapi.json", "GET"): Described(table({"openapi": TEXT})),
    ("/api/info", "GET"): Described(
        table({"version": TEXT, "workspace": TEXT, "open": maybe(ANY), "limits": ANY, "live": many(TEXT)})
    ),
    ("/api/events", "GET"): Described(TEXT, kind=EVENTS),
    ("/api/cases", "GET"): Described(
        table({"cases": many(table({"name": TEXT, "title": TEXT, "kind": TEXT, "description": TEXT}))})
    ),
    ("/api/cases/{name}", "GET"): Described(
        table({"name": TEXT, "title": TEXT, "kind": TEXT, "toml": TEXT, "values": ANY})
    ),
    ("/api/kinds", "GET"): Described(
        table({"kinds": many(table({"name": TEXT, "summary": TEXT, "start": maybe(TEXT)}))})
    ),
    ("/api/kinds/{kind}/schema", "GET"): Described(
        table({"kind": TEXT, "summary": TEXT, "fields": many(ref("Field"))})
    ),
    ("/api/check", "POST"): Described(
        ref("Checked"),
        {"anyOf": [table({"toml": TEXT}), table({"kind": TEXT, "values": {"type": "object"}})]},
    ),
    ("/api/runs", "GET"): Described(table({"runs": many(ref("Run")), "sweeps": many(ref("Sweep"))})),
    ("/api/runs", "POST"): Described(
        table({"id": IDENTIFIER}),
        table({"toml": TEXT}, {"name": maybe(NAME)}),
        status=201,
    ),
    ("/api/runs/{id}", "GET"): Described(ref("Run")),
    ("/api/runs/{id}", "DELETE"): Described(None, status=204),
    ("/api/runs/{id}/details", "GET"): Described(
        {"allOf": [ref("Run"), table({"toml": TEXT, "figures": many(ANY), "files": many(ref("File"))})]}
    ),
    ("/api/runs/{id}/stop", "POST"): Described(ref("Run"), status=202),
    ("/api/runs/{id}/resume", "POST"): Described(ref("Run"), status=202),
    ("/api/runs/{id}/report", "POST"): Described(ref("Run"), status=202),
    ("/api/runs/{id}/report-link", "POST"): Described(table({"url": TEXT}), status=201),
    ("/api/runs/{id}/events", "GET"): Described(TEXT, kind=EVENTS),
    ("/api/runs/{id}/files", "GET"): Described(table({"files": many(ref("File"))})),
    ("/api/runs/{id}/files/{name}", "GET"): Described(TEXT, kind=BYTES),
    ("/api/runs/{id}/export/{format}", "GET"): Described(TEXT, kind=BYTES),
    ("/api/runs/{id}/views", "GET"): Described(
        table(
            {"kind": TEXT, "samples": {"type": "integer"}, "label": ref("Axis"), "views": many(ref("View"))}
        )
    ),
    ("/api/runs/{id}/views/{name}", "GET"): Described(
        table({"name": TEXT, "type": TEXT, "title": TEXT}),
        query={"points": POINTS, "first": START, "last": SAMPLE, "sample": SAMPLE, "member": START},
    ),
    ("/api/runs/{id}/frames", "GET"): Described(
        table({"scene": TEXT, "rows": many(ANY), "label": ref("Axis")}),
        query={"count": {**POINTS, "maximum": 240}, "first": START, "last": SAMPLE},
    ),
    ("/api/runs/{id}/crossing", "POST"): Described(
        table({"toml": TEXT}), table({"train": {"type": "integer", "minimum": 0}, "speed": NUMBER})
    ),
    ("/api/compare", "GET"): Described(
        table({"a": ref("Run"), "b": ref("Run"), "same_kind": SWITCH, "scenario": many(ANY)}),
        query={"a": IDENTIFIER, "b": IDENTIFIER},
        needed=("a", "b"),
    ),
    ("/api/compare/{name}", "GET"): Described(
        table({"label": TEXT, "unit": TEXT, "a": ANY, "b": ANY, "difference": maybe(ANY)}),
        query={"a": IDENTIFIER, "b": IDENTIFIER, "points": POINTS},
        needed=("a", "b"),
    ),
    ("/api/check-sweep", "POST"): Described(
        table({"ok": SWITCH, "variants": COUNT, "errors": many(ref("SweepProblem")), "keys": many(ANY)}),
        SWEEP,
    ),
    ("/api/sweeps", "POST"): Described(
        table({"id": IDENTIFIER}),
        {**SWEEP, "properties": {**SWEEP["properties"], "workers": COUNT, "name": maybe(NAME)}},
        status=201,
    ),
    ("/api/sweeps/{id}", "DELETE"): Described(None, status=204),
    ("/api/sweeps/{id}/stop", "POST"): Described(ref("Sweep"), status=202),
    ("/api/sweeps/{id}/resume", "POST"): Described(ref("Sweep"), status=202),
    ("/api/sweeps/{id}/events", "GET"): Described(TEXT, kind=EVENTS),
    ("/api/sweeps/{id}", "GET"): Described(
        {"allOf": [ref("Sweep"), table({"varied": many(ANY), "results": many(ANY), "rows": many(ANY)})]}
    ),
    ("/api/sweeps/{id}/map", "GET"): Described(
        table({"x": ref("Axis"), "values": many(ANY), "runs": many(ANY)}),
        query={"result": TEXT, "over": TEXT},
    ),
    ("/api/live/{name}", "GET"): Described(table({"parameters": many(ANY)})),
    ("/api/live/{name}", "POST"): Described(
        table({"seconds": NUMBER}),
        table(
            {},
            {
                "creepage": {"type": "array", "items": CREEPAGE, "minItems": 2, "maxItems": 2},
                "spin": {"type": "number", "minimum": -5.0, "maximum": 5.0},
                "load": {"type": "number", "minimum": 1e3, "maximum": 500e3},
                "semi_axes": {"type": "array", "items": LENGTH, "minItems": 2, "maxItems": 2},
                "friction": {"type": "number", "minimum": 0.01, "maximum": 1.0},
                "speed": {"type": "number", "minimum": 10.0, "maximum": 140.0},
                "y": {"type": "number", "minimum": -8e-3, "maximum": 8e-3},
                "yaw": {"type": "number", "minimum": -0.03, "maximum": 0.03},
                "packed": SWITCH,
            },
        ),
    ),
}


def describe_api(routes: Routes) -> Schema:
    """The description of all calls."""
    paths: dict[str, Schema] = {}
    for path, method, function in routes:
        paths.setdefault(path, {})[method.lower()] = _describe_call(path, method, function)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Traction Studio",
            "version": __version__,
            "description": "Cases, runs and results, on this machine only. All numbers are in SI units.",
        },
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "apiKey", "in": "header", "name": "X-Traction-Token"}},
            "schemas": SCHEMAS,
        },
    }


def _describe_call(path: str, method: str, function: Callable[..., Any]) -> Schema:
    about = CALLS[path, method]
    call: Schema = {
        "operationId": function.__name__,
        "summary": (function.__doc__ or "").splitlines()[0],
        "tags": [path.split("/")[2].partition(".")[0]],
        "parameters": [*map(_path_parameter, PARAMETER.findall(path)), *_query_parameters(about)],
        "responses": {str(about.status): _answer(about)},
    }
    for status in COMMON:
        call["responses"][str(status)] = _error(status)
    if about.takes is not None:
        call["requestBody"] = {"required": True, "content": {"application/json": {"schema": about.takes}}}
    return call


def _path_parameter(name: str) -> Schema:
    schema = IDENTIFIER if name == "id" else {"type": "string", "minLength": 1}
    if name == "format":
        schema = {"enum": ["csv", "mat", "nc", "toml"]}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _query_parameters(about: Described) -> list[Schema]:
    return [
        {"name": name, "in": "query", "required": name in about.needed, "schema": schema}
        for name, schema in about.query.items()
    ]


def _answer(about: Described) -> Schema:
    if about.gives is None:
        return {"description": "done"}
    return {"description": "done", "content": {about.kind: {"schema": about.gives}}}


def _error(status: int) -> Schema:
    return {"description": f"refused ({status})", "content": {"application/json": {"schema": ref("Error")}}}
