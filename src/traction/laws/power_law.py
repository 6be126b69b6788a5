"""`PowerLaw`: F = k delta^n; Hertz has n = 3/2."""

from __future__ import annotations

from dataclasses import dataclass

from traction import checks
from traction.laws.contact_law import NO_TABLE, ContactLaw, Memory, PowerForm, Response
from traction.laws.kernels.law_values import POWER, CompiledLaw, power_response
from traction.materials import Pair
from traction.theory import hertz

SEPARATED = Response(0.0, 0.0, 0.0)
_respond = power_response.py_func  # a call of compiled code from outside takes longer than the formula


@dataclass(frozen=True)
class PowerLaw(ContactLaw):
    """Power law F = k max(0, delta)^n with the approach delta; Hertz has n = 3/2.

    Parameters
    ----------
    coefficient
        k, N/m^n.
    exponent
        n.

    Examples
    --------
    >>> law = tr.PowerLaw.hertz(0.02, tr.Pair(tr.STEEL, tr.STEEL))
    >>> print(f"{law(1e-6):.1f} N")
    21.5 N
    """

    coefficient: float
    exponent: float

    def __post_init__(self) -> None:
        checks.keep(
            self,
            coefficient=checks.positive("coefficient", self.coefficient, "N/m^n"),
            exponent=checks.positive("exponent", self.exponent),
        )

    @classmethod
    def hertz(cls, radius: float, pair: Pair | float) -> PowerLaw:
        """Return Hertz's law of a sphere of relative `radius` R (m) and a `pair` of materials.

        k = 4/3 E* sqrt(R), n = 3/2.
        """
        return cls(hertz.sphere(radius, pair, approach=1.0).force, 1.5)

    @classmethod
    def hertz_ellipse(cls, radius_x: float, radius_y: float, pair: Pair | float) -> PowerLaw:
        """Return Hertz's law of bodies with the gap x^2/(2 Rx) + y^2/(2 Ry).

        `radius_x` and `radius_y` in m, `pair` of materials; n = 3/2.
        """
        return cls(hertz.ellipse(radius_x, radius_y, pair, approach=1.0).force, 1.5)

    def response(self, approach: float, memory: Memory | None = None, *, rate: float = 0.0) -> Response:
        """Return force, stiffness n F/delta and energy F delta/(n + 1) at an `approach` (m).

        `memory` and `rate` have no effect.
        """
        delta = checks.finite("approach", approach, "m")
        if delta <= 0.0:
            return SEPARATED
        return Response(*_respond(self.coefficient, self.exponent, delta))

    @property
    def power_form(self) -> PowerForm:
        """The law itself."""
        return PowerForm(self.coefficient, self.exponent, 0.0)

    def compiled(self, energy: float) -> CompiledLaw:
        """Return the law as kernels take it, for any `energy` (J)."""
        return CompiledLaw(POWER, self.coefficient, self.exponent, 0.0, 0.0, NO_TABLE)
