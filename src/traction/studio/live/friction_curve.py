"""A law of friction whose curve is dragged by its handles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import traction as tr
from traction.studio.live.drags import DragHandle, Given, describe_handles
from traction.studio.messages import Facts, RefusedError, describe_axis, describe_curve

FASTEST = DragHandle("fastest", "largest slip speed shown", "m/s", 5.0, 0.1, 50.0)
POINTS = 201
FALLING = (
    DragHandle("kinetic", "coefficient at high slip speed", "", 0.15, 0.0, 1.0, 0.01),
    DragHandle("fall", "fall from rest to high slip speed", "", 0.2, 0.0, 1.0, 0.01),
    DragHandle("half_speed", "slip speed at which half of it has fallen", "m/s", 1.0, 0.01, 20.0, 0.05),
)
POLACH = (
    DragHandle("static", "coefficient at rest", "", 0.35, 0.01, 1.0, 0.01),
    DragHandle("ratio", "coefficient at high slip speed over that at rest", "", 0.4, 0.0, 1.0, 0.01),
    DragHandle("decay", "exponential decrease", "s/m", 0.6, 0.01, 10.0, 0.01),
)


@dataclass(frozen=True)
class LawChoice:
    """A law by name, with its handles and how they become its arguments."""

    title: str
    handles: tuple[DragHandle, ...]
    arguments: Callable[..., tuple[object, ...]]


def _falling(kinetic: float, fall: float, half_speed: float) -> tuple[object, ...]:
    return kinetic, (fall, half_speed)


LAWS = {
    "exponential": LawChoice("exponential fall", FALLING, _falling),
    "rational": LawChoice("rational fall", FALLING, _falling),
    "linear": LawChoice("linear fall", FALLING, _falling),
    "polach": LawChoice("falling friction of Polach", POLACH, lambda *numbers: numbers),
}


def describe() -> Facts:
    """The laws and their handles."""
    laws = [
        {"name": name, "title": law.title, "parameters": describe_handles(law.handles)}
        for name, law in LAWS.items()
    ]
    return {"laws": laws, "parameters": describe_handles((FASTEST,))}


def solve(given: Given) -> Facts:
    """The coefficient of friction over the slip speed."""
    name = given.get("law", "exponential")
    if not isinstance(name, str) or name not in LAWS:
        raise RefusedError(400, f"law must be one of {', '.join(LAWS)}.")
    parameters = given.get("parameters", {})
    if not isinstance(parameters, dict):
        raise RefusedError(400, "parameters must be an object of numbers.")
    law = LAWS[name]
    arguments = law.arguments(*(handle.read(parameters) for handle in law.handles))
    made = getattr(tr.friction, name)(*arguments)
    speeds = FASTEST.read(given) * np.linspace(0.0, 1.0, POINTS)
    curve = {
        "x": describe_axis("slip_speed", "slip speed", "m/s", speeds),
        "series": [describe_curve("coefficient", "coefficient of friction", "", made.coefficient(speeds))],
    }
    words = ", ".join(_tell(one) for one in arguments)
    python = f"import traction as tr\n\nlaw = tr.friction.{name}({words})\nlaw.coefficient([0.0, 1.0])\n"
    return {"curve": curve, "static": float(made.static), "kinetic": float(made.kinetic), "python": python}


def _tell(argument: object) -> str:
    if isinstance(argument, tuple):
        return f"({', '.join(map(_tell, argument))})"
    return f"{argument:g}"
