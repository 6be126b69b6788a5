"""All integration methods, in one place. A new method adds a line here and a module beside this one."""

from __future__ import annotations

import math
from dataclasses import fields
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module

from traction.checks import shown
from traction.errors import InputError
from traction.integrators.core.method import Method

MODULES = {
    "euler-forward": "euler_forward.EulerForward",
    "euler-backward": "euler_backward.EulerBackward",
    "symplectic-euler": "symplectic_euler.SymplecticEuler",
    "rk4": "rk4.RungeKutta4",
    "radau-ia": "radau_ia.RadauIA",
    "radau-iia": "radau_iia.RadauIIA",
    "verlet": "verlet.Verlet",
    "newmark": "newmark.Newmark",
    "hht": "hht.HHT",
    "generalized-alpha": "generalized_alpha.GeneralizedAlpha",
    "energy-conserving": "energy_conserving.EnergyConserving",
}


class MethodTable(dict[str, Method]):
    """Methods by name, each with its default options; printing it gives a table."""

    def __repr__(self) -> str:
        lines = [f"{'method':<18} {'order':>5} {'limit':>6}  numerical damping"]
        for name, method in self.items():
            limit = "none" if math.isinf(method.stability_limit) else f"{method.stability_limit:.4g}"
            lines.append(f"{name:<18} {method.order:>5} {limit:>6}  {method.damping}")
        return "\n".join(lines)


def methods() -> MethodTable:
    """All methods: names with order, stability limit (omega*dt) and numerical damping of each."""
    return MethodTable({name: method(name) for name in MODULES})


def method(name: str | Method, **options: object) -> Method:
    """The method of that name with its options; a `Method` is returned as it is."""
    if isinstance(name, Method):
        if options:
            raise InputError(f"{', '.join(options)}: options go into the method itself, {name!r}.")
        return name
    if not isinstance(name, str) or name not in MODULES:
        close = get_close_matches(str(name)[:40], MODULES, n=1, cutoff=0.6)
        hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(MODULES)}."
        raise InputError(f"method = {shown(name)} is not known; {hint}")
    if not options:
        return _with_defaults(name)
    kind = _kind(name)
    allowed = [field.name for field in fields(kind)]
    for option in options:
        if option not in allowed:
            close = get_close_matches(option, allowed, n=1, cutoff=0.4)
            hint = f"did you mean {close[0]!r}?" if close else f"it takes {', '.join(allowed) or 'none'}."
            raise InputError(f"{option} = {shown(options[option])} is no option of method {name!r}; {hint}")
    return kind(**options)


@lru_cache
def _with_defaults(name: str) -> Method:
    return _kind(name)()


def _kind(name: str) -> type[Method]:
    module, cls = MODULES[name].split(".")
    kind: type[Method] = getattr(import_module(f"traction.integrators.methods.{module}"), cls)
    return kind
