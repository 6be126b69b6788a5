"""The closed forms."""

from . import adhesion as adhesion
from . import carter as carter
from . import cattaneo as cattaneo
from . import hertz as hertz
from . import loads as loads
from . import moving_heat as moving_heat
from . import rolling_waves as rolling_waves
