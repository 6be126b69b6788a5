"""March of a discrete beam under given axles, by any method; the usual ones run in compiled code."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from traction import checks
from traction.beams.discrete.discrete_beam import DiscreteBeam
from traction.beams.discrete.discrete_frequencies import multiply_band
from traction.beams.discrete.kernels import banded_matrices as banded
from traction.beams.discrete.kernels import march_steps as kernels
from traction.beams.discrete.kernels.element_shapes import add_forces
from traction.errors import ConvergenceError, InputError
from traction.integrators.core.matrices import Matrix
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
MOST_DENSE = 3000  #: displacements for which modal damping is a dense matrix
CENTRAL_DIFFERENCES = Weights(beta=0.0, gamma=0.5)  #: of the family: Verlet's method

States = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class _AxleMarch:
    """A discrete beam under axles at uniform times, from a start to the stored states."""

    model: DiscreteBeam
    method: Method
    t: np.ndarray  #: s
    dt: float  #: s
    places: np.ndarray  #: of the axles, m, (times, axles)
    forces: np.ndarray  #: N, likewise
    q: np.ndarray  #: at the start
    v: np.ndarray
    every: int  #: each so many times are kept
    rows: sparse.csr_array | None  #: of the quantities that are kept; without, whole states


def march_beam(
    model: DiscreteBeam,
    t: ArrayLike,
    places: ArrayLike,
    forces: ArrayLike,
    method: str | Method,
    *,
    q0: ArrayLike | None = None,
    v0: ArrayLike | None = None,
    every: int = 1,
    observe: sparse.csr_array | None = None,
    allow_unstable: bool = False,
    **options: object,
) -> States:
    """Coordinates q, velocities v and accelerations a of a discrete beam under axles, (times, size).

    `t` are uniform times (s), `places` (m along the beam; outside it there is no force) and `forces` (N)
    (times, axles). `q0` and `v0` are the start, at rest by default. `method` is one of `tr.methods()`;
    newmark, hht, generalized-alpha, verlet and rk4 march in compiled code, at a cost linear in the number of
    elements. `every=k` stores each k-th time only, `observe=model.sampler(quantity, x)` stores that quantity
    instead of the whole state; other `options` are those of the method. A step above the stability limit is
    an error unless `allow_unstable`.
    """
    if not isinstance(model, DiscreteBeam):
        raise InputError(
            f"model = {checks.shown(model)} must be a discrete beam: beam.elements(n) or beam.differences(n)."
        )
    chosen = method_of(method, **options)
    times = checks.finite_array("t", t, unit="s")
    dt = step_of(times)
    where, size = _check_axles(places, forces, times.size)
    _require_stable(model, chosen, dt, checks.flag("allow_unstable", allow_unstable))
    kept, rows = checks.count("every", every), _check_rows(model, observe)
    width = model.size if rows is None else rows.shape[0]
    if ((times.size - 1) // kept + 1) * width > MOST_NUMBERS:
        raise InputError(
            f"{times.size} steps of {width} displacements are too many to keep; give every= (each so many "
            "steps) or observe= (model.sampler of a quantity at positions of interest)."
        )
    start = _check_start(model, "q0", q0, "m"), _check_start(model, "v0", v0, "m/s")
    march = _AxleMarch(model, chosen, times, dt, where, size, *start, kept, rows)
    compiled = isinstance(chosen, AlphaMethod | Verlet | RungeKutta4)
    return _march_compiled(march) if compiled else _march_generally(march)


def step_of(t: np.ndarray) -> float:
    """The step of uniform times."""
    if t.ndim != 1 or t.size < 2:
        raise InputError(f"t has shape {t.shape}; give at least two times.")
    dt = float(t[-1] - t[0]) / (t.size - 1)
    if dt <= 0.0 or float(np.abs(np.diff(t) - dt).max()) > UNIFORM * dt + 4.0 * np.spacing(np.abs(t).max()):
        raise InputError("t must be times at equal distances, ascending.")
    return dt


def _check_axles(places: ArrayLike, forces: ArrayLike, steps: int) -> tuple[np.ndarray, np.ndarray]:
    where = checks.finite_array("places", places, unit="m")
    size = checks.finite_array("forces", forces, unit="N")
    if where.ndim != 2 or where.shape[0] != steps or size.shape != where.shape:
        raise InputError(
            f"places has shape {where.shape} and forces {size.shape}, expected ({steps}, axles) for both."
        )
    return where, size


def _check_rows(model: DiscreteBeam, observe: sparse.csr_array | None) -> sparse.csr_array | None:
    if observe is None:
        return None
    rows = sparse.csr_array(observe, dtype=float)
    if rows.shape[1] != model.size:
        raise InputError(
            f"observe has shape {rows.shape}, expected (rows, {model.size}): use model.sampler(quantity, x)."
        )
    return rows


def _check_start(model: DiscreteBeam, name: str, value: ArrayLike | None, unit: str) -> np.ndarray:
    return np.zeros(model.size) if value is None else checks.finite_array(name, value, (model.size,), unit)


def _require_stable(model: DiscreteBeam, method: Method, dt: float, allowed: bool) -> None:
    if allowed or (np.isinf(method.stability_limit) and method.implicit):
        return
    limit = model.stability_limit(method)
    if limit == 0.0:
        raise InputError(
            f"method {method.name!r} is unstable for every step on an undamped beam: use another, or "
            "allow_unstable=True to run it anyway."
        )
    if dt > limit * (1.0 + OVER):
        raise InputError(
            f"dt = {dt:.6g} s is above the stability limit {limit:.6g} s of method {method.name!r} on "
            f"{model.size} displacements (largest frequency {model.largest_frequency:.6g} rad/s): take a "
            'smaller dt, method="newmark", or allow_unstable=True to run it anyway.'
        )


def _march_compiled(march: _AxleMarch) -> States:
    model, method, dt = march.model, march.method, march.dt
    motion = make_banded_motion(model)
    axles = kernels.AxleForces(model.geometry, march.places, march.forces)
    state, record = _make_first_state(motion, axles, march.q, march.v), _make_record(march)
    if isinstance(method, RungeKutta4):
        stages = kernels.RungeKuttaStep(dt, method.tableau.c, method.tableau.b)
        done = kernels.runge_kutta_march(motion, stages, axles, state, record)
    else:
        weights = method.weights if isinstance(method, AlphaMethod) else CENTRAL_DIFFERENCES
        done = kernels.alpha_march(motion, _make_alpha_step(motion, weights, dt), axles, state, record)
    if done < march.t.size:
        raise ConvergenceError(
            f"the march by {method.name!r} is not finite at t = {march.t[done]:.6g} s: the step {dt:.6g} s "
            f"is above the stability limit {model.stability_limit(method):.6g} s.",
            tuple(kept[: done // march.every] for kept in (record.q, record.v, record.a)),
        )
    return record.q, record.v, record.a


def make_banded_motion(model: DiscreteBeam) -> kernels.BandedMotion:
    """Matrices of a discrete beam for kernels, with the factor of its mass."""
    shapes, rates = model.modal_damping
    squares = model.frequencies(rates.size) ** 2 if rates.size else np.zeros(0)
    K, M, shapes = model.stiffness, model.mass, np.ascontiguousarray(shapes)
    lumped = not M[1:].any()
    return kernels.BandedMotion(K, M, _factor_band(M), lumped, *model.rayleigh, shapes, rates, squares)


def _make_alpha_step(motion: kernels.BandedMotion, w: Weights, dt: float) -> kernels.BandedStep:
    share = 1.0 - w.alpha_f
    by_mass = 1.0 - w.alpha_m + share * w.gamma * dt * motion.alpha
    by_stiffness = share * (w.gamma * dt * motion.beta + w.beta * dt * dt)
    factor = _factor_band(by_mass * motion.mass + by_stiffness * motion.stiffness)
    diagonal = motion.lumped and by_stiffness == 0.0
    return kernels.BandedStep(dt, w.beta, w.gamma, w.alpha_m, w.alpha_f, factor, diagonal)


def _factor_band(band: np.ndarray) -> np.ndarray:
    """L D L' of a sum of mass and stiffness, which is positive definite."""
    factor = np.zeros_like(band)
    if banded.factor(band, factor) < band.shape[1]:
        raise InputError(
            "the mass of the discrete beam is lost in rounding; take fewer elements or a smaller dt."
        )
    return factor


