"""The motion of a bouncing body as samples at equal times, with a log of its contacts.

The integration takes the steps that its method needs; samples lie between them, by dense output. Steps that
extend beyond a sample wait in the state, so that stopping at any sample changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.optimize import brentq

from traction.bouncing.bounce import HALF_SPACE_RTOL, BounceHistory, bounce_history
from traction.bouncing.falling_body import FallingBody
from traction.errors import ConvergenceError, InputError
from traction.integrators.core.motion import StepError
from traction.integrators.core.state import Path, State, quintic
from traction.integrators.integrate import integrate
from traction.integrators.march.stepping import Control
from traction.integrators.march.time_march import TimeMarch
from traction.kinds.bounce.schema import BounceCase
from traction.kinds.kind import KeyFigures, KindStepper, Sample
from traction.kinds.stored_state import require_counter, require_like
from traction.results.field import Coordinate, Layout, field_table
from traction.results.stored_run import StoredRun
from traction.state_arrays import Arrays, flatten_state, unflatten_state
from traction.view.animations.bounce_animation import BounceFilm
from traction.view.bouncing.history_curves import ContactCurve
from traction.view.bouncing.surface_pictures import Scene, SurfaceCut

EVENTS = ("", "touch", "release")  #: by number in the last column of the nodes
USUAL_RTOL = 1e-8
FRAMES = 60  #: of the animation

SCALARS = field_table("""
    time | s | time | | labels samples
    height | m | height of the lowest point above the ground
    velocity | m/s | velocity upwards
    acceleration | m/s2 | acceleration upwards
    contact_force | N | force of the ground on the body
    penetration | m | penetration
    kinetic_energy | J | kinetic energy
    gravitational_energy | J | gravitational energy
    elastic_energy | J | elastic energy
    energy | J | total energy
    contacts | 1 | number of contacts begun | | int64
    deepest | m | deepest penetration so far
    largest_force | N | largest contact force so far
    touch_time | s | beginning of the latest contact | | may be nan
    between_touches | s | time from the touch before to the latest one | | may be nan
    contact_time | s | duration of the latest complete contact | | may be nan
    contact_depth | m | deepest penetration of the latest complete contact | | may be nan
    contact_peak | N | largest force of the latest complete contact | | may be nan
    impact_speed | m/s | speed into the latest complete contact | | may be nan
    rebound_speed | m/s | speed out of the latest complete contact | | may be nan
""")
SURFACES = field_table("""
    ground_surface | m | height of the ground's surface | x
    body_surface | m | height of the body's surface | x
