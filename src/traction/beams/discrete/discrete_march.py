"""March a discrete beam under given axles, by any method; those of the usual ones run in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from traction import checks
from traction.beams.discrete.discrete_beam import DiscreteBeam, times
from traction.beams.discrete.kernels import banded_matrices as banded
from traction.beams.discrete.kernels import element_shapes, march_steps
from traction.errors import ConvergenceError, InputError
from traction.integrators.core.method import Method
from traction.integrators.core.system import SecondOrderSystem
from traction.integrators.integrate import integrate
from traction.integrators.method_table import method as method_of
from traction.integrators.methods.alpha_family import AlphaMethod, Weights
from traction.integrators.methods.rk4 import RungeKutta4
from traction.integrators.methods.verlet import Verlet

UNIFORM = 1e-6  #: of a step, by which times may miss equal distances
OVER = 1e-9  #: of the stability limit, which is rounding
MOST_NUMBERS = 2.5e8  #: that are kept, 2 GB for each of q, v and a
MOST_DENSE = 1500  #: displacements for which modal damping is a dense matrix

States = tuple[np.ndarray, np.ndarray, np.ndarray]


def march(
    model: DiscreteBeam,
    t: np.ndarray,
    places: np.ndarray,
    forces: np.ndarray,
    method: str | Method,
    *,
    q0: Any = None,
    v0: Any = None,
    every: int = 1,
    observe: sparse.csr_array | None = None,
    allow_unstable: bool = False,
    **options: Any,
) -> States:
    """Coordinates q, velocities v and accelerations a of a discrete beam, (times, size)."""
    chosen = method_of(method, **options)
    t = checks.finite_array("t", t, unit="s")
    dt = step_of(t)
    places, forces = _axles(places, forces, t.size)
    _require_stable(model, chosen, dt, checks.flag("allow_unstable", allow_unstable))
    every = checks.count("every", every)
    rows = _observed(model, observe)
    width = model.size if rows is None else rows.shape[0]
    if ((t.size - 1) // every + 1) * width > MOST_NUMBERS:
        raise InputError(
            f"{t.size} steps of {width} displacements are too many to keep; give every= (each so many steps) "
            "or observe= (model.sampler of a quantity at the places of interest)."
        )
    start = _start(model, q0), _start(model, v0, "v0")
    compiled = isinstance(chosen, AlphaMethod | Verlet | RungeKutta4)
    run = _compiled if compiled else _generic
    return run(model, chosen, t, (places, forces), start, every, rows)


def step_of(t: np.ndarray) -> float:
    """The step of uniform times."""
    if t.ndim != 1 or t.size < 2:
        raise InputError(f"t has shape {t.shape}; give at least two times.")
    dt = float(t[-1] - t[0]) / (t.size - 1)
    if dt <= 0.0 or float(np.abs(np.diff(t) - dt).max()) > UNIFORM * dt + 4.0 * np.spacing(np.abs(t).max()):
        raise InputError("t must be times at equal distances, ascending.")
    return dt


def _axles(places: Any, forces: Any, steps: int) -> tuple[np.ndarray, np.ndarray]:
    where = checks.finite_array("places", places, unit="m")
    size = checks.finite_array("forces", forces, unit="N")
    if where.ndim != 2 or where.shape[0] != steps or size.shape != where.shape:
        raise InputError(
            f"places has shape {where.shape} and forces {size.shape}, expected ({steps}, axles) for both."
        )
    return where, size


def _observed(model: DiscreteBeam, observe: Any) -> sparse.csr_array | None:
    if observe is None:
        return None
    rows = sparse.csr_array(observe, dtype=float)
    if rows.shape[1] != model.size:
        raise InputError(
            f"observe has shape {rows.shape}, expected (rows, {model.size}): use model.sampler(quantity, x)."
        )
    return rows


def _start(model: DiscreteBeam, value: Any, name: str = "q0") -> np.ndarray:
    if value is None:
        return np.zeros(model.size)
    return checks.finite_array(name, value, (model.size,), "m" if name == "q0" else "m/s").copy()


def _require_stable(model: DiscreteBeam, method: Method, dt: float, allowed: bool) -> None:
    if allowed or (np.isinf(method.stability_limit) and method.implicit):
        return
    limit = model.stability_limit(method)
    if limit == 0.0:
        raise InputError(
            f"method {method.name!r} is unstable for every step on an undamped beam: use another, or "
            "allow_unstable=True to see it."
        )
    if dt > limit * (1.0 + OVER):
        raise InputError(
            f"dt = {dt:.6g} s is over the stability limit {limit:.6g} s of method {method.name!r} on "
            f"{model.size} displacements (largest frequency {model.largest_frequency:.6g} rad/s): take a "
            'smaller dt, method="newmark", or allow_unstable=True to see it.'
        )


def _compiled(
    model: DiscreteBeam,
    method: Method,
    t: np.ndarray,
    axles: tuple[np.ndarray, np.ndarray],
    start: tuple[np.ndarray, np.ndarray],
    every: int,
    rows: sparse.csr_array | None,
) -> States:
    dt = step_of(t)
    K, M = model.stiffness, model.mass
    alpha, beta = model.rayleigh
    Phi, rates = model.modal_damping
    squares = model.frequencies(rates.size) ** 2 if rates.size else np.zeros(0)
    FM = _factored(M)
    q, v = start
    a = _first_acceleration(model, FM, axles, q, v)
    diagonal = not (M[1:].any())
    damping = ((alpha, beta), np.ascontiguousarray(Phi), rates, squares)
    record = _record(model, t.size, every, rows)
    if isinstance(method, RungeKutta4):
        done = march_steps.rk4_march(
            (K, M), (FM, FM, diagonal), dt, damping, model.geometry, axles, (q, v, a), record
        )
    else:
        w = method.weights if isinstance(method, AlphaMethod) else Weights(0.0, 0.5)
        share = 1.0 - w.alpha_f
        by_mass = 1.0 - w.alpha_m + share * w.gamma * dt * alpha
        by_stiffness = share * (w.gamma * dt * beta + w.beta * dt * dt)
        factors = (_factored(by_mass * M + by_stiffness * K), FM, diagonal and by_stiffness == 0.0)
        weights = (dt, w.beta, w.gamma, w.alpha_m, w.alpha_f)
        done = march_steps.alpha_march(
            (K, M), factors, weights, damping, model.geometry, axles, (q, v, a), record
        )
    if done < t.size:
        raise ConvergenceError(
            f"the march by {method.name!r} is not finite at t = {t[done]:.6g} s: the step {dt:.6g} s is over "
            f"the stability limit {model.stability_limit(method):.6g} s.",
            tuple(kept[: done // every] for kept in record[4:]),
        )
    return record[4], record[5], record[6]


def _factored(band: np.ndarray) -> np.ndarray:
    """L D L' of a sum of mass and stiffness, which is positive definite."""
    factor = np.zeros_like(band)
    if banded.factor(band, factor) < band.shape[1]:
        raise InputError(
            "the mass of the discrete beam is lost in rounding; take fewer elements or a smaller dt."
        )
    return factor


