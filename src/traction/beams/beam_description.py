"""`BeamDescription`: segments, supports and damping, the input of all solvers (Timoshenko 1921).

    kGA (w'' - psi') - k w + p = m w_tt,    EI psi'' + kGA (w' - psi) = rho I psi_tt

with the deflection w (m, downwards), the rotation psi of the section, the moment M = -EI psi' (sagging
positive) and the shear force V = kGA (w' - psi). Without shear compliance psi = w': Euler-Bernoulli.
Cross sections have their area, second moment of area and shear coefficient (Cowper 1966).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.quantities import given

LARGEST_WAVE = 0.5  #: safety on the bound that keeps clamped frequencies of a part above the one searched
MOST_MODES = 5000  #: exact ones of a beam; each takes some ms
MANY_MODES = "use elements for more of them."
LARGEST_FOUNDATION = 16.0  #: k l^4/EI and (k l^2/kGA)^2 of one part, for which its series converge fast


@dataclass(frozen=True)
class Rayleigh:
    """Rayleigh damping C = alpha M + beta K; the ratio of a mode is (alpha/omega + beta omega)/2.

    Parameters
    ----------
    alpha
        Factor of the mass, 1/s.
    beta
        Factor of the stiffness, s.

    Examples
    --------
    >>> damping = tr.Rayleigh.fitted(frequencies=(10.0, 60.0), ratios=(0.02, 0.02))
    >>> print(f"alpha = {damping.alpha:.4f} 1/s, beta = {damping.beta * 1e3:.4f} ms")
    alpha = 0.3429 1/s, beta = 0.5714 ms
    """

    alpha: float
    beta: float

    def __post_init__(self) -> None:
        checks.keep_checked(self, checks.not_negative, alpha="1/s", beta="s")

    @classmethod
    def fitted(cls, frequencies: tuple[float, float], ratios: tuple[float, float]) -> Rayleigh:
        """Return the damping with given `ratios` at two `frequencies` (rad/s)."""
        first, second = checks.pair("frequencies", frequencies, "two of them, rad/s")
        a, b = (checks.positive(f"frequencies[{k}]", one, "rad/s") for k, one in enumerate((first, second)))
        x, y = (
            _check_ratio(f"ratios[{k}]", one)
            for k, one in enumerate(checks.pair("ratios", ratios, "two of them, such as (0.02, 0.02)"))
        )
        if a == b:
            raise InputError(f"frequencies = {frequencies} rad/s must be two different ones.")
        beta = 2.0 * (y * b - x * a) / (b * b - a * a)
        return cls(2.0 * x * a - beta * a * a, beta)


Damping = float | tuple[float, ...] | Rayleigh
DampingInput = float | Sequence[float] | Rayleigh  #: as given by a user


def check_damping(value: DampingInput) -> Damping:
    """A ratio for all modes, ratios per mode, or Rayleigh damping."""
    if isinstance(value, Rayleigh):
        return value
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim):
        return tuple(_check_ratio(f"damping[{k}]", one) for k, one in enumerate(value))
    return _check_ratio("damping", value)


def damping_words(damping: Damping) -> str:
    """As in "damping 0.02"."""
    if isinstance(damping, Rayleigh):
        return f"damping alpha = {damping.alpha:.4g} 1/s, beta = {damping.beta:.4g} s"
    if isinstance(damping, float):
        return f"damping {damping:.4g}" if damping else "undamped"
    return f"damping {min(damping):.4g} to {max(damping):.4g} over {len(damping)} modes"


def ratios(damping: Damping, frequencies: np.ndarray) -> np.ndarray:
    """Damping ratios of modes with these frequencies, rad/s."""
    if isinstance(damping, Rayleigh):
        moving = frequencies > 0.0
        share = np.zeros_like(frequencies)
        share[moving] = 0.5 * (damping.alpha / frequencies[moving] + damping.beta * frequencies[moving])
        return share
    if isinstance(damping, float):
        return np.full(frequencies.size, damping)
    if len(damping) < frequencies.size:
        raise InputError(
            f"damping has {len(damping)} ratios for {frequencies.size} modes; give one for each, or one "
            "number for all."
        )
    return np.array(damping[: frequencies.size])


def rates(damping: Damping, frequencies: np.ndarray) -> np.ndarray:
    """2 zeta omega of modes, 1/s; Rayleigh's alpha also damps rigid-body motion."""
    if isinstance(damping, Rayleigh):
        return damping.alpha + damping.beta * frequencies**2
    return 2.0 * ratios(damping, frequencies) * frequencies


