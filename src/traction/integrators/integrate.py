"""`integrate`: march a system from its start to t_end and return its history."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from time import perf_counter

import numpy as np

from traction import checks
from traction.errors import ConvergenceError, InputError, TractionError
from traction.integrators.core.method import Method
from traction.integrators.core.motion import StepError
from traction.integrators.core.state import State
from traction.integrators.core.system import SecondOrderSystem
from traction.integrators.history import History
from traction.integrators.march.events import Event
from traction.integrators.march.march_record import Record
from traction.integrators.march.stepping import Control
from traction.integrators.march.time_march import BLOCK, TimeMarch
from traction.integrators.method_table import method as method_of
from traction.outputs.progress import telling
from traction.status import Status

MOST_STEPS = 1e8  #: of a fixed length; more would fill the memory
PROGRESS_SECONDS = 0.1
FIRST_BLOCK = 256  #: steps of compiled code after an event

Progress = Callable[[float, float], None]  #: called with the time reached and the end, s
Stop = Callable[[State], bool]


def integrate(
    system: SecondOrderSystem,
    method: str | Method = "radau-iia",
    dt: float | str = "auto",
    t_end: float | None = None,
    *,
    locate_events: bool = True,
    gap_resolution: float | None = None,
    rtol: float = 1e-8,
    start: History | State | Mapping[str, np.ndarray] | None = None,
    progress: Progress | bool | None = None,
    stop: Stop | None = None,
    on_failure: str = "raise",
    **options: object,
) -> History:
    """Integrate a mechanical system in time and return its history.

    M a + C v + K q = f(t, q, v), in steps that end where bodies begin and cease to touch.

    Parameters
    ----------
    system
        Masses, forces and initial state, a `tr.SecondOrderSystem`.
    method
        Name from `tr.methods()`, or a `tr.Method`.
    dt
        Fixed time step, s, of which the last may be shorter; or "auto" for error control by `rtol`.
    t_end
        End time, s.
    locate_events
        End a step where a gap of the system opens, closes or turns, on the dense output of the method,
        however short the contact.
    gap_resolution
        Longest time between samples of a gap that moves by itself, gap(t, q), s. By default eight samples per
        fixed step, or at least 2048 in t_end.
    rtol
        Tolerance of dt="auto": error per step relative to the largest coordinate and velocity.
    start
        History, or its `state` (also as arrays), to resume from; t = 0 and the initial state by default.
    progress
        Function called with the time reached and the end, s; True, False and the default are those of
        `tr.simulate`.
    stop
        Function asked after every step; the integration ends when it returns True.
    on_failure
        "raise", or "return" to get the history up to a failed step, with its status.
    **options
        Options of the method, such as beta=0.25, spectral_radius=0.8, solver="picard".

    Returns
    -------
    History
        Times, coordinates, velocities, accelerations, energy, contacts and events.

    Raises
    ------
    InputError
        If an argument is out of range or an option is unknown.
    ConvergenceError
        If a step fails or a value is not finite; `result` is the history up to then.

    Notes
    -----
    With dt="auto" RK4 estimates its error from its own stages; for other
    methods each step is taken as two halves and once whole, for comparison. Resumed from a state that
    `stop` left, or after whole steps of the same dt, the result is bit for bit that of an uninterrupted
    run. The methods and their energy behaviour in contact: de Looij, "Using CONTACT in dynamical
    simulations" (interim thesis, TU Delft 2015), chapter 3.

    Examples
    --------
    A mass of 1 kg on a spring of 100 N/m, released from 1 m:

    >>> system = tr.SecondOrderSystem(mass=1.0, force=None, q0=1.0, stiffness=100.0)
    >>> h = tr.integrate(system, "newmark", dt=1e-3, t_end=np.pi / 10)
    >>> print(f"q = {h.q[-1]:.4f} m after half a period")
    q = -1.0000 m after half a period
    """
    began = perf_counter()
    checks.instance("system", system, SecondOrderSystem)
    checks.choice("on_failure", on_failure, ("raise", "return"))
    chosen = method_of(method, **options)
    begun = _state(start)
    if begun is not None:
        _require_fitting(begun, system.size)
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise InputError(f"progress = {checks.shown(progress)} must be a function, True or False.")
    if stop is not None and not callable(stop):
        raise InputError(f"stop = {checks.shown(stop)} must be a function.")
    control = _control(begun, dt, t_end, locate_events, rtol)
    if gap_resolution is not None:
        longest = checks.positive("gap_resolution", gap_resolution, "s", "it is a time between two samples.")
        control = replace(control, gap_resolution=longest)
    try:
        march = TimeMarch(system, chosen, control)
    except StepError as error:
        raise InputError(f"the march cannot begin: {error}.") from error
    with telling(progress, "integrating") as told, np.errstate(over="ignore", invalid="ignore"):
        # numbers that are not finite are found and reported with the time
        return _Log(system, chosen, march, told).history(stop, begun, began, on_failure)


def _control(begun: State | None, dt: float | str, t_end: float | None, locate: bool, rtol: float) -> Control:
    """Checked times and tolerances."""
    if t_end is None:
        raise InputError("t_end is missing: give the end time, in s.")
    end = checks.finite("t_end", t_end, "s")
    if isinstance(dt, str):
        checks.choice("dt", dt, ("auto",))
        step = None
    else:
        step = checks.positive("dt", dt, "s", 'give a step in seconds, or dt="auto".')
    t0 = 0.0 if begun is None else begun.t
    if end <= t0:
        raise InputError(f"t_end = {end} s must lie after the start, {t0} s.")
    checks.positive("t_end - start", end - t0, "s")
    if step is not None:
        if (end - t0) / step > MOST_STEPS:
            raise InputError(f"dt = {step} s makes {(end - t0) / step:.2g} steps, at most {MOST_STEPS:.0e}.")
        if begun is not None:
            counted = begun.t - (begun.origin + begun.interval * step)
            if -1e-9 * step <= counted < step:
                t0 = begun.origin  # the steps go on as they were counted, also from an event between them
    return Control(end, step, t0, checks.tolerance("rtol", rtol), checks.flag("locate_events", locate))


def _state(start: object) -> State | None:
    if start is None or isinstance(start, State):
        return start
    if isinstance(start, History):
        return start.state
    if isinstance(start, Mapping):
        try:
            return State.from_arrays(start)
        except (InputError, TypeError, ValueError) as error:
            raise InputError(f"start is not a state of an integration: {error}") from None
    raise InputError(f"start = {checks.shown(start)} must be a history, or the state of one.")


def _require_fitting(begun: State, n: int) -> None:
    """Refuse a state that does not belong to a system of n coordinates."""
    if begun.q.shape != (n,):
        raise InputError(f"start has {begun.q.size} coordinates, the system {n}.")
    checks.finite("start.t", begun.t, "s")
    for name in ("q", "v", "a"):
        checks.finite_array(f"start.{name}", getattr(begun, name), (n,))
    if begun.x.shape not in ((0,), (n,)):
        raise InputError(f"start.x has shape {begun.x.shape}, expected (0,) or ({n},).")


class _Log:
    """Collects the steps of a march."""

    def __init__(
        self, system: SecondOrderSystem, method: Method, march: TimeMarch, progress: Progress | None
    ) -> None:
        self.system, self.method, self.march, self.progress = system, method, march, progress
        control = march.control
        room = 256 if control.dt is None else control.intervals + 64  # some more for events
        self.record = Record(system.size, system.is_scalar, room)
        self.events: list[Event] = []
        self.open: tuple[Event, ...] = ()
        self.shown = perf_counter()
        self.block = FIRST_BLOCK if march.locates else BLOCK

    def history(self, stop: Stop | None, begun: State | None, began: float, on_failure: str) -> History:
        """March to the end, or as far as possible."""
        march, end = self.march, self.march.control.t_end
        state: State | None = None
        status, message = Status.CONVERGED, str(Status.CONVERGED)
        failure: TractionError | None = None
        try:
            state = march.begin() if begun is None else march.resumed(begun)
            self.record.add([state])
            self.open = march.open_contacts(state)
            while not march.finished(state):
                state = self._next(state, self.block if stop is None else 1)
                if stop is not None and stop(state) and not march.finished(state):
                    status = Status.STOPPED
                    message = status.describe(t=state.t, t_end=end)
                    break
        except TractionError as error:
            if isinstance(error, InputError) and state is None:
                raise
            if state is None:
                raise InputError(f"the march cannot begin: {error}.") from error
            failure, status = error, Status.STEP_FAILED
            message = status.describe(t=state.t, t_end=end, reason=str(error).rstrip("."))
        stats = {**march.counts, "seconds": perf_counter() - began}
        result = History(
            *self.record.filled(), self.system, self.method.name, status, message, stats, state,
            tuple(self.events), self.open,
        )  # fmt: skip
        if failure is not None and on_failure == "raise":
            raise ConvergenceError(f"{message[0].upper()}{message[1:]}.", result) from failure
        return result

    def _next(self, state: State, most: int) -> State:
        """As far as compiled code goes, or one interpreted step."""
        end = self.march.run(state, self.record, most)
        # a block is made ready before it is marched: after an event the next one may not be far
        self.block = FIRST_BLOCK if end is None else min(2 * self.block, BLOCK)
        if end is None:
            advance = self.march.advance(state)
            end = advance.states[-1]
            self.record.add(advance.states)
            self.events += [replace(event, index=self.record.count - 1) for event in advance.events]
        if self.progress is not None and perf_counter() - self.shown > PROGRESS_SECONDS:
            self.progress(end.t, self.march.control.t_end)
            self.shown = perf_counter()
        return end