def _first_acceleration(
    model: DiscreteBeam, FM: np.ndarray, axles: tuple[np.ndarray, np.ndarray], q: np.ndarray, v: np.ndarray
) -> np.ndarray:
    """M^-1 (f - K q - C v)."""
    alpha, beta = model.rayleigh
    Phi, rates = model.modal_damping
    r = -times(model.stiffness, q + beta * v) - alpha * times(model.mass, v)
    element_shapes.add_forces(model.geometry, axles[0][0], axles[1][0], r)
    banded.solve(FM, r)
    return r - Phi @ (rates * (Phi.T @ times(model.mass, v)))


def _record(model: DiscreteBeam, steps: int, every: int, rows: sparse.csr_array | None) -> tuple[Any, ...]:
    """See `march_steps.store`."""
    kept = (steps - 1) // every + 1
    if rows is None:
        empty = np.zeros(0, dtype=np.int64)
        seen: tuple[np.ndarray, ...] = (empty, empty, np.zeros(0))
        width = model.size
    else:
        seen = (rows.indptr.astype(np.int64), rows.indices.astype(np.int64), rows.data)
        width = rows.shape[0]
    return (every, *seen, *(np.empty((kept, width)) for _ in range(3)))


def _generic(
    model: DiscreteBeam,
    method: Method,
    t: np.ndarray,
    axles: tuple[np.ndarray, np.ndarray],
    start: tuple[np.ndarray, np.ndarray],
    every: int,
    rows: sparse.csr_array | None,
) -> States:
    """By `tr.integrate`, which knows all methods; between the times axles move at constant speed."""
    dt, last = step_of(t), t.size - 1
    places, forces = axles

    def load(time: float) -> np.ndarray:
        k = min(max(int(time / dt), 0), last - 1)
        s = time / dt - k
        r = np.zeros(model.size)
        at, size = (1.0 - s) * places[k] + s * places[k + 1], (1.0 - s) * forces[k] + s * forces[k + 1]
        element_shapes.add_forces(model.geometry, at, size, r)
        return r

    system = SecondOrderSystem(
        model.banded_matrix("mass"),
        load,
        *start,
        damping=damping_matrix(model),
        stiffness=model.banded_matrix("stiffness"),
    )
    history = integrate(system, method, dt, last * dt)
    found = [np.asarray(one).reshape(-1, model.size)[::every] for one in (history.q, history.v, history.a)]
    if rows is not None:
        found = [np.asarray((rows @ one.T).T) for one in found]
    return found[0], found[1], found[2]


def damping_matrix(model: DiscreteBeam) -> Any:
    """C of a discrete beam, None without damping."""
    alpha, beta = model.rayleigh
    if alpha or beta:
        mass, stiffness = model.banded_matrix("mass").csr(), model.banded_matrix("stiffness").csr()
        return sparse.csr_array(alpha * mass + beta * stiffness)
    Phi, rates = model.modal_damping
    if not rates.size:
        return None
    if model.size > MOST_DENSE:
        raise InputError(
            f"damping ratios of {model.size} displacements make a full matrix with this method; use newmark, "
            "hht, generalized-alpha, verlet or rk4, or give the beam tr.Rayleigh(alpha, beta)."
        )
    momentum = np.stack([times(model.mass, shape) for shape in Phi.T], axis=1)
    return (momentum * rates) @ momentum.T