def _check_ratio(name: str, value: object) -> float:
    ratio = checks.at_least(name, value, 0.0)
    if ratio >= 1.0:
        raise InputError(
            f"{name} = {ratio} must be below 1, the critical damping; bridges have 0.005 to 0.03."
        )
    return ratio


@dataclass(frozen=True)
class Segment:
    """Constant section between two positions."""

    length: float  #: L, m
    bending_stiffness: float  #: EI, N m^2
    mass_per_length: float  #: m, kg/m
    shear_compliance: float = 0.0  #: 1/kGA, 1/N; zero for Euler-Bernoulli
    rotary_inertia: float = 0.0  #: rho I, kg m
    foundation: float = 0.0  #: Winkler's k, N/m^2

    @property
    def section(self) -> tuple[float, float, float, float, float]:
        """EI, m, 1/kGA, rho I, k."""
        return (
            self.bending_stiffness,
            self.mass_per_length,
            self.shear_compliance,
            self.rotary_inertia,
            self.foundation,
        )

    def parts(self, square: float) -> int:
        """Number of equal parts none of which, clamped, has a frequency whose square (1/s^2) is below this.

        With psi = w = 0 at both ends, Poincare's inequality for w and psi, and w' = psi + V/kGA,

            1/omega^2 <= max(2 m l^2/(pi^2 kGA), 2 m l^4/(pi^4 EI) + rho I l^2/(pi^2 EI)).
        """
        EI, m, compliance, rotary, k = self.section
        square, l2 = max(square, 0.0), self.length**2
        shear = 2.0 * square * m * compliance * l2 / math.pi**2
        bending = 2.0 * square * m * l2 * l2 / (math.pi**4 * EI)
        turning = square * rotary * l2 / (math.pi**2 * EI)
        # bending / n^4 + turning / n^2 <= limit
        n2 = (turning + math.sqrt(turning**2 + 4.0 * LARGEST_WAVE * bending)) / (2.0 * LARGEST_WAVE)
        n4 = max(k * l2 * l2 / EI, (k * l2 * compliance) ** 2) / LARGEST_FOUNDATION
        return max(1, math.ceil(math.sqrt(max(n2, shear / LARGEST_WAVE))), math.ceil(n4**0.25))


def _check_stiffness(name: str, value: object, unit: str) -> float:
    rigid = isinstance(value, float) and value > checks.FARTHEST
    return math.inf if rigid else checks.at_least(name, value, 0.0, unit)


@dataclass(frozen=True)
class Support:
    """Elastic support: springs against deflection and rotation.

    Parameters
    ----------
    deflection
        Stiffness against deflection, N/m; infinite for a rigid support.
    rotation
        Stiffness against rotation, N m; infinite for a clamped end.

    Examples
    --------
    >>> bearing = tr.Support(deflection=5e8)
    >>> beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=(bearing, bearing))
    >>> print(f"{beam.frequencies(1)[0]:.3f} rad/s")
    12.532 rad/s
    """

    deflection: float = 0.0
    rotation: float = 0.0

    def __post_init__(self) -> None:
        checks.keep_checked(self, _check_stiffness, deflection="N/m", rotation="N m")

    @property
    def stiffness(self) -> tuple[float, float]:
        """Stiffness of both springs, N/m and N m."""
        return self.deflection, self.rotation


SUPPORTS = {
    "clamped": Support(math.inf, math.inf),
    "pinned": Support(math.inf, 0.0),
    "free": Support(0.0, 0.0),
    "guided": Support(0.0, math.inf),
}


def _support_words(support: Support) -> str:
    """The name of a support, or "spring"."""
    return next((name for name, one in SUPPORTS.items() if one == support), "spring")


