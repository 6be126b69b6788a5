"""A guard under which nothing is solved and nothing is marched: for reports, which only read."""

import sys
from contextlib import contextmanager

import pytest

from traction.beams.beam import Beam
from traction.beams.obstacle.mesh_adaptation import adapt
from traction.beams.obstacle.obstacle_solver import solve
from traction.contact.friction.shift import shift
from traction.contact.normal.press import press, recover_contact
from traction.contact.rolling.steady_rolling import roll_steady
from traction.contact.rolling.transient_rolling import roll
from traction.crossing.cross import cross
from traction.crossing.driving.driven_wheel import DrivenWheel
from traction.crossing.marches.condensed_march import CondensedMarch
from traction.crossing.moving_load import moving_load
from traction.crossing.setup import prepare_crossing
from traction.crossing.sweeps.resonance import resonance
from traction.halfspace.half_space import HalfSpace
from traction.impacts.impact import impact
from traction.impacts.impact_history import ImpactHistory
from traction.integrators.integrate import integrate
from traction.integrators.march.time_march import TimeMarch
from traction.resting.rest import rest

FUNCTIONS = (
    adapt, cross, impact, integrate, moving_load, prepare_crossing, press, recover_contact, resonance, rest,
    roll, roll_steady, shift, solve,
)  # fmt: skip
METHODS = (
    (Beam, "modes"),
    (Beam, "bend"),
    (TimeMarch, "advance"),
    (CondensedMarch, "advance"),
    (DrivenWheel, "roll_part"),
    (HalfSpace, "product"),
    (HalfSpace, "shifted"),
    (HalfSpace, "at_points"),
    (ImpactHistory, "deflection"),
)


@contextmanager
def nothing_computed():
    """Calls of solvers and integrators, by whatever name a module has imported them, fail the test."""

    def forbid(name):
        def fail(*_, **__):
            pytest.fail(f"{name} was called: a report reads what the run has stored")

        return fail

    with pytest.MonkeyPatch.context() as patch:
        for module in [one for name, one in sys.modules.items() if name.startswith("traction")]:
            for name, value in list(vars(module).items()):
                if any(value is function for function in FUNCTIONS):
                    patch.setattr(module, name, forbid(name))
        for kind, name in METHODS:
            if hasattr(kind, name):
                patch.setattr(kind, name, forbid(f"{kind.__name__}.{name}"))
        yield
