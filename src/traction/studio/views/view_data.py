"""The numbers of one view."""

from __future__ import annotations

from collections.abc import Callable

from traction.studio.messages import Facts
from traction.studio.views import curve_views, field_views
from traction.studio.views.run_samples import read_samples
from traction.studio.views.view_choice import find_view


def read_view(folder: str, name: str, points: int, first: int, last: int, sample: int, member: int) -> Facts:
    """What a view of the run in a folder shows, at a sample or over a range of them."""
    run = read_samples(folder)
    choice = find_view(run, name)
    run.row(0)  # refuses a run without samples
    draws: dict[str, Callable[[], Facts]] = {
        "series": lambda: curve_views.draw_series(run, choice, points, first, last),
        "curves": lambda: curve_views.draw_curves(run, choice),
        "bars": lambda: curve_views.draw_bars(run, choice),
        "spectrum": lambda: curve_views.draw_spectrum(run, choice, points),
        "table": lambda: curve_views.draw_table(run, choice),
        "profile": lambda: field_views.draw_profile(run, choice, sample),
        "map": lambda: field_views.draw_map(run, choice, sample, member),
        "rails": lambda: field_views.draw_rails(run, sample),
        "surface": lambda: field_views.draw_surface(run, choice, points),
        "grid": lambda: field_views.draw_grid(run, choice),
    }
    return {"name": name, "type": choice.type, "title": choice.title, **draws[choice.type]()}