def check_support(name: str, value: object) -> Support:
    """The support named or given by a user."""
    if isinstance(value, Support):
        return value
    if isinstance(value, str) and value in SUPPORTS:
        return SUPPORTS[value]
    if isinstance(value, str) and (meant := checks.close_to(value, tuple(SUPPORTS))):
        raise InputError(f'{name} = {checks.shown(value)} is not a support; did you mean "{meant}"?')
    names = ", ".join(f'"{known}"' for known in SUPPORTS)
    raise InputError(
        f"{name} = {checks.shown(value)} is not a support; "
        f"give {names} or tr.Support(deflection=, rotation=)."
    )


@dataclass(frozen=True)
class BeamDescription:
    """Segments end to end, supports at their ends, and damping."""

    segments: tuple[Segment, ...]  #: from left to right
    supports: tuple[Support, ...]  #: at the ends of the segments
    damping: Damping = 0.0  #: ratio, ratios per mode, or Rayleigh damping

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self._words}"

    @property
    def _words(self) -> str:
        """Length, section, supports and damping in one line."""
        one, several = self.segments[0], len(self.segments) > 1
        alike = all(replace(part, length=one.length) == one for part in self.segments)
        first = "" if alike else "first "
        words = [given(self.length, "m") + (f" in {len(self.segments)} segments" if several else "")]
        words += [f"{first}EI = {given(one.bending_stiffness, 'N m2')}", f"{one.mass_per_length:.4g} kg/m"]
        words += [f"kGA = {given(1.0 / one.shear_compliance, 'N')}"] if one.shear_compliance else []
        words += [f"foundation {one.foundation:.4g} N/m2"] if one.foundation else []
        words.append("-".join(_support_words(support) for support in self.supports))
        return ", ".join([*words, damping_words(self.damping)])

    @property
    def length(self) -> float:
        """Total length, m."""
        return float(self.ends[-1])

    @property
    def ends(self) -> np.ndarray:
        """Positions of the ends of the segments, m."""
        return np.r_[0.0, np.cumsum([segment.length for segment in self.segments])]

    @property
    def midspans(self) -> np.ndarray:
        """Middles between supports that hold against deflection, m; without such, that of the beam."""
        held = [x for x, one in zip(self.ends, self.supports, strict=True) if one.deflection > 0.0]
        ends = np.array(held if len(held) > 1 else (0.0, self.length))
        return 0.5 * (ends[1:] + ends[:-1])

    @property
    def mass(self) -> float:
        """Total mass, kg."""
        return sum(segment.mass_per_length * segment.length for segment in self.segments)

    @property
    def shears(self) -> bool:
        """Whether any segment has a shear compliance (Timoshenko)."""
        return any(segment.shear_compliance for segment in self.segments)

    @property
    def sections(self) -> np.ndarray:
        """EI, m, 1/kGA, rho I and k of the segments, (segments, 5)."""
        return np.array([segment.section for segment in self.segments])

    def segment_at(self, x: float) -> Segment:
        """Return the segment at the position `x` (m)."""
        place = place_on("x", x, self.length)
        return self.segments[min(int(np.searchsorted(self.ends[1:], place, "right")), len(self.segments) - 1)]


def place_on(name: str, x: object, length: float) -> float:
    """A position on a beam of a length (m)."""
    place = checks.finite(name, x, "m")
    if not 0.0 <= place <= length:
        raise InputError(f"{name} = {place} m lies outside the beam, which extends from 0 to {length} m.")
    return place


def check_forces(forces: Sequence[tuple[float, float]], length: float) -> list[tuple[float, float]]:
    """Point forces (N, position in m) on a beam of a length (m), checked."""
    words = "pairs (force in N, position in m)"
    checked = []
    for k, one in enumerate(checks.items("forces", forces, words)):
        force, x = checks.pair(f"forces[{k}]", one, words.removesuffix("s"))
        checked.append((checks.finite(f"forces[{k}]", force, "N"), place_on(f"forces[{k}]", x, length)))
    return checked


