"""`Beam`: what a beam is made of and how it is held; its modes, statics and discrete models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from traction import checks
from traction.beams.damping import Damping
from traction.beams.damping import damping as checked_damping
from traction.beams.discrete.beam_differences import BeamDifferences, differences
from traction.beams.discrete.beam_elements import BeamElements, elements
from traction.beams.exact.harmonic_force import HarmonicForce, SteadyVibration, steady_vibration
from traction.beams.exact.modes import Modes, natural_modes
from traction.beams.exact.statics import Bending, bent, place_on
from traction.beams.segment import Segment
from traction.beams.supports import Support, support
from traction.beams.vibration.beam_vibration import Vibration, uniform_times, vibrate
from traction.errors import InputError


@dataclass(frozen=True, init=False)
class Beam:
    """A straight beam on supports, in SI; deflection is positive downwards.

    With a `shear_stiffness` kGA (N) it is Timoshenko's, without Euler and Bernoulli's; `rotary_inertia` is
    rho I (kg m), `foundation` Winkler's k (N/m^2). A support is "clamped", "pinned", "free", "guided" or
    `tr.Support(deflection=, rotation=)`, springs in N/m and N m. `damping` is a ratio for all modes, ratios
    per mode, or `tr.Rayleigh(alpha, beta)`.
    """

    segments: tuple[Segment, ...]
    supports: tuple[Support, ...]  #: at the ends of the segments
    damping: Damping

    def __init__(
        self,
        length: float,
        bending_stiffness: float,
        mass_per_length: float,
        *,
        shear_stiffness: float | None = None,
        rotary_inertia: float | None = None,
        supports: tuple[Any, Any] = ("clamped", "clamped"),
        damping: Any = 0.0,
        foundation: float | None = None,
    ) -> None:
        segment = Segment.checked(
            length,
            bending_stiffness,
            mass_per_length,
            shear_stiffness=shear_stiffness,
            rotary_inertia=rotary_inertia,
            foundation=foundation,
        )
        checks.keep(
            self,
            segments=(segment,),
            supports=_supports(supports, 2),
            damping=checked_damping(damping),
        )

    @classmethod
    def spans(
        cls, beams: Sequence[Beam], *, supports: Sequence[Any] | None = None, damping: Any = None
    ) -> Beam:
        """Beams laid end to end and joined rigidly.

        `supports` are those at all ends and joints, one more than beams; "free" at a joint where only the
        section changes. Unless given, the outer ends are held as the first and the last beam say, the joints
        "pinned". `damping` is that of the first beam unless given.
        """
        if not beams:
            raise InputError("beams is empty; give at least one.")
        for k, beam in enumerate(beams):
            checks.instance(f"beams[{k}]", beam, Beam)
        segments = tuple(segment for beam in beams for segment in beam.segments)
        if supports is None:
            joints: list[Any] = []
            for beam in beams:
                joints += [*beam.supports[1:-1], "pinned"]
            supports = (beams[0].supports[0], *joints[:-1], beams[-1].supports[-1])
        made = object.__new__(cls)
        checks.keep(
            made,
            segments=segments,
            supports=_supports(supports, len(segments) + 1),
            damping=beams[0].damping if damping is None else checked_damping(damping),
        )
        return made

    @property
    def length(self) -> float:
        """Of all segments, m."""
        return float(self.ends[-1])

    @property
    def ends(self) -> np.ndarray:
        """Places of the ends of the segments, m."""
        return np.r_[0.0, np.cumsum([segment.length for segment in self.segments])]

    @property
    def mass(self) -> float:
        """Of the whole beam, kg."""
        return sum(segment.mass_per_length * segment.length for segment in self.segments)

    def segment_at(self, x: float) -> Segment:
        """The one at a place."""
        place = place_on("x", x, self.length)
        return self.segments[min(int(np.searchsorted(self.ends[1:], place, "right")), len(self.segments) - 1)]

    def frequencies(self, n: int) -> np.ndarray:
        """The n lowest natural frequencies, rad/s; zero for motions of the beam as a whole."""
        return self.modes(n).frequencies

    def modes(self, n: int) -> Modes:
        """The n lowest natural modes, exact to rounding."""
        return _modes(self.segments, self.supports, checks.count("n", n))

    def bend(self, forces: Sequence[tuple[float, float]] = (), *, load: Any = 0.0) -> Bending:
        """At rest under point forces (N, place in m) and a uniform `load` (N/m), or one per segment."""
        points = [
            (checks.finite(f"forces[{k}]", force, "N"), place_on(f"forces[{k}]", x, self.length))
            for k, (force, x) in enumerate(forces)
        ]
        loads = checks.finite_array("load", load, unit="N/m").ravel()
        if loads.size not in (1, len(self.segments)):
            raise InputError(
                f"load has {loads.size} values; give one, or one per segment ({len(self.segments)})."
            )
        weights = [float(p) for p in np.broadcast_to(loads, len(self.segments))]
        return bent(self.segments, self.supports, points, weights)

    def influence(self, x: float) -> Bending:
        """At rest under a force of 1 N at x: its deflection is the influence line of the deflection at x."""
        return self.bend([(1.0, x)])

    def elements(self, n: int | Sequence[int], *, damped_modes: int | None = None) -> BeamElements:
        """A discrete beam of n finite elements in all, or of so many in each segment.

        Of a beam with one damping ratio for all modes, the lowest `damped_modes` (20) of the elements are
        damped; see `DiscreteBeam`.
        """
        return elements(self, n, damped_modes)

    def differences(self, n: int, *, damped_modes: int | None = None) -> BeamDifferences:
        """A discrete beam of n cells with finite differences, by Euler and Bernoulli's theory."""
        return differences(self, n, damped_modes)

    def vibrate(
        self,
        initial: Any = None,
        speed: Any = None,
        *,
        t: Any = None,
        t_end: float | None = None,
        dt: float | None = None,
        model: str = "modes",
        size: int | None = None,
        force: tuple[float, float, float] | None = None,
        **options: Any,
    ) -> Vibration:
        """Vibration from an `initial` deflection (m) and `speed` (m/s) at t = 0, free or under a force.

        Each is a function of x (m, an array), values at equal distances from end to end, or a `tr.Bending`,
        such as beam.bend(...) of a load that is let go. `force` is (F in N, place in m, Omega in rad/s) of
        F sin(Omega t). Times are `t`, or 0 to `t_end` by `dt` (s).

        model="modes" is exact in time with `size` (40) modes; what they hold of the start is in the result's
        `initial.captured`. "elements" and "differences" (`size` 100) march with `method` ("newmark") and its
        options.
        """
        times = uniform_times(t, t_end, dt)
        return vibrate(self, initial, speed, times, model, size, force, **options)

    def steady_vibration(
        self, force: float, place: float, frequency: float, *, modes: int = 40
    ) -> SteadyVibration:
        """The steady state under `force` (N) times sin(`frequency` t) (rad/s) at `place` (m).

        `modes` with their damping, and all others through the exact vibration of the undamped beam.
        """
        load = HarmonicForce.checked((force, place, frequency), self)
        return steady_vibration(self, load, checks.count("modes", modes))


def _supports(given: Sequence[Any], n: int) -> tuple[Support, ...]:
    if isinstance(given, str) or len(given) != n:
        raise InputError(f"supports = {checks.shown(given)} must be {n}, one at each end or joint.")
    return tuple(support(f"supports[{k}]", one) for k, one in enumerate(given))


@lru_cache(maxsize=16)
def _modes(segments: tuple[Segment, ...], supports: tuple[Support, ...], n: int) -> Modes:
    return natural_modes(segments, supports, n)
