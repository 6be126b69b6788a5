"""Values in SI that look as if they were meant in another unit are warned of, with the likely intention.

The ranges are chosen so that research at any scale passes: gels and rubber, microscopic beams, bridges of
several kilometres, and numbers without dimensions such as E = 1.

Warned of are

- a Young's modulus of 20 to 2000 Pa (meant in GPa), or of 60 to 450 kPa at a Poisson ratio of 0.2 to 0.4,
  where gels and rubber have more (meant in MPa);
- a density below 30 kg/m3 where E is above 1 GPa (g/cm3);
- the radius of a wheel or a ball above 5 m, the length of a beam above 10 km, the height of a section or the
  thickness of a plate above the length of the beam or plate (mm);
- a solid section of more than 100 m2, below the length of the beam in mm too (mm);
- the bending stiffness of a beam of 100 kg/m or more and 1 t in all, without a foundation, that would sag by
  more than its length under its own weight and whose section would be a hundred times thinner than a bar of
  steel of that mass (kN m2, MN m2 or GN m2);
- the stiffness of a suspension that its mass at rest would compress by more than 20 m (kN/m or MN/m);
- axle forces that are all from 20 to 400 N on a beam of more than 10 t (kN; a pedestrian has 700 N);
- the speed of a train above 159.7 m/s or 574.8 km/h, the record of wheels on rails (km/h).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from traction.errors import UnitsWarning, warn_user

GPA_RANGE = (20.0, 2e3)  #: Pa, in which a modulus is one in GPa
MPA_RANGE = (6e4, 4.5e5)  #: Pa, in which a modulus is one in MPa, of metals, glass and ceramics
STIFF_RATIOS = (0.2, 0.4)  #: Poisson ratios of these
STIFF, LIGHT = 1e9, 30.0  #: Pa; kg/m3, below which no solid as stiff as that exists
LARGEST_WHEEL = 5.0  #: m
LONGEST_BEAM = 1e4  #: m
DEEPEST_REST = 20.0  #: m, by which a suspension is compressed at rest
KILONEWTONS = (20.0, 400.0)  #: N, in which axle forces are in kN
HEAVY = 1e4  #: kg of a beam that carries trains
FASTEST_TRAIN = 159.7  #: m/s, record of wheels on rails (TGV, 2007)
LARGEST_SOLID = 100.0  #: m2, of a section that is not hollow
LEAST_MASS, LEAST_PER_LENGTH = 1e3, 100.0  #: kg; kg/m, from which beams are structures
STEEL_WAVE, STEEL_DENSITY = 5e3, 7850.0  #: m/s, of waves along a bar; kg/m3
THINNEST = 1e-2  #: radius of gyration of a section, in sides of a square bar of steel of the same mass
SMALL_SAG = 0.1  #: of the length, of a beam under its own weight
GRAVITY = 9.81  #: m/s2


def check_modulus(youngs_modulus: float, poisson_ratio: float) -> None:
    """Warn of a Young's modulus (Pa) in GPa or MPa."""
    E = youngs_modulus
    if GPA_RANGE[0] <= E < GPA_RANGE[1]:
        _warn(f"youngs_modulus = {E:g} Pa is softer than any solid", f"{E:g}e9 Pa ({E:g} GPa)")
    elif MPA_RANGE[0] <= E < MPA_RANGE[1] and STIFF_RATIOS[0] <= poisson_ratio < STIFF_RATIOS[1]:
        words = f"youngs_modulus = {E:g} Pa at poisson_ratio = {poisson_ratio:g} is that of a gel"
        _warn(words, f"{E:g}e6 Pa ({E / 1e3:g} GPa)")


def check_density(density: float, youngs_modulus: float) -> None:
    """Warn of a density (kg/m3) in g/cm3."""
    if density < LIGHT and youngs_modulus >= STIFF and youngs_modulus < float("inf"):
        words = f"density = {density:g} kg/m3 at youngs_modulus = {youngs_modulus:g} Pa is lighter than foam"
        _warn(words, f"{1e3 * density:g} kg/m3 ({density:g} g/cm3)")


def check_radius(name: str, radius: float, body: str) -> None:
    """Warn of the radius (m) of a wheel or a ball in mm."""
    if radius > LARGEST_WHEEL:
        _warn(f"{name} = {radius:g} m is large for a {body}", f"{1e-3 * radius:g} m ({radius:g} mm)")


