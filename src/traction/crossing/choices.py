"""Choices of a crossing, and their defaults."""

from traction import checks
from traction.errors import InputError

GRAVITY = 9.81  #: m/s2
AUTO = "auto"  #: a time step that is chosen by its effect on the result
MODELS = ("modes", "elements", "differences")  #: of the beam
SIZES = {"modes": 40, "elements": 100, "differences": 100}  #: of the models
CONDENSED = "condensed"  #: the march that condenses modes and vehicles to the wheels
EXACT = "exact"  #: the march of modes under plain forces
#: of wheels in elastic contact, by the model
CONTACT_METHODS = {"modes": CONDENSED, "elements": "newmark", "differences": "newmark"}
#: of plain forces on nodes, by the model
FORCE_METHODS = {"elements": "newmark", "differences": "verlet"}
REACH = 0.5  #: of a wheel's radius, the distance from a soft end up to which the step there is considered
FRICTION_ELEMENTS = 24  #: of a default grid of tractions, per direction


def refuse_given(reason: str, **given: object) -> None:
    """Refuse arguments that have no effect."""
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name} is given, but {reason}")


def check_residual(model: str, residual: bool | None, unless_given: bool) -> bool:
    """Whether the residual of the neglected modes is included; only a modal model has one."""
    if model != "modes" and residual is not None:
        raise InputError('residual is given, but applies to model="modes" only; omit it.')
    return unless_given if residual is None else checks.flag("residual", residual)
