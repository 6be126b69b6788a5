"""Units in which figures and tables show a quantity."""

from traction.quantities import Unit as Unit
from traction.quantities import quantity as quantity
from traction.quantities import unit_for as unit_for
