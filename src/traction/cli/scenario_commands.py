"""Commands about scenario files: `new`, `validate`, `schema`."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from traction.app.terminal import columns_of, definitions, fit
from traction.cli.options import (
    Change,
    File,
    Json,
    KindName,
    Start,
    find_scenario,
    hint_at_units,
    parse_changes,
)
from traction.cli.output import say
from traction.errors import InputError


def new(
    kind: Start = None,
    out: Annotated[Path | None, typer.Option(help="file to write; printed by default")] = None,
) -> None:
    """Write a scenario file to start from."""
    if kind is None:
        typer.echo(_list_kinds())
        return
    text = _find_start(kind).read_text(encoding="utf-8")
    if out is None:
        sys.stdout.write(text)
        return
    if out.exists():
        raise InputError(f"{out} exists; choose another name, or remove it.")
    from traction.outputs.atomic import write_atomic

    write_atomic(out, text.encode())
    typer.echo(fit(f"wrote {out}; run with: traction run {shlex.quote(str(out))}", None))


def validate(file: File, change: Change = [], as_json: Json = False) -> None:  # noqa: B006 - typer copies it
    """Check a scenario file."""
    from traction.kinds.case import load

    found, changes = find_scenario(file), parse_changes(change)
    kind = load(found, changes=changes).kind
    say({"file": str(file), "kind": kind, "valid": True}, f"{file}: valid, kind {kind}", as_json)
    hint_at_units(found, changes)


def schema(kind: KindName = "press") -> None:
    """Print the JSON Schema of a kind, for editors."""
    from traction.kinds.registry import kind_of

    definition = kind_of(kind)
    document = definition.schema.model_json_schema()
    document["properties"] = {"kind": {"const": kind}, **document.get("properties", {})}
    document["required"] = ["kind", *document.get("required", [])]
    document["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    typer.echo(json.dumps(document, indent=1))


def _list_kinds() -> str:
    """The kinds with one line each, and how to begin."""
    from traction.kinds.registry import KINDS

    return "\n".join(
        [
            "kinds of scenarios; write one with: traction new KIND --out FILE.toml",
            *definitions(KINDS.items(), columns_of()),
            "list built-in examples with: traction info",
        ]
    )


def _find_start(name: str) -> Path:
    """The file of a built-in example, or the one to start from of a kind."""
    from traction.kinds.registry import KINDS, STARTS, shipped

    names = shipped()
    of_kind = (one for one in names if _kind_in(names[one]) == name)
    chosen = name if name in names else STARTS.get(name) or next(of_kind, None)
    if chosen is None:
        from difflib import get_close_matches

        close = get_close_matches(name, [*names, *KINDS], n=1, cutoff=0.4)
        hint = f'did you mean "{close[0]}"?' if close else f"known are {', '.join([*KINDS, *names])}."
        raise InputError(f'"{name}" is neither a kind nor a built-in example; {hint}')
    return names[chosen]


def _kind_in(path: Path) -> str:
    import tomllib

    return str(tomllib.loads(path.read_text(encoding="utf-8"))["kind"])