def check_beam_length(length: float) -> None:
    """Warn of the length (m) of a beam in mm."""
    if length > LONGEST_BEAM:
        _warn(f"length = {length:g} m is long for a beam", f"{1e-3 * length:g} m ({length:g} mm)")


def check_slender(name: str, size: float, length: float, body: str) -> None:
    """Warn of a size (m) across a beam or plate in mm, where it exceeds the length (m)."""
    if size > length:
        words = f"{name} = {size:g} m exceeds the length of the {body}, {length:g} m"
        _warn(words, f"{1e-3 * size:g} m ({size:g} mm)")


def check_solid(sides: Mapping[str, float], area: float, length: float) -> None:
    """Warn of the sides (m) of a solid section in mm, by its area (m2); all lengths may be in mm."""
    if area > LARGEST_SOLID and all(size <= length for size in sides.values()):
        words = " and ".join(f"{name} = {size:g} m" for name, size in sides.items()) or f"area = {area:g} m2"
        plural = "are" if len(sides) > 1 else "is"
        meant = " and ".join(f"{1e-3 * size:g} m" for size in sides.values()) or f"{1e-6 * area:g} m2"
        _warn(f"{words} {plural} a solid section of {area:.4g} m2", f"{meant} ({'mm' if sides else 'mm2'})")


def check_bending(bending_stiffness: float, mass_per_length: float, length: float) -> None:
    """Warn of a bending stiffness (N m2) in kN m2, MN m2 or GN m2, by the sag under its own weight (m)."""
    EI, m = bending_stiffness, mass_per_length
    if m < LEAST_PER_LENGTH or m * length < LEAST_MASS:
        return
    sag = 5.0 * m * GRAVITY * length**4 / (384.0 * EI)
    thin = math.sqrt(EI / m) / STEEL_WAVE / math.sqrt(m / STEEL_DENSITY)
    if sag <= length or thin >= THINNEST:
        return
    for prefix, factor in (("kN m2", 1e3), ("MN m2", 1e6), ("GN m2", 1e9)):
        if sag / factor < SMALL_SAG * length:
            words = f"bending_stiffness = {EI:g} N m2 lets a beam of {length:g} m and {m:g} kg/m sag by "
            _warn(f"{words}{sag:.3g} m under its own weight", f"{EI * factor:g} N m2 ({EI:g} {prefix})")
            return


def check_suspension(stiffness: float, mass: float) -> None:
    """Warn of a stiffness (N/m) in kN/m or MN/m, by what a mass (kg) compresses the spring at rest."""
    rest = mass * GRAVITY / stiffness
    if rest > DEEPEST_REST:
        prefix, factor = next(
            ((name, f) for name, f in (("kN/m", 1e3), ("MN/m", 1e6)) if rest / f < 1.0), ("MN/m", 1e6)
        )
        words = f"stiffness = {stiffness:g} N/m is compressed by {rest:.3g} m under {mass:g} kg at rest"
        _warn(words, f"{stiffness * factor:g} N/m ({stiffness:g} {prefix})")


def check_axle_forces(forces: Sequence[float], beam_mass: float) -> None:
    """Warn of forces (N) of axles in kN, on a beam of a mass (kg)."""
    sizes = [abs(force) for force in forces]
    if sizes and beam_mass > HEAVY and all(KILONEWTONS[0] <= size <= KILONEWTONS[1] for size in sizes):
        words = f"axle forces of {sizes[0]:g} N on a beam of {beam_mass / 1e3:.3g} t weigh a few kilograms"
        _warn(words, f"{sizes[0]:g}e3 N ({sizes[0]:g} kN)")


def check_train_speed(speed: float) -> None:
    """Warn of a speed (m/s) in km/h."""
    if speed > FASTEST_TRAIN:
        words = f"speed = {speed:g} m/s is {3.6 * speed:.4g} km/h, faster than any train on rails"
        _warn(words, f"{speed / 3.6:.4g} m/s ({speed:g} km/h)")


def _warn(words: str, meant: str) -> None:
    """Warn the caller of the package."""
    message = f"{words}: did you mean {meant}? Values are in SI; tr.UnitsWarning can be filtered."
    warn_user(message, UnitsWarning)