def _make_first_state(
    motion: kernels.BandedMotion, axles: kernels.AxleForces, q: np.ndarray, v: np.ndarray
) -> kernels.BandedState:
    """First state, with the acceleration M^-1 (f - K q - C v)."""
    momentum = multiply_band(motion.mass, v)
    force = -multiply_band(motion.stiffness, q + motion.beta * v) - motion.alpha * momentum
    add_forces(axles.geometry, axles.places[0], axles.forces[0], force)
    a = force.copy()
    banded.solve(motion.mass_factor, a)
    eta = motion.shapes.T @ momentum
    a -= motion.shapes @ (motion.rates * eta)
    xi = motion.shapes.T @ multiply_band(motion.mass, a)
    return kernels.BandedState(q.copy(), v.copy(), a, force, eta, xi)


def _make_record(march: _AxleMarch) -> kernels.MarchRecord:
    kept, rows = (march.t.size - 1) // march.every + 1, march.rows
    empty, width = np.zeros(0, dtype=np.int64), march.model.size
    seen = empty, empty, np.zeros(0)
    if rows is not None:
        seen = rows.indptr.astype(np.int64), rows.indices.astype(np.int64), rows.data
        width = rows.shape[0]
    return kernels.MarchRecord(march.every, *seen, *(np.empty((kept, width)) for _ in range(3)))


def _march_generally(march: _AxleMarch) -> States:
    """By `tr.integrate`, with any method; between the times axles move at constant speed."""
    model, dt, last = march.model, march.dt, march.t.size - 1

    def load(time: float) -> np.ndarray:
        k = min(max(int(time / dt), 0), last - 1)
        s = time / dt - k
        at = (1.0 - s) * march.places[k] + s * march.places[k + 1]
        size = (1.0 - s) * march.forces[k] + s * march.forces[k + 1]
        r = np.zeros(model.size)
        add_forces(model.geometry, at, size, r)
        return r

    M, K, C = model.banded_matrix("mass"), model.banded_matrix("stiffness"), damping_matrix(model)
    system = SecondOrderSystem(M, load, march.q, march.v, damping=C, stiffness=K)
    history = integrate(system, march.method, dt, last * dt)
    rows, every = march.rows, march.every
    states = (np.asarray(x).reshape(-1, model.size)[::every] for x in (history.q, history.v, history.a))
    q, v, a = (x if rows is None else np.asarray((rows @ x.T).T) for x in states)
    return q, v, a


def damping_matrix(model: DiscreteBeam) -> Matrix | None:
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
    momentum = np.stack([multiply_band(model.mass, shape) for shape in Phi.T], axis=1)
    return (momentum * rates) @ momentum.T
