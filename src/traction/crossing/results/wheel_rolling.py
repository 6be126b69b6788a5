"""`WheelRolling`: driving or braking of a wheel over a crossing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from traction import checks
from traction.contact.friction.tangential_contact import CREEPAGES, TangentialContact
from traction.contact.stick_slip.lagged_friction import describe_lag
from traction.errors import InputError
from traction.friction_laws.track_friction import TrackFriction
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, components, data, figure, number
from traction.trains.drive import Drive

FEW = 2  #: slides that have no frequency yet
GOES_ON = 2.0  #: mean times between slides, after which another one would have begun
JUMP = (
    0.01  #: of the friction bound, by which forces may jump silently: steps of steep laws are divided or not
)
JUMPED = (
    "the force of a driven wheel jumps by up to {:.2g} % of the friction bound where {} falls with the slip "
    "faster than the contact follows; the rotation cannot resolve this jump: use {}"
)


def jump_notices(share: float, drive: Drive) -> tuple[str, ...]:
    """What to say of a wheel whose force jumps by a share of the friction bound; nothing of small jumps."""
    return (JUMPED.format(100.0 * share, *_find_causes(drive)),) if share > JUMP else ()


def _find_causes(drive: Drive) -> tuple[str, str]:
    """What may make the force of a wheel jump, and its remedy."""
    law, layer = drive.law, drive.layer
    falls = law is not None and not (isinstance(law, TrackFriction) and law.law is None)
    softens = layer is not None and layer.hardening < 0.0
    if falls and softens:
        return (
            "friction or the yield stress of the layer",
            "a less steep law, a longer memory or less softening",
        )
    if falls or layer is None:
        return "friction", "a less steep law or a longer memory"
    return "the yield stress of the layer", "less softening"


@dataclass(frozen=True, eq=False, repr=False)
class WheelRolling(Result):
    """Creep forces, creepages, stick and slip of one wheel over a crossing.

    Forces are those of the rail on the wheel, x along the travel. Creepages and dissipation of a step are
    stored at its end. Where a force is given, creepages are NaN while the wheel is in the air or slides,
    as its rotation is then undetermined; they are also NaN where the train stands. While a given force
    slides the wheel, the dissipation is that of the least creepage at which all of the patch slides,
    xi = 3 mu F_n/(C_11 G a b) (Johnson and Vermeulen): a lower bound, for the wheel may spin or lock; a drive
    by torque with its inertia determines it. Steps shorter than an element of the contact are rolled
    together: between their ends numbers are linear.
    """

    _rows, _drawn = ("time",), "force"

    t: np.ndarray  #: times, s
    drive: Drive  #: prescribed force, creepage or torque
    radius: float  #: radius of the wheel, m
    speed: np.ndarray  #: speed of the train, m/s
    contact_force: np.ndarray  #: normal force, N
    friction: np.ndarray  #: coefficient of friction mu
    force: np.ndarray  #: F_x, F_y, N, (times, 2)
    moment: np.ndarray  #: M_z about the centre of the contact grid, N m
    creepage: np.ndarray  #: xi, eta (-), phi (rad/m): mean over each step, (times, 3)
    stick: np.ndarray  #: fraction of the contact area that sticks; 0 in the air
    sliding: np.ndarray  #: whether the whole patch slipped at some time of the step
    slides: np.ndarray  #: how often all of the patch began to slip so far
    dissipated: np.ndarray  #: work of friction from the start, J; a lower bound where a given force slides
    kept: np.ndarray  #: indices of the times at which tractions are stored
    contacts: tuple[TangentialContact | None, ...] = field(repr=False)  #: at these; None in the air
    shaft_torque: np.ndarray | None = None  #: of the shaft on the wheel, N m; None without a shaft
    rotor_speed: np.ndarray | None = None  #: angular velocity of the rotor of the shaft, rad/s
    #: largest distance in each step by which friction lagged behind its law, m; None where it cannot
    lag: np.ndarray | None = None
    #: largest jump of the force in each step that the rotation could not resolve, over the friction bound;
    #: None where it cannot jump
    jump: np.ndarray | None = None
    stats: dict[str, float] = field(default_factory=dict)  #: steps, iterations, seconds

    @property
    def bound(self) -> np.ndarray:
        """Friction limit, mu times the contact force, N."""
        return self.friction * self.contact_force

    @property
    def wear_number(self) -> np.ndarray:
        """T gamma = -(xi F_x + eta F_y + phi M_z), N."""
        slip = self.creepage[:, 0] * self.force[:, 0] + self.creepage[:, 1] * self.force[:, 1]
        return np.asarray(-(slip + self.creepage[:, 2] * self.moment))

    @property
    def rotation(self) -> np.ndarray:
        """Angular velocity of the wheel, (1 - xi) speed/radius, mean over each step, rad/s."""
        return np.asarray((1.0 - self.creepage[:, 0]) * self.speed / self.radius)

    @property
    def slide_starts(self) -> np.ndarray:
        """Times by which the whole patch began to slide, s; one for each slide."""
        return np.repeat(self.t, np.diff(self.slides, prepend=0))

    @property
    def stick_slip_frequency(self) -> float:
        """Frequency of slides of a wheel on a shaft, Hz, mean of the later half.

        All slides are counted, also several between two times of the result. NaN with fewer than three, and
        where they have ended: none began over the last two of their mean periods.
        """
        starts = self.slide_starts
        if self.drive.shaft is None or starts.size <= FEW:
            return math.nan
        late = starts[(starts.size - 1) // 2 :]
        lasts, rest = float(late[-1] - late[0]), float(self.t[-1] - late[-1])
        often = (late.size - 1) / lasts if lasts > 0.0 else math.nan
        return often if rest * often <= GOES_ON else math.nan

    @property
    def message(self) -> str:
        """Whether the wheel slid, and from when; whether friction lagged behind its law or jumped."""
        words = "the wheel did not slide"
        if self.sliding.any():
            first, share = float(self.t[np.argmax(self.sliding)]), float(self.sliding.mean())
            words = f"the wheel slid in {100.0 * share:.3g} % of the steps, first at t = {first:.6g} s"
        return "; ".join((words, *self.notices))

    @property
    def notices(self) -> tuple[str, ...]:
        """That friction lagged behind its law, and that its force jumped, if they did."""
        lag = 0.0 if self.lag is None else float(self.lag.max())
        jump = 0.0 if self.jump is None else float(self.jump.max())
        return (*((describe_lag(lag),) if lag > 0.0 else ()), *jump_notices(jump, self.drive))

    def at(self, t: float) -> TangentialContact:
        """Return tractions, slips and stick area at the stored time nearest to `t` (s)."""
        time = checks.finite("t", t, "s")
        if not self.t[0] <= time <= self.t[-1]:
            raise InputError(f"t = {time} s must lie in {self.t[0]} to {self.t[-1]} s, the times of the run.")
        k = int(np.argmin(np.abs(self.t[self.kept] - time)))
        found = self.contacts[k]
        if found is None:
            raise InputError(
                f"the wheel is in the air at t = {self.t[self.kept[k]]:.6g} s: there are no tractions."
            )
        return found

    def __len__(self) -> int:
        return len(self.t)

    def _headline(self) -> str:
        of = "" if self.drive.shaft is None else " of the rotor"
        return f"{self.drive.kind}{of} given, {len(self.t) - 1} steps, {self.message}"

    def _variables(self) -> Iterator[Variable]:
        yield figure("largest_force", float(np.abs(self.force[:, 0]).max()), "N", "largest force along x")
        yield figure("dissipated_in_all", float(self.dissipated[-1]), "J", "work of friction")
        yield figure("sliding_share", float(self.sliding.mean()), "1", "share of steps that slide")
        yield number("radius", self.radius, "m", "radius of the wheel")
        yield axis("time", self.t, "s", "time")
        yield components()
        yield data("force", self.force, "N", "force of the rail on the wheel", "time", "component")
        yield data("moment", self.moment, "N m", "spin moment", "time")
        yield data("contact_force", self.contact_force, "N", "contact force", "time")
        yield data("friction", self.friction, "1", "coefficient of friction", "time")
        yield data("speed", self.speed, "m/s", "speed of the train", "time")
        for (name, words), values in zip(CREEPAGES.items(), self.creepage.T, strict=True):
            yield data(name, values, "rad/m" if name == "spin" else "1", words, "time")
        yield data("stick_share", self.stick, "1", "share of the contact area that sticks", "time")
        yield data("sliding", self.sliding, "1", "steps in which all of the patch slipped", "time")
        yield data("slides", self.slides, "1", "how often all of the patch began to slip so far", "time")
        yield data("dissipated", self.dissipated, "J", "work of friction from the start", "time")
        if self.shaft_torque is not None and self.rotor_speed is not None:
            yield data("shaft_torque", self.shaft_torque, "N m", "torque of the shaft on the wheel", "time")
            yield data("rotor_speed", self.rotor_speed, "rad/s", "angular velocity of the rotor", "time")
        if self.lag is not None:
            yield data("lag", self.lag, "m", "distance by which friction lags behind its law", "time")
        if self.jump is not None:
            yield data("jump", self.jump, "1", "jump of the force over the friction bound", "time")
