"""Elastic materials that conduct heat, and pairs of bodies (Johnson, Contact Mechanics, chapters 3 to 5)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

from traction import checks, plausibility
from traction.errors import InputError
from traction.quantities import given


@dataclass(frozen=True)
class Material:
    """Linear elastic, isotropic material, with constants of heat conduction where temperature matters.

    Parameters
    ----------
    youngs_modulus
        Young's modulus E, Pa; infinite for a rigid body.
    poisson_ratio
        Poisson ratio nu, in (-1, 0.5].
    density
        Density rho, kg/m3. Only needed where the mass of a body matters, as in `tr.bounce`.
    specific_heat
        Specific heat c, J/(kg K). Only needed for temperatures, as are density and conductivity.
    conductivity
        Thermal conductivity k, W/(m K).

    Warns
    -----
    UnitsWarning
        If the modulus or the density looks as if it were meant in another unit: `Material(210, 0.3)`.

    Examples
    --------
    >>> rubber = tr.Material(youngs_modulus=5e6, poisson_ratio=0.49)
    >>> print(f"G = {rubber.shear_modulus / 1e6:.3f} MPa")
    G = 1.678 MPa
    """

    youngs_modulus: float
    poisson_ratio: float
    density: float | None = None
    specific_heat: float | None = field(default=None, kw_only=True)
    conductivity: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        ratio = checks.poisson_ratio("poisson_ratio", self.poisson_ratio)
        modulus = checks.positive_or_infinite(
            "youngs_modulus", self.youngs_modulus, "Pa", "steel has 2.1e11 Pa."
        )
        checks.keep(self, youngs_modulus=modulus, poisson_ratio=ratio)
        if self.density is not None:
            checks.keep(self, density=checks.positive("density", self.density, "kg/m3"))
            plausibility.check_density(self.density, modulus)
        if self.specific_heat is not None:
            heat = checks.positive("specific_heat", self.specific_heat, "J/(kg K)")
            checks.keep(self, specific_heat=heat)
        if self.conductivity is not None:
            checks.keep(self, conductivity=checks.positive("conductivity", self.conductivity, "W/(m K)"))
        plausibility.check_modulus(modulus, ratio)

    def __repr__(self) -> str:
        return f"Material: {self._words}"

    @property
    def _words(self) -> str:
        stiff = "rigid" if math.isinf(self.youngs_modulus) else f"E = {given(self.youngs_modulus, 'Pa')}"
        dense = "" if self.density is None else f", density {self.density:.4g} kg/m3"
        return f"{stiff}, nu = {self.poisson_ratio:.4g}{dense}"

    @classmethod
    def from_shear_modulus(
        cls,
        G: float,
        nu: float,
        density: float | None = None,
        *,
        specific_heat: float | None = None,
        conductivity: float | None = None,
    ) -> Material:
        """Return the material of shear modulus `G` (Pa), Poisson ratio `nu` and `density` (kg/m3).

        E = 2 G (1 + nu); `specific_heat` in J/(kg K) and `conductivity` in W/(m K).
        """
        modulus = checks.positive_or_infinite("G", G, "Pa", "steel has 8.2e10 Pa.")
        ratio = checks.poisson_ratio("nu", nu)
        thermal = {"specific_heat": specific_heat, "conductivity": conductivity}
        return cls(2.0 * modulus * (1.0 + ratio), ratio, density, **thermal)

    @property
    def shear_modulus(self) -> float:
        """Shear modulus G = E / (2 (1 + nu)), Pa."""
        return self.youngs_modulus / (2.0 * (1.0 + self.poisson_ratio))

    @property
    def diffusivity(self) -> float:
        """Thermal diffusivity kappa = k/(rho c), m2/s.

        Raises
        ------
        InputError
            If density, specific heat or conductivity is missing.
        """
        heat, k = thermal_constants("material", self)
        return k / heat

    @property
    def rigid(self) -> bool:
        """Whether the body is rigid."""
        return self.youngs_modulus == math.inf


STEEL = Material.from_shear_modulus(82e9, 0.28, density=7850.0, specific_heat=450.0, conductivity=50.0)
RIGID = Material(math.inf, 0.0)


def structural_constants(material: Material) -> tuple[float, float]:
    """Young's modulus (Pa) and density (kg/m3) of a material of which a beam or a plate is made."""
    checks.instance("material", material, Material)
    if material.rigid or material.density is None:
        raise InputError("material must be elastic and have a density: tr.Material(E, nu, density=...).")
    return material.youngs_modulus, material.density


