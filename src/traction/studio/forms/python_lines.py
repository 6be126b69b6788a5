"""The Python lines that do what a scenario does."""

from __future__ import annotations

from collections.abc import Mapping
from pprint import pformat

WIDTH = 88
INDENT = 4


def write_python(kind: str, values: dict[str, object], folder: str) -> str:
    """A short program that builds the same scenario, runs it and prints what came out."""
    return _write(kind, values, [f"run = tr.simulate(scenario, {folder!r})", "print(run)"])


def write_sweep(
    kind: str,
    values: dict[str, object],
    folder: str,
    vary: Mapping[str, object],
    options: Mapping[str, object],
) -> str:
    """A short program that carries out the same sweep and prints its table."""
    lines = [
        "found = tr.sweep(",
        "    scenario,",
        "    {",
        *(f"        {k!r}: {v!r}," for k, v in vary.items()),
    ]
    lines += [
        "    },",
        f"    {folder!r},",
        *(f"    {name}={value!r}," for name, value in options.items()),
        ")",
    ]
    return _write(kind, values, [*lines, "print(found.table)"])


def _write(kind: str, values: dict[str, object], rest: list[str]) -> str:
    lines = ["import traction as tr", "", "scenario = tr.Scenario.build(", f'    "{kind}",']
    for key, value in values.items():
        if key != "kind":
            lines += _argument(key, value)
    return "\n".join([*lines, ")", *rest, ""])


def _argument(key: str, value: object) -> list[str]:
    """`key=value,` over as many lines as it takes."""
    first, *rest = pformat(value, width=WIDTH - INDENT - len(key) - 2, sort_dicts=False).splitlines()
    indent = " " * INDENT
    lines = [f"{indent}{key}={first}", *(f"{indent}{' ' * (len(key) + 1)}{line}" for line in rest)]
    return [*lines[:-1], f"{lines[-1]},"]
