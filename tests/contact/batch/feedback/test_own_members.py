"""Batches with laws of friction, fields and layers give the answers of the single solver."""

import json
from pathlib import Path

import numpy as np
import pytest

import traction as tr
from batch_members import GRID, PAIR, assert_like, given

SPEED, MEMORY = 20.0, (1e-4, 1e-2)
FILM = tr.Layer(4e9, 2e-5)
X, Y = GRID.mesh()
CASES = {
    "linear": (tr.friction.linear(0.15, (0.15, 0.3)), {"speed": SPEED}),
    "rational": (tr.friction.rational(0.15, (0.1, 0.5), (0.05, 0.1)), {"speed": SPEED}),
    "exponential with memory": (tr.friction.exponential(0.15, (0.15, 0.1), memory=MEMORY), {"speed": SPEED}),
    "law along the track": (
        tr.friction.along_track(
            [0.998, 1.003], [0.8, 1.2], law=tr.friction.rational(0.15, (0.15, 0.3), memory=MEMORY)
        ),
        {"speed": SPEED, "position": 1.0},
    ),
    "own": (tr.friction.own(lambda s: 0.15 + 0.15 / (1.0 + 5.0 * s)), {"speed": SPEED}),
    "field": (0.3 + 20.0 * Y + 10.0 * X, {}),
    "function of place on a layer": (lambda x, y: 0.3 + 20.0 * x, {"layer": FILM}),
    "layer": (0.3, {"layer": FILM}),
    "law on a layer": (tr.friction.exponential(0.15, (0.15, 0.5)), {"speed": SPEED, "layer": FILM}),
    "hardening": (0.3, {"layer": tr.Layer(4e9, 2e-5, yield_stress=2e8, hardening=1e12)}),
    "softening": (
        tr.friction.exponential(0.15, (0.15, 0.5), memory=MEMORY),
        {"speed": SPEED, "layer": tr.Layer(4e9, 2e-5, yield_stress=2e8, hardening=-1e12)},
    ),
}

