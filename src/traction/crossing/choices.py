"""What a crossing may be, and what it is unless its user chooses."""

from traction import checks
from traction.errors import InputError

GRAVITY = 9.81  #: m/s2
MODELS = ("modes", "elements", "differences")  #: of the beam
SIZES = {"modes": 40, "elements": 100, "differences": 100}  #: of the models
CONDENSED = "condensed"  #: the march that condenses modes and vehicles to the wheels
EXACT = "exact"  #: the march of modes under plain forces
#: of wheels in elastic contact, by the model
CONTACT_METHODS = {"modes": CONDENSED, "elements": "newmark", "differences": "newmark"}
#: of plain forces on nodes, by the model
FORCE_METHODS = {"elements": "newmark", "differences": "verlet"}
FRICTION_ELEMENTS = 24  #: of a grid of tractions that is chosen, per direction


def check_residual(model: str, residual: bool | None, unless_given: bool) -> bool:
    """Whether the modes left out take part; only a model of modes has some."""
    if model != "modes" and residual is not None:
        raise InputError("residual is given, but belongs to modes; leave it out.")
    return unless_given if residual is None else checks.flag("residual", residual)
