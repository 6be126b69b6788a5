"""`kinematic_wave`: path of a wheelset in pure rolling along a straight track, exact and by Klingel."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, data, figure
from traction.wheelsets.geometry.track import Track
from traction.wheelsets.geometry.wheelset import Wheelset
from traction.wheelsets.kinematics.conicity import check_amplitudes, conicity, remaining_turn, sampled
from traction.wheelsets.kinematics.contact_functions import contact_functions


@dataclass(frozen=True, eq=False, repr=False)
class KinematicWave(Result):
    """Result of `tr.kinematic_wave`: one wavelength, from the leftmost position on."""

    _rows, _drawn = ("x",), "y"

    x: np.ndarray  #: distance along the track, m
    y: np.ndarray  #: lateral shift of the wheelset, m
    yaw: np.ndarray  #: yaw angle, rad
    amplitude: float  #: half the width of the motion, m
    wavelength: float  #: exact, m
    conicity: float  #: equivalent conicity at this amplitude
    klingel_wavelength: float  #: of a cone of this conicity, 2 pi sqrt(e r0/(2 tan gamma)), m
    middle: float  #: lateral shift about which the wheelset oscillates, m

    @property
    def klingel(self) -> np.ndarray:
        """Lateral shift at `x` of a wheelset with cones of the equivalent conicity, m."""
        return self.middle + self.amplitude * np.cos(2.0 * math.pi * self.x / self.klingel_wavelength)

    def frequency(self, speed: float) -> float:
        """Return the frequency of the motion (Hz) at a forward `speed` (m/s)."""
        return checks.positive("speed", speed, "m/s") / self.wavelength

    def _headline(self) -> str:
        return f"amplitude {1e3 * self.amplitude:.4g} mm"

    def _variables(self) -> Iterator[Variable]:
        yield figure("wavelength", self.wavelength, "m", "wavelength")
        yield figure("klingel_wavelength", self.klingel_wavelength, "m", "wavelength by Klingel's formula")
        yield figure("conicity", self.conicity, "1", "equivalent conicity")
        yield figure("amplitude", self.amplitude, "m", "amplitude")
        yield axis("x", self.x, "m", "distance along the track")
        yield data("y", self.y, "m", "lateral shift", "x")
        yield data("yaw", self.yaw, "rad", "yaw angle", "x")
        yield data("klingel", self.klingel, "m", "lateral shift by Klingel's formula", "x")


def kinematic_wave(wheelset: Wheelset, track: Track, amplitude: float) -> KinematicWave:
    """Compute the path of a wheelset that rolls without slip along a straight track.

    Parameters
    ----------
    wheelset, track
        What rolls, and on what.
    amplitude
        Amplitude of the lateral motion, m.

    Returns
    -------
    KinematicWave
        Lateral shift and yaw along a wavelength, the wavelength, and Klingel's for comparison.

    Raises
    ------
    InputError
        If a wheel leaves its rail within the amplitude, or the wheelset does not oscillate.

    Notes ----- Both wheels roll without longitudinal and lateral slip, so that along the path ds the yaw
    angle p and the shift change by

        dp/ds = -g(y),  dy/ds = sin p,  dx/ds = cos p,  g = (r_left - r_right)/(e r)

    with e the distance of the contacts and r the mean radius, both at y. Then 1 - cos p is the integral of g
    from y to the end of the motion, and x follows by quadrature. Contact points are those without yaw, which
    is a few mrad. Klingel (1883) takes small angles, constant e and r, and a cone.

    Examples
    --------
    >>> wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    >>> track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
    >>> wave = tr.kinematic_wave(wheelset, track, 3e-3)
    >>> print(f"{wave.wavelength:.2f} m, {wave.frequency(50.0):.1f} Hz at 50 m/s")
    8.76 m, 5.7 Hz at 50 m/s
    """
    checks.instance("wheelset", wheelset, Wheelset, "such as tr.Wheelset(profile, radius=0.46).")
    checks.instance("track", track, Track, "such as tr.Track(profile).")
    track.require_rails("the kinematic wave")
    size = float(check_amplitudes(checks.finite("amplitude", amplitude, "m")))
    function, margin = sampled(wheelset, track, size, exact=True)
    middle = function.middle(size) if margin else 0.0
    ends, phase, weight, _ = function.sections(size, middle)
    turned = remaining_turn(function, size, middle, phase)  # 1 - cos p
    steps = weight * size * np.cos(phase) * (1.0 - turned) / np.sqrt(turned * (2.0 - turned))
    places = np.concatenate([[0.0], np.cumsum(steps.sum(axis=1)[::-1])])
    half = float(places[-1])
    shift = middle + size * np.sin(ends[::-1])
    inner = remaining_turn(function, size, middle, ends[-2:0:-1])
    angle = -np.concatenate([[0.0], np.arccos(1.0 - inner), [0.0]])
    found = contact_functions(wheelset, track, [middle])
    tangent = float(conicity(wheelset, track, size))
    scale = float(found.contact_distance[0] * found.mean_radius[0])
    return KinematicWave(
        x=np.concatenate([places, 2.0 * half - places[-2::-1]]),
        y=np.concatenate([shift, shift[-2::-1]]),
        yaw=np.concatenate([angle, -angle[-2::-1]]),
        amplitude=size,
        wavelength=2.0 * half,
        conicity=tangent,
        klingel_wavelength=2.0 * math.pi * math.sqrt(0.5 * scale / tangent),
        middle=middle,
    )