REFERENCE = json.loads((Path(__file__).parents[3] / "data" / "falling_friction.json").read_text())["cases"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", REFERENCE)
def test_creep_curves_are_those_of_contact(name):
    """Forces and numbers of sticking elements by CONTACT, all creepages of a curve at once."""
    body = tr.Material.from_shear_modulus(82e9, 0.28)
    pair, gap, load = tr.Pair(body, body), tr.Paraboloid(1 / 1.6, 1 / 2.942), 80e3
    p = REFERENCE[name]["parameters"]
    a, b = tr.hertz.ellipse(gap.radius_x, gap.radius_y, pair, force=load).semi_axes
    n = tr.press(gap, tr.Grid(40, 30, 2.2 * a / 40, 2.2 * b / 30), pair, force=load)
    layer = tr.Layer(p["G3"], p["h3"], p.get("tau_c")) if "G3" in p else None
    friction = p.get("mu")
    if friction is None:
        make = getattr(tr.friction, name.split("_")[0])
        friction = make(p["mu_kin"], (p["m1"], p["h1"]), (p["m2"], p["h2"]), memory=(3e-6, 1e-3))
    rows = np.array(REFERENCE[name]["rows"], dtype=float)
    found = tr.Batch(n.grid, pair).roll_steady(
        n, friction, rows[:, :3], speed=SPEED, layer=layer, discretisation="classical"
    )
    assert found.solved_singly == 0
    np.testing.assert_allclose(found.force, rows[:, 3:5], atol=5e-4 * found.friction[0] * load)
    np.testing.assert_allclose(found.stick_share * n.contact.sum(), rows[:, 7], atol=1e-6)


@pytest.mark.parametrize("discretisation", ["covered", "classical"])
@pytest.mark.parametrize("name", CASES)
def test_members_are_those_of_the_single_solver(contact, members, name, discretisation):
    friction, settings = CASES[name]
    found = tr.Batch(GRID, PAIR).roll_steady(
        contact, friction, *members, fields=True, discretisation=discretisation, **settings
    )
    assert found.ok.all()
    assert found.solved_singly <= 1  # where the creep curve is nearly flat
    for k in (1, 3, 5, 9):
        creepage, force = given(*members, k)
        single = tr.roll_steady(
            contact, friction, creepage=creepage, force=force, discretisation=discretisation, **settings
        )
        assert_like(found, k, single)
        assert found.friction[k] == single.friction


def test_slipping_elements_resist_by_the_law(contact, members):
    law = tr.friction.exponential(0.1, (0.2, 0.2))
    found = tr.Batch(GRID, PAIR).roll_steady(
        contact, law, members[0], speed=SPEED, fields=True, discretisation="classical"
    )
    slip = SPEED * np.hypot(*np.moveaxis(found.slip, 1, 0))
    bound = law.coefficient(slip) * contact.pressure
    slides = (contact.pressure > 0.0) & ~found.stick
    assert slides.any()
    traction = np.hypot(*np.moveaxis(found.traction, 1, 0))
    np.testing.assert_allclose(traction[slides], bound[slides], atol=2e-6 * bound.max())
    assert (slip[found.stick] < 1e-5 * slip.max()).all()


@pytest.mark.parametrize("discretisation", ["covered", "classical"])
def test_members_with_laws_and_speeds_of_their_own(contact, members, discretisation):
    law, other = tr.friction.linear(0.1, (0.2, 0.5)), tr.friction.exponential(0.2, (0.1, 0.3), memory=MEMORY)
    friction, speeds = [law, other, 0.25, 0.3 + 10.0 * Y, lambda x, y: 0.3] * 2, np.linspace(5.0, 50.0, 10)
    found = tr.Batch(GRID, PAIR).roll_steady(
        contact, friction, members[0], speed=speeds, discretisation=discretisation, fields=True
    )
    assert found.ok.all()
    assert found.solved_singly == 0
    for k in range(1, 10):
        single = tr.roll_steady(
            contact, friction[k], creepage=members[0][k], speed=speeds[k], discretisation=discretisation
        )
        assert_like(found, k, single)


@pytest.mark.filterwarnings("ignore::traction.CoarseGridWarning")
def test_memory_passes_the_gap_between_two_patches():
    grid = tr.Grid(24, 15, 0.6e-3, 0.6e-3)

    def gap(x, y):
        return np.minimum((x - 3.2e-3) ** 2 / 0.3, (x + 3.2e-3) ** 2 / 0.3) + y**2 / 0.6

    n = tr.press(gap, grid, PAIR, force=20e3)
    assert not n.contact[:, 11:13].any()
    law = tr.friction.exponential(0.1, (0.2, 0.05), memory=(3e-3, 0.1))
    creepages = np.linspace(1e-3, 6e-3, 9)[:, None] * [1.0, 0.3, 20.0]
    for discretisation in ("covered", "classical"):
        found = tr.Batch(grid, PAIR).roll_steady(
            n, law, creepages, speed=1.0, discretisation=discretisation, fields=True
        )
        assert found.solved_singly == 0
        for k in (0, 8):
            single = tr.roll_steady(n, law, creepage=creepages[k], speed=1.0, discretisation=discretisation)
            assert_like(found, k, single)


def test_lines_of_contact_with_a_law():
    grid = tr.Grid.line(40, 0.25e-3)
    n = tr.press(tr.Cylinder(0.46), grid, PAIR, force=4e6)
    law = tr.friction.exponential(0.15, (0.15, 0.2), memory=MEMORY)
    creepages = np.linspace(2e-4, 4e-3, 9)[:, None] * [1.0, 0.0, 0.0]
    found = tr.Batch(grid, PAIR).roll_steady(n, law, creepages, speed=SPEED, fields=True)
    assert found.solved_singly == 0
    for k in (0, 4, 8):
        assert_like(found, k, tr.roll_steady(n, law, creepage=creepages[k], speed=SPEED))


@pytest.mark.parametrize("name", ["rational", "field", "hardening", "softening"])
def test_shifts_are_those_of_the_single_solver(contact, skewed, members, name):
    (friction, settings), contacts = CASES[name], [contact, skewed] * 5
    displacements = members[0] * (5e-3, 5e-3, 2e-3)
    found = tr.Batch(GRID, PAIR).shift(contacts, friction, displacements, fields=True, **settings)
    assert found.ok.all()
    assert found.solved_singly == 0
    for k in (1, 4, 7):
        assert_like(found, k, tr.shift(contacts[k], friction, displacement=displacements[k], **settings))


def test_laws_with_several_solutions_are_left_to_the_single_solver(contact):
    steep, creepages = (
        tr.friction.exponential(0.1, (0.3, 2e-3)),
        np.linspace(1e-4, 4e-3, 8)[:, None] * [1, 0, 0],
    )
    found = tr.Batch(GRID, PAIR).roll_steady(
        contact, steep, creepages, speed=80.0, discretisation="classical"
    )
    assert found.solved_singly == 8
    single = tr.roll_steady(
        contact, steep, creepage=creepages[3], speed=80.0, discretisation="classical", on_failure="return"
    )
    assert single.other_solutions
    assert tuple(found.force[3]) == tuple(single.force)


def test_forces_beyond_the_maximum_are_refused_with_it(contact):
    law, forces = tr.friction.exponential(0.1, (0.2, 0.1)), np.full((8, 2), np.nan)
    forces[:, 0] = 0.1 * contact.force
    forces[5] = 0.29 * contact.force, np.nan
    with pytest.raises(
        tr.InputError, match=r"member 5: force = .* larger in size than the maximum of the creep curve"
    ):
        tr.Batch(GRID, PAIR).roll_steady(
            contact, law, np.zeros(3), forces, speed=40.0, discretisation="classical"
        )


def test_warm_and_bare_members_are_solved_singly(contact):
    warm = tr.friction.thermal([0.0, 200.0], [0.3, 0.2])
    batch, creepages = tr.Batch(GRID, PAIR), np.linspace(1e-3, 3e-3, 9)[:, None] * [1, 0, 0]
    found = batch.roll_steady(contact, [warm] + [0.3] * 8, creepages, speed=20.0)
    assert list(found.singles) == [0]
    np.testing.assert_allclose(
        found.force[0], tr.roll_steady(contact, warm, creepage=creepages[0], speed=20.0).force
    )
    bare = np.where(GRID.mesh()[1] > 0.0, 0.3, 0.0)
    assert batch.roll_steady(contact, bare, creepages).solved_singly == 9
    found = batch.roll_steady(contact, bare, creepages, discretisation="classical", fields=True)
    assert found.solved_singly == 0
    assert_like(found, 5, tr.roll_steady(contact, bare, creepage=creepages[5], discretisation="classical"))


@pytest.mark.parametrize("discretisation", ["classical", "covered"])
def test_few_members_with_a_law_join_a_batch_whose_matrices_are_filled(discretisation):
    """Fewer than eight do not pay for matrices, and are solved singly; later calls have them."""
    n, law = tr.press(tr.Paraboloid(0.46, 0.46), GRID, PAIR, force=40e3), CASES["exponential with memory"][0]
    xi = np.linspace(5e-4, 4e-3, 8)
    rows, options = (
        np.column_stack((xi, 0.2 * xi, 0.0 * xi)),
        {"speed": SPEED, "discretisation": discretisation},
    )
    few = tr.Batch(GRID, PAIR).roll_steady(n, law, rows[:3], **options)
    batch = tr.Batch(GRID, PAIR)
    eight, later = (batch.roll_steady(n, law, rows[:count], **options) for count in (8, 3))
    assert (few.solved_singly, eight.solved_singly, later.solved_singly) == (3, 0, 0)
    np.testing.assert_allclose(later.force, few.force, atol=1e-6 * 0.3 * 40e3)
