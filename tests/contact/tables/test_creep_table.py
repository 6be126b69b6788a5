"""Creep tables of given nodes: order, derivatives, continuity, symmetries, scaling, files, errors."""

import math
from dataclasses import replace

import numpy as np
import pytest

import traction as tr
from convergence import observed_order
from saturating_table import LINEAR, saturating_law, saturating_table
from traction.outputs.netcdf import write_netcdf

ONE = (1.0, 1.0, 1.0, 1.0)  #: a, b, load, friction: reduced creepages are (xi/3, eta/3, phi) with C = 1


@pytest.fixture(scope="module")
def polar():
    return saturating_table()


@pytest.fixture(scope="module")
def wide():
    return saturating_table(ratios=(0.5, 0.8, 1.3, 2.0))


@pytest.fixture(scope="module")
def box():
    return saturating_table(29, 29, 57, coordinates="box")


def random_creepages(count, seed=3):
    """Reduced creepages from none to far sliding, in all directions."""
    rng = np.random.default_rng(seed)
    way = rng.normal(size=(count, 3))
    s = rng.uniform(0.0, 0.98, (count, 1))
    return way / np.linalg.norm(way, axis=1, keepdims=True) * s / (1.0 - s)


def reduced_forces(table, reduced):
    scales = table.creepage_scales(*ONE)
    return np.stack(table.forces(np.asarray(reduced) * scales, *ONE), axis=-1)


def test_polar_splines_converge_at_fourth_order():
    points, errors = random_creepages(300), []
    sizes = (5, 10, 20)
    for n in sizes:
        found = reduced_forces(saturating_table(2 * n + 1, n + 1, 2 * n + 1), points)
        errors.append(np.abs(found - saturating_law(points)).max())
    assert observed_order([1.0 / n for n in sizes], errors) > 3.5
    assert errors[-1] < 5e-5


def test_box_splines_pass_through_their_nodes_and_come_close_between(box):
    nodes = np.array([(0.0, 0.0, 0.0), (1 / 7, 2 / 7, -3 / 7), (7 / 5, 1.0, -7.0), (3.5, 0.0, 7 / 6)])
    assert reduced_forces(box, nodes) == pytest.approx(saturating_law(nodes), abs=1e-12)
    points = random_creepages(200)
    points = points[np.linalg.norm(points, axis=1) < 3.0]  # corners at infinity have no one value
    assert reduced_forces(box, points) == pytest.approx(saturating_law(points), abs=2e-3)


@pytest.mark.parametrize("name", ["polar", "box", "wide"])
def test_jacobian_is_the_derivative_of_the_forces(name, request):
    table = request.getfixturevalue(name)
    contact = (1.2, 1.0, 0.7, 0.9) if name == "wide" else (1.1, 1.1, 0.7, 0.9)
    special = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, -2), (1, 0, 1), (0, -1, 1), (1e-9, 0, 1)]
    creepages = np.vstack((random_creepages(300), np.array(special, dtype=float))) * 1.7
    found = table.jacobian(creepages, *contact)
    size, step = np.abs(found).max(), 1e-5
    for k in range(3):
        near = np.zeros(3)
        near[k] = step
        ahead = np.stack(table.forces(creepages + near, *contact), axis=-1)
        behind = np.stack(table.forces(creepages - near, *contact), axis=-1)
        change = (ahead - behind) / (2.0 * step)
        assert change[:300] == pytest.approx(found[:300, :, k], abs=1e-6 * size)
        assert change[300:] == pytest.approx(found[300:, :, k], abs=3e-5 * size)  # of the table at poles


def test_no_creepage_has_no_force_and_the_stiffness_of_the_linear_theory(polar):
    assert np.abs(polar.forces((0, 0, 0), *ONE)).max() == 0.0
    scaled = polar.jacobian((0, 0, 0), *ONE) * polar.creepage_scales(*ONE)
    assert scaled == pytest.approx(LINEAR, abs=3e-5)


@pytest.mark.parametrize("way", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0, -0.8), (-0.3, 0.5, 0.2)])
def test_forces_saturate_smoothly_up_to_creepages_of_1e9(polar, way):
    unit = np.array(way) / np.linalg.norm(way)
    sizes = np.array([1e3, 1e6, 1e9])
    found = reduced_forces(polar, sizes[:, None] * unit)
    assert found == pytest.approx(np.tile(LINEAR @ unit, (3, 1)), abs=2e-4)
    assert np.isfinite(polar.jacobian(1e9 * unit, *ONE)).all()


