"""Calls that nobody foresaw: any path, query and body; the server never fails and always answers JSON."""

import json
import re
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studio_process import MODES
from traction.studio.server.application import API
from traction.studio.server.openapi import CALLS, describe_api

FEW, MANY, EACH = (
    60,
    5000,
    40,
)  #: calls of the quick test, of the slow one, and of each path of the description
USUAL = {"suppress_health_check": list(HealthCheck), "deadline": None}
KNOWN = ["", "0", "-1", "nan", "modes", "patch", "shape", "rolling", "train", "../..", "%2e%2e", "x" * 300]
KEYS = ["toml", "kind", "values", "name", "train", "speed", "creepage", "load", "vary", "samples", "packed"]
ASKED = ["points", "first", "last", "sample", "member", "count", "a", "b", "result", "over"]

words = st.text(max_size=12) | st.sampled_from(KNOWN)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
leaves = st.none() | st.booleans() | numbers | words
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3)
)
bodies = st.one_of(
    st.dictionaries(st.sampled_from(KEYS), values),
    st.fixed_dictionaries({"toml": words | st.just(MODES)}),
    st.fixed_dictionaries({"toml": st.just(MODES), "vary": st.dictionaries(words, words) | values}),
    st.fixed_dictionaries({"kind": st.sampled_from(["modes", "press", "cross"]), "values": values}),
    values,
)
queries = st.dictionaries(st.sampled_from(ASKED), words)
#: what starts runs and sweeps, or never ends
LEFT_OUT = {("/api/runs", "POST"), ("/api/sweeps", "POST"), ("/api/events", "GET")}
calls = st.sampled_from([(path, method) for path, method, _ in API if (path, method) not in LEFT_OUT])


def fill(path, names, key):
    """The path with names in place of its parameters, and that of a run where a name has an even length."""
    chosen = iter(names)

    def replace(found):
        word = next(chosen) or "x"
        text = key if found[1] == "id" and len(word) % 2 == 0 else word
        return quote(text.encode("utf-8", "replace"), safe="")

    return re.sub(r"\{(\w+)\}", replace, path)


def call_and_check(studio, method, path, query, body):
    """One call; its answer is JSON and no fault of the server."""
    try:
        answer = studio.client.request(method, path, params=query, json=body if method == "POST" else None)
    except UnicodeEncodeError:  # halves of characters, which no client can send
        return
    assert answer.status_code < 500, (method, path, query, body, answer.text)
    if answer.status_code >= 400:
        assert json.loads(answer.text)["error"]
    elif answer.headers.get("content-type") == "application/json":
        json.loads(answer.text, parse_constant=lambda name: pytest.fail(f"{name} in the answer of {path}"))


def check_calls(studio, done_run, count):
    """So many random calls."""

    @settings(max_examples=count, derandomize=count == FEW, **USUAL)
    @given(calls, st.lists(words, min_size=2, max_size=2), queries, bodies)
    def check(call, names, query, body):
        path, method = call
        if method == "DELETE":
            names = ["x", "x"]  # no run
        call_and_check(studio, method, fill(path, names, done_run), query, body)

    check()
    assert studio.get(f"/api/runs/{done_run}")["state"] == "done"


def test_any_call_is_answered(studio, done_run):
    check_calls(studio, done_run, FEW)


@pytest.mark.slow
def test_thousands_of_calls_are_answered(studio, done_run):
    check_calls(studio, done_run, MANY)


@pytest.mark.slow
def test_answers_are_as_the_description_says(studio, done_run):
    schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis: pip install -e '.[dev]'")
    description = describe_api(API)
    for path, method in LEFT_OUT | {("/api/runs/{id}", "DELETE"), ("/api/runs/{id}/events", "GET")}:
        description["paths"][path].pop(method.lower())
    description["paths"] = {path: item for path, item in description["paths"].items() if item}
    schema = schemathesis.openapi.from_dict(description)
    checks = [schemathesis.checks.not_a_server_error, schemathesis.checks.response_schema_conformance]
    for operation in schema.get_all_operations():

        @settings(max_examples=EACH, **USUAL)
        @given(operation.ok().as_strategy())
        def check(case):
            if "id" in (case.path_parameters or {}) and len(str(case.body or "")) % 2 == 0:
                case.path_parameters["id"] = done_run
            answer = case.call(base_url=studio.url, headers={"X-Traction-Token": studio.token})
            case.validate_response(answer, checks=checks)

        check()


def test_every_call_is_described():
    assert set(CALLS) == {(path, method) for path, method, _ in API}
    description = describe_api(API)
    names = [call["operationId"] for item in description["paths"].values() for call in item.values()]
    assert len(set(names)) == len(names)
    for reference in re.findall(r"#/components/schemas/(\w+)", json.dumps(description)):
        assert reference in description["components"]["schemas"]


def test_the_served_description_is_this_one(studio):
    assert studio.get("/api/openapi.json") == json.loads(json.dumps(describe_api(API)))
