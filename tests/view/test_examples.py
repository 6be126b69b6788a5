"""Every gallery example runs, asserts its number, and ends in one figure; tutorial and how-to guides run."""

import re
import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("gallery/*/plot_*.py"))
GUIDES = sorted([*FOLDER.glob("tutorial/step_*.py"), *FOLDER.glob("howto/plot_*.py")])
#: examples of more than a second, with the quicker tests that check what they show
SLOW = {
    "plot_batch": "contact/batch/test_batch_rolling.py",
    "plot_belt_squeal": "sliding/test_belt_oscillator.py",
    "plot_bounce_energy": "bouncing/test_bounce.py",
    "plot_bounce_methods": "bouncing/test_bounce.py",
    "plot_bounce_radau_verlet": "bouncing/test_bounce.py",
    "plot_braking_wheel": "crossing/driving",
    "plot_carter_rolling": "contact/rolling/test_steady_rolling.py",
    "plot_conicity": "wheelsets/kinematics/test_conicity.py",
    "plot_covered_elements": "contact/elements/test_covered_cells.py",
    "plot_creep_table": "contact/tables/test_creep_table.py",
    "plot_crossing": "crossing/test_cross.py",
    "plot_crossing_elements": "app/finite_elements/test_meshed_crossing.py",
    "plot_crossing_methods": "crossing/sweeps/test_compare_methods.py",
    "plot_crossing_resonance": "crossing/sweeps",
    "plot_difference_stability": "beams/discrete/test_beam_differences.py",
    "plot_finite_elements": "app/finite_elements",
    "plot_heavy_wheel": "app/finite_elements/test_vibrations.py",
    "plot_force_map": "wheelsets/test_force_map_batches.py",
    "plot_hot_patch": "contact/temperature",
    "plot_impact_methods": "impacts/test_methods.py",
    "plot_impact_picard": "impacts/test_methods.py",
    "plot_impact_plate": "impacts/structures",
    "plot_impact_restitution": "impacts/test_impact_sweep.py",
    "plot_kinematic_wave": "wheelsets/kinematics/test_kinematic_wave.py",
    "plot_leaf_on_rail": "contact/rolling/test_track_friction.py",
    "plot_merging_patches": "wheelsets/test_wheel_rail.py",
    "plot_method_order": "integrators/core/test_method.py",
    "plot_moving_load": "crossing/test_moving_load.py",
    "plot_obstacle_coarse": "beams/obstacle/test_obstacle_solver.py",
    "plot_obstacle_errors": "beams/obstacle/test_obstacle_solver.py",
    "plot_quantile_bands": "view/test_sweep_bands.py",
    "plot_resonance": "crossing/sweeps/test_resonance.py",
    "plot_resonance_map": "kinds/sweep/test_sweep.py",
    "plot_rolling_steps": "contact/rolling/test_transient_rolling.py",
    "plot_rough_rail": "results/sweeps/test_sweep_axes.py",
    "plot_smoothing": "contact/rolling/test_transient_rolling.py",
    "plot_soft_bridge": "resting/test_rest.py",
    "plot_stability": "integrators/test_stability.py",
    "plot_stale_verlet": "bouncing/test_bounce.py",
    "plot_sweep": "kinds/sweep/test_sweep.py",
    "plot_two_branches": "contact/rolling/test_falling_friction.py",
    "plot_two_point_contact": "wheelsets/test_benchmark.py",
    "plot_unlike_rollers": "contact/friction/test_pressure_coupling.py",
    "plot_wandering_patch": "wheelsets/test_transient.py",
    "plot_wheel_flat": "crossing/test_cross_limits.py",
    "plot_wheel_slip": "crossing/driving",
    "plot_wheel_stick_slip": "crossing/driving/test_shaft_torsion.py",
    "plot_wiggles": "contact/rolling/test_rolling_operator.py",
    "plot_work_error": "integrators/core/test_method.py",
}


def marked(path):
    return pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if path.stem in SLOW else [])


def test_there_are_examples():
    assert len(EXAMPLES) >= 8
    assert set(SLOW) <= {path.stem for path in EXAMPLES}
    assert all((FOLDER.parent / "tests" / test).exists() for test in SLOW.values())


@pytest.fixture
def shown(monkeypatch):
    """Figures that a program has shown, each checked for empty axes when it was."""
    from matplotlib import pyplot as plt

    from gallery_figures import empty_axes

    figures = []

    def show(*_, **__):
        new = [plt.figure(number) for number in plt.get_fignums()]
        assert [axes.get_title() for figure in new for axes in empty_axes(figure)] == []
        figures.extend(new)

    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setattr(plt, "show", show)
    return figures


@pytest.mark.parametrize("path", [marked(path) for path in EXAMPLES])
def test_example(path, shown):
    runpy.run_path(str(path), run_name="__main__")
    assert len(shown) == 1
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 120
    assert "\nassert " in text


@pytest.mark.slow
@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)
def test_guide(path, shown):
    runpy.run_path(str(path), run_name="__main__")
    assert shown
    assert "\nassert " in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", EXAMPLES + GUIDES, ids=lambda path: path.stem)
def test_example_shows_its_physics(path):
    """What a page computes is on the page or behind a public name, not in a module of the package."""
    text = path.read_text(encoding="utf-8")
    hidden = re.findall(r"^\s*(?:from traction\b.*|import traction\.\S+)", text, flags=re.MULTILINE)
    assert hidden == []


def test_there_are_seven_steps_and_fourteen_tasks():
    assert [path.parent.name for path in GUIDES].count("tutorial") == 7
    assert [path.parent.name for path in GUIDES].count("howto") == 15  # fourteen tasks, and users of CONTACT
