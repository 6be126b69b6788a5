"""Calls that nobody foresaw: any path, query and body; the server never fails and always answers JSON."""

import json
import re
from collections import Counter
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from studio_process import MODES, running_studio
from traction.studio.server.application import API
from traction.studio.server.openapi import CALLS, describe_api

#: calls of the quick test, of the slow one, and of each path of the description
FEW, MANY, EACH = 60, 5000, 40
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
lengths = st.sampled_from(["20 m", "10, 30 m", "10:30:3 m", "uniform(10, 30 m)", "20 kg"]) | words
cases = st.builds(
    lambda title, modes, length: (
        MODES.replace('"Modes of a bridge"', json.dumps(title))
        .replace("modes = 3", f"modes = {modes}")
        .replace('"20 m"', json.dumps(length))
    ),
    words,
    st.integers(1, 9) | numbers,
    st.just("20 m") | lengths,
)
varied = st.dictionaries(st.sampled_from(["beam.length", "modes", "beam.lenght"]), lengths, max_size=2)
sweeps = st.fixed_dictionaries(
    {"toml": st.just(MODES) | cases, "vary": varied},
    optional={
        "name": words,
        "workers": st.integers(-1, 2) | leaves,
        "samples": st.integers(1, 3) | leaves,
        "keep": st.sampled_from(["runs", "figures"]) | words,
        "zipped": leaves,
        "seed": leaves,
    },
)
bodies = st.one_of(
    st.fixed_dictionaries({"toml": st.just(MODES) | cases}, optional={"name": words}),
    sweeps,
    st.dictionaries(st.sampled_from(KEYS), values),
    st.fixed_dictionaries({"toml": words | st.just(MODES)}),
    st.fixed_dictionaries({"toml": st.just(MODES), "vary": st.dictionaries(words, words) | values}),
    st.fixed_dictionaries({"kind": st.sampled_from(["modes", "press", "cross"]), "values": values}),
    values,
)
queries = st.dictionaries(st.sampled_from(ASKED), words)
#: never ends
LEFT_OUT = {("/api/events", "GET")}
#: change the run or the sweep that they name, which is one that a random call has started
CHANGING = {"stop", "resume", "report", "DELETE"}
STARTING = [("/api/runs", "POST"), ("/api/sweeps", "POST")]
ALL = [(path, method) for path, method, _ in API if (path, method) not in LEFT_OUT]
calls = st.sampled_from(ALL + 2 * STARTING)


def fill(path, names, key):
    """The path with names in place of its parameters, and that of a run where a name has an even length."""
    chosen = iter(names)

    def replace(found):
        word = next(chosen) or "x"
        text = key if found[1] == "id" and len(word) % 2 == 0 else word
        return quote(text.encode("utf-8", "replace"), safe="")

    return re.sub(r"\{(\w+)\}", replace, path)


def call_and_check(studio, method, path, query, body):
    """One call; its answer is JSON and no fault of the server. None where no client can send it."""
    try:
        answer = studio.client.request(method, path, params=query, json=body if method == "POST" else None)
    except UnicodeEncodeError:  # halves of characters
        return None
    assert answer.status_code < 500, (method, path, query, body, answer.text)
    if answer.status_code >= 400:
        assert json.loads(answer.text)["error"]
    elif answer.headers.get("content-type") == "application/json":
        json.loads(answer.text, parse_constant=lambda name: pytest.fail(f"{name} in the answer of {path}"))
    return answer


def check_calls(studio, done_run, count):
    """So many random calls; how many of each kind were made, and what was started."""
    made, started = Counter(), []

    @settings(max_examples=count, derandomize=count == FEW, **USUAL)
    @example(STARTING[0], ["x", "x"], {}, {"toml": MODES}, 0)
    @example(STARTING[1], ["x", "x"], {}, {"toml": MODES, "vary": {"modes": "1, 2"}}, 0)
    @given(calls, st.lists(words, min_size=2, max_size=2), queries, bodies, st.integers(0, 99))
    def check(call, names, query, body, choice):
        path, method = call
        key = done_run
        if {method, path.rpartition("/")[2]} & CHANGING:
            key = started[choice % len(started)] if started else "x"
        answer = call_and_check(studio, method, fill(path, names, key), query, body)
        if answer is None:
            return
        made[path, method] += 1
        if answer.status_code == 201 and call in STARTING:
            started.append(answer.json()["id"])

    check()
    for key in started:  # other tests wait for the same processes
        studio.client.post(f"/api/runs/{key}/stop")
        studio.client.post(f"/api/sweeps/{key}/stop")
    assert studio.get(f"/api/runs/{done_run}")["state"] == "done"
    return made, started


def test_any_call_is_answered(studio, done_run):
    made, started = check_calls(studio, done_run, FEW)
    assert set(STARTING) <= set(made)
    assert len(started) >= 2


@pytest.mark.slow
def test_thousands_of_calls_are_answered(tmp_path):
    """Runs and sweeps that they start wait for one process; those beyond the queue are refused."""
    with running_studio(tmp_path, "--jobs", "1") as studio:
        done = studio.start(MODES)
        studio.wait(done, lambda run: run["report"] in ("ready", "failed"))
        made, started = check_calls(studio, done, MANY)
        print(f"{made.total()} calls, {len(started)} runs and sweeps started")
        assert made.total() >= 0.99 * MANY
        assert min(made[call] for call in ALL) > 50
        assert len(started) > 20


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