""")


@dataclass(frozen=True)
class ContactLog:
    """Contacts so far; lengths in m, times in s. NaN where there was none."""

    contacts: float = 0.0
    deepest: float = 0.0  #: of all
    largest_force: float = 0.0
    touch_time: float = np.nan  #: of the latest
    between_touches: float = np.nan
    depth: float = 0.0  #: of the present one
    force: float = 0.0
    speed: float = np.nan  #: into the present one
    inside: float = 0.0  #: 1 in contact
    contact_time: float = np.nan  #: of the latest complete one
    contact_depth: float = np.nan
    contact_peak: float = np.nan
    impact_speed: float = np.nan
    rebound_speed: float = np.nan

    def touched(self, t: float, v: float) -> ContactLog:
        """Log the start of a contact."""
        return replace(
            self,
            contacts=self.contacts + 1.0,
            between_touches=t - self.touch_time,
            touch_time=t,
            speed=-v,
            depth=0.0,
            force=0.0,
            inside=1.0,
        )

    def pressed(self, depth: float, force: float) -> ContactLog:
        """Log a time in contact."""
        return replace(
            self,
            depth=max(self.depth, depth),
            force=max(self.force, force),
            deepest=max(self.deepest, depth),
            largest_force=max(self.largest_force, force),
        )

    def released(self, t: float, v: float) -> ContactLog:
        """Log the end of a contact."""
        return replace(
            self,
            inside=0.0,
            contact_time=t - self.touch_time,
            contact_depth=self.depth,
            contact_peak=self.force,
            impact_speed=self.speed,
            rebound_speed=v,
        )


@dataclass(frozen=True)
class BounceState:
    """State before the next sample."""

    sample: int
    head: State  #: of the march
    nodes: np.ndarray  #: time, height, velocity, acceleration and event of steps around and beyond the sample
    log: ContactLog


@dataclass(frozen=True)
class FirstContact:
    """Data of the figures of the first contact."""

    curve: ContactCurve
    deepest: SurfaceCut
    film: BounceFilm

    @classmethod
    def of(cls, history: BounceHistory) -> FirstContact:
        """Data from the motion up to the top after it."""
        scene, deepest = Scene.of(history, None, None), float(history.t[np.argmin(history.q)])
        return cls(
            ContactCurve.of(history, 0),
            SurfaceCut.of(history, deepest, scene),
            BounceFilm.of(history, FRAMES),
        )


class BounceStepper(KindStepper[BounceCase]):
    """Samples of a bouncing body at equal times."""

    counter = "sample"

    @cached_property
    def body(self) -> FallingBody:
        """The falling body."""
        return self.case.build_body()

    @cached_property
    def march(self) -> TimeMarch:
        """The steps in time."""
        fall, time = self.case.fall, self.case.time
        try:
            return TimeMarch(self.body.system(fall.height, fall.speed), time.chosen, control_steps(self.case))
        except StepError as error:
            raise InputError(f"the march cannot begin: {error}.") from error

    @cached_property
    def layout(self) -> Layout:
        """Samples at equal times, with both surfaces along a line where one is given."""
        line, total = self.case.line, self.case.time.samples
        if line is None:
            return Layout(SCALARS, total)
        x = Coordinate("x", line.x, "m", "distance from the middle of the body")
        return Layout((*SCALARS, *SURFACES), total, (x,))

    def initial(self) -> Arrays:
        """State at release of the body."""
        try:
            head = self.march.begin()
        except StepError as error:
            raise InputError(f"the march cannot begin: {error}.") from error
        log = ContactLog()
        if (head.touching > 0.0).any() or self._gap(head.q[0]) < 0.0:
            log = log.touched(head.t, float(head.v[0]))
        return flatten_state(BounceState(0, head, np.array([_node(head)]), log))

    def check_state(self, samples: int, state: Arrays) -> None:
        """Refuse a stored state that is not one of this run after so many samples."""
        require_counter(self.counter, state, samples)
        require_like(self.initial(), state, growing=("nodes",))
        unflatten_state(BounceState, state)

    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """March to the time of the next sample, and interpolate between the steps around it."""
        here = unflatten_state(BounceState, state)
        number, head, nodes, log = here.sample, here.head, here.nodes, here.log
        t = number * (self.case.t_end / (self.layout.total - 1))
        while True:
            while len(nodes) > 1 and (nodes[1, 0] <= t or self._is_last(number)):
                log = self._log_node(log, nodes[0], nodes[1])
                nodes = nodes[1:]
            if len(nodes) > 1 or self.march.finished(head):
                break
            head, more = self._march_on(head)
            nodes = np.concatenate([nodes, more])
        after = BounceState(number + 1, head, nodes, log)
        return flatten_state(after), self._sample(t, nodes, log, head)

    def findings(self, run: StoredRun) -> FirstContact | None:
        """The first contact, for drawing with all its steps."""
        history = march_first_contact(self.case) if run["contacts"][-1] else None
        return None if history is None else FirstContact.of(history)

    def key_figures(self, run: StoredRun) -> KeyFigures:
        """Numbers of the first contact that is complete at a sample, and of the whole run."""
        yield "contacts", int(run["contacts"][-1]), "1"
        yield "deepest penetration", float(run["deepest"][-1]), "m"
        yield "largest contact force", float(run["largest_force"][-1]), "N"
        complete = np.flatnonzero(np.isfinite(run["contact_time"]))
        if complete.size:
            first = complete[0]
            into, out = (float(run[name][first]) for name in ("impact_speed", "rebound_speed"))
            yield "contact time", float(run["contact_time"][first]), "s"
            yield "restitution", out / into, "1"
            yield "rebound height", out**2 / (2.0 * self.case.fall.gravity), "m"
        periods = run["between_touches"][np.isfinite(run["between_touches"])]
        if periods.size:
            yield "period, touch to touch", float(periods[0]), "s"
        yield "energy at the end over that at the start", float(run["energy"][-1] / run["energy"][0]), "1"

    def _is_last(self, number: int) -> bool:
        """Whether the sample is the last, which rounding may have put before the last node."""
        return number == self.layout.total - 1

    def _march_on(self, head: State) -> tuple[State, np.ndarray]:
        """One step, or one flight, of the march: its last state, and all its nodes."""
        try:
            advance = self.march.advance(head)
        except StepError as error:
            raise ConvergenceError(f"The march stopped at t = {head.t:.9g} s: {error}.") from error
        nodes = np.array([_node(state) for state in advance.states])
        for event in advance.events:
            if event.kind in EVENTS:
                nodes[-1, -1] = EVENTS.index(event.kind)
        return advance.states[-1], nodes

    def _log_node(self, log: ContactLog, before: np.ndarray, node: np.ndarray) -> ContactLog:
        """The log after one more node."""
        t, q, v, a, event = node.tolist()
        if not self.march.locates and (self._gap(q) < 0.0) != bool(log.inside):
            t, v = self._locate_touch(before, node)
            event = EVENTS.index("release" if log.inside else "touch")
        if event == EVENTS.index("touch"):
            log = log.touched(t, v)
        if log.inside:
            log = log.pressed(-self._gap(q), self.body.mass * a + self.body.weight)
        if event == EVENTS.index("release"):
            log = log.released(t, v)
        return log

    def _locate_touch(self, before: np.ndarray, node: np.ndarray) -> tuple[float, float]:
        """Time and velocity where the gap is zero between two nodes."""
        path = _path(before, node)
        ends = [self._gap(float(path.q(s)[0])) for s in (0.0, 1.0)]
        s = 0.0
        if ends[0] * ends[1] < 0.0:
            s = float(brentq(lambda s: self._gap(float(path.q(s)[0])), 0.0, 1.0))
        return path.t + s * path.dt, float(path.v(s)[0])

    def _sample(self, t: float, nodes: np.ndarray, log: ContactLog, head: State) -> Sample:
        """Everything at time t, which lies between the first two nodes (or at the last one)."""
        q, v = nodes[0, 1:3].tolist()
        if len(nodes) > 1:
            path = _path(nodes[0], nodes[1])
            s = (t - path.t) / path.dt
            q, v = float(path.q(s)[0]), float(path.v(s)[0])
        body, case = self.body, self.case
        body.force.memory = head.memory  # start of the responses, so that they are equal after a stop
        force = body.mass * float(self.march.motion.acceleration(t, np.array([q]), np.array([v]))[0])
        kinetic, lifted = 0.5 * body.mass * v * v, body.weight * q
        elastic = body.force.response(q).energy
        sample = {
            "time": t,
            "height": q,
            "velocity": v,
            "acceleration": force / body.mass,
            "contact_force": force + body.weight if self._gap(q) < 0.0 else 0.0,
            "penetration": max(0.0, -self._gap(q)),
            "kinetic_energy": kinetic,
            "gravitational_energy": lifted,
            "elastic_energy": elastic,
            "energy": kinetic + lifted + elastic,
            "contacts": int(log.contacts),
            **{item.name: getattr(log, item.name) for item in SCALARS[11:]},
        }
        if case.line is not None:
            sample["body_surface"], sample["ground_surface"] = body.surfaces(q, case.line.x)
        return sample

    def _gap(self, q: float) -> float:
        return self.body.gap(0.0, q)


def _node(state: State) -> tuple[float, float, float, float, float]:
    return state.t, float(state.q[0]), float(state.v[0]), float(state.a[0]), 0.0


def _path(before: np.ndarray, node: np.ndarray) -> Path:
    start, end = (State(float(row[0]), row[1:2], row[2:3], row[3:4]) for row in (before, node))
    return quintic(start, end)


def control_steps(case: BounceCase) -> Control:
    """Lengths of the steps."""
    usual = USUAL_RTOL if case.body.law.grid is None else HALF_SPACE_RTOL
    dt = None if case.time.dt == "auto" else case.time.dt
    return Control(case.t_end, dt, 0.0, case.time.rtol or usual, case.time.locate_events)


def march_first_contact(case: BounceCase) -> BounceHistory | None:
    """The motion until the top after the first contact, by the same steps as in the run; None without one."""
    control, body = control_steps(case), case.build_body()
    touched = False

    def falls_again(state: State) -> bool:
        nonlocal touched
        inside = body.gap(state.t, float(state.q[0])) < 0.0 or bool((state.touching > 0.0).any())
        touched = touched or inside
        return touched and not inside and float(state.v[0]) <= 1e-9 * state.largest[1]

    history = integrate(
        body.system(case.fall.height, case.fall.speed),
        case.time.chosen,
        "auto" if control.dt is None else control.dt,
        control.t_end,
        locate_events=control.locate,
        rtol=control.rtol,
        stop=falls_again,
    )
    return bounce_history(history, body) if touched else None
