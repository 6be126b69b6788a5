"""All integration methods. A new method adds a line here and a module in `methods`."""

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
    """Methods by name, each with its default options; printed as a table."""

    def __repr__(self) -> str:
        lines = [f"{'method':<18} {'order':>5} {'limit':>6}  numerical damping"]
        for name, method in self.items():
            limit = "none" if math.isinf(method.stability_limit) else f"{method.stability_limit:.4g}"
            lines.append(f"{name:<18} {method.order:>5} {limit:>6}  {method.damping}")
        return "\n".join(lines)


def methods() -> MethodTable:
    """Return all integration methods with their order, stability limit and numerical damping.

    Returns
    -------
    MethodTable
        A dict of `tr.Method` by name, printed as a table; the stability limit is in omega*dt.

    Examples
    --------
    >>> list(tr.methods())[:4]
    ['euler-forward', 'euler-backward', 'symplectic-euler', 'rk4']
    >>> tr.methods()["newmark"].order
    2
    """
    return MethodTable({name: method(name) for name in MODULES})


def method(name: str | Method, **options: object) -> Method:
    """Return an integration method with its options.

    Parameters
    ----------
    name
        Name from `tr.methods()`; a `Method` is returned unchanged.
    **options
        Options of the method, such as beta=0.25.

    Returns
    -------
    Method
        For `tr.integrate(system, method)`.

    Raises
    ------
    InputError
        If there is no such method, or it has no such option; the message lists those it has.

    Examples
    --------
    >>> tr.method("hht", alpha=0.1).order
    2
    """
    if isinstance(name, Method):
        if options:
            raise InputError(f"{', '.join(options)}: give options to the method itself, {name!r}.")
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
            value = shown(options[option])
            raise InputError(f"{option} = {value} is not an option of method {name!r}; {hint}")
    return kind(**options)


@lru_cache
def _with_defaults(name: str) -> Method:
    return _kind(name)()


def _kind(name: str) -> type[Method]:
    module, cls = MODULES[name].split(".")
    kind: type[Method] = getattr(import_module(f"traction.integrators.methods.{module}"), cls)
    return kind
