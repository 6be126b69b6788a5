"""`rail`: a rail on elastic sleepers, a beam of many spans."""

from __future__ import annotations

from traction import checks
from traction.beams.beam import Beam
from traction.beams.damping import DampingInput
from traction.beams.supports import Support

UIC60 = {"bending_stiffness": 6.42e6, "mass_per_length": 60.21}  #: EI, N m^2, and kg/m of one rail


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
    """A rail of `spans` spans of `spacing` (m), with a spring of `support_stiffness` (N/m) at each joint
    between them.

    By default one UIC 60 rail and half a concrete sleeper in ballast per support. `ends` holds both outer
    ends.
    """
    n = checks.count("spans", spans, 2)
    one = Beam(
        checks.positive("spacing", spacing, "m"),
        bending_stiffness,
        mass_per_length,
        shear_stiffness=shear_stiffness,
        damping=damping,
    )
    spring = Support(checks.positive("support_stiffness", support_stiffness, "N/m"), 0.0)
    return Beam.spans([one] * n, supports=(ends, *[spring] * (n - 1), ends))