class BendingFields(ABC):
    """Deflection and internal forces along a beam; of several modes or times (modes or times, shape of x)."""

    @abstractmethod
    def _sample(self, quantity: str, x: ArrayLike) -> np.ndarray:
        """The quantity of a name such as "deflection" at positions x (m)."""

    def deflection(self, x: ArrayLike) -> np.ndarray:
        """Return the deflection w (m, downwards) at positions `x` (m)."""
        return self._sample("deflection", x)

    def moment(self, x: ArrayLike) -> np.ndarray:
        """Return the bending moment M = -EI psi' (N m, sagging positive) at positions `x` (m)."""
        return self._sample("moment", x)

    def shear(self, x: ArrayLike) -> np.ndarray:
        """Return the shear force V = M' (N) at positions `x` (m); at a point force the value to its right."""
        return self._sample("shear", x)


class BeamFields(BendingFields):
    """These and the rotation of the sections."""

    def rotation(self, x: ArrayLike) -> np.ndarray:
        """Return the rotation psi of the sections (rad) at positions `x` (m); w' for Euler-Bernoulli."""
        return self._sample("rotation", x)


@dataclass(frozen=True)
class BeamSection:
    """A cross section that bends about one axis."""

    area: float  #: A, m2
    second_moment: float  #: I, m4
    shear_coefficient: float | None = None  #: kappa of kappa G A; None where it is not known

    @classmethod
    def rectangle(cls, width: float, height: float, poisson_ratio: float) -> BeamSection:
        """Width across the bending plane, height along it, m."""
        b, h = checks.positive("width", width, "m"), checks.positive("height", height, "m")
        kappa = 10.0 * (1.0 + poisson_ratio) / (12.0 + 11.0 * poisson_ratio)
        return cls(b * h, b * h**3 / 12.0, kappa)

    @classmethod
    def circle(cls, diameter: float, inner_diameter: float, poisson_ratio: float) -> BeamSection:
        """A round bar, or a tube with an inner diameter above zero, m."""
        outer = checks.positive("diameter", diameter, "m")
        inner = checks.not_negative("inner_diameter", inner_diameter, "m")
        if inner >= outer:
            raise InputError(f"inner_diameter = {inner} m must be below diameter = {outer} m.")
        nu, square = poisson_ratio, (1.0 + (inner / outer) ** 2) ** 2
        below = (7.0 + 6.0 * nu) * square + (20.0 + 12.0 * nu) * (inner / outer) ** 2
        area = 0.25 * math.pi * (outer**2 - inner**2)
        return cls(area, math.pi / 64.0 * (outer**4 - inner**4), 6.0 * (1.0 + nu) * square / below)


def read_section(
    poisson_ratio: float,
    width: float | None,
    height: float | None,
    diameter: float | None,
    inner_diameter: float | None,
    area: float | None,
    second_moment: float | None,
) -> BeamSection:
    """The section that a user gave in one of three ways."""
    ways = {
        "width and height": (width, height),
        "diameter": (diameter,),
        "area and second_moment": (area, second_moment),
    }
    begun = [words for words, values in ways.items() if any(value is not None for value in values)]
    whole = [words for words in begun if all(value is not None for value in ways[words])]
    if len(begun) != 1 or begun != whole:
        given = " with ".join(begun) or "nothing"
        raise InputError(
            f"the section needs exactly one of {', '.join(ways)} (m, m2, m4), each whole; given: {given}."
        )
    if inner_diameter is not None and diameter is None:
        raise InputError("inner_diameter is that of a tube; give its diameter too.")
    if width is not None and height is not None:
        return BeamSection.rectangle(width, height, poisson_ratio)
    if diameter is not None:
        return BeamSection.circle(diameter, inner_diameter or 0.0, poisson_ratio)
    return BeamSection(
        checks.positive("area", area, "m2"), checks.positive("second_moment", second_moment, "m4")
    )


def shear_coefficient(section: BeamSection, shear: bool | float) -> float | None:
    """Kappa of a Timoshenko beam: the known one, or the one given; None for Euler-Bernoulli."""
    if shear is False:
        return None
    if shear is not True:
        kappa = checks.positive("shear", shear)
        if kappa > 1.0:
            raise InputError(f"shear = {kappa} must be at most 1: a coefficient; a rectangle has 0.85.")
        return kappa
    if section.shear_coefficient is None:
        raise InputError(
            "shear = True, but the shear coefficient of a section given by its area is not known: give it, "
            "as in shear=0.85."
        )
    return section.shear_coefficient
