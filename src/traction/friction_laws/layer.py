"""`Layer`: a thin film between the bodies, elastic or yielding."""

from __future__ import annotations

from dataclasses import dataclass

from traction import checks
from traction.errors import InputError


@dataclass(frozen=True)
class Layer:
    """Thin layer between the bodies (third body): oxide, wear debris, leaves, sand.

    It shears by p h/G under a traction p, in addition to the bodies. With a yield stress it flows plastically
    where the traction reaches it: |p| <= min(mu pn, tau). Hardening raises the yield stress by `hardening`
    per metre of plastic displacement; softening, a negative number, lowers it, to a tenth at least. Where
    friction and the yield stress of a layer that softens, or under falling friction, agree within 2e-6, slip
    and flow share the motion. A layer that hardens flows until tau is the friction without slip, then the
    surfaces slip; where friction rises with the slip after a memory, beyond tau, slip and flow share the rest
    of the motion.

    Elements carry at most tau as a mean over a whole cell: a covered element at an edge that covers 0.8 of
    its cell yields at tau/0.8. In transient rolling by covered elements their tractions are shared out over
    the cells of the grid like mu pn. Next to the edges, where pn varies within an element, means over cells
    may exceed tau, by 0.06 tau where tau is half of the largest mu pn and 0.4 tau or more at a quarter:
    `certificate.averaging` counts it. In steady rolling and moving schemes |p| <= tau in every cell.

    Parameters
    ----------
    shear_modulus
        G of the layer, Pa.
    thickness
        h, m.
    yield_stress
        tau_c, Pa; None for a layer that stays elastic.
    hardening
        Increase of the yield stress per plastic displacement, Pa/m; negative for softening.

    Raises
    ------
    InputError
        If a value is out of range, or `hardening` is given without `yield_stress`.

    Examples
    --------
    >>> film = tr.Layer(4e9, 0.25e-3, yield_stress=250e6)
    >>> print(f"{film.compliance * 1e12:.4f} um/MPa")
    0.0625 um/MPa
    """

    shear_modulus: float
    thickness: float
    yield_stress: float | None = None
    hardening: float = 0.0

    def __post_init__(self) -> None:
        checks.keep(
            self,
            shear_modulus=checks.positive("shear_modulus", self.shear_modulus, "Pa"),
            thickness=checks.positive("thickness", self.thickness, "m"),
            hardening=checks.finite("hardening", self.hardening, "Pa/m"),
        )
        if self.yield_stress is not None:
            checks.keep(self, yield_stress=checks.positive("yield_stress", self.yield_stress, "Pa"))
        elif self.hardening != 0.0:
            raise InputError(
                f"hardening = {self.hardening} Pa/m needs a yield_stress, which it raises or lowers."
            )

    @property
    def compliance(self) -> float:
        """Displacement per traction h/G, m/Pa."""
        return self.thickness / self.shear_modulus
