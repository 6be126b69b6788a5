"""Marks of tests whose time steps or grids are coarse on purpose; the reason stands beside each use."""

import pytest

LONG_STEPS = pytest.mark.filterwarnings("ignore::traction.errors.StepWarning")
FEW_ELEMENTS = pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
