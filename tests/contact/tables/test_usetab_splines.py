"""USETAB files as creep tables, and creep tables as USETAB files."""

from dataclasses import replace

import numpy as np
import pytest

import traction as tr
from saturating_table import saturating_law, saturating_table
from traction.contact.tables import solved_usetab
from traction.contact.tables.usetab_file import (
    Usetab,
    file_ratios,
    read_printed_coefficients,
    scaled_creepages,
    tabulate,
    write_usetab,
)

LONG = (130.0, 4.0, 1.0)


@pytest.fixture(scope="module")
def content():
    """A file of itab = 3 whose forces are those of a closed law."""
    x = scaled_creepages(3)
    reduced = np.stack(np.meshgrid(x, x, np.concatenate((x, -x)), indexing="ij"), axis=-1)
    forces = 0.3 * saturating_law(-reduced)
    return Usetab(file_ratios(3, LONG), np.stack([forces] * 6), 20)


def test_a_table_has_the_forces_of_its_file(tmp_path, content):
    table = tr.CreepTable.from_usetab(write_usetab(tmp_path / "tabcon", content))
    assert table.cells == 20
    assert np.isnan(table.error)
    rng, load = np.random.default_rng(0), 8e4
    for _ in range(50):
        k, i, j, n = (int(rng.integers(size)) for size in content.values.shape[:-1])
        ratio, c = float(content.ratios[k]), 5e-3
        c11, c22, c23 = read_printed_coefficients(ratio)
        scale = 0.3 * load / (tr.Pair(tr.STEEL, tr.STEEL).shear_modulus * c**2)
        xi, eta = -3.0 * scale * content.creepages[i] / c11, -3.0 * scale * content.creepages[j] / c22
        phi = -scale / c * content.spins[n] / c23
        a, b = c * np.sqrt(ratio), c / np.sqrt(ratio)
        fx, fy, mz = table.forces((xi, eta, phi), a, b, load, 0.3)
        found = np.array([fx, fy, mz / c]) / (0.3 * load)
        assert found == pytest.approx(content.values[k, i, j, n], abs=6e-7)


def test_another_pair_changes_the_scale_of_creepages_alone(tmp_path, content):
    path = write_usetab(tmp_path / "tabcon", content)
    soft = tr.Material.from_shear_modulus(41e9, 0.28)
    tables = [tr.CreepTable.from_usetab(path, pair) for pair in (None, tr.Pair(soft, soft))]
    steel = tr.Pair(tr.STEEL, tr.STEEL).shear_modulus
    one, other = (
        table.forces((1e-3 * factor, 0.0, 0.0), 6e-3, 5e-3, 8e4, 0.3)[0]
        for table, factor in zip(tables, (1.0, steel / 41e9), strict=True)
    )
    assert one == pytest.approx(other, rel=1e-12)
    with pytest.raises(tr.InputError, match="pair"):
        tr.CreepTable.from_usetab(path, "steel")


def test_forces_at_the_nodes_of_a_file(tmp_path):
    table = saturating_table(13, 7, 13, ratios=(0.14, 1.0, 10.0, 201.0))
    found = tabulate(table.splines, 20)
    assert found.values.shape == (25, 16, 16, 32, 3)
    assert found.values[:, 0, 0, 0] == pytest.approx(0.0, abs=1e-12)
    for k, i, j, n in ((7, 3, 9, 20), (24, 15, 0, 4), (3, 0, 8, 31)):
        ratio = float(found.ratios[k])
        scale = np.array([ratio] * 3) / read_printed_coefficients(ratio)  # the table is reduced by C = a/b
        reduced = -np.array([found.creepages[i], found.creepages[j], found.spins[n]]) * scale
        assert found.values[k, i, j, n] == pytest.approx(saturating_law(reduced), abs=2e-2)
    path = table.to_usetab(tmp_path / "tabcon")
    assert sum(not line.startswith("!") for line in path.read_text().splitlines()) == 204_800 + 8


def test_tables_that_do_not_fit_are_refused(tmp_path):
    with pytest.raises(tr.InputError, match=r"a/b of the table is .* a USETAB file has 0.142857 to 200"):
        saturating_table(5, 5, 5).to_usetab(tmp_path / "tabcon")
    assert not (tmp_path / "tabcon").exists()
    table = saturating_table(5, 5, 5, ratios=(0.1, 0.5, 2.0, 201.0))
    other = replace(table, splines=replace(table.splines, poisson_ratio=0.3))
    with pytest.raises(
        tr.InputError, match=r"Poisson's ratio of the table is 0.3; that of USETAB files is 0.28"
    ):
        other.to_usetab(tmp_path / "tabcon")


def test_a_solved_table(content, monkeypatch):
    asked = {}

    def solve_few(cells, *, tell, **settings):
        tell(1, 2)
        asked.update(settings, cells=cells)
        return replace(content, cells=cells)

    monkeypatch.setattr(solved_usetab, "solve_cases", solve_few)
    told = []
    table = tr.solve_usetab(16, device="cpu", precision="float64", progress=lambda *two: told.append(two))
    assert told == [(1, 2)]
    assert asked == {"cells": 16, "device": "cpu", "precision": "float64"}
    assert (table.cells, table.discretisation) == (16, "covered")
    for wrong in ({"cells": 4}, {"device": "tpu"}, {"precision": "half"}):
        with pytest.raises(tr.InputError):
            tr.solve_usetab(**wrong)
