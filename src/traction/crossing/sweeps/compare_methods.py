"""`compare_methods`: one crossing by many integration methods: accuracy, stability, cost and damping."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from traction import checks
from traction.beams.beam_description import place_on
from traction.crossing.choices import CONDENSED, GRAVITY
from traction.crossing.cross import cross
from traction.crossing.moving_load import Loads
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.setup import prepare_crossing
from traction.crossing.wheel_contact import CONTACTS
from traction.errors import ConvergenceError, InputError
from traction.integrators.method_table import method as method_of
from traction.integrators.method_table import methods as all_methods
from traction.integrators.stability import stability
from traction.outputs.progress import Progress, telling
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, counter, data, figure
from traction.trains.bridge import Bridge, check_bridge
from traction.trains.train import Train, read_train
from traction.trains.travel import read_travel

REFERENCE = "radau-iia"
FINER = 4  #: steps of the reference in the shortest one that is compared
GROWN = 100.0  #: times the largest mode of the reference, which no stable march reaches
SWOLLEN = 10.0  #: times the highest mode of a march at half the limit, likewise: the first to grow
LEAST_STEPS = 300  #: in which it may
SPAN = 1.5  #: factor on both sides of a declared limit within which it is searched
HALVINGS = 7
LEAST = 0.5  #: omega*dt at which a method that is never stable is tried
FAR = 20.0  #: times Verlet's limit, at which methods without one are tried
ROUNDING = 1e-12  #: of a damping ratio
LOOKED_AT = 1.0  #: omega*dt at which the numerical damping is reported


@dataclass(frozen=True)
class MethodRun:
    """Result of one crossing by one method."""

    method: str  #: name of the method
    dt: float  #: time step, s
    deflection_error: float  #: largest error over the largest deflection; infinite where the march failed
    force_error: float  #: largest error of a contact force over the largest force
    drift: float  #: energy that the method added or removed, over the work; see `Energies.drift`
    evaluations: int  #: of the forces; for the condensed march, iterations of its small system
    seconds: float  #: wall time


@dataclass(frozen=True)
class MethodLimit:
    """Stability limit of a method, omega being the highest frequency of bridge, vehicles and contacts."""

    method: str
    declared: float  #: largest omega*dt by the theory of one oscillation: 0 never stable, infinite always
    found: float  #: largest at which the crossing stayed bounded: infinite at 40, 0 not at 0.5, nan not near
    damping_ratio: float  #: numerical, of an oscillation with omega*dt = 1


#: unit and long name of what is known of each run, and of each limit
RUN_QUANTITIES = {
    "dt": ("s", "step"),
    "deflection_error": ("1", "relative error of the deflection"),
    "force_error": ("1", "relative error of the contact force"),
    "drift": ("1", "energy added by the method, relative"),
    "evaluations": ("1", "evaluations of the forces"),
    "seconds": ("s", "wall time"),
}
LIMIT_QUANTITIES = {
    "declared": ("1", "largest stable omega*dt by theory"),
    "found": ("1", "largest omega*dt at which the crossing stayed bounded"),
    "damping_ratio": ("1", "numerical damping ratio at omega*dt = 1"),
}


@dataclass(frozen=True, eq=False, repr=False)
class MethodComparison(Result):
    """Result of `tr.compare_methods`: errors and costs of all methods and steps, and stability limits."""

    _rows, _drawn = ("run",), "deflection_error"

    runs: tuple[MethodRun, ...]  #: one for each method and step
    limits: tuple[MethodLimit, ...]  #: stability limits
    frequency: float  #: highest frequency, rad/s
    reference: ContactCrossing  #: solution by Radau IIA with small steps

    def _headline(self) -> str:
        return f"{len(self.runs)} runs by {len(self.limits)} methods"

    def _variables(self) -> Iterator[Variable]:
        best = min(self.runs, key=lambda run: run.deflection_error)
        yield figure("frequency", self.frequency, "rad/s", "highest angular frequency")
        yield figure("least_error", best.deflection_error, "1", f"least error ({best.method})")
        yield counter("run", len(self.runs), "number of the run")
        yield data("method", [run.method for run in self.runs], "", "method", "run")
        for name, (unit, words) in RUN_QUANTITIES.items():
            yield data(name, [getattr(run, name) for run in self.runs], unit, words, "run")
        yield axis("limit_method", [one.method for one in self.limits], "", "method")
        for name, (unit, words) in LIMIT_QUANTITIES.items():
            yield data(
                f"limit_{name}", [getattr(one, name) for one in self.limits], unit, words, "limit_method"
            )

    def of(self, method: str) -> tuple[MethodRun, ...]:
        """Return the runs of one `method`, by decreasing steps."""
        return tuple(run for run in self.runs if run.method == method)

    def table(self) -> str:
        """Return one line for each method, with its errors at the shortest step.

        A dash stands for the errors of a run that became unstable, "any" for a limit that no step exceeds.
        """
        head = f"{'method':<18}{'dt (ms)':>8}{'deflection':>12}{'force':>9}{'drift':>9}{'forces':>8}"
        lines = [f"{head}{'seconds':>9}{'limit':>8}{'found':>8}{'damping':>9}"]
        for limit in self.limits:
            run = self.of(limit.method)[-1]
            errors = (
                f"{one:.1e}" if math.isfinite(one) else "-"
                for one in (run.deflection_error, run.force_error, run.drift)
            )
            limits = (f"{one:.3g}" if math.isfinite(one) else "any" for one in (limit.declared, limit.found))
            lines.append(
                "{:<18}{:>8.3g}{:>12}{:>9}{:>9}".format(run.method, 1e3 * run.dt, *errors)
                + f"{run.evaluations:>8d}{run.seconds:>9.2f}"
                + "{:>8}{:>8}".format(*limits)
                + f"{limit.damping_ratio:>9.1e}"
            )
        return "\n".join(lines)


def compare_methods(
    bridge: Bridge,
    train: Loads,
    speed: float,
    *,
    steps: Sequence[float],
    t_end: float,
    methods: Sequence[str] | None = None,
    contact: str = "hertz",
    size: int = 10,
    x: float | None = None,
    progress: Progress | bool | None = None,
    **options: object,
) -> MethodComparison:
    """Compare accuracy, stability and cost of integration methods on one crossing.

    The reference is Radau IIA with a quarter of the shortest step.

    Parameters
    ----------
    bridge
        Beam and its material.
    train
        Train of wheels, as for `tr.cross`.
    speed
        Speed v, m/s.
    steps
        Time steps, s.
    t_end
        End of the runs, s.
    methods
        Names from `tr.methods()` and "condensed"; all by default.
    contact
        Contact model, as for `tr.cross`.
    size
        Number of modes.
    x
        Position of the compared deflection, m; midspan by default.
    progress
        Function called with the number of completed runs and limits and their total; True, False and the
        default are those of `tr.simulate`.
    **options
        Further options of `tr.cross`.

    Returns
    -------
    MethodComparison
        Errors, energy drift and cost of each method and step, and stability limits.

    Raises
    ------
    InputError
        If steps or methods are empty, or an argument is out of range.

    Notes
    -----
    Stability limits are found by bisection: a march is unstable if its highest mode grows to ten times that
    of a march at half the declared limit, or if it fails.

    Examples
    --------
    >>> bridge = tr.Bridge(tr.Beam(5.0, 5e6, 300.0, supports=("pinned", "pinned")), tr.STEEL)
    >>> train = [(tr.Wheel(0.46, 900.0), 0.0)]
    >>> found = tr.compare_methods(
    ...     bridge, train, 30.0, steps=[2e-4], t_end=5e-3, methods=["newmark"], size=2
    ... )
    >>> [run.method for run in found.runs]
    ['newmark']
    """
    check_bridge(bridge)
    checks.choice("contact", contact, CONTACTS[1:])
    known = (*all_methods(), CONDENSED)
    chosen = known if methods is None else checks.items("methods", methods, "a list of names")
    names = [checks.choice("methods", one, known) for one in chosen]
    for name in sorted({"dt", "rtol", "method", "on_failure", "progress"} & set(options)):
        raise InputError(f"{name} is chosen for each run: give methods and steps instead.")
    given = checks.items("steps", steps, "a list of steps, in s")
    lengths = sorted((checks.positive("steps", one, "s") for one in given), reverse=True)
    if not lengths or not names:
        raise InputError("steps and methods must each contain at least one entry.")
    problem = ComparedCrossing(
        bridge,
        read_train(train),
        checks.positive("speed", speed, "m/s"),
        {"contact": contact, "size": size, "t_end": checks.positive("t_end", t_end, "s"), **options},
        0.5 * bridge.beam.length if x is None else place_on("x", x, bridge.beam.length),
    )
    total = len(names) * (len(lengths) + 1) + 1
    with telling(progress, "comparing methods") as told:
        reference = problem.cross_by(REFERENCE, lengths[-1] / FINER)
        omega = problem.highest_frequency
        works: list[Callable[[], MethodRun | MethodLimit]] = [
            partial(problem.compare, name, dt, reference) for name in names for dt in lengths
        ]
        works += [partial(problem.find_limit, name, omega, reference) for name in names]
        found = []
        for done, work in enumerate(works, 2):
            found.append(work())
            if told is not None:
                told(done, total)
    runs = tuple(one for one in found if isinstance(one, MethodRun))
    limits = tuple(one for one in found if isinstance(one, MethodLimit))
    return MethodComparison(runs, limits, omega, reference)


@dataclass(frozen=True, eq=False)
class ComparedCrossing:
    """The crossing that all methods compute."""

    bridge: Bridge
    cars: Train
    speed: float
    given: dict[str, Any]
    x: float

    @property
    def highest_frequency(self) -> float:
        """Of modes, vehicles and contacts as stiff as at rest, while wheels are on the bridge, rad/s."""
        given, end = self.given, self.given["t_end"]
        setup = prepare_crossing(
            self.bridge, self.cars, read_travel(self.speed, end), given.get("gravity") or GRAVITY,
            contact=given["contact"], wheel=given.get("wheel"), grid=given.get("grid"), model="modes",
            size=given["size"], method=None, dt=end, end=end, irregularity=None,
            residual=given.get("residual"), solve=given.get("solve", "table"), options={},
        )  # fmt: skip
        return setup.wheels.largest_frequency()

    def cross_by(self, method: str, dt: float) -> ContactCrossing:
        """The crossing by a method, stable or not."""
        chosen: dict[str, Any] = {} if method == CONDENSED else {"method": method, "allow_unstable": True}
        with warnings.catch_warnings(), np.errstate(over="ignore", invalid="ignore"):
            warnings.simplefilter("ignore", UserWarning)  # of slopes, where a march grows
            chosen |= {"dt": dt, "on_failure": "return", "progress": False}
            run = cross(self.bridge, self.cars, self.speed, **chosen, **self.given)
        assert isinstance(run, ContactCrossing)
        return run

    def compare(self, method: str, dt: float, reference: ContactCrossing) -> MethodRun:
        """Errors, drift and cost of a method at a step (s)."""
        began = perf_counter()
        try:
            run = self.cross_by(method, dt)
        except ConvergenceError:
            return MethodRun(method, dt, math.inf, math.inf, math.inf, 0, perf_counter() - began)
        seconds = perf_counter() - began
        asked = int(run.stats.get("force_evaluations", run.stats.get("iterations", 0)))
        with np.errstate(over="ignore", invalid="ignore"):
            w, true = run.deflection(self.x), reference.deflection(self.x)
            bent = np.abs(w - np.interp(run.t, reference.t, true)).max() / np.abs(true).max()
            pressed = max(
                float(np.abs(run.contact_forces[:, k] - np.interp(run.t, reference.t, F)).max())
                for k, F in enumerate(reference.contact_forces.T)
            )
            drift = run.energies.drift
        most = float(reference.contact_forces.max())
        found = (bent, pressed / most, drift)
        bent, pressed, drift = (float(one) if np.isfinite(one) else math.inf for one in found)
        return MethodRun(method, run.dt, bent, pressed, drift, asked, seconds)

    def find_limit(self, method: str, omega: float, reference: ContactCrossing) -> MethodLimit:
        """Find the stability limit of a method."""
        if method == CONDENSED:
            bounded = self.stays_bounded(method, FAR * 2.0 / omega, reference)
            return MethodLimit(method, math.inf, math.inf if bounded else math.nan, 0.0)
        declared = method_of(method).stability_limit
        damping = float(stability(method, [LOOKED_AT]).damping_ratio[0])
        damping = damping if abs(damping) > ROUNDING else 0.0
        if math.isinf(declared):
            bounded = self.stays_bounded(method, FAR * 2.0 / omega, reference)
            return MethodLimit(method, declared, math.inf if bounded else math.nan, damping)
        end = max(self.given["t_end"], LEAST_STEPS * (declared or LEAST) / omega)
        longer = replace(self, given={**self.given, "t_end": end})
        if declared == 0.0:
            dt = LEAST / omega
            bounded = longer.stays_bounded(method, dt, longer.cross_by("verlet", dt), SWOLLEN)
            return MethodLimit(method, declared, math.nan if bounded else 0.0, damping)
        calm = longer.cross_by(method, 0.5 * declared / omega)
        low, high = declared / SPAN, declared * SPAN
        ends = [longer.stays_bounded(method, end / omega, calm, SWOLLEN) for end in (low, high)]
        if ends != [True, False]:
            return MethodLimit(method, declared, math.nan, damping)
        for _ in range(HALVINGS):
            middle = math.sqrt(low * high)
            stable = longer.stays_bounded(method, middle / omega, calm, SWOLLEN)
            low, high = (middle, high) if stable else (low, middle)
        return MethodLimit(method, declared, low, damping)

    def stays_bounded(
        self, method: str, dt: float, other: ContactCrossing, swollen: float = math.inf
    ) -> bool:
        """Whether all modes stay below `GROWN`, and the highest one below `swollen`, times another run's."""
        try:
            run = self.cross_by(method, dt)
        except ConvergenceError:
            return False
        now, then = np.abs(run.modal).max(axis=0), np.abs(other.modal).max(axis=0)
        return bool(now.max() < GROWN * then.max() and now[-1] < swollen * then[-1])
