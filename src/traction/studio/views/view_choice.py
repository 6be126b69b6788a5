"""Which views each kind has, first what a practitioner looks at first, and which of them a run has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.studio.messages import Facts, RefusedError, numbers
from traction.studio.views.run_samples import RunSamples, read_samples, stored_axis

SERIES, CURVES, BARS, PROFILE, MAP = "series", "curves", "bars", "profile", "map"
SPECTRUM, TABLE, GRID, SURFACE, RAILS = "spectrum", "table", "grid", "surface", "rails"
MOST_LABELS = 2000  #: values of what labels the samples
LEAST = {SERIES: 2, CURVES: 2, SURFACE: 3}  #: samples that a view needs
LINE = 1  #: rows of a field over an area that is a line


@dataclass(frozen=True)
class ViewChoice:
    """A view that a kind may have; runs without its fields do not."""

    name: str
    type: str
    title: str
    fields: tuple[str, ...]
    x: str | None = None  #: field of the axis; what labels the samples unless given
    by: tuple[str, ...] = ()  #: fields that part samples into curves, or span a grid
    state: tuple[str, ...] = ()  #: pressure and stick, of which a map shows stick and slip
    arrows: tuple[str, ...] = ()  #: fields that are the components of a vector
    log_x: bool = False
    log_y: bool = False
    down: bool = False  #: positive values are drawn downwards, as deflections are
    pick: str = ""  #: what a click on it opens


def series(name: str, title: str, *fields: str, x: str | None = None) -> ViewChoice:
    """Curves over the samples."""
    return ViewChoice(name, SERIES, title, fields, x)


def profile(name: str, title: str, *fields: str, down: bool = False) -> ViewChoice:
    """Curves along a line, at one sample."""
    return ViewChoice(name, PROFILE, title, fields, down=down)


def spectrum(name: str, title: str, field: str) -> ViewChoice:
    """Amplitudes over frequency."""
    return ViewChoice(name, SPECTRUM, title, (field,), log_y=True)


def surface(name: str, title: str, field: str) -> ViewChoice:
    """A field along a line over the samples."""
    return ViewChoice(name, SURFACE, title, (field,))


def curves(name: str, title: str, *fields: str, x: str, by: tuple[str, ...], pick: str = "") -> ViewChoice:
    """Curves over the field `x`, one for each combination of the fields `by`."""
    return ViewChoice(name, CURVES, title, fields, x, by, pick=pick)


def patch(name: str, title: str, pressure: str) -> ViewChoice:
    """Pressure and tractions over a patch, stick and slip."""
    arrows = ("traction_x", "traction_y")
    return ViewChoice(name, MAP, title, (pressure, *arrows), state=(pressure, "stick"), arrows=arrows)


PATCH = patch("patch", "Pressure, tractions, stick and slip", "pressure")
SECTION = profile("section", "Along the rolling direction", "pressure", "traction_x", "traction_y")
SOLVER = series("solver", "Solver", "iterations", "residual", "elements_across")
ROLLING = (
    PATCH,
    SECTION,
    series("forces", "Forces on body 1", "force_x", "force_y", "normal_force"),
    series("moment", "Spin moment", "moment"),
    series("creepages", "Creepages", "longitudinal", "lateral"),
    series("stick", "Share of the contact that sticks", "stick_share"),
    series("dissipation", "Dissipated energy", "dissipation"),
    SOLVER,
)
CREEP = ("longitudinal", "lateral", "spin")
#: of a crossing that are drawn
ENERGIES = (
    "bridge_kinetic", "bridge_elastic", "vehicles_kinetic", "vehicles_elastic", "contact", "dissipated",
    "numerical",
)  # fmt: skip
BENT = ("deflection", "global_deflection", "local_deflection")
ELLIPSES = ("ratio", "motion")  #: what parts the kind "creep-law" into curves


def _crossing(body: str) -> tuple[ViewChoice, ...]:
    return (
        profile("shape", f"Deflection along the {body}", f"{body}_deflection", down=True),
        series("deflection", "Deflection at the output position", "deflection", "deflection_at_rest"),
        series("wheel_forces", "Forces of the wheels", "contact_force", "axle_force"),
        series("acceleration", "Acceleration at the output position", "acceleration"),
        spectrum("spectrum", "Spectrum of the acceleration", "acceleration"),
        spectrum("deflection_spectrum", "Spectrum of the deflection", "deflection"),
        series("moment", "Bending moment at the output position", "moment"),
        series("shear", "Shear force at the output position", "shear"),
        surface("space_time", f"Deflection along the {body} over time", f"{body}_deflection"),
    )


CHOICES: dict[str, tuple[ViewChoice, ...]] = {
    "press": (
        ViewChoice("patch", MAP, "Contact pressure", ("pressure",)),
        profile("section", "Pressure along the line", "pressure"),
        series("force", "Force over approach", "force", x="approach"),
        series("peak_pressure", "Peak pressure over force", "peak_pressure", x="force"),
        series("size", "Size of the contact over force", "semi_axis_x", "semi_axis_y", x="force"),
        series("stiffness", "Contact stiffness over force", "stiffness", x="force"),
        SOLVER,
    ),
    "shift": (
        PATCH,
        SECTION,
        series("forces", "Forces on body 1", "force_x", "force_y", "normal_force"),
        series("path", "Force over displacement", "force_x", x="displacement_x"),
        series("displacement", "Displacement", "displacement_x", "displacement_y"),
        series("stick", "Share of the contact that sticks", "stick_share"),
        series("dissipation", "Dissipated energy", "dissipation"),
        SOLVER,
    ),
    "steady": ROLLING,
    "roll": ROLLING,
    "creep-table": (
        curves("forces", "Creep forces", "force_x", "force_y", x="longitudinal", by=("lateral", "spin")),
        curves("moment", "Spin moment", "moment", x="spin", by=("longitudinal", "lateral")),
        curves("stick", "Share that sticks", "stick_share", x="longitudinal", by=("lateral", "spin")),
        ViewChoice("table", TABLE, "All rows", (*CREEP, "force_x", "force_y", "moment", "stick_share")),
    ),
    "creep-law": (
        curves("forces", "Longitudinal force", "force_x", "fastsim_force_x", x="creepage", by=ELLIPSES),
        curves("lateral", "Lateral force", "force_y", "fastsim_force_y", x="creepage", by=ELLIPSES),
        curves("moment", "Spin moment", "moment", "fastsim_moment", x="creepage", by=ELLIPSES),
        curves("error", "Stated error", "error", x="creepage", by=ELLIPSES),
    ),
    "bounce": (
        profile("surfaces", "Surfaces of ground and body", "ground_surface", "body_surface"),
        series("height", "Height of the lowest point", "height"),
        series("force", "Contact force", "contact_force"),
        series("energy", "Energies", "kinetic_energy", "gravitational_energy", "elastic_energy", "energy"),
        series("velocity", "Velocity", "velocity"),
        series("law", "Force over penetration", "contact_force", x="penetration"),
        spectrum("spectrum", "Spectrum of the height", "height"),
    ),
    "impact": (
        profile("shape", "Deflection of the structure", "deflection", down=True),
        series("force", "Contact force", "force"),
        series(
            "motion", "Striker and struck point", "striker_displacement", "structure_displacement", "approach"
        ),
        series("velocity", "Velocity of the striker", "striker_velocity"),
        series("law", "Force over approach", "force", x="approach"),
        spectrum("spectrum", "Spectrum of the contact force", "force"),
        surface("space_time", "Deflection over time", "deflection"),
    ),
    "obstacle": (
        profile("shape", "Deflection", "deflection", down=True),
        profile("contact_force", "Contact force per length", "contact_force"),
        profile("moment", "Bending moment", "moment"),
        profile("shear", "Shear force", "shear"),
        series("force", "Force of the obstacle", "force", "point_force"),
        series("lengths", "Free length and contact length", "free_length", "contact_length"),
    ),
    "modes": (
        profile("shape", "Mode shape", "deflection"),
        profile("moment", "Bending moment of the mode", "moment"),
        ViewChoice("frequency", BARS, "Natural frequencies", ("frequency",)),
        ViewChoice("mass", BARS, "Effective masses", ("effective_mass",)),
        ViewChoice("table", TABLE, "Modes", ("mode", "frequency", "damping_ratio", "effective_mass")),
    ),
    "moving-load": _crossing("beam"),
    "cross": (
        patch("tread", "Patch of the first driven wheel", "tread_pressure"),
        ViewChoice("patch", MAP, "Patch of the first wheel", ("pressure",)),
        *_crossing("bridge"),
        series("creep_forces", "Forces of driven wheels", "longitudinal_force", "lateral_force"),
        series("creepages", "Creepages of driven wheels", "longitudinal_creepage", "lateral_creepage"),
        series("stick", "Share of the patches that sticks", "stick_share"),
        series("peak_pressure", "Peak pressures", "peak_pressure"),
        series("energy", "Energies", *(f"energy_{one}" for one in ENERGIES)),
    ),
    "resonance": (
        curves("deflection", "Peak deflection", "deflection", x="speed", by=("train",), pick="crossing"),
        curves(
            "acceleration", "Peak acceleration", "acceleration", x="speed", by=("train",), pick="crossing"
        ),
        ViewChoice(
            "map",
            GRID,
            "Amplification",
            ("amplification", "acceleration"),
            "speed",
            ("train",),
            pick="crossing",
        ),
    ),
    "wheel-rail": (
        ViewChoice("rails", RAILS, "Wheels on rails", ("y",)),
        series(
            "forces", "Forces on the wheelset over its lateral shift", "force_x", "force_y", "force_z", x="y"
        ),
        series("places", "Places of the patches on the rails", "place_y", x="y"),
        series("angles", "Contact angles", "angle", x="y"),
        series("normal_forces", "Normal forces of the patches", "normal_force", x="y"),
        series("pressures", "Peak pressures", "peak_pressure", "largest_pressure", x="y"),
        series("creepages", "Creepages of the patches", "longitudinal", "lateral", x="y"),
        series("spins", "Spins of the patches", "spin", x="y"),
        series("roll", "Roll of the wheelset", "roll", x="y"),
        ViewChoice(
            "table", TABLE, "All positions", ("y", "yaw", "roll", "z", "force_x", "force_y", "force_z")
        ),
    ),
    "rest": (
        ViewChoice("patch", MAP, "Pressure under the wheels", ("pressure",)),
        profile("shape", "Deflection of the bridge", *BENT, down=True),
        ViewChoice("force", BARS, "Forces of the wheels", ("force",)),
        ViewChoice("peak_pressure", BARS, "Peak pressures", ("peak_pressure", "straight_peak_pressure")),
    ),
}
#: words of fields beside each other, where their own are too long or lean on the field before
LABELS = {
    "deflection_at_rest": "static deflection under the same forces",
    "local_deflection": "by the pressures",
    "global_deflection": "of the beam",
    "striker_displacement": "striker",
    "structure_displacement": "struck point",
    "contact_force": "contact force",
    "axle_force": "axle force",
    "peak_pressure": "peak pressure",
    "straight_peak_pressure": "peak pressure on a straight bridge",
    "longitudinal_force": "along the travel",
    "lateral_force": "across the track",
    "longitudinal_creepage": "longitudinal creepage",
    "lateral_creepage": "lateral creepage",
    "stick_share": "share that sticks",
    "amplification": "amplification",
}
#: which kinds move, and how
SCENES = {
    "bounce": "bounce",
    "impact": "impact",
    "moving-load": "crossing",
    "cross": "crossing",
    "roll": "rolling",
    "shift": "rolling",
}


def list_views(folder: str) -> Facts:
    """What can be seen of the run in a folder."""
    run = read_samples(folder)
    return {
        "kind": run.kind,
        "samples": run.count,
        "total": run.layout.total,
        "label": describe_label(run),
        "views": [_describe(choice) for choice in available_views(run)],
        "animation": SCENES.get(run.kind) if run.count > 1 else None,
    }


def find_view(run: RunSamples, name: str) -> ViewChoice:
    """The view of that name."""
    found = next((one for one in available_views(run) if one.name == name), None)
    if found is None:
        raise RefusedError(404, f'this run has no view "{name[:60]}".')
    return found


def available_views(run: RunSamples) -> list[ViewChoice]:
    """Views of the kind for which the run has fields and samples."""
    return [choice for choice in CHOICES.get(run.kind) or _choose_all(run) if _fits(choice, run)]


def _choose_all(run: RunSamples) -> list[ViewChoice]:
    """Views of a kind of which nothing is said: all that it stores, numbers by their units."""
    units: dict[str, list[str]] = {}
    for one in run.layout.fields:
        if not one.dims and not one.labels_samples:
            units.setdefault(one.unit, []).append(one.name)
    kinds = {1: PROFILE, 2: MAP}
    found = [
        ViewChoice(one.name, kinds[len(one.dims)], one.long_name, (one.name,))
        for one in run.layout.fields
        if len(one.dims) in kinds
    ]
    lists = [tuple(names) for names in units.values()]
    return [*found, *(ViewChoice(one[0], SERIES, run.fields[one[0]].long_name, one) for one in lists)]


def present(choice: ViewChoice, run: RunSamples) -> list[str]:
    """Fields of a view that the run has."""
    return [name for name in choice.fields if name in run.fields]


def is_line(run: RunSamples, name: str) -> bool:
    """Whether a field over an area is one along a line: a contact in plane strain."""
    dims = run.fields[name].dims
    return len(dims) == 2 and run.layout.shapes[name][0] == LINE


def describe_label(run: RunSamples) -> Facts:
    """What labels the samples, thinned."""
    step = max(1, -(-run.count // MOST_LABELS))
    rows = list(range(0, run.count, step))
    rows += [run.count - 1] if rows and rows[-1] != run.count - 1 else []
    return {**stored_axis(*run.label_words, run.label_values[rows]), "rows": rows}


def _fits(choice: ViewChoice, run: RunSamples) -> bool:
    names = present(choice, run)
    if not names or run.count < LEAST.get(choice.type, 1):
        return False
    if choice.x is not None and choice.x not in run.fields:
        return False
    if choice.type == MAP:
        return len(run.fields[names[0]].dims) >= 2 and not is_line(run, names[0])
    if choice.type == PROFILE:
        return len(run.fields[names[0]].dims) == 1 or is_line(run, names[0])
    if choice.type == BARS:
        return run.count > 1 or bool(run.fields[names[0]].dims)
    if choice.type == SPECTRUM:
        return run.is_even
    if choice.type == CURVES:
        return _has_curve(choice, run)
    if choice.type == GRID:
        return all(len(set(numbers(run.samples[name]))) > 1 for name in choice.by)
    return True


def _has_curve(choice: ViewChoice, run: RunSamples) -> bool:
    """Whether two samples lie on one curve."""
    keys = np.stack([run.samples[name] for name in choice.by], axis=1)
    return bool(np.unique(keys, axis=0, return_counts=True)[1].max() > 1)


def _describe(choice: ViewChoice) -> Facts:
    told = ("name", "type", "title", "log_x", "log_y", "down")
    facts: Facts = {name: getattr(choice, name) for name in told}
    return {**facts, "fields": list(choice.fields), "pick": choice.pick or None}
