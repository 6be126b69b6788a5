"""`conicity`: equivalent conicity of a wheelset on a track (EN 15302)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.wheelsets.geometry.track import Track
from traction.wheelsets.geometry.wheelset import Wheelset
from traction.wheelsets.kinematics.restoring_function import RestoringFunction, restoring_function

METHODS = ("integration", "harmonic", "regression")
LARGEST = 0.05  #: amplitude, m
MARGINS = (2e-3, 5e-3, 15e-3)  #: beyond the amplitude, in which the middle of unequal wheels is looked for, m


def conicity(
    wheelset: Wheelset,
    track: Track,
    amplitude: ArrayLike,
    *,
    method: str = "integration",
    roll: bool = True,
) -> float | np.ndarray:
    """Compute the equivalent conicity tan gamma_e of a wheelset on a track (EN 15302).

    Parameters
    ----------
    wheelset, track
        What rolls, and on what.
    amplitude
        Amplitude of the lateral motion, m, one or several; 3 mm is usual.
    method
        "integration": of the kinematic wave, whose wavelength is compared with that of a cone (reference
        procedure of the standard). "harmonic": first harmonic of Delta r in a sinusoidal motion.
        "regression": straight line through Delta r over the range of the motion, by least squares.
    roll
        False to neglect the roll of the wheelset in Delta r.

    Returns
    -------
    float or numpy.ndarray
        tan gamma_e, in the shape of `amplitude`.

    Raises
    ------
    InputError
        If a wheel leaves its rail within the amplitude, or no wave exists.

    Notes
    -----
    With Delta r the rolling radius difference (`contact_functions`), a the amplitude and y counted from the
    middle of the motion:

    - integration: y'' = -Delta r(y)/(e r0) has the wavelength L, and tan gamma_e = 2 pi^2 e r0/L^2 (Klingel
      1883);
    - harmonic: tan gamma_e = 1/(2 pi a) times the integral of Delta r(a sin p) sin p over a period;
    - regression: tan gamma_e = 1/2 times the integral of Delta r y over that of y^2, from -a to a.

    The constants e and r0 cancel. On a cone all three agree; without roll they are the cone's taper, with
    roll somewhat more, since the wheelset leans to the side to which it has moved.

    Examples
    --------
    >>> wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    >>> track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
    >>> print(f"{tr.conicity(wheelset, track, 3e-3):.4f}")
    0.1771
    """
    checks.instance("wheelset", wheelset, Wheelset, "such as tr.Wheelset(profile, radius=0.46).")
    checks.instance("track", track, Track, "such as tr.Track(profile).")
    track.require_rails("equivalent conicity")
    chosen = checks.choice("method", method, METHODS)
    amplitudes = check_amplitudes(amplitude)
    largest = float(amplitudes.max())
    function, margin = sampled(wheelset, track, largest, roll=checks.flag("roll", roll))
    found = []
    for a in amplitudes.ravel().tolist():
        middle = function.middle(a) if margin else 0.0
        found.append(equivalent_conicity(function, a, middle, chosen))
    return found[0] if amplitudes.ndim == 0 else np.reshape(found, amplitudes.shape)


def check_amplitudes(amplitude: ArrayLike) -> np.ndarray:
    """Amplitudes above 1 um that a track can bear."""
    amplitudes = checks.finite_points("amplitude", amplitude)
    if not amplitudes.size or not (amplitudes.min() >= 1e-6 and amplitudes.max() <= LARGEST):
        raise InputError(
            f"amplitude = {checks.shown(amplitude)} m must lie between 1e-6 and {LARGEST} m; 0.003 is usual."
        )
    return amplitudes


def sampled(
    wheelset: Wheelset, track: Track, amplitude: float, *, roll: bool = True, exact: bool = False
) -> tuple[RestoringFunction, float]:
    """Restoring function for motions of an amplitude, and how far it reaches beyond it, m.

    Equal wheels on equal rails oscillate about the middle of the track; others about a place that is looked
    for.
    """
    if wheelset.left is None and track.left is None:
        return restoring_function(wheelset, track, amplitude, roll=roll, exact=exact), 0.0
    for margin in MARGINS[:-1]:
        function = restoring_function(wheelset, track, amplitude + margin, roll=roll, exact=exact)
        if function.has_middle(amplitude):
            return function, margin
    return restoring_function(wheelset, track, amplitude + MARGINS[-1], roll=roll, exact=exact), MARGINS[-1]


def equivalent_conicity(function: RestoringFunction, amplitude: float, middle: float, method: str) -> float:
    """Conicity of a rolling radius difference (m) over the lateral shift."""
    _, phase, weight, difference = function.sections(amplitude, middle)
    if method == "harmonic":
        return float((weight * difference * np.sin(phase)).sum()) / (math.pi * amplitude)
    if method == "regression":  # dy = amplitude cos p dp
        moment = float((weight * difference * np.sin(phase) * np.cos(phase)).sum())
        return 0.5 * moment / (amplitude * 2.0 / 3.0)
    turned = remaining_turn(function, amplitude, middle, phase)
    half = float((weight * amplitude * np.cos(phase) / np.sqrt(2.0 * turned)).sum())
    return 2.0 * math.pi**2 / (2.0 * half) ** 2


def remaining_turn(
    function: RestoringFunction, amplitude: float, middle: float, phase: np.ndarray
) -> np.ndarray:
    """Integral of g from each place to the end of the motion on its side: half the yaw angle squared."""
    turned = function.turn_to_end(amplitude, middle, phase)
    if not (turned > 0.0).all():
        raise InputError(
            f"amplitude = {amplitude:.4g} m: the wheelset does not oscillate, since its rolling radius "
            "difference "
            'drives it outwards; use method="harmonic" for its mean conicity, which may be negative.'
        )
    return turned
