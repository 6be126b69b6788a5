"""Track irregularity: the height of the rail above its ideal line, along the track.

Positions x count from the start of the beam; the approach lies at negative x. Spectra are one-sided: the
variance of the height is the integral of S(Omega) over the wave numbers Omega = 2 pi/wavelength of the band.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError

#: A_v of the FRA's classes 1 to 6, m rad (published in cm^2 rad/m)
FRA = {1: 1.2107e-4, 2: 1.0181e-4, 3: 0.6816e-4, 4: 0.5376e-4, 5: 0.2095e-4, 6: 0.0339e-4}
FRA_K, FRA_CORNER = 0.25, 0.8245  #: k, and Omega_c in rad/m
#: A_v of the German spectra, m rad
ERRI = {"low": 4.032e-7, "high": 1.080e-6}
ERRI_CORNER, ERRI_LONG = 0.8246, 0.0206  #: Omega_c and Omega_r, rad/m
Band = tuple[float, float]  #: shortest and longest wavelength, m
BAND = (1.0, 80.0)  #: of a realisation
MOST_WAVES = 100_000
WAVES = 1000  #: of a realisation
GAUSS = np.polynomial.legendre.leggauss(8)  #: points and weights, which finding takes longer than using


@dataclass(frozen=True, eq=False)
class Irregularity:
    """Height and slope of the rail along the track, or of a wheel's tread.

    The class methods build common shapes.

    Parameters
    ----------
    height
        Function of the position x (m, array), height in m, upwards.
    slope
        Function of x, its derivative.
    variance
        Variance of the height, m^2, if known.
    shortest
        Length of the shortest wave or defect, m, if known; it limits the time step.

    Examples
    --------
    >>> wave = tr.Irregularity.harmonic(amplitude=0.1e-3, wavelength=1.0)
    >>> print(f"{wave.height(0.25) * 1e3:.3f} mm")
    0.100 mm
    """

    height: Callable[[ArrayLike], np.ndarray]
    slope: Callable[[ArrayLike], np.ndarray]
    variance: float = math.nan
    shortest: float = math.inf

    @classmethod
    def harmonic(cls, amplitude: float, wavelength: float, phase: float = 0.0) -> Irregularity:
        """Return `amplitude` sin(2 pi x/`wavelength` + `phase`); lengths in m, phase in rad."""
        a = checks.positive("amplitude", amplitude, "m")
        k = 2.0 * math.pi / checks.positive("wavelength", wavelength, "m")
        start = checks.finite("phase", phase, "rad")
        return cls(
            lambda x: a * np.sin(k * np.asarray(x) + start),
            lambda x: a * k * np.cos(k * np.asarray(x) + start),
            0.5 * a * a,
            2.0 * math.pi / k,
        )

    @classmethod
    def step(cls, height: float, at: float, length: float) -> Irregularity:
        """Return a rise by `height` (m) that starts at x = `at` (m) over a `length` (m), half a cosine.

        A negative height is a drop.
        """
        h, x0 = checks.finite("height", height, "m"), checks.finite("at", at, "m")
        reach = checks.positive("length", length, "m", "a wheel cannot follow an edge in rigid contact.")

        def along(x: ArrayLike) -> np.ndarray:
            return np.clip((np.asarray(x, dtype=float) - x0) / reach, 0.0, 1.0)

        return cls(
            lambda x: 0.5 * h * (1.0 - np.cos(math.pi * along(x))),
            lambda x: 0.5 * h * math.pi / reach * np.sin(math.pi * along(x)),
            shortest=reach,
        )

    @classmethod
    def flat(
        cls, radius: float, length: float, *, depth: float | None = None, at: float = 0.0, worn: bool = True
    ) -> Irregularity:
        """Return a wheel flat, as the missing height of the tread over the distance rolled, once per turn.

        Parameters
        ----------
        radius
            Wheel radius R, m.
        length
            Length of the flat, m.
        depth
            Depth of a worn flat, m; length^2/(16 R) by default.
        at
            Position x at which the middle of the flat meets the rail, m.
        worn
            True for rounded edges, depth/2 (1 - cos(2 pi s/length)) (Newton and Clark 1979). False for a
            fresh flat, a chord: the wheel turns about its edges, descends by s^2/(2 R) to length^2/(8 R),
            and stops with a kink.
        """
        R = checks.positive("radius", radius, "m")
        reach, middle = checks.positive("length", length, "m"), checks.finite("at", at, "m")
        turn = 2.0 * math.pi * R
        if reach >= R:
            raise InputError(f"length = {reach} m of a flat must be below the radius, {R} m.")
        if not checks.flag("worn", worn):
            if depth is not None:
                raise InputError(f"depth = {depth} m of a fresh flat follows from its length; omit it.")
            deep = reach**2 / (8.0 * R)
        else:
            deep = reach**2 / (16.0 * R) if depth is None else checks.positive("depth", depth, "m")

        def from_edge(x: ArrayLike) -> np.ndarray:
            """Distance from the nearer edge, positive within the flat, over half its length."""
            along = np.abs(np.mod(np.asarray(x, dtype=float) - middle + 0.5 * turn, turn) - 0.5 * turn)
            return np.clip(1.0 - along / (0.5 * reach), 0.0, 1.0)

        def side(x: ArrayLike) -> np.ndarray:
            """1 before the middle of the flat, -1 after it."""
            return np.where(np.mod(np.asarray(x, dtype=float) - middle, turn) > 0.5 * turn, 1.0, -1.0)

        if not worn:
            return cls(
                lambda x: -deep * from_edge(x) ** 2,
                lambda x: -deep * 4.0 / reach * from_edge(x) * side(x),
                shortest=reach,
            )
        return cls(
            lambda x: -0.5 * deep * (1.0 - np.cos(math.pi * from_edge(x))),
            lambda x: -deep * math.pi / reach * np.sin(math.pi * from_edge(x)) * side(x),
            shortest=reach,
        )

    @classmethod
    def fra(
        cls, track_class: int, *, seed: int, wavelengths: Band = BAND, waves: int = WAVES
    ) -> Irregularity:
        """Return a vertical profile of a track class of the US Federal Railroad Administration.

        Parameters
        ----------
        track_class
            1 (worst) to 6 (best).
        seed, wavelengths, waves
            As in `of_spectrum`.

        Notes
        -----
        S = k A_v Omega_c^2 / (Omega^2 (Omega^2 + Omega_c^2)), k = 0.25, Omega_c = 0.8245 rad/m, A_v = 1.2107,
        1.0181, 0.6816, 0.5376, 0.2095, 0.0339 cm^2 rad/m (Fries and Coffey 1990; Lei, High Speed Railway
        Track Dynamics, 2017, ch. 5).
        """
        return cls.of_spectrum(fra_spectrum(track_class), seed=seed, wavelengths=wavelengths, waves=waves)

    @classmethod
    def erri(cls, level: str, *, seed: int, wavelengths: Band = BAND, waves: int = WAVES) -> Irregularity:
        """Return a vertical profile of German track (ERRI B176; Claus and Schiehlen 1998).

        Parameters
        ----------
        level
            "low" or "high" disturbance.
        seed, wavelengths, waves
            As in `of_spectrum`.

        Notes
        -----
        S = A_v Omega_c^2 / ((Omega^2 + Omega_r^2) (Omega^2 + Omega_c^2)), Omega_c = 0.8246 rad/m, Omega_r =
        0.0206 rad/m, A_v = 4.032e-7 m rad (low) or 1.080e-6 m rad (high).
        """
        return cls.of_spectrum(erri_spectrum(level), seed=seed, wavelengths=wavelengths, waves=waves)

    @classmethod
    def of_spectrum(
        cls,
        spectrum: Callable[[np.ndarray], np.ndarray],
        *,
        seed: int,
        wavelengths: Band = BAND,
        waves: int = WAVES,
    ) -> Irregularity:
        """Return a realisation of a one-sided spectrum: a sum of cosines with random phases.

        Parameters
        ----------
        spectrum
            S(Omega), m^3 per rad, of the wave number Omega (rad/m, array).
        seed
            Seed of the random phases.
        wavelengths
            Shortest and longest wavelength, m.
        waves
            Number of waves. The band is divided evenly; each wave has the variance of its part and a
            random wave number within it, so that the sum is not periodic.
        """
        short, long = checks.point("wavelengths", wavelengths)
        if not 0.0 < short < long:
            raise InputError(f"wavelengths = ({short}, {long}) m must be positive and increasing.")
        n = checks.count("waves", waves, 1, MOST_WAVES)
        draw = np.random.default_rng(checks.count("seed", seed, 0))
        edges = np.linspace(2.0 * math.pi / long, 2.0 * math.pi / short, n + 1)
        share = band_variances(spectrum, edges)
        omega = edges[:-1] + np.diff(edges) * draw.random(n)
        phase = 2.0 * math.pi * draw.random(n)
        size = np.sqrt(2.0 * share)
        return cls(
            lambda x: _sum_waves(x, size, omega, phase),
            lambda x: _sum_waves(x, size * omega, omega, phase + 0.5 * math.pi),
            float(share.sum()),
            short,
        )

    @classmethod
    def sampled(cls, x: ArrayLike, height: ArrayLike) -> Irregularity:
        """Return a cubic spline through measured `height` (m) at increasing positions `x` (m).

        Level beyond.
        """
        from scipy.interpolate import CubicSpline

        places = checks.finite_array("x", x, unit="m").ravel()
        z = checks.finite_array("height", height, places.shape, "m", "one for each place.")
        if places.size < 4 or not (np.diff(places) > 0.0).all():
            raise InputError("x must be at least 4 increasing positions.")
        curve = CubicSpline(places, z, bc_type="clamped")
        low, high = float(places[0]), float(places[-1])
        return cls(
            lambda at: curve(np.clip(at, low, high)),
            lambda at: np.where((np.asarray(at) >= low) & (np.asarray(at) <= high), curve(at, 1), 0.0),
            float(z.var()),
        )


def fra_spectrum(track_class: int) -> Callable[[np.ndarray], np.ndarray]:
    """Spectrum of `Irregularity.fra`."""
    A = FRA[checks.choice("track_class", track_class, tuple(FRA))]
    return lambda Omega: FRA_K * A * FRA_CORNER**2 / (Omega**2 * (Omega**2 + FRA_CORNER**2))


def erri_spectrum(level: str) -> Callable[[np.ndarray], np.ndarray]:
    """Spectrum of `Irregularity.erri`."""
    A = ERRI[checks.choice("level", level, tuple(ERRI))]
    return lambda Omega: A * ERRI_CORNER**2 / ((Omega**2 + ERRI_LONG**2) * (Omega**2 + ERRI_CORNER**2))


def band_variances(spectrum: Callable[[np.ndarray], np.ndarray], edges: np.ndarray) -> np.ndarray:
    """Integral of a spectrum over each band, by 8-point Gauss quadrature."""
    points, weights = GAUSS
    half = 0.5 * np.diff(edges)
    middles = edges[:-1] + half
    values = checks.finite_array("spectrum", spectrum(middles[:, None] + half[:, None] * points))
    if (values < 0.0).any():
        raise InputError("spectrum has negative values; a power spectrum must not be negative.")
    return half * (values @ weights)


def check_irregularity(value: object) -> Irregularity | None:
    """None or an `Irregularity`, as given."""
    return None if value is None else checks.instance("irregularity", value, Irregularity)


def _sum_waves(x: ArrayLike, size: np.ndarray, omega: np.ndarray, phase: np.ndarray) -> np.ndarray:
    """Sum of cosines at any positions, a block at a time."""
    places = np.asarray(x, dtype=float)
    flat = places.ravel()
    total = np.empty(flat.size)
    block = 4096
    for start in range(0, flat.size, block):
        part = flat[start : start + block]
        total[start : start + block] = (np.cos(np.outer(part, omega) + phase) * size).sum(axis=1)
    return total.reshape(places.shape)
