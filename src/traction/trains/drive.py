"""`Drive`: driving or braking of a wheel, and the friction under it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.inclined_friction import InclinedFriction
from traction.friction_laws.layer import Layer
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.friction_laws.track_friction import TrackFriction
from traction.quantities import counted
from traction.trains.shaft import Shaft
from traction.trains.travel import sample_function

OverTime = float | Callable[..., ArrayLike]
Law = FrictionLaw | ThermalFriction | TrackFriction  #: of the slip speed, the temperature, the place
Creepage = tuple[OverTime | None, OverTime, OverTime]  #: xi, eta, phi
KINDS = ("force", "creepage", "torque")
PARTS = ("xi", "eta", "phi")


class Demand(NamedTuple):
    """Prescribed traction of a wheel at one time."""

    along: float  #: force (N), longitudinal creepage or torque (N m), whichever is given
    lateral: float  #: creepage eta
    spin: float  #: phi, rad/m
    friction: float  #: mu; of a law the largest
    place: float = 0.0  #: of the wheel along the bridge, m

    @property
    def nothing(self) -> bool:
        """Whether no traction is prescribed."""
        return self.along == self.lateral == self.spin == 0.0


@dataclass(frozen=True, eq=False)
class Drive:
    """Driving or braking of a wheel by a force, a creepage or a torque, constant or over time.

    Force, creepages, torque and friction are numbers or functions of time (s).

    Parameters
    ----------
    force
        Longitudinal force of the rail on the wheel, N: positive drives, negative brakes. Above mu times the
        contact force the wheel slides; its creepage is then undetermined, since a force does not fix the
        rotation.
    creepage
        (xi, eta, phi): longitudinal and lateral creepage (-) and spin (rad/m) of the wheel over the rail.
        Positive xi brakes: xi = 1 - omega radius/speed. With a force or a torque xi is None, as in (None,
        0.001, 0.0).
    torque
        Torque on the wheel, N m: positive drives, negative brakes as dry friction does, against the rotation
        and up to this torque where the wheel is locked. The creepage follows from the rotation, also in
        sliding.
    inertia
        Moment of inertia of the wheel, kg m^2; required with a torque and with a shaft.
    shaft
        A `tr.Shaft` between the wheel and a rotor, on which the torque then acts, or which has the
        longitudinal creepage; that of the wheel follows from its rotation.
    friction
        Coefficient of friction mu, or a law of `tr.friction` with a creepage or a torque: of the slip speed
        or the temperature. Coefficients along the track, `tr.friction.along_track`, are at places x of the
        bridge, which begins at 0; before it they are those of negative x.
    layer
        A `tr.Layer` between wheel and rail.
    elements
        Elements per direction around the largest patch; by default the grid of the contact (24 for Hertz).
    keep
        Number of evenly spaced times at which tractions are stored, or a list of times, s.

    Raises
    ------
    InputError
        If not exactly one of force, longitudinal creepage and torque is given, a torque or a shaft without
        inertia, or a force with a friction law or a shaft.

    Examples
    --------
    >>> brake = tr.Drive(force=-5e3, friction=0.25)
    >>> brake.kind
    'force'
    """

    force: OverTime | None = None
    creepage: Creepage | None = None
    torque: OverTime | None = field(default=None, kw_only=True)
    inertia: float | None = field(default=None, kw_only=True)
    shaft: Shaft | None = field(default=None, kw_only=True)
    friction: OverTime | Law = field(default=0.3, kw_only=True)
    layer: Layer | None = field(default=None, kw_only=True)
    elements: int | None = field(default=None, kw_only=True)
    keep: int | Sequence[float] = field(default=201, kw_only=True)

    def __post_init__(self) -> None:
        given = None if self.creepage is None else _check_creepage(self.creepage)
        xi, eta, phi = (None, 0.0, 0.0) if given is None else given
        kind = _require_one(force=self.force, creepage=xi, torque=self.torque)
        shaft = None if self.shaft is None else _check_shaft(self.shaft, kind)
        if (self.inertia is None) == self.turns:
            raise InputError(
                "a torque or a shaft turns a wheel with a moment of inertia: give inertia, in kg m^2."
                if self.turns
                else f"inertia = {self.inertia} kg m^2 is given, but neither torque nor shaft; omit it."
            )
        checks.keep(
            self,
            force=None if self.force is None else _check_over_time("force", self.force, "N"),
            creepage=(xi, eta, phi),
            torque=None if self.torque is None else _check_over_time("torque", self.torque, "N m"),
            inertia=None if self.inertia is None else checks.positive("inertia", self.inertia, "kg m^2"),
            shaft=shaft,
            friction=_check_law(self.friction, kind),
            layer=None if self.layer is None else checks.instance("layer", self.layer, Layer),
            elements=None if self.elements is None else checks.count("elements", self.elements, 4),
            keep=_check_kept(self.keep),
        )
        if isinstance(self.friction, float):
            _require_friction(np.array([self.friction]), np.zeros(1))

    @property
    def kind(self) -> str:
        """Prescribed longitudinal quantity: "force", "creepage" or "torque"."""
        return next(name for name, value in zip(KINDS, self._along, strict=True) if value is not None)

    @property
    def turns(self) -> bool:
        """Whether the rotation of the wheel follows from its inertia."""
        return self.torque is not None or self.shaft is not None

    @property
    def _along(self) -> tuple[OverTime | None, ...]:
        assert self.creepage is not None
        return self.force, self.creepage[0], self.torque

    def kept_of(self, t: np.ndarray) -> np.ndarray:
        """Return the indices of the times `t` (s) of a run at which tractions are stored."""
        if isinstance(self.keep, int):
            return np.unique(np.linspace(0, t.size - 1, self.keep).round().astype(int))
        outside = [one for one in self.keep if not t[0] <= one <= t[-1]]
        if outside:
            raise InputError(f"keep has t = {outside[0]} s, outside the run of {t[0]} to {t[-1]:.6g} s.")
        return np.unique([int(np.argmin(np.abs(t - one))) for one in self.keep])

    @property
    def law(self) -> Law | None:
        """Law of friction, or friction along the track; None where it is a number or a function of time."""
        return self.friction if isinstance(self.friction, Law) else None

    def demands(self, t: np.ndarray, place: np.ndarray | None = None) -> list[Demand]:
        """Return the prescribed tractions at times `t` (s), of a wheel at a `place` (m) along the bridge."""
        assert self.creepage is not None
        along = next(value for value in self._along if value is not None)
        mu = self.friction.largest if isinstance(self.friction, Law) else self.friction
        named = {self.kind: along, "eta": self.creepage[1], "phi": self.creepage[2], "friction": mu}
        columns = [_sample(name, value, t) for name, value in named.items()]
        if isinstance(self.friction, TrackFriction) and place is not None:
            columns[3] = columns[3] * self.friction.value(place) / max(self.friction.values)
        _require_friction(columns[3], t)
        columns.append(np.zeros(t.shape) if place is None else place)
        return [Demand(*row) for row in np.stack(columns, axis=1).tolist()]


def _check_shaft(shaft: object, kind: str) -> Shaft:
    """A shaft whose rotor a torque turns, or which has a given creepage."""
    found = checks.instance("shaft", shaft, Shaft)
    if kind == "force":
        raise InputError(
            "a shaft turns the wheel by its torque; a given force leaves its rotation undetermined: give the "
            "torque on the rotor, or its creepage."
        )
    if (found.inertia is None) == (kind == "torque"):
        raise InputError(
            "a torque on a shaft turns a rotor: give inertia to tr.Shaft, in kg m^2."
            if kind == "torque"
            else f"inertia = {found.inertia} kg m^2 of the shaft is for the rotor that a torque turns; with "
            "a given creepage omit it."
        )
    return found


def _check_law(friction: OverTime | Law, kind: str) -> OverTime | Law:
    """Friction over time, or a law, under which a force does not decide how fast the wheel turns."""
    if isinstance(friction, InclinedFriction) or (
        isinstance(friction, TrackFriction) and isinstance(friction.law, InclinedFriction)
    ):
        raise InputError(
            "friction by inclination is for tr.wheel_rail; wheels of a crossing run on one line of the rail. "
            "Give a coefficient of friction."
        )
    if not isinstance(friction, Law):
        return _check_over_time("friction", friction)
    if kind == "force" and not (isinstance(friction, TrackFriction) and friction.law is None):
        raise InputError(
            "a friction law that falls has no rotation for a force above its maximum, and two below it: give "
            "the torque and the inertia of the wheel, or the creepage, or a constant coefficient of friction."
        )
    return friction


def assign_drives(drive: object, wheels: int) -> tuple[Drive | None, ...]:
    """The drive of each wheel: one for all, by the number of the wheel from 0, or a sequence."""
    if drive is None or isinstance(drive, Drive):
        return (drive,) * wheels
    if isinstance(drive, Mapping):
        found: list[Drive | None] = [None] * wheels
        for key, one in drive.items():
            k = checks.count("a wheel in drive", key, 0)
            if k >= wheels:
                raise InputError(
                    f"drive has wheel {k}; the train has {counted(wheels, 'wheel')}, counted from 0."
                )
            found[k] = checks.instance(f"drive[{k}]", one, Drive)
        return tuple(found)
    if isinstance(drive, Sequence) and not isinstance(drive, str):
        if len(drive) != wheels:
            raise InputError(
                f"drive has {len(drive)} entries, the train {counted(wheels, 'wheel')}; give one for each, "
                "None where it runs free, or {number of the wheel: tr.Drive}."
            )
        return tuple(
            None if one is None else checks.instance(f"drive[{k}]", one, Drive) for k, one in enumerate(drive)
        )
    raise InputError(
        f"drive = {checks.shown(drive)} must be a tr.Drive, one for each wheel, or "
        "{number of the wheel: tr.Drive}."
    )


def _require_one(**given: object) -> str:
    names = [name for name, value in given.items() if value is not None]
    if len(names) != 1:
        state = " and ".join(names) if names else "none"
        raise InputError(
            f"give exactly one of force, creepage along x and torque; {state} given. With a force or a "
            "torque the creepage is (None, eta, phi)."
        )
    return names[0]


def _check_creepage(creepage: Creepage) -> Creepage:
    words = "(xi, eta, phi), numbers or functions of time"
    xi, eta, phi = cast(Creepage, checks.parts("creepage", creepage, 3, words))
    first = None if xi is None else _check_over_time("xi", xi)
    return first, _check_over_time("eta", eta), _check_over_time("phi", phi, "rad/m")


def _check_kept(keep: ArrayLike) -> int | tuple[float, ...]:
    if not isinstance(keep, list | tuple) and not (isinstance(keep, np.ndarray) and keep.ndim):
        return checks.count("keep", keep, 2)
    times = tuple(checks.finite_array("keep", keep, unit="s").ravel().tolist())
    if not times:
        raise InputError("keep is empty; give at least one time in s, or a number of times.")
    return times


def _check_over_time(name: str, value: OverTime, unit: str = "") -> OverTime:
    return value if callable(value) else checks.finite(name, value, unit)


def _sample(name: str, value: OverTime, t: np.ndarray) -> np.ndarray:
    return sample_function(name, value, t) if callable(value) else np.full(t.shape, value)


def _require_friction(mu: np.ndarray, t: np.ndarray) -> None:
    if (mu <= 0.0).any():
        k = int(np.argmax(mu <= 0.0))
        raise InputError(
            f"friction = {mu[k]} at t = {t[k]:.6g} s must be positive: without friction there is no traction."
        )