@pytest.mark.parametrize("name", ["polar", "box"])
@pytest.mark.parametrize(
    "place", [(0, 0, 0.7), (0, 0, -3), (0, 0.4, 0.3), (0.4, 0, 0.3), (0.4, 0, 0), (1, 1, 1)]
)
def test_forces_and_derivatives_are_continuous_on_axes_and_planes(name, place, request):
    table = request.getfixturevalue(name)
    rng = np.random.default_rng(0)
    around = np.array(place) + 1e-8 * rng.normal(size=(40, 3))
    forces, slopes = reduced_forces(table, around), table.jacobian(around * table.creepage_scales(*ONE), *ONE)
    assert np.ptp(forces, axis=0).max() < 1e-6
    assert np.ptp(slopes, axis=0).max() < 1e-4  # at a pole the cosine of the azimuth is a spline


def test_symmetries(polar):
    points = random_creepages(50)
    found = reduced_forces(polar, points)
    assert reduced_forces(polar, -points) == pytest.approx(-found, abs=1e-13)
    mirrored = reduced_forces(polar, points * (1, -1, -1))
    assert mirrored == pytest.approx(found * (1, -1, -1), abs=1e-13)


def test_one_table_serves_all_sizes_loads_and_ratios(wide):
    a, b, load, friction = 6e-3, 4e-3, 8e4, 0.35
    creepage = random_creepages(20) * wide.creepage_scales(a, b, load, friction)
    fx, fy, mz = wide.forces(creepage, a, b, load, friction)
    law = saturating_law(random_creepages(20)) * friction * load
    c = math.sqrt(a * b)
    assert np.stack((fx, fy, mz / c), axis=-1) == pytest.approx(law, abs=2e-4 * friction * load)
    scale = wide.creepage_scales(a, b, load, friction)[0]
    assert scale == pytest.approx(3.0 * friction * load / (c * c * a / b), rel=1e-9)  # C11 = a/b, G = 1


def test_arguments_broadcast(wide):
    creepage = random_creepages(6).reshape(2, 3, 3)
    fx, _, _ = wide.forces(creepage, [[1.0], [1.2]], 1.0, [1.0, 2.0, 3.0], 0.3)
    assert fx.shape == (2, 3)
    one = wide.forces(creepage[1, 2], 1.2, 1.0, 3.0, 0.3)
    assert fx[1, 2] == one[0]
    assert wide.jacobian(creepage[0, 0], 1.0, 1.0, 1.0, 0.3).shape == (3, 3)
    assert np.abs(wide.forces(creepage, 1.0, 1.0, 0.0, 0.3)).max() == 0.0


def test_netcdf_restores_the_table(wide, polar, tmp_path):
    for table in (wide, polar):
        back = tr.CreepTable.load(table.save(tmp_path / "table.nc"))
        points = random_creepages(20)
        assert (reduced_forces(back, points) == reduced_forces(table, points)).all()
        assert (back.origin, back.cells) == (table.origin, table.cells)
        assert (back.values == table.values).all()


def test_csv_and_matlab_hold_the_nodes(polar, tmp_path):
    from scipy.io import loadmat

    rows = polar.save(tmp_path / "table.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + 17 * 9 * 17
    assert "force_x" in rows[0]
    held = loadmat(polar.save(tmp_path / "table.mat"))
    assert held["coefficients"].shape == polar.splines.coefficients.shape


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"a": 2.0}, "a/b = 2 is outside the table, whose a/b is 1"),
        ({"b": 0.0}, "b = 0.0 m must be positive"),
        ({"load": -1.0}, "load = -1.0 N must be zero or more"),
        ({"creepage": (1.0, 0.0)}, r"creepage has shape \(2,\)"),
        ({"creepage": (math.nan, 0.0, 0.0)}, "must be finite"),
        ({"load": [1.0, 2.0], "friction": [0.1, 0.2, 0.3]}, "do not broadcast"),
    ],
)
def test_bad_input_is_named(polar, change, words):
    given = {"creepage": (0.1, 0.0, 0.0), "a": 1.0, "b": 1.0, "load": 1.0, "friction": 0.3, **change}
    with pytest.raises(tr.InputError, match=words):
        polar.forces(**given)


