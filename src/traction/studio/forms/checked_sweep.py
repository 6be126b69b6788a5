"""A sweep as it is typed: keys that can be varied, what is wrong with the values, the number of variants."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from traction.errors import TractionError
from traction.kinds.case import Scenario, check_document, loads
from traction.kinds.registry import kind_of
from traction.kinds.sweep.sweep_plan import plan_sweep
from traction.results.sweeps.sweep_folder import RUNS, Plan
from traction.scenario.changes import written
from traction.scenario.dimensions import si_unit_at
from traction.scenario.distributions import LATIN, choose_sampling
from traction.scenario.toml import KeyPath, ScenarioError, parse
from traction.scenario.variations import combinations, variations
from traction.studio.forms.checked_case import NAME, write_sweep
from traction.studio.messages import Facts, RefusedError

MOST_VARIANTS = 2000  #: that a studio starts
MOST_KEYS = 400  #: that are offered
UNVARIED = ("kind", "title")

Given = Mapping[str, object]


@dataclass(frozen=True)
class SweepOrder:
    """What is varied and how, as a client gives it."""

    vary: dict[str, object]
    zipped: bool = False
    samples: int | None = None
    sampling: str = LATIN
    seed: int = 0
    keep: str = RUNS

    @classmethod
    def read(cls, given: Given) -> SweepOrder:
        """Of a request; other keys are ignored."""
        vary, zipped, keep = given.get("vary"), given.get("zipped", False), given.get("keep", RUNS)
        if not isinstance(vary, dict) or not all(isinstance(one, str | list) for one in vary.values()):
            raise RefusedError(400, "vary must be an object of texts or lists, one for each key.")
        samples, seed, sampling = given.get("samples"), given.get("seed", 0), given.get("sampling", LATIN)
        if not isinstance(zipped, bool) or not isinstance(keep, str) or not isinstance(sampling, str):
            raise RefusedError(400, "zipped must be true or false, keep and sampling texts.")
        whole = all(isinstance(one, int) and not isinstance(one, bool) for one in (samples or 0, seed))
        if not whole or isinstance(samples, bool):
            raise RefusedError(400, "samples and seed must be whole numbers.")
        return cls(dict(vary), zipped, samples, sampling, seed, keep)  # type: ignore[arg-type]

    def plan(self, scenario: Scenario) -> Plan:
        """The plan; all variants are checked."""
        drawn = choose_sampling(self.samples, self.sampling, self.seed)
        varied = variations(self.vary, drawn)
        count = len(combinations(varied, self.zipped))
        if count > MOST_VARIANTS:
            raise RefusedError(
                422, f"{count} variants: the Studio starts at most {MOST_VARIANTS}; run `traction sweep`."
            )
        return plan_sweep(scenario, varied, zipped=self.zipped, sampling=drawn, keep=self.keep)

    @property
    def options(self) -> Facts:
        """Arguments of `tr.sweep` that are not the usual ones."""
        usual = SweepOrder({})
        names = ("zipped", "samples", "sampling", "seed", "keep")
        return {name: getattr(self, name) for name in names if getattr(self, name) != getattr(usual, name)}


def plan_order(toml: str, given: Given) -> Plan:
    """The plan of a sweep that was checked before."""
    return SweepOrder.read(given).plan(loads(toml))


def check_sweep(toml: str, given: Facts, folder: str | None = None) -> Facts:
    """Check a sweep over a scenario; files that it names lie in `folder`."""
    order = SweepOrder.read(given)
    try:
        document = parse(toml.encode("utf-8"), NAME)
        values = parse(toml.encode("utf-8"), NAME).data
        scenario = check_document(document, None if folder is None else Path(folder))
    except (UnicodeEncodeError, TractionError) as error:
        return _describe(errors=[{"key": "", "message": f"The case itself is not valid: {error}"}])
    keys = list(_list_keys(scenario, values))[:MOST_KEYS]
    facts: Facts = {"keys": keys, "kind": scenario.kind, "title": str(getattr(scenario.case, "title", ""))}
    if not order.vary:
        return _describe(**facts)
    try:
        plan = order.plan(scenario)
    except RefusedError as refused:
        return _describe(**facts, errors=[{"key": "", "message": refused.sentence}])
    except ScenarioError as error:
        return _describe(**facts, errors=[_problem(one, order) for one in error.problems])
    except TractionError as error:
        return _describe(**facts, errors=[_problem(str(error), order)])
    inside = {key: value for key, value in values.items() if key != "kind"}
    named = re.sub(r"[^a-z0-9]+", "-", plan.title.lower()).strip("-")[:50] or plan.kind
    python = write_sweep(plan.kind, inside, f"{named}-sweep", order.vary, order.options)
    rest: Facts = {"ok": True, "variants": len(plan.variants), "python": python}
    return _describe(**facts, **rest, normal=scenario.to_toml())


def _describe(**facts: object) -> Facts:
    nothing: Facts = {"ok": False, "kind": "", "title": "", "variants": 0, "errors": [], "keys": []}
    return {**nothing, "python": None, "normal": None, **facts}


def _problem(sentence: str, order: SweepOrder) -> Facts:
    """A sentence, and the varied key that it is about."""
    own = [
        key for key in order.vary if key and re.search(rf"(?<![\w.]){re.escape(key)}(?![\w.\[])", sentence)
    ]
    key = max(own, key=len, default="")
    words = sentence.removeprefix(f"sweep of {key}: ").removeprefix(f"{NAME}: ")
    return {"key": key, "message": words if key and words.startswith(key) else words[:1].upper() + words[1:]}


def _list_keys(scenario: Scenario, values: Facts) -> Iterator[Facts]:
    """Keys that can be varied: numbers and words, as they are written in the case, then defaults."""
    schema, seen = kind_of(scenario.kind).schema, set()
    for table in (values, tomllib.loads(scenario.to_toml())):
        for path, value in _leaves(table):
            key = written(path)
            if key not in seen and key not in UNVARIED:
                seen.add(key)
                yield {"key": key, "value": value, "unit": si_unit_at(schema, path)}


def _leaves(value: object, path: KeyPath = ()) -> Iterator[tuple[KeyPath, object]]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _leaves(one, (*path, key))
    elif isinstance(value, list) and any(isinstance(one, dict) for one in value):
        for number, one in enumerate(value):
            yield from _leaves(one, (*path, number))
    elif isinstance(value, str | int | float):
        yield path, value
