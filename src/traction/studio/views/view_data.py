"""The numbers of one view."""

from __future__ import annotations

from traction.studio.views import curve_views, field_views
from traction.studio.views.run_samples import read_samples
from traction.studio.views.view_choice import find_view

Facts = dict[str, object]


def read_view(folder: str, name: str, points: int, first: int, last: int, sample: int, member: int) -> Facts:
    """What a view of the run in a folder shows, at a sample or over a range of them."""
    run = read_samples(folder)
    choice = find_view(run, name)
    run.row(0)  # refuses a run without samples
    drawn: Facts
    match choice.type:
        case "series":
            drawn = curve_views.draw_series(run, choice, points, first, last)
        case "curves":
            drawn = curve_views.draw_curves(run, choice)
        case "bars":
            drawn = curve_views.draw_bars(run, choice)
        case "spectrum":
            drawn = curve_views.draw_spectrum(run, choice, points)
        case "table":
            drawn = curve_views.draw_table(run, choice)
        case "profile":
            drawn = field_views.draw_profile(run, choice, sample)
        case "map":
            drawn = field_views.draw_map(run, choice, sample, member)
        case "rails":
            drawn = field_views.draw_rails(run, sample)
        case "surface":
            drawn = field_views.draw_surface(run, choice, points)
        case _:
            drawn = field_views.draw_grid(run, choice)
    return {"name": name, "type": choice.type, "title": choice.title, **drawn}
