"""Creep forces at all combinations: those of single calls, and those of the kind of scenario."""

import numpy as np
import pytest

import traction as tr
from coarse import FEW_ELEMENTS

WHEEL, GRID = tr.Paraboloid(0.46, 0.3), tr.Grid(14, 12, 1.2e-3, 1e-3)
FEW = {"gap": WHEEL, "grid": GRID, "friction": 0.3}


@FEW_ELEMENTS  # both are solved on the same grid
def test_every_combination_is_a_single_call():
    table = tr.creep_table(**FEW, load=[2e4, 4e4], longitudinal=[0.0, 1e-3], lateral=5e-4, spin=[0.0, 0.3])
    assert table.shape == (2, 2, 1, 2)
    normal = tr.press(WHEEL, GRID, tr.Pair(tr.STEEL, tr.STEEL), force=4e4)
    one = tr.roll_steady(normal, 0.3, creepage=(1e-3, 5e-4, 0.3))
    here = (1, 1, 0, 1)
    found = [table[name][here] for name in ("force_x", "force_y", "moment", "dissipation")]
    np.testing.assert_allclose(found, (*one.force, one.moment, one.dissipation), rtol=1e-9)
    assert table["stick_elements"][here] == one.stick.sum()
    assert table["contact_elements"][here] == normal.contact.sum()


def test_forces_in_place_of_creepages():
    table = tr.creep_table(**FEW, load=4e4, force_x=[-4e3, -8e3], spin=0.1)
    assert list(table.axes) == ["load", "given_force_x", "lateral", "spin"]
    np.testing.assert_allclose(table["force_x"].ravel(), [-4e3, -8e3], rtol=1e-5)
    assert (np.diff(table["longitudinal"].ravel()) > 0.0).all()
    frame = table.to_pandas()
    assert frame["given_force_x"].tolist() == [-4e3, -8e3]
    assert frame["longitudinal"].tolist() == table["longitudinal"].ravel().tolist()


def test_approach_in_place_of_load():
    normal = tr.press(WHEEL, GRID, tr.Pair(tr.STEEL, tr.STEEL), force=4e4)
    table = tr.creep_table(**FEW, approach=normal.approach, longitudinal=1e-3)
    assert table["normal_force"].item() == pytest.approx(4e4, rel=1e-4)
    assert table.to_xarray().approach.attrs["units"] == "m"


@FEW_ELEMENTS  # both are solved on the same grid
def test_line_contact_is_per_metre():
    roller, grid = tr.Cylinder(0.02), tr.Grid.line(16, 5e-5)
    table = tr.creep_table(gap=roller, grid=grid, friction=0.3, load=1e5, longitudinal=[1e-4, 1e-3])
    units = {name: one.attrs["units"] for name, one in table.to_xarray().variables.items()}
    assert (units["load"], units["force_x"], units["moment"], units["dissipation"]) == (
        "N/m",
        "N/m",
        "N",
        "J/m2",
    )
    assert (table["force_x"] < 0.0).all()


@FEW_ELEMENTS  # both are solved on the same grid
def test_it_is_what_the_kind_stores():
    scenario = tr.Scenario.build(
        "creep-table",
        friction=0.3,
        grid={"nx": 14, "ny": 12, "width_x": 14 * 1.2e-3, "width_y": 12 * 1e-3},
        surface=[{"type": "paraboloid", "radius_x": 0.46, "radius_y": 0.3}],
        load={"force": [2e4, 4e4]},
        rolling={"longitudinal": [0.0, 1e-3], "spin": [0.0, 0.3]},
    )
    stored = tr.simulate(scenario).data
    table = tr.creep_table(**FEW, load=[2e4, 4e4], longitudinal=[0.0, 1e-3], spin=[0.0, 0.3]).to_xarray()
    for name in set(stored.data_vars) - {"longitudinal", "lateral", "spin"}:
        np.testing.assert_allclose(
            table[name].values.ravel(), stored[name], rtol=1e-9, atol=1e-9, err_msg=name
        )
        assert table[name].attrs["units"] == stored[name].attrs["units"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "give exactly one of load and approach"),
        ({"load": []}, "load has shape"),
        ({"load": 4e4, "longitudinal": [1e-3], "force_x": 1e3}, "longitudinal and force_x are both given"),
        ({"load": 4e4, "spin": [[0.1]]}, "spin has shape"),
    ],
)
def test_bad_input(given, words):
    with pytest.raises(tr.InputError, match=words):
        tr.creep_table(**FEW, **given)


def test_unknown_column_is_named():
    table = tr.creep_table(**FEW, load=4e4)
    with pytest.raises(tr.InputError, match="name = 'power' is not known"):
        table["power"]