def test_a_file_that_is_no_table_is_refused(tmp_path):
    (tmp_path / "text.nc").write_text("not a table")
    with pytest.raises(tr.InputError, match="cannot be read as netCDF"):
        tr.CreepTable.load(tmp_path / "text.nc")
    other = tr.hertz.sphere(0.02, tr.Pair(tr.STEEL, tr.STEEL), force=1.0).save(tmp_path / "sphere.nc")
    with pytest.raises(tr.InputError, match="not the file of a creep table"):
        tr.CreepTable.load(other)


def test_the_error_of_given_nodes_is_not_known(polar):
    with pytest.raises(tr.InputError, match="not known"):
        polar.error_at((0, 0, 0), *ONE)


def test_without_load_the_stated_error_is_zero(polar):
    sizes = tuple(one.size - 1 for one in polar.nodes)
    table = replace(polar, error_map=np.full(sizes, 0.01))
    assert table.error_at([(0.1, 0, 0), (0, 0, 0)], 1.0, 1.0, [[0.0], [1.0]], 0.3).tolist() == [
        [0.0, 0.0],
        [0.01, 0.01],
    ]


def test_scales_of_creepages_are_checked_as_forces_are(wide):
    assert wide.creepage_scales(1.0, [1.0, 2.0], 1.0, 0.3).shape == (2, 3)
    for sizes, words in (((1.0, 100.0), "outside the table"), ((-1.0, -1.0), "a = -1.0 m must be positive")):
        with pytest.raises(tr.InputError, match=words):
            wide.creepage_scales(*sizes, 1.0, 0.3)


def test_slender_ellipses_have_no_simplified_theories():
    table = saturating_table(9, 5, 9, ratios=(2.0, 4.0, 20.0, 40.0))
    with pytest.raises(tr.InputError, match=r"a/b = 20 must be 0.1 to 10: the simplified theories"):
        table.compare(20e-3, 1e-3, 1e4, 0.3)


@pytest.mark.parametrize("name", ["polar", "box"])
def test_numbers_that_overflow_are_refused(name, request):
    with pytest.raises(tr.InputError, match="beyond the range of numbers"):
        request.getfixturevalue(name).forces((1e100, 0, 0), 1e90, 1e90, 1e-99, 1e-99)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"nodes": 2}, "nodes has 2 arrays"),
        ({"nodes": "degrees"}, r"nodes\[1\] is from 0 to 90; in polar coordinates it must be from 0 to 1.57"),
        ({"creep_coefficients": [1.0, 2.0]}, r"creep_coefficients has shape \(2,\), expected \(3, 1\)"),
        ({"creep_coefficients": [1.0, -2.0, 1.0]}, "creep_coefficients: -2 must be positive"),
        ({"ratios": -1.0}, "a/b = -1 must be positive"),
        ({"shear_modulus": -1.0}, "shear_modulus = -1.0 Pa must be positive"),
        ({"radius": 0.0}, "radius = 0.0 must be positive"),
        ({"poisson_ratio": 3.0}, "poisson_ratio = 3.0"),
    ],
)
def test_nodes_that_make_no_table_are_refused(polar, change, words):
    first, second, third = polar.nodes
    nodes = {2: (first, second), "degrees": (first, np.degrees(second), third)}
    given = {
        "nodes": polar.nodes, "ratios": 1.0, "creep_coefficients": [1.0] * 3, "shear_modulus": 1.0,
        "poisson_ratio": 0.28, **change,
    }  # fmt: skip
    given["nodes"] = nodes.get(change.get("nodes"), polar.nodes)
    with pytest.raises(tr.InputError, match=words):
        tr.CreepTable.from_nodes("polar", values=polar.values, **given)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("knots_1", lambda one: np.linspace(0.0, 1.0, 100_000)),  # evaluations would read far outside
        ("knots_2", lambda one: one[::-1].copy()),
        ("knots_3", lambda one: np.full_like(one, np.nan)),
        ("ratio_knots", lambda one: one[:7]),
        ("radius", lambda one: np.array(-1.0)),
        ("error", lambda one: np.array("large")),
    ],
)
def test_damaged_files_are_refused(wide, tmp_path, name, change):
    variables = [
        replace(one, source=change(np.asarray(one.values))) if one.name == name else one
        for one in wide._variables()
    ]
    write_netcdf(tmp_path / "table.nc", variables, {})
    with pytest.raises(tr.InputError, match=r"is damaged .* write one with"):
        tr.CreepTable.load(tmp_path / "table.nc")