def thermal_constants(name: str, material: Material) -> tuple[float, float]:
    """Heat capacity rho c, J/(m3 K), and conductivity k, W/(m K), of a material that is called `name`."""
    checks.instance(name, material, Material)
    needed = ("density", "specific_heat", "conductivity")
    missing = [part for part in needed if getattr(material, part) is None]
    if material.density is None or material.specific_heat is None or material.conductivity is None:
        raise InputError(
            f"{name} has no {' and no '.join(missing)}, which temperatures need: "
            "tr.Material(E, nu, density, specific_heat=450.0, conductivity=50.0) for steel."
        )
    return material.density * material.specific_heat, material.conductivity


@dataclass(frozen=True)
class Pair:
    """Materials of two bodies in contact, and their combined elastic constants.

    One half space with the combined constants deforms like both bodies together (Kalker 1990, section 1.2):
    1/G = (1/G1 + 1/G2)/2, nu/G = (nu1/G1 + nu2/G2)/2, 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2.

    Parameters
    ----------
    upper
        Material of body 1, the upper one (wheel, ball).
    lower
        Material of body 2, the lower one (rail, plate). One of the two may be rigid.

    Examples
    --------
    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> print(f"E* = {pair.effective_modulus / 1e9:.1f} GPa")
    E* = 113.9 GPa
    """

    upper: Material
    lower: Material

    def __repr__(self) -> str:
        if self.upper == self.lower:
            return f"Pair: both {self.upper._words}"
        return f"Pair: {self.upper._words} on {self.lower._words}"

    def __post_init__(self) -> None:
        for name in ("upper", "lower"):
            checks.instance(name, getattr(self, name), Material, "give a body such as tr.STEEL.")
        if self.upper.rigid and self.lower.rigid:
            raise InputError("both bodies are rigid: at least one of upper and lower must deform.")

    @cached_property
    def shear_modulus(self) -> float:
        """Combined shear modulus G, Pa."""
        return 2.0 / (1.0 / self.upper.shear_modulus + 1.0 / self.lower.shear_modulus)

    @cached_property
    def poisson_ratio(self) -> float:
        """Combined Poisson ratio nu."""
        ratio = sum(body.poisson_ratio / body.shear_modulus for body in (self.upper, self.lower))
        return 0.5 * ratio * self.shear_modulus

    @cached_property
    def mismatch(self) -> float:
        """Mismatch K = G/4 ((1 - 2 nu1)/G1 - (1 - 2 nu2)/G2); 0 where pressure causes no tangential slip."""
        upper, lower = (
            (1.0 - 2.0 * body.poisson_ratio) / body.shear_modulus for body in (self.upper, self.lower)
        )
        return 0.25 * self.shear_modulus * (upper - lower)

    @cached_property
    def effective_modulus(self) -> float:
        """Effective (plane strain) modulus E*, Pa: 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2."""
        return 1.0 / sum(
            (1.0 - body.poisson_ratio**2) / body.youngs_modulus for body in (self.upper, self.lower)
        )

    def body(self, number: int) -> Material:
        """Return the material of body `number` 1 (upper) or 2 (lower)."""
        return {1: self.upper, 2: self.lower}[checks.choice("body", number, (1, 2))]
