"""`Beam`: description of a beam and its supports; modes, statics, discrete models and vibration."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks, plausibility
from traction.beams.beam_description import (
    MANY_MODES,
    MOST_MODES,
    BeamDescription,
    DampingInput,
    Segment,
    Support,
    check_damping,
    check_forces,
    check_support,
    read_section,
    shear_coefficient,
)
from traction.beams.beam_vibration import (
    ShapeInput,
    Vibration,
    read_shape,
    uniform_times,
    vibrate_discrete,
    vibrate_modes,
)
from traction.beams.discrete.beam_differences import BeamDifferences, divide_into_cells
from traction.beams.discrete.beam_elements import MOST_ELEMENTS, BeamElements, divide_into_elements
from traction.beams.exact.modes import Modes, natural_modes
from traction.beams.exact.residual_flexibility import HarmonicForce, SteadyVibration, steady_vibration
from traction.beams.exact.statics import Bending, bend_beam
from traction.errors import InputError
from traction.materials import Material, structural_constants

MOST_SPANS = 10_000  #: of a rail
SIZES = {"modes": 40, "elements": 100, "differences": 100}  #: of a vibration, unless given
UIC60 = {"bending_stiffness": 6.42e6, "mass_per_length": 60.21}  #: EI, N m^2, and kg/m of one rail


@dataclass(frozen=True, init=False, repr=False)
class Beam(BeamDescription):
    """Straight beam on supports; deflection is positive downwards.

    kGA (w'' - psi') - k w + p = m w_tt, EI psi'' + kGA (w' - psi) = rho I psi_tt (Timoshenko 1921), with the
    deflection w and the rotation psi of the section; without shear compliance psi = w'.

    Parameters
    ----------
    length
        Length L, m.
    bending_stiffness
        EI, N m^2.
    mass_per_length
        m, kg/m.
    shear_stiffness
        kGA, N, for Timoshenko's theory; None (default) for Euler-Bernoulli.
    rotary_inertia
        rho I, kg m; zero by default.
    supports
        At both ends: "clamped", "pinned", "free", "guided", or `tr.Support(deflection=, rotation=)` with
        springs.
    damping
        Ratio zeta for all modes, ratios per mode, or `tr.Rayleigh(alpha, beta)`.
    foundation
        Winkler foundation k, N/m^2.

    Examples
    --------
    >>> bridge = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"), damping=0.02)
    >>> print(f"{bridge.frequencies(1)[0] / (2 * np.pi):.3f} Hz")
    2.015 Hz
    """

    def __init__(
        self,
        length: float,
        bending_stiffness: float,
        mass_per_length: float,
        *,
        shear_stiffness: float | None = None,
        rotary_inertia: float | None = None,
        supports: tuple[str | Support, str | Support] = ("clamped", "clamped"),
        damping: DampingInput = 0.0,
        foundation: float | None = None,
    ) -> None:
        self._describe(
            length, bending_stiffness, mass_per_length, (shear_stiffness, rotary_inertia), supports, damping,
            foundation,
        )  # fmt: skip
        one = self.segments[0]
        if not one.foundation:
            plausibility.check_bending(one.bending_stiffness, one.mass_per_length, one.length)

    def _describe(
        self,
        length: float,
        bending_stiffness: float,
        mass_per_length: float,
        timoshenko: tuple[float | None, float | None],
        supports: tuple[str | Support, str | Support],
        damping: DampingInput,
        foundation: float | None,
    ) -> None:
        """Check and keep the values; `timoshenko` are shear stiffness and rotary inertia."""
        shear_stiffness, rotary_inertia = timoshenko
        shear = math.inf if shear_stiffness is None else shear_stiffness
        segment = Segment(
            checks.positive("length", length, "m"),
            checks.positive("bending_stiffness", bending_stiffness, "N m^2"),
            checks.positive("mass_per_length", mass_per_length, "kg/m"),
            1.0 / checks.positive_or_infinite("shear_stiffness", shear, "N"),
            _zero_or_more("rotary_inertia", rotary_inertia, "kg m"),
            _zero_or_more("foundation", foundation, "N/m^2"),
        )
        super().__init__((segment,), _check_supports(supports, 2), check_damping(damping))
        plausibility.check_beam_length(segment.length)

    @classmethod
    def of_section(
        cls,
        material: Material,
        length: float,
        *,
        supports: tuple[str | Support, str | Support] = ("clamped", "clamped"),
        width: float | None = None,
        height: float | None = None,
        diameter: float | None = None,
        inner_diameter: float | None = None,
        shear: bool | float = False,
        area: float | None = None,
        second_moment: float | None = None,
        damping: DampingInput = 0.0,
        foundation: float | None = None,
    ) -> Beam:
        """Return a beam of one material and cross section.

        It is an Euler-Bernoulli beam, unless `shear` is given.

        Parameters
        ----------
        material
            Elastic material with a density.
        length
            Length of the beam L, m.
        supports, damping, foundation
            As for `tr.Beam`.
        width, height
            Sides of a rectangular section across and along the direction of bending, m.
        diameter, inner_diameter
            Diameters of a round bar or, with the inner one, of a tube, m.
        shear
            True for a Timoshenko beam with the shear coefficient of Cowper (1966) and rotary inertia; a
            number is the shear coefficient itself.
        area, second_moment
            Area A (m2) and second moment of area I (m4) of any other section.

        Returns
        -------
        Beam
            With EI, rho A and, where asked for, kappa G A and rho I.

        Raises
        ------
        InputError
            If the section is not given in exactly one way, or the material is rigid or has no density.

        Examples
        --------
        >>> beam = tr.Beam.of_section(tr.STEEL, 2.0, width=0.05, height=0.1, supports=("pinned", "pinned"))
        >>> print(f"{beam.frequencies(1)[0] / (2 * np.pi):.2f} Hz")
        58.62 Hz
        """
        E, rho = structural_constants(material)
        given = (width, height, diameter, inner_diameter, area, second_moment)
        section = read_section(material.poisson_ratio, *given)
        kappa = shear_coefficient(section, shear)
        span = checks.positive("length", length, "m")
        for name, value in (("height", height), ("diameter", diameter)):
            if value is not None:
                plausibility.check_slender(name, value, span, "beam")
        sides = {"width": width, "height": height, "diameter": diameter}
        if inner_diameter is None:
            plausibility.check_solid({k: v for k, v in sides.items() if v is not None}, section.area, span)
        EI, m = E * section.second_moment, rho * section.area
        shear_stiffness = None if kappa is None else kappa * material.shear_modulus * section.area
        rotary_inertia = None if kappa is None else rho * section.second_moment
        beam = cls.__new__(cls)
        beam._describe(length, EI, m, (shear_stiffness, rotary_inertia), supports, damping, foundation)
        return beam

    @classmethod
    def spans(
        cls,
        beams: Sequence[Beam],
        *,
        supports: Sequence[str | Support] | None = None,
        damping: DampingInput | None = None,
    ) -> Beam:
        """Return a beam of several beams laid end to end and joined rigidly.

        Parameters
        ----------
        beams
            Beams from left to right.
        supports
            Supports at all ends and joints, one more than beams; "free" at a joint where only the section
            changes.
            By default the outer ends are those of the first and the last beam, the joints "pinned".
        damping
            Damping of the whole; that of the first beam by default.

        Examples
        --------
        >>> span = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"))
        >>> three = tr.Beam.spans([span, span, span])
        >>> print(np.round(three.frequencies(3) / (2 * np.pi), 2))
        [2.02 2.58 3.77]
        """
        beams = [
            checks.instance(f"beams[{k}]", beam, Beam)
            for k, beam in enumerate(checks.items("beams", beams, "a list of beams"))
        ]
        if not beams:
            raise InputError("beams is empty; give at least one.")
        segments = tuple(segment for beam in beams for segment in beam.segments)
        if supports is None:
            joints: list[str | Support] = []
            for beam in beams:
                joints += [*beam.supports[1:-1], "pinned"]
            supports = (beams[0].supports[0], *joints[:-1], beams[-1].supports[-1])
        held = _check_supports(supports, len(segments) + 1)
        made = object.__new__(cls)
        BeamDescription.__init__(
            made, segments, held, beams[0].damping if damping is None else check_damping(damping)
        )
        return made

    def frequencies(self, n: int) -> np.ndarray:
        """Return the `n` lowest natural frequencies, rad/s; zero for rigid-body motions."""
        return self.modes(n).frequencies

    def modes(self, n: int) -> Modes:
        """Return the `n` lowest natural modes, exact to rounding."""
        return natural_modes(self, checks.count("n", n, 1, MOST_MODES, MANY_MODES))

    def bend(self, forces: Sequence[tuple[float, float]] = (), *, load: ArrayLike = 0.0) -> Bending:
        """Return the static deflection under point forces and uniform loads.

        Parameters
        ----------
        forces
            Pairs (force in N, position in m).
        load
            Uniform load, N/m; one number, or one per segment.

        Examples
        --------
        >>> beam = tr.Beam(10.0, 1e8, 1000.0, supports=("pinned", "pinned"))
        >>> print(f"{beam.bend([(50e3, 5.0)]).deflection(5.0) * 1e3:.3f} mm")
        10.417 mm
        """
        points = check_forces(forces, self.length)
        loads = checks.finite_array("load", load, unit="N/m").ravel()
        if loads.size not in (1, len(self.segments)):
            raise InputError(
                f"load has {loads.size} values; give one, or one per segment ({len(self.segments)})."
            )
        return bend_beam(self, points, [float(p) for p in np.broadcast_to(loads, len(self.segments))])

    def influence(self, x: float) -> Bending:
        """Return the static deflection under 1 N at `x` (m), the influence line of the deflection there."""
        return self.bend([(1.0, x)])

    def elements(self, n: int | Sequence[int], *, damped_modes: int | None = None) -> BeamElements:
        """Return a finite-element model of the beam.

        Parameters
        ----------
        n
            Number of elements in total, or in each segment.
        damped_modes
            Number of modes that one damping ratio for all modes applies to, 20 by default; see
            `tr.DiscreteBeam`.

        Examples
        --------
        >>> beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"))
        >>> print(f"{beam.elements(10).frequencies(1)[0]:.4f}, {beam.frequencies(1)[0]:.4f} rad/s")
        12.6608, 12.6607 rad/s
        """
        return divide_into_elements(self, n, damped_modes)

    def differences(self, n: int, *, damped_modes: int | None = None) -> BeamDifferences:
        """Return a finite-difference model of `n` cells (Euler-Bernoulli).

        `damped_modes` as in `elements`.
        """
        return divide_into_cells(self, n, damped_modes)

    def vibrate(
        self,
        initial: ShapeInput = None,
        speed: ShapeInput = None,
        *,
        t: ArrayLike | None = None,
        t_end: float | None = None,
        dt: float | None = None,
        model: str = "modes",
        size: int | None = None,
        force: tuple[float, float, float] | None = None,
        **options: object,
    ) -> Vibration:
        """Simulate vibration from an initial shape, free or under a harmonic force.

        The share of the initial shape that the modes represent is `initial.captured` of the result.

        Parameters
        ----------
        initial
            Deflection at t = 0, m: a function of x, values at equal distances from end to end, or a
            `tr.Bending` such as beam.bend(...) for a load that is released.
        speed
            Velocity at t = 0, m/s, in the same forms.
        t
            Times, s; or give `t_end` and `dt`.
        t_end, dt
            End and step of the times, s.
        model
            "modes": exact in time. "elements" or "differences": time integration of a discrete model.
        size
            Number of modes (40) or elements (100).
        force
            (F in N, position in m, Omega in rad/s) of the force F sin(Omega t).
        **options
            `method` ("newmark" by default) and its options, for discrete models.

        Raises
        ------
        InputError
            If there is neither a shape, a speed nor a force, or a support does not allow the shape.

        Examples
        --------
        >>> beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"))
        >>> v = beam.vibrate(beam.bend([(100e3, 10.0)]), t_end=1.0, dt=0.01)
        >>> print(f"{v.deflection(10.0)[0] * 1e3:.2f} mm at the start")
        8.01 mm at the start
        """
        times = uniform_times(t, t_end, dt)
        checks.choice("model", model, tuple(SIZES))
        most = MOST_MODES if model == "modes" else MOST_ELEMENTS
        count = SIZES[model] if size is None else checks.count("size", size, 1, most)
        shapes = read_shape("initial", initial, self), read_shape("speed", speed, self)
        load = None if force is None else HarmonicForce.checked(force, self.length)
        if shapes == (None, None) and load is None:
            raise InputError("the beam stays at rest: give initial, speed or force.")
        if model != "modes":
            divided = self.elements(count) if model == "elements" else self.differences(count)
            return vibrate_discrete(divided, shapes, times, load, **options)  # type: ignore[arg-type]
        if options:
            raise InputError(
                f"{', '.join(options)}: modes need no method, they are exact in time; options are for "
                'model="elements" and "differences".'
            )
        return vibrate_modes(self, shapes, times, count, load)

    def steady_vibration(
        self, force: float, place: float, frequency: float, *, modes: int = 40
    ) -> SteadyVibration:
        """Return the steady state under a harmonic force.

        Parameters
        ----------
        force
            Amplitude F, N.
        place
            Position, m.
        frequency
            Angular frequency Omega of F sin(Omega t), rad/s.
        modes
            Number of modes with damping; all others contribute through the exact vibration of the undamped
            beam.

        Examples
        --------
        >>> beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"), damping=0.02)
        >>> print(f"{abs(beam.steady_vibration(1e3, 10.0, 12.66).deflection(10.0)) * 1e3:.2f} mm")
        1.97 mm
        """
        load = HarmonicForce.checked((force, place, frequency), self.length)
        return steady_vibration(self, load, checks.count("modes", modes, 1, MOST_MODES))


def _check_supports(given: Sequence[str | Support], n: int) -> tuple[Support, ...]:
    words = f'{n} of them, one for each end and joint, such as ("pinned", "pinned")'
    if isinstance(given, str):
        check_support("supports", given)
    several = checks.items("supports", given, words)
    if len(several) != n:
        raise InputError(f"supports = {checks.shown(given)} must be {words}.")
    return tuple(check_support(f"supports[{k}]", one) for k, one in enumerate(several))


def _zero_or_more(name: str, value: float | None, unit: str) -> float:
    number = 0.0 if value is None else checks.not_negative(name, value, unit)
    return number if number <= checks.LARGEST else checks.positive(name, number, unit)


def rail(
    spans: int,
    spacing: float = 0.6,
    support_stiffness: float = 3.0e7,
    *,
    bending_stiffness: float = UIC60["bending_stiffness"],
    mass_per_length: float = UIC60["mass_per_length"],
    ends: str | Support = "clamped",
    damping: DampingInput = 0.0,
    shear_stiffness: float | None = None,
) -> Beam:
    """Return a rail on discrete elastic supports.

    By default a UIC 60 rail, on half concrete sleepers in ballast.

    Parameters
    ----------
    spans
        Number of spans.
    spacing
        Distance of the supports, m.
    support_stiffness
        Spring at each joint between spans, N/m.
    bending_stiffness
        EI of the rail, N m^2.
    mass_per_length
        m of the rail, kg/m.
    ends
        Support of both outer ends.
    damping, shear_stiffness
        As for `tr.Beam`.

    Returns
    -------
    Beam
        The rail, for `tr.cross`, `tr.rest` and others.

    Raises
    ------
    InputError
        If there are fewer than two spans; otherwise as `tr.Beam`.

    Examples
    --------
    >>> rail = tr.rail(10)
    >>> print(f"{rail.bend([(1e3, 3.0)]).deflection(3.0) * 1e6:.1f} um under 1 kN")
    11.7 um under 1 kN
    """
    n = checks.count("spans", spans, 2, MOST_SPANS)
    span, section = checks.positive("spacing", spacing, "m"), (bending_stiffness, mass_per_length)
    one = Beam(span, *section, shear_stiffness=shear_stiffness, damping=damping)
    spring = Support(checks.positive("support_stiffness", support_stiffness, "N/m"), 0.0)
    return Beam.spans([one] * n, supports=(ends, *[spring] * (n - 1), ends))
